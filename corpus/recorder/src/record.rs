//! One line of a corpus file such as `corpus/own.jsonl`: a recorded text with its labels.
//!
//! In: a case and the output of its run. Out: a JSON object per line, in the form that `recovery eval` reads. `read`
//! rejects unknown fields, so that a renamed field is noticed.
//!
//! All records are of tool `Bash` and fidelity `captured`: every case is run from a shell, as an agent would run it.
//! A new field is added here, in `Record::new`, and recorded again with `cargo corpus`.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use recovery_types::{Class, ErrorType, FailureType, Level};
use serde::{Deserialize, Serialize};

use super::case::Case;
use super::sandbox::Output;

/// A recorded case with its labels, as `recovery eval` reads it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub id: String,
    pub source: String,
    pub repo: String,
    pub tool: String,
    pub language: Option<String>,
    pub ecosystem: String,
    pub why: String,
    pub fidelity: String,
    pub taxonomy: Option<FailureType>,
    pub fclass: Option<Class>,
    pub entry_level: Option<Level>,
    pub error_type: Option<ErrorType>,
    pub benign: bool,
    pub exit_code: i32,
    pub text: String,
}

impl Record {
    /// What a run of `case` printed, under the labels of its definition.
    pub fn new(case: &Case, output: Output) -> Self {
        Self {
            id: case.id.clone(),
            source: format!("captured:{}", case.tool_name),
            repo: format!("captured/{}", case.tool_name),
            // Everything is run from a shell, as an agent would.
            tool: "Bash".to_owned(),
            language: case.tool.language.clone(),
            ecosystem: case.area.clone(),
            why: case.why.clone(),
            fidelity: "captured".to_owned(),
            taxonomy: case.label.map(|label| label.taxonomy),
            fclass: case.label.and_then(|label| label.class),
            entry_level: case.label.and_then(|label| label.entry_level),
            error_type: case.label.map(|label| label.error_type),
            benign: case.label.is_none(),
            exit_code: output.exit_code,
            text: output.text,
        }
    }
}

/// The recorded cases; none if the file is not there yet.
pub fn read(file: &Path) -> Result<Vec<Record>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
    };
    let parse = |(number, line)| {
        serde_json::from_str(line).with_context(|| format!("{}:{} is not a record", file.display(), number + 1))
    };
    text.lines().enumerate().map(parse).collect()
}

/// Writes the cases, one JSON object per line.
pub fn write(file: &Path, records: &[Record]) -> Result<()> {
    let mut text = String::new();
    for record in records {
        text += &serde_json::to_string(record)?;
        text.push('\n');
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}
