//! The histories of other systems become records.

use recovery_store::foreign::{Defaults, Imported, Source, attempt_history, build_commits, history_lines, store};
use recovery_store::{Adopted, Journal as _, JournalExt as _, MemoryJournal, RecordKind, TaskId};
use recovery_types::Timestamp;

/// The shape that the failure-type document tracks attempts in, as its programs write it: indented, local times
/// without a zone.
const ATTEMPTS: &str = r#"{
  "subtasks": {
    "subtask-002": {
      "attempts": [
        {
          "session": 1,
          "timestamp": "2026-01-24T10:00:00.123456",
          "approach": "parse with a grammar",
          "success": false,
          "error": "Test failed: expected 3 got 4"
        },
        {
          "session": 2,
          "timestamp": "2026-01-24T10:15:00+00:00",
          "approach": "parse by hand",
          "success": true,
          "error": null
        }
      ],
      "status": "completed"
    },
    "subtask-001": {"attempts": [], "status": "pending"}
  },
  "stuck_subtasks": [
    {"subtask_id": "subtask-003", "reason": "Circular fix", "escalated_at": "2026-01-24T11:00:00", "attempt_count": 3},
    "subtask-004"
  ],
  "metadata": {"created_at": "2026-01-24T09:00:00", "last_updated": "2026-01-24T11:00:00"}
}"#;

