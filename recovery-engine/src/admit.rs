//! Where text enters: secrets out, sizes bounded. Everything after this sees only what may be stored and printed.

use failure_taxonomy::redact::redact;
use recovery_types::FailureEvent;

/// The most that is kept of one text, and how much of it from its beginning.
const KEPT: usize = 16 * 1024;
const HEAD: usize = 4 * 1024;

/// `event` without secrets and with long texts cut in the middle. Decisions are made from the admitted event only, so
/// that a journal, which holds no more than that, can be replayed.
#[must_use]
pub fn admit(mut event: FailureEvent) -> FailureEvent {
    clean(&mut event.stderr_tail);
    for text in [&mut event.test_output, &mut event.cause, &mut event.approach, &mut event.action, &mut event.step] {
        if let Some(text) = text {
            clean(text);
        }
    }
    event.completed_steps.iter_mut().for_each(clean);
    for entry in &mut event.history {
        for text in [&mut entry.stderr_tail, &mut entry.approach] {
            if let Some(text) = text {
                clean(text);
            }
        }
    }
    event
}

pub(crate) fn clean(text: &mut String) {
    if let std::borrow::Cow::Owned(redacted) = redact(text) {
        *text = redacted;
    }
    if text.len() > KEPT {
        *text = cut(text);
    }
}

fn cut(text: &str) -> String {
    let head = text.floor_char_boundary(HEAD);
    let tail = text.ceil_char_boundary(text.len() - (KEPT - HEAD));
    format!("{}\n[... {} bytes left out ...]\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_their_ends_and_admitting_twice_changes_nothing() {
        let text = format!("first line\n{}last line", "é filler\n".repeat(9000));
        let event = FailureEvent { exit_code: 1, stderr_tail: text, ..FailureEvent::default() };
        let once = admit(event);
        assert!(once.stderr_tail.starts_with("first line") && once.stderr_tail.ends_with("last line"));
        assert!(once.stderr_tail.len() < KEPT + 100);
        let twice = admit(once.clone());
        assert!(twice.stderr_tail.len() <= once.stderr_tail.len());
    }
}
