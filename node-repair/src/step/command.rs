//! Steps for programs that are not installed or misspelt, with the package that contains them.
//!
//! In: the evidence of a [`Case`](super::Case). Out: a step with an install command for the platform that the output
//! comes from, or the program that was probably meant. `PACKAGES` maps programs to packages of Debian, Fedora, Alpine
//! and Homebrew; `OTHERS` are programs with an installer of their own. No command pipes a download into a shell.

use super::path::correct;
use super::platform::{Names, Platform, names};
use super::words::{about, is_package_name, is_plain_word, quote, step};
use super::{Case, Row, Seen, first, package, row, similar};
use recovery_types::{Adjustment, AdjustmentKind, ErrorType, RepairRequest};

/// A program is missing.
pub(super) fn missing(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case).or_else(|| {
        let is_known = case.request.error_type == Some(ErrorType::CommandNotFound);
        let stated = case.request.missing.as_ref().filter(|missing| is_known && missing.kind == "command");
        stated.and_then(|missing| install(&missing.name, case.request))
    })
}

/// The program is missing, and no template matches.
pub(super) fn some_missing(case: &Case<'_>) -> Option<Adjustment> {
    (case.request.error_type == Some(ErrorType::CommandNotFound)).then(|| {
        let line = case.headline().map(|line| format!(": {line}")).unwrap_or_default();
        step(AdjustmentKind::InstallCommand, format!("install the missing command, or put it on the PATH{line}"))
    })
}

/// The interpreter is there; its name ends in a carriage return.
fn line_ends() -> Option<Adjustment> {
    let text = "give the script Unix line endings (dos2unix): its first line ends in a carriage return";
    Some(step(AdjustmentKind::FixConfig, text))
}

const ROWS: &[Row] = &[
    row("^M: bad interpreter", |_| line_ends()),
    row("\\r': No such file or directory", |_| line_ends()),
    row("\\r’: No such file or directory", |_| line_ends()),
    row("no '{w}' command could be found in your PATH", |s| install(s.hole(0), s.request)),
    row("command not found: {w}", |s| install(s.hole(0), s.request)),
    row("{}: command not found", last_part),
    row("{w}: bad interpreter: No such file", interpreter),
    row("make: {w}: No such file or directory", |s| install(s.hole(0), s.request)),
    row("make: {w} Command not found", |s| install(s.hole(0), s.request)),
    row("{w}: Command not found", |s| install(s.hole(0), s.request)),
    row("{w}: not found", shell),
    row("{w}: inaccessible or not found", |s| install(s.hole(0), s.request)),
    row("'{w}' is not recognized as an internal or external command", |s| install(s.hole(0), s.request)),
    row("The term '{w}' is not recognized", |s| install(s.hole(0), s.request)),
    row("The program '{w}' is currently not installed", |s| install(s.hole(0), s.request)),
    row("Command '{w}' not found, but can be installed with", |s| install(s.hole(0), s.request)),
    row("Command '{w}' not found", |s| install(s.hole(0), s.request)),
    row("env: '{w}': No such file or directory", |s| install(s.hole(0), s.request)),
    row("env: {w}: No such file or directory", |s| install(s.hole(0), s.request)),
    row("fish: Unknown command: {w}", |s| install(s.hole(0), s.request)),
    row("spawn {w} ENOENT", |s| install(s.hole(0), s.request)),
    row("exec: \"{w}\": executable file not found in $PATH", |s| install(s.hole(0), s.request)),
    row("linker `{w}` not found", |s| install(s.hole(0), s.request)),
    row("failed to find tool \"{w}\"", |s| install(s.hole(0), s.request)),
    row("is `{w}` not installed?", |s| install(s.hole(0), s.request)),
    row("CMAKE_MAKE_PROGRAM is not set", |s| install("ninja", s.request)),
    row("No CMAKE_CXX_COMPILER could be found", |s| install("c++", s.request)),
    row("No CMAKE_C_COMPILER could be found", |s| install("cc", s.request)),
    row("no acceptable C compiler found in $PATH", |s| install("cc", s.request)),
    row("Could not find `protoc`", |s| install("protoc", s.request)),
    row("error: the '{w}' binary, normally provided by the '{w}' component, is not applicable", |s| rustup(s.hole(1))),
    row("error: '{w}' is not installed for the toolchain", |s| rustup(s.hole(0))),
    row("error: no such command: `{w}`", cargo_command),
    row("error: no such subcommand: `{w}`", cargo_command),
    row("The JAVA_HOME environment variable is not defined", |s| install("java", s.request)),
    row("Unable to locate a Java Runtime", |s| install("java", s.request)),
    row("{w} not found. Please select a different", |s| install(s.hole(0), s.request)),
    row("{w}: program not found or is not executable", |s| install(s.hole(0), s.request)),
    row("Executable `{w}` not found", |s| install(s.hole(0), s.request)),
    row("gyp ERR! stack Error: not found: {w}", |s| install(s.hole(0), s.request)),
    row("Can't find Python executable \"{w}\"", |s| install(s.hole(0), s.request)),
    row("pyenv: version `{w}' is not installed", |s| runtime("Python", s.hole(0), "pyenv install")),
    row("version \"{w}\" is not yet installed", |s| runtime("Node", s.hole(0), "nvm install")),
    row("rbenv: version `{w}' is not installed", |s| runtime("Ruby", s.hole(0), "rbenv install")),
    row("Executable doesn't exist at {w}", playwright),
    row("No binary for {w} browser on your platform", browser),
    row("Cannot find Chrome", |_| browser_named("Chrome")),
    row("Could not find Chrome (ver. {w}", |_| browser_named("Chrome")),
];

