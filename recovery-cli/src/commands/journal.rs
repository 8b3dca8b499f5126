//! `recovery journal`: shows, verifies, exports, imports, archives, ships and replays the records.
//!
//! In: the journal or an export. Out: records; exit code 1 for a broken hash chain or a decision that would differ now. An
//! archive is written and recorded before its tasks are removed. Other systems' files: `recovery-service/src/migrate/`.

use super::status::no_such;
use crate::answer::{self, counted};
use crate::cli::Global;
use crate::input::Source;
use crate::ledger::{self, Ledger, task_named};
use crate::output::{self, Format};
use crate::{clock, exit};
use anyhow::{Context as _, bail};
use recovery_engine::PackName;
use recovery_service::replay::Replay;
use recovery_service::{migrate, record_summary};
use recovery_store::{
    DEFAULT_WAIT, FaultKind, Journal as _, JournalExt as _, NewRecord, Record, RecordKind, Shipped, SqliteJournal,
    StateDir, Store, TaskId, Verification, export,
};
use recovery_types::Timestamp;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  recovery journal show --last 20\n  recovery journal verify\n  \
    recovery journal export > journal.jsonl\n  recovery journal verify journal.jsonl\n  \
    recovery journal import attempt_history.json\n  recovery journal archive --before 2026-01-31\n  recovery journal push\n  recovery journal replay --pack documented")]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Journal>,
}

const DEFAULT_RECORDS: u64 = 20;

#[derive(clap::Subcommand)]
enum Journal {
    /// Show the last records (the default)
    #[command(after_help = "Examples:\n  recovery journal show\n  recovery journal show login --last 5")]
    Show {
        /// Of one task only: its name, or a part of it that no other task's name has
        #[arg(value_name = "TASK", conflicts_with = "task")]
        only: Option<String>,
        /// The same as TASK
        #[arg(long, value_name = "ID", hide = true)]
        task: Option<String>,
        /// How many
        #[arg(long, value_name = "N", default_value_t = DEFAULT_RECORDS)]
        last: u64,
    },
    /// Check every hash; exit code 1 when something is wrong
    #[command(after_help = "Examples:\n  recovery journal verify\n  recovery journal verify journal.jsonl")]
    Verify {
        /// An export; without it the journal itself
        file: Option<PathBuf>,
    },
    /// Write the records as JSON lines, or in another system's format
    #[command(
        after_help = "Examples:\n  recovery journal export > journal.jsonl\n  recovery journal export --task login"
    )]
    Export {
        /// Of one task only
        #[arg(long, value_name = "ID")]
        task: Option<String>,
        /// Another system's file: attempt_history.json, build_commits.json, history.jsonl, conflicts.jsonl, active.json
        /// or updates.jsonl
        #[arg(long = "as", value_name = "FILE", conflicts_with = "task")]
        as_file: Option<migrate::Format>,
    },
    /// Read an export, or the files of other systems; docs/migrate.md lists them
    #[command(
        after_help = "Examples:\n  recovery journal import journal.jsonl\n  recovery journal import attempt_history.json --task login"
    )]
    Import {
        /// The file, or a directory with several; `-` or nothing reads standard input
        file: Option<PathBuf>,
        /// The task of entries that name none
        #[arg(long, value_name = "ID")]
        task: Option<String>,
    },
    /// Move tasks that are closed to a compressed export; `journal import FILE` brings them back
    #[command(
        after_help = "Examples:\n  recovery journal archive --before 2026-01-31\n  recovery journal archive --before 2026-01-31 --to old.jsonl.gz"
    )]
    Archive {
        /// Tasks last touched before this day or moment, such as 2026-01-31 [default: as long ago as `[journal] keep_days`]
        #[arg(long, value_name = "DATE", value_parser = moment)]
        before: Option<Timestamp>,
        /// The file to make [default: in `archive/` of the state directory]
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
    },
    /// Ship what was recorded on this machine while the shared journal could not be reached
    #[command(after_help = "Examples:\n  recovery journal push")]
    Push,
    /// Decide everything again with today's rules, and show what would be decided differently
    #[command(
        after_help = "Examples:\n  recovery journal replay\n  recovery journal replay --pack documented --task login"
    )]
    Replay {
        /// Of one task only
        #[arg(long, value_name = "ID")]
        task: Option<String>,
    },
}

