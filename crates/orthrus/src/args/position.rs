//! The game and the position that a tool is about.

use orthrus_core::fen;
use orthrus_core::game::Game;
use orthrus_core::notation::parse_move;
use orthrus_core::position::Variant;
use thiserror::Error;

use crate::failure::Failure;

/// Which game is played.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct GameArgs {
    /// The game that is played
    #[arg(long, value_parser = parse_variant, default_value = Variant::Standard.name(), help = variant_help())]
    pub(crate) variant: Variant,
}

/// A position, and the moves that led to it.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct PositionArgs {
    /// The position, instead of the initial one
    #[arg(long)]
    fen: Option<String>,

    #[command(flatten)]
    game: GameArgs,

    /// Moves from there, such as "e4 c5 Nf3" or "e2e4 c7c5"
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
}

impl PositionArgs {
    /// The game up to that position.
    ///
    /// # Errors
    ///
    /// A move cannot be read or played, or the position is none of this variant.
    pub(crate) fn game(&self) -> Result<Game, Failure> {
        let variant = self.game.variant;
        let mut game = Game::new(match &self.fen {
            Some(text) => fen::parse_as(variant, text).map_err(|error| {
                // Whoever has named a variant has not forgotten it.
                let fits = |&other: &Variant| {
                    variant == Variant::Standard && fen::parse_as(other, text).is_ok()
                };
                Failure::Fen {
                    text: text.clone(),
                    error,
                    other: Variant::ALL.into_iter().find(fits),
                }
            })?,
            None => fen::start(variant),
        });
        let words = self.moves.iter().flat_map(|words| words.split_whitespace());
        // People copy `1.e4 e5 2. Nf3`.
        let moves = words.map(without_number);
        for text in moves.filter(|text| !matches!(*text, "" | "e.p.")) {
            let mv = parse_move(game.position(), text).map_err(|error| Failure::Move {
                text: text.to_owned(),
                error,
            })?;
            game.play(mv);
        }
        Ok(game)
    }
}

/// A word without the move number that it may begin with.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.starts_with(['.', '…']) {
        rest.trim_start_matches(['.', '…'])
    } else {
        word
    }
}

/// Why a text is no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the variants are {}", Variant::NAMES.join(", "))]
struct VariantError;

fn parse_variant(text: &str) -> Result<Variant, VariantError> {
    Variant::from_name(text).ok_or(VariantError)
}

fn variant_help() -> String {
    format!("The game that is played: {}", Variant::NAMES.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(moves: &str) -> Result<String, Failure> {
        let moves = vec![moves.to_owned()];
        let game = PositionArgs {
            fen: None,
            game: GameArgs::default(),
            moves,
        }
        .game()?;
        Ok(fen::write(
            game.position(),
            fen::CastlingLetters::KingAndQueen,
        ))
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let expected = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        for moves in ["e2e4 e7e5 g1f3", "e4 e5 Nf3", "1.e4 e5 2. Nf3"] {
            assert_eq!(position(moves).unwrap(), expected, "{moves}");
        }
        let expected = "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3";
        for moves in ["e4 a6 e5 d5 exd6e.p.", "1.e4 a6 2.e5 d5 3. exd6 e.p."] {
            assert_eq!(position(moves).unwrap(), expected, "{moves}");
        }
        let error = position("e4 e4").unwrap_err();
        assert_eq!(error.to_string(), "e4: illegal move");
    }
}
