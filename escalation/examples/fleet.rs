//! Many workers against one server with a limit, each for itself and with shared cooldowns, in virtual time.
//!
//! `cargo run -p recovery-escalation --example fleet` prints the tables of docs/fleet.md; with that file's name as its
//! argument it writes them there, between the markers.
// A domain crate reads no file; this program is not part of it.
#![allow(clippy::disallowed_methods)]

use escalation::{Breaker, BreakerPolicy};
use recovery_types::Timestamp;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const WORKERS: usize = 200;
const REQUESTS_EACH: u32 = 5;
const ALLOWED_PER_S: i64 = 10;
/// How long a worker is busy between two requests.
const WORK_MS: i64 = 2_000;
const START: &str = "<!-- simulation: cargo run -p recovery-escalation --example fleet docs/fleet.md -->\n";
const END: &str = "<!-- end of simulation -->\n";

/// What the server does with a request over its limit.
#[derive(Clone, Copy)]
enum Server {
    /// 429 with `Retry-After`, in seconds.
    States(i64),
    /// 503 without a word, and nothing but that for the first so many seconds.
    DownFor(i64),
}

#[derive(Default)]
struct ActionOutcome {
    sent: u32,
    refused: u32,
    finished_ms: i64,
}

fn main() -> std::io::Result<()> {
    let cases = [
        ("429, `Retry-After: 1`", Server::States(1)),
        ("429, `Retry-After: 10`", Server::States(10)),
        ("429, `Retry-After: 60`", Server::States(60)),
        ("503 for the first 120 s", Server::DownFor(120)),
    ];
    let mut table = String::from(
        "| the server says | sharing | requests sent | refused | finished after |\n|---|---|---:|---:|---:|\n",
    );
    for (name, server) in cases {
        for shares in [false, true] {
            let ActionOutcome { sent, refused, finished_ms } = simulate(server, shares);
            let shares = if shares { "yes" } else { "no" };
            table.push_str(&format!("| {name} | {shares} | {sent} | {refused} | {} s |\n", finished_ms / 1_000));
        }
    }
    match std::env::args().nth(1) {
        None => print!("{table}"),
        Some(path) => {
            let text = std::fs::read_to_string(&path)?;
            let outside = text.split_once(START).zip(text.split_once(END));
            let Some(((before, _), (_, after))) = outside else {
                return Err(std::io::Error::other(format!("{path} has no place for the table")));
            };
            std::fs::write(&path, format!("{before}{START}{table}{END}{after}"))?;
        }
    }
    Ok(())
}

/// A worker that is due: when, which, what it has left, how often it was refused in a row, and the wait it has sat out.
type Due = (Reverse<i64>, usize, u32, u32, Option<i64>);

fn simulate(server: Server, shares: bool) -> ActionOutcome {
    let policy = BreakerPolicy::default();
    let mut breaker = Breaker::default();
    let mut outcome = ActionOutcome::default();
    // A token bucket in milliseconds: each request costs 1000 / rate of them.
    let (cost, most) = (1_000 / ALLOWED_PER_S, 1_000);
    let (mut tokens, mut filled_at) = (most, 0);
    // They start within the first two seconds.
    let mut due: BinaryHeap<Due> =
        (0..WORKERS).map(|worker| (Reverse(worker as i64 * 10), worker, REQUESTS_EACH, 0, None)).collect();
    while let Some((Reverse(now), worker, left, refusals, waited_for)) = due.pop() {
        let (task, at) = (format!("worker {worker}"), Timestamp::from_ms(now));
        if shares && let Some(hold) = breaker.admit(&policy, &task, waited_for.map(Timestamp::from_ms), at) {
            let until = hold.until.ms();
            due.push((Reverse(until), worker, left, refusals, Some(until)));
            continue;
        }
        outcome.sent += 1;
        (tokens, filled_at) = ((tokens + now - filled_at).min(most), now);
        let is_down = matches!(server, Server::DownFor(s) if now < s * 1_000);
        if !is_down && tokens >= cost {
            tokens -= cost;
            breaker.worked(&policy, at);
            outcome.finished_ms = outcome.finished_ms.max(now);
            if left > 1 {
                due.push((Reverse(now + WORK_MS), worker, left - 1, 0, None));
            }
            continue;
        }
        outcome.refused += 1;
        let stated = match server {
            Server::States(seconds) => Some(now + seconds * 1_000),
            Server::DownFor(_) => None,
        };
        // The ladder's own backoff where nothing is stated: 1, 2, 4 s and so on, a minute at most.
        let own = stated.unwrap_or(now + (1_000 << refusals.min(6)).min(60_000));
        let shared = if shares {
            let hold = breaker.hold(&policy, &task, at);
            breaker.failed(&policy, &task, stated.map(Timestamp::from_ms), at);
            hold.map(|hold| hold.until.ms())
        } else {
            None
        };
        let until = shared.unwrap_or(own).max(own);
        due.push((Reverse(until), worker, left, refusals + 1, Some(until)));
    }
    outcome
}
