//! Reasons against holding a call back, however often it has failed: one table. The first reason that holds is enough,
//! so the order does not matter.
//!
//! In: a call, its task and the task's last failure (`Failing`). Out: the reason, or none. A hold is justified only
//! where this machine can show that nothing has changed and where the call is worth stopping. Read-only calls are
//! cheap, and they may wait for the result of a background command that most clients do not report.

use super::before::may_pass;
use super::running::Beside;
use recovery_agents::Call;
use recovery_engine::{Decision, TaskState};
use recovery_types::{ErrorType, FailureEvent};

/// Words of a failure that something is not there yet: on this machine or beside it, or going on elsewhere.
const NEARBY_WORDS: [&str; 17] = [
    "refused", "localhost", "127.0.0.1", "[::1]", "can't connect to local", "starting up", "not ready", "unreachable",
    "not yet", "in progress", "pending", "queued", "provisioning", "initializing", "still running", "still being",
    "waiting for",
];
/// Last words of an output that name the state of something that is not finished (`job 42: RUNNING`).
const STATES: [&str; 10] = [
    "running", "pending", "queued", "scheduled", "building", "deploying", "processing", "starting", "waiting",
    "in_progress",
];
/// How much of an output's end is searched for them.
const NEARBY_BYTES: usize = 2 << 10;

/// A call whose task has failed before.
pub(super) struct Failing<'a> {
    pub call: &'a Call,
    pub state: &'a TaskState,
    /// The task's last failure and what was decided about it, where it is known.
    pub last: Option<(&'a FailureEvent, &'a Decision)>,
    /// Whether the call passed lately with nothing changed.
    pub is_flaky: bool,
    /// Whether the failures that would hold it back were all reported to this agent, so that it has seen the output.
    pub is_own: bool,
    /// Other calls that have begun and whose end nobody has reported.
    pub beside: Beside,
}

/// Why a call is not held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exemption {
    /// A person allowed it.
    Allowed,
    /// It only reads.
    ReadOnly,
    /// Its exit code is not that of the command that matters.
    HiddenExitCode,
    /// It polls: it checks for something that may be there by now.
    Polls,
    /// Neither a command nor an edit: what it works on is not in the project's files.
    OtherTool,
    /// The client wants the file to be read first, and reading is no change.
    UnreadFile,
    /// It passes at times with nothing changed.
    Flaky,
    /// It waits for something on this machine or beside it.
    WaitsNearby,
    /// Another agent ran it, too: this one has not seen every output.
    Unseen,
    /// Something that an agent has started may still be at work.
    BesideOthers,
}

type Holds = fn(&Failing<'_>) -> bool;

const EXEMPTIONS: [(Exemption, Holds); 10] = [
    (Exemption::Allowed, |failing| failing.state.allowed),
    (Exemption::ReadOnly, |failing| failing.call.is_read_only()),
    (Exemption::HiddenExitCode, |failing| failing.call.hides_exit_code() || !failing.call.shows_success()),
    (Exemption::Polls, |failing| failing.call.is_polling(failing.passes())),
    (Exemption::OtherTool, |failing| !failing.call.is_shell && !failing.call.edits_text()),
    (Exemption::UnreadFile, |failing| !failing.call.is_shell && failing.output().contains("read")),
    (Exemption::Flaky, |failing| failing.is_flaky),
    (Exemption::WaitsNearby, |failing| failing.passes() && failing.waits_nearby()),
    (Exemption::Unseen, |failing| !failing.is_own),
    (Exemption::BesideOthers, |failing| failing.may_change_beside()),
];

impl Failing<'_> {
    /// Why the call is not held back; none where no exemption applies.
    pub fn exemption(&self) -> Option<Exemption> {
        EXEMPTIONS.iter().find(|(_, holds)| holds(self)).map(|(exemption, _)| *exemption)
    }

    /// Whether time alone may end the last failure.
    pub fn passes(&self) -> bool {
        self.state.attempts.last().is_some_and(|last| may_pass(last.class, last.error_type))
    }

    /// Whether it waits for something on this machine or beside it: a server that starts, a lock that is released.
    /// Nobody announces when that is; asking again is how to find out.
    pub fn waits_nearby(&self) -> bool {
        if self.state.attempts.last().is_some_and(|last| last.error_type == ErrorType::LockContention) {
            return true;
        }
        match self.last.and_then(|(_, decision)| decision.resource.as_deref()) {
            Some(resource) => is_nearby(resource),
            None => {
                let output = self.output();
                let last = output.split(|c: char| !c.is_alphanumeric() && c != '_').rfind(|word| !word.is_empty());
                NEARBY_WORDS.iter().any(|word| output.contains(word)) || last.is_some_and(|last| STATES.contains(&last))
            }
        }
    }

    /// Whether something that an agent has started may change the outcome without a sign in the project's files. A server
    /// does not change what a compiler or a linter makes of them, and nothing here renews a quota.
    fn may_change_beside(&self) -> bool {
        use ErrorType::{CompileError, LintError, QuotaExhausted, TypeError};
        let last = self.state.attempts.last().map(|last| last.error_type);
        match self.beside {
            Beside::Nothing => false,
            Beside::Servers => !matches!(last, Some(CompileError | TypeError | LintError | QuotaExhausted)),
            Beside::Commands => last != Some(QuotaExhausted),
        }
    }

    /// The end of the last output, in lower case.
    fn output(&self) -> String {
        let output = self.last.map_or("", |(event, _)| event.stderr_tail.as_str());
        output[output.ceil_char_boundary(output.len().saturating_sub(NEARBY_BYTES))..].to_ascii_lowercase()
    }
}

