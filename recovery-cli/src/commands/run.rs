//! `recovery run`: a command under the ladder: retried, varied, replanned or replaced until it works or time is up.
//!
//! In: flags and a playbook; a flag takes precedence. Out: the command's own exit code. A journal that cannot be opened
//! never stops the command. Here the `Plan` is built; the loop is `recovery-run/src/driver.rs`, the text `run/lines.rs`.

mod lines;

use crate::cli::Global;
use crate::ledger::Ledger;
use crate::output::{self, Format};
use crate::{clock, exit, git};
use anyhow::{Context as _, bail};
use recovery_engine::Engine;
use recovery_run::driver::{Driver, Surroundings};
use recovery_run::journal::{AllowedChanges, JournalRecorder};
use recovery_run::notice::{Listener as _, Notice};
use recovery_run::plan::{Plan, PlannedLevel};
use recovery_run::playbook::{CommandLine, FallbackCommand, LevelName, Playbook};
use recovery_run::process::task_lock::{Acquired, TaskLock};
use recovery_run::process::{Launcher, Options, Processes};
use recovery_run::span::Span;
use recovery_store::{DEFAULT_WAIT, StateDir};
use recovery_types::{ForceDoneReport, Level};
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use lines::Lines;

/// The longest name that a task gets from its command line; a task's name may have 200 characters.
const MAX_NAME_CHARS: usize = 160;

#[derive(clap::Args)]
#[command(after_help = "The exit code is the command's own. Others, where it never ran or was stopped:\n  \
    2 bad usage; 69 the same task is running already; 75 a server asks to wait longer than --max-wait;\n  \
    76 the time was up before anything could run; 124 stopped at its time limit; 126, 127 it could not\n  \
    be started; 128+N stopped by signal N; 70 a bug.\n\n\
    Examples:\n  recovery run -- npm ci\n  \
    recovery run --retries 5 --delay 2s --timeout 10m -- ./deploy.sh\n  \
    recovery run --nudge 'make -j1' --fallback 'clean=make clean all' --budget 2h -- make -j8\n  \
    recovery run --replan ./new-plan.sh --task login -- ./agent.sh\n  \
    recovery run build            ([run.build] in recovery.toml)")]
pub(crate) struct Args {
    /// The name it is recorded under [default: the playbook's name, else the command]
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// What is being tried, in your words
    #[arg(long, value_name = "TEXT")]
    approach: Option<String>,
    /// If the error is not temporary: a variation of it, as a shell line (repeatable)
    #[arg(long, value_name = "CMD")]
    nudge: Vec<String>,
    /// If that fails: a shell line that reads what was tried (JSON) and changes something; then the command runs again
    #[arg(long, value_name = "CMD")]
    replan: Option<String>,
    /// If that fails too: something else to run instead, as a shell line (repeatable)
    #[arg(long, value_name = "[NAME=]CMD")]
    fallback: Vec<FallbackCommand>,
    /// A check, as a shell line: a command that worked counts as done only if this works too
    #[arg(long, value_name = "CMD")]
    verify: Option<String>,
    /// Scores the finished work, as a shell line that prints {"evidenceOfCompletion":N,"goalAlignment":N} or
    /// {"verdict":"FAIL"}; if it prints neither, its exit code decides
    #[arg(long, value_name = "CMD")]
    judge: Option<String>,
    /// If a decision asks for it, go back to the last good commit; everything is saved first
    #[arg(long)]
    rollback: bool,
    /// If the command works and nothing is uncommitted, record HEAD as a good commit
    #[arg(long)]
    checkpoint: bool,
    /// If an agent has used up its context, commit its progress on a branch of its own
    #[arg(long)]
    handoff: bool,
    /// Append what happens to this file, as JSON lines (`recovery schema observation`)
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// How long everything together may take, such as 2h or 90s
    #[arg(long, value_name = "TIME")]
    budget: Option<Span>,
    /// How long all retries, nudges, replans or fallbacks may take, such as retry=10m
    #[arg(long, value_name = "LEVEL=TIME", value_parser = limit)]
    limit: Vec<(LevelName, Span)>,
    /// Retry failed tests, crashes and unknown errors too
    #[arg(long)]
    flaky: bool,
    /// What this step is called, in reports
    #[arg(long, value_name = "NAME")]
    step: Option<String>,
    /// How many times to retry [default: 3, only what looks temporary; with N also failed tests, crashes, unknown errors]
    #[arg(long, value_name = "N", value_parser = crate::input::count::<u32>, allow_negative_numbers = true)]
    retries: Option<u32>,
    /// The pause before the first retry; each further one is twice as long; 0 for none [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = pause)]
    delay: Option<Span>,
    /// The longest pause before a retry
    #[arg(long, value_name = "TIME")]
    max_delay: Option<Span>,
    /// How long each attempt may take
    #[arg(long, value_name = "TIME")]
    timeout: Option<Span>,
    /// The longest wait that a server may ask for; a longer one ends the run with code 75 [default: 15m without a terminal]
    #[arg(long, value_name = "TIME")]
    max_wait: Option<Span>,
    /// How long a command may take to end once its time is up
    #[arg(long, value_name = "TIME", default_value = "2s")]
    grace: Span,
    /// Write the partial result of a run that ended without success to this file, as JSON
    #[arg(long, value_name = "FILE")]
    result: Option<PathBuf>,
    /// Print no `recovery:` lines
    #[arg(long, short)]
    quiet: bool,
    /// Show what would be run, and run nothing
    #[arg(long)]
    dry_run: bool,
    /// The command with its arguments, or the name of a playbook ([run.NAME] in recovery.toml)
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    words: Vec<String>,
}

