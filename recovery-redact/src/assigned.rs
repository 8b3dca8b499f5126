//! Secrets that are recognised by the name before them: `DB_PASSWORD=x`, `"apiKey": "x"`, `--token x`.
//!
//! In: a position of a separator, a flag or a setter. Out: the range of the value and the kind of secret, or none.
//! `names.rs` decides whether the name is that of a secret and how certain that is; this module finds the name, the
//! value and how the two are joined. Prose, types and placeholders also have a colon after "password", so the less
//! certain the name, the more the value has to look like a secret (`is_secret`). A new placeholder is a row of
//! `NO_VALUE`; short flags, which only their program gives a meaning, are in `commands.rs`.

use super::names::{Named, Sure, named_secret};
use super::{Secret, before_mark, commands, kubernetes, looks_mixed, looks_random, placed};
use std::ops::Range;

/// How a value is joined to its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Joined {
    /// `name=value`.
    Equals,
    /// `name: value`.
    Colon,
    /// `"name": "value"`: no sentence looks like this.
    Quoted,
    /// `--name value`.
    Flag,
}

/// How far a separator may be from its name: Terraform aligns them.
const ALIGNED_BYTES: usize = 40;
/// A word of more bytes ends at its next separator.
const WORD_BYTES: usize = 1 << 10;
/// The longest name that is looked at.
pub(super) const NAME_BYTES: usize = 80;

/// The secret after the `=` or `:` at `at`.
pub(super) fn after_separator(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let separator = text[at];
    let separator_len = separator_len(text, at, from)?;
    let (name, name_quoted) = name_before(text, at, from)?;
    let start = unwrapped(text, skip_spaces(text, at + separator_len));
    let Some(named) = named_secret(&text[name.clone()]) else {
        return numbered_key(text, &name, start)
            .or_else(|| in_query(text, &name, start))
            .or_else(|| paired_value(text, &name, start))
            .or_else(|| key_part(text, &name, start))
            .or_else(|| if separator == b':' { kubernetes::secret_data(text, name.start, start) } else { None });
    };
    if separator_len == 1
        && let Some(range) = block_scalar(text, name.start, start).filter(|_| separator == b':')
    {
        let secret = is_secret(named, &text[name], &text[range.clone()], Joined::Quoted);
        return secret.then_some(Secret { range, kind: named.kind });
    }
    let start = opened(text, start, &name);
    let value = value_at(text, start, is_line_of_settings(text, name.start, separator));
    if separator_len > 1 {
        // `c => d` and `p := q` are code; an assignment has a literal, and a key of Ruby or PHP is quoted or a symbol.
        let is_key = name_quoted || name.start > from && text[name.start - 1] == b':';
        // PHP's `[password] => x`, alone on its line.
        let is_printed = name.start > from && text[name.start - 1] == b'[' && text[name.end] == b']';
        let is_printed = is_printed && line_before(text, name.start - 1).trim_ascii().is_empty();
        let literal = &text[value.range.clone()];
        let is_compared = text[at + 1] == b'=' && literal.len() >= 8 && looks_random(literal);
        let is_assignment =
            if separator == b'=' { value.quoted && (is_key || is_compared) || is_printed } else { value.quoted };
        let is_ldif = text[at + 1] == b':' && line_before(text, name.start).is_empty();
        if !(is_assignment || is_ldif || separator == b':' && is_environment(&text[name.clone()])) {
            return None;
        }
    }
    let is_escaped = value.quoted && text[start] == b'\\';
    // `"password:"` ends here: the quote closes what the one before the name opened. Three open a literal.
    let closes = value.quoted
        && name.start > from
        && text[name.start - 1] == text[value.range.start - 1]
        && !name_quoted
        && !is_escaped
        && value.range.start < start + 3;
    let joined = match (separator, separator_len, name_quoted || value.quoted) {
        (b':', 1, true) => Joined::Quoted,
        (b':', 1, false) => Joined::Colon,
        _ => Joined::Equals,
    };
    if named.sure == Sure::Header {
        return placed::header(text, start, named.kind);
    }
    let whole_line = text.get(value.range.end).is_none_or(|b| b"\r\n,;}\"'\\".contains(b));
    let literal = &text[value.range.clone()];
    let is_random = matches!(named.sure, Sure::Certain | Sure::Service) && literal.len() >= 8 && looks_random(literal);
    let in_a_sentence =
        joined == Joined::Colon && !whole_line && !is_random && !is_struct_field(text, &name, at, value.range.end);
    let in_code = joined == Joined::Equals && !value.quoted && is_code(text, &value.range);
    let secret =
        !closes && !in_a_sentence && !in_code && is_secret(named, &text[name], &text[value.range.clone()], joined);
    secret.then_some(Secret { range: value.range, kind: named.kind })
}

