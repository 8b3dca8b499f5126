//! Steps for commands that were called wrongly: options, sub-commands, targets and scripts that do not exist.
//!
//! In: the evidence of a [`Case`](super::Case), usage texts included. Out: a step with the option or name that was
//! probably meant. `ROWS` are messages that belong to one tool; `GENERIC` are wordings that many tools share, used
//! only where the diagnosis is a wrong call.

use super::package::node_manager;
use super::path::nearest;
use super::similar::{nearest as similar_name, suggested};
use super::words::{about, is_plain_word, quote, step};
use super::{Case, Row, Seen, first, row};
use crate::directive::one_line;
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// The call is wrong.
pub(super) fn wrong(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case)
}

/// The call is wrong in a way that many tools word alike; only where the diagnosis is a wrong call.
pub(super) fn wrong_in_general(case: &Case<'_>) -> Option<Adjustment> {
    first(GENERIC, case)
}

/// The call is wrong, and no template matches.
pub(super) fn some_wrong(case: &Case<'_>) -> Option<Adjustment> {
    let is_about_call = case.request.error_type == Some(ErrorType::InvalidArgument)
        && !case.is_remark_on_code()
        && !case.mentions(DATA_WORDS);
    is_about_call.then(|| {
        let line = case.headline().map(|line| format!(": {line}")).unwrap_or_default();
        step(AdjustmentKind::CorrectCommand, format!("correct how the command is called{line}"))
    })
}

/// Words, in lower case, of messages about what a call was given to work on: a manifest or data that a schema rejects.
const DATA_WORDS: &[&str] = &["validation", "schema", "metadata", "constraint", "violat"];

/// The same where the line names which command, task or option is meant, in the words of many tools.
const GENERIC: &[Row] = &[
    row("Command \"{}\" is not defined", |s| unknown("command", s)),
    row("No command '{}'", |s| unknown("command", s)),
    row("nknown command: {w}", |s| unknown("command", s)),
    row("nknown command '{}'", |s| unknown("command", s)),
    row("nknown command \"{}\"", |s| unknown("command", s)),
    row("nknown command {w}", |s| unknown("command", s)),
    row("No such command: {w}", |s| unknown("command", s)),
    row("no such command: {w}", |s| unknown("command", s)),
    row("Command(s) not found: {w}", |s| unknown("command", s)),
    row("{w} is not a {w} command", |s| unknown("command", s)),
    row("'{}' is not a task", |s| unknown("task", s)),
    row("Task \"{}\" not found", |s| unknown("task", s)),
    row("Don't know how to build task '{}'", |s| unknown("task", s)),
    row("Target \"{}\" does not exist", |s| unknown("target", s)),
    row("target not found: {w}", |s| unknown("target", s)),
    row("ninja: error: unknown target '{}'", |s| unknown("target", s)),
    row("recipe `{}`", |s| unknown("recipe", s)),
    row("recipe '{}' not found", |s| unknown("recipe", s)),
    row("nrecognized command '{}'", |s| unknown("command", s)),
    row("nvalid choice: '{}'", |s| unknown("value", s)),
    row("nvalid choice: {w}", |s| unknown("value", s)),
    row("nvalid command \"{}\"", |s| unknown("command", s)),
    row("nvalid command: {w}", |s| unknown("command", s)),
    row("invalid command '{}'", |s| unknown("command", s)),
    row("nrecognized arguments: {}", option),
    row("nrecognized argument: {w}", option),
    row("nknown options: {w}", option),
    row("nknown option: {w}", option),
    row("nknown option '{}'", option),
    row("nknown option \"{}\"", option),
    row("nknown argument '{}'", option),
    row("nknown flag '{}'", option),
    row("nknown switch `{}'", option),
    row("The \"{}\" option does not exist", option),
    row("nvalid option: {w}", option),
    row("nvalid option '{}'", option),
    row("invalid switch: {w}", option),
    row("llegal option -- {w}", |s| option_named(&format!("-{}", s.hole(0)), s)),
    row("not enough arguments (missing: \"{}\")", |s| required(s.hole(0))),
    row("requires an argument -- '{}'", |s| required(&format!("a value for -{}", s.hole(0)))),
    row("option '{}' requires an argument", |s| required(&format!("a value for {}", s.hole(0)))),
    row("option requires an argument -- {w}", |s| required(&format!("a value for -{}", s.hole(0).trim_matches('\'')))),
    row("missing operand after '{}'", |s| required(&format!("what comes after {}", s.hole(0)))),
    row("missing operand", |_| required("the file or value it works on")),
];

