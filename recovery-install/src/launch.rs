//! The command line by which an agent starts `recovery`, and how it is recognised in a settings file.
//!
//! In: the environment. Out: a [`Launch`]: `recovery` where the PATH finds it, because settings in a repository have
//! to work on other machines too, else the absolute path of this program. `forgiving_line` adds `|| true` for agents
//! that take a hook that cannot be started as a refusal of the tool call; the others get `shell_line`.
//!
//! `is_ours` finds entries of any earlier version, so that they are replaced and removed. A new spelling of the line
//! has to be added there as well; the tests below check that every line that is written is recognised.

use crate::InstallError;
use recovery_agents::Agent;
use std::path::Path;

/// The program that hooks call: `recovery` where the path finds it, else this very file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    program: String,
}

impl Launch {
    /// From the environment.
    pub fn new() -> Result<Self, InstallError> {
        let on_path = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|dir| {
                dir.is_absolute() && ["recovery", "recovery.exe"].iter().any(|name| is_program(&dir.join(name)))
            })
        });
        if on_path {
            return Ok(Self::named("recovery"));
        }
        let this = std::env::current_exe().map_err(InstallError::io("find", "this program"))?;
        let not_utf8 = || InstallError::Refused(format!("{} is not UTF-8", this.display()));
        let program = this.to_str().ok_or_else(not_utf8)?;
        Ok(Self::named(program))
    }

    /// With this program.
    #[must_use]
    pub fn named(program: &str) -> Self {
        Self { program: program.to_owned() }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Whether other machines will find it, too.
    #[must_use]
    pub fn is_portable(&self) -> bool {
        self.program == "recovery"
    }

    /// The program as a shell reads it.
    #[must_use]
    pub fn quoted(&self) -> String {
        quoted(&self.program)
    }

    /// For agents that hand the command to a shell.
    #[must_use]
    pub fn shell_line(&self, agent: Agent) -> String {
        format!("{} hook {agent}", quoted(&self.program))
    }

    /// For agents that take a hook that cannot be started for a refusal.
    #[must_use]
    pub fn forgiving_line(&self, agent: Agent) -> String {
        format!("{} || true", self.shell_line(agent))
    }
}

/// Whether this command line, or program with arguments, is a hook of ours for `agent`.
pub(crate) fn is_ours(line: &str, agent: Agent) -> bool {
    let line = line.trim();
    let line = line.strip_suffix("|| true").or_else(|| line.strip_suffix("; exit 0")).unwrap_or(line).trim_end();
    let Some(program) = line.strip_suffix(agent.name()).and_then(|rest| rest.trim_end().strip_suffix("hook")) else {
        return false;
    };
    let program = program.trim().trim_matches(['\'', '"']);
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "recovery" | "recovery.exe")
}

fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

/// `program` for a shell. On Windows it stays as it is: the backslash is a separator there and escapes nothing.
fn quoted(program: &str) -> String {
    if cfg!(windows) || program.contains(":\\") {
        return program.to_owned();
    }
    shlex::try_quote(program).map_or_else(|_| program.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_that_is_written_is_recognised_again() {
        for program in ["recovery", "/opt/a b/recovery", "C:\\bin\\recovery.exe"] {
            let launch = Launch::named(program);
            for agent in Agent::ALL {
                assert!(is_ours(&launch.shell_line(agent), agent));
                assert!(is_ours(&launch.forgiving_line(agent), agent));
                assert!(is_ours(&format!("{}; exit 0", launch.shell_line(agent)), agent));
            }
        }
        assert_eq!(Launch::named("/a b/it's").shell_line(Agent::Codex), "\"/a b/it's\" hook codex");
    }

    #[test]
    fn other_programs_are_not_ours() {
        for line in ["recovery hook gemini", "my-recovery hook codex", "recovery", "echo recovery hook codex x", ""] {
            assert!(!is_ours(line, Agent::Codex), "{line}");
        }
    }
}
