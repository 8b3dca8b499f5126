//! The whole ladder in virtual time, with scripted children.

use super::*;
use crate::playbook::FallbackCommand;
use crate::recorder::MemoryRecorder;
use recovery_engine::{Entry, PackName, TaskState};
use recovery_types::Cause;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

const TRANSIENT: &str = "Error: read ECONNRESET\n";
const COMPILE: &str = "error[E0308]: mismatched types\n";

/// What a scripted child does.
struct Does {
    takes_ms: u64,
    prints: &'static str,
    then: Then,
}

enum Then {
    Exit(u8),
    Signal(Signal),
    PowerCut,
}

fn exits(code: u8, prints: &'static str) -> Does {
    Does { takes_ms: 100, prints, then: Then::Exit(code) }
}

/// A world whose clock moves only when something waits or runs.
struct Virtual<'s> {
    now: Timestamp,
    script: Box<dyn FnMut(&str) -> Does + 's>,
    /// When each command was started, and what it was.
    runs: Vec<(i64, String)>,
    /// The histories that replan commands read.
    histories: Vec<serde_json::Value>,
    signal_while_waiting: Option<Signal>,
}

impl World for Virtual<'_> {
    fn now(&self) -> Timestamp {
        self.now
    }

    fn wait(&mut self, until: Timestamp, tick: &mut dyn FnMut(Timestamp)) -> Option<Signal> {
        tick(self.now);
        if let Some(signal) = self.signal_while_waiting.take() {
            return Some(signal);
        }
        self.now = until;
        None
    }

    fn run(&mut self, job: &Job<'_>, watch: &Mutex<Watch<'_>>) -> End {
        let command = job.command.to_string();
        self.runs.push((self.now.ms(), command.clone()));
        if let Some(history) = job.history.as_ref().filter(|_| job.reads_history) {
            self.histories.push(serde_json::from_str(history).unwrap());
        }
        let Does { takes_ms, prints, then } = (self.script)(&command);
        watch.lock().unwrap().read(Stream::Err, prints.as_bytes());
        let end = self.now.plus_ms(takes_ms);
        if let Some(deadline) = job.deadline.filter(|deadline| *deadline <= end) {
            self.now = deadline;
            return End::TimedOut;
        }
        self.now = end;
        match then {
            Then::Exit(code) => End::Exited(code),
            Then::Signal(signal) => End::Interrupted(signal),
            Then::PowerCut => panic!("power cut"),
        }
    }
}

/// Remembers how each run ended.
#[derive(Default)]
struct Ends(Vec<RunOutcome>);

impl Listener for Ends {
    fn notice(&mut self, notice: &Notice) {
        if let Notice::Finished { outcome, .. } = notice {
            self.0.push(*outcome);
        }
    }
    fn count_down(&mut self, _: Timestamp, _: Timestamp) {}
}

fn plan() -> Plan {
    let command = CommandLine::Shell("main".to_owned());
    Plan::builder("t", command).approach(Some("the first idea".into())).build().unwrap()
}

fn full_plan() -> Plan {
    let shell = |line: &str| CommandLine::Shell(line.to_owned());
    let fallback = |name: &str| FallbackCommand { name: name.into(), command: shell(name) };
    Plan {
        nudge: vec![shell("nudge-1"), shell("nudge-2"), shell("nudge-3")],
        replan: Some(shell("replan")),
        fallback: vec![fallback("other"), fallback("last")],
        ..plan()
    }
}

/// A record that outlives the driver.
struct Kept<'k>(&'k mut MemoryRecorder);

impl Recorder for Kept<'_> {
    type Error = std::convert::Infallible;

    fn state(&self) -> Result<TaskState, Self::Error> {
        self.0.state()
    }
    fn decide(
        &mut self,
        engine: &Engine,
        result: AttemptResult,
        at: Timestamp,
    ) -> Result<RecordedDecision, Self::Error> {
        self.0.decide(engine, result, at)
    }
    fn advance(&mut self, e: &Engine, i: &Input, why: &str, at: Timestamp) -> Result<Vec<Transition>, Self::Error> {
        self.0.advance(e, i, why, at)
    }
    fn run_ended(&mut self, at: Timestamp) -> Result<(), Self::Error> {
        self.0.run_ended(at)
    }
    fn last_decided(&self) -> Result<Option<Entry>, Self::Error> {
        self.0.last_decided()
    }
}

