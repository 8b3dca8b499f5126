//! `cargo xtask fleet`: measures what docs/fleet.md states, and writes its tables.
//!
//! In: the release build of `recovery`, and PostgreSQL's programs for two of the tables. Out: the text between the markers of each
//! section. To measure something else, add a row to [`SECTIONS`] and its markers to the page.

mod kills;
#[path = "../../recovery-store/tests/support/server.rs"]
mod server;
mod tasks;
mod writers;

use std::path::{Path, PathBuf};

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
            crate::cargo("build --release --quiet -p recovery-cli")?;
            root.join("target/release/recovery")
        }
    };
    let is_wanted = |name: &str| options.only.as_deref().is_none_or(|only| only == name);
    if is_wanted("simulation") {
        let page = if options.print { "" } else { " docs/fleet.md" };
        crate::cargo(&format!("run --quiet -p recovery-escalation --example fleet --{page}"))?;
    }
    for (name, measure) in SECTIONS {
        if is_wanted(name) {
            let table = measure(root, &binary, options)?;
            println!("{table}");
            if !options.print {
                let marks = [format!("<!-- {name}: cargo xtask fleet -->\n"), format!("<!-- end of {name} -->\n")];
                crate::write_between(root, "docs/fleet.md", marks.each_ref().map(String::as_str), &table)?;
            }
        }
    }
    Ok(())
}
