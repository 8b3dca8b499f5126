//! One-line formats as data: a row is an id, the tool, the literals one of which a line must contain, and a pattern with named
//! groups (`file`, `line`, `column`, `end_line`, `end_column`, `severity`, `code`, `message`, `test`).
//!
//! A row's pattern is compiled when a line first contains one of its literals. Rows are tried in table order, so a
//! specific format stands above the generic `file:line:column: message`.

use crate::lines::Cursor;
use crate::matcher::{Found, Kind};
use recovery_types::{Problem, Severity};
use regex::Regex;
use std::sync::OnceLock;

/// One format.
pub struct Format {
    /// The stable id.
    pub id: &'static str,
    /// The tool that prints it; none where many do.
    pub tool: Option<&'static str>,
    /// What sort of problem it reports.
    pub kind: Kind,
    /// One of these occurs in every line of this format.
    pub literals: &'static [&'static str],
    /// The pattern, matched against the line without colours and CI prefixes.
    pub pattern: &'static str,
    /// The compiled pattern.
    pub(crate) compiled: OnceLock<Option<Regex>>,
}

const fn row(
    id: &'static str,
    tool: Option<&'static str>,
    kind: Kind,
    literals: &'static [&'static str],
    pattern: &'static str,
) -> Format {
    Format { id, tool, kind, literals, pattern, compiled: OnceLock::new() }
}

/// All formats, the more specific first.
#[rustfmt::skip]
pub static FORMATS: [Format; 4] = [
    row("tsc",     Some("tsc"),   Kind::Compile, &["error TS", "warning TS"], r"^(?<file>[^\s(][^(]*?)(?:\((?<line>\d+),(?<column>\d+)\):|:(?<line2>\d+):(?<column2>\d+) -) (?<severity>error|warning) (?<code>TS\d+): (?<message>.+)$"),
    row("msvc",    None,          Kind::Compile, &["error", "warning", "Error", "Warning"], r"^\s*(?:\d+>)?(?<file>\S[^(]*?)\((?<line>\d+)(?:,(?<column>\d+))?(?:,\d+,\d+)?\)\s*: (?:fatal )?(?<severity>[Ee]rror|[Ww]arning)\s*(?<code>[A-Z]+\d+)?\s*:\s*(?<message>.+)$"),
    row("gcc",     None,          Kind::Compile, &["error:", "warning:", "Error:"], r"^\s*(?<file>(?:[A-Za-z]:[\\/])?[^\s:][^:]*?):(?<line>\d+):(?:(?<column>\d+):)? (?:fatal |internal compiler )?(?<severity>error|warning|Error):\s+(?<message>.+)$"),
    row("generic", None,          Kind::Lint,    &[":"],  r"^\s*(?<file>(?:[A-Za-z]:[\\/])?[^\s:'\x22()\[\]]*\.[A-Za-z][\w+]{0,7}):(?<line>\d+):(?:(?<column>\d+):)?\s+(?:(?<severity>error|warning|note)\b:?\s*)?(?<message>\S.*)$"),
];

impl Format {
    /// The problem in the line under the cursor.
    pub(crate) fn find(&self, cursor: &Cursor<'_, '_>) -> Option<Found> {
        let regex = self.compiled.get_or_init(|| Regex::new(self.pattern).ok()).as_ref()?;
        let groups = regex.captures(cursor.text())?;
        let group = |name: &str| groups.name(name).map(|group| group.as_str().trim());
        // Alternatives of one pattern repeat a group as `line2`, since names are unique in a pattern.
        let number =
            |first: &str, second: &str| group(first).or_else(|| group(second)).and_then(|text| text.parse().ok());
        let mut problem = Problem::new(severity(group("severity")), group("message")?);
        problem.file = group("file").map(str::to_owned);
        problem.line = number("line", "line2");
        problem.column = number("column", "column2");
        problem.end_line = number("end_line", "end_line2");
        problem.end_column = number("end_column", "end_column2");
        problem.code = group("code").map(str::to_owned);
        problem.test = group("test").map(str::to_owned);
        problem.tool = self.tool.map(str::to_owned);
        problem.text_line = cursor.number(0);
        Some(Found { problem, kind: self.kind, matcher: self.id, lines: 1 })
    }
}

/// The severity as tools spell it; without one it is an error.
fn severity(word: Option<&str>) -> Severity {
    let Some(word) = word else { return Severity::Error };
    match word.to_ascii_lowercase().as_str() {
        "warning" | "warn" | "w" => Severity::Warning,
        "note" | "info" | "hint" | "help" | "style" | "remark" | "suggestion" | "n" | "i" => Severity::Note,
        _ => Severity::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for format in &FORMATS {
            Regex::new(format.pattern).unwrap_or_else(|error| panic!("{}: {error}", format.id));
        }
    }

    #[test]
    fn a_diagnostic_of_gcc_is_read() {
        let report = crate::find("make: Entering directory\nsrc/a.c:3:5: error: expected ';' before 'return'\n");
        let problem = &report.problems[report.root.unwrap()];
        assert_eq!((problem.file.as_deref(), problem.line, problem.column), (Some("src/a.c"), Some(3), Some(5)));
        assert_eq!(problem.message, "expected ';' before 'return'");
    }
}
