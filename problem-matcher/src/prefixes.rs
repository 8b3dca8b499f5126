//! What CI systems put before each line, and what it states about the line.
//!
//! In: a raw line without escape sequences. Out: the tool's own text and a [`Mark`]. A line that was overwritten with carriage
//! returns shows its last visible state. To support another CI system, add a function to [`prefixes`]; a prefix that
//! only looks like one belongs into the tests below.

use crate::lines::Mark;
use recovery_types::ci_log::is_clean_up_section;

/// A prefix taken off: what is left, and what it states.
type Stripped<'t> = Option<(&'t str, Mark)>;

/// The prefixes of CI systems that may begin with this byte, tried in order until none applies. Trying all on every line
/// would take as long as finding the problems.
fn prefixes(first: u8) -> &'static [for<'t> fn(&'t str) -> Stripped<'t>] {
    match first {
        b'0'..=b'9' => &[timestamp, clock, job_and_step, msbuild_node],
        b'[' => &[timestamp, task, clock, kernel, job_and_step, ant_task],
        b'#' => &[workflow_command, buildkit, job_and_step],
        b':' => &[workflow_command, job_and_step],
        b' ' | b'\t' => &[job_and_step, ant_task, msbuild_node],
        b'a'..=b'z' | b'A'..=b'Z' => &[section, compose, job_and_step, syslog],
        // A byte order mark.
        0xef => &[timestamp, job_and_step],
        _ => &[job_and_step],
    }
}

/// How many prefixes one line may carry (`job<TAB>step<TAB>`, timestamp, command).
const MAX_PREFIXES: usize = 4;

/// The line without prefixes and trailing white space, and what the prefixes state about it.
pub(crate) fn without_prefixes(raw: &str) -> (&str, Mark) {
    let mut text = last_visible(raw);
    let mut mark = Mark::None;
    for _ in 0..MAX_PREFIXES {
        let Some(first) = text.as_bytes().first() else { break };
        let Some((rest, found)) = prefixes(*first).iter().find_map(|prefix| prefix(text)) else { break };
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
        // `##[start-action display=Test;id=x]` and `##[end-action id=x;outcome=failure]` frame the steps of a composite action.
        if name.starts_with("start-action ") || name.starts_with("end-action ") {
            return Some((rest, Mark::None));
        }
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
            if is_clean_up_section(name.as_bytes()) { Mark::CleanUp } else { Mark::Group }
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
    seconds(rest).map(|rest| (rest, Mark::None))
}

/// What follows `3.456 `.
fn seconds(text: &str) -> Option<&str> {
    let rest = strip_digits(text, 1)?.strip_prefix('.')?;
    let rest = strip_digits(rest, 1)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// The line without the seconds that BuildKit puts first.
pub(crate) fn without_seconds(text: &str) -> &str {
    seconds(text).unwrap_or(text)
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
    let step = memchr::memchr(b'\t', text.as_bytes())? + 1;
    let rest = step + memchr::memchr(b'\t', &text.as_bytes()[step..])? + 1;
    let rest = &text[rest..];
    let rest = rest.strip_prefix('\u{feff}').unwrap_or(rest);
    iso_time(rest).map(|_| (rest, Mark::None))
}

/// `Jan  1 00:00:00 host process[123]: `.
fn syslog(text: &str) -> Stripped<'_> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // The space comes first: twelve comparisons per line would cost more than everything else here.
    let rest = text.get(3..)?.strip_prefix(' ').filter(|_| MONTHS.contains(&&text[..3]))?;
    let rest = strip_digits(rest.trim_start(), 1)?.strip_prefix(' ')?;
    let rest = clock_time(rest)?.strip_prefix(' ')?;
    let (_host, rest) = rest.split_once(' ')?;
    let (process, rest) = rest.split_once(": ")?;
    (!process.contains(' ')).then_some((rest, Mark::None))
}

#[cfg(test)]
mod tests {
    use crate::lines::{Lines, without_escapes};

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
}
