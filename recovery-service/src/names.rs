//! Names that exist in the project, for what a wrong one may have meant: `npm run biuld` where package.json has `build`.
//!
//! In: an output, the directory the command ran in, and the project root. Out: scripts, targets, recipes and tasks, and the
//! lock files that tell which package manager is in use, as `candidates` of the event; the step rules compare them with the
//! wrong name. [`SOURCES`] lists which words of an output make which file worth reading, so most failures read nothing.
//!
//! A project may be a stranger's repository: only regular files are read, never through a link, at most
//! [`MAX_FILE_BYTES`] of each; names that are not plain words are left out. cargo, Gradle, rake and git suggest the right
//! name themselves and need no row here.

use recovery_types::FailureEvent;
use rustix::fs::{Mode, OFlags};
use std::io::Read as _;
use std::path::Path;

const MAX_FILE_BYTES: u64 = 256 << 10;
const MAX_NAMES: usize = 200;
const MAX_NAME_BYTES: usize = 60;

/// Where the names of one tool are.
struct Source {
    /// One of these is in the output where a name of this tool is wrong.
    signs: &'static [&'static str],
    /// The first of these that is there is read.
    files: &'static [&'static str],
    names: fn(&str) -> Vec<String>,
}

const SOURCES: &[Source] = &[
    Source {
        signs: &["issing script", "Script not found", "a script named", "Command \""],
        files: &["package.json"],
        names: |text| keys_of(text, "scripts"),
    },
    Source { signs: &["Command \"", "Script \""], files: &["composer.json"], names: |text| keys_of(text, "scripts") },
    Source { signs: &["Task not found"], files: &["deno.json"], names: |text| keys_of(text, "tasks") },
    Source {
        signs: &["No rule to make target", "don't know how to make"],
        files: &["GNUmakefile", "makefile", "Makefile"],
        names: make_targets,
    },
    Source { signs: &["not contain recipe"], files: &["justfile", "Justfile", ".justfile"], names: just_recipes },
    Source {
        signs: &["Task \""],
        files: &["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"],
        names: tasks,
    },
];

/// Files that tell which package manager a project uses, and the words of an output that make this worth knowing.
const MANAGER_FILES: &[&str] = &[
    "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "package-lock.json", "uv.lock", "poetry.lock", "Pipfile",
    "pdm.lock", "Gemfile", "pom.xml", "build.gradle",
];
const MANAGER_SIGNS: &[&str] = &[
    "o module named", "annot find module", "annot find package", "odule not found", "an't resolve",
    "cannot load such file", "issing script", "Script not found", "a script named", "Command \"",
];

/// Adds the names that exist to an event that brings none of its own.
pub fn add(event: &mut FailureEvent, dir: &Path, root: &Path) {
    if event.exit_code != 0 && event.candidates.is_empty() {
        event.candidates = existing(&event.stderr_tail, dir, root);
    }
}

/// The names that a wrong name in `text` may have meant, from files in `dir` or else in the directories above it, up to `root`.
#[must_use]
pub fn existing(text: &str, dir: &Path, root: &Path) -> Vec<String> {
    let has_any = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    // Only the working directory where it is not in the project.
    let within = || dir.ancestors().take_while(|above| *above == dir || above.starts_with(root));
    let mut names: Vec<String> = Vec::new();
    if has_any(MANAGER_SIGNS) {
        let is_there = |file: &&&str| within().any(|dir| is_regular(&dir.join(file)));
        names.extend(MANAGER_FILES.iter().filter(is_there).map(|file| (*file).to_owned()));
    }
    for source in SOURCES.iter().filter(|source| has_any(source.signs)) {
        let read = |dir: &Path| source.files.iter().find_map(|file| read_regular(&dir.join(file)));
        let listed = within().find_map(read).map(|text| (source.names)(&text)).unwrap_or_default();
        names.extend(listed.into_iter().filter(|name| is_plain(name)));
    }
    names.sort();
    names.dedup();
    names.truncate(MAX_NAMES);
    names
}

fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/".contains(c);
    name.len() <= MAX_NAME_BYTES && name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_plain)
}

fn is_regular(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_file())
}

/// The text of a regular file that is not too long. Never waits for a pipe, never follows a link.
fn read_regular(path: &Path) -> Option<String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = std::fs::File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > MAX_FILE_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The keys of the object `field` of a JSON file.
fn keys_of(text: &str, field: &str) -> Vec<String> {
    let Ok(file) = serde_json::from_str::<serde_json::Value>(text) else { return Vec::new() };
    file[field].as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

/// The targets of a makefile, as far as they are written out.
fn make_targets(text: &str) -> Vec<String> {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#']));
    rules
        .filter_map(|line| line.split_once(':'))
        .filter(|(names, rest)| !names.contains('=') && !rest.trim_start_matches(':').starts_with('='))
        .flat_map(|(names, rest)| if names.trim() == ".PHONY" { rest } else { names }.split_whitespace())
        .map(str::to_owned)
        .collect()
}

/// The recipes and aliases of a justfile.
fn just_recipes(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '[']));
    lines
        .filter_map(|line| {
            let (head, rest) = line.split_once(':')?;
            match rest.starts_with('=') {
                true => head.strip_prefix("alias ").map(str::trim),
                false => head.trim_start_matches('@').split_whitespace().next(),
            }
        })
        .map(str::to_owned)
        .collect()
}

