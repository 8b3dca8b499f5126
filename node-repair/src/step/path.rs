//! Steps for paths that do not exist, with the existing ones that were probably meant.
//!
//! In: the evidence of a [`Case`](super::Case) and the paths that the caller has seen. Out: a step that names the
//! nearest existing path (same file name, a few letters different, another extension), or states what has to be created.
//! `ROWS` are message templates; the generic `NAME: No such file or directory` comes last.

use super::pattern::quoted;
use super::similar::distance;
use super::words::{about, quote, step};
use super::{Case, Row, Seen, first, row};
use recovery_types::{Adjustment, AdjustmentKind, ErrorType, RepairRequest};

/// A path is wrong, or what it names was not made.
pub(super) fn wrong(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case).or_else(|| {
        let stated = case.request.missing.as_ref().filter(|m| matches!(m.kind.as_str(), "path" | "file" | "directory"));
        // A name that no evidence line holds was read from elsewhere.
        let stated = stated.filter(|missing| case.lines().any(|line| line.contains(&missing.name)));
        stated.filter(|missing| !missing.name.contains(' ')).and_then(|missing| correct(&missing.name, case.request))
    })
}

/// Something is missing, and no template matches.
pub(super) fn some_wrong(case: &Case<'_>) -> Option<Adjustment> {
    let is_damage = case.mentions(&[".git/objects/"]);
    // A class, a user or a record may be missing too.
    let is_other = case.mentions(&["class ", "method ", "function ", "column ", "record ", "user ", "role "])
        && !case.mentions(&["file", "director", "folder", "path", "404", "enoent", "no such"]);
    let is_missing = case.request.error_type == Some(ErrorType::FileNotFound) && !is_other;
    (is_missing && !is_damage && !case.is_remark_on_code()).then(|| {
        let line = case.line_about(&["not found", "no such", "does not exist", "404", "cannot find", "could not find"]);
        let line = line.unwrap_or_default();
        if line.contains("404") {
            let url = case.lines().find_map(super::transient::url_in);
            let whose = url.map(|url| format!(" {url}")).unwrap_or_default();
            let text = format!("correct the address{whose}: nothing is there ({line})");
            return Adjustment { subject: url.map(str::to_owned), ..step(AdjustmentKind::CorrectPath, text) };
        }
        let line = if line.is_empty() { line } else { format!(": {line}") };
        step(AdjustmentKind::CorrectPath, format!("correct the path, or create the file first{line}"))
    })
}

