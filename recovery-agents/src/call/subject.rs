//! Which loop a call belongs to: variants of one command have the same subject.
//!
//! In: a [`Call`]. Out: a string that is equal for calls that try the same thing. For a command line it is what is
//! left without comments, redirections, assignments, output filters and commands such as `echo` or `cd .`; for
//! another tool it is the file or address that its arguments name. Agents repeat a failing command with such
//! variations, and comparing the lines byte for byte would miss the loop. A shell loop is compared as a whole,
//! because no single part of it shows what it tries.
//!
//! To ignore another command, extend `is_dressing`; to ignore another filter behind a pipe, extend `FILTERS` in
//! `exit_code.rs`.

use super::exit_code::FILTERS;
use super::is_among;
use crate::Call;
use crate::shell::{Join, Line, Simple};

impl Call {
    /// What the call tries, equal for all variants of it: comments, redirections, `cd .`, pipes into `tail`, `|| true`,
    /// assignments and wrappers are left out. The subject of another tool's call is the file that it names.
    ///
    /// ```
    /// use recovery_agents::Call;
    /// let about = |command: &str| Call { tool: "Bash".into(), action: command.into(), is_shell: true, ..Call::default() }.subject();
    /// for variant in ["npm test # again", "npm test 2>&1", "cd . && npm test", "npm test 2>&1 | tail -5 || true", "CI=1 npm  test"] {
    ///     assert_eq!(about(variant), about("npm test"), "{variant}");
    /// }
    /// assert_ne!(about("npm test a"), about("npm test b"));
    /// ```
    #[must_use]
    pub fn subject(&self) -> String {
        if self.is_shell {
            let line = Line::parse(&self.action);
            if is_loop(&self.action) {
                return self.action.split_whitespace().collect::<Vec<_>>().join(" ");
            }
            let mut kept: Vec<String> = Vec::new();
            let mut behind_pipe = false;
            for simple in &line.commands {
                let dressing = is_dressing(simple) || (behind_pipe && is_among(FILTERS, simple.program()));
                behind_pipe = simple.join == Some(Join::Pipe);
                if !dressing {
                    kept.push(simple.words.join(" "));
                }
            }
            kept.dedup();
            if !kept.is_empty() {
                return kept.join(" && ");
            }
            return self.action.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        let named = serde_json::from_str::<serde_json::Value>(&self.action).ok().and_then(|input| {
            let keys = ["file_path", "filePath", "notebook_path", "absolute_path", "path", "url"];
            keys.iter().find_map(|key| input.get(*key)?.as_str().map(str::to_owned))
        });
        named.unwrap_or_else(|| self.action.clone())
    }
}

/// Whether the line is a loop of the shell's own, of which no single part shows what it tries.
fn is_loop(line: &str) -> bool {
    let has = |keyword: &str| line.split(|c: char| c.is_whitespace() || c == ';').any(|word| word == keyword);
    has("do") && (has("for") || has("while") || has("until"))
}

/// Whether the command has no effect on what the line tries.
pub(super) fn is_dressing(simple: &Simple) -> bool {
    match simple.program() {
        "true" | ":" | "echo" | "printf" | "sleep" | "set" | "export" | "date" | "pwd" | "clear" | "exit" => {
            !simple.writes_file
        }
        "cd" => matches!(simple.words.get(1).map(String::as_str), None | Some("." | "./" | "$PWD" | "$(pwd)" | "$")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::call::shell;

    #[test]
    fn a_loop_is_about_all_of_itself() {
        let line = "for t in a b; do echo $t; npm test $t; done";
        assert_eq!(shell(line).subject(), line);
        assert_eq!(shell("npm run do").subject(), "npm run do");
    }
}
