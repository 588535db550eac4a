//! Playing below full strength.
//!
//! A limited search is cut short by depth and nodes rather than by time, so that its strength
//! hardly depends on the machine. It keeps several root moves with their scores, and plays one of
//! them at random: the better ones more often, and none that loses more than a margin. Its mistakes
//! are thus oversights of a short search, like those of people: nothing is given away on purpose, and
//! what happens on the next moves is always seen. On a clock it takes its time, more where it is hard
//! to choose.

use std::time::Duration;

use super::limits::Limits;
use super::root::RootMove;
use crate::position::{Position, Rules};
use crate::types::{Color, GOLDEN, Move, MoveKind, Promotion, Score, mix};

/// The lowest Elo that can be set. The scale is that of Stockfish 16 and later, which is anchored
/// to the rating list CCRL; docs/strength.md has what was measured. From about 2900 on the levels
/// are reached only at long time controls: at short ones the time is up first.
pub(crate) const MIN_ELO: u32 = 1320;
/// The highest Elo that can be set; see [`MIN_ELO`].
pub(crate) const MAX_ELO: u32 = 3190;
/// The skill level that limits nothing; 0 is the weakest.
pub const FULL_SKILL_LEVEL: u32 = 20;

/// How a player of some strength searches and chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Level {
    elo: u32,
    /// No iteration begins after this many nodes.
    nodes: u64,
    /// No iteration is deeper, in plies.
    depth: u32,
    /// It chooses from this many root moves.
    choices: usize,
    /// No move is played that is worse than the best by more than this, in centipawns.
    margin: i32,
    /// Loss in centipawns at which a move is played 1/e times as often as the best.
    temperature: f64,
}

/// The levels, weakest first; between two of them the values are interpolated.
const LEVELS: &[Level] = &[
    level(1320, 400, 3, 8, 320, 160.0),
    level(1800, 620, 5, 6, 150, 66.0),
    level(2200, 2_200, 9, 4, 66, 24.0),
    level(2600, 12_500, 12, 3, 38, 13.0),
    level(3000, 3_000_000, 40, 2, 8, 3.0),
    level(3190, 30_000_000, 80, 2, 6, 2.0),
];

const fn level(
    elo: u32,
    nodes: u64,
    depth: u32,
    choices: usize,
    margin: i32,
    temperature: f64,
) -> Level {
    Level {
        elo,
        nodes,
        depth,
        choices,
        margin,
        temperature,
    }
}

impl Level {
    /// The level of this strength, or the nearest there is.
    fn of(elo: u32) -> Self {
        let above = LEVELS.partition_point(|level| level.elo < elo);
        let high = LEVELS[above.min(LEVELS.len() - 1)];
        let low = LEVELS[above.saturating_sub(1).min(LEVELS.len() - 1)];
        let span = f64::from(high.elo.abs_diff(low.elo).max(1));
        let part = (f64::from(elo.clamp(low.elo, high.elo)) - f64::from(low.elo)) / span;
        let between = |low: f64, high: f64| low + (high - low) * part;
        // Every doubling of the nodes is worth about as much as the one before.
        let nodes = between((low.nodes as f64).log2(), (high.nodes as f64).log2()).exp2();
        Self {
            elo,
            nodes: nodes.round() as u64,
            depth: between(low.depth.into(), high.depth.into()).round() as u32,
            choices: between(low.choices as f64, high.choices as f64).round() as usize,
            margin: between(low.margin.into(), high.margin.into()).round() as i32,
            temperature: between(low.temperature, high.temperature),
        }
    }
}

/// A limited search is aborted at this multiple of the nodes after which no iteration begins.
const NODES_SLACK: u64 = 4;
/// Iterations up to this depth in plies are searched whatever they cost: checks, captures and threats
/// of one move are what every player sees.
const SEEN_DEPTH: i32 = 3;
/// What they may cost at most.
const SEEN_NODES: u64 = 20_000;

/// The part of the time planned for a move that a move is given which suggests itself, and what is
/// added where all that is considered seems equally good.
const LEAST_TIME: f64 = 0.1;
const TIME_FOR_DOUBT: f64 = 0.7;
/// The factor on both if the last iteration has changed its mind.
const SURPRISE: f64 = 1.4;
/// No move is made to wait longer than this for the look of it.
const LONGEST_TIME: Duration = Duration::from_secs(30);

/// A limit on the strength of one search.
#[derive(Clone, Debug)]
pub(crate) struct Handicap {
    level: Level,
    seed: u64,
    /// Whether the move may take the time of a clock, because nothing else ends the search.
    takes_time: bool,
}

impl Handicap {
    /// Play with about this strength, clamped between [`MIN_ELO`] and [`MAX_ELO`]. The same `seed`
    /// makes the same choice.
    pub(crate) fn elo(elo: u32, seed: u64) -> Self {
        let level = Level::of(elo.clamp(MIN_ELO, MAX_ELO));
        Self {
            level,
            seed,
            takes_time: false,
        }
    }

