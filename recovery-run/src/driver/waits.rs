//! Waits and deadlines of a run: backoffs, waits that a server asked for, cooldowns, the time that a level has left.
//!
//! In: the ladder's state and the clock's value. Out: nothing where the wait is over, or the [`Finish`] of a run that ends
//! instead, because a signal came or the wait is longer than the plan allows. A wait that is too long is reported
//! instead of begun, so that a job without a terminal ends with the time to come back. Deadlines are the ladder's; the
//! limits here only keep a clock that was set back from making them longer.

use super::{Driver, Finish, Progress, Rung};
use crate::exit;
use crate::notice::{Listener, Notice, RunOutcome};
use crate::recorder::Recorder;
use crate::world::World;
use recovery_types::ladder::{Command, LevelClock, WaitReason};
use recovery_types::{Climb, Timestamp};

impl<W: World, L: Listener, R: Recorder> Driver<'_, W, L, R> {
    /// Waits while the circuit breaker of a shared resource requires it.
    pub(super) fn cool_down(&mut self, rung: Rung, so_far: &Progress) -> Option<Finish> {
        let command = self.plan.commands(rung.level, rung.attempt).last()?.to_string();
        let mut waited_for = None;
        loop {
            let now = self.world.now();
            let cooldown = self.records.admit(&self.engine, &command, waited_for, now);
            self.tell_trouble();
            let cooldown = cooldown.filter(|cooldown| cooldown.until > now)?;
            let (until, ms) = (cooldown.until, cooldown.until.since(now));
            if self.is_too_long(ms) {
                self.listener.notice(&Notice::WaitTooLong { until, ms, cooldown: Some(cooldown) });
                return Some(self.finish(RunOutcome::Waiting, exit::WAITING, None, so_far, None));
            }
            self.listener.notice(&Notice::CoolingDown { cooldown, ms });
            let listener = &mut self.listener;
            if let Some(signal) = self.world.wait(until, &mut |now| listener.count_down(now, until)) {
                return Some(self.interrupted(signal, rung.level, so_far));
            }
            waited_for = Some(until);
        }
    }

    /// Whether a wait is longer than the plan allows.
    pub(super) fn is_too_long(&self, ms: u64) -> bool {
        self.plan.max_wait_ms.is_some_and(|most| ms > most)
    }

    /// Waits, at most until the ladder changes by itself.
    pub(super) fn wait(
        &mut self,
        until: Timestamp,
        reason: Option<WaitReason>,
        climb: &Climb,
        so_far: &Progress,
    ) -> Option<Finish> {
        let now = self.world.now();
        let until = climb.deadline().map_or(until, |deadline| deadline.min(until));
        let ms = until.since(now);
        if self.is_too_long(ms) {
            self.listener.notice(&Notice::WaitTooLong { until, ms, cooldown: None });
            return Some(self.finish(RunOutcome::Waiting, exit::WAITING, Some(climb), so_far, None));
        }
        self.listener.notice(&Notice::Waiting { until, ms, reason });
        let listener = &mut self.listener;
        let signal = self.world.wait(until, &mut |now| listener.count_down(now, until))?;
        Some(self.interrupted(signal, Some(climb.level), so_far))
    }

    /// The end of the wait before the next execution, and its origin. A backoff is never longer than planned, whatever
    /// the clock shows.
    pub(super) fn wait_of(&self, command: &Command, now: Timestamp) -> Option<(Timestamp, Option<WaitReason>)> {
        match command {
            Command::Retry { not_before, attempt, .. } => {
                let planned = self.plan.backoff_ms(&self.engine.ladder.retry, *attempt);
                Some(((*not_before).min(now.plus_ms(planned)), None))
            }
            Command::WaitUntil { until, reason, .. } => Some((*until, Some(*reason))),
            Command::Nudge { .. } | Command::Replan { .. } | Command::Fallback { .. } | Command::ForceDone { .. } => {
                None
            }
        }
    }

    /// The deadline of an attempt that starts now. An interrupted level has its remaining time; no level exceeds its
    /// limit, whatever the clock shows.
    pub(super) fn deadline_of(&self, climb: &Climb, now: Timestamp) -> Option<Timestamp> {
        match climb.clock {
            LevelClock::Paused { left_ms } => {
                let own = now.plus_ms(left_ms);
                Some(climb.session_deadline.map_or(own, |session| session.min(own)))
            }
            LevelClock::Running { .. } | LevelClock::Waiting { .. } | LevelClock::Stopped => {
                let most = self.engine.ladder.limit_ms(climb.level).map(|limit| now.plus_ms(limit));
                climb.deadline().map(|deadline| most.map_or(deadline, |most| deadline.min(most)))
            }
        }
    }
}
