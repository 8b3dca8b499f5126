//! Which lines of an output count, best first.
//!
//! In: a request with its output. Out: a [`Case`], whose lines are, in this order, the root-cause problem's message, its
//! line and its causes; the lines that the diagnosis was read from; and the lines beside these. Where no diagnosis named
//! a line, the telling ones among the last lines take their place. Steps are made from these lines only, so that what
//! the output contains elsewhere (a retry, a test's own print, a passing warning) cannot decide.

use super::words::{plain, quote};
use crate::directive::one_line;
use recovery_types::diagnosis::Location;
use recovery_types::{ErrorType, Problem, RepairRequest};

/// How many lines above and below an evidence line are looked at as well.
const LINES_ABOVE: usize = 4;
const LINES_BELOW: usize = 7;
/// The longest word for a severity that tools put before a place: `[WARNING] `.
const LEVEL_BYTES: usize = 12;
/// How much of a line is looked at: each row is compared with every place in it.
const LINE_BYTES: usize = 2 << 10;
/// How many of the last lines are looked at where no diagnosis named any.
const LAST_LINES: usize = 80;

/// A failure as the step rules see it.
pub struct Case<'a> {
    /// The request.
    pub request: &'a RepairRequest,
    /// The output, without colours.
    pub text: &'a str,
    lines: Vec<&'a str>,
    joined: String,
}

impl<'a> Case<'a> {
    /// Collects the evidence of a request; `text` is its output without colours.
    #[must_use]
    pub fn new(request: &'a RepairRequest, text: &'a str) -> Self {
        let all: Vec<&str> = text.lines().collect();
        let mut lines: Vec<&'a str> = Vec::new();
        let mut anchors: Vec<usize> = Vec::new();
        if let Some(problem) = &request.problem {
            lines.push(&problem.message);
            anchors.extend(line_of_problem(problem, &all));
            lines.extend(anchors.iter().map(|at| all[*at]));
            lines.extend(problem.causes.iter().rev().map(String::as_str));
        }
        let decisive = |hit: &&recovery_types::IndicatorHit| request.row.as_deref() == Some(hit.id.as_str());
        let hits = request.indicators.iter().filter(decisive);
        let hits = hits.chain(request.indicators.iter().filter(|hit| !decisive(hit)));
        for at in hits.filter_map(|hit| line_of_hit(hit.line, &hit.text, &all)) {
            if !anchors.contains(&at) {
                anchors.push(at);
                lines.push(all[at]);
            }
        }
        if anchors.is_empty() {
            let last = &all[all.len().saturating_sub(LAST_LINES)..];
            for strength in [Strength::Strong, Strength::Weak, Strength::None] {
                lines.extend(last.iter().filter(|line| strength_of(line) == strength));
            }
        }
        for at in &anchors {
            let below = (at + 1..=at + LINES_BELOW).filter_map(|near| all.get(near));
            let above = (1..=LINES_ABOVE).filter_map(|back| all.get(at.checked_sub(back)?));
            lines.extend(below.chain(above));
        }
        // Without a root cause, what the last lines state clearly counts too, though less than what the diagnosis rests on.
        if request.problem.is_none() && !anchors.is_empty() {
            let last = &all[all.len().saturating_sub(LAST_LINES)..];
            lines.extend(last.iter().filter(|line| strength_of(line) == Strength::Strong));
        }
        lines.retain(|line| !line.trim().is_empty());
        for line in &mut lines {
            *line = &line[..line.floor_char_boundary(LINE_BYTES)];
        }
        let joined = lines.join("\n");
        Self { request, text, lines, joined }
    }

