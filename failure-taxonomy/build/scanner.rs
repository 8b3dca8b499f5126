//! Makes the tables of a [`StaticScanner`]: chooses the windows of each needle and fills the filters and the hash table.
//!
//! In: literals in lower case. Out: the scanner, with tables that live as long as the process, or its Rust source for the
//! constants of a pack. The algorithm and the reasons for it are in `src/scan/README.md`; the types and hash functions are
//! those of `src/scan/`, compiled a second time. Of the windows of a needle the rarest is taken (`rarity.rs`), one for every
//! distance that the needle can have from a place that is looked at.

#[path = "../src/scan/needles.rs"]
pub(crate) mod needles;
#[path = "../src/scan/static_scanner.rs"]
pub(crate) mod static_scanner;
#[path = "../src/scan/window_filter.rs"]
pub(crate) mod window_filter;
#[path = "../src/scan/windows.rs"]
pub(crate) mod windows;

use super::rarity::surprise;
use needles::Needles;
use static_scanner::StaticScanner;
use std::cmp::Reverse;
use std::fmt::Write as _;
use window_filter::{Kind, WORDS, WindowFilter, place_of};
use windows::{Owner, Shape, Windows, bits, bucket, folded_at, hash, surroundings, word};

/// How far into a needle its windows may start.
const REACH: usize = 16;
/// The smallest number of buckets.
const MIN_BUCKETS: usize = 64;

/// The scanner of some literals. Those of one or two bytes are shorter than any window and never found.
pub(crate) fn scanner<N: AsRef<[u8]>>(literals: &[N]) -> StaticScanner {
    let folded: Vec<Vec<u8>> = literals.iter().map(|literal| literal.as_ref().to_ascii_lowercase()).collect();
    let case = folded.concat().iter().map(|byte| if byte.is_ascii_alphabetic() { 0x20 } else { 0 }).collect();
    let mut starts = vec![0];
    for needle in &folded {
        starts.push(starts[starts.len() - 1] + u32::try_from(needle.len()).expect("needles of less than 4 GiB"));
    }
    let filters = [Kind::LONG, Kind::SHORT].map(|kind| filter(kind, &folded));
    let needles = Needles { folded: folded.concat().leak(), case: Vec::leak(case), starts: starts.leak() };
    StaticScanner { needles, filters }
}

/// The kind of filter that finds a needle; none for one that is shorter than any window.
fn kind_of(needle: &[u8]) -> Option<Kind> {
    [Kind::LONG, Kind::SHORT].into_iter().find(|kind| needle.len() >= kind.width + kind.stride - 1)
}

fn filter(kind: Kind, needles: &[Vec<u8>]) -> WindowFilter {
    let of_kind = || needles.iter().enumerate().filter(|(_, needle)| kind_of(needle) == Some(kind));
    let mut words = Box::new([0; WORDS]);
    let (mut shapes, mut owners): (Vec<Shape>, Vec<Owner>) = (Vec::new(), Vec::new());
    for (number, needle) in of_kind() {
        for distance in 0..kind.stride {
            let offset = rarest(kind, needle, distance);
            let (word, bits) = place_of(kind.masked(folded_at(needle, offset) as u32));
            words[word] |= bits;
            let shape = Shape::of(offset, needle.len());
            let index = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            });
            let key = shape.key(surroundings(needle, offset));
            owners.push(Owner { key, needle: number as u32, offset: offset as u16, shape: index as u16 });
        }
    }
    let size = owners.len().next_power_of_two().max(MIN_BUCKETS);
    let (mut filter, mut buckets) = (vec![0; size], vec![0; size + 1]);
    owners.sort_by_key(|owner| bucket(hash(owner.key), size));
    for owner in &owners {
        let hash = hash(owner.key);
        filter[word(hash, size)] |= bits(hash);
        buckets[bucket(hash, size) + 1] += 1;
    }
    // From the number of owners of each bucket to where they start.
    for at in 1..buckets.len() {
        buckets[at] += buckets[at - 1];
    }
    let (filter, buckets) = (filter.leak(), buckets.leak());
    let windows = Windows { shapes: shapes.leak(), filter, buckets, owners: owners.leak() };
    WindowFilter { kind, words: Box::leak(words), windows }
}

/// Where the rarest window starts among those `stride` bytes apart from `distance` on.
fn rarest(kind: Kind, needle: &[u8], distance: usize) -> usize {
    let starts = (distance..=(needle.len() - kind.width).min(REACH)).step_by(kind.stride);
    // The first of equals.
    starts.min_by_key(|start| Reverse(surprise(&needle[*start..start + kind.width]))).unwrap_or(distance)
}

/// The scanner as a Rust expression.
pub(crate) fn source(scanner: &StaticScanner) -> String {
    let StaticScanner { needles: Needles { folded, case, starts }, filters } = scanner;
    let (folded, case) = (folded.escape_ascii(), case.escape_ascii());
    let mut source = format!(
        "StaticScanner {{ needles: Needles {{ folded: b\"{folded}\", case: b\"{case}\", starts: &{starts:?} }}, filters: ["
    );
    for (filter, kind) in filters.iter().zip(["LONG", "SHORT"]) {
        let WindowFilter { words, windows: Windows { shapes, filter, buckets, owners }, .. } = filter;
        // The derived `Debug` of these types is their expression in Rust.
        let _ = write!(
            source,
            "WindowFilter {{ kind: Kind::{kind}, words: &{words:?}, windows: Windows {{ shapes: &{shapes:?}, \
             filter: &{filter:?}, buckets: &{buckets:?}, owners: &{owners:?} }} }}, "
        );
    }
    source + "] }"
}
