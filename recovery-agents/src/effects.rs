//! What a tool call may have changed, what it is about, and whether its exit code can be believed.
//!
//! Four questions that a hook asks of a call, each answered from a table: did it only look (then nothing that was held
//! back may run again for it), which loop does it belong to (the same command in another dress is the same loop), is its
//! exit code that of the command that matters (a pipe or `|| true` hides it), and does it ask again by nature (polling).

use crate::Call;
use crate::shell::{Join, Line, Simple};

/// Tools of the agents that only look. Those that a person answers, and those that read what a command in the background
/// has come to, are not among them: something else happened meanwhile.
const LOOKING_TOOLS: &[&str] = &[
    "Read",
    "Grep",
    "Glob",
    "LS",
    "WebFetch",
    "WebSearch",
    "TodoWrite",
    "TodoRead",
    "ToolSearch",
    "ListMcpResourcesTool",
    "ReadMcpResourceTool",
    "read",
    "grep",
    "glob",
    "list",
    "webfetch",
    "websearch",
    "todowrite",
    "todoread",
    "read_file",
    "read_many_files",
    "list_directory",
    "search_file_content",
    "grep_search",
    "google_web_search",
    "web_fetch",
    "write_todos",
    "view",
    "view_image",
    "update_plan",
];
/// Beginnings of an MCP tool's own name that promise to look only.
const LOOKING_VERBS: &[&str] = &[
    "get", "list", "read", "search", "find", "fetch", "view", "describe", "show", "status", "lookup", "count", "check",
];
/// Words in an MCP tool's own name that break such a promise (`find_and_replace`, `get_or_create`).
const CHANGING_WORDS: &[&str] = &[
    "replace", "create", "update", "write", "set", "delete", "remove", "insert", "apply", "edit", "run", "exec",
    "execute", "add", "start", "restart", "stop", "install", "deploy", "sync", "reset", "upsert", "patch", "out",
    "fix", "move", "rename", "merge", "push", "pull", "save", "upload", "download", "clear", "wait",
];
/// Tools that hand work to another agent: what fails in there is reported there.
const AGENT_TOOLS: &[&str] = &["Task", "Agent", "task", "spawn_agent", "delegate_to_agent"];
/// Agents that a command line may start.
const AGENT_PROGRAMS: &[&str] =
    &["claude", "codex", "gemini", "opencode", "copilot", "cursor-agent", "aider", "goose", "qwen"];