pub(crate) fn run(args: &Args, global: &Global) -> anyhow::Result<u8> {
    let Some(command) = &args.command else { return show(global, None, DEFAULT_RECORDS) };
    match command {
        Journal::Show { only, task, last } => show(global, only.as_deref().or(task.as_deref()), *last),
        Journal::Verify { file } => verify(global, file.as_ref()),
        Journal::Export { task, as_file } => {
            let ledger = existing(global)?;
            if let Some(format) = as_file {
                let mut out = output::stdout();
                out.write_all(migrate::export(&ledger, *format)?.as_bytes())?;
                out.flush()?;
                return Ok(exit::DONE);
            }
            let task = task.as_deref().map(task_named).transpose()?;
            if let Some(task) = &task
                && ledger.journal.task(task)?.is_none()
            {
                return Ok(no_such(task));
            }
            export::export(&ledger.journal, task.as_ref(), &mut output::stdout())?;
            Ok(exit::DONE)
        }
        Journal::Import { file, task } => import(global, file.as_ref(), task.as_deref()),
        Journal::Archive { before, to } => archive(global, *before, to.clone()),
        Journal::Push => push(global),
        Journal::Replay { task } => replay(global, task.as_deref()),
    }
}

fn existing(global: &Global) -> anyhow::Result<Ledger> {
    let store = global.store()?;
    Ledger::open_existing(&store, DEFAULT_WAIT)?.with_context(|| no_journal(&store))
}

fn no_journal(store: &Store) -> String {
    format!("there is no journal in {store}")
}

fn show(global: &Global, task: Option<&str>, last: u64) -> anyhow::Result<u8> {
    let Some(ledger) = Ledger::open_existing(&global.store()?, DEFAULT_WAIT)? else {
        if global.format == Format::Text {
            anstream::println!("nothing has been recorded yet");
        }
        return Ok(exit::DONE);
    };
    let records = match task {
        Some(task) => {
            let task = match global.existing_service()? {
                Some(service) => service.task_like(task)?,
                None => task_named(task)?,
            };
            let all = ledger.journal.records(&task, 1)?;
            if all.is_empty() {
                return Ok(no_such(&task));
            }
            let skipped = all.len().saturating_sub(usize::try_from(last).unwrap_or(usize::MAX));
            all.into_iter().skip(skipped).collect()
        }
        None => ledger.journal.latest(last)?,
    };
    let mut out = output::stdout();
    match global.format {
        Format::Json => records.iter().try_for_each(|record| {
            out.write_all(export::line_of(record)?.as_bytes())?;
            anyhow::Ok(())
        })?,
        Format::Text => {
            let now = clock::now();
            let row = |record: &Record| {
                vec![
                    answer::ago(record.at, now),
                    output::printable(record.task.as_str()).replace(['\n', '\t'], " "),
                    record.seq.to_string(),
                    if record.kind == RecordKind::Decision { "failure".to_owned() } else { record.kind.to_string() },
                    output::one_line(&record_summary(record), 90),
                ]
            };
            let rows = records.iter().map(row).collect();
            write!(out, "{}", output::table(&["WHEN", "TASK", "#", "KIND", "WHAT"], rows))?;
        }
    }
    out.flush()?;
    Ok(exit::DONE)
}

fn verify(global: &Global, file: Option<&PathBuf>) -> anyhow::Result<u8> {
    let found = match file {
        Some(file) => export::verify_export(&mut BufReader::new(Source::open(Some(file))?.unpacked()?))?,
        None => {
            let store = global.store()?;
            Ledger::verify(&store, DEFAULT_WAIT)?.with_context(|| no_journal(&store))?
        }
    };
    output::show(global.format, &found, |out| report(out, &found))?;
    Ok(if found.is_sound() { exit::DONE } else { exit::NO })
}

