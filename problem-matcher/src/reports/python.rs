//! Python tracebacks: chained and grouped ones, syntax errors, and the traceback without a header that some tools print.
//!
//! The message is the last line that is not indented; the place is the last frame in the project's own code.

use crate::frames::is_project_file;
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use recovery_types::{Problem, Severity};

pub(crate) const TRACEBACK: Report =
    Report { id: "python-traceback", literals: &["Traceback (most recent call last)"], find: traceback };

/// One `File "x.py", line 3, in f`.
struct Frame<'t> {
    file: &'t str,
    line: u64,
}

fn frame(text: &str) -> Option<Frame<'_>> {
    let rest = text.trim_start().strip_prefix("File \"")?;
    let (file, rest) = rest.split_once("\", line ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some(Frame { file, line: rest[..digits].parse().ok()? })
}

fn traceback(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let head = cursor.text();
    let indent = head.len() - head.trim_start().len();
    let mut project = None;
    let mut last = None;
    for (offset, text) in cursor.following() {
        if let Some(frame) = frame(text) {
            if is_project_file(frame.file) {
                project = Some((frame.file, frame.line));
            }
            last = Some((frame.file, frame.line));
            continue;
        }
        let own = text.len() - text.trim_start().len();
        if own > indent || text.trim().is_empty() {
            continue;
        }
        let mut problem = Problem::new(Severity::Error, text.trim());
        problem.tool = Some("python".into());
        problem.text_line = cursor.number(offset);
        if let Some((file, line)) = project.or(last) {
            problem.file = Some(file.to_owned());
            problem.line = Some(line);
        }
        return Some((problem, Kind::Exception, offset + 1));
    }
    None
}
