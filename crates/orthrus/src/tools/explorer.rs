//! What was played in a position in games, and how they went.

use std::collections::HashMap;
use std::path::Path;

use orthrus_core::notation::write_san;
use orthrus_core::position::Position;
use orthrus_core::types::{Color, Move};
use orthrus_pgn::{GameResult, Opening, PgnGame};
use serde_json::{Value, json};

use super::files;
use super::games::{Games, is_by};
use super::output::{progress_bar, warn};
use crate::failure::Failure;
use crate::signals;
use crate::text::{JSON_SCHEMA, coordinates, counted, fen};

/// The games in which a move was played.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// The sum of the ratings of those who played it, and how many had one.
    ratings: (u64, u64),
}

impl Played {
    fn add(&mut self, game: &PgnGame, side: Color) {
        self.games += 1;
        match game.result {
            GameResult::Win(Color::White) => self.white += 1,
            GameResult::Win(Color::Black) => self.black += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Unknown => {}
        }
        if let Some(rating) = game.tags.rating(side) {
            self.ratings = (self.ratings.0 + u64::from(rating), self.ratings.1 + 1);
        }
    }

    /// The points of this side in percent; `None` if no game was finished.
    fn score(&self, side: Color) -> Option<f64> {
        let wins = match side {
            Color::White => self.white,
            Color::Black => self.black,
        };
        let finished = self.white + self.draws + self.black;
        (finished > 0).then(|| (100 * wins + 50 * self.draws) as f64 / finished as f64)
    }

    fn rating(&self) -> Option<u64> {
        let (sum, count) = self.ratings;
        (sum + count / 2).checked_div(count)
    }
}

/// The moves that were played in `position`, the most frequent first: one line each, or in JSON. A
/// game counts once, whatever way led there; with `player`, only if one of its names has that in it.
///
/// # Errors
///
/// The games cannot be read, or there is none.
pub(super) fn explore(
    file: &Path,
    position: &Position,
    player: Option<&str>,
    json: bool,
) -> Result<Vec<String>, Failure> {
    let source = files::open(file)?;
    let bar = match source.bytes {
        Some(bytes) => progress_bar(bytes, "{wide_bar} {bytes}/{total_bytes}, {eta} left"),
        None => progress_bar(0, "{bytes}"),
    };
    let mut games = Games::new(file, bar.wrap_read(source.reader), signals::interrupts()?);
    let mut moves: HashMap<Move, Played> = HashMap::new();
    let (mut read, mut reached) = (0, 0);
    let mut other = None;
    while let Some(entry) = games.next()? {
        let game = match entry.game {
            Ok(game) => game,
            Err(error) => {
                bar.suspend(|| warn(&error.to_string()));
                continue;
            }
        };
        if game.start.variant() != position.variant() {
            other = Some(game.start.variant());
            continue;
        }
        read += 1;
        let mut sides = Color::ALL.into_iter();
        if !sides.any(|side| is_by(&game.tags, side, player)) {
            continue;
        }
        if let Some(mv) = next_move(&game, position) {
            reached += 1;
            let so_far = moves.entry(mv).or_default();
            so_far.add(&game, position.side_to_move());
        }
    }
    bar.finish_and_clear();
    if read == 0 {
        return Err(match other {
            Some(other) if !games.interrupted => Failure::OtherVariant {
                file: file.to_owned(),
                found: other.name(),
                wanted: position.variant().name(),
            },
            _ => games.missing(),
        });
    }
    let mut moves: Vec<(Move, Played)> = moves.into_iter().collect();
    moves.sort_by_cached_key(|(mv, played)| {
        (std::cmp::Reverse(played.games), write_san(position, *mv))
    });
    Ok(if json {
        let mut json = in_json(position, reached, &moves);
        json["interrupted"] = games.interrupted.into();
        vec![json.to_string()]
    } else {
        let mut lines = table(position, read, reached, &moves);
        if games.interrupted {
            lines[0] = format!("interrupted: {}", lines[0]);
        }
        lines
    })
}

/// What was played when this position was reached for the first time; `None` if it was not, or the
/// game ended there.
fn next_move(game: &PgnGame, wanted: &Position) -> Option<Move> {
    let mut position = game.start.clone();
    for node in &game.main.moves {
        if position.key() == wanted.key() {
            return node.mv;
        }
        if !node.is_legal(&position) {
            return None;
        }
        node.play(&mut position);
    }
    None
}

fn table(position: &Position, read: u64, reached: u64, moves: &[(Move, Played)]) -> Vec<String> {
    let side = position.side_to_move();
    let name = Opening::of(position).map(|found| format!(", {} {}", found.eco, found.name));
    let name = name.unwrap_or_default();
    let mut lines = vec![format!("{reached} of {}{name}", counted(read, "game"))];
    if moves.is_empty() {
        return lines;
    }
    lines.push("move     games            white  draws  black    score  rating".to_owned());
    lines.extend(moves.iter().map(|(mv, played)| {
        let share = 100.0 * played.games as f64 / reached as f64;
        let score = played.score(side);
        let score = score.map_or("-".to_owned(), |score| format!("{score:.1} %"));
        let rating = played
            .rating()
            .map_or("-".to_owned(), |rating| rating.to_string());
        format!(
            "{:7} {:6}  {share:5.1} %  {:6} {:6} {:6}  {score:>7}  {rating:>6}",
            write_san(position, *mv),
            played.games,
            played.white,
            played.draws,
            played.black
        )
    }));
    lines
}

fn in_json(position: &Position, reached: u64, moves: &[(Move, Played)]) -> Value {
    let side = position.side_to_move();
    let moves = moves.iter().map(|(mv, played)| {
        json!({
            "move": write_san(position, *mv),
            "uci": coordinates(position, *mv),
            "games": played.games,
            "white": played.white,
            "draws": played.draws,
            "black": played.black,
            "score": played.score(side).map(|score| (score * 10.0).round() / 10.0),
            "rating": played.rating(),
        })
    });
    let moves: Vec<Value> = moves.collect();
    let opening = Opening::of(position);
    json!({
        "schema": JSON_SCHEMA,
        "fen": fen(position),
        "eco": opening.map(|found| found.eco),
        "opening": opening.map(|found| found.name),
        "games": reached,
        "moves": moves,
    })
}
