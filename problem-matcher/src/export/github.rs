//! Workflow commands of GitHub Actions: `::error file=a.rs,line=3,col=5,title=E0308::message`.
//!
//! A value must not end its command or start another: `%`, line breaks, and in properties `:` and `,` are escaped as the
//! runner's toolkit does it.

use recovery_types::terminal::printable;
use recovery_types::{Problem, Severity};

/// The workflow commands that annotate the problems, one per line.
#[must_use]
pub fn github(problems: &[Problem]) -> String {
    problems.iter().map(|problem| command(problem) + "\n").collect()
}

/// The command that annotates a problem.
fn command(problem: &Problem) -> String {
    let name = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    let title: Vec<&str> = [&problem.tool, &problem.code].into_iter().flatten().map(String::as_str).collect();
    // Without a line the runner ignores the rest of the range.
    let line = problem.file.as_ref().and(problem.line);
    let column = line.and(problem.column);
    let properties = [
        ("file", problem.file.clone()),
        ("line", number(line)),
        ("endLine", number(line.and(problem.end_line))),
        ("col", number(column)),
        ("endColumn", number(column.and(problem.end_column))),
        ("title", (!title.is_empty()).then(|| title.join(" "))),
    ];
    let properties: Vec<String> = properties
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}={}", escape_property(&printable(&value?)))))
        .collect();
    let space = if properties.is_empty() { "" } else { " " };
    format!("::{name}{space}{}::{}", properties.join(","), escape_data(&printable(&message(problem))))
}

/// The message with the failing test and what was expected.
fn message(problem: &Problem) -> String {
    let mut message = problem.test.as_ref().map(|test| format!("{test}: ")).unwrap_or_default();
    message.push_str(&problem.message);
    for (label, value) in [("expected", &problem.expected), ("actual", &problem.actual)] {
        if let Some(value) = value {
            message.push_str(&format!("\n{label}: {value}"));
        }
    }
    message
}

fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_command_or_a_property_is_escaped() {
        let mut problem = Problem::new(Severity::Warning, "100% wrong::error::x\r\nsecond, line");
        problem.file = Some("a,b:c%.rs".to_owned());
        problem.line = Some(3);
        problem.column = Some(5);
        problem.code = Some("E:1".to_owned());
        let expected =
            "::warning file=a%2Cb%3Ac%25.rs,line=3,col=5,title=E%3A1::100%25 wrong::error::x%0D%0Asecond, line";
        assert_eq!(command(&problem).replace("\\u{d}", "%0D"), expected);
    }

    #[test]
    fn a_problem_without_a_place_has_no_properties() {
        assert_eq!(command(&Problem::new(Severity::Note, "boom")), "::notice::boom");
    }
}
