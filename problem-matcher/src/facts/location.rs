//! Where the first error is: file, line, column and the tool's own code for it.

use super::cursor;
use super::place::{FilePlace, is_path, place};
use super::stack::{self, Trace};
use recovery_types::diagnosis::Location;

/// The place of the first error that is not in a library; else of the first error.
pub(super) fn first_error(text: &str) -> Option<Location> {
    let mut reader = Reader::default();
    for line in cursor::lines(text) {
        if let Some(found) = reader.read(after_log_marks(line)) {
            return Some(found);
        }
    }
    reader.trace.user().cloned().or(reader.fallback).or_else(|| reader.trace.any())
}

/// What earlier lines mean for later ones.
#[derive(Default)]
struct Reader<'a> {
    /// rustc, terraform, esbuild: the severity and the code are above the place.
    headline: Option<Headline<'a>>,
    /// eslint: the file is above its findings.
    file: Option<&'a str>,
    /// shellcheck: the code is below the place.
    awaits_code: Option<Location>,
    trace: Trace,
    /// pytest: the last frame that is the user's own.
    pytest_frame: Option<Location>,
    /// What would do if nothing better comes.
    fallback: Option<Location>,
}

#[derive(Clone, Copy)]
struct Headline<'a> {
    is_error: bool,
    code: Option<&'a str>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, line: &'a str) -> Option<Location> {
        if let Some(mut location) = self.awaits_code.take() {
            match shellcheck_code(line) {
                Some(code) => {
                    location.code = Some(code.to_owned());
                    return Some(location);
                }
                None => self.awaits_code = Some(location),
            }
            return None;
        }
        if let Some(frame) = stack::frame(line) {
            self.trace.add(&frame);
            return None;
        }
        // A trace ends with the first line that is neither a frame nor the source shown below one.
        if !self.trace.is_empty() && !line.starts_with([' ', '\t']) {
            let trace = std::mem::take(&mut self.trace);
            if let Some(user) = trace.user() {
                return Some(user.clone());
            }
            self.fallback = self.fallback.take().or(trace.any());
        }
        if let Some(headline) = headline(line) {
            self.headline = Some(headline);
        }
        if !line.bytes().any(|b| b.is_ascii_digit()) {
            self.remember_file(line);
            return None;
        }
        self.below_headline(line).or_else(|| self.finding(line)).or_else(|| self.sentence(line))
    }

    /// ` --> src/x.rs:3:5`, `│   on main.tf line 3, in ...`, `  3:5  error  ...`: known from the lines above.
    fn below_headline(&mut self, line: &'a str) -> Option<Location> {
        let trimmed = line.trim_start_matches([' ', '│', '|', '╷', '\t']);
        let arrow = ["--> ", "╭─[", "┌─ ", "└─ ", ",-["].iter().find_map(|arrow| trimmed.strip_prefix(arrow));
        if let Some((place, _)) = arrow.and_then(|rest| place(rest.trim_start())) {
            let code = self.headline.and_then(|headline| headline.code);
            if self.headline.is_some_and(|headline| headline.is_error) {
                return Some(place.location(code));
            }
            if self.headline.is_none() {
                self.keep(&place, None);
            }
            return None;
        }
        if let Some((file, rest)) = trimmed.strip_prefix("on ").and_then(|rest| rest.split_once(" line ")) {
            let (line, _) = cursor::integer(rest)?;
            let is_error = self.headline.is_none_or(|headline| headline.is_error);
            return (is_error && is_path(file)).then(|| FilePlace { file, line, column: None }.location(None));
        }
        if let Some((file, rest)) = trimmed.strip_prefix("In ").and_then(|rest| rest.split_once(" line ")) {
            let (number, digits) = cursor::integer(rest)?;
            if rest[digits..].trim() == ":" {
                self.awaits_code = Some(FilePlace { file, line: number, column: None }.location(None));
            }
            return None;
        }
        // eslint's report.
        if let Some(file) = self.file.filter(|_| line.starts_with(' ')) {
            let (number, digits) = cursor::integer(trimmed)?;
            let (column, column_digits) = cursor::integer(trimmed[digits..].strip_prefix(':')?)?;
            let rest = trimmed[digits + 1 + column_digits..].trim_start();
            let message = rest.strip_prefix("error")?;
            let rule =
                message.rsplit("  ").next().map(str::trim).filter(|rule| !rule.is_empty() && !rule.contains(' '));
            return Some(FilePlace { file, line: number, column: Some(column) }.location(rule));
        }
        self.remember_file(line);
        None
    }

    fn remember_file(&mut self, line: &'a str) {
        if !line.is_empty() && !line.starts_with([' ', '\t']) {
            self.file = Some(line.trim_end()).filter(|file| is_path(file) && !file.contains(':'));
        }
    }

    /// `x.c:3:5: error: ...` and its kin: the place leads, what follows is the severity.
    fn finding(&mut self, line: &'a str) -> Option<Location> {
        let (is_error, text) = after_marks(line);
        let (place, rest) = place(text)?;
        let message = cursor::after(rest, " :-]),");
        let severity = Severity::of(message);
        // pytest shows each frame as `x.py:3: `, the innermost last, with the error behind that one only.
        if place.file.ends_with(".py") && rest.trim_end() == ":" && !stack::is_library(place.file) {
            self.pytest_frame = Some(place.location(None));
            return None;
        }
        if stack::is_library(place.file) {
            self.keep(&place, None);
            return self.pytest_frame.take().filter(|_| severity == Severity::Error);
        }
        let whole_line =
            rest.is_empty() && (place.file.starts_with('/') || place.file.starts_with("file://") || is_error);
        let below_error = self.headline.is_some_and(|headline| headline.is_error) && line.starts_with(' ');
        match severity {
            Severity::Error => Some(place.location(code_in(message))),
            Severity::Lower => None,
            _ if is_error || whole_line || below_error => Some(place.location(code_in(message))),
            Severity::Unsaid if rest.is_empty() => None,
            Severity::Unsaid if rest.starts_with(": ") || rest.starts_with(":in ") || rest.starts_with(" - ") => {
                let sure = (place.column.is_some() || rest.starts_with(":in ") || place.file.ends_with("_test.go"))
                    && (!line.starts_with(' ') || place.file.ends_with(".go"));
                if sure {
                    return Some(place.location(code_in(message)));
                }
                self.keep(&place, code_in(message));
                None
            }
            Severity::Unsaid => None,
        }
    }

    /// Sentences with a place in them: PHP, Perl, shells, Rust panics, make, webpack, prettier, black.
    fn sentence(&mut self, line: &'a str) -> Option<Location> {
        if let Some((_, rest)) = cursor::split_once(line, "panicked at ") {
            let rest = rest.rsplit_once("', ").map_or(rest, |(_, rest)| rest);
            if let Some((place, _)) = place(rest) {
                if !stack::is_library(place.file) {
                    return Some(place.location(None));
                }
                self.keep(&place, None);
            }
        }
        if let Some(found) = on_line(line, " in ", " on line ").or_else(|| on_line(line, " at ", " line ")) {
            return Some(found);
        }
        // `"x.cpp", line 3: error ...`; Minitest: `T#test_a [t.rb:3]:`.
        if let Some((file, rest)) = line.strip_prefix('"').and_then(|rest| rest.split_once("\", line ")) {
            let (number, digits) = cursor::integer(rest)?;
            let is_error = Severity::of(cursor::after(&rest[digits..], ": ")) == Severity::Error && is_path(file);
            return is_error.then(|| FilePlace { file, line: number, column: None }.location(None));
        }
        if let Some((place, "]:")) = cursor::rsplit_once(line, " [").and_then(|(_, rest)| place(rest)) {
            return Some(place.location(None));
        }
        // PHP: `PHP Fatal error:  Uncaught Error: ... in /x/y.php:3`.
        if let Some((place, "")) = cursor::rsplit_once(line, " in ").and_then(|(_, rest)| place(rest))
            && line.contains("rror")
            && !stack::is_library(place.file)
        {
            return Some(place.location(None));
        }
        if let Some((file, rest)) = cursor::split_once(line, ": line ").filter(|(file, _)| is_path(file)) {
            let (number, digits) = cursor::integer(rest)?;
            return rest[digits..]
                .starts_with(':')
                .then(|| FilePlace { file, line: number, column: None }.location(None));
        }
        if let Some(rest) = line.strip_prefix("ERROR in ") {
            let (file, rest) = rest.split_once(' ')?;
            let (number, digits) = cursor::integer(rest)?;
            let column = rest[digits..].strip_prefix(':').and_then(cursor::integer).map(|(column, _)| column);
            return is_path(file).then(|| FilePlace { file, line: number, column }.location(None));
        }
        if let Some((place, _)) = cursor::split_once(line, "*** [").and_then(|(_, rest)| place(rest)) {
            self.keep(&place, None);
        }
        // GitHub's annotations: `::error file=x.go,line=3,col=5::...`.
        if let Some((fields, _)) = line.strip_prefix("::error ").and_then(|rest| rest.split_once("::")) {
            let field =
                |name: &str| fields.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix('='));
            let number = |name: &str| field(name).and_then(cursor::integer).map(|(number, _)| number);
            return Some(
                FilePlace { file: field("file")?, line: number("line")?, column: number("col") }.location(None),
            );
        }
        let trimmed = line.trim_start();
        let cannot_parse =
            ["[error] ", "error: cannot format ", "SyntaxError: "].iter().find_map(|mark| trimmed.strip_prefix(mark));
        let (file, message) = cannot_parse?.split_once(": ").filter(|(file, _)| is_path(file))?;
        let at =
            message.rsplit_once('(').map(|(_, at)| at).or_else(|| message.split_once("parse: ").map(|(_, at)| at))?;
        let (number, digits) = cursor::integer(at)?;
        let (column, _) = cursor::integer(at[digits..].strip_prefix(':')?)?;
        Some(FilePlace { file, line: number, column: Some(column) }.location(None))
    }

    fn keep(&mut self, place: &FilePlace<'_>, code: Option<&str>) {
        // A library's place is the last resort.
        let better = !stack::is_built_in(place.file)
            && self
                .fallback
                .as_ref()
                .is_none_or(|kept| stack::is_library(&kept.file) && !stack::is_library(place.file));
        if better {
            self.fallback = Some(place.location(code));
        }
    }
}

