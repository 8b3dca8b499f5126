//! The loop of a run: run the command, decide, wait, climb.
//!
//! In: a `Plan` and an engine. Out: a [`Finish`] with the exit code. The driver does no I/O of its own: the clock and
//! the processes are behind `World`, records behind `Recorder`, messages behind `Listener`, so that the tests run
//! the whole ladder in virtual time. Each change of the ladder is recorded before the driver acts on it, so a run that
//! was killed continues where it stopped. What each level runs is decided in `plan.rs`, how long it waits in
//! `driver/waits.rs`.

use crate::exit;
use crate::history::{AttemptHistory, LastFailure, failed_attempts};
use crate::judge::verdict;
use crate::notice::{Listener, Notice, RunOutcome};
use crate::plan::{CommandRole, Plan};
use crate::playbook::CommandLine;
use crate::recorder::{AttemptResult, RecordedDecision, Recorder, Records, TreeChange};
use crate::watch::{Stream, Watch};
use crate::world::{End, Job, Signal, World};
use recovery_engine::{Admitted, Diagnosis, Engine, FailureCause, Input, admit};
use recovery_types::ladder::{Command, Transition};
use recovery_types::terminal::one_line;
use recovery_types::time::span;
use recovery_types::{Climb, ErrorType, FailureEvent, ForceDoneReport, Level, Timestamp};
use std::sync::Mutex;

mod waits;

/// A wait of an earlier run that is longer than this does not delay the first execution of this run.
const SHORT_WAIT_MS: u64 = 60_000;

/// One run of a plan.
#[derive(Debug)]
pub struct Driver<'a, W, L, R> {
    engine: Engine,
    plan: &'a Plan,
    world: W,
    listener: L,
    records: Records<R>,
    surroundings: Surroundings,
}

/// The data that all events of a run share.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The commit of HEAD.
    pub head: Option<String>,
    /// The time zone of the machine.
    pub zone: Option<String>,
    /// Names in the project: candidates for the intended name where one in the output is wrong.
    pub names: Option<fn(&str) -> Vec<String>>,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Finish {
    /// The exit code of the run.
    pub exit_code: u8,
    /// The partial result, if the ladder reached its end.
    pub report: Option<ForceDoneReport>,
}

/// Where the ladder requires an attempt.
#[derive(Clone, Copy)]
struct Rung {
    level: Option<Level>,
    attempt: u32,
    deadline: Option<Timestamp>,
}

/// A command of a level that was executed.
struct Execution<'a> {
    role: CommandRole,
    command: &'a CommandLine,
    /// The command that does the work of the level, which may be another one.
    work: &'a CommandLine,
    end: End,
    exit_code: u8,
    /// Why it ended, if not by itself.
    reason: Option<String>,
    duration_ms: u64,
    ended: Timestamp,
}

/// The progress of this run.
#[derive(Default)]
struct Progress {
    runs: u32,
    began: Timestamp,
    last_code: Option<u8>,
    last_error: Option<ErrorType>,
    /// Whether a run within the last command has explained why it failed.
    is_explained_within: bool,
    /// The command whose backoff has passed.
    waited_for: Option<Command>,
}

impl<'a, W: World, L: Listener, R: Recorder> Driver<'a, W, L, R> {
    /// A run of `plan` by an engine with the policy of the plan. Without a recorder nothing is recorded.
    pub fn new(
        engine: Engine,
        plan: &'a Plan,
        world: W,
        listener: L,
        recorder: Option<R>,
        surroundings: Surroundings,
    ) -> Self {
        let records = Records::new(&plan.task, recorder);
        Self { engine, plan, world, listener, records, surroundings }
    }