/// The program that the first line of a script names.
fn interpreter(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0);
    let text = format!("install {name}, or correct the first line of the script, which names it");
    Some(about(AdjustmentKind::InstallCommand, name, text, None))
}

/// A version manager that does not have the version.
fn runtime(language: &str, version: &str, manager: &str) -> Option<Adjustment> {
    let command = is_package_name(version).then(|| format!("{manager} {version}"));
    Some(about(AdjustmentKind::InstallCommand, version, format!("install {language} {version}"), command))
}

/// Playwright brings its own browsers, by a command of its own.
fn playwright(seen: &Seen<'_>) -> Option<Adjustment> {
    let named = seen.text.contains("playwright");
    let command =
        if seen.text.contains("npx playwright install") { "npx playwright install" } else { "playwright install" };
    let text = "install the browsers that Playwright drives";
    named.then(|| about(AdjustmentKind::InstallCommand, "playwright install", text, Some(command.to_owned())))
}

/// Karma: `No binary for Chrome browser on your platform.`, then `Please, set "CHROME_BIN" env variable.`
fn browser(seen: &Seen<'_>) -> Option<Adjustment> {
    browser_named(seen.hole(0))
}

fn browser_named(name: &str) -> Option<Adjustment> {
    let text =
        format!("install the browser {name}, or name its program in the variable for it (CHROME_BIN, FIREFOX_BIN)");
    is_package_name(name).then(|| about(AdjustmentKind::InstallCommand, name, text, None))
}

/// Every package that a step may suggest for a program, with the index that has it.
pub(super) fn suggested_names() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = Vec::new();
    all.extend(PACKAGES.iter().map(|(names, _)| ("Debian", names.apt.to_owned())));
    all.extend(NODE.iter().map(|(_, package)| ("npm", (*package).to_owned())));
    all.extend(OTHERS.iter().filter_map(|(_, how)| {
        let index = match how.split(' ').next()? {
            "pip" => "PyPI",
            "npm" => "npm",
            "cargo" => "crates.io",
            "gem" => "RubyGems",
            "apt-get" => "Debian",
            _ => return None,
        };
        Some((index, how.rsplit(' ').next()?.to_owned()))
    }));
    all.extend(CARGO_COMMANDS.iter().map(|name| ("crates.io", format!("cargo-{name}"))));
    all
}

/// Install the program `name`, or call the one that was meant.
pub(super) fn install(name: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = name.trim_start_matches(['\'', '"', '`', ':', ',']).trim_end_matches(['\'', '"', '`', ':', ',', '.']);
    if name.contains(['/', '\\']) {
        // A program of the project is a path.
        return correct(name, request);
    }
    if !is_plain_word(name) {
        return None;
    }
    if let Some((_, npm)) = NODE.iter().find(|(command, _)| *command == name) {
        return Some(install_with(name, npm, package::node_add_dev(npm, request)));
    }
    if let Some((_, how)) = OTHERS.iter().find(|(command, _)| *command == name) {
        return Some(install_with(name, name, (*how).to_owned()));
    }
    let known = PACKAGES.iter().find(|(_, commands)| commands.contains(&name));
    if let Some((names, _)) = known {
        let platform = Platform::of(request);
        if let Some(command) = platform.install(names) {
            return Some(install_with(name, platform.name(names), command));
        }
        let text = format!("install the command {name}");
        return Some(about(AdjustmentKind::InstallCommand, name, text, None));
    }
    if let Some(meant) = misspelt(name) {
        let text = format!("call {meant} instead of {name}, which is not installed");
        return Some(Adjustment { candidates: vec![meant], ..about(AdjustmentKind::CorrectCommand, name, text, None) });
    }
    let command = Platform::of(request).find(&format!("bin/{name}")).filter(|_| is_package_name(name));
    let find = if command.is_some() { "; find its package" } else { "" };
    let text = format!("install the command {name}, or put it on the PATH{find}");
    Some(about(AdjustmentKind::InstallCommand, name, text, command))
}

