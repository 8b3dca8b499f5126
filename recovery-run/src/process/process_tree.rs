//! A command with everything it started.
//!
//! Found by the command's process group, its session and its descendants. A process that left the group and whose parent
//! has ended is found only where this process adopts orphans; without `/proc` the group is all there is.

use rustix::process::{Pid, Signal, WaitOptions, kill_process, kill_process_group, test_kill_process_group, waitpid};

/// Adopts the orphans of descendants from now on. Linux only.
pub(crate) fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// A command that leads its process group, and everything below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessTree {
    leader: Pid,
    adopts_orphans: bool,
}

impl ProcessTree {
    /// The tree below `leader`; all of this process's descendants where it adopts orphans.
    pub const fn new(leader: Pid, adopts_orphans: bool) -> Self {
        Self { leader, adopts_orphans }
    }

    /// Sends `signal` to the group, as a terminal would.
    pub fn signal_group(self, signal: Signal) {
        // A leader that has not made its group yet is signalled by itself.
        if kill_process_group(self.leader, signal).is_err() {
            let _ = kill_process(self.leader, signal);
        }
    }

    /// Sends `signal` to every process of the tree.
    pub fn signal_all(self, signal: Signal) {
        let _ = kill_process_group(self.leader, signal);
        for pid in self.members() {
            let _ = kill_process(pid, signal);
        }
    }

    /// Whether the command has a session of its own.
    pub fn leads_session(self) -> bool {
        let leader = self.leader.as_raw_nonzero().get();
        process(leader).is_some_and(|process| process.session == leader)
    }

    /// Whether every running process ignores SIGINT, if that is known: such a command is meant to continue after
    /// Ctrl-C, unlike one that handles it.
    pub fn ignores_interrupts(self) -> bool {
        const SIGINT_BIT: u64 = 1 << 1;
        let members = self.members();
        let ignores = |pid: &Pid| {
            let status = std::fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).unwrap_or_default();
            let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
            mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & SIGINT_BIT != 0)
        };
        !members.is_empty() && members.iter().all(ignores)
    }

    /// Whether any process still runs.
    pub fn is_alive(self) -> bool {
        test_kill_process_group(self.leader).is_ok() || !self.members().is_empty()
    }

    /// Reaps adopted orphans that have ended, so that they do not count as alive.
    pub fn reap_orphans(self) {
        if !self.adopts_orphans {
            return;
        }
        let own = rustix::process::getpid().as_raw_nonzero().get();
        for stat in stats().filter(|stat| stat.is_zombie && stat.process.parent == own) {
            let _ = waitpid(Pid::from_raw(stat.process.id), WaitOptions::NOHANG);
        }
    }

    /// Every process that still runs.
    fn members(self) -> Vec<Pid> {
        let leader = self.leader.as_raw_nonzero().get();
        let processes = processes();
        let mut members: Vec<i32> = if self.adopts_orphans {
            let own = rustix::process::getpid().as_raw_nonzero().get();
            processes.iter().filter(|process| process.parent == own).map(|process| process.id).collect()
        } else {
            let is_led = |process: &&Process| [process.id, process.group, process.session].contains(&leader);
            processes.iter().filter(is_led).map(|process| process.id).collect()
        };
        let mut next = 0;
        while let Some(&parent) = members.get(next) {
            let children = processes.iter().filter(|process| process.parent == parent).map(|process| process.id);
            let new: Vec<i32> = children.filter(|id| !members.contains(id)).collect();
            members.extend(new);
            next += 1;
        }
        members.into_iter().filter_map(Pid::from_raw).collect()
    }
}

/// A process that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    pub id: i32,
    pub parent: i32,
    pub group: i32,
    pub session: i32,
    /// The start time, in ticks since boot; together with the number it identifies the process.
    pub started: u64,
}

/// Every process that still runs. Empty if the system has no `/proc`.
pub(crate) fn processes() -> Vec<Process> {
    stats().filter(|stat| !stat.is_zombie).map(|stat| stat.process).collect()
}

/// The process with this number, while it runs.
pub(crate) fn process(id: i32) -> Option<Process> {
    stat(id).filter(|stat| !stat.is_zombie).map(|stat| stat.process)
}

struct Stat {
    process: Process,
    /// It has ended, and its parent has not reaped it.
    is_zombie: bool,
}

fn stats() -> impl Iterator<Item = Stat> {
    let names = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()).filter_map(stat)
}

fn stat(id: i32) -> Option<Stat> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses may hold anything; what follows does not.
    let (_, rest) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let number = |at: usize| fields.get(at)?.parse::<i32>().ok();
    let process = Process {
        id,
        parent: number(1)?,
        group: number(2)?,
        session: number(3)?,
        started: fields.get(19)?.parse().ok()?,
    };
    Some(Stat { process, is_zombie: *fields.first()? == "Z" })
}
