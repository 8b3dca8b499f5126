//! Every sequence of inputs, not a sample: what must hold on each of them.

use crate::script::{at, drain, fails};
use escalation::{Input, Ladder, LadderFailure, Policy};
use recovery_types::ladder::{TaskMetadata, UpdateStatus};
use recovery_types::{Command, ErrorType, Level, Transition};
use std::collections::BTreeSet;

/// The inputs, each with the time that passes before it: every kind of trigger, and waits that meet the limits.
fn alphabet() -> Vec<(i64, Input)> {
    let limited = LadderFailure { retry_after_ms: Some(20_000), ..LadderFailure::new(ErrorType::RateLimit) };
    vec![
        (1000, fails(ErrorType::NetworkTimeout)),
        (0, fails(ErrorType::FileNotFound)),
        (1000, Input::Failure(limited)),
        (29_999, Input::Tick),
        (600_000, Input::Tick),
        (1, Input::Loop { similar: 5 }),
        (1, Input::Success),
        (1, Input::Reset { reason: "asked for".into() }),
        (14_000, fails(ErrorType::ServiceUnavailable)),
    ]
}

/// What a path has seen so far, kept apart from the ladder.
#[derive(Clone, Default)]
struct Account {
    level: Option<Level>,
    entered_at: i64,
    /// Time that a server asked to wait for within the level, and the wait that may still be under way.
    waited: i64,
    waiting: Option<(i64, i64)>,
    retries: u32,
}

impl Account {
    fn waited_until(&self, now: i64) -> i64 {
        self.waited + self.waiting.map_or(0, |(from, until)| now.min(until) - from)
    }

    fn check(&mut self, t: &Transition, policy: &Policy) {
        assert_eq!(t.from, self.level, "each transition starts where the last one ended");
        if let (Some(from), Some(to)) = (t.from, t.to) {
            assert!(to >= from, "the level fell: {t:?}");
        }
        assert!(t.from != Some(Level::ForceDone) || t.to.is_none(), "something moved after level 5: {t:?}");
        let entered = t.to.is_some() && t.from != t.to;
        assert_eq!(t.update.is_some(), entered || t.to.is_none(), "one record for each entry and each end: {t:?}");
        assert_eq!(matches!(t.command(), Some(Command::ForceDone { .. })), t.to == Some(Level::ForceDone));
        if let Some(update) = &t.update {
            let force_done = matches!(update.metadata, TaskMetadata::ForceDone(_));
            assert_eq!(force_done, t.to == Some(Level::ForceDone), "{update:?}");
            assert_eq!(update.status == UpdateStatus::InProgress, entered && !force_done, "{update:?}");
        }
        let now = t.at.ms();
        if entered || t.to.is_none() {
            *self = Self { level: t.to, entered_at: now, ..Self::default() };
        } else {
            self.waited = self.waited_until(now);
            self.waiting = None;
        }
        let mut command = t.command();
        if let Some(Command::WaitUntil { until, then, .. }) = command {
            self.waiting = Some((now, until.ms()));
            command = Some(then);
        }
        if let Some(Command::Retry { attempt, .. }) = command {
            self.retries += 1;
            assert_eq!(*attempt, self.retries);
            assert!(self.retries <= policy.retry.attempts, "too many retries: {t:?}");
        }
    }

    /// Time within a level, waits left out, never reaches its limit.
    fn check_limit(&self, now: i64, policy: &Policy) {
        if let Some(limit) = self.level.and_then(|level| policy.limit_ms(level)) {
            let spent = now - self.entered_at - self.waited_until(now);
            assert!(spent < limit as i64, "{:?} went on for {spent} ms", self.level);
        }
    }
}

fn take(ladder: &mut Ladder, account: &mut Account, input: &Input, now: i64) {
    ladder.handle(input.clone(), at(now));
    for transition in drain(ladder) {
        account.check(&transition, ladder.policy());
    }
    account.check_limit(now, ladder.policy());
}

/// All sequences of five inputs.
#[test]
fn every_short_sequence_keeps_the_promises() {
    fn walk(ladder: &Ladder, account: &Account, now: i64, depth: u32, alphabet: &[(i64, Input)]) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut sequences = 0;
        for (pause, input) in alphabet {
            let (mut ladder, mut account) = (ladder.clone(), account.clone());
            take(&mut ladder, &mut account, input, now + pause);
            sequences += walk(&ladder, &account, now + pause, depth - 1, alphabet);
        }
        sequences
    }
    let alphabet = alphabet();
    let ladder = Ladder::new(Policy::default(), "TASK-1");
    let sequences = walk(&ladder, &Account::default(), 0, 5, &alphabet);
    assert_eq!(sequences, (alphabet.len() as u64).pow(5));
}

/// All sequences up to twelve inputs: from idle through every attempt of every level to level 5 takes ten. What follows
/// depends only on the ladder's state relative to now, so each such state is explored once.
#[test]
fn every_sequence_that_covers_the_ladder_keeps_the_promises() {
    let alphabet = alphabet();
    let mut standings = vec![(Ladder::new(Policy::default(), "TASK-1"), Account::default(), 0)];
    let (mut known, mut levels, mut deepest) = (BTreeSet::new(), BTreeSet::new(), 0);
    for depth in 1..=12 {
        for (ladder, account, now) in std::mem::take(&mut standings) {
            for (pause, input) in &alphabet {
                let (mut ladder, mut account, now) = (ladder.clone(), account.clone(), now + pause);
                take(&mut ladder, &mut account, input, now);
                levels.insert(account.level);
                let standing = ladder.state().map(|climb| {
                    let spent = now - account.entered_at - account.waited_until(now);
                    let waits = account.waiting.map_or(0, |(_, until)| (until - now).max(0));
                    (climb.level, climb.attempt, climb.failure.error_type, spent, waits)
                });
                if known.insert(standing) {
                    deepest = depth;
                    standings.push((ladder, account, now));
                }
            }
        }
    }
    assert_eq!(levels.len(), 6, "idle and all five levels were reached");
    assert!(deepest >= 10 && known.len() > 500, "{deepest} deep, {} standings", known.len());
}
