//! Executes every command that a step suggests for the committed outputs, each in a scratch directory of its own; writes
//! docs/advice-commands.md.
//!
//! `forms.toml` has how a command is tried: with what has to be there first (a repository, a manifest, a listener), and in the
//! tool's own rehearsal mode where the command would change the machine (`--simulate`, `--dry-run`). What has no form is
//! looked up: the program must be installed and its help must know the sub-command. A program that is not installed here is
//! listed as unchecked. Needs a network, so no test calls it.

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The page.
const PAGE: &str = "docs/advice-commands.md";
/// The longest that one command may run, as `timeout` takes it.
const LIMIT: &str = "180s";

/// How commands that begin alike are tried.
#[derive(Deserialize)]
struct Form {
    begins: String,
    /// What is run first, by its name in [`Forms::setups`].
    setup: Option<String>,
    /// What is run instead of the beginning.
    instead: Option<String>,
    /// Whether exit code 1 shows that the command could be run, too.
    #[serde(default)]
    may_find_nothing: bool,
}

#[derive(Deserialize)]
struct Forms {
    /// Shell commands by name; `$1` is the last word of the command that is tried.
    setups: BTreeMap<String, String>,
    form: Vec<Form>,
}

const FORMS: &str = include_str!("forms.toml");

/// What became of a command.
enum Outcome {
    Ran(String),
    /// Its program's help knows it.
    Known,
    NotInstalled,
    Failed(String),
}

pub(super) fn execute(root: &Path, commands: &BTreeSet<&str>) -> anyhow::Result<()> {
    let forms: Forms = toml::from_str(FORMS)?;
    let mut rows = String::new();
    let (mut ran, mut known, mut absent) = (0, 0, 0);
    let mut failed = Vec::new();
    for command in commands {
        let (count, how, result) = match outcome(&forms, command)? {
            Outcome::Ran(how) => (Some(&mut ran), how, "worked"),
            Outcome::Known => (Some(&mut known), "looked up in its help".to_owned(), "known"),
            Outcome::NotInstalled => (Some(&mut absent), String::new(), "program not installed here"),
            Outcome::Failed(why) => {
                failed.push(format!("{command}: {why}"));
                (None, why, "failed")
            }
        };
        count.into_iter().for_each(|count| *count += 1);
        let cell = |text: &str| text.replace('|', "\\|");
        let how = if how.is_empty() { how } else { format!("`{}`", cell(&how)) };
        let _ = writeln!(rows, "| `{}` | {how} | {result} |", cell(command));
    }
    let page = format!(
        "# Commands that steps suggest\n\n\
         Every command of a step for the committed outputs, executed by `cargo xtask advice --execute`, each in a scratch directory,\n\
         with `--simulate` or `--dry-run` where it would change the machine. Of {} commands, {ran} worked, {known} were looked up in\n\
         the help of their program, {absent} could not be checked because the program was not installed, {} failed.\n\n\
         | command | run as | result |\n|---|---|---|\n{rows}",
        commands.len(),
        failed.len()
    );
    crate::write(root, PAGE, &page)?;
    println!("{ran} worked, {known} known, {absent} not installed here; written to {PAGE}");
    ensure!(failed.is_empty(), "commands that do not work:\n{}", failed.join("\n"));
    Ok(())
}

fn outcome(forms: &Forms, command: &str) -> anyhow::Result<Outcome> {
    let program = command.split(' ').next().unwrap_or(command);
    if program != "export" && !succeeds(&format!("command -v {program}"))? {
        return Ok(Outcome::NotInstalled);
    }
    let Some(form) = forms.form.iter().find(|form| command.starts_with(&form.begins)) else {
        return looked_up(command);
    };
    // A path that was read from an output is one of the scratch directory here.
    let rest = if form.begins == "df -h" { "" } else { &command[form.begins.len()..] };
    let instead = form.instead.as_ref().unwrap_or(&form.begins);
    let line = format!("{instead}{rest}");
    let line =
        if instead.ends_with('.') && !rest.starts_with(['/', '.']) { line.replacen(" .", " ./", 1) } else { line };
    let directory = std::env::temp_dir().join(format!("recovery-advice-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let last = command.split(' ').next_back().unwrap_or_default();
    let script = match &form.setup {
        None => line.clone(),
        Some(name) => {
            let setup = forms.setups.get(name).with_context(|| format!("forms.toml has no set-up {name}"))?;
            format!("{{ {setup}\n}} && {line}")
        }
    };
    let run =
        shell(&script).args(["sh", last]).current_dir(&directory).output().context("timeout and sh are needed")?;
    std::fs::remove_dir_all(&directory)?;
    let code = run.status.code().unwrap_or(-1);
    if code == 0 || (form.may_find_nothing && code == 1) {
        return Ok(Outcome::Ran(line));
    }
    let last_line = String::from_utf8_lossy(&run.stderr).lines().next_back().unwrap_or_default().to_owned();
    Ok(Outcome::Failed(format!("exit code {code}: {last_line}")))
}

/// Whether the help of the program knows the sub-command.
fn looked_up(command: &str) -> anyhow::Result<Outcome> {
    let mut words = command.split(' ');
    let (program, sub) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_known = succeeds(&format!(
        "{{ {program} {sub} --help; {program} help {sub}; {program} {sub} help; {program} --help; }} 2>&1 | grep -qi -e '{}'",
        sub.trim_start_matches('-')
    ))?;
    Ok(if is_known { Outcome::Known } else { Outcome::Failed(format!("the help of {program} does not know {sub}")) })
}

fn succeeds(script: &str) -> anyhow::Result<bool> {
    Ok(shell(script).output().context("timeout and sh are needed")?.status.success())
}

/// Runs a script that may take a while but not for ever.
fn shell(script: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args([LIMIT, "sh", "-c", script]);
    command
}
