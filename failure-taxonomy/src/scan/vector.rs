//! With vector instructions: the filters of [`teddy`](super::teddy) and [`strided_teddy`](super::strided_teddy).
//!
//! The one module that may hold `unsafe`: a function that uses vector instructions can only be called behind a run-time
//! check of the processor, and the compiler cannot see that check. Loads and look-ups go through slices, so that a mistake
//! in a loop is a panic in a test and not a read out of bounds.
//!
//! Both filters return the first place that was not looked at, to go on from, and the number of entries in `found`.
//! Without the vector instructions that is the first place of all and 0.

use super::strided_teddy::{self, Filter};
use super::teddy::{self, RuledOut};
use std::ops::Range;

/// Finds places where a window of [`teddy`](super::teddy) may occur.
#[inline]
pub(super) fn places(
    ruled_out: &RuledOut,
    haystack: &[u8],
    places: Range<usize>,
    found: &mut teddy::Found,
) -> (usize, usize) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function needs.
        return unsafe { avx2::places(ruled_out, haystack, places, found) };
    }
    let _ = (ruled_out, haystack, found);
    (places.start, 0)
}

/// Finds those of every fourth place where a window of [`strided_teddy`](super::strided_teddy) may occur.
#[inline]
pub(super) fn fourth_places(
    filter: &Filter,
    haystack: &[u8],
    places: Range<usize>,
    found: &mut strided_teddy::Found,
) -> (usize, usize) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, which is all that the function needs.
        return unsafe { avx2::fourth_places(filter, haystack, places, found) };
    }
    let _ = (filter, haystack, found);
    (places.start, 0)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::super::rarity::WIDTH;
    use super::super::strided_teddy::{self, FACTOR, Filter, WORD_BITS};
    use super::super::teddy::{self, RuledOut};
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi8, _mm256_cmpeq_epi32,
        _mm256_extract_epi32, _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_mullo_epi32, _mm256_or_si256,
        _mm256_set_epi32, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_setzero_si256,
        _mm256_shuffle_epi8, _mm256_sllv_epi32, _mm256_srli_epi16, _mm256_srli_epi32,
    };
    use std::ops::Range;

    const LANES: usize = 32;

    #[target_feature(enable = "avx2")]
    pub(super) fn places(
        ruled_out: &RuledOut,
        haystack: &[u8],
        places: Range<usize>,
        found: &mut teddy::Found,
    ) -> (usize, usize) {
        // A shuffle looks up 16 bytes in each half of the register, so both halves get the table.
        let table = |t: &[u8; 16]| _mm256_set_epi64x(word(t, 8), word(t, 0), word(t, 8), word(t, 0));
        let low: [__m256i; WIDTH] = std::array::from_fn(|k| table(&ruled_out.low[k]));
        let high: [__m256i; WIDTH] = std::array::from_fn(|k| table(&ruled_out.high[k]));
        let half = _mm256_set1_epi8(0x0f);
        // Bit i: no window is at place i.
        let no_match_at = |text: &[u8]| {
            let mut groups = _mm256_setzero_si256();
            for k in 0..WIDTH {
                let bytes = load(&text[k..]);
                // The shuffle reads the low half by itself. It gives 0, nothing ruled out, for bytes from 0x80 on: there
                // the high half decides alone.
                groups = _mm256_or_si256(groups, _mm256_shuffle_epi8(low[k], bytes));
                let high_halves = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
                groups = _mm256_or_si256(groups, _mm256_shuffle_epi8(high[k], high_halves));
            }
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(groups, _mm256_set1_epi8(!0))).cast_unsigned()
        };
        let mut at = places.start;
        let mut count = 0;
        while at < places.end
            && let Some(text) = haystack.get(at..at + 2 * LANES + WIDTH - 1)
            && let Some(entry) = found.get_mut(count)
        {
            let nothing = u64::from(no_match_at(text)) | u64::from(no_match_at(&text[LANES..])) << LANES;
            // Written always and kept only if it holds something: a branch here would be mispredicted at every find.
            *entry = teddy::Places { start: at, bits: !nothing };
            count += usize::from(!nothing != 0);
            at += 2 * LANES;
        }
        (at, count)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn fourth_places(
        filter: &Filter,
        haystack: &[u8],
        places: Range<usize>,
        found: &mut strided_teddy::Found,
    ) -> (usize, usize) {
        let words = filter.words();
        let fold = _mm256_set1_epi8(0x20);
        let factor = _mm256_set1_epi32(FACTOR.cast_signed());
        // Bit i: a window may occur at the i-th of eight places, four bytes apart.
        let matches_at = |text: &[u8]| {
            let hash = _mm256_mullo_epi32(_mm256_or_si256(load(text), fold), factor);
            let slots = _mm256_srli_epi32::<{ 32 - WORD_BITS as i32 }>(hash);
            let held = |slot: i32| words[slot as usize % words.len()].cast_signed();
            let held = _mm256_set_epi32(
                held(_mm256_extract_epi32::<7>(slots)),
                held(_mm256_extract_epi32::<6>(slots)),
                held(_mm256_extract_epi32::<5>(slots)),
                held(_mm256_extract_epi32::<4>(slots)),
                held(_mm256_extract_epi32::<3>(slots)),
                held(_mm256_extract_epi32::<2>(slots)),
                held(_mm256_extract_epi32::<1>(slots)),
                held(_mm256_extract_epi32::<0>(slots)),
            );
            let bit = |n: __m256i| _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_and_si256(n, _mm256_set1_epi32(31)));
            let wanted = _mm256_or_si256(bit(hash), bit(_mm256_srli_epi32::<5>(hash)));
            let all_held = _mm256_cmpeq_epi32(_mm256_andnot_si256(held, wanted), _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(all_held)).cast_unsigned()
        };
        let mut at = places.start;
        let mut count = 0;
        while at < places.end
            && let Some(text) = haystack.get(at..at + 4 * LANES)
            && let Some(entry) = found.get_mut(count)
        {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| matches_at(&text[i * LANES..]));
            let bits = a | b << 8 | c << 16 | d << 24;
            *entry = strided_teddy::Places { start: at, bits };
            count += usize::from(bits != 0);
            at += 4 * LANES;
        }
        (at, count)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8]) -> __m256i {
        let bytes = &bytes[..LANES];
        _mm256_set_epi64x(word(bytes, 24), word(bytes, 16), word(bytes, 8), word(bytes, 0))
    }

    #[inline(always)]
    fn word(bytes: &[u8], at: usize) -> i64 {
        i64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
    }
}
