//! A pseudo-terminal for the command where ours is a terminal, so that colours and progress bars survive.
//!
//! In: which of our streams are terminals. Out: a `Pty` for the command, and our own terminal in raw mode so that
//! keys reach the command as they are typed (`RawKeys`, which restores the terminal when it is dropped, also after a
//! panic). Ctrl-C is turned into a signal by the command's terminal.

use super::process_tree::ProcessTree;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::{Errno, FdFlags};
use rustix::process::Signal;
use rustix::pty::OpenptFlags;
use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, OutputModes, Termios, isatty, tcgetattr, tcgetpgrp, tcgetwinsize,
    tcsetattr, tcsetwinsize,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Which of our streams are terminals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Streams {
    /// Standard input, and we are the ones whom it is for.
    pub input: bool,
    /// Standard output.
    pub output: bool,
    /// Standard error.
    pub error: bool,
}

impl Streams {
    /// As they are now; none of them where a command cannot be given a terminal.
    pub fn now(has_launcher: bool) -> Self {
        if !has_launcher {
            return Self { input: false, output: false, error: false };
        }
        let foreground = || tcgetpgrp(stdin()).is_ok_and(|group| group == rustix::process::getpgrp());
        Self { input: isatty(stdin()) && foreground(), output: isatty(stdout()), error: isatty(stderr()) }
    }

    /// Whether the command gets a terminal of its own.
    pub fn needs_pty(self) -> bool {
        self.output || self.error
    }

    /// Whether keys are passed on to that terminal. Not where the output goes elsewhere: a pager that reads it needs
    /// the keys for itself.
    pub fn forwards_keys(self) -> bool {
        self.input && self.output
    }

    fn one(self) -> BorrowedFd<'static> {
        if self.output { stdout() } else { stderr() }
    }
}

/// A terminal of our making.
pub(crate) struct Pty {
    /// Our end; never blocks.
    pub master: OwnedFd,
    /// The command's end.
    pub slave: OwnedFd,
}

impl Pty {
    /// A terminal like ours. Line ends are translated in one of the two, not in both.
    pub fn like(streams: Streams) -> std::io::Result<Self> {
        let master = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        rustix::io::fcntl_setfd(&master, FdFlags::CLOEXEC)?;
        rustix::pty::grantpt(&master)?;
        rustix::pty::unlockpt(&master)?;
        let name = rustix::pty::ptsname(&master, Vec::new())?;
        let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::CLOEXEC;
        let slave = rustix::fs::open(name, flags, rustix::fs::Mode::empty())?;
        let mut modes = tcgetattr(streams.one())?;
        if !is_raw_throughout(streams) {
            modes.output_modes.remove(OutputModes::OPOST);
        }
        tcsetattr(&slave, OptionalActions::Now, &modes)?;
        rustix::io::ioctl_fionbio(&master, true)?;
        let pty = Self { master, slave };
        resize(&pty.master, streams);
        Ok(pty)
    }
}

/// Gives the command's terminal the size of ours.
pub(crate) fn resize(master: &OwnedFd, streams: Streams) {
    if let Ok(size) = tcgetwinsize(streams.one()) {
        let _ = tcsetwinsize(master, size);
    }
}

fn is_raw_throughout(streams: Streams) -> bool {
    streams.input && streams.output && streams.error
}

/// Our terminal, passing every key on as it is. Dropping it restores what was, on a panic too.
pub(crate) struct RawKeys {
    before: Termios,
    raw: Termios,
}

impl RawKeys {
    /// Every key is for the command from now on.
    pub fn begin(streams: Streams) -> std::io::Result<Self> {
        let before = tcgetattr(stdin())?;
        let mut modes = before.clone();
        if is_raw_throughout(streams) {
            modes.make_raw();
        } else {
            // Others print to this terminal too, and rely on its line ends.
            modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
            modes.input_modes.remove(InputModes::ICRNL | InputModes::IXON);
        }
        tcsetattr(stdin(), OptionalActions::Now, &modes)?;
        Ok(Self { before, raw: modes })
    }

    /// Our terminal as it was, for the shell that takes over while we are stopped.
    pub fn pause(&self) {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.before);
    }

    /// Every key is for the command again.
    pub fn resume(&self) {
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.raw);
    }
}

impl Drop for RawKeys {
    fn drop(&mut self) {
        self.pause();
    }
}

/// What keys have done to a command.
#[derive(Debug, Default)]
pub(crate) struct KeyPresses {
    /// One was pressed that stops a command.
    pub stop: AtomicBool,
    /// Ctrl-C was pressed twice, and the command, which ignores it, was killed.
    pub killed: AtomicBool,
}

/// Passes our keys on to the command's terminal until `gone` is closed. Its terminal turns Ctrl-C into a signal as ours
/// would; Ctrl-Z it cannot, because no shell in its session could resume the command. So our own group gets SIGTSTP, as a
/// terminal would send it, and whoever waits for the command suspends it with us.
pub(crate) fn forward_keys(master: BorrowedFd<'_>, gone: BorrowedFd<'_>, command: ProcessTree, presses: &KeyPresses) {
    const CTRL_C: u8 = 0x03;
    const CTRL_Z: u8 = 0x1a;
    const CTRL_BACKSLASH: u8 = 0x1c;
    let makes_signals = || tcgetattr(master).is_ok_and(|modes| modes.local_modes.contains(LocalModes::ISIG));
    let mut buffer = [0; 4096];
    while wait_for(stdin(), PollFlags::IN, gone) {
        let read = match rustix::io::read(stdin(), &mut buffer) {
            Ok(0) => return,
            Ok(read) => read,
            Err(Errno::INTR | Errno::AGAIN) => continue,
            Err(_) => return,
        };
        let mut keys = &buffer[..read];
        if keys.contains(&CTRL_Z) && makes_signals() {
            let _ = rustix::process::kill_current_process_group(Signal::TSTP);
            continue;
        }
        if keys.contains(&CTRL_C) || keys.contains(&CTRL_BACKSLASH) {
            let is_second = presses.stop.swap(true, Ordering::SeqCst);
            if is_second && makes_signals() && command.ignores_interrupts() {
                presses.killed.store(true, Ordering::SeqCst);
                command.signal_all(Signal::KILL);
            }
        }
        while !keys.is_empty() && wait_for(master, PollFlags::OUT, gone) {
            match rustix::io::write(master, keys) {
                Ok(written) => keys = &keys[written..],
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return,
            }
        }
    }
}

/// Waits for `what` at `fd`; false when `gone` is closed.
fn wait_for(fd: BorrowedFd<'_>, what: PollFlags, gone: BorrowedFd<'_>) -> bool {
    loop {
        let mut fds = [PollFd::from_borrowed_fd(fd, what), PollFd::from_borrowed_fd(gone, PollFlags::IN)];
        if poll(&mut fds, None).is_ok() {
            if !fds[1].revents().is_empty() {
                return false;
            }
            if !fds[0].revents().is_empty() {
                return true;
            }
        }
    }
}

/// Makes the calling process lead a session of its own, with `terminal` as its terminal where one is given.
pub(crate) fn lead_session(terminal: Option<u8>) -> std::io::Result<()> {
    rustix::process::setsid()?;
    match terminal {
        None => Ok(()),
        Some(0) => Ok(rustix::process::ioctl_tiocsctty(stdin().as_fd())?),
        Some(1) => Ok(rustix::process::ioctl_tiocsctty(stdout().as_fd())?),
        Some(_) => Ok(rustix::process::ioctl_tiocsctty(stderr().as_fd())?),
    }
}
