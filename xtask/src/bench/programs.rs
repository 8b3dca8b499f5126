//! Hyperscan or Vectorscan, measured from outside where it is installed.

use crate::output_of;
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A small C program that loads the library.
pub(super) struct Hyperscan(PathBuf);

impl Hyperscan {
    /// `None`, with a word on standard error, where this machine has no such library.
    pub(super) fn installed(root: &Path, scratch: &Path) -> Option<Self> {
        let program = scratch.join("hyperscan");
        let source = root.join("failure-taxonomy/benches/hyperscan.c");
        let compiled = output_of(Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(source).arg("-ldl"));
        let this = Self(program);
        let works = compiled.and_then(|_| this.nanos(&scratch.join("0.needles"), &scratch.join("0.needles")));
        works.inspect_err(|error| eprintln!("Hyperscan is left out: {error}")).is_ok().then_some(this)
    }

    /// How long it takes to find the needles of one file, one per line, in another file.
    pub(super) fn nanos(&self, needles: &Path, text: &Path) -> anyhow::Result<f64> {
        let output = output_of(Command::new(&self.0).arg(needles).arg(text))?;
        let nanos = output.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
        nanos.with_context(|| format!("hyperscan.c printed {output:?}"))
    }
}
