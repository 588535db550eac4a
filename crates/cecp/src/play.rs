//! The game: who plays, thinks, ponders and moves, and what comes of every search (sections 8 to
//! 10); analysis (section 12).

use std::time::{Duration, Instant};

use orthrus_core::engine::Command;
use orthrus_core::game::Game;
use orthrus_core::notation::{self, MoveError};
use orthrus_core::position::{Outcome, Variant};
use orthrus_core::search::{Limits, SearchId};
use orthrus_core::types::Move;

use super::{Cecp, Mode, Refusal};
use crate::board::PASS;
use crate::clock::{self, Turn};
use crate::error::{CommandError, IllegalMove};
use crate::format;
use crate::judgement::{self, Judgement};
use crate::manners::Gesture;
use crate::mode::BestMove;
use crate::search::{Purpose, Search};

/// How long the engine looks for a hint if it knows none.
const HINT_TIME: Duration = Duration::from_millis(300);

impl Cecp {
    /// `force`, and `result`, which XBoard may send without `force`.
    pub(crate) fn force(&mut self, now: Instant) {
        self.stop_search();
        self.clocks.stop(now);
        self.draw_offered = false;
        self.mode = Mode::Force;
    }

    pub(crate) fn go(&mut self, now: Instant) -> Result<(), CommandError> {
        if self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.settle_turn()?;
        if self.board.excludes_all() {
            return Err(CommandError::NotNow);
        }
        self.think(now);
        Ok(())
    }

    pub(crate) fn play_other(&mut self, now: Instant) -> Result<(), CommandError> {
        if self.board.is_refused() {
            return Err(CommandError::NotNow);
        }
        self.settle_turn()?;
        self.stop_search();
        let to_move = self.board.turn().side;
        self.us = !to_move;
        self.clocks.associate(self.us, now);
        self.clocks.start(to_move, now);
        self.mode = Mode::Waiting;
        self.ponder(now, None);
        Ok(())
    }

    /// `usermove`: everything after it is a move.
    pub(crate) fn take_user_move(&mut self, now: Instant, text: &str) -> Result<(), Refusal> {
        if text.is_empty() {
            return Err(IllegalMove::Missing.into());
        }
        self.take_move(now, text).map_err(|refusal| match refusal {
            Refusal::Command(CommandError::Unknown) => IllegalMove::Impossible.into(),
            other => other,
        })
    }

    /// A move of the user: makes it if it is legal, and answers it if the engine plays.
    pub(crate) fn take_move(&mut self, now: Instant, text: &str) -> Result<(), Refusal> {
        if matches!(self.mode, Mode::Thinking { .. }) {
            return match notation::parse_move(self.board.position(), text) {
                Err(MoveError::Unrecognised) if text != PASS => Err(CommandError::Unknown.into()),
                _ => Err(IllegalMove::OutOfTurn.into()),
            };
        }
        self.settle_turn()?;
        let gives_turn = matches!(self.mode, Mode::Force) && self.board.gives_turn(text);
        let mv = self.board.play_text(if gives_turn { PASS } else { text })?;
        match std::mem::replace(&mut self.mode, Mode::Force) {
            Mode::Analysing => {
                self.mode = Mode::Analysing;
                self.clocks.earn(self.board.turn());
                self.analyse(now);
            }
            Mode::Pondering { guess, limits } => {
                self.clocks.press(self.board.turn(), now);
                self.clocks.associate(self.board.turn().side, now);
                let actual = self.limits(now);
                if guess.is_some() && guess == mv && clock::still_valid(&limits, &actual, self.us) {
                    self.hit(actual);
                } else {
                    self.think(now);
                }
            }
            Mode::Waiting => {
                self.clocks.press(self.board.turn(), now);
                self.think(now);
            }
            _ => {
                self.clocks.earn(self.board.turn());
                self.stop_search();
                self.judgement = Judgement::default();
            }
        }
        Ok(())
    }

    /// `?`
    pub(crate) fn move_now(&mut self) {
        if let Mode::Thinking { hurry, .. } = &mut self.mode {
            *hurry = true;
            self.outbox.send(Command::Stop);
        }
    }

    /// `draw`: accepted at once if the last search says so, otherwise answered with our next move.
    /// In force mode a `go` may follow, as python-chess sends it.
    pub(crate) fn consider_draw(&mut self) {
        let playing = matches!(self.mode, Mode::Waiting | Mode::Pondering { .. });
        if playing && self.judgement.welcomes_draw(self.us, self.board.position()) {
            self.say("offer draw");
        } else {
            self.draw_offered = !matches!(self.mode, Mode::Analysing);
        }
    }