/// What a wrong path looks like.
const ROWS: &[Row] = &[
    row("npm error enoent Could not read package.json", |s| manifest("package.json", s)),
    row("npm ERR! enoent Could not read package.json", |s| manifest("package.json", s)),
    row("ENOENT: no such file or directory, {w} '{}'", |s| correct(s.hole(1), s.request)),
    row("[Errno 2] No such file or directory: '{}'", |s| correct(s.hole(0), s.request)),
    row("can't open file '{}': [Errno 2]", |s| correct(s.hole(0), s.request)),
    row("Error: Cannot find module '{}'", module_path),
    row("Could not find or load main class {w}", |s| correct(s.hole(0), s.request)),
    row("cannot access '{}': No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cannot stat '{}': No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cannot open '{}' for reading: No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cannot open {w}: No such file", |s| correct(s.hole(0), s.request)),
    row("cannot remove '{}': No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cannot create regular file '{}': No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cannot touch '{}': No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cannot create directory '{}': No such file or directory", |s| correct(s.hole(0), s.request)),
    row("Cannot open file '{}'", |s| correct(s.hole(0), s.request)),
    row("Could not open file {w}: No such file or directory", |s| correct(s.hole(0).trim_end_matches(':'), s.request)),
    row("Could not open file {w} No such file or directory", |s| correct(s.hole(0).trim_end_matches(':'), s.request)),
    row("failed to open {w}: No such file or directory", |s| correct(s.hole(0), s.request)),
    row("failed to open '{}': No such file", |s| correct(s.hole(0), s.request)),
    row("FileNotFoundError: {}: '{}'", |s| correct(s.hole(1), s.request)),
    row("No such file or directory @ {w} - {}", |s| correct(s.hole(1), s.request)),
    row("({}): Failed to open stream: No such file", |s| correct(s.hole(0), s.request)),
    row("({}): failed to open stream: No such file", |s| correct(s.hole(0), s.request)),
    row("No such file or directory: {w}", |s| correct(s.hole(0).trim_matches(['\'', '"']), s.request)),
    row("Could not find a part of the path '{}'", |s| correct(s.hole(0), s.request)),
    row("The system cannot find the path specified", generic_line),
    row("cannot open {w} (No such file or directory)", |s| correct(s.hole(0), s.request)),
    row("Cannot open file \"{}\"", |s| correct(s.hole(0), s.request)),
    row("the playbook: {w} could not be found", |s| correct(s.hole(0), s.request)),
    row("The source directory \"{}\" does not exist", |s| correct(s.hole(0), s.request)),
    row("repository '{}' not found", |s| correct(s.hole(0), s.request)),
    row("{w}: openBinaryFile: does not exist", |s| correct(s.hole(0), s.request)),
    row("cannot find or open {w}", |s| correct(s.hole(0).trim_end_matches(','), s.request)),
    row("failed to load external entity \"{}\"", |s| correct(s.hole(0), s.request)),
    row("Unable to find lockfile at `{}`", |s| correct(s.hole(0), s.request)),
    row("private key from {w}", |s| correct(s.hole(0), s.request)),
    row("stat {w}: directory not found", |s| correct(s.hole(0), s.request)),
    row("could not find a pyproject.toml file", |s| manifest("pyproject.toml", s)),
    row("No package.json (or package.yaml", |s| manifest("package.json", s)),
    row("Could not locate Gemfile", |s| manifest("Gemfile", s)),
    row("could not find a composer.json file", |s| manifest("composer.json", s)),
    row("neither 'setup.py' nor 'pyproject.toml' found", |s| manifest("pyproject.toml", s)),
    row("go.mod file not found", |s| manifest("go.mod", s)),
    row("does not contain main module", |s| manifest("go.mod", s)),
    row("No rakefile found", |s| manifest("Rakefile", s)),
    row("Could not find package.json", |s| manifest("package.json", s)),
    row("Couldn't find a package.json", |s| manifest("package.json", s)),
    row("abort: no repository found in", |s| run_inside("a Mercurial repository", ".hg", s)),
    row("no makefile found", |s| manifest("Makefile", s)),
    row("directory with a mix.exs file", |s| manifest("mix.exs", s)),
    row("ESLint couldn't find an eslint.config", |s| manifest("eslint.config.js", s)),
    row("destination path '{}' already exists", taken),
    row("not a git repository", not_a_repository),
    row("Not a git repository", not_a_repository),
    row("error: cannot read file {w} No such", |s| correct(s.hole(0), s.request)),
    row("error: failed to load source for dependency `{}`", |s| correct(s.hole(0), s.request)),
    row("stat {w} no such file or directory", |s| correct(s.hole(0).trim_end_matches(':'), s.request)),
    row("cd: {}: No such file or directory", |s| correct(s.hole(0), s.request)),
    row("cc1: fatal error: {}: No such file or directory", |s| correct(s.hole(0), s.request)),
    row("No rule to make target '{}', needed by '{}'", make_target),
    row("No rule to make target '{}'", make_target),
    row("fatal: pathspec '{}' did not match any files", |s| correct(s.hole(0), s.request)),
    row("go: cannot find main module", |s| manifest("go.mod", s)),
    row("could not find `Cargo.toml` in `{}`", |s| manifest("Cargo.toml", s)),
    row("manifest path `{}` does not exist", |s| correct(s.hole(0), s.request)),
    row("couldn't read `{}`: No such file or directory", |s| correct(s.hole(0), s.request)),
    row("file not found for module `{}`", |s| correct(s.hole(0), s.request)),
    row("Could not open requirements file: [Errno 2] No such file or directory: '{}'", |s| {
        correct(s.hole(0), s.request)
    }),
    row("failed to compute cache key: failed to calculate checksum of ref {w} \"{}\": not found", |s| {
        correct(s.hole(1), s.request)
    }),
    row("failed to read dockerfile: open {w} no such file or directory", |s| correct(s.hole(0), s.request)),
    row("unable to prepare context: path \"{}\" not found", |s| correct(s.hole(0), s.request)),
    row("the path \"{}\" does not exist", |s| correct(s.hole(0), s.request)),
    row("there is no POM in this directory ({})", |s| manifest("pom.xml", s)),
    row("error TS6053: File '{}' not found", |s| correct(s.hole(0), s.request)),
    row("error TS5058: The specified path does not exist: '{}'", |s| correct(s.hole(0), s.request)),
    row("ERROR: file or directory not found: {}", |s| correct(s.hole(0), s.request)),
    row("can't cd to {w}", |s| correct(s.hole(0), s.request)),
    row("cannot open {w} No such file", |s| correct(s.hole(0), s.request)),
    row("{w}: No such file or directory", generic),
    row("open {w} no such file or directory", |s| correct(s.hole(0), s.request)),
    row("unable to open database \"{}\"", |s| correct(s.hole(0), s.request)),
    row("Unable to access jarfile {w}", |s| correct(s.hole(0), s.request)),
    row("Can't open perl script \"{}\"", |s| correct(s.hole(0), s.request)),
    row("cannot open output file {w} No such file or directory", |s| correct(s.hole(0), s.request)),
    row("java.io.FileNotFoundException: {w} (No such file or directory)", |s| correct(s.hole(0), s.request)),
    row("java.nio.file.NoSuchFileException: {w}", |s| correct(s.hole(0), s.request)),
    row("Could not find file '{}'", |s| correct(s.hole(0), s.request)),
    row("he file '{}' does not exist", |s| correct(s.hole(0), s.request)),
    row("he file \"{}\" does not exist", |s| correct(s.hole(0), s.request)),
    row("he file {w} does not exist", |s| correct(s.hole(0), s.request)),
    row("he directory \"{}\" does not exist", |s| correct(s.hole(0), s.request)),
    row("he directory '{}' does not exist", |s| correct(s.hole(0), s.request)),
    row("directory {w} does not exist", |s| correct(s.hole(0), s.request)),
    row("Does the file exist?", loaded),
    row("Cannot find file: {w}", |s| correct(s.hole(0).trim_matches(['\'', '"']), s.request)),
    row("File not found: {w}", |s| correct(s.hole(0).trim_matches(['\'', '"']), s.request)),
    row("file not found: {w}", |s| correct(s.hole(0).trim_matches(['\'', '"']), s.request)),
    row("unable to read input file: {w}", |s| correct(s.hole(0).trim_end_matches(';'), s.request)),
    row("can't open '{}': No such file", |s| correct(s.hole(0), s.request)),
    row("Can't open {w}: No such file or directory", |s| correct(s.hole(0), s.request)),
    row("failed to read {w}: No such file", |s| correct(s.hole(0).trim_matches('`'), s.request)),
];

