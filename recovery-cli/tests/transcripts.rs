//! What the documents show is what the program prints: every console block of `tests/cmd/*.trycmd`, of docs/run.md and of
//! README.md (there only blocks after a line `<!-- transcript -->`) is run in a copy of `tests/cmd/project` and compared.
//!
//! A block has lines `$ COMMAND`, each followed by what it prints on both streams, and `[exit code N]` where that is not 0.
//! `[..]` matches anything within a line, a line `...` any lines. `RECOVERY_UPDATE=1 cargo test -p
//! recovery-cli --test transcripts` writes what is printed now in the place of what differs; read the diff. It also draws
//! docs/first-screen.svg, the picture of `tests/cmd/first-screen.trycmd`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One command with what it is expected to print.
struct Step {
    command: String,
    expected: Vec<String>,
}

/// The document's text between its console blocks, and the blocks.
enum Part {
    Text(String),
    Block(Vec<Step>),
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn parts(text: &str, only_marked: bool) -> Vec<Part> {
    let mut parts = vec![Part::Text(String::new())];
    let (mut in_block, mut last) = (false, "");
    for line in text.lines() {
        match (parts.last_mut(), in_block) {
            (Some(Part::Block(_)), true) if line == "```" => {
                in_block = false;
                parts.push(Part::Text("```\n".to_owned()));
            }
            (Some(Part::Block(steps)), true) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { command: command.to_owned(), expected: Vec::new() }),
                (None, Some(step)) => step.expected.push(line.to_owned()),
                (None, None) => panic!("a console block begins with `$ COMMAND`, not {line:?}"),
            },
            (Some(Part::Text(before)), _) => {
                before.push_str(&format!("{line}\n"));
                if line == "```console" && (!only_marked || last == "<!-- transcript -->") {
                    in_block = true;
                    parts.push(Part::Block(Vec::new()));
                }
            }
            _ => unreachable!("a block is followed by text"),
        }
        last = line;
    }
    parts
}

/// A copy of the project of the examples.
fn project() -> tempfile::TempDir {
    let dir = tempfile::Builder::new().prefix("shop").tempdir().unwrap();
    let copied = Command::new("cp").arg("-R").arg(tests().join("cmd/project/.")).arg(dir.path()).status().unwrap();
    assert!(copied.success());
    dir
}

/// What a command prints, with its exit code where that is not 0.
fn printed(dir: &Path, command: &str) -> Vec<String> {
    let bin = Path::new(env!("CARGO_BIN_EXE_recovery")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.current_dir(dir).args(["-c", &format!("set -o pipefail\nexec 2>&1\n{command}")]);
    shell.env_clear().env("PATH", path).env("HOME", dir).env("TZ", "UTC").env("LANG", "C.UTF-8");
    let out = shell.output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).replace(&dir.display().to_string(), "/shop");
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    match out.status.code() {
        Some(0) => {}
        code => lines.push(format!("[exit code {}]", code.unwrap_or(-1))),
    }
    lines
}

/// Whether `line` matches the pattern with its `[..]`.
fn line_matches(pattern: &str, line: &str) -> bool {
    let mut pieces = pattern.split("[..]");
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut ends_open = false;
    for piece in pieces {
        ends_open = piece.is_empty();
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    ends_open || rest.is_empty() || (pattern.contains("[..]") && line.ends_with(pattern.rsplit("[..]").next().unwrap()))
}

fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first == "..." => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(line, after)| line_matches(first, line) && matches(rest, after))
        }
    }
}

/// Runs a document's blocks in one project. What differs is written into the document, or is the panic's message.
fn check(path: &Path, only_marked: bool) {
    let updates = std::env::var_os("RECOVERY_UPDATE").is_some();
    let text = std::fs::read_to_string(path).unwrap();
    let dir = project();
    let (mut now, mut wrong) = (String::new(), String::new());
    for part in parts(&text, only_marked) {
        let steps = match part {
            Part::Text(text) => {
                now += &text;
                continue;
            }
            Part::Block(steps) => steps,
        };
        for step in steps {
            let blank =
                step.expected.len() - step.expected.iter().rposition(|line| !line.is_empty()).map_or(0, |at| at + 1);
            let expected = &step.expected[..step.expected.len() - blank];
            let printed = printed(dir.path(), &step.command);
            let is_right = matches(expected, &printed);
            let shown = if is_right { expected.to_vec() } else { printed };
            if !is_right {
                wrong += &format!(
                    "$ {}\n--- expected\n{}\n--- printed\n{}\n",
                    step.command,
                    expected.join("\n"),
                    shown.join("\n")
                );
            }
            now += &format!("$ {}\n", step.command);
            now.extend(shown.iter().map(|line| format!("{line}\n")));
            now.extend(std::iter::repeat_n("\n", blank));
        }
    }
    if updates && now != text {
        std::fs::write(path, now).unwrap();
    } else {
        assert!(wrong.is_empty(), "{}:\n{wrong}", path.display());
    }
}

