//! The architecture's invariants, checked against `cargo metadata` and the sources. Numbers are those of
//! ARCHITECTURE.md.

use anyhow::{Context as _, bail};
use cargo_metadata::{MetadataCommand, Package, TargetKind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Crates that answer one question each and share only `recovery-types`.
const DOMAIN: [&str; 6] =
    ["failure-taxonomy", "problem-matcher", "recovery-redact", "classifier-core", "node-repair", "recovery-escalation"];

/// Folders of the crates that use no clock, environment, file, socket, process or random source.
const PURE: [&str; 8] = [
    "recovery-types", "failure-taxonomy", "problem-matcher", "recovery-redact", "classifier-core", "node-repair",
    "escalation", "recovery-engine",
];

/// What a pure crate never contains.
const IMPURE: [&str; 10] = [
    "SystemTime::now", "Instant::now", "std::env::", "std::fs", "std::net", "std::process::", "Command::new",
    "thread::sleep", "std::io::stdin", "getrandom",
];

/// Enums that are closed: a `match` on them has no `_` arm.
const CLOSED: [&str; 4] = ["Class::", "Level::", "Strategy::", "FailureType::"];

/// Serialised enums that are closed too: an answer depends on every variant, so a new one must not compile until each
/// `match` handles it.
const CLOSED_ON_THE_WIRE: [&str; 23] = [
    "Action", "Cause", "Class", "Command", "CooldownState", "Entry", "FailureType", "GateOption", "Level",
    "LevelClock", "MemoryNote", "PackName", "RecoveryVerb", "Repeating", "Severity", "Strategy", "Target",
    "TaskMetadata", "TaskStatus", "Tier", "Tree", "Verb", "WaitReason",
];

/// Runs every check and lists what is wrong, with file and line.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = crate::root();
    let mut faults = Vec::new();
    domain_crates_share_only_the_types(&root, &mut faults)?;
    crates_are_published_in_order(&root, &mut faults)?;
    every_dependency_has_a_reason(&root, &mut faults)?;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        pages_name_what_exists(&root, page, &std::fs::read_to_string(root.join(page))?, &mut faults);
    }
    for folder in PURE {
        // A file of tests may read a clock.
        let files = sources(&root, &root.join(folder).join("src"))?;
        for (name, text) in files.into_iter().filter(|(name, _)| !name.ends_with("/tests.rs")) {
            pure_crates_reach_nothing(&name, &text, &mut faults);
            closed_enums_have_no_wildcard(&name, &text, &mut faults);
        }
    }
    let mut types = BTreeMap::new();
    for folder in libraries(&root)? {
        for (name, text) in sources(&root, &folder.join("src"))? {
            open_enums_are_marked(&name, &text, &mut faults);
            collect_public_types(&name, &text, &mut types);
        }
    }
    public_types_have_one_meaning(&types, &mut faults);
    if faults.is_empty() {
        println!("tidy: all invariants hold");
        return Ok(());
    }
    let mut report = String::new();
    for fault in &faults {
        writeln!(report, "  {fault}")?;
    }
    bail!("{} faults:\n{report}", faults.len())
}

/// Invariant 1.
fn domain_crates_share_only_the_types(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let ours: Vec<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    for package in metadata.packages.iter().filter(|p| DOMAIN.contains(&p.name.as_str())) {
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            if ours.contains(&name) && name != "recovery-types" {
                faults.push(format!("{}: depends on {name}; a domain crate shares only recovery-types", package.name));
            }
        }
    }
    Ok(())
}

/// `cargo publish` needs an order in which each crate comes after all that it names, the dependencies of its tests included.
fn crates_are_published_in_order(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let mut left: Vec<&Package> = metadata.packages.iter().collect();
    loop {
        let waits = |package: &Package| {
            let is_left = |name: &str| left.iter().any(|other| other.name.as_str() == name);
            // One without a version, as a crate's on itself for its tests, is left out when it is published.
            let mut named = package.dependencies.iter().filter(|dependency| dependency.req.to_string() != "*");
            named.any(|dependency| is_left(&dependency.name))
        };
        let next: Vec<&Package> = left.iter().copied().filter(|package| waits(package)).collect();
        if next.len() == left.len() {
            break;
        }
        left = next;
    }
    if !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|package| package.name.as_str()).collect();
        faults.push(format!("these cannot be published, some of them need each other: {}", names.join(", ")));
    }
    Ok(())
}

/// Each workspace dependency has its reason on its line.
fn every_dependency_has_a_reason(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(root.join("Cargo.toml"))?;
    let section = text.split("[workspace.dependencies]").nth(1).context("no [workspace.dependencies]")?;
    for line in section.lines().take_while(|l| !l.starts_with('[')) {
        let third_party = line.contains('=') && !line.starts_with('#') && !line.contains("path =");
        if third_party && !line.contains('#') {
            faults.push(format!("Cargo.toml: no reason beside `{line}`"));
        }
    }
    Ok(())
}

