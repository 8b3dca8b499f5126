//! The real clients, driven by a scripted model on loopback, with our hooks installed by `recovery install`: does the
//! advice reach the model, is a command that keeps failing held back, has the journal every failure once?

mod clients;
mod model;

use anyhow::{Context as _, bail, ensure};
use clients::{CLIENTS, Client, Stage};
use model::{Asked, Model, Step};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these agents
    agents: Vec<String>,
    /// Where the clients are installed
    #[arg(long, value_name = "DIR", default_value = "target/e2e/clients")]
    clients: PathBuf,
    /// The command to install [default: built now]
    #[arg(long, value_name = "FILE")]
    recovery: Option<PathBuf>,
    /// Write the transcript here
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,
}

/// Fails in the same way each time, and leaves a trace each time it really ran.
const COMMAND: &str = "echo ran >> runs.txt; echo 'FAIL src/login.test.ts: expected 3, received 4' >&2; exit 1";
/// What must come of each thing that the model asks for: the same command until it is held back, then an edit, which
/// lets it run once more. Few enough for the clients' own guards against loops.
const OUTCOMES: [Outcome; 6] =
    [Outcome::Failed, Outcome::Failed, Outcome::Failed, Outcome::Refused, Outcome::Written, Outcome::Failed];
/// How long a client may take.
const PATIENCE: Duration = Duration::from_secs(180);
/// How often a client is driven before it counts as failed: on a busy machine a hook that would need more than its second
/// stays silent, as it must.
const TRIES: u32 = 3;
/// How what we tell begins, for a failure and for a refusal.
const ADVICE: &str = "recovery: exit code 1";
const REFUSAL: &str = "and is held back until";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Failed,
    Refused,
    Written,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
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
    let mut report = String::from(HEADER);
    let mut failed = Vec::new();
    for client in CLIENTS.iter().filter(wanted) {
        println!("{} {}", client.agent, client.version);
        let mut driven = drive(client, &clients, &recovery);
        for number in 2..=TRIES {
            let Err(error) = &driven else { break };
            println!("  try {} failed: {error:#}", number - 1);
            driven = drive(client, &clients, &recovery);
        }
        match driven {
            Ok(seen) => {
                let shown = seen.shown(client)?;
                println!("{shown}");
                report.push_str(&shown);
            }
            Err(error) => {
                println!("  FAILED: {error:#}\n");
                failed.push(client.agent);
            }
        }
    }
    if let Some(path) = &options.transcript {
        std::fs::write(root.join(path), report)?;
    }
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}

const HEADER: &str = "# The real clients, end to end\n\nWritten by `cargo xtask e2e --transcript docs/e2e.md`: each client \
from its package, driven by a scripted model on\nloopback that asks for the same failing command again and again, with \
the hooks that `recovery install` wrote. The runs\ncheck that the advice is in the next request to the model, that the \
repeated command is held back after the replan,\nthat it may run again once a file was written, and that the journal has \
every failure once.\n";

/// What was seen of one client.
struct Seen {
    outcomes: &'static [Outcome],
    requests: Vec<Asked>,
    runs: usize,
    took: Duration,
}

fn drive(client: &Client, clients: &Path, recovery: &Path) -> anyhow::Result<Seen> {
    client.fetch(clients)?;
    let dir = std::env::temp_dir().join(format!("recovery-e2e-{}-{}", std::process::id(), client.agent));
    let mut stage = Stage { dir, port: 0 };
    let outcomes = if client.writes { &OUTCOMES[..] } else { &OUTCOMES[..4] };
    let script = outcomes.iter().map(|outcome| match outcome {
        Outcome::Failed | Outcome::Refused => Step::Run(COMMAND.to_owned()),
        Outcome::Written => Step::Write(stage.project().join("login.ts").to_string_lossy().into_owned()),
    });
    let model = Model::start(script.collect())?;
    stage.port = model.port;
    let _ = std::fs::remove_dir_all(&stage.dir);
    client.prepare(&stage)?;
    let installed = stage.command(recovery, recovery)?.args(["install", client.agent]).output()?;
    ensure!(installed.status.success(), "install: {}", String::from_utf8_lossy(&installed.stderr));
    let begun = Instant::now();
    let printed = ended(client.command(&stage, clients, recovery)?, &stage.dir)?;
    let took = begun.elapsed();
    let runs = std::fs::read_to_string(stage.project().join("runs.txt")).unwrap_or_default().lines().count();
    let seen = Seen { outcomes, requests: model.requests(), runs, took };
    let checked = seen.check().and_then(|()| journal(&stage, recovery, runs));
    checked.with_context(|| format!("in {}; the client said: {}", stage.dir.display(), last(&printed)))?;
    let _ = std::fs::remove_dir_all(&stage.dir);
    Ok(seen)
}

