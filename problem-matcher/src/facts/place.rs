//! A place in a file as tools print it, and what a path looks like.

use super::cursor;
use recovery_types::diagnosis::Location;

/// A file with a line, as printed.
#[derive(Clone, Copy)]
pub(super) struct FilePlace<'a> {
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) column: Option<u64>,
}

impl FilePlace<'_> {
    pub(super) fn location(&self, code: Option<&str>) -> Location {
        Location {
            file: self.file.strip_prefix("file://").unwrap_or(self.file).to_owned(),
            line: Some(self.line),
            column: self.column,
            code: code.map(str::to_owned),
        }
    }
}

/// The place at the start of `text` and what follows it: `x.c:3:5`, `x.cs(3,5)`, `X.java:[3,5]`, `x.kt: (3, 5)`.
pub(super) fn place(text: &str) -> Option<(FilePlace<'_>, &str)> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find([':', '('])?;
        let (file, rest) = (&text[..at], &text[at..]);
        let numbers = [":[", ": (", ":", "("].iter().find_map(|open| {
            let inside = rest.strip_prefix(open)?;
            let (line, digits) = cursor::integer(inside)?;
            Some((*open, line, &inside[digits..]))
        });
        let Some((open, line, after)) = numbers.filter(|_| is_path(file)) else {
            // Only names come before a place; a sentence does not.
            if file.contains(char::is_whitespace) || at > 300 {
                return None;
            }
            from = at + 1;
            continue;
        };
        let separator = if open == ":" { ":" } else { "," };
        let column = after
            .strip_prefix(separator)
            .map(|rest| rest.trim_start_matches(' '))
            .and_then(|rest| cursor::integer(rest).map(|(column, digits)| (column, &rest[digits..])));
        let (column, mut rest) = column.map_or((None, after), |(column, rest)| (Some(column), rest));
        if open != ":" {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',').strip_prefix([')', ']'])?;
        }
        return Some((FilePlace { file, line, column }, rest));
    }
}

/// Endings of names of hosts rather than of files.
const HOSTS: &[&str] = &["com", "org", "net", "io", "dev", "local", "internal", "cloud", "app", "svc", "gov", "edu"];
const BARE_FILES: &[&str] = &[
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Dockerfile",
    "Containerfile",
    "Rakefile",
    "Gemfile",
    "Jenkinsfile",
    "Vagrantfile",
    "BUILD",
    "WORKSPACE",
    "justfile",
    "Procfile",
];

/// Whether `text` is a path with a file name in it, not a host, a time or a word.
pub(super) fn is_path(text: &str) -> bool {
    let plain = text.strip_prefix("file://").unwrap_or(text);
    // Routes are called `[id].tsx`.
    let odd = |c: char| c.is_whitespace() || "\"'`<>|*,;=(){}".contains(c) || "[]".contains(c) && !plain.contains('/');
    if plain.len() > 300 || plain.contains("://") || plain.contains(odd) {
        return false;
    }
    let name = plain.rsplit(['/', '\\']).next().unwrap_or(plain);
    if BARE_FILES.contains(&name) {
        return true;
    }
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return plain.starts_with("node:") && plain.len() > 5;
    };
    let letters = extension.bytes().any(|b| b.is_ascii_alphabetic());
    let host = HOSTS.contains(&extension) && !plain.contains(['/', '\\']);
    (1..=10).contains(&extension.len())
        && letters
        && !host
        && !stem.is_empty()
        && extension.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
