//! Rust: the compiler, cargo and its checks.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const MANIFEST: &str = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
const NEEDS_CRATE: &str = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
                 [dependencies]\nserde = \"1\"\n";
const MAIN: &str = "fn main() {\n    println!(\"done, 0 errors\");\n}\n";

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "rustc",
        language: Some("Rust"),
        needs: &["rustc"],
        cases: &[
            case("rustc-syntax", COMPILE, "rustc main.rs", "a missing semicolon")
                .files(&[("main.rs", "fn main() {\n    let limit = 429\n    println!(\"{limit}\");\n}\n")]),
            case("rustc-borrow", COMPILE, "rustc main.rs", "a value is used after it moved").files(&[(
                "main.rs",
                "fn take(v: Vec<u8>) {}\n\
                 fn main() {\n    let v = vec![1];\n    take(v);\n    println!(\"{v:?}\");\n\
                 }\n",
            )]),
            case("rustc-type", COMPILE, "rustc main.rs", "a value of the wrong type").files(&[(
                "main.rs",
                "fn port() -> u16 {\n    \"8080\"\n}\nfn main() {\n    let p: String = port();\n}\n",
            )]),
            case("rustc-import", DEPENDENCY, "rustc --edition 2021 main.rs", "a crate that is not there")
                .files(&[("main.rs", "use tokio::net::TcpStream;\nfn main() {}\n")]),
            case("rustc-input", MISSING_FILE, "rustc src/bin/tool.rs", "the source file is not there"),
            case("rustc-option", BAD_ARGUMENT, "rustc --opt-level=9 -Z main.rs", "options rustc does not have")
                .files(&[("main.rs", MAIN)]),
            case("rustc-panic", EXCEPTION, "rustc main.rs && ./main", "the program panics").files(&[(
                "main.rs",
                "fn main() {\n    let v: Vec<i32> = Vec::new();\n    let index = \
                 std::env::args().count() + 4;\n    println!(\"{}\", v[index]);\n\
                 }\n",
            )]),
            case("rustc-panic-file", MISSING_FILE, "rustc main.rs && ./main", "the program unwraps a missing file")
                .files(&[(
                    "main.rs",
                    "fn main() {\n    let text = \
                 std::fs::read_to_string(\"settings.toml\").unwrap();\n    println!(\"{text}\");\n\
                 }\n",
                )]),
            case(
                "rustc-panic-refused",
                CONNECTION,
                "rustc main.rs && ./main $CLOSED_PORT",
                "the program cannot connect",
            )
            .files(&[(
                "main.rs",
                "use std::net::TcpStream;\n\
                 fn main() -> std::io::Result<()> {\n    let port: u16 = \
                 std::env::args().nth(1).unwrap().parse().unwrap();\n    \
                 TcpStream::connect((\"127.0.0.1\", port))?;\n    Ok(())\n\
                 }\n",
            )]),
            case(
                "rustc-overflow",
                EXCEPTION,
                "rustc main.rs 2>/dev/null && bash -c './main; exit $?'",
                "endless recursion",
            )
            .files(&[("main.rs", "fn f(n: u64) -> u64 { f(n + 1) + n }\nfn main() { println!(\"{}\", f(0)); }\n")]),
            case("rustc-ok", BENIGN, "rustc main.rs && ./main", "warnings only, then it runs").files(&[(
                "main.rs",
                "fn main() {\n    let error = 503;\n    println!(\"panicked at nothing: 0 \
                 failures\");\n\
                 }\n",
            )]),
        ],
    },
    Tool {
        name: "cargo",
        language: Some("Rust"),
        needs: &["cargo"],
        cases: &[
            case("cargo-build", COMPILE, "cargo build", "a trait bound does not hold").files(&[
                ("Cargo.toml", MANIFEST),
                (
                    "src/main.rs",
                    "struct Job;\n\
                 fn main() {\n    println!(\"{}\", Job);\n    let total: u32 = [1u64].iter().sum();\n\
                 }\n",
                ),
            ]),
            case("cargo-module", COMPILE, "cargo check", "a module file is not there")
                .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", "mod config;\nfn main() { config::load(); }\n")]),
            case("cargo-manifest", COMPILE, "cargo build", "the manifest does not parse")
                .files(&[("Cargo.toml", "[package\nname = \"app\"\n"), ("src/main.rs", MAIN)]),
            case("cargo-test", TEST, "cargo test", "an assertion fails").files(&[
                ("Cargo.toml", MANIFEST),
                (
                    "src/lib.rs",
                    "pub fn add(a: i32, b: i32) -> i32 { a - b }\n#[cfg(test)]\n\
                 mod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(2, 2), 4); \
                 }\n    #[test]\n    fn connection_refused_is_retried() {}\n\
                 }\n",
                ),
            ]),
            case("cargo-test-compile", COMPILE, "cargo test", "the tests do not compile").files(&[
                ("Cargo.toml", MANIFEST),
                (
                    "src/lib.rs",
                    "pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[test]\n\
                 fn adds() { assert_eq!(crate::sub(2, 2), 4); }\n",
                ),
            ]),
            case("cargo-doctest", TEST, "cargo test --doc -q", "an example in the documentation fails").files(&[
                ("Cargo.toml", MANIFEST),
                (
                    "src/lib.rs",
                    "/// Doubles.\n///\n/// ```\n/// assert_eq!(app::double(2), 5);\n/// ```\n\
                 pub fn double(n: i32) -> i32 { n * 2 }\n",
                ),
            ]),
            case("cargo-clippy", LINT, "cargo clippy -- -D warnings", "a lint that gates").files(&[
                ("Cargo.toml", MANIFEST),
                (
                    "src/main.rs",
                    "fn main() {\n    let v = vec![1, 2];\n    for i in 0..v.len() {\n        \
                 println!(\"{}\", v[i]);\n    }\n    return ();\n\
                 }\n",
                ),
            ]),
            case("cargo-fmt", LINT, "cargo fmt --check", "the formatting differs")
                .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", "fn main(){ let a=1;println!(\"{}\",a) }\n")]),
            case("cargo-offline", DEPENDENCY, "cargo build --offline", "a crate that is not in the local cache")
                .files(&[("Cargo.toml", NEEDS_CRATE), ("src/main.rs", MAIN)]),
            case("cargo-locked", DEPENDENCY, "cargo build --locked", "the lock file would have to change").files(&[
                (
                    "Cargo.toml",
                    "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
                 [dependencies]\nutil = { path = \"util\" }\n",
                ),
                ("src/main.rs", MAIN),
                ("util/Cargo.toml", "[package]\nname = \"util\"\nversion = \"0.2.0\"\nedition = \"2021\"\n"),
                ("util/src/lib.rs", ""),
                ("Cargo.lock", "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n"),
            ]),
            case("cargo-503", UNAVAILABLE, "CARGO_NET_RETRY=1 cargo build", "the registry is unavailable")
                .files(&[("Cargo.toml", NEEDS_CRATE), ("src/main.rs", MAIN)])
                .after(
                    "mkdir .cargo && printf '[source.crates-io]\\nreplace-with = \
                 \"mirror\"\\n[source.mirror]\\nregistry = \"sparse+%s/503/index/\"\\n' \
                 $SERVER > .cargo/config.toml",
                ),
            case("cargo-refused", CONNECTION, "CARGO_NET_RETRY=1 cargo build", "the registry refuses connections")
                .files(&[("Cargo.toml", NEEDS_CRATE), ("src/main.rs", MAIN)])
                .after(
                    "mkdir .cargo && printf '[source.crates-io]\\nreplace-with = \
                 \"mirror\"\\n[source.mirror]\\nregistry = \
                 \"sparse+http://127.0.0.1:%s/index/\"\\n' $CLOSED_PORT > .cargo/config.toml",
                ),
            case(
                "cargo-stall",
                TIMEOUT,
                "CARGO_NET_RETRY=0 CARGO_HTTP_TIMEOUT=1 cargo fetch",
                "the registry never answers",
            )
            .files(&[("Cargo.toml", NEEDS_CRATE), ("src/main.rs", MAIN)])
            .after(
                "mkdir .cargo && printf '[source.crates-io]\\nreplace-with = \
                 \"mirror\"\\n[source.mirror]\\nregistry = \"sparse+%s/stall/index/\"\\n' \
                 $SERVER > .cargo/config.toml",
            ),
            case("cargo-git", CONNECTION, "CARGO_NET_RETRY=0 cargo fetch", "a git dependency's server resets").files(
                &[
                    (
                        "Cargo.toml",
                        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                 [dependencies]\nutil = { git = \"http://127.0.0.1:7411/reset/util.git\" }\n",
                    ),
                    ("src/main.rs", MAIN),
                ],
            ),
            case(
                "cargo-lock",
                LOCK,
                "mkdir -p target/debug; flock target/debug/.cargo-lock sleep 4 & sleep 0.5; \
                 timeout 2 cargo build",
                "another build holds the directory until the time is up",
            )
            .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)]),
            case("cargo-none", MISSING_FILE, "cargo build --release", "no manifest here"),
            case("cargo-subcommand", BAD_ARGUMENT, "cargo buidl --release", "a subcommand cargo does not have"),
            case("cargo-option", BAD_ARGUMENT, "cargo test --jobs-count 4", "an option cargo does not have")
                .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)]),
            case("cargo-bin", BAD_ARGUMENT, "cargo run --bin server", "no such binary")
                .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)]),
            case(
                "cargo-denied",
                DENIED,
                "read-only-disk cargo build --target-dir disk/target",
                "the target directory is on a read-only file system",
            )
            .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)])
            .after("mkdir -p disk/target/debug"),
            case("cargo-ok-test", BENIGN, "cargo test", "all tests pass").files(&[
                ("Cargo.toml", MANIFEST),
                (
                    "src/lib.rs",
                    "#[cfg(test)]\n\
                 mod tests {\n    #[test]\n    fn fails_on_timeout() {}\n    #[test]\n    \
                 #[should_panic]\n    fn panics_on_error() { panic!(\"connection reset\") }\n\
                 }\n",
                ),
            ]),
            case("cargo-ok-build", BENIGN, "cargo build && cargo run", "builds with a warning and runs").files(&[
                ("Cargo.toml", MANIFEST),
                ("src/main.rs", "fn main() {\n    let error_count = 0;\n    println!(\"0 failed\");\n}\n"),
            ]),
            case("cargo-ok-clippy", BENIGN, "cargo clippy -- -D warnings && cargo fmt --check", "nothing is found")
                .files(&[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)]),
        ],
    },
];
