//! The coding agents' own clients: how each is installed, configured for the scripted model, and started.
//!
//! In: a client from `CLIENTS` and a `Stage` (a scratch home and project). Out: its npm package below the clients
//! directory, its settings files, and a command that runs it without a terminal and without an account.
//!
//! A client is data: program, arguments, settings and environment, with `{port}`, `{home}`, `{project}` and `{mcp}` filled
//! in. Each agent has its newest and two older versions, because hook contracts change between versions; of Claude Code
//! also those around which its hooks changed. For a new release add its version to `CLIENTS`. Telemetry and updates are
//! switched off where a client has a setting for them.

use anyhow::{Context as _, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a scenario may need of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ability {
    /// A tool of its own that writes files, apart from patches.
    Write,
    /// A tool that hands work to a sub-agent.
    Delegate,
}
use Ability::{Delegate, Write};

/// A coding agent's own client.
pub(super) struct Client {
    /// The agent's name on our command line.
    pub agent: &'static str,
    /// Its package.
    pub package: &'static str,
    /// The version that was tried.
    pub version: &'static str,
    /// What it can do that not every client can.
    pub can: &'static [Ability],
    program: &'static str,
    args: &'static [&'static str],
    /// Settings to write: the file below the scratch directory and its text, with `{port}` and `{project}`.
    settings: &'static [(&'static str, &'static str)],
    env: &'static [(&'static str, &'static str)],
}

const PROMPT: &str = "Run the check until it passes.";

/// The MCP server that every client is given: the file is written into the project.
const MCP: &str = "{\"command\": \"node\", \"args\": [\"{project}/mcp.js\"]}";

