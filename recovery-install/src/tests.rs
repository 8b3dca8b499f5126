//! Installing and uninstalling on a scratch machine: settings files in, settings files out.
//!
//! A `Machine` is a temporary home with a project. The tests cover what an installation must not do: change what a
//! person wrote, overwrite a file that changed since the plan, follow a dangling link, or leave anything behind.
//! What is written for each agent is a snapshot. The editing of JSON text is tested in `jsonc.rs`.

use super::*;
use serde_json::Value;

const SCOPES: [SettingsScope; 2] = SettingsScope::ALL;

struct Machine {
    dir: tempfile::TempDir,
    claude_code: Option<(u32, u32, u32)>,
}

impl Machine {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("project/.git")).unwrap();
        Self { dir, claude_code: Some((2, 1, 325)) }
    }

    fn places(&self) -> Places {
        Places {
            root: self.dir.path().join("project"),
            home: self.dir.path().join("home"),
            moved: Vec::new(),
            claude_code: self.claude_code,
        }
    }

    fn plan(&self, agent: Agent, scope: SettingsScope, wish: Wish) -> anyhow::Result<InstallPlan> {
        Ok(plan(agent, scope, &self.places(), &Launch::named("recovery"), wish)?)
    }

    fn run(&self, agent: Agent, scope: SettingsScope, wish: Wish) -> usize {
        let plan = self.plan(agent, scope, wish).unwrap();
        plan.changes.iter().for_each(|change| apply(change, wish, &self.places()).unwrap());
        plan.changes.len()
    }

    /// Every file below with its text.
    fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        let mut folders = vec![self.dir.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.ends_with(".local/state") {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let text = std::fs::read_to_string(&path).unwrap();
                    files.push((path.strip_prefix(self.dir.path()).unwrap().to_path_buf(), text));
                }
            }
        }
        files.sort();
        files
    }
}

#[test]
fn what_is_written_for_each_agent() {
    for agent in Agent::ALL {
        let machine = Machine::new();
        machine.run(agent, SettingsScope::Project, Wish::Present { mcp: true, status_line: false });
        let shown: String =
            machine.files().iter().map(|(path, text)| format!("== {}\n{text}", path.display())).collect();
        insta::assert_snapshot!(agent.name(), shown);
    }
}

#[test]
fn installing_twice_changes_nothing_and_uninstalling_leaves_nothing() {
    for agent in Agent::ALL {
        for scope in SCOPES {
            let machine = Machine::new();
            assert!(machine.run(agent, scope, Wish::Present { mcp: true, status_line: false }) > 0);
            assert_eq!(machine.run(agent, scope, Wish::Present { mcp: true, status_line: false }), 0, "{agent}");
            let found = installed(agent, scope, &machine.places(), &Launch::named("recovery")).unwrap().unwrap();
            assert!(found.faults.is_empty() && !found.hooks.is_empty(), "{agent}");
            machine.run(agent, scope, Wish::Absent);
            assert_eq!(machine.files(), [], "{agent}");
        }
    }
}

#[test]
fn a_persons_settings_come_back_byte_for_byte() {
    let theirs = "{\n  // mine\n  \"model\": \"x\",\n  \"hooks\": {\n    \"PreToolUse\": [\n      { \"matcher\": \"Bash\", \
                  \"hooks\": [{ \"type\": \"command\", \"command\": \"lint\" }] } /* keep */\n    ]\n  }\n}\n";
    let machine = Machine::new();
    let path = machine.places().root.join(".claude/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, theirs).unwrap();
    machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Present { mcp: false, status_line: false });
    let merged = std::fs::read_to_string(&path).unwrap();
    assert!(merged.contains("// mine") && merged.contains("/* keep */") && merged.contains("\"lint\""), "{merged}");
    let hooks = Document::parse(&merged).unwrap().get(&["hooks", "PreToolUse"]).unwrap();
    assert_eq!(hooks.as_array().unwrap().len(), 2);
    machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Absent);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), theirs);
}

