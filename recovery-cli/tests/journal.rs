//! The record through the binary: decided, exported, imported, verified, replayed, settled, reported.

use recovery_store::{DEFAULT_WAIT, JournalExt as _, NewRecord, RecordKind, SqliteJournal, TaskId};
use recovery_types::Timestamp;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn recovery(dir: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .current_dir(dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(out: &Output) -> String {
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout.clone()).unwrap()
}

fn lines(out: &Output) -> Vec<Value> {
    String::from_utf8(out.stdout.clone()).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".git")).unwrap();
    dir
}

fn fail(dir: &Path, task: &str, output: &str) -> Value {
    let out = recovery(dir, &["decide", "--exit-code", "1", "--task", task, "--format", "json"], output);
    serde_json::from_str(&text(&out)).unwrap()
}

/// Journals recorded earlier, by this program, decide the same today. When a rule changes on purpose,
/// `RECOVERY_RECORD=1 cargo test -p recovery-cli --test journal recorded` decides about the same events again and
/// rewrites the files: read the difference.
#[test]
fn recorded_journals_replay_to_the_same_decisions() {
    let journals = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let mut replayed = 0;
    for entry in std::fs::read_dir(journals).unwrap() {
        let path = entry.unwrap().path();
        if std::env::var_os("RECOVERY_RECORD").is_some() {
            record_again(&path);
        }
        let dir = project();
        text(&recovery(dir.path(), &["journal", "import", path.to_str().unwrap()], ""));
        let out = recovery(dir.path(), &["journal", "replay"], "");
        assert_eq!(out.status.code(), Some(0), "{}: {}", path.display(), String::from_utf8_lossy(&out.stdout));
        let again = recovery(dir.path(), &["journal", "export"], "");
        assert_eq!(text(&again), std::fs::read_to_string(&path).unwrap(), "hashes and bytes are kept");
        replayed += 1;
    }
    assert!(replayed >= 2);
}

/// The same events at the same times, decided by today's rules.
fn record_again(path: &Path) {
    use recovery_engine::{Engine, Entry, PackName, TaskState};
    use recovery_store::{JournalExt as _, NewRecord, SqliteJournal, export};
    let dir = tempfile::tempdir().unwrap();
    let open = |name: &str| SqliteJournal::open_in(&dir.path().join(name), recovery_store::DEFAULT_WAIT).unwrap();
    let (mut old, mut new) = (open("old"), open("new"));
    export::import(&mut old, &mut std::fs::read(path).unwrap().as_slice()).unwrap();
    for summary in recovery_store::JournalExt::tasks(&old).unwrap() {
        let (mut state, mut engine) = (TaskState::default(), Engine::new(PackName::Field));
        let settings = engine.ladder.clone();
        for record in recovery_store::Journal::records(&old, &summary.task, 1).unwrap() {
            let mut body = record.body;
            if let Ok(mut entry) = serde_json::from_str::<Entry>(&body) {
                if let Entry::Decided { event, observed, decision, policy, .. } = &mut entry {
                    engine.ladder = policy.as_deref().unwrap_or(&settings).clone();
                    **decision = engine.decide(&decision.task, &state, event, observed.as_deref(), decision.at);
                }
                state.apply(&entry);
                body = serde_json::to_string(&entry).unwrap();
            }
            let (at, kind, content_id) = (record.at, record.kind, record.content_id);
            new.append(&record.task, NewRecord { at, kind, content_id, body }).unwrap();
        }
    }
    let mut lines = Vec::new();
    export::export(&new, None, &mut lines).unwrap();
    std::fs::write(path, lines).unwrap();
}

#[test]
fn control_characters_survive_export_and_import() {
    let dir = project();
    fail(dir.path(), "t", "\u{1b}[31mboom\u{7f}\u{9b}\u{202e} é\n");
    let export = text(&recovery(dir.path(), &["journal", "export"], ""));
    assert!(!export.contains(['\u{7f}', '\u{9b}', '\u{202e}', '\u{1b}']));
    let file = dir.path().join("export.jsonl");
    std::fs::write(&file, &export).unwrap();
    assert_eq!(recovery(dir.path(), &["journal", "verify", "export.jsonl"], "").status.code(), Some(0));
    let other = project();
    text(&recovery(other.path(), &["journal", "import", file.to_str().unwrap()], ""));
    assert_eq!(text(&recovery(other.path(), &["journal", "export"], "")), export);
    std::fs::write(&file, export.replacen("boom", "bOom", 1)).unwrap();
    let out = recovery(dir.path(), &["journal", "verify", "export.jsonl"], "");
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stdout).contains("line 1"), "{out:?}");
}

