//! `recovery report --serve`: the page on a random port of this machine. The page polls the stamp of the record once per
//! second and loads itself again when that changes. Requests are answered one after another: there is one reader.
//!
//! The record is private: the socket is bound to the loopback address, and a request that names another host
//! is refused, so that no web page can read it by rebinding its name.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// The longest request that is read.
const MAX_REQUEST_BYTES: u64 = 16 << 10;
/// How long a request may take to arrive, and an answer to be taken.
const TIMEOUT: Duration = Duration::from_secs(2);

/// What is served.
pub trait Live {
    /// What changes with every record.
    ///
    /// # Errors
    /// Where the record cannot be read; the request is dropped then.
    fn stamp(&self) -> Result<String, Box<dyn std::error::Error + Send + Sync>>;

    /// The page with this stamp.
    ///
    /// # Errors
    /// Where the record cannot be read; the request is dropped then.
    fn page(&self, stamp: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>>;
}

/// Serves on `listener`, which is bound to the loopback address, until the process is ended.
///
/// # Errors
/// Where the listener's port is not known.
pub fn serve(listener: &TcpListener, live: &impl Live) -> std::io::Result<()> {
    let port = listener.local_addr()?.port();
    // One reader's trouble does not end it for the next.
    for stream in listener.incoming().flatten() {
        let _ = answer(live, &stream, port);
    }
    Ok(())
}

fn answer(live: &impl Live, stream: &TcpStream, port: u16) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut lines = BufReader::new(stream.take(MAX_REQUEST_BYTES)).lines();
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
            let page = live.page(&live.stamp()?)?;
            ("200 OK", "text/html; charset=utf-8", page)
        }
        ["GET", "/stamp", _] => ("200 OK", "text/plain", live.stamp()?),
        _ => ("404 Not Found", "text/plain", "there is only /".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; connect-src 'self'; img-src data:\r\n\r\n",
        body.len()
    );
    let mut stream = stream;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(())
}
