//! Whose code a stack frame or a place is in: the project's own, or that of a library, a test runner or the language itself.
//!
//! A failure is fixed in the project's own code, so that is the place a problem gets. The lists are what package managers
//! and toolchains use as installation paths, and the name spaces of runtimes; add to them when a frame of a library is
//! reported as the place.

/// Parts of paths that belong to installed packages, toolchains and runtimes.
const LIBRARY_PATHS: &[&str] = &[
    // Python
    "site-packages/",
    "dist-packages/",
    "lib/python",
    "Lib/",
    "<frozen ",
    "<string>",
    "<stdin>",
    "<template>",
    "/_pytest/",
    "/pluggy/",
    // JavaScript
    "node_modules/",
    "node:",
    "internal/",
    "(native)",
    "native:",
    "<anonymous>",
    "webpack/",
    "file:///opt/hostedtoolcache/",
    ".pnpm/",
    ".yarn/cache",
    // Rust
    "/rustc/",
    "/.cargo/registry/",
    "/.cargo/git/",
    "/library/std/",
    "/library/core/",
    "/library/alloc/",
    "/registry/src/",
    // Ruby
    "/gems/",
    "lib/ruby/",
    "<internal:",
    "/bin/rspec",
    "/bin/bundle",
    "/bin/rake",
    "/exe/",
    // Go
    "/go/pkg/mod/",
    "/usr/local/go/",
    "/go/src/runtime",
    "/go/src/testing",
    "/hostedtoolcache/",
    "GOROOT",
    // PHP
    "/vendor/",
    "vendor/",
    "phar://",
    // C and C++
    "/usr/include/",
    "/usr/lib/",
    "/usr/local/include/",
    "/usr/local/lib/",
    "/lib/x86_64-linux-gnu/",
    "/build/glibc",
    "sysdeps/",
    "libsanitizer/",
    // Java
    "jar:",
    "jrt:",
    "java.base/",
    "jdk.internal",
    "/.m2/",
    "/.gradle/",
    // Elixir, Haskell, others
    "deps/",
    "(elixir ",
    "(ex_unit ",
    "(stdlib ",
    "/.stack/",
    "/.cabal/",
    "/nix/store/",
    ".swiftpm/",
];

/// Whether a file is the project's own, judged by its path.
pub(crate) fn is_project_file(file: &str) -> bool {
    let file = file.replace('\\', "/");
    !LIBRARY_PATHS.iter().any(|part| {
        if part.starts_with('/') || part.ends_with('/') && part.len() > 8 {
            file.contains(part)
        } else {
            file.starts_with(part) || part.len() > 6 && file.contains(part)
        }
    })
}
