//! Which logs there are, and reading one, unpacked.

use super::Unreadable;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// What a worker reads at once: few system calls, and it stays in the second-level cache.
const CHUNK: usize = 256 << 10;

/// What is fetched at once while another core looks on: each chunk costs two wake-ups.
const AHEAD_CHUNK: usize = 1 << 20;
/// Chunks that are on their way at once.
const AHEAD: usize = 3;

/// A log on disk.
pub(super) struct Log {
    pub(super) path: PathBuf,
    /// Its size on disk.
    pub(super) size: u64,
}

/// How reading ended.
pub(super) enum Outcome {
    Done,
    Stopped,
}

/// The logs below these paths, sorted within each directory, and the paths that lead to none. Links to directories are not
/// followed, so there is no going round in circles; what git keeps for itself is left out.
pub(super) fn below(paths: &[PathBuf], stop: &AtomicBool) -> (Vec<Log>, Vec<Unreadable>) {
    let (mut logs, mut unreadable) = (Vec::new(), Vec::new());
    // Last in, first out, so what comes first goes in last.
    let mut open: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match look(&path) {
            Ok(Found::Log(size)) => logs.push(Log { path, size }),
            Ok(Found::Directory(entries)) => open.extend(entries.into_iter().rev()),
            // A device or socket that lies in a directory is no log; one that was named is an error.
            Ok(Found::Other) if !paths.contains(&path) => {}
            Ok(Found::Other) => unreadable.push(problem(&path, "is neither a file nor a directory")),
            Err(error) => unreadable.push(problem(&path, &error.to_string())),
        }
    }
    (logs, unreadable)
}

enum Found {
    Log(u64),
    Directory(Vec<PathBuf>),
    Other,
}

fn look(path: &Path) -> io::Result<Found> {
    let meta = path.metadata()?;
    if meta.is_dir() {
        let mut entries = Vec::new();
        for entry in path.read_dir()? {
            let entry = entry?;
            let linked_directory = entry.file_type()?.is_symlink() && entry.path().is_dir();
            if entry.file_name() != ".git" && !linked_directory {
                entries.push(entry.path());
            }
        }
        entries.sort();
        return Ok(Found::Directory(entries));
    }
    Ok(if meta.is_file() { Found::Log(meta.len()) } else { Found::Other })
}

fn problem(path: &Path, error: &str) -> Unreadable {
    Unreadable { file: path.display().to_string(), error: error.to_owned() }
}

impl Log {
    /// Hands every unpacked chunk to `each`, in order, with the number of bytes on disk it took to get it. `ahead` says that
    /// a core has nothing else to do than to fetch and unpack while another looks at what is there.
    pub(super) fn chunks(
        &self,
        stop: &AtomicBool,
        ahead: bool,
        mut each: impl FnMut(&[u8], u64),
    ) -> io::Result<Outcome> {
        let mut file = Counted { inner: File::open(&self.path)?, count: 0 };
        let mut start = [0; 4];
        let known = read_full(&mut file, &mut start)?;
        let mut whole = Cursor::new(&start[..known]).chain(&mut file);
        match start {
            [0x1f, 0x8b, ..] => {
                let mut unpacked = flate2::read::MultiGzDecoder::new(whole);
                drain(&mut unpacked, stop, ahead, &mut each, |unpacked| unpacked.get_ref().get_ref().1.count)
            }
            [0x28, 0xb5, 0x2f, 0xfd] => {
                let mut unpacked = ruzstd::decoding::StreamingDecoder::new(whole).map_err(io::Error::other)?;
                drain(&mut unpacked, stop, ahead, &mut each, |unpacked| unpacked.get_ref().get_ref().1.count)
            }
            _ => drain(&mut whole, stop, ahead, &mut each, |whole| whole.get_ref().1.count),
        }
    }
}

fn drain<R: Read + Send>(
    reader: &mut R,
    stop: &AtomicBool,
    ahead: bool,
    each: &mut impl FnMut(&[u8], u64),
    on_disk: impl Fn(&R) -> u64 + Sync,
) -> io::Result<Outcome> {
    let mut before = 0;
    let mut fill = |buffer: &mut Vec<u8>| -> io::Result<u64> {
        buffer.resize(if ahead { AHEAD_CHUNK } else { CHUNK }, 0);
        let read = read_full(reader, buffer)?;
        buffer.truncate(read);
        let now = on_disk(reader);
        Ok(now - std::mem::replace(&mut before, now))
    };
    let stopped = || stop.load(Ordering::Relaxed);
    if !ahead {
        let mut buffer = Vec::new();
        loop {
            if stopped() {
                return Ok(Outcome::Stopped);
            }
            let on_disk = fill(&mut buffer)?;
            if buffer.is_empty() {
                return Ok(Outcome::Done);
            }
            each(&buffer, on_disk);
        }
    }
    std::thread::scope(|scope| {
        let (give_back, free) = mpsc::channel();
        (0..AHEAD).try_for_each(|_| give_back.send(Vec::new())).expect("the other end is here");
        let (fetched, chunks) = mpsc::channel();
        scope.spawn(move || {
            // Whoever looks at the chunks may have stopped; then there is nothing left to fetch.
            while let Ok(mut buffer) = free.recv() {
                let outcome = fill(&mut buffer);
                let last = outcome.is_err() || buffer.is_empty();
                if fetched.send(outcome.map(|on_disk| (buffer, on_disk))).is_err() || last {
                    return;
                }
            }
        });
        for chunk in chunks {
            if stopped() {
                return Ok(Outcome::Stopped);
            }
            let (buffer, on_disk) = chunk?;
            if !buffer.is_empty() {
                each(&buffer, on_disk);
            }
            let _ = give_back.send(buffer);
        }
        Ok(Outcome::Done)
    })
}

/// Fills the buffer as far as the input goes, so that unpacking in small steps still makes large chunks.
fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Counts what is read through it.
struct Counted {
    inner: File,
    count: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}
