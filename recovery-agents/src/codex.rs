//! Hooks of Codex CLI, and the transcript that completes them.
//!
//! In: a payload with `hook_event_name`. Out: a [`Report`], and an [`Answer`] as `hookSpecificOutput` or `decision`.
//! The payload never contains the exit code of a command, so `parse` leaves the outcome unknown and
//! [`Report::read_transcript`] takes it from the `item_completed` line with the same call id. [`begun_in`] lists
//! commands that are still running, which no payload reports.
//!
//! Codex silently drops an answer with an unknown key, and blocking after a tool would replace the tool's output:
//! advice is `additionalContext` only. A new event is an arm in `parse` and `render`, with its payload in
//! `tests/golden.rs`.

use crate::json::{call, flag, owned, text, texts};
use crate::{Agent, Answer, Call, Moment, Outcome, Report};
use recovery_types::Timestamp;
use serde_json::{Value, json};

const SHELLS: [&str; 1] = ["Bash"];

pub(crate) fn parse(payload: &Value) -> Option<Report> {
    let event = text(payload, "hook_event_name")?;
    let moment = match event {
        "SessionStart" => Moment::SessionStart,
        "UserPromptSubmit" => Moment::Prompt,
        "SessionEnd" => Moment::SessionEnd,
        "PreToolUse" => Moment::BeforeTool(one(payload)?),
        "PostToolUse" => {
            let call = one(payload)?;
            let outcome = outcome(&call, payload.get("tool_response").unwrap_or(&Value::Null));
            Moment::AfterTool(vec![(call, outcome)])
        }
        "Stop" => Moment::Stop { continued: flag(payload, "stop_hook_active") },
        _ => return None,
    };
    Some(Report {
        agent: Agent::Codex,
        event: event.to_owned(),
        session: owned(payload, "session_id").unwrap_or_default(),
        sub_agent: owned(payload, "agent_id"),
        cwd: owned(payload, "cwd"),
        transcript: owned(payload, "transcript_path"),
        moment,
    })
}

pub(crate) fn render(report: &Report, answer: &Answer) -> Option<Value> {
    let event = report.event.as_str();
    match (answer, event) {
        (Answer::Advice(text), "PostToolUse") | (Answer::Hints(text), "SessionStart") => {
            Some(json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}))
        }
        (Answer::Deny(reason), "PreToolUse") => Some(json!({"hookSpecificOutput": {
            "hookEventName": event, "permissionDecision": "deny", "permissionDecisionReason": reason}})),
        (Answer::Final(text), "Stop") => Some(json!({"decision": "block", "reason": text})),
        _ => None,
    }
}

fn one(payload: &Value) -> Option<Call> {
    let id = owned(payload, "tool_use_id");
    Some(call(text(payload, "tool_name")?, payload.get("tool_input"), id, &SHELLS))
}

/// A command's exit code is not in the payload. Every other tool fires this event only when it worked, whatever its
/// text contains; edits repeat that in their first line.
fn outcome(call: &Call, response: &Value) -> Outcome {
    let printed = texts(response);
    if call.is_shell {
        return Outcome { text: printed, ..Outcome::default() };
    }
    let after_label = printed.strip_prefix("Exit code: ").filter(|_| call.tool == "apply_patch");
    let code = after_label.and_then(|rest| rest.lines().next()?.trim().parse().ok());
    match code {
        Some(code) => Outcome::exited(code, printed),
        None if flag(response, "isError") => Outcome::failed(printed),
        None => Outcome::exited(0, printed),
    }
}

impl Report {
    /// Whether the transcript may contain what the payload does not.
    #[must_use]
    pub fn needed_transcript(&self) -> Option<&str> {
        let unknown = matches!(&self.moment, Moment::AfterTool(calls) if calls.iter().any(|(_, o)| o.ok.is_none()));
        self.transcript.as_deref().filter(|_| unknown)
    }