    /// ChessBase's `ponder`: thinks on the user's time, whatever `hard` or `easy` said.
    pub(crate) fn ponder_now(&mut self, now: Instant) {
        if matches!(self.mode, Mode::Waiting) {
            self.begin_pondering(now, self.judgement.expected);
        }
    }

    /// `pause`: suspends thinking and the clocks.
    pub(crate) fn pause(&mut self, now: Instant) {
        if !matches!(self.mode, Mode::Paused { .. }) {
            self.outbox.send(Command::Pause);
            let before = std::mem::replace(&mut self.mode, Mode::Force);
            self.mode = Mode::Paused {
                before: Box::new(before),
                since: now,
                answer: None,
            };
        }
    }

    /// Ends a pause for a command after which no move is wanted: one that came during the pause is
    /// dropped, as it would be if the search were still running.
    pub(crate) fn abandon_pause(&mut self, now: Instant) {
        if let Mode::Paused { answer, .. } = &mut self.mode
            && answer.take().is_some()
        {
            self.search = None;
        }
        self.resume(now);
    }

    /// `resume`: continues where the pause began, with the time that was left.
    pub(crate) fn resume(&mut self, now: Instant) {
        let (before, since, answer) = match std::mem::replace(&mut self.mode, Mode::Force) {
            Mode::Paused {
                before,
                since,
                answer,
            } => (before, since, answer),
            running => {
                self.mode = running;
                return;
            }
        };
        self.mode = *before;
        let pause = now.saturating_duration_since(since);
        self.clocks.skip(pause);
        if let Mode::Thinking { limits, .. } = &mut self.mode {
            limits.start += pause;
        }
        self.outbox.send(Command::Resume);
        if let Some(answer) = answer {
            self.hear_best_move(now, answer);
        }
    }

    /// Begins a search; an earlier one serves nobody any more. The engine stops it for the new one.
    fn search(&mut self, purpose: Purpose, game: Game, limits: Limits) {
        let id = SearchId(self.last_search.0 + 1);
        self.last_search = id;
        let root = game.position().clone();
        self.search = Some(Search { id, purpose, root });
        self.outbox.send(Command::SetGame(Box::new(game)));
        self.outbox.send(Command::Go(id, Box::new(limits)));
    }

    /// The search of this name, if somebody waits for it.
    pub(crate) fn search_named(&self, id: SearchId) -> Option<&Search> {
        self.search.as_ref().filter(|search| search.id == id)
    }

    /// Stops the running search, after which no other begins, and ignores its answer: pings no longer
    /// wait for it.
    pub(crate) fn stop_search(&mut self) {
        if self.search.take().is_some() {
            self.outbox.send(Command::Stop);
        }
        self.pings.release();
    }

    /// Carries out what `white` or `black` asked for; that is a move like any other for the clock.
    pub(crate) fn settle_turn(&mut self) -> Result<(), CommandError> {
        if self.board.settle_turn()? {
            self.clocks.earn(self.board.turn());
        }
        Ok(())
    }

    pub(crate) fn limits(&self, now: Instant) -> Limits {
        let turn = self.board.turn();
        let mut limits = self.clocks.limits(turn.side, turn, now);
        let search_moves = self.board.search_moves();
        limits.search_moves = search_moves.filter(|moves| !moves.is_empty());
        limits
    }

    /// It is the engine's turn: thinks, or says that the game is over.
    ///
    /// A draw by rule is claimed, and the engine still thinks: a GUI that ends the game stops it,
    /// and one that plays on (as python-chess does if nobody claims) gets its move.
    pub(crate) fn think(&mut self, now: Instant) {
        self.us = self.board.turn().side;
        self.clocks.associate(self.us, now);
        self.judgement = Judgement::default();
        self.mode = Mode::Waiting;
        if let Some(outcome) = self.board.game().outcome() {
            self.end_game(now, outcome);
            if !self.board.position().has_legal_move() {
                self.stop_search();
                return;
            }
        }
        self.clocks.start(self.us, now);
        let limits = self.limits(now);
        self.comment(|| format!("thinking: {limits}"));
        self.search(Purpose::Mode, self.board.game().clone(), limits.clone());
        self.mode = Mode::Thinking {
            limits: Box::new(limits),
            hurry: false,
        };
    }

