//! Runs the example of every library crate, so that what the READMEs show keeps working.
//!
//! A published library crate without an example is an error: the list comes from `cargo metadata`, not from a file that
//! someone has to keep.

use anyhow::Context as _;
use cargo_metadata::TargetKind;
use std::process::Command;

/// Runs them all, and stops at the first that fails.
pub(crate) fn run() -> anyhow::Result<()> {
    for package in crate::tidy::library_packages(&crate::root())? {
        let example = package.targets.iter().find(|target| target.kind.contains(&TargetKind::Example));
        let example = example.with_context(|| format!("{} has no example in examples/", package.name))?;
        println!("example {} of {}", example.name, package.name);
        let arguments = ["run", "--quiet", "--locked", "--package", package.name.as_str(), "--example", &example.name];
        crate::output_of(Command::new(env!("CARGO")).args(arguments))?;
    }
    Ok(())
}
