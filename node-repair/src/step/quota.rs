//! Quotas, bills and keys that ran out: only a person can go on.

use super::Case;
use super::words::step;
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// Ask a person: the quota is used up, repeating does not help.
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
    let until = case.request.resets_at.map(|at| format!(" until {at}")).unwrap_or_default();
    let wait_ms = case.request.retry_after_ms.filter(|ms| *ms > 0);
    let renewed = match (until.is_empty(), wait_ms) {
        (true, Some(ms)) => format!("; it is renewed in {}", recovery_types::time::span(ms)),
        _ => String::new(),
    };
    let text = format!(
        "ask a person to renew or raise the quota: it is used up{until}{renewed}; repeating does not help ({line})"
    );
    Some(Adjustment { wait_ms, ..step(AdjustmentKind::AskHuman, text) })
}
