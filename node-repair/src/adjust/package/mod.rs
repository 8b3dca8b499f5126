//! Modules and packages of a language that are not installed, with the command that installs them there.

mod names;

use super::{Row, about, is_plain_word, path, row};
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

/// What missing modules and packages look like.
pub(super) const ROWS: &[Row] = &[
    // Python
    row("No module named '{}'; '{}' is not a package", |s| shadowed(s.hole(1))),
    row("No module named '{}'", |s| python(s.hole(0), s.request)),
    row("No module named \"{}\"", |s| python(s.hole(0), s.request)),
    row("No module named {w}", |s| python(s.hole(0), s.request)),
    row("ERROR: No matching distribution found for {w}", |s| unknown("PyPI", s.hole(0))),
    row("could not find a version that satisfies the requirement {w}", |s| unknown("PyPI", s.hole(0))),
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
    row("npm error 404  '{}' is not in this registry", |s| unknown("npm", s.hole(0))),
    row("npm ERR! 404  '{}' is not in this registry", |s| unknown("npm", s.hole(0))),
    // Rust
    row("use of unresolved module or unlinked crate `{w}`", |s| rust(s.hole(0), s.request)),
    row("can't find crate for `{w}`", |s| rust(s.hole(0), s.request)),
    row("unresolved import `{w}`", |s| rust(s.hole(0), s.request)),
    row("no matching package named `{w}` found", |s| unknown("crates.io", s.hole(0))),
    // Go
    row("no required module provides package {w}", |s| go(s.hole(0))),
    row("missing go.sum entry for module providing package {w}", |_| whole("go.sum", "go mod tidy")),
    row("missing go.sum entry", |_| whole("go.sum", "go mod tidy")),
    row("cannot find package \"{}\"", |s| go(s.hole(0))),
    row("cannot find module providing package {w}", |s| go(s.hole(0))),
    // Ruby
    row("cannot load such file -- {w}", |s| ruby(s.hole(0), s.request)),
    row("Could not find gem '{}'", |s| ruby(s.hole(0), s.request)),
    row("in locally installed gems", |_| whole("the bundle", "bundle install")),
    row("bundler: command not found: {w}", |s| ruby(s.hole(0), s.request)),
    // PHP
    row("requires ext-{w} * -> it is missing from your system", |s| php_extension(s.hole(0))),
    row("Root composer.json requires PHP extension ext-{w}", |s| php_extension(s.hole(0))),
    row("Class \"{}\" not found", |s| php_class(s.hole(0))),
    row("Failed opening required 'vendor/autoload.php'", |_| whole("vendor", "composer install")),
    row("vendor/autoload.php): Failed to open stream", |_| whole("vendor", "composer install")),
    row("vendor/autoload.php): failed to open stream", |_| whole("vendor", "composer install")),
    // Java
    row("java.lang.ClassNotFoundException: {w}", |s| java(s.hole(0), s.request)),
    row("java.lang.NoClassDefFoundError: {w}", |s| java(&s.hole(0).replace('/', "."), s.request)),
    row("error: package {w} does not exist", |s| java(s.hole(0), s.request)),
    row("ERROR] {w} package {w} does not exist", |s| java(s.hole(1), s.request)),
    row("Could not find artifact {w} in", |s| unknown("the repository", s.hole(0))),
    row("Could not find {w}", |s| coordinates(s.hole(0))),
    // .NET
    row("error NU1101: Unable to find package {w}", |s| unknown("NuGet", s.hole(0).trim_end_matches('.'))),
    row("error CS0246: The type or namespace name '{w}' could not be found", |s| dotnet(s.hole(0))),
    row("error CS0234: The type or namespace name '{w}' does not exist in the namespace '{w}'", |s| dotnet(s.hole(1))),
    row("Assets file '{}' not found. Run a NuGet package restore", |_| whole("the packages", "dotnet restore")),
    // Others
    row("there is no package called '{}'", |s| r(s.hole(0))),
    row("Can't locate {w} in @INC", |s| perl(s.hole(0))),
    row("Unchecked dependencies for environment", |_| whole("the dependencies", "mix deps.get")),
    row("Couldn't resolve the package '{}'", |s| plain(s.hole(0), "dart pub add")),
    row("module '{w}' not found:", |s| plain(s.hole(0), "luarocks install")),
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

/// The package manager command that adds a Node package, by the lock file that is there.
pub(super) fn node_add(request: &RepairRequest) -> &'static str {
    const BY_LOCK_FILE: [(&str, &str); 4] =
        [("pnpm-lock.yaml", "pnpm add"), ("yarn.lock", "yarn add"), ("bun.lock", "bun add"), ("bun.lockb", "bun add")];
    by_file(&BY_LOCK_FILE, request).unwrap_or("npm install")
}

