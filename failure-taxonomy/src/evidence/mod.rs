//! Which indicators count, and where, in an output of any length.
//!
//! In: the rows in force and an output, whole or piece by piece. Out: per row its first and last place ([`Evidence::found`]),
//! the rows that only warnings mention ([`Evidence::asides`]), and how many bytes were skimmed.
//!
//! The policy for long output: the first [`HEAD_BYTES`] and the last [`TAIL_BYTES`] are judged line by line. The
//! [`SKIM_BYTES`] next to each are skimmed: of each [`BLOCK_BYTES`], a row that can decide is judged on the first
//! [`SKIMMED_LINES`] and the last [`SKIMMED_LINES`] lines that contain what is searched for it, from either side until it
//! counts. What lies between is passed over, so that output of any length takes bounded work and classifying never holds a
//! pipe back. Of a line that is longer than some cells of [`CELL_BYTES`], a row is judged on the first and the last
//! [`LONG_LINE_CELLS`] of a block that contain its text.
//!
//! Where the parts begin and end depends on the output alone, never on how it was split into reads.
//! Memory is bounded by the sizes of the parts and the number of rows. [`judge`] decides which occurrences count,
//! [`context`] whether a line is a report, an aside or a quotation.

mod by_row;
mod context;
mod judge;

use crate::ansi;
use crate::pack::rows::{Candidate, Rows};
use crate::pack::{MAX_TEXT_BYTES, PackName};
use by_row::ByRow;
use judge::{CELL_BYTES, Judgement, LineJudge};
use std::borrow::Cow;
use std::ops::Range;

/// The beginning of an output, judged line by line.
pub(crate) const HEAD_BYTES: usize = 256 << 10;
/// The end of an output, judged line by line.
pub(crate) const TAIL_BYTES: usize = 1 << 20;
/// The parts after the head and before the tail, which are skimmed.
pub(crate) const SKIM_BYTES: usize = 2 << 20;
/// The unit of scanning.
const BLOCK_BYTES: usize = 256 << 10;
/// The number of lines of a skimmed block, from either side, on which a row is judged.
const SKIMMED_LINES: u32 = 4;
/// The number of cells of one long line, from either side, on which a row is judged until it counts.
const LONG_LINE_CELLS: u32 = 2;

/// The part of the beginning that [`ends`] keeps.
pub(crate) const ENDS_HEAD_BYTES: usize = 64 << 10;
/// The part of the end that [`ends`] keeps.
pub(crate) const ENDS_TAIL_BYTES: usize = 192 << 10;
/// The surroundings of a line end here even where no line break is found. Far longer than what is looked at around a place,
/// so that an escape code is not cut where it matters.
const MAX_LINE_BYTES: usize = 4 * CELL_BYTES;
/// How much text after a part must be present before the part can be judged.
const LOOKAHEAD_BYTES: usize = 2 * MAX_LINE_BYTES + MAX_TEXT_BYTES;

/// A position in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// Bytes from the start.
    pub offset: u64,
    /// The line, from 1.
    pub line: u64,
}

/// A row that counts, with its first and last place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowHit {
    pub row: usize,
    pub first: Position,
    pub last: Position,
}

/// What was found so far.
#[derive(Debug)]
pub(crate) struct Evidence {
    found: ByRow<RowHit>,
    /// The last places that only warn of or mention something that was tried again.
    asides: ByRow<Position>,
    /// The end of the output so far; begins some lines before what is not judged yet.
    buffer: Vec<u8>,
    /// Everything before this index of `buffer` was judged or skimmed.
    done: usize,
    /// The place where `buffer` begins.
    base: Position,
    skimmed: u64,
    limits: Limits,
    progress: ByRow<Progress>,
    #[cfg(test)]
    steps: u64,
}

/// The sizes of the policy; tests have small ones.
#[derive(Clone, Copy, Debug)]
struct Limits {
    head: usize,
    skim_after_head: usize,
    skim_before_tail: usize,
    tail: usize,
    block: usize,
    lookahead: usize,
}

const LIMITS: Limits = Limits {
    head: HEAD_BYTES,
    skim_after_head: SKIM_BYTES,
    skim_before_tail: SKIM_BYTES,
    tail: TAIL_BYTES,
    block: BLOCK_BYTES,
    lookahead: LOOKAHEAD_BYTES,
};