#[test]
fn attempts_and_who_is_stuck() {
    let entries = attempt_history(ATTEMPTS, &defaults(None)).unwrap();
    let shown: Vec<_> = entries
        .iter()
        .map(|(task, record)| {
            let body: Imported = serde_json::from_str(&record.body).unwrap();
            assert_eq!(body.source, Source::AttemptHistory);
            let entry = body.entry;
            (task.to_string(), record.at.to_string(), entry.event.unwrap(), entry.approach, entry.stderr_tail)
        })
        .collect();
    insta::assert_debug_snapshot!(shown);
    // What we have no word for is kept.
    assert!(entries[0].1.body.contains(r#""session":1"#), "{}", entries[0].1.body);
}

#[test]
fn good_commits_become_checkpoints() {
    let text = r#"{"commits":[{"hash":"abc123","subtask_id":"subtask-1","timestamp":"2026-01-24T10:00:00"}],
        "last_good_commit":"abc123","metadata":{}}"#;
    let entries = build_commits(text, &defaults(None)).unwrap();
    let [(task, record)] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!((task.as_str(), &record.kind), ("subtask-1", &RecordKind::Checkpoint));
    assert_eq!(record.body, r#"{"commit":"abc123","source":"build_commits"}"#);
}

#[test]
fn history_lines_keep_their_fields() {
    let text = concat!(
        r#"{"ts":"2026-01-24T10:00:00Z","node":"TASK-00101","parent":"STORY-0042","event":"execution_failed","#,
        r#""exit_code":1,"stderr_hash":"5e","approach":"x","files_touched":["./src/a.rs"],"extra":7}"#,
        "\n\n",
        r#"{"event":"replanned"}"#,
        "\n"
    );
    let entries = history_lines(text, &defaults(Some("TASK-9"))).unwrap();
    let bodies: Vec<Imported> = entries.iter().map(|(_, record)| serde_json::from_str(&record.body).unwrap()).collect();
    assert_eq!(entries[0].0.as_str(), "TASK-00101");
    assert_eq!(bodies[0].entry.parent.as_deref(), Some("STORY-0042"));
    assert_eq!(bodies[0].entry.files_touched[0].as_str(), "src/a.rs");
    assert_eq!(bodies[0].entry.ts, Some("2026-01-24T10:00:00Z".parse().unwrap()));
    assert!(bodies[0].original.get().contains(r#""extra":7"#));
    assert_eq!((entries[1].0.as_str(), entries[1].1.at), ("TASK-9", Timestamp::from_ms(5)));
}

#[test]
fn a_file_that_has_grown_adds_what_is_new() {
    let mut journal = MemoryJournal::default();
    // Two attempts that read the same are two attempts.
    let line = r#"{"node":"a","event":"execution_failed","exit_code":1}"#;
    let two = format!("{line}\n{line}\n");
    let read = |text: &str| history_lines(text, &defaults(None)).unwrap();
    assert_eq!(store(&mut journal, read(&two)).unwrap(), Adopted { new: 2, known: 0 });
    assert_eq!(store(&mut journal, read(&two)).unwrap(), Adopted { new: 0, known: 2 });
    assert_eq!(store(&mut journal, read(&format!("{two}{line}\n"))).unwrap(), Adopted { new: 1, known: 2 });
    assert_eq!(journal.all().unwrap().len(), 3);
    store(&mut journal, attempt_history(ATTEMPTS, &defaults(None)).unwrap()).unwrap();
    assert!(journal.verify().unwrap().is_sound());
    assert_eq!(journal.tasks().unwrap().len(), 4);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let attempts = |text: &str| attempt_history(text, &defaults(None)).unwrap_err().to_string();
    let cases = [
        attempts("{\"subtasks\": {\"s\": {\"attempts\": 7}}}"),
        attempts("{\"subtasks\": {\"s\": {\"attempts\": [{\"success\": \"no\"}]}}}"),
        attempts("{\"subtasks\": {\"s\": {\"attempts\": [{\"timestamp\": \"yesterday\"}]}}}"),
        attempts("{\"subtasks\": {\"\": {\"attempts\": [{}]}}}"),
        attempts("{\"stuck_subtasks\": [{\"reason\": \"x\"}]}"),
        attempts("{"),
        attempts("{\n  \"subtasks\": {}\n}\n{}"),
        build_commits("{\"commits\": [{\"subtask_id\": \"s\"}]}", &defaults(None)).unwrap_err().to_string(),
        history_lines("{\"event\":\"x\",\"node\":\"a\"}\n{\"node\":\"a\",\"exit_code\":\"1\"}\n", &defaults(None))
            .unwrap_err()
            .to_string(),
        history_lines("{\"event\":\"x\"}\n", &defaults(None)).unwrap_err().to_string(),
        history_lines("{\"node\":\"a\",\"ts\":7}\n", &defaults(None)).unwrap_err().to_string(),
        history_lines("{\"node\":\"a\"}\n", &defaults(None)).unwrap_err().to_string(),
        history_lines("not json\n", &defaults(None)).unwrap_err().to_string(),
    ];
    insta::assert_debug_snapshot!(cases);
}

#[test]
fn shapes_are_told_apart() {
    let export = r#"{"v":1,"task":"a","seq":1,"at":"2026-01-24T10:00:00.000Z","kind":"note","content_id":null,"body":1,"prev":"","hash":""}"#;
    let cases = [
        (ATTEMPTS, Some(Source::AttemptHistory)),
        (r#"{"subtasks":{}}"#, Some(Source::AttemptHistory)),
        (r#"{"commits":[]}"#, Some(Source::BuildCommits)),
        ("{\"event\":\"x\"}\n{\"event\":\"y\"}\n", Some(Source::HistoryLines)),
        (export, Some(Source::Export)),
        ("{\"subtasks\": {,}}", Some(Source::AttemptHistory)),
        ("{\"event\": x}", Some(Source::HistoryLines)),
        (&export[..100], Some(Source::HistoryLines)),
        (&export[..export.len() - 1], Some(Source::Export)),
        ("", None),
        ("[1]", None),
        ("<html>", None),
    ];
    for (text, source) in cases {
        assert_eq!(Source::of(text), source, "{text}");
    }
}

fn defaults(task: Option<&str>) -> Defaults {
    Defaults { task: task.map(|name| TaskId::new(name).unwrap()), at: Timestamp::from_ms(5) }
}
