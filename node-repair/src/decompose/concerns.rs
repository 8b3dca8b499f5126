//! A done-criterion into its concerns: what can be verified by itself.

use super::words::{Carries, carries, is_vague};
use crate::directive::one_line;

/// One thing that a done-criterion asks for.
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
                let says_something = text.chars().any(char::is_alphanumeric);
                if says_something && !found.iter().any(|c| c.text == text) {
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
    let mut items = Vec::new();
    let mut heading = String::new();
    for line in criterion.lines() {
        let (text, listed) = without_marker(line.trim());
        let text = one_line(text);
        if text.is_empty() {
            continue;
        }
        if text.ends_with(':') && !listed {
            // A heading that no item followed still says something.
            if !heading.is_empty() {
                items.push(std::mem::take(&mut heading));
            }
            heading = text;
            continue;
        }
        let parts = enumerated(&text).into_iter().flat_map(|part| separated(&part)).collect::<Vec<_>>();
        if heading.is_empty() {
            items.extend(parts);
        } else {
            items.extend(parts.into_iter().map(|part| format!("{heading} {part}")));
            if !listed {
                heading.clear();
            }
        }
    }
    if !heading.is_empty() && !items.iter().any(|item| item.starts_with(&heading)) {
        items.push(heading);
    }
    items
}

/// A line without its list marker (`-`, `*`, `•`, `[x]`, `1.`, `2)`, `(a)`), and whether there was one.
fn without_marker(line: &str) -> (&str, bool) {
    let mut rest = line;
    for bullet in ["- ", "* ", "• ", "+ ", "– "] {
        rest = rest.strip_prefix(bullet).unwrap_or(rest).trim_start();
    }
    for checkbox in ["[ ] ", "[x] ", "[X] "] {
        rest = rest.strip_prefix(checkbox).unwrap_or(rest).trim_start();
    }
    if let Some(length) = number_marker(rest) {
        rest = rest[length..].trim_start();
    }
    (rest, rest.len() != line.len())
}

/// The length of `1. `, `2) `, `(3) ` or `(a) ` at the start of `text`.
fn number_marker(text: &str) -> Option<usize> {
    let open = text.starts_with('(');
    let label = &text[usize::from(open)..];
    let digits = label.bytes().take_while(u8::is_ascii_digit).count();
    let length = match digits {
        0 if open && label.as_bytes().first().is_some_and(u8::is_ascii_lowercase) => 1,
        1..=2 => digits,
        _ => return None,
    };
    let mut after = label[length..].chars();
    let closed = matches!((after.next()?, open), (')', _) | ('.', false)) && after.next()? == ' ';
    closed.then_some(usize::from(open) + length + 2)
}

/// The items of a numbered list within one line: `(1) a (2) b`, `1. a 2. b`.
fn enumerated(text: &str) -> Vec<String> {
    let starts: Vec<(usize, usize)> = text
        .char_indices()
        .filter(|(at, _)| *at == 0 || text[..*at].ends_with(' '))
        .filter_map(|(at, _)| number_marker(&text[at..]).map(|length| (at, length)))
        .collect();
    if starts.len() < 2 {
        return vec![text.to_owned()];
    }
    let mut items = vec![text[..starts[0].0].trim().to_owned()];
    for (index, (at, length)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(text.len(), |next| next.0);
        items.push(text[at + length..end].trim().to_owned());
    }
    items.retain(|item| !item.is_empty());
    items
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

/// What `piece` says by itself after the clause `left`; none where it only continues it.
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
            // An instruction after a statement with a subject is one of its own, unless a modal stands before it.
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
    let sure = found.iter().find(|(at, c)| !matches!(c, Carries::Verb { noun: true, .. }) || *at == 0);
    sure.copied().filter(|(at, c)| words.len() > 1 || !matches!((at, c), (0, Carries::Verb { noun: true, .. })))
}

/// The text between commas, `and` and `then` that stand outside quotes and brackets, each with what stood before it.
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

/// Tells whether a byte offset of `text` stands outside quotes, code and brackets.
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
