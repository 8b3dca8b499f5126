//! What a format is made of: the form in which users write theirs in `recovery.toml` and in which the built-in ones
//! are kept (`builtin/*.toml`).
//!
//! A definition has one pattern per line of what it recognises. A pattern is a regular expression; its groups are named
//! (`(?<file>...)`) or, as in GitHub's and VS Code's problem matchers, numbered by `file = 1`. This file is compiled into
//! `build.rs` too, which turns the built-in files into a `static` table, so that no file is parsed at start-up.
//!
//! All text is a [`Cow`], so that the built-in table is constant and users' definitions are owned.

use recovery_types::Severity;
use serde::Deserialize;
use std::borrow::Cow;

/// Text that is built in or a user's.
pub type Text = Cow<'static, str>;

/// What sort of problem it is, which decides what may be the root cause of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kind {
    /// A compiler or type checker rejected the code.
    Compile,
    /// A linter or formatter found fault with the code.
    Lint,
    /// A test failed.
    Test,
    /// An exception, a panic or a crash ended a program.
    Exception,
    /// A tool printed in one line why it failed.
    #[default]
    Tool,
    /// A line that reads like an error, of no known format.
    Generic,
    /// It only reports that something else failed (`make: *** [all] Error 2`, `Process completed with exit code 1`).
    Consequence,
}

/// One format.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Definition {
    /// The name by which `recovery explain` knows it.
    pub id: Text,
    /// The tool that prints it.
    pub tool: Text,
    /// What sort of problem it reports.
    pub kind: Kind,
    /// The severity where no group gives one.
    pub severity: Severity,
    /// How the lines are recognised.
    pub matching: Matching,
    /// Output that matches.
    pub example: Text,
    /// Output that resembles it and does not match.
    pub counter_example: Text,
}

/// How the lines of a format are recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matching {
    /// One pattern per line.
    Patterns(Cow<'static, [LinePattern]>),
    /// Vim's `errorformat`.
    Errorformat(Cow<'static, [Text]>),
}

/// What one line looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinePattern {
    /// The regular expression.
    pub regexp: Text,
    /// Text of which one must occur in the line. It is looked for before the expression is compiled.
    pub contains: Cow<'static, [Text]>,
    /// The groups by number; a named group needs no number.
    pub groups: Cow<'static, [(Field, usize)]>,
    /// Every further line that matches is one more problem. Only the last pattern may repeat.
    pub repeats: bool,
    /// The line may be missing.
    pub optional: bool,
    /// How many lines below the line before it may be found.
    pub within_lines: usize,
}

/// What a group of a pattern holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Field {
    /// The file.
    File,
    /// The line.
    Line,
    /// The column.
    Column,
    /// The last line of the range.
    EndLine,
    /// The last column of the range.
    EndColumn,
    /// `line`, `line,column` or `line,column,end_line,end_column`.
    Location,
    /// The text before the mark under the column (`   ^`).
    Pointer,
    /// The column, counted from 0.
    Offset,
    /// A word for the severity.
    Severity,
    /// The tool's code.
    Code,
    /// The message.
    Message,
    /// The failing test's name.
    Test,
}

impl Field {
    /// All of them, with the names of their groups.
    pub const NAMES: [(Self, &'static str); 12] = [
        (Self::File, "file"),
        (Self::Line, "line"),
        (Self::Column, "column"),
        (Self::EndLine, "end_line"),
        (Self::EndColumn, "end_column"),
        (Self::Location, "location"),
        (Self::Pointer, "pointer"),
        (Self::Severity, "severity"),
        (Self::Code, "code"),
        (Self::Message, "message"),
        (Self::Offset, "offset"),
        (Self::Test, "test"),
    ];
}

/// A definition as users write it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(alias = "owner", alias = "name")]
    id: String,
    #[serde(alias = "source")]
    tool: Option<String>,
    #[serde(default)]
    kind: Kind,
    severity: Option<String>,
    #[serde(default)]
    contains: Vec<String>,
    regexp: Option<String>,
    pattern: Option<OneOrMore<WrittenPattern>>,
    errorformat: Option<OneOrMore<String>>,
    #[serde(default)]
    example: String,
    #[serde(default)]
    counter_example: String,
    /// Settings of VS Code that control how an editor uses the matcher.
    #[serde(default, rename = "fileLocation")]
    _file_location: Ignored,
    #[serde(default, rename = "applyTo")]
    _apply_to: Ignored,
    #[serde(default, rename = "background", alias = "watching")]
    _background: Ignored,
    #[serde(default, rename = "label")]
    _label: Ignored,
    #[serde(default, rename = "base")]
    _base: Ignored,
    #[serde(default, rename = "autoDetect")]
    _auto_detect: Ignored,
}

type Ignored = Option<serde::de::IgnoredAny>;

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore<T> {
    More(Vec<T>),
    One(T),
}

