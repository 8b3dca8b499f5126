//! The state directory in conditions it may be found in: every command that reads it reports what is wrong with it, and a
//! hook never blocks the agent.

mod common;

use common::recovery;
use std::path::Path;
use std::process::Output;

/// Commands that read the journal.
const READERS: [&[&str]; 11] = [
    &["status"],
    &["status", "x"],
    &["hints", "x"],
    &["stuck"],
    &["journal", "show"],
    &["journal", "export"],
    &["journal", "replay"],
    &["report"],
    &["decide", "--exit-code", "1", "--task", "x"],
    &["decide", "--exit-code", "1", "--task", "x", "--dry-run"],
    &["resolve", "x", "--reason", "y"],
];

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn hook(dir: &Path, event: &str) -> Output {
    let payload = serde_json::json!({
        "session_id": "s", "cwd": dir, "hook_event_name": event, "tool_name": "Bash", "tool_use_id": "t1",
        "tool_input": {"command": "npm test"}, "error": "Exit code 1\nboom", "source": "startup",
    });
    let fire = || recovery(dir, &["hook", "claude-code"], payload.to_string().as_bytes());
    // On a busy machine a hook keeps its limit of one second and prints nothing at all.
    (0..5).map(|_| fire()).find(|out| !out.stderr.is_empty()).unwrap_or_else(fire)
}

/// Every command refuses, with these words; `verify` is the exit code of `journal verify`.
fn refused_everywhere(dir: &Path, words: &str, verify: i32) {
    for args in READERS {
        let out = recovery(dir, args, b"boom");
        assert_eq!(out.status.code(), Some(2), "{args:?}: {out:?}");
        assert!(said(&out.stderr).contains(words), "{args:?}: {out:?}");
    }
    // A command that is run is not held back by a journal that cannot be written.
    let out = recovery(dir, &["run", "--task", "x", "--", "sh", "-c", "echo ran; exit 5"], b"");
    assert_eq!((out.status.code(), said(&out.stdout).as_str()), (Some(5), "ran\n"), "{out:?}");
    assert_eq!(said(&out.stderr).matches(words).count(), 1, "{out:?}");
    let out = recovery(dir, &["doctor"], b"");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    assert!(said(&out.stdout).contains("no journal "), "{out:?}");
    let out = recovery(dir, &["journal", "verify"], b"");
    assert_eq!(out.status.code(), Some(verify), "{out:?}");
    for event in ["PostToolUseFailure", "SessionStart", "Stop"] {
        let out = hook(dir, event);
        assert!(out.status.success() && out.stdout.is_empty(), "{event}: {out:?}");
        assert!(said(&out.stderr).contains(words), "{event}: {out:?}");
    }
}

#[test]
fn a_file_instead_of_the_state_directory() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(".recovery"), "mine").unwrap();
    refused_everywhere(dir.path(), ".recovery: this is no directory", 2);
    assert_eq!(std::fs::read_to_string(dir.path().join(".recovery")).unwrap(), "mine");
}

#[test]
fn a_directory_instead_of_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join(".recovery/journal.db")).unwrap();
    refused_everywhere(dir.path(), "journal.db: this is not a recovery journal (a directory)", 2);
}

#[test]
fn another_file_instead_of_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    let journal = dir.path().join(".recovery/journal.db");
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    std::fs::write(&journal, "remember the milk, ".repeat(100)).unwrap();
    refused_everywhere(dir.path(), "journal.db: this is not a recovery journal (no SQLite database)", 2);
    assert!(std::fs::read_to_string(&journal).unwrap().starts_with("remember the milk"));
}

