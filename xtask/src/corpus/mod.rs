//! `cargo xtask corpus`: makes failures by running real tools and records what they print, with labels.
//!
//! A case is a directory under `corpus/cases/`: what is set up, what is run, what it provokes and why. Its label says what
//! was provoked and is never derived from the text. `corpus/own.jsonl` holds what was recorded.

mod case;
mod label;
mod record;
mod replies;
mod sandbox;
mod scrub;
mod server;
#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Result, ensure};

use record::Record;
use sandbox::Sandbox;

/// What to run, and whether to write it down.
#[derive(clap::Args)]
pub struct Options {
    /// Report cases that fail differently from what is recorded, and write nothing
    #[arg(long)]
    check: bool,
    /// Only cases not recorded yet
    #[arg(long)]
    new: bool,
    /// Only cases whose id begins with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,
}

/// Records the corpus under `root`, or checks it.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let file = root.join("corpus/own.jsonl");
    let recorded = record::read(&file)?;
    let sandbox = Sandbox::new(&root.join("target/corpus-tools"))?;
    server::start()?;

    let (mut lines, mut changed, mut skipped) = (Vec::new(), 0, 0);
    for case in &case::all(root)? {
        let old = recorded.iter().find(|record| record.id == case.id);
        let wanted = case.id.starts_with(&options.only) && !(options.new && old.is_some());
        let outcome = match sandbox.missing(case.tool.needs.iter().chain(&case.needs)) {
            _ if !wanted => Ok(None),
            Some(command) => Err(format!("{command} is not installed")),
            None => sandbox.run(case).map_err(|error| format!("{error:#}")).and_then(|output| {
                let succeeded = output.exit_code == 0;
                if succeeded == case.label.is_none() {
                    Ok(Some(output))
                } else {
                    Err(format!("exit code {} is not what it should provoke: {}", output.exit_code, output.text))
                }
            }),
        };
        let fresh = match outcome {
            Ok(output) => output,
            Err(reason) => {
                skipped += 1;
                eprintln!("skipped {}: {reason}", case.id);
                None
            }
        };
        let same = |output: &sandbox::Output| {
            old.is_some_and(|old| {
                old.exit_code == output.exit_code && scrub::gist(&old.text) == scrub::gist(&output.text)
            })
        };
        // A recorded text stays as it is until it says something else, so that the file changes only where tools do.
        let output = match fresh {
            Some(output) if !same(&output) => {
                changed += 1;
                eprintln!("{} {}", if old.is_some() { "changed" } else { "new" }, case.id);
                Some(output)
            }
            _ => old.map(|old| sandbox::Output { text: old.text.clone(), exit_code: old.exit_code }),
        };
        if let Some(output) = output {
            lines.push(Record::new(case, output));
        }
    }
    eprintln!("{} cases, {changed} new or changed, {skipped} skipped", lines.len());
    if options.check {
        ensure!(changed == 0, "{changed} cases no longer fail as recorded; run `cargo xtask corpus` and read the diff");
        return Ok(());
    }
    record::write(&file, &lines)
}