/// The length of the separator at `at`: `=` and `:`, `=>` of Ruby and PHP, `:=` of Go and make.
fn separator_len(text: &[u8], at: usize, from: usize) -> Option<usize> {
    if at > from && b"=:!<>+~".contains(&text[at - 1]) {
        return None;
    }
    match (text[at], text.get(at + 1)) {
        (b'=', Some(b'>')) | (b':', Some(b'=')) => (text.get(at + 2) != Some(&b'=')).then_some(2),
        // LDIF's mark of a value in base64: `userPassword:: x`.
        (b':', Some(b':')) if text.get(at + 2) == Some(&b' ') => Some(2),
        // A comparison that failed: `assert password == 'x'`.
        (b'=', Some(b'=')) => Some(2 + usize::from(text.get(at + 2) == Some(&b'='))),
        (_, Some(b'=' | b':' | b'>' | b'~')) | (b':', Some(b'/')) => None,
        _ => Some(1),
    }
}

/// The name of a key with a number: `Unseal Key 1: x`.
fn numbered_key(text: &[u8], name: &Range<usize>, start: usize) -> Option<Secret> {
    let is_number = text[name.clone()].iter().all(u8::is_ascii_digit);
    let words = [&b"Unseal Key "[..], b"Recovery Key "];
    if !is_number || !words.iter().any(|words| text[..name.start].ends_with(words)) {
        return None;
    }
    let range = value_at(text, start, false).range;
    (range.len() >= 16 && looks_random(&text[range.clone()])).then_some(Secret { range, kind: "key" })
}

/// Parameters that hold a secret in the query of a URL and elsewhere need not.
const QUERY_NAMES: &[&[u8]] = &[b"key", b"code", b"signature"];

/// A long random value of `?key=` and the like.
fn in_query(text: &[u8], name: &Range<usize>, start: usize) -> Option<Secret> {
    let is_query = name.start.checked_sub(1).is_some_and(|i| b"?&".contains(&text[i]));
    if !is_query || !QUERY_NAMES.iter().any(|query| text[name.clone()].eq_ignore_ascii_case(query)) {
        return None;
    }
    let range = value_at(text, start, false).range;
    (range.len() >= 20 && looks_random(&text[range.clone()])).then_some(Secret { range, kind: "key" })
}

/// How far a name may be from its value in an object that has both as fields.
const PAIR_BYTES: usize = 160;

/// The value of `{"name": "DB_PASSWORD", "value": "x"}`, in either order, as containers' environments are written.
fn paired_value(text: &[u8], name: &Range<usize>, start: usize) -> Option<Secret> {
    if !text[name.clone()].eq_ignore_ascii_case(b"value") {
        return None;
    }
    let value = value_at(text, start, false).range;
    let before = &text[name.start.saturating_sub(PAIR_BYTES)..name.start];
    let before = &before[memchr::memrchr2(b'{', b'}', before).map_or(0, |n| n + 1)..];
    let after = &text[value.end..text.len().min(value.end + PAIR_BYTES)];
    let after = &after[..memchr::memchr2(b'{', b'}', after).unwrap_or(after.len())];
    let field = field_value(before, b"name").or_else(|| field_value(before, b"key"));
    let field = field.or_else(|| field_value(after, b"name").filter(|_| text.get(value.end) == Some(&b'"')))?;
    let named = named_secret(field)?;
    let secret = is_secret(named, field, &text[value.clone()], Joined::Equals);
    secret.then_some(Secret { range: value, kind: named.kind })
}

/// The value of the last field of this name, `"name": "x"` or `name: x`.
fn field_value<'a>(fields: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let lower = fields.to_ascii_lowercase();
    let at = memchr::memmem::rfind(&lower, name)?;
    let is_word = at == 0 || !is_name_byte(fields[at - 1]);
    let rest = &fields[at + name.len()..];
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest).strip_prefix(b":")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").unwrap_or(rest);
    let value = &rest[..rest.iter().take_while(|b| is_name_byte(**b)).count()];
    // In YAML a new item may begin between the two.
    let is_same_item = memchr::memmem::find(rest, b"\n- ").is_none();
    (is_word && is_same_item && !value.is_empty()).then_some(value)
}