/// The longest wait without a terminal: a CI job that hangs for hours costs more than one that states when to return.
const MAX_WAIT_MS: u64 = 15 * 60_000;

fn limit(text: &str) -> Result<(LevelName, Span), String> {
    let (level, time) = text.split_once('=').ok_or_else(|| format!("{text:?} is not LEVEL=TIME, such as retry=10m"))?;
    Ok((level.parse()?, time.parse()?))
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let config = global.settings()?;
    let root = global.root()?;
    let (playbook, command) = what_to_run(&args.words, &config.run)?;
    if playbook.is_some() {
        config.ensure_may_run()?;
    }
    let limits = limits(args, playbook);
    let flaky = args.flaky || args.retries.is_some() || playbook.is_some_and(|(_, playbook)| playbook.flaky);
    let playbook_name = playbook.map(|(name, _)| name);
    let plan = plan(args, playbook, command, &root, config.ladder.session_budget_ms)?;
    let mut engine = global.engine()?;
    engine.ladder = plan.policy(&config.ladder, &limits, flaky);
    retries(args, &mut engine.ladder.retry, &plan)?;
    engine.own_ladder = true;
    match (engine.ladder.validate(), playbook_name) {
        (Err(error), Some(name)) if args.limit.is_empty() && args.budget.is_none() => {
            return Err(config.mistake_in_run(name, &error).into());
        }
        (sound, _) => sound.context("in the levels of this run")?,
    }
    let task = crate::ledger::task_named(plan.task())?;
    if args.dry_run {
        return dry(&engine, &plan, global);
    }
    let mut listener = Lines::new(global.format, args.quiet, global.verbose, args.task.as_deref());
    // A state directory that is refused, or a journal that cannot be opened, never keeps the command from running.
    let state_dir = match args.quiet {
        true => global.state_dir(),
        false => global.written_state_dir(),
    };
    let opened = match global.store() {
        Ok(store) => Ledger::open(&store, DEFAULT_WAIT).map_err(|error| format!("{error:#}")),
        Err(error) => Err(format!("{error:#}")),
    };
    let recorder = match opened {
        Ok(ledger) => Some(JournalRecorder {
            ledger,
            task: task.clone(),
            memory_dir: global.notes_dir()?,
            root: root.clone(),
            allowed: AllowedChanges { rollback: args.rollback, checkpoint: args.checkpoint, handoff: args.handoff },
            events: args.events.clone(),
            warn: |message| eprintln!("recovery: {}", output::one_line(&output::message(message), 300)),
        }),
        Err(reason) => {
            listener.notice(&Notice::Unrecorded { reason });
            None
        }
    };
    if let Some(recorder) = recorder.as_ref().filter(|recorder| recorder.is_first_attempt()) {
        for note in
            recovery_service::notes::recall(&recorder.memory_dir, "issues.md", task.as_str(), "").into_iter().take(3)
        {
            listener.notice(&Notice::Known { note });
        }
    }
    let state_dir = state_dir.ok();
    let (lock, orphaned) = match state_dir.as_ref().map(|dir| lock(dir, task.as_str())) {
        Some(Ok(Acquired::Held(lock, orphaned))) => (Some(lock), orphaned),
        // A command that cannot be recorded is not held back by a lock that cannot be had either.
        None => (None, None),
        Some(Err(_)) if recorder.is_none() => (None, None),
        Some(Err(error)) => {
            listener.notice(&Notice::Unrecorded { reason: error.to_string() });
            (None, None)
        }
        Some(Ok(Acquired::Busy(process))) => {
            listener.notice(&Notice::Busy { task: task.to_string(), process });
            return Ok(exit::BUSY);
        }
    };
    let launcher = std::env::current_exe().context("cannot tell which program this is")?;
    let options = Options {
        grace_ms: args.grace.0,
        history_dir: state_dir.filter(|_| recorder.is_some()).unwrap_or_else(std::env::temp_dir),
        launcher: Some(Launcher { program: launcher, args: vec![super::in_session::NAME.to_owned()] }),
        adopts_orphans: true,
        lock,
    };
    let mut world = Processes::new(options).context("cannot listen to signals")?;
    if let Some(orphaned) = orphaned {
        let processes = orphaned.alive().into_iter().map(|process| process.as_raw_nonzero().get()).collect();
        listener.notice(&Notice::OrphanedRun { task: task.to_string(), processes });
        world.end_orphaned(&orphaned);
    }
    let surroundings = Surroundings { head: git::head(&root), zone: clock::zone(), names: Some(super::names_here) };
    let finish = Driver::new(engine, &plan, world, listener, recorder, surroundings).drive();
    if let (Some(report), Some(path)) = (&finish.report, &args.result) {
        hand_over(report, path)?;
    }
    Ok(finish.exit_code)
}

