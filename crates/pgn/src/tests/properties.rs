//! What holds for any input and any game.

use orthrus_core::position::Position;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{game, game_from, main_line, read_all, start_fen};
use crate::{GameResult, Line, MoveNode, Nag};

/// Numbers that a game is made from.
type Seeds = Vec<(u16, u8, String)>;

/// A game whose moves, marks, comments and variations the numbers pick.
fn build(
    start: &Position,
    seeds: &mut std::slice::Iter<'_, (u16, u8, String)>,
    depth: usize,
) -> Line {
    let mut line = Line::default();
    let mut position = start.clone();
    while let Some((choice, kind, comment)) = seeds.next() {
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(usize::from(*choice) % moves.len().max(1)) else {
            break;
        };
        let mut node = MoveNode::new(Some(mv));
        if kind % 3 == 0 {
            node.comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        if kind % 5 == 0 {
            node.nags.push(Nag(*kind));
        }
        while node.variations.len() < usize::from(kind % 4) && depth < 3 && seeds.len() > 0 {
            let variation = build(&position, seeds, depth + 1);
            if !variation.moves.is_empty() {
                node.variations.push(variation);
            }
        }
        line.moves.push(node);
        position.make_move(mv);
        if kind % 7 == 0 && depth > 0 {
            break;
        }
    }
    line
}

fn seeds() -> impl Strategy<Value = Seeds> {
    vec((any::<u16>(), any::<u8>(), "[ -~é\\n]{0,100}"), 0..60)
}

/// Text that looks like PGN for longer than random bytes do.
fn almost_pgn() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(vec![
        "[",
        "]",
        "\"",
        "\\",
        "{",
        "}",
        ";",
        "(",
        ")",
        "%",
        "$1",
        "$999",
        "!",
        "?",
        "*",
        "1-0",
        "1.",
        "e4",
        "e5",
        "Nf3",
        "Nf6",
        "O-O",
        "\n",
        "\r",
        " ",
        "\t",
        "\0",
        "[Event \"x\"]\n",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n",
        "[Variant \"x\"]",
        "Kd2",
        "--",
        "Z0",
        "\u{feff}",
    ]);
    let piece = prop_oneof![8 => word.prop_map(|text| text.as_bytes().to_vec()), 1 => vec(any::<u8>(), 0..4)];
    vec(piece, 0..80).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end(bytes in vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    #[test]
    fn what_is_read_is_written_and_read_again(bytes in almost_pgn()) {
        for (found, _) in read_all(&bytes) {
            let Ok(found) = found else { continue };
            let again = game(&found.to_string());
            prop_assert_eq!(&again.main, &found.main);
            prop_assert_eq!(again.to_string(), found.to_string());
        }
    }

    #[test]
    fn what_is_written_is_read(seeds in seeds(), event in "[ -~é]{0,40}", start in 0u16..960) {
        let start = Position::from_setup(&orthrus_core::position::Setup::chess960(start).unwrap()).unwrap();
        let mut written = game_from(start);
        written.tags.set("Event", &event);
        written.tags.set("Annotator", &event);
        written.result = GameResult::Draw;
        written.main = build(&written.start, &mut seeds.iter(), 0);
        let found = game(&written.to_string());
        prop_assert_eq!(&found.main, &written.main, "{} but {}", main_line(&found), main_line(&written));
        prop_assert_eq!(&found.tags, &written.tags);
        prop_assert_eq!(found.result, written.result);
        prop_assert_eq!(start_fen(&found), start_fen(&written));
    }
}
