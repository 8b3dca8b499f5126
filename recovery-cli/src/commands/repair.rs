//! `recovery repair`: a failed task in, one strategy out. Records nothing, and never touches the plan.

use crate::cli::Global;
use crate::clock::now;
use crate::input::Source;
use crate::output::{self, Format};
use crate::{exit, ndjson};
use recovery_engine::admit;
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
    #[arg(long, help = ndjson::HELP)]
    ndjson: bool,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let source = Source::open(args.file.as_deref())?;
    let mut out = output::stdout();
    if args.ndjson {
        return ndjson::each_line(source, out, |request: RepairRequest| {
            Ok(Ok(engine.select_repair(&admit(request), now())))
        });
    }
    let repair = engine.select_repair(&admit(source.json::<RepairRequest>()?), now());
    match global.format {
        Format::Json => output::json_line(&mut out, &repair)?,
        Format::Text => text(&mut out, &repair)?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn text(out: &mut impl Write, repair: &Repair) -> anyhow::Result<()> {
    let rule = output::faint(&format!("[{}]", repair.rule));
    if let Some(gate) = &repair.gate {
        writeln!(out, "{} {rule}", output::strong("repair is off: a person chooses"))?;
        for (index, option) in gate.options.iter().enumerate() {
            writeln!(out, "  {}. {}", index + 1, option.name())?;
        }
    }
    if !repair.sub_tasks.is_empty() {
        writeln!(out, "{} into {} sub-tasks {rule}", output::strong("DECOMPOSE"), repair.sub_tasks.len())?;
        for sub_task in &repair.sub_tasks {
            writeln!(out, "  {} {}", output::faint(&sub_task.number), output::printable(&sub_task.name))?;
        }
    } else if let (Some(strategy), Some(directive)) = (repair.strategy, &repair.directive) {
        let directive = output::printable(directive);
        let said = directive.strip_prefix(strategy.name()).unwrap_or(&directive);
        writeln!(out, "{}{said} {rule}", output::strong(strategy.name()))?;
    }
    for criterion in &repair.unverifiable {
        let said = output::printable(criterion);
        writeln!(out, "{} \"{said}\" cannot be verified as it is worded", output::bad("criterion"))?;
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
