//! Bodies as they are stored: compressed with raw deflate and a preset dictionary (RFC 1951; zlib's `deflateSetDictionary`).
//!
//! In: a record's body. Out: its bytes in the `deflated` column, or none where they would not be fewer. Bodies are JSON with
//! the same hundred field names and a few hundred words, so a dictionary that holds these takes a body to a fifth of its
//! length, where plain deflate takes it to two fifths (`cargo xtask fleet` prints the bytes per record). Hashes, exports and everything
//! above the file see the body itself.
//!
//! The dictionary is part of the format: a byte changed in it makes every stored body unreadable. A better one is another
//! column.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// What the bodies of records have in common, the most frequent last.
const DICTIONARY: &[u8] = include_bytes!("dictionary.txt");

/// Shorter bodies stay as they are.
const SHORTEST_BYTES: usize = 200;

/// The effort: higher levels take longer for one byte in fifty.
const LEVEL: u32 = 3;

/// The body, compressed; `None` where it is short, or would not be shorter.
pub(super) fn deflate(body: &str) -> Option<Vec<u8>> {
    if body.len() < SHORTEST_BYTES {
        return None;
    }
    let mut compress = Compress::new(Compression::new(LEVEL), false);
    compress.set_dictionary(DICTIONARY).ok()?;
    let mut bytes = Vec::with_capacity(body.len());
    let done = compress.compress_vec(body.as_bytes(), &mut bytes, FlushCompress::Finish);
    matches!(done, Ok(Status::StreamEnd)).then_some(bytes)
}

/// The body that [`deflate`] made these bytes of.
///
/// # Errors
/// Where it made no such bytes.
pub(super) fn inflate(bytes: &[u8]) -> Result<String, String> {
    let damaged = |what: &str| format!("its compressed body is damaged: {what}");
    let mut decompress = Decompress::new(false);
    decompress.set_dictionary(DICTIONARY).map_err(|error| damaged(&error.to_string()))?;
    let mut body = Vec::with_capacity(bytes.len() * 6);
    loop {
        let read = usize::try_from(decompress.total_in()).unwrap_or(usize::MAX);
        let rest = bytes.get(read..).unwrap_or_default();
        let done = decompress.decompress_vec(rest, &mut body, FlushDecompress::Finish);
        match done.map_err(|error| damaged(&error.to_string()))? {
            Status::StreamEnd => break,
            _ if body.len() < body.capacity() => return Err(damaged("it ends too early")),
            _ => body.reserve(body.capacity()),
        }
    }
    String::from_utf8(body).map_err(|error| damaged(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_comes_back() {
        let words = "error[E0308]: mismatched types ".repeat(9);
        let noise: String =
            (0..400_u32).map(|n| char::from(b'!' + (n.wrapping_mul(2_654_435_761) >> 24) as u8 % 90)).collect();
        let long = "é".repeat(300_000);
        for body in [&words, &noise, &long, &format!("{words}{noise}{long}")] {
            let bytes = deflate(body).unwrap_or_else(|| body.clone().into_bytes());
            if bytes.len() < body.len() {
                assert_eq!(inflate(&bytes).as_ref(), Ok(body));
                assert!(inflate(&bytes[..bytes.len() / 2]).is_err());
            }
        }
        assert!(deflate(&words).unwrap().len() < 100);
        assert_eq!(deflate("{}"), None);
        assert!(inflate(b"no such thing").is_err());
    }

    /// Whoever changes the dictionary has lost every journal.
    #[test]
    fn the_dictionary_stays() {
        assert_eq!(
            recovery_types::digest::sha256_hex(DICTIONARY),
            "29d5b24244d00854d92fc93502cb4d3e1ab5d992978e37df7707d2515d0b6a5e"
        );
    }
}
