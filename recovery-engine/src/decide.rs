//! One event and the task's state in, one decision out.

use crate::assess::{output, overran};
use crate::decision::{Decision, Denial, LadderView};
use crate::reconcile::{self, Case, Entry, EntryRule, Ladder as Position, Tree, Verb};
use crate::resource::resource_in;
use crate::sentence::{Told, next};
use crate::state::{Attempt, TaskState};
use crate::{Admitted, Assessment, Engine};
use escalation::{Failure, Input, Ladder, LoopDetector, Outcome};
use failure_taxonomy::normalise::strip_ansi;
use recovery_types::digest::sha256_hex;
use recovery_types::ladder::{Blocked, Cause, Command, Transition};
use recovery_types::repair::{AdjustmentKind, Repair, RepairRequest, Strategy, VerificationError};
use recovery_types::{
    Action, Class, Classification, Cooldown, CooldownState, Diagnosis, FailureEvent, FailureType, HistoryEntry, Level,
    Node, Timestamp,
};

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
        self.decide_shared(task, past, event, observed, now, &mut |_| None)
    }

    /// [`Engine::decide`], where `shared` knows what other tasks wait for that use the same resource. What it answers
    /// belongs into the stored event ([`Admitted::with_cooldown`]), so that a replay sees the same.
    #[must_use]
    pub fn decide_shared(
        &self,
        task: &str,
        past: &TaskState,
        event: &Admitted<FailureEvent>,
        observed: Option<&Diagnosis>,
        now: Timestamp,
        shared: &mut dyn FnMut(&str) -> Option<Cooldown>,
    ) -> Decision {
        let event = &with_past(event, past);
        let assessment = match observed {
            Some(diagnosis) => self.assess_diagnosed(event, diagnosis),
            None => self.assess_text(event, now),
        };
        let mut ladder = Ladder::restore(self.ladder.clone(), task, past.ladder.as_ref());
        let Some(Assessment { classification, diagnosis }) = assessment else {
            return self.decide_success(task, past, event, ladder, now);
        };
        // Repeating a transient failure is what level 1 is for: neither a loop nor a circular fix.
        let transient = classification.class == Class::F1;
        let resource = if transient { self.resource(event, &diagnosis) } else { None };
        let known = resource.as_deref().and_then(|resource| event.cooldown.clone().or_else(|| shared(resource)));
        let known = known.filter(|cooldown| cooldown.until > now);
        let similar = if transient || overran(event) { 0 } else { self.similar(past, event, &diagnosis) };
        let similar = similar.max(event.similar.unwrap_or(0));
        let mut repair = self.repair_for(task, past, event, &diagnosis, classification.class, None);
        let case = Case {
            class: classification.class,
            action: classification.recommended_action,
            error: diagnosis.error_type,
            strategy: repair.strategy,
            arbitrations: past.arbitrations(&conflict_of(event)),
            is_frozen: past.frozen.is_some() || is_frozen(event),
            was_unsure: past.was_unsure,
            is_continued: self.continuation && diagnosis.failure_type == FailureType::ContextExhausted,
            overran: overran(event),
            is_configured: self.ladder.entry.contains_key(&diagnosis.error_type),
        };
        let (row, entry) = reconcile::entry(&case);
        let entry_level = match entry {
            Entry::Level(level) => Some(level),
            Entry::Class => Some(reconcile::class_level(classification.class)),
            Entry::Matrix | Entry::Pause | Entry::Skip => None,
        };
        let failure = Failure {
            error_type: diagnosis.error_type,
            idempotent: event.idempotent.unwrap_or(true),
            retry_after_ms: diagnosis.retry_after_ms,
            resets_at: diagnosis.resets_at,
            cooldown_until: known.as_ref().map(|cooldown| cooldown.until),
            step: event.step.as_deref().map(plain),
            completed_steps: event.completed_steps.iter().map(|step| plain(step)).collect(),
            message: Some(headline(event, &diagnosis)),
            approach: event.approach.as_deref().map(plain),
            entry_level,
            judge: event.judge,
            similar,
            overran: overran(event),
            blocked: blocked(row.id, &classification, event, past.frozen.as_deref()),
        };
        let looped = self.ladder.loops.entry(similar).is_some_and(|level| Some(level) >= entry_level);
        let entered = match entry {
            Entry::Pause | Entry::Skip => None,
            Entry::Level(_) | Entry::Class | Entry::Matrix => Some(self.ladder.entry_level(&failure)),
        };
        let input = match entry {
            Entry::Pause => Input::Pause { reason: classification.evidence.join("; ") },
            Entry::Skip => Input::Skip { reason: adjustment(&repair).to_owned() },
            Entry::Level(_) | Entry::Class | Entry::Matrix => Input::Failure(failure),
        };
        ladder.handle(input, now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let level = view.level.or(diagnosis.entry_level).unwrap_or(Level::Nudge);
        // Nothing is left to spend once the ladder has ended: what remains is the question for a person.
        if level == Level::ForceDone && repair.strategy.is_some_and(Strategy::spends_budget) {
            repair = self.repair_for(task, past, event, &diagnosis, classification.class, Some(0));
        }
        let position = match entry {
            Entry::Skip if view.level != Some(Level::ForceDone) => Position::Skipped,
            Entry::Pause if view.level != Some(Level::ForceDone) => Position::Paused,
            Entry::Level(_) | Entry::Class | Entry::Matrix | Entry::Pause | Entry::Skip => match &view.command {
                Some(Command::WaitUntil { .. }) => Position::Waiting(level),
                _ if row.id == EntryRule::Continuation && level == Level::Nudge => Position::Continuing,
                _ => Position::At(level),
            },
        };
        let verb = reconcile::verb(position, repair.strategy);
        if event.idempotent == Some(false) {
            never_repeat_unchanged(&mut repair, CHECK_FIRST);
        }
        let tree = reconcile::tree(verb, level, diagnosis.failure_type, event.last_good_commit.is_some());
        let cause = transitions.last().map_or(Cause::Failure, |last| last.cause);
        let winner = reconcile::winner(row, entered, view.level, cause, looped);
        let overruled =
            reconcile::overruled(classification.recommended_action, &diagnosis.recovery_action, verb, tree, winner);
        let cooldown = known.as_ref();
        let told =
            Told { view: &view, repair: &repair, event, tree, now, policy: &self.ladder, rule: row.id, cooldown };
        let next = next(verb, &told);
        let stated = stated_wait(&diagnosis, now);
        let cooldown = known.or_else(|| {
            let (resource, until) = (resource.clone()?, stated?);
            Some(Cooldown { resource, until, state: CooldownState::Open })
        });
        let deny = self.deny(past, event, &diagnosis, transient, now);
        // A RETRY or DECOMPOSE is logged when its outcome is known.
        if repair.strategy.is_some_and(Strategy::spends_budget) {
            repair.log = None;
        }
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
            log: repair.as_ref().and_then(|repair| repair.log.clone()),
            repair,
            tree,
            next,
            resource,
            cooldown,
            overruled,
            rollback_to: event.last_good_commit.clone().filter(|_| tree == Tree::RollBack),
            deny,
            escalation: transitions.iter().rev().find_map(|t| t.update.clone()),
            transitions,
        }
    }

    /// What a failure is about, where its output or its command shows it: the line of the indicator says most, then the
    /// last lines, then the command.
    fn resource(&self, event: &FailureEvent, diagnosis: &Diagnosis) -> Option<String> {
        const LAST_LINES: usize = 40;
        let printed = output(event);
        let text = strip_ansi(&printed);
        let wanted: Vec<String> = diagnosis
            .indicators
            .iter()
            .map(|hit| hit.text.to_ascii_lowercase())
            .filter(|text| !text.is_empty())
            .collect();
        let has_indicator = |line: &&str| {
            let line = line.to_ascii_lowercase();
            wanted.iter().any(|text| line.contains(text.as_str()))
        };
        let pointed = text.lines().rev().take(LAST_LINES).filter(has_indicator);
        resource_in(pointed.chain(text.lines().rev().take(LAST_LINES)).chain(event.action.as_deref()))
    }

    /// The resource that a command names, such as the host of its address.
    #[must_use]
    pub fn resource_of_command(&self, command: &str) -> Option<String> {
        resource_in(std::iter::once(command))
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

    /// Whether a judge failed the work, whatever the exit code says.
    #[must_use]
    pub fn is_failed_by_judge(&self, event: &FailureEvent) -> bool {
        event.judge.is_some_and(|judge| self.ladder.judge.entry(judge).is_some())
    }

    /// The command worked. A judge may still say that the work is not done.
    fn decide_success(
        &self,
        task: &str,
        past: &TaskState,
        event: &FailureEvent,
        mut ladder: Ladder,
        now: Timestamp,
    ) -> Decision {
        let failing = event.judge.filter(|_| self.is_failed_by_judge(event));
        let input = match failing {
            Some(judge) => Input::Judge(judge),
            // Once somebody was told to stop, the task is a person's, whatever works meanwhile.
            None if past.was_told_to_stop => Input::Tick,
            None => Input::Success,
        };
        ladder.handle(input, now);
        let transitions = drain(&mut ladder);
        let view = view(&ladder);
        let verb = match view.level {
            Some(level) if failing.is_some() => reconcile::verb(Position::At(level), Some(Strategy::Retry)),
            _ => Verb::Done,
        };
        let is_late = transitions.iter().any(|moved| moved.to == Some(Level::ForceDone))
            || past.climb().is_some_and(recovery_types::Climb::is_done);
        let next = crate::sentence::after_success(verb, &view, is_late);
        let log = (verb == Verb::Done).then(|| past.repair_log(task, true)).flatten();
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
            resource: None,
            cooldown: None,
            overruled: Vec::new(),
            rollback_to: None,
            log,
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
    if let Some(plan) = past.plan.as_deref() {
        as_planned(event.node.get_or_insert_with(|| Node { id: plan.id.clone(), ..Node::default() }), plan, past);
    }
    let stated = std::mem::replace(&mut event.completed_steps, past.steps.clone());
    for step in stated {
        if !event.completed_steps.contains(&step) {
            event.completed_steps.push(step);
        }
    }
    let recorded = past.history(event.node.as_ref());
    event.history = merged(recorded, std::mem::take(&mut event.history));
    if event.last_good_commit.is_none() {
        event.last_good_commit.clone_from(&past.good_commit);
    }
    if let (Some(node), Some(budget)) = (&mut event.node, past.replan_budget) {
        let left = budget.saturating_sub(u32::try_from(past.replans.len()).unwrap_or(u32::MAX));
        node.replan_budget_remaining.get_or_insert(left);
    }
    event
}

/// Fills in what the plan says of the node and the event does not.
fn as_planned(node: &mut Node, plan: &Node, past: &TaskState) {
    if node.id != plan.id {
        return;
    }
    node.parent_id = node.parent_id.take().or_else(|| plan.parent_id.clone());
    node.tier = node.tier.or(plan.tier);
    node.deviation_score = node.deviation_score.or(plan.deviation_score);
    node.actual_tokens = node.actual_tokens.or(plan.actual_tokens);
    node.context_budget = node.context_budget.or(plan.context_budget);
    node.revisions_since_planning = node.revisions_since_planning.max(plan.revisions_since_planning);
    if let (None, Some(planned)) = (node.failed_attempts, plan.failed_attempts) {
        let since = past.failures.saturating_sub(past.failures_when_planned);
        node.failed_attempts = Some(planned.max(past.failures_when_planned) + since + 1);
    }
    for (test, edits) in &plan.test_edits {
        node.test_edits.entry(test.clone()).or_insert(*edits);
    }
}

/// What the journal knows, then what the caller says beyond that, oldest first. An attempt that both name counts once:
/// it has the same time, or the same output.
fn merged(recorded: Vec<HistoryEntry>, stated: Vec<HistoryEntry>) -> Vec<HistoryEntry> {
    let digest = |entry: &HistoryEntry| {
        let text = entry.stderr_tail.as_ref().map(|text| failure_taxonomy::normalise::fingerprint(text.as_bytes()));
        entry.stderr_hash.clone().or(text)
    };
    let mut unmatched: Vec<(&HistoryEntry, Option<String>)> =
        stated.iter().map(|entry| (entry, digest(entry))).collect();
    let mut all: Vec<HistoryEntry> = Vec::new();
    for entry in recorded {
        let hash = digest(&entry);
        let same = unmatched.iter().position(|(other, other_hash)| {
            let same_node = other.node.is_none() || other.node == entry.node;
            let same_time = other.ts.is_some() && other.ts == entry.ts;
            let same_output = hash.is_some() && *other_hash == hash;
            same_node && (same_time || same_output) && entry.exit_code.is_some()
        });
        match same {
            Some(at) => {
                unmatched.remove(at);
            }
            None => all.push(entry),
        }
    }
    all.extend(stated.iter().cloned());
    if all.iter().all(|entry| entry.ts.is_some()) {
        all.sort_by_key(|entry| entry.ts);
    }
    all
}

/// Until when a server asked to wait.
pub fn stated_wait(diagnosis: &Diagnosis, now: Timestamp) -> Option<Timestamp> {
    let after = diagnosis.retry_after_ms.map(|ms| now.plus_ms(ms));
    after.max(diagnosis.resets_at).filter(|until| *until > now)
}

/// The conflict that an event belongs to, by its id; all those without one are one.
pub(crate) fn conflict_of(event: &FailureEvent) -> String {
    event.conflict_id.clone().unwrap_or_else(|| "conflict".to_owned())
}

/// Whether the plan has frozen the node.
fn is_frozen(event: &FailureEvent) -> bool {
    event
        .node
        .as_ref()
        .and_then(|node| node.status.as_deref())
        .is_some_and(|status| status.eq_ignore_ascii_case("frozen"))
}

/// Why nothing more can be tried, where a rule and not the error itself says so.
fn blocked(
    rule: EntryRule,
    classification: &Classification,
    event: &FailureEvent,
    frozen: Option<&str>,
) -> Option<Blocked> {
    let evidence = || classification.evidence.join("; ");
    let (why, remedy) = match rule {
        EntryRule::ConflictAgain => (
            format!("{} came back after two arbitrations ({})", conflict_of(event), evidence()),
            "Settle the conflict by hand",
        ),
        EntryRule::Frozen if classification.recommended_action != Action::FreezeAndEscalate => {
            let why = frozen.map(|why| format!(": {why}")).unwrap_or_default();
            (format!("the plan has frozen this node{why}"), "Thaw the node when it may go on")
        }
        EntryRule::Frozen if classification.class == Class::F5 => (
            format!("the mission is contradicted: {}", evidence()),
            "Decide whether the constraint or the work gives way",
        ),
        EntryRule::Frozen => {
            (format!("it cannot be planned again: {}", evidence()), "Decide how to go on, or allow more replans")
        }
        EntryRule::UnsureAgain => (
            format!("the classifier is not sure what it is, and one retry did not help: {}", evidence()),
            "Look into the failure and say what it is",
        ),
        EntryRule::Conflict
        | EntryRule::Pruned
        | EntryRule::Continuation
        | EntryRule::TimeLimit
        | EntryRule::Configured
        | EntryRule::Unsure
        | EntryRule::Matrix
        | EntryRule::ClassLevel => return None,
    };
    Some(Blocked { why, remedy: remedy.to_owned() })
}

/// The repair's directive without its strategy.
pub(crate) fn adjustment(repair: &Repair) -> &str {
    let directive = repair.directive.as_deref().unwrap_or_default();
    directive.split_once(": ").map_or(directive, |(_, text)| text).trim_end_matches('.')
}

/// An action that is not safe to repeat may have taken effect.
const CHECK_FIRST: &str = "check whether the action took effect; run it again only where it did not";

/// Where the same action unchanged is no answer, what would only repeat it says what to do instead.
fn never_repeat_unchanged(repair: &mut Repair, instead: &str) {
    let Some(change) = &mut repair.adjustment else { return };
    if matches!(change.kind, AdjustmentKind::Repeat | AdjustmentKind::Wait) {
        change.kind = AdjustmentKind::Look;
        change.text = instead.to_owned();
        change.command = None;
        if repair.strategy == Some(Strategy::Retry) {
            repair.directive = Some(format!("RETRY: {instead}"));
        }
    }
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