/// Every path between backticks exists, and so does the function after `file.rs -> function`.
fn pages_name_what_exists(root: &Path, page: &str, text: &str, faults: &mut Vec<String>) {
    let quoted = text
        .lines()
        .enumerate()
        .flat_map(|(index, line)| line.split('`').skip(1).step_by(2).map(move |quoted| (index + 1, quoted)));
    for (number, quoted) in quoted {
        let (path, function) = quoted.split_once(" -> ").map_or((quoted, None), |(path, name)| (path, Some(name)));
        let is_path = path.contains('/') && !path.starts_with(['.', '/']) && !path.contains([' ', '<', '*', '$']);
        if !is_path {
            continue;
        }
        let Ok(found) = root.join(path).metadata() else {
            faults.push(format!("{page}:{number}: there is no {path}"));
            continue;
        };
        let source =
            if found.is_file() { std::fs::read_to_string(root.join(path)).unwrap_or_default() } else { String::new() };
        if let Some(function) = function.filter(|function| !source.contains(&format!("fn {function}"))) {
            faults.push(format!("{page}:{number}: {path} has no function {function}"));
        }
    }
}

/// Invariant 2. Tests at the end of a file may read what they like.
fn pure_crates_reach_nothing(name: &str, text: &str, faults: &mut Vec<String>) {
    for (number, line) in shipped_lines(text) {
        let code = line.split("//").next().unwrap_or_default();
        for word in IMPURE.iter().filter(|word| code.contains(**word)) {
            faults.push(format!("{name}:{number}: `{word}` in a crate that must not know it"));
        }
    }
}

/// Invariant 8, first half: no `_ =>` arm beside arms of a closed enum.
fn closed_enums_have_no_wildcard(name: &str, text: &str, faults: &mut Vec<String>) {
    let lines: Vec<(usize, &str)> = shipped_lines(text).collect();
    for (index, (number, line)) in lines.iter().enumerate() {
        if line.trim_start().starts_with("_ =>") && arms_before(&lines[..index], line).any(is_closed_arm) {
            faults.push(format!("{name}:{number}: `_` arm in a match over a closed enum"));
        }
    }
}

