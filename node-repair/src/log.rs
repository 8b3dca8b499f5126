//! The documented log lines.
//!
//! A line states how a repair ended, so it is written when that is known: at once for a PRUNE and for an ESCALATE after
//! failed attempts, which [`Repair::log`](recovery_types::Repair) holds. A RETRY or DECOMPOSE has no line until its outcome
//! is reported ([`log_line`] with [`RepairOutcome::Resolved`] or [`RepairOutcome::AllPassed`]).

use crate::directive::one_line;
use recovery_types::repair::FailedTask;

/// How a repair ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairOutcome {
    /// A RETRY worked.
    Resolved {
        /// What was changed before it.
        adjustment: String,
    },
    /// No RETRY worked, a person decides.
    Exhausted {
        /// How many attempts there were.
        attempts: usize,
    },
    /// The sub-tasks of a DECOMPOSE are done.
    AllPassed {
        /// How many there were.
        sub_tasks: usize,
    },
    /// The task was left out.
    Skipped {
        /// Why.
        justification: String,
    },
}

/// The line to log for `task`.
///
/// ```
/// use node_repair::{RepairOutcome, log_line};
/// use recovery_types::repair::FailedTask;
/// let task = FailedTask { number: "3".into(), ..FailedTask::default() };
/// let line = log_line(&task, &RepairOutcome::Exhausted { attempts: 2 });
/// assert_eq!(line, "[Node Repair - RETRY] Task 3: 2 attempts exhausted - escalated to user");
/// ```
#[must_use]
pub fn log_line(task: &FailedTask, outcome: &RepairOutcome) -> String {
    let task = task_label(task);
    match outcome {
        RepairOutcome::Resolved { adjustment } => {
            format!("[Node Repair - RETRY] Task {task}: {} - resolved", one_line(adjustment))
        }
        RepairOutcome::Exhausted { attempts } => {
            format!("[Node Repair - RETRY] Task {task}: {attempts} attempts exhausted - escalated to user")
        }
        RepairOutcome::AllPassed { sub_tasks } => {
            format!("[Node Repair - DECOMPOSE] Task {task} split into {sub_tasks} sub-tasks - all passed")
        }
        RepairOutcome::Skipped { justification } => {
            format!("[Node Repair - PRUNE] Task {task} skipped: {}", one_line(justification))
        }
    }
}

/// The task's number; its name where it has none.
pub(crate) fn task_label(task: &FailedTask) -> String {
    [&task.number, &task.name]
        .into_iter()
        .map(|text| one_line(text))
        .find(|text| !text.is_empty())
        .unwrap_or_else(|| "(unnamed)".to_owned())
}
