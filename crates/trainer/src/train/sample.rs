//! A labelled position in 40 bytes, and the network inputs that it activates.
#![expect(
    clippy::inline_always,
    reason = "only inlined code takes on the vector instructions of the kernel that calls it"
)]

use orthrus_core::evaluation::network::{
    COUNTS, DIRECT_INPUTS, MAX_ACTIVE, View, counts, held, held_in_hand, viewpoint,
};
use orthrus_core::evaluation::{FADE_UNIT, fade};
use orthrus_core::position::{Position, see_value};
use orthrus_core::types::{Bitboard, Color, ColorMap, Hand, Piece, PieceTypeMap, Square};

use super::model::Shape;
use crate::data::GameResult;

/// A position with its labels, turned so that White is to move; of racing kings, which have one
/// direction, only the colours change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// The occupied squares.
    occupied: u64,
    /// The pieces, of which each is an active input, in the order of their squares, two to a byte,
    /// low half first; behind them those in hand, and [`NO_PIECE`].
    pieces: [u8; MAX_ACTIVE.div_ceil(2)],
    /// White's king, then Black's; a horde has none.
    kings: [Option<Square>; 2],
    /// How many things White holds that the board does not show, and in the upper half, how many
    /// Black does, other than men in hand.
    held: u8,
    score: i16,
    /// The result, White being the side to move, in two bits; above them half of the plies since the last capture
    /// or pawn's move, of which no more than a hundred count.
    result_and_clock: u8,
}

const _: () = assert!(size_of::<Sample>() == 40);

/// Stands in four bits where there is no [`Piece`].
const NO_PIECE: u8 = 15;

impl Sample {
    /// Packs `position`, the search's score in centipawns from the side to move, and the result of
    /// the game.
    pub(crate) fn new(position: &Position, score: i16, result: GameResult) -> Self {
        let own = position.side_to_move();
        let viewpoint = viewpoint(position.variant(), own);
        let mut sample = Self {
            occupied: 0,
            pieces: [NO_PIECE | NO_PIECE << 4; MAX_ACTIVE.div_ceil(2)],
            kings: [own, !own].map(|side| {
                let king = position.royal(side);
                king.map(|king| viewpoint.relative_square(king))
            }),
            held: if position.variant().has_hands() {
                0
            } else {
                held(position, own).count() as u8 | (held(position, !own).count() as u8) << 4
            },
            score,
            result_and_clock: {
                let result = match (own, result) {
                    (Color::White, _) | (_, GameResult::Draw) => result,
                    (Color::Black, GameResult::WhiteWins) => GameResult::BlackWins,
                    (Color::Black, GameResult::BlackWins) => GameResult::WhiteWins,
                };
                let clock = position.fifty_move_clock().min(100) as u8;
                result as u8 | ((clock / 2) << 2)
            },
        };
        let mut count = 0;
        for square in Square::ALL {
            let Some(piece) = position.piece_on(viewpoint.relative_square(square)) else {
                continue;
            };
            let color = if piece.color() == own {
                Color::White
            } else {
                Color::Black
            };
            sample.occupied |= 1 << square as u8;
            sample.put(count, Piece::new(color, piece.piece_type()));
            count += 1;
        }
        for (color, side) in [(Color::White, own), (Color::Black, !own)] {
            for kind in position.hand(side).men() {
                sample.put(count, Piece::new(color, kind));
                count += 1;
            }
        }
        sample
    }

    /// Notes the piece with this number.
    fn put(&mut self, number: usize, piece: Piece) {
        if let Some(pair) = self.pieces.get_mut(number / 2) {
            let shift = number % 2 * 4;
            *pair = *pair & !(NO_PIECE << shift) | (piece as u8) << shift;
        }
    }

    /// The piece with this number.
    #[inline(always)]
    fn piece(&self, number: usize) -> Option<Piece> {
        let pair = self.pieces.get(number / 2)?;
        Piece::from_index(pair >> (number % 2 * 4) & NO_PIECE)
    }

