//! A command with everything it started.

use rustix::process::{Pid, Signal, kill_process, kill_process_group, test_kill_process_group};

/// A command's process group, and what left the group but not the family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    leader: Pid,
}

impl Family {
    /// The family of a process that leads its group.
    pub const fn of(leader: Pid) -> Self {
        Self { leader }
    }

    /// Takes in orphans from now on, so that what leaves the group can still be found. Linux only; elsewhere the group
    /// has to do.
    pub fn adopt_orphans() {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    }

    /// Sends `signal` to the group, as a terminal would.
    pub fn signal_group(self, signal: Signal) {
        // A leader that has not made its group yet is signalled by itself.
        if kill_process_group(self.leader, signal).is_err() {
            let _ = kill_process(self.leader, signal);
        }
    }

    /// Sends `signal` to everyone.
    pub fn signal_all(self, signal: Signal) {
        let _ = kill_process_group(self.leader, signal);
        for pid in descendants() {
            let _ = kill_process(pid, signal);
        }
    }

    /// Whether anyone is left.
    pub fn is_alive(self) -> bool {
        test_kill_process_group(self.leader).is_ok() || !descendants().is_empty()
    }
}

/// A process that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    pub id: i32,
    parent: i32,
    pub group: i32,
    pub session: i32,
    /// When it was started, in ticks since the system was; with the number, no other process has it.
    pub started: u64,
}

/// Everyone who still runs. Nobody where the system has no `/proc`.
pub(crate) fn processes() -> Vec<Process> {
    let Ok(names) = std::fs::read_dir("/proc") else { return Vec::new() };
    let numbers = names.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter_map(process).collect()
}

/// The process with this number.
pub(crate) fn process(id: i32) -> Option<Process> {
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
    (fields[0] != "Z").then_some(process)
}

/// Everyone below this process who still runs.
fn descendants() -> Vec<Pid> {
    let processes = processes();
    let mut below = vec![rustix::process::getpid().as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(&parent) = below.get(next) {
        below.extend(processes.iter().filter(|process| process.parent == parent).map(|process| process.id));
        next += 1;
    }
    below.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}
