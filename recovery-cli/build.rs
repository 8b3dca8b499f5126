//! Tells the program which commit it was built from, and links it so that it starts fast; a hook starts once for each
//! failed command.
//!
//! At a fixed address, because moving the tens of thousands of addresses in the tables of indicators to a random place took
//! a good part of its time. And with the C library inside, where the system can do that: finding and mapping shared
//! libraries takes longer than reading a log.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Digits of a commit that are kept.
const COMMIT_DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    println!("cargo::rustc-env=RECOVERY_COMMIT={}", commit());
    println!("cargo::rustc-env=RECOVERY_TARGET={}", variable("TARGET"));
    if variable("CARGO_CFG_TARGET_OS") != "linux" || variable("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let features = variable("CARGO_CFG_TARGET_FEATURE");
    if variable("HOST") == variable("TARGET") && !features.split(',').any(|feature| feature == "crt-static") {
        for argument in static_link(Path::new(&variable("OUT_DIR"))).unwrap_or_default() {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}

fn variable(key: &str) -> String {
    std::env::var(key).unwrap_or_default()
}

/// The commit: what a packager says, else what `cargo publish` put into the package, else what git says of this checkout.
fn commit() -> String {
    println!("cargo::rerun-if-env-changed=RECOVERY_COMMIT");
    let given = Some(variable("RECOVERY_COMMIT")).filter(|commit| !commit.is_empty());
    given.or_else(published_commit).or_else(checked_out_commit).unwrap_or_else(|| "unknown".to_owned())
}

fn published_commit() -> Option<String> {
    let info = std::fs::read_to_string(Path::new(&variable("CARGO_MANIFEST_DIR")).join(".cargo_vcs_info.json")).ok()?;
    let digits = info.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
    digits.get(..COMMIT_DIGITS).map(str::to_owned)
}

/// Only in optimised builds: developers do not want to build the program again after each commit. And only where the
/// checkout is this project, not one that has it in a folder.
fn checked_out_commit() -> Option<String> {
    let manifest_dir = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let git = |args: &[&str]| {
        let output = Command::new("git").current_dir(&manifest_dir).args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let is_ours = || git(&["rev-parse", "--show-prefix"]).is_some_and(|prefix| prefix == "recovery-cli/");
    if variable("PROFILE") != "release" || !is_ours() {
        return None;
    }
    for file in ["HEAD", "logs/HEAD"] {
        let path = manifest_dir.join(git(&["rev-parse", "--git-path", file])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    git(&["describe", "--always", "--dirty", "--exclude=*", &format!("--abbrev={COMMIT_DIGITS}")])
}

/// What makes the linker take the C library in; `None` where a program so linked does not work.
///
/// The standard library asks for shared libraries by name; each name leads to its static twin.
fn static_link(out_dir: &Path) -> Option<Vec<String>> {
    let [c, math, unwinder] = ["libc.a", "libm.a", "libgcc_eh.a"].map(library);
    let (c, math, unwinder) = (c?, math?, unwinder?);
    for twin in [&c, &math, &unwinder] {
        println!("cargo::rerun-if-changed={}", twin.display());
    }
    // The C library and the unwinder need each other.
    let both = format!("GROUP(\"{}\" \"{}\")\n", c.display(), unwinder.display());
    std::fs::write(out_dir.join("libc.so"), &both).ok()?;
    std::fs::write(out_dir.join("libgcc_s.so"), &both).ok()?;
    std::fs::write(out_dir.join("libm.so"), format!("INPUT(\"{}\")\n", math.display())).ok()?;
    let arguments = vec!["-static".to_owned(), format!("-L{}", out_dir.display())];
    works_with(&arguments, out_dir).then_some(arguments)
}

/// Where the C compiler has a library.
fn library(name: &str) -> Option<PathBuf> {
    let output = Command::new("cc").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    // What the compiler does not find, it prints as it was given.
    (path.is_absolute() && path.exists()).then_some(path)
}

/// Links a small program with these arguments and runs it: it starts a thread, catches a panic and calculates.
fn works_with(arguments: &[String], out_dir: &Path) -> bool {
    const PROGRAM: &str = "fn main() {
        std::panic::set_hook(Box::new(|_| {}));
        let caught = std::thread::spawn(|| std::panic::catch_unwind(|| panic!()).is_err()).join();
        let root = std::env::args().count() as f64;
        assert!(caught.unwrap() && root.powf(0.5) == 1.0);
    }";
    let (source, program) = (out_dir.join("probe.rs"), out_dir.join("probe"));
    let Ok(()) = std::fs::write(&source, PROGRAM) else { return false };
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.arg(&source).arg("-o").arg(&program).args(["-Clink-arg=-no-pie", "--edition=2024"]);
    rustc.args(std::env::var("RUSTC_LINKER").map(|linker| format!("-Clinker={linker}")));
    // Another linker that RUSTFLAGS choose may not link statically.
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    rustc.args(flags.split('\x1f').filter(|flag| !flag.is_empty()));
    rustc.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let linked = rustc.output().is_ok_and(|output| output.status.success());
    linked && Command::new(program).output().is_ok_and(|output| output.status.success())
}
