//! One decision does not contradict itself: a sweep over error types, repeated failures, repair budgets and outcomes, tasks, waits and
//! commits, with the invariants written out here a second time, apart from the tables that keep them.

use recovery_engine::reconcile::{Tree, Verb};
use recovery_engine::{Decision, Engine, Entry, PackName, TaskState, admit};
use recovery_types::diagnosis::RecoveryVerb;
use recovery_types::ladder::{Command, TaskMetadata};
use recovery_types::repair::{AdjustmentKind, FailedTask, PlanContext, Strategy};
use recovery_types::time::span;
use recovery_types::{Action, ErrorType, FailureEvent, Judge, Level, Timestamp};

/// What a verb carries out, of the classifier's actions.
fn is_recommended(action: Action, verb: Verb) -> bool {
    match action {
        Action::RetryWithBackoff => [Verb::Retry, Verb::Wait].contains(&verb),
        Action::SelfHealPropose => {
            [Verb::Nudge, Verb::Decompose, Verb::Gate, Verb::Continue, Verb::Wait].contains(&verb)
        }
        Action::SingleRetry => [Verb::Retry, Verb::Nudge, Verb::Wait].contains(&verb),
        Action::SingleRetryThenEscalate => [Verb::Retry, Verb::ForceDone, Verb::Wait].contains(&verb),
        Action::ReplanStory | Action::ReplanFeature => verb == Verb::Replan,
        Action::FreezeAndEscalate => verb == Verb::ForceDone,
        Action::Arbitrate => verb == Verb::Arbitrate,
    }
}

/// What a verb and a tree carry out, of the failure types' actions.
fn is_carried_out(action: RecoveryVerb, verb: Verb, tree: Tree) -> bool {
    match action {
        RecoveryVerb::Rollback => tree == Tree::RollBack,
        RecoveryVerb::Retry => [Verb::Retry, Verb::Wait, Verb::Nudge, Verb::Decompose, Verb::Continue].contains(&verb),
        RecoveryVerb::Skip => [Verb::Prune, Verb::ForceDone].contains(&verb),
        RecoveryVerb::Continue => verb == Verb::Continue || tree == Tree::Commit,
        RecoveryVerb::Escalate => [Verb::ForceDone, Verb::Gate, Verb::Arbitrate].contains(&verb),
    }
}

/// What a verb carries out, of the repair strategies; none is the gate.
fn is_repaired(strategy: Option<Strategy>, verb: Verb) -> bool {
    match strategy {
        Some(Strategy::Retry) => [Verb::Retry, Verb::Wait, Verb::Nudge].contains(&verb),
        Some(Strategy::Decompose) => verb == Verb::Decompose,
        Some(Strategy::Prune) => verb == Verb::Prune,
        Some(Strategy::Escalate) => verb == Verb::ForceDone,
        None => verb == Verb::Gate,
    }
}

/// What the ladder's command may be called.
fn is_named(command: Option<&Command>, verb: Verb) -> bool {
    match command {
        None => [Verb::Prune, Verb::Arbitrate, Verb::Done].contains(&verb),
        Some(Command::Retry { .. }) => verb == Verb::Retry,
        Some(Command::Nudge { .. }) => [Verb::Nudge, Verb::Decompose, Verb::Gate, Verb::Continue].contains(&verb),
        Some(Command::Replan { .. }) => verb == Verb::Replan,
        Some(Command::Fallback { .. }) => verb == Verb::Fallback,
        Some(Command::ForceDone { .. }) => verb == Verb::ForceDone,
        Some(Command::WaitUntil { .. }) => verb == Verb::Wait,
    }
}

/// Words that ask for the same action again, unchanged.
const UNCHANGED: [&str; 2] = ["run the same", "Run the same command"];

