//! The ladder as a sans-io state machine: inputs and times in, transitions and deadlines out.
//!
//! [`Ladder`] applies the transition rules of `rules.rs` to its state and queues every change as a `Transition`; the
//! caller records these before it acts. It reads no clock: deadlines that lie before an input's time take effect first,
//! at their own time, so a late wake-up gives the same records as a punctual one. [`Ladder::restore`] needs only the
//! last transition.

use crate::{Input, LadderFailure, Move, Policy, Position, Trigger, next, record};
use recovery_types::ladder::{LevelClock, WaitReason};
use recovery_types::{Cause, Climb, Command, Level, Timestamp, Transition};
use std::collections::VecDeque;

/// The escalation ladder of one task. It reads no clock and never sleeps: pass in what happened and when, drain its
/// transitions, and wake it at the deadline it returns. Late, early, repeated or missing wake-ups change no record.
///
/// ```
/// use escalation::{LadderFailure, Input, Ladder, Policy};
/// use recovery_types::{Command, ErrorType, Level, Timestamp};
///
/// let mut ladder = Ladder::new(Policy::default(), "TASK-1");
/// ladder.handle(Input::Failure(LadderFailure::new(ErrorType::NetworkTimeout)), Timestamp::from_ms(0));
/// let entered = ladder.poll_transition().unwrap();
/// assert_eq!(entered.to, Some(Level::Retry));
/// assert_eq!(entered.command(), Some(&Command::Retry { attempt: 1, not_before: Timestamp::from_ms(1000) }));
///
/// // The level's limit passes at 30 s, whenever the wake-up comes.
/// assert_eq!(ladder.poll_timeout(), Some(Timestamp::from_ms(30_000)));
/// ladder.handle_timeout(Timestamp::from_ms(31_234));
/// let lifted = ladder.poll_transition().unwrap();
/// assert_eq!((lifted.at.ms(), lifted.to), (30_000, Some(Level::Nudge)));
/// ```
#[derive(Clone, Debug)]
pub struct Ladder {
    policy: Policy,
    task_id: String,
    climb: Option<Climb>,
    /// The time of the last transition. Time never goes below it when the clock steps back, so a restart from the last
    /// record and a process that never stopped see the same time.
    moved_at: Option<Timestamp>,
    /// The trigger of the last transition.
    moved_by: Option<Cause>,
    transitions: VecDeque<Transition>,
}

impl Ladder {
    /// An idle ladder. The policy is not validated here; call [`Policy::validate`] where it is parsed.
    #[must_use]
    pub fn new(policy: Policy, task_id: impl Into<String>) -> Self {
        Self {
            policy,
            task_id: task_id.into(),
            climb: None,
            moved_at: None,
            moved_by: None,
            transitions: VecDeque::new(),
        }
    }

    /// The ladder as the last recorded transition of the task left it; idle without one.
    #[must_use]
    pub fn restore(policy: Policy, task_id: impl Into<String>, last: Option<&Transition>) -> Self {
        let mut ladder = Self::new(policy, task_id);
        if let Some(last) = last {
            ladder.climb.clone_from(&last.climb);
            ladder.moved_at = Some(last.at);
            ladder.moved_by = Some(last.cause);
        }
        ladder
    }

    /// Processes an input at `now`. Deadlines that are due by then take effect first, each at its own time.
    pub fn handle(&mut self, input: Input, now: Timestamp) {
        self.handle_timeout(now);
        let now = self.held(now);
        match input {
            Input::Failure(failure) => self.fail(failure, Cause::Failure, now),
            Input::Judge(judge) => {
                if let Some(failure) = record::failure_of_judge(&self.policy.judge, judge) {
                    self.fail(failure, Cause::Judge, now);
                }
            }
            Input::Loop { similar } => {
                if let Some(entry) = self.policy.loops.entry(similar) {
                    self.step(Trigger::Looped { entry }, Cause::Loop, now, Event::default());
                }
            }
            Input::Success => self.step(Trigger::Succeeded, Cause::Success, now, Event::default()),
            Input::Tick => {}
            Input::Pause { reason } => {
                self.step(Trigger::Paused, Cause::Pause, now, Event { reason: Some(reason), ..Event::default() });
            }
            Input::Skip { reason } => {
                self.step(Trigger::Skipped, Cause::Skip, now, Event { reason: Some(reason), ..Event::default() });
            }
            Input::Reset { reason } => {
                self.step(Trigger::Reset, Cause::Reset, now, Event { reason: Some(reason), ..Event::default() });
            }
        }
    }

