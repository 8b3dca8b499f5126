//! Gemini CLI. A failed command looks like a success with a line `Exit Code: N` in its text; calls have no id.

use crate::json::{call, derived_id, flag, owned, text, texts};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use serde_json::{Value, json};

const SHELLS: [&str; 1] = ["run_shell_command"];

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let event = text(payload, "hook_event_name")?;
    let moment = match event {
        "SessionStart" => Moment::SessionStart,
        "BeforeTool" => Moment::BeforeTool(one(payload)?),
        "AfterTool" => Moment::AfterTool(vec![(one(payload)?, outcome(payload))]),
        "AfterAgent" => Moment::Stop { continued: flag(payload, "stop_hook_active") },
        _ => return None,
    };
    Some(Report {
        agent: Agent::Gemini,
        event: event.to_owned(),
        session: owned(payload, "session_id").unwrap_or_default(),
        sub_agent: None,
        cwd: owned(payload, "cwd"),
        transcript: None,
        moment,
    })
}

pub(crate) fn render(report: &Report, answer: &Answer) -> Option<Value> {
    let event = report.event.as_str();
    match (answer, event) {
        (Answer::Advice(text), "AfterTool") | (Answer::Hints(text), "SessionStart") => {
            Some(json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
        }
        (Answer::Deny(reason), "BeforeTool") | (Answer::Final(reason), "AfterAgent") => {
            Some(json!({"decision": "deny", "reason": reason}))
        }
        _ => None,
    }
}

fn one(payload: &Value) -> Option<Call> {
    Some(call(text(payload, "tool_name")?, payload.get("tool_input"), Some(derived_id(payload)), &SHELLS))
}

fn outcome(payload: &Value) -> Outcome {
    let Some(response) = payload.get("tool_response") else { return Outcome::default() };
    let printed = response.get("llmContent").map(texts).unwrap_or_default();
    if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
        let message = text(error, "message").map_or_else(|| printed.clone(), str::to_owned);
        return Outcome::failed(message);
    }
    let timed_out = printed.contains("Command was automatically cancelled because it exceeded the timeout");
    let refused = printed.contains("Command injection detected");
    let code = ending(&printed, "Exit Code: ").and_then(|code| code.parse().ok());
    let signal = ending(&printed, "Signal: ").filter(|signal| !matches!(*signal, "(none)" | "0"));
    let bare = plain(&printed);
    match code {
        Some(code) => Outcome { timed_out, ..Outcome::exited(code, bare) },
        None if timed_out || refused || signal.is_some() => Outcome { timed_out, ..Outcome::failed(bare) },
        None => Outcome::exited(0, bare),
    }
}

/// The value of the last line with this label: what the command itself printed stands before it.
fn ending<'a>(printed: &'a str, label: &str) -> Option<&'a str> {
    printed.lines().rev().take(12).find_map(|line| line.strip_prefix(label)).map(str::trim)
}

/// The output without the wrapping that the client puts around it.
fn plain(printed: &str) -> String {
    let wrapping = |line: &&str| {
        let line = line.trim();
        !(line.starts_with("<untrusted_context>")
            || line.starts_with("</untrusted_context>")
            || line.starts_with("Process Group PGID:")
            || line.starts_with("Exit Code: "))
    };
    let lines: Vec<&str> = printed.lines().filter(wrapping).collect();
    let text = lines.join("\n");
    match text.strip_prefix("Output: ") {
        Some("(empty)") => String::new(),
        Some(output) => output.to_owned(),
        None => text,
    }
}
