//! The game on the board: the variant, the moves, passes, refused set-ups, and the moves excluded
//! from search. All legality is decided here, with core's pure functions.

use std::borrow::Cow;

use orthrus_core::fen::{self, FenError};
use orthrus_core::game::Game;
use orthrus_core::notation::{self, CastlingText, MoveError};
use orthrus_core::position::{self, Position, PositionError, Setup};
use orthrus_core::types::{CastlingRights, CastlingRule, Color, Move, PieceType};

use crate::clock::Turn;
use crate::error::{CommandError, IllegalMove, Refusal};

/// A move that passes (section 8).
pub(crate) const PASS: &str = "@@@@";

/// The rules by which the game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Variant {
    /// Standard chess.
    #[default]
    Normal,
    /// Chess960.
    Fischerandom,
    /// Shuffled pieces, and no castling.
    Nocastle,
    /// Shuffled pieces; the king may castle from the d-file too.
    Wildcastle,
    /// Not chess, but a game that is like it.
    Other(position::Variant),
}

impl Variant {
    /// The supported ones, in the order of the feature `variants`.
    pub(crate) const ALL: [Self; 13] = [
        Self::Normal,
        Self::Fischerandom,
        Self::Nocastle,
        Self::Wildcastle,
        Self::Other(position::Variant::ThreeCheck),
        Self::Other(position::Variant::KingOfTheHill),
        Self::Other(position::Variant::RacingKings),
        Self::Other(position::Variant::Horde),
        Self::Other(position::Variant::Atomic),
        Self::Other(position::Variant::Giveaway),
        Self::Other(position::Variant::Suicide),
        Self::Other(position::Variant::Losers),
        Self::Other(position::Variant::Crazyhouse),
    ];

    /// Its name in section 8, or where that has none, the one that other programs know.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Fischerandom => "fischerandom",
            Self::Nocastle => "nocastle",
            Self::Wildcastle => "wildcastle",
            Self::Other(variant) => variant.name(),
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let known = Self::ALL.into_iter().find(|variant| variant.name() == name);
        // Some programs use another name for one of them.
        known.or_else(|| match position::Variant::from_name(name)? {
            position::Variant::Standard => None,
            variant => Some(Self::Other(variant)),
        })
    }

    /// What tells a GUI of an unknown name how the game begins: its men, the size of the board and
    /// whose rules it follows (section 9, `setup`). By those of `fairy` `XBoard` neither refuses moves
    /// nor takes the result of a variant for a false claim, and it names the variant to both engines.
    /// `None` for names that it knows.
    pub(crate) fn announcement(self) -> Option<String> {
        match self {
            Self::Other(variant) if !is_known_to_xboard(variant) => {
                const MEN: &str = "PNBRQ................Kpnbrq................k";
                let start = variant.start_fen();
                Some(format!("setup ({MEN}) 8x8+0_fairy {start}"))
            }
            _ => None,
        }
    }

    /// Whether men in hand are dropped.
    pub(crate) fn has_hands(self) -> bool {
        self.rules().has_hands()
    }

    fn rules(self) -> position::Variant {
        match self {
            Self::Other(variant) => variant,
            _ => position::Variant::Standard,
        }
    }
}

/// Whether `XBoard` knows how this game begins, is played and ends.
fn is_known_to_xboard(variant: position::Variant) -> bool {
    matches!(
        variant,
        position::Variant::ThreeCheck
            | position::Variant::Atomic
            | position::Variant::Giveaway
            | position::Variant::Suicide
            | position::Variant::Losers
            | position::Variant::Crazyhouse
    )
}

/// The game as the GUI sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    variant: Variant,
    game: Game,
    /// What was played before each pass: after a pass a new game begins, because no chess move
    /// leads there.
    before_passes: Vec<Game>,
    /// The last set-up was refused. The game before it is kept, but nothing may be played.
    refused: bool,
    /// Moves that are not to be considered in this position.
    excluded: Vec<Move>,
    /// The side to move that `white` or `black` has set, if it differs from the board. XBoard sends
    /// both in a row before `go`, so it takes effect only when needed.
    turn_override: Option<Color>,
}

impl Board {
    /// `new`: standard chess from the beginning.
    pub(crate) fn new_game(&mut self) {
        *self = Self::default();
    }

    /// `variant`: another game from the beginning.
    pub(crate) fn set_variant(&mut self, variant: Variant) {
        *self = Self {
            variant,
            ..Self::default()
        };
        let start = fen::start(variant.rules()).setup();
        if let Ok(position) = self.position_of(start) {
            self.game = Game::new(position);
        }
    }