/// The common program that `name` is a slip of.
fn misspelt(name: &str) -> Option<String> {
    let common = PACKAGES.iter().flat_map(|(_, commands)| commands.iter());
    let common = common.chain(NODE.iter().map(|(command, _)| command));
    let common = common.chain(OTHERS.iter().map(|(command, _)| command));
    let common =
        common.chain(["conda", "kubectl", "terraform", "grep", "sed", "awk", "echo", "find", "touch", "mkdir"].iter());
    let common: Vec<String> = common.filter(|c| c.len() > 3).map(|c| (*c).to_owned()).collect();
    let close = similar::nearest(name, &common)?;
    // Who slips rarely slips on the first letter; and a name that is no slip is a program of its own (`bmake`).
    let same_start = name.chars().next() == close.chars().next();
    (name.len() > 3 && same_start && similar::distance(name, &close) == 1).then_some(close)
}

/// Packages and the programs in them, where the names differ or are worth being sure of. Debian, Fedora, Alpine, Homebrew.
#[rustfmt::skip]
const PACKAGES: &[(Names, &[&str])] = &[
    (names("build-essential", "gcc-c++", "build-base", ""), &["gcc", "g++", "cc", "c++", "cpp"]),
    (names("make", "make", "make", "make"), &["make"]),
    (names("autoconf", "autoconf", "autoconf", "autoconf"), &["autoreconf", "autoconf", "autoheader"]),
    (names("automake", "automake", "automake", "automake"), &["aclocal", "automake"]),
    (names("bind9-dnsutils", "bind-utils", "bind-tools", "bind"), &["dig", "nslookup"]),
    (names("binutils", "binutils", "binutils", "binutils"), &["ld", "ar", "strip", "objdump", "nm", "readelf"]),
    (names("bison", "bison", "bison", "bison"), &["yacc", "bison"]), (names("clang", "clang", "clang", "llvm"), &["clang", "clang++"]),
    (names("clang-format", "clang-tools-extra", "clang-extra-tools", "clang-format"), &["clang-format"]),
    (names("cmake", "cmake", "cmake", "cmake"), &["cmake", "ctest"]), (names("curl", "curl", "curl", "curl"), &["curl"]),
    (names("default-jdk", "java-latest-openjdk-devel", "openjdk21", "openjdk"), &["java", "javac", "jar"]),
    (names("default-mysql-client", "mariadb", "mariadb-client", "mysql-client"), &["mysql", "mysqldump"]),
    (names("docker.io", "moby-engine", "docker", "docker"), &["docker"]), (names("ffmpeg", "", "ffmpeg", "ffmpeg"), &["ffmpeg", "ffprobe"]),
    (names("file", "file", "file", ""), &["file"]), (names("flex", "flex", "flex", "flex"), &["flex", "lex"]),
    (names("gdb", "gdb", "gdb", "gdb"), &["gdb"]), (names("gettext", "gettext", "gettext", "gettext"), &["msgfmt", "xgettext", "envsubst"]),
    (names("gh", "gh", "github-cli", "gh"), &["gh"]), (names("git", "git", "git", "git"), &["git"]),
    (names("git-lfs", "git-lfs", "git-lfs", "git-lfs"), &["git-lfs"]), (names("gnupg", "gnupg2", "gnupg", "gnupg"), &["gpg"]),
    (names("golang-go", "golang", "go", "go"), &["go", "gofmt"]), (names("gradle", "", "gradle", "gradle"), &["gradle"]),
    (names("graphviz", "graphviz", "graphviz", "graphviz"), &["dot"]), (names("htop", "htop", "htop", "htop"), &["htop"]),
    (names("imagemagick", "ImageMagick", "imagemagick", "imagemagick"), &["convert", "magick", "identify"]),
    (names("iproute2", "iproute", "iproute2", "iproute2mac"), &["ip", "ss"]), (names("iputils-ping", "iputils", "iputils", ""), &["ping"]),
    (names("jq", "jq", "jq", "jq"), &["jq"]), (names("libtool-bin", "libtool", "libtool", "libtool"), &["libtool", "libtoolize"]),
    (names("lld", "lld", "lld", "lld"), &["ld.lld", "lld"]), (names("lsof", "lsof", "lsof", "lsof"), &["lsof"]),
    (names("maven", "maven", "maven", "maven"), &["mvn"]), (names("mold", "mold", "mold", "mold"), &["mold"]),
    (names("netcat-openbsd", "nmap-ncat", "netcat-openbsd", "netcat"), &["nc"]), (names("net-tools", "net-tools", "net-tools", ""), &["ifconfig", "netstat"]),
    (names("ninja-build", "ninja-build", "samurai", "ninja"), &["ninja"]), (names("nodejs", "nodejs", "nodejs", "node"), &["node"]),
    (names("npm", "nodejs-npm", "npm", "node"), &["npm", "npx"]), (names("openssh-client", "openssh-clients", "openssh-client", "openssh"), &["ssh", "scp", "ssh-keygen"]),
    (names("openssl", "openssl", "openssl", "openssl@3"), &["openssl"]), (names("pandoc", "pandoc", "pandoc-cli", "pandoc"), &["pandoc"]),
    (names("patch", "patch", "patch", "gpatch"), &["patch"]), (names("perl", "perl", "perl", "perl"), &["perl"]),
    (names("php-cli", "php-cli", "php84", "php"), &["php"]), (names("pkg-config", "pkgconf", "pkgconf", "pkgconf"), &["pkg-config"]),
    (names("postgresql-client", "postgresql", "postgresql-client", "libpq"), &["psql", "pg_dump", "pg_restore", "createdb"]),
    (names("procps", "procps-ng", "procps", ""), &["ps", "top", "pgrep", "pkill"]), (names("protobuf-compiler", "protobuf-compiler", "protoc", "protobuf"), &["protoc"]),
    (names("psmisc", "psmisc", "psmisc", ""), &["fuser", "killall"]), (names("python-is-python3", "python-unversioned-command", "python3", "python"), &["python"]),
    (names("python3", "python3", "python3", "python"), &["python3"]), (names("python3-pip", "python3-pip", "py3-pip", "python"), &["pip", "pip3"]),
    (names("redis-tools", "redis", "redis", "redis"), &["redis-cli"]), (names("ripgrep", "ripgrep", "ripgrep", "ripgrep"), &["rg"]),
    (names("rsync", "rsync", "rsync", "rsync"), &["rsync"]), (names("ruby-full", "ruby", "ruby", "ruby"), &["ruby", "gem", "irb"]),
    (names("shellcheck", "ShellCheck", "shellcheck", "shellcheck"), &["shellcheck"]), (names("sqlite3", "sqlite", "sqlite", "sqlite"), &["sqlite3"]),
    (names("strace", "strace", "strace", ""), &["strace"]), (names("sudo", "sudo", "sudo", ""), &["sudo"]),
    (names("texlive-latex-base", "texlive-latex", "texlive", ""), &["pdflatex"]), (names("tmux", "tmux", "tmux", "tmux"), &["tmux"]),
    (names("tree", "tree", "tree", "tree"), &["tree"]), (names("unzip", "unzip", "unzip", "unzip"), &["unzip"]),
    (names("valgrind", "valgrind", "valgrind", ""), &["valgrind"]), (names("vim", "vim-enhanced", "vim", "vim"), &["vim"]),
    (names("xxd", "vim-common", "xxd", "vim"), &["xxd"]), (names("wget", "wget", "wget", "wget"), &["wget"]),
    (names("xz-utils", "xz", "xz", "xz"), &["xz"]), (names("zip", "zip", "zip", "zip"), &["zip"]), (names("zstd", "zstd", "zstd", "zstd"), &["zstd"]),
];