    /// Play at this skill level; `None` from [`FULL_SKILL_LEVEL`] on, which is no limit. The
    /// levels divide the range of Elo numbers evenly.
    pub(crate) fn skill_level(level: u32, seed: u64) -> Option<Self> {
        let elo = MIN_ELO + (MAX_ELO - MIN_ELO) * level / FULL_SKILL_LEVEL;
        (level < FULL_SKILL_LEVEL).then(|| Self::elo(elo, seed))
    }

    /// Tightens the limits of a search for `side` to those of this strength.
    pub(crate) fn restrict(&mut self, limits: &mut Limits, side: Color) {
        self.takes_time = limits.clocks[side].is_some() && !limits.has_end();
        let Level { nodes, depth, .. } = self.level;
        limits.depth = Some(limits.depth.map_or(depth, |limit| limit.min(depth)));
        let soft = limits.soft_nodes.map_or(nodes, |limit| limit.min(nodes));
        limits.soft_nodes = Some(soft);
        let hard = (nodes * NODES_SLACK).max(SEEN_NODES);
        limits.nodes = Some(limits.nodes.map_or(hard, |limit| limit.min(hard)));
    }

    /// Whether the iteration of this depth is searched even if there are no nodes left for it.
    pub(super) fn always_searches(depth: i32) -> bool {
        depth <= SEEN_DEPTH
    }

    /// Whether a player thinks of this move: of a rook or a bishop only where a queen would
    /// stalemate, be a burden, or be forbidden.
    pub(super) fn considers<R: Rules>(position: &Position<R>, mv: Move) -> bool {
        if position.has_compulsory_captures() {
            return true;
        }
        let kind = match mv.kind() {
            MoveKind::Promotion(Promotion::Rook | Promotion::Bishop) => {
                MoveKind::Promotion(Promotion::Queen)
            }
            MoveKind::CapturePromotion(Promotion::Rook | Promotion::Bishop) => {
                MoveKind::CapturePromotion(Promotion::Queen)
            }
            _ => return true,
        };
        let queen = Move::new(mv.from(), mv.to(), kind);
        if !position.is_legal(queen) {
            return true;
        }
        let mut after = position.without_history();
        after.make_move(queen);
        !after.in_check() && !after.has_legal_move()
    }

    /// How many lines must be searched to choose from.
    pub(super) fn lines(&self) -> usize {
        self.level.choices
    }

    /// The index of the move to play among those searched, which come best first; 0 without any.
    pub(super) fn choose(&self, candidates: &[RootMove]) -> usize {
        let total: f64 = self.weights(candidates).sum();
        let mut left = unit(self.seed) * total;
        for (index, weight) in self.weights(candidates).enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }

    /// How often each of these moves is played, best first: that of the best is 1. The sum is thus the
    /// number of moves between which it is hard to choose.
    fn weights(&self, candidates: &[RootMove]) -> impl Iterator<Item = f64> {
        let Level {
            choices,
            margin,
            temperature,
            ..
        } = self.level;
        let best = candidates.first().map_or(Score::DRAW, |root| root.score);
        let choices = match best.mate_moves() {
            Some(1) => 1,
            _ => choices,
        };
        let losses = candidates.iter().take(choices);
        losses
            .map(move |root| best - root.score)
            .take_while(move |&loss| loss <= margin)
            .map(move |loss| (-f64::from(loss) / temperature).exp())
    }

    /// How long the search should have taken when its move is made, of the time planned for a move:
    /// the longer, the harder the choice between these moves was; `is_surprised` says that the best
    /// was another one a ply earlier. Zero if the move is to be made at once.
    pub(super) fn thinking_time(
        &self,
        planned: Duration,
        candidates: &[RootMove],
        is_surprised: bool,
    ) -> Duration {
        if !self.takes_time {
            return Duration::ZERO;
        }
        let doubts = self.weights(candidates).sum::<f64>() - 1.0;
        let doubt = doubts / (self.level.choices - 1) as f64;
        let factor = LEAST_TIME + TIME_FOR_DOUBT * doubt.clamp(0.0, 1.0);
        let surprise = if is_surprised { SURPRISE } else { 1.0 };
        planned.mul_f64(factor * surprise).min(LONGEST_TIME)
    }
}

