//! `recovery doctor`: which agents are set up, and whether a failure reaches the model through each of their hooks.
//!
//! In: the settings of all agents. Out: a list of checks, exit code 1 where one fails. Each hook is run on a sample failure
//! in a scratch project (`recovery-install/src/trial.rs`); `trust.rs` there reads what the clients trust.

use crate::cli::Global;
use crate::install::{self, FailureCount, HookTrial, Installed, Launch, Places, SettingsScope, try_hook};
use crate::ledger::Ledger;
use crate::{exit, output};
use recovery_agents::{Agent, sample};
use recovery_store::{DEFAULT_WAIT, Store};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "Every failure that it fires is recorded in a scratch directory, never in your journal.\n\n\
    Examples:\n  recovery doctor\n  recovery doctor --format json")]
pub(crate) struct Args {}

/// A larger journal is opened and counted, not verified: a person waits for the answer.
const MOST_TASKS_VERIFIED: u64 = 10_000;

#[derive(Serialize)]
struct Examination {
    ok: bool,
    checks: Vec<Check>,
    agents: Vec<AgentCheck>,
}

#[derive(Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
}

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
    answer: Option<String>,
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
        for scope in SettingsScope::ALL {
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
            "installed for this project and for you: the model reads everything twice; `recovery uninstall` one of them"
                .to_owned(),
        );
    }
    let plugin = install::has_plugin(&places);
    if let Some(agent) = agents.iter_mut().find(|agent| plugin && agent.agent == Agent::ClaudeCode.name()) {
        agent.fault("the plugin is on as well: the model reads everything twice; use one of the two".to_owned());
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
    output::show(global.format, &examination, |out| text(out, &examination))?;
    Ok(if ok { exit::DONE } else { exit::NO })
}

fn settings(global: &Global) -> Check {
    let outcome = global.engine().map(|engine| format!("pack {}", engine.taxonomy.pack().name()));
    check("settings", outcome.map_err(anyhow::Error::from))
}

fn journal(global: &Global) -> Check {
    let verified = || -> anyhow::Result<String> {
        // Where it cannot be counted, the check says why.
        let counted = global.existing_service().ok().flatten().and_then(|service| service.task_count().ok());
        if let Some(tasks) = counted.filter(|tasks| *tasks > MOST_TASKS_VERIFIED) {
            return Ok(format!("{tasks} tasks; `recovery journal verify` checks every hash, which takes a while"));
        }
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

fn examined(agent: Agent, scope: SettingsScope, found: Installed, root: &Path) -> AgentCheck {
    let Installed { path, hooks, mut faults } = found;
    let event = sample(agent, "", "").event;
    let hook = hooks.iter().find(|(known, _)| known == event);
    let fired = match hook {
        Some((_, invocation)) => try_hook(agent, invocation, root, recorded).map_err(anyhow::Error::from),
        None => Err(anyhow::anyhow!("a failure would not reach recovery")),
    };
    let (answer, ms) = match fired {
        Ok(HookTrial { model_text, ms, .. }) => (Some(model_text), ms),
        Err(error) => {
            faults.push(format!("{error:#}"));
            (None, 0)
        }
    };
    let command = hook.map(|(_, invocation)| invocation.to_string()).unwrap_or_default();
    let ok = faults.is_empty() && answer.is_some();
    AgentCheck {
        agent: agent.name(),
        scope: scope.name(),
        path,
        ok,
        event: event.to_owned(),
        command,
        answer,
        ms,
        faults,
    }
}

fn recorded(state_dir: &Path) -> FailureCount {
    let ledger = Ledger::open_existing(&Store::Directory(state_dir.to_owned()), DEFAULT_WAIT)?;
    let tasks = ledger.map(|ledger| ledger.tasks()).transpose()?.unwrap_or_default();
    Ok(tasks.iter().map(|(_, state)| state.failures_ever).sum())
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
        if let Some(answer) = &agent.answer {
            writeln!(out, "   a failure at {} runs `{}`", agent.event, output::printable(&agent.command))?;
            writeln!(out, "   and after {} ms the model reads:", agent.ms)?;
            for line in answer.lines() {
                writeln!(out, "   {} {}", output::faint("|"), output::printable(line))?;
            }
        }
    }
    if examination.agents.iter().any(|agent| !agent.ok) {
        writeln!(out, "\n`recovery install AGENT` writes the hooks anew.")?;
    }
    Ok(())
}
