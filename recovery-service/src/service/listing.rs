//! Lists of tasks: pages of statuses, newest first or by name, and counts.
//!
//! In: which tasks, and the last one of the page before. Out: a [`Page`]. Tasks are kept in lists by what they are
//! (`status.rs -> lists`), each sorted by time, and a page is merged from the beginnings of these lists: it costs the same in a
//! journal of ten tasks and of a million. What is only counted is counted up to [`MAX_COUNTED`].

use super::Service;
use crate::ledger::{PROJECT, is_users, open_lists, task_named};
use crate::status::lists;
use crate::{ServiceError, Status};
use recovery_store::{Journal, TaskId, TaskList, TaskQuery, TaskSummary};
use recovery_types::Timestamp;

/// Which tasks are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// All but failures that an agent met and did not repeat.
    Current,
    /// All.
    All,
    /// Those that wait for a person.
    Stuck,
}

impl Listed {
    fn open_lists(self) -> Vec<TaskList> {
        if self == Self::Stuck { vec![lists::STUCK, lists::STUCK_FOR_LONG] } else { open_lists() }
    }

    fn closed_lists(self) -> Vec<TaskList> {
        if self == Self::Stuck { Vec::new() } else { vec![TaskList::CLOSED] }
    }

    fn shows(self, status: &Status) -> bool {
        match self {
            Self::Current => status.state != "expired",
            Self::All => true,
            Self::Stuck => status.state == "stuck",
        }
    }
}

/// A part of the list of tasks.
#[derive(Default)]
pub struct Page {
    /// The tasks.
    pub statuses: Vec<Status>,
    /// The last of them, where more come after it.
    pub next: Option<String>,
    /// Failures that are left out because an agent did not repeat them, up to [`MAX_COUNTED`]; counted for the first page.
    pub expired: usize,
}

/// What is only counted is counted up to here: a status line must not read a million tasks.
pub const MAX_COUNTED: usize = 100;

/// A count that ends at [`MAX_COUNTED`], in words.
#[must_use]
pub fn at_least(count: usize) -> String {
    if count >= MAX_COUNTED { format!("{count} or more") } else { count.to_string() }
}

impl<J: Journal> Service<J> {
    /// The task that `given` names: by its whole name, else by a part that only one task's name has. A name that no task has is
    /// taken as given.
    ///
    /// # Errors
    /// Where several tasks have it in their name, it can be no name, or the journal cannot be read.
    pub fn task_like(&self, given: &str) -> Result<TaskId, ServiceError> {
        let wanted = task_named(given)?;
        let journal = &self.ledger.journal;
        if journal.task(&wanted)?.is_some() {
            return Ok(wanted);
        }
        let mut tasks = journal.tasks_named_like(given, MAX_COUNTED)?;
        tasks.retain(is_users);
        if tasks.len() > 1 {
            tasks.sort();
            return Err(ServiceError::AmbiguousName { part: given.to_owned(), tasks });
        }
        Ok(tasks.pop().unwrap_or(wanted))
    }

