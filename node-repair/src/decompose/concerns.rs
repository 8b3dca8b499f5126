//! Splits done-criteria into concerns, each of which can be verified by itself.
//!
//! In: the done-criteria of a task, as prose, bullets or numbered lists. Out: [`Concern`]s in order, without repeats;
//! every word of every criterion is in one of them. A criterion is split into list items, then sentences, then clauses
//! at commas, `and` and `then` where both sides are statements. A clause without a subject takes that of the clause
//! before it. Word lists are in `words.rs`.

use super::words::{Carries, carries, is_vague};
use crate::directive::one_line;

/// One thing that a done-criterion requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concern {
    /// What is asked, in the criterion's own words.
    pub text: String,
    /// Whether something could be measured against it.
    pub verifiable: bool,
}

/// The concerns of the criteria, in order, without repeats. Every word of every criterion is in one of them.
///
/// ```
/// let criteria = ["POST /login returns 200 and sets a cookie; looks good".to_owned()];
/// let concerns = node_repair::decompose::concerns(&criteria);
/// let texts: Vec<&str> = concerns.iter().map(|c| c.text.as_str()).collect();
/// assert_eq!(texts, ["POST /login returns 200", "POST /login sets a cookie", "looks good"]);
/// assert!(!concerns[2].verifiable);
/// ```
#[must_use]
pub fn concerns(criteria: &[String]) -> Vec<Concern> {
    let mut found: Vec<Concern> = Vec::new();
    for criterion in criteria {
        for item in items(criterion) {
            for text in clauses(&item) {
                let text = text.trim_matches(|c: char| c.is_whitespace() || ",;".contains(c)).to_owned();
                let has_words = text.chars().any(char::is_alphanumeric);
                if has_words && !found.iter().any(|c| c.text == text) {
                    found.push(Concern { verifiable: is_verifiable(&text), text });
                }
            }
        }
    }
    found
}

/// Whether something could be measured against `text`: it names a number, code, a path or a quoted text, or it makes no
/// vague wish.
fn is_verifiable(text: &str) -> bool {
    let measurable = text.contains(['`', '"', '/', '<', '>', '=', '%']) || text.chars().any(|c| c.is_ascii_digit());
    measurable || !(text.split_whitespace().any(is_vague) || text.ends_with('?'))
}

/// The lines, bullets, numbered items, sentences and semicolon parts of a criterion. A heading (`The API:`) is repeated
/// before each of its items.
fn items(criterion: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut heading = Heading::default();
    for line in criterion.lines() {
        let line = one_line(line);
        let (texts, listed) = listed(&line);
        if let [text] = texts.as_slice()
            && text.ends_with(':')
            && !listed
        {
            items.extend(heading.replace((*text).to_owned()));
            continue;
        }
        let parts = texts.into_iter().flat_map(separated);
        let parts: Vec<String> = parts.map(|part| heading.joined_with(&part)).collect();
        // A heading is followed by a list, or by the one line that belongs to it.
        if !parts.is_empty() && !listed {
            items.extend(heading.replace(String::new()));
        }
        items.extend(parts);
    }
    items.extend(heading.replace(String::new()));
    items
}

/// The heading above the items, if any.
#[derive(Default)]
struct Heading {
    text: String,
    used: bool,
}

impl Heading {
    /// `item` with the heading before it.
    fn joined_with(&mut self, item: &str) -> String {
        self.used = true;
        if self.text.is_empty() { item.to_owned() } else { format!("{} {item}", self.text) }
    }

    /// Puts another in its place; returns the old one where nothing followed it: then it is a statement of its own.
    fn replace(&mut self, text: String) -> Option<String> {
        let old = std::mem::replace(self, Self { text, used: false });
        (!old.used && !old.text.is_empty()).then_some(old.text)
    }
}

/// What a line lists, without its markers (`-`, `*`, `•`, `[x]`, `1.`, `2)`, `(a)`), and whether it had any. One line may
/// hold a whole numbered list: `(1) a (2) b`.
fn listed(line: &str) -> (Vec<&str>, bool) {
    let mut text = line;
    for marker in ["- ", "* ", "• ", "+ ", "– ", "[ ] ", "[x] ", "[X] "] {
        text = text.strip_prefix(marker).unwrap_or(text).trim_start();
    }
    let bulleted = text.len() != line.len();
    let mut markers: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.char_indices().filter(|(at, _)| *at == 0 || text[..*at].ends_with(' ')) {
        // The line's own marker may be any, further ones count on from the first.
        if let Some((length, ordinal)) = number_marker(&text[at..])
            && (at == 0 || ordinal == markers.len() + 1)
        {
            markers.push((at, length));
        }
    }
    // A single number within a line is no list.
    if markers.len() < 2 {
        markers.retain(|(at, _)| *at == 0);
    }
    let mut texts = vec![&text[..markers.first().map_or(text.len(), |(at, _)| *at)]];
    for (index, (at, length)) in markers.iter().enumerate() {
        let end = markers.get(index + 1).map_or(text.len(), |next| next.0);
        texts.push(&text[at + length..end]);
    }
    let texts = texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).collect();
    (texts, bulleted || !markers.is_empty())
}

