//! The text as the matchers see it: one entry per line, without colours and without what a CI system puts before each line.
//!
//! In: any text. Out: [`Lines`], borrowed from a text that [`without_escapes`] has cleaned. Each entry keeps the number of
//! the line it came from, and the [`Mark`] that a prefix carried (`##[error]`, `section_start:`). A line that was
//! overwritten with carriage returns shows its last visible state. [`Cursor`] is what a matcher is given: a position and
//! bounded access to the lines around it; it counts the lines looked at, so that tests can assert linear work.
//! To support another CI system, add a function to [`PREFIXES`].

use std::borrow::Cow;
use std::cell::Cell;

/// How many lines a matcher may look ahead of its position.
pub(crate) const LOOKAHEAD_LINES: usize = 1000;
/// How many lines a matcher may look back from its position.
pub(crate) const LOOKBACK_LINES: usize = 60;

/// What the prefix of a line states about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The CI system shows it as an error (`##[error]`, `::error::`).
    Error,
    /// The CI system shows it as a warning.
    Warning,
    /// A group or section begins; the text is its title.
    Group,
    /// A group or section ends.
    EndGroup,
    /// A command that the CI system runs (`##[command]`).
    Command,
    /// A section begins that cleans up after the run.
    CleanUp,
    /// The CI system repeats the step's own definition: its commands, shell and variables.
    Echo,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'t> {
    /// The line without prefixes and trailing white space; its indentation is kept.
    pub text: &'t str,
    /// The line's number in the text as it was given, from 1.
    pub number: u32,
    /// What its prefix states.
    pub mark: Mark,
}

/// All lines of a text.
pub(crate) struct Lines<'t> {
    lines: Vec<Line<'t>>,
    steps: Cell<u64>,
}

impl<'t> Lines<'t> {
    /// Splits a text that [`without_escapes`] has cleaned.
    pub(crate) fn of(clean: &'t str) -> Self {
        let mut number = 0;
        let mut is_echo = false;
        let lines = clean.split('\n').map(|raw| {
            number += 1;
            let (text, mut mark) = without_prefixes(raw);
            // GitHub lists the step that begins in a group of its own.
            match mark {
                Mark::Group => is_echo = text.starts_with("Run "),
                Mark::None if is_echo => mark = Mark::Echo,
                _ => is_echo = false,
            }
            Line { text, number, mark }
        });
        Self { lines: lines.collect(), steps: Cell::new(0) }
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// How many times a matcher looked at a line.
    #[cfg(test)]
    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// All lines in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Line<'t>> {
        self.lines.iter()
    }

    /// A cursor at line index `at`.
    pub(crate) fn cursor(&self, at: usize) -> Cursor<'_, 't> {
        Cursor { lines: self, at }
    }
}

/// A position in [`Lines`] and the lines around it.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'l, 't> {
    lines: &'l Lines<'t>,
    at: usize,
}

impl<'t> Cursor<'_, 't> {
    /// The text of the current line.
    pub(crate) fn text(&self) -> &'t str {
        self.ahead(0).unwrap_or("")
    }

    /// The number of the line `offset` lines ahead, as [`Problem::text_line`](recovery_types::Problem) wants it.
    pub(crate) fn number(&self, offset: usize) -> Option<u64> {
        self.lines.lines.get(self.at + offset).map(|line| u64::from(line.number))
    }

    /// The number of the line `offset` lines back.
    pub(crate) fn number_back(&self, offset: usize) -> Option<u64> {
        self.lines.lines.get(self.at.checked_sub(offset)?).map(|line| u64::from(line.number))
    }

    /// The text `offset` lines ahead; `None` past the end or past [`LOOKAHEAD_LINES`].
    pub(crate) fn ahead(&self, offset: usize) -> Option<&'t str> {
        self.lines.steps.set(self.lines.steps.get() + 1);
        let line = self.lines.lines.get(self.at + offset)?;
        (offset <= LOOKAHEAD_LINES).then_some(line.text)
    }

    /// The text `offset` lines back, `None` before the beginning or past
    /// [`LOOKBACK_LINES`].
    pub(crate) fn back(&self, offset: usize) -> Option<&'t str> {
        self.lines.steps.set(self.lines.steps.get() + 1);
        let line = self.lines.lines.get(self.at.checked_sub(offset)?)?;
        (offset <= LOOKBACK_LINES).then_some(line.text)
    }

    /// The lines after the current one, with their offsets.
    pub(crate) fn following(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let cursor = *self;
        (1..).map_while(move |offset| cursor.ahead(offset).map(|text| (offset, text)))
    }

    /// The lines before the current one, nearest first, with their offsets.
    pub(crate) fn preceding(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let cursor = *self;
        (1..).map_while(move |offset| cursor.back(offset).map(|text| (offset, text)))
    }
}

