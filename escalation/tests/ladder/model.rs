//! The ladder against a model of it that was written from the description, not from the code: it spends time in a
//! budget instead of computing deadlines, and counts failures instead of attempts.

use crate::script::{any_input, any_pause, any_policy, at, drain};
use escalation::{Input, Ladder, LadderFailure, Policy};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use recovery_types::{Command, ErrorType, Judge, Timestamp, Verdict};

/// Time, level before, level after (0 for idle), attempt after.
type Moved = (i64, u8, u8, u32);

#[derive(Clone, Debug)]
struct Model {
    policy: Policy,
    now: i64,
    level: u8,
    /// Failures that counted against the level.
    failures: u32,
    /// Time that counted against the level's limit.
    spent: i64,
    /// Up to when time does not count.
    frozen_until: i64,
    session_ends: i64,
    last_error: ErrorType,
    /// Whether level 5 was reached because a limit passed.
    only_late: bool,
    moved: Vec<Moved>,
    /// The last input, for the ladder to take in as well.
    input: Option<(i64, Input)>,
}

const NEVER: i64 = i64::MAX / 4;

impl Model {
    fn new(policy: Policy) -> Self {
        Self {
            policy,
            now: 0,
            level: 0,
            failures: 0,
            spent: 0,
            frozen_until: 0,
            session_ends: NEVER,
            last_error: ErrorType::Other,
            only_late: false,
            moved: Vec::new(),
            input: None,
        }
    }

    fn chances(&self, level: u8) -> u32 {
        match level {
            1 => self.policy.retry.attempts,
            2 => self.policy.nudge.variants,
            3 => self.policy.replan.plans,
            4 => self.policy.fallback.targets.len() as u32,
            _ => 1,
        }
    }

    fn limit(&self) -> i64 {
        [NEVER, 30_000, 300_000, 900_000, 1_200_000, NEVER][self.level as usize]
    }

    fn enter(&mut self, level: u8) {
        let mut level = level;
        while self.chances(level) == 0 {
            level += 1;
        }
        if self.level == 0 {
            self.session_ends = self.policy.session_budget_ms.map_or(NEVER, |budget| self.now + budget as i64);
        }
        self.moved.push((self.now, self.level, level, 1));
        (self.level, self.failures, self.spent, self.frozen_until) = (level, 0, 0, 0);
        self.only_late = false;
    }

    fn use_up(&mut self) {
        let next = if self.level == 1 && self.last_error == ErrorType::ServiceUnavailable { 5 } else { self.level + 1 };
        self.enter(next);
    }

    fn end(&mut self) {
        self.moved.push((self.now, self.level, 0, 0));
        (self.level, self.frozen_until, self.session_ends) = (0, 0, NEVER);
    }

    /// Lets time pass one happening at a time.
    fn pass_to(&mut self, then: i64) {
        while self.now < then || (1..5).contains(&self.level) {
            if !(1..5).contains(&self.level) {
                self.now = then;
                return;
            }
            let counts_from = self.now.max(self.frozen_until.min(NEVER));
            let limit_at = counts_from.saturating_add(self.limit() - self.spent).min(NEVER);
            let stop = then.min(limit_at).min(self.session_ends);
            self.spent += (stop - counts_from).max(0);
            self.now = self.now.max(stop);
            if stop == self.session_ends {
                self.enter(5);
            } else if stop == limit_at {
                self.use_up();
                self.only_late = self.level == 5;
            } else {
                return;
            }
        }
    }

    fn fail(&mut self, error: ErrorType, entry: u8, wait_until: Option<i64>) {
        if self.level == 5 {
            return;
        }
        let wait_until = wait_until.filter(|until| *until > self.now);
        let session_ends = match (self.level, self.policy.session_budget_ms) {
            (0, Some(budget)) => self.now + budget as i64,
            _ => self.session_ends,
        };
        let entry = if wait_until.is_some_and(|until| until > session_ends) { 5 } else { entry };
        self.last_error = error;
        if entry > self.level {
            self.enter(entry);
        } else {
            self.failures += 1;
            if self.failures >= self.chances(self.level) {
                self.use_up();
            } else {
                self.moved.push((self.now, self.level, self.level, self.failures + 1));
            }
        }
        self.frozen_until = wait_until.unwrap_or(0);
    }

