//! Reading what the user points at: a file, standard input, lines of JSON. Every error says where and what to do.

use anyhow::{Context as _, bail};
use failure_taxonomy::Failure;
use problem_matcher::Baseline;
use recovery_engine::{Engine, Observer};
use recovery_service::{Accept, Accepted};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{BufRead, BufReader, IsTerminal as _, Read};
use std::path::Path;

/// The largest single JSON document that is read: far above any real event, far below memory.
const MAX_DOCUMENT: u64 = 64 << 20;

/// Something to read, with its name for messages.
pub(crate) struct Source {
    /// How messages call it.
    pub name: String,
    reader: Box<dyn Read>,
}

impl Source {
    /// Opens `path`; `-` or nothing is standard input.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        match path {
            Some(path) if path.as_os_str() != "-" => {
                let name = path.display().to_string();
                let meta = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
                if meta.is_dir() {
                    bail!("{name} is a directory; give a file, or use `recovery scan {name}` for many logs");
                }
                let file = std::fs::File::open(path).with_context(|| format!("cannot read {name}"))?;
                Ok(Self { name, reader: Box::new(file) })
            }
            _ => {
                if std::io::stdin().is_terminal() {
                    anstream::eprintln!("reading standard input; end it with Ctrl-D");
                }
                Ok(Self { name: "standard input".to_owned(), reader: Box::new(std::io::stdin()) })
            }
        }
    }

    /// The input without the lines that the output in `baseline`, of a run that worked, has too; they are left empty.
    pub fn since(self, baseline: Option<&Path>) -> anyhow::Result<Self> {
        let Some(baseline) = baseline else { return Ok(self) };
        let baseline = Baseline::of(&Self::open(Some(baseline))?.unpacked()?.lossy_text()?);
        let name = self.name.clone();
        let text = baseline.without_known(&self.lossy_text()?);
        Ok(Self { name, reader: Box::new(std::io::Cursor::new(text)) })
    }

    /// The input without its gzip compression, where it has one.
    pub fn unpacked(self) -> anyhow::Result<Self> {
        let mut reader = BufReader::new(self.reader);
        let start = reader.fill_buf().with_context(|| format!("cannot read {}", self.name))?;
        let is_packed = start.starts_with(&[0x1f, 0x8b]);
        let reader: Box<dyn Read> =
            if is_packed { Box::new(flate2::read::MultiGzDecoder::new(reader)) } else { Box::new(reader) };
        Ok(Self { reader, ..self })
    }

    /// Hands every chunk to `each`, in order. Memory stays constant.
    pub fn chunks(mut self, mut each: impl FnMut(&[u8])) -> anyhow::Result<()> {
        let mut buffer = vec![0; 256 << 10];
        loop {
            match self.reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(n) => each(&buffer[..n]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read {}", self.name)),
            }
        }
    }

    /// Watches the input as it flows, in constant memory.
    pub fn observe(self, engine: &Engine) -> anyhow::Result<Observer<'_>> {
        let mut observer = engine.taxonomy.observe();
        self.chunks(|chunk| observer.feed(chunk))?;
        Ok(observer)
    }

    /// Watches the input as it flows. The answer also says whether the command failed: by its exit code, and where that
    /// is not known by what the text alone shows, which a second observer reads.
    pub fn observe_outcome<'e>(
        self,
        engine: &'e Engine,
        exit_code: Option<i64>,
        tool: Option<&str>,
    ) -> anyhow::Result<(Observer<'e>, bool)> {
        if let Some(code) = exit_code {
            return Ok((self.observe(engine)?, code != 0));
        }
        let (mut observer, mut judge) = (engine.taxonomy.observe(), engine.taxonomy.observe());
        self.chunks(|chunk| {
            observer.feed(chunk);
            judge.feed(chunk);
        })?;
        let seen = judge.finish(&Failure { exit_code: None, tool, ..Failure::default() });
        Ok((observer, !seen.indicators.is_empty()))
    }

    /// The whole input as text, whatever its bytes are.
    pub fn lossy_text(self) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        self.chunks(|chunk| bytes.extend_from_slice(chunk))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The whole input as text.
    pub fn text(self) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        self.reader
            .take(MAX_DOCUMENT + 1)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", self.name))?;
        if bytes.len() as u64 > MAX_DOCUMENT {
            bail!("{} is larger than {} MiB, too large for one JSON document", self.name, MAX_DOCUMENT >> 20);
        }
        String::from_utf8(bytes).map_err(|e| {
            anyhow::anyhow!("{} is not UTF-8 text: byte {} is {:#04x}", self.name, e.utf8_error().valid_up_to(), {
                let at = e.utf8_error().valid_up_to();
                e.as_bytes()[at]
            })
        })
    }

    /// The whole input as one JSON document of any accepted spelling, and what of it nothing reads.
    pub fn json<T: DeserializeOwned + JsonSchema>(self) -> anyhow::Result<(T, Vec<String>)> {
        let name = self.name.clone();
        let text = self.text()?;
        accepted(&Accept::default(), text.trim_start_matches('\u{feff}'))
            .map_err(|problem| anyhow::anyhow!("{name}: {problem}"))
    }

    /// Each line that is not blank, with its number from 1. `idle` runs before anything is waited for.
    pub fn lines(
        self,
        mut each: impl FnMut(u64, Result<&str, Problem>) -> anyhow::Result<()>,
        mut idle: impl FnMut() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut reader = BufReader::with_capacity(64 << 10, self.reader);
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            if !reader.buffer().contains(&b'\n') {
                idle()?;
            }
            let read = reader
                .by_ref()
                .take(MAX_DOCUMENT)
                .read_until(b'\n', &mut line)
                .with_context(|| format!("cannot read {}", self.name))?;
            if read == 0 {
                return Ok(());
            }
            if line.trim_ascii().is_empty() {
                continue;
            }
            if line.len() as u64 == MAX_DOCUMENT && !line.ends_with(b"\n") {
                bail!("{}: line {number} is longer than {} MiB", self.name, MAX_DOCUMENT >> 20);
            }
            match std::str::from_utf8(&line) {
                Ok(text) => each(number, Ok(text.trim_end()))?,
                Err(error) => each(number, Err(Problem::not_utf8(error.valid_up_to())))?,
            }
        }
        Ok(())
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// What is wrong with a JSON text, and where.
#[derive(Debug)]
pub(crate) struct Problem {
    message: String,
    line: usize,
    column: usize,
}

