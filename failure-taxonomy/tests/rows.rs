//! Every built-in row does what its examples claim, and its source is known.

#![allow(clippy::disallowed_methods, reason = "packs are files")]

use failure_taxonomy::{PackName, Taxonomy};

#[test]
fn every_row_hits_its_example_and_misses_its_counter_example() {
    let mut wrong = Vec::new();
    for pack in PackName::ALL {
        let taxonomy = Taxonomy::builder(pack).build().unwrap();
        for row in taxonomy.indicators() {
            let source = pack.source_of(row.id).unwrap();
            if !taxonomy.hits(row.id, row.hits.as_bytes()) {
                wrong.push(format!("{source}: {} does not hit {:?}", row.id, row.hits));
            }
            if taxonomy.hits(row.id, row.misses.as_bytes()) {
                wrong.push(format!("{source}: {} hits {:?}", row.id, row.misses));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_row_says_where_it_is_written_down() {
    for pack in PackName::ALL {
        for row in pack.rows() {
            let source = pack.source_of(row.id).unwrap();
            let file = std::fs::read_to_string(source.file).unwrap();
            let id = format!("id = {:?}", row.id);
            assert!(file.lines().skip(usize::from(source.line) - 1).take(2).any(|line| line == id), "{source}: {id}");
        }
    }
}
