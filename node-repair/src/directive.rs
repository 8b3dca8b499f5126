//! The documented directive lines, written and read.
//!
//! `RETRY: adjustment`, `DECOMPOSE: a | b | c`, `PRUNE: justification`, `ESCALATE: tried | decision`. A `|` inside a part
//! of DECOMPOSE or ESCALATE is written `\|`; backslashes are doubled only right before a `|` or at a part's end, so that
//! paths and commands stay readable. RETRY and PRUNE have one part, which is taken unchanged.

use recovery_types::Strategy;
use std::borrow::Cow;
use std::fmt;

/// A directive: the strategy with its text. Every text is one line, without space at its ends.
///
/// ```
/// use node_repair::{Directive, parse_directive};
/// let line = "DECOMPOSE: write the parser | pipe `a \\| b` runs";
/// let directive = parse_directive(line).unwrap();
/// assert_eq!(directive, Directive::Decompose(vec!["write the parser".into(), "pipe `a | b` runs".into()]));
/// assert_eq!(directive.to_string(), line);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// The adjustment to make first.
    Retry(String),
    /// The sub-tasks.
    Decompose(Vec<String>),
    /// The justification.
    Prune(String),
    /// What was tried, and what has to be decided.
    Escalate {
        /// What was tried.
        tried: String,
        /// What has to be decided.
        decision: String,
    },
}

impl Directive {
    /// The strategy it belongs to.
    #[must_use]
    pub const fn strategy(&self) -> Strategy {
        match self {
            Self::Retry(_) => Strategy::Retry,
            Self::Decompose(_) => Strategy::Decompose,
            Self::Prune(_) => Strategy::Prune,
            Self::Escalate { .. } => Strategy::Escalate,
        }
    }
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.strategy())?;
        match self {
            Self::Retry(text) | Self::Prune(text) => f.write_str(text),
            Self::Decompose(parts) => f.write_str(&join(parts.iter().map(String::as_str))),
            Self::Escalate { tried, decision } => f.write_str(&join([tried.as_str(), decision].into_iter())),
        }
    }
}

/// Reads a directive line; none where it has none of the four shapes.
#[must_use]
pub fn parse_directive(line: &str) -> Option<Directive> {
    let (name, rest) = line.split_once(": ")?;
    let rest = rest.trim();
    if rest.is_empty() {
        return None;
    }
    let strategy = Strategy::ALL.into_iter().find(|s| s.name() == name)?;
    Some(match strategy {
        Strategy::Retry => Directive::Retry(rest.to_owned()),
        Strategy::Prune => Directive::Prune(rest.to_owned()),
        Strategy::Decompose => {
            let parts = split(rest);
            if parts.len() < 2 || parts.iter().any(String::is_empty) {
                return None;
            }
            Directive::Decompose(parts)
        }
        Strategy::Escalate => {
            let [tried, decision] = <[String; 2]>::try_from(split(rest)).ok()?;
            Directive::Escalate { tried, decision }
        }
    })
}

/// `text` on one line: colours go, control characters and runs of space become one space, the ends are trimmed.
#[must_use]
pub fn one_line(text: &str) -> String {
    let text = uncoloured(text);
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// `text` without terminal colours.
pub(crate) fn uncoloured(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        kept.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let sequence =
            after.strip_prefix('[').map(|body| body.trim_start_matches(|c| matches!(c, '0'..='9' | ';' | ':' | '?')));
        // The letter that ends a sequence goes with it.
        rest = match sequence {
            Some(tail) => tail.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(tail),
            None => after,
        };
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

fn join<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    parts.map(escape).collect::<Vec<_>>().join(" | ")
}

fn escape(part: &str) -> String {
    let mut escaped = String::with_capacity(part.len());
    let mut backslashes = 0;
    for c in part.chars() {
        if c == '|' {
            escaped.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        escaped.push(c);
    }
    escaped.extend(std::iter::repeat_n('\\', backslashes));
    escaped
}

fn split(line: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut backslashes = 0;
    // Backslashes are held back until it is known what follows: before a `|`, and before the ` |` that ends a part,
    // they were doubled.
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            backslashes += 1;
            continue;
        }
        let doubled = c == '|' || (c == ' ' && chars.peek() == Some(&'|'));
        part.extend(std::iter::repeat_n('\\', if doubled { backslashes / 2 } else { backslashes }));
        if c == '|' && backslashes % 2 == 0 {
            parts.push(part.trim().to_owned());
            part.clear();
        } else {
            part.push(c);
        }
        backslashes = 0;
    }
    part.extend(std::iter::repeat_n('\\', backslashes / 2));
    parts.push(part.trim().to_owned());
    parts
}
