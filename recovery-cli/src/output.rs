//! Output for people and programs: text, tables, colours, lines of JSON.
//!
//! In: answers, and text from outside, which passes [`printable`] or [`one_line`] before a terminal shows it:
//! `tests/terminal.rs` checks every command. Exports are written byte for byte. Colours follow `--color` and the terminal.

use crate::exit;
use anstyle::{AnsiColor, Style};
use console::{Alignment, pad_str};
use recovery_service::answer::FailureAnswer;
use recovery_types::terminal::escaped_json;
pub(crate) use recovery_types::terminal::{one_line, printable};
use serde::Serialize;
use std::io::Write;
use std::sync::OnceLock;

/// A message that may repeat an argument, a path or a value: redacted and printable.
pub(crate) fn message(text: &str) -> String {
    printable(&recovery_redact::redact(text)).to_string()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    // No doc comments: `--help` would give each value a paragraph.
    #[default]
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    pub fn choose(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}

/// Standard output, buffered. What is written arrives byte for byte: an export must keep its hashes.
pub(crate) type Stdout = std::io::BufWriter<std::io::Stdout>;

pub(crate) fn stdout() -> Stdout {
    std::io::BufWriter::new(std::io::stdout())
}

/// Prints an answer, as one JSON object or as `text` writes it, and returns the exit code for "done".
pub(crate) fn show(
    format: Format,
    answer: &impl Serialize,
    text: impl FnOnce(&mut Stdout) -> anyhow::Result<()>,
) -> anyhow::Result<u8> {
    show_each(format, std::slice::from_ref(answer), text)
}

/// Prints a list, as one JSON object per line or as `text` writes it, and returns the exit code for "done".
pub(crate) fn show_each(
    format: Format,
    answers: &[impl Serialize],
    text: impl FnOnce(&mut Stdout) -> anyhow::Result<()>,
) -> anyhow::Result<u8> {
    let mut out = stdout();
    match format {
        Format::Json => answers.iter().try_for_each(|answer| json_line(&mut out, answer))?,
        Format::Text => text(&mut out)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

/// An answer with what of its question was not read.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Warned<A> {
    #[serde(flatten)]
    pub answer: A,
    /// Fields of the input that nothing reads, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub warnings: Vec<String>,
}

pub(crate) fn answer(out: &mut impl Write, answer: &FailureAnswer) -> std::io::Result<()> {
    writeln!(out, "{}", strong(&answer.what))?;
    let rows = [("last", answer.last.as_ref()), ("next", Some(&answer.next)), ("why ", answer.why.as_ref())];
    for (label, text) in rows {
        if let Some(text) = text {
            writeln!(out, "{}  {text}", faint(label))?;
        }
    }
    Ok(())
}

pub(crate) fn warn_each(warnings: &[String]) {
    for warning in warnings {
        eprintln!("recovery: warning: {}", one_line(warning, 200));
    }
}

pub(crate) fn json_line(out: &mut impl Write, value: &impl Serialize) -> anyhow::Result<()> {
    out.write_all(json(value)?.as_bytes())?;
    out.write_all(b"\n")?;
    Ok(())
}

/// `value` as JSON on one line, safe to show on a terminal: what JSON lets through raw is escaped too.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(escaped_json(serde_json::to_string(value)?))
}

/// Aligned columns, coloured or not. Nothing is cut or wrapped, so that what is shown can be pasted.
pub(crate) fn table(headers: &[&str], rows: Vec<Vec<String>>) -> String {
    let header = (!headers.is_empty()).then(|| headers.iter().map(|header| faint(header)).collect());
    let row_of_lines = |row: Vec<String>| row.into_iter().map(|cell| cell.replace(['\n', '\t'], " ")).collect();
    let rows: Vec<Vec<String>> = header.into_iter().chain(rows).map(row_of_lines).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| pad_str(cell, *width, Alignment::Left, None));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// How many columns of a terminal `text` takes.
pub(crate) fn width(text: &str) -> usize {
    console::measure_text_width(text)
}

fn styled(style: Style, text: &str) -> String {
    static IS_COLOURED: OnceLock<bool> = OnceLock::new();
    let choice = || anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    if *IS_COLOURED.get_or_init(choice) { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

pub(crate) fn good(text: &str) -> String {
    styled(AnsiColor::Green.on_default().bold(), text)
}

pub(crate) fn bad(text: &str) -> String {
    styled(AnsiColor::Red.on_default().bold(), text)
}

pub(crate) fn strong(text: &str) -> String {
    styled(Style::new().bold(), text)
}

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
        assert_eq!(json(&"a\u{7f}\u{9b}\u{202e}é").unwrap(), r#""a\u007f\u009b\u202eé""#);
        assert_eq!(one_line("a\nb\rc", 80), "a b\\u{d}c");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }
}
