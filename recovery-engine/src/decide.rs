//! One event and the task's state in, one decision out.

use crate::assess::{output, overran};
use crate::decision::{Decision, Denial, LadderView};
use crate::reconcile::{self, Tree, Verb};
use crate::sentence::{Told, next};
use crate::state::{Attempt, TaskState};
use crate::{Admitted, Assessment, Engine};
use escalation::{Failure, Input, Ladder, LoopDetector, Outcome};
use failure_taxonomy::normalise::strip_ansi;
use recovery_types::digest::sha256_hex;
use recovery_types::ladder::{Command, Transition};
use recovery_types::repair::{Repair, RepairRequest, Strategy, VerificationError};
use recovery_types::{Class, Diagnosis, FailureEvent, FailureType, Level, Timestamp};

/// Identical failures after which an action is held back, the last one included. A transient one is worth one more.
const HELD_AFTER: usize = 3;
/// For how long a transient failure is held back where the server does not say how long to wait.
const TRANSIENT_HOLD_MS: u64 = 30_000;

/// An action's identity: SHA-256 over the tool and its arguments, whitespace aside. Nothing else is folded: an action
/// that only looks like another one must never be held back for it.
///
/// ```
/// use recovery_engine::action_fingerprint;
/// let of = |action| action_fingerprint(Some("Bash"), action);
/// assert_eq!(of("make  check "), of("make check"));
/// assert_ne!(of("curl :3000/health"), of("curl :4000/health"));
/// assert_ne!(of("echo 'a  b'"), of("echo 'a b'"));
/// ```
#[must_use]
pub fn action_fingerprint(tool: Option<&str>, action: &str) -> String {
    // Between quotes, and from line to line, whitespace has a meaning.
    let has_meaning = action.trim().contains(['\'', '"', '\\', '\n', '`']);
    let plain =
        if has_meaning { action.trim().to_owned() } else { action.split_whitespace().collect::<Vec<_>>().join(" ") };
    sha256_hex(format!("{}\n{plain}", tool.unwrap_or_default()).as_bytes())
}

