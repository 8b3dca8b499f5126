//! The published schemas (docs/schemas) are those that the program prints, and what it reads and writes fits them.
//! `RECOVERY_UPDATE=1 cargo test -p recovery-cli --test schemas` writes them.

mod common;

use common::recovery;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schemas")
}

fn printed(args: &[&str]) -> String {
    let out = recovery(&std::env::temp_dir(), args, b"");
    assert!(out.status.success(), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

fn schema(name: &str) -> jsonschema::Validator {
    jsonschema::validator_for(&serde_json::from_str(&printed(&["schema", name])).unwrap()).unwrap()
}

/// A schema without its descriptions: another word for a field does not make it another format.
fn shape(schema: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, value| name != "description" || !value.is_string());
                fields.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut schema = serde_json::from_str(schema).unwrap();
    strip(&mut schema);
    schema
}

#[test]
fn the_published_schemas_are_up_to_date() {
    let list = printed(&["schema", "--list"]);
    let names: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"settings") && names.contains(&"journal-record"), "{list}");
    for name in &names {
        let path = published().join(format!("{name}.json"));
        let now = printed(&["schema", name]);
        assert!(!now.contains("```"), "{name}: an example in Rust helps nobody here");
        if std::env::var_os("RECOVERY_UPDATE").is_some() {
            std::fs::create_dir_all(published()).unwrap();
            std::fs::write(&path, &now).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{} is missing", path.display()));
        assert_eq!(shape(&kept), shape(&now), "{} is out of date", path.display());
    }
    let files = std::fs::read_dir(published()).unwrap().count();
    assert_eq!(files, names.len(), "docs/schemas has a file that no schema is in");
}

#[test]
fn journals_fit_their_schema() {
    let schema = schema("journal-record");
    for file in ["agent.jsonl", "pipeline.jsonl"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals").join(file);
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let wrong: Vec<String> = schema.iter_errors(&record).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{file}: {wrong:?}\n{line}");
        }
    }
}

#[test]
fn settings_fit_their_schema_and_mistakes_do_not() {
    let schema = schema("settings");
    let settings = |text: &str| serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap();
    let example =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/project/recovery.toml"));
    let whole = "pack = \"field\"\n[ladder.retry]\nattempts = 3\nlimit_ms = 30000\n[workflow]\nnode_repair = true\n\
        [hook]\ndeny_minutes = 10\n[[indicator]]\nid = \"acme.licence\"\ntext = \"licence server unreachable\"\n\
        error_type = \"service_unavailable\"\n";
    for right in [example.unwrap().as_str(), whole, ""] {
        let wrong: Vec<String> = schema.iter_errors(&settings(right)).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}\n{right}");
    }
    for mistake in ["pak = \"field\"", "pack = \"feld\"", "[hook]\ndeny_minutes = \"ten\"", "[run.a]\nnudge = []"] {
        assert!(!schema.is_valid(&settings(mistake)), "{mistake}");
    }
}
