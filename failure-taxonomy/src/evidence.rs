//! Which indicators stand where, gathered in one pass over output of any length.

use crate::alike::{Alike, Heard, LONGEST};
use crate::by_row::ByRow;
use crate::flood::{self, CLOSE, Flood, STRETCH, Told, WHOLE};
use crate::pack::PackName;
use crate::reader::{Around, LONG_LINE, Reader, Weight, around, line_end, lines_before, study};
use crate::{Taxonomy, ansi};
use std::ops::Range;

/// The longest indicator text.
pub(crate) const MAX_TEXT: usize = 256;

/// So much of the end is kept.
pub(crate) const KEPT: usize = 192 << 10;
/// So much is waited for behind what is read: two lines, as far as lines are looked at.
const BEHIND: usize = 2 * LONG_LINE + MAX_TEXT;

const CACHE_LINE: usize = 64;

/// A place in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Bytes from the start.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
}

/// An indicator that counts, with its first and last place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub row: usize,
    pub first: Place,
    pub last: Place,
}

/// What was found so far. Memory does not grow with the output: two places a row and the text that waits for its end.
#[derive(Debug)]
pub(crate) struct Evidence {
    found: ByRow<Found>,
    /// The last places that only warn or tell of something tried again.
    asides: ByRow<Place>,
    /// The last places so far while hits are weighed from the end.
    settled: ByRow<usize>,
    /// What was not read yet, and the lines before it that it may speak of.
    buffer: Vec<u8>,
    /// What stands before this position of `buffer` was read.
    read_before: usize,
    /// Bytes and lines before `buffer`.
    base: Place,
    alike: Alike,
    flood: Flood,
    sizes: Sizes,
}

/// How much is read whole at either end, how much at a time, and how much has to be there behind it; tests have them small.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    whole: usize,
    close: usize,
    stretch: usize,
    behind: usize,
}

impl Evidence {
    /// Reads the whole text.
    pub(crate) fn of(taxonomy: &Taxonomy, text: &[u8]) -> Self {
        let mut evidence = Self::new(taxonomy);
        if text.len() <= evidence.sizes.whole {
            evidence.read_lines(taxonomy, &mut LineCursor::new(text, 1), 0..text.len());
        } else {
            text.chunks(evidence.sizes.whole).for_each(|piece| evidence.read(taxonomy, piece));
            evidence.end(taxonomy);
        }
        evidence
    }

    pub(crate) fn new(taxonomy: &Taxonomy) -> Self {
        Self {
            found: ByRow::new(taxonomy.row_count()),
            asides: ByRow::new(taxonomy.row_count()),
            settled: ByRow::new(taxonomy.row_count()),
            buffer: Vec::new(),
            read_before: 0,
            base: Place { offset: 0, line: 1 },
            alike: Alike::default(),
            flood: Flood::default(),
            sizes: Sizes { whole: WHOLE, close: CLOSE, stretch: STRETCH, behind: BEHIND },
        }
    }

    /// Takes in the next piece. The last part waits until more has come.
    pub(crate) fn read(&mut self, taxonomy: &Taxonomy, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
        // Two at a time, so that what waits is seldom moved.
        if self.is_due(self.buffer.len(), 2 * self.sizes.stretch) {
            self.read_stretches(taxonomy);
        }
    }

    /// The last of what was read, at most [`KEPT`] bytes.
    pub(crate) fn last(&self, bytes: usize) -> &[u8] {
        &self.buffer[self.buffer.len().saturating_sub(bytes)..]
    }

    /// Reads what is left when no more comes. Gives the last part of the output, at least [`KEPT`] bytes where it had so
    /// many.
    pub(crate) fn end(&mut self, taxonomy: &Taxonomy) -> Vec<u8> {
        self.read_stretches(taxonomy);
        let buffer = std::mem::take(&mut self.buffer);
        let mut lines = LineCursor::new(&buffer, self.base.line);
        let part = self.read_before..buffer.len();
        let is_all = self.base.offset == 0 && part.start == 0;
        self.read_part(taxonomy, &mut lines, part, !is_all);
        buffer
    }

