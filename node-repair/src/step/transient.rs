//! Steps for failures that pass by themselves: wait, or run the same command again.
//!
//! In: the evidence of a [`Case`](super::Case) and the wait that the server stated, if any. Out: a step of kind wait or
//! repeat, with the line that shows why. Where the caller has marked the action as unsafe to repeat, the step is to
//! check first whether it took effect (`CHECK_FIRST`).

use super::service::address_in;
use super::words::{quote, step};
use super::{Case, Row, Seen, StepId, first, row};
use recovery_types::repair::Repeating;
use recovery_types::time::span;
use recovery_types::{Adjustment, AdjustmentKind, Class, ErrorType};

/// The server stated how long to wait.
pub(super) fn stated_wait(case: &Case<'_>) -> Option<Adjustment> {
    let ms = case.request.retry_after_ms.filter(|ms| *ms > 0);
    let ms = ms.or_else(|| case.lines().find_map(delay_in));
    if let Some(ms) = ms {
        let text = format!(
            "wait {} (the server asked for it), then {}{}",
            span(ms),
            afterwards(case),
            because(case, RATE_LIMIT_WORDS)
        );
        return Some(Adjustment { wait_ms: Some(ms), subject: subject(case), ..step(AdjustmentKind::Wait, text) });
    }
    let at = case.request.resets_at?;
    let (at, then, because) = (at.to_minute(), afterwards(case), because(case, RATE_LIMIT_WORDS));
    let text = format!("wait until {at} (the server asked for it), then {then}{because}");
    Some(Adjustment { subject: subject(case), ..step(AdjustmentKind::Wait, text) })
}

/// Too many requests, and no word on how long to wait.
pub(super) fn slow_down(case: &Case<'_>) -> Option<Adjustment> {
    if !case.is(ErrorType::RateLimit, &["too many requests", "rate limit", "toomanyrequests"]) {
        return None;
    }
    let text =
        format!("wait a while, then run it again: too many requests were made{}", because(case, RATE_LIMIT_WORDS));
    Some(Adjustment { subject: subject(case), ..step(AdjustmentKind::Wait, text) })
}

