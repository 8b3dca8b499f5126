//! Ours and what anyone would use instead, all given the same task.

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use failure_taxonomy::PackName;
use regex::bytes::{RegexSet, RegexSetBuilder};

/// One way to search, prepared for some needles.
pub enum Contender {
    Ours(PackName),
    AhoCorasick(AhoCorasick),
    RegexSet(RegexSet),
    Contains(Vec<String>),
}

impl Contender {
    pub fn all(pack: PackName) -> Vec<Self> {
        let needles = pack.literals();
        let folded: Vec<String> = needles.iter().map(|n| n.to_ascii_lowercase()).collect();
        let escaped = folded.iter().map(|n| regex::escape(n));
        vec![
            Self::Ours(pack),
            Self::AhoCorasick(
                AhoCorasick::builder()
                    .ascii_case_insensitive(true)
                    .kind(Some(AhoCorasickKind::DFA))
                    .build(needles)
                    .expect("few enough needles"),
            ),
            Self::RegexSet(
                RegexSetBuilder::new(escaped)
                    .case_insensitive(true)
                    .unicode(false)
                    .size_limit(64 << 20)
                    .dfa_size_limit(64 << 20)
                    .build()
                    .expect("plain texts"),
            ),
            Self::Contains(folded),
        ]
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Ours(_) => "ours",
            Self::AhoCorasick(_) => "aho-corasick (DFA)",
            Self::RegexSet(_) => "RegexSet",
            Self::Contains(_) => "lower-case + contains",
        }
    }

    /// Searches, and checks the answer: the first two count every occurrence, the others only report which needles there are.
    pub fn search(&self, text: &[u8], hits: usize) {
        match self {
            Self::Ours(pack) => {
                let mut found = 0;
                pack.find_literals(text, |_, _| found += 1);
                assert_eq!(found, hits);
            }
            Self::AhoCorasick(automaton) => assert_eq!(automaton.find_overlapping_iter(text).count(), hits),
            Self::RegexSet(set) => assert_eq!(set.matches(text).matched_any(), hits > 0),
            Self::Contains(needles) => {
                let text = text.to_ascii_lowercase();
                let found = needles.iter().filter(|n| memchr::memmem::find(&text, n.as_bytes()).is_some()).count();
                assert_eq!(found > 0, hits > 0);
            }
        }
    }
}
