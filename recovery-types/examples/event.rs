//! Parses a failure event as agents and pipelines send it.

use recovery_types::FailureEvent;

fn main() {
    let json = r#"{"exit_code":1,"tool":"Bash","stderr_tail":"read ECONNRESET","files_touched":null}"#;
    let event: FailureEvent = serde_json::from_str(json).expect("a valid event");
    assert_eq!(event.exit_code, 1);
    println!("{} failed: {}", event.tool.as_deref().unwrap_or("a command"), event.stderr_tail);
}