/// The secret parts of a JSON web key.
const KEY_PARTS: &[&[u8]] = &[b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];

/// The value of one of a JSON web key's secret parts.
fn key_part(text: &[u8], name: &Range<usize>, start: usize) -> Option<Secret> {
    let is_quoted = name.start.checked_sub(1).is_some_and(|i| text[i] == b'"') && text.get(name.end) == Some(&b'"');
    if !is_quoted || !KEY_PARTS.contains(&&text[name.clone()]) {
        return None;
    }
    let value = value_at(text, start, false);
    let near = &text[name.start.saturating_sub(4096)..text.len().min(value.range.end + 1024)];
    let is_key = value.quoted && value.range.len() >= 16 && memchr::memmem::find(near, b"\"kty\"").is_some();
    (is_key && looks_random(&text[value.range.clone()])).then_some(Secret { range: value.range, kind: "key" })
}

/// The lines of a YAML block after `|` or `>` at `start`; the name of the field is at `name`.
fn block_scalar(text: &[u8], name: usize, start: usize) -> Option<Range<usize>> {
    text.get(start).filter(|b| b"|>".contains(b))?;
    let mark = text[start..].iter().take(3).take_while(|b| b"|>+-".contains(b)).count();
    let line = text[start + mark..].strip_prefix(b"\r").unwrap_or(&text[start + mark..]);
    let first = text.len() - line.strip_prefix(b"\n")?.len();
    let indent = line_before(text, name).iter().take_while(|b| **b == b' ').count();
    let mut end = first;
    for line in text[first..].split_inclusive(|&b| b == b'\n').take(64) {
        let spaces = line.iter().take_while(|b| **b == b' ').count();
        if spaces <= indent && !line.trim_ascii().is_empty() {
            break;
        }
        end += line.len();
    }
    let block = &text[first..end];
    let from = first + block.len() - block.trim_ascii_start().len();
    let range = before_mark(text, from..from + block.trim_ascii().len());
    (!range.is_empty()).then_some(range)
}

/// Where the value at `start` begins if it is on the next line, in braces or in a list: `"password":\n  "x"`, PHP's
/// `["password"]=>\n  string(9) "x"`, ODBC's `PWD={x};`, Go's `map[X-Api-Key:[x]]`.
fn opened(text: &[u8], start: usize, name: &Range<usize>) -> usize {
    let rest = &text[start..];
    let is_quoted = |at: usize| text.get(at).is_some_and(|b| b"\"'".contains(b));
    if rest.first().is_some_and(|b| b"\r\n".contains(b)) && is_quoted(name.end) {
        let next = start + rest.iter().take(NAME_BYTES).take_while(|b| b.is_ascii_whitespace()).count();
        let typed = text[next..].strip_prefix(b"string(").map_or(0, |rest| {
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            if rest[digits..].starts_with(b") ") { 7 + digits + 2 } else { 0 }
        });
        return if is_quoted(next + typed) { next + typed } else { start };
    }
    let line = line_before(text, name.start);
    let closes = rest.iter().take(NAME_BYTES).position(|b| b"{}\n".contains(b) && b != &rest[0]);
    let in_braces = rest.first() == Some(&b'{')
        && closes.is_some_and(|end| rest[end] == b'}' && rest.get(end + 1).is_none_or(|b| b";\"'".contains(b)))
        && line.contains(&b';');
    let in_list = rest.first() == Some(&b'[') && memchr::memmem::find(line, b"map[").is_some();
    start + usize::from(in_braces || in_list)
}

/// A random word after `password |` in a table; `at` is the bar.
pub(super) fn in_table(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    if text.get(at + 1) != Some(&b' ') {
        return None;
    }
    let (name, _) = name_before(text, at, from)?;
    let named = named_secret(&text[name.clone()]).filter(|named| named.sure == Sure::Certain)?;
    let value = value_at(text, skip_spaces(text, at + 1), false).range;
    let is_cell = text.get(value.end).is_none_or(|b| b"\r\n".contains(b)) || text[value.end..].starts_with(b" |");
    let secret = is_cell && value.len() >= 6 && looks_random(&text[value.clone()]);
    secret.then_some(Secret { range: value, kind: named.kind })
}

