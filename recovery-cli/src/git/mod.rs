//! The user's repository: where HEAD is, and going back to a good commit with a way back.

mod backup;
mod head;
mod tracked;

pub(crate) use head::head;
pub(crate) use tracked::is_tracked;

use anyhow::{Context as _, bail, ensure};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A work tree, driven through the `git` program.
pub(crate) struct Repo {
    top: PathBuf,
}

impl Repo {
    /// The repository around `dir`.
    pub fn at(dir: &Path) -> anyhow::Result<Self> {
        let top = git(dir, ["rev-parse", "--show-toplevel"])
            .context("not in a git work tree; checkpoint and rollback need one")?;
        Ok(Self { top: PathBuf::from(top) })
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
            if self.top.join(self.git(["rev-parse", "--git-path", mark])?).exists() {
                bail!("a {operation} is under way; finish it or abort it first (git {operation} {end})");
            }
        }
        Ok(())
    }

    fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> anyhow::Result<String> {
        git(&self.top, args)
    }

    /// What git answers to a question asked with `--quiet`; none when it says no.
    fn answer<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> anyhow::Result<Option<String>> {
        output(command(&self.top).args(args))?.map(text).transpose()
    }
}

/// Runs git and gives its first output without the final newline.
fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(dir: &Path, args: I) -> anyhow::Result<String> {
    finish(command(dir).args(args))
}

/// A git command that asks nothing and runs no hook of the user's.
fn command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(dir)
        .args(["-c", "core.hooksPath=/dev/null", "-c", "submodule.recurse=false", "-c", "core.fsmonitor=false"])
        .env("GIT_TERMINAL_PROMPT", "0")
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
