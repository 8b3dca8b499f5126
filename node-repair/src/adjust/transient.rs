//! Failures that pass: wait, or do the same again.

use super::{Row, Seen, change, row, shorten, telling_line};
use recovery_types::{Adjustment, AdjustmentKind};

/// A server that says how long to wait.
pub(super) const STATED_DELAYS: &[Row] = &[
    row("Retry-After: {n}", |s| seconds(s.hole(0))),
    row("retry-after: {n}", |s| seconds(s.hole(0))),
    row("\"retry_after\": {n}", |s| seconds(s.hole(0))),
    row("\"retry_after\":{n}", |s| seconds(s.hole(0))),
    row("retry after {n} second", |s| seconds(s.hole(0))),
    row("Retry after {n} second", |s| seconds(s.hole(0))),
    row("try again in {w}", duration),
    row("Try again in {w}", duration),
    row("retry in {w}", duration),
    row("Retry in {w}", duration),
    row("available in {n} seconds", |s| seconds(s.hole(0))),
];

/// What passing trouble looks like.
pub(super) const ROWS: &[Row] = &[
    row("429 Too Many Requests", |_| Some(wait_a_moment())),
    row("Too Many Requests", |_| Some(wait_a_moment())),
    row("rate limit exceeded", |_| Some(wait_a_moment())),
    row("Rate limit exceeded", |_| Some(wait_a_moment())),
    row("toomanyrequests: ", |_| Some(wait_a_moment())),
    row("Could not resolve host: {w}", unresolved),
    row("Could not resolve hostname {w}", unresolved),
    row("getaddrinfo EAI_AGAIN {w}", unresolved),
    row("getaddrinfo ENOTFOUND {w}", unresolved),
    row("Temporary failure resolving '{w}'", unresolved),
    row("lookup {w} on {w}: no such host", unresolved),
    row("Temporary failure in name resolution", |s| Some(again(s.text, "a name could not be resolved just then"))),
    row("502 Bad Gateway", |s| Some(again(s.text, "a gateway had no answer"))),
    row("503 Service Unavailable", |s| Some(again(s.text, "the server could not serve it then"))),
    row("503 Service Temporarily Unavailable", |s| Some(again(s.text, "the server could not serve it then"))),
    row("504 Gateway Time-out", |s| Some(again(s.text, "a gateway waited too long"))),
    row("504 Gateway Timeout", |s| Some(again(s.text, "a gateway waited too long"))),
    row("TLS handshake timeout", |s| Some(again(s.text, "the connection took too long to set up"))),
    row("i/o timeout", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("Connection timed out", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("connection timed out", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("Operation timed out", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("ETIMEDOUT", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("Read timed out", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("context deadline exceeded", |s| Some(again(s.text, "the other side did not answer in time"))),
    row("Connection reset by peer", |s| Some(again(s.text, "the connection broke"))),
    row("connection reset by peer", |s| Some(again(s.text, "the connection broke"))),
    row("ECONNRESET", |s| Some(again(s.text, "the connection broke"))),
    row("socket hang up", |s| Some(again(s.text, "the connection broke"))),
    row("early EOF", |s| Some(again(s.text, "the connection broke"))),
    row("The remote end hung up unexpectedly", |s| Some(again(s.text, "the connection broke"))),
    row("Could not connect to server", |s| Some(again(s.text, "the connection failed"))),
    row("Couldn't connect to server", |s| Some(again(s.text, "the connection failed"))),
    row("Network is unreachable", |s| Some(again(s.text, "there was no network"))),
];

/// Wait as long as the server asked.
pub(super) fn asked_to_wait(ms: u64) -> Adjustment {
    let text = format!("wait {}, the server asked for it", spoken(ms));
    Adjustment { wait_ms: Some(ms), ..change(AdjustmentKind::Wait, text) }
}

/// Wait where a server asked to slow down but not for how long: the ladder's longest pause.
pub(super) fn wait_a_moment() -> Adjustment {
    let text = "wait 4 s, too many requests were made; then the same again";
    Adjustment { wait_ms: Some(4000), ..change(AdjustmentKind::Wait, text) }
}

/// The same action again, because of `why`.
pub(super) fn again(text: &str, why: &str) -> Adjustment {
    let line = telling_line(text).map(|line| format!(" ({})", shorten(&line, 120))).unwrap_or_default();
    change(AdjustmentKind::Repeat, format!("run the same again, {why}{line}"))
}

fn unresolved(seen: &Seen<'_>) -> Option<Adjustment> {
    let host = seen.hole(0).trim_end_matches([':', ',', '.', ')']);
    let text = format!("run the same again once the network is up; check the name `{host}`, it did not resolve");
    (!host.is_empty()).then(|| Adjustment { subject: Some(host.to_owned()), ..change(AdjustmentKind::Repeat, text) })
}

fn seconds(digits: &str) -> Option<Adjustment> {
    let seconds: u64 = digits.parse().ok()?;
    (seconds > 0).then(|| asked_to_wait(seconds.saturating_mul(1000)))
}

/// `20s`, `1m30s`, `6ms`, `1.5s`, `12 seconds`, `2 minutes`.
fn duration(seen: &Seen<'_>) -> Option<Adjustment> {
    let word = seen.hole(0);
    let after = seen.line.split_once(word).map_or("", |(_, after)| after).trim_start();
    let mut rest = word.trim_end_matches(['.', ',', ';', ')', '"', '\'']);
    if rest.bytes().all(|b| b.is_ascii_digit()) {
        let unit = ["second", "minute", "hour", "ms"].into_iter().find(|unit| after.starts_with(unit))?;
        return parts_ms(rest, unit).filter(|ms| *ms > 0).map(asked_to_wait);
    }
    let mut total = 0_u64;
    while !rest.is_empty() {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(number_end);
        let unit_end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        total = total.saturating_add(parts_ms(number, &tail[..unit_end])?);
        rest = &tail[unit_end..];
    }
    (total > 0).then(|| asked_to_wait(total))
}

/// Milliseconds of a decimal number with a unit, without floats.
fn parts_ms(number: &str, unit: &str) -> Option<u64> {
    let unit_ms = match unit {
        "ms" => 1,
        "s" | "second" | "sec" => 1000,
        "m" | "minute" | "min" => 60_000,
        "h" | "hour" => 3_600_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    let thousandths: u64 = digits.parse().ok()?;
    Some(whole.saturating_mul(unit_ms).saturating_add(thousandths.saturating_mul(unit_ms) / 1000))
}

fn spoken(ms: u64) -> String {
    match (ms / 1000, ms % 1000) {
        (0, ms) => format!("{ms} ms"),
        (s, 0) => format!("{s} s"),
        (s, ms) => format!("{s}.{} s", format!("{ms:03}").trim_end_matches('0')),
    }
}
