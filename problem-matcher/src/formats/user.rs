//! Matchers of the user's own: `[[matcher]]` in `recovery.toml`, and problem matchers of GitHub and VS Code as they are.
//!
//! They are few, so each is tried on every line, before the built-in ones. Their expressions are compiled at once:
//! a mistake is an error when the settings are read, not a problem that is silently missing.

use super::definition::{Definition, Matching};
use super::errorformat::Errorformat;
use super::matcher::{Match, Matcher};
use super::{MAX_LINE_BYTES, founds};
use crate::lines::Lines;
use crate::matcher::Found;
use serde::Deserialize as _;
use serde_json::Value;
use std::collections::BTreeSet;

/// A user's matcher that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("matcher `{id}`: {problem}")]
pub struct MatcherError {
    /// The matcher.
    pub id: String,
    /// What is wrong with it.
    pub problem: String,
}

/// Matchers, ready to match.
#[derive(Debug, Default)]
pub struct UserMatchers {
    all: Vec<(Definition, Compiled)>,
    left_out: BTreeSet<String>,
}

#[derive(Debug)]
enum Compiled {
    Patterns(Matcher),
    Errorformat(Errorformat),
}

impl UserMatchers {
    /// Compiles `definitions`.
    ///
    /// # Errors
    /// When an expression or errorformat is invalid.
    pub fn new(definitions: impl IntoIterator<Item = Definition>) -> Result<Self, MatcherError> {
        let compile = |definition: Definition| {
            let compiled = match &definition.matching {
                Matching::Patterns(patterns) => {
                    Matcher::compile(patterns, true).map(Compiled::Patterns).map_err(|e| e.to_string())
                }
                Matching::Errorformat(strings) => Errorformat::compile(strings).map(Compiled::Errorformat),
            };
            match compiled {
                Ok(compiled) => Ok((definition, compiled)),
                Err(problem) => Err(MatcherError { id: definition.id.into_owned(), problem }),
            }
        };
        let all = definitions.into_iter().map(compile).collect::<Result<_, _>>()?;
        Ok(Self { all, left_out: BTreeSet::new() })
    }

    /// Leaves out built-in formats and reports, by their ids: what would be found if they were not known.
    #[must_use]
    pub fn without(mut self, ids: impl IntoIterator<Item = String>) -> Self {
        self.left_out.extend(ids);
        self
    }

    /// Whether a built-in format or report is left out.
    pub(crate) fn leaves_out(&self, id: &str) -> bool {
        !self.left_out.is_empty() && self.left_out.contains(id)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What the matchers recognise, with the index of its first line; the first matcher that takes a line has it.
    pub(crate) fn find_all(&self, lines: &Lines<'_>) -> Vec<(usize, Vec<Found>)> {
        let mut taken = vec![false; lines.len()];
        let mut all = Vec::new();
        for (definition, compiled) in &self.all {
            let matches = match compiled {
                Compiled::Errorformat(errorformat) => errorformat.find_all(definition, lines),
                Compiled::Patterns(matcher) => find_patterns(definition, matcher, lines),
            };
            for (start, matched) in matches {
                let its_lines = &mut taken[start..start + matched.lines];
                if !its_lines.contains(&true) {
                    its_lines.fill(true);
                    all.push((start, founds(definition, matched)));
                }
            }
        }
        all.sort_by_key(|(start, _)| *start);
        all
    }
}

fn find_patterns(definition: &Definition, matcher: &Matcher, lines: &Lines<'_>) -> Vec<(usize, Match)> {
    let mut all = Vec::new();
    let mut start = 0;
    while start < lines.len() {
        let cursor = lines.cursor(start);
        let is_short = cursor.text().len() <= MAX_LINE_BYTES;
        let Some(matched) = is_short.then(|| matcher.match_at(definition, &cursor)).flatten() else {
            start += 1;
            continue;
        };
        let next = start + matched.lines.max(1);
        all.push((start, matched));
        start = next;
    }
    all
}

/// Reads the problem matchers of a JSON file: GitHub's (`{"problemMatcher": [...]}`), VS Code's `tasks.json` and the
/// `contributes.problemMatchers` of an extension, or a bare list.
///
/// # Errors
/// When a matcher is not of that form, or there is none.
pub fn definitions_from_json(json: &Value) -> Result<Vec<Definition>, String> {
    let mut written = Vec::new();
    collect(json, &mut written);
    let mut unnamed = 0;
    let definitions = written.into_iter().map(|matcher| {
        let mut matcher = matcher.clone();
        if let Value::Object(fields) = &mut matcher {
            // VS Code's name comes first, then the owner of its problems; `tasks.json` may give neither.
            let id = fields.remove("name").or_else(|| fields.get("owner").cloned()).unwrap_or_else(|| {
                unnamed += 1;
                Value::from(format!("matcher-{unnamed}"))
            });
            fields.remove("owner");
            fields.insert("id".to_owned(), id);
        }
        Definition::deserialize(&matcher).map_err(|error| error.to_string())
    });
    let definitions: Vec<Definition> = definitions.collect::<Result<_, _>>()?;
    if definitions.is_empty() { Err("there is no `problemMatcher` in it".to_owned()) } else { Ok(definitions) }
}

fn collect<'j>(json: &'j Value, written: &mut Vec<&'j Value>) {
    match json {
        Value::Array(all) => all.iter().for_each(|one| collect(one, written)),
        Value::Object(fields) if fields.contains_key("pattern") => written.push(json),
        Value::Object(fields) => {
            for inner in ["problemMatcher", "problemMatchers", "contributes", "tasks"] {
                fields.get(inner).into_iter().for_each(|inner| collect(inner, written));
            }
        }
        // The name of a matcher that VS Code brings (`$tsc`): the built-in ones know it.
        _ => {}
    }
}
