//! A definition made ready to match: expressions compiled at their first use, groups resolved to fields.
//!
//! A match starts at one line and may take further ones. Work is bounded by the number of patterns times
//! [`LinePattern::within_lines`] per start, and a repeating pattern takes the lines it used, so a text is matched in linear time.

use super::definition::{Definition, Field, LinePattern, severity_of};
use crate::lines::Cursor;
use recovery_types::{Problem, Severity};
use regex::bytes::{Captures, Regex, RegexBuilder};
use std::sync::OnceLock;

/// The problems that start at one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// What was reported; never empty.
    pub problems: Vec<Problem>,
    /// How many lines belong to it, from the first.
    pub lines: usize,
}

/// The patterns of a definition.
#[derive(Debug)]
pub(super) struct Matcher {
    lines: Vec<LineMatcher>,
}

#[derive(Debug)]
struct LineMatcher {
    regexp: Regex,
    groups: Vec<(Field, usize)>,
    repeats: bool,
    optional: bool,
    within_lines: usize,
}

impl Matcher {
    /// Compiles `patterns`. `is_unicode` is for users' expressions: built-in ones stay in ASCII classes, which compile in a
    /// tenth of the time.
    pub fn compile(patterns: &[LinePattern], is_unicode: bool) -> Result<Self, regex::Error> {
        let lines =
            patterns.iter().map(|pattern| LineMatcher::compile(pattern, is_unicode)).collect::<Result<_, _>>()?;
        Ok(Self { lines })
    }

    /// Matches at the cursor.
    pub fn match_at(&self, definition: &Definition, cursor: &Cursor<'_, '_>) -> Option<Match> {
        let (first, rest) = self.lines.split_first()?;
        let mut draft = Draft::default();
        draft.fill(first, &first.captures(cursor.text())?, cursor, 0);
        if first.repeats {
            return self.repeat(definition, &Draft::default(), first, cursor, 0);
        }
        // Lines that were skipped may belong to something else, so only those above the first gap are taken.
        let mut taken = 1;
        let mut next = 1;
        for line in rest {
            if line.repeats {
                return self.repeat(definition, &draft, line, cursor, next);
            }
            let found = (next..next + line.within_lines)
                .map_while(|offset| Some((offset, cursor.ahead(offset)?)))
                .take_while(|(_, text)| line.within_lines == 1 || !first.regexp.is_match(text.as_bytes()))
                .find_map(|(offset, text)| Some((offset, line.captures(text)?)));
            match found {
                Some((offset, captures)) => {
                    draft.fill(line, &captures, cursor, offset);
                    next = offset + 1;
                    taken = if taken == offset { next } else { taken };
                }
                None if line.optional => {}
                None => return None,
            }
        }
        let problem = draft.finish(definition)?;
        Some(Match { problems: vec![problem], lines: taken })
    }

    /// The problems of a repeating pattern whose first line is at or below offset `from`. Lines that do not match may be
    /// between them as far as the pattern allows, but not the start of another match.
    fn repeat(
        &self,
        definition: &Definition,
        head: &Draft,
        line: &LineMatcher,
        cursor: &Cursor<'_, '_>,
        from: usize,
    ) -> Option<Match> {
        let mut problems = Vec::new();
        let mut end = from;
        let mut offset = from;
        while offset < end + line.within_lines {
            let Some(text) = cursor.ahead(offset) else { break };
            if let Some(captures) = line.captures(text) {
                let mut draft = head.clone();
                draft.fill(line, &captures, cursor, offset);
                problems.extend(draft.finish(definition));
                end = offset + 1;
            } else if line.within_lines > 1 && self.lines[0].regexp.is_match(text.as_bytes()) {
                break;
            }
            offset += 1;
        }
        (!problems.is_empty()).then_some(Match { problems, lines: end })
    }
}

