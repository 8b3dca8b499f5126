//! `recovery install` and `recovery doctor` as people run them, in a home and a project of their own.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const AGENTS: [&str; 6] = ["claude-code", "codex", "gemini", "cursor", "copilot", "opencode"];

struct Machine {
    dir: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("project/.git")).unwrap();
        std::fs::create_dir_all(dir.path().join("home")).unwrap();
        let machine = Self { dir };
        machine.claude("2.1.325");
        machine
    }

    /// A client of this version on the path.
    fn claude(&self, version: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let program = self.dir.path().join("bin/claude");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, format!("#!/bin/sh\necho '{version} (Claude Code)'\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn project(&self, path: &str) -> PathBuf {
        self.dir.path().join("project").join(path)
    }

    fn run(&self, args: &[&str]) -> Output {
        self.run_on(args, Path::new(env!("CARGO_BIN_EXE_recovery")).parent().unwrap())
    }

    /// With only `path` and the system's directories on the path.
    fn run_on(&self, args: &[&str], path: &Path) -> Output {
        let bin = self.dir.path().join("bin");
        let path = std::env::join_paths([path, &bin, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
        for moved in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            command.env_remove(moved);
        }
        let home = self.dir.path().join("home");
        command.args(args).current_dir(self.project("")).env("HOME", home).env("PATH", path).output().unwrap()
    }

    fn doctor(&self) -> (Option<i32>, Value) {
        let ended = self.run(&["doctor", "--format", "json"]);
        (ended.status.code(), serde_json::from_slice(&ended.stdout).unwrap())
    }
}

fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let machine = Machine::new();
    let ended = machine.run(&["install", "claude-code", "--dry-run"]);
    assert!(ended.status.success());
    assert!(printed(&ended).contains("would be created") && printed(&ended).contains("+"), "{}", printed(&ended));
    assert!(!machine.project(".claude").exists());
}

#[test]
fn a_failure_comes_through_the_hooks_of_every_agent() {
    let machine = Machine::new();
    for agent in AGENTS {
        let ended = machine.run(&["install", agent]);
        assert!(ended.status.success() && printed(&ended).contains("What is left to do"), "{}", printed(&ended));
    }
    let (code, found) = machine.doctor();
    assert_eq!(code, Some(0), "{found:#}");
    let agents = found["agents"].as_array().unwrap();
    assert_eq!(agents.len(), AGENTS.len());
    for agent in agents {
        assert!(agent["answer"].as_str().unwrap().starts_with("recovery: connection failed, exit code 1"), "{agent:#}");
    }
    assert!(!machine.project(".recovery").exists(), "the samples must not reach the project's journal");
    for agent in AGENTS {
        assert!(machine.run(&["uninstall", agent]).status.success());
    }
    let (code, found) = machine.doctor();
    assert_eq!((code, found["agents"].as_array().unwrap().len()), (Some(1), 0));
}

#[test]
fn a_hook_that_cannot_run_is_found() {
    let machine = Machine::new();
    machine.run(&["install", "codex"]);
    machine.run(&["install", "gemini"]);
    for file in [".codex/hooks.json", ".gemini/settings.json"] {
        let text = std::fs::read_to_string(machine.project(file)).unwrap();
        std::fs::write(machine.project(file), text.replace("recovery hook", "/nowhere/recovery hook")).unwrap();
    }
    let (code, found) = machine.doctor();
    assert_eq!(code, Some(1));
    for agent in found["agents"].as_array().unwrap() {
        let fault = agent["faults"][0].as_str().unwrap();
        assert!(fault.contains("not found"), "{fault}");
    }
}

#[test]
fn an_event_without_its_hook_and_broken_settings_are_found() {
    let machine = Machine::new();
    machine.run(&["install", "cursor"]);
    let file = machine.project(".cursor/hooks.json");
    let mut hooks: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    hooks["hooks"].as_object_mut().unwrap().remove("stop");
    std::fs::write(&file, hooks.to_string()).unwrap();
    std::fs::create_dir_all(machine.project(".gemini")).unwrap();
    std::fs::write(machine.project(".gemini/settings.json"), "{\n oops").unwrap();
    std::fs::write(machine.project("recovery.toml"), "pack = 5\n").unwrap();
    let (code, found) = machine.doctor();
    assert_eq!(code, Some(1));
    assert_eq!(found["agents"][0]["faults"][0], "no hook at stop", "{found:#}");
    let shown = found["checks"].to_string();
    assert!(shown.contains("line 2 column 2") && shown.contains("recovery.toml:1:8"), "{shown}");
}

