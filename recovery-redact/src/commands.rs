//! Secrets that are recognised by the program they are given to: `mysql -px`, `htpasswd -b file ada x`,
//! `echo x | sudo -S true`, `chpasswd <<< ada:x`.
//!
//! In: the position of a flag, of a program's name, of a `|` or of a `<<<`. Out: the range of the password, or none. Three tables list
//! the programs: `FLAGS` by a short flag, `ARGUMENTS` by the last of the words, `READERS` by what they read from
//! standard input. To add a program, add a row. Every search is bounded by `MAX_WORDS` and `WORD_BYTES`, so that hostile
//! text stays linear; a command that has a mark in it was redacted before and stays.

use super::Secret;
use super::assigned::{Joined, after_user, flag_value, is_secret, line_before, literal_end, skip_spaces, value_at};
use super::names::{Named, Sure};
use std::ops::Range;

/// The most words of a command that are looked at.
const MAX_WORDS: usize = 16;
/// The longest word of a command.
const WORD_BYTES: usize = 200;

/// The longest name of a flag of Windows.
const NAME_OF_FLAG_BYTES: usize = 12;

/// How a short flag is followed by its password.
#[derive(Clone, Copy)]
enum FlagValue {
    /// `-p x`.
    Apart,
    /// `-px`; `-p` alone asks for it.
    Joined,
    /// `-p x` and `-px`.
    Either,
    /// `-u name:x`, with this character after the name.
    AfterName(u8),
}

/// Where in a command a program's name has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anywhere: no other word contains it.
    Anywhere,
    /// Where a command begins: hosts, containers and directories are called the same.
    Start,
}

/// A short flag whose value is a password, and what the names of the programs that have it contain.
struct Flag {
    program: &'static [u8],
    place: Place,
    flag: &'static [u8],
    value: FlagValue,
}

const fn flag(program: &'static str, flag: &'static str, value: FlagValue) -> Flag {
    Flag { program: program.as_bytes(), place: Place::Anywhere, flag: flag.as_bytes(), value }
}

