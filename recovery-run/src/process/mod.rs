//! Real children: started, limited, stopped with everything they started. Unix only.
//!
//! [`Processes`] is the [`World`] of a run on this machine. A command gets a process group of its own, and a session with a
//! pseudo-terminal where our streams are terminals. Only the process itself can make itself the leader of a session, so the
//! command is then started through a [`Launcher`]: a program, such as our own, that calls [`become_leader`].
//!
//! | to change | look in |
//! |---|---|
//! | who belongs to a command, orphans | `process_tree` |
//! | one run of a task at a time, what a killed run left running | [`task_lock`] |
//! | output on its way through | `pump` |
//! | our terminal and the command's | `terminal` |
//! | signals | `signals` |
//! | a run within a run | `nested` |

mod clock;
mod nested;
mod process_tree;
mod pump;
mod signals;
pub mod task_lock;
mod terminal;

pub use clock::now;

use crate::watch::{Stream, Watch};
use crate::world::{End, Job, Signal, World};
use nested::Reports;
use process_tree::ProcessTree;
use recovery_types::terminal::one_line;
use recovery_types::{ErrorType, Timestamp};
use rustix::fd::{AsFd as _, OwnedFd};
use rustix::process::{Pid, Signal as Kill, WaitOptions, WaitStatus, kill_process, waitpid};
use signals::Signals;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};
use task_lock::{OrphanedRun, TaskLock};
use terminal::{KeyPresses, Pty, RawKeys, Streams, forward_keys, resize};

/// After Ctrl-C, a command may take this long to clean up; a second one ends it at once. Whoever sends SIGTERM or
/// SIGHUP (a CI service, a supervisor) kills this process soon, so the command then has the grace of a time limit only.
const ORDERLY_END_MS: u64 = 10_000;

/// How child processes are run.
#[derive(Debug)]
pub struct Options {
    /// The grace between the request to end and the kill.
    pub grace_ms: u64,
    /// The directory of histories while they are read.
    pub history_dir: PathBuf,
    /// The program that makes a command the leader of a session. Without one, commands have no terminal.
    pub launcher: Option<Launcher>,
    /// Whether this process becomes the parent of its descendants' orphans (Linux), so that what leaves the command's
    /// group is found and ended too. Every descendant of this process then counts as the command's: only for programs that
    /// have no other children.
    pub adopts_orphans: bool,
    /// The lock of the task, if there is one.
    pub lock: Option<TaskLock>,
}

impl Default for Options {
    fn default() -> Self {
        Self { grace_ms: 2000, history_dir: std::env::temp_dir(), launcher: None, adopts_orphans: false, lock: None }
    }
}

/// A program that ends up in [`become_leader`]: `PROGRAM ARGS... [--terminal FD] -- COMMAND...`.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// The program.
    pub program: PathBuf,
    /// Its first arguments.
    pub args: Vec<String>,
}

/// The system clock and processes of this machine.
#[derive(Debug)]
pub struct Processes {
    signals: Signals,
    options: Options,
    given_up_within: Vec<ErrorType>,
}

impl Processes {
    /// Installs the signal handlers.
    ///
    /// # Errors
    /// If a signal handler cannot be installed.
    pub fn new(options: Options) -> std::io::Result<Self> {
        if options.adopts_orphans {
            process_tree::adopt_orphans();
        }
        Ok(Self { signals: Signals::new()?, options, given_up_within: Vec::new() })
    }

    fn tree(&self, child: Pid) -> ProcessTree {
        ProcessTree::new(child, self.options.adopts_orphans)
    }

    /// Ends what a killed run left behind: first by a request, then by a kill.
    pub fn end_orphaned(&mut self, orphaned: &OrphanedRun) {
        let asked_until = Instant::now() + ms(self.options.grace_ms);
        let killed_until = asked_until + ms(1000);
        let mut next = Some(Kill::TERM);
        loop {
            let (alive, now) = (orphaned.alive(), Instant::now());
            if alive.is_empty() || now >= killed_until {
                return;
            }
            if now >= asked_until {
                next = Some(Kill::KILL);
            }
            if let Some(signal) = next.take() {
                for process in alive {
                    let _ = kill_process(process, signal);
                }
            }
            self.signals.wait(Some(Duration::from_millis(10)));
        }
    }

