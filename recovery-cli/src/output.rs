//! What people and programs see. Text from outside goes through [`printable`] before it reaches a terminal.

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::borrow::Cow;
use std::io::Write;

/// For people or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Short, coloured on a terminal.
    #[default]
    Text,
    /// One JSON object, or one a line.
    Json,
}

/// Standard output, buffered, with colours only where a terminal wants them.
pub(crate) fn stdout() -> impl Write {
    std::io::BufWriter::new(anstream::AutoStream::auto(std::io::stdout()))
}

/// Writes `value` as one line of JSON.
pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, value).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// `text` with control characters escaped, so that a log cannot play with the terminal. Newlines and tabs stay.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let raw = |c: char| c.is_control() && c != '\n' && c != '\t';
    // Invisible characters that reorder what a person reads.
    let bidi = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !text.contains(|c| raw(c) || bidi(c)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if raw(c) || bidi(c) { escaped.extend(c.escape_unicode()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// [`printable`] on one line, cut at `width` characters.
pub(crate) fn one_line(text: &str, width: usize) -> String {
    let line = printable(text).replace(['\n', '\t'], " ");
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Something good.
pub(crate) fn good(text: &str) -> String {
    styled(AnsiColor::Green.on_default().bold(), text)
}

/// Something bad.
pub(crate) fn bad(text: &str) -> String {
    styled(AnsiColor::Red.on_default().bold(), text)
}

/// What matters most.
pub(crate) fn strong(text: &str) -> String {
    styled(Style::new().bold(), text)
}

/// What matters least.
pub(crate) fn faint(text: &str) -> String {
    styled(Style::new().dimmed(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_pass() {
        assert_eq!(printable("plain\n\ttext"), "plain\n\ttext");
        assert_eq!(printable("\x1b[31mred\x07"), "\\u{1b}[31mred\\u{7}");
        assert_eq!(printable("a\u{202e}b\u{9b}c"), "a\\u{202e}b\\u{9b}c");
        assert_eq!(one_line("a\nb\rc", 80), "a b\\u{d}c");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}
