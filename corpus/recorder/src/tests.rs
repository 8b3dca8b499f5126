//! Invariants of every case definition and of the committed corpus files; nothing is recorded here.
//!
//! The committed records must carry the labels of today's definitions, failures must have failed, no text may contain a
//! known path of the recording machine, and the corpus must stay broad enough to measure on. They run in CI without any of
//! the recorded tools; after a change of labels or cases run `cargo corpus`, which writes the files that these tests read.

use std::collections::{BTreeMap, BTreeSet};

use super::case::Case;
use super::record::{self, Record};
use super::sandbox::Output;
use super::{Set, replies, scrub, server, sets};

fn cases() -> Vec<Case> {
    sets(crate::root()).expect("the committed cases are readable").into_iter().flat_map(|set| set.cases).collect()
}

fn committed() -> Vec<Record> {
    let sets = sets(crate::root()).expect("the committed cases are readable");
    let read = |set: &Set| record::read(&crate::root().join(set.file)).expect("the committed corpus is readable");
    sets.iter().flat_map(read).collect()
}

#[test]
fn ids_begin_with_their_tool() {
    for case in cases() {
        let tool = &case.tool_name;
        assert!(case.id.starts_with(&format!("{tool}-")), "{} does not begin with {tool}", case.id);
        assert!(!case.why.is_empty() && !case.run.is_empty(), "{} says too little", case.id);
    }
}

#[test]
fn the_server_knows_every_behaviour_a_case_asks_for() {
    for case in cases() {
        for rest in case.run.split("$SERVER/").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            let known = name.is_empty() || replies::is_known(&name) || server::BEHAVIOURS.contains(&name.as_str());
            assert!(known, "{} asks for /{name}/, which the server does not have", case.id);
        }
    }
}

#[test]
fn the_committed_file_carries_the_labels_of_the_definitions() {
    let mut recorded: BTreeMap<String, Record> =
        committed().into_iter().map(|record| (record.id.clone(), record)).collect();
    for case in cases() {
        let record = recorded.remove(&case.id).unwrap_or_else(|| panic!("{} is not recorded", case.id));
        let output = Output { text: record.text.clone(), exit_code: record.exit_code };
        assert_eq!(record, Record::new(&case, output));
    }
    assert!(recorded.is_empty(), "recorded, but not defined: {:?}", recorded.keys());
}

#[test]
fn failures_fail_and_successes_succeed() {
    for record in committed() {
        assert_eq!(record.exit_code == 0, record.benign, "{}", record.id);
    }
}

#[test]
fn texts_name_no_place_of_the_recording_machine() {
    for record in committed() {
        assert!(record.text.len() <= scrub::LIMIT, "{} is too long", record.id);
        for place in ["/root", "recovery-corpus", "corpus-tools", "/.rustup", "/.pyenv"] {
            let neutral = record.text.replace("/home/dev/.rustup", "");
            assert!(!neutral.contains(place), "{} names {place}", record.id);
        }
    }
}

#[test]
fn the_corpus_is_broad_enough_to_measure_on() {
    let records = committed();
    let failing = records.iter().filter(|record| !record.benign).count();
    let tools: BTreeSet<_> = records.iter().map(|record| record.repo.as_str()).collect();
    let kinds: BTreeSet<_> = records.iter().filter_map(|record| record.error_type).collect();
    assert!(failing >= 250, "{failing} failures");
    assert!(records.len() - failing >= 40, "{} successes", records.len() - failing);
    assert!(tools.len() >= 20, "{} tools", tools.len());
    // All but the three that no text alone shows.
    assert_eq!(kinds.len(), recovery_types::ErrorType::ALL.len() - 3);
}
