//! The games that are played, and what a position holds to know its game. What differs between them
//! is asked in `variants`.

use std::fmt::Debug;

use crate::types::{Bitboard, Color, ColorMap, Hand, Piece};

/// Checks that win a game of three checks.
pub const CHECKS_TO_WIN: u8 = 3;

/// A game on the board of chess with its men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Standard chess; Chess960 and games that differ in castling alone, too.
    #[default]
    Standard,
    /// Whose king reaches one of the four squares in the middle wins.
    KingOfTheHill,
    /// Who gives the third check wins.
    ThreeCheck,
    /// Whose king reaches the eighth rank first wins, and no move may give check. If White's does,
    /// Black has one more move to draw.
    RacingKings,
    /// White has pawns alone and wants to mate; Black wants to take them all.
    Horde,
    /// Who captures goes off with what was captured and all but pawns around. Whose king does has
    /// lost.
    Atomic,
    /// Who has lost all men, or has no move, wins. Captures are compulsory, and the king is a man like
    /// others. As lichess plays it: games begin without the right to castle.
    Antichess,
    /// The same with castling.
    Giveaway,
    /// The same without castling; if a side has no move, the one with fewer men wins.
    Suicide,
    /// Captures are compulsory, and who is mated, has no move, or has lost all but the king wins.
    Losers,
    /// Who captures takes the man in hand, and may drop it on the board in place of a move.
    Crazyhouse,
}

impl Variant {
    /// All of them, standard chess first.
    pub const ALL: [Self; 11] = [
        Self::Standard,
        Self::KingOfTheHill,
        Self::ThreeCheck,
        Self::RacingKings,
        Self::Horde,
        Self::Atomic,
        Self::Antichess,
        Self::Giveaway,
        Self::Suicide,
        Self::Losers,
        Self::Crazyhouse,
    ];

    /// Their names, in the same order.
    pub const NAMES: [&str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::ALL[index].name();
            index += 1;
        }
        names
    };

    /// The name that programs and players know it by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "chess",
            Self::KingOfTheHill => "kingofthehill",
            Self::ThreeCheck => "3check",
            Self::RacingKings => "racingkings",
            Self::Horde => "horde",
            Self::Atomic => "atomic",
            Self::Antichess => "antichess",
            Self::Giveaway => "giveaway",
            Self::Suicide => "suicide",
            Self::Losers => "losers",
            Self::Crazyhouse => "crazyhouse",
        }
    }

    /// The variant of this name, in any case; also under the names that other programs give it.
    pub fn from_name(name: &str) -> Option<Self> {
        let letters = name.chars().filter(char::is_ascii_alphanumeric);
        let name: String = letters.map(|c| c.to_ascii_lowercase()).collect();
        let known = Self::ALL.into_iter().find(|variant| variant.name() == name);
        known.or(match name.as_str() {
            "standard" | "normal" => Some(Self::Standard),
            "koth" => Some(Self::KingOfTheHill),
            "threecheck" | "threechecks" => Some(Self::ThreeCheck),
            "racingchess" => Some(Self::RacingKings),
            "atomicchess" => Some(Self::Atomic),
            "giveawaychess" => Some(Self::Giveaway),
            "suicidechess" => Some(Self::Suicide),
            "loserschess" => Some(Self::Losers),
            "zh" | "house" => Some(Self::Crazyhouse),
            _ => None,
        })
    }

    /// Where its games begin, as a FEN.
    pub const fn start_fen(self) -> &'static str {
        match self {
            Self::Standard | Self::KingOfTheHill | Self::Atomic | Self::Giveaway | Self::Losers => {
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            }
            Self::Antichess | Self::Suicide => {
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
            }
            Self::ThreeCheck => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
            Self::Crazyhouse => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
            Self::RacingKings => "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
            Self::Horde => {
                "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"
            }
        }
    }

    /// Whether kings are men like others, of which a side may have any number.
    pub(super) const fn has_common_kings(self) -> bool {
        matches!(self, Self::Antichess | Self::Giveaway | Self::Suicide)
    }

    /// Whether captured men change sides and come back.
    pub const fn has_hands(self) -> bool {
        matches!(self, Self::Crazyhouse)
    }

    /// Whether a right to castle in a set-up means anything.
    pub(super) const fn has_castling(self) -> bool {
        !matches!(self, Self::Suicide | Self::RacingKings)
    }
}

