//! Scripts: inputs with times, for all tests.

use escalation::{Input, Ladder, LadderFailure, Policy};
use proptest::prelude::*;
use recovery_types::{ErrorType, Judge, Timestamp, Transition, Verdict};

pub type Script = Vec<(i64, Input)>;

pub fn at(ms: i64) -> Timestamp {
    Timestamp::from_ms(ms)
}

pub fn fails(error: ErrorType) -> Input {
    Input::Failure(LadderFailure::new(error))
}

pub fn drain(ladder: &mut Ladder) -> Vec<Transition> {
    std::iter::from_fn(|| ladder.poll_transition()).collect()
}

/// What the ladder does, woken by the inputs alone.
pub fn run(policy: &Policy, script: &[(i64, Input)]) -> Vec<Transition> {
    let mut ladder = Ladder::new(policy.clone(), "TASK-1");
    for (now, input) in script {
        ladder.handle(input.clone(), at(*now));
    }
    drain(&mut ladder)
}

/// Time, level before, level after: 0 for idle.
pub fn moves(transitions: &[Transition]) -> Vec<(i64, u8, u8)> {
    let number = |level: Option<recovery_types::Level>| level.map_or(0, recovery_types::Level::number);
    transitions.iter().map(|t| (t.at.ms(), number(t.from), number(t.to))).collect()
}

/// Only the moves from one level to another.
pub fn climbs(transitions: &[Transition]) -> Vec<(i64, u8, u8)> {
    moves(transitions).into_iter().filter(|(_, from, to)| from != to).collect()
}

pub fn any_failure() -> impl Strategy<Value = LadderFailure> {
    let waits = prop_oneof![4 => Just(None), 1 => (0u64..40_000).prop_map(Some)];
    let resets = prop_oneof![6 => Just(None), 1 => (0i64..3_000_000).prop_map(Some)];
    let error = prop_oneof![
        3 => Just(ErrorType::NetworkTimeout),
        1 => Just(ErrorType::ServiceUnavailable),
        1 => Just(ErrorType::QuotaExhausted),
        8 => proptest::sample::select(ErrorType::ALL),
    ];
    (error, any::<bool>(), waits, resets).prop_map(|(error, idempotent, retry_after_ms, resets_at)| LadderFailure {
        idempotent,
        retry_after_ms,
        resets_at: resets_at.map(at),
        ..LadderFailure::new(error)
    })
}

pub fn any_input() -> impl Strategy<Value = Input> {
    prop_oneof![
        8 => any_failure().prop_map(Input::Failure),
        1 => Just(Input::Success),
        3 => Just(Input::Tick),
        2 => (proptest::option::of(0u32..16), proptest::option::of(0u32..30), any::<bool>()).prop_map(|(evidence, goal, fails)| {
            let verdict = fails.then_some(Verdict::Fail);
            Input::Judge(Judge { evidence_of_completion: evidence, goal_alignment: goal, verdict })
        }),
        2 => (0u32..10).prop_map(|similar| Input::Loop { similar }),
        1 => Just(Input::Pause { reason: "conflict".into() }),
        1 => Just(Input::Skip { reason: "out of scope".into() }),
        1 => Just(Input::Reset { reason: "asked for".into() }),
    ]
}

/// Steps of time that meet the limits, pass them, or do neither.
pub fn any_pause() -> impl Strategy<Value = i64> {
    prop_oneof![
        3 => 0i64..5_000,
        2 => proptest::sample::select(vec![0, 1, 29_999, 30_000, 30_001, 299_999, 300_000, 900_000, 1_200_000]),
        1 => 0i64..3_000_000,
    ]
}

pub fn any_script() -> impl Strategy<Value = Script> {
    proptest::collection::vec((any_pause(), any_input()), 1..25).prop_map(|steps| {
        let mut now = 0;
        steps
            .into_iter()
            .map(|(pause, input)| {
                now += pause;
                (now, input)
            })
            .collect()
    })
}

/// The same inputs with a clock that now and then steps back.
pub fn stepping_back(script: impl Strategy<Value = Script>) -> impl Strategy<Value = Script> {
    let back = prop_oneof![2 => Just(0), 1 => 0i64..500_000];
    (script, proptest::collection::vec(back, 1..8)).prop_map(|(script, back)| {
        script.into_iter().zip(back.into_iter().cycle()).map(|((now, input), back)| (now - back, input)).collect()
    })
}

/// The documented numbers, and others: a session budget, levels that are passed over, more targets.
pub fn any_policy() -> impl Strategy<Value = Policy> {
    use recovery_types::ladder::Target;
    let budget = prop_oneof![3 => Just(None), 1 => (1u64..3_000_000).prop_map(Some)];
    let attempts = || prop_oneof![3 => Just(None), 1 => (0u32..4).prop_map(Some)];
    (budget, attempts(), attempts(), attempts(), attempts()).prop_map(|(budget, retry, nudge, replan, fallback)| {
        let mut policy = Policy { session_budget_ms: budget, ..Policy::default() };
        policy.retry.attempts = retry.unwrap_or(policy.retry.attempts);
        policy.nudge.variants = nudge.unwrap_or(policy.nudge.variants);
        policy.replan.plans = replan.unwrap_or(policy.replan.plans);
        if let Some(targets) = fallback {
            policy.fallback.targets = (0..targets).map(|n| Target::Agent(format!("agent-{n}"))).collect();
        }
        policy
    })
}
