//! What in the plan makes a task infeasible; the only reason for PRUNE.
//!
//! In: a `RepairRequest` and the proposed adjustment. Out: a [`Reason`] that cites the plan (a skipped prerequisite,
//! an item out of scope, a decision that the task contradicts), or none. Texts are compared by their keywords with
//! plurals folded; words that tasks of every kind contain do not count. Without a reason that the plan itself states a
//! task is never pruned.

use crate::directive::one_line;
use crate::step::pattern::{Pattern, quoted};
use recovery_types::repair::{AdjacentTask, TaskStatus};
use recovery_types::similarity::Words;
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};
use std::fmt;

/// Why the plan does not allow the task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Why it is infeasible.
    pub ground: Ground,
    /// Whether it also rules out the adjustment that the error suggests.
    pub against_adjustment: bool,
}

/// Why a task is infeasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A task it needs failed or was left out.
    Prerequisite {
        /// That task's number.
        number: String,
        /// That task's name.
        name: String,
        /// Whether it was left out rather than failed.
        skipped: bool,
    },
    /// The phase leaves it out.
    OutOfScope {
        /// The item, in the plan's words.
        item: String,
    },
    /// An earlier decision forbids it.
    Contradicts {
        /// The decision, in the plan's words.
        decision: String,
        /// What it forbids.
        forbidden: String,
    },
}

impl Reason {
    /// Whether it rules out `adjustment`, so that the failure cannot be fixed here.
    #[must_use]
    pub fn forbids(&self, adjustment: &Adjustment) -> bool {
        self.against_adjustment && adds_something(adjustment)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ground {
            Ground::Prerequisite { number, name, skipped } => {
                let (number, name) = (one_line(number), one_line(name));
                let end = if *skipped { "was skipped" } else { "failed" };
                match (number.is_empty(), name.is_empty()) {
                    (false, false) => write!(f, "its prerequisite, task {number} ({name}), {end}"),
                    (false, true) => write!(f, "its prerequisite, task {number}, {end}"),
                    (true, _) => write!(f, "its prerequisite ({name}) {end}"),
                }
            }
            Ground::OutOfScope { item } => write!(f, "the plan puts \"{}\" out of scope", one_line(item)),
            Ground::Contradicts { decision, forbidden } => {
                write!(f, "it needs {forbidden}, which contradicts the earlier decision \"{}\"", one_line(decision))
            }
        }
    }
}

/// What in the plan makes the task infeasible; where several things do, one that rules out the adjustment.
#[must_use]
pub fn reason(request: &RepairRequest, adjustment: Option<&Adjustment>) -> Option<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    reasons.extend(request.plan.adjacent.iter().filter_map(|other| prerequisite(request, other, adjustment)));
    reasons.extend(request.plan.out_of_scope.iter().filter_map(|item| out_of_scope(request, item, adjustment)));
    reasons.extend(request.plan.decisions.iter().filter_map(|decision| contradicts(request, decision, adjustment)));
    let at = reasons.iter().position(|r| r.against_adjustment).unwrap_or(0);
    (at < reasons.len()).then(|| reasons.swap_remove(at))
}

fn prerequisite(request: &RepairRequest, other: &AdjacentTask, adjustment: Option<&Adjustment>) -> Option<Reason> {
    let skipped = match other.status {
        TaskStatus::Failed => false,
        TaskStatus::Skipped => true,
        TaskStatus::Done | TaskStatus::Pending => return None,
    };
    let stated = request.task.depends_on.iter().any(|number| !number.is_empty() && *number == other.number);
    if !stated && comes_after(&other.number, &request.task.number) {
        return None;
    }
    // What the other task was to bring: the words of its name that are more specific than "add" or "module".
    let brought: Vec<String> =
        Words::keywords(&other.name).iter().filter(|w| is_telling(w)).map(str::to_owned).collect();
    let brings = |name: &str| Words::all(name).iter().any(|word| brought.iter().any(|b| b == word));
    let error = &request.error;
    let texts = [Some(error.text.as_str()), error.expected.as_deref(), error.actual.as_deref()];
    let missing_here = request.missing.as_ref().is_some_and(|m| brings(&m.name))
        || texts.into_iter().flatten().any(|text| quoted(text).into_iter().chain(absent(text)).any(brings));
    let texts = texts.into_iter().flatten().chain(request.task.done_criteria.iter().map(String::as_str));
    let named = texts.into_iter().any(|text| names_task(text, &other.number));
    let against_adjustment = adjustment.and_then(|a| a.subject.as_deref()).is_some_and(brings);
    let ground = Ground::Prerequisite { number: other.number.clone(), name: other.name.clone(), skipped };
    (stated || named || missing_here || against_adjustment).then_some(Reason { ground, against_adjustment })
}