/// Claude Code in one of its versions.
const fn claude_code(version: &'static str) -> Client {
    Client {
        agent: "claude-code",
        package: "@anthropic-ai/claude-code",
        version,
        can: &[Write, Delegate],
        program: "claude",
        args: &[
            "-p",
            PROMPT,
            "--output-format",
            "json",
            "--allowedTools",
            "Bash,Write,Task,Agent,mcp__notes__read_log",
            "--mcp-config",
            "mcp.json",
        ],
        settings: &[("project/mcp.json", "{\"mcpServers\": {\"notes\": {mcp}}}")],
        env: &[
            ("ANTHROPIC_BASE_URL", "http://127.0.0.1:{port}"),
            ("ANTHROPIC_API_KEY", "scripted"),
            ("CLAUDE_CONFIG_DIR", "{home}/.claude"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            // MCP tools are named at once, not looked for first.
            ("ENABLE_TOOL_SEARCH", "false"),
        ],
    }
}

const fn codex(version: &'static str) -> Client {
    Client {
        agent: "codex",
        package: "@openai/codex",
        version,
        can: &[],
        program: "codex",
        args: &[
            "exec",
            "--json",
            "--dangerously-bypass-approvals-and-sandbox",
            "--dangerously-bypass-hook-trust",
            PROMPT,
        ],
        settings: &[(
            "home/.codex/config.toml",
            "model = \"scripted\"\nmodel_provider = \"loopback\"\n\n[model_providers.loopback]\nname = \"loopback\"\n\
             base_url = \"http://127.0.0.1:{port}/v1\"\nwire_api = \"responses\"\n\n[projects.\"{project}\"]\n\
             trust_level = \"trusted\"\n\n[mcp_servers.notes]\ncommand = \"node\"\nargs = [\"{project}/mcp.js\"]\n",
        )],
        env: &[("CODEX_HOME", "{home}/.codex")],
    }
}

const fn gemini(version: &'static str) -> Client {
    Client {
        agent: "gemini",
        package: "@google/gemini-cli",
        version,
        can: &[Write],
        program: "gemini",
        args: &["-p", PROMPT, "--approval-mode", "yolo", "--model", "gemini-2.5-flash"],
        settings: &[(
            "home/.gemini/settings.json",
            "{\"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}, \"model\": {\"disableLoopDetection\": \
             true}, \"telemetry\": {\"enabled\": false}, \"mcpServers\": {\"notes\": {mcp}}, \
             \"general\": {\"enableAutoUpdate\": false}, \"privacy\": {\"usageStatisticsEnabled\": false}}",
        )],
        env: &[
            ("GEMINI_API_KEY", "scripted"),
            ("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:{port}"),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
    }
}

const fn opencode(version: &'static str) -> Client {
    Client {
        agent: "opencode",
        package: "opencode-ai",
        version,
        can: &[Write, Delegate],
        program: "opencode",
        args: &["run", PROMPT],
        settings: &[(
            "project/opencode.json",
            "{\"model\": \"loopback/scripted\", \"small_model\": \"loopback/scripted\", \"autoupdate\": false, \
             \"mcp\": {\"notes\": {\"type\": \"local\", \"command\": [\"node\", \"{project}/mcp.js\"]}}, \
             \"provider\": {\"loopback\": {\"npm\": \"@ai-sdk/openai-compatible\", \"name\": \"loopback\", \
             \"options\": {\"baseURL\": \"http://127.0.0.1:{port}/v1\", \"apiKey\": \"scripted\"}, \
             \"models\": {\"scripted\": {\"name\": \"scripted\"}}}}}",
        )],
        env: &[("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1")],
    }
}

const fn copilot(version: &'static str) -> Client {
    Client {
        agent: "copilot",
        package: "@github/copilot",
        version,
        can: &[Write, Delegate],
        program: "copilot",
        args: &["-p", PROMPT, "--allow-all-tools"],
        settings: &[(
            "home/.copilot/mcp-config.json",
            "{\"mcpServers\": {\"notes\": {\"type\": \"local\", \"command\": \"node\", \"args\": \
             [\"{project}/mcp.js\"], \"tools\": [\"*\"]}}}",
        )],
        env: &[
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_PROVIDER_BASE_URL", "http://127.0.0.1:{port}/v1"),
            ("COPILOT_PROVIDER_API_KEY", "scripted"),
            ("COPILOT_MODEL", "scripted"),
            ("COPILOT_ALLOW_ALL", "true"),
        ],
    }
}

/// Those whose packages can be driven without an account: the newest and two older versions of each. Of Claude Code, also
/// those around which its hooks changed.
pub(super) const CLIENTS: [Client; 18] = [
    claude_code("2.1.327"),
    claude_code("2.1.197"),
    claude_code("2.1.136"),
    claude_code("2.1.122"),
    claude_code("2.1.105"),
    claude_code("2.1.85"),
    codex("0.169.0"),
    codex("0.166.0"),
    codex("0.159.3"),
    gemini("0.61.0"),
    gemini("0.60.0"),
    gemini("0.54.4"),
    opencode("1.18.33"),
    opencode("1.18.25"),
    opencode("1.18.19"),
    copilot("1.0.102"),
    copilot("1.0.92"),
    copilot("1.0.80"),
];

/// Where one client runs: a home and a project of its own.
pub(super) struct Stage {
    /// Everything below it is made for the run.
    pub dir: PathBuf,
    /// Where the model listens; 0 before it does.
    pub port: u16,
}

impl Stage {
    /// The project's directory.
    pub fn project(&self) -> PathBuf {
        self.dir.join("project")
    }

    fn home(&self) -> PathBuf {
        self.dir.join("home")
    }

    fn filled(&self, text: &str) -> String {
        text.replace("{mcp}", MCP)
            .replace("{port}", &self.port.to_string())
            .replace("{home}", &self.home().to_string_lossy())
            .replace("{project}", &self.project().to_string_lossy())
    }

    /// A program in the project, with the run's own home and with the directories of `programs` on its path.
    pub fn command(&self, program: &Path, programs: &[&Path]) -> anyhow::Result<Command> {
        let ours = programs.iter().filter_map(|program| program.parent()).map(Path::to_path_buf);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(ours.chain(std::env::split_paths(&path)))?;
        let mut command = Command::new(program);
        // Some clients believe PWD rather than the directory they are in.
        command.current_dir(self.project()).env("PWD", self.project()).env("HOME", self.home()).env("PATH", path);
        for moved in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "RECOVERY_TASK"] {
            command.env_remove(moved);
        }
        for (variable, below) in
            [("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share"), ("XDG_STATE_HOME", ".local/state")]
        {
            command.env(variable, self.home().join(below));
        }
        Ok(command)
    }
}

impl Client {
    /// Where the package is installed below `dir`, after installing it unless this version is there.
    pub fn fetch(&self, dir: &Path) -> anyhow::Result<PathBuf> {
        let dir = dir.join(format!("{}-{}", self.agent, self.version));
        let manifest = dir.join("node_modules").join(self.package).join("package.json");
        let known = std::fs::read_to_string(manifest).unwrap_or_default();
        if known.contains(&format!("\"version\": \"{}\"", self.version)) {
            return Ok(dir);
        }
        std::fs::create_dir_all(&dir)?;
        let status = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--prefix"])
            .arg(&dir)
            .arg(format!("{}@{}", self.package, self.version))
            .status()
            .context("cannot run npm")?;
        ensure!(status.success(), "npm could not install {}", self.package);
        Ok(dir)
    }

    /// Writes the client's own settings and makes the project.
    pub fn prepare(&self, stage: &Stage, files: &[(&str, &str)]) -> anyhow::Result<()> {
        std::fs::create_dir_all(stage.project())?;
        std::fs::create_dir_all(stage.home())?;
        let made = Command::new("git").args(["init", "--quiet"]).current_dir(stage.project()).status()?;
        ensure!(made.success(), "git init failed");
        let settings = self.settings.iter().map(|(path, text)| (stage.dir.join(path), stage.filled(text)));
        let files = files.iter().map(|(path, text)| (stage.project().join(path), (*text).to_owned()));
        for (path, text) in settings.chain(files) {
            std::fs::create_dir_all(path.parent().context("a file has a directory")?)?;
            std::fs::write(path, text)?;
        }
        Ok(())
    }

    /// The client, ready to be started.
    pub fn command(&self, stage: &Stage, clients: &Path, recovery: &Path) -> anyhow::Result<Command> {
        let program = clients.join("node_modules/.bin").join(self.program);
        let mut command = stage.command(&program, &[recovery])?;
        command.args(self.args);
        command.envs(self.env.iter().map(|(name, value)| (name, stage.filled(value))));
        Ok(command)
    }
}
