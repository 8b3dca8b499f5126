//! `recovery problems` as people and programs meet it: the table, and each form that another tool reads.

use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A log with a failing compiler, a linter and a build tool, one after the other.
const LOG: &str = "\
$ npm run lint && make
/project/src/app.js
  2:10  error    'unused' is defined but never used  no-unused-vars
  3:11  warning  Strings must use singlequote        quotes

\u{2716} 2 problems (1 error, 1 warning)
gcc -c src/main.c -o main.o
src/main.c: In function 'main':
src/main.c:4:5: error: 'foo' undeclared (first use in this function)
src/main.c:4:5: note: each undeclared identifier is reported only once for each function it appears in
src/main.c:9:7: warning: unused variable 'x' [-Wunused-variable]
make: *** [Makefile:2: main.o] Error 1
";

fn recovery_in(dir: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_recovery"))
        .current_dir(dir)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What the command prints; it must succeed.
fn problems(args: &[&str], input: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let out = recovery_in(dir.path(), &[&["problems"], args].concat(), input);
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    String::from_utf8(out.stdout).unwrap()
}

fn json(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&problems(args, input)).unwrap()
}

fn assert_valid(schema: &Value, answer: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(answer).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{answer}");
}

#[test]
fn a_table_for_people() {
    insta::assert_snapshot!(problems(&[], LOG));
}

#[test]
fn what_is_not_wanted_is_left_out() {
    let severities = |args: &[&str]| -> Vec<String> {
        let answer = json(&[args, &["--format", "json"]].concat(), LOG);
        let problems = answer["problems"].as_array().unwrap();
        assert_eq!(problems[answer["root"].as_u64().unwrap() as usize]["file"], "src/main.c", "the root cause stays");
        problems.iter().map(|problem| problem["severity"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(severities(&["--min-severity", "warning"]).iter().filter(|name| *name == "note").count(), 0);
    assert!(severities(&["--only", "errors"]).iter().all(|name| name == "error"));
    let tests = json(&["--only", "tests", "--format", "json"], LOG);
    assert_eq!((tests["problems"].as_array().unwrap().len(), &tests["root"]), (0, &Value::Null));
}

#[test]
fn a_text_without_problems() {
    assert_eq!(problems(&[], "all fine\n"), "no problems found\n");
    assert_eq!(json(&["--format", "json"], ""), serde_json::json!({"problems": [], "root": null}));
}

#[test]
fn json_matches_its_schema() {
    let schema = recovery_in(Path::new("."), &["schema", "problems"], "");
    assert_valid(&serde_json::from_slice(&schema.stdout).unwrap(), &json(&["--format", "json"], LOG));
}

#[test]
fn sarif_matches_the_published_schema() {
    let schema = include_str!("sarif/sarif-schema-2.1.0.json");
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    // Its pattern for languages has a bracket too many for this crate's regular expressions; no language is given.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern");
    }
    let odd =
        "C:\\x y\\a%b.cs(7,13): error CS0103: The name 'é' does not exist [/p/a.csproj]\nfatal: not a git repository\n";
    for text in [LOG, odd, ""] {
        let log = json(&["--format", "sarif"], text);
        assert_valid(&schema, &log);
    }
    let log = json(&["--format", "sarif"], LOG);
    let results = log["runs"].as_array().unwrap().iter().flat_map(|run| run["results"].as_array().unwrap());
    assert!(results.clone().any(|result| result["ruleId"] == "no-unused-vars"));
    assert!(results.clone().any(|result| result["locations"][0]["physicalLocation"]["region"]["startLine"] == 4));
}

#[test]
fn github_annotations_are_workflow_commands() {
    let out = problems(&["--format", "github", "--only", "errors"], LOG);
    assert!(
        out.contains("::error file=src/main.c,line=4,col=5,title=gcc::'foo' undeclared (first use in this function)\n"),
        "{out}"
    );
    assert!(are_commands(&out), "{out}");
}

/// Whether every line is `::name key=value,...::message` with nothing in a value that ends it.
fn are_commands(out: &str) -> bool {
    out.lines().all(|line| {
        let Some(rest) = line.strip_prefix("::") else { return false };
        let Some((head, _)) = rest.split_once("::") else { return false };
        let (name, properties) = head.split_once(' ').unwrap_or((head, ""));
        ["error", "warning", "notice"].contains(&name)
            && properties.split(',').filter(|one| !one.is_empty()).all(|one| {
                one.split_once('=').is_some_and(|(key, value)| {
                    ["file", "line", "endLine", "col", "endColumn", "title"].contains(&key) && !value.contains(':')
                })
            })
    })
}

#[test]
fn a_hostile_message_cannot_add_a_command() {
    let text = "a.c:1:1: error: x ::set-output name=a::b 100% %0A::error::y\n";
    let out = problems(&["--format", "github"], text);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.contains("100%25 %250A"), "{out}");
}

#[test]
fn rdjson_has_a_diagnostic_per_place() {
    let result = json(&["--format", "rdjson", "--only", "errors"], LOG);
    let first = &result["diagnostics"][0];
    assert_eq!(first["location"]["path"], "/project/src/app.js");
    assert_eq!(first["location"]["range"]["start"], serde_json::json!({"line": 2, "column": 10}));
    assert_eq!((&first["severity"], &first["code"]["value"]), (&"ERROR".into(), &"no-unused-vars".into()));
}

#[test]
fn junit_is_xml_for_ci() {
    insta::assert_snapshot!(problems(&["--format", "junit", "--only", "errors"], LOG));
}

#[test]
fn a_project_adds_matchers() {
    let dir = tempfile::tempdir().unwrap();
    let settings = r#"
matcher_files = ["frob.json"]

[[matcher]]
id = "gizmo"
regexp = '^gizmo: (?<file>\S+) @(?<line>\d+) (?<severity>E|W) (?<message>.+)$'

[[matcher]]
id = "vimmish"
errorformat = ["%E%f<%l>: %m", "%C  %m"]
"#;
    let frob = r#"{"problemMatcher": [{"owner": "frob", "severity": "warning", "pattern": [
        {"regexp": "^FROB (\\S+)$", "file": 1},
        {"regexp": "^\\s+(\\d+)\\s+(.+)$", "line": 1, "message": 2, "loop": true}]}]}"#;
    std::fs::write(dir.path().join("recovery.toml"), settings).unwrap();
    std::fs::write(dir.path().join("frob.json"), frob).unwrap();
    let text = "gizmo: a.gz @7 E misaligned\nFROB b.fr\n  3  loose\n  9  tight\nc.vm<4>: first\n  second\n";
    let out = recovery_in(dir.path(), &["problems", "--format", "json"], text);
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"));
    let all: Vec<String> = answer["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            format!("{} {} {}:{} {}", p["tool"], p["severity"], p["file"], p["line"], p["message"]).replace('"', "")
        })
        .collect();
    assert_eq!(
        all,
        [
            "gizmo error a.gz:7 misaligned",
            "frob warning b.fr:3 loose",
            "frob warning b.fr:9 tight",
            "vimmish error c.vm:4 first\\nsecond",
        ]
    );
}