    /// Whether `bytes` can be read of a buffer of this length: there is enough behind them, all of the last part where they
    /// may be skimmed.
    fn is_due(&self, length: usize, bytes: usize) -> bool {
        let Sizes { whole, behind, .. } = self.sizes;
        let behind = if self.flood.is_skimming() { whole } else { behind };
        self.base.offset + length as u64 > whole as u64 && length >= self.read_before + bytes + behind
    }

    /// Reads every stretch that is due.
    fn read_stretches(&mut self, taxonomy: &Taxonomy) {
        let Sizes { close, stretch, .. } = self.sizes;
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut lines = LineCursor::new(&buffer, self.base.line);
        while self.is_due(buffer.len(), stretch) {
            let part = self.read_before..last_line_end(&buffer, self.read_before..self.read_before + stretch);
            let is_head = self.base.offset + (part.end as u64) <= close as u64;
            let may_skim = !is_head && taxonomy.pack() == PackName::Field;
            if may_skim && self.flood.skims() {
                self.skim(taxonomy, &mut lines, part.clone());
            } else {
                let told = self.read_part(taxonomy, &mut lines, part.clone(), true);
                if may_skim {
                    self.flood.judged(&buffer, part.clone(), told);
                }
            }
            self.read_before = part.end;
        }
        // With the line break before, which tells that the line is whole.
        let needed_from = lines_before(&buffer, self.read_before).saturating_sub(1);
        // Some processors are slow to copy to a place a few bytes off from where it was within a page.
        let keep_from = needed_from.min(buffer.len().saturating_sub(KEPT)) / CACHE_LINE * CACHE_LINE;
        self.base = Place { offset: self.base.offset + keep_from as u64, line: lines.line_of(keep_from) };
        self.read_before -= keep_from;
        buffer.drain(..keep_from);
        self.buffer = buffer;
    }

    /// Reads the lines of a part that are unlike what the flood is made of.
    fn skim(&mut self, taxonomy: &Taxonomy, lines: &mut LineCursor<'_>, part: Range<usize>) {
        for line in self.flood.unlike(lines.block, part) {
            if self.read_lines(taxonomy, lines, line..line_end(lines.block, line)).news {
                self.flood.surprised();
            }
        }
    }

