//! What is told of a search while it runs: thinking output (sections 10 and 12), refutations, progress; and of
//! the opening book.

use std::time::Instant;

use orthrus_core::book::BookMove;
use orthrus_core::engine::Command;
use orthrus_core::evaluation::normalised;
use orthrus_core::notation::{self, write_san};
use orthrus_core::position::Position;
use orthrus_core::search::{Bound, Progress, Report, SearchId, SearchInfo};
use orthrus_core::types::Move;

use super::{Cecp, Client, Mode, ThinkingLines};
use crate::format;
use crate::mode::BestMove;
use crate::search::Purpose;

impl Cecp {
    /// Takes the news of a search, if anybody waits for it.
    pub(crate) fn hear_report(&mut self, now: Instant, id: SearchId, report: Report) {
        let Some(search) = self.search_named(id) else {
            return;
        };
        match report {
            Report::Plan(plan) => self.comment(|| format!("plan: {plan}")),
            Report::BestMove { best, ponder } => {
                self.hear_best_move(now, BestMove { best, ponder });
            }
            _ if search.purpose == Purpose::Hint => {}
            Report::BookMove { chosen, moves } if self.shows_thoughts() => {
                let line = format::book_move(&search.root, chosen, &moves);
                self.say_thought(&line);
            }
            Report::Info(info) => {
                let root = search.root.clone();
                self.hear_info(&info, &root);
            }
            Report::Refutation(moves) if self.settings.post => {
                self.outbox.say(format::refutation(&moves, &search.root));
            }
            Report::CurrentLines(lines) if self.settings.post => {
                let lines = (1..).zip(&lines);
                let write = |(cpu, line): (usize, &Vec<Move>)| {
                    format::current_line(cpu, line, &search.root)
                };
                let lines: Vec<String> = lines.map(write).collect();
                self.outbox.lines.extend(lines);
            }
            // The current move is reported only in `stat01`, on request; CECP has nothing for the
            // state, and wants nothing after `nopost`.
            Report::BookMove { .. }
            | Report::CurrentMove(_)
            | Report::Refutation(_)
            | Report::Status(_)
            | Report::CurrentLines(_) => {}
        }
    }

    /// Sends what a search from `root` has found as a thinking line after `post`.
    fn hear_info(&mut self, info: &SearchInfo, root: &Position) {
        // Pondering without a guess, the engine thinks in the opponent's place.
        let theirs = matches!(self.mode.unpaused(), Mode::Pondering { guess: None, .. });
        let (score, bound) = if theirs {
            (-info.score, info.bound.reversed())
        } else {
            (info.score, info.bound)
        };
        if info.multipv == 1 && bound == Bound::Exact {
            self.judgement.set_score(root.side_to_move(), info.score);
        }
        // An interrupted search may end with a move that is better than expected, by how much it
        // does not know.
        if info.multipv == 1 && info.bound != Bound::Upper {
            self.judgement.best = info.pv.first().copied();
        }
        if self.shows_thoughts() {
            // Section 12: what `!` and `?` mean for GUIs of version 2.
            if self.settings.protocol < 2 {
                match bound {
                    Bound::Exact => {}
                    Bound::Lower => self.say("++"),
                    Bound::Upper => self.say("--"),
                }
            }
            let shown = if self.settings.scores.normalised {
                normalised(score, root)
            } else {
                score
            };
            let pv = notation::write_moves(root, &info.pv, |position, mv| {
                match self.settings.thinking_lines {
                    ThinkingLines::Full => write_san(position, mv),
                    ThinkingLines::Plain => self.board.write_move(position, mv),
                }
            });
            self.say_thought(&format::thinking(info, shown, bound, &pv));
            if self.settings.scores.chances {
                let chances = info.chances(root);
                self.say(format::chances(if theirs {
                    chances.reversed()
                } else {
                    chances
                }));
            }
        }
    }

    /// Whether thinking lines are wanted now. python-chess never lets a search go on that has guessed
    /// right, and takes lines of pondering that come before the answer to its `ping` after our move
    /// for lines about that move. lichess-bot then writes moves that are not legal there, and fails.
    fn shows_thoughts(&self) -> bool {
        let pondering = matches!(self.mode.unpaused(), Mode::Pondering { .. });
        self.settings.post && !(pondering && self.settings.client == Client::PythonChess)
    }

    /// Sends a thinking line with as many numbers as the interface understands.
    pub(crate) fn say_thought(&mut self, line: &str) {
        match self.settings.thinking_lines {
            ThinkingLines::Full => self.say(line),
            ThinkingLines::Plain => self.say(format::without_options(line)),
        }
    }

    /// What the search is working on, asked for by `.`.
    pub(crate) fn hear_progress(&mut self, progress: Option<&(SearchId, Progress)>) {
        let Some((id, progress)) = progress else {
            if matches!(self.mode.unpaused(), Mode::Analysing) {
                self.say(format::IDLE_STATUS);
            }
            return;
        };
        let search = self
            .search_named(*id)
            .filter(|search| search.purpose == Purpose::Mode);
        let text = search.and_then(|search| {
            let mv = search.legal(progress.current_move)?;
            Some(self.board.write_move(&search.root, mv))
        });
        self.say(format::status(progress, text.as_deref()));
    }

    /// `bk`: answered when the engine has looked the position up.
    pub(crate) fn ask_for_book(&mut self) {
        if self.board.is_refused() {
            self.say("\tno legal position");
            self.say("");
            return;
        }
        let position = self.board.position().clone();
        self.outbox
            .send(Command::ShowBook(Box::new(position.clone())));
        self.book_questions.push_back(position);
    }

    /// What the book has for the position of the oldest `bk`, in lines that begin with a tab, and
    /// an empty line at the end.
    pub(crate) fn hear_book_moves(&mut self, moves: Option<&[BookMove]>) {
        let Some(position) = self.book_questions.pop_front() else {
            log::error!("book moves that nobody asked for");
            return;
        };
        match moves {
            None => self.say("\tno opening book"),
            Some([]) => self.say("\tno book move here"),
            Some(moves) => {
                for found in moves {
                    let mv = write_san(&position, found.mv);
                    let (weight, share) = (found.weight, found.percentage(moves));
                    self.say(format!("\t{mv:7} {weight:6} {share:5.1} %"));
                }
            }
        }
        self.say("");
    }
}
