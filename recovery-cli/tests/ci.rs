//! The GitHub action's shell with the environment that GitHub sets, and the documents' snippets: YAML parses, shell parses,
//! and every `recovery` command in them is one that the command line accepts.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn has_program(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A job on a runner.
struct Job {
    dir: tempfile::TempDir,
}

impl Job {
    /// Runs the action's main step; `None` where the machine has no bash or jq, which CI installs.
    fn run(inputs: &[(&str, &str)]) -> Option<(Self, Output)> {
        if !has_program("bash") || !has_program("jq") {
            assert!(std::env::var_os("CI").is_none(), "the action's shell needs bash and jq");
            eprintln!("skipped: needs bash and jq");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        for name in ["output", "summary", "path"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let binary = Path::new(env!("CARGO_BIN_EXE_recovery")).parent().unwrap().display().to_string();
        let mut command = Command::new("bash");
        command.arg(root().join("packaging/action/run.sh")).current_dir(dir.path());
        command.env("PATH", format!("{binary}:{}", std::env::var("PATH").unwrap())).env("HOME", dir.path());
        command.env_remove("RECOVERY_TASK").envs([("GITHUB_ACTIONS", "true"), ("CI", "true"), ("GITHUB_JOB", "build")]);
        for (name, file) in [
            ("GITHUB_OUTPUT", "output"),
            ("GITHUB_STEP_SUMMARY", "summary"),
            ("GITHUB_PATH", "path"),
            ("RUNNER_TEMP", ""),
        ] {
            command.env(name, dir.path().join(file));
        }
        // GitHub sets inputs that were not given to nothing.
        for name in ["INPUT_TASK", "INPUT_RETRIES", "INPUT_TIMEOUT", "INPUT_BUDGET"] {
            command.env(name, "");
        }
        let output = command.envs(inputs.iter().copied()).output().unwrap();
        Some((Self { dir }, output))
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap()
    }

    fn output(&self, name: &str) -> String {
        let outputs = self.file("output");
        let line = outputs.lines().find_map(|line| line.strip_prefix(&format!("{name}=")));
        line.unwrap_or_else(|| panic!("no {name} in {outputs}")).to_owned()
    }
}

#[test]
fn the_action_reports_a_failure_that_must_be_fixed() {
    let script = "echo before\necho 'src/a.c:3:5: error: expected 100%, got 99%' >&2\nexit 2\necho after";
    let Some((job, output)) = Job::run(&[("INPUT_RUN", script)]) else { return };
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!((job.output("class").as_str(), job.output("error-type").as_str()), ("F2", "compile_error"));
    assert_eq!(job.output("flaky"), "false");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("::error title=recovery,file=src/a.c,line=3,col=5::expected 100%25, got 99%25\n"),
        "{printed}"
    );
    assert!(printed.contains("before\n") && !printed.contains("after"), "{printed}");
    assert!(job.file("summary").contains("Compile error at src/a.c:3:5"), "{}", job.file("summary"));
    let journal = std::fs::read_to_string(job.output("journal")).unwrap();
    let record: serde_json::Value = serde_json::from_str(journal.lines().last().unwrap()).unwrap();
    assert_eq!(record["task"], "build");
}

#[test]
fn the_action_reports_what_worked_when_repeated() {
    let script =
        "test -e done || { touch done; echo 'curl: (56) Recv failure: Connection reset by peer' >&2; exit 56; }";
    let Some((job, output)) = Job::run(&[("INPUT_RUN", script), ("INPUT_TASK", "fetch")]) else { return };
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let outputs = ["class", "error-type", "flaky"].map(|name| job.output(name));
    assert_eq!(outputs, ["F1", "connection_failure", "true"]);
    assert_eq!(job.file("summary"), "**recovery run** `fetch`\n\n> worked on retry 1 (flaky)\n\n");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("::group::retry 1: fetch\n"), "{printed}");
    assert!(!job.output("id").is_empty());
}

#[test]
fn the_action_is_quiet_about_what_works() {
    let Some((job, output)) = Job::run(&[("INPUT_RUN", "echo \"$0\" | wc -l")]) else { return };
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(["class", "error-type", "flaky"].map(|name| job.output(name)), ["", "", "false"]);
    assert_eq!(job.file("summary"), "");
    assert!(Path::new(&job.output("journal")).exists());
}

fn documents() -> Vec<PathBuf> {
    let mut files = vec![root().join("README.md")];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files
}

/// The fenced blocks of a document with their language.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```").filter(|language| !language.is_empty()) {
            let body: Vec<&str> = lines.by_ref().take_while(|line| line.trim_start() != "```").collect();
            blocks.push((language.trim().to_owned(), body.join("\n")));
        }
    }
    blocks
}

fn yaml(text: &str, place: &str) -> serde_yaml_ng::Value {
    serde_yaml_ng::from_str(text).unwrap_or_else(|error| panic!("{place}: {error}"))
}

#[test]
fn yaml_parses() {
    let mut count = 0;
    for path in documents() {
        for (language, text) in blocks(&std::fs::read_to_string(&path).unwrap()) {
            if language == "yaml" || language == "yml" {
                assert!(yaml(&text, &path.display().to_string()).is_mapping());
                count += 1;
            }
        }
    }
    assert!(count >= 3, "docs/ci.md has at least three");
    for name in [".github/workflows/ci.yml", ".github/workflows/release.yml", "action.yml"] {
        let path = root().join(name);
        assert!(yaml(&std::fs::read_to_string(&path).unwrap(), name).is_mapping());
    }
}