    /// The rows that count, in the pack's order.
    pub(crate) fn found(&self) -> impl Iterator<Item = Found> + '_ {
        self.found.iter().map(|(_, found)| *found)
    }

    /// The rows that stand only on warnings and notes, each with its last place, in the pack's order.
    pub(crate) fn asides(&self) -> impl Iterator<Item = Found> + '_ {
        let asides = self.asides.iter().filter(|(row, _)| self.found.get(*row).is_none());
        asides.map(|(row, &last)| Found { row, first: last, last })
    }

    /// Reads the hits that start within `part` of a text that begins at our base. Where lines repeat all through it, its
    /// two ends tell all; else the lines that are unlike those before do, if it `is_long`.
    fn read_part(
        &mut self,
        taxonomy: &Taxonomy,
        lines: &mut LineCursor<'_>,
        part: Range<usize>,
        is_long: bool,
    ) -> Told {
        let (mut told, text) = (Told::default(), lines.block);
        let unlike = if let Some(ends) = flood::ends_of_repetition(text, part.clone()) {
            ends.to_vec()
        } else if is_long && taxonomy.compares_lines() {
            let sifted = self.alike.sift(text, part.clone(), |line, wanted| study(taxonomy, text, line, wanted));
            let first = lines.line_of(part.start);
            told = sifted.told;
            for Heard { row, aside, at, line } in sifted.heard {
                let place = Place { offset: self.base.offset + at as u64, line: first + line as u64 };
                told.news |= if aside { self.tell_aside(row, place) } else { self.tell(row, place) };
            }
            sifted.unlike
        } else {
            vec![part]
        };
        unlike.into_iter().fold(told, |told, part| told.and(self.read_lines(taxonomy, lines, part)))
    }

    /// A row counts at a place; whether it is new.
    fn tell(&mut self, row: usize, place: Place) -> bool {
        let (found, new) = self.found.get_or_insert(row, Found { row, first: place, last: place });
        found.first = found.first.min(place);
        found.last = found.last.max(place);
        new
    }

    /// A row counts as an aside; whether it is new.
    fn tell_aside(&mut self, row: usize, place: Place) -> bool {
        let (last, new) = self.asides.get_or_insert(row, place);
        *last = place.max(*last);
        new
    }

    /// Reads the hits that start within `part`; the lines around are looked at.
    fn read_lines(&mut self, taxonomy: &Taxonomy, lines: &mut LineCursor<'_>, part: Range<usize>) -> Told {
        let Around { from, block, accept } = around(lines.block, &part);
        let base = Place { offset: self.base.offset + from as u64, line: lines.line_of(from) };
        let told = match ansi::strip(block).filter(|_| taxonomy.pack() == PackName::Field) {
            None => self.read_plain(taxonomy, block, accept, base, |at| at),
            Some(plain) => self.read_plain(taxonomy, &plain.text, plain.range(&accept), base, |at| plain.origin(at)),
        };
        Told { bytes: part.len(), ..told }
    }

    /// `origin` leads from a position in `block` to one in what was printed.
    fn read_plain(
        &mut self,
        taxonomy: &Taxonomy,
        block: &[u8],
        accept: Range<usize>,
        base: Place,
        origin: impl Fn(usize) -> usize,
    ) -> Told {
        let mut reader = Reader::new(taxonomy, block, accept.len());
        let mut cursor = LineCursor::new(block, base.line);
        let mut place = |start| Place { offset: base.offset + origin(start) as u64, line: cursor.line_of(start) };
        let mut told = Told::default();
        // Only the first and the last place of a row matter, of an aside the last: hits that cannot be the first wait and
        // are weighed from the end.
        let mut later: Vec<(usize, usize)> = Vec::new();
        let mut later_asides: Vec<(usize, usize)> = Vec::new();
        let reach = block.len().min(accept.end + MAX_TEXT);
        taxonomy.find(&block[accept.start..reach], |row, at| {
            let start = accept.start + at;
            if start >= accept.end {
                return;
            }
            told.hits += 1;
            if self.found.get(row).is_some_and(|found| found.first.offset <= base.offset + origin(start) as u64) {
                later.push((row, start));
                return;
            }
            match reader.weigh(row, start) {
                None => {}
                Some(Weight::Aside) => later_asides.push((row, start)),
                Some(Weight::Full) if !reader.matches(row, start) => {}
                Some(Weight::Full) => told.news |= self.tell(row, place(start)),
            }
        });
        // Hits come nearly in order, so the place that is weighed first may not be the last.
        self.settled.clear();
        for &(row, start) in later.iter().rev() {
            if self.settled.get(row).is_some_and(|last| start < *last)
                || reader.weigh(row, start) != Some(Weight::Full)
                || !reader.matches(row, start)
            {
                continue;
            }
            *self.settled.get_or_insert(row, start).0 = start;
            self.tell(row, place(start));
        }
        self.settled.clear();
        for &(row, start) in later_asides.iter().rev() {
            if self.settled.get(row).is_none_or(|last| start > *last) && reader.matches(row, start) {
                *self.settled.get_or_insert(row, start).0 = start;
                told.news |= self.tell_aside(row, place(start));
            }
        }
        told
    }
}

/// Where the last line of `part` ends; where one does not end near its end, that.
fn last_line_end(buffer: &[u8], part: Range<usize>) -> usize {
    let from = part.start.max(part.end.saturating_sub(LONGEST));
    memchr::memrchr(b'\n', &buffer[from..part.end]).map_or(part.end, |at| from + at + 1)
}

fn breaks(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Counts lines along with the hits, which come nearly in order.
struct LineCursor<'b> {
    block: &'b [u8],
    at: usize,
    line: u64,
}

impl<'b> LineCursor<'b> {
    /// `line` is the number of the first.
    const fn new(block: &'b [u8], line: u64) -> Self {
        Self { block, at: 0, line }
    }

