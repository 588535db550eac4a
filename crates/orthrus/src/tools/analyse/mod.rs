//! `orthrus analyse`: one position, for people.

mod view;

use std::ops::ControlFlow;

use console::Term;
use orthrus_core::engine::Environment;
use orthrus_core::engine::options::OptionChange;
use orthrus_core::game::Game;
use orthrus_core::notation;

use self::view::{Medium, View};
use super::analyst::Analyst;
use crate::args::AnalyseArgs;
use crate::failure::Failure;

/// Analyses a position until a limit or Ctrl-C, and reports what is found as it is found.
pub(crate) fn analyse(args: &AnalyseArgs, environment: Environment) -> Result<(), Failure> {
    let game = set_up(args)?;
    let position = game.position();
    let term = Term::stdout();
    let medium = match args.json {
        true => Medium::Json,
        false if term.is_term() => Medium::live(term),
        false => Medium::Plain,
    };
    let mut view = View::new(position, medium);
    view.begin()?;
    if !position.has_legal_move() {
        return Ok(view.end(None)?);
    }
    let mut analyst = Analyst::start(&args.search, None, environment)?;
    if let Some(setting) = args.multipv.clone().and_then(OptionChange::engine) {
        analyst.set(setting);
    }
    let mut shown = Ok(());
    let analysis = analyst.search(&game, |info| {
        shown = match info {
            Some(info) => view.info(info),
            None => view.idle(),
        };
        match shown {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    shown?;
    view.end(Some(&analysis))?;
    analyst.show_notices();
    Ok(())
}

/// The game up to the position to analyse.
fn set_up(args: &AnalyseArgs) -> Result<Game, Failure> {
    let start = args.fen.as_ref().map(|position| (**position).clone());
    let mut game = start.map_or_else(Game::default, Game::new);
    let words = args.moves.iter().flat_map(|words| words.split_whitespace());
    // People copy `1.e4 e5 2. Nf3`.
    let moves = words.map(without_number);
    for text in moves.filter(|text| !matches!(*text, "" | "e.p.")) {
        let mv = notation::parse_move(game.position(), text).map_err(|error| Failure::Move {
            text: text.to_owned(),
            error,
        })?;
        game.play(mv);
    }
    Ok(game)
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::text::fen;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        analyse: AnalyseArgs,
    }

    fn position(moves: &str) -> Result<String, Failure> {
        let line = Line::try_parse_from(["x", "--moves", moves]).unwrap();
        let game = set_up(&line.analyse)?;
        Ok(fen(game.position()))
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
