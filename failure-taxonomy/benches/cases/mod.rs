//! What is measured: texts made the same way every time, with the number of occurrences in them.

use failure_taxonomy::PackName;

/// A pack, a text, and how often any of what is searched for the pack occurs in it.
pub struct Case {
    pub name: &'static str,
    pub pack: PackName,
    pub text: Vec<u8>,
    pub hits: usize,
}

impl Case {
    fn new(name: &'static str, pack: PackName, text: Vec<u8>) -> Self {
        Self { name, pack, hits: occurrences(pack.literals(), &text), text }
    }
}

/// All cases, with texts of this size; the tail is always 4 KiB. All texts are made up: these are micro-benchmarks.
pub fn all(size: usize) -> Vec<Case> {
    use PackName::{Documented, Field};
    let documented = Documented.literals();
    let near_misses: String = documented.iter().map(|n| format!("{} ", &n[..n.len() - 1])).collect();
    let every_one: String = documented.join(", ") + "\n";
    vec![
        Case::new("documented pack, rare matches", Documented, log(size, documented)),
        Case::new("field pack, rare matches", Field, log(size, documented)),
        Case::new("documented pack, 4 KiB tail", Documented, log(4096, documented)),
        Case::new("documented pack, all on every line", Documented, repeated(&every_one, size)),
        Case::new("documented pack, near misses", Documented, repeated(&near_misses, size)),
        Case::new("documented pack, one byte repeated", Documented, repeated("e", size)),
    ]
}

/// Counted by the plainest way that is fast enough.
fn occurrences(needles: &[&str], text: &[u8]) -> usize {
    let text = text.to_ascii_lowercase();
    needles.iter().map(|n| overlapping(&text, n.to_ascii_lowercase().as_bytes())).sum()
}

fn overlapping(text: &[u8], needle: &[u8]) -> usize {
    let finder = memchr::memmem::Finder::new(needle);
    let (mut at, mut count) = (0, 0);
    while let Some(found) = finder.find(&text[at..]) {
        at += found + 1;
        count += 1;
    }
    count
}

fn repeated(text: &str, size: usize) -> Vec<u8> {
    text.bytes().cycle().take(size).collect()
}

/// A log of builds, downloads, tests and servers in which about every 16 KiB one of a quarter of the needles occurs; the
/// others are looked for to the end, also by those who stop when they have seen all.
fn log(size: usize, needles: &[&str]) -> Vec<u8> {
    let mut random = Random(0x5eed);
    let mut text = Vec::with_capacity(size + 256);
    let mut next_match = 1024;
    while text.len() < size {
        line(&mut random, &mut text);
        if text.len() >= next_match {
            next_match += 12 * 1024 + random.below(8 * 1024);
            text.extend_from_slice(random.of(&needles[..needles.len() / 4]).as_bytes());
            text.push(b'\n');
        }
    }
    text.truncate(size);
    text
}

const WORDS: &[&str] = &[
    "action", "added", "agent", "all", "application", "archive", "artifact", "assembly", "attempt", "available",
    "base", "branch", "build", "bundle", "cache", "cached", "changes", "channel", "check", "class", "client",
    "cluster", "code", "commit", "compiled", "complete", "component", "config", "connected", "connection", "container",
    "content", "continue", "copying", "core", "coverage", "created", "data", "database", "default", "dependencies",
    "deploy", "detected", "device", "digest", "directory", "download", "duration", "enabled", "end", "endpoint",
    "entries", "environment", "event", "exit", "extracting", "feature", "fetching", "file", "files", "finished",
    "folder", "for", "format", "found", "from", "function", "generated", "global", "group", "handler", "header",
    "health", "host", "image", "import", "in", "index", "info", "initial", "input", "install", "instance",
    "integration", "internal", "is", "items", "job", "kernel", "key", "layer", "length", "level", "library", "linking",
    "listen", "loaded", "local", "lock", "main", "manager", "manifest", "memory", "message", "method", "migration",
    "model", "module", "name", "network", "node", "not", "object", "of", "on", "open", "operation", "option", "output",
    "package", "page", "parallel", "parser", "passed", "patch", "path", "pending", "pipeline", "plugin", "policy",
    "pool", "port", "prepare", "process", "profile", "progress", "project", "protocol", "provider", "publish",
    "pulling", "queue", "ready", "received", "record", "registry", "release", "remote", "report", "repository",
    "request", "resolved", "resource", "response", "result", "return", "root", "route", "rule", "running", "runtime",
    "schema", "script", "section", "selected", "server", "service", "session", "setting", "setup", "shared",
    "signature", "size", "skipped", "source", "stage", "start", "started", "state", "static", "status", "step",
    "storage", "stream", "string", "success", "suite", "support", "sync", "system", "table", "target", "task",
    "template", "test", "tests", "thread", "time", "to", "token", "tool", "total", "transfer", "type", "unit",
    "update", "upload", "used", "user", "using", "value", "verify", "version", "volume", "warning", "with", "worker",
    "workspace", "write",
];
const STARTS: &[&str] = &[
    "   Compiling ", "  Downloaded ", "[INFO] ", "DEBUG ", "npm info ", "  PASS ", "test ", "ok      ", "Step ",
    " ---> ", "Collecting ", "Get:", "remote: ", "##[group]", "[webpack] ", "> Task :", "INFO: ", "level=info msg=",
    "+ ", "::debug::",
];

fn line(random: &mut Random, text: &mut Vec<u8>) {
    let mut put = |piece: &str| text.extend_from_slice(piece.as_bytes());
    if random.below(2) == 0 {
        let [h, m, s, ms] = [24, 60, 60, 1000].map(|n| random.below(n));
        put(&format!("2026-02-{:02}T{h:02}:{m:02}:{s:02}.{ms:03}Z ", 1 + random.below(28)));
    }
    put(random.of(STARTS));
    for _ in 0..3 + random.below(10) {
        match random.below(12) {
            0 => put(&format!("{}/{}/{}.rs", random.of(WORDS), random.of(WORDS), random.of(WORDS))),
            1 => put(&format!("v{}.{}.{}", random.below(9), random.below(40), random.below(20))),
            2 => put(&format!("sha256:{:016x}{:016x}", random.next(), random.next())),
            3 => put(&format!("{}_{}={}", random.of(WORDS), random.of(WORDS), random.below(100_000))),
            4 => put(&format!("({} ms)", random.below(2000))),
            _ => put(random.of(WORDS)),
        }
        put(" ");
    }
    text.pop();
    text.push(b'\n');
}

/// A small generator, so that the texts are the same everywhere and for ever.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit
    }

    fn of<'t, T: AsRef<str>>(&mut self, from: &'t [T]) -> &'t str {
        let index = self.below(from.len());
        from[index].as_ref()
    }
}
