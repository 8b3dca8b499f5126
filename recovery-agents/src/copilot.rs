//! Hooks of GitHub Copilot CLI, with its PascalCase event names.
//!
//! In: a payload with `hook_event_name`. Out: a [`Report`], and an [`Answer`] as top-level keys. A command that
//! exits non-zero fires `PostToolUse` with `result_type` success; its exit code is in the last line of the text,
//! `<shellId: N completed with exit code M>`. `PostToolUseFailure` is for tools that failed themselves,
//! `ErrorOccurred` for the model's service. Calls without an id get one derived from their payload.
//!
//! Copilot takes a hook that fails before a tool as a denial, so `recovery-install` appends `|| true` to the
//! command. A new event is an arm in `parse` and `render`, with its payload in `tests/golden.rs`.

use crate::json::{call, derived_id, flag, owned, text};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use serde_json::{Value, json};

const SHELLS: [&str; 3] = ["Bash", "bash", "PowerShell"];

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let event = text(payload, "hook_event_name")?;
    let moment = match event {
        "SessionStart" => Moment::SessionStart,
        "UserPromptSubmit" => Moment::Prompt,
        "SessionEnd" => Moment::SessionEnd,
        "PreToolUse" => Moment::BeforeTool(one(payload)?),
        "PostToolUse" => {
            let call = one(payload)?;
            let outcome = outcome(payload, call.is_shell);
            Moment::AfterTool(vec![(call, outcome)])
        }
        "PostToolUseFailure" => {
            let error = payload.get("error").map(crate::json::texts).unwrap_or_default();
            let call = one(payload)?;
            // The client's whole message; by itself it could be about anything.
            let error = if call.tool == "Edit" && error.trim() == "No match found" {
                "old_str: String to replace not found in file".to_owned()
            } else {
                error
            };
            Moment::AfterTool(vec![(call, Outcome::refused(error))])
        }
        "Stop" => Moment::Stop { continued: flag(payload, "stop_hook_active") },
        "ErrorOccurred" => api_failure(payload)?,
        _ => return None,
    };
    Some(Report {
        agent: Agent::Copilot,
        event: event.to_owned(),
        session: owned(payload, "session_id").unwrap_or_default(),
        sub_agent: None,
        cwd: owned(payload, "cwd"),
        transcript: None,
        moment,
    })
}

pub(crate) fn render(report: &Report, answer: &Answer) -> Option<Value> {
    match (answer, report.event.as_str()) {
        (Answer::Advice(text), "PostToolUse" | "PostToolUseFailure") | (Answer::Hints(text), "SessionStart") => {
            Some(json!({"additionalContext": text}))
        }
        (Answer::Deny(reason), "PreToolUse") => {
            Some(json!({"permissionDecision": "deny", "permissionDecisionReason": reason}))
        }
        (Answer::Final(text), "Stop") => Some(json!({"decision": "block", "reason": text})),
        _ => None,
    }
}

fn one(payload: &Value) -> Option<Call> {
    let id = owned(payload, "tool_use_id").unwrap_or_else(|| derived_id(payload));
    Some(call(text(payload, "tool_name")?, payload.get("tool_input"), Some(id), &SHELLS))
}

fn outcome(payload: &Value, is_shell: bool) -> Outcome {
    let Some(result) = payload.get("tool_result") else { return Outcome::default() };
    let printed = text(result, "text_result_for_llm").unwrap_or_default();
    let ending = printed.trim_end().rsplit('\n').next().unwrap_or_default();
    let code = ending
        .strip_prefix("<shellId: ")
        .and_then(|rest| rest.split_once(" completed with exit code "))
        .and_then(|(_, code)| code.strip_suffix('>')?.parse().ok());
    match (code, text(result, "result_type")) {
        // Reading on in a background command that has no more output: its end was reported with the command.
        (Some(_), Some("success")) if printed.trim() == ending && !is_shell => {
            Outcome { is_running: true, ..Outcome::exited(0, "") }
        }
        (Some(code), _) => Outcome::exited(code, printed.trim_end().strip_suffix(ending).unwrap_or(printed)),
        (None, Some("success")) => Outcome::exited(0, printed),
        (None, _) => Outcome::failed(printed),
    }
}

/// The service's own failures; a failed tool has its own event.
fn api_failure(payload: &Value) -> Option<Moment> {
    let context = text(payload, "error_context").or_else(|| text(payload, "errorContext"));
    if context.is_some_and(|context| context != "model_call") {
        return None;
    }
    let error = payload.get("error")?;
    let message = text(error, "message").or_else(|| error.as_str()).unwrap_or_default().to_owned();
    Some(Moment::ApiFailure { error_type: None, text: message })
}
