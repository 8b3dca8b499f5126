//! The field pack on the committed corpus: what `docs/accuracy.md` reports must not get worse unnoticed.

use failure_taxonomy::{PackName, Taxonomy};
use recovery_score::{LabelledOutput, Score};
use recovery_types::Permille;

fn score(pack: PackName) -> Score {
    let text = include_str!("../../corpus/own.jsonl");
    let cases: Vec<LabelledOutput> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Score::of(&Taxonomy::builder(pack).build().unwrap(), &cases)
}

#[test]
fn the_field_pack_is_right_on_the_corpus() {
    let score = score(PackName::Field);
    let wrong =
        || score.wrong.iter().map(|w| format!("{} is {}, read as {}\n", w.id, w.expected, w.got)).collect::<String>();
    assert!(score.failure_type.macro_f1 >= Permille::new(950), "{}", wrong());
    assert!(score.error_type.accuracy >= Permille::new(950), "{}", wrong());
    assert!(score.benign_read_as_failure * 50 <= score.benign, "{}", wrong());
}

#[test]
fn the_field_pack_is_far_ahead_of_the_documented_one() {
    let (field, documented) = (score(PackName::Field), score(PackName::Documented));
    assert!(field.failure_type.macro_f1 > documented.failure_type.macro_f1.plus(200));
}
