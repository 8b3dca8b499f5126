//! `recovery plan`: the nodes of the plan as the journal has recorded them, and freezing and thawing them.
//!
//! In: a task's id, its node id or a parent's. Out: a row per task, or the tasks that were changed. Freezing a node freezes
//! everything below it, so that nothing there is tried (`recovery-service/src/service/settle.rs`).

use super::status::no_such;
use crate::cli::Global;
use crate::ledger::task_named;
use crate::{answer, output};
use recovery_service::{Service, ServiceError, Status};
use recovery_store::TaskId;
use serde_json::json;
use std::io::Write as _;

#[derive(clap::Args)]
#[command(
    after_help = "A node is a task's id, its node id or a parent's id; freezing it freezes everything below it.\n\n\
    Examples:\n  recovery plan show\n  recovery plan freeze STORY-0042 --reason 'the design changes'\n  \
    recovery plan thaw STORY-0042 --reason 'decided' --budget 2"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Plan,
}

#[derive(clap::Subcommand)]
enum Plan {
    /// Show the tasks below their parents, with their state
    #[command(after_help = "Examples:\n  recovery plan show\n  recovery plan show --format json")]
    Show,
    /// Freeze a node and everything below it: nothing is tried until it is thawed
    #[command(after_help = "Examples:\n  recovery plan freeze STORY-0042 --reason 'the design changes'")]
    Freeze {
        /// The node
        node: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// Thaw a node and everything below it
    #[command(after_help = "Examples:\n  recovery plan thaw STORY-0042 --reason 'decided' --budget 2")]
    Thaw {
        /// The node
        node: String,
        /// Why, for the record
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// Replans it may use from now on
        #[arg(long, value_name = "N")]
        budget: Option<u32>,
    },
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    match &args.command {
        Plan::Show => show(global),
        Plan::Freeze { node, reason } => change(global, node, "frozen", |service, node| service.freeze(node, reason)),
        Plan::Thaw { node, reason, budget } => {
            change(global, node, "thawed", |service, node| service.thaw(node, reason, *budget))
        }
    }
}

fn show(global: &Global) -> anyhow::Result<u8> {
    let mut rows: Vec<(String, Status)> = Vec::new();
    if let Some(service) = global.existing_service()? {
        for (task, state) in service.ledger.tasks()? {
            if let Some(status) = service.status(&task)? {
                rows.push((state.parent.unwrap_or_default(), status));
            }
        }
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.task.cmp(&b.1.task)));
    let node = |(parent, status): &(String, Status)| {
        let parent = (!parent.is_empty()).then_some(parent);
        json!({"task": status.task, "parent": parent, "state": status.state, "reason": status.reason,
            "failures": status.failures})
    };
    output::show_each(global.format, &rows.iter().map(node).collect::<Vec<_>>(), |out| {
        if rows.is_empty() {
            return Ok(writeln!(out, "no task has failed here yet")?);
        }
        let rows = rows.iter().map(|(parent, status)| {
            let parent = if parent.is_empty() { "-".to_owned() } else { output::printable(parent).into_owned() };
            let reason = status.reason.as_deref().map(|reason| output::one_line(&answer::reason(reason), 100));
            let reason = reason.unwrap_or("-".to_owned());
            vec![parent, output::printable(&status.task).into_owned(), super::status::state(status), reason]
        });
        Ok(write!(out, "{}", output::table(&["PARENT", "NODE", "STATE", "REASON"], rows.collect()))?)
    })
}

fn change(
    global: &Global,
    node: &str,
    done: &str,
    change: impl FnOnce(&mut Service, &TaskId) -> Result<Vec<TaskId>, ServiceError>,
) -> anyhow::Result<u8> {
    let node = task_named(node)?;
    if global.existing_service()?.is_none() {
        return Ok(no_such(&node));
    }
    let tasks = match change(&mut global.service()?, &node) {
        Ok(tasks) => tasks,
        Err(ServiceError::NoSuchTask { task }) => return Ok(no_such(&task)),
        Err(error) => return Err(error.into()),
    };
    output::show(global.format, &json!({"node": node, "state": done, "tasks": tasks}), |out| {
        tasks.iter().try_for_each(|task| Ok(writeln!(out, "{} {done}", output::one_line(task.as_str(), 60))?))
    })
}
