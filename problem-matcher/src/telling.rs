//! The most informative line of a text in which no known format was found.
//!
//! Each line gets points for reading like a statement of what went wrong and loses them for reading like a consequence,
//! a hint, source code or a warning; the first line with the most points is taken. The tables below are the whole rule:
//! words with their points. Without any line that has points, the last line that is not a closing remark is taken.

use crate::block::{begins, exception_head, indent};
use crate::frames::is_project_file;
use crate::lines::{Line, Mark};
use crate::literals::Literals;
use crate::place;
use recovery_types::{Problem, Severity};
use std::sync::LazyLock;

/// What a line begins with when a tool names it an error.
#[rustfmt::skip]
const STARTS: &[(&str, i32)] = &[
    ("error: ", 6), ("error ", 4), ("err!", 4), ("fatal: ", 6), ("fatal error", 6), ("error[", 6), ("[error]", 5), ("[error ", 5), ("error:", 5), ("fatal", 4), ("critical", 4), ("panic: ", 6), ("panicked", 5),
    ("npm err! ", 4), ("npm error ", 4), ("e: ", 5), ("✘ ", 4), ("❌", 5), ("✖ ", 3), ("× ", 4), ("! ", 2), ("caused by: ", 3), ("exception", 4), ("abort: ", 5), ("failure: ", 3), ("failed: ", 4), ("failed to ", 5),
    ("unable to ", 5), ("could not ", 5), ("couldn't ", 5), ("cannot ", 5), ("can't ", 5), ("invalid ", 4), ("unknown ", 3), ("unsupported ", 3), ("no such ", 4), ("permission denied", 5), ("remote: ", 1), ("syntax error", 5),
    ("usage error: ", 6), ("internal error: ", 6), ("parse error", 6), ("curl: (", 8), ("runtime error", 5), ("err: ", 5), ("! [rejected]", 5), ("conflict ", 5), ("conflict (", 6), ("e   ", 7), ("fehler", 5), ("erreur", 5), ("errore", 5), ("erro:", 5), ("fallo", 4), ("ошибка", 5), ("错误", 5), ("錯誤", 5), ("エラー", 5), ("segmentation fault", 6), ("kernel bug at ", 9), ("kernel panic", 9), ("no ", 2), ("killed", 3), ("unhandled ", 4), ("uncaught ", 5), ("assertion failed", 6), ("undefined ", 3),
];

/// What occurs anywhere in a line that states an error.
#[rustfmt::skip]
const WORDS: &[(&str, i32)] = &[
    ("error", 2), ("fatal", 2), ("exception", 2), ("fail", 1), ("cannot", 3), ("can't", 2), ("can not", 2), ("could not", 3), ("couldn't", 3), ("unable to", 3), ("not found", 4), ("no such file", 4), ("denied", 4), ("refused", 4), ("refusing to ", 2), ("received signal", 3), ("keyboardinterrupt", 4), ("sigsegv", 4), ("sigbus", 4), ("sigabrt", 4), ("sigill", 4),
    ("timed out", 4), ("timeout", 2), ("invalid", 2), ("unknown", 2), ("unrecognized", 3), ("unexpected", 2), ("missing", 2), ("exceeded", 3), ("exceeds", 3), ("unauthorized", 3), ("forbidden", 3), ("not allowed", 3), ("not supported", 2), ("no space left", 4), ("out of memory", 4),
    ("already in use", 4), ("already exists", 3), ("does not exist", 3), ("doesn't exist", 3), ("is not ", 2), ("not a ", 1), ("no module named", 3), ("undefined", 2), ("unresolved", 2), ("conflict", 2), ("incompatible", 2), ("unsatisf", 3), ("must ", 1), ("required", 1), ("requires", 1), ("mismatch", 2), ("corrupt", 2),
    ("locked", 2), ("rate limit", 3), ("quota", 3), ("credit", 2), ("too long", 3), ("too many", 3), ("too large", 3), ("maximum", 2), ("limit reached", 3), ("overloaded", 3), ("unavailable", 3), ("expired", 2), ("rejected", 2), ("malformed", 3), ("aborted", 2), ("illegal", 2), ("bad ", 1), ("not installed", 3), ("no matching", 3), ("does not match", 2),
    ("nicht gefunden", 4), ("konnte nicht", 3), ("kann nicht", 3), ("ungültig", 3), ("fehlgeschlagen", 2), ("verweigert", 4), ("introuvable", 4), ("impossible d", 3), ("n'existe pas", 3), ("échec", 2), ("refusé", 4), ("no se pudo", 3), ("no se puede", 3), ("no existe", 3), ("denegado", 4), ("não foi possível", 3), ("não encontrado", 4), ("impossibile", 3), ("non trovato", 4),
    ("ошибка", 3), ("Ошибка", 3), ("не удалось", 3), ("не найден", 4), ("отказано", 4), ("エラー", 3), ("失敗", 3), ("見つかりません", 4), ("できません", 3), ("错误", 3), ("錯誤", 3), ("失败", 3), ("找不到", 4), ("无法", 3), ("無法", 3), ("未找到", 4), ("拒绝", 4), ("不存在", 3),
    ("aborting", 1), ("broken", 1), ("unreachable", 3), ("not permitted", 3), ("only afford", 2), ("not in ", 1), ("hung up", 3), ("econnre", 4), ("econnab", 4), ("enoent", 3), ("eacces", 3), ("etimedout", 4), ("unsafe", 1), ("has changed", 1), ("status code", 1), ("status 4", 1), ("status 5", 1), ("not something", 2), ("no candidates", 3), ("not used", 3), ("no valid", 3), ("doesn't", 1), ("does not", 2), ("do not match", 2), ("not configured", 2), ("not set", 2), ("not defined", 3), ("no available", 3), ("no upstream", 3), ("authenticat", 1), ("insufficient", 3), ("ambiguous", 3),
];

