//! What Orthrus says, as lines (sections 9, 10 and 12).

use std::fmt::Write as _;

use orthrus_core::book::BookMove;
use orthrus_core::evaluation::WinDrawLoss;
use orthrus_core::notation::{write_moves, write_san};
use orthrus_core::position::{Aim, Ending, Outcome, Position};
use orthrus_core::search::{Bound, Progress, SearchInfo};
use orthrus_core::types::{Color, MAX_PLY, Move, Score};

use crate::error::{IllegalMove, Refusal};

/// The longest part of a refused line that is echoed, in characters.
const LONGEST_ECHO: usize = 200;
/// Scores from here on are mates: 100000 + N is mate in N moves.
const MATE: i32 = 100_000;

/// `Error (REASON): COMMAND`, `Illegal move (REASON): MOVE`, or `Illegal move: MOVE` if there is no
/// reason to give.
pub(crate) fn refusal(refusal: &Refusal, line: &str) -> String {
    let line = echo(line);
    let text = match refusal {
        Refusal::Command(error) => format!("Error ({error}): {line}"),
        Refusal::Move(reason) => {
            let mv = line.strip_prefix("usermove").unwrap_or(&line).trim();
            match reason {
                IllegalMove::Impossible => format!("Illegal move: {mv}"),
                reason => format!("Illegal move ({reason}): {mv}"),
            }
        }
    };
    text.trim_end().to_owned()
}

/// `tellusererror Illegal position: ...`. The set-up is quoted, because PyChess looks for its own
/// in it.
pub(crate) fn illegal_position(reason: &str, setup: &str) -> String {
    let reason = echo(reason);
    let text = format!("tellusererror Illegal position: {reason}: {}", echo(setup));
    text.trim_end().to_owned()
}

/// Text from outside, trimmed, cut and without control characters: fit for one line of output.
pub(crate) fn echo(text: &str) -> String {
    let text = text.trim();
    let mut echo: String = text
        .chars()
        .take(LONGEST_ECHO)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LONGEST_ECHO).is_some() {
        echo.push_str("...");
    }
    echo
}

/// `RESULT {comment}` for a game that is over by rule.
pub(crate) fn result(outcome: Outcome) -> String {
    let text = match outcome {
        Outcome::Variant(Ending::Won(winner, aim)) => return variant_result(winner, aim),
        Outcome::Variant(Ending::Tie) => "1/2-1/2 {Both kings have reached the eighth rank}",
        Outcome::Checkmate(Color::White) => "1-0 {White mates}",
        Outcome::Checkmate(Color::Black) => "0-1 {Black mates}",
        Outcome::Stalemate => "1/2-1/2 {Stalemate}",
        Outcome::Repetition => "1/2-1/2 {Draw by repetition}",
        Outcome::FiftyMoves => "1/2-1/2 {Draw by fifty move rule}",
        Outcome::InsufficientMaterial => "1/2-1/2 {Draw by insufficient mating material}",
    };
    text.to_owned()
}

/// The result of a game that was won as only its variant can be.
fn variant_result(winner: Color, aim: Aim) -> String {
    let side = winner.name();
    let result = match winner {
        Color::White => "1-0",
        Color::Black => "0-1",
    };
    match aim {
        Aim::Hill => format!("{result} {{{side} king has reached the centre}}"),
        Aim::Checks => format!("{result} {{{side} has given the third check}}"),
        Aim::Race => format!("{result} {{{side} king has won the race}}"),
        Aim::Explosion => format!("{result} {{{side} has blown up the king}}"),
        Aim::HordeTaken => format!("{result} {{{side} has taken the horde}}"),
        Aim::AllGiven => format!("{result} {{{side} has given all away}}"),
        Aim::NoMoves => format!("{result} {{{side} has no move}}"),
        Aim::FewerMen => format!("{result} {{Stalemate, {side} has fewer men}}"),
        Aim::Mated => format!("{result} {{{side} is mated}}"),
    }
}

/// A thinking line (section 10): `ply score time nodes seldepth nps tbhits TAB pv`, the score in
/// centipawns as the engine sees it, the time in centiseconds. A score that is only a bound ends in
/// `!` (lower) or `?` (upper).
pub(crate) fn thinking(info: &SearchInfo, score: Score, bound: Bound, pv: &[String]) -> String {
    let bound = match bound {
        Bound::Exact => "",
        Bound::Lower => " !",
        Bound::Upper => " ?",
    };
    format!(
        "{} {} {} {} {} {} {}\t{}{bound}",
        info.depth,
        centipawns(score),
        info.time.as_millis() / 10,
        info.nodes,
        info.seldepth,
        info.nps(),
        info.tbhits,
        pv.join(" "),
    )
}

/// A thinking line with the four numbers that are not optional (section 10), and no tab.
pub(crate) fn without_options(line: &str) -> String {
    let (numbers, pv) = line.split_once('\t').unwrap_or((line, ""));
    let required = numbers.split(' ').take(4);
    required.chain([pv]).collect::<Vec<_>>().join(" ")
}

/// `# wdl W D L`: the chances to win, draw and lose after a thinking line, in permille, if an option
/// asks for them. A comment, as the protocol has no field for them; so are the next two.
pub(crate) fn chances(chances: WinDrawLoss) -> String {
    format!("# wdl {} {} {}", chances.win, chances.draw, chances.loss)
}

