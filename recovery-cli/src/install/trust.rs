//! Whether a client will run the hooks that are installed: what it has written down about its own trust prompts.
//!
//! Read, never written. Where a client keeps no such record that is known here, nothing is said.

use super::client;
use super::setup::{FAILURES_SINCE, Places};
use recovery_agents::Agent;
use serde_json::Value;
use std::path::Path;

/// Why `agent` would not run the hooks in `settings`, as far as that can be told.
pub(crate) fn distrust(agent: Agent, settings: &Path, places: &Places) -> Option<String> {
    match agent {
        Agent::ClaudeCode => claude_code(places),
        Agent::Codex => codex(settings, places),
        Agent::Gemini | Agent::Cursor | Agent::Copilot | Agent::OpenCode => None,
    }
}

/// Claude Code notes for each folder whether its trust dialog was accepted; without it an interactive session runs no hook.
fn claude_code(places: &Places) -> Option<String> {
    if let Some(version) = places.claude_code.filter(|version| *version < FAILURES_SINCE) {
        return Some(format!(
            "Claude Code {} is too old: it tells no hook of a failed command",
            client::shown(version)
        ));
    }
    let moved = places.moved("CLAUDE_CONFIG_DIR", "");
    let state: Value = serde_json::from_slice(&std::fs::read(moved.join(".claude.json")).ok()?).ok()?;
    let accepted = places.root.ancestors().any(|dir| {
        let project = state.get("projects").and_then(|projects| projects.get(dir.to_str()?));
        project.and_then(|project| project.get("hasTrustDialogAccepted")?.as_bool()) == Some(true)
    });
    (!accepted).then(|| {
        "not trusted yet: start `claude` here once and trust the folder; until then interactive sessions run no hook \
         (`claude -p` does)"
            .to_owned()
    })
}

/// Codex keeps the hash of each hook that was trusted in `[hooks.state]` of the person's config.toml, under the path of the
/// file that the hook is in.
fn codex(settings: &Path, places: &Places) -> Option<String> {
    let config = places.moved("CODEX_HOME", ".codex").join("config.toml");
    let config: toml_edit::DocumentMut = std::fs::read_to_string(config).ok()?.parse().ok()?;
    let state = config.get("hooks").and_then(|hooks| hooks.get("state")).and_then(toml_edit::Item::as_table_like);
    let trusted = state.is_some_and(|state| {
        state.iter().any(|(key, hook)| key.contains(&*settings.to_string_lossy()) && hook.get("trusted_hash").is_some())
    });
    (!trusted).then(|| {
        "not trusted yet: start `codex` and trust the hooks with /hooks; until then it skips them silently".to_owned()
    })
}

/// Whether Claude Code's plugin is on, in the person's settings or the project's.
pub(crate) fn has_plugin(places: &Places) -> bool {
    let person = places.moved("CLAUDE_CONFIG_DIR", ".claude").join("settings.json");
    [person, places.root.join(".claude/settings.json")].iter().any(|path| {
        let settings: Option<Value> = std::fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let on = settings.and_then(|settings| settings.get("enabledPlugins")?.get("recovery@recovery")?.as_bool());
        on == Some(true)
    })
}