/// What a line contains that reports only that something failed, gives a hint, or is about something else.
#[rustfmt::skip]
const AGAINST: &[(&str, i32)] = &[
    ("warning", -3), ("reconnecting", -4), ("warn ", -3), ("deprecat", -4), ("exit code", -4), ("exited with", -4), ("exit status", -4), ("child returned", -4), ("not recoverable", -4), ("returned non-zero", -3), ("complete log of this run", -8), ("debug log", -6), ("log file", -3), ("for more info", -6), ("re-run", -5), ("run with", -4), ("try again", -1), ("try ", -1), ("usage:", -4), ("--help", -1),
    ("build failed", -3), ("build failure", -4), ("command failed", -3), ("failed with", -2), ("errors:", -2), ("0 errors", -6), ("0 failed", -6), ("no error", -6), ("retrying", -2), ("retry ", -1), ("note:", -3), ("hint:", -3), ("help:", -3), ("info", -2), ("debug", -2), ("stack trace", -3), ("traceback", -4), ("if you", -3), ("please ", -1), ("you can", -3), ("errored:", -2), ("report this", -5), ("previous error", -5), ("during handling of the above", -9), ("direct cause of the following", -9), ("recipe for target", -3), ("errors while running", -4), ("see the log", -5), ("see above", -5), ("errors above", -6), ("error above", -6), ("test failures", -4),
    ("***", -2), ("elifecycle", -4), ("docs", -1), ("documentation", -4), ("https://", -1), ("continuing", -4), ("ignored", -3), ("ignoring", -4), ("skipping", -4), ("--error", -2), ("on_error", -2), ("=error", -2), ("error=", -1), ("passed", -2), ("node.js v", -9), ("platform linux -- ", -8), ("platform darwin -- ", -8), ("platform win32 -- ", -8), ("hypothesis profile ", -8), ("rootdir: ", -8), ("configfile: ", -8), ("plugins: ", -8), ("cachedir: ", -8), ("successfully", -3), ("downloading", -2), ("installing", -2),
];

/// What begins a line that tells what to do about the error above it.
const HINTS: &[&str] = &[
    "did you mean", "try ", "use ", "see ", "hint", "help", "run ", "perhaps", "maybe", "you may", "consider",
    "make sure", "check ",
];

/// An output of at most this many lines is short.
const SHORT_LINES: usize = 12;

/// A line with this many points is surely a statement of an error.
pub(crate) const SURE_POINTS: i32 = 5;

/// A line with this many points is likely one.
pub(crate) const LIKELY_POINTS: i32 = 3;