impl Engine {
    /// Decides about an admitted event of `task`. `observed` is the diagnosis where it was read from more output than
    /// the event holds.
    #[must_use]
    pub fn decide(
        &self,
        task: &str,
        past: &TaskState,
        event: &Admitted<FailureEvent>,
        observed: Option<&Diagnosis>,
        now: Timestamp,
    ) -> Decision {
        let event = &with_past(event, past);
        let assessment = match observed {
            Some(diagnosis) => self.assess_diagnosed(event, diagnosis, now),
            None => self.assess_text(event, now),
        };
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        let Some(Assessment { classification, diagnosis }) = assessment else {
            return self.decide_success(task, event, ladder, now);
        };
        // Repeating a transient failure is what level 1 is for: neither a loop nor a circular fix.
        let transient = classification.class == Class::F1;
        let similar = if transient || overran(event) { 0 } else { self.similar(past, event, &diagnosis) };
        let repair = self.repair_for(task, past, event, &diagnosis, classification.class, None);
        let continuing = self.continuation && diagnosis.failure_type == FailureType::ContextExhausted;
        let entry_level = if continuing {
            Some(Level::Nudge)
        } else if overran(event) {
            // Time alone decides about it: it neither waits nor lifts before the limit does.
            Some(Level::Retry)
        } else if self.ladder.entry.contains_key(&diagnosis.error_type) {
            None
        } else {
            reconcile::entry(diagnosis.error_type, classification.class, repair.strategy)
        };
        let input = match classification.class {
            Class::F6 => Input::Pause { reason: classification.evidence.join("; ") },
            Class::F1 | Class::F2 | Class::F3 | Class::F4 | Class::F5 => Input::Failure(Failure {
                error_type: diagnosis.error_type,
                idempotent: event.idempotent.unwrap_or(true),
                retry_after_ms: diagnosis.retry_after_ms,
                resets_at: diagnosis.resets_at,
                step: event.step.as_deref().map(plain),
                completed_steps: event.completed_steps.iter().map(|step| plain(step)).collect(),
                message: Some(headline(event, &diagnosis)),
                approach: event.approach.as_deref().map(plain),
                entry_level,
                judge: event.judge,
                similar,
                overran: overran(event),
            }),
        };
        ladder.handle(input, now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let level = view.level.unwrap_or(diagnosis.entry_level);
        // Nothing is left to spend once the ladder has ended: what remains is the question for a person.
        let ended = level == Level::ForceDone && repair.strategy.is_some_and(Strategy::spends_budget);
        let repair =
            if ended { self.repair_for(task, past, event, &diagnosis, classification.class, Some(0)) } else { repair };
        let mut verb = reconcile::verb(level, repair.strategy);
        if classification.class == Class::F6 {
            verb = Verb::Arbitrate;
        } else if continuing && level == Level::Nudge {
            verb = Verb::Continue;
        } else if matches!(view.command, Some(Command::WaitUntil { .. })) {
            verb = Verb::Wait;
        }
        let tree = match verb {
            Verb::Wait | Verb::Arbitrate => Tree::Keep,
            _ => reconcile::tree(level, diagnosis.failure_type, event.last_good_commit.is_some()),
        };
        let told = Told { view: &view, repair: &repair, event, tree, now, policy: &self.ladder };
        let next = next(verb, &told);
        let deny = self.deny(past, event, &diagnosis, transient, now);
        // A conflict is the arbiter's: nothing of the task itself is mended before it is settled.
        let repair = (classification.class != Class::F6).then_some(repair);
        Decision {
            task: task.to_owned(),
            at: now,
            failure: true,
            scope: reconcile::scope(classification.class),
            classification: Some(classification),
            diagnosis: Some(diagnosis),
            pack: self.taxonomy.pack().name().to_owned(),
            ladder: view,
            repair,
            tree,
            next,
            deny,
            escalation: transitions.iter().rev().find_map(|t| t.update.clone()),
            transitions,
        }
    }

    /// Moves the task's ladder without an event: a person's `Success` or `Reset`, a `Pause`, or time alone (`Tick`).
    #[must_use]
    pub fn advance(&self, task: &str, past: &TaskState, input: Input, now: Timestamp) -> Vec<Transition> {
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        ladder.handle(input, now);
        drain(&mut ladder)
    }

    /// Where the ladder stands at `now`, deadlines that have passed included. Nothing is recorded.
    #[must_use]
    pub fn ladder_at(&self, task: &str, past: &TaskState, now: Timestamp) -> LadderView {
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        ladder.handle_timeout(now);
        view(&ladder)
    }

    /// The command worked. A judge may still say that the work is not done.
    fn decide_success(&self, task: &str, event: &FailureEvent, mut ladder: Ladder, now: Timestamp) -> Decision {
        let failing = event.judge.filter(|judge| self.ladder.judge.entry(*judge).is_some());
        ladder.handle(failing.map_or(Input::Success, Input::Judge), now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let verb = match view.level {
            Some(level) if failing.is_some() => reconcile::verb(level, Some(Strategy::Retry)),
            _ => Verb::Done,
        };
        let next = crate::sentence::after_success(verb, &view);
        Decision {
            task: task.to_owned(),
            at: now,
            failure: failing.is_some(),
            classification: None,
            diagnosis: None,
            pack: self.taxonomy.pack().name().to_owned(),
            ladder: view,
            repair: None,
            tree: Tree::Keep,
            scope: reconcile::scope(Class::F2),
            next,
            deny: None,
            escalation: transitions.iter().rev().find_map(|t| t.update.clone()),
            transitions,
        }
    }

    /// Similar actions in a row. An outcome never seen before is progress: whoever edits and builds again is not
    /// looping while the errors change. A circular fix counts as a loop that asks for a new approach.
    fn similar(&self, past: &TaskState, event: &FailureEvent, diagnosis: &Diagnosis) -> u32 {
        let mut loops = LoopDetector::new(self.ladder.loops.clone());
        let mut seen: Vec<&str> = Vec::new();
        let mut similar = 0;
        let earlier = past.attempts.iter().map(|a| (&a.tool, &a.action, a.problems, a.fingerprint.as_str()));
        let problems = crate::problems::problems(&event.stderr_tail);
        let current = (&event.tool, &event.action, problems, diagnosis.fingerprint.as_str());
        for (tool, action, problems, fingerprint) in earlier.chain([current]) {
            let Some(action) = action else { continue };
            if !seen.contains(&fingerprint) {
                loops.clear();
                seen.push(fingerprint);
            }
            let action = escalation::Action::new(tool.clone().unwrap_or_default(), action.clone());
            similar = loops.observe(&action, Outcome::Failed { problems });
        }
        // What repeats itself by nature, for which the detector says 0, is no circular fix either.
        let by_nature = event.action.is_some() && similar == 0;
        if diagnosis.circular && !by_nature { similar.max(self.ladder.loops.replan) } else { similar }
    }

    /// The repair of a task that some planner reports: what its request does not say is diagnosed from the error's text.
    ///
    /// ```
    /// use recovery_engine::{Engine, PackName, admit};
    /// use recovery_types::{AdjustmentKind, RepairRequest, Timestamp};
    /// let mut request = RepairRequest::default();
    /// request.error.text = "cp: error writing 'out/a.bin': No space left on device".into();
    /// let repair = Engine::new(PackName::Field).select_repair(&admit(request), Timestamp::from_ms(0));
    /// assert_eq!(repair.adjustment.unwrap().kind, AdjustmentKind::FreeDisk);
    /// ```
    #[must_use]
    pub fn select_repair(&self, request: &Admitted<RepairRequest>, now: Timestamp) -> Repair {
        let mut request: RepairRequest = (**request).clone();
        if request.error_type.is_none() && !request.error.text.is_empty() {
            let text = request.error.text.clone();
            let event = FailureEvent { exit_code: 1, stderr_tail: text, ..FailureEvent::default() };
            if let Some(Assessment { diagnosis, .. }) = self.assess_text(&event, now) {
                request.error_type = Some(diagnosis.error_type);
                request.retry_after_ms = request.retry_after_ms.or(diagnosis.retry_after_ms);
                request.resets_at = request.resets_at.or(diagnosis.resets_at);
                request.missing = request.missing.or(diagnosis.missing);
                request.location = request.location.or(diagnosis.location);
                request.problem = request.problem.or(diagnosis.problem);
                request.indicators = diagnosis.indicators;
                request.row = diagnosis.row;
            }
        }
        node_repair::select(&request, &self.repair)
    }

    fn repair_for(
        &self,
        task: &str,
        past: &TaskState,
        event: &FailureEvent,
        diagnosis: &Diagnosis,
        class: Class,
        budget: Option<u32>,
    ) -> Repair {
        let mut failed = event.task.clone().unwrap_or_default();
        if failed.number.is_empty() {
            failed.number = event.node.as_ref().map_or_else(|| task.to_owned(), |node| node.id.clone());
        }
        let request = RepairRequest {
            task: failed,
            error: VerificationError { text: output(event).into_owned(), expected: None, actual: None },
            plan: event.plan.clone().unwrap_or_default(),
            budget,
            attempts: past.repairs.clone(),
            class: Some(class),
            error_type: Some(diagnosis.error_type),
            retry_after_ms: diagnosis.retry_after_ms,
            candidates: event.candidates.clone(),
            missing: diagnosis.missing.clone(),
            location: diagnosis.location.clone(),
            problem: diagnosis.problem.clone(),
            indicators: diagnosis.indicators.clone(),
            row: diagnosis.row.clone(),
            resets_at: diagnosis.resets_at,
            action: event.action.clone(),
        };
        node_repair::select(&request, &self.repair)
    }

    /// The identical action that failed in the identical way again and again, while nothing is known to have changed, is
    /// held back: until the server's own time where it named one, else for a while.
    fn deny(
        &self,
        past: &TaskState,
        event: &FailureEvent,
        diagnosis: &Diagnosis,
        transient: bool,
        now: Timestamp,
    ) -> Option<Denial> {
        let fingerprint = action_fingerprint(event.tool.as_deref(), event.action.as_deref()?);
        let same_outcome = |attempt: &&Attempt| {
            attempt.fingerprint == diagnosis.fingerprint
                && attempt.exit_code == event.exit_code
                && past.changed_at.is_none_or(|changed| attempt.at > changed)
        };
        let identical = 1 + past
            .attempts
            .iter()
            .rev()
            .filter(|attempt| attempt.is_of(&fingerprint))
            .take_while(same_outcome)
            .count();
        let resets_at = diagnosis.resets_at.filter(|at| *at > now);
        let (enough, until) = match resets_at {
            // The server said when: one run to see that it means it.
            Some(at) => (HELD_AFTER - 1, at),
            None if transient => {
                (HELD_AFTER + 1, now.plus_ms(diagnosis.retry_after_ms.unwrap_or(TRANSIENT_HOLD_MS).min(self.deny_ms)))
            }
            None => (HELD_AFTER, now.plus_ms(self.deny_ms)),
        };
        (identical >= enough).then(|| Denial {
            action: fingerprint,
            until,
            reason: format!("it failed {identical} times in the same way: {}", headline(event, diagnosis)),
        })
    }
}

/// The event with what the journal knows, where the caller did not say it.
fn with_past(event: &FailureEvent, past: &TaskState) -> FailureEvent {
    let mut event = event.clone();
    // The caller's own account of the task's attempts comes first; siblings' entries alone are no such account.
    if classifier_core::own_attempts(&event).next().is_none() {
        let recorded = past.history(event.node.as_ref());
        event.history.splice(0..0, recorded);
    }
    if event.last_good_commit.is_none() {
        event.last_good_commit.clone_from(&past.good_commit);
    }
    event
}

/// The line that says most: the one the first indicator stands on, else the last one that is not blank. Whoever stopped a
/// command says so last.
fn headline(event: &FailureEvent, diagnosis: &Diagnosis) -> String {
    const LONGEST: usize = 300;
    let printed = output(event);
    let text = strip_ansi(&printed);
    let told = diagnosis.indicators.iter().find(|hit| !hit.text.is_empty() && !overran(event));
    let pointed = told.and_then(|hit| {
        let wanted = hit.text.to_ascii_lowercase();
        text.lines().find(|line| line.to_ascii_lowercase().contains(&wanted))
    });
    let line = pointed.or_else(|| text.lines().rev().find(|line| !line.trim().is_empty()));
    match line {
        Some(line) => plain(line.trim()).chars().take(LONGEST).collect(),
        None => format!("exit code {} without output", event.exit_code),
    }
}

/// `text` as it can stand in a sentence or a note: colours and other terminal codes are left out whole.
fn plain(text: &str) -> String {
    strip_ansi(text).chars().filter(|c| !c.is_control()).collect()
}

fn drain(ladder: &mut Ladder) -> Vec<Transition> {
    std::iter::from_fn(|| ladder.poll_transition()).collect()
}

fn view(ladder: &Ladder) -> LadderView {
    let Some(climb) = ladder.state() else { return LadderView::default() };
    let paused = matches!(climb.clock, recovery_types::ladder::Clock::Paused { .. });
    LadderView {
        level: Some(climb.level),
        action: Some(climb.level.action().to_owned()),
        attempt: Some(climb.attempt),
        not_before: match &climb.command {
            Command::Retry { not_before, .. } => Some(*not_before),
            Command::WaitUntil { until, .. } => Some(*until),
            Command::Nudge { .. } | Command::Replan { .. } | Command::Fallback { .. } | Command::ForceDone { .. } => {
                None
            }
        },
        deadline: climb.deadline(),
        previous_levels: climb.previous_levels.clone(),
        command: (!paused).then(|| climb.command.clone()),
    }
}
