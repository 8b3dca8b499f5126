//! How indicators are written down: `[[indicator]]` tables of TOML, the same for built-in packs and for a user's own rows.
//!
//! This file is compiled twice. The crate parses the rows of `recovery.toml` with it at run time, and `build/` parses
//! `packs/` with it and writes constant tables. So it depends on serde alone.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How strongly an indicator counts without others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Strength {
    /// The closing line of a run that failed: how many tests failed, that the compilation failed.
    Summary,
    /// Only a failure of this kind prints it.
    Decisive,
    /// It points to a failure of this kind; a decisive indicator takes precedence.
    Suggestive,
    /// The closing line of a run that succeeded: what is above it was no failure.
    Success,
}

/// What an indicator means for other indicators, besides its strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Nothing.
    #[default]
    Report,
    /// A success of the whole run: it clears the summaries of parts that failed before it.
    WholeRun,
    /// Something that failed is run again: a success after it clears the summaries before it.
    Rerun,
    /// The heading of a document or the start of source code: without an exit code, what follows is no report.
    Document,
    /// It announces that something failed (a tool that runs others, a count, a hint), and another indicator names the cause.
    Echo,
}

/// Where an indicator's text must occur to count. All conditions hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard<'a> {
    /// No letter, digit or underscore touches the text.
    pub word: bool,
    /// Nothing but blanks, a time stamp, a log tag or a mark is before it on its line.
    pub line_start: bool,
    /// Counts on warnings and log notes as well.
    pub aside: bool,
    /// A regular expression that must match the line's content, which begins after time stamps and log tags.
    pub pattern: Option<&'a str>,
    /// A regular expression that the line's content must not match.
    pub unless: Option<&'a str>,
}

/// One row of a pack as it is written down; a user's rows have the fields of built-in ones.
///
/// ```
/// use failure_taxonomy::{PackName, Taxonomy, UserIndicator};
/// let row = UserIndicator {
///     id: "acme.lease".into(),
///     text: "lease held by".into(),
///     error_type: "lock_contention".into(),
///     ..UserIndicator::default()
/// };
/// let taxonomy = Taxonomy::builder(PackName::Field).indicator(row).build().unwrap();
/// assert!(taxonomy.indicator("acme.lease").is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserIndicator {
    /// Stable name; no other row has it.
    pub id: String,
    /// What is looked for; ASCII case does not matter.
    pub text: String,
    /// One of the closed list of error types.
    pub error_type: String,
    /// How strongly it counts without others.
    #[serde(default = "decisive")]
    pub strength: Strength,
    /// What it means for other indicators.
    #[serde(default)]
    pub role: Role,
    /// Counts only as whole words.
    #[serde(default)]
    pub word: bool,
    /// Counts only where a line begins.
    #[serde(default)]
    pub line_start: bool,
    /// Counts on warnings and log notes as well.
    #[serde(default)]
    pub aside: bool,
    /// A regular expression that the line's content must match as well. In TOML also a list of its alternatives, and
    /// `(?&name)` is the fragment of that name.
    #[serde(default, deserialize_with = "pattern")]
    pub pattern: Option<String>,
    /// A regular expression that the line's content must not match; written like `pattern`.
    #[serde(default, deserialize_with = "pattern")]
    pub unless: Option<String>,
    /// The tool that prints it.
    #[serde(default)]
    pub tool: Option<String>,
    /// A line that must hit.
    #[serde(default)]
    pub hits: Option<String>,
    /// A line that must not hit.
    #[serde(default)]
    pub misses: Option<String>,
}

const fn decisive() -> Strength {
    Strength::Decisive
}

impl Default for UserIndicator {
    fn default() -> Self {
        Self {
            id: String::new(),
            text: String::new(),
            error_type: String::new(),
            strength: decisive(),
            role: Role::Report,
            word: false,
            line_start: false,
            aside: false,
            pattern: None,
            unless: None,
            tool: None,
            hits: None,
            misses: None,
        }
    }
}

impl UserIndicator {
    /// Where the text must occur to count.
    pub(crate) fn guard(&self) -> Guard<'_> {
        Guard {
            word: self.word,
            line_start: self.line_start,
            aside: self.aside,
            pattern: self.pattern.as_deref(),
            unless: self.unless.as_deref(),
        }
    }

    /// Replaces every `(?&name)` in the patterns by the fragment of that name.
    ///
    /// # Errors
    /// The name of a fragment that is not defined.
    pub(crate) fn expand(&mut self, fragments: &Fragments) -> Result<(), String> {
        for pattern in [&mut self.pattern, &mut self.unless].into_iter().flatten() {
            *pattern = expand(pattern, fragments)?;
        }
        Ok(())
    }
}

/// Parts of patterns that several rows share, by name: the `[fragment]` table.
pub type Fragments = BTreeMap<String, Fragment>;

/// A part of a pattern: a regular expression, or a list of alternatives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Fragment {
    /// Inserted as it is.
    One(String),
    /// Inserted as a group in which any of them matches.
    AnyOf(Vec<String>),
}

fn pattern<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Some(match Fragment::deserialize(deserializer)? {
        Fragment::One(pattern) => pattern,
        Fragment::AnyOf(alternatives) => alternatives.join("|"),
    }))
}

fn expand(pattern: &str, fragments: &Fragments) -> Result<String, String> {
    const OPEN: &str = "(?&";
    let (mut expanded, mut rest) = (String::new(), pattern);
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (name, after) = after.split_once(')').ok_or_else(|| after.to_owned())?;
        expanded.push_str(before);
        match fragments.get(name).ok_or_else(|| name.to_owned())? {
            Fragment::One(pattern) => expanded.push_str(pattern),
            Fragment::AnyOf(alternatives) => {
                expanded.push_str("(?:");
                expanded.push_str(&alternatives.join("|"));
                expanded.push(')');
            }
        }
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}
