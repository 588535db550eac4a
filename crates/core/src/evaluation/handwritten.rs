//! Material and a few rules of thumb: what plays until there is a network.
//!
//! The weights are plain guesses in centipawns, from the general experience that a pawn is worth
//! 100 and a good square a tenth of that; nothing here is tuned.

use super::material::value_of_men;
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, File, PieceType, PieceTypeMap, Rank, Square};

/// The side to move can do something about it.
const TEMPO: i32 = 12;
const BISHOP_PAIR: i32 = 35;
/// A square that a piece can go to without being taken by a pawn.
const MOBILITY: PieceTypeMap<i32> = PieceTypeMap::new([0, 5, 5, 3, 1, 0]);
/// The usual number of such squares: mobility changes no piece's average worth.
const USUAL_MOBILITY: PieceTypeMap<i32> = PieceTypeMap::new([0, 4, 6, 7, 12, 0]);
/// A square next to the enemy king that a piece attacks, while queens are on.
const KING_RING_ATTACK: i32 = 7;
/// A pawn on the own king's file or next to it, one or two ranks before it.
const SHELTER_PAWN: i32 = 14;
/// A pawn that stands or attacks in the centre.
const CENTRE_PAWN: i32 = 9;
/// A knight's step away from the centre.
const KNIGHT_DISTANCE: i32 = 5;
/// A king's step away from the centre, when few pieces are left.
const KING_DISTANCE: i32 = 9;
const ISOLATED_PAWN: i32 = 12;
const DOUBLED_PAWN: i32 = 12;
/// A rook without an own pawn in its file; as much again if there is no pawn at all.
const OPEN_FILE: i32 = 10;
/// A passed pawn by its rank as its side counts, when few pieces are left.
const PASSED_PAWN: [i32; 8] = [0, 10, 15, 30, 55, 90, 140, 0];
/// A pawn's step forward: it gains space, and ground towards promotion.
const PAWN_STEP: i32 = 2;

/// What the pieces count towards the phase: 24 with all of them on the board.
const PHASE: PieceTypeMap<i32> = PieceTypeMap::new([0, 1, 1, 2, 4, 0]);
const OPENING: i32 = 24;

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Centipawns from the side to move.
pub(super) fn evaluate(position: &Position) -> i32 {
    let us = position.side_to_move();
    let phase = phase(position);
    let value = |color| Side::of(position, color).value(phase);
    value(us) - value(!us) + TEMPO
}

/// How many pieces are on the board: from [`OPENING`] down to 0.
fn phase(position: &Position) -> i32 {
    let kinds = PHASE.iter();
    let count = |kind| position.pieces(kind).count() as i32;
    kinds
        .map(|(kind, weight)| weight * count(kind))
        .sum::<i32>()
        .min(OPENING)
}

/// One side's men, and what they look at.
struct Side<'a> {
    position: &'a Position,
    color: Color,
    pawns: Bitboard,
    enemy_pawns: Bitboard,
    king: Square,
}

impl<'a> Side<'a> {
    fn of(position: &'a Position, color: Color) -> Self {
        Self {
            position,
            color,
            pawns: position.pieces_of(color, PieceType::Pawn),
            enemy_pawns: position.pieces_of(!color, PieceType::Pawn),
            king: position.king(color),
        }
    }

    fn value(&self, phase: i32) -> i32 {
        let (activity, pressure) = self.pieces();
        let passed = self.passed_pawns();
        // A passed pawn is something already when there are pieces to stop it.
        let opening = pressure + self.shelter() + passed / 3;
        let ending = passed - KING_DISTANCE * distance_from_centre(self.king);
        let tapered = opening * phase + ending * (OPENING - phase);
        value_of_men(self.position, self.color)
            + activity
            + self.pawn_structure()
            + tapered / OPENING
    }

    /// What pieces do, and how much they press on the enemy king.
    fn pieces(&self) -> (i32, i32) {
        let occupied = self.position.occupied();
        let free = !self.position.color(self.color) - pawn_attacks(self.enemy_pawns, !self.color);
        let ring = attacks::king(self.position.king(!self.color));
        let (mut activity, mut pressure) = (0, 0);
        for (kind, weight) in MOBILITY.iter().filter(|(_, weight)| **weight > 0) {
            for square in self.position.pieces_of(self.color, kind) {
                let reach = attacks::piece(kind, square, occupied) & free;
                activity += weight * (reach.count() as i32 - USUAL_MOBILITY[kind]);
                pressure += KING_RING_ATTACK * (reach & ring).count() as i32;
            }
        }
        for square in self.position.pieces_of(self.color, PieceType::Knight) {
            activity -= KNIGHT_DISTANCE * distance_from_centre(square);
        }
        for square in self.position.pieces_of(self.color, PieceType::Rook) {
            let file = Bitboard::file(square.file());
            if !file.intersects(self.pawns) {
                activity += OPEN_FILE
                    * if file.intersects(self.enemy_pawns) {
                        1
                    } else {
                        2
                    };
            }
        }
        let bishops = self.position.pieces_of(self.color, PieceType::Bishop);
        (
            activity + BISHOP_PAIR * i32::from(bishops.several()),
            pressure,
        )
    }

