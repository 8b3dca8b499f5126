//! Steps for a full disk and for exhausted memory.
//!
//! In: the evidence of a [`Case`](super::Case). Out: `FreeDisk` with the path that could not be written and `df -h` for it,
//! or `FreeMemory` with the setting of the runtime that ran out.
//!
//! Nothing is deleted by a suggested command: what can be removed is not visible in the output. The path is a quoted one,
//! else a word that looks like a path and is neither the program's name nor a place in source code. A runtime with a memory
//! limit of its own (heap, `memory_limit`) is a row in `MEMORY`; without one the step names smaller inputs and fewer jobs.

use super::pattern::quoted;
use super::words::{about, quote, shell_quoted, step};
use super::{Case, Row, first, row};
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// Free disk space, on the disk of the path that could not be written.
pub(super) fn disk(case: &Case<'_>) -> Option<Adjustment> {
    if !case.is(
        ErrorType::DiskFull,
        &["no space left", "enospc", "disk quota exceeded", "not enough space", "enough free space", "disk is full"],
    ) {
        return None;
    }
    const SIGNS: &[&str] = &["space", "quota", "enospc", "disk", "errno 28"];
    let mut lines = case.lines().filter(|line| {
        let lower = line.to_ascii_lowercase();
        SIGNS.iter().any(|sign| lower.contains(sign))
    });
    if let Some(path) = lines.clone().find_map(full_path) {
        let command = format!("df -h {}", shell_quoted(path));
        let text = format!("free disk space, {path} could not be written; see how full its disk is");
        return Some(about(AdjustmentKind::FreeDisk, path, text, Some(command)));
    }
    let line = lines.next().map(|line| format!(" ({})", quote(line))).unwrap_or_default();
    let text = format!("free disk space, the disk is full{line}; see which one: df -h");
    Some(Adjustment { command: Some("df -h".to_owned()), ..step(AdjustmentKind::FreeDisk, text) })
}

/// The path on a line about a full disk: a quoted one, else a word that is one.
fn full_path(line: &str) -> Option<&str> {
    let is_path = |word: &&str| {
        let bare = word.trim_start_matches("./");
        // `(y/n)` is a question.
        let is_question = bare.eq_ignore_ascii_case("y/n");
        word.contains('/') && !is_question && bare.len() > 1 && !word.contains("//") && !word.contains(' ')
            || is_file(word)
    };
    if let Some(path) = quoted(line).into_iter().rfind(is_path) {
        return Some(path);
    }
    // `tar: mnt/b.tar: Cannot write: No space left on device`: not the program's own name, nor a place in the code.
    let words = line.split_whitespace().map(|word| word.trim_matches(|c: char| "'\"`(),;:.".contains(c)));
    let place =
        |word: &&str| word.rsplit(':').next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    words
        .skip(1)
        .filter(|word| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-+@".contains(&b)) && !place(word))
        .find(|word| word.contains('/') && is_path(word))
}

fn is_file(word: &str) -> bool {
    let extension = word.rsplit_once('.').map(|(_, extension)| extension);
    !word.contains(' ')
        && extension.is_some_and(|e| (1..=5).contains(&e.len()) && e.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Use less memory, or allow more.
pub(super) fn memory(case: &Case<'_>) -> Option<Adjustment> {
    if !case.is(
        ErrorType::OutOfMemory,
        &[
            "out of memory", "outofmemory", "oomkilled", "cannot allocate memory", "memoryerror", "bad_alloc",
            "memory allocation of", "killed signal", "sigkill", "allowed memory size", "exit code 137",
        ],
    ) {
        return None;
    }
    first(MEMORY, case).or_else(|| {
        let line = case.headline().map(|line| format!(": {line}")).unwrap_or_default();
        let text = format!("use less memory (smaller input, fewer jobs at once) or allow more{line}");
        Some(step(AdjustmentKind::FreeMemory, text))
    })
}

/// Runtimes whose memory is a setting.
const MEMORY: &[Row] = &[
    row("JavaScript heap out of memory", |_| {
        setting("node", "give Node a larger heap, it ran out", "export NODE_OPTIONS=--max-old-space-size=4096")
    }),
    row("java.lang.OutOfMemoryError: Metaspace", |_| {
        memory_step("java", "give Java more metaspace (-XX:MaxMetaspaceSize=512m), it ran out")
    }),
    row("java.lang.OutOfMemoryError", |_| memory_step("java", "give Java a larger heap (-Xmx2g), it ran out")),
    row("Expiring Daemon because JVM heap space is exhausted", |_| {
        memory_step("gradle", "give Gradle a larger heap (org.gradle.jvmargs=-Xmx2g in gradle.properties), it ran out")
    }),
    row("Killed signal terminated program cc1", |_| fewer_jobs()),
    row("virtual memory exhausted: Cannot allocate memory", |_| fewer_jobs()),
    row("OOMKilled", |_| {
        memory_step("container", "raise the container's memory limit, it was killed for lack of memory")
    }),
    row("CUDA out of memory", |_| memory_step("GPU", "use a smaller batch or model, the GPU's memory ran out")),
    row("Allowed memory size of {n} bytes exhausted", |_| {
        memory_step("php", "raise PHP's memory limit (php -d memory_limit=512M), it ran out")
    }),
];

fn setting(subject: &str, text: &str, command: &str) -> Option<Adjustment> {
    Some(about(AdjustmentKind::FreeMemory, subject, text, Some(command.to_owned())))
}

fn memory_step(subject: &str, text: &str) -> Option<Adjustment> {
    Some(about(AdjustmentKind::FreeMemory, subject, text, None))
}

fn fewer_jobs() -> Option<Adjustment> {
    let text = "build with fewer jobs at once, the compiler was killed for lack of memory";
    setting("compiler", text, "make -j1")
}
