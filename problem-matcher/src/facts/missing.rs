//! The missing thing that a text names: a module, a package, a command, a file.
//!
//! In: any text. Out: the kind and the name of the first missing thing, or none. `ROWS` are the texts before and
//! after a name; one search finds all of them (`literals`), and on one line an earlier row takes precedence. A name has
//! to look like one of its kind (`is_name`), so that prose yields nothing.

use super::cursor;
use crate::literals::Literals;
use recovery_types::diagnosis::Missing;
use std::sync::LazyLock;

/// A way to name a missing thing: what is before the name and after it. Where nothing is before it, the name is read
/// backwards from what is after.
struct Row {
    kind: &'static str,
    before: &'static str,
    after: &'static str,
}

impl Row {
    /// What is looked for: what is before the name, or behind one that is read backwards.
    const fn needle(&self) -> &'static str {
        if self.before.is_empty() { self.after } else { self.before }
    }
}

const fn row(kind: &'static str, before: &'static str, after: &'static str) -> Row {
    Row { kind, before, after }
}

/// On one line an earlier row counts before a later one.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Python
    row("module", "ModuleNotFoundError: No module named ", ""),
    row("module", "No module named ", ""),
    row("package", "No matching distribution found for ", ""),
    row("package", "Could not find a version that satisfies the requirement ", ""),
    row("package", "Because ", " was not found in the package registry"),
    row("variable", "NameError: name ", " is not defined"),
    row("path", "can't open file ", ""),
    row("path", "[Errno 2] No such file or directory: ", ""),
    row("path", "ERROR: file or directory not found: ", ""),
    // Node and its bundlers
    row("module", "Cannot find module ", ""),
    row("package", "Cannot find package ", ""),
    row("module", "Can't resolve ", ""),
    row("module", "Could not resolve \"", ""),
    row("module", "failed to resolve import ", ""),
    row("module", "Failed to resolve import ", ""),
    row("module", "Could not find a declaration file for module ", ""),
    row("package", "Cannot find type definition file for ", ""),
    row("package", "", " is not in this registry"),
    row("package", "No matching version found for ", ""),
    row("package", "Couldn't find package ", ""),
    row("package", "Couldn't find any versions for ", ""),
    row("script", "Missing script: ", ""),
    row("script", "Couldn't find a script named ", ""),
    row("path", "ENOENT: no such file or directory, ", ""),
    row("command", "spawn ", " ENOENT"),
    row("variable", "ReferenceError: ", " is not defined"),
    // Rust
    row("module", "unresolved import `", ""),
    row("crate", "use of undeclared crate or module `", ""),
    row("crate", "use of unresolved module or unlinked crate `", ""),
    row("crate", "can't find crate for `", ""),
    row("module", "file not found for module `", ""),
    row("package", "no matching package named `", ""),
    row("package", "failed to load source for dependency `", ""),
    row("variable", "cannot find value `", ""),
    row("command", "no such command: `", ""),
    row("command", "linker `", "` not found"),
    row("path", "could not find `", "` in "),
    // uv
    row("command", "Failed to spawn: ", ""),
    // Go
    row("package", "no required module provides package ", ""),
    row("package", "cannot find module providing package ", ""),
    row("package", "missing go.sum entry for module providing package ", ""),
    row("package", "cannot find package ", ""),
    row("package", ": package ", " is not in "),
    row("command", "exec: ", ": executable file not found in "),
    row("variable", ": undefined: ", ""),
    // C, C++ and linkers
    row("path", "cc1: fatal error: ", ": No such file or directory"),
    row("path", "cc1plus: fatal error: ", ": No such file or directory"),
    row("header", "fatal error: ", ": No such file or directory"),
    row("header", "fatal error: ", " file not found"),
    row("header", "Cannot open include file: ", ""),
    row("library", "cannot find -l", ""),
    row("library", "library not found for -l", ""),
    row("library", "unable to find library -l", ""),
    row("library", "ld: library ", " not found"),
    row("library", "error while loading shared libraries: ", ": cannot open"),
    row("symbol", "undefined reference to ", ""),
    row("package", "No package ", " found"),
    row("package", "Could NOT find ", " (missing"),
    row("package", "Could not find a package configuration file provided by ", ""),
    row("variable", "use of undeclared identifier ", ""),
    row("variable", "", " undeclared (first use"),
    row("target", "No rule to make target ", ""),
    row("library", "Library not loaded: ", ""),
    // JVM
    row("package", "error: package ", " does not exist"),
    row("artifact", "Could not find artifact ", ""),
    row("artifact", "> Could not find ", ""),
    row("artifact", "> Could not resolve ", ""),
    row("class", "ClassNotFoundException: ", ""),
    row("class", "NoClassDefFoundError: ", ""),
    row("class", "Could not find or load main class ", ""),
    row("module", "unresolved reference: ", ""),
    // Ruby, PHP, .NET, Perl, R, Haskell, Swift, Elixir
    row("module", "cannot load such file -- ", ""),
    row("package", "Could not find gem ", ""),
    row("package", "Could not find ", " in any of the sources"),
    row("path", "@ rb_sysopen - ", ""),
    row("variable", "undefined local variable or method ", ""),
    row("class", "Class \"", "\" not found"),
    row("path", "Failed opening required ", ""),
    row("variable", "Undefined variable $", ""),
    row("package", "Could not find a matching version of package ", ""),
    row("package", "Could not find package ", ""),
    row("package", "Unable to find package ", ""),
    row("module", "The type or namespace name ", " could not be found"),
    row("path", "Could not find file ", ""),
    row("path", "Could not find a part of the path ", ""),
    row("module", "Can't locate ", " in @INC"),
    row("package", "there is no package called ", ""),
    row("module", "Could not find module ", ""),
    row("module", "no such module ", ""),
    row("module", "(module ", " is not available)"),
    // Package managers
    row("package", "Unable to locate package ", ""),
    row("package", "E: Package ", " has no installation candidate"),
    row("package", "No match for argument: ", ""),
    row("package", "No available formula with the name ", ""),
    row("package", "error: target not found: ", ""),
    row("package", "", " (no such package)"),
    // Shells
    row("command", "command not found: ", ""),
    row("command", "", ": command not found"),
    row("command", "", ": bad interpreter: No such file"),
    row("command", "Unknown command: ", ""),
    row("command", "The term ", " is not recognized as"),
    row("command", "", " is not recognized as an internal or external command"),
    row("command", "git: ", " is not a git command"),
    row("command", "docker: ", " is not a docker command"),
    row("command", "sh: 1: ", ": not found"),
    row("command", "/bin/sh: ", ": not found"),
    row("command", "sh: ", ": not found"),
    row("command", "make: ", ": No such file or directory"),
    row("command", "env: ", ": No such file or directory"),
    row("variable", "", ": unbound variable"),
    row("variable", "", ": parameter null or not set"),
    row("variable", "", ": parameter not set"),
    row("variable", "nvironment variable not found: ", ""),
    row("variable", "nvironment variable ", " is not set"),
    row("variable", "nvironment variable ", " not set"),
    row("variable", "nvironment variable ", " not found"),
    row("variable", "nvironment variable ", " is required"),
    row("variable", "nvironment variable: ", ""),
    row("variable", "nvironment variable `", "` not defined"),
    // Databases, images, names
    row("table", "no such table: ", ""),
    row("table", "relation ", " does not exist"),
    row("table", "Table ", " doesn't exist"),
    row("column", "no such column: ", ""),
    row("column", "ERROR: column ", " does not exist"),
    row("database", "Unknown database ", ""),
    row("database", "database ", " does not exist"),
    row("image", "No such image: ", ""),
    row("image", "manifest for ", " not found"),
    row("image", "pull access denied for ", ""),
    row("branch", "Remote branch ", " not found"),
    row("branch", "couldn't find remote ref ", ""),
    row("host", "Could not resolve host: ", ""),
    row("host", "getaddrinfo ENOTFOUND ", ""),
    // Paths, last: the words are the system's and come after what others name better
    row("path", "pathspec ", " did not match"),
    row("path", "Cannot find path ", " because it does not exist"),
    row("path", "error TS6053: File ", " not found"),
    row("path", "FileNotFoundException: ", " ("),
    row("path", "no such file or directory: ", ""),
    row("path", "", ": No such file or directory"),
    row("path", "", ": no such file or directory"),
    row("path", "", ": not found: "),
];

