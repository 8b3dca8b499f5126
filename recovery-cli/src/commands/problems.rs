//! `recovery problems`: what failed and where, out of any tool's output. Records nothing.
//!
//! The text is matched by `problem-matcher`, with the project's own `[[matcher]]` rows first. Text and JSON are written here, the
//! formats of other programs by `problem_matcher::export`.

use crate::cli::Global;
use crate::input::Source;
use crate::{exit, output};
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Arg, ArgMatches, ValueEnum};
use problem_matcher::{ProblemReport, export};
use recovery_types::{Problem, Severity};
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo test 2>&1 | recovery problems\n  recovery problems --only errors build.log\n  \
    recovery problems --format github build.log\n  recovery problems --format sarif lint.log > lint.sarif"
)]
pub(crate) struct Args {
    /// What the tools printed; `-` or nothing reads standard input
    file: Option<PathBuf>,
    #[command(flatten)]
    form: Form,
    /// How the command ended; without it, the output itself has to show that something failed
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = crate::input::exit_code)]
    exit_code: Option<i64>,
    /// The output of a run that worked: lines that it has, too, are no evidence
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Leave out what is less serious
    #[arg(long, value_name = "SEVERITY", value_enum, default_value_t)]
    min_severity: MinSeverity,
    /// Failed tests only, or errors only
    #[arg(long, value_name = "WHICH", value_enum)]
    only: Option<Only>,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum MinSeverity {
    Error,
    Warning,
    #[default]
    Note,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    Tests,
    Errors,
}

/// The forms of the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A table for people
    #[default]
    Text,
    /// One object: `problems` and the index of the root cause
    Json,
    /// Workflow commands of GitHub Actions
    Github,
    /// SARIF 2.1.0
    Sarif,
    /// reviewdog's Diagnostic Format
    Rdjson,
    /// JUnit XML
    Junit,
}

impl Form {
    const ARG: &'static str = "format";
}