/// How bad it is by the words behind a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Severity {
    Error,
    Lower,
    Unsaid,
}

impl Severity {
    fn of(message: &str) -> Self {
        let word = cursor::word(message);
        let is = |words: &[&str]| words.iter().any(|w| word.eq_ignore_ascii_case(w));
        if is(&[
            "warning",
            "warn",
            "note",
            "info",
            "hint",
            "help",
            "remark",
            "style",
            "suggestion",
            "debug",
            "required",
            "runtime",
        ]) {
            return Self::Lower;
        }
        if is(&["error", "fatal", "err", "syntax"])
            || ["Error", "Exception", "Failed", "Failure"].iter().any(|end| word.ends_with(end))
        {
            return Self::Error;
        }
        Self::Unsaid
    }
}

/// `error[E0308]: ...`, `warning: ...`, `Error: ...`, `✘ [ERROR] ...`.
fn headline(line: &str) -> Option<Headline<'_>> {
    let line = line.trim_start_matches(['│', '╷', ' ', '×', '✘', '|']);
    let first = line.split(' ').next().unwrap_or(line);
    // ruff: `F401 [*] ...` above its arrow.
    if first.len() < line.len() && code_in(first) == Some(first) {
        return Some(Headline { is_error: true, code: Some(first) });
    }
    let word = cursor::word(line.trim_start_matches('['));
    let is_error = match word {
        "error" | "Error" | "ERROR" => true,
        "warning" | "Warning" | "WARNING" | "note" | "help" => false,
        _ => return None,
    };
    let rest = &line.trim_start_matches('[')[word.len()..];
    let code = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(code, _)| code);
    (rest.starts_with([':', '[', ']'])).then_some(Headline { is_error, code })
}

