//! Makes a recorded text independent of the machine and of the run.
//!
//! In: raw output and the paths of the sandbox. Out: a text with neutral paths, user and host (`neutral`), of at most 8 KiB
//! with both ends kept (`capped`), and a form for comparing two runs (`gist`).
//!
//! `gist` decides whether a recorded case is written again: if only numbers, ids, temporary names or the order of lines
//! differ, the old text stays, so that recording again gives a small diff. HTTP statuses are kept, because they change what
//! the failure is.

/// The longest text kept, in bytes.
pub const LIMIT: usize = 8 * 1024;

/// Numbers that change what a failure is; any other number may differ between two runs.
const STATUSES: &[&str] = &["400", "401", "403", "404", "407", "429", "500", "502", "503", "504", "529"];

/// Replaces each `(from, to)`, longest first so that a path inside another is not cut short.
pub fn neutral(text: &str, places: &[(String, &'static str)]) -> String {
    let mut places: Vec<_> = places.iter().filter(|(from, _)| !from.is_empty()).collect();
    places.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    places.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from.as_str(), to))
}

/// Keeps head and tail of a text over the limit, and states how much is left out between.
pub fn capped(text: &str) -> String {
    if text.len() <= LIMIT {
        return text.to_owned();
    }
    const NOTE: usize = 64;
    let half = (LIMIT - NOTE) / 2;
    let head = floor_boundary(text, half);
    let tail = floor_boundary(text, text.len() - half);
    let left_out = tail - head;
    format!("{}\n[... {left_out} bytes left out ...]\n{}", &text[..head], &text[tail..])
}

/// The text as far as two runs of the same failure share it: numbers, ids and temporary files folded (not what may be a
/// status), lines sorted (some tools print in the order their threads finish).
pub fn gist(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.split(['\n', '\r']).map(folded).filter(|line| !line.trim().is_empty()).collect();
    lines.sort();
    lines.dedup();
    lines
}

fn folded(line: &str) -> String {
    let mut out = String::new();
    let mut after_tmp = false;
    for word in line.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let body = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let digits = body.bytes().filter(u8::is_ascii_digit).count();
        let is_status = STATUSES.contains(&body);
        let is_id = body.len() >= 6 && digits > 0 || body.starts_with(|c: char| c.is_ascii_digit());
        if after_tmp || is_id && !is_status {
            out.push('#');
        } else {
            out.push_str(body);
        }
        out.push_str(&word[body.len()..]);
        after_tmp = word == "tmp/";
    }
    // Alignment follows the width of the numbers; a short duration may lack its fraction or not be printed at all.
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace("#.#", "#").replace(" (# ms)", "")
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_path_is_replaced_first() {
        let places = [("/tmp/c".to_owned(), "/work"), ("/tmp/c/home".to_owned(), "/home/dev")];
        assert_eq!(neutral("at /tmp/c/home/x and /tmp/c/y", &places), "at /home/dev/x and /work/y");
    }

    #[test]
    fn a_long_text_keeps_both_ends_within_the_limit() {
        let text = format!("first\n{}\nlast", "é".repeat(LIMIT));
        let kept = capped(&text);
        assert!(kept.len() <= LIMIT, "{}", kept.len());
        assert!(kept.starts_with("first\n") && kept.ends_with("\nlast") && kept.contains("bytes left out"));
    }

    #[test]
    fn two_runs_share_their_gist_and_two_failures_do_not() {
        assert_eq!(gist("b in 0.12s\na id 9f86d081"), gist("a id 1b4f0e98\nb in 3.4s"));
        assert_eq!(gist("\u{2713} adds (11 ms)\nin 903ms"), gist("\u{2713} adds\nin 1.07s"));
        assert_eq!(gist("/tmp/ccAbCd.o: bad"), gist("/tmp/ccxYzW.o: bad"));
        assert_ne!(gist("error: 404"), gist("error: 503"));
        assert_ne!(gist("connection reset"), gist("connection refused"));
    }
}