    fn shelter(&self) -> i32 {
        let near = attacks::king(self.king) | Bitboard::of(self.king);
        let before = ahead(self.king, self.color) & files_around(self.king.file());
        let shelter = before & (near | near.forward(self.color)) & self.pawns;
        SHELTER_PAWN * shelter.count().min(3) as i32
    }

    fn pawn_structure(&self) -> i32 {
        let centre =
            (self.pawns & CENTRE).count() + (pawn_attacks(self.pawns, self.color) & CENTRE).count();
        let mut value = CENTRE_PAWN * centre as i32;
        for square in self.pawns {
            let file = Bitboard::file(square.file());
            let neighbours = files_around(square.file()) - file;
            value += PAWN_STEP * (self.color.relative_rank(square.rank()) as i32 - 1);
            value -= ISOLATED_PAWN * i32::from(!neighbours.intersects(self.pawns));
            let doubled = (ahead(square, self.color) & file).intersects(self.pawns);
            value -= DOUBLED_PAWN * i32::from(doubled);
        }
        value
    }

    fn passed_pawns(&self) -> i32 {
        let value = |square: Square| {
            let way = ahead(square, self.color) & files_around(square.file());
            let rank = self.color.relative_rank(square.rank());
            if way.intersects(self.enemy_pawns) {
                0
            } else {
                PASSED_PAWN[rank as usize]
            }
        };
        self.pawns.into_iter().map(value).sum()
    }
}

/// King steps to the nearest of the four squares in the centre.
fn distance_from_centre(square: Square) -> i32 {
    let from_middle = |index: u8| (i32::from(index) * 2 - 7).abs() / 2;
    from_middle(square.file() as u8).max(from_middle(square.rank() as u8))
}

/// The file and its neighbours.
fn files_around(file: File) -> Bitboard {
    let square = Square::new(file, Rank::First);
    let neighbours = attacks::king(square) & Bitboard::rank(Rank::First);
    neighbours
        .with(square)
        .into_iter()
        .fold(Bitboard::EMPTY, |files, square| {
            files | Bitboard::file(square.file())
        })
}

/// All ranks before that of `square`, as `color` looks.
fn ahead(square: Square, color: Color) -> Bitboard {
    let rank = square.rank() as u32;
    match color {
        Color::White => Bitboard((!0_u64 << 8) << (rank * 8)),
        Color::Black => Bitboard((1_u64 << (rank * 8)) - 1),
    }
}

/// The squares that these pawns attack.
fn pawn_attacks(pawns: Bitboard, color: Color) -> Bitboard {
    pawns.into_iter().fold(Bitboard::EMPTY, |squares, pawn| {
        squares | attacks::pawn(color, pawn)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn value(text: &str) -> i32 {
        evaluate(&fen::parse(text).unwrap())
    }

    #[test]
    fn both_sides_are_judged_alike() {
        let white = "r1bqk2r/ppp2ppp/2n2n2/2bpp3/4P3/2PP1N2/PP1NBPPP/R1BQ1RK1 w kq - 0 7";
        let black = "r1bq1rk1/pp1nbppp/2pp1n2/4p3/2BPP3/2N2N2/PPP2PPP/R1BQK2R b KQ - 0 7";
        assert_eq!(value(white), value(black));
    }

    #[test]
    fn each_term_points_the_right_way() {
        let better_and_worse = [
            // A pawn that nothing can stop.
            (
                "4k3/8/3P4/8/8/8/5p2/4K3 w - - 0 1",
                "4k3/3p4/3P4/8/8/8/5p2/4K3 w - - 0 1",
            ),
            // The king behind its pawns.
            (
                "r2q2k1/5ppp/8/8/8/8/5PPP/R2Q2K1 w - - 0 1",
                "r2q2k1/5ppp/8/8/8/8/5PPP/R2QK3 w - - 0 1",
            ),
            // The king in the centre of an ending.
            (
                "4k3/p7/8/8/3K4/8/P7/8 w - - 0 1",
                "4k3/p7/8/8/8/8/P7/K7 w - - 0 1",
            ),
            // Two bishops.
            (
                "4k3/pppppppp/8/8/8/8/PPPPPPPP/2B1KB2 w - - 0 1",
                "4k3/pppppppp/8/8/8/8/PPPPPPPP/1NB1K3 w - - 0 1",
            ),
            // A free rook.
            (
                "4k3/ppp2ppp/8/8/8/8/PPP2PPP/3RK3 w - - 0 1",
                "4k3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w - - 0 1",
            ),
        ];
        for (better, worse) in better_and_worse {
            assert!(value(better) > value(worse), "{better} against {worse}");
        }
    }

    #[test]
    fn nothing_but_the_tempo_is_gained_at_the_start() {
        assert_eq!(evaluate(&Position::startpos()), TEMPO);
    }
}