/// `text` without terminal escape sequences; also without colour codes whose escape character was lost (`[31m`).
/// Line breaks are kept, so that line numbers stay right.
pub(crate) fn without_escapes(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut clean = String::new();
    let mut copied = 0;
    let mut lost_colour = 0;
    for at in memchr::memchr3_iter(0x1b, b'[', 0x08, bytes) {
        if at < copied {
            continue;
        }
        // `[m` ends a colour only where one began on the same line.
        let ends_colour = bytes[at..].starts_with(b"[m")
            && lost_colour > 0
            && memchr::memchr(b'\n', &bytes[lost_colour..at]).is_none();
        let Some(end) = escape_end(bytes, at).or(ends_colour.then_some(at + 2)) else { continue };
        if bytes[at] == b'[' {
            lost_colour = end;
        }
        clean.push_str(&text[copied..at]);
        copied = end;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    clean.push_str(&text[copied..]);
    Cow::Owned(clean)
}

/// The end of the escape sequence at `at`, always on a character boundary; a line break is never inside one.
fn escape_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        0x08 => Some(at + 1),
        b'[' => colour_end(bytes, at + 1),
        _ => match bytes.get(at + 1) {
            Some(b'[') => {
                let mut end = at + 2;
                while bytes.get(end).is_some_and(|byte| (0x20..0x40).contains(byte)) {
                    end += 1;
                }
                Some(if bytes.get(end).is_some_and(|byte| (0x40..0x7f).contains(byte)) { end + 1 } else { end })
            }
            // Operating system commands, application program commands (Buildkite's times) and the like.
            Some(b']' | b'_' | b'P' | b'^') => {
                let mut end = at + 2;
                while let Some(&byte) = bytes.get(end) {
                    match byte {
                        0x07 => return Some(end + 1),
                        0x1b if bytes.get(end + 1) == Some(&b'\\') => return Some(end + 2),
                        b'\n' | 0x1b => return Some(end),
                        _ => end += 1,
                    }
                }
                Some(end)
            }
            // A character set is chosen by one more character: `ESC ( B`, which `tput sgr0` prints.
            Some(b'(' | b')' | b'*' | b'+') if bytes.get(at + 2).is_some_and(u8::is_ascii_graphic) => Some(at + 3),
            Some(byte) if byte.is_ascii_graphic() => Some(at + 2),
            _ => Some(at + 1),
        },
    }
}

/// The end of `31m`, `1;31m` or `0m`.
fn colour_end(bytes: &[u8], from: usize) -> Option<usize> {
    let end = (from..bytes.len().min(from + 16)).find(|&at| !matches!(bytes[at], b'0'..=b'9' | b';'))?;
    (end > from && bytes[end] == b'm').then_some(end + 1)
}

/// A prefix taken off: what is left, and what it states.
type Stripped<'t> = Option<(&'t str, Mark)>;

/// The prefixes of CI systems, tried in order until none applies.
const PREFIXES: &[for<'t> fn(&'t str) -> Stripped<'t>] = &[
    timestamp,
    workflow_command,
    section,
    task,
    clock,
    kernel,
    buildkit,
    compose,
    job_and_step,
    syslog,
    ant_task,
    msbuild_node,
];

/// How many prefixes one line may carry (`job<TAB>step<TAB>`, timestamp, command).
const MAX_PREFIXES: usize = 4;

fn without_prefixes(raw: &str) -> (&str, Mark) {
    let mut text = last_visible(raw);
    let mut mark = Mark::None;
    for _ in 0..MAX_PREFIXES {
        let Some((rest, found)) = PREFIXES.iter().find_map(|prefix| prefix(text)) else { break };
        text = rest;
        if found != Mark::None {
            mark = found;
        }
    }
    (text.trim_end(), mark)
}

