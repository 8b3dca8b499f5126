//! Facts about a task's node from the commits since the task began: how often its tests were edited, and how often its files were
//! revised. Asked only where the classifier uses the answer and the node does not state it, because git is a program to
//! run: the third failure in a row (an edited test makes F3 surer), and a node of an imported plan (revisions since
//! planning are a part of the deviation score). The caller leaves cosmetic revisions out.

use recovery_engine::TaskState;
use recovery_types::{FailureEvent, RepoPath, Timestamp};

/// From this failure on, this one included, an edited test makes a difference.
const REPEATED: u32 = 3;

/// Since when commits matter to `event`; none where nothing asks for them.
#[must_use]
pub fn since(event: &FailureEvent, state: &TaskState) -> Option<Timestamp> {
    let node = event.node.as_ref().filter(|_| event.exit_code != 0)?;
    let planned = state.planned_at.filter(|_| node.revisions_since_planning == 0);
    let failures = node.failed_attempts.unwrap_or(state.failures + 1);
    let first = state.attempts.first().map(|attempt| attempt.at);
    let first = first.filter(|_| failures >= REPEATED && node.test_edits.is_empty());
    planned.into_iter().chain(first).min()
}

/// Derives facts about the event's node from `revisions`, the files of each commit, where the node does not state them itself.
pub fn add(event: &mut FailureEvent, revisions: &[Vec<RepoPath>]) {
    let touched = &event.files_touched;
    let Some(node) = &mut event.node else { return };
    if node.revisions_since_planning == 0 {
        let revised = revisions.iter().filter(|files| files.iter().any(|file| touched.contains(file))).count();
        node.revisions_since_planning = u32::try_from(revised).unwrap_or(u32::MAX);
    }
    if node.test_edits.is_empty() {
        for test in revisions.iter().flatten().filter(|file| is_test(file.as_str())) {
            *node.test_edits.entry(test.as_str().to_owned()).or_default() += 1;
        }
    }
}

/// Whether a file has tests, by the names that test runners look for.
fn is_test(path: &str) -> bool {
    let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    dirs.split('/').any(|dir| matches!(dir, "test" | "tests" | "spec" | "__tests__"))
        || stem.starts_with("test_")
        || ["_test", "_spec", "Test", "Tests"].iter().any(|end| stem.ends_with(end))
        || [".test.", ".spec."].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_types::Node;

    #[test]
    fn tests_are_known_by_their_names() {
        for test in
            ["tests/auth/jwt.rs", "src/a.test.ts", "pkg/a_test.go", "test_a.py", "AppTest.java", "spec/a_spec.rb"]
        {
            assert!(is_test(test), "{test}");
        }
        for other in ["src/contest.rs", "src/testing.rs", "latest.txt", "src/attest/a.go"] {
            assert!(!is_test(other), "{other}");
        }
    }

    #[test]
    fn what_the_node_states_is_not_counted_again() {
        let revisions =
            vec![vec![RepoPath::new("tests/a.rs"), RepoPath::new("src/a.rs")], vec![RepoPath::new("tests/a.rs")]];
        let mut event = FailureEvent {
            node: Some(Node::default()),
            files_touched: vec![RepoPath::new("src/a.rs")],
            ..FailureEvent::default()
        };
        add(&mut event, &revisions);
        let node = event.node.clone().unwrap_or_default();
        assert_eq!((node.revisions_since_planning, node.test_edits["tests/a.rs"]), (1, 2));
        let stated = Node { revisions_since_planning: 7, test_edits: [("t".to_owned(), 4)].into(), ..Node::default() };
        event.node = Some(stated.clone());
        add(&mut event, &revisions);
        assert_eq!(event.node, Some(stated));
    }
}