/// The index of the most informative line among `lines`, which are not blank.
///
/// A line with fewer than `least` points is not taken; with none, the last line is used where no line has points.
pub(crate) fn best_line(lines: &[&Line<'_>], least: i32) -> Option<usize> {
    let mut best: Option<(i32, usize)> = None;
    let mut neutral = (None, None, 0);
    for (at, line) in lines.iter().enumerate() {
        let points = points(line);
        if points >= least.max(1) && best.is_none_or(|(most, _)| points > most) {
            best = Some((points, at));
        }
        if points >= 0 && line.text.chars().any(char::is_alphabetic) {
            let (first, _, count) = neutral;
            neutral = (first.or(Some(at)), Some(at), count + 1);
        }
    }
    // A short output has the message first, a long one last.
    let (first, last, count) = neutral;
    let stand_in = if count <= SHORT_LINES { first } else { last };
    best.map(|(points, at)| first_alike(lines, at, points)).or(stand_in.filter(|_| least == 0))
}

/// The first of the lines that report in the same form as the one at `at`: a tool lists what it found, and the first is as good as
/// the one with the strongest words.
fn first_alike(lines: &[&Line<'_>], at: usize, most: i32) -> usize {
    let Some(form) = form(lines[at].text) else { return at };
    let is_listed = is_diagnostic(lines[at].text.trim());
    let is_alike = |&earlier: &usize| {
        let are_listed = is_listed && is_diagnostic(lines[earlier].text.trim());
        self::form(lines[earlier].text) == Some(form) && (are_listed || points(lines[earlier]) + ALIKE_POINTS >= most)
    };
    (0..at).find(is_alike).unwrap_or(at)
}

/// How many points less the first of several reports may have.
const ALIKE_POINTS: i32 = 6;

/// The form in which a line reports a problem of a file: what is before the place, and the word for the severity after it.
fn form(text: &str) -> Option<(&str, &str)> {
    let place = place::first(text)?;
    let start = place.file.as_ptr().addr() - text.as_ptr().addr();
    let rest = text[start + place.file.len()..].trim_start_matches(|c: char| !c.is_alphabetic());
    let word = rest.split(|c: char| !c.is_alphabetic()).next()?;
    let level = match word.to_ascii_lowercase().as_str() {
        "warning" | "warn" | "w" => "warning",
        "info" | "note" | "i" | "hint" => "note",
        _ => "error",
    };
    Some((&text[..start], level))
}

/// The line at `at` as a problem; a heading with the line below it.
pub(crate) fn problem_of(lines: &[&Line<'_>], at: usize) -> Problem {
    let line = lines[at];
    let text = line.text.trim();
    let below = lines.get(at + 1).filter(|_| is_heading(text));
    let message = match below {
        Some(below) => shorten(&format!("{text} {}", below.text.trim())),
        None => shorten(text),
    };
    let mut problem = Problem::new(Severity::Error, message);
    problem.text_line = Some(u64::from(line.number));
    if let Some(place) = place::first(line.text) {
        crate::block::set_place(&mut problem, place);
    } else if let Some(path) = place::first_path(line.text) {
        problem.file = Some(path.to_owned());
    }
    problem
}

/// How many points a line has; more than none means that it reads like an error.
pub(crate) fn points(line: &Line<'_>) -> i32 {
    let text = line.text.trim();
    // Long lines are data; a message is at their beginning or not there at all.
    let head = &text[..text.floor_char_boundary(400)];
    // Sanitizers and valgrind put their process before each line.
    let process = head.strip_prefix("==").map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let head = process.and_then(|rest| rest.strip_prefix("==")).map_or(head, str::trim_start);
    let lower = head.to_ascii_lowercase();
    let body = lower.trim_start_matches(|c: char| !c.is_alphanumeric() && !"[!✘❌✖×".contains(c));
    let mut points =
        STARTS.iter().filter(|(start, _)| begins(body, start)).map(|(_, points)| *points).max().unwrap_or(0);
    points += words(&lower);
    // `tool: message` is how programs name themselves before an error.
    if points > 0
        && let Some((name, rest)) = body.split_once(": ")
        && !name.contains(' ')
        && !rest.is_empty()
    {
        points += 2;
    }
    if points > 0 && exception_head(text).is_some() {
        points += 3;
    }
    if line.mark == Mark::Error {
        points += 3;
    }
    if indent(line.text) >= 4 {
        points -= 1;
    }
    // `Building x ... failed.` states what failed, not why.
    if ["failed.", "... failed", "failed!", " failed"].iter().any(|end| lower.ends_with(end)) {
        points -= if lower.split_whitespace().count() <= 5 { 6 } else { 3 };
    }
    if HINTS.iter().any(|hint| begins(body, hint)) {
        points -= 5;
    }
    // What is wrong at a place in the project is more than what a tool states about itself.
    if points >= -1 && !lower.contains("warning") && is_diagnostic(head) {
        points = if points > 0 { points + 7 } else { SURE_POINTS - 1 };
    }
    if is_count(head) {
        points -= 4;
    }
    // `Error compiling the file:` is a title.
    if lower.ends_with(':') && lower.split_whitespace().count() <= 4 {
        points -= 3;
    }
    if ["✓", "✔", "ok ", "PASS", "ℹ", "√"].iter().any(|passed| text.starts_with(passed)) {
        points -= 10;
    }
    if looks_like_code(head) {
        points -= 5;
    }
    if text.len() < 8 || !text.contains(' ') && exception_head(text).is_none() {
        points -= 3;
    }
    points
}

/// Whether a line begins with a place in the project and states something about it.
fn is_diagnostic(text: &str) -> bool {
    let begins_with_place = place::first(text).is_some_and(|place| {
        let rest = text.strip_prefix(place.file);
        place.line.is_some() && rest.is_some_and(|rest| rest.contains(' ')) && is_project_file(place.file)
    });
    begins_with_place || is_below_file(text)
}

/// `3:5  error  message`, in a list below the name of a file.
fn is_below_file(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut words = text.split_whitespace();
    let place = words.by_ref().find(|word| !is_level_word(word)).unwrap_or("");
    let numbers = place.trim_end_matches(':').split_once(':');
    let is_number = |part: &str| (1..=5).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(line, column)| is_number(line) && is_number(column.split('-').next().unwrap_or(column)))
        && words.count() >= 2
}

fn is_level_word(word: &str) -> bool {
    matches!(
        word.trim_matches(|c: char| !c.is_alphabetic()).to_ascii_lowercase().as_str(),
        "error" | "warning" | "e" | "w" | "line"
    )
}

/// Finds all words of both tables in one pass.
static FINDER: LazyLock<Literals<'static>> =
    LazyLock::new(|| Literals::new(WORDS.iter().chain(AGAINST).map(|(word, _)| *word)));

/// The points of the words in a line: the three that count most for it, and all that count against it.
fn words(lower: &str) -> i32 {
    let mut seen = [0u64; (WORDS.len() + AGAINST.len()).div_ceil(64)];
    let mut best = [0; 3];
    let mut against = 0;
    FINDER.find(lower.as_bytes(), |index, _| {
        let (slot, bit) = (&mut seen[index / 64], 1 << (index % 64));
        if *slot & bit != 0 {
            return;
        }
        *slot |= bit;
        match WORDS.get(index) {
            Some((_, points)) => {
                let mut points = *points;
                for slot in &mut best {
                    if points > *slot {
                        std::mem::swap(slot, &mut points);
                    }
                }
            }
            None => against += AGAINST[index - WORDS.len()].1,
        }
    });
    best.iter().sum::<i32>() + against
}

/// A total: `3 tests failed`, `FAILED: 1 tests`, `FAILED (failures=2)`.
pub(crate) fn is_count(text: &str) -> bool {
    if text.len() >= 120 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_counted = |word: &str| COUNTED.contains(&word);
    let words = || lower.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let is_beside =
        |(one, other): (&str, &str)| is_number(one) && is_counted(other) || is_counted(one) && is_number(other);
    let counted = words().filter(|word| is_counted(word)).count();
    // `8 errors detected` is a total as well, where nothing else is on the line.
    words().zip(words().skip(1)).any(is_beside) && (counted >= 2 || words().count() <= 4)
}

/// What runners count.
const COUNTED: &[&str] = &[
    "tests", "test", "failures", "failed", "errors", "passed", "problems", "warnings", "skipped", "examples",
    "failing", "passing", "failure", "pending", "assertions", "specs",
];

/// A line that introduces what follows.
fn is_heading(text: &str) -> bool {
    text.ends_with(':') || text.ends_with(" ERROR") || text.ends_with("...") || text.ends_with("Error)")
}

/// Source code, markup, and rules made of punctuation.
pub(crate) fn looks_like_code(text: &str) -> bool {
    text.ends_with([';', '{', '}']) && !text.starts_with("{\"")
        || text.starts_with("raise ")
        || text.starts_with("throw ")
        || text.starts_with("return ")
        || text.starts_with("if ")
        || text.starts_with("$ ")
        || text.starts_with('+')
        || text.starts_with("# ")
        || text.starts_with("def ")
        || text.starts_with("except ")
        || text.starts_with("assert ")
        || text.contains("===") && !text.contains(' ')
        || text.starts_with("==")
        || text.starts_with("--") && text.ends_with("--")
}

/// At most this much of a line is a message.
const MESSAGE_BYTES: usize = 600;

/// Cuts a long line at a boundary that keeps its beginning and end.
pub(crate) fn shorten(text: &str) -> String {
    if text.len() <= MESSAGE_BYTES {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(MESSAGE_BYTES * 2 / 3);
    let tail = text.ceil_char_boundary(text.len() - MESSAGE_BYTES / 3);
    format!("{} ... {}", &text[..head], &text[tail..])
}
