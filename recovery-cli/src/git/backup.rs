//! Saving everything under a named ref before going back, and getting it back.
//!
//! A backup is a commit on `refs/recovery/backup/NAME`. Its tree is the whole work tree (untracked files too, byte for
//! byte where git is 2.41 or newer, with the repository's own filters applied before that), its first parent the commit
//! that HEAD named, its second a commit of the index.

use super::{Repo, command, finish, finish_bytes};
use anyhow::{Context as _, ensure};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::process::Command;

const REFS: &str = "refs/recovery/backup/";
/// In a backup's message, before the branch that HEAD was on.
const ON: &str = "on ";

/// What a rollback did.
#[derive(Debug)]
pub(crate) struct Rollback {
    /// Where everything was saved first.
    pub backup: Backup,
    /// The commit the work tree is at now.
    pub target: String,
}

/// A saved state of the work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Backup {
    /// Its name, for `recovery rollback --undo NAME`.
    pub name: String,
    /// The commit that HEAD named.
    pub head: String,
}

impl Backup {
    /// The ref it is kept under.
    pub fn reference(&self) -> String {
        format!("{REFS}{}", self.name)
    }
}

/// A path of a tree or of the index.
struct TreeEntry {
    path: Vec<u8>,
    /// Whether it is a repository of its own rather than a file.
    is_repository: bool,
}

impl Repo {
    /// Goes back to `target` after saving everything, unless [`Repo::ready`] refuses.
    pub fn roll_back(&self, target: &str, expected_head: &str, name: &str) -> anyhow::Result<Rollback> {
        let target = self.ready(target, expected_head)?;
        let backup = self.save(name, expected_head, &target)?;
        self.git(["reset", "--quiet", "--hard", &target])
            .with_context(|| format!("everything is saved under {}", backup.reference()))?;
        Ok(Rollback { backup, target })
    }

    /// The full id of `target`, if going back to it may begin. Refuses when HEAD is not at `expected_head`, while
    /// another operation is under way, and where work would be overwritten that cannot be saved. Touches nothing.
    pub fn ready(&self, target: &str, expected_head: &str) -> anyhow::Result<String> {
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
        self.ensure_no_nested_repository_in_the_way(&target)?;
        Ok(target)
    }

    /// Puts HEAD, the index and the work tree back as `name` saved them. What is there now is saved first.
    pub fn undo(&self, name: &str, now_name: &str) -> anyhow::Result<Backup> {
        self.ensure_nothing_under_way()?;
        let saved = self.commit(&format!("{REFS}{name}")).with_context(|| {
            let names = self.backups().unwrap_or_default().join(", ");
            format!("no backup has that name; there are: {}", if names.is_empty() { "none" } else { &names })
        })?;
        let was_on = self.git(["log", "-1", "--format=%b", &saved])?;
        let is_on = self.place();
        ensure!(
            was_on.trim() == is_on,
            "the backup was made {}, HEAD is {is_on} now; switch back first",
            was_on.trim()
        );
        self.ensure_no_nested_repository_in_the_way(&saved)?;
        let now = self.save(now_name, &self.head()?, &saved)?;
        self.git(["reset", "--quiet", "--soft", &format!("{saved}^1")])?;
        self.check_out_exactly(&saved)?;
        self.git(["read-tree", &format!("{saved}^2")])?;
        Ok(now)
    }

    /// The names of all backups, oldest first.
    pub fn backups(&self) -> anyhow::Result<Vec<String>> {
        let listed = self.git(["for-each-ref", "--sort=creatordate", "--format=%(refname)", REFS])?;
        Ok(listed.lines().filter_map(|line| line.strip_prefix(REFS)).map(str::to_owned).collect())
    }

    /// Saves HEAD, the index, and the work tree with its untracked files. Files that git ignores are saved only where
    /// `target` would overwrite them.
    fn save(&self, name: &str, head: &str, target: &str) -> anyhow::Result<Backup> {
        let scratch = self.top.join(self.git(["rev-parse", "--git-path", "recovery-backup-index"])?);
        let saved = self.save_with(&scratch, head, target);
        let _ = std::fs::remove_file(&scratch);
        let backup = Backup { name: name.to_owned(), head: head.to_owned() };
        // An empty old value: creating the ref fails if the name is taken, so no backup is ever overwritten.
        self.git([
            "update-ref",
            &backup.reference(),
            &saved.context("saving the work tree failed; nothing was touched")?,
            "",
        ])?;
        Ok(backup)
    }

    fn save_with(&self, scratch: &Path, head: &str, target: &str) -> anyhow::Result<String> {
        let index = self.git(["write-tree"]).context("the index cannot be read")?;
        let index = self.commit_tree(&index, &[head], "recovery: the index")?;
        // A fresh index has no stat data, so that every file is read again and what is saved is what is there.
        finish(self.exact(scratch).args(["read-tree", &format!("{index}^{{tree}}")]))?;
        finish(self.exact(scratch).args(["add", "--all", "--", "."]))?;
        let overwritten = self.ignored_files_of(target)?;
        if !overwritten.is_empty() {
            finish(self.exact(scratch).args(["add", "--force", "--"]).args(&overwritten))?;
        }
        let tree = finish(self.exact(scratch).arg("write-tree"))?;
        let message = format!("recovery: everything before going back\n\n{}", self.place());
        self.commit_tree(&tree, &[head, &index], &message)
    }