    /// Advances the time: deadlines that are due by `now` take effect, each at its own time. No effect when none is
    /// due.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(due) = self.poll_timeout().filter(|due| *due <= now) {
            let budget = self.climb.as_ref().and_then(|climb| climb.session_deadline) == Some(due);
            let (trigger, cause) =
                if budget { (Trigger::Budget, Cause::SessionBudget) } else { (Trigger::Deadline, Cause::Deadline) };
            self.step(trigger, cause, due, Event::default());
        }
    }

    /// The time at which the ladder next changes without an input; `None` while it is idle, done or paused.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        self.climb.as_ref().and_then(Climb::deadline)
    }

    /// The next transition that was not yet polled, oldest first. Make it durable, then act on it.
    pub fn poll_transition(&mut self) -> Option<Transition> {
        self.transitions.pop_front()
    }

    /// The current state of the ladder; `None` when it is idle.
    #[must_use]
    pub fn state(&self) -> Option<&Climb> {
        self.climb.as_ref()
    }

    /// The task it belongs to.
    #[must_use]
    pub fn task_id(&self) -> &str {
        &self.task_id
    }

    /// The policy it follows.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    fn held(&self, now: Timestamp) -> Timestamp {
        self.moved_at.map_or(now, |moved_at| moved_at.max(now))
    }

    fn position(&self) -> Position {
        match &self.climb {
            None => Position::Idle,
            Some(climb) if climb.is_done() => {
                Position::Done { ran_out_of_time: self.moved_by == Some(Cause::Deadline) }
            }
            Some(climb) => {
                Position::Climbing { level: climb.level, attempt: climb.attempt, error: climb.failure.error_type }
            }
        }
    }

    fn fail(&mut self, failure: LadderFailure, cause: Cause, now: Timestamp) {
        let wait = server_wait(&failure, now);
        let too_long = wait.zip(self.session_deadline(now)).is_some_and(|((until, _), budget)| until > budget);
        let (entry, cause) = if too_long {
            (Level::ForceDone, Cause::SessionBudget)
        } else {
            (self.policy.entry_level(&failure), cause)
        };
        let trigger = Trigger::Failed { error: failure.error_type, entry };
        self.step(trigger, cause, now, Event { failure: Some(failure), wait, reason: None });
    }

    fn session_deadline(&self, now: Timestamp) -> Option<Timestamp> {
        match &self.climb {
            Some(climb) => climb.session_deadline,
            None => self.policy.session_budget_ms.map(|budget| now.plus_ms(budget)),
        }
    }

    /// Applies the rules. The only place that changes the state.
    fn step(&mut self, trigger: Trigger, cause: Cause, at: Timestamp, event: Event) {
        match next(&self.policy, self.position(), trigger) {
            Move::Stay => {}
            Move::Attempt { level, attempt } => self.climb(level, attempt, cause, at, event),
            Move::Enter { wanted } => self.climb(wanted, 1, cause, at, event),
            Move::Hold => self.hold(cause, at, event),
            Move::End => self.end(cause, at, event),
        }
    }

    /// Enters `wanted` or the first level above it that has attempts configured, or continues with another attempt at
    /// the current level.
    fn climb(&mut self, wanted: Level, attempt: u32, cause: Cause, at: Timestamp, event: Event) {
        let model = event.failure.as_ref().and_then(|failure| failure.model.as_deref());
        let model = model.or_else(|| self.climb.as_ref().and_then(|climb| climb.failure.model.as_deref()));
        let level = if attempt > 1 { wanted } else { self.policy.at_or_above(wanted, model) };
        let session_deadline = self.session_deadline(at);
        let memory = record::learning(&self.task_id, self.climb.as_ref(), event.failure.as_ref(), at);
        let before = self.climb.take();
        let from = before.as_ref().map(|climb| climb.level);
        let entering = from != Some(level);
        let (entered_at, limit) = match &before {
            Some(climb) if !entering => (climb.entered_at, Some(climb.clock.left_ms(at))),
            Some(_) | None => (at, self.policy.limit_ms(level)),
        };
        let clock = match (limit, event.wait) {
            (None, _) => LevelClock::Stopped,
            (Some(left_ms), Some((until, _))) => LevelClock::Waiting { until, left_ms },
            (Some(left_ms), None) => LevelClock::Running { deadline: at.plus_ms(left_ms) },
        };
        let (mut previous_levels, known) = match before {
            Some(climb) => (climb.previous_levels, Some((climb.failure, climb.known_bad))),
            None => (Vec::new(), None),
        };
        if entering {
            previous_levels.extend(from);
        }
        let (failure, known_bad) = record::learn(known, event.failure, event.wait);
        let command = match level {
            Level::Retry => {
                let backoff = at.plus_ms(self.policy.retry.backoff_ms(attempt));
                // Of two waits the longer one is reported.
                let wait = event.wait.filter(|(until, _)| *until >= backoff);
                let not_before = wait.map_or(backoff, |(until, _)| until);
                after(wait, Command::Retry { attempt, not_before })
            }
            Level::Nudge => after(event.wait, Command::Nudge { variant: attempt, of: self.policy.nudge.variants }),
            Level::Replan => after(event.wait, Command::Replan { known_bad: known_bad.clone() }),
            Level::Fallback => {
                after(event.wait, Command::Fallback { target: self.policy.target(attempt, failure.model.as_deref()) })
            }
            Level::ForceDone => {
                Command::ForceDone { report: record::report(&self.task_id, &failure, &previous_levels, cause, at) }
            }
        };
        let climb =
            Climb { level, attempt, entered_at, clock, session_deadline, previous_levels, failure, known_bad, command };
        self.emit(Transition {
            passed_over: Level::ALL.into_iter().filter(|l| (wanted..level).contains(l)).collect(),
            update: entering.then(|| record::entered(&self.task_id, &climb)),
            memory: memory.into_iter().chain(record::issue(&self.task_id, &climb)).collect(),
            ..transition(at, from, Some(level), cause, Some(climb))
        });
    }

    fn hold(&mut self, cause: Cause, at: Timestamp, event: Event) {
        let Some(climb) = self.climb.as_ref() else { return };
        let clock = LevelClock::Paused { left_ms: climb.clock.left_ms(at) };
        if climb.clock == clock {
            return;
        }
        let climb = Climb { clock, ..climb.clone() };
        let level = Some(climb.level);
        self.emit(Transition { reason: event.reason, ..transition(at, level, level, cause, Some(climb)) });
    }

    fn end(&mut self, cause: Cause, at: Timestamp, event: Event) {
        let Some(climb) = self.climb.take() else { return };
        let update = record::ended(&self.task_id, &climb, cause);
        self.emit(Transition {
            reason: event.reason,
            update: Some(update),
            ..transition(at, Some(climb.level), None, cause, None)
        });
    }

    fn emit(&mut self, transition: Transition) {
        self.climb.clone_from(&transition.climb);
        self.moved_at = Some(transition.at);
        self.moved_by = Some(transition.cause);
        self.transitions.push_back(transition);
    }
}

