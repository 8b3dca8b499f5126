//! Saving everything under a named ref before going back, and getting it back.
//!
//! A backup is a commit on `refs/recovery/backup/NAME`. Its tree is the whole work tree (untracked files too, byte for
//! byte where git is 2.41 or newer, with the repository's own filters applied before that), its first parent the commit
//! that HEAD named, its second a commit of the index.

use super::{Repo, command, finish, finish_bytes};
use anyhow::{Context as _, bail, ensure};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
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

impl Repo {
    /// Goes back to `target` after saving everything. Refuses when HEAD is not at `expected_head`, or while another
    /// operation is under way.
    pub fn roll_back(&self, target: &str, expected_head: &str, name: &str) -> anyhow::Result<Rollback> {
        if let Some(operation) = self.under_way()? {
            bail!("a {operation} is under way; finish it or abort it first (git {operation} --abort)");
        }
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
        let backup = self.save(name, &head, &target)?;
        self.git(["reset", "--quiet", "--hard", &target])
            .with_context(|| format!("everything is saved under {}", backup.reference()))?;
        Ok(Rollback { backup, target })
    }

    /// Puts HEAD, the index and the work tree back as `name` saved them. What is there now is saved first.
    pub fn undo(&self, name: &str, now_name: &str) -> anyhow::Result<Backup> {
        if let Some(operation) = self.under_way()? {
            bail!("a {operation} is under way; finish it or abort it first (git {operation} --abort)");
        }
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
        let index = self.git(["write-tree"]).context("the index has unresolved conflicts")?;
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

    /// Ignored files that stand where `target` has a file of its own.
    fn ignored_files_of(&self, target: &str) -> anyhow::Result<Vec<OsString>> {
        let listed = |args: &[&str]| finish_bytes(command(&self.top).args(args));
        let ignored = listed(&["ls-files", "-z", "--others", "--ignored", "--exclude-standard"])?;
        let theirs = listed(&["ls-tree", "-r", "-z", "--name-only", target])?;
        let theirs: BTreeSet<&[u8]> = theirs.split(|b| *b == 0).collect();
        let paths = ignored.split(|b| *b == 0).filter(|path| !path.is_empty() && theirs.contains(path));
        Ok(paths.map(|path| OsStr::from_bytes(path).to_owned()).collect())
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

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
