//! The commands: one file each, listed in [`Command`].
//!
//! In: parsed arguments. Out: an exit code. Commands that show or change tasks first apply time limits that have passed
//! (`is_about_tasks`). A new command is a file, a variant, an arm in both matches, and a name in [`GROUPS`].

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
mod rollback;
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
use recovery_types::FailureEvent;

/// The commands by what they are for, as `recovery --help` lists them. One that is in no group is listed last.
pub(crate) const GROUPS: [(&str, &[&str]); 5] = [
    ("Start here", &["run", "classify", "problems", "scan", "report", "explain"]),
    ("Tasks that failed", &["decide", "status", "stuck", "hints", "resolve", "reset", "journal", "breaker", "metrics"]),
    ("Coding agents", &["install", "uninstall", "doctor", "allow", "trust", "hook", "mcp"]),
    (
        "Plans and repositories",
        &["checkpoint", "rollback", "repair", "heal", "gate", "plan", "conflicts", "tick", "updates", "step"],
    ),
    ("Rules and formats", &["rules", "eval", "simulate", "schema", "completions", "man"]),
];

/// What `recovery` can do.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Say what went wrong in a command's output, and what to do next
    Classify(classify::Args),
    /// List the errors and failing tests in a tool's output, with their places
    Problems(problems::Args),
    /// Record a failed attempt at a task, and say what to try next
    Decide(decide::Args),
    /// Run a command; retry what looks temporary, explain what does not
    Run(Box<run::Args>),
    /// Choose how to repair a failed task of a plan: retry, decompose, prune or escalate
    Repair(repair::Args),
    /// List the tasks that failed, each with its state
    Status(status::Args),
    /// Show what a task tried, what to try next, and where else the error occurred
    Hints(hints::Args),
    /// List the tasks that wait for a person
    Stuck(stuck::Args),
    /// Close a task: it works, or was dealt with
    #[command(after_help = settle::RESOLVE_HELP)]
    Resolve(settle::Args),
    /// Forget a task's failures, so that it starts over
    #[command(after_help = settle::RESET_HELP)]
    Reset(settle::Args),
    /// Let an agent run again what a hook holds back
    Allow(allow::Args),
    /// Record what a person chose after a failed verification
    Gate(gate::Args),
    /// Show the fix that was proposed for a task's last failure
    Heal(heal::Args),
    /// List or settle the conflicts that tasks wait for
    Conflicts(conflicts::Args),
    /// Show the plan's nodes, freeze or thaw them
    Plan(plan::Args),
    /// Apply time limits that have passed
    Tick(tick::Args),
    /// Write what happened as TaskUpdate records, for plan executors
    Updates(updates::Args),
    /// Record that a step of a task is done
    Step(step::Args),
    /// Remember a commit as good, to roll back to
    Checkpoint(checkpoint::Args),
    /// Go back to the last good commit; everything is saved first
    Rollback(rollback::Args),
    /// Show the hosts and services that no task uses for now, or release them
    Breaker(breaker::Args),
    /// Count failures, recoveries and breakers, as OpenMetrics text
    Metrics(metrics::Args),
    /// Show, check, export, import or replay the record of everything
    Journal(journal::Args),
    /// Sum up a night: what needs you, what recovered, what is flaky (--html)
    Report(report::Args),
    /// Answer a coding agent's hook (agents call this)
    Hook(hook::Args),
    /// Allow or forbid the commands in this repository's recovery.toml
    Trust(trust::Args),
    /// Set up a coding agent to use recovery
    Install(install::Args),
    /// Remove recovery from a coding agent's settings
    Uninstall(install::UninstallArgs),
    /// Check the setup, and try each installed hook
    Doctor(doctor::Args),
    /// Serve the same as MCP tools (agents start this)
    Mcp(mcp::Args),
    /// Say what went wrong in many logs at once
    Scan(scan::Args),
    /// List the rules, or try them on a log
    Rules(rules::Args),
    /// Explain a word that recovery uses: an error type, a level, a rule
    Explain(explain::Args),
    /// Measure how often the rules are right, on labelled failures
    Eval(eval::Args),
    /// Play a script of failures through the escalation levels, in virtual time
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
pub(crate) enum HotCommand {
    Classify(classify::Args),
    Decide(decide::Args),
    Hook(hook::Args),
    #[command(name = in_session::NAME, hide = true)]
    InSession(in_session::Args),
}

impl HotCommand {
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
    /// Whether it shows or changes the state of tasks: then time limits that have passed come first. `decide` and hooks see to
    /// their own task and must not wait for the others; `journal` shows and moves records as they are.
    fn is_about_tasks(&self) -> bool {
        match self {
            Self::Status(args) => !args.line,
            Self::Run(_)
            | Self::Repair(_)
            | Self::Hints(_)
            | Self::Stuck(_)
            | Self::Resolve(_)
            | Self::Reset(_)
            | Self::Allow(_)
            | Self::Gate(_)
            | Self::Heal(_)
            | Self::Conflicts(_)
            | Self::Plan(_)
            | Self::Updates(_)
            | Self::Step(_)
            | Self::Metrics(_)
            | Self::Report(_) => true,
            Self::Classify(_)
            | Self::Problems(_)
            | Self::Decide(_)
            | Self::Tick(_)
            | Self::Checkpoint(_)
            | Self::Rollback(_)
            | Self::Breaker(_)
            | Self::Journal(_)
            | Self::Hook(_)
            | Self::Trust(_)
            | Self::Install(_)
            | Self::Uninstall(_)
            | Self::Doctor(_)
            | Self::Mcp(_)
            | Self::Scan(_)
            | Self::Rules(_)
            | Self::Explain(_)
            | Self::Eval(_)
            | Self::Simulate(_)
            | Self::Schema(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }

    pub fn run(&self, global: &Global) -> anyhow::Result<u8> {
        if self.is_about_tasks() {
            global.apply_time_limits();
        }
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

/// Adds to an event what exists in the project that a wrong name may have meant.
fn add_names(event: &mut FailureEvent) {
    if event.exit_code != 0 && event.candidates.is_empty() {
        event.candidates = names_here(&event.stderr_tail);
    }
}

fn names_here(text: &str) -> Vec<String> {
    let Ok(dir) = std::env::current_dir() else { return Vec::new() };
    recovery_service::names::existing(text, &dir, &recovery_project::root(&dir))
}
