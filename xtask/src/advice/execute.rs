//! Executes every command that a step suggests for the committed outputs, each in a scratch directory of its own; writes
//! docs/advice-commands.md.
//!
//! [`FORMS`] says how a command is tried: with what has to be there first (a repository, a manifest, a listener), and in the
//! tool's own rehearsal mode where the command would change the machine (`--simulate`, `--dry-run`). What has no form is
//! looked up: the program must be installed and its help must know the sub-command. A program that is not installed here is
//! listed as unchecked. Needs a network, so no test calls it.

use anyhow::{Context as _, ensure};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The page.
const PAGE: &str = "docs/advice-commands.md";
/// The longest that one command may run, as `timeout` takes it.
const LIMIT: &str = "180s";

/// How commands that begin alike are tried.
struct Form {
    begins: &'static str,
    /// What is run first; `$1` is the command's last word.
    first: &'static str,
    /// What is run instead of the beginning.
    instead: &'static str,
    /// The exit codes of a command that could be run.
    accepted: &'static [i32],
}

const REPOSITORY: &str = "git init -q --bare remote.git && git init -q -b topic . && git config user.email a@example.org && git config user.name a \
     && git remote add origin ./remote.git && git commit -q --allow-empty -m first && git push -q origin topic && git branch -q -u origin/topic \
     && echo x > file && git add file";
const FILE: &str = "f=\"./$1\"; mkdir -p \"$(dirname \"$f\")\" && touch \"$f\"";

#[rustfmt::skip]
const FORMS: &[Form] = &[
    Form { begins: "apt-get install", first: "", instead: "apt-get install --simulate", accepted: &[0] },
    Form { begins: "cargo ", first: "cargo init -q --name scratch --vcs none .", instead: "cargo ", accepted: &[0] },
    Form { begins: "chmod ", first: FILE, instead: "chmod ", accepted: &[0] },
    Form { begins: "df -h", first: "", instead: "df -h . ", accepted: &[0, 1] },
    Form { begins: "export ", first: "", instead: "export ", accepted: &[0] },
    Form { begins: "git ", first: REPOSITORY, instead: "git ", accepted: &[0] },
    Form { begins: "ls -ld ", first: FILE, instead: "ls -ld .", accepted: &[0] },
    Form { begins: "lsof -i :", first: "python3 -c 'import socket,sys,time; s=socket.socket(); s.bind((\"127.0.0.1\", int(sys.argv[1][1:]))); s.listen(); time.sleep(5)' \"$1\" & sleep 1", instead: "lsof -i :", accepted: &[0] },
    Form { begins: "npm install", first: "npm init -y >/dev/null", instead: "npm install --dry-run --ignore-scripts", accepted: &[0] },
    Form { begins: "npm run", first: "npm init -y >/dev/null", instead: "npm run", accepted: &[0] },
    // That the package is not there is what the command is to show.
    Form { begins: "npm view ", first: "", instead: "npm view ", accepted: &[0, 1] },
    Form { begins: "pip install ", first: "", instead: "pip install --dry-run --no-deps --break-system-packages ", accepted: &[0] },
    Form { begins: "python3 -m venv ", first: "", instead: "python3 -m venv ", accepted: &[0] },
    Form { begins: "rm ", first: FILE, instead: "rm .", accepted: &[0] },
    Form { begins: "ss ", first: "", instead: "ss ", accepted: &[0] },
];

/// What became of a command.
enum Outcome {
    Ran(String),
    /// Its program's help knows it.
    Known,
    NotInstalled,
    Failed(String),
}

pub(super) fn execute(root: &Path, commands: &BTreeSet<&str>) -> anyhow::Result<()> {
    let mut rows = String::new();
    let (mut ran, mut known, mut absent) = (0, 0, 0);
    let mut failed = Vec::new();
    for command in commands {
        let (how, result) = match outcome(command)? {
            Outcome::Ran(how) => (how, {
                ran += 1;
                "worked"
            }),
            Outcome::Known => ("looked up in its help".to_owned(), {
                known += 1;
                "known"
            }),
            Outcome::NotInstalled => (String::new(), {
                absent += 1;
                "program not installed here"
            }),
            Outcome::Failed(why) => {
                failed.push(format!("{command}: {why}"));
                (why, "failed")
            }
        };
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
    std::fs::write(root.join(PAGE), page).with_context(|| format!("cannot write {PAGE}"))?;
    println!("{ran} worked, {known} known, {absent} not installed here; written to {PAGE}");
    ensure!(failed.is_empty(), "commands that do not work:\n{}", failed.join("\n"));
    Ok(())
}

fn outcome(command: &str) -> anyhow::Result<Outcome> {
    let program = command.split(' ').next().unwrap_or(command);
    if program != "export" && !succeeds(&format!("command -v {program}"))? {
        return Ok(Outcome::NotInstalled);
    }
    let Some(form) = FORMS.iter().find(|form| command.starts_with(form.begins)) else { return looked_up(command) };
    let rest = &command[form.begins.len()..];
    // A path that was read from an output is one of the scratch directory here.
    let rest = if form.begins == "df -h" { "" } else { rest };
    let line = format!("{}{rest}", form.instead);
    let line =
        if form.instead.ends_with('.') && !rest.starts_with(['/', '.']) { line.replacen(" .", " ./", 1) } else { line };
    let directory = std::env::temp_dir().join(format!("recovery-advice-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    let last = command.split(' ').next_back().unwrap_or_default();
    let script = if form.first.is_empty() {
        line.clone()
    } else {
        format!("{} && {line}", form.first).replace("& sleep 1 &&", "& sleep 1;")
    };
    let run = Command::new("timeout")
        .args([LIMIT, "sh", "-c", &script, "sh", last])
        .current_dir(&directory)
        .stdin(Stdio::null())
        .output()
        .context("timeout and sh are needed")?;
    std::fs::remove_dir_all(&directory)?;
    let code = run.status.code().unwrap_or(-1);
    if form.accepted.contains(&code) {
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
    let status = Command::new("timeout")
        .args([LIMIT, "sh", "-c", script])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    Ok(status.context("timeout and sh are needed")?.success())
}
