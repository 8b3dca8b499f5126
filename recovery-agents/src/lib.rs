//! Hook payloads of coding agents in, hook answers out.
//!
//! Only this crate knows foreign hook JSON. [`parse`] turns a payload into one normal form, [`render`] an answer into
//! exactly the JSON that the agent accepts at that event: no key that it does not know. Both are total: a payload that
//! cannot be parsed gets no answer.
//!
//! | agent | file | how a failed command is seen |
//! |---|---|---|
//! | Claude Code | `claude_code.rs` | `PostToolUseFailure`, first line `Exit code N`; a timeout is a success with `timedOutAfterMs` |
//! | Codex | `codex.rs` | nowhere in the payload: in the transcript, by call id |
//! | Gemini | `gemini.rs` | a line `Exit Code: N` in the text; no call id at all |
//! | Cursor | `cursor.rs` | `exitCode` in a JSON string, or `postToolUseFailure` |
//! | Copilot | `copilot.rs` | the last line `<shellId: N completed with exit code M>` |
//! | OpenCode | `opencode.rs` | `metadata.exit`, through a small shim |

mod benign;
mod call;
mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod json;
mod opencode;
mod report;
mod sample;
mod shell;

pub use benign::is_benign;
pub use codex::begun_in;
pub use recovery_types::Timestamp;
pub use recovery_types::neutral::neutral;
pub use report::{Answer, Call, Moment, Outcome, Report};
pub use sample::{SAMPLE_OUTPUT, Sample, sample, text_for_model};

/// A coding agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Anthropic's Claude Code.
    ClaudeCode,
    /// OpenAI's Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
    /// GitHub Copilot CLI.
    Copilot,
    /// OpenCode.
    OpenCode,
}

impl Agent {
    /// Every agent.
    pub const ALL: [Self; 6] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::OpenCode];

    /// The name that the command line uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
            Self::OpenCode => "opencode",
        }
    }
}

impl std::fmt::Display for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no agent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAgent(String);

impl std::fmt::Display for UnknownAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = Agent::ALL.iter().map(|agent| agent.name()).collect();
        write!(f, "there is no agent {:?}; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownAgent {}

impl std::str::FromStr for Agent {
    type Err = UnknownAgent;

    fn from_str(name: &str) -> Result<Self, UnknownAgent> {
        Self::ALL.into_iter().find(|agent| agent.name() == name).ok_or_else(|| UnknownAgent(name.to_owned()))
    }
}

/// What the agent's payload reports; `None` when it is nothing that concerns us, or no payload at all.
///
/// ```
/// use recovery_agents::{Agent, Moment, parse};
/// let payload = br#"{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash",
///     "tool_input":{"command":"npm test"},"tool_use_id":"toolu_1","error":"Exit code 2\nboom"}"#;
/// let report = parse(Agent::ClaudeCode, payload).unwrap();
/// let Moment::AfterTool(calls) = &report.moment else { panic!() };
/// assert_eq!(calls[0].1.exit_code, Some(2));
/// assert_eq!(calls[0].1.text, "boom");
/// ```
#[must_use]
pub fn parse(agent: Agent, payload: &[u8]) -> Option<Report> {
    let payload = json::read(payload)?;
    match agent {
        Agent::ClaudeCode => claude_code::parse(&payload),
        Agent::Codex => codex::parse(&payload),
        Agent::Gemini => gemini::parse(&payload),
        Agent::Cursor => cursor::parse(&payload),
        Agent::Copilot => copilot::parse(&payload),
        Agent::OpenCode => opencode::parse(&payload),
    }
}

/// The agent's own JSON for an answer at this report's event; `None` where the agent takes no such answer there.
#[must_use]
pub fn render(report: &Report, answer: &Answer) -> Option<serde_json::Value> {
    match report.agent {
        Agent::ClaudeCode => claude_code::render(report, answer),
        Agent::Codex => codex::render(report, answer),
        Agent::Gemini => gemini::render(report, answer),
        Agent::Cursor => cursor::render(report, answer),
        Agent::Copilot => copilot::render(report, answer),
        Agent::OpenCode => opencode::render(report, answer),
    }
}
