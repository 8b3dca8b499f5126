//! The pages of the concepts: error types, failure types, classes, repair strategies and levels. Each states what it is, when
//! it applies, how that is found, with which numbers, what follows, and gives an example. Numbers come from the policies and
//! tables in use, so that a page is never wrong about them.

use super::ExplainPage;
use crate::answer;
use classifier_core::{RULES, first_class, replan_budget};
use escalation::{entry_level, matrix_level};
use recovery_engine::Engine;
use recovery_types::event::Tier;
use recovery_types::time::span;
use recovery_types::{Class, ErrorType, FailureType, Level, Strategy};

/// The page of the concept called `id`.
pub(super) fn page(engine: &Engine, id: &str) -> Option<ExplainPage> {
    error_type(engine, id)
        .or_else(|| failure_type(engine, id))
        .or_else(|| class(engine, id))
        .or_else(|| strategy(engine, id))
        .or_else(|| level(engine, id))
}

fn error_type(engine: &Engine, id: &str) -> Option<ExplainPage> {
    let error = ErrorType::from_name(id)?;
    let level = entry_level(error);
    let algorithm = match matrix_level(error) {
        Some(_) => "the ladder's matrix has a row for it; a project sets another level with [ladder.entry]",
        None => "the matrix has no row for it: how far the failure reaches, its class, decides the level",
    };
    let class = first_class(error);
    Some(ExplainPage {
        id: id.to_owned(),
        kind: "error type",
        lines: vec![
            ("what", format!("{}: {}", answer::phrase(error), error.meaning().trim())),
            ("next", answer::default_step(error).to_owned()),
            ("why", why_level(level).to_owned()),
            ("trigger", format!("an indicator of the {} pack, or a caller's `error_type`", engine.taxonomy.pack())),
            ("algorithm", algorithm.to_owned()),
            ("numbers", format!("level {} {}, {}", level.number(), level.action(), limits(engine, level))),
            ("action", format!("{}: {}", level.action(), does(level))),
            ("example", example_of(engine, error)),
            ("class", format!("{class:?} {}", class.name())),
            ("failure type", error.failure_type().name().to_owned()),
        ],
    })
}

