//! The events that transcripts name.

use std::collections::VecDeque;
use std::str::FromStr;
use std::time::Duration;

use orthrus_core::book::BookMove;
use orthrus_core::engine::Event;
use orthrus_core::notation::parse_coordinate;
use orthrus_core::position::Position;
use orthrus_core::search::{Bound, Progress, Report, SearchInfo, Status};
use orthrus_core::types::{Move, Score};

use super::Stage;

/// Reads an event; times are in milliseconds, moves are those of the oldest search that is not answered yet:
///
/// ```text
/// info depth 3 seldepth 5 multipv 2 score 25 nodes 1000 time 10 hashfull 7 tbhits 1 pv e2e4 e7e5
/// info depth 3 score mate -2 upper ...
/// currmove e2e4 number 1 of 20 depth 5 nodes 100 time 1000
/// progress e2e4 number 1 of 20 depth 5 nodes 100 time 1000
/// progress none
/// bookmove e2e4 among d2d4 30 e2e4 10
/// book d2d4 30 e2e4 10
/// book none
/// refutation e2e4 e7e5
/// status nodes 1000 time 1000 hashfull 7 tbhits 1 cpuload 990
/// currlines e2e4 e7e5 | d2d4 |
/// bestmove e2e4 ponder e7e5
/// bestmove none
/// pong
/// refused why; what holds instead
/// notice any text
/// remark any text
/// ```
///
/// `pong` answers the oldest ping that is not answered yet, `book` the oldest question about the
/// book, with each move followed by its weight.
pub(super) fn read(stage: &mut Stage<'_>, text: &str) -> Result<Event, String> {
    let (kind, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut tokens = Tokens(rest.split_whitespace().collect());
    let event = match kind {
        "progress" if rest == "none" => return Ok(Event::Progress(None)),
        "progress" => {
            let (id, root) = stage.search()?;
            Event::Progress(Some((*id, progress(&mut tokens, root)?)))
        }
        "book" => {
            let asked = stage.book_questions.pop_front();
            let position = asked.ok_or("nobody has asked for the book")?;
            if rest == "none" {
                return Ok(Event::BookMoves(None));
            }
            Event::BookMoves(Some(book_moves(&mut tokens, &position)?))
        }
        "pong" => Event::Pong(stage.pings.pop_front().ok_or("no ping is unanswered")?),
        "refused" => {
            let (reason, instead) = rest.split_once("; ").ok_or("what holds instead?")?;
            return Ok(Event::Refused {
                reason: reason.to_owned(),
                instead: instead.to_owned(),
            });
        }
        "notice" => return Ok(Event::Notice(rest.to_owned())),
        "remark" => return Ok(Event::Remark(rest.to_owned())),
        _ => {
            let (id, root) = stage.search()?;
            Event::Search(*id, report(kind, &mut tokens, root)?)
        }
    };
    if let Some(token) = tokens.next() {
        return Err(format!("{kind} does not take {token}"));
    }
    if matches!(event, Event::Search(_, Report::BestMove { .. })) {
        let answered = stage.searches.pop_front();
        stage.answered = Some(answered.ok_or("no search is running")?);
    }
    Ok(event)
}

/// Reads the news of a search from `root`.
fn report(kind: &str, tokens: &mut Tokens<'_>, root: &Position) -> Result<Report, String> {
    Ok(match kind {
        "info" => Report::Info(info(tokens, root)?),
        "currmove" => Report::CurrentMove(progress(tokens, root)?),
        "refutation" => Report::Refutation(tokens.line(root)?),
        "status" => Report::Status(status(tokens)?),
        "currlines" => {
            let mut lines = vec![tokens.line(root)?];
            while tokens.next().is_some() {
                lines.push(tokens.line(root)?);
            }
            Report::CurrentLines(lines)
        }
        "bookmove" => {
            let chosen = tokens.mv(root)?;
            tokens.expect("among")?;
            let moves = book_moves(tokens, root)?;
            Report::BookMove { chosen, moves }
        }
        "bestmove" => best_move(tokens, root)?,
        _ => return Err(format!("no event is called {kind}")),
    })
}

/// The words of an event not read yet.
struct Tokens<'a>(VecDeque<&'a str>);

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.0.pop_front()
    }

    fn peek(&self) -> Option<&'a str> {
        self.0.front().copied()
    }

    fn value<T: FromStr>(&mut self, name: &str) -> Result<T, String> {
        let text = self.next().ok_or_else(|| format!("{name} needs a value"))?;
        text.parse()
            .map_err(|_| format!("{name} does not take {text}"))
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.next() {
            Some(found) if found == word => Ok(()),
            _ => Err(format!("{word} is missing")),
        }
    }

    fn millis(&mut self, name: &str) -> Result<Duration, String> {
        self.value(name).map(Duration::from_millis)
    }

    fn mv(&mut self, position: &Position) -> Result<Move, String> {
        let text = self.next().ok_or("a move is missing")?;
        parse_coordinate(position, text).map_err(|error| format!("{text}: {error}"))
    }

    /// The words up to the next bar, or all that remain, as moves.
    fn line(&mut self, root: &Position) -> Result<Vec<Move>, String> {
        let mut position = root.clone();
        let mut line = Vec::new();
        while self.peek().is_some_and(|word| word != "|") {
            let mv = self.mv(&position)?;
            position.make_move(mv);
            line.push(mv);
        }
        Ok(line)
    }
}

