//! `recovery run`: any command, under the ladder.

mod lines;
mod recorder;

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::output::{self, Format};
use crate::{clock, exit, git};
use anyhow::{Context as _, bail};
use recovery_engine::Engine;
use recovery_run::driver::{Driver, Surroundings};
use recovery_run::notice::{Listener as _, Notice};
use recovery_run::plan::{CommandLine, Fallback, LevelName, Plan, Playbook};
use recovery_run::process::task_lock::{Acquired, TaskLock};
use recovery_run::process::{Launcher, Options, Processes};
use recovery_run::span::Span;
use recovery_store::{DEFAULT_WAIT, StateDir};
use recovery_types::{ForceDoneReport, Level};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use lines::Lines;
use recorder::JournalRecorder;

/// The longest name that a task gets from its command line; a task's name may have 200 characters.
const LONGEST_NAME: usize = 160;

#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: the command's own when it works, and when it fails with nothing left that could be tried;\n\
    69 another process is running the task; 75 a reset is waited for (--on-reset exit);\n\
    76 force-done: everything was tried, or the time is up;\n\
    130, 143, 129 stopped by Ctrl-C, SIGTERM, SIGHUP; 126, 127 it could not be started; 2 bad usage; 70 a bug.\n\
    Commands see RECOVERY_TASK, RECOVERY_LEVEL, RECOVERY_ATTEMPT and, from level 2 on, RECOVERY_STORY: a JSON file\n\
    with everything that was tried.\n\
    Examples:\n  recovery run -- npm ci\n  \
    recovery run --nudge 'make -j1' --fallback 'clean=make clean all' --budget 2h -- make -j8\n  \
    recovery run --replan ./new-plan.sh --task login -- ./agent.sh\n  \
    recovery run build            ([run.build] in recovery.toml)"
)]
pub(crate) struct Args {
    /// A playbook: [run.NAME] in recovery.toml
    #[arg(value_name = "PLAYBOOK")]
    playbook: Option<String>,
    /// The task it belongs to [default: the playbook's name, else one made from the command]
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// What is being tried, in your words
    #[arg(long, value_name = "TEXT")]
    approach: Option<String>,
    /// Level 2: a variant of the command, for the shell; in the order given
    #[arg(long, value_name = "CMD")]
    nudge: Vec<String>,
    /// Level 3: reads the story as JSON and changes the plan; then the command runs again
    #[arg(long, value_name = "CMD")]
    replan: Option<String>,
    /// Level 4: another command, for the shell; in the order given
    #[arg(long, value_name = "[NAME=]CMD")]
    fallback: Vec<Fallback>,
    /// How long everything together may take, such as 2h or 90s
    #[arg(long, value_name = "TIME")]
    budget: Option<Span>,
    /// The time limit of a level (retry, nudge, replan, fallback), such as retry=10m
    #[arg(long, value_name = "LEVEL=TIME", value_parser = limit)]
    limit: Vec<(LevelName, Span)>,
    /// Failed tests and errors of unknown kind are worth retrying too
    #[arg(long)]
    flaky: bool,
    /// What this step is called, in reports
    #[arg(long, value_name = "NAME")]
    step: Option<String>,
    /// What to do when a server says when to come back: wait here, or exit with code 75
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    on_reset: OnReset,
    /// How long a command may take to end once its time is up
    #[arg(long, value_name = "TIME", default_value = "2s")]
    grace: Span,
    /// Where the partial result of a force-done run goes [default: standard output]
    #[arg(long, value_name = "FILE")]
    result: Option<PathBuf>,
    /// No lines of our own
    #[arg(long, short)]
    quiet: bool,
    /// Show what each level would do, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// The command with its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum OnReset {
    /// Wait for it.
    #[default]
    Wait,
    /// Leave with code 75; the next run goes on from there.
    Exit,
}