/// Names that a text calls missing without quotes: `no such table: users`, `table users does not exist`.
fn absent(text: &str) -> impl Iterator<Item = &str> {
    const MISSING: &[&str] = &[
        "no such table: {w}",
        "no such column: {w}",
        "able {w} does not exist",
        "able {w} doesn't exist",
        "elation {w} does not exist",
        "olumn {w} does not exist",
        "ollection {w} does not exist",
        "ollection {w} not found",
        "ueue {w} does not exist",
        "opic {w} does not exist",
        "ile {w} does not exist",
        "odule {w} not found",
        "{w}: No such file or directory",
        "{w}: command not found",
    ];
    let names = MISSING.iter().flat_map(move |template| Pattern::new(template).all(text));
    names.filter_map(|hit| hit.captures.first().copied())
}

fn out_of_scope(request: &RepairRequest, item: &str, adjustment: Option<&Adjustment>) -> Option<Reason> {
    let item_words = Stems::of(item);
    let against_adjustment = adjustment.is_some_and(|a| item_words.within(&Stems::of(&a.text)));
    let named = against_adjustment || named_by(request, &item_words);
    named.then(|| Reason { ground: Ground::OutOfScope { item: item.to_owned() }, against_adjustment })
}

fn contradicts(request: &RepairRequest, decision: &str, adjustment: Option<&Adjustment>) -> Option<Reason> {
    if takes_away(&request.task.name) {
        return None;
    }
    forbidden(decision).into_iter().find_map(|phrase| {
        let words = Stems::of(&phrase);
        let installs = adjustment.is_some_and(|a| {
            a.kind == AdjustmentKind::InstallPackage
                && ["dependency", "package", "library"].iter().any(|w| words.has(w))
        });
        let against_adjustment = installs || adjustment.is_some_and(|a| words.within(&Stems::of(&a.text)));
        let phrase = if installs { adjustment.and_then(|a| a.subject.clone()).unwrap_or(phrase) } else { phrase };
        (against_adjustment || named_by(request, &words)).then(|| Reason {
            ground: Ground::Contradicts { decision: decision.to_owned(), forbidden: phrase },
            against_adjustment,
        })
    })
}

/// Whether the task names all of `words`, or its error does; a single word in an error is too little.
fn named_by(request: &RepairRequest, words: &Stems) -> bool {
    let task = std::iter::once(&request.task.name).chain(&request.task.done_criteria);
    let task = task.chain(request.missing.as_ref().map(|m| &m.name));
    let task = Stems::of(&task.map(String::as_str).collect::<Vec<_>>().join(" "));
    words.within(&task) || (words.0.len() > 1 && words.within(&Stems::of(&request.error.text)))
}

