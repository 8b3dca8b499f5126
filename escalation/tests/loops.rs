//! Loop detection: the documented thresholds, what counts, what does not, and a naive count beside it.

use escalation::{ActionOutcome, LoopDetector, LoopPolicy, ObservedAction, normalise};
use proptest::prelude::*;
use recovery_types::Level;

const FAILED: ActionOutcome = ActionOutcome::Failed { problems: None };

fn counts(actions: &[(&str, ActionOutcome)]) -> Vec<u32> {
    let mut loops = LoopDetector::new(LoopPolicy::default());
    actions.iter().map(|(command, outcome)| loops.observe(&ObservedAction::new("Bash", *command), *outcome)).collect()
}

fn failing(commands: &[&str]) -> Vec<u32> {
    counts(&commands.iter().map(|command| (*command, FAILED)).collect::<Vec<_>>())
}

/// Escalation document: 3 similar actions replan, 5 fall back, 8 force done.
#[test]
fn thresholds() {
    let policy = LoopPolicy::default();
    let levels: Vec<_> = (0..=9).map(|n| policy.entry(n).map_or(0, Level::number)).collect();
    assert_eq!(levels, [0, 0, 0, 3, 3, 4, 4, 4, 5, 5]);
}

#[test]
fn the_same_action_again_and_again() {
    assert_eq!(failing(&["npm test"; 8]), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(failing(&["npm test", "npm test", "git status --short", "npm test"]), [1, 2, 1, 1]);
}

#[test]
fn what_differs_from_run_to_run_is_not_a_difference() {
    let same = [
        "curl --max-time 20000000000 https://a.example/v1/items?id=1f0c3b2a-0000-4000-8000-1234567890ab",
        "curl --max-time 2.4e37 http://b.example/v2/items?id=1",
        "curl --max-time 99999 /items?id=1",
    ];
    assert_eq!(failing(&same[..2])[1], 2, "{:?}", same.map(normalise));
    assert_eq!(failing(&["pytest /tmp/a-1/test_x.py -q", "pytest ./sub/test_x.py -q", "pytest test_x.py -q"])[2], 3);
    assert_eq!(failing(&["log --since 2026-01-24T10:00:00Z x", "log --since 2026-02-01T00:00:00Z x"])[1], 2);
}

#[test]
fn work_over_many_files_is_no_loop() {
    let files: Vec<String> = ('a'..='h').map(|c| format!("sed -i s/x/y/ src/{c}.rs")).collect();
    let commands: Vec<&str> = files.iter().map(String::as_str).collect();
    for work in [commands.as_slice(), &["cat parser.rs", "cat lexer.rs", "cat ast.rs", "cat main.rs"]] {
        assert!(failing(work).iter().all(|similar| *similar < 3), "{:?}", failing(work));
    }
}

#[test]
fn cycles_are_loops() {
    assert_eq!(failing(&["edit a", "run tests", "edit a", "run tests"])[3], 3);
    assert_eq!(failing(&["one x", "two y", "three z", "one x", "two y", "three z"])[5], 4);
    let five = ["one a", "two b", "three c", "four d", "five e"];
    assert_eq!(failing(&[five, five].concat())[9], 6);
    let six = ["one a", "two b", "three c", "four d", "five e", "six f"];
    assert_eq!(failing(&[six, six].concat())[11], 1);
    // Once is not a cycle.
    assert_eq!(failing(&["edit a", "run tests", "edit a"])[2], 1);
}

#[test]
fn progress_breaks_the_run() {
    let failed = |problems| ActionOutcome::Failed { problems: Some(problems) };
    let test = |outcome| ("npm test", outcome);
    assert_eq!(counts(&[test(failed(5)), test(failed(5)), test(failed(3)), test(failed(3))]), [1, 2, 1, 2]);
    assert_eq!(
        counts(&[test(FAILED), test(FAILED), test(ActionOutcome::Succeeded), test(ActionOutcome::Succeeded)]),
        [1, 2, 1, 2]
    );
    // To and fro is no progress.
    assert_eq!(counts(&[test(failed(5)), test(failed(3)), test(failed(5)), test(failed(3))]), [1, 1, 2, 3]);
    // Nor is an edit that changes nothing, nor a call that was refused.
    assert_eq!(counts(&[test(FAILED), test(ActionOutcome::NoOp), test(ActionOutcome::Blocked)]), [1, 2, 3]);
}

#[test]
fn polling_can_be_exempted() {
    let policy = LoopPolicy { polling: vec!["Wait".into(), "gh run view".into()], ..LoopPolicy::default() };
    let mut loops = LoopDetector::new(policy);
    let build = ObservedAction::new("Bash", "make all");
    assert_eq!(loops.observe(&build, FAILED), 1);
    for _ in 0..10 {
        assert_eq!(loops.observe(&ObservedAction::new("wait", ""), ActionOutcome::Succeeded), 0);
        assert_eq!(loops.observe(&ObservedAction::new("Bash", "gh run view 123"), ActionOutcome::Succeeded), 0);
    }
    assert_eq!(loops.observe(&build, FAILED), 2);
    assert_eq!(loops.observe(&ObservedAction::new("Bash", "gh run viewer"), FAILED), 1);
}

/// Only the last 20 count, and the likeness is to the run's first action, so that slow drift is not one long run.
#[test]
fn the_window_and_the_runs_first_action() {
    assert_eq!(failing(&["npm test"; 30])[29], 20);
    assert_eq!(failing(&["a b c d", "a b c e", "a b f e"]), [1, 1, 1]);
    let drifting = ["a b c d e f g", "a b c d e f h", "a b c d e x h"];
    assert_eq!(failing(&drifting), [1, 2, 1]);
}

/// Counts by looking at the whole list from the end.
fn naive(symbols: &[u8]) -> u32 {
    let seen = &symbols[symbols.len().saturating_sub(20)..];
    let run = seen.iter().rev().take_while(|s| Some(*s) == seen.last()).count();
    let cycle = |length: usize| {
        let back = (length..seen.len()).rev().take_while(|i| seen[*i] == seen[i - length]).count();
        if back >= length { back + 1 } else { 0 }
    };
    (2..=5).map(cycle).chain([run]).max().unwrap() as u32
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn counts_like_the_naive_count(symbols in proptest::collection::vec(0u8..3, 1..40)) {
        let commands = ["alpha", "beta", "gamma"];
        let mut loops = LoopDetector::new(LoopPolicy::default());
        for end in 1..=symbols.len() {
            let action = ObservedAction::new("", commands[symbols[end - 1] as usize]);
            prop_assert_eq!(loops.observe(&action, FAILED), naive(&symbols[..end]), "{:?}", &symbols[..end]);
        }
    }

    #[test]
    fn no_text_panics(tool in "\\PC{0,8}", arguments in "[\\PC\\s]{0,60}") {
        let mut loops = LoopDetector::new(LoopPolicy::default());
        loops.observe(&ObservedAction::new(tool, arguments), ActionOutcome::NoOp);
    }

    /// What was folded once stays as it is.
    #[test]
    fn normalising_twice_changes_nothing(arguments in "[a-c0-9/.:T_ -]{0,40}") {
        let once = normalise(&arguments);
        prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn a_policy_of_any_numbers_does_not_panic(
        window in 0u32..5, longest_cycle in 0u32..12, similarity_permille in 0u32..2000, n in 1usize..30,
    ) {
        let mut loops =
            LoopDetector::new(LoopPolicy { window, longest_cycle, similarity_permille, ..LoopPolicy::default() });
        for _ in 0..n {
            prop_assert!(loops.observe(&ObservedAction::new("Bash", "make"), FAILED) <= window.max(1));
        }
    }
}