/// Everything that outlives one run.
struct Life {
    plan: Plan,
    recorder: MemoryRecorder,
    now: Timestamp,
    runs: Vec<(i64, String)>,
    histories: Vec<serde_json::Value>,
    ends: Vec<RunOutcome>,
}

impl Life {
    fn of(plan: Plan) -> Self {
        Self {
            plan,
            recorder: MemoryRecorder::new("t"),
            now: Timestamp::from_ms(0),
            runs: Vec::new(),
            histories: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// One `recovery run`; none when the power was cut.
    fn run(&mut self, script: impl FnMut(&str) -> Does) -> Option<Finish> {
        self.run_with(None, script)
    }

    fn run_with(&mut self, signal: Option<Signal>, script: impl FnMut(&str) -> Does) -> Option<Finish> {
        let mut engine = Engine::new(PackName::Field);
        engine.ladder = self.plan.policy(&escalation::Policy::default(), &BTreeMap::new(), false);
        let world = Virtual {
            now: self.now,
            script: Box::new(script),
            runs: std::mem::take(&mut self.runs),
            histories: std::mem::take(&mut self.histories),
            signal_while_waiting: signal,
        };
        let (ends, kept) = (Ends::default(), Kept(&mut self.recorder));
        let mut driver = Driver::new(engine, &self.plan, world, ends, Some(kept), Surroundings::default());
        let finish = std::panic::catch_unwind(AssertUnwindSafe(|| driver.drive())).ok();
        self.now = driver.world.now;
        self.runs = driver.world.runs;
        self.histories = driver.world.histories;
        self.ends.extend(driver.listener.0);
        finish
    }

    fn commands(&self) -> Vec<&str> {
        self.runs.iter().map(|(_, command)| command.as_str()).collect()
    }

    fn state(&self) -> TaskState {
        self.recorder.state().unwrap()
    }

    /// Every recorded transition: when, from, to, why.
    fn transitions(&self) -> Vec<(i64, Option<u8>, Option<u8>, Cause)> {
        let moves = self.recorder.entries().iter().flat_map(crate::recorder::transitions);
        moves.map(|t| (t.at.ms(), t.from.map(Level::number), t.to.map(Level::number), t.cause)).collect()
    }
}

#[test]
fn the_whole_ladder_in_order_and_in_time() {
    let mut life = Life::of(full_plan());
    let finish = life.run(|command| exits(if command == "replan" { 0 } else { 1 }, TRANSIENT)).unwrap();
    assert_eq!(finish.exit_code, 1, "the exit code is the command's own");
    let expected = [
        (0, "main"),
        // 1, 2 and 4 s after each failure, which takes 100 ms.
        (1100, "main"),
        (3200, "main"),
        (7300, "main"),
        (7400, "nudge-1"),
        (7500, "nudge-2"),
        (7600, "nudge-3"),
        (7700, "replan"),
        (7800, "main"),
        (7900, "other"),
        (8000, "last"),
    ];
    let expected: Vec<(i64, String)> = expected.map(|(at, command)| (at, command.to_owned())).to_vec();
    assert_eq!(life.runs, expected);
    let report = finish.report.unwrap();
    assert_eq!(report.escalation_path, Level::ALL);
    assert_eq!(life.ends, [RunOutcome::ForceDone]);
}

#[test]
fn what_retrying_cannot_help_is_not_retried_and_levels_without_commands_are_recorded() {
    let mut life = Life::of(plan());
    let finish = life.run(|_| exits(3, COMPILE)).unwrap();
    assert_eq!((finish.exit_code, life.commands()), (3, vec!["main"]));
    assert!(finish.report.is_some());
    let last = life.state().ladder.unwrap();
    assert_eq!(last.passed_over, [Level::Nudge, Level::Replan, Level::Fallback]);
    assert_eq!(life.ends, [RunOutcome::Failed]);
}

#[test]
fn every_variant_has_its_turn_though_the_error_stays_the_same() {
    let mut life = Life::of(full_plan());
    life.run(|_| exits(1, COMPILE)).unwrap();
    // The replan command fails too: the plan is not tried.
    assert_eq!(life.commands(), ["main", "nudge-1", "nudge-2", "nudge-3", "replan", "other", "last"]);
}

#[test]
fn a_command_that_works_when_repeated_is_flaky_and_a_variant_that_works_is_not() {
    let mut life = Life::of(full_plan());
    let mut runs = 0;
    let finish = life.run(|_| {
        runs += 1;
        exits(u8::from(runs < 3), TRANSIENT)
    });
    assert_eq!((finish.unwrap().exit_code, &life.ends), (0, &vec![RunOutcome::Flaky]));
    assert_eq!((life.state().climb(), life.state().recoveries), (None, 1));
    life.run(|command| exits(u8::from(command == "main"), COMPILE));
    assert_eq!(life.ends, [RunOutcome::Flaky, RunOutcome::Recovered]);
    life.run(|_| exits(0, ""));
    assert_eq!(life.ends.last(), Some(&RunOutcome::Passed));
}

#[test]
fn a_servers_wait_is_honoured() {
    let mut life = Life::of(plan());
    let mut first = true;
    life.run(|_| exits(u8::from(std::mem::take(&mut first)), "429 Too Many Requests\nRetry-After: 45\n"));
    assert_eq!(life.runs, [(0, "main".to_owned()), (45_100, "main".to_owned())]);
}

#[test]
fn a_wait_longer_than_allowed_ends_the_run_and_each_invocation_runs_once() {
    let quota = "You have exceeded your quota; it resets at 1970-01-01T05:00:00Z\n";
    let mut life = Life::of(Plan { max_wait_ms: Some(900_000), ..plan() });
    assert_eq!(life.run(|_| exits(1, quota)).unwrap().exit_code, exit::WAITING);
    assert_eq!(life.run(|_| exits(1, quota)).unwrap().exit_code, exit::WAITING);
    assert_eq!((life.commands(), &life.ends), (vec!["main", "main"], &vec![RunOutcome::Waiting; 2]));
    assert_eq!(life.run(|_| exits(0, "")).unwrap().exit_code, exit::DONE);
    assert_eq!(life.commands(), ["main", "main", "main"]);
    // Who waits gets there too.
    let mut life = Life::of(plan());
    let mut first = true;
    life.run(|_| exits(u8::from(std::mem::take(&mut first)), quota));
    assert_eq!(life.runs[1], (5 * 3_600_000, "main".to_owned()));
}

#[test]
fn each_attempt_has_its_timeout() {
    let mut life = Life::of(Plan { timeout_ms: Some(2000), ..plan() });
    let mut runs = 0;
    let finish = life.run(|_| {
        runs += 1;
        Does { takes_ms: if runs == 1 { 3000 } else { 1000 }, ..exits(0, "") }
    });
    // Stopped after two seconds, repeated one second later.
    assert_eq!((finish.unwrap().exit_code, life.runs[1].0, life.now.ms()), (0, 3000, 4000));
}

/// The clock is set back by a year while nothing runs.
#[test]
fn a_clock_that_was_set_back_never_makes_a_run_wait_for_it() {
    const YEAR_MS: u64 = 365 * 86_400_000;
    let mut life = Life::of(plan());
    life.now = Timestamp::from_ms(0).plus_ms(YEAR_MS);
    life.run(failing(2, || Then::PowerCut));
    life.now = Timestamp::from_ms(0);
    life.run(|_| exits(1, TRANSIENT)).unwrap();
    assert!(life.now.ms() < 60_000, "waited until {}", life.now);
}

#[test]
fn a_level_ends_at_its_deadline_and_the_next_one_has_all_its_attempts() {
    let mut life = Life::of(full_plan());
    let mut runs = 0;
    life.run(|_| {
        runs += 1;
        match runs {
            1 => exits(1, TRANSIENT),
            2 => Does { takes_ms: 10_000_000, prints: "", then: Then::Exit(0) },
            _ => exits(1, COMPILE),
        }
    });
    // Entered at 100, level 1 lasts 30 s.
    assert_eq!(life.runs[1], (1100, "main".to_owned()));
    assert_eq!(life.runs[2], (30_100, "nudge-1".to_owned()));
    assert_eq!(life.commands()[2..], ["nudge-1", "nudge-2", "nudge-3", "replan", "other", "last"]);
    assert!(life.transitions().contains(&(30_100, Some(1), Some(2), Cause::Deadline)), "{:?}", life.transitions());
}

#[test]
fn the_budget_bounds_the_first_run_too_and_counts_from_its_start() {
    let mut life = Life::of(Plan { budget_ms: Some(5000), ..full_plan() });
    let forever = || Does { takes_ms: u64::MAX >> 1, prints: "", then: Then::Exit(0) };
    let finish = life.run(|_| forever()).unwrap();
    assert_eq!((finish.exit_code, life.now.ms(), life.commands().len()), (exit::TIMED_OUT, 5000, 1));

    let mut life = Life::of(Plan { budget_ms: Some(5000), ..full_plan() });
    let finish = life.run(|_| Does { takes_ms: 3000, ..exits(1, TRANSIENT) }).unwrap();
    // 3 s for the first run, 1 s backoff, and the second run is stopped after one more.
    assert_eq!((finish.exit_code, life.now.ms(), life.commands().len()), (exit::TIMED_OUT, 5000, 2));
    assert_eq!(life.transitions().last().map(|t| t.3), Some(Cause::SessionBudget));
}

#[test]
fn a_replan_command_reads_the_whole_history() {
    let mut life = Life::of(full_plan());
    life.run(|command| exits(u8::from(command != "replan"), COMPILE));
    let [history] = life.histories.as_slice() else { panic!("{:?}", life.histories) };
    assert_eq!((&history["task"], &history["command"], &history["level"]), (&"t".into(), &"main".into(), &3.into()));
    assert_eq!(history["attempts"].as_array().unwrap().len(), 4);
    assert_eq!(history["attempts"][0]["error_type"], "compile_error");
    assert_eq!(history["known_bad"][0], "the first idea");
    assert_eq!(history["known_bad"][3], "nudge 3: nudge-3");
    assert!(history["last"]["output"].as_str().unwrap().contains("mismatched types"));
    assert_eq!(life.commands()[4..6], ["replan", "main"]);
}

/// Runs that fail throughout, with `then` in place of the run numbered `at`.
fn failing(at: usize, then: impl Fn() -> Then) -> impl FnMut(&str) -> Does {
    let mut runs = 0;
    move |command| {
        runs += 1;
        let ends = exits(if command == "replan" { 0 } else { 1 }, TRANSIENT);
        if runs == at { Does { then: then(), ..ends } } else { ends }
    }
}

#[test]
fn a_signal_at_any_run_is_recorded_and_the_next_run_goes_on_from_there() {
    let mut whole = Life::of(full_plan());
    whole.run(failing(usize::MAX, || Then::PowerCut));
    for at in 1..=whole.runs.len() {
        let signal = Signal::ALL[at % 4];
        let mut life = Life::of(full_plan());
        let finish = life.run(failing(at, || Then::Signal(signal))).unwrap();
        assert_eq!(finish.exit_code, signal.exit_code());
        assert_eq!(life.ends, [RunOutcome::Interrupted]);
        let stopped = life.state();
        let last = serde_json::to_string(life.recorder.entries().last().unwrap()).unwrap();
        assert!(last.contains(signal.name()), "run {at} left no record");
        // However long the break, the level has the time that it had left.
        life.now = life.now.plus_ms(86_400_000);
        life.run(failing(usize::MAX, || Then::PowerCut)).unwrap();
        let mut expected = whole.commands();
        // The replan's own run repeats with the command after it.
        let from = if whole.commands()[at - 1] == "main" && at == 9 { at - 2 } else { at - 1 };
        expected.splice(at..at, whole.commands()[from..at].to_vec());
        assert_eq!(life.commands(), expected, "interrupted at run {at}, {:?}", stopped.climb());
        assert_eq!(life.ends, [RunOutcome::Interrupted, RunOutcome::ForceDone]);
    }
}

#[test]
fn a_signal_while_waiting_ends_the_run_as_well() {
    let mut life = Life::of(plan());
    let finish = life.run_with(Some(Signal::Int), |_| exits(1, TRANSIENT)).unwrap();
    assert_eq!((finish.exit_code, life.commands().len()), (130, 1));
    assert_eq!(life.run(|_| exits(0, "")).unwrap().exit_code, 0);
    assert_eq!(life.ends, [RunOutcome::Interrupted, RunOutcome::Flaky]);
}

#[test]
fn after_a_power_cut_at_any_run_the_climb_goes_on_at_its_level_attempt_and_deadline() {
    let mut whole = Life::of(full_plan());
    whole.run(failing(usize::MAX, || Then::PowerCut));
    for at in 2..=whole.runs.len() {
        let mut life = Life::of(full_plan());
        assert_eq!(life.run(failing(at, || Then::PowerCut)), None);
        let cut = life.state().climb().cloned().unwrap();
        life.run(failing(usize::MAX, || Then::PowerCut)).unwrap();
        let mut expected = whole.commands();
        let from = if at == 9 { at - 2 } else { at - 1 };
        expected.splice(at..at, whole.commands()[from..at].to_vec());
        assert_eq!(life.commands(), expected, "cut at run {at}");
        // The same steps of the ladder as without the cut.
        let steps = |life: &Life| life.transitions().iter().map(|t| (t.1, t.2, t.3)).collect::<Vec<_>>();
        assert_eq!(steps(&life), steps(&whole), "cut at run {at}");
        assert!(cut.deadline().is_some());
    }
}

#[test]
fn a_ladder_whose_time_passed_while_the_power_was_off_is_closed_and_a_new_one_starts() {
    let mut life = Life::of(full_plan());
    life.run(failing(2, || Then::PowerCut));
    let deadline = life.state().climb().unwrap().deadline().unwrap();
    life.now = deadline.plus_ms(1000);
    assert_eq!(life.run(|_| exits(0, "")).unwrap().exit_code, 0);
    assert_eq!(life.commands(), ["main", "main", "main"]);
    assert_eq!(life.ends, [RunOutcome::Passed]);
}

#[test]
fn after_force_done_the_next_run_starts_afresh() {
    let mut life = Life::of(plan());
    life.run(|_| exits(1, TRANSIENT)).unwrap();
    assert!(life.state().run_ended && !life.state().is_stuck(), "whoever ran it has the notice");
    let finish = life.run(|_| exits(0, "")).unwrap();
    assert_eq!((finish.exit_code, life.ends.last()), (0, Some(&RunOutcome::Passed)));
    assert!(!life.state().is_stuck());
}

/// A record that fails from its n-th write on.
struct Failing {
    memory: MemoryRecorder,
    writes_left: u32,
}

impl Failing {
    fn write(&mut self) -> Result<(), &'static str> {
        self.writes_left = self.writes_left.checked_sub(1).ok_or("database or disk is full")?;
        Ok(())
    }
}

impl Recorder for Failing {
    type Error = &'static str;

