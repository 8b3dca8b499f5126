//! Required literals: short texts of which every match of a pattern contains at least one.
//!
//! In: the text and the pattern of a row. Out: what the scan looks for so that it finds every line on which the row can
//! count, as rarely as possible on others. The text of a row is often a common word (`error`, `.go:`) and its pattern says
//! what else must be on the line; trying the pattern at each such word is what takes the time in real logs. So where the
//! pattern requires something rarer than the text, that is searched for, and the text is looked up on the lines found.
//!
//! The method is that of literal prefilters in regex engines (RE2's `Prefilter`, the `regex`
//! crate's inner literals): the set of strings of a part is kept while it is small, a sequence takes the best set of its
//! parts, alternatives add their sets up.

use super::rarity;
use regex_syntax::hir::{Class, Hir, HirKind};

/// A part of a pattern that can match more strings than this has no exact set.
const MAX_STRINGS: usize = 64;
/// More literals than this are not searched for one row: each costs room in the tables of the scan.
const MAX_LITERALS: usize = 24;
/// A repeated part or a class of more bytes than this, letters in either case counted once, has no exact set.
const MAX_CLASS_BYTES: usize = 10;
/// The shortest literal that is searched for.
const MIN_BYTES: usize = 3;
/// Longer ones are cut: so much is rare enough.
const MAX_BYTES: usize = 32;

/// Words that logs are full of, whatever their letters make one expect.
const COMMON: [&str; 44] = [
    "error", "errors", "fail", "failed", "failure", "test", "tests", "code", "install", "package", "found", "download",
    "downloading", "exception", "file", "line", "build", "module", "version", "warning", "exit", "compil", "compiling",
    "format", "status", "connect", "not found", "require", "unknown", "runtime", "expected", "class", "type", "name",
    "type", "import", "invalid", "no such", "could not", "cannot", "unable to", "failed to", "passed", "process",
];

/// What the scan looks for in place of `text`; `None` where nothing rarer than the text is required.
pub(crate) fn required(text: &str, pattern: &str) -> Option<Vec<String>> {
    let hir = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).ok()?;
    let literals = Part::of(&hir).required().filter(|literals| literals.len() <= MAX_LITERALS)?;
    (2.0 * frequency(&literals) < frequency(&[text.as_bytes().to_vec()]))
        .then(|| literals.into_iter().map(String::from_utf8).collect::<Result<_, _>>().ok())?
}

type Strings = Vec<Vec<u8>>;

/// What is known of the matches of a part of a pattern, in lower case.
struct Part {
    /// All strings that it can match.
    exact: Option<Strings>,
    /// Strings of which each match contains one.
    inner: Option<Strings>,
}

impl Part {
    const UNKNOWN: Self = Self { exact: None, inner: None };

    fn exactly(mut strings: Strings) -> Self {
        strings.sort();
        strings.dedup();
        Self { exact: (strings.len() <= MAX_STRINGS).then_some(strings), inner: None }
    }

