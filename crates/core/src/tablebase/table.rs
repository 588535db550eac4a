//! One table file: its header, parsed and checked, and the value of a position in it.

use std::io;

use arrayvec::ArrayVec;

use super::encoding::{Encoding, Squares, leading_file};
use super::file::TableFile;
use super::geometry::PAWN_FILES;
use super::material::{MAX_PIECES, Material};
use super::pairs::{Malformed, PairsData, Reader};
use super::wdl::Wdl;
use crate::position::{Position, Rules};
use crate::types::{Color, Piece, PieceType};

/// Bytes of the checksum at the end of every file.
const CHECKSUM: usize = 16;
/// Bytes that hold most headers.
const HEADER: usize = 16 << 10;
/// Bytes that hold every header.
const MAX_HEADER: usize = 1 << 20;
/// Flag in the header: each side to move has values of its own.
const SPLIT: u8 = 1;
/// Flag in the header: there are pawns.
const PAWNS: u8 = 2;

/// What a table file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Results: win, draw, loss.
    Wdl,
    /// Distances to zeroing, the next capture or pawn move.
    Dtz,
}

impl Kind {
    pub(super) const fn magic(self) -> u32 {
        match self {
            Self::Wdl => 0x5d23_e871,
            Self::Dtz => 0xa50c_66d7,
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Wdl => "rtbw",
            Self::Dtz => "rtbz",
        }
    }
}

/// A table whose header is consistent with its name and its size.
#[derive(Debug)]
pub(super) struct Table {
    file: TableFile,
    symmetric: bool,
    /// One, or one for each file of the leading pawn.
    parts: ArrayVec<Part, PAWN_FILES>,
}

#[derive(Debug)]
struct Part {
    /// With the side to move that the table names first, and with the other if that differs.
    sides: ArrayVec<Side, 2>,
    /// What the values of a DTZ table mean.
    distances: Distances,
}

#[derive(Debug)]
struct Side {
    encoding: Encoding,
    values: PairsData,
}

/// What the values of a DTZ table mean.
#[derive(Debug, Default)]
struct Distances {
    flags: u8,
    /// For wins, losses, cursed wins and blessed losses: the distances that values stand for.
    map: Option<[Vec<u16>; 4]>,
}

impl Distances {
    const BLACK_TO_MOVE: u8 = 1;
    const MAPPED: u8 = 2;
    const WINS_IN_PLIES: u8 = 4;
    const LOSSES_IN_PLIES: u8 = 8;
    const WIDE: u8 = 16;
}

/// What a DTZ table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    /// Plies to the next capture or pawn move, not counting the first ply.
    Plies(u32),
    /// Only positions with the other side to move are stored.
    OtherSide,
}

impl Table {
    /// Reads and checks the header of the file that is named after `material`.
    pub(super) fn open(
        file: TableFile,
        material: Material,
        kind: Kind,
    ) -> io::Result<Result<Self, Malformed>> {
        let size = file.size()?;
        let mut len = HEADER;
        let parts = loop {
            let parts = parse(&file.beginning(len)?, size, material, kind);
            match parts {
                Err(Malformed::EndsEarly) if len < size.min(MAX_HEADER) => len *= 4,
                parts => break parts,
            }
        };
        Ok(parts.map(|parts| Self {
            file,
            symmetric: material.is_symmetric(),
            parts,
        }))
    }

    /// The stored result for the side to move. It may be too low if a capture is best, and knows
    /// nothing of en passant; `None` if the file is malformed. `swapped` says that White has the
    /// pieces that the table's name gives to Black.
    pub(super) fn wdl<R: Rules>(&self, position: &Position<R>, swapped: bool) -> Option<Wdl> {
        let (part, side, swapped) = self.locate(position, swapped);
        let part = self.parts.get(part)?;
        let side = part.sides.get(side)?;
        let value = self.value(side, position, swapped)?;
        // A value may have twelve bits: one that is no result is damage.
        Wdl::from_index(u8::try_from(value).ok()?)
    }

    /// The stored distance of a position with this result, which is not a draw and is not kept by a
    /// capture or pawn move of the winning side.
    pub(super) fn distance<R: Rules>(
        &self,
        position: &Position<R>,
        swapped: bool,
        wdl: Wdl,
    ) -> Option<Distance> {
        let (part, side, swapped) = self.locate(position, swapped);
        let part = self.parts.get(part)?;
        let flags = part.distances.flags;
        if !self.symmetric && usize::from(flags & Distances::BLACK_TO_MOVE) != side {
            return Some(Distance::OtherSide);
        }
        let value = self.value(part.sides.first()?, position, swapped)?;
        let (place, in_plies) = match wdl {
            Wdl::Win => (0, flags & Distances::WINS_IN_PLIES != 0),
            Wdl::Loss => (1, flags & Distances::LOSSES_IN_PLIES != 0),
            Wdl::CursedWin => (2, false),
            Wdl::BlessedLoss => (3, false),
            Wdl::Draw => return Some(Distance::Plies(0)),
        };
        let value = match &part.distances.map {
            Some(map) => *map[place].get(usize::from(value))?,
            None => value,
        };
        Some(Distance::Plies(
            u32::from(value) * if in_plies { 1 } else { 2 },
        ))
    }

    /// The part and the side that hold a position, and whether colours are exchanged in it.
    fn locate<R: Rules>(&self, position: &Position<R>, swapped: bool) -> (usize, usize, bool) {
        let black = position.side_to_move() == Color::Black;
        let (side, swapped) = if self.symmetric {
            (0, black)
        } else {
            (usize::from(black != swapped), swapped)
        };
        let part = if self.parts.len() > 1 {
            let first = self.parts[0].sides[0].encoding.pieces()[0];
            let mut pawns = Squares::new();
            place(position, first, swapped, true, &mut pawns);
            leading_file(&pawns)
        } else {
            0
        };
        (part, side, swapped)
    }

