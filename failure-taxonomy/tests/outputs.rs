//! What tools print, one output a reading: `@@@@ ERROR_TYPE EXIT_CODE TOOL`, then the output. `none` is no failure at all.

use failure_taxonomy::{Failure, Taxonomy};

const OUTPUTS: &str = include_str!("data/outputs.txt");

#[test]
fn every_output_is_read_as_what_it_is() {
    let taxonomy = Taxonomy::field();
    let mut wrong = Vec::new();
    for block in OUTPUTS.split("@@@@ ").skip(1) {
        let (head, text) = block.split_once('\n').expect("a header line");
        let [expected, exit_code, tool] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{head:?} is not `ERROR_TYPE EXIT_CODE TOOL`");
        };
        let got = if expected == "none" {
            if taxonomy.reads_as_failure(text.as_bytes(), Some(tool)) { "a failure" } else { "none" }
        } else {
            let (text, exit_code) = (text.as_bytes(), exit_code.parse().ok());
            let failure = Failure { text, exit_code, tool: Some(tool), ..Failure::default() };
            taxonomy.diagnose(&failure).error_type.name()
        };
        if got != expected {
            wrong.push(format!("{got} instead of {expected}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
