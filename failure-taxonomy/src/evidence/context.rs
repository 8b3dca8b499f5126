//! What kind of line an indicator occurs on.
//!
//! In: a line, with the line before it and whether the line after it says that something is tried again. Out: where the
//! content begins behind time stamps and log tags ([`content_start`]), and per position whether the line reports a failure,
//! only mentions one, or quotes code, a command or a passed test ([`LineContext::voice`]). The rules are heuristics over
//! single lines, so that any part of a long output can be judged without the rest. A new kind of quote goes to `is_quote`, a
//! new word that makes the rest of its line an aside to `ASIDES`, a new prefix of CI systems to `content_start`.

/// How a line speaks of what occurs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// It reports.
    Report,
    /// It warns, informs, or tells of something that was tried again.
    Aside,
    /// It quotes: source code, a stack frame, a command that was run, a passed test.
    Quote,
}

/// How a model, or an article, begins to speak of failures that it only tells of.
const TALK: [&str; 26] = [
    "Let's ",
    "Let me ",
    "I'll ",
    "I've ",
    "I'm ",
    "We're debugging",
    "Here's ",
    "Sure",
    "You should ",
    "When you ",
    "When a",
    "If your ",
    "If the ",
    "If a",
    "This error ",
    "The error ",
    "Understanding ",
    "I looked ",
    "I checked ",
    "I found ",
    "I fixed ",
    "I added ",
    "I changed ",
    "I updated ",
    "I ran ",
    "I have ",
];

