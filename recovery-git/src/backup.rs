//! Saving everything under a named ref before going back, and getting it back, byte for byte.
//!
//! A backup is a commit on `refs/recovery/backup/NAME`. Its tree is the work tree as it was on disk (untracked files too),
//! its first parent the commit that HEAD named, its second a commit with what a tree cannot hold: the index file itself
//! (flags and conflicts included), the blobs it names, the empty directories, and permissions that are not git's. Files go in and out without any
//! conversion (see `work_tree.rs`), so that neither attributes nor filters change a byte and no program of the
//! repository's runs.
//!
//! Order of a rollback: lock, save, compare what was saved with what is there, let the caller record it, write the files,
//! then the index, then HEAD. Killed anywhere, the backup is there and `undo` brings everything back.

use crate::error::{Context as _, ensure};
use crate::work_tree::{Entries, Kind, Permissions, WorkTree, WrittenAs};
use crate::{GitError, IGNORE_DIRTY_SUBMODULES, Repo, finish, finish_bytes};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

const REFS: &str = "refs/recovery/backup/";
/// In a backup's message, before the branch that HEAD was on.
const ON: &str = "on ";
/// The message of a backup's second parent.
const BESIDES: &str = "recovery: index and empty directories";
/// In the second parent's tree: the index file.
const INDEX: &str = "index";
/// In the second parent's tree: the empty directories, each ended by a zero byte.
const EMPTY_DIRECTORIES: &str = "empty-directories";
/// In the second parent's tree: the permissions that are not git's own, each with its path and ended by a zero byte.
const PERMISSIONS: &str = "permissions";

/// What a rollback did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rollback {
    /// Where everything was saved first.
    pub backup: Backup,
    /// The commit the work tree is at now.
    pub target: String,
}

/// A saved state of the work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backup {
    /// Its name, for `recovery rollback --undo NAME`.
    pub name: String,
    /// The commit that HEAD named.
    pub head: String,
}

impl Backup {
    /// The ref it is kept under.
    #[must_use]
    pub fn reference(&self) -> String {
        format!("{REFS}{}", self.name)
    }
}

/// The only rollback or undo of a work tree, until this is dropped or the process dies.
pub struct RollbackLock {
    _file: File,
}

impl Repo {
    /// Commits everything that is not ignored on a new branch of our own, `recovery/handoff/NAME`. HEAD, the index and the
    /// work tree stay as they are.
    pub fn hand_off(&self, name: &str, message: &str) -> Result<String, GitError> {
        let head = self.head()?;
        let scratch = Scratch::new(self)?;
        let index = scratch.path("handoff-index");
        if let Ok(bytes) = std::fs::read(self.git_path("index")?) {
            std::fs::write(&index, bytes).with_context(|| format!("cannot write {}", index.display()))?;
        }
        // Not `git add`, which runs `git status` in submodules with the settings that they have themselves.
        let changed = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard"];
        let list = scratch.path("handoff-list");
        std::fs::write(&list, finish_bytes(self.on_index(&index).args(changed))?)?;
        let update = ["update-index", "-z", "--add", "--remove", "--stdin"];
        finish(self.on_index(&index).args(update).stdin(File::open(&list)?))?;
        let tree = finish(self.on_index(&index).args(["write-tree"]))?;
        let commit = self.commit_tree(&tree, &[&head], message)?;
        let branch = format!("recovery/handoff/{name}");
        // An empty old value: the branch must not be there yet.
        self.git(["update-ref", "-m", "recovery: handoff", &format!("refs/heads/{branch}"), &commit, ""])?;
        Ok(branch)
    }

    /// Waits until no other rollback or undo is under way here.
    pub fn lock(&self) -> Result<RollbackLock, GitError> {
        let path = self.git_path("recovery-rollback.lock")?;
        let open = File::options().create(true).truncate(false).write(true).open(&path);
        let file = open.with_context(|| format!("cannot open {}", path.display()))?;
        file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
        Ok(RollbackLock { _file: file })
    }

