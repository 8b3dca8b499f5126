//! Signals, received where the run waits for them.
//!
//! In: SIGINT, SIGTERM, SIGHUP and SIGQUIT, which end a run; SIGTSTP, which suspends it; SIGWINCH and SIGCHLD. Each sets a
//! flag and wakes [`Signals::wait`], so that nothing happens in a handler. What we were started to ignore (`nohup`) stays
//! ignored. [`stop_self`] is what the system does with SIGTSTP where nobody handles it: the process stops, unless no shell
//! is left that could continue it.

use super::process_tree::{Process, processes};
use crate::world::Signal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal as Kill, getpid, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use std::io::Read as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The signals that concern a run, each noted when it comes.
#[derive(Debug)]
pub(crate) struct Signals {
    wake: UnixStream,
    stops: Vec<(Signal, Arc<AtomicBool>)>,
    suspended: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
}

/// What came while we waited.
pub(crate) struct ReceivedSignals {
    /// A signal that ends the run.
    pub stop: Option<Signal>,
    /// Whether the terminal has another size.
    pub resized: bool,
}

impl Signals {
    /// Listens from now on. What was ignored when we were started (`nohup`) stays ignored.
    pub fn new() -> std::io::Result<Self> {
        let (wake, woken) = UnixStream::pair()?;
        wake.set_nonblocking(true)?;
        woken.set_nonblocking(true)?;
        let mut stops = Vec::new();
        for signal in Signal::ALL {
            let number = number(signal);
            if is_ignored(number) {
                continue;
            }
            let flag = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register(number, flag.clone())?;
            signal_hook::low_level::pipe::register(number, woken.try_clone()?)?;
            stops.push((signal, flag));
        }
        let suspended = Arc::new(AtomicBool::new(false));
        if !is_ignored(SIGTSTP) {
            signal_hook::flag::register(SIGTSTP, suspended.clone())?;
            signal_hook::low_level::pipe::register(SIGTSTP, woken.try_clone()?)?;
        }
        let resized = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGWINCH, resized.clone())?;
        signal_hook::low_level::pipe::register(SIGWINCH, woken.try_clone()?)?;
        signal_hook::low_level::pipe::register(SIGCHLD, woken)?;
        Ok(Self { wake, stops, suspended, resized })
    }

    /// Waits for a signal, a child's end included, at most for `longest`.
    pub fn wait(&mut self, longest: Option<Duration>) -> ReceivedSignals {
        let longest = longest
            .map(|d| Timespec { tv_sec: d.as_secs().try_into().unwrap_or(i64::MAX), tv_nsec: d.subsec_nanos().into() });
        // An interrupted or failed poll is an early wake-up, which does no harm.
        let _ = poll(&mut [PollFd::new(&self.wake, PollFlags::IN)], longest.as_ref());
        let mut bytes = [0; 64];
        while self.wake.read(&mut bytes).is_ok_and(|n| n == bytes.len()) {}
        let stop = self.stops.iter().find(|(_, flag)| flag.swap(false, Ordering::SeqCst)).map(|(signal, _)| *signal);
        ReceivedSignals { stop, resized: self.resized.swap(false, Ordering::SeqCst) }
    }

    /// Whether SIGTSTP came since this was last asked. Kept until somebody asks: not every wait can be suspended.
    pub fn take_suspension(&self) -> bool {
        self.suspended.swap(false, Ordering::SeqCst)
    }
}

/// Stops this process until SIGCONT comes.
pub(crate) fn stop_self() {
    let _ = kill_process(getpid(), Kill::STOP);
}

/// Whether nobody could continue us: no process of our group has a parent in another group of our session (POSIX's
/// orphaned process group, whose members SIGTSTP does not stop). Without `/proc` that is not known, and the answer is no.
pub(crate) fn is_group_orphaned() -> bool {
    let processes = processes();
    let Some(own) = processes.iter().find(|process| process.id == getpid().as_raw_nonzero().get()) else {
        return false;
    };
    let can_continue_us = |member: &Process| {
        let parent = processes.iter().find(|process| process.id == member.parent);
        parent.is_some_and(|parent| parent.session == own.session && parent.group != own.group)
    };
    !processes.iter().any(|process| process.group == own.group && can_continue_us(process))
}

fn number(signal: Signal) -> i32 {
    match signal {
        Signal::Int => SIGINT,
        Signal::Term => SIGTERM,
        Signal::Hup => SIGHUP,
        Signal::Quit => SIGQUIT,
    }
}

/// Whether we were started with this signal ignored, where that is known.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}
