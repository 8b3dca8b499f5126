//! Repository chores: `cargo xtask <chore>`. One chore, one file.

mod advice;
mod attack;
mod bench;
mod eval;
mod examples;
mod fleet;
mod tidy;

use anyhow::{Context as _, ensure};
use clap::Parser;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::process::Command;

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
        // Written by an example of `recovery-install`, so that the chores need not build that crate.
        Chore::Plugins => cargo("run --quiet --package recovery-install --example plugins -- plugins"),
        Chore::Tidy => tidy::run(),
    }
}

/// The workspace's root directory.
fn root() -> PathBuf {
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| "xtask".into()));
    manifest.parent().map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// The objects of a file, one per line.
fn json_lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<T>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse = |line| serde_json::from_str(line).with_context(|| format!("{}: {line}", path.display()));
    text.lines().map(parse).collect()
}

fn write(root: &Path, file: &str, text: &str) -> anyhow::Result<()> {
    std::fs::write(root.join(file), text).with_context(|| format!("cannot write {file}"))
}

/// Writes a part of a page anew: what is between these two marks, each of which is on a line of its own.
fn write_between(root: &Path, page: &str, [begin, end]: [&str; 2], text: &str) -> anyhow::Result<()> {
    let old = std::fs::read_to_string(root.join(page)).with_context(|| format!("cannot read {page}"))?;
    let (before, rest) = old.split_once(begin).with_context(|| format!("{page} has no {begin}"))?;
    let (_, after) = rest.split_once(end).with_context(|| format!("{page} has no {end}"))?;
    write(root, page, &format!("{before}{begin}{text}{end}{after}"))
}

/// Runs a program and returns what it printed.
fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot run {:?}", command.get_program()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{:?} ended with {}: {complaint}", command.get_program(), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs cargo in the workspace's root.
fn cargo(arguments: &str) -> anyhow::Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(program).args(arguments.split(' ')).current_dir(root()).status();
    ensure!(status.context("cannot run cargo")?.success(), "cargo {arguments} failed");
    Ok(())
}