/// The data of a trigger.
#[derive(Default)]
struct Event {
    failure: Option<LadderFailure>,
    wait: Option<(Timestamp, WaitReason)>,
    reason: Option<String>,
}

/// The end of the wait that a server asked for: the later one of two.
fn server_wait(failure: &LadderFailure, now: Timestamp) -> Option<(Timestamp, WaitReason)> {
    let after = failure.retry_after_ms.map(|ms| (now.plus_ms(ms), WaitReason::RetryAfter));
    let reset = failure.resets_at.map(|at| (at, WaitReason::QuotaReset));
    let cooldown = failure.cooldown_until.map(|at| (at, WaitReason::Cooldown));
    // If several end at the same time, the wait that the server stated takes precedence.
    [cooldown, after, reset].into_iter().flatten().filter(|(until, _)| *until > now).max_by_key(|(until, _)| *until)
}

fn after(wait: Option<(Timestamp, WaitReason)>, command: Command) -> Command {
    match wait {
        Some((until, reason)) => Command::WaitUntil { until, reason, then: Box::new(command) },
        None => command,
    }
}

fn transition(at: Timestamp, from: Option<Level>, to: Option<Level>, cause: Cause, climb: Option<Climb>) -> Transition {
    Transition { at, from, to, cause, reason: None, passed_over: Vec::new(), update: None, memory: Vec::new(), climb }
}
