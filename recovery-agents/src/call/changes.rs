//! Whether anything may be different after a tool call.
//!
//! In: a [`Call`] and whether it worked. Out: `false` only if every command that ran to its end is known to be
//! read-only, and none was a long `sleep`. A possible change lifts a hold (`recovery-service/src/hook/world.rs`), so
//! the tables are allowlists: tools, programs and subcommands that only look are listed, and everything else counts
//! as a change. A needless lift costs one more repetition; a hold that outlasts a change blocks a correct call.
//!
//! To add a program, add it to `READ_ONLY_PROGRAMS` (read-only whatever its arguments are) or `READ_ONLY_SUBCOMMANDS`; a program
//! whose flags decide (`sed -i`, `curl -X`) gets an arm in `is_read_only`. Tools of the agents are in `READ_ONLY_TOOLS`.

use super::{has_subcommand, is_among, words_of};
use crate::Call;
use crate::shell::{Line, Simple};

/// Tools of the agents that only look. Those that a person answers, and those that read the progress of a command in the
/// background, are not among them: something else has happened in the meantime.
const READ_ONLY_TOOLS: &str = "\
    Read Grep Glob LS WebFetch WebSearch TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet ListAgents CronList \
    ReportFindings Skill ToolSearch ListMcpResourcesTool ReadMcpResourceTool read grep glob list webfetch websearch \
    todowrite todoread skill read_file read_many_files list_directory search_file_content grep_search \
    google_web_search web_fetch write_todos update_topic activate_skill list_background_processes view view_image \
    web_search update_plan get_goal create_goal update_goal list_bash list_agents update_todo report_intent \
    fetch_copilot_cli_documentation";
/// First words of an MCP tool's own name that indicate a read-only tool.
const READ_ONLY_VERBS: &str = "get list read search find fetch view describe show status lookup count check";
/// Words in an MCP tool's own name that indicate a change all the same (`find_and_replace`, `get_or_create`).
const CHANGING_WORDS: &str = "\
    replace create update write set delete remove insert apply edit run exec execute add start restart stop install \
    deploy sync reset upsert patch out fix move rename merge push pull save upload download clear wait";
/// Words in a URL's path that name an operation, with [`CHANGING_WORDS`].
const ORDERS: &str =
    "seed reload refresh flush trigger migrate rebuild login logout shutdown toggle enable disable invalidate";
/// Programs that only look, whatever their arguments are. What changes a shell that lives on (`export`, `source`) and what
/// waits for another process (`wait`) is not among them.
const READ_ONLY_PROGRAMS: &str = "\
    ls ll cat bat head tail grep egrep fgrep zgrep rg ag ack wc sort uniq cut tr awk gawk echo printf pwd cd pushd \
    popd which type command whereis env printenv date whoami id uname hostname ps top pgrep pidof lsof netstat ss df \
    du stat file tree diff cmp comm jq xxd od hexdump md5sum sha1sum sha256sum cksum base64 less more man true false \
    : test [ [[ sleep seq basename dirname realpath readlink nl tac rev column fold strings nm objdump readelf ldd \
    ping dig nslookup host getent pg_isready exit read fi done free uptime nproc lscpu arch locale tty groups history \
    jobs dpkg-query apt-cache";
