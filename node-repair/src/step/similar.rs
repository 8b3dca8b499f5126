//! The intended name for a misspelled one: a tool's own suggestion, else the nearest of the names that exist.
//!
//! In: the wrong name, and the message with the lines below it (`suggested`) or a list of candidates (`nearest`). Out: one
//! name, or none.
//!
//! A suggestion of the tool is preferred, since it knows its commands; its wordings are in `SUGGESTIONS` and `ANNOUNCED`.
//! Otherwise the distance decides: optimal string alignment (Levenshtein with transpositions of neighbours), at most 1 to 3
//! edits depending on the length, none for names under three characters. Written here because it is twenty lines; inputs
//! over 256 characters are not compared, which bounds the work.

use super::Seen;
use super::pattern::{Pattern, names_in, quoted};

/// How tools word a suggestion on one line; the hole is the name.
const SUGGESTIONS: &[&str] = &[
    "a similar subcommand exists: '{}'",
    "some similar subcommands exist: {}",
    "a similar argument exists: '{}'",
    "some similar arguments exist: {}",
    "a similar value exists: '{}'",
    "a command with a similar name exists: `{}`",
    "a similar name exists: `{}`",
    "Did you mean `{}`",
    "Did you mean '{}'",
    "Did you mean \"{}\"",
    "did you mean `{}`",
    "did you mean '{}'",
    "did you mean \"{}\"",
    "did you mean one of {}",
    "did you mean {w}",
    "Did you mean: {}",
    "Did you mean {w}",
    "maybe you meant \"{}\"",
    "Perhaps you meant '{}'",
    "Perhaps you meant {w}",
    "andidates are: {}",
    "choose from {}",
    "Valid values: {}",
    "valid choices: {}",
    "allowed values: {}",
    "possible values: {}",
    "Must be one of: {}",
];

/// How tools announce a suggestion that follows on the next line.
const ANNOUNCED: &[&str] = &[
    "The most similar command",
    "The most similar choice",
    "Did you mean this?",
    "Did you mean one of these?",
    "Did you mean?",
    "aybe you meant:",
    "aybe you meant one of",
    "imilar commands are",
    "imilar command is",
    "imilar names:",
];

/// The name that the tool suggests for `wrong`: on the message's line or within the eight lines below it. Of a list, the
/// nearest.
pub(super) fn suggested(wrong: &str, seen: &Seen<'_>) -> Option<String> {
    const LINES_BELOW: usize = 8;
    let lines: Vec<&str> = std::iter::once(seen.line).chain(seen.below().take(LINES_BELOW)).collect();
    for (at, line) in lines.iter().enumerate() {
        if ANNOUNCED.iter().any(|words| line.contains(words)) {
            let next = lines.get(at + 1).copied().unwrap_or_default();
            let next = next.split(" #").next().unwrap_or(next).trim();
            return cleaned(next.trim_start_matches(['*', '-', '•', ' '])).filter(|name| name != wrong);
        }
        let list = SUGGESTIONS.iter().find_map(|s| Pattern::new(s).first(line).map(|hit| (*s, hit.captures[0])));
        if let Some((template, list)) = list {
            let is_open = template.ends_with("{}");
            let names = if quoted(list).is_empty() && !list.contains(',') {
                let name = if is_open { list.split(' ').next().unwrap_or(list) } else { list };
                vec![name.to_owned()]
            } else {
                names_in(list)
            };
            let names: Vec<String> = names.iter().filter_map(|name| cleaned(name)).collect();
            return nearest(wrong, &names).or_else(|| names.into_iter().next()).filter(|name| name != wrong);
        }
    }
    None
}

fn cleaned(name: &str) -> Option<String> {
    let name = name.trim_matches(|c: char| c.is_whitespace() || "'\"`?.,;:()[]{}".contains(c));
    let name = ["npm error ", "npm ERR! "].iter().find_map(|label| name.strip_prefix(label)).unwrap_or(name).trim();
    let name = name.strip_prefix("npm run ").unwrap_or(name);
    (!name.is_empty() && name.len() <= 60).then(|| name.to_owned())
}

/// The name among `names` that differs from `wrong` by a letter or two.
pub(super) fn nearest(wrong: &str, names: &[String]) -> Option<String> {
    let most = match wrong.chars().count() {
        0..3 => return None,
        3..6 => 1,
        6..10 => 2,
        _ => 3,
    };
    let ranked = names.iter().map(|name| (distance(wrong, name), name));
    ranked.filter(|(apart, _)| (1..=most).contains(apart)).min().map(|(_, name)| name.clone())
}

/// Edit distance in characters, a swap of neighbours counting as one; very long texts count as wholly different.
pub(super) fn distance(a: &str, b: &str) -> usize {
    const MAX_CHARS: usize = 256;
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() > MAX_CHARS || b.len() > MAX_CHARS {
        return a.len().max(b.len());
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(distance("codna", "conda"), 1);
        assert_eq!(distance("biuld", "build"), 1);
        assert_eq!(distance("test", "tests"), 1);
        assert_eq!(nearest("tets", &["deploy".into(), "test".into()]).as_deref(), Some("test"));
        assert_eq!(nearest("zz", &["aa".into()]), None);
    }

    proptest! {
        #[test]
        fn distance_is_symmetric_and_zero_only_for_the_same(a in "[a-c]{0,8}", b in "[a-c]{0,8}") {
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert_eq!(distance(&a, &b) == 0, a == b);
        }
    }
}
