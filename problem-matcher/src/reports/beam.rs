//! Elixir and Erlang: ExUnit's failures, and exceptions with `(app) file:line: function` frames.

use crate::block::{error, pair};
use crate::frames::{self, Frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const EXUNIT: Report = Report { id: "exunit", literals: &[") test ", ") doctest "], find: exunit };
pub(crate) const EXCEPTION: Report = Report { id: "elixir-exception", literals: &["** ("], find: exception };

/// A frame: `(app 1.0.0) lib/a.ex:3: A.f/1`, `test/a_test.exs:5: (test)`.
fn beam_frame(text: &str) -> Option<Frame<'_>> {
    let trimmed = text.trim();
    let rest = match trimmed.strip_prefix('(') {
        Some(inner) => inner.split_once(") ")?.1,
        None => trimmed,
    };
    let found = place::first(rest).filter(|found| {
        rest.starts_with(found.file)
            && (found.file.ends_with(".ex") || found.file.ends_with(".exs") || found.file.ends_with(".erl"))
    })?;
    let of_runtime = ["(elixir", "(ex_unit", "(stdlib", "(mix", "(kernel"].iter().any(|app| trimmed.starts_with(app));
    Some(Frame { place: Some(found), is_project: !of_runtime && is_project_file(found.file) })
}

/// `  1) test adds (Acme.Test)`, `     test/a_test.exs:5`, the message, `left:`/`right:`, `stacktrace:`.
fn exunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|&at| at > 0)?;
    let name = text[digits..].strip_prefix(") ")?;
    let first = cursor.ahead(1)?;
    let at_place = place::first(first.trim())?;
    let mut problem = error("exunit", "", None);
    let mut message = Vec::new();
    let mut frames = Vec::new();
    let mut end = 2;
    for (offset, text) in cursor.following().skip(1).take(120) {
        let trimmed = text.trim();
        if trimmed.is_empty() && (!frames.is_empty() || message.is_empty()) || trimmed.starts_with("Finished in") {
            break;
        }
        if let Some(found) = beam_frame(text).filter(|_| !message.is_empty()) {
            frames.push(found);
        } else if frames.is_empty() && !trimmed.is_empty() {
            // ExUnit's labels are the other way round: the left side is what the code gave.
            pair(&mut problem, trimmed);
            if trimmed != "stacktrace:" {
                message.push(trimmed);
            }
        }
        end = offset + 1;
    }
    let place = frames::best(frames.into_iter().filter(|frame| frame.is_project)).unwrap_or(at_place);
    let mut named = error("exunit", &message.iter().take(4).copied().collect::<Vec<_>>().join(" "), Some(place));
    named.expected = problem.expected.take();
    named.actual = problem.actual.take();
    named.text_line = cursor.number(2);
    named.test = Some(name.to_owned());
    Some((named, Kind::Test, end))
}

/// `** (RuntimeError) boom`, `** (CompileError) lib/a.ex:3: ...`.
fn exception(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_start();
    let (_, rest) = text.split_once("** (")?;
    let (name, message) = rest.split_once(") ")?;
    if name.contains(' ') || !text.starts_with("** (") {
        return None;
    }
    let mut frames = Vec::new();
    let mut end = 1;
    for (offset, text) in cursor.following().take(60) {
        match beam_frame(text) {
            Some(found) => frames.push(found),
            None if text.trim().is_empty() || !text.starts_with(' ') => break,
            None => {}
        }
        end = offset + 1;
    }
    let own = place::first(message).filter(|found| message.starts_with(found.file));
    let problem = error("elixir", text, own.or_else(|| frames::best(frames.into_iter())));
    let is_compile =
        name.ends_with("CompileError") || name.ends_with("SyntaxError") || name.ends_with("TokenMissingError");
    Some((problem, if is_compile { Kind::Compile } else { Kind::Exception }, end))
}
