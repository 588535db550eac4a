//! Numbers that look random.

/// Spreads `value` over all 64 bits, one to one: inputs that are close have unrelated outputs, and
/// 0 stays 0.
///
/// It is the last step of splitmix64, the generator by Guy Steele, Doug Lea and Christine Flood
/// ("Fast Splittable Pseudorandom Number Generators", 2014) in the form of Sebastiano Vigna, whose
/// constants are David Stafford's.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// 2^64 divided by the golden ratio, an odd number: multiples of it lie far apart. The step of
/// splitmix64.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of splitmix64 from seed 1234567, as its author's program prints them.
    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut state = 1_234_567_u64;
        let numbers = [(); 5].map(|()| {
            state = state.wrapping_add(GOLDEN);
            mix(state)
        });
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }
}