    /// Waits until the command has ended, and stops it at its deadline.
    fn oversee(
        &mut self,
        child: Pid,
        deadline: Option<Timestamp>,
        raw: Option<&RawKeys>,
        on_resize: &dyn Fn(),
    ) -> (WaitStatus, Stopped) {
        let tree = self.tree(child);
        let mut stopped = Stopped::ByItself;
        // From here on time is measured by a monotonic clock.
        let deadline = deadline.map(|deadline| Instant::now() + ms(deadline.since(clock::now())));
        let mut kill_at: Option<Instant> = None;
        loop {
            if let Some(status) = reap(child) {
                return (status, stopped);
            }
            let now = Instant::now();
            if stopped == Stopped::ByItself && deadline.is_some_and(|deadline| deadline <= now) {
                stopped = Stopped::AtDeadline;
                tree.signal_all(Kill::TERM);
                kill_at = Some(now + ms(self.options.grace_ms));
            }
            if kill_at.is_some_and(|at| at <= now) {
                tree.signal_all(Kill::KILL);
                kill_at = Some(now + ms(1000));
            }
            let next = kill_at.or(deadline.filter(|_| stopped == Stopped::ByItself));
            let received = self.signals.wait(next.map(|at| at.saturating_duration_since(now).max(ms(1))));
            if self.signals.take_suspension() {
                suspend(Some(tree), raw);
            }
            if received.resized {
                on_resize();
            }
            if let Some(signal) = received.stop {
                let again = matches!(stopped, Stopped::BySignal(_));
                tree.signal_group(if again { Kill::KILL } else { kill_of(signal) });
                if !again {
                    stopped = Stopped::BySignal(signal);
                    kill_at = Some(
                        now + ms(match signal {
                            Signal::Int | Signal::Quit => ORDERLY_END_MS,
                            Signal::Term | Signal::Hup => self.options.grace_ms,
                        }),
                    );
                }
            }
        }
    }

    /// Ends processes that outlive a command that failed or was stopped: first by a request, then by a kill.
    fn end_the_rest(&mut self, child: Pid) {
        let tree = self.tree(child);
        tree.reap_orphans();
        if !tree.is_alive() {
            return;
        }
        tree.signal_all(Kill::TERM);
        let asked_until = Instant::now() + ms(self.options.grace_ms);
        let killed_until = asked_until + ms(1000);
        let mut killed = false;
        while tree.is_alive() && Instant::now() < killed_until {
            if !killed && Instant::now() >= asked_until {
                tree.signal_all(Kill::KILL);
                killed = true;
            }
            self.signals.wait(Some(Duration::from_millis(10)));
            tree.reap_orphans();
        }
    }
}