/// What wrong calls look like.
const ROWS: &[Row] = &[
    row("unrecognized arguments: {}", option),
    row("unrecognized option '{}'", option),
    row("unrecognized option: {w}", option),
    row("invalid option -- '{}'", |s| option_named(&format!("-{}", s.hole(0)), s)),
    row("invalid option -- {w}", |s| option_named(&format!("-{}", s.hole(0)), s)),
    row("unrecognized command-line option '{}'", option),
    row("unexpected argument '{}' found", option),
    row("Found argument '{}' which wasn't expected", option),
    row("flag provided but not defined: {w}", option),
    row("Unknown option {w}", option),
    row("unknown predicate `{}'", option),
    row("unknown option: {w}", option),
    row("unknown option -- {w}", |s| option_named(&format!("-{}", s.hole(0)), s)),
    row("unknown option `{}'", option),
    row("error: unknown option '{}'", option),
    row("error: unknown argument: '{}'", option),
    row("unknown argument: '{}'", option),
    row("Unknown argument: {w}", option),
    row("unknown flag: {w}", option),
    row("unknown shorthand flag: '{}' in {w}", |s| option_named(s.hole(1), s)),
    row("no such option: {w}", option),
    row("No such option: {w}", option),
    row("No such option '{}'", option),
    row("option {w}: is unknown", option),
    row("option {w} is unknown", option),
    row("invalid choice: '{}'", |s| unknown("value", s)),
    row("invalid value '{}' for '{}'", |s| unknown("value", s)),
    row("No value for required variable", |_| {
        let text = "give the variable a value (-var, a .tfvars file or TF_VAR_ and its name)";
        Some(step(AdjustmentKind::CorrectCommand, text))
    }),
    row("The container name \"{}\" is already in use", |s| {
        let name = s.hole(0).trim_start_matches('/');
        let text = format!("give the container another name, or remove the one that is called {name} (docker rm)");
        Some(about(AdjustmentKind::CorrectCommand, name, text, None))
    }),
    row("'{}' does not appear to be a git repository", |s| {
        let text = format!("use a remote that exists, {} does not; see the remotes", s.hole(0));
        Some(about(AdjustmentKind::CorrectCommand, s.hole(0), text, Some("git remote -v".to_owned())))
    }),
    row("Could not find a command named \"{}\"", |s| unknown("command", s)),
    row("'{}' is misspelled or not recognized", |s| unknown("command", s)),
    row("No plugin found for prefix '{}'", |s| unknown("plugin prefix", s)),
    row("cannot re-use a name that is still in use", |_| {
        let text = "upgrade the release that has this name (helm upgrade --install), or install under another name";
        Some(step(AdjustmentKind::CorrectCommand, text))
    }),
    row("Unknown lifecycle phase \"{}\"", |s| unknown("phase", s)),
    row("Task '{}' is ambiguous", |s| unknown("task", s)),
    row("Task '{}' not found in", |s| unknown("task", s)),
    row("Task '{}' is not in your gulpfile", |s| unknown("task", s)),
    row("Missing script: \"{}\"", missing_script),
    row("Missing script: {w}", missing_script),
    row("missing script: {w}", missing_script),
    row("ERR_PNPM_NO_SCRIPT  Missing script: {w}", missing_script),
    row("Couldn't find a script named \"{}\"", missing_script),
    row("Script not found \"{}\"", missing_script),
    row("Command \"{}\" not found", missing_script_of_yarn),
    row("task: Task \"{}\" does not exist", |s| not_listed("task", "task", s)),
    row("task: Task \"{}\" not found", |s| not_listed("task", "task", s)),
    row("Task not found: {w}", |s| not_listed("task", "deno task", s)),
    row("ustfile does not contain recipe `{}`", |s| not_listed("recipe", "just", s)),
    row("ustfile does not contain recipe '{}'", |s| not_listed("recipe", "just", s)),
    row("git: '{}' is not a git command", |s| unknown("command", s)),
    row("has no command named \"{}\"", |s| unknown("command", s)),
    row("'{}' is not a docker command", |s| unknown("command", s)),
    row("is not in the '{}' command group", |s| unknown_named("command", group_member(s.line), s)),
    row("unknown command: docker {w}", |s| unknown("command", s)),
    row("unknown command: {w}", |s| unknown("command", s)),
    row("unknown command \"{}\" for \"{}\"", |s| unknown("command", s)),
    row("unknown command \"{}\"", |s| unknown("command", s)),
    row("unrecognized subcommand '{}'", |s| unknown("command", s)),
    row("No such command '{}'", |s| unknown("command", s)),
    row("no such subcommand: `{}`", |s| unknown("command", s)),
    row("No available formula with the name \"{}\"", |s| unknown("formula", s)),
    row("Unable to locate package {w}", apt_unknown),
    row("Package '{w}' has no installation candidate", apt_unknown),
    row("does not contain this feature: {w}", |s| unknown("feature", s)),
    row("does not contain these features: {}", |s| unknown("features", s)),
    row("does not have feature `{}`", |s| unknown("feature", s)),
    row("none of the selected packages contains this feature: {w}", |s| unknown("feature", s)),
    row("none of the selected packages contains these features: {}", |s| unknown("features", s)),
    row("no bin target named `{}`", |s| unknown("target", s)),
    row("no test target named `{}`", |s| unknown("target", s)),
    row("no example target named `{}`", |s| unknown("target", s)),
    row("package ID specification `{}` did not match any packages", |s| unknown("package", s)),
    row("the following arguments are required: {}", |s| required(s.hole(0))),
    row("the following required arguments were not provided:", |s| required(s.below().next().unwrap_or_default())),
    row("required option '{}' not specified", |s| required(s.hole(0))),
    row("Missing option '{}'", |s| required(s.hole(0))),
    row("Missing argument '{}'", |s| required(s.hole(0))),
    row("required flag(s) {} not set", |s| required(s.hole(0))),
    row("No rule to make target '{}'.", make_target),
    row("go {w}: unknown command", |s| unknown("command", s)),
    row("E: Invalid operation {w}", |s| unknown("operation", s)),
    row("Unrecognized option: '{}'", option),
    row("Unrecognized option: {w}", option),
    row("Unrecognized option \"{}\"", option),
    row("Unknown compiler option '{}'", option),
    row("bad option: {w}", option),
    row("Bad configuration option: {w}", option),
    row("unknown variable '{}'", option),
    row("argument {w}: invalid {w} value: '{}'", value),
    row("no context exists with the name: \"{}\"", |s| unknown("context", s)),
    row("context \"{}\": context not found", |s| unknown("context", s)),
    row("externally-managed-environment", managed),
    row("Migrations are pending", migrations),
    row("needs to be updated but --locked was passed", |s| locked("--locked", s)),
    row("cannot update the lock file {w} because --locked was passed", |s| locked("--locked", s)),
    row("Cannot install with \"frozen-lockfile\" because {w} is not up to date", |s| locked("--frozen-lockfile", s)),
    row("Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`", |s| {
        locked("--frozen-lockfile", s)
    }),
    row("The lockfile would have been modified by this install", |s| locked("--immutable", s)),
    row("Need to specify how to reconcile divergent branches", diverged),
    row("maybe run apt-get update", |_| {
        let text = "refresh the package lists, the version they name is gone from the server";
        Some(about(AdjustmentKind::CorrectCommand, "apt-get update", text, Some("apt-get update".to_owned())))
    }),
    row("would be overwritten by", overwritten),
    row("Invalid requirement: '{}'", requirement),
    row("has no upstream branch", upstream),
    row("There is no tracking information for the current branch", |_| {
        let text =
            "name what to pull (git pull REMOTE BRANCH), or set it once: git branch --set-upstream-to=REMOTE/BRANCH";
        Some(about(AdjustmentKind::CorrectCommand, "upstream branch", text, None))
    }),
    row("No configured push destination", |_| {
        let text = "add the repository to push to (git remote add origin URL), then: git push -u origin BRANCH";
        Some(about(AdjustmentKind::CorrectCommand, "remote", text, None))
    }),
    row("error: src refspec {w} does not match any", branch),
    row("fatal: couldn't find remote ref {w}", branch),
    row("fatal: invalid reference: {w}", branch),
    row("merge: {w} - not something we can merge", branch),
    row("fatal: ambiguous argument '{}'", branch),
    row("fatal: invalid upstream '{}'", branch),
    row("error: pathspec '{}' did not match any file(s) known to git", branch),
    row("You have unstaged changes", overwritten),
    row("has local modifications", overwritten),
    row("have local modifications", overwritten),
    row("your local changes to the following files", overwritten),
    row("Your local changes to the following files", overwritten),
    row("refusing to merge unrelated histories", unrelated),
    row("A branch named '{}' already exists", |s| taken("branch", s)),
    row("tag '{}' already exists", |s| taken("tag", s)),
    row("remote {w} already exists", |s| taken("remote", s)),
    row("Updates were rejected because", behind),
    row("[rejected]", behind),
];

