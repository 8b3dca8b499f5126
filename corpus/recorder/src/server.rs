//! A loopback server that misbehaves on demand, so that clients fail for real.
//!
//! Over HTTP the first path segment selects how: `/503/...`, `/reset/...`, `/stall/...`. Two further ports reset or stall
//! every connection whatever its protocol, and one port is closed.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use super::replies;

/// The ports, fixed so that recorded texts do not change from run to run.
pub const HTTP: u16 = 7411;
pub const RESET: u16 = 7412;
pub const STALL_PORT: u16 = 7413;
pub const CLOSED: u16 = 7414;
pub const GREETING_PORT: u16 = 7415;

/// What the server does instead of answering, by first path segment; other names are answers.
#[cfg(test)]
pub const BEHAVIOURS: &[&str] = &["reset", "stall", "close", "cut", "flaky"];

/// How long a stalled connection is held; longer than any client here waits.
const HOLD_TIME: Duration = Duration::from_secs(150);

/// How often each `/flaky/` path was asked for.
type Visits = Arc<Mutex<BTreeMap<String, u32>>>;

/// Starts the server; it lives as long as the process.
pub fn start() -> Result<()> {
    let visits = Visits::default();
    listen(HTTP, move |stream| serve(stream, &visits))?;
    listen(RESET, reset)?;
    listen(STALL_PORT, stall)?;
    listen(GREETING_PORT, |mut stream| {
        let _ = stream.write_all(b"220 build-cache ready\r\n");
    })
}

fn listen(port: u16, handle: impl Fn(TcpStream) + Send + Sync + 'static) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("port {port} is taken; end what listens there and run again"))?;
    let handle = Arc::new(handle);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let handle = Arc::clone(&handle);
            thread::spawn(move || handle(stream));
        }
    });
    Ok(())
}

/// Closing a socket with unread bytes makes the kernel send RST instead of FIN.
fn reset(stream: TcpStream) {
    let _ = stream.peek(&mut [0]);
}

fn stall(stream: TcpStream) {
    thread::sleep(HOLD_TIME);
    drop(stream);
}

fn serve(mut stream: TcpStream, visits: &Visits) {
    loop {
        let mut start = [0; 64];
        let seen = stream.peek(&mut start).unwrap_or(0);
        if String::from_utf8_lossy(&start[..seen]).contains(" /reset/") {
            return;
        }
        let Some(Request { method, path }) = request(&mut stream) else { return };
        let (behaviour, rest) = path.trim_start_matches('/').split_once('/').unwrap_or((path.trim_matches('/'), ""));
        let reply = match behaviour {
            "stall" => return stall(stream),
            "close" => return,
            "cut" => {
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\npartial body, then nothing");
                return;
            }
            "flaky" if visit(visits, &path) <= 2 => replies::status(503),
            "flaky" => replies::ok(rest),
            _ => replies::named(behaviour, rest),
        };
        if stream.write_all(reply.to_http(method == "HEAD").as_bytes()).is_err() {
            return;
        }
    }
}

/// Counts a visit to `path` and returns its number.
fn visit(visits: &Visits, path: &str) -> u32 {
    let mut visits = visits.lock().unwrap_or_else(PoisonError::into_inner);
    let count = visits.entry(path.to_owned()).or_default();
    *count += 1;
    *count
}

struct Request {
    method: String,
    path: String,
}

/// Reads one request with its body; `None` when the peer is gone.
fn request(stream: &mut TcpStream) -> Option<Request> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 || head.len() > 64 * 1024 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head);
    let mut words = head.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let length = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(0);
    let mut body = stream.take(length);
    std::io::copy(&mut body, &mut std::io::sink()).ok()?;
    // A proxy is asked for a whole URL.
    let path =
        path.split_once("://").map_or(path.clone(), |(_, rest)| rest.split_once('/').unwrap_or_default().1.to_owned());
    Some(Request { method, path })
}
