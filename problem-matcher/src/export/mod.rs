//! Problems in the formats of other programs: GitHub's workflow commands, SARIF, reviewdog's rdjson, JUnit XML.
//!
//! In: problems, as [`find`](crate::find) returns them. Out: a document of the format, one file of this directory each. Values
//! are escaped so that none of them can end its field or start another; redacting secrets is up to the caller.
//!
//! ```
//! let report = problem_matcher::find("src/a.c:3:5: error: expected ';' before 'return'\n");
//! let log = problem_matcher::export::sarif(&report.problems);
//! assert_eq!(log["runs"][0]["results"][0]["level"], "error");
//! ```

mod github;
mod junit;
mod rdjson;
mod sarif;

pub use github::github;
pub use junit::junit;
pub use rdjson::rdjson;
pub use sarif::sarif;

use recovery_types::Problem;

/// The tool that a problem is listed under.
fn tool(problem: &Problem) -> &str {
    problem.tool.as_deref().unwrap_or("recovery")
}

/// The tools of all problems, in the order of the problems.
fn tools(problems: &[Problem]) -> Vec<&str> {
    let mut tools: Vec<&str> = Vec::new();
    for problem in problems {
        if !tools.contains(&tool(problem)) {
            tools.push(tool(problem));
        }
    }
    tools
}
