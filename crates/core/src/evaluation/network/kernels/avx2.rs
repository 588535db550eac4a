//! AVX2: a block of 32 values is two vectors.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm_unpackhi_epi64,
    _mm256_add_epi16, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
    _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_max_epi32, _mm256_min_epi16,
    _mm256_min_epi32, _mm256_mullo_epi16, _mm256_mullo_epi32, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_srai_epi32, _mm256_store_si256, _mm256_sub_epi16,
};

use super::super::format::QA;
use super::{Block, PAIRS, SHIFT, Wide, shortened};

/// See `scalar::forward`.
#[target_feature(enable = "avx2")]
pub(super) fn forward(halves: [(&[Block], &[Block]); 2]) -> i32 {
    let zero = _mm256_setzero_si256();
    let most = _mm256_set1_epi16(QA as i16);
    let term = |values: __m256i, weights: __m256i| {
        let active = _mm256_min_epi16(_mm256_max_epi16(values, zero), most);
        // At most 255 * 127: the product fits into 16 bits, and its product with the value again
        // is summed in 32.
        _mm256_madd_epi16(_mm256_mullo_epi16(active, weights), active)
    };
    // Two sums, so that one addition need not wait for the other.
    let [mut low, mut high] = [zero; 2];
    for (values, weights) in halves {
        for (values, weights) in values.iter().zip(weights) {
            let (values, weights) = (load(values), load(weights));
            low = _mm256_add_epi32(low, term(values[0], weights[0]));
            high = _mm256_add_epi32(high, term(values[1], weights[1]));
        }
    }
    sum_of_lanes(_mm256_add_epi32(low, high))
}

/// See `scalar::residual`.
#[target_feature(enable = "avx2")]
pub(super) fn residual(
    inputs: &[i32; PAIRS],
    weights: &[[Block; 2]; PAIRS],
    bias: &Wide,
    output: &Wide,
) -> i32 {
    let mut sums = load_wide(bias);
    for (&pair, [first, second]) in inputs.iter().zip(weights) {
        let pair = _mm256_set1_epi32(pair);
        let ([a, b], [c, d]) = (load(first), load(second));
        for (sum, weights) in sums.iter_mut().zip([a, b, c, d]) {
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
        }
    }
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi32(QA));
    let mut total = zero;
    for (sum, weights) in sums.into_iter().zip(load_wide(output)) {
        let active = _mm256_max_epi32(_mm256_srai_epi32::<{ SHIFT as i32 }>(sum), zero);
        let term = _mm256_mullo_epi32(_mm256_min_epi32(active, most), weights);
        total = _mm256_add_epi32(total, term);
    }
    sum_of_lanes(total)
}

/// See `scalar::update`.
#[target_feature(enable = "avx2")]
pub(super) fn update<const A: usize, const R: usize>(
    target: &mut [Block],
    source: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let blocks = target.len();
    let added = shortened(added, blocks);
    let removed = shortened(removed, blocks);
    for (i, (target, source)) in target.iter_mut().zip(&source[..blocks]).enumerate() {
        let mut values = load(source);
        for row in added {
            let row = load(&row[i]);
            values = [
                _mm256_add_epi16(values[0], row[0]),
                _mm256_add_epi16(values[1], row[1]),
            ];
        }
        for row in removed {
            let row = load(&row[i]);
            values = [
                _mm256_sub_epi16(values[0], row[0]),
                _mm256_sub_epi16(values[1], row[1]),
            ];
        }
        store(target, values);
    }
}

/// See `scalar::add`.
#[target_feature(enable = "avx2")]
pub(super) fn add<const A: usize>(target: &mut [Block], added: [&[Block]; A]) {
    let blocks = target.len();
    let added = shortened(added, blocks);
    for (i, target) in target.iter_mut().enumerate() {
        let mut values = load(target);
        for row in added {
            let row = load(&row[i]);
            values = [
                _mm256_add_epi16(values[0], row[0]),
                _mm256_add_epi16(values[1], row[1]),
            ];
        }
        store(target, values);
    }
}

#[target_feature(enable = "avx2")]
fn sum_of_lanes(sums: __m256i) -> i32 {
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    );
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
}

#[target_feature(enable = "avx2")]
fn load_wide(wide: &Wide) -> [__m256i; 4] {
    let (vectors, _) = wide.0.as_chunks::<8>();
    [0, 1, 2, 3].map(|part| {
        // SAFETY: the chunk is 32 bytes that may be read, and the type aligns it to 32.
        unsafe { _mm256_load_si256(vectors[part].as_ptr().cast()) }
    })
}

#[target_feature(enable = "avx2")]
fn load(block: &Block) -> [__m256i; 2] {
    let (vectors, _) = block.0.as_chunks::<16>();
    // SAFETY: both are 32 bytes that may be read, at multiples of 32 in a block aligned to 64.
    unsafe {
        [
            _mm256_load_si256(vectors[0].as_ptr().cast()),
            _mm256_load_si256(vectors[1].as_ptr().cast()),
        ]
    }
}

#[target_feature(enable = "avx2")]
fn store(block: &mut Block, values: [__m256i; 2]) {
    let (vectors, _) = block.0.as_chunks_mut::<16>();
    // SAFETY: both are 32 bytes that may be written, at multiples of 32 in a block aligned to 64.
    unsafe {
        _mm256_store_si256(vectors[0].as_mut_ptr().cast(), values[0]);
        _mm256_store_si256(vectors[1].as_mut_ptr().cast(), values[1]);
    }
}
