//! An engine that keeps the promises of the real one without thinking.

use std::collections::VecDeque;
use std::time::Duration;

use orthrus_core::book::BookMove;
use orthrus_core::engine::{Command, Event};
use orthrus_core::game::Game;
use orthrus_core::position::Position;
use orthrus_core::search::{Bound, Limits, Progress, Report, SearchId, SearchInfo, Status};
use orthrus_core::types::{Move, Score};

/// Answers every search with its first legal move, sends some output while one runs, and never
/// forgets a ping.
#[derive(Default)]
pub struct FakeEngine {
    game: Game,
    search: Option<Search>,
    events: VecDeque<Event>,
    /// Selects the output.
    searches: u64,
}

/// A search that is not answered yet.
struct Search {
    id: SearchId,
    position: Position,
    limits: Box<Limits>,
    is_paused: bool,
}

impl Search {
    /// Whether it may be answered without a further command.
    fn may_end(&self) -> bool {
        !self.limits.infinite && !self.limits.ponder && !self.is_paused
    }

    /// The first legal moves, one after the other.
    fn line(&self) -> Vec<Move> {
        let mut position = self.position.clone();
        let mut line = Vec::new();
        while line.len() < 3
            && let Some(&mv) = position.legal_moves().first()
        {
            // What is searched first decides the rest.
            let mv = match &self.limits.search_moves {
                Some(wanted) if line.is_empty() => match wanted.first() {
                    Some(&wanted) => wanted,
                    None => break,
                },
                _ => mv,
            };
            assert!(position.is_legal(mv), "a search move is legal");
            position.make_move(mv);
            line.push(mv);
        }
        line
    }
}

impl FakeEngine {
    /// Whether a search is not answered yet.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// How many searches it has been asked for.
    pub fn searches(&self) -> u64 {
        self.searches
    }

    /// The position that a search would begin with.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    pub(super) fn obey(&mut self, command: Command) {
        match command {
            Command::SetGame(game) => self.game = *game,
            Command::Go(id, limits) => {
                self.finish();
                self.searches += 1;
                self.search = Some(Search {
                    id,
                    position: self.game.position().clone(),
                    limits,
                    is_paused: false,
                });
                self.talk();
            }
            Command::PonderHit(_) => {
                if let Some(search) = &mut self.search {
                    search.limits.ponder = false;
                }
            }
            Command::Stop | Command::NewGame | Command::Quit => self.finish(),
            Command::Pause => self.pause(true),
            Command::Resume => self.pause(false),
            Command::Ping(number) => self.events.push_back(Event::Pong(number)),
            Command::Progress => {
                let search = self.search.as_ref();
                let progress = search.and_then(|search| Some((search.id, self.progress()?)));
                self.events.push_back(Event::Progress(progress));
            }
            Command::ShowBook(position) => {
                let moves = position.legal_moves();
                let found = |(weight, &mv)| BookMove { mv, weight };
                let moves = (0..500).rev().zip(&moves).map(found).collect();
                let answer = (self.searches % 2 == 1).then_some(moves);
                self.events.push_back(Event::BookMoves(answer));
            }
            _ => {}
        }
    }

    /// The next event. A search that may end does so after all other output.
    pub(super) fn event(&mut self) -> Option<Event> {
        if self.events.is_empty() && self.search.as_ref().is_some_and(Search::may_end) {
            self.finish();
        }
        self.events.pop_front()
    }

    fn pause(&mut self, is_paused: bool) {
        if let Some(search) = &mut self.search {
            search.is_paused = is_paused;
        }
    }

    fn finish(&mut self) {
        if let Some(search) = self.search.take() {
            let line = search.line();
            self.report(search.id, info(&line));
            let answer = Report::BestMove {
                best: line.first().copied(),
                ponder: line.get(1).copied(),
            };
            self.report(search.id, answer);
        }
    }

    fn progress(&self) -> Option<Progress> {
        let search = self.search.as_ref()?;
        let move_count = search.position.legal_moves().len();
        Some(Progress {
            depth: 1,
            nodes: self.searches,
            time: Duration::from_millis(self.searches),
            current_move: search.line().first().copied()?,
            move_number: 1,
            move_count,
        })
    }

    /// Reports something about the search that has begun, different for each search.
    fn talk(&mut self) {
        let Some(search) = &self.search else { return };
        let line = search.line();
        let id = search.id;
        let of_search = |report| Event::Search(id, report);
        let event = match (self.searches % 8, self.progress(), line.first()) {
            (1, ..) => of_search(Report::Status(Status {
                nodes: u64::MAX,
                time: Duration::MAX,
                hashfull: 1000,
                tbhits: 0,
                cpu_load: Some(999),
            })),
            (2, Some(progress), _) => of_search(Report::CurrentMove(progress)),
            (3, ..) => of_search(Report::Refutation(line)),
            (4, ..) => of_search(Report::CurrentLines(vec![line, Vec::new()])),
            (5, _, Some(&chosen)) => of_search(Report::BookMove {
                chosen,
                moves: vec![BookMove {
                    mv: chosen,
                    weight: 1,
                }],
            }),
            (6, ..) => Event::Notice("one thing\nand another".to_owned()),
            (7, ..) => Event::Remark("all is well".to_owned()),
            _ => of_search(info(&line)),
        };
        self.events.push_back(event);
    }

    fn report(&mut self, id: SearchId, report: Report) {
        self.events.push_back(Event::Search(id, report));
    }
}

fn info(line: &[Move]) -> Report {
    Report::Info(SearchInfo {
        depth: 3,
        seldepth: 4,
        multipv: 1,
        score: Score::centipawns(25),
        bound: Bound::Exact,
        is_table_draw: false,
        nodes: 1000,
        time: Duration::from_millis(1),
        hashfull: 1,
        tbhits: 0,
        pv: line.to_vec(),
    })
}
