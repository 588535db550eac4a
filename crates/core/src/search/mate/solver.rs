//! Depth-first proof-number search (Ayumu Nagai) for a mate within a number of plies. As every move
//! uses up a ply, no line is endless, and the proof need not care about repetitions: the shortest
//! mate has none. Only the line that is shown must not waste plies on them.

use std::collections::{HashMap, HashSet};

use super::table::{MateTable, Numbers};
use crate::position::Rules;
use crate::search::threads::shared::Shared;
use crate::search::threads::worker::Worker;
use crate::types::{Color, GOLDEN, Key, Move};

/// A move of an expanded node, and what is known of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    numbers: Numbers,
}

/// What is played at a position of a proof, and how long the line from there is.
#[derive(Clone, Copy)]
struct Choice {
    mv: Option<Move>,
    length: u32,
}

/// By position and plies left.
type Choices = HashMap<(Key, u32), Choice>;

/// Thresholds of a search that goes on until the node is settled.
const UNLIMITED: Numbers = Numbers {
    phi: Numbers::NEVER,
    delta: Numbers::NEVER,
};

/// Answers whether the root's side to move mates, or is mated, within a number of plies.
pub(super) struct Solver<'a, R: Rules> {
    pub(super) worker: &'a mut Worker<R>,
    shared: &'a Shared,
    table: MateTable,
    /// The moves considered at the root.
    root_moves: Vec<Move>,
    /// Whether the fifty-move rule may end a line: then positions also differ by their clocks.
    clock_counts: bool,
    /// Positions that occurred twice in the game: the next time they are drawn.
    had_twice: Vec<Key>,
    /// Positions that a line reached twice, with the plies that are enough from there.
    enough: HashMap<Key, u32>,
    /// Who mates in the current question; part of the table's key.
    attacker: Color,
    /// The node count at which the current question is given up.
    last_node: u64,
}

impl<'a, R: Rules> Solver<'a, R> {
    /// For the worker's position and root moves, with a mate in at most this many plies.
    pub(super) fn new(worker: &'a mut Worker<R>, shared: &'a Shared, most_plies: u32) -> Self {
        let clock = u32::from(worker.position.halfmove_clock());
        Self {
            shared,
            table: MateTable::new(shared.tt.mebibytes()),
            root_moves: worker.root_moves.iter().map(|root| root.mv).collect(),
            clock_counts: clock + most_plies >= 100,
            had_twice: worker.position.repeated(),
            enough: HashMap::new(),
            attacker: worker.position.side_to_move(),
            last_node: u64::MAX,
            worker,
        }
    }

    /// Whether there is a mate within `plies`, by the side that [`root_mates_with`] names; `None`
    /// if the search was aborted, or has taken this many nodes.
    pub(super) fn is_mate(&mut self, plies: u32, nodes: u64) -> Option<bool> {
        let attacks = root_mates_with(plies);
        let side = self.worker.position.side_to_move();
        self.attacker = if attacks { side } else { !side };
        self.last_node = self.worker.nodes.saturating_add(nodes);
        let mut children = self.open(plies, attacks, true);
        let numbers = self.work(&mut children, UNLIMITED, plies, attacks)?;
        Some(numbers.is_won() == attacks)
    }

    /// The line of a mate within `plies` that [`Solver::is_mate`] has proved: the defender holds
    /// out as long as the attacker's proved moves allow. `None` if the search was aborted.
    pub(super) fn line(&mut self, plies: u32) -> Option<Vec<Move>> {
        self.last_node = u64::MAX;
        loop {
            let mut choices = Choices::new();
            let length = self.follow(plies, root_mates_with(plies), true, &mut choices)?;
            let (line, repeats) = self.walk(plies, &choices);
            if !repeats {
                return (line.len() == length as usize).then_some(line);
            }
        }
    }

    /// The line of these choices from the root, and whether it reached a position twice: then it
    /// ends there, and `enough` has been updated.
    fn walk(&mut self, mut plies: u32, choices: &Choices) -> (Vec<Move>, bool) {
        let mut line = Vec::new();
        let mut seen = HashSet::new();
        let mut repeats = false;
        loop {
            let key = self.worker.position.key();
            plies = self.at_most(plies);
            if !seen.insert(key) {
                self.enough.insert(key, plies);
                repeats = true;
                break;
            }
            let choice = choices.get(&(self.key(), plies));
            let Some(mv) = choice.and_then(|choice| choice.mv) else {
                break;
            };
            self.worker.position.make_move(mv);
            line.push(mv);
            plies -= 1;
        }
        for _ in &line {
            self.worker.position.unmake_move();
        }
        (line, repeats)
    }

    /// `plies`, or fewer if those are known to be enough from the current position.
    fn at_most(&self, plies: u32) -> u32 {
        let enough = self.enough.get(&self.worker.position.key());
        enough.map_or(plies, |&enough| enough.min(plies))
    }

    /// The length of the longest line from the current position in which the attacker plays
    /// proved moves; notes the choice at every position on the way.
    fn follow(
        &mut self,
        plies: u32,
        attacks: bool,
        is_root: bool,
        choices: &mut Choices,
    ) -> Option<u32> {
        let plies = self.at_most(plies);
        let place = (self.key(), plies);
        if let Some(choice) = choices.get(&place) {
            return Some(choice.length);
        }
        let mut children = self.open(plies, attacks, is_root);
        if attacks {
            self.work(&mut children, UNLIMITED, plies, attacks)?;
            children.retain(|child| child.numbers.delta == 0);
            // One is enough for a proof.
            children.truncate(1);
        }
        let mut choice = Choice {
            mv: None,
            length: 0,
        };
        for Child { mv, .. } in children {
            self.worker.position.make_move(mv);
            let below = self.follow(plies - 1, !attacks, false, choices);
            self.worker.position.unmake_move();
            let length = below? + 1;
            if length > choice.length {
                choice = Choice {
                    mv: Some(mv),
                    length,
                };
            }
        }
        choices.insert(place, choice);
        Some(choice.length)
    }

