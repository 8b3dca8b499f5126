//! What tools of every kind say, in the English of error messages, first by phrase and then by plain word. All of it is
//! merely suggestive: it names a failure that an exit code has told of, and never makes one.

use super::{Row, suggestive};
use recovery_types::ErrorType::{
    CommandNotFound, CompileError, ConnectionFailure, DiskFull, FileNotFound, InvalidArgument, LockContention,
    MissingCredentials, MissingDependency, NetworkTimeout, OutOfMemory, PermissionDenied, QuotaExhausted, RateLimit,
    ServiceUnavailable, WrongOutputFormat,
};

/// What a package manager manages.
macro_rules! package {
    () => {
        r"(?:dependenc(?:y|ies)|packages?|modules?|librar(?:y|ies)|gems?|crates?|plugins?|extensions?|pods?|artifacts?|providers?|requirements?|specifications?|components?|formula|addons?|recipes?|ports?|bundles?|derivations?|channels?|wheels?|distributions?|frameworks?|sdks?|runtimes?|toolchains?|interpreters?)"
    };
}

/// That something could not be done.
macro_rules! cannot {
    () => {
        r"(?:could not|couldn't|cannot|can not|can't|unable to|failed to|fails to|failure to|was not able to|were unable to|did not|could n't)"
    };
}

