//! What kind of line an indicator occurs on.
//!
//! In: a line, with the line before it and whether the line after it shows that something is tried again. Out: where the
//! content begins behind time stamps and log tags ([`content_start`]), and per position whether the line reports a failure,
//! only mentions one, or quotes code, a command or a passed test ([`LineContext::kind`]). The rules are heuristics over
//! single lines, so that any part of a long output can be judged without the rest. A new kind of quote goes to [`quote`], a
//! new word that makes the rest of its line an aside to [`aside`], a new prefix of CI systems to [`prefix`].

mod aside;
mod prefix;
mod quote;

pub(super) use aside::reports_retry;
use aside::{ASIDE_REACH_BYTES, aside_ends, ends_in_aside_word};
pub(super) use prefix::content_start;
use prefix::stamp;
use quote::{indent, is_conversation, is_option, is_quote};

/// What a line means for what occurs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// It reports.
    Report,
    /// It warns, informs, or mentions something that was tried again.
    Aside,
    /// It quotes: source code, a stack frame, a command that was run, a passed test.
    Quote,
}

/// What a line, between the lines before and after, means for everything that occurs on it.
#[derive(Clone, Debug)]
pub(super) struct LineContext {
    /// Up to here, the line was printed by what ran the command: the time, the step.
    prefix: usize,
    is_quote: bool,
    is_aside: bool,
    /// Where the words end that make what follows an aside, in rising order.
    aside_ends: Vec<usize>,
}

/// What a line means for the one after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PrevLine {
    /// The next line is what is warned of.
    warns_next: bool,
    /// The next line is the code of this stack frame.
    is_frame: bool,
    /// The next line continues the description of an option, where it is indented deeper than this.
    option: Option<usize>,
}

impl PrevLine {
    pub(super) fn of(line: &[u8]) -> Self {
        let line = &line[stamp(line)..];
        let end = line.trim_ascii_end();
        Self {
            warns_next: end.ends_with(b"arning:") || end.ends_with(b"arning message:"),
            is_frame: line.trim_ascii_start().starts_with(b"File \""),
            option: is_option(line).then(|| indent(line)),
        }
    }
}

impl LineContext {
    /// `is_retried`: the next line shows that it is tried again.
    pub(super) fn of(line: &[u8], prev: PrevLine, is_retried: bool) -> Self {
        let prefix = stamp(line);
        let content = line[prefix..].trim_ascii_start();
        let advice =
            content.starts_with(b"If you ") || content.starts_with(b"Waiting for ") || is_conversation(content);
        Self {
            prefix,
            is_quote: is_quote(&line[prefix..], prev),
            is_aside: advice || prev.warns_next || is_retried || reports_retry(line),
            aside_ends: aside_ends(line),
        }
    }

    /// The kind of the line for what occurs at `at` on the line.
    pub(super) fn kind(&self, line: &[u8], at: usize) -> LineKind {
        if self.is_quote || at < self.prefix {
            LineKind::Quote
        } else if self.is_aside || self.follows_aside_word(line, at) {
            LineKind::Aside
        } else {
            LineKind::Report
        }
    }

    /// Whether a word shortly before `at` makes what follows an aside.
    fn follows_aside_word(&self, line: &[u8], at: usize) -> bool {
        let ended = self.aside_ends.partition_point(|end| *end <= at);
        let is_near = |end: &usize| at - end < ASIDE_REACH_BYTES;
        ended.checked_sub(1).map(|last| &self.aside_ends[last]).is_some_and(is_near) || ends_in_aside_word(&line[..at])
    }
}

#[cfg(test)]
mod tests {
    use super::aside::{RETRIES, is_aside_word, is_part};
    use super::*;

    #[test]
    fn the_rare_letter_of_each_word_is_where_the_table_has_it() {
        for (letter, words) in RETRIES {
            for (word, offset) in words {
                assert_eq!(word[offset], letter, "{}", String::from_utf8_lossy(word));
                let loud = [b"x ", &word.to_ascii_uppercase()[..], b" x"].concat();
                assert!(reports_retry(&loud) && !reports_retry(&word[1..]));
            }
        }
    }

    #[test]
    fn an_aside_begins_after_its_word_even_one_that_is_cut_off() {
        let line = b"src/warn.c: fixes. Warnings about it";
        let context = LineContext::of(line, PrevLine::default(), false);
        let asides: Vec<usize> = (0..=line.len()).filter(|at| context.kind(line, *at) == LineKind::Aside).collect();
        // "fix" is a word of its own where the rest is what is asked about.
        let expected: Vec<usize> = [15].into_iter().chain(17..=line.len()).collect();
        assert_eq!(asides, expected);
    }

    #[test]
    fn a_line_is_read_behind_what_the_runner_puts_before_it() {
        let kind_of = |line: &[u8]| LineContext::of(line, PrevLine::default(), false).kind(line, line.len());
        for stamp in [
            "2024-05-01T10:00:00.1234567Z ",
            "[10:00:00] ",
            "#7 0.400 ",
            "build\tmake\t2024-05-01T10:00:00Z ",
            "2024-05-01T10:00:00.1234567Z  2024-05-01 10:00:00.429 ",
        ] {
            let (quote, report) = (format!("{stamp}   3 | return failed(x)"), format!("{stamp}a.c:3:1: error: no {{"));
            assert_eq!(kind_of(quote.as_bytes()), LineKind::Quote, "{quote}");
            assert_eq!(kind_of(report.as_bytes()), LineKind::Report, "{report}");
            let in_stamp =
                LineContext::of(report.as_bytes(), PrevLine::default(), false).kind(report.as_bytes(), stamp.len() - 2);
            assert_eq!(in_stamp, LineKind::Quote, "{report}");
        }
    }

    #[test]
    fn an_error_that_node_prints_in_brackets_is_a_report() {
        let kind_of = |line: &[u8]| LineContext::of(line, PrevLine::default(), false).kind(line, line.len());
        assert_eq!(kind_of(b"[Error: EROFS: read-only file system, open 'a'] {"), LineKind::Report);
        assert_eq!(kind_of(b"if a[0] == b[1] {"), LineKind::Quote);
    }

    proptest::proptest! {
        #[test]
        fn an_aside_is_what_splitting_the_text_before_finds(line in "([a-z/. ]{0,9}(warn|fix|note)?[ :.-]?){0,30}") {
            let line = line.as_bytes();
            let context =
                LineContext { prefix: 0, is_quote: false, is_aside: false, aside_ends: aside_ends(line) };
            for at in 0..=line.len() {
                let mut end = 0;
                let naive = line[..at].split(|b| !is_part(b)).any(|word| {
                    end += word.len() + 1;
                    is_aside_word(word) && at - (end - 1) < ASIDE_REACH_BYTES
                });
                proptest::prop_assert_eq!(context.follows_aside_word(line, at), naive, "{}", at);
            }
        }
    }
}