/// An option that the command does not have.
fn option(seen: &Seen<'_>) -> Option<Adjustment> {
    option_named(seen.hole(0), seen)
}

fn option_named(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = name.trim_end_matches(['.', ',', ';']).trim_matches(['`', '\'', '"']);
    let meant = suggested(name, seen).or_else(|| listed_option(name, seen.text));
    let text = match &meant {
        Some(meant) => format!("use {meant} instead of {name}, which the command does not know"),
        None => format!("drop or correct {name}, which the command does not know"),
    };
    let candidates = meant.into_iter().collect();
    Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectCommand, name, text, None) })
}

/// The option of a usage text that `name` is a slip of.
fn listed_option(name: &str, text: &str) -> Option<String> {
    let name = name.split(['=', ' ']).next().unwrap_or(name);
    if !name.starts_with("--") {
        return None;
    }
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
    let listed: Vec<String> = words.filter(|word| word.starts_with("--") && *word != name).map(str::to_owned).collect();
    similar_name(name, &listed)
}

/// argparse: `argument --workers: invalid int value: 'many'`.
fn value(seen: &Seen<'_>) -> Option<Adjustment> {
    let (name, given) = (seen.hole(0).trim_end_matches(':'), seen.hole(2));
    let text = format!("correct the value {given} of {name}, {} is asked for", seen.hole(1));
    Some(about(AdjustmentKind::CorrectCommand, name, text, None))
}