/// What a program knows by a name, and is no file.
macro_rules! named {
    () => {
        r"(?:command|subcommand|target|task|recipe|goal|device|interface|machine|remote|branch|tag|profile|option|flag|alias|script|plugin|unit|service|session|window|section|key|user|group|package manager|environment|context|model|tool|function|rule|job|stage|region|zone|namespace|workspace|revision|pipeline|stack|cluster|role|account|node|index|topic|queue|release|deployment|instance|volume|container|bucket|domain|variable|secret|property|attribute|column|field)s?"
    };
}

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // What does not resolve
    suggestive("phrase.package-unresolved", "resolve", MissingDependency, "Unable to resolve the following dependencies:", "could not resolve host x")
        .pattern(concat!(r"(?i)\b", cannot!(), r" (?:be )?resolved? (?:to |for |the |all |any |your |some |these |following |required |project |package |\S+ )*", package!(), r"\b|\b", package!(), r"\b.{0,80} (?:(?:could|can) ?not be|cannot be|not|un) ?resolved")),
    suggestive("phrase.failed-to-resolve", "failed to resolve", MissingDependency, "error: is-even@^9 failed to resolve", "x: failed to resolve address").pattern(r"(?i)\S@?\S* failed to resolve$"),
    suggestive("phrase.package-not-found", "not found", MissingDependency, "Error: package 'libfoo' not found", "file 'a.txt' not found")
        .pattern(concat!(r"(?i)\b", package!(), r"\b(?: name| version)?:? ?(?:['\x22`\[<(]?[^\s]+['\x22`\])>,]?(?: \([^)]*\))? )?(?:was |were |is |are )?not found\b|\bversion \S+ (?:of \S+ )?(?:was )?not found\b|\bnot found (?:in|on|at) (?:the |any |this )?(?:\w+ )?(?:registr|repositor|channel|index|source|remote|mirror|feed)")),
    suggestive("phrase.no-package", " found", MissingDependency, "No compatible versions of acme-log found", "no files found")
        .pattern(concat!(r"(?i)\bno (?:\w+ ){0,2}(?:", package!(), r"|versions?|candidates?|releases?)\b.{0,80} (?:found|available|exists?)\b")),
    suggestive("phrase.find-package", " find ", MissingDependency, "Could not find a version of acme-log that fits", "could not find file a")
        .pattern(concat!(r"(?i)\b", cannot!(), r" (?:find|locate) (?:the |a |an |any |required |compatible |matching |suitable |valid |working |satisfactory |python |node |java |ruby |c |\S+ ){0,3}(?:", package!(), r"|versions?|compiler|releases? (?:of|for))\b")),
    suggestive("phrase.satisfy", "satisf", MissingDependency, "could not satisfy the constraints of acme", "the reviewer is satisfied")
        .pattern(concat!(r"(?i)\b", cannot!(), r" (?:be )?satisf(?:y|ied)\b|\bunsatisf(?:ied|iable)\b|\bnot satisfied\b|\b(?:none|no) .{0,40}satisf(?:y|ies|ying)\b")),
    suggestive("phrase.provides", "provide", MissingDependency, "nothing provides libfoo >= 2 needed by bar", "it provides nothing")
        .pattern(r"(?i)\b(?:nothing|no package) provides? |\bnone of the providers can be installed|\bno providers? (?:for|of|found)\b"),
    suggestive("phrase.version-conflict", "conflict", MissingDependency, "ERROR: version conflict for acme-log: 1.2 and 2.0", "no conflicts")
        .pattern(concat!(r"(?i)\b(?:version|", package!(), r")s? conflicts?\b|\bconflicting (?:versions?|", package!(), r")\b|\brequirements? conflict|\bincompatible (?:versions?|", package!(), r")\b|\bconflicts? with (?:\S+ )?\S+[ @=<>~^-]+v?\d")),
    suggestive("phrase.no-solution", "solution", MissingDependency, "Resolver: no solution found for app", "a solution was found")
        .pattern(r"(?i)\b(?:no|find a|find any) (?:valid |possible )?(?:solution|resolution)\b(?: found| exists|$|[.,:])"),
    suggestive("phrase.not-installed", "not installed", MissingDependency, "Error: gnuplot is not installed", "it was not installed by us")
        .pattern(r"(?i)\b(?:is|are|isn't|aren't|was|were) (?:currently )?(?:not|n't)? ?installed(?:$|[.,:;!)]| (?:or|on|in|and|but|please)\b)|\bnot installed\b(?:$|[.!,])"),
    suggestive("phrase.please-install", "install", MissingDependency, "configure: error: Please install bison", "installing bison")
        .pattern(r"(?i)\b(?:please|must|need to|have to|should|try to) (?:first )?(?:re)?install (?:\S|the )|\b(?:requires|require) .{1,60} (?:to be )?installed\b|\bis required (?:to|for) (?:install|build|run|compil|use)"),
    suggestive("phrase.needs-version", "require", MissingDependency, "acme-cli requires Node.js >= 20 (found 16.3.0)", "requires care")
        .pattern(r"(?i)\brequires? (?:at least |a |the )?[\w.@/ -]{0,40}?(?:version )?['\x22]?(?:>=|<=|==|>|<|~>|\^|=) ?v?\d|\b\d[\w.]* or (?:better|greater|newer|later|higher|above) (?:is|are|was) required|\brequires? [\w.-]+ (?:version )?v?\d[\w.]* or (?:better|greater|newer|later|higher|above)|\bversion .{0,40} is required"),
    suggestive("phrase.runtime-missing", "runtime", MissingDependency, "Could not find a JavaScript runtime.", "the runtime was found").pattern(concat!(r"(?i)\b", cannot!(), r" find (?:an? )?(?:\w+ ){0,2}runtime|\bno (?:\w+ )?runtime (?:found|available|installed)")),
    suggestive("phrase.lockfile", "lock", MissingDependency, "The lock file is out of date with Cargo.toml", "the lock file is fine")
        .pattern(r"(?i)\block ?file .{0,60}(?:out of date|outdated|out of sync|not up to date|not in sync|does not match|needs to be (?:updated|regenerated)|would have been)|(?:out of date|out of sync|not in sync) with .{0,40}\block"),

    // What is not there
    suggestive("phrase.open-file", " open ", FileNotFound, "unable to open config /etc/app.conf", "please open an issue").pattern(concat!(r"(?i)\b", cannot!(), r" (?:open|read|load|stat|access) (?:the |input |output |source |config\w* |file |\S+ ){0,3}['\x22`]?(?:\.{0,2}/|~/|[a-z]:\\)?[\w@+-]*[/\\.][\w./\\@+-]+")),

    // What the caller got wrong
    suggestive("phrase.is-required", "required", InvalidArgument, "spec.name is required", "not required").pattern(r"(?i)\b(?:is|are) required\b(?:$|[.,:;!)\x22']| (?:in|when|if|either|by|and|but|unless|field|property|argument|parameter|option)\b)"),
    suggestive("phrase.required-missing", "required", InvalidArgument, "required field 'name' is missing", "required fields").pattern(r"(?i)\brequired (?:field|property|key|argument|parameter|option|attribute|input|value|variable)s?\b.{0,60}(?:missing|not (?:set|provided|specified|given|found)|absent)|\bmissing (?:a )?required\b|^required (?:value|field\b|property)"),
    suggestive("phrase.must-be", " must ", InvalidArgument, "replicas must be a positive number", "we must go").pattern(r"(?i)\S+ must (?:not )?(?:be|have|contain|match|start|end|consist|specify|provide|include|use|exist)\b"),
    suggestive("phrase.empty-value", " empty", InvalidArgument, "name may not be empty", "the list is empty").pattern(r"(?i)\b(?:may|must|can|should|could) ?not be (?:empty|blank|null|nil|negative|zero)\b"),
    suggestive("phrase.needs-arguments", "argument", InvalidArgument, "This command needs 2 arguments: name, path", "an argument").pattern(r"(?i)\b(?:needs?|expects?|expected|takes|requires?|accepts) (?:only |at (?:least|most) |exactly )?(?:\d+|one|two|an?|no|zero|more|fewer) (?:\w+ )?arguments?\b|\b(?:wrong|incorrect|invalid|unexpected|bad) (?:number of )?arguments?\b|\bno arguments? (?:given|provided|specified)"),
    suggestive("phrase.exists", "already exists", InvalidArgument, "bucket acme-data already exists", "it already existed").pattern(r"(?i)\balready exists\b(?:$|[.,:;!)]| (?:in|at|on|as|with|and|but)\b)"),
    suggestive("phrase.not-known", "not known", InvalidArgument, "The flag --frob is not known.", "it is well known").pattern(r"(?i)\b(?:flag|option|command|argument|parameter|key|name|value|type|target|task)\b.{0,40} (?:is|are) not known\b"),
    suggestive("phrase.no-named", "no ", InvalidArgument, "No installed app with label 'shop'.", "no file named x").pattern(r"(?i)^(?:\S+: )*no (?:\w+ ){0,3}(?:app|application|task|target|service|user|group|role|stack|release|container|job|project|profile|environment|context|cluster|node|device|command|script|module|class|table|index|topic|queue|resource|entry|rule|key) (?:with (?:the )?(?:label|name|id|key|title)|named|called|matching|matches) "),
    suggestive("phrase.unlocated", "locate", InvalidArgument, "Can't locate revision identified by 'abc'", "located").pattern(r"(?i)\bcan(?:'t|not) locate (?:revision|target|task|user|resource)\b"),
    suggestive("phrase.missing-key", " key ", InvalidArgument, "No 'script_location' key found in configuration.", "the key is found").pattern(r"(?i)\bno ['\x22`][\w.-]+['\x22`] (?:key|setting|option|section|property|entry)\b|\b(?:key|setting|option|section|property|entry) ['\x22`][\w.-]+['\x22`] (?:is )?(?:missing|not (?:found|set|present|defined))"),
    suggestive("phrase.no-project", "found in", InvalidArgument, "No project found in /srv/app", "it is found in x").pattern(r"(?i)\bno (?:\w+ )?(?:project|workspace|repository|package|app|stack|environment|configuration)\b.{0,40} (?:found|detected|configured|selected|specified|linked)\b"),
    suggestive("phrase.not-specified", "specif", InvalidArgument, "Error: no region specified", "the specification").pattern(r"(?i)\b(?:no|not) (?:\w+ ){0,3}specified\b|\b(?:must|should|need to|please|have to) (?:be )?specif(?:y|ied)\b|\bneither .{1,60} nor .{1,60} (?:specified|given|provided|set|found)"),
    suggestive("phrase.ambiguous", "ambiguous", InvalidArgument, "error: ambiguous target 'app': matches app-a, app-b", "unambiguous").pattern(r"(?i)\bis ambiguous\b|\bambiguous (?:\w+ )?(?:target|option|argument|reference|name|command|selector|match)\b"),

    // What is refused
    suggestive("phrase.no-credentials", "credential", MissingCredentials, "no credentials provided for registry", "credentials saved").pattern(r"(?i)\b(?:no|missing|invalid|bad|wrong|expired|incorrect|(?:unable to|could not|failed to) (?:load|find|locate|get|read|retrieve|refresh|fetch)|provide|check your) (?:\w+ ){0,3}credentials?\b"),
    suggestive("phrase.credentials", "credential", MissingCredentials, "the credentials were rejected", "credentials saved").pattern(r"(?i)\bcredentials? .{0,40}(?:not (?:found|set|provided|configured|valid)|missing|invalid|expired|required|incorrect|rejected|denied|could not be)"),
    suggestive("phrase.auth", "authenticat", MissingCredentials, "Authentication error [code: 10000]", "authenticated as bob").pattern(r"(?i)\bauthentication (?:error|failed|failure|required|is required|denied|rejected|unsuccessful|exception|token)\b|\b(?:not|un|re-?)authenticated?\b(?:$|[.,:;!)])|\b(?:could not|cannot|unable to|failed to) (?:re)?authenticate\b|\bneed(?:s)? to (?:be )?authenticate"),
    suggestive("phrase.authorization", "authorization", MissingCredentials, "Failed to get authorization for user bob", "the authorization header").pattern(r"(?i)\b(?:failed to|unable to|could not|cannot) (?:get|obtain|acquire|complete) authorization\b"),
    suggestive("phrase.login", "log", MissingCredentials, "You are not logged in. Run `acme login`.", "log in the box").pattern(r"(?i)\bnot (?:permitted|allowed) to log ?in\b|\blog ?in (?:failed|incorrect|required|denied|expired)\b|\bnot (?:currently )?logged in\b|\bplease (?:first )?(?:log|sign) ?in\b|\b(?:must|need to|have to) (?:be )?(?:log|sign)(?:ged|ned)? ?in\b|\brun [`'\x22]?[\w ./-]+ (?:login|auth)[`'\x22]?"),
    suggestive("phrase.token-needed", "token", MissingCredentials, "it is necessary to set an ACME_API_TOKEN variable", "token parsed").pattern(r"(?i)\b(?:no|missing|invalid|expired|bad|wrong|set|provided?|supply|generate|refresh|needs?|requires?) (?:\w+ ){0,2}(?:\w+_)?(?:access |auth\w* |api |bearer |session |security |personal )*token\b"),
    suggestive("phrase.token-rejected", "token", MissingCredentials, "the token you gave was rejected", "token parsed").pattern(r"(?i)\btoken .{0,40}(?:not (?:found|set|provided|valid)|missing|invalid|expired|required|revoked|rejected|malformed)"),
    suggestive("phrase.password", "password", MissingCredentials, "Incorrect username or password.", "password saved").pattern(r"(?i)\b(?:incorrect|invalid|wrong|bad|missing|no|unknown) (?:user ?name (?:or|and|/) )?password\b|\bpassword .{0,40}(?:incorrect|invalid|wrong|expired|required|missing|failed|not (?:set|provided|match))|\bpassword is required"),
    suggestive("phrase.api-key", "key", MissingCredentials, "Error: API key is missing or invalid", "the key").pattern(r"(?i)\b(?:api|access|secret|subscription|license|service account) ?-?keys? .{0,40}(?:missing|invalid|expired|required|not (?:found|set|provided|valid)|incorrect|revoked)|\b(?:no|missing|invalid|expired|incorrect|wrong|bad) (?:\w+ )?(?:api|access|secret|license) ?-?keys?\b"),
    suggestive("phrase.forbidden", "forbidden", PermissionDenied, "Forbidden: you may not deploy here", "forbidden characters").pattern(r"(?i)(?:^|[:=(\[ ])forbidden(?:$|[:.,;)\]!])|\bis forbidden\b"),
    suggestive("phrase.denied", "denied", PermissionDenied, "Access denied for resource app", "denied charges").pattern(r"(?i)\b(?:access|permission|authorization|request|operation) (?:was |is |has been )?denied\b|\bdenied (?:access|permission|by policy)\b"),
    suggestive("phrase.not-authorized", "authorized", PermissionDenied, "You are not authorized to do this", "authorized keys").pattern(r"(?i)\b(?:not|un) ?-?authorized (?:to|for)\b|\b(?:is|are) not authorized\b|\bauthorization failed\b|\bauthorizationfailed\b"),
    suggestive("phrase.no-permission", "permission", PermissionDenied, "You do not have permission to push", "permissions: 644").pattern(r"(?i)\b(?:no|not have|n't have|lacks?|insufficient|missing|requires?|without|needs?|inadequate) (?:the |sufficient |enough |any |required |necessary |write |read |admin |\w+ ){0,3}permissions?\b|\bpermissions? (?:are |is )?(?:required|insufficient|not sufficient|missing|error|check failed)\b"),
    suggestive("phrase.privileges", "privilege", PermissionDenied, "error: insufficient privileges", "it is a privilege").pattern(r"(?i)\b(?:insufficient|not (?:enough|sufficient)|lacks?|missing|requires?|needs?|without|elevated|administrat\w+|root|superuser) (?:\w+ ){0,2}privileges?\b|\bprivileges? (?:are |is )?(?:required|insufficient|missing|needed)"),
    suggestive("phrase.requires-access", " access ", PermissionDenied, "Requires read access to \"/etc/hosts\", run again with --allow-read", "remote access is on").pattern(r"(?i)\brequires? (?:read|write|run|net|env|import|sys|ffi|admin\w*|root|full) access\b|\b(?:not|n't) have (?:the )?(?:required |necessary |sufficient |write |read )?access (?:to|rights)\b"),
    suggestive("phrase.elevation", "elevat", PermissionDenied, "The requested operation requires elevation.", "an elevator").pattern(r"(?i)\brequires? elevat(?:ion|ed)|\belevated (?:prompt|shell|mode|terminal)"),
    suggestive("phrase.administrator", "administrator", PermissionDenied, "This must be run as an Administrator", "ask the administrators").pattern(r"(?i)\b(?:run|executed?|launch\w*|started?) as (?:an? )?administrator\b|\badministrator (?:rights|privileges|access)\b"),

    // The network, told in words
    suggestive("phrase.timed-out", "timed out", NetworkTimeout, "deployment timed out", "Test timed out in 5000ms.").pattern(r"(?i)^(?:.*[^a-z])?(?:[a-su-z][\w-]*|t[a-df-z][\w-]*) (?:\S+ )?(?:has |was |is )?timed out\b|^timed out\b|[=\x22'(:] ?timed out\b"),
    suggestive("phrase.timeout", "timeout", NetworkTimeout, "error: timeout while waiting for state", "timeout: 30").pattern(r"(?i)\btimeout (?:awaiting|while|waiting|when|during|exceeded|expired|reached|occurred|error|after|on (?:read|connect|write))\b|\b(?:exceeded|reached|hit) (?:the )?(?:\w+ ){0,2}timeout\b|\btimeout[.!]?$|\btimeout (?:of )?\d+ ?m?s\b"),
    suggestive("phrase.too-long", "too long", NetworkTimeout, "The server took too long to respond", "the line is too long").pattern(r"(?i)\b(?:took|takes|taking|waited|waiting) too long\b"),
    suggestive("phrase.within", " within ", NetworkTimeout, "service web did not become ready within 300s", "it lies within x").pattern(r"(?i)\b(?:did not|didn't|not|never|failed to|unable to) .{0,60}\bwithin (?:the )?(?:\d+|allotted|allowed|specified|time|timeout|deadline|expected|configured|given|a reasonable)"),
    suggestive("phrase.contact", "contact", ConnectionFailure, "failed to contact the license server", "please contact support").pattern(r"(?i)\b(?:can't|cannot|could not|couldn't|unable to|failed to|error|failure) contact(?:ing)?\b"),
    suggestive("phrase.download", "download", ConnectionFailure, "error: failed to download the toolchain", "downloaded").pattern(r"(?i)\b(?:failed|unable|error|could not|cannot|couldn't|failure|problem) (?:to |while |when |occurred )?(?:\w+ )?(?:download|retriev|pull|transfer|upload)(?:ing|e)?\b(?:[^:]|://|:\d)*:?$|\b(?:download|transfer|upload)(?:ing)? (?:of \S+ )?(?:failed|error|aborted|interrupted)\b(?:[^:]|://|:\d)*:?$"),
    suggestive("phrase.fetch", "fetch", ConnectionFailure, "error: could not fetch the index", "fetched").pattern(r"(?i)\b(?:failed|unable|error|could not|cannot|couldn't|failure|problem) (?:to |while |when )?fetch(?:ing)?\b(?:[^:]|://|:\d)*:?$|\bfetch(?:ing)? (?:of \S+ )?(?:failed|error)\b(?:[^:]|://|:\d)*:?$"),
    suggestive("phrase.retrieve", "retriev", ConnectionFailure, "Failed to retrieve the release list", "retrieved").pattern(r"(?i)\b(?:failed|unable|error|could not|cannot|couldn't) (?:to )?retriev(?:e|ing)\b(?:[^:]|://|:\d)*:?$"),
    suggestive("phrase.disconnected", "disconnect", ConnectionFailure, "error: server disconnected unexpectedly", "disconnect the cable").pattern(r"(?i)\bdisconnected\b(?:$|[.,:;!)]| (?:unexpectedly|from|by|before|while|without))|\bunexpected(?:ly)? disconnect"),
    suggestive("phrase.accepting-connections", "accepting connections", ConnectionFailure, "the server is not accepting connections", "ready, accepting connections").pattern(r"(?i)\bnot (?:currently |yet )?accepting connections"),
    suggestive("phrase.broker", "broker", ConnectionFailure, "No brokers available", "a broker").pattern(r"(?i)\bno ?brokers? ?available\b|\bbroker (?:may )?not (?:be )?available\b|\bbrokers? (?:are |is )?(?:down|unavailable|unreachable)|\bcommunication failure with broker"),
    suggestive("phrase.unavailable", "unavailable", ServiceUnavailable, "the scheduler is unavailable", "unavailable items").pattern(r"(?i)\b(?:is|are|currently|temporarily|service|server|backend|upstream|cluster|node|endpoint|leader)(?: is| are)? (?:currently |temporarily )?unavailable\b|: unavailable$"),
    suggestive("phrase.down", " down", ServiceUnavailable, "The registry appears to be down", "shut down").pattern(r"(?i)\b(?:registry|server|service|site|api|host|backend|upstream|broker|cluster|mirror|database|daemon)\b.{0,30} (?:is|are|be|seems|appears) (?:to be )?(?:currently )?down\b"),
    suggestive("phrase.try-again", "try again", ServiceUnavailable, "Something went wrong on our side, try again later.", "try again with -v").pattern(r"(?i)\b(?:please )?(?:re)?try again (?:later|in (?:a (?:few|little|moment)|\d+|some))|\btry again in a\b"),
    suggestive("phrase.rate", "rate", RateLimit, "You are being rate limited", "the rate").pattern(r"(?i)\brate[- ]?limit(?:ed|ing|s)? (?:exceeded|reached|hit|error|was|has)\b|\b(?:being|been|are|is|were) rate[- ]?limited\b|\b(?:exceed(?:ed|s|ing)?|hit|reached|over) (?:the |your |our |a |an |\w+ ){0,3}rate[- ]?limits?\b"),
    suggestive("phrase.too-many", "too many ", RateLimit, "too many requests from this address", "too many arguments").pattern(r"(?i)\btoo many (?:requests|attempts|login attempts|retries|concurrent requests|api calls|calls)\b"),
    suggestive("phrase.locked", "lock", LockContention, "state is locked by bob", "a block of text").pattern(r"(?i)\b(?:is|are|was|been) (?:currently |already )?locked\b(?:$|[.,:;!)]| by| for)|\b(?:acquire|acquiring|obtain|obtaining|get|getting|take|taking|waiting for|wait for) (?:a |an |the |\S+ ){0,4}\block\b|\block(?:ed)? (?:is )?(?:already )?(?:held|owned|taken) by\b|\block timeout\b"),
    suggestive("phrase.in-progress", "in progress", LockContention, "another deployment is already in progress", "work in progress").pattern(r"(?i)\b(?:another|other|an?|existing|previous) .{0,60} (?:is )?(?:already |currently |still )?in progress\b|\balready in progress\b"),

    // What is used up
    suggestive("phrase.memory-limit", "memory", OutOfMemory, "Memory limit (total) exceeded: would use 9 GiB", "memory: 3 MB").pattern(r"(?i)\bmemory (?:limit|quota|budget)\b.{0,40}exceeded|\bexceeded (?:the |its )?(?:\w+ )?memory\b"),
    suggestive("phrase.no-memory", "memory", OutOfMemory, "not enough memory to go on", "memory: 3 MB").pattern(r"(?i)\b(?:insufficient|not enough|out of|no more|low on|ran out of) (?:\w+ )?memory\b|\bmemory (?:exhausted|allocation (?:of \d+ bytes )?fail)|\bfailed to allocate\b.{0,40}memory|\bcannot allocate\b"),
    suggestive("phrase.disk", "space", DiskFull, "insufficient space on volume data", "a space").pattern(r"(?i)\b(?:insufficient|not enough|no|out of|low|too little|ran out of|lack of) (?:free |available |disk |storage |\w+ ){0,2}space\b(?:$|[.,:;!)]| (?:left|on|in|available|for|to|remaining))"),
    suggestive("phrase.quota", "quota", QuotaExhausted, "project quota exceeded", "quota: 5").pattern(r"(?i)\bquotas? .{0,40}(?:exceed|exhaust|reach|used up|insufficient)|\b(?:exceed(?:ed|s|ing)?|exhausted|reached|over|insufficient|out of|no remaining) (?:the |your |its |\w+ ){0,3}quota\b"),
    suggestive("phrase.limit", "limit", QuotaExhausted, "You have reached the limit of 3 apps on the free plan", "no limits").pattern(r"(?i)\b(?:reached|exceeded|hit|exceeds) (?:the |your |our |\w+ ){0,3}(?:usage|plan|account|monthly|daily|free|instance|resource|service|storage|spending|billing|build) (?:\w+ )?limits?\b|\bupgrade your (?:plan|account|subscription)\b|\bon (?:the|your) free (?:plan|tier)\b"),
    suggestive("phrase.maximum-number", "maximum number of ", QuotaExhausted, "The maximum number of addresses has been reached.", "the maximum number of retries is 3").pattern(r"(?i)\bmaximum number of (?:[a-qs-z]\w+|r[^e]\w+) .{0,30}(?:reached|exceeded)\b"),
    suggestive("phrase.billing", "bill", QuotaExhausted, "Error: billing is not enabled for this project", "the bill").pattern(r"(?i)\bbilling (?:is )?(?:not enabled|disabled|account|must be enabled|has not been)\b"),

    // What cannot be read
    suggestive("phrase.parse", "pars", WrongOutputFormat, "failed to parse response as JSON", "parsed").pattern(r"(?i)\b(?:failed|unable|error|could not|cannot|couldn't|can't) (?:to )?(?:be )?pars(?:e|ed|ing)\b|\bparse (?:error|failure)\b|\bparsing (?:failed|error)\b"),
    suggestive("phrase.decode", "decod", WrongOutputFormat, "unable to decode the reply", "the code").pattern(r"(?i)\b(?:failed|unable|error|could not|cannot|couldn't) (?:to )?decod(?:e|ing)\b"),
    suggestive("phrase.unmarshal", "unmarshal", WrongOutputFormat, "json: cannot unmarshal string into Go value", "marshal").pattern(r"(?i)\b(?:cannot|failed to|error|could not|unable to) unmarshal(?:l?ing)?\b"),
    suggestive("phrase.malformed", "malformed", WrongOutputFormat, "malformed manifest", "well formed").word(),
    suggestive("phrase.syntax", "syntax", CompileError, "syntax error in line 3", "the syntax").pattern(r"(?i)\bsyntax error\b|\binvalid syntax\b|\bsyntax (?:is )?(?:incorrect|invalid)\b"),
    suggestive("phrase.executable", "executable", CommandNotFound, "could not find executable `protoc`", "executable built").pattern(r"(?i)\b(?:executable|binary|program|command|tool) (?:['\x22`]?[\w.+-]+['\x22`]? )?(?:was |is |could )?not (?:be )?(?:found|available)\b|\b(?:could not|cannot|unable to|can't) find (?:the )?(?:\w+ )?(?:executable|binary|program|command)\b|\bno (?:executable|binary|program) (?:found|named)"),

    // Something named is not there
    suggestive("plain.not-found", "not found", FileNotFound, "report.csv: not found", "not foundational").word(),
    suggestive("plain.cannot-be-found", "be found", FileNotFound, "settings.ini could not be found", "it may be found here").pattern(r"(?i)\b(?:not|never|n't) be found\b"),
    suggestive("plain.not-exist", "not exist", FileNotFound, "Repository /srv/backup does not exist.", "if it did exist").pattern(r"(?i)\b(?:does|do|did) not exist\b"),
    suggestive("plain.no-such-file", "no such file", FileNotFound, "chdir to 'build' - No such file or directory", "such a file"),
    suggestive("plain.find", "find ", FileNotFound, "couldn't find settings.toml", "find it").pattern(r"(?i)\b(?:can't|cannot|can not|couldn't|could not|unable to|didn't|did not|failed to) (?:find|locate) "),
    suggestive("plain.none-found", "found", FileNotFound, "No Rakefile found in this directory", "found 3 files").pattern(r"(?i)\bno [\w./*'`\x22-]+(?: [\w./*'`\x22-]+){0,4} (?:was |were |could be )?found\b"),
    suggestive("plain.no-match", "no match", FileNotFound, "no matches found: *.csv", "no matching").pattern(r"(?i)\bno match(?:es)?(?: found| for|$|:)"),
    suggestive("plain.none-matched", "match", FileNotFound, "pattern *.csv did not match any files", "they match").pattern(r"(?i)\b(?:not match any|matched no|no .{1,30} match(?:ed)?\b)"),
    suggestive("plain.needed-by", "needed by", FileNotFound, "'gen.h', needed by 'all', missing and no known rule to make it", "needed by us").pattern(r"(?i), needed by .*(?:missing|no rule|not found)"),
    suggestive("plain.contains-no", "contains", FileNotFound, "The folder contains no project file.", "it contains files").pattern(r"(?i)\bcontains? no\b|\bneither .{1,40} contains?\b|\bdoes(?: not|n't) contain (?:a|an|any)\b"),

    // The program was told something it does not take
    suggestive("plain.name-not-found", "not found", InvalidArgument, "Device eth9 not found", "notes.txt not found").pattern(concat!(r"(?i)\b", named!(), r"\b.{0,60}\bnot found\b")),
    suggestive("plain.name-not-exist", "not exist", InvalidArgument, "Device \"eth9\" does not exist.", "notes.txt does not exist").pattern(concat!(r"(?i)\b", named!(), r"\b.{0,60}\b(?:does|do|did) not exist\b")),
    suggestive("plain.unknown", "unknown", InvalidArgument, "find: unknown predicate '-nmae'", "an unknown error").pattern(r"(?i)\bunknown (?:[\w-]+ ){0,2}(?:option|flag|argument|arg|command|subcommand|predicate|target|directive|object|parameter|key|keyword|field|section|property|attribute|setting|variable|type|encoding|value|name|scheme|protocol|mode|action|method|operator|function|id|locale|user|group|remote|model|tool|task|rule|switch|primary|unit|terminal|device|role|verb|suffix|revision|ref|branch)s?\b"),
    suggestive("plain.is-unknown", "is unknown", InvalidArgument, "Object \"adress\" is unknown, try \"ip help\".", "the cause is unknown").pattern(r#"(?i)["'`] is unknown\b"#),
    suggestive("plain.invalid", "invalid", InvalidArgument, "Invalid range 5..1", "invalidated").pattern(r"(?i)\binvalid\b"),
    suggestive("plain.illegal", "illegal", InvalidArgument, "illegal byte count", "illegally").word(),
    suggestive("plain.bad", "bad ", InvalidArgument, "crontab:3: bad day-of-week", "bad luck").pattern(r"(?i)\bbad (?:day|month|hour|minute|command|option|argument|arg|value|number|mode|name|address|url|uri|flag|syntax|date|time|pattern|parameter|usage|type|key|line|request|escape|range|label|character|file descriptor|state|port|magic|owner|format)\b"),
    suggestive("plain.unsupported", "unsupported", InvalidArgument, "unsupported protocol 'gopher'", "unsupportedness").word(),
    suggestive("plain.not-valid", "valid", InvalidArgument, "'blue' is not a valid size", "valid until noon").pattern(r"(?i)\b(?:not|n't)(?: an?)? valid\b"),
    suggestive("plain.not-recognised", "recogni", InvalidArgument, "'blue' is not recognized", "recognized").pattern(r"(?i)\b(?:not|n't) recogni[sz]ed\b|\bunrecogni[sz]ed\b"),
    suggestive("plain.not-expected", "expected", InvalidArgument, "Found argument '--frob' which wasn't expected", "expected result").pattern(r"(?i)\b(?:wasn't|was not|isn't|is not|not) expected\b|\bunexpected (?:argument|option|value|parameter|keyword|input|flag|extra)\b|\bexpected (?:one of|at (?:least|most)|exactly)\b"),
    suggestive("plain.not-permitted", "permitted", InvalidArgument, "tier: extra fields are not permitted", "permitted").pattern(r"(?i)\b(?:is|are) not (?:permitted|allowed)\b"),
    suggestive("plain.must", "must ", InvalidArgument, "paths must precede expression", "a must have").pattern(r"(?i)\bmust (?:precede|come|follow|appear|supply|equal|all)\b"),
    suggestive("plain.out-of-range", "out of ", InvalidArgument, "port 70000 is out of range", "out of it").pattern(r"(?i)\bout of (?:range|bounds)\b"),
    suggestive("plain.too", "too ", InvalidArgument, "value too large for the field", "me too ").pattern(r"(?i)\btoo (?:many|few|long|short|large|small|big|high|low|close|deep|old|new)\b"),
    suggestive("plain.none-given", "no ", InvalidArgument, "No configured push destination.", "no idea").pattern(r"(?i)\bno [\w-]+(?: [\w-]+){0,3} (?:was |were |is |are )?(?:given|provided|supplied|configured|selected|defined|set)\b|\bno configured \w"),
    suggestive("plain.refers", "no such", InvalidArgument, "No such plugin: frobnicate", "No such file or directory").pattern(r"(?i)\bno such (?:[a-eg-z]|f[^i])"),
    suggestive("plain.usage-hint", "help", InvalidArgument, "For more information try --help", "helpful").pattern(r#"(?i)(?:try|see|use|run|info with:?|type)\b.{0,40}(?:--help\b|\bhelp["'`])"#),
    suggestive("plain.validation", "validation error", InvalidArgument, "Validation error: the block lacks an id", "validation errors").word(),
    suggestive("plain.garbled", "garbled", InvalidArgument, "Garbled time", "ungarbled").word(),
    suggestive("plain.garbage", "garbage", InvalidArgument, "Only garbage was found in the input.", "garbage collection").pattern(r"(?i)\b(?:only|trailing|extra) garbage\b"),
    suggestive("plain.need-to-start", "you need to ", InvalidArgument, "You need to start by \"git bisect start\"", "you need to see").pattern(r"(?i)^(?:\S+: )?you need to (?:start|run|specify|set|provide|give|be|have|initiali[sz]e|create|select|choose)\b"),

    // Data of the wrong kind
    suggestive("plain.corrupt", "corrupt", WrongOutputFormat, "archive is corrupted", "incorruptible").pattern(r"(?i)\bcorrupt(?:ed|ion)?\b"),
    suggestive("plain.truncated", "truncated", WrongOutputFormat, "input.gz: truncated input", "untruncated").word(),
    suggestive("plain.premature-end", "premature end", WrongOutputFormat, "premature end of archive", "premature ending").word(),
    suggestive("plain.unexpected-end", "unexpected end", WrongOutputFormat, "unexpected end of input", "unexpected ending").word(),
    suggestive("plain.short-read", "short read", WrongOutputFormat, "tar: short read", "short reading").word(),
    suggestive("plain.magic", "magic", WrongOutputFormat, "bad magic number in super-block", "magic wand").pattern(r"(?i)\b(?:bad|wrong|invalid|unknown) magic\b"),
    suggestive("plain.header", "header", WrongOutputFormat, "c.zst: unknown header", "header file").pattern(r"(?i)\b(?:bad|wrong|invalid|unknown|corrupt(?:ed)?|missing) (?:file |archive |image )?header\b"),
    suggestive("plain.file-format", "format", WrongOutputFormat, "c.xz: File format not recognized", "format done").pattern(r"(?i)\bformat (?:is )?(?:not|un)[ -]?(?:recogni[sz]ed|supported|known|valid)|\b(?:unknown|unrecogni[sz]ed|invalid|wrong|bad) (?:file|archive|image|data|input|compression) (?:format|type)\b|\bnot in \w+ format\b"),
    suggestive("plain.not-archive", "archive", WrongOutputFormat, "Is not archive", "archive made").pattern(r"(?i)\bnot (?:an? )?(?:\S+ )?archive\b|\bas (?:an? )?(?:\[?\w+\]? )?archive$"),
    suggestive("plain.not-a-file", "is not a", WrongOutputFormat, "h.bz2 is not a bzip2 file.", "this is not a file").pattern(r"(?i)\bis not an? [\w.-]+ (?:file|archive|image|document|database)\b"),
    suggestive("plain.tag-mismatch", "mismatch", WrongOutputFormat, "Opening and ending tag mismatch: b line 1 and a", "checksum mismatch").pattern(r"(?i)\btag mismatch\b"),

    // Source that does not parse
    suggestive("plain.unterminated", "unterminated", CompileError, "unterminated quoted string", "unterminatedness").word(),
    suggestive("plain.unexpected-newline", "unexpected ", CompileError, "gawk: cmd. line:1: ^ unexpected newline or end of string", "unexpected guests").pattern(r"(?i)\bunexpected (?:newline|end of (?:string|line|script)|symbol|identifier|keyword|operator|indent)\b"),
    suggestive("plain.unbalanced", "unbalanced", CompileError, "unbalanced parenthesis", "balanced").word(),

    // Programs
    suggestive("plain.execute", "execute \"", CommandNotFound, "couldn't execute \"rg\": no such file or directory", "execute it").pattern(r#"(?i)(?:couldn't|could not|cannot|can't|failed to|unable to) execute ""#),

    // Access
    suggestive("plain.unauthorised", "unauthori", MissingCredentials, "Unauthorized", "unauthorizedness").pattern(r"(?i)\bunauthori[sz]ed\b"),
    suggestive("plain.quota", "quota", QuotaExhausted, "You have no quota", "quota: 10").pattern(r"(?i)\bno (?:\w+ )?quota\b|\bquota (?:is )?(?:full|used up|spent)\b"),

    // The way there
    suggestive("plain.reach", "reach", ConnectionFailure, "no servers could be reached", "reach out").pattern(r"(?i)\b(?:could not|couldn't|cannot|can't|unable to|failed to) (?:be )?reach(?:ed)?\b|\bno \w+ could be reached\b|\bnot reachable\b"),
    suggestive("plain.connection", "connection", ConnectionFailure, "connection dropped", "connection ok").pattern(r"(?i)\bconnection (?:\w+ ){0,2}(?:failed|lost|closed|dropped|terminated|interrupted|broken|failure|refused|reset|aborted)\b|\b(?:lost|broken|no) (?:\w+ )?connection\b"),
    suggestive("plain.server-error", "server error", ServiceUnavailable, "Response was interrupted due to a server error.", "server errors").word(),
];
