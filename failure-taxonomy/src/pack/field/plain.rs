//! Plain words of failure that programs of every kind use. They suggest, no more: they count where a program ended
//! badly and nothing it always prints says why.

use super::{Row, suggestive};
use recovery_types::ErrorType::{
    CommandNotFound, CompileError, ConnectionFailure, FileNotFound, InvalidArgument, MissingCredentials,
    QuotaExhausted, ServiceUnavailable, WrongOutputFormat,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
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
    suggestive("plain.name-not-found", "not found", InvalidArgument, "Device eth9 not found", "notes.txt not found").pattern(r"(?i)\b(?:command|subcommand|target|task|recipe|goal|device|interface|machine|remote|branch|tag|profile|option|flag|alias|script|plugin|unit|service|session|window|section|key|user|group|package manager|environment|context|model|tool|function|rule|job|stage|region|zone|namespace|workspace|revision|pipeline|stack|cluster|role|account|node|index|topic|queue|release|deployment|instance|volume|container|bucket|domain|variable|secret)s?\b.{0,60}\bnot (?:be )?found\b"),
    suggestive("plain.name-not-exist", "not exist", InvalidArgument, "Device \"eth9\" does not exist.", "notes.txt does not exist").pattern(r"(?i)\b(?:command|subcommand|target|task|device|interface|machine|remote|branch|tag|profile|option|flag|user|group|section|key|session|context|model|tool|environment|unit|property|attribute|column|field)s?\b.{0,60}\b(?:does|do|did) not exist\b"),
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
