//! Steps for missing modules and packages of a language: which package to install, with which command.
//!
//! In: the evidence of a `Case` and the paths that exist. Out: an `Adjustment` with an install command for the
//! project's own package manager, chosen by its lock file or manifest. The tables are message templates as the tools
//! print them, one per language; `names.rs` maps modules to packages where the names differ.
//!
//! A command is given only for a package that is certain to be the right one: an unknown name may be a typo or be
//! registered by an attacker, so such a step names the module and leaves the choice of package open. To recognise a new
//! message, add a `Row`.

mod languages;
mod names;

use super::similar::suggested;
use super::words::{about, is_package_name, quote, step};
use super::{Case, Row, Seen, first, path, row};
use languages::{
    coordinates, dotnet, eslint_config, go, haskell, java, lua, node, perl, php_class, php_extension, python, r, ruby,
    rust, shadowed, swift, types,
};
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

/// Every package that a step may suggest, with the index that has it.
pub(super) fn suggested_names() -> Vec<(&'static str, String)> {
    let bare = |name: &str| name.split('<').next().unwrap_or(name).to_owned();
    let mut all: Vec<(&'static str, String)> = Vec::new();
    all.extend(names::PYTHON.iter().map(|(_, package)| ("PyPI", bare(package))));
    all.extend(names::PYTHON_SAME_NAME.iter().map(|package| ("PyPI", (*package).to_owned())));
    all.extend(names::PYTHON_SYSTEM.iter().map(|(_, package)| ("Debian", (*package).to_owned())));
    all.extend(names::NODE_KNOWN.iter().chain(names::NODE_WITH_EXTENSION).map(|name| ("npm", (*name).to_owned())));
    all.extend(names::RUST_KNOWN.iter().map(|package| ("crates.io", (*package).to_owned())));
    all.extend(names::RUBY.iter().map(|(_, gem)| ("RubyGems", (*gem).to_owned())));
    all.extend(names::RUBY_SAME_NAME.iter().map(|gem| ("RubyGems", (*gem).to_owned())));
    all.extend(names::LUA.iter().map(|(_, rock)| ("LuaRocks", (*rock).to_owned())));
    all.extend(names::PHP_EXTENSIONS.iter().map(|name| ("Debian", format!("php-{name}"))));
    all.extend(names::PHP.iter().map(|(_, package)| ("Packagist", (*package).to_owned())));
    all.extend(names::JAVA.iter().map(|(_, coordinates)| ("Maven", (*coordinates).to_owned())));
    all.extend(names::DOTNET.iter().map(|(_, package)| ("NuGet", (*package).to_owned())));
    all
}

/// A module or package is missing.
pub(super) fn missing(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case)
}

/// A package is missing that only the diagnosis names.
pub(super) fn some_missing(case: &Case<'_>) -> Option<Adjustment> {
    let kinds = ["module", "package", "crate", "gem"];
    let stated = case.request.missing.as_ref().filter(|missing| kinds.contains(&missing.kind.as_str()));
    // A name that no evidence line calls one was read from elsewhere.
    let words = ["module", "package", "crate", "gem", "import", "require", "distribution", "dependency"];
    let calls = |line: &str| words.iter().any(|word| line.to_ascii_lowercase().contains(word));
    let stated = stated.filter(|missing| case.lines().any(|line| line.contains(&missing.name) && calls(line)))?;
    any(&stated.name, case.request)
}

/// An import of a name that the module does not have: the code is wrong, or the module's version.
pub(super) fn broken_import(case: &Case<'_>) -> Option<Adjustment> {
    first(BROKEN_IMPORTS, case)
}

/// A name that is not there though its module is.
const BROKEN_IMPORTS: &[Row] = &[
    row("cannot import name '{}' from partially initialized module '{}'", |s| import(s.hole(0), s)),
    row("cannot import name '{}' from '{}'", |s| import(s.hole(0), s)),
    row("cannot import name {w}", |s| import(s.hole(0), s)),
    row("does not provide an export named '{}'", |s| import(s.hole(0), s)),
    row("has no exported member '{}'", |s| import(s.hole(0), s)),
    row("attempted relative import with no known parent package", |s| import("relative import", s)),
    row("attempted relative import beyond top-level package", |s| import("relative import", s)),
];

