//! Where each agent's settings are, which events are hooked, and how a hook is written there.
//!
//! In: an agent, a [`SettingsScope`] and the [`Places`] of this machine. Out: a `Setup`: the files with the entries
//! to add. Nothing is written here; the edit itself is made by the caller and can be undone. One function per agent; to
//! support another one, add a function and list it in `setup`. Agents reject keys and events that they do not know,
//! so `CLAUDE_CODE` has the first version that knows each event.

use crate::InstallError;
use crate::client::{Version, installed_version};
use crate::launch::Launch;
use recovery_agents::Agent;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Seconds after which an agent gives up on a hook that hangs; ours stays silent after one.
const TIMEOUT_S: u32 = 10;
/// The name under which the MCP server is registered.
pub(crate) const SERVER: &str = "recovery";

/// For one project or for everything that a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingsScope {
    /// The project's own settings, shared with whoever works on it.
    Project,
    /// The person's settings.
    User,
}

impl SettingsScope {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Project, Self::User];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// Where settings are: the project's root and the person's directories.
#[derive(Clone, Debug)]
pub struct Places {
    /// The project's root.
    pub root: PathBuf,
    /// The person's home.
    pub home: PathBuf,
    /// Directories that the environment moves: a variable's name and its value.
    pub moved: Vec<(&'static str, PathBuf)>,
    /// The version of Claude Code that is installed, where that is known.
    pub claude_code: Option<Version>,
}

/// Variables that move an agent's own directory.
const MOVERS: [&str; 5] = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

impl Places {
    /// From the environment.
    pub fn new(root: PathBuf) -> Result<Self, InstallError> {
        // The system's list of users is not asked: it needs the C library's plugins, which a program that has the C library
        // inside cannot load safely.
        let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let home = home.ok_or_else(|| InstallError::Refused("no home directory is known; set HOME".to_owned()))?;
        let moved = MOVERS.into_iter().filter_map(|name| {
            let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
            Some((name, PathBuf::from(value)))
        });
        Ok(Self { root, home, moved: moved.collect(), claude_code: installed_version("claude") })
    }

    /// Where the files are remembered that an installation changes.
    #[must_use]
    pub fn originals(&self) -> PathBuf {
        self.moved("XDG_STATE_HOME", ".local/state").join("recovery/installed")
    }

