//! The normal form of what the agents report, and of what they are answered.
//!
//! Types only. The file of each agent turns a payload into a [`Report`] and an [`Answer`] into the agent's JSON, so
//! `recovery-service/src/hook/` is written once for all agents. A field is optional where at least one agent does
//! not report it: [`Outcome::ok`] is `None` where the payload does not state whether a call worked.
//!
//! A message by which a client reports that a person refused a call is added to `REFUSED_BY_PERSON`: such a call is
//! marked `interrupted`. A new kind of event is a variant of [`Moment`]; each agent's `parse` maps its own event
//! name to it.

use crate::Agent;
use recovery_types::ErrorType;

/// What an agent reported to its hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Whose hook it is.
    pub agent: Agent,
    /// The agent's own name for the event, to be given back in the answer.
    pub event: String,
    /// The session.
    pub session: String,
    /// The sub-agent within the session, where one is at work.
    pub sub_agent: Option<String>,
    /// Where the agent works.
    pub cwd: Option<String>,
    /// Where the agent keeps its transcript.
    pub transcript: Option<String>,
    /// What happened.
    pub moment: Moment,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A session begins.
    SessionStart,
    /// A person has sent a message, and may have done something before that.
    Prompt,
    /// A tool is about to run.
    BeforeTool(Call),
    /// A session ends.
    SessionEnd,
    /// Tools have run.
    AfterTool(Vec<(Call, Outcome)>),
    /// The agent wants to stop.
    Stop {
        /// Whether it continued only because a hook made it.
        continued: bool,
    },
    /// The model's service failed.
    ApiFailure {
        /// What went wrong, as the agent types it; none where only the text shows it.
        error_type: Option<ErrorType>,
        /// What the agent shows of it.
        text: String,
    },
}

/// A tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The agent's id for it.
    pub id: Option<String>,
    /// The tool.
    pub tool: String,
    /// The command line with its options as a comment, or the arguments as JSON.
    pub action: String,
    /// Whether `action` is a command line.
    pub is_shell: bool,
    /// The directory that it asks to run in; none for the session's own.
    pub dir: Option<String>,
}

/// What came of a tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it worked; none when the payload does not state it.
    pub ok: Option<bool>,
    /// The exit code, where it is known.
    pub exit_code: Option<i64>,
    /// Whether it ran out of time.
    pub timed_out: bool,
    /// Whether a person interrupted it.
    pub interrupted: bool,
    /// Whether it still runs in the background: it has neither worked nor failed yet.
    pub is_running: bool,
    /// How long it ran, where the agent reports it.
    pub duration_ms: Option<u64>,
    /// What it printed.
    pub text: String,
}

/// How the clients report that a person, or a rule of theirs, did not let a call run.
const REFUSED_BY_PERSON: [&str; 8] = [
    "The user doesn't want to ",
    "Claude requested permissions to ",
    "Permission to use ",
    "The user rejected ",
    "The user has specified a rule which prevents ",
    "Tool execution aborted",
    "Permission denied and could not request permission from user",
    "[Request interrupted by user",
];

impl Outcome {
    /// A call that did not run or did not end well, by the client's `text`: the tool's failure, or a person's refusal.
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        let text = text.into();
        let interrupted = REFUSED_BY_PERSON.iter().any(|start| text.trim_start().starts_with(start));
        Self { interrupted, ..Self::failed(text) }
    }

    /// A failure with this text.
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self { ok: Some(false), text: text.into(), ..Self::default() }
    }

    /// A command that ended with this code.
    pub(crate) fn exited(code: i64, text: impl Into<String>) -> Self {
        Self { ok: Some(code == 0), exit_code: Some(code), text: text.into(), ..Self::default() }
    }

    /// The exit code to classify it by: what is known, 124 for a timeout, 1 otherwise.
    #[must_use]
    pub fn code(&self) -> i64 {
        match self.exit_code {
            _ if self.timed_out => 124,
            Some(code) => code,
            None => i64::from(self.ok != Some(true)),
        }
    }
}

/// The answer to the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Facts for the model, next to a tool's output.
    Advice(String),
    /// The tool must not run, and why.
    Deny(String),
    /// Facts for the model at the start of a session.
    Hints(String),
    /// The report of what could not be finished, before the agent stops.
    Final(String),
    /// What the session came to, for the person.
    Summary(String),
}