/// SIGTSTP: stops the command with everything it started, then this process. SIGCONT continues both.
fn suspend(command: Option<ProcessTree>, raw: Option<&RawKeys>) {
    if signals::is_group_orphaned() {
        return;
    }
    if let Some(command) = command {
        // In a separate session no shell could continue the command, and SIGTSTP has no effect.
        command.signal_all(if command.leads_session() { Kill::STOP } else { Kill::TSTP });
    }
    if let Some(raw) = raw {
        raw.pause();
    }
    signals::stop_self();
    if let Some(raw) = raw {
        raw.resume();
    }
    if let Some(command) = command {
        command.signal_all(Kill::CONT);
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopped {
    ByItself,
    AtDeadline,
    BySignal(Signal),
}

impl World for Processes {
    fn now(&self) -> Timestamp {
        clock::now()
    }

    fn wait(&mut self, until: Timestamp, tick: &mut dyn FnMut(Timestamp)) -> Option<Signal> {
        // A clock that is set back in between must not turn seconds into hours.
        let (begun, planned) = (Instant::now(), until.since(clock::now()));
        loop {
            let now = clock::now();
            let waited = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            let left = until.since(now).min(planned.saturating_sub(waited));
            if left == 0 {
                return None;
            }
            tick(now);
            // Whole seconds are left after each tick, so that a countdown does not skip one.
            let nap = (left - 1) % 1000 + 1;
            if let Some(signal) = self.signals.wait(Some(Duration::from_millis(nap))).stop {
                return Some(signal);
            }
            if self.signals.take_suspension() {
                suspend(None, None);
            }
        }
    }

    fn run(&mut self, job: &Job<'_>, watch: &Mutex<Watch<'_>>) -> End {
        let history = match job
            .history
            .as_deref()
            .map(|history| HistoryFile::write(&self.options.history_dir, history))
            .transpose()
        {
            Ok(history) => history,
            Err(error) => return not_started(&format!("cannot write the history: {error}"), 126),
        };
        let streams = Streams::now(self.options.launcher.is_some());
        self.given_up_within.clear();
        let within = Reports::begin(&self.options.history_dir).ok();
        let files = Files { history: history.as_ref(), within: within.as_ref() };
        let Started { child, sources, pty } = match start(job, streams, &files, self.options.launcher.as_ref()) {
            Ok(started) => started,
            Err(error) => return could_not_start(job, &error),
        };
        if let Some(lock) = &mut self.options.lock {
            lock.started(child);
        }
        let keys = pty.as_ref().filter(|_| streams.forwards_keys() && !job.reads_history);
        let raw = keys.and_then(|_| RawKeys::begin(streams).ok());
        let presses = KeyPresses::default();
        let tree = self.tree(child);
        let Ok((gone, still_here)) = std::io::pipe() else {
            self.tree(child).signal_all(Kill::KILL);
            return not_started("no more pipes", 126);
        };
        let on_resize = || {
            if let Some(master) = &pty {
                resize(master, streams);
            }
        };
        let spare = pump::Spare::default();
        let (status, stopped, copied) = std::thread::scope(|scope| {
            let (gone, spare) = (gone.as_fd(), &spare);
            let (passed, chunks) = sync_channel(pump::QUEUE_CHUNKS);
            scope.spawn(move || pump::watch(&chunks, spare, watch));
            let copiers: Vec<_> = sources
                .into_iter()
                .map(|Source { fd, stream, terminal }| {
                    let passed = passed.clone();
                    scope.spawn(move || (stream, pump::copy(fd, stream, terminal, gone, &passed, spare)))
                })
                .collect();
            drop(passed);
            if let Some(master) = keys.filter(|_| raw.is_some()) {
                let presses = &presses;
                scope.spawn(move || forward_keys(master.as_fd(), gone, tree, presses));
            }
            let (status, stopped) = self.oversee(child, job.deadline, raw.as_ref(), &on_resize);
            drop(still_here);
            let copied: Vec<_> = copiers.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
            (status, stopped, copied)
        });
        let is_read = copied.iter().all(|copied| copied.as_ref().is_ok_and(|(_, copied)| copied.is_read));
        drop(raw);
        // Processes that a successful command leaves running (for example a server) are meant to run.
        if stopped != Stopped::ByItself || status.exit_status() != Some(0) {
            self.end_the_rest(child);
        } else {
            for (stream, copied) in copied.into_iter().flatten() {
                copied.open.into_iter().for_each(|pipe| pump::read_on(pipe, stream));
            }
        }
        if let Some(lock) = &mut self.options.lock {
            lock.ended();
        }
        self.given_up_within = within.map(Reports::read).unwrap_or_default();
        let code = code_of(status);
        match stopped {
            Stopped::AtDeadline => End::TimedOut,
            Stopped::BySignal(signal) => End::Interrupted(signal),
            Stopped::ByItself if presses.killed.load(Ordering::SeqCst) => End::Interrupted(Signal::Int),
            Stopped::ByItself if presses.stop.load(Ordering::SeqCst) && code == Signal::Int.exit_code() => {
                End::Interrupted(Signal::Int)
            }
            Stopped::ByItself if presses.stop.load(Ordering::SeqCst) && code == Signal::Quit.exit_code() => {
                End::Interrupted(Signal::Quit)
            }
            Stopped::ByItself if !is_read && code != 0 => End::Unread(code),
            Stopped::ByItself => End::Exited(code),
        }
    }

    fn given_up_within(&mut self) -> Vec<ErrorType> {
        std::mem::take(&mut self.given_up_within)
    }

    fn give_up(&mut self, error: ErrorType) {
        nested::report(error);
    }
}

/// What a command finds on disk.
struct Files<'a> {
    history: Option<&'a HistoryFile>,
    within: Option<&'a Reports>,
}

/// A running command.
struct Started {
    child: Pid,
    sources: Vec<Source>,
    pty: Option<OwnedFd>,
}

/// The reading ends of its output.
struct Source {
    fd: OwnedFd,
    stream: Stream,
    terminal: bool,
}

fn start(job: &Job<'_>, streams: Streams, files: &Files<'_>, launcher: Option<&Launcher>) -> std::io::Result<Started> {
    let words = job.command.words();
    let pty = if streams.needs_pty() { Some(Pty::like(streams)?) } else { None };
    let mut command = if let Some(launcher) = launcher.filter(|_| pty.is_some() || streams.input) {
        // A session of its own cannot be stopped for reading our terminal; `lead_session` makes it.
        let mut command = Command::new(&launcher.program);
        command.args(&launcher.args);
        if pty.is_some() {
            command.arg("--terminal").arg(if streams.output { "1" } else { "2" });
        }
        command.arg("--").args(&words);
        command
    } else {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).process_group(0);
        command
    };
    command.envs(job.env.iter().map(|(name, value)| (*name, value)));
    let history = files.history;
    if let Some(history) = history {
        command.env("RECOVERY_STORY", &history.path);
    }
    if let Some((name, path)) = files.within.map(Reports::variable) {
        command.env(name, path);
    }
    match (history.filter(|_| job.reads_history), pty.as_ref().filter(|_| streams.forwards_keys())) {
        (Some(history), _) => command.stdin(std::fs::File::open(&history.path)?),
        (None, Some(pty)) => command.stdin(pty.slave.try_clone()?),
        (None, None) => command.stdin(Stdio::inherit()),
    };
    let mut sources = Vec::new();
    let mut pipe = |stream: Stream| -> std::io::Result<OwnedFd> {
        let (ours, theirs) = std::io::pipe()?;
        pump::enlarge(ours.as_fd());
        sources.push(Source { fd: ours.into(), stream, terminal: false });
        Ok(theirs.into())
    };
    let on_terminal = |wanted: bool| pty.as_ref().filter(|_| wanted).map(|pty| pty.slave.try_clone()).transpose();
    match (on_terminal(streams.output)?, on_terminal(streams.error)?) {
        (None, None) if are_one() => {
            // Two pipes would lose the order of output to the same destination.
            let theirs = pipe(Stream::Out)?;
            command.stdout(theirs.try_clone()?).stderr(theirs);
        }
        (output, error) => {
            command.stdout(output.map_or_else(|| pipe(Stream::Out), Ok)?);
            command.stderr(error.map_or_else(|| pipe(Stream::Err), Ok)?);
        }
    }
    let child = Pid::from_child(&command.spawn()?);
    let pty = pty.map(|Pty { master, .. }| master);
    if let Some(master) = &pty {
        let stream = if streams.output { Stream::Out } else { Stream::Err };
        sources.push(Source { fd: master.try_clone()?, stream, terminal: true });
    }
    Ok(Started { child, sources, pty })
}

