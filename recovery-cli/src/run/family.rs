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

/// Everyone below this process who still runs.
fn descendants() -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mut parents: Vec<(i32, i32)> = Vec::new();
    for name in processes.flatten().filter_map(|entry| entry.file_name().into_string().ok()) {
        let Ok(pid) = name.parse::<i32>() else { continue };
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        // The name in parentheses may hold anything; what follows does not.
        let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
        let mut fields = rest.split(' ');
        let (state, parent) = (fields.next(), fields.next().and_then(|parent| parent.parse().ok()));
        if let (Some(state), Some(parent)) = (state, parent)
            && state != "Z"
        {
            parents.push((pid, parent));
        }
    }
    let mut below = vec![rustix::process::getpid().as_raw_nonzero().get()];
    let mut next = 0;
    while let Some(&parent) = below.get(next) {
        below.extend(parents.iter().filter(|(_, p)| *p == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    below.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}
