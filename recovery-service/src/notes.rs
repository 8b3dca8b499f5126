//! `issues.md` and `learnings.md`: notes for people and agents, appended to by decisions and read back for hints.
//!
//! In: the notes that transitions contain, or the files of another system. Out: sections appended to the files;
//! [`recall`] finds those about a task or an error type. Each note is one `write` in append mode, so that concurrent
//! processes do not tear each other's lines. The files are for reading: the journal is authoritative.

use crate::NoteError;
use failure_taxonomy::normalise::normalise;
use recovery_store::StateDir;
use recovery_types::ladder::{MemoryNote, Transition};
use recovery_types::similarity::Words;
use recovery_types::terminal::one_line;
use recovery_types::{ErrorType, Timestamp};
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

/// The files of notes that are read back.
pub const FILES: [&str; 3] = ["issues.md", "learnings.md", "decisions.md"];

/// Adds the sections of another system's notes that are not there yet: how many were new, and how many known.
///
/// # Errors
/// Where the file cannot be written.
pub fn take_in(dir: &Path, file: &str, text: &str) -> Result<(u64, u64), NoteError> {
    let failed = |source| NoteError { path: dir.join(file), source };
    let own = StateDir::create(dir).map_err(std::io::Error::other).map_err(failed)?;
    let known = text_of(&own, file);
    let known: Vec<&str> = sections(&known).collect();
    let (mut new, mut already) = (0, 0);
    for section in sections(text) {
        if known.contains(&section) {
            already += 1;
            continue;
        }
        new += 1;
        let section = recovery_types::terminal::printable(section);
        own.append_to(file).and_then(|mut out| out.write_all(format!("\n{section}\n").as_bytes())).map_err(failed)?;
    }
    Ok((new, already))
}

/// The decisions taken earlier, as `decisions.md` has them: one for each item or paragraph.
#[must_use]
pub fn decisions(dir: &Path) -> Vec<String> {
    const MAX_DECISIONS: usize = 50;
    let Some(dir) = StateDir::open(dir).ok().flatten() else { return Vec::new() };
    let text = text_of(&dir, "decisions.md");
    let lines = text.lines().map(|line| line.trim().trim_start_matches(['-', '*', ' ']));
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(MAX_DECISIONS)
        .map(|line| one_line(line, 400))
        .collect()
}

/// The parts of free text: each heading with what follows it; before the first heading, each item or paragraph.
fn sections(text: &str) -> impl Iterator<Item = &str> {
    let mut parts: Vec<&str> = Vec::new();
    for (number, part) in format_heads(text).into_iter().enumerate() {
        let is_section = number > 0 || part.trim_start().starts_with("## ");
        if is_section {
            parts.push(part);
        } else {
            parts.extend(part.split("\n\n").flat_map(|paragraph| paragraph.split("\n- ")));
        }
    }
    parts.into_iter().map(|part| part.trim().trim_start_matches("- ")).filter(|part| !part.is_empty())
}

/// The text cut before each second-level heading.
fn format_heads(text: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    cuts.extend(text.match_indices("\n## ").map(|(at, _)| at + 1));
    cuts.push(text.len());
    cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// Whether free text is about a task: it names the task, or two of the words that make up its name.
fn mentions(note: &str, task: &str) -> bool {
    const MIN_WORD_BYTES: usize = 4;
    let lower = note.to_lowercase();
    if task.len() >= MIN_WORD_BYTES && lower.contains(&task.to_lowercase()) {
        return true;
    }
    let own = Words::keywords(task);
    let words: Vec<&str> = own
        .iter()
        .filter(|word| word.len() >= MIN_WORD_BYTES && !word.bytes().all(|b| b.is_ascii_hexdigit()))
        .collect();
    let keywords = Words::keywords(note);
    words.len() >= 2 && words.iter().filter(|word| keywords.iter().any(|other| other == **word)).count() >= 2
}

/// The notes of one file about a task or about this kind of error, newest first. Two errors that no rule recognises are not
/// of one kind.
pub fn recall(dir: &Path, file: &str, task: &str, error: &str) -> Vec<String> {
    let text = StateDir::open(dir).ok().flatten().map(|dir| text_of(&dir, file)).unwrap_or_default();
    let task = one_line(task, 400);
    let error = (error != ErrorType::Other.name()).then(|| format!("- error: {error}"));
    let is_about = |note: &&str| {
        let heading = note.lines().next().unwrap_or_default().trim_start_matches("## ");
        let is_ours = heading.split_once(' ').is_some_and(|(at, _)| at.parse::<Timestamp>().is_ok());
        heading.split_once(' ').is_some_and(|(_, name)| name == task)
            || error.as_ref().is_some_and(|error| note.lines().any(|line| line == error))
            || (!is_ours && mentions(note, &task))
    };
    let notes = sections(&text);
    let mut found: Vec<String> = notes.filter(is_about).map(|note| note.trim_start_matches("## ").to_owned()).collect();
    found.reverse();
    found
}

/// A note about another task than `task`, on one line: its day, its task and the root cause. What somebody else wrote is
/// returned as it is.
#[must_use]
pub fn about_other_task(note: &str, task: &str) -> Option<String> {
    let mut lines = note.lines();
    let heading = lines.next()?.split_once(' ').filter(|(at, _)| at.parse::<Timestamp>().is_ok());
    let Some((at, name)) = heading else { return Some(one_line(note, 160)) };
    if name == one_line(task, 400) {
        return None;
    }
    let note = lines.find_map(|line| {
        line.strip_prefix("- root cause: ")
            .map(|cause| cause.split_once(": ").map_or(cause, |(_, message)| message))
            .or_else(|| line.strip_prefix("- no rule knew: "))
    })?;
    let day = at.get(..10).unwrap_or(at);
    // What a tool printed is in quotes already where the note is from outside.
    let note = one_line(note, 100);
    let note = if note.contains('"') { note } else { format!("\"{note}\"") };
    Some(format!("in {}, {day}: {note}", one_line(name, 400)))
}

/// Whether the file has this lesson, apart from what changes from run to run.
fn is_known(dir: &StateDir, note: &MemoryNote) -> bool {
    let MemoryNote::Learning { message, .. } = note else { return false };
    let lesson = normalise(&lesson(message));
    text_of(dir, note.file()).lines().any(|line| normalise(line) == lesson)
}

/// The content of a file; empty where it is missing or is not to be read.
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
