//! One page per rule. The examples are events, run as tests.
//!
//! In: the id of a rule. Out: the text that `recovery explain` prints: what the rule is for, when it fires, what it
//! recommends, and an event that makes it win. The examples are parsed and classified by the tests, so a page cannot
//! describe a rule that has changed. A new rule gets its page here; the compiler requires it, because the match has no
//! wildcard.

use crate::RuleId;

/// A rule explained: `recovery explain ID` shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulePage {
    /// What the rule looks for.
    pub what: &'static str,
    /// Why it has its place in the order, and why it gives its class.
    pub why: &'static str,
    /// An event, as JSON, that it decides.
    pub fires_on: &'static str,
    /// A near miss, as JSON, that another rule decides.
    pub does_not_fire_on: &'static str,
}

impl RuleId {
    /// The rule's page.
    ///
    /// ```
    /// assert!(classifier_core::RuleId::Conflict.page().what.contains("conflict"));
    /// ```
    #[must_use]
    pub const fn page(self) -> &'static RulePage {
        match self {
            Self::NotAFailure => &NOT_A_FAILURE,
            Self::Conflict => &CONFLICT,
            Self::TransientPattern => &TRANSIENT_PATTERN,
            Self::RepeatedFailure => &REPEATED_FAILURE,
            Self::SiblingFiles => &SIBLING_FILES,
            Self::FirstCodeError => &FIRST_CODE_ERROR,
            Self::Deviation => &DEVIATION,
            Self::MissionContradicted => &MISSION_CONTRADICTED,
            Self::Default => &DEFAULT,
        }
    }
}

const NOT_A_FAILURE: RulePage = RulePage {
    what: "The exit code is 0.",
    why: "A command that ends well has not failed, whatever it printed: a passing test may well print `ETIMEDOUT`. \
          There is no classification, and that is no error.",
    fires_on: r#"{"exit_code":0,"stderr_tail":"retried after ETIMEDOUT, ok"}"#,
    does_not_fire_on: r#"{"exit_code":1,"stderr_tail":""}"#,
};

const CONFLICT: RulePage = RulePage {
    what: "The event says that two tasks collided: `cause` is `conflict`, or there is a `conflict_id`.",
    why: "Who reports a conflict knows more than the output shows, and neither a retry nor a replan settles it. It goes \
          to the arbiter, before any other rule may send it elsewhere. Surer where a sibling touched the same files.",
    fires_on: r#"{"exit_code":1,"cause":"conflict","stderr_tail":"ECONNRESET"}"#,
    does_not_fire_on: r#"{"exit_code":1,"cause":"merge","conflict_id":null}"#,
};

const TRANSIENT_PATTERN: RulePage = RulePage {
    what: "The failure is transient: the network, a busy server, a rate limit. Used alone, the classifier looks in the \
           error output for ECONNRESET, ETIMEDOUT, EAI_AGAIN, 429, 503 or `rate limit`, in any case.",
    why: "The identical action may work in a moment, so nothing is replanned, however often it failed. Surer where the \
          exit code says the same (75, 124).",
    fires_on: r#"{"exit_code":1,"stderr_tail":"Error: Rate limit reached"}"#,
    does_not_fire_on: r#"{"exit_code":1,"stderr_tail":"TypeError: limit is not a function"}"#,
};

const REPEATED_FAILURE: RulePage = RulePage {
    what: "The third failed attempt or a later one, and the last two recorded attempts of this task printed the same.",
    why: "Two fixes that changed nothing say that the story cannot be reached as designed. An attempt in between that \
          printed something else, or worked, is progress. Surer where a test was edited twice or more, or where the \
          plan states a deviation above 0.5.",
    fires_on: r#"{"exit_code":1,"stderr_tail":"assertion failed","node":{"id":"TASK-1","failed_attempts":3},
 "history":[{"node":"TASK-1","stderr_tail":"assertion failed"},{"node":"TASK-1","stderr_tail":"assertion failed"}]}"#,
    does_not_fire_on: r#"{"exit_code":1,"stderr_tail":"assertion failed","node":{"id":"TASK-1","failed_attempts":3},
 "history":[{"node":"TASK-1","stderr_tail":"assertion failed"},{"node":"TASK-1","stderr_tail":"2 assertions failed"}]}"#,
};

