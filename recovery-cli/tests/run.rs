//! `recovery run` with real children: what passes through, what is limited, what is left behind.

use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TRANSIENT: &str = "echo 'Error: read ECONNRESET' >&2; exit 1";
const COMPILE: &str = "echo 'error[E0308]: mismatched types' >&2; exit 3";

/// A project whose ladder does not keep a test waiting.
struct Project {
    dir: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap() };
        project.write("recovery.toml", "[ladder.retry]\nfirst_backoff_ms = 5\n");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_recovery"));
        command.current_dir(self.dir.path()).args(args).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn recovery(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The last record of a task.
    fn last_record(&self, task: &str) -> String {
        let out = self.recovery(&["journal", "show", "--task", task, "--last", "2", "--format", "json"]);
        text(&out.stdout)
    }

    /// Waits until a child has written its process id.
    fn pid(&self, name: &str) -> i32 {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(pid) = self.read(name).strip_suffix('\n').and_then(|pid| pid.parse().ok()) {
                return pid;
            }
            assert!(Instant::now() < until, "{name} was never written");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn code(out: &Output) -> i32 {
    out.status.code().unwrap()
}

fn is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn signal(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

#[test]
fn a_flaky_command_works_on_the_third_try_and_is_called_flaky() {
    let project = Project::new();
    let script = format!("echo x >> tries; echo try; [ $(wc -l < tries) -ge 3 ] || {{ {TRANSIENT}; }}");
    let out = project.recovery(&["run", "--task", "t", "--", "sh", "-c", &script]);
    assert_eq!((code(&out), text(&out.stdout)), (0, "try\n".repeat(3)));
    let err = text(&out.stderr);
    assert!(err.contains("recovery: worked on retry 2 (flaky)"), "{err}");
    assert_eq!(err.matches("ECONNRESET\n").count(), 2, "{err}");
}

#[test]
fn a_compile_error_is_not_retried_and_keeps_its_exit_code() {
    let project = Project::new();
    let script = format!("echo x >> tries; {COMPILE}");
    let out =
        project.recovery(&["run", "--task", "t", "--step", "build", "--result", "r.json", "--", "sh", "-c", &script]);
    assert_eq!((code(&out), project.read("tries").lines().count()), (3, 1));
    assert_eq!(text(&out.stdout), "", "standard output is the command's own");
    let report: Value = serde_json::from_str(&project.read("r.json")).unwrap();
    assert_eq!((&report["status"], &report["failedAt"]), (&"partial".into(), &"build".into()));
    assert!(project.last_record("t").contains(r#""passed_over":[2,3,4]"#), "{}", project.last_record("t"));
    assert!(project.read(".recovery/issues.md").contains("compile_error"));
}

#[test]
fn a_rate_limit_is_waited_out() {
    let project = Project::new();
    let limited = "echo 'Error 429: rate limit reached, please try again in 400ms' >&2; exit 1";
    let script = format!("date +%s%N >> starts; [ $(wc -l < starts) -ge 2 ] || {{ {limited}; }}");
    let out = project.recovery(&["run", "--", "sh", "-c", &script]);
    assert_eq!(code(&out), 0, "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("(the server asked for it)"), "{}", text(&out.stderr));
    let starts: Vec<u64> = project.read("starts").lines().map(|line| line.parse().unwrap()).collect();
    assert!(starts[1] - starts[0] >= 400_000_000, "{starts:?}");
}

#[test]
fn a_hang_is_ended_at_its_limit_with_everyone_it_started() {
    let project = Project::new();
    let deaf = "trap '' TERM HUP; while :; do sleep 0.02; done";
    project.write("deaf.sh", deaf);
    project.write(
        "hang.sh",
        &format!(
            "[ -e seen ] || {{ touch seen; {TRANSIENT}; }}\n\
             sh deaf.sh & echo $! > grandchild; setsid sh deaf.sh & echo $! > escaped; echo $$ > child; {deaf}"
        ),
    );
    let args = ["run", "--task", "t", "--limit", "retry=600ms", "--grace", "50ms", "--result", "r.json", "--"];
    let out = project.recovery(&[&args[..], &["sh", "hang.sh"]].concat());
    assert_eq!(code(&out), 124, "{}", text(&out.stderr));
    assert!(out.stdout.is_empty(), "the result goes to its file");
    let report: Value = serde_json::from_str(&project.read("r.json")).unwrap();
    assert_eq!(report["escalationPath"], serde_json::json!([1, 5]));
    assert_eq!(
        report["failureReason"],
        "the time limit passed; last error: it ran past the time limit of level 1 (retry) and was stopped"
    );
    assert!(report["recommendation"].as_str().unwrap().starts_with("Give it more time"), "{report}");
    for name in ["child", "grandchild", "escaped"] {
        assert!(!is_alive(project.pid(name)), "the {name} survived");
    }
}

#[test]
fn the_budget_ends_a_hang_in_the_first_run() {
    let project = Project::new();
    let script = "echo $$ > child; echo working; sleep 60";
    let out =
        project.recovery(&["run", "--task", "t", "--budget", "150ms", "--result", "r.json", "--", "sh", "-c", script]);
    assert_eq!(code(&out), 124, "{}", text(&out.stderr));
    assert!(!is_alive(project.pid("child")));
    assert_eq!(text(&out.stdout), "working\n", "standard output is the command's own");
    let report: Value = serde_json::from_str(&project.read("r.json")).unwrap();
    let (reason, next) = (report["failureReason"].as_str().unwrap(), report["recommendation"].as_str().unwrap());
    assert!(reason.ends_with("it ran past the time budget and was stopped"), "{reason}");
    assert!(next.starts_with("Give it more time"), "{next}");
    assert!(text(&out.stderr).contains("recovery: it ran past the time budget and was stopped\n"));
    let record = project.last_record("t");
    assert!(record.contains("it ran past the time budget") && !record.contains("network_timeout"), "{record}");
}

#[test]
fn a_flood_needs_constant_memory() {
    let project = Project::new();
    // The child tells how much memory its parent, which is us, ever had.
    let peak = |bytes: usize| -> u64 {
        let script = format!("head -c {bytes} /dev/zero | tr '\\0' x; grep VmHWM /proc/$PPID/status >&2");
        let out = project.recovery(&["run", "--quiet", "--", "sh", "-c", &script]);
        assert_eq!((code(&out), out.stdout.len()), (0, bytes));
        let kb = text(&out.stderr).split_whitespace().nth(1).and_then(|kb| kb.parse().ok());
        kb.unwrap()
    };
    // Both fill every buffer on a busy machine too, so that any growth is growth with the length of the output.
    let (small, large) = (peak(32 << 20), peak(96 << 20));
    assert!(large < small + 4_000, "{small} kB for 32 MiB, {large} kB for 96 MiB");
}

#[test]
fn binary_output_passes_unchanged_on_both_streams() {
    let project = Project::new();
    let bytes: Vec<u8> = (0..200_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    std::fs::write(project.path("bytes"), &bytes).unwrap();
    let out = project.recovery(&["run", "--quiet", "--", "sh", "-c", "cat bytes; cat bytes >&2"]);
    assert_eq!(code(&out), 0);
    assert!(out.stdout == bytes && out.stderr == bytes);
}

#[test]
fn two_streams_into_one_place_keep_their_order() {
    let project = Project::new();
    let script = "for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done";
    let both = std::fs::File::create(project.path("both")).unwrap();
    let mut command = project.command(&["run", "--", "sh", "-c", script]);
    command.stdout(both.try_clone().unwrap()).stderr(both).status().unwrap();
    let expected: String = (1..=9).map(|i| format!("out {i}\nerr {i}\n")).collect();
    assert_eq!(project.read("both"), expected);
}

#[test]
fn a_command_may_close_its_pipes_early() {
    let project = Project::new();
    let out = project.recovery(&["run", "--", "sh", "-c", "echo early; exec >&- 2>&-; sleep 0.05; exit 0"]);
    assert_eq!((code(&out), text(&out.stdout)), (0, "early\n".to_owned()));
}

#[test]
fn who_outlives_the_command_does_not_hold_us_up() {
    let project = Project::new();
    let started = Instant::now();
    let script = "(sleep 0.03; echo late; echo $$ > parent; exec sleep 60) & echo $! > left; echo early";
    // A pipe would stay open as long as who outlives the command, with us as without.
    let written = std::fs::File::create(project.dir.path().join("out.txt")).unwrap();
    let ended = project.command(&["run", "--", "sh", "-c", script]).stdout(written).status().unwrap();
    assert_eq!((ended.code(), project.read("out.txt")), (Some(0), "early\nlate\n".to_owned()));
    assert!(started.elapsed() < Duration::from_secs(30), "we waited for someone who holds the pipe");
    // What a command that works leaves running is meant to run.
    let left = project.pid("left");
    assert!(is_alive(left));
    signal(left.try_into().unwrap(), rustix::process::Signal::KILL);
    // What a command that failed leaves is not.
    let out = project.recovery(&["run", "--", "sh", "-c", "sleep 60 & echo $! > gone; exit 1"]);
    assert_eq!(code(&out), 1);
    assert!(!is_alive(project.pid("gone")));
}

#[test]
fn standard_input_reaches_the_command() {
    let project = Project::new();
    let mut child = project.command(&["run", "--", "cat"]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"from outside\n").unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!((code(&out), text(&out.stdout)), (0, "from outside\n".to_owned()));
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let project = Project::new();
    let mut child = project.command(&["run", "--task", "t", "--", "yes"]).spawn().unwrap();
    let mut first = [0; 2];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let out = child.wait_with_output().unwrap();
    assert_eq!((code(&out), text(&out.stderr)), (141, String::new()));
    assert!(project.last_record("t").contains("nobody reads"));
}

/// The flags that make each level hang, with a file that tells the hanging process.
fn hanging(level: usize) -> (Vec<String>, String) {
    let hang = |at: usize| if at == level { "echo $$ > hanging; exec sleep 60" } else { "exit 1" };
    let first = if level == 0 { hang(0).to_owned() } else { "[ -e seen ] || { touch seen; FAIL; }; RETRY".to_owned() };
    let fail = if level == 1 { TRANSIENT } else { COMPILE };
    let command = first.replace("FAIL", fail).replace("RETRY", hang(1));
    let flags = ["--nudge", hang(2), "--replan", hang(3), "--fallback", hang(4)];
    (flags.map(str::to_owned).to_vec(), command)
}

fn start_hanging(project: &Project, level: usize) -> Child {
    let (flags, command) = hanging(level);
    let mut args = vec!["run", "--task", "t"];
    args.extend(flags.iter().map(String::as_str));
    args.extend(["--", "sh", "-c", &command]);
    project.command(&args).spawn().unwrap()
}

#[test]
fn ctrl_c_at_each_level_reaches_the_command_and_leaves_a_record() {
    use rustix::process::Signal;
    for (level, kill, expected) in [
        (0, Signal::INT, 130),
        (1, Signal::TERM, 143),
        (2, Signal::INT, 130),
        (3, Signal::HUP, 129),
        (4, Signal::INT, 130),
    ] {
        let project = Project::new();
        let child = start_hanging(&project, level);
        let hanging = project.pid("hanging");
        signal(child.id(), kill);
        let out = child.wait_with_output().unwrap();
        assert_eq!(code(&out), expected, "level {level}: {}", text(&out.stderr));
        assert!(!is_alive(hanging), "level {level}");
        let record = project.last_record("t");
        let place = if level == 0 { "at the first run".to_owned() } else { format!("at level {level}") };
        assert!(record.contains("SIG") && record.contains(&place), "level {level}: {record}");
    }
}

#[test]
fn killed_in_the_middle_the_next_run_goes_on_from_there() {
    let project = Project::new();
    let mut child = start_hanging(&project, 2);
    let orphan = project.pid("hanging");
    child.kill().unwrap();
    child.wait().unwrap();
    signal(orphan.try_into().unwrap(), rustix::process::Signal::KILL);
    let before = project.recovery(&["status", "t", "--format", "json"]);
    let before: Value = serde_json::from_slice(&before.stdout).unwrap();
    let args = ["run", "--task", "t", "--format", "json", "--nudge", "true", "--", "sh", "-c", "echo main; exit 1"];
    let out = project.recovery(&args);
    assert_eq!((code(&out), text(&out.stdout)), (0, String::new()), "{}", text(&out.stderr));
    let err = text(&out.stderr);
    let first: Value = serde_json::from_str(err.lines().next().unwrap()).unwrap();
    assert_eq!(first["event"], "continuing", "{err}");
    for field in ["level", "attempt", "deadline"] {
        assert_eq!(first[field], before["ladder"][field], "{field}");
    }
    assert!(err.lines().last().unwrap().contains(r#""outcome":"recovered""#), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_killed_run_left_running_is_ended_before_the_next() {
    let project = Project::new();
    project.write(
        "hang.sh",
        "sleep 60 & echo $! > grandchild; trap '' TERM; echo $$ > child; while :; do sleep 0.02; done",
    );
    let args = ["run", "--task", "t", "--grace", "50ms", "--"];
    let mut first = project.command(&[&args[..], &["sh", "hang.sh"]].concat()).spawn().unwrap();
    let family = ["child", "grandchild"].map(|name| project.pid(name));
    // The command may be faster than the note about it.
    wait_until("the command is on record", || {
        let notes = std::fs::read_dir(project.path(".recovery/running")).unwrap();
        notes.filter_map(|note| std::fs::read_to_string(note.unwrap().path()).ok()).any(|note| note.contains("leader"))
    });
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(family.into_iter().all(is_alive), "nobody is told of a kill -9");
    let out = project.recovery(&[&args[..], &["echo", "again"]].concat());
    assert_eq!((code(&out), text(&out.stdout)), (0, "again\n".to_owned()));
    let err = text(&out.stderr);
    assert!(err.contains("the last run was killed and left its command running (process"), "{err}");
    assert!(!family.into_iter().any(is_alive), "{err}");
    let out = project.recovery(&[&args[..], &["true"]].concat());
    assert_eq!((code(&out), text(&out.stderr)), (0, String::new()), "nothing is left");
}

#[test]
fn a_task_that_is_being_run_is_not_run_twice() {
    let project = Project::new();
    let mut first = start_hanging(&project, 2);
    project.pid("hanging");
    let before = project.last_record("t");
    let out = project.recovery(&["run", "--task", "t", "--quiet", "--", "touch", "ran"]);
    assert_eq!((code(&out), text(&out.stderr)), (69, String::new()), "nothing of ours");
    let out = project.recovery(&["run", "--task", "t", "--", "touch", "ran"]);
    let err = text(&out.stderr);
    assert_eq!((code(&out), project.path("ran").exists()), (69, false), "{err}");
    assert!(err.contains(&format!("busy: process {} is running t; wait for it", first.id())), "{err}");
    let out = project.recovery(&["run", "--task", "t", "--format", "json", "--", "touch", "ran"]);
    let notice: Value = serde_json::from_slice(&out.stderr).unwrap();
    assert_eq!((&notice["event"], &notice["process"]), (&"busy".into(), &first.id().into()));
    assert_eq!(project.last_record("t"), before, "nothing was counted");
    assert_eq!(code(&project.recovery(&["run", "--task", "other", "--", "true"])), 0);
    signal(first.id(), rustix::process::Signal::TERM);
    assert_eq!(first.wait().unwrap().code(), Some(143));
    assert_eq!(code(&project.recovery(&["run", "--task", "t", "--nudge", "true", "--", "false"])), 0);
}

#[test]
fn a_replan_reads_the_story_and_then_the_command_runs_again() {
    let project = Project::new();
    let replan = "cat > stdin.json; cp $RECOVERY_STORY file.json; echo $RECOVERY_LEVEL > level; touch planned";
    let command = format!("[ -e planned ] || {{ {COMPILE}; }}; echo done");
    let args = ["run", "--task", "t", "--approach", "plan a", "--replan", replan, "--", "sh", "-c", &command];
    let out = project.recovery(&args);
    assert_eq!((code(&out), text(&out.stdout)), (0, "done\n".to_owned()), "{}", text(&out.stderr));
    let story: Value = serde_json::from_str(&project.read("stdin.json")).unwrap();
    assert_eq!(story, serde_json::from_str::<Value>(&project.read("file.json")).unwrap());
    assert_eq!((&story["known_bad"][0], &story["last"]["exit_code"]), (&"plan a".into(), &3.into()));
    assert_eq!(project.read("level"), "3\n");
    let left: Vec<_> = std::fs::read_dir(project.path(".recovery")).unwrap().flatten().collect();
    assert!(left.iter().all(|entry| !entry.file_name().to_string_lossy().starts_with("story")), "{left:?}");
}

#[test]
fn a_playbook_has_it_all_in_the_settings() {
    let project = Project::new();
    project.write(
        "recovery.toml",
        "[run.build]\ncommand = ['sh', '-c', 'exit 9']\nnudge = ['exit 1']\nfallback = ['safe=echo safe']\nbudget = '1h'\n",
    );
    let out = project.recovery(&["run", "build"]);
    assert_eq!((code(&out), text(&out.stdout)), (0, "safe\n".to_owned()), "{}", text(&out.stderr));
    assert!(text(&project.recovery(&["status"]).stdout).contains("\nbuild "));
    let out = project.recovery(&["run", "biuld"]);
    assert_eq!(code(&out), 2);
    assert!(text(&out.stderr).contains("recovery.toml has build"), "{}", text(&out.stderr));
    for wrong in [&["run"][..], &["run", "build", "--", "true"], &["run", "--nudge", " ", "--", "true"]] {
        assert_eq!(code(&project.recovery(wrong)), 2, "{wrong:?}");
    }
}

#[test]
fn a_dry_run_runs_nothing_and_leaves_nothing() {
    let project = Project::new();
    let args = ["run", "--dry-run", "--nudge", "b", "--fallback", "x=c", "--", "touch", "touched"];
    let out = text(&project.recovery(&args).stdout);
    let levels: Vec<&str> = out.lines().skip(1).filter(|line| !line.starts_with("      ")).map(str::trim).collect();
    assert_eq!(
        levels,
        [
            "run        once",
            "1 retry      transient errors, after 5 ms, 10 ms, 20 ms, within 30 s",
            "2 nudge      in order, within 5 min",
            "3 replan     passed over: nothing configured",
            "4 fallback   in order, within 20 min",
            "5 force-done hand over what there is, with an explanation",
        ]
    );
    assert!(!project.path("touched").exists() && !project.path(".recovery").exists());
}

#[test]
fn notices_are_lines_of_the_published_schema() {
    let project = Project::new();
    let schema = project.recovery(&["schema", "run-notice"]);
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let valid = jsonschema::validator_for(&schema).unwrap();
    let out = project.recovery(&["run", "--format", "json", "--nudge", "exit 1", "--", "sh", "-c", TRANSIENT]);
    assert_eq!(code(&out), 1, "the command's own");
    let err = text(&out.stderr);
    let notices = err.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap());
    let notices: Vec<Value> = notices.collect();
    for notice in &notices {
        assert!(valid.is_valid(notice), "{notice}");
    }
    let starts = notices.iter().filter(|notice| notice["event"] == "started").count();
    assert_eq!((starts, notices.last().unwrap()["outcome"].as_str()), (5, Some("force_done")));
}

#[test]
fn a_command_that_cannot_be_started_has_the_shells_exit_code() {
    let project = Project::new();
    let out = project.recovery(&["run", "--", "no-such-command-anywhere"]);
    assert_eq!(code(&out), 127, "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("Command not found: no-such-command-anywhere"));
    let out = project.recovery(&["run", "--", "./recovery.toml"]);
    assert_eq!(code(&out), 126, "{}", text(&out.stderr));
    let out = project.recovery(&["run", "--", "./nofile.sh"]);
    assert_eq!(code(&out), 127, "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("correct the path ./nofile.sh,"), "{}", text(&out.stderr));
    // The script is there, what its first line names is not.
    for (line, interpreter, next) in [
        ("#!/nosuch/sh -e", "/nosuch/sh", "install /nosuch/sh, or correct the first line of the script"),
        ("#! /bin/sh\r", "/bin/sh^M", "give the script Unix line endings"),
    ] {
        project.write("script.sh", &format!("{line}\n"));
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(project.path("script.sh"), mode).unwrap();
        let out = project.recovery(&["run", "--", "./script.sh"]);
        let err = text(&out.stderr);
        assert_eq!(code(&out), 126, "{err}");
        assert!(err.contains(&format!("Command not found: {interpreter}\n")) && err.contains(next), "{err}");
    }
}

#[test]
fn what_a_run_decided_can_be_replayed() {
    let project = Project::new();
    let args = ["run", "--nudge", "exit 1", "--fallback", "exit 1", "--budget", "1h", "--", "sh", "-c", TRANSIENT];
    assert_eq!(code(&project.recovery(&args)), 1, "the command's own");
    let replay = project.recovery(&["journal", "replay"]);
    assert_eq!(code(&replay), 0, "{}", text(&replay.stdout));
}

#[test]
fn a_command_needs_no_dashes_and_retries_have_their_usual_meaning() {
    let project = Project::new();
    let out = project.recovery(&["run", "ls", "-a"]);
    assert_eq!(code(&out), 0, "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("..\n"), "{}", text(&out.stdout));
    let script = "echo x >> tries; [ $(wc -l < tries) -ge 3 ] || exit 7";
    let out = project.recovery(&["run", "--retries", "4", "--delay", "1ms", "--max-delay", "2ms", "sh", "-c", script]);
    assert_eq!((code(&out), project.read("tries").lines().count()), (0, 3), "{}", text(&out.stderr));
    let args = ["run", "--retries", "9", "--delay", "9s", "--limit", "retry=10s", "--", "true"];
    let out = project.recovery(&args);
    assert_eq!(code(&out), 2);
    assert!(text(&out.stderr).contains("raise --limit retry, or lower --retries"), "{}", text(&out.stderr));
    let out = project.recovery(&["run", "--timeout", "200ms", "--", "sleep", "9"]);
    assert_eq!(code(&out), 124, "{}", text(&out.stderr));
    let lines = text(&out.stderr);
    assert!(
        lines.starts_with("recovery: it ran past its timeout of 200 ms and was stopped\nrecovery: retry 1/"),
        "{lines}"
    );
    assert!(lines.contains("recovery: next  give it more time, or find out what it waits for\n"), "{lines}");
    assert!(lines.contains("exit code 124: Timed out: it ran past its timeout of 200 ms and was stopped\n"), "{lines}");
    let hints = text(&project.recovery(&["hints", "sleep"]).stdout);
    assert!(hints.starts_with("Timed out: it ran past its timeout of 200 ms"), "{hints}");
    assert!(!hints.contains("seen "), "notes of other unrecognised errors have nothing to do with it: {hints}");
}

#[test]
fn an_answer_by_exit_code_is_not_called_a_failure() {
    let project = Project::new();
    project.write("a", "all: b.c\n\tcc b.c\n");
    project.write("b", "one\n");
    for command in [&["grep", "nothing", "b"][..], &["diff", "a", "b"], &["test", "-f", "nowhere"]] {
        let out = project.recovery(&[&["run", "--"], command].concat());
        let expected = "recovery: exit code 1 is this command's answer (no match, a difference, not there), no error\n";
        assert_eq!((code(&out), text(&out.stderr)), (1, expected.to_owned()), "{command:?}");
    }
    // An error of the same program is one.
    let out = project.recovery(&["run", "--", "grep", "x", "nowhere"]);
    assert!(text(&out.stderr).contains("failed after 1 run, exit code 2: File not found"), "{}", text(&out.stderr));
}

#[test]
fn a_note_of_another_task_is_quoted_once() {
    let project = Project::new();
    for name in ["nope1", "nope2"] {
        project.recovery(&["run", "--", "cat", name]);
    }
    let hints = text(&project.recovery(&["hints", "run: cat nope2"]).stdout);
    let seen: Vec<&str> = hints.lines().filter(|line| line.starts_with("seen")).collect();
    assert!(seen.len() == 1 && seen[0].matches('"').count() == 2, "{hints}");
}

#[test]
fn a_signal_from_outside_is_named() {
    let project = Project::new();
    let out = project.recovery(&["run", "--", "sh", "-c", "kill -TERM $$"]);
    let shown = text(&out.stderr);
    assert!(shown.contains("exit code 143: stopped from outside by SIGTERM\nrecovery: next  find out what"), "{shown}");
}

/// Until its conflict is settled, repeating a task is no advice, however temporary its failure looks.
#[test]
fn a_task_that_waits_for_a_conflict_names_it() {
    let project = Project::new();
    project.write("event.json", r#"{"exit_code":1,"conflict_id":"C-7","stderr_tail":"two tasks edited a.txt"}"#);
    project.recovery(&["decide", "--event", "--task", "t", "event.json"]);
    let out = project.recovery(&["run", "--task", "t", "--", "sh", "-c", TRANSIENT]);
    let shown = text(&out.stderr);
    let ours: Vec<&str> = shown.lines().filter(|line| line.starts_with("recovery:")).collect();
    assert_eq!(ours.len(), 2, "{shown}");
    assert!(ours[1].contains("(C-7)") && ours[1].contains("`recovery resolve C-7`"), "{shown}");
    assert!(!shown.contains("often passes") && !shown.contains("someone else"), "{shown}");
}

#[test]
fn a_wait_of_hours_is_not_waited_for_without_a_terminal() {
    let project = Project::new();
    let quota = "echo 'You have exceeded your quota; it resets at 2099-01-01T05:00:00Z' >&2; exit 3";
    let out = project.recovery(&["run", "--", "sh", "-c", quota]);
    assert_eq!(code(&out), 75, "{}", text(&out.stderr));
    assert!(text(&out.stderr).contains("(--max-wait): run it again at 2099-01-01 05:00 UTC"), "{}", text(&out.stderr));
    // One line of ours: a retry that does not happen is not announced.
    let limited = "printf 'HTTP/1.1 429 Too Many Requests\\nRetry-After: 600\\n' >&2; exit 22";
    let out = project.recovery(&["run", "--max-wait", "5s", "--", "sh", "-c", limited]);
    let lines = text(&out.stderr);
    let ours: Vec<&str> = lines.lines().filter(|line| line.starts_with("recovery:")).collect();
    assert_eq!((code(&out), ours.len()), (75, 1), "{lines}");
    assert!(ours[0].starts_with("recovery: rate limited (HTTP 429); not waiting 10 min (--max-wait)"), "{lines}");
}

#[test]
fn an_output_that_no_rule_knows_is_not_called_none() {
    let project = Project::new();
    for (script, what, next) in [
        (
            "echo boom; exit 3",
            "no rule knows this output",
            "read the output above; if it names no cause, run it once more (--retries N does)",
        ),
        ("exit 3", "it failed without output", "run it once more with more output, such as its --verbose option"),
    ] {
        let out = project.recovery(&["run", "--", "sh", "-c", script]);
        let expected =
            format!("recovery: failed after 1 run, exit code 3: not recognised: {what}\nrecovery: next  {next}\n");
        assert_eq!((code(&out), text(&out.stderr)), (3, expected), "{script}");
    }
    let out = project.recovery(&["run", "--retries", "1", "--delay", "0", "--", "sh", "-c", "echo boom; exit 3"]);
    assert!(text(&out.stderr).ends_with("recovery: next  read the output above\n"), "{}", text(&out.stderr));
}

#[test]
fn wrong_numbers_and_options_are_explained() {
    let project = Project::new();
    for (args, expected) in [
        (&["--retries", "-1"][..], "a whole number is expected, 0 or more"),
        (&["--retries", "many"], "a whole number is expected, 0 or more"),
        (&["--delay", "5"], "5 has no unit: write 5s for seconds"),
        (&["--no-such"], "`recovery run` has no option --no-such\noptions go before the command"),
        (&["--retrys=3"], "has no option --retrys; did you mean --retries?\noptions go before"),
    ] {
        let out = project.recovery(&[&["run"], args, &["--", "true"]].concat());
        assert_eq!(code(&out), 2, "{args:?}");
        assert!(text(&out.stderr).contains(expected), "{args:?}: {}", text(&out.stderr));
    }
}

#[test]
fn on_github_attempts_fold_and_the_end_is_in_the_summary() {
    let project = Project::new();
    let mut command = project.command(&["run", "--nudge", "echo better", "--", "sh", "-c", TRANSIENT]);
    let out =
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", project.path("summary.md")).output().unwrap();
    let (err, stdout) = (text(&out.stderr), text(&out.stdout));
    assert_eq!((code(&out), stdout.as_str()), (0, "better\n"), "{err}");
    assert!(err.contains("::group::nudge 1: echo better\n") && err.contains("::endgroup::\n"), "{err}");
    assert!(err.contains("::warning title=recovery::worked with nudge 1\n"), "{err}");
    assert!(!err.contains("recovery: worked"), "one line for each decision: {err}");
    assert_eq!(err.matches("nudge 1/1 is next").count(), 1, "one line for each decision: {err}");
    let summary = project.read("summary.md");
    assert!(summary.starts_with("**recovery run** `sh -c ") && summary.contains("> worked with nudge 1"), "{summary}");
}

/// Retries within retries multiply: what the inner run gave up on is not repeated by the outer one, whatever is between them.
#[test]
fn a_run_within_a_run_is_not_repeated() {
    let project = Project::new();
    let recovery = env!("CARGO_BIN_EXE_recovery");
    let counted = format!("echo run >> log; {TRANSIENT}");
    let inner = format!("{recovery} run --task inner -- sh -c '{}'", counted.replace('\'', "'\\''"));
    for between in [inner.clone(), format!("{inner} 2>/dev/null || exit 9")] {
        project.write("log", "");
        let out = project.recovery(&["run", "--task", "outer", "--", "sh", "-c", &between]);
        // Where the outer run does not see the output, its failure is another one, and not retried for itself.
        assert_eq!(project.read("log").lines().count(), 4, "{}", text(&out.stderr));
    }
    let out = project.recovery(&["run", "--task", "outer", "--", "sh", "-c", &inner]);
    let err = text(&out.stderr);
    assert!(err.ends_with("the `recovery run` inside it gave up, so it is not repeated\n"), "{err}");
    assert_eq!(err.matches("recovery: next").count(), 1, "the cause is explained once: {err}");
    // Another failure after an inner run gave up is the outer run's own.
    let other = format!("{recovery} run --task inner -- sh -c 'exit 3'; {TRANSIENT}");
    let out = project.recovery(&["run", "--task", "outer", "--", "sh", "-c", &other]);
    assert!(text(&out.stderr).contains("failed after 4 runs, exit code 1"), "{}", text(&out.stderr));
    let left = std::fs::read_dir(project.path(".recovery")).unwrap().filter_map(Result::ok);
    let left: Vec<_> =
        left.map(|entry| entry.file_name()).filter(|name| name.to_string_lossy().starts_with("inner")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A wait is announced once, with who asked for it; a time-out is called one.
#[test]
fn a_wait_is_one_line_and_a_silent_time_out_has_a_name() {
    let project = Project::new();
    let limited = "echo '429 Too Many Requests: try again in 1 seconds'; exit 1";
    let err = text(&project.recovery(&["run", "--retries", "1", "--", "sh", "-c", limited]).stderr);
    let waits: Vec<&str> = err
        .lines()
        .filter(|line| line.ends_with(" in 1 s (the server asked for it)") || line.contains("waiting"))
        .collect();
    assert_eq!(
        waits,
        ["recovery: rate limited (HTTP 429), temporary; retry 1/1 in 1 s (the server asked for it)"],
        "{err}"
    );
    let err = text(
        &project
            .recovery(&["run", "--timeout", "100ms", "--retries", "0", "--task", "slow", "--", "sleep", "9"])
            .stderr,
    );
    assert!(err.contains("exit code 124: Timed out: it ran past its timeout of 100 ms and was stopped"), "{err}");
    let err = text(&project.recovery(&["run", "--budget", "100ms", "--", "sleep", "9"]).stderr);
    assert!(
        err.ends_with("next  give it more time, or find out what it waits for\n") && !err.contains("temporary"),
        "{err}"
    );
    let status = text(&project.recovery(&["status", "slow"]).stdout);
    assert!(status.contains("Timed out"), "{status}");
    // A retry that was announced and does not come has a reason.
    let args = ["run", "--budget", "1s", "--delay", "3s", "--", "sh", "-c", TRANSIENT];
    let err = text(&project.recovery(&args).stderr);
    assert!(err.contains("retry 1/3 in 3 s\nrecovery: time is up\nrecovery: failed after 1 run"), "{err}");
}

/// A run that is interrupted in a wait goes on from there, and names the command that makes it start over.
#[test]
fn a_run_that_goes_on_names_the_command_to_start_over() {
    let project = Project::new();
    let args = [
        "run",
        "--task",
        "my task",
        "--delay",
        "30s",
        "--",
        "sh",
        "-c",
        "test -e done || echo ECONNRESET; test -e done",
    ];
    let mut child = project.command(&args).spawn().unwrap();
    wait_until("the first record", || project.last_record("my task").contains("ECONNRESET"));
    signal(child.id(), rustix::process::Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    project.write("done", "");
    let out = project.recovery(&["run", "--task", "my task", "--", "test", "-e", "done"]);
    let err = text(&out.stderr);
    assert!(
        err.starts_with("recovery: going on from the last run with retry 1; to start over: recovery reset 'my task'\n"),
        "{err}"
    );
}

/// A run that was interrupted, or killed, and whose time has passed since: whoever started it knows, so it waits for nobody.
#[test]
fn a_run_that_was_interrupted_does_not_get_stuck_by_the_clock() {
    let project = Project::new();
    for (end, task) in [(rustix::process::Signal::INT, "interrupted"), (rustix::process::Signal::KILL, "killed")] {
        let args = ["run", "--task", task, "--budget", "1s", "--delay", "30s", "--", "sh", "-c", TRANSIENT];
        let mut child = project.command(&args).spawn().unwrap();
        wait_until("the first record", || project.last_record(task).contains("ECONNRESET"));
        signal(child.id(), end);
        child.wait().unwrap();
    }
    std::thread::sleep(Duration::from_millis(1100));
    let stuck = project.recovery(&["stuck"]);
    assert_eq!((code(&stuck), text(&stuck.stdout)), (0, "no task waits for a person\n".to_owned()));
    let status = text(&project.recovery(&["status"]).stdout);
    assert_eq!(status.matches("  failed  ").count(), 2, "{status}");
    let report = text(&project.recovery(&["report"]).stdout);
    assert!(report.contains("ENDED IN FAILURE (2)") && !report.contains("NEEDS YOU"), "{report}");
}

/// What differs in its time only is listed once, and what no rule knows is called that.
#[test]
fn hints_name_each_earlier_failure_once() {
    let project = Project::new();
    for _ in 0..2 {
        project.recovery(&["run", "--task", "first", "--retries", "0", "--", "sh", "-c", TRANSIENT]);
    }
    project.recovery(&["run", "--task", "second", "--retries", "0", "--", "sh", "-c", TRANSIENT]);
    let hints = text(&project.recovery(&["hints", "second"]).stdout);
    assert_eq!(hints.matches("seen  in first").count(), 1, "{hints}");
    project.recovery(&["run", "--task", "third", "--", "false"]);
    let status = text(&project.recovery(&["status", "third"]).stdout);
    assert!(status.contains("Not recognised"), "{status}");
}

/// A server that a command leaves running writes on where it would have without us; a closed pipe would end it.
#[test]
fn what_a_command_leaves_running_is_not_ended_by_its_next_line() {
    let project = Project::new();
    let script = "(sleep 1.5; echo late; echo later >&2; echo alive > alive.txt) & echo started";
    let out = project.recovery(&["run", "--", "sh", "-c", script]);
    assert_eq!(out.status.code(), Some(0));
    assert_eq!((text(&out.stdout).as_str(), text(&out.stderr).contains("later")), ("started\nlate\n", true));
    assert_eq!(project.read("alive.txt"), "alive\n");
}

/// A journal that may not grow is a complaint, never another exit code.
#[test]
fn a_limit_on_file_sizes_ends_neither_us_nor_the_command() {
    for code in [0, 3] {
        let project = Project::new();
        let recovery = env!("CARGO_BIN_EXE_recovery");
        let line = format!("ulimit -f 0; exec '{recovery}' run --task t -- sh -c 'echo x; exit {code}'");
        let out = Command::new("sh").args(["-c", &line]).current_dir(project.dir.path()).output().unwrap();
        assert_eq!(out.status.code(), Some(code), "{out:?}");
        assert_eq!(text(&out.stdout).lines().next(), Some("x"), "{out:?}");
    }
}

/// The state of a process as the system has it: `T` while it is stopped.
fn process_state(pid: i32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

fn wait_until(what: &str, is_true: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !is_true() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn sigtstp_suspends_the_command_with_us_and_sigcont_continues_both() {
    use rustix::process::Signal;
    use std::os::unix::process::CommandExt as _;
    let project = Project::new();
    // No loop: a shell that is stopped while it starts a program waits for that one, and is not stopped itself.
    let script = "echo $$ > pid; exec sleep 60";
    // A group of its own, as a shell would give it: we are the ones who could continue it.
    let mut child = project.command(&["run", "--", "sh", "-c", script]).process_group(0).spawn().unwrap();
    let own = i32::try_from(child.id()).unwrap();
    let pid = project.pid("pid");
    for _ in 0..2 {
        signal(child.id(), Signal::TSTP);
        wait_until("both stop", || [own, pid].iter().all(|pid| process_state(*pid) == Some('T')));
        signal(child.id(), Signal::CONT);
        wait_until("both go on", || [own, pid].iter().all(|pid| process_state(*pid).is_some_and(|s| s != 'T')));
    }
    signal(child.id(), Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(!is_alive(pid));
}

#[test]
fn sigtstp_suspends_a_run_that_waits() {
    use rustix::process::Signal;
    use std::os::unix::process::CommandExt as _;
    let project = Project::new();
    project.write("recovery.toml", "[ladder.retry]\nattempts = 1\nfirst_backoff_ms = 20000\n");
    let script = format!("echo $$ > pid; {TRANSIENT}");
    let mut child = project.command(&["run", "--", "sh", "-c", &script]).process_group(0).spawn().unwrap();
    let (own, pid) = (i32::try_from(child.id()).unwrap(), project.pid("pid"));
    wait_until("the command ends", || !is_alive(pid));
    signal(child.id(), Signal::TSTP);
    wait_until("it stops", || process_state(own) == Some('T'));
    signal(child.id(), Signal::CONT);
    signal(child.id(), Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn sigquit_reaches_the_command() {
    let project = Project::new();
    let script = "trap 'echo quit > seen; exit 9' QUIT; echo $$ > pid; while :; do sleep 0.05; done";
    let mut child = project.command(&["run", "--", "sh", "-c", script]).spawn().unwrap();
    project.pid("pid");
    signal(child.id(), rustix::process::Signal::QUIT);
    assert_eq!(child.wait().unwrap().code(), Some(131));
    assert_eq!(project.read("seen"), "quit\n");
}