/// What a terminal shows of a line with carriage returns: the text after the last one that is followed by something.
fn last_visible(raw: &str) -> &str {
    let raw = raw.trim_end_matches('\r');
    match memchr::memrchr(b'\r', raw.as_bytes()) {
        Some(_) if raw.contains("section_start:") || raw.contains("section_end:") || raw.starts_with("travis_") => raw,
        Some(at) if !raw[at + 1..].trim().is_empty() => &raw[at + 1..],
        Some(at) => last_visible(&raw[..at]),
        None => raw,
    }
}

fn strip_digits(text: &str, least: usize) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (text.len() - rest.len() >= least).then_some(rest)
}

/// `2024-01-01T00:00:00.0000000Z`, also with an offset instead of `Z`.
fn iso_time(text: &str) -> Option<&str> {
    if !text.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    let rest = strip_digits(text, 4)?.strip_prefix('-')?;
    let rest = strip_digits(rest, 2)?.strip_prefix('-')?;
    let rest = strip_digits(rest, 2)?.strip_prefix('T')?;
    let rest = clock_time(rest)?;
    match rest.as_bytes().first()? {
        b'Z' => Some(&rest[1..]),
        b'+' | b'-' => {
            let rest = strip_digits(&rest[1..], 2)?;
            Some(rest.strip_prefix(':').and_then(|rest| strip_digits(rest, 2)).unwrap_or(rest))
        }
        _ => None,
    }
}

/// `12:34:56`, with or without a fraction.
fn clock_time(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let two = |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_digit));
    if !(two(0) && two(3) && two(6) && bytes[2] == b':' && bytes[5] == b':') {
        return None;
    }
    let rest = &text[8..];
    Some(rest.strip_prefix(['.', ',']).and_then(|fraction| strip_digits(fraction, 1)).unwrap_or(rest))
}

/// GitHub Actions and Azure `2024-...Z `, GitLab `2024-...Z 01O `, Jenkins `[2024-...Z] `.
fn timestamp(text: &str) -> Stripped<'_> {
    let rest = match text.strip_prefix('[') {
        Some(inner) => iso_time(inner)?.strip_prefix(']')?,
        None => iso_time(text.strip_prefix('\u{feff}').unwrap_or(text))?,
    };
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(' ')? };
    // GitLab's stream number and letter, with `+` where a line goes on.
    let bytes = rest.as_bytes();
    let is_stream = bytes.len() >= 3
        && bytes[..2].iter().all(u8::is_ascii_hexdigit)
        && matches!(bytes[2], b'O' | b'E')
        && matches!(bytes.get(3), None | Some(b' ' | b'+'));
    Some((if is_stream { rest.get(4..).unwrap_or("") } else { rest }, Mark::None))
}

/// GitHub's and Azure's `##[error]`, and `::error file=a,line=1::` as written by the step itself.
fn workflow_command(text: &str) -> Stripped<'_> {
    if let Some(rest) = text.strip_prefix("##[") {
        let (name, rest) = rest.split_once(']')?;
        return Some((rest, mark_named(name)?));
    }
    let rest = text.strip_prefix("::")?;
    let (head, rest) = rest.split_once("::")?;
    let name = head.split(' ').next()?;
    // The place of an annotation is in its head, so a head with fields stays for the matcher of annotations.
    if head != name {
        return None;
    }
    Some((rest, mark_named(name)?))
}

fn mark_named(name: &str) -> Option<Mark> {
    Some(match name {
        "error" => Mark::Error,
        "warning" => Mark::Warning,
        "group" | "section" => Mark::Group,
        "endgroup" => Mark::EndGroup,
        "command" => Mark::Command,
        "debug" | "notice" => Mark::None,
        _ => return None,
    })
}

