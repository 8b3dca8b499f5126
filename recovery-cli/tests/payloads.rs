//! Whatever an agent sends, its hook ends with exit code 0 and an answer that is JSON or nothing.

mod common;

use common::recovery;

/// Payloads as agents send them.
const PAYLOADS: [(&str, &str); 6] = [
    (
        "claude-code",
        r#"{"session_id":"s","cwd":"DIR","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"npm test"},"error":"Exit code 1\nboom"}"#,
    ),
    (
        "claude-code",
        r#"{"session_id":"s","cwd":"DIR","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"npm test"}}"#,
    ),
    ("claude-code", r#"{"session_id":"s","cwd":"DIR","hook_event_name":"Stop","stop_hook_active":false}"#),
    (
        "codex",
        r#"{"session_id":"s","cwd":"DIR","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_response":{"exit_code":2,"output":"make: *** [all] Error 2"}}"#,
    ),
    (
        "gemini",
        r#"{"session_id":"s","cwd":"DIR","hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{"llmContent":"Exit Code: 1\nboom"}}"#,
    ),
    (
        "cursor",
        r#"{"conversation_id":"s","workspace_roots":["DIR"],"hook_event_name":"afterShellExecution","command":"make","output":"boom","exit_code":1}"#,
    ),
];

/// Xorshift: the same mutations in every run.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap()
}

fn mutated(payload: &str, random: &mut u64) -> Vec<u8> {
    let mut bytes = payload.as_bytes().to_vec();
    for _ in 0..1 + next(random) % 4 {
        if bytes.is_empty() {
            break;
        }
        let at = next(random) % bytes.len();
        match next(random) % 6 {
            0 => bytes[at] = next(random).to_le_bytes()[0],
            1 => bytes.truncate(at),
            2 => bytes.insert(at, b"\"{}[],:\\\0"[next(random) % 9]),
            3 => drop(bytes.splice(at..at, *b"[[[[[[[[")),
            4 => drop(bytes.splice(at..at, b"\\ud800\xff\xfe99999999999999999999".iter().copied())),
            _ => drop(bytes.drain(at..(at + next(random) % 20).min(bytes.len()))),
        }
    }
    bytes
}

/// `RECOVERY_PAYLOADS` sets how many.
#[test]
fn no_payload_makes_a_hook_fail() {
    let number = std::env::var("RECOVERY_PAYLOADS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    let mut random = 0x2545_f491_4f6c_dd1d;
    for n in 0..number {
        let (agent, payload) = PAYLOADS[n % PAYLOADS.len()];
        let payload = payload.replace("DIR", dir.path().to_str().unwrap());
        let payload = if n < PAYLOADS.len() { payload.into_bytes() } else { mutated(&payload, &mut random) };
        let out = recovery(dir.path(), &["hook", agent], &payload);
        let shown = || format!("{agent} {:?}: {out:?}", String::from_utf8_lossy(&payload));
        assert!(out.status.success(), "{}", shown());
        for line in String::from_utf8(out.stdout.clone()).unwrap().lines() {
            assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{}", shown());
        }
        assert!(!String::from_utf8_lossy(&out.stderr).contains("panicked"), "{}", shown());
    }
    assert!(recovery(dir.path(), &["journal", "verify"], b"").status.success());
    println!("attack: tried {number}, lost 0");
}