/// How thoroughly a part is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// Every row on every line.
    Judge,
    /// Rows that can decide, on a few lines each.
    Skim,
    /// Nothing.
    PassOver,
}

impl Effort {
    /// Whether a row that was judged on so many lines from one side is judged on another.
    const fn allows(self, lines: u32) -> bool {
        matches!(self, Self::Judge) || lines < SKIMMED_LINES
    }
}

/// How far a row has been judged in the current block.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// It was judged on lines before this one, counted in lines with occurrences.
    judged_before: usize,
    lines_from_start: u32,
    lines_from_end: u32,
    /// On the line that is judged.
    cells: LineCells,
    /// Its last place in the block is known.
    is_settled: bool,
}

/// On how many cells of a line, which is known by its number, a row was judged.
#[derive(Clone, Copy, Debug, Default)]
struct LineCells {
    line: usize,
    count: u32,
}

impl LineCells {
    /// Takes one more cell of this line; false where there were enough.
    fn take_one(&mut self, line: usize) -> bool {
        let count = if self.line == line { self.count } else { 0 };
        *self = Self { line, count: (count + 1).min(LONG_LINE_CELLS) };
        count < LONG_LINE_CELLS
    }
}

/// The occurrences on a line, or on a cell of a long one.
#[derive(Clone, Debug)]
struct OnLine {
    /// Cells of the same line have the same number.
    line: usize,
    occurrences: Range<usize>,
}

/// A text of a row occurs here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Occurrence {
    start: u32,
    row: u32,
}

impl Evidence {
    /// The evidence of a whole output.
    pub(crate) fn of(rows: &Rows, text: &[u8]) -> Self {
        let mut evidence = Self::new(rows);
        evidence.advance(rows, text, true);
        evidence
    }

    /// Nothing found yet.
    pub(crate) fn new(rows: &Rows) -> Self {
        // The document counts an indicator wherever it occurs, and its few texts are found fast.
        let limits = match rows.pack() {
            PackName::Field => LIMITS,
            PackName::Documented => Limits { skim_after_head: usize::MAX, ..LIMITS },
        };
        Self {
            found: ByRow::new(rows.count()),
            asides: ByRow::new(rows.count()),
            buffer: Vec::new(),
            done: 0,
            base: Position { offset: 0, line: 1 },
            skimmed: 0,
            limits,
            progress: ByRow::new(rows.count()),
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Takes in the next piece of the output.
    pub(crate) fn read(&mut self, rows: &Rows, chunk: &[u8]) {
        let Limits { skim_before_tail, tail, block, .. } = self.limits;
        for piece in chunk.chunks(block) {
            self.buffer.extend_from_slice(piece);
            // A third more than is kept has come, so that what is kept is seldom moved.
            if self.buffer.len() - self.done >= skim_before_tail + 2 * tail {
                let buffer = std::mem::take(&mut self.buffer);
                let line = self.advance(rows, &buffer, false);
                self.keep_end(buffer, line);
            }
        }
    }

    /// The last bytes of what was read, at most [`ENDS_TAIL_BYTES`].
    pub(crate) fn last(&self, bytes: usize) -> &[u8] {
        &self.buffer[self.buffer.len().saturating_sub(bytes)..]
    }

    /// Judges the rest when no more comes, and hands it over.
    pub(crate) fn finish(&mut self, rows: &Rows) -> Vec<u8> {
        let buffer = std::mem::take(&mut self.buffer);
        self.advance(rows, &buffer, true);
        buffer
    }

    /// The rows that count, in the pack's order.
    pub(crate) fn found(&self) -> impl Iterator<Item = RowHit> + '_ {
        self.found.iter().map(|(_, hit)| *hit)
    }

    /// The rows that occur only on warnings and notes, each with its last place, in the pack's order.
    pub(crate) fn asides(&self) -> impl Iterator<Item = RowHit> + '_ {
        let asides = self.asides.iter().filter(|(row, _)| self.found.get(*row).is_none());
        asides.map(|(row, &last)| RowHit { row, first: last, last })
    }

    /// How many bytes were skimmed.
    pub(crate) const fn skimmed(&self) -> u64 {
        self.skimmed
    }

