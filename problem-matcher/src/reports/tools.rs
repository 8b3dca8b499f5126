//! Tools that are no test runners and whose findings take several lines: MkDocs in strict mode, JSHint under Grunt,
//! Snakemake.
//!
//! ```text
//! MissingInputException in rule sort in file "/p/Snakefile", line 4:     Snakemake 8; before: `in line 4 of /p/Snakefile:`
//! Aborted with 2 warnings in strict mode!                                MkDocs; the reason is the first warning above
//! ```
//!
//! They are code because the line that identifies the tool is only a part: MkDocs and JSHint need the lines above
//! it, Snakemake a variable number of lines below. A tool whose problem is on one or a few fixed lines belongs in
//! `formats/builtin/30-tools.toml`.

use crate::block::{error, indent, is_exception_name};
use crate::lines::Cursor;
use crate::matcher::{Kind, Report};
use crate::place::{self, Place, leading_number};
use recovery_types::Problem;

pub(crate) const MKDOCS: Report =
    Report { id: "mkdocs-strict", literals: &["in strict mode", "in 'strict' mode"], find: mkdocs };
pub(crate) const GRUNT_JSHINT: Report = Report { id: "grunt-jshint", literals: &["^ "], find: grunt_jshint };
pub(crate) const SNAKEMAKE: Report =
    Report { id: "snakemake", literals: &[" in rule ", " in file \"", " in line "], find: snakemake };

/// `Aborted with 2 warnings in strict mode!`: the first of the warnings above it is the reason.
fn mkdocs(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim();
    if !text.contains("arning") || !text.starts_with("Aborted with ") && !text.starts_with("Exited with ") {
        return None;
    }
    let is_log = |text: &str| {
        let level = text.trim_start_matches(|c: char| c.is_ascii_uppercase());
        level.len() < text.len() && level.trim_start().starts_with("- ")
    };
    let warning = cursor.preceding().take_while(|(_, text)| text.trim().is_empty() || is_log(text));
    let (back, text) = warning.filter(|(_, text)| text.starts_with("WARNING")).last()?;
    let message = text.trim_start_matches("WARNING").trim_start().trim_start_matches("- ").trim();
    let mut problem = error("mkdocs", message, None);
    // `Doc file 'a.md' contains a link 'b.md', but ...`
    let file = message.split_once("oc file '").or_else(|| message.split_once("ocumentation file '"));
    problem.file = file.and_then(|(_, rest)| rest.split_once('\'')).map(|(file, _)| file.to_owned());
    problem.text_line = cursor.number_back(back);
    Some((problem, Kind::Lint, 1))
}

/// `   src/a.js`, `      1 |var a = 1`, `                  ^ Missing semicolon.`; the file heads all of its findings.
fn grunt_jshint(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let message = cursor.text().trim_start().strip_prefix("^ ")?;
    let numbered = |text: &str| {
        let line = text.trim_start();
        line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" |").then(|| leading_number(line)).flatten()
    };
    let source = cursor.back(1)?;
    let line = numbered(source)?;
    let (_, file) = cursor.preceding().find(|(_, text)| !text.trim().is_empty() && indent(text) < indent(source))?;
    let file = file.trim();
    if !place::is_file_name(file.rsplit(['/', '\\']).next()?) {
        return None;
    }
    let column = indent(cursor.text()).checked_sub(source.find('|')?).map(|column| column as u64);
    let mut problem = error("jshint", message, Some(Place { file, line: Some(line), column }));
    problem.text_line = cursor.number(0);
    Some((problem, Kind::Lint, 1))
}

/// `MissingInputException in rule sort in file "/p/Snakefile", line 4:`, before version 8 `... in line 4 of /p/Snakefile:`, and the
/// message below; missing files are listed last.
fn snakemake(cursor: &Cursor<'_, '_>) -> Option<(Problem, Kind, usize)> {
    let text = cursor.text().trim_end();
    let (name, rest) = text.strip_suffix(':')?.split_once(" in ")?;
    if !is_exception_name(name) {
        return None;
    }
    let (file, line) = match rest.split_once("file \"") {
        Some((_, rest)) => rest.split_once("\", line ")?,
        None => rest.strip_prefix("line ")?.split_once(" of ").map(|(line, file)| (file, line))?,
    };
    let mut message = format!("{name}: {}", cursor.ahead(1)?.trim());
    let mut end = 2;
    let mut is_list = name == "MissingInputException" && cursor.ahead(2).is_some_and(|text| indent(text) == 0);
    for (offset, text) in cursor.following().skip(1).take(20).take_while(|(_, text)| !text.trim().is_empty()) {
        if is_list {
            message = format!("{message} {}", text.trim());
        }
        is_list |= text.trim() == "affected files:";
        end = offset + 1;
    }
    let mut problem = error("snakemake", &message, Some(Place { file, line: leading_number(line), column: None }));
    problem.text_line = cursor.number(1);
    Some((problem, Kind::Tool, end))
}
