//! Scores the field pack on two labelled outputs and prints what came out wrong.

use failure_taxonomy::Taxonomy;
use recovery_score::{LabelledOutput, Score};

fn main() {
    let case = |id: &str, text: &str, error_type: &str| LabelledOutput {
        id: id.into(),
        text: text.into(),
        exit_code: Some(1),
        error_type: Some(error_type.into()),
        ..LabelledOutput::default()
    };
    let cases = [
        case("curl", "curl: (7) Failed to connect to x port 80", "connection_failure"),
        case("python", "ModuleNotFoundError: No module named 'yaml'", "test_failure"),
    ];
    let score = Score::of(&Taxonomy::field(), &cases);
    assert_eq!(score.error_type.accuracy.get(), 500);
    for wrong in &score.wrong {
        println!("{} is {}, but was diagnosed as {}", wrong.id, wrong.expected, wrong.got);
    }
}
