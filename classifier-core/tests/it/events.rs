//! Random events that reach every rule.

use proptest::collection::{btree_map, vec};
use proptest::option::{of, weighted};
use proptest::prelude::*;
use recovery_types::{Ancestor, Constraint, FailureCause, FailureEvent, HistoryEntry, Node, RepoPath, Tier};

/// Outputs with and without marks of every rule that reads them.
const OUTPUTS: [&str; 10] = [
    "", "boom", "read econnreset", "HTTP 503", "TypeError: x", "an assertion", "ASSERTION", "Npm Install left-pad",
    "drop   table users", "src/auth/a.rs:3: boom",
];

/// Files in several spellings.
const FILES: [&str; 8] = [
    "src/auth/a.rs", "./src/auth/a.rs", "src\\auth\\b.rs", "src//billing/c.rs", "src/billing", "src/billing.rs",
    "db/schema.sql", "README.md",
];

/// An event that may have anything in it.
pub fn any_event() -> impl Strategy<Value = FailureEvent> {
    let output = prop_oneof![6 => outputs(), 1 => "\\PC{0,12}".boxed()];
    let words = (weighted(0.1, word(&["conflict", "timeout"])), weighted(0.05, word(&["C-7"])));
    let said = (weighted(0.3, outputs()), weighted(0.3, outputs()), weighted(0.2, word(&["Bash", "npm install"])));
    (exit_code(), output, words, said, files(), weighted(0.8, node()), weighted(0.4, ancestor())).prop_flat_map(
        |(exit_code, stderr_tail, (cause, conflict_id), said, files_touched, node, ancestor)| {
            let (test_output, approach, tool) = said;
            vec(entry(stderr_tail.clone()), 0..7).prop_map(move |history| FailureEvent {
                exit_code,
                stderr_tail: stderr_tail.clone(),
                cause: cause.clone().map(FailureCause::from),
                conflict_id: conflict_id.clone(),
                test_output: test_output.clone(),
                approach: approach.clone(),
                tool: tool.clone(),
                files_touched: files_touched.clone(),
                node: node.clone(),
                ancestor: ancestor.clone(),
                history,
                ..FailureEvent::default()
            })
        },
    )
}

fn exit_code() -> impl Strategy<Value = i64> {
    prop_oneof![1 => Just(0), 6 => Just(1), 1 => Just(75), 1 => Just(124), 1 => any::<i64>()]
}

fn word(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::sample::select(words).prop_map(str::to_owned)
}

fn outputs() -> BoxedStrategy<String> {
    word(&OUTPUTS).boxed()
}

fn files() -> impl Strategy<Value = Vec<RepoPath>> {
    vec(proptest::sample::select(&FILES[..]).prop_map(RepoPath::new), 0..4)
}

fn node() -> impl Strategy<Value = Node> {
    let counts = (of(0..6_u32), weighted(0.3, 0..3_u32), 0..7_u32);
    let score = weighted(
        0.3,
        prop_oneof![Just(0.5), Just(0.7), Just(0.699), (0..=1000_u32).prop_map(|n| f64::from(n) / 1000.0)],
    );
    let tokens = (of(0..300_u64), of(0..200_u64));
    let edits = btree_map(word(&["tests/a.ts", "tests/b.ts"]), 0..5_u32, 0..3);
    (of(word(&["STORY-1", "STORY-2"])), counts, score, tokens, edits).prop_map(
        |(parent_id, (failed_attempts, replan_budget_remaining, revisions), deviation_score, tokens, test_edits)| {
            Node {
                id: "TASK-1".to_owned(),
                parent_id,
                feature_id: None,
                tier: Some(Tier::T4),
                status: None,
                failed_attempts,
                replan_budget_remaining,
                deviation_score,
                revisions_since_planning: revisions,
                actual_tokens: tokens.0,
                context_budget: tokens.1,
                test_edits,
            }
        },
    )
}

/// An entry that often printed the same as the failure at hand.
fn entry(current: String) -> impl Strategy<Value = HistoryEntry> {
    let whose = (of(word(&["TASK-1", "TASK-1", "TASK-2", "TASK-3"])), of(word(&["STORY-1", "STORY-2"])));
    let events =
        ["execution_failed", "execution_failed", "execution_succeeded", "replanned", "replan_feature", "moved"];
    let event = of(proptest::sample::select(events.to_vec()).prop_map(str::to_owned));
    let printed = prop_oneof![4 => Just(Some(current)), 1 => outputs().prop_map(Some), 1 => Just(None)];
    (whose, event, weighted(0.4, 0..3_i64), printed, files()).prop_map(
        |((node, parent), event, exit_code, stderr_tail, files_touched)| HistoryEntry {
            node,
            parent,
            event,
            exit_code,
            stderr_tail,
            files_touched,
            ..HistoryEntry::default()
        },
    )
}

fn ancestor() -> impl Strategy<Value = Ancestor> {
    let constraint = |id: &str, forbid: &[&str], protect: &[&str]| Constraint {
        id: id.to_owned(),
        forbid: forbid.iter().map(ToString::to_string).collect(),
        protect: protect.iter().map(ToString::to_string).collect(),
    };
    let constraints = vec![
        constraint("no-new-deps", &["npm install"], &[]),
        constraint("keep-data", &["/drop\\s+table/"], &["db/**"]),
        constraint("broken", &["/(/", ""], &["[", ""]),
    ];
    let features = [("auth", "src/auth/**"), ("billing", "src/billing")]
        .map(|(feature, glob)| (feature.to_owned(), vec![glob.to_owned()]));
    (proptest::sample::subsequence(constraints, 0..=3), any::<bool>()).prop_map(move |(constraints, split)| Ancestor {
        constraints,
        features: if split { features.clone().into() } else { [].into() },
        ..Ancestor::default()
    })
}
