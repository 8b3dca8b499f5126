//! Steps for environment variables that are not set.
//!
//! In: the evidence of a [`Case`](super::Case). Out: a step that names the variable. Templates in `ROWS` come first; then
//! any line about an environment variable with a name in capitals; then the shell's `${NAME:?message}`, printed as `sh: 1:
//! NAME: message`.
//!
//! Some messages also fit other failures (`KeyError: 'X'`, `X is not set`). For these the name has to be written like a
//! constant, and a missing key counts only if the output shows that it was read from the environment. To recognise a new
//! message, add a row; use `set` only if the message itself mentions the environment, else `set_constant`.

use super::words::about;
use super::{Case, Row, Seen, first, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// An environment variable is not set. A name that code does not define is never one.
pub(super) fn unset(case: &Case<'_>) -> Option<Adjustment> {
    let asked = || case.lines().find_map(asked_for).or_else(|| case.lines().find_map(shell_parameter));
    first(ROWS, case).or_else(|| asked().and_then(set_constant))
}

/// A name in capitals on a line about setting an environment variable.
fn asked_for(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let asks = [
        "set the", "not set", "must be set", "missing", "required", "please set", "setting the", "not found",
        "undefined", "not defined", "unset", "is empty", "define",
    ];
    if !lower.contains("environment variable") || !asks.iter().any(|words| lower.contains(words)) {
        return None;
    }
    let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.into_iter().find(|word| {
        word.len() > 3
            && word.contains('_')
            && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    })
}

/// `${TARGET:?must name a host}` as a shell prints it: `sh: 1: TARGET: must name a host`.
fn shell_parameter(line: &str) -> Option<&str> {
    let mut parts = line.splitn(4, ": ");
    let (shell, number, name, why) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_shell = ["sh", "bash", "dash", "zsh"].iter().any(|name| shell.ends_with(name));
    let is_line = number.trim_start_matches("line ").bytes().all(|b| b.is_ascii_digit());
    let is_variable = name.len() > 2 && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    (is_shell && is_line && is_variable && !why.contains("not found")).then_some(name)
}

/// Messages about variables that are not set.
const ROWS: &[Row] = &[
    // Compilers have unbound variables too: `Error: unbound variable or constructor: g`.
    row("{w}: unbound variable", |s| {
        s.line.trim_end().ends_with("unbound variable").then(|| set(s.hole(0).trim_end_matches(':')))?
    }),
    row("{w}: parameter not set", |s| set(s.hole(0))),
    row("{w}: parameter null or not set", |s| set(s.hole(0))),
    row("KeyError: '{w}'", read_from_environment),
    row("environment variable `{w}` not defined at compile time", |s| set(s.hole(0))),
    row("environment variable not found: {w}", |s| set(s.hole(0))),
    row("Environment variable not found: {w}", |s| set(s.hole(0))),
    row("Environment variable {w} is not set", |s| set(s.hole(0))),
    row("environment variable {w} is not set", |s| set(s.hole(0))),
    row("Environment variable \"{w}\" is not set", |s| set(s.hole(0))),
    row("environment variable \"{w}\" is not set", |s| set(s.hole(0))),
    row("Missing required environment variable: {w}", |s| set(s.hole(0))),
    row("Missing required environment variable {w}", |s| set(s.hole(0))),
    row("missing required environment variable {w}", |s| set(s.hole(0))),
    row("Missing environment variable: {w}", |s| set(s.hole(0))),
    row("Missing environment variable {w}", |s| set(s.hole(0))),
    row("required variable {w} is missing a value", |s| set(s.hole(0))),
    row("The \"{w}\" variable is not set. Defaulting to a blank string", |s| set(s.hole(0))),
    row("Environment variable not found: `{w}`", |s| set(s.hole(0))),
    row("key not found: \"{w}\" (KeyError)", read_from_environment),
    row("Set the {w} environment variable", |s| set(s.hole(0))),
    row("set the {w} environment variable", |s| set(s.hole(0))),
    row("must be set in the environment: {w}", |s| set(s.hole(0))),
    row("The {w} environment variable is not defined correctly", |s| set(s.hole(0))),
    row("{w} environment variable is not set", |s| set(s.hole(0))),
    row("{w} is not set and no 'java' command could be found", |s| set(s.hole(0))),
    row("the {w} environment variable must be set", |s| set(s.hole(0))),
    row("setting the {w} environment variable", |s| set(s.hole(0))),
    row("Environment variable '{w}' not set", |s| set(s.hole(0))),
    row("environment variable '{w}' is not set", |s| set(s.hole(0))),
    row("environment variable \"{w}\" is not defined", |s| set(s.hole(0))),
    row("environment variable {w} must be set", |s| set(s.hole(0))),
    row("environment variable {w} not set", |s| set(s.hole(0))),
    row("environment variable is missing: {w}", |s| set(s.hole(0))),
    row("environment variables: {w}", |s| set(s.hole(0))),
    row("{w} must be set as an environment variable", |s| set(s.hole(0))),
    row("Set {w} in your environment", |s| set(s.hole(0))),
    row("unset environment variable {w}", |s| set(s.hole(0))),
    row("NotPresent: {w}", |s| set_constant(s.hole(0))),
    row("{w} must be set: NotPresent", |s| set_constant(s.hole(0))),
    row("{w} is not set", |s| set_constant(s.hole(0))),
    row("{w} must be set", |s| set_constant(s.hole(0))),
];

/// Set the variable `name`.
fn set(name: &str) -> Option<Adjustment> {
    let name = name.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = name.len() <= 80 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (starts && plain).then(|| {
        let text = format!("set the environment variable {name}, it is not set");
        about(AdjustmentKind::SetVariable, name, text, None)
    })
}

/// The same for a name that only looks like a variable when it is written like one.
fn set_constant(name: &str) -> Option<Adjustment> {
    let name = name.trim_matches(['"', '\'', '`', '$', ':']);
    let constant = name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    if constant && name.len() > 2 && name.contains(|c: char| c.is_ascii_uppercase()) { set(name) } else { None }
}

/// A key that is missing is a variable only where the program read it from the environment.
fn read_from_environment(seen: &Seen<'_>) -> Option<Adjustment> {
    let reads = ["os.environ", "getenv", "ENV.fetch", "ENV[", "<frozen os>", "/os.py"];
    let reads = reads.iter().any(|words| seen.text.contains(words));
    if reads { set_constant(seen.hole(0)) } else { None }
}
