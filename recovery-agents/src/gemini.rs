//! Hooks of Gemini CLI.
//!
//! In: a payload with `hook_event_name`. Out: a [`Report`], and an [`Answer`] as `hookSpecificOutput` or `decision`.
//! A failed command fires `AfterTool` like a successful one; only a line `Exit Code: N` after its output shows the
//! difference. A command can print such a line itself, so `split` separates the output from the client's own lines
//! first, by `returnDisplay` or by the fixed order of the labels. Calls have no id and get one derived from their
//! payload.
//!
//! A new event is an arm in `parse` and `render`, with its payload in `tests/golden.rs`; another label of the client
//! belongs in `FIELDS` in `split`.

use crate::json::{call, derived_id, flag, owned, text, texts};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use serde_json::{Value, json};

const SHELLS: [&str; 1] = ["run_shell_command"];

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let event = text(payload, "hook_event_name")?;
    let moment = match event {
        "SessionStart" => Moment::SessionStart,
        "BeforeAgent" => Moment::Prompt,
        "SessionEnd" => Moment::SessionEnd,
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
        (Answer::Summary(text), "SessionEnd") => Some(json!({"systemMessage": text})),
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
    let body = unwrapped(&printed);
    if body.starts_with("Command injection detected") {
        return Outcome::failed(body);
    }
    let timed_out = body.starts_with("Command was automatically cancelled because it exceeded the timeout");
    let (output, fields) = split(body, text(response, "returnDisplay").unwrap_or_default());
    let field = |label: &str| fields.lines().find_map(|line| line.strip_prefix(label)).map(str::trim);
    let code = field("Exit Code: ").and_then(|code| code.parse().ok());
    let signal = field("Signal: ").filter(|signal| !matches!(*signal, "(none)" | "0"));
    match code {
        Some(code) => Outcome { timed_out, ..Outcome::exited(code, output) },
        None if timed_out || signal.is_some() => Outcome { timed_out, ..Outcome::failed(output) },
        None => Outcome::exited(0, output),
    }
}

/// What the client puts around a result that it does not trust.
fn unwrapped(printed: &str) -> &str {
    let body = printed.trim().strip_prefix("<untrusted_context>").unwrap_or(printed.trim());
    body.strip_suffix("</untrusted_context>").unwrap_or(body).trim()
}

/// What the command printed, and the client's own lines after it. The client shows the person the output alone, so what
/// it shows marks where the output ends: an `Exit Code: 1` in there was printed by the command, not by the client.
fn split<'a>(body: &'a str, shown: &str) -> (&'a str, &'a str) {
    const FIELDS: [&str; 5] = ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];
    let Some(printed) = body.strip_prefix("Output: ") else { return (body, "") };
    if let Some(rest) = printed.strip_prefix("(empty)").filter(|rest| rest.starts_with('\n') || rest.is_empty()) {
        return ("", rest);
    }
    if let Some(fields) = printed.strip_prefix(shown.trim_end()).filter(|_| !shown.trim().is_empty()) {
        return (&printed[..printed.len() - fields.len()], fields);
    }
    // Shown in another form: the client's lines are the last ones, each label once and in this order.
    let (mut end, mut label) = (printed.len(), FIELDS.len());
    while let Some(line) = printed[..end].lines().next_back() {
        let Some(found) = FIELDS[..label].iter().rposition(|field| line.starts_with(field)) else { break };
        label = found;
        end = printed[..end].rfind(line).unwrap_or(0);
    }
    (printed[..end].trim_end(), &printed[end..])
}
