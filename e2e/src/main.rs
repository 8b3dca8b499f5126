//! The real clients, driven by a scripted model on loopback, with our hooks installed by `recovery install`.
//!
//! Each client goes through one conversation with every scenario of [`SCENARIOS`] in it. After each tool call the next
//! request to the model is compared with what the scenario expects: advice, a refusal, or nothing at all. So a healthy
//! call that is held back, advice that does not arrive, and a client that does not get on with its hooks all fail the run.

mod clients;
mod latency;
mod model;

use anyhow::{Context as _, bail, ensure};
use clap::Parser as _;
use clients::{Ability, CLIENTS, Client, Stage};
use model::{Asked, Model, Step};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Drives the real coding agents with the hooks installed and a scripted model; downloads them on first use.
#[derive(clap::Parser)]
struct Options {
    /// Only these agents
    agents: Vec<String>,
    /// Where the clients are installed
    #[arg(long, value_name = "DIR", default_value = "target/e2e/clients")]
    clients: PathBuf,
    /// The command to install [default: built now]
    #[arg(long, value_name = "FILE")]
    recovery: Option<PathBuf>,
    /// Write the page about it here
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Only measure what a hook call costs
    #[arg(long)]
    latency: bool,
}

/// How long a client may take; after that everything that it started is ended.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(240);
/// How often a client is driven before it counts as failed: on a busy machine a hook that would need more than its second
/// stays silent, as it must.
const MAX_TRIES: u32 = 3;
/// How each of our messages begins, and how a refusal goes on.
const PREFIX: &str = "recovery: ";
const REFUSAL: &str = "recovery: held back";

/// What the next request to the model must hold after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    /// One more advice.
    Advice,
    /// One more refusal; the call did not run.
    Refusal,
    /// Nothing new of ours.
    Nothing,
}
use Expect::{Advice, Nothing, Refusal};

