//! The journal's counts as OpenMetrics text, for a textfile collector or a scraper.
//!
//! In: a journal, and the breakers of its resources. Out: the text. Everything is counted from the records when it is needed;
//! nothing is kept in between, so the cost grows with the records: docs/fleet.md has the figures.

use recovery_engine::{Decision, Entry};
use recovery_service::ServiceError;
use recovery_service::ledger::{Ledger, PROJECT, entry_of};
use recovery_store::{Journal, TaskId};
use recovery_types::terminal::one_line;
use recovery_types::{CooldownState, Timestamp};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Upper bounds of the time from a task's first failure until it works again.
const RECOVERED_WITHIN_S: [u64; 7] = [1, 10, 60, 300, 1_800, 7_200, 86_400];
/// The longest name of a tool in a label, in characters.
const MAX_TOOL_CHARS: usize = 40;

/// What a journal adds up to.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    /// By error type, class and tool.
    failures: BTreeMap<(String, String, String), u64>,
    /// Seconds from the first failure until it worked.
    recovered_after_s: Vec<u64>,
    /// Tasks that fail at present, with the time of their first failure.
    failing: BTreeMap<String, Timestamp>,
    tasks: u64,
    breakers: BTreeMap<&'static str, u64>,
}

impl Metrics {
    /// Counts what is recorded.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn of<J: Journal>(ledger: &Ledger<J>) -> Result<Self, ServiceError> {
        let mut metrics = Self::default();
        ledger.journal.scan(&mut |record| {
            if let Ok(Some(Entry::Decided { event, decision, .. })) = entry_of(&record) {
                metrics.add(&record.task.to_string(), event.tool.as_deref(), &decision);
            }
            Ok(())
        })?;
        let own = ledger.journal.task(&TaskId::new(PROJECT)?)?;
        metrics.tasks = ledger.journal.task_count()? - u64::from(own.is_some());
        Ok(metrics)
    }

    /// Counts a resource by the state of its circuit breaker.
    pub fn add_breaker(&mut self, state: CooldownState) {
        *self.breakers.entry(state.name()).or_default() += 1;
    }

    fn add(&mut self, task: &str, tool: Option<&str>, decision: &Decision) {
        if !decision.failure {
            if let Some(since) = self.failing.remove(task) {
                self.recovered_after_s.push(decision.at.since(since) / 1_000);
            }
            return;
        }
        self.failing.entry(task.to_owned()).or_insert(decision.at);
        let kind = decision.diagnosis.as_ref().map_or("unknown", |diagnosis| diagnosis.error_type.name());
        let class = decision.classification.as_ref().map_or(String::new(), |class| format!("{:?}", class.class));
        // The program alone: arguments would make a series of every call.
        let tool = tool.and_then(|tool| tool.split_whitespace().next()).unwrap_or_default();
        let tool = tool.rsplit('/').next().unwrap_or(tool);
        *self.failures.entry((kind.to_owned(), class, one_line(tool, MAX_TOOL_CHARS))).or_default() += 1;
    }

    /// The counts as OpenMetrics 1.0 text.
    #[must_use]
    pub fn to_openmetrics(&self) -> String {
        let mut out = String::new();
        self.write(&mut out).expect("writing to a string does not fail");
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let family = |out: &mut String, name: &str, kind: &str, help: &str| {
            writeln!(out, "# TYPE {name} {kind}\n# HELP {name} {help}")
        };
        family(out, "recovery_failures", "counter", "Failures that were decided about.")?;
        for ((kind, class, tool), count) in &self.failures {
            let (kind, class, tool) = (label(kind), label(class), label(tool));
            writeln!(out, "recovery_failures_total{{error_type={kind},class={class},tool={tool}}} {count}")?;
        }
        family(out, "recovery_recoveries", "counter", "Tasks that worked again after having failed.")?;
        writeln!(out, "recovery_recoveries_total {}", self.recovered_after_s.len())?;
        let name = "recovery_time_to_recover_seconds";
        writeln!(out, "# TYPE {name} histogram\n# UNIT {name} seconds")?;
        writeln!(out, "# HELP {name} From a task's first failure until it worked.")?;
        for bound in RECOVERED_WITHIN_S {
            let within = self.recovered_after_s.iter().filter(|seconds| **seconds <= bound).count();
            writeln!(out, "{name}_bucket{{le=\"{bound}.0\"}} {within}")?;
        }
        writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {}", self.recovered_after_s.len())?;
        writeln!(out, "{name}_sum {}", self.recovered_after_s.iter().sum::<u64>())?;
        writeln!(out, "{name}_count {}", self.recovered_after_s.len())?;
        family(out, "recovery_tasks", "gauge", "Tasks that something is recorded of.")?;
        writeln!(out, "recovery_tasks {}", self.tasks)?;
        family(out, "recovery_tasks_failing", "gauge", "Tasks whose last outcome is a failure.")?;
        writeln!(out, "recovery_tasks_failing {}", self.failing.len())?;
        family(out, "recovery_breakers", "gauge", "Resources by the state of their circuit breaker.")?;
        for state in [CooldownState::Cooling, CooldownState::Open, CooldownState::HalfOpen] {
            let count = self.breakers.get(state.name()).copied().unwrap_or_default();
            writeln!(out, "recovery_breakers{{state=\"{}\"}} {count}", state.name())?;
        }
        out.push_str("# EOF\n");
        Ok(())
    }
}

/// A label's value in quotes.
fn label(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