/// Finds what is before or after the names.
static NEEDLES: LazyLock<Literals<'static>> = LazyLock::new(|| Literals::new(ROWS.iter().map(Row::needle)));

/// The first missing thing that `text` names.
pub(super) fn first_missing(text: &str) -> Option<Missing> {
    let mut best: Option<(usize, usize, &str)> = None;
    let mut hits: Vec<(usize, usize)> = Vec::new();
    NEEDLES.find(text.as_bytes(), |row, at| hits.push((at, row)));
    hits.sort_unstable();
    for (at, row) in hits {
        let (start, end) = cursor::line_around(text, at);
        // Rows are compared by line: within one, the earlier row has the word.
        match best {
            Some((line, _, _)) if line < start => break,
            Some((_, other, _)) if other <= row => continue,
            _ => {}
        }
        let Row { kind, before, .. } = ROWS[row];
        let name = match before {
            "" => name_before(&text[start..at]),
            before => name_after(&text[at + before.len()..end.max(at + before.len())], &ROWS[row], before),
        };
        if let Some(name) = name.filter(|name| is_name(name, kind)) {
            best = Some((start, row, name));
        }
    }
    best.map(|(_, row, name)| Missing { kind: ROWS[row].kind.to_owned(), name: name.to_owned() })
}

const QUOTES: &[(char, &[char])] =
    &[('\'', &['\'']), ('"', &['"']), ('`', &['`', '\'']), ('‘', &['’']), ('“', &['”']), ('\u{ab}', &['\u{bb}'])];

