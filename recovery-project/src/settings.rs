//! `recovery.toml`: all settings of a project, each with a default.
//!
//! In: the path and the text of a settings file. Out: [`ProjectSettings`], or an error that shows the line with a caret
//! (`settings/source.rs`). Unknown keys are errors, so that a misspelt one is noticed. Settings that run commands or
//! leave the project's folder take effect only with the user's consent ([`ProjectSettings::needs_consent`],
//! `trust.rs`). To add a setting, add a field with its default; `settings/schema.rs` has the JSON Schema of types from
//! crates without one.

mod schema;
mod sections;
mod source;

pub use sections::{ConstraintSettings, HookSettings, JournalSettings, MissionSettings, NotesSettings};

use crate::ProjectError;
use crate::location::read_settings;
use failure_taxonomy::{Fragments, PackError, UserIndicator};
use problem_matcher::{UserMatchers, definitions_from_json};
use recovery_engine::{Engine, PackName, Taxonomy};
use recovery_run::playbook::Playbook;
use recovery_service::Accept;
use recovery_store::{Store, TaskId};
use schemars::JsonSchema;
use serde::Deserialize;
use source::{Path as SettingPath, SourceText, Step, below};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// All settings.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Config")]
pub struct ProjectSettings {
    /// Indicators to read output with: `field` or `documented`.
    #[schemars(with = "Option<schema::Pack>")]
    pub pack: Option<PackName>,
    /// Rows of the user's own.
    #[schemars(with = "Vec<schema::Indicator>")]
    pub indicator: Vec<UserIndicator>,
    /// Parts of patterns that those rows share, by name.
    #[schemars(with = "BTreeMap<String, schema::Pattern>")]
    pub fragment: Fragments,
    /// Ids of built-in rows that are left out.
    pub disable: Vec<String>,
    /// Formats of tool output of the user's own; docs/matchers.md has their fields.
    #[schemars(with = "Vec<std::collections::BTreeMap<String, serde_json::Value>>")]
    pub matcher: Vec<problem_matcher::Definition>,
    /// Files with problem matchers of GitHub or VS Code, from the folder of this file.
    pub matcher_files: Vec<PathBuf>,
    /// The plan executor's settings, with its own names.
    #[schemars(with = "schema::Workflow")]
    pub workflow: node_repair::RepairConfig,
    /// The classifier's settings.
    #[schemars(with = "schema::Classifier")]
    pub classifier: classifier_core::Config,
    /// The escalation ladder's numbers.
    pub ladder: escalation::Policy,
    /// When a resource is given a rest, and how its users come back.
    pub breaker: escalation::BreakerPolicy,
    /// What must not happen, and which paths belong to which feature; it holds for every event.
    pub mission: MissionSettings,
    /// Whether the caller goes on in a new session when the context is exhausted.
    pub continuation: bool,
    /// The memory files.
    pub memory: NotesSettings,
    /// The journal.
    pub journal: JournalSettings,
    /// A journal that machines share.
    store: Option<String>,
    /// What hooks do.
    pub hook: HookSettings,
    /// Commands with what each level does about their failures, by name.
    pub run: BTreeMap<String, Playbook>,
    /// The file, for mistakes that show only later.
    #[serde(skip)]
    #[schemars(skip)]
    source_text: Option<SourceText>,
    /// Whether the file came with the repository and the user has not consented to what it may run and write.
    #[serde(skip)]
    #[schemars(skip)]
    is_withheld: bool,
}

/// A plan executor's `config.json`: only `workflow` is ours, and only its repair settings.
#[derive(Deserialize, JsonSchema)]
struct ForeignConfig {
    #[serde(default)]
    workflow: ForeignWorkflow,
}

#[derive(Default, Deserialize, JsonSchema)]
struct ForeignWorkflow {
    node_repair: Option<bool>,
    node_repair_budget: Option<u32>,
}

/// Whether the path leads out of the folder that it is relative to.
fn leaves_folder(path: &Path) -> bool {
    path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}