/// Programs that only look, whatever their arguments are. What changes a shell that lives on (`export`, `source`) and what
/// waits for another process (`wait`) is not among them.
const LOOKERS: &[&str] = &[
    "ls",
    "ll",
    "cat",
    "bat",
    "head",
    "tail",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "rg",
    "ag",
    "ack",
    "wc",
    "sort",
    "uniq",
    "cut",
    "tr",
    "awk",
    "gawk",
    "echo",
    "printf",
    "pwd",
    "cd",
    "pushd",
    "popd",
    "which",
    "type",
    "command",
    "whereis",
    "env",
    "printenv",
    "date",
    "whoami",
    "id",
    "uname",
    "hostname",
    "ps",
    "top",
    "pgrep",
    "pidof",
    "lsof",
    "netstat",
    "ss",
    "df",
    "du",
    "stat",
    "file",
    "tree",
    "diff",
    "cmp",
    "comm",
    "jq",
    "xxd",
    "od",
    "hexdump",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "cksum",
    "base64",
    "less",
    "more",
    "man",
    "true",
    "false",
    ":",
    "test",
    "[",
    "[[",
    "sleep",
    "seq",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "nl",
    "tac",
    "rev",
    "column",
    "fold",
    "strings",
    "nm",
    "objdump",
    "readelf",
    "ldd",
    "ping",
    "dig",
    "nslookup",
    "host",
    "getent",
    "pg_isready",
    "exit",
    "read",
    "fi",
    "done",
    "free",
    "uptime",
];
/// Programs of which some subcommands only look.
const LOOKING_SUBCOMMANDS: &[(&str, &[&str])] = &[
    (
        "git",
        &[
            "status",
            "log",
            "diff",
            "show",
            "blame",
            "grep",
            "rev-parse",
            "ls-files",
            "describe",
            "cat-file",
            "merge-base",
            "shortlog",
            "reflog",
            "rev-list",
            "ls-tree",
            "ls-remote",
            "check-ignore",
            "name-rev",
        ],
    ),
    ("cargo", &["metadata", "tree", "search", "version", "locate-project", "pkgid"]),
    ("npm", &["ls", "list", "view", "info", "outdated", "explain", "why", "help", "root", "prefix"]),
    ("pnpm", &["ls", "list", "why", "outdated"]),
    ("yarn", &["list", "info", "why", "outdated"]),
    ("pip", &["show", "list", "freeze", "check", "help"]),
    ("pip3", &["show", "list", "freeze", "check", "help"]),
    ("docker", &["ps", "images", "logs", "inspect", "version", "info", "stats", "top", "port"]),
    ("kubectl", &["get", "describe", "logs", "version", "explain", "top", "api-resources"]),
    ("go", &["version", "env", "list", "doc"]),
    ("systemctl", &["status", "is-active", "is-enabled", "is-failed", "list-units", "show", "cat"]),
    ("gh", &["status"]),
    (
        "recovery",
        &[
            "status", "stuck", "hints", "report", "explain", "classify", "problems", "scan", "journal", "schema",
            "doctor", "simulate", "rules", "metrics", "updates", "decide", "repair", "eval", "help",
        ],
    ),
];
/// What asks a server whether it is there yet: it repeats itself by nature.
const POLLERS: &[&str] = &[
    "curl",
    "wget",
    "http",
    "https",
    "xh",
    "nc",
    "ping",
    "dig",
    "nslookup",
    "host",
    "pg_isready",
    "redis-cli",
    "mysqladmin",
    "ss",
    "lsof",
    "pgrep",
    "wait-on",
    "wait-for-it.sh",
    "wait-for",
];
/// Clients of something that goes on elsewhere, with [`ASKING_WORDS`] to ask how far it has come.
const ASKING_CLIENTS: &[&str] = &[
    "docker",
    "docker-compose",
    "podman",
    "kubectl",
    "oc",
    "helm",
    "gh",
    "glab",
    "systemctl",
    "journalctl",
    "aws",
    "gcloud",
    "az",
    "fly",
    "flyctl",
    "heroku",
    "vercel",
    "netlify",
    "nomad",
    "supervisorctl",
    "pm2",
    "squeue",
    "sacct",
    "launchctl",
    "argocd",
    "buildkite-agent",
    "adb",
];
/// Subcommands of clients that only query; `describe` matches `describe-stacks`, too.
const ASKING_WORDS: &[&str] = &[
    "ps",
    "inspect",
    "logs",
    "port",
    "get",
    "wait",
    "rollout",
    "describe",
    "view",
    "watch",
    "checks",
    "list",
    "ls",
    "status",
    "is-active",
    "show",
    "query",
    "state",
    "devices",
    "wait-for-device",
    "events",
    "top",
];
/// What fetches what others have done since, before the command that matters.
const FETCHING_SUBCOMMANDS: &[(&str, &[&str])] =
    &[("git", &["pull", "fetch"]), ("svn", &["update", "up"]), ("hg", &["pull"])];
/// Programs whose runs are worth an advice when their exit code is hidden: they build, test, check, install or start.
const RUNNERS: &[&str] = &[
    "cargo",
    "rustc",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "node",
    "tsc",
    "eslint",
    "jest",
    "vitest",
    "mocha",
    "playwright",
    "pytest",
    "py.test",
    "python",
    "python3",
    "tox",
    "nox",
    "ruff",
    "mypy",
    "pyright",
    "flake8",
    "pylint",
    "uv",
    "poetry",
    "pip",
    "pip3",
    "go",
    "gotestsum",
    "golangci-lint",
    "make",
    "cmake",
    "ninja",
    "gcc",
    "g++",
    "clang",
    "clang++",
    "cc",
    "c++",
    "mvn",
    "gradle",
    "gradlew",
    "javac",
    "sbt",
    "dotnet",
    "swift",
    "xcodebuild",
    "bundle",
    "rspec",
    "rake",
    "ruby",
    "phpunit",
    "composer",
    "mix",
    "terraform",
];
/// What may follow a pipe without being what matters.
const FILTERS: &[&str] = &[
    "tail", "head", "tee", "cat", "less", "more", "grep", "egrep", "rg", "sed", "awk", "sort", "uniq", "tr", "cut",
    "wc",
];

