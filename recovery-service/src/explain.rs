//! The pages of `recovery explain`: one per rule, indicator, output format, error type, failure type, class and level.
//!
//! In: a name, in any case, with `-` or `_`. Out: what it is, why, and an example, each line with its label. Pages of rules and
//! indicators are made from their tables; the texts about classes and levels are here.

use crate::answer;
use classifier_core::first_class;
use escalation::entry_level;
use problem_matcher::formats::Matching;
use recovery_types::{Class, ErrorType, FailureType, Level};
use serde::Serialize;

/// A page: a title and its lines, each with a label.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Page {
    /// What it explains.
    pub id: String,
    /// What that is.
    pub kind: &'static str,
    /// Each line with its label.
    pub lines: Vec<(&'static str, String)>,
}

/// The page of whatever is called `id`, in any case, with `-` or `_`.
#[must_use]
pub fn page(engine: &recovery_engine::Engine, id: &str) -> Option<Page> {
    let (snake, kebab) = (id.to_lowercase().replace('-', "_"), id.to_lowercase().replace('_', "-"));
    let spellings = [id.to_owned(), id.to_lowercase(), snake.clone(), kebab, snake.to_uppercase()];
    spellings.iter().find_map(|id| exact(engine, id))
}

/// The three names most like `id`.
#[must_use]
pub fn nearest(engine: &recovery_engine::Engine, id: &str) -> Vec<String> {
    let rules = classifier_core::RULES.iter().map(|rule| rule.id.as_str().to_owned());
    let repairs = node_repair::RULES.iter().map(|rule| rule.id.name().to_owned());
    let rows = engine.taxonomy.indicators().map(|row| row.id.to_owned());
    let errors = ErrorType::ALL.iter().map(|error| error.name().to_owned());
    let levels = Level::ALL.into_iter().map(|level| level.action().to_owned());
    let classes = Class::ALL.into_iter().map(|class| format!("{class:?}"));
    // Indicators are called TOOL.WHAT: there are thousands, and some of them is like any other word.
    let rows = rows.filter(|_| id.contains('.'));
    let mut names: Vec<String> = errors.chain(levels).chain(classes).chain(rules).chain(repairs).chain(rows).collect();
    let wanted = id.to_lowercase().replace('-', "_");
    names.sort_by_cached_key(|name| distance(&wanted, &name.to_lowercase()));
    names.truncate(3);
    names
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

fn exact(engine: &recovery_engine::Engine, id: &str) -> Option<Page> {
    rule(id)
        .or_else(|| repair_rule(id))
        .or_else(|| step_rule(id))
        .or_else(|| indicator(engine, id))
        .or_else(|| format(id))
        .or_else(|| verdict(id))
        .or_else(|| error_type(engine, id))
        .or_else(|| failure_type(id))
        .or_else(|| class(id))
        .or_else(|| level(id))
}

fn rule(id: &str) -> Option<Page> {
    let rule = classifier_core::RULES.iter().find(|rule| rule.id.as_str() == id)?;
    let page = rule.id.page();
    let answer = rule.class.map_or_else(|| "not a failure".to_owned(), |class| format!("{class:?} {}", class.name()));
    Some(Page {
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

fn repair_rule(id: &str) -> Option<Page> {
    let rule = node_repair::RULES.iter().find(|rule| rule.id.name() == id)?;
    let place = format!("{} of {}, the first that holds decides", rule.id as usize + 1, node_repair::RULES.len());
    let answer = rule.strategy.map_or("the gate: a person chooses", |strategy| strategy.name());
    let lines = vec![("answer", answer.to_owned()), ("when", rule.summary.to_owned()), ("order", place)];
    Some(Page { id: id.to_owned(), kind: "repair rule", lines })
}

fn step_rule(id: &str) -> Option<Page> {
    let rule = node_repair::STEPS.iter().find(|rule| rule.id.name() == id)?;
    let place = format!("{} of {}, the first that holds decides", rule.id as usize + 1, node_repair::STEPS.len());
    let kinds: Vec<String> = rule.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let lines = vec![("step", kinds.join(", ")), ("when", rule.id.page().trim().to_owned()), ("order", place)];
    Some(Page { id: id.to_owned(), kind: "step rule", lines })
}

fn indicator(engine: &recovery_engine::Engine, id: &str) -> Option<Page> {
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
    Some(Page { id: id.to_owned(), kind: "indicator", lines })
}

/// A format of tool output: a row of data, or a report with structure.
fn format(id: &str) -> Option<Page> {
    if let Some(format) = problem_matcher::formats::BUILTIN.iter().find(|format| format.id == id) {
        let mut lines =
            vec![("printed by", format.tool.to_string()), ("sort", format!("{:?}", format.kind).to_lowercase())];
        if let Matching::Patterns(patterns) = &format.matching {
            lines.extend(patterns.iter().map(|pattern| ("line matches", pattern.regexp.to_string())));
        }
        lines.push(("fires on", format.example.trim_matches('\n').to_owned()));
        lines.push(("does not", format.counter_example.trim_matches('\n').to_owned()));
        return Some(Page { id: id.to_owned(), kind: "output format", lines });
    }
    let (_, literals) = problem_matcher::matcher::reports().find(|(report, _)| *report == id)?;
    let lines = vec![("begins with", literals.join("  or  "))];
    Some(Page { id: id.to_owned(), kind: "report of a tool", lines })
}

/// How several indicators become one answer.
fn verdict(id: &str) -> Option<Page> {
    let lines = failure_taxonomy::algorithm().lines().map(|line| ("", line.to_owned())).collect();
    (id == "verdict").then(|| Page { id: id.to_owned(), kind: "how the field pack decides", lines })
}

/// Why an error type is handled as it is.
const fn why_of(error: ErrorType) -> &'static str {
    match entry_level(error) {
        Level::Retry => "it often passes by itself, so the same command is worth repeating",
        Level::Nudge => "the same command fails the same way again until something is changed",
        Level::Replan => "changing a detail will not help; the approach has to change",
        Level::Fallback => "whoever tries cannot do it; someone else may",
        Level::ForceDone => "only a person can do something about it, so nothing is tried",
    }
}

/// A line that an indicator of this error type matches.
fn example_of(engine: &recovery_engine::Engine, error: ErrorType) -> String {
    let rows = engine.taxonomy.indicators();
    let mut shown = rows.filter(|row| row.error_type == error && !row.hits.is_empty()).map(|row| row.hits);
    let line = shown.next().and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
    line.map_or_else(|| "none: it is reported by a caller, not read from output".to_owned(), |l| l.trim().to_owned())
}

fn error_type(engine: &recovery_engine::Engine, id: &str) -> Option<Page> {
    let error = ErrorType::from_name(id)?;
    Some(Page {
        id: id.to_owned(),
        kind: "error type",
        lines: vec![
            ("what", format!("{}: {}", answer::phrase(error), error.meaning().trim())),
            ("next", answer::default_step(error).to_owned()),
            ("why", why_of(error).to_owned()),
            ("example", example_of(engine, error)),
            ("class", format!("{:?} {}", first_class(error), first_class(error).name())),
            ("failure type", error.failure_type().name().to_owned()),
            ("first tried", format!("{} (level {})", entry_level(error).action(), entry_level(error).number())),
        ],
    })
}

fn failure_type(id: &str) -> Option<Page> {
    let failure = FailureType::ALL.into_iter().find(|f| f.name() == id)?;
    let errors: Vec<&str> = ErrorType::ALL.iter().filter(|e| e.failure_type() == failure).map(|e| e.name()).collect();
    let action = failure_taxonomy::recovery_action(failure, 1, None);
    Some(Page {
        id: id.to_owned(),
        kind: "failure type",
        lines: vec![
            ("what", format!("{} in reports", failure.name().to_lowercase().replace('_', " "))),
            ("why", action.reason),
            ("example", format!("recovery explain {}", errors.first().copied().unwrap_or("other"))),
            ("error types", errors.join(", ")),
        ],
    })
}

/// What a class is, why it is told apart, and an example.
const fn class_page(class: Class) -> (&'static str, &'static str, &'static str) {
    match class {
        Class::F1 => (
            "the surroundings failed, not the work",
            "the identical command may succeed in a moment, so nothing has to be changed",
            "read ECONNRESET; HTTP 503; a lock that another process holds",
        ),
        Class::F2 => (
            "a mistake within this task",
            "the task can fix it alone: the approach is right, a detail is wrong",
            "a compile error, a failed test, a missing module, for the first or second time",
        ),
        Class::F3 => (
            "this task's approach does not work",
            "the same failure came back although something was changed, so another approach is due",
            "the same test fails for the third time",
        ),
        Class::F4 => (
            "the fault is not in this task alone: a sibling or the story above it is concerned",
            "tasks that undo each other's work cannot be fixed one by one",
            "an attempt touches a file that a sibling task has changed",
        ),
        Class::F5 => (
            "the failure contradicts the plan's mission",
            "only a person may change what the plan is for",
            "the only way on needs what the mission forbids",
        ),
        Class::F6 => (
            "two tasks collided",
            "whoever goes first has to be decided before either is tried again",
            "a merge conflict between two agents' branches",
        ),
    }
}

fn class(id: &str) -> Option<Page> {
    let class = Class::ALL.into_iter().find(|class| format!("{class:?}") == id)?;
    let rules: Vec<&str> =
        classifier_core::RULES.iter().filter(|r| r.class == Some(class)).map(|r| r.id.as_str()).collect();
    Some(Page {
        id: id.to_owned(),
        kind: "class",
        lines: vec![
            ("what", format!("{}: {}", class.name(), class_page(class).0)),
            ("why", class_page(class).1.to_owned()),
            ("example", class_page(class).2.to_owned()),
            ("by rules", rules.join(", ")),
        ],
    })
}

fn level(id: &str) -> Option<Page> {
    let named = |level: &Level| level.action() == id || format!("level-{}", level.number()) == id;
    let level = Level::ALL.into_iter().find(named)?;
    let entered: Vec<&str> = ErrorType::ALL.iter().filter(|e| entry_level(**e) == level).map(|e| e.name()).collect();
    Some(Page {
        id: id.to_owned(),
        kind: "ladder level",
        lines: vec![
            ("what", does(level).to_owned()),
            ("why", why(level).to_owned()),
            ("example", example(level).to_owned()),
            ("number", level.number().to_string()),
            ("entered by", entered.join(", ")),
        ],
    })
}

/// What happens at a level.
#[must_use]
pub const fn does(level: Level) -> &'static str {
    match level {
        Level::Retry => "the same command again, after a pause that doubles each time",
        Level::Nudge => "the same approach with one thing changed",
        Level::Replan => "another approach; the ones that failed are listed as known not to work",
        Level::Fallback => "another agent, model or command takes over",
        Level::ForceDone => "nothing more is tried; what was done and what is missing is handed over",
    }
}

const fn why(level: Level) -> &'static str {
    match level {
        Level::Retry => "many failures pass by themselves: a dropped connection, a rate limit, a held lock",
        Level::Nudge => "what failed for a reason of its own fails again unchanged, but the approach may be right",
        Level::Replan => "an approach that failed with every change is wrong",
        Level::Fallback => "someone else may be able to do what this one cannot",
        Level::ForceDone => "a clear end with an explanation is worth more than going on without hope",
    }
}

const fn example(level: Level) -> &'static str {
    match level {
        Level::Retry => "recovery run --retries 5 --delay 2s -- npm ci",
        Level::Nudge => "recovery run --nudge 'make -j1' -- make -j8",
        Level::Replan => "recovery run --replan ./new-plan.sh -- ./agent.sh",
        Level::Fallback => "recovery run --fallback 'clean=make clean all' -- make",
        Level::ForceDone => "recovery stuck; then recovery hints TASK",
    }
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
        assert!(page(&engine, "nope").is_none());
        assert!(nearest(&engine, "rate_limitt").contains(&"rate_limit".to_owned()));
        assert_eq!((distance("kitten", "sitting"), distance("", "abc")), (3, 3));
    }
}
