//! Values of a Kubernetes `Secret`, as `kubectl get secret -o yaml` and `-o json` print it.
//!
//! In: the place of a name and of its value. Out: the value, if the name is below `data` or `stringData` of a document whose
//! kind is `Secret`. The kind may come before or after the data, so it is searched for around them; both searches are
//! bounded, so that text that only looks like YAML stays cheap.

use super::{Secret, before_mark};

/// Entries of one Secret that are looked through to find the line above them.
const MAX_ENTRIES: usize = 64;
/// Deeper than any Secret's data.
const MAX_INDENT_BYTES: usize = 64;
/// How far the kind may be from the data.
const NEAR_BYTES: usize = 4 * 1024;

/// The value at `start`, whose name begins at `name`, if a Secret's data is around it.
pub(super) fn secret_data(text: &[u8], name: usize, start: usize) -> Option<Secret> {
    let indent = text[..name].iter().rev().take(MAX_INDENT_BYTES).take_while(|b| b" \"'".contains(b)).count();
    let line_start = name - indent;
    let starts_line = line_start == 0 || text[line_start - 1] == b'\n';
    if !starts_line || text.get(line_start) != Some(&b' ') {
        return None;
    }
    let quote = text.get(start).copied().filter(|b| b"\"'".contains(b));
    let start = start + usize::from(quote.is_some());
    let rest = text.get(start..)?;
    let rest = &rest[..rest.iter().take_while(|b| **b != b'\n' && Some(**b) != quote).count()];
    let range = before_mark(text, start..start + rest.trim_ascii_end().len());
    let is_base64 = text[range.clone()].iter().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b));
    if range.len() < 4 {
        return None;
    }
    let parent = parent_line(&text[..line_start], spaces(&text[line_start..]))?;
    let is_data = match text[parent.clone()].trim_ascii() {
        b"data:" | b"\"data\": {" => is_base64,
        b"stringData:" | b"\"stringData\": {" => true,
        _ => false,
    };
    (is_data && is_secret_near(text, &parent)).then_some(Secret { range, kind: "kubernetes-secret" })
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

fn is_secret_near(text: &[u8], parent: &std::ops::Range<usize>) -> bool {
    let near = &text[parent.start.saturating_sub(NEAR_BYTES)..text.len().min(parent.end + NEAR_BYTES)];
    [&b"kind: Secret"[..], b"\"kind\": \"Secret\""].iter().any(|kind| {
        memchr::memmem::find_iter(near, kind)
            .any(|at| near.get(at + kind.len()).is_none_or(|b| !b.is_ascii_alphanumeric()))
    })
}
