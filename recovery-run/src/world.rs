//! What the driver needs from outside: the clock, waiting, running a command. Tests put a virtual one in its place.

use crate::playbook::CommandLine;
use crate::watch::Watch;
use recovery_types::{ErrorType, Timestamp};
use std::sync::Mutex;

/// The clock and the children.
pub trait World {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Waits until `until`, calling `tick` with the time about once per second; a signal ends it early.
    fn wait(&mut self, until: Timestamp, tick: &mut dyn FnMut(Timestamp)) -> Option<Signal>;

    /// Runs one command to its end, its output passed on and watched.
    fn run(&mut self, job: &Job<'_>, watch: &Mutex<Watch<'_>>) -> End;

    /// What runs within the last command gave up on.
    fn given_up_within(&mut self) -> Vec<ErrorType> {
        Vec::new()
    }

    /// Reports to the run that this one is within, if there is one, what this one gives up on.
    fn give_up(&mut self, _error: ErrorType) {}
}

/// One command to run.
#[derive(Debug)]
pub struct Job<'a> {
    /// The command.
    pub command: &'a CommandLine,
    /// When it is stopped, with everything it started.
    pub deadline: Option<Timestamp>,
    /// Additions to its environment.
    pub env: Vec<(&'static str, String)>,
    /// What was tried, as JSON; in a file that `RECOVERY_STORY` names.
    pub history: Option<String>,
    /// Whether the history is its standard input too.
    pub reads_history: bool,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code; 128 and the signal's number where a signal ended it.
    Exited(u8),
    /// It could not be started: 127 where it was not found, else 126.
    NotStarted {
        /// The exit code that shells give then.
        code: u8,
        /// Why.
        reason: String,
    },
    /// It was stopped at its deadline.
    TimedOut,
    /// A signal stopped us, and it with us.
    Interrupted(Signal),
    /// The reader of our output closed it, and the command ended with this exit code.
    Unread(u8),
}

/// A signal that ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Int,
    /// A polite request to end.
    Term,
    /// The terminal is gone.
    Hup,
    /// Ctrl-\\.
    Quit,
}

impl Signal {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Int, Self::Term, Self::Hup, Self::Quit];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int => "SIGINT",
            Self::Term => "SIGTERM",
            Self::Hup => "SIGHUP",
            Self::Quit => "SIGQUIT",
        }
    }

    /// The exit code that shells give to what it ended.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Int => 130,
            Self::Term => 143,
            Self::Hup => 129,
            Self::Quit => 131,
        }
    }
}