    /// Judges and skims every part that is due; returns the line number at the end of what is done.
    fn advance(&mut self, rows: &Rows, buffer: &[u8], is_whole: bool) -> u64 {
        let mut lines = LineCounter::new(buffer, self.base.line);
        while let Some((part, effort)) = self.next_part(buffer.len(), is_whole) {
            self.skimmed += if effort == Effort::Judge { 0 } else { part.len() as u64 };
            if effort != Effort::PassOver {
                self.judge_part(rows, &mut lines, part.clone(), effort);
            }
            self.done = part.end;
        }
        lines.line_of(self.done)
    }

    /// The next part of a buffer that is due. `is_whole`: the output ends with the buffer.
    fn next_part(&self, length: usize, is_whole: bool) -> Option<(Range<usize>, Effort)> {
        let Limits { head, skim_after_head, skim_before_tail, tail, block, lookahead } = self.limits;
        let index_of = |offset: usize| ((offset as u64).saturating_sub(self.base.offset) as usize).min(length);
        let part = |end: usize, effort| Some((self.done..end, effort)).filter(|_| end > self.done);
        let (head_end, skim_end) = (index_of(head), index_of(head.saturating_add(skim_after_head)));
        if self.done < head_end {
            let is_due = is_whole || length >= head_end + lookahead;
            return part(head_end.min(self.done + block), Effort::Judge).filter(|_| is_due);
        }
        // What lies before is certainly not in the tail, and before that, not in the part that is skimmed before the tail.
        let tail_start = length.saturating_sub(tail).max(self.done);
        if self.done < skim_end {
            let end = skim_end.min(self.done + block);
            if end <= tail_start {
                return part(end, Effort::Skim);
            }
        } else if let Some(passed) = part(tail_start.saturating_sub(skim_before_tail), Effort::PassOver) {
            return Some(passed);
        }
        if !is_whole {
            return None;
        }
        part(tail_start.min(self.done + block), Effort::Skim)
            .or_else(|| part(length.min(self.done + block), Effort::Judge))
    }

    /// Keeps of a buffer what is not done yet, the lines before that, and the end of the output. `line` is that of `done`.
    fn keep_end(&mut self, mut buffer: Vec<u8>, line: u64) {
        let needed = self.done.saturating_sub(2 * MAX_LINE_BYTES + 1);
        let from = needed.min(buffer.len().saturating_sub(ENDS_TAIL_BYTES));
        let line = line - count_lines(&buffer[from..self.done]);
        self.base = Position { offset: self.base.offset + from as u64, line };
        self.done -= from;
        buffer.drain(..from);
        self.buffer = buffer;
    }

    /// Judges the occurrences that start within `part` of a text that begins at our base.
    fn judge_part(&mut self, rows: &Rows, lines: &mut LineCounter<'_>, part: Range<usize>, effort: Effort) {
        let from = lines_before(lines.text, part.start);
        let block = &lines.text[from..line_end(lines.text, line_end(lines.text, part.end))];
        let accept = part.start - from..part.end - from;
        let base = Position { offset: self.base.offset + from as u64, line: lines.line_of(from) };
        match ansi::strip(block).filter(|_| rows.pack() == PackName::Field) {
            None => self.judge_plain(rows, block, accept, base, effort, |at| at),
            Some(plain) => {
                self.judge_plain(rows, &plain.text, plain.range(&accept), base, effort, |at| plain.origin(at));
            }
        }
    }

    /// `origin` leads from an index of `block`, which has no escape codes, to one in what was printed. Only the first and the
    /// last place of a row matter, so a row is judged from the start of the block until it counts, and then from its end.
    fn judge_plain(
        &mut self,
        rows: &Rows,
        block: &[u8],
        accept: Range<usize>,
        base: Position,
        effort: Effort,
        origin: impl Fn(usize) -> usize,
    ) {
        let mut occurrences = occurrences(rows, block, accept, effort);
        let mut judge = LineJudge::new(rows, block);
        let mut counter = LineCounter::new(block, base.line);
        let mut place =
            |start: usize| Position { offset: base.offset + origin(start) as u64, line: counter.line_of(start) };
        self.progress.clear();
        let lines = self.judge_from_start(&mut occurrences, &mut judge, effort, &mut place);
        self.judge_from_end(&occurrences, &lines, &mut judge, effort, &mut place);
        #[cfg(test)]
        {
            self.steps += judge.steps() + occurrences.len() as u64;
        }
    }