    /// The men in hand of White and Black, in crazyhouse.
    fn hands(&self) -> ColorMap<Hand> {
        let mut hands = ColorMap::<Hand>::default();
        let begin = self.pieces() as usize;
        for piece in (begin..MAX_ACTIVE).filter_map(|number| self.piece(number)) {
            hands[piece.color()].add(piece.piece_type());
        }
        hands
    }

    /// Adds everything of the sample to a checksum.
    pub(crate) fn hash_into(&self, hasher: &mut crc32fast::Hasher) {
        // The kings are among the pieces.
        hasher.update(&self.occupied.to_le_bytes());
        hasher.update(&self.pieces);
        hasher.update(&self.score.to_le_bytes());
        hasher.update(&[self.held, self.result_and_clock]);
    }

    /// How many pieces are on the board.
    pub(crate) const fn pieces(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The material of both sides, as [`material`](orthrus_core::evaluation::wdl::material) counts it.
    pub(crate) fn material(&self) -> i32 {
        let men = (0..MAX_ACTIVE).filter_map(|number| self.piece(number));
        men.map(|piece| see_value(piece.piece_type())).sum()
    }

    /// The search's score, in centipawns from the side to move.
    pub(crate) const fn score(&self) -> i16 {
        self.score
    }

    /// Changes that score.
    pub(crate) const fn set_score(&mut self, score: i16) {
        self.score = score;
    }

    /// The result, White being the side to move.
    pub(crate) const fn result(&self) -> GameResult {
        GameResult::ALL[(self.result_and_clock & 3) as usize]
    }

    /// The share of an evaluation that the search believes in this position: see
    /// [`fade`](orthrus_core::evaluation::fade()), to a ply.
    pub(crate) fn fade(&self) -> f32 {
        let clock = u16::from(self.result_and_clock >> 2) * 2;
        fade(clock) as f32 / FADE_UNIT as f32
    }

    /// The result for the side to move: 1 for a win, 1/2 for a draw, 0 for a loss.
    pub(crate) fn points(&self) -> f32 {
        self.result().points(Color::White)
    }

    /// The phase of the game that the position belongs to.
    pub(crate) const fn phase(&self) -> Phase {
        match self.pieces() {
            25.. => Phase::Opening,
            13..=24 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }

    /// The squares of each kind of piece, and those of each side.
    fn boards(&self) -> (PieceTypeMap<Bitboard>, ColorMap<Bitboard>) {
        let mut kinds = PieceTypeMap::from_fn(|_| Bitboard::EMPTY);
        let mut colors = ColorMap::from_fn(|_| Bitboard::EMPTY);
        let mut squares = self.occupied;
        for n in 0..self.pieces() as usize {
            let square = Square::wrapping(squares.trailing_zeros() as u8);
            squares &= squares.wrapping_sub(1);
            if let Some(piece) = self.piece(n) {
                kinds[piece.piece_type()] |= square.into();
                colors[piece.color()] |= square.into();
            }
        }
        (kinds, colors)
    }

    /// The inputs that the position activates in a network of this shape.
    pub(crate) fn inputs(&self, shape: Shape) -> Inputs {
        let own = View::new(shape.variant, Color::White, self.kings[0], shape.mirrored);
        let other = View::new(shape.variant, Color::Black, self.kings[1], shape.mirrored);
        let pieces = self.pieces();
        let mut inputs = Inputs {
            rows: [[0; 2]; MAX_ACTIVE],
            active: 0,
            bucket: shape.bucket(pieces) as u8,
            counts: [[0; COUNTS]; 2],
        };
        if shape.direct {
            let (kinds, colors) = self.boards();
            let counts = counts(&kinds, &colors, Color::White);
            inputs.counts = counts.map(|side| side.map(|count| count as i16));
        }
        let mut squares = self.occupied;
        for n in 0..pieces as usize {
            let square = Square::wrapping(squares.trailing_zeros() as u8);
            squares &= squares.wrapping_sub(1);
            if let Some(piece) = self.piece(n) {
                inputs.push(own.input(piece, square), other.input(piece, square));
            }
        }
        let mut hold = |owner, number| {
            let [own, other] = [own, other].map(|view| view.holding(shape.variant, owner, number));
            inputs.push(own, other);
        };
        if shape.variant.has_hands() {
            for (owner, &hand) in self.hands().iter() {
                held_in_hand(hand).for_each(|number| hold(owner, number));
            }
        } else {
            (0..self.held & 15).for_each(|number| hold(Color::White, number.into()));
            (0..self.held >> 4).for_each(|number| hold(Color::Black, number.into()));
        }
        inputs
    }
}

/// The active inputs of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    rows: [[u16; 2]; MAX_ACTIVE],
    active: u8,
    bucket: u8,
    counts: [[i16; COUNTS]; 2],
}

impl Inputs {
    /// Adds an input from the perspective of the side to move and the same from the other side's.
    fn push(&mut self, own: usize, other: usize) {
        if let Some(row) = self.rows.get_mut(usize::from(self.active)) {
            *row = [own as u16, other as u16];
            self.active += 1;
        }
    }

