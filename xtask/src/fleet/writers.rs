//! Many writers of one journal on a PostgreSQL server, against bare inserts.
//!
//! In: the program. Out: a table with the decisions per second of 1 to 8 processes, each with tasks of its own and in a directory
//! of its own, and the inserts of 1 KiB rows that `pgbench` makes with as many connections. The server is a new one on this
//! machine with its default settings, so every commit waits for the disk.

use super::server::Server;
use crate::bench::children_cpu;
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const WRITERS: [usize; 4] = [1, 2, 4, 8];

/// Decisions of each writer.
const DECISIONS: usize = 300;

/// How long `pgbench` runs.
const BARE_S: u64 = 5;

pub(super) fn section(binary: &Path) -> anyhow::Result<String> {
    let server =
        Server::start_durable("the writers of docs/fleet.md").context("PostgreSQL is needed for this table")?;
    server.sql("CREATE TABLE bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body TEXT NOT NULL)");
    let mut page = String::new();
    writeln!(page, "| writers | decisions per second | bare inserts per second | ratio | CPU time per decision |")?;
    writeln!(page, "|---:|---:|---:|---:|---:|")?;
    for writers in WRITERS {
        let cpu = children_cpu()?;
        let took = decide(binary, &server.address(&format!("writers_{writers}")), writers)?;
        let cpu = children_cpu()?.saturating_sub(cpu).as_micros() as f64 / (writers * DECISIONS) as f64;
        let (rate, bare) = ((writers * DECISIONS) as f64 / took.as_secs_f64(), bare_inserts(&server, writers)?);
        writeln!(page, "| {writers} | {rate:.0} | {bare:.0} | {:.2}x | {cpu:.0} \u{b5}s |", rate / bare)?;
    }
    let size = "SELECT round(avg(pg_column_size(body))) || ' of ' || round(avg(length(body))) FROM writers_8.records";
    writeln!(page, "\nA record's body takes {} bytes on the server, which compresses what is long.", server.sql(size))?;
    Ok(page)
}

/// How long the writers take, all of them started at once.
fn decide(binary: &Path, address: &str, writers: usize) -> anyhow::Result<Duration> {
    let places = (0..writers).map(|_| tempfile::tempdir()).collect::<Result<Vec<_>, _>>()?;
    let start = |place: &tempfile::TempDir| {
        std::fs::create_dir(place.path().join(".git"))?;
        Command::new(binary)
            .args(["--store", address, "decide", "--ndjson"])
            .current_dir(place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
    };
    // The tables are made before the clock runs.
    let place = tempfile::tempdir()?;
    let mut first = start(&place)?;
    drop(first.stdin.take());
    ensure!(first.wait()?.success(), "the program failed");
    let began = Instant::now();
    let mut running = places.iter().map(start).collect::<Result<Vec<_>, _>>()?;
    std::thread::scope(|scope| -> anyhow::Result<()> {
        let mut feeders = Vec::new();
        for (writer, child) in running.iter_mut().enumerate() {
            let mut input = child.stdin.take().context("a pipe")?;
            feeders.push(scope.spawn(move || -> std::io::Result<()> {
                (0..DECISIONS).try_for_each(|n| {
                    let event = serde_json::json!({"id": format!("e{writer}-{n}"), "tool": "Bash", "exit_code": 1,
                        "stderr_tail": "FAILED tests/test_login.py::test_ok - AssertionError: assert 1 == 2\n1 failed\n",
                        "node": {"id": format!("task {writer}-{}", n / 3)}});
                    writeln!(input, "{event}")
                })
            }));
        }
        for feeder in feeders {
            feeder.join().map_err(|_| anyhow::anyhow!("a writer's input broke off"))??;
        }
        Ok(())
    })?;
    for mut child in running {
        ensure!(child.wait()?.success(), "a writer failed");
    }
    Ok(began.elapsed())
}

fn bare_inserts(server: &Server, writers: usize) -> anyhow::Result<f64> {
    let script = tempfile::NamedTempFile::new()?;
    std::fs::write(script.path(), "INSERT INTO bare (body) VALUES (repeat('x', 1024));\n")?;
    let (port, writers, seconds) = (server.port().to_string(), writers.to_string(), BARE_S.to_string());
    let output = Command::new(server.program("pgbench"))
        .args(["-n", "-h", "127.0.0.1", "-p", &port, "-U", "admin", "-c", &writers, "-j", "1", "-T", &seconds, "-f"])
        .arg(script.path())
        .arg("postgres")
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = "));
    let rate = rate.with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(rate.split(' ').next().unwrap_or_default().parse()?)
}
