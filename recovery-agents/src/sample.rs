//! A failed command as each agent reports it, for trying out an installed hook.
//!
//! In: an [`Agent`] and the paths of a scratch project. Out: the payload, the event it belongs to and, for Codex,
//! the transcript line with the exit code. `recovery doctor` passes it to the installed command through
//! `recovery-install/src/trial.rs` and shows what [`text_for_model`] finds in the answer. The failure is a
//! connection reset of npm, which the built-in packs recognise, so that a working hook always has something to
//! answer.
//!
//! The doc test of [`sample`] checks that every agent's parser reads it as exit code 1. A new agent needs an arm
//! here.

use crate::Agent;
use serde_json::{Value, json};

/// What the sample's command prints.
pub const SAMPLE_OUTPUT: &str = "npm error code ECONNRESET\nnpm error network read ECONNRESET\n";
const COMMAND: &str = "npm ci";
const CALL: &str = "call_recovery_doctor";
const SESSION: &str = "recovery-doctor";

/// A failure that an agent reports.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The event at which the agent reports it.
    pub event: &'static str,
    /// What the hook reads.
    pub payload: Value,
    /// What the agent's transcript contains at that time, where the hook looks for the exit code there.
    pub transcript: Option<String>,
}

/// A failed command in `cwd`, reported by `agent`; where the exit code is in the transcript, that is at `transcript`.
///
/// ```
/// use recovery_agents::{Agent, Moment, parse, sample};
/// for agent in Agent::ALL {
///     let sample = sample(agent, "/project", "/transcript");
///     let mut report = parse(agent, sample.payload.to_string().as_bytes()).unwrap();
///     report.read_transcript(&sample.transcript.unwrap_or_default());
///     let Moment::AfterTool(calls) = &report.moment else { panic!("{agent}") };
///     assert_eq!(calls[0].1.exit_code, Some(1), "{agent}");
/// }
/// ```
#[must_use]
pub fn sample(agent: Agent, cwd: &str, transcript: &str) -> Sample {
    let input = json!({"command": COMMAND});
    let (event, payload) = match agent {
        Agent::ClaudeCode => (
            "PostToolUseFailure",
            json!({"hook_event_name": "PostToolUseFailure", "session_id": SESSION, "transcript_path": transcript,
                "cwd": cwd, "permission_mode": "default", "tool_name": "Bash", "tool_input": input,
                "tool_use_id": CALL, "error": format!("Exit code 1\n{SAMPLE_OUTPUT}"), "is_interrupt": false}),
        ),
        Agent::Codex => (
            "PostToolUse",
            json!({"hook_event_name": "PostToolUse", "session_id": SESSION, "turn_id": "1", "model": "sample",
                "transcript_path": transcript, "cwd": cwd, "permission_mode": "default", "tool_name": "Bash",
                "tool_input": input, "tool_response": SAMPLE_OUTPUT, "tool_use_id": CALL}),
        ),
        Agent::Gemini => (
            "AfterTool",
            json!({"hook_event_name": "AfterTool", "session_id": SESSION, "transcript_path": transcript, "cwd": cwd,
                "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": "run_shell_command", "tool_input": input,
                "tool_response": {"llmContent": format!("<untrusted_context>\nOutput: {SAMPLE_OUTPUT}Exit Code: 1\n\
                    Process Group PGID: 1\n</untrusted_context>"), "returnDisplay": SAMPLE_OUTPUT}}),
        ),
        Agent::Cursor => (
            "postToolUse",
            json!({"hook_event_name": "postToolUse", "conversation_id": SESSION, "generation_id": "1",
                "workspace_roots": [cwd], "cwd": cwd, "tool_name": "Shell", "tool_input": input, "tool_use_id": CALL,
                "tool_output": json!({"exitCode": 1, "stdout": SAMPLE_OUTPUT}).to_string(), "duration": 1}),
        ),
        Agent::Copilot => (
            "PostToolUse",
            json!({"hook_event_name": "PostToolUse", "session_id": SESSION, "timestamp": "2026-01-01T00:00:00.000Z",
                "cwd": cwd, "tool_name": "Bash", "tool_input": input,
                "tool_result": {"result_type": "success", "text_result_for_llm":
                    format!("{SAMPLE_OUTPUT}<shellId: 0 completed with exit code 1>")}}),
        ),
        Agent::OpenCode => (
            "tool.execute.after",
            json!({"hook": "tool.execute.after", "directory": cwd,
                "input": {"tool": "bash", "sessionID": SESSION, "callID": CALL, "args": input},
                "output": {"title": COMMAND, "output": SAMPLE_OUTPUT, "metadata": {"exit": 1}}}),
        ),
    };
    let completed = json!({"type": "event_msg", "payload": {"type": "item_completed", "item": {
        "type": "CommandExecution", "id": CALL, "exit_code": 1, "status": "failed",
        "aggregated_output": SAMPLE_OUTPUT}}});
    Sample { event, payload, transcript: (agent == Agent::Codex).then(|| format!("{completed}\n")) }
}

/// The text in a hook's answer that the model would read.
#[must_use]
pub fn text_for_model(answer: &Value) -> Option<&str> {
    let inner = answer.get("hookSpecificOutput").unwrap_or(answer);
    ["additionalContext", "additional_context", "append"].into_iter().find_map(|key| inner.get(key)?.as_str())
}
