//! Steps for files that version control or `patch` could not merge.
//!
//! In: the text of a [`Case`](super::Case). Out: one step that lists the files in conflict, at most five by name, or the
//! files with local changes that a merge would overwrite.
//!
//! Unlike the other steps this one reads the whole output and not only the evidence, because git prints one line per file
//! and all of them belong to the same failure. `CONFLICTS` are the message templates of git, Mercurial and patch; the last
//! hole of a template is the file.

use super::Case;
use super::pattern::Pattern;
use super::words::{shorten, step};
use crate::directive::one_line;
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// How git, Mercurial, Subversion and patch name a file in conflict.
const CONFLICTS: &[&str] = &[
    "CONFLICT (content): Merge conflict in {}",
    "CONFLICT (add/add): Merge conflict in {}",
    "CONFLICT (modify/delete): {w} deleted in",
    "CONFLICT (rename/delete): {w}",
    "CONFLICT (file/directory): {w}",
    "Merge conflict in {}",
    "error: patch failed: {w}",
    "error: {}: patch does not apply",
    "both modified:   {}",
    "both added:      {}",
    "warning: conflicts while merging {}!",
    "merging {} failed!",
    "saving rejects to file {}.rej",
    "Hunk #{n} FAILED at {}",
];

/// Resolve the conflicting files, by name.
pub(super) fn resolve(case: &Case<'_>) -> Option<Adjustment> {
    let is_rejected = case.mentions(&["saving rejects to file"]);
    if !is_rejected
        && !case.is(ErrorType::MergeConflict, &["merge conflict in", "conflict (", "would be overwritten by"])
    {
        return None;
    }
    const MAX_NAMED_FILES: usize = 5;
    // Git lists each file on a line of its own: all of them belong to the one failure.
    let mut files: Vec<String> = Vec::new();
    for line in case.text.lines() {
        let found = CONFLICTS.iter().find_map(|template| Pattern::new(template).first(line));
        let Some(hit) = found else { continue };
        let Some(file) = hit.captures.last().map(|file| one_line(file)) else { continue };
        let file = file.split(':').next().unwrap_or(&file).trim_end_matches(['.', '!']).to_owned();
        if !file.is_empty() && !files.contains(&file) && !line.contains("Hunk #") {
            files.push(file);
        }
    }
    let overwritten = would_be_overwritten(case.text);
    if !overwritten.is_empty() {
        let names = listed(&overwritten, MAX_NAMED_FILES);
        let text = format!("commit or stash your changes to {names}, then do it again; the merge would overwrite them");
        let subject = overwritten.into_iter().next();
        return Some(Adjustment { subject, ..step(AdjustmentKind::ResolveConflict, text) });
    }
    if files.is_empty() {
        let line = case.headline().map(|line| format!(": {line}")).unwrap_or_default();
        let text = format!("resolve the conflicting files (git status lists them), then go on{line}");
        return Some(step(AdjustmentKind::ResolveConflict, text));
    }
    let text = format!("resolve the conflict in {}, then go on", listed(&files, MAX_NAMED_FILES));
    let subject = files.into_iter().next();
    Some(Adjustment { subject, ..step(AdjustmentKind::ResolveConflict, text) })
}

/// The files that git refuses to overwrite: they are listed below its message.
fn would_be_overwritten(text: &str) -> Vec<String> {
    let mut lines = text.lines().skip_while(|line| !line.contains("would be overwritten by"));
    lines.next();
    let files = lines.take_while(|line| line.starts_with(['\t', ' '])).map(|line| line.trim().to_owned());
    files.filter(|file| !file.is_empty()).collect()
}

fn listed(names: &[String], most: usize) -> String {
    let shown = names.iter().take(most).map(|name| shorten(name, 120)).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(most) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}
