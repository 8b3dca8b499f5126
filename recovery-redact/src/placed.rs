//! Secrets that are recognised by their position: in a URL, a header, an XML element, an SQL statement, a private key
//! block.
//!
//! In: the position of a character that such a place begins with. Out: the range of the secret and its kind, or none.
//! Every search is bounded (`KEY_BYTES`), so that text with many beginnings and no end stays linear. To recognise
//! another place, add a function here and call it from `lib.rs` at the byte that the place begins with.

use super::{Secret, before_mark, looks_mixed, looks_random};
use std::ops::Range;

/// The password in `scheme://user:password@host`, or a token in place of the user, after the `:` at `at`.
pub(super) fn url_password(text: &[u8], at: usize) -> Option<Secret> {
    // A path that was tidied up has one slash left of two.
    let rest = text[at..].strip_prefix(b":/")?;
    let slashes = 1 + usize::from(rest.first() == Some(&b'/'));
    let rest = &rest[slashes - 1..];
    if at == 0 || !text[at - 1].is_ascii_alphanumeric() {
        return None;
    }
    let ends = |b: &u8| b.is_ascii_whitespace() || b"/?#\"'<>\\`,;)}|".contains(b);
    let authority = &rest[..rest.iter().take_while(|b| !ends(b)).count()];
    let user_info = match authority.iter().rposition(|&b| b == b'@') {
        Some(end) => &authority[..end],
        None if slashes == 2 => unescaped_user_info(rest, authority.len())?,
        None => return None,
    };
    if before_mark(user_info, 0..user_info.len()).len() < user_info.len() {
        return None;
    }
    let start = at + 1 + slashes;
    let user = user_info.iter().position(|&b| b == b':').unwrap_or(user_info.len());
    if user >= 16 && looks_random(&user_info[..user]) {
        return Some(Secret { range: start..start + user_info.len(), kind: "token" });
    }
    let password = user_info.get(user + 1..)?;
    let placeholder =
        password.is_empty() || b"$<{*%".contains(&password[0]) && !password.iter().any(u8::is_ascii_digit);
    (!placeholder).then_some(Secret { range: start + user + 1..start + user_info.len(), kind: "password" })
}

/// `user:password` before an `@` where the password has a raw `/`, `#` or `?`, which a URL must not have and people write.
/// A port with a path after it is none.
fn unescaped_user_info(rest: &[u8], authority: usize) -> Option<&[u8]> {
    let colon = rest[..authority].iter().position(|&b| b == b':')?;
    let after = &rest[colon + 1..authority];
    let is_port = after.iter().all(u8::is_ascii_digit);
    let ends = |b: &u8| b.is_ascii_whitespace() || b"\"'<>\\`,;)}|".contains(b);
    let word = &rest[..rest.iter().take(300).take_while(|b| !ends(b)).count()];
    let at = word.iter().rposition(|&b| b == b'@')?;
    let host = word.get(at + 1..)?.iter().take_while(|b| b.is_ascii_alphanumeric() || b".-_[".contains(b)).count();
    let has_path_before =
        memchr::memchr(b'/', &word[colon..at]).is_some_and(|slash| word[colon..colon + slash].contains(&b'.'));
    (!is_port && host > 0 && !has_path_before).then_some(&word[..at])
}

/// The password of `user:password@tcp(host:3306)/db`, as Go programs write it; `at` is the `@`.
pub(super) fn go_dsn(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let rest = &text[at + 1..];
    if !rest.starts_with(b"tcp(") && !rest.starts_with(b"unix(") {
        return None;
    }
    let len =
        text[from..at].iter().rev().take(200).take_while(|b| !b.is_ascii_whitespace() && !b"\"'=".contains(b)).count();
    let colon = at - len + text[at - len..at].iter().position(|&b| b == b':')?;
    let range = before_mark(text, colon + 1..at);
    (!range.is_empty()).then_some(Secret { range, kind: "password" })
}

