//! `cargo xtask attack`: repeats the attack campaigns and writes their table to docs/reliability.md.
//!
//! In: a share of the full counts. Out: one row per campaign with what was tried, what was lost, and the commit that it was
//! tried on. Each campaign is a test that also runs in CI at a small size; an environment variable sets its size, and its
//! last line states the result. To add a campaign, add a line to `attack.json` and print that line in the test.

use anyhow::{Context as _, bail};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The page.
const PAGE: &str = "docs/reliability.md";
/// The line that a campaign's test prints at its end: `attack: tried N, lost K`.
const RESULT: &str = "attack: tried ";

#[derive(serde::Deserialize)]
struct Campaign {
    /// What is attacked, and how.
    what: String,
    package: String,
    /// The test's file and its name.
    test: (String, String),
    /// Sets the size.
    variable: String,
    /// The full size.
    full: u64,
    /// The smallest size that shows anything.
    least: u64,
    /// What counts as lost.
    lost: String,
}

/// The campaigns, one object per line.
const CAMPAIGNS: &str = include_str!("attack.json");

/// Options of `cargo xtask attack`.
#[derive(clap::Args)]
pub struct Options {
    /// How much of each campaign's full size is run, in percent
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100))]
    percent: u64,
    /// Only campaigns whose test's name contains this; their rows are replaced, the others stay
    #[arg(long)]
    only: Option<String>,
    /// Attack a build without optimisations
    #[arg(long)]
    debug: bool,
}

/// Runs the campaigns and writes the table.
pub fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let mut page = std::fs::read_to_string(root.join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let mut rows = String::new();
    let mut failed = 0;
    let build = format!("{}{}", commit(root)?, if options.debug { ", debug" } else { "" });
    for campaign in serde_json::from_str::<Vec<Campaign>>(CAMPAIGNS)? {
        let (file, name) = &campaign.test;
        if options.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let size = (campaign.full * options.percent / 100).max(campaign.least);
        eprintln!("{}: {size}", campaign.what);
        let (tried, lost) = match attack(root, &campaign, size, options.debug)? {
            Some((tried, lost)) => (tried, lost.to_string()),
            None => (size, "**failed**".to_owned()),
        };
        failed += u64::from(lost != "0");
        let row = format!(
            "| {} | {} | {tried} | {lost} | {} | {build} | `{}={size} cargo test -p {} --test {file} {name}` |",
            campaign.what, campaign.full, campaign.lost, campaign.variable, campaign.package
        );
        page = with_row(&page, &campaign.what, &row);
        writeln!(rows, "{row}")?;
    }
    if options.only.is_none() {
        // What other commands were run for comes after the table.
        let rest = page.find("\n## ").map_or("", |at| &page[at..]).to_owned();
        page = format!("{HEAD}{rows}{rest}");
    }
    crate::write(root, PAGE, &page)?;
    println!("{rows}");
    if failed > 0 {
        bail!("{failed} campaigns lost something");
    }
    Ok(())
}

/// The page above its rows.
const HEAD: &str = "# Reliability

The table is written by `cargo xtask attack`, row by row. Each campaign is a test that runs at a small size in every test run; the \
full size is what `cargo xtask attack` without options runs. *As of* is the commit that was attacked.

| attack | full size | tried here | lost | what counts as lost | as of | again |
|---|---|---|---|---|---|---|
";

/// The commit that is checked out.
fn commit(root: &Path) -> anyhow::Result<String> {
    let git = |args: &[&str]| crate::output_of(Command::new("git").current_dir(root).args(args));
    let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.trim().is_empty();
    Ok(format!("{}{}", git(&["rev-parse", "--short", "HEAD"])?.trim(), if is_changed { " with changes" } else { "" }))
}

/// The page with `row` in place of the campaign's row.
fn with_row(page: &str, what: &str, row: &str) -> String {
    let begins = format!("| {what} |");
    let lines = page.lines().map(|line| if line.starts_with(&begins) { row } else { line });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Runs one campaign: what was tried and lost, or none where the test failed.
fn attack(root: &Path, campaign: &Campaign, size: u64, debug: bool) -> anyhow::Result<Option<(u64, u64)>> {
    let (file, name) = &campaign.test;
    let out = Command::new("cargo")
        .current_dir(root)
        .arg("test")
        .args((!debug).then_some("--release"))
        .args(["--quiet", "-p", &campaign.package, "--test", file])
        .args(["--", "--exact", name, "--nocapture"])
        .env(&campaign.variable, size.to_string())
        .output()
        .context("cannot run cargo")?;
    let printed = String::from_utf8_lossy(&out.stdout);
    if !out.status.success() {
        eprintln!("{printed}{}", String::from_utf8_lossy(&out.stderr));
        return Ok(None);
    }
    let line = printed.lines().find_map(|line| line.split_once(RESULT)).map(|(_, rest)| rest.to_owned());
    let line = line.with_context(|| format!("{name} did not print its result"))?;
    let (tried, lost) = line.split_once(", lost ").with_context(|| format!("{name} printed: {line}"))?;
    Ok(Some((tried.parse()?, lost.trim().parse()?)))
}
