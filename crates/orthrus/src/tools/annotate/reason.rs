//! Why a marked move was bad, read off the lines.

use orthrus_core::position::{Outcome, Position};
use orthrus_core::types::{Color, Move, PieceType, Score};

use super::accuracy::{percent_for, win_percent};
use super::review::Review;

/// How far a line is followed to see what it wins, in plies.
const HORIZON: usize = 9;

/// From this chance to win, in percent, a game is won; at most its complement is lost.
const WON: f64 = 75.0;

/// Pieces from the most valuable down: kind, name and worth in pawns.
const MEN: [(PieceType, &str, i32); 5] = [
    (PieceType::Queen, "queen", 9),
    (PieceType::Rook, "rook", 5),
    (PieceType::Bishop, "bishop", 3),
    (PieceType::Knight, "knight", 3),
    (PieceType::Pawn, "pawn", 1),
];

/// What the marked move with this index does, as the end of a sentence that begins with "this":
/// `allows mate in 2`, `loses the knight`. `None` if nothing of the kind can be seen.
pub(super) fn reason(review: &Review, index: usize) -> Option<String> {
    let position = &review.positions[index];
    let side = position.side_to_move();
    let (before, after) = (
        review.evaluations.get(index)?,
        review.evaluations.get(index + 1)?,
    );
    let [had, has] = [before, after].map(|it| it.score.white_relative(side));
    if let Some(moves) = mate_against(has).filter(|_| mate_against(had).is_none()) {
        return Some(format!("allows mate in {moves}"));
    }
    if let Some(moves) = mate_against(-had).filter(|_| !has.is_win()) {
        return Some(format!("misses mate in {moves}"));
    }
    let [had, has] = [before, after].map(|it| percent_for(side, win_percent(it.score)));
    if had >= WON && review.positions[index + 1].outcome() == Some(Outcome::Stalemate) {
        return Some("is stalemate".to_owned());
    }
    let mut played = vec![review.game.main.moves.get(index)?.mv?];
    played.extend(&after.line);
    let [best, played] = [&before.line, &played].map(|line| Haul::of(position, line));
    // Who must capture wants to lose his men.
    let counts_men = !position.has_compulsory_captures();
    if counts_men && played.value < 0 && played.value < best.value {
        return played
            .lost(position, side)
            .map(|what| format!("loses {what}"));
    }
    if counts_men && best.value > 0 && best.value >= played.value + 3 {
        return best
            .won(position, side)
            .map(|what| format!("misses a chance to win {what}"));
    }
    match () {
        () if had >= WON && has < WON => Some("misses a win"),
        () if had > 100.0 - WON && has <= 100.0 - WON => Some("leads to a lost position"),
        () => None,
    }
    .map(str::to_owned)
}

/// The number of moves in which this side is mated; `None` if the game is over.
fn mate_against(score: Score) -> Option<i32> {
    let moves = score.mate_moves().filter(|_| score.is_loss());
    moves.map(i32::abs).filter(|&moves| moves > 0)
}

/// What a line wins and costs the side that begins it, with exchanges taken out.
#[derive(Debug, Default)]
struct Haul {
    /// How many of [`MEN`] each side lost.
    own: [i32; 5],
    others: [i32; 5],
    /// What is won less what is lost, in pawns.
    value: i32,
}

impl Haul {
    /// Of what a line leads to where it is quiet for the last time before the horizon: there the
    /// next move takes nothing and nobody is in check.
    fn of(start: &Position, line: &[Move]) -> Self {
        let mut position = start.without_history();
        let mut quiet = Self::default();
        for (index, &mv) in line.iter().enumerate().take(HORIZON) {
            if !position.is_legal(mv) {
                break;
            }
            position.make_move(mv);
            let next = line.get(index + 1);
            let is_quiet = next.is_some_and(|mv| !mv.is_capture() && mv.promotion().is_none());
            if is_quiet && !position.in_check() {
                quiet = Self::between(start, &position);
            }
        }
        quiet
    }

    fn between(start: &Position, end: &Position) -> Self {
        let side = start.side_to_move();
        let lost = |color: Color| {
            let count = |at: &Position, man| {
                at.pieces_of(color, man).count() as i32 + i32::from(at.hand(color).count(man))
            };
            let lost = MEN.map(|(man, ..)| count(start, man) - count(end, man));
            if start.variant().has_hands() {
                // What one side has more the other has lost.
                lost.map(|count| count.max(0))
            } else {
                lost
            }
        };
        let (mut own, mut others) = (lost(side), lost(!side));
        let worth = |lost: [i32; 5]| -> i32 {
            lost.iter()
                .zip(MEN)
                .map(|(count, (.., worth))| count * worth)
                .sum()
        };
        let value = worth(others) - worth(own);
        let mut trade = |mine: usize, theirs: usize| {
            let traded = own[mine].min(others[theirs]).max(0);
            own[mine] -= traded;
            others[theirs] -= traded;
        };
        for man in 0..MEN.len() {
            trade(man, man);
        }
        // A bishop for a knight is an even trade.
        trade(2, 3);
        trade(3, 2);
        Self { own, others, value }
    }

