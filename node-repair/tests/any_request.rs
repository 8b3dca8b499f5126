//! What holds for every request, whatever its content.

use node_repair::decompose::{self, rewords};
use node_repair::{Directive, RepairConfig, parse_directive, select};
use proptest::prelude::*;
use recovery_types::repair::{AdjacentTask, RepairAttempt, TaskStatus};
use recovery_types::similarity::Words;
use recovery_types::{Class, ErrorType, Gate, RepairRequest, Strategy as Repair};

/// Texts made of what the recognisers, the splitter and the directive lines look for.
fn texts() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "No module named '",
        "'",
        "\"",
        "`",
        "‘",
        "’",
        "\n",
        "\r\n",
        "\u{1b}[31m",
        ": ",
        " | ",
        "|",
        "\\",
        "\\|",
        " and ",
        ", ",
        "; ",
        ". ",
        "1. ",
        "2) ",
        "- ",
        "(",
        ")",
        "[ ] ",
        "The API:",
        "returns 200",
        "creates a table",
        "looks nice",
        "é",
        "日本",
        "port ",
        "80",
        "99999999999999999999",
        ": command not found",
        "Retry-After: ",
        "try again in ",
        "12s",
        "fatal error: ",
        ".h: No such file or directory",
        "ld: cannot find -l",
        "KeyError: '",
        "FOO_BAR",
        "npm error peer ",
        "a@1.2",
        " from ",
        "class file version ",
        "65.0",
        "$(id)",
        "src/a.rs:3:4",
        "File \"",
        "\", line ",
        "Error",
        "\u{0}",
        "\u{202e}",
        " ",
        "x",
    ]);
    prop_oneof![
        3 => proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat()),
        1 => "\\PC{0,60}",
    ]
}