fn limit(text: &str) -> Result<(LevelName, Span), String> {
    let (level, time) = text.split_once('=').ok_or_else(|| format!("{text:?} is not LEVEL=TIME, such as retry=10m"))?;
    Ok((level.parse()?, time.parse()?))
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let config = global.config()?;
    let root = global.root()?;
    let playbook = args.playbook.as_deref().map(|name| playbook(name, &config.run)).transpose()?;
    if playbook.is_some() {
        config.ensure_may_run()?;
    }
    let limits = limits(args, playbook);
    let flaky = args.flaky || playbook.is_some_and(|playbook| playbook.flaky);
    let mut plan = plan(args, playbook, &root, config.ladder.session_budget_ms)?;
    let mut engine = global.engine()?;
    engine.ladder = plan.policy(&config.ladder, &limits, flaky);
    engine.own_ladder = true;
    match (engine.ladder.validate(), &args.playbook) {
        (Err(error), Some(name)) if args.limit.is_empty() && args.budget.is_none() => {
            return Err(config.mistake_in_run(name, &error));
        }
        (sound, _) => sound.context("in the levels of this run")?,
    }
    let task = crate::ledger::task_named(&plan.task)?;
    plan.task = task.to_string();
    if args.dry_run {
        return dry(&engine, &plan, global);
    }
    let state_dir = global.state_dir()?;
    let mut listener = Lines::new(global.format, args.quiet);
    let recorder = match Ledger::open(&state_dir, DEFAULT_WAIT) {
        Ok(ledger) => Some(JournalRecorder { ledger, task: task.clone(), memory_dir: global.memory_dir()? }),
        Err(error) => {
            listener.hear(&Notice::Unrecorded { reason: format!("{error:#}") });
            None
        }
    };
    let (lock, orphaned) = match lock(&state_dir, task.as_str()) {
        Ok(Acquired::Held(lock, orphaned)) => (Some(lock), orphaned),
        // A command that cannot be recorded is not held back by a lock that cannot be had either.
        Err(_) if recorder.is_none() => (None, None),
        Err(error) => {
            listener.hear(&Notice::Unrecorded { reason: error.to_string() });
            (None, None)
        }
        Ok(Acquired::Busy(process)) => {
            // That nothing was done is said even to those who want no lines of ours.
            Lines::new(global.format, false).hear(&Notice::Busy { task: task.to_string(), process });
            return Ok(exit::BUSY);
        }
    };
    let launcher = std::env::current_exe().context("cannot tell which program this is")?;
    let options = Options {
        grace_ms: args.grace.0,
        story_dir: if recorder.is_some() { state_dir } else { std::env::temp_dir() },
        launcher: Some(Launcher { program: launcher, args: vec![super::in_session::NAME.to_owned()] }),
        adopts_orphans: true,
        lock,
    };
    let mut world = Processes::new(options).context("cannot listen to signals")?;
    if let Some(orphaned) = orphaned {
        let processes = orphaned.alive().into_iter().map(|process| process.as_raw_nonzero().get()).collect();
        listener.hear(&Notice::OrphanedRun { task: task.to_string(), processes });
        world.end_orphaned(&orphaned);
    }
    let surroundings = Surroundings { head: git::head(&root), zone: clock::zone() };
    let finish = Driver::new(engine, &plan, world, listener, recorder, surroundings).drive();
    if let Some(report) = &finish.report {
        hand_over(report, args.result.as_deref())?;
    }
    Ok(finish.exit_code)
}

fn playbook<'c>(name: &str, known: &'c BTreeMap<String, Playbook>) -> anyhow::Result<&'c Playbook> {
    known.get(name).with_context(|| {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        let known = if names.is_empty() { "has none".to_owned() } else { format!("has {}", names.join(", ")) };
        format!(
            "there is no playbook {name:?}: recovery.toml {known}; to run a command, write `recovery run -- {name}`"
        )
    })
}

/// The task's lock, in a directory that is nobody else's and no link.
fn lock(state_dir: &Path, task: &str) -> anyhow::Result<Acquired> {
    let dir = StateDir::create(state_dir)?.subdirectory("running")?;
    Ok(TaskLock::acquire(dir.path(), task)?)
}

fn limits(args: &Args, playbook: Option<&Playbook>) -> BTreeMap<LevelName, Span> {
    let mut limits = playbook.map(|playbook| playbook.limit.clone()).unwrap_or_default();
    limits.extend(args.limit.iter().copied());
    limits
}

/// What the command line says, else the playbook.
fn plan(args: &Args, playbook: Option<&Playbook>, root: &Path, budget_ms: Option<u64>) -> anyhow::Result<Plan> {
    let command = match (playbook, args.command.as_slice()) {
        (None, []) => bail!("nothing to run: give a command after `--`, or the name of a playbook"),
        (Some(_), [_, ..]) => bail!("give a playbook or a command after `--`, not both"),
        (Some(playbook), []) => playbook.command.clone(),
        (None, words) => CommandLine::Words(words.to_vec()),
    };
    let shell = |line: &String| CommandLine::Shell(line.clone());
    let book = |from: fn(&Playbook) -> Option<String>| playbook.and_then(from);
    let task = args.task.clone().or_else(|| book(|book| book.task.clone())).or_else(|| args.playbook.clone());
    Plan {
        task: match task {
            Some(task) => task,
            None => name_of(&command, root)?,
        },
        nudge: match args.nudge.as_slice() {
            [] => playbook.map(|book| book.nudge.clone()).unwrap_or_default(),
            lines => lines.iter().map(shell).collect(),
        },
        replan: args.replan.as_ref().map(shell).or_else(|| playbook.and_then(|book| book.replan.clone())),
        fallback: match args.fallback.as_slice() {
            [] => playbook.map(|book| book.fallback.clone()).unwrap_or_default(),
            given => given.to_vec(),
        },
        budget_ms: args.budget.or_else(|| playbook.and_then(|book| book.budget)).map(|span| span.0).or(budget_ms),
        approach: args.approach.clone().or_else(|| book(|book| book.approach.clone())),
        step: args.step.clone().or_else(|| book(|book| book.step.clone())),
        waits_for_reset: matches!(args.on_reset, OnReset::Wait),
        command,
    }
    .checked()
    .map_err(Into::into)
}

