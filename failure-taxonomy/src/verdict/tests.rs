//! The verdict on hand-made signs, without packs or text: which step decides, what successes clear, what exit codes add.
//!
//! `pairwise_winners` is a snapshot of which error type wins against which. After a change of precedence in `steps`, review
//! it with `cargo insta review`; it shows every pair that the change affects.

use super::case::{Case, Run, Sign};
use super::*;
use crate::evidence::Position;
use crate::pack::{Guard, Indicator, Role, Strength};

/// A sign on a line of its own; the number is its row and its line.
fn sign(number: usize, error_type: ErrorType, strength: Strength) -> Sign<'static> {
    let place = Position { offset: 100 * number as u64, line: number as u64 };
    let hit = RowHit { row: number, first: place, last: place };
    let guard = Guard { word: false, line_start: false, aside: false, pattern: None, unless: None };
    let (failure_type, role) = (error_type.failure_type(), Role::Report);
    let row = Indicator {
        id: "test.row",
        text: "text",
        failure_type,
        error_type,
        strength,
        role,
        guard,
        tool: None,
        hits: "",
        misses: "",
    };
    Sign { hit, row }
}

fn with_role(mut sign: Sign<'static>, role: Role) -> Sign<'static> {
    sign.row.role = role;
    sign
}

fn verdict(signs: &[Sign<'static>], exit_code: Option<i64>, tool: Option<&str>) -> Verdict {
    decide(&Case::of(signs.to_vec(), Vec::new(), Run { exit_code, tool, task_text: b"" }))
}

fn step(verdict: &Verdict) -> Option<&'static str> {
    verdict.support.map(|support| support.step.as_str())
}

const STRENGTHS: [Strength; 3] = [Strength::Summary, Strength::Decisive, Strength::Suggestive];

/// For each error type and strength, on the first line, what wins against it on the second line of a failed run.
#[test]
fn pairwise_winners() {
    let mut table = String::new();
    for strength in STRENGTHS {
        for &first in ErrorType::ALL {
            let _ = write!(table, "{} {strength:?}: ", first.name());
            for other in STRENGTHS {
                let wins = |second: &&ErrorType| {
                    let signs = [sign(1, first, strength), sign(2, **second, other)];
                    verdict(&signs, Some(1), None).row == Some(2)
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
fn a_table_out_of_order_is_noticed() {
    for (at, id) in StepId::ALL.into_iter().enumerate() {
        assert_eq!((id as usize, STEPS[at].id), (at, id));
    }
    assert!(StepId::LastReport.is_report() && !StepId::SuggestedTransient.is_report());
}

#[test]
fn a_success_clears_reports_before_it_and_only_the_whole_run_clears_summaries() {
    let report = sign(1, ErrorType::ConnectionFailure, Strength::Decisive);
    let summary = sign(2, ErrorType::TestFailure, Strength::Summary);
    let success = sign(4, ErrorType::Other, Strength::Success);
    let answer = |signs: &[Sign<'static>]| verdict(signs, None, None).row;
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
    assert_eq!(verdict(&signs, None, None).row, None);
    assert_eq!(verdict(&signs, Some(1), None).row, Some(2));
}

#[test]
fn suggestions_make_no_failure_without_an_exit_code() {
    let signs = [sign(1, ErrorType::CompileError, Strength::Suggestive)];
    assert_eq!((verdict(&signs, None, None).row, verdict(&signs, Some(1), None).row), (None, Some(1)));
    let echo = with_role(sign(2, ErrorType::CompileError, Strength::Suggestive), Role::Echo);
    let other = sign(1, ErrorType::PermissionDenied, Strength::Suggestive);
    assert_eq!(verdict(&[other, echo], Some(1), None).row, Some(1), "what runs others explains least");
    assert_eq!(step(&verdict(&[echo], Some(1), None)), Some("echoed-suggestion"));
}

#[test]
fn exit_codes_decide_where_nothing_else_does_and_tools_never() {
    assert_eq!(verdict(&[], Some(127), None).error_type, ErrorType::CommandNotFound);
    assert_eq!(verdict(&[], Some(28), Some("curl")).error_type, ErrorType::NetworkTimeout);
    for tool in [None, Some("make"), Some("eslint"), Some("pytest")] {
        let nothing = verdict(&[], Some(1), tool);
        assert_eq!((nothing.error_type, step(&nothing)), (ErrorType::Other, None), "{tool:?}");
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
    let message = Sign { hit: thrown.hit, ..sign(1, ErrorType::RateLimit, Strength::Suggestive) };
    assert_eq!(verdict(&[thrown, message], Some(1), None).error_type, ErrorType::RateLimit);
}

#[test]
fn an_aside_decides_by_the_same_steps_as_reports() {
    let asides =
        vec![sign(1, ErrorType::TestFailure, Strength::Decisive), sign(2, ErrorType::DiskFull, Strength::Decisive)];
    let verdict = decide(&Case::of(Vec::new(), asides, Run { exit_code: Some(1), tool: None, task_text: b"" }));
    assert_eq!((verdict.error_type, step(&verdict)), (ErrorType::DiskFull, Some("aside")));
}

#[test]
fn others_agree_or_contest() {
    let compile = |number| sign(number, ErrorType::CompileError, Strength::Decisive);
    let test = |number| sign(number, ErrorType::TestFailure, Strength::Decisive);
    let agreement = |signs: &[Sign<'static>]| verdict(signs, Some(1), None).support.unwrap().agreement;
    assert_eq!(agreement(&[compile(1)]), Agreement::Alone);
    assert_eq!(agreement(&[compile(1), compile(2)]), Agreement::Agreed);
    assert_eq!(agreement(&[compile(1), test(2)]), Agreement::Contested);
    assert_eq!(agreement(&[compile(1), compile(2), compile(3), test(4)]), Agreement::Agreed);
}

#[test]
fn the_page_has_every_step_and_nothing_left_to_fill_in() {
    let page = algorithm();
    assert!(StepId::ALL.iter().all(|step| page.contains(&format!("`{step}`"))));
    assert!(!page.contains('{'), "{page}");
}
