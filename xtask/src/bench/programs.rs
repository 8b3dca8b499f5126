//! Programs that are measured from outside, where they are installed.

use super::run_quietly;
use anyhow::Context as _;
use std::path::Path;
use std::process::Command;

/// Another way to search, in a process of its own.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// Program and first arguments; the needles' and the text's paths follow.
    command: Vec<String>,
}

/// More needles than this are not searched for one by one.
const MOST_IN_TURN: usize = 400;

const PYTHON: &str = r#"
import sys, time
needles = open(sys.argv[1]).read().lower().split("\n")
text = open(sys.argv[2], "rb").read().decode("utf-8", "replace")
best = float("inf")
for _ in range(3):
    start = time.perf_counter_ns()
    lower = text.lower()
    found = [needle for needle in needles if needle in lower]
    best = min(best, time.perf_counter_ns() - start)
print(best, len(found))
"#;

const NODE: &str = r#"
const fs = require("fs");
const [needlesPath, textPath] = process.argv.slice(-2);
const needles = fs.readFileSync(needlesPath, "utf8").toLowerCase().split("\n");
const text = fs.readFileSync(textPath, "utf8");
let best = Infinity, found;
for (let i = 0; i < 3; i++) {
  const start = process.hrtime.bigint();
  const lower = text.toLowerCase();
  found = needles.filter((needle) => lower.includes(needle));
  best = Math.min(best, Number(process.hrtime.bigint() - start));
}
console.log(best, found.length);
"#;

impl Program {
    /// Those that this machine has; the others are named, so that a missing column is no riddle.
    pub(super) fn installed(root: &Path, scratch: &Path) -> anyhow::Result<Vec<Self>> {
        let mut programs = Vec::new();
        let mut offer = |name: &'static str, command: Vec<String>, there: bool| {
            if there {
                programs.push(Self { name, command });
            } else {
                eprintln!("{name} is not installed and is left out");
            }
        };
        let hyperscan = scratch.join("hyperscan");
        let source = root.join("failure-taxonomy/benches/hyperscan.c");
        let compiled = run_quietly(Command::new("cc").arg("-O2").arg("-o").arg(&hyperscan).arg(source).arg("-ldl"));
        let sample = [scratch.join("3.needles"), scratch.join("3.text")];
        let runs = compiled.is_ok() && run_quietly(Command::new(&hyperscan).args(sample)).is_ok();
        offer("Hyperscan", vec![hyperscan.display().to_string()], runs);
        let has = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
        let script = |program: &str, flag: &str, code: &str| [program, flag, code].map(String::from).to_vec();
        offer("Python `in`", script("python3", "-c", PYTHON), has("python3"));
        offer("Node `includes`", script("node", "-e", NODE), has("node"));
        Ok(programs)
    }

    /// GB/s on a case; `None` where the program would search for each of so many needles in turn that it takes minutes.
    pub(super) fn measure(&self, scratch: &Path, number: usize) -> anyhow::Result<Option<f64>> {
        let file = |kind: &str| scratch.join(format!("{number}.{kind}"));
        let needles = std::fs::read_to_string(file("needles"))?.lines().count();
        if needles > MOST_IN_TURN && self.name != "Hyperscan" {
            return Ok(None);
        }
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        if self.name.starts_with("Node") {
            command.arg("--");
        }
        let output = run_quietly(command.arg(file("needles")).arg(file("text")))?;
        let nanos = output.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
        let nanos = nanos.with_context(|| format!("{} printed {output:?}", self.name))?;
        Ok(Some(std::fs::metadata(file("text"))?.len() as f64 / nanos))
    }
}
