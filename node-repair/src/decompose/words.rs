//! Word lists for splitting a done-criterion into concerns and for judging whether a concern can be verified.
//!
//! In: one word of a criterion. Out: whether it can carry a statement (`returns`, `is`, `must`: `carries`) and whether it
//! is too vague to be measured (`robust`: `is_vague`). `concerns.rs` splits where both sides are statements, so that
//! `returns 200 and sets a cookie` is split and `dark and light themes` is not.
//!
//! English only, without a part-of-speech tagger: a closed list of verbs with regular inflection, and a list of those that
//! are also nouns (`tests`, `logs`), gives the same answer everywhere. A verb that is missed goes to `VERBS`, and to
//! `ALSO_NOUNS` if it is a common noun.

/// Verbs of done-criteria, in their base form.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "abort", "accept", "activate", "add", "allow", "answer", "appear", "append", "apply", "assign", "attach",
    "authenticate", "authorize", "block", "build", "call", "cancel", "catch", "check", "clear", "close", "commit",
    "compile", "complete", "compress", "configure", "confirm", "connect", "contain", "convert", "cover", "create",
    "decode", "decrypt", "delete", "deny", "deploy", "detach", "detect", "disable", "disappear", "display", "document",
    "download", "drop", "emit", "enable", "encode", "encrypt", "ensure", "equal", "exist", "exit", "expire", "export",
    "expose", "extract", "fail", "fetch", "filter", "finish", "fix", "generate", "handle", "hash", "hide", "implement",
    "import", "include", "increment", "initialize", "install", "invalidate", "keep", "launch", "lint", "list", "listen",
    "load", "log", "match", "merge", "migrate", "move", "navigate", "notify", "open", "paginate", "parse", "pass",
    "persist", "preserve", "prevent", "print", "produce", "propagate", "publish", "raise", "read", "receive",
    "reconnect", "record", "redirect", "refactor", "refresh", "refuse", "register", "reject", "reload", "remove",
    "rename", "render", "replace", "report", "require", "reset", "resolve", "respond", "restart", "restore", "retry",
    "return", "revoke", "rotate", "run", "sanitize", "save", "send", "serialize", "serve", "set", "show", "sign",
    "sort", "start", "stop", "store", "submit", "succeed", "support", "survive", "sync", "test", "throw", "trigger",
    "unlock", "update", "upload", "use", "validate", "verify", "wait", "warn", "wire", "work", "write",
];

/// Words that carry a statement by themselves.
const COPULAS: &[&str] = &["is", "are", "was", "were", "has", "have", "does", "do", "been"];

/// Words that are followed by the base form of a verb.
const MODALS: &[&str] = &["can", "must", "should", "shall", "will", "may", "cannot"];

/// Verb forms that are as often nouns, so that one of them alone makes no statement.
const ALSO_NOUNS: &[&str] = &[
    "tests", "test", "logs", "log", "lists", "list", "builds", "build", "calls", "checks", "reports", "exports",
    "imports", "documents", "records", "filters", "hash", "matches", "set", "signs", "stores", "store", "work", "use",
    "uses", "update", "updates", "report", "export", "import", "document", "record", "filter", "check", "call",
    "support", "exit",
];

/// Words of a wish that nothing can be measured against.
#[rustfmt::skip]
const VAGUE: &[&str] = &[
    "acceptable", "adequate", "appropriate", "appropriately", "beautiful", "best", "better", "clean", "cleaner", "cleanly",
    "clear", "comfortable", "decent", "easier", "easy", "efficient", "efficiently", "elegant", "etc", "faster", "fast",
    "flexible", "friendly", "good", "great", "high-quality", "improved", "intuitive", "maintainable", "modern", "nice",
    "nicely", "optimal", "optimized", "performant", "polished", "possible", "pretty", "production-ready", "professional",
    "proper", "properly", "quality", "quick", "quickly", "readable", "reasonable", "reasonably", "robust", "scalable",
    "seamless", "seamlessly", "sensible", "simple", "smooth", "smoothly", "solid", "sufficient", "tbd", "todo", "user-friendly",
    "usable", "well", "well-designed", "well-structured",
];

/// How a word may carry a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carries {
    /// `returns`, `create`
    Verb {
        /// Whether it is the base form, as in an instruction or after a modal.
        base: bool,
        /// Whether it may as well be a noun.
        noun: bool,
    },
    /// `is`, `has`
    Copula,
    /// `must`, `can`
    Modal,
}

/// Whether and how `word` carries a statement.
pub(super) fn carries(word: &str) -> Option<Carries> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if COPULAS.contains(&word.as_str()) {
        return Some(Carries::Copula);
    }
    if MODALS.contains(&word.as_str()) {
        return Some(Carries::Modal);
    }
    let noun = ALSO_NOUNS.contains(&word.as_str());
    if VERBS.contains(&word.as_str()) {
        return Some(Carries::Verb { base: true, noun });
    }
    let stems = [word.strip_suffix('s'), word.strip_suffix("es")];
    let inflected = stems.into_iter().flatten().any(|stem| VERBS.contains(&stem))
        || word.strip_suffix("ies").is_some_and(|stem| VERBS.contains(&format!("{stem}y").as_str()));
    inflected.then_some(Carries::Verb { base: false, noun })
}

/// Whether `word` is a wish that nothing can be measured against.
pub(super) fn is_vague(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    VAGUE.contains(&word.as_str())
}