/// Programs that a Node project installs for itself, with their package.
#[rustfmt::skip]
const NODE: &[(&str, &str)] = &[
    ("tsc", "typescript"), ("ts-node", "ts-node"), ("tsx", "tsx"), ("eslint", "eslint"), ("prettier", "prettier"),
    ("jest", "jest"), ("vitest", "vitest"), ("mocha", "mocha"), ("vite", "vite"), ("webpack", "webpack-cli"), ("next", "next"),
    ("nodemon", "nodemon"), ("rollup", "rollup"), ("esbuild", "esbuild"), ("playwright", "@playwright/test"),
    ("cypress", "cypress"), ("prisma", "prisma"), ("rimraf", "rimraf"), ("cross-env", "cross-env"), ("concurrently", "concurrently"),
    ("ng", "@angular/cli"), ("vue-cli-service", "@vue/cli-service"), ("react-scripts", "react-scripts"), ("turbo", "turbo"),
    ("husky", "husky"), ("tsup", "tsup"), ("babel", "@babel/cli"), ("stylelint", "stylelint"), ("astro", "astro"), ("nuxt", "nuxt"),
];

/// Programs that have a way of their own. No command here runs what it downloads.
#[rustfmt::skip]
const OTHERS: &[(&str, &str)] = &[
    ("ansible", "pip install ansible"), ("aws", "pip install awscli"), ("black", "pip install black"),
    ("bundle", "gem install bundler"), ("bun", "npm install -g bun"), ("cargo-nextest", "cargo install cargo-nextest"),
    ("composer", "apt-get install -y composer"), ("coverage", "pip install coverage"), ("flake8", "pip install flake8"),
    ("golangci-lint", "go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest"), ("gunicorn", "pip install gunicorn"),
    ("isort", "pip install isort"), ("jupyter", "pip install jupyter"), ("mypy", "pip install mypy"),
    ("pnpm", "npm install -g pnpm"), ("poetry", "pip install poetry"), ("pre-commit", "pip install pre-commit"), ("pylint", "pip install pylint"),
    ("pyright", "pip install pyright"), ("pytest", "pip install pytest"), ("rspec", "gem install rspec"), ("rubocop", "gem install rubocop"),
    ("ruff", "pip install ruff"), ("sphinx-build", "pip install sphinx"), ("tox", "pip install tox"), ("twine", "pip install twine"),
    ("uv", "pip install uv"), ("uvicorn", "pip install uvicorn"), ("virtualenv", "pip install virtualenv"), ("wasm-pack", "cargo install wasm-pack"),
    ("yamllint", "pip install yamllint"), ("yarn", "npm install -g yarn"),
];

