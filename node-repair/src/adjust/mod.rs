//! What to change before a RETRY, read from the error itself.
//!
//! Each subject has a file with a table of message templates, as the tools print them, and what to change for each. The
//! tables are tried in the order of [`TABLES`], the surest words first; the first that yields a change wins. A name taken
//! from an error only enters a command when a shell would read it as one plain word.

mod command;
mod library;
mod lock;
mod look;
mod package;
mod path;
pub mod pattern;
mod permission;
mod resource;
mod service;
mod transient;
mod usage;
mod variable;
mod version;

pub use look::{first_look, telling_line};

use crate::directive::{one_line, uncoloured};
use pattern::{Pairs, Pattern};
use recovery_types::{Adjustment, AdjustmentKind, Class, ErrorType, RepairRequest};
use std::borrow::Cow;

/// One message and what to change for it.
pub(crate) struct Row {
    pattern: Pattern,
    change: fn(&Seen<'_>) -> Option<Adjustment>,
}

/// A message that was seen.
pub(crate) struct Seen<'a> {
    captures: Vec<&'a str>,
    line: &'a str,
    text: &'a str,
    request: &'a RepairRequest,
}

impl<'a> Seen<'a> {
    /// What stood in the template's hole number `index`; empty where it has fewer.
    fn hole(&self, index: usize) -> &'a str {
        self.captures.get(index).copied().unwrap_or_default()
    }
}

const fn row(template: &'static str, change: fn(&Seen<'_>) -> Option<Adjustment>) -> Row {
    Row { pattern: Pattern::new(template), change }
}

/// All recognisers, the surest words first.
const TABLES: [&[Row]; 14] = [
    resource::ROWS,
    transient::STATED_DELAYS,
    lock::ROWS,
    version::ROWS,
    service::PORTS,
    package::ROWS,
    library::ROWS,
    variable::ROWS,
    command::ROWS,
    permission::ROWS,
    service::REFUSED,
    path::ROWS,
    transient::ROWS,
    usage::ROWS,
];

/// The change that the error asks for, where it can be made here; none where nothing says so.
#[must_use]
pub fn concrete(request: &RepairRequest) -> Option<Adjustment> {
    let admitted = Admitted::by(request.error_type);
    if admitted == Admitted::Nothing {
        return None;
    }
    // A delay that a server asked for is known better than anything a text says.
    if let Some(ms) = request.retry_after_ms.filter(|ms| *ms > 0) {
        return Some(transient::asked_to_wait(ms));
    }
    let text = plain(&request.error.text);
    let mut second_best = None;
    for change in seen(&text, request) {
        if !admitted.allows(change.kind) {
            continue;
        }
        if request.error_type.is_none_or(|e| fits(e, change.kind)) {
            return Some(change);
        }
        second_best.get_or_insert(change);
    }
    from_missing(request).or(second_best).or_else(|| request.error_type.and_then(|e| by_error_type(e, &text))).or_else(
        || (request.class == Some(Class::F1)).then(|| transient::again(&text, "it failed for a passing reason")),
    )
}

/// `text` cut to about `longest` characters.
pub(crate) fn shorten(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The changes that the tables see in `text`, in their order.
fn seen<'a>(text: &'a str, request: &'a RepairRequest) -> impl Iterator<Item = Adjustment> + 'a {
    let pairs = Pairs::of(text);
    let rows = TABLES.iter().flat_map(|rows| rows.iter()).filter(move |row| row.pattern.may_stand_in(&pairs));
    rows.filter_map(move |row| {
        let mut hits = row.pattern.all(text);
        hits.find_map(|hit| (row.change)(&Seen { captures: hit.captures, line: hit.line, text, request }))
    })
}

/// Which changes a known error type leaves open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Admitted {
    Everything,
    /// A check failed: only words that cannot be part of a check's own output.
    Unmistakable,
    /// The trouble lies in the work itself.
    Nothing,
}