fn import(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let place = seen.request.problem.as_ref().and_then(|problem| {
        let file = problem.file.as_ref()?;
        Some(problem.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
    });
    let place = place.or_else(|| {
        seen.request.location.as_ref().map(|l| l.line.map_or_else(|| l.file.clone(), |n| format!("{}:{n}", l.file)))
    });
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    let text = format!("fix the import{place}: {}", quote(seen.line));
    Some(Adjustment { subject: Some(name.to_owned()), ..step(AdjustmentKind::FixCode, text) })
}

/// `jest` of `jest@30.5.2`; a scope's `@` stays.
fn unversioned(name: &str) -> &str {
    name.rsplit_once('@').map_or(name, |(name, _)| name)
}

/// What missing modules and packages look like.
const ROWS: &[Row] = &[
    // Python
    row("No module named '{}'; '{}' is not a package", |s| shadowed(s.hole(1))),
    row("No module named '{}'", |s| python(s.hole(0), s.request)),
    row("No module named \"{}\"", |s| python(s.hole(0), s.request)),
    row("No module named {w}", |s| python(s.hole(0), s.request)),
    row("No matching distribution found for {w}", |s| unknown("PyPI", s)),
    row("Could not find a version that satisfies the requirement {w}", |s| unknown("PyPI", s)),
    row("Because {w} was not found in the package registry", |s| unknown("the registry", s)),
    // JavaScript and TypeScript
    row("Could not find a declaration file for module '{}'", |s| types(s.hole(0), s.request)),
    row("Cannot find module '{}' or its corresponding type declarations", |s| node(s.hole(0), s.request)),
    row("Cannot find type definition file for '{}'", |s| types(s.hole(0), s.request)),
    row("Cannot find package '{}' imported from", |s| node(s.hole(0), s.request)),
    row("Cannot find module '{}' from '{}'", |s| node(s.hole(0), s.request)),
    row("Cannot find module '{}'", |s| node(s.hole(0), s.request)),
    row("Module not found: Error: Can't resolve '{}' in '{}'", |s| node(s.hole(0), s.request)),
    row("Module not found: Can't resolve '{}'", |s| node(s.hole(0), s.request)),
    row("Failed to resolve import \"{}\" from \"{}\"", |s| node(s.hole(0), s.request)),
    row("Rollup failed to resolve import \"{}\" from", |s| node(s.hole(0), s.request)),
    row("Could not resolve \"{}\"", |s| node(s.hole(0), s.request)),
    row("npx canceled due to missing packages and no YES option: [\"{}\"", |s| node(unversioned(s.hole(0)), s.request)),
    row("404  '{}' is not in this registry", |s| unknown("npm", s)),
    row("404 '{}' is not in the npm registry", |s| unknown("npm", s)),
    row("The requested resource '{}' could not be found", |s| unknown("npm", s)),
    row("Couldn't find package \"{}\"", |s| unknown("npm", s)),
    row("error Error: {w}: Not Found", |s| unlisted(s.hole(0))),
    row("An unexpected error occurred: \"{w}: Not found\"", |s| unlisted(s.hole(0))),
    row("ESLint couldn't find the plugin \"{}\"", |s| node(s.hole(0), s.request)),
    row("ESLint couldn't find the config \"{}\"", |s| eslint_config(s.hole(0), s.request)),
    row("Cannot find module: '{}'", |s| node(s.hole(0), s.request)),
    row("Preset {w} not found", |s| node(s.hole(0), s.request)),
    // Rust
    row("use of unresolved module or unlinked crate `{w}`", |s| rust(s.hole(0), s.request)),
    row("can't find crate for `{w}`", |s| rust(s.hole(0), s.request)),
    row("unresolved import `{w}`", |s| rust(s.hole(0), s.request)),
    row("no matching package named `{w}` found", |s| unknown("crates.io", s)),
    row("the crate `{w}` could not be found in registry index", |s| unknown("crates.io", s)),
    row("no matching package found", |s| unknown_line("crates.io", s)),
    row("you might be missing crate `{w}`", |s| rust(s.hole(0), s.request)),
    // Go
    row("no required module provides package {w}", |s| go(s.hole(0))),
    row("missing go.sum entry for module providing package {w}", go_sum),
    row("missing go.sum entry", go_sum),
    row("updates to go.mod needed", go_sum),
    row("inconsistent vendoring", |_| whole("the vendor directory", "go mod vendor")),
    row("cannot find package \"{}\"", |s| go(s.hole(0))),
    row("cannot find module providing package {w}", |s| go(s.hole(0))),
    row("package {w} is not in std", |s| go(s.hole(0))),
    row("package {w} is not in GOROOT", |s| go(s.hole(0))),
    // Ruby
    row("cannot load such file -- {w}", |s| ruby(s.hole(0), s.request)),
    row("Could not find gem '{}'", |s| ruby(s.hole(0), s.request)),
    row("Could not find a valid gem '{}'", |s| unknown("RubyGems", s)),
    row("in locally installed gems", |_| whole("the bundle", "bundle install")),
    row("bundler: command not found: {w}", |s| ruby(s.hole(0), s.request)),
    // Elixir
    row("No package with name {w} (from", |s| unknown("Hex", s)),
    row("Could not find Hex, which is needed to build dependency", |_| builder("Hex", "mix local.hex --force")),
    row("Could not find \"rebar3\", which is needed to build dependency", |_| {
        builder("rebar3", "mix local.rebar --force")
    }),
    // PHP
    row("requires ext-{w} * -> it is missing from your system", |s| php_extension(s.hole(0))),
    row("Root composer.json requires PHP extension ext-{w}", |s| php_extension(s.hole(0))),
    row("Class \"{}\" not found", |s| php_class(s.hole(0))),
    row("Class '{}' not found", |s| php_class(s.hole(0))),
    row("the requested PHP extension {w} is missing from your system", |s| php_extension(s.hole(0))),
    row("Failed opening required 'vendor/autoload.php'", |_| whole("vendor", "composer install")),
    row("vendor/autoload.php): Failed to open stream", |_| whole("vendor", "composer install")),
    row("vendor/autoload.php): failed to open stream", |_| whole("vendor", "composer install")),
    // Java
    row("java.lang.ClassNotFoundException: {w}", |s| java(s.hole(0), s.request)),
    row("java.lang.NoClassDefFoundError: {w}", |s| java(&s.hole(0).replace('/', "."), s.request)),
    row("error: package {w} does not exist", |s| java(s.hole(0), s.request)),
    row("ERROR] {w} package {w} does not exist", |s| java(s.hole(1), s.request)),
    row("Could not find artifact {w} in", |s| unknown("the repository", s)),
    row("Could not find {w}", coordinates),
    row("Error downloading {w}", coordinates),
    row("unresolved dependency: {w} not found", |s| unknown("the repository", s)),
    // .NET
    row("error NU1101: Unable to find package {w}", |s| unknown("NuGet", s)),
    row("The type or namespace name '{w}' could not be found", |s| dotnet(s.hole(0))),
    row("The type or namespace name `{w}' could not be found", |s| dotnet(s.hole(0))),
    row("The type or namespace name '{w}' does not exist in the namespace '{w}'", |s| dotnet(s.hole(1))),
    row("Assets file '{}' not found. Run a NuGet package restore", |_| whole("the packages", "dotnet restore")),
    // Systems and others
    row("The following packages are not available from current channels", conda),
    row("Unable to find a match: {w}", |s| unknown("the enabled repositories", s)),
    row("{w} (no such package)", |s| unknown("the enabled repositories", s)),
    row("Could not satisfy dependency {w}", |s| unknown("LuaRocks", s)),
    row("No results matching query were found for {w}", |s| unknown("LuaRocks", s)),
    row("Cannot open load file: {w}", |s| unsure("Emacs Lisp", s.hole(0).trim_matches(['"', ',', '\'']))),
    row("there is no package called '{}'", |s| r(s.hole(0))),
    row("Package required but not available: '{}'", |s| r(s.hole(0))),
    row("Packages required but not available: '{}'", |s| r(s.hole(0))),
    row("dependencies '{}' are not available for package", |s| {
        r(s.hole(0).split(',').next().unwrap_or_default().trim_matches('\''))
    }),
    row("dependency '{}' is not available for package", |s| r(s.hole(0))),
    row("Can't locate {w} in @INC", |s| perl(s.hole(0))),
    row("Unchecked dependencies for environment", |_| whole("the dependencies", "mix deps.get")),
    row("Couldn't resolve the package '{}'", |s| install("Dart", s.hole(0), s.hole(0), "dart pub add")),
    row("module '{w}' not found:", |s| lua(s.hole(0))),
    row("you may need to install the {w} module", |s| perl(s.hole(0).trim_end_matches(')'))),
    row("It is a member of the hidden package '{w}'", |s| haskell(s.hole(0))),
    row("Could not load module '{}'", |s| haskell(s.hole(0))),
    row("error: no such module '{}'", |s| swift(s.hole(0))),
    row("found in Chart.yaml, but missing in charts/ directory: {}", |_| whole("the charts", "helm dependency build")),
    row("Error: Module not installed", |_| whole("the modules", "terraform init")),
    row("Error: Inconsistent dependency lock file", |_| whole("the providers", "terraform init")),
    row("Error: Missing required provider", |_| whole("the providers", "terraform init")),
    row("Error: Required plugins are not installed", |_| whole("the providers", "terraform init")),
    row("Backend initialization required, please run \"terraform init\"", |_| whole("the backend", "terraform init")),
];

/// The package manager of a Node project: by its lock file, else by what the command and the output name.
pub(super) fn node_manager(request: &RepairRequest) -> &'static str {
    const BY_LOCK_FILE: [(&str, &str); 5] = [
        ("pnpm-lock.yaml", "pnpm"),
        ("yarn.lock", "yarn"),
        ("bun.lock", "bun"),
        ("bun.lockb", "bun"),
        ("package-lock.json", "npm"),
    ];
    const BY_TEXT: [(&str, &str); 5] =
        [("ERR_PNPM", "pnpm"), ("pnpm ", "pnpm"), ("yarn run ", "yarn"), ("YN0", "yarn"), ("bun run ", "bun")];
    let text = || {
        let action = request.action.as_deref().unwrap_or_default();
        BY_TEXT.iter().find(|(sign, _)| action.contains(sign) || request.error.text.contains(sign)).map(|(_, m)| *m)
    };
    by_file(&BY_LOCK_FILE, request).or_else(text).unwrap_or("npm")
}

