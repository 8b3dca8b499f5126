//! What can go wrong, with the place and the way out.

use crate::service::at_least;
use recovery_store::{StoreError, TaskId};
use recovery_types::terminal::one_line;
use std::path::PathBuf;

/// Why a question could not be answered or an answer not recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// The journal could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An entry could not be written as JSON.
    #[error("an entry of task {task} cannot be written as JSON")]
    Unwritable {
        /// The task.
        task: TaskId,
        /// serde's error.
        source: serde_json::Error,
    },
    /// A record that should be a decision is something else.
    #[error("record {seq} of task {task} is not a decision")]
    NotADecision {
        /// The task.
        task: TaskId,
        /// The record's number.
        seq: u64,
    },
    /// The journal knows no such task.
    #[error("no task is called {task}")]
    NoSuchTask {
        /// The task.
        task: TaskId,
    },
    /// A part of a name that several tasks have.
    #[error("{} tasks have {part:?} in their name; which one?{}", at_least(tasks.len()), first_names(tasks))]
    AmbiguousName {
        /// What was given.
        part: String,
        /// The tasks, sorted, up to [`MAX_COUNTED`](crate::MAX_COUNTED) of them.
        tasks: Vec<TaskId>,
    },
    /// The outcome of a repair that was never proposed.
    #[error(
        "no repair was proposed for {task} since it last worked: give its error to `recovery repair --task {task}`"
    )]
    NoRepair {
        /// The task.
        task: TaskId,
    },
    /// Another system's file cannot be read.
    #[error("{reason}")]
    Foreign {
        /// What is wrong with it, and where.
        reason: String,
    },
    /// Notes could not be written.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// A person's word without a reason.
    #[error("the reason is empty; say why, for the record")]
    NoReason,
}

/// The first few names, one per line.
fn first_names(tasks: &[TaskId]) -> String {
    const NAMED: usize = 5;
    let names = tasks.iter().take(NAMED).map(|task| format!("\n  {}", one_line(task.as_str(), 100)));
    names.chain((tasks.len() > NAMED).then(|| "\n  ...".to_owned())).collect()
}

/// Why a note could not be written. Its content is in the journal by then.
#[derive(Debug, thiserror::Error)]
#[error("cannot append to {path}: {source}")]
pub struct NoteError {
    /// The file.
    pub path: PathBuf,
    /// The system's error.
    pub source: std::io::Error,
}
