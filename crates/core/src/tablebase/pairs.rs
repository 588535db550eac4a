//! The compressed values of one side of one table: pairs of symbols replaced by new symbols again
//! and again (Larsson, Moffat), and the resulting symbols written as canonical Huffman codes, in
//! blocks that can be read on their own.

use std::ops::Range;

use thiserror::Error;

use super::file::TableFile;

/// What is malformed in the bytes of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Malformed {
    /// The file has another length than any table.
    #[error("incomplete")]
    Incomplete,
    /// The first bytes are those of another kind of file.
    #[error("not a table of this kind")]
    OtherKind,
    /// It has other properties than the material in its name.
    #[error("not the table of its name")]
    OtherName,
    /// It lists other pieces than its name.
    #[error("not the men of its name")]
    OtherPieces,
    /// Something reaches beyond the end of the file.
    #[error("ends too early")]
    EndsEarly,
    /// The number of blocks overflows.
    #[error("too many blocks")]
    TooManyBlocks,
    /// Blocks, or the spans of their index, are too small or too large.
    #[error("impossible block size")]
    BlockSize,
    /// The shortest or the longest code is.
    #[error("impossible code length")]
    CodeLength,
    /// The codes do not form a tree.
    #[error("impossible codes")]
    Codes,
    /// A symbol has a part that does not exist.
    #[error("no such symbol")]
    NoSuchSymbol,
    /// A symbol stands for more than 256 values.
    #[error("a symbol is too long")]
    LongSymbol,
    /// A symbol is a part of itself.
    #[error("a symbol contains itself")]
    CyclicSymbol,
}

/// Reads the header of a table, front to back.
pub(super) struct Reader<'a> {
    /// The beginning of the file.
    bytes: &'a [u8],
    /// Where the file ends.
    size: usize,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads the header at the beginning of a file of `size` bytes.
    pub(super) fn new(bytes: &'a [u8], size: usize) -> Self {
        Self { bytes, size, at: 0 }
    }

    /// The next `len` bytes.
    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let range = self.range(len)?;
        self.bytes.get(range).ok_or(Malformed::EndsEarly)
    }

    /// Where the next `len` bytes are; skips them.
    pub(super) fn range(&mut self, len: usize) -> Result<Range<usize>, Malformed> {
        let end = self.at.checked_add(len);
        let end = end.filter(|&end| end <= self.size);
        let range = self.at..end.ok_or(Malformed::EndsEarly)?;
        self.at = range.end;
        Ok(range)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16, Malformed> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn u32(&mut self) -> Result<u32, Malformed> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Skips to a multiple of `step`.
    pub(super) fn align(&mut self, step: usize) -> Result<(), Malformed> {
        let next = self.at.next_multiple_of(step);
        self.range(next - self.at).map(drop)
    }
}

/// The values of one side of one table.
#[derive(Debug)]
pub(super) enum PairsData {
    /// All the same.
    Constant(u8),
    /// Anything else.
    Packed(Packed),
}

/// Compressed values. The ranges lay within the file when it was opened.
#[derive(Debug)]
pub(super) struct Packed {
    /// Bytes of a block, as a power of two.
    block_bits: u32,
    /// Values between two entries of the index, as a power of two.
    span_bits: u32,
    /// Blocks with values; more follow in the list of sizes.
    blocks: u32,
    listed_blocks: u32,
    /// Length of the shortest code in bits.
    min_len: u32,
    /// The first code of each length, left-aligned, and its symbol.
    codes: Vec<(u64, u16)>,
    /// For each symbol, how many values it stands for, less one.
    extra: Vec<u8>,
    /// Three bytes a symbol: its two parts, or a value and [`NO_PART`].
    symbols: Vec<u8>,
    index: Range<usize>,
    sizes: Range<usize>,
    data: Range<usize>,
}

/// In place of a symbol's second part: the first part is the value.
const NO_PART: u16 = 0xfff;
/// Longest code in bits: the decoder's window always holds one.
const MAX_CODE: u32 = 32;
/// Bytes of a block that are read at a time.
const PIECE: usize = 64;
/// Bytes of an entry of the index: a block and an offset within it.
const INDEX_ENTRY: usize = 6;
/// The most blocks between an entry of the index and a value. A span has some hundred thousand values at
/// most, of which a block has many; a damaged table can have any number, and no search would end in time.
const MAX_STEPS: usize = 1 << 16;

impl PairsData {
    /// Reads the header of the values. `count` is how many there are.
    pub(super) fn read(reader: &mut Reader<'_>, count: u64) -> Result<(Self, u8), Malformed> {
        let flags = reader.u8()?;
        if flags & 0x80 != 0 {
            return Ok((Self::Constant(reader.u8()?), flags));
        }
        let packed = Packed::read(reader, count)?;
        Ok((Self::Packed(packed), flags))
    }

    /// Notes where the index of the blocks lies.
    pub(super) fn place_index(&mut self, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        if let Self::Packed(packed) = self {
            packed.index = reader.range(packed.index.len())?;
        }
        Ok(())
    }

