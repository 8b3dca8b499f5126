//! `recovery gate`: what a person chose where repair is off and a verification failed.

use super::settle;
use crate::cli::Global;
use recovery_types::repair::GateOption;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery gate 3 retry --reason 'the server was down'\n  \
    recovery gate 3 skip --reason 'not needed for the demo'\n  recovery gate 3 stop --reason 'look at the schema first'")]
pub(crate) struct Args {
    /// The task
    task: String,
    /// The choice
    option: Choice,
    /// Why, for the record
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Choice {
    /// Try the task again
    Retry,
    /// Leave the task, marked incomplete
    Skip,
    /// Stop here and look into it
    Stop,
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let option = match args.option {
        Choice::Retry => GateOption::Retry,
        Choice::Skip => GateOption::Skip,
        Choice::Stop => GateOption::Stop,
    };
    settle::settle(&args.task, global, option.name(), |service, task| service.answer_gate(task, option, &args.reason))
}