fn transcripts() -> BTreeSet<PathBuf> {
    let all = std::fs::read_dir(tests().join("cmd")).unwrap().map(|entry| entry.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|extension| extension == "trycmd")).collect()
}

#[test]
fn every_command_prints_what_its_transcript_shows() {
    std::thread::scope(|scope| {
        for path in transcripts() {
            scope.spawn(move || check(&path, false));
        }
    });
}

#[test]
fn documents_show_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    check(&root.join("docs/run.md"), false);
    check(&root.join("README.md"), true);
}

#[test]
fn every_command_has_a_transcript_and_examples() {
    let command = recovery_cli::command();
    let known: BTreeSet<String> =
        transcripts().iter().map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let name = sub.get_name();
        assert!(known.contains(name), "tests/cmd/{name}.trycmd is missing");
        has_examples(name, sub);
    }
}

fn has_examples(name: &str, command: &clap::Command) {
    let help = command.clone().render_long_help().to_string();
    assert!(help.contains("Examples:\n"), "{name} --help has no examples");
    assert!(help.contains("recovery "), "{name} --help has no examples");
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        has_examples(&format!("{name} {}", sub.get_name()), sub);
    }
}

#[test]
fn the_picture_is_drawn_from_its_transcript() {
    let text = std::fs::read_to_string(tests().join("cmd/first-screen.trycmd")).unwrap();
    let lines: Vec<&str> =
        text.lines().skip_while(|line| *line != "```console").skip(1).take_while(|l| *l != "```").collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/first-screen.svg");
    let lines: Vec<String> = lines.iter().map(|line| line.replace("[..]", "…")).collect();
    let picture = picture(&lines);
    if std::env::var_os("RECOVERY_UPDATE").is_some() {
        std::fs::write(&path, &picture).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), picture, "docs/first-screen.svg is out of date");
}

/// A terminal's lines as SVG: text, readable in light and dark.
fn picture(lines: &[String]) -> String {
    const LINE: usize = 20;
    let widest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    // 8.4 is the width of a letter at 14 px in every common monospace face.
    let (width, height) = (widest * 42 / 5 + 40, lines.len() * LINE + 32);
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut rows = String::new();
    for (index, line) in lines.iter().enumerate() {
        let y = 30 + index * LINE;
        let row = if let Some(command) = line.strip_prefix("$ ") {
            format!("<tspan class=\"dim\">$ </tspan><tspan class=\"cmd\">{}</tspan>", escaped(command))
        } else if let Some(said) = line.strip_prefix("recovery:") {
            let class = if said.contains(" worked ") { "good" } else { "ours" };
            format!("<tspan class=\"dim\">recovery:</tspan><tspan class=\"{class}\">{}</tspan>", escaped(said))
        } else {
            escaped(line)
        };
        if !line.is_empty() {
            rows += &format!("  <text x=\"20\" y=\"{y}\" xml:space=\"preserve\">{row}</text>\n");
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"A terminal: recovery run retries a dropped connection, recovery classify names a \
         compile error, recovery report says what needs a person\">\n\
         <style>\n  rect {{ fill: #f6f8fa; stroke: #d0d7de; }}\n  \
         text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", monospace; fill: #1f2328; }}\n  \
         .dim {{ fill: #59636e; }} .cmd {{ font-weight: 600; }} .ours {{ fill: #9a3412; }} .good {{ fill: #116329; }}\n  \
         @media (prefers-color-scheme: dark) {{\n    rect {{ fill: #0d1117; stroke: #30363d; }} text {{ fill: #e6edf3; }}\n    \
         .dim {{ fill: #9198a1; }} .ours {{ fill: #ffa657; }} .good {{ fill: #56d364; }}\n  }}\n</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n{rows}</svg>\n",
        width - 1,
        height - 1
    )
}