    /// The user has played the move that was expected: the search goes on, on our own clock.
    pub(crate) fn hit(&mut self, limits: Limits) {
        self.clocks.start(self.us, limits.start);
        self.judgement.expected = None;
        self.outbox.send(Command::PonderHit(limits.start));
        self.comment(|| format!("ponder hit: {limits}"));
        self.mode = Mode::Thinking {
            limits: Box::new(limits),
            hurry: false,
        };
    }

    /// Thinks on the opponent's time, if `hard` has been said.
    pub(crate) fn ponder(&mut self, now: Instant, guess: Option<Move>) {
        if self.settings.pondering {
            self.begin_pondering(now, guess);
        }
    }

    /// Thinks on the opponent's time: about the position after `guess`, or without one about
    /// theirs. There is no such time if it is our turn: after we have resigned, or in a position
    /// just set up.
    pub(crate) fn begin_pondering(&mut self, now: Instant, guess: Option<Move>) {
        let turn = self.board.turn();
        let mut game = self.board.game().clone();
        if turn.side == self.us || self.board.is_refused() || game.outcome().is_some() {
            return;
        }
        let guess = guess.filter(|&mv| game.play(mv));
        if game.outcome().is_some() {
            return;
        }
        let after = Turn {
            side: self.us,
            plies: turn.plies + 1,
            ..turn
        };
        let foreseen = self.clocks.limits(self.us, after, now);
        let limits = match guess {
            Some(_) => Limits {
                ponder: true,
                ..foreseen.clone()
            },
            None => Limits {
                infinite: true,
                for_opponent: true,
                ..self.clocks.unlimited(now)
            },
        };
        // A search that a new setting restarts ponders about the move that was said.
        let said = match self.mode {
            Mode::Pondering { guess, .. } => guess,
            _ => None,
        };
        if let Some(mv) = guess.filter(|_| guess != said) {
            self.say_hint(mv);
        }
        self.search(Purpose::Mode, game, limits);
        self.mode = Mode::Pondering {
            guess,
            limits: Box::new(foreseen),
        };
    }

    /// Shows what the engine thinks of the position on the board, if there is something to think
    /// about.
    pub(crate) fn analyse(&mut self, now: Instant) {
        self.judgement = Judgement::default();
        let refused = self.board.is_refused();
        let over = !refused && !self.board.position().has_legal_move();
        if refused || over || self.board.excludes_all() {
            self.stop_search();
            if over && self.settings.post {
                self.say_thought(&format::finished(self.board.position()));
            }
            return;
        }
        let limits = Limits {
            infinite: true,
            search_moves: self.board.search_moves(),
            ..self.clocks.unlimited(now)
        };
        self.search(Purpose::Mode, self.board.game().clone(), limits);
    }

    /// `hint`: what the engine expects of the user, or would play in their place.
    pub(crate) fn hint(&mut self, now: Instant) -> Result<(), CommandError> {
        let (known, looks) = match self.mode {
            // Both search the user's position.
            Mode::Analysing | Mode::Pondering { guess: None, .. } => (self.judgement.best, false),
            Mode::Pondering { guess, .. } => (guess, false),
            Mode::Waiting | Mode::Force => {
                self.settle_turn()?;
                (self.judgement.expected, true)
            }
            _ => return Ok(()),
        };
        match known.filter(|mv| self.board.moves_left().contains(mv)) {
            Some(mv) => self.say_hint(mv),
            None if looks => self.look_for_hint(now),
            None => {}
        }
        Ok(())
    }

    fn look_for_hint(&mut self, now: Instant) {
        let moves = self.board.moves_left();
        if self.board.is_refused() || moves.is_empty() {
            return;
        }
        let limits = Limits {
            move_time: Some(HINT_TIME),
            for_opponent: self.board.turn().side != self.us,
            // All of them, too: it is not the search of a move in the game, and teaches nothing.
            search_moves: Some(moves),
            ..Limits::none(now)
        };
        let game = self.board.game().clone();
        self.search(Purpose::Hint, game, limits);
    }

    fn say_hint(&mut self, mv: Move) {
        let text = self.board.write_move(self.board.position(), mv);
        self.say(format!("Hint: {text}"));
    }

