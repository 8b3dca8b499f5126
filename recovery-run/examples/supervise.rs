//! Runs a command under the ladder from a program of one's own: `supervise COMMAND ARGS...`.

use recovery_run::driver::{Driver, Surroundings};
use recovery_run::notice::{Listener, Notice};
use recovery_run::plan::Plan;
use recovery_run::playbook::CommandLine;
use recovery_run::process::{Options, Processes};
use recovery_run::recorder::MemoryRecorder;
use recovery_run::{Engine, PackName};
use recovery_types::Timestamp;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// Prints each notice as it is.
struct Print;

impl Listener for Print {
    fn notice(&mut self, notice: &Notice) {
        eprintln!("{notice:?}");
    }

    fn count_down(&mut self, _now: Timestamp, _until: Timestamp) {}
}

fn main() -> std::io::Result<ExitCode> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() {
        // Without a command: one that fails with a temporary error the first time and works the second.
        let line = "rm supervised 2>/dev/null || { touch supervised; echo 'curl: (56) Recv failure: ECONNRESET' >&2; exit 1; }";
        words = ["sh", "-c", line].map(str::to_owned).to_vec();
    }
    let plan = Plan::builder("example", CommandLine::Words(words)).build().map_err(std::io::Error::other)?;
    let mut engine = Engine::new(PackName::Field);
    engine.ladder = plan.policy(&engine.ladder, &BTreeMap::new(), false);
    let world = Processes::new(Options::default())?;
    let recorder = MemoryRecorder::new("example");
    let finish = Driver::new(engine, &plan, world, Print, Some(recorder), Surroundings::default()).drive();
    Ok(ExitCode::from(finish.exit_code))
}
