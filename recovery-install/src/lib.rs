//! Puts hooks and the MCP server into the coding agents' own settings, and takes them out again.
//!
//! In: an agent, a scope and what is wanted. Out: an [`InstallPlan`] of file changes, which [`apply`] carries out one by one. The
//! person's own settings, comments and layout stay; files that were not edited since are restored byte for byte.
//!
//! | to change | look in |
//! |---|---|
//! | which file and which events an agent has | `setup.rs` |
//! | which version of a client is installed | `client.rs` |
//! | how a hook starts `recovery` | `launch.rs` |
//! | how a file gets back every byte that it had | `originals.rs` |
//! | what is added to a settings file, and taken out | `edit.rs` |
//! | how a person's JSON is edited without disturbing it | `jsonc.rs` |
//! | whether the client trusts its hooks | `trust.rs` |
//! | the plugin for OpenCode | `opencode.js`, `shim.rs` |
//! | the slash command `/recovery` | `slash.rs` |
//! | the plugin for Claude Code | `plugins.rs` |

mod client;
mod edit;
mod error;
mod jsonc;
mod launch;
mod originals;
mod plugins;
mod setup;
mod shim;
mod slash;
mod trial;
mod trust;

pub use client::Version;
pub use error::InstallError;
pub use jsonc::Broken;
pub use launch::Launch;
pub use plugins::plugins;
pub use setup::{Places, SettingsScope};
pub use trial::{FailureCount, HookTrial, TrialError, try_hook};
pub use trust::{distrust, has_plugin};

use edit::{absent, ours_in, present, with_server, with_status_line, with_toml_server, without_status_line};
use error::refuse;
use jsonc::Document;
pub use recovery_agents::Agent;
use setup::{Hooks, Mcp, Setup, setup};
use std::path::{Path, PathBuf};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Hooks, and the MCP server if asked for.
    Present {
        /// Whether the MCP server is wanted, too.
        mcp: bool,
        /// Whether Claude Code's status line is wanted, too.
        status_line: bool,
    },
    /// Nothing of ours.
    Absent,
}

/// What an installation would do.
pub struct InstallPlan {
    /// Files that change.
    pub changes: Vec<Change>,
    /// What the person still has to do.
    pub remaining: &'static str,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

/// A file that changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Change {
    /// Which.
    pub path: PathBuf,
    /// What it holds; none where there is no such file.
    pub before: Option<String>,
    /// What it will hold; none where it is removed.
    pub after: Option<String>,
}

/// Hooks that are installed.
pub struct Installed {
    /// The file that they are in.
    pub path: PathBuf,
    /// Each event with what the agent runs at it.
    pub hooks: Vec<(String, Invocation)>,
    /// What is not as `recovery install` would write it.
    pub faults: Vec<String>,
}

/// How an agent runs a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// A program with arguments.
    Program(String, Vec<String>),
    /// A line for the shell.
    Shell(String),
}

impl std::fmt::Display for Invocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(program, args) => write!(f, "{program} {}", args.join(" ")),
            Self::Shell(line) => f.write_str(line),
        }
    }
}

