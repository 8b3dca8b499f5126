//! The whole table of the rules, as one snapshot.

use escalation::{Move, Policy, Position, Trigger, next};
use recovery_types::{ErrorType, Level};

fn positions() -> Vec<(String, Position)> {
    let mut positions = vec![("idle".to_owned(), Position::Idle)];
    let policy = Policy::default();
    for level in [Level::Retry, Level::Nudge, Level::Replan, Level::Fallback] {
        for attempt in 1..=policy.attempts(level) {
            for (mark, error) in [("", ErrorType::NetworkTimeout), (" down", ErrorType::ServiceUnavailable)] {
                let name = format!("{}.{attempt}{mark}", level.number());
                positions.push((name, Position::Climbing { level, attempt, error }));
            }
        }
    }
    positions.push(("done".to_owned(), Position::Done { ran_out_of_time: false }));
    positions.push(("done, out of time".to_owned(), Position::Done { ran_out_of_time: true }));
    positions
}

fn triggers() -> Vec<(String, Trigger)> {
    let failed = |error| {
        move |entry: Level| {
            let mark = if error == ErrorType::ServiceUnavailable { "down" } else { "fail" };
            (format!("{mark}{}", entry.number()), Trigger::Failed { error, entry })
        }
    };
    let mut triggers: Vec<_> = Level::ALL.into_iter().map(failed(ErrorType::NetworkTimeout)).collect();
    triggers.push(failed(ErrorType::ServiceUnavailable)(Level::Retry));
    triggers.extend(
        [Level::Replan, Level::Fallback, Level::ForceDone]
            .into_iter()
            .map(|entry| (format!("loop{}", entry.number()), Trigger::Looped { entry })),
    );
    for (name, trigger) in [
        ("deadl", Trigger::Deadline),
        ("budgt", Trigger::Budget),
        ("succ", Trigger::Succeeded),
        ("reset", Trigger::Reset),
        ("pause", Trigger::Paused),
        ("skip", Trigger::Skipped),
    ] {
        triggers.push((name.to_owned(), trigger));
    }
    triggers
}

fn shown(step: Move) -> String {
    match step {
        Move::Stay => ".".to_owned(),
        Move::Attempt { level, attempt } => format!("{}.{attempt}", level.number()),
        Move::Enter { wanted } => format!(">{}", wanted.number()),
        Move::Hold => "hold".to_owned(),
        Move::End => "end".to_owned(),
    }
}

/// `.` stays, `1.2` is the second attempt at level 1, `>3` enters level 3.
#[test]
fn every_position_with_every_trigger() {
    let policy = Policy::default();
    let mut table = format!("{:9}", "");
    for (name, _) in triggers() {
        table.push_str(&format!("{name:>6}"));
    }
    for (name, position) in positions() {
        table.push_str(&format!("\n{name:9}"));
        for (_, trigger) in triggers() {
            table.push_str(&format!("{:>6}", shown(next(&policy, position, trigger))));
        }
    }
    insta::assert_snapshot!(table);
}
