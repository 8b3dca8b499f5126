//! `recovery doctor`: which agents are set up, and whether a failure really comes through each of their hooks.

use crate::cli::Global;
use crate::install::{self, Installed, Invocation, Launch, Places, Scope};
use crate::ledger::Ledger;
use crate::output::{self, Format};
use crate::{clock, exit};
use anyhow::Context as _;
use recovery_agents::{Agent, sample, text_for_model};
use recovery_store::{DEFAULT_WAIT, Store};
use serde::Serialize;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Agents would wait longer; a hook that needs this long is broken.
const PATIENCE_MS: u64 = 5000;
/// How often a hook is asked before it counts as broken.
const TRIES: u32 = 3;

#[derive(clap::Args)]
#[command(after_help = "Every failure that it fires is recorded in a scratch directory, never in your journal.\n\n\
    Examples:\n  recovery doctor\n  recovery doctor --format json")]
pub(crate) struct Args {}

/// Everything that was looked at.
#[derive(Serialize)]
struct Examination {
    ok: bool,
    checks: Vec<Check>,
    agents: Vec<AgentCheck>,
}

/// One thing that is right or wrong.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
}

/// One agent's installed hooks.
#[derive(Serialize)]
struct AgentCheck {
    agent: &'static str,
    scope: &'static str,
    path: PathBuf,
    ok: bool,
    /// Where a failure was fired.
    event: String,
    /// What the agent runs there.
    command: String,
    /// What the model would read.
    told: Option<String>,
    ms: u64,
    faults: Vec<String>,
}

impl AgentCheck {
    fn fault(&mut self, fault: String) {
        self.faults.push(fault);
        self.ok = false;
    }
}

pub(crate) fn run(_: &Args, global: &Global) -> anyhow::Result<u8> {
    let launch = Launch::new()?;
    let places = Places::new(global.root()?)?;
    let mut checks = vec![settings(global), journal(global)];
    let mut agents = Vec::new();
    for agent in Agent::ALL {
        for scope in Scope::ALL {
            match install::installed(agent, scope, &places, &launch) {
                Ok(Some(mut found)) => {
                    found.faults.extend(install::distrust(agent, &found.path, &places));
                    agents.push(examined(agent, scope, found, &places.root));
                }
                Ok(None) => {}
                Err(error) => checks.push(Check { name: agent.name(), ok: false, detail: format!("{error:#}") }),
            }
        }
    }
    let doubled: Vec<&str> = agents
        .iter()
        .map(|agent| agent.agent)
        .filter(|name| agents.iter().filter(|agent| agent.agent == *name).count() > 1)
        .collect();
    for agent in agents.iter_mut().filter(|agent| doubled.contains(&agent.agent)) {
        agent.fault(
            "installed for this project and for you: everything is told twice; `recovery uninstall` one of them"
                .to_owned(),
        );
    }
    let plugin = install::has_plugin(&places);
    if let Some(agent) = agents.iter_mut().find(|agent| plugin && agent.agent == Agent::ClaudeCode.name()) {
        agent.fault("the plugin is on as well: everything is told twice; use one of the two".to_owned());
    }
    if plugin {
        checks.push(Check { name: "plugin", ok: true, detail: "Claude Code's plugin `recovery` is on".to_owned() });
    }
    if agents.is_empty() && !plugin {
        let detail = "no agent is set up; `recovery install AGENT` does it".to_owned();
        checks.push(Check { name: "agents", ok: false, detail });
    }
    let ok = checks.iter().all(|check| check.ok) && agents.iter().all(|agent| agent.ok);
    let examination = Examination { ok, checks, agents };
    let mut out = output::stdout();
    match global.format {
        Format::Json => output::json_line(&mut out, &examination)?,
        Format::Text => text(&mut out, &examination)?,
    }
    out.flush()?;
    Ok(if ok { exit::DONE } else { exit::NO })
}

fn settings(global: &Global) -> Check {
    let outcome = global.engine().map(|engine| format!("pack {}", engine.taxonomy.pack().name()));
    check("settings", outcome.map_err(anyhow::Error::from))
}

fn journal(global: &Global) -> Check {
    let verified = || -> anyhow::Result<String> {
        let Some(found) = Ledger::verify(&global.store()?, DEFAULT_WAIT)? else {
            return Ok("none yet; the first failure makes it".to_owned());
        };
        anyhow::ensure!(found.is_sound(), "it is damaged; `recovery journal verify` says where");
        Ok(format!("{} records, every hash is right", found.records))
    };
    check("journal", verified())
}

fn check(name: &'static str, outcome: anyhow::Result<String>) -> Check {
    match outcome {
        Ok(detail) => Check { name, ok: true, detail },
        Err(error) => Check { name, ok: false, detail: format!("{error:#}") },
    }
}