impl ProjectSettings {
    /// Reads `path`, which the user named.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let text = std::fs::read_to_string(path).map_err(ProjectError::unreadable(path))?;
        Self::parse(path, text)
    }

    /// The settings in `text`, which `path` holds; a name ending in `.json` is a plan executor's config.json.
    pub fn parse(path: &Path, text: String) -> Result<Self, ProjectError> {
        let name = path.display().to_string();
        if path.extension().is_some_and(|e| e == "json") {
            // Its other fields are other programs' settings.
            let (foreign, _): (ForeignConfig, _) = recovery_service::json::accepted(&Accept::default(), &text)
                .map_err(|problem| ProjectError::Settings(format!("{name}: {problem}")))?;
            let mut config = Self::default();
            let workflow = &mut config.workflow;
            workflow.enabled = foreign.workflow.node_repair.unwrap_or(workflow.enabled);
            workflow.budget = foreign.workflow.node_repair_budget.unwrap_or(workflow.budget);
            return Ok(config);
        }
        let source_text = SourceText { name, text };
        let mut config: Self = toml::from_str(&source_text.text).map_err(|error| source_text.unreadable(&error))?;
        config.check(&source_text)?;
        config.source_text = Some(source_text);
        Ok(config)
    }

    /// Takes over the repair settings of a plan executor's config.json that this file does not state itself.
    pub fn fill_from(&mut self, path: &Path, text: &str) -> Result<(), ProjectError> {
        let theirs = Self::parse(path, text.to_owned())?.workflow;
        let own: toml::Table = self.source_text.as_ref().and_then(|own| own.text.parse().ok()).unwrap_or_default();
        let states = |name: &str| own.get("workflow").and_then(|table| table.get(name)).is_some();
        if !states("node_repair") {
            self.workflow.enabled = theirs.enabled;
        }
        if !states("node_repair_budget") {
            self.workflow.budget = theirs.budget;
        }
        Ok(())
    }

    /// Whether these settings run commands, or read or write somewhere of their own choice.
    #[must_use]
    pub fn needs_consent(&self) -> bool {
        !self.run.is_empty()
            || self.memory.dir.is_some()
            || self.store.is_some()
            || self.matcher_files.iter().any(|path| leaves_folder(path))
    }

    /// What the user consents to, one setting per line.
    #[must_use]
    pub fn settings_needing_consent(&self) -> Vec<String> {
        let commands = self.run.iter().flat_map(|(name, playbook)| {
            playbook.commands().map(move |(field, _, command)| format!("run.{name}.{field}: {command}"))
        });
        let notes = self.memory.dir.iter().map(|dir| format!("memory.dir: {}", dir.display()));
        // An address that cannot be parsed is not repeated: it may hold a password.
        let shown = |address: &String| Store::parse(address).map_or_else(|error| error.to_string(), |s| s.to_string());
        let store = self.store.iter().map(|address| format!("store: {}", shown(address)));
        let matchers = self.matcher_files.iter().filter(|path| leaves_folder(path));
        let matchers = matchers.map(|path| format!("matcher_files: {}", path.display()));
        commands.chain(notes).chain(store).chain(matchers).collect()
    }

    /// From now on nothing is run or read that these settings name: they came with the repository.
    pub fn withhold(&mut self) {
        self.is_withheld = true;
    }

    /// Refuses where the user has not consented to commands from these settings.
    pub fn ensure_may_run(&self) -> Result<(), ProjectError> {
        if !self.is_withheld {
            return Ok(());
        }
        Err(ProjectError::Refused(
            "recovery.toml came with the repository (git tracks it), so what it names is not run without your consent; \
             read it, then say yes once with `recovery trust`"
                .to_owned(),
        ))
    }

    /// The journal that machines share, if the settings name one and may: everything recorded is sent there.
    #[must_use]
    pub fn store(&self) -> Option<&str> {
        self.store.as_deref().filter(|_| !self.is_withheld)
    }

    /// Where notes are kept, if the settings state it and are allowed to.
    #[must_use]
    pub fn notes_dir(&self) -> Option<&Path> {
        self.memory.dir.as_deref().filter(|_| !self.is_withheld)
    }

    /// The engine with these settings; `pack` on the command line wins.
    pub fn engine(&self, pack: Option<PackName>) -> Result<Engine, ProjectError> {
        let pack = pack.or(self.pack).unwrap_or_default();
        let mut engine = if self.indicator.is_empty() && self.disable.is_empty() {
            Engine::new(pack)
        } else {
            let rows =
                Taxonomy::builder(pack).fragments(self.fragment.clone()).indicators(self.indicator.iter().cloned());
            let pack = self.disable.iter().fold(rows, |builder, id| builder.disable(id.as_str()));
            Engine::with(pack.build().map_err(|error| self.mistake(&error, &[self.row_of(&error)]))?)
        };
        engine.matchers = self.matchers()?;
        engine.classifier = self.classifier;
        engine.repair = self.workflow;
        engine.ladder = self.ladder.clone();
        engine.breaker = self.breaker;
        engine.mission = self.mission.as_ancestor();
        engine.continuation = self.continuation;
        engine.deny_ms = self.hook.deny_minutes.saturating_mul(60_000);
        Ok(engine)
    }

    /// The user's formats: those of the settings, then those of the files they name.
    fn matchers(&self) -> Result<UserMatchers, ProjectError> {
        let mut definitions = self.matcher.clone();
        for path in self.matcher_files.iter().filter(|path| !self.is_withheld || !leaves_folder(path)) {
            let settings = self.source_text.as_ref().and_then(|source_text| Path::new(&source_text.name).parent());
            let path = settings.map_or_else(|| path.clone(), |folder| folder.join(path));
            let name = path.display();
            let text = read_settings(&path)
                .and_then(|text| text.ok_or_else(|| "there is no such file".to_owned()))
                .map_err(|reason| ProjectError::Settings(format!("cannot read {name}: {reason}")))?;
            let json = recovery_service::json::parse(&text)
                .map_err(|problem| ProjectError::Settings(format!("{name}: {problem}")))?;
            definitions.extend(
                definitions_from_json(&json).map_err(|problem| ProjectError::Settings(format!("{name}: {problem}")))?,
            );
        }
        UserMatchers::new(definitions).map_err(|error| self.mistake(&error, &[self.matcher_of(&error.id)]))
    }

    /// Where a matcher is written; one of a file is not in the settings.
    fn matcher_of(&self, id: &str) -> SettingPath {
        match self.matcher.iter().position(|matcher| matcher.id == id) {
            Some(row) => vec![Step::Key("matcher".to_owned()), Step::Item(row)],
            None => vec![Step::Key("matcher_files".to_owned())],
        }
    }

    /// The mistake in the levels of a playbook's run, which the ladder's own numbers belong to.
    #[must_use]
    pub fn mistake_in_run(&self, playbook: &str, error: &escalation::PolicyError) -> ProjectError {
        self.mistake(error, &["limit", "budget", "nudge", "fallback"].map(|field| in_playbook(playbook, field, None)))
    }

    /// Settings that can be read and make no sense, apart from indicators: they show when their pack is built.
    fn check(&self, source_text: &SourceText) -> Result<(), ProjectError> {
        if let Err(error) = self.ladder.validate() {
            let settings: Vec<_> = error.settings().into_iter().map(|name| below("ladder", name)).collect();
            return Err(source_text.mistake(&error, &settings));
        }
        if let Some(Err(error)) = self.hook.task.as_ref().map(TaskId::new) {
            return Err(source_text.mistake(&error, &[below("hook", "task")]));
        }
        if let Some(Err(error)) = self.store.as_deref().map(Store::parse) {
            // Without the line: it may hold a password.
            return Err(ProjectError::Settings(format!("store in {}: {error}", source_text.name)));
        }
        for (name, playbook) in &self.run {
            if let Some(Err(error)) = playbook.task.as_ref().map(TaskId::new) {
                return Err(source_text.mistake(&error, &[in_playbook(name, "task", None)]));
            }
            if let Some((field, item)) = playbook.empty_command() {
                let error = "this is empty: give a command to run";
                return Err(source_text.mistake(&error, &[in_playbook(name, field, item)]));
            }
        }
        Ok(())
    }

    fn mistake(&self, error: &impl std::fmt::Display, settings: &[SettingPath]) -> ProjectError {
        match &self.source_text {
            Some(source_text) => source_text.mistake(error, settings),
            None => ProjectError::Settings(format!("in the settings: {error}")),
        }
    }

    /// Where the user's row with this id is written down, as `file:line`.
    #[must_use]
    pub fn source_of(&self, id: &str) -> Option<String> {
        let row = self.indicator.iter().rposition(|row| row.id == id)?;
        let source_text = self.source_text.as_ref()?;
        let line = source_text.line_of(&vec![Step::Key("indicator".to_owned()), Step::Item(row)])?;
        Some(format!("{}:{line}", source_text.name))
    }

    /// Where the row is written down that a pack cannot be built with.
    fn row_of(&self, error: &PackError) -> SettingPath {
        let (id, field) = match error {
            PackError::EmptyId => ("", "id"),
            PackError::DuplicateId { id } => (id.as_str(), "id"),
            PackError::EmptyText { id } | PackError::LineBreak { id } | PackError::LongText { id, .. } => {
                (id.as_str(), "text")
            }
            PackError::UnknownErrorType { id, .. } => (id.as_str(), "error_type"),
            PackError::BadPattern { id, .. } | PackError::UnknownFragment { id, .. } => (id.as_str(), "pattern"),
            PackError::ExampleMissed { id, .. } => (id.as_str(), "hits"),
            PackError::CounterExampleHit { id, .. } => (id.as_str(), "misses"),
            PackError::UnknownId { id } => {
                let item = self.disable.iter().position(|disabled| disabled == id).unwrap_or(0);
                return vec![Step::Key("disable".to_owned()), Step::Item(item)];
            }
            _ => return vec![Step::Key("indicator".to_owned())],
        };
        // Of two rows with one id, the second is one too many.
        let row = self.indicator.iter().rposition(|row| row.id == id).unwrap_or(0);
        vec![Step::Key("indicator".to_owned()), Step::Item(row), Step::Key(field.to_owned())]
    }
}