impl Call {
    /// Whether it is one of our own: our MCP tools, or a line whose exit code is that of our own command.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        if self.is_shell {
            let line = Line::parse(&self.action);
            // What only shows its output (`| head`, `; echo $?`) does not matter.
            let matters = |simple: &&Simple| simple.program() == "recovery" || !only_looks(simple);
            return line.commands.iter().rev().find(matters).is_some_and(|simple| simple.program() == "recovery");
        }
        let tool = self.tool.to_ascii_lowercase();
        let server = tool.strip_prefix("mcp__").or_else(|| tool.strip_prefix("mcp_")).unwrap_or(&tool);
        let server = server.strip_prefix("plugin_recovery_").unwrap_or(server);
        server.strip_prefix("recovery").is_some_and(|rest| rest.starts_with(['_', '-', '/', '.']))
    }

    /// Whether it runs another agent, which reports its own failures.
    #[must_use]
    pub fn is_nested_agent(&self) -> bool {
        if self.is_shell {
            let line = Line::parse(&self.action);
            return line.commands.iter().any(|simple| AGENT_PROGRAMS.contains(&simple.program()));
        }
        AGENT_TOOLS.contains(&self.tool.as_str())
    }

    /// Whether anything may be different after it. `worked` is whether it succeeded: of a line that failed, what
    /// comes before its last command has been done.
    #[must_use]
    pub fn may_change_anything(&self, worked: bool) -> bool {
        if self.is_shell {
            let line = Line::parse(&self.action);
            // Who waits on purpose waits for something to change.
            if worked && line.commands.iter().any(waits_long) {
                return true;
            }
            let done = line.commands.len().saturating_sub(usize::from(!worked));
            return line.commands.iter().take(done).any(|simple| !only_looks(simple));
        }
        worked && !self.is_ours() && !self.only_looks_as_tool()
    }

    fn only_looks_as_tool(&self) -> bool {
        let name = self.tool.as_str();
        // An MCP tool's own name comes after its server's.
        let own = match name.strip_prefix("mcp__") {
            Some(rest) => rest.split_once("__"),
            None => name.strip_prefix("mcp_").map_or_else(|| name.split_once(['-', '/']), |rest| rest.split_once('_')),
        };
        LOOKING_TOOLS.contains(&name)
            || own.is_some_and(|(_, own)| {
                let words = words_of(own);
                words.first().is_some_and(|verb| LOOKING_VERBS.contains(&verb.as_str()))
                    && !words.iter().any(|word| CHANGING_WORDS.contains(&word.as_str()))
            })
    }

    /// Whether it asks for something that may be there the next time (a server that starts, a build that runs
    /// elsewhere): it is never held back. `may_pass` is whether its failure may pass by itself: a transient one, or one
    /// that nobody recognises.
    #[must_use]
    pub fn is_polling(&self, may_pass: bool) -> bool {
        if !self.is_shell {
            return matches!(self.tool.as_str(), "BashOutput" | "TaskOutput" | "read_bash" | "wait" | "wait_agent");
        }
        let line = Line::parse(&self.action);
        let last = line.commands.len().saturating_sub(1);
        line.commands.iter().enumerate().any(|(at, simple)| {
            let program = simple.program();
            let is_local = simple
                .arguments()
                .any(|word| ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].iter().any(|host| word.contains(host)));
            let asks = |word: &str| {
                ASKING_WORDS.iter().any(|asking| {
                    word.strip_prefix(asking).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
                })
            };
            may_pass && program == "sleep"
                || POLLERS.contains(&program) && (may_pass || is_local)
                || ASKING_CLIENTS.contains(&program) && simple.arguments().any(asks)
                || at < last && is_one_of(FETCHING_SUBCOMMANDS, program, simple.subcommand())
        })
    }

    /// Whether the exit code is not that of the command that matters: behind a pipe, before `|| true`, or followed by
    /// another command.
    #[must_use]
    pub fn hides_exit_code(&self) -> bool {
        if !self.is_shell {
            return false;
        }
        let line = Line::parse(&self.action);
        if line.commands.iter().any(|simple| simple.program() == "set" && simple.has(&["pipefail"])) {
            return false;
        }
        let Some((last, before)) = line.commands.split_last() else { return false };
        let is_runner = |simple: &Simple| RUNNERS.contains(&simple.program());
        before.iter().any(is_runner) && !is_runner(last) && {
            let joins_freely =
                before.iter().rev().take_while(|simple| !is_runner(simple)).all(|s| s.join != Some(Join::And));
            let runner_join = before.iter().rev().find(|simple| is_runner(simple)).and_then(|simple| simple.join);
            joins_freely
                && match runner_join {
                    Some(Join::Pipe) => FILTERS.contains(&last.program()) || only_looks(last),
                    Some(Join::Or | Join::List) => only_looks(last),
                    Some(Join::And) | None => false,
                }
        }
    }

    /// What the call is about, as the same for every dress of it: comments, redirections, `cd .`, pipes into `tail`,
    /// `|| true`, assignments and wrappers are left out. Calls of other tools are about the file they name.
    ///
    /// ```
    /// use recovery_agents::Call;
    /// let about = |command: &str| Call { tool: "Bash".into(), action: command.into(), is_shell: true, ..Call::default() }.subject();
    /// for dress in ["npm test # again", "npm test 2>&1", "cd . && npm test", "npm test 2>&1 | tail -5 || true", "CI=1 npm  test"] {
    ///     assert_eq!(about(dress), about("npm test"), "{dress}");
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
                let dressing = is_dressing(simple) || (behind_pipe && FILTERS.contains(&simple.program()));
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

