//! `recovery report --serve`: the page on this machine only, with a stamp that changes with every record.

mod common;

use common::{command, recovery};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

fn get(address: &str, path: &str, host: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_page_is_served_live_on_this_machine_only() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
    let mut child = command(dir.path(), &["report", "--serve"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let page = get(&address, "/", &address);
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("Nothing has been recorded yet."), "{page}");
    let before = get(&address, "/stamp", &address);
    recovery(dir.path(), &["decide", "--task", "login", "--exit-code", "1"], b"AssertionError: 3 != 4\n1 failed");
    assert_ne!(get(&address, "/stamp", &address), before, "a record changes the stamp");
    assert!(get(&address, "/", &address).contains("login"));
    assert!(get(&address, "/", "evil.example").starts_with("HTTP/1.1 403"), "a rebound name is refused");
    assert!(get(&address, "/etc/passwd", &address).starts_with("HTTP/1.1 404"));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT).unwrap();
    child.wait().unwrap();
}
