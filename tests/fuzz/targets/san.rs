//! Moves as text, after a FEN on the first line.

use orthrus_core::fen;
use orthrus_core::notation::{
    CastlingText, parse_coordinate, parse_move, parse_san, write_coordinate, write_san,
};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::Move;

use super::{POSITIONS, inputs, text};

/// The text of a move is rejected, or is a legal move; and every legal move is read back as it was
/// written.
pub(super) fn run(bytes: &[u8]) {
    let text = text(bytes);
    let (fen, moves) = text.split_once('\n').unwrap_or(("", &text));
    // One with men in hand is of crazyhouse, which has drops.
    let parsed = fen::parse(fen).or_else(|_| fen::parse_as(Variant::Crazyhouse, fen));
    let Ok(mut position) = parsed else {
        return;
    };
    for text in moves.lines() {
        let parsed = [parse_move, parse_san, parse_coordinate].map(|parse| parse(&position, text));
        for mv in parsed.into_iter().flatten() {
            assert!(position.is_legal(mv), "{text}");
            check(&position, mv);
        }
        if let [Ok(mv), ..] = parsed {
            position.make_move(mv);
        }
    }
    for mv in position.legal_moves() {
        check(&position, mv);
    }
}

fn check(position: &Position, mv: Move) {
    let san = write_san(position, mv);
    assert_eq!(parse_san(position, &san), Ok(mv), "{san}");
    let always_right = CastlingText::KingTakesRook;
    let text = write_coordinate(position, mv, always_right);
    assert_eq!(parse_coordinate(position, &text), Ok(mv), "{text}");
}

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let moves = [
        "e4\ne7e5\nNf3\nNc6\nBb5\na6\nBxc6\ndxc6\n0-0\n",
        "O-O\nO-O-O\ne1g1\ne8a8\nNxd7+\nd5e6!\n",
        "exf6\ng7f6\nQh5+ \ng6\nQh5xg6#\n",
        "gxh1=Q\nbxa8=N+\nf2f1r\nb8Q\n",
        "O-O-O\ng1f1\nNac1\nN2c1\n",
        "e4\n--\nZ0\n0000\nK@e4\n",
    ];
    let positions = POSITIONS.iter().zip(moves.iter().cycle());
    let drops = "4k3/8/8/8/4r3/8/8/R~3K3[QNPpp] w - - 0 1\nN@e2\np@d2+\nKxd2\n@e3\nQ@F7#\nQ@e1\n";
    let positions = positions.map(|(fen, moves)| format!("{fen}\n{moves}"));
    inputs(positions.chain([drops.to_owned()]))
}
