//! Build tools and CI systems that report that something else failed: make, ninja, CMake, Bazel, npm, the shell of a CI job.
//!
//! These lines are kept as consequences: they count only where no line gives the reason. Where make itself is at fault (no rule, a
//! missing separator, a command that is not there) its line is the problem.

use crate::block::error;
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const MAKE: Report = Report { id: "make", literals: &["*** ", "make: ", "make["], find: make };
pub(crate) const CMAKE: Report = Report { id: "cmake", literals: &["CMake Error", "CMake Warning"], find: cmake };
pub(crate) const OTHERS: Report = Report {
    id: "consequence",
    literals: &[
        "Process completed with exit code",
        "exited with",
        "Command failed",
        "command failed",
        "ELIFECYCLE",
        "Cleaning up project directory",
        "script returned exit code",
        "ninja: build stopped",
        "Build step ",
        "Finished: FAILURE",
        "returned a non-zero code",
        "did not complete successfully",
        "Failed at the",
        "errors generated",
        "error generated",
        "non-zero exit",
        "Exit status ",
        "lifecycle script",
        "BUILD FAILED",
        "Build FAILED",
        "FAILED: Build did NOT complete",
        "The command \"",
        "ERROR: Job failed",
        "A complete log of this run",
        "collect2: error",
        "linker command failed",
        "ld returned 1",
        "Error: Process completed",
        "returned exit code",
        "Target //",
        "Some checks failed",
        "exit status 1",
        "exit code 1",
        "exit code 2",
        "FAILURE: Build failed with an exception",
        "Build failed due to",
        "Compilation failed",
        "Traceback (innermost last)",
        "make[",
        "failed with exit code",
    ],
    find: others,
};

/// `make[1]: *** [Makefile:3: all] Error 2` is a consequence; `Makefile:3: *** missing separator.  Stop.` is a problem.
fn make(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    if text.starts_with("make")
        && (text.ends_with(": Command not found")
            || text.ends_with(": No such file or directory")
            || text.ends_with(": Permission denied"))
    {
        // The rule is on the next lines: `Makefile:2: recipe for target ...` or `make: *** [Makefile:2: all] Error 127`.
        let place = cursor.following().take(3).find_map(|(_, text)| {
            if text.contains("recipe for target") || text.contains("*** [") {
                place::first(text.trim_start_matches("make: *** ["))
            } else {
                None
            }
        });
        return Some((error("make", text, place), Kind::Tool, 1));
    }
    let (head, rest) = text.split_once("*** ")?;
    let head = head.trim();
    if !head.ends_with(':') || head.contains(' ') {
        return None;
    }
    let is_consequence = rest.starts_with('[')
        || rest.starts_with("Waiting for unfinished")
        || rest.starts_with("wait: ")
        || rest.contains("] Error ");
    let place = place::first(head).or_else(|| place::first(rest));
    // `make: *** [Makefile:2: all] Error 127` names the rule of a command that make could not run.
    Some((error("make", text, place), if is_consequence { Kind::Consequence } else { Kind::Tool }, 1))
}

/// `CMake Error at CMakeLists.txt:3 (find_package):` and the paragraph below.
fn cmake(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let is_error = text.starts_with("CMake Error");
    if !is_error && !text.starts_with("CMake Warning") {
        return None;
    }
    let place = text.split_once(" at ").and_then(|(_, rest)| place::first(rest));
    let mut message = Vec::new();
    let mut at = 0;
    let mut end = 1;
    if let Some((_, rest)) = text.split_once(": ").filter(|_| place.is_none()) {
        message.push(rest.trim());
    }
    let mut is_found = !message.is_empty();
    for (offset, text) in cursor.following().take(24) {
        let trimmed = text.trim();
        if !trimmed.is_empty() && !text.starts_with(' ') {
            break;
        }
        if trimmed.is_empty() {
            is_found |= !message.is_empty() && !message[0].starts_with("By not providing");
            continue;
        }
        if !is_found {
            // CMake prints what it was not given before what it could not find; the latter is the message.
            if trimmed.starts_with("Could not find") {
                message.clear();
            }
            if message.is_empty() {
                at = offset;
            }
            message.push(trimmed);
        }
        end = offset + 1;
    }
    // A module of CMake reports for the project's own file, which the call stack names.
    let caller = cursor
        .following()
        .skip(end - 1)
        .take(20)
        .take_while(|(_, text)| !text.starts_with("CMake "))
        .filter(|(_, text)| text.starts_with("  "))
        .filter_map(|(_, text)| place::first(text))
        .find(|found| crate::frames::is_project_file(found.file) && !is_module(found.file));
    let place = match place {
        Some(place) if is_module(place.file) => caller.or(Some(place)),
        other => other,
    };
    let mut problem = error("cmake", &message.iter().take(4).copied().collect::<Vec<_>>().join(" "), place);
    if problem.message.is_empty() {
        return None;
    }
    if !is_error {
        problem.severity = recovery_types::Severity::Warning;
    }
    problem.text_line = cursor.number(at);
    Some((problem, Kind::Tool, end))
}

/// A module of CMake or of the project that looks for a package on behalf of the file that calls it.
fn is_module(file: &str) -> bool {
    file.contains("/share/cmake") || file.rsplit('/').next().is_some_and(|name| name.starts_with("Find"))
}

fn others(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    // What follows the exit code may give the reason after all; a long line is no closing remark.
    if text.len() > 300 || !OTHERS.literals.iter().any(|literal| text.contains(literal)) {
        return None;
    }
    if text.starts_with("make[") && !text.contains("***") {
        return None;
    }
    Some((error("ci", text, None), Kind::Consequence, 1))
}
