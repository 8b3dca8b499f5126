//! Any output, in any chunks: an answer, the same one.
#![no_main]

use failure_taxonomy::{Failure, Taxonomy};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static PACKS: LazyLock<[Taxonomy; 2]> = LazyLock::new(|| [Taxonomy::field(), Taxonomy::documented()]);

fuzz_target!(|input: (u8, i64, Vec<u8>)| {
    let (cut, exit_code, text) = input;
    for taxonomy in PACKS.iter() {
        let failure = Failure { text: &text, exit_code: Some(exit_code), ..Failure::default() };
        let whole = taxonomy.diagnose(&failure);
        let mut observer = taxonomy.observe();
        text.chunks(usize::from(cut) + 1).for_each(|chunk| observer.feed(chunk));
        assert_eq!(observer.finish(&failure), whole);
    }
});
