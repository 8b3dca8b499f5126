//! The command line: global options, help by groups, and the dispatch to one command.
//!
//! In: the process's arguments. Out: an exit code. `HotCommand`s have a parser of their own, because registering all
//! commands takes longer than parsing. Options of every command belong in `Global`, others in the command's file.

use crate::commands::{Command, GROUPS, HotCommand};
use crate::output::{Color, Format};
use crate::{exit, output, version};
use clap::error::{ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand as _};
use recovery_engine::PackName;
use recovery_project::{Overrides, ProjectContext};
use std::cell::OnceCell;
use std::path::PathBuf;

/// Says what went wrong and what to do next, retries what may pass, and keeps a record of it.
#[derive(Parser)]
#[command(name = "recovery", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 done, 1 the answer is no, 2 bad usage or input, 70 a bug in recovery.\n\n\
    Examples:\n  recovery run -- npm ci\n  cargo test 2>&1 | recovery classify\n  recovery scan ci-logs/\n  \
    recovery explain rate_limit")]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// The command line as far as it is needed for what runs once for each failure: to set up the other commands takes
/// longer than to read the arguments.
#[derive(Parser)]
#[command(name = "recovery")]
struct HotCli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: HotCommand,
}

/// The arguments of a command that runs often. Everything else, mistakes and requests for help too, is for [`Cli`].
fn hot_command() -> Option<HotCli> {
    let name = std::env::args_os().nth(1)?;
    HotCommand::has_subcommand(name.to_str()?).then(|| HotCli::try_parse().ok())?
}

/// Options that every command has.
#[derive(clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Output for people (text) or for programs (json)
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
    /// The rules to read output with: `field` (what tools really print) or `documented` (the plain table)
    #[arg(long, global = true, value_name = "PACK")]
    pub pack: Option<PackName>,
    /// The settings file [default: recovery.toml in the project root]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where the record is kept [default: .recovery in the project root]
    #[arg(long, global = true, value_name = "DIR")]
    state_dir: Option<PathBuf>,
    /// Where the journal is: postgres://USER@HOST/DATABASE, which machines share, or sqlite:PATH [default: `store` in the
    /// settings, else a file in the state directory]
    #[arg(long, global = true, value_name = "URL")]
    store: Option<String>,
    /// Show how it was decided too: class, level, rule ids
    #[arg(long, short = 'v', global = true)]
    pub verbose: bool,
    /// When to colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
    /// The project, once one of the options above was needed.
    #[arg(skip)]
    project: OnceCell<ProjectContext>,
}

/// The project that the options and the working directory name. Every command needs it.
impl std::ops::Deref for Global {
    type Target = ProjectContext;

    fn deref(&self) -> &ProjectContext {
        self.project.get_or_init(|| {
            ProjectContext::new(Overrides {
                settings_file: self.config.clone(),
                state_dir: self.state_dir.clone(),
                store: self.store.clone(),
                pack: self.pack,
                warn: |message| eprintln!("recovery: {}", output::one_line(&output::message(message), 400)),
                warn_of_note: |error| {
                    eprintln!("recovery: {}", output::one_line(&output::message(&error.to_string()), 300))
                },
            })
        })
    }
}

/// The command line as clap defines it, for completions and man pages.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

fn is_overview_requested() -> bool {
    let mut args = std::env::args_os().skip(1);
    match (args.next(), args.next()) {
        (None, _) => true,
        (Some(only), None) => only == "--help" || only == "-h" || only == "help",
        _ => false,
    }
}

/// The same command line, its commands listed by what they are for.
fn grouped(command: clap::Command) -> clap::Command {
    let about = |name: &str| command.find_subcommand(name).and_then(clap::Command::get_about).map(ToString::to_string);
    let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = visible.map(|command| command.get_name().to_owned()).collect();
    let known = |name: &str| GROUPS.iter().any(|(_, commands)| commands.contains(&name));
    let rest: Vec<&str> = names.iter().map(String::as_str).filter(|name| !known(name)).collect();
    let groups = GROUPS.iter().map(|(title, commands)| (*title, commands.to_vec())).chain([("More", rest)]);
    let mut list = String::new();
    for (title, commands) in groups.filter(|(_, commands)| !commands.is_empty()) {
        let head = clap::builder::styling::Style::new().bold().underline();
        list += &format!("{head}{title}:{head:#}\n");
        for name in commands {
            list += &format!("  {name:<11} {}\n", about(name).unwrap_or_default());
        }
        list += "\n";
    }
    let hidden = names.into_iter().fold(command, |command, name| command.mut_subcommand(name, |sub| sub.hide(true)));
    hidden
        .before_help(list.trim_end().to_owned())
        .override_usage("recovery COMMAND [OPTIONS]    (details: recovery COMMAND --help)")
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}")
}

/// `error` with the secrets taken out of what it quotes: between the quotes of the message a literal loses its own.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    let redacted = |value: &ContextValue| match value {
        ContextValue::String(text) => Some(ContextValue::String(recovery_redact::redact(text).into_owned())),
        _ => None,
    };
    let quoted: Vec<_> = error.context().filter_map(|(kind, value)| Some((kind, redacted(value)?))).collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    error
}

pub(crate) fn run() -> anyhow::Result<u8> {
    if let Some(cli) = hot_command() {
        cli.global.color.choose();
        return cli.command.run(&cli.global);
    }
    let words = crate::commands::problems::with_form_last(std::env::args_os().collect());
    let parsed = match is_overview_requested() {
        true => grouped(Cli::command()).try_get_matches_from(words),
        false => Cli::command().try_get_matches_from(words),
    };
    let cli = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        // A hook must never block its agent, even with wrong arguments: older clients leave them out.
        Err(error) if error.use_stderr() && crate::commands::is_hook_call() => return Ok(exit::DONE),
        Err(error) if error.use_stderr() => {
            // The message quotes the arguments, which may contain control characters or secrets.
            eprint!("{}", crate::output::message(&without_secrets(error).render().to_string()));
            return Ok(exit::BAD_INPUT);
        }
        Err(error) if error.kind() == ErrorKind::DisplayVersion && version::is_verbose() => {
            version::show()?;
            return Ok(exit::DONE);
        }
        Err(help) => help.exit(),
    };
    cli.global.color.choose();
    cli.command.run(&cli.global)
}
