//! Deno's test runner. Its type checker is a format in `formats/builtin`.

use crate::block::{error, exception_head, pair};
use crate::frames::{self, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const TEST: Report = Report { id: "deno-test", literals: &[" => "], find: test };

/// `name => ./a_test.ts:1:6`, with the steps of a test joined by ` ... `; then `error: Error: message`, a line of source, and frames.
fn test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (name, at) = cursor.text().rsplit_once(" => ")?;
    let declared = place::first(at)
        .filter(|place| place.line.is_some() && at.trim_end().ends_with(|c: char| c.is_ascii_digit()))?;
    let head = cursor.ahead(1)?.strip_prefix("error: ")?;
    let thrown = head.strip_prefix("(in promise) ").unwrap_or(head);
    let message = exception_head(thrown).unwrap_or(thrown);
    let mut problem = error("deno", message, None);
    let mut frames = Vec::new();
    let mut end = 2;
    for (offset, text) in cursor.following().skip(1).take(120) {
        let next = text.trim();
        let is_frame = next.starts_with("at ");
        if !frames.is_empty() && !is_frame || next == "FAILURES" || next.starts_with("FAILED |") {
            break;
        }
        if is_frame {
            frames.extend(frame(text));
        } else {
            pair(&mut problem, text);
            // `[Diff] Actual / Expected`: the first line of either side.
            for (mark, value) in [('-', &mut problem.actual), ('+', &mut problem.expected)] {
                if let Some(rest) = text.strip_prefix(mark) {
                    value.get_or_insert_with(|| rest.trim().to_owned());
                }
            }
        }
        end = offset + 1;
    }
    crate::block::set_place(&mut problem, frames::best(frames.into_iter()).unwrap_or(declared));
    problem.text_line = cursor.number(1);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, end))
}