/// What a decision forbids: `no X`, `not X`, `never X`, `without X`, `avoid X`, `instead of X`, `rather than X`, `X over Y`.
fn forbidden(decision: &str) -> Vec<String> {
    const MARKS: [&str; 12] =
        ["no", "not", "never", "without", "avoid", "don't", "instead", "rather", "over", "forbid", "forbidden", "ban"];
    // Words between the mark and what it forbids, and words after it that begin something else.
    #[rustfmt::skip]
    const FILL: [&str; 17] = ["of", "than", "use", "using", "any", "a", "an", "the", "add", "adding", "touch", "introduce",
                              "in", "on", "to", "with", "more"];
    const END: [&str; 8] = ["and", "but", "because", "for", "in", "on", "so", "until"];
    let mut phrases = Vec::new();
    for clause in decision.split([',', ';', '.', ':', '(', ')', '\n']) {
        let words: Vec<&str> = clause.split_whitespace().collect();
        let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
        let Some(mark) = lower.iter().position(|w| MARKS.contains(&w.as_str())) else { continue };
        let rest = lower.iter().enumerate().skip(mark + 1);
        let rest = rest.skip_while(|(_, w)| FILL.contains(&w.as_str()) || MARKS.contains(&w.as_str()));
        let rest = rest.take_while(|(_, w)| !END.contains(&w.as_str()));
        let phrase = rest.filter_map(|(at, _)| words.get(at).copied()).collect::<Vec<_>>().join(" ");
        if !phrase.is_empty() {
            phrases.push(phrase);
        }
    }
    phrases
}

/// Whether a task removes what it names, so that naming it is no contradiction.
fn takes_away(task: &str) -> bool {
    let words = Words::all(task);
    let verbs = ["remove", "drop", "delete", "replace", "migrate", "disable", "uninstall", "retire", "without"];
    words.iter().any(|word| verbs.contains(&word))
}

fn adds_something(adjustment: &Adjustment) -> bool {
    matches!(
        adjustment.kind,
        AdjustmentKind::InstallPackage
            | AdjustmentKind::InstallCommand
            | AdjustmentKind::InstallLibrary
            | AdjustmentKind::CorrectPath
            | AdjustmentKind::SetVariable
            | AdjustmentKind::StartService
            | AdjustmentKind::Look
    )
}

/// Words that tasks of every kind have in their names.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "api", "app", "build", "check", "class", "code", "command", "config", "configure", "create", "data", "define", "directory",
    "error", "file", "files", "fix", "folder", "from", "function", "generate", "implement", "install", "library", "make",
    "module", "new", "package", "path", "project", "py", "rs", "js", "ts", "json", "toml", "yaml", "run", "script", "server",
    "service", "set", "setup", "src", "step", "table", "task", "test", "tests", "type", "update", "up", "use", "write",
];

fn is_telling(word: &str) -> bool {
    word.chars().count() > 2 && !COMMON.contains(&word)
}

/// Whether `text` contains `task 2`, `task #2` or `step 2`.
fn names_task(text: &str, number: &str) -> bool {
    if number.is_empty() {
        return false;
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.windows(2).any(|pair| {
        let stated = pair[1].trim_matches(|c: char| !c.is_alphanumeric());
        matches!(pair[0].trim_start_matches(|c: char| !c.is_alphanumeric()), "task" | "step")
            && stated == number.to_lowercase()
    })
}

/// Whether a plan number comes after another; not where they cannot be compared.
fn comes_after(other: &str, number: &str) -> bool {
    let parse = |text: &str| text.split('.').map(|part| part.trim().parse::<u32>().ok()).collect::<Option<Vec<_>>>();
    matches!((parse(other), parse(number)), (Some(other), Some(number)) if other > number)
}

/// Keywords with plurals folded.
struct Stems(Vec<String>);

impl Stems {
    fn of(text: &str) -> Self {
        Self(Words::keywords(text).iter().map(stem).collect())
    }

    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|w| w == word)
    }

    fn within(&self, other: &Self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|word| other.has(word))
    }
}

