//! Output of real tools stays as it is.

use recovery_redact::redact;
use std::collections::BTreeSet;

/// Of the distinct lines of the repository's corpus, which has no secrets in it, fewer than one in a hundred may be
/// changed.
#[test]
fn lines_of_real_output_stay() {
    let corpus = include_str!("../../corpus/own.jsonl");
    let mut lines = BTreeSet::new();
    for case in corpus.lines() {
        let case: serde_json::Value = serde_json::from_str(case).unwrap();
        texts(&case, &mut |text| lines.extend(text.lines().map(str::to_owned)));
    }
    let changed: Vec<&String> = lines.iter().filter(|line| redact(line) != line.as_str()).collect();
    println!("{} of {} lines changed", changed.len(), lines.len());
    assert!(lines.len() > 1000, "{} lines", lines.len());
    assert!(changed.len() * 100 < lines.len(), "{} of {}: {changed:#?}", changed.len(), lines.len());
}

/// Hashes, identifiers, images and lock files have the look of secrets: none may be changed.
#[test]
fn digests_and_identifiers_stay() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut of = |alphabet: &[u8], length: usize| -> String {
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state % alphabet.len() as u64).unwrap()
        };
        (0..length).map(|_| char::from(alphabet[next()])).collect()
    };
    const HEX: &[u8] = b"0123456789abcdef";
    const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for _ in 0..2000 {
        let (sha1, sha256) = (of(HEX, 40), of(HEX, 64));
        let uuid = [8, 4, 4, 4, 12].map(|length| of(HEX, length)).join("-");
        for line in [
            format!("commit {sha1}"),
            format!("Merge: {} {}", &sha1[..7], &sha256[..7]),
            format!("checksum = \"{sha256}\""),
            format!("image@sha256:{sha256}"),
            format!("request {uuid} failed"),
            format!("\"integrity\": \"sha512-{}==\"", of(BASE64, 86)),
            format!("src=\"data:image/png;base64,{}\"", of(BASE64, 200)),
            of(BASE64, 76),
            format!("{}  archive.tar.gz", of(HEX, 32)),
            format!("https://example.org/-/a-1.0.0.tgz#{sha1}"),
        ] {
            assert_eq!(redact(&line), line);
        }
    }
    let lock = include_str!("../../Cargo.lock");
    assert_eq!(redact(lock), lock);
}

fn texts(value: &serde_json::Value, visit: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => visit(text),
        serde_json::Value::Array(items) => items.iter().for_each(|item| texts(item, visit)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| texts(field, visit)),
        _ => {}
    }
}
