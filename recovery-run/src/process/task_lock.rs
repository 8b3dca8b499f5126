//! One run of a task at a time, and the detection of commands that a killed run left running.
//!
//! A run holds a lock on a file of its task; the system gives the lock back whatever way the run ends. The file states which
//! process holds it and which command that has started. A lock that is free while the file still names a command means
//! that the run was killed, and that its command may live on.

use super::private_file;
use super::process_tree::{self, Process};
use rustix::process::Pid;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The lock's file cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot open {}: {source}", path.display())]
pub struct LockError {
    path: PathBuf,
    source: std::io::Error,
}

/// The lock of a task, held until this is dropped or the process dies.
#[derive(Debug)]
pub struct TaskLock {
    file: File,
    path: PathBuf,
}

/// The result of acquiring a task's lock.
#[derive(Debug)]
pub enum Acquired {
    /// The lock was acquired; with the command that an earlier run left behind.
    Held(TaskLock, Option<OrphanedRun>),
    /// Another process runs the task; its id, if the file contains one.
    Busy(Option<u32>),
}

/// The content of the file of a task.
#[derive(Default, Serialize, Deserialize)]
struct Holder {
    /// The process that runs the task.
    process: u32,
    /// The command it has started.
    command: Option<Started>,
}

/// A command, identified across reuse of its process id.
#[derive(Serialize, Deserialize)]
struct Started {
    leader: i32,
    /// The start time, in ticks since boot.
    at: u64,
    /// The id of the boot.
    boot: String,
}

impl TaskLock {
    /// Acquires the lock of a task, a file in `dir`. On a file system without locks every process acquires it.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn acquire(dir: &Path, task: &str) -> Result<Acquired, LockError> {
        std::fs::create_dir_all(dir).map_err(|source| LockError { path: dir.to_owned(), source })?;
        let name = recovery_engine::action_fingerprint(None, task);
        let path = dir.join(format!("{}.json", &name[..24]));
        loop {
            let mut file = private_file(&path).map_err(|source| LockError { path: path.clone(), source })?;
            let held = file.try_lock();
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            let holder: Option<Holder> = serde_json::from_str(&text).ok();
            if let Err(TryLockError::WouldBlock) = held {
                return Ok(Acquired::Busy(holder.map(|holder| holder.process)));
            }
            // The previous holder may have removed the file since we opened it.
            let ours = file.metadata().map(|file| (file.dev(), file.ino())).ok();
            if std::fs::metadata(&path).map(|file| (file.dev(), file.ino())).ok() != ours {
                continue;
            }
            let left = holder.and_then(|holder| OrphanedRun::of(&holder.command?, task));
            let mut hold = Self { file, path };
            hold.write_holder(None);
            return Ok(Acquired::Held(hold, left));
        }
    }

    /// Records the start of a command.
    pub fn started(&mut self, leader: Pid) {
        let leader = leader.as_raw_nonzero().get();
        let at = process_tree::process(leader).map(|process| process.started);
        self.write_holder(at.zip(boot()).map(|(at, boot)| Started { leader, at, boot }));
    }

    /// Records the end of the command and of everything that it was to leave behind.
    pub fn ended(&mut self) {
        self.write_holder(None);
    }

    /// A file that cannot be written is ignored: the run is more important.
    fn write_holder(&mut self, command: Option<Started>) {
        let holder = Holder { process: std::process::id(), command };
        let Ok(text) = serde_json::to_vec(&holder) else { return };
        let _ = self.file.set_len(0).and_then(|()| self.file.rewind()).and_then(|()| self.file.write_all(&text));
    }
}

impl Drop for TaskLock {
    fn drop(&mut self) {
        // Removed while we still hold the lock, so that no process holds a lock on a removed file.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A command that outlived the run that started it.
#[derive(Debug)]
pub struct OrphanedRun {
    leader: i32,
    at: u64,
    mark: String,
}

impl OrphanedRun {
    fn of(command: &Started, task: &str) -> Option<Self> {
        let left = Self { leader: command.leader, at: command.at, mark: format!("RECOVERY_TASK={task}") };
        (boot()? == command.boot && !left.alive().is_empty()).then_some(left)
    }

    /// The processes that still run. Once the leader is gone its number may be reused, so members are recognised by the
    /// environment that the command was given.
    #[must_use]
    pub fn alive(&self) -> Vec<Pid> {
        let processes = process_tree::processes();
        let leader = processes.iter().find(|process| process.id == self.leader);
        if leader.is_some_and(|leader| leader.started != self.at) {
            return Vec::new();
        }
        let belongs = |process: &&Process| process.group == self.leader || process.session == self.leader;
        let is_ours = |process: &&Process| leader.is_some() || self.is_marked(process.id);
        processes.iter().filter(belongs).filter(is_ours).filter_map(|process| Pid::from_raw(process.id)).collect()
    }

    fn is_marked(&self, process: i32) -> bool {
        let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == self.mark.as_bytes())
    }
}

/// The id of the current boot.
fn boot() -> Option<String> {
    std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().map(|id| id.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    fn held(dir: &Path) -> (TaskLock, Option<OrphanedRun>) {
        match TaskLock::acquire(dir, "t").unwrap() {
            Acquired::Held(hold, left) => (hold, left),
            Acquired::Busy(_) => panic!("busy"),
        }
    }

    #[test]
    fn a_task_is_held_once_and_its_file_goes_with_the_hold() {
        let dir = tempfile::tempdir().unwrap();
        let (hold, left) = held(dir.path());
        assert!(left.is_none());
        assert!(
            matches!(TaskLock::acquire(dir.path(), "t").unwrap(), Acquired::Busy(Some(id)) if id == std::process::id())
        );
        assert!(matches!(TaskLock::acquire(dir.path(), "another").unwrap(), Acquired::Held(..)));
        drop(hold);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        held(dir.path());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn only_the_very_command_that_was_started_is_left_behind() {
        let dir = tempfile::tempdir().unwrap();
        let mut child = Command::new("sleep").arg("9").process_group(0).spawn().unwrap();
        let leader = Pid::from_child(&child);
        let (mut hold, _) = held(dir.path());
        hold.started(leader);
        let holder = std::fs::read_to_string(&hold.path).unwrap();
        // As if the run had been killed: the lock is free, the file is there.
        let path = hold.path.clone();
        drop(hold);
        let left_by = |holder: &str| {
            std::fs::write(&path, holder).unwrap();
            held(dir.path()).1.map(|left| left.alive())
        };
        assert_eq!(left_by(&holder), Some(vec![leader]));
        let mut other: Holder = serde_json::from_str(&holder).unwrap();
        other.command.as_mut().unwrap().at += 1;
        assert_eq!(left_by(&serde_json::to_string(&other).unwrap()), None, "another process with this number");
        assert_eq!(left_by("{"), None, "half a file");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(left_by(&holder), None, "it has ended");
    }
}