const FLAGS: &[Flag] = &[
    flag("7z", "-p", FlagValue::Joined),
    Flag { program: b"ab", place: Place::Start, flag: b"-A", value: FlagValue::AfterName(b':') },
    flag("add-generic-password", "-w", FlagValue::Apart),
    flag("add-internet-password", "-w", FlagValue::Apart),
    flag("altool", "-p", FlagValue::Apart),
    flag("bcp", "-P", FlagValue::Either),
    flag("beeline", "-p", FlagValue::Apart),
    flag("cqlsh", "-p", FlagValue::Apart),
    flag("cmdkey", "/pass:", FlagValue::Joined),
    flag("curl", "-u", FlagValue::AfterName(b':')),
    Flag { program: b"doctl", place: Place::Start, flag: b"-t", value: FlagValue::Apart },
    Flag { program: b"http", place: Place::Start, flag: b"-a", value: FlagValue::AfterName(b':') },
    Flag { program: b"https", place: Place::Start, flag: b"-a", value: FlagValue::AfterName(b':') },
    flag("ipmitool", "-P", FlagValue::Apart),
    flag("isql", "-P", FlagValue::Either),
    flag("ldap", "-w", FlagValue::Apart),
    flag("ldappasswd", "-s", FlagValue::Apart),
    flag("lftp", "-u", FlagValue::AfterName(b',')),
    flag("login", "-p", FlagValue::Apart),
    flag("mariadb", "-p", FlagValue::Joined),
    Flag { program: b"mongo", place: Place::Start, flag: b"-p", value: FlagValue::Apart },
    flag("mongodump", "-p", FlagValue::Apart),
    flag("mongoexport", "-p", FlagValue::Apart),
    flag("mongoimport", "-p", FlagValue::Apart),
    flag("mongorestore", "-p", FlagValue::Apart),
    flag("mongosh", "-p", FlagValue::Apart),
    flag("mosquitto_pub", "-P", FlagValue::Apart),
    flag("mosquitto_sub", "-P", FlagValue::Apart),
    flag("mysql", "-p", FlagValue::Joined),
    flag("ncftp", "-p", FlagValue::Apart),
    flag("nuget", "-ApiKey", FlagValue::Apart),
    flag("nuget push", "-k", FlagValue::Apart),
    flag("openssl", "-k", FlagValue::Apart),
    flag("osql", "-P", FlagValue::Either),
    flag("plink", "-pw", FlagValue::Apart),
    flag("pscp", "-pw", FlagValue::Apart),
    flag("psexec", "-p", FlagValue::Apart),
    flag("psftp", "-pw", FlagValue::Apart),
    Flag { program: b"rar", place: Place::Start, flag: b"-hp", value: FlagValue::Joined },
    Flag { program: b"rar", place: Place::Start, flag: b"-p", value: FlagValue::Joined },
    flag("rdesktop", "-p", FlagValue::Apart),
    flag("redis-cli", "--pass", FlagValue::Apart),
    flag("redis-cli", "-a", FlagValue::Apart),
    flag("rpcclient", "-U", FlagValue::AfterName(b'%')),
    flag("security import", "-P", FlagValue::Apart),
    flag("smbclient", "-U", FlagValue::AfterName(b'%')),
    flag("snmp", "-A", FlagValue::Apart),
    flag("snmp", "-X", FlagValue::Apart),
    flag("snmp", "-c", FlagValue::Apart),
    flag("sqlcmd", "-P", FlagValue::Either),
    flag("ssh-keygen", "-N", FlagValue::Apart),
    flag("sshpass", "-p", FlagValue::Either),
    flag("tsql", "-P", FlagValue::Apart),
    flag("twine", "-p", FlagValue::Apart),
    flag("unlock-keychain", "-p", FlagValue::Apart),
    Flag { program: b"unrar", place: Place::Start, flag: b"-p", value: FlagValue::Joined },
    flag("unzip", "-P", FlagValue::Apart),
    flag("useradd", "-p", FlagValue::Apart),
    flag("usermod", "-p", FlagValue::Apart),
    flag("winexe", "-U", FlagValue::AfterName(b'%')),
    flag("wmic", "/password:", FlagValue::Joined),
    flag("xfreerdp", "/p:", FlagValue::Joined),
    Flag { program: b"xh", place: Place::Start, flag: b"-a", value: FlagValue::AfterName(b':') },
    flag("zip", "-P", FlagValue::Apart),
];

/// What a command begins after: a prompt, a message about it, a program that runs another.
const STARTERS: &[&[u8]] = &[b"$", b"+", b">", b"#", b":", b"sudo", b"-c", b"--", b"RUN", b"time", b"nohup"];

/// The password after the short flag at `at`, by the program that the line names before it.
pub(super) fn after_short_flag(text: &[u8], at: usize) -> Option<Secret> {
    let line = line_before(text, at);
    let command = line.rsplit(|b| b";|&".contains(b)).next().unwrap_or(line);
    let row = FLAGS.iter().find(|row| text[at..].starts_with(row.flag) && calls(command, row))?;
    let end = at + row.flag.len();
    let next = flag_value(text, end);
    let is_apart = next.is_some();
    let value = match row.value {
        FlagValue::Apart if !is_apart => return None,
        FlagValue::Joined if is_apart => return None,
        FlagValue::AfterName(separator) => return after_user(text, next.unwrap_or(end), separator),
        _ => value_at(text, next.unwrap_or(end), false).range,
    };
    password(text, value)
}

/// The same after a flag of Windows, `/p:x`, whose colon is at `at`.
pub(super) fn after_slash_flag(text: &[u8], at: usize) -> Option<Secret> {
    let name = text[..at].iter().rev().take(NAME_OF_FLAG_BYTES).take_while(|b| b.is_ascii_alphabetic()).count();
    let start = (at - name).checked_sub(1).filter(|slash| text[*slash] == b'/')?;
    let is_word = start > 0 && text[start - 1] == b' ';
    if is_word { after_short_flag(text, start) } else { None }
}

