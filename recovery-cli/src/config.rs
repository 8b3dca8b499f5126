//! `recovery.toml`: one file of settings, every one with a default. A mistake is shown with its line and a caret.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use anyhow::{Context as _, anyhow};
use failure_taxonomy::UserIndicator;
use recovery_engine::{Engine, PackName, Taxonomy};
use serde::Deserialize;
use std::path::Path;

/// All settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Indicators to read output with.
    pub pack: Option<PackName>,
    /// Rows of the user's own.
    pub indicator: Vec<UserIndicator>,
    /// Ids of built-in rows that are left out.
    pub disable: Vec<String>,
    /// The plan executor's settings.
    pub workflow: Workflow,
    /// The classifier's settings.
    pub classifier: Classifier,
    /// The escalation ladder's numbers.
    pub ladder: escalation::Policy,
    /// Whether the caller goes on in a new session when the context is exhausted.
    pub continuation: bool,
    /// The memory files.
    pub memory: Memory,
    /// What hooks do.
    pub hook: Hook,
    /// Commands with what each level does about their failures, by name.
    pub run: std::collections::BTreeMap<String, crate::run::plan::Playbook>,
}

/// `[hook]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Hook {
    /// The task that everything belongs to [default: the session and the command].
    pub task: Option<String>,
    /// For how long an action that keeps failing in the same way is denied.
    pub deny_minutes: u64,
    /// Failures of one task after which its action is denied for good. No approval resets the count.
    pub max_attempts: u32,
}

impl Default for Hook {
    fn default() -> Self {
        Self { task: None, deny_minutes: 10, max_attempts: 25 }
    }
}

/// `[memory]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Memory {
    /// Where issues.md and learnings.md are kept, from the project root.
    pub dir: Option<std::path::PathBuf>,
}

/// `[workflow]`, with the names that plan executors use.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Workflow {
    /// Whether failed tasks are repaired at all.
    pub node_repair: bool,
    /// Repairs allowed for each task.
    pub node_repair_budget: u32,
}

impl Default for Workflow {
    fn default() -> Self {
        Self { node_repair: true, node_repair_budget: 2 }
    }
}

/// `[classifier]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Classifier {
    /// Whether the caller can propose fixes by itself.
    pub self_heal: bool,
}

impl Default for Classifier {
    fn default() -> Self {
        Self { self_heal: true }
    }
}

/// A plan executor's `config.json`: only `workflow` is ours, and only its repair settings.
#[derive(Deserialize)]
struct ForeignConfig {
    #[serde(default)]
    workflow: ForeignWorkflow,
}

#[derive(Default, Deserialize)]
struct ForeignWorkflow {
    node_repair: Option<bool>,
    node_repair_budget: Option<u32>,
}

impl Config {
    /// Reads `path`; a name ending in `.json` is a plan executor's config.json.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        if path.extension().is_some_and(|e| e == "json") {
            let foreign: ForeignConfig = crate::input::parse(&text).map_err(|problem| anyhow!("{name}: {problem}"))?;
            let mut config = Self::default();
            let workflow = &mut config.workflow;
            workflow.node_repair = foreign.workflow.node_repair.unwrap_or(workflow.node_repair);
            workflow.node_repair_budget = foreign.workflow.node_repair_budget.unwrap_or(workflow.node_repair_budget);
            return Ok(config);
        }
        let config: Self = toml::from_str(&text).map_err(|error| anyhow!(shown(&name, &text, &error)))?;
        config.ladder.validate().with_context(|| format!("in {name}, [ladder]"))?;
        Ok(config)
    }

    /// The engine with these settings; `pack` on the command line wins.
    pub fn engine(&self, pack: Option<PackName>) -> anyhow::Result<Engine> {
        let pack = pack.or(self.pack).unwrap_or_default();
        let mut engine = if self.indicator.is_empty() && self.disable.is_empty() {
            Engine::new(pack)
        } else {
            let rows = Taxonomy::builder(pack).indicators(self.indicator.iter().cloned());
            let pack = self.disable.iter().fold(rows, |builder, id| builder.disable(id.as_str()));
            Engine::with(pack.build().context("in the settings")?)
        };
        engine.classifier.self_heal = self.classifier.self_heal;
        engine.repair.enabled = self.workflow.node_repair;
        engine.repair.budget = self.workflow.node_repair_budget;
        engine.ladder = self.ladder.clone();
        engine.continuation = self.continuation;
        engine.deny_ms = self.hook.deny_minutes.saturating_mul(60_000);
        Ok(engine)
    }
}

/// The mistake with the file's name, line and column, and a caret under it.
fn shown(name: &str, text: &str, error: &toml::de::Error) -> String {
    let Some(span) = error.span() else {
        return format!("{name}: {}", error.message());
    };
    let snippet = Snippet::source(text).path(name).annotation(AnnotationKind::Primary.span(span));
    let report = [Level::ERROR.no_name().primary_title(error.message()).element(snippet)];
    format!("in the settings\n{}", Renderer::plain().render(&report))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> anyhow::Result<Config> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        Config::read(&path)
    }

    #[test]
    fn a_mistake_is_shown_where_it_stands() {
        let error = format!("{:#}", read("recovery.toml", "[workflow]\nnode_repair = \"no\"\n").unwrap_err());
        assert!(error.contains("recovery.toml:2:15"), "{error}");
        assert!(error.contains("expected a boolean"), "{error}");
        let error = format!("{:#}", read("recovery.toml", "[workflw]\n").unwrap_err());
        assert!(error.contains("recovery.toml:1:2") && error.contains("expected one of"), "{error}");
    }

    /// What the README shows is what the program takes.
    #[test]
    fn the_readmes_settings_are_accepted() {
        let readme = include_str!("../../README.md");
        let (_, rest) = readme.split_once("```toml\n").unwrap();
        let (settings, _) = rest.split_once("```").unwrap();
        let config = read("recovery.toml", settings).unwrap();
        assert!(!config.indicator.is_empty());
        config.engine(None).unwrap();
    }

    #[test]
    fn a_plan_executors_config_json_is_read() {
        let config =
            read("config.json", r#"{"mode":"yolo","workflow":{"research":true,"node_repair_budget":5}}"#).unwrap();
        assert!(config.workflow.node_repair);
        assert_eq!(config.workflow.node_repair_budget, 5);
    }
}
