//! Turns `src/formats/builtin/*.toml` into a constant table, so that the program parses no file at start-up.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files; the crate does not")]

#[allow(dead_code, reason = "shared with the crate, which uses the rest")]
#[path = "src/formats/definition.rs"]
mod definition;

use definition::{Definition, LinePattern, Matching, Text};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(serde::Deserialize)]
struct File {
    matcher: Vec<Definition>,
}

fn main() {
    let folder = Path::new("src/formats/builtin");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=src/formats/definition.rs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    files.sort();
    let mut table = String::from("[\n");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for definition in &file.matcher {
            push_definition(&mut table, definition);
        }
    }
    table.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("builtin.rs");
    std::fs::write(out, table).expect("the output folder is writable");
}

fn push_definition(table: &mut String, definition: &Definition) {
    let Definition { id, tool, kind, severity, matching, example, counter_example } = definition;
    let matching = match matching {
        Matching::Patterns(patterns) => {
            let patterns: Vec<String> = patterns.iter().map(pattern).collect();
            format!("Matching::Patterns(Cow::Borrowed(&[{}]))", patterns.join(","))
        }
        Matching::Errorformat(formats) => format!("Matching::Errorformat({})", texts(formats)),
    };
    writeln!(
        table,
        "Definition {{ id: {}, tool: {}, kind: Kind::{kind:?}, severity: Severity::{severity:?}, matching: {matching}, \
         example: {}, counter_example: {} }},",
        text(id),
        text(tool),
        text(example),
        text(counter_example),
    )
    .expect("a string takes everything");
}

fn pattern(pattern: &LinePattern) -> String {
    let LinePattern { regexp, contains, groups, repeats, optional, within_lines } = pattern;
    let groups: Vec<String> = groups.iter().map(|(field, number)| format!("(Field::{field:?}, {number})")).collect();
    format!(
        "LinePattern {{ regexp: {}, contains: {}, groups: Cow::Borrowed(&[{}]), repeats: {repeats}, optional: {optional}, \
         within_lines: {within_lines} }}",
        text(regexp),
        texts(contains),
        groups.join(","),
    )
}

fn text(text: &Text) -> String {
    format!("Cow::Borrowed({text:?})")
}

fn texts(all: &[Text]) -> String {
    let all: Vec<String> = all.iter().map(text).collect();
    format!("Cow::Borrowed(&[{}])", all.join(","))
}
