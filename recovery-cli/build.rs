//! Links the program so that it starts fast; a hook starts once for each failed command.
//!
//! At a fixed address, because moving the tens of thousands of addresses in the tables of indicators to a random place took
//! a good part of its time. And with the C library inside, where the system has it for that: finding and mapping shared
//! libraries takes longer than reading a log.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |key: &str| std::env::var(key).unwrap_or_default();
    if variable("CARGO_CFG_TARGET_OS") != "linux" || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let is_native = variable("HOST") == variable("TARGET");
    if is_native && let [Some(c), Some(m), Some(unwinder)] = ["libc.a", "libm.a", "libgcc_eh.a"].map(library) {
        let libraries = [("libc.so", c), ("libm.so", m), ("libgcc_s.so", unwinder)];
        link_statically(Path::new(&variable("OUT_DIR")), &libraries);
    }
}

/// Where the C compiler has a library.
fn library(name: &str) -> Option<PathBuf> {
    let output = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    // What the compiler does not find, it prints as it was given.
    (path.is_absolute() && path.exists()).then_some(path)
}

/// The standard library asks for shared libraries by name; each name leads to its static twin.
fn link_statically(out_dir: &Path, libraries: &[(&str, PathBuf)]) {
    let lead =
        |(name, twin): &(&str, PathBuf)| std::fs::write(out_dir.join(name), format!("INPUT({})\n", twin.display()));
    if libraries.iter().all(|library| lead(library).is_ok()) {
        println!("cargo::rustc-link-arg-bins=-static");
        println!("cargo::rustc-link-arg-bins=-L{}", out_dir.display());
    }
}