#[test]
fn a_truncated_journal() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".recovery")).unwrap();
    for failure in ["boom", "bang"] {
        assert!(
            recovery(dir.path(), &["decide", "--exit-code", "1", "--task", "x"], failure.as_bytes()).status.success()
        );
    }
    let [journal, log, index] =
        ["journal.db", "journal.db-wal", "journal.db-shm"].map(|name| dir.path().join(".recovery").join(name));
    // The first page alone, as an interrupted copy leaves it. It is still in SQLite's log: a header, then frames.
    let frames = std::fs::read(&log).unwrap();
    let first_page = frames[32..].chunks_exact(24 + 4096).rfind(|frame| frame[..4] == [0, 0, 0, 1]).unwrap();
    std::fs::write(&journal, &first_page[24..]).unwrap();
    let _ = std::fs::remove_file(log);
    let _ = std::fs::remove_file(index);
    for args in READERS.iter().take(8) {
        let out = recovery(dir.path(), args, b"");
        assert_eq!(out.status.code(), Some(2), "{args:?}: {out:?}");
        assert!(said(&out.stderr).contains("the journal is damaged"), "{args:?}: {out:?}");
    }
    let out = recovery(dir.path(), &["doctor"], b"");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let out = recovery(dir.path(), &["journal", "verify"], b"");
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let all = said(&out.stdout) + &said(&out.stderr);
    assert!(all.contains("the file is damaged") && all.contains("journal import"), "{all}");
    assert!(!all.contains("journal verify"), "a hint that leads back here: {all}");
    let out = recovery(dir.path(), &["journal", "verify", "--format", "json"], b"");
    let found: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(found["faults"].as_array().map(Vec::len), Some(1), "{found}");

    // Whoever records goes on in a new file, reports that once, and leaves the damaged one as it is.
    let damaged = std::fs::read(&journal).unwrap();
    let out = recovery(dir.path(), &["decide", "--exit-code", "1", "--task", "x"], b"boom");
    assert!(out.status.success(), "{out:?}");
    let all = said(&out.stderr);
    assert!(all.contains("the journal is damaged") && all.contains("2 acknowledged records are missing"), "{all}");
    assert!(std::fs::read(dir.path().join(".recovery/journal.damaged-1")).unwrap() == damaged);
    let out = recovery(dir.path(), &["decide", "--exit-code", "1", "--task", "x"], b"bang");
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    assert!(recovery(dir.path(), &["journal", "verify"], b"").status.success());
}

/// Each way in which records get lost without SQLite minding.
#[test]
fn what_was_recorded_is_not_lost_in_silence() {
    type Loss = (&'static str, fn(&Path));
    let losses: [Loss; 3] = [
        ("the log is deleted", |state| std::fs::remove_file(state.join("journal.db-wal")).unwrap()),
        ("the journal is deleted", |state| {
            for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
                let _ = std::fs::remove_file(state.join(name));
            }
        }),
        ("the journal is emptied", |state| {
            std::fs::write(state.join("journal.db"), "").unwrap();
            let _ = std::fs::remove_file(state.join("journal.db-wal"));
        }),
    ];
    for (name, lose) in losses {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
        for failure in ["boom", "bang"] {
            assert!(
                recovery(dir.path(), &["decide", "--exit-code", "1", "--task", "x"], failure.as_bytes())
                    .status
                    .success()
            );
        }
        lose(&dir.path().join(".recovery"));
        let out = recovery(dir.path(), &["journal", "verify"], b"");
        assert_eq!(out.status.code(), Some(1), "{name}: {out:?}");
        assert!(said(&out.stdout).contains("acknowledged and lost"), "{name}: {out:?}");
        assert_eq!(recovery(dir.path(), &["doctor"], b"").status.code(), Some(1), "{name}");
        let out = recovery(dir.path(), &["decide", "--exit-code", "1", "--task", "x"], b"boom");
        assert!(out.status.success(), "{name}: {out:?}");
        assert!(said(&out.stderr).contains("2 acknowledged records are missing"), "{name}: {out:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_state_directory_that_leads_nowhere() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
    std::os::unix::fs::symlink(".recovery", dir.path().join(".recovery")).unwrap();
    refused_everywhere(dir.path(), ".recovery: this state directory is not used: it is a symbolic link", 2);
}

/// Outside a project nothing is left in the folder: the record goes to the user's state directory, which is reported once.
#[test]
fn without_a_project_the_state_is_the_users() {
    let (folder, states) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let decide = || {
        std::process::Command::new(env!("CARGO_BIN_EXE_recovery"))
            .current_dir(folder.path())
            .env("XDG_STATE_HOME", states.path())
            .args(["decide", "--exit-code", "1", "--task", "x", "/dev/null"])
            .output()
            .unwrap()
    };
    let (first, second) = (decide(), decide());
    assert!(first.status.code().is_some_and(|code| code < 2), "{first:?}");
    assert_eq!(said(&first.stderr).matches("its record is kept in").count(), 1, "{first:?}");
    assert!(!said(&second.stderr).contains("its record is kept in"), "{second:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let record = std::fs::read_dir(states.path().join("recovery")).unwrap().next().unwrap().unwrap();
    assert!(record.path().join("journal.db").exists());
}