    /// Searches the current position until a number reaches its limit; `None` if aborted.
    fn search(&mut self, limit: Numbers, plies: u32, attacks: bool) -> Option<Numbers> {
        let mut children = self.open(plies, attacks, false);
        let numbers = self.work(&mut children, limit, plies, attacks)?;
        self.table.put(self.key(), plies, numbers);
        Some(numbers)
    }

    /// Works on the most promising child until a number of the node reaches its limit.
    fn work(
        &mut self,
        children: &mut [Child],
        limit: Numbers,
        plies: u32,
        attacks: bool,
    ) -> Option<Numbers> {
        self.worker.count_node(self.shared);
        if self.worker.aborted || self.worker.nodes >= self.last_node {
            return None;
        }
        loop {
            let (numbers, best, second) = summarise(children);
            if numbers.phi >= limit.phi || numbers.delta >= limit.delta || numbers.is_settled() {
                return Some(numbers);
            }
            let Child { mv, numbers: child } = *children.get(best)?;
            let child_limit = Numbers {
                phi: (limit.delta).saturating_sub(numbers.delta.saturating_sub(child.phi)),
                // A little above the second best, so as not to switch back and forth.
                delta: limit.phi.min(second.saturating_add(second / 4 + 1)),
            };
            self.worker.position.make_move(mv);
            let found = self.search(child_limit, plies - 1, !attacks);
            self.worker.position.unmake_move();
            if let Some(child) = children.get_mut(best) {
                child.numbers = found?;
            }
        }
    }

    /// The moves of the current position, each with what is known of it. A move that settles the
    /// node at once is returned alone.
    fn open(&mut self, plies: u32, attacks: bool, is_root: bool) -> Vec<Child> {
        let mut children = Vec::new();
        let checks = self.worker.position.check_squares();
        for &mv in &self.worker.position.legal_moves() {
            if is_root && !self.root_moves.contains(&mv)
                || attacks && plies == 1 && !checks.given_by(&self.worker.position, mv)
            {
                continue;
            }
            self.worker.position.make_move(mv);
            let numbers = self.estimate(plies - 1, !attacks);
            self.worker.position.unmake_move();
            let child = Child { mv, numbers };
            if numbers == Numbers::LOST {
                return vec![child];
            }
            children.push(child);
        }
        children
    }

    /// What is known of the current position, with `plies` left, before it is searched.
    fn estimate(&mut self, plies: u32, attacks: bool) -> Numbers {
        if plies >= 2
            && let Some(numbers) = self.table.get(self.key(), plies, attacks)
        {
            return numbers;
        }
        let position = &self.worker.position;
        let (aim, no_aim) = if attacks {
            (Numbers::WON, Numbers::LOST)
        } else {
            (Numbers::LOST, Numbers::WON)
        };
        let replies = match (attacks, plies) {
            (false, 0) if !position.in_check() => return no_aim,
            (true, _) | (false, 0) => u32::from(position.has_legal_move()),
            (false, _) => position.count_legal_moves() as u32,
        };
        if replies == 0 {
            // A mated defender is the aim, a stalemate or a mated attacker is not.
            return if !attacks && position.in_check() {
                aim
            } else {
                no_aim
            };
        }
        let drawn = position.halfmove_clock() >= 100
            || position.has_insufficient_material()
            || self.had_twice.contains(&position.key());
        match plies {
            0 => no_aim,
            _ if drawn => no_aim,
            1 if self.mates_at_once() => aim,
            1 => no_aim,
            // The fewer replies a defender has, the sooner all are refuted.
            _ => Numbers {
                phi: 1,
                delta: if attacks { 1 } else { replies },
            },
        }
    }

    /// Whether the side to move has a move that mates.
    fn mates_at_once(&mut self) -> bool {
        let position = &mut self.worker.position;
        let checks = position.check_squares();
        position.legal_moves().iter().any(|&mv| {
            checks.given_by(position, mv) && {
                position.make_move(mv);
                let mates = !position.has_legal_move();
                position.unmake_move();
                mates
            }
        })
    }

    fn key(&self) -> Key {
        let position = &self.worker.position;
        let clock = if self.clock_counts {
            u64::from(position.halfmove_clock())
        } else {
            0
        };
        let role = u64::from(self.attacker == Color::White);
        Key(position.key().0 ^ role ^ clock.wrapping_mul(GOLDEN))
    }
}

/// Whether a mate of this many plies is given, not suffered, by the root's side to move: it plays
/// the last of an odd number.
pub(super) fn root_mates_with(plies: u32) -> bool {
    plies % 2 == 1
}

/// The numbers of a node, its most promising child, and the second least delta of its children.
fn summarise(children: &[Child]) -> (Numbers, usize, u32) {
    let (mut best, mut least, mut second) = (0, Numbers::NEVER, Numbers::NEVER);
    let mut sum = 0;
    let mut won = false;
    for (index, child) in children.iter().enumerate() {
        let Numbers { phi, delta } = child.numbers;
        won |= phi == Numbers::NEVER;
        sum += u64::from(phi);
        if delta < least {
            (best, second, least) = (index, least, delta);
        } else {
            second = second.min(delta);
        }
    }
    let delta = if won {
        Numbers::NEVER
    } else {
        sum.min(u64::from(Numbers::NEVER - 1)) as u32
    };
    (Numbers { phi: least, delta }, best, second)
}