/// Whether the line is a loop of the shell's own, of which no part shows what it is about.
fn is_loop(line: &str) -> bool {
    let has = |keyword: &str| line.split(|c: char| c.is_whitespace() || c == ';').any(|word| word == keyword);
    has("do") && (has("for") || has("while") || has("until"))
}

/// Whether it sleeps for five seconds or longer.
fn waits_long(simple: &Simple) -> bool {
    const LONG_S: f64 = 5.0;
    let seconds = |word: &str| {
        let number = word.trim_end_matches(['s', 'm', 'h', 'd']);
        let unit = if number.len() == word.len() || word.ends_with('s') { 1.0 } else { 60.0 };
        number.parse::<f64>().ok().map(|number| number * unit)
    };
    simple.program() == "sleep" && simple.arguments().filter_map(seconds).sum::<f64>() >= LONG_S
}

/// What does nothing for the matter itself.
fn is_dressing(simple: &Simple) -> bool {
    match simple.program() {
        "true" | ":" | "echo" | "printf" | "sleep" | "set" | "export" | "date" | "pwd" | "clear" | "exit" => {
            !simple.writes_file
        }
        "cd" => matches!(simple.words.get(1).map(String::as_str), None | Some("." | "./" | "$PWD" | "$(pwd)" | "$")),
        _ => false,
    }
}

fn only_looks(simple: &Simple) -> bool {
    if simple.writes_file {
        return false;
    }
    let program = simple.program();
    if program.is_empty() || simple.has(&["--version", "-V", "--help", "-h"]) && simple.words.len() == 2 {
        return true;
    }
    let writes = |flags: &[&str]| simple.arguments().any(|word| flags.iter().any(|flag| word.starts_with(flag)));
    match program {
        "sed" | "yq" => !simple.arguments().any(edits_in_place),
        "awk" | "gawk" => !simple.has(&["inplace"]) && !simple.arguments().any(|word| word.contains(['>', '|'])),
        "find" | "fd" => {
            !simple.has(&["-delete", "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"])
                && !writes(&["-fprint", "-fls"])
        }
        "sort" => !writes(&["-o", "--output"]),
        "tee" => simple.arguments().all(|word| word.starts_with('-') || word == "/dev/null"),
        "curl" => curl_only_looks(simple),
        "git" => match simple.subcommand() {
            // Without arguments it takes every change out of the working tree.
            "stash" => simple.has(&["list", "show"]),
            "branch" | "remote" | "tag" | "worktree" | "config" => {
                let rest: Vec<&str> = simple.arguments().filter(|word| *word != simple.subcommand()).collect();
                rest.iter().all(|word| {
                    matches!(*word, "-v" | "-vv" | "-a" | "-r" | "-l" | "list" | "show" | "--list" | "--get")
                })
            }
            subcommand => looks_by_subcommand(program, subcommand),
        },
        "gh" => simple.has(&["view", "list", "status", "checks", "diff"]),
        "go" if simple.subcommand() == "env" => !simple.has(&["-w", "-u"]),
        _ => LOOKERS.contains(&program) || looks_by_subcommand(program, simple.subcommand()),
    }
}

