//! Steps for quotas, bills, keys and accounts that have run out.
//!
//! In: the evidence of a [`Case`](super::Case) and the stated reset time. Out: a `Wait` step where the output states when the
//! quota is renewed, because unattended work can go on then; otherwise an `AskHuman` step, because only a person can renew
//! it. Both quote the line that reports it. `needs_person` in `facts` is derived from `AskHuman`, so such a step leads to
//! ESCALATE.
//!
//! An ended key is recognised by a name and an ending close to each other (`RENEWED_BY_A_PERSON`, `ENDINGS`). Session
//! tokens, certificates and passwords are excluded because a login renews them (`permission`), and `invalid or expired`
//! because it does not state which.

use super::Case;
use super::transient::afterwards;
use super::words::{about, quote, step};
use recovery_types::time::span;
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// The quota is used up: wait for its renewal where that is stated, else ask a person.
pub(super) fn used_up(case: &Case<'_>) -> Option<Adjustment> {
    if !case.is(
        ErrorType::QuotaExhausted,
        &["exceeded your current quota", "insufficient_quota", "credit balance is too low", "insufficient credits"],
    ) {
        return None;
    }
    let line =
        case.line_about(&["quota", "credit", "billing", "balance", "usage limit", "limit reached", "plan", "spend"]);
    let line = line.unwrap_or_else(|| "a quota is used up".to_owned());
    let wait_ms = case.request.retry_after_ms.filter(|ms| *ms > 0);
    let until = case.request.resets_at.map(|at| format!("until {}", at.to_minute()));
    if let Some(time) = until.or_else(|| wait_ms.map(span)) {
        let then = afterwards(case);
        let text =
            format!("wait {time}, when the quota is renewed, then {then}; only a person can raise it sooner ({line})");
        return Some(Adjustment { wait_ms, ..step(AdjustmentKind::Wait, text) });
    }
    let text = format!("ask a person to renew or raise the quota: it is used up; repeating does not help ({line})");
    Some(step(AdjustmentKind::AskHuman, text))
}

/// What only a person can renew, with what it is called in a step. The more exact spelling comes first.
const RENEWED_BY_A_PERSON: &[(&str, &str)] = &[
    ("api key", "API key"),
    ("api-key", "API key"),
    ("api_key", "API key"),
    ("apikey", "API key"),
    ("api token", "API token"),
    ("personal access token", "personal access token"),
    ("access key", "access key"),
    ("license", "license"),
    ("licence", "license"),
    ("subscription", "subscription"),
    ("account", "account"),
];
/// Words for how it ended, with the phrase for the step.
const ENDINGS: &[(&str, &str)] = &[
    ("expired", "has expired"),
    ("revoked", "was revoked"),
    ("deactivated", "was deactivated"),
    ("suspended", "was suspended"),
];
/// How far its ending may be from its name, in bytes.
const MAX_DISTANCE_BYTES: usize = 40;

/// Ask a person: a key or an account has ended, and no login brings it back.
pub(super) fn key_ended(case: &Case<'_>) -> Option<Adjustment> {
    case.lines().find_map(|line| {
        let (name, ending) = ended(&line.to_ascii_lowercase())?;
        let text = format!("ask a person to renew the {name}: it {ending}; repeating does not help ({})", quote(line));
        Some(about(AdjustmentKind::AskHuman, name, text, None))
    })
}

/// What has ended according to a line in lower case, and how: `api key 'k1' has expired`, `expired api key`.
fn ended(line: &str) -> Option<(&'static str, &'static str)> {
    // "Invalid or expired" does not state which: the server only rejected it.
    const UNSURE: &[&str] = &["invalid or", "invalid, ", "or invalid", "or incorrect", "incorrect or", "missing or"];
    if UNSURE.iter().any(|words| line.contains(words)) {
        return None;
    }
    // "The account's session token has expired" is about the token, which a login renews.
    let is_near = |between: &str| {
        between.len() <= MAX_DISTANCE_BYTES
            && !between.contains(". ")
            && !["token", "session", "certificate", "password"].iter().any(|other| between.contains(other))
    };
    let is_mentioned = |name: &str, ending: &str| {
        let after = line.split_once(name).and_then(|(_, rest)| rest.split_once(ending)).map(|(between, _)| between);
        after.is_some_and(is_near) || line.contains(&format!("{ending} {name}"))
    };
    RENEWED_BY_A_PERSON
        .iter()
        .find_map(|(name, called)| Some((*called, ENDINGS.iter().find(|(ending, _)| is_mentioned(name, ending))?.1)))
}

#[cfg(test)]
mod tests {
    use super::ended;

    #[test]
    fn what_a_person_renews_is_told_from_what_a_login_does() {
        let of_a_person = [
            ("api key expired. please renew the api key.", "API key"),
            ("{\"code\":\"api_key_expired\"}", "API key"),
            ("401: the api key ending in 3f2a has been revoked", "API key"),
            ("this request was made with a revoked api key", "API key"),
            ("remote: the personal access token has expired", "personal access token"),
            ("your license has expired", "license"),
            ("your account was suspended", "account"),
        ];
        for (line, name) in of_a_person {
            assert_eq!(ended(line).map(|(name, _)| name), Some(name), "{line}");
        }
        let of_a_login = [
            "invalid or expired api key",
            "an error occurred (expiredtoken): the provided token has expired",
            "npm notice access token expired or revoked. please try logging in again.",
            "service account token has expired",
            "the account is fine. the session expired",
            "certificate has expired",
            "incorrect api key provided",
        ];
        for line in of_a_login {
            assert_eq!(ended(line), None, "{line}");
        }
    }
}
