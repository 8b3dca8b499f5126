//! `recovery metrics`: the journal's counts as OpenMetrics text, for a textfile collector or a scraper.
//!
//! In: the journal. Out: the text once, or an answer per HTTP request with `--serve`, on the loopback address only. One
//! request is served at a time, whatever its path. What is counted is in `recovery-report`.

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::{clock, exit, output};
use recovery_report::Metrics;
use recovery_store::DEFAULT_WAIT;
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
            eprintln!("recovery: {}", output::one_line(&output::message(&format!("{error:#}")), 300));
        }
    }
    Ok(exit::DONE)
}

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

fn text(global: &Global) -> anyhow::Result<String> {
    let store = global.store()?;
    let Some(ledger) = Ledger::open_existing(&store, DEFAULT_WAIT)? else {
        return Ok(Metrics::default().to_openmetrics());
    };
    let mut metrics = Metrics::of(&ledger)?;
    drop(ledger);
    let (time, breakers) = Ledger::open(&store, DEFAULT_WAIT)?.breakers(clock::now())?;
    breakers.iter().for_each(|(_, breaker)| metrics.add_breaker(breaker.state(time)));
    Ok(metrics.to_openmetrics())
}
