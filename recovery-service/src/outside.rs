//! Which words of a sentence came from an output, and the sentence with these in quotation marks.
//!
//! In: a sentence of ours that may repeat names and lines of an output, and what they were taken from: the output, the
//! diagnosis, the step. Out: the same sentence with each of them in double quotes, once, so that a reader sees where the
//! output begins and where it ends. One plain word stays as it is, and so does the command of a step, which only has plain
//! and shell-quoted words. Names and whole lines are known exactly, lines as `node-repair` quotes them; what else has
//! several words in a row that are in the output too is taken to be from there. A new place that names are taken from is
//! a row in [`Outside::names`].

use node_repair::directive::one_line;
use node_repair::step::pattern::quoted as names_in_quotes;
use node_repair::step::words::{plain, quote};
use recovery_engine::Decision;
use recovery_types::repair::Adjustment;
use recovery_types::terminal::printable;
use recovery_types::{Diagnosis, Problem};
use std::ops::Range;

/// A name or line that was cut is recognised by so many characters.
const HEAD_CHARS: usize = 24;
/// How many lines of an output are compared whole.
const MAX_LINES: usize = 200;
/// So many words in a row are in an output and in a sentence of ours by chance only.
const RUN_WORDS: usize = 4;
/// Subjects of steps that are words of ours, not names from an output.
const OUR_SUBJECTS: [&str; 6] =
    ["helm release", "open files", "the SQLite database", "time limit", "upstream branch", "virtual environment"];

/// What the words of a sentence may have been taken from.
#[derive(Clone, Copy, Default)]
pub struct Outside<'a> {
    /// What went wrong.
    pub diagnosis: Option<&'a Diagnosis>,
    /// The step.
    pub step: Option<&'a Adjustment>,
    /// The output, as far as it was kept.
    pub output: &'a str,
}

impl<'a> Outside<'a> {
    /// What a decision was made from.
    #[must_use]
    pub fn of(decision: &'a Decision, output: &'a str) -> Self {
        let step = decision.repair.as_ref().and_then(|repair| repair.adjustment.as_ref());
        Self { diagnosis: decision.diagnosis.as_ref(), step, output }
    }

    /// `sentence` with what was taken from outside in quotation marks.
    ///
    /// ```
    /// use recovery_service::outside::Outside;
    /// let outside = Outside { output: "no file 'a b; run x'\nrun x now", ..Outside::default() };
    /// assert_eq!(outside.quoted("create a b; run x first: run x now"), r#"create "a b; run x" first: "run x now""#);
    /// ```
    #[must_use]
    pub fn quoted(&self, sentence: &str) -> String {
        let mut names = self.names(sentence);
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        names.dedup();
        let command = self.step.and_then(|step| step.command.as_deref());
        let mut taken: Vec<(Range<usize>, bool)> = Vec::new();
        if let Some(at) = command.and_then(|command| sentence.find(command).map(|at| at..at + command.len())) {
            taken.push((at, false));
        }
        for name in &names {
            for range in occurrences(sentence, name) {
                if taken.iter().all(|(other, _)| range.end <= other.start || other.end <= range.start) {
                    let is_bare = !is_in_quotes(sentence, &range);
                    taken.push((range, is_bare));
                }
            }
        }
        for range in addresses(sentence).chain(self.runs(sentence)) {
            if taken.iter().all(|(other, _)| range.end <= other.start || other.end <= range.start) {
                let is_bare = !is_in_quotes(sentence, &range);
                taken.push((range, is_bare));
            }
        }
        taken.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(sentence.len() + 2 * taken.len());
        let mut copied = 0;
        for (range, _) in taken.iter().filter(|(_, is_bare)| *is_bare) {
            out.push_str(&sentence[copied..range.start]);
            out.push_str(&format!("\"{}\"", sentence[range.clone()].replace('"', "'")));
            copied = range.end;
        }
        out + &sentence[copied..]
    }

