//! One command, one file.

mod classify;
mod explain;
mod rules;
mod schema;
mod simulate;

use crate::cli::Global;

/// What `recovery` can do.
#[derive(clap::Subcommand)]
pub(crate) enum Command {
    /// Say what kind of failure some output shows, and how far it reaches
    Classify(classify::Args),
    /// List the rules and indicators, or try one on text
    Rules(rules::Args),
    /// Explain a rule, an indicator, an error type or a level
    Explain(explain::Args),
    /// Run a script of inputs through the escalation ladder, in virtual time
    Simulate(simulate::Args),
    /// Print the JSON Schema of an input or output
    Schema(schema::Args),
}

impl Command {
    /// Runs the command; the number is the exit code.
    pub fn run(&self, global: &Global) -> anyhow::Result<u8> {
        match self {
            Self::Classify(args) => classify::run(args, global),
            Self::Rules(args) => rules::run(args, global),
            Self::Explain(args) => explain::run(args, global),
            Self::Simulate(args) => simulate::run(args, global),
            Self::Schema(args) => schema::run(args, global),
        }
    }
}
