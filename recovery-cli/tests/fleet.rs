//! What tasks of one store share: cooldowns and circuit breakers, and the counts of `metrics`.

use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const LIMITED: &str = "npm error 429 Too Many Requests - GET https://registry.npmjs.org/left-pad\nRetry-After: 600";
const RESET: &str = "curl: (56) Recv failure: Connection reset by peer, https://api.example.com/v1";
const REGISTRY: &str = "registry:registry.npmjs.org";

struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        std::fs::write(project.0.path().join("recovery.toml"), "[ladder.retry]\nfirst_backoff_ms = 5\n").unwrap();
        project
    }

    fn recovery(&self, args: &[&str]) -> Output {
        self.with_input(args, "")
    }

    fn with_input(&self, args: &[&str], input: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
        command.current_dir(self.0.path()).args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn decide(&self, task: &str, exit_code: i32, text: &str) -> Value {
        let event = json!({ "exit_code": exit_code, "stderr_tail": text }).to_string();
        let out = self.with_input(&["decide", "--event", "--task", task, "--format", "json"], &event);
        serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"))
    }

    fn breakers(&self) -> Vec<Value> {
        let out = self.recovery(&["breaker", "list", "--format", "json"]);
        assert!(out.status.success(), "{out:?}");
        text(&out.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_stated_wait_is_every_tasks() {
    let project = Project::new();
    let first = project.decide("a", 1, LIMITED);
    assert_eq!((&first["resource"], &first["cooldown"]["state"]), (&json!(REGISTRY), &json!("open")), "{first}");
    // Another task meets the same registry, without being told how long.
    let other = project.decide("b", 1, "npm error network ECONNRESET https://registry.npmjs.org/left-pad");
    assert_eq!(other["cooldown"]["resource"], REGISTRY, "{other}");
    assert_eq!(other["next"]["verb"], "wait", "{other}");
    assert!(other["cooldown"]["until"].as_str().unwrap() >= first["cooldown"]["until"].as_str().unwrap(), "{other}");
    assert_eq!(other["ladder"]["not_before"], other["cooldown"]["until"]);
    assert!(other["next"]["sentence"].as_str().unwrap().contains(REGISTRY), "{other}");
    // Another resource, and a failure that is not transient, are nobody's business.
    assert_eq!(project.decide("c", 1, RESET)["cooldown"], Value::Null);
    let compile = project.decide("d", 1, "error[E0308]: mismatched types\n see https://registry.npmjs.org/x");
    assert_eq!((&compile["resource"], &compile["cooldown"]), (&Value::Null, &Value::Null), "{compile}");
    // What is replayed is decided as it was.
    let replay = project.recovery(&["journal", "replay"]);
    assert!(replay.status.success(), "{}", text(&replay.stdout));
    assert!(project.recovery(&["journal", "verify"]).status.success());
}

#[test]
fn a_run_waits_for_it_or_exits_with_75_until_a_person_says_go_on() {
    let project = Project::new();
    project.decide("a", 1, LIMITED);
    let run = ["run", "--max-wait", "2s", "--task", "b", "--", "echo", "https://registry.npmjs.org/left-pad"];
    let held = project.recovery(&run);
    assert_eq!(held.status.code(), Some(75), "{held:?}");
    assert_eq!(text(&held.stdout), "", "it did not run");
    let why = "for registry.npmjs.org (--max-wait): other tasks failed there too; run it again at ";
    assert!(text(&held.stderr).contains(why), "{held:?}");
    assert!(
        text(&held.stderr).ends_with(&format!("to go on at once: recovery breaker reset {REGISTRY}\n")),
        "{held:?}"
    );
    // What does not name it runs.
    let free = project.recovery(&["run", "--max-wait", "2s", "--task", "c", "--", "echo", "free"]);
    assert_eq!((free.status.code(), text(&free.stdout)), (Some(0), "free\n".to_owned()));

    let listed = project.breakers();
    assert_eq!((&listed[0]["resource"], &listed[0]["state"]), (&json!(REGISTRY), &json!("cooling")), "{listed:?}");
    let shown = text(&project.recovery(&["breaker", "list"]).stdout);
    assert!(shown.contains("(in 10 min)"), "{shown}");
    assert!(project.recovery(&["breaker", "reset", REGISTRY]).status.success());
    assert_eq!(project.recovery(&["breaker", "reset", REGISTRY]).status.code(), Some(1), "nothing left to reset");
    assert!(project.breakers().is_empty());
    assert_eq!(project.recovery(&run).status.code(), Some(0));
}

#[test]
fn failures_of_several_tasks_open_a_breaker_and_success_closes_it() {
    let project = Project::new();
    for task in ["a", "b", "c", "a"] {
        project.decide(task, 1, RESET);
        assert_eq!(project.breakers()[0]["state"], "closed");
    }
    project.decide("b", 1, RESET);
    let open = &project.breakers()[0];
    assert_eq!((&open["resource"], &open["state"]), (&json!("host:api.example.com"), &json!("open")), "{open}");
    let next = project.decide("d", 1, RESET);
    assert_eq!((&next["cooldown"]["state"], &next["next"]["verb"]), (&json!("open"), &json!("wait")), "{next}");
    project.decide("a", 0, "");
    assert!(project.breakers().is_empty());
}

#[test]
fn a_run_that_tries_for_all_closes_the_breaker() {
    let project = Project::new();
    let settings = "[ladder.retry]\nfirst_backoff_ms = 5\n[breaker]\nopen_ms = 1\n";
    std::fs::write(project.0.path().join("recovery.toml"), settings).unwrap();
    for task in ["a", "b", "c", "a", "b"] {
        project.decide(task, 1, RESET);
    }
    assert_eq!(project.breakers()[0]["state"], "half_open");
    // It has never failed, so that nothing but its command names the resource.
    let run = project.recovery(&["run", "--task", "new", "--", "echo", "https://api.example.com/v1"]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert!(project.breakers().is_empty(), "{:?}", project.breakers());
}

#[test]
fn metrics_are_open_metrics() {
    let project = Project::new();
    let empty = text(&project.recovery(&["metrics"]).stdout);
    assert!(empty.ends_with("# EOF\n") && empty.contains("recovery_recoveries_total 0\n"), "{empty}");
    project.decide("a", 1, LIMITED);
    project.decide("b", 1, RESET);
    project.decide("b", 0, "");
    let metrics = text(&project.recovery(&["metrics"]).stdout);
    for line in [
        "# TYPE recovery_failures counter",
        "recovery_failures_total{error_type=\"rate_limit\",class=\"F1\",tool=\"\"} 1",
        "recovery_recoveries_total 1",
        "recovery_time_to_recover_seconds_bucket{le=\"+Inf\"} 1",
        "recovery_tasks 2",
        "recovery_tasks_failing 1",
        "recovery_breakers{state=\"cooling\"} 1",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}\n{metrics}");
    }
}

#[test]
fn metrics_are_served_on_loopback() {
    let project = Project::new();
    project.decide("a", 1, LIMITED);
    let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
    command.current_dir(project.0.path()).args(["metrics", "--serve", "0"]).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(server.stderr.take().unwrap()), &mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let mut answer = String::new();
    let mut scraper = std::net::TcpStream::connect(&address).unwrap();
    scraper.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    std::io::Read::read_to_string(&mut scraper, &mut answer).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("# EOF\n"), "{answer}");
}

#[test]
fn a_store_may_be_named() {
    let project = Project::new();
    let place = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", place.path().join("team.db").display());
    let event = json!({ "exit_code": 1, "stderr_tail": LIMITED }).to_string();
    assert!(project.with_input(&["--store", &store, "decide", "--event", "--task", "a"], &event).status.success());
    assert!(place.path().join("team.db").exists());
    let status = text(&project.recovery(&["--store", &store, "status", "a", "--format", "json"]).stdout);
    assert!(status.contains("\"task\":\"a\""), "{status}");
    let wrong = project.recovery(&["--store", "mysql://me:hunter2@host/db", "status"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    assert!(!text(&wrong.stderr).contains("hunter2"), "{wrong:?}");
}
