//! Exceptions whose frames begin with `at`: JavaScript, Java and its relatives, .NET.
//!
//! The matcher begins at the first frame and looks back for the head. The deepest `Caused by`, `[cause]` or `--->` is the
//! message, and the place is the innermost frame of the project's own code there; the outer exceptions are the causes' chain.

use crate::block::{error, exception_head, indent};
use crate::frames::{self, Frame, frame};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::telling;
use recovery_types::Problem;

pub(crate) const STACK: Report = Report { id: "stack-trace", literals: &["  at ", "\tat ", " at "], find: stack };

/// How far above the first frame a head may be.
const HEAD_LINES: usize = 30;

struct Part<'t> {
    /// The head, and how far it is from the cursor: back for the first part, ahead for causes.
    head: &'t str,
    ahead: Option<usize>,
    frames: Vec<Frame<'t>>,
}

fn stack(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    if !cursor.text().trim_start().starts_with("at ") {
        return None;
    }
    let first = frame(cursor.text())?;
    let (back, head) = head_above(cursor)?;
    let mut parts = vec![Part { head, ahead: None, frames: vec![first] }];
    let mut end = 1;
    for (offset, text) in cursor.following() {
        let trimmed = text.trim();
        if let Some(found) = trimmed.starts_with("at ").then(|| frame(text)).flatten() {
            if let Some(part) = parts.last_mut() {
                part.frames.push(found);
            }
        } else if let Some(cause) =
            ["Caused by: ", "[cause]: ", "---> "].iter().find_map(|word| trimmed.strip_prefix(word))
        {
            parts.push(Part { head: cause, ahead: Some(offset), frames: Vec::new() });
        } else if trimmed.is_empty()
            || !(trimmed.starts_with("... ")
                || trimmed.starts_with("Suppressed: ")
                || trimmed.starts_with("--- End of "))
        {
            break;
        }
        end = offset + 1;
    }
    let deepest = parts.pop()?;
    let mut place = frames::best(deepest.frames.iter().copied());
    if !place.is_some_and(|place| deepest.frames.iter().any(|frame| frame.is_project && frame.place == Some(place))) {
        let outer = parts.iter().rev().flat_map(|part| part.frames.iter()).filter(|frame| frame.is_project);
        place = frames::best(outer.copied()).or(place);
    }
    let message = deepest.head;
    let all: Vec<Frame<'_>> =
        deepest.frames.iter().chain(parts.iter().flat_map(|part| part.frames.iter())).copied().collect();
    let mut problem = error(tool(&all), message, place);
    problem.text_line = match deepest.ahead {
        Some(ahead) => cursor.number(ahead),
        None => cursor.number_back(back),
    };
    problem.causes =
        parts.iter().map(|part| exception_head(part.head).unwrap_or(part.head).trim().to_owned()).collect();
    Some((problem, Kind::Exception, end))
}

/// The line with the exception above the first frame, and how far back it is.
fn head_above<'t>(cursor: &Cursor<'_, 't>) -> Option<(usize, &'t str)> {
    let mut nearest = None;
    let mut is_below_excerpt = false;
    for (offset, text) in cursor.preceding().take(HEAD_LINES) {
        if exception_head(text).is_some() {
            return Some((offset, text.trim()));
        }
        // Deno shows the source line between the message and the frames.
        let is_excerpt = telling::looks_like_code(text.trim()) || text.trim_matches([' ', '^', '~', '|']).is_empty();
        is_below_excerpt |= nearest.is_none() && is_excerpt && !text.trim().is_empty();
        if nearest.is_none() && !is_excerpt && indent(text) <= indent(cursor.text()) {
            nearest = Some((offset, text.trim()));
        }
    }
    // A first line without the name of an exception still shows that something went wrong.
    nearest.filter(|(offset, text)| {
        let lower = text.to_ascii_lowercase();
        *offset <= 3
            && (!is_below_excerpt || lower.starts_with("error"))
            && ["error", "exception", "fail", "fatal", "panic", "throw", "unhandled"]
                .iter()
                .any(|word| lower.contains(word))
    })
}

fn tool(frames: &[Frame<'_>]) -> &'static str {
    let file = frames.iter().find_map(|frame| frame.place).map_or("", |place| place.file);
    match file.rsplit('.').next() {
        Some("java" | "kt" | "scala" | "groovy" | "clj") => "java",
        Some("cs" | "fs" | "vb") => "dotnet",
        Some("dart") => "dart",
        _ => "node",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_source_line_between_the_message_and_the_frames_is_no_message() {
        let text = "./cart_test.ts (uncaught error)\nerror: Error: no cart\n  throw new Error(\"no cart\");\n        ^\n    at cart_test.ts:5:9\n";
        let report = crate::explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.message.as_str(), root.line), ("error: Error: no cart", Some(5)));
    }
}
