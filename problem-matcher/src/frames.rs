//! Stack frames: where they point, and whose code it is: the project's own, or that of a library, a runner or the language.
//!
//! A failure is fixed in the project's own code, so the innermost frame of that is the place a problem gets. [`frame`] reads one
//! frame of any of the languages below. The lists are the installation paths of package managers and toolchains and the
//! name spaces of runtimes and runners; add to them when a frame of a library is reported as the place.

use crate::block::begins;
use crate::literals::Literals;
use crate::place::{self, Place};
use std::sync::LazyLock;

/// Parts of paths of installed packages, toolchains and runtimes, wherever they occur in the path.
#[rustfmt::skip]
const LIBRARY_PARTS: &[&str] = &[
    // Python
    "site-packages/", "dist-packages/", "/lib/python", "/_pytest/", "/pluggy/", "/unittest/case.py", "/unittest/mock.py", "/runpy.py", "importlib/",
    // JavaScript
    "node_modules/", "/.pnpm/", ".yarn/cache", ".yarn/releases", "/webpack/", "/jasmine-core/", "/lib/internal/",
    // Rust
    "/rustc/", "/.cargo/registry/", "/.cargo/git/", "/library/std/", "/library/core/", "/library/alloc/", "/library/test/", "/registry/src/", "/rustlib/",
    // Ruby
    "/gems/", "lib/ruby/", "/bin/rspec", "/bin/bundle", "/bin/rake", "/bin/ruby_executable_hooks",
    // Go
    "/go/pkg/mod/", "/usr/local/go/", "/hostedtoolcache/", "/libexec/src/", "/go/src/runtime/", "/go/src/testing/",
    // PHP
    "/vendor/", "phar://", "/bin/phpunit",
    // C and C++
    "/usr/include/", "/usr/lib/", "/usr/local/include/", "/usr/local/lib/", "/lib/x86_64-linux-gnu/", "/build/glibc", "sysdeps/", "libsanitizer/", "libstdc++", "gtest/", "googletest/", "catch.hpp", "catch2/", "doctest.h",
    // Java
    ".jar!", "/.m2/", "/.gradle/",
    // Elixir, Haskell, Nix, Swift, Dart
    "/deps/", "/.stack/", "/.cabal/", "/nix/store/", "/.pub-cache/", "/XCTest/", "package:test_api/", "package:test/", "dart:",
];

/// How a path begins that is not the project's.
#[rustfmt::skip]
const LIBRARY_STARTS: &[&str] = &[
    "<frozen ", "<string>", "<stdin>", "<template>", "<internal:", "<anonymous>", "<built-in>", "node:", "internal/", "native", "vendor/", "deps/", "jar:", "jrt:", "java.base/",
    "(elixir", "(ex_unit", "(stdlib", "webpack:", "file:///node_modules", "library/std/", "library/core/", "library/alloc/", "rustc/", "sysdeps/", "../sysdeps", "unknown", "_testmain.go", "testing.go", "asm_amd64.s", "panic.go",
    "libcore/", "libstd/", "liballoc/", "src/libcore/", "src/libstd/", "bun:", "ext:", "src/XCTest", "/snapshot/",
];

/// Name spaces of Java, Kotlin, Scala and .NET that are not the project's.
#[rustfmt::skip]
const LIBRARY_NAMESPACES: &[&str] = &[
    "java.", "javax.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.", "org.codehaus.groovy.", "org.junit.", "junit.", "org.testng.", "org.hamcrest.", "org.assertj.",
    "org.mockito.", "org.apache.maven.", "org.gradle.", "org.apache.tools.ant.", "org.scalatest.", "sbt.", "org.springframework.", "org.hibernate.", "com.google.common.", "com.fasterxml.",
    "org.eclipse.jetty.", "io.netty.", "reactor.", "rx.", "io.reactivex.", "net.bytebuddy.", "org.opentest4j.", "com.intellij.rt.", "hudson.", "jenkins.", "org.jenkinsci.", "worker.org.gradle.",
    "System.", "Microsoft.", "Xunit.", "NUnit.", "FluentAssertions.", "Moq.", "Shouldly.", "java.base/", "java.sql/", "app//org.junit", "app//java", "clojure.", "akka.", "com.zaxxer.", "org.postgresql.", "org.apache.commons.", "io.kotest.", "io.mockk.", "jdk.internal",
];

/// Whether a file is the project's own, judged by its path.
pub(crate) fn is_project_file(file: &str) -> bool {
    let slashes;
    let file = if file.contains('\\') {
        slashes = file.replace('\\', "/");
        &slashes
    } else {
        file
    };
    // One search for all parts: frames are the most frequent lines of a failed run.
    static PARTS: LazyLock<Literals<'static>> = LazyLock::new(|| Literals::new(LIBRARY_PARTS.iter().copied()));
    let mut has_part = false;
    PARTS.find(file.as_bytes(), |_, _| has_part = true);
    !has_part && !LIBRARY_STARTS.iter().any(|start| begins(file, start))
}

/// One stack frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'t> {
    /// Where it points; none for native and anonymous frames.
    pub place: Option<Place<'t>>,
    /// Whether it is the project's own code.
    pub is_project: bool,
}

