//! `recovery updates`: the TaskUpdate records of the escalation document, one JSON object per line.
//!
//! In: the journal. Out: the update of every recorded transition, in order. `--follow` polls for new records at the
//! interval `POLL`. The fields are made in `escalation/src/record.rs`.

use super::status::no_such;
use crate::cli::Global;
use crate::exit;
use crate::ledger::{entry_of, task_named};
use crate::output;
use recovery_service::Service;
use recovery_store::{JournalExt as _, Record, TaskId};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

const POLL: Duration = Duration::from_millis(500);

#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1 when there is no such task.\n\nExamples:\n  recovery updates\n  recovery updates --task login\n  recovery updates --follow"
)]
pub(crate) struct Args {
    /// Of one task only
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Go on with what comes, until interrupted
    #[arg(long)]
    follow: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let only = args.task.as_deref().map(task_named).transpose()?;
    let mut shown: BTreeMap<TaskId, u64> = BTreeMap::new();
    let mut out = output::stdout();
    loop {
        if let Some(service) = global.existing_service()? {
            show_new(&service, only.as_ref(), &mut shown, &mut out)?;
        }
        out.flush()?;
        if !args.follow {
            return Ok(match only {
                Some(task) if shown.is_empty() => no_such(&task),
                _ => exit::DONE,
            });
        }
        std::thread::sleep(POLL);
    }
}

fn show_new(
    service: &Service,
    only: Option<&TaskId>,
    shown: &mut BTreeMap<TaskId, u64>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let is_new = |record: &Record| {
        only.is_none_or(|only| *only == record.task) && shown.get(&record.task).is_none_or(|seen| record.seq > *seen)
    };
    let new: Vec<Record> = service.ledger.journal.all()?.into_iter().filter(is_new).collect();
    for record in new {
        let entry = entry_of(&record).ok().flatten();
        for transition in entry.iter().flat_map(|entry| entry.transitions()) {
            if let Some(update) = &transition.update {
                output::json_line(out, update)?;
            }
        }
        shown.insert(record.task, record.seq);
    }
    Ok(())
}