fn looks_by_subcommand(program: &str, subcommand: &str) -> bool {
    is_one_of(LOOKING_SUBCOMMANDS, program, subcommand)
}

fn is_one_of(table: &[(&str, &[&str])], program: &str, subcommand: &str) -> bool {
    table.iter().any(|(name, subcommands)| *name == program && subcommands.contains(&subcommand))
}

/// `-i`, `-i.bak`, `--in-place`, and `i` among other letters: `-Ei`, `-ni`.
fn edits_in_place(word: &str) -> bool {
    match word.strip_prefix('-') {
        Some(long) if long.starts_with('-') => word.starts_with("--in-place"),
        Some(letters) => letters.contains('i'),
        None => false,
    }
}

/// Whether it only asks: nothing is sent, and no file is written.
fn curl_only_looks(simple: &Simple) -> bool {
    let mut arguments = simple.arguments();
    while let Some(word) = arguments.next() {
        let is_changing = match word.strip_prefix('-') {
            Some(long) if long.starts_with('-') => match long {
                "-output" => arguments.next() != Some("/dev/null"),
                "-request" => !matches!(arguments.next(), Some("GET" | "HEAD")),
                _ => ["-remote-name", "-data", "-form", "-json", "-upload", "-output", "-request"]
                    .iter()
                    .any(|flag| long.starts_with(flag)),
            },
            // A value may follow its letter at once (`-XPOST`) or as the next word (`-sSLo file`).
            Some(letters) => match letters.find(['o', 'O', 'T', 'd', 'F', 'X']) {
                Some(at) => {
                    let value = Some(&letters[at + 1..]).filter(|value| !value.is_empty());
                    match &letters[at..=at] {
                        "o" => value.or_else(|| arguments.next()) != Some("/dev/null"),
                        "X" => !matches!(value.or_else(|| arguments.next()), Some("GET" | "HEAD")),
                        _ => true,
                    }
                }
                None => false,
            },
            None => false,
        };
        if is_changing {
            return false;
        }
    }
    true
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
mod tests {
    use super::*;

    fn shell(command: &str) -> Call {
        Call { tool: "Bash".into(), action: command.into(), is_shell: true, ..Call::default() }
    }

    fn tool(name: &str) -> Call {
        Call { tool: name.into(), action: "{}".into(), ..Call::default() }
    }

    #[test]
    fn looking_changes_nothing() {
        for command in [
            "ls -la",
            "cat a | grep b",
            "git status && git diff",
            "sed -n 1,20p a",
            "find . -name '*.rs'",
            "cd x && rg foo",
            "cargo --version",
            "curl -s localhost:3000/health",
            "git branch -a",
            "gh run view 1",
            "echo hi",
            "ls 2>/dev/null",
            "tail -f log | tee /dev/null",
            "cargo test 2>&1 | head",
            "recovery stuck",
            "git stash list",
            "curl -sSo /dev/null -XGET localhost:3000",
            "sed -nE '1,5p' a",
            "go env GOPATH",
        ] {
            let expected = command.starts_with("cargo test");
            assert_eq!(shell(command).may_change_anything(true), expected, "{command}");
        }
        for command in [
            "sed -i s/a/b/ x",
            "apply_patch <<'E'\nx\nE",
            "echo a > b",
            "git commit -am x",
            "npm install",
            "find . -delete",
            "docker compose up -d",
            "curl -X POST x",
            "git stash pop",
            "python3 fix.py",
            "make",
            "rm a",
            "git checkout .",
            "git stash",
            "sed -Ei s/a/b/ x",
            "sed -n -i.bak s/a/b/ x",
            "curl -sSLo bin/tool https://example.com/tool",
            "curl -XPOST localhost:3000/seed",
            "awk '{print > \"out\"}' x",
            "export A=1",
            "source .venv/bin/activate",
            ". ./env.sh",
            "unset CI",
            "wait",
            "go env -w GOFLAGS=-mod=mod",
            "recovery run -- npm install",
            "recovery rollback",
            "sed -i s/a/b/ x && recovery status",
        ] {
            assert!(shell(command).may_change_anything(true), "{command}");
        }
        assert!(shell("sed -i s/a/b/ x && npm test").may_change_anything(false));
        assert!(!shell("cd app && npm test").may_change_anything(false));
    }

    #[test]
    fn waiting_on_purpose_is_a_change() {
        for command in ["sleep 30", "sleep 5 && ls", "sleep 1m", "sleep 10s; git status"] {
            assert!(shell(command).may_change_anything(true), "{command}");
        }
        assert!(!shell("sleep 1").may_change_anything(true));
        assert!(!shell("sleep 30 && npm test").may_change_anything(false), "a loop that waits is still a loop");
        assert!(shell("sleep 30 && npm ci").is_polling(true) && !shell("sleep 30 && npm test").is_polling(false));
    }

    #[test]
    fn a_loop_is_about_all_of_itself() {
        let line = "for t in a b; do echo $t; npm test $t; done";
        assert_eq!(shell(line).subject(), line);
        assert_eq!(shell("npm run do").subject(), "npm run do");
    }

    #[test]
    fn tools_that_look_and_tools_that_change() {
        for name in [
            "Read",
            "Grep",
            "read_file",
            "mcp__fs__read_file",
            "mcp__github__get_issue",
            "mcp__recovery__classify_failure",
            "mcp__jira__getIssue",
        ] {
            assert!(!tool(name).may_change_anything(true), "{name}");
        }
        for name in [
            "Edit",
            "Write",
            "apply_patch",
            "Task",
            "mcp__fs__write_file",
            "NotebookEdit",
            "replace",
            "create",
            "mcp__git__checkout_branch",
            "mcp__editor__find_and_replace",
            "mcp__db__getOrCreate",
            "mcp__postgres__query",
            "AskUserQuestion",
            "BashOutput",
        ] {
            assert!(tool(name).may_change_anything(true), "{name}");
        }
    }

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
        assert!(shell("claude -p 'fix it'").is_nested_agent() && tool("Task").is_nested_agent());
    }

    #[test]
    fn hidden_exit_codes() {
        for command in [
            "cargo test 2>&1 | tail -20",
            "npm test || true",
            "make; echo done",
            "pytest -q | grep -v warn | head",
            "go build ./... || :",
        ] {
            assert!(shell(command).hides_exit_code(), "{command}");
        }
        for command in [
            "cargo test",
            "cat build.log | tail",
            "cargo test && echo ok",
            "set -o pipefail; cargo test | tail",
            "make | ./upload",
            "echo x; cargo test",
            "cargo build && ls && cat x",
        ] {
            assert!(!shell(command).hides_exit_code(), "{command}");
        }
    }

    #[test]
    fn polling_is_known() {
        for command in
            ["curl -sf localhost:3000/health", "sleep 5; curl :3000", "gh run view 1", "kubectl get pods", "docker ps"]
        {
            assert!(shell(command).is_polling(command.contains(":3000")), "{command}");
        }
        for command in ["aws cloudformation describe-stacks", "git pull && npm test", "helm status web", "oc get pods"]
        {
            assert!(shell(command).is_polling(false), "{command}");
        }
        for command in ["npm test", "docker build .", "gh pr create", "curl -f https://example.com/missing", "git pull"]
        {
            assert!(!shell(command).is_polling(false), "{command}");
        }
    }
}
