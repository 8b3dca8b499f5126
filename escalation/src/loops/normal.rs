//! Normalises an action, so that its parts that change from run to run do not matter.
//!
//! In: a command line or the arguments of a tool. Out: its words with paths cut to their last part and UUIDs, times and long
//! numbers replaced. Loop detection compares these words: without it a temporary directory or a port would make each
//! attempt look new. It is coarser than the normalising of outputs (`failure-taxonomy`), because two actions on the same
//! file in different directories are similar, while two such outputs are not the same failure.

/// `arguments` with every path cut to its last part, and UUIDs, timestamps and numbers of three or more digits
/// replaced by a word.
///
/// ```
/// use escalation::normalise;
/// assert_eq!(normalise("cat /tmp/run-81234/out.log"), "cat out.log");
/// assert_eq!(normalise("sleep 2.4e37; job_1700000000"), "sleep number job_number");
/// assert_eq!(normalise("--since 2026-01-24T10:00:00Z --n 7"), "--since time --n 7");
/// ```
#[must_use]
pub fn normalise(arguments: &str) -> String {
    let mut normal = String::with_capacity(arguments.len());
    let separates = |c: char| c.is_whitespace() || c.is_control() || "\"'`()[]{}<>,;=|&".contains(c);
    for token in arguments.split(separates).filter(|token| !token.is_empty()) {
        if !normal.is_empty() {
            normal.push(' ');
        }
        push_token(&mut normal, last_part(token));
    }
    normal
}

/// The last part of a path; the token itself where it is none.
fn last_part(token: &str) -> &str {
    let path = token.trim_end_matches(['/', '\\']);
    path.rsplit(['/', '\\']).next().filter(|part| !part.is_empty()).unwrap_or(token)
}

fn push_token(normal: &mut String, token: &str) {
    if is_uuid(token) {
        normal.push_str("uuid");
    } else if is_time(token) {
        normal.push_str("time");
    } else if is_decimal(token) {
        normal.push_str("number");
    } else {
        push_folding_digits(normal, token);
    }
}

const LONG_NUMBER_DIGITS: usize = 3;

/// Folds long digit runs that are words of their own (`job_1700000000`), not those inside a word (`sha256sum`).
fn push_folding_digits(normal: &mut String, token: &str) {
    let mut rest = token;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let word_end = rest[start..].find(|c: char| !c.is_alphanumeric()).map_or(rest.len(), |end| start + end);
        let word = &rest[start..word_end];
        normal.push_str(&rest[..start]);
        let long = word.len() >= LONG_NUMBER_DIGITS && word.bytes().all(|b| b.is_ascii_digit());
        normal.push_str(if long { "number" } else { word });
        rest = &rest[word_end..];
    }
    normal.push_str(rest);
}

fn is_uuid(token: &str) -> bool {
    let groups = [8, 4, 4, 4, 12];
    token.len() == 36
        && token.split('-').count() == groups.len()
        && token
            .split('-')
            .zip(groups)
            .all(|(group, length)| group.len() == length && group.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// A date (with or without a time) or a time of day with seconds, as logs and file names write them.
fn is_time(token: &str) -> bool {
    let shape = |pattern: &str| {
        token.len() >= pattern.len()
            && pattern.bytes().zip(token.bytes()).all(|(p, b)| if p == b'0' { b.is_ascii_digit() } else { p == b })
            && token[pattern.len()..].bytes().all(|b| b.is_ascii_digit() || b":.+-TtZz_".contains(&b))
    };
    token.is_ascii() && ["0000-00-00", "00:00:00", "00000000T000000"].into_iter().any(shape)
}

/// A number of three or more digits in all, with sign, decimal point, exponent or `_` between the digits.
fn is_decimal(token: &str) -> bool {
    let number = token.trim_start_matches(['-', '+']);
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|b| b.is_ascii_digit() || b".eE+-_".contains(&b))
        && number.bytes().filter(u8::is_ascii_digit).count() >= LONG_NUMBER_DIGITS
}