/// Everything in `decision` that contradicts something else in it.
fn contradictions(decision: &Decision, event: &FailureEvent) -> Vec<String> {
    let mut found = Vec::new();
    let mut claim = |holds: bool, what: String| {
        if !holds {
            found.push(what);
        }
    };
    let (verb, tree, now) = (decision.next.verb, decision.tree, decision.at);
    let sentence = &decision.next.sentence;

    // Every recommendation is followed, or overruled by name; and nothing is overruled that is followed.
    let overruled = |what: &str| decision.overruled.iter().any(|o| o.what.starts_with(what));
    if let Some(class) = &decision.classification {
        let follows = is_recommended(class.recommended_action, verb);
        let what = format!("{:?} with {verb:?}", class.recommended_action);
        claim(follows != overruled("classification.recommended_action"), what);
    }
    if let Some(kind) = &decision.diagnosis {
        let follows = is_carried_out(kind.recovery_action.action, verb, tree);
        let what = format!("{:?} with {verb:?}", kind.recovery_action.action);
        claim(follows != overruled("diagnosis.recovery_action"), what);
    }
    if let Some(repair) = &decision.repair {
        let follows = is_repaired(repair.strategy, verb);
        claim(follows != overruled("repair."), format!("{:?} with {verb:?}", repair.strategy));
        let directive = repair.directive.as_deref().unwrap_or_default();
        let named = repair.strategy.map(Strategy::name).unwrap_or_default();
        claim(directive.starts_with(named), format!("{directive} of {named}"));
    }
    for o in &decision.overruled {
        let says = ![&o.by, &o.what, &o.why].iter().any(|text| text.is_empty());
        claim(says, format!("{o:?} does not say who won and why"));
    }

    // The verb is the ladder's command.
    claim(is_named(decision.ladder.command.as_ref(), verb), format!("{:?} as {verb:?}", decision.ladder.command));
    let is_done = decision.ladder.level == Some(Level::ForceDone);
    claim(is_done == (verb == Verb::ForceDone), format!("{:?} at {:?}", verb, decision.ladder.level));
    if let Some(Command::ForceDone { report }) = &decision.ladder.command {
        let texts = [&report.failed_at, &report.failure_reason, &report.recommendation];
        let is_full = !texts.iter().any(|text| text.is_empty()) && !report.completed_steps.is_empty();
        claim(is_full, format!("{report:?} is not whole"));
    }
    if let Some(update) = &decision.escalation {
        let level = match &update.metadata {
            TaskMetadata::Level(level) => level.recovery_level,
            TaskMetadata::ForceDone(_) => Level::ForceDone,
        };
        claim(decision.ladder.level.is_none_or(|at| at == level), format!("record of level {level:?}"));
    }

    // One wait.
    let wait = decision.ladder.not_before.map(|at| at.since(now));
    let again = decision.ladder.command.as_ref().map(|command| match command {
        Command::Retry { not_before, .. } => Some(not_before.since(now)),
        Command::WaitUntil { until, then, .. } => match &**then {
            Command::Retry { not_before, .. } => Some((*not_before).max(*until).since(now)),
            _ => Some(until.since(now)),
        },
        _ => None,
    });
    claim(again.flatten() == wait, format!("the command waits {again:?}, the view {wait:?}"));
    let step = decision.repair.as_ref().and_then(|repair| repair.adjustment.as_ref());
    if let Some(named) = step.and_then(|step| step.wait_ms) {
        claim(Some(named) == wait, format!("the repair waits {named} ms, the ladder {wait:?}"));
        let text = &step.unwrap().text;
        let says = !text.contains(" s ") || text.contains(&span(named));
        claim(says, format!("{text:?} with a wait of {named} ms"));
    }
    if let (Verb::Retry | Verb::Wait, Some(wait)) = (verb, wait) {
        let says = sentence.contains(&span(wait)) || sentence.contains("once more");
        claim(says, format!("{sentence:?} with a wait of {wait} ms"));
    }

    // The same again only where the ladder repeats, and never what is not safe to repeat.
    let is_safe = event.idempotent != Some(false);
    let repeats = [Verb::Retry, Verb::Wait].contains(&verb) && is_safe;
    claim(verb != Verb::Retry || (is_safe && decision.ladder.level == Some(Level::Retry)), "an unsafe retry".into());
    let directive = decision.repair.as_ref().and_then(|repair| repair.directive.as_deref()).unwrap_or_default();
    // What was tried is listed; what is asked for comes last.
    let asked = directive.rsplit(" | ").next().unwrap_or_default();
    let texts = [sentence.as_str(), asked, step.map_or("", |step| step.text.as_str())];
    for text in texts {
        let unchanged = UNCHANGED.iter().any(|words| text.contains(words));
        claim(repeats || !unchanged, format!("{verb:?} says {text:?}"));
    }
    let again = step.filter(|step| matches!(step.kind, AdjustmentKind::Repeat | AdjustmentKind::Wait));
    let is_checked = again.is_none_or(|step| !is_safe && step.text.contains("took effect"));
    claim(repeats || is_checked, format!("{:?} beside {verb:?}", again.map(|step| &step.text)));
    if let Some(hold) = &decision.deny {
        let is_one = verb != Verb::Retry && (verb != Verb::Wait || Some(hold.until) == decision.ladder.not_before);
        claim(is_one, format!("held until {} beside {sentence:?}", hold.until));
    }

    // The tree.
    let commit = decision.rollback_to.is_some();
    claim(commit == (tree == Tree::RollBack), format!("{tree:?} to {:?}", decision.rollback_to));
    let named = if is_done { sentence.ends_with("goes back there.") } else { sentence.starts_with("Go back to") };
    claim(commit == named, format!("{tree:?}: {sentence}"));
    found
}

/// What is varied besides the error type, by the number of the life.
fn vary(event: &mut FailureEvent, error: ErrorType, number: usize) {
    let text = ["it broke", "it broke, retry after 20 seconds", "HTTP 429, Retry-After: 1"][number % 3];
    event.stderr_tail = format!("{text}: {error}");
    event.idempotent = [None, Some(false)][number / 3 % 2];
    event.action = [None, Some("make all".to_owned())][number / 6 % 2].clone();
    event.last_good_commit = [None, Some("0123456789abcdef".to_owned())][number / 12 % 2].clone();
    event.judge = [None, Some(Judge { evidence_of_completion: Some(3), ..Judge::default() })][number / 24 % 2];
}