/// `--format` is an option of every command and has two values there; this command replaces it by one with more. All
/// arguments of that name must hold the same type, so the value is read from the text that was given.
impl clap::Args for Form {
    fn augment_args(command: clap::Command) -> clap::Command {
        let names = Self::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let as_global = |name: String| if name == "json" { output::Format::Json } else { output::Format::Text };
        command.arg(
            Arg::new(Self::ARG)
                .long(Self::ARG)
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(names).map(as_global))
                .default_value("text")
                .help("The form of the answer"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Form {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = matches.get_raw(Self::ARG).and_then(|mut values| values.next()).and_then(|value| value.to_str());
        Ok(given.and_then(|name| Self::from_str(name, false).ok()).unwrap_or_default())
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Moves `--format sarif` behind `problems`: before a command only the forms that every command has are known.
pub(crate) fn with_form_last(mut args: Vec<OsString>) -> Vec<OsString> {
    let Some(command) = args.iter().position(|arg| arg == "problems") else { return args };
    let Some(at) = args[..command].iter().position(|arg| is_form(arg)) else { return args };
    let end = if args[at] == "--format" { at + 2 } else { at + 1 };
    if end <= command {
        let form: Vec<OsString> = args.drain(at..end).collect();
        let behind = command + 1 - form.len();
        args.splice(behind..behind, form);
    }
    args
}

fn is_form(arg: &OsStr) -> bool {
    arg == "--format" || arg.to_str().is_some_and(|arg| arg.starts_with("--format="))
}

/// The answer as JSON has it.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Answer {
    /// The problems in the order of the text.
    problems: Vec<Problem>,
    /// The index of the root cause; null where there is none.
    root: Option<usize>,
}

impl Answer {
    fn new(report: ProblemReport, is_wanted: impl Fn(&Problem) -> bool) -> Self {
        let mut answer = Self { problems: Vec::new(), root: None };
        for (index, problem) in report.problems.into_iter().enumerate() {
            if is_wanted(&problem) {
                if report.root == Some(index) {
                    answer.root = Some(answer.problems.len());
                }
                answer.problems.push(problem);
            }
        }
        answer
    }
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let engine = global.engine()?;
    let text = Source::open(args.file.as_deref())?.since(args.baseline.as_deref())?.lossy_text()?;
    let text = recovery_redact::redact(&text);
    let at_least = match (args.min_severity, args.only) {
        (MinSeverity::Error, _) | (_, Some(Only::Errors)) => Severity::Error,
        (MinSeverity::Warning, _) => Severity::Warning,
        (MinSeverity::Note, _) => Severity::Note,
    };
    // A line that only reads like an error is one where something failed; in healthy output it is none.
    let shows_failure = || engine.taxonomy.reads_as_failure(text.as_bytes(), None);
    let has_failed = args.exit_code.map_or_else(shows_failure, |code| code != 0);
    let report = if has_failed {
        problem_matcher::explain_with(&text, &engine.matchers)
    } else {
        problem_matcher::find_with(&text, &engine.matchers)
    };
    let answer = Answer::new(report, |problem| {
        problem.severity <= at_least && (args.only != Some(Only::Tests) || problem.test.is_some())
    });
    let mut out = output::stdout();
    match args.form {
        Form::Text => table(&mut out, &answer)?,
        Form::Json => output::json_line(&mut out, &answer)?,
        Form::Github => out.write_all(export::github(&answer.problems).as_bytes())?,
        Form::Sarif => output::json_line(&mut out, &export::sarif(&answer.problems))?,
        Form::Rdjson => output::json_line(&mut out, &export::rdjson(&answer.problems))?,
        Form::Junit => out.write_all(export::junit(&answer.problems).as_bytes())?,
    }
    out.flush()?;
    Ok(exit::DONE)
}

/// Problems grouped by tool, the tool of the root cause first.
fn table(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let mut tools: Vec<Option<&str>> = Vec::new();
    let root = answer.root.map(|index| &answer.problems[index]);
    for problem in root.into_iter().chain(&answer.problems) {
        if !tools.contains(&problem.tool.as_deref()) {
            tools.push(problem.tool.as_deref());
        }
    }
    for tool in &tools {
        writeln!(out, "{}", output::strong(&output::one_line(tool.unwrap_or("other"), 60)))?;
        let its = answer.problems.iter().enumerate().filter(|(_, problem)| problem.tool.as_deref() == *tool);
        let width = its.clone().map(|(_, problem)| problem.place().chars().count()).max().unwrap_or(0).min(60);
        for (index, problem) in its {
            row(out, problem, answer.root == Some(index), width)?;
        }
    }
    writeln!(out, "{}", summary(&answer.problems, root.is_some()))?;
    Ok(())
}

fn row(out: &mut impl Write, problem: &Problem, is_root: bool, width: usize) -> anyhow::Result<()> {
    let mark = if is_root { output::strong("*") } else { " ".to_owned() };
    let severity = format!("{:7}", problem.severity.name());
    let severity = if problem.severity == Severity::Error { output::bad(&severity) } else { output::faint(&severity) };
    let code = problem.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
    let test = problem.test.as_ref().map(|test| format!("{test}: ")).unwrap_or_default();
    let message = output::one_line(&format!("{test}{}{code}", problem.message), 160);
    let place = format!("{:width$}", output::one_line(&problem.place(), 200));
    writeln!(out, "{mark} {severity} {place}  {message}")?;
    for (label, value) in [("expected", &problem.expected), ("actual", &problem.actual)] {
        if let Some(value) = value {
            writeln!(out, "          {} {}", output::faint(label), output::one_line(value, 140))?;
        }
    }
    Ok(())
}

fn summary(problems: &[Problem], has_root: bool) -> String {
    let count = |severity: Severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter_map(|severity| match count(severity) {
            0 => None,
            1 => Some(format!("1 {severity}")),
            n => Some(format!("{n} {severity}s")),
        })
        .collect();
    match (counts.is_empty(), has_root) {
        (true, _) => "no problems found".to_owned(),
        (false, true) => format!("{}; * is the root cause", counts.join(", ")),
        (false, false) => counts.join(", "),
    }
}