/// Programs of which some subcommands only look.
const READ_ONLY_SUBCOMMANDS: &[(&str, &str)] = &[
    (
        "git",
        "status log diff show blame grep rev-parse ls-files describe cat-file merge-base shortlog reflog rev-list ls-tree \
         ls-remote check-ignore name-rev",
    ),
    ("cargo", "metadata tree search version locate-project pkgid"),
    ("npm", "ls list view info outdated explain why help root prefix ping"),
    ("pnpm", "ls list why outdated"),
    ("yarn", "list info why outdated"),
    ("pip", "show list freeze check help"),
    ("pip3", "show list freeze check help"),
    ("docker", "ps images logs inspect version info stats top port"),
    ("docker-compose", "ps logs images top port version"),
    ("kubectl", "get describe logs version explain top api-resources"),
    ("go", "version env list doc"),
    ("terraform", "show output version providers graph"),
    ("rustup", "show which"),
    ("apt", "list show policy search"),
    ("brew", "list ls info search config"),
    ("gem", "list info search"),
    ("poetry", "show"),
    ("bq", "show ls"),
    ("conda", "list info"),
    ("systemctl", "status is-active is-enabled is-failed list-units show cat"),
    ("gh", "status"),
    (
        "recovery",
        "status stuck hints report explain classify problems scan journal schema doctor simulate rules metrics updates \
         decide repair eval help",
    ),
];
/// As [`READ_ONLY_SUBCOMMANDS`], where a word in between names what the subcommand is of: `docker compose ps`.
const READ_ONLY_IN_GROUPS: &[(&str, &str, &str)] = &[
    ("docker", "compose", "ps logs images top port version ls"),
    ("docker", "image container network volume context buildx", "ls list inspect history logs"),
    ("kubectl", "config", "view current-context get-contexts"),
    ("npm", "config", "get list ls"),
    ("git", "submodule", "status summary"),
    ("gh", "auth", "status"),
    (
        "gh",
        "pr issue run release repo workflow gist label variable secret cache project",
        "view list status checks diff",
    ),
    ("rustup", "toolchain target component", "list"),
    ("uv", "pip", "list show freeze tree"),
    ("terraform", "state workspace", "list show"),
];
/// Programs that print their version for `-v`; for others it means "verbose".
const VERSION_BY_V: &str = "node npm npx yarn pnpm bun deno ruby php perl make mvn gradle nginx tsc pip docker";
/// Sleeping for this long is waiting for something to change.
const LONG_SLEEP_S: f64 = 5.0;

impl Call {
    /// Whether anything may be different after it. `worked` is whether it succeeded: of a line that failed, what
    /// comes before its last command has been done.
    #[must_use]
    pub fn may_change_anything(&self, worked: bool) -> bool {
        if self.is_shell {
            let line = Line::parse(&self.action);
            // A deliberate wait is for something outside to change.
            if worked && line.commands.iter().any(waits_long) {
                return true;
            }
            let done = line.commands.len().saturating_sub(usize::from(!worked));
            return line.commands.iter().take(done).any(|simple| !is_read_only(simple));
        }
        worked && !self.is_ours() && !self.is_read_only_tool()
    }

    /// Whether it only looks at what is there.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        if self.is_shell {
            return Line::parse(&self.action).commands.iter().all(is_read_only);
        }
        self.is_read_only_tool()
    }

    /// Whether it replaces a text within a file.
    #[must_use]
    pub fn edits_text(&self) -> bool {
        !self.is_shell && ["old_string", "oldString", "old_str"].iter().any(|key| self.action.contains(key))
    }

    fn is_read_only_tool(&self) -> bool {
        let name = self.tool.as_str();
        // An MCP tool's own name comes after its server's.
        let own = match name.strip_prefix("mcp__") {
            Some(rest) => rest.split_once("__"),
            None => name.strip_prefix("mcp_").map_or_else(|| name.split_once(['-', '/']), |rest| rest.split_once('_')),
        };
        is_among(READ_ONLY_TOOLS, name)
            || own.is_some_and(|(_, own)| {
                let words = words_of(own);
                words.first().is_some_and(|verb| is_among(READ_ONLY_VERBS, verb))
                    && !words.iter().any(|word| is_among(CHANGING_WORDS, word))
            })
    }
}

/// Whether it sleeps for long.
pub(super) fn waits_long(simple: &Simple) -> bool {
    let seconds = |word: &str| {
        let number = word.trim_end_matches(['s', 'm', 'h', 'd']);
        let unit = if number.len() == word.len() || word.ends_with('s') { 1.0 } else { 60.0 };
        number.parse::<f64>().ok().map(|number| number * unit)
    };
    simple.program() == "sleep" && simple.arguments().filter_map(seconds).sum::<f64>() >= LONG_SLEEP_S
}

