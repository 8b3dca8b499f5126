//! The most informative line of an output.
//!
//! In: an event and its diagnosis. Out: one line without escape codes, at most 300 characters, for the ladder's records and
//! for notes: the line that the first indicator matches, else the last one. A record that names the whole output would not be
//! read by anyone. What is shown to people at length is worded in `recovery-service`.

use crate::assess::{output, overran};
use failure_taxonomy::normalise::strip_ansi;
use recovery_types::{Diagnosis, FailureEvent};

/// The most informative line: the one the first indicator matches, else the last one that is not blank. A program that
/// stops a command reports it last.
pub(crate) fn headline(event: &FailureEvent, diagnosis: &Diagnosis) -> String {
    const MAX_HEADLINE_CHARS: usize = 300;
    let printed = output(event);
    let text = strip_ansi(&printed);
    let indicator = diagnosis.indicators.iter().find(|hit| !hit.text.is_empty() && !overran(event));
    let pointed = indicator.and_then(|hit| {
        let wanted = hit.text.to_ascii_lowercase();
        text.lines().find(|line| line.to_ascii_lowercase().contains(&wanted))
    });
    let line = pointed.or_else(|| text.lines().rev().find(|line| !line.trim().is_empty()));
    match line {
        Some(line) => plain(line.trim()).chars().take(MAX_HEADLINE_CHARS).collect(),
        None => format!("exit code {} without output", event.exit_code),
    }
}

/// `text` as it can be used in a sentence or a note: colours and other terminal codes are left out whole.
pub(crate) fn plain(text: &str) -> String {
    strip_ansi(text).chars().filter(|c| !c.is_control()).collect()
}
