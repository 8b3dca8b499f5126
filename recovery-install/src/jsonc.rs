//! Changing JSON text in place: only the bytes of a change move, so comments, order and layout of a person's settings
//! stay as they are. Comments and trailing commas are read as the agents' own parsers read them.

use serde::Serialize;
use serde_json::Value;
use std::ops::Range;

/// Nesting beyond this is no settings file.
const DEEPEST: usize = 128;

/// A JSON text that was read, with the place of everything in it.
pub(crate) struct Document<'a> {
    text: &'a str,
    root: Node,
}

/// Why a text is no JSON, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    line: usize,
    column: usize,
    expected: &'static str,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: expected {}", self.line, self.column, self.expected)
    }
}

impl std::error::Error for Broken {}

/// A value and where it stands.
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
        let mut parser = Parser { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
        parser.blank()?;
        if parser.peek().is_none() {
            let end = text.len();
            return Ok(Self { text, root: Node { span: end..end, kind: Kind::Object(Vec::new()) } });
        }
        let root = parser.value(0)?;
        parser.blank()?;
        if parser.peek().is_some() {
            return Err(parser.broken("the end of the file"));
        }
        Ok(Self { text, root })
    }

    /// The value at `path`.
    pub fn get(&self, path: &[&str]) -> Option<Value> {
        self.find(path).map(Node::value)
    }

    /// What stands in the way of `path`: the first part of it that is there and is no object.
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
        // The comma that stood between the one before and this one goes too, unless a later one still needs it.
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
        let mut parser = Parser { text: &self.text[..until], at: from };
        parser.blank().ok()?;
        (parser.peek() == Some(b',')).then_some(parser.at)
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

fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn broken(&self, expected: &'static str) -> Broken {
        let at = (0..=self.at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let before = &self.text[..at.unwrap_or(0)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Broken { line, column, expected }
    }

    /// Skips blanks and comments.
    fn blank(&mut self) -> Result<(), Broken> {
        loop {
            let rest = &self.text[self.at..];
            if rest.starts_with([' ', '\t', '\n', '\r']) {
                self.at += 1;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.broken("the end `*/` of this comment"))?;
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Broken> {
        if depth > DEEPEST {
            return Err(self.broken("less nesting"));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object(self.object(depth)?),
            Some(b'[') => Kind::Array(self.array(depth)?),
            Some(b'"') => Kind::Scalar(Value::String(self.string()?)),
            _ => Kind::Scalar(self.word()?),
        };
        Ok(Node { span: start..self.at, kind })
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Member>, Broken> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.blank()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(members);
                }
                Some(b'"') => {}
                _ => return Err(self.broken("a key in double quotes, or `}`")),
            }
            let start = self.at;
            let key = self.string()?;
            self.blank()?;
            if self.peek() != Some(b':') {
                return Err(self.broken("`:` after the key"));
            }
            self.at += 1;
            self.blank()?;
            let value = self.value(depth + 1)?;
            members.push(Member { start, key, value });
            self.separator(b'}', "`,` or `}`")?;
        }
    }

    fn array(&mut self, depth: usize) -> Result<Vec<Node>, Broken> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.blank()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(items);
            }
            items.push(self.value(depth + 1)?);
            self.separator(b']', "`,` or `]`")?;
        }
    }

    fn separator(&mut self, close: u8, expected: &'static str) -> Result<(), Broken> {
        self.blank()?;
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(())
            }
            Some(found) if found == close => Ok(()),
            _ => Err(self.broken(expected)),
        }
    }

    fn string(&mut self) -> Result<String, Broken> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(b'\n') | None => return Err(self.broken("a string that ends on its line")),
                Some(_) => at += 1,
            }
        }
        let literal = self.text.get(start..=at).ok_or_else(|| self.broken("a string"))?;
        let string = serde_json::from_str(literal).map_err(|_| self.broken("a valid string"))?;
        self.at = at + 1;
        Ok(string)
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, Broken> {
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        let value = serde_json::from_str(&rest[..length]).map_err(|_| self.broken("a value"))?;
        self.at += length;
        Ok(value)
    }
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

    #[test]
    fn a_mistake_is_named_with_its_place() {
        let broken = |text: &str| Document::parse(text).err().unwrap().to_string();
        assert_eq!(broken("{\n  \"a\": 1\n  \"b\": 2\n}"), "line 3, column 3: expected `,` or `}`");
        assert_eq!(broken("{\"a\": tru}"), "line 1, column 7: expected a value");
        assert_eq!(broken("{\"a\": \"x\n\"}"), "line 1, column 7: expected a string that ends on its line");
        assert_eq!(broken("{} x"), "line 1, column 4: expected the end of the file");
        assert_eq!(broken("/* no end"), "line 1, column 1: expected the end `*/` of this comment");
        assert!(broken(&"[".repeat(1000)).contains("less nesting"));
        assert!(broken("{\"a\":\"é\\").contains("expected"));
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
