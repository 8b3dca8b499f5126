//! `dotnet test` and the console runners of xUnit and NUnit.

use crate::block::{error, pair};
use crate::frames::{self, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use recovery_types::Problem;

pub(crate) const DOTNET_TEST: Report = Report { id: "dotnet-test", literals: &["Failed ", "[FAIL]"], find: test };

/// `  Failed Acme.Tests.T.Adds [12 ms]`, `Error Message:`, the message, `Stack Trace:`, frames; or xUnit's `T.Adds [FAIL]`.
fn test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let name = match text.strip_suffix("[FAIL]") {
        Some(rest) => rest.rsplit("] ").next()?.trim(),
        None => text.strip_prefix("Failed ")?.split(" [").next()?.trim(),
    };
    if name.is_empty() || name.starts_with("to ") || name.contains(": ") || name.ends_with(':') {
        return None;
    }
    let mut problem = error("dotnet test", "", None);
    let mut message: Vec<&str> = Vec::new();
    let mut message_at = 1;
    let mut frames = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(80) {
        let trimmed = text.trim();
        let is_next = trimmed.starts_with("Failed ") && trimmed.ends_with(']')
            || trimmed.ends_with("[FAIL]")
            || trimmed.starts_with("Passed ")
            || trimmed.starts_with("Failed!");
        if is_next || trimmed.is_empty() && !frames.is_empty() {
            break;
        }
        end = offset + 1;
        if let Some(found) = trimmed.starts_with("at ").then(|| frame(text)).flatten() {
            frames.push(found);
        } else if !trimmed.is_empty() && frames.is_empty() && !matches!(trimmed, "Error Message:" | "Stack Trace:") {
            if message.is_empty() {
                message_at = offset;
            }
            message.push(trimmed);
            pair(&mut problem, trimmed);
        }
    }
    if message.is_empty() || frames.is_empty() && !text.ends_with(']') {
        return None;
    }
    let mut named = error(
        "dotnet test",
        &message.iter().take(4).copied().collect::<Vec<_>>().join(" "),
        frames::best(frames.into_iter()),
    );
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(message_at);
    named.test = Some(name.to_owned());
    Some((named, Kind::Test, end))
}
