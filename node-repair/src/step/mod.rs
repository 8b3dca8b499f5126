//! The next step after a failure: what to change, wait for or look at.
//!
//! In goes a [`RepairRequest`]: the output, what the taxonomy and the problem matcher made of it, the paths that exist.
//! Out comes a list of steps, the best first ([`steps`]). One table decides, [`STEPS`]: rows in order of precedence,
//! each with the error types it is admitted for and a function that makes its step from a [`Case`], or none.
//!
//! A row looks at the evidence, not at the whole output: the root-cause problem, the lines that the diagnosis rests on
//! and the lines beside them ([`evidence`]). What a tool prints elsewhere (a retry that worked, a test's own output) never
//! makes a step. The subjects (packages, paths, ports, ...) have a file each, with a table of message templates as the
//! tools print them. To teach a new message, add a template there; to change which step wins, change the order here.
//!
//! Names from the output enter a command only when a shell reads them as one plain word ([`words`]).

mod call;
mod code;
mod command;
mod conflict;
pub mod evidence;
mod hint;
mod instead;
mod library;
mod limit;
mod lock;
mod package;
mod path;
pub mod pattern;
mod permission;
mod platform;
mod quota;
mod resource;
mod rules;
mod service;
mod similar;
mod tokens;
mod transient;
mod variable;
mod version;
pub mod words;

pub use evidence::{Case, telling_line};
pub use rules::{STEPS, StepId, StepRule};
pub use transient::CHECK_FIRST;

use pattern::Pattern;
use recovery_types::repair::Repeating;
use recovery_types::similarity::Words;
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

/// The steps after the failure, the best first; the last is always where to look.
///
/// ```
/// use recovery_types::{AdjustmentKind, ErrorType, RepairRequest};
/// let mut request = RepairRequest::default();
/// request.error.text = "curl: (6) Could not resolve host: mirror.example.org".into();
/// request.error_type = Some(ErrorType::ConnectionFailure);
/// let steps = node_repair::step::steps(&request);
/// assert_eq!(steps[0].1.kind, AdjustmentKind::Repeat);
/// assert_eq!(steps.last().unwrap().1.kind, AdjustmentKind::Look);
/// ```
#[must_use]
pub fn steps(request: &RepairRequest) -> Vec<(StepId, Adjustment)> {
    let text = words::plain(&request.error.text);
    let case = Case::new(request, &text);
    let mut found: Vec<(StepId, Adjustment)> = Vec::new();
    for rule in &STEPS {
        if !rule.admits(request.error_type) {
            continue;
        }
        let Some(mut step) = (rule.make)(&case) else { continue };
        let repeats = matches!(step.kind, AdjustmentKind::Repeat | AdjustmentKind::Wait);
        // A server's own wait is more than repeating, as long as it is waited for.
        let is_stated = rule.id == StepId::StatedWait && request.repeating == Repeating::Unsafe;
        if repeats && !is_stated {
            step = transient::instead(rule.id, request.repeating, step);
        }
        if !found.iter().any(|(_, earlier)| is_same_in_fewer_words(&step, earlier)) {
            found.push((rule.id, step));
        }
    }
    found
}

/// Whether a step is only a vaguer form of a better one: of the same kind, and about the same thing or about nothing.
fn is_same_in_fewer_words(step: &Adjustment, better: &Adjustment) -> bool {
    let subject = |step: &Adjustment| step.subject.as_deref().map(str::to_ascii_lowercase);
    step.kind == better.kind
        && match (subject(step), subject(better)) {
            (Some(name), Some(of_better)) => of_better.contains(&name),
            (Some(_), None) => false,
            (None, _) => true,
        }
}

/// Every package that some step suggests, with the index that is to have it: `("PyPI", "PyYAML")`. For checks
/// against the indexes; no step is made from it.
#[must_use]
pub fn suggested_packages() -> Vec<(&'static str, String)> {
    let mut all = package::suggested_names();
    all.extend(command::suggested_names());
    all.extend(library::suggested_names());
    all.retain(|(_, name)| !name.is_empty());
    all.sort();
    all.dedup();
    all
}

/// What the strategy table is given about the steps.
pub struct Choice {
    /// The best step that did not fail before; where none is left, where to look.
    pub best: Adjustment,
    /// The best step that is a change to make here and now.
    pub adjustment: Option<Adjustment>,
    /// The best step that is work on the code, or a place to look at.
    pub first_look: Adjustment,
    /// Whether every step failed before.
    pub all_tried: bool,
}

