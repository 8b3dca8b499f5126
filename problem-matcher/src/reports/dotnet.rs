//! .NET: `dotnet test` through VSTest and, from .NET 10 on, Microsoft.Testing.Platform; the console runners of xUnit and
//! NUnit.
//!
//! ```text
//!   Failed Acme.Tests.T.Adds [12 ms]                    VSTest; then `Error Message:`, the message, `Stack Trace:`
//! failed Adds (12ms)                                    Microsoft.Testing.Platform
//! 1) Failed : Acme.CalcTest.Sums                        NUnit 3; before: `1) Test Failure : ...`
//! ```
//!
//! `Failed ` begins many sentences, so a report also needs frames, a duration in brackets or `Error Message:`. The place is
//! the innermost frame of the project. Messages of MSBuild and csc are one line each, in `formats/builtin/`.

use crate::block::{below, block_lines, error, failed_test, indent, pair, set_place};
use crate::frames::{self, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const DOTNET_TEST: Report =
    Report { id: "dotnet-test", literals: &["Failed ", "[FAIL]", "  X "], find: test };
pub(crate) const TESTING_PLATFORM: Report =
    Report { id: "testing-platform", literals: &["failed "], find: testing_platform };
pub(crate) const NUNIT: Report = Report {
    id: "nunit",
    literals: &[") Test Failure : ", ") Test Error : ", ") Failed : ", ") Error : "],
    find: nunit,
};

/// NUnit's console: `1) Test Failure : CalcTest.Sums` (`1) Failed : ` from version 3 on), the message, frames.
fn nunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (number, rest) = cursor.text().trim().split_once(") ")?;
    let (_, name) = rest.split_once(" : ").filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()))?;
    let block = below(cursor, 40, |text| {
        text.trim().is_empty()
            || text.trim().split_once(") ").is_some_and(|(head, _)| head.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let is_frame = |text: &str| text.starts_with("at ");
    let said: Vec<_> = block.iter().take_while(|(_, text)| !is_frame(text)).copied().collect();
    let mut problem = failed_test("nunit", name, &said, 4);
    if let Some(place) = frames::best(block.iter().filter_map(|(_, text)| frame(text))) {
        set_place(&mut problem, place);
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `  Failed Acme.Tests.T.Adds [12 ms]`, `Error Message:`, the message, `Stack Trace:`, frames; or xUnit's `T.Adds [FAIL]`.
fn test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let name = match text.strip_suffix("[FAIL]") {
        // trial of Twisted ends the lines of its progress alike.
        Some(rest) => rest.rsplit("] ").next().filter(|name| !name.contains(" ..."))?.trim(),
        // VSTest 16 marked it with a cross.
        None if text.starts_with("X ") && !text.ends_with("s]") => return None,
        None => text.strip_prefix("Failed ").or_else(|| text.strip_prefix("X "))?.split(" [").next()?.trim(),
    };
    let method = name.split('(').next().unwrap_or(name);
    if method.is_empty() || name.starts_with("to ") || method.contains(": ") || name.ends_with(':') {
        return None;
    }
    let mut problem = error("dotnet test", "", None);
    let mut message: Vec<&str> = Vec::new();
    let mut message_at = 1;
    let mut frames = Vec::new();
    let mut is_in_stack = false;
    let mut place = None;
    let mut end = 1;
    for (offset, text) in cursor.following().take(80) {
        let trimmed = text.trim();
        is_in_stack |= trimmed == "Stack Trace:";
        let is_next = (trimmed.starts_with("Failed ") || trimmed.starts_with("X ")) && trimmed.ends_with(']')
            || trimmed.ends_with("[FAIL]")
            || trimmed.starts_with("Passed ")
            || trimmed.starts_with("Failed!");
        if is_next || trimmed.is_empty() && !frames.is_empty() {
            break;
        }
        end = offset + 1;
        if let Some(found) = trimmed.starts_with("at ").then(|| frame(text)).flatten() {
            frames.push(found);
        } else if let Some((head, _)) = trimmed.split_once(": at ").filter(|_| is_in_stack) {
            // xUnit's console: `C:\shop\Tests.cs(60,0): at Shop.Tests.Adds()`.
            place = place.or_else(|| place::first(head));
        } else if !trimmed.is_empty()
            && frames.is_empty()
            && !is_in_stack
            && !matches!(trimmed, "Error Message:" | "Stack Trace:")
        {
            if message.is_empty() {
                message_at = offset;
            }
            message.push(trimmed);
            pair(&mut problem, trimmed);
        }
    }
    let is_report = text.ends_with(']') || cursor.ahead(1).is_some_and(|text| text.trim() == "Error Message:");
    if message.is_empty() && frames.is_empty() || frames.is_empty() && !is_report {
        return None;
    }
    if message.is_empty() {
        message.push(name);
    }
    let mut named = error(
        "dotnet test",
        &message.iter().take(4).copied().collect::<Vec<_>>().join(" "),
        frames::best(frames.into_iter()).or(place),
    );
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(message_at);
    named.test = Some(name.to_owned());
    Some((named, Kind::Test, end))
}

/// Microsoft.Testing.Platform, which `dotnet test` runs from .NET 10 on: `failed Adds (12ms)`, then deeper the message and
/// the frames.
fn testing_platform(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (name, took) = cursor.text().trim_start().strip_prefix("failed ")?.rsplit_once(" (")?;
    let is_time = |part: &str| part.starts_with(|c: char| c.is_ascii_digit()) && part.ends_with(['s', 'm', 'h']);
    took.strip_suffix(')').filter(|took| took.split(' ').all(is_time))?;
    let lead = indent(cursor.text());
    let block = below(cursor, 80, |text| !text.trim().is_empty() && indent(text) <= lead);
    let is_message = |text: &&str| !text.is_empty() && !text.starts_with("from ");
    let said: Vec<_> = block
        .iter()
        .take_while(|(_, text)| !text.starts_with("at "))
        .filter(|(_, text)| is_message(text))
        .copied()
        .collect();
    // The arguments of a parameterized test are not part of its name.
    let name = name.split(" (").next().unwrap_or(name);
    let mut problem = failed_test("dotnet test", name, &said, 4);
    problem.text_line = cursor.number(said.first()?.0);
    if let Some(place) = frames::best(block.iter().filter_map(|(_, text)| frame(text))) {
        set_place(&mut problem, place);
    }
    Some((problem, Kind::Test, block_lines(&block)))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    #[test]
    fn both_ways_in_which_dotnet_test_reports_are_read() {
        let platform = "running /srv/shop/bin/Shop.Tests.dll\n  failed Sums (\"net9.0\",2) (1s 220ms)\n    Assert.AreEqual failed. Expected:<3>. Actual:<4>.\n      at Shop.Tests.CartTests.Sums(String target, Int32 count) in /srv/shop/CartTests.cs:28\n\nTest run summary: Failed!\n";
        let vstest = "Failed   CartTests.Sums\nError Message:\n Assert.Equal() Failure\nExpected: 3\nActual:   4\n";
        let crossed = "  X Sums [134ms]\n  Stack Trace:\n     at Shop.CartTests.Sums() in /srv/shop/CartTests.cs:line 11\n\nTest Run Failed.\n";
        let console = "    Shop.CartTests.Sums(code: \"a b\", sum: 3) [FAIL]\n      Assert.Equal() Failure\n      Expected: 3\n      Actual:   4\n      Stack Trace:\n        c:\\shop\\CartTests.cs(60,0): at Shop.CartTests.Sums(String code, Int32 sum)\n  Finished:    shop\n";
        for (text, test, message, place) in [
            (
                platform,
                "Sums",
                "Assert.AreEqual failed. Expected:<3>. Actual:<4>.",
                Some(("/srv/shop/CartTests.cs", 28)),
            ),
            (crossed, "Sums", "Sums", Some(("/srv/shop/CartTests.cs", 11))),
            (
                console,
                "Shop.CartTests.Sums(code: \"a b\", sum: 3)",
                "Assert.Equal() Failure Expected: 3 Actual:   4",
                Some(("c:\\shop\\CartTests.cs", 60)),
            ),
            (vstest, "CartTests.Sums", "Assert.Equal() Failure Expected: 3 Actual:   4", None),
        ] {
            let report = explain(text);
            let root = &report.problems[report.root.unwrap()];
            assert_eq!((root.test.as_deref(), root.message.as_str()), (Some(test), message));
            assert_eq!(root.file.as_deref().zip(root.line), place);
        }
    }
}
