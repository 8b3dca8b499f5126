//! Ports in use, and services that do not run.

use super::{Row, Seen, about, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// What a port in use looks like.
pub(super) const PORTS: &[Row] = &[
    row("EADDRINUSE: address already in use {w}", in_use),
    row("listen tcp {w} bind: address already in use", in_use),
    row("Bind for {w} failed: port is already allocated", in_use),
    row("failed to bind host port {w}", in_use),
    row("error while attempting to bind on address ('{}', {n}): address already in use", |s| in_use_port(s.hole(1), s)),
    row("bind() to {w} failed (98: Address already in use)", in_use),
    row("Address already in use - bind(2) for \"{}\" port {n}", |s| in_use_port(s.hole(1), s)),
    row("Web server failed to start. Port {n} was already in use", |s| in_use_port(s.hole(0), s)),
    row("Port {n} is already in use", |s| in_use_port(s.hole(0), s)),
    row("port {n} is already in use", |s| in_use_port(s.hole(0), s)),
    row("Port {n} is in use by another program", |s| in_use_port(s.hole(0), s)),
    row("Something is already running on port {n}", |s| in_use_port(s.hole(0), s)),
    row("Failed to listen on {w} (reason: Address already in use)", in_use),
    row("bind [{w}]:{n}: Address already in use", |s| in_use_port(s.hole(1), s)),
    row("That port is already in use", |_| Some(some_port())),
    row("Address already in use", |_| Some(some_port())),
    row("address already in use", |_| Some(some_port())),
];

/// What a service that does not run looks like.
pub(super) const REFUSED: &[Row] = &[
    row("The connection to the server {w} was refused", |s| kubernetes(s.hole(0))),
    row("Is the docker daemon running", |_| start("docker", "the Docker daemon", "sudo systemctl start docker")),
    row("Cannot connect to the Docker daemon", |_| start("docker", "the Docker daemon", "sudo systemctl start docker")),
    row("failed to connect to the docker API at {w}", |_| {
        start("docker", "the Docker daemon", "sudo systemctl start docker")
    }),
    row("connect ECONNREFUSED {w}", |s| refused(s.hole(0))),
    row("connection to server at \"{}\" (::1), port {n} failed: Connection refused", |s| refused(s.hole(1))),
    row("connection to server at \"{}\", port {n} failed: Connection refused", |s| refused(s.hole(1))),
    row("connection to server on socket \"{}\" failed", |_| refused("5432")),
    row("Failed to connect to {w} port {n}", |s| refused(s.hole(1))),
    row("dial tcp {w}: connect: connection refused", |s| refused(s.hole(0))),
    row("Could not connect to Redis at {w}: Connection refused", |s| refused(s.hole(0))),
    row("Can't connect to local MySQL server through socket", |_| refused("3306")),
    row("Can't connect to MySQL server on '{}'", |_| refused("3306")),
    row("connect to host {w} port {n}: Connection refused", |s| refused(s.hole(1))),
    row("No connection could be made because the target machine actively refused it. ({w})", |s| refused(s.hole(0))),
    row("Connection refused (os error 111)", |_| refused("")),
    row("Connection refused", |s| refused(port_of(s.line).unwrap_or_default())),
];

/// Services by the port they usually have, with the command that starts them.
const USUAL: &[(&str, &str, &str)] = &[
    ("5432", "PostgreSQL", "sudo systemctl start postgresql"),
    ("3306", "MySQL", "sudo systemctl start mysql"),
    ("6379", "Redis", "sudo systemctl start redis-server"),
    ("27017", "MongoDB", "sudo systemctl start mongod"),
    ("9200", "Elasticsearch", "sudo systemctl start elasticsearch"),
    ("5672", "RabbitMQ", "sudo systemctl start rabbitmq-server"),
    ("11211", "Memcached", "sudo systemctl start memcached"),
    ("22", "the SSH server", "sudo systemctl start ssh"),
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

fn some_port() -> Adjustment {
    about(
        AdjustmentKind::FreePort,
        "port",
        "free the port, or use another; see who listens",
        Some("ss -ltnp".to_owned()),
    )
}

fn refused(address: &str) -> Option<Adjustment> {
    let port = port_of(address).unwrap_or_default();
    if let Some((_, name, command)) = USUAL.iter().find(|(usual, _, _)| *usual == port) {
        return start(port, &format!("{name} on port {port}"), command);
    }
    let (subject, text) = match port {
        "" => ("service", "start the service it connects to, nothing listens there".to_owned()),
        port => (port, format!("start the service on port {port}, nothing listens there")),
    };
    Some(about(AdjustmentKind::StartService, subject, text, None))
}

fn kubernetes(server: &str) -> Option<Adjustment> {
    let text = format!("start the cluster or choose the right context, nothing answers at {server}");
    Some(about(AdjustmentKind::StartService, server, text, Some("kubectl config get-contexts".to_owned())))
}

fn start(subject: &str, what: &str, command: &str) -> Option<Adjustment> {
    Some(about(
        AdjustmentKind::StartService,
        subject,
        format!("start {what}, it is not running"),
        Some(command.to_owned()),
    ))
}

/// The port at the end of an address (`127.0.0.1:5432`, `:::3000`, `8080`).
fn port_of(address: &str) -> Option<&str> {
    let address = address.trim_end_matches(|c: char| !c.is_ascii_digit());
    let port = address.rsplit(|c: char| !c.is_ascii_digit()).next()?;
    let before = address.strip_suffix(port)?;
    let is_port = (1..=5).contains(&port.len()) && (before.is_empty() || before.ends_with(':'));
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
