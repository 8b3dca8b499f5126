//! Lines that report nothing themselves: quoted code, commands, passed tests, commit subjects, help texts,
//! conversation.
//!
//! In: the content of a line. Out: whether it is a quotation, so that an indicator on it does not count. Each function
//! recognises one kind by its shape. A false positive hides a failure, so a line that states an error in a known form
//! is never a quotation.

use super::PrevLine;
use super::prefix::{blanks, columns, time_stamp};
use memchr::memmem::Finder;
use std::sync::LazyLock;

// Looked for on every line with an indicator; preparing a search takes longer than the search.
static MAY_BE_RETURNED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(" may be returned "));
static PASSED: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(" PASSED "));
static RROR: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("rror: "));

/// How the text of a model, or an article, begins that only describes failures.
const CONVERSATION_STARTS: [&str; 26] = [
    "Let's ", "Let me ", "I'll ", "I've ", "I'm ", "We're debugging", "Here's ", "Sure", "You should ", "When you ",
    "When a", "If your ", "If the ", "If a", "This error ", "The error ", "Understanding ", "I looked ", "I checked ",
    "I found ", "I fixed ", "I added ", "I changed ", "I updated ", "I ran ", "I have ",
];

/// Text written to a reader, and the record of a conversation: no report, unless it is marked as one.
pub(super) fn is_conversation(content: &[u8]) -> bool {
    let record = [&br#"{"type":"user""#[..], br#"{"type":"assistant""#].iter().any(|head| content.starts_with(head));
    let reports = || memchr::memmem::find(content, br#""is_error":true"#).is_some();
    let explains = || MAY_BE_RETURNED.find(content).is_some();
    (record && !reports()) || starts_with_any(content, &CONVERSATION_STARTS) || explains()
}

fn starts_with_any(text: &[u8], words: &[&str]) -> bool {
    // Most words fall at their first letter.
    words.iter().any(|word| word.as_bytes().first() == text.first() && text.starts_with(word.as_bytes()))
}

/// `  -t, --timeout SECS   give up after that`: an option in a help screen. A report of one is not indented.
pub(super) fn is_option(line: &[u8]) -> bool {
    let content = line.trim_ascii();
    let name = content.strip_prefix(b"--").or_else(|| content.strip_prefix(b"-"));
    let named = name.and_then(<[u8]>::first).is_some_and(u8::is_ascii_alphabetic);
    let words = memchr::memchr_iter(b' ', content).count();
    named && indent(line) > 0 && (words < 3 || memchr::memmem::find(content, b"  ").is_some())
}

pub(super) fn indent(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

pub(super) fn is_quote(line: &[u8], prev: PrevLine) -> bool {
    let line = line.trim_ascii_end();
    let content = line.trim_ascii_start();
    let starts = |words: &[&str]| starts_with_any(content, words);
    if content.starts_with(b"E ") && line.starts_with(b"E ") {
        return false; // how pytest marks the failure itself
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
    // Node prints an error that has no stack as `[Error: ENOENT: ...] {`.
    let is_printed_error = content.starts_with(b"[") && content.ends_with(b"] {");
    let opening =
        (content.ends_with(b"{") && !is_printed_error) || content.strip_suffix(b"(").is_some_and(ends_in_word);
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
        || is_listed(line)
        || added
        || is_option(line)
        || prev.option.is_some_and(|option| indent(line) > option)
        || table
        || is_found_line(content)
        || is_commit(content)
        || is_change(content)
        || is_listed_subject(line)
        || content.starts_with(b"# Subtest")
        || frame
        || command
        || code
        || constant
        || call
        || is_passed_test(line)
        || traceback
}

/// `     7<tab>code` of `cat -n`, `  75  temporary failure` of a table of codes: a line of a listing reports nothing.
fn is_listed(line: &[u8]) -> bool {
    let content = line.trim_ascii_start();
    let digits = content.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &content[digits..];
    let is_apart = rest.starts_with(b"\t") || rest.starts_with(b"  ") || rest.starts_with("\u{2192}".as_bytes());
    (1..=6).contains(&digits) && is_apart && indent(line) > 0
}

/// `ok 3 - refuses connections`, `test_timeout (a.B) ... ok`: the name of a test that passed may mention anything.
fn is_passed_test(line: &[u8]) -> bool {
    const STARTS: [&str; 15] = [
        "PASSED ", "SKIPPED ", "XFAIL ", "--- PASS", "ok ", "# ok ", "PASS: ", "PASS   :", "[       OK ]", "[ OK ]",
        "[OK]", "[PASS]", "\u{2713} ", "\u{2714} ", "\u{221a} ",
    ];
    const ENDS: [&str; 5] = [" ... ok", "...ok", " ... OK", " PASSED", "| PASS |"];
    let mut at = columns(line);
    for _ in 0..2 {
        at += blanks(&line[at..]);
        at += time_stamp(&line[at..]);
    }
    let content = line[at..].trim_ascii();
    starts_with_any(content, &STARTS)
        || ENDS.iter().any(|word| content.ends_with(word.as_bytes()))
        || (content.starts_with(b"test ") && content.ends_with(b" ok"))
        || (PASSED.find(content).is_some() && memchr::memmem::find(content, b"::").is_some())
}

/// `a.c:3:1: error: ...` or `[!] RollupError: ...`: a report of a compiler, though it may end in the code that it quotes.
fn is_diagnostic(content: &[u8]) -> bool {
    const SCANNED_BYTES: usize = 200;
    let head = &content[..content.len().min(SCANNED_BYTES)];
    let Some(colon) = RROR.find(head).map(|at| at + 4) else { return false };
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
    let is_marked =
        ["in", "error", "warning", "fatal", "note", "fail", "failure", "info"].iter().any(|word| starts(word));
    let rule = code.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
    let is_marked =
        is_marked || (code.get(rule) == Some(&b':') && code.get(rule + 1).is_some_and(u8::is_ascii_uppercase));
    code.first().is_some_and(|b| !b.is_ascii_digit() && !b.is_ascii_whitespace() && *b != b':') && !is_marked
}

/// `<tab>Rule:<tab>message` or `  message  [category/rule] [4]`: a checker's words in two columns.
fn is_finding(content: &[u8]) -> bool {
    let columns = content.starts_with(b"\t") && memchr::memmem::find(content, b":\t").is_some();
    let scored = content
        .strip_suffix(b"]")
        .is_some_and(|rest| rest.ends_with(b"]") || memchr::memmem::find(rest, b"] [").is_some());
    columns || scored
}

/// `92df6e0 message` or `[main 92df6e0] message`: a commit's subject may mention anything.
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
    "add", "added", "adds", "adjust", "allow", "allows", "catch", "catches", "change", "changed", "changes", "detect",
    "detects", "document", "ensure", "handle", "handled", "handles", "implement", "implemented", "improve", "improved",
    "introduce", "log", "mark", "marks", "move", "refactor", "rename", "replace", "support", "surfaces", "update",
    "updated",
];

/// `- Adds retries on 503`, `- [x] a test for a full disk`, and `Add ...` with `code` in it: what was changed, or is to be,
/// may mention anything.
fn is_change(content: &[u8]) -> bool {
    let item = [&b"- "[..], b"* ", b"\xe2\x80\xa2 "].iter().find_map(|mark| content.strip_prefix(*mark));
    if item.is_some_and(|item| item.starts_with(b"[ ] ") || item.starts_with(b"[x] ")) {
        return true;
    }
    let content = item.unwrap_or(content);
    let content = content.strip_prefix(b"**").unwrap_or(content);
    let end = content.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(content.len());
    let changes = content.get(end) == Some(&b' ')
        && CHANGES.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(&content[..end]));
    let quotes_code = memchr::memchr_iter(b'`', content).take(2).count() == 2;
    (changes && (item.is_some() || quotes_code)) || (item.is_some() && quotes_code && !content.contains(&b':'))
}

/// `      Handle 503 from the server`, as `git shortlog` indents subjects by six blanks.
fn is_listed_subject(line: &[u8]) -> bool {
    const INDENT: usize = 6;
    let content = line.trim_ascii_start();
    let end = content.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(content.len());
    let is_capital = content.first().is_some_and(u8::is_ascii_uppercase);
    indent(line) == INDENT
        && is_capital
        && content.get(end) == Some(&b' ')
        && CHANGES.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(&content[..end]))
}

fn ends_in_word(text: &[u8]) -> bool {
    text.last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// `user@host:/path# command`.
fn prompt(content: &[u8]) -> bool {
    let at_host = content.iter().take(40).position(|b| *b == b'@').is_some_and(|at| at > 0);
    at_host && [&b"# "[..], b"$ "].iter().any(|mark| memchr::memmem::find(content, mark).is_some_and(|at| at < 120))
}
