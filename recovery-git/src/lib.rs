//! The user's git repository: where HEAD is, whether a path is tracked, and going back to a good commit with a way back.
//!
//! In: a directory. Out: answers read from the repository's own files where a hook asks them once per call ([`head`],
//! [`is_tracked`]), and from the `git` program otherwise ([`Repo`]). A rollback saves everything first, byte for byte, and
//! runs no program that the repository names: no hooks, filters or file system monitors.
//!
//! | to change | look in |
//! |---|---|
//! | what is saved, in which order things move, undo | `backup.rs` |
//! | how files become blobs and blobs become files | `work_tree.rs` |
//! | whether a path is tracked | `tracked.rs` |

mod backup;
mod error;
mod head;
mod tracked;
mod work_tree;

pub use backup::{Backup, Rollback, RollbackLock};
pub use error::GitError;
pub use head::head;
pub use tracked::is_tracked;

use error::{Context as _, ensure};
pub use recovery_types::{RepoPath, Timestamp};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// For commands that compare: git would otherwise run `git status` in each submodule, with the filters and programs that the
/// submodule's own settings name.
const IGNORE_DIRTY_SUBMODULES: &str = "--ignore-submodules=dirty";

/// A work tree, driven through the `git` program.
#[derive(Debug)]
pub struct Repo {
    top: PathBuf,
    /// The settings that name filters. Git runs filters even where it only writes an index.
    filter_settings: Vec<OsString>,
}

impl Repo {
    /// The repository around `dir`.
    pub fn at(dir: &Path) -> Result<Self, GitError> {
        let top = git(dir, ["rev-parse", "--show-toplevel"])
            .context("not in a git work tree; checkpoint and rollback need one")?;
        let pattern = r"^filter\..*\.(clean|smudge|process|required)$";
        // Git exits with 1 where there is none.
        let known = command(dir).args(["config", "-z", "--name-only", "--get-regexp", pattern]).output()?.stdout;
        let named = known.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let filter_settings = named.map(|name| OsStr::from_bytes(name).to_owned()).collect();
        Ok(Self { top: PathBuf::from(top), filter_settings })
    }

    /// The commit that HEAD names.
    pub fn head(&self) -> Result<String, GitError> {
        self.answer(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?.context("the repository has no commit yet")
    }

    /// The branch that HEAD is on; none when it is detached.
    pub fn branch(&self) -> Option<String> {
        self.git(["symbolic-ref", "--quiet", "--short", "HEAD"]).ok()
    }

    /// The full id of a commit given by any of its names.
    pub fn commit(&self, name: &str) -> Result<String, GitError> {
        self.answer(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])?
            .with_context(|| format!("{name:?} is not a commit of this repository"))
    }

    /// The files that differ from HEAD, new ones included; the first of them where there are very many.
    pub fn changed_files(&self) -> Result<Vec<RepoPath>, GitError> {
        const MAX_FILES: usize = 200;
        let mut paths = self.paths(&["diff", "--name-only", "-z", IGNORE_DIRTY_SUBMODULES, "HEAD"])?;
        paths.extend(self.paths(&["ls-files", "--others", "--exclude-standard", "-z"])?);
        Ok(paths.iter().take(MAX_FILES).map(|path| RepoPath::new(&String::from_utf8_lossy(path))).collect())
    }

    /// The files that each commit since `since` changed, newest first; changes of white space alone are left out, and
    /// so are merges. Only plumbing is used, which runs no program that the repository names.
    pub fn revisions(&self, since: Timestamp) -> Result<Vec<Vec<RepoPath>>, GitError> {
        const MAX_COMMITS: &str = "--max-count=20";
        let since = format!("--since=@{} +0000", since.ms().div_euclid(1000));
        let commits = self.git(["rev-list", "--no-merges", MAX_COMMITS, &since, "HEAD", "--"])?;
        let mut revisions = Vec::new();
        for commit in commits.lines() {
            let numbers = ["diff-tree", "--root", "-r", "--no-commit-id", "--no-ext-diff", "--no-textconv", "-w"];
            let changed = self.paths(&[&numbers[..], &["--numstat", "-z", "--no-renames", commit]].concat())?;
            let files = changed.iter().filter_map(|line| {
                let line = String::from_utf8_lossy(line);
                let (numbers, path) = line.rsplit_once('\t')?;
                (numbers != "0\t0").then(|| RepoPath::new(path))
            });
            revisions.push(files.collect());
        }
        Ok(revisions)
    }

