//! `orthrus-trainer dump`: games as text, for people looking for mistakes.

use std::io::{self, BufWriter, Write, stdout};
use std::path::PathBuf;

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{CastlingText, write_coordinate};

use super::CommandResult;
use crate::data::{DataReader, GameRecord, intact};

/// Writes the games of a data file as text: a line for each game, then one for each ply with
/// position, move, and score from the side to move (`-` in the opening).
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many games to skip at the beginning.
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    /// How many games to write [default: all].
    #[arg(long, value_name = "N")]
    games: Option<usize>,
}

/// Writes the games.
///
/// # Errors
///
/// If the file is not a data file, cannot be read, or the output cannot be written. Damaged blocks
/// are reported and skipped.
pub fn run(args: &Args) -> CommandResult {
    let games = DataReader::open(&args.file)?.games();
    let games = intact(games, |damaged| log::warn!("{damaged}"));
    let mut output = BufWriter::new(stdout().lock());
    let count = args.games.unwrap_or(usize::MAX);
    for (number, game) in games.enumerate().skip(args.skip).take(count) {
        write_game(&mut output, number, &game?)?;
    }
    output.flush()?;
    Ok(())
}

fn write_game(output: &mut impl Write, number: usize, game: &GameRecord) -> io::Result<()> {
    writeln!(
        output,
        "# game {number}: {} by {}, {} plies, the first {} random",
        game.result.text(),
        game.reason.text(),
        game.moves.len(),
        game.opening_plies
    )?;
    let mut replay = game.replay().map_err(io::Error::other)?;
    while let Some(ply) = replay.next_ply() {
        let position = fen::write(ply.position, CastlingLetters::RookFiles);
        let mv = write_coordinate(ply.position, ply.mv, CastlingText::KingTakesRook);
        let score = ply
            .score
            .map_or("-".to_owned(), |score| score.value().to_string());
        writeln!(output, "{position} | {mv} | {score}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use orthrus_core::notation::parse_coordinate;
    use orthrus_core::position::{Position, Variant};
    use orthrus_core::types::Score;

    use super::*;
    use crate::data::{GameResult, Reason, Start};

    #[test]
    fn a_game_reads_like_this() {
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        for text in ["e2e4", "c7c5"] {
            let mv = parse_coordinate(&position, text).unwrap();
            position.make_move(mv);
            moves.push(mv);
        }
        let game = GameRecord {
            variant: Variant::Standard,
            start: Start::Standard,
            opening_plies: 1,
            moves,
            scores: vec![Score::centipawns(-25)],
            result: GameResult::Draw,
            reason: Reason::DrawAdjudicated,
        };
        let mut output = Vec::new();
        write_game(&mut output, 7, &game).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "# game 7: 1/2-1/2 by draw adjudicated, 2 plies, the first 1 random\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 | e2e4 | -\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1 | c7c5 | -25\n"
        );
    }
}
