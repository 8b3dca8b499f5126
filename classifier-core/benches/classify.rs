//! `classify one event`: the document's sample, facts read from its patterns.

use classifier_core::{Config, Facts, classify};
use criterion::{Criterion, criterion_group, criterion_main};
use recovery_types::{Class, FailureEvent, HistoryEntry, Permille};
use std::hint::black_box;

/// A 4 KiB tail that no pattern matches until the history decides.
fn event() -> FailureEvent {
    let stderr_tail = "expected 401, got 200 at jwt.ts line 12 of this run\n".repeat(80);
    let attempt = HistoryEntry {
        node: Some("TASK-00101".into()),
        stderr_tail: Some(stderr_tail.clone()),
        ..HistoryEntry::default()
    };
    let node = serde_json::from_str(
        r#"{"id":"TASK-00101","parent_id":"STORY-0042","failed_attempts":3,"test_edits":{"tests/auth/jwt.test.ts":4}}"#,
    );
    FailureEvent {
        exit_code: 1,
        stderr_tail,
        node: Some(node.expect("a node")),
        history: vec![attempt.clone(), attempt],
        ..FailureEvent::default()
    }
}

fn benchmark(criterion: &mut Criterion) {
    let (event, config) = (event(), Config::default());
    let facts = Facts::from_patterns(&event);
    let answer = classify(&event, &facts, &config).expect("a failure");
    assert_eq!((answer.class, answer.confidence), (Class::F3, Permille::new(780)));

    let mut group = criterion.benchmark_group("classify one event");
    group.bench_function("rules", |bench| {
        bench.iter(|| classify(black_box(&event), black_box(&facts), &config));
    });
    group.bench_function("facts from patterns and rules", |bench| {
        bench.iter(|| classify(black_box(&event), &Facts::from_patterns(black_box(&event)), &config));
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