/// Whether our standard output and standard error are the same file or pipe.
fn are_one() -> bool {
    let identity = |fd| rustix::fs::fstat(fd).map(|stat| (stat.st_dev, stat.st_ino));
    let (out, err) = (identity(rustix::stdio::stdout()), identity(rustix::stdio::stderr()));
    matches!((out, err), (Ok(out), Ok(err)) if out == err)
}

/// The status of `child` once it has ended.
fn reap(child: Pid) -> Option<WaitStatus> {
    waitpid(Some(child), WaitOptions::NOHANG).ok().flatten().map(|(_, status)| status)
}

fn code_of(status: WaitStatus) -> u8 {
    let code = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => code,
        (None, signal) => 128 + signal.unwrap_or(0),
    };
    u8::try_from(code).unwrap_or(u8::MAX)
}

fn kill_of(signal: Signal) -> Kill {
    match signal {
        Signal::Int => Kill::INT,
        Signal::Term => Kill::TERM,
        Signal::Hup => Kill::HUP,
        Signal::Quit => Kill::QUIT,
    }
}

fn could_not_start(job: &Job<'_>, error: &std::io::Error) -> End {
    let program = job.command.words().into_iter().next().unwrap_or_default();
    let (reason, code) = reason_not_started(&program, error);
    not_started(&reason, code)
}

