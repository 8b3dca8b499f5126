//! Diagnoses the output of a failed command: `cargo run --example diagnose < build.log`.

use failure_taxonomy::{Failure, Taxonomy};
use std::io::{IsTerminal as _, Read as _};

fn main() -> std::io::Result<()> {
    let mut text = Vec::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin().read_to_end(&mut text)?;
    }
    if text.is_empty() {
        text.extend_from_slice(b"curl: (28) Operation timed out after 5000 milliseconds");
    }
    let diagnosis = Taxonomy::field().diagnose(&Failure::new(&text).with_exit_code(1));
    println!("{}", diagnosis.error_type);
    for hit in &diagnosis.indicators {
        println!("  line {}: {}", hit.line, hit.text);
    }
    Ok(())
}
