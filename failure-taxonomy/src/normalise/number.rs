//! Shapes that change from run to run: numbers with their units, times, ids, UUIDs, temporary paths.
//!
//! In: the rest of a line. Out: the length of the shape at its start, so that the lexer in `fold` can skip it. Hand-written
//! because a regular expression per shape would have to be compiled at start. What a plain number means depends on the
//! words beside it and is decided in `fold`. A new unit goes to `TIME_UNITS` or `SIZE_UNITS`, a new date format to
//! `moment`.

/// What starts with a digit.
pub(super) enum Number {
    /// An address, a hash, an id.
    Id(usize),
    /// With its unit, a duration or a size; an IP address; `1,234,567`.
    Quantity(usize),
    /// Not a number: `2to3`, `1.2.3`.
    Word(usize),
    /// An integer or a decimal, to be judged by what is around it.
    Plain {
        /// All of it.
        len: usize,
        /// Digits before the point.
        digits: usize,
        /// Digits after the point.
        fraction: usize,
    },
}

/// The number at the start of `text`, which starts with a digit.
pub(super) fn number(text: &[u8]) -> Number {
    let run = word_len(text);
    let digits = digits_len(text);
    if text.starts_with(b"0x") || text.starts_with(b"0X") {
        return Number::Id(run);
    }
    if let Some(len) = quantities(text) {
        return Number::Quantity(len);
    }
    if run > digits {
        return if is_id(&text[..run]) { Number::Id(run) } else { Number::Word(run) };
    }
    let mut len = digits;
    let mut parts = 1;
    let mut fraction = 0;
    while text.get(len) == Some(&b'.') && digits_len(&text[len + 1..]) > 0 {
        fraction = digits_len(&text[len + 1..]);
        len += 1 + fraction;
        parts += 1;
    }
    match parts {
        1 => {
            let grouped = grouped_len(text);
            if grouped > digits { Number::Quantity(grouped) } else { Number::Plain { len, digits, fraction: 0 } }
        }
        2 if word_len(&text[len..]) == 0 => Number::Plain { len, digits, fraction },
        4 => Number::Quantity(len + port_len(&text[len..])),
        _ => Number::Word(len + word_len(&text[len..])),
    }
}

/// The run of letters, digits and underscores.
pub(super) fn word_len(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
}

