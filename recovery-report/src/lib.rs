//! Statistics from the journal: a timeline per task, overall counts, and where the time went.
//!
//! In: a journal and a moment. Out: a [`JournalReport`], which programs read as JSON and people as one self-contained page ([`html`]),
//! which [`serve()`] shows live.
//!
//! | to change | look in |
//! |---|---|
//! | what is counted | this file |
//! | what the page shows | `html.rs`, `page.html` |
//! | how it is served | `serve.rs` |
//! | the counts as OpenMetrics text | `metrics.rs` |

mod html;
mod metrics;
mod serve;

pub use html::html;
pub use metrics::Metrics;
pub use serve::{Live, serve};

pub use recovery_engine::Engine;
use recovery_engine::reconcile::Verb;
use recovery_engine::{Decision, Entry};
use recovery_service::answer::{FailureAnswer, is_recognised, label, lasting_headline, shell_word};
use recovery_service::ledger::{PROJECT, entry_of};
pub use recovery_service::{Ledger, ServiceError};
use recovery_service::{Status, held_summary};
pub use recovery_store::Journal;
use recovery_store::JournalExt as _;
use recovery_types::terminal::printable;
pub use recovery_types::{CooldownState, ErrorType, Level, Timestamp};
use serde::Serialize;
use std::collections::BTreeMap;

/// How much of a failure's output is shown.
const EVIDENCE_LINES: usize = 20;

/// How many of the most frequent fingerprints are shown.
const MAX_FREQUENT: usize = 10;

/// In a journal of more tasks each is called by its whole name: whether a word names one task only takes a look at all others.
const NAMES_COMPARED: usize = 1_000;

/// The whole report.
#[derive(Debug, Default, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Report")]
pub struct JournalReport {
    /// When the first and the last thing happened.
    pub from: Option<Timestamp>,
    /// See `from`.
    pub to: Option<Timestamp>,
    /// Failures in all.
    pub failures: u64,
    /// Calls of coding agents that were held back because the identical one kept failing.
    pub held_back: u64,
    /// How long those calls would have run, in milliseconds, as far as the agents said how long they take.
    pub saved_ms: u64,
    /// Tasks that were force-done and wait for a person.
    pub stuck: u64,
    /// Tasks that passed when the same command was run again.
    pub flaky: Vec<String>,
    /// Failures by error type, most frequent first.
    pub error_types: Vec<Count>,
    /// Failures by failure type.
    pub failure_types: Vec<Count>,
    /// Failures by class.
    pub classes: Vec<Count>,
    /// The failures that came back most often.
    pub fingerprints: Vec<Frequent>,
    /// Time spent at each level, in milliseconds.
    pub time_per_level: Vec<Count>,
    /// Every task, the one that failed last first.
    pub tasks: Vec<Task>,
}

/// A name and how often it came, or how much of it there is.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Count {
    /// The name.
    pub name: String,
    /// The number.
    pub count: u64,
}

/// A failure that came back.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
pub struct Frequent {
    /// Its fingerprint.
    pub fingerprint: String,
    /// What went wrong.
    pub error_type: String,
    /// The most informative line.
    pub headline: String,
    /// How often.
    pub count: u64,
    /// In how many tasks.
    pub tasks: u64,
}

/// One task's story.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// `ok`, `failing`, `failed`, `stuck`, `flaky`, `resolved` or `expired`.
    pub outcome: &'static str,
    /// What went wrong last and where, in words; none where nothing did.
    pub headline: Option<String>,
    /// What to do next about it.
    pub next: Option<String>,
    /// The command that shows more, quoted for a shell.
    pub command: String,
    /// The end of what the last failure printed.
    pub evidence: Option<String>,
    /// How often it failed.
    pub failures: u64,
    /// How often a hook held an action of it back.
    pub held: u64,
    /// What happened, oldest first.
    pub moments: Vec<TimelineEntry>,
}

/// One thing that happened to a task.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Moment")]
pub struct TimelineEntry {
    /// When.
    pub at: Timestamp,
    /// `failure`, `success`, `resolve`, `reset`, `checkpoint`, `rollback`, `change` or `import`.
    pub what: &'static str,
    /// The level it led to.
    pub level: Option<Level>,
    /// What went wrong.
    pub error_type: Option<String>,
    /// How far it reached.
    pub class: Option<String>,
    /// What was decided, or the reason.
    pub text: String,
}