/// What comes after a stated wait.
pub(super) fn afterwards(case: &Case<'_>) -> &'static str {
    match case.request.repeating {
        Repeating::Allowed | Repeating::Spent => "run it again",
        Repeating::Unsafe => CHECK_FIRST,
    }
}

/// An action that is not safe to repeat may have taken effect.
pub const CHECK_FIRST: &str = "check whether the action took effect; run it again only where it did not";

/// What to do where a rule would only repeat the action and that is no answer.
pub(super) fn instead(rule: StepId, repeating: Repeating, repeated: Adjustment) -> Adjustment {
    let change = match (repeating, rule) {
        (Repeating::Allowed, _) => return repeated,
        (Repeating::Unsafe, _) => CHECK_FIRST,
        (Repeating::Spent, StepId::SlowDown) => "send fewer or smaller requests, or use another key",
        (Repeating::Spent, StepId::TransactionLost) => {
            "make the transactions shorter, or take their locks in one order"
        }
        (Repeating::Spent, StepId::UnresolvedHost) => {
            let host = repeated.subject.as_deref().unwrap_or_default();
            let text = format!("correct the host name {host}, or bring the network up: it does not resolve");
            return Adjustment { subject: repeated.subject, ..step(AdjustmentKind::FixConfig, text) };
        }
        (Repeating::Spent, _) => {
            "change something before the next try: another address, a longer timeout, a smaller request"
        }
    };
    let about = repeated.subject.as_ref().map(|subject| format!(" ({subject})")).unwrap_or_default();
    Adjustment { subject: repeated.subject, ..step(AdjustmentKind::Look, format!("{change}{about}")) }
}

/// A host name did not resolve.
pub(super) fn unresolved_host(case: &Case<'_>) -> Option<Adjustment> {
    first(UNRESOLVED, case)
}

/// The network or a server failed for a passing reason.
pub(super) fn again(case: &Case<'_>) -> Option<Adjustment> {
    let (why, signs) = match case.request.error_type {
        Some(ErrorType::NetworkTimeout) => ("the other side did not answer in time", TIMED_OUT),
        Some(ErrorType::ConnectionFailure) => ("the connection failed or broke off", DISCONNECTED),
        Some(ErrorType::ServiceUnavailable | ErrorType::ExternalServiceDown) => {
            ("the server could not handle the request", UNAVAILABLE)
        }
        _ if case.request.class == Some(Class::F1) => ("it failed for a passing reason", &[][..]),
        _ => (why_passing(case)?, &[][..]),
    };
    let text = format!("run it again: {why}{}", because(case, signs));
    Some(Adjustment { subject: subject(case), ..step(AdjustmentKind::Repeat, text) })
}

/// Messages about temporary failures, for where there is no diagnosis.
fn why_passing(case: &Case<'_>) -> Option<&'static str> {
    const PASSING: &[(&str, &str)] = &[
        ("502 bad gateway", "a gateway had no answer"),
        ("503 service", "the server could not handle the request"),
        ("504 gateway", "a gateway waited too long"),
        ("tls handshake timeout", "the connection took too long to set up"),
        ("i/o timeout", "the other side did not answer in time"),
        ("connection timed out", "the other side did not answer in time"),
        ("operation timed out", "the other side did not answer in time"),
        ("etimedout", "the other side did not answer in time"),
        ("read timed out", "the other side did not answer in time"),
        ("context deadline exceeded", "the other side did not answer in time"),
        ("connection reset by peer", "the connection broke"),
        ("econnreset", "the connection broke"),
        ("socket hang up", "the connection broke"),
        ("early eof", "the connection broke"),
        ("remote end hung up unexpectedly", "the connection broke"),
        ("connect to server", "the connection failed"),
        ("connection refused", "the other side refused the connection"),
        ("network is unreachable", "there was no network"),
        ("temporary failure in name resolution", "a name could not be resolved just then"),
    ];
    case.lines().find_map(|line| {
        let lower = line.to_ascii_lowercase();
        PASSING.iter().find(|(sign, _)| lower.contains(sign)).map(|(_, why)| *why)
    })
}

/// Names that did not resolve.
const UNRESOLVED: &[Row] = &[
    row("Could not resolve host: {w}", unresolved),
    row("Could not resolve hostname {w}", unresolved),
    row("getaddrinfo EAI_AGAIN {w}", unresolved),
    row("getaddrinfo ENOTFOUND {w}", unresolved),
    row("Temporary failure resolving '{w}'", unresolved),
    row("lookup {w} on {w}: no such host", unresolved),
    row("lookup {w}: no such host", unresolved),
    row("Failed to resolve '{w}'", unresolved),
    row("could not translate host name \"{w}\"", unresolved),
    row("Unknown MySQL server host '{w}'", unresolved),
    row("Name or service not known: {w}", unresolved),
    row("unable to resolve host address '{w}'", unresolved),
    row("java.net.UnknownHostException: {w}", unresolved),
];

fn unresolved(seen: &Seen<'_>) -> Option<Adjustment> {
    let host = seen.hole(0).trim_end_matches([':', ',', '.', ')', '\'', '"']);
    let text = format!(
        "run it again once the network is up, or correct the host name {host}: it did not resolve ({})",
        quote(seen.line)
    );
    (!host.is_empty()).then(|| Adjustment { subject: Some(host.to_owned()), ..step(AdjustmentKind::Repeat, text) })
}

/// Words of lines about too many requests, a time-out, a broken connection, a server in trouble.
const RATE_LIMIT_WORDS: &[&str] =
    &["rate", "too many", "429", "throttl", "limit", "try again", "retry after", "overloaded"];
const TIMED_OUT: &[&str] =
    &["timed out", "timeout", "time out", "timedout", "too slow", "deadline", "did not respond", "no response"];
const DISCONNECTED: &[&str] = &[
    "connection", "connect", "econn", "socket", "reset", "refused", "closed", "eof", "hung up", "resolve",
    "getaddrinfo", "not known", "no such host", "network", "unreachable", "empty reply", "proxy", "broken pipe", "tls",
    "ssl",
];
const UNAVAILABLE: &[&str] = &[
    "500", "502", "503", "504", "529", "unavailable", "overloaded", "server error", "server had an error",
    "bad gateway", "gateway", "high demand", "capacity", "maintenance", "malformed response", "may be down",
    "returned status",
];

/// The line that gives the reason, in brackets, with the address where it has none.
fn because(case: &Case<'_>, signs: &[&str]) -> String {
    let line = case.line_about(signs).unwrap_or_default();
    let address = subject(case).filter(|address| !line.contains(address.as_str()));
    match (line.is_empty(), address) {
        (true, None) => String::new(),
        (true, Some(address)) => format!(" ({address})"),
        (false, None) => format!(" ({line})"),
        (false, Some(address)) => format!(" ({line}; {address})"),
    }
}

/// Whom the failed request was for: the first address on the evidence, a URL before a host.
fn subject(case: &Case<'_>) -> Option<String> {
    case.lines().find_map(url_in).map(str::to_owned).or_else(|| case.lines().find_map(address_in))
}

/// The first URL on a line, help pages aside.
pub(super) fn url_in(line: &str) -> Option<&str> {
    let at = line.find("https://").or_else(|| line.find("http://"))?;
    let rest = &line[at..];
    let end = rest.find(|c: char| c.is_whitespace() || "'\"`<>()[]{}|\\,;".contains(c)).unwrap_or(rest.len());
    // Help pages are no part of the failed request, neither by what leads to them nor by their address.
    const LEADS: [&str; 5] = ["more info", "learn more", "see: ", "see ", "visit "];
    let before = line[..at].to_ascii_lowercase();
    if LEADS.iter().any(|lead| before.contains(lead)) {
        return None;
    }
    const HELP: [&str; 13] = [
        "docs.", "/docs", "/help", "/issues", "/errors", "platform.openai.com", "/account", "/wiki", "/forgot",
        "/settings", "/login", "/signup", "cwiki.",
    ];
    let url = rest[..end].trim_end_matches(['.', ':', '?', '!']);
    // A user and password before the host are nobody's business, and without a host it is no address.
    let is_host = host_of(url).is_some_and(|host| host.contains(['.', ':']) || host == "localhost");
    (is_host && url.len() < 200 && !HELP.iter().any(|help| url.contains(help))).then_some(url)
}

/// The host of a URL, with its port; none where a login is before it.
pub(super) fn host_of(url: &str) -> Option<&str> {
    let host = url.split_once("://")?.1.split(['/', '?', '#']).next()?;
    (!host.is_empty() && !host.contains('@')).then_some(host)
}

/// The wait that a line states, in milliseconds: `try again in 4 seconds`, `Retry-After: 30`, `retry in 1m30s`.
pub(super) fn delay_in(line: &str) -> Option<u64> {
    const BEFORE: &[&str] = &[
        "try again in ", "retry again in ", "retry in ", "again after ", "retry after ", "wait for ", "available in ",
        "reset in ", "resets in ", "please wait ", "wait ",
    ];
    let lower = line.to_ascii_lowercase();
    if let Some((_, after)) = lower.split_once("retry-after:").or_else(|| lower.split_once("\"retry_after\":")) {
        let digits: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
        return digits.parse::<u64>().ok().map(|seconds| seconds.saturating_mul(1000)).filter(|ms| *ms > 0);
    }
    BEFORE.iter().find_map(|words| {
        let (before, after) = lower.split_once(words)?;
        // `failed after 1 retry in 1.2s` counts the tool's own tries.
        if before.trim_end().ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        duration(after.strip_prefix("about ").unwrap_or(after))
    })
}

/// `20s`, `1m30s`, `6ms`, `1.5s`, `12 seconds`, `2 minutes`, `5 hours 23 minutes`.
fn duration(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total = 0_u64;
    loop {
        let number_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, tail) = rest.split_at(number_end);
        let tail = tail.trim_start_matches([' ', '-']);
        let unit_end = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let Some(ms) = parts_ms(number.trim_end_matches('.'), &tail[..unit_end]) else { break };
        total = total.saturating_add(ms);
        rest = tail[unit_end..].trim_start_matches([' ', ',']).trim_start_matches("and ");
    }
    (total > 0).then_some(total)
}

/// Milliseconds of a decimal number with a unit, without floats.
fn parts_ms(number: &str, unit: &str) -> Option<u64> {
    let unit_ms = match unit {
        "ms" | "millisecond" | "milliseconds" => 1,
        "s" | "second" | "seconds" | "sec" | "secs" => 1000,
        "m" | "minute" | "minutes" | "min" | "mins" => 60_000,
        "h" | "hour" | "hours" | "hr" | "hrs" => 3_600_000,
        "d" | "day" | "days" => 86_400_000,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let digits: String = fraction.chars().filter(char::is_ascii_digit).chain("000".chars()).take(3).collect();
    let thousandths: u64 = digits.parse().ok()?;
    Some(whole.saturating_mul(unit_ms).saturating_add(thousandths.saturating_mul(unit_ms) / 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_in_every_wording() {
        for (line, ms) in [
            ("Please try again in 5.064s. Visit", 5064),
            ("try again in 4 seconds", 4000),
            ("< Retry-After: 30", 30_000),
            ("{\"retry_after\": 12}", 12_000),
            ("Retry in 1m30s", 90_000),
            ("It will reset in 5 hours 23 minutes.", 19_380_000),
            ("rate limited, retry after 2 minutes", 120_000),
            ("please wait about 7 seconds", 7000),
        ] {
            assert_eq!(delay_in(line), Some(ms), "{line}");
        }
        for line in [
            "Request failed after 1 retry in 1.2s",
            "waited long enough",
            "please try again later",
            "Retry-After: soon",
            "wait for the other side",
        ] {
            assert_eq!(delay_in(line), None, "{line}");
        }
    }
}
