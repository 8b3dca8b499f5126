//! The order of the strategy table, from weak to strong: witnesses, every pair, an oracle that does not know the table,
//! and what must not change the answer.

use node_repair::{RULES, RepairConfig, RepairRuleId, select};
use proptest::prelude::*;
use recovery_types::repair::{AdjacentTask, RepairAttempt, TaskStatus};
use recovery_types::{Class, ErrorType, RepairRequest, Strategy as Repair};

/// Makes one rule hold, and touches nothing that a rule above it reads.
fn make_hold(rule: RepairRuleId, request: &mut RepairRequest, config: &mut RepairConfig) {
    let failed = |approach: &str| RepairAttempt { approach: approach.into(), ..RepairAttempt::default() };
    match rule {
        RepairRuleId::Disabled => config.enabled = false,
        RepairRuleId::BudgetSpent => request.budget = Some(0),
        RepairRuleId::Architectural => request.task.decision = true,
        RepairRuleId::RetriesFailed => request.attempts = vec![failed("use a pool"), failed("raise the limit")],
        RepairRuleId::NeedsPerson => request.error.text.push_str("\nYou exceeded your current quota"),
        RepairRuleId::FixableHere => request.error.text.push_str("\nbash: line 1: jq: command not found"),
        RepairRuleId::TooCoarse => {
            request.task.done_criteria = vec!["`prices` prints totals".into(), "the export file exists".into()];
        }
        RepairRuleId::Infeasible => request.plan.out_of_scope = vec!["nightly sync".into()],
        RepairRuleId::FirstRetry => {}
        RepairRuleId::NothingLeft => {
            if request.attempts.is_empty() {
                request.attempts = vec![failed("use a pool")];
            }
        }
    }
}

fn with(rules: &[RepairRuleId]) -> (RepairRequest, RepairConfig) {
    let (mut request, mut config) = (RepairRequest::default(), RepairConfig::default());
    request.task.number = "5".into();
    request.task.name = "Add the nightly sync".into();
    request.error.text = "AssertionError: 3 != 4".into();
    request.budget = Some(2);
    for rule in rules {
        make_hold(*rule, &mut request, &mut config);
    }
    (request, config)
}

fn winner(rules: &[RepairRuleId]) -> &'static str {
    let (request, config) = with(rules);
    let repair = select(&request, &config);
    RepairRuleId::ALL
        .into_iter()
        .map(RepairRuleId::name)
        .find(|name| *name == repair.rule)
        .expect("a rule of the table")
}

#[test]
fn every_rule_has_a_witness() {
    for rule in RepairRuleId::ALL {
        assert_eq!(winner(&[rule]), rule.name());
    }
}

#[test]
fn of_any_two_rules_the_higher_wins() {
    for a in RepairRuleId::ALL {
        for b in RepairRuleId::ALL {
            // FirstRetry holds on nothing, so anything else is above it.
            let expected = match (a, b) {
                (RepairRuleId::FirstRetry, other) | (other, RepairRuleId::FirstRetry) => other,
                (a, b) => a.min(b),
            };
            assert_eq!(winner(&[a, b]), expected.name(), "{a:?} with {b:?}");
        }
    }
}