#[test]
fn the_same_event_again_is_the_same_record() {
    let dir = project();
    let event = json!({"id": "toolu_1", "exit_code": 1, "stderr_tail": "odd"}).to_string();
    let first = text(&recovery(dir.path(), &["decide", "--event", "--format", "json"], &event));
    assert_eq!(text(&recovery(dir.path(), &["decide", "--event", "--format", "json"], &event)), first);
    assert_eq!(lines(&recovery(dir.path(), &["journal", "export"], "")).len(), 1);
    let learnt = std::fs::read_to_string(dir.path().join(".recovery/learnings.md")).unwrap();
    assert_eq!(learnt.matches("no rule knew").count(), 1);
}

#[test]
fn a_bad_line_or_task_does_not_stop_the_rest() {
    let dir = project();
    let input = "{\"exit_code\":1,\"node\":{\"id\":\"a\"}}\nnot json\n{\"exit_code\":1,\"node\":{\"id\":\"\"}}\n[1]\n{\"exit_code\":1}\n";
    let out = recovery(dir.path(), &["decide", "--ndjson"], input);
    assert_eq!(out.status.code(), Some(0));
    let answers = lines(&out);
    assert_eq!(answers.iter().map(|a| a["line"].as_u64()).collect::<Vec<_>>(), [None, Some(2), Some(3), Some(4), None]);
    assert_eq!((&answers[0]["task"], &answers[4]["task"]), (&json!("a"), &json!("default")));
}

#[test]
fn closed_tasks_are_archived_and_brought_back() {
    let dir = project();
    fail(dir.path(), "done", "read ECONNRESET");
    text(&recovery(dir.path(), &["resolve", "done", "--reason", "it works"], ""));
    fail(dir.path(), "open", "read ECONNRESET");
    let before = text(&recovery(dir.path(), &["journal", "export", "--task", "done"], ""));
    let out = recovery(dir.path(), &["journal", "archive"], "");
    assert!(String::from_utf8_lossy(&out.stderr).contains("keep_days"), "{out:?}");
    let none = text(&recovery(dir.path(), &["journal", "archive", "--before", "2001-01-31"], ""));
    assert_eq!(none, "nothing to archive: no closed task is that old\n");
    let out = recovery(dir.path(), &["journal", "archive", "--before", "2999-01-31", "--format", "json"], "");
    let answer = &lines(&out)[0];
    assert_eq!((&answer["tasks"], &answer["records"]), (&json!(1), &json!(2)));
    let file = answer["file"].as_str().unwrap();
    assert_eq!(recovery(dir.path(), &["journal", "export", "--task", "done"], "").status.code(), Some(1));
    text(&recovery(dir.path(), &["journal", "verify"], ""));
    text(&recovery(dir.path(), &["journal", "verify", file], ""));
    text(&recovery(dir.path(), &["journal", "import", file], ""));
    assert_eq!(text(&recovery(dir.path(), &["journal", "export", "--task", "done"], "")), before);
    // A task that went on since it was archived has another record 1: its archive is read beside the journal.
    let out = text(&recovery(dir.path(), &["journal", "archive", "--before", "2999-01-31"], ""));
    assert!(out.starts_with("1 task (2 records) moved to "), "{out}");
    let file = out.lines().next().unwrap().rsplit(' ').next().unwrap();
    fail(dir.path(), "done", "read ETIMEDOUT");
    let refused = recovery(dir.path(), &["journal", "import", file], "");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--state-dir DIR"), "{refused:?}");
    text(&recovery(dir.path(), &["--state-dir", "old", "journal", "import", file], ""));
    let old = text(&recovery(dir.path(), &["--state-dir", "old", "journal", "export", "--task", "done"], ""));
    assert_eq!(old, before);
}

