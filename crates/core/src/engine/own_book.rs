//! The engine's own opening book: its file, its options and its choice of a move.

use crossbeam_channel::Sender;

use super::Event;
use super::named_file::FileError;
use super::options::BookSetting;
use crate::book::{Book, BookError, BookMove, position_key};
use crate::evaluation::{Evaluation, Evaluator};
use crate::position::Position;
use crate::search::{Limits, Report, SearchId, SearchResult};
use crate::types::{Move, Score};

pub(super) struct OwnBook {
    events: Sender<Event>,
    /// The file in use; empty for none.
    name: String,
    book: Option<Book>,
    is_on: bool,
    best_only: bool,
    /// The last full move of a game that is played from the book.
    depth: u16,
    /// 0: a new choice every time.
    seed: u64,
    /// Makes those choices.
    random: fastrand::Rng,
    /// Whether an illegal entry has been reported.
    has_complained: bool,
}

impl OwnBook {
    /// No book yet; messages go to `events`, and `seed` makes the choices of this engine differ
    /// from those of another.
    pub(super) fn new(events: Sender<Event>, seed: u64) -> Self {
        Self {
            events,
            name: String::new(),
            book: None,
            is_on: false,
            best_only: false,
            depth: 0,
            seed: 0,
            random: fastrand::Rng::with_seed(seed),
            has_complained: false,
        }
    }

    /// Changes an option; returns the name of a file that has to be read for it.
    pub(super) fn set(&mut self, setting: BookSetting) -> Option<String> {
        match setting {
            BookSetting::Own(on) => self.is_on = on,
            BookSetting::BestOnly(on) => self.best_only = on,
            BookSetting::Depth(moves) => self.depth = moves,
            BookSetting::Seed(seed) => self.seed = seed,
            BookSetting::File(name) if name == self.name => {}
            BookSetting::File(name) if name.is_empty() => {
                self.book = None;
                self.name = name;
            }
            BookSetting::File(name) => return Some(name),
        }
        None
    }

    /// Uses what was read. A file that cannot be used leaves the book as it was, and is reported.
    pub(super) fn opened(&mut self, name: String, book: Result<Book, FileError<BookError>>) {
        match book {
            Ok(book) => self.take_over(name, book),
            Err(error) => self.send(Event::Refused {
                reason: format!("book {error}"),
                instead: match self.book {
                    None => "no book is used".to_owned(),
                    Some(_) => "keeping the one in use".to_owned(),
                },
            }),
        }
    }

    pub(super) fn take_over(&mut self, name: String, book: Book) {
        let entries = book.len();
        self.send(Event::Remark(format!("book {name} with {entries} entries")));
        for fault in book.faults() {
            self.notice(format!("book {name}: {fault}"));
        }
        self.name = name;
        self.book = Some(book);
        self.has_complained = false;
    }

    /// Reports what the book has for a position.
    pub(super) fn show(&mut self, position: &Position) {
        let moves = self.moves(position);
        self.send(Event::BookMoves(moves));
    }

    /// The move to play without the search of this name; it is reported.
    ///
    /// Infinite analysis and mate searches get no book move: their users want to see the engine
    /// think.
    pub(super) fn answer(
        &mut self,
        id: SearchId,
        position: &Position,
        limits: &Limits,
        evaluation: &Evaluation,
    ) -> Option<SearchResult> {
        let may_play = self.is_on && !limits.infinite && limits.mate.is_none();
        if !may_play || position.fullmove_number() > self.depth {
            return None;
        }
        let moves = self.moves(position)?;
        let wanted = limits.search_moves.as_ref();
        let may_search = |mv| wanted.is_none_or(|wanted| wanted.contains(&mv));
        let mut playable = moves;
        playable.retain(|found| found.weight > 0 && may_search(found.mv));
        let chosen = self.choose(position, &playable)?;
        let report = Report::BookMove {
            chosen: chosen.mv,
            moves: playable,
        };
        self.send(Event::Search(id, report));
        let mut line = vec![chosen.mv];
        let mut after = position.clone();
        after.make_move(chosen.mv);
        let replies = self.moves(&after).unwrap_or_default();
        line.extend(replies.first().map(|reply| reply.mv));
        Some(unsearched(&after, line, evaluation))
    }

    /// The move of highest weight, or a random one with a probability in proportion to its weight.
    fn choose(&mut self, position: &Position, moves: &[BookMove]) -> Option<BookMove> {
        if self.best_only {
            return moves.first().copied();
        }
        let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
        if total == 0 {
            return None;
        }
        let mut rest = match self.seed {
            0 => self.random.u64(..total),
            // The seed is mixed with the position's key, so that the choice depends on nothing
            // else, neither on earlier games nor on how often the book was asked.
            seed => fastrand::Rng::with_seed(seed ^ position_key(position).0).u64(..total),
        };
        moves.iter().copied().find(|found| {
            let weight = u64::from(found.weight);
            let is_chosen = rest < weight;
            rest = rest.saturating_sub(weight);
            is_chosen
        })
    }

    /// The moves of a position, highest weight first; `None` without a book.
    fn moves(&mut self, position: &Position) -> Option<Vec<BookMove>> {
        let (moves, fault) = self.book.as_ref()?.moves(position);
        if let Some(fault) = fault
            && !std::mem::replace(&mut self.has_complained, true)
        {
            self.notice(format!("book {}: {fault}", self.name));
        }
        Some(moves)
    }

    fn notice(&self, text: String) {
        self.send(Event::Notice(text));
    }

    fn send(&self, event: Event) {
        // Without a listener, the engine is about to end.
        let _ = self.events.send(event);
    }
}

/// What a search of one ply would report for `line`, whose first move leads to `after`.
fn unsearched(after: &Position, line: Vec<Move>, evaluation: &Evaluation) -> SearchResult {
    let score = match (after.has_legal_move(), after.in_check()) {
        (false, true) => Score::mate_in(1),
        (false, false) => Score::DRAW,
        (true, _) => {
            let mut evaluator = Evaluator::new(evaluation.clone());
            evaluator.reset(after);
            -evaluator.evaluate(after)
        }
    };
    SearchResult {
        best: line.first().copied(),
        score,
        depth: 1,
        seldepth: 1,
        pv: line,
        ..SearchResult::default()
    }
}
