//! Commands in the short text form that transcripts use.

use std::fmt::Write as _;
use std::time::Instant;

use orthrus_core::engine::Command;
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::game::Game;
use orthrus_core::notation::{CastlingText, write_coordinate};
use orthrus_core::position::{Position, Variant};
use orthrus_core::search::{Limits, ValueChange};
use orthrus_core::types::Move;

/// Writes a command:
///
/// ```text
/// NewGame
/// SetGame startpos moves e2e4 e7e5
/// SetGame fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1
/// SetGame horde fen 4k3/8/8/8/8/8/8/P7 w - - 0 1
/// Go infinite ponder for_opponent white 60s+1s black 59s+1s moves_to_go 40 move_time 5s depth 5
///    nodes 100 mate 3 search_moves 2: e2e4 d2d4
/// SetOption Hash 64
/// ShowBook 4k3/8/8/8/8/8/8/4K2R w K - 0 1
/// SetValue 35 depth 10 | SetValue clear | SetValue clear all
/// PonderHit | Stop | Pause | Resume | Ping | Progress | Quit
/// ```
///
/// `Go` names only what it limits; a search whose time counts from another moment than `now` has
/// `started 500ms ago` at the end. Castling is written as king takes rook, `e1h1`. `position` is
/// the one that a search begins with.
pub(crate) fn command(command: &Command, now: Instant, position: &Position) -> String {
    match command {
        Command::SetGame(game) => format!("SetGame {}", game_text(game)),
        Command::Go(_, limits) => limits_text(limits, now, position),
        // The numbers of pings are internal to the front end.
        Command::Ping(_) => "Ping".to_owned(),
        Command::SetOption(setting) => {
            let text = format!("{setting:?}");
            let text = text
                .strip_suffix(')')
                .unwrap_or(&text)
                .replacen('(', " ", 1);
            format!("SetOption {text}")
        }
        Command::ShowBook(position) => {
            let text = fen::write(position, CastlingLetters::KingAndQueen);
            format!("ShowBook {text}")
        }
        Command::SetValue(change) => match change {
            ValueChange::Set(_, value) => {
                format!("SetValue {} depth {}", value.score.value(), value.depth)
            }
            ValueChange::Clear(_) => "SetValue clear".to_owned(),
            ValueChange::ClearAll => "SetValue clear all".to_owned(),
        },
        Command::PonderHit(_) => "PonderHit".to_owned(),
        Command::NewGame
        | Command::Stop
        | Command::Pause
        | Command::Resume
        | Command::Progress
        | Command::Task(_)
        | Command::Quit => format!("{command:?}"),
    }
}

fn game_text(game: &Game) -> String {
    let start = fen::write(game.start(), CastlingLetters::KingAndQueen);
    let standard = fen::write(&Position::startpos(), CastlingLetters::KingAndQueen);
    let variant = game.start().variant();
    let mut text = match variant {
        Variant::Standard if start == standard => "startpos".to_owned(),
        Variant::Standard => format!("fen {start}"),
        _ => format!("{} fen {start}", variant.name()),
    };
    if !game.moves().is_empty() {
        text.push_str(" moves");
    }
    let mut position = game.start().clone();
    for &mv in game.moves() {
        let _ = write!(text, " {}", move_text(&position, mv));
        position.make_move(mv);
    }
    text
}

fn move_text(position: &Position, mv: Move) -> String {
    write_coordinate(position, mv, CastlingText::KingTakesRook)
}

fn limits_text(limits: &Limits, now: Instant, position: &Position) -> String {
    let mut text = format!("Go {limits}").trim_end().to_owned();
    if let Some(moves) = limits.search_moves.as_ref().filter(|it| !it.is_empty()) {
        text.push(':');
        for &mv in moves {
            let _ = write!(text, " {}", move_text(position, mv));
        }
    }
    let ago = now.saturating_duration_since(limits.start);
    if !ago.is_zero() {
        let _ = write!(text, " started {ago:?} ago");
    }
    text
}
