//! Test runners of Scala: ScalaTest, specs2, MUnit and uTest.
//!
//! sbt puts `[info] ` or `[error] ` before their lines. ScalaTest and specs2 end a message with its place in parentheses
//! (`3 did not equal 4 (ASpec.scala:12)`), MUnit names the place in the head, uTest only in the frames below.

use super::java::{failure, unmarked};
use crate::block::{error, indent};
use crate::frames::is_project_file;
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place;
use recovery_types::Problem;

pub(crate) const SCALATEST: Report = Report { id: "scalatest", literals: &["*** FAILED ***"], find: scalatest };
pub(crate) const SPECS2: Report = Report { id: "specs2", literals: &["  x ", "  ! "], find: specs2 };
pub(crate) const MUNIT: Report = Report { id: "munit", literals: &["==> X "], find: munit };
pub(crate) const UTEST: Report = Report { id: "utest", literals: &["utest."], find: utest };

/// `- name *** FAILED ***` and the message with its place below.
fn scalatest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text()).trim();
    let name = text
        .strip_suffix("*** FAILED ***")
        .or_else(|| text.split_once(" *** FAILED ***").map(|(name, _)| name))?
        .trim()
        .trim_start_matches("- ");
    let (at, message) = cursor.following().take(4).find(|(_, text)| !unmarked(text).trim().is_empty())?;
    let message = unmarked(message).trim();
    let own_place = message.rsplit_once(" (").and_then(|(_, rest)| place::first(rest));
    let place = own_place.or_else(|| failure(cursor, at, true).and_then(|found| found.place)).or_else(|| {
        cursor
            .following()
            .take(6)
            .find_map(|(_, text)| unmarked(text).rsplit_once('(').and_then(|(_, rest)| place::first(rest)))
    });
    let mut problem = error(
        "scalatest",
        message.rsplit_once(" (").filter(|_| own_place.is_some()).map_or(message, |(message, _)| message),
        place,
    );
    problem.text_line = cursor.number(at);
    // The suite's name is above its tests, ending in a colon.
    let suite = cursor.preceding().find_map(|(_, text)| {
        let line = unmarked(text);
        (line.ends_with(':') && !line.starts_with(' ') && !line.contains(' '))
            .then(|| line.trim_end_matches(':').to_owned())
    });
    problem.test = Some(suite.map_or_else(|| name.to_owned(), |suite| format!("{suite} > {name}")));
    Some((problem, Kind::Test, at + 1))
}

/// `[error]   x adds two numbers`, then `[error]    '3' is not equal to '4' (CalcSpec.scala:12)`; a `!` marks an exception.
fn specs2(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = unmarked(cursor.text());
    let name = text.trim_start();
    let name = name.strip_prefix("x ").or_else(|| name.strip_prefix("! "))?.trim();
    let below = unmarked(cursor.ahead(1)?);
    let (message, place) = below.trim().rsplit_once(" (")?;
    let place = place::first(place).filter(|place| place.file.ends_with(".scala"))?;
    if indent(below) <= indent(text) {
        return None;
    }
    let mut problem = error("specs2", message, Some(place));
    problem.text_line = cursor.number(1);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 2))
}

/// `==> X acme.CalcSuite.adds  0.05s munit.ComparisonFailException: /p/CalcSuite.scala:9`, the source, the message.
fn munit(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let rest = unmarked(cursor.text()).trim().strip_prefix("==> X ")?;
    let (name, rest) = rest.split_once("  ").or_else(|| rest.split_once(' '))?;
    let head = rest.split_once(' ').map_or(rest, |(_, head)| head);
    let is_source = |text: &str| {
        text.split_once(':').is_some_and(|(line, _)| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()))
    };
    let said = cursor.following().take(12).map(|(at, text)| (at, unmarked(text).trim()));
    let said = said.filter(|(_, text)| !text.is_empty() && !is_source(text)).find(|(_, text)| !text.starts_with("at "));
    let place = place::first(head);
    // The head of an exception that no assertion threw has its message, and no place.
    let (at, message) = said.filter(|_| place.is_some()).unwrap_or((0, head));
    let mut problem = error("munit", message, place);
    problem.text_line = cursor.number(at);
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, at + 1))
}

/// `X acme.CalcTests.adds 5ms`, `  utest.AssertionError: assert(a == b)`, the values, the frames.
fn utest(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let message = unmarked(cursor.text()).trim();
    let (name, time) = unmarked(cursor.back(1)?).trim().strip_prefix("X ")?.rsplit_once(' ')?;
    if !message.starts_with("utest.") || !time.ends_with("ms") {
        return None;
    }
    let frames = cursor.following().take(40).take_while(|(_, text)| indent(unmarked(text)) > 0);
    let places = frames.filter_map(|(_, text)| place::first(unmarked(text).rsplit_once('(')?.1.strip_suffix(')')?));
    let mut own = places.filter(|place| is_project_file(place.file) && place.file != "Asserts.scala");
    let mut problem = error("utest", message, own.next());
    problem.test = Some(name.to_owned());
    Some((problem, Kind::Test, 1))
}

#[cfg(test)]
mod tests {
    use crate::explain;

    /// As the runners document their output: sbt's packages are not reachable where these tests were written.
    #[test]
    fn runners_of_scala_name_test_and_place() {
        for (text, message, file, line, test) in [
            (
                "[info] Calculator should\n[info]   + subtract\n[error]   x add two numbers\n[error]    '3' is not equal to '4' (CalcSpec.scala:12)\n[error] Failed tests:\n[error] \tCalcSpec\n",
                "'3' is not equal to '4'",
                "CalcSpec.scala",
                12,
                "add two numbers",
            ),
            (
                "FooSuite:\n==> X FooSuite.adds  0.05s munit.ComparisonFailException: /p/FooSuite.scala:9\n8:    val obtained = 3\n9:    assertEquals(obtained, 4)\nvalues are not the same\n=> Obtained\n3\n",
                "values are not the same",
                "/p/FooSuite.scala",
                9,
                "FooSuite.adds",
            ),
            (
                "X hello.fails 5ms\n  utest.AssertionError: assert(a == b)\n  a: Int = 1\n    utest.asserts.Asserts$.assertImpl(Asserts.scala:114)\n    hello.HelloTests$.$anonfun$tests$2(HelloTests.scala:10)\n",
                "utest.AssertionError: assert(a == b)",
                "HelloTests.scala",
                10,
                "hello.fails",
            ),
        ] {
            let report = explain(text);
            let root = &report.problems[report.root.unwrap()];
            assert_eq!((root.file.as_deref(), root.line), (Some(file), Some(line)), "{root:?}");
            assert_eq!((root.message.as_str(), root.test.as_deref()), (message, Some(test)));
        }
    }
}
