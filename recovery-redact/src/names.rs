//! Names that indicate that their value is a secret: `DB_PASSWORD`, `clientSecret`, `x-api-key`.
//!
//! In: a name as it is written in code, settings or logs. Out: the kind of secret and how certain it is, or none. A
//! name is split into words; its last word decides (`password`, `token`, `key`), except for the names in `WHOLE`.
//! `key` and `token` are common in harmless names too, so `SECRET_KEYS` and `OPEN` list what before them makes a
//! secret and what does not. To add a name, add a row to the matching list.

/// How sure a name makes us.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sure {
    /// Whatever the value is.
    Certain,
    /// If the value could be one.
    Likely,
    /// If the value is long and random and the name is written as an environment variable.
    Weak,
    /// If the value is long and random: the name of a service whose keys have no shape.
    Service,
    /// The rest of the line: a cookie or an authorization header.
    Header,
}

/// What a name indicates about its value.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) kind: &'static str,
    pub(super) sure: Sure,
}

const fn named(kind: &'static str, sure: Sure) -> Option<Named> {
    Some(Named { kind, sure })
}

/// Names of secrets that are not read from their last word.
const WHOLE: &[(&[u8], Option<Named>)] = &[
    (b"authorization", named("authorization", Sure::Header)),
    (b"proxyauthorization", named("authorization", Sure::Header)),
    (b"cookie", named("cookie", Sure::Header)),
    (b"setcookie", named("cookie", Sure::Header)),
    (b"phpsessid", named("cookie", Sure::Likely)),
    (b"jsessionid", named("cookie", Sure::Likely)),
    (b"sessionid", named("cookie", Sure::Likely)),
    (b"connectsid", named("cookie", Sure::Likely)),
    (b"secretkeybase", named("secret", Sure::Certain)),
    (b"xamzsignature", named("signature", Sure::Likely)),
    (b"xgoogsignature", named("signature", Sure::Likely)),
    (b"xamzcredential", named("signature", Sure::Likely)),
    (b"gitlabsession", named("cookie", Sure::Certain)),
    (b"clientkeydata", named("key", Sure::Certain)),
    (b"sshkeydata", named("key", Sure::Certain)),
    (b"dockerconfigjson", named("secret", Sure::Likely)),
    (b"sig", named("signature", Sure::Likely)),
    (b"auth", named("token", Sure::Likely)),
    (b"pwd", named("password", Sure::Likely)),
    (b"oldpwd", None),
    (b"pass", named("password", Sure::Likely)),
    (b"psk", named("password", Sure::Likely)),
    (b"pw", named("password", Sure::Likely)),
    (b"creds", named("secret", Sure::Likely)),
    (b"mnemonic", named("secret", Sure::Likely)),
    (b"key", None),
    (b"credential", None),
    (b"credentials", None),
];

/// The last two letters of every name below: most other names are excluded by these.
const ENDINGS: &[&[u8; 2]] = &[
    b"rd", b"wd", b"se", b"de", b"ss", b"et", b"al", b"ls", b"en", b"ey", b"on", b"ie", b"id", b"re", b"th", b"pw",
    b"ta", b"rt", b"na", b"\xb1a", b"sk", b"ds", b"ic", b"sh",
];

/// What may come before `key` in the name of a secret.
const SECRET_KEYS: &[&[u8]] = &[
    b"api", b"access", b"secret", b"private", b"signing", b"encryption", b"master", b"account", b"auth", b"service",
    b"shared", b"admin", b"license", b"storage", b"subscription", b"deploy", b"client", b"webhook", b"session", b"jwt",
    b"hmac", b"functions", b"app", b"openai", b"anthropic", b"gemini", b"stripe", b"sendgrid", b"algolia", b"vault",
    b"unseal", b"recovery", b"fernet", b"db", b"database", b"priv", b"preshared", b"crypt",
];

/// What the name of a password ends with, also in other languages.
const PASSWORDS: &[&str] = &[
    "password", "passwd", "passphrase", "passcode", "storepass", "keypass", "seedphrase", "passwort", "kennwort",
    "contrasena", "contraseña", "motdepasse", "wachtwoord",
];

/// Words that end as a variable with a password does.
const NO_PASSWORDS: &[&[u8]] = &[b"bypass", b"compass", b"trespass", b"underpass", b"overpass", b"surpass", b"askpass"];

/// What before `key` or `token` indicates that it is no secret.
const OPEN: &[&[u8]] = &[
    b"public", b"primary", b"foreign", b"cache", b"sort", b"partition", b"routing", b"unique", b"composite", b"page",
    b"next", b"continuation", b"unexpected", b"expected", b"invalid", b"max", b"stop", b"eos", b"bos", b"pad", b"unk",
    b"mask", b"special", b"lookup", b"hash", b"row", b"range", b"object", b"duplicate", b"host", b"publishable",
    b"known",
];

