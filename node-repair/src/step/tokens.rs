//! Requests that are larger than a model or a server takes: how much was sent, how much is allowed, by how much it is over.

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
        return Some(step(AdjustmentKind::ShrinkInput, format!("give it less input, the limit is passed{line}")));
    };
    let over = requested - limit;
    let text = format!(
        "give it less input: {requested} tokens were asked for, {limit} are allowed, cut at least {over}: {}",
        quote(line)
    );
    let (wanted, found) = (Some(limit.to_string()), Some(requested.to_string()));
    Some(Adjustment { wanted, found, ..step(AdjustmentKind::ShrinkInput, text) })
}

struct Sizes {
    requested: u64,
    limit: u64,
}

/// How providers word it, with what stands right before each number: the limit's words and the request's words.
const LIMITS: &[&str] = &[
    "maximum context length is ",
    "maximum context length of ",
    "context window of ",
    "context length is ",
    "maximum of ",
    "limit of ",
    "limit is ",
    "maximum: ",
    "max: ",
    "max_tokens: ",
    "up to ",
    "> ",
    "exceeds the maximum number of tokens allowed (",
];
const REQUESTS: &[&str] = &[
    "resulted in ",
    "you requested about ",
    "you requested ",
    "requested ",
    "prompt is too long: ",
    "input token count (",
    "input length ",
    "prompt contains ",
    "input contains ",
    "input is ",
    "prompt has ",
    "uses ",
    "contains ",
    "length is ",
    "got ",
    "of ",
];

/// What one line says about the size of a request and the limit it passed.
fn sizes(line: &str) -> Option<Sizes> {
    let lower = line.to_ascii_lowercase();
    // Anthropic: `exceed context limit: 190000 + 20000 > 200000`
    if let Some((_, sum)) = lower.split_once("exceed context limit: ") {
        let number =
            |text: &str| text.trim().split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse::<u64>().ok());
        let (parts, limit) = sum.split_once('>')?;
        let requested = parts.split('+').filter_map(number).sum::<u64>();
        return number(limit).filter(|limit| requested > *limit).map(|limit| Sizes { requested, limit });
    }
    let limit = LIMITS.iter().find_map(|words| number_after(&lower, words))?;
    let requested = REQUESTS.iter().filter_map(|words| number_after(&lower, words)).find(|n| *n > limit);
    requested.filter(|requested| limit > 0 && *requested > limit).map(|requested| Sizes { requested, limit })
}

/// The number right after `words`, at least three digits long so that no status code or index is taken.
fn number_after(text: &str, words: &str) -> Option<u64> {
    text.match_indices(words).find_map(|(at, _)| {
        let digits: String = text[at + words.len()..]
            .chars()
            .take_while(|c| c.is_ascii_digit() || matches!(c, ',' | '_'))
            .filter(char::is_ascii_digit)
            .collect();
        if digits.len() < 3 { None } else { digits.parse().ok() }
    })
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
        ] {
            let sizes = sizes(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!((sizes.requested, sizes.limit), (requested, limit), "{line}");
        }
        assert!(sizes("invalid params, context window exceeds limit (2013)").is_none());
        assert!(sizes("limit of 200 reached after 100 requested").is_none());
    }
}