#[test]
fn an_older_entry_is_brought_up_to_date_and_a_neighbour_in_its_group_stays() {
    let machine = Machine::new();
    let path = machine.places().root.join(".claude/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let old = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/old/recovery hook claude-code"},
        {"type":"command","command":"theirs"}]}],"Notification":[{"hooks":[{"type":"command",
        "command":"recovery hook claude-code"}]}]}}"#;
    std::fs::write(&path, old).unwrap();
    machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Present { mcp: false, status_line: false });
    let text = std::fs::read_to_string(&path).unwrap();
    let hooks = Document::parse(&text).unwrap().get(&["hooks"]).unwrap();
    assert!(!text.contains("/old/") && text.contains("theirs"), "{text}");
    assert_eq!(hooks.get("Notification"), None, "{text}");
    machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Absent);
    let left: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(left, serde_json::json!({"hooks":{"Stop":[{"hooks":[{"type":"command","command":"theirs"}]}]}}));
}

#[test]
fn a_broken_file_is_refused_with_the_place_and_left_alone() {
    let machine = Machine::new();
    let path = machine.places().root.join(".gemini/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    for (text, place) in [
        ("{\n  \"a\": 1\n  \"b\": 2\n}", "line 2 column 9"),
        ("{\"hooks\": []}", "`hooks` is not an object"),
        ("{\"hooks\": {\"AfterTool\": {}}}", "`hooks.AfterTool` is not a list"),
        ("[1]", "`` is not an object"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = machine
            .plan(Agent::Gemini, SettingsScope::Project, Wish::Present { mcp: false, status_line: false })
            .err()
            .unwrap();
        let shown = format!("{error:#}");
        assert!(shown.contains(place) && shown.contains("settings.json stays as it is"), "{shown}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn comments_in_codex_settings_stay() {
    let machine = Machine::new();
    let path = machine.places().home.join(".codex/config.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let theirs = "# mine\nmodel = \"x\" # because\n\n[mcp_servers.other]\ncommand = \"o\"\n";
    std::fs::write(&path, theirs).unwrap();
    machine.run(Agent::Codex, SettingsScope::User, Wish::Present { mcp: true, status_line: false });
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(theirs) && text.contains("[mcp_servers.recovery]\ncommand = \"recovery\""), "{text}");
    machine.run(Agent::Codex, SettingsScope::User, Wish::Absent);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), theirs);
}

#[test]
fn somebody_elses_server_or_plugin_of_the_same_name_is_not_touched() {
    let machine = Machine::new();
    let root = machine.places().root;
    std::fs::write(root.join(".mcp.json"), r#"{"mcpServers":{"recovery":{"command":"other"}}}"#).unwrap();
    assert!(
        machine
            .plan(Agent::ClaudeCode, SettingsScope::Project, Wish::Present { mcp: true, status_line: false })
            .is_err()
    );
    assert!(machine.plan(Agent::ClaudeCode, SettingsScope::Project, Wish::Absent).unwrap().changes.is_empty());
    std::fs::create_dir_all(root.join(".opencode/plugins")).unwrap();
    std::fs::write(root.join(".opencode/plugins/recovery.js"), "export default {}").unwrap();
    assert!(
        machine
            .plan(Agent::OpenCode, SettingsScope::Project, Wish::Present { mcp: false, status_line: false })
            .is_err()
    );
    assert!(machine.plan(Agent::OpenCode, SettingsScope::Project, Wish::Absent).is_err());
}

#[test]
fn a_file_that_changed_since_the_plan_is_not_overwritten() {
    let machine = Machine::new();
    let plan =
        machine.plan(Agent::Cursor, SettingsScope::Project, Wish::Present { mcp: false, status_line: false }).unwrap();
    let path = machine.places().root.join(".cursor/hooks.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "{}").unwrap();
    assert!(
        apply(&plan.changes[0], Wish::Present { mcp: false, status_line: false }, &machine.places())
            .unwrap_err()
            .to_string()
            .contains("has changed in the meantime")
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_rights_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let machine = Machine::new();
    let (real, link) = (machine.dir.path().join("dotfiles.json"), machine.places().home.join(".gemini/settings.json"));
    std::fs::write(&real, "{\"a\": 1}\n").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    machine.run(Agent::Gemini, SettingsScope::User, Wish::Present { mcp: false, status_line: false });
    assert!(link.is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().contains("hook gemini"));
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn the_shipped_plugins_are_what_this_version_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins");
    for (path, text) in plugins() {
        let shipped = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        assert!(shipped == text, "plugins/{path} is stale; run `cargo xtask plugins`");
    }
}

/// A version that does not know an event rejects the whole file, with the person's own rules in it; one that does not
/// know `args` runs the bare command.
#[test]
fn an_older_claude_code_gets_only_what_it_knows() {
    let events = |version| {
        let machine = Machine { claude_code: version, ..Machine::new() };
        machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Present { mcp: false, status_line: false });
        let text = std::fs::read_to_string(machine.places().root.join(".claude/settings.json")).unwrap();
        let settings: Value = serde_json::from_str(&text).unwrap();
        for (_, groups) in settings["hooks"].as_object().unwrap() {
            let handler = &groups[0]["hooks"][0];
            assert_eq!(handler["command"], "recovery hook claude-code || true");
            assert_eq!(handler.get("args"), None);
        }
        settings["hooks"].as_object().unwrap().len()
    };
    assert_eq!(events(Some((2, 1, 325))), 9);
    assert_eq!(events(Some((2, 1, 105))), 8, "without PostToolBatch");
    assert_eq!(events(Some((2, 0, 60))), 7, "without StopFailure");
    assert_eq!(events(None), 3);
}

/// Whatever the file was like, it comes back byte for byte; directories that were made for it go.
#[test]
fn uninstalling_gives_every_byte_back() {
    let claude: &[&str] = &[
        "{\"hooks\": {\"Stop\": []}}",
        "{\r\n  \"model\": \"x\",\r\n}\r\n",
        "\u{feff}{\"version\": 1}",
        "{}",
        "{\n  \"hooks\": {},\n}\n",
        "// mine\n{ /* a */ \"hooks\": { \"Stop\": [ ], }, }",
        "",
    ];
    for text in claude {
        let machine = Machine::new();
        let path = machine.places().root.join(".claude/settings.json");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Present { mcp: false, status_line: false });
        let installed = std::fs::read_to_string(&path).unwrap();
        assert!(installed.contains("hook claude-code"), "{installed}");
        if text.contains("\r\n") {
            assert!(!installed.replace("\r\n", "").contains('\n'), "{installed:?}");
        }
        machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Present { mcp: true, status_line: false });
        machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Absent);
        assert_eq!(&std::fs::read_to_string(&path).unwrap(), text);
    }
    for (path, text) in [("opencode.json", "{\"mcp\": {}}"), (".mcp.json", "{\"mcpServers\":{}}")] {
        let machine = Machine::new();
        let agent = if path == ".mcp.json" { Agent::ClaudeCode } else { Agent::OpenCode };
        std::fs::write(machine.places().root.join(path), text).unwrap();
        machine.run(agent, SettingsScope::Project, Wish::Present { mcp: true, status_line: false });
        machine.run(agent, SettingsScope::Project, Wish::Absent);
        assert_eq!(std::fs::read_to_string(machine.places().root.join(path)).unwrap(), text);
        assert!(!machine.places().root.join(".claude").exists() && !machine.places().root.join(".opencode").exists());
    }
}

