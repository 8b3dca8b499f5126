//! `recovery hook AGENT`: one hook call of a coding agent. Never blocks it: exit code 0, within a second, with an
//! answer that the agent accepts or with silence.

use crate::cli::Global;
use crate::{exit, hook};
use recovery_agents::Agent;
use std::io::Read as _;
use std::time::Duration;

/// The largest payload that is read; agents cut theirs far below.
const LARGEST: u64 = 16 << 20;
/// After this long an answer is worth less than the agent's time.
const PATIENCE: Duration = Duration::from_millis(900);

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
    std::thread::spawn(|| {
        std::thread::sleep(PATIENCE);
        std::process::exit(i32::from(exit::DONE));
    });
    let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answer(args, global)));
    if let Ok(Err(error)) = answered {
        eprintln!("recovery: {}", crate::output::one_line(&format!("{error:#}"), 300));
    }
    exit::DONE
}

fn answer(args: &Args, global: &Global) -> anyhow::Result<()> {
    let agent: Agent = args.agent.parse()?;
    let mut payload = Vec::new();
    std::io::stdin().take(LARGEST).read_to_end(&mut payload)?;
    if let Some(answer) = hook::answer(agent, &payload, global)? {
        let mut out = std::io::stdout().lock();
        crate::output::json_line(&mut out, &answer)?;
    }
    Ok(())
}
