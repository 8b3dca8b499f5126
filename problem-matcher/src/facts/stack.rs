//! Frames of stack traces.

use super::place::{FilePlace, place};
use recovery_types::diagnosis::Location;

/// Where the program was according to a stack trace.
pub(super) struct Frame<'a> {
    pub(super) place: FilePlace<'a>,
    /// The innermost frame is last (Python), not first.
    pub(super) innermost_last: bool,
    library: bool,
}

/// A stack trace as far as it was read.
#[derive(Default)]
pub(super) struct Trace {
    user: Option<Location>,
    library: Option<Location>,
}

impl Trace {
    /// Takes the next frame: of the user's own the innermost counts.
    pub(super) fn add(&mut self, frame: &Frame<'_>) {
        if is_built_in(frame.place.file) {
            return;
        }
        let slot = if frame.library { &mut self.library } else { &mut self.user };
        if slot.is_none() || frame.innermost_last {
            *slot = Some(frame.place.location(None));
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.user.is_none() && self.library.is_none()
    }

    /// The innermost frame of the user's own.
    pub(super) fn user(&self) -> Option<&Location> {
        self.user.as_ref()
    }

    /// The innermost frame of all.
    pub(super) fn any(self) -> Option<Location> {
        self.user.or(self.library)
    }
}

/// The frame that `line` is, if it is one.
pub(super) fn frame(line: &str) -> Option<Frame<'_>> {
    let trimmed = line.trim_start();
    // pytest repeats what Python printed behind an `E`.
    let printed = trimmed.strip_prefix("E ").unwrap_or(trimmed).trim_start();
    if let Some(rest) = printed.strip_prefix("File \"") {
        return python(rest);
    }
    if let Some(rest) = trimmed.strip_prefix("at ") {
        return jvm(rest).or_else(|| dotnet(rest)).or_else(|| script(rest));
    }
    if let Some(frame) = native(trimmed) {
        return Some(frame);
    }
    for mark in ["❯ ", "# ", "from "] {
        if let Some((place, rest)) = trimmed.strip_prefix(mark).and_then(place) {
            let ends = rest.is_empty() || rest.starts_with(":in ") || rest.starts_with(' ');
            return ends.then(|| Frame { place, innermost_last: false, library: is_library(place.file) });
        }
    }
    // Go: a tab, the file, the offset.
    let (place, rest) = line.strip_prefix('\t').and_then(place)?;
    let go = place.file.ends_with(".go") && (rest.is_empty() || rest.starts_with(" +0x"));
    go.then(|| Frame { place, innermost_last: false, library: is_library(place.file) })
}

/// `x.py", line 3, in f`.
fn python(rest: &str) -> Option<Frame<'_>> {
    let (file, rest) = rest.split_once("\", line ")?;
    let (line, _) = super::cursor::integer(rest)?;
    let place = FilePlace { file, line, column: None };
    Some(Frame { place, innermost_last: true, library: is_library(file) || file.starts_with('<') })
}

/// `#0 0x55d0 in main /x/y.c:5`, `#1  f (n=3) at y.c:5`: sanitizers and debuggers.
fn native(line: &str) -> Option<Frame<'_>> {
    let rest = line.strip_prefix('#')?;
    let (_, digits) = super::cursor::integer(rest)?;
    let (_, called) = rest[digits..].split_once(" in ").or_else(|| rest[digits..].split_once("  "))?;
    let (place, rest) = place(called.rsplit(' ').next()?)?;
    rest.is_empty().then(|| Frame { place, innermost_last: false, library: is_library(place.file) })
}

/// `com.x.Y.z(Y.java:3)`.
fn jvm(rest: &str) -> Option<Frame<'_>> {
    let (method, file) = rest.split_once('(')?;
    let (file, _) = file.split_once(')')?;
    let (place, rest) = place(file)?;
    if !rest.is_empty() || ![".java", ".kt", ".scala", ".groovy", ".clj"].iter().any(|end| place.file.ends_with(end)) {
        return None;
    }
    let method = method.rsplit('/').next().unwrap_or(method);
    Some(Frame {
        place,
        innermost_last: false,
        library: JVM_LIBRARIES.iter().any(|package| method.starts_with(package)),
    })
}

const JVM_LIBRARIES: &[&str] = &[
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "groovy.",
    "org.junit.",
    "org.testng.",
    "org.apache.",
    "org.gradle.",
    "org.springframework.",
    "org.hibernate.",
    "org.mockito.",
    "io.netty.",
    "com.google.",
    "clojure.",
    "org.assertj.",
    "org.opentest4j.",
    "worker.org.gradle.",
    "junit.",
];

/// `X.Y() in /x/y.cs:line 3`.
fn dotnet(rest: &str) -> Option<Frame<'_>> {
    let (_, place) = rest.split_once(" in ")?;
    let (file, line) = place.rsplit_once(":line ")?;
    let (line, _) = super::cursor::integer(line)?;
    Some(Frame {
        place: FilePlace { file, line, column: None },
        innermost_last: false,
        library: is_library(file) || file.starts_with("/_/"),
    })
}

/// `f (/x/y.js:3:5)`, `/x/y.js:3:5`, `./src/main.rs:3:5`.
fn script(rest: &str) -> Option<Frame<'_>> {
    let inside = rest.rsplit_once('(').and_then(|(_, inside)| inside.split_once(')')).map(|(inside, _)| inside);
    let text = inside.unwrap_or(rest.strip_prefix("async ").unwrap_or(rest));
    let (place, rest) = place(text)?;
    matches!(rest.trim(), "" | "{" | ":").then(|| Frame {
        place,
        innermost_last: false,
        library: is_library(place.file),
    })
}

/// Whether the file belongs to a language, a package manager or a system rather than to the user.
pub(super) fn is_library(file: &str) -> bool {
    LIBRARIES.iter().any(|part| file.contains(part)) || LIBRARY_ROOTS.iter().any(|root| file.starts_with(root))
}

const LIBRARIES: &[&str] = &[
    "site-packages",
    "dist-packages",
    "node_modules",
    "/lib/python",
    "/.cargo/registry/",
    "/.rustup/",
    "/.pyenv/",
    "/go/pkg/mod/",
    "/go/src/runtime",
    "/gems/",
    "/vendor/",
    "/.bun/",
    "/deps/",
    "/.pub-cache/",
    "/.nuget/",
];

const LIBRARY_ROOTS: &[&str] = &[
    "/usr/lib",
    "/usr/include",
    "/usr/local/lib",
    "/usr/local/go/",
    "/usr/share",
    "/rustc/",
    "/lib/",
    "/nix/store/",
    "/opt/",
    "node:",
    "internal/",
    "<",
    "/build/",
    "vendor/",
    "deps/",
    "/Library/",
    "/System/",
    "../sysdeps/",
    "../csu/",
    "../../",
];

/// Whether the file is inside the interpreter, where nobody can look: it is no place at all.
pub(super) fn is_built_in(file: &str) -> bool {
    file.starts_with("node:") || file.starts_with("internal/") || file.starts_with('<')
}