    fn state(&self) -> Result<TaskState, Self::Error> {
        Ok(self.memory.state().unwrap_or_default())
    }
    fn decide(
        &mut self,
        engine: &Engine,
        result: AttemptResult,
        at: Timestamp,
    ) -> Result<RecordedDecision, Self::Error> {
        self.write()?;
        Ok(self.memory.decide(engine, result, at).unwrap())
    }
    fn advance(&mut self, e: &Engine, i: &Input, why: &str, at: Timestamp) -> Result<Vec<Transition>, Self::Error> {
        self.write()?;
        Ok(self.memory.advance(e, i, why, at).unwrap())
    }
    fn run_ended(&mut self, at: Timestamp) -> Result<(), Self::Error> {
        self.write()?;
        self.memory.run_ended(at).unwrap();
        Ok(())
    }
    fn last_decided(&self) -> Result<Option<Entry>, Self::Error> {
        Err("database is locked")
    }
}

/// Counts the warnings.
#[derive(Default)]
struct Warnings(u32);

impl Listener for &mut Warnings {
    fn notice(&mut self, notice: &Notice) {
        self.0 += u32::from(matches!(notice, Notice::Unrecorded { .. }));
    }
    fn count_down(&mut self, _: Timestamp, _: Timestamp) {}
}

#[test]
fn a_record_that_fails_at_any_write_changes_nothing_about_the_run() {
    let plan = full_plan();
    let mut whole = Life::of(full_plan());
    let expected = whole.run(failing(usize::MAX, || Then::PowerCut)).unwrap().exit_code;
    for writes_left in 0..12 {
        let mut engine = Engine::new(PackName::Field);
        engine.ladder = plan.policy(&escalation::Policy::default(), &BTreeMap::new(), false);
        let world = Virtual {
            now: Timestamp::from_ms(0),
            script: Box::new(failing(usize::MAX, || Then::PowerCut)),
            runs: Vec::new(),
            histories: Vec::new(),
            signal_while_waiting: None,
        };
        let recorder = Failing { memory: MemoryRecorder::new("t"), writes_left };
        let mut warnings = Warnings::default();
        let mut driver = Driver::new(engine, &plan, world, &mut warnings, Some(recorder), Surroundings::default());
        assert_eq!(driver.drive().exit_code, expected, "failing after {writes_left} writes");
        assert_eq!(driver.world.runs, whole.runs, "failing after {writes_left} writes");
        assert_eq!(warnings.0, 1, "failing after {writes_left} writes");
    }
}
