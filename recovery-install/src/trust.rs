//! Whether a client will run the hooks that are installed, by its own record of its trust prompts.
//!
//! In: an agent, the settings file with its hooks and the [`Places`] of this machine. Out: a sentence with the
//! reason and the next step for `recovery doctor`, or `None`. Several clients skip hooks of an untrusted folder
//! silently, so a correct installation can have no effect. The clients' files are only read. Where its file cannot
//! be read or the client documents none, the answer is `None`: nothing is known then.
//!
//! One function per client; a new one is added to the match in [`distrust`].

use crate::client;
use crate::jsonc::Document;
use crate::setup::{FAILURES_SINCE, Places};
use recovery_agents::Agent;
use serde_json::Value;
use std::path::Path;

/// Why `agent` would not run the hooks in `settings`, as far as that is known.
#[must_use]
pub fn distrust(agent: Agent, settings: &Path, places: &Places) -> Option<String> {
    match agent {
        Agent::ClaudeCode => claude_code(places),
        Agent::Codex => codex(settings, places),
        Agent::Gemini => gemini(settings, places),
        Agent::Copilot => copilot(settings, places),
        // Cursor documents no file of its own for it; OpenCode has no trust prompt.
        Agent::Cursor | Agent::OpenCode => None,
    }
}

/// What a client's own file has at `key`; such a file may have comments.
fn written_down(file: &Path, key: &[&str]) -> Option<Value> {
    Document::parse(&std::fs::read_to_string(file).ok()?).ok()?.get(key)
}

/// Gemini keeps each folder that was decided about in `trustedFolders.json`, by path. Its folder trust is on unless the
/// person's settings turn it off; before it was started for the first time nothing is known.
fn gemini(settings: &Path, places: &Places) -> Option<String> {
    let own = places.home.join(".gemini");
    let is_off =
        written_down(&own.join("settings.json"), &["security", "folderTrust", "enabled"]) == Some(false.into());
    if !settings.starts_with(&places.root) || is_off || !own.join("installation_id").exists() {
        return None;
    }
    let folders = written_down(&own.join("trustedFolders.json"), &[]).unwrap_or_default();
    let decided = places.root.ancestors().find_map(|dir| {
        let decision = folders.get(dir.to_str()?)?.as_str()?;
        Some(matches!(decision, "TRUST_FOLDER" | "TRUST_PARENT"))
    });
    // "Trust parent" is noted under the folder and counts for its siblings.
    let by_sibling = || {
        let parent = places.root.parent()?;
        let siblings = folders.as_object()?.iter();
        siblings
            .filter(|(_, decision)| *decision == "TRUST_PARENT")
            .find(|(dir, _)| Path::new(dir).parent() == Some(parent))
    };
    (decided != Some(true) && by_sibling().is_none()).then(|| {
        "not trusted yet: start `gemini` here and trust the folder (/permissions); until then it runs no hook of the project \
         (GEMINI_CLI_TRUST_WORKSPACE=true trusts it for one run)"
            .to_owned()
    })
}

/// Copilot keeps the folders that were trusted in `trustedFolders` of its config.json, which it begins with comments.
fn copilot(settings: &Path, places: &Places) -> Option<String> {
    if !settings.starts_with(&places.root) {
        return None;
    }
    let config = places.moved("COPILOT_HOME", ".copilot").join("config.json");
    let config = written_down(&config, &[])?;
    let folders = config.get("trusted_folders").or_else(|| config.get("trustedFolders"));
    let folders = folders.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let trusted = places.root.ancestors().any(|dir| folders.iter().any(|folder| folder.as_str() == dir.to_str()));
    (!trusted).then(|| {
        "not trusted yet: start `copilot` here and choose \"Yes, and remember this folder\"; until then it runs no hook, \
         silently (--trust-folder trusts it for one run)"
            .to_owned()
    })
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
#[must_use]
pub fn has_plugin(places: &Places) -> bool {
    let person = places.moved("CLAUDE_CONFIG_DIR", ".claude").join("settings.json");
    [person, places.root.join(".claude/settings.json")].iter().any(|path| {
        let settings: Option<Value> = std::fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok());
        let on = settings.and_then(|settings| settings.get("enabledPlugins")?.get("recovery@recovery")?.as_bool());
        on == Some(true)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gemini_and_copilot_wrote_down_is_read() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().join("work/app");
        let places =
            Places { root: root.clone(), home: home.path().to_path_buf(), moved: Vec::new(), claude_code: None };
        let write = |path: &str, value: Value| {
            let path = home.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, value.to_string()).unwrap();
        };
        let doubts = |agent| distrust(agent, &root.join(".x/settings.json"), &places).is_some();
        for agent in [Agent::Gemini, Agent::Copilot] {
            assert!(!doubts(agent), "nothing is written down, so nothing is known");
        }
        let key = |path: &str| home.path().join(path).to_str().unwrap().to_owned();
        write(".gemini/installation_id", serde_json::json!("1"));
        std::fs::create_dir_all(home.path().join(".copilot")).unwrap();
        let started = "// This file is managed automatically.\n{\n  \"appTipShown\": true\n}\n";
        std::fs::write(home.path().join(".copilot/config.json"), started).unwrap();
        for agent in [Agent::Gemini, Agent::Copilot] {
            assert!(doubts(agent), "{agent} was started, and not in this folder");
        }
        write(".gemini/settings.json", serde_json::json!({"security": {"folderTrust": {"enabled": false}}}));
        assert!(!doubts(Agent::Gemini), "folder trust is off");
        write(".gemini/settings.json", serde_json::json!({}));
        write(".gemini/trustedFolders.json", serde_json::json!({key("other"): "TRUST_FOLDER"}));
        write(".copilot/config.json", serde_json::json!({"trustedFolders": [key("other")]}));
        for agent in [Agent::Gemini, Agent::Copilot] {
            assert!(doubts(agent), "{agent}");
            assert!(
                distrust(agent, &home.path().join("settings.json"), &places).is_none(),
                "the person's own hooks run"
            );
        }
        write(".copilot/config.json", serde_json::json!({"trusted_folders": [key("work")]}));
        assert!(!doubts(Agent::Copilot));
        for trusted in [
            serde_json::json!({key("work/app"): "TRUST_FOLDER"}),
            serde_json::json!({key("work/lib"): "TRUST_PARENT"}),
            serde_json::json!({key("work"): "TRUST_FOLDER"}),
        ] {
            write(".gemini/trustedFolders.json", trusted.clone());
            assert!(!doubts(Agent::Gemini), "{trusted}");
        }
        write(".gemini/trustedFolders.json", serde_json::json!({key("work/app"): "DO_NOT_TRUST"}));
        assert!(doubts(Agent::Gemini));
    }
}
