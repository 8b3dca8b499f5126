//! The verdict on made-up rows, each on a line of its own: which step decides, what successes clear, what exit codes add.
//!
//! `pairwise_winners` is a snapshot of which error type wins against which. After a change of precedence in
//! `src/verdict/steps.rs`, review it with `cargo insta review`; it shows every pair that the change affects.

use failure_taxonomy::{
    Agreement, Failure, PackName, Role, Strength, Taxonomy, UserIndicator, VerdictStepId, algorithm,
};
use recovery_types::{Diagnosis, ErrorType, Permille};
use std::fmt::Write as _;

/// A row `test.NUMBER`, and the line of output on which it counts.
#[derive(Clone, Copy, Debug)]
struct Sign {
    number: usize,
    error_type: ErrorType,
    strength: Strength,
    role: Role,
}

const fn sign(number: usize, error_type: ErrorType, strength: Strength) -> Sign {
    Sign { number, error_type, strength, role: Role::Report }
}

impl Sign {
    /// No built-in row has such a text.
    fn text(self) -> String {
        format!("zq{}qz", self.number)
    }

    fn row(self) -> UserIndicator {
        UserIndicator {
            id: format!("test.{}", self.number),
            text: self.text(),
            error_type: self.error_type.name().to_owned(),
            strength: self.strength,
            role: self.role,
            ..UserIndicator::default()
        }
    }
}

fn with_role(sign: Sign, role: Role) -> Sign {
    Sign { role, ..sign }
}

/// The field pack with a row per sign.
fn taxonomy(signs: &[Sign]) -> Taxonomy {
    Taxonomy::builder(PackName::Field).indicators(signs.iter().map(|sign| sign.row())).build().unwrap()
}

fn failure<'a>(text: &'a str, exit_code: Option<i64>, tool: Option<&'a str>) -> Failure<'a> {
    Failure { exit_code, tool, ..Failure::new(text.as_bytes()) }
}

/// The output with each sign on a line of its own.
fn output(signs: &[Sign]) -> String {
    signs.iter().map(|sign| sign.text() + "\n").collect()
}

fn verdict(signs: &[Sign], exit_code: Option<i64>, tool: Option<&str>) -> Diagnosis {
    taxonomy(signs).diagnose(&failure(&output(signs), exit_code, tool))
}

/// The number of the sign that decided.
fn decided_by(diagnosis: &Diagnosis) -> Option<usize> {
    diagnosis.row.as_ref()?.strip_prefix("test.")?.parse().ok()
}

const STRENGTHS: [Strength; 3] = [Strength::Summary, Strength::Decisive, Strength::Suggestive];

