//! One payload for each agent and event, in the shape the real clients send, with what it is read as and what each
//! answer to it looks like in the agent's own JSON.

use proptest::prelude::*;
use recovery_agents::{Agent, Answer, Moment, parse, render};
use serde_json::json;
use std::fmt::Write as _;

/// Agent, what the payload shows, the payload.
const PAYLOADS: &[(Agent, &str, &str)] = &[
    (
        Agent::ClaudeCode,
        "session start",
        r#"{"session_id":"s-1","transcript_path":"/home/me/.claude/t.jsonl","cwd":"/proj","hook_event_name":"SessionStart","source":"startup"}"#,
    ),
    (
        Agent::ClaudeCode,
        "before a command",
        r#"{"session_id":"s-1","cwd":"/proj","prompt_id":"p","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make check","description":"d"},"tool_use_id":"toolu_7"}"#,
    ),
    (
        Agent::ClaudeCode,
        "a failed command",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"make check","description":"d"},"tool_use_id":"toolu_7","error":"Exit code 2\nmake: *** No rule to make target 'check'.  Stop.","is_interrupt":false,"duration_ms":31}"#,
    ),
    (
        Agent::ClaudeCode,
        "a command that was killed for its time",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"sleep 9"},"tool_use_id":"toolu_8","error":"Exit code 143\nCommand timed out after 1s\nhalf a line","is_interrupt":false}"#,
    ),
    (
        Agent::ClaudeCode,
        "a command moved to the background when its time was up",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"sleep 9","timeout":900},"tool_response":{"stdout":"begun","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false,"backgroundTaskId":"b1","timedOutAfterMs":900},"tool_use_id":"toolu_9","duration_ms":905}"#,
    ),
    (
        Agent::ClaudeCode,
        "a success",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"a.txt","stderr":"","interrupted":false,"isImage":false},"tool_use_id":"toolu_10"}"#,
    ),
    (
        Agent::ClaudeCode,
        "a file that is not there",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"PostToolUseFailure","tool_name":"Read","tool_input":{"file_path":"/proj/gone.md"},"tool_use_id":"toolu_11","error":"File does not exist. Note: your current working directory is /proj.","is_interrupt":false}"#,
    ),
    (
        Agent::ClaudeCode,
        "an edit refused before it ran",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"PostToolBatch","tool_calls":[{"tool_name":"Edit","tool_input":{"file_path":"/proj/a.txt","old_string":"x","new_string":"y"},"tool_use_id":"toolu_12","tool_response":"<tool_use_error>String to replace not found in file.</tool_use_error>"},{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_13","tool_response":"a.txt"}]}"#,
    ),
    (
        Agent::ClaudeCode,
        "stop",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"finished","background_tasks":[],"session_crons":[]}"#,
    ),
    (
        Agent::ClaudeCode,
        "a plan's limit",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"StopFailure","error":"rate_limit","last_assistant_message":"You've hit your weekly limit · resets Mon 12:00am"}"#,
    ),
    (
        Agent::ClaudeCode,
        "the service is overloaded",
        r#"{"session_id":"s-1","cwd":"/proj","hook_event_name":"StopFailure","error":"server_error","last_assistant_message":"API Error: Repeated 529 Overloaded errors"}"#,
    ),
    (
        Agent::ClaudeCode,
        "the compacting agent's copy of a failure",
        r#"{"session_id":"s-1","cwd":"/proj","agent_id":"a1","hook_event_name":"StopFailure","error":"invalid_request","last_assistant_message":"Prompt is too long"}"#,
    ),
    (
        Agent::Codex,
        "before a command",
        r#"{"session_id":"s-2","turn_id":"t","transcript_path":null,"cwd":"/proj","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"make check"},"tool_use_id":"call_7"}"#,
    ),
    (
        Agent::Codex,
        "a command whose end only the transcript knows",
        r#"{"session_id":"s-2","turn_id":"t","transcript_path":"/home/me/rollout.jsonl","cwd":"/proj","hook_event_name":"PostToolUse","model":"m","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"make check"},"tool_response":"make: nothing\n","tool_use_id":"call_7"}"#,
    ),
    (
        Agent::Codex,
        "a patch",
        r#"{"session_id":"s-2","turn_id":"t","transcript_path":null,"cwd":"/proj","hook_event_name":"PostToolUse","model":"m","permission_mode":"default","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** End Patch"},"tool_response":"Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess.","tool_use_id":"call_8"}"#,
    ),
    (
        Agent::Codex,
        "session start",
        r#"{"session_id":"s-2","transcript_path":null,"cwd":"/proj","hook_event_name":"SessionStart","model":"m","permission_mode":"default","source":"startup"}"#,
    ),
    (
        Agent::Codex,
        "stop",
        r#"{"session_id":"s-2","turn_id":"t","transcript_path":null,"cwd":"/proj","hook_event_name":"Stop","model":"m","permission_mode":"default","stop_hook_active":true,"last_assistant_message":null}"#,
    ),
    (
        Agent::Gemini,
        "before a command",
        r#"{"session_id":"s-3","transcript_path":"/t","cwd":"/proj","hook_event_name":"BeforeTool","timestamp":"2026-11-16T02:00:00.000Z","tool_name":"run_shell_command","tool_input":{"command":"make check"}}"#,
    ),
    (
        Agent::Gemini,
        "a failed command",
        r#"{"session_id":"s-3","transcript_path":"/t","cwd":"/proj","hook_event_name":"AfterTool","timestamp":"2026-11-16T02:00:01.000Z","tool_name":"run_shell_command","tool_input":{"command":"make check"},"tool_response":{"llmContent":"<untrusted_context>\nOutput: make: *** no rule\nExit Code: 2\nProcess Group PGID: 11\n</untrusted_context>","returnDisplay":"make: *** no rule"}}"#,
    ),
    (
        Agent::Gemini,
        "nothing printed",
        r#"{"session_id":"s-3","cwd":"/proj","hook_event_name":"AfterTool","timestamp":"2026-11-16T02:00:02.000Z","tool_name":"run_shell_command","tool_input":{"command":"grep x a.txt"},"tool_response":{"llmContent":"<untrusted_context>\nOutput: (empty)\nExit Code: 1\nProcess Group PGID: 12\n</untrusted_context>","returnDisplay":""}}"#,
    ),
    (
        Agent::Gemini,
        "a timeout",
        r#"{"session_id":"s-3","cwd":"/proj","hook_event_name":"AfterTool","timestamp":"2026-11-16T02:00:03.000Z","tool_name":"run_shell_command","tool_input":{"command":"sleep 999"},"tool_response":{"llmContent":"Command was automatically cancelled because it exceeded the timeout of 5 minutes without output.","returnDisplay":""}}"#,
    ),
    (
        Agent::Gemini,
        "a file that is not there",
        r#"{"session_id":"s-3","cwd":"/proj","hook_event_name":"AfterTool","timestamp":"2026-11-16T02:00:04.000Z","tool_name":"read_file","tool_input":{"file_path":"/proj/gone.md"},"tool_response":{"llmContent":"Could not read file.","returnDisplay":"File not found.","error":{"message":"File not found: /proj/gone.md","type":"file_not_found"}}}"#,
    ),
    (
        Agent::Gemini,
        "parts of an MCP answer",
        r#"{"session_id":"s-3","cwd":"/proj","hook_event_name":"AfterTool","timestamp":"2026-11-16T02:00:05.000Z","tool_name":"mcp_x_y","tool_input":{"q":1},"tool_response":{"llmContent":[{"text":"one"},{"text":"two"}],"returnDisplay":""}}"#,
    ),
    (
        Agent::Gemini,
        "stop",
        r#"{"session_id":"s-3","cwd":"/proj","hook_event_name":"AfterAgent","timestamp":"2026-11-16T02:00:06.000Z","prompt":"p","prompt_response":"r","stop_hook_active":false}"#,
    ),
    (
        Agent::Cursor,
        "a failed command",
        r#"{"conversation_id":"s-4","generation_id":"g","model":"m","hook_event_name":"postToolUse","cursor_version":"3","workspace_roots":["/proj"],"tool_name":"Shell","tool_input":{"command":"make check"},"tool_output":"{\"exitCode\":2,\"stdout\":\"make: no rule\"}","tool_use_id":"tu_1","duration":12}"#,
    ),
    (
        Agent::Cursor,
        "a command that ran out of time",
        r#"{"conversation_id":"s-4","hook_event_name":"postToolUseFailure","workspace_roots":["/proj"],"tool_name":"Shell","tool_input":{"command":"sleep 99"},"tool_use_id":"tu_2","error_message":"timed out","failure_type":"timeout","duration":12,"is_interrupt":false}"#,
    ),
    (
        Agent::Cursor,
        "output without an exit code",
        r#"{"conversation_id":"s-4","hook_event_name":"afterShellExecution","workspace_roots":["/proj"],"command":"make","output":"make: *** [all] Error 1","duration":3}"#,
    ),
    (
        Agent::Cursor,
        "stop",
        r#"{"conversation_id":"s-4","hook_event_name":"stop","workspace_roots":["/proj"],"status":"completed","loop_count":0}"#,
    ),
    (
        Agent::Cursor,
        "session start",
        r#"{"session_id":"s-4","hook_event_name":"sessionStart","workspace_roots":["/proj"],"is_background_agent":false,"composer_mode":"agent"}"#,
    ),
    (
        Agent::Copilot,
        "before a command",
        r#"{"hook_event_name":"PreToolUse","session_id":"s-5","timestamp":"2026-11-16T02:00:00.000Z","cwd":"/proj","tool_name":"Bash","tool_input":{"command":"make check","description":"d"}}"#,
    ),
    (
        Agent::Copilot,
        "a failed command",
        r#"{"hook_event_name":"PostToolUse","session_id":"s-5","timestamp":"2026-11-16T02:00:01.000Z","cwd":"/proj","tool_name":"Bash","tool_input":{"command":"make check","description":"d"},"tool_result":{"result_type":"success","text_result_for_llm":"make: *** no rule\n<shellId: 3 completed with exit code 2>"}}"#,
    ),
    (
        Agent::Copilot,
        "a tool that failed",
        r#"{"hook_event_name":"PostToolUseFailure","session_id":"s-5","timestamp":"2026-11-16T02:00:02.000Z","cwd":"/proj","tool_name":"Read","tool_input":{"path":"/proj/gone.md"},"error":"Path does not exist"}"#,
    ),
    (
        Agent::Copilot,
        "the service failed",
        r#"{"hook_event_name":"ErrorOccurred","session_id":"s-5","timestamp":"2026-11-16T02:00:03.000Z","cwd":"/proj","error":{"message":"Rate limit reached.","name":"Error","stack":""},"error_context":"model_call","recoverable":true}"#,
    ),
    (
        Agent::Copilot,
        "session start",
        r#"{"hook_event_name":"SessionStart","session_id":"s-5","timestamp":"2026-11-16T02:00:00.000Z","cwd":"/proj","source":"new","initial_prompt":"p"}"#,
    ),
    (
        Agent::Copilot,
        "stop",
        r#"{"hook_event_name":"Stop","session_id":"s-5","timestamp":"2026-11-16T02:00:09.000Z","cwd":"/proj","transcript_path":"/t","stop_reason":"end_turn","stop_hook_active":false}"#,
    ),
    (
        Agent::OpenCode,
        "before a command",
        r#"{"hook":"tool.execute.before","input":{"tool":"bash","sessionID":"s-6","callID":"call_1"},"output":{"args":{"command":"make check","description":"d"}}}"#,
    ),
    (
        Agent::OpenCode,
        "a failed command",
        r#"{"hook":"tool.execute.after","input":{"tool":"bash","sessionID":"s-6","callID":"call_1","args":{"command":"make check","description":"d"}},"output":{"title":"make check","metadata":{"output":"make: *** no rule\n","exit":2,"truncated":false},"output":"make: *** no rule\n"}}"#,
    ),
    (
        Agent::OpenCode,
        "a timeout",
        r#"{"hook":"tool.execute.after","input":{"tool":"bash","sessionID":"s-6","callID":"call_2","args":{"command":"sleep 99"}},"output":{"title":"sleep","metadata":{"output":"","exit":null,"truncated":false},"output":"<shell_metadata>\nshell tool terminated command after exceeding timeout 900 ms.\n</shell_metadata>"}}"#,
    ),
    (
        Agent::OpenCode,
        "a tool that threw",
        r#"{"hook":"event","event":{"id":"e","type":"message.part.updated","properties":{"sessionID":"s-6","part":{"type":"tool","tool":"read","callID":"call_3","state":{"status":"error","input":{"filePath":"/proj/gone.md"},"error":"File not found: /proj/gone.md"}}}}}"#,
    ),
    (
        Agent::OpenCode,
        "what we held back ourselves",
        r#"{"hook":"event","event":{"id":"e","type":"message.part.updated","properties":{"sessionID":"s-6","part":{"type":"tool","tool":"bash","callID":"call_4","state":{"status":"error","input":{"command":"make"},"error":"recovery: held back"}}}}}"#,
    ),
    (
        Agent::OpenCode,
        "the service failed",
        r#"{"hook":"event","event":{"id":"e","type":"session.error","properties":{"sessionID":"s-6","error":{"name":"APIError","data":{"message":"Overloaded","statusCode":529,"isRetryable":true}}}}}"#,
    ),
];

