//! `recovery metrics`: the journal's counts as OpenMetrics text, for a textfile collector or a scraper on this machine.
//!
//! Everything is counted from the records at the time of asking; nothing is kept between two questions. The cost grows
//! with the records: docs/fleet.md has the figures.

use crate::cli::Global;
use crate::ledger::{self, Ledger};
use crate::{clock, exit, output};
use recovery_engine::Entry;
use recovery_store::{DEFAULT_WAIT, Journal as _};
use recovery_types::{CooldownState, Timestamp};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  recovery metrics > /var/lib/node_exporter/recovery.prom\n  recovery metrics --serve 9469"
)]
pub(crate) struct Args {
    /// Answer scrapers on this port of the loopback address, until ended
    #[arg(long, value_name = "PORT")]
    serve: Option<u16>,
}

/// Upper bounds of the time from a task's first failure until it works again.
const RECOVERED_WITHIN_S: [u64; 7] = [1, 10, 60, 300, 1_800, 7_200, 86_400];

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let Some(port) = args.serve else {
        let mut out = output::stdout();
        out.write_all(text(global)?.as_bytes())?;
        out.flush()?;
        return Ok(exit::DONE);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    eprintln!("recovery: metrics at http://{}/metrics", listener.local_addr()?);
    for connection in listener.incoming() {
        // One scraper that fails, or a journal that cannot be read just now, does not end it.
        if let Err(error) = connection.map_err(anyhow::Error::from).and_then(|connection| serve(connection, global)) {
            eprintln!("recovery: {}", output::one_line(&format!("{error:#}"), 300));
        }
    }
    Ok(exit::DONE)
}

/// Answers one request, whatever it asks for.
fn serve(mut connection: TcpStream, global: &Global) -> anyhow::Result<()> {
    connection.set_read_timeout(Some(Duration::from_secs(2)))?;
    connection.set_write_timeout(Some(Duration::from_secs(10)))?;
    let mut request = [0; 4096];
    let _ = connection.read(&mut request)?;
    let (status, body) = match text(global) {
        Ok(text) => ("200 OK", text),
        Err(error) => ("503 Service Unavailable", format!("{error:#}\n")),
    };
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let length = body.len();
    write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    Ok(())
}

#[derive(Default)]
struct Counts {
    /// By error type, class and tool.
    failures: BTreeMap<(String, String, String), u64>,
    /// Seconds from the first failure until it worked.
    recovered_after: Vec<u64>,
    /// Tasks that fail at present, with the time of their first failure.
    failing: BTreeMap<String, Timestamp>,
    tasks: u64,
    breakers: BTreeMap<&'static str, u64>,
}

fn text(global: &Global) -> anyhow::Result<String> {
    let (store, now) = (global.store()?, clock::now());
    let mut counts = Counts::default();
    if let Some(ledger) = Ledger::open_existing(&store, DEFAULT_WAIT)? {
        ledger.journal.scan(&mut |record| {
            if let Ok(Some(Entry::Decided { event, decision, .. })) = ledger::entry_of(&record) {
                counts.take(&record.task.to_string(), event.tool.as_deref(), &decision);
            }
            Ok(())
        })?;
        counts.tasks = ledger.journal.tasks()?.iter().filter(|summary| ledger::is_users(&summary.task)).count() as u64;
        drop(ledger);
        let (time, breakers) = Ledger::open(&store, DEFAULT_WAIT)?.breakers(now)?;
        for (_, breaker) in breakers {
            *counts.breakers.entry(breaker.state(time).name()).or_default() += 1;
        }
    }
    Ok(counts.text()?)
}

impl Counts {
    fn take(&mut self, task: &str, tool: Option<&str>, decision: &recovery_engine::Decision) {
        if !decision.failure {
            if let Some(since) = self.failing.remove(task) {
                self.recovered_after.push(decision.at.since(since) / 1_000);
            }
            return;
        }
        self.failing.entry(task.to_owned()).or_insert(decision.at);
        let kind = decision.diagnosis.as_ref().map_or("unknown", |diagnosis| diagnosis.error_type.name());
        let class = decision.classification.as_ref().map_or(String::new(), |class| format!("{:?}", class.class));
        // The program alone: arguments would make a series of every call.
        let tool = tool.and_then(|tool| tool.split_whitespace().next()).unwrap_or_default();
        let tool = tool.rsplit('/').next().unwrap_or(tool);
        *self.failures.entry((kind.to_owned(), class, output::one_line(tool, 40))).or_default() += 1;
    }

    fn text(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        let family = |out: &mut String, name: &str, kind: &str, help: &str| {
            writeln!(out, "# TYPE {name} {kind}\n# HELP {name} {help}")
        };
        family(&mut out, "recovery_failures", "counter", "Failures that were decided about.")?;
        for ((kind, class, tool), count) in &self.failures {
            let (kind, class, tool) = (label(kind), label(class), label(tool));
            writeln!(out, "recovery_failures_total{{error_type={kind},class={class},tool={tool}}} {count}")?;
        }
        family(&mut out, "recovery_recoveries", "counter", "Tasks that worked again after having failed.")?;
        writeln!(out, "recovery_recoveries_total {}", self.recovered_after.len())?;
        let name = "recovery_time_to_recover_seconds";
        writeln!(out, "# TYPE {name} histogram\n# UNIT {name} seconds")?;
        writeln!(out, "# HELP {name} From a task's first failure until it worked.")?;
        for bound in RECOVERED_WITHIN_S {
            let within = self.recovered_after.iter().filter(|seconds| **seconds <= bound).count();
            writeln!(out, "{name}_bucket{{le=\"{bound}.0\"}} {within}")?;
        }
        writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {}", self.recovered_after.len())?;
        writeln!(out, "{name}_sum {}", self.recovered_after.iter().sum::<u64>())?;
        writeln!(out, "{name}_count {}", self.recovered_after.len())?;
        family(&mut out, "recovery_tasks", "gauge", "Tasks that something is recorded of.")?;
        writeln!(out, "recovery_tasks {}", self.tasks)?;
        family(&mut out, "recovery_tasks_failing", "gauge", "Tasks whose last outcome is a failure.")?;
        writeln!(out, "recovery_tasks_failing {}", self.failing.len())?;
        family(&mut out, "recovery_breakers", "gauge", "Resources by the state of their circuit breaker.")?;
        for state in [CooldownState::Cooling, CooldownState::Open, CooldownState::HalfOpen] {
            let count = self.breakers.get(state.name()).copied().unwrap_or_default();
            writeln!(out, "recovery_breakers{{state=\"{}\"}} {count}", state.name())?;
        }
        out.push_str("# EOF\n");
        Ok(out)
    }
}

/// A label's value in quotes.
fn label(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
