//! The policy for long output: the answer must not depend on how the text was split into chunks, skimming must find what
//! judging all of it finds, and work and memory must stay bounded.
//!
//! Properties are tested on generated logs with `SMALL` limits, so that head, skimmed parts and tail occur in short texts.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::OnceLock;

fn field() -> &'static Rows {
    static FIELD: OnceLock<Rows> = OnceLock::new();
    FIELD.get_or_init(|| Rows::new(PackName::Field, Vec::new(), Vec::new()))
}

type Answer = (Vec<RowHit>, Vec<RowHit>, u64);

fn answer_of(evidence: &Evidence) -> Answer {
    (evidence.found().collect(), evidence.asides().collect(), evidence.skimmed())
}

fn answer(text: &[u8], limits: Limits, chunks: &[usize]) -> Answer {
    let mut evidence = Evidence { limits, ..Evidence::new(field()) };
    let (mut rest, mut lengths) = (text, chunks.iter().cycle());
    while !rest.is_empty() {
        let (chunk, later) = rest.split_at((*lengths.next().unwrap()).clamp(1, rest.len()));
        evidence.read(field(), chunk);
        rest = later;
    }
    evidence.finish(field());
    answer_of(&evidence)
}

/// Judges everything, in one block.
fn answer_of_all(text: &[u8]) -> Answer {
    let limits = Limits { head: text.len(), block: text.len().max(1), ..LIMITS };
    let mut evidence = Evidence { limits, ..Evidence::new(field()) };
    evidence.advance(field(), text, true);
    answer_of(&evidence)
}

const SMALL: Limits =
    Limits { head: 512, skim_after_head: 768, skim_before_tail: 768, tail: 1024, block: 256, lookahead: 1024 };

/// Lines whose meaning depends on the lines beside them. Of `quiet + 1` lines, `quiet` have no indicator.
fn log(quiet: u32, lines: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        quiet => Just("nothing to see on this line, which is as long as a line usually is, or longer than that\n"),
        1 => proptest::sample::select(vec![
            "curl: (22) The requested URL returned error: 503\n",
            "Warning: Problem : HTTP error. Will retry in 1 seconds. 5 retries left.\n",
            "Warning message:\n",
            "    raise ConnectionError('connection refused')\n",
            "ConnectionError: connection refused\n",
            "\x1b[31merror\x1b[0m[E0308]: mismatched types\n",
            "====== 3 passed in 0.1s ======\n",
            "Rerunning 1 failed test (attempt 2 of 3)\n",
            "downloading 10%\r",
        ]),
    ];
    proptest::collection::vec(line, lines).prop_map(|lines| lines.concat().into_bytes())
}

fn chunks() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(1..900usize, 1..5)
}

