//! Signals, received where the run waits for them.

use crate::world::Signal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGWINCH};
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
        let resized = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(SIGWINCH, resized.clone())?;
        signal_hook::low_level::pipe::register(SIGWINCH, woken.try_clone()?)?;
        signal_hook::low_level::pipe::register(SIGCHLD, woken)?;
        Ok(Self { wake, stops, resized })
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