/// A sub-command, task, target or value that does not exist.
fn unknown(what: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    unknown_named(what, seen.hole(0), seen)
}

fn unknown_named(what: &str, name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = name.trim_end_matches(['.', ',', ';']).trim_matches(['`', '\'', '"']);
    if name.is_empty() {
        return None;
    }
    let meant = suggested(name, seen).or_else(|| nearly_named(name, seen));
    let usual =
        || similar_name(name, &COMMON_SUBCOMMANDS.map(str::to_owned)).map(|usual| format!(" (did you mean {usual}?)"));
    let text = match &meant {
        Some(meant) => format!("use the {what} {meant} instead of {name}, which does not exist"),
        None => format!("correct the {what} {name}, which does not exist{}", usual().unwrap_or_default()),
    };
    let candidates = meant.into_iter().collect();
    Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectCommand, name, text, None) })
}

/// Sub-commands that many tools have. Which of them this tool has is not known, so they are only asked after.
#[rustfmt::skip]
const COMMON_SUBCOMMANDS: [&str; 64] = [
    "add", "apply", "autoremove", "branch", "build", "cache", "check", "checkout", "clean", "clone", "commit", "config", "create", "daemon-reload", "delete",
    "deploy", "describe", "destroy", "diff", "disable", "download", "enable", "exec", "fetch", "format", "generate", "help", "images", "import", "info",
    "init", "inspect", "install", "list", "login", "logout", "logs", "merge", "migrate", "outdated", "package", "plan", "publish", "pull", "purge",
    "push", "rebase", "release", "reload", "remove", "require", "restart", "search", "server", "start", "stash", "status", "stop", "test", "uninstall",
    "update", "upgrade", "validate", "version",
];

/// The name that exists in the project and that `wrong` is a slip of. A name that exists is none: the command ran elsewhere.
fn nearly_named(wrong: &str, seen: &Seen<'_>) -> Option<String> {
    let names = &seen.request.candidates;
    if names.iter().any(|name| name == wrong) { None } else { similar_name(wrong, names) }
}

/// A task or recipe that its file does not list; `runner` calls it.
fn not_listed(what: &str, runner: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let step = unknown(what, seen)?;
    let Some(meant) = step.candidates.first().filter(|meant| is_plain_word(meant)) else { return Some(step) };
    let command = format!("{runner} {meant}");
    Some(Adjustment { text: format!("{}: {command}", step.text), command: Some(command), ..step })
}

/// az: `'providers' is not in the 'az' command group`.
fn group_member(line: &str) -> &str {
    super::pattern::quoted(line).into_iter().next().unwrap_or_default()
}

fn required(names: &str) -> Option<Adjustment> {
    let names = one_line(names);
    (!names.is_empty()).then(|| {
        let text = format!("give the arguments it asks for: {names}");
        about(AdjustmentKind::CorrectCommand, &names, text, None)
    })
}

