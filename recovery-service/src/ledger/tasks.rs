//! Many tasks at once: lists of tasks with their states, and what a decision has to know of other tasks.
//!
//! In: a question about tasks. Out: their names with their states, newest first. Only the states of tasks that are part of
//! the answer are read. What a decision takes from other tasks becomes part of the stored event, so that a replay sees the
//! same.

use super::{Ledger, PROJECT, Question, is_users};
use crate::ServiceError;
use recovery_engine::{Engine, TaskState};
use recovery_store::{Journal, JournalExt as _, TaskId, TaskList, TaskQuery, TaskSummary};
use recovery_types::repair::{AdjacentTask, TaskStatus};
use recovery_types::{HistoryEntry, Node};

/// How many tasks are looked at together.
const PAGE: usize = 50;

/// How many tasks below one node a decision looks at, the latest ones: as many entries as an event takes of them.
const MAX_SIBLINGS: usize = 100;

impl<J: Journal> Ledger<J> {
    /// Every task of the user's with its state, by name.
    pub fn tasks(&self) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        let tasks = self.journal.tasks()?.into_iter().map(|summary| summary.task).filter(is_users);
        tasks.map(|task| self.state(&task).map(|state| (task, state))).collect()
    }

    /// The `most` tasks that something happened to last, newest first. Only their states are read.
    pub fn recent(&self, most: usize) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        // One more, because the project's own task may be among them.
        let query = TaskQuery { limit: most.saturating_add(1), ..TaskQuery::default() };
        Ok(self.listed(&query)?.into_iter().take(most).collect())
    }

    /// The tasks in these lists with their states, newest first.
    pub(crate) fn in_lists(&self, lists: &[TaskList]) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        self.listed(&TaskQuery { lists, ..TaskQuery::default() })
    }

    /// The tasks that may need somebody, with their states, newest first.
    pub fn open_tasks(&self) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        self.in_lists(&open_lists())
    }

    /// The open task that something happened to last, of those that `wanted` accepts.
    pub fn newest_open(&self, wanted: impl Fn(&TaskState) -> bool) -> Result<Option<TaskId>, ServiceError> {
        let open = open_lists();
        let mut last: Option<TaskSummary> = None;
        loop {
            let query = TaskQuery { lists: &open, after: last.as_ref(), limit: PAGE, ..TaskQuery::default() };
            let page = self.journal.tasks_where(&query)?;
            for summary in page.iter().filter(|summary| is_users(&summary.task)) {
                if wanted(&self.state(&summary.task)?) {
                    return Ok(Some(summary.task.clone()));
                }
            }
            let Some(end) = page.into_iter().next_back() else { return Ok(None) };
            last = Some(end);
        }
    }

    fn listed(&self, query: &TaskQuery<'_>) -> Result<Vec<(TaskId, TaskState)>, ServiceError> {
        let tasks = self.journal.tasks_where(query)?.into_iter().map(|summary| summary.task).filter(is_users);
        tasks.map(|task| self.state(&task).map(|state| (task, state))).collect()
    }

    /// The question with what the journal knows of other tasks: siblings below the same parent, and tasks that it depends
    /// on and that were left out. It becomes part of the stored event, so that a replay sees the same.
    pub(super) fn with_relatives(
        &self,
        engine: &Engine,
        task: &TaskId,
        question: Question,
        project: &TaskState,
        own: &TaskState,
    ) -> Result<Question, ServiceError> {
        let mut event = question.event;
        event = event.with_plan(project.mission.as_deref(), Vec::new());
        let stated = event.node.as_ref().and_then(|node| node.parent_id.clone());
        let parent = stated.or_else(|| own.plan.as_ref().and_then(|node| node.parent_id.clone()));
        let is_failure = event.exit_code != 0;
        let named = event.node.as_ref().map(|node| node.id.clone()).or_else(|| own.node.clone());
        if let Some(id) = named.or_else(|| own.plan.as_ref().map(|node| node.id.clone())).filter(|_| is_failure)
            && self.is_frozen(&id, parent.clone())?
        {
            event = event.with_frozen_node(&id);
        }
        if let Some(parent) = parent.as_deref().filter(|_| is_failure) {
            // Another task of the same node is no sibling.
            let id = event.node.as_ref().map(|node| node.id.clone()).or_else(|| own.node.clone());
            let children =
                self.listed(&TaskQuery { parent: Some(parent), limit: MAX_SIBLINGS, ..TaskQuery::default() })?;
            let others = children.into_iter().filter(|(other, state)| other != task && state.node != id);
            event = event.with_siblings(others.flat_map(|(_, state)| state.as_sibling(parent)).collect());
            event = event.with_siblings(self.replans_of_node(parent, "story")?);
            let stated = event.node.as_ref().and_then(|node| node.feature_id.clone());
            let above = || TaskId::new(parent).ok().and_then(|story| self.state(&story).ok()?.parent);
            if let Some(feature) = stated.or_else(above) {
                event = event.with_feature(feature.clone(), self.replans_elsewhere(&feature, parent)?);
            }
        }
        // Where the plan names no feature, the files name it.
        let is_placed = event.node.as_ref().is_some_and(|node| node.feature_id.is_some());
        if let (true, false, Some(feature)) = (is_failure, is_placed, engine.feature_of(&event)) {
            let replans = self.replans_naming(&feature, task, parent.as_deref())?;
            event = event.with_feature(feature, replans);
        }
        let depends_on = event.task.as_ref().map(|task| task.depends_on.clone()).unwrap_or_default();
        let mut skipped = Vec::new();
        for number in depends_on {
            let Ok(other) = TaskId::new(&number) else { continue };
            if let Some(name) = self.state(&other)?.skipped {
                skipped.push(AdjacentTask { number, name, status: TaskStatus::Skipped });
            }
        }
        if !skipped.is_empty() {
            event = event.with_skipped(skipped);
        }
        Ok(Question { event, ..question })
    }

    /// Whether the plan has frozen this node or one above it; `parent` is the node's as the event or the plan names it.
    fn is_frozen(&self, id: &str, parent: Option<String>) -> Result<bool, ServiceError> {
        const MAX_TIERS: usize = 8;
        let (mut at, mut above) = (Some(id.to_owned()), parent);
        for _ in 0..MAX_TIERS {
            let Some(node) = at.take().and_then(|node| TaskId::new(&node).ok()) else { break };
            let state = self.state(&node)?;
            if state.frozen.is_some() {
                return Ok(true);
            }
            at = above.take().or(state.parent).or_else(|| state.plan.and_then(|plan| plan.parent_id));
        }
        Ok(false)
    }

    /// The replans that another system recorded under the name of the node that was planned again.
    fn replans_of_node(&self, node: &str, scope: &str) -> Result<Vec<HistoryEntry>, ServiceError> {
        let Ok(task) = TaskId::new(node) else { return Ok(Vec::new()) };
        Ok(self.state(&task)?.replans_of_node(node, scope))
    }

    /// The replans of a feature that tasks of its other stories asked for.
    fn replans_elsewhere(&self, feature: &str, story: &str) -> Result<Vec<HistoryEntry>, ServiceError> {
        let mut replans = self.replans_of_node(feature, "feature")?;
        fn below(parent: &str) -> TaskQuery<'_> {
            TaskQuery { parent: Some(parent), limit: MAX_SIBLINGS, ..TaskQuery::default() }
        }
        for (_, other) in self.listed(&below(feature))? {
            let Some(other) = other.node.filter(|other| other != story) else { continue };
            for (_, state) in self.listed(&below(&other))? {
                replans.extend(state.replans_of_feature(feature, true));
            }
        }
        Ok(replans)
    }

    /// The replans of a feature that other tasks named, but for those below `parent`, which are siblings.
    fn replans_naming(
        &self,
        feature: &str,
        task: &TaskId,
        parent: Option<&str>,
    ) -> Result<Vec<HistoryEntry>, ServiceError> {
        let latest = self.listed(&TaskQuery { limit: MAX_SIBLINGS, ..TaskQuery::default() })?;
        let is_sibling = |state: &TaskState| parent.is_some() && state.parent.as_deref() == parent;
        let others = latest.into_iter().filter(|(other, state)| other != task && !is_sibling(state));
        Ok(others.flat_map(|(_, state)| state.replans_of_feature(feature, false)).collect())
    }

    /// What is known of the project as a whole.
    pub(super) fn project(&self) -> Result<TaskState, ServiceError> {
        self.state(&TaskId::new(PROJECT)?)
    }

    /// The node that is worked on, as the plan has it, and the conflict that it waits for.
    pub fn active(&self) -> Result<Option<(Node, Option<String>)>, ServiceError> {
        let Some(id) = self.project()?.active else { return Ok(None) };
        let state = self.state(&TaskId::new(&id)?)?;
        let plan = state.plan.map(|node| *node).unwrap_or_default();
        let node = Node { id, parent_id: state.parent.or(plan.parent_id), tier: plan.tier, ..Node::default() };
        Ok(Some((node, state.waiting.map(|waiting| waiting.conflict))))
    }
}

pub(crate) fn open_lists() -> Vec<TaskList> {
    TaskList::ALL.into_iter().filter(|list| list.is_open()).collect()
}
