//! `recovery resolve` and `recovery reset`: a person's word, recorded with its reason.

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::{Ledger, entry_of, task_named};
use crate::output::{self, Format};
use crate::{clock, exit, notes};
use anyhow::ensure;
use recovery_engine::{Engine, Entry, Input, TaskState};
use recovery_store::{Journal as _, RecordKind};
use recovery_types::{Level, Timestamp};
use std::io::Write as _;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The task
    task: String,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// `recovery resolve`: it works, or it was dealt with.
pub(crate) fn resolve(args: &Args, global: &Global) -> anyhow::Result<u8> {
    settle(args, global, RecordKind::Resolve, "resolved", |engine, task, state, reason, at| {
        // After force-done, which may be overdue, nothing but a reset moves the ladder.
        let stuck = engine.ladder_at(task, state, at).level == Some(Level::ForceDone);
        let input = if stuck { Input::Reset { reason: reason.clone() } } else { Input::Success };
        let transitions = engine.end(task, state, input, at);
        Entry::Resolved { at, reason, transitions }
    })
}

/// `recovery reset`: the task starts afresh.
pub(crate) fn reset(args: &Args, global: &Global) -> anyhow::Result<u8> {
    settle(args, global, RecordKind::Reset, "reset", |engine, task, state, reason, at| {
        let reset = Input::Reset { reason: reason.clone() };
        let transitions = engine.end(task, state, reset, at);
        Entry::Reset { at, reason, transitions }
    })
}

fn settle(
    args: &Args,
    global: &Global,
    kind: RecordKind,
    done: &str,
    entry: impl FnOnce(&Engine, &str, &TaskState, String, Timestamp) -> Entry,
) -> anyhow::Result<u8> {
    ensure!(!args.reason.trim().is_empty(), "--reason is empty; say why, for the record");
    let task = task_named(&args.task)?;
    let engine = global.engine()?;
    let state_dir = global.state_dir()?;
    let known = Ledger::open_existing(&state_dir, recovery_store::DEFAULT_WAIT)?;
    let known = known.map(|ledger| ledger.journal.records(&task, 1)).transpose()?.unwrap_or_default();
    if known.is_empty() {
        return Ok(no_such(&task));
    }
    let mut ledger = Ledger::open(&state_dir, recovery_store::DEFAULT_WAIT)?;
    let now = clock::now();
    let reason = failure_taxonomy::redact::redact(&args.reason).into_owned();
    let record = ledger.record(&task, kind, now, |state| Ok(entry(&engine, task.as_str(), state, reason, now)))?;
    if let Some(Entry::Resolved { transitions, .. } | Entry::Reset { transitions, .. }) = entry_of(&record)? {
        notes::append(&global.memory_dir()?, &transitions);
    }
    let mut out = output::stdout();
    match global.format {
        Format::Json => output::json_line(
            &mut out,
            &serde_json::json!({"task": task, "seq": record.seq, "hash": record.hash.to_string(), "state": done}),
        )?,
        Format::Text => writeln!(out, "{} {done} (record {})", output::one_line(task.as_str(), 60), record.seq)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}
