//! Failures played through the ladder in virtual time. Records nothing.
//!
//! In: one [`ScriptLine`] of JSON per input, with virtual times. Out: the ladder's transitions, each as a
//! [`ScriptTransition`], whose times are virtual milliseconds too. `recovery simulate` prints them.

use crate::Accept;
use escalation::{Input, Ladder, LadderFailure, Policy};
use recovery_redact::redact;
use recovery_types::ladder::{Target, WaitReason};
use recovery_types::{
    Cause, Climb, Command, ErrorType, ForceDoneReport, Judge, Level, TaskUpdate, Timestamp, Transition, Verdict,
};
use serde::{Deserialize, Serialize};

const EXAMPLE: &str = r#"{"at_ms":0,"event":"failure","error_type":"network_timeout"}"#;

/// A script as far as it was played.
///
/// ```
/// use recovery_service::script::{Script, ScriptTransition};
/// let mut script = Script::new(escalation::Policy::default(), "fetch");
/// script.play(r#"{"at_ms":0,"event":"failure","error_type":"network_timeout"}"#).unwrap();
/// let transition = script.ladder.poll_transition().unwrap();
/// let row = serde_json::to_value(ScriptTransition::of(&transition)).unwrap();
/// assert_eq!(row["command"]["kind"], "retry");
/// ```
pub struct Script {
    /// The ladder; its transitions are polled after each line.
    pub ladder: Ladder,
    accept: Accept<ScriptLine>,
    last_ms: u64,
    started: bool,
}

/// One line of a script.
#[derive(Deserialize, schemars::JsonSchema)]
pub struct ScriptLine {
    /// The ladder's numbers, on the first line and alone.
    policy: Option<Policy>,
    /// When, in virtual milliseconds; the time of the line before where not given.
    at_ms: Option<u64>,
    /// What happened.
    event: Option<ScriptEvent>,
    /// What went wrong (failure).
    error_type: Option<ErrorType>,
    /// Whether repeating the identical action is safe (failure); taken as safe where not given.
    idempotent: Option<bool>,
    /// How long the server asked to wait (failure).
    retry_after_ms: Option<u64>,
    /// When the quota is renewed (failure).
    resets_at_ms: Option<u64>,
    /// The step that failed (failure).
    step: Option<String>,
    /// Steps of the task that are done (failure).
    completed_steps: Option<Vec<String>>,
    /// The error in the tool's words (failure).
    message: Option<String>,
    /// What was being tried (failure).
    approach: Option<String>,
    /// A level that replaces that of the error matrix (failure).
    entry_level: Option<Level>,
    /// How much shows that the work is done (judge).
    evidence_of_completion: Option<u32>,
    /// How well the work fits the goal (judge).
    goal_alignment: Option<u32>,
    /// PASS or FAIL, whatever the scores are (judge).
    verdict: Option<Verdict>,
    /// How many similar actions followed one another (loop).
    similar: Option<u32>,
    /// Why (pause, reset).
    reason: Option<String>,
}

/// What happened.
#[derive(Clone, Copy, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ScriptEvent {
    Failure,
    Success,
    Tick,
    Judge,
    Loop,
    Pause,
    Reset,
}

/// What is wrong with a line that is JSON, and in which field.
struct Refused {
    field: &'static str,
    what: String,
}

impl Script {
    /// At the beginning, for a task of this name.
    #[must_use]
    pub fn new(policy: Policy, task: &str) -> Self {
        Self { ladder: Ladder::new(policy, task), accept: Accept::default(), last_ms: 0, started: false }
    }

    /// The virtual time of the last input.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        moment(self.last_ms)
    }

    /// Plays one line of any accepted spelling; returns a warning for each part that nothing reads.
    ///
    /// # Errors
    ///
    /// What is wrong with the line, and at which column.
    pub fn play(&mut self, text: &str) -> Result<Vec<String>, String> {
        if !text.trim_start().starts_with('{') {
            return Err(format!("column 1: expected an object like {EXAMPLE}"));
        }
        let (line, warnings) = crate::json::accepted(&self.accept, text).map_err(|problem| problem.within_line())?;
        self.step(line).map_err(|Refused { field, what }| {
            let column = text.find(&format!("\"{field}\"")).map_or(1, |start| text[..start].chars().count() + 1);
            format!("column {column}: field `{field}` {what}")
        })?;
        Ok(warnings)
    }

    fn step(&mut self, line: ScriptLine) -> Result<(), Refused> {
        let first = !std::mem::replace(&mut self.started, true);
        if let Some(policy) = line.policy {
            let refused = |what| Refused { field: "policy", what };
            if !first || line.event.is_some() {
                return Err(refused("belongs on the first line, alone".to_owned()));
            }
            policy.validate().map_err(|error| refused(format!("is refused: {error}")))?;
            self.ladder = Ladder::new(policy, self.ladder.task_id());
            return Ok(());
        }
        let now = line.at_ms.unwrap_or(self.last_ms);
        if now < self.last_ms {
            let what = format!("goes back: {now} is before {}, the time of the line before", self.last_ms);
            return Err(Refused { field: "at_ms", what });
        }
        self.last_ms = now;
        self.ladder.handle(line.input()?, moment(now));
        Ok(())
    }
}

