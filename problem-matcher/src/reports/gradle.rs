//! Gradle: failed tests, and the reasons below `* What went wrong:`.
//!
//! The reasons are nested, each deeper one after a `>`; the deepest is the message and the others are its causes. A
//! reason that only points at tests or a compiler is a consequence: what they printed above is the problem.

use super::java::failure;
use crate::block::{error, exception_head, indent, pair, set_place};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place};
use recovery_types::Problem;

pub(crate) const TEST: Report = Report { id: "gradle-test", literals: &[" FAILED"], find: gradle_test };
pub(crate) const BUILD: Report = Report { id: "gradle", literals: &["* What went wrong:"], find: gradle };

/// `com.acme.T > adds FAILED` and the exception below it.
fn gradle_test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let name = text.strip_suffix(" FAILED")?;
    if !name.contains(" > ") || name.starts_with("> Task") {
        return None;
    }
    let found = failure(cursor, 1, false)?;
    if indent(cursor.ahead(found.at)?) == 0 {
        return None;
    }
    let mut problem = error("gradle", found.head, found.place);
    problem.text_line = cursor.number(found.at);
    // Gradle prints `java.lang.AssertionError at T.java:12` on one line.
    if let Some((head, place)) =
        found.head.rsplit_once(" at ").and_then(|(head, rest)| place::first(rest).map(|place| (head, place)))
    {
        problem.message = head.to_owned();
        if problem.file.is_none() {
            set_place(&mut problem, place);
        }
    }
    pair(&mut problem, found.head);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, found.end))
}

/// `* What went wrong:` with the reasons below, each deeper one after a `>`.
fn gradle(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if !cursor.text().trim_start().starts_with("* What went wrong:") {
        return None;
    }
    let mut reasons: Vec<(usize, &str)> = Vec::new();
    for (offset, text) in cursor.following().take(40) {
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.starts_with("* ") {
            break;
        }
        if let Some(deeper) = trimmed.strip_prefix("> ") {
            reasons.push((offset, deeper));
        } else if reasons.is_empty() {
            reasons.push((offset, trimmed));
        }
    }
    let &(first_at, first) = reasons.first()?;
    let mut place = None;
    let mut end = first_at + 1;
    // `Build file '/x/build.gradle' line: 3` is above, the deepest reason last.
    for (_, text) in cursor.preceding().take(6) {
        if let Some(rest) = text.trim().strip_prefix("Build file '").or_else(|| text.trim().strip_prefix("Script '")) {
            let (file, rest) = rest.split_once('\'')?;
            place = Some(Place {
                file,
                line: rest.split_once("line: ").and_then(|(_, line)| place::leading_number(line)),
                column: None,
            });
        }
    }
    let is_pointer = |text: &str| {
        text.contains("There were failing tests")
            || text.contains("Compilation failed; see")
            || text.contains("Compilation error. See log")
            || text.contains("finished with non-zero exit value")
            || text.contains("See the report at")
    };
    let &(at, deepest) =
        reasons.iter().rev().find(|(_, reason)| !reason.starts_with("Run with")).unwrap_or(&(first_at, first));
    end = end.max(at + 1);
    // A reason may announce what is listed below it.
    let listed = cursor.ahead(at + 1).map(str::trim).filter(|text| deepest.ends_with(':') && !text.is_empty());
    let message = listed.map_or_else(|| deepest.to_owned(), |listed| format!("{deepest} {listed}"));
    let deepest = message.as_str();
    let mut problem = error("gradle", deepest, place::first(deepest).or(place));
    if problem.file.is_none() {
        problem.file = place::first_path(deepest).map(str::to_owned);
    }
    problem.text_line = cursor.number(at);
    problem.causes =
        reasons.iter().filter(|(offset, _)| *offset != at).map(|(_, reason)| (*reason).to_owned()).collect();
    let kind = if is_pointer(deepest) || exception_head(deepest).is_some() && is_pointer(first) {
        Kind::Consequence
    } else {
        Kind::Tool
    };
    Some((problem, kind, end))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// Spotless and the Android plugin announce a list that begins on the next line.
    #[test]
    fn a_reason_goes_on_with_the_list_it_announces() {
        let text = "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':spotlessJavaCheck'.\n> The following files had format violations:\n      src/main/java/A.java\n          @@ -1,5 +1,4 @@\n";
        let report = explain(text);
        assert_eq!(report.problems[report.root.unwrap()].file.as_deref(), Some("src/main/java/A.java"));
    }
}
