//! `cargo corpus`: makes failures by running real tools and records what they print, with labels.
//!
//! A case is a directory under `corpus/cases/`: what is set up, what is run, what it provokes and why. Its label states what
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
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail, ensure};
use clap::Parser as _;

use case::Case;
use record::Record;
use sandbox::{Output, Sandbox};

/// Makes failures by running real tools, and records their output with labels.
#[derive(clap::Parser)]
struct Options {
    /// Report cases that fail differently from what is recorded, and write nothing
    #[arg(long)]
    check: bool,
    /// Only cases not recorded yet
    #[arg(long)]
    new: bool,
    /// Only cases whose id begins with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,
    /// How many cases run at a time
    #[arg(long, value_name = "N", default_value_t = 4)]
    jobs: usize,
}

/// The recorded cases of one kind.
struct Set {
    /// The file under the root.
    file: &'static str,
    cases: Vec<Case>,
}

/// What has a directory of its own; of the sheets, the two thirds that rows learn from, and the third that is only scored.
fn sets(root: &Path) -> Result<[Set; 3]> {
    let (unseen, second) = case::of_sheets(root)?.into_iter().partition(|case| is_held_out(&case.id));
    Ok([
        Set { file: "corpus/own.jsonl", cases: case::all(root)? },
        Set { file: "corpus/second.jsonl", cases: second },
        Set { file: "corpus/unseen.jsonl", cases: unseen },
    ])
}

/// Whether no row may be written for a case of a sheet: one in three, by its id alone.
fn is_held_out(id: &str) -> bool {
    // FNV-1a, which stays the same whatever the standard library does.
    let hash = id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash >> 32).is_multiple_of(3)
}

fn main() -> Result<()> {
    let (root, options) = (root(), Options::parse());
    let sandbox = Sandbox::new(&root.join("target/corpus-tools"))?;
    server::start()?;
    let mut all_changed = 0;
    for Set { file, cases } in sets(root)? {
        let file = root.join(file);
        let recorded = record::read(&file)?;
        let (lines, changed) = record_set(&sandbox, &cases, &recorded, &options);
        all_changed += changed;
        if !options.check {
            record::write(&file, &lines)?;
        }
    }
    let changed = all_changed;
    ensure!(
        changed == 0 || !options.check,
        "{changed} cases no longer fail as recorded; run `cargo corpus` and read the diff"
    );
    Ok(())
}

/// The workspace's root directory.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The lines of a set, and how many are new or changed.
fn record_set(sandbox: &Sandbox, cases: &[Case], recorded: &[Record], options: &Options) -> (Vec<Record>, usize) {
    let next = AtomicUsize::new(0);
    let fresh: Mutex<Vec<Option<Output>>> = Mutex::new(cases.iter().map(|_| None).collect());
    let work = || {
        while let Some((at, case)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, cases.get(at)?)))
        {
            let is_recorded = recorded.iter().any(|record| record.id == case.id);
            if case.id.starts_with(&options.only) && !(options.new && is_recorded) {
                match run_case(sandbox, case) {
                    Ok(output) => fresh.lock().unwrap_or_else(PoisonError::into_inner)[at] = Some(output),
                    Err(reason) => eprintln!("skipped {}: {reason}", case.id),
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(work);
        }
    });
    let (mut lines, mut changed) = (Vec::new(), 0);
    for (case, fresh) in cases.iter().zip(fresh.into_inner().unwrap_or_else(PoisonError::into_inner)) {
        let old = recorded.iter().find(|record| record.id == case.id);
        let same = |output: &Output| {
            old.is_some_and(|old| {
                old.exit_code == output.exit_code && scrub::gist(&old.text) == scrub::gist(&output.text)
            })
        };
        // A recorded text stays as it is until its content differs, so that the file changes only where tools do.
        let output = match fresh {
            Some(output) if !same(&output) => {
                changed += 1;
                eprintln!("{} {}", if old.is_some() { "changed" } else { "new" }, case.id);
                Some(output)
            }
            _ => old.map(|old| Output { text: old.text.clone(), exit_code: old.exit_code }),
        };
        lines.extend(output.map(|output| Record::new(case, output)));
    }
    eprintln!("{} cases, {changed} new or changed", lines.len());
    (lines, changed)
}

/// What a case prints, where it fails or succeeds as it should.
fn run_case(sandbox: &Sandbox, case: &Case) -> Result<Output> {
    if let Some(command) = sandbox.missing(case.tool.needs.iter().chain(&case.needs)) {
        bail!("{command} is not installed");
    }
    let output = sandbox.run(case)?;
    let Output { exit_code, text } = &output;
    ensure!((*exit_code == 0) == case.label.is_none(), "exit code {exit_code} is not what it should provoke: {text}");
    Ok(output)
}