/// A line that an indicator of this error type matches.
fn example_of(engine: &Engine, error: ErrorType) -> String {
    let rows = engine.taxonomy.indicators();
    let mut shown = rows.filter(|row| row.error_type == error && !row.hits.is_empty()).map(|row| row.hits);
    let line = shown.next().and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
    line.map_or_else(|| format!(r#"{{"exit_code":1,"error_type":"{error}"}}"#), |line| line.trim().to_owned())
}

fn failure_type(engine: &Engine, id: &str) -> Option<ExplainPage> {
    let failure = FailureType::ALL.into_iter().find(|failure| failure.name() == id)?;
    let errors: Vec<&str> = ErrorType::ALL.iter().filter(|e| e.failure_type() == failure).map(|e| e.name()).collect();
    let (what, trigger, numbers, example) = match failure {
        FailureType::BrokenBuild => (
            "the code does not compile, load or parse",
            "an indicator of a build error, such as `syntax error` or `cannot find module`",
            "checked first; rolls back only where a good commit is known (`recovery checkpoint`)",
            "Error: Cannot find module './utils' from 'src/index.js'",
        ),
        FailureType::VerificationFailed => (
            "the code runs, but fails its tests or checks",
            "an indicator of a failed check, such as `test failed` or `assertion`",
            "checked second; up to 3 attempts, this failure included",
            "AssertionError: Expected 200 but got 404",
        ),
        FailureType::ContextExhausted => (
            "the agent ran out of its context window",
            "an indicator of an exhausted context, such as `token limit`",
            "checked third; level 4, or a new session with `continuation = true`",
            "Error: Maximum context length (128k tokens) exceeded",
        ),
        FailureType::CircularFix => (
            "the same approach was tried again and again",
            "no indicator above, and the approach is like those of the last attempts",
            "Jaccard similarity above 0.3 with at least 2 of the last 3 attempts",
            "`Using async await for fetch`, `Using async/await with try-catch`, `Using async await pattern`",
        ),
        FailureType::Unknown => (
            "none of the other failure types",
            "nothing above holds",
            "checked last; 1 retry",
            "Error: Connection refused to database server",
        ),
    };
    let why = match failure {
        FailureType::BrokenBuild => "nothing else can be tested while the build is broken",
        FailureType::VerificationFailed => "the work is there but wrong; another approach may pass the same check",
        FailureType::ContextExhausted => "no attempt in the same session can succeed; what is done must not be lost",
        FailureType::CircularFix => "what failed twice in other words fails a third time",
        FailureType::Unknown => "without a cause, one repetition is worth its price and more are not",
    };
    let algorithm = match failure {
        FailureType::CircularFix => {
            "Jaccard similarity of keywords: words without stop words, split at everything that is not a letter or digit; shared words divided by all words"
        }
        FailureType::BrokenBuild
        | FailureType::VerificationFailed
        | FailureType::ContextExhausted
        | FailureType::Unknown => {
            "in order of priority: the first failure type of which an indicator occurs in the output"
        }
    };
    let first = failure_taxonomy::recovery_action(failure, 1, Some("HEAD"));
    let later = failure_taxonomy::recovery_action(failure, 3, None);
    let word = |action: &recovery_types::diagnosis::RecoveryAction| format!("{:?}", action.action).to_lowercase();
    let action = match (word(&first), word(&later)) {
        (first, later) if first == later => first,
        (first, later) => format!("{first} at first, {later} in the end"),
    };
    Some(ExplainPage {
        id: id.to_owned(),
        kind: "failure type",
        lines: vec![
            ("what", what.to_owned()),
            ("why", why.to_owned()),
            ("trigger", trigger.to_owned()),
            ("algorithm", algorithm.to_owned()),
            ("numbers", numbers.to_owned()),
            ("action", format!("{action}: {}", first.reason)),
            ("example", example.to_owned()),
            ("error types", errors.join(", ")),
            ("pack", engine.taxonomy.pack().to_string()),
        ],
    })
}

fn class(engine: &Engine, id: &str) -> Option<ExplainPage> {
    let class = Class::ALL.into_iter().find(|class| format!("{class:?}") == id)?;
    let (what, trigger, action, example) = match class {
        Class::F1 => (
            "the environment failed, not the work",
            "a transient error: a dropped connection, a rate limit, a held lock",
            "retry_with_backoff: the identical command again, nothing is changed",
            "read ECONNRESET",
        ),
        Class::F2 => (
            "a mistake within this task",
            "a first build, test, type or lint error; and everything that no other rule matches",
            "self_heal_propose: a fix within the task; single_retry where self-healing is off",
            "TypeError: Cannot read properties of undefined",
        ),
        Class::F3 => (
            "this task's approach does not work",
            "the third failure with the same output, or with the same failing test, as the last two",
            "replan_story: the story is decomposed again",
            "the same test fails for the third time",
        ),
        Class::F4 => (
            "the fault is not in this task alone: a sibling or the story above it is concerned",
            "a file that a sibling task touched, a failure in a sibling's file or test, or a deviation from the plan of 0.7 and more",
            "replan_feature: the feature is decomposed again",
            "an attempt touches src/api.rs, which task 3 of the same story has changed",
        ),
        Class::F5 => (
            "the failure contradicts the plan's mission",
            "a forbidden pattern, a protected path, or files of two features",
            "freeze_and_escalate: only a person may change what the plan is for",
            "the fix needs a dependency that the mission forbids",
        ),
        Class::F6 => (
            "two tasks collided",
            "`cause: conflict`, or a conflict id",
            "arbitrate: the task waits until `recovery resolve CONFLICT`; the third time a person is asked",
            r#"{"exit_code":1,"conflict_id":"CONFLICT-7"}"#,
        ),
    };
    let why = match class {
        Class::F1 => "changing the work for a fault of the environment makes it worse",
        Class::F2 => "most failures are mistakes within the task, and cheap to fix there",
        Class::F3 => "a third identical failure is not fixed by a fourth attempt at the same design",
        Class::F4 => "tasks that undo each other's work have to be planned together",
        Class::F5 => "what the plan is for is not the agent's to change",
        Class::F6 => "two tasks that go on at once would overwrite each other",
    };
    let rules: Vec<&str> = RULES.iter().filter(|rule| rule.class == Some(class)).map(|rule| rule.id.as_str()).collect();
    let sure: Vec<String> =
        RULES.iter().filter(|rule| rule.class == Some(class)).map(|rule| decimal(rule.confidence.get())).collect();
    let budget = match class {
        Class::F1 => format!("; {} retries", engine.ladder.retry.attempts),
        Class::F3 => format!("; {} replans of a story, 3 in a row", replan_budget(Tier::T3)),
        Class::F4 => format!("; {} replans of a feature, 3 in a row", replan_budget(Tier::T2)),
        Class::F6 => "; 2 arbitrations".to_owned(),
        Class::F2 | Class::F5 => String::new(),
    };
    let numbers =
        format!("confidence {} (0.03 more per corroboration; below 0.60: one retry, then a person){budget}", {
            let mut sure = sure;
            sure.dedup();
            sure.join(" or ")
        });
    Some(ExplainPage {
        id: id.to_owned(),
        kind: "class",
        lines: vec![
            ("what", format!("{}: {what}", class.name())),
            ("why", why.to_owned()),
            ("trigger", trigger.to_owned()),
            (
                "algorithm",
                format!("{} rules in order, the first that holds decides: {}", RULES.len(), rules.join(", ")),
            ),
            ("numbers", numbers),
            ("action", action.to_owned()),
            ("example", example.to_owned()),
        ],
    })
}

fn strategy(engine: &Engine, id: &str) -> Option<ExplainPage> {
    let strategy = Strategy::ALL.into_iter().find(|strategy| strategy.name() == id)?;
    let (what, action, example) = match strategy {
        Strategy::Retry => (
            "the approach was right, its execution failed",
            "the same task again, with one concrete adjustment taken from the error",
            "RETRY: install the Python package PyYAML, which has yaml: pip install PyYAML",
        ),
        Strategy::Decompose => (
            "the task is too coarse",
            "two or three sub-tasks in its place, each with one verifiable outcome; the plan file stays as it is",
            "DECOMPOSE: the parser reads dates | the command prints totals",
        ),
        Strategy::Prune => (
            "the task cannot be done under the present plan",
            "the task is left out, with one sentence why; its dependants are told",
            "PRUNE: dark mode is out of scope of this phase",
        ),
        Strategy::Escalate => (
            "a person has to decide",
            "nothing more is tried; what was tried and the question are handed over",
            "ESCALATE: 1. RETRY install jq (failed) | Which approach should be taken, or should it be skipped?",
        ),
    };
    let why = match strategy {
        Strategy::Retry => "a missing package or a wrong path says nothing against the approach",
        Strategy::Decompose => "a small task that fails shows where; a large one does not",
        Strategy::Prune => "work on what cannot be done, or is not wanted, is lost",
        Strategy::Escalate => "guessing at a decision that is a person's costs more than asking",
    };
    let rows: Vec<&node_repair::rules::RepairRule> =
        node_repair::RULES.iter().filter(|rule| rule.strategy == Some(strategy)).collect();
    let triggers: Vec<&str> = rows.iter().map(|rule| rule.summary).collect();
    let ids: Vec<&str> = rows.iter().map(|rule| rule.id.name()).collect();
    let spends = if strategy.spends_budget() { "spends one repair attempt" } else { "spends no repair attempt" };
    let total = node_repair::RULES.len();
    Some(ExplainPage {
        id: id.to_owned(),
        kind: "repair strategy",
        lines: vec![
            ("what", what.to_owned()),
            ("why", why.to_owned()),
            ("trigger", triggers.join("; or ")),
            ("algorithm", format!("{total} rules in order, the first that holds decides: {}", ids.join(", "))),
            ("numbers", format!("budget {} per task and per sub-task; {spends}", engine.repair.budget)),
            ("action", action.to_owned()),
            ("example", example.to_owned()),
        ],
    })
}

fn level(engine: &Engine, id: &str) -> Option<ExplainPage> {
    let named = |level: &Level| level.action() == id || format!("level-{}", level.number()) == id;
    let level = Level::ALL.into_iter().find(named)?;
    let entered: Vec<&str> = ErrorType::ALL.iter().filter(|e| entry_level(**e) == level).map(|e| e.name()).collect();
    let (loops, judge) = (&engine.ladder.loops, &engine.ladder.judge);
    let trigger = match level {
        Level::Retry => "a transient error of an action that is safe to repeat".to_owned(),
        Level::Nudge => format!(
            "level 1 used up; wrong parameters; a judge's evidenceOfCompletion below {}",
            judge.evidence_of_completion
        ),
        Level::Replan => format!(
            "level 2 used up; a judge's goalAlignment below {}; {} similar actions in a row",
            judge.goal_alignment, loops.replan
        ),
        Level::Fallback => {
            format!("level 3 used up; the wrong agent or model; {} similar actions in a row", loops.fallback)
        }
        Level::ForceDone => format!(
            "level 4 used up; {} similar actions in a row; the session's budget; only a person can go on",
            loops.force_done
        ),
    };
    let example = match level {
        Level::Retry => "recovery run --retries 5 --delay 2s -- npm ci",
        Level::Nudge => "recovery run --nudge 'make -j1' -- make -j8",
        Level::Replan => "recovery run --replan ./new-plan.sh -- ./agent.sh",
        Level::Fallback => "recovery run --fallback 'clean=make clean all' -- make",
        Level::ForceDone => "recovery stuck; then recovery hints TASK",
    };
    let algorithm = "the highest level of the error matrix, the judge and the loop detector; a task that keeps failing never goes \
        back to a lower level; a time limit ends a level also while there is progress";
    Some(ExplainPage {
        id: id.to_owned(),
        kind: "ladder level",
        lines: vec![
            ("what", format!("level {}: {}", level.number(), does(level))),
            ("why", why_level(level).to_owned()),
            ("trigger", trigger),
            ("algorithm", algorithm.to_owned()),
            ("numbers", limits(engine, level)),
            ("action", format!("{}; a TaskUpdate is recorded on entering it", level.action())),
            ("example", example.to_owned()),
            ("entered by", entered.join(", ")),
        ],
    })
}

/// The numbers of a level.
fn limits(engine: &Engine, level: Level) -> String {
    let policy = &engine.ladder;
    let limit = policy.limit_ms(level).map(span).unwrap_or_default();
    match level {
        Level::Retry => {
            let waits: Vec<String> = (1..=policy.retry.attempts).map(|n| span(policy.retry.backoff_ms(n))).collect();
            format!("{} attempts after {}; {limit} in all", policy.retry.attempts, waits.join(", "))
        }
        Level::Nudge => format!("{} variants; {limit} in all", policy.nudge.variants),
        Level::Replan => format!("{} new plan; {limit} in all", policy.replan.plans),
        Level::Fallback => format!("1 attempt per target ({}); {limit} in all", policy.fallback.targets.len()),
        Level::ForceDone => "the end, until a person resets the task".to_owned(),
    }
}

fn decimal(permille: u16) -> String {
    format!("{}.{:02}", permille / 1000, permille % 1000 / 10)
}

/// Why a level is entered.
const fn why_level(level: Level) -> &'static str {
    match level {
        Level::Retry => "many failures pass by themselves: a dropped connection, a rate limit, a held lock",
        Level::Nudge => "an error that is not temporary comes back when nothing changes, but the approach may be right",
        Level::Replan => "an approach that failed with every change is wrong",
        Level::Fallback => "another agent or command may succeed where this one did not",
        Level::ForceDone => "more attempts would only cost time; a person needs to know what is left to do",
    }
}

/// What is done at a level.
#[must_use]
pub const fn does(level: Level) -> &'static str {
    match level {
        Level::Retry => "the same command again, after a pause that doubles each time",
        Level::Nudge => "the same approach with one thing changed",
        Level::Replan => "another approach; the ones that failed are listed as known not to work",
        Level::Fallback => "another agent, model or command takes over",
        Level::ForceDone => "nothing more is tried; what was done and what is missing is handed over",
    }
}