    /// The failing task that was seen last.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn failed_last(&self) -> Result<Option<TaskId>, ServiceError> {
        let page = self.page(Listed::Current, None, 1)?;
        let failing = page.statuses.first().filter(|status| status.failures > 0);
        Ok(failing.map(|status| task_named(&status.task)).transpose()?)
    }

    /// The status of up to `limit` tasks by name, those after `after`, and whether there are more.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn statuses_by_name(&self, after: Option<&TaskId>, limit: usize) -> Result<(Vec<Status>, bool), ServiceError> {
        // Two more: the project's own task, and the one that shows that there are more.
        let mut tasks = self.ledger.journal.tasks_by_name(after, limit.saturating_add(2))?;
        tasks.retain(|summary| is_users(&summary.task));
        let has_more = tasks.len() > limit;
        tasks.truncate(limit);
        let now = self.clock.now();
        let status = |summary: &TaskSummary| -> Result<Status, ServiceError> {
            let state = self.ledger.state(&summary.task)?;
            Ok(Status::of(&self.setup.engine, &summary.task, &state, now))
        };
        Ok((tasks.iter().map(status).collect::<Result<_, _>>()?, has_more))
    }

    /// How many tasks there are.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn task_count(&self) -> Result<u64, ServiceError> {
        let own = self.ledger.journal.task(&TaskId::new(PROJECT)?)?.is_some();
        Ok(self.ledger.journal.task_count()? - u64::from(own))
    }

    /// A page of up to `limit` tasks: what is open first, then the others, each with what happened last first. `after` is the
    /// last task of the page before.
    ///
    /// # Errors
    /// Where the journal cannot be read, or does not know `after`.
    pub fn page(&self, which: Listed, after: Option<&TaskId>, limit: usize) -> Result<Page, ServiceError> {
        let now = self.clock.now();
        let after = match after {
            Some(task) => {
                Some(self.ledger.journal.task(task)?.ok_or_else(|| ServiceError::NoSuchTask { task: task.clone() })?)
            }
            None => None,
        };
        let is_past_open = after.as_ref().is_some_and(|after| !after.labels.list.is_open());
        let mut page = Page::default();
        let sections = [which.open_lists(), which.closed_lists()];
        for (section, lists) in sections.iter().enumerate().skip(usize::from(is_past_open)) {
            let mut last = after.clone().filter(|after| after.labels.list.is_open() == (section == 0));
            // A task that is not shown after all makes room for another one.
            while page.next.is_none() {
                let wanted = (limit - page.statuses.len()).saturating_add(1);
                let found = self.section(which, lists, last.as_ref(), wanted, now)?;
                let has_more = found.len() == wanted;
                last = found.last().cloned();
                for summary in found {
                    let state = self.ledger.state(&summary.task)?;
                    let status = Status::of(&self.setup.engine, &summary.task, &state, now);
                    if !is_users(&summary.task) || !which.shows(&status) {
                        continue;
                    }
                    if page.statuses.len() == limit {
                        page.next = page.statuses.last().map(|last| last.task.clone());
                        break;
                    }
                    page.statuses.push(status);
                }
                if !has_more {
                    break;
                }
            }
        }
        if which == Listed::Current && after.is_none() {
            page.expired = self.expired(now)?;
        }
        Ok(page)
    }

    /// The tasks in `lists` that come next, without those whose failure is of the past unless all are wanted.
    fn section(
        &self,
        which: Listed,
        lists: &[TaskList],
        after: Option<&TaskSummary>,
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<TaskSummary>, ServiceError> {
        let merged = TaskQuery { after, limit, ..TaskQuery::default() };
        let mut found = Vec::new();
        for list in lists {
            let since = lists::expired_until(*list, now).filter(|_| which != Listed::All);
            found.extend(self.ledger.journal.tasks_where(&TaskQuery { lists: &[*list], since, ..merged })?);
        }
        Ok(merged.of(found))
    }

    /// How many failures an agent did not repeat, up to [`MAX_COUNTED`].
    fn expired(&self, now: Timestamp) -> Result<usize, ServiceError> {
        let mut expired = 0;
        for list in open_lists() {
            let Some(until) = lists::expired_until(list, now) else { continue };
            let query = TaskQuery { lists: &[list], until: Some(until), limit: MAX_COUNTED, ..TaskQuery::default() };
            expired += self.ledger.journal.tasks_where(&query)?.len();
        }
        Ok(expired.min(MAX_COUNTED))
    }

    /// How many tasks fail and how many wait for a person, each up to [`MAX_COUNTED`].
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn open_counts(&self) -> Result<(usize, usize), ServiceError> {
        let now = self.clock.now();
        let newest = |lists: &[TaskList]| self.section(Listed::Current, lists, None, MAX_COUNTED, now);
        let failing = newest(&[lists::FAILING, lists::FAILING_BRIEFLY, lists::FAILING_FOR_LONG])?;
        Ok((failing.len(), newest(&[lists::STUCK, lists::STUCK_FOR_LONG])?.len()))
    }
}
