//! `recovery install` and `recovery uninstall`: hooks in an agent's own settings, everything else in them untouched.
//!
//! In: an agent and a scope. Out: the changed files with their diffs; `--dry-run` prints the same and writes nothing. The
//! plan of changes is made by `recovery-install`, where each agent's files and events are in `setup.rs`.

use crate::cli::Global;
use crate::install::{self, Change, InstallPlan, Launch, Places, SettingsScope, Wish};
use crate::output;
use recovery_agents::Agent;
use similar::{ChangeTag, TextDiff};
use std::io::Write;

#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Agents: claude-code, codex, gemini, cursor, copilot, opencode.\n\nExamples:\n  \
    recovery install claude-code --dry-run\n  recovery install codex --user\n  recovery install gemini --mcp\n  \
    recovery uninstall claude-code"
)]
pub(crate) struct Args {
    /// The agent
    agent: Agent,
    /// In this project's settings (the default)
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// In your own settings, for every project
    #[arg(long)]
    user: bool,
    /// Register the MCP server, too
    #[arg(long, conflicts_with = "uninstall")]
    mcp: bool,
    /// Fill Claude Code's status line with what is failing here
    #[arg(long, conflicts_with = "uninstall")]
    status_line: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Take out what was installed
    #[arg(long)]
    uninstall: bool,
}

/// `recovery uninstall AGENT`.
#[derive(clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Files that nobody has edited since get back every byte; from others only our entries are taken.\n\n\
    Examples:\n  recovery uninstall claude-code\n  recovery uninstall codex --user"
)]
pub(crate) struct UninstallArgs {
    /// The agent
    agent: Agent,
    /// From your own settings instead of this project's
    #[arg(long)]
    user: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn uninstall(args: &UninstallArgs, global: &Global) -> anyhow::Result<u8> {
    let UninstallArgs { agent, user, dry_run } = *args;
    run(&Args { agent, project: !user, user, mcp: false, status_line: false, dry_run, uninstall: true }, global)
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let scope = if args.user { SettingsScope::User } else { SettingsScope::Project };
    let wish =
        if args.uninstall { Wish::Absent } else { Wish::Present { mcp: args.mcp, status_line: args.status_line } };
    let places = Places::new(global.root()?)?;
    let plan = install::plan(args.agent, scope, &places, &Launch::new()?, wish)?;
    if !args.dry_run {
        plan.changes.iter().try_for_each(|change| install::apply(change, wish, &places))?;
    }
    output::show(global.format, &answer(args, scope, &plan), |out| text(out, args, scope, &plan))
}

fn answer(args: &Args, scope: SettingsScope, plan: &InstallPlan) -> serde_json::Value {
    let files: Vec<serde_json::Value> = plan
        .changes
        .iter()
        .map(|change| serde_json::json!({"path": change.path, "change": word(change), "diff": diff(change)}))
        .collect();
    serde_json::json!({"agent": args.agent.name(), "scope": scope.name(), "dry_run": args.dry_run,
        "files": files, "remaining": plan.remaining, "notes": plan.notes})
}

fn text(out: &mut impl Write, args: &Args, scope: SettingsScope, plan: &InstallPlan) -> anyhow::Result<()> {
    let agent = args.agent;
    if plan.changes.is_empty() {
        let state = if args.uninstall { "is not installed" } else { "is installed already" };
        writeln!(out, "recovery {state} for {agent} ({} settings); nothing to change", scope.name())?;
    }
    for change in &plan.changes {
        let would = if args.dry_run { "would be " } else { "" };
        writeln!(
            out,
            "{} {would}{}",
            output::strong(&output::printable(&change.path.display().to_string())),
            word(change)
        )?;
        for line in diff(change).lines().filter(|line| !line.starts_with("@@")) {
            let line = output::printable(line);
            match line.as_bytes().first() {
                Some(b'+') => writeln!(out, "  {}", output::good(&line))?,
                Some(b'-') => writeln!(out, "  {}", output::bad(&line))?,
                _ => writeln!(out, "  {}", output::faint(&line))?,
            }
        }
    }
    for note in &plan.notes {
        writeln!(out, "{} {}", output::bad("note:"), output::printable(note))?;
    }
    if !args.uninstall && !args.dry_run {
        writeln!(out, "\n{} {}", output::strong("What is left to do:"), plan.remaining)?;
        writeln!(out, "`recovery doctor` checks it by firing a failure through each hook.")?;
    }
    Ok(())
}

const fn word(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (None, _) => "created",
        (_, None) => "removed",
        _ => "changed",
    }
}

fn diff(change: &Change) -> String {
    let (before, after) = (change.before.as_deref().unwrap_or(""), change.after.as_deref().unwrap_or(""));
    let diff = TextDiff::from_lines(before, after);
    let mut shown = String::new();
    for group in diff.grouped_ops(2) {
        shown.push_str("@@\n");
        for line in group.iter().flat_map(|op| diff.iter_changes(op)) {
            shown.push_str(match line.tag() {
                ChangeTag::Delete => "- ",
                ChangeTag::Insert => "+ ",
                ChangeTag::Equal => "  ",
            });
            shown.push_str(line.value().trim_end_matches('\n'));
            shown.push('\n');
        }
    }
    shown
}