fn in_playbook(name: &str, field: &str, item: Option<usize>) -> SettingPath {
    let keys = ["run", name, field].map(|key| Step::Key(key.to_owned()));
    keys.into_iter().chain(item.map(Step::Item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<ProjectSettings, ProjectError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        ProjectSettings::read(&path)
    }

    #[test]
    fn a_mistake_is_shown_at_its_line() {
        let error = format!("{:#}", read("recovery.toml", "[workflow]\nnode_repair = \"no\"\n").unwrap_err());
        assert!(error.contains("recovery.toml:2:15"), "{error}");
        assert!(error.contains("expected a boolean"), "{error}");
        let error = format!("{:#}", read("recovery.toml", "[workflw]\n").unwrap_err());
        assert!(error.contains("recovery.toml:1:2") && error.contains("expected one of"), "{error}");
    }

    /// Every kind of setting that can be read and makes no sense, with the place and the words it is shown with.
    #[test]
    fn what_makes_no_sense_is_shown_at_its_line() {
        let row = "[[indicator]]\nid = \"a.b\"\ntext = \"lease held\"\nerror_type = \"lock_contention\"\n";
        let second = |line: &str| format!("{row}{}", row.replace("a.b", "c.d").replace("text = \"lease held\"", line));
        let cases = [
            ("[ladder.nudge]\nvariants = 3\nlimit_ms = 0\n".to_owned(), "3:12", "nudge.limit_ms is 0"),
            ("[ladder]\nretry = { attempts = 5000, limit_ms = 9000000 }\n".to_owned(), "2:22", "more than 1000"),
            ("[ladder.retry]\nattempts = 9\n".to_owned(), "2:12", "raise the limit or lower the attempts"),
            ("[ladder.loop]\nreplan = 6\n".to_owned(), "2:10", "must not get smaller"),
            ("[ladder]\nfallback.targets = [{ agent = \" \" }]\n".to_owned(), "2:20", "empty name"),
            (row.replace("lock_contention", "lock"), "4:14", "it must be one of"),
            (format!("{row}pattern = \"(\"\n"), "5:11", "no regular expression"),
            (format!("{row}hits = \"nothing\"\n"), "5:8", "correct the example"),
            (format!("{row}misses = \"a lease held by b\"\n"), "5:10", "tighten its guards"),
            (second("text = \"\""), "7:8", "say what to look for"),
            (format!("{row}{row}"), "6:6", "choose another id"),
            (row.replace("a.b", ""), "2:6", "give it a name"),
            ("disable = [\"os.enoent\", \"no.such\"]\n".to_owned(), "1:25", "no indicator \"no.such\""),
            ("[hook]\ntask = \" \"\n".to_owned(), "2:8", "not a task's name"),
            ("[run.\"a.b\"]\ncommand = \"make\"\ntask = \"\"\n".to_owned(), "3:8", "not a task's name"),
            ("[run.x]\ncommand = \"make\"\nnudge = [\"make -j1\", []]\n".to_owned(), "3:22", "give a command"),
            ("[run.x]\ncommand = \" \"\n".to_owned(), "2:11", "give a command"),
        ];
        for (text, place, words) in cases {
            let refused = read("recovery.toml", &text).and_then(|config| config.engine(None).map(|_| ()));
            let error = format!("{:#}", refused.expect_err(&text));
            assert!(error.contains(&format!("recovery.toml:{place}\n")), "{place}: {error}");
            assert!(error.contains(words) && error.contains('^'), "{words}: {error}");
        }
    }

    #[test]
    fn settings_that_do_not_go_together_are_all_marked() {
        let error = read("recovery.toml", "[ladder.loop]\nwindow = 4\n\nforce_done = 9\n").unwrap_err().to_string();
        assert!(error.contains("recovery.toml:2:10") && error.contains('^'), "{error}");
        assert!(error.contains("4 | force_done = 9") && error.contains("-"), "{error}");
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

    /// A repository must not make us read a device, a pipe or a file elsewhere: a device never ends.
    #[test]
    fn matchers_come_from_regular_files_within_the_project() {
        for path in ["/dev/zero", "../elsewhere.json", "a/../../b.json"] {
            let mut settings = read("recovery.toml", &format!("matcher_files = [\"{path}\"]\n")).unwrap();
            assert!(settings.needs_consent() && settings.settings_needing_consent()[0].ends_with(path), "{path}");
            let error = settings.engine(None).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("regular file") || error.contains("no such file"), "{error}");
            settings.withhold();
            assert!(settings.engine(None).is_ok(), "{path}");
        }
        assert!(!read("recovery.toml", "matcher_files = [\"./a/b.json\"]\n").unwrap().needs_consent());
    }

    /// Everything recorded is sent to the store, so naming one needs consent, and its password is never shown.
    #[test]
    fn a_shared_store_needs_consent_and_keeps_its_password() {
        let error = format!("{:#}", read("recovery.toml", "store = \"me:hunter2@host\"\n").unwrap_err());
        assert!(error.contains("postgres://") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn a_plan_executors_config_json_is_read() {
        let config =
            read("config.json", r#"{"mode":"yolo","workflow":{"research":true,"node_repair_budget":5}}"#).unwrap();
        assert!(config.workflow.enabled);
        assert_eq!(config.workflow.budget, 5);
    }
}