/// The password of `user/password@host` where Oracle's tools or its driver are named before it; `at` is the `@`.
pub(super) fn oracle_dsn(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let ends = |b: &u8| b.is_ascii_whitespace() || b"\"':=".contains(b);
    let len = text[from..at].iter().rev().take(100).take_while(|b| !ends(b)).count();
    let start = at - len;
    let slash = start + text[start..at].iter().position(|&b| b == b'/')?;
    let before = &text[start.saturating_sub(80)..start];
    let is_oracle = [&b"jdbc:oracle:"[..], b"sqlplus ", b"sqlldr ", b"expdp ", b"impdp ", b"connect ", b"CONNECT "]
        .iter()
        .any(|word| memchr::memmem::find(before, word).is_some());
    let range = before_mark(text, slash + 1..at);
    (is_oracle && slash > start && !range.is_empty()).then_some(Secret { range, kind: "password" })
}

/// Ports that only PostgreSQL and its poolers use.
const POSTGRES_PORTS: [&[u8]; 3] = [b"5432", b"5433", b"6432"];

/// How far the beginning of an entry of a `.pgpass` is from its first colon, and half of how far its end is.
const PGPASS_BYTES: usize = 300;

/// The last of the five fields of `host:port:database:user:password`, as `.pgpass` has it; `at` is the first colon. With a port
/// of PostgreSQL's it is any word, `echo "db:5432:app:ada:x" >> .pgpass`; else a whole line: places in source files have
/// colons too.
pub(super) fn pgpass(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let next = *text.get(at + 1)?;
    if !next.is_ascii_digit() && next != b'*' {
        return None;
    }
    let is_boundary = |b: &u8| b.is_ascii_whitespace() || b"\"'`".contains(b);
    // A host's name has at most 253 bytes; each colon of a longer word would read it to its beginning.
    let floor = from.max(at.saturating_sub(PGPASS_BYTES));
    let boundary = text[floor..at].iter().rposition(is_boundary);
    let start = match boundary {
        Some(n) => floor + n + 1,
        None if floor == from => from,
        None => return None,
    };
    let starts_line = start == from || text[start - 1] == b'\n';
    // A line of a diff.
    let start = start + usize::from(starts_line && b"+-".contains(&text[start]) && start < at);
    let len = text[at..].iter().take(2 * PGPASS_BYTES).take_while(|b| !is_boundary(b)).count();
    let ends_line = text.get(at + len).is_none_or(|b| b"\r\n".contains(b));
    let mut fields = text[start..at + len].splitn(5, |&b| b == b':');
    let (host, port, database, user, password) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let is_name = |field: &[u8]| {
        field == b"*"
            || field.first().is_some_and(u8::is_ascii_alphabetic)
                && field.iter().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(b))
    };
    let is_host = host == b"*" || host.iter().all(|b| b.is_ascii_alphanumeric() || b"._-/".contains(b));
    let is_port = port == b"*" || port.iter().all(u8::is_ascii_digit);
    let is_entry = !host.is_empty()
        && start + host.len() == at
        && is_host
        && is_port
        && is_name(database)
        && is_name(user)
        && !password.is_empty()
        && (POSTGRES_PORTS.contains(&port) || host == b"*" && port == b"*" || starts_line && ends_line);
    let range = before_mark(text, at + len - password.len()..at + len);
    (is_entry && !range.is_empty()).then_some(Secret { range, kind: "password" })
}