/// The same command in the same folder is the same task.
fn name_of(command: &CommandLine, root: &Path) -> anyhow::Result<String> {
    let here = std::env::current_dir()?;
    let folder = here.strip_prefix(root).ok().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map(|folder| format!("{}: ", folder.display())).unwrap_or_default();
    let name = format!("run: {folder}{command}").replace(char::is_control, " ");
    if name.chars().count() <= LONGEST_NAME {
        return Ok(name);
    }
    let cut: String = name.chars().take(LONGEST_NAME).collect();
    let rest = recovery_engine::action_fingerprint(None, &name);
    Ok(format!("{cut}… {}", &rest[..8]))
}

fn hand_over(report: &ForceDoneReport, file: Option<&Path>) -> anyhow::Result<()> {
    match file {
        Some(path) => {
            let mut text = serde_json::to_vec_pretty(report)?;
            text.push(b'\n');
            std::fs::write(path, text).with_context(|| format!("cannot write the result to {}", path.display()))
        }
        None => {
            // Whether anyone reads it must not change how the run ended; the record has it too.
            let mut out = std::io::stdout().lock();
            let _ = output::json_line(&mut out, report).and_then(|()| Ok(out.flush()?));
            Ok(())
        }
    }
}

/// What one level would do.
#[derive(Serialize, schemars::JsonSchema)]
pub(crate) struct Would {
    /// The level; null for the first run.
    level: Option<Level>,
    /// Its action.
    action: &'static str,
    /// How often it is tried; 0 where it is passed over.
    attempts: u32,
    /// Its time limit.
    limit_ms: Option<u64>,
    /// The commands, in order.
    commands: Vec<String>,
}

fn dry(engine: &Engine, plan: &Plan, global: &Global) -> anyhow::Result<u8> {
    let first = Would {
        level: None,
        action: "run",
        attempts: 1,
        limit_ms: plan.budget_ms,
        commands: vec![plan.command.to_string()],
    };
    let levels = Level::ALL.map(|level| {
        let attempts = engine.ladder.attempts(level);
        // Level 1 and 3 run the same commands each time.
        let different = if matches!(level, Level::Nudge | Level::Fallback) { attempts } else { attempts.min(1) };
        let commands = (1..=different).flat_map(|attempt| plan.commands(Some(level), attempt));
        let commands = commands.map(ToString::to_string).collect();
        Would {
            level: Some(level),
            action: level.action(),
            attempts,
            limit_ms: engine.ladder.limit_ms(level),
            commands,
        }
    });
    let mut out = output::stdout();
    if global.format == Format::Text {
        writeln!(out, "{} {}", output::faint("task"), output::one_line(&plan.task, 200))?;
    }
    for would in [first].iter().chain(&levels) {
        match global.format {
            Format::Json => output::json_line(&mut out, would)?,
            Format::Text => dry_line(&mut out, engine, would)?,
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn dry_line(out: &mut impl std::io::Write, engine: &Engine, would: &Would) -> anyhow::Result<()> {
    let number = would.level.map_or(" ".to_owned(), |level| level.number().to_string());
    let within = would.limit_ms.map(|ms| format!(", within {}", Span(ms))).unwrap_or_default();
    let how = match would.level {
        None => format!("once{within}"),
        Some(Level::ForceDone) => "hand over what there is, with an explanation".to_owned(),
        Some(_) if would.attempts == 0 => output::faint("passed over: nothing configured"),
        Some(Level::Retry) => {
            let backoffs: Vec<String> =
                (1..=would.attempts).map(|n| Span(engine.ladder.retry.backoff_ms(n)).to_string()).collect();
            format!("transient errors, after {}{within}", backoffs.join(", "))
        }
        Some(_) => format!("in order{within}"),
    };
    writeln!(out, "{number} {} {how}", output::strong(&format!("{:10}", would.action)))?;
    for command in &would.commands {
        writeln!(out, "               {}", output::one_line(command, 160))?;
    }
    Ok(())
}
