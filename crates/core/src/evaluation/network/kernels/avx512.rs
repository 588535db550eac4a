//! AVX-512 (F and BW): a block of 32 values is one vector.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16,
    _mm512_max_epi16, _mm512_max_epi32, _mm512_min_epi16, _mm512_min_epi32, _mm512_mullo_epi16,
    _mm512_mullo_epi32, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_srai_epi32, _mm512_store_si512, _mm512_sub_epi16,
};

use super::super::format::QA;
use super::{Block, PAIRS, SHIFT, Wide, shortened};

/// See `scalar::forward`.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn forward(halves: [(&[Block], &[Block]); 2]) -> i32 {
    let zero = _mm512_setzero_si512();
    let most = _mm512_set1_epi16(QA as i16);
    let [mut even, mut odd] = [zero; 2];
    for (values, weights) in halves {
        let term = |value: &Block, weight: &Block| {
            let active = _mm512_min_epi16(_mm512_max_epi16(load(value), zero), most);
            // At most 255 * 127: the product fits into 16 bits, and its product with the value
            // again is summed in 32.
            _mm512_madd_epi16(_mm512_mullo_epi16(active, load(weight)), active)
        };
        // Two sums, so that one addition need not wait for the other.
        let (pairs, rest) = values.as_chunks::<2>();
        let (weight_pairs, rest_weights) = weights.as_chunks::<2>();
        for ([value0, value1], [weight0, weight1]) in pairs.iter().zip(weight_pairs) {
            even = _mm512_add_epi32(even, term(value0, weight0));
            odd = _mm512_add_epi32(odd, term(value1, weight1));
        }
        for (value, weight) in rest.iter().zip(rest_weights) {
            even = _mm512_add_epi32(even, term(value, weight));
        }
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(even, odd))
}

/// See `scalar::residual`.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn residual(
    inputs: &[i32; PAIRS],
    weights: &[[Block; 2]; PAIRS],
    bias: &Wide,
    output: &Wide,
) -> i32 {
    let [mut low, mut high] = load_wide(bias);
    for (&pair, [first, second]) in inputs.iter().zip(weights) {
        let pair = _mm512_set1_epi32(pair);
        low = _mm512_add_epi32(low, _mm512_madd_epi16(pair, load(first)));
        high = _mm512_add_epi32(high, _mm512_madd_epi16(pair, load(second)));
    }
    let most = _mm512_set1_epi32(QA);
    let term = |sums: __m512i, weights: __m512i| {
        let active = _mm512_max_epi32(_mm512_srai_epi32::<SHIFT>(sums), _mm512_setzero_si512());
        _mm512_mullo_epi32(_mm512_min_epi32(active, most), weights)
    };
    let weights = load_wide(output);
    _mm512_reduce_add_epi32(_mm512_add_epi32(
        term(low, weights[0]),
        term(high, weights[1]),
    ))
}

/// See `scalar::update`.
#[target_feature(enable = "avx512f,avx512bw")]
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
            values = _mm512_add_epi16(values, load(&row[i]));
        }
        for row in removed {
            values = _mm512_sub_epi16(values, load(&row[i]));
        }
        store(target, values);
    }
}

/// See `scalar::add`.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn add<const A: usize>(target: &mut [Block], added: [&[Block]; A]) {
    let blocks = target.len();
    let added = shortened(added, blocks);
    for (i, target) in target.iter_mut().enumerate() {
        let mut values = load(target);
        for row in added {
            values = _mm512_add_epi16(values, load(&row[i]));
        }
        store(target, values);
    }
}

#[target_feature(enable = "avx512f")]
fn load(block: &Block) -> __m512i {
    // SAFETY: a block is 64 bytes that may be read, and its type aligns it to 64.
    unsafe { _mm512_load_si512(block.0.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
fn load_wide(wide: &Wide) -> [__m512i; 2] {
    let (vectors, _) = wide.0.as_chunks::<16>();
    [0, 1].map(|part| {
        // SAFETY: the chunk is 64 bytes that may be read, and the type aligns it to 64.
        unsafe { _mm512_load_si512(vectors[part].as_ptr().cast()) }
    })
}

#[target_feature(enable = "avx512f")]
fn store(block: &mut Block, values: __m512i) {
    // SAFETY: a block is 64 bytes that may be written, and its type aligns it to 64.
    unsafe { _mm512_store_si512(block.0.as_mut_ptr().cast(), values) }
}