/// For each error type and strength, on the first line, what wins against it on the second line of a failed run.
#[test]
fn pairwise_winners() {
    let all: Vec<(ErrorType, Strength)> =
        STRENGTHS.iter().flat_map(|strength| ErrorType::ALL.iter().map(|error| (*error, *strength))).collect();
    // Every kind of row twice: for the first line and for the second.
    let number = |error: ErrorType, strength: Strength, line: usize| {
        line * all.len() + all.iter().position(|kind| *kind == (error, strength)).unwrap()
    };
    let on_line = |error, strength, line| sign(number(error, strength, line), error, strength);
    let rows: Vec<Sign> =
        [0, 1].iter().flat_map(|line| all.iter().map(|(error, strength)| on_line(*error, *strength, *line))).collect();
    let taxonomy = taxonomy(&rows);
    let mut table = String::new();
    for strength in STRENGTHS {
        for &first in ErrorType::ALL {
            let _ = write!(table, "{} {strength:?}: ", first.name());
            for other in STRENGTHS {
                let wins = |second: &&ErrorType| {
                    let signs = [on_line(first, strength, 0), on_line(**second, other, 1)];
                    let diagnosis = taxonomy.diagnose(&failure(&output(&signs), Some(1), None));
                    decided_by(&diagnosis) == Some(signs[1].number)
                };
                let winners: Vec<&str> = ErrorType::ALL.iter().filter(wins).map(|error| error.name()).collect();
                let names = match winners.len() {
                    0 => "none".to_owned(),
                    all if all == ErrorType::ALL.len() => "all".to_owned(),
                    many if many > ErrorType::ALL.len() / 2 => {
                        let losers = ErrorType::ALL.iter().filter(|error| !wins(error)).map(|error| error.name());
                        format!("all but {}", losers.collect::<Vec<_>>().join(", "))
                    }
                    _ => winners.join(", "),
                };
                let _ = write!(table, "\n  loses to {other:?}: {names}");
            }
            table.push('\n');
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn the_table_is_in_the_order_of_the_ids() {
    for (at, id) in VerdictStepId::ALL.into_iter().enumerate() {
        assert_eq!(id as usize, at);
    }
    assert!(VerdictStepId::LastReport.is_report() && !VerdictStepId::SuggestedTransient.is_report());
}

#[test]
fn a_success_clears_reports_before_it_and_only_the_whole_run_clears_summaries() {
    let report = sign(1, ErrorType::ConnectionFailure, Strength::Decisive);
    let summary = sign(2, ErrorType::TestFailure, Strength::Summary);
    let success = sign(4, ErrorType::Other, Strength::Success);
    let answer = |signs: &[Sign]| decided_by(&verdict(signs, None, None));
    assert_eq!(answer(&[report]), Some(1));
    assert_eq!(answer(&[report, success]), None);
    assert_eq!(answer(&[summary, success]), Some(2));
    assert_eq!(answer(&[summary, with_role(success, Role::WholeRun)]), None);
    let rerun = with_role(sign(3, ErrorType::Other, Strength::Suggestive), Role::Rerun);
    assert_eq!(answer(&[summary, rerun, success]), None);
}

#[test]
fn what_a_success_cleared_counts_where_the_run_failed_and_nothing_else_says_why() {
    let signs =
        [sign(1, ErrorType::ConnectionFailure, Strength::Decisive), sign(2, ErrorType::Other, Strength::Success)];
    assert_eq!(verdict(&signs, Some(1), None).error_type, ErrorType::ConnectionFailure);
    assert_eq!(verdict(&signs, None, None).indicators, []);
}

#[test]
fn below_a_heading_nothing_is_a_report_unless_the_program_failed() {
    let heading = with_role(sign(1, ErrorType::Other, Strength::Suggestive), Role::Document);
    let signs = [heading, sign(2, ErrorType::RateLimit, Strength::Decisive)];
    assert_eq!(decided_by(&verdict(&signs, None, None)), None);
    assert_eq!(decided_by(&verdict(&signs, Some(1), None)), Some(2));
}

#[test]
fn suggestions_make_no_failure_without_an_exit_code() {
    let signs = [sign(1, ErrorType::CompileError, Strength::Suggestive)];
    assert_eq!([None, Some(1)].map(|code| decided_by(&verdict(&signs, code, None))), [None, Some(1)]);
    let echo = with_role(sign(2, ErrorType::CompileError, Strength::Suggestive), Role::Echo);
    let other = sign(1, ErrorType::PermissionDenied, Strength::Suggestive);
    assert_eq!(decided_by(&verdict(&[other, echo], Some(1), None)), Some(1), "what runs others explains least");
    assert_eq!(verdict(&[echo], Some(1), None).step.as_deref(), Some("echoed-suggestion"));
}

#[test]
fn exit_codes_decide_where_nothing_else_does_and_tools_never() {
    assert_eq!(verdict(&[], Some(127), None).error_type, ErrorType::CommandNotFound);
    assert_eq!(verdict(&[], Some(28), Some("curl")).error_type, ErrorType::NetworkTimeout);
    for tool in [None, Some("make"), Some("eslint"), Some("pytest")] {
        let nothing = verdict(&[], Some(1), tool);
        assert_eq!((nothing.error_type, nothing.step.as_deref()), (ErrorType::Other, None), "{tool:?}");
        assert!(nothing.confidence <= Some(Permille::new(300)), "nothing was recognised");
    }
}

#[test]
fn answers_are_made_more_specific() {
    let missing = sign(1, ErrorType::FileNotFound, Strength::Decisive);
    assert_eq!(verdict(&[missing], Some(127), None).error_type, ErrorType::CommandNotFound);
    let thrown = sign(1, ErrorType::RuntimeException, Strength::Decisive);
    assert_eq!(verdict(&[thrown], Some(1), Some("pytest")).error_type, ErrorType::TestFailure);
    let compile = sign(1, ErrorType::CompileError, Strength::Decisive);
    assert_eq!(verdict(&[compile], Some(1), Some("eslint")).error_type, ErrorType::LintError);
    // On the line of the exception.
    let message = sign(2, ErrorType::RateLimit, Strength::Suggestive);
    let line = format!("{} {}", thrown.text(), message.text());
    let specific = taxonomy(&[thrown, message]).diagnose(&failure(&line, Some(1), None));
    assert_eq!(specific.error_type, ErrorType::RateLimit);
}

#[test]
fn an_aside_decides_by_the_same_steps_as_reports() {
    let asides =
        [sign(1, ErrorType::TestFailure, Strength::Decisive), sign(2, ErrorType::DiskFull, Strength::Decisive)];
    let text: String = asides.iter().map(|aside| format!("warning: {}\n", aside.text())).collect();
    let verdict = taxonomy(&asides).diagnose(&failure(&text, Some(1), None));
    assert_eq!((verdict.error_type, verdict.step.as_deref()), (ErrorType::DiskFull, Some("aside")));
}

#[test]
fn others_agree_or_contest() {
    let compile = |number| sign(number, ErrorType::CompileError, Strength::Decisive);
    let test = |number| sign(number, ErrorType::TestFailure, Strength::Decisive);
    let agreement =
        |signs: &[Sign]| taxonomy(signs).support(&failure(&output(signs), Some(1), None)).unwrap().agreement;
    assert_eq!(agreement(&[compile(1)]), Agreement::Alone);
    assert_eq!(agreement(&[compile(1), compile(2)]), Agreement::Agreed);
    assert_eq!(agreement(&[compile(1), test(2)]), Agreement::Contested);
    assert_eq!(agreement(&[compile(1), compile(2), compile(3), test(4)]), Agreement::Agreed);
}

#[test]
fn the_page_has_every_step_and_nothing_left_to_fill_in() {
    let page = algorithm();
    assert!(VerdictStepId::ALL.iter().all(|step| page.contains(&format!("`{step}`"))));
    assert!(!page.contains('{'), "{page}");
    // The order of causes and defects is that of their tables.
    assert!(page.contains("rate_limit, untrusted_certificate, lock_contention"), "{page}");
    assert!(page.contains("missing_dependency, type_error, lint_error, compile_error"), "{page}");
}
