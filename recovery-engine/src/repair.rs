//! The request to node repair, built from an event and its diagnosis, and its answer as part of the decision.
//!
//! In: an event with its task's past, or a planner's own request. Out: a `Repair`. What the request does not state is taken
//! from the diagnosis, so that `repair` and `decide` answer alike. Where a rule and not the error keeps the task from going
//! on, the question for the person is that rule's ([`ask`]); where no repair was tried, the attempts are named
//! ([`name_attempts`]). Which strategy is chosen is decided in the crate `node-repair`.

use crate::assess::output;
use crate::state::TaskState;
use crate::{Admitted, Assessment, Engine};
use node_repair::directive::{Directive, one_line, parse_directive};
use node_repair::escalate::NOTHING_TRIED;
use recovery_types::ladder::Blocked;
use recovery_types::repair::{Repair, RepairRequest, Repeating, VerificationError};
use recovery_types::{Class, Diagnosis, FailureEvent, Timestamp};

impl Engine {
    /// The repair of a task that a planner reports: what the request does not state is diagnosed from the error text.
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

    #[expect(clippy::too_many_arguments, reason = "the facts of one decision")]
    pub(crate) fn repair_for(
        &self,
        task: &str,
        past: &TaskState,
        event: &FailureEvent,
        diagnosis: &Diagnosis,
        class: Class,
        repeating: Repeating,
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
            repeating,
        };
        node_repair::select(&request, &self.repair)
    }
}

/// Replaces repair's own question by the rule that prevents the task from continuing.
pub(crate) fn ask(repair: &mut Repair, blocked: &Blocked) {
    if let Some(Directive::Escalate { tried, .. }) = repair.directive.as_deref().and_then(parse_directive) {
        let decision = one_line(&format!("{}. {}?", blocked.why, blocked.remedy));
        repair.directive = Some(Directive::Escalate { tried, decision }.to_string());
    }
}

/// Names the attempts in a question to a person, if none of them was a repair.
pub(crate) fn name_attempts(repair: &mut Repair, failed: u32) {
    if let Some(Directive::Escalate { tried, decision }) = repair.directive.as_deref().and_then(parse_directive)
        && tried == NOTHING_TRIED
        && failed > 1
    {
        let tried = format!("{failed} attempts without a repair between them");
        repair.directive = Some(Directive::Escalate { tried, decision }.to_string());
    }
}

/// The directive without the name of its strategy.
pub(crate) fn adjustment(repair: &Repair) -> &str {
    let directive = repair.directive.as_deref().unwrap_or_default();
    directive.split_once(": ").map_or(directive, |(_, text)| text).trim_end_matches('.')
}
