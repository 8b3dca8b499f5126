//! Filters that distinguish `src/main.c:12: message` from a time, a host with a port, a stack frame, a log line and prose.
//!
//! The generic definitions (`builtin/90-generic.toml`) have no literal to search for, so these checks keep them from
//! matching ordinary output. `starts_with_place` takes a line and is the cheap check before an expression is tried;
//! `is_plausible` takes the problem that a generic definition made of it, `is_no_time` that of any other definition.
//!
//! For a false positive such as `db.corp:5432: ...` extend the table that describes it: `TOP_LEVEL_DOMAINS`, `FRAMES`, the
//! log levels or the library folders. For a missed file without an extension extend `FILES_WITHOUT_EXTENSION`.

use crate::block::begins;
use recovery_types::Problem;

/// Whether a line starts with what may be a file and a line number: `file:12`, `file(12`, `file[12`, `file: line 12`.
/// A severity before it (`[error] `, `ERROR: `) is passed over.
pub(crate) fn starts_with_place(line: &str) -> bool {
    let line = without_level(line.trim_start());
    let drive = usize::from(has_drive(line)) * 2;
    let Some(end) = memchr::memchr3(b':', b'(', b'[', &line.as_bytes()[drive..]).map(|end| end + drive) else {
        return false;
    };
    let (file, rest) = line.split_at(end);
    let is_number_next = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) || rest.starts_with(": line ");
    is_number_next && (is_file(file) || is_name(file) && has_column(rest))
}

/// Whether `:3:5: ` follows.
fn has_column(rest: &str) -> bool {
    let mut parts = rest.split(':').skip(1);
    let mut is_number = || {
        parts.next().is_some_and(|part| (1..=6).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    is_number() && is_number() && parts.next().is_some_and(|rest| rest.starts_with(' '))
}

/// A script without an extension, or `<stdin>`: a file where a line and a column follow it.
fn is_name(name: &str) -> bool {
    const LEVELS: [&str; 6] = ["error", "warning", "info", "note", "debug", "fatal"];
    let bare = name.trim_start_matches('<').trim_end_matches('>');
    bare.starts_with(|c: char| c.is_ascii_alphabetic())
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && !LEVELS.contains(&bare.to_ascii_lowercase().as_str())
}

/// The line without a word for its severity.
fn without_level(line: &str) -> &str {
    const LEVELS: [&str; 11] = [
        "[error] ", "[warn] ", "[warning] ", "[ERROR] ", "[WARN] ", "[WARNING] ", "error: ", "warning: ", "ERROR: ",
        "WARNING: ", "Error: ",
    ];
    LEVELS.iter().filter(|level| begins(line, level)).find_map(|level| line.strip_prefix(level)).unwrap_or(line)
}

fn has_drive(line: &str) -> bool {
    matches!(line.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Whether `name` looks like a file of a project: it has a folder or an extension, and is no address.
pub(super) fn is_file(name: &str) -> bool {
    let name = name.trim_end();
    if name.is_empty()
        || name.len() > 400
        || name.contains("://")
        || name.contains(['"', '`', '=', '<', '>', '|', ',', ';'])
    {
        return false;
    }
    let has_folder = name.contains(['/', '\\']);
    if name.contains(' ') && !(has_drive(name) || name.starts_with(['/', '.'])) {
        return false;
    }
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if FILES_WITHOUT_EXTENSION.contains(&base) {
        return true;
    }
    let Some((stem, extension)) = base.rsplit_once('.') else {
        return has_folder && base.bytes().any(|byte| byte.is_ascii_alphabetic());
    };
    let is_extension = (1..=12).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+'))
        && extension.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_host = !has_folder && TOP_LEVEL_DOMAINS.contains(&extension);
    is_extension
        && !is_host
        && (has_folder || !stem.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') || stem.is_empty())
}

const FILES_WITHOUT_EXTENSION: [&str; 14] = [
    "Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "Gemfile", "Rakefile", "Vagrantfile",
    "Jenkinsfile", "Podfile", "Fastfile", "BUILD", "WORKSPACE", "Justfile",
];

const TOP_LEVEL_DOMAINS: [&str; 18] = [
    "com", "org", "net", "io", "dev", "local", "internal", "localhost", "app", "cloud", "ai", "edu", "gov", "de", "uk",
    "svc", "lan", "test",
];

/// Whether what a generic definition matched is a problem of a file, not a stack frame, a log line or source code.
pub(super) fn is_plausible(problem: &Problem) -> bool {
    let Some(file) = &problem.file else { return true };
    let message = problem.message.as_str();
    (is_file(file) || is_name(file) && problem.column.is_some())
        && !is_library(file)
        && !FRAMES.iter().any(|frame| message.starts_with(frame))
        && message.contains(|c: char| c.is_alphabetic())
        // `a_test.py:3: AssertionError` only points at what is printed above or below it.
        && message.contains(' ')
        && !is_log_line(message)
}

/// Whether the file of a problem is not the hour of a time (`Sun 12:30:01: error: ...`).
pub(super) fn is_no_time(problem: &Problem) -> bool {
    let is_hour = |file: &String| {
        let last = file.rsplit([' ', 'T', '[']).next().unwrap_or(file);
        last.len() <= 2 && last.bytes().all(|byte| byte.is_ascii_digit())
    };
    !problem.file.as_ref().is_some_and(is_hour)
}

/// Files of an installed library: what is reported there is a warning for its authors.
fn is_library(file: &str) -> bool {
    ["/site-packages/", "/dist-packages/", "/node_modules/", "/.cargo/registry/", "/usr/lib/", "/go/pkg/mod/"]
        .iter()
        .any(|folder| file.contains(folder))
}

/// How the lines of stack traces go on after the place.
const FRAMES: [&str; 9] =
    ["in ", "in `", "in '", "+0x", "0x", "<module>", "required from", "recursively required", "instantiated from"];

/// Whether a message starts as a log line does: with a level or a time that no compiler prints.
fn is_log_line(message: &str) -> bool {
    const LEVELS: [&str; 10] =
        ["INFO", "DEBUG", "TRACE", "info ", "debug ", "level=", "[INFO]", "[DEBUG]", "[info]", "[debug]"];
    LEVELS.iter().any(|level| message.starts_with(level))
}