/// Whether the program of `row` is called in `command`.
fn calls(command: &[u8], row: &Flag) -> bool {
    if row.place == Place::Anywhere {
        return memchr::memmem::find(command, row.program).is_some();
    }
    memchr::memmem::find_iter(command, row.program).any(|at| {
        let is_word = command.get(at + row.program.len()).is_some_and(|b| b" \"'".contains(b));
        // `/usr/bin/mongo`
        let path = command[..at].iter().rev().take_while(|b| b.is_ascii_alphanumeric() || b"/._-".contains(b)).count();
        let is_word = is_word && (path == 0 || command[at - 1] == b'/');
        let before = command[..at - path].trim_ascii_end();
        let before =
            before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before).trim_ascii_end();
        let is_start = before.is_empty() || STARTERS.iter().any(|word| before.ends_with(word));
        is_word && (is_start || memchr::memmem::find(before, b" exec ").is_some())
    })
}

/// A command whose last word is a password.
struct Argument {
    program: &'static [u8],
    /// The subcommand or the flag that makes it one.
    word: &'static [u8],
    /// How many words that are no flags follow the subcommand, or the program where `word` is a flag.
    count: std::ops::RangeInclusive<usize>,
}

const ARGUMENTS: &[Argument] = &[
    // The cost of `-C 10` is one of its words.
    Argument { program: b"htpasswd", word: b"-b", count: 2..=4 },
    Argument { program: b"mc", word: b"add", count: 4..=4 },
    Argument { program: b"mc", word: b"set", count: 4..=4 },
    Argument { program: b"mysqladmin", word: b"password", count: 1..=1 },
    Argument { program: b"net", word: b"user", count: 2..=2 },
    Argument { program: b"ngrok", word: b"add-authtoken", count: 1..=1 },
    Argument { program: b"openssl", word: b"passwd", count: 1..=1 },
    Argument { program: b"rabbitmqctl", word: b"add_user", count: 2..=2 },
    Argument { program: b"rabbitmqctl", word: b"change_password", count: 2..=2 },
];

/// The password among the words after the program's name at `at`: `rabbitmqctl add_user ada x`.
pub(super) fn argument(text: &[u8], at: usize) -> Option<Secret> {
    let is_called =
        |row: &&Argument| text[at..].starts_with(row.program) && text.get(at + row.program.len()) == Some(&b' ');
    ARGUMENTS.iter().filter(is_called).find_map(|row| {
        let (words, _) = words(text, at + row.program.len())?;
        let word = words.iter().position(|word| is_word(&text[word.clone()], row.word))?;
        let from = if row.word[0] == b'-' { 0 } else { word + 1 };
        let is_flag =
            |word: &[u8]| matches!(word, [b'-', ..]) || matches!(word, [b'/', rest @ ..] if !rest.contains(&b'/'));
        let mut plain = words[from..].iter().filter(|word| !is_flag(&text[(*word).clone()]));
        let count = plain.clone().count();
        let last = plain.next_back().filter(|_| row.count.contains(&count))?;
        password(text, last.clone())
    })
}

/// What a program reads from its standard input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    /// The password.
    Password,
    /// `user:password`.
    UserAndPassword,
}

/// A program that reads a password from its standard input.
struct Reader {
    /// Its name; any where it is empty.
    program: &'static [u8],
    /// The flag with which it does; none is needed where it is empty.
    flag: &'static [u8],
    input: Input,
}

const fn reader(program: &'static str, flag: &'static str) -> Reader {
    Reader { program: program.as_bytes(), flag: flag.as_bytes(), input: Input::Password }
}

const READERS: &[Reader] = &[
    reader("", "--passphrase-fd"),
    reader("", "--password-stdin"),
    reader("", "--with-token"),
    Reader { program: b"chpasswd", flag: b"", input: Input::UserAndPassword },
    reader("cryptsetup", ""),
    reader("kinit", ""),
    reader("passwd", "--stdin"),
    reader("smbpasswd", "-s"),
    reader("sudo", "-S"),
    reader("vncpasswd", ""),
];

