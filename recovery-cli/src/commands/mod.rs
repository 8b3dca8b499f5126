//! One command, one file.

mod allow;
mod breaker;
mod checkpoint;
pub(crate) mod classify;
mod completions;
mod conflicts;
pub(crate) mod decide;
mod doctor;
mod eval;
pub(crate) mod explain;
mod gate;
mod heal;
pub(crate) mod hints;
mod hook;
mod in_session;
mod install;
mod journal;
mod man;
mod mcp;
mod metrics;
mod plan;
pub(crate) mod problems;
mod repair;
mod report;
pub(crate) mod rollback;
mod rules;
pub(crate) mod run;
mod scan;
mod schema;
mod settle;
mod simulate;
pub(crate) mod status;
mod step;
mod stuck;
mod tick;
mod trust;
mod updates;

pub(crate) use hook::is_hook_call;

use crate::cli::Global;

/// What `recovery` can do.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Say what kind of failure some output shows, and how far it reaches
    Classify(classify::Args),
    /// List the problems that tools reported: what failed, where, and which is the root cause
    Problems(problems::Args),
    /// Decide what to do about one event of a task, and record it
    Decide(decide::Args),
    /// Run a command under the ladder: failures are retried, nudged, replanned, handed over, or explained
    Run(Box<run::Args>),
    /// Choose how a failed task is mended: retry, decompose, prune or escalate
    Repair(repair::Args),
    /// Show where each task stands
    Status(status::Args),
    /// Show what was tried, and what to try differently
    Hints(hints::Args),
    /// List the tasks that wait for a person
    Stuck(stuck::Args),
    /// Record that a task works, or was dealt with
    Resolve(settle::Args),
    /// Start a task afresh, on a person's word
    Reset(settle::Args),
    /// Let what a hook holds back run, however often it fails
    Allow(allow::Args),
    /// Record what a person chose at the gate of a failed verification
    Gate(gate::Args),
    /// Show the fix that was proposed for a task's last failure
    Heal(heal::Args),
    /// List or settle the conflicts that tasks wait for
    Conflicts(conflicts::Args),
    /// Show the plan's nodes, freeze or thaw them
    Plan(plan::Args),
    /// Record the deadlines that have passed
    Tick(tick::Args),
    /// Write the stream of TaskUpdate records
    Updates(updates::Args),
    /// Record that a step of a task is done
    Step(step::Args),
    /// Record a commit that is known to be good
    Checkpoint(checkpoint::Args),
    /// Go back to the last good commit, with everything saved first
    Rollback(rollback::Args),
    /// Show the resources that every task gives a rest, or let them be used again
    Breaker(breaker::Args),
    /// Count failures, recoveries and breakers, as OpenMetrics text
    Metrics(metrics::Args),
    /// Show, check, export, import or replay the record
    Journal(journal::Args),
    /// Add the journal up: counts, timelines, what came back, what is flaky
    Report(report::Args),
    /// Answer a coding agent's hook: read its payload, decide, record, advise
    Hook(hook::Args),
    /// Let the repository's recovery.toml run its commands, or stop letting it
    Trust(trust::Args),
    /// Put hooks into a coding agent's settings, or take them out
    Install(install::Args),
    /// Take hooks out of a coding agent's settings: files get back every byte
    Uninstall(install::UninstallArgs),
    /// Check the setup: fire a failure through each installed hook
    Doctor(doctor::Args),
    /// Serve the tools over MCP, on standard input and output
    Mcp(mcp::Args),
    /// Read many logs at once and say what they add up to
    Scan(scan::Args),
    /// List the rules and indicators, or try one on text
    Rules(rules::Args),
    /// Explain a rule, an indicator, an error type or a level
    Explain(explain::Args),
    /// Score the packs on labelled failures: confusion, precision, recall, macro-F1
    Eval(eval::Args),
    /// Run a script of inputs through the escalation ladder, in virtual time
    Simulate(simulate::Args),
    /// Print the JSON Schema of an input or output
    Schema(schema::Args),
    /// Print the completions for a shell
    Completions(completions::Args),
    /// Print the manual page, or write the pages of all commands
    Man(man::Args),
}

/// The commands that run once for each failure, and the one that only `run` starts: completions and help do not show it.
#[derive(clap::Subcommand)]
pub(crate) enum Often {
    Classify(classify::Args),
    Decide(decide::Args),
    Hook(hook::Args),
    #[command(name = in_session::NAME, hide = true)]
    InSession(in_session::Args),
}

impl Often {
    /// Runs the command; the number is the exit code.
    pub fn run(&self, global: &Global) -> anyhow::Result<u8> {
        match self {
            Self::Classify(args) => classify::run(args, global),
            Self::Decide(args) => decide::run(args, global),
            Self::Hook(args) => Ok(hook::run(args, global)),
            Self::InSession(args) => in_session::run(args),
        }
    }
}

impl Command {
    /// Runs the command; the number is the exit code.
    pub fn run(&self, global: &Global) -> anyhow::Result<u8> {
        match self {
            Self::Classify(args) => classify::run(args, global),
            Self::Problems(args) => problems::run(args, global),
            Self::Decide(args) => decide::run(args, global),
            Self::Run(args) => run::run(args, global),
            Self::Repair(args) => repair::run(args, global),
            Self::Status(args) => status::run(args, global),
            Self::Hints(args) => hints::run(args, global),
            Self::Stuck(args) => stuck::run(args, global),
            Self::Resolve(args) => settle::resolve(args, global),
            Self::Reset(args) => settle::reset(args, global),
            Self::Allow(args) => allow::run(args, global),
            Self::Gate(args) => gate::run(args, global),
            Self::Heal(args) => heal::run(args, global),
            Self::Conflicts(args) => conflicts::run(args, global),
            Self::Plan(args) => plan::run(args, global),
            Self::Tick(args) => tick::run(args, global),
            Self::Updates(args) => updates::run(args, global),
            Self::Step(args) => step::run(args, global),
            Self::Checkpoint(args) => checkpoint::run(args, global),
            Self::Rollback(args) => rollback::run(args, global),
            Self::Breaker(args) => breaker::run(args, global),
            Self::Metrics(args) => metrics::run(args, global),
            Self::Journal(args) => journal::run(args, global),
            Self::Report(args) => report::run(args, global),
            Self::Hook(args) => Ok(hook::run(args, global)),
            Self::Trust(args) => trust::run(args, global),
            Self::Install(args) => install::run(args, global),
            Self::Uninstall(args) => install::uninstall(args, global),
            Self::Doctor(args) => doctor::run(args, global),
            Self::Mcp(args) => mcp::run(args, global),
            Self::Scan(args) => scan::run(args, global),
            Self::Rules(args) => rules::run(args, global),
            Self::Eval(args) => eval::run(args, global),
            Self::Explain(args) => explain::run(args, global),
            Self::Simulate(args) => simulate::run(args, global),
            Self::Schema(args) => schema::run(args, global),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => man::run(args),
        }
    }
}
