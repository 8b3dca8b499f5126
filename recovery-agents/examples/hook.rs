//! Parses a hook payload of Claude Code.

use recovery_agents::{Agent, parse};

fn main() {
    let payload = br#"{"session_id":"s1","hook_event_name":"PostToolUseFailure","tool_name":"Bash",
        "tool_input":{"command":"make"},"tool_use_id":"t1","error":"Exit code 2\nmake: *** [all] Error 1"}"#;
    println!("{:#?}", parse(Agent::ClaudeCode, payload).expect("a payload of Claude Code"));
}