/// The stack frame that `text` is, in any of the forms that languages and runners print.
pub(crate) fn frame(text: &str) -> Option<Frame<'_>> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("at ") {
        return at_frame(rest);
    }
    if let Some(rest) = text.strip_prefix("File \"") {
        let (file, rest) = rest.split_once("\", line ")?;
        return Some(by_path(Place { file, line: place::leading_number(rest), column: None }));
    }
    // PHP `#0 /a/b.php(12): f()`, sanitizers and debuggers `#0 0x4f in f /a/b.c:12:3`.
    if let Some(rest) = text.strip_prefix('#')
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        return Some(place::first(rest).map_or(Frame { place: None, is_project: false }, by_path));
    }
    // Ruby `from a.rb:1:in 'f'`, RSpec `# ./a_spec.rb:5:in ...`, vitest `❯ f a.ts:3:1`, Firefox and old Safari `f@a.js:1:2`.
    for mark in ["from ", "# ", "❯ ", "› ", "> ", "-> ", "→ ", "⎯ "] {
        if let Some(rest) = text.strip_prefix(mark) {
            return place::first(rest).map(by_path);
        }
    }
    None
}

/// What follows `at `: JavaScript, Java and its relatives, .NET, Rust, Dart.
fn at_frame(rest: &str) -> Option<Frame<'_>> {
    if let Some((method, place)) = rest.rsplit_once(" in ")
        && let Some((file, line)) = place.rsplit_once(":line ").or_else(|| place.rsplit_once(':'))
        && line.starts_with(|c: char| c.is_ascii_digit())
        && method.ends_with(')')
    {
        let is_project = is_project_name(method) && is_project_file(file);
        return Some(Frame {
            place: Some(Place { file, line: place::leading_number(line), column: None }),
            is_project,
        });
    }
    if let Some(open) = rest.rfind('(')
        && let Some(inner) =
            rest[open + 1..].strip_suffix(')').or_else(|| rest[open + 1..].split_once(')').map(|(inner, _)| inner))
    {
        let name = rest[..open].trim_end();
        if let Some(found) = place::first(inner) {
            // Java has a bare file name and a dotted method; JavaScript has a path.
            let is_java = !inner.contains('/') && name.contains('.') && !name.contains(' ');
            let is_project = is_project_file(found.file) && (!is_java || is_project_name(name));
            return Some(Frame { place: Some(found), is_project });
        }
        if inner.is_empty()
            || matches!(inner, "native" | "<anonymous>" | "Native Method" | "Unknown Source" | "index 0")
            || name.contains('.')
        {
            // .NET without debug symbols, native frames.
            return Some(Frame { place: None, is_project: false });
        }
    }
    let found = place::first(rest)?;
    Some(by_path(found))
}

fn by_path(place: Place<'_>) -> Frame<'_> {
    Frame { place: Some(place), is_project: is_project_file(place.file) }
}

/// Whether a dotted method or class name is the project's own.
pub(crate) fn is_project_name(name: &str) -> bool {
    let name = name.trim_start_matches("app//");
    !LIBRARY_NAMESPACES.iter().any(|space| begins(name, space))
}

/// The frame a person would open: the project's innermost. `frames` is innermost first.
pub(crate) fn best<'t>(mut frames: impl Iterator<Item = Frame<'t>>) -> Option<Place<'t>> {
    frames.find(|frame| frame.place.is_some() && frame.is_project)?.place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_every_language_are_read() {
        #[rustfmt::skip]
        let frames = [
            ("    at Object.<anonymous> (/app/src/a.test.js:3:15)", Some(("/app/src/a.test.js", 3)), true),
            ("    at file:///app/a.mjs:7:9", Some(("/app/a.mjs", 7)), true),
            ("    at async Promise.all (index 0)", None, false),
            ("    at node:internal/main/run_main_module:23:47", Some(("node:internal/main/run_main_module", 23)), false),
            ("    at run (/app/node_modules/x/index.js:1:2)", Some(("/app/node_modules/x/index.js", 1)), false),
            ("\tat com.acme.Main.run(Main.java:12)", Some(("Main.java", 12)), true),
            ("\tat java.base/java.util.ArrayList.get(ArrayList.java:427)", Some(("ArrayList.java", 427)), false),
            ("\tat jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)", None, false),
            ("   at Acme.Tests.T.Adds() in /src/T.cs:line 14", Some(("/src/T.cs", 14)), true),
            ("   at Acme.Tests.T.Adds(Int32 a) in /src/T.cs:14", Some(("/src/T.cs", 14)), true),
            ("   at System.Linq.Enumerable.First()", None, false),
            ("  File \"/app/a.py\", line 3, in f", Some(("/app/a.py", 3)), true),
            ("  File \"/usr/lib/python3.11/json/decoder.py\", line 3, in f", Some(("/usr/lib/python3.11/json/decoder.py", 3)), false),
            ("#0 /app/a.php(12): f()", Some(("/app/a.php", 12)), true),
            ("    #1 0x4c3d2e in main /src/a.c:7:3", Some(("/src/a.c", 7)), true),
            ("\tfrom a.rb:1:in `f'", Some(("a.rb", 1)), true),
            ("     # ./spec/a_spec.rb:5:in `block'", Some(("./spec/a_spec.rb", 5)), true),
            (" ❯ src/a.test.ts:5:20", Some(("src/a.test.ts", 5)), true),
            ("             at ./src/main.rs:4:5", Some(("./src/main.rs", 4)), true),
            ("             at /rustc/abc/library/std/src/panicking.rs:645:5", Some(("/rustc/abc/library/std/src/panicking.rs", 645)), false),
        ];
        for (text, place, is_project) in frames {
            let frame = frame(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(frame.place.map(|place| (place.file, place.line.unwrap_or(0))), place, "{text}");
            assert_eq!(frame.is_project, is_project, "{text}");
        }
    }

    #[test]
    fn prose_is_no_frame() {
        for text in ["at the end of the day", "", "Error: x", "from here on"] {
            assert_eq!(frame(text), None, "{text}");
        }
    }
}
