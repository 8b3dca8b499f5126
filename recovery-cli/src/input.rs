//! Input that a person names: a file, standard input, lines of JSON. Every error states the place and the next step.
//!
//! In: a path. Out: a [`Source`], read in chunks with constant memory, or as one document of at most `MAX_DOCUMENT` bytes.
//! JSON has the spellings of `recovery-service/src/accept.rs`; fields that nothing reads become warnings.

use crate::ndjson;
use anyhow::{Context as _, bail};
use failure_taxonomy::Failure;
use problem_matcher::Baseline;
use recovery_engine::{Engine, Observer};
use recovery_service::Accept;
use recovery_service::json::{JsonError, accepted};
use recovery_types::ErrorType;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::io::{BufRead, BufReader, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

/// `--exit-code N`. An empty word is what a shell without PIPESTATUS passes.
pub(crate) fn exit_code(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| match text {
        "" => "it is empty; bash has \"${PIPESTATUS[0]}\", other shells `$?` of the command itself".to_owned(),
        _ => "an exit code is a whole number, such as 1".to_owned(),
    })
}

pub(crate) fn count<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "a whole number is expected, 0 or more".to_owned())
}

/// The largest single JSON document that is read: far above any real event, far below memory.
const MAX_DOCUMENT: u64 = 64 << 20;

/// How the input of `classify` and `decide` is read: output of a command, or events as JSON.
#[derive(clap::Args)]
pub(crate) struct InputArgs {
    /// The command's exit code; without it the output alone says whether anything failed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = crate::input::exit_code)]
    pub exit_code: Option<i64>,
    /// The tool that failed
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// The output of a run that worked: lines that it has, too, are no evidence
    #[arg(long, value_name = "FILE", conflicts_with_all = ["event", "ndjson"])]
    pub baseline: Option<PathBuf>,
    /// Read one failure event as JSON
    #[arg(long, conflicts_with_all = ["exit_code", "tool"])]
    pub event: bool,
    #[arg(long, help = ndjson::HELP, conflicts_with_all = ["exit_code", "tool"])]
    pub ndjson: bool,
}

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

    pub fn observe(self, engine: &Engine) -> anyhow::Result<Observer<'_>> {
        let mut observer = engine.taxonomy.observe();
        self.chunks(|chunk| observer.feed(chunk))?;
        Ok(observer)
    }

    /// Watches the input as it flows. The answer also states whether the command failed: by its exit code, and where that
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
        // The documented pack knows some error types by words that are no rows of its tables.
        Ok((observer, !seen.indicators.is_empty() || seen.error_type != ErrorType::Other))
    }

    /// The whole input as text, whatever its bytes are.
    pub fn lossy_text(self) -> anyhow::Result<String> {
        let mut bytes = Vec::new();
        self.chunks(|chunk| bytes.extend_from_slice(chunk))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The whole input as text, as large as a document may be; what is not UTF-8 is replaced.
    pub fn document(self) -> anyhow::Result<String> {
        let (_, bytes) = self.bytes()?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
    }

    /// The whole input, as large as a document may be, with its name.
    fn bytes(self) -> anyhow::Result<(String, Vec<u8>)> {
        let mut bytes = Vec::new();
        self.reader
            .take(MAX_DOCUMENT + 1)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", self.name))?;
        if bytes.len() as u64 > MAX_DOCUMENT {
            bail!("{} is larger than {} MiB, too large for one JSON document", self.name, MAX_DOCUMENT >> 20);
        }
        Ok((self.name, bytes))
    }

    pub fn text(self) -> anyhow::Result<String> {
        let (name, bytes) = self.bytes()?;
        String::from_utf8(bytes).map_err(|e| {
            anyhow::anyhow!("{name} is not UTF-8 text: byte {} is {:#04x}", e.utf8_error().valid_up_to(), {
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
        mut each: impl FnMut(u64, Result<&str, JsonError>) -> anyhow::Result<()>,
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
                Err(error) => each(number, Err(JsonError::not_utf8(error.valid_up_to())))?,
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
