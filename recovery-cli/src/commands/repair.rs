//! `recovery repair`: a strategy for a failed task of a plan. It never changes the plan.
//!
//! In: a [`RepairRequest`]. Out: a [`Repair`]. Only `--task` records: then the journal keeps the budget, and `--outcome`
//! records how the proposal ended. The strategies are the table `node-repair/src/rules.rs`.

use super::status::no_such;
use crate::cli::Global;
use crate::clock::now;
use crate::input::Source;
use crate::ledger::task_named;
use crate::output::{self, Format, Warned};
use crate::{exit, ndjson};
use recovery_engine::admit;
use recovery_service::{ServiceError, notes};
use recovery_types::{Repair, RepairRequest};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery repair request.json\n  \
    echo '{\"task\":{\"number\":\"3\"},\"error\":{\"text\":\"bash: jq: command not found\"}}' | recovery repair\n  \
    recovery repair --config .planning/config.json --format json request.json\n  \
    recovery repair --ndjson < requests.jsonl\n\n\
    The settings are `workflow.node_repair` and `workflow.node_repair_budget`.")]
pub(crate) struct Args {
    /// The repair request as JSON; `-` or nothing reads standard input
    file: Option<PathBuf>,
    #[arg(long, help = ndjson::HELP, conflicts_with = "task")]
    ndjson: bool,
    /// The task whose journal keeps what was tried and what is left of the budget
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// How the last proposal for the task ended
    #[arg(long, requires = "task", conflicts_with = "file")]
    outcome: Option<RepairOutcome>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum RepairOutcome {
    /// It worked
    Ok,
    /// It did not
    Failed,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    if let (Some(task), Some(outcome)) = (&args.task, args.outcome) {
        return record_outcome(global, task, outcome == RepairOutcome::Ok);
    }
    let engine = global.engine()?;
    let source = Source::open(args.file.as_deref())?;
    let decisions = notes::decisions(&global.notes_dir()?);
    let select = |mut request: RepairRequest| {
        request.plan.decisions.extend(decisions.iter().cloned());
        engine.select_repair(&admit(request), now())
    };
    if args.ndjson {
        return ndjson::each_line(source, output::stdout(), |request: RepairRequest| Ok(Ok(select(request))));
    }
    let (request, warnings) = source.json::<RepairRequest>()?;
    let repair = match &args.task {
        Some(task) => global.service()?.repair(&task_named(task)?, admit(request))?,
        None => select(request),
    };
    let warned = Warned { answer: repair, warnings };
    output::show(global.format, &warned, |out| {
        output::warn_each(&warned.warnings);
        text(out, &warned.answer, global.verbose)
    })
}

fn record_outcome(global: &Global, task: &str, ok: bool) -> anyhow::Result<u8> {
    let task = task_named(task)?;
    if global.existing_service()?.is_none() {
        return Ok(no_such(&task));
    }
    let log = match global.service()?.repaired(&task, ok) {
        Ok(log) => log,
        Err(ServiceError::NoSuchTask { task }) => return Ok(no_such(&task)),
        Err(error) => return Err(error.into()),
    };
    let mut out = output::stdout();
    match global.format {
        Format::Json => {
            let lines = (!log.is_empty()).then(|| log.join("\n"));
            output::json_line(&mut out, &serde_json::json!({"task": task, "ok": ok, "log": lines}))?;
        }
        Format::Text if log.is_empty() => {
            writeln!(out, "recorded: the repair {}", if ok { "worked" } else { "failed" })?;
        }
        Format::Text => log.iter().try_for_each(|line| writeln!(out, "{}", output::printable(line)))?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

pub(crate) fn text(out: &mut impl Write, repair: &Repair, verbose: bool) -> anyhow::Result<()> {
    let rule = if verbose { output::faint(&format!(" [{}]", repair.rule)) } else { String::new() };
    if let Some(gate) = &repair.gate {
        writeln!(out, "{}{rule}", output::strong("repair is off: a person chooses"))?;
        for (index, option) in gate.options.iter().enumerate() {
            writeln!(out, "  {}. {}", index + 1, option.name())?;
        }
    }
    if !repair.sub_tasks.is_empty() {
        writeln!(out, "{} into {} sub-tasks{rule}", output::strong("DECOMPOSE"), repair.sub_tasks.len())?;
        for sub_task in &repair.sub_tasks {
            writeln!(out, "  {} {}", output::faint(&sub_task.number), output::printable(&sub_task.name))?;
        }
    } else if let (Some(strategy), Some(directive)) = (repair.strategy, &repair.directive) {
        let directive = output::printable(directive);
        let text = directive.strip_prefix(strategy.name()).unwrap_or(&directive);
        writeln!(out, "{}{text}{rule}", output::strong(strategy.name()))?;
    }
    for criterion in &repair.remaining_criteria {
        writeln!(out, "  {} {}", output::faint("then"), output::printable(criterion))?;
    }
    for criterion in &repair.unverifiable {
        let text = output::printable(criterion);
        writeln!(out, "{} \"{text}\" cannot be verified as it is worded", output::bad("criterion"))?;
    }
    let left = match repair.budget_remaining {
        1 => "1 repair attempt left".to_owned(),
        n => format!("{n} repair attempts left"),
    };
    writeln!(out, "{} {left}", output::faint("budget  "))?;
    if let Some(log) = &repair.log {
        writeln!(out, "{} {}", output::faint("log     "), output::printable(log))?;
    }
    Ok(())
}