/// vite: `Failed to load url ./nope.js (resolved id: ...). Does the file exist?`
fn loaded(seen: &Seen<'_>) -> Option<Adjustment> {
    let url = super::pattern::Pattern::new("Failed to load url {w}").first(seen.line)?.captures[0];
    if url.starts_with(['.', '/']) { correct(url, seen.request) } else { None }
}

/// Use the nearest path that exists, or make the one that is missing.
pub(super) fn correct(path: &str, request: &RepairRequest) -> Option<Adjustment> {
    // Ruby puts its exception's name behind the path.
    let path = path.split(" (").next().unwrap_or(path).trim_end_matches(':').trim();
    // GNU tools quote with curly quotes in a UTF-8 locale.
    let path = path.trim_matches(['\u{2018}', '\u{2019}']);
    // What is missing in git's own store is damage, not a wrong path.
    if path.is_empty() || path.contains(".git/objects/") {
        return None;
    }
    let candidates = nearest(path, &request.candidates);
    let text = match candidates.as_slice() {
        [] => format!("correct the path {path}, which does not exist, or create it first"),
        [one] => format!("use {one}, which exists, instead of {path}"),
        [first, others @ ..] => {
            let others = others.join(" or ");
            format!("use {first}, which exists, instead of {path}; else {others}")
        }
    };
    Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectPath, path, text, None) })
}

/// The existing paths that may have been meant by `path`, nearest first, at most three: those with the same file name, then
/// those whose name differs by a few letters or only by its extension.
pub(super) fn nearest(path: &str, candidates: &[String]) -> Vec<String> {
    let wanted = Name::of(path);
    let mut ranked: Vec<(usize, usize, &String)> = candidates
        .iter()
        .filter(|candidate| candidate.as_str() != path)
        .filter_map(|candidate| {
            wanted.rank(&Name::of(candidate)).map(|rank| (rank, distance(path, candidate), candidate))
        })
        .collect();
    ranked.sort();
    ranked.dedup();
    ranked.into_iter().take(3).map(|(_, _, candidate)| candidate.clone()).collect()
}

