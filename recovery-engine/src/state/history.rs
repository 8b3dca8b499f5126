//! A task's state as history for other decisions, and history of another system as state.
//!
//! In: a `TaskState`. Out: `HistoryEntry`s for the task's own next event, for its siblings and for its feature's
//! replans, which are what the classifier's rules count. The other direction builds the state of a task that was
//! imported or whose event carries its own history.

use super::{Attempt, SharedReplan, TaskState};
use classifier_core::{EntryKind, entry_kind, first_class};
use recovery_types::digest::sha256_hex;
use recovery_types::similarity::keyword_line;
use recovery_types::{ErrorType, HistoryEntry, Node};

/// The scope of a replan in another system's history, which names the node that was planned again. To the node itself it is
/// one of its story.
const NODE_REPLANNED: &str = "story node";

impl TaskState {
    /// What the decision of a sibling needs from this task: its changed files, its failures, and the replans of the
    /// story and the feature that both share. Empty if the task is not below `parent`.
    #[must_use]
    pub fn as_sibling(&self, parent: &str) -> Vec<HistoryEntry> {
        match (&self.node, &self.parent) {
            (Some(id), Some(own)) if own == parent => {
                let node = Node { id: id.clone(), parent_id: Some(own.clone()), ..Node::default() };
                let mut history = self.history(Some(&node));
                // A success belongs to the sibling's history too, since it may be broken by now.
                history.extend((!self.touched.is_empty()).then(|| HistoryEntry {
                    ts: self.last_at,
                    node: Some(node.id),
                    parent: node.parent_id,
                    event: Some("touched".to_owned()),
                    files_touched: self.touched.clone(),
                    ..HistoryEntry::default()
                }));
                history
            }
            _ => Vec::new(),
        }
    }

    /// The replans of `feature` that this task requested, for a task of another story: all replans of the task if the
    /// plan has it below the feature (`is_below`), otherwise those that named the feature.
    #[must_use]
    pub fn replans_of_feature(&self, feature: &str, is_below: bool) -> Vec<HistoryEntry> {
        let is_named = |replan: &SharedReplan| replan.feature.as_deref() == Some(feature);
        let of_feature =
            self.replans.iter().filter(|replan| replan.scope == "feature" && (is_below || is_named(replan)));
        let entry = |replan: &SharedReplan| HistoryEntry {
            ts: Some(replan.at),
            node: Some(feature.to_owned()),
            event: Some("replanned feature".to_owned()),
            ..HistoryEntry::default()
        };
        of_feature.map(entry).collect()
    }

    /// The replans of this node that another system recorded, for the tasks below it: they draw on the budget of `scope`,
    /// which is what the node is to them.
    #[must_use]
    pub fn replans_of_node(&self, id: &str, scope: &str) -> Vec<HistoryEntry> {
        let entry = |replan: &SharedReplan| HistoryEntry {
            ts: Some(replan.at),
            node: Some(id.to_owned()),
            event: Some(format!("replanned {scope}")),
            ..HistoryEntry::default()
        };
        self.replans.iter().filter(|replan| replan.scope == NODE_REPLANNED).map(entry).collect()
    }

    /// The state as the history of the next event.
    pub(crate) fn history(&self, node: Option<&Node>) -> Vec<HistoryEntry> {
        let failed = self.attempts.iter().map(|attempt| HistoryEntry {
            ts: Some(attempt.at),
            node: node.map(|node| node.id.clone()),
            parent: node.and_then(|node| node.parent_id.clone()),
            event: Some("execution_failed".to_owned()),
            exit_code: Some(attempt.exit_code),
            stderr_hash: Some(attempt.stderr_hash.clone()),
            approach: Some(attempt.approach.clone()),
            test: attempt.test.clone(),
            files_touched: attempt.files.clone(),
            ..HistoryEntry::default()
        });
        let replanned = self.replans.iter().map(|replan| HistoryEntry {
            ts: Some(replan.at),
            node: node.map(|node| node.id.clone()),
            parent: node.and_then(|node| node.parent_id.clone()),
            event: Some(format!("replanned {}", replan.scope)),
            ..HistoryEntry::default()
        });
        let mut all: Vec<HistoryEntry> = failed.chain(replanned).collect();
        all.sort_by_key(|entry| entry.ts);
        all
    }

    /// Records the plan's data about the node.
    pub(super) fn plan(&mut self, node: &Node) {
        self.place(node);
        if let Some(budget) = node.replan_budget_remaining {
            self.replan_budget = Some(budget);
            self.replans.clear();
        }
        if node.status.as_deref().is_some_and(|status| status.eq_ignore_ascii_case("frozen")) {
            self.frozen.get_or_insert_with(|| "the plan has it as frozen".to_owned());
        }
        self.failures_when_planned = self.failures;
        // From here on the status is kept apart. A file that only names the node states nothing about it.
        let stated = Node { status: None, ..node.clone() };
        let is_bare = stated == Node { id: node.id.clone(), ..Node::default() };
        if !is_bare || self.plan.as_ref().is_none_or(|plan| plan.id != node.id) {
            self.plan = Some(Box::new(stated));
        }
    }

    /// Applies an entry of another system's history. Only attempts, replans, freezes and thaws change the state.
    pub(super) fn import(&mut self, entry: &HistoryEntry) {
        self.last_at = self.last_at.max(entry.ts);
        if let (Some(node), Some(parent)) = (&entry.node, &entry.parent) {
            (self.node, self.parent) = (Some(node.clone()), Some(parent.clone()));
        }
        self.touch(&entry.files_touched);
        let event = entry.event.as_deref().unwrap_or_default().to_ascii_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| event.contains(word));
        let at = entry.ts.unwrap_or_default();
        if event == "stuck" {
            return self.give_up(entry.reason.clone().or_else(|| entry.stderr_tail.clone()));
        }
        if is(&["thaw", "unfreeze", "unfrozen"]) {
            self.frozen = None;
            return;
        }
        if is(&["freeze", "frozen"]) {
            if !is(&["refused", "proposed", "rejected"]) {
                self.frozen = Some(entry.reason.clone().unwrap_or_else(|| "frozen before it was imported".to_owned()));
            }
            return;
        }
        match entry_kind(entry) {
            EntryKind::Failure => {}
            EntryKind::Success => return self.worked(),
            EntryKind::Replan => {
                let scope = if is(&["feature"]) { "feature" } else { NODE_REPLANNED };
                self.replans.push(SharedReplan { at, scope: scope.to_owned(), feature: None });
                return;
            }
            EntryKind::Other => return,
        }
        self.failures += 1;
        self.failures_ever += 1;
        let text = entry.stderr_tail.as_deref().unwrap_or_default();
        let error_type = entry.error_type.as_deref().and_then(ErrorType::from_words).unwrap_or(ErrorType::Other);
        self.remember(Attempt {
            at,
            id: None,
            tool: None,
            action: None,
            approach: entry.approach.clone().unwrap_or_else(|| keyword_line(text)),
            stated: entry.approach.is_some(),
            fingerprint: entry.stderr_hash.clone().unwrap_or_default(),
            stderr_hash: entry.stderr_hash.clone().unwrap_or_else(|| sha256_hex(text.as_bytes())),
            error_type,
            class: first_class(error_type),
            level: None,
            files: entry.files_touched.clone(),
            exit_code: entry.exit_code.unwrap_or(1),
            problems: None,
            progress: None,
            duration_ms: None,
            test: entry.test.clone(),
        });
    }
}