impl Problem {
    fn not_utf8(valid_up_to: usize) -> Self {
        Self { message: "not UTF-8 text".to_owned(), line: 1, column: valid_up_to + 1 }
    }

    /// Without the line, for callers that have a line number of their own.
    pub fn within_line(&self) -> String {
        if self.column == 0 { self.message.clone() } else { format!("column {}: {}", self.column, self.message) }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 {
            f.write_str(&self.message)
        } else {
            write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
        }
    }
}

/// Reads a JSON object of any accepted spelling, and what of it nothing reads, one sentence each.
pub(crate) fn accepted<T: DeserializeOwned + JsonSchema>(
    accept: &Accept<T>,
    text: &str,
) -> Result<(T, Vec<String>), Problem> {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return parse_object(text).map(|read| (read, Vec::new()));
    };
    let Accepted { value, changed, warnings } = accept.spell(value);
    // What is spelt as ours is read from the text itself: a mistake in it has a line and a column.
    let read = if changed { of_value(value)? } else { parse_object(text)? };
    Ok((read, warnings))
}

fn of_value<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        problem(error.inner(), if path == "." || path == "?" { None } else { Some(&path) })
    })
}

/// Reads a JSON object. A list would be taken for the object's fields in their order, which nobody means.
pub(crate) fn parse_object<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    match text.trim_start().chars().next() {
        Some('{') | None => parse(text),
        Some(_) => Err(Problem { message: "expected a JSON object: {...}".to_owned(), line: 1, column: 1 }),
    }
}

/// Reads JSON; a wrong type is reported with the field it is in.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        problem(error.inner(), if path == "." || path == "?" { None } else { Some(&path) })
    })?;
    deserializer.end().map_err(|error| problem(&error, None))?;
    Ok(value)
}