fn not_started(reason: &str, code: u8) -> End {
    End::NotStarted { code, reason: reason.to_owned() }
}

/// Why a program could not be started, and the exit code that shells give then.
#[must_use]
pub fn reason_not_started(given: &str, error: &std::io::Error) -> (String, u8) {
    let program = one_line(given, 200);
    match error.kind() {
        std::io::ErrorKind::NotFound => match interpreter(given) {
            Some(interpreter) => (format!("{program}: {interpreter}: bad interpreter: No such file or directory"), 126),
            None => (format!("{program}: command not found"), 127),
        },
        std::io::ErrorKind::PermissionDenied => (format!("{program}: Permission denied"), 126),
        _ => (format!("{program}: {error}"), 126),
    }
}

/// The program that the first line of a script names (`#!/bin/sh`): what is missing where the script itself is there.
fn interpreter(script: &str) -> Option<String> {
    let mut start = [0; 256];
    let mut file = script.contains('/').then(|| std::fs::File::open(script).ok()).flatten()?;
    let read = std::io::Read::read(&mut file, &mut start).ok()?;
    let line = start[..read].strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    // A carriage return belongs to the name, and is why there is no such program.
    let name = line.trim_start_matches([' ', '\t']).split([' ', '\t']).next()?;
    (!name.is_empty()).then(|| one_line(&name.replace('\r', "^M"), 200))
}

/// Leads a session and becomes `words`; returns only when that fails.
pub fn become_leader(terminal: Option<u8>, words: &[std::ffi::OsString]) -> std::io::Error {
    if let Err(error) = terminal::lead_session(terminal) {
        return error;
    }
    let Some((program, arguments)) = words.split_first() else { return std::io::ErrorKind::InvalidInput.into() };
    Command::new(program).args(arguments).exec()
}

/// A file that only the user may read, created if missing. A link is refused: it could lead anywhere.
fn private_file(path: &Path) -> std::io::Result<std::fs::File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?.into())
}

/// The history on disk, as long as it is read.
struct HistoryFile {
    path: PathBuf,
}

impl HistoryFile {
    fn write(dir: &Path, history: &str) -> std::io::Result<Self> {
        let path = std::path::absolute(dir.join(format!("story-{}.json", std::process::id())))?;
        let mut file = private_file(&path)?;
        file.set_len(0)?;
        file.write_all(history.as_bytes())?;
        Ok(Self { path })
    }
}

impl Drop for HistoryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playbook::CommandLine;
    use recovery_engine::Taxonomy;

    #[test]
    fn other_children_of_the_program_are_neither_waited_for_nor_ended() {
        let mut passing = Command::new("true").spawn().unwrap();
        let mut lasting = Command::new("sleep").arg("30").spawn().unwrap();
        let taxonomy = Taxonomy::field();
        let mut world = Processes::new(Options::default()).unwrap();
        let command = CommandLine::Shell("sleep 0.2; exit 3".to_owned());
        let job = Job { command: &command, deadline: None, env: Vec::new(), history: None, reads_history: false };
        assert_eq!(world.run(&job, &Mutex::new(Watch::new(&taxonomy))), End::Exited(3));
        assert!(passing.wait().unwrap().success(), "the program's own child is still its own to wait for");
        assert!(lasting.try_wait().unwrap().is_none(), "a child of the program was ended with the command");
        lasting.kill().unwrap();
        lasting.wait().unwrap();
    }
}