#[test]
fn an_edit_after_the_installation_stays() {
    let machine = Machine::new();
    let path = machine.places().root.join(".gemini/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, "{\"a\": 1}").unwrap();
    machine.run(Agent::Gemini, SettingsScope::Project, Wish::Present { mcp: false, status_line: false });
    let edited = std::fs::read_to_string(&path).unwrap().replace("\"a\": 1", "\"a\": 2");
    std::fs::write(&path, edited).unwrap();
    machine.run(Agent::Gemini, SettingsScope::Project, Wish::Absent);
    let left: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(left, serde_json::json!({"a": 2}));
}

#[test]
fn hooks_leave_although_settings_that_we_never_wrote_are_broken() {
    for scope in SCOPES {
        let machine = Machine::new();
        let wish = Wish::Present { mcp: false, status_line: false };
        machine.run(Agent::Codex, scope, wish);
        for home in [machine.places().home, machine.places().root] {
            std::fs::create_dir_all(home.join(".codex")).unwrap();
            std::fs::write(home.join(".codex/config.toml"), "a = ").unwrap();
        }
        machine.run(Agent::Codex, scope, Wish::Absent);
        let left = machine.files().into_iter().filter(|(path, _)| path.ends_with("hooks.json"));
        assert_eq!(left.count(), 0, "{scope:?}");
    }
}

#[test]
fn the_persons_own_server_in_codex_settings_is_never_deleted() {
    let machine = Machine::new();
    let path = machine.places().home.join(".codex/config.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let theirs = "[mcp_servers.recovery]\ncommand = \"recovery\"\nargs = [\"mcp\"]\n";
    std::fs::write(&path, theirs).unwrap();
    machine.run(Agent::Codex, SettingsScope::User, Wish::Present { mcp: true, status_line: false });
    machine.run(Agent::Codex, SettingsScope::User, Wish::Absent);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), theirs);
}