    fn lost(&self, start: &Position, side: Color) -> Option<String> {
        name(&self.own, &self.others, start, side)
    }

    fn won(&self, start: &Position, side: Color) -> Option<String> {
        name(&self.others, &self.own, start, !side)
    }
}

/// What goes, and for what: `the queen for a rook`. `None` if there is no short name.
fn name(gone: &[i32; 5], gained: &[i32; 5], start: &Position, owner: Color) -> Option<String> {
    if gone.iter().chain(gained).any(|&count| count < 0) {
        // A pawn was promoted on the way.
        return None;
    }
    let kinds =
        |lost: &[i32; 5]| -> Vec<usize> { (0..MEN.len()).filter(|&man| lost[man] > 0).collect() };
    match (&kinds(gone)[..], &kinds(gained)[..]) {
        (&[4], []) if gone[4] == 1 => Some("a pawn".to_owned()),
        (&[4], []) => Some(format!("{} pawns", gone[4])),
        (&[1], &[2 | 3] | &[2 | 3, 4]) if gone[1] == 1 => Some("the exchange".to_owned()),
        (&[man, ..], []) if gone[man] == 1 => Some(one(man, start, owner)),
        (&[man], &[other]) if gone[man] == 1 && gained[other] == 1 => {
            Some(format!("{} for a {}", one(man, start, owner), MEN[other].1))
        }
        (&[man], &[4]) if gone[man] == 1 => Some(format!("{} for pawns", one(man, start, owner))),
        _ => Some("material".to_owned()),
    }
}

/// `the queen`, or `a knight` of several.
fn one(man: usize, start: &Position, owner: Color) -> String {
    let article = if start.pieces_of(owner, MEN[man].0).count() == 1 {
        "the"
    } else {
        "a"
    };
    format!("{article} {}", MEN[man].1)
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;
    use orthrus_core::notation::parse_san;

    use super::*;

    /// What the side to move loses and what it wins by this line.
    fn haul(fen: &str, line: &str) -> (i32, Option<String>, Option<String>) {
        let start = fen::parse(fen).unwrap();
        let mut position = start.clone();
        let moves: Vec<Move> = line
            .split_whitespace()
            .map(|text| {
                let mv = parse_san(&position, text).unwrap();
                position.make_move(mv);
                mv
            })
            .collect();
        let haul = Haul::of(&start, &moves);
        let side = start.side_to_move();
        (haul.value, haul.lost(&start, side), haul.won(&start, side))
    }

    fn lost(fen: &str, line: &str) -> Option<String> {
        haul(fen, line).1
    }

    #[test]
    fn what_is_lost_has_a_name() {
        let fen = "r3k3/8/2n5/8/3Q4/2N1N3/1P4P1/R3K3 w - - 0 1";
        assert_eq!(lost(fen, "b3 Nxd4 Kf2").as_deref(), Some("the queen"));
        let fen = "4k3/8/1b6/8/3p4/2N1N3/6P1/4K3 w - - 0 1";
        assert_eq!(lost(fen, "g3 dxe3 g4").as_deref(), Some("a knight"));
        let fen = "4k3/8/8/3b4/8/8/6R1/4K1B1 w - - 0 1";
        assert_eq!(lost(fen, "Be3 Bxg2 Kf2 Bc6").as_deref(), Some("the rook"));
        let fen = "4k3/8/8/8/4b3/8/6R1/4K2B w - - 0 1";
        assert_eq!(
            lost(fen, "Ke2 Bxg2 Bxg2 Kd7").as_deref(),
            Some("the exchange")
        );
    }

    #[test]
    fn an_exchange_is_no_loss() {
        let fen = "4k3/8/2n5/8/3N4/2P5/8/4K3 w - - 0 1";
        assert_eq!(haul(fen, "Kd2 Nxd4 cxd4 Ke7").0, 0);
        // In the middle of it nothing is said.
        assert_eq!(haul(fen, "Kd2 Nxd4").0, 0);
        let (value, _, won) = haul(fen, "Nxc6 Kf7 Kd2");
        assert_eq!((value, won.as_deref()), (3, Some("the knight")));
    }
}
