//! Runs one case in a fresh directory with a cleared environment, and captures what it prints.
//!
//! In: a case. Out: both streams in order with neutral paths, and the exit code (128 + n for signal n). Both streams share
//! one file, as in a terminal. `timeout` ends a case after two minutes, and it is then not recorded.
//!
//! This is no security boundary: cases are trusted. It makes recordings repeatable: fixed locale, home and temporary
//! directory, pinned ports of the loopback server, no update checks. Missing rights, full disks and database servers come
//! from the wrapper scripts in `surroundings/`. A new environment variable goes to `Sandbox::new`, with its value in
//! `places` if it is a path that tools print.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::case::Case;
use super::{scrub, server};

/// No case may take longer; one that does is not recorded.
const LIMIT: Duration = Duration::from_secs(120);

/// Commands that give a case its surroundings without changing the machine: each runs its arguments.
const SURROUNDINGS: &[(&str, &str)] = &[
    ("unprivileged", include_str!("surroundings/unprivileged.sh")),
    ("tiny-disk", include_str!("surroundings/tiny-disk.sh")),
    ("read-only-disk", include_str!("surroundings/read-only-disk.sh")),
    ("with-postgres", include_str!("surroundings/with-postgres.sh")),
    ("with-redis", include_str!("surroundings/with-redis.sh")),
];

/// Where cases run, and the environment they see.
pub struct Sandbox {
    root: PathBuf,
    path: String,
    environment: Vec<(&'static str, String)>,
    places: Vec<(String, &'static str)>,
}

/// What a run printed (both streams, in order) and how it ended.
pub struct Output {
    pub text: String,
    pub exit_code: i32,
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Sandbox {
    /// A sandbox under the system's temporary directory; `tools` holds the npm and pip tools.
    pub fn new(tools: &Path) -> Result<Self> {
        let root = std::env::temp_dir().join("recovery-corpus");
        let _ = fs::remove_dir_all(&root);
        let (home, bin) = (root.join("home"), root.join("bin"));
        fs::create_dir_all(&home)?;
        fs::create_dir_all(&bin)?;
        for (name, text) in SURROUNDINGS {
            let script = bin.join(name);
            fs::write(&script, text)?;
            fs::set_permissions(&script, Permissions::from_mode(0o755))?;
        }
        let own = std::env::var("PATH").context("PATH is not set")?;
        let own_home = std::env::var("HOME").unwrap_or_default();
        let path = format!(
            "{}:{}:{}:{own}",
            bin.display(),
            tools.join("node_modules/.bin").display(),
            tools.join("venv/bin").display()
        );
        let rustup = std::env::var("RUSTUP_HOME").unwrap_or_else(|_| format!("{own_home}/.rustup"));
        let environment = vec![
            ("HOME", home.display().to_string()),
            ("PATH", path.clone()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TERM", "dumb".to_owned()),
            ("TMPDIR", "/tmp".to_owned()),
            ("RUSTUP_HOME", rustup.clone()),
            ("GOTOOLCHAIN", "local".to_owned()),
            ("GOCACHE", root.join("go-cache").display().to_string()),
            ("PIP_DISABLE_PIP_VERSION_CHECK", "1".to_owned()),
            ("NPM_CONFIG_UPDATE_NOTIFIER", "false".to_owned()),
            ("NODE_PATH", tools.join("node_modules").display().to_string()),
            ("TOOLS", tools.display().to_string()),
            ("SERVER", format!("http://127.0.0.1:{}", server::HTTP)),
            ("HTTP_PORT", server::HTTP.to_string()),
            ("RESET_PORT", server::RESET.to_string()),
            ("STALL_PORT", server::STALL_PORT.to_string()),
            ("CLOSED_PORT", server::CLOSED.to_string()),
            ("GREETING_PORT", server::GREETING_PORT.to_string()),
        ];
        let host = fs::read_to_string("/etc/hostname").unwrap_or_default().trim().to_owned();
        let places = vec![
            (root.display().to_string(), "/work"),
            (home.display().to_string(), "/home/dev"),
            (root.join("go-cache").display().to_string(), "/home/dev/.cache/go-build"),
            (tools.join("venv").display().to_string(), "/opt/venv"),
            // The tools may be installed elsewhere and linked to; programs print where they really are.
            (real(&tools.join("venv")), "/opt/venv"),
            (real(&tools.join("node_modules")), "/opt/tools/node_modules"),
            (tools.display().to_string(), "/opt/tools"),
            (rustup, "/home/dev/.rustup"),
            (format!("{own_home}/.pyenv"), "/opt/python"),
            (own_home, "/home/dev"),
            // A short host name would also be found inside ordinary words.
            (if host.len() > 4 { host } else { String::new() }, "devbox"),
        ];
        Ok(Self { root, path, environment, places })
    }

    /// The first of these commands that is not on the path.
    pub fn missing<'a>(&self, commands: impl IntoIterator<Item = &'a String>) -> Option<&'a String> {
        commands.into_iter().find(|name| !self.path.split(':').any(|dir| Path::new(dir).join(name).is_file()))
    }

    /// Sets the case up, runs it and removes its directory.
    pub fn run(&self, case: &Case) -> Result<Output> {
        let dir = self.root.join(&case.id);
        fs::create_dir_all(&dir)?;
        if let Some(files) = case.dir.as_ref().map(|dir| dir.join("files")).filter(|files| files.is_dir()) {
            copy(&files, &dir)?;
        }
        for (name, text) in &case.files {
            let file = dir.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&dir))?;
            fs::write(file, text)?;
        }
        let log = self.root.join(format!("{}.log", case.id));
        if !case.prepare.is_empty() {
            let status = self.shell(&dir, &case.prepare, &log)?;
            if !status.success() {
                bail!("its preparation failed: {}", fs::read_to_string(&log)?.trim());
            }
        }
        let begun = Instant::now();
        let status = self.shell(&dir, &case.run, &log)?;
        if begun.elapsed() >= LIMIT {
            bail!("it took longer than {} s", LIMIT.as_secs());
        }
        let raw = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        // Things a case made read-only are still ours to remove.
        let _ = fs::remove_dir_all(&dir);
        let mut places = self.places.clone();
        places.push((dir.display().to_string(), "/work/proj"));
        let exit_code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
        Ok(Output { text: scrub::capped(&scrub::neutral(&raw, &places)), exit_code })
    }

    fn shell(&self, dir: &Path, line: &str, log: &Path) -> Result<ExitStatus> {
        let out = File::create(log)?;
        Command::new("timeout")
            .args(["--kill-after=5", &LIMIT.as_secs().to_string(), "bash", "-c", line])
            .current_dir(dir)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(out)
            .status()
            .context("cannot start bash under timeout")
    }
}

/// The path without links; the path itself where there is nothing.
fn real(path: &Path) -> String {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Copies the files and directories in `from` into `to`.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
