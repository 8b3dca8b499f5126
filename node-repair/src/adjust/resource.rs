//! Disk, memory and limits.

use super::{Row, about, change, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// What full disks and exhausted memory look like.
pub(super) const ROWS: &[Row] = &[
    row("write error: No space left on device", |_| Some(free_disk())),
    row("cannot create directory '{}': No space left on device", |s| Some(free_disk_of(s.hole(0)))),
    row("No space left on device: '{}'", |s| Some(free_disk_of(s.hole(0)))),
    row("You don't have enough free space in {w}", |s| Some(free_disk_of(s.hole(0).trim_end_matches('.')))),
    row("No space left on device", |_| Some(free_disk())),
    row("no space left on device", |_| Some(free_disk())),
    row("ENOSPC: System limit for number of file watchers reached", |_| Some(more_watchers())),
    row("EMFILE: too many open files", |_| Some(more_files())),
    row("Too many open files", |_| Some(more_files())),
    row("too many open files", |_| Some(more_files())),
    row("ENOSPC", |_| Some(free_disk())),
    row("Disk quota exceeded", |_| Some(free_disk())),
    row("disk quota exceeded", |_| Some(free_disk())),
    row("There is not enough space on the disk", |_| Some(free_disk())),
    row("database or disk is full", |_| Some(free_disk())),
    row("JavaScript heap out of memory", |_| Some(node_heap())),
    row("java.lang.OutOfMemoryError: {}", |s| Some(java_heap(s.hole(0)))),
    row("Process completed with exit code 137", |_| Some(free_memory())),
    row("signal: 9, SIGKILL", |_| Some(free_memory())),
    row("Killed signal terminated program cc1plus", |_| Some(fewer_jobs())),
    row("Killed signal terminated program cc1", |_| Some(fewer_jobs())),
    row("virtual memory exhausted: Cannot allocate memory", |_| Some(fewer_jobs())),
    row("OOMKilled", |_| Some(container_memory())),
    row("Out of memory: Killed process {n}", |_| Some(free_memory())),
    row("CUDA out of memory", |_| Some(gpu_memory())),
    row("Cannot allocate memory", |_| Some(free_memory())),
    row("memory allocation of {n} bytes failed", |_| Some(free_memory())),
    row("MemoryError", |_| Some(free_memory())),
    row("std::bad_alloc", |_| Some(free_memory())),
    row("fatal error: runtime: out of memory", |_| Some(free_memory())),
    row("Allowed memory size of {n} bytes exhausted", |_| Some(php_memory())),
    row("FATAL:  out of memory", |_| Some(free_memory())),
];

/// Free disk space, wherever it is short.
pub(super) fn free_disk() -> Adjustment {
    let command = "df -h".to_owned();
    let text = "free disk space, the disk is full; see which one";
    Adjustment { command: Some(command.clone()), ..change(AdjustmentKind::FreeDisk, format!("{text}: {command}")) }
}

/// Use less memory, or allow more.
pub(super) fn free_memory() -> Adjustment {
    change(AdjustmentKind::FreeMemory, "use less memory (smaller input, fewer jobs at once) or allow more: it ran out")
}

fn free_disk_of(path: &str) -> Adjustment {
    let command = format!("df -h {}", super::shell_quoted(path));
    about(
        AdjustmentKind::FreeDisk,
        path,
        format!("free space on the disk of `{path}`; see how full it is"),
        Some(command),
    )
}

fn more_watchers() -> Adjustment {
    let command = "sudo sysctl fs.inotify.max_user_watches=524288".to_owned();
    about(AdjustmentKind::RaiseLimit, "fs.inotify.max_user_watches", "raise the limit of file watchers", Some(command))
}

fn more_files() -> Adjustment {
    let command = "ulimit -n 8192".to_owned();
    about(AdjustmentKind::RaiseLimit, "open files", "raise the limit of open files", Some(command))
}

fn node_heap() -> Adjustment {
    let command = "NODE_OPTIONS=--max-old-space-size=4096".to_owned();
    about(AdjustmentKind::FreeMemory, "node", "give Node a larger heap, it ran out", Some(command))
}

fn java_heap(what: &str) -> Adjustment {
    let (words, command) = match what {
        "Metaspace" => ("give Java more metaspace, it ran out", "-XX:MaxMetaspaceSize=512m"),
        _ => ("give Java a larger heap, it ran out", "-Xmx2g"),
    };
    about(AdjustmentKind::FreeMemory, "java", words, Some(command.to_owned()))
}

fn fewer_jobs() -> Adjustment {
    let text = "build with fewer jobs at once, the compiler was killed for lack of memory";
    about(AdjustmentKind::FreeMemory, "compiler", text, Some("make -j1".to_owned()))
}

fn container_memory() -> Adjustment {
    about(
        AdjustmentKind::FreeMemory,
        "container",
        "raise the container's memory limit, it was killed for lack of memory",
        None,
    )
}

fn gpu_memory() -> Adjustment {
    about(AdjustmentKind::FreeMemory, "GPU", "use a smaller batch or model, the GPU's memory ran out", None)
}

fn php_memory() -> Adjustment {
    about(
        AdjustmentKind::FreeMemory,
        "php",
        "raise PHP's memory limit, it ran out",
        Some("php -d memory_limit=512M".to_owned()),
    )
}