    /// Goes back to `target` after saving everything, unless [`Repo::checked_target`] refuses. `record` is called when everything is
    /// saved and nothing is touched yet; where it fails, nothing is touched at all.
    pub fn roll_back(
        &self,
        _lock: &RollbackLock,
        target: &str,
        expected_head: &str,
        name: &str,
        record: impl FnOnce(&Rollback) -> Result<(), Box<dyn std::error::Error + Send + Sync>>,
    ) -> Result<Rollback, GitError> {
        let target = self.checked_target(target, expected_head)?;
        let scratch = Scratch::new(self)?;
        let index = scratch.path("target-index");
        if let Ok(bytes) = std::fs::read(self.git_path("index")?) {
            std::fs::write(&index, bytes).with_context(|| format!("cannot write {}", index.display()))?;
        }
        // Git checks every path of the target here: none may leave the work tree.
        finish(self.on_index(&index).args(["read-tree", "--reset", &target]))?;
        let (backup, now) = self.save(&scratch, name, expected_head, &target)?;
        let done = Rollback { backup, target };
        let saved = || format!("everything is saved as {}", done.backup.reference());
        record(&done)
            .map_err(GitError::NotRecorded)
            .with_context(|| format!("it cannot be recorded; nothing was touched, and {}", saved()))?;
        let reset = || -> Result<(), GitError> {
            let wanted = self.tree(&done.target)?;
            let kept = self.kept(&now, &wanted)?;
            self.write(&scratch, &now, &wanted, &kept, &Permissions::default())?;
            self.install_index(&index)?;
            let because = format!("recovery: rollback, saved as {}", done.backup.name);
            self.git(["update-ref", "-m", &because, "HEAD", &done.target, expected_head])?;
            Ok(())
        };
        reset().with_context(saved)?;
        Ok(done)
    }

    /// The full id of `target`, if going back to it may begin. Refuses when HEAD is not at `expected_head`, while
    /// another operation is under way, and where work would be overwritten that cannot be saved. Touches nothing.
    pub fn checked_target(&self, target: &str, expected_head: &str) -> Result<String, GitError> {
        self.ensure_nothing_under_way()?;
        let target = self.commit(target)?;
        let head = self.head()?;
        ensure!(
            head == expected_head,
            "HEAD moved since the decision was recorded: it was {}, it is {}; nothing was touched. Look at what is new \
             (git log {}..HEAD), then record the failure again if going back is still right",
            short(expected_head),
            short(&head),
            short(expected_head)
        );
        self.ensure_nothing_unsaved_in_the_way(&target)?;
        Ok(target)
    }

    /// Puts HEAD, the index and the work tree back as `name` saved them. What is there now is saved first.
    pub fn undo(&self, _lock: &RollbackLock, name: &str, now_name: &str) -> Result<Backup, GitError> {
        self.ensure_nothing_under_way()?;
        let saved = self.commit(&format!("{REFS}{name}")).with_context(|| {
            let names = self.backups().unwrap_or_default().join(", ");
            format!("no backup has that name; there are: {}", if names.is_empty() { "none" } else { &names })
        })?;
        let was_on = self.message(&saved)?.lines().last().unwrap_or_default().to_owned();
        let is_on = self.place();
        ensure!(was_on == is_on, "the backup was made {was_on}, HEAD is {is_on} now; switch back first");
        ensure!(
            self.message(&format!("{saved}^2"))?.trim() == BESIDES,
            "the backup was made by another version of recovery; look at it with git: git diff HEAD {REFS}{name}"
        );
        self.ensure_nothing_unsaved_in_the_way(&saved)?;
        let scratch = Scratch::new(self)?;
        // Git checks every path of the backup here: none may leave the work tree.
        finish(self.on_index(&scratch.path("checked")).args(["read-tree", &saved]))?;
        let head = self.head()?;
        let (backup, now) = self.save(&scratch, now_name, &head, &saved)?;
        let restore = || -> Result<(), GitError> {
            let files = self.tree(&saved)?;
            let permissions = self.saved_permissions(&saved)?;
            self.write(&scratch, &now, &files, &BTreeSet::new(), &permissions)?;
            self.set_permissions(&files, &permissions)?;
            for directory in self.blob(&format!("{saved}^2:{EMPTY_DIRECTORIES}"))?.split(|byte| *byte == 0) {
                self.make_directory(&now, directory)?;
            }
            let index = scratch.path("saved-index");
            std::fs::write(&index, self.blob(&format!("{saved}^2:{INDEX}"))?)?;
            self.install_index(&index)?;
            let because = format!("recovery: undo of {name}");
            self.git(["update-ref", "-m", &because, "HEAD", &format!("{saved}^1"), &head])?;
            Ok(())
        };
        restore().with_context(|| format!("what was there is saved as {}", backup.reference()))?;
        Ok(backup)
    }

