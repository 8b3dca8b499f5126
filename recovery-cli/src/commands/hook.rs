//! `recovery hook AGENT`: one hook call of a coding agent, which must never block or break that agent.
//!
//! In: a payload on standard input. Out: the agent's JSON or nothing, and exit code 0: panics are caught, and a watchdog
//! answers after `WATCHDOG_TIME`. The answer is made in `recovery-service/src/hook/`; this file supplies project, clock and git.

use crate::cli::Global;
use crate::{clock, exit, git};
use recovery_agents::Agent;
use recovery_engine::Engine;
use recovery_service::hook::{self, HookError, Progress, Project, Settings};
use recovery_store::Store;
use recovery_types::{RepoPath, Timestamp};
use std::io::{IsTerminal as _, Read as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The largest payload that is read; agents cut theirs far below.
const LARGEST: u64 = 16 << 20;
/// How long the agent waits at most. A debug build, which no agent runs, needs ten times as long for the same work.
const WATCHDOG_TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 9_000 } else { 900 });

/// How long a call with wrong arguments waits for the payload that identifies it as a hook's.
const PAYLOAD_TIMEOUT: Duration = Duration::from_millis(300);

#[derive(clap::Args)]
#[command(
    after_help = "Agents: claude-code, codex, gemini, cursor, copilot, opencode. `recovery install AGENT` sets it \
    up.\n\nExamples:\n  recovery hook claude-code < payload.json"
)]
pub(crate) struct Args {
    /// The agent that calls
    agent: String,
}

pub(crate) fn run(args: &Args, global: &Global) -> u8 {
    let progress = Arc::new(Progress::default());
    let watched = Arc::clone(&progress);
    std::thread::spawn(move || {
        std::thread::sleep(WATCHDOG_TIME);
        let answer = watched.overdue();
        print_once(answer.as_ref());
        std::process::exit(i32::from(exit::DONE));
    });
    let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answer(args, global, &progress)));
    if let Ok(Err(error)) = answered {
        eprintln!("recovery: {}", crate::output::one_line(&crate::output::message(&format!("{error:#}")), 300));
    }
    exit::DONE
}

/// Prints the answer, the first one only: the one that came in time, or the one that reports the timeout.
fn print_once(answer: Option<&serde_json::Value>) {
    static HAS_ANSWERED: AtomicBool = AtomicBool::new(false);
    if HAS_ANSWERED.swap(true, Ordering::SeqCst) {
        // The thread that answered first may still be printing.
        std::thread::sleep(Duration::from_millis(50));
        return;
    }
    if let Some(answer) = answer {
        let mut out = std::io::stdout().lock();
        // Nobody reads the answer where the agent has closed the pipe.
        let _ = crate::output::json_line(&mut out, answer).and_then(|()| Ok(std::io::Write::flush(&mut out)?));
    }
}

/// Whether a hook called `recovery` with wrong arguments: `hook` is the first one, or standard input has a payload. A
/// person at a terminal, and a program that sends nothing, get the usual message.
pub(crate) fn is_hook_call() -> bool {
    if std::io::stdin().is_terminal() {
        return false;
    }
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "hook") {
        return true;
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut payload = Vec::new();
        let read = std::io::stdin().take(LARGEST).read_to_end(&mut payload);
        // Nobody may be waiting any more.
        let _ = sender.send(read.is_ok() && is_payload(&payload));
    });
    receiver.recv_timeout(PAYLOAD_TIMEOUT).unwrap_or(false)
}

/// Whether the text is a hook's payload: an object that names its event.
fn is_payload(text: &[u8]) -> bool {
    let payload: Option<serde_json::Value> = serde_json::from_slice(text).ok();
    payload.is_some_and(|payload| payload.get("hook_event_name").is_some() || payload.get("hook").is_some())
}

fn answer(args: &Args, global: &Global, progress: &Progress) -> anyhow::Result<()> {
    let agent: Agent = args.agent.parse()?;
    let mut payload = Vec::new();
    std::io::stdin().take(LARGEST).read_to_end(&mut payload)?;
    let answer = hook::answer_watched(agent, &payload, &Surroundings(global), progress)?;
    print_once(answer.as_ref());
    Ok(())
}

fn surroundings(error: recovery_project::ProjectError) -> HookError {
    HookError::Surroundings(error.into())
}

struct Surroundings<'a>(&'a Global);

impl Project for Surroundings<'_> {
    fn root(&self) -> Result<PathBuf, HookError> {
        self.0.root().map_err(surroundings)
    }

    fn store(&self) -> Result<Store, HookError> {
        self.0.store().map_err(surroundings)
    }

    fn state_dir(&self) -> Result<PathBuf, HookError> {
        self.0.state_dir().map_err(surroundings)
    }

    fn notes_dir(&self) -> Result<PathBuf, HookError> {
        self.0.notes_dir().map_err(surroundings)
    }

    fn engine(&self) -> Result<Engine, HookError> {
        self.0.engine().map_err(surroundings)
    }

    fn settings(&self) -> Result<Settings, HookError> {
        let hook = &self.0.settings().map_err(surroundings)?.hook;
        Ok(Settings { task: hook.task.clone() })
    }

    fn now(&self) -> Timestamp {
        clock::now()
    }

    fn zone(&self) -> Option<String> {
        clock::zone()
    }

    fn head(&self) -> Option<String> {
        git::head(&self.0.root().ok()?)
    }

    fn run_task(&self) -> Option<String> {
        std::env::var("RECOVERY_TASK").ok().filter(|task| !task.trim().is_empty())
    }

    fn changed_files(&self) -> Vec<RepoPath> {
        let files = || -> anyhow::Result<Vec<RepoPath>> { Ok(git::Repo::at(&self.0.root()?)?.changed_files()?) };
        files().unwrap_or_default()
    }

    fn revisions(&self, since: Timestamp) -> Vec<Vec<RepoPath>> {
        super::decide::revisions(self.0, since)
    }

    fn start_from(&self, dir: PathBuf) {
        self.0.start_from(dir);
    }
}