impl LineMatcher {
    fn compile(pattern: &LinePattern, is_unicode: bool) -> Result<Self, regex::Error> {
        let regexp = RegexBuilder::new(&pattern.regexp).unicode(is_unicode).size_limit(MAX_REGEXP_BYTES).build()?;
        let mut groups = pattern.groups.to_vec();
        for (number, name) in regexp.capture_names().enumerate() {
            let field = name.and_then(|name| Field::NAMES.iter().find(|(_, known)| *known == name));
            groups.extend(field.map(|(field, _)| (*field, number)));
        }
        let LinePattern { repeats, optional, within_lines, .. } = *pattern;
        Ok(Self { regexp, groups, repeats, optional, within_lines })
    }

    fn captures<'t>(&self, line: &'t str) -> Option<Captures<'t>> {
        self.regexp.captures(line.as_bytes())
    }
}

/// The `tool` of a format that many tools print.
const NO_TOOL: &str = "generic";

/// What a compiled expression may take in memory.
const MAX_REGEXP_BYTES: usize = 1 << 20;

/// What the lines matched so far have given.
#[derive(Clone, Debug, Default)]
struct Draft {
    file: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    end_line: Option<u64>,
    end_column: Option<u64>,
    severity: Option<Severity>,
    code: Option<String>,
    test: Option<String>,
    message: Option<String>,
    text_line: Option<u64>,
}

impl Draft {
    fn fill(&mut self, line: &LineMatcher, captures: &Captures<'_>, cursor: &Cursor<'_, '_>, offset: usize) {
        for &(field, number) in &line.groups {
            let Some(group) = captures.get(number) else { continue };
            let text = String::from_utf8_lossy(group.as_bytes());
            let text = text.trim();
            match field {
                Field::Pointer => {
                    self.column = Some(String::from_utf8_lossy(group.as_bytes()).chars().count() as u64 + 1)
                }
                _ if text.is_empty() => {}
                Field::File => self.file = Some(text.to_owned()),
                Field::Line => self.line = text.parse().ok(),
                Field::Column => self.column = text.parse().ok(),
                Field::Offset => self.column = text.parse().ok().map(|offset: u64| offset.saturating_add(1)),
                Field::EndLine => self.end_line = text.parse().ok(),
                Field::EndColumn => self.end_column = text.parse().ok(),
                Field::Location => self.fill_location(text),
                Field::Severity => self.severity = severity_of(text),
                Field::Code => self.code = Some(text.to_owned()),
                Field::Test => self.test = Some(text.to_owned()),
                Field::Message => {
                    self.text_line = self.text_line.or(cursor.number(offset));
                    match &mut self.message {
                        Some(message) => {
                            message.push('\n');
                            message.push_str(text);
                        }
                        none => *none = Some(text.to_owned()),
                    }
                }
            }
        }
    }

    fn fill_location(&mut self, text: &str) {
        let mut numbers = text.split([',', ':', '.', '-']).map(|number| number.trim().parse().ok());
        self.line = numbers.next().flatten();
        self.column = numbers.next().flatten();
        self.end_line = numbers.next().flatten();
        self.end_column = numbers.next().flatten();
    }

    /// The problem; none without a message.
    fn finish(self, definition: &Definition) -> Option<Problem> {
        let mut problem = Problem::new(self.severity.unwrap_or(definition.severity), self.message?);
        problem.tool = Some(definition.tool.clone().into_owned()).filter(|tool| tool != NO_TOOL);
        problem.file = self.file;
        problem.line = self.line.filter(|line| *line > 0);
        problem.column = self.column.filter(|column| *column > 0);
        problem.end_line = self.end_line;
        problem.end_column = self.end_column;
        problem.code = self.code;
        problem.test = self.test;
        problem.text_line = self.text_line;
        Some(problem)
    }
}

/// A matcher that is compiled when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Lazy(OnceLock<Option<Matcher>>);

impl Lazy {
    /// The matcher of a built-in definition. That all of them compile is a test.
    pub fn get(&self, patterns: &[LinePattern]) -> Option<&Matcher> {
        self.0.get_or_init(|| Matcher::compile(patterns, false).ok()).as_ref()
    }
}
