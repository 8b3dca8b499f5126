//! Repository chores: `cargo xtask <chore>`. One chore, one file.

mod corpus;
mod manual;
mod tidy;

use clap::Parser;
use std::path::PathBuf;

/// Repository chores.
#[derive(Parser)]
enum Chore {
    /// Make failures by running real tools, and record their output with labels
    Corpus(corpus::Options),
    /// Check the architecture's invariants against `cargo metadata` and the sources
    Tidy,
    /// Write man pages and shell completions to a directory
    Manual {
        /// Where to
        #[arg(default_value = "target/manual")]
        dir: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    match Chore::parse() {
        Chore::Corpus(options) => corpus::run(&root(), &options),
        Chore::Tidy => tidy::run(),
        Chore::Manual { dir } => manual::run(&dir),
    }
}

/// The workspace's root directory.
fn root() -> PathBuf {
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| "xtask".into()));
    manifest.parent().map_or_else(|| PathBuf::from("."), PathBuf::from)
}