/// The command that adds a Node package to the project.
pub(super) fn node_add(request: &RepairRequest) -> String {
    let manager = node_manager(request);
    format!("{manager} {}", if manager == "npm" { "install" } else { "add" })
}

/// The command that adds a Node package for development.
pub(super) fn node_add_dev(package: &str, request: &RepairRequest) -> String {
    format!("{} -D {package}", node_add(request))
}

/// A package named by a diagnosis, whose language only the project's files show.
fn any(name: &str, request: &RepairRequest) -> Option<Adjustment> {
    if name.starts_with(['.', '/']) {
        return path::correct(name, request);
    }
    const BY_FILE: [(&str, Language); 9] = [
        ("Cargo.toml", rust),
        ("package.json", node),
        ("pyproject.toml", python),
        ("requirements.txt", python),
        ("setup.py", python),
        ("go.mod", |name, _| go(name)),
        ("Gemfile", ruby),
        ("pom.xml", java),
        ("build.gradle", java),
    ];
    if let Some(language) = by_file(&BY_FILE, request) {
        return language(name, request);
    }
    let text = format!("install the package that has {name}");
    is_package_name(name).then(|| about(AdjustmentKind::InstallPackage, name, text, None))
}

type Language = fn(&str, &RepairRequest) -> Option<Adjustment>;