/// GitLab's `section_start:1560896352:name` and Travis' `travis_fold:start:name`, `travis_time:start:id`, several of which
/// may be on one line, each ended by a carriage return; what follows the last is the title or the command.
fn section(text: &str) -> Stripped<'_> {
    if !text.starts_with("section_") && !text.starts_with("travis_") {
        return None;
    }
    let mut mark = Mark::None;
    let mut title = "";
    for part in text.split('\r') {
        let name = part.rsplit(':').next().unwrap_or(part).split('[').next().unwrap_or("");
        let found = if part.starts_with("section_start:") || part.starts_with("travis_fold:start:") {
            if CLEAN_UP_SECTIONS.iter().any(|start| name.starts_with(start)) { Mark::CleanUp } else { Mark::Group }
        } else if part.starts_with("section_end:") || part.starts_with("travis_fold:end:") {
            Mark::EndGroup
        } else if part.starts_with("travis_time:start:") {
            Mark::Group
        } else if part.starts_with("travis_time:") {
            Mark::None
        } else {
            title = part;
            continue;
        };
        title = if found == Mark::Group && !part.starts_with("travis_time") { name } else { "" };
        // A command inside a section that cleans up cleans up as well.
        if found != Mark::None && !(mark == Mark::CleanUp && found == Mark::Group) {
            mark = found;
        }
    }
    Some((title, mark))
}

/// How the names of sections begin that clean up after the run.
const CLEAN_UP_SECTIONS: [&str; 8] =
    ["after_", "cache", "before_cache", "cleanup_", "upload_artifacts", "archive_cache", "finish", "before_deploy"];

/// Taskcluster's `[task 2024-01-01T00:00:00.000Z] ` and `[Pipeline] ` of Jenkins.
fn task(text: &str) -> Stripped<'_> {
    let rest = text.strip_prefix('[')?;
    if let Some(rest) = rest.strip_prefix("Pipeline] ") {
        return Some((rest, Mark::Group));
    }
    let rest = ["task ", "taskcluster ", "vcs ", "setup "].iter().find_map(|name| rest.strip_prefix(name))?;
    let rest = iso_time(rest)?.strip_prefix(']')?;
    Some((rest.strip_prefix(' ').unwrap_or(rest), Mark::None))
}

/// The clock of Jenkins' timestamper and of gulp: `12:34:56  `, `[12:34:56] `.
fn clock(text: &str) -> Stripped<'_> {
    let rest = match text.strip_prefix('[') {
        Some(inner) => clock_time(inner)?.strip_prefix("] ")?,
        None => clock_time(text)?.strip_prefix(' ')?,
    };
    Some((rest.strip_prefix(' ').unwrap_or(rest), Mark::None))
}

/// The kernel's time since start: `[    3.653805] `.
fn kernel(text: &str) -> Stripped<'_> {
    let rest = strip_digits(text.strip_prefix('[')?.trim_start(), 1)?.strip_prefix('.')?;
    Some((strip_digits(rest, 6)?.strip_prefix("] ")?, Mark::None))
}

/// Ant's name of the task that printed the line, right-aligned: `    [javac] `. `[junit]` stays: the report begins with it.
fn ant_task(text: &str) -> Stripped<'_> {
    const TASKS: [&str; 9] =
        ["javac] ", "exec] ", "javadoc] ", "java] ", "compc] ", "mxmlc] ", "groovyc] ", "scalac] ", "apply] "];
    let rest = text.trim_start().strip_prefix('[')?;
    TASKS.iter().find_map(|task| rest.strip_prefix(task)).map(|rest| (rest, Mark::None))
}

/// The number of the parallel build that printed the line, of MSBuild: `12>`, `12:3>`.
fn msbuild_node(text: &str) -> Stripped<'_> {
    let rest = strip_digits(text.trim_start(), 1)?;
    let rest = rest.strip_prefix(':').and_then(|rest| strip_digits(rest, 1)).unwrap_or(rest);
    let rest = rest.strip_prefix('>')?;
    rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '.' | '\\' | '-' | '='))
        .then_some((rest, Mark::None))
}

/// Docker BuildKit's `#12 3.456 `; a step's own title `#12 [2/5] RUN make` begins a group.
fn buildkit(text: &str) -> Stripped<'_> {
    let rest = strip_digits(text.strip_prefix('#')?, 1)?.strip_prefix(' ')?;
    if rest.starts_with('[') {
        return Some((rest, Mark::Group));
    }
    let rest = strip_digits(rest, 1)?.strip_prefix('.')?;
    let rest = strip_digits(rest, 1)?;
    Some((if rest.is_empty() { rest } else { rest.strip_prefix(' ')? }, Mark::None))
}