/// The line without what CI servers and build tools put before it: a time, ` [javac] `.
fn after_log_marks(line: &str) -> &str {
    let mut rest = line;
    if let Some((first, after)) = line.split_once(' ') {
        let time = first.len() >= 8
            && first.starts_with(|c: char| c.is_ascii_digit())
            && first.contains(':')
            && first.bytes().all(|b| b.is_ascii_digit() || b":.-TZ+".contains(&b));
        if time {
            rest = after;
        }
    }
    let trimmed = rest.trim_start();
    for mark in ["[java] ", "[javac] ", "[exec] ", "[apply] ", "[mkdir] ", "[kotlinc] ", "[scalac] "] {
        if let Some(after) = trimmed.strip_prefix(mark) {
            return after;
        }
    }
    rest
}

/// What tools put before a place, and whether it marks an error.
fn after_marks(line: &str) -> (bool, &str) {
    const ERRORS: &[&str] = &[
        "[error] ",
        "[ERROR] ",
        "##[error]",
        "e: ",
        "error: ",
        "ERROR: ",
        "ERROR in ",
        "CMake Error at ",
        "psql:",
        "lua: ",
        "Error: ",
        "fatal: ",
        "perl: ",
    ];
    let mut text = line.trim_start();
    let mut is_error = false;
    while let Some(rest) = ERRORS.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
        is_error = true;
    }
    // Elixir: `** (CompileError) lib/x.ex:3: ...`; Scala: `-- [E007] Type Mismatch Error: x.scala:3:5 ---`.
    if let Some((_, rest)) = text.strip_prefix("** (").and_then(|rest| rest.split_once(") ")) {
        return (true, rest);
    }
    if let Some((_, rest)) = text.strip_prefix("-- ").and_then(|rest| rest.split_once("Error: ")) {
        return (true, rest);
    }
    (is_error, text)
}