/// A call and what must come of it. `@name` writes the file of that name with the client's own tool, `&command` runs in
/// the background where the client can do that, `>command` is run by a sub-agent, `!` calls the tool of an MCP server;
/// anything else is a command.
type Call = (&'static str, Expect);

/// A scenario: what it shows, and its calls.
struct Scenario {
    shows: &'static str,
    calls: &'static [Call],
    /// What a client must be able to do for it.
    needs: Option<Ability>,
}

const SCENARIOS: [Scenario; 12] = [
    Scenario {
        shows: "a transient failure may be tried again",
        calls: &[("sh flaky.sh", Advice), ("sh flaky.sh", Advice), ("sh flaky.sh", Nothing)],
        needs: None,
    },
    Scenario {
        shows: "of nine identical compile errors the last six are not run",
        calls: &[
            ("sh build.sh", Advice),
            ("sh build.sh", Advice),
            ("sh build.sh", Advice),
            ("sh build.sh", Refusal),
            ("sh build.sh", Refusal),
            ("sh build.sh", Refusal),
            ("sh build.sh", Refusal),
            ("sh build.sh", Refusal),
            ("sh build.sh", Refusal),
        ],
        needs: None,
    },
    Scenario {
        shows: "fail, fix by the edit tool, pass",
        calls: &[
            ("sh check.sh new.ts", Advice),
            ("sh check.sh new.ts", Advice),
            ("sh check.sh new.ts", Advice),
            ("sh check.sh new.ts", Refusal),
            ("@new.ts", Nothing),
            ("sh check.sh new.ts", Nothing),
        ],
        needs: Some(Ability::Write),
    },
    Scenario {
        shows: "fail, fix by a sub-agent, pass",
        calls: &[
            ("sh check.sh sub.ts", Advice),
            ("sh check.sh sub.ts", Advice),
            ("sh check.sh sub.ts", Advice),
            ("sh check.sh sub.ts", Refusal),
            (">sed -i s/broken/mended/ sub.ts", Nothing),
            ("sh check.sh sub.ts", Nothing),
        ],
        needs: Some(Ability::Delegate),
    },
    Scenario {
        shows: "an MCP tool that works is no failure, whatever its text says",
        calls: &[("!", Nothing), ("!", Nothing), ("!", Nothing), ("!", Nothing)],
        needs: None,
    },
    Scenario {
        shows: "fail, fix by sed, pass",
        calls: &[
            ("sh check.sh sed.ts", Advice),
            ("sh check.sh sed.ts", Advice),
            ("sh check.sh sed.ts", Advice),
            ("sh check.sh sed.ts", Refusal),
            ("sed -i s/broken/mended/ sed.ts", Nothing),
            ("sh check.sh sed.ts", Nothing),
        ],
        needs: None,
    },
    Scenario {
        shows: "different actions with similar names are not one",
        calls: &[
            ("cat api/index.ts", Advice),
            ("cat web/index.ts", Advice),
            ("cat lib/index.ts", Advice),
            ("cat app/index.ts", Nothing),
        ],
        needs: None,
    },
    Scenario {
        shows: "passing commands with alarming text are left alone",
        calls: &[("cat build.log", Nothing), ("cat build.log", Nothing), ("tail -2 build.log", Nothing)],
        needs: None,
    },
    Scenario {
        shows: "exit codes that say no are no failures",
        calls: &[
            ("grep nothing-here login.ts", Nothing),
            ("diff login.ts build.log", Nothing),
            ("test -f missing", Nothing),
        ],
        needs: None,
    },
    Scenario {
        shows: "a failure behind a pipe is advised about and never held back",
        calls: &[
            ("make all 2>&1 | tail -3", Advice),
            ("make all 2>&1 | tail -3", Advice),
            ("make all 2>&1 | tail -3", Advice),
            ("make all 2>&1 | tail -3", Advice),
        ],
        needs: None,
    },
    Scenario {
        shows: "a quota is held until its own reset time",
        calls: &[("sh quota.sh", Advice), ("sh quota.sh", Advice), ("sh quota.sh", Refusal)],
        needs: None,
    },
    // At the end: that it has ended reaches some clients as a prompt, which lifts what is held back.
    Scenario { shows: "a command in the background is no failure", calls: &[("&sleep 1", Nothing)], needs: None },
];

/// The project's files.
const FILES: [(&str, &str); 11] = [
    (
        "flaky.sh",
        "echo x >> tries.txt\ntest \"`wc -l < tries.txt`\" -gt 2 && exit 0\necho 'npm error code ECONNRESET' >&2\nexit 1\n",
    ),
    (
        "build.sh",
        "echo ran >> runs.txt\necho 'error[E0308]: mismatched types' >&2\necho ' --> src/main.rs:4:18' >&2\nexit 101\n",
    ),
    ("check.sh", "grep -sq mended $1 && exit 0\necho \"FAIL src/$1: expected 3, received 4\" >&2\nexit 1\n"),
    ("login.ts", "broken\n"),
    ("sed.ts", "broken\n"),
    ("sub.ts", "broken\n"),
    ("mcp.js", include_str!("mcp.js")),
    ("app/index.ts", "export {}\n"),
    ("build.log", "error: could not compile `a`\nFAILED\nExit Code: 1\n"),
    ("Makefile", "all:\n\t@echo 'src/main.c:4:5: error: expected expression' >&2; exit 1\n"),
    ("quota.sh", "echo 'You have hit your session limit, resets 2099-01-01T03:00:00Z' >&2\nexit 1\n"),
];

fn main() -> anyhow::Result<()> {
    let (root, options) = (root(), Options::parse());
    let clients = root.join(&options.clients);
    let recovery = match &options.recovery {
        Some(path) => path.canonicalize().with_context(|| format!("no {}", path.display()))?,
        None => built(root)?,
    };
    let unknown = options.agents.iter().find(|name| !CLIENTS.iter().any(|client| client.agent == **name));
    if let Some(name) = unknown {
        bail!("there is no client for {name:?}");
    }
    let wanted = |client: &&Client| options.agents.is_empty() || options.agents.iter().any(|a| a == client.agent);
    let costs = latency::measure(&recovery)?;
    println!("{costs}");
    if options.latency {
        return Ok(());
    }
    let (mut page, mut texts, mut failed) = (page_start(), None, Vec::new());
    for client in CLIENTS.iter().filter(wanted) {
        println!("{} {}", client.agent, client.version);
        let mut driven = drive(client, &clients, &recovery);
        for number in 2..=MAX_TRIES {
            let Err(error) = &driven else { break };
            println!("  try {} failed: {error:#}", number - 1);
            driven = drive(client, &clients, &recovery);
        }
        match driven {
            Ok(seen) => {
                println!("  {} calls in {} ms, all as expected", seen.calls.len(), seen.took.as_millis());
                page.push_str(&row(client));
                if texts.is_none() {
                    texts = Some(seen.texts(client)?);
                }
            }
            Err(error) => {
                println!("  FAILED: {error:#}\n");
                let name = format!("{} {}", client.agent, client.version);
                writeln!(page, "| {name} | **failed**: {} |", last(&format!("{error:#}")).replace('|', "/"))?;
                failed.push(name);
            }
        }
    }
    if let Some(path) = &options.page {
        std::fs::write(root.join(path), format!("{page}{}{costs}", texts.unwrap_or_default()))?;
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

/// The workspace's root directory.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

const HEADER: &str = "# The real clients, end to end\n\nWritten by `cargo e2e --page docs/e2e.md`: each client from \
its package, driven by a scripted model on loopback through\nevery scenario, with the hooks that `recovery install` wrote \
for its version. After each call the next request to the\nmodel is checked for advice, a refusal, or nothing of ours; \
nothing healthy may be held back. The journal must have\nevery failure once, and `recovery uninstall` must give back every \
byte of what was there before.\n\n";

/// The page up to the rows of the clients.
fn page_start() -> String {
    let mut text = HEADER.to_owned();
    for (number, scenario) in (1..).zip(&SCENARIOS) {
        text.push_str(&format!("{number}. {}\n", scenario.shows));
    }
    let numbers: String = (1..=SCENARIOS.len()).map(|number| format!(" {number} |")).collect();
    text + &format!(
        "\n\"ok\" is as expected; \"-\": the client has no tool for it.\n\n| client |{numbers}\n|---|{}\n",
        "---|".repeat(SCENARIOS.len())
    )
}

/// The row of a client that went through everything it is able to.
fn row(client: &Client) -> String {
    let cells = SCENARIOS.iter().map(|scenario| if scenario.is_for(client) { " ok |" } else { " - |" });
    format!("| {} {} |{}\n", client.agent, client.version, cells.collect::<String>())
}

/// What was seen of one client.
struct Seen {
    calls: Vec<Call>,
    requests: Vec<Asked>,
    took: Duration,
}

impl Scenario {
    /// Whether the client is able to go through it.
    fn is_for(&self, client: &Client) -> bool {
        self.needs.is_none_or(|need| client.can.contains(&need))
    }
}

fn drive(client: &Client, clients: &Path, recovery: &Path) -> anyhow::Result<Seen> {
    let clients = client.fetch(clients)?;
    let dir =
        std::env::temp_dir().join(format!("recovery-e2e-{}-{}-{}", std::process::id(), client.agent, client.version));
    let mut stage = Stage { dir, port: 0 };
    let calls: Vec<Call> = SCENARIOS
        .iter()
        .filter(|scenario| scenario.is_for(client))
        .flat_map(|scenario| scenario.calls)
        .copied()
        .collect();
    let script = calls.iter().map(|(call, _)| match call.split_at(1) {
        ("@", file) => Step::Write(stage.project().join(file).to_string_lossy().into_owned()),
        ("&", command) => Step::Background(command.to_owned()),
        (">", command) => Step::Delegate(command.to_owned()),
        ("!", _) => Step::Mcp,
        _ => Step::Run((*call).to_owned()),
    });
    let model = Model::start(script.collect())?;
    stage.port = model.port;
    let _ = std::fs::remove_dir_all(&stage.dir);
    client.prepare(&stage, &FILES)?;
    let ours = |action: &str| -> anyhow::Result<()> {
        let programs = [recovery, &clients.join("node_modules/.bin/x")];
        let done = stage.command(recovery, &programs)?.args([action, client.agent]).output()?;
        ensure!(done.status.success(), "{action}: {}", String::from_utf8_lossy(&done.stderr));
        Ok(())
    };
    let before = files_below(&stage.project())?;
    ours("install")?;
    let installed = files_below(&stage.project())?;
    let begun = Instant::now();
    let printed = ended(client.command(&stage, &clients, recovery)?, &stage.dir)?;
    let took = begun.elapsed();
    let seen = Seen { calls, requests: model.requests(), took };
    let checked = seen.check().and_then(|()| journal(&stage, recovery, seen.expected(seen.calls.len()).0));
    checked.with_context(|| format!("in {}; the client said: {}", stage.dir.display(), last(&printed)))?;
    ours("uninstall")?;
    let after = files_below(&stage.project())?;
    for path in installed.keys().filter(|path| installed.get(*path) != before.get(*path)) {
        // A client may have put files of its own into a directory of ours.
        let is_used = after.keys().any(|other| other != path && other.starts_with(path));
        ensure!(is_used || after.get(path) == before.get(path), "uninstall did not give back {}", path.display());
    }
    let _ = std::fs::remove_dir_all(&stage.dir);
    Ok(seen)
}

/// Every file and directory of a project with its text, but for git's and our own state.
fn files_below(dir: &Path) -> anyhow::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let (mut found, mut pending) = (BTreeMap::new(), vec![dir.to_path_buf()]);
    while let Some(dir) = pending.pop() {
        for entry in std::fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.ends_with(".git") || path.ends_with(".recovery") {
                continue;
            }
            let is_dir = path.is_dir();
            found.insert(path.clone(), if is_dir { Vec::new() } else { std::fs::read(&path)? });
            pending.extend(is_dir.then_some(path));
        }
    }
    Ok(found)
}

impl Seen {
    /// How many advices and refusals the model must have read after this many calls.
    fn expected(&self, calls: usize) -> (usize, usize) {
        let count = |wanted: Expect| self.calls.iter().take(calls).filter(|(_, expect)| *expect == wanted).count();
        (count(Advice), count(Refusal))
    }

    fn check(&self) -> anyhow::Result<()> {
        // Some clients list our slash command with its name and a colon.
        let listed = self.requests.first().map_or(0, |asked| asked.text.matches(PREFIX).count());
        for asked in &self.requests {
            let refused = asked.text.matches(REFUSAL).count();
            let advised = asked.text.matches(PREFIX).count() - refused - listed;
            let expected = self.expected(asked.results);
            // Older versions of Claude Code quote a refusal twice.
            ensure!(
                advised == expected.0 && (refused == expected.1 || refused == 2 * expected.1),
                "after {} (call {}) the model has read {advised} advices and {refused} refusals, not {expected:?}",
                asked.results.checked_sub(1).and_then(|at| self.calls.get(at)).map_or("nothing", |call| call.0),
                asked.results
            );
        }
        let all = self.calls.len();
        let most = self.requests.iter().map(|asked| asked.results).max().unwrap_or(0);
        ensure!(most == all, "the conversation ended after {most} of {all} calls");
        Ok(())
    }

    /// For people: what the model read after the first failure, the third and the refusal.
    fn texts(&self, client: &Client) -> anyhow::Result<String> {
        let mut text = format!("\n## What the model reads ({} {})\n", client.agent, client.version);
        let first = |call: &str, expect: Expect, begins: &str| {
            let at = self.calls.iter().position(|known| *known == (call, expect))? + 1;
            let asked = self.requests.iter().find(|asked| asked.results == at)?;
            let from = asked.text.rfind(begins)?;
            Some(excerpt(&asked.text[from..]))
        };
        for (title, call, expect) in [
            ("After a transient failure", "sh flaky.sh", Advice),
            ("After a compile error", "sh build.sh", Advice),
            ("In place of its fourth run", "sh build.sh", Refusal),
            ("After a hidden failure", "make all 2>&1 | tail -3", Advice),
        ] {
            let begins = if expect == Refusal { REFUSAL } else { PREFIX };
            let quoted = first(call, expect, begins).context("nothing to quote")?;
            writeln!(text, "\n{title}:\n\n```text\n{quoted}\n```")?;
        }
        Ok(text)
    }
}

/// The journal must have each failure once, and every hash must be right.
fn journal(stage: &Stage, recovery: &Path, runs: usize) -> anyhow::Result<()> {
    let status = stage.command(recovery, &[recovery])?.args(["status", "--format", "json"]).output()?;
    let failures: u64 = String::from_utf8_lossy(&status.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?.get("failures_ever")?.as_u64())
        .sum();
    ensure!(failures == runs as u64, "{runs} calls failed, the journal has {failures} failures");
    let verified = stage.command(recovery, &[recovery])?.args(["journal", "verify"]).output()?;
    ensure!(verified.status.success(), "journal verify: {}", String::from_utf8_lossy(&verified.stdout));
    Ok(())
}

/// Runs the client to its end, or ends it.
fn ended(mut command: Command, dir: &Path) -> anyhow::Result<String> {
    let log = dir.join("client.log");
    let file = std::fs::File::create(&log)?;
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let begun = Instant::now();
    while child.try_wait()?.is_none() {
        if begun.elapsed() > CLIENT_TIMEOUT {
            // Clients start programs of their own, which would go on without it.
            Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status()?;
            child.wait()?;
            bail!("no end within {} s; see {}", CLIENT_TIMEOUT.as_secs(), log.display());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(std::fs::read_to_string(log).unwrap_or_default())
}

fn last(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().collect();
    let text = lines[lines.len().saturating_sub(6)..].join(" / ");
    text.chars().take(600).collect()
}

/// The text up to the end of the JSON string that it is in.
fn excerpt(json: &str) -> String {
    let mut end = json.len();
    let mut escaped = false;
    for (at, c) in json.char_indices() {
        match c {
            '"' if !escaped => {
                end = at;
                break;
            }
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    let text: String = serde_json::from_str(&format!("\"{}\"", &json[..end])).unwrap_or_default();
    let text = text.split("</hook_context>").next().unwrap_or_default();
    // Several advices in one text: the last one is quoted from its own beginning.
    text.trim_end().replace("```", "'''")
}

fn built(root: &Path) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // As it is shipped: a hook has one second, and on a busy machine an unoptimised one may need it.
    let build = ["build", "--release", "--package", "recovery-cli"];
    let status = Command::new(cargo).args(build).current_dir(root).status()?;
    ensure!(status.success(), "the build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/recovery"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_ends_with_its_json_string() {
        assert_eq!(excerpt(r#"recovery: a \"b\"\nc", "more": 1"#), "recovery: a \"b\"\nc");
        assert_eq!(excerpt(r#"x</hook_context>y"#), "x");
    }
}
