//! The user's repository: where HEAD is, and going back to a good commit with a way back.

mod backup;
mod head;
mod tracked;
mod work_tree;

pub(crate) use head::head;
pub(crate) use tracked::is_tracked;

use anyhow::{Context as _, bail, ensure};
use recovery_types::RepoPath;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A work tree, driven through the `git` program.
pub(crate) struct Repo {
    top: PathBuf,
    /// The settings that name filters. Git runs filters even where it only writes an index.
    filter_settings: Vec<OsString>,
}

impl Repo {
    /// The repository around `dir`.
    pub fn at(dir: &Path) -> anyhow::Result<Self> {
        let top = git(dir, ["rev-parse", "--show-toplevel"])
            .context("not in a git work tree; checkpoint and rollback need one")?;
        let pattern = r"^filter\..*\.(clean|smudge|process|required)$";
        // Git says no where there is none.
        let known = command(dir).args(["config", "-z", "--name-only", "--get-regexp", pattern]).output()?.stdout;
        let named = known.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        let filter_settings = named.map(|name| OsStr::from_bytes(name).to_owned()).collect();
        Ok(Self { top: PathBuf::from(top), filter_settings })
    }

    /// The commit that HEAD names.
    pub fn head(&self) -> anyhow::Result<String> {
        self.answer(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?.context("the repository has no commit yet")
    }

    /// The branch that HEAD is on; none when it is detached.
    pub fn branch(&self) -> Option<String> {
        self.git(["symbolic-ref", "--quiet", "--short", "HEAD"]).ok()
    }

    /// The full id of a commit given by any of its names.
    pub fn commit(&self, name: &str) -> anyhow::Result<String> {
        self.answer(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])?
            .with_context(|| format!("{name:?} is not a commit of this repository"))
    }

    /// The files that differ from HEAD, new ones included; the first of them where there are very many.
    pub fn changed_files(&self) -> anyhow::Result<Vec<RepoPath>> {
        const MOST: usize = 200;
        let mut paths = self.paths(&["diff", "--name-only", "-z", "HEAD"])?;
        paths.extend(self.paths(&["ls-files", "--others", "--exclude-standard", "-z"])?);
        Ok(paths.iter().take(MOST).map(|path| RepoPath::new(&String::from_utf8_lossy(path))).collect())
    }

    /// Refuses while another operation is under way: going back in the middle of it would lose its state.
    fn ensure_nothing_under_way(&self) -> anyhow::Result<()> {
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
            if self.git_path(mark)?.exists() || is_ref() {
                bail!("a {operation} is under way; finish it or abort it first (git {operation} {end})");
            }
        }
        Ok(())
    }

    /// Where a file of the repository's own is.
    fn git_path(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(self.top.join(self.git(["rev-parse", "--git-path", name])?))
    }

    fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> anyhow::Result<String> {
        finish(self.command().args(args))
    }

    /// A git command for which the repository has no filters.
    fn command(&self) -> Command {
        let mut command = command(&self.top);
        command.env("GIT_CONFIG_COUNT", self.filter_settings.len().to_string());
        for (n, name) in self.filter_settings.iter().enumerate() {
            let off = if name.as_bytes().ends_with(b".required") { "false" } else { "" };
            command.env(format!("GIT_CONFIG_KEY_{n}"), name).env(format!("GIT_CONFIG_VALUE_{n}"), off);
        }
        command
    }

    /// What git answers to a question asked with `--quiet`; none when it says no.
    fn answer<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> anyhow::Result<Option<String>> {
        output(self.command().args(args))?.map(text).transpose()
    }
}

/// Runs git and gives its first output without the final newline.
fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(dir: &Path, args: I) -> anyhow::Result<String> {
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

fn finish(command: &mut Command) -> anyhow::Result<String> {
    text(finish_bytes(command)?)
}

fn finish_bytes(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    output(command)?.context("git failed without saying why")
}

/// The output of a git command; none when it failed without a word.
fn output(command: &mut Command) -> anyhow::Result<Option<Vec<u8>>> {
    let output = command.output().context("cannot run git; is it installed?")?;
    if output.status.success() {
        return Ok(Some(output.stdout));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(said.trim().is_empty(), "git: {}", said.trim());
    Ok(None)
}

fn text(bytes: Vec<u8>) -> anyhow::Result<String> {
    let mut text = String::from_utf8(bytes).context("git printed something that is not UTF-8")?;
    text.truncate(text.trim_end_matches('\n').len());
    Ok(text)
}
