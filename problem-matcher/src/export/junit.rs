//! JUnit XML, the report format that GitLab, Jenkins, Azure Pipelines and others display: a suite per tool, a test case per
//! problem.
//!
//! ```xml
//! <testcase classname="gcc" name="src/a.c:3:5" file="src/a.c" line="3">
//!   <failure type="error" message="expected ';'">expected ';'&#10;at: src/a.c:3:5</failure></testcase>
//! ```
//!
//! The format has no official schema; only widely supported elements and attributes are written. An error is a `failure`.
//! Warnings and notes are passed cases with `system-out`, so that they do not fail a pipeline. A problem without a test is
//! named by its place. Characters that XML 1.0 forbids are replaced. Written without an XML library: the output has five
//! elements and no namespaces.

use super::{tool, tools};
use recovery_types::{Problem, Severity};
use std::fmt::{self, Write};

/// The problems as a JUnit report.
#[must_use]
pub fn junit(problems: &[Problem]) -> String {
    let mut document = String::new();
    write_document(&mut document, problems).expect("writing to a string does not fail");
    document
}

fn write_document(out: &mut impl Write, problems: &[Problem]) -> fmt::Result {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let failed = |problem: &&Problem| problem.severity == Severity::Error;
    let failures = problems.iter().filter(failed).count();
    writeln!(out, r#"<testsuites tests="{}" failures="{failures}">"#, problems.len())?;
    for name in tools(problems) {
        let its: Vec<&Problem> = problems.iter().filter(|problem| tool(problem) == name).collect();
        let failures = its.iter().copied().filter(failed).count();
        writeln!(out, r#"  <testsuite name="{}" tests="{}" failures="{failures}">"#, escape(name), its.len())?;
        for problem in its {
            case(out, name, problem)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Errors are failures; what is less serious is a passed case with a message.
fn case(out: &mut impl Write, tool: &str, problem: &Problem) -> fmt::Result {
    let place = problem.place();
    let name = problem.test.as_deref().unwrap_or(if place.is_empty() { &problem.message } else { &place });
    let file = problem.file.as_ref().map(|file| format!(r#" file="{}""#, escape(file))).unwrap_or_default();
    let line = problem.line.map(|line| format!(r#" line="{line}""#)).unwrap_or_default();
    writeln!(out, r#"    <testcase classname="{}" name="{}"{file}{line}>"#, escape(tool), escape(name))?;
    let mut text = problem.message.clone();
    for (label, value) in [
        ("at", (!place.is_empty()).then_some(&place)),
        ("expected", problem.expected.as_ref()),
        ("actual", problem.actual.as_ref()),
    ] {
        if let Some(value) = value {
            text.push_str(&format!("\n{label}: {value}"));
        }
    }
    if problem.severity == Severity::Error {
        let kind = problem.code.as_deref().unwrap_or("error");
        let message = problem.message.lines().next().unwrap_or_default();
        writeln!(
            out,
            r#"      <failure type="{}" message="{}">{}</failure>"#,
            escape(kind),
            escape(message),
            escape(&text)
        )?;
    } else {
        writeln!(out, "      <system-out>{}: {}</system-out>", problem.severity, escape(&text))?;
    }
    writeln!(out, "    </testcase>")
}

/// `text` as XML: markup escaped, characters that XML does not allow replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push(c),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn markup_and_control_characters_cannot_leave_their_attribute() {
        assert_eq!(escape("a<b & \"c\"\n\u{1b}[31m"), "a&lt;b &amp; &quot;c&quot;&#10;\u{fffd}[31m");
    }
}