/// The text of `<password>…</password>`, and the value of `<add key="…Password" value="…"/>`; `at` is the `<`.
pub(super) fn xml_element(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at + 1..];
    let len = rest.iter().take(80).take_while(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(b)).count();
    let name = rest.get(..len)?;
    let tag = &rest[..rest.iter().take(400).take_while(|b| **b != b'>').count()];
    let by_attribute = named_by_attribute(tag);
    if let (Some(named), Some(value)) = (by_attribute, attribute(tag, b"value")) {
        let range = before_mark(text, at + 1 + value.start..at + 1 + value.end);
        return (!range.is_empty()).then_some(Secret { range, kind: named.kind });
    }
    let last = name.rsplit(|b| b":.".contains(b)).next().unwrap_or(name);
    let is_entry = [&b"entry"[..], b"property", b"param", b"setting"].contains(&name);
    let named = super::names::named_secret(last).or(by_attribute.filter(|_| is_entry))?;
    let tag = len + rest[len..].iter().take(200).take_while(|b| **b != b'>').count();
    if rest.get(tag) != Some(&b'>') || rest.get(tag - 1) == Some(&b'/') {
        return None;
    }
    let cdata = if rest[tag + 1..].starts_with(CDATA) { CDATA.len() } else { 0 };
    if cdata > 0 {
        let start = at + 1 + tag + 1 + cdata;
        let value = memchr::memmem::find(&text[start..text.len().min(start + KEY_BYTES)], b"]]>")?;
        let range = before_mark(text, start..start + value);
        return (!range.is_empty()).then_some(Secret { range, kind: named.kind });
    }
    let value = rest[tag + 1..].iter().take(KEY_BYTES).take_while(|b| **b != b'<').count();
    let content = &rest[tag + 1..tag + 1 + value];
    // Without its end it is no element, and `<token> is required` is a sentence.
    let closes = rest[tag + 1 + value..].starts_with(b"</");
    let start = at + 1 + tag + 1 + content.len() - content.trim_ascii_start().len();
    let range = before_mark(text, start..start + content.trim_ascii().len());
    let placeholder = range.is_empty() || b"$,.;:)".contains(&text[range.start]);
    (closes && !placeholder).then_some(Secret { range, kind: named.kind })
}

const CDATA: &[u8] = b"<![CDATA[";

/// What an attribute of the tag indicates about its value: `<property name="db.password" …`, `<input type="password" …`.
fn named_by_attribute(tag: &[u8]) -> Option<super::names::Named> {
    [&b"key"[..], b"name", b"type"]
        .iter()
        .filter_map(|name| super::names::named_secret(&tag[attribute(tag, name)?]))
        .find(|named| named.sure == super::names::Sure::Certain)
}

/// The value of the attribute `name` of a tag.
fn attribute(tag: &[u8], name: &[u8]) -> Option<Range<usize>> {
    memchr::memmem::find_iter(tag, name).find_map(|at| {
        let start = at + name.len() + 2;
        let is_here = at > 0 && !tag[at - 1].is_ascii_alphanumeric() && tag.get(at + name.len()..start) == Some(b"=\"");
        is_here.then(|| start..start + tag[start..].iter().take_while(|b| **b != b'"').count())
    })
}