    fn value<R: Rules>(&self, side: &Side, position: &Position<R>, swapped: bool) -> Option<u16> {
        let mut squares = Squares::new();
        let pieces = side.encoding.pieces();
        while let Some(&piece) = pieces.get(squares.len()) {
            place(position, piece, swapped, self.parts.len() > 1, &mut squares);
        }
        let number = side.encoding.index(squares);
        side.values.value(&self.file, number)
    }
}

/// The parts of a table, by its header: the file begins with these bytes, and has `size`.
fn parse(
    bytes: &[u8],
    size: usize,
    material: Material,
    kind: Kind,
) -> Result<ArrayVec<Part, PAWN_FILES>, Malformed> {
    if size % 64 != CHECKSUM {
        return Err(Malformed::Incomplete);
    }
    let mut reader = Reader::new(bytes, size - CHECKSUM);
    if reader.u32()? != kind.magic() {
        return Err(Malformed::OtherKind);
    }
    let flags = reader.u8()?;
    let split = kind == Kind::Wdl && !material.is_symmetric();
    if (flags & PAWNS != 0) != material.has_pawns()
        || kind == Kind::Wdl && (flags & SPLIT != 0) != split
    {
        return Err(Malformed::OtherName);
    }
    read_parts(&mut reader, material, kind, 1 + usize::from(split))
}

/// Appends the squares of one side's pieces of one kind. There is at least one, and room: the
/// position has the material of the table.
fn place<R: Rules>(
    position: &Position<R>,
    piece: Piece,
    swapped: bool,
    pawns: bool,
    squares: &mut Squares,
) {
    let color = if swapped {
        !piece.color()
    } else {
        piece.color()
    };
    // Only pawns have a direction.
    let turn = if swapped && pawns { 0b111_000 } else { 0 };
    for square in position.pieces_of(color, piece.piece_type()) {
        squares.push(square as u8 ^ turn);
    }
}

fn read_parts(
    reader: &mut Reader<'_>,
    material: Material,
    kind: Kind,
    sides: usize,
) -> Result<ArrayVec<Part, PAWN_FILES>, Malformed> {
    let count = if material.has_pawns() { PAWN_FILES } else { 1 };
    let mut numberings = ArrayVec::<_, PAWN_FILES>::new();
    for file in 0..count {
        numberings.push(read_numberings(reader, material, sides, file)?);
    }
    reader.align(2)?;
    let mut parts = ArrayVec::<Part, PAWN_FILES>::new();
    for numberings in numberings {
        let mut part = Part {
            sides: ArrayVec::new(),
            distances: Distances::default(),
        };
        for encoding in numberings {
            let (values, flags) = PairsData::read(reader, encoding.size())?;
            part.sides.push(Side { encoding, values });
            part.distances.flags = flags;
        }
        parts.push(part);
    }
    if kind == Kind::Dtz {
        for part in &mut parts {
            read_map(reader, &mut part.distances)?;
        }
        reader.align(2)?;
    }
    for place in [
        PairsData::place_index,
        PairsData::place_sizes,
        PairsData::place_data,
    ] {
        for side in parts.iter_mut().flat_map(|part| &mut part.sides) {
            place(&mut side.values, reader)?;
        }
    }
    Ok(parts)
}

/// How the sides of one part number their positions; each has four bits of every byte.
fn read_numberings(
    reader: &mut Reader<'_>,
    material: Material,
    sides: usize,
    file: usize,
) -> Result<ArrayVec<Encoding, 2>, Malformed> {
    let pawns = |color| material.count(color, PieceType::Pawn);
    let both_have_pawns = pawns(Color::White) > 0 && pawns(Color::Black) > 0;
    let leading_rank = reader.u8()?;
    let pawns_rank = if both_have_pawns { reader.u8()? } else { 0xff };
    let pieces = reader.take(material.pieces() as usize)?;
    let mut numberings = ArrayVec::new();
    for side in 0..sides {
        let half = |byte: u8| byte >> (4 * side) & 15;
        let pieces = pieces.iter().map(|&byte| piece(half(byte)));
        let pieces: Option<ArrayVec<Piece, { MAX_PIECES as usize }>> = pieces.collect();
        let encoding = pieces.and_then(|pieces| {
            let ranks = [leading_rank, pawns_rank].map(|rank| usize::from(half(rank)));
            Encoding::new(material, &pieces, ranks[0], ranks[1], file)
        });
        numberings.push(encoding.ok_or(Malformed::OtherPieces)?);
    }
    Ok(numberings)
}

/// A piece in four bits: its kind from 1, and 8 more for Black.
fn piece(code: u8) -> Option<Piece> {
    let color = if code & 8 == 0 {
        Color::White
    } else {
        Color::Black
    };
    let kind = (code & 7).checked_sub(1).and_then(PieceType::from_index)?;
    Some(Piece::new(color, kind))
}

fn read_map(reader: &mut Reader<'_>, distances: &mut Distances) -> Result<(), Malformed> {
    if distances.flags & Distances::MAPPED == 0 {
        return Ok(());
    }
    let wide = distances.flags & Distances::WIDE != 0;
    if wide {
        reader.align(2)?;
    }
    let mut map = [const { Vec::new() }; 4];
    for values in &mut map {
        let number = |reader: &mut Reader<'_>| {
            if wide {
                reader.u16()
            } else {
                reader.u8().map(u16::from)
            }
        };
        for _ in 0..number(reader)? {
            values.push(number(reader)?);
        }
    }
    distances.map = Some(map);
    Ok(())
}