fn install_with(name: &str, package: &str, command: String) -> Adjustment {
    let text = match name == package {
        true => format!("install the command {name}"),
        false => format!("install {package}, which has the command {name}"),
    };
    about(AdjustmentKind::InstallCommand, name, text, Some(command))
}

/// `bash: line 1: foo: command not found`: the program comes last.
fn last_part(seen: &Seen<'_>) -> Option<Adjustment> {
    install(seen.hole(0).rsplit(": ").next().unwrap_or_default(), seen.request)
}

/// `sh: 1: foo: not found`, `/bin/sh: foo: not found`, `./run.sh: 3: foo: not found`; other tools print `not found` too.
fn shell(seen: &Seen<'_>) -> Option<Adjustment> {
    let first = seen.line.split(':').next().unwrap_or_default().trim();
    let is_shell = ["sh", "bash", "dash", "ash"].iter().any(|shell| first.ends_with(shell)) || first.ends_with(".sh");
    if is_shell { install(seen.hole(0), seen.request) } else { None }
}

fn rustup(component: &str) -> Option<Adjustment> {
    is_package_name(component).then(|| install_with(component, component, format!("rustup component add {component}")))
}

/// Sub-commands of cargo that are crates of their own.
const CARGO_COMMANDS: &[&str] = &[
    "nextest", "mutants", "audit", "deny", "watch", "edit", "expand", "fuzz", "llvm-cov", "make", "insta", "outdated",
    "release", "chef", "tarpaulin", "hack", "udeps", "machete",
];

/// cargo's own words for a sub-command that is not there: one that can be installed, or a slip.
fn cargo_command(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0);
    let how = match name {
        "clippy" | "fmt" | "miri" => {
            format!("rustup component add {}", if name == "fmt" { "rustfmt" } else { name })
        }
        name if CARGO_COMMANDS.contains(&name) => format!("cargo install cargo-{name}"),
        _ => {
            let known = [
                "build", "check", "clean", "doc", "new", "init", "add", "remove", "run", "test", "bench", "update",
                "search", "publish", "install", "uninstall", "clippy", "fmt", "fix", "tree", "metadata", "fetch",
            ];
            let known: Vec<String> = known.iter().map(|k| (*k).to_owned()).collect();
            let meant = similar::suggested(name, seen).or_else(|| similar::nearest(name, &known));
            let text = match &meant {
                Some(meant) => format!("call cargo {meant} instead of cargo {name}"),
                None => format!("correct the command cargo {name}: {}", quote(seen.line)),
            };
            let candidates = meant.into_iter().collect();
            return Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectCommand, name, text, None) });
        }
    };
    Some(about(AdjustmentKind::InstallCommand, name, format!("install cargo {name}"), Some(how)))
}