    /// Runs the plan to its end.
    pub fn drive(&mut self) -> Finish {
        let mut so_far = Progress { began: self.world.now(), ..Progress::default() };
        self.begin();
        loop {
            let now = self.world.now();
            let rung = match self.climb_at(now) {
                None => Rung { level: None, attempt: 1, deadline: self.plan.budget_ms.map(|ms| now.plus_ms(ms)) },
                Some(climb) => {
                    if let Command::ForceDone { report } = climb.command {
                        return self.force_done(report, &so_far);
                    }
                    let wait = self.wait_of(&climb.command, now).filter(|(until, _)| *until > now);
                    // A new invocation always executes the command, even if a server asked an earlier one to wait.
                    let wait = wait.filter(|(until, _)| so_far.runs > 0 || until.since(now) <= SHORT_WAIT_MS);
                    // A clock that was set back must not restart the same backoff.
                    let wait = wait.filter(|_| so_far.waited_for.as_ref() != Some(&climb.command));
                    if let Some((until, reason)) = wait {
                        match self.wait(until, reason, &climb, &so_far) {
                            Some(finish) => return finish,
                            None => {
                                so_far.waited_for = Some(climb.command.clone());
                                continue;
                            }
                        }
                    }
                    Rung { level: Some(climb.level), attempt: climb.attempt, deadline: self.deadline_of(&climb, now) }
                }
            };
            if let Some(finish) = self.cool_down(rung, &so_far) {
                return finish;
            }
            if let Some(finish) = self.attempt(rung, &mut so_far) {
                return finish;
            }
        }
    }

    /// Continues an earlier run that was interrupted. One that was force-done or whose time has passed is closed, and a
    /// new ladder starts: a command that a person starts is executed at least once.
    fn begin(&mut self) {
        let state = self.records.state();
        let Some(climb) = state.climb() else { return };
        let task = self.plan.task.clone();
        let now = self.world.now();
        let deadline = self.deadline_of(climb, now);
        let ended = match &climb.command {
            Command::ForceDone { report } => Some(report.failure_reason.clone()),
            _ => deadline.filter(|deadline| *deadline <= now).map(|_| "its time limit passed".to_owned()),
        };
        if let Some(reason) = ended {
            self.listener.notice(&Notice::Afresh { task, reason });
            let reason = "run again".to_owned();
            self.moved(&Input::Reset { reason: reason.clone() }, &reason, now);
        } else {
            let (level, attempt) = (climb.level, climb.attempt);
            self.listener.notice(&Notice::Continuing { task, level, attempt, deadline });
        }
    }

    /// The state of the ladder, after passed deadlines were recorded.
    fn climb_at(&mut self, now: Timestamp) -> Option<Climb> {
        let state = self.records.state();
        self.tell_trouble();
        let due = state.climb().and_then(Climb::deadline).is_some_and(|deadline| deadline <= now);
        if !due {
            return state.climb().cloned();
        }
        let transitions = self.moved(&Input::Tick, "a time limit passed", now);
        if let Some(level) = transitions.last().and_then(|last| last.to) {
            self.listener.notice(&Notice::LimitPassed { level, passed_over: passed_over(&transitions) });
        }
        transitions.into_iter().last().and_then(|last| last.climb)
    }

    /// Records the transitions of an `input` that is no event.
    fn moved(&mut self, input: &Input, reason: &str, at: Timestamp) -> Vec<Transition> {
        self.records.advance(&self.engine, input, reason, at)
    }

    /// Reports, once, that nothing is recorded from now on.
    fn tell_trouble(&mut self) {
        if let Some(reason) = self.records.trouble() {
            self.listener.notice(&Notice::Unrecorded { reason });
        }
    }

    /// Executes the commands of the level one after the other, up to one that fails, and decides about the outcome.
    fn attempt(&mut self, rung: Rung, so_far: &mut Progress) -> Option<Finish> {
        let history = self.history(rung);
        let plan = self.plan;
        let parts = plan.parts(rung.level, rung.attempt);
        let steps = parts.len();
        let work =
            parts.iter().find(|(role, _)| *role == CommandRole::Command).map_or(&plan.command, |(_, command)| *command);
        for (index, (role, command)) in parts.into_iter().enumerate() {
            let is_last = index + 1 == steps;
            let started = self.world.now();
            let timeout = plan.timeout_ms.map(|ms| started.plus_ms(ms));
            let deadline = [rung.deadline, timeout].into_iter().flatten().min();
            let Rung { level, attempt, .. } = rung;
            let of = level.map_or(1, |level| self.engine.ladder.attempts(level));
            self.listener.notice(&Notice::Started { level, attempt, of, command: command.to_string(), deadline });
            let watch = Mutex::new(Watch::new(&self.engine.taxonomy));
            let end = self.world.run(&job(plan, rung, role, command, deadline, history.clone()), &watch);
            let now = self.world.now();
            let duration_ms = now.since(started);
            let by_timeout = timeout.is_some() && deadline == timeout;
            let (exit_code, reason) = ended(&end, rung, plan.timeout_ms.filter(|_| by_timeout));
            self.listener.notice(&Notice::Ended { exit_code, duration_ms, reason: reason.clone() });
            so_far.runs += u32::from(role == CommandRole::Command);
            if role != CommandRole::Judge {
                so_far.last_code = Some(exit_code);
            }
            match end {
                End::Interrupted(signal) => return Some(self.interrupted(signal, level, so_far)),
                End::Unread(_) => {
                    // The reader closed the output; the command did not fail.
                    self.moved(&Input::Tick, "nobody reads the output any more", now);
                    return Some(self.finish(RunOutcome::Unread, exit_code, None, so_far, None));
                }
                _ if exit_code == 0 && !is_last => continue,
                End::Exited(_) | End::NotStarted { .. } | End::TimedOut => {}
            }
            // A failure at or after the deadline belongs to the level that the deadline ends, not to the next one.
            let at = match rung.deadline {
                Some(deadline) if exit_code != 0 && role != CommandRole::Judge => {
                    now.min(Timestamp::from_ms(deadline.ms() - 1))
                }
                _ => now,
            };
            let watch = watch.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            let run = Execution { role, command, work, end, exit_code, reason, duration_ms, ended: now };
            let (event, observed) = self.assessed(rung, &run, watch, at);
            return self.decided(rung, &run, (event, observed), at, so_far);
        }
        None
    }

