//! Programs that are not installed, with the package that usually has them.

use super::{Row, Seen, about, is_plain_word, row};
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

/// What a missing program looks like.
pub(super) const ROWS: &[Row] = &[
    row("command not found: {w}", |s| install(s.hole(0), s.request)),
    row("{}: command not found", last_part),
    row("make: {w} No such file or directory", |s| install(s.hole(0), s.request)),
    row("make: {w} Command not found", |s| install(s.hole(0), s.request)),
    row("{w}: Command not found", |s| install(s.hole(0), s.request)),
    row("{w}: not found", shell),
    row("{w}: inaccessible or not found", |s| install(s.hole(0), s.request)),
    row("'{w}' is not recognized as an internal or external command", |s| install(s.hole(0), s.request)),
    row("The term '{w}' is not recognized", |s| install(s.hole(0), s.request)),
    row("env: '{w}': No such file or directory", |s| install(s.hole(0), s.request)),
    row("env: {w} No such file or directory", |s| install(s.hole(0), s.request)),
    row("spawn {w} ENOENT", |s| install(s.hole(0), s.request)),
    row("exec: \"{w}\": executable file not found in $PATH", |s| install(s.hole(0), s.request)),
    row("linker `{w}` not found", |s| install(s.hole(0), s.request)),
    row("failed to find tool \"{w}\"", |s| install(s.hole(0), s.request)),
    row("is `{w}` not installed?", |s| install(s.hole(0), s.request)),
    row("CMAKE_MAKE_PROGRAM is not set", |_| package("ninja or make", "ninja-build")),
    row("No CMAKE_CXX_COMPILER could be found", |_| package("c++", "build-essential")),
    row("No CMAKE_C_COMPILER could be found", |_| package("cc", "build-essential")),
    row("Unable to locate package {w}", |s| apt_unknown(s.hole(0))),
    row("Package '{w}' has no installation candidate", |s| apt_unknown(s.hole(0))),
    row("Could not find `protoc`", |_| package("protoc", "protobuf-compiler")),
    row("error: the '{w}' binary, normally provided by the '{w}' component, is not applicable", |s| rustup(s.hole(1))),
    row("error: '{w}' is not installed for the toolchain", |s| rustup(s.hole(0))),
    row("error: no such command: `{w}`", |s| cargo_command(s.hole(0))),
    row("The JAVA_HOME environment variable is not defined", |_| package("java", "default-jdk")),
    row("Unable to locate a Java Runtime", |_| package("java", "default-jdk")),
];

/// Install the program `name`.
pub(super) fn install(name: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = name.trim_matches(['\'', '"', '`', ':', ',', '.']);
    if name.contains(['/', '\\']) {
        // A program of the project is a path.
        return super::path::correct(name, request);
    }
    if !is_plain_word(name) {
        return None;
    }
    if let Some((_, npm)) = NODE.iter().find(|(command, _)| *command == name) {
        let add = super::package::node_add(request);
        return Some(install_with(name, npm, &format!("{add} -D {npm}")));
    }
    if let Some((_, how)) = OTHERS.iter().find(|(command, _)| *command == name) {
        return Some(install_with(name, name, how));
    }
    let known = PACKAGES.iter().find(|(_, commands)| commands.contains(&name));
    match known {
        Some((debian, _)) => package(name, debian),
        None => {
            let text = format!("install `{name}`, or put it on the PATH; find its package");
            Some(about(AdjustmentKind::InstallCommand, name, text, Some(format!("apt-file search bin/{name}"))))
        }
    }
}

/// Debian packages and the programs in them, where the names differ or are worth being sure of.
#[rustfmt::skip]
const PACKAGES: &[(&str, &[&str])] = &[
    ("build-essential", &["gcc", "g++", "cc", "c++", "make", "cpp"]),
    ("autoconf", &["autoreconf", "autoconf", "autoheader"]), ("automake", &["aclocal", "automake"]),
    ("bind9-dnsutils", &["dig", "nslookup"]), ("binutils", &["ld", "ar", "strip", "objdump", "nm"]), ("bison", &["yacc", "bison"]),
    ("clang", &["clang", "clang++"]), ("cmake", &["cmake", "ctest"]), ("curl", &["curl"]), ("default-jdk", &["java", "javac", "jar"]),
    ("default-mysql-client", &["mysql", "mysqldump"]), ("docker.io", &["docker"]), ("ffmpeg", &["ffmpeg", "ffprobe"]),
    ("flex", &["flex", "lex"]), ("gettext", &["msgfmt", "xgettext"]), ("git", &["git"]), ("golang-go", &["go", "gofmt"]),
    ("gradle", &["gradle"]), ("graphviz", &["dot"]), ("imagemagick", &["convert", "magick", "identify"]),
    ("iproute2", &["ip", "ss"]), ("iputils-ping", &["ping"]), ("jq", &["jq"]), ("libtool-bin", &["libtool", "libtoolize"]),
    ("lld", &["ld.lld", "lld"]), ("lsof", &["lsof"]), ("maven", &["mvn"]), ("mold", &["mold"]), ("netcat-openbsd", &["nc"]),
    ("net-tools", &["ifconfig", "netstat"]), ("ninja-build", &["ninja"]), ("nodejs", &["node"]), ("npm", &["npm", "npx"]),
    ("openssh-client", &["ssh", "scp", "ssh-keygen"]), ("openssl", &["openssl"]), ("pandoc", &["pandoc"]), ("patch", &["patch"]),
    ("php-cli", &["php"]), ("pkg-config", &["pkg-config"]), ("postgresql-client", &["psql", "pg_dump", "pg_restore", "createdb"]),
    ("procps", &["ps", "top", "pgrep", "pkill"]), ("protobuf-compiler", &["protoc"]), ("psmisc", &["fuser", "killall"]),
    ("python-is-python3", &["python"]), ("python3", &["python3"]), ("python3-pip", &["pip", "pip3"]),
    ("redis-tools", &["redis-cli"]), ("ripgrep", &["rg"]), ("rsync", &["rsync"]), ("ruby-full", &["ruby", "gem", "irb"]),
    ("shellcheck", &["shellcheck"]), ("sqlite3", &["sqlite3"]), ("sudo", &["sudo"]), ("texlive-latex-base", &["pdflatex"]),
    ("unzip", &["unzip"]), ("vim-common", &["xxd"]), ("wget", &["wget"]), ("xz-utils", &["xz"]), ("zip", &["zip"]), ("zstd", &["zstd"]),
];

