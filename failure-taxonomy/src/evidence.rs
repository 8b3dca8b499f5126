//! Which indicators stand where, gathered in one pass over output of any length.

use crate::alike::Alike;
use crate::by_row::ByRow;
use crate::flood::{self, CLOSE, Flood, STRETCH, Told, WHOLE};
use crate::line::{self, Before, Mood, Voice};
use crate::pack::{Guard, PackName, Strength};
use crate::pattern::{Room, Traits};
use crate::{Taxonomy, ansi};
use std::ops::Range;

/// The longest indicator text.
pub(crate) const MAX_TEXT: usize = 256;
/// How far around a hit its line is looked at.
const REACH: usize = 4096;
/// How far before and after a hit its pattern is looked for.
const BEFORE: usize = 512;
const AFTER: usize = 1024;
/// How much of a neighbouring line is looked at.
pub(crate) const GLANCE: usize = 256;
/// How much of a long line is kept beside what is read, so that escape codes are not cut where they matter.
const LONG_LINE: usize = 4 * REACH;

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

/// How lines to read are chosen.
type Choose = fn(&mut Alike, &[u8], Range<usize>) -> Vec<Range<usize>>;

/// How much is read whole at either end, and how much at a time; tests have them small.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    whole: usize,
    close: usize,
    stretch: usize,
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
            sizes: Sizes { whole: WHOLE, close: CLOSE, stretch: STRETCH },
        }
    }

    /// Takes in the next piece. The last part waits until more has come, because it may be the end.
    pub(crate) fn read(&mut self, taxonomy: &Taxonomy, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
        // Twice as much again as has to wait, so that what waits is seldom moved.
        if self.buffer.len() - self.read_before >= 3 * self.sizes.whole {
            self.read_stretches(taxonomy);
        }
    }

    /// Reads what is left when no more comes. Gives the last part of the output, at least [`WHOLE`] bytes where it had so
    /// many.
    pub(crate) fn end(&mut self, taxonomy: &Taxonomy) -> Vec<u8> {
        self.read_stretches(taxonomy);
        let buffer = std::mem::take(&mut self.buffer);
        let mut lines = LineCursor::new(&buffer, self.base.line);
        let part = self.read_before..buffer.len();
        let is_all = self.base.offset == 0 && part.start == 0;
        let choose = (!is_all).then_some(Alike::unlike_at_end as Choose);
        for part in self.telling(taxonomy, &buffer, part, choose) {
            self.read_lines(taxonomy, &mut lines, part);
        }
        buffer
    }

    /// Reads every stretch that does not reach into the last part.
    fn read_stretches(&mut self, taxonomy: &Taxonomy) {
        let Sizes { whole, close, stretch } = self.sizes;
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut lines = LineCursor::new(&buffer, self.base.line);
        while buffer.len() >= self.read_before + stretch + whole {
            let part = self.read_before..self.read_before + stretch;
            let is_head = self.base.offset + (part.end as u64) <= close as u64;
            let may_skim = !is_head && taxonomy.pack() == PackName::Field;
            if may_skim && self.flood.skims() {
                self.skim(taxonomy, &mut lines, part.clone());
            } else {
                let told = self.read_part(taxonomy, &mut lines, part.clone());
                if may_skim {
                    self.flood.judged(&buffer, part.clone(), told);
                }
            }
            self.read_before = part.end;
        }
        let keep_from = lines_before(&buffer, self.read_before);
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
    /// two ends tell all; else the lines that are unlike those before do.
    fn read_part(&mut self, taxonomy: &Taxonomy, lines: &mut LineCursor<'_>, part: Range<usize>) -> Told {
        let telling = self.telling(taxonomy, lines.block, part, Some(Alike::unlike));
        let told = telling.into_iter().fold(Told::default(), |all, part| {
            let told = self.read_lines(taxonomy, lines, part.clone());
            self.alike.judged(&part, told.counts);
            all.and(told)
        });
        self.alike.end_part(told.is_dense());
        told
    }

    /// What of `part` has to be read: the two ends of a repetition, or what `choose` takes where lines can be compared.
    fn telling(
        &mut self,
        taxonomy: &Taxonomy,
        text: &[u8],
        part: Range<usize>,
        choose: Option<Choose>,
    ) -> Vec<Range<usize>> {
        match (flood::ends_of_repetition(text, part.clone()), choose) {
            (Some(ends), _) => ends.to_vec(),
            (None, Some(choose)) if taxonomy.knows_its_numbers() => choose(&mut self.alike, text, part),
            _ => vec![part],
        }
    }

    /// Reads the hits that start within `part`; the lines around are looked at.
    fn read_lines(&mut self, taxonomy: &Taxonomy, lines: &mut LineCursor<'_>, part: Range<usize>) -> Told {
        let from = lines_before(lines.block, part.start);
        let block = &lines.block[from..line_end(lines.block, line_end(lines.block, part.end))];
        let accept = part.start - from..part.end - from;
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
                Some(Weight::Full) => {
                    told.counts = true;
                    let place = place(start);
                    let (found, new) = self.found.get_or_insert(row, Found { row, first: place, last: place });
                    told.news |= new;
                    found.first = found.first.min(place);
                    found.last = found.last.max(place);
                }
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
            told.counts = true;
            let place = place(start);
            let (found, _) = self.found.get_or_insert(row, Found { row, first: place, last: place });
            found.last = found.last.max(place);
        }
        self.settled.clear();
        for &(row, start) in later_asides.iter().rev() {
            if self.settled.get(row).is_none_or(|last| start > *last) && reader.matches(row, start) {
                *self.settled.get_or_insert(row, start).0 = start;
                told.counts = true;
                let place = place(start);
                let (last, new) = self.asides.get_or_insert(row, place);
                told.news |= new;
                *last = place.max(*last);
            }
        }
        told
    }
}