    /// The event of an execution, and the diagnosis of its whole output.
    fn assessed(
        &self,
        rung: Rung,
        run: &Execution<'_>,
        mut watch: Watch<'_>,
        at: Timestamp,
    ) -> (Admitted<FailureEvent>, Option<Diagnosis>) {
        let Execution { role, command, exit_code, .. } = *run;
        if let (End::NotStarted { .. }, Some(reason)) = (&run.end, &run.reason) {
            watch.read(Stream::Err, reason.as_bytes());
        }
        let (observer, mut text) = watch.finish();
        let is_silent = text.trim().is_empty();
        if let (End::TimedOut, Some(reason)) = (&run.end, &run.reason) {
            text.push_str(&format!("\n{reason}"));
        }
        let mut event = match role {
            CommandRole::Replan | CommandRole::Command => self.event(rung, command, exit_code, text),
            CommandRole::Verify => {
                // A check that printed nothing has no further information.
                let error_type = (exit_code != 0 && is_silent).then(|| ErrorType::TestFailure.name().to_owned());
                if exit_code != 0 {
                    text.push_str(&format!("\nverification failed: {command} ended with exit code {exit_code}"));
                }
                let event = self.event(rung, command, exit_code, text);
                FailureEvent { step: Some("verify".to_owned()), error_type, ..event }
            }
            // The work itself ended with 0: the verdict of the judge is independent of its exit code.
            CommandRole::Judge => FailureEvent {
                judge: Some(verdict(&text, exit_code)),
                ..self.event(rung, run.work, exit::DONE, String::new())
            },
        };
        if run.end == End::TimedOut {
            event.cause = Some(FailureCause::TimeLimit);
            // Of a command that printed nothing, the time is all that is known.
            event.error_type = is_silent.then(|| ErrorType::NetworkTimeout.name().to_owned());
        }
        let event = admit(event);
        let observed = self.engine.assess_observed(&event, observer, at).map(|assessed| assessed.diagnosis);
        (event, observed)
    }

    /// Has the decision made and recorded, and carries out what it requires.
    fn decided(
        &mut self,
        rung: Rung,
        run: &Execution<'_>,
        (mut event, observed): (Admitted<FailureEvent>, Option<Diagnosis>),
        at: Timestamp,
        so_far: &mut Progress,
    ) -> Option<Finish> {
        if rung.level.is_none() {
            let left = |budget: u64| budget.saturating_sub(run.ended.since(so_far.began)).max(1);
            self.engine.ladder.session_budget_ms = self.plan.budget_ms.map(left);
        }
        so_far.last_error = observed.as_ref().map(|kind| kind.error_type);
        let within = self.world.given_up_within();
        so_far.is_explained_within = so_far.last_error.is_some_and(|error| within.contains(&error));
        if so_far.is_explained_within && event.cause.is_none() {
            event = event.with_cause(FailureCause::RetriedInside);
        }
        let output = event.stderr_tail.clone();
        let worked = event.exit_code == 0;
        let result = AttemptResult { event, observed, head: self.surroundings.head.clone() };
        let recorded = self.records.decide(&self.engine, result, at);
        self.tell_trouble();
        let is_done = worked && !recorded.decision.failure;
        if worked && !is_done {
            so_far.last_code = Some(exit::FAILED);
        }
        let ended = if is_done {
            Some(self.succeeded(rung, so_far))
        } else {
            self.failed(rung, &recorded, output, run.duration_ms, so_far)
        };
        for TreeChange { what, branch } in self.records.carry_out(&recorded.decision) {
            self.listener.notice(&Notice::TreeChanged { what, branch });
        }
        ended
    }