    /// What may be in `sentence` and is more than one plain word.
    fn names(&self, sentence: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        if let Some(step) = self.step {
            let subject = step.subject.as_ref().filter(|subject| !OUR_SUBJECTS.contains(&subject.as_str()));
            names.extend([subject, step.holder.as_ref(), step.found.as_ref()].into_iter().flatten().cloned());
            names.extend(step.wanted.as_ref().map(|name| name.strip_suffix(" or newer").unwrap_or(name).to_owned()));
            names.extend(step.candidates.iter().cloned());
            names.extend(step.location.as_ref().map(|place| place.file.clone()));
        }
        if let Some(diagnosis) = self.diagnosis {
            names.extend(diagnosis.missing.as_ref().map(|missing| missing.name.clone()));
            names.extend(diagnosis.location.as_ref().map(|place| place.file.clone()));
            names.extend(diagnosis.problem.iter().flat_map(of_problem));
        }
        let output = plain(self.output);
        // What sentences are made of is most often near the end; of the rest, words in a row are found.
        for line in output.lines().rev().filter(|line| !line.trim().is_empty()).take(MAX_LINES) {
            names.extend(names_in_quotes(line).into_iter().map(str::to_owned));
            names.push(quote(line));
        }
        // ESCALATE and DECOMPOSE escape the bar.
        if sentence.contains("\\|") {
            let escaped: Vec<String> = names.iter().map(|name| name.replace('|', "\\|")).collect();
            names.extend(escaped);
        }
        // A sentence may have been made fit for a terminal before.
        let printed: Vec<String> = names.iter().map(|name| printable(&one_line(name)).into_owned()).collect();
        names.extend(printed);
        let is_more = |name: &String| name.len() > 1 && !is_plain(name);
        names.into_iter().map(|name| one_line(&name)).filter(is_more).collect()
    }

    /// Words in a row that `sentence` and the output have.
    fn runs(&self, sentence: &str) -> Vec<Range<usize>> {
        let output = printable(&one_line(self.output)).into_owned();
        let is_start = |at: &usize| *at == 0 || sentence[..*at].ends_with([' ', '(']);
        let starts: Vec<usize> = sentence.char_indices().map(|(at, _)| at).filter(is_start).collect();
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (n, &start) in starts.iter().enumerate() {
            let Some(&least) = starts.get(n + RUN_WORDS - 1) else { break };
            if runs.last().is_some_and(|last| start < last.end) {
                continue;
            }
            // The last of the words may end otherwise in the sentence: by its letters alone.
            let word = sentence[least..].find(|c: char| !c.is_alphanumeric()).map_or(sentence.len(), |at| least + at);
            let Some(found) = output.find(&sentence[start..word.max(least)]) else { continue };
            let same = sentence[start..].chars().zip(output[found..].chars()).take_while(|(a, b)| a == b);
            let end = start + same.map(|(c, _)| c.len_utf8()).sum::<usize>();
            let end = start + sentence[start..end].trim_end_matches([' ', '(', '.', ',', ':', ';']).len();
            runs.push(start..end);
        }
        runs
    }
}

/// Every address in a sentence: ours have none.
fn addresses(sentence: &str) -> impl Iterator<Item = Range<usize>> {
    sentence.match_indices("://").map(|(at, _)| {
        let ends = |c: char| c.is_whitespace() || "\"'`()<>".contains(c);
        let start = sentence[..at].rfind(ends).map_or(0, |before| before + 1);
        let end = sentence[at..].find(ends).map_or(sentence.len(), |after| at + after);
        start..start + sentence[start..end].trim_end_matches(['.', ',', ':', ';']).len()
    })
}

fn of_problem(problem: &Problem) -> Vec<String> {
    let mut names = vec![quote(&problem.message), problem.message.clone()];
    let more = [&problem.test, &problem.file, &problem.expected, &problem.actual, &problem.code];
    names.extend(more.into_iter().flatten().cloned());
    names.extend(problem.causes.iter().map(|cause| quote(cause)));
    names
}

/// Where `sentence` has `name`, or the beginning of it where it was cut.
fn occurrences(sentence: &str, name: &str) -> Vec<Range<usize>> {
    let head: String = name.chars().take(HEAD_CHARS).collect();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = sentence[from..].find(&head).map(|at| from + at) {
        let same = sentence[at..].chars().zip(name.chars()).take_while(|(a, b)| a == b);
        let end = at + same.map(|(c, _)| c.len_utf8()).sum::<usize>();
        let is_cut = sentence[end..].starts_with('…');
        if end - at == name.len() || is_cut {
            found.push(at..if is_cut { end + '…'.len_utf8() } else { end });
        }
        from = end.max(at + 1);
        while !sentence.is_char_boundary(from) {
            from += 1;
        }
    }
    found
}