fn missing_script(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0).trim_end_matches(['.', ',']);
    let meant = suggested(name, seen).or_else(|| nearly_named(name, seen));
    match meant.filter(|meant| is_plain_word(meant)) {
        Some(meant) => {
            let text = format!("call the script {meant} instead of {name}, which package.json does not have");
            let candidates = vec![meant.clone()];
            let command = Some(format!("{} run {meant}", node_manager(seen.request)));
            Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectCommand, name, text, command) })
        }
        None => {
            let text = format!("call a script that package.json has, it has no {name}; list them");
            let command = format!("{} run", node_manager(seen.request));
            Some(about(AdjustmentKind::CorrectCommand, name, text, Some(command)))
        }
    }
}

/// Yarn and pnpm look for a command of that name too, so it may also be a tool that is not installed.
fn missing_script_of_yarn(seen: &Seen<'_>) -> Option<Adjustment> {
    if nearly_named(seen.hole(0), seen).is_some() { missing_script(seen) } else { unknown("command", seen) }
}

/// A target without a dot or slash is a name, not a file.
fn make_target(seen: &Seen<'_>) -> Option<Adjustment> {
    let target = seen.hole(0);
    if target.contains(['/', '.']) {
        return None;
    }
    match nearly_named(target, seen).filter(|meant| is_plain_word(meant)) {
        Some(meant) => {
            let text = format!("call the target {meant} instead of {target}, which the Makefile does not have");
            let command = Some(format!("make {meant}"));
            Some(Adjustment { candidates: vec![meant], ..about(AdjustmentKind::CorrectCommand, target, text, command) })
        }
        None => {
            let text = format!("call a target that the Makefile has, it has no {target}");
            Some(about(AdjustmentKind::CorrectCommand, target, text, None))
        }
    }
}

/// pip refuses to install into a Python that the system manages.
fn managed(_: &Seen<'_>) -> Option<Adjustment> {
    let text = "install into a virtual environment, this Python is the system's; make one";
    Some(about(AdjustmentKind::CorrectCommand, "virtual environment", text, Some("python3 -m venv .venv".to_owned())))
}

/// Rails names the command: `bin/rails db:migrate RAILS_ENV=test`.
fn migrations(seen: &Seen<'_>) -> Option<Adjustment> {
    let named = seen.below().find(|line| line.contains("rails db:migrate") || line.contains("rake db:migrate"));
    let command = named.filter(|line| line.split(' ').all(is_plain_word)).unwrap_or("bin/rails db:migrate").to_owned();
    Some(about(AdjustmentKind::CorrectCommand, "db:migrate", "run the pending migrations first", Some(command)))
}

/// The lock file does not fit the manifest, and the call forbids to change it.
fn locked(option: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!(
        "update the lock file first: run it once without {option}, and commit what changes ({})",
        quote(seen.line)
    );
    Some(about(AdjustmentKind::CorrectCommand, option, text, None))
}

/// Both sides have commits of their own.
fn diverged(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("say how to join the branches, by a merge or a rebase ({})", quote(seen.line));
    Some(about(AdjustmentKind::CorrectCommand, "git pull", text, Some("git pull --no-rebase".to_owned())))
}

/// git refuses to overwrite changes that are not committed; the files are listed below.
fn overwritten(seen: &Seen<'_>) -> Option<Adjustment> {
    let beside =
        seen.line.split_once("overwritten by").and_then(|(_, after)| after.split_once(':')).map(|(_, f)| f.trim());
    let is_file = |name: &&str| !name.is_empty() && !name.contains(' ') && !name.ends_with([':', '.']);
    let file = beside.and_then(|names| names.split(' ').next()).filter(is_file);
    let file = file.or_else(|| seen.below().take(3).find(is_file));
    let to = file.map(|file| format!(" to {file}")).unwrap_or_default();
    let text = format!("commit or stash your changes{to} first");
    let subject = file.unwrap_or("your changes");
    Some(about(AdjustmentKind::CorrectCommand, subject, text, Some("git stash".to_owned())))
}

/// Two histories without a common commit: most often the wrong remote or branch.
fn unrelated(_: &Seen<'_>) -> Option<Adjustment> {
    let text = "check the remote and the branch, their history has nothing in common with yours; merge them only if that is meant (--allow-unrelated-histories)";
    Some(about(AdjustmentKind::CorrectCommand, "--allow-unrelated-histories", text, None))
}

