//! Made-up secrets of every kind through every way in: none is kept, none is shown.

mod common;
#[path = "../../recovery-redact/tests/common/kinds.rs"]
mod kinds;

use common::{command, recovery};
use std::io::Write as _;
use std::path::Path;

/// How many secrets share a project: what reads the whole journal then runs once for all of them.
const BATCH: usize = 20;
/// How many of them every test run tries.
const DEFAULT_SAMPLES: usize = 40;

/// `RECOVERY_SECRETS` sets how many.
#[test]
fn no_channel_keeps_a_secret() {
    let number = std::env::var("RECOVERY_SECRETS").ok().and_then(|n| n.parse().ok()).unwrap_or(DEFAULT_SAMPLES);
    let all = kinds::samples(number.max(kinds::KINDS));
    // Spread over all kinds, where there are fewer.
    let samples: Vec<_> = (0..number).map(|n| &all[n * all.len() / number]).collect();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let batches: Vec<&[&kinds::Sample]> = samples.chunks(BATCH).collect();
    let left: Vec<(&kinds::Sample, String)> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads)
            .map(|t| batches.iter().skip(t).step_by(threads))
            .map(|share| scope.spawn(|| share.flat_map(|batch| left_of(batch)).collect::<Vec<_>>()))
            .collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let structured = left.iter().filter(|(sample, _)| sample.is_structured).count();
    let shown = |(sample, place): &(&kinds::Sample, String)| format!("{} in {place}: {:?}", sample.kind, sample.text);
    let list: Vec<String> = left.iter().map(shown).collect();
    assert!(structured == 0, "{} of {}:\n{}", left.len(), samples.len(), list.join("\n"));
    println!("attack: tried {}, lost {}", samples.len(), left.len());
}

/// Which secrets of a batch are left, and where.
fn left_of<'s>(batch: &[&'s kinds::Sample]) -> Vec<(&'s kinds::Sample, String)> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
    let mut shown: Vec<(String, String)> = Vec::new();
    for (n, sample) in batch.iter().enumerate() {
        through_every_way_in(dir.path(), n, &sample.text, &mut shown);
    }
    as_json(dir.path(), batch, &mut shown);
    through_every_way_out(dir.path(), batch, &mut shown);
    shown.push(("the state directory".to_owned(), bytes_below(&dir.path().join(".recovery"))));
    let places = |sample: &&'s kinds::Sample| {
        let sample = *sample;
        let left = shown.iter().filter(move |(_, text)| kinds::is_left(&sample.secret, text));
        left.map(move |(place, _)| (sample, place.clone())).collect::<Vec<_>>()
    };
    batch.iter().flat_map(places).collect()
}

/// The text as output, long output whose cut it straddles, a command's words, a task's name, a reason, an argument that is
/// refused, and the payload of each agent's hook. `shown` gets everything that was answered.
fn through_every_way_in(dir: &Path, n: usize, text: &str, shown: &mut Vec<(String, String)>) {
    let mut run = |args: &[&str], input: &str| {
        let out = recovery(dir, args, input.as_bytes());
        shown.push((format!("`{}`", args[0]), [out.stdout, out.stderr].map(lossy).concat()));
    };
    let task = |letter: &str| format!("{letter}{n}");
    let failing = format!("src/a.rs:3:4: error: boom\n{text}\n");
    run(&["classify", "--exit-code", "1", "--format", "json", "-v"], &failing);
    run(&["problems", "--format", "github"], &format!("{failing}src/a.rs:3:4: error: {text}\n"));
    // The last 64 KiB begin within the secret. Reading so much takes most of the time, so one of three ways gets it.
    let filler = "ok, another line of progress that fails nothing\n".repeat(2000);
    let cut = filler.len() - (64 << 10) + text.len() / 2;
    let straddling = format!("{filler}{text}\n{}error: boom\n", &filler[cut.min(filler.len())..]);
    let output_of = |way: usize| if n % 3 == way { straddling.clone() } else { format!("boom\n{text}\n") };
    run(&["decide", "--exit-code", "1", "--task", &task("a"), "--events", ".recovery/events.jsonl"], &output_of(0));
    // A name of several lines is refused, with a message.
    run(&["decide", "--exit-code", "1", "--task", text], "boom");
    if !text.contains('\n') {
        run(&["run", "--retries", "0", "--", "sh", "-c", &format!("exit 3; echo {text}")], "");
    }
    run(&["resolve", &task("a"), "--reason", text], "");
    run(&["explain", text], "");
    run(&["run", "--limit", text, "--", "true"], "");
    // What `run` passes through is the command's own output and not ours: only what is kept of it counts.
    let script = dir.join("print.txt");
    std::fs::write(&script, output_of(1)).unwrap();
    let named = task("d");
    let printing = ["--retries", "0", "--", "sh", "-c", "cat print.txt >&2; exit 3"];
    let kept = ["run", "--task", &named, "--result", ".recovery/result.json", "--events", ".recovery/events.jsonl"];
    recovery(dir, &[&kept[..], &printing[..]].concat(), b"");
    std::fs::remove_file(&script).unwrap();
    for (agent, payload) in payloads(dir, &format!("deploy {text}"), &output_of(2), text) {
        let out = hook(dir, agent, payload.to_string().as_bytes());
        shown.push((format!("the hook of {agent}"), out));
    }
}

