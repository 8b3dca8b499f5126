//! Steps a second. Each case checks its answer, so that a fast wrong ladder fails.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use escalation::{ActionOutcome, Input, Ladder, LadderFailure, LoopDetector, LoopPolicy, ObservedAction, Policy};
use recovery_types::{ErrorType, Level, Timestamp};
use std::hint::black_box;

const STEPS: i64 = 10_000;

fn ladder() -> Ladder {
    Ladder::new(Policy::default(), "TASK-00101")
}

/// Ten steps, each with a record: from idle through every attempt to level 5, and a reset.
fn climb(ladder: &mut Ladder) -> u64 {
    let mut records = 0;
    for step in 0..STEPS {
        let input = if step % 10 == 9 {
            Input::Reset { reason: String::new() }
        } else {
            Input::Failure(LadderFailure::new(ErrorType::NetworkTimeout))
        };
        ladder.handle(input, Timestamp::from_ms(step));
        while let Some(transition) = ladder.poll_transition() {
            records += 1;
            black_box(transition);
        }
    }
    records
}

/// Steps that change nothing: time passes, no deadline is due.
fn ticks(ladder: &mut Ladder) -> Option<Level> {
    for now in 0..STEPS {
        ladder.handle(Input::Tick, Timestamp::from_ms(black_box(now)));
    }
    ladder.state().map(|climb| climb.level)
}

fn loops(detector: &mut LoopDetector, actions: &[ObservedAction]) -> u32 {
    actions.iter().map(|action| detector.observe(action, ActionOutcome::Failed { problems: None })).max().unwrap_or(0)
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("ladder");
    group.throughput(Throughput::Elements(STEPS as u64));
    group.bench_function("climb", |b| {
        b.iter_batched_ref(ladder, |ladder| assert_eq!(climb(ladder), STEPS as u64), BatchSize::SmallInput);
    });
    let entered = || {
        let mut ladder = ladder();
        ladder.handle(Input::Failure(LadderFailure::new(ErrorType::NetworkTimeout)), Timestamp::from_ms(0));
        ladder
    };
    group.bench_function("ticks", |b| {
        b.iter_batched_ref(entered, |ladder| assert_eq!(ticks(ladder), Some(Level::Retry)), BatchSize::SmallInput);
    });
    group.finish();

    let actions: Vec<ObservedAction> = (0..100)
        .map(|n| ObservedAction::new("Bash", format!("cargo test --test suite{} -- --nocapture", n % 3)))
        .collect();
    let mut group = c.benchmark_group("loops");
    group.throughput(Throughput::Elements(actions.len() as u64));
    group.bench_function("observe", |b| {
        let detector = || LoopDetector::new(LoopPolicy::default());
        b.iter_batched_ref(detector, |detector| assert_eq!(loops(detector, &actions), 18), BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