#[test]
fn a_matcher_that_cannot_be_used_is_shown_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    for (settings, expected) in [
        ("[[matcher]]\nid = \"x\"\nregexp = '('\n", "matcher `x`"),
        ("[[matcher]]\nid = \"x\"\n", "needs one of `regexp`, `pattern` and `errorformat`"),
        ("[[matcher]]\nid = \"x\"\nerrorformat = '%y'\n", "`%y` is not known"),
        ("matcher_files = [\"nosuch.json\"]\n", "cannot read"),
    ] {
        std::fs::write(dir.path().join("recovery.toml"), settings).unwrap();
        let out = recovery_in(dir.path(), &["problems"], "x\n");
        let error = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{error}");
        assert!(
            error.contains(expected) && error.contains("recovery.toml") || error.contains("nosuch.json"),
            "{error}"
        );
    }
}

#[test]
fn the_form_may_be_given_before_the_command() {
    let after = problems(&["--format", "sarif"], "src/a.c:3:5: error: expected ';'\n");
    for args in [&["--format", "sarif", "problems"][..], &["--format=sarif", "problems", "-"]] {
        let out = recovery_in(Path::new("."), args, "src/a.c:3:5: error: expected ';'\n");
        assert!(out.status.success(), "{out:?}");
        assert_eq!(String::from_utf8(out.stdout).unwrap(), after);
    }
}

/// A line that only reads like an error is a problem where the command failed, and none in healthy output.
/// Surefire 3 puts two dashes between the test and its time.
#[test]
fn a_test_of_surefire_is_called_by_its_name() {
    let log = "[ERROR] com.acme.CalcTest.adds -- Time elapsed: 0.01 s <<< FAILURE!\n\
        org.opentest4j.AssertionFailedError: expected: <3> but was: <4>\n\tat com.acme.CalcTest.adds(CalcTest.java:9)\n";
    assert_eq!(json(&["--format", "json", "--exit-code", "1"], log)["problems"][0]["test"], "com.acme.CalcTest.adds");
}

#[test]
fn healthy_output_has_no_problems() {
    let healthy = "Setting up tzdata ...\ndebconf: delaying package configuration, since apt-utils is not installed\n";
    let passes = "===== PASSES =====\n_____ test_a _____\n----- Captured stdout call -----\nerror: as planned\n===== 1 passed in 0.1s =====\n";
    for text in [healthy, passes] {
        assert_eq!(json(&["--format", "json"], text)["root"], Value::Null, "{text}");
    }
    let failed = json(&["--format", "json", "--exit-code", "1"], healthy);
    assert_eq!(failed["problems"][0]["text_line"], 2);
    let shown = json(&["--format", "json"], "prompt is too long: 1205821 tokens > 200000\n");
    assert_eq!(shown["problems"][0]["severity"], "error");
}

/// What a run that worked printed is no evidence.
#[test]
fn a_baseline_takes_away_what_healthy_runs_print() {
    let dir = tempfile::tempdir().unwrap();
    let healthy = "Error: connect ECONNREFUSED 127.0.0.1:6379, going on without a cache\nserved\n";
    std::fs::write(dir.path().join("green.log"), healthy).unwrap();
    let failed = format!("{healthy}ModuleNotFoundError: No module named 'yaml'\n");
    for (command, expected) in [
        (&["problems", "--format", "json", "--exit-code", "1"][..], "No module named 'yaml'"),
        (&["classify", "--format", "json", "--exit-code", "1"], "missing_dependency"),
        (&["decide", "--dry-run", "--format", "json", "--exit-code", "1"], "missing_dependency"),
    ] {
        let out = recovery_in(dir.path(), &[command, &["--baseline", "green.log"]].concat(), &failed);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.success() && text.contains(expected) && !text.contains("ECONNREFUSED"), "{text}");
    }
}
