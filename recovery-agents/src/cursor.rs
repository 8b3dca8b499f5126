//! Hooks of Cursor.
//!
//! In: a payload with `hook_event_name`. Out: a [`Report`], and an [`Answer`] with Cursor's own keys. The output of
//! a tool is a JSON document inside a JSON string, with `exitCode`. Two events report the same command:
//! `postToolUse` with the exit code, and `afterShellExecution` without it, for which the outcome stays unknown.
//!
//! `postToolUseFailure` accepts no answer: after such a failure the model can be answered only at `stop`. A new
//! event is an arm in `parse` and `render`, with its payload in `tests/golden.rs`.

use crate::json::{call, flag, owned, text};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use serde_json::{Value, json};

const SHELLS: [&str; 1] = ["Shell"];

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let event = text(payload, "hook_event_name")?;
    let moment = match event {
        "sessionStart" => Moment::SessionStart,
        "beforeSubmitPrompt" => Moment::Prompt,
        "sessionEnd" => Moment::SessionEnd,
        "preToolUse" => Moment::BeforeTool(one(payload)?),
        "beforeShellExecution" => Moment::BeforeTool(shell(payload)?),
        "postToolUse" => Moment::AfterTool(vec![(one(payload)?, outcome(payload))]),
        "postToolUseFailure" => Moment::AfterTool(vec![(one(payload)?, failed(payload))]),
        "afterShellExecution" => {
            let output = text(payload, "output").unwrap_or_default().to_owned();
            Moment::AfterTool(vec![(shell(payload)?, Outcome { text: output, ..Outcome::default() })])
        }
        "stop" => Moment::Stop { continued: payload.get("loop_count").and_then(Value::as_u64).unwrap_or(0) > 0 },
        _ => return None,
    };
    let session = owned(payload, "conversation_id").or_else(|| owned(payload, "session_id"));
    let root = payload.get("workspace_roots").and_then(|roots| roots.get(0)).and_then(Value::as_str);
    Some(Report {
        agent: Agent::Cursor,
        event: event.to_owned(),
        session: session.unwrap_or_default(),
        sub_agent: None,
        cwd: owned(payload, "cwd").or_else(|| root.map(str::to_owned)),
        transcript: None,
        moment,
    })
}

pub(crate) fn render(report: &Report, answer: &Answer) -> Option<Value> {
    match (answer, report.event.as_str()) {
        (Answer::Advice(text), "postToolUse") | (Answer::Hints(text), "sessionStart") => {
            Some(json!({"additional_context": text}))
        }
        (Answer::Deny(reason), "preToolUse" | "beforeShellExecution") => {
            Some(json!({"permission": "deny", "user_message": reason, "agent_message": reason}))
        }
        (Answer::Final(text), "stop") => Some(json!({"followup_message": text})),
        _ => None,
    }
}

fn one(payload: &Value) -> Option<Call> {
    let id = owned(payload, "tool_use_id");
    Some(call(text(payload, "tool_name")?, payload.get("tool_input"), id, &SHELLS))
}

fn shell(payload: &Value) -> Option<Call> {
    let action = owned(payload, "command")?;
    Some(Call { id: owned(payload, "tool_use_id"), tool: "Shell".to_owned(), action, is_shell: true, dir: None })
}

fn outcome(payload: &Value) -> Outcome {
    let output = text(payload, "tool_output").unwrap_or_default();
    let Ok(inner) = serde_json::from_str::<Value>(output) else {
        return Outcome { text: output.to_owned(), ..Outcome::default() };
    };
    let printed: Vec<&str> = ["stdout", "stderr", "output"].iter().filter_map(|key| text(&inner, key)).collect();
    let printed = if printed.is_empty() { output.to_owned() } else { printed.join("\n") };
    match inner.get("exitCode").and_then(Value::as_i64) {
        Some(code) => Outcome::exited(code, printed),
        None => Outcome { text: printed, ..Outcome::default() },
    }
}

fn failed(payload: &Value) -> Outcome {
    Outcome {
        timed_out: text(payload, "failure_type") == Some("timeout"),
        interrupted: flag(payload, "is_interrupt"),
        ..Outcome::failed(text(payload, "error_message").unwrap_or_default())
    }
}