/// `password -> x` in a Scala map; `at` is the dash.
pub(super) fn after_arrow(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    if !text[at..].starts_with(b"-> ") {
        return None;
    }
    let (name, _) = name_before(text, at, from)?;
    let named = named_secret(&text[name.clone()])?;
    let is_map = memchr::memmem::find(line_before(text, name.start), b"Map(").is_some();
    let value = value_at(text, skip_spaces(text, at + 2), false).range;
    let secret = is_map && is_secret(named, &text[name], &text[value.clone()], Joined::Quoted);
    secret.then_some(Secret { range: value, kind: named.kind })
}

/// The value of `("password", "x")`, `define('DB_PASSWORD', 'x')` and Erlang's `{password,"x"}`; `at` is the comma. A list
/// may name secrets without holding one, so the value must be random, or the name a constant's or an atom.
pub(super) fn in_pair(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let start = skip_spaces(text, at + 1);
    let quote = *text.get(start).filter(|b| b"\"'".contains(b))?;
    let (name, is_quoted) = name_before(text, at, from)?;
    let named = named_secret(&text[name.clone()])?;
    let value = value_at(text, start, false).range;
    let literal = &text[value.clone()];
    let before = name.start.checked_sub(1).map(|i| text[i])?;
    // WordPress writes `define( 'DB_PASSWORD', 'x' )`.
    let opens = |bracket: u8| text[..name.start - 1].trim_ascii_end().last() == Some(&bracket);
    if named.sure == Sure::Header {
        return if is_quoted && before == quote && looks_mixed(literal) {
            placed::header(text, start, named.kind)
        } else {
            None
        };
    }
    let is_pair = if is_quoted {
        let is_constant = is_environment(&text[name.clone()]) && opens(b'(');
        before == quote && (is_constant || literal.len() >= 8 && looks_random(literal))
    } else {
        before == b'{' && text.get(value.end + 1) == Some(&b'}')
    };
    let secret = is_pair
        && !literal.contains(&b' ')
        && named_secret(literal).is_none()
        && is_secret(named, &text[name], literal, Joined::Quoted);
    secret.then_some(Secret { range: value, kind: named.kind })
}

/// Where the value of the flag that ends at `end` begins: after a space, or as the next word of a printed list,
/// `'--password', 'x'` and `"--password" "x"`.
pub(super) fn flag_value(text: &[u8], end: usize) -> Option<usize> {
    if text.get(end) == Some(&b' ') {
        return Some(skip_spaces(text, end));
    }
    let quote = *text.get(end).filter(|b| b"\"'".contains(b))?;
    let comma = end + 1 + usize::from(text.get(end + 1) == Some(&b','));
    let next = comma + text[comma..].iter().take(40).take_while(|b| b.is_ascii_whitespace()).count();
    (next > end + 1 && text.get(next) == Some(&quote)).then_some(next)
}

/// What is written before the quotes of a literal: Rust's, Python's, SQL's, C#'s and the shell's ways, and lists.
const WRAPPERS: &[&[u8]] = &[
    b"Some(", b"Optional(", b"Secret(", b"SecretString(", b"SecretStr(", b"Password(", b"b", b"u", b"r", b"N", b"$",
    b"@", b"[", b"(",
];

/// Where the literal at `start` opens its quotes: at the quote of `Some("x")` and `N'x'`; `start` where none is wrapped.
fn unwrapped(text: &[u8], start: usize) -> usize {
    let mut at = start;
    for _ in 0..3 {
        match WRAPPERS.iter().find(|wrapper| text[at..].starts_with(wrapper)) {
            Some(wrapper) => at += wrapper.len(),
            None => break,
        }
    }
    let is_escaped = text[at..].starts_with(b"\\\"");
    if is_escaped || text.get(at).is_some_and(|b| b"\"'".contains(b)) { at } else { start }
}

/// `{User:ada Password:x Host:db}` and `map[password:x user:ada]`: how Go prints a struct and a map. Nothing is between the name
/// and its value, a brace or `map[` opened before it, and the name in a struct begins with a capital.
fn is_struct_field(text: &[u8], name: &Range<usize>, at: usize, end: usize) -> bool {
    let line = line_before(text, name.start);
    let follows = name.start.checked_sub(1).is_some_and(|i| b"{ ".contains(&text[i]));
    let is_map = memchr::memmem::find(line, b"map[").is_some();
    let follows = follows || is_map && name.start.checked_sub(1).is_some_and(|i| text[i] == b'[');
    let joined = name.end == at && text.get(at + 1).is_some_and(|b| !b.is_ascii_whitespace());
    let ends = text.get(end).is_some_and(|b| b" }]".contains(b));
    let is_open = is_map || text[name.start].is_ascii_uppercase() && line.contains(&b'{');
    is_open && follows && joined && ends
}