/// Whether the resource (see [`Decision`]) is on this machine or in the same network.
fn is_nearby(resource: &str) -> bool {
    let (kind, name) = resource.split_once(':').unwrap_or(("", resource));
    let host = name.rsplit_once(':').map_or(
        name,
        |(host, port)| {
            if port.chars().all(|c| c.is_ascii_digit()) { host } else { name }
        },
    );
    let host = host.trim_matches(['[', ']']);
    match host.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(v4)) => v4.is_loopback() || v4.is_private() || v4.is_unspecified(),
        Ok(std::net::IpAddr::V6(v6)) => v6.is_loopback() || v6.is_unique_local() || v6.is_unspecified(),
        Err(_) => {
            let beside = [".local", ".localhost", ".internal", ".test", ".lan"];
            kind == "lock" || !host.contains('.') || beside.iter().any(|ending| host.ends_with(ending))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(command: &str) -> Call {
        Call { tool: "Bash".into(), action: command.into(), is_shell: true, ..Call::default() }
    }

    fn tool(name: &str, input: &str) -> Call {
        Call { tool: name.into(), action: input.into(), ..Call::default() }
    }

    #[test]
    fn every_row_has_a_call_that_it_exempts() {
        let edit = tool("Edit", r#"{"file_path":"a","old_string":"x"}"#);
        for (call, is_flaky, is_own, expected) in [
            (shell("make"), false, true, None),
            (edit, false, true, None),
            (shell("ls out/app"), false, true, Some(Exemption::ReadOnly)),
            (tool("Read", "{}"), false, true, Some(Exemption::ReadOnly)),
            (shell("make | tail"), false, true, Some(Exemption::HiddenExitCode)),
            (shell("kubectl rollout status deploy/web"), false, true, Some(Exemption::Polls)),
            (tool("mcp__browser__browser_click", "{}"), false, true, Some(Exemption::OtherTool)),
            (shell("make"), true, true, Some(Exemption::Flaky)),
            (shell("make"), false, false, Some(Exemption::Unseen)),
        ] {
            let state = TaskState::default();
            let beside = Beside::Nothing;
            let failing = Failing { call: &call, state: &state, last: None, is_flaky, is_own, beside };
            assert_eq!(failing.exemption(), expected, "{}", call.action);
            let failing = Failing { beside: Beside::Commands, ..failing };
            assert_eq!(failing.exemption(), expected.or(Some(Exemption::BesideOthers)), "{}", call.action);
        }
        let state = TaskState { allowed: true, ..TaskState::default() };
        let call = shell("make");
        let beside = Beside::Nothing;
        let failing = Failing { call: &call, state: &state, last: None, is_flaky: false, is_own: true, beside };
        assert_eq!(failing.exemption(), Some(Exemption::Allowed));
    }

    #[test]
    fn what_is_near() {
        for resource in
            ["host:localhost:3000", "host:db:5432", "host:10.0.0.7:80", "lock:/var/lib/dpkg/lock", "host:[::1]:1"]
        {
            assert!(is_nearby(resource), "{resource}");
        }
        assert!(!is_nearby("host:registry.npmjs.org") && !is_nearby("host:93.184.216.34:443"));
    }
}
