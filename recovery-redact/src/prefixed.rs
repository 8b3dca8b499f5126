//! Secrets over several lines where something else begins each of them: a timestamp of a CI service, the name of a container,
//! the `+` of a diff.
//!
//! In: text. Out: the text without what begins its lines, and the way back, as for escapes. Only the forms that are known by
//! their lines need it, so it is made only where one of these could be.

use super::escaped::Unescaped;

/// What a form of several lines has at its beginning.
const FORMS: &[&[u8]] = &[b"kind: Secret", b"machine ", b": |\n", b": >", b"\":\n", b"]=>\n", b"] => "];

/// `text` without what begins its lines; `None` where no line has it or no form of several lines is near.
pub(super) fn strip(text: &[u8]) -> Option<Unescaped> {
    let starts = || std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|n| n + 1));
    let is_prefixed = starts().take(3).any(|start| prefix_len(&text[start..]) > 0);
    if !is_prefixed || !FORMS.iter().any(|form| memchr::memmem::find(text, form).is_some()) {
        return None;
    }
    let prefixes = starts().map(|start| start..start + prefix_len(&text[start..]));
    Some(Unescaped::without(text, prefixes.filter(|prefix| !prefix.is_empty())))
}

/// The length of what a logger put before the line.
fn prefix_len(line: &[u8]) -> usize {
    let line = &line[..line.iter().take(80).take_while(|b| **b != b'\n').count()];
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    if line.first() == Some(&b'+') {
        return 1;
    }
    // `2026-11-18T10:00:00.1234567Z `
    if digits(line) == 4 && line.get(4) == Some(&b'-') && line.get(10) == Some(&b'T') {
        let len = line.iter().take_while(|b| **b != b' ').count();
        return if len < line.len() { len + 1 } else { 0 };
    }
    // BuildKit's `#12 0.123 `
    if let Some(step) = line.strip_prefix(b"#") {
        let first = digits(step);
        let second = step[first..].strip_prefix(b" ").unwrap_or_default();
        let second_len = second.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        let is_step = first > 0 && second_len > 0 && second.get(second_len) == Some(&b' ');
        return if is_step { 1 + first + 1 + second_len + 1 } else { 0 };
    }
    // Compose's `web-1  | `
    let name = line.iter().take_while(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b)).count();
    let spaces = line[name..].iter().take_while(|b| **b == b' ').count();
    if name > 0 && spaces > 0 && line[name + spaces..].starts_with(b"| ") { name + spaces + 2 } else { 0 }
}
