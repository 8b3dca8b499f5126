//! Message templates: literal text with holes, matched within one line.
//!
//! `{}` is any text, `{w}` text without space, `{n}` digits. A template is looked for by its first literal with a
//! substring search, so a table of them costs nothing to build and little to try.

use memchr::memmem;

/// A template such as `No module named '{}'`.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    template: &'static str,
    /// The offset of its first literal.
    anchor: (usize, usize),
}

/// Where a template matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit<'t> {
    /// What its holes matched, trimmed.
    pub captures: Vec<&'t str>,
    /// The offset of its first literal, in bytes.
    pub offset: usize,
    /// The line it is on.
    pub line: &'t str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hole {
    Text,
    Word,
    Digits,
}

/// The longest text a hole may hold; more is not a name.
const MAX_HOLE_BYTES: usize = 300;

impl Pattern {
    /// A template.
    #[must_use]
    pub const fn new(template: &'static str) -> Self {
        let bytes = template.as_bytes();
        let mut start = 0;
        if !bytes.is_empty() && bytes[0] == b'{' {
            while start < bytes.len() && bytes[start] != b'}' {
                start += 1;
            }
            start += 1;
        }
        let mut end = start;
        while end < bytes.len() && bytes[end] != b'{' {
            end += 1;
        }
        Self { template, anchor: (start, end) }
    }

    /// The first match in `text`.
    #[must_use]
    pub fn first<'t>(&self, text: &'t str) -> Option<Hit<'t>> {
        self.all(text).next()
    }

    /// Whether `text` holds the template's first literal; no is certain.
    #[must_use]
    pub fn may_occur_in(&self, text: &str) -> bool {
        let (start, end) = self.anchor;
        let (text, anchor) = (text.as_bytes(), &self.template.as_bytes()[start..end]);
        let Some(first) = anchor.first() else { return true };
        // There are hundreds of templates and the text is short, so no searcher is prepared.
        memchr::memchr_iter(*first, text).any(|at| text[at..].starts_with(anchor))
    }

    /// Every match in `text`, in order.
    pub fn all<'t>(&self, text: &'t str) -> impl Iterator<Item = Hit<'t>> + use<'t> {
        let (before, anchor, rest) = self.parts();
        let offsets = memmem::find_iter(text.as_bytes(), anchor);
        offsets.filter_map(move |offset| match_at(text, offset, before, anchor, rest))
    }

    /// The hole before the first literal, that literal, and what follows.
    fn parts(&self) -> (Option<Hole>, &'static str, &'static str) {
        let (start, end) = self.anchor;
        let before = leading_hole(&self.template[..start]).map(|(hole, _)| hole);
        (before, &self.template[start..end], &self.template[end..])
    }
}

/// The names in a list as tools print it: quoted ones where there are any, else words between commas.
#[must_use]
pub fn names_in(list: &str) -> Vec<String> {
    let quoted = quoted(list);
    let names: Vec<&str> = if quoted.is_empty() {
        let listed =
            list.split([',', ' ']).map(|w| w.trim_matches(|c: char| !c.is_alphanumeric() && !"_(){}".contains(c)));
        listed.filter(|w| !w.is_empty() && !matches!(*w, "and" | "or" | "more")).collect()
    } else {
        quoted
    };
    names.into_iter().map(str::to_owned).collect()
}

/// The texts between quotes of any kind, in order.
#[must_use]
pub fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((start, open)) = rest.char_indices().find(|(_, c)| closing(*c).is_some()) {
        let inner = &rest[start + open.len_utf8()..];
        let Some(close) = closing(open) else { break };
        let Some(end) = inner.find(close) else {
            rest = inner;
            continue;
        };
        let name = inner[..end].trim();
        if !name.is_empty() && name.len() <= MAX_HOLE_BYTES {
            found.push(name);
        }
        let after = inner[end..].chars().next().map_or(end, |c| end + c.len_utf8());
        rest = &inner[after..];
    }
    found
}

const fn closing(open: char) -> Option<&'static [char]> {
    match open {
        '\'' => Some(&['\'']),
        '"' => Some(&['"']),
        '`' => Some(&['`', '\'']),
        '‘' => Some(&['’']),
        '“' => Some(&['”']),
        _ => None,
    }
}

