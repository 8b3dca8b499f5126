//! Hooks of OpenCode, which has in-process plugins and no hook commands.
//!
//! In: what the plugin `recovery-install/src/opencode.js` passes on: `{"hook", "input", "output"}` for a tool,
//! `{"hook":"event", "event"}` for an event of the bus. Out: a [`Report`], and an [`Answer`] as `append`, `deny` or
//! `hints`, which the plugin carries out by appending text or throwing. A failed command is a result with
//! `metadata.exit`; `null` there is a timeout or an abort. A tool that throws fires no hook, so its failure is taken
//! from the event `message.part.updated`.
//!
//! Another hook or event has to be added both here and in the plugin.

use crate::json::{owned, text, texts};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use serde_json::{Value, json};

const SHELLS: [&str; 1] = ["bash"];

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let hook = text(payload, "hook")?;
    let input = payload.get("input").unwrap_or(&Value::Null);
    let output = payload.get("output").unwrap_or(&Value::Null);
    let (session, moment) = match hook {
        "tool.execute.before" => (owned(input, "sessionID"), Moment::BeforeTool(one(input, output.get("args"))?)),
        "tool.execute.after" => {
            let call = one(input, input.get("args"))?;
            (owned(input, "sessionID"), Moment::AfterTool(vec![(call, outcome(output))]))
        }
        "chat.message" => (owned(input, "sessionID"), Moment::Prompt),
        "event" => event(payload.get("event")?)?,
        _ => return None,
    };
    Some(Report {
        agent: Agent::OpenCode,
        event: hook.to_owned(),
        session: session.unwrap_or_default(),
        sub_agent: None,
        cwd: owned(payload, "directory"),
        transcript: None,
        moment,
    })
}

pub(crate) fn render(report: &Report, answer: &Answer) -> Option<Value> {
    match (answer, report.event.as_str()) {
        (Answer::Advice(text), "tool.execute.after") => Some(json!({"append": text})),
        (Answer::Deny(reason), "tool.execute.before") => Some(json!({"deny": reason})),
        (Answer::Hints(text), "event") => Some(json!({"hints": text})),
        _ => None,
    }
}

fn one(input: &Value, args: Option<&Value>) -> Option<Call> {
    let id = owned(input, "callID");
    Some(crate::json::call(text(input, "tool")?, args, id, &SHELLS))
}

fn outcome(output: &Value) -> Outcome {
    let printed = output.get("output").or_else(|| output.get("content")).map(texts).unwrap_or_default();
    // Only what has no exit code can have run out of time.
    let timed_out = printed.contains("shell tool terminated command after exceeding timeout");
    let metadata = output.get("metadata").unwrap_or(&Value::Null);
    match metadata.get("exit") {
        Some(Value::Number(code)) => Outcome::exited(code.as_i64().unwrap_or(1), printed),
        Some(Value::Null) => Outcome { timed_out, ..Outcome::failed(printed) },
        _ if output.get("isError").and_then(Value::as_bool) == Some(true) => Outcome::failed(printed),
        _ => Outcome::exited(0, printed),
    }
}

fn event(event: &Value) -> Option<(Option<String>, Moment)> {
    let properties = event.get("properties")?;
    let session = owned(properties, "sessionID").or_else(|| owned(properties.get("info")?, "id"));
    let moment = match text(event, "type")? {
        "session.created" => Moment::SessionStart,
        "session.idle" => Moment::Stop { continued: false },
        "session.deleted" => Moment::SessionEnd,
        "session.error" => {
            let error = properties.get("error")?;
            let data = error.get("data").unwrap_or(&Value::Null);
            let shown: Vec<&str> = [text(error, "name"), text(data, "message"), text(data, "responseBody")]
                .into_iter()
                .flatten()
                .collect();
            Moment::ApiFailure { error_type: None, text: shown.join("\n") }
        }
        // A tool that threw fires no hook of its own.
        "message.part.updated" => {
            let part = properties.get("part")?;
            let state = part.get("state").filter(|state| text(state, "status") == Some("error"))?;
            let error = text(state, "error")?;
            let call = one(&json!({"callID": part.get("callID"), "tool": part.get("tool")}), state.get("input"))?;
            Moment::AfterTool(vec![(call, Outcome::refused(error))])
        }
        _ => return None,
    };
    Some((session, moment))
}