/// The secret after a flag that starts at `at`: `--password x`, `mysql -px`, `curl -u name:x`.
pub(super) fn after_flag(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    if at > from && !b" \t\n\"'[(".contains(&text[at - 1]) {
        return None;
    }
    let len =
        text[at..].iter().take(NAME_BYTES).take_while(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b)).count();
    // `--sasl.password`, but a full stop ends a sentence.
    let flag = text[at..at + len].strip_suffix(b".").unwrap_or(&text[at..at + len]);
    let end = at + flag.len();
    if let Some(name) = flag.strip_prefix(b"--") {
        if name == b"user" || name == b"proxy-user" {
            return after_user(text, end, b':');
        }
        if let Some(secret) = commands::after_short_flag(text, at) {
            return Some(secret);
        }
        let named = named_secret(name)?;
        let value = value_at(text, flag_value(text, end)?, false);
        let secret = is_secret(named, name, &text[value.range.clone()], Joined::Flag);
        return secret.then_some(Secret { range: value.range, kind: named.kind });
    }
    if let Some(named) = flag.get(1..).and_then(named_secret).filter(|named| named.sure != Sure::Header) {
        // `keytool -storepass x`, `consul login -token x`: long names after one dash.
        let value = value_at(text, skip_spaces(text, end), false).range;
        let literal = &text[value.clone()];
        let is_sure = named.sure == Sure::Certain || literal.len() >= 12 && looks_random(literal);
        let secret = text.get(end) == Some(&b' ') && is_sure && is_secret(named, flag, literal, Joined::Flag);
        if secret {
            return Some(Secret { range: value, kind: named.kind });
        }
    }
    commands::after_short_flag(text, at)
}

/// What is called with a user and a password.
const LOGINS: &[&[u8]] = &[
    b"HTTPBasicAuth",
    b"HTTPDigestAuth",
    b"NetworkCredential",
    b"PasswordAuthentication",
    b"UsernamePasswordCredentials",
    b"auth",
    b"login",
];

/// The literal that a method sets: `setPassword("x")`, `login("ada", "x")`; `at` is the parenthesis.
pub(super) fn in_call(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let quote = *text.get(at + 1).filter(|b| b"\"'".contains(b))?;
    let (name, _) = name_before(text, at, from)?;
    let whole = &text[name.clone()];
    let method = whole.rsplit(|b| *b == b'.').next().unwrap_or(whole);
    if LOGINS.contains(&method) {
        let user = value_at(text, at + 1, false).range;
        let next = text[user.end..].strip_prefix(&[quote, b','])?;
        let start = skip_spaces(text, text.len() - next.len());
        text.get(start).filter(|b| **b == quote)?;
        let range = value_at(text, start, false).range;
        let named = Named { kind: "password", sure: Sure::Certain };
        // `auth("a", "b")` alone may be any function.
        let is_login = whole.len() > method.len() || method[0].is_ascii_uppercase();
        let secret = is_login && is_secret(named, b"password", &text[range.clone()], Joined::Quoted);
        return secret.then_some(Secret { range, kind: named.kind });
    }
    let named = named_secret(method).filter(|named| named.sure == Sure::Certain)?;
    let is_setter = method.starts_with(b"set") || method.starts_with(b"with");
    let value = value_at(text, at + 1, false).range;
    let secret = is_setter
        && !text[value.clone()].contains(&b' ')
        && is_secret(named, method, &text[value.clone()], Joined::Quoted);
    secret.then_some(Secret { range: value, kind: named.kind })
}

/// Words after which come a name and its value, a space between them.
const SETTERS: &[&[u8]] = &[
    b"setenv ",
    b"ENV ",
    b"configure set ",
    b"config set ",
    b"SetEnvironmentVariable(",
    b"set -gx ",
    b"set -x ",
    b"setx ",
];