fn status(tokens: &mut Tokens<'_>) -> Result<Status, String> {
    let mut status = Status::default();
    while let Some(name) = tokens.next() {
        match name {
            "nodes" => status.nodes = tokens.value(name)?,
            "time" => status.time = tokens.millis(name)?,
            "hashfull" => status.hashfull = tokens.value(name)?,
            "tbhits" => status.tbhits = tokens.value(name)?,
            "cpuload" => status.cpu_load = Some(tokens.value(name)?),
            _ => return Err(format!("status does not take {name}")),
        }
    }
    Ok(status)
}

fn book_moves(tokens: &mut Tokens<'_>, position: &Position) -> Result<Vec<BookMove>, String> {
    let mut moves = Vec::new();
    while tokens.peek().is_some() {
        let mv = tokens.mv(position)?;
        let weight = tokens.value("a book move")?;
        moves.push(BookMove { mv, weight });
    }
    Ok(moves)
}

fn info(tokens: &mut Tokens<'_>, root: &Position) -> Result<SearchInfo, String> {
    let mut info = SearchInfo {
        depth: 1,
        seldepth: 1,
        multipv: 1,
        score: Score::DRAW,
        bound: Bound::Exact,
        is_table_draw: false,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
    };
    while let Some(name) = tokens.next() {
        match name {
            "depth" => info.depth = tokens.value(name)?,
            "seldepth" => info.seldepth = tokens.value(name)?,
            "multipv" => info.multipv = tokens.value(name)?,
            "score" => info.score = score(tokens)?,
            "lower" => info.bound = Bound::Lower,
            "upper" => info.bound = Bound::Upper,
            "table_draw" => info.is_table_draw = true,
            "nodes" => info.nodes = tokens.value(name)?,
            "time" => info.time = tokens.millis(name)?,
            "hashfull" => info.hashfull = tokens.value(name)?,
            "tbhits" => info.tbhits = tokens.value(name)?,
            "pv" => info.pv = tokens.line(root)?,
            _ => return Err(format!("info does not take {name}")),
        }
    }
    Ok(info)
}

fn score(tokens: &mut Tokens<'_>) -> Result<Score, String> {
    if tokens.peek() != Some("mate") {
        let value = tokens.value("score")?;
        return Score::from_value(value)
            .filter(|score| !score.is_mate())
            .ok_or_else(|| format!("no score: {value}"));
    }
    tokens.next();
    let moves: i32 = tokens.value("score mate")?;
    let distance = moves.unsigned_abs() as usize * 2;
    Ok(if moves > 0 {
        Score::mate_in(distance - 1)
    } else {
        Score::mated_in(distance)
    })
}

fn progress(tokens: &mut Tokens<'_>, root: &Position) -> Result<Progress, String> {
    let mut progress = Progress {
        current_move: tokens.mv(root)?,
        depth: 1,
        nodes: 0,
        time: Duration::ZERO,
        move_number: 1,
        move_count: root.count_legal_moves(),
    };
    while let Some(name) = tokens.next() {
        match name {
            "number" => progress.move_number = tokens.value(name)?,
            "of" => progress.move_count = tokens.value(name)?,
            "depth" => progress.depth = tokens.value(name)?,
            "nodes" => progress.nodes = tokens.value(name)?,
            "time" => progress.time = tokens.millis(name)?,
            _ => return Err(format!("a move in search does not take {name}")),
        }
    }
    Ok(progress)
}

fn best_move(tokens: &mut Tokens<'_>, root: &Position) -> Result<Report, String> {
    if tokens.peek() == Some("none") {
        tokens.next();
        return Ok(Report::BestMove {
            best: None,
            ponder: None,
        });
    }
    let best = tokens.mv(root)?;
    let mut ponder = None;
    if tokens.peek() == Some("ponder") {
        tokens.next();
        let mut after = root.clone();
        after.make_move(best);
        ponder = Some(tokens.mv(&after)?);
    }
    Ok(Report::BestMove {
        best: Some(best),
        ponder,
    })
}