    fn take(&mut self, input: &Input) {
        match input {
            Input::Failure(LadderFailure { error_type, idempotent, retry_after_ms, resets_at, .. }) => {
                let mut entry = escalation::entry_level(*error_type).number();
                let told = retry_after_ms.is_some() || resets_at.is_some();
                if *error_type == ErrorType::QuotaExhausted && told {
                    entry = 1;
                }
                if !idempotent {
                    entry = entry.max(2);
                }
                let waits = [retry_after_ms.map(|ms| self.now + ms as i64), resets_at.map(Timestamp::ms)];
                self.fail(*error_type, entry, waits.into_iter().flatten().max());
            }
            Input::Judge(Judge { evidence_of_completion, goal_alignment, verdict }) => {
                if goal_alignment.is_some_and(|goal| goal < 15) {
                    self.fail(ErrorType::GoalMisalignment, 3, None);
                } else if evidence_of_completion.is_some_and(|evidence| evidence < 8) {
                    self.fail(ErrorType::TestFailure, 2, None);
                } else if *verdict == Some(Verdict::Fail) {
                    self.fail(ErrorType::GoalMisalignment, 3, None);
                }
            }
            Input::Loop { similar } => {
                let entry = if *similar >= 8 {
                    5
                } else if *similar >= 5 {
                    4
                } else if *similar >= 3 {
                    3
                } else {
                    0
                };
                if entry > self.level {
                    if self.level == 0 {
                        self.last_error = ErrorType::Other;
                    }
                    self.enter(entry);
                }
            }
            Input::Success if (1..5).contains(&self.level) || (self.level == 5 && self.only_late) => self.end(),
            Input::Skip { .. } if (1..5).contains(&self.level) => self.end(),
            Input::Reset { .. } if self.level > 0 => self.end(),
            Input::Pause { .. } if (1..5).contains(&self.level) && self.frozen_until < NEVER => {
                self.frozen_until = NEVER;
                self.moved.push((self.now, self.level, self.level, self.failures + 1));
            }
            Input::Success | Input::Skip { .. } | Input::Reset { .. } | Input::Pause { .. } | Input::Tick => {}
        }
    }
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = (i64, Input);

    fn init_state() -> BoxedStrategy<Self> {
        any_policy().prop_map(Self::new).boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<(i64, Input)> {
        (any_pause(), any_input()).boxed()
    }

    fn apply(mut model: Self, (pause, input): &(i64, Input)) -> Self {
        model.moved.clear();
        model.pass_to(model.now + pause);
        model.take(input);
        model.input = Some((model.now, input.clone()));
        model
    }
}

struct Watched(Ladder);

impl StateMachineTest for Watched {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        Self(Ladder::new(model.policy.clone(), "TASK-1"))
    }

    fn apply(mut ladder: Self, model: &Model, _: (i64, Input)) -> Self {
        let (now, input) = model.input.clone().expect("the model keeps each input");
        ladder.0.handle(input, at(now));
        let moved: Vec<Moved> = drain(&mut ladder.0)
            .into_iter()
            .map(|t| {
                let number = |level: Option<recovery_types::Level>| level.map_or(0, recovery_types::Level::number);
                (t.at.ms(), number(t.from), number(t.to), t.climb.map_or(0, |climb| climb.attempt))
            })
            .collect();
        assert_eq!(moved, model.moved);
        ladder
    }

    fn check_invariants(ladder: &Self, model: &Model) {
        let state = ladder.0.state();
        assert_eq!(state.map_or(0, |climb| climb.level.number()), model.level);
        let done = state.is_some_and(|climb| matches!(climb.command, Command::ForceDone { .. }));
        assert_eq!(done, model.level == 5);
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { cases: 800, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_ladder_does_what_the_model_does(sequential 1..25 => Watched);
}