/// A number from 0 up to 1 that looks random: the first of Sebastiano Vigna's splitmix64.
fn unit(seed: u64) -> f64 {
    (mix(seed.wrapping_add(GOLDEN)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::fen;
    use crate::search::limits::Clock;
    use crate::search::root::root_moves;

    /// Root moves with these scores, best first.
    fn candidates(scores: &[Score]) -> Vec<RootMove> {
        let mut moves = root_moves(&Position::startpos(), None);
        moves.truncate(scores.len());
        for (root, &score) in moves.iter_mut().zip(scores) {
            root.score = score;
        }
        moves
    }

    fn chosen(elo: u32, seed: u64, candidates: &[RootMove]) -> usize {
        Handicap::elo(elo, seed).choose(candidates)
    }

    #[test]
    fn stronger_levels_look_further_and_err_less() {
        let levels: Vec<Level> = (MIN_ELO..=MAX_ELO).map(Level::of).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes, "{pair:?}");
            assert!(pair[0].depth <= pair[1].depth, "{pair:?}");
            assert!(pair[0].choices >= pair[1].choices, "{pair:?}");
            assert!(pair[0].margin >= pair[1].margin, "{pair:?}");
            assert!(pair[0].temperature >= pair[1].temperature, "{pair:?}");
        }
        for &level in LEVELS {
            assert_eq!(Level::of(level.elo), level);
        }
        assert_eq!(LEVELS[0].elo, MIN_ELO);
        assert_eq!(LEVELS[LEVELS.len() - 1].elo, MAX_ELO);
    }

    #[test]
    fn no_choice_loses_more_than_the_margin() {
        let margin = Level::of(MIN_ELO).margin;
        let scores = [100, 60, 100 - margin, 99 - margin].map(Score::centipawns);
        let candidates = candidates(&scores);
        let mut counts = [0; 4];
        for seed in 0..1000 {
            counts[chosen(MIN_ELO, seed, &candidates)] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
        assert!(counts[2] > 0 && counts[3] == 0, "{counts:?}");
    }

    /// More lines may be shown than the level chooses from.
    #[test]
    fn no_more_moves_are_chosen_from_than_the_level_says() {
        let choices = Level::of(MIN_ELO).choices;
        let candidates = candidates(&[Score::DRAW; 20]);
        let worst = (0..1000).map(|seed| chosen(MIN_ELO, seed, &candidates));
        assert_eq!(worst.max(), Some(choices - 1));
    }

    #[test]
    fn a_mate_in_one_is_never_missed() {
        let candidates = candidates(&[Score::mate_in(1), Score::mate_in(3)]);
        for seed in 0..100 {
            assert_eq!(chosen(MIN_ELO, seed, &candidates), 0);
        }
    }

    #[test]
    fn nobody_thinks_of_less_than_a_queen_unless_she_stalemates() {
        let promotions = |fen: &str| {
            let position = fen::parse(fen).unwrap();
            let considered = |mv: &&Move| Handicap::considers(&position, **mv);
            let legal = position.legal_moves();
            let promotions = legal
                .iter()
                .filter(considered)
                .filter_map(|mv| mv.promotion());
            let mut found: Vec<_> = promotions.collect();
            found.sort_by_key(|&promotion| promotion as u8);
            found
        };
        let usual = promotions("5rk1/6p1/7p/p7/P6P/4K1P1/2qp4/8 b - - 0 42");
        assert_eq!(usual, [Promotion::Knight, Promotion::Queen]);
        let capture = promotions("1n5k/P7/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(
            capture.iter().filter(|&&it| it == Promotion::Rook).count(),
            0
        );
        // A queen leaves the king no move, and no check.
        let stalemate = promotions("8/5P1k/8/6K1/8/8/8/8 w - - 0 1");
        assert!(stalemate.contains(&Promotion::Rook), "{stalemate:?}");
    }

    #[test]
    fn it_takes_time_on_a_clock_and_more_if_the_choice_is_hard() {
        let planned = Duration::from_secs(10);
        let clock = Clock {
            remaining: Duration::from_secs(300),
            increment: Duration::ZERO,
        };
        let mut timed = Limits::none(Instant::now());
        timed.clocks[Color::White] = Some(clock);
        let takes = |limits: &Limits, scores: &[i32], is_surprised| {
            let mut handicap = Handicap::elo(1500, 0);
            handicap.restrict(&mut limits.clone(), Color::White);
            let scores: Vec<_> = scores.iter().copied().map(Score::centipawns).collect();
            handicap.thinking_time(planned, &candidates(&scores), is_surprised)
        };
        let hard = takes(&timed, &[10, 9, 8, 7, 6], false);
        let easy = takes(&timed, &[500, 9, 8, 7, 6], false);
        let forced = takes(&timed, &[10], false);
        assert!(easy < hard && hard < planned, "{easy:?} {hard:?}");
        assert_eq!(forced, easy);
        assert!(takes(&timed, &[10, 9], true) > takes(&timed, &[10, 9], false));
        for limits in [
            Limits {
                depth: Some(5),
                ..timed.clone()
            },
            Limits {
                nodes: Some(5),
                ..timed.clone()
            },
            Limits {
                move_time: Some(planned),
                ..timed.clone()
            },
            Limits::none(Instant::now()),
        ] {
            assert_eq!(takes(&limits, &[10, 9], false), Duration::ZERO, "{limits}");
        }
    }

    #[test]
    fn skill_levels_span_the_range_and_end_in_full_strength() {
        let elo = |level| Handicap::skill_level(level, 0).map(|handicap| handicap.level.elo);
        assert_eq!(elo(0), Some(MIN_ELO));
        assert!(elo(19) > elo(18) && elo(19) < Some(MAX_ELO));
        assert_eq!(elo(FULL_SKILL_LEVEL), None);
    }
}