/// The length and the place in its list of `1. `, `2) `, `(3) ` or `(a) ` at the start of `text`.
fn number_marker(text: &str) -> Option<(usize, usize)> {
    let open = text.starts_with('(');
    let label = &text[usize::from(open)..];
    let digits = label.bytes().take_while(u8::is_ascii_digit).count();
    let (length, ordinal) = match (digits, label.bytes().next()?) {
        (0, letter @ b'a'..=b'z') if open => (1, usize::from(letter - b'a') + 1),
        (1..=2, _) => (digits, label[..digits].parse().ok()?),
        _ => return None,
    };
    let mut after = label[length..].chars();
    let closed = matches!((after.next()?, open), (')', _) | ('.', false)) && after.next()? == ' ';
    closed.then_some((usize::from(open) + length + 2, ordinal))
}

/// The parts between semicolons, and the sentences.
fn separated(text: &str) -> Vec<String> {
    let outside = outside_quotes(text);
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let ends_sentence = c == '.'
            && after.starts_with(' ')
            && after.trim_start().starts_with(char::is_uppercase)
            && !["e.g", "i.e", "vs", "etc", "cf"].iter().any(|short| text[..at].ends_with(short));
        if at >= start && outside(at) && (c == ';' || ends_sentence) {
            parts.push(text[start..at].trim().to_owned());
            start = at + c.len_utf8();
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The clauses of one statement, taken apart at commas, `and` and `then` where both sides make a statement.
fn clauses(item: &str) -> Vec<String> {
    let pieces = pieces(item);
    let mut clauses: Vec<String> = Vec::new();
    let mut joined = String::new();
    for (index, (separator, piece)) in pieces.iter().enumerate() {
        if index == 0 {
            joined.push_str(piece);
            continue;
        }
        let list_of_objects = pieces.len() == 2 && *separator == " and ";
        match clause_after(&joined, piece, list_of_objects) {
            Some(clause) => {
                clauses.push(std::mem::replace(&mut joined, clause));
            }
            None => {
                joined.push_str(separator);
                joined.push_str(piece);
            }
        }
    }
    clauses.push(joined);
    clauses
}

/// The clause that `piece` makes by itself after the clause `left`; none where it only continues it.
fn clause_after(left: &str, piece: &str, list_of_objects: bool) -> Option<String> {
    let left_words: Vec<&str> = left.split_whitespace().collect();
    let words: Vec<&str> = piece.split_whitespace().collect();
    let (verb_at, verb) = statement(&left_words)?;
    match statement(&words) {
        // `... and sets a cookie`: the subject is the one before.
        Some((0, Carries::Verb { base, noun })) if words.len() > 1 || !noun => {
            let subject = left_words.get(..verb_at).unwrap_or_default().join(" ");
            let modal = if base && verb == Carries::Modal { left_words.get(verb_at).copied() } else { None };
            let prefix: Vec<&str> = [subject.as_str()].into_iter().filter(|s| !s.is_empty()).chain(modal).collect();
            // An instruction after a statement with a subject is one of its own, unless a modal precedes it.
            let prefix = if base && modal.is_none() { String::new() } else { prefix.join(" ") };
            Some(if prefix.is_empty() { piece.to_owned() } else { format!("{prefix} {piece}") })
        }
        Some((0, Carries::Copula | Carries::Modal)) => {
            let subject = left_words.get(..verb_at).unwrap_or_default().join(" ");
            (!subject.is_empty()).then(|| format!("{subject} {piece}"))
        }
        Some((1.., _)) => Some(piece.to_owned()),
        // `Create a model and a migration`: the verb is the one before. `dark and light themes` is one thing.
        None if list_of_objects && verb_at == 0 && matches!(verb, Carries::Verb { base: true, .. }) => {
            let (objects, others) = (left_words.len() - 1, words.len());
            (objects > 0 && (objects >= others)).then(|| format!("{} {piece}", left_words[0]))
        }
        _ => None,
    }
}

/// The word that carries a statement, with its place.
fn statement(words: &[&str]) -> Option<(usize, Carries)> {
    let found = words.iter().enumerate().filter_map(|(at, word)| carries(word).map(|c| (at, c)));
    // A word that may be a noun carries only where nothing surer follows.
    let found: Vec<_> = found.collect();
    // `links work` is a statement, `design work` is none.
    let many_work = |at: usize| {
        let subject = at.checked_sub(1).and_then(|before| words.get(before));
        words[at].eq_ignore_ascii_case("work") && subject.is_some_and(|word| word.ends_with('s'))
    };
    let is_sure = |at: usize, c: Carries| !matches!(c, Carries::Verb { noun: true, .. }) || at == 0 || many_work(at);
    let sure = found.iter().find(|(at, c)| is_sure(*at, *c));
    sure.copied().filter(|(at, c)| words.len() > 1 || !matches!((at, c), (0, Carries::Verb { noun: true, .. })))
}

/// The text between commas, `and` and `then` outside quotes and brackets, each with the separator before it.
fn pieces(item: &str) -> Vec<(&str, &str)> {
    const SEPARATORS: [&str; 6] = [", and then ", ", and ", ", then ", " and then ", " and ", ", "];
    let outside = outside_quotes(item);
    let mut pieces = Vec::new();
    let (mut start, mut before, mut at) = (0, "", 0);
    while at < item.len() {
        let separator = if item.is_char_boundary(at) && outside(at) {
            SEPARATORS.iter().find(|s| item[at..].starts_with(**s))
        } else {
            None
        };
        if let Some(separator) = separator {
            pieces.push((before, &item[start..at]));
            before = separator;
            at += separator.len();
            start = at;
        } else {
            at += 1;
        }
    }
    pieces.push((before, &item[start..]));
    pieces
}

/// Whether a byte offset of `text` is outside quotes, code and brackets.
fn outside_quotes(text: &str) -> impl Fn(usize) -> bool + use<> {
    let mut inside = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match open {
            None if "`\"(“[{".contains(c) => open = Some((at, c)),
            Some((start, opener)) => {
                let closes =
                    matches!((opener, c), ('`', '`') | ('"', '"') | ('(', ')') | ('“', '”') | ('[', ']') | ('{', '}'));
                if closes {
                    inside.push(start..at);
                    open = None;
                }
            }
            None => {}
        }
    }
    move |at| !inside.iter().any(|range| range.contains(&at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(criterion: &str) -> Vec<String> {
        concerns(&[criterion.to_owned()]).into_iter().map(|c| c.text).collect()
    }

    #[test]
    fn lists_of_every_kind() {
        assert_eq!(texts("- a returns 1\n* b returns 2\n• c returns 3"), ["a returns 1", "b returns 2", "c returns 3"]);
        assert_eq!(
            texts("1. a returns 1\n2) b returns 2\n(c) c returns 3"),
            ["a returns 1", "b returns 2", "c returns 3"]
        );
        assert_eq!(texts("- [ ] a returns 1\n- [x] b returns 2"), ["a returns 1", "b returns 2"]);
        assert_eq!(texts("(1) tests pass (2) docs build"), ["tests pass", "docs build"]);
        assert_eq!(texts("Done when: 1. tests pass 2. docs build"), ["Done when:", "tests pass", "docs build"]);
        assert_eq!(
            texts("The API:\n- returns 200\n- logs the call"),
            ["The API: returns 200", "The API: logs the call"]
        );
        assert_eq!(texts("tests pass; docs build"), ["tests pass", "docs build"]);
        assert_eq!(
            texts("Login works. Logout works, e.g. Admins too."),
            ["Login works", "Logout works, e.g. Admins too."]
        );
    }

    #[test]
    fn several_verbs_are_several_concerns() {
        assert_eq!(texts("login page renders and form validates"), ["login page renders", "form validates"]);
        assert_eq!(
            texts("POST /login returns 200 and sets a cookie"),
            ["POST /login returns 200", "POST /login sets a cookie"]
        );
        assert_eq!(
            texts("the job reads the queue, writes a file, and then exits 0"),
            ["the job reads the queue", "the job writes a file", "the job exits 0"]
        );
        assert_eq!(
            texts("users can log in and reset the password"),
            ["users can log in", "users can reset the password"]
        );
        assert_eq!(texts("Create the model and run the migration"), ["Create the model", "run the migration"]);
        assert_eq!(texts("Create a model and a migration"), ["Create a model", "Create a migration"]);
        assert_eq!(texts("the row is stored and is indexed"), ["the row is stored", "the row is indexed"]);
        assert_eq!(
            texts("Login works and tokens refresh; sessions expire"),
            ["Login works", "tokens refresh", "sessions expire"]
        );
        assert_eq!(texts("links work and forms submit"), ["links work", "forms submit"]);
        assert_eq!(
            texts("keys rotate, tokens refresh and old ones expire"),
            ["keys rotate", "tokens refresh", "old ones expire"]
        );
    }

    #[test]
    fn one_concern_stays_one() {
        for one in [
            "unit and integration tests pass",
            "Support dark and light themes",
            "users and admins can log in",
            "unit tests and lint checks pass",
            "cache updates and price reports load",
            "the design work and the tests are finished",
            "`cargo build && cargo test` exits 0",
            "prints \"created and stored\"",
            "GET /a returns id, name, and price",
            "the page shows (name and price)",
        ] {
            assert_eq!(texts(one), [one]);
        }
    }

    #[test]
    fn wishes_are_flagged() {
        let flagged = |text: &str| concerns(&[text.to_owned()]).iter().any(|c| !c.verifiable);
        for wish in
            ["the code is clean", "works well", "good UX", "properly tested", "as fast as possible", "is it nice?"]
        {
            assert!(flagged(wish), "{wish}");
        }
        for sound in
            ["`make lint` is clean", "p95 is under 200 ms", "README.md exists", "loads fast: < 2 s", "login works"]
        {
            assert!(!flagged(sound), "{sound}");
        }
    }

    #[test]
    fn nothing_gives_nothing_and_repeats_count_once() {
        assert!(texts(" \n - \n;;").is_empty());
        assert_eq!(texts("tests pass\ntests pass"), ["tests pass"]);
    }
}