fn problem(error: &serde_json::Error, field: Option<&str>) -> Problem {
    // The message quotes the value, which may be a secret in the wrong place.
    let full = recovery_redact::redact(&error.to_string()).into_owned();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = plain(full.strip_suffix(&place).unwrap_or(&full));
    let message = match field {
        Some(field) => format!("field `{field}`: {what}"),
        None => what,
    };
    Problem { message, line: error.line(), column: error.column() }
}

/// The parser's words for what is wrong, in ours: it names Rust's types and its own states.
const WORDS: [(&str, &str); 17] = [
    ("EOF while parsing a value", "it is empty; a JSON value is expected"),
    ("EOF while parsing an object", "it ends within an object: a `}` is missing"),
    ("EOF while parsing a list", "it ends within a list: a `]` is missing"),
    ("EOF while parsing a string", "it ends within a text: a `\"` is missing"),
    ("trailing characters", "there is more after the JSON value; give one value only"),
    ("trailing comma", "a comma before the end; remove it"),
    ("key must be a string", "names have to be in double quotes"),
    ("expected value", "this is not JSON; expected a text, a number, true, false, null, [...] or {...}"),
    ("expected ident", "this is not JSON; expected true, false or null"),
    ("expected i64", "expected a whole number"),
    ("expected u64", "expected a whole number of 0 or more"),
    ("expected u32", "expected a whole number of 0 or more"),
    ("expected u8", "expected a whole number from 0 to 255"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected a list: [...]"),
    ("expected a map", "expected an object: {...}"),
    ("expected struct ", "expected an object: {...}, "),
];

/// A parser's message in words that its reader knows.
pub(crate) fn plain(message: &str) -> String {
    if let Some(field) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return format!("the field `{field}` is missing; add it");
    }
    if let Some(rest) = message.strip_prefix("unknown field `") {
        return format!("there is no field `{rest}");
    }
    let mut text = message.to_owned();
    for (theirs, ours) in WORDS {
        if let Some(at) = text.find(theirs) {
            let end = at + theirs.len();
            let is_whole = !text[end..].starts_with(|c: char| c.is_alphanumeric());
            if is_whole || theirs.ends_with(' ') {
                // A struct's name is Rust's, too.
                let rest = if theirs.ends_with(' ') { "" } else { &text[end..] };
                text = format!("{}{}{rest}", &text[..at], ours.trim_end_matches(", "));
            }
        }
    }
    let text = text.replace("invalid type: ", "wrong type: ").replace("invalid value: ", "wrong value: ");
    text.replace("sequence", "list").replace("map,", "object,")
}

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_types::FailureEvent;

    #[test]
    fn a_wrong_type_names_its_field_and_place() {
        let problem = parse::<FailureEvent>("{\"exit_code\":1,\n\"node\":{\"id\":7}}").unwrap_err();
        assert_eq!(
            problem.to_string(),
            "line 2, column 14: field `node.id`: wrong type: integer `7`, expected a string"
        );
    }

    #[test]
    fn truncated_and_trailing_json_are_named() {
        assert!(parse::<FailureEvent>("{\"exit_code\":1").unwrap_err().to_string().contains("a `}` is missing"));
        assert!(parse::<FailureEvent>("{\"exit_code\":1} x").unwrap_err().to_string().contains("more after"));
    }

    #[test]
    fn the_parsers_own_words_never_show() {
        let texts = [
            "",
            "{",
            "{\"exit_code\"",
            "{\"exit_code\":\"x\"}",
            "{}",
            "{\"exit_code\":1.5}",
            "{\"exit_code\":1,}",
            "{x:1}",
            "{\"exit_code\":1,\"node\":[]}",
            "{\"exit_code\":1,\"files_touched\":{}}",
            "{\"exit_code\":tru}",
            "nope",
            "{\"exit_code\":1,\"history\":7}",
            "{\"exit_code\":1,\"judge\":\"good\"}",
        ];
        for text in texts {
            let said = parse::<FailureEvent>(text).unwrap_err().to_string();
            for theirs in
                ["EOF", "i64", "u64", "u32", "struct", "ident", "sequence", "map", "invalid type", "missing field"]
            {
                assert!(!said.contains(theirs), "{text:?}: {said}");
            }
        }
    }
}
