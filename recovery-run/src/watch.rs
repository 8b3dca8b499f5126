//! What a command prints, read as it flows: in constant memory, whatever its length.

use recovery_engine::{Observer, Taxonomy};

/// How much of a line that has not ended is held back, so that two streams do not tear each other's lines.
const MAX_HELD_BYTES: usize = 16 << 10;

/// How a line of a supervisor begins.
const SUPERVISOR_PREFIX: &[u8] = b"recovery:";

/// How its annotations begin in a job of GitHub Actions.
const ANNOTATION_PREFIXES: [&[u8]; 3] =
    [b"::notice title=recovery::", b"::warning title=recovery::", b"::error title=recovery::"];

/// Whether a line is a supervisor's own, coloured or not.
fn is_ours(line: &[u8]) -> bool {
    let plain = line.strip_prefix(b"\x1b[2m").unwrap_or(line);
    plain.starts_with(SUPERVISOR_PREFIX) || ANNOTATION_PREFIXES.iter().any(|prefix| plain.starts_with(prefix))
}

/// One of a command's two streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Reads both streams line by line: for the diagnosis, and for the last part that an event carries.
pub struct Watch<'t> {
    observer: Observer<'t>,
    held: [Vec<u8>; 2],
}

impl<'t> Watch<'t> {
    /// Nothing printed yet.
    pub fn new(taxonomy: &'t Taxonomy) -> Self {
        Self { observer: taxonomy.observe(), held: [Vec::new(), Vec::new()] }
    }

    /// Reads the next piece of `stream`.
    pub fn read(&mut self, stream: Stream, chunk: &[u8]) {
        let mut held = std::mem::take(&mut self.held[stream as usize]);
        // A line longer than what is held back is read as it comes.
        let from = chunk.len().saturating_sub(MAX_HELD_BYTES);
        let whole = match chunk[from..].iter().rposition(|byte| *byte == b'\n') {
            Some(at) => from + at + 1,
            None if held.len() + chunk.len() > MAX_HELD_BYTES => chunk.len(),
            None => 0,
        };
        if whole > 0 {
            self.feed(&held);
            self.feed(&chunk[..whole]);
            held.clear();
        }
        held.extend_from_slice(&chunk[whole..]);
        self.held[stream as usize] = held;
    }

    /// What was seen: the scan of everything, and the last part as text.
    pub fn finish(mut self) -> (Observer<'t>, String) {
        for held in std::mem::take(&mut self.held) {
            self.feed(&held);
        }
        let last = String::from_utf8_lossy(self.observer.last()).into_owned();
        (self.observer, last)
    }

    /// Notices of a run within this run are no output of the command.
    fn feed(&mut self, bytes: &[u8]) {
        if memchr::memmem::find(bytes, SUPERVISOR_PREFIX).is_none() {
            if !bytes.is_empty() {
                self.observer.feed(bytes);
            }
            return;
        }
        for line in bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| !is_ours(line)) {
            self.observer.feed(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_streams_do_not_tear_each_others_lines() {
        let taxonomy = Taxonomy::field();
        let mut watch = Watch::new(&taxonomy);
        watch.read(Stream::Err, b"Error: read ECONN");
        watch.read(Stream::Out, b"progress 1\nprogress");
        watch.read(Stream::Err, b"RESET\n");
        watch.read(Stream::Out, b" 2");
        let (_, text) = watch.finish();
        assert_eq!(text, "progress 1\nError: read ECONNRESET\nprogress 2");
    }

    #[test]
    fn lines_of_a_run_within_the_run_are_not_the_commands() {
        let taxonomy = Taxonomy::field();
        let mut watch = Watch::new(&taxonomy);
        watch.read(
            Stream::Err,
            b"recovery: connection failed; retry 1/3\n\x1b[2mrecovery:\x1b[0m failed\n\
              ::error title=recovery::failed after 4 runs\nmy recovery: ok\n",
        );
        let (_, text) = watch.finish();
        assert_eq!(text, "my recovery: ok\n");
    }

    #[test]
    fn a_line_without_end_is_not_held_for_ever() {
        let taxonomy = Taxonomy::field();
        let mut watch = Watch::new(&taxonomy);
        for _ in 0..100 {
            watch.read(Stream::Out, &[b'x'; 10_000]);
            assert!(watch.held[0].len() <= MAX_HELD_BYTES);
        }
        let mut long = vec![b'y'; 100_000];
        long[10] = b'\n';
        watch.read(Stream::Out, &long);
        assert!(watch.held[0].len() <= MAX_HELD_BYTES);
        let (_, text) = watch.finish();
        assert!(text.ends_with("yyy") && text.len() == 64 << 10);
    }
}
