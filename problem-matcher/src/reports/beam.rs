//! Elixir and Erlang: ExUnit, EUnit (also through rebar3), Common Test, and uncaught exceptions of Elixir.
//!
//! ```text
//!   1) test adds (Acme.Test)                            ExUnit; the place of the test on the next line
//!   calc: total_test...*failed*                         EUnit; then `in function ... (calc.erl, line 8)`
//! ```
//!
//! Frames are `(app 1.0.0) lib/a.ex:3: A.f/1`; those of Elixir, ExUnit, Mix and OTP are not the project's. The place is the
//! innermost project frame, else that of the test. Common Test prints a line but no file, which is the name of the module
//! with `.erl`. An exception counts as a compile error by its name (`CompileError`, `SyntaxError`, `TokenMissingError`).

use crate::block::{below, block_lines, error, failed_test, pair, set_place};
use crate::frames::{self, Frame, is_project_file};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const EXUNIT: Report = Report { id: "exunit", literals: &[") test ", ") doctest "], find: exunit };
pub(crate) const EXCEPTION: Report = Report { id: "elixir-exception", literals: &["** ("], find: exception };
pub(crate) const EUNIT: Report = Report { id: "eunit", literals: &["...*failed*"], find: eunit };
pub(crate) const REBAR: Report = Report { id: "rebar3", literals: &["Failure/Error: ?", ": FAILED"], find: rebar };
pub(crate) const COMMON_TEST: Report = Report { id: "common-test", literals: &[" failed on line "], find: common_test };

/// `  calc: total_test...*failed*`, `in function calc:total_test/0 (calc.erl, line 8)`, `**error:{assertEqual,[...`.
fn eunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, _) = cursor.text().split_once("...*failed*")?;
    // Before the name are the module and perhaps a line, after it perhaps the module in words.
    let name = head.split(" (").next()?.rsplit(": ").next()?.trim();
    let block =
        below(cursor, 60, |text| text.trim().is_empty() || text.contains("...ok") || text.contains("...*failed*"));
    let from = block.iter().position(|(_, text)| text.starts_with("**"))?;
    let said: Vec<_> = block[from..].iter().take_while(|(_, text)| !text.starts_with("output:")).copied().collect();
    let mut problem = failed_test("eunit", name, &said, 8);
    let value = |key: &str| {
        let (_, rest) = said.iter().find_map(|(_, text)| text.split_once(key))?;
        Some(rest.trim_end_matches([']', '}', ',']).to_owned())
    };
    problem.expected = value("{expected,");
    problem.actual = value("{value,");
    let place = block[..from].iter().find_map(|(_, text)| {
        place::first(text).filter(|place| is_project_file(place.file) && !place.file.starts_with("eunit"))
    });
    if let Some(place) = place {
        set_place(&mut problem, place);
    }
    problem.text_line = cursor.number(block[from].0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// rebar3 for EUnit, `  1) calc:total_test/0`, `     Failure/Error: ?assertEqual(7, f())`, `       expected: 7`, `     %% /p/calc.erl:8:in ...`,
/// and for Common Test, `%%% calc_SUITE ==> sums: FAILED`, then the same lines with `line: 12` for the place.
fn rebar(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let suite = text.strip_prefix("%%% ").and_then(|rest| rest.strip_suffix(": FAILED")?.split_once(" ==> "));
    let name = match suite {
        Some((_, name)) => name,
        None if text.starts_with("Failure/Error: ?") => cursor.back(1)?.trim().split_once(") ")?.1,
        None => return None,
    };
    let rest = below(cursor, 20, |text| text.trim_start().starts_with("Output:") || text.contains(": FAILED"));
    let rest = rest.into_iter().filter(|(_, text)| !text.starts_with("%%%"));
    let own = suite.is_none().then_some((0, text));
    let block: Vec<_> = own.into_iter().chain(rest).collect();
    let mut problem = failed_test("rebar3", name, &block, 3);
    let found = block.iter().find_map(|(_, text)| place::first(text.strip_prefix("%% ")?));
    match (found, suite) {
        (Some(place), _) => set_place(&mut problem, place),
        (None, Some((module, _))) => {
            problem.line = block.iter().find_map(|(_, text)| place::leading_number(text.strip_prefix("line: ")?));
            problem.file = problem.line.map(|_| format!("{module}.erl"));
        }
        (None, None) => {}
    }
    problem.text_line = cursor.number(block.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `calc_SUITE:sums failed on line 12`, `Reason: {badmatch,...}`.
fn common_test(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, line) = cursor.text().trim().split_once(" failed on line ")?;
    let (module, name) = head.split_once(':').filter(|(module, _)| module.ends_with("_SUITE"))?;
    let reason = cursor.ahead(1).map(str::trim).filter(|text| text.starts_with("Reason: "));
    let mut problem = error("common_test", reason.unwrap_or(cursor.text()), None);
    problem.test = Some(name.to_owned());
    problem.file = Some(format!("{module}.erl"));
    problem.line = place::leading_number(line);
    problem.text_line = cursor.number(usize::from(reason.is_some()));
    Some((problem, Kind::Test, 2))
}

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
    // `mix format` lists the files below, which its format reads.
    if name.contains(' ') || !text.starts_with("** (") || message.starts_with("mix format failed") {
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

#[cfg(test)]
mod tests {
    use crate::explain;

    /// As rebar3 and Common Test document their output.
    #[test]
    fn suites_of_erlang_name_test_and_place() {
        for (text, file, test) in [
            (
                "Failures:\n\n  1) calc:total_test/0\n     Failure/Error: ?assertEqual(7, total([1, 2, 3]))\n       expected: 7\n            got: 6\n     %% /w/src/calc.erl:8:in `calc:total_test/0`\n     Output: \n",
                "/w/src/calc.erl",
                "calc:total_test/0",
            ),
            (
                "%%% calc_SUITE ==> sums: FAILED\n%%% calc_SUITE ==> \nFailure/Error: ?assertEqual(7, total([1, 2, 3]))\n  expected: 7\n       got: 6\n      line: 8\n",
                "calc_SUITE.erl",
                "sums",
            ),
            (
                "- - - - - - - - - -\ncalc_SUITE:sums failed on line 8\nReason: {badmatch,6}\n- - - - - - - - - -\n",
                "calc_SUITE.erl",
                "sums",
            ),
        ] {
            let report = explain(text);
            let root = &report.problems[report.root.unwrap()];
            assert_eq!(
                (root.file.as_deref(), root.line, root.test.as_deref()),
                (Some(file), Some(8), Some(test)),
                "{text}"
            );
        }
    }
}
