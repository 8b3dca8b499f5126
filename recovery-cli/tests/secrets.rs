//! Made-up secrets of every kind through every way in: none is kept, none is shown.

mod common;
#[path = "../../recovery-redact/tests/common/kinds.rs"]
mod kinds;

use common::{command, recovery};
use std::io::Write as _;
use std::path::Path;

/// `RECOVERY_SECRETS` sets how many.
#[test]
fn no_channel_keeps_a_secret() {
    let number = std::env::var("RECOVERY_SECRETS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let all = kinds::samples(2 * kinds::KINDS);
    let step = (all.len() / number).max(1);
    let mut left = Vec::new();
    let samples: Vec<_> = all.iter().step_by(step).take(number).collect();
    for sample in &samples {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
        let answers = through_every_channel(dir.path(), &sample.text);
        let kept = bytes_below(&dir.path().join(".recovery"));
        for (place, text) in [("an answer", &answers), ("the state directory", &kept)] {
            if kinds::is_left(&sample.secret, text) {
                left.push((sample, place));
            }
        }
    }
    let structured: Vec<_> = left.iter().filter(|(sample, _)| sample.is_structured).collect();
    let shown = |(sample, place): &(&&kinds::Sample, &str)| format!("{} in {place}: {:?}", sample.kind, sample.text);
    assert!(
        structured.is_empty(),
        "{} of {}:\n{}",
        left.len(),
        samples.len(),
        left.iter().map(shown).collect::<Vec<_>>().join("\n")
    );
    println!("attack: tried {}, lost {}", samples.len(), left.len());
}

/// The text as output, long output whose cut it straddles, an event, a command's words, a task's name, a reason, and a
/// hook's payload. Everything that was answered.
fn through_every_channel(dir: &Path, text: &str) -> String {
    let mut answers = String::new();
    let mut run = |args: &[&str], input: &str| {
        let out = recovery(dir, args, input.as_bytes());
        answers.push_str(&String::from_utf8_lossy(&out.stdout));
        answers.push_str(&String::from_utf8_lossy(&out.stderr));
    };
    run(&["decide", "--task", "a"], &format!("boom\n{text}\n"));
    // The last 64 KiB begin within the secret.
    let filler = "ok, another line of progress that fails nothing\n".repeat(2000);
    let cut = filler.len() - (64 << 10) + text.len() / 2;
    let straddling = format!("{filler}{text}\n{}error: boom\n", &filler[cut.min(filler.len())..]);
    run(&["decide", "--task", "b"], &straddling);
    let event = serde_json::json!({"exit_code": 1, "stderr_tail": text, "approach": text, "action": text});
    run(&["decide", "--task", "c", "--event"], &event.to_string());
    let one_line = text.replace('\n', " ");
    // A private key on one line, or a name of several lines, is no name.
    if !text.contains('\n') {
        run(&["decide", "--task", &one_line], "boom");
        run(&["resolve", "a", "--reason", &one_line], "");
        run(&["run", "--limit", "retry=1ms", "--", "sh", "-c", &format!("exit 3; echo {one_line}")], "");
    }
    // What `run` passes through is the command's own output and not ours: only what is kept of it counts.
    let script = dir.join("print.txt");
    std::fs::write(&script, &straddling).unwrap();
    let printing = ["run", "--task", "d", "--limit", "retry=1ms", "--", "sh", "-c", "cat print.txt >&2; exit 3"];
    recovery(dir, &printing, b"");
    std::fs::remove_file(&script).unwrap();
    let payload = serde_json::json!({
        "session_id": "s", "cwd": dir, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "t",
        "tool_input": {"command": format!("deploy {one_line}")}, "error": format!("Exit code 1\n{straddling}"),
    });
    // On a busy machine a hook may use up its second before it has read everything; then it is asked again.
    let out = (0..10)
        .find_map(|_| {
            let mut child = command(dir, &["hook", "claude-code"]).spawn().unwrap();
            let written = child.stdin.take().unwrap().write_all(payload.to_string().as_bytes());
            let out = child.wait_with_output().unwrap();
            written.ok().map(|()| out)
        })
        .expect("a hook that reads its payload");
    answers.push_str(&String::from_utf8_lossy(&out.stdout));
    answers.push_str(&String::from_utf8_lossy(&out.stderr));
    answers
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