fn report(out: &mut impl Write, found: &Verification) -> anyhow::Result<()> {
    for fault in &found.faults {
        writeln!(out, "{} {}", output::bad("fault"), output::printable(&fault.to_string()))?;
    }
    let verdict = if found.is_sound() { output::good("sound") } else { output::bad("damaged") };
    writeln!(out, "{verdict}: {} of {}", counted(found.records, "record"), counted(found.tasks, "task"))?;
    if found.faults.iter().any(|fault| matches!(fault.kind, FaultKind::DamagedFile { .. })) {
        writeln!(out, "Move the file away; `recovery journal import` makes a new one from an export.")?;
    }
    Ok(())
}

fn import(global: &Global, file: Option<&PathBuf>, task: Option<&str>) -> anyhow::Result<u8> {
    let task = task.map(task_named).transpose()?;
    let files = match file {
        Some(dir) if dir.is_dir() => migrate::files_in(dir)?.into_iter().map(Some).collect(),
        one => vec![one.cloned()],
    };
    let mut ledger = Ledger::open(&global.store()?, DEFAULT_WAIT)?;
    let mut out = output::stdout();
    let is_one = files.len() == 1;
    let mut code = exit::DONE;
    for file in files {
        let source = Source::open(file.as_deref())?;
        let name = source.name.clone();
        let text = source.unpacked()?.document()?;
        let taken = take_in(global, &mut ledger, file.as_deref(), &text, task.clone())
            .with_context(|| format!("cannot import {name}"));
        let report = match taken {
            Ok(report) => report,
            Err(error) if is_one => return Err(error),
            // One broken file of many does not keep the others out.
            Err(error) => {
                anstream::eprintln!("{}", output::one_line(&output::message(&format!("{error:#}")), 400));
                code = exit::BAD_INPUT;
                continue;
            }
        };
        match global.format {
            Format::Json => {
                let skipped = &report.skipped;
                let line =
                    serde_json::json!({"file": name, "new": report.new, "known": report.known, "skipped": skipped});
                output::json_line(&mut out, &line)?;
            }
            Format::Text => {
                let skipped = match report.skipped.len() {
                    0 => String::new(),
                    several => format!(", {several} skipped"),
                };
                let place = if file.is_some() { format!("{}: ", output::one_line(&name, 80)) } else { String::new() };
                writeln!(out, "{place}{}, {} known already{skipped}", counted(report.new, "new record"), report.known)?;
                for skipped in report.skipped.iter().take(20) {
                    writeln!(
                        out,
                        "  {}: {}",
                        output::one_line(&skipped.place, 60),
                        output::one_line(&skipped.why, 120)
                    )?;
                }
            }
        }
    }
    out.flush()?;
    Ok(code)
}

fn take_in(
    global: &Global,
    ledger: &mut Ledger,
    file: Option<&Path>,
    text: &str,
    task: Option<TaskId>,
) -> anyhow::Result<migrate::ImportReport> {
    if export::is_export(text) {
        let stored = export::import(&mut ledger.journal, &mut text.as_bytes())?;
        return Ok(migrate::ImportReport { new: stored.new, known: stored.known, skipped: Vec::new() });
    }
    let Some(format) = migrate::Format::of(file, text) else {
        bail!("it is neither an export nor a file of another system; docs/migrate.md lists those");
    };
    let defaults = migrate::Defaults { task, at: clock::now() };
    let notes = global.notes_dir()?;
    Ok(migrate::import(ledger, &global.engine()?, &notes, format, file, text, &defaults)?)
}

/// A day, at its start in UTC, or a moment.
fn moment(text: &str) -> Result<Timestamp, String> {
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
    whole.parse().map_err(|_| "write a day such as 2026-01-31, or a moment such as 2026-01-31T06:00:00Z".to_owned())
}