/// `# refutation M1 M2 ...`: a root move, and the line found against it.
pub(crate) fn refutation(line: &[Move], root: &Position) -> String {
    format!(
        "# refutation {}",
        write_moves(root, line, write_san).join(" ")
    )
}

/// `# currline N M1 M2 ...`: the line that the thread of this number, from 1, is searching.
pub(crate) fn current_line(cpu: usize, line: &[Move], root: &Position) -> String {
    format!(
        "# currline {cpu} {}",
        write_moves(root, line, write_san).join(" ")
    )
}

/// A score in centipawns, or 100000 + N for a mate in N moves, negative if the engine is mated.
fn centipawns(score: Score) -> i32 {
    match score.mate_moves() {
        Some(moves) if score.is_win() => MATE + moves,
        Some(moves) => moves - MATE,
        None => score.value(),
    }
}

/// A move played from the book: a thinking line in brackets, which GUIs show as it is. `root` is
/// where it is played.
pub(crate) fn book_move(root: &Position, chosen: Move, moves: &[BookMove]) -> String {
    let text = |found: &BookMove| {
        let share = found.percentage(moves);
        format!("{} {share:.0} %", write_san(root, found.mv))
    };
    let (first, others): (Vec<&BookMove>, Vec<&BookMove>) =
        moves.iter().partition(|found| found.mv == chosen);
    let words: Vec<String> = first.into_iter().chain(others).map(text).collect();
    // A depth of 1, because PyChess takes `0 0 0 0` at the start of a line for `book off`.
    format!("1 0 0 0\t(book: {})", words.join(", "))
}

/// The thinking line of a position without a legal move, with brackets where moves would be. It holds at
/// every depth, and says so: python-chess waits for the depth that it was asked for.
pub(crate) fn finished(position: &Position) -> String {
    let (score, end) = match position.end_on_board() {
        Some(Outcome::Variant(Ending::Won(winner, _))) if winner == position.side_to_move() => {
            (MATE, "won")
        }
        Some(Outcome::Variant(Ending::Won(..))) => (-MATE, "lost"),
        Some(Outcome::Variant(Ending::Tie)) => (0, "drawn"),
        Some(Outcome::Checkmate(_)) => (-MATE, "mate"),
        _ => (0, "stalemate"),
    };
    format!("{} {score} 0 0 0 0 0\t({end})", MAX_PLY - 1)
}

/// `stat01: time nodes ply mvleft mvtot mvname` (section 12), the time in centiseconds. `current`
/// is the text of the move being searched, if it is known.
pub(crate) fn status(progress: &Progress, current: Option<&str>) -> String {
    let mut line = format!(
        "stat01: {} {} {} {} {}",
        progress.time.as_millis() / 10,
        progress.nodes,
        progress.depth,
        progress.move_count.saturating_sub(progress.move_number),
        progress.move_count,
    );
    if let Some(current) = current {
        let _ = write!(line, " {current}");
    }
    line
}

/// The status when there is nothing to search.
pub(crate) const IDLE_STATUS: &str = "stat01: 0 0 0 0 0";

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use orthrus_core::notation;

    use super::*;
    use crate::error::CommandError;

    fn info(pv: &str) -> SearchInfo {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for text in pv.split_whitespace() {
            let mv = notation::parse_move(&position, text).unwrap();
            position.make_move(mv);
            moves.push(mv);
        }
        SearchInfo {
            depth: 9,
            seldepth: 14,
            multipv: 1,
            score: Score::centipawns(156),
            bound: Bound::Exact,
            is_table_draw: false,
            nodes: 48_000,
            time: Duration::from_millis(10_849),
            hashfull: 0,
            tbhits: 3,
            pv: moves,
        }
    }

    #[test]
    fn thinking_has_the_optional_fields_before_the_tab() {
        let info = info("Nf3 Nc6 Nc3");
        let pv = write_moves(&Position::startpos(), &info.pv, write_san);
        assert_eq!(
            thinking(&info, info.score, Bound::Exact, &pv),
            "9 156 1084 48000 14 4424 3\tNf3 Nc6 Nc3"
        );
        assert_eq!(
            thinking(&info, Score::mate_in(3), Bound::Lower, &pv),
            "9 100002 1084 48000 14 4424 3\tNf3 Nc6 Nc3 !"
        );
        assert_eq!(
            thinking(&info, Score::mated_in(4), Bound::Upper, &pv),
            "9 -100002 1084 48000 14 4424 3\tNf3 Nc6 Nc3 ?"
        );
    }

    #[test]
    fn mates_count_moves() {
        assert_eq!(centipawns(Score::mate_in(1)), 100_001);
        assert_eq!(centipawns(Score::mated_in(2)), -100_001);
        assert_eq!(centipawns(Score::mated_in(0)), -100_000);
    }

    #[test]
    fn wrong_lines_come_back_short_and_whole() {
        let unknown = Refusal::Command(CommandError::Unknown);
        assert_eq!(
            refusal(&unknown, "abc\0d"),
            "Error (unknown command): abc d"
        );
        let long = refusal(&unknown, &"x".repeat(100_000));
        assert!(long.len() < 300 && long.ends_with("..."));
        let illegal = Refusal::Move(IllegalMove::OutOfTurn);
        assert_eq!(
            refusal(&illegal, "usermove e2e4"),
            "Illegal move (out of turn): e2e4"
        );
    }
}