impl Seen {
    fn check(&self) -> anyhow::Result<()> {
        let so_far = |results: usize, wanted: Outcome| {
            self.outcomes.iter().take(results).filter(|outcome| **outcome == wanted).count()
        };
        for asked in &self.requests {
            let (advised, refused) = (asked.text.matches(ADVICE).count(), asked.text.matches(REFUSAL).count());
            let expected = (so_far(asked.results, Outcome::Failed), so_far(asked.results, Outcome::Refused));
            ensure!(
                (advised, refused) == expected,
                "after {} results the model has read {advised} advices and {refused} refusals, not {expected:?}",
                asked.results
            );
        }
        let all = self.outcomes.len();
        let most = self.requests.iter().map(|asked| asked.results).max().unwrap_or(0);
        ensure!(most == all, "the conversation ended after {most} of {all} calls");
        let failed = so_far(all, Outcome::Failed);
        ensure!(self.runs == failed, "the command ran {} times, not {failed}", self.runs);
        Ok(())
    }

    /// For people: what the model read after the first failure and after the first refusal.
    fn shown(&self, client: &Client) -> anyhow::Result<String> {
        let mut text = format!("\n## {} {}\n\n", client.agent, client.version);
        let words = self.outcomes.iter().map(|outcome| match outcome {
            Outcome::Failed => "failed",
            Outcome::Refused => "held back",
            Outcome::Written => "a file was written",
        });
        let words: Vec<&str> = words.collect();
        writeln!(text, "What came of each call: {}; {} ms in all.\n", words.join(", "), self.took.as_millis())?;
        let first = |results: usize, begins: &str| {
            let asked = self.requests.iter().find(|asked| asked.results == results)?;
            let from = asked.text.rfind(begins)?;
            Some(excerpt(&asked.text[from..]))
        };
        for (title, results, begins) in [
            ("In the request after the first failure", 1, ADVICE),
            ("After the third", 3, ADVICE),
            ("In the request after the refusal", 4, "recovery: this exact action"),
        ] {
            let quoted = first(results, begins).context("nothing to quote")?;
            writeln!(text, "{title}:\n\n```text\n{quoted}\n```\n")?;
        }
        Ok(text)
    }
}

/// The journal must have each failure once, and every hash must be right.
fn journal(stage: &Stage, recovery: &Path, runs: usize) -> anyhow::Result<()> {
    let status = stage.command(recovery, recovery)?.args(["status", "--format", "json"]).output()?;
    let failures: u64 = String::from_utf8_lossy(&status.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?.get("failures_ever")?.as_u64())
        .sum();
    ensure!(failures == runs as u64, "{runs} runs failed, the journal has {failures} failures");
    let verified = stage.command(recovery, recovery)?.args(["journal", "verify"]).output()?;
    ensure!(verified.status.success(), "journal verify: {}", String::from_utf8_lossy(&verified.stdout));
    Ok(())
}

/// Runs the client to its end, or ends it.
fn ended(mut command: Command, dir: &Path) -> anyhow::Result<String> {
    let log = dir.join("client.log");
    let file = std::fs::File::create(&log)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let begun = Instant::now();
    while child.try_wait()?.is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            bail!("no end within {} s; see {}", PATIENCE.as_secs(), log.display());
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

/// The text up to the end of the JSON string that it stands in.
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
