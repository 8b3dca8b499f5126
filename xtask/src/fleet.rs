//! `cargo xtask fleet`: measures what docs/fleet.md states, and writes its tables.
//!
//! In: the release build of `recovery`, and PostgreSQL's programs for two of the tables. Out: the text between the markers of each
//! section. To measure something else, add a row to [`SECTIONS`] and its markers to the page.

mod kills;
#[path = "../../recovery-store/tests/support/server.rs"]
mod server;
mod tasks;
mod writers;

use anyhow::{Context as _, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is between `<!-- NAME: ... -->` and `<!-- end of NAME -->`.
type Section = (&'static str, fn(&Path, &Path, &Options) -> anyhow::Result<String>);

const SECTIONS: [Section; 3] = [
    ("tasks", |root, binary, options| tasks::section(root, binary, options.tasks)),
    ("writers", |_, binary, _| writers::section(binary)),
    ("kills", |root, _, _| kills::section(root)),
];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many tasks
    #[arg(long, default_value_t = 1_000_000)]
    tasks: u64,
    /// The program to measure [default: the release build, made now]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,
    /// Only this section of the page: simulation, tasks, writers or kills
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Print the tables, and leave docs/fleet.md as it is
    #[arg(long)]
    print: bool,
}

pub(crate) fn run(root: &Path, options: &Options) -> anyhow::Result<()> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => {
            cargo(root, &["build", "--release", "--quiet", "-p", "recovery-cli"])?;
            root.join("target/release/recovery")
        }
    };
    let is_wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    if is_wanted("simulation") {
        let path: &[&str] = if options.print { &[] } else { &["docs/fleet.md"] };
        let example = ["run", "--quiet", "-p", "recovery-escalation", "--example", "fleet", "--"];
        cargo(root, &[&example, path].concat())?;
    }
    for (name, measure) in SECTIONS {
        if is_wanted(name) {
            let table = measure(root, &binary, options)?;
            println!("{table}");
            if !options.print {
                write_section(root, name, &table)?;
            }
        }
    }
    Ok(())
}

fn write_section(root: &Path, name: &str, table: &str) -> anyhow::Result<()> {
    let path = root.join("docs/fleet.md");
    let text = std::fs::read_to_string(&path)?;
    let begin = format!("<!-- {name}: cargo xtask fleet -->\n");
    let end = format!("<!-- end of {name} -->\n");
    let (before, rest) = text.split_once(&begin).with_context(|| format!("docs/fleet.md has no place for {name}"))?;
    let (_, after) = rest.split_once(&end).with_context(|| format!("the place for {name} has no end"))?;
    std::fs::write(&path, format!("{before}{begin}{table}{end}{after}"))?;
    Ok(())
}

fn cargo(root: &Path, args: &[&str]) -> anyhow::Result<()> {
    ensure!(Command::new("cargo").args(args).current_dir(root).status()?.success(), "cargo {args:?} failed");
    Ok(())
}