/// Words after which comes a password: in the configuration of Redis, LDAP clients and Kickstart, for Vault, Cargo,
/// PowerShell and from a new MySQL server.
const ANNOUNCERS: &[&[u8]] = &[
    b"requirepass ",
    b"masterauth ",
    b"vault login ",
    b"bindpw ",
    b"rootpw ",
    b"rootpw --plaintext ",
    b"cargo login ",
    b"ConvertTo-SecureString ",
    b"ConvertTo-SecureString -String ",
    b"temporary password is generated for root@localhost: ",
];

/// The value that the words at `at` set: `setenv DB_PASSWORD x`, a Dockerfile's `ENV API_KEY x`.
pub(super) fn after_setter(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at..];
    // The longest, where one begins as another.
    if let Some(word) = ANNOUNCERS.iter().rev().find(|word| rest.starts_with(word)) {
        let value = value_at(text, skip_spaces(text, at + word.len()), false).range;
        let sure = if word.starts_with(b"ConvertTo-") { Sure::Certain } else { Sure::Likely };
        let named = Named { kind: "password", sure };
        let secret = text.get(value.start) != Some(&b'-') && is_secret(named, word, &text[value.clone()], Joined::Flag);
        return secret.then_some(Secret { range: value, kind: named.kind });
    }
    let setter = SETTERS.iter().find(|word| rest.starts_with(word))?;
    let is_closing = |b: &u8| b"\"', ".contains(b);
    let name = at + setter.len() + rest[setter.len()..].iter().take(4).take_while(|b| is_closing(b)).count();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"_-./:@".contains(b);
    let end = name + text[name..].iter().take(2 * NAME_BYTES).take_while(|b| is_name(b)).count();
    let named = named_secret(&text[end.saturating_sub(NAME_BYTES).max(name)..end])?;
    let start = end + text[end..].iter().take(4).take_while(|b| is_closing(b)).count();
    // The quote before the value opens it.
    let start = if start > end && b"\"'".contains(&text[start - 1]) { start - 1 } else { start };
    let value = value_at(text, start, false).range;
    let secret = start > end && is_secret(named, &text[name..end], &text[value.clone()], Joined::Flag);
    secret.then_some(Secret { range: value, kind: named.kind })
}

/// The kind of secret that `value` is as the value of a field called `name`.
pub(super) fn field(name: &[u8], value: &[u8]) -> Option<&'static str> {
    let named = named_secret(name)?;
    is_secret(named, name, value, Joined::Quoted).then_some(named.kind)
}

/// The password after a user's name and `separator`, whose flag ends at `end`.
pub(super) fn after_user(text: &[u8], end: usize, separator: u8) -> Option<Secret> {
    let start = skip_spaces(text, end + usize::from(text.get(end) == Some(&b'=')));
    let value = value_at(text, start, false).range;
    // The separator itself may end a word: lftp's `-u name,password`.
    let end = if separator == b',' { value_at(text, value.end + 1, false).range.end } else { value.end };
    let colon = value.start + text[value.start..end].iter().position(|&b| b == separator)?;
    let password = colon + 1..end;
    let named = Named { kind: "password", sure: Sure::Certain };
    let is_url = text[password.clone()].starts_with(b"//");
    (!is_url && is_secret(named, b"user", &text[password.clone()], Joined::Flag))
        .then_some(Secret { range: password, kind: "password" })
}

/// The name that ends before the separator at `at`, and whether it is quoted.
fn name_before(text: &[u8], at: usize, from: usize) -> Option<(Range<usize>, bool)> {
    // make's `NAME ?= value`
    let mut end = at - usize::from(at > from && text[at - 1] == b'?' && text[at] == b'=');
    while end > from && text[end - 1] == b' ' && at - end < ALIGNED_BYTES {
        end -= 1;
    }
    // `config["name"]`, and PHP's `[name] => value`
    let is_index = end > from + 1 && text[end - 1] == b']';
    end -= usize::from(is_index && (b"\"'".contains(&text[end - 2]) || text[at..].starts_with(b"=> ")));
    let quoted = end > from && b"\"'`".contains(&text[end - 1]);
    if quoted {
        end -= 1;
        if end > from && text[end - 1] == b'\\' {
            end -= 1;
        }
    }
    let floor = from.max(end.saturating_sub(NAME_BYTES));
    let len = text[floor..end].iter().rev().take_while(|b| is_name_byte(**b)).count();
    (len > 0).then_some((end - len..end, quoted))
}

/// Whether a name may hold this byte; names in other languages have bytes beyond ASCII.
fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_-.".contains(&b) || !b.is_ascii()
}