    /// `setboard`: a game from this position. After a refusal no move is legal until the next valid
    /// set-up.
    pub(crate) fn set_up_fen(&mut self, text: &str) -> Result<(), FenError> {
        self.refuse();
        let text = match self.variant {
            // Nobody castles in these, and `XBoard` may know.
            Variant::Nocastle
            | Variant::Other(position::Variant::RacingKings | position::Variant::Suicide) => {
                fen::with_castling_field(text)
            }
            _ => Cow::Borrowed(text),
        };
        Ok(self.set_up(fen::parse_setup_as(self.variant.rules(), &text)?)?)
    }

    /// The end of `edit`, as for `setboard`.
    pub(crate) fn set_up(&mut self, setup: Setup) -> Result<(), PositionError> {
        self.refuse();
        let position = self.position_of(setup)?;
        *self = Self {
            variant: self.variant,
            game: Game::new(position),
            ..Self::default()
        };
        Ok(())
    }

    /// Until a playable position is set up there is none, and no side to move.
    fn refuse(&mut self) {
        self.refused = true;
        self.turn_override = None;
    }

    fn position_of(&self, mut setup: Setup) -> Result<Position, PositionError> {
        match self.variant {
            Variant::Normal | Variant::Fischerandom => {}
            Variant::Other(variant) => setup.variant = variant,
            Variant::Nocastle => setup.castling = CastlingRights::NONE,
            Variant::Wildcastle => setup.castling_rule = CastlingRule::TwoSteps,
        }
        Position::from_setup(&setup)
    }

    pub(crate) fn variant(&self) -> Variant {
        self.variant
    }

    /// The game since the last set-up or pass.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// The position on the board, with the side to move that `white` or `black` has set.
    pub(crate) fn setup(&self) -> Setup {
        let mut setup = self.position().setup();
        setup.side_to_move = self.turn_override.unwrap_or(setup.side_to_move);
        setup
    }