type NamedPlaybook<'c> = (&'c str, &'c Playbook);

/// The playbook or the command that the words name: a single word before any `--` may be a playbook.
fn what_to_run<'c>(
    words: &[String],
    known: &'c BTreeMap<String, Playbook>,
) -> anyhow::Result<(Option<NamedPlaybook<'c>>, Option<CommandLine>)> {
    let Some(first) = words.first() else {
        bail!("nothing to run: write `recovery run -- COMMAND`, or give the name of a playbook");
    };
    let all: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let is_after_dashes = all.len().checked_sub(words.len() + 1).is_some_and(|at| all[at] == "--");
    if first.starts_with('-') && !is_after_dashes {
        return Err(unknown_option(first));
    }
    let playbook = known.get_key_value(first).filter(|_| !is_after_dashes);
    match (playbook, words) {
        (Some((name, playbook)), [_]) => Ok((Some((name, playbook)), None)),
        (Some((name, _)), _) => bail!(
            "{name} is a playbook: its options go before its name, `recovery run OPTIONS {name}`; \
             to run a command of that name, write `recovery run -- {name} ...`"
        ),
        (None, [only]) if !is_after_dashes && !known.is_empty() && !is_program(only) => {
            let names: Vec<&str> = known.keys().map(String::as_str).collect();
            bail!("there is no playbook {only:?} and no program of that name: recovery.toml has {}", names.join(", "))
        }
        (None, words) => Ok((None, Some(CommandLine::Words(words.to_vec())))),
    }
}

