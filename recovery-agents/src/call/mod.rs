//! What a hook asks of a tool call. Each question is one file, with the tables that answer it.
//!
//! | question | file |
//! |---|---|
//! | May anything be different after it, or did it only look? | `changes.rs` |
//! | Does it ask again by nature (a server that starts, a build that runs elsewhere)? | `polling.rs` |
//! | Is its exit code that of the command that matters? | `exit_code.rs` |
//! | Which loop does it belong to? | `subject.rs` |
//! | Is it one of our own, or another agent's? | here |
//!
//! In doubt the answer is the cautious one: an unknown command may have changed something.

mod changes;
mod exit_code;
mod polling;
mod subject;

use crate::Call;
use crate::shell::{Join, Line, Simple};

/// Tools that hand work to another agent: what fails in there is reported there.
const AGENT_TOOLS: &str = "Task Agent task spawn_agent delegate_to_agent invoke_agent";
/// Agents that a command line may start.
const AGENT_PROGRAMS: &str = "claude codex gemini opencode copilot cursor-agent aider goose qwen";

impl Call {
    /// Whether it is one of our own: our MCP tools, or a line whose exit code is that of our own command.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        if self.is_shell {
            let line = Line::parse(&self.action);
            // What only shows its output (`| head`, `; echo $?`) does not matter.
            let matters = |simple: &&Simple| simple.program() == "recovery" || !changes::is_read_only(simple);
            return line.commands.iter().rev().find(matters).is_some_and(|simple| simple.program() == "recovery");
        }
        let tool = self.tool.to_ascii_lowercase();
        let server = tool.strip_prefix("mcp__").or_else(|| tool.strip_prefix("mcp_")).unwrap_or(&tool);
        let server = server.strip_prefix("plugin_recovery_").unwrap_or(server);
        server.strip_prefix("recovery").is_some_and(|rest| rest.starts_with(['_', '-', '/', '.']))
    }

    /// Whether a part of the line still runs after the line has ended (`npm start &`).
    #[must_use]
    pub fn goes_on(&self) -> bool {
        let is_left = |simple: &Simple| simple.join == Some(Join::Background) && !changes::is_read_only(simple);
        self.is_shell && Line::parse(&self.action).commands.iter().any(is_left)
    }

    /// Whether all that it runs serves or watches until it is ended (`npm run dev`).
    #[must_use]
    pub fn is_server(&self) -> bool {
        let line = Line::parse(&self.action);
        let mut running = line.commands.iter().filter(|simple| !changes::is_read_only(simple)).peekable();
        self.is_shell && running.peek().is_some() && running.all(Simple::is_endless)
    }

    /// Whether it runs another agent, which reports its own failures.
    #[must_use]
    pub fn is_nested_agent(&self) -> bool {
        if self.is_shell {
            let line = Line::parse(&self.action);
            return line.commands.iter().any(|simple| is_among(AGENT_PROGRAMS, simple.program()));
        }
        is_among(AGENT_TOOLS, &self.tool)
    }
}

/// Whether `word` is one of a table's words.
fn is_among(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|one| one == word)
}

/// Whether a table of programs has this subcommand of `program`.
fn has_subcommand(table: &[(&str, &str)], program: &str, subcommand: &str) -> bool {
    table.iter().any(|(name, subcommands)| *name == program && is_among(subcommands, subcommand))
}

/// The words of a name in `snake_case`, `kebab-case` or `camelCase`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
pub(crate) fn shell(command: &str) -> Call {
    Call { tool: "Bash".into(), action: command.into(), is_shell: true, ..Call::default() }
}

#[cfg(test)]
pub(crate) fn tool(name: &str) -> Call {
    Call { tool: name.into(), action: "{}".into(), ..Call::default() }
}

#[cfg(test)]
mod tests {
    use super::{shell, tool};

    #[test]
    fn ours_and_other_agents_are_known() {
        for name in [
            "mcp__recovery__task_status",
            "mcp__plugin_recovery_recovery__task_status",
            "mcp_recovery_explain_rule",
            "recovery-classify_failure",
            "recovery_task_status",
        ] {
            assert!(tool(name).is_ours(), "{name}");
        }
        assert!(!tool("mcp__recoverydb__query").is_ours() && !tool("Bash").is_ours());
        assert!(shell("recovery stuck").is_ours() && shell("cd x; /opt/recovery hints a").is_ours());
        assert!(shell("recovery hints a | head -5").is_ours() && shell("make; recovery stuck").is_ours());
        assert!(!shell("grep recovery a").is_ours() && !shell("recovery status; npm test").is_ours());
        assert!(shell("npm start > log 2>&1 & sleep 2").goes_on() && shell("nohup make &").goes_on());
        assert!(!shell("make && npm test 2>&1").goes_on());
        for command in
            ["npm run dev", "cd app && vite > log 2>&1 &", "python3 -m http.server 80", "tsc -w", "flask run"]
        {
            assert!(shell(command).is_server(), "{command}");
        }
        for command in ["npm ci &", "make gen && npm run dev", "vite build", "docker compose up", "ls"] {
            assert!(!shell(command).is_server(), "{command}");
        }
        assert!(shell("claude -p 'fix it'").is_nested_agent() && tool("Task").is_nested_agent());
    }
}