/// What follows the words of SQL, `.netrc` and OpenSSL that announce a password: `PASSWORD 'x'`, `IDENTIFIED BY 'x'`,
/// `machine h login u password x`, `-passin pass:x`, and PuTTY's `Private-Lines: 14`.
pub(super) fn after_word(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at..];
    let is = |word: &[u8]| rest.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
    let before = || {
        let near = &text[at.saturating_sub(300)..at];
        near.to_ascii_lowercase()
    };
    let password = |start: usize| {
        let is_quoted = text.get(start).is_some_and(|b| b"'\"".contains(b));
        let ends = |b: &u8| b.is_ascii_whitespace() || b";,)'\"".contains(b);
        let range = if is_quoted {
            super::assigned::value_at(text, start, false).range
        } else {
            let len = text[start.min(text.len())..].iter().take_while(|b| !ends(b)).count();
            before_mark(text, start..start + len)
        };
        let placeholder = range.is_empty() || b"$<{*%?:".contains(&text[range.start]);
        (!placeholder).then_some(Secret { range, kind: "password" })
    };
    let skip = |len: usize| at + len + rest[len..].iter().take_while(|b| **b == b' ').count();
    if is(b"private-lines: ") {
        let lines: usize = std::str::from_utf8(&rest[15..]).ok()?.split_whitespace().next()?.parse().ok()?;
        let count = 15 + rest[15..].iter().take_while(|b| b.is_ascii_digit()).count();
        // The lines may have been joined.
        let separator = *rest.get(count).filter(|b| b"\r\n ".contains(b))?;
        let separator = if separator == b' ' { b' ' } else { b'\n' };
        let body = memchr::memchr(separator, rest.get(count..)?)? + count + 1;
        let len: usize = rest[body..].split_inclusive(|&b| b == separator).take(lines.min(400)).map(<[u8]>::len).sum();
        let end = at + body + rest[body..body + len].trim_ascii_end().len();
        let range = before_mark(text, at + body..end);
        return (!range.is_empty()).then_some(Secret { range, kind: "private-key" });
    }
    if is(b"pass:") {
        let line = before();
        let line = line.strip_suffix(b"\"").or_else(|| line.strip_suffix(b"'")).unwrap_or(&line).trim_ascii_end();
        let line = line.strip_suffix(b"=").unwrap_or(line);
        let flagged = [&b"-passin"[..], b"-passout", b"-pass", b"-passwd"].iter().any(|flag| line.ends_with(flag));
        return if flagged { password(at + 5) } else { None };
    }
    if is(b"identified by ") {
        let start = skip(13);
        let is_keyword = text[start..].get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"password "));
        let start = if is_keyword { start + 9 } else { start };
        let is_quoted = text.get(start).is_some_and(|b| b"'\"".contains(b));
        // It may be a sentence; in SQL a statement comes before it, or the words are in capitals.
        let is_sql = is_quoted && rest.starts_with(b"IDENTIFIED") || in_statement(&before());
        return if is_sql { password(start) } else { None };
    }
    if is(b"identified with ") {
        let line = &rest[..rest.iter().take(200).take_while(|b| **b != b'\n').count()];
        let by = memchr::memmem::find(&line.to_ascii_lowercase(), b" by ")?;
        return password(skip(by + 3));
    }
    if is(b"password(") && rest.get(9).is_some_and(|b| b"'\"".contains(b)) {
        return password(at + 9);
    }
    if is(b"password is ") || is(b"password is: ") || is(b"password set to ") {
        // In a sentence a word that is none.
        let words = rest.iter().take(20).take_while(|b| b.is_ascii_alphabetic() || b" :".contains(b)).count();
        let start = at + rest[..words].iter().rposition(|b| *b == b' ').map_or(words, |space| space + 1);
        let start = start + usize::from(text.get(start).is_some_and(|b| b"\"'`".contains(b)));
        let len = text[start..].iter().take_while(|b| b.is_ascii_graphic() && !b"\"'`,;".contains(b)).count();
        let word = &text[start..start + len];
        let word = word.strip_suffix(b".").unwrap_or(word);
        let has = |class: fn(&u8) -> bool| word.iter().any(class);
        let is_none = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
        let secret = word.len() >= 8 && is_none && !word.contains(&b'-') && !word.starts_with(b"[redacted:");
        return secret.then_some(Secret { range: start..start + word.len(), kind: "password" });
    }
    if !is(b"password") || !rest.get(8).is_some_and(|b| b" \t".contains(b)) {
        return None;
    }
    let start = at + 8 + rest[8..].iter().take_while(|b| b" \t".contains(b)).count();
    if is(b"password for ") {
        let line = &rest[..rest.iter().take(200).take_while(|b| **b != b'\n').count()];
        let equals = memchr::memmem::find(line, b"= ")?;
        let start = skip(equals + 1);
        let is_quoted = text.get(start).is_some_and(|b| b"'\"".contains(b));
        return if is_quoted && in_statement(&before()) { password(start) } else { None };
    }
    if text.get(start).is_some_and(|b| b"'\"".contains(b)) {
        // SQL: a quoted word after a clause, not after a sentence such as: no password "x" is known.
        return if in_statement(&before()) { password(start) } else { None };
    }
    let line = before();
    // `echo "machine h login u password x" > .netrc`
    let is_between = |b: &u8| b.is_ascii_whitespace() || b"\"'`".contains(b);
    let words: Vec<&[u8]> = line.split(is_between).filter(|word| !word.is_empty()).collect();
    let words: Vec<&[u8]> = words.into_iter().map(|word| word.strip_prefix(b"+").unwrap_or(word)).collect();
    let is_entry = words.iter().any(|word| *word == b"machine" || *word == b"default");
    let netrc = match words.iter().rev().nth(1) {
        Some(&b"login" | &b"account") => is_entry,
        // The fields may come in another order.
        Some(&b"machine") => {
            let value = text[start..].iter().take(200).take_while(|b| !b.is_ascii_whitespace()).count();
            text[start + value..].trim_ascii_start().starts_with(b"login")
        }
        _ => false,
    };
    if netrc { password(start) } else { None }
}