/// The first row whose file is among the paths that exist.
fn by_file<T: Copy>(rows: &[(&str, T)], request: &RepairRequest) -> Option<T> {
    rows.iter().find(|(file, _)| has(request, &[file])).map(|(_, value)| *value)
}

/// Whether one of `files` is among the paths that exist.
fn has(request: &RepairRequest, files: &[&str]) -> bool {
    request.candidates.iter().any(|path| path.rsplit(['/', '\\']).next().is_some_and(|name| files.contains(&name)))
}

/// Install `package`, which brings `module`, by `command`.
fn install(language: &str, module: &str, package: &str, command: &str) -> Option<Adjustment> {
    if !is_package_name(package) {
        return None;
    }
    let brings = if module == package { String::new() } else { format!(", which has {module}") };
    let text = format!("install the {language} package {package}{brings}");
    Some(about(AdjustmentKind::InstallPackage, package, text, Some(format!("{command} {package}"))))
}

/// A module whose package is not known for sure: no command, so that nobody installs a stranger's package of that name.
fn unsure(language: &str, module: &str) -> Option<Adjustment> {
    is_package_name(module).then(|| {
        let text =
            format!("install the {language} package that has {module}, or make the project's own {module} importable");
        about(AdjustmentKind::InstallPackage, module, text, None)
    })
}