    /// The evidence, best first.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.lines.iter().copied()
    }

    /// The evidence as one text, for quick searches.
    #[must_use]
    pub fn joined(&self) -> &str {
        &self.joined
    }

    /// What to quote: the root cause's message, else the most specific evidence line.
    #[must_use]
    pub fn headline(&self) -> Option<String> {
        let problem = self.request.problem.as_ref();
        // A line that only looks specific gives way to one that is more so.
        let is_guess = |problem: &Problem| problem.tool.is_none() && problem.file.is_none() && problem.test.is_none();
        let is_unspecific = |problem: &Problem| is_guess(problem) && strength_of(&problem.message) == Strength::None;
        let message = problem.map(|problem| problem.message.as_str()).filter(|message| !message.trim().is_empty());
        let better = || best_of(self.lines()).filter(|line| strength_of(line) == Strength::Strong);
        let line = match message {
            Some(message) if problem.is_some_and(is_unspecific) => better().or(Some(message)),
            Some(message) => Some(message),
            None => best_of(self.lines()),
        };
        line.map(quote).filter(|line| !line.is_empty())
    }

    /// The evidence line that is about one of `needles` (in lower case), to be quoted; else the [`headline`](Self::headline).
    #[must_use]
    pub fn line_about(&self, needles: &[&str]) -> Option<String> {
        let is_about = |line: &str| {
            let lower = line.to_ascii_lowercase();
            needles.iter().any(|needle| lower.contains(needle))
        };
        let is_informative = |line: &str| is_about(line) && !is_frame(line) && !is_usage(&line.to_ascii_lowercase());
        // "Could not connect" is more specific than "Retrying...".
        let tries_again = |line: &str| {
            let lower = line.to_ascii_lowercase();
            ["retrying", "reconnecting", "awaiting response", "will retry"].iter().any(|words| lower.contains(words))
        };
        let headline = self.headline();
        if headline.as_deref().is_some_and(|line| is_informative(line) && !tries_again(line)) {
            return headline;
        }
        let plain = self.lines().find(|line| is_informative(line) && !tries_again(line));
        plain.or_else(|| self.lines().find(|line| is_informative(line))).map(quote).or(headline)
    }

    /// Where the project's own code is to be looked at; never a file of a runtime or of an installed package.
    #[must_use]
    pub fn place(&self) -> Option<Location> {
        let problem = self.request.problem.as_ref().and_then(Problem::location);
        problem.or_else(|| self.request.location.clone()).filter(|place| !is_foreign(&place.file))
    }

    /// Whether the root cause is a remark of a tool about a line of a file: then it is the file that wants a change, and how
    /// the tool was called is right. A script's own line is where a command failed, which is something else.
    #[must_use]
    pub fn is_remark_on_code(&self) -> bool {
        let Some(problem) = self.request.problem.as_ref().filter(|problem| problem.line.is_some()) else {
            return false;
        };
        problem.file.as_deref().is_some_and(|file| {
            let is_script = [".sh", ".bash", ".zsh", ".ps1", ".bat"].iter().any(|end| file.ends_with(end));
            // A place further right is that of the tool's own source, as OpenSSL prints it.
            let own =
                problem.text_line.and_then(|line| self.text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?));
            let begins = own.and_then(|line| line.find(file)).is_some_and(|at| at <= LEVEL_BYTES);
            // Terraform prints the place below the message.
            let is_below = problem.tool.as_deref() == Some("terraform");
            !is_script && (begins || is_below) && !is_foreign(file)
        })
    }

    /// Whether the failure is of type `error`: by the diagnosis, or, without one, as an evidence line with one of
    /// `signs` (in lower case) does.
    #[must_use]
    pub fn is(&self, error: ErrorType, signs: &[&str]) -> bool {
        self.request.error_type.map_or_else(|| self.mentions(signs), |stated| stated == error)
    }

    /// Whether an evidence line contains one of `needles`, which are in lower case.
    #[must_use]
    pub fn mentions(&self, needles: &[&str]) -> bool {
        self.lines().any(|line| {
            let lower = line.to_ascii_lowercase();
            needles.iter().any(|needle| lower.contains(needle))
        })
    }
}

/// Whether a file belongs to a runtime, a tool or an installed package: nobody fixes the project there.
#[must_use]
pub fn is_foreign(file: &str) -> bool {
    const STARTS: &[&str] =
        &["node:", "<", "/usr/lib/", "/usr/bin/", "/usr/local/lib/", "/rustc/", "_ssl.c", "internal/modules/"];
    const PARTS: &[&str] =
        &["/site-packages/", "/dist-packages/", "node_modules/", "/.cargo/registry/", "/go/pkg/mod/", "/gems/"];
    STARTS.iter().any(|start| file.starts_with(start)) || PARTS.iter().any(|part| file.contains(part))
}

/// The most specific line of an output about the failure: the first that names an error, else the last with any words.
///
/// ```
/// let text = "== FAILURES ==\n  at a.js:3\nTypeError: x is not a function\nnpm error code ELIFECYCLE";
/// assert_eq!(node_repair::step::telling_line(text).as_deref(), Some("TypeError: x is not a function"));
/// ```
#[must_use]
pub fn telling_line(text: &str) -> Option<String> {
    best_of(plain(text).lines()).map(one_line).filter(|line| !line.is_empty())
}

fn best_of<'a>(lines: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (mut weak, mut last) = (None, None);
    for line in lines.filter(|line| line.chars().any(char::is_alphanumeric)) {
        match strength_of(line) {
            Strength::Strong => return Some(line),
            Strength::Weak => weak = weak.or(Some(line)),
            Strength::None if is_frame(line) => {}
            Strength::None => last = Some(line),
        }
    }
    weak.or(last)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    Strong,
    Weak,
    None,
}