    pub(crate) fn hear_best_move(&mut self, now: Instant, found: BestMove) {
        let purpose = self.search.as_ref().map(|search| search.purpose);
        if let (Some(Purpose::Mode), Mode::Paused { answer, .. }) = (purpose, &mut self.mode) {
            *answer = Some(found);
            return;
        }
        let Some(search) = self.search.take() else {
            return;
        };
        match (search.purpose, &self.mode) {
            (Purpose::Hint, _) => {
                if let Some(mv) = found.best.filter(|mv| self.board.moves_left().contains(mv)) {
                    self.say_hint(mv);
                }
            }
            (Purpose::Mode, Mode::Thinking { .. }) => {
                self.mode = Mode::Waiting;
                match found.best {
                    Some(mv) if self.board.position().is_legal(mv) => {
                        self.make_move(now, mv, found.ponder);
                    }
                    _ => log::error!("the engine answered without a legal move"),
                }
                self.pings.release();
            }
            (Purpose::Mode, Mode::Pondering { .. }) => self.mode = Mode::Waiting,
            // An analysis that has ended on its own waits for the next command.
            (Purpose::Mode, _) => {}
        }
    }

    /// Makes the engine's move: what must be said before it, the move, what must be said after.
    fn make_move(&mut self, now: Instant, mv: Move, reply: Option<Move>) {
        let text = self.board.write_move(self.board.position(), mv);
        let gesture = self.gesture();
        if gesture == Some(Gesture::Resign) {
            self.clocks.stop(now);
            self.say("resign");
            return;
        }
        self.board.play(mv);
        let outcome = self.board.game().outcome();
        let variant = self.board.position().variant();
        let needs_claim = |outcome| judgement::needs_claim(variant, outcome);
        if gesture.is_some() || outcome.is_some_and(needs_claim) {
            self.say("offer draw");
        }
        self.say(format!("move {text}"));
        self.clocks.press(self.board.turn(), now);
        match outcome {
            Some(outcome) if !needs_claim(outcome) => self.end_game(now, outcome),
            _ => {
                self.judgement.expected = reply;
                self.ponder(now, reply);
            }
        }
    }

    /// What to declare before the next move: an answer to the opponent's offer, or a gesture of our
    /// own.
    fn gesture(&mut self) -> Option<Gesture> {
        let offered = std::mem::take(&mut self.draw_offered);
        let position = self.board.position();
        let accepts = offered && self.judgement.welcomes_draw(self.us, position);
        let own = self
            .judgement
            .score(self.us)
            .and_then(|score| self.manners.judge(score, position));
        if accepts {
            Some(Gesture::OfferDraw)
        } else {
            own
        }
    }

    /// The game is over by rule: says so and leaves the rest to the GUI.
    ///
    /// A GUI that does not know the rule takes the winner's word for a false claim, which loses the
    /// game, but the loser's for the truth; and a draw has to be offered.
    fn end_game(&mut self, now: Instant, outcome: Outcome) {
        self.clocks.stop(now);
        let variant = self.board.position().variant();
        let is_known = match outcome {
            Outcome::Repetition | Outcome::FiftyMoves => true,
            Outcome::InsufficientMaterial => judgement::is_material_draw_known(variant),
            // XBoard lets a king take what would blow it up, and Cute Chess may lose sight of a king.
            _ if variant == Variant::Atomic => false,
            Outcome::Variant(_) => self.board.variant().announcement().is_none(),
            Outcome::Checkmate(_) | Outcome::Stalemate => true,
        };
        match outcome.winner() {
            Some(winner) if !is_known && winner == self.us => {}
            None if !is_known => self.say("offer draw"),
            _ => self.say(format::result(outcome)),
        }
    }

    pub(crate) fn enter_analysis(&mut self, now: Instant) -> Result<(), CommandError> {
        self.settle_turn()?;
        self.stop_search();
        self.clocks.stop(now);
        self.draw_offered = false;
        self.mode = Mode::Analysing;
        self.analyse(now);
        Ok(())
    }

    pub(crate) fn exit_analysis(&mut self) -> Result<(), CommandError> {
        if !matches!(self.mode, Mode::Analysing) {
            return Err(CommandError::NotNow);
        }
        self.stop_search();
        self.mode = Mode::Force;
        Ok(())
    }

    /// Restarts a search of the position on the board with the moves that are left. While the
    /// engine is thinking about its move, excluding the last one has no effect.
    pub(crate) fn root_moves_changed(&mut self, now: Instant) {
        match &mut self.mode {
            Mode::Analysing => self.analyse(now),
            Mode::Thinking { limits, hurry } if !self.board.excludes_all() => {
                limits.search_moves = self.board.search_moves();
                let (limits, hurry) = (limits.as_ref().clone(), *hurry);
                self.search(Purpose::Mode, self.board.game().clone(), limits);
                if hurry {
                    self.move_now();
                }
            }
            _ => {}
        }
    }
}