    /// Notes where the sizes of the blocks lie.
    pub(super) fn place_sizes(&mut self, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        if let Self::Packed(packed) = self {
            packed.sizes = reader.range(2 * packed.listed_blocks as usize)?;
        }
        Ok(())
    }

    /// Notes where the blocks lie.
    pub(super) fn place_data(&mut self, reader: &mut Reader<'_>) -> Result<(), Malformed> {
        if let Self::Packed(packed) = self {
            reader.align(64)?;
            packed.data = reader.range((packed.blocks as usize) << packed.block_bits)?;
        }
        Ok(())
    }

    /// The value with this number, 12 bits; `None` if the file is malformed there or cannot be read.
    pub(super) fn value(&self, file: &TableFile, number: u64) -> Option<u16> {
        match self {
            Self::Constant(value) => Some(u16::from(*value)),
            Self::Packed(packed) => packed.value(file, number),
        }
    }
}

impl Packed {
    fn read(reader: &mut Reader<'_>, count: u64) -> Result<Self, Malformed> {
        let block_bits = u32::from(reader.u8()?);
        let span_bits = u32::from(reader.u8()?);
        let padding = u32::from(reader.u8()?);
        let blocks = reader.u32()?;
        let listed_blocks = blocks.checked_add(padding);
        let listed_blocks = listed_blocks.ok_or(Malformed::TooManyBlocks)?;
        let max_len = u32::from(reader.u8()?);
        let min_len = u32::from(reader.u8()?);
        if !(1..32).contains(&block_bits) || !(1..32).contains(&span_bits) {
            return Err(Malformed::BlockSize);
        }
        if min_len == 0 || max_len < min_len || max_len > MAX_CODE {
            return Err(Malformed::CodeLength);
        }
        let lens = (max_len - min_len + 1) as usize;
        let mut firsts = Vec::with_capacity(lens);
        for _ in 0..lens {
            firsts.push(reader.u16()?);
        }
        let codes = codes(&firsts, min_len).ok_or(Malformed::Codes)?;
        let count_symbols = usize::from(reader.u16()?);
        let symbols = reader.take(3 * count_symbols)?.to_vec();
        let extra = extra_values(&symbols)?;
        reader.align(2)?;
        let entries = count.div_ceil(1 << span_bits) as usize;
        Ok(Self {
            block_bits,
            span_bits,
            blocks,
            listed_blocks,
            min_len,
            codes,
            extra,
            symbols,
            // Only the lengths are known yet.
            index: 0..INDEX_ENTRY * entries,
            sizes: 0..0,
            data: 0..0,
        })
    }

    fn value(&self, file: &TableFile, number: u64) -> Option<u16> {
        let (block, skip) = self.find(file, number)?;
        let symbols = &self.symbols;
        let (mut symbol, mut skip) = self.symbol(file, block, skip)?;
        // Take the symbol apart until one value is left.
        while self.extra[usize::from(symbol)] > 0 {
            let (left, right) = parts(symbols, usize::from(symbol))?;
            let of_left = usize::from(self.extra[usize::from(left)]) + 1;
            symbol = if skip < of_left {
                left
            } else {
                skip -= of_left;
                right
            };
        }
        parts(symbols, usize::from(symbol)).map(|(value, _)| value)
    }

    /// The block that holds a value, and how many values of the block come before it.
    fn find(&self, file: &TableFile, number: u64) -> Option<(usize, usize)> {
        let place = INDEX_ENTRY * (number >> self.span_bits) as usize;
        let mut entry = [0; INDEX_ENTRY];
        file.read(part(&self.index, place, INDEX_ENTRY)?, &mut entry)?;
        let mut block = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]) as usize;
        // The entry points at the value in the middle of the span.
        let offset = i64::from(u16::from_le_bytes([entry[4], entry[5]]));
        let span = 1_i64 << self.span_bits;
        let mut skip = offset + (number as i64 & (span - 1)) - span / 2;
        let mut steps = 0;
        let mut values = |block: usize| {
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            let mut size = [0; 2];
            file.read(part(&self.sizes, 2 * block, 2)?, &mut size)?;
            Some(i64::from(u16::from_le_bytes(size)) + 1)
        };
        while skip < 0 {
            block = block.checked_sub(1)?;
            skip += values(block)?;
        }
        loop {
            let count = values(block)?;
            if skip < count {
                return Some((block, skip as usize));
            }
            skip -= count;
            block += 1;
        }
    }

    /// The symbol of a block that stands for the value after `skip` others, and how many of its
    /// own values come before it.
    fn symbol(&self, file: &TableFile, block: usize, mut skip: usize) -> Option<(u16, usize)> {
        let mut next = self.data.start.checked_add(block << self.block_bits)?;
        let mut piece = [0; PIECE];
        let mut left = 0;
        let mut take = |bytes: usize| {
            let mut word = 0;
            for _ in 0..bytes {
                if left == 0 {
                    // Codes may seem to reach beyond the last block, but no value there is asked
                    // for.
                    left = self.data.end.saturating_sub(next).min(PIECE);
                    piece = [0; PIECE];
                    file.read(next, &mut piece[..left])?;
                    left = PIECE;
                    next += PIECE;
                }
                word = word << 8 | u64::from(piece[PIECE - left]);
                left -= 1;
            }
            Some(word)
        };
        let mut window = take(8)?;
        let mut used = 0;
        loop {
            let shorter = self.codes.iter().position(|&(first, _)| window >= first)?;
            let (first, first_symbol) = self.codes[shorter];
            let len = self.min_len + shorter as u32;
            let symbol = u64::from(first_symbol) + ((window - first) >> (64 - len));
            let symbol = u16::try_from(symbol).ok()?;
            let values = usize::from(*self.extra.get(usize::from(symbol))?) + 1;
            if skip < values {
                return Some((symbol, skip));
            }
            skip -= values;
            window <<= len;
            used += len;
            if used >= 32 {
                used -= 32;
                window |= take(4)? << used;
            }
        }
    }
}