    /// Takes exit codes from the end of the agent's transcript, one JSON object per line.
    pub fn read_transcript(&mut self, transcript: &str) {
        let Moment::AfterTool(calls) = &mut self.moment else { return };
        for (call, outcome) in calls.iter_mut().filter(|(_, outcome)| outcome.ok.is_none()) {
            let Some(id) = call.id.as_deref() else { continue };
            let found = transcript.lines().rev().filter(|line| line.contains(id)).find_map(|line| completed(line, id));
            if let Some((code, text)) = found {
                let text = if text.is_empty() { std::mem::take(&mut outcome.text) } else { text };
                *outcome = Outcome::exited(code, text);
            }
        }
    }
}

/// What Codex prints in place of an exit code for a command that is still running.
const STILL_RUNNING: &str = "Process running with session ID";

/// Commands of a transcript that have begun and not ended, each with its start time. No payload reports them.
#[must_use]
pub fn begun_in(transcript: &str) -> Vec<(Call, Timestamp)> {
    let left_running = transcript.lines().filter(|line| line.contains(STILL_RUNNING)).filter_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let payload = line.get("payload").filter(|payload| text(payload, "type") == Some("function_call_output"))?;
        let id = owned(payload, "call_id")?;
        // The output of a program may contain the words, too: they belong to the lines before it.
        let header = text(payload, "output")?.split("\nOutput:\n").next()?;
        let at = text(&line, "timestamp")?.parse().ok().filter(|_| header.contains(STILL_RUNNING))?;
        Some((id, at))
    });
    let has_ended = |id: &str| transcript.lines().any(|line| line.contains(id) && completed(line, id).is_some());
    let begun = left_running.filter(|(id, _)| !has_ended(id)).map(|(id, at)| {
        let command = transcript.lines().filter(|line| line.contains(&id)).find_map(|line| command_of(line, &id));
        let input = json!({"command": command.unwrap_or_default()});
        (call("Bash", Some(&input), Some(id), &SHELLS), at)
    });
    begun.collect()
}

/// The command line of the call with this id, where the line is its beginning.
fn command_of(line: &str, id: &str) -> Option<String> {
    let line: Value = serde_json::from_str(line).ok()?;
    let payload = line.get("payload").filter(|payload| text(payload, "type") == Some("function_call"))?;
    let arguments: Value = serde_json::from_str(text(payload, "arguments")?).ok()?;
    owned(&arguments, "cmd").filter(|_| text(payload, "call_id") == Some(id))
}

/// The exit code and output of the command execution with this id, where the line is its completion.
fn completed(line: &str, id: &str) -> Option<(i64, String)> {
    let line: Value = serde_json::from_str(line).ok()?;
    let payload = line.get("payload")?;
    let item = payload.get("item").filter(|_| text(payload, "type") == Some("item_completed"))?;
    if text(item, "id") != Some(id) {
        return None;
    }
    let code = item.get("exit_code")?.as_i64()?;
    Some((code, owned(item, "aggregated_output").unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_goes_on_until_the_transcript_has_its_end() {
        let call = |id: &str, command: &str| {
            json!({"timestamp": "2026-11-16T02:04:48.1Z", "type": "response_item", "payload": {"type": "function_call",
                "name": "exec_command", "call_id": id, "arguments": json!({"cmd": command}).to_string()}})
        };
        let output = |id: &str, text: &str| {
            json!({"timestamp": "2026-11-16T02:04:48.777Z", "type": "response_item",
                "payload": {"type": "function_call_output", "call_id": id, "output": text}})
        };
        let running = "Chunk ID: 4d\nProcess running with session ID 31163\nOutput:\nstarted\n";
        let ended = json!({"type": "event_msg", "payload": {"type": "item_completed",
            "item": {"type": "CommandExecution", "id": "call_2", "exit_code": 0, "aggregated_output": ""}}});
        let lines = [
            call("call_1", "npm run dev"),
            output("call_1", running),
            call("call_2", "make"),
            output("call_2", running),
            ended,
            call("call_3", "cat log"),
            output("call_3", "Process exited with code 0\nOutput:\nProcess running with session ID 1"),
        ];
        let transcript: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let begun = begun_in(&transcript);
        assert_eq!(begun.len(), 1, "{begun:?}");
        let (call, at) = &begun[0];
        assert_eq!((call.id.as_deref(), call.action.as_str()), (Some("call_1"), "npm run dev"));
        assert_eq!(at.ms(), 1_794_794_688_777);
    }
}
