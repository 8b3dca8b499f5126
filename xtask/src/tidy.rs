//! The architecture's invariants, checked against `cargo metadata` and the sources. Numbers are those of
//! ARCHITECTURE.md.

use anyhow::{Context as _, bail};
use cargo_metadata::MetadataCommand;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Crates that answer one question each and share only `recovery-types`.
const DOMAIN: [&str; 6] =
    ["failure-taxonomy", "problem-matcher", "recovery-redact", "classifier-core", "node-repair", "recovery-escalation"];

/// Folders of the crates that know no clock, environment, file, socket, process or random source.
const PURE: [&str; 8] = [
    "recovery-types",
    "failure-taxonomy",
    "problem-matcher",
    "recovery-redact",
    "classifier-core",
    "node-repair",
    "escalation",
    "recovery-engine",
];

/// What a pure crate never contains.
const IMPURE: [&str; 10] = [
    "SystemTime::now",
    "Instant::now",
    "std::env::",
    "std::fs",
    "std::net",
    "std::process::",
    "Command::new",
    "thread::sleep",
    "std::io::stdin",
    "getrandom",
];

/// Enums that are closed: a `match` on them has no `_` arm.
const CLOSED: [&str; 4] = ["Class::", "Level::", "Strategy::", "FailureType::"];

/// Runs every check and lists what is wrong, with file and line.
pub(crate) fn run() -> anyhow::Result<()> {
    let root = crate::root();
    let mut faults = Vec::new();
    domain_crates_share_only_the_types(&root, &mut faults)?;
    every_dependency_has_a_reason(&root, &mut faults)?;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        pages_name_what_exists(&root, page, &std::fs::read_to_string(root.join(page))?, &mut faults);
    }
    for folder in PURE {
        for file in sources(&root.join(folder).join("src"))? {
            let text = std::fs::read_to_string(&file)?;
            let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
            pure_crates_reach_nothing(&name, &text, &mut faults);
            closed_enums_have_no_wildcard(&name, &text, &mut faults);
            open_enums_say_so(&name, &text, &mut faults);
        }
    }
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

/// Invariant 8, second half: error enums may grow.
fn open_enums_say_so(name: &str, text: &str, faults: &mut Vec<String>) {
    let lines: Vec<(usize, &str)> = shipped_lines(text).collect();
    for (index, (number, line)) in lines.iter().enumerate() {
        let is_error = line.trim_start().starts_with("pub enum ") && line.contains("Error");
        let attributes =
            lines[..index].iter().rev().map(|(_, l)| l.trim_start()).take_while(|l| l.starts_with(['#', '/']));
        if is_error && !attributes.into_iter().any(|l| l.contains("non_exhaustive")) {
            faults.push(format!("{name}:{number}: a public error enum without #[non_exhaustive]"));
        }
    }
}

/// Numbered lines before the file's test module.
fn shipped_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(i, line)| (i + 1, line)).take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn sources(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
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
    fn an_error_enum_must_be_open() {
        assert_eq!(faults(open_enums_say_so, "#[derive(Debug)]\npub enum PolicyError {\n").len(), 1);
        assert!(faults(open_enums_say_so, "#[non_exhaustive]\n/// Doc.\npub enum PolicyError {\n").is_empty());
        assert!(faults(open_enums_say_so, "enum PolicyError {\n").is_empty());
    }
}
