//! Repository chores: `cargo xtask <chore>`. One chore, one file.

mod advice;
mod attack;
mod bench;
mod eval;
mod examples;
mod fleet;
mod plugins;
mod tidy;

use clap::Parser;
use std::path::PathBuf;

/// Repository chores.
#[derive(Parser)]
enum Chore {
    /// Repeat the attack campaigns: kills, rollbacks, flipped bytes, hook payloads, secrets; write docs/reliability.md
    Attack(attack::Options),
    /// Score the next step on the committed outputs and write docs/advice.md; check the names of packages
    Advice(advice::Options),
    /// Measure the scan side by side with what anyone would use instead
    Bench(bench::Options),
    /// Score the packs on the committed corpus; write docs/accuracy.md and the measured confidences
    Eval(eval::Options),
    /// Run the example of every library crate
    Examples,
    /// Measure a million tasks, many writers and kills; write the tables of docs/fleet.md
    Fleet(fleet::Options),
    /// Write the plugin files for Claude Code and OpenCode to plugins/
    Plugins,
    /// Check the architecture's invariants against `cargo metadata` and the sources
    Tidy,
}

fn main() -> anyhow::Result<()> {
    match Chore::parse() {
        Chore::Attack(options) => attack::run(&root(), &options),
        Chore::Advice(options) => advice::run(&root(), &options),
        Chore::Bench(options) => bench::run(&root(), &options),
        Chore::Eval(options) => eval::run(&root(), &options),
        Chore::Examples => examples::run(),
        Chore::Fleet(options) => fleet::run(&root(), &options),
        Chore::Plugins => plugins::run(),
        Chore::Tidy => tidy::run(),
    }
}

/// The workspace's root directory.
fn root() -> PathBuf {
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| "xtask".into()));
    manifest.parent().map_or_else(|| PathBuf::from("."), PathBuf::from)
}