/// A word that begins with `-` before any command is an option that does not exist.
fn unknown_option(given: &str) -> anyhow::Error {
    let name = given.split('=').next().unwrap_or(given);
    let command = crate::command();
    let options = command.find_subcommand("run").into_iter().flat_map(clap::Command::get_arguments);
    let known = options.filter_map(|option| option.get_long()).map(|long| format!("--{long}"));
    let nearest = known.min_by_key(|known| recovery_service::explain::distance(name, known));
    let nearest = nearest.filter(|known| recovery_service::explain::distance(name, known) <= 3);
    let meant = nearest.map(|known| format!("; did you mean {known}?")).unwrap_or_default();
    anyhow::anyhow!(
        "`recovery run` has no option {name}{meant}\noptions go before the command: recovery run OPTIONS -- COMMAND"
    )
}

/// The task's lock, in a directory that is nobody else's and no link.
fn lock(state_dir: &Path, task: &str) -> anyhow::Result<Acquired> {
    let dir = StateDir::create(state_dir)?.subdirectory("running")?;
    Ok(TaskLock::acquire(dir.path(), task)?)
}

fn is_program(name: &str) -> bool {
    if name.contains('/') {
        return Path::new(name).exists();
    }
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|dir| dir.join(name).is_file())
}

fn pause(text: &str) -> Result<Span, String> {
    match text {
        "0" | "0s" | "0ms" => Ok(Span(0)),
        text => text.parse(),
    }
}

/// `--retries` and `--delay` are not cut short by the level's time limit, unless a limit was given that contradicts them.
fn retries(args: &Args, retry: &mut escalation::Retry, plan: &Plan) -> anyhow::Result<()> {
    if let (Some(delay), Some(longest)) = (args.delay, args.max_delay)
        && delay.0 > longest.0
    {
        bail!("--delay {delay} is longer than --max-delay {longest}; raise --max-delay or lower --delay");
    }
    if let (Some(timeout), Some(budget)) = (args.timeout, args.budget)
        && timeout.0 > budget.0
    {
        bail!("--timeout {timeout} for each attempt is longer than --budget {budget} for all of them; raise --budget");
    }
    if args.retries.is_none() && args.delay.is_none() {
        return Ok(());
    }
    retry.attempts = args.retries.unwrap_or(retry.attempts);
    retry.first_backoff_ms = args.delay.map_or(retry.first_backoff_ms, |delay| delay.0);
    let pauses: u64 = (1..=retry.attempts).map(|attempt| plan.backoff_ms(retry, attempt)).fold(0, u64::saturating_add);
    let limit = args.limit.iter().rev().find(|(level, _)| *level == LevelName::Retry);
    match limit {
        Some((_, limit)) if pauses > limit.0 => bail!(
            "the pauses before {} retries add up to {}, more than --limit retry={limit} allows; \
             raise --limit retry, or lower --retries, --delay or --max-delay",
            retry.attempts,
            Span(pauses)
        ),
        Some(_) => {}
        None => retry.limit_ms = u64::from(u32::MAX).max(pauses),
    }
    Ok(())
}

fn limits(args: &Args, playbook: Option<NamedPlaybook<'_>>) -> BTreeMap<LevelName, Span> {
    let mut limits = playbook.map(|(_, playbook)| playbook.limit.clone()).unwrap_or_default();
    limits.extend(args.limit.iter().copied());
    limits
}