    /// The names of all backups, oldest first.
    pub fn backups(&self) -> Result<Vec<String>, GitError> {
        let listed = self.git(["for-each-ref", "--sort=creatordate", "--format=%(refname)", REFS])?;
        Ok(listed.lines().filter_map(|line| line.strip_prefix(REFS)).map(str::to_owned).collect())
    }

    /// Saves HEAD, the index, and the work tree with its untracked files. Files that git ignores are saved only where
    /// `target` would overwrite them. Touches nothing.
    fn save(&self, scratch: &Scratch, name: &str, head: &str, target: &str) -> Result<(Backup, WorkTree), GitError> {
        let index_file = self.git_path("index")?;
        let lock = index_file.with_extension("lock");
        ensure!(
            lock.symlink_metadata().is_err(),
            "the index cannot be read safely: another git process holds {}; nothing was touched",
            lock.display()
        );
        let failed = "saving the work tree failed; nothing was touched";
        let now = self.work_tree(scratch, target, WrittenAs::Objects).context(failed)?;
        let index = std::fs::read(&index_file).unwrap_or_default();
        let commit = self.saved_commit(scratch, &now, &index, head).context(failed)?;
        let backup = Backup { name: name.to_owned(), head: head.to_owned() };
        // An empty old value: creating the ref fails if the name is taken, so no backup is ever overwritten.
        self.git(["update-ref", &backup.reference(), &commit, ""])?;
        let again = self.work_tree(scratch, target, WrittenAs::Nothing).context(failed)?;
        ensure!(
            self.tree(&commit)? == now.files
                && again.files == now.files
                && again.index == now.index
                && std::fs::read(&index_file).unwrap_or_default() == index,
            "files changed while they were being saved; nothing was touched. Stop what changes them, then try again"
        );
        Ok((backup, now))
    }

    fn saved_commit(&self, scratch: &Scratch, now: &WorkTree, index: &[u8], head: &str) -> Result<String, GitError> {
        let files = now.files.iter().map(|(path, entry)| (path.clone(), entry.kind, entry.id.clone()));
        let tree = self.make_tree(scratch, files)?;
        let directories: Vec<u8> =
            now.empty_directories.iter().flat_map(|dir| [dir.as_slice(), b"\0"].concat()).collect();
        let permissions: Vec<u8> = now
            .permissions
            .iter()
            .flat_map(|(path, mode)| [format!("{mode:o} ").as_bytes(), path, b"\0"].concat())
            .collect();
        let blobs = self.store_blobs(scratch, &[index, &directories, &permissions])?;
        let [index, directories, permissions] =
            <[String; 3]>::try_from(blobs).ok().context("git stored something else")?;
        // The index names blobs that are in no commit yet; being in this tree keeps them.
        let named = now.index.iter().filter(|entry| entry.kind != Kind::Repository).map(|entry| {
            let path = [format!("stage{}/", entry.stage).as_bytes(), &entry.path].concat();
            (path, entry.kind, entry.id.clone())
        });
        let own = [(INDEX, index), (EMPTY_DIRECTORIES, directories), (PERMISSIONS, permissions)]
            .map(|(name, id)| (name.as_bytes().to_vec(), Kind::File, id));
        let besides = self.make_tree(scratch, named.chain(own))?;
        let besides = self.commit_tree(&besides, &[head], BESIDES)?;
        let message = format!("recovery: everything before going back\n\n{}", self.place());
        self.commit_tree(&tree, &[head, &besides], &message)
    }