fn leading_hole(template: &str) -> Option<(Hole, &str)> {
    let holes = [("{}", Hole::Text), ("{w}", Hole::Word), ("{n}", Hole::Digits)];
    holes.iter().find_map(|(mark, hole)| template.strip_prefix(mark).map(|rest| (*hole, rest)))
}

fn match_at<'t>(
    text: &'t str,
    offset: usize,
    before: Option<Hole>,
    anchor: &str,
    mut rest: &'static str,
) -> Option<Hit<'t>> {
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let mut captures = Vec::new();
    if let Some(hole) = before {
        let head = &text[line_start..offset];
        let head = match hole {
            Hole::Text => head,
            Hole::Word => &head[head.rfind(char::is_whitespace).map_or(0, |at| next_char(head, at))..],
            Hole::Digits => &head[head.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| next_char(head, at))..],
        };
        captures.push(fitting(hole, head)?);
    }
    let mut tail = text[(offset + anchor.len()).min(line_end)..line_end].trim_end_matches('\r');
    while let Some((hole, after)) = leading_hole(rest) {
        let literal_end = after.find('{').unwrap_or(after.len());
        let literal = &after[..literal_end];
        let end = if literal.is_empty() { run(hole, tail) } else { position(tail, literal)? };
        captures.push(fitting(hole, &tail[..end])?);
        tail = &tail[end + literal.len()..];
        rest = &after[literal_end..];
    }
    Some(Hit { captures, offset, line })
}

/// Where a few bytes occur in the rest of a line. Both are short, so no searcher is prepared.
fn position(text: &str, literal: &str) -> Option<usize> {
    text.as_bytes().windows(literal.len()).position(|part| part == literal.as_bytes())
}

fn next_char(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(at, |c| at + c.len_utf8())
}

/// How far a last hole reaches.
fn run(hole: Hole, tail: &str) -> usize {
    let end = match hole {
        Hole::Text => None,
        Hole::Word => tail.find(char::is_whitespace),
        Hole::Digits => tail.find(|c: char| !c.is_ascii_digit()),
    };
    end.unwrap_or(tail.len())
}

fn fitting(hole: Hole, text: &str) -> Option<&str> {
    let text = text.trim();
    let fits = match hole {
        Hole::Text => true,
        Hole::Word => !text.contains(char::is_whitespace),
        Hole::Digits => text.bytes().all(|b| b.is_ascii_digit()),
    };
    (fits && !text.is_empty() && text.len() <= MAX_HOLE_BYTES).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn captures(template: &'static str, text: &'static str) -> Option<Vec<&'static str>> {
        Pattern::new(template).first(text).map(|hit| hit.captures)
    }

    #[test]
    fn holes_hold_what_stands_between_the_literals() {
        assert_eq!(captures("No module named '{}'", "x\nE  No module named 'a.b'\n"), Some(vec!["a.b"]));
        assert_eq!(captures("{w}: command not found", "bash: line 1: foo: command not found"), Some(vec!["foo"]));
        assert_eq!(captures("bash: {}: command not found", "bash: foo: command not found"), Some(vec!["foo"]));
        assert_eq!(captures("port {n}", "on port 8080."), Some(vec!["8080"]));
        assert_eq!(captures("want {w}, got {}", "want 1.2, got 3 4\r\nx"), Some(vec!["1.2", "3 4"]));
        assert_eq!(captures("a{}b", "a\nb"), None);
        assert_eq!(captures("port {n}", "port abc, port 9"), Some(vec!["9"]));
    }

    #[test]
    fn a_literal_without_holes_matches_too() {
        assert_eq!(captures("disk full", "the disk full"), Some(vec![]));
    }

    #[test]
    fn lists_of_names() {
        assert_eq!(names_in("`a`, `b`"), ["a", "b"]);
        assert_eq!(names_in("'fly', 'swim'"), ["fly", "swim"]);
        assert_eq!(names_in("a, b and c"), ["a", "b", "c"]);
        assert_eq!(names_in(" , "), [""; 0]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(\\PC|[\r\n'`‘\"]|port |: ){0,40}") {
            for template in ["{w}: {}", "port {n}", "{}'{}'", "{n} {w}", "‘{}’"] {
                let pattern = Pattern::new(template);
                for hit in pattern.all(&text) {
                    prop_assert!(hit.captures.iter().all(|c| !c.is_empty() && text.contains(c)));
                }
            }
            let _ = quoted(&text);
            let _ = names_in(&text);
        }
    }
}
