//! The next action as one sentence for people.
//!
//! In: the verb that the tables gave, and what it is about: the ladder's command, the repair, the event, what a replan
//! covers. Out: [`Next`], the verb with its sentence. Programs read the verb; the sentence is for people and models, begins
//! with the action, and names numbers, places and commands where they are known. Nothing is decided here: a sentence that
//! contradicts its verb is a mistake of this file.

use crate::decision::{LadderView, Next};
use crate::known::named_conflict;
use crate::reconcile::{EntryRule, Scope, Tree, Verb};
use crate::repair::adjustment;
use crate::text::plain;
use escalation::Policy;
use recovery_types::ladder::{Command, Target};
use recovery_types::repair::{Repair, Strategy};
use recovery_types::time::span;
use recovery_types::{Cooldown, FailureEvent, Level, Timestamp};

/// The data of a sentence.
pub(crate) struct SentenceContext<'a> {
    pub view: &'a LadderView,
    pub repair: &'a Repair,
    pub event: &'a FailureEvent,
    pub tree: Tree,
    pub now: Timestamp,
    pub policy: &'a Policy,
    /// The row that decided how the failure enters the ladder.
    pub rule: EntryRule,
    /// The wait of every task that uses the same resource.
    pub cooldown: Option<&'a Cooldown>,
    /// The scope of a replan.
    pub scope: Scope,
    /// The feature, if it has a name.
    pub feature: Option<&'a str>,
}

/// The verb with its sentence.
pub(crate) fn next(verb: Verb, context: &SentenceContext<'_>) -> Next {
    let attempt = context.view.attempt.unwrap_or(1);
    let of = |level: Level| context.policy.attempts(level);
    let adjustment = adjustment(context.repair);
    let main = match verb {
        Verb::Retry if context.rule == EntryRule::Unsure => {
            "Run the same command once more; if it fails again, a person has to look: the rules are not sure what it is."
                .to_owned()
        }
        Verb::Retry if context.rule == EntryRule::Unclear => {
            "Read the output; if it names no cause, run it once more.".to_owned()
        }
        Verb::Retry => {
            let wait = context.view.not_before.map_or(0, |at| at.since(context.now));
            format!("Run the same command again in {} (retry {attempt} of {}).", span(wait), of(Level::Retry))
        }
        Verb::Wait => {
            let until = context.view.not_before.unwrap_or(context.now);
            if let Some(cooldown) = context.cooldown.filter(|cooldown| cooldown.until == until) {
                let (resource, wait) = (&cooldown.resource, span(until.since(context.now)));
                return Next { verb, sentence: format!("Wait until {until} ({wait} from now): {resource} is given a rest by every task; then go on.") };
            }
            format!("Wait until {until} ({} from now), as the server asked, then go on.", span(until.since(context.now)))
        }
        Verb::Nudge if context.repair.strategy == Some(Strategy::Retry) => {
            format!("Same approach, changed (variant {attempt} of {}): {adjustment}.", of(Level::Nudge))
        }
        Verb::Nudge => format!("Same approach, other parameters (variant {attempt} of {}).", of(Level::Nudge)),
        Verb::Decompose => format!("Work on the parts one by one: {adjustment}."),
        Verb::Prune => format!("Leave this task out: {adjustment}."),
        Verb::Gate => {
            "Repair is off: retry, skip and mark incomplete, or stop and investigate; `recovery gate` records the choice."
                .to_owned()
        },
        Verb::Replan => {
            format!("Give up this approach and plan a new one{}{}.", covered(context), known_bad(context.view))
        }
        Verb::Fallback => format!("Hand over to {} with everything that was tried.", target(context.view)),
        Verb::Continue => "Commit what there is and go on in a new session with a short summary.".to_owned(),
        Verb::ForceDone => match &context.view.command {
            Some(Command::ForceDone { report }) => format!("Stop here with what is done. {}", report.recommendation),
            _ => "Stop here with what is done.".to_owned(),
        },
        Verb::Arbitrate => return arbitrate(named_conflict(context.event)),
        Verb::Done => "It works.".to_owned(),
    };
    let sentence = match (context.tree, &context.event.last_good_commit) {
        // Where nothing more is tried, a rollback is the choice of a person.
        (Tree::RollBack, Some(commit)) if verb == Verb::ForceDone => {
            let commit = commit.get(..10).unwrap_or(commit);
            format!("{main} The build worked at {commit}: `recovery rollback` goes back there.")
        }
        (Tree::RollBack, Some(commit)) => {
            format!("Go back to {} first (recovery rollback). {main}", commit.get(..10).unwrap_or(commit))
        }
        _ => main,
    };
    Next { verb, sentence }
}

/// What a task waits for until its conflict is settled.
pub(crate) fn arbitrate(conflict: Option<&str>) -> Next {
    let sentence = match conflict {
        Some(id) => format!("Two tasks collided ({id}): wait for the conflict arbiter, then `recovery resolve {id}`."),
        None => "Two tasks collided: wait for the conflict arbiter, then `recovery resolve` the task.".to_owned(),
    };
    Next { verb: Verb::Arbitrate, sentence }
}

/// The sentence after a success; a judge may have failed the work, or a person may still have to act.
pub(crate) fn after_success(verb: Verb, view: &LadderView, is_late: bool, repeated: Option<u32>) -> Next {
    if let (Verb::Done, None, Some(times)) = (verb, view.level, repeated) {
        let sentence = format!(
            "It works, with the same result {times} times in a row: repeating it changes nothing, go on to the next step."
        );
        return Next { verb, sentence };
    }
    let sentence = match (verb, view.level) {
        (Verb::Done, None) if is_late => "It works, after its time limits had passed.".to_owned(),
        (Verb::Done, Some(Level::ForceDone)) => {
            "It works now, but the task was force-done: `recovery reset` puts it back to work.".to_owned()
        }
        (Verb::Done, _) => "It works.".to_owned(),
        (_, level) => {
            let then = match level {
                None | Some(Level::Retry) => "run it again",
                Some(Level::Nudge) => "do what is missing, with the same approach",
                Some(Level::Replan) => "plan a new approach",
                Some(Level::Fallback) => "hand it to another agent or model",
                Some(Level::ForceDone) => "a person has to look at it",
            };
            format!("The command worked, but the judge failed the work: {then}.")
        }
    };
    Next { verb, sentence }
}

/// The subject of the new plan, if it is more than the task and has a name.
fn covered(context: &SentenceContext<'_>) -> String {
    let story = || context.event.node.as_ref().and_then(|node| node.parent_id.as_deref());
    let (what, name) = match context.scope {
        Scope::Story => ("story", story()),
        Scope::Feature => ("feature", context.feature),
        Scope::Task | Scope::User | Scope::Arbiter => return String::new(),
    };
    name.map(|name| format!(" for the {what} {}", plain(name))).unwrap_or_default()
}

fn known_bad(view: &LadderView) -> String {
    match &view.command {
        Some(Command::Replan { known_bad }) if !known_bad.is_empty() => {
            format!("; known not to work: {}", known_bad.join("; "))
        }
        _ => String::new(),
    }
}

fn target(view: &LadderView) -> String {
    match &view.command {
        Some(Command::Fallback { target: Target::Agent(name) }) => format!("the agent {name}"),
        Some(Command::Fallback { target: Target::Model(name) }) => format!("the model {name}"),
        _ => "the next model tier".to_owned(),
    }
}
