//! The ladder of a task without an event: moved by time or a person, and displayed.
//!
//! In: a `TaskState`, whose last transition is all that the ladder needs to be restored. Out: the transitions of a tick, a
//! reset or a success without an event, and [`LadderView`], which is how decisions and status show it. Decisions move the
//! ladder themselves (`decide.rs`); nothing here records anything, so a view can be taken at any time.

use crate::Engine;
use crate::decision::LadderView;
use crate::state::TaskState;
use escalation::{Input, Ladder};
use recovery_types::Timestamp;
use recovery_types::ladder::{Command, Transition};

impl Engine {
    /// Applies an input without an event to the ladder: a person's `Success` or `Reset`, a `Pause`, or time alone
    /// (`Tick`).
    #[must_use]
    pub fn advance(&self, task: &str, past: &TaskState, input: Input, now: Timestamp) -> Vec<Transition> {
        self.advance_after(task, past, Vec::new(), input, now)
    }

    /// [`Engine::advance`], where the inputs of `before` were handled elsewhere: their transitions are not returned.
    #[must_use]
    pub fn advance_after(
        &self,
        task: &str,
        past: &TaskState,
        before: Vec<Input>,
        input: Input,
        now: Timestamp,
    ) -> Vec<Transition> {
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        for earlier in before {
            ladder.handle(earlier, now);
        }
        drain(&mut ladder);
        ladder.handle(input, now);
        drain(&mut ladder)
    }

    /// The state of the ladder at `now`, after all deadlines that have passed. Nothing is recorded.
    #[must_use]
    pub fn ladder_at(&self, task: &str, past: &TaskState, now: Timestamp) -> LadderView {
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        ladder.handle_timeout(now);
        view(&ladder)
    }
}

pub(crate) fn drain(ladder: &mut Ladder) -> Vec<Transition> {
    std::iter::from_fn(|| ladder.poll_transition()).collect()
}

pub(crate) fn view(ladder: &Ladder) -> LadderView {
    let Some(climb) = ladder.state() else { return LadderView::default() };
    let paused = matches!(climb.clock, recovery_types::ladder::LevelClock::Paused { .. });
    LadderView {
        level: Some(climb.level),
        action: Some(climb.level.action().to_owned()),
        attempt: Some(climb.attempt),
        not_before: match &climb.command {
            Command::Retry { not_before, .. } => Some(*not_before),
            Command::WaitUntil { until, .. } => Some(*until),
            Command::Nudge { .. } | Command::Replan { .. } | Command::Fallback { .. } | Command::ForceDone { .. } => {
                None
            }
        },
        deadline: climb.deadline(),
        previous_levels: climb.previous_levels.clone(),
        command: (!paused).then(|| climb.command.clone()),
    }
}