/// Rows that decide, with their first and last places.
fn deciding(found: &[RowHit]) -> Vec<RowHit> {
    found.iter().copied().filter(|hit| field().deciding()[hit.row]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_answer_does_not_depend_on_how_the_output_was_split(text in log(1, 0..200), a in chunks(), b in chunks()) {
        let whole = {
            let mut evidence = Evidence { limits: SMALL, ..Evidence::new(field()) };
            evidence.advance(field(), &text, true);
            answer_of(&evidence)
        };
        prop_assert_eq!(&answer(&text, SMALL, &a), &whole);
        prop_assert_eq!(&answer(&text, SMALL, &b), &whole);
    }

    #[test]
    fn what_fits_into_head_and_tail_is_judged_as_a_whole(text in log(1, 0..60), head in 1..40usize, cut in chunks()) {
        let head = head * 256;
        let limits = Limits { head, tail: text.len().saturating_sub(head).max(1024), ..SMALL };
        prop_assert_eq!(answer(&text, limits, &cut), answer_of_all(&text));
    }

    #[test]
    fn skimming_finds_deciding_rows_that_few_lines_of_a_block_contain(text in log(20, 0..300), cut in chunks()) {
        let limits = Limits { skim_after_head: text.len(), ..SMALL };
        let (found, _, skimmed) = answer(&text, limits, &cut);
        let (all, _, _) = answer_of_all(&text);
        prop_assert_eq!(deciding(&found), deciding(&all));
        prop_assert_eq!(skimmed as usize, text.len().saturating_sub(SMALL.head + SMALL.tail));
    }
}

#[test]
fn a_flood_hides_neither_its_first_and_last_lines_nor_another_error() {
    let flood = |from: usize, to: usize| -> String {
        (from..to)
            .map(|n| format!("2024-01-01T10:00:{:02} WARN pool: connection refused, attempt {n}\n", n % 60))
            .collect()
    };
    let text = [
        "error[E0308]: mismatched types\n",
        &flood(0, 3000),
        "/usr/bin/ld: cannot find -lm: No such file or directory\n",
        &flood(3000, 9000),
        "====== 1 failed, 2 passed in 0.1s ======\n",
    ]
    .concat();
    let (found, _, skimmed) =
        answer(text.as_bytes(), Limits { head: 4096, tail: 4096, skim_after_head: text.len(), ..SMALL }, &[1000]);
    assert_eq!(deciding(&found), deciding(&answer_of_all(text.as_bytes()).0));
    assert_eq!(skimmed as usize, text.len() - 8192);
    assert!(found.len() >= 3, "{found:?}");
}

#[test]
fn what_lies_far_from_both_ends_is_passed_over() {
    let quiet = "nothing to see on this line\n".repeat(400);
    let text = [&quiet, "error[E0308]: mismatched types\n", &quiet].concat();
    let (found, _, skimmed) = answer(text.as_bytes(), SMALL, &[100]);
    assert_eq!(found, []);
    assert_eq!(skimmed as usize, text.len() - SMALL.head - SMALL.tail);
    let near = [&quiet, "error[E0308]: mismatched types\n", &quiet[..1400]].concat();
    assert_eq!(deciding(&answer(near.as_bytes(), SMALL, &[100]).0), deciding(&answer_of_all(near.as_bytes()).0));
}

#[test]
fn memory_is_bounded_whatever_the_length_of_output_and_chunks() {
    let mut evidence = Evidence::new(field());
    let line = "Error: connect ECONNREFUSED 127.0.0.1:5432 (after some other words)\n";
    let chunk = line.repeat(200_000).into_bytes();
    evidence.read(field(), &chunk);
    let most = SKIM_BYTES + 2 * TAIL_BYTES + BLOCK_BYTES + 2 * MAX_LINE_BYTES + 1;
    assert!(evidence.buffer.len() <= most, "{}", evidence.buffer.len());
    evidence.finish(field());
    let refused = evidence.found().find(|hit| hit.first.line == 1).unwrap();
    assert_eq!(refused.last.line, 200_000);
    assert_eq!(refused.last.offset - refused.first.offset, (chunk.len() - line.len()) as u64);
    assert_eq!(evidence.skimmed() as usize, chunk.len() - HEAD_BYTES - TAIL_BYTES);
}

/// Steps of judging: occurrences, bytes of lines that were looked at, and steps of patterns.
fn steps(text: &[u8]) -> u64 {
    Evidence::of(field(), text).steps
}

/// A text again and again up to `size` bytes: on one line, and on lines of its own.
fn repeated(text: &str, size: usize) -> [Vec<u8>; 2] {
    [text.to_owned(), format!("{text}\n")].map(|text| text.repeat(size / text.len()).into_bytes())
}

const MAX_STEPS_PER_BYTE: usize = 150;

#[test]
fn work_is_linear_in_an_indicators_own_text_repeated() {
    let texts: BTreeMap<&str, &str> = PackName::Field.rows().iter().map(|row| (row.text, row.id)).collect();
    // On one line, and on lines of its own. Longer outputs are like short ones: these show which text takes most work.
    for form in 0..2 {
        let steps_of = |text: &str, size: usize| steps(&repeated(text, size)[form]);
        let worst = texts.keys().copied().max_by_key(|text| steps_of(text, CELL_BYTES / 4)).unwrap();
        for size in [64 << 10, 1 << 20, 4 << 20] {
            let per_byte = steps_of(worst, size) as usize / size;
            assert!(per_byte <= MAX_STEPS_PER_BYTE, "{}, {size} bytes: {per_byte} steps per byte", texts[worst]);
        }
    }
}

#[test]
fn a_row_counts_at_the_beginning_and_at_the_end_of_a_long_line() {
    let of_size = |size: usize| answer_of_all(&repeated("connection refused, ", size)[0]).0;
    let (short, long) = (of_size(CELL_BYTES / 4), of_size(16 * CELL_BYTES));
    let rows = |found: &[RowHit]| found.iter().map(|hit| (hit.row, hit.first)).collect::<Vec<_>>();
    assert_eq!(rows(&short), rows(&long));
    assert!(!long.is_empty() && long.iter().all(|hit| hit.last.offset as usize > 14 * CELL_BYTES), "{long:?}");
}
