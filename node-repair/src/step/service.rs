//! Ports in use, and services on this machine that do not run.
//!
//! A service is started only where a connection to this machine was refused: a loopback address, a socket file, a daemon
//! that is not running according to the tool itself. A remote host that refuses or does not answer is somebody else's to start.

use super::words::{about, quote, step};
use super::{Case, Row, Seen, first, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// A port is taken.
pub(super) fn port_in_use(case: &Case<'_>) -> Option<Adjustment> {
    first(PORTS, case)
}

/// Something on this machine does not run.
pub(super) fn not_running(case: &Case<'_>) -> Option<Adjustment> {
    if let Some(found) = first(DAEMONS, case) {
        return Some(found);
    }
    let refused = case.lines().any(is_refused);
    let address = case.lines().filter(|line| is_refused(line)).find_map(local_address);
    let address = address.or_else(|| case.lines().filter(|_| refused).find_map(local_address));
    // Python and Java name the address only where the call is.
    let address = address.or_else(|| case.text.lines().filter(|_| refused).find_map(local_address))?;
    // A remote address beside the message: which of the two was refused is not certain.
    if case.lines().filter(|line| is_refused(line)).any(|line| remote_address(line).is_some()) {
        return None;
    }
    refused.then(|| start_at(address))
}

/// What a port in use looks like.
const PORTS: &[Row] = &[
    row("EADDRINUSE: address already in use {w}", in_use),
    row("listen EADDRINUSE {w}", in_use),
    row("listen tcp {w} bind: address already in use", in_use),
    row("Bind for {w} failed: port is already allocated", in_use),
    row("failed to bind host port {w}", in_use),
    row("error while attempting to bind on address ('{}', {n}): address already in use", |s| in_use_port(s.hole(1), s)),
    row("error while attempting to bind on address ('{}', {n}): [errno 98]", |s| in_use_port(s.hole(1), s)),
    row("bind() to {w} failed (98: Address already in use)", in_use),
    row("Address already in use - bind(2) for \"{}\" port {n}", |s| in_use_port(s.hole(1), s)),
    row("Port {n} was already in use", |s| in_use_port(s.hole(0), s)),
    row("Port {n} is already in use", |s| in_use_port(s.hole(0), s)),
    row("port {n} is already in use", |s| in_use_port(s.hole(0), s)),
    row("Port {n} is in use", |s| in_use_port(s.hole(0), s)),
    row("port {n} is in use", |s| in_use_port(s.hole(0), s)),
    row("port {n} already in use", |s| in_use_port(s.hole(0), s)),
    row("Port {n} is already allocated", |s| in_use_port(s.hole(0), s)),
    row("Something is already running on port {n}", |s| in_use_port(s.hole(0), s)),
    row("can't listen on port {n}", |s| in_use_port(s.hole(0), s)),
    row("Failed to listen on {w} (reason: Address already in use)", in_use),
    row("bind [{w}]:{n}: Address already in use", |s| in_use_port(s.hole(1), s)),
    row("Address {w} already in use", in_use),
    row("Connection in use: ('{}', {n})", |s| in_use_port(s.hole(1), s)),
    row("That port is already in use", some_port),
    row("Address already in use", some_port),
    row("address already in use", some_port),
    row("Only one usage of each socket address", some_port),
];

/// Messages of tools about what does not run here.
const DAEMONS: &[Row] = &[
    row("The connection to the server {w} was refused", |s| kubernetes(s.hole(0))),
    row("Is the docker daemon running", |_| start("docker", "the Docker daemon", "systemctl start docker")),
    row("docker daemon is not running", |_| start("docker", "the Docker daemon", "systemctl start docker")),
    row("Cannot connect to the Docker daemon", |_| start("docker", "the Docker daemon", "systemctl start docker")),
    row("failed to connect to the docker API at {w}", |_| {
        start("docker", "the Docker daemon", "systemctl start docker")
    }),
    row("connection to server on socket \"{}\" failed: No such file", |_| {
        start("5432", "PostgreSQL", "systemctl start postgresql")
    }),
    row("connection to server on socket \"{}\" failed: Connection refused", |_| {
        start("5432", "PostgreSQL", "systemctl start postgresql")
    }),
    row("Can't connect to local MySQL server through socket", |_| start("3306", "MySQL", "systemctl start mysql")),
    row("Can't connect to local server through socket", |_| start("3306", "MySQL", "systemctl start mysql")),
    row("Can't connect to MySQL server on '127.0.0.1'", |_| start("3306", "MySQL", "systemctl start mysql")),
    row("Can't connect to MySQL server on 'localhost'", |_| start("3306", "MySQL", "systemctl start mysql")),
    row("Can't connect to server on '127.0.0.1'", |_| start("3306", "MySQL", "systemctl start mysql")),
    row("Can't connect to server on 'localhost'", |_| start("3306", "MySQL", "systemctl start mysql")),
    row("Run `vagrant up`", |_| start("vagrant up", "the virtual machine", "vagrant up")),
    row("System has not been booted with systemd", systemd),
    row("cannot connect to the Podman socket", |_| {
        start("podman", "the Podman service", "systemctl --user start podman.socket")
    }),
];

/// Services by the port they usually have, with the command that starts them.
const SERVICES_BY_PORT: &[(&str, &str, &str)] = &[
    ("5432", "PostgreSQL", "systemctl start postgresql"),
    ("3306", "MySQL", "systemctl start mysql"),
    ("6379", "Redis", "systemctl start redis-server"),
    ("27017", "MongoDB", "systemctl start mongod"),
    ("9200", "Elasticsearch", "systemctl start elasticsearch"),
    ("5672", "RabbitMQ", "systemctl start rabbitmq-server"),
    ("11211", "Memcached", "systemctl start memcached"),
    ("22", "the SSH server", "systemctl start ssh"),
];

fn in_use(seen: &Seen<'_>) -> Option<Adjustment> {
    in_use_port(port_of(seen.hole(0))?, seen)
}

fn in_use_port(port: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let holder = pid(seen.text).map(|pid| format!("pid {pid}"));
    let by = holder.as_ref().map(|h| format!(", held by {h}")).unwrap_or_default();
    let command = format!("lsof -i :{port}");
    let text = format!("free port {port}{by}, or use another; see who listens there");
    Some(Adjustment { holder, ..about(AdjustmentKind::FreePort, port, text, Some(command)) })
}

/// The message has no port: one that the line names elsewhere, else all listeners.
fn some_port(seen: &Seen<'_>) -> Option<Adjustment> {
    if let Some(port) =
        seen.line.split_whitespace().rev().find_map(|word| port_of(word).filter(|p| word.contains(':') && p.len() > 1))
    {
        return in_use_port(port, seen);
    }
    // A server prints its own address before it cannot listen there.
    let own = seen.text.lines().take_while(|line| *line != seen.line).filter_map(local_address).last();
    if let Some(port) = own.and_then(port_of) {
        return in_use_port(port, seen);
    }
    let text = format!("free the port, or use another ({}); see who listens", quote(seen.line));
    Some(about(AdjustmentKind::FreePort, "port", text, Some("ss -ltnp".to_owned())))
}

fn is_refused(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    [
        "connection refused",
        "econnrefused",
        "connectionrefused",
        "actively refused",
        "was refused",
        "couldn't connect to server",
        "could not connect to server",
        "could not connect to the endpoint",
        "failed to connect to localhost",
        "failed to connect to 127.",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
}

fn start_at(address: &str) -> Adjustment {
    let port = port_of(address).unwrap_or_default();
    let address = &spoken(address);
    if let Some((_, name, command)) = SERVICES_BY_PORT.iter().find(|(usual, _, _)| *usual == port) {
        let text = format!("start {name} on {address}, nothing listens there");
        return about(AdjustmentKind::StartService, address, text, Some((*command).to_owned()));
    }
    let text = format!("start the service on {address}, nothing listens there");
    about(AdjustmentKind::StartService, address, text, None)
}

fn kubernetes(server: &str) -> Option<Adjustment> {
    let text = format!("start the cluster or choose the right context, nothing answers at {server}; see the contexts");
    Some(about(AdjustmentKind::StartService, server, text, Some("kubectl config get-contexts".to_owned())))
}

fn systemd(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("start the service without systemd, which does not run here: {}", quote(seen.line));
    Some(step(AdjustmentKind::StartService, text))
}

fn start(subject: &str, what: &str, command: &str) -> Option<Adjustment> {
    let text = format!("start {what}, it is not running");
    Some(about(AdjustmentKind::StartService, subject, text, Some(command.to_owned())))
}

/// The first address on a line, this machine's or another's: `host:port` or `host port 5432`.
pub(super) fn address_in(line: &str) -> Option<String> {
    local_address(line).or_else(|| remote_address(line)).map(spoken)
}

/// wget: `Connecting to localhost (localhost)|127.0.0.1|:9099... failed`.
fn wget_address(line: &str) -> Option<&str> {
    let at = line.find("|127.0.0.1|:").or_else(|| line.find("|::1|:"))?;
    let rest = &line[at + 1..];
    let end = rest.find("...").unwrap_or(rest.len());
    Some(&rest[..end])
}

/// `localhost port 8080`, `127.0.0.1", port 5432` and `127.0.0.1', port=80` as `host:port`.
fn spoken(address: &str) -> String {
    let host = address.split([' ', '"', ',', '\'', '|']).next().unwrap_or(address);
    match port_of(address) {
        Some(port) if host != address => format!("{host}:{port}"),
        _ => host.to_owned(),
    }
}

fn local_address(line: &str) -> Option<&str> {
    let bare = || words(line).find(|word| is_refused(line) && matches!(*word, "localhost" | "127.0.0.1" | "::1"));
    let with_port = words(line).find(|word| is_local(word)).or_else(|| local_host_and_port(line));
    with_port.or_else(|| wget_address(line)).or_else(bare)
}

fn remote_address(line: &str) -> Option<&str> {
    words(line).find(|word| {
        let (host, port) = word.rsplit_once(':').unwrap_or(("", ""));
        let host = host.trim_start_matches("//");
        let is_host = host.contains('.')
            && !host.contains('/')
            && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-".contains(&b));
        let is_port = port.len() >= 2 && port.parse::<u16>().is_ok();
        // `app.py:443` is a place in a file.
        let is_file = host.rsplit('.').next().is_some_and(|end| {
            [
                "py", "js", "ts", "rs", "go", "rb", "java", "php", "c", "h", "cc", "cpp", "mjs", "cs", "kt", "scala",
                "lua", "ex", "exs", "sh",
            ]
            .contains(&end)
        });
        is_host && is_port && !is_file && !is_local(word)
    })
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || "'\"`<>(),;=|".contains(c))
        .map(|word| word.split_once("//").map_or(word, |(_, after)| after))
        .map(|word| word.split(['/', '?']).next().unwrap_or(word))
        .map(|word| word.trim_end_matches([':', '.', ')', ']', '!']))
        .filter(|word| !word.is_empty())
}

fn is_local(word: &str) -> bool {
    let host = ["localhost:", "127.", "[::1]:", "::1:", "0.0.0.0:"].iter().find(|host| word.starts_with(**host));
    let port = word.rsplit(':').next().unwrap_or_default();
    host.is_some() && word.contains(':') && !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit())
}

