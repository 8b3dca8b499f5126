//! A case as the repository keeps it: `corpus/cases/<id>/case.toml` with what it needs on disk beside it in `files/`, or one
//! entry of a sheet, `corpus/sheets/<area>.toml`, with its files inline.
//!
//! Someone who knows no Rust can add a case: a few lines of TOML and the real files. `corpus/tools/tools.toml` lists the
//! commands that a tool of `cases/` needs; a sheet states it for its own tools.

use super::label::{self, Label};
use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A tool that cases run.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub language: Option<String>,
    /// Commands that must be on the path; without them the tool's cases are skipped.
    pub needs: Vec<String>,
}

/// One run of a tool: what is set up, what is run, what it provokes and why.
pub struct Case {
    pub id: String,
    /// What it is about, for figures by area.
    pub area: String,
    /// The directory with its files under `corpus/cases/`; `None` for a case of a sheet.
    pub dir: Option<PathBuf>,
    /// Files by their path, for a case of a sheet.
    pub files: BTreeMap<String, String>,
    pub tool_name: String,
    pub tool: Tool,
    /// What is provoked; `None` for a run that succeeds.
    pub label: Option<Label>,
    /// The recorded command line, run by bash in a fresh directory.
    pub run: String,
    pub why: String,
    /// Commands run before, whose output is not recorded.
    pub prepare: String,
    /// Commands needed beyond the tool's own.
    pub needs: Vec<String>,
}

/// `case.toml`.
#[derive(Deserialize)]
struct Definition {
    tool: String,
    why: String,
    label: Option<String>,
    #[serde(default)]
    prepare: String,
    run: String,
    #[serde(default)]
    needs: Vec<String>,
}

/// One entry of a sheet.
#[derive(Deserialize)]
struct Entry {
    id: String,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(flatten)]
    definition: Definition,
}

/// `corpus/sheets/<area>.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    tools: BTreeMap<String, Tool>,
    case: Vec<Entry>,
}

/// The cases of all sheets under `root`, in the order of their ids.
pub fn of_sheets(root: &Path) -> Result<Vec<Case>> {
    let directory = root.join("corpus/sheets");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))? {
        let file = entry?.path();
        let area = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let sheet: Sheet = parse(&file)?;
        for Entry { id, files, definition } in sheet.case {
            let (area, place) = (area.clone(), file.display().to_string());
            let case = Case { area, files, ..definition.case(id, &sheet.tools, &place)? };
            cases.push(case);
        }
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

impl Definition {
    fn case(self, id: String, tools: &BTreeMap<String, Tool>, place: &str) -> Result<Case> {
        let Self { tool: tool_name, why, label, prepare, run, needs } = self;
        let Some(tool) = tools.get(&tool_name).cloned() else {
            bail!("{place}: {id} runs the tool {tool_name}, which is not listed");
        };
        let label = match label {
            Some(name) => {
                let label = label::by_name(&name);
                Some(label.with_context(|| format!("{place}: {id} has the label {name}, which there is not"))?)
            }
            None => None,
        };
        let (area, dir, files) = (tool_name.clone(), None, BTreeMap::new());
        Ok(Case { id, area, dir, files, tool_name, tool, label, run, why, prepare, needs })
    }
}

/// All cases that have a directory under `root`, in the order of their ids.
pub fn all(root: &Path) -> Result<Vec<Case>> {
    let tools: BTreeMap<String, Tool> = parse(&root.join("corpus/tools/tools.toml"))?;
    let directory = root.join("corpus/cases");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))? {
        let dir = entry?.path();
        let id = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = dir.join("case.toml");
        let definition: Definition = parse(&file)?;
        cases.push(Case { dir: Some(dir), ..definition.case(id, &tools, &file.display().to_string())? });
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

fn parse<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not what is expected", file.display()))
}