/// The tasks of a plan: none, one too coarse, one that is a decision, one that is out of scope.
fn planned(event: &mut FailureEvent, which: usize) {
    let named = |name: &str| FailedTask { number: "4".into(), name: name.into(), ..FailedTask::default() };
    match which {
        1 => {
            let done_criteria = vec!["the parser reads dates".to_owned(), "the command prints totals".to_owned()];
            event.task = Some(FailedTask { done_criteria, ..named("import") });
        }
        2 => event.task = Some(FailedTask { decision: true, ..named("choose a database") }),
        3 => {
            event.task = Some(named("dark mode"));
            event.plan = Some(PlanContext { out_of_scope: vec!["dark mode".into()], ..PlanContext::default() });
        }
        _ => {}
    }
}

/// One task's life: it fails `failures` times, `gap` ms apart; each contradiction with where it was.
fn live(engine: &Engine, event: &FailureEvent, failures: usize, gap: i64, repaired: Option<bool>) -> Vec<String> {
    let mut state = TaskState::default();
    let mut wrong = Vec::new();
    for number in 0..failures {
        let at = Timestamp::from_ms(number as i64 * gap);
        let admitted = admit(event.clone());
        let decision = engine.decide("T", &state, &admitted, None, at);
        for what in contradictions(&decision, event) {
            wrong.push(format!("{:?} failure {}: {what}", event.error_type, number + 1));
        }
        state.apply(&Entry::Decided {
            event: Box::new(admitted),
            observed: None,
            head: None,
            policy: None,
            decision: Box::new(decision),
        });
        if let Some(ok) = repaired {
            state.apply(&Entry::Repaired { at, ok, log: None });
        }
    }
    wrong
}

fn engine(enabled: bool, budget: u32, pack: PackName) -> Engine {
    let mut engine = Engine::new(pack);
    engine.repair = node_repair::RepairConfig { enabled, budget };
    engine
}

fn listed(wrong: &[String]) -> String {
    wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
}

/// Every error type, with each repair setting and each sort of task, failing until nothing is left to try.
#[test]
fn every_decision_says_one_thing() {
    let engines = [(true, 2), (true, 0), (true, 9), (false, 2)].map(|(on, budget)| engine(on, budget, PackName::Field));
    let mut wrong = Vec::new();
    let mut number = 0;
    for error in ErrorType::ALL {
        for engine in &engines {
            for task in 0..4 {
                let mut event =
                    FailureEvent { exit_code: 1, error_type: Some(error.name().to_owned()), ..FailureEvent::default() };
                vary(&mut event, *error, number);
                planned(&mut event, task);
                let repaired = [None, Some(false), Some(true)][number % 3];
                let gap = [1000, 31_000, 400_000][number / 3 % 3];
                wrong.extend(live(engine, &event, 9, gap, repaired));
                number += 7;
            }
        }
    }
    assert!(wrong.is_empty(), "{} contradictions:\n{}", wrong.len(), listed(&wrong));
}

/// The outputs that the documents give as examples, and common ones, as they are.
#[test]
fn every_decision_about_an_output_says_one_thing() {
    let outputs = [
        "Error: Cannot find module './utils' from 'src/index.js'",
        "AssertionError: Expected 200 but got 404",
        "Error: Maximum context length (128k tokens) exceeded",
        "Error: Connection refused to database server",
        "read ECONNRESET",
        "HTTP 429 Too Many Requests",
        "HTTP 429 Too Many Requests\nRetry-After: 30",
        "Error: Rate limit reached. Please try again in 20s.",
        "HTTP/1.1 503 Service Unavailable",
        "getaddrinfo EAI_AGAIN registry.npmjs.org",
        "bash: jq: command not found",
        "cat: config.yaml: No such file or directory",
        "error[E0308]: mismatched types\nerror: could not compile `x`",
        "fatal: Authentication failed for 'https://example.com/x.git/'",
        "You've hit your session limit · resets 1970-01-01T03:00:00Z",
        "ERROR: deadlock detected",
        "",
    ];
    let mut wrong = Vec::new();
    let engines = PackName::ALL.map(|pack| engine(true, 2, pack));
    let continuing = Engine { continuation: true, ..engine(true, 2, PackName::Field) };
    for engine in engines.iter().chain([&continuing]) {
        for (number, output) in outputs.iter().enumerate() {
            for idempotent in [None, Some(false)] {
                for conflict_id in [None, Some("C-1".to_owned())] {
                    let event = FailureEvent {
                        exit_code: 1,
                        stderr_tail: (*output).to_owned(),
                        idempotent,
                        conflict_id,
                        action: (number % 2 == 0).then(|| "make all".to_owned()),
                        ..FailureEvent::default()
                    };
                    wrong.extend(live(engine, &event, 6, 3000, None));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} contradictions:\n{}", wrong.len(), listed(&wrong));
}