    fn of(hir: &Hir) -> Self {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Self::exactly(vec![Vec::new()]),
            HirKind::Literal(literal) => Self::exactly(vec![literal.0.to_ascii_lowercase()]),
            HirKind::Class(class) => Self::of_class(class),
            HirKind::Capture(capture) => Self::of(&capture.sub),
            HirKind::Repetition(repetition) => {
                let part = Self::of(&repetition.sub);
                match (repetition.min, repetition.max) {
                    (1, Some(1)) => part,
                    (0, Some(1)) => part.exact.map_or(Self::UNKNOWN, |mut strings| {
                        strings.push(Vec::new());
                        Self::exactly(strings)
                    }),
                    (0, _) => Self::UNKNOWN,
                    _ => Self { exact: None, inner: part.required() },
                }
            }
            HirKind::Concat(parts) => Self::of_sequence(parts),
            HirKind::Alternation(ways) => Self::of_alternatives(ways),
        }
    }

    fn of_class(class: &Class) -> Self {
        let Class::Bytes(class) = class else { return Self::UNKNOWN };
        let mut bytes: Vec<u8> =
            class.iter().flat_map(|range| range.start()..=range.end()).map(|byte| byte.to_ascii_lowercase()).collect();
        bytes.sort_unstable();
        bytes.dedup();
        if bytes.len() > MAX_CLASS_BYTES {
            Self::UNKNOWN
        } else {
            Self::exactly(bytes.iter().map(|b| vec![*b]).collect())
        }
    }

    fn of_sequence(parts: &[Hir]) -> Self {
        let (mut run, mut best, mut is_exact) = (vec![Vec::new()], None, true);
        for part in parts {
            let part = Self::of(part);
            let joined = part.exact.as_ref().and_then(|strings| product(&run, strings));
            if let Some(joined) = joined {
                run = joined;
                continue;
            }
            is_exact = false;
            take_better(&mut best, usable(run));
            take_better(&mut best, part.inner);
            run = part.exact.unwrap_or_else(|| vec![Vec::new()]);
        }
        if is_exact {
            return Self::exactly(run);
        }
        take_better(&mut best, usable(run));
        Self { exact: None, inner: best }
    }

    fn of_alternatives(ways: &[Hir]) -> Self {
        let ways: Vec<Self> = ways.iter().map(Self::of).collect();
        let exact: Option<Strings> =
            ways.iter().map(|way| way.exact.clone()).collect::<Option<Vec<_>>>().map(|ways| ways.concat());
        if let Some(strings) = exact {
            let part = Self::exactly(strings.clone());
            return if part.exact.is_some() { part } else { Self { exact: None, inner: usable(strings) } };
        }
        let inner: Option<Vec<Strings>> = ways.into_iter().map(Self::required).collect();
        Self { exact: None, inner: inner.and_then(|ways| usable(ways.concat())) }
    }

    fn required(self) -> Option<Strings> {
        let mut best = self.inner;
        take_better(&mut best, self.exact.and_then(usable));
        best
    }
}

/// Every string of one set followed by every one of another; `None` where that are too many.
fn product(heads: &Strings, tails: &Strings) -> Option<Strings> {
    let strings = heads.iter().flat_map(|head| tails.iter().map(move |tail| [&head[..], tail].concat()));
    (heads.len() * tails.len() <= MAX_STRINGS).then(|| strings.collect())
}

/// The set as it is searched for: cut, without strings that contain others. `None` where one of them is too short.
fn usable(mut strings: Strings) -> Option<Strings> {
    for string in &mut strings {
        string.truncate(MAX_BYTES);
    }
    strings.sort_by_key(Vec::len);
    let mut kept: Strings = Vec::new();
    for string in strings {
        let contains = |part: &Vec<u8>| string.windows(part.len()).any(|window| window == &part[..]);
        if string.len() < MIN_BYTES || !string.is_ascii() {
            return None;
        }
        if !kept.iter().any(contains) {
            kept.push(string);
        }
    }
    Some(kept)
}

fn take_better(best: &mut Option<Strings>, other: Option<Strings>) {
    let Some(other) = other else { return };
    if best.as_ref().is_none_or(|best| frequency(&other) < frequency(best)) {
        *best = Some(other);
    }
}

/// How often one of these is to be expected, per byte of a log: by the letters, but a word of its own is never rarer than
/// words are, and some words are common.
fn frequency(literals: &[Vec<u8>]) -> f64 {
    let of = |literal: &Vec<u8>| {
        let word = literal.trim_ascii();
        let is_extension = matches!(literal[..], [b'.', .., b':']) && literal.len() <= 7;
        let least = if is_extension || COMMON.iter().any(|common| common.as_bytes() == word) {
            1.0 / 1024.0
        } else if literal.len() <= 4 {
            1.0 / 2048.0
        } else if word.iter().all(u8::is_ascii_alphabetic) {
            1.0 / 16384.0
        } else {
            0.0
        };
        (-f64::from(rarity::surprise(literal)) / 8.0).exp2().max(least)
    };
    literals.iter().map(of).sum()
}