/// How specific a line is about a failure, by how tools word errors.
fn strength_of(line: &str) -> Strength {
    /// Announce an error without saying what it is.
    const EMPTY: &[&str] = &[
        "build failed",
        "compilation error",
        "process completed with exit code",
        "failed tests",
        "could not compile",
        "aborting due to",
        "for more information",
        "run with --stacktrace",
        "completed with errors",
        "failed with errors",
        "code elifecycle",
        "a complete log of this run",
        "0 errors",
        "0 failed",
        "0 failures",
        "failures: 0",
        "errors: 0",
        "no errors",
        "npm err! code",
        "npm error code",
        "while executing gem",
        "please see the error message above",
        "if that is not the case",
    ];
    const STRONG: &[&str] = &[
        "error:", "error[", "error -", "error]", "error ", "exception", "fatal", "panicked at", "denied", "not found",
        "no such file", "cannot ", "can't ", "could not", "couldn't", "unable to", "refused", "timed out", "too long",
        "exceeded", "exceeds", "no space left", "insufficient", "conflict (", "failed:", "unauthorized", "forbidden",
    ];
    const WEAK: &[&str] = &[
        "fail", "error", "invalid", "unknown", "undefined", "unexpected", "assert", "missing", "must ", "required",
        "not ", "limit", "too low", "abort",
    ];
    let bare = without_prefix(line).trim();
    let lower = bare.to_ascii_lowercase();
    if bare.starts_with("##[group]")
        || is_frame(bare)
        || is_banner(bare)
        || is_usage(&lower)
        || EMPTY.iter().any(|words| lower.contains(words))
    {
        return Strength::None;
    }
    // `make: *** [all] Error 1` repeats what its recipe printed.
    if lower.starts_with("make") && lower.contains("***") && lower.contains("error ") && !lower.contains("no rule") {
        return Strength::None;
    }
    let warns =
        ["warning", "warn ", "npm warn", "[info]", "info:", "debug", "note:", "help:", "+ ", "$ ", "downloading"];
    let warns = warns.iter().any(|start| lower.starts_with(start));
    let is_assertion = bare.starts_with("E  ");
    match () {
        () if warns => Strength::None,
        () if is_assertion || STRONG.iter().any(|sign| lower.contains(sign)) => Strength::Strong,
        () if WEAK.iter().any(|sign| lower.contains(sign)) => Strength::Weak,
        () => Strength::None,
    }
}

/// A frame of a stack trace, or source text that a trace quotes.
fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    let starts = ["at ", "File \"", "raise ", "throw ", "from ", "Traceback", "During handling", "The above exception"];
    starts.iter().any(|start| line.starts_with(start)) || line.starts_with('^') || line.starts_with('|')
}

/// A ruled heading such as `===== FAILURES =====` or `⎯⎯ Failed Tests 1 ⎯⎯`.
fn is_banner(line: &str) -> bool {
    let rule = |c: char| "=-_*#~─━⎯".contains(c);
    line.chars().filter(|c| rule(*c)).count() * 2 > line.chars().count()
        || (line.starts_with(rule) && line.ends_with(rule) && line.len() > 4)
}

/// A line of a usage text, of a data stream's frame or of a document's head: it has nothing about the failure.
fn is_usage(lower: &str) -> bool {
    const STARTS: &[&str] = &[
        "usage:", "or: ", "where <", "try '", "try `", "see '", "see `", "<?xml", "<!doctype", "event:",
        "data: [done]", "for more details", "for more help", "for usage",
    ];
    STARTS.iter().any(|start| lower.starts_with(start))
}

/// `line` without what a CI log puts before it: a time stamp, a marker of GitHub Actions or Travis.
#[must_use]
pub fn without_prefix(line: &str) -> &str {
    let mut line = line.trim();
    // What Travis hides ends with a carriage return.
    if line.starts_with("travis_") || line.starts_with("section_") {
        line = line.rsplit('\r').next().unwrap_or(line).trim();
    }
    if let Some((stamp, rest)) = line.split_once(' ') {
        let dated = stamp.len() >= 20 && stamp.ends_with('Z') && stamp.as_bytes().get(10) == Some(&b'T');
        if dated {
            line = rest.trim_start();
        }
    }
    for marker in ["##[error]", "::error::"] {
        line = line.strip_prefix(marker).unwrap_or(line);
    }
    line
}

/// The line of the output that a problem was read from. A cut output has other line numbers: then the first with its words.
fn line_of_problem(problem: &Problem, all: &[&str]) -> Option<usize> {
    let head: String = problem.message.trim().chars().take(24).collect();
    let at = problem.text_line.and_then(|line| usize::try_from(line).ok()?.checked_sub(1));
    let stated = at.filter(|at| all.get(*at).is_some_and(|line| line.contains(&head)));
    let found = || all.iter().position(|line| !head.is_empty() && line.contains(&head));
    stated.or_else(found).or_else(|| at.filter(|at| *at < all.len()))
}

/// The line of an indicator, where it holds the indicator's text; else the first line that does.
fn line_of_hit(line: u64, text: &str, all: &[&str]) -> Option<usize> {
    let wanted = text.to_ascii_lowercase();
    let holds = |line: &&str| line.to_ascii_lowercase().contains(&wanted);
    let at = usize::try_from(line).ok().and_then(|line| line.checked_sub(1));
    let stated = at.filter(|at| all.get(*at).is_some_and(holds));
    stated.or_else(|| all.iter().position(holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row compared itself with every place of such a line: minutes for a megabyte.
    #[test]
    fn a_long_line_takes_no_long_time() {
        for piece in ["\"", "\\\"", "no such file 'x "] {
            let text = piece.repeat(400_000 / piece.len());
            let request = RepairRequest::default();
            let case = Case::new(&request, &text);
            assert!(case.lines().all(|line| line.len() <= LINE_BYTES) && case.lines().count() > 0);
        }
    }
}