/// The keys one level below `tasks:` of a Taskfile.
fn tasks(text: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_content = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut below = text.lines().skip_while(|line| line.trim_end() != "tasks:").skip(1).filter(is_content).peekable();
    let depth = below.peek().map_or(0, |line| indent(line));
    below
        .take_while(|line| depth > 0 && indent(line) > 0)
        .filter(|line| indent(line) == depth)
        .filter_map(|line| line.trim().split_once(": ").map(|(key, _)| key).or_else(|| line.trim().strip_suffix(':')))
        .map(|key| key.trim_matches(['\'', '"']).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn names_in(files: &[(&str, &str)], output: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in files {
            std::fs::write(dir.path().join(file), text).unwrap();
        }
        existing(output, dir.path(), dir.path())
    }

    #[test]
    fn each_file_lists_its_names() {
        let package = r#"{"scripts":{"build":"tsc","test:unit":"vitest","$(rm -rf x)":"true"}}"#;
        let makefile =
            "CC := gcc\nall: build\n.PHONY: clean lint\nbuild test: main.o\n\tcc -o x: y\n%.o: %.c\nX=a:b\nobj ::= 1\n";
        let justfile = "set shell := [\"sh\"]\nalias b := build\n# note: x\n@build target='all': clean\n    echo a:b\nclean:\n    rm x\n";
        let taskfile = "version: '3'\nvars:\n  A: b\ntasks:\n  # all\n  build:\n    cmds:\n      - go build\n  'docker:push': docker push\nnotes:\n  x: y\n";
        for (file, text, output, names) in [
            ("package.json", package, "npm error Missing script: \"biuld\"", vec!["build", "test:unit"]),
            ("package.json", "{\"scripts\": 3}", "npm error Missing script: \"biuld\"", vec![]),
            ("package.json", "no json", "npm error Missing script: \"biuld\"", vec![]),
            (
                "Makefile",
                makefile,
                "make: *** No rule to make target 'biuld'.  Stop.",
                vec!["all", "build", "clean", "lint", "test"],
            ),
            ("justfile", justfile, "error: Justfile does not contain recipe `biuld`.", vec!["b", "build", "clean"]),
            ("Taskfile.yml", taskfile, "task: Task \"biuld\" does not exist", vec!["build", "docker:push"]),
            ("package.json", package, "error TS2304: Cannot find name 'x'.", vec![]),
        ] {
            assert_eq!(names_in(&[(file, text)], output), names, "{file}");
        }
    }

    #[test]
    fn lock_files_are_named_and_not_read() {
        let files = [("uv.lock", ""), ("other.txt", "")];
        assert_eq!(names_in(&files, "ModuleNotFoundError: No module named 'yaml'"), ["uv.lock"]);
    }

    #[test]
    fn the_nearest_directory_within_the_project_is_read() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("project");
        let deep = root.join("packages/app/src");
        std::fs::create_dir_all(&deep).unwrap();
        let write = |dir: &Path, script: &str| {
            std::fs::write(dir.join("package.json"), format!("{{\"scripts\":{{\"{script}\":\"x\"}}}}")).unwrap();
        };
        let output = "npm error Missing script: \"x\"";
        write(place.path(), "outside");
        assert!(existing(output, &deep, &root).is_empty());
        write(&root, "root");
        assert_eq!(existing(output, &deep, &root), ["root"]);
        write(&root.join("packages/app"), "app");
        assert_eq!(existing(output, &deep, &root), ["app"]);
        assert_eq!(existing(output, place.path(), &root), ["outside"]);
    }

    #[test]
    fn links_and_long_files_are_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let output = "npm error Missing script: \"biuld\"";
        let elsewhere = dir.path().join("elsewhere.json");
        std::fs::write(&elsewhere, "{\"scripts\":{\"build\":\"x\"}}").unwrap();
        symlink(&elsewhere, dir.path().join("package.json")).unwrap();
        assert!(existing(output, dir.path(), dir.path()).is_empty());
        std::fs::remove_file(dir.path().join("package.json")).unwrap();
        let long = format!("{{\"scripts\":{{\"build\":\"{}\"}}}}", "x".repeat(300 << 10));
        std::fs::write(dir.path().join("package.json"), long).unwrap();
        assert!(existing(output, dir.path(), dir.path()).is_empty());
    }
}