fn archive(global: &Global, before: Option<Timestamp>, to: Option<PathBuf>) -> anyhow::Result<u8> {
    let (now, keep_days) = (clock::now(), global.settings()?.journal.keep_days);
    let before = before
        .or_else(|| Some(Timestamp::from_ms(now.ms().saturating_sub(i64::from(keep_days?) * 24 * 3_600_000))))
        .context("say what is old: `--before 2026-01-31`, or `[journal] keep_days = 90` in recovery.toml")?;
    let state_dir = global.state_dir()?;
    let dir = match global.store()? {
        Store::Directory(dir) => dir,
        shared => bail!("{shared}: only the journal in a state directory can be archived"),
    };
    existing(global)?;
    // What was imported is not known to be closed before it has been looked at.
    global.service()?.tick()?;
    let to = match to {
        Some(path) => path,
        None => {
            let folder = StateDir::create(&state_dir)?.subdirectory("archive")?;
            folder.path().join(format!("journal-{}.jsonl.gz", now.to_string().replace(':', "-")))
        }
    };
    let mut journal = SqliteJournal::open_in(&dir, DEFAULT_WAIT)?;
    let written = journal.write_archive(&to, before, ledger::PROJECT);
    let archive = written.with_context(|| format!("cannot write {}", to.display()))?;
    if archive.tasks() > 0 {
        let body = serde_json::json!({"archived": to, "tasks": archive.tasks(), "records": archive.records()});
        let note = NewRecord { at: now, kind: RecordKind::Note, content_id: None, body: body.to_string() };
        journal.append(&TaskId::new(ledger::PROJECT)?, note)?;
    }
    let removed = journal.forget(&archive)?;
    let (records, file) = (archive.records(), (archive.tasks() > 0).then_some(&to));
    let answer = serde_json::json!({"tasks": removed, "records": records, "file": file});
    output::show(global.format, &answer, |out| {
        let Some(file) = file else { return Ok(writeln!(out, "nothing to archive: no closed task is that old")?) };
        let file = file.display().to_string();
        let file = output::printable(&file);
        let moved = (counted(removed as u64, "task"), counted(records, "record"));
        writeln!(out, "{} ({}) moved to {file}", moved.0, moved.1)?;
        Ok(writeln!(out, "To bring them back: recovery journal import {file}")?)
    })
}

fn push(global: &Global) -> anyhow::Result<u8> {
    let store = global.store()?;
    let shipped = store.push(DEFAULT_WAIT)?;
    let Shipped { new, known } =
        shipped.with_context(|| format!("{store}: this journal is not shared, so nothing waits"))?;
    output::show(global.format, &serde_json::json!({"new": new, "known": known}), |out| {
        if new + known == 0 {
            return Ok(writeln!(out, "nothing to ship")?);
        }
        let (new, store) = (counted(new, "record"), store.to_string());
        Ok(writeln!(out, "{new} shipped to {}, {known} known already", output::printable(&store))?)
    })
}

fn replay(global: &Global, only: Option<&str>) -> anyhow::Result<u8> {
    let ledger = existing(global)?;
    let only = only.map(task_named).transpose()?;
    let tasks: Vec<TaskId> = match &only {
        Some(task) => ledger.journal.task(task)?.into_iter().map(|summary| summary.task).collect(),
        None => ledger.journal.tasks()?.into_iter().map(|summary| summary.task).collect(),
    };
    if let (Some(task), true) = (&only, tasks.is_empty()) {
        return Ok(no_such(task));
    }
    let engine = global.engine()?;
    let pack = engine.taxonomy.pack();
    let replay = recovery_service::replay::replay(&ledger, engine, &tasks)?;
    show_replay(global, pack, &replay)?;
    Ok(if replay.differences.is_empty() { exit::DONE } else { exit::NO })
}

fn show_replay(global: &Global, pack: PackName, replay: &Replay) -> anyhow::Result<u8> {
    let Replay { decisions, differences, .. } = replay;
    // Transitions and sentences only repeat what the other fields contain.
    let worth = |path: &str| !path.starts_with("transitions") && !path.starts_with("next.sentence");
    output::show_each(global.format, differences, |out| {
        for difference in differences {
            writeln!(out, "{} #{}", output::strong(&output::one_line(&difference.task, 60)), difference.seq)?;
            for (path, then, now) in difference.fields.iter().filter(|(path, ..)| worth(path)).take(8) {
                let (then, now) = (output::one_line(&then.to_string(), 60), output::one_line(&now.to_string(), 60));
                writeln!(out, "  {path}: {then} -> {now}")?;
            }
        }
        let decisions = counted(*decisions, "decision");
        Ok(writeln!(out, "{decisions} replayed with the {pack} rules, {} would differ", differences.len())?)
    })
}
