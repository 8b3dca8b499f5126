//! The field pack and the engine on the committed corpus: what `docs/accuracy.md` reports must not get worse unnoticed.

use failure_taxonomy::{PackName, Taxonomy};
use recovery_engine::Engine;
use recovery_score::{LabelledOutput, Score};
use recovery_types::Permille;

fn cases() -> Vec<LabelledOutput> {
    include_str!("../../corpus/own.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn score(pack: PackName) -> Score {
    Score::of(&Taxonomy::builder(pack).build().unwrap(), &cases())
}

fn wrong(score: &Score) -> String {
    score.wrong.iter().map(|w| format!("{} is {}, read as {}\n", w.id, w.expected, w.got)).collect()
}

#[test]
fn the_field_pack_is_right_on_the_corpus() {
    let score = score(PackName::Field);
    assert!(score.failure_type.macro_f1 >= Permille::new(950), "{}", wrong(&score));
    assert!(score.error_type.accuracy >= Permille::new(950), "{}", wrong(&score));
    assert!(score.benign_read_as_failure * 50 <= score.benign, "{}", wrong(&score));
}

#[test]
fn class_and_level_are_right_on_the_corpus() {
    let score = Score::of_engine(&Engine::new(PackName::Field), &cases());
    assert!(score.class.accuracy >= Permille::new(970), "{}", wrong(&score));
    assert!(score.entry_level.accuracy >= Permille::new(950), "{}", wrong(&score));
}

#[test]
fn the_field_pack_is_far_ahead_of_the_documented_one() {
    let (field, documented) = (score(PackName::Field), score(PackName::Documented));
    assert!(field.failure_type.macro_f1 > documented.failure_type.macro_f1.plus(200));
}