    /// Judges each row line by line until it counts; returns the lines with occurrences.
    fn judge_from_start(
        &mut self,
        occurrences: &mut [Occurrence],
        judge: &mut LineJudge<'_, '_>,
        effort: Effort,
        place: &mut impl FnMut(usize) -> Position,
    ) -> Vec<OnLine> {
        let mut lines: Vec<OnLine> = Vec::new();
        let (mut next, mut line, mut line_end) = (0, 0, 0);
        while next < occurrences.len() {
            let end = judge.enter_line(occurrences[next].start as usize);
            // The surroundings of a cell begin before it, where its line does.
            if judge.line_start() >= line_end {
                line += 1;
            }
            line_end = end;
            let length = occurrences[next..].partition_point(|occurrence| (occurrence.start as usize) < end);
            let on_cell = next..next + length;
            next = on_cell.end;
            let on_line = &mut occurrences[on_cell.clone()];
            on_line.sort_unstable_by_key(|occurrence| (occurrence.row, occurrence.start));
            for of_row in on_line.chunk_by(|a, b| a.row == b.row) {
                let row = of_row[0].row as usize;
                if self.found.get(row).is_some() {
                    continue;
                }
                let progress = self.progress.get_or_insert(row, Progress::default());
                if effort.allows(progress.lines_from_start) && progress.cells.take_one(line) {
                    progress.lines_from_start += 1;
                    progress.judged_before = lines.len() + 1;
                    let judgement = judge.judge(row, of_row.iter().map(|occurrence| occurrence.start as usize));
                    self.record(row, judgement, &mut *place);
                }
            }
            lines.push(OnLine { line, occurrences: on_cell });
        }
        lines
    }

    /// Judges each row from the last line backwards until it counts, on lines where it was not judged yet.
    fn judge_from_end(
        &mut self,
        occurrences: &[Occurrence],
        lines: &[OnLine],
        judge: &mut LineJudge<'_, '_>,
        effort: Effort,
        place: &mut impl FnMut(usize) -> Position,
    ) {
        // Numbers of their own, so that cells are counted from the end anew.
        let from_end = |line: usize| usize::MAX - line;
        for (number, OnLine { line, occurrences: on_cell }) in lines.iter().enumerate().rev() {
            let on_line = &occurrences[on_cell.clone()];
            let mut is_entered = false;
            for of_row in on_line.chunk_by(|a, b| a.row == b.row) {
                let row = of_row[0].row as usize;
                let progress = self.progress.get_or_insert(row, Progress::default());
                if progress.is_settled
                    || number < progress.judged_before
                    || !effort.allows(progress.lines_from_end)
                    || !progress.cells.take_one(from_end(*line))
                {
                    continue;
                }
                progress.lines_from_end += 1;
                if !is_entered {
                    judge.enter_line(on_line.iter().map(|occurrence| occurrence.start as usize).min().unwrap_or(0));
                    is_entered = true;
                }
                let judgement = judge.judge(row, of_row.iter().map(|occurrence| occurrence.start as usize));
                progress.is_settled = judgement.full.is_some();
                self.record(row, judgement, &mut *place);
            }
        }
    }

    fn record(&mut self, row: usize, judgement: Judgement, mut place: impl FnMut(usize) -> Position) {
        if let Some(last) = judgement.aside {
            let place = place(last);
            let last = self.asides.get_or_insert(row, place);
            *last = place.max(*last);
        }
        if let Some((first, last)) = judgement.full {
            let (first, last) = (place(first), place(last));
            let hit = self.found.get_or_insert(row, RowHit { row, first, last });
            hit.first = hit.first.min(first);
            hit.last = hit.last.max(last);
        }
    }
}

/// The first 64 KiB and the last 192 KiB of `text`, which is what an observer keeps: the fingerprint and facts about the
/// failure are taken from them.
#[must_use]
pub fn ends(text: &[u8]) -> Cow<'_, [u8]> {
    if text.len() <= ENDS_HEAD_BYTES + ENDS_TAIL_BYTES {
        return Cow::Borrowed(text);
    }
    Cow::Owned([&text[..ENDS_HEAD_BYTES], &text[text.len() - ENDS_TAIL_BYTES..]].concat())
}

