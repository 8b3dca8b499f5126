//! The pages of the words that answers use and that are no type, class, strategy or level.
//!
//! In: a word as it is printed, in small letters with hyphens. Out: its page. A word that a text for people prints for the first
//! time gets a row here; other spellings of it are in `also`.

use super::ExplainPage;

/// A word with its meaning.
pub(super) struct Word {
    pub name: &'static str,
    /// What else is printed for it.
    also: &'static [&'static str],
    what: &'static str,
    why: &'static str,
    example: &'static str,
}

/// The words, by name.
#[rustfmt::skip]
pub(super) const WORDS: &[Word] = &[
    Word {
        name: "attempt", also: &["try", "tries", "run"],
        what: "one execution of a task's command or action, failed or not",
        why: "retries, budgets and loops are counted in attempts",
        example: "recovery hints TASK lists the attempts of a task",
    },
    Word {
        name: "baseline", also: &[],
        what: "the output of a run that worked, to compare with",
        why: "a line that a good run prints too is no evidence of a failure",
        example: "recovery classify --baseline green.log red.log",
    },
    Word {
        name: "breaker", also: &["cooldown", "resource"],
        what: "a host or service that several tasks found failing: all of them leave it alone for a while",
        why: "many tasks that retry at once keep an overloaded service down",
        example: "recovery breaker list",
    },
    Word {
        name: "budget", also: &[],
        what: "how much a task may still use: time for a run, repairs or replans for a task of a plan",
        why: "without a limit a failing task would go on all night",
        example: "recovery run --budget 2h -- ./build.sh",
    },
    Word {
        name: "checkpoint", also: &["good-commit", "last-good-commit"],
        what: "a commit that is known to work",
        why: "a broken build goes back to it instead of being fixed blindly",
        example: "cargo test && recovery checkpoint",
    },
    Word {
        name: "class", also: &[],
        what: "how far a failure reaches, from F1 (try again) to F5 (the plan is wrong) and F6 (a conflict)",
        why: "the reach decides whether to retry, to fix, to plan again or to ask a person",
        example: "recovery explain F3",
    },
    Word {
        name: "confidence", also: &[],
        what: "the estimated probability that an answer is right, from 0 to 1",
        why: "below 0.6 a failure is only tried once more before a person is asked",
        example: "recovery classify --verbose build.log",
    },
    Word {
        name: "directive", also: &["adjustment"],
        what: "the sentence that tells an agent how to repair its task",
        why: "it names the one thing to change, so that the next attempt differs from the last one",
        example: "RETRY: install the command jq: apt-get install -y jq",
    },
    Word {
        name: "exit-code", also: &[],
        what: "the number that a command ends with: 0 is success, everything else a failure",
        why: "it shows that something failed, rarely what",
        example: "recovery classify --exit-code 1 build.log",
    },
    Word {
        name: "expired", also: &["not-repeated"],
        what: "a failure that an agent met once and did not repeat",
        why: "most of what an agent tries and drops needs nobody",
        example: "recovery status --all",
    },
    Word {
        name: "failed", also: &["ended-in-failure"],
        what: "the last run of this task ended without success; nothing of it goes on by itself",
        why: "whoever started the run has seen it fail, so it does not wait for a person",
        example: "recovery status",
    },
    Word {
        name: "failing", also: &["still-failing"],
        what: "the task failed last time, and there is more to try",
        why: "it needs nobody yet",
        example: "recovery status",
    },
    Word {
        name: "feature", also: &[],
        what: "a part of the product, with its own files, that a plan is made for",
        why: "a failure that reaches across tasks is planned again for the whole feature (F4)",
        example: "[mission.features] in recovery.toml maps features to files",
    },
    Word {
        name: "fingerprint", also: &[],
        what: "a hash of an output without its changing parts, such as times and process ids",
        why: "two failures with the same fingerprint are the same failure",
        example: "recovery classify --format json build.log",
    },
    Word {
        name: "flaky", also: &[],
        what: "the same command worked when it was repeated, with nothing changed",
        why: "it will fail again: the cause is still there",
        example: "recovery: worked on retry 2 (flaky)",
    },
    Word {
        name: "frozen", also: &["freeze", "thaw"],
        what: "a node of the plan that nothing is tried on until a person thaws it",
        why: "what contradicts the mission, or has no replans left, is not a matter of trying",
        example: "recovery plan thaw NODE --reason TEXT",
    },
    Word {
        name: "gate", also: &["verification-failure-gate"],
        what: "repair is off: a person chooses to retry, to skip or to stop",
        why: "some teams want no automatic repair",
        example: "recovery gate TASK retry --reason TEXT",
    },
    Word {
        name: "handoff", also: &["continue"],
        what: "an agent's context is used up, so its progress is committed on a branch of its own",
        why: "the next session goes on from there with a fresh context",
        example: "recovery run --handoff -- ./agent.sh",
    },
    Word {
        name: "held-back", also: &[],
        what: "a tool call that a hook denies: the identical call failed identically three times and nothing has changed since",
        why: "one more repetition has the same result",
        example: "recovery allow lets it run again",
    },
    Word {
        name: "indicator", also: &["rule", "row"],
        what: "a text that a tool prints when it fails, with the error type that it shows",
        why: "what a tool prints is better evidence than its exit code",
        example: "recovery rules list",
    },
    Word {
        name: "journal", also: &[],
        what: "the durable record of every failure and decision, in the state directory",
        why: "a decision that is not recorded is forgotten after a crash",
        example: "recovery journal show",
    },
    Word {
        name: "ladder", also: &[],
        what: "five levels that a failing task climbs: retry, nudge, replan, fallback, force-done",
        why: "each level changes more than the one before; no time is spent on what has failed already",
        example: "recovery explain nudge",
    },
    Word {
        name: "not-recognised", also: &["unrecognised", "unknown-output"],
        what: "no rule knows this output, so only a person or an agent who reads it can tell what it is",
        why: "a guess would be worse than saying so",
        example: "recovery rules test build.log tries rules of your own on it",
    },
    Word {
        name: "overruled", also: &[],
        what: "an answer recommended something else than the decision: listed with the rule that won and why",
        why: "several rules look at one failure, and one of them has to win",
        example: "recovery decide --format json test.log",
    },
    Word {
        name: "pack", also: &[],
        what: "a set of indicators: `field` (what tools really print) or `documented` (the plain table)",
        why: "what is recognised depends on it",
        example: "recovery classify --pack documented build.log",
    },
    Word {
        name: "playbook", also: &[],
        what: "a command with its variations, under a name: [run.NAME] in recovery.toml",
        why: "what to try instead is written down once",
        example: "recovery run --dry-run build",
    },
    Word {
        name: "record", also: &[],
        what: "one entry of the journal: a failure with what was decided, or a change",
        why: "each is linked to the one before it by its hash, so that a lost or changed one is noticed",
        example: "recovery journal verify",
    },
    Word {
        name: "resolved", also: &[],
        what: "a person closed the task: it works, or was dealt with another way",
        why: "it leaves the lists of what is open",
        example: "recovery resolve TASK",
    },
    Word {
        name: "root-cause", also: &[],
        what: "the problem that ended the run, among all that were reported",
        why: "later errors often follow from the first one",
        example: "recovery problems build.log marks it with *",
    },
    Word {
        name: "scope", also: &[],
        what: "what a new plan covers: the task, the story or the feature",
        why: "the further a failure reaches, the more has to be planned again",
        example: "recovery decide --verbose test.log",
    },
    Word {
        name: "skimmed", also: &[],
        what: "the middle part of a very long output, which was searched for strong indicators only",
        why: "what went wrong is at one of the ends, nearly always",
        example: "recovery classify --format json huge.log",
    },
    Word {
        name: "skipped", also: &["pruned", "prune"],
        what: "the task was left out, because it cannot be done under the present plan",
        why: "other tasks need not wait for it",
        example: "recovery explain PRUNE",
    },
    Word {
        name: "story", also: &[],
        what: "tasks of a plan that belong together, below one parent",
        why: "the tasks of a story share its budget of replans",
        example: "recovery plan show",
    },
    Word {
        name: "stuck", also: &["needs-you", "given-up"],
        what: "a task for which nothing is left to try: it waits for a person",
        why: "trying on would only cost time",
        example: "recovery stuck; then recovery hints TASK",
    },
    Word {
        name: "task", also: &[],
        what: "what is worked on; attempts, level and records belong to one",
        why: "the third failure of one task means something else than the first failures of three",
        example: "recovery run --task nightly -- ./build.sh",
    },
    Word {
        name: "temporary", also: &[],
        what: "the kind of failure that often passes by itself, such as a dropped connection",
        why: "only such a failure is worth the same command again",
        example: "recovery: connection failed, temporary; retry 1/3 in 1 s",
    },
    Word {
        name: "variant", also: &[],
        what: "one way of running a command differently: a --nudge, or what an agent changes at level 2",
        why: "the same again would fail again",
        example: "recovery run --nudge 'make -j1' -- make -j8",
    },
    Word {
        name: "waiting", also: &["wait"],
        what: "the task waits for a conflict with another task to be settled",
        why: "two tasks that change the same thing would undo each other's work",
        example: "recovery conflicts list",
    },
];

/// The page of a word.
pub(super) fn page(id: &str) -> Option<ExplainPage> {
    let word = WORDS.iter().find(|word| word.name == id || word.also.contains(&id))?;
    let lines = [("what", word.what), ("why", word.why), ("example", word.example)];
    let lines = lines.map(|(label, text)| (label, text.to_owned())).to_vec();
    Some(ExplainPage { id: word.name.to_owned(), kind: "word", lines })
}