#[cfg(unix)]
#[test]
fn links_that_lead_nowhere_and_pipes_are_refused() {
    let machine = Machine::new();
    let dir = machine.places().root.join(".gemini");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("settings.json");
    std::os::unix::fs::symlink("/nowhere/at/all.json", &path).unwrap();
    let refused = |machine: &Machine| {
        let planned =
            machine.plan(Agent::Gemini, SettingsScope::Project, Wish::Present { mcp: false, status_line: false });
        format!("{:#}", planned.err().unwrap())
    };
    assert!(refused(&machine).contains("leads nowhere"));
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    assert!(refused(&machine).contains("is not a file"));
}

/// The status line is filled only on request and where it is free, and is removed without a trace.
#[test]
fn the_status_line_is_the_persons_first() {
    let machine = Machine::new();
    let wish = Wish::Present { mcp: false, status_line: true };
    let path = machine.places().root.join(".claude/settings.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["{}", "{\n  \"model\": \"x\", // mine\n}\n", ""] {
        std::fs::write(&path, text).unwrap();
        machine.run(Agent::ClaudeCode, SettingsScope::Project, wish);
        let line = Document::parse(&std::fs::read_to_string(&path).unwrap()).unwrap().get(&["statusLine", "command"]);
        assert_eq!(line, Some(serde_json::json!("recovery status --line || true")));
        assert_eq!(machine.run(Agent::ClaudeCode, SettingsScope::Project, wish), 0);
        machine.run(Agent::ClaudeCode, SettingsScope::Project, Wish::Absent);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    std::fs::write(&path, r#"{"statusLine": {"type": "command", "command": "mine"}}"#).unwrap();
    let error = machine.plan(Agent::ClaudeCode, SettingsScope::Project, wish).err().unwrap();
    assert!(format!("{error:#}").contains("another status line"), "{error:#}");
    let notes = machine.plan(Agent::Codex, SettingsScope::Project, wish).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("no status line")), "{notes:?}");
}

#[test]
fn a_slash_command_comes_and_goes_and_the_persons_own_stays() {
    for (agent, path) in [
        (Agent::ClaudeCode, ".claude/commands/recovery.md"),
        (Agent::Gemini, ".gemini/commands/recovery.toml"),
        (Agent::Cursor, ".cursor/commands/recovery.md"),
        (Agent::OpenCode, ".opencode/commands/recovery.md"),
    ] {
        let machine = Machine::new();
        let wish = Wish::Present { mcp: false, status_line: false };
        let file = machine.places().root.join(path);
        machine.run(agent, SettingsScope::Project, wish);
        assert!(slash::is_ours(&std::fs::read_to_string(&file).unwrap()), "{agent}");
        machine.run(agent, SettingsScope::Project, Wish::Absent);
        assert!(!file.parent().unwrap().parent().unwrap().exists(), "{agent}: a directory was left");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "my own").unwrap();
        machine.run(agent, SettingsScope::Project, wish);
        machine.run(agent, SettingsScope::Project, Wish::Absent);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "my own");
    }
}