    /// Ignored files that `target` would overwrite or remove.
    fn ignored_files_of(&self, target: &str) -> anyhow::Result<Vec<OsString>> {
        let theirs = self.entries(&["ls-tree", "-r", "-z", target])?.into_iter().map(|entry| entry.path).collect();
        let mut ignored = self.paths(&["ls-files", "-z", "--others", "--ignored", "--exclude-standard"])?;
        ignored.retain(|path| !path.ends_with(b"/") && in_the_way(path, &theirs).is_some());
        Ok(ignored.into_iter().map(OsString::from_vec).collect())
    }

    /// Refuses where `target` has a file in, at or above a repository inside the work tree. Git saves such a
    /// repository as the bare id of its commit, so that its uncommitted work would be overwritten for good.
    fn ensure_no_nested_repository_in_the_way(&self, target: &str) -> anyhow::Result<()> {
        let entries = self.entries(&["ls-tree", "-r", "-z", target])?;
        // A submodule of the target is left alone: git writes nothing into it.
        let theirs = entries.into_iter().filter(|entry| !entry.is_repository).map(|entry| entry.path).collect();
        // Git lists an untracked repository, ignored or not, as a folder, and nothing else so.
        let untracked = self.paths(&["ls-files", "-z", "--others"])?;
        let untracked = untracked.iter().filter_map(|path| path.strip_suffix(b"/")).map(<[u8]>::to_vec);
        let tracked = self.entries(&["ls-files", "-z", "--stage"])?;
        let tracked = tracked.into_iter().filter(|entry| entry.is_repository).map(|entry| entry.path);
        for nested in untracked.chain(tracked) {
            let Some(file) = in_the_way(&nested, &theirs) else { continue };
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

    /// What `git ls-tree -z` or `git ls-files -z --stage` lists.
    fn entries(&self, args: &[&str]) -> anyhow::Result<Vec<TreeEntry>> {
        let entry = |line: Vec<u8>| {
            let tab = line.iter().position(|b| *b == b'\t')?;
            Some(TreeEntry { is_repository: line.starts_with(b"160000 "), path: line.get(tab + 1..)?.to_vec() })
        };
        Ok(self.paths(args)?.into_iter().filter_map(entry).collect())
    }

    /// What a git command with `-z` lists.
    fn paths(&self, args: &[&str]) -> anyhow::Result<Vec<Vec<u8>>> {
        let listed = finish_bytes(command(&self.top).args(args))?;
        Ok(listed.split(|b| *b == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect())
    }

    /// Makes the work tree's tracked files those of `commit`, byte for byte.
    fn check_out_exactly(&self, commit: &str) -> anyhow::Result<()> {
        let index = self.top.join(self.git(["rev-parse", "--git-path", "index"])?);
        finish(self.exact(&index).args(["read-tree", "--reset", "-u", commit]))?;
        Ok(())
    }

    fn commit_tree(&self, tree: &str, parents: &[&str], message: &str) -> anyhow::Result<String> {
        let mut commit = command(&self.top);
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

    /// A git command on another index that changes no byte on the way in or out.
    fn exact(&self, index: &Path) -> Command {
        let mut command = command(&self.top);
        if let Some(nothing) = self.no_attributes() {
            command.arg(format!("--attr-source={nothing}"));
        }
        command
            .args(["-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false"])
            .env("GIT_INDEX_FILE", OsStr::new(index));
        command
    }

    /// The tree without files: attributes read from it are none, so that no filter changes a byte. Git before 2.41
    /// cannot do that.
    fn no_attributes(&self) -> Option<String> {
        let tree = self.git(["hash-object", "-t", "tree", "-w", "--stdin"]).ok()?;
        self.git([format!("--attr-source={tree}"), "rev-parse".to_owned()]).is_ok().then_some(tree)
    }

    /// Where HEAD is, in words.
    fn place(&self) -> String {
        self.branch().map_or_else(|| format!("{ON}no branch"), |branch| format!("{ON}{branch}"))
    }
}

/// The first of `theirs` that cannot be written while `path` stays as it is: the same path, one in it, or one above it.
fn in_the_way<'a>(path: &[u8], theirs: &'a BTreeSet<Vec<u8>>) -> Option<&'a [u8]> {
    let folder = [path, b"/"].concat();
    let inside = || theirs.range(folder.clone()..).next().filter(|their| their.starts_with(&folder));
    let mut slashes = folder.iter().enumerate().filter(|(_, b)| **b == b'/');
    let at_or_above = slashes.find_map(|(end, _)| theirs.get(folder.get(..end)?));
    at_or_above.or_else(inside).map(Vec::as_slice)
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