    /// Whether the last set-up was refused, so that there is nothing to think about.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused
    }

    /// Whose turn it is, and the plies since the set-up.
    pub(crate) fn turn(&self) -> Turn {
        let games = self.before_passes.iter().chain([&self.game]);
        let plies = games.map(|game| game.moves().len()).sum::<usize>();
        let start = self.before_passes.first().unwrap_or(&self.game).start();
        let begins = usize::from(start.side_to_move() == Color::Black);
        Turn {
            side: self.position().side_to_move(),
            plies: plies + self.before_passes.len(),
            before: 2 * usize::from(start.fullmove_number().saturating_sub(1)) + begins,
        }
    }

    /// Whether this is the move by which Cute Chess gives Black the turn before it sets a position up, in a
    /// game that does not begin with such a move: horde and racing kings.
    pub(crate) fn gives_turn(&self, text: &str) -> bool {
        let is_start = || self.position().key() == fen::start(self.variant.rules()).key();
        let found = || notation::parse_move(self.position(), text);
        text == "b2b3" && is_start() && found() == Err(MoveError::Illegal)
    }

    /// Plays a move given as text: coordinates, SAN, or [`PASS`]. `None` is a pass.
    ///
    /// # Errors
    ///
    /// [`Refusal::Move`] if it is an illegal move, [`Refusal::Command`] if it is not a move.
    pub(crate) fn play_text(&mut self, text: &str) -> Result<Option<Move>, Refusal> {
        if text == PASS {
            return self.pass().map(|()| None).map_err(Refusal::Move);
        }
        let found = notation::parse_move(self.position(), text);
        if self.refused && found != Err(MoveError::Unrecognised) {
            return Err(IllegalMove::NoPosition.into());
        }
        let mv = found.map_err(|error| match error {
            MoveError::Unrecognised => CommandError::Unknown.into(),
            MoveError::Ambiguous => CommandError::AmbiguousMove.into(),
            MoveError::Illegal => Refusal::Move(self.reason(text)),
        })?;
        self.play(mv);
        Ok(Some(mv))
    }

    /// Why a well-formed move is illegal, as far as a short answer goes.
    fn reason(&self, text: &str) -> IllegalMove {
        let position = self.position();
        let us = position.side_to_move();
        let kings = position.pieces_of(us, PieceType::King);
        let moves_king = text.starts_with(['K', 'O', '0'])
            || kings
                .into_iter()
                .any(|king| text.starts_with(&king.to_string()));
        if position.ending().is_some() {
            IllegalMove::Impossible
        } else if position.must_capture() {
            IllegalMove::MustCapture
        } else if position.in_check() {
            IllegalMove::InCheck
        } else if moves_king && reaches_attacked_square(position, text) {
            IllegalMove::IntoCheck
        } else {
            IllegalMove::Impossible
        }
    }

    /// Plays a move if it is legal.
    pub(crate) fn play(&mut self, mv: Move) {
        if self.game.play(mv) {
            self.moved();
        }
    }

    fn pass(&mut self) -> Result<(), IllegalMove> {
        if self.refused {
            return Err(IllegalMove::NoPosition);
        }
        let after = self.game.after_pass().ok_or(IllegalMove::InCheck)?;
        self.before_passes
            .push(std::mem::replace(&mut self.game, after));
        self.moved();
        Ok(())
    }

    /// Takes back the last move or pass; returns whether there was one.
    pub(crate) fn undo(&mut self) -> bool {
        if self.game.undo().is_none() {
            match self.before_passes.pop() {
                Some(game) => self.game = game,
                None => return false,
            }
        }
        self.moved();
        true
    }

    /// The position has changed: exclusions and the side to move that was set no longer apply.
    fn moved(&mut self) {
        self.excluded.clear();
        self.turn_override = None;
    }

    /// `white` and `black`: makes it this side's turn as soon as it matters.
    pub(crate) fn override_turn(&mut self, side: Color) {
        let is_other = !self.refused && side != self.position().side_to_move();
        self.turn_override = is_other.then_some(side);
    }

    /// Carries out what `white` or `black` asked for; says whether that was a pass.
    ///
    /// # Errors
    ///
    /// If the side not to move would be in check; the request then stands.
    pub(crate) fn settle_turn(&mut self) -> Result<bool, CommandError> {
        let passes = self.turn_override.is_some();
        if passes {
            self.pass().map_err(|_| CommandError::NotNow)?;
        }
        Ok(passes)
    }

    /// `exclude MOVE` or `exclude all`
    pub(crate) fn exclude(&mut self, text: &str) -> Result<(), CommandError> {
        if text == "all" {
            self.excluded = self.position().legal_moves().to_vec();
            return Ok(());
        }
        let mv = self.root_move(text)?;
        if !self.excluded.contains(&mv) {
            self.excluded.push(mv);
        }
        Ok(())
    }

    /// `include MOVE` or `include all`
    pub(crate) fn include(&mut self, text: &str) -> Result<(), CommandError> {
        if text == "all" {
            self.excluded.clear();
            return Ok(());
        }
        let mv = self.root_move(text)?;
        self.excluded.retain(|&excluded| excluded != mv);
        Ok(())
    }

    fn root_move(&self, text: &str) -> Result<Move, CommandError> {
        match notation::parse_move(self.position(), text) {
            Ok(mv) if !self.refused => Ok(mv),
            _ => Err(CommandError::NoSuchMove),
        }
    }

    /// The moves to consider in this position, as [`orthrus_core::search::Limits::search_moves`]
    /// has them: all if `None`.
    pub(crate) fn search_moves(&self) -> Option<Vec<Move>> {
        (!self.excluded.is_empty()).then(|| self.moves_left())
    }

    pub(crate) fn excludes_all(&self) -> bool {
        !self.excluded.is_empty() && self.moves_left().is_empty()
    }

    /// The legal moves that are not excluded.
    pub(crate) fn moves_left(&self) -> Vec<Move> {
        let moves = self.position().legal_moves().into_iter();
        moves.filter(|mv| !self.excluded.contains(mv)).collect()
    }

    /// Writes a move of `position`: castling in letters unless the king's own move identifies it.
    pub(crate) fn write_move(&self, position: &Position, mv: Move) -> String {
        let by_letters = match self.variant {
            Variant::Fischerandom => true,
            Variant::Normal | Variant::Nocastle | Variant::Other(_) => {
                !position.has_standard_castling()
            }
            Variant::Wildcastle => false,
        };
        let castling = if by_letters {
            CastlingText::Letters
        } else {
            CastlingText::KingMove
        };
        notation::write_coordinate(position, mv, castling)
    }
}

/// Whether the last square named in `text` is attacked by the side not to move.
fn reaches_attacked_square(position: &Position, text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let start = text.len().saturating_sub(2);
    let target = text.get(start..).and_then(|name| name.parse().ok());
    target.is_some_and(|square| {
        let us = position.side_to_move();
        let occupied = position.occupied() - position.pieces_of(us, PieceType::King);
        position.attackers(square, !us, occupied).any()
    })
}

#[cfg(test)]
mod tests;