pub(super) fn is_read_only(simple: &Simple) -> bool {
    if simple.writes_file {
        return false;
    }
    let program = simple.program();
    if program.is_empty() || simple.words.len() == 2 && asks_for_version_or_help(program, simple) {
        return true;
    }
    let writes = |flags: &[&str]| simple.arguments().any(|word| flags.iter().any(|flag| word.starts_with(flag)));
    match program {
        "sed" => !simple.arguments().any(|word| edits_in_place(word) || writes_by_script(word)),
        "yq" => !simple.arguments().any(edits_in_place),
        "awk" | "gawk" => {
            let acts = |word: &str| word.contains(['>', '|']) || word.contains("system(");
            !simple.has(&["inplace"]) && !simple.arguments().any(acts)
        }
        "find" | "fd" => {
            !simple.has(&["-delete", "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"])
                && !writes(&["-fprint", "-fls"])
        }
        "sort" | "tree" => !simple.arguments().any(names_output),
        // A second file is the one to write to.
        "uniq" | "xxd" => simple.arguments().filter(|word| !word.starts_with('-')).count() < 2,
        "date" => !writes(&["-s", "--set"]),
        "hostname" => simple.arguments().all(|word| word.starts_with('-')),
        "ss" => !writes(&["-K", "--kill"]),
        "dpkg" => simple.has(&["-s", "-l", "-L", "-S", "--status", "--list", "--listfiles", "--search", "--version"]),
        "rpm" => simple.arguments().any(|word| word.starts_with("-q") || word == "--query"),
        "openssl" => matches!(simple.subcommand(), "s_client" | "version"),
        "tee" => simple.arguments().all(|word| word.starts_with('-') || word == "/dev/null"),
        "curl" => is_read_only_curl(simple),
        "git" => is_read_only_git(simple),
        "go" if simple.subcommand() == "env" => !simple.has(&["-w", "-u"]),
        // Without a name it lists the tasks that there are.
        "npm" | "pnpm" | "yarn" if simple.words.len() == 2 && simple.has(&["run"]) => true,
        _ => is_among(READ_ONLY_PROGRAMS, program) || has_read_only_subcommand(simple),
    }
}

/// Whether the subcommand, or that of a group (`docker compose ps`), only looks.
fn has_read_only_subcommand(simple: &Simple) -> bool {
    let program = simple.program();
    let mut names = simple.arguments().filter(|word| !word.starts_with('-'));
    let (first, second) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    has_subcommand(READ_ONLY_SUBCOMMANDS, program, first)
        || READ_ONLY_IN_GROUPS.iter().any(|(name, groups, subcommands)| {
            *name == program && is_among(groups, first) && is_among(subcommands, second)
        })
}

/// Whether the one argument asks for the version or for help.
fn asks_for_version_or_help(program: &str, simple: &Simple) -> bool {
    simple.has(&["--version", "-V", "-version", "-vV", "--help", "-h"])
        || simple.has(&["-v"]) && is_among(VERSION_BY_V, program)
}