pub(super) fn skip_spaces(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|b| **b == b' ' || **b == b'\t').count()
}

/// `NAME=value` or `export NAME=value` alone on its line: the value may hold any character but a space.
fn is_line_of_settings(text: &[u8], name: usize, separator: u8) -> bool {
    separator == b'='
        && matches!(line_before(text, name).trim_ascii(), b"" | b"export" | b"set" | b"ENV" | b"ARG" | b"+" | b"-e")
}

/// The line before `at`, as much of it as matters.
pub(super) fn line_before(text: &[u8], at: usize) -> &[u8] {
    let near = &text[at.saturating_sub(200)..at];
    near.rsplit(|&b| b == b'\n').next().unwrap_or(near)
}

pub(super) struct Value {
    pub(super) range: Range<usize>,
    quoted: bool,
}

/// The value at `start`: quoted, up to the closing quote; else a word.
pub(super) fn value_at(text: &[u8], start: usize, line_of_settings: bool) -> Value {
    let escaped = usize::from(text.get(start) == Some(&b'\\') && text.get(start + 1) == Some(&b'"'));
    if let Some(&quote @ (b'"' | b'\'')) = text.get(start + escaped) {
        let start = start + escaped + 1;
        // Python's `"""x"""`
        let start = if text[start..].starts_with(&[quote, quote]) { start + 2 } else { start };
        let mut end = literal_end(text, start, quote, escaped == 1);
        // A literal goes on in the next one: SQL's `'a''b'`, the shell's `'a'"'"'b'`.
        let mut open = quote;
        while escaped == 0 && end > start && text.get(end) == Some(&open) {
            let Some(&next) = text.get(end + 1).filter(|b| b"\"'".contains(b)) else { break };
            let more = literal_end(text, end + 2, next, false);
            if text.get(more) != Some(&next) || more - end > NAME_BYTES {
                break;
            }
            (end, open) = (more, next);
        }
        return Value { range: before_mark(text, start..end.min(text.len())), quoted: true };
    }
    let ends = |b: &u8| b.is_ascii_whitespace() || !line_of_settings && b",;&)}]\"'<>|`\\".contains(b);
    let rest = &text[start.min(text.len())..];
    let len = rest.iter().take(WORD_BYTES).take_while(|b| !ends(b)).count();
    // A longer word is one value only as long as it has no separators: each of them would read it to its end.
    let is_part = |b: &u8| !ends(b) && !b"=:".contains(b);
    let more = if len == WORD_BYTES { rest[len..].iter().take_while(|b| is_part(b)).count() } else { 0 };
    let padding = rest[len + more..].iter().take(2).take_while(|b| **b == b'=' && !ends(b)).count();
    Value { range: before_mark(text, start..start + len + more + padding), quoted: false }
}

/// The end of the literal that began before `start` with `quote`; `is_escaped` where its quotes have a backslash before them.
pub(super) fn literal_end(text: &[u8], start: usize, quote: u8, is_escaped: bool) -> usize {
    let mut end = start.min(text.len());
    while end < text.len() && text[end] != quote && text[end] != b'\n' {
        if text[end] == b'\\' && is_escaped {
            break;
        }
        end += 1 + usize::from(text[end] == b'\\' && text.get(end + 1).is_some_and(|b| b.is_ascii() && *b != b'\n'));
    }
    end.min(text.len())
}

/// Words that occur where a value would, in sentences, types and placeholders.
const NO_VALUE: &[&[u8]] = &[
    b"null", b"none", b"nil", b"undefined", b"true", b"false", b"yes", b"no", b"required", b"missing", b"invalid",
    b"incorrect", b"empty", b"unset", b"set", b"expired", b"wrong", b"failed", b"denied", b"string", b"str", b"text",
    b"any", b"bytes", b"int", b"optional", b"is", b"was", b"and", b"or", b"to", b"must", b"not", b"cannot",
    b"requires", b"argument", b"with", b"for", b"value", b"from", b"in", b"the", b"has", b"flag", b"option",
    b"options", b"parameter", b"if", b"on", b"at", b"mismatch", b"authentication", b"error", b"as", b"via", b"of",
    b"by", b"rejected", b"hidden", b"redacted", b"changeme", b"unknown", b"disabled", b"enabled", b"[secure",
];