/// Where the texts of rows occur in `block`, starting within `accept`, by position: everywhere, or for rows whose pattern
/// requires something rarer than the text, on the lines that have that.
fn occurrences(rows: &Rows, block: &[u8], accept: Range<usize>, effort: Effort) -> Vec<Occurrence> {
    let (mut occurrences, mut required) = (Vec::new(), Vec::new());
    let only = (effort == Effort::Skim).then(|| rows.deciding());
    rows.find(block, |Candidate { row, is_text }, at| {
        let occurrence = Occurrence { start: at as u32, row: row as u32 };
        if only.is_some_and(|only| !only[row]) {
        } else if !is_text {
            required.push(occurrence);
        } else if accept.contains(&at) {
            occurrences.push(occurrence);
        }
    });
    required.sort_unstable_by_key(|occurrence| (occurrence.row, occurrence.start));
    for of_row in required.chunk_by(|a, b| a.row == b.row) {
        let Some(text) = rows.text(of_row[0].row as usize) else { continue };
        let mut searched_to = 0;
        for required in of_row {
            let part = judged_with(block, required.start as usize, searched_to);
            searched_to = part.end;
            let starts = starts_of(text.as_bytes(), block, part).filter(|start| accept.contains(start));
            occurrences.extend(starts.map(|start| Occurrence { start: start as u32, ..*required }));
        }
    }
    occurrences.sort_unstable();
    occurrences
}

/// The part of the line of index `at` whose occurrences are judged together with what is at `at`, from `searched_to` on.
fn judged_with(block: &[u8], at: usize, searched_to: usize) -> Range<usize> {
    let cell = at / CELL_BYTES;
    let (first, last) = (cell.saturating_sub(1) * CELL_BYTES, ((cell + 2) * CELL_BYTES).min(block.len()));
    if at < searched_to {
        // The line was begun; it goes on where it is long.
        let end = memchr::memchr2(b'\n', b'\r', &block[searched_to..last.max(searched_to)]);
        return searched_to..end.map_or(last.max(searched_to), |length| searched_to + length);
    }
    let first = first.max(searched_to);
    let begin = memchr::memrchr2(b'\n', b'\r', &block[first..at]).map_or(first, |found| first + found + 1);
    begin..memchr::memchr2(b'\n', b'\r', &block[at..last]).map_or(last, |length| at + length)
}

/// Where `text`, in lower case, occurs within `part` of a block, letters in either case.
fn starts_of(text: &[u8], block: &[u8], part: Range<usize>) -> impl Iterator<Item = usize> {
    let (first, base) = (text[0], part.start);
    // The last occurrence may end behind a part that a long line was divided into.
    let last = part.end.min((block.len() + 1).saturating_sub(text.len()));
    let places = memchr::memchr2_iter(first, first.to_ascii_uppercase(), &block[base..last.max(base)]);
    places.map(move |at| base + at).filter(|at| block[*at..*at + text.len()].eq_ignore_ascii_case(text))
}

/// Where the line before that of index `at` begins.
fn lines_before(text: &[u8], at: usize) -> usize {
    let begin = |at: usize| {
        let from = at.saturating_sub(MAX_LINE_BYTES);
        memchr::memrchr(b'\n', &text[from..at]).map_or(from, |found| from + found + 1)
    };
    begin(begin(at).saturating_sub(1))
}

/// Where the line of index `at` ends, its line break included.
fn line_end(text: &[u8], at: usize) -> usize {
    let to = text.len().min(at + MAX_LINE_BYTES);
    memchr::memchr(b'\n', &text[at..to]).map_or(to, |found| at + found + 1)
}

fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// Counts lines along with places, which come nearly in order.
struct LineCounter<'b> {
    text: &'b [u8],
    at: usize,
    line: u64,
}

impl<'b> LineCounter<'b> {
    /// `line` is the number of the first line.
    const fn new(text: &'b [u8], line: u64) -> Self {
        Self { text, at: 0, line }
    }

    fn line_of(&mut self, at: usize) -> u64 {
        if at >= self.at {
            self.line += count_lines(&self.text[self.at..at]);
        } else {
            self.line -= count_lines(&self.text[at..self.at]);
        }
        self.at = at;
        self.line
    }
}

#[cfg(test)]
mod tests;
