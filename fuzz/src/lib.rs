//! What the fuzz targets share. Run one with `cargo +nightly fuzz run uci`.

use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::frontend::Frontend;
use orthrus_core::game::Game;

/// Sends every line of `text` to a front end, and plays an engine that answers each search with
/// the first legal move, each ping at once and each question for the book by having none.
///
/// # Panics
///
/// If an answer has a line end or NUL in it, which would make two lines of one.
pub fn converse(frontend: &mut dyn Frontend, text: &str) {
    let mut game = Game::default();
    for line in text.lines() {
        frontend.handle_line(Instant::now(), line);
        while let Some(command) = frontend.poll_command() {
            match command {
                Command::SetGame(next) => game = *next,
                Command::Go(_) => {
                    let best = game.position().legal_moves().first().copied();
                    frontend.handle_event(Instant::now(), Event::BestMove { best, ponder: None });
                }
                Command::Ping(number) => {
                    frontend.handle_event(Instant::now(), Event::Pong(number));
                }
                Command::ShowBook(_) => {
                    frontend.handle_event(Instant::now(), Event::BookMoves(None));
                }
                _ => {}
            }
        }
        while let Some(line) = frontend.poll_line() {
            assert!(!line.contains(['\n', '\r', '\0']), "{line:?}");
        }
    }
    frontend.handle_eof();
}