fn name_after<'a>(rest: &'a str, row: &Row, before: &str) -> Option<&'a str> {
    if !row.after.is_empty() {
        let rest = &rest[..rest.find(row.after)?];
        return Some(unquoted(rest));
    }
    // The row may have brought the opening quote.
    let opening = before.chars().next_back().filter(|c| QUOTES.iter().any(|(open, _)| open == c));
    // `open '/x'`: a word of the system is between.
    let rest = match row.kind {
        "path" => rest
            .split_once(" '")
            .filter(|(verb, _)| verb.bytes().all(|b| b.is_ascii_lowercase()))
            .map_or(rest, |(verb, _)| &rest[verb.len() + 1..]),
        _ => rest,
    };
    let (opening, rest) = match opening {
        Some(open) => (Some(open), rest),
        None => {
            let first = rest.chars().next()?;
            match QUOTES.iter().find(|(open, _)| *open == first) {
                Some((open, _)) => (Some(*open), &rest[first.len_utf8()..]),
                None => (None, rest),
            }
        }
    };
    if let Some(open) = opening {
        let closing = QUOTES.iter().find(|(o, _)| *o == open).map_or(&[][..], |(_, closing)| closing);
        return rest.find(closing).map(|end| &rest[..end]);
    }
    let end = rest.find(|c: char| c.is_whitespace() || ";,()[]\"'".contains(c)).unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches(['.', ':', '!']))
}

/// Calls that Go and Node put before a path.
const CALLS: &[&str] = &[
    "open ", "stat ", "lstat ", "chdir ", "mkdir ", "read ", "remove ", "fork/exec ", "unlink ", "readlink ",
    "scandir ", "cannot access ", "cannot open ", "cannot stat ", "cannot remove ", "can't open ", "cannot create ",
    "failed to open ", "cannot find ", "cannot read ",
];

fn name_before(line: &str) -> Option<&str> {
    if let Some(last) = line.chars().next_back().filter(|c| QUOTES.iter().any(|(_, closing)| closing.contains(c))) {
        let inside = &line[..line.len() - last.len_utf8()];
        let opens = |c: char| QUOTES.iter().any(|(open, closing)| *open == c && closing.contains(&last));
        return inside.rfind(opens).map(|at| {
            let open = inside[at..].chars().next().map_or(0, char::len_utf8);
            &inside[at + open..]
        });
    }
    // tar and others put the call between: `tar: x: Cannot stat: No such file or directory`.
    let is_call = |segment: &&str| {
        let lower = segment.to_ascii_lowercase();
        let verb = lower.strip_prefix("cannot ").map(|verb| verb.strip_suffix(" file").unwrap_or(verb));
        verb.is_some_and(|verb| !verb.contains(' ')) || lower == "error"
    };
    let segment = line.rsplit(": ").find(|segment| !is_call(segment))?.trim();
    let called = CALLS.iter().find_map(|call| segment.strip_prefix(call)).unwrap_or(segment);
    // A sentence is no name; its last word may be.
    let name = if called.contains(' ') && !called.contains('/') { called.rsplit(' ').next()? } else { called };
    Some(unquoted(name))
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(|c| QUOTES.iter().any(|(open, closing)| *open == c || closing.contains(&c)))
}

fn is_name(name: &str, kind: &str) -> bool {
    let spaced = name.chars().any(char::is_whitespace);
    !name.is_empty()
        && name.len() <= 300
        && (!spaced || kind == "path")
        && (kind != "artifact" || name.contains(':'))
        && name.chars().any(char::is_alphanumeric)
}
