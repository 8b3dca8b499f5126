//! A case as the repository keeps it: `corpus/cases/<id>/case.toml`, and beside it in `files/` what it needs on disk.
//!
//! Someone who knows no Rust can add a case: a directory, four lines of TOML, the real files. `corpus/tools/tools.toml`
//! says which commands a tool needs.

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
    /// Its directory under `corpus/cases/`.
    pub dir: PathBuf,
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
#[serde(deny_unknown_fields)]
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

/// All cases under `root`, in the order of their ids.
pub fn all(root: &Path) -> Result<Vec<Case>> {
    let tools: BTreeMap<String, Tool> = parse(&root.join("corpus/tools/tools.toml"))?;
    let directory = root.join("corpus/cases");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&directory).with_context(|| format!("cannot read {}", directory.display()))? {
        let dir = entry?.path();
        let id = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let file = dir.join("case.toml");
        let Definition { tool: tool_name, why, label, prepare, run, needs } = parse(&file)?;
        let Some(tool) = tools.get(&tool_name).cloned() else {
            bail!("{}: the tool {tool_name} is not in corpus/tools/tools.toml", file.display());
        };
        let label = match label {
            Some(name) => {
                let label = label::by_name(&name);
                Some(label.with_context(|| format!("{}: no label is called {name}", file.display()))?)
            }
            None => None,
        };
        cases.push(Case { id, dir, tool_name, tool, label, run, why, prepare, needs });
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(cases)
}

fn parse<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not what is expected", file.display()))
}
