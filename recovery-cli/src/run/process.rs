//! Real children: started, limited, stopped with everything they started.

use super::family::Family;
use super::hold::{Hold, LeftBehind};
use super::signals::Signals;
use super::terminal::{Pty, RawKeys, Streams, forward_keys, resize};
use super::watch::{Stream, Watch};
use super::world::{End, Job, Signal, World};
use super::{pump, terminal};
use crate::clock;
use anyhow::Context as _;
use recovery_store::StateDir;
use recovery_types::Timestamp;
use rustix::fd::{AsFd as _, OwnedFd};
use rustix::process::{Pid, Signal as Kill, WaitOptions, WaitStatus, kill_process, wait};
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// The hidden command that [`terminal::lead_session`] runs in.
pub(crate) const IN_SESSION: &str = "__in-session";

/// After Ctrl-C and its like, a command may take this long to put things in order; a second one ends it at once.
const ORDERLY_END_MS: u64 = 10_000;

/// The system's clock and processes.
pub(crate) struct Processes {
    signals: Signals,
    grace_ms: u64,
    story_dir: PathBuf,
    hold: Hold,
}

impl Processes {
    /// Children are killed `grace_ms` after they were asked to end. Stories are kept in `story_dir` while they are read.
    pub fn new(grace_ms: u64, story_dir: &Path, hold: Hold) -> anyhow::Result<Self> {
        Family::adopt_orphans();
        let signals = Signals::new().context("cannot listen to signals")?;
        Ok(Self { signals, grace_ms, story_dir: story_dir.to_owned(), hold })
    }