    fn succeeded(&mut self, rung: Rung, so_far: &Progress) -> Finish {
        let outcome = match rung.level {
            None => RunOutcome::Passed,
            Some(Level::Retry) => RunOutcome::Flaky,
            Some(Level::Nudge | Level::Replan | Level::Fallback | Level::ForceDone) => RunOutcome::Recovered,
        };
        let attempt = rung.level.map(|_| rung.attempt);
        let (level, runs) = (rung.level, so_far.runs);
        self.listener.notice(&Notice::Finished {
            outcome,
            exit_code: exit::DONE,
            runs,
            level,
            attempt,
            report: None,
            is_explained_within: false,
        });
        Finish { exit_code: exit::DONE, report: None }
    }

    /// Reports the decision. The run is over if the ladder requires nothing.
    fn failed(
        &mut self,
        rung: Rung,
        recorded: &RecordedDecision,
        output: String,
        duration_ms: u64,
        so_far: &Progress,
    ) -> Option<Finish> {
        let decision = &recorded.decision;
        let ladder = &decision.ladder;
        self.listener.notice(&Notice::Decided {
            error_type: decision.diagnosis.as_ref().map(|kind| kind.error_type),
            class: decision.classification.as_ref().map(|class| class.class),
            level: ladder.level,
            attempt: ladder.attempt.unwrap_or(1),
            of: ladder.level.map_or(0, |level| self.engine.ladder.attempts(level)),
            at: decision.at,
            not_before: ladder.not_before,
            deadline: ladder.deadline,
            passed_over: passed_over(&decision.transitions),
            record: recorded.record.clone(),
            time_is_up: rung.deadline.is_some_and(|deadline| deadline <= self.world.now()),
            is_waited_for: !self.is_too_long(ladder.not_before.map_or(0, |until| until.since(decision.at))),
            output,
            decision: Box::new(decision.clone()),
        });
        if let Some(level) = ladder.level.filter(|_| rung.level.is_none())
            && let Some(limit_ms) = self.engine.ladder.limit_ms(level).filter(|limit| *limit < duration_ms)
        {
            self.listener.notice(&Notice::TooShort { duration_ms, level, limit_ms });
        }
        if ladder.command.is_none() {
            return Some(self.finish(RunOutcome::Failed, so_far.last_code.unwrap_or(exit::FAILED), None, so_far, None));
        }
        None
    }

    /// The end of the ladder. The exit code is that of the last command, whatever else was tried.
    fn force_done(&mut self, report: ForceDoneReport, so_far: &Progress) -> Finish {
        let tried_nothing = report.escalation_path == [Level::ForceDone];
        let outcome = if tried_nothing { RunOutcome::Failed } else { RunOutcome::ForceDone };
        let code = so_far.last_code.unwrap_or(exit::FORCE_DONE);
        let now = self.world.now();
        self.records.run_ended(now);
        self.tell_trouble();
        self.finish(outcome, code, None, so_far, Some(report))
    }

    /// The clock of the ladder is stopped until the next run continues.
    fn interrupted(&mut self, signal: Signal, level: Option<Level>, so_far: &Progress) -> Finish {
        let at = self.world.now();
        let place = level.map_or("the first run".to_owned(), |level| format!("level {}", level.number()));
        let reason = format!("{} at {place}", signal.name());
        let state = self.records.state();
        self.moved(&Input::Pause { reason: reason.clone() }, &reason, at);
        self.finish(RunOutcome::Interrupted, signal.exit_code(), state.climb(), so_far, None)
    }