    /// Refuses while another operation is under way: going back in the middle of it would lose its state.
    fn ensure_nothing_under_way(&self) -> Result<(), GitError> {
        const MARKS: [(&str, &str, &str); 6] = [
            ("rebase-merge", "rebase", "--abort"),
            ("rebase-apply", "rebase", "--abort"),
            ("MERGE_HEAD", "merge", "--abort"),
            ("CHERRY_PICK_HEAD", "cherry-pick", "--abort"),
            ("REVERT_HEAD", "revert", "--abort"),
            ("BISECT_LOG", "bisect", "reset"),
        ];
        for (mark, operation, end) in MARKS {
            // In a repository with reftables some of them are refs and no files.
            let is_ref = || {
                mark.ends_with("_HEAD")
                    && self.answer(["rev-parse", "--verify", "--quiet", mark]).ok().flatten().is_some()
            };
            ensure!(
                !(self.git_path(mark)?.exists() || is_ref()),
                "a {operation} is under way; finish it or abort it first (git {operation} {end})"
            );
        }
        Ok(())
    }

    /// Where a file of the repository's own is.
    fn git_path(&self, name: &str) -> Result<PathBuf, GitError> {
        Ok(self.top.join(self.git(["rev-parse", "--git-path", name])?))
    }

    fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Result<String, GitError> {
        finish(self.command().args(args))
    }

    /// A git command for which the repository has no filters.
    fn command(&self) -> Command {
        let mut command = command(&self.top);
        // The user's own settings in the environment stay: a CI image may name its safe directories there.
        let given = std::env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
        command.env("GIT_CONFIG_COUNT", (given + self.filter_settings.len()).to_string());
        for (n, name) in (given..).zip(&self.filter_settings) {
            let off = if name.as_bytes().ends_with(b".required") { "false" } else { "" };
            command.env(format!("GIT_CONFIG_KEY_{n}"), name).env(format!("GIT_CONFIG_VALUE_{n}"), off);
        }
        command
    }

    /// The output of a git query with `--quiet`; none when git fails without a message.
    fn answer<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> Result<Option<String>, GitError> {
        output(self.command().args(args))?.map(text).transpose()
    }
}

/// Runs git and gives its first output without the final newline.
fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(dir: &Path, args: I) -> Result<String, GitError> {
    finish(command(dir).args(args))
}

/// A git command that asks nothing, fetches nothing, and runs no program that the repository's settings name.
fn command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .args(["-c", "core.hooksPath=/dev/null", "-c", "submodule.recurse=false", "-c", "core.fsmonitor=false"])
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("LC_ALL", "C")
        .stdin(Stdio::null());
    command
}

fn finish(command: &mut Command) -> Result<String, GitError> {
    text(finish_bytes(command)?)
}

fn finish_bytes(command: &mut Command) -> Result<Vec<u8>, GitError> {
    output(command)?.context("git failed without saying why")
}

/// The output of a git command; none when it failed without a message.
fn output(command: &mut Command) -> Result<Option<Vec<u8>>, GitError> {
    let output = command.output().context("cannot run git; is it installed?")?;
    if output.status.success() {
        return Ok(Some(output.stdout));
    }
    match String::from_utf8_lossy(&output.stderr).trim() {
        "" => Ok(None),
        message => Err(GitError::Git(message.to_owned())),
    }
}

fn text(bytes: Vec<u8>) -> Result<String, GitError> {
    let mut text = String::from_utf8(bytes).ok().context("git printed something that is not UTF-8")?;
    text.truncate(text.trim_end_matches('\n').len());
    Ok(text)
}