    /// Ends what a run that was killed left behind, as it would have done: first asked, then killed.
    pub fn end_left_behind(&mut self, left: &LeftBehind) {
        let asked_until = clock::now().plus_ms(self.grace_ms);
        let killed_until = asked_until.plus_ms(1000);
        let mut next = Some(Kill::TERM);
        loop {
            let (alive, now) = (left.alive(), clock::now());
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

    /// Waits until the command has ended, stopping it when it is time.
    fn oversee(&mut self, child: Pid, deadline: Option<Timestamp>, on_resize: &dyn Fn()) -> (WaitStatus, Stopped) {
        let family = Family::of(child);
        let mut stopped = Stopped::ByItself;
        let mut kill_at: Option<Timestamp> = None;
        loop {
            if let Some(status) = reap(child) {
                return (status, stopped);
            }
            let now = clock::now();
            if stopped == Stopped::ByItself && deadline.is_some_and(|deadline| deadline <= now) {
                stopped = Stopped::AtDeadline;
                family.signal_all(Kill::TERM);
                kill_at = Some(now.plus_ms(self.grace_ms));
            }
            if kill_at.is_some_and(|at| at <= now) {
                family.signal_all(Kill::KILL);
                kill_at = Some(now.plus_ms(1000));
            }
            let next = kill_at.or(deadline.filter(|_| stopped == Stopped::ByItself));
            let heard = self.signals.wait(next.map(|at| Duration::from_millis(at.since(now).max(1))));
            if heard.resized {
                on_resize();
            }
            if let Some(signal) = heard.stop {
                let again = matches!(stopped, Stopped::BySignal(_));
                family.signal_group(if again { Kill::KILL } else { kill_of(signal) });
                if !again {
                    stopped = Stopped::BySignal(signal);
                    kill_at = Some(clock::now().plus_ms(ORDERLY_END_MS));
                }
            }
        }
    }

    /// Ends those who outlived a command that failed or was stopped: first asked, then killed.
    fn end_the_rest(&mut self, child: Pid) {
        let family = Family::of(child);
        if !family.is_alive() {
            return;
        }
        family.signal_all(Kill::TERM);
        let asked_until = clock::now().plus_ms(self.grace_ms);
        let killed_until = asked_until.plus_ms(1000);
        let mut killed = false;
        while family.is_alive() && clock::now() < killed_until {
            if !killed && clock::now() >= asked_until {
                family.signal_all(Kill::KILL);
                killed = true;
            }
            self.signals.wait(Some(Duration::from_millis(10)));
            reap(child);
        }
    }
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
        loop {
            let now = clock::now();
            if now >= until {
                return None;
            }
            tick(now);
            let left = until.since(now);
            // Whole seconds are left after each tick, so that a countdown does not skip one.
            let nap = (left - 1) % 1000 + 1;
            if let Some(signal) = self.signals.wait(Some(Duration::from_millis(nap))).stop {
                return Some(signal);
            }
        }
    }

    fn run(&mut self, job: &Job<'_>, watch: &Mutex<Watch<'_>>) -> End {
        let story = match job.story.as_deref().map(|story| StoryFile::write(&self.story_dir, story)).transpose() {
            Ok(story) => story,
            Err(error) => return not_started(&format!("cannot tell the story: {error}"), 126),
        };
        let streams = Streams::now();
        let Started { child, sources, pty } = match start(job, streams, story.as_ref()) {
            Ok(started) => started,
            Err(error) => return could_not_start(job, &error),
        };
        self.hold.started(child);
        let keys = pty.as_ref().filter(|_| streams.forwards_keys() && !job.reads_story);
        let raw = keys.and_then(|_| RawKeys::begin(streams).ok());
        let stop_key = AtomicBool::new(false);
        let Ok((gone, still_here)) = std::io::pipe() else {
            Family::of(child).signal_all(Kill::KILL);
            return not_started("no more pipes", 126);
        };
        let on_resize = || {
            if let Some(master) = &pty {
                resize(master, streams);
            }
        };
        let spare = pump::Spare::default();
        let (status, stopped, is_read) = std::thread::scope(|scope| {
            let (gone, spare) = (gone.as_fd(), &spare);
            let (passed, chunks) = sync_channel(pump::WAITING);
            scope.spawn(move || pump::watch(&chunks, spare, watch));
            let copiers: Vec<_> = sources
                .into_iter()
                .map(|Source { fd, stream, terminal }| {
                    let passed = passed.clone();
                    scope.spawn(move || pump::copy(fd, stream, terminal, gone, &passed, spare))
                })
                .collect();
            drop(passed);
            if let Some(master) = keys.filter(|_| raw.is_some()) {
                let stop_key = &stop_key;
                scope.spawn(move || forward_keys(master.as_fd(), gone, stop_key));
            }
            let (status, stopped) = self.oversee(child, job.deadline, &on_resize);
            drop(still_here);
            let is_read = copiers.into_iter().all(|copier| copier.join().unwrap_or(false));
            (status, stopped, is_read)
        });
        drop(raw);
        // What a command leaves running when it works (a server, say) is meant to run.
        if stopped != Stopped::ByItself || status.exit_status() != Some(0) {
            self.end_the_rest(child);
        }
        self.hold.ended();
        let code = code_of(status);
        match stopped {
            Stopped::AtDeadline => End::TimedOut,
            Stopped::BySignal(signal) => End::Interrupted(signal),
            Stopped::ByItself if stop_key.load(Ordering::SeqCst) && matches!(code, 130 | 131) => {
                End::Interrupted(Signal::Int)
            }
            Stopped::ByItself if !is_read && code != 0 => End::Unread(code),
            Stopped::ByItself => End::Exited(code),
        }
    }
}

/// A command that runs.
struct Started {
    child: Pid,
    sources: Vec<Source>,
    pty: Option<OwnedFd>,
}

/// Where its output is read.
struct Source {
    fd: OwnedFd,
    stream: Stream,
    terminal: bool,
}

fn start(job: &Job<'_>, streams: Streams, story: Option<&StoryFile>) -> std::io::Result<Started> {
    let words = job.command.words();
    let pty = if streams.wants_pty() { Some(Pty::like(streams)?) } else { None };
    let mut command = if pty.is_some() || streams.input {
        // A session of its own cannot be stopped for reading our terminal; `lead_session` makes it.
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(IN_SESSION);
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
    if let Some(story) = story {
        command.env("RECOVERY_STORY", &story.path);
    }
    match (story.filter(|_| job.reads_story), pty.as_ref().filter(|_| streams.forwards_keys())) {
        (Some(story), _) => command.stdin(std::fs::File::open(&story.path)?),
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
            // Two pipes would lose the order of what goes to one place.
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

/// Takes note of everyone who has ended; the status of `child` when it is among them.
fn reap(child: Pid) -> Option<WaitStatus> {
    let mut found = None;
    while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
        if pid == child {
            found = Some(status);
        }
    }
    found
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
pub(crate) fn reason_not_started(program: &str, error: &std::io::Error) -> (String, u8) {
    let program = crate::output::one_line(program, 200);
    match error.kind() {
        std::io::ErrorKind::NotFound => (format!("{program}: command not found"), 127),
        std::io::ErrorKind::PermissionDenied => (format!("{program}: Permission denied"), 126),
        _ => (format!("{program}: {error}"), 126),
    }
}

/// Leads a session and becomes `words`; returns only when that fails.
pub(crate) fn become_leader(terminal: Option<u8>, words: &[std::ffi::OsString]) -> std::io::Error {
    if let Err(error) = terminal::lead_session(terminal) {
        return error;
    }
    let Some((program, arguments)) = words.split_first() else { return std::io::ErrorKind::InvalidInput.into() };
    Command::new(program).args(arguments).exec()
}

/// The story on disk, for as long as somebody reads it.
struct StoryFile {
    path: PathBuf,
}

impl StoryFile {
    fn write(dir: &Path, story: &str) -> std::io::Result<Self> {
        let name = format!("story-{}.json", std::process::id());
        let mut file = StateDir::create(dir).map_err(std::io::Error::other)?.read_write(&name)?;
        file.set_len(0)?;
        file.write_all(story.as_bytes())?;
        Ok(Self { path: std::path::absolute(dir.join(name))? })
    }
}

impl Drop for StoryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
