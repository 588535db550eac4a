//! Endgame tables with made-up values: well-formed, but of no use in play.

use crate::random::Random;

/// The values of one side to move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values {
    /// All the same.
    Constant(u8),
    /// Compressed, each one of these two; for 3-man tables.
    Packed(u8, u8),
}

/// Bytes of a block of compressed values, as a power of two.
const BLOCK_BITS: u8 = 6;
/// Values between two entries of the index, as a power of two.
const SPAN_BITS: u8 = 12;
/// Symbols of three bits: two values, and six that each are the one before it twice.
const SYMBOLS: usize = 8;
/// The second part of a symbol that is a value.
const NO_PART: u16 = 0xfff;

/// The first bytes of a file with this name.
pub(super) fn magic(name: &str) -> [u8; 4] {
    if name.ends_with("rtbz") {
        0xa50c_66d7_u32.to_le_bytes()
    } else {
        0x5d23_e871_u32.to_le_bytes()
    }
}

/// The file of this name. A DTZ table has the first side's values only, and says that they are
/// plies.
pub(super) fn table(name: &str, values: [Values; 2]) -> Vec<u8> {
    let (men, extension) = name.split_once('.').expect("a file's name");
    let (white, black) = men.split_once('v').expect("a table's name");
    let is_wdl = extension == "rtbw";
    let sides = 1 + usize::from(is_wdl && white != black);
    let parts = if men.contains('P') { 4 } else { 1 };

    let mut file = magic(name).to_vec();
    file.push(u8::from(sides == 2) | u8::from(parts == 4) << 1);
    for _ in 0..parts {
        // The leading pieces are the most significant; the other side's pawns come next.
        file.push(0);
        if black.contains('P') {
            file.push(0x11);
        }
        file.extend(pieces(white, black));
    }
    align(&mut file, 2);
    let mut tails = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..parts {
        for values in &values[..sides] {
            side(*values, size(men), is_wdl, &mut file, &mut tails);
        }
    }
    align(&mut file, 2);
    let [index, lens, data] = tails;
    file.extend(index);
    file.extend(lens);
    align(&mut file, 64);
    file.extend(data);
    file
}

/// The pieces in the order in which they are numbered, in both halves of a byte.
fn pieces(white: &str, black: &str) -> Vec<u8> {
    let code = |letter: char, side: u8| {
        let kind = "PNBRQK".find(letter).expect("a man") as u8 + 1;
        (kind | side) * 0x11
    };
    let of_side = |men: &str, side| {
        let like = |letter: char| men.matches(letter).count();
        let men = men
            .chars()
            .map(|letter| (letter != 'P', like(letter), code(letter, side)));
        men.collect::<Vec<_>>()
    };
    let mut men = [of_side(white, 0), of_side(black, 8)].concat();
    // Pawns first; then single pieces before multiple ones.
    men.sort_by_key(|&(is_piece, like, _)| (is_piece, like));
    men.into_iter().map(|(.., code)| code).collect()
}

/// How many positions a side of a part has, with three pieces.
fn size(men: &str) -> u64 {
    if men.contains('P') {
        6 * 63 * 62
    } else {
        31_332
    }
}

/// Appends the header of a side's values, and to `tails` its index, block sizes and blocks.
fn side(values: Values, size: u64, is_wdl: bool, file: &mut Vec<u8>, tails: &mut [Vec<u8>; 3]) {
    // Distances: wins and losses in plies.
    let flags = if is_wdl { 0 } else { 4 | 8 };
    let [one, other] = match values {
        Values::Constant(value) => {
            file.extend([0x80 | flags, value]);
            return;
        }
        Values::Packed(one, other) => [one, other].map(u16::from),
    };
    let blocks = Blocks::by_lot(size);
    file.extend([flags, BLOCK_BITS, SPAN_BITS, 0]);
    file.extend((blocks.values.len() as u32).to_le_bytes());
    // All codes have three bits, and the first is that of symbol 0.
    file.extend([3, 3, 0, 0]);
    file.extend((SYMBOLS as u16).to_le_bytes());
    for symbol in 0..SYMBOLS as u16 {
        let (left, right) = match symbol {
            0 => (one, NO_PART),
            1 => (other, NO_PART),
            2 => (0, 1),
            _ => (symbol - 1, symbol - 1),
        };
        file.extend([
            left as u8,
            (left >> 8 | right << 4) as u8,
            (right >> 4) as u8,
        ]);
    }
    align(file, 2);
    let [index, lens, data] = tails;
    index.extend(blocks.index(size));
    let in_block = blocks.values.iter().map(|values| *values as u16 - 1);
    lens.extend(in_block.flat_map(u16::to_le_bytes));
    data.extend(blocks.bytes);
}

/// Compressed values: blocks of random symbols.
struct Blocks {
    bytes: Vec<u8>,
    /// How many values each block has.
    values: Vec<u64>,
}

impl Blocks {
    fn by_lot(size: u64) -> Self {
        let mut random = Random::new(size);
        let mut blocks = Self {
            bytes: Vec::new(),
            values: Vec::new(),
        };
        while blocks.values.iter().sum::<u64>() < size {
            let (mut values, mut bits) = (0, Vec::new());
            while bits.len() + 3 <= 8 << BLOCK_BITS {
                // Mostly the longest, so that few blocks are enough.
                let symbol = SYMBOLS - 1 - random.below(40).saturating_sub(32);
                bits.extend([symbol & 4, symbol & 2, symbol & 1].map(|bit| bit != 0));
                values += match symbol {
                    0 | 1 => 1,
                    _ => 1 << (symbol - 1),
                };
            }
            bits.resize(8 << BLOCK_BITS, false);
            let byte = |bits: &[bool]| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
            blocks.bytes.extend(bits.chunks(8).map(byte));
            blocks.values.push(values);
        }
        blocks
    }

    /// For the middle of every span: its block, and its offset among the block's values.
    fn index(&self, size: u64) -> Vec<u8> {
        let mut index = Vec::new();
        for span in 0..size.div_ceil(1 << SPAN_BITS) {
            let mut place = (span << SPAN_BITS) + (1 << (SPAN_BITS - 1));
            let mut block = 0;
            while block + 1 < self.values.len() && place >= self.values[block] {
                place -= self.values[block];
                block += 1;
            }
            index.extend((block as u32).to_le_bytes());
            index.extend((place as u16).to_le_bytes());
        }
        index
    }
}

fn align(bytes: &mut Vec<u8>, step: usize) {
    bytes.resize(bytes.len().next_multiple_of(step), 0);
}
