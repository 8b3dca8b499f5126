//! `recovery rules list`: every rule, step and indicator, in the order in which they are evaluated.
//!
//! In: the tables of `classifier-core` and `node-repair`, and the indicators of the pack with the project's own. Out: a row
//! each, with its source file on request. Nothing is repeated here: a new row of a table appears by itself.

mod trial;

use crate::cli::Global;
use crate::output;
use serde::Serialize;
use std::io::Write;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery rules list\n  recovery rules list --source --pack documented\n  \
    recovery rules test build.log")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Rules,
}

#[derive(clap::Subcommand)]
enum Rules {
    /// List every rule and indicator
    #[command(after_help = "Examples:\n  recovery rules list\n  recovery rules list --pack documented --format json")]
    List(ListArgs),
    /// Try rules on text or a log, and on logs of successful runs
    Test(trial::Args),
}

#[derive(clap::Args)]
struct ListArgs {
    /// Show only indicators, each with the file and line it is written in
    #[arg(long)]
    source: bool,
}

#[derive(Serialize)]
struct Row {
    id: String,
    kind: &'static str,
    result: String,
    looks_for: String,
    /// The file and line of an indicator.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    match &args.command {
        Rules::List(args) => list(args, global),
        Rules::Test(args) => trial::run(args, global),
    }
}

fn list(args: &ListArgs, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let rules = classifier_core::RULES.iter().map(|rule| Row {
        id: rule.id.as_str().to_owned(),
        kind: "rule",
        result: rule.class.map_or_else(|| "not a failure".to_owned(), |class| format!("{class:?}")),
        looks_for: rule.id.page().what.to_owned(),
        source: None,
    });
    let repairs = node_repair::RULES.iter().map(|rule| Row {
        id: rule.id.name().to_owned(),
        kind: "repair rule",
        result: rule.strategy.map_or("gate", |strategy| strategy.name()).to_owned(),
        looks_for: rule.summary.to_owned(),
        source: None,
    });
    let steps = node_repair::STEPS.iter().map(|rule| Row {
        id: rule.id.name().to_owned(),
        kind: "step rule",
        result: rule.kinds.first().map_or("", |kind| kind.name()).to_owned(),
        looks_for: rule.id.page().trim().to_owned(),
        source: None,
    });
    let (pack, config) = (engine.taxonomy.pack(), global.settings()?);
    let source = |id: &str| config.source_of(id).or_else(|| pack.source_of(id).map(|source| source.to_string()));
    let indicators = engine.taxonomy.indicators().map(|row| Row {
        id: row.id.to_owned(),
        kind: "indicator",
        result: row.error_type.name().to_owned(),
        looks_for: row.text.to_owned(),
        source: args.source.then(|| source(row.id)).flatten(),
    });
    let found: Vec<Row> = rules.chain(repairs).chain(steps).filter(|_| !args.source).chain(indicators).collect();
    output::show_each(global.format, &found, |out| {
        let last = if args.source { "SOURCE" } else { "WHEN IT APPLIES" };
        let rows = found.iter().map(|row| {
            let last = match args.source {
                true => output::one_line(row.source.as_deref().unwrap_or("-"), 120),
                false => output::faint(&output::one_line(&row.looks_for, 60)),
            };
            vec![row.id.clone(), row.result.clone(), last]
        });
        Ok(write!(out, "{}", output::table(&["ID", "RESULT", last], rows.collect()))?)
    })
}
