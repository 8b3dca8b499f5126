//! Scores the field pack on labelled failures: `cargo run --release --example score -- CORPUS.jsonl`.

use failure_taxonomy::Taxonomy;
use failure_taxonomy::score::{Case, Score};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a readable corpus");
        let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).expect("a labelled case")).collect();
        let score = Score::of(&Taxonomy::field(), &cases);
        for wrong in score.wrong.iter().filter(|wrong| matches!(wrong.what, "error_type" | "benign")) {
            println!("{} want {} got {} {:?}", wrong.id, wrong.expected, wrong.got, wrong.indicators);
        }
        println!(
            "{path}: {} failures: type macro-F1 {}, class {}, error {}, level {}; {} of {} benign read as failures",
            score.failures,
            score.failure_type.macro_f1,
            score.class.accuracy,
            score.error_type.accuracy,
            score.entry_level.accuracy,
            score.benign_read_as_failure,
            score.benign
        );
    }
}