/// What the name `name` (`DB_PASSWORD`, `clientSecret`, `x-api-key`) indicates about its value.
pub(super) fn named_secret(name: &[u8]) -> Option<Named> {
    let mut letters = [0; super::assigned::NAME_BYTES];
    let mut len = 0;
    for (to, from) in letters.iter_mut().zip(name.iter().filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii())) {
        *to = from.to_ascii_lowercase();
        len += 1;
    }
    let plain = &letters[..len];
    let numbered = plain.iter().rev().take(2).take_while(|b| b.is_ascii_digit()).count();
    let plain = &plain[..len - numbered];
    let ending = plain.last_chunk::<2>()?;
    if !ENDINGS.contains(&ending) && plain != b"sig" {
        return of_service(plain);
    }
    if let Some((_, answer)) = WHOLE.iter().find(|(whole, _)| *whole == plain) {
        return *answer;
    }
    let before = |last: &[u8]| plain.strip_suffix(last);
    if PASSWORDS.iter().any(|last| before(last.as_bytes()).is_some()) {
        return named("password", Sure::Certain);
    }
    if [&b"pwd"[..], b"pass", b"pw"].iter().any(|word| ends_with_word(name, word)) {
        return named("password", Sure::Certain);
    }
    let is_variable =
        !name.iter().any(u8::is_ascii_lowercase) && !NO_PASSWORDS.iter().any(|word| plain.ends_with(word));
    if is_variable && (before(b"pass").is_some() || before(b"pw").is_some()) || before(b"passwordhash").is_some() {
        return named("password", Sure::Likely);
    }
    if ends_with_word(name, b"AUTH") {
        return named("token", Sure::Likely);
    }
    if ends_with_word(name, b"creds") || ends_with_word(name, b"psk") {
        return named("secret", Sure::Likely);
    }
    if before(b"secret").is_some() {
        return named("secret", Sure::Certain);
    }
    if before(b"credential").is_some() || before(b"credentials").is_some() {
        return named("secret", Sure::Likely);
    }
    if let Some(owner) = before(b"token") {
        let open = OPEN.iter().any(|word| owner.ends_with(word));
        return if open { None } else { named("token", Sure::Likely) };
    }
    let Some(owner) = before(b"key") else { return of_service(plain) };
    if OPEN.iter().any(|word| owner.ends_with(word)) {
        None
    } else if SECRET_KEYS.iter().any(|word| owner.ends_with(word)) {
        named("key", Sure::Likely)
    } else if ends_with_word(name, b"KEY") {
        named("key", Sure::Weak)
    } else {
        of_service(plain)
    }
}

/// Services whose keys have no shape of their own, as gitleaks knows them by name.
const SERVICES: &[&[u8]] = &[
    b"adafruit",
    b"adobe",
    b"airtable",
    b"algolia",
    b"alibaba",
    b"artifactory",
    b"asana",
    b"atlassian",
    b"beamer",
    b"bitbucket",
    b"bintray",
    b"bittrex",
    b"bundleenterprisecontribsys",
    b"bundlegemscontribsys",
    b"cloudflare",
    b"codecov",
    b"cohere",
    b"coinbase",
    b"confluence",
    b"confluent",
    b"contentful",
    b"datadog",
    b"discord",
    b"droneci",
    b"dropbox",
    b"etsy",
    b"facebook",
    b"fastly",
    b"finicity",
    b"finnhub",
    b"flickr",
    b"freshbooks",
    b"gitter",
    b"gocardless",
    b"heroku",
    b"hubspot",
    b"intercom",
    b"jfrog",
    b"jira",
    b"kraken",
    b"kucoin",
    b"launchdarkly",
    b"linear",
    b"linkedin",
    b"lob",
    b"looker",
    b"mailchimp",
    b"mailgun",
    b"mapbox",
    b"mattermost",
    b"meraki",
    b"messagebird",
    b"netlify",
    b"newrelic",
    b"nytimes",
    b"okta",
    b"plaid",
    b"privateai",
    b"rapidapi",
    b"sendbird",
    b"sentry",
    b"snyk",
    b"softlayer",
    b"sonar",
    b"squarespace",
    b"sumo",
    b"telegram",
    b"twitch",
    b"twitter",
    b"typeform",
    b"yandex",
    b"zendesk",
];

/// What a service's name is followed by where the value is none of its keys.
const PUBLIC: &[&[u8]] = &[
    b"id", b"url", b"host", b"name", b"email", b"version", b"org", b"project", b"zone", b"env", b"path", b"release",
    b"commit", b"sha", b"build", b"image", b"digest", b"tag", b"branch", b"file",
];

/// A name that begins with a service's and does not otherwise indicate what its value is.
fn of_service(plain: &[u8]) -> Option<Named> {
    let rest = SERVICES.iter().find_map(|service| plain.strip_prefix(*service))?;
    (!PUBLIC.iter().any(|last| rest.ends_with(last))).then_some(Named { kind: "key", sure: Sure::Service })
}

/// Whether the last word of a name of several words is `word`: `DB_PASS`, not `bypass`.
fn ends_with_word(name: &[u8], word: &[u8]) -> bool {
    let Some(start) = name.len().checked_sub(word.len()) else { return false };
    let fits =
        if word[0].is_ascii_uppercase() { &name[start..] == word } else { name[start..].eq_ignore_ascii_case(word) };
    fits && start > 0 && b"_-.".contains(&name[start - 1])
}