/// Each text in every field of an event and of a request, and where a number is expected: one process reads them all.
fn as_json(dir: &Path, batch: &[&kinds::Sample], shown: &mut Vec<(String, String)>) {
    let mut run = |args: &[&str], input: &str| {
        let out = recovery(dir, args, input.as_bytes());
        shown.push((format!("`{}`", args.join(" ")), [out.stdout, out.stderr].map(lossy).concat()));
    };
    let mut events = String::new();
    let mut requests = String::new();
    for (n, sample) in batch.iter().enumerate() {
        let text = &sample.text;
        let node = serde_json::json!({"id": format!("c{n}"), "parent_id": text, "feature_id": text});
        let event = serde_json::json!({
            "exit_code": 1, "stderr_tail": text, "approach": text, "action": text, "tool": text, "node": node,
            "files_touched": [text], "test_output": text, "conflict_id": text, "step": text, text: text,
            "history": [{"node": text, "approach": text, "files_touched": [text]}],
        });
        events += &format!("{event}\n{}\n", serde_json::json!({"exit_code": text}));
        let failed = serde_json::json!({"number": 1, "name": text, "done_criteria": [text]});
        let request = serde_json::json!({"task": failed, "error": text, "attempts": [{"action": text}]});
        requests += &format!("{request}\n{}\n", serde_json::json!({"budget": text}));
    }
    run(&["decide", "--ndjson"], &events);
    run(&["classify", "--ndjson"], &events);
    run(&["repair", "--ndjson"], &requests);
}

/// What each agent sends when a command failed; the first of them with the long output.
fn payloads(dir: &Path, command: &str, long: &str, output: &str) -> [(&'static str, serde_json::Value); 6] {
    use serde_json::json;
    let session = json!({"session_id": "s", "cwd": dir, "tool_use_id": "t", "turn_id": "1"});
    let with = |more: serde_json::Value| {
        let mut payload = session.clone();
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        payload
    };
    let input = json!({"command": command});
    [
        (
            "claude-code",
            with(json!({
                "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": input,
                "error": format!("Exit code 1\n{long}"),
            })),
        ),
        (
            "codex",
            with(json!({
                "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": input,
                "tool_response": format!("Exit code: 1\nOutput:\n{output}"),
            })),
        ),
        (
            "gemini",
            with(json!({
                "hook_event_name": "AfterTool", "tool_name": "run_shell_command", "tool_input": input,
                "tool_response": {"llmContent": format!("Command: {command}\nOutput: {output}\nExit Code: 1")},
            })),
        ),
        (
            "cursor",
            with(json!({
                "hook_event_name": "afterShellExecution", "conversation_id": "c", "workspace_roots": [dir],
                "command": command, "output": output, "exit_code": 1,
            })),
        ),
        (
            "copilot",
            json!({
                "sessionId": "s", "cwd": dir, "timestamp": 1, "toolName": "bash", "toolArgs": input.to_string(),
                "toolResult": {"resultType": "failure", "textResultForLlm": output},
            }),
        ),
        (
            "opencode",
            json!({
                "sessionID": "s", "cwd": dir, "event": "tool.execute.after", "tool": "bash", "args": input,
                "output": {"output": output, "metadata": {"exit": 1}},
            }),
        ),
    ]
}

/// What the hook answers. On a busy machine it may use up its second before it has read everything; then it is asked again.
fn hook(dir: &Path, agent: &str, payload: &[u8]) -> String {
    (0..10)
        .find_map(|_| {
            let mut child = command(dir, &["hook", agent]).spawn().unwrap();
            let written = child.stdin.take().unwrap().write_all(payload);
            let out = child.wait_with_output().unwrap();
            written.ok().map(|()| [out.stdout, out.stderr].map(lossy).concat())
        })
        .expect("a hook that reads its payload")
}

/// Everything that reads the journal, the MCP server, and the page.
fn through_every_way_out(dir: &Path, batch: &[&kinds::Sample], shown: &mut Vec<(String, String)>) {
    let page = dir.join("report.html");
    let mut run = |args: &[&str], input: &str| {
        let out = recovery(dir, args, input.as_bytes());
        shown.push((format!("`{}`", args.join(" ")), [out.stdout, out.stderr].map(lossy).concat()));
    };
    for args in [
        &["status", "--all", "--format", "json"][..],
        &["stuck"],
        &["report", "--format", "json"],
        &["report", "--html", "report.html"],
        &["metrics"],
        &["journal", "export"],
        &["journal", "show"],
        &["updates"],
        &["hints", "a0"],
        &["doctor"],
    ] {
        run(args, "");
    }
    let mut requests = vec![serde_json::json!({"id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }})];
    requests.push(serde_json::json!({"method": "notifications/initialized"}));
    for (n, sample) in batch.iter().enumerate() {
        let text = &sample.text;
        let named = serde_json::json!({"task": format!("d{n}")});
        let attempt = serde_json::json!({
            "task": format!("m{n}"), "attempt_id": text, "output": text, "action": text, "approach": text,
            "files_touched": [text],
        });
        for (tool, arguments) in [
            ("task_hints", named.clone()),
            ("task_status", named),
            ("task_status", serde_json::json!({"task": text})),
            ("explain_rule", serde_json::json!({"id": text})),
            ("classify_failure", serde_json::json!({"output": text, "exit_code": text})),
            ("decide_next_step", attempt),
            (text.as_str(), serde_json::json!({})),
        ] {
            let call = serde_json::json!({"name": tool, "arguments": arguments});
            let id = requests.len() + 10;
            requests.push(serde_json::json!({"id": id, "method": "tools/call", "params": call}));
        }
    }
    let lines = requests.into_iter().map(|mut request| {
        request["jsonrpc"] = "2.0".into();
        format!("{request}\n")
    });
    run(&["mcp"], &lines.collect::<String>());
    shown.push(("the page".to_owned(), std::fs::read_to_string(page).unwrap()));
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn bytes_below(dir: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&bytes_below(&path));
        } else {
            text.push_str(&String::from_utf8_lossy(&std::fs::read(path).unwrap()));
        }
    }
    text
}
