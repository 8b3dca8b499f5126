//! Locks that another process holds.

use super::{Row, Seen, about, is_plain_word, row, shell_quoted};
use recovery_types::{Adjustment, AdjustmentKind};

/// What held locks look like.
pub(super) const ROWS: &[Row] = &[
    row("Could not get lock {w} It is held by process {n} ({})", |s| {
        held(s.hole(0).trim_end_matches('.'), Some(format!("{} (pid {})", s.hole(2), s.hole(1))))
    }),
    row("Could not get lock {w}", |s| held(s.hole(0).trim_end_matches('.'), None)),
    row("dpkg frontend lock was locked by another process with pid {n}", |s| {
        held("/var/lib/dpkg/lock-frontend", Some(format!("pid {}", s.hole(0))))
    }),
    row("Unable to create '{}.lock': File exists", stale_git),
    row("Waiting for file lock on {}", cargo),
    row("Blocking waiting for file lock on {}", cargo),
    row("Error acquiring the state lock", terraform),
    row("database is locked", |_| held("the SQLite database", None)),
    row("database table is locked", |_| held("the SQLite table", None)),
    row("is locked by another process", |_| held("the lock", None)),
    row("Could not acquire lock", |_| held("the lock", None)),
    row("Timeout waiting to lock {}", gradle),
    row("Another program is already running with lock file {w}", |s| held(s.hole(0), None)),
    row("The process cannot access the file '{}' because it is being used by another process", |s| {
        held(s.hole(0), None)
    }),
    row("another operation (install/upgrade/rollback) is in progress", |_| helm()),
    row("could not obtain lock on row in relation \"{}\"", |s| held(s.hole(0), None)),
    row("deadlock detected", |_| again("run the transaction again, PostgreSQL broke a deadlock")),
    row("Deadlock found when trying to get lock", |_| again("run the transaction again, MySQL broke a deadlock")),
    row("Lock wait timeout exceeded", |_| again("run the transaction again, another one held the row lock too long")),
    row("Text file busy", |_| held("the program file, which is running", None)),
    row("Another app is currently holding the yum lock", |s| {
        held("/var/run/yum.pid", after(s.text, "The other application is: "))
    }),
    row("EBUSY: resource busy or locked, {w} '{}'", |s| held(s.hole(1), None)),
];

fn held(what: &str, holder: Option<String>) -> Option<Adjustment> {
    let by = holder.as_ref().map(|h| format!(", held by {h}")).unwrap_or_default();
    let command = what.starts_with('/').then(|| format!("fuser -v {}", shell_quoted(what)));
    let see = if command.is_some() && holder.is_none() { "; see who holds it" } else { "" };
    let command = command.filter(|_| holder.is_none());
    let name = if what.starts_with("the ") { what.to_owned() } else { format!("`{what}`") };
    let text = format!("wait until {name} is free{by}, then the same again{see}");
    Some(Adjustment { holder, ..about(AdjustmentKind::ReleaseLock, what, text, command) })
}

fn again(text: &str) -> Option<Adjustment> {
    Some(super::change(AdjustmentKind::ReleaseLock, text))
}

fn stale_git(seen: &Seen<'_>) -> Option<Adjustment> {
    let lock = format!("{}.lock", seen.hole(0));
    let command = format!("rm -f {}", shell_quoted(&lock));
    let text = format!("let the other git process end; if none runs, remove the stale `{lock}`");
    let holder = Some("another git process".to_owned());
    Some(Adjustment { holder, ..about(AdjustmentKind::ReleaseLock, &lock, text, Some(command)) })
}

fn cargo(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!(
        "wait for the other cargo process that holds the {}, or build with a target directory of your own",
        seen.hole(0)
    );
    let holder = Some("another cargo process".to_owned());
    Some(Adjustment { holder, ..about(AdjustmentKind::ReleaseLock, seen.hole(0), text, None) })
}

fn terraform(seen: &Seen<'_>) -> Option<Adjustment> {
    let (id, who) = (after(seen.text, "ID: "), after(seen.text, "Who: "));
    let by = who.as_ref().map(|who| format!(" by {who}")).unwrap_or_default();
    let command = id.as_ref().filter(|id| is_plain_word(id)).map(|id| format!("terraform force-unlock {id}"));
    let text = format!("wait until the state lock held{by} is released; only if that run is dead, unlock it");
    let subject = id.unwrap_or_else(|| "terraform state".to_owned());
    Some(Adjustment { holder: who, ..about(AdjustmentKind::ReleaseLock, &subject, text, command) })
}

fn gradle(seen: &Seen<'_>) -> Option<Adjustment> {
    let what = seen.hole(0).split(". It is currently").next().unwrap_or_default();
    let holder = after(seen.text, "Owner PID: ").map(|pid| format!("pid {pid}"));
    let by = holder.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
    let text = format!("wait for the other Gradle process{by} that holds the {what}, or stop it");
    let command = Some("gradle --stop".to_owned());
    Some(Adjustment { holder, ..about(AdjustmentKind::ReleaseLock, what, text, command) })
}

fn helm() -> Option<Adjustment> {
    let text = "wait until the other Helm operation on this release ends; if it was interrupted, roll it back";
    Some(about(AdjustmentKind::ReleaseLock, "helm release", text, Some("helm history".to_owned())))
}

/// What follows `label` on its line, anywhere in `text`.
fn after(text: &str, label: &str) -> Option<String> {
    let line = text.lines().find_map(|line| line.split_once(label))?;
    Some(line.1.trim().to_owned()).filter(|value| !value.is_empty())
}