    fn line_of(&mut self, at: usize) -> u64 {
        if at >= self.at {
            self.line += breaks(&self.block[self.at..at]);
        } else {
            self.line -= breaks(&self.block[at..self.at]);
        }
        self.at = at;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UserIndicator;
    use proptest::prelude::*;
    use std::sync::OnceLock;

    fn field() -> &'static Taxonomy {
        static FIELD: OnceLock<Taxonomy> = OnceLock::new();
        FIELD.get_or_init(Taxonomy::field)
    }

    /// Rows that ask for numbers that no built-in row asks for.
    fn with_own_rows() -> &'static Taxonomy {
        static OWN: OnceLock<Taxonomy> = OnceLock::new();
        let own = [("own.step", "step 38", None), ("own.attempt", "attempt ", Some("attempt 6.. of [17]"))];
        let own = own.map(|(id, text, pattern)| UserIndicator {
            id: id.into(),
            text: text.into(),
            error_type: "network_timeout".into(),
            pattern: pattern.map(Into::into),
            ..UserIndicator::default()
        });
        OWN.get_or_init(|| Taxonomy::builder(PackName::Field).indicators(own).build().expect("rows in order"))
    }

    type Answer = (Vec<Found>, Vec<Found>);

    fn answer(taxonomy: &Taxonomy, text: &[u8], sizes: Sizes, chunks: &[usize]) -> Answer {
        let mut evidence = Evidence { sizes, ..Evidence::new(taxonomy) };
        let (mut rest, mut lengths) = (text, chunks.iter().cycle());
        while !rest.is_empty() {
            let (chunk, later) = rest.split_at((*lengths.next().unwrap()).clamp(1, rest.len()));
            evidence.read(taxonomy, chunk);
            rest = later;
        }
        evidence.end(taxonomy);
        (evidence.found().collect(), evidence.asides().collect())
    }

    const WHOLLY: Sizes = Sizes { whole: usize::MAX / 4, close: usize::MAX, stretch: STRETCH, behind: BEHIND };

    /// Lines that speak of each other; few or many with an indicator.
    fn talk(quiet: u32) -> impl Strategy<Value = Vec<u8>> {
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
                "downloading 10%\r",
            ]),
        ];
        proptest::collection::vec(line, 0..60).prop_map(|lines| lines.concat().into_bytes())
    }

    fn chunks() -> impl Strategy<Value = Vec<usize>> {
        proptest::collection::vec(1..900usize, 1..5)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn how_it_was_cut_does_not_matter(text in talk(1), a in chunks(), b in chunks()) {
            let sizes = Sizes { whole: 512, close: 512, stretch: 128, behind: 512 };
            prop_assert_eq!(answer(field(), &text, sizes, &a), answer(field(), &text, sizes, &b));
        }

        #[test]
        fn rare_indicators_are_found_wherever_they_stand(text in talk(20), cut in chunks()) {
            let sizes = Sizes { whole: 512, close: 512, stretch: 4096, behind: 512 };
            prop_assert_eq!(answer(field(), &text, sizes, &cut), answer(field(), &text, WHOLLY, &cut));
        }

        #[test]
        fn both_ends_are_judged_whole(text in talk(0), cut in chunks()) {
            let sizes = Sizes { whole: text.len().div_ceil(2), close: text.len().div_ceil(2), stretch: 128, behind: 512 };
            prop_assert_eq!(answer(field(), &text, sizes, &cut), answer(field(), &text, WHOLLY, &cut));
        }
    }

    /// Lines of few kinds with all sorts of numbers in them, many of which say something else for it.
    fn numbered() -> impl Strategy<Value = Vec<u8>> {
        let line = proptest::sample::select(vec![
            "step # of 5000: nothing to see here",
            "2024-05-01T10:#:12.# curl: (22) The requested URL returned error: #",
            "worker # exited with exit code #",
            "# passed, # failed",
            "src/a#.ts(#,5): error TS#: Type 'x#' is not assignable",
            "pool: connection refused, attempt # of #",
            "Retrying in # s",
            "Warning message:",
            "  File \"a.py\", line #, in f",
            "    raise ConnectionError('refused #')",
            "  -t, --timeout SECS  give up after # s",
            "        connection timed out after # s",
            // Lines of which only a part is looked at from the next one.
            "{\"n\":#,\"pad\":\"~\",\"message\":\"connection refused, code #\"}",
            "Retrying in # s ~",
            "~ retrying #",
            "  -o, --option ~ Warning:",
            "  -o, --option ~~~~",
            // Rows that ask for some of the digits of a number, or of one in a name or with colours in it.
            "E: Failed to fetch http://s.x.org/debian/#/a.deb  Hash Sum mismatch",
            "SQL Error: 0, SQLState: #S01",
            "sha# mismatch",
            "job exited with exit code 1\x1b[1m#\x1b[0m",
            "    job exited with exit code #",
        ]);
        let number = proptest::sample::select(vec![
            "0", "1", "7", "22", "38", "137", "503", "504", "612", "1005", "2304", "123456", "20240612", "20240404",
            "08", "256", "37",
        ]);
        let line = (line, proptest::collection::vec(number, 4)).prop_map(|(line, numbers)| {
            numbers.iter().fold(line.replace('~', &"long ".repeat(60)), |line, number| line.replacen('#', number, 1))
                + "\n"
        });
        proptest::collection::vec(line, 0..500).prop_map(|lines| lines.concat().into_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn lines_that_are_alike_say_the_same(text in numbered(), stretch in 500..3000usize) {
            let sizes = Sizes { whole: 600, close: usize::MAX, stretch, behind: 512 };
            for taxonomy in [field(), with_own_rows()] {
                prop_assert_eq!(answer(taxonomy, &text, sizes, &[900]), answer(taxonomy, &text, WHOLLY, &[900]));
            }
        }
    }

    /// `line` with other digits, but for those that are asked for, in several ways.
    fn other_digits(line: &[u8], asked: &[u16]) -> impl Iterator<Item = Vec<u8>> {
        [1, 4, 7].into_iter().map(move |turn| {
            let other = |(at, byte): (usize, &u8)| match byte {
                b'0'..=b'9' if !asked.contains(&(at as u16)) => b'0' + (byte - b'0' + turn * (1 + at as u8 % 3)) % 10,
                _ => *byte,
            };
            line.iter().enumerate().map(other).collect()
        })
    }

    #[test]
    fn whatever_digits_stand_on_a_line_that_no_row_asks_for_it_says_the_same() {
        let study = |line: &[u8]| study(field(), &[b"\n", line, b"\n"].concat(), &(1..line.len() + 2), true);
        let mut asking = 0;
        for row in PackName::Field.rows() {
            for line in [row.hits, row.misses].into_iter().filter(|line| !line.contains('\n')) {
                for line in [line.to_owned(), line.to_lowercase(), line.replace('4', "\x1b[1m4\x1b[0m")] {
                    let first = study(line.as_bytes());
                    asking += usize::from(!first.asks.is_empty());
                    for other in other_digits(line.as_bytes(), &first.asks) {
                        let (again, told) =
                            (study(&other), || format!("{}: {line} {}", row.id, String::from_utf8_lossy(&other)));
                        assert_eq!((&again.asks, &again.says), (&first.asks, &first.says), "{}", told());
                    }
                }
            }
        }
        assert!(asking > 1000, "{asking}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn what_repeats_is_judged_by_its_ends_as_by_the_whole(lines in talk(1), from in 0..200usize) {
            let text = lines.repeat(100_000 / lines.len().max(1));
            let part = from.min(text.len())..text.len();
            let ends = flood::ends_of_repetition(&text, part.clone());
            prop_assume!(ends.is_some());
            let read = |parts: &[Range<usize>]| {
                let (mut evidence, mut lines) = (Evidence::new(field()), LineCursor::new(&text, 1));
                for part in parts {
                    evidence.read_lines(field(), &mut lines, part.clone());
                }
                (evidence.found().collect::<Vec<_>>(), evidence.asides().collect::<Vec<_>>())
            };
            prop_assert_eq!(read(&ends.unwrap()), read(&[part]));
        }
    }

    #[test]
    fn digits_matter_also_where_a_line_was_first_studied_as_a_quote() {
        let framed = "  File \"run.py\", line 31, in main\n    job exited with exit code 111\n".repeat(20);
        let job = |code: u32| format!("    job exited with exit code {code}\n");
        let quiet = "step 1000 of 5000 is done\n".repeat(40);
        for codes in [[111, 137], [137, 111]] {
            let [one, other] = codes.map(job);
            let text = [framed.as_str(), &quiet, &one.repeat(20), &quiet, &other, &quiet, &quiet].concat();
            let sizes = Sizes { whole: 512, close: usize::MAX, stretch: 1024, behind: 512 };
            let found = answer(field(), text.as_bytes(), sizes, &[500]);
            assert_eq!(found, answer(field(), text.as_bytes(), WHOLLY, &[500]), "{codes:?}");
        }
    }

    #[test]
    fn what_is_said_again_in_the_middle_has_its_last_place() {
        let quiet =
            |from: usize| (from..from + 100).map(|n| format!("step {} of 500000\n", 100_000 + n)).collect::<String>();
        let (passed, refused) = ("====== 5 passed in 0.1s ======\n", "Error: connect ECONNREFUSED 127.0.0.1:5432\n");
        let text =
            [passed, &quiet(0), passed, &quiet(100), refused, &quiet(200), passed, &quiet(300), &quiet(400)].concat();
        let sizes = Sizes { whole: 1024, close: usize::MAX, stretch: 2048, behind: 512 };
        assert_eq!(answer(field(), text.as_bytes(), sizes, &[500]), answer(field(), text.as_bytes(), WHOLLY, &[500]));
    }

    #[test]
    fn an_error_among_many_different_warnings_is_found() {
        let word = |n: usize| (0..6).map(|i| char::from(b'a' + (n >> (3 * i) & 7) as u8)).collect::<String>();
        let warning = |n: usize| {
            format!("2024-05-01T10:00:00Z src/{}.c:3:3: warning: unused variable {}\n", word(n), word(n * 7))
        };
        let warnings = |from: usize| (from..from + 12_000).map(warning).collect::<String>();
        let text =
            [&warnings(0), "2024-05-01T10:00:00Z src/foo.c:12:3: error: expected ; before return\n", &warnings(12_000)]
                .concat();
        let rows = |evidence: &Evidence| evidence.found().map(|found| found.row).collect::<Vec<_>>();
        let (all, few) = (Evidence::of(field(), text.as_bytes()), &text[text.len() / 2 - 5000..text.len() / 2 + 5000]);
        assert!(text.len() > WHOLE && rows(&all).len() > 1);
        assert_eq!(rows(&all), rows(&Evidence::of(field(), few.as_bytes())));
    }

    #[test]
    fn colours_do_not_move_what_was_found_before() {
        let coloured = "\x1b[31merror\x1b[0m[E0308]: mismatched types\n".repeat(6);
        let refused = "ConnectionError: connection refused\n";
        let text = [&coloured, refused, "Warning message:\n", refused].concat().into_bytes();
        for stretch in [16, 64, 128] {
            let sizes = Sizes { whole: text.len().div_ceil(2), close: text.len().div_ceil(2), stretch, behind: 512 };
            assert_eq!(answer(field(), &text, sizes, &[1]), answer(field(), &text, WHOLLY, &[1]), "{stretch}");
        }
    }

    #[test]
    fn a_flood_hides_neither_its_first_and_last_words_nor_a_line_of_another_kind() {
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
        let sizes = Sizes { whole: 4096, close: 4096, stretch: 1024, behind: 512 };
        let (found, asides) = answer(field(), text.as_bytes(), sizes, &[1000]);
        let (all, all_asides) = answer(field(), text.as_bytes(), WHOLLY, &[1000]);
        let rows = |found: &[Found]| found.iter().map(|found| found.row).collect::<Vec<_>>();
        assert_eq!(rows(&found), rows(&all));
        assert_eq!(asides, all_asides, "they go on to the end");
        assert!(found.len() >= 3, "{found:?}");
    }
}