/// A task of which a newer program recorded everything is not called sound, and not unknown.
#[test]
fn what_a_newer_program_recorded_is_said_to_be_missing() {
    let dir = project();
    let newer = NewRecord {
        at: Timestamp::from_ms(1_000),
        kind: RecordKind::from_name("of_tomorrow").unwrap(),
        content_id: None,
        body: "{}".to_owned(),
    };
    let mut journal = SqliteJournal::open_in(&dir.path().join(".recovery"), DEFAULT_WAIT).unwrap();
    journal.append(&TaskId::new("t").unwrap(), newer).unwrap();
    drop(journal);
    for command in ["status", "hints"] {
        let shown = text(&recovery(dir.path(), &[command, "t"], ""));
        assert!(shown.contains("t: 1 record of a newer recovery could not be read"), "{command}: {shown}");
    }
}

#[test]
fn a_dry_run_says_what_the_real_one_does_and_records_nothing() {
    let dir = project();
    let dry = recovery(dir.path(), &["decide", "--task", "t", "--dry-run", "--format", "json"], "ETIMEDOUT");
    let dry: Value = serde_json::from_str(&text(&dry)).unwrap();
    assert!(!dir.path().join(".recovery").exists());
    let real = fail(dir.path(), "t", "ETIMEDOUT");
    assert_eq!(dry["record"], Value::Null);
    assert_eq!((&dry["next"], &dry["diagnosis"]), (&real["next"], &real["diagnosis"]));
}

#[test]
fn a_person_settles_what_is_stuck() {
    let dir = project();
    std::fs::write(
        dir.path().join("recovery.toml"),
        "[ladder.nudge]\nvariants = 0\n[ladder.replan]\nplans = 0\n[ladder.fallback]\ntargets = []\n",
    )
    .unwrap();
    let decision = fail(dir.path(), "t", "TypeError: x is not a function");
    assert_eq!(decision["ladder"]["level"], 5);
    assert_eq!(decision["repair"]["strategy"], "ESCALATE", "nothing is left to try");
    assert_eq!(recovery(dir.path(), &["stuck"], "").status.code(), Some(1));
    assert!(text(&recovery(dir.path(), &["hints", "t"], "")).contains("close once it works: recovery resolve t"));
    assert_eq!(recovery(dir.path(), &["reset", "nobody", "--reason", "x"], "").status.code(), Some(1));
    assert_eq!(recovery(dir.path(), &["reset", "t", "--reason", " "], "").status.code(), Some(2));
    text(&recovery(dir.path(), &["resolve", "t", "--reason", "done by hand"], ""));
    assert_eq!(recovery(dir.path(), &["stuck"], "").status.code(), Some(0));
    assert!(text(&recovery(dir.path(), &["status"], "")).contains("resolved"));
    let shown = text(&recovery(dir.path(), &["journal", "show"], ""));
    assert!(shown.contains("done by hand"), "{shown}");
}

#[test]
fn the_report_is_one_page_that_runs_nothing() {
    let dir = project();
    fail(dir.path(), "<script>t", "read ECONNRESET <img src=x>");
    recovery(dir.path(), &["decide", "--task", "<script>t", "--exit-code", "0"], "");
    let report: Value =
        serde_json::from_str(&text(&recovery(dir.path(), &["report", "--format", "json"], ""))).unwrap();
    assert_eq!((&report["failures"], &report["flaky"]), (&json!(1), &json!(["<script>t"])));
    text(&recovery(dir.path(), &["report", "--html", "r.html"], ""));
    let page = std::fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert_eq!(page.matches("<script").count(), 1, "the filter's own");
    assert!(!page.contains("<img") && !page.contains("http") && !page.contains("src=\""), "self-contained");
    assert!(page.contains("&lt;script&gt;t") && page.contains("flaky"));
}

#[test]
fn another_systems_history_is_read() {
    let dir = project();
    let history = json!({"subtasks": {"sub-1": {"attempts": [
        {"session": 1, "timestamp": "2026-01-01T00:00:00", "approach": "one way", "success": false, "error": "boom"}],
        "status": "failed"}}, "stuck_subtasks": [{"subtask_id": "sub-1", "reason": "three times"}]});
    std::fs::write(dir.path().join("attempt_history.json"), history.to_string()).unwrap();
    text(&recovery(dir.path(), &["journal", "import", "attempt_history.json"], ""));
    let out = recovery(dir.path(), &["stuck", "--format", "json"], "");
    assert_eq!(lines(&out)[0]["task"], "sub-1");
    assert!(text(&recovery(dir.path(), &["hints", "sub-1"], "")).contains("one way"));
    let out = recovery(dir.path(), &["journal", "import"], "neither this nor that");
    assert_eq!(out.status.code(), Some(2));
}