    fn finish(
        &mut self,
        outcome: RunOutcome,
        exit_code: u8,
        climb: Option<&Climb>,
        so_far: &Progress,
        report: Option<ForceDoneReport>,
    ) -> Finish {
        let level = climb.map(|climb| climb.level).or(report.as_ref().map(|_| Level::ForceDone));
        let attempt = climb.map(|climb| climb.attempt);
        let runs = so_far.runs;
        let is_given_up = matches!(outcome, RunOutcome::Failed | RunOutcome::ForceDone);
        if let Some(error) = so_far.last_error.filter(|_| is_given_up) {
            self.world.give_up(error);
        }
        self.listener.notice(&Notice::Finished {
            outcome,
            exit_code,
            runs,
            level,
            attempt,
            report: report.clone(),
            is_explained_within: so_far.is_explained_within,
        });
        Finish { exit_code, report }
    }

    fn event(&self, rung: Rung, command: &CommandLine, exit_code: u8, text: String) -> FailureEvent {
        let approach = match rung.level {
            Some(Level::Nudge | Level::Fallback) => Some(format!("{}: {command}", self.name_of(rung))),
            None | Some(Level::Retry | Level::Replan | Level::ForceDone) => self.plan.approach.clone(),
        };
        let names = self.surroundings.names.filter(|_| exit_code != 0);
        FailureEvent {
            tool: Some(command.tool()),
            exit_code: i64::from(exit_code),
            candidates: names.map(|names| names(&text)).unwrap_or_default(),
            stderr_tail: text,
            approach,
            action: Some(command.to_string()),
            step: Some(self.plan.step.clone().unwrap_or_else(|| one_line(&command.to_string(), 120))),
            zone: self.surroundings.zone.clone(),
            ..FailureEvent::default()
        }
    }

    fn name_of(&self, rung: Rung) -> String {
        let index = usize::try_from(rung.attempt).unwrap_or(usize::MAX).saturating_sub(1);
        match (rung.level, self.plan.fallback.get(index)) {
            (Some(Level::Fallback), Some(fallback)) => fallback.name.clone(),
            (Some(level), _) => format!("{} {}", level.action(), rung.attempt),
            (None, _) => "first run".to_owned(),
        }
    }

    /// The attempts from level 2 on.
    fn history(&mut self, rung: Rung) -> Option<String> {
        let level = rung.level.filter(|level| *level > Level::Retry)?;
        let state = self.records.state();
        let last = self.records.last_decided();
        let history = AttemptHistory {
            task: self.plan.task.clone(),
            command: self.plan.command.to_string(),
            approach: self.plan.approach.clone(),
            step: self.plan.step.clone(),
            level,
            attempt: rung.attempt,
            deadline: rung.deadline,
            known_bad: state.climb().map(|climb| climb.known_bad.clone()).unwrap_or_default(),
            attempts: failed_attempts(&state),
            last: last.and_then(LastFailure::of),
        };
        serde_json::to_string(&history).ok()
    }
}

fn job<'a>(
    plan: &Plan,
    rung: Rung,
    role: CommandRole,
    command: &'a CommandLine,
    deadline: Option<Timestamp>,
    history: Option<String>,
) -> Job<'a> {
    Job {
        command,
        deadline,
        env: vec![
            ("RECOVERY_TASK", plan.task.clone()),
            ("RECOVERY_LEVEL", rung.level.map_or(0, Level::number).to_string()),
            ("RECOVERY_ATTEMPT", rung.attempt.to_string()),
        ],
        history,
        reads_history: role == CommandRole::Replan,
    }
}

/// The exit code of an attempt, and the reason if it did not end by itself.
fn ended(end: &End, rung: Rung, timeout_ms: Option<u64>) -> (u8, Option<String>) {
    match end {
        End::Exited(code) => (*code, None),
        End::NotStarted { code, reason } => (*code, Some(reason.clone())),
        End::TimedOut => {
            let limit = match (timeout_ms, rung.level) {
                (Some(ms), _) => format!("its timeout of {}", span(ms)),
                (None, None) => "the time budget".to_owned(),
                (None, Some(level)) => format!("the time limit of level {} ({})", level.number(), level.action()),
            };
            (exit::TIMED_OUT, Some(format!("it ran past {limit} and was stopped")))
        }
        End::Interrupted(signal) => (signal.exit_code(), Some(signal.name().to_owned())),
        End::Unread(code) => (*code, None),
    }
}

fn passed_over(transitions: &[Transition]) -> Vec<Level> {
    let mut levels: Vec<Level> = transitions.iter().flat_map(|t| t.passed_over.iter().copied()).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

#[cfg(test)]
mod tests;
