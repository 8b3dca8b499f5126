//! `recovery run` on a terminal: a pseudo-terminal that the test types into. Keys, Ctrl-C, Ctrl-Z and `fg`, type-ahead,
//! resizing, a command that ignores signals, a countdown.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A terminal with a program in it, whose session it is.
struct Terminal {
    keys: std::fs::File,
    child: Child,
    seen: String,
    /// How much of what was seen has been waited for.
    past: usize,
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }
}

fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("recovery.toml"), "").unwrap();
    dir
}

/// Lets Ctrl-C and the quit key end the programs that the tests start, also where the tests themselves were started to
/// ignore them (`nohup`, `&` in a script): what is handled here has its default effect in them.
fn undo_nohup() {
    let ends = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    for (signal, code) in [(signal_hook::consts::SIGINT, 130), (signal_hook::consts::SIGQUIT, 131)] {
        signal_hook::flag::register_conditional_shutdown(signal, code, ends.clone()).unwrap();
    }
}

impl Terminal {
    fn with(dir: &Path, words: &[&str]) -> Self {
        undo_nohup();
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        rustix::io::fcntl_setfd(&master, rustix::io::FdFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = std::fs::File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        tcsetwinsize(&master, size(33, 77)).unwrap();
        // The hidden command makes the terminal the program's own, as a terminal emulator does.
        let child = Command::new(env!("CARGO_BIN_EXE_recovery"))
            .args(["__in-session", "--terminal", "0", "--"])
            .args(words)
            .current_dir(dir)
            .env("PS1", "shell> ")
            .env("HOME", dir)
            .env_remove("CI")
            .env_remove("RECOVERY_TASK")
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave)
            .spawn()
            .unwrap();
        Self { keys: master.into(), child, seen: String::new(), past: 0 }
    }

    /// `recovery run` of a shell script, alone on its terminal.
    fn running(dir: &Path, script: &str) -> Self {
        Self::with(dir, &[env!("CARGO_BIN_EXE_recovery"), "run", "--task", "t", "--", "sh", "-c", script])
    }

    /// Reads until `wanted` shows up after what was read before, or the terminal is closed.
    fn read_until(&mut self, wanted: &str) {
        let mut buffer = [0; 4096];
        let until = Instant::now() + Duration::from_secs(40);
        loop {
            if let Some(at) = self.seen[self.past..].find(wanted) {
                self.past += at + wanted.len();
                return;
            }
            assert!(Instant::now() < until, "{wanted:?} never came: {:?}", self.seen);
            let mut keys = [PollFd::new(&self.keys, PollFlags::IN)];
            let second = Timespec { tv_sec: 1, tv_nsec: 0 };
            if poll(&mut keys, Some(&second)).is_ok_and(|ready| ready > 0) {
                match self.keys.read(&mut buffer) {
                    Ok(read) if read > 0 => self.seen.push_str(&String::from_utf8_lossy(&buffer[..read])),
                    _ => return,
                }
            }
        }
    }

    fn type_keys(&mut self, keys: &[u8]) {
        self.keys.write_all(keys).unwrap();
    }

    fn end(mut self) -> (i32, String) {
        self.read_until("\0never");
        (self.child.wait().unwrap().code().unwrap(), self.seen)
    }
}