/// What has to change for `wish` to hold.
pub fn plan(
    agent: Agent,
    scope: SettingsScope,
    places: &Places,
    launch: &Launch,
    wish: Wish,
) -> Result<InstallPlan, InstallError> {
    let Setup { hooks, mcp, command, remaining } = setup(agent, scope, places, launch);
    let mut changes = Vec::new();
    let mut notes = Vec::new();
    match &hooks {
        Hooks::Entries { path, version, events } => change(&mut changes, path, |text| match wish {
            Wish::Present { .. } => present(text, agent, *version, events).map(Some),
            Wish::Absent => absent(text, agent),
        })?,
        Hooks::Shim { path, text } => change(&mut changes, path, |found| {
            if !found.is_empty() && shim::program(found).is_none() {
                refuse!("it is not a plugin of ours; rename it and install again");
            }
            Ok((wish != Wish::Absent).then(|| text.clone()))
        })?,
    }
    if let (Agent::ClaudeCode, Hooks::Entries { path, .. }) = (agent, &hooks) {
        match wish {
            Wish::Present { status_line: true, .. } => {
                change(&mut changes, path, |text| with_status_line(text, launch).map(Some))?;
            }
            Wish::Absent => change(&mut changes, path, without_status_line)?,
            Wish::Present { .. } => {}
        }
    } else if matches!(wish, Wish::Present { status_line: true, .. }) {
        notes.push(format!("{agent} has no status line that a command can fill"));
    }
    if let Some(path) = &command {
        change(&mut changes, path, |found| {
            // The person's own command of this name stays.
            if !found.is_empty() && !slash::is_ours(found) {
                return Ok(Some(found.to_owned()));
            }
            Ok((wish != Wish::Absent).then(|| slash::text(agent)))
        })?;
    }
    let mcp_wanted = matches!(wish, Wish::Present { mcp: true, .. });
    match &mcp {
        Some(Mcp::Json { path, parent, server }) if mcp_wanted || wish == Wish::Absent => {
            change(&mut changes, path, |text| with_server(text, parent, server, mcp_wanted))?;
        }
        // A server that we did not write is the person's own, whatever it looks like. Its file is not even read: it may be
        // broken, which is no reason to leave the hooks.
        Some(Mcp::Toml { path })
            if mcp_wanted || wish == Wish::Absent && originals::is_known(&places.originals(), path) =>
        {
            change(&mut changes, path, |text| with_toml_server(text, launch, mcp_wanted))?;
        }
        None if mcp_wanted => {
            notes.push(format!("{agent} has no {} file for MCP servers that could be edited", scope.name()));
        }
        _ => {}
    }
    if wish == Wish::Absent {
        for change in &mut changes {
            if let Some(original) = originals::of(&places.originals(), &change.path, change.before.as_deref()) {
                change.after = original.before;
            }
        }
    }
    changes.retain(|change| change.before != change.after);
    if wish == Wish::Absent {
        // The last file first, so that directories are empty when their turn comes.
        changes.reverse();
    }
    let shared = changes.iter().any(|change| setup::is_shared(&change.path, places));
    if wish != Wish::Absent && shared && !launch.is_portable() {
        notes.push(format!(
            "`recovery` is not on the PATH, so the settings name {}; put it on the PATH and install again before you \
             share them",
            launch.program()
        ));
    }
    if wish != Wish::Absent && agent == Agent::ClaudeCode {
        match places.claude_code {
            None => notes.push(
                "no `claude` was found, so only events that every version knows are written, and none of them tells of \
                 a failed command; install again where `claude --version` works"
                    .to_owned(),
            ),
            Some(version) if version < setup::FAILURES_SINCE => notes.push(format!(
                "Claude Code {} tells no hook of a failed command; 2.0.56 or later does",
                client::shown(version)
            )),
            Some(_) => {}
        }
    }
    Ok(InstallPlan { changes, remaining, notes })
}

/// Carries a change out: the file is whole before and after, whatever happens in between. What an installation changes
/// is remembered first, what an uninstallation gives back is forgotten.
pub fn apply(change: &Change, wish: Wish, places: &Places) -> Result<(), InstallError> {
    let shown = change.path.display();
    if read(&change.path)? != change.before {
        refuse!("{shown} has changed in the meantime; nothing was written to it, try again");
    }
    let originals = places.originals();
    if let (Wish::Present { .. }, Some(after)) = (wish, &change.after) {
        originals::remember(&originals, &change.path, change.before.as_deref(), after)?;
    }
    let original = originals::of(&originals, &change.path, change.before.as_deref());
    write(change)?;
    if wish == Wish::Absent {
        originals::forget(&originals, &change.path);
        if change.after.is_none() {
            // Directories that were made for the file go with it, unless something else is in them by now.
            let made = original.map(|original| original.made).unwrap_or_default();
            let _ = made.iter().try_for_each(std::fs::remove_dir);
        }
    }
    Ok(())
}

fn write(change: &Change) -> Result<(), InstallError> {
    // A link to a file that is kept elsewhere stays a link.
    let target = change.path.canonicalize().unwrap_or_else(|_| change.path.clone());
    let Some(after) = &change.after else {
        return std::fs::remove_file(&target).map_err(InstallError::io("remove", &change.path));
    };
    let dir = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(dir).map_err(InstallError::io("make", dir))?;
    let written = || -> std::io::Result<()> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the person's own mask
        let mut scratch = builder.prefix(".recovery-").tempfile_in(dir)?;
        std::io::Write::write_all(&mut scratch, after.as_bytes())?;
        if let Ok(meta) = std::fs::metadata(&target) {
            scratch.as_file().set_permissions(meta.permissions())?;
        }
        scratch.persist(&target)?;
        Ok(())
    };
    written().map_err(InstallError::io("write", &change.path))
}

