//! Steps for locks that another process holds, and for transactions that a database aborted.
//!
//! In: the evidence of a [`Case`](super::Case). Out: wait and run again, with the holder where the output names it and a
//! command that shows or releases the lock.
//!
//! A command that removes a lock (`rm .git/index.lock`, `terraform force-unlock`) is given only with the condition that the
//! holder is dead, since removing a live lock can corrupt what it protects. An aborted transaction (deadlock, serialization
//! failure, write conflict) needs no waiting and is a step of its own. To recognise a new message, add a row to `ROWS` or
//! `TRANSACTIONS`, the more specific one first.

use super::words::{about, is_plain_word, shell_quoted, step};
use super::{Case, Row, Seen, first, row};
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// A transaction that the database broke off: run it again.
pub(super) fn transaction(case: &Case<'_>) -> Option<Adjustment> {
    first(TRANSACTIONS, case)
}

/// Another process holds a lock.
pub(super) fn held_by_another(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case)
}

/// A lock is held, and no template matches.
pub(super) fn some_lock(case: &Case<'_>) -> Option<Adjustment> {
    (case.request.error_type == Some(ErrorType::LockContention)).then(|| {
        let line = case.headline().map(|line| format!(": {line}")).unwrap_or_default();
        let text = format!("wait until the other process has released the lock, then run it again{line}");
        step(AdjustmentKind::ReleaseLock, text)
    })
}

/// Messages about transactions that were aborted because of another one.
const TRANSACTIONS: &[Row] = &[
    row("deadlock detected", |_| again("the database broke a deadlock")),
    row("Deadlock found when trying to get lock", |_| again("the database broke a deadlock")),
    row("Lock wait timeout exceeded", |_| again("another one held the row lock too long")),
    row("could not serialize access", |_| again("another one changed the same rows")),
    row("was deadlocked on lock resources", |_| again("the database broke a deadlock")),
    row("could not obtain lock on row in relation \"{}\"", |_| again("another one held the row lock")),
    row("TransactionRetryError", |_| again("another one changed the same rows")),
    row("WriteConflict", |_| again("another one changed the same document")),
];

/// Messages about held locks.
const ROWS: &[Row] = &[
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
    row("Unable to lock the administration directory ({w}", |s| {
        held(s.hole(0).trim_end_matches([')', ',', '/']), None)
    }),
    row("Resource temporarily unavailable", |_| held("the lock", None)),
    row("database table is locked", |_| held("the SQLite table", None)),
    row("is locked by another process", |_| held("the lock", None)),
    row("Could not acquire lock", |_| held("the lock", None)),
    row("Timeout waiting to lock {}", gradle),
    row("Another program is already running with lock file {w}", |s| held(s.hole(0), None)),
    row("The process cannot access the file '{}' because it is being used by another process", |s| {
        held(s.hole(0), None)
    }),
    row("another operation (install/upgrade/rollback) is in progress", |_| helm()),
    row("Text file busy", |_| held("the program file, which is running", None)),
    row("Another app is currently holding the yum lock", |s| {
        held("/var/run/yum.pid", after(s.text, "The other application is: "))
    }),
    row("unable to lock database", |s| {
        held(after(s.text, "you can remove ").as_deref().unwrap_or("/var/lib/pacman/db.lck"), None)
    }),
    row("A server is already running. Check {w}", |s| {
        let file = s.hole(0).trim_end_matches('.');
        let text = format!(
            "stop the server that runs; only if none does, remove {file}, which a server that ended left behind"
        );
        Some(about(AdjustmentKind::ReleaseLock, file, text, None))
    }),
    row("EBUSY: resource busy or locked, {w} '{}'", |s| held(s.hole(1), None)),
];

fn held(what: &str, holder: Option<String>) -> Option<Adjustment> {
    let by = holder.as_ref().map(|h| format!(", held by {h}")).unwrap_or_default();
    let command = what.starts_with('/').then(|| format!("fuser -v {}", shell_quoted(what)));
    let see = if command.is_some() && holder.is_none() { "; see who holds it" } else { "" };
    let command = command.filter(|_| holder.is_none());
    let text = format!("wait until {what} is free{by}, then run it again{see}");
    Some(Adjustment { holder, ..about(AdjustmentKind::ReleaseLock, what, text, command) })
}

fn again(why: &str) -> Option<Adjustment> {
    Some(step(AdjustmentKind::Repeat, format!("run the transaction again, {why}")))
}

fn stale_git(seen: &Seen<'_>) -> Option<Adjustment> {
    let lock = format!("{}.lock", seen.hole(0));
    let command = format!("rm {}", shell_quoted(&lock));
    let text =
        format!("let the other git process end; only if none runs, remove the stale lock {lock} (this deletes it)");
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