fn stem(word: &str) -> String {
    match (word.strip_suffix("ies"), word.strip_suffix('s')) {
        (Some(stem), _) if stem.len() > 2 => format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RepairConfig, select};

    fn request(task: &str, error: &str) -> RepairRequest {
        let mut request = RepairRequest::default();
        request.task.number = "4".to_owned();
        request.task.name = task.to_owned();
        request.error.text = error.to_owned();
        request
    }

    fn other(number: &str, name: &str, status: TaskStatus) -> AdjacentTask {
        AdjacentTask { number: number.to_owned(), name: name.to_owned(), status }
    }

    fn directive(request: &RepairRequest) -> String {
        select(request, &RepairConfig::default()).directive.unwrap_or_default()
    }

    /// A module that a failed task was to bring cannot be installed from an index.
    #[test]
    fn what_a_failed_task_was_to_bring_is_not_fixable_here() {
        let mut request = request("Wire billing", "ModuleNotFoundError: No module named 'acme_rates'");
        assert_eq!(
            directive(&request),
            "RETRY: install the Python package that has acme_rates, or make the project's own acme_rates importable"
        );
        request.plan.adjacent = vec![other("2", "Publish acme_rates", TaskStatus::Skipped)];
        assert_eq!(directive(&request), "PRUNE: its prerequisite, task 2 (Publish acme_rates), was skipped");
        request.plan.adjacent = vec![other("2", "Publish acme_rates", TaskStatus::Done)];
        assert!(directive(&request).starts_with("RETRY: "));
    }

    #[test]
    fn a_prerequisite_is_named_by_what_it_brings_its_number_or_the_plan() {
        let failed = vec![other("2", "Create the tariffs table", TaskStatus::Failed)];
        for (error, prunes) in [
            ("ERROR:  relation \"tariffs\" does not exist", true),
            ("Error: in prepare, no such table: tariffs", true),
            ("table tariffs does not exist", true),
            ("no such table: users", false),
            ("12 tariffs were read, then it crashed", false),
            ("assertion failed: needs task 2 first", true),
            ("assertion failed: needs step #2.", true),
            ("assertion failed: 22 != 2", false),
            ("ERROR:  relation \"users\" does not exist", false),
            // `table` is a word of every plan.
            ("assertion failed: no \"table\"", false),
        ] {
            let mut request = request("Show prices", error);
            request.plan.adjacent = failed.clone();
            assert_eq!(directive(&request).starts_with("PRUNE: "), prunes, "{error}");
        }
        let mut later = request("Show prices", "ERROR:  relation \"tariffs\" does not exist");
        later.plan.adjacent = vec![other("10", "Create the tariffs table", TaskStatus::Failed)];
        assert!(directive(&later).starts_with("RETRY: "), "a later task is no prerequisite");
        later.task.depends_on = vec!["10".to_owned()];
        assert!(directive(&later).starts_with("PRUNE: "), "unless the plan says so");
    }

    #[test]
    fn out_of_scope_needs_all_words_of_the_item() {
        for (task, item, prunes) in [
            ("Add mobile push notifications", "push notification", true),
            ("Add e-mail notifications", "push notifications", false),
            ("Add anything", "", false),
        ] {
            let mut request = request(task, "AssertionError");
            request.plan.out_of_scope = vec![item.to_owned()];
            assert_eq!(directive(&request).starts_with("PRUNE: "), prunes, "{task} / {item}");
        }
    }

    #[test]
    fn decisions_forbid_what_they_name() {
        for (decision, what) in [
            ("No Redis", vec!["Redis"]),
            ("Use SQLite, not Postgres", vec!["Postgres"]),
            ("SQLite instead of Postgres", vec!["Postgres"]),
            ("Never use the legacy client; it leaks", vec!["legacy client"]),
            ("Do not add any ORM because it is slow", vec!["ORM"]),
            ("SQLite over Postgres for speed", vec!["Postgres"]),
            ("Keep the API stable", vec![]),
        ] {
            assert_eq!(forbidden(decision), what, "{decision}");
        }
    }

    #[test]
    fn a_decision_is_contradicted_by_the_task_or_its_repair() {
        let mut task = request("Cache prices in Redis", "AssertionError");
        task.plan.decisions = vec!["Keep it in process, no Redis".to_owned()];
        assert!(directive(&task).starts_with("PRUNE: it needs Redis, which contradicts"));
        task.task.name = "Remove Redis from the cache".to_owned();
        assert!(directive(&task).starts_with("RETRY: "), "taking it away is what the decision asks for");

        let mut repair = request("Parse feeds", "Error: Cannot find module 'rss-parser'");
        repair.plan.decisions = vec!["No new dependencies".to_owned()];
        assert_eq!(
            directive(&repair),
            "PRUNE: it needs rss-parser, which contradicts the earlier decision \"No new dependencies\""
        );
    }
}
