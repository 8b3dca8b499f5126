//! Which version of a client is installed: its settings may only name events that it knows.
//!
//! In: the name of a program. Out: its version, from the package that the program on the PATH belongs to, else from
//! what `--version` prints. Nothing else of the client is started, and a program that does not answer within two
//! seconds has no version. The first version that knows each event is in `CLAUDE_CODE` in `setup.rs`.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long `--version` may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// A client's version: major, minor, patch.
pub type Version = (u32, u32, u32);

/// The version of `program` on the PATH; none where there is no such program or it does not report one.
pub(crate) fn installed_version(program: &str) -> Option<Version> {
    let path = on_path(program)?;
    of_package(&path).or_else(|| version_in(&printed(&path)?))
}

/// As people write it.
pub(crate) fn shown((major, minor, patch): Version) -> String {
    format!("{major}.{minor}.{patch}")
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(program))
        .find(|file| file.is_file())
}

/// From the package.json above the program that a link leads to.
fn of_package(program: &Path) -> Option<Version> {
    let real = program.canonicalize().ok()?;
    let manifest = real.ancestors().skip(1).take(3).map(|dir| dir.join("package.json")).find(|file| file.is_file())?;
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(manifest).ok()?).ok()?;
    version_in(manifest.get("version")?.as_str()?)
}

fn printed(program: &Path) -> Option<String> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let begun = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if begun.elapsed() > ANSWER_TIMEOUT {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut text = String::new();
    child.stdout.take()?.take(4096).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The first `a.b.c` in a text.
fn version_in(text: &str) -> Option<Version> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| {
        let mut parts = word.split('.').map(|part| part.parse().ok());
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Some(major)), Some(Some(minor)), Some(Some(patch)), None) => Some((major, minor, patch)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_clients_print() {
        for (text, version) in [
            ("2.1.85 (Claude Code)\n", Some((2, 1, 85))),
            ("codex-cli 0.166.0", Some((0, 166, 0))),
            ("v1.0", None),
            ("", None),
        ] {
            assert_eq!(version_in(text), version, "{text}");
        }
    }

    #[test]
    fn a_package_says_its_version() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("package.json"), r#"{"version": "2.1.105"}"#).unwrap();
        std::fs::create_dir(dir.path().join("bin")).unwrap();
        let program = dir.path().join("bin/claude");
        std::fs::write(&program, "").unwrap();
        assert_eq!(of_package(&program), Some((2, 1, 105)));
    }
}
