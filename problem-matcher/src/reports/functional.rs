//! Test runners of Haskell (Hspec, Tasty), OCaml (OUnit), Dart, Nim and Zig.

use crate::block::{below, block_lines, error, failed_test, indent, pair};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const HSPEC: Report = Report { id: "hspec", literals: &[") "], find: hspec };
pub(crate) const TASTY: Report = Report { id: "tasty", literals: &["FAIL"], find: tasty };
pub(crate) const DART: Report = Report { id: "dart-test", literals: &["[E]"], find: dart };
pub(crate) const ZIG: Report = Report { id: "zig-test", literals: &["...FAIL", "... FAIL"], find: zig };
pub(crate) const NIM: Report = Report { id: "nim-unittest", literals: &[": Check failed: "], find: nim };
pub(crate) const OUNIT: Report = Report { id: "ounit", literals: &["Error: "], find: ounit };

/// `Error: calc:1:sums.` below a rule, the trace, then the message.
fn ounit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().strip_prefix("Error: ")?.strip_suffix('.')?;
    if name.contains(' ') || !name.contains(':') || !cursor.back(1)?.starts_with("=====") {
        return None;
    }
    let block = below(cursor, 40, |text| text.starts_with("-----") || text.starts_with("====="));
    let is_trace = |text: &str| {
        ["File \"", "Error: ", "Raised ", "Called ", "Re-raised "].iter().any(|start| text.starts_with(start))
    };
    let said: Vec<_> = block.iter().filter(|(_, text)| !is_trace(text)).copied().collect();
    let mut problem = failed_test("ounit", name, &said, 2);
    if let Some((expected, actual)) = problem.expected.as_deref().and_then(|values| values.split_once(" but got: ")) {
        (problem.expected, problem.actual) = (Some(expected.to_owned()), Some(actual.to_owned()));
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `tcalc.nim(7, 28): Check failed: total(x) == 7`, the values, `  [FAILED] sums`.
fn nim(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, message) = cursor.text().trim().split_once(": Check failed: ")?;
    let mut problem = error("nim", &format!("Check failed: {message}"), Some(place::first(head)?));
    let name = cursor.following().take(20).find_map(|(_, text)| text.trim().strip_prefix("[FAILED] "));
    problem.test = name.map(str::to_owned);
    Some((problem, Kind::Test, 1))
}

/// `  test/Spec.hs:7:15: `, `  1) Thing does it`, the message.
fn hspec(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    let name = text[digits..].strip_prefix(") ")?;
    let place = place::first(cursor.back(1)?.trim()).filter(|place| place.file.ends_with(".hs"))?;
    let mut problem = error("hspec", "", Some(place));
    let mut message = Vec::new();
    for (offset, text) in cursor.following().take(12) {
        if text.trim().is_empty() || indent(text) <= indent(cursor.text()) {
            break;
        }
        pair(&mut problem, text.trim().replace("but got:", "got:").as_str());
        message.push(text.trim());
        problem.text_line = problem.text_line.or(cursor.number(offset));
    }
    problem.message = message.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, message.len() + 1))
}

/// `    adds: FAIL (0.01s)`, then `      test/Spec.hs:7:` and the message.
fn tasty(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (name, rest) = text.split_once(":")?;
    if !rest.trim_start().starts_with("FAIL") || indent(text) == 0 || name.trim().is_empty() {
        return None;
    }
    let mut message = Vec::new();
    let mut place = None;
    for (_, line) in cursor.following().take(12) {
        if line.trim().is_empty() || indent(line) <= indent(text) {
            break;
        }
        place = place.or_else(|| place::first(line));
        message.push(line.trim());
    }
    let words: Vec<_> = message
        .iter()
        .copied()
        .filter(|line| !place.is_some_and(|place: place::Place<'_>| line.starts_with(place.file)))
        .take(3)
        .collect();
    let mut problem = error("tasty", &words.join(" "), Some(place?));
    problem.text_line = cursor.number(1);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, message.len() + 1))
}

/// `00:01 +0 -1: adds [E]`, the message, `  test/a_test.dart 5:3  main.<fn>`.
fn dart(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim().strip_suffix("[E]")?;
    let (_, name) = text.split_once(": ")?;
    let mut problem = error("dart test", "", None);
    let mut message = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(40) {
        let trimmed = text.trim();
        if trimmed.is_empty() || indent(text) == 0 {
            break;
        }
        end = offset + 1;
        let mut words = trimmed.split_whitespace();
        let (file, at) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        if file.ends_with(".dart") && at.contains(':') {
            if problem.file.is_none() && !file.starts_with("package:") && !file.starts_with("dart:") {
                problem.file = Some(file.to_owned());
                problem.line = place::leading_number(at);
                problem.column = at.split_once(':').and_then(|(_, column)| place::leading_number(column));
            }
        } else if !trimmed.starts_with("package:") {
            pair(&mut problem, trimmed);
            message.push(trimmed);
        }
    }
    problem.message = message.iter().take(3).copied().collect::<Vec<_>>().join(" ");
    if problem.message.is_empty() {
        return None;
    }
    problem.text_line = cursor.number(1);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, end))
}

/// `1/2 main.test.adds...FAIL (TestExpectedEqual)`, then `a.zig:5:5: 0x... in test.adds`.
fn zig(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (head, rest) = text.split_once("...").or_else(|| text.split_once("... "))?;
    // `1/2 name`: the number of tests distinguishes it from other runners.
    let (count, name) = head.trim().split_once(' ')?;
    if !count.contains('/') || !count.chars().all(|c| c.is_ascii_digit() || c == '/') {
        return None;
    }
    if !rest.trim_start().starts_with("FAIL") {
        return None;
    }
    let place = cursor
        .following()
        .take(30)
        .filter_map(|(_, text)| place::first(text))
        .find(|place| place.file.ends_with(".zig") && !place.file.contains("/std/"));
    let values = cursor
        .back(1)
        .filter(|text| text.starts_with("expected "))
        .or_else(|| cursor.ahead(1).filter(|text| text.starts_with("expected ")));
    let mut problem = error("zig test", values.unwrap_or(rest.trim()), place);
    problem.test = Some(name.trim().to_owned());
    Some((problem, Kind::Test, 1))
}
