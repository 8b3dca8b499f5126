//! Values of a Kubernetes `Secret`, as `kubectl get secret -o yaml` and `-o json` print it, over lines or on one.
//!
//! In: the place of a name and of its value. Out: the value, if the name is below `data` or `stringData` of a document whose
//! kind is `Secret`. The kind may come before or after the data, so it is searched for around them; both searches are
//! bounded, so that text that only looks like YAML stays cheap.

use super::{Secret, before_mark, looks_random};

/// Entries of one Secret that are looked through to find the line above them.
const MAX_ENTRIES: usize = 64;
/// Deeper than any Secret's data.
const MAX_INDENT_BYTES: usize = 64;
/// How far the kind may be from the data.
const NEAR_BYTES: usize = 4 * 1024;
/// How far an entry may be from the beginning of the data on its own line; minified JSON has many entries.
const NEAR_LINE_BYTES: usize = 1024;

/// The value at `start`, whose name begins at `name`, if a Secret's data is around it.
pub(super) fn secret_data(text: &[u8], name: usize, start: usize) -> Option<Secret> {
    let quote = text.get(start).copied().filter(|b| b"\"'".contains(b));
    let start = start + usize::from(quote.is_some());
    let rest = text.get(start..)?;
    let is_end = |b: u8| b == b'\n' || Some(b) == quote;
    let is_word = |b: &&u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
    let word = &rest[..rest.iter().take(NEAR_BYTES).take_while(is_word).count()];
    let by_lines = parent_by_lines(text, name);
    // Joined to one line it could be a sentence.
    if by_lines.is_none() && quote.is_none() && !looks_random(word) {
        return None;
    }
    let line = &rest[..rest.iter().take(NEAR_BYTES).take_while(|b| !is_end(**b)).count()];
    let line = line.trim_ascii_end();
    let (parent, len) = match by_lines {
        Some(parent) if parent.data == Data::Base64 && word.len() < line.len() => return None,
        Some(parent) => (parent, line.len()),
        None => {
            let parent = parent_on_line(text, name)?;
            (parent, if parent.data == Data::Plain && quote.is_some() { line.len() } else { word.len() })
        }
    };
    let range = before_mark(text, start..start + len);
    let is_secret = range.len() >= 4 && is_secret_near(text, parent.at);
    is_secret.then_some(Secret { range, kind: "kubernetes-secret" })
}

/// The part of a Secret that an entry belongs to, and where it is.
#[derive(Clone, Copy)]
struct Parent {
    at: usize,
    data: Data,
}

/// How the values of a part of a Secret are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// `data`.
    Base64,
    /// `stringData`.
    Plain,
}

/// Where the data is whose entry, on a line of its own, begins at `name`.
fn parent_by_lines(text: &[u8], name: usize) -> Option<Parent> {
    let indent = text[..name].iter().rev().take(MAX_INDENT_BYTES).take_while(|b| b" \"'".contains(b)).count();
    let line_start = name - indent;
    let starts_line = line_start == 0 || text[line_start - 1] == b'\n';
    if !starts_line || text.get(line_start) != Some(&b' ') {
        return None;
    }
    let parent = parent_line(&text[..line_start], spaces(&text[line_start..]))?;
    let line = text[parent.clone()].trim_ascii_end();
    let line = line.strip_suffix(b"{").unwrap_or(line).trim_ascii_end().strip_suffix(b":")?;
    Some(Parent { at: parent.end, data: data_key(line)? })
}

/// Where the data is whose entry begins at `name` on the same line: compact JSON, or lines that were joined.
fn parent_on_line(text: &[u8], name: usize) -> Option<Parent> {
    let near = &text[name.saturating_sub(NEAR_LINE_BYTES)..name];
    let near = &near[memchr::memrchr2(b'\n', b'}', near).map_or(0, |n| n + 1)..];
    let end = memchr::memmem::rfind(near, b"ata")? + 3;
    let rest = near[end..].strip_prefix(b"\"").unwrap_or(&near[end..]);
    let entries = rest.strip_prefix(b":")?;
    let is_open = entries.first().is_some_and(|b| b" {".contains(b));
    let data = data_key(&near[..end])?;
    is_open.then_some(Parent { at: name, data })
}

/// The part of a Secret that the name at the end of `text` is of.
fn data_key(text: &[u8]) -> Option<Data> {
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    let len = text.iter().rev().take_while(|b| b.is_ascii_alphanumeric()).count();
    match &text[text.len() - len..] {
        b"data" => Some(Data::Base64),
        b"stringData" => Some(Data::Plain),
        _ => None,
    }
}

fn spaces(line: &[u8]) -> usize {
    line.iter().take_while(|b| **b == b' ').count()
}

/// The last line of `above` that is indented less than `indent`.
fn parent_line(above: &[u8], indent: usize) -> Option<std::ops::Range<usize>> {
    let mut end = above.len();
    for _ in 0..MAX_ENTRIES {
        end = end.checked_sub(1)?;
        let start = memchr::memrchr(b'\n', &above[..end]).map_or(0, |n| n + 1);
        if spaces(&above[start..end]) < indent && !above[start..end].trim_ascii().is_empty() {
            return Some(start..end);
        }
        end = start;
    }
    None
}

fn is_secret_near(text: &[u8], at: usize) -> bool {
    let near = &text[at.saturating_sub(NEAR_BYTES)..text.len().min(at + NEAR_BYTES)];
    [&b"kind: Secret"[..], b"\"kind\": \"Secret\"", b"\"kind\":\"Secret\""].iter().any(|kind| {
        memchr::memmem::find_iter(near, kind)
            .any(|at| near.get(at + kind.len()).is_none_or(|b| !b.is_ascii_alphanumeric()))
    })
}