/// A name that is already given.
fn taken(what: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0).trim_matches(['\'', '"', '.']);
    let text = format!("choose another name for the {what}, or use the one that exists: {name}");
    Some(about(AdjustmentKind::CorrectCommand, name, text, None))
}

/// git prints how to set the upstream branch.
fn upstream(seen: &Seen<'_>) -> Option<Adjustment> {
    let command = seen.below().find(|line| line.starts_with("git push --set-upstream "));
    let command = command.filter(|command| command.split(' ').skip(3).all(is_plain_word)).map(str::to_owned);
    let subject = command.clone().unwrap_or_else(|| "upstream branch".to_owned());
    let text = format!("push with an upstream branch ({})", quote(seen.line));
    Some(about(AdjustmentKind::CorrectCommand, &subject, text, command))
}

fn apt_unknown(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0);
    let text = format!("refresh the package lists, or correct the name {name}");
    Some(about(AdjustmentKind::CorrectCommand, name, text, Some("apt-get update".to_owned())))
}

/// A requirement that pip cannot parse; whether the package exists was never asked.
fn requirement(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0);
    let text = format!("correct the requirement {name}, pip expects NAME or NAME==VERSION");
    Some(about(AdjustmentKind::CorrectCommand, name, text, None))
}

/// A name that git knows neither as a branch nor as a file.
fn branch(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0);
    if let [near, ..] = nearest(name, &seen.request.candidates).as_slice() {
        let text = format!("use {near}, which exists, instead of {name}");
        let candidates = vec![near.clone()];
        return Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectCommand, name, text, None) });
    }
    let command = is_plain_word(name).then(|| "git branch --all".to_owned());
    let text = format!("use a branch or file that exists, {name} does not; see the branches");
    Some(about(AdjustmentKind::CorrectCommand, name, text, command))
}

/// The remote has commits that are not here.
fn behind(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("fetch and merge what the remote has, then push again ({})", quote(seen.line));
    Some(about(AdjustmentKind::CorrectCommand, "git pull", text, Some("git pull".to_owned())))
}

#[cfg(test)]
mod tests {
    use crate::step::steps;
    use recovery_types::{ErrorType, RepairRequest};

    #[test]
    fn git_and_pip_are_told_what_to_name() {
        for (output, text) in [
            (
                "There is no tracking information for the current branch.\n\nIf you wish to set tracking information for this branch you can do so with:\n\n    git branch --set-upstream-to=<remote>/<branch> master\n",
                "git pull REMOTE BRANCH",
            ),
            (
                "fatal: No configured push destination.\nEither specify the URL from the command-line or configure a remote",
                "git remote add origin URL",
            ),
            ("fatal: invalid upstream 'main'", "main does not"),
            ("ERROR: Invalid requirement: 'requests=>1'", "requests=>1, pip expects NAME or NAME==VERSION"),
        ] {
            let mut request =
                RepairRequest { error_type: Some(ErrorType::InvalidArgument), ..RepairRequest::default() };
            request.error.text = output.to_owned();
            let step = &steps(&request)[0].1;
            assert!(step.text.contains(text), "{}", step.text);
        }
    }

    #[test]
    fn wrong_names_are_corrected_by_what_exists() {
        let names = ["build", "test", "package-lock.json"];
        for (output, command) in [
            ("npm error Missing script: \"biuld\"", "npm run build"),
            ("error Command \"biuld\" not found.", "npm run build"),
            ("Usage Error: Couldn't find a script named \"biuld\".", "npm run build"),
            ("error: Script not found \"tset\"", "npm run test"),
            ("make: *** No rule to make target 'biuld'.  Stop.", "make build"),
            ("error: Justfile does not contain recipe `biuld`.", "just build"),
            ("task: Task \"tset\" does not exist", "task test"),
            ("error: Task not found: biuld", "deno task build"),
        ] {
            let mut request = RepairRequest {
                error_type: Some(ErrorType::InvalidArgument),
                candidates: names.map(str::to_owned).to_vec(),
                ..RepairRequest::default()
            };
            request.error.text = output.to_owned();
            assert_eq!(steps(&request)[0].1.command.as_deref(), Some(command), "{output}");
            let candidates =
                request.candidates.iter().map(|name| name.replace("build", "biuld").replace("test", "tset"));
            let elsewhere = RepairRequest { candidates: candidates.collect(), ..request };
            assert_ne!(steps(&elsewhere)[0].1.command.as_deref(), Some(command), "{output}");
        }
    }
}
