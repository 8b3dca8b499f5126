//! Test runners of scripting languages, and PowerShell's errors: Pester, busted (Lua), shUnit2, tcltest, Vader and Vim's
//! own tests.
//!
//! ```text
//!   [-] sums 45ms                                       Pester; the message, then `at <ScriptBlock>, C:\a.ps1: line 5`
//! Failure → spec/calc_spec.lua @ 4                      busted; `->` where the terminal has no UTF-8
//! ```
//!
//! These runners have little in common except that each is too small for a file of its own. shUnit2, Vader and PowerShell
//! print the name or the message above the line that identifies them, so they look back. TAP output of busted and bats is
//! read in `tap`.

use crate::block::{below, block_lines, error, failed_test, indent, set_place};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const PESTER: Report = Report { id: "pester", literals: &["[-] "], find: pester };
pub(crate) const POWERSHELL: Report = Report { id: "powershell", literals: &[" char:"], find: powershell };
pub(crate) const BUSTED: Report =
    Report { id: "busted", literals: &["Failure → ", "Error → ", "Failure -> ", "Error -> "], find: busted };
pub(crate) const SHUNIT: Report = Report { id: "shunit2", literals: &["ASSERT:"], find: shunit };
pub(crate) const TCLTEST: Report = Report { id: "tcltest", literals: &[" FAILED"], find: tcltest };
pub(crate) const VADER: Report = Report { id: "vader", literals: &["] (X) "], find: vader };
pub(crate) const VIM: Report =
    Report { id: "vim", literals: &["Found errors in Test_", "Caught exception in Test_"], find: vim };

/// `Foo-Bar : The term 'Foo-Bar' is not recognized ...`, perhaps wrapped, then `At C:\\a.ps1:3 char:1`.
fn powershell(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (at, column) = cursor.text().strip_prefix("At ")?.rsplit_once(" char:")?;
    let (file, line) = at.rsplit_once(':')?;
    let (line, column) = (line.parse().ok()?, column.parse().ok());
    // `Command : message`, where the command is one word; the message may go on over the lines below it.
    let named = |text: &str| text.split_once(" : ").is_some_and(|(command, _)| !command.contains(' '));
    let mut above = cursor.preceding().take(6).take_while(|(_, text)| !text.trim().is_empty());
    let (back, head) = above.find(|(_, text)| named(text)).or_else(|| cursor.preceding().next())?;
    let message = head.split_once(" : ").filter(|_| named(head)).map_or(head, |(_, message)| message);
    let place = (file != "line").then_some(place::Place { file, line: Some(line), column });
    let mut problem = error("powershell", message, place);
    problem.text_line = cursor.number_back(back);
    Some((problem, Kind::Exception, 1))
}

/// `Failure → spec/calc_spec.lua @ 4` (`->` without UTF-8), `total sums`, `spec/calc_spec.lua:6: Expected objects to be equal.`, the values.
fn busted(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let (_, at) = text.split_once(" → ").or_else(|| text.split_once(" -> "))?;
    let (file, line) = at.split_once(" @ ")?;
    let block = below(cursor, 20, |text| text.trim().is_empty());
    let [(_, name), said @ ..] = &block[..] else { return None };
    let mut problem = failed_test("busted", name, said, 5);
    let own = said.first().and_then(|(_, text)| place::first(text));
    set_place(&mut problem, own.unwrap_or(place::Place { file, line: place::leading_number(line), column: None }));
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `ASSERT:total expected:<7> but was:<6>`, below the name of the function.
fn shunit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    if !text.starts_with("ASSERT:") {
        return None;
    }
    let mut problem = error("shunit2", text, None);
    crate::block::pair(&mut problem, text);
    let running = cursor.preceding().map(|(_, text)| text.trim()).find(|text| !text.starts_with("ASSERT:"));
    problem.test = running.filter(|name| name.starts_with("test") && !name.contains(' ')).map(str::to_owned);
    Some((problem, Kind::Test, 1))
}

