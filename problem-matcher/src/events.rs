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
        let event = line.starts_with('{').then(|| serde_json::from_str::<Event<'_>>(line).ok()).flatten();
        match event {
            Some(event) if event.action == "output" => event.output.trim_end_matches('\n').replace('\n', " ").into(),
            Some(_) => Cow::Borrowed(""),
            None => Cow::Borrowed(line),
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
    }
}
