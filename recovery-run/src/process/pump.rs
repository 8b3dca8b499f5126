//! Copies the output of a command to our own: unchanged, observed, in constant memory. Scanning it for indicators takes
//! longer than copying, so both run in parallel.

use crate::watch::{Stream, Watch};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The capacity of a large pipe.
const CHUNK_BYTES: usize = 256 << 10;

/// How long output of processes that outlive the command is awaited: until a silence of the first, at most the second.
const MAX_SILENCE: Duration = Duration::from_millis(100);
const MAX_LINGER: Duration = Duration::from_millis(400);

/// The number of chunks in the queue of the observer; copying waits when it is full.
pub(crate) const QUEUE_CHUNKS: usize = 8;

/// The amount that is gathered before it is observed, so that a command that writes small pieces does not cause two
/// wake-ups for each; and the maximum delay, so that two streams keep their order.
const GATHERED: usize = CHUNK_BYTES / 2;
const GATHERING: Duration = Duration::from_millis(2);

/// A piece of output that was passed on.
pub(crate) struct Chunk {
    stream: Stream,
    buffer: Vec<u8>,
    length: usize,
}

/// Whether all copied output was handed to the observer.
struct Gathered<'a> {
    stream: Stream,
    buffer: Vec<u8>,
    length: usize,
    passed: &'a SyncSender<Chunk>,
    spare: &'a Spare,
}

impl Gathered<'_> {
    /// Where the next piece is read to.
    fn space(&mut self) -> &mut [u8] {
        if self.buffer.is_empty() {
            self.buffer = self.spare.take();
        }
        &mut self.buffer[self.length..]
    }

    /// Passes it to the observer; false if there is none.
    fn send(&mut self) -> bool {
        if self.length == 0 {
            return true;
        }
        let (buffer, length) = (std::mem::take(&mut self.buffer), std::mem::take(&mut self.length));
        self.passed.send(Chunk { stream: self.stream, buffer, length }).is_ok()
    }
}

/// Buffers to use again.
#[derive(Default)]
pub(crate) struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_else(|| vec![0; CHUNK_BYTES])
    }

    fn give(&self, buffer: Vec<u8>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
    }
}

/// Observes the copied output until all copying threads have ended.
pub(crate) fn watch(chunks: &Receiver<Chunk>, spare: &Spare, watch: &Mutex<Watch<'_>>) {
    for Chunk { stream, buffer, length } in chunks {
        watch.lock().unwrap_or_else(PoisonError::into_inner).read(stream, &buffer[..length]);
        spare.give(buffer);
    }
}

/// Copies `source` to our own stream until its end. Once `gone` is closed, the command has ended: what it wrote is still
/// copied, and what others who hold its end open write within a moment.
///
/// A pipe of ours that nobody reads is closed, so that the command notices; a terminal is read on, so that the command
/// does not block.
pub(crate) fn copy(
    source: OwnedFd,
    stream: Stream,
    terminal: bool,
    gone: BorrowedFd<'_>,
    passed: &SyncSender<Chunk>,
    spare: &Spare,
) -> Copied {
    let mut is_read = true;
    let mut gathered = Gathered { stream, buffer: Vec::new(), length: 0, passed, spare };
    let mut pass = |gathered: &mut Gathered<'_>| -> Option<usize> {
        let space = gathered.space();
        let length = match rustix::io::read(&source, &mut *space) {
            Ok(0) => return None,
            Ok(length) => length,
            Err(Errno::INTR | Errno::AGAIN) => return Some(0),
            // EIO is the end of a terminal.
            Err(_) => return None,
        };
        is_read = is_read && write_all(stream, &space[..length]);
        if !is_read && !terminal {
            return None;
        }
        gathered.length += length;
        (gathered.length < GATHERED || gathered.send()).then_some(length)
    };
    let mut ended = loop {
        let longest = (gathered.length > 0).then_some(GATHERING);
        match ready(source.as_fd(), Some(gone), longest) {
            Ready::Source => {
                if pass(&mut gathered).is_none() {
                    break true;
                }
            }
            Ready::Gone => break false,
            Ready::Neither => {
                if !gathered.send() {
                    break true;
                }
            }
        }
    };
    if !ended {
        let mut owed = rustix::io::ioctl_fionread(&source).unwrap_or(0);
        let until = Instant::now() + MAX_LINGER;
        loop {
            let left = until.saturating_duration_since(Instant::now()).min(MAX_SILENCE);
            if owed == 0 && left.is_zero() {
                break;
            }
            let Ready::Source = ready(source.as_fd(), None, Some(left)) else { break };
            match pass(&mut gathered) {
                Some(read) => owed = owed.saturating_sub(read as u64),
                None => {
                    ended = true;
                    break;
                }
            }
        }
    }
    gathered.send();
    Copied { is_read, open: (!ended && !terminal).then_some(source) }
}

/// The end of a stream.
pub(crate) struct Copied {
    /// Whether our own stream still has a reader.
    pub is_read: bool,
    /// The pipe, if a process that outlives the command holds its other end.
    pub open: Option<OwnedFd>,
}

/// Leaves a reader for processes that outlive a successful command: without one, the next line of a server's output
/// would end it with SIGPIPE. The output appears where it would have without the supervisor.
pub(crate) fn read_on(pipe: OwnedFd, stream: Stream) {
    let ours = match stream {
        Stream::Out => rustix::stdio::stdout(),
        Stream::Err => rustix::stdio::stderr(),
    };
    let Ok(ours) = ours.try_clone_to_owned() else { return };
    let mut reader = Command::new("cat");
    reader.stdin(pipe).stdout(ours).stderr(Stdio::null()).process_group(0);
    // Where there is no `cat`, the pipe closes with us.
    let _ = reader.spawn();
}

/// A larger pipe means fewer wake-ups; the usual one does as well.
pub(crate) fn enlarge(_pipe: BorrowedFd<'_>) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(_pipe, 1 << 20);
}

enum Ready {
    Source,
    Gone,
    Neither,
}

fn ready(source: BorrowedFd<'_>, gone: Option<BorrowedFd<'_>>, longest: Option<Duration>) -> Ready {
    let longest = longest.map(|d| Timespec { tv_sec: 0, tv_nsec: d.subsec_nanos().into() });
    let mut fds = vec![PollFd::from_borrowed_fd(source, PollFlags::IN)];
    fds.extend(gone.map(|gone| PollFd::from_borrowed_fd(gone, PollFlags::IN)));
    match poll(&mut fds, longest.as_ref()) {
        Ok(_) if !fds[0].revents().is_empty() => Ready::Source,
        Ok(_) if fds.get(1).is_some_and(|gone| !gone.revents().is_empty()) => Ready::Gone,
        Ok(_) | Err(_) => Ready::Neither,
    }
}

/// Writes to our own stream; false if its reader has closed it.
fn write_all(stream: Stream, mut bytes: &[u8]) -> bool {
    let fd = match stream {
        Stream::Out => rustix::stdio::stdout(),
        Stream::Err => rustix::stdio::stderr(),
    };
    while !bytes.is_empty() {
        match rustix::io::write(fd, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::OUT)], None);
            }
            Err(_) => return false,
        }
    }
    true
}