#[test]
fn pairwise_winners() {
    let short = |name: &str| name.trim_start_matches("repair.").to_owned();
    let mut matrix = format!("{:15}", "");
    for column in RepairRuleId::ALL {
        matrix.push_str(&format!(" {:14}", short(column.name())));
    }
    for row in RepairRuleId::ALL {
        matrix.push_str(&format!("\n{:15}", short(row.name())));
        for column in RepairRuleId::ALL {
            matrix.push_str(&format!(" {:14}", short(winner(&[row, column]))));
        }
    }
    let lines: Vec<&str> = matrix.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_table_says_what_each_rule_answers() {
    let rows = RULES.iter().map(|rule| {
        let strategy = rule.strategy.map_or("gate", |strategy| strategy.name());
        format!("{:22} {strategy:10} {}", rule.id.name(), rule.summary)
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"));
}

/// A failed task by what is the matter with it, so that an oracle can know the answer without reading texts.
#[derive(Clone, Debug)]
struct Situation {
    enabled: bool,
    configured: u32,
    budget: Option<u32>,
    decision: bool,
    class: Option<Class>,
    /// (strategy, which approach, worked)
    attempts: Vec<(Repair, u8, bool)>,
    trouble: Trouble,
    criteria: Criteria,
    plan: Plan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    MissingCommand,
    MissingModule,
    WrongPath,
    NoVariable,
    Reset,
    BadOption,
    Assertion,
    Nothing,
    /// A diagnosis says that a test failed, whose text mentions a path.
    DiagnosedTest,
    /// A diagnosis says that it is transient, and the text says nothing.
    DiagnosedTransient,
    /// The compiler names two things that are not implemented.
    TwoGaps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Criteria {
    None,
    One,
    OneAndVague,
    Two,
    TwoInOne,
    Five,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Silent,
    OtherTaskFailed,
    PrerequisiteFailed,
    PrerequisitePending,
    OutOfScope,
    Forbidden,
    /// The plan forbids what would fix it.
    NoNewDependencies,
}

fn situations() -> impl Strategy<Value = Situation> {
    use proptest::sample::select as one_of;
    // Mostly RETRYs: the order turns on how many of them failed, and how.
    let strategy = prop_oneof![3 => Just(Repair::Retry), 1 => one_of(&Repair::ALL[..])];
    let attempt = (strategy, 0..4_u8, proptest::bool::weighted(0.2));
    let troubles = [
        Trouble::MissingCommand,
        Trouble::MissingModule,
        Trouble::WrongPath,
        Trouble::NoVariable,
        Trouble::Reset,
        Trouble::BadOption,
        Trouble::Assertion,
        Trouble::Nothing,
        Trouble::DiagnosedTest,
        Trouble::DiagnosedTransient,
        Trouble::TwoGaps,
    ];
    let criteria =
        [Criteria::None, Criteria::One, Criteria::OneAndVague, Criteria::Two, Criteria::TwoInOne, Criteria::Five];
    let plans = [
        Plan::Silent,
        Plan::OtherTaskFailed,
        Plan::PrerequisiteFailed,
        Plan::PrerequisitePending,
        Plan::OutOfScope,
        Plan::Forbidden,
        Plan::NoNewDependencies,
    ];
    (
        (proptest::bool::weighted(0.9), 0..4_u32, proptest::option::of(0..4_u32)),
        (proptest::bool::weighted(0.1), proptest::option::of(one_of(&Class::ALL[..]))),
        proptest::collection::vec(attempt, 0..4),
        (one_of(troubles.to_vec()), one_of(criteria.to_vec()), one_of(plans.to_vec())),
    )
        .prop_map(|((enabled, configured, budget), (decision, class), attempts, (trouble, criteria, plan))| {
            Situation { enabled, configured, budget, decision, class, attempts, trouble, criteria, plan }
        })
}

fn build(s: &Situation) -> (RepairRequest, RepairConfig) {
    let (mut request, config) = (RepairRequest::default(), RepairConfig { enabled: s.enabled, budget: s.configured });
    request.task.number = "5".into();
    request.task.name = "Charge the customer in Roubles".into();
    request.task.decision = s.decision;
    request.budget = s.budget;
    request.class = s.class;
    let approaches = ["swap the library", "Swap, the library!", "ask twice", ""];
    request.attempts = s
        .attempts
        .iter()
        .map(|(strategy, approach, ok)| RepairAttempt {
            strategy: Some(*strategy),
            approach: approaches[usize::from(*approach)].into(),
            ok: *ok,
        })
        .collect();
    request.error.text = match s.trouble {
        Trouble::MissingCommand => "sh: 1: stripe: not found",
        Trouble::MissingModule => "ModuleNotFoundError: No module named 'ledgerkit'",
        Trouble::WrongPath => "cat: rates/eur.csv: No such file or directory",
        Trouble::NoVariable => "bash: line 3: CHARGE_KEY: unbound variable",
        Trouble::Reset => "curl: (56) Recv failure: Connection reset by peer",
        Trouble::BadOption => "error: unexpected argument '--dyr' found",
        Trouble::Assertion => "AssertionError: charged 12, wanted 13",
        Trouble::Nothing | Trouble::DiagnosedTransient => "",
        Trouble::DiagnosedTest => "FAILED tests/test_charge.py - cat: rates/eur.csv: No such file or directory",
        Trouble::TwoGaps => "error[E0046]: not all trait items implemented, missing: `capture`, `refund`",
    }
    .into();
    request.error_type = match s.trouble {
        Trouble::DiagnosedTest => Some(ErrorType::TestFailure),
        Trouble::DiagnosedTransient => Some(ErrorType::NetworkTimeout),
        _ => None,
    };
    let criteria: &[&str] = match s.criteria {
        Criteria::None => &[],
        Criteria::One => &["POST /charges returns 201"],
        Criteria::OneAndVague => &["POST /charges returns 201", "the code is clean"],
        Criteria::Two => &["POST /charges returns 201", "a receipt is mailed"],
        Criteria::TwoInOne => &["POST /charges returns 201 and a receipt is mailed"],
        Criteria::Five => &[
            "POST /charges returns 201",
            "a receipt is mailed",
            "the ledger has an entry",
            "`charge --help` lists --dry",
            "refunds expire after 30 days",
        ],
    };
    request.task.done_criteria = criteria.iter().map(|c| (*c).to_owned()).collect();
    let other = |number: &str, name: &str, status| AdjacentTask { number: number.into(), name: name.into(), status };
    match s.plan {
        Plan::Silent => {}
        Plan::OtherTaskFailed => request.plan.adjacent = vec![other("2", "Draw the logo", TaskStatus::Failed)],
        Plan::PrerequisiteFailed => {
            request.plan.adjacent = vec![other("2", "Draw the logo", TaskStatus::Skipped)];
            request.task.depends_on = vec!["2".into()];
        }
        Plan::PrerequisitePending => {
            request.plan.adjacent = vec![other("2", "Draw the logo", TaskStatus::Pending)];
            request.task.depends_on = vec!["2".into()];
        }
        Plan::OutOfScope => request.plan.out_of_scope = vec!["Roubles".into()],
        Plan::Forbidden => request.plan.decisions = vec!["Charge in Euro, never in Roubles".into()],
        Plan::NoNewDependencies => request.plan.decisions = vec!["No new dependencies".into()],
    }
    (request, config)
}

/// The same decision, written from the prose: in this order, the first that applies.
fn oracle(s: &Situation) -> (Option<Repair>, u32) {
    let spent =
        s.attempts.iter().filter(|(strategy, ..)| matches!(strategy, Repair::Retry | Repair::Decompose)).count();
    let left = s.budget.unwrap_or_else(|| s.configured.saturating_sub(spent as u32));
    if !s.enabled {
        return (None, left);
    }
    let failed: Vec<u8> =
        s.attempts.iter().filter(|(strategy, _, ok)| *strategy == Repair::Retry && !ok).map(|(_, a, _)| *a).collect();
    // The first two approaches are the same in other letters.
    let mut different: Vec<u8> = failed.iter().map(|approach| if *approach == 1 { 0 } else { *approach }).collect();
    different.sort_unstable();
    different.dedup();
    if left == 0 || s.decision || s.class == Some(Class::F5) || different.len() > 1 {
        return (Some(Repair::Escalate), left);
    }
    let mendable = match s.trouble {
        Trouble::MissingModule => s.plan != Plan::NoNewDependencies,
        Trouble::MissingCommand
        | Trouble::WrongPath
        | Trouble::NoVariable
        | Trouble::Reset
        | Trouble::BadOption
        | Trouble::DiagnosedTransient => true,
        Trouble::Assertion | Trouble::Nothing | Trouble::TwoGaps => s.class == Some(Class::F1),
        Trouble::DiagnosedTest => false,
    };
    if mendable {
        return (Some(Repair::Retry), left - 1);
    }
    let split_failed = s.attempts.iter().any(|(strategy, _, ok)| *strategy == Repair::Decompose && !ok);
    let coarse = !split_failed
        && (s.trouble == Trouble::TwoGaps || matches!(s.criteria, Criteria::Two | Criteria::TwoInOne | Criteria::Five));
    if coarse {
        return (Some(Repair::Decompose), left - 1);
    }
    let infeasible = match s.plan {
        Plan::PrerequisiteFailed | Plan::OutOfScope | Plan::Forbidden => true,
        Plan::NoNewDependencies => s.trouble == Trouble::MissingModule,
        Plan::Silent | Plan::OtherTaskFailed | Plan::PrerequisitePending => false,
    };
    if infeasible {
        return (Some(Repair::Prune), left);
    }
    if failed.is_empty() { (Some(Repair::Retry), left - 1) } else { (Some(Repair::Escalate), left) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_oracle_agrees(situation in situations()) {
        let (request, config) = build(&situation);
        let repair = select(&request, &config);
        prop_assert_eq!((repair.strategy, repair.budget_remaining), oracle(&situation), "{}", repair.rule);
    }

    /// What only lower rules read never changes which rule wins.
    #[test]
    fn lower_facts_change_nothing(winning in 0..8_usize, lower in proptest::collection::vec(0..10_usize, 0..5)) {
        let winning = RepairRuleId::ALL[winning];
        let lower: Vec<RepairRuleId> = lower.into_iter().map(|at| RepairRuleId::ALL[at]).filter(|rule| *rule > winning).collect();
        let all: Vec<RepairRuleId> = std::iter::once(winning).chain(lower).collect();
        prop_assert_eq!(winner(&all), winning.name());
    }

    #[test]
    fn the_same_request_gives_the_same_bytes(situation in situations()) {
        let (request, config) = build(&situation);
        let json = |request| serde_json::to_string(&select(request, &config)).unwrap();
        prop_assert_eq!(json(&request), json(&request.clone()));
    }

    #[test]
    fn the_order_of_existing_paths_changes_nothing(
        paths in proptest::collection::vec("(src/|lib/)?rate[sx]?(_eur)?\\.(csv|json)", 0..6).prop_shuffle(),
    ) {
        let (mut request, config) = with(&[]);
        request.error.text = "cat: src/rates.csv: No such file or directory".into();
        request.candidates = paths.clone();
        let one = select(&request, &config);
        request.candidates.sort();
        prop_assert_eq!(one, select(&request, &config));
    }

    /// Whoever follows the answers never gets more repairs than the budget allows, and always comes to an end.
    #[test]
    fn the_budget_is_never_overdrawn(situation in situations(), configured in 0..4_u32) {
        let (mut request, _) = build(&situation);
        request.budget = None;
        request.attempts.clear();
        let config = RepairConfig { enabled: true, budget: configured };
        let mut spent = 0;
        for _ in 0..10 {
            let repair = select(&request, &config);
            let strategy = repair.strategy.unwrap();
            if !strategy.spends_budget() {
                break;
            }
            spent += 1;
            prop_assert_eq!(repair.budget_remaining, configured - spent);
            let approach = repair.directive.unwrap();
            request.attempts.push(RepairAttempt { strategy: Some(strategy), approach, ok: false });
        }
        prop_assert!(spent <= configured);
        prop_assert!(!select(&request, &config).strategy.unwrap().spends_budget());
    }
}
