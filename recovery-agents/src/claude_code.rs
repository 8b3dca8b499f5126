//! Hooks of Claude Code.
//!
//! In: a payload with `hook_event_name`. Out: a [`Report`], and an [`Answer`] as `hookSpecificOutput` or `decision`.
//! Three properties of the client shape this file. A failed command fires `PostToolUseFailure`, with `Exit code N`
//! as its first line. Calls that were refused before they ran appear only in `PostToolBatch`. A command that reached
//! its time limit and continues in the background fires `PostToolUse` with `timedOutAfterMs`, so it is reported as
//! running.
//!
//! A new event is an arm in `parse`; if it takes an answer, also one in `render`. `tests/golden.rs` holds one
//! payload per event. Which version of the client knows which event is in `recovery-install/src/setup.rs`.

use crate::json::{call, flag, owned, text, texts};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use recovery_types::ErrorType;
use serde_json::{Value, json};

const SHELLS: [&str; 2] = ["Bash", "PowerShell"];
/// How a call that was refused before it ran begins in `PostToolBatch`.
const REFUSED: &str = "<tool_use_error>";

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let event = text(payload, "hook_event_name")?;
    let moment = match event {
        "SessionStart" => Moment::SessionStart,
        "UserPromptSubmit" => Moment::Prompt,
        "SessionEnd" => Moment::SessionEnd,
        "PreToolUse" => Moment::BeforeTool(one(payload)?),
        "PostToolUse" => Moment::AfterTool(vec![(one(payload)?, worked(payload))]),
        "PostToolUseFailure" => Moment::AfterTool(vec![(one(payload)?, failed(payload))]),
        "PostToolBatch" => Moment::AfterTool(refused(payload)?),
        "Stop" => Moment::Stop { continued: flag(payload, "stop_hook_active") },
        // The agent that compacts a full context fails with the session's own failure: both are one failure.
        "StopFailure" if text(payload, "agent_id").is_some() => return None,
        "StopFailure" => api_failure(payload),
        _ => return None,
    };
    Some(Report {
        agent: Agent::ClaudeCode,
        event: event.to_owned(),
        session: owned(payload, "session_id").unwrap_or_default(),
        sub_agent: owned(payload, "agent_id"),
        cwd: owned(payload, "cwd"),
        transcript: None,
        moment,
    })
}

pub(crate) fn render(report: &Report, answer: &Answer) -> Option<Value> {
    let event = report.event.as_str();
    match (answer, event) {
        (Answer::Advice(text), "PostToolUse" | "PostToolUseFailure" | "PostToolBatch")
        | (Answer::Hints(text), "SessionStart") => {
            Some(json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
        }
        (Answer::Deny(reason), "PreToolUse") => Some(json!({"hookSpecificOutput": {
            "hookEventName": event, "permissionDecision": "deny", "permissionDecisionReason": reason}})),
        (Answer::Final(text), "Stop") => Some(json!({"decision": "block", "reason": text})),
        (Answer::Summary(text), "SessionEnd") => Some(json!({"systemMessage": text})),
        _ => None,
    }
}

fn one(payload: &Value) -> Option<Call> {
    let id = owned(payload, "tool_use_id");
    Some(call(text(payload, "tool_name")?, payload.get("tool_input"), id, &SHELLS))
}

/// `Exit code N`, then what was printed; other tools only report what went wrong.
fn failed(payload: &Value) -> Outcome {
    let error = text(payload, "error").unwrap_or_default();
    let (first, rest) = error.split_once('\n').unwrap_or((error, ""));
    let mut outcome = match first.strip_prefix("Exit code ").and_then(|code| code.trim().parse().ok()) {
        Some(code) => Outcome::exited(code, rest),
        None => Outcome::refused(error),
    };
    outcome.ok = Some(false);
    outcome.duration_ms = duration(payload);
    outcome.interrupted |= flag(payload, "is_interrupt");
    outcome.timed_out = rest.starts_with("Command timed out after ");
    outcome
}

fn duration(payload: &Value) -> Option<u64> {
    payload.get("duration_ms")?.as_u64()
}

/// A success, or a command that still runs in the background: on request, or because its time limit has passed.
fn worked(payload: &Value) -> Outcome {
    let Some(response) = payload.get("tool_response") else { return Outcome::exited(0, "") };
    let printed: Vec<&str> = ["stdout", "stderr"].iter().filter_map(|key| text(response, key)).collect();
    let printed = if printed.is_empty() { texts(response) } else { printed.join("\n") };
    let there = |key: &str| response.get(key).is_some_and(|value| !value.is_null());
    Outcome {
        is_running: there("backgroundTaskId") || there("timedOutAfterMs"),
        interrupted: flag(response, "interrupted"),
        duration_ms: duration(payload),
        ..Outcome::exited(0, printed)
    }
}

fn refused(payload: &Value) -> Option<Vec<(Call, Outcome)>> {
    let calls = payload.get("tool_calls")?.as_array()?;
    let refused: Vec<(Call, Outcome)> = calls
        .iter()
        .filter_map(|one_call| {
            let response = texts(one_call.get("tool_response")?);
            let error = response.strip_prefix(REFUSED)?;
            Some((one(one_call)?, Outcome::refused(error.trim_end_matches("</tool_use_error>"))))
        })
        .collect();
    (!refused.is_empty()).then_some(refused)
}

fn api_failure(payload: &Value) -> Moment {
    let message = text(payload, "last_assistant_message").unwrap_or_default();
    let details = text(payload, "error_details").unwrap_or_default();
    let text_shown = if details.is_empty() { message.to_owned() } else { format!("{message}\n{details}") };
    let too_long = text_shown.to_ascii_lowercase().contains("prompt is too long");
    let error_type = match text(payload, "error").unwrap_or_default() {
        _ if too_long => Some(ErrorType::ContextExhausted),
        "max_output_tokens" => Some(ErrorType::ContextExhausted),
        "overloaded" | "server_error" => Some(ErrorType::ServiceUnavailable),
        "authentication_failed" | "oauth_org_not_allowed" => Some(ErrorType::MissingCredentials),
        "billing_error" => Some(ErrorType::QuotaExhausted),
        "model_not_found" => Some(ErrorType::InvalidArgument),
        // A rate limit may be a plan's quota with a reset time: only the text shows which.
        _ => None,
    };
    Moment::ApiFailure { error_type, text: text_shown }
}
