//! Runs an installed hook as the agent would, on a failure in a scratch project, and reads what the model would.
//!
//! In: an agent and how it calls the hook. Out: a [`HookTrial`], or a [`TrialError`] that states what is wrong. Nothing is
//! recorded in the user's own journal: the scratch project has its own, with a copy of the settings.

use crate::Invocation;
use recovery_agents::{Agent, sample, text_for_model};
use recovery_types::terminal::one_line;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Agents would wait longer; a hook that needs this long is broken.
const ANSWER_TIMEOUT_MS: u64 = 5000;
/// How often a hook is tried before it counts as broken: on a busy machine one that would need more than its second stays
/// silent, as it must.
const MAX_TRIES: u32 = 3;
/// The most that is read of what a hook prints.
const MAX_OUTPUT_BYTES: u64 = 1 << 20;
/// The most of it that an error quotes, in characters.
const MAX_QUOTE_CHARS: usize = 200;

/// What came of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookTrial {
    /// What the model would read.
    pub model_text: String,
    /// How long it took.
    pub ms: u64,
}

/// Why a failure would not reach the model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrialError {
    /// The scratch project could not be made.
    #[error("cannot make a scratch project")]
    Scratch(#[source] std::io::Error),
    /// The hook could not be started.
    #[error("cannot start `{command}`")]
    NotStarted {
        /// What the agent runs.
        command: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// It did not end in time.
    #[error("no answer within {ANSWER_TIMEOUT_MS} ms")]
    TooSlow,
    /// It ended with an error.
    #[error("exit {status}: {complaint}")]
    Failed {
        /// How it ended.
        status: std::process::ExitStatus,
        /// What it printed on standard error.
        complaint: String,
    },
    /// Its answer cannot be parsed.
    #[error("the answer is not JSON: {printed:?}")]
    NotJson {
        /// What it printed.
        printed: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Its answer has no text for the model.
    #[error("nothing for the model in {0}")]
    NothingForModel(serde_json::Value),
    /// The failure is not in the scratch project's journal once.
    #[error("the failure was recorded {0} times, not once")]
    NotRecordedOnce(u32),
    /// The scratch project's journal could not be read.
    #[error(transparent)]
    Journal(Box<dyn std::error::Error + Send + Sync>),
}

/// What `recorded` of [`try_hook`] returns: how many failures the journal in a directory has.
pub type FailureCount = Result<u32, Box<dyn std::error::Error + Send + Sync>>;

/// Fires a failure at a hook, as often as needed, with the settings of the project in `root`. `recorded` counts the failures in
/// the journal of a state directory.
///
/// # Errors
///
/// What is wrong with the hook.
pub fn try_hook(
    agent: Agent,
    invocation: &Invocation,
    root: &Path,
    recorded: impl Fn(&Path) -> FailureCount,
) -> Result<HookTrial, TrialError> {
    let fire = || fire(agent, invocation, root, &recorded);
    (1..MAX_TRIES).find_map(|_| fire().ok()).map_or_else(fire, Ok)
}

fn fire(
    agent: Agent,
    invocation: &Invocation,
    root: &Path,
    recorded: impl Fn(&Path) -> FailureCount,
) -> Result<HookTrial, TrialError> {
    let scratch = scratch_project(root).map_err(TrialError::Scratch)?;
    let transcript = scratch.path().join("transcript.jsonl");
    let sample = sample(agent, &scratch.path().to_string_lossy(), &transcript.to_string_lossy());
    if let Some(lines) = &sample.transcript {
        std::fs::write(&transcript, lines).map_err(TrialError::Scratch)?;
    }
    let mut command = match invocation {
        Invocation::Program(program, args) => {
            let mut command = Command::new(program);
            command.args(args);
            command
        }
        Invocation::Shell(line) => {
            let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
            let mut command = Command::new(shell);
            command.args([flag, line]);
            command
        }
    };
    command.current_dir(scratch.path()).env_remove("RECOVERY_TASK");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let not_started = |source| TrialError::NotStarted { command: invocation.to_string(), source };
    let begun = Instant::now();
    let mut child = command.spawn().map_err(not_started)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that does not read its payload answers something else: that is reported below.
        let _ = stdin.write_all(sample.payload.to_string().as_bytes());
    }
    let status = loop {
        if let Some(status) = child.try_wait().map_err(not_started)? {
            break status;
        }
        if begun.elapsed() > Duration::from_millis(ANSWER_TIMEOUT_MS) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(TrialError::TooSlow);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let printed = all(child.stdout.take());
    let complaint = all(child.stderr.take());
    let quote = |text: &str| one_line(text, MAX_QUOTE_CHARS);
    if !status.success() {
        return Err(TrialError::Failed { status, complaint: quote(&complaint) });
    }
    let answer: serde_json::Value = serde_json::from_str(&printed).map_err(|source| {
        let shown = if printed.trim().is_empty() { &complaint } else { &printed };
        TrialError::NotJson { printed: quote(shown), source }
    })?;
    let Some(model_text) = text_for_model(&answer).map(str::to_owned) else {
        return Err(TrialError::NothingForModel(answer));
    };
    match recorded(&scratch.path().join(".recovery")).map_err(TrialError::Journal)? {
        1 => Ok(HookTrial { model_text, ms }),
        count => Err(TrialError::NotRecordedOnce(count)),
    }
}

/// A project that is gone afterwards, in a directory that nobody else can have made or can enter.
fn scratch_project(root: &Path) -> std::io::Result<tempfile::TempDir> {
    let dir = tempfile::Builder::new().prefix("recovery-doctor-").tempdir()?;
    std::fs::create_dir(dir.path().join(".recovery"))?;
    let settings = root.join("recovery.toml");
    if settings.exists() {
        std::fs::copy(settings, dir.path().join("recovery.toml"))?;
    }
    Ok(dir)
}

fn all(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let _ = stream.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