/// Where `len` bytes are that begin `start` bytes into this part of a file.
fn part(of: &Range<usize>, start: usize, len: usize) -> Option<usize> {
    let end = start.checked_add(len)?;
    (end <= of.len()).then(|| of.start + start)
}

/// The first code of each length, left-aligned, and its first symbol, which is given. The codes of
/// the longest length begin at zero, and shorter ones follow.
fn codes(firsts: &[u16], min_len: u32) -> Option<Vec<(u64, u16)>> {
    let mut codes = vec![(0, 0); firsts.len()];
    let mut code = 0_u64;
    for (at, &first) in firsts.iter().enumerate().rev() {
        if let Some(&longer) = firsts.get(at + 1) {
            code = (code + u64::from(first)).checked_sub(u64::from(longer))? / 2;
        }
        let len = min_len + at as u32;
        if code >> len != 0 {
            return None;
        }
        codes[at] = (code << (64 - len), first);
    }
    Some(codes)
}

/// The two parts of a symbol.
fn parts(symbols: &[u8], symbol: usize) -> Option<(u16, u16)> {
    let bytes = symbols.get(3 * symbol..3 * symbol + 3)?;
    let [low, middle, high] = [bytes[0], bytes[1], bytes[2]].map(u16::from);
    Some(((middle & 15) << 8 | low, high << 4 | middle >> 4))
}

/// For each symbol, how many values it stands for, less one.
fn extra_values(symbols: &[u8]) -> Result<Vec<u8>, Malformed> {
    let count = symbols.len() / 3;
    let mut extra: Vec<Option<u8>> = vec![None; count];
    let mut pending = Vec::new();
    for start in 0..count {
        pending.push(start);
        while let Some(&symbol) = pending.last() {
            let (left, right) = parts(symbols, symbol).ok_or(Malformed::NoSuchSymbol)?;
            if right == NO_PART {
                extra[symbol] = Some(0);
            }
            if extra[symbol].is_some() {
                pending.pop();
                continue;
            }
            let [left, right] = [left, right].map(usize::from);
            let known = |part: usize| extra.get(part).copied();
            match (known(left), known(right)) {
                (Some(Some(left)), Some(Some(right))) => {
                    let sum = left.checked_add(right).and_then(|sum| sum.checked_add(1));
                    extra[symbol] = Some(sum.ok_or(Malformed::LongSymbol)?);
                }
                (None, _) | (_, None) => return Err(Malformed::NoSuchSymbol),
                (left_known, _) => {
                    // A chain longer than the number of symbols is a cycle.
                    if pending.len() > count {
                        return Err(Malformed::CyclicSymbol);
                    }
                    let unknown = left_known.is_some_and(|known| known.is_none());
                    pending.push(if unknown { left } else { right });
                }
            }
        }
    }
    Ok(extra.into_iter().map(Option::unwrap_or_default).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use super::*;
    use crate::tablebase::file::Cache;

    /// A file says how far it is to a value, and can say so of any file's length.
    #[test]
    fn only_so_many_blocks_are_passed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("zeros");
        let blocks = 2 * MAX_STEPS;
        let sizes = INDEX_ENTRY..INDEX_ENTRY + 2 * blocks;
        fs::write(&path, vec![0; sizes.end]).unwrap();
        let file = TableFile::open(&path, 0, &Arc::new(Cache::new())).unwrap();
        // Blocks with one value each.
        let packed = Packed {
            block_bits: 5,
            span_bits: 31,
            blocks: blocks as u32,
            listed_blocks: blocks as u32,
            min_len: 1,
            codes: Vec::new(),
            extra: Vec::new(),
            symbols: Vec::new(),
            index: 0..INDEX_ENTRY,
            sizes,
            data: 0..0,
        };
        let middle = 1 << 30;
        assert_eq!(packed.find(&file, middle + 50_000), Some((50_000, 0)));
        assert_eq!(packed.find(&file, middle + 100_000), None);
    }
}