#[test]
fn on_a_terminal_the_command_has_one_of_its_own() {
    let dir = project();
    let script = "test -t 0 && test -t 1 && test -t 2 && echo three; stty size; echo ready; read line; echo got $line";
    let mut terminal = Terminal::running(dir.path(), script);
    terminal.read_until("ready");
    terminal.type_keys(b"typed\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("three\r\n33 77\r\nready\r\n") && seen.ends_with("got typed\r\n"), "{seen:?}");
}

#[test]
fn ctrl_c_goes_to_the_command() {
    let dir = project();
    let mut terminal = Terminal::running(dir.path(), "echo ready; exec sleep 60");
    terminal.read_until("ready");
    terminal.type_keys(b"\x03");
    let (code, seen) = terminal.end();
    assert_eq!(code, 130, "{seen}");
    assert!(seen.contains("interrupted"), "{seen}");
    // A command that takes Ctrl-C for itself goes on.
    let script = "trap 'echo caught' INT; echo ready; read line; echo got $line";
    let mut terminal = Terminal::running(dir.path(), script);
    terminal.read_until("ready");
    terminal.type_keys(b"\x03");
    terminal.read_until("caught");
    terminal.type_keys(b"typed\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
}

#[test]
fn the_quit_key_has_an_exit_code_of_its_own() {
    let dir = project();
    let mut terminal = Terminal::running(dir.path(), "echo ready; exec sleep 60");
    terminal.read_until("ready");
    terminal.type_keys(b"\x1c");
    let (code, seen) = terminal.end();
    assert_eq!(code, 131, "{seen}");
}

#[test]
fn a_second_ctrl_c_ends_a_command_that_ignores_the_first() {
    let dir = project();
    let began = Instant::now();
    let mut terminal = Terminal::running(dir.path(), "trap '' INT; echo ready; sleep 60");
    terminal.read_until("ready");
    terminal.type_keys(b"\x03");
    terminal.read_until("^C");
    terminal.type_keys(b"\x03");
    let (code, seen) = terminal.end();
    assert_eq!(code, 130, "{seen}");
    assert!(began.elapsed() < Duration::from_secs(50), "{seen}");
}

#[test]
fn ctrl_z_suspends_and_fg_resumes() {
    let dir = project();
    let mut terminal = Terminal::with(dir.path(), &["bash", "--norc", "--noprofile", "-i"]);
    terminal.read_until("shell> ");
    let run = format!("{} run -- sh -c 'echo rea''dy; read line; echo got $line'\n", env!("CARGO_BIN_EXE_recovery"));
    terminal.type_keys(run.as_bytes());
    terminal.read_until("ready\r\n");
    terminal.type_keys(b"\x1a");
    terminal.read_until("Stopped");
    terminal.read_until("shell> ");
    terminal.type_keys(b"echo between; fg\n");
    terminal.read_until("between\r\n");
    std::thread::sleep(Duration::from_millis(300));
    terminal.type_keys(b"typed\n");
    terminal.read_until("got typed");
    terminal.read_until("shell> ");
    terminal.type_keys(b"exit\n");
    let (code, seen) = terminal.end();
    assert!(code == 0 && seen.contains("got typed"), "{seen}");
}

#[test]
fn what_is_typed_before_the_command_starts_reaches_it() {
    let dir = project();
    let mut terminal = Terminal::running(dir.path(), "sleep 0.5; read line; echo got $line");
    terminal.type_keys(b"early\n");
    let (code, seen) = terminal.end();
    assert!(code == 0 && seen.contains("got early"), "{seen}");
}

#[test]
fn the_command_sees_another_size() {
    let dir = project();
    let script = "trap 'stty size; exit 0' WINCH; stty size; echo ready; while :; do sleep 0.05; done";
    let mut terminal = Terminal::running(dir.path(), script);
    terminal.read_until("ready");
    tcsetwinsize(&terminal.keys, size(40, 120)).unwrap();
    let (code, seen) = terminal.end();
    assert!(code == 0 && seen.contains("33 77") && seen.contains("40 120"), "{seen}");
}

#[test]
fn sigterm_is_prompt_even_with_a_command_that_ignores_it() {
    let dir = project();
    let mut terminal = Terminal::running(dir.path(), "trap '' TERM; echo ready; while :; do sleep 0.1; done");
    terminal.read_until("ready");
    let began = Instant::now();
    let child = rustix::process::Pid::from_child(&terminal.child);
    rustix::process::kill_process(child, rustix::process::Signal::TERM).unwrap();
    let (code, seen) = terminal.end();
    assert_eq!(code, 143, "{seen}");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn a_wait_counts_down() {
    let dir = project();
    let script = "test -e tried || { touch tried; echo 'read ECONNRESET' >&2; exit 1; }; echo fine";
    let (code, seen) = Terminal::running(dir.path(), script).end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("retry 1/3 in 1 s") && seen.contains("1 s …"), "{seen:?}");
    assert!(seen.contains("on retry 1 (flaky)"), "{seen}");
}