/// Whether the last line of `before`, in lower case, has a word of an SQL statement about users.
fn in_statement(before: &[u8]) -> bool {
    let line = before.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    let words = [&b"user"[..], b"role", b"with", b"encrypted", b"alter", b"create", b"set ", b"grant"];
    words.iter().any(|word| memchr::memmem::find(line, word).is_some())
}

/// How much of a header shows whether it is one.
const HEADER_BYTES: usize = 1 << 10;

/// The value of an `Authorization` or `Cookie` header that starts at `start`; a scheme stays.
pub(super) fn header(text: &[u8], start: usize, kind: &'static str) -> Option<Secret> {
    let quote = start.checked_sub(1).map(|i| text[i]).filter(|b| b"\"'".contains(b));
    let opens = text.get(start).copied().filter(|b| b"\"'".contains(b));
    let mut from = start + usize::from(opens.is_some());
    // The parts of a digest are quoted themselves.
    let is_digest = text[from..].get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"digest "));
    let ends =
        |b: &u8| b"\r\n".contains(b) || !is_digest && b"\"'\\".contains(b) || Some(*b) == opens || Some(*b) == quote;
    let line = &text[from..];
    let len = line.iter().take(HEADER_BYTES).take_while(|b| !ends(b)).count();
    // More of it is read only where its beginning is no sentence: each colon in one would read it to its end.
    let is_open = len == HEADER_BYTES && !(kind == "authorization" && is_of_words(&line[..len]));
    let len = len + if is_open { line[len..].iter().take_while(|b| !ends(b)).count() } else { 0 };
    let value = text[from..from + len].trim_ascii_end();
    let end = from + value.len();
    if kind == "authorization" {
        let scheme = value.iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'-').count();
        if scheme > 0 && value.get(scheme) == Some(&b' ') {
            from += scheme + 1;
        }
    }
    let Range { start: from, end } = before_mark(text, from..end);
    let secret = &text[from..end];
    // `Authorization: required`, `Cookie: none` are words.
    let words = kind == "authorization" && is_of_words(secret);
    let is_code = b"$*<{&".contains(secret.first()?) || is_call(secret);
    (secret.len() >= 4 && !words && !is_code).then_some(Secret { range: from..end, kind })
}

fn is_of_words(value: &[u8]) -> bool {
    !looks_mixed(value) && !value.iter().any(|b| b.is_ascii_digit() || b"=+/_".contains(b))
}

/// Whether the value begins with a call: `cookie = jar.first(...)` is code.
fn is_call(value: &[u8]) -> bool {
    let name = value.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_.".contains(b)).count();
    name > 0 && value.get(name) == Some(&b'(')
}

/// What follows `Bearer ` or `Basic ` anywhere.
pub(super) fn after_scheme(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at..];
    let is = |word: &[u8]| rest.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
    let (scheme, kind) = if is(b"bearer ") {
        (7, "bearer")
    } else if is(b"basic ") {
        (6, "basic")
    } else {
        return None;
    };
    let run =
        |allowed: &[u8]| rest[scheme..].iter().take_while(|b| b.is_ascii_alphanumeric() || allowed.contains(b)).count();
    let len = if kind == "bearer" { run(b"-._~+/=") } else { run(b"+/") };
    let value = &rest[scheme..scheme + len];
    if kind == "bearer" {
        let secret = len >= 12 && value.iter().any(u8::is_ascii_digit);
        return secret.then_some(Secret { range: at + scheme..at + scheme + len, kind });
    }
    // Base64 of `user:password`; words are not padded and have no digits amid capitals.
    let padding = rest[scheme + len..].iter().take(2).take_while(|b| **b == b'=').count();
    let ends = rest.get(scheme + len + padding).is_none_or(|b| !b.is_ascii_alphanumeric() && !b"[_-".contains(b));
    let random = looks_random(value) && value.iter().any(u8::is_ascii_uppercase);
    let secret = len >= 6 && ends && (padding > 0 || len >= 8 && random);
    secret.then_some(Secret { range: at + scheme..at + scheme + len + padding, kind })
}

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// The format of RFC 4716, in which some programs write private keys too.
const SSH2_BEGIN: &[u8] = b"---- BEGIN SSH2 ";
const SSH2_END: &[u8] = b"---- END SSH2 ";
/// Longer than any key; a bound, so that many beginnings without an end stay cheap.
const KEY_BYTES: usize = 32 * 1024;