/// Ranks the steps and leaves out those that failed before. Waiting and repeating may come again: how often is the
/// ladder's business.
#[must_use]
pub fn choose(request: &RepairRequest) -> Choice {
    let all: Vec<Adjustment> = steps(request).into_iter().map(|(_, step)| step).collect();
    let again = |step: &Adjustment| matches!(step.kind, AdjustmentKind::Wait | AdjustmentKind::Repeat);
    let has_failed = |step: &Adjustment| !again(step) && failed_before(request, step);
    let instead = all.first().filter(|best| has_failed(best)).and_then(instead::of_failed);
    let left: Vec<&Adjustment> = instead.iter().chain(&all).filter(|step| !has_failed(step)).collect();
    let nothing = || words::step(AdjustmentKind::Look, "read the output");
    let last = all.last().cloned().unwrap_or_else(nothing);
    // A lower row is a guess where a higher one is work on the code: only the best step may be a change here and now.
    let best = left.first().map_or_else(|| last.clone(), |step| (*step).clone());
    Choice {
        adjustment: Some(best.clone()).filter(|step| is_concrete(step.kind) && !left.is_empty()),
        first_look: left.iter().find(|step| !is_concrete(step.kind)).map_or(last, |step| (*step).clone()),
        all_tried: left.is_empty(),
        best,
    }
}

/// Whether a step is a change that can be made here and now, rather than work on the code or a place to look at.
#[must_use]
pub fn is_concrete(kind: AdjustmentKind) -> bool {
    !matches!(
        kind,
        AdjustmentKind::Look
            | AdjustmentKind::FixCode
            | AdjustmentKind::FixTestOrCode
            | AdjustmentKind::FixConfig
            | AdjustmentKind::AskHuman
    )
}

/// Whether a RETRY with this step failed: its approach has the words of the step, in whatever order, or its command, or
/// names the step's subject in fewer of its words (`install jq`).
fn failed_before(request: &RepairRequest, step: &Adjustment) -> bool {
    let words = Words::keywords(&step.text);
    let subject = step.subject.as_deref().map(Words::keywords).filter(|subject| !subject.is_empty());
    let has = |all: &Words, one: &str| all.iter().any(|word| word == one);
    request.attempts.iter().filter(|attempt| !attempt.ok && !attempt.approach.is_empty()).any(|attempt| {
        let approach = attempt.approach.trim_start_matches("RETRY: ");
        let own = Words::keywords(approach);
        let is_short_for =
            |subject: &Words| subject.iter().all(|word| has(&own, word)) && own.iter().all(|word| has(&words, word));
        own == words
            || step.command.as_deref().is_some_and(|command| approach.contains(command))
            || subject.as_ref().is_some_and(is_short_for)
    })
}

/// One message and the step for it.
pub(crate) struct Row {
    pattern: Pattern,
    make: fn(&Seen<'_>) -> Option<Adjustment>,
}

/// A message that was seen.
pub(crate) struct Seen<'a> {
    captures: Vec<&'a str>,
    /// The line it was seen on.
    line: &'a str,
    /// The whole output: for details that the tool prints elsewhere, never for the decision.
    text: &'a str,
    request: &'a RepairRequest,
}

impl<'a> Seen<'a> {
    /// What the template's hole number `index` matched; empty where it has fewer.
    fn hole(&self, index: usize) -> &'a str {
        self.captures.get(index).copied().unwrap_or_default()
    }

    /// The lines below the message, without blank ones.
    fn below(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let at = self.line.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        // A problem's message is a text of its own: the output has it somewhere.
        let rest = self.text.get(at..).or_else(|| self.text.split_once(self.line).map(|(_, rest)| rest));
        let after = rest.and_then(|rest| rest.split_once('\n')).map_or("", |(_, after)| after);
        after.lines().map(str::trim).filter(|line| !line.is_empty())
    }
}

const fn row(template: &'static str, make: fn(&Seen<'_>) -> Option<Adjustment>) -> Row {
    Row { pattern: Pattern::new(template), make }
}

/// The first step that a row of `rows` makes of the evidence, line by line.
fn first(rows: &[Row], case: &Case<'_>) -> Option<Adjustment> {
    first_with_line(rows, case).map(|(_, step)| step)
}

/// The same, with the line it was made from.
fn first_with_line<'a>(rows: &[Row], case: &Case<'a>) -> Option<(&'a str, Adjustment)> {
    // One search over all of the evidence rules most rows out.
    let rows: Vec<&Row> = rows.iter().filter(|row| row.pattern.may_occur_in(case.joined())).collect();
    case.lines().find_map(|line| on_line(&rows, line, case).map(|step| (line, step)))
}

fn on_line<'a>(rows: &[&Row], line: &'a str, case: &Case<'a>) -> Option<Adjustment> {
    rows.iter().find_map(|row| {
        row.pattern
            .all(line)
            .find_map(|hit| (row.make)(&Seen { captures: hit.captures, line, text: case.text, request: case.request }))
    })
}
