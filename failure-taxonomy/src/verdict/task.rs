//! What the command that failed was for, by what any tool's output shows: its command line, and the shape of its findings.
//!
//! In: the text of the phase that ended the run, or the end of the output. Out: whether a linter, a test run or a build was
//! started last. CI systems, shells, npm, make and task runners print the command before its output (`##[group]Run npm run
//! lint`, `$ make test`, `> app@1.0.0 lint`) or name the task that failed after it (`make: *** [Makefile:11: lint] Error 1`,
//! `ERROR: "js-lint" exited with 2.`). That is known of tools that no row was written for, so it generalises; it is also
//! weak, so it only decides as a guess ([`VerdictStepId::TaskName`](super::VerdictStepId::TaskName)) and settles what an error in the form of
//! a compiler's or a type checker's was. Without a command line, a list of places in files (`a.rb:3:1: message`) that names no
//! error, or a diff at the end, is what linters and formatters print ([`findings`]). To recognise another runner, add how its lines begin to [`command`] or
//! [`failed_task`]; to recognise another tool, add its name to [`kind_of_word`].

use super::phase::without_prefix;
use super::tool::ToolKind;
use recovery_types::ErrorType;

/// So much of the end is looked at.
const MAX_BYTES: usize = 64 << 10;
/// A command line is looked at so far.
const MAX_COMMAND_BYTES: usize = 200;

/// What the command that ran last was for. `text` is the phase that ended the run, or the end of the output.
pub(super) fn kind(text: &[u8]) -> Option<ToolKind> {
    let kind = lines_from_end(text).find_map(|line| failed_task(line).and_then(kind_of_words));
    let heading = || command(text.split(|byte| *byte == b'\n').next().map(content)?).and_then(kind_of_words);
    kind.or_else(heading).or_else(|| lines_from_end(text).find_map(|line| command(line).and_then(kind_of_words)))
}

/// The lines of the output's end, the last one first.
fn lines_from_end(text: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    text[text.len().saturating_sub(MAX_BYTES)..].rsplit(|byte| *byte == b'\n').map(content)
}

/// A line without what a CI system or a terminal puts before its content.
fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    // `travis_time:start:1a2b\r\x1b[0K$ make test`: what follows a carriage return replaces what is before it.
    without_prefix(memchr::memrchr(b'\r', line).map_or(line, |at| &line[at + 1..])).trim_ascii_end()
}

fn kind_of_words(words: &[u8]) -> Option<ToolKind> {
    let words = &words[..words.len().min(MAX_COMMAND_BYTES)];
    // Of commands in a row, the last one is the most likely to be the subject: the others prepare it.
    words.split(|byte| !byte.is_ascii_alphanumeric()).rev().find_map(kind_of_word)
}

/// The error type that a list of places, or a diff, at the end shows.
pub(super) fn findings(text: &[u8]) -> Option<ErrorType> {
    /// So many of the last lines are looked at.
    const LAST_LINES: usize = 40;
    let last = || lines_from_end(text).filter(|line| !line.is_empty()).take(LAST_LINES);
    let after_diff = last().position(|line| line.starts_with(b"@@ -"));
    let is_of_diff =
        |line: &[u8]| line.starts_with(b"##[error]") || matches!(line[0], b'+' | b'-' | b' ' | b'\\' | b'@');
    if after_diff.is_some_and(|at| at > 0 && last().take(at).all(is_of_diff)) {
        return Some(ErrorType::LintError);
    }
    let mut messages = last().filter_map(message_at_place).filter(|message| !is_frame(message)).peekable();
    messages.peek()?;
    let is_of_compiler = messages.any(|message| !names_rule(message) && names_defect(message));
    Some(if is_of_compiler { ErrorType::CompileError } else { ErrorType::LintError })
}

