//! A journal of a million tasks: how fast `decide --ndjson` fills it, how large it gets, and what each interactive command
//! costs on it.
//!
//! In: the program. Out: a paragraph and a table. The first tasks are decided by the program; the others are their rows under
//! other names, which takes a minute instead of an hour: their hashes are not those of their names, which only `journal verify`
//! would notice. Bare durable inserts of 1 KiB rows (`recovery-store/examples/plain_inserts.rs`) run before and after, because
//! the speed of a disk changes with what else it does. To measure another command, add a row to [`commands`].

use crate::bench::children_cpu;
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each command runs; the median counts.
const ROUNDS: usize = 15;

/// Rows that the bare inserts store: each is one sync of the disk.
const BARE_ROWS: u64 = 2_000;

/// Tasks that the program decides about.
const DECIDED: u64 = 20_000;

/// What one run of a command took.
#[derive(Clone, Copy)]
struct Cost {
    cpu: Duration,
    elapsed: Duration,
}

pub(super) fn section(root: &Path, binary: &Path, tasks: u64) -> anyhow::Result<String> {
    let place = std::env::temp_dir().join(format!("recovery-fleet-{}", std::process::id()));
    std::fs::create_dir_all(place.join(".git"))?;
    let measured = measure(root, binary, &place, tasks);
    std::fs::remove_dir_all(&place)?;
    measured
}

fn measure(root: &Path, binary: &Path, place: &Path, tasks: u64) -> anyhow::Result<String> {
    let before = bare_inserts(root, place)?;
    let (began, cpu) = (Instant::now(), children_cpu()?);
    let decided = tasks.min(DECIDED);
    decide(binary, place, (0..decided).zip(OUTPUTS.into_iter().cycle()))?;
    let (filled, cpu) = (began.elapsed(), children_cpu()?.saturating_sub(cpu));
    let bare = f64::midpoint(before, bare_inserts(root, place)?);
    let rate = decided as f64 / filled.as_secs_f64();
    multiply(place, tasks.div_ceil(decided))?;
    let mut page = String::new();
    writeln!(
        page,
        "`decide --ndjson` of {decided} failures, each of a task of its own: {rate:.0} per second, stored before they are\n\
         answered ({:.0} \u{b5}s of CPU time each). Bare durable SQLite inserts of 1 KiB rows on the same disk, one commit\n\
         each: {bare:.0} per second ({:.1}x). The file has {} bytes per task, with the task's state and all indexes.\n",
        cpu.as_micros() as f64 / decided as f64,
        rate / bare,
        journal_bytes(place) / tasks
    )?;
    let corpus = corpus(root)?;
    let small = place.join("corpus");
    std::fs::create_dir_all(small.join(".git"))?;
    decide(binary, &small, (0..).zip(corpus.iter().map(String::as_str)))?;
    writeln!(
        page,
        "With the {} outputs of the corpus, {} bytes long on average, one of them per task: {} bytes per record.\n",
        corpus.len(),
        corpus.iter().map(String::len).sum::<usize>() / corpus.len(),
        journal_bytes(&small) / corpus.len() as u64
    )?;
    writeln!(page, "| command, {tasks} tasks in SQLite | CPU time | start to exit | slowest of {ROUNDS} |")?;
    writeln!(page, "|---|---:|---:|---:|")?;
    for (shown, args, input) in commands(place, tasks) {
        let mut costs = (0..ROUNDS).map(|_| once(binary, place, &args, &input)).collect::<anyhow::Result<Vec<_>>>()?;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        costs.sort_by_key(|cost| cost.cpu);
        let cpu = ms(costs[ROUNDS / 2].cpu);
        costs.sort_by_key(|cost| cost.elapsed);
        let (median, slowest) = (ms(costs[ROUNDS / 2].elapsed), ms(costs[ROUNDS - 1].elapsed));
        writeln!(page, "| `{shown}` | {cpu:.1} ms | {median:.1} ms | {slowest:.1} ms |")?;
    }
    Ok(page)
}

/// What is measured: what is shown, the arguments, and the standard input.
type Measured = (&'static str, Vec<String>, String);

fn commands(place: &Path, tasks: u64) -> Vec<Measured> {
    let middle = format!("task {}", tasks.min(DECIDED) / 2);
    let with = |shown, line: &[&str], input: &str| -> Measured {
        (shown, line.iter().map(|arg| (*arg).to_owned()).collect(), input.to_owned())
    };
    let plain = |line: &'static str| with(line, &line.split(' ').collect::<Vec<_>>(), "");
    let hook = |shown, event: serde_json::Value| {
        let mut payload = serde_json::json!({"session_id": "s", "cwd": place});
        if let (Some(fields), Some(more)) = (payload.as_object_mut(), event.as_object()) {
            fields.extend(more.clone());
        }
        with(shown, &["hook", "claude-code"], &payload.to_string())
    };
    let edit = serde_json::json!({"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_use_id": "e",
        "tool_input": {"file_path": place.join("a.rs"), "old_string": "a", "new_string": "b"}, "tool_response": {}});
    let failed = serde_json::json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "f",
        "tool_input": {"command": "make"}, "error": "Exit code 2\nmake: *** No rule to make target 'x'.  Stop."});
    vec![
        plain("status"),
        plain("status --format json"),
        plain("status --line"),
        with("status TASK", &["status", &middle], ""),
        with("status 'part of a name'", &["status", "ne mor"], ""),
        plain("stuck"),
        with("hints TASK", &["hints", &middle], ""),
        plain("tick"),
        plain("journal"),
        plain("breaker list"),
        plain("run -- true"),
        with("decide --task TASK", &["decide", "--task", &middle, "--exit-code", "1"], "read ECONNRESET\n"),
        hook("hook: session start", serde_json::json!({"hook_event_name": "SessionStart"})),
        hook("hook: after an edit", edit),
        hook("hook: a failed command", failed),
    ]
}