/// How a row counts at one place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Full,
    Aside,
}

/// Weighs hits, remembering the lines that it looked at: the scan comes back to each several times.
struct Reader<'t, 'b> {
    taxonomy: &'t Taxonomy,
    block: &'b [u8],
    /// By where they begin.
    lines: Vec<Line>,
    /// The one that was looked at last.
    recent: usize,
    room: Room,
}

/// So many lines are remembered, fewer where less is read, one for each part of this many bytes.
const LINES: usize = 256;
const LINE_PART: usize = 32;

/// A line that was looked at.
#[derive(Clone, Default)]
struct Line {
    range: Range<usize>,
    /// Where its content begins, counted from the line.
    content: usize,
    /// What part of the text it was looked up for.
    cell: usize,
    mood: Option<Mood>,
    traits: Option<Traits>,
}

impl<'t, 'b> Reader<'t, 'b> {
    /// Reads `bytes` of the block.
    fn new(taxonomy: &'t Taxonomy, block: &'b [u8], bytes: usize) -> Self {
        let lines = vec![Line::default(); (bytes / LINE_PART).clamp(4, LINES)];
        Self { taxonomy, block, lines, recent: 0, room: Room::default() }
    }

    /// Whether and how the row's text at `start` counts, unless its pattern does not match. What is cheap to ask is asked
    /// first.
    fn weigh(&mut self, index: usize, start: usize) -> Option<Weight> {
        let (length, strength, guard) = self.taxonomy.terms(index)?;
        if self.taxonomy.pack() == PackName::Documented && guard == Guard::default() {
            return Some(Weight::Full);
        }
        let end = start + length;
        let Guard { word, line_start, aside, .. } = guard;
        let block = self.block;
        if word && !(at_word_border(block, start) && at_word_border(block, end)) {
            return None;
        }
        let line = self.line_at(start, end);
        let (at, text) = (start - line.range.start, &block[line.range.clone()]);
        if line_start && at > line.content {
            return None;
        }
        let mood = *line.mood.get_or_insert_with(|| {
            let before = Before::of(line_before(block, line.range.start));
            Mood::of(text, before, line::tells_of_retry(line_after(block, line.range.end)))
        });
        match mood.voice(text, at) {
            Voice::Quote if strength != Strength::Success => None,
            Voice::Aside if !aside => Some(Weight::Aside),
            Voice::Report | Voice::Aside | Voice::Quote => Some(Weight::Full),
        }
    }