/// What `action.yml` passes on is what its shell reads, and its outputs are those that the shell writes.
#[test]
fn the_action_and_its_shell_agree() {
    let action = yaml(&std::fs::read_to_string(root().join("action.yml")).unwrap(), "action.yml");
    let shell = std::fs::read_to_string(root().join("packaging/action/run.sh")).unwrap();
    let step = &action["runs"]["steps"][1];
    for (name, value) in step["env"].as_mapping().unwrap() {
        let (name, value) = (name.as_str().unwrap(), value.as_str().unwrap());
        if let Some(input) = name.strip_prefix("INPUT_") {
            assert!(shell.contains(name), "run.sh does not read {name}");
            assert_eq!(value, format!("${{{{ inputs.{} }}}}", input.to_lowercase()));
            assert!(action["inputs"].get(input.to_lowercase().as_str()).is_some(), "there is no input {input}");
        }
    }
    for (name, output) in action["outputs"].as_mapping().unwrap() {
        let name = name.as_str().unwrap();
        assert_eq!(output["value"].as_str().unwrap(), format!("${{{{ steps.run.outputs.{name} }}}}"));
        assert!(shell.contains(&format!("\"{name}=")), "run.sh does not write {name}");
    }
}

#[test]
fn shell_scripts_parse() {
    for script in
        ["packaging/action/run.sh", "packaging/action/install.sh", "packaging/install.sh", "packaging/test-deb.sh"]
    {
        let output = Command::new("bash").arg("-n").arg(root().join(script)).output().unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
        if has_program("shellcheck") {
            let output = Command::new("shellcheck").arg(root().join(script)).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

/// The shell installer on a release that a `curl` of the test's own hands out: it installs what the checksum fits, and nothing
/// else.
#[test]
fn the_installer_checks_what_it_installs() {
    let dir = tempfile::tempdir().unwrap();
    let script = r#"
        set -eu
        mkdir -p bin release home
        printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\ncp "$RELEASE/${3##*/}" "$2"\n' >bin/curl
        printf '#!/bin/sh\necho "$SYSTEM"\n' >bin/uname
        chmod +x bin/curl bin/uname
        name=recovery-9.9.9-x86_64-unknown-linux-musl
        mkdir "$name"
        printf '#!/bin/sh\necho recovery 9.9.9\n' >"$name/recovery"
        tar -czf "release/$name.tar.gz" "$name"
        (cd release && (sha256sum "$name.tar.gz" || shasum -a 256 "$name.tar.gz") >"$name.tar.gz.sha256") 2>/dev/null
        export RELEASE="$PWD/release" HOME="$PWD/home" PATH="$PWD/bin:$PATH" RECOVERY_VERSION=9.9.9
        # `uname -s` and `uname -m` give the same word here.
        SYSTEM=Plan9 sh "$INSTALL" 2>&1 && exit 1
        sed -i.old 's/uname -m/echo x86_64/; s/uname -s/echo Linux/' "$COPY"
        sh "$COPY"
        "$HOME/.local/bin/recovery"
        rm "$HOME/.local/bin/recovery"
        echo damaged >>"release/$name.tar.gz"
        sh "$COPY" 2>&1 && exit 1
        [ ! -e "$HOME/.local/bin/recovery" ]
    "#;
    let (install, copy) = (root().join("packaging/install.sh"), dir.path().join("install.sh"));
    std::fs::copy(&install, &copy).unwrap();
    let out = Command::new("bash")
        .args(["-c", script])
        .env("INSTALL", &install)
        .env("COPY", &copy)
        .env_remove("RECOVERY_BIN")
        .current_dir(dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{text}{}", String::from_utf8_lossy(&out.stderr));
    for line in ["there is no build for Plan9", "installed recovery 9.9.9", "add ", "the checksum of recovery-9.9.9"] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// The arguments of each `recovery` command in a snippet, as far as one line of shell has it.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("$ ").trim_start_matches("- ");
        let line = line.strip_prefix("command: ").or_else(|| line.strip_prefix("run: ")).unwrap_or(line);
        let line = line.strip_prefix("sh '").and_then(|line| line.strip_suffix('\'')).unwrap_or(line);
        let Some(arguments) = line.strip_prefix("recovery ") else { continue };
        let mut words = vec!["recovery".to_owned()];
        for word in
            arguments.split_whitespace().take_while(|word| !["|", ">", "<", "&&", "#", ">>", "2>&1"].contains(word))
        {
            words.push(word.trim_matches(['\'', '"']).to_owned());
        }
        commands.push(words);
    }
    commands
}

#[test]
fn every_command_in_the_ci_document_is_accepted() {
    let text = std::fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let mut count = 0;
    for (language, block) in blocks(&text) {
        for words in commands(&block) {
            let parsed = recovery_cli::command().try_get_matches_from(&words);
            assert!(parsed.is_ok(), "{language}: {words:?}: {}", parsed.unwrap_err());
            count += 1;
        }
        let depth = |open: char, close: char| block.matches(open).count() == block.matches(close).count();
        assert!(depth('{', '}') && depth('(', ')') && depth('[', ']'), "{language}: brackets\n{block}");
    }
    assert!(count >= 8, "{count}");
}