fn is_read_only_git(simple: &Simple) -> bool {
    let subcommand = simple.subcommand();
    let rest: Vec<&str> = simple.arguments().skip_while(|word| *word != subcommand).skip(1).collect();
    let asks_only = |words: &str| rest.iter().all(|word| is_among(words, word));
    match subcommand {
        // Without arguments it takes every change out of the working tree.
        "stash" => matches!(rest.first(), Some(&("list" | "show"))),
        "reflog" => !matches!(rest.first(), Some(&("expire" | "delete"))),
        "branch" => {
            asks_only("-v -vv -a -r -l -av -avv --list --all --show-current --merged --no-merged")
                || rest.first().is_some_and(|word| matches!(*word, "--list" | "-l" | "--contains"))
        }
        "tag" => asks_only("-l -n --list") || rest.first().is_some_and(|word| matches!(*word, "--list" | "-l")),
        "remote" => asks_only("-v") || matches!(rest.first(), Some(&("show" | "get-url"))),
        "worktree" => matches!(rest.first(), Some(&"list")),
        // With one name it prints the value, with two it sets it.
        "config" => {
            let has_flag = |flags: &[&str]| rest.iter().any(|word| flags.contains(word));
            has_flag(&["--get", "--get-all", "--get-regexp", "-l", "--list", "list", "get"])
                || rest.len() == 1 && !rest[0].starts_with('-')
        }
        _ if rest.iter().any(|word| word.starts_with("--output")) => false,
        _ => has_read_only_subcommand(simple),
    }
}

/// `sort -o file`, `-uo file`, `--output=file`; of `tree`, `-o file`.
fn names_output(word: &str) -> bool {
    match word.strip_prefix('-') {
        Some(long) if long.starts_with('-') => long.starts_with("-output"),
        // The values of `-k` and `-t` may contain any letter.
        Some(letters) => letters.split(['k', 't', 'S', 'T']).next().unwrap_or_default().contains('o'),
        None => false,
    }
}

/// The command `w` of a sed script: `/x/w out.txt`.
fn writes_by_script(word: &str) -> bool {
    let starts_file = |rest: &str| {
        rest.starts_with(' ') && rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || "./_".contains(c))
    };
    word.match_indices('w').any(|(at, _)| {
        let before = word[..at].trim_end().chars().next_back();
        before.is_none_or(|c| "/;{$0123456789gp".contains(c)) && starts_file(&word[at + 1..])
    })
}

/// `-i`, `-i.bak`, `--in-place`, and `i` among other letters: `-Ei`, `-ni`.
fn edits_in_place(word: &str) -> bool {
    match word.strip_prefix('-') {
        Some(long) if long.starts_with('-') => word.starts_with("--in-place"),
        Some(letters) => letters.contains('i'),
        None => false,
    }
}

/// Whether it is read-only: nothing is sent, no file is written, and the URL names no operation (`/__reset`, `/seed`).
fn is_read_only_curl(simple: &Simple) -> bool {
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
            None => orders(word),
        };
        if is_changing {
            return false;
        }
    }
    true
}

/// Whether the path of a URL names an operation.
fn orders(address: &str) -> bool {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, path)| path);
    words_of(path).iter().any(|word| is_among(CHANGING_WORDS, word) || is_among(ORDERS, word))
}

#[cfg(test)]
mod tests {
    use crate::call::{shell, tool};

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
            "node -v",
            "java -version",
            "git branch --show-current",
            "git config user.name",
            "git remote get-url origin",
            "git tag -l 'v*'",
            "docker compose ps",
            "docker image ls",
            "gh pr view 12",
            "gh auth status",
            "dpkg -s jq",
            "rpm -qa",
            "sort -t, -k2 a",
            "sort -k1,1 -to a",
            "uniq -c a",
            "date +%s",
            "npm run",
            "sed -n '/warn/p' a",
            "kubectl config current-context",
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
            "date -s 2026-01-01",
            "hostname web-2",
            "sort -uo a a",
            "uniq a b",
            "xxd -r a b",
            "awk '{system(\"rm \" $1)}' list",
            "sed -n '/x/w out.txt' a",
            "git config user.name x",
            "git reflog expire --all",
            "git log --output=a.txt",
            "git remote set-url origin x",
            "git tag v1",
            "git worktree add ../x",
            "gh pr create --title view",
            "gh issue close 1 --comment 'see list'",
            "curl -s localhost:3000/__reset",
            "curl localhost:3000/api/seed?n=3",
            "docker compose up -d",
            "docker image rm x",
            "dpkg -i a.deb",
            "pytest -v",
            "echo $(npm ci)",
            "command rm x",
            "ls | xargs rm",
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
}
