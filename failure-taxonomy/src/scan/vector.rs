//! The filter of [`every`](super::every), 32 places at once.
//!
//! The one module that may hold `unsafe`: a function that uses vector instructions can only be called behind a run-time
//! check of the processor, and the compiler cannot see that check. Loads go through slices, so that a mistake in the loop
//! is a panic in a test and not a read out of bounds.

use super::every::{Found, Places, RuledOut, WIDTH};
use std::ops::Range;

/// Finds places where a window may stand. Returns the first place that was not looked at and the number of entries in
/// `found`; without the vector instructions that is the first place of all.
#[inline]
pub(super) fn places(ruled_out: &RuledOut, haystack: &[u8], places: Range<usize>, found: &mut Found) -> (usize, usize) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that `avx2` asks for.
        return unsafe { avx2(ruled_out, haystack, places, found) };
    }
    let _ = (ruled_out, haystack, found);
    (places.start, 0)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(ruled_out: &RuledOut, haystack: &[u8], places: Range<usize>, found: &mut Found) -> (usize, usize) {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x,
        _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16,
    };
    const LANES: usize = 32;
    let word = |bytes: &[u8]| i64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    // A shuffle looks up 16 bytes in each half of the register, so both halves get the table.
    let table = |t: &[u8; 16]| _mm256_set_epi64x(word(&t[8..]), word(&t[..8]), word(&t[8..]), word(&t[..8]));
    let low: [__m256i; WIDTH] = std::array::from_fn(|k| table(&ruled_out.low[k]));
    let high: [__m256i; WIDTH] = std::array::from_fn(|k| table(&ruled_out.high[k]));
    let half = _mm256_set1_epi8(0x0f);
    let all = _mm256_set1_epi8(!0);
    // Bit i: no window stands at place i.
    let nothing_at = |text: &[u8]| {
        let mut groups = _mm256_setzero_si256();
        for k in 0..WIDTH {
            let t = &text[k..k + LANES];
            let bytes = _mm256_set_epi64x(word(&t[24..]), word(&t[16..24]), word(&t[8..16]), word(&t[..8]));
            // The shuffle reads the low half by itself. It gives 0, nothing ruled out, for bytes from 0x80 on: there the
            // high half decides alone.
            groups = _mm256_or_si256(groups, _mm256_shuffle_epi8(low[k], bytes));
            let high_halves = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
            groups = _mm256_or_si256(groups, _mm256_shuffle_epi8(high[k], high_halves));
        }
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, all)).cast_unsigned()
    };
    let mut at = places.start;
    let mut count = 0;
    while at < places.end
        && let Some(text) = haystack.get(at..at + 2 * LANES + WIDTH - 1)
        && let Some(entry) = found.get_mut(count)
    {
        let nothing = u64::from(nothing_at(text)) | u64::from(nothing_at(&text[LANES..])) << LANES;
        // Written always and kept only if it holds something: a branch here would be mispredicted at every find.
        *entry = Places { start: at, bits: !nothing };
        count += usize::from(!nothing != 0);
        at += 2 * LANES;
    }
    (at, count)
}