fn plan(
    args: &Args,
    playbook: Option<NamedPlaybook<'_>>,
    command: Option<CommandLine>,
    root: &Path,
    budget_ms: Option<u64>,
) -> anyhow::Result<Plan> {
    let (name, playbook) = playbook.unzip();
    let command = command.or_else(|| playbook.map(|book| book.command.clone())).context("nothing to run")?;
    let shell = |line: &String| CommandLine::Shell(line.clone());
    let book = |from: fn(&Playbook) -> Option<String>| playbook.and_then(from);
    let task = args.task.clone().or_else(|| book(|book| book.task.clone())).or_else(|| name.map(str::to_owned));
    let is_attended = std::io::stderr().is_terminal() && std::env::var_os("CI").is_none();
    let max_wait_ms = (!is_attended).then_some(MAX_WAIT_MS);
    let task = match task {
        Some(task) => task,
        None => name_of(&command, root)?,
    };
    // As the journal calls it: records and the run's own state have one name.
    let task = crate::ledger::task_named(&task)?;
    let budget = args.budget.or_else(|| playbook.and_then(|book| book.budget));
    Ok(Plan::builder(task.as_str(), command)
        .nudge(match args.nudge.as_slice() {
            [] => playbook.map(|book| book.nudge.clone()).unwrap_or_default(),
            lines => lines.iter().map(shell).collect(),
        })
        .replan(args.replan.as_ref().map(shell).or_else(|| playbook.and_then(|book| book.replan.clone())))
        .fallback(match args.fallback.as_slice() {
            [] => playbook.map(|book| book.fallback.clone()).unwrap_or_default(),
            given => given.to_vec(),
        })
        .verify(args.verify.as_ref().map(shell))
        .judge(args.judge.as_ref().map(shell))
        .budget_ms(budget.map(|span| span.0).or(budget_ms))
        .approach(args.approach.clone().or_else(|| book(|book| book.approach.clone())))
        .step(args.step.clone().or_else(|| book(|book| book.step.clone())))
        .max_wait_ms(args.max_wait.map(|wait| wait.0).or(max_wait_ms))
        .timeout_ms(args.timeout.map(|timeout| timeout.0))
        .max_delay_ms(args.max_delay.map(|delay| delay.0))
        .build()?)
}

/// The same command in the same folder is the same task.
fn name_of(command: &CommandLine, root: &Path) -> anyhow::Result<String> {
    let here = std::env::current_dir()?;
    let folder = here.strip_prefix(root).ok().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map(|folder| format!("{}: ", folder.display())).unwrap_or_default();
    let name = format!("run: {folder}{command}").replace(char::is_control, " ");
    if name.chars().count() <= MAX_NAME_CHARS {
        return Ok(name);
    }
    let cut: String = name.chars().take(MAX_NAME_CHARS).collect();
    let rest = recovery_engine::action_fingerprint(None, &name);
    Ok(format!("{cut}… {}", &rest[..8]))
}

/// Writes the partial result for programs. Standard output is the command's own.
fn hand_over(report: &ForceDoneReport, path: &Path) -> anyhow::Result<()> {
    let mut text = serde_json::to_vec_pretty(report)?;
    text.push(b'\n');
    std::fs::write(path, text).with_context(|| format!("cannot write the result to {}", path.display()))
}

fn dry(engine: &Engine, plan: &Plan, global: &Global) -> anyhow::Result<u8> {
    let mut out = output::stdout();
    if global.format == Format::Text {
        writeln!(out, "{} {}", output::faint("task"), output::one_line(plan.task(), 200))?;
    }
    for level in plan.preview(&engine.ladder) {
        match global.format {
            Format::Json => output::json_line(&mut out, &level)?,
            Format::Text => dry_line(&mut out, engine, plan, &level)?,
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn dry_line(out: &mut impl std::io::Write, engine: &Engine, plan: &Plan, would: &PlannedLevel) -> anyhow::Result<()> {
    let number = would.level.map_or(" ".to_owned(), |level| level.number().to_string());
    let within = would.limit_ms.map(|ms| format!(", within {}", Span(ms))).unwrap_or_default();
    let how = match would.level {
        None => format!("once{within}"),
        Some(Level::ForceDone) => "hand over what there is, with an explanation".to_owned(),
        Some(_) if would.attempts == 0 => output::faint("passed over: nothing configured"),
        Some(Level::Retry) => {
            let backoffs: Vec<String> =
                (1..=would.attempts).map(|n| Span(plan.backoff_ms(&engine.ladder.retry, n)).to_string()).collect();
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