/// The last part of a path, folded for comparison.
struct Name {
    file: String,
    stem: String,
}

impl Name {
    fn of(path: &str) -> Self {
        let file = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let stem = file.split_once('.').map_or(file.as_str(), |(stem, _)| stem).to_owned();
        Self { file, stem }
    }

    /// How far `other` is, or none where it is something else. An index file counts as its directory.
    fn rank(&self, other: &Self) -> Option<usize> {
        if self.file == other.file {
            return Some(0);
        }
        if !self.stem.is_empty() && self.stem == other.stem {
            return Some(1);
        }
        let letters = self.file.chars().count();
        let apart = distance(&self.file, &other.file);
        (letters > 2 && apart <= (letters / 3).clamp(1, 3)).then_some(1 + apart)
    }
}

/// `cat: notes.txt: No such file or directory`; the name is the last part before the message.
fn generic(seen: &Seen<'_>) -> Option<Adjustment> {
    let path = seen.hole(0).trim_matches(['\'', '"', '`']);
    // `rsync: [sender] change_dir "/srv/in" failed: No such file or directory`
    let path = if path == "failed" { quoted(seen.line).into_iter().next()? } else { path };
    let path = path.rsplit("error:").next().unwrap_or(path);
    let looks_like_one = path.contains(['/', '.', '\\']) || seen.line.matches(": ").count() == 2;
    if looks_like_one && !path.contains(':') { correct(path, seen.request) } else { None }
}

/// A message without the path it is about.
fn generic_line(seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("correct the path, or make it first: {}", quote(seen.line));
    Some(step(AdjustmentKind::CorrectPath, text))
}

/// The path is there already, though it should not be.
fn taken(seen: &Seen<'_>) -> Option<Adjustment> {
    let path = seen.hole(0);
    let text = format!("use another path than {path}, which exists already");
    Some(about(AdjustmentKind::CorrectPath, path, text, None))
}

fn not_a_repository(seen: &Seen<'_>) -> Option<Adjustment> {
    run_inside("the git repository, or make one (git init)", ".git", seen)
}

fn run_inside(what: &str, marker: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let text = format!("run it inside {what}: {}", quote(seen.line));
    Some(Adjustment { subject: Some(marker.to_owned()), ..step(AdjustmentKind::CorrectPath, text) })
}

/// Node could not load a file of the project itself.
fn module_path(seen: &Seen<'_>) -> Option<Adjustment> {
    let path = seen.hole(0);
    if path.starts_with(['.', '/']) { correct(path, seen.request) } else { None }
}

fn make_target(seen: &Seen<'_>) -> Option<Adjustment> {
    let (target, by) = (seen.hole(0), seen.hole(1));
    if !by.is_empty() {
        let adjustment = correct(target, seen.request)?;
        return Some(Adjustment { text: format!("{}; {by} needs it", adjustment.text), ..adjustment });
    }
    // A target without a dot or slash is a name, not a file: the call is wrong.
    if target.contains(['/', '.']) { correct(target, seen.request) } else { None }
}

fn manifest(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let candidates = nearest(name, &seen.request.candidates);
    let text = match candidates.first().and_then(|c| c.rsplit_once('/')) {
        Some((directory, _)) => format!("run it in {directory}, where {name} is"),
        None => format!("run it in the directory that has {name}"),
    };
    Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectPath, name, text, None) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(path: &str, candidates: &[&str]) -> Vec<String> {
        nearest(path, &candidates.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn same_name_elsewhere_comes_first_then_near_names() {
        let there = ["lib/utls.ts", "src/utils/index.ts", "src/lib/utils.ts", "README.md", "src/util.ts"];
        assert_eq!(near("src/utils.ts", &there), ["src/lib/utils.ts", "src/util.ts", "lib/utls.ts"]);
        assert_eq!(near("config/app.yml", &["config/app.yaml", "docs/index.md"]), ["config/app.yaml"]);
        assert_eq!(near("a", &["b"]), [""; 0]);
    }
}
