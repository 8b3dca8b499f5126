//! Where to look first when nothing certain can be changed.

use super::pattern::Pattern;
use super::{change, plain, shorten};
use crate::directive::one_line;
use recovery_types::diagnosis::Location;
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

/// What to look at first: the place and the line that say most.
#[must_use]
pub fn first_look(request: &RepairRequest) -> Adjustment {
    let text = plain(&request.error.text);
    if let Some(file) =
        CONFLICTS.iter().find_map(|p| Pattern::new(p).first(&text)).map(|hit| hit.captures[0].to_owned())
    {
        let text = format!("resolve the merge conflict in `{file}`");
        return Adjustment { subject: Some(file), ..change(AdjustmentKind::Look, text) };
    }
    let location = request.location.clone().or_else(|| location(&text));
    let line = telling_line(&text).map(|line| shorten(&line, 160));
    let place = location.as_ref().map(spoken);
    let differs = difference(request);
    let text = match (place, differs.or(line)) {
        (Some(place), Some(line)) => format!("look at {place} first: {line}"),
        (Some(place), None) => format!("look at {place} first"),
        (None, Some(line)) => format!("look at this first: {line}"),
        (None, None) => "run it again with its full output, nothing was printed to go by".to_owned(),
    };
    Adjustment { location, ..change(AdjustmentKind::Look, text) }
}

/// The line of an output that says most about the failure: the first that names an error, else the last that says anything.
#[must_use]
pub fn telling_line(text: &str) -> Option<String> {
    const SIGNS: [&str; 13] = [
        "error",
        "fail",
        "fatal",
        "exception",
        "panicked",
        "denied",
        "cannot",
        "not found",
        "assert",
        "unknown",
        "invalid",
        "undefined",
        "unexpected",
    ];
    let text = plain(text);
    let lines = || text.lines().map(one_line).filter(|line| line.chars().any(char::is_alphanumeric));
    let named = lines().find(|line| {
        let lower = line.to_lowercase();
        SIGNS.iter().any(|sign| lower.contains(sign))
    });
    named.or_else(|| lines().next_back())
}

const CONFLICTS: [&str; 3] = [
    "CONFLICT (content): Merge conflict in {}",
    "CONFLICT (add/add): Merge conflict in {}",
    "error: could not apply {w}... {}",
];

fn difference(request: &RepairRequest) -> Option<String> {
    let short = |text: &String| Some(shorten(&one_line(text), 120)).filter(|t| !t.is_empty());
    let expected = request.error.expected.as_ref().and_then(short)?;
    let actual = request.error.actual.as_ref().and_then(short)?;
    Some(format!("it should give {expected} and gives {actual}"))
}

fn spoken(location: &Location) -> String {
    match location.line {
        Some(line) => format!("`{}:{line}`", one_line(&location.file)),
        None => format!("`{}`", one_line(&location.file)),
    }
}

/// How tools print a place: file, line, column.
const PLACES: [(&str, Order); 8] = [
    ("--> {w}", Order::Colons),
    ("File \"{}\", line {n}", Order::First),
    ("({w}.java:{n})", Order::Java),
    ("at {} line {n}.", Order::First),
    ("{w}({n},{n}): error", Order::First),
    ("in {w} on line {n}", Order::First),
    ("panicked at {w}", Order::Colons),
    ("at {} ({w}:{n}:{n})", Order::Second),
];

#[derive(Clone, Copy)]
enum Order {
    /// `src/a.rs:1:2`
    Colons,
    /// The file is the first hole, the line the second.
    First,
    /// The file is the second hole, the line the third.
    Second,
    /// The first hole lacks its extension.
    Java,
}

/// The first place in the project that an output names; the last frame of a Python traceback, which is where it broke.
fn location(text: &str) -> Option<Location> {
    let mut found: Vec<(usize, Location)> = Vec::new();
    for (template, order) in PLACES {
        let hits = Pattern::new(template).all(text).filter_map(|hit| {
            let hole = |at: usize| hit.captures.get(at).copied().unwrap_or_default();
            let place = match order {
                Order::Colons => colons(hole(0)),
                Order::First => at(hole(0), hole(1)),
                Order::Second => at(hole(1), hole(2)),
                Order::Java => at(&format!("{}.java", hole(0).rsplit('.').next().unwrap_or_default()), hole(1)),
            };
            place.filter(|place| is_own(&place.file)).map(|place| (hit.offset, place))
        });
        let mut hits: Vec<_> = hits.collect();
        if template.starts_with("File ") {
            hits.drain(..hits.len().saturating_sub(1));
        }
        found.extend(hits);
    }
    // `src/a.c:3:5: error`, `Makefile:12: ***`, `a_test.go:9: ...`
    for line in text.lines() {
        let offset = line.as_ptr().addr().wrapping_sub(text.as_ptr().addr());
        let word = line.split_whitespace().next().unwrap_or_default();
        if let Some(place) = colons(word).filter(|place| is_own(&place.file)) {
            found.push((offset, place));
            break;
        }
    }
    found.into_iter().min_by_key(|(offset, _)| *offset).map(|(_, place)| place)
}

fn at(file: &str, line: &str) -> Option<Location> {
    let line = line.parse().ok()?;
    (!file.is_empty()).then(|| Location { file: file.to_owned(), line: Some(line), column: None, code: None })
}

/// `file:line` or `file:line:column`, perhaps with a colon after it.
fn colons(word: &str) -> Option<Location> {
    let word = word.trim_matches(|c: char| "():,'\"".contains(c));
    let mut parts = word.split(':');
    let mut file = parts.next()?.to_owned();
    // A drive letter is part of the file.
    if file.len() == 1 {
        file = format!("{file}:{}", parts.next()?);
    }
    let line = parts.next()?.parse().ok()?;
    let column = parts.next().and_then(|c| c.parse().ok());
    let named = file.contains(['.', '/']) || file == "Makefile" || file == "Dockerfile";
    (named && !file.contains("//")).then_some(Location { file, line: Some(line), column, code: None })
}

/// Whether a file belongs to the project rather than to a library or the runtime.
fn is_own(file: &str) -> bool {
    const FOREIGN: [&str; 8] = [
        "node_modules",
        "site-packages",
        "node:",
        "/rustc/",
        ".cargo/registry",
        "/usr/lib",
        "<frozen",
        "dist-packages",
    ];
    !FOREIGN.iter().any(|foreign| file.contains(foreign)) && !file.starts_with('<')
}