/// Programs that a Node project installs for itself, with their package.
#[rustfmt::skip]
const NODE: &[(&str, &str)] = &[
    ("tsc", "typescript"), ("ts-node", "ts-node"), ("tsx", "tsx"), ("eslint", "eslint"), ("prettier", "prettier"),
    ("jest", "jest"), ("vitest", "vitest"), ("mocha", "mocha"), ("vite", "vite"), ("webpack", "webpack-cli"), ("next", "next"),
    ("nodemon", "nodemon"), ("rollup", "rollup"), ("esbuild", "esbuild"), ("playwright", "@playwright/test"),
    ("cypress", "cypress"), ("prisma", "prisma"), ("rimraf", "rimraf"), ("cross-env", "cross-env"), ("concurrently", "concurrently"),
    ("ng", "@angular/cli"), ("vue-cli-service", "@vue/cli-service"), ("react-scripts", "react-scripts"), ("turbo", "turbo"),
];

/// Programs that have a way of their own.
#[rustfmt::skip]
const OTHERS: &[(&str, &str)] = &[
    ("ansible", "pip install ansible"), ("aws", "pip install awscli"), ("black", "pip install black"),
    ("bundle", "gem install bundler"), ("bun", "npm install -g bun"), ("cargo", "curl --proto '=https' -sSf https://sh.rustup.rs | sh"),
    ("cargo-nextest", "cargo install cargo-nextest"), ("composer", "apt-get install -y composer"), ("flake8", "pip install flake8"),
    ("golangci-lint", "go install github.com/golangci/golangci-lint/cmd/golangci-lint@latest"), ("mypy", "pip install mypy"),
    ("pnpm", "npm install -g pnpm"), ("poetry", "pip install poetry"), ("pre-commit", "pip install pre-commit"),
    ("pytest", "pip install pytest"), ("ruff", "pip install ruff"), ("rustc", "curl --proto '=https' -sSf https://sh.rustup.rs | sh"),
    ("tox", "pip install tox"), ("uv", "pip install uv"), ("uvicorn", "pip install uvicorn"), ("wasm-pack", "cargo install wasm-pack"),
    ("yarn", "npm install -g yarn"),
];

fn package(name: &str, debian: &str) -> Option<Adjustment> {
    Some(install_with(name, debian, &format!("apt-get install -y {debian}")))
}

fn install_with(name: &str, package: &str, command: &str) -> Adjustment {
    let text = match name == package {
        true => format!("install `{name}`"),
        false => format!("install `{package}`, which has `{name}`"),
    };
    about(AdjustmentKind::InstallCommand, name, text, Some(command.to_owned()))
}

/// `bash: line 1: foo: command not found`: the program stands last.
fn last_part(seen: &Seen<'_>) -> Option<Adjustment> {
    install(seen.hole(0).rsplit(": ").next().unwrap_or_default(), seen.request)
}

/// `sh: 1: foo: not found`, `/bin/sh: foo: not found`, `./run.sh: 3: foo: not found`; other tools say `not found` too.
fn shell(seen: &Seen<'_>) -> Option<Adjustment> {
    let first = seen.line.split(':').next().unwrap_or_default().trim();
    let is_shell = ["sh", "bash", "dash", "ash"].iter().any(|shell| first.ends_with(shell)) || first.ends_with(".sh");
    if is_shell { install(seen.hole(0), seen.request) } else { None }
}

fn apt_unknown(name: &str) -> Option<Adjustment> {
    let text = format!("refresh the package lists, or correct the name `{name}`");
    Some(about(AdjustmentKind::InstallCommand, name, text, Some("apt-get update".to_owned())))
}

fn rustup(component: &str) -> Option<Adjustment> {
    is_plain_word(component).then(|| install_with(component, component, &format!("rustup component add {component}")))
}

/// cargo's own words for a sub-command that is not there.
fn cargo_command(name: &str) -> Option<Adjustment> {
    let (kind, how): (&str, String) = match name {
        "clippy" | "fmt" | "miri" => {
            ("component", format!("rustup component add {}", if name == "fmt" { "rustfmt" } else { name }))
        }
        "nextest" | "mutants" | "audit" | "deny" | "watch" | "edit" | "expand" | "fuzz" | "llvm-cov" | "make"
        | "insta" => ("tool", format!("cargo install cargo-{name}")),
        _ => return None,
    };
    let text = format!("install the {kind} `cargo {name}`");
    Some(about(AdjustmentKind::InstallCommand, name, text, Some(how)))
}