pub(super) fn is_secret(named: Named, name: &[u8], value: &[u8], joined: Joined) -> bool {
    let placeholder = value.is_empty()
        || b"$%<{*(".contains(&value[0])
        || value.iter().all(|b| *b == value[0] && (value.len() > 2 || b.is_ascii_punctuation()))
        || last_part(value) == last_part(name)
        || value.ends_with(b"(")
        || memchr::memmem::find(value, b".*").is_some()
        || NO_VALUE.iter().any(|word| value.eq_ignore_ascii_case(word));
    if placeholder {
        return false;
    }
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let type_name = value[0].is_ascii_uppercase() && value.iter().all(|b| b.is_ascii_alphabetic() || *b == b'_');
    let metavariable = value.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    let environment = is_environment(name);
    // A key in Base64 may begin with a slash too.
    let is_base64 = value.len() >= 32 && looks_random(value) && value.iter().any(u8::is_ascii_uppercase);
    let is_base64 = is_base64 && value.iter().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b));
    let path = value[0] == b'/' && !is_base64
        || value.starts_with(b"./")
        || value.starts_with(b"~/")
        || value.get(1..3).is_some_and(|after| after == b":\\" || after == b":/");
    match (named.sure, joined) {
        (_, Joined::Flag) if metavariable => false,
        (Sure::Header, _) => true,
        (Sure::Weak, _) => joined == Joined::Equals && value.len() >= 16 && looks_random(value) && !path,
        (Sure::Service, Joined::Equals) => value.len() >= 14 && looks_random(value) && !path,
        (Sure::Service, _) => value.len() >= 20 && looks_random(value) && value.iter().all(|b| is_name_byte(*b)),
        (Sure::Certain, Joined::Colon) => !type_name && !value.starts_with(b"&"),
        (Sure::Certain, _) => true,
        (Sure::Likely, Joined::Equals) if environment => {
            !path && !value.iter().all(u8::is_ascii_digit) && value.len() >= 4
        }
        (Sure::Likely, Joined::Quoted) => {
            value.len() >= 8 && !path && (has_digit || value.len() >= 16) && !value.contains(&b' ')
        }
        (Sure::Likely, Joined::Equals) if is_long_letters(value) => true,
        (Sure::Likely, _) => {
            value.len() >= 8 && (has_digit || looks_mixed(value)) && !path && !value.iter().all(u8::is_ascii_digit)
        }
    }
}

/// Letters of one case without a break, more than a word has; names in code have capitals, points or underscores.
fn is_long_letters(value: &[u8]) -> bool {
    let is_one_case = value.iter().all(u8::is_ascii_lowercase) || value.iter().all(u8::is_ascii_uppercase);
    value.len() >= 16 && is_one_case
}

/// The `c` of `a.b.c`: `self.password = config.password` is code.
fn last_part(name: &[u8]) -> &[u8] {
    name.rsplit(|b| *b == b'.').next().unwrap_or(name)
}

/// Whether the name is written as that of an environment variable.
fn is_environment(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase)
}

/// Whether the value is an expression or a row of an enum: `password=config.password)`, `secret=getpass()`, `X_TOKEN = 137,`.
fn is_code(text: &[u8], value: &Range<usize>) -> bool {
    let letters = text[value.clone()].iter().all(|b| b.is_ascii_alphabetic() || b"_.(".contains(b));
    let before_comma = text[value.start..text.len().min(value.end + 1)].strip_suffix(b",").unwrap_or_default();
    let before_comma = text[value.clone()].strip_suffix(b",").unwrap_or(before_comma);
    let number = !before_comma.is_empty() && before_comma.iter().all(u8::is_ascii_digit);
    number || letters && text.get(value.end).is_some_and(|b| b",)".contains(b)) && !is_logged(text, value)
}

/// Whether the letters are one of the fields of a printed line, `user=ada, password=swordfish, host=db`, and no argument of a call.
fn is_logged(text: &[u8], value: &Range<usize>) -> bool {
    let line = line_before(text, value.start);
    let after = &text[value.end..text.len().min(value.end + NAME_BYTES)];
    let next = after.strip_prefix(b", ").unwrap_or_default();
    let name = next.iter().take_while(|b| is_name_byte(**b)).count();
    let is_word = value.len() >= 6 && text[value.clone()].iter().all(u8::is_ascii_alphabetic);
    is_word && !line.contains(&b'(') && name > 0 && next.get(name) == Some(&b'=')
}