/// The row of the program that is called by `words`; `sudo chpasswd` calls two, and `ssh host sudo -S` another one.
fn reader_of(text: &[u8], words: &[Range<usize>]) -> Option<&'static Reader> {
    let is_program = |word: &[u8], program: &[u8]| word.rsplit(|b| *b == b'/').next() == Some(program);
    READERS.iter().find(|row| {
        let named =
            words.iter().position(|word| row.program.is_empty() || is_program(&text[word.clone()], row.program));
        named.is_some_and(|at| {
            row.flag.is_empty() || words[at + 1..].iter().any(|word| is_word(&text[word.clone()], row.flag))
        })
    })
}

/// The password of `echo x | sudo -S true`; `at` is the bar.
pub(super) fn piped(text: &[u8], at: usize, from: usize) -> Option<Secret> {
    let row = reader_of(text, &words(text, at + 1)?.0)?;
    let line = line_before(text, at);
    let printed = |name: &[u8]| memchr::memmem::rfind(line, name).map(|n| at - line.len() + n);
    let (start, skipped) = match (printed(b"echo "), printed(b"printf ")) {
        (Some(echo), printf) if printf.is_none_or(|printf| printf < echo) => (echo + 4, 0),
        // The first word is the format.
        (_, printf) => (printf? + 6, 1),
    };
    let (words, _) = words(text, start).filter(|(_, end)| *end == at && start >= from)?;
    let flags = words.iter().take_while(|word| text.get(word.start) == Some(&b'-')).count();
    let words = &words[flags..];
    let words = if words.len() > skipped { &words[skipped..] } else { words };
    input(text, row, words.first()?.start..words.last()?.end)
}

/// The password of `sudo -S <<< x`; `at` is the first of the three.
pub(super) fn here_string(text: &[u8], at: usize) -> Option<Secret> {
    if !text[at..].starts_with(b"<<<") {
        return None;
    }
    let line = line_before(text, at);
    let command = line.rsplit(|b| b";|&".contains(b)).next().unwrap_or(line);
    let row = reader_of(text, &words(text, at - command.len())?.0)?;
    input(text, row, words(text, at + 3)?.0.first()?.clone())
}

fn input(text: &[u8], row: &Reader, range: Range<usize>) -> Option<Secret> {
    let user = match row.input {
        Input::Password => 0,
        Input::UserAndPassword => text[range.clone()].iter().position(|b| *b == b':')? + 1,
    };
    password(text, range.start + user..range.end)
}

fn password(text: &[u8], range: Range<usize>) -> Option<Secret> {
    let named = Named { kind: "password", sure: Sure::Certain };
    is_secret(named, b"password", &text[range.clone()], Joined::Flag).then_some(Secret { range, kind: named.kind })
}

/// Whether `word` is `expected`: short flags may be written together, long ones may have a value.
fn is_word(word: &[u8], expected: &[u8]) -> bool {
    match expected {
        [b'-', letter] => word.len() > 1 && word[0] == b'-' && word[1] != b'-' && word.contains(letter),
        _ => word.strip_prefix(expected).is_some_and(|rest| matches!(rest.first(), None | Some(b'='))),
    }
}

/// The words of the command from `start` on, without their quotes, and where it ends; `None` where a secret was taken out of it.
fn words(text: &[u8], start: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let ends = |b: &u8| b"\r\n;|&<>)`".contains(b);
    let mut words = Vec::new();
    let mut at = start;
    while words.len() < MAX_WORDS {
        let next = skip_spaces(text, at);
        let Some(&first) = text.get(next).filter(|b| !ends(b)) else { return Some((words, next)) };
        let is_quoted = b"\"'".contains(&first);
        // A quote right after a word closes what was opened before the command.
        if is_quoted && next == at {
            return Some((words, at));
        }
        let word = if is_quoted {
            next + 1..literal_end(&text[..text.len().min(next + 2 + WORD_BYTES)], next + 1, first, false)
        } else {
            let rest = &text[next..];
            let is_part = |b: &&u8| !b.is_ascii_whitespace() && !ends(b) && !b"\"'".contains(b);
            next..next + rest.iter().take(WORD_BYTES + 1).take_while(is_part).count()
        };
        if word.len() > WORD_BYTES || memchr::memmem::find(&text[word.clone()], super::MARK).is_some() {
            return None;
        }
        at = text.len().min(word.end + usize::from(is_quoted));
        words.push(word);
    }
    Some((words, at))
}
