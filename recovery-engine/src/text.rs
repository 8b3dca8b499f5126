//! The line of an output that says most.

use crate::assess::{output, overran};
use failure_taxonomy::normalise::strip_ansi;
use recovery_types::{Diagnosis, FailureEvent};

/// The line that says most: the one the first indicator matches, else the last one that is not blank. Whoever stopped a
/// command says so last.
pub(crate) fn headline(event: &FailureEvent, diagnosis: &Diagnosis) -> String {
    const LONGEST: usize = 300;
    let printed = output(event);
    let text = strip_ansi(&printed);
    let told = diagnosis.indicators.iter().find(|hit| !hit.text.is_empty() && !overran(event));
    let pointed = told.and_then(|hit| {
        let wanted = hit.text.to_ascii_lowercase();
        text.lines().find(|line| line.to_ascii_lowercase().contains(&wanted))
    });
    let line = pointed.or_else(|| text.lines().rev().find(|line| !line.trim().is_empty()));
    match line {
        Some(line) => plain(line.trim()).chars().take(LONGEST).collect(),
        None => format!("exit code {} without output", event.exit_code),
    }
}

/// `text` as it can stand in a sentence or a note: colours and other terminal codes are left out whole.
pub(crate) fn plain(text: &str) -> String {
    strip_ansi(text).chars().filter(|c| !c.is_control()).collect()
}
