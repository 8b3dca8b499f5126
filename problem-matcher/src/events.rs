//! Output that arrives wrapped in JSON, one event per line: `go test -json`.
//!
//! In: any text. Out: the text with each event replaced by the output it carries, so that matchers see what `go test -v`
//! prints. Every event stays one line, so that line numbers stay right. Other texts are returned as they are.

use serde::Deserialize;
use std::borrow::Cow;

/// What every event with output has in it.
const OUTPUT: &str = "\"Action\":\"output\"";

/// An event of `go test -json`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event<'e> {
    #[serde(borrow)]
    action: Cow<'e, str>,
    #[serde(borrow, default)]
    output: Cow<'e, str>,
}

/// `text` with the output of each event in its place.
pub(crate) fn unwrapped(text: &str) -> Cow<'_, str> {
    if memchr::memmem::find(text.as_bytes(), OUTPUT.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let lines = text.split('\n').map(|line| {
        // What a CI system puts before the event stays before its output.
        let (prefix, event) = line.split_at(line.find("{\"").unwrap_or(line.len()));
        match serde_json::from_str::<Event<'_>>(event) {
            Ok(event) if event.action == "output" => {
                format!("{prefix}{}", event.output.trim_end_matches('\n').replace('\n', " ")).into()
            }
            Ok(_) => Cow::Borrowed(""),
            Err(_) => Cow::Borrowed(line),
        }
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_become_their_output() {
        let text = "{\"Action\":\"run\",\"Test\":\"TestA\"}\n{\"Time\":\"x\",\"Action\":\"output\",\"Output\":\"    a_test.go:3: got \\u003c2\\n\"}\nplain {\n";
        assert_eq!(unwrapped(text), "\n    a_test.go:3: got <2\nplain {\n");
        let stamped = "2024-01-01T00:00:00.0000000Z {\"Action\":\"output\",\"Output\":\"FAIL\\n\"}";
        assert_eq!(unwrapped(stamped), "2024-01-01T00:00:00.0000000Z FAIL");
    }
}