    /// Whether the row's pattern, if it has one, matches the line of its text at `start`.
    fn matches(&mut self, index: usize, start: usize) -> bool {
        let (taxonomy, block) = (self.taxonomy, self.block);
        let Some((length, _, Guard { pattern: Some(pattern), .. })) = taxonomy.terms(index) else { return true };
        self.line_at(start, start + length);
        let line = &mut self.lines[self.recent];
        let content = start.min(line.range.start + line.content);
        // A line without end has the same words over and over: what a pattern asks for stands near its text, or where
        // the line begins.
        let from =
            if pattern.as_bytes().first() == Some(&b'^') { content } else { content.max(start.saturating_sub(BEFORE)) };
        let text = &block[from..line.range.end.min(start + length + AFTER)];
        let traits = line.traits.get_or_insert_with(|| Traits::of(&block[line.range.clone()]));
        taxonomy.pattern_stands(index, pattern, text, traits, &mut self.room)
    }

    fn line_at(&mut self, start: usize, end: usize) -> &mut Line {
        let is_known = |line: &Line| {
            let holds = line.range.start <= start && end <= line.range.end;
            holds && (line.range.len() < REACH || line.cell == start / REACH)
        };
        if !is_known(&self.lines[self.recent]) {
            let begin = line_begin(self.block, start);
            self.recent = begin / LINE_PART % self.lines.len();
            let line = &mut self.lines[self.recent];
            if !is_known(line) {
                let range = begin..line_finish(self.block, start, end);
                let content = line::content_start(&self.block[range.clone()]);
                *line = Line { range, content, cell: start / REACH, mood: None, traits: None };
            }
        }
        &mut self.lines[self.recent]
    }
}

/// Whether no word goes on across this position.
fn at_word_border(block: &[u8], at: usize) -> bool {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let before = at.checked_sub(1).and_then(|i| block.get(i)).is_some_and(is_word);
    let after = block.get(at).is_some_and(is_word);
    !(before && after)
}

/// Where the line of a text that starts at `start` begins, as far as it is looked at.
fn line_begin(block: &[u8], start: usize) -> usize {
    // The same for all that starts in one part of a line without end.
    let from = (start / REACH * REACH).saturating_sub(REACH);
    memchr::memrchr2(b'\n', b'\r', &block[from..start]).map_or(from, |at| from + at + 1)
}

/// Where the line of a text from `start` to `end` ends, as far as it is looked at.
fn line_finish(block: &[u8], start: usize, end: usize) -> usize {
    let to = ((start / REACH + 2) * REACH).max(end).min(block.len());
    memchr::memchr2(b'\n', b'\r', &block[end..to]).map_or(to, |at| end + at)
}

/// The line before the one that begins at `begin`.
fn line_before(block: &[u8], begin: usize) -> &[u8] {
    let Some(end) = begin.checked_sub(1) else { return b"" };
    let from = end.saturating_sub(GLANCE);
    let text = &block[from..end];
    memchr::memrchr(b'\n', text).map_or(text, |at| &text[at + 1..])
}

/// The line after the one that ends at `end`.
fn line_after(block: &[u8], end: usize) -> &[u8] {
    let rest = &block[end.min(block.len())..];
    let Some(begin) = memchr::memchr(b'\n', &rest[..rest.len().min(2)]) else { return b"" };
    let rest = &rest[begin + 1..];
    let rest = &rest[..rest.len().min(GLANCE)];
    memchr::memchr(b'\n', rest).map_or(rest, |at| &rest[..at])
}

/// Where the line before that of position `at` begins.
fn lines_before(buffer: &[u8], at: usize) -> usize {
    let begin = |at: usize| {
        let from = at.saturating_sub(LONG_LINE);
        memchr::memrchr(b'\n', &buffer[from..at]).map_or(from, |found| from + found + 1)
    };
    begin(begin(at).saturating_sub(1))
}