#[test]
fn payloads_and_answers() {
    let mut golden = String::new();
    for (agent, what, payload) in PAYLOADS {
        writeln!(golden, "== {agent}: {what}").unwrap();
        let Some(report) = parse(*agent, payload.as_bytes()) else {
            writeln!(golden, "nothing to do\n").unwrap();
            continue;
        };
        writeln!(golden, "{:?}", report.moment).unwrap();
        let answers = [
            Answer::Advice("A".into()),
            Answer::Deny("D".into()),
            Answer::Hints("H".into()),
            Answer::Final("F".into()),
        ];
        for json in answers.iter().filter_map(|answer| render(&report, answer)) {
            writeln!(golden, "{json}").unwrap();
        }
        golden.push('\n');
    }
    insta::assert_snapshot!(golden);
}

/// Codex drops a whole answer for one key that its schema does not have.
#[test]
fn codex_answers_have_only_known_keys() {
    const TOP: [&str; 6] = ["continue", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput"];
    const INNER: [&str; 4] = ["hookEventName", "additionalContext", "permissionDecision", "permissionDecisionReason"];
    for (agent, what, payload) in PAYLOADS.iter().filter(|(agent, ..)| *agent == Agent::Codex) {
        let report = parse(*agent, payload.as_bytes()).unwrap();
        for answer in
            [Answer::Advice("A".into()), Answer::Deny("D".into()), Answer::Hints("H".into()), Answer::Final("F".into())]
        {
            let Some(json) = render(&report, &answer) else { continue };
            assert!(json.as_object().unwrap().keys().all(|key| TOP.contains(&key.as_str())), "{what}: {json}");
            if let Some(inner) = json.get("hookSpecificOutput") {
                assert_ne!(report.event, "Stop", "Stop takes no hookSpecificOutput");
                assert!(inner.as_object().unwrap().keys().all(|key| INNER.contains(&key.as_str())), "{what}: {json}");
                assert_eq!(inner["hookEventName"], report.event.as_str());
            }
            assert!(
                !(report.event == "PostToolUse" && json.get("decision").is_some()),
                "blocking would hide the output"
            );
        }
    }
}

#[test]
fn codex_exit_codes_come_from_the_transcript() {
    let payload = PAYLOADS.iter().find(|(_, what, _)| what.contains("only the transcript")).unwrap().2;
    let mut report = parse(Agent::Codex, payload.as_bytes()).unwrap();
    assert_eq!(report.needed_transcript(), Some("/home/me/rollout.jsonl"));
    report.read_transcript(
        "not json\n{\"payload\":{\"type\":\"item_completed\",\"item\":{\"id\":\"call_6\",\"exit_code\":0}}}\n",
    );
    assert!(report.needed_transcript().is_some(), "another call's end is not this one's");
    report.read_transcript(
        "{\"type\":\"event_msg\",\"payload\":{\"type\":\"item_completed\",\"item\":{\"type\":\"CommandExecution\",\"id\":\"call_7\",\"exit_code\":2,\"aggregated_output\":\"all of it\"}}}\n",
    );
    let Moment::AfterTool(calls) = &report.moment else { panic!("{report:?}") };
    assert_eq!((calls[0].1.ok, calls[0].1.exit_code, calls[0].1.text.as_str()), (Some(false), Some(2), "all of it"));
    assert_eq!(report.needed_transcript(), None);
}

#[test]
fn a_call_without_an_id_is_known_again() {
    for (agent, ..) in [(Agent::Gemini, ()), (Agent::Copilot, ())] {
        let payload = PAYLOADS.iter().find(|(a, what, _)| *a == agent && *what == "a failed command").unwrap().2;
        let id = |payload: &str| match parse(agent, payload.as_bytes()).unwrap().moment {
            Moment::AfterTool(calls) => calls[0].0.id.clone().unwrap(),
            other => panic!("{other:?}"),
        };
        assert_eq!(id(payload), id(payload));
        assert_ne!(id(payload), id(&payload.replace("02:00:01", "02:00:02")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is cut off or bent in a payload: an answer or silence, never a panic.
    #[test]
    fn damaged_payloads_are_survived(which in 0..PAYLOADS.len(), cut in 0usize..1000, junk in any::<u8>()) {
        let (_, _, payload) = PAYLOADS[which];
        let mut bytes = payload.as_bytes().to_vec();
        let at = cut % bytes.len();
        bytes[at] = junk;
        for agent in Agent::ALL {
            let _ = parse(agent, &bytes);
            let _ = parse(agent, &bytes[..at]);
        }
    }
}

fn outcome(agent: Agent, payload: &serde_json::Value) -> recovery_agents::Outcome {
    let report = parse(agent, payload.to_string().as_bytes()).unwrap();
    match report.moment {
        Moment::AfterTool(mut calls) => calls.remove(0).1,
        other => panic!("{other:?}"),
    }
}

/// Success is what the client reports, whatever the text contains.
#[test]
fn alarming_text_is_no_failure() {
    let codex = |tool: &str, response: serde_json::Value| {
        outcome(
            Agent::Codex,
            &json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": tool, "tool_use_id": "c",
                "tool_input": {"command": "x"}, "tool_response": response}),
        )
    };
    let found = json!({"content": [{"type": "text", "text": "error: 3 tests failed\nExit code: 1"}], "isError": false});
    assert_eq!(codex("mcp__ci__last_build", found).ok, Some(true));
    assert_eq!(codex("Bash", json!("Exit code: 1\nold log")).ok, None, "only the transcript knows");
    assert_eq!(codex("apply_patch", json!("Exit code: 1\nWall time: 0")).ok, Some(false));

    let gemini = |content: &str, shown: &str| {
        outcome(
            Agent::Gemini,
            &json!({"hook_event_name": "AfterTool", "session_id": "s", "tool_name": "run_shell_command",
                "tool_input": {"command": "cat build.log"}, "tool_response": {"llmContent": content, "returnDisplay": shown}}),
        )
    };
    let wrapped =
        |body: &str| format!("<untrusted_context>\nOutput: {body}\nProcess Group PGID: 7\n</untrusted_context>");
    let log = "compile failed\nExit Code: 1";
    let passing = gemini(&wrapped(log), log);
    assert_eq!((passing.ok, passing.text.as_str()), (Some(true), log));
    let failing = gemini(&wrapped(&format!("{log}\nExit Code: 2")), log);
    assert_eq!((failing.exit_code, failing.text.as_str()), (Some(2), log));
    let quiet = gemini(&wrapped("(empty)\nExit Code: 1"), "Command exited with code: 1");
    assert_eq!((quiet.exit_code, quiet.text.as_str()), (Some(1), ""));
    let shown_otherwise = gemini(&wrapped("boom\nExit Code: 3"), "something else");
    assert_eq!((shown_otherwise.exit_code, shown_otherwise.text.as_str()), (Some(3), "boom"));
    let quoted = "docs: Command was automatically cancelled because it exceeded the timeout";
    assert_eq!(gemini(&wrapped(quoted), quoted).ok, Some(true));
}

/// A command that goes on in the background has neither worked nor failed.
#[test]
fn a_command_in_the_background_is_still_running() {
    for response in [
        json!({"stdout": "started", "stderr": "", "backgroundTaskId": "b1", "timedOutAfterMs": 1500}),
        json!({"stdout": "", "stderr": "", "backgroundTaskId": "b2"}),
    ] {
        let payload = json!({"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_use_id": "c",
            "tool_input": {"command": "npm run dev"}, "tool_response": response});
        let outcome = outcome(Agent::ClaudeCode, &payload);
        assert!(outcome.is_running && !outcome.timed_out, "{outcome:?}");
    }
}