/// `Failed to connect to localhost port 8080`, `connection to server at "127.0.0.1", port 5432 failed`: from the host to
/// the port.
fn local_host_and_port(line: &str) -> Option<&str> {
    let at = ["localhost", "127.0.0.1", "::1"].iter().filter_map(|host| line.find(host)).min()?;
    let rest = &line[at..];
    let port = rest.find("port ").or_else(|| rest.find("port="))?;
    let digits = rest[port + 5..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - port - 5);
    (port < 40 && digits > 0).then(|| &rest[..port + 5 + digits])
}

/// The port at the end of an address (`127.0.0.1:5432`, `:::3000`, `8080`, `localhost port 8080`).
fn port_of(address: &str) -> Option<&str> {
    let address = address.trim_end_matches(|c: char| !c.is_ascii_digit());
    let port = address.rsplit(|c: char| !c.is_ascii_digit()).next()?;
    let before = address.strip_suffix(port)?;
    let is_port = (1..=5).contains(&port.len()) && (before.is_empty() || before.ends_with([':', ' ', '=']));
    is_port.then_some(port)
}

/// A process id the text names.
fn pid(text: &str) -> Option<&str> {
    ["PID: ", "pid: ", "pid=", "PID ", "pid "].iter().find_map(|label| {
        let after = text.split_once(label)?.1;
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        after.get(..end).filter(|pid| !pid.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart() {
        assert_eq!(local_address("connect ECONNREFUSED 127.0.0.1:5432"), Some("127.0.0.1:5432"));
        assert_eq!(local_address("urlopen(\"http://localhost:9099/health\")"), Some("localhost:9099"));
        assert_eq!(
            local_address("curl: (7) Failed to connect to localhost port 8080 after 0 ms"),
            Some("localhost port 8080")
        );
        assert_eq!(local_address("dial tcp [::1]:6379: connect: connection refused"), Some("[::1]:6379"));
        assert_eq!(local_address("ssh: connect to host github.com port 22: Connection timed out"), None);
        assert_eq!(remote_address("connect ETIMEDOUT 140.82.121.4:443"), Some("140.82.121.4:443"));
        assert_eq!(remote_address("at main.rs:443 and app.py:80"), None);
        assert_eq!(port_of("localhost port 8080"), Some("8080"));
    }
}
