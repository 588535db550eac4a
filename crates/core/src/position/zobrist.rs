//! The random numbers that position keys are made of (Zobrist, 1970).

use crate::types::{
    CastlingRights, Color, File, GOLDEN, Hand, Key, Piece, PieceMap, PieceType, Square, SquareMap,
    mix,
};

struct Numbers {
    pieces: PieceMap<SquareMap<u64>>,
    castling: [u64; 16],
    en_passant: [u64; File::ALL.len()],
    black_to_move: u64,
    variants: [u64; 16],
    checks_left: [u64; 8],
    hands: [u64; 2 * Hand::KINDS.len() * HELD],
    promoted: SquareMap<u64>,
}

/// How many men of a kind a side may have in hand and the key still tells it from one less.
const HELD: usize = 32;

/// Drawn from a fixed seed, so that keys are the same in every build.
static NUMBERS: Numbers = {
    let mut state = 0x0057_4852_5553_u64;
    let mut pieces = [const { SquareMap::new([0; 64]) }; Piece::ALL.len()];
    let mut piece = 0;
    while piece < pieces.len() {
        let (row, next) = draw::<64>(state);
        pieces[piece] = SquareMap::new(row);
        state = next;
        piece += 1;
    }
    let (castling, state) = draw(state);
    let (en_passant, state) = draw(state);
    let ([black_to_move], state) = draw(state);
    let (mut variants, state) = draw::<16>(state);
    // Standard chess has the keys that other games differ from.
    variants[0] = 0;
    let (checks_left, state) = draw(state);
    let (hands, state) = draw(state);
    let (promoted, _) = draw::<64>(state);
    Numbers {
        pieces: PieceMap::new(pieces),
        castling,
        en_passant,
        black_to_move,
        variants,
        checks_left,
        hands,
        promoted: SquareMap::new(promoted),
    }
};

/// The next `N` numbers of Sebastiano Vigna's splitmix64, and the state after them.
const fn draw<const N: usize>(mut state: u64) -> ([u64; N], u64) {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(GOLDEN);
        numbers[i] = mix(state);
        i += 1;
    }
    (numbers, state)
}

#[inline]
pub(super) fn piece(piece: Piece, square: Square) -> Key {
    Key(NUMBERS.pieces[piece][square])
}

#[inline]
pub(super) fn castling(rights: CastlingRights) -> Key {
    Key(NUMBERS.castling[usize::from(rights.mask())])
}

#[inline]
pub(super) fn en_passant(square: Option<Square>) -> Key {
    Key(square.map_or(0, |square| NUMBERS.en_passant[square.file() as usize]))
}

#[inline]
pub(super) fn side_to_move(color: Color) -> Key {
    match color {
        Color::White => Key(0),
        Color::Black => Key(NUMBERS.black_to_move),
    }
}

/// By the index of the variant, 0 for standard chess.
pub(super) fn variant(index: usize) -> Key {
    Key(NUMBERS.variants[index])
}

/// By the fifty-move clock, as far as a hash table has to know it: one for every eight plies from 14 on.
#[inline]
pub(super) fn fifty_move_clock(clock: u16) -> Key {
    let step = clock.saturating_sub(6) / 8;
    Key(u64::from(step).wrapping_mul(GOLDEN))
}

/// By how many checks, up to three, a side has still to give.
#[inline]
pub(super) fn checks_left(color: Color, checks: u8) -> Key {
    Key(NUMBERS.checks_left[color as usize * 4 + usize::from(checks & 3)])
}

/// By how many men of this kind a side has in hand.
#[inline]
pub(super) fn in_hand(color: Color, kind: PieceType, count: u8) -> Key {
    let row = color as usize * Hand::KINDS.len() + kind as usize;
    Key(NUMBERS.hands[row * HELD + usize::from(count) % HELD])
}

/// For a man on this square that was a pawn.
#[inline]
pub(super) fn promoted(square: Square) -> Key {
    Key(NUMBERS.promoted[square])
}
