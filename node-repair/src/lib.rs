//! How is a failed task repaired? RETRY, DECOMPOSE, PRUNE or ESCALATE with a concrete directive.
//!
//! [`select`] reads a request into [`RepairFacts`], and the first row of [`RULES`] that holds decides. It is total and
//! deterministic: any request has exactly one answer, the same every time.
//!
//! | module | contents |
//! |---|---|
//! | [`rules`] | the ordered strategy table, on one screen |
//! | [`facts`] | what the table reads, taken from the request |
//! | [`step`] | the next step, chosen by an ordered table from the diagnosis and the root cause |
//! | [`decompose`] | done-criteria into two or three sub-tasks |
//! | [`prune`] | what in the plan makes a task infeasible |
//! | [`escalate`] | what was tried, and the question for a person |
//! | [`directive`], [`log`] | the documented lines |

pub mod decompose;
pub mod directive;
pub mod escalate;
pub mod facts;
pub mod log;
pub mod prune;
pub mod rules;
pub mod step;

pub use directive::{Directive, parse_directive};
pub use facts::RepairFacts;
pub use log::{RepairOutcome, log_line};
pub use recovery_types::repair::FailedTask;
pub use recovery_types::{Adjustment, AdjustmentKind, ErrorType, Gate, Repair, RepairRequest, Strategy, SubTask};
pub use rules::{RULES, RepairRuleId};
pub use step::{STEPS, StepId};

use serde::{Deserialize, Serialize};

/// The `workflow` settings of repair.
///
/// ```
/// let config: node_repair::RepairConfig = serde_json::from_str(r#"{"node_repair":false}"#).unwrap();
/// assert!(!config.enabled);
/// assert_eq!(config.budget, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RepairConfig {
    /// `workflow.node_repair`: off sends every failure straight to the gate.
    #[serde(rename = "node_repair")]
    pub enabled: bool,
    /// `workflow.node_repair_budget`: repair attempts per task and per sub-task.
    #[serde(rename = "node_repair_budget")]
    pub budget: u32,
}

impl Default for RepairConfig {
    fn default() -> Self {
        Self { enabled: true, budget: 2 }
    }
}

/// Chooses exactly one strategy for a failed task, or the gate where repair is off.
///
/// ```
/// use node_repair::{RepairConfig, select};
/// use recovery_types::{RepairRequest, Strategy};
///
/// let mut request = RepairRequest::default();
/// request.task.number = "3".into();
/// request.error.text = "ModuleNotFoundError: No module named 'yaml'".into();
/// let repair = select(&request, &RepairConfig::default());
/// assert_eq!(repair.strategy, Some(Strategy::Retry));
/// let directive = "RETRY: install the Python package PyYAML, which has yaml: pip install PyYAML";
/// assert_eq!(repair.directive.as_deref(), Some(directive));
/// assert_eq!(repair.budget_remaining, 1);
/// ```
#[must_use]
pub fn select(request: &RepairRequest, config: &RepairConfig) -> Repair {
    let facts = RepairFacts::read(request, config);
    let rule = rules::first_match(&facts);
    let mut repair = Repair {
        strategy: rule.strategy,
        directive: None,
        log: None,
        budget_remaining: facts.budget,
        rule: rule.id.name().to_owned(),
        adjustment: Some(facts.step.clone()),
        sub_tasks: Vec::new(),
        remaining_criteria: Vec::new(),
        unverifiable: facts.unverifiable.clone(),
        gate: None,
    };
    let Some(strategy) = rule.strategy else {
        repair.gate = Some(Gate::verification_failure());
        return repair;
    };
    let (directive, outcome) = match strategy {
        Strategy::Retry => {
            let adjustment = facts.adjustment.unwrap_or(facts.first_look);
            let text = directive::one_line(&adjustment.text);
            repair.adjustment = Some(adjustment);
            (Directive::Retry(text), None)
        }
        Strategy::Decompose => {
            repair.sub_tasks = decompose::number(&facts.split.parts, &request.task, config.budget);
            repair.remaining_criteria = facts.split.remaining;
            let names: Vec<String> = repair.sub_tasks.iter().map(|t| t.name.clone()).collect();
            (Directive::Decompose(names), None)
        }
        Strategy::Prune => {
            let why = facts.infeasible.map(|reason| directive::one_line(&reason.to_string())).unwrap_or_default();
            (Directive::Prune(why.clone()), Some(RepairOutcome::Skipped { justification: why }))
        }
        Strategy::Escalate => {
            let tried = directive::one_line(&escalate::tried(request));
            let decision = directive::one_line(&escalate::question(rule.id, request, &facts));
            let attempts = escalate::failed_attempts(request);
            let outcome = (attempts > 0).then_some(RepairOutcome::Exhausted { attempts });
            (Directive::Escalate { tried, decision }, outcome)
        }
    };
    repair.budget_remaining = facts.budget.saturating_sub(u32::from(strategy.spends_budget()));
    repair.directive = Some(directive.to_string());
    // How a RETRY or a DECOMPOSE ends is not known yet.
    repair.log = outcome.map(|outcome| log_line(&request.task, &outcome));
    repair
}
