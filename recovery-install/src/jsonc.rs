//! Changing JSON text in place: only the bytes of a change move, so comments, order and layout of a person's settings
//! stay as they are. Comments and trailing commas are read as the agents' own parsers read them.
//!
//! `jsonc-parser` parses the text and gives the position of everything. Its own editing tree (`cst`) is not used: it lays an object
//! on one line out anew when something is added, and removing that does not give back the bytes (tried with 0.34).

use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::ParseError;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// What the agents' own parsers take: comments and trailing commas, and nothing else that JSON has not.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A JSON text that was read, with the place of everything in it.
pub(crate) struct Document<'a> {
    text: &'a str,
    root: Node,
}

/// Why a text is no JSON, and where.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Broken(String);

impl From<ParseError> for Broken {
    fn from(error: ParseError) -> Self {
        Self(error.to_string())
    }
}

/// A value and its span.
struct Node {
    span: Range<usize>,
    kind: Kind,
}

enum Kind {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar(Value),
}

struct Member {
    start: usize,
    key: String,
    value: Node,
}

impl Node {
    /// `begin` is where in `text` the parsed part begins.
    fn new(value: &ast::Value<'_>, text: &str, begin: usize) -> Result<Self, Broken> {
        let span = value.start() + begin..value.end() + begin;
        let kind = match value {
            ast::Value::Object(object) => {
                let member = |property: &ast::ObjectProp<'_>| {
                    let key = property.name.as_str().to_owned();
                    Ok(Member { start: property.start() + begin, key, value: Self::new(&property.value, text, begin)? })
                };
                Kind::Object(object.properties.iter().map(member).collect::<Result<_, Broken>>()?)
            }
            ast::Value::Array(array) => {
                let items = array.elements.iter().map(|item| Self::new(item, text, begin));
                Kind::Array(items.collect::<Result<_, Broken>>()?)
            }
            // The parser takes strings over several lines, which the agents do not.
            _ => Kind::Scalar(serde_json::from_str(&text[span.clone()]).map_err(|error| {
                let line = text[..span.start].matches('\n').count() + 1;
                Broken(format!("Invalid value on line {line}: {error}"))
            })?),
        };
        Ok(Self { span, kind })
    }

    fn value(&self) -> Value {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|m| (m.key.clone(), m.value.value())).collect(),
            Kind::Array(items) => items.iter().map(Self::value).collect(),
            Kind::Scalar(value) => value.clone(),
        }
    }

    /// Where each member or item begins and ends.
    fn parts(&self) -> Vec<Range<usize>> {
        match &self.kind {
            Kind::Object(members) => members.iter().map(|m| m.start..m.value.span.end).collect(),
            Kind::Array(items) => items.iter().map(|item| item.span.clone()).collect(),
            Kind::Scalar(_) => Vec::new(),
        }
    }
}

impl<'a> Document<'a> {
    /// Reads `text`; a blank text is an empty object.
    pub fn parse(text: &'a str) -> Result<Self, Broken> {
        let begin = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
        let parsed = parse_to_ast(&text[begin..], &CollectOptions::default(), &OPTIONS)?;
        refuse_other_blanks(text, begin)?;
        let end = text.len();
        let blank = Node { span: end..end, kind: Kind::Object(Vec::new()) };
        let root = parsed.value.map_or(Ok(blank), |value| Node::new(&value, text, begin))?;
        Ok(Self { text, root })
    }

    /// The value at `path`.
    pub fn get(&self, path: &[&str]) -> Option<Value> {
        self.find(path).map(Node::value)
    }

    /// What blocks `path`: the first part of it that is there and is no object.
    pub fn obstacle(&self, path: &[&str]) -> Option<String> {
        (0..path.len()).map(|n| &path[..n]).find_map(|above| {
            let node = self.find(above)?;
            (!matches!(node.kind, Kind::Object(_))).then(|| above.join("."))
        })
    }

    /// The text with `value` at `path`, objects above it made where there are none.
    pub fn with(&self, path: &[&str], value: &impl Serialize) -> String {
        if let Some(node) = self.find(path) {
            let indent = self.indentation(node.span.start);
            let shown = self.pretty(value, &indent);
            return self.spliced(node.span.clone(), &shown);
        }
        let known = (0..path.len()).rev().find(|n| self.find(&path[..*n]).is_some()).unwrap_or(0);
        let (Some(node), Some((key, below))) = (self.find(&path[..known]), path[known..].split_first()) else {
            return self.text.to_owned();
        };
        let nested = below.iter().rev().fold(to_value(value), |inner, key| serde_json::json!({ *key: inner }));
        // A value that is not nested keeps the order of its fields.
        if below.is_empty() { self.added(node, Some(key), value) } else { self.added(node, Some(key), &nested) }
    }

