//! Which package has a module, language by language, and the command that adds it.
//!
//! In: the name as the message has it, and the paths that exist. Out: a step that installs a package everybody knows
//! (`names.rs`), corrects a path or a misspelt name, or names the module and leaves the package open: a name that is not known
//! may be a stranger's. To teach a language's names, add to `names.rs`; to support another language, add a function here
//! and its messages to the table in `mod.rs`.

use super::{by_file, has, install, names, node_add, unknown, unsure};
use crate::step::words::{about, is_package_name, is_plain_word, shell_quoted};
use crate::step::{Seen, path, similar};
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

pub(super) fn python(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let module = module.trim_matches(['\'', '"', '.', ',', ';']);
    if module.contains(['/', '\\']) {
        return path::correct(module, request);
    }
    let top = module.split('.').next().unwrap_or(module);
    if let Some(own) = own_python(module, request) {
        return Some(own);
    }
    if let Some((_, package)) = names::PYTHON_SYSTEM.iter().find(|(name, _)| *name == top) {
        return install("system", module, package, "apt-get install -y");
    }
    let listed = names::PYTHON.iter().filter(|(name, _)| *name == top || is_within(module, name));
    let listed = listed.max_by_key(|(name, _)| name.len()).map(|(_, package)| *package);
    let package = listed.or_else(|| names::PYTHON_SAME_NAME.iter().copied().find(|name| *name == top));
    const BY_FILE: [(&str, &str); 4] = [
        ("uv.lock", "uv add"),
        ("poetry.lock", "poetry add"),
        ("Pipfile", "pipenv install"),
        ("environment.yml", "conda install"),
    ];
    let command = by_file(&BY_FILE, request).unwrap_or("pip install");
    match package {
        // Later versions of the package no longer have the module.
        Some(package) if package.contains('<') => {
            let text = format!("install the Python package {package}, which has {module}");
            let command = format!("{command} {}", shell_quoted(package));
            Some(about(AdjustmentKind::InstallPackage, package, text, Some(command)))
        }
        Some(package) => install("Python", module, package, command),
        None => match slip_of(top, names::PYTHON_SAME_NAME) {
            Some(meant) => Some(misspelt(top, &meant)),
            None => unsure("Python", top),
        },
    }
}

