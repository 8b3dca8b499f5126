//! Names that say that their value is a secret.

/// How sure a name makes us.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sure {
    /// Whatever the value is.
    Certain,
    /// If the value could be one.
    Likely,
    /// If the value is long and random and the name is written as an environment variable.
    Weak,
    /// The rest of the line: a cookie or an authorization header.
    Header,
}

/// What a name says about its value.
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
    (b"sig", named("signature", Sure::Likely)),
    (b"auth", named("token", Sure::Likely)),
    (b"pwd", None),
    (b"oldpwd", None),
    (b"pass", None),
    (b"key", None),
    (b"credential", None),
    (b"credentials", None),
];

/// The last two letters of every name below: most names are told apart by these.
const ENDINGS: &[&[u8; 2]] =
    &[b"rd", b"wd", b"se", b"de", b"ss", b"et", b"al", b"ls", b"en", b"ey", b"on", b"ie", b"id", b"re", b"th"];

/// What may stand before `key` in the name of a secret.
const SECRET_KEYS: &[&[u8]] = &[
    b"api",
    b"access",
    b"secret",
    b"private",
    b"signing",
    b"encryption",
    b"master",
    b"account",
    b"auth",
    b"service",
    b"shared",
    b"admin",
    b"license",
    b"storage",
    b"subscription",
    b"deploy",
    b"client",
    b"webhook",
    b"session",
    b"jwt",
    b"hmac",
    b"functions",
    b"app",
    b"openai",
    b"anthropic",
    b"gemini",
    b"stripe",
    b"sendgrid",
    b"algolia",
    b"vault",
    b"unseal",
    b"recovery",
    b"fernet",
];

/// What before `key` or `token` says that it is none.
const OPEN: &[&[u8]] = &[
    b"public",
    b"primary",
    b"foreign",
    b"cache",
    b"sort",
    b"partition",
    b"routing",
    b"unique",
    b"composite",
    b"page",
    b"next",
    b"continuation",
    b"unexpected",
    b"expected",
    b"invalid",
    b"max",
    b"stop",
    b"eos",
    b"bos",
    b"pad",
    b"unk",
    b"mask",
    b"special",
    b"lookup",
    b"hash",
    b"row",
    b"range",
    b"object",
    b"duplicate",
    b"host",
    b"publishable",
    b"known",
];

/// What the name `name` (`DB_PASSWORD`, `clientSecret`, `x-api-key`) says about its value.
pub(super) fn named_secret(name: &[u8]) -> Option<Named> {
    let mut letters = [0; super::assigned::NAME_BYTES];
    let mut len = 0;
    for (to, from) in letters.iter_mut().zip(name.iter().filter(|b| b.is_ascii_alphanumeric())) {
        *to = from.to_ascii_lowercase();
        len += 1;
    }
    let plain = &letters[..len];
    let numbered = plain.iter().rev().take(2).take_while(|b| b.is_ascii_digit()).count();
    let plain = &plain[..len - numbered];
    let ending = plain.last_chunk::<2>()?;
    if !ENDINGS.contains(&ending) && plain != b"sig" {
        return None;
    }
    if let Some((_, answer)) = WHOLE.iter().find(|(whole, _)| *whole == plain) {
        return *answer;
    }
    let before = |last: &[u8]| plain.strip_suffix(last);
    if ["password", "passwd", "passphrase", "passcode"].iter().any(|last| before(last.as_bytes()).is_some()) {
        return named("password", Sure::Certain);
    }
    if ends_with_word(name, b"pwd") || ends_with_word(name, b"pass") {
        return named("password", Sure::Likely);
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
    let owner = before(b"key")?;
    if OPEN.iter().any(|word| owner.ends_with(word)) {
        None
    } else if SECRET_KEYS.iter().any(|word| owner.ends_with(word)) {
        named("key", Sure::Likely)
    } else if ends_with_word(name, b"KEY") {
        named("key", Sure::Weak)
    } else {
        None
    }
}

/// Whether the last word of a name of several words is `word`: `DB_PASS`, not `bypass`.
fn ends_with_word(name: &[u8], word: &[u8]) -> bool {
    let Some(start) = name.len().checked_sub(word.len()) else { return false };
    let fits =
        if word[0].is_ascii_uppercase() { &name[start..] == word } else { name[start..].eq_ignore_ascii_case(word) };
    fits && start > 0 && b"_-.".contains(&name[start - 1])
}