#[test]
fn without_a_place_on_the_path_this_very_file_is_named_and_said_so() {
    let machine = Machine::new();
    let ended = machine.run_on(&["install", "claude-code"], Path::new("/nowhere"));
    assert!(printed(&ended).contains("is not on the PATH"), "{}", printed(&ended));
    let text = std::fs::read_to_string(machine.project(".claude/settings.json")).unwrap();
    assert!(text.contains(env!("CARGO_BIN_EXE_recovery")), "{text}");
}

#[test]
fn the_persons_own_settings_are_found_where_the_environment_says() {
    let machine = Machine::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
    let moved = machine.dir.path().join("moved");
    command.args(["install", "codex", "--user"]).current_dir(machine.project("")).env("CODEX_HOME", &moved);
    assert!(command.output().unwrap().status.success());
    assert!(moved.join("hooks.json").exists());
}

#[test]
fn bad_usage_names_the_agents() {
    let machine = Machine::new();
    let ended = machine.run(&["install", "emacs"]);
    assert_eq!(ended.status.code(), Some(2));
    assert!(printed(&ended).contains("claude-code, codex"), "{}", printed(&ended));
    assert_eq!(machine.run(&["install", "codex", "--user", "--project"]).status.code(), Some(2));
}

/// Installed is not enough: what the client does not trust, what is reported twice and what is too old is red.
#[test]
fn doctor_is_red_where_hooks_are_installed_and_do_not_run_or_run_twice() {
    let machine = Machine::new();
    let faults = |machine: &Machine, agent: &str| {
        let (code, found) = machine.doctor();
        let agents = found["agents"].as_array().unwrap().clone();
        let of = agents.iter().find(|known| known["agent"] == agent).unwrap_or_else(|| panic!("{found:#}"));
        (code, of["faults"].to_string())
    };
    let home = |path: &str| machine.dir.path().join("home").join(path);
    machine.run(&["install", "codex"]);
    std::fs::create_dir_all(home(".codex")).unwrap();
    std::fs::write(home(".codex/config.toml"), "model = \"x\"\n").unwrap();
    let (code, said) = faults(&machine, "codex");
    assert!(code == Some(1) && said.contains("/hooks"), "{said}");
    let hooks = machine.project(".codex/hooks.json");
    let trusted = format!("[hooks.state.\"{}:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:1\"\n", hooks.display());
    std::fs::write(home(".codex/config.toml"), trusted).unwrap();
    assert_eq!(faults(&machine, "codex"), (Some(0), "[]".to_owned()));

    machine.run(&["install", "claude-code"]);
    let trust = |yes: bool| {
        let root = machine.project("").canonicalize().unwrap();
        let state = serde_json::json!({"projects": {root.to_str().unwrap(): {"hasTrustDialogAccepted": yes}}});
        std::fs::write(home(".claude.json"), state.to_string()).unwrap();
    };
    trust(false);
    assert!(faults(&machine, "claude-code").1.contains("trust the folder"));
    trust(true);
    assert_eq!(faults(&machine, "claude-code"), (Some(0), "[]".to_owned()));
    machine.run(&["install", "claude-code", "--user"]);
    assert!(faults(&machine, "claude-code").1.contains("twice"));
    machine.run(&["uninstall", "claude-code", "--user"]);
    std::fs::create_dir_all(home(".claude")).unwrap();
    std::fs::write(home(".claude/settings.json"), "{\"enabledPlugins\": {\"recovery@recovery\": true}}").unwrap();
    assert!(faults(&machine, "claude-code").1.contains("plugin"));
    std::fs::remove_file(home(".claude/settings.json")).unwrap();
    machine.claude("1.0.90");
    assert!(faults(&machine, "claude-code").1.contains("too old"));
}
