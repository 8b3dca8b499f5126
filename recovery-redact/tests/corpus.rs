//! Made-up secrets of every kind are taken out.

#[path = "common/kinds.rs"]
mod kinds;

use recovery_redact::redact;

#[test]
fn no_secret_is_left() {
    let samples = kinds::samples(2 * kinds::KINDS);
    assert!(kinds::KINDS >= 150 && samples.len() >= 300, "{} kinds", kinds::KINDS);
    let left = samples.iter().filter(|sample| kinds::is_left(&sample.secret, &redact(&sample.text)));
    let (structured, plain): (Vec<_>, Vec<_>) = left.partition(|sample| sample.is_structured);
    let shown =
        |sample: &&kinds::Sample| format!("{}: {:?} became {:?}", sample.kind, sample.text, redact(&sample.text));
    let list = |left: &[&kinds::Sample]| left.iter().map(shown).collect::<Vec<_>>().join("\n");
    assert!(structured.is_empty(), "{} of {}:\n{}", structured.len(), samples.len(), list(&structured));
    // A plain value after the name of a secret has no form to recognise it by; those made here are known all the same.
    assert!(plain.is_empty(), "{} of {}:\n{}", plain.len(), samples.len(), list(&plain));
}
