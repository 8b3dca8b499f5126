//! `issues.md` and `learnings.md`: what people and agents read before they start.

use crate::NoteError;
use failure_taxonomy::normalise::normalise;
use recovery_store::StateDir;
use recovery_types::ladder::{MemoryNote, Transition};
use recovery_types::terminal::one_line;
use std::io::Write as _;
use std::path::Path;

/// Appends what `transitions` ask to remember. Each note is one write at the end of its file, so that many processes can
/// append at once and none tears another's lines. What is known already is not learnt again.
///
/// # Errors
/// Where a file cannot be written. The transitions are recorded by now, so it is no reason to withhold an answer.
pub fn append(dir: &Path, transitions: &[Transition]) -> Result<(), NoteError> {
    for note in transitions.iter().flat_map(|transition| &transition.memory) {
        write(dir, note).map_err(|source| NoteError { path: dir.join(note.file()), source })?;
    }
    Ok(())
}

fn write(dir: &Path, note: &MemoryNote) -> std::io::Result<()> {
    let dir = StateDir::create(dir).map_err(std::io::Error::other)?;
    if is_known(&dir, note) {
        return Ok(());
    }
    dir.append_to(note.file())?.write_all(entry(note).as_bytes())
}

/// The notes of one file about a task or about this kind of error, newest first.
pub fn recall(dir: &Path, file: &str, task: &str, error: &str) -> Vec<String> {
    let text = StateDir::open(dir).ok().flatten().map(|dir| text_of(&dir, file)).unwrap_or_default();
    let task = one_line(task, 400);
    let error = format!("- error: {error}");
    let is_about = |note: &&str| {
        let heading = note.lines().next().unwrap_or_default().trim_start_matches("## ");
        heading.split_once(' ').is_some_and(|(_, name)| name == task) || note.lines().any(|line| line == error)
    };
    let notes = text.split("\n## ").map(str::trim).filter(|note| !note.is_empty());
    let mut found: Vec<String> = notes.filter(is_about).map(|note| note.trim_start_matches("## ").to_owned()).collect();
    found.reverse();
    found
}

/// Whether the file has this lesson, apart from what changes from run to run.
fn is_known(dir: &StateDir, note: &MemoryNote) -> bool {
    let MemoryNote::Learning { message, .. } = note else { return false };
    let lesson = normalise(&lesson(message));
    text_of(dir, note.file()).lines().any(|line| normalise(line) == lesson)
}

/// What a file says; nothing where it is missing or is not to be read.
fn text_of(dir: &StateDir, file: &str) -> String {
    let bytes = dir.read(file).ok().flatten().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn lesson(message: &str) -> String {
    format!("- no rule knew: {}", one_line(message, 400))
}

fn entry(note: &MemoryNote) -> String {
    let line = |text: &str| one_line(text, 400);
    match note {
        MemoryNote::Issue { at, task_id, error_type, root_cause, failed_at, recommendation } => format!(
            "\n## {at} {}\n- error: {error_type}\n- failed at: {}\n- root cause: {}\n- next: {}\n",
            line(task_id),
            line(failed_at),
            line(root_cause),
            line(recommendation)
        ),
        MemoryNote::Learning { at, task_id, message, step } => format!(
            "\n## {at} {}\n{}\n{}",
            line(task_id),
            lesson(message),
            step.as_ref().map(|step| format!("- step: {}\n", line(step))).unwrap_or_default()
        ),
    }
}