/// What is said to a reader, and the record of a conversation: no report, unless it says so.
fn is_talk(content: &[u8]) -> bool {
    let record = [&br#"{"type":"user""#[..], br#"{"type":"assistant""#].iter().any(|head| content.starts_with(head));
    let reports = memchr::memmem::find(content, br#""is_error":true"#).is_some();
    let explains = memchr::memmem::find(content, b" may be returned ").is_some();
    (record && !reports) || explains || starts_with_any(content, &TALK)
}

fn starts_with_any(text: &[u8], words: &[&str]) -> bool {
    // Most words fall at their first letter.
    words.iter().any(|word| word.as_bytes().first() == text.first() && text.starts_with(word.as_bytes()))
}

/// Where the content of a line begins, after blanks, time stamps, log tags and marks.
pub(super) fn content_start(line: &[u8]) -> usize {
    let mut at = columns(line);
    at += service(&line[at..]);
    // Prefixes come in stacks of a few; more would not be prefixes.
    for _ in 0..8 {
        let rest = &line[at..];
        let skip = blanks(rest).max(time_stamp(rest)).max(tag(rest)).max(mark(rest)).max(logger(rest));
        if skip == 0 {
            break;
        }
        at += skip;
    }
    at
}

/// What a line, between the lines before and after, means for everything that occurs on it.
#[derive(Clone, Debug)]
pub(super) struct LineContext {
    /// Up to here, the line was printed by what ran the command: the time, the step.
    prefix: usize,
    is_quote: bool,
    is_aside: bool,
    /// Where the words end that make what follows an aside, in rising order.
    aside_ends: Vec<usize>,
}

/// What a line means for the one after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PrevLine {
    /// The next line is what is warned of.
    warns_next: bool,
    /// The next line is the code of this stack frame.
    is_frame: bool,
    /// The next line continues the description of an option, where it is indented deeper than this.
    option: Option<usize>,
}

impl PrevLine {
    pub(super) fn of(line: &[u8]) -> Self {
        let line = &line[stamp(line)..];
        let end = line.trim_ascii_end();
        Self {
            warns_next: end.ends_with(b"arning:") || end.ends_with(b"arning message:"),
            is_frame: line.trim_ascii_start().starts_with(b"File \""),
            option: is_option(line).then(|| indent(line)),
        }
    }
}

impl LineContext {
    /// `is_retried`: the next line says that it is tried again.
    pub(super) fn of(line: &[u8], prev: PrevLine, is_retried: bool) -> Self {
        let prefix = stamp(line);
        let content = line[prefix..].trim_ascii_start();
        let advice = content.starts_with(b"If you ") || content.starts_with(b"Waiting for ") || is_talk(content);
        Self {
            prefix,
            is_quote: is_quote(&line[prefix..], prev),
            is_aside: advice || prev.warns_next || is_retried || says_retry(line),
            aside_ends: aside_ends(line),
        }
    }

    /// The voice for what occurs at `at` on the line.
    pub(super) fn voice(&self, line: &[u8], at: usize) -> Voice {
        if self.is_quote || at < self.prefix {
            Voice::Quote
        } else if self.is_aside || self.follows_aside_word(line, at) {
            Voice::Aside
        } else {
            Voice::Report
        }
    }

    /// Whether a word shortly before `at` makes what follows an aside.
    fn follows_aside_word(&self, line: &[u8], at: usize) -> bool {
        let ended = self.aside_ends.partition_point(|end| *end <= at);
        let is_near = |end: &usize| at - end < ASIDE_REACH_BYTES;
        ended.checked_sub(1).map(|last| &self.aside_ends[last]).is_some_and(is_near) || ends_in_aside_word(&line[..at])
    }
}

/// Where a line goes on after `2024-01-31T10:00:00Z `, `[10:00:00] ` or `#12 3.456 `; the blanks that indent it stay.
fn stamp(line: &[u8]) -> usize {
    let mut at = columns(line);
    for _ in 0..3 {
        let rest = &line[at..];
        let bracketed = rest.strip_prefix(b"[").map_or(0, time_stamp);
        let step = if rest.starts_with(b"#") && !rest.starts_with(b"##") { tag(rest) } else { 0 };
        let skip = match rest.get(bracketed + 1) {
            Some(b']') if bracketed > 0 => bracketed + 2,
            _ => time_stamp(rest).max(step),
        };
        if skip == 0 {
            break;
        }
        at += skip;
        at += usize::from(line.get(at) == Some(&b' '));
    }
    at
}

/// `job<tab>step<tab>2024-01-31T10:00:00Z `, as `gh run view --log` prints.
fn columns(line: &[u8]) -> usize {
    const SCAN: usize = 240;
    let mut tabs = memchr::memchr_iter(b'\t', &line[..line.len().min(SCAN)]);
    let Some(stamp) = tabs.nth(1).map(|tab| tab + 1) else { return 0 };
    if time_stamp(&line[stamp..]) > 0 { stamp } else { 0 }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().position(|b| !matches!(b, b' ' | b'\t' | 0x08)).unwrap_or(text.len())
}

/// `2024-01-31T10:00:00.123Z`, `2024/01/31 10:00:00`, `10:00:00,123`.
fn time_stamp(text: &[u8]) -> usize {
    let shape = |from: usize, shape: &[u8]| {
        text.len() >= from + shape.len()
            && shape.iter().zip(&text[from..]).all(|(s, b)| match s {
                b'0' => b.is_ascii_digit(),
                b'-' => matches!(b, b'-' | b'/'),
                b'T' => matches!(b, b'T' | b' '),
                _ => s == b,
            })
    };
    let clock = if shape(0, b"0000-00-00T00:00:00") {
        19
    } else if shape(0, b"00:00:00") {
        8
    } else {
        return 0;
    };
    let rest = &text[clock..];
    clock + rest.iter().position(|b| !matches!(b, b'0'..=b'9' | b'.' | b',' | b'Z' | b'+')).unwrap_or(rest.len())
}

/// `[INFO]`, `[exec]`, `[12:33:44]`, `##[error]`, `#12 3.456`, `23>`.
fn tag(text: &[u8]) -> usize {
    const LONGEST: usize = 40;
    let hashes = text.iter().take(2).take_while(|b| **b == b'#').count();
    if text.get(hashes) == Some(&b'[') {
        let inside = &text[hashes + 1..];
        let plain = |b: &u8| b.is_ascii_alphanumeric() || b" :.+-_".contains(b);
        let end = inside.iter().take(LONGEST).position(|b| !plain(b));
        // A tag that has its line to itself is what the line says.
        let is_tag = |end: &usize| inside[*end] == b']' && !inside[*end + 1..].trim_ascii().is_empty();
        return end.filter(is_tag).map_or(0, |end| hashes + 1 + end + 1);
    }
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    if hashes == 1 && digits(1) > 0 {
        let number = 1 + digits(1);
        if text.get(number) != Some(&b' ') {
            return 0;
        }
        let whole = digits(number + 1);
        let decimal = whole > 0 && text.get(number + 1 + whole) == Some(&b'.');
        return if decimal { number + 2 + whole + digits(number + 2 + whole) } else { number + 1 };
    }
    match digits(0) {
        0 => 0,
        n if text.get(n) == Some(&b'>') => n + 1,
        _ => 0,
    }
}

/// `web-1  | ` of docker compose, `Step #0: ` of Cloud Build: which part of a whole speaks.
fn service(text: &[u8]) -> usize {
    const LONGEST: usize = 40;
    let step = text.strip_prefix(b"Step #").map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
    if step > 0 && text[6 + step..].starts_with(b": ") {
        return 6 + step + 2;
    }
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let name = text.iter().take(LONGEST).take_while(|b| is_name(b)).count();
    let pad = blanks(&text[name..]);
    // A number before a bar is the number of a quoted line.
    let named = text[..name].iter().any(u8::is_ascii_alphabetic);
    if named && pad > 0 && text[name + pad..].starts_with(b"| ") { name + pad + 2 } else { 0 }
}

/// `FATA[0007] ` (logrus), `E1116 02:54:13.842838   31941 memcache.go:265] ` (klog), `level=error msg="` (logfmt).
fn logger(text: &[u8]) -> usize {
    const LONGEST: usize = 80;
    let head = &text[..text.len().min(LONGEST)];
    let shape = |shape: &[u8]| {
        head.len() >= shape.len()
            && shape.iter().zip(head).all(|(s, b)| match s {
                b'A' => b.is_ascii_uppercase(),
                b'0' => b.is_ascii_digit(),
                _ => s == b,
            })
    };
    if shape(b"AAAA[0000]") {
        return 10;
    }
    if shape(b"A0000 00:00:00.") {
        return memchr::memmem::find(head, b"] ").map_or(0, |at| at + 2);
    }
    if head.starts_with(b"time=") || head.starts_with(b"level=") {
        let message = memchr::memmem::find(head, b" msg=").map_or(0, |at| at + 5);
        return if message > 0 && head.get(message) == Some(&b'"') { message + 1 } else { message };
    }
    0
}

/// A mark that sets a line off: `> `, `| `, `E   ` (pytest), `remote: ` (git), a symbol or box character.
fn mark(text: &[u8]) -> usize {
    for mark in [&b"> "[..], b"| ", b"* ", b"E   ", b"remote: ", b"stderr: ", b"::error::"] {
        if text.starts_with(mark) {
            return mark.len();
        }
    }
    let symbol = text.iter().take_while(|b| !b.is_ascii()).count();
    if (1..=6).contains(&symbol) && text.get(symbol).is_none_or(|b| *b == b' ') { symbol } else { 0 }
}

/// `  -t, --timeout SECS   give up after that`: what a help screen says of an option. A report of one is not indented.
fn is_option(line: &[u8]) -> bool {
    let content = line.trim_ascii();
    let name = content.strip_prefix(b"--").or_else(|| content.strip_prefix(b"-"));
    let named = name.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic);
    let words = memchr::memchr_iter(b' ', content).count();
    named && indent(line) > 0 && (words < 3 || memchr::memmem::find(content, b"  ").is_some())
}