impl Admitted {
    fn by(error_type: Option<ErrorType>) -> Self {
        match error_type {
            Some(ErrorType::TestFailure | ErrorType::TypeError | ErrorType::LintError) => Self::Unmistakable,
            Some(
                ErrorType::GoalMisalignment
                | ErrorType::ContextExhausted
                | ErrorType::MergeConflict
                | ErrorType::CapabilityMismatch,
            ) => Self::Nothing,
            _ => Self::Everything,
        }
    }

    fn allows(self, kind: AdjustmentKind) -> bool {
        use AdjustmentKind as K;
        match self {
            Self::Everything => true,
            Self::Nothing => false,
            Self::Unmistakable => matches!(
                kind,
                K::InstallPackage
                    | K::InstallCommand
                    | K::InstallLibrary
                    | K::SetVariable
                    | K::FreePort
                    | K::StartService
                    | K::FreeDisk
                    | K::FreeMemory
                    | K::RaiseLimit
                    | K::MatchVersion
                    | K::ReleaseLock
            ),
        }
    }
}

/// Whether a change is of the kind that an error type suggests.
fn fits(error_type: ErrorType, kind: AdjustmentKind) -> bool {
    use AdjustmentKind as K;
    use ErrorType as E;
    match error_type {
        E::NetworkTimeout | E::RateLimit | E::ServiceUnavailable => matches!(kind, K::Wait | K::Repeat),
        E::ConnectionFailure => matches!(kind, K::Repeat | K::StartService | K::Wait),
        E::LockContention => kind == K::ReleaseLock,
        E::FileNotFound => matches!(kind, K::CorrectPath | K::InstallLibrary | K::InstallCommand),
        E::PermissionDenied => matches!(kind, K::GrantPermission | K::Authenticate),
        E::CommandNotFound => kind == K::InstallCommand,
        E::InvalidArgument => kind == K::CorrectCommand,
        E::MissingCredentials => matches!(kind, K::Authenticate | K::SetVariable),
        E::DiskFull => kind == K::FreeDisk,
        E::OutOfMemory => kind == K::FreeMemory,
        E::MissingDependency => {
            matches!(kind, K::InstallPackage | K::InstallLibrary | K::MatchVersion | K::InstallCommand | K::CorrectPath)
        }
        _ => true,
    }
}

/// The change for what a diagnosis named as missing.
fn from_missing(request: &RepairRequest) -> Option<Adjustment> {
    let missing = request.missing.as_ref()?;
    let name = missing.name.trim();
    match missing.kind.as_str() {
        "module" | "package" | "dependency" => package::any(name, request),
        "command" | "program" => command::install(name, request),
        "path" | "file" | "directory" => path::correct(name, request),
        "variable" | "env" => variable::set(name),
        "library" | "header" => library::any(name),
        _ => None,
    }
}

/// The change for an error type whose text says nothing more.
fn by_error_type(error_type: ErrorType, text: &str) -> Option<Adjustment> {
    use AdjustmentKind as K;
    use ErrorType as E;
    let because = || telling_line(text).map(|line| format!(": {}", shorten(&line, 160))).unwrap_or_default();
    let says = |kind: K, words: &str| Some(change(kind, format!("{words}{}", because())));
    match error_type {
        E::NetworkTimeout => Some(transient::again(text, "the other side did not answer in time")),
        E::ConnectionFailure => Some(transient::again(text, "the connection failed")),
        E::ServiceUnavailable => Some(transient::again(text, "the server could not serve it then")),
        E::RateLimit => Some(transient::wait_a_moment()),
        E::LockContention => says(K::ReleaseLock, "wait until the other process has released the lock"),
        E::FileNotFound => says(K::CorrectPath, "correct the path, or make the file first"),
        E::PermissionDenied => {
            says(K::GrantPermission, "get the permission that was denied, or work where you have it")
        }
        E::CommandNotFound => says(K::InstallCommand, "install the missing command, or put it on the PATH"),
        E::InvalidArgument => says(K::CorrectCommand, "correct the call"),
        E::MissingCredentials => says(K::Authenticate, "log in, or renew the key"),
        E::QuotaExhausted => says(K::Authenticate, "wait until the quota is renewed, or raise the plan"),
        E::DiskFull => Some(resource::free_disk()),
        E::OutOfMemory => Some(resource::free_memory()),
        E::MissingDependency => says(K::InstallPackage, "install the missing dependency"),
        _ => None,
    }
}