/// The private key block that begins at `at`, or that ends there and lost its beginning.
pub(super) fn private_key(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let rest = &text[at..];
    let kind = "private-key";
    if rest.starts_with(BEGIN) {
        let title = title_len(&rest[BEGIN.len()..])? + BEGIN.len();
        let end = memchr::memmem::find(&rest[title..rest.len().min(title + KEY_BYTES)], END).map(|n| n + title);
        let end = match end.and_then(|end| Some(end + END.len() + title_len(&rest[end + END.len()..])?)) {
            Some(end) => end,
            None => title + key_lines(&rest[title..]),
        };
        return Some(Secret { range: at..at + end, kind });
    }
    if rest.starts_with(SSH2_BEGIN) {
        let key = &rest[..rest.len().min(KEY_BYTES)];
        let title = &key[..memchr::memchr(b'\n', key).unwrap_or(key.len())];
        memchr::memmem::find(title, b"PRIVATE KEY")?;
        let end = memchr::memmem::find(key, SSH2_END).map_or(key.len(), |end| {
            end + SSH2_END.len() + key[end + SSH2_END.len()..].iter().take_while(|b| !b"\r\n\"'".contains(b)).count()
        });
        return Some(Secret { range: at..at + end, kind });
    }
    if rest.starts_with(END) {
        let end = at + END.len() + title_len(&rest[END.len()..])?;
        let start = key_start(text, at, from.max(at.saturating_sub(KEY_BYTES)));
        return Some(Secret { range: start..end, kind });
    }
    None
}

/// The length of `RSA PRIVATE KEY-----`, if that is there.
fn title_len(text: &[u8]) -> Option<usize> {
    let len = text.iter().take(60).take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b' ').count();
    let private = memchr::memmem::find(&text[..len], b"PRIVATE KEY").is_some();
    let dashes = text[len..].iter().take(5).take_while(|b| **b == b'-').count();
    // Cut off within the dashes it is still a private key.
    (private && (dashes == 5 || len + dashes == text.len())).then_some(len + dashes)
}

/// Where the key begins that ends at `at` and lost its beginning: lines of Base64, only the last of which may be short.
fn key_start(text: &[u8], at: usize, floor: usize) -> usize {
    let mut start = at;
    while start > floor {
        let above = text[floor..start].trim_ascii_end();
        let line = above.rsplit(|&b| b == b'\n').next().unwrap_or_default();
        let key = line.iter().rev().take_while(|b| is_key_byte(**b)).count();
        let is_whole = line.trim_ascii_start().len() == key;
        if key == 0 || (is_whole && key < 16 && start < at) {
            break;
        }
        start = floor + above.len() - if is_whole { line.len() } else { key };
        if !is_whole {
            break;
        }
    }
    start
}

/// How much of `text` can be the inside of a key whose end is missing: Base64 by the line, indented or not, with
/// `Proc-Type: 4,ENCRYPTED` and the like before it.
fn key_lines(text: &[u8]) -> usize {
    let mut len = 0;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let inside = line.trim_ascii();
        if !inside.iter().all(|b| is_key_byte(*b)) && !is_key_header(inside) {
            // The rest of the line may still be of the key, up to a quote.
            return len + line.iter().take_while(|b| is_key_byte(**b) || **b == b' ').count();
        }
        len += line.len();
    }
    text[..len].trim_ascii_end().len()
}

fn is_key_header(line: &[u8]) -> bool {
    [&b"Proc-Type: "[..], b"DEK-Info: ", b"Version: ", b"Comment: ", b"Key-Info: "]
        .iter()
        .any(|name| line.starts_with(name))
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=\r\n\\".contains(&byte)
}
