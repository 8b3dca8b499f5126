//! Going back to the last good commit, as a task's last decision asks for.
//!
//! In: the journal, a task and its repository. [`requested`] reads from the records whether a rollback is due and to which
//! commit; [`carry_out`] does it with `recovery-git`, which saves everything first, and records it before anything is
//! touched. `recovery rollback` and `recovery run --rollback` are adapters.

use crate::{Ledger, ServiceError};
use recovery_engine::Entry;
use recovery_engine::reconcile::Tree;
use recovery_git::{GitError, Repo, Rollback, RollbackLock};
use recovery_store::{Journal, RecordKind, TaskId};
use recovery_types::Timestamp;

/// The longest part of a task's name in the name of a backup, in characters.
const MAX_NAME_CHARS: usize = 60;

/// Why nothing was rolled back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RollbackError {
    /// Git refused or failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The records could not be read.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The task's last decision is something else.
    #[error("the last decision is not a rollback")]
    NotRequested,
    /// The commits of the decision are not known.
    #[error("the decision about {task} was recorded outside a git work tree")]
    OutsideWorkTree {
        /// The task.
        task: TaskId,
    },
}

/// A rollback that a decision asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RollbackRequest {
    /// The good commit to go back to.
    pub target: String,
    /// Where HEAD was when it was decided.
    pub head: String,
}

/// The rollback that the task's last decision asks for. One that was recorded and then killed is still due: HEAD moves last.
///
/// # Errors
///
/// When the records cannot be read, or name no commits.
pub fn requested<J: Journal>(
    ledger: &Ledger<J>,
    task: &TaskId,
    repo: &Repo,
) -> Result<Option<RollbackRequest>, RollbackError> {
    let Some(Entry::Decided { decision, event, head, .. }) =
        ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. }))?
    else {
        return Ok(None);
    };
    if decision.tree != Tree::RollBack {
        return Ok(None);
    }
    let (Some(target), Some(head)) = (event.last_good_commit.clone(), head) else {
        return Err(RollbackError::OutsideWorkTree { task: task.clone() });
    };
    let is_recorded = matches!(
        ledger.last_entry(task, |entry| matches!(entry, Entry::Decided { .. } | Entry::RolledBack { .. }))?,
        Some(Entry::RolledBack { .. })
    );
    let was_killed = || repo.head().is_ok_and(|now| now == head) && target != head;
    Ok((!is_recorded || was_killed()).then_some(RollbackRequest { target, head }))
}

/// Goes back, with everything saved and recorded first.
///
/// # Errors
///
/// When git refuses or the record cannot be written; then nothing was touched.
pub fn carry_out<J: Journal>(
    repo: &Repo,
    lock: &RollbackLock,
    ledger: &mut Ledger<J>,
    task: &TaskId,
    request: &RollbackRequest,
    at: Timestamp,
) -> Result<Rollback, RollbackError> {
    let done = repo.roll_back(lock, &request.target, &request.head, &backup_name(task, at), |done| {
        let (to, backup) = (done.target.clone(), done.backup.name.clone());
        ledger.record(task, RecordKind::Rollback, at, |_| Entry::RolledBack { at, to, backup })?;
        Ok(())
    })?;
    Ok(done)
}

/// A name for a backup that git accepts as part of a ref.
#[must_use]
pub fn backup_name(task: &TaskId, at: Timestamp) -> String {
    let plain = task.as_str().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    let plain: String = plain.take(MAX_NAME_CHARS).collect();
    format!("{}-{}", plain.trim_matches('-'), stamp(at)).trim_start_matches('-').to_owned()
}

/// A moment as digits, for the name of a backup.
#[must_use]
pub fn stamp(at: Timestamp) -> String {
    at.to_string().chars().filter(char::is_ascii_digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_has_a_name_that_git_accepts() {
        let at = Timestamp::from_ms(0);
        let name = |task: &str| backup_name(&TaskId::new(task).unwrap(), at);
        assert_eq!(name("fix/login ~1"), format!("fix-login--1-{}", stamp(at)));
        assert_eq!(name("..."), stamp(at));
        assert!(name(&"x".repeat(200)).len() < 100);
    }
}