/// How a game ends that chess would go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This side has reached the aim of its game.
    Won(Color, Aim),
    /// Both kings have reached the goal of their race.
    Tie,
}

/// What wins a game besides mate of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aim {
    /// The king stands in the middle of the board.
    Hill,
    /// The third check is given.
    Checks,
    /// The king has won the race to the eighth rank.
    Race,
    /// All men of the horde are taken.
    HordeTaken,
    /// The other king has exploded.
    Explosion,
    /// All men are given away; in a game of losers all but the king.
    AllGiven,
    /// It is this side's turn, and it has no move.
    NoMoves,
    /// The side to move has no move, and this side has fewer men.
    FewerMen,
    /// This side is mated.
    Mated,
}

/// What a variant keeps besides the men on the board; it changes from move to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extra {
    /// The checks that each side still has to give.
    pub checks_left: ColorMap<u8>,
    /// What the last move has blown up, the capturing man included: the three by three squares
    /// around its target, rank by rank.
    pub debris: [Option<Piece>; 9],
    /// The men that each side has in hand.
    pub hands: ColorMap<Hand>,
    /// Where men stand that were pawns, and are pawns again when they are taken.
    pub promoted: Bitboard,
}

impl Default for Extra {
    fn default() -> Self {
        Self {
            checks_left: ColorMap::new([CHECKS_TO_WIN; 2]),
            debris: [None; 9],
            hands: ColorMap::default(),
            promoted: Bitboard::EMPTY,
        }
    }
}

/// By which rules a position is played, as far as the compiler knows.
pub trait Rules: Clone + Debug + Send + Sync + 'static {
    /// The game.
    fn variant(&self) -> Variant;
    /// What it keeps.
    fn extra(&self) -> Extra;
    /// Changes what it keeps.
    fn set_extra(&mut self, extra: Extra);
    /// A move, or null move, begins.
    fn begin_ply(&mut self);
    /// What it kept before the last move.
    fn take_back(&mut self);
    /// The same without what it kept before moves.
    #[must_use]
    fn without_history(&self) -> Self;
}

/// The rules of standard chess, known when the program is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Standard;

impl Rules for Standard {
    #[inline]
    fn variant(&self) -> Variant {
        Variant::Standard
    }

    #[inline]
    fn extra(&self) -> Extra {
        Extra::default()
    }

    #[inline]
    fn set_extra(&mut self, _: Extra) {}

    #[inline]
    fn begin_ply(&mut self) {}

    #[inline]
    fn take_back(&mut self) {}

    fn without_history(&self) -> Self {
        *self
    }
}

/// The rules of any variant, standard chess among them, known when the program runs.
#[derive(Clone, Debug)]
pub struct AnyRules {
    variant: Variant,
    extra: Extra,
    /// What was kept before each move; empty if the variant keeps nothing.
    history: Vec<Extra>,
}

impl AnyRules {
    pub(super) const fn new(variant: Variant, extra: Extra) -> Self {
        Self {
            variant,
            extra,
            history: Vec::new(),
        }
    }

    fn keeps_something(&self) -> bool {
        matches!(
            self.variant,
            Variant::ThreeCheck | Variant::Atomic | Variant::Crazyhouse
        )
    }
}

impl Rules for AnyRules {
    #[inline]
    fn variant(&self) -> Variant {
        self.variant
    }

    #[inline]
    fn extra(&self) -> Extra {
        self.extra
    }

    #[inline]
    fn set_extra(&mut self, extra: Extra) {
        self.extra = extra;
    }

    #[inline]
    fn begin_ply(&mut self) {
        if self.keeps_something() {
            self.history.push(self.extra);
            self.extra.debris = [None; 9];
        }
    }

    #[inline]
    fn take_back(&mut self) {
        if let Some(extra) = self.history.pop() {
            self.extra = extra;
        }
    }

    fn without_history(&self) -> Self {
        Self::new(self.variant, self.extra)
    }
}
