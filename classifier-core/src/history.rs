//! Assigns each earlier event to a node and a kind.
//!
//! In: the history of an event, oldest first, from the caller and the journal. Out: the attempts of the task itself, the
//! entries of its siblings, and the replans that draw on the same budgets. An entry without a node is the task's own. Other
//! systems name their events freely, so [`kind`] reads the exit code first and then words of the name; what is neither an
//! attempt nor a replan changes nothing. Which names mean what is decided in [`kind`] and nowhere else.

use recovery_types::{FailureEvent, HistoryEntry, Node};

/// The number of failures of the task, this one included: as the node states it, otherwise the recorded failures plus
/// this one.
#[must_use]
pub fn failed_attempts(event: &FailureEvent) -> u32 {
    if let Some(stated) = event.node.as_ref().and_then(|node| node.failed_attempts) {
        return stated;
    }
    let recorded = own_attempts(event).filter(|(_, entry)| kind(entry) == EntryKind::Failure).count();
    u32::try_from(recorded).unwrap_or(u32::MAX).saturating_add(1)
}

/// The attempts of the failed task with their index in the history, oldest first. Entries without a node belong to the
/// task, and so does every entry if the event names no node.
///
/// ```
/// use recovery_types::FailureEvent;
/// let json = r#"{"exit_code":1,"history":[{"exit_code":2},{"event":"replanned"},{"event":"execution_failed"}]}"#;
/// let event: FailureEvent = serde_json::from_str(json).unwrap();
/// assert_eq!(classifier_core::own_attempts(&event).map(|(at, _)| at).collect::<Vec<_>>(), [0, 2]);
/// assert_eq!(classifier_core::failed_attempts(&event), 3);
/// ```
pub fn own_attempts(event: &FailureEvent) -> impl DoubleEndedIterator<Item = (usize, &HistoryEntry)> {
    event
        .history
        .iter()
        .enumerate()
        .filter(|(_, entry)| is_own(event.node.as_ref(), entry))
        .filter(|(_, entry)| matches!(kind(entry), EntryKind::Failure | EntryKind::Success))
}

/// The kind of a history entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A failed attempt.
    Failure,
    /// A successful attempt.
    Success,
    /// A story or feature was decomposed again.
    Replan,
    /// Any other event, for example a change of status.
    Other,
}

/// The kind of an entry. The exit code takes precedence over the name of the event; an entry with neither is an earlier
/// failure, because a history of failures consists of those.
#[must_use]
pub fn kind(entry: &HistoryEntry) -> EntryKind {
    let event = entry.event.as_deref();
    // A replan that was only proposed, or refused, did not happen.
    if let Some(name) = event.filter(|name| name.contains("replan")) {
        let happened = !["refused", "proposed", "rejected", "denied"].iter().any(|word| name.contains(word));
        return if happened { EntryKind::Replan } else { EntryKind::Other };
    }
    match (entry.exit_code, event) {
        (Some(0), _) => EntryKind::Success,
        (Some(_), _) | (None, None) => EntryKind::Failure,
        (None, Some(name)) if name.contains("fail") || name.contains("error") => EntryKind::Failure,
        (None, Some(name)) if ["succe", "pass", "complete"].iter().any(|word| name.contains(word)) => {
            EntryKind::Success
        }
        (None, Some(_)) => EntryKind::Other,
    }
}

/// The id of the sibling that the entry belongs to: another node with the same parent.
pub(crate) fn sibling<'a>(node: &Node, entry: &'a HistoryEntry) -> Option<&'a str> {
    let other = entry.node.as_deref()?;
    (node.parent_id.is_some() && entry.parent == node.parent_id && other != node.id).then_some(other)
}

/// The recorded replans of the story and of the feature, and the number in a row: since the task last succeeded.
pub(crate) struct Replans {
    /// Of the story.
    pub story: u32,
    /// Of the feature.
    pub feature: u32,
    /// Of either, since the task last succeeded.
    pub in_a_row: u32,
}

/// Counts the replans. A name without a scope (`replanned`) counts as both.
pub(crate) fn replans(event: &FailureEvent) -> Replans {
    let mut replans = Replans { story: 0, feature: 0, in_a_row: 0 };
    for entry in &event.history {
        match kind(entry) {
            EntryKind::Replan if is_family(event.node.as_ref(), entry) => {
                let name = entry.event.as_deref().unwrap_or_default();
                replans.story += u32::from(!name.contains("feature"));
                replans.feature += u32::from(!name.contains("story"));
                replans.in_a_row += 1;
            }
            EntryKind::Success if is_own(event.node.as_ref(), entry) => replans.in_a_row = 0,
            EntryKind::Replan | EntryKind::Success | EntryKind::Failure | EntryKind::Other => {}
        }
    }
    replans
}

/// Whether the entry draws on the same budgets: it belongs to the task, a sibling, the parent or the feature.
fn is_family(node: Option<&Node>, entry: &HistoryEntry) -> bool {
    let Some(node) = node else { return true };
    let is_above = |id: &str| [&node.parent_id, &node.feature_id].iter().any(|above| above.as_deref() == Some(id));
    is_own(Some(node), entry) || sibling(node, entry).is_some() || entry.node.as_deref().is_some_and(is_above)
}

fn is_own(node: Option<&Node>, entry: &HistoryEntry) -> bool {
    match (node, &entry.node) {
        (Some(node), Some(other)) => node.id == *other,
        (None, _) | (_, None) => true,
    }
}