const SIBLING_FILES: RulePage = RulePage {
    what: "This attempt touched a file that a sibling task (another node with the same parent) touched as well. Under the \
           field pack also where the failure is in a file or a test of a sibling's.",
    why: "Two tasks of one story that change the same file break each other: the cut between them is wrong, not the \
          code. `./src/a.rs`, `src//a.rs` and `src\\a.rs` are one file. Surer where the work has also drifted from the plan.",
    fires_on: r#"{"exit_code":1,"files_touched":["./src/a.rs"],"node":{"id":"TASK-1","parent_id":"STORY-1"},
 "history":[{"node":"TASK-2","parent":"STORY-1","files_touched":["src/a.rs"]}]}"#,
    does_not_fire_on: r#"{"exit_code":1,"files_touched":["src/a.rs"],"node":{"id":"TASK-1","parent_id":"STORY-1"},
 "history":[{"node":"TASK-1","parent":"STORY-1","files_touched":["src/a.rs"]}]}"#,
};

const FIRST_CODE_ERROR: RulePage = RulePage {
    what: "The first failure, and it is a build, test, type or lint error. Used alone, the classifier looks in the error \
           output and the test's output for TypeError, SyntaxError, `test failed` or `assertion`, in exactly this case.",
    why: "A first mistake in the code is everyday work: fix it here before anyone doubts the plan. Surer where the \
          output names a file that this attempt touched, less sure while the deviation is 0.5 or more.",
    fires_on: r#"{"exit_code":1,"stderr_tail":"TypeError: x is undefined"}"#,
    does_not_fire_on: r#"{"exit_code":1,"stderr_tail":"TypeError: x is undefined","node":{"id":"TASK-1","failed_attempts":2}}"#,
};

const DEVIATION: RulePage = RulePage {
    what: "The deviation score of the node is 0.7 or more: as stated, or computed as 0.4 min(failed attempts / 2.5, 1) + \
           0.3 min(revisions since planning / 3.3, 1) + 0.3 min(token overrun, 1).",
    why: "Many attempts, revisions and tokens beyond the plan say that the feature was cut wrongly. Surer where a sibling \
          task failed too.",
    fires_on: r#"{"exit_code":1,"node":{"id":"TASK-1","failed_attempts":3,"revisions_since_planning":4}}"#,
    does_not_fire_on: r#"{"exit_code":1,"node":{"id":"TASK-1","deviation_score":0.69}}"#,
};

const MISSION_CONTRADICTED: RulePage = RulePage {
    what: "The failure contradicts the T1 ancestor: a `forbid` pattern shows up in the output, the approach or the tool, a \
           `protect` glob matches a touched file, or the touched files belong to two or more `features`.",
    why: "What the mission forbids is not a planner's to decide, so a person is asked. One pattern alone is weak \
          evidence: its confidence falls below 0.6, and the task is retried once first. Surer with every further kind.",
    fires_on: r#"{"exit_code":1,"files_touched":["migrations/0001.sql"],
 "ancestor":{"constraints":[{"id":"frozen-schema","protect":["migrations/**"]}]}}"#,
    does_not_fire_on: r#"{"exit_code":1,"files_touched":["src/migrations.rs"],
 "ancestor":{"constraints":[{"id":"frozen-schema","protect":["migrations/**"]}]}}"#,
};

const DEFAULT: RulePage = RulePage {
    what: "No other rule fires.",
    why: "Most failures are local, and a local repair costs least. Surer where the output names a file that this attempt \
          touched, less sure while the deviation is 0.5 or more, and never surer than the diagnosis of the output.",
    fires_on: r#"{"exit_code":127,"stderr_tail":"sh: foo: command not found"}"#,
    does_not_fire_on: r#"{"exit_code":1,"stderr_tail":"connect ETIMEDOUT"}"#,
};