/// The message of `a.rb:3:1: message`, `a.rb(3,1): message` or `[a.rb:3:1] message`.
fn message_at_place(line: &[u8]) -> Option<&[u8]> {
    const MAX_PLACE_BYTES: usize = 160;
    let line = line.strip_prefix(b"##[error]").unwrap_or(line).trim_ascii_start();
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let path = line.iter().take(MAX_PLACE_BYTES).position(|byte| matches!(byte, b':' | b'(' | b' '))?;
    // `C:\\a.cs(3,1)`
    let path = if path == 1 { 2 + line[2..].iter().position(|byte| matches!(byte, b':' | b'(' | b' '))? } else { path };
    let has_extension =
        line[..path].iter().rposition(|byte| *byte == b'.').is_some_and(|dot| (1..=6).contains(&(path - dot - 1)));
    let rest = &line[path + 1..];
    let place = rest.iter().position(|byte| !byte.is_ascii_digit() && !matches!(byte, b':' | b',' | b'-'))?;
    let is_place = line[path] != b' ' && rest[..place].first().is_some_and(u8::is_ascii_digit);
    let message =
        rest[place..].strip_prefix(b")").or_else(|| rest[place..].strip_prefix(b"]")).unwrap_or(&rest[place..]);
    let message = message.strip_prefix(b":").unwrap_or(message).trim_ascii();
    (has_extension && is_place && message.len() > 4).then_some(message)
}

/// Whether the line is a finding of a linter: a place, then the code or the name of a rule.
pub(super) fn is_finding(line: &[u8]) -> bool {
    message_at_place(line).is_some_and(names_rule)
}

/// Whether the place is one of a stack trace: `a.rb:3:in 'f': message`, `main.go:3 +0x2c`.
fn is_frame(message: &[u8]) -> bool {
    message.starts_with(b"in ") || message.starts_with(b"+0x")
}

/// Whether a message begins with the code of a rule or ends with its name: `E261 at least two spaces`, `... [layout.spacing]`.
fn names_rule(message: &[u8]) -> bool {
    let first =
        message.split(|byte| matches!(byte, b' ' | b':' | b'[')).find(|word| !word.is_empty()).unwrap_or_default();
    let letters = first.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let is_code =
        (1..=6).contains(&letters) && first.len() - letters <= 5 && first[letters..].iter().all(u8::is_ascii_digit);
    let is_name = |name: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'/' | b'.');
        name.iter().all(is_part) && name.iter().any(|byte| !byte.is_ascii_lowercase()) && !name.starts_with(b"-")
    };
    let tag = message.strip_suffix(b"]").or_else(|| message.strip_suffix(b")"));
    let name = tag.and_then(|tag| tag.rsplit(|byte| matches!(byte, b'[' | b'(')).next());
    is_code && first.len() > letters || name.is_some_and(is_name)
}

/// Whether a message is one of a compiler rather than of a linter.
fn names_defect(message: &[u8]) -> bool {
    const WORDS: [&str; 11] = [
        "undefined", "undeclared", "unresolved", "expected", "syntax", "not declared", "cannot", "error", "no such",
        "not used", "required module",
    ];
    let message = message[..message.len().min(MAX_COMMAND_BYTES)].to_ascii_lowercase();
    WORDS.iter().any(|word| memchr::memmem::find(&message, word.as_bytes()).is_some())
}

/// The command line, where the line echoes one.
fn command(line: &[u8]) -> Option<&[u8]> {
    const HEADS: [&str; 7] = ["##[group]Run ", "$ ", "> ", "+ ", "##[command]", "[command]", "npm error command "];
    HEADS.iter().find_map(|head| line.strip_prefix(head.as_bytes()))
}