fn digits_len(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn port_len(text: &[u8]) -> usize {
    match text {
        [b':', rest @ ..] if digits_len(rest) > 0 => 1 + digits_len(rest),
        _ => 0,
    }
}

/// `/1.1` after `HTTP`.
pub(super) fn protocol_version(text: &[u8]) -> usize {
    match text {
        [b'/', d, b'.', e, ..] if d.is_ascii_digit() && e.is_ascii_digit() => 4,
        [b'/', d, ..] if d.is_ascii_digit() => 2,
        _ => 0,
    }
}

/// `1,234,567`.
fn grouped_len(text: &[u8]) -> usize {
    let mut len = digits_len(text);
    if len <= 3 {
        while text.get(len) == Some(&b',') && digits_len(&text[len + 1..]) == 3 {
            len += 4;
        }
    }
    len
}

const TIME_UNITS: &[&str] = &[
    "ns", "us", "µs", "μs", "ms", "s", "sec", "secs", "second", "seconds", "m", "min", "mins", "minute", "minutes",
    "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "msec", "msecs", "millisecond", "milliseconds",
];

const SIZE_UNITS: &[&str] = &[
    "B", "KB", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "k", "K", "M", "G", "bytes", "kbytes", "kB/s",
    "KB/s", "MB/s", "KiB/s", "MiB/s",
];

/// One number with its unit, or several durations in a row: `1h2m3.5s`, `5 hours 23 minutes`, `1m 30s`.
fn quantities(text: &[u8]) -> Option<usize> {
    let mut len = amount(text, SIZE_UNITS).or_else(|| amount(text, TIME_UNITS))?;
    loop {
        let gap = [&b" and "[..], b", ", b" ", b""]
            .into_iter()
            .find(|gap| text[len..].strip_prefix(*gap).is_some_and(|next| amount(next, TIME_UNITS).is_some()));
        let Some(gap) = gap else { return Some(len) };
        len += gap.len();
        len += amount(&text[len..], TIME_UNITS)?;
    }
}

fn amount(text: &[u8], units: &[&str]) -> Option<usize> {
    let mut len = digits_len(text);
    if len == 0 {
        return None;
    }
    if text.get(len) == Some(&b'.') && digits_len(&text[len + 1..]) > 0 {
        len += 1 + digits_len(&text[len + 1..]);
    }
    let spaced = text.get(len) == Some(&b' ');
    let after = &text[len + usize::from(spaced)..];
    let first = after.first()?;
    // `1h2m`: the next amount may follow at once, a letter may not.
    let ends = |unit: usize| {
        after.get(unit).is_none_or(|b| !(b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80))
            && (after.get(unit).is_none_or(|b| !b.is_ascii_digit()) || amount(&after[unit..], units).is_some())
    };
    let unit = units
        .iter()
        .filter(|unit| unit.as_bytes()[0] == *first && after.starts_with(unit.as_bytes()) && ends(unit.len()))
        // A lone letter after a space is rather a word.
        .filter(|unit| !spaced || unit.len() > 1 || matches!(**unit, "s" | "B"))
        .map(|unit| unit.len())
        .max()?;
    Some(len + usize::from(spaced) + unit)
}

/// 8-4-4-4-12 hexadecimal digits.
pub(super) fn uuid(text: &[u8]) -> Option<usize> {
    let shape = text.get(..36)?;
    let fits = shape.iter().enumerate().all(|(i, b)| match i {
        8 | 13 | 18 | 23 => *b == b'-',
        _ => b.is_ascii_hexdigit(),
    });
    (fits && text.get(36).is_none_or(|b| !b.is_ascii_alphanumeric())).then_some(36)
}

/// Whether letters and digits look drawn at random: a hash, or many changes between letters and digits.
pub(super) fn is_id(word: &[u8]) -> bool {
    let digits = word.iter().filter(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits == word.len() {
        return digits >= 16;
    }
    let one_case = !(word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase));
    if word.len() >= 7 && one_case && word.iter().all(u8::is_ascii_hexdigit) {
        return true;
    }
    let changes = word.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    word.len() >= 12 && changes >= 3
}

const WEEKDAYS: &[&[u8]] = &[
    b"Monday", b"Tuesday", b"Wednesday", b"Thursday", b"Friday", b"Saturday", b"Sunday", b"Mon", b"Tue", b"Wed",
    b"Thu", b"Fri", b"Sat", b"Sun",
];
const MONTHS: &[&[u8]] = &[
    b"January", b"February", b"March", b"April", b"June", b"July", b"August", b"September", b"October", b"November",
    b"December", b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];

/// A time that starts with a name: `Mon Nov 16 05:27:41 2026`, `Sun, 06 Nov 1994 08:49:37 GMT`, `Nov 16 05:27:41`.
pub(super) fn calendar(text: &[u8]) -> Option<usize> {
    let weekday = name(text, WEEKDAYS).unwrap_or(0);
    let day = weekday + if weekday > 0 { separator(&text[weekday..]) } else { 0 };
    if let Some(month) = name(&text[day..], MONTHS) {
        let number = day + month + separator(&text[day + month..]);
        let digits = digits_len(&text[number..]);
        return (1..=2).contains(&digits).then(|| year_and_clock(text, number + digits));
    }
    if weekday > 0 {
        return day_and_month(text, day).or_else(|| clock(&text[day..]).map(|len| day + len));
    }
    None
}

/// A time that starts with a digit: ISO 8601, a clock, `16 Nov 2026 05:27`, `16/Nov/2026:05:27:41 +0000`.
pub(super) fn moment(text: &[u8]) -> Option<usize> {
    iso(text).or_else(|| clock(text)).or_else(|| day_and_month(text, 0))
}

fn name(text: &[u8], names: &[&[u8]]) -> Option<usize> {
    let found = names.iter().find(|name| text.starts_with(name))?;
    text.get(found.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_').then_some(found.len())
}

fn separator(text: &[u8]) -> usize {
    text.iter().take(3).take_while(|b| b" ,/-.".contains(b)).count()
}

fn day_and_month(text: &[u8], at: usize) -> Option<usize> {
    let digits = digits_len(&text[at..]);
    if !(1..=2).contains(&digits) {
        return None;
    }
    let gap = separator(&text[at + digits..]);
    let month = name(&text[at + digits + gap..], MONTHS).filter(|_| gap > 0)?;
    Some(year_and_clock(text, at + digits + gap + month))
}

/// Goes on over a year, a clock and a zone in either order, from `at`.
fn year_and_clock(text: &[u8], at: usize) -> usize {
    let mut end = at;
    for _ in 0..3 {
        let gap = match text.get(end) {
            Some(b':') => 1,
            _ => separator(&text[end..]),
        };
        let next = &text[end + gap..];
        match clock(next).or_else(|| (digits_len(next) == 4 && word_len(next) == 4).then_some(4)).filter(|_| gap > 0) {
            Some(len) => end += gap + len,
            None => break,
        }
    }
    end + zone(&text[end..])
}

/// `2026-11-16`, `2026/11/16`, with a clock behind it or not.
fn iso(text: &[u8]) -> Option<usize> {
    let date = text.get(..10)?;
    let fits = date.iter().enumerate().all(|(i, b)| match i {
        4 | 7 => *b == b'-' || *b == b'/',
        _ => b.is_ascii_digit(),
    });
    if !fits || text.get(10).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let gap = match text.get(10) {
        Some(b'T' | b't' | b' ' | b'_' | b'-') => 1,
        _ => 0,
    };
    let clock = clock(&text[10 + gap..]).filter(|_| gap > 0);
    if clock.is_none() && word_len(&text[10..]) > 0 {
        return None;
    }
    Some(clock.map_or(10, |len| 10 + gap + len))
}

/// Numbers joined by colons, with fraction, `pm` and zone: a clock, or a line and a column.
fn clock(text: &[u8]) -> Option<usize> {
    let mut len = digits_len(text);
    let mut parts = 1;
    while text.get(len) == Some(&b':') && digits_len(&text[len + 1..]) > 0 {
        len += 1 + digits_len(&text[len + 1..]);
        parts += 1;
    }
    if parts >= 2 && matches!(text.get(len), Some(b'.' | b',')) && digits_len(&text[len + 1..]) > 0 {
        len += 1 + digits_len(&text[len + 1..]);
    }
    let meridiem = usize::from(text.get(len) == Some(&b' '));
    let has_meridiem = text.get(len + meridiem..len + meridiem + 2).is_some_and(|m| {
        (m.eq_ignore_ascii_case(b"am") || m.eq_ignore_ascii_case(b"pm")) && word_len(&text[len + meridiem..]) == 2
    });
    if has_meridiem && (1..=2).contains(&digits_len(text)) {
        len += meridiem + 2;
    } else if parts < 2 {
        return None;
    }
    len += zone(&text[len..]);
    (word_len(&text[len..]) == 0).then_some(len)
}

/// `Z`, ` UTC`, `+05:30`, ` -0800`.
fn zone(text: &[u8]) -> usize {
    let gap = usize::from(text.first() == Some(&b' '));
    let after = &text[gap..];
    let word = word_len(after);
    if matches!(&after[..word], b"Z" | b"UTC" | b"GMT") {
        return gap + word;
    }
    match after {
        [b'+' | b'-', rest @ ..] if digits_len(rest) == 4 && word_len(rest) == 4 => gap + 5,
        [b'+' | b'-', a, b, b':', c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_digit) => gap + 6,
        _ => 0,
    }
}

/// Directories for temporary files, each with how many directories below it differ between machines and users.
const TEMPORARY: &[(&[u8], usize)] = &[
    (b"/tmp/", 0),
    (b"/var/tmp/", 0),
    (b"/private/tmp/", 0),
    (b"/dev/shm/", 0),
    (b"/var/folders/", 3),
    (b"/private/var/folders/", 3),
    (b"/run/user/", 1),
];

/// The length of the directory for temporary files that `text` starts with.
pub(super) fn temporary_root(text: &[u8]) -> Option<usize> {
    if let Some((root, below)) = TEMPORARY.iter().find(|(root, _)| text.starts_with(root)) {
        let path = text.iter().take_while(|b| is_path_byte(**b)).count();
        let mut len = root.len();
        for _ in 0..*below {
            len += 1 + text[len..path].iter().position(|&b| b == b'/')?;
        }
        return Some(len);
    }
    // `C:\Users\ada\AppData\Local\Temp\`
    if text.get(1) != Some(&b':') || !matches!(text.get(2), Some(b'\\' | b'/')) {
        return None;
    }
    let path = &text[..text.iter().take(200).skip(2).take_while(|b| is_path_byte(**b)).count() + 2];
    let at = memchr::memmem::find(path, b"\\Temp\\").or_else(|| memchr::memmem::find(path, b"/Temp/"))?;
    Some(at + 6)
}

/// What a path is made of, as tools print it unquoted.
pub(super) fn is_path_byte(byte: u8) -> bool {
    !(byte.is_ascii_whitespace() || b"\"'`:;,()<>|[]{}*?=".contains(&byte))
}

/// What stays of a name below a temporary directory: numbers in it count runs, random names go.
pub(super) fn temporary_name(word: &[u8]) -> Vec<u8> {
    let changes = word.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    if word.starts_with(b"tmp") || changes >= 3 {
        return b"<n>".to_vec();
    }
    let mut folded = Vec::with_capacity(word.len());
    for (at, &byte) in word.iter().enumerate() {
        if !byte.is_ascii_digit() {
            folded.push(byte);
        } else if at == 0 || !word[at - 1].is_ascii_digit() {
            folded.extend_from_slice(b"<n>");
        }
    }
    folded
}