/// Failures of different kinds.
const OUTPUTS: [&str; 4] = [
    "npm ERR! code ECONNRESET\nnpm ERR! network request failed, reason: read ECONNRESET\n",
    "error[E0308]: mismatched types\n --> src/main.rs:4:18\nerror: could not compile `app` due to 1 previous error\n",
    "FAILED tests/test_login.py::test_ok - AssertionError: assert 1 == 2\n1 failed, 12 passed in 0.34s\n",
    "bash: jq: command not found\n",
];

/// The outputs of the committed corpus.
fn corpus(root: &Path) -> anyhow::Result<Vec<String>> {
    let cases: Vec<recovery_score::LabelledOutput> = crate::json_lines(&root.join("corpus/own.jsonl"))?;
    Ok(cases.into_iter().map(|case| case.text).collect())
}

/// Copies the rows of every task under other names until there are `times` of each.
fn multiply(place: &Path, times: u64) -> anyhow::Result<()> {
    let journal = rusqlite::Connection::open(place.join(".recovery/journal.db"))?;
    journal.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN IMMEDIATE")?;
    for table in ["records", "snapshots", "tasks"] {
        journal.execute_batch(&format!(
            "CREATE TEMP TABLE the_{table} AS SELECT * FROM {table} WHERE task LIKE 'task %'"
        ))?;
    }
    for copy in 1..times {
        // The list of tasks is kept by a trigger on the records; the labels are not its matter.
        journal.execute(
            "INSERT INTO records (task, seq, at, kind, content_id, body, prev, hash, deflated)
                SELECT task || '.' || ?1, seq, at, kind, content_id, body, prev, hash, deflated FROM the_records",
            [copy.to_string()],
        )?;
        journal.execute(
            "INSERT INTO snapshots (task, tag, seq, hash, state)
                SELECT task || '.' || ?1, tag, seq, hash, state FROM the_snapshots",
            [copy.to_string()],
        )?;
    }
    journal.execute_batch(
        "CREATE UNIQUE INDEX temp.the_task ON the_tasks (task);
        -- Their time limits have been recorded long ago.
        UPDATE tasks SET list = one.list, parent = one.parent, due_at = NULL FROM the_tasks AS one
            WHERE tasks.task LIKE 'task %.%' AND one.task = substr(tasks.task, 1, instr(tasks.task, '.') - 1);
        COMMIT",
    )?;
    Ok(())
}

/// How large the journal in `place` is.
fn journal_bytes(place: &Path) -> u64 {
    let length = |name| std::fs::metadata(place.join(".recovery").join(name)).map_or(0, |file| file.len());
    length("journal.db") + length("journal.db-wal")
}

/// Records failures, one per task, through the program itself.
fn decide<'a>(binary: &Path, place: &Path, failures: impl Iterator<Item = (u64, &'a str)>) -> anyhow::Result<()> {
    let mut child = Command::new(binary)
        .args(["decide", "--ndjson"])
        .current_dir(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut input = BufWriter::new(child.stdin.take().context("a pipe")?);
    for (n, output) in failures {
        let event = serde_json::json!({"id": format!("e{n}"), "tool": "Bash", "exit_code": 1, "stderr_tail": output,
            "node": {"id": format!("task {n}")}});
        writeln!(input, "{event}")?;
    }
    drop(input);
    ensure!(child.wait()?.success(), "decide --ndjson failed");
    // The next process to write moves a long log into the file.
    let args = ["decide", "--task", "one more", "--exit-code", "1"].map(str::to_owned);
    once(binary, place, &args, "").map(|_| ())
}

fn bare_inserts(root: &Path, place: &Path) -> anyhow::Result<f64> {
    let file = place.join("bare.db");
    let _ = std::fs::remove_file(&file);
    // Not optimised: it waits for the disk.
    let mut inserts = Command::new("cargo");
    inserts.args(["run", "--quiet", "-p", "recovery-store", "--example", "plain_inserts", "--"]);
    let rate = crate::output_of(inserts.arg(&file).arg(BARE_ROWS.to_string()).current_dir(root))?;
    Ok(rate.trim().parse()?)
}

fn once(binary: &Path, place: &Path, args: &[String], input: &str) -> anyhow::Result<Cost> {
    let (began, cpu) = (Instant::now(), children_cpu()?);
    let mut child = Command::new(binary)
        .args(args)
        .current_dir(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().context("a pipe")?.write_all(input.as_bytes());
    let status = child.wait()?;
    ensure!(status.code().is_some_and(|code| code < 2), "{args:?}: {status}");
    Ok(Cost { elapsed: began.elapsed(), cpu: children_cpu()?.saturating_sub(cpu) })
}
