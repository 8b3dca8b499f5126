//! The pages of `recovery explain`: one per rule, indicator, output format, error type, failure type, class and level.
//!
//! In: a name, in any case, with `-`, `_` or spaces, or an error type as people read it ("Rate limited"). Out: what it is, why,
//! and an example, each line with its label. Pages of rules and indicators are made from their tables and are here; those of types,
//! classes, strategies and levels are in `concepts.rs`, those of the words around them in `words.rs`.

mod concepts;
mod words;

pub use concepts::does;

use crate::answer;
use problem_matcher::formats::Matching;
use recovery_types::{Class, ErrorType, FailureType, Level, Strategy};
use serde::Serialize;

/// A page: a title and its lines, each with a label.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Page")]
pub struct ExplainPage {
    /// What it explains.
    pub id: String,
    /// What that is.
    pub kind: &'static str,
    /// Each line with its label.
    pub lines: Vec<(&'static str, String)>,
}

/// The page of whatever is called `id`, in any case, with `-`, `_` or spaces.
#[must_use]
pub fn page(engine: &recovery_engine::Engine, id: &str) -> Option<ExplainPage> {
    let lower = id.trim().to_lowercase();
    let (snake, kebab) = (lower.replace(['-', ' '], "_"), lower.replace(['_', ' '], "-"));
    let spellings = [id.to_owned(), lower.clone(), snake.clone(), kebab, snake.to_uppercase()];
    let printed = || ErrorType::ALL.iter().find(|error| answer::label(**error).eq_ignore_ascii_case(&lower));
    spellings.iter().find_map(|id| exact(engine, id)).or_else(|| exact(engine, printed()?.name()))
}

/// The three names most like `id`.
#[must_use]
pub fn nearest(engine: &recovery_engine::Engine, id: &str) -> Vec<String> {
    let rules = classifier_core::RULES.iter().map(|rule| rule.id.as_str().to_owned());
    let repairs = node_repair::RULES.iter().map(|rule| rule.id.name().to_owned());
    let rows = engine.taxonomy.indicators().map(|row| row.id.to_owned());
    let topics = topics().into_iter().flat_map(|(_, names)| names);
    let wanted = id.trim().to_lowercase().replace(['-', ' '], "_");
    let is_part = |name: &str| wanted.len() >= 3 && name.to_lowercase().replace('-', "_").contains(&wanted);
    // Indicators are called TOOL.WHAT: there are thousands, and some of them is like any other word.
    let rows = rows.filter(|name| id.contains('.') || is_part(name));
    let mut names: Vec<String> = topics.chain(rules).chain(repairs).chain(rows).collect();
    names.sort_by_cached_key(|name| {
        let distance = distance(&wanted, &name.to_lowercase());
        let is_typo = !name.contains('.') && distance <= 1 + wanted.len() / 8;
        let rank = match (is_part(name), name.contains('.')) {
            _ if is_typo => 0,
            (true, false) => 1,
            (true, true) => 2,
            (false, _) => 3,
        };
        (rank, distance)
    });
    names.truncate(3);
    names
}

/// What has a page, by kind: the words that answers use first. Rules and indicators have pages too: `recovery rules list`.
#[must_use]
pub fn topics() -> [(&'static str, Vec<String>); 6] {
    [
        ("words", words::WORDS.iter().map(|word| word.name.to_owned()).collect()),
        ("levels", Level::ALL.into_iter().map(|level| level.action().to_owned()).collect()),
        ("error types", ErrorType::ALL.iter().map(|error| error.name().to_owned()).collect()),
        ("classes", Class::ALL.into_iter().map(|class| format!("{class:?}")).collect()),
        ("failure types", FailureType::ALL.into_iter().map(|failure| failure.name().to_owned()).collect()),
        ("strategies", Strategy::ALL.into_iter().map(|strategy| strategy.name().to_owned()).collect()),
    ]
}

/// The Levenshtein distance.
#[must_use]
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

fn exact(engine: &recovery_engine::Engine, id: &str) -> Option<ExplainPage> {
    rule(id)
        .or_else(|| repair_rule(id))
        .or_else(|| step_rule(id))
        .or_else(|| indicator(engine, id))
        .or_else(|| format(id))
        .or_else(|| verdict(id))
        .or_else(|| concepts::page(engine, id))
        .or_else(|| words::page(id))
        .or_else(|| deciding_rule(id))
}

/// What a decision lists under `overruled` as the rule that won.
fn deciding_rule(id: &str) -> Option<ExplainPage> {
    let (_, why) = recovery_engine::reconcile::reasons().find(|(rule, _)| *rule == id)?;
    let lines = vec![
        ("what", "a rule that decides at which level a failure is handled, whatever else was recommended".to_owned()),
        ("why", why.to_owned()),
        ("example", "recovery decide --format json lists it under `overruled`".to_owned()),
    ];
    Some(ExplainPage { id: id.to_owned(), kind: "deciding rule", lines })
}

fn rule(id: &str) -> Option<ExplainPage> {
    let rule = classifier_core::RULES.iter().find(|rule| rule.id.as_str() == id)?;
    let page = rule.id.page();
    let answer = rule.class.map_or_else(|| "not a failure".to_owned(), |class| format!("{class:?} {}", class.name()));
    Some(ExplainPage {
        id: id.to_owned(),
        kind: "classifier rule",
        lines: vec![
            ("answer", answer),
            ("what", page.what.to_owned()),
            ("why", page.why.to_owned()),
            ("fires on", page.fires_on.to_owned()),
            ("does not", page.does_not_fire_on.to_owned()),
        ],
    })
}

fn repair_rule(id: &str) -> Option<ExplainPage> {
    let rule = node_repair::RULES.iter().find(|rule| rule.id.name() == id)?;
    let place = format!("{} of {}, the first that holds decides", rule.id as usize + 1, node_repair::RULES.len());
    let answer = rule.strategy.map_or("the gate: a person chooses", |strategy| strategy.name());
    let lines = vec![("answer", answer.to_owned()), ("when", rule.summary.to_owned()), ("order", place)];
    Some(ExplainPage { id: id.to_owned(), kind: "repair rule", lines })
}

fn step_rule(id: &str) -> Option<ExplainPage> {
    let rule = node_repair::STEPS.iter().find(|rule| rule.id.name() == id)?;
    let place = format!("{} of {}, the first that holds decides", rule.id as usize + 1, node_repair::STEPS.len());
    let kinds: Vec<String> = rule.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let lines = vec![("step", kinds.join(", ")), ("when", rule.id.page().trim().to_owned()), ("order", place)];
    Some(ExplainPage { id: id.to_owned(), kind: "step rule", lines })
}

fn indicator(engine: &recovery_engine::Engine, id: &str) -> Option<ExplainPage> {
    let row = engine.taxonomy.indicator(id)?;
    let mut lines = vec![
        ("looks for", row.text.to_owned()),
        ("says", format!("{} / {}", row.failure_type.name(), row.error_type)),
        ("strength", format!("{:?}", row.strength).to_lowercase()),
    ];
    lines.extend(row.tool.map(|tool| ("printed by", tool.to_owned())));
    lines.extend(row.guard.pattern.map(|pattern| ("line matches", pattern.to_owned())));
    for (label, example) in [("fires on", row.hits), ("does not", row.misses)] {
        if !example.is_empty() {
            lines.push((label, example.to_owned()));
        }
    }
    Some(ExplainPage { id: id.to_owned(), kind: "indicator", lines })
}

/// A format of tool output: a row of data, or a report with structure.
fn format(id: &str) -> Option<ExplainPage> {
    if let Some(format) = problem_matcher::formats::BUILTIN.iter().find(|format| format.id == id) {
        let mut lines =
            vec![("printed by", format.tool.to_string()), ("sort", format!("{:?}", format.kind).to_lowercase())];
        if let Matching::Patterns(patterns) = &format.matching {
            lines.extend(patterns.iter().map(|pattern| ("line matches", pattern.regexp.to_string())));
        }
        lines.push(("fires on", format.example.trim_matches('\n').to_owned()));
        lines.push(("does not", format.counter_example.trim_matches('\n').to_owned()));
        return Some(ExplainPage { id: id.to_owned(), kind: "output format", lines });
    }
    let (_, literals) = problem_matcher::matcher::reports().find(|(report, _)| *report == id)?;
    let lines = vec![("begins with", literals.join("  or  "))];
    Some(ExplainPage { id: id.to_owned(), kind: "report of a tool", lines })
}

/// How several indicators become one answer.
fn verdict(id: &str) -> Option<ExplainPage> {
    let lines = failure_taxonomy::algorithm().lines().map(|line| ("", line.to_owned())).collect();
    (id == "verdict").then(|| ExplainPage { id: id.to_owned(), kind: "how the field pack decides", lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use recovery_engine::{Engine, PackName};

    #[test]
    fn names_are_found_however_they_are_spelled_and_misses_are_helped() {
        let engine = Engine::new(PackName::Field);
        for id in
            ["nudge", "force-done", "level-2", "f2", "F2", "rate-limit", "rate_limit", "Rate_Limit", "broken-build"]
        {
            assert!(page(&engine, id).is_some(), "{id}");
        }
        // As people read them, and with spaces.
        for (printed, id) in
            [("Rate limited", "rate_limit"), ("connection failed", "connection_failure"), ("rate limit", "rate_limit")]
        {
            assert_eq!(page(&engine, printed).map(|page| page.id).as_deref(), Some(id), "{printed}");
        }
        for word in
            ["flaky", "temporary", "stuck", "pack", "ladder", "journal", "needs you", "NEEDS YOU", "not recognised"]
        {
            assert!(page(&engine, word).is_some(), "{word}");
        }
        // The states of `status`, and the rules that a decision names.
        let states =
            ["ok", "failing", "failed", "waiting", "stuck", "frozen", "skipped", "resolved", "expired", "flaky"];
        let rules = recovery_engine::reconcile::reasons().map(|(rule, _)| rule);
        for word in states.into_iter().skip(1).chain(rules) {
            assert!(page(&engine, word).is_some(), "{word}");
        }
        assert!(page(&engine, "nope").is_none());
        assert_eq!(nearest(&engine, "compile")[0], "compile_error");
        assert_eq!(page(&engine, "RETRY").unwrap().kind, "repair strategy");
        assert_eq!(page(&engine, "retry").unwrap().kind, "ladder level");
        // A typo of a word is that word, however many indicators contain it: `nuget.sdk`.
        for (typo, word) in
            [("rate_limitt", "rate_limit"), ("nuge", "nudge"), ("fallbak", "fallback"), ("flakey", "flaky")]
        {
            assert_eq!(nearest(&engine, typo)[0], word, "{typo}");
        }
        assert_eq!((distance("kitten", "sitting"), distance("", "abc")), (3, 3));
    }
    /// Every class, type, strategy and level states when it applies, how that is found, its numbers, what follows, an example.
    #[test]
    fn every_concept_is_explained_in_full() {
        let engine = Engine::new(PackName::Field);
        let names = (Class::ALL.iter().map(|class| format!("{class:?}")))
            .chain(FailureType::ALL.iter().map(|failure| failure.name().to_owned()))
            .chain(Strategy::ALL.iter().map(|strategy| strategy.name().to_owned()))
            .chain(Level::ALL.iter().map(|level| level.action().to_owned()))
            .chain(ErrorType::ALL.iter().map(|error| error.name().to_owned()));
        for name in names {
            let page = page(&engine, &name).unwrap_or_else(|| panic!("{name} has no page"));
            for label in ["what", "why", "trigger", "algorithm", "numbers", "action", "example"] {
                let line = page.lines.iter().find(|(own, _)| *own == label);
                assert!(line.is_some_and(|(_, text)| !text.trim().is_empty()), "{name} has no {label}");
            }
        }
    }
}