/// Where the line of position `at` ends, its line break included.
fn line_end(buffer: &[u8], at: usize) -> usize {
    let to = buffer.len().min(at + LONG_LINE);
    memchr::memchr(b'\n', &buffer[at..to]).map_or(to, |found| at + found + 1)
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
    use proptest::prelude::*;
    use std::sync::OnceLock;

    fn field() -> &'static Taxonomy {
        static FIELD: OnceLock<Taxonomy> = OnceLock::new();
        FIELD.get_or_init(Taxonomy::field)
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

    const WHOLLY: Sizes = Sizes { whole: usize::MAX / 4, close: usize::MAX, stretch: STRETCH };

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
            let sizes = Sizes { whole: 512, close: 512, stretch: 128 };
            prop_assert_eq!(answer(field(), &text, sizes, &a), answer(field(), &text, sizes, &b));
        }

        #[test]
        fn rare_indicators_are_found_wherever_they_stand(text in talk(20), cut in chunks()) {
            let sizes = Sizes { whole: 512, close: 512, stretch: 4096 };
            prop_assert_eq!(answer(field(), &text, sizes, &cut), answer(field(), &text, WHOLLY, &cut));
        }

        #[test]
        fn both_ends_are_judged_whole(text in talk(0), cut in chunks()) {
            let sizes = Sizes { whole: text.len().div_ceil(2), close: text.len().div_ceil(2), stretch: 128 };
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
        ]);
        let number = proptest::sample::select(vec![
            "0", "1", "7", "22", "38", "137", "503", "504", "612", "1005", "2304", "123456",
        ]);
        let line = (line, proptest::collection::vec(number, 4)).prop_map(|(line, numbers)| {
            numbers.iter().fold(line.to_owned(), |line, number| line.replacen('#', number, 1)) + "\n"
        });
        proptest::collection::vec(line, 0..400).prop_map(|lines| lines.concat().into_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn lines_that_are_alike_tell_nothing_new(text in numbered(), stretch in 500..3000usize) {
            let read = |parts: &[Range<usize>]| {
                let (mut evidence, mut lines) = (Evidence::new(field()), LineCursor::new(&text, 1));
                for part in parts {
                    evidence.read_lines(field(), &mut lines, part.clone());
                }
                (evidence.found().collect::<Vec<_>>(), evidence.asides().collect::<Vec<_>>())
            };
            let last = text.len().saturating_sub(stretch);
            let mut alike = Alike::default();
            let stretches = (0..last).step_by(stretch).map(|start| start..last.min(start + stretch));
            let mut parts: Vec<_> = stretches.flat_map(|part| alike.unlike(&text, part)).collect();
            parts.extend(alike.unlike_at_end(&text, last..text.len()));
            let ((some, some_asides), (all, all_asides)) = (read(&parts), read(std::slice::from_ref(&(0..text.len()))));
            // What was said for the last time before the last part may be placed too early.
            let told = |found: &Found| (found.row, found.first, Some(found.last).filter(|place| place.offset >= last as u64));
            prop_assert_eq!(some.iter().map(told).collect::<Vec<_>>(), all.iter().map(told).collect::<Vec<_>>());
            let told = |aside: &Found| (aside.row, Some(aside.last).filter(|place| place.offset >= last as u64));
            prop_assert_eq!(some_asides.iter().map(told).collect::<Vec<_>>(), all_asides.iter().map(told).collect::<Vec<_>>());
        }
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
    fn what_is_said_again_in_the_middle_has_its_last_place() {
        let quiet =
            |from: usize| (from..from + 100).map(|n| format!("step {} of 500000\n", 100_000 + n)).collect::<String>();
        let (passed, refused) = ("====== 5 passed in 0.1s ======\n", "Error: connect ECONNREFUSED 127.0.0.1:5432\n");
        let text =
            [passed, &quiet(0), passed, &quiet(100), refused, &quiet(200), passed, &quiet(300), &quiet(400)].concat();
        let sizes = Sizes { whole: 1024, close: usize::MAX, stretch: 2048 };
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
            let sizes = Sizes { whole: text.len().div_ceil(2), close: text.len().div_ceil(2), stretch };
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
        let sizes = Sizes { whole: 4096, close: 4096, stretch: 1024 };
        let (found, asides) = answer(field(), text.as_bytes(), sizes, &[1000]);
        let (all, all_asides) = answer(field(), text.as_bytes(), WHOLLY, &[1000]);
        let rows = |found: &[Found]| found.iter().map(|found| found.row).collect::<Vec<_>>();
        assert_eq!(rows(&found), rows(&all));
        assert_eq!(asides, all_asides, "they go on to the end");
        assert!(found.len() >= 3, "{found:?}");
    }
}
