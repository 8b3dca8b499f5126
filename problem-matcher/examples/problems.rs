//! Lists the problems in a tool's output: `cargo run --example problems < build.log`.

use std::io::{IsTerminal as _, Read as _};

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin().read_to_string(&mut text)?;
    }
    if text.is_empty() {
        text.push_str("src/main.c:3:5: error: expected ';' before 'return'\n");
    }
    let report = problem_matcher::find(&text);
    for (index, problem) in report.problems.iter().enumerate() {
        let mark = if report.root == Some(index) { "root " } else { "" };
        println!("{mark}{}: {}", problem.severity, problem.message);
    }
    Ok(())
}