/// Plays a script of any text and checks what holds for every ladder; for the fuzzer.
///
/// # Panics
/// Where time goes back, a level is left downwards, a force-done has an empty report, or a ladder that was restored from
/// its last transition differs.
#[doc(hidden)]
pub fn assert_playable(text: &str) {
    let mut script = Script::new(Policy::default(), "task");
    let mut last: Option<Transition> = None;
    for line in text.lines().take(200) {
        let _ = script.play(line);
        while let Some(moved) = script.ladder.poll_transition() {
            assert!(last.as_ref().is_none_or(|last| moved.at >= last.at), "time goes back: {moved:?}");
            assert!(moved.to.is_none() || moved.to >= moved.from, "a level is left downwards: {moved:?}");
            if let Some(Command::ForceDone { report }) = moved.command() {
                let texts = [&report.failed_at, &report.failure_reason, &report.recommendation];
                let is_whole = texts.iter().all(|text| !text.trim().is_empty()) && !report.completed_steps.is_empty();
                assert!(is_whole && !report.escalation_path.is_empty(), "an empty report: {report:?}");
            }
            assert!(serde_json::to_value(ScriptTransition::of(&moved)).is_ok(), "no JSON: {moved:?}");
            last = Some(moved);
        }
        let restored = Ladder::restore(script.ladder.policy().clone(), "task", last.as_ref());
        assert_eq!(restored.state(), script.ladder.state(), "after {line}");
    }
}

impl ScriptLine {
    fn input(self) -> Result<Input, Refused> {
        let missing = |field, expected: &str| Refused { field, what: format!("is missing: expected {expected}") };
        let event =
            self.event.ok_or_else(|| missing("event", "one of failure, success, tick, judge, loop, pause, reset"))?;
        let reason = self.reason.unwrap_or_else(|| "no reason given".to_owned());
        Ok(match event {
            ScriptEvent::Failure => Input::Failure(LadderFailure {
                idempotent: self.idempotent.unwrap_or(true),
                retry_after_ms: self.retry_after_ms,
                resets_at: self.resets_at_ms.map(moment),
                step: self.step.map(|step| redact(&step).into_owned()),
                completed_steps: self.completed_steps.unwrap_or_default(),
                message: self.message.map(|message| redact(&message).into_owned()),
                approach: self.approach,
                entry_level: self.entry_level,
                ..LadderFailure::new(
                    self.error_type.ok_or_else(|| missing("error_type", "a name like network_timeout"))?,
                )
            }),
            ScriptEvent::Success => Input::Success,
            ScriptEvent::Tick => Input::Tick,
            ScriptEvent::Judge => Input::Judge(Judge {
                evidence_of_completion: self.evidence_of_completion,
                goal_alignment: self.goal_alignment,
                verdict: self.verdict,
            }),
            ScriptEvent::Loop => Input::Loop { similar: self.similar.ok_or_else(|| missing("similar", "a number"))? },
            ScriptEvent::Pause => Input::Pause { reason },
            ScriptEvent::Reset => Input::Reset { reason },
        })
    }
}

fn moment(ms: u64) -> Timestamp {
    Timestamp::from_ms(i64::try_from(ms).unwrap_or(i64::MAX))
}

/// A transition as JSON has it: times are virtual milliseconds.
#[derive(Serialize, schemars::JsonSchema)]
pub struct ScriptTransition<'a> {
    /// When it took effect.
    at_ms: i64,
    /// The level before; null when the ladder was idle.
    from: Option<Level>,
    /// The level after; null when the ladder is idle again.
    to: Option<Level>,
    /// What brought it about.
    cause: Cause,
    /// What to do now; null at an end and while paused.
    command: Option<ScriptCommand<'a>>,
    /// The task record, for each entry into a level and each end.
    update: Option<&'a TaskUpdate>,
}

impl<'a> ScriptTransition<'a> {
    /// Of a transition.
    #[must_use]
    pub fn of(transition: &'a Transition) -> Self {
        let deadline_ms = transition.climb.as_ref().and_then(Climb::deadline).map(Timestamp::ms);
        let command = transition.command().map(|command| ScriptCommand::of(command, deadline_ms));
        let Transition { at, from, to, cause, update, .. } = transition;
        Self { at_ms: at.ms(), from: *from, to: *to, cause: *cause, command, update: update.as_ref() }
    }
}

/// A command as JSON has it: times are virtual milliseconds, and each says when the level ends.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ScriptCommand<'a> {
    Retry { attempt: u32, not_before_ms: i64, deadline_ms: Option<i64> },
    Nudge { variant: u32, of: u32, deadline_ms: Option<i64> },
    Replan { known_bad: &'a [String], deadline_ms: Option<i64> },
    Fallback { target: &'a Target, deadline_ms: Option<i64> },
    WaitUntil { until_ms: i64, reason: WaitReason, then: Box<ScriptCommand<'a>> },
    ForceDone { report: &'a ForceDoneReport },
}

impl<'a> ScriptCommand<'a> {
    fn of(command: &'a Command, deadline_ms: Option<i64>) -> Self {
        match command {
            Command::Retry { attempt, not_before } => {
                Self::Retry { attempt: *attempt, not_before_ms: not_before.ms(), deadline_ms }
            }
            Command::Nudge { variant, of } => Self::Nudge { variant: *variant, of: *of, deadline_ms },
            Command::Replan { known_bad } => Self::Replan { known_bad, deadline_ms },
            Command::Fallback { target } => Self::Fallback { target, deadline_ms },
            Command::WaitUntil { until, reason, then } => {
                let then = Box::new(Self::of(then, deadline_ms));
                Self::WaitUntil { until_ms: until.ms(), reason: *reason, then }
            }
            Command::ForceDone { report } => Self::ForceDone { report },
        }
    }
}
