//! User rows: what is taken, and what is refused with a reason.

use failure_taxonomy::{Failure, Fragments, PackError, PackName, Taxonomy, UserIndicator};
use recovery_types::ErrorType;

fn row() -> UserIndicator {
    UserIndicator {
        id: "acme.lease".into(),
        text: "lease is held".into(),
        error_type: "lock_contention".into(),
        ..UserIndicator::default()
    }
}

fn refused(change: impl FnOnce(&mut UserIndicator)) -> PackError {
    let mut row = row();
    change(&mut row);
    Taxonomy::builder(PackName::Field).indicator(row).build().unwrap_err()
}

#[test]
fn a_user_row_counts_like_a_built_in_one() {
    let taxonomy = Taxonomy::builder(PackName::Field).indicator(row()).build().unwrap();
    let text = b"acme: the Lease is held by node 3\n";
    let diagnosis = taxonomy.diagnose(&Failure { text, exit_code: Some(1), ..Failure::default() });
    assert_eq!(diagnosis.error_type, ErrorType::LockContention);
    assert_eq!(diagnosis.indicators[0].id, "acme.lease");
}

#[test]
fn a_row_reads_from_toml_with_defaults() {
    let text = "id = 'a.b'\ntext = 'boom'\nerror_type = 'other'\nstrength = 'suggestive'\nword = true\n";
    let row: UserIndicator = toml::from_str(text).unwrap();
    assert!(row.word && !row.line_start && row.pattern.is_none());
    assert!(toml::from_str::<UserIndicator>("id = 'a'\ntext = 'b'\nerror_type = 'other'\ncolour = 1\n").is_err());
}

#[test]
fn patterns_of_user_rows_have_alternatives_and_fragments() {
    let text = "id = 'a.b'\ntext = 'boom'\nerror_type = 'other'\npattern = ['^(?&big) boom', 'boom!$']\n";
    let row: UserIndicator = toml::from_str(text).unwrap();
    let fragments: Fragments = toml::from_str("big = ['big', 'huge']").unwrap();
    let taxonomy = Taxonomy::builder(PackName::Field).indicator(row).fragments(fragments).build().unwrap();
    for (line, hits) in [("huge boom", true), ("big boom", true), ("a boom!", true), ("a huge boom", false)] {
        assert_eq!(taxonomy.hits("a.b", line.as_bytes()), hits, "{line}");
    }
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let cases: [(PackError, &str); 11] = [
        (refused(|row| row.id = " ".into()), "no id"),
        (refused(|row| row.id = "os.enoent".into()), "exists already"),
        (refused(|row| row.text = "  ".into()), "empty text"),
        (refused(|row| row.text = "a\nb".into()), "line break"),
        (refused(|row| row.text = "x".repeat(300)), "at most 256"),
        (refused(|row| row.error_type = "lock_contentoin".into()), "lock_contention"),
        (refused(|row| row.pattern = Some("(".into())), "no regular expression"),
        (refused(|row| row.pattern = Some("(?&held)".into())), "unknown fragment \"held\""),
        (refused(|row| row.hits = Some("nothing here".into())), "does not hit its own example"),
        (refused(|row| row.misses = Some("the lease is held".into())), "must not"),
        (Taxonomy::builder(PackName::Field).disable("no.such").build().unwrap_err(), "no indicator \"no.such\""),
    ];
    for (error, part) in cases {
        assert!(error.to_string().contains(part), "{error} does not say {part:?}");
    }
    let twice = Taxonomy::builder(PackName::Field).indicators([row(), row()]).build().unwrap_err();
    assert_eq!(twice, PackError::DuplicateId { id: "acme.lease".into() });
}

#[test]
fn a_disabled_row_is_silent_and_its_id_free() {
    let text = b"cp: cannot stat 'a': No such file or directory";
    let without = Taxonomy::builder(PackName::Field).disable("os.enoent").disable("os.cannot-open").build().unwrap();
    assert!(without.indicator("os.enoent").is_none());
    assert!(!without.hits("os.enoent", text));
    let mut own = row();
    own.id = "os.enoent".into();
    assert!(Taxonomy::builder(PackName::Field).disable("os.enoent").indicator(own).build().is_ok());
}