/// A package named by a diagnosis, whose language only the project's files can tell.
pub(super) fn any(name: &str, request: &RepairRequest) -> Option<Adjustment> {
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
    let text = format!("install `{name}` with the project's package manager");
    is_plain_word(name).then(|| about(AdjustmentKind::InstallPackage, name, text, None))
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

fn install(name: &str, command: String) -> Option<Adjustment> {
    let plain = is_plain_word(name);
    plain.then(|| about(AdjustmentKind::InstallPackage, name, format!("install `{name}`"), Some(command)))
}

fn plain(name: &str, command: &str) -> Option<Adjustment> {
    install(name, format!("{command} {name}"))
}

/// Everything that the project lists.
fn whole(what: &str, command: &str) -> Option<Adjustment> {
    let text = format!("install what the project lists, {what} is not complete");
    Some(about(AdjustmentKind::InstallPackage, what, text, Some(command.to_owned())))
}

/// A name that the index does not have.
fn unknown(index: &str, name: &str) -> Option<Adjustment> {
    let name = name.trim_end_matches(['.', ',', ')']).trim_end_matches("@*");
    let text = format!("correct the name or version `{name}`, {index} has none like it");
    Some(about(AdjustmentKind::InstallPackage, name, text, None))
}

fn python(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let module = module.trim_matches(['\'', '"', '.', ',', ';']);
    let top = module.split('.').next().unwrap_or(module);
    if let Some(own) = own_python(module, request) {
        return Some(own);
    }
    if let Some((_, package)) = names::PYTHON_SYSTEM.iter().find(|(name, _)| *name == top) {
        return install(package, format!("apt-get install -y {package}"));
    }
    let package =
        names::PYTHON.iter().find(|(name, _)| *name == module || *name == top).map_or(top, |(_, package)| package);
    const BY_FILE: [(&str, &str); 4] = [
        ("uv.lock", "uv add"),
        ("poetry.lock", "poetry add"),
        ("Pipfile", "pipenv install"),
        ("environment.yml", "conda install"),
    ];
    let command = by_file(&BY_FILE, request).unwrap_or("pip install");
    plain(package, command)
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
    let text = format!("put `{directory}` on the module path, `{own}` is there");
    let command = is_plain_word(&directory).then(|| format!("PYTHONPATH={directory}"));
    Some(Adjustment { candidates: vec![own.clone()], ..about(AdjustmentKind::CorrectPath, module, text, command) })
}

fn shadowed(module: &str) -> Option<Adjustment> {
    let text = format!("rename your own `{module}.py`, it hides the package `{module}`");
    Some(about(AdjustmentKind::CorrectPath, module, text, None))
}

fn node(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let own = module.starts_with(['.', '/', '~', '#']) || module.starts_with("@/") || module.contains('\\');
    if own {
        return path::correct(module, request);
    }
    if let Some(builtin) = module.strip_prefix("node:") {
        let text = format!("use a Node version that has `node:{builtin}`, or run it under Node");
        return Some(about(AdjustmentKind::MatchVersion, module, text, None));
    }
    // `@scope/name/file` and `name/file` are files of a package.
    let parts: Vec<&str> = module.split('/').collect();
    let package = if module.starts_with('@') { parts.get(..2)?.join("/") } else { parts.first()?.to_string() };
    plain(&package, node_add(request))
}

fn types(module: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = module.strip_prefix('@').map_or_else(|| module.to_owned(), |scoped| scoped.replacen('/', "__", 1));
    let package = format!("@types/{name}");
    let add = if node_add(request) == "npm install" { "npm install -D" } else { node_add(request) };
    let add = if add.ends_with("add") { format!("{add} -D") } else { add.to_owned() };
    plain(&package, &add)
}

fn rust(import: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = import.split("::").next().unwrap_or(import);
    if matches!(name, "crate" | "self" | "super") {
        return None;
    }
    if matches!(name, "core" | "std" | "alloc") {
        let text = "install the standard library of the target";
        let command = Some("rustup target add".to_owned());
        return Some(about(AdjustmentKind::InstallPackage, name, text, command));
    }
    let file = [format!("{name}.rs"), format!("{name}/mod.rs")];
    if let Some(own) = request.candidates.iter().find(|path| file.iter().any(|f| path.ends_with(&format!("/{f}")))) {
        let text = format!("declare `mod {name};` where it is used, `{own}` is there");
        return Some(about(AdjustmentKind::CorrectPath, name, text, None));
    }
    plain(name, "cargo add")
}

fn go(package: &str) -> Option<Adjustment> {
    let package = package.trim_end_matches([';', ':', ',']);
    // A path without a dot in its first part is not on the network.
    let remote = package.split('/').next().is_some_and(|host| host.contains('.'));
    if remote { plain(package, "go get") } else { unknown("the standard library", package) }
}

fn ruby(file: &str, request: &RepairRequest) -> Option<Adjustment> {
    let name = file.split('/').next().unwrap_or(file);
    let gem = names::RUBY.iter().find(|(file, _)| *file == name).map_or(name, |(_, gem)| gem);
    let gem = gem.split(' ').next().unwrap_or(gem);
    if file.starts_with(['.', '/']) {
        return path::correct(file, request);
    }
    plain(gem, if has(request, &["Gemfile"]) { "bundle add" } else { "gem install" })
}

fn php_extension(name: &str) -> Option<Adjustment> {
    let name = format!("php-{}", name.trim_end_matches(['.', ',']));
    install(&name, format!("apt-get install -y {name}"))
}

fn php_class(class: &str) -> Option<Adjustment> {
    let root = class.trim_start_matches('\\').split('\\').next().unwrap_or(class);
    match names::PHP.iter().find(|(namespace, _)| *namespace == root) {
        Some((_, package)) => plain(package, "composer require"),
        None if class.contains('\\') => whole("the autoloader", "composer install"),
        None => None,
    }
}

fn java(class: &str, request: &RepairRequest) -> Option<Adjustment> {
    let class = class.trim_end_matches([';', ',', ':']);
    let longest =
        names::JAVA.iter().filter(|(prefix, _)| class.starts_with(prefix)).max_by_key(|(prefix, _)| prefix.len());
    let Some((_, coordinates)) = longest else {
        let text = format!("add the dependency that has `{class}` to the build");
        return Some(about(AdjustmentKind::InstallPackage, class, text, None));
    };
    let file = if has(request, &["build.gradle", "build.gradle.kts"]) { "build.gradle" } else { "pom.xml" };
    let text = format!("add `{coordinates}` to {file}, it has `{class}`");
    Some(about(AdjustmentKind::InstallPackage, coordinates, text, None))
}

/// Gradle: `Could not find com.example:lib:1.0.`
fn coordinates(name: &str) -> Option<Adjustment> {
    if name.matches(':').count() == 2 { unknown("the repository", name) } else { None }
}

fn dotnet(name: &str) -> Option<Adjustment> {
    let package = names::DOTNET.iter().find(|(namespace, _)| *namespace == name).map_or(name, |(_, package)| package);
    plain(package, "dotnet add package")
}

fn r(name: &str) -> Option<Adjustment> {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
    if plain { install(name, format!("Rscript -e 'install.packages(\"{name}\")'")) } else { None }
}

fn perl(file: &str) -> Option<Adjustment> {
    plain(&file.trim_end_matches(".pm").replace('/', "::"), "cpanm")
}

fn haskell(name: &str) -> Option<Adjustment> {
    let package = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let text = format!("add `{package}` to build-depends");
    Some(about(AdjustmentKind::InstallPackage, package, text, None))
}

fn swift(name: &str) -> Option<Adjustment> {
    let text = format!("add the package that has `{name}` to Package.swift");
    Some(about(AdjustmentKind::InstallPackage, name, text, None))
}
