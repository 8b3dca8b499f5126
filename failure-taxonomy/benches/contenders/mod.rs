//! Ours and what anyone would use instead, all given the same task.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use failure_taxonomy::PackName;
use regex::bytes::{RegexSet, RegexSetBuilder};

/// One way to search, prepared for some needles.
pub enum Contender {
    Ours(PackName),
    AhoCorasick(AhoCorasick),
    RegexSet(RegexSet),
}

impl Contender {
    pub fn all(pack: PackName) -> Vec<Self> {
        let needles = pack.literals();
        let mut all = vec![Self::Ours(pack), Self::AhoCorasick(automaton(needles, AhoCorasickKind::DFA))];
        // The lazy DFA of thousands of needles does not fit its cache, and then a search takes minutes.
        if pack == PackName::Documented {
            let set = RegexSetBuilder::new(needles.iter().map(|n| regex::escape(n)))
                .case_insensitive(true)
                .unicode(false)
                .size_limit(64 << 20)
                .dfa_size_limit(64 << 20)
                .build();
            all.push(Self::RegexSet(set.expect("plain texts")));
        }
        all
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Ours(_) => "ours",
            Self::AhoCorasick(_) => "aho-corasick (DFA)",
            Self::RegexSet(_) => "RegexSet",
        }
    }

    /// Searches, and checks the answer: the first two count every occurrence, the last only reports which needles there are.
    pub fn search(&self, text: &[u8], hits: usize) {
        match self {
            Self::Ours(pack) => {
                let mut found = 0;
                pack.find_literals(text, |_, _| found += 1);
                assert_eq!(found, hits);
            }
            Self::AhoCorasick(automaton) => assert_eq!(automaton.find_overlapping_iter(text).count(), hits),
            Self::RegexSet(set) => assert_eq!(set.matches(text).matched_any(), hits > 0),
        }
    }
}

/// An automaton of `aho-corasick` that finds letters in either case.
pub fn automaton(needles: &[&str], kind: AhoCorasickKind) -> AhoCorasick {
    let builder = AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(kind)).build(needles);
    builder.expect("few enough needles")
}