impl<T> OneOrMore<T> {
    fn into_vec(self) -> Vec<T> {
        match self {
            Self::More(all) => all,
            Self::One(one) => vec![one],
        }
    }
}

/// A pattern as users write it; the numbers are VS Code's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPattern {
    regexp: String,
    #[serde(default)]
    contains: Vec<String>,
    file: Option<usize>,
    line: Option<usize>,
    #[serde(alias = "character")]
    column: Option<usize>,
    #[serde(alias = "endLine")]
    end_line: Option<usize>,
    #[serde(alias = "endColumn", alias = "endCharacter")]
    end_column: Option<usize>,
    location: Option<usize>,
    pointer: Option<usize>,
    severity: Option<usize>,
    code: Option<usize>,
    message: Option<usize>,
    #[serde(default, rename = "loop")]
    repeats: bool,
    #[serde(default)]
    optional: bool,
    within: Option<usize>,
    #[serde(default, rename = "kind")]
    _kind: Ignored,
    #[serde(default, rename = "name")]
    _name: Ignored,
}

impl WrittenPattern {
    fn groups(&self) -> Vec<(Field, usize)> {
        let numbers = [
            self.file, self.line, self.column, self.end_line, self.end_column, self.location, self.pointer,
            self.severity, self.code, self.message,
        ];
        Field::NAMES.iter().zip(numbers).filter_map(|((field, _), number)| Some((*field, number?))).collect()
    }
}

impl From<WrittenPattern> for LinePattern {
    fn from(written: WrittenPattern) -> Self {
        Self {
            groups: written.groups().into(),
            regexp: written.regexp.into(),
            contains: texts(written.contains),
            repeats: written.repeats,
            optional: written.optional,
            within_lines: written.within.unwrap_or(1).clamp(1, MAX_WITHIN_LINES),
        }
    }
}

/// How far apart two lines of one problem may be.
const MAX_WITHIN_LINES: usize = 20;

fn texts(all: Vec<String>) -> Cow<'static, [Text]> {
    all.into_iter().map(Cow::Owned).collect::<Vec<_>>().into()
}

impl TryFrom<Written> for Definition {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let id = &written.id;
        let mut matching = match (written.regexp, written.pattern, written.errorformat) {
            (Some(regexp), None, None) => {
                let pattern = LinePattern { regexp: regexp.into(), within_lines: 1, ..LinePattern::default() };
                Matching::Patterns(vec![pattern].into())
            }
            (None, Some(pattern), None) => {
                Matching::Patterns(pattern.into_vec().into_iter().map(LinePattern::from).collect::<Vec<_>>().into())
            }
            (None, None, Some(formats)) => Matching::Errorformat(texts(formats.into_vec())),
            _ => return Err(format!("matcher `{id}` needs one of `regexp`, `pattern` and `errorformat`")),
        };
        if let Matching::Patterns(patterns) = &mut matching {
            let patterns = patterns.to_mut();
            let Some((first, last)) = patterns.len().checked_sub(1).map(|last| (0, last)) else {
                return Err(format!("matcher `{id}` has no pattern"));
            };
            if !written.contains.is_empty() {
                patterns[first].contains = texts(written.contains);
            }
            if patterns[..last].iter().any(|pattern| pattern.repeats) {
                return Err(format!("matcher `{id}`: only the last pattern can have `loop`"));
            }
        }
        let severity = match written.severity.as_deref() {
            None => Severity::Error,
            Some(word) => severity_of(word)
                .ok_or_else(|| format!("matcher `{id}`: severity `{word}` is none of error, warning and note"))?,
        };
        Ok(Self {
            tool: written.tool.unwrap_or_else(|| written.id.clone()).into(),
            id: written.id.into(),
            kind: written.kind,
            severity,
            matching,
            example: written.example.into(),
            counter_example: written.counter_example.into(),
        })
    }
}

/// The severity that a tool's word for it means.
#[must_use]
pub fn severity_of(word: &str) -> Option<Severity> {
    let word = word.trim().trim_end_matches(':');
    let means = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    if means(&ERRORS) {
        Some(Severity::Error)
    } else if means(&WARNINGS) {
        Some(Severity::Warning)
    } else if means(&NOTES) {
        Some(Severity::Note)
    } else {
        None
    }
}

const ERRORS: [&str; 17] = [
    "error",
    "err",
    "e",
    "fatal",
    "fatal error",
    "f",
    "critical",
    "high",
    "severe",
    "failure",
    "failed",
    "panic",
    "✖",
    "×",
    "ERROR!",
    "internal compiler error",
    "✗",
];
const WARNINGS: [&str; 14] = [
    "warning", "warn", "w", "medium", "moderate", "convention", "c", "refactor", "r", "performance", "portability",
    "⚠", "!", "style",
];
const NOTES: [&str; 14] = [
    "note", "n", "info", "i", "information", "hint", "help", "remark", "suggestion", "low", "ignore", "ℹ", "notice",
    "⚡",
];
