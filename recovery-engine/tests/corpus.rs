//! Class and entry level on the committed corpus: what `docs/accuracy.md` reports must not get worse unnoticed.

use recovery_engine::{Engine, PackName, admit};
use recovery_score::{LabelledOutput, Score, ScoredAnswer};
use recovery_types::{FailureEvent, Permille, Timestamp};

#[test]
fn class_and_level_are_right_on_the_corpus() {
    let engine = Engine::new(PackName::Field);
    let text = include_str!("../../corpus/own.jsonl");
    let cases: Vec<LabelledOutput> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let score = Score::by(&engine.taxonomy, &cases, |case| {
        let event = FailureEvent {
            tool: case.tool.clone(),
            exit_code: case.exit_code.filter(|code| *code != 0).unwrap_or(1),
            stderr_tail: case.text.clone(),
            ..FailureEvent::default()
        };
        let assessment = engine.assess(&admit(event), Timestamp::from_ms(0)).unwrap();
        ScoredAnswer { class: Some(format!("{:?}", assessment.classification.class)), diagnosis: assessment.diagnosis }
    });
    let wrong =
        || score.wrong.iter().map(|w| format!("{} is {}, read as {}\n", w.id, w.expected, w.got)).collect::<String>();
    assert!(score.class.accuracy >= Permille::new(970), "{}", wrong());
    assert!(score.entry_level.accuracy >= Permille::new(950), "{}", wrong());
}