/// `==== total-1.1 sums FAILED`, the body of the test, `---- Result was:`, `---- Result should have been (exact matching):`.
fn tcltest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let name = cursor.text().strip_prefix("==== ")?.strip_suffix(" FAILED")?;
    let block = below(cursor, 60, |text| text.starts_with("==== ") && text.ends_with(" FAILED"));
    let from = block.iter().position(|(_, text)| text.starts_with("---- "))?;
    let said: Vec<_> = block[from..].iter().map(|(offset, text)| (*offset, text.trim_start_matches("---- "))).collect();
    let mut problem = failed_test("tcltest", name, &said, 4);
    let after = |head: &str| {
        let at = said.iter().position(|(_, text)| text.starts_with(head))?;
        said.get(at + 1).map(|(_, text)| (*text).to_owned())
    };
    problem.actual = after("Result was:");
    problem.expected = after("Result should have been");
    problem.text_line = cursor.number(block[from].0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `  [-] sums 45ms`, the message, `    at <ScriptBlock>, C:\\Calc.Tests.ps1: line 5` or `at line: 5 in C:\\Calc.Tests.ps1`.
fn pester(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text();
    let lead = indent(text);
    let name = text.trim_start().strip_prefix("[-] ")?;
    let block = below(cursor, 30, |text| text.trim().is_empty() || indent(text) <= lead);
    let at = |text: &str| {
        let rest = text.strip_prefix("at ")?;
        if let Some((line, file)) = rest.strip_prefix("line: ").and_then(|rest| rest.split_once(" in ")) {
            return Some((file.to_owned(), place::leading_number(line)));
        }
        let (file, line) = rest.rsplit_once(": line ")?;
        Some((file.rsplit(", ").next()?.to_owned(), place::leading_number(line)))
    };
    let is_source = |text: &str| {
        text.split_once(':')
            .is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let said: Vec<_> = block.iter().filter(|(_, text)| at(text).is_none() && !is_source(text)).copied().collect();
    // `sums 45ms (40ms|5ms)`: the time is not part of the name.
    let words: Vec<&str> = name
        .split(' ')
        .take_while(|word| !word.ends_with("ms") || !word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let mut problem = failed_test("pester", &words.join(" "), &said, 3);
    if let Some((file, line)) = block.iter().find_map(|(_, text)| at(text)) {
        problem.file = Some(file);
        problem.line = line;
    }
    problem.text_line = cursor.number(said.first()?.0);
    Some((problem, Kind::Test, block_lines(&block)))
}

/// `    (2/2) [EXECUTE] (X) 'x-y' should be equal to 'x_y'`; the line above it names the test, its suite is named further up.
fn vader(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let (head, message) = cursor.text().trim().split_once("] (X) ")?;
    let same = format!("{head}] ");
    let name = cursor.back(1).and_then(|text| text.trim().strip_prefix(&same));
    let suite = cursor.preceding().find_map(|(_, text)| text.trim().strip_prefix("Starting Vader: "));
    let mut problem = error("vader", message, None);
    problem.test = name.map(str::to_owned);
    // `> test/a.vader:6` below it is where the assertion is.
    let at = cursor.following().take(6).find_map(|(_, text)| place::first(text.trim().strip_prefix("> ")?));
    match at {
        Some(place) => set_place(&mut problem, place),
        None => problem.file = suite.filter(|file| file.ends_with(".vader")).map(str::to_owned),
    }
    Some((problem, Kind::Test, 1))
}

/// `Found errors in Test_x():`, then `function RunTheTest[40]..Test_x line 12: Expected 1 but got 2`.
fn vim(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    let (_, rest) = text.split_once(" in Test_")?;
    let (name, message) = rest.split_once("():")?;
    // The test is run again, and that run decides.
    if cursor.following().take(4).any(|(_, text)| text.ends_with("running it again")) {
        return None;
    }
    let below = cursor.ahead(1).map(str::trim).filter(|_| message.trim().is_empty());
    let mut problem = error("vim", below.unwrap_or(text), None);
    problem.test = Some(format!("Test_{name}"));
    problem.text_line = cursor.number(usize::from(below.is_some()));
    Some((problem, Kind::Test, 1 + usize::from(below.is_some())))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// Pester as its documentation shows it, in versions 3 and 4: PowerShell is not installed where these tests were written.
    #[test]
    fn pester_names_the_script() {
        for text in [
            "  [-] sums 45ms\n    Expected: {7}\n    But was:  {6}\n    at line: 5 in C:\\w\\Calc.Tests.ps1\n    5:   total 1 2 | Should Be 7\n",
            "  [-] sums 45ms\n    Expected 7, but got 6.\n    5:   total 1 2 | Should -Be 7\n    at <ScriptBlock>, C:\\w\\Calc.Tests.ps1: line 5\n",
        ] {
            let report = explain(text);
            let root = &report.problems[report.root.unwrap()];
            assert_eq!((root.file.as_deref(), root.line), (Some("C:\\w\\Calc.Tests.ps1"), Some(5)), "{text}");
            assert_eq!(root.test.as_deref(), Some("sums"));
            assert!(root.message.starts_with("Expected"), "{root:?}");
        }
    }

    #[test]
    fn a_test_that_is_run_again_is_no_failure() {
        let text = "Found errors in Test_a():\nfunction RunTheTest[40]..Test_a line 3: Expected 1 but got 2\nFlaky test failed, running it again\n\
                    Found errors in Test_a():\nfunction RunTheTest[40]..Test_a line 9: Expected 3 but got 4\n";
        let report = explain(text);
        assert!(report.problems[report.root.unwrap()].message.ends_with("Expected 3 but got 4"));
    }

    /// PowerShell's own errors, as its documentation prints them; what a compiler printed above one stays the root cause.
    #[test]
    fn powershell_names_the_script() {
        let text = "Foo-Bar : The term 'Foo-Bar' is not recognized as the name of a cmdlet.\nCheck the spelling of the name.\nAt C:\\a.ps1:3 char:1\n+ Foo-Bar\n";
        let report = explain(text);
        let root = &report.problems[report.root.unwrap()];
        assert_eq!((root.file.as_deref(), root.line), (Some("C:\\a.ps1"), Some(3)));
        assert!(root.message.starts_with("The term 'Foo-Bar'"), "{root:?}");
        let text = "/p/A.cs(39,5): error CS0103: The name 'x' does not exist [/p/A.csproj]\nExecution of { dotnet build } failed\nAt /p/build.psm1:2038 char:17\n";
        let report = explain(text);
        assert_eq!(report.problems[report.root.unwrap()].file.as_deref(), Some("/p/A.cs"));
    }
}