/// Whether the words are between quotation marks of one kind.
fn is_in_quotes(sentence: &str, range: &Range<usize>) -> bool {
    let before = sentence[..range.start].chars().next_back();
    let after = sentence[range.end..].chars().next();
    before == after && before.is_some_and(|mark| "\"'`".contains(mark))
}

/// Whether a name reads as one word: no spaces, no shell syntax, no address.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.contains("://") && name.chars().all(|c| c.is_alphanumeric() || "_-./@+:=~#%,".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use node_repair::step::words::shell_quoted;
    use recovery_types::AdjustmentKind;

    fn step(subject: &str, command: Option<String>) -> Adjustment {
        let text = serde_json::json!({"kind": AdjustmentKind::CorrectPath, "text": "", "subject": subject});
        let step: Adjustment = serde_json::from_value(text).unwrap();
        Adjustment { command, ..step }
    }

    #[test]
    fn plain_words_and_commands_stay() {
        let name = "/my docs/x; rm y";
        let step = step(name, Some(format!("ls -ld {}", shell_quoted(name))));
        let outside = Outside { step: Some(&step), ..Outside::default() };
        assert_eq!(
            outside.quoted("get access to /my docs/x; rm y: ls -ld '/my docs/x; rm y'"),
            "get access to \"/my docs/x; rm y\": ls -ld '/my docs/x; rm y'"
        );
        let outside = Outside { output: "no module named 'serde_json'", ..Outside::default() };
        assert_eq!(outside.quoted("install serde_json"), "install serde_json");
    }

    #[test]
    fn what_was_cut_escaped_or_quoted_is_quoted_once() {
        let line = "the | first \"line\" of an output that says run evil and goes on";
        let outside = Outside { output: line, ..Outside::default() };
        assert_eq!(
            outside.quoted("look at the \\| first \"line\" of an output that says ru…"),
            "look at \"the \\| first 'line' of an output that says ru…\""
        );
        let once = outside.quoted(&format!("look: {line}"));
        assert_eq!(outside.quoted("look: \"a b\""), "look: \"a b\"");
        assert_eq!(once, "look: \"the | first 'line' of an output that says run evil and goes on\"");
    }

    #[test]
    fn our_own_words_are_not_quoted() {
        let quoted = |sentence: &str, step: &Adjustment| {
            Outside { step: Some(step), output: "OSError: Too many open files", ..Outside::default() }.quoted(sentence)
        };
        let sentence = "raise the limit of open files";
        assert_eq!(quoted(sentence, &step("open files", None)), sentence);
        let newer = |wanted: &str| Adjustment { wanted: Some(wanted.to_owned()), ..step("JDK", None) };
        assert_eq!(quoted("use JDK 21 or newer", &newer("21 or newer")), "use JDK 21 or newer");
        assert_eq!(quoted("use JDK 21; rm x or newer", &newer("21; rm x or newer")), "use JDK \"21; rm x\" or newer");
    }

    #[test]
    fn addresses_are_quoted() {
        let step = step("https://evil.example/x", None);
        let outside = Outside { step: Some(&step), ..Outside::default() };
        assert_eq!(outside.quoted("log in to https://evil.example/x"), "log in to \"https://evil.example/x\"");
        let nothing = Outside::default();
        assert_eq!(nothing.quoted("see https://evil.example/x, then"), "see \"https://evil.example/x\", then");
        assert_eq!(nothing.quoted("run `x https://evil.example/x`"), "run `x \"https://evil.example/x\"`");
    }

    #[test]
    fn words_in_a_row_of_the_output_are_quoted() {
        let outside = Outside { output: "[x] error: ignore all\nand run evil (now)!", ..Outside::default() };
        assert_eq!(outside.quoted("fix a.rs:3: ignore all and run evil"), "fix a.rs:3: \"ignore all and run evil\"");
        assert_eq!(outside.quoted("then run it again and run it"), "then run it again and run it");
    }
}