/// Whether `module` is `parent` or below it.
fn is_within(module: &str, parent: &str) -> bool {
    module.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// A module of the project itself, which is not on the path.
fn own_python(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let file = module.replace('.', "/");
    let ends = [format!("/{file}.py"), format!("/{file}/__init__.py")];
    let found = request.candidates.iter().find_map(|path| {
        let rooted = format!("/{}", path.trim_start_matches("./"));
        ends.iter()
            .find_map(|end| rooted.strip_suffix(end.as_str()).map(|dir| (path, dir.trim_start_matches('/').to_owned())))
    });
    let (own, directory) = found?;
    let directory = if directory.is_empty() { ".".to_owned() } else { directory };
    let text = format!("put {directory} on the module path, {own} is there");
    let command = is_plain_word(&directory).then(|| format!("export PYTHONPATH={directory}"));
    Some(Adjustment { candidates: vec![own.clone()], ..about(AdjustmentKind::CorrectPath, module, text, command) })
}

pub(super) fn shadowed(module: &str) -> Option<Adjustment> {
    let text = format!("rename your own {module}.py, it hides the package {module}");
    Some(about(AdjustmentKind::CorrectPath, module, text, None))
}

pub(super) fn node(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let own = module.starts_with(['.', '/', '~', '#']) || module.starts_with("@/") || module.contains('\\');
    if own {
        return path::correct(module, request);
    }
    if let Some(builtin) = module.strip_prefix("node:") {
        let text = format!("use a Node version that has node:{builtin}, or run it under Node");
        return Some(about(AdjustmentKind::MatchVersion, module, text, None));
    }
    // `@scope/name/file` and `name/file` are files of a package.
    let parts: Vec<&str> = module.split('/').collect();
    let package = if module.starts_with('@') { parts.get(..2)?.join("/") } else { parts.first()?.to_string() };
    let is_file = [".js", ".mjs", ".cjs", ".ts", ".json"].iter().any(|end| package.ends_with(end));
    if is_file && !names::NODE_WITH_EXTENSION.contains(&package.as_str()) {
        return path::correct(module, request);
    }
    if names::NODE_KNOWN.contains(&package.as_str()) {
        return install("Node", module, &package, &node_add(request));
    }
    if let Some(meant) = slip_of(&package, names::NODE_KNOWN) {
        return Some(misspelt(&package, &meant));
    }
    unverified("Node", &package, "npm view")
}

/// The well-known name that `name` is one letter away from.
fn slip_of(name: &str, known: &[&str]) -> Option<String> {
    let known: Vec<String> = known.iter().map(|known| (*known).to_owned()).collect();
    let meant = similar::nearest(name, &known)?;
    (name.len() > 4 && similar::distance(name, &meant) == 1).then_some(meant)
}

fn misspelt(name: &str, meant: &str) -> Adjustment {
    let text = format!("check the spelling of the import {name}, {meant} is the well-known package");
    let candidates = vec![meant.to_owned()];
    Adjustment { candidates, ..about(AdjustmentKind::FixCode, name, text, None) }
}

/// A package that is named, but not one that everybody knows: look at it before it is installed, a stranger may have
/// registered the name.
fn unverified(language: &str, package: &str, look: &str) -> Option<Adjustment> {
    is_package_name(package).then(|| {
        let text = format!("install the {language} package {package}, once you know that it is the one you mean");
        about(AdjustmentKind::InstallPackage, package, text, Some(format!("{look} {package}")))
    })
}

/// A name from an ESLint configuration: `airbnb` is `eslint-config-airbnb`.
pub(super) fn eslint_config(name: &str, request: &RepairRequest) -> Option<Adjustment> {
    let package = if name.contains('/') || name.starts_with("eslint-config") {
        name.to_owned()
    } else {
        format!("eslint-config-{name}")
    };
    install("Node", name, &package, &format!("{} -D", node_add(request)))
}

pub(super) fn types(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = module.strip_prefix('@').map_or_else(|| module.to_owned(), |scoped| scoped.replacen('/', "__", 1));
    let package = format!("@types/{name}");
    install("Node", &package, &package, &format!("{} -D", node_add(request)))
}

pub(super) fn rust(import: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = import.split("::").next().unwrap_or(import);
    if matches!(name, "crate" | "self" | "super") {
        return None;
    }
    if matches!(name, "core" | "std" | "alloc") {
        let text = "install the standard library of the target (rustup target add, with the target's name)";
        return Some(about(AdjustmentKind::InstallPackage, name, text, None));
    }
    let file = [format!("{name}.rs"), format!("{name}/mod.rs")];
    if let Some(own) = request.candidates.iter().find(|path| file.iter().any(|f| path.ends_with(&format!("/{f}")))) {
        let text = format!("declare `mod {name};` where it is used, {own} is there");
        return Some(about(AdjustmentKind::FixCode, name, text, None));
    }
    if names::RUST_KNOWN.contains(&name) {
        return install("Rust", name, name, "cargo add");
    }
    if let Some(meant) = slip_of(name, names::RUST_KNOWN) {
        return Some(misspelt(name, &meant));
    }
    unverified("Rust", name, "cargo info")
}

pub(super) fn go(package: &str) -> Option<Adjustment> {
    let package = package.trim_end_matches([';', ':', ',']);
    // A path without a dot in its first part is not on the network: it is a package of the project or a slip.
    let remote = package.split('/').next().is_some_and(|host| host.contains('.'));
    if remote {
        return install("Go", package, package, "go get");
    }
    if let Some((_, version)) = names::GO_STANDARD_SINCE.iter().find(|(known, _)| *known == package) {
        let text = format!("use Go {version} or newer: {package} is in the standard library since then");
        let wanted = Some(format!("Go {version}"));
        return Some(Adjustment { wanted, ..about(AdjustmentKind::MatchVersion, "Go", text, None) });
    }
    let text = format!("correct the import path {package}: neither the standard library nor the module has it");
    Some(about(AdjustmentKind::FixCode, package, text, None))
}

pub(super) fn ruby(file: &str, request: &RepairRequest) -> Option<Adjustment> {
    let file = file.trim_end_matches([',', ')', '\'']);
    if file.starts_with(['.', '/']) {
        return path::correct(file, request);
    }
    let name = file.split('/').next().unwrap_or(file);
    let listed = names::RUBY.iter().find(|(known, _)| *known == file || *known == name).map(|(_, gem)| *gem);
    // Other people's gems put their files below these names: the gem cannot be determined.
    if listed.is_none() && file != name && names::RUBY_WITH_PLUGINS.contains(&name) {
        return unsure("Ruby", file);
    }
    let gem = listed.or_else(|| names::RUBY_SAME_NAME.iter().copied().find(|gem| *gem == name));
    let command = if has(request, &["Gemfile"]) { "bundle add" } else { "gem install" };
    match gem {
        Some(gem) => install("Ruby", file, gem, command),
        None => unsure("Ruby", name),
    }
}

pub(super) fn lua(module: &str) -> Option<Adjustment> {
    let top = module.split('.').next().unwrap_or(module);
    let rock = names::LUA.iter().find(|(name, _)| *name == module || *name == top).map(|(_, rock)| *rock);
    match rock {
        Some(rock) => install("Lua", module, rock, "luarocks install"),
        None => unsure("Lua", module),
    }
}

pub(super) fn php_extension(name: &str) -> Option<Adjustment> {
    let name = name.trim_end_matches(['.', ',', ':', '*']);
    let text = format!("install or enable the PHP extension {name}");
    let known = names::PHP_EXTENSIONS.contains(&name);
    let command = known.then(|| format!("apt-get install -y php-{name}"));
    is_package_name(name).then(|| about(AdjustmentKind::InstallPackage, name, text, command))
}

pub(super) fn php_class(class: &str) -> Option<Adjustment> {
    let root = class.trim_start_matches('\\').split('\\').next().unwrap_or(class);
    match names::PHP.iter().find(|(namespace, _)| *namespace == root) {
        Some((_, package)) => install("PHP", class, package, "composer require"),
        None => None,
    }
}

pub(super) fn java(class: &str, request: &RepairRequest) -> Option<Adjustment> {
    let class = class.trim_end_matches([';', ',', ':']);
    let longest =
        names::JAVA.iter().filter(|(prefix, _)| class.starts_with(prefix)).max_by_key(|(prefix, _)| prefix.len());
    let file = if has(request, &["build.gradle", "build.gradle.kts"]) { "build.gradle" } else { "pom.xml" };
    let Some((_, coordinates)) = longest else {
        let text = format!("make {class} available: correct the import, or add what has it to the build");
        return Some(about(AdjustmentKind::FixCode, class, text, None));
    };
    let text = format!("add {coordinates} to {file}, it has {class}");
    Some(about(AdjustmentKind::InstallPackage, coordinates, text, None))
}

/// Gradle: `Could not find com.example:lib:1.0.`
pub(super) fn coordinates(seen: &Seen<'_>) -> Option<Adjustment> {
    if seen.hole(0).matches(':').count() == 2 { unknown("the repository", seen) } else { None }
}

pub(super) fn dotnet(name: &str) -> Option<Adjustment> {
    // A type that is in no known package is most likely the project's own.
    let (_, package) = names::DOTNET.iter().find(|(namespace, _)| *namespace == name)?;
    install(".NET", name, package, "dotnet add package")
}

pub(super) fn r(name: &str) -> Option<Adjustment> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.') && !name.is_empty();
    let text = format!("install the R package {name}");
    let command = format!("Rscript -e 'install.packages(\"{name}\")'");
    plain.then(|| about(AdjustmentKind::InstallPackage, name, text, Some(command)))
}

pub(super) fn perl(file: &str) -> Option<Adjustment> {
    let module = file.trim_end_matches(".pm").replace('/', "::");
    install("Perl", &module, &module, "cpanm")
}

pub(super) fn haskell(name: &str) -> Option<Adjustment> {
    let package = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let text = format!("add {package} to build-depends");
    Some(about(AdjustmentKind::InstallPackage, package, text, None))
}

pub(super) fn swift(name: &str) -> Option<Adjustment> {
    let text = format!("add the package that has {name} to Package.swift");
    Some(about(AdjustmentKind::InstallPackage, name, text, None))
}