impl JournalReport {
    /// Adds up the journal.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    pub fn of<J: Journal>(ledger: &Ledger<J>, engine: &Engine, now: Timestamp) -> Result<Self, ServiceError> {
        let mut sum = Sum::default();
        let summaries = ledger.journal.tasks()?;
        let compared = if summaries.len() <= NAMES_COMPARED { summaries.as_slice() } else { &[] };
        let names: Vec<String> = compared.iter().map(|summary| summary.task.as_str().to_lowercase()).collect();
        for summary in summaries.iter().filter(|summary| summary.task.as_str() != PROJECT) {
            let mut moments = Vec::new();
            let mut held = 0;
            let mut last = None;
            let mut failure = None;
            let mut failures = 0;
            for record in ledger.journal.records(&summary.task, 1)? {
                if let Some(entry) = entry_of(&record).ok().flatten() {
                    sum.time(&entry, &mut last);
                    sum.count(summary.task.as_str(), &entry);
                    moments.push(moment(record.at, &entry));
                    held += u64::from(matches!(entry, Entry::Held { .. }));
                    if let Entry::Decided { event, decision, .. } = &entry
                        && let Some(kind) = &decision.diagnosis
                    {
                        failures += 1;
                        let mut answer =
                            FailureAnswer::of(kind, decision.repair.as_ref(), &event.stderr_tail, decision.at);
                        if is_recognised(kind) {
                            answer.what = lasting_headline(kind);
                        }
                        failure = Some((answer, end_of(&event.stderr_tail)));
                    }
                }
            }
            let state = ledger.state(&summary.task)?;
            let outcome =
                if is_flaky(&moments) { "flaky" } else { Status::of(engine, &summary.task, &state, now).state };
            let (answer, evidence) = failure.unzip();
            let (headline, next) = answer.map(|answer| (answer.what, answer.next)).unzip();
            let name = summary.task.as_str().to_owned();
            sum.report.tasks.push(Task {
                command: format!("recovery hints {}", shell_word(short_name(&name, &names))),
                name,
                outcome,
                headline,
                next,
                evidence,
                failures,
                held,
                moments,
            });
        }
        Ok(sum.finish())
    }
}

#[derive(Default)]
struct Sum {
    report: JournalReport,
    errors: BTreeMap<String, u64>,
    kinds: BTreeMap<String, u64>,
    classes: BTreeMap<String, u64>,
    levels: BTreeMap<Level, u64>,
    /// With the task that was counted last: they come one after the other.
    prints: BTreeMap<String, (Frequent, String)>,
}

impl Sum {
    fn count(&mut self, task: &str, entry: &Entry) {
        if let Entry::Held { saved_ms, .. } = entry {
            self.report.held_back += 1;
            self.report.saved_ms += saved_ms;
        }
        let Entry::Decided { decision, .. } = entry else { return };
        let (Some(kind), Some(class)) = (&decision.diagnosis, &decision.classification) else { return };
        self.report.failures += 1;
        *self.errors.entry(kind.error_type.name().to_owned()).or_default() += 1;
        *self.kinds.entry(kind.failure_type.name().to_owned()).or_default() += 1;
        *self.classes.entry(format!("{:?} {}", class.class, class.name)).or_default() += 1;
        let headline = headline(decision);
        // Failures that show the same line are one to whoever reads about them, whatever else their outputs had.
        let key = if headline.is_empty() { kind.fingerprint.clone() } else { headline.clone() };
        let (print, last) = self.prints.entry(key).or_insert_with(|| {
            let (fingerprint, error_type) = (kind.fingerprint.clone(), kind.error_type.name().to_owned());
            (Frequent { fingerprint, error_type, headline, count: 0, tasks: 0 }, String::new())
        });
        print.count += 1;
        if last != task {
            task.clone_into(last);
            print.tasks += 1;
        }
    }

    /// The time between two transitions belongs to the level that the first one led to.
    fn time(&mut self, entry: &Entry, last: &mut Option<(Level, Timestamp)>) {
        for transition in entry.transitions() {
            if let Some((level, since)) = *last {
                *self.levels.entry(level).or_default() += transition.at.since(since);
            }
            // Nothing is lost any more once the task was force-done.
            *last = transition.to.filter(|level| *level != Level::ForceDone).map(|level| (level, transition.at));
        }
    }

    fn finish(mut self) -> JournalReport {
        let mut report = self.report;
        report.tasks.sort_by_key(|task| std::cmp::Reverse(task.moments.last().map(|moment| moment.at)));
        report.from = report.tasks.iter().filter_map(|task| task.moments.first()).map(|moment| moment.at).min();
        report.to = report.tasks.iter().filter_map(|task| task.moments.last()).map(|moment| moment.at).max();
        report.stuck = report.tasks.iter().filter(|task| task.outcome == "stuck").count() as u64;
        report.flaky =
            report.tasks.iter().filter(|task| task.outcome == "flaky").map(|task| task.name.clone()).collect();
        report.error_types = counts(self.errors);
        report.failure_types = counts(self.kinds);
        report.classes = counts(self.classes);
        let named = |level: &Level| format!("{} {}", level.number(), level.action());
        report.time_per_level =
            self.levels.iter().map(|(level, ms)| Count { name: named(level), count: *ms }).collect();
        let mut prints: Vec<Frequent> =
            std::mem::take(&mut self.prints).into_values().map(|(print, _)| print).filter(|p| p.count > 1).collect();
        prints.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.fingerprint.cmp(&b.fingerprint)));
        prints.truncate(MAX_FREQUENT);
        report.fingerprints = prints;
        report
    }
}