/// `... in x.php on line 3`, `... at x.pl line 3.`
fn on_line(text: &str, before: &str, between: &str) -> Option<Location> {
    let (start, rest) = cursor::rsplit_once(text, between)?;
    let (line, _) = cursor::integer(rest)?;
    let (_, file) = cursor::rsplit_once(start, before)?;
    let file = file.trim_matches('"');
    let quiet = text.contains("arning") || text.contains("otice") || stack::is_library(file);
    (is_path(file) && !quiet).then(|| FilePlace { file, line, column: None }.location(None))
}

/// `SC2086` in shellcheck's `^-- SC2086 (info): ...`.
fn shellcheck_code(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("SC")?;
    let (_, digits) = cursor::integer(rest).filter(|(_, digits)| *digits == 4)?;
    let start = line.len() - rest.len() - 2;
    Some(&line[start..start + 2 + digits])
}

/// The tool's code in its message: `error TS2322: ...`, `F401 ...`, `... [arg-type]`, `[GHC-88464] ...`.
fn code_in(message: &str) -> Option<&str> {
    let mut rest = message;
    for word in ["fatal ", "error", ":", " ", "["] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let rest = rest.trim_start();
    let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'-').count();
    let token = &rest[..len];
    let letters = token.bytes().take_while(|b| b.is_ascii_uppercase()).count();
    let digits = token.bytes().rev().take_while(u8::is_ascii_digit).count();
    if (1..=8).contains(&letters)
        && (2..=6).contains(&digits)
        && letters + digits + usize::from(token.contains('-')) == len
    {
        return Some(token);
    }
    let (_, code) = message.trim_end().strip_suffix(']')?.rsplit_once('[')?;
    let named = !code.is_empty() && code.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=+,".contains(&b));
    named.then_some(code)
}