fn indent(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

fn is_quote(line: &[u8], prev: PrevLine) -> bool {
    let line = line.trim_ascii_end();
    let content = line.trim_ascii_start();
    let starts = |words: &[&str]| starts_with_any(content, words);
    if content.starts_with(b"E ") && line.starts_with(b"E ") {
        return false; // pytest's own word on the failure
    }
    if is_diagnostic(content) {
        return false;
    }
    let digits = content.iter().take_while(|b| b.is_ascii_digit()).count();
    let numbered = content[digits..].trim_ascii_start().starts_with(b"|") && (digits > 0 || content.len() < line.len());
    let python_frame = content.starts_with(b"File \"") && memchr::memmem::find(content, b", characters").is_none();
    let frame = python_frame || starts(&["at ", "from /", "... "]) || (starts(&["in "]) && content.contains(&b'/'));
    let group = content.starts_with(b"+ Exception Group Traceback");
    let command = (starts(&["$ ", "+ ", "++ ", "Run "]) && !group) || prompt(content);
    let statement = content.ends_with(b";") && content.iter().any(|b| matches!(b, b'(' | b'=' | b'{'));
    let header =
        content.ends_with(b":") && starts(&["def ", "if ", "for ", "while ", "with ", "elif ", "except", "class "]);
    let opening = content.ends_with(b"{") || content.strip_suffix(b"(").is_some_and(ends_in_word);
    let code =
        statement || header || opening || starts(&["raise ", "throw ", "assert ", "// ", "/* ", "return ", "self."]);
    let constant = content.iter().take_while(|b| b.is_ascii_uppercase() || **b == b'_').count();
    let constant =
        constant > 2 && [&b" = {"[..], b" = [", b" = ("].iter().any(|open| content[constant..].starts_with(open));
    let assigned = |at: usize| at < 40 && memchr::memchr_iter(b' ', &content[..at]).count() < 3;
    let call = content.ends_with(b")") && memchr::memmem::find(content, b" = ").is_some_and(assigned);
    let traceback = prev.is_frame && line.len() > content.len();
    let added = line.starts_with(b"+") && !line.starts_with(b"+ ");
    let table = content.starts_with(b"|") && memchr::memchr_iter(b'|', content).count() > 2;
    numbered
        || added
        || is_option(line)
        || prev.option.is_some_and(|option| indent(line) > option)
        || table
        || is_found_line(content)
        || is_commit(content)
        || is_change(content)
        || content.starts_with(b"# Subtest")
        || frame
        || command
        || code
        || constant
        || call
        || is_passed_test(line)
        || traceback
}

/// `ok 3 - refuses connections`, `test_timeout (a.B) ... ok`: the name of a test that passed may speak of anything.
fn is_passed_test(line: &[u8]) -> bool {
    const STARTS: [&str; 15] = [
        "PASSED ",
        "SKIPPED ",
        "XFAIL ",
        "--- PASS",
        "ok ",
        "# ok ",
        "PASS: ",
        "PASS   :",
        "[       OK ]",
        "[ OK ]",
        "[OK]",
        "[PASS]",
        "\u{2713} ",
        "\u{2714} ",
        "\u{221a} ",
    ];
    const ENDS: [&str; 5] = [" ... ok", "...ok", " ... OK", " PASSED", "| PASS |"];
    let mut at = columns(line);
    for _ in 0..2 {
        at += blanks(&line[at..]);
        at += time_stamp(&line[at..]);
    }
    let said = line[at..].trim_ascii();
    starts_with_any(said, &STARTS)
        || ENDS.iter().any(|word| said.ends_with(word.as_bytes()))
        || (said.starts_with(b"test ") && said.ends_with(b" ok"))
        || (memchr::memmem::find(said, b" PASSED ").is_some() && memchr::memmem::find(said, b"::").is_some())
}

/// `a.c:3:1: error: ...` or `[!] RollupError: ...`: a compiler's word, though it may end in the code that it speaks of.
fn is_diagnostic(content: &[u8]) -> bool {
    const SCAN: usize = 200;
    let head = &content[..content.len().min(SCAN)];
    let Some(colon) = memchr::memmem::find(head, b"rror: ").map(|at| at + 4) else { return false };
    let start = memchr::memrchr(b' ', &head[..colon]).map_or(0, |at| at + 1);
    let (before, word) = (head[..start].trim_ascii_end(), &head[start..colon]);
    let place = before.strip_suffix(b":").unwrap_or(before).last().is_some_and(|b| b.is_ascii_digit() || *b == b')');
    let class = word.len() > 5 && word[0].is_ascii_uppercase() && word.iter().all(u8::is_ascii_alphanumeric);
    (place && word.len() == 5) || (class && (before.is_empty() || before == b"[!]"))
}

/// `src/a.rs:42:    code`, what grep prints: a compiler leaves one blank after the place.
fn is_found_line(content: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', content) else { return false };
    let rest = &content[colon + 1..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let after = rest.get(digits..).unwrap_or_default();
    let quotes = digits > 0 && (after.starts_with(b":  ") || after.starts_with(b":\t") || is_bare_code(after));
    let is_path = !content[..colon].contains(&b' ') && content[..colon].iter().any(|b| matches!(b, b'.' | b'/'));
    quotes && is_path && !is_finding(&after[1..])
}

/// `:code` without a blank, which no compiler prints; Ruby's `:in 'method'`, a severity and `:rule:FAIL` are no code.
fn is_bare_code(after: &[u8]) -> bool {
    let Some(code) = after.strip_prefix(b":") else { return false };
    let starts = |word: &str| {
        let whole = code.get(word.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        whole && code.len() >= word.len() && code[..word.len()].eq_ignore_ascii_case(word.as_bytes())
    };
    let said = ["in", "error", "warning", "fatal", "note", "fail", "failure", "info"].iter().any(|word| starts(word));
    let rule = code.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
    let said = said || (code.get(rule) == Some(&b':') && code.get(rule + 1).is_some_and(u8::is_ascii_uppercase));
    code.first().is_some_and(|b| !b.is_ascii_digit() && !b.is_ascii_whitespace() && *b != b':') && !said
}

/// `<tab>Rule:<tab>message` or `  message  [category/rule] [4]`: a checker's words in two columns.
fn is_finding(said: &[u8]) -> bool {
    let columns = said.starts_with(b"\t") && memchr::memmem::find(said, b":\t").is_some();
    let scored = said
        .strip_suffix(b"]")
        .is_some_and(|rest| rest.ends_with(b"]") || memchr::memmem::find(rest, b"] [").is_some());
    columns || scored
}

/// `92df6e0 message` or `[main 92df6e0] message`: a commit's subject may speak of anything.
fn is_commit(content: &[u8]) -> bool {
    let hash = |text: &[u8]| {
        (7..=40).contains(&text.len()) && text.iter().all(u8::is_ascii_hexdigit) && text.iter().any(u8::is_ascii_digit)
    };
    let first = content.split(|b| *b == b' ').next().unwrap_or_default();
    let tagged = content.strip_prefix(b"[").and_then(|rest| rest.split(|b| *b == b']').next());
    hash(first) || tagged.and_then(|tag| tag.split(|b| *b == b' ').nth(1)).is_some_and(hash)
}

/// What a list of changes begins its items with.
const CHANGES: [&str; 34] = [
    "add",
    "added",
    "adds",
    "adjust",
    "allow",
    "allows",
    "catch",
    "catches",
    "change",
    "changed",
    "changes",
    "detect",
    "detects",
    "document",
    "ensure",
    "handle",
    "handled",
    "handles",
    "implement",
    "implemented",
    "improve",
    "improved",
    "introduce",
    "log",
    "mark",
    "marks",
    "move",
    "refactor",
    "rename",
    "replace",
    "support",
    "surfaces",
    "update",
    "updated",
];

/// `- Adds retries on 503`, `- [x] a test for a full disk`, and `Add ...` with `code` in it: what was changed, or is to be,
/// may speak of anything.
fn is_change(content: &[u8]) -> bool {
    let item = [&b"- "[..], b"* ", b"\xe2\x80\xa2 "].iter().find_map(|mark| content.strip_prefix(*mark));
    if item.is_some_and(|item| item.starts_with(b"[ ] ") || item.starts_with(b"[x] ")) {
        return true;
    }
    let said = item.unwrap_or(content);
    let said = said.strip_prefix(b"**").unwrap_or(said);
    let end = said.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(said.len());
    let changes =
        said.get(end) == Some(&b' ') && CHANGES.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(&said[..end]));
    let quotes_code = memchr::memchr_iter(b'`', said).take(2).count() == 2;
    (changes && (item.is_some() || quotes_code)) || (item.is_some() && quotes_code && !said.contains(&b':'))
}

fn ends_in_word(text: &[u8]) -> bool {
    text.last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// `user@host:/path# command`.
fn prompt(content: &[u8]) -> bool {
    let at_host = content.iter().take(40).position(|b| *b == b'@').is_some_and(|at| at > 0);
    at_host && [&b"# "[..], b"$ "].iter().any(|mark| memchr::memmem::find(content, mark).is_some_and(|at| at < 120))
}

/// Words that make the rest of their line an aside.
const ASIDES: [&[u8]; 18] = [
    b"warn",
    b"warning",
    b"warnings",
    b"info",
    b"debug",
    b"note",
    b"hint",
    b"notice",
    b"retrying",
    b"deprecated",
    b"means",
    b"recovered",
    b"recovering",
    b"ignoring",
    b"caught",
    b"fix",
    b"fixed",
    b"fixes",
];

/// How far such a word reaches.
const ASIDE_REACH_BYTES: usize = 160;

/// Where such words end on the line.
fn aside_ends(line: &[u8]) -> Vec<usize> {
    let (mut ends, mut end) = (Vec::new(), 0);
    for word in line.split(|b| !is_part(b)) {
        end += word.len();
        if is_aside_word(word) {
            ends.push(end);
        }
        end += 1;
    }
    ends
}

/// Whether the last word of a text, which may go on behind it, is such a word.
fn ends_in_aside_word(text: &[u8]) -> bool {
    let longest = ASIDES.iter().map(|word| word.len()).max().unwrap_or(0) + 1;
    let near = &text[text.len().saturating_sub(longest + 1)..];
    match near.iter().rposition(|b| !is_part(b)) {
        Some(at) => is_aside_word(&near[at + 1..]),
        None => near.len() == text.len() && is_aside_word(near),
    }
}

/// A part of a path or of a name is no word.
fn is_part(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/\\._-".contains(byte)
}

fn is_aside_word(word: &[u8]) -> bool {
    let word = word.strip_suffix(b".").unwrap_or(word);
    word.len() >= 3 && ASIDES.iter().any(|aside| aside.len() == word.len() && aside.eq_ignore_ascii_case(word))
}

/// Words, each with the index of the letter that is looked for first.
type Words = [(&'static [u8], usize); 4];

/// What is said of a matter that was tried again, by a rare letter of each.
const RETRIES: [(u8, Words); 2] = [
    (b'y', [(b"retrying", 4), (b"will retry", 9), (b"retry in ", 4), (b"attempting retry", 15)]),
    (b'g', [(b"reconnecting", 11), (b"falling back", 6), (b"(ignored)", 2), (b"...ignoring", 4)]),
];

/// Whether the line says that the matter was tried again.
pub(super) fn says_retry(line: &[u8]) -> bool {
    const SCAN: usize = 400;
    let line = &line[..line.len().min(SCAN)];
    RETRIES.iter().any(|(letter, words)| {
        memchr::memchr2_iter(*letter, letter.to_ascii_uppercase(), line).any(|at| {
            words.iter().any(|(word, offset)| {
                at.checked_sub(*offset)
                    .and_then(|start| line.get(start..start + word.len()))
                    .is_some_and(|text| text.eq_ignore_ascii_case(word))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rare_letter_of_each_word_is_where_the_table_says() {
        for (letter, words) in RETRIES {
            for (word, offset) in words {
                assert_eq!(word[offset], letter, "{}", String::from_utf8_lossy(word));
                let loud = [b"x ", &word.to_ascii_uppercase()[..], b" x"].concat();
                assert!(says_retry(&loud) && !says_retry(&word[1..]));
            }
        }
    }

    #[test]
    fn an_aside_begins_after_its_word_even_one_that_is_cut_off() {
        let line = b"src/warn.c: fixes. Warnings about it";
        let context = LineContext::of(line, PrevLine::default(), false);
        let asides: Vec<usize> = (0..=line.len()).filter(|at| context.voice(line, *at) == Voice::Aside).collect();
        // "fix" is a word of its own where the rest is what is asked about.
        let expected: Vec<usize> = [15].into_iter().chain(17..=line.len()).collect();
        assert_eq!(asides, expected);
    }

    #[test]
    fn a_line_is_read_behind_what_the_runner_puts_before_it() {
        let said = |line: &[u8]| LineContext::of(line, PrevLine::default(), false).voice(line, line.len());
        for stamp in ["2024-05-01T10:00:00.1234567Z ", "[10:00:00] ", "#7 0.400 ", "build\tmake\t2024-05-01T10:00:00Z "]
        {
            let (quote, report) = (format!("{stamp}   3 | return failed(x)"), format!("{stamp}a.c:3:1: error: no {{"));
            assert_eq!(said(quote.as_bytes()), Voice::Quote, "{quote}");
            assert_eq!(said(report.as_bytes()), Voice::Report, "{report}");
            let in_stamp = LineContext::of(report.as_bytes(), PrevLine::default(), false)
                .voice(report.as_bytes(), stamp.len() - 2);
            assert_eq!(in_stamp, Voice::Quote, "{report}");
        }
    }

    proptest::proptest! {
        #[test]
        fn an_aside_is_what_splitting_the_text_before_finds(line in "([a-z/. ]{0,9}(warn|fix|note)?[ :.-]?){0,30}") {
            let line = line.as_bytes();
            let context =
                LineContext { prefix: 0, is_quote: false, is_aside: false, aside_ends: aside_ends(line) };
            for at in 0..=line.len() {
                let mut end = 0;
                let naive = line[..at].split(|b| !is_part(b)).any(|word| {
                    end += word.len() + 1;
                    is_aside_word(word) && at - (end - 1) < ASIDE_REACH_BYTES
                });
                proptest::prop_assert_eq!(context.follows_aside_word(line, at), naive, "{}", at);
            }
        }
    }
}