fn examined(agent: Agent, scope: Scope, found: Installed, root: &Path) -> AgentCheck {
    let Installed { path, hooks, mut faults } = found;
    let event = sample(agent, "", "").event;
    let hook = hooks.iter().find(|(known, _)| known == event);
    let fired = match hook {
        Some((_, invocation)) => patiently(|| fire(agent, invocation, root)),
        None => Err(anyhow::anyhow!("a failure would not reach recovery")),
    };
    let (told, ms) = match fired {
        Ok(Fired { told, ms }) => (Some(told), ms),
        Err(error) => {
            faults.push(format!("{error:#}"));
            (None, 0)
        }
    };
    let command = hook.map(|(_, invocation)| shown(invocation)).unwrap_or_default();
    let ok = faults.is_empty() && told.is_some();
    AgentCheck {
        agent: agent.name(),
        scope: scope.name(),
        path,
        ok,
        event: event.to_owned(),
        command,
        told,
        ms,
        faults,
    }
}

/// On a busy machine a hook keeps its second and stays silent; that is no fault, so it is asked again.
fn patiently(fire: impl Fn() -> anyhow::Result<Fired>) -> anyhow::Result<Fired> {
    (1..TRIES).find_map(|_| fire().ok()).map_or_else(&fire, Ok)
}

struct Fired {
    told: String,
    ms: u64,
}

/// Runs the hook as the agent would, on a failure in a scratch project with the same settings.
fn fire(agent: Agent, invocation: &Invocation, root: &Path) -> anyhow::Result<Fired> {
    let scratch = scratch_project(root)?;
    let transcript = scratch.path().join("transcript.jsonl");
    let sample = sample(agent, &scratch.path().to_string_lossy(), &transcript.to_string_lossy());
    if let Some(lines) = &sample.transcript {
        std::fs::write(&transcript, lines)?;
    }
    let mut command = match invocation {
        Invocation::Program(program, args) => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
        Invocation::Shell(line) => {
            let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
            let mut command = Command::new(shell);
            command.args([flag, line]);
            command
        }
    };
    command.current_dir(scratch.path()).env_remove("RECOVERY_TASK");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let begun = clock::now();
    let mut child = command.spawn().with_context(|| format!("cannot start `{}`", shown(invocation)))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that does not read its payload answers something else: that is reported below.
        let _ = stdin.write_all(sample.payload.to_string().as_bytes());
    }
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if clock::now().since(begun) > PATIENCE_MS {
            let _ = child.kill();
            let _ = child.wait();
            anyhow::bail!("no answer within {PATIENCE_MS} ms");
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let ms = clock::now().since(begun);
    let printed = all(child.stdout.take());
    let complaint = all(child.stderr.take());
    anyhow::ensure!(status.success(), "exit {status}: {}", output::one_line(&complaint, 200));
    let answer: serde_json::Value = serde_json::from_str(&printed).with_context(|| {
        let shown = if printed.trim().is_empty() { &complaint } else { &printed };
        format!("the answer is not JSON: {:?}", output::one_line(shown, 200))
    })?;
    let told = text_for_model(&answer).with_context(|| format!("nothing for the model in {answer}"))?.to_owned();
    let ledger = Ledger::open_existing(&Store::Directory(scratch.path().join(".recovery")), DEFAULT_WAIT)?;
    let tasks = ledger.map(|ledger| ledger.tasks()).transpose()?.unwrap_or_default();
    let failures: u32 = tasks.iter().map(|(_, state)| state.failures_ever).sum();
    anyhow::ensure!(failures == 1, "the failure was recorded {failures} times, not once");
    Ok(Fired { told, ms })
}

/// A project that is gone afterwards, in a directory that nobody else can have made or can enter.
fn scratch_project(root: &Path) -> anyhow::Result<tempfile::TempDir> {
    let dir = tempfile::Builder::new().prefix("recovery-doctor-").tempdir().context("cannot make a scratch project")?;
    std::fs::create_dir(dir.path().join(".recovery"))?;
    let settings = root.join("recovery.toml");
    if settings.exists() {
        std::fs::copy(settings, dir.path().join("recovery.toml"))?;
    }
    Ok(dir)
}

fn all(stream: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let _ = stream.take(1 << 20).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn shown(invocation: &Invocation) -> String {
    match invocation {
        Invocation::Program(program, args) => format!("{program} {}", args.join(" ")),
        Invocation::Shell(line) => line.clone(),
    }
}

fn text(out: &mut impl Write, examination: &Examination) -> anyhow::Result<()> {
    let mark = |ok: bool| if ok { output::good("ok") } else { output::bad("no") };
    for check in &examination.checks {
        writeln!(out, "{} {:10} {}", mark(check.ok), check.name, output::printable(&check.detail))?;
    }
    for agent in &examination.agents {
        writeln!(
            out,
            "\n{} {} ({} settings, {})",
            mark(agent.ok),
            output::strong(agent.agent),
            agent.scope,
            output::printable(&agent.path.display().to_string())
        )?;
        for fault in &agent.faults {
            writeln!(out, "   {} {}", output::bad("wrong:"), output::printable(fault))?;
        }
        if let Some(told) = &agent.told {
            writeln!(out, "   a failure at {} runs `{}`", agent.event, output::printable(&agent.command))?;
            writeln!(out, "   and after {} ms the model reads:", agent.ms)?;
            for line in told.lines() {
                writeln!(out, "   {} {}", output::faint("|"), output::printable(line))?;
            }
        }
    }
    if examination.agents.iter().any(|agent| !agent.ok) {
        writeln!(out, "\n`recovery install AGENT` writes the hooks anew.")?;
    }
    Ok(())
}
