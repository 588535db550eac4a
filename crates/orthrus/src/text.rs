//! Text for people and programs: boards, scores, lines and numbers; and the text of bytes that
//! were read.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use orthrus_core::evaluation::WinDrawLoss;
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{CastlingText, write_coordinate, write_moves, write_san};
use orthrus_core::position::{Aim, Ending, Outcome, Position};
use orthrus_core::search::SearchInfo;
use orthrus_core::types::{Color, File, Move, Piece, Rank, Score, Square};
use serde_json::{Value, json};

/// The version of what tools write as JSON, raised when a name goes or changes its meaning; new names
/// may come at any time.
pub(crate) const JSON_SCHEMA: u32 = 1;

/// The text of a line. One that is not UTF-8 is Latin-1: cutechess writes that, and names files in
/// it; on Windows it is in the code page of the system, as `WinBoard` and Arena write. A NUL that is quoted in an answer would end the line for a client written in C.
pub(crate) fn decode(line: &[u8]) -> String {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let text = match str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        #[cfg(windows)]
        Err(_) => crate::code_page::decode(line),
        #[cfg(not(windows))]
        Err(_) => line.iter().copied().map(char::from).collect(),
    };
    text.replace('\0', "\u{fffd}")
}

/// The text with a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Text that only shows something: names of files and positions may hold sequences that a terminal
/// obeys. What a control character is replaced with stands for it in JSON too.
pub(crate) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() && !matches!(letter, '\n' | '\t') {
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// The board in letters, with the side `below` at the bottom.
pub(crate) fn board(position: &Position, below: Color) -> Vec<String> {
    const BORDER: &str = "  +---+---+---+---+---+---+---+---+";
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match below {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut lines = vec![BORDER.to_owned()];
    for rank in ranks {
        let squares = files.map(|file| {
            let piece = position.piece_on(Square::new(file, rank));
            piece.map_or(' ', Piece::letter).to_string()
        });
        lines.push(format!("{} | {} |", rank.digit(), squares.join(" | ")));
        lines.push(BORDER.to_owned());
    }
    let letters = files.map(|file| file.letter().to_string());
    lines.push(format!("    {}", letters.join("   ")));
    lines.extend(men_in_hand(position));
    lines
}

/// What each side can drop, if men are dropped in this game.
pub(crate) fn men_in_hand(position: &Position) -> Option<String> {
    if !position.variant().has_hands() {
        return None;
    }
    let hand = |color: Color| {
        let men = position.hand(color).men();
        let letters: String = men.map(|kind| Piece::new(color, kind).letter()).collect();
        if letters.is_empty() {
            "none".to_owned()
        } else {
            letters
        }
    };
    let [white, black] = Color::ALL.map(hand);
    Some(format!("In hand: White {white}, Black {black}"))
}

/// How a game has ended, in a sentence.
pub(crate) fn ending(outcome: Outcome) -> String {
    let drawn = match outcome {
        Outcome::Checkmate(winner) => return format!("Checkmate: {} has won.", winner.name()),
        Outcome::Variant(Ending::Won(winner, aim)) => {
            let reached = match aim {
                Aim::Hill => "The king is in the centre",
                Aim::Checks => "The third check",
                Aim::Race => "The race is over",
                Aim::Explosion => "A king has exploded",
                Aim::HordeTaken => "The horde is taken",
                Aim::AllGiven => "All is given away",
                Aim::NoMoves => "No move is left",
                Aim::FewerMen => "Stalemate with fewer men",
                Aim::Mated => "Checkmate, the aim of losers",
            };
            return format!("{reached}: {} has won.", winner.name());
        }
        Outcome::Stalemate => "Stalemate",
        Outcome::Repetition => "Threefold repetition",
        Outcome::FiftyMoves => "Fifty moves without a capture or a pawn move",
        Outcome::InsufficientMaterial => "Neither side can mate",
        Outcome::Variant(Ending::Tie) => "Both kings have reached the eighth rank",
    };
    format!("{drawn}: a draw.")
}

/// A score in JSON: centipawns, `{"cp":35}`, or moves to the mate, `{"mate":-3}`, negative if this
/// side is mated and 0 if it is checkmated already.
pub(crate) fn score_json(score: Score) -> Value {
    match score.mate_moves() {
        Some(moves) => json!({ "mate": moves }),
        None => json!({ "cp": score.value() }),
    }
}

/// Chances to win, to draw and to lose in JSON, in permille.
pub(crate) fn chances_json(chances: WinDrawLoss) -> Value {
    json!([chances.win, chances.draw, chances.loss])
}

/// The FEN of a position, as everybody reads it.
pub(crate) fn fen(position: &Position) -> String {
    fen::write(position, CastlingLetters::KingAndQueen)
}

/// A move as in UCI, with castling as the position asks.
pub(crate) fn coordinates(position: &Position, mv: Move) -> String {
    write_coordinate(position, mv, CastlingText::fitting(position))
}

/// `+0.35`, `#-3`, and `+TB` for a win that is known from endgame tables, though not the mate.
pub(crate) fn score_text(score: Score) -> String {
    match score {
        score if !score.is_by_tablebase() => score.to_string(),
        score if score.is_win() => "+TB".to_owned(),
        _ => "-TB".to_owned(),
    }
}

/// The chances of White by a search of `position`.
pub(crate) fn white_chances(info: &SearchInfo, position: &Position) -> WinDrawLoss {
    let chances = info.chances(position);
    match position.side_to_move() {
        Color::White => chances,
        Color::Black => chances.reversed(),
    }
}

/// The moves in SAN with their numbers: `12... Nf6 13. e5`.
pub(crate) fn numbered_line(position: &Position, moves: &[Move]) -> String {
    let mut number = position.fullmove_number();
    let mut side = position.side_to_move();
    let mut words = Vec::with_capacity(2 * moves.len());
    for san in write_moves(position, moves, write_san) {
        match side {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        if side == Color::Black {
            number = number.saturating_add(1);
        }
        words.push(san);
        side = !side;
    }
    words.join(" ")
}

/// Whether users mean standard input or standard output by this name.
pub(crate) fn is_standard_stream(file: &Path) -> bool {
    file == Path::new("-")
}

/// The name of a file to read, as users know it.
pub(crate) fn shown(file: &Path) -> String {
    if is_standard_stream(file) {
        "standard input".to_owned()
    } else {
        file.display().to_string()
    }
}

/// `1 game`, `2 games`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// `850`, `85 k`, `8.5 M`: at most four digits.
pub(crate) fn short_count(count: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    let unit = UNITS
        .iter()
        .find(|&&(unit, _)| count >= 10 * unit || (unit > 1000 && count >= unit));
    match unit {
        None => count.to_string(),
        Some(&(unit, letter)) if count < 10 * unit => {
            format!("{:.1} {letter}", count as f64 / unit as f64)
        }
        Some(&(unit, letter)) => format!("{} {letter}", count / unit),
    }
}

/// `0.034 s`, `3.40 s`, `2:05`, `1:02:05`.
pub(crate) fn short_time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0 => format!("{:.3} s", time.as_secs_f64()),
        1..60 => format!("{:.2} s", time.as_secs_f64()),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!(
            "{}:{:02}:{:02}",
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        ),
    }
}

/// Milliseconds, as JSON has them.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use orthrus_core::fen;
    use orthrus_core::notation::parse_coordinate;

    use super::*;

    fn line(fen: &str, moves: &[&str]) -> String {
        let start = fen::parse(fen).unwrap();
        let mut position = start.clone();
        let read = |text: &&str| {
            let mv = parse_coordinate(&position, text).unwrap();
            position.make_move(mv);
            mv
        };
        let moves: Vec<Move> = moves.iter().map(read).collect();
        numbered_line(&start, &moves)
    }

    #[test]
    fn lines_have_move_numbers() {
        let white = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(line(white, &["e2e4", "e7e5", "g1f3"]), "1. e4 e5 2. Nf3");
        let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7";
        assert_eq!(line(black, &["e7e5", "g1f3"]), "7... e5 8. Nf3");
        assert_eq!(line(black, &[]), "");
    }

    #[test]
    fn numbers_are_short() {
        let counts = [
            0,
            9_999,
            10_000,
            999_999,
            1_000_000,
            12_345_678,
            3_000_000_000,
        ];
        assert_eq!(
            counts.map(short_count),
            ["0", "9999", "10 k", "999 k", "1.0 M", "12 M", "3.0 G"]
        );
        let times = [34, 3_400, 125_000, 3_725_000].map(Duration::from_millis);
        assert_eq!(
            times.map(short_time),
            ["0.034 s", "3.40 s", "2:05", "1:02:05"]
        );
    }

    #[test]
    fn wins_by_tables_are_named() {
        let scores = [
            Score::centipawns(-35),
            Score::mated_in(4),
            Score::tb_win(11),
            -Score::tb_win(0),
        ];
        assert_eq!(scores.map(score_text), ["-0.35", "#-2", "+TB", "-TB"]);
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!(
            [0, 1, 2].map(|count| counted(count, "game")),
            ["0 games", "1 game", "2 games"]
        );
    }

    #[test]
    fn scores_are_tagged() {
        let json = |score| score_json(score).to_string();
        assert_eq!(json(Score::centipawns(-35)), "{\"cp\":-35}");
        assert_eq!(json(Score::mated_in(4)), "{\"mate\":-2}");
    }
}