    /// Paths that stay as they are on the way to `wanted`: those the user hid from git, and those that git takes for
    /// unchanged although their bytes differ, such as files with converted line ends.
    fn kept(&self, now: &WorkTree, wanted: &Entries) -> Result<BTreeSet<Vec<u8>>, GitError> {
        let diff = ["diff-files", "-z", "--name-only", "--no-ext-diff", IGNORE_DIRTY_SUBMODULES];
        let changed = finish_bytes(self.command().args(diff))?;
        let changed: BTreeSet<&[u8]> = changed.split(|byte| *byte == 0).collect();
        let is_kept = |entry: &&crate::work_tree::IndexEntry| {
            let is_same =
                wanted.get(&entry.path).is_some_and(|theirs| theirs.id == entry.id && theirs.kind == entry.kind);
            entry.is_hidden || (is_same && entry.stage == 0 && !changed.contains(entry.path.as_slice()))
        };
        Ok(now.index.iter().filter(is_kept).map(|entry| entry.path.clone()).collect())
    }

    /// Puts `file` in the index's place, as git does: under a lock that other git processes respect.
    fn install_index(&self, file: &Path) -> Result<(), GitError> {
        let index = self.git_path("index")?;
        let lock = index.with_extension("lock");
        if std::fs::metadata(file).is_ok_and(|file| file.len() == 0) {
            let _ = std::fs::remove_file(&index);
            return Ok(());
        }
        std::fs::hard_link(file, &lock).with_context(|| format!("another git process holds {}", lock.display()))?;
        std::fs::rename(&lock, &index).with_context(|| format!("cannot replace {}", index.display()))
    }

    /// The permissions in a backup; none in one of an earlier version.
    fn saved_permissions(&self, saved: &str) -> Result<Permissions, GitError> {
        let name = format!("{saved}^2:{PERMISSIONS}");
        if self.answer(["rev-parse", "--verify", "--quiet", &name])?.is_none() {
            return Ok(Permissions::default());
        }
        let parsed = |line: &[u8]| {
            let (mode, path) = line.split_at_checked(line.iter().position(|byte| *byte == b' ')?)?;
            Some((path[1..].to_vec(), u32::from_str_radix(std::str::from_utf8(mode).ok()?, 8).ok()?))
        };
        let blob = self.blob(&name)?;
        let lines = blob.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        lines.map(|line| parsed(line).context("the backup's permissions cannot be read")).collect()
    }

    /// Refuses where going to `target` would overwrite what cannot be saved.
    fn ensure_nothing_unsaved_in_the_way(&self, target: &str) -> Result<(), GitError> {
        // A submodule of the target is left alone: nothing is written into it.
        let theirs = self.tree(target)?.into_iter().filter(|(_, entry)| entry.kind != Kind::Repository);
        let theirs: BTreeSet<Vec<u8>> = theirs.map(|(path, _)| path).collect();
        self.ensure_no_special_file_in_the_way(&theirs)?;
        self.ensure_no_nested_repository_in_the_way(target, &theirs)
    }

