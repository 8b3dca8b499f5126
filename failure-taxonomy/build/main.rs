//! Compiles `packs/` into constant tables, so that a process that starts has nothing to parse.
//!
//! In: `packs/field/*.toml` and `packs/documented.toml`. Out: `packs.rs` in `OUT_DIR`, with the rows of each pack, the
//! literals that the scan looks for (`literals.rs`) with its tables (`scanner.rs`) and the rows of each literal, the files and
//! the line of each row. A mistake ends the build with the file and the line of its row.

#![allow(clippy::disallowed_methods, reason = "the library does no input or output; its build does")]

#[path = "../src/pack/format.rs"]
#[allow(dead_code, reason = "the crate uses all of it")]
mod format;
mod literals;
mod rarity;
#[allow(dead_code, reason = "the crate and its tests use the rest of it")]
pub(crate) mod scanner;

use format::{Fragments, Guard, UserIndicator};
use recovery_types::ErrorType;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A file of a pack.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct PackFile {
    #[serde(default)]
    fragment: Fragments,
    indicator: Vec<toml::Spanned<UserIndicator>>,
}

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/pack/format.rs");
    println!("cargo::rerun-if-changed=src/scan");
    println!("cargo::rerun-if-changed=packs");
    if let Err(mistake) = write_tables() {
        // A panic would bury the message under a backtrace.
        println!("cargo::error={}", mistake.to_string().replace('\n', "\ncargo::error="));
        std::process::exit(1);
    }
}

fn write_tables() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir("packs/field")?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let tables = pack("FIELD", &files)? + &pack("DOCUMENTED", &[PathBuf::from("packs/documented.toml")])?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("packs.rs"), tables)?;
    Ok(())
}

/// The tables of the pack `name`.
pub(crate) fn pack(name: &str, files: &[PathBuf]) -> Result<String, Box<dyn Error>> {
    let (mut rows, mut lines, mut sources) = (String::new(), String::new(), String::new());
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut searched = Searched::default();
    let mut count = 0;
    for path in files {
        let file = path.display().to_string().replace('\\', "/");
        let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
        let parsed: PackFile = toml::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
        for spanned in parsed.indicator {
            let line = text[..spanned.span().start].matches('\n').count() + 1;
            let source = format!("{file}:{line}");
            let row = spanned.into_inner();
            let id = row.id.clone();
            let text = row.text.clone();
            let (pattern, row) =
                row_of(row, &parsed.fragment).map_err(|mistake| format!("{source}: {id}: {mistake}"))?;
            if let Some(other) = known.insert(id.clone(), source.clone()) {
                return Err(format!("{source}: the id {id} is taken by {other}").into());
            }
            searched.add(count, &text, pattern.as_deref());
            writeln!(rows, "    {row},")?;
            write!(lines, "{line}, ")?;
            count += 1;
        }
        write!(sources, "({file:?}, {count}), ")?;
    }
    Ok(format!(
        "/// The rows of the {name} pack.\npub(crate) static {name}: [Indicator<'static>; {count}] = [\n{rows}];\n\
         /// Its files, each with the number of rows up to its end.\n\
         static {name}_FILES: [(&str, usize); {files}] = [{sources}];\n\
         /// The line of each row in its file.\nstatic {name}_LINES: [u16; {count}] = [{lines}];\n{searched}",
        files = files.len(),
        searched = searched.tables(name),
    ))
}

/// What the scan looks for, each with the rows that it is looked for.
#[derive(Default)]
struct Searched(BTreeMap<String, Vec<(usize, bool)>>);

impl Searched {
    fn add(&mut self, row: usize, text: &str, pattern: Option<&str>) {
        match pattern.and_then(|pattern| literals::required(text, pattern)) {
            None => self.0.entry(text.to_owned()).or_default().push((row, true)),
            Some(literals) => {
                literals.into_iter().for_each(|literal| self.0.entry(literal).or_default().push((row, false)));
            }
        }
    }

    fn tables(&self, name: &str) -> String {
        let literals: Vec<&String> = self.0.keys().collect();
        let (mut starts, mut rows) = (vec![0], Vec::new());
        for of_literal in self.0.values() {
            rows.extend(
                of_literal.iter().map(|(row, is_text)| format!("Searcher {{ row: {row}, is_text: {is_text} }}")),
            );
            starts.push(rows.len());
        }
        format!(
            "/// What the scan of the {name} pack looks for.\npub(crate) static {name}_LITERALS: [&str; {}] = {literals:?};\n\
             /// Finds them.\npub(crate) static {name}_SCANNER: StaticScanner = {scanner};\n\
             /// The rows that each is looked for, and where those of each start.\n\
             static {name}_SEARCHERS: [Searcher; {}] = [{}];\nstatic {name}_STARTS: [u16; {}] = {starts:?};\n",
            literals.len(),
            rows.len(),
            rows.join(", "),
            starts.len(),
            scanner = scanner::source(&scanner::scanner(&literals)),
        )
    }
}

/// The pattern of a row, and the row as a Rust expression.
fn row_of(mut row: UserIndicator, fragments: &Fragments) -> Result<(Option<String>, String), String> {
    row.expand(fragments).map_err(|name| format!("there is no fragment {name:?} in this file"))?;
    let error_type = ErrorType::from_name(&row.error_type)
        .ok_or_else(|| format!("there is no error type {:?}; `recovery rules list` shows some", row.error_type))?;
    if row.text.len() < 3 || row.text.contains(['\n', '\r']) {
        return Err("the text must be on one line and have three bytes or more".to_owned());
    }
    if row.text != row.text.to_ascii_lowercase() {
        return Err("the text must be in lower case; matching ignores case".to_owned());
    }
    if row.hits.as_ref().is_none_or(String::is_empty) {
        return Err("the row needs `hits`, a line that it counts on".to_owned());
    }
    let guard = row.guard();
    let is_guarded = guard != Guard { aside: guard.aside, ..Guard::default() };
    match row.misses.as_deref() {
        None if is_guarded => {
            return Err("a row with a guard needs `misses`, a line that it does not count on".to_owned());
        }
        Some(_) if !is_guarded => return Err("a row without a guard needs no `misses`: nothing could fail".to_owned()),
        Some(line) if !line.to_ascii_lowercase().contains(&row.text) => {
            return Err("`misses` must contain the text of the row; otherwise it cannot fail".to_owned());
        }
        _ => {}
    }
    for pattern in [&row.pattern, &row.unless].into_iter().flatten() {
        let mut parser = regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build();
        parser.parse(pattern).map_err(|error| format!("its pattern is no regular expression: {error}"))?;
    }
    let UserIndicator { id, text, strength, role, tool, .. } = &row;
    let [hits, misses] = [&row.hits, &row.misses].map(|line| line.as_deref().unwrap_or_default());
    let expression = format!(
        "Indicator {{ id: {id:?}, text: {text:?}, failure_type: ErrorType::{error_type:?}.failure_type(), \
         error_type: ErrorType::{error_type:?}, strength: Strength::{strength:?}, role: Role::{role:?}, \
         guard: {guard:?}, tool: {tool:?}, hits: {hits:?}, misses: {misses:?} }}"
    );
    Ok((row.pattern.clone(), expression))
}
