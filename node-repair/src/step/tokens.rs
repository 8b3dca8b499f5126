//! Steps for requests that are larger than a model's context window: how much was sent, how much is allowed, by how much to
//! cut.
//!
//! ```text
//! prompt is too long: 210000 tokens > 200000 maximum
//! This model's maximum context length is 8192 tokens, however you requested 9000 tokens (7000 in your prompt; 2000 for ...)
//! ```
//!
//! Providers word this differently and change the wording, so no templates are used: each number of at least three digits
//! is the limit or the amount sent, by the last known words before it (`LIMIT_WORDS`, `SENT_WORDS`). Some providers state
//! the prompt and the reply separately; then the sum is compared. Without usable numbers the step is only to give less
//! input.

use super::Case;
use super::words::{quote, step};
use recovery_types::{Adjustment, AdjustmentKind, ErrorType};

/// Give less input, and by how much.
pub(super) fn shrink(case: &Case<'_>) -> Option<Adjustment> {
    if !case.is(ErrorType::ContextExhausted, &["prompt is too long", "maximum context length", "context window"]) {
        return None;
    }
    let sized = case.lines().find_map(|line| sizes(line).map(|sizes| (line, sizes)));
    let Some((line, Sizes { requested, limit })) = sized else {
        let line = case.line_about(&["context", "token", "too long", "too large"]);
        let line = line.map(|line| format!(": {line}")).unwrap_or_default();
        return Some(step(AdjustmentKind::ShrinkInput, format!("give it less input, it is over the limit{line}")));
    };
    let over = requested - limit;
    let text = format!(
        "give it less input: {requested} tokens were sent, {limit} are allowed, cut at least {over} ({})",
        quote(line)
    );
    let (wanted, found) = (Some(limit.to_string()), Some(requested.to_string()));
    Some(Adjustment { wanted, found, ..step(AdjustmentKind::ShrinkInput, text) })
}

struct Sizes {
    requested: u64,
    limit: u64,
}

/// Words that make the number after them the limit, and those that make it the size of what was sent.
const LIMIT_WORDS: &[&str] =
    &["maximum", "max ", "limit", "allowed", "window", "context size", "context length", "up to", "at most", "> "];
const SENT_WORDS: &[&str] = &[
    "resulted in", "requested", "contains", "got ", "current length", "input length", "prompt has", "token count", "+",
];

/// The size of a request and the limit it exceeds, from one line: the last words before a number decide which of both it
/// is.
fn sizes(line: &str) -> Option<Sizes> {
    let lower = line.to_ascii_lowercase();
    let mut limit = None;
    let mut sent = Vec::new();
    let mut end_of_last = 0;
    for number in numbers_in(&lower) {
        let before = &lower[end_of_last..number.start];
        let after = lower[number.end..].trim_start();
        let last = |words: &[&str]| words.iter().filter_map(|words| before.rfind(words)).max();
        match last(LIMIT_WORDS) > last(SENT_WORDS) && !after.starts_with('+') {
            true => limit = limit.or(Some(number.value)),
            false => sent.push(number.value),
        }
        end_of_last = number.end;
    }
    let limit = limit.filter(|limit| *limit > 0)?;
    let largest = sent.iter().copied().find(|sent| *sent > limit);
    // Some count the prompt and the answer apart: only their sum is too large.
    let sum = || Some(sent.iter().take(2).sum::<u64>()).filter(|sum| sent.len() > 1 && *sum > limit);
    largest.or_else(sum).map(|requested| Sizes { requested, limit })
}

struct Number {
    start: usize,
    end: usize,
    value: u64,
}

/// The numbers of at least three digits that are no part of a name or version.
fn numbers_in(line: &str) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find(|c: char| c.is_ascii_digit()).map(|found| at + found) {
        let length = line[start..].find(|c: char| !c.is_ascii_digit() && c != ',' && c != '_');
        let end = length.map_or(line.len(), |length| start + length);
        let digits: String = line[start..end].chars().filter(char::is_ascii_digit).collect();
        let is_part_of_word = line[..start].ends_with(|c: char| c.is_alphanumeric() || "-._/".contains(c));
        if digits.len() >= 3
            && !is_part_of_word
            && let Ok(value) = digits.parse()
        {
            numbers.push(Number { start, end: start + line[start..end].trim_end_matches([',', '_']).len(), value });
        }
        at = end;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sizes_are_read_in_every_wording() {
        for (line, requested, limit) in [
            ("prompt is too long: 213462 tokens > 200000 maximum", 213_462, 200_000),
            (
                "This model's maximum context length is 128000 tokens. However, your messages resulted in 131482 tokens.",
                131_482,
                128_000,
            ),
            (
                "maximum context length is 32768 tokens. However, you requested 35021 tokens (30925 in the messages, 4096 in the completion)",
                35_021,
                32_768,
            ),
            (
                "The input token count (1,200,351) exceeds the maximum number of tokens allowed (1,048,576).",
                1_200_351,
                1_048_576,
            ),
            ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", 210_000, 200_000),
            ("Input length (265330) exceeds model's maximum context length (262144).", 265_330, 262_144),
            ("400 request (9134 tokens) exceeds the available context size (8192 tokens), try", 9134, 8192),
            ("Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens", 5_958_968, 256_000),
            ("maximum prompt length is 131072 but the request contains 182734 tokens.", 182_734, 131_072),
            ("Current length is 50000 while limit is 40000", 50_000, 40_000),
            (
                "maximum context length is 40960 tokens. However, you requested 100 output tokens and your prompt contains at least 40861 input tokens",
                40_961,
                40_960,
            ),
        ] {
            let sizes = sizes(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((sizes.requested, sizes.limit), (requested, limit), "{line}");
        }
        assert!(sizes("invalid params, context window exceeds limit (2013)").is_none());
        assert!(sizes("limit of 200 reached after 100 requested").is_none());
        assert!(sizes("Your input exceeds the context window of this model").is_none());
    }
}