    /// Refuses where a pipe, a socket or a device is at or above a path of `theirs`: it has no bytes to save.
    fn ensure_no_special_file_in_the_way(&self, theirs: &BTreeSet<Vec<u8>>) -> Result<(), GitError> {
        let mut seen: BTreeSet<&[u8]> = BTreeSet::new();
        for path in theirs {
            let above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| &path[..end]);
            for part in above.chain([path.as_slice()]).filter(|part| seen.insert(part)) {
                let full = self.top.join(OsStr::from_bytes(part));
                let Ok(found) = full.symlink_metadata() else { continue };
                ensure!(
                    found.is_file() || found.is_dir() || found.is_symlink(),
                    "{} is a pipe, a socket or a device, which cannot be saved; nothing was touched. Move it away first, \
                     then try again",
                    full.display()
                );
            }
        }
        Ok(())
    }

    /// Refuses where `theirs`, the files of `target`, has one in, at or above a repository inside the work tree. Git saves
    /// such a repository as the bare id of its commit, so that its uncommitted work would be overwritten for good.
    fn ensure_no_nested_repository_in_the_way(&self, target: &str, theirs: &BTreeSet<Vec<u8>>) -> Result<(), GitError> {
        // Git lists an untracked repository, ignored or not, as a folder, and nothing else so.
        let untracked = self.paths(&["ls-files", "-z", "--others"])?;
        let untracked = untracked.iter().filter_map(|path| path.strip_suffix(b"/")).map(<[u8]>::to_vec);
        let tracked = self.index_entries()?.into_iter().filter(|entry| entry.kind == Kind::Repository);
        for nested in untracked.chain(tracked.map(|entry| entry.path)) {
            let Some(file) = in_the_way(&nested, theirs) else { continue };
            let folder = Path::new(OsStr::from_bytes(&nested));
            // A submodule that was never fetched has nothing to lose.
            ensure!(
                !self.top.join(folder).join(".git").exists(),
                "{} is a git repository of its own, and {} has the file {} there: uncommitted work in it would be \
                 overwritten and cannot be saved from here; nothing was touched. Move {} out of the work tree first, \
                 then try again",
                folder.display(),
                short(target),
                Path::new(OsStr::from_bytes(file)).display(),
                folder.display()
            );
        }
        Ok(())
    }

    fn commit_tree(&self, tree: &str, parents: &[&str], message: &str) -> Result<String, GitError> {
        let mut commit = self.command();
        // Works in a repository whose user has not set a name yet.
        for (name, value) in [("NAME", "recovery"), ("EMAIL", "recovery@localhost")] {
            commit.env(format!("GIT_AUTHOR_{name}"), value).env(format!("GIT_COMMITTER_{name}"), value);
        }
        commit.args(["commit-tree", "--no-gpg-sign", tree, "-m", message]);
        for parent in parents {
            commit.args(["-p", parent]);
        }
        finish(&mut commit)
    }

    /// A commit's message. `git log` could be configured by the repository to run a program that checks signatures.
    fn message(&self, commit: &str) -> Result<String, GitError> {
        let raw = self.git(["cat-file", "commit", commit])?;
        Ok(raw.split_once("\n\n").map(|(_, message)| message.trim_end().to_owned()).unwrap_or_default())
    }

    /// Where HEAD is, in words.
    fn place(&self) -> String {
        self.branch().map_or_else(|| format!("{ON}no branch"), |branch| format!("{ON}{branch}"))
    }
}

/// A directory for the files of one rollback, in the repository's own, gone afterwards.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    fn new(repo: &Repo) -> Result<Self, GitError> {
        let dir = repo.git_path(&format!("recovery-scratch-{}", std::process::id()))?;
        // Left behind by a killed process that had our number.
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        Ok(Self(dir))
    }

    /// A file of this name in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The first of `theirs` that cannot be written while `path` stays as it is: the same path, one in it, or one above it.
pub(crate) fn in_the_way<'a>(path: &[u8], theirs: &'a BTreeSet<Vec<u8>>) -> Option<&'a [u8]> {
    let folder = [path, b"/"].concat();
    let inside = || theirs.range(folder.clone()..).next().filter(|their| their.starts_with(&folder));
    let mut slashes = folder.iter().enumerate().filter(|(_, b)| **b == b'/');
    let at_or_above = slashes.find_map(|(end, _)| theirs.get(folder.get(..end)?));
    at_or_above.or_else(inside).map(Vec::as_slice)
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
