//! What a package installs beside the program: completions, manual pages, and the version for reports of bugs.

mod common;

use common::recovery;
use std::path::Path;
use std::process::Command;

fn text(args: &[&str]) -> String {
    let output = recovery(Path::new("/"), args, b"");
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let command = recovery_cli::command();
    let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    visible.map(|sub| sub.get_name().to_owned()).filter(|name| name != "help").collect()
}

fn has_program(name: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {name}")]).output().unwrap().status.success()
}

#[test]
fn every_shell_has_completions_for_every_command() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&["completions", shell]);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell}: no {command}");
        }
        assert!(!script.contains("__in-session"), "{shell} completes a command that only `run` starts");
    }
    let unknown = recovery(Path::new("/"), &["completions", "tcsh"], b"");
    assert_eq!(unknown.status.code(), Some(2));
}

/// In the shells that are on this machine.
#[test]
fn real_shells_complete_commands_options_and_values() {
    let dir = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/complete.sh");
    for shell in ["bash", "zsh", "fish"].into_iter().filter(|shell| has_program(shell)) {
        let completions = dir.path().join(shell);
        std::fs::write(&completions, text(&["completions", shell])).unwrap();
        let complete = |line: &str| {
            let mut command = Command::new("bash");
            command.arg(&script).args([shell, completions.to_str().unwrap(), line]);
            let output = command.env("HOME", dir.path()).output().unwrap();
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        for (line, expected) in [
            ("recovery cl", "classify"),
            ("recovery scan --exi", "--exit-code"),
            ("recovery scan --color al", "always"),
            ("recovery completions z", "zsh"),
        ] {
            if shell == "fish" && expected == "zsh" {
                continue; // clap_complete writes no values of positional arguments for fish
            }
            let found = complete(line);
            assert!(
                found.split_whitespace().any(|word| word.trim_end_matches('=') == expected),
                "{shell}: `{line}` gave {found:?}"
            );
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("share/man1");
    text(&["man", "--dir", pages.to_str().unwrap()]);
    for command in commands() {
        let page = std::fs::read_to_string(pages.join(format!("recovery-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
    let first = std::fs::read_to_string(pages.join("recovery.1")).unwrap();
    assert_eq!(text(&["man"]), first);
    assert!(first.contains(".TH recovery 1"), "{first}");
    if has_program("man") && has_program("groff") {
        for page in std::fs::read_dir(&pages).unwrap() {
            let page = page.unwrap().path();
            let output =
                Command::new("man").args(["--warnings", "-l"]).arg(&page).env("MANPAGER", "cat").output().unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{page:?}: {output:?}");
        }
    }
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let refused = recovery(Path::new("/"), &["man", "--dir", file.to_str().unwrap()], b"");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("cannot write the manual pages to "));
}

#[test]
fn the_long_version_names_everything_that_decides_an_answer() {
    let short = text(&["--version"]);
    assert_eq!(short, concat!("recovery ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = text(&["--version", "--verbose"]);
    for same in [["-v", "--version"], ["-V", "-v"], ["--verbose", "-V"]] {
        assert_eq!(text(&same), long);
    }
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[0], short.trim_end());
    assert!(lines[1].starts_with("commit  ") && lines[1].len() > "commit  ".len(), "{long}");
    assert!(lines[2].starts_with("target  "), "{long}");
    for (line, pack) in lines[3..5].iter().zip(["field", "documented"]) {
        let (name, hash) = line.strip_prefix("pack    ").unwrap().rsplit_once(' ').unwrap();
        assert!(name.starts_with(pack) && name.ends_with(" indicators,"), "{line}");
        assert!(hash.len() == 12 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()), "{line}");
    }
    assert!(lines[5].starts_with("sqlite  3."), "{long}");
}
