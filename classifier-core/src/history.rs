//! Whose an earlier event is, and what it was.

use recovery_types::{FailureEvent, HistoryEntry, Node};

/// What a history entry records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A failed attempt.
    Failure,
    /// An attempt that worked.
    Success,
    /// A story or feature was decomposed again.
    Replan,
    /// Anything else, say a change of status.
    Other,
}

/// Reads an entry's kind. The exit code is surer than the event's name; an entry with neither is an earlier failure,
/// because that is what a failure's history is made of.
pub(crate) fn kind(entry: &HistoryEntry) -> Kind {
    let event = entry.event.as_deref();
    if event.is_some_and(|name| name.contains("replan")) {
        return Kind::Replan;
    }
    match (entry.exit_code, event) {
        (Some(0), _) => Kind::Success,
        (Some(_), _) | (None, None) => Kind::Failure,
        (None, Some(name)) if name.contains("fail") || name.contains("error") => Kind::Failure,
        (None, Some(name)) if ["succe", "pass", "complete"].iter().any(|word| name.contains(word)) => Kind::Success,
        (None, Some(_)) => Kind::Other,
    }
}

/// The attempts of the failed task itself with their place in the history, oldest first. Entries without a node are
/// the task's own, and so is every entry where the event names no node.
pub fn own_attempts(event: &FailureEvent) -> impl DoubleEndedIterator<Item = (usize, &HistoryEntry)> {
    event
        .history
        .iter()
        .enumerate()
        .filter(|(_, entry)| is_own(event.node.as_ref(), entry))
        .filter(|(_, entry)| matches!(kind(entry), Kind::Failure | Kind::Success))
}

/// The id of the sibling whose entry this is: another node with the same parent.
pub(crate) fn sibling<'a>(node: &Node, entry: &'a HistoryEntry) -> Option<&'a str> {
    let other = entry.node.as_deref()?;
    (node.parent_id.is_some() && entry.parent == node.parent_id && other != node.id).then_some(other)
}

/// Replans of the story and of the feature recorded so far, and how many in a row: since the task last worked.
pub(crate) struct Replans {
    /// Of the story.
    pub story: u32,
    /// Of the feature.
    pub feature: u32,
    /// Of either, since the task last worked.
    pub in_a_row: u32,
}

/// Counts the replans. One whose name does not say of what (`replanned`) counts as both.
pub(crate) fn replans(event: &FailureEvent) -> Replans {
    let mut replans = Replans { story: 0, feature: 0, in_a_row: 0 };
    for entry in &event.history {
        match kind(entry) {
            Kind::Replan => {
                let name = entry.event.as_deref().unwrap_or_default();
                replans.story += u32::from(!name.contains("feature"));
                replans.feature += u32::from(!name.contains("story"));
                replans.in_a_row += 1;
            }
            Kind::Success if is_own(event.node.as_ref(), entry) => replans.in_a_row = 0,
            Kind::Success | Kind::Failure | Kind::Other => {}
        }
    }
    replans
}

fn is_own(node: Option<&Node>, entry: &HistoryEntry) -> bool {
    match (node, &entry.node) {
        (Some(node), Some(other)) => node.id == *other,
        (None, _) | (_, None) => true,
    }
}
