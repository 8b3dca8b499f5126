//! Every row of every pack keeps its word: it hits the line it says it hits, and not the one it says it does not.

use failure_taxonomy::{PackName, Taxonomy};
use std::collections::BTreeSet;

#[test]
fn every_row_hits_its_example_and_misses_its_counter_example() {
    let mut wrong = Vec::new();
    for pack in PackName::ALL {
        let taxonomy = Taxonomy::builder(pack).build().unwrap();
        for row in taxonomy.indicators() {
            if !taxonomy.hits(row.id, row.hits.as_bytes()) {
                wrong.push(format!("{} does not hit {:?}", row.id, row.hits));
            }
            if taxonomy.hits(row.id, row.misses.as_bytes()) {
                wrong.push(format!("{} hits {:?}", row.id, row.misses));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_are_well_formed() {
    for pack in PackName::ALL {
        let taxonomy = Taxonomy::builder(pack).build().unwrap();
        let mut ids = BTreeSet::new();
        for row in taxonomy.indicators() {
            assert!(ids.insert(row.id.to_owned()), "{} exists twice", row.id);
            assert!(row.text.len() >= 3, "{} looks for too little", row.id);
            assert_eq!(row.text, row.text.to_ascii_lowercase(), "{}: texts are written in lower case", row.id);
            assert!(!row.hits.is_empty() && !row.misses.is_empty(), "{} lacks an example", row.id);
            let pattern = row.guard.pattern.map(|p| regex::bytes::RegexBuilder::new(p).unicode(false).build());
            assert!(!matches!(pattern, Some(Err(_))), "{} has a pattern that does not compile", row.id);
        }
    }
}