/// The name of the task that a runner reports as failed.
fn failed_task(line: &[u8]) -> Option<&[u8]> {
    const HEADS: [&str; 6] = [
        "ERROR: \"",
        "error: script \"",
        "error: Recipe `",
        "Execution failed for task '",
        "npm error Lifecycle script `",
        "nox > Session ",
    ];
    if let Some(rest) = HEADS.iter().find_map(|head| line.strip_prefix(head.as_bytes())) {
        return rest.split(|byte| matches!(byte, b'"' | b'`' | b'\'' | b' ')).next();
    }
    // `make[1]: *** [Makefile:11: lint] Error 1`
    let target = line.strip_suffix(b"]").or_else(|| memchr::memmem::rfind(line, b"] Error ").map(|at| &line[..at]))?;
    let open = memchr::memmem::find(target, b": *** [")?;
    target[open + 7..].rsplit(|byte| *byte == b' ').next()
}

fn kind_of_word(word: &[u8]) -> Option<ToolKind> {
    const LINT: [&str; 24] = [
        "black", "biome", "checkstyle", "clippy", "codespell", "commit", "detekt", "flake8", "fmt", "format", "isort",
        "linter", "linting", "phpcs", "prettier", "rubocop", "ruff", "shellcheck", "spotless", "staticcheck", "style",
        "typos", "vet", "yapf",
    ];
    const TEST: [&str; 17] = [
        "ctest", "cypress", "e2e", "jest", "junit", "karma", "mocha", "nextest", "phpunit", "playwright", "pytest",
        "rspec", "spec", "test", "tests", "tox", "vitest",
    ];
    const BUILD: [&str; 7] = ["assemble", "build", "bundle", "compile", "package", "rollup", "webpack"];
    let is_in = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()));
    if is_in(&LINT) || (word.len() >= 4 && word[word.len() - 4..].eq_ignore_ascii_case(b"lint")) {
        Some(ToolKind::Lint)
    } else if is_in(&TEST) {
        Some(ToolKind::Test)
    } else {
        is_in(&BUILD).then_some(ToolKind::Build)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_ran_last_shows_what_it_was_for() {
        let kinds = |text: &str| kind(text.as_bytes());
        assert_eq!(kinds("##[group]Run npm run lint\nnothing known\n"), Some(ToolKind::Lint));
        assert_eq!(kinds("> app@1.0.0 test\n> jest\n\nboom\n"), Some(ToolKind::Test));
        assert_eq!(
            kinds("$ npm run build\n> eslint .\nboom\nmake: *** [Makefile:3: docs-lint] Error 1\n"),
            Some(ToolKind::Lint)
        );
        assert_eq!(kinds("ERROR: \"js-lint\" exited with 2.\n"), Some(ToolKind::Lint));
        assert_eq!(kinds("error: Recipe `test` failed on line 3 with exit code 1\n"), Some(ToolKind::Test));
        assert_eq!(kinds("$ yarn && yarn build\nboom\n"), Some(ToolKind::Build));
        assert_eq!(kinds("the test of the build\nlint\n"), None);
    }

    #[test]
    fn a_list_of_places_or_a_diff_shows_what_kind_of_tool_printed_it() {
        let findings = |text: &str| findings(text.as_bytes());
        assert_eq!(findings("a.erb:4:6: Use 1 newline after `<%`\n2 files checked\n"), Some(ErrorType::LintError));
        assert_eq!(findings("[a.proto:1:1] File name should be lower_snake_case.proto.\n"), Some(ErrorType::LintError));
        assert_eq!(findings("C:\\src\\a.cs(3,1): naming rule\n"), Some(ErrorType::LintError));
        assert_eq!(findings("./main.zz:10:2: undefined: foo\n"), Some(ErrorType::CompileError));
        assert_eq!(findings("a.py:1:4: E999 SyntaxError: invalid syntax\n"), Some(ErrorType::LintError));
        assert_eq!(findings("a.zz:1:4: expected a space [layout.spacing]\n"), Some(ErrorType::LintError));
        assert_eq!(findings("a.rb:219:in `read': timed out\n\tfrom b.rb:2:in `f'\n"), None);
        assert_eq!(findings("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a = 1\n+a=1\n"), Some(ErrorType::LintError));
        assert_eq!(findings("10:30: all done\nhttp://x.org:80/a b\n1.2.3: x\n"), None);
    }
}
