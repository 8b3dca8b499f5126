//! `recovery report --serve`: the page on a random port of this machine. The page asks for the stamp of the record once per
//! second and loads itself again when that changes. Requests are answered one after another: there is one reader.
//!
//! The record is nobody else's business: the socket is bound to the loopback address, and a request that names another host
//! is refused, so that no web page can read it by rebinding its name.

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::report::html;
use crate::{exit, output};
use anyhow::Context as _;
use recovery_store::Journal as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

/// The longest request that is read.
const MAX_REQUEST_BYTES: u64 = 16 << 10;
/// How long a request may take to arrive, and an answer to be taken.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves until the process is ended.
pub(super) fn serve(global: &Global) -> anyhow::Result<u8> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on this machine")?;
    let port = listener.local_addr()?.port();
    let mut out = output::stdout();
    writeln!(out, "http://127.0.0.1:{port}/ shows the report, live; Ctrl-C ends it")?;
    out.flush()?;
    drop(out);
    for stream in listener.incoming() {
        // One reader's trouble does not end it for the next.
        let _ = stream.map_err(anyhow::Error::from).and_then(|stream| answer(global, stream, port));
    }
    Ok(exit::DONE)
}

fn answer(global: &Global, stream: TcpStream, port: u16) -> anyhow::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new((&stream).take(MAX_REQUEST_BYTES)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let mut host = None;
    for line in lines {
        let line = line?;
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("host") => host = Some(value.trim().to_owned()),
            _ if line.is_empty() => break,
            _ => {}
        }
    }
    let is_ours = host.is_some_and(|host| host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}"));
    let (status, kind, body) = match request.split(' ').collect::<Vec<_>>()[..] {
        _ if !is_ours => ("403 Forbidden", "text/plain", "another host was asked for".to_owned()),
        ["GET", "/", _] => {
            let stamp = stamp(global)?;
            let page = html(&super::report(global)?, &super::project(global)?, Some(&stamp))?;
            ("200 OK", "text/html; charset=utf-8", page)
        }
        ["GET", "/stamp", _] => ("200 OK", "text/plain", stamp(global)?),
        _ => ("404 Not Found", "text/plain", "there is only /".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; connect-src 'self'; img-src data:\r\n\r\n",
        body.len()
    );
    let mut stream = &stream;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(())
}

/// What changes with every record.
fn stamp(global: &Global) -> anyhow::Result<String> {
    let Some(ledger) = Ledger::open_existing(&global.store()?, recovery_store::DEFAULT_WAIT)? else {
        return Ok("0".to_owned());
    };
    Ok(ledger.journal.tasks()?.iter().map(|summary| summary.records).sum::<u64>().to_string())
}