    /// Per piece, and per thing held, the input from the perspective of the side to move and that
    /// from the other side's.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &[[u16; 2]] {
        &self.rows[..usize::from(self.active).min(MAX_ACTIVE)]
    }

    /// The counts of the position, the side to move's first; all zero if the network has no direct inputs.
    #[inline(always)]
    pub(crate) fn counts(&self) -> &[[i16; COUNTS]; 2] {
        &self.counts
    }

    /// Those of them that are direct inputs.
    #[inline(always)]
    pub(crate) fn direct(&self) -> impl Iterator<Item = f32> {
        let direct = self.counts.iter().flat_map(|side| &side[..DIRECT_INPUTS]);
        direct.map(|&count| f32::from(count))
    }

    /// The output bucket of the position.
    #[inline(always)]
    pub(crate) fn bucket(&self) -> usize {
        usize::from(self.bucket)
    }
}

/// Which perspectives of some positions see which input: [`Inputs`] turned round.
///
/// Perspective `2 * n` is that of the side to move in position `n`, and `2 * n + 1` the other.
#[derive(Debug)]
pub(crate) struct SeenBy {
    /// Where the perspectives of each input end; one more at the front, where the first begin.
    ends: Vec<u32>,
    perspectives: Vec<u16>,
}

impl SeenBy {
    /// Of no positions, which have so many inputs.
    pub(crate) fn new(inputs: usize) -> Self {
        Self {
            ends: vec![0; inputs + 1],
            perspectives: Vec::new(),
        }
    }

    /// Turns round the inputs of at most 32,768 positions.
    pub(crate) fn fill(&mut self, inputs: &[Inputs]) {
        // A counting sort. First `ends[input + 1]` is the number of perspectives, then where they
        // begin, and once they are written where they end.
        self.ends.fill(0);
        for row in inputs
            .iter()
            .flat_map(|inputs| inputs.rows().as_flattened())
        {
            self.ends[usize::from(*row) + 1] += 1;
        }
        let mut total = 0;
        for end in &mut self.ends[1..] {
            total += std::mem::replace(end, total);
        }
        self.perspectives.clear();
        self.perspectives.resize(total as usize, 0);
        for (inputs, first) in inputs.iter().zip((0u16..).step_by(2)) {
            for row in inputs.rows() {
                for (row, perspective) in row.iter().zip(first..) {
                    let end = &mut self.ends[usize::from(*row) + 1];
                    self.perspectives[*end as usize] = perspective;
                    *end += 1;
                }
            }
        }
    }

    /// The perspectives that see each input, in the order of the inputs.
    #[inline(always)]
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[u16]> {
        let ends = self.ends.windows(2);
        ends.map(|ends| &self.perspectives[ends[0] as usize..ends[1] as usize])
    }
}

/// A phase of the game, by number of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// 25 pieces or more.
    Opening,
    /// 13 to 24 pieces.
    Middlegame,
    /// 12 pieces or fewer.
    Endgame,
}

impl Phase {
    /// Every phase, in the order of a game.
    pub(crate) const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The name in logs.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}