/// Everything that the project lists.
fn whole(what: &str, command: &str) -> Option<Adjustment> {
    let text = format!("install what the project lists, it is not complete in {what}");
    Some(about(AdjustmentKind::InstallPackage, what, text, Some(command.to_owned())))
}

/// A tool that builds dependencies, with the command by which the build tool itself installs it.
fn builder(name: &str, command: &str) -> Option<Adjustment> {
    let text = format!("install {name}, which builds the dependencies");
    Some(about(AdjustmentKind::InstallPackage, name, text, Some(command.to_owned())))
}

fn go_sum(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("complete go.sum ({})", quote(seen.line));
    Some(about(AdjustmentKind::InstallPackage, "go.sum", text, Some("go mod tidy".to_owned())))
}

/// A name that the index does not have.
fn unknown(index: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0).trim_end_matches(['.', ',', ')']).trim_end_matches("@*");
    // Without the network, cargo knows only what was fetched before.
    if seen.text.contains("using offline mode (--offline)") {
        let text = format!("run it without --offline, {name} was not fetched yet");
        return Some(about(AdjustmentKind::CorrectCommand, "--offline", text, Some("cargo fetch".to_owned())));
    }
    let text = match suggested(name, seen) {
        Some(meant) => format!("use the package {meant} instead of {name}, which {index} does not have"),
        None => format!("correct the name or version of {name}: {index} does not have it"),
    };
    Some(about(AdjustmentKind::CorrectCommand, name, text, None))
}

/// yarn names only the address that it asked: `error Error: https://registry.example.org/acme-absent: Not Found`.
fn unlisted(url: &str) -> Option<Adjustment> {
    let name = url.split_once("://")?.1.split_once('/')?.1.replace("%2f", "/").replace("%2F", "/");
    let text = format!("correct the package name {name}: the registry does not have it");
    is_package_name(&name).then(|| about(AdjustmentKind::CorrectCommand, &name, text, None))
}

/// conda lists the names below: `  - foo=1.2`.
fn conda(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.below().next()?.strip_prefix("- ")?;
    let has_version = name.contains(['=', '<', '>']);
    let kind = if has_version { AdjustmentKind::MatchVersion } else { AdjustmentKind::CorrectCommand };
    let text = format!("correct the name or version of {name}: the conda channels do not have it");
    Some(about(kind, name, text, None))
}

fn unknown_line(index: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("correct the name, {index} does not have it: {}", quote(seen.line));
    Some(step(AdjustmentKind::CorrectCommand, text))
}
