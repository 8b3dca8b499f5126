//! Limits of the system, or of whoever started the command, that a setting raises.

use super::words::about;
use super::{Case, Row, first, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// A limit of the operating system or of `recovery run` was reached.
pub(super) fn raise(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case)
}

const ROWS: &[Row] = &[
    row("ENOSPC: System limit for number of file watchers reached", |_| watchers()),
    row("inotify watch limit reached", |_| watchers()),
    row("inotify instances reached", |_| watchers()),
    row("EMFILE: too many open files", |_| files()),
    row("oo many open files", |_| files()),
    row("fork: retry: Resource temporarily unavailable", |_| processes()),
    row("fork: Resource temporarily unavailable", |_| processes()),
    row("it ran past its timeout of", |_| time()),
    row("it ran past the time limit of", |_| time()),
    row("it ran past the time budget", |_| time()),
];

fn watchers() -> Option<Adjustment> {
    let command = Some("sysctl fs.inotify.max_user_watches=524288".to_owned());
    let text = "raise the limit of file watchers (as root)";
    Some(about(AdjustmentKind::FixConfig, "fs.inotify.max_user_watches", text, command))
}

fn files() -> Option<Adjustment> {
    let text = "raise the limit of open files";
    Some(about(AdjustmentKind::FixConfig, "open files", text, Some("ulimit -n 8192".to_owned())))
}

fn processes() -> Option<Adjustment> {
    let text = "run fewer processes at once, or raise their limit; see it";
    Some(about(AdjustmentKind::FixConfig, "processes", text, Some("ulimit -u".to_owned())))
}

fn time() -> Option<Adjustment> {
    Some(about(AdjustmentKind::FixConfig, "time limit", "give it more time, or find out what it waits for", None))
}