/// The hooks of ours that are installed; none where there are none.
pub fn installed(
    agent: Agent,
    scope: SettingsScope,
    places: &Places,
    launch: &Launch,
) -> Result<Option<Installed>, InstallError> {
    match setup(agent, scope, places, launch).hooks {
        Hooks::Entries { path, events, .. } => {
            let Some(text) = read(&path)? else { return Ok(None) };
            let document = parsed(&path, &text)?;
            let hooks = ours_in(&document, agent);
            let missing = events.iter().filter(|(event, _)| !hooks.iter().any(|(known, _)| known == event));
            let faults = missing.map(|(event, _)| format!("no hook at {event}")).collect();
            Ok((!hooks.is_empty()).then_some(Installed { path, hooks, faults }))
        }
        Hooks::Shim { path, .. } => {
            let Some(text) = read(&path)? else { return Ok(None) };
            let Some(program) = shim::program(&text) else { return Ok(None) };
            let is_current = text == shim::text(&Launch::named(&program));
            let faults = if is_current { vec![] } else { vec!["the plugin is not this version's".to_owned()] };
            let invocation = Invocation::Program(program, vec!["hook".to_owned(), agent.name().to_owned()]);
            let hooks = vec![("tool.execute.after".to_owned(), invocation)];
            Ok(Some(Installed { path, hooks, faults }))
        }
    }
}

/// What a broken file is refused with: its name and the place.
fn parsed<'a>(path: &Path, text: &'a str) -> Result<Document<'a>, InstallError> {
    Document::parse(text).map_err(|broken| InstallError::Refused(format!("{}: {broken}", path.display())))
}

fn read(path: &Path) -> Result<Option<String>, InstallError> {
    if let Ok(meta) = path.symlink_metadata() {
        let shown = path.display();
        match path.metadata() {
            Err(_) if meta.is_symlink() => refuse!("{shown} is a link that leads nowhere; correct or remove it first"),
            Ok(target) if !target.is_file() => refuse!("{shown} is not a file; move it away first"),
            _ => {}
        }
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(InstallError::io("read", path)(error)),
    }
}

/// Adds what `edit` makes of the file, as an earlier change has left it.
fn change(
    changes: &mut Vec<Change>,
    path: &Path,
    edit: impl FnOnce(&str) -> Result<Option<String>, InstallError>,
) -> Result<(), InstallError> {
    let known = changes.iter().position(|change| change.path == *path);
    let before = match known {
        Some(index) => changes[index].after.clone(),
        None => read(path)?,
    };
    let after = match &before {
        // Where every line ends as on Windows, ours do too.
        Some(text) if text.contains("\r\n") && text.matches('\n').count() == text.matches("\r\n").count() => {
            let edited = edit(text).map_err(InstallError::within(path))?;
            edited.map(|edited| edited.replace("\r\n", "\n").replace('\n', "\r\n"))
        }
        Some(text) => edit(text).map_err(InstallError::within(path))?,
        None => edit("")?.filter(|text| !text.is_empty()),
    };
    match known {
        Some(index) => changes[index].after = after,
        None => changes.push(Change { path: path.to_path_buf(), before, after }),
    }
    Ok(())
}

/// Installs into a settings file of any text and out of it again, with every editor; for the fuzzer.
///
/// # Panics
/// Where installing twice changes something, or uninstalling leaves something of ours.
#[doc(hidden)]
pub fn assert_round_trip(text: &str) {
    let launch = Launch::named("recovery");
    for agent in [Agent::ClaudeCode, Agent::Gemini, Agent::Cursor] {
        let places =
            Places { root: PathBuf::from("/p"), home: PathBuf::from("/h"), moved: Vec::new(), claude_code: None };
        let Hooks::Entries { version, events, .. } = setup(agent, SettingsScope::Project, &places, &launch).hooks
        else {
            continue;
        };
        let Ok(installed) = present(text, agent, version, &events) else { continue };
        assert_eq!(present(&installed, agent, version, &events).ok().as_deref(), Some(installed.as_str()));
        let left = absent(&installed, agent).unwrap_or_else(|error| panic!("{error} in {installed:?}"));
        let hooks = |text: &str| Document::parse(text).map(|document| ours_in(&document, agent).len()).unwrap_or(0);
        assert_eq!(hooks(left.as_deref().unwrap_or_default()), 0, "{installed}");
    }
    let server = setup::stdio_server(&launch);
    if let Ok(Some(with)) = with_server(text, "mcpServers", &server, true) {
        assert_eq!(with_server(&with, "mcpServers", &server, true).ok().flatten().as_deref(), Some(with.as_str()));
        let _ = with_server(&with, "mcpServers", &server, false).unwrap_or_else(|error| panic!("{error} in {with:?}"));
    }
    if let Ok(Some(with)) = with_toml_server(text, &launch, true) {
        let _ = with_toml_server(&with, &launch, false).unwrap_or_else(|error| panic!("{error} in {with:?}"));
    }
    if let Ok(with) = with_status_line(text, &launch) {
        let _ = without_status_line(&with).unwrap_or_else(|error| panic!("{error} in {with:?}"));
    }
    let _ = (launch::is_ours(text, Agent::Codex), shim::program(text), slash::is_ours(text));
}

#[cfg(test)]
mod tests;