/// Docker Compose's `service-1  | `.
fn compose(text: &str) -> Stripped<'_> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let (name, rest) = text.split_at(text.bytes().position(|byte| !is_name(&byte))?);
    let is_service = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.contains(['-', '_'])
        && name.ends_with(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(' ').filter(|_| is_service)?.trim_start_matches(' ').strip_prefix("| ")?;
    Some((rest, Mark::None))
}

/// What `gh run view --log` puts first: `job<TAB>step<TAB>2024-...Z `.
fn job_and_step(text: &str) -> Stripped<'_> {
    let (_, rest) = text.split_once('\t')?;
    let (_, rest) = rest.split_once('\t')?;
    let rest = rest.strip_prefix('\u{feff}').unwrap_or(rest);
    iso_time(rest).map(|_| (rest, Mark::None))
}

/// `Jan  1 00:00:00 host process[123]: `.
fn syslog(text: &str) -> Stripped<'_> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let rest = MONTHS.iter().find_map(|month| text.strip_prefix(month))?.strip_prefix(' ')?;
    let rest = strip_digits(rest.trim_start(), 1)?.strip_prefix(' ')?;
    let rest = clock_time(rest)?.strip_prefix(' ')?;
    let (_host, rest) = rest.split_once(' ')?;
    let (process, rest) = rest.split_once(": ")?;
    (!process.contains(' ')).then_some((rest, Mark::None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> Vec<String> {
        let clean = without_escapes(text);
        Lines::of(&clean).iter().map(|line| line.text.to_owned()).collect()
    }

    #[test]
    fn prefixes_of_ci_systems_are_taken_off() {
        for (raw, expected) in [
            ("2022-04-13T15:06:13.0832743Z ##[error]a.go:88:9: undefined: os", "a.go:88:9: undefined: os"),
            ("build\tRun tests\t2024-01-01T00:00:00.0000000Z FAIL x", "FAIL x"),
            ("2024-05-01T00:00:00.123456Z 01E error: x", "error: x"),
            ("[2024-05-01T10:00:00.123Z] [ERROR] x", "[ERROR] x"),
            ("11:02:14  [ERROR] x", "[ERROR] x"),
            ("[task 2024-01-01T00:00:00.000Z]   indented", "  indented"),
            ("#12 3.456 error: x", "error: x"),
            ("api-1  | error: x", "error: x"),
            ("Jan  1 00:00:00 host app[12]: error: x", "error: x"),
            ("\u{1b}[31merror\u{1b}[0m: x\u{1b}[K", "error: x"),
            ("\u{1b}_bk;t=1700000000000\u{7}error: x", "error: x"),
            ("[31merror[39m: x", "error: x"),
            ("\u{1b}[31merror\u{1b}(B\u{1b}[m: x", "error: x"),
            ("[[1;31mERROR[m] x", "[ERROR] x"),
            ("[    3.653805] kernel BUG at a.c:39!", "kernel BUG at a.c:39!"),
            ("10%\r50%\r100% done\r", "100% done"),
            ("section_start:1560896352:build\rBuilding", "Building"),
        ] {
            assert_eq!(cleaned(raw), [expected], "{raw:?}");
        }
    }

    #[test]
    fn what_only_looks_like_a_prefix_stays() {
        for raw in
            ["#12 is broken", "a | b", "12:34 x", "2026-11-16 02:32:43 ERROR 503", "[5] x", "##[x] y", "x[10] = m[3]"]
        {
            assert_eq!(cleaned(raw), [raw]);
        }
    }

    #[test]
    fn numbers_are_those_of_the_text() {
        let text = "a\r\n\u{1b}[1mb\u{1b}[0m\r\n\r\nc";
        let clean = without_escapes(text);
        let lines = Lines::of(&clean);
        let seen: Vec<_> = lines.iter().map(|line| (line.number, line.text)).collect();
        assert_eq!(seen, [(1, "a"), (2, "b"), (3, ""), (4, "c")]);
    }
}
