//! SHA-256 in hexadecimal, the only place that spells a digest.

use sha2::{Digest as _, Sha256};

/// SHA-256 of `bytes` in lower-case hexadecimal.
///
/// ```
/// use recovery_types::digest::sha256_hex;
/// assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// ```
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    Sha256::digest(bytes).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
