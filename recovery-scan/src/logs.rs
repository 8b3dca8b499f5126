//! Finds and reads logs: files, directories, zip archives of CI runs, compressed files.
//!
//! In: paths. Out: a sorted list of [`Log`]s with their sizes, each readable chunk by chunk in constant memory.
//! Symbolic links to directories are not followed. An archive of GitHub's may contain a job both as a whole and by its
//! steps; then only the steps are read. Another kind of archive is added in `look` and [`Log`].

use crate::UnreadableLog;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// What a worker reads at once: few system calls, and it stays in the second-level cache.
const CHUNK_BYTES: usize = 256 << 10;

/// What is fetched at once while another core looks on: each chunk costs two wake-ups.
const AHEAD_CHUNK_BYTES: usize = 1 << 20;
/// Chunks that are on their way at once.
const AHEAD_CHUNKS: usize = 3;

/// A log on disk.
#[derive(Clone, Debug)]
pub struct Log {
    path: PathBuf,
    /// The number and name within the archive `path`.
    entry: Option<(usize, String)>,
    /// Its size on disk.
    pub size: u64,
}

/// How reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOutcome {
    /// Everything was read.
    Done,
    /// `stop` was set.
    Stopped,
}

/// The logs below these paths, sorted within each directory, and the paths that lead to none. Links to directories are not
/// followed, so there is no going round in circles; what git keeps for itself is left out.
#[must_use]
pub fn below(paths: &[PathBuf], stop: &AtomicBool) -> (Vec<Log>, Vec<UnreadableLog>) {
    let (mut logs, mut unreadable) = (Vec::new(), Vec::new());
    // Last in, first out, so what comes first goes in last.
    let mut open: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match look(&path) {
            Ok(Found::Log(size)) => logs.push(Log { path, entry: None, size }),
            Ok(Found::Archive(entries)) => logs.extend(entries.into_iter().map(|(number, name, size)| Log {
                path: path.clone(),
                entry: Some((number, name)),
                size,
            })),
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
    /// Each log's number, name and size.
    Archive(Vec<(usize, String, u64)>),
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
            // What git and `recovery` keep there are no logs; the journal quotes every failure it has recorded.
            let is_state = entry.file_name() == ".git" || entry.file_name() == ".recovery";
            if !is_state && !linked_directory {
                entries.push(entry.path());
            }
        }
        entries.sort();
        return Ok(Found::Directory(entries));
    }
    if !meta.is_file() {
        return Ok(Found::Other);
    }
    if is_archive(path)? {
        return Ok(Found::Archive(archived(path)?));
    }
    Ok(Found::Log(meta.len()))
}

fn is_archive(path: &Path) -> io::Result<bool> {
    let mut start = [0; 4];
    read_full(&mut File::open(path)?, &mut start)?;
    Ok(start == *b"PK\x03\x04")
}

/// The logs in an archive, in the order of their names. GitHub's has `0_build.txt` with the whole job and, with older
/// servers, `build/1_Set up job.txt` for each step of it: then the steps are read and the whole is not.
fn archived(path: &Path) -> io::Result<Vec<(usize, String, u64)>> {
    let mut archive = zip::ZipArchive::new(File::open(path)?)?;
    let mut entries = Vec::new();
    for number in 0..archive.len() {
        let entry = archive.by_index_raw(number)?;
        if entry.is_file() {
            entries.push((number, String::from_utf8_lossy(entry.name_raw()).into_owned(), entry.compressed_size()));
        }
    }
    let is_step = |name: &str, job: &str| {
        name.strip_prefix(job)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|file| file.starts_with(|first: char| first.is_ascii_digit()))
    };
    let has_steps = |name: &str| {
        let job = name
            .strip_suffix(".txt")
            .and_then(|name| name.split_once('_'))
            .filter(|(number, _)| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()));
        !name.contains('/') && job.is_some_and(|(_, job)| entries.iter().any(|(_, name, _)| is_step(name, job)))
    };
    let whole: Vec<usize> = entries.iter().filter(|(_, name, _)| has_steps(name)).map(|(number, ..)| *number).collect();
    entries.retain(|(number, ..)| !whole.contains(number));
    entries.sort_by_cached_key(|(_, name, _)| natural(name));
    Ok(entries)
}

/// Orders `2_Build.txt` before `10_Test.txt`.
fn natural(name: &str) -> Vec<(String, u64, String)> {
    name.split('/')
        .map(|part| {
            let digits = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
            match part[..digits].parse() {
                Ok(number) => (String::new(), number, part[digits..].to_owned()),
                Err(_) => (part.to_owned(), 0, String::new()),
            }
        })
        .collect()
}

fn problem(path: &Path, error: &str) -> UnreadableLog {
    UnreadableLog { file: path.display().to_string(), error: error.to_owned() }
}

impl Log {
    /// Its path, with the name within an archive.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.entry {
            Some((_, name)) => format!("{}/{name}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// Hands every unpacked chunk to `each`, in order, with the number of bytes on disk it took to get it. `ahead` means that
    /// a core has nothing else to do than to fetch and unpack while another looks at what is there.
    ///
    /// # Errors
    ///
    /// What the file system or the decompression reports.
    pub fn chunks(&self, stop: &AtomicBool, ahead: bool, mut each: impl FnMut(&[u8], u64)) -> io::Result<ReadOutcome> {
        if let Some((number, _)) = self.entry {
            let mut archive = zip::ZipArchive::new(File::open(&self.path)?)?;
            return drain_entry(&mut archive.by_index(number)?, self.size, stop, &mut each);
        }
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

/// Reads a log in an archive; its whole size on disk is reported with the first chunk.
fn drain_entry(
    reader: &mut impl Read,
    size: u64,
    stop: &AtomicBool,
    each: &mut impl FnMut(&[u8], u64),
) -> io::Result<ReadOutcome> {
    let (mut buffer, mut on_disk) = (vec![0; CHUNK_BYTES], size);
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(ReadOutcome::Stopped);
        }
        match read_full(reader, &mut buffer)? {
            0 => return Ok(ReadOutcome::Done),
            read => each(&buffer[..read], std::mem::take(&mut on_disk)),
        }
    }
}

fn drain<R: Read + Send>(
    reader: &mut R,
    stop: &AtomicBool,
    ahead: bool,
    each: &mut impl FnMut(&[u8], u64),
    on_disk: impl Fn(&R) -> u64 + Sync,
) -> io::Result<ReadOutcome> {
    let mut before = 0;
    let mut fill = |buffer: &mut Vec<u8>| -> io::Result<u64> {
        buffer.resize(if ahead { AHEAD_CHUNK_BYTES } else { CHUNK_BYTES }, 0);
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
                return Ok(ReadOutcome::Stopped);
            }
            let on_disk = fill(&mut buffer)?;
            if buffer.is_empty() {
                return Ok(ReadOutcome::Done);
            }
            each(&buffer, on_disk);
        }
    }
    std::thread::scope(|scope| {
        let (give_back, free) = mpsc::channel();
        (0..AHEAD_CHUNKS).try_for_each(|_| give_back.send(Vec::new())).expect("the other end is here");
        let (fetched, chunks) = mpsc::channel();
        scope.spawn(move || {
            // The consumer may have stopped; then there is nothing left to fetch.
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
                return Ok(ReadOutcome::Stopped);
            }
            let (buffer, on_disk) = chunk?;
            if !buffer.is_empty() {
                each(&buffer, on_disk);
            }
            let _ = give_back.send(buffer);
        }
        Ok(ReadOutcome::Done)
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