    /// The text with `item` at the end of the array at `path`, which must be there.
    pub fn with_item(&self, path: &[&str], item: &impl Serialize) -> String {
        self.find(path).map_or_else(|| self.text.to_owned(), |node| self.added(node, None, item))
    }

    /// The text without the member at `path`.
    pub fn without(&self, path: &[&str]) -> String {
        let Some((key, above)) = path.split_last() else { return self.text.to_owned() };
        let Some(Node { kind: Kind::Object(members), .. }) = self.find(above) else { return self.text.to_owned() };
        let Some(index) = members.iter().rposition(|member| member.key == *key) else { return self.text.to_owned() };
        self.find(above).map_or_else(|| self.text.to_owned(), |node| self.removed(node, index))
    }

    /// The text without item `index` of the array at `path`.
    pub fn without_item(&self, path: &[&str], index: usize) -> String {
        self.find(path).map_or_else(|| self.text.to_owned(), |node| self.removed(node, index))
    }

    fn find(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, key| match &node.kind {
            // Of two members with the same key the last one counts, as in the agents' parsers.
            Kind::Object(members) => members.iter().rev().find(|m| m.key == *key).map(|m| &m.value),
            Kind::Array(items) => items.get(key.parse::<usize>().ok()?),
            Kind::Scalar(_) => None,
        })
    }

    fn added(&self, node: &Node, key: Option<&str>, value: &impl Serialize) -> String {
        let (open, close) = match node.kind {
            Kind::Object(_) => ('{', '}'),
            Kind::Array(_) => ('[', ']'),
            Kind::Scalar(_) => return self.text.to_owned(),
        };
        let label = |colon: &str| key.map(|key| format!("{}{colon}", Value::from(key))).unwrap_or_default();
        let outer = self.indentation(node.span.start);
        let inner = format!("{outer}{}", self.unit());
        let Some(last) = node.parts().pop() else {
            let shown = format!("{}{}", label(": "), self.pretty(value, &inner));
            let block = format!("{open}\n{inner}{shown}\n{outer}{close}");
            let is_blank = node.span.is_empty();
            // A file that is only a comment may end within its line.
            let start = if is_blank && self.text.contains("//") && !self.text.ends_with('\n') { "\n" } else { "" };
            let end = if is_blank { "\n" } else { "" };
            return self.spliced(node.span.clone(), &format!("{start}{block}{end}"));
        };
        let comma = if self.comma_after(last.end, node.span.end).is_some() { "" } else { "," };
        if !self.text[node.span.clone()].contains('\n') {
            let compact = serde_json::to_string(value).unwrap_or_default();
            // Behind a trailing comma that is there already.
            let at = self.comma_after(last.end, node.span.end).map_or(last.end, |comma| comma + 1);
            return self.spliced(at..at, &format!("{comma} {}{compact}", label(": ")));
        }
        let before_close = self.text[..node.span.end - 1].trim_end().len();
        let shown = format!("\n{inner}{}{}", label(": "), self.pretty(value, &inner));
        format!(
            "{}{comma}{}{shown}{}",
            &self.text[..last.end],
            &self.text[last.end..before_close],
            &self.text[before_close..]
        )
    }

    fn removed(&self, node: &Node, index: usize) -> String {
        let parts = node.parts();
        let Some(part) = parts.get(index) else { return self.text.to_owned() };
        let mut start = self.text[..part.start].trim_end().len();
        let mut end = part.end;
        let is_last = index + 1 == parts.len();
        let following = self.comma_after(part.end, node.span.end);
        if let Some(comma) = following {
            end = comma + 1;
        }
        if parts.len() == 1 && self.text[end..node.span.end - 1].trim().is_empty() {
            end = node.span.end - 1;
        }
        if !self.text[end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            // A comment to the end of its line keeps that end, or it would swallow what comes next.
            let gap = index.checked_sub(1).map_or(node.span.start + 1, |before| parts[before].end);
            start = start.max(self.line_comments_end(gap, part.start));
        }
        // The comma between the one before and this one is removed too, unless a later one still needs it.
        let before = is_last.then(|| index.checked_sub(1)).flatten().map(|i| parts[i].end);
        match before.and_then(|from| self.comma_after(from, part.start)) {
            Some(comma) => {
                let (kept, between) = (&self.text[..comma], &self.text[comma + 1..start.max(comma + 1)]);
                format!("{kept}{between}{}", &self.text[end..])
            }
            None => self.spliced(start..end, ""),
        }
    }

    /// The first comma from `from` on, with nothing but blanks and comments before it.
    fn comma_after(&self, from: usize, until: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let rest = &self.text[at..until];
            if rest.starts_with("//") {
                at += rest.find('\n')?;
            } else if rest.starts_with("/*") {
                at += rest.find("*/")? + 2;
            } else if rest.starts_with([' ', '\t', '\n', '\r']) {
                at += 1;
            } else {
                return rest.starts_with(',').then_some(at);
            }
        }
    }

    /// Where the line of the last `//` comment in a stretch of blanks, commas and comments ends.
    fn line_comments_end(&self, from: usize, until: usize) -> usize {
        let (mut at, mut end) = (from, from);
        while at < until {
            let rest = &self.text[at..until];
            if rest.starts_with("//") {
                at += rest.find('\n').map_or(rest.len(), |newline| newline + 1);
                end = at;
            } else if rest.starts_with("/*") {
                at += rest.find("*/").map_or(rest.len(), |close| close + 2);
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        end
    }

    fn spliced(&self, span: Range<usize>, with: &str) -> String {
        format!("{}{with}{}", &self.text[..span.start], &self.text[span.end..])
    }

    /// What the line begins with that holds `at`.
    fn indentation(&self, at: usize) -> String {
        let line = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        self.text[line..at].chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
    }

    /// One step of indentation as the file has it.
    fn unit(&self) -> String {
        let indented = self.text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
        let unit: String = indented.unwrap_or("  x").chars().take_while(|c| matches!(c, ' ' | '\t')).take(8).collect();
        unit
    }

    fn pretty(&self, value: &impl Serialize, indent: &str) -> String {
        let unit = self.unit();
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        if value.serialize(&mut serializer).is_err() {
            return String::new();
        }
        String::from_utf8_lossy(&bytes).replace('\n', &format!("\n{indent}"))
    }
}

/// The parser takes every blank of Unicode between two values, which neither JSON nor the agents do; `text` is read from
/// `begin` on, and its strings and comments are whole.
fn refuse_other_blanks(text: &str, begin: usize) -> Result<(), Broken> {
    let mut at = begin;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        at += match c {
            '"' => {
                let mut is_escaped = true;
                let end = rest.find(|c| {
                    let ends = c == '"' && !is_escaped;
                    // The first quote opens it.
                    is_escaped = c == '\\' && !is_escaped;
                    ends
                });
                end.map_or(rest.len(), |end| end + 1)
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' => rest.find("*/").map_or(rest.len(), |end| end + 2),
            c if c.is_whitespace() && !" \t\r\n".contains(c) => {
                let line = text[..at].matches('\n').count() + 1;
                return Err(Broken(format!("the blank {} on line {line} is none of JSON's", c.escape_unicode())));
            }
            c => c.len_utf8(),
        };
    }
    Ok(())
}

fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(text: &str, path: &[&str], value: Value) -> String {
        Document::parse(text).unwrap().with(path, &value)
    }

    fn without(text: &str, path: &[&str]) -> String {
        Document::parse(text).unwrap().without(path)
    }

    #[test]
    fn a_comment_to_the_end_of_its_line_swallows_nothing() {
        let text = "{\n  // mine\n  \"hooks\": 1\n}";
        let without = Document::parse(text).unwrap().without(&["hooks"]);
        assert!(without.contains("// mine\n") && Document::parse(&without).is_ok(), "{without}");
        let with = Document::parse("// mine").unwrap().with(&["a"], &1);
        assert_eq!(Document::parse(&with).unwrap().get(&["a"]), Some(Value::from(1)), "{with}");
    }

    #[test]
    fn adding_and_removing_gives_back_the_same_bytes() {
        let texts = [
            "{\n  \"b\": 1, // why\n  \"a\": [1, 2] /* and */\n  // end\n}\n",
            "{\"b\":1}",
            "{ \"b\": 1 }\n",
            "{\n\t\"b\": {\n\t\t\"x\": null\n\t}\n}\n",
            "\u{feff}{\r\n    \"b\": \"\\u00e9,}\"\r\n}\r\n",
        ];
        for text in texts {
            let added = with(text, &["hooks"], json!({"Stop": [1]}));
            assert_eq!(Document::parse(&added).unwrap().get(&["hooks", "Stop", "0"]), Some(json!(1)), "{added}");
            assert_eq!(without(&added, &["hooks"]), text, "{added}");
        }
    }

    #[test]
    fn items_are_added_and_removed_with_their_commas() {
        let text = "{\n  \"a\": [\n    1, // one\n    2\n  ]\n}\n";
        let longer = Document::parse(text).unwrap().with_item(&["a"], &3);
        assert_eq!(longer, "{\n  \"a\": [\n    1, // one\n    2,\n    3\n  ]\n}\n");
        assert_eq!(Document::parse(&longer).unwrap().without_item(&["a"], 2), text);
        let first_gone = Document::parse(&longer).unwrap().without_item(&["a"], 0);
        assert_eq!(first_gone, "{\n  \"a\": [ // one\n    2,\n    3\n  ]\n}\n");
        let one = Document::parse("[7]").unwrap();
        assert_eq!(one.without_item(&[], 0), "[]");
    }

    #[test]
    fn a_blank_file_becomes_an_object_and_indentation_is_the_files_own() {
        assert_eq!(with("", &["a", "b"], json!(1)), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
        assert_eq!(with("{}\n", &["a"], json!([])), "{\n  \"a\": []\n}\n");
        let tabs = with("{\n\t\"x\": 1\n}", &["a"], json!({"b": 1}));
        assert_eq!(tabs, "{\n\t\"x\": 1,\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}");
    }

    /// A file with one of these was installed into, and refused when it was to be taken out again.
    #[test]
    fn blanks_that_json_does_not_have_are_refused() {
        for blank in ['\u{2028}', '\u{2029}', '\u{a0}', '\u{85}', '\u{3000}', '\u{b}', '\u{c}'] {
            let error =
                Document::parse(&format!("{{\n\"a\": 1,{blank}\"b\": 2}}")).err().map(|error| error.to_string());
            assert!(error.is_some_and(|error| error.contains("line 2") || error.contains("Unexpected")), "{blank:?}");
            let kept = format!("{{ // {blank} \"\n\"a{blank}\\\"\": \"{blank}\", /* {blank} */ \"b\": 1}}\n");
            let is_control = blank.is_ascii_control();
            assert_eq!(Document::parse(&kept).is_ok(), !is_control, "{kept:?}");
        }
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let broken = |text: &str| Document::parse(text).err().unwrap().to_string();
        for (text, place) in [
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 2 column 9"),
            ("{\"a\": tru}", "line 1 column 7"),
            ("{\"a\": \"x\n\"}", "line 1"),
            ("{} x", "line 1 column 4"),
            ("/* no end", "line 1 column 1"),
            ("{a: 1}", "line 1 column 2"),
            ("{'a': 1}", "line 1 column 2"),
            ("{\"a\": 0x10}", "line 1 column 7"),
        ] {
            assert!(broken(text).contains(place), "{text}: {}", broken(text));
        }
        assert!(broken(&"[".repeat(100_000)).contains("nesting"));
        assert!(!broken("{\"a\":\"é\\").is_empty());
    }

    /// Every beginning of a text, and the text with any one character changed: never a panic, and whatever is read as JSON
    /// means the same after a member was added and removed again.
    #[test]
    fn damaged_texts_are_refused_or_kept() {
        let text = "{ // é\n  \"a\": [1, {\"b\": \"x\\\"é\"}, ], /* c */\n  \"d\": -1.5e3,\n}\n";
        let places = || text.char_indices().map(|(at, c)| (at, at + c.len_utf8()));
        let beginnings = places().map(|(at, _)| text[..at].to_owned());
        let changed = places().flat_map(|(at, end)| {
            let instead = ["{", "}", "[", "]", "\"", ",", ":", "\\", "/", "*", "é", "0", "\n"];
            instead.map(move |with| format!("{}{with}{}", &text[..at], &text[end..]))
        });
        let mut read = 0;
        for text in beginnings.chain(changed) {
            let Ok(document) = Document::parse(&text) else { continue };
            if document.obstacle(&["hooks"]).is_some() {
                continue;
            }
            read += 1;
            let added = document.with(&["hooks"], &json!({"Stop": [1]}));
            let removed = without(&added, &["hooks"]);
            assert_eq!(Document::parse(&removed).unwrap().get(&[]), document.get(&[]), "{text}\n{added}\n{removed}");
        }
        assert!(read > 50, "{read} texts were read");
    }

    #[test]
    fn what_stands_in_the_way_is_named() {
        let document = Document::parse("{\"hooks\": [], \"a\": {\"b\": 1}}").unwrap();
        assert_eq!(document.obstacle(&["hooks", "Stop"]), Some("hooks".to_owned()));
        assert_eq!(document.obstacle(&["a", "b", "c"]), Some("a.b".to_owned()));
        assert_eq!(document.obstacle(&["a", "c", "d"]), None);
    }
}