    pub(crate) fn moved(&self, variable: &str, otherwise: &str) -> PathBuf {
        let moved = self.moved.iter().find(|(name, _)| *name == variable);
        moved.map_or_else(|| self.home.join(otherwise), |(_, dir)| dir.clone())
    }
}

/// Everything that an installation for one agent consists of.
pub(crate) struct Setup {
    /// The hooks.
    pub hooks: Hooks,
    /// The MCP server; none where the agent has no file for this scope that could be edited.
    pub mcp: Option<Mcp>,
    /// The file with the slash command `/recovery`; none where the agent has none for this scope.
    pub command: Option<PathBuf>,
    /// What the person still has to do.
    pub remaining: &'static str,
}

/// How hooks are registered.
pub(crate) enum Hooks {
    /// In a JSON file.
    Entries {
        path: PathBuf,
        /// The member that states the format version, where the file has one.
        version: Option<u32>,
        /// Events and, for each, what is added to its list.
        events: Vec<(&'static str, Entry)>,
    },
    /// As a file of ours.
    Shim { path: PathBuf, text: String },
}

/// How the MCP server is registered.
pub(crate) enum Mcp {
    /// A member of an object in a JSON file.
    Json { path: PathBuf, parent: &'static str, server: Server },
    /// A table in a TOML file.
    Toml { path: PathBuf },
}

/// One element of an event's list.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Entry {
    /// A group of handlers, as Claude Code has them and Codex and Gemini after it.
    Group { hooks: [Handler; 1] },
    /// A handler by itself.
    Bare(Handler),
}

/// A command to run at an event, with the keys that the agent knows.
#[derive(Clone, Default, Serialize)]
pub(crate) struct Handler {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    powershell: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<u32>,
    #[serde(rename = "timeoutSec", skip_serializing_if = "Option::is_none")]
    timeout_sec: Option<u32>,
}

/// How the MCP server is started, with the keys that the agent knows.
#[derive(Clone, Serialize)]
pub(crate) struct Server {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    command: ServerCommand,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[&'static str; 1]>,
}

#[derive(Clone, Serialize)]
#[serde(untagged)]
enum ServerCommand {
    Program(String),
    Line(Vec<String>),
}

/// What an installation for `agent` consists of.
pub(crate) fn setup(agent: Agent, scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    match agent {
        Agent::ClaudeCode => claude_code(scope, places, launch),
        Agent::Codex => codex(scope, places, launch),
        Agent::Gemini => gemini(scope, places, launch),
        Agent::Cursor => cursor(scope, places, launch),
        Agent::Copilot => copilot(scope, places, launch),
        Agent::OpenCode => opencode(scope, places, launch),
    }
}

/// Claude Code's events, each with the first version that knows it: one that does not rejects the whole settings file,
/// with the person's own rules in it. Found by searching the published packages for the name. A failed tool has its
/// own event; calls refused before they ran are only in the batch.
const CLAUDE_CODE: [(&str, Version); 9] = [
    ("SessionStart", (1, 0, 62)),
    ("UserPromptSubmit", (1, 0, 62)),
    ("PreToolUse", (1, 0, 0)),
    ("PostToolUse", (1, 0, 0)),
    ("PostToolUseFailure", FAILURES_SINCE),
    ("PostToolBatch", (2, 1, 118)),
    ("Stop", (1, 0, 0)),
    ("StopFailure", (2, 1, 78)),
    ("SessionEnd", (1, 0, 85)),
];
/// The first version of Claude Code that reports a failed tool to a hook.
pub(crate) const FAILURES_SINCE: Version = (2, 0, 56);

/// The events that this version of Claude Code knows; of a version that is not known, those that every one knows.
pub(crate) fn claude_code_events(version: Option<Version>) -> Vec<&'static str> {
    let version = version.unwrap_or((1, 0, 0));
    CLAUDE_CODE.iter().filter(|(_, since)| *since <= version).map(|(event, _)| *event).collect()
}

/// One line for the shell: older versions run `command` and leave `args` out.
pub(crate) fn claude_code_entry(launch: &Launch) -> Entry {
    let handler = Handler {
        kind: Some("command"),
        command: Some(launch.forgiving_line(Agent::ClaudeCode)),
        timeout: Some(TIMEOUT_S),
        ..Handler::default()
    };
    Entry::Group { hooks: [handler] }
}

/// The MCP server as Claude Code and those after it write it.
pub(crate) fn stdio_server(launch: &Launch) -> Server {
    let command = ServerCommand::Program(launch.program().to_owned());
    Server { kind: Some("stdio"), command, args: Some(vec!["mcp".to_owned()]), tools: None }
}

fn claude_code(scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    let settings = match scope {
        SettingsScope::Project => places.root.join(".claude/settings.json"),
        SettingsScope::User => places.moved("CLAUDE_CONFIG_DIR", ".claude").join("settings.json"),
    };
    let mcp = match scope {
        SettingsScope::Project => {
            let path = places.root.join(".mcp.json");
            Some(Mcp::Json { path, parent: "mcpServers", server: stdio_server(launch) })
        }
        // The person's servers are in a file that the client rewrites while it runs.
        SettingsScope::User => None,
    };
    Setup {
        hooks: entries(settings, None, &claude_code_events(places.claude_code), &claude_code_entry(launch)),
        mcp,
        command: Some(match scope {
            SettingsScope::Project => places.root.join(".claude/commands/recovery.md"),
            SettingsScope::User => places.moved("CLAUDE_CONFIG_DIR", ".claude").join("commands/recovery.md"),
        }),
        remaining: "Start `claude` here anew. It asks whether this is \"a project you created or one you trust\", and its \
            default is to exit: choose \"Yes, I trust this folder\", or no hook runs. For the MCP server it asks again, and its default is to go on without: choose \
            \"Use this MCP server\". MCP for every project: claude mcp add --scope user recovery -- recovery mcp",
    }
}

fn codex(scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    let dir = match scope {
        SettingsScope::Project => places.root.join(".codex"),
        SettingsScope::User => places.moved("CODEX_HOME", ".codex"),
    };
    let handler = Handler {
        kind: Some("command"),
        command: Some(launch.shell_line(Agent::Codex)),
        timeout: Some(TIMEOUT_S),
        ..Handler::default()
    };
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
    Setup {
        hooks: entries(dir.join("hooks.json"), None, &events, &Entry::Group { hooks: [handler] }),
        mcp: Some(Mcp::Toml { path: dir.join("config.toml") }),
        // Codex reads prompts from the person's directory only.
        command: (scope == SettingsScope::User).then(|| dir.join("prompts/recovery.md")),
        remaining: "Start `codex`. It asks \"Trust this folder?\": choose \"Trust and continue\"; then \"Hooks need review\": \
            choose \"Trust all and continue\", or trust them later with /hooks. Until then it skips them silently, and \
            again after each change of the file.",
    }
}

fn gemini(scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    let path = match scope {
        SettingsScope::Project => places.root.join(".gemini/settings.json"),
        SettingsScope::User => places.home.join(".gemini/settings.json"),
    };
    let handler = Handler {
        kind: Some("command"),
        name: Some("recovery"),
        command: Some(launch.forgiving_line(Agent::Gemini)),
        timeout: Some(TIMEOUT_S * 1000), // milliseconds here
        ..Handler::default()
    };
    let events = ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"];
    let server = Server { kind: None, ..stdio_server(launch) };
    Setup {
        hooks: entries(path.clone(), None, &events, &Entry::Group { hooks: [handler] }),
        command: path.parent().map(|dir| dir.join("commands/recovery.toml")),
        mcp: Some(Mcp::Json { path, parent: "mcpServers", server }),
        remaining: "Start `gemini`. It asks \"Do you trust the files in this folder?\": choose \"Trust folder\"; it restarts by \
            itself and shows once that the project has hooks.",
    }
}

fn cursor(scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    let dir = match scope {
        SettingsScope::Project => places.root.join(".cursor"),
        SettingsScope::User => places.home.join(".cursor"),
    };
    let command = Some(launch.shell_line(Agent::Cursor));
    let handler = Handler { command, timeout: Some(TIMEOUT_S), ..Handler::default() };
    let events = ["sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "postToolUseFailure", "stop"];
    let server = Server { kind: None, ..stdio_server(launch) };
    Setup {
        hooks: entries(dir.join("hooks.json"), Some(1), &events, &Entry::Bare(handler)),
        mcp: Some(Mcp::Json { path: dir.join("mcp.json"), parent: "mcpServers", server }),
        command: Some(dir.join("commands/recovery.md")),
        remaining: "Cursor reloads the file by itself; the Hooks tab of its settings shows them.",
    }
}

fn copilot(scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    let home = places.moved("COPILOT_HOME", ".copilot");
    let path = match scope {
        SettingsScope::Project => places.root.join(".github/hooks/recovery.json"),
        SettingsScope::User => home.join("hooks/recovery.json"),
    };
    let handler = Handler {
        kind: Some("command"),
        bash: Some(launch.forgiving_line(Agent::Copilot)),
        powershell: Some(format!("{}; exit 0", launch.shell_line(Agent::Copilot))),
        timeout_sec: Some(TIMEOUT_S),
        ..Handler::default()
    };
    let events = [
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "ErrorOccurred",
    ];
    let server = Server { kind: Some("local"), tools: Some(["*"]), ..stdio_server(launch) };
    Setup {
        hooks: entries(path, Some(1), &events, &Entry::Bare(handler)),
        mcp: (scope == SettingsScope::User).then(|| Mcp::Json {
            path: home.join("mcp-config.json"),
            parent: "mcpServers",
            server,
        }),
        command: None,
        remaining: "Start `copilot` here. It asks \"Do you trust the files in this folder?\": choose \"Yes, and remember this \
            folder for future sessions\"; without that, or --trust-folder, no hook runs.",
    }
}

fn opencode(scope: SettingsScope, places: &Places, launch: &Launch) -> Setup {
    let (dir, settings) = match scope {
        SettingsScope::Project => (places.root.join(".opencode"), places.root.join("opencode.json")),
        SettingsScope::User => {
            let dir = places.moved("XDG_CONFIG_HOME", ".config").join("opencode");
            (dir.clone(), dir.join("opencode.json"))
        }
    };
    // The other spelling, where the person has chosen it.
    let with_comments = settings.with_extension("jsonc");
    let settings = if with_comments.exists() { with_comments } else { settings };
    let command = ServerCommand::Line(vec![launch.program().to_owned(), "mcp".to_owned()]);
    Setup {
        hooks: Hooks::Shim { path: dir.join("plugins/recovery.js"), text: crate::shim::text(launch) },
        mcp: Some(Mcp::Json {
            path: settings,
            parent: "mcp",
            server: Server { kind: Some("local"), command, args: None, tools: None },
        }),
        command: Some(dir.join("commands/recovery.md")),
        remaining: "OpenCode loads the plugin at its next start.",
    }
}

fn entries(path: PathBuf, version: Option<u32>, events: &[&'static str], entry: &Entry) -> Hooks {
    Hooks::Entries { path, version, events: events.iter().map(|event| (*event, entry.clone())).collect() }
}

/// Whether a settings file is one that git would share.
pub(crate) fn is_shared(path: &Path, places: &Places) -> bool {
    path.starts_with(&places.root) && places.root != places.home
}
