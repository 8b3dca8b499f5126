//! The user's repository: where HEAD is, and going back to a good commit with a way back.

mod backup;
mod head;

pub(crate) use head::head;

use anyhow::{Context as _, bail};
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
        self.git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).context("the repository has no commit yet")
    }

    /// The branch that HEAD is on; none when it is detached.
    pub fn branch(&self) -> Option<String> {
        self.git(["symbolic-ref", "--quiet", "--short", "HEAD"]).ok()
    }

    /// The full id of a commit given by any of its names.
    pub fn commit(&self, name: &str) -> anyhow::Result<String> {
        self.git(["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{name}^{{commit}}")])
            .with_context(|| format!("{name:?} is not a commit of this repository"))
    }

    /// The operation that is under way, if any: going back in the middle of it would lose its state.
    pub fn under_way(&self) -> anyhow::Result<Option<&'static str>> {
        const MARKS: [(&str, &str); 6] = [
            ("rebase-merge", "rebase"),
            ("rebase-apply", "rebase"),
            ("MERGE_HEAD", "merge"),
            ("CHERRY_PICK_HEAD", "cherry-pick"),
            ("REVERT_HEAD", "revert"),
            ("BISECT_LOG", "bisect"),
        ];
        for (mark, operation) in MARKS {
            if self.top.join(self.git(["rev-parse", "--git-path", mark])?).exists() {
                return Ok(Some(operation));
            }
        }
        Ok(None)
    }

    fn git<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(&self, args: I) -> anyhow::Result<String> {
        git(&self.top, args)
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
    let mut text = String::from_utf8(finish_bytes(command)?).context("git printed something that is not UTF-8")?;
    text.truncate(text.trim_end_matches('\n').len());
    Ok(text)
}

fn finish_bytes(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output = command.output().context("cannot run git; is it installed?")?;
    if !output.status.success() {
        bail!("git: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}