/// What to call a task by: its name, or where that would have to be quoted a word that no other task's name has. Words inside
/// quotations are a script's, and name nothing.
fn short_name<'n>(name: &'n str, names: &[String]) -> &'n str {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    let is_telling = |word: &&str| {
        let lower = word.to_lowercase();
        word.len() > 2
            && word.starts_with(|c: char| c.is_alphanumeric() || c == '.')
            && word.chars().all(is_plain)
            && names.iter().filter(|other| other.contains(&lower)).count() == 1
    };
    if !name.contains(char::is_whitespace) {
        return name;
    }
    let command = name.split(['\'', '"']).next().unwrap_or(name);
    command.split_whitespace().find(is_telling).unwrap_or(name)
}

/// Error types by what people call them.
#[must_use]
pub fn by_phrase(counts: &[Count]) -> Vec<Count> {
    let name = |count: &Count| match ErrorType::from_name(&count.name) {
        Some(error) => label(error).to_owned(),
        None => count.name.clone(),
    };
    counts.iter().map(|count| Count { name: name(count), count: count.count }).collect()
}

/// The last lines of an output.
fn end_of(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let shown = lines[lines.len().saturating_sub(EVIDENCE_LINES)..].join("\n");
    printable(&shown).into_owned()
}

fn counts(from: BTreeMap<String, u64>) -> Vec<Count> {
    let mut counts: Vec<Count> = from.into_iter().map(|(name, count)| Count { name, count }).collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
    counts
}

/// The message that the ladder keeps is the most informative line; a conflict does not move it.
fn headline(decision: &Decision) -> String {
    let climb = decision.transitions.iter().rev().find_map(|transition| transition.climb.as_ref());
    let of_conflict = || {
        let kind =
            decision.diagnosis.as_ref().filter(|kind| decision.next.verb == Verb::Arbitrate && is_recognised(kind));
        kind.map(lasting_headline)
    };
    climb.and_then(|climb| climb.failure.message.clone()).or_else(of_conflict).unwrap_or_default()
}

fn moment(at: Timestamp, entry: &Entry) -> TimelineEntry {
    let plain = |what, text: &str| TimelineEntry {
        at,
        what,
        level: None,
        error_type: None,
        class: None,
        text: text.to_owned(),
    };
    match entry {
        Entry::Decided { decision, .. } => TimelineEntry {
            level: decision.ladder.level,
            error_type: decision.diagnosis.as_ref().map(|kind| kind.error_type.name().to_owned()),
            class: decision.classification.as_ref().map(|class| format!("{:?}", class.class)),
            ..plain(if decision.failure { "failure" } else { "success" }, &decision.next.sentence)
        },
        Entry::Resolved { reason, .. } => plain("resolve", reason),
        Entry::Reset { reason, .. } => plain("reset", reason),
        Entry::Checkpoint { commit, .. } => plain("checkpoint", commit),
        Entry::RolledBack { to, .. } => plain("rollback", to),
        Entry::Moved { reason, .. } => plain("move", reason),
        Entry::Changed { .. } => plain("change", "something was changed"),
        Entry::RunEnded { .. } => plain("end", "the run ended without success"),
        Entry::Held { until, .. } => plain("held", &held_summary(*until)),
        Entry::Allowed { reason, .. } => plain("allow", reason),
        Entry::Arbitrated { reason, .. } => plain("arbitration", reason),
        Entry::GateAnswered { option, .. } => plain("gate", option.name()),
        Entry::RepairProposed { repair, .. } => plain("proposal", repair.directive.as_deref().unwrap_or_default()),
        Entry::Repaired { ok, .. } => plain("repair", if *ok { "it worked" } else { "it failed" }),
        Entry::Frozen { reason, .. } => plain("freeze", reason),
        Entry::Thawed { reason, .. } => plain("thaw", reason),
        Entry::StepDone { step, .. } => plain("step", step),
        Entry::Planned { node, .. } => plain("plan", &node.id),
        Entry::ConflictOpened { reason, .. } => plain("conflict", reason),
        Entry::Imported { attempt } => plain("import", attempt.approach.as_deref().unwrap_or_default()),
    }
}

/// Whether the task passed when the identical action was repeated, which is not the same as fixed.
fn is_flaky(moments: &[TimelineEntry]) -> bool {
    let Some((last, before)) = moments.split_last() else { return false };
    let mut failures = before.iter().rev().take_while(|moment| moment.what == "failure").peekable();
    last.what == "success" && failures.peek().is_some() && failures.all(|moment| moment.level == Some(Level::Retry))
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn a_task_is_called_by_a_word_of_its_command_not_of_its_script() {
        let script = r#"run: sh -c 'echo "connection reset by peer"; exit 5'"#;
        let names: Vec<String> = ["run: ./push.sh now", "run: sleep 5", script].map(str::to_lowercase).to_vec();
        assert_eq!(short_name("run: ./push.sh now", &names), "./push.sh");
        assert_eq!(short_name("run: sleep 5", &names), "sleep");
        assert_eq!(short_name(script, &names), script);
    }
}