/// The arms above a wildcard arm: lines of the same indentation, up to the `match` that opens the block.
fn arms_before<'a>(above: &'a [(usize, &'a str)], wildcard: &str) -> impl Iterator<Item = &'a str> {
    let depth = indentation(wildcard);
    above
        .iter()
        .rev()
        .map(|(_, line)| *line)
        .filter(|line| !line.trim().is_empty())
        .take_while(move |line| indentation(line) >= depth)
        .filter(move |line| indentation(line) == depth)
}

/// An arm whose pattern (not its answer) is a bare variant of a closed enum.
fn is_closed_arm(line: &str) -> bool {
    let pattern = line.split("=>").next().unwrap_or_default().trim();
    line.contains("=>") && CLOSED.iter().any(|e| pattern.starts_with(e))
}

/// Invariant 8, second half: enums that are errors or JSON may grow, unless they are [`CLOSED_ON_THE_WIRE`].
fn open_enums_are_marked(name: &str, text: &str, faults: &mut Vec<String>) {
    let lines: Vec<(usize, &str)> = shipped_lines(text).collect();
    for (index, (number, line)) in lines.iter().enumerate() {
        let Some(type_name) = public_type(line).filter(|_| line.contains("pub enum ")) else { continue };
        let attributes: Vec<&str> = lines[..index]
            .iter()
            .rev()
            .map(|(_, line)| *line)
            .take_while(|line| line.starts_with(['#', '/', ' ', ')']))
            .collect();
        let has = |word: &str| attributes.iter().any(|line| line.contains(word));
        let is_open = has("Serialize") || has("Deserialize") || has("thiserror::Error") || type_name.contains("Error");
        if is_open && !has("non_exhaustive") && !CLOSED_ON_THE_WIRE.contains(&type_name) {
            faults.push(format!("{name}:{number}: {type_name} is an error or JSON and needs #[non_exhaustive]"));
        }
    }
}

/// The type that a line declares for other crates, at the outermost level or in a macro.
fn public_type(line: &str) -> Option<&str> {
    let kinds = ["pub enum ", "pub struct ", "pub trait ", "pub type "];
    let rest =
        kinds.iter().find_map(|kind| line.trim_start().strip_prefix(kind)).filter(|rest| !rest.starts_with('$'))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

fn collect_public_types(name: &str, text: &str, types: &mut BTreeMap<String, Vec<String>>) {
    for (number, line) in shipped_lines(text) {
        if let Some(type_name) = public_type(line) {
            types.entry(type_name.to_owned()).or_default().push(format!("{name}:{number}"));
        }
    }
}

/// Invariant 14: no two public types of the libraries have the same name.
fn public_types_have_one_meaning(types: &BTreeMap<String, Vec<String>>, faults: &mut Vec<String>) {
    for (type_name, places) in types.iter().filter(|(_, places)| places.len() > 1) {
        faults.push(format!("{type_name} is the name of {} types: {}", places.len(), places.join(", ")));
    }
}

/// The folders of the published crates that are libraries only.
fn libraries(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folder = |package: Package| package.manifest_path.parent().map(|path| path.as_std_path().into());
    Ok(library_packages(root)?.into_iter().filter_map(folder).collect())
}

/// The published crates that are libraries only.
pub(crate) fn library_packages(root: &Path) -> anyhow::Result<Vec<Package>> {
    let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec()?;
    let is_library = |package: &Package| {
        let is_published = package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
        is_published && !package.targets.iter().any(|target| target.kind.contains(&TargetKind::Bin))
    };
    Ok(metadata.packages.into_iter().filter(is_library).collect())
}

/// Numbered lines before the file's test module.
fn shipped_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(i, line)| (i + 1, line)).take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The names, below `root`, and the texts of all Rust files in a folder.
fn sources(root: &Path, dir: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
                files.push((name, std::fs::read_to_string(&path)?));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(check: fn(&str, &str, &mut Vec<String>), text: &str) -> Vec<String> {
        let mut faults = Vec::new();
        check("x.rs", text, &mut faults);
        faults
    }

    #[test]
    fn a_clock_is_found_but_not_in_tests_or_comments() {
        assert_eq!(faults(pure_crates_reach_nothing, "fn f() {\n    std::fs::read(p);\n}\n").len(), 1);
        assert!(
            faults(pure_crates_reach_nothing, "// std::fs is not used\n#[cfg(test)]\nmod t { std::fs::read(p) }\n")
                .is_empty()
        );
    }

    #[test]
    fn a_page_that_names_what_is_gone_is_found() {
        let mut faults = Vec::new();
        let page = "`xtask/src/tidy.rs -> sources`, `xtask/src/tidy.rs -> gone`, `xtask/gone.rs`, `a / b`, `cargo run`";
        pages_name_what_exists(&crate::root(), "PAGE.md", page, &mut faults);
        assert_eq!(
            faults,
            ["PAGE.md:1: xtask/src/tidy.rs has no function gone", "PAGE.md:1: there is no xtask/gone.rs"]
        );
    }

    #[test]
    fn a_wildcard_over_a_closed_enum_is_found() {
        let bad = "match c {\n    Class::F1 => 1,\n    _ => 2,\n}\n";
        assert_eq!(faults(closed_enums_have_no_wildcard, bad).len(), 1);
        let good = "match n {\n    1 => Class::F1,\n    _ => Class::F2,\n}\n";
        assert!(faults(closed_enums_have_no_wildcard, good).is_empty());
    }

    #[test]
    fn an_error_or_json_enum_must_be_open() {
        assert_eq!(faults(open_enums_are_marked, "#[derive(Debug)]\npub enum PolicyError {\n").len(), 1);
        assert_eq!(faults(open_enums_are_marked, "#[derive(Serialize)]\n/// Doc.\npub enum Shape {\n").len(), 1);
        assert_eq!(faults(open_enums_are_marked, "#[derive(thiserror::Error)]\npub enum Refusal {\n").len(), 1);
        assert!(faults(open_enums_are_marked, "#[non_exhaustive]\n/// Doc.\npub enum PolicyError {\n").is_empty());
        assert!(faults(open_enums_are_marked, "#[derive(Serialize)]\npub enum Level {\n").is_empty());
        assert!(faults(open_enums_are_marked, "#[derive(Debug)]\npub enum Shape {\n").is_empty());
        assert!(faults(open_enums_are_marked, "enum PolicyError {\n").is_empty());
    }

    #[test]
    fn two_types_of_one_name_are_found() {
        let (mut types, mut faults) = (BTreeMap::new(), Vec::new());
        collect_public_types("a.rs", "pub struct Plan {\npub enum Only {\nstruct Hidden;\n", &mut types);
        collect_public_types(
            "b.rs",
            "pub trait Plan: Sized {\npub(crate) struct Only;\npub struct Plans<T>;\n",
            &mut types,
        );
        public_types_have_one_meaning(&types, &mut faults);
        assert_eq!(faults, ["Plan is the name of 2 types: a.rs:1, b.rs:1"]);
    }
}
