//! Commands that were called wrongly.

use super::{Row, Seen, about, is_plain_word, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// What wrong calls look like.
pub(super) const ROWS: &[Row] = &[
    row("unrecognized arguments: {}", |s| option(s.hole(0))),
    row("unrecognized option '{}'", |s| option(s.hole(0))),
    row("invalid option -- '{}'", |s| option(&format!("-{}", s.hole(0)))),
    row("unrecognized command-line option '{}'", |s| option(s.hole(0))),
    row("unexpected argument '{}' found", |s| option(s.hole(0))),
    row("Unknown option {w}", |s| option(s.hole(0))),
    row("unknown predicate `{}'", |s| option(s.hole(0))),
    row("unknown option: {w}", |s| option(s.hole(0))),
    row("unknown option `{}'", |s| option(s.hole(0))),
    row("error: unknown option '{}'", |s| option(s.hole(0))),
    row("unknown flag: {w}", |s| option(s.hole(0))),
    row("unknown shorthand flag: '{}' in {w}", |s| option(s.hole(1))),
    row("no such option: {w}", |s| option(s.hole(0))),
    row("No such option: {w}", |s| option(s.hole(0))),
    row("option {w}: is unknown", |s| option(s.hole(0))),
    row("Unknown lifecycle phase \"{}\"", |s| unknown("phase", s.hole(0))),
    row("npm error Missing script: \"{}\"", |s| missing_script(s.hole(0))),
    row("npm ERR! Missing script: \"{}\"", |s| missing_script(s.hole(0))),
    row("error: no such command: `{}`", |s| unknown("command", s.hole(0))),
    row("git: '{}' is not a git command", |s| unknown("command", s.hole(0))),
    row("unknown command: {}", |s| unknown("command", s.hole(0))),
    row("unknown command \"{}\" for \"{}\"", |s| unknown("command", s.hole(0))),
    row("no bin target named `{}`", |s| unknown("target", s.hole(0))),
    row("package ID specification `{}` did not match any packages", |s| unknown("package", s.hole(0))),
    row("the following arguments are required: {}", |s| required(s.hole(0))),
    row("the following required arguments were not provided:", |s| required(line_after(s))),
    row("required option '{}' not specified", |s| required(s.hole(0))),
    row("fatal: not a git repository", |_| not_a_repository()),
    row("error: src refspec {w} does not match any", |s| branch(s.hole(0))),
    row("fatal: couldn't find remote ref {w}", |s| branch(s.hole(0))),
    row("fatal: invalid reference: {w}", |s| branch(s.hole(0))),
];

fn option(name: &str) -> Option<Adjustment> {
    let text = format!("drop or correct `{name}`, the command does not know it");
    Some(about(AdjustmentKind::CorrectCommand, name, text, None))
}

fn unknown(what: &str, name: &str) -> Option<Adjustment> {
    let text = format!("correct the {what} `{name}`, there is none of that name");
    Some(about(AdjustmentKind::CorrectCommand, name, text, None))
}

fn required(names: &str) -> Option<Adjustment> {
    let text = format!("give the arguments it asks for ({names})");
    Some(about(AdjustmentKind::CorrectCommand, names, text, None))
}

/// The line below the message.
fn line_after<'a>(seen: &Seen<'a>) -> &'a str {
    let below = seen.text.split_once(seen.line).map_or("", |(_, below)| below);
    below.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

fn missing_script(name: &str) -> Option<Adjustment> {
    let text = format!("call a script that package.json has, it has no `{name}`; see them");
    Some(about(AdjustmentKind::CorrectCommand, name, text, Some("npm run".to_owned())))
}

fn not_a_repository() -> Option<Adjustment> {
    Some(about(AdjustmentKind::CorrectCommand, "repository", "run it inside the git repository", None))
}

fn branch(name: &str) -> Option<Adjustment> {
    let command = is_plain_word(name).then(|| "git branch --all".to_owned());
    let text = format!("use a branch that exists, `{name}` does not; see them");
    Some(about(AdjustmentKind::CorrectCommand, name, text, command))
}