fn requests() -> impl Strategy<Value = RepairRequest> {
    use proptest::collection::vec;
    use proptest::option::of;
    use proptest::sample::select as one_of;
    let attempt = (of(one_of(&Repair::ALL[..])), texts(), any::<bool>())
        .prop_map(|(strategy, approach, ok)| RepairAttempt { strategy, approach, ok });
    let statuses = vec![TaskStatus::Done, TaskStatus::Failed, TaskStatus::Skipped, TaskStatus::Pending];
    let adjacent = ("[0-9.]{0,3}", texts(), one_of(statuses)).prop_map(|(number, name, status)| AdjacentTask {
        number,
        name,
        status,
    });
    let task = (texts(), texts(), vec(texts(), 0..6), proptest::bool::weighted(0.1));
    let error = (texts(), of(texts()), of(texts()), of(one_of(ErrorType::ALL)), of(one_of(&Class::ALL[..])));
    let plan = (vec(adjacent, 0..3), vec(texts(), 0..3), vec(texts(), 0..3));
    (task, error, plan, of(0..4_u32), vec(attempt, 0..3), vec(texts(), 0..4), of(any::<u64>())).prop_map(
        |(task, error, plan, budget, attempts, candidates, retry_after_ms)| {
            let mut request =
                RepairRequest { budget, attempts, candidates, retry_after_ms, ..RepairRequest::default() };
            (request.task.number, request.task.name, request.task.done_criteria, request.task.decision) = task;
            (request.error.text, request.error.expected, request.error.actual, request.error_type, request.class) =
                error;
            (request.plan.adjacent, request.plan.decisions, request.plan.out_of_scope) = plan;
            request
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exactly_one_strategy_and_its_line_reads_back(request in requests(), enabled in proptest::bool::weighted(0.9)) {
        let repair = select(&request, &RepairConfig { enabled, budget: 2 });
        prop_assert_eq!(repair.strategy.is_some(), enabled);
        let Some(strategy) = repair.strategy else {
            prop_assert_eq!(repair.gate, Some(Gate::verification_failure()));
            prop_assert_eq!((repair.directive, repair.log), (None, None));
            prop_assert!(repair.adjustment.is_some());
            return Ok(());
        };
        prop_assert_eq!(repair.gate, None);
        let line = repair.directive.unwrap();
        prop_assert!(!line.contains(char::is_control), "{line:?}");
        prop_assert!(!repair.log.unwrap_or_default().contains(char::is_control));
        prop_assert!(repair.adjustment.is_some());
        let directive = parse_directive(&line).expect("the line reads back");
        prop_assert_eq!(directive.strategy(), strategy);
        prop_assert_eq!(directive.to_string(), line);
        match directive {
            Directive::Retry(text) => prop_assert_eq!(text, repair.adjustment.unwrap().text),
            Directive::Decompose(parts) => {
                prop_assert_eq!(parts, repair.sub_tasks.into_iter().map(|t| t.name).collect::<Vec<_>>());
            }
            Directive::Prune(why) => prop_assert!(!why.is_empty()),
            Directive::Escalate { tried, decision } => {
                prop_assert!(!tried.is_empty());
                prop_assert!(decision.ends_with('?') || decision.starts_with("ask a person"), "{decision}");
            }
        }
    }

    #[test]
    fn no_budget_always_escalates(mut request in requests()) {
        request.budget = Some(0);
        let repair = select(&request, &RepairConfig::default());
        prop_assert_eq!((repair.strategy, repair.budget_remaining), (Some(Repair::Escalate), 0));
    }

    #[test]
    fn sub_tasks_are_two_or_three_with_one_outcome_each_and_no_word_is_lost(request in requests()) {
        let concerns = decompose::concerns(&request.task.done_criteria);
        let split = decompose::split(&request, &concerns);
        if split.parts.is_empty() {
            return Ok(());
        }
        let sub_tasks = decompose::number(&split.parts, &request.task, 2);
        prop_assert!((2..=3).contains(&sub_tasks.len()));
        prop_assert!(sub_tasks.iter().all(|t| t.done_criteria == [t.name.clone()]));
        let words: Vec<Words> = sub_tasks.iter().map(|t| Words::keywords(&t.name)).collect();
        let task = Words::keywords(&request.task.name);
        for (at, own) in words.iter().enumerate() {
            prop_assert!(!own.is_empty());
            prop_assert!(!rewords(own, &task), "{sub_tasks:?} re-words {}", request.task.name);
            for other in &words[at + 1..] {
                prop_assert!(!rewords(own, other) && !rewords(other, own), "{sub_tasks:?}");
            }
        }
        let covered: Vec<&str> = split.parts.iter().chain(&split.remaining).map(String::as_str).collect();
        let passed: Vec<&str> = request.attempts.iter().filter(|a| a.ok).map(|a| a.approach.as_str()).collect();
        let said = Words::all(&format!("{} {}", covered.join(" "), passed.join(" ")));
        for criterion in &request.task.done_criteria {
            for word in Words::all(&node_repair::directive::one_line(criterion)).iter() {
                // List markers are no words of the criterion.
                let marker = word.len() <= 2 && (word.bytes().all(|b| b.is_ascii_digit()) || word == "x");
                prop_assert!(marker || word == "and" || said.iter().any(|w| w == word), "{word} of {criterion:?} is lost: {sub_tasks:?}");
            }
        }
    }

    #[test]
    fn any_directive_reads_back(parts in proptest::collection::vec(texts(), 2..4)) {
        let parts: Vec<String> = parts.iter().map(|p| node_repair::directive::one_line(p)).collect();
        prop_assume!(parts.iter().all(|p| !p.is_empty()));
        let directives = [
            Directive::Retry(parts[0].clone()),
            Directive::Prune(parts[1].clone()),
            Directive::Escalate { tried: parts[0].clone(), decision: parts[1].clone() },
            Directive::Decompose(parts),
        ];
        for directive in directives {
            let line = directive.to_string();
            prop_assert_eq!(parse_directive(&line), Some(directive), "{}", line);
        }
    }

    #[test]
    fn no_line_panics(line in texts()) {
        let _ = parse_directive(&line);
    }
}