/// A change with nothing but its kind and words.
fn change(kind: AdjustmentKind, text: impl AsRef<str>) -> Adjustment {
    Adjustment {
        kind,
        text: one_line(text.as_ref()),
        subject: None,
        command: None,
        candidates: Vec::new(),
        holder: None,
        wanted: None,
        found: None,
        wait_ms: None,
        location: None,
    }
}

/// A change about `subject`, made by `command` where there is one.
fn about(kind: AdjustmentKind, subject: &str, text: impl AsRef<str>, command: Option<String>) -> Adjustment {
    let text = match &command {
        Some(command) => format!("{}: {command}", text.as_ref()),
        None => text.as_ref().to_owned(),
    };
    Adjustment { subject: Some(one_line(subject)), command, ..change(kind, text) }
}

/// Whether a shell reads `name` as one plain word that is no option.
fn is_plain_word(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"@/._+:-=~^".contains(&b);
    !name.is_empty() && name.len() <= 120 && name.bytes().all(allowed) && !name.starts_with(['-', '~', '='])
}

/// `path` as a shell reads it back.
fn shell_quoted(path: &str) -> String {
    if is_plain_word(path) { path.to_owned() } else { format!("'{}'", one_line(path).replace('\'', r"'\''")) }
}

/// `text` without terminal colours and with straight quotes, as the tables have them.
fn plain(text: &str) -> Cow<'_, str> {
    let text = uncoloured(text);
    if text.contains(['‘', '’']) { Cow::Owned(text.replace(['‘', '’'], "'")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row can be seen: its template matches what it says, with something in its holes.
    #[test]
    fn every_template_matches_its_own_words() {
        for row in TABLES.iter().flat_map(|rows| rows.iter()) {
            let template = row.pattern.template();
            let text = template.replace("{}", "some name").replace("{w}", "name").replace("{n}", "42");
            let hit = row.pattern.first(&text).unwrap_or_else(|| panic!("{template} does not match {text}"));
            assert_eq!(hit.captures.len(), template.matches('{').count(), "{template}");
            assert!(row.pattern.may_stand_in(&Pairs::of(&text)), "{template}");
        }
    }

    #[test]
    fn no_template_stands_twice() {
        let mut templates: Vec<&str> =
            TABLES.iter().flat_map(|rows| rows.iter()).map(|row| row.pattern.template()).collect();
        let all = templates.len();
        templates.sort_unstable();
        templates.dedup();
        assert_eq!(templates.len(), all);
    }

    #[test]
    fn colours_and_typographic_quotes_are_folded() {
        assert_eq!(plain("\u{1b}[1;31mERROR\u{1b}[0m: ‘a’ \u{1b}"), "ERROR: 'a' ");
        assert_eq!(plain("as it is"), "as it is");
    }

    #[test]
    fn only_plain_words_enter_commands() {
        for plain in ["left-pad", "@acme/theme", "JSON::XS", "./run.sh", "g++", "react@^18.2.0"] {
            assert!(is_plain_word(plain), "{plain}");
            assert_eq!(shell_quoted(plain), plain);
        }
        for unsafe_name in ["", "-rf", "a b", "a;b", "$(id)", "`id`", "a|b", "a'b", "a\nb", "~root", "é"] {
            assert!(!is_plain_word(unsafe_name), "{unsafe_name}");
        }
        assert_eq!(shell_quoted("it's here"), r"'it'\''s here'");
    }
}
