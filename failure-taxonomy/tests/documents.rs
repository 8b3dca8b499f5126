//! Every example of the source documents comes out as its document requires, under both packs.

use failure_taxonomy::{Failure, PackName, Taxonomy};
use recovery_types::{FailureType, RecoveryVerb};

fn both() -> impl Iterator<Item = Taxonomy> {
    PackName::ALL.into_iter().map(|pack| Taxonomy::builder(pack).build().unwrap())
}

/// The failure-type document, one example a type.
#[test]
fn failure_type_document_examples() {
    let examples = [
        ("Error: Cannot find module './utils' from 'src/index.js'", FailureType::BrokenBuild),
        ("AssertionError: Expected 200 but got 404", FailureType::VerificationFailed),
        ("Error: Maximum context length (128k tokens) exceeded", FailureType::ContextExhausted),
        ("Error: Connection refused to database server", FailureType::Unknown),
    ];
    for taxonomy in both() {
        for (text, expected) in examples {
            let diagnosis = taxonomy.diagnose(&Failure { text: text.as_bytes(), ..Failure::default() });
            assert_eq!(diagnosis.failure_type, expected, "{} pack: {text}", taxonomy.pack());
        }
    }
}

/// The failure-type document's three attempts, the third being the current one.
#[test]
fn failure_type_document_circular_example() {
    for taxonomy in both() {
        let diagnosis = taxonomy.diagnose(&Failure {
            approach: Some("Using async await pattern"),
            previous_approaches: &["Using async await for fetch", "Using async/await with try-catch"],
            attempts: 3,
            ..Failure::default()
        });
        assert_eq!(diagnosis.failure_type, FailureType::CircularFix);
        assert!(diagnosis.circular);
        assert_eq!(diagnosis.recovery_action.action, RecoveryVerb::Skip);
        assert!(diagnosis.recovery_action.escalate);
    }
}

/// The failure-type document's indicators, one by one, as it writes them.
#[test]
fn failure_type_document_indicators() {
    let tables = [
        (
            FailureType::BrokenBuild,
            vec![
                "syntax error", "compilation error", "module not found", "import error", "cannot find module",
                "unexpected token", "indentation error", "parse error",
            ],
        ),
        (
            FailureType::VerificationFailed,
            vec!["verification failed", "expected", "assertion", "test failed", "status code"],
        ),
        (FailureType::ContextExhausted, vec!["context", "token limit", "maximum length"]),
    ];
    let taxonomy = Taxonomy::documented();
    for (expected, texts) in &tables {
        for text in texts {
            let shout = format!("xx{}yy", text.to_uppercase());
            let diagnosis = taxonomy.diagnose(&Failure { text: shout.as_bytes(), ..Failure::default() });
            assert_eq!(diagnosis.failure_type, *expected, "{text}");
        }
    }
    assert_eq!(taxonomy.indicators().count(), tables.iter().map(|(_, texts)| texts.len()).sum::<usize>());
}

/// The failure-type document's order: for every pair of types, the one named first in it wins.
#[test]
fn failure_type_document_priority() {
    let witnesses = [
        (FailureType::BrokenBuild, "parse error"),
        (FailureType::VerificationFailed, "test failed"),
        (FailureType::ContextExhausted, "token limit"),
    ];
    let taxonomy = Taxonomy::documented();
    let circling = ["retry the fetch", "retry the fetch"];
    let mut matrix = String::new();
    for (i, (first, a)) in witnesses.iter().enumerate() {
        for (j, (second, b)) in witnesses.iter().enumerate() {
            let text = format!("{a}\n{b}");
            let diagnosis = taxonomy.diagnose(&Failure {
                text: text.as_bytes(),
                approach: Some("retry the fetch"),
                previous_approaches: &circling,
                ..Failure::default()
            });
            assert_eq!(diagnosis.failure_type, witnesses[i.min(j)].0);
            assert!(diagnosis.circular, "a hidden circular fix stays visible");
            matrix += &format!("{} + {}: {}\n", first.name(), second.name(), diagnosis.failure_type.name());
        }
    }
    insta::assert_snapshot!(matrix);
}

/// The failure-type document's recovery actions, with attempts counted from this failure.
#[test]
fn failure_type_document_actions() {
    use RecoveryVerb::{Continue, Escalate, Retry, Rollback, Skip};
    let taxonomy = Taxonomy::documented();
    let cases = [
        ("parse error", 1, Some("abc123"), Rollback, false),
        ("parse error", 9, Some("abc123"), Rollback, false),
        ("parse error", 1, None, Escalate, true),
        ("test failed", 1, None, Retry, false),
        ("test failed", 2, None, Retry, false),
        ("test failed", 3, None, Skip, true),
        ("token limit", 9, None, Continue, false),
        ("what?", 1, None, Retry, false),
        ("what?", 2, None, Escalate, true),
    ];
    for (text, attempts, last_good_commit, action, escalate) in cases {
        let failure = Failure { text: text.as_bytes(), attempts, last_good_commit, ..Failure::default() };
        let chosen = taxonomy.diagnose(&failure).recovery_action;
        assert_eq!((chosen.action, chosen.escalate), (action, escalate), "{text}, attempt {attempts}");
        assert!(!chosen.reason.is_empty());
    }
}
