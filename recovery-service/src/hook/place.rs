//! Where a call runs, and what the client keeps about it outside the payload.
//!
//! In: an agent's report. Out: the same report with each command line as it is in the project (`cd 'app' && npm test`), with
//! the exit codes that only the transcript has, and the commands that the transcript shows to be under way. Only the
//! transcript's end is read: a hook has no time for a long session's.

use recovery_agents::{Call, Moment, Report, begun_in};
use recovery_types::Timestamp;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// How much of a transcript's end is searched for a call's exit code.
const TRANSCRIPT_TAIL_BYTES: u64 = 2 << 20;

/// This machine's name.
pub(super) fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Where the agent works, where that is a directory here.
pub(super) fn working_dir(report: &Report) -> Option<PathBuf> {
    report.cwd.as_ref().map(PathBuf::from).filter(|dir| dir.is_dir())
}

/// A command line runs somewhere: `npm test` in one directory of the project is not `npm test` in another.
pub(super) fn locate_calls(report: &mut Report, root: &Path) {
    let cwd = working_dir(report).unwrap_or_else(|| root.to_path_buf());
    let calls: Vec<&mut Call> = match &mut report.moment {
        Moment::BeforeTool(call) => vec![call],
        Moment::AfterTool(calls) => calls.iter_mut().map(|(call, _)| call).collect(),
        _ => return,
    };
    for call in calls.into_iter().filter(|call| call.is_shell) {
        let dir = call.dir.as_ref().map_or_else(|| cwd.clone(), |dir| cwd.join(dir));
        let dir = dir.canonicalize().unwrap_or(dir);
        let shown = match dir.strip_prefix(root.canonicalize().as_deref().unwrap_or(root)) {
            Ok(below) if below.as_os_str().is_empty() => continue,
            Ok(below) => below.to_string_lossy().into_owned(),
            Err(_) => dir.to_string_lossy().into_owned(),
        };
        call.action = format!("cd '{}' && {}", shown.replace('\'', "'\\''"), call.action);
    }
}

/// Exit codes that the payload hides may be at the end of the agent's transcript. Returns the commands that have begun and
/// not ended by it.
pub(super) fn read_transcript(report: &mut Report) -> Vec<(Call, Timestamp)> {
    let path = report.needed_transcript().map(PathBuf::from);
    let Some(tail) = path.as_deref().and_then(tail_of) else { return Vec::new() };
    report.read_transcript(&tail);
    begun_in(&tail)
}

fn tail_of(path: &Path) -> Option<String> {
    // Opening anything else than a file may wait for ever.
    let length = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let mut file = std::fs::File::open(path).ok()?;
    file.seek(SeekFrom::Start(length.saturating_sub(TRANSCRIPT_TAIL_BYTES))).ok()?;
    let mut tail = Vec::new();
    file.take(TRANSCRIPT_TAIL_BYTES).read_to_end(&mut tail).ok()?;
    Some(String::from_utf8_lossy(&tail).into_owned())
}
