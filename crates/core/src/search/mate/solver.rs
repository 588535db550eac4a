//! Depth-first proof-number search (Ayumu Nagai) for a mate within a number of plies. As every
//! move uses up a ply, no line is endless and repetitions need no care: the shortest mate has
//! none.

use super::table::{MateTable, Numbers};
use crate::search::shared::Shared;
use crate::search::worker::Worker;
use crate::types::{Color, Key, Move};

/// A move of an opened node, and what is known of the position after it.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    numbers: Numbers,
}

/// Answers whether the side to move mates, or is mated, within a number of plies.
pub(super) struct Solver<'a> {
    pub(super) worker: &'a mut Worker,
    shared: &'a Shared,
    table: MateTable,
    /// The moves considered at the root.
    root_moves: Vec<Move>,
    /// The fifty-move rule may end a line: then positions differ by their clocks too.
    clock_counts: bool,
    /// Told apart in the table: who mates in the question that is being answered.
    attacker: Color,
}

impl<'a> Solver<'a> {
    /// For the worker's position and root moves, with a mate in at most so many plies.
    pub(super) fn new(worker: &'a mut Worker, shared: &'a Shared, most_plies: u32) -> Self {
        let clock = u32::from(worker.position.halfmove_clock());
        Self {
            shared,
            table: MateTable::new(shared.tt.mebibytes()),
            root_moves: worker.root_moves.iter().map(|root| root.mv).collect(),
            clock_counts: clock + most_plies >= 100,
            attacker: worker.position.side_to_move(),
            worker,
        }
    }

    /// Whether the root's side to move mates (`attacks`) or is mated within `plies`; `None` if
    /// the search was broken off.
    pub(super) fn is_mate(&mut self, plies: u32, attacks: bool) -> Option<bool> {
        let side = self.worker.position.side_to_move();
        self.attacker = if attacks { side } else { !side };
        let mut children = self.open(plies, attacks, true);
        let limit = Numbers {
            phi: Numbers::NEVER,
            delta: Numbers::NEVER,
        };
        let numbers = self.work(&mut children, limit, plies, attacks)?;
        Some(numbers.is_won() == attacks)
    }

    /// The line of a mate in exactly `plies`, proved before: the attacker mates as fast and the
    /// defender holds out as long as possible.
    pub(super) fn line(&mut self, plies: u32, attacks: bool) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut attacks = attacks;
        for left in (0..plies).rev() {
            let mv = self.line_move(left, attacks, line.is_empty());
            let Some(mv) = mv else { break };
            self.worker.position.make_move(mv);
            line.push(mv);
            attacks = !attacks;
        }
        for _ in &line {
            self.worker.position.unmake_move();
        }
        (line.len() == plies as usize).then_some(line)
    }

    /// The next move of the line, after which `left` plies are left.
    fn line_move(&mut self, left: u32, attacks: bool, is_root: bool) -> Option<Move> {
        let limit = Numbers {
            phi: Numbers::NEVER,
            delta: Numbers::NEVER,
        };
        let mut children = self.open(left + 1, attacks, is_root);
        if attacks {
            self.work(&mut children, limit, left + 1, attacks)?;
            // The one that left nothing to do.
            let best = children.iter().find(|child| child.numbers.delta == 0)?;
            return Some(best.mv);
        }
        for child in children {
            // The reply after which a faster mate fails.
            self.worker.position.make_move(child.mv);
            let faster = match left.checked_sub(2) {
                None => Some(false),
                Some(fewer) => {
                    let mut children = self.open(fewer, true, false);
                    let numbers = self.work(&mut children, limit, fewer, true);
                    numbers.map(Numbers::is_won)
                }
            };
            self.worker.position.unmake_move();
            if !faster? {
                return Some(child.mv);
            }
        }
        None
    }

    /// Searches the current position until a number reaches its limit; `None` if broken off.
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
        if self.worker.aborted {
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
                // A little beyond the second best, so as not to jump back and forth.
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

    /// The moves of the current position, each with what is known of it. An attacker's move that
    /// mates stands alone.
    fn open(&mut self, plies: u32, attacks: bool, is_root: bool) -> Vec<Child> {
        let mut children = Vec::new();
        for &mv in &self.worker.position.legal_moves() {
            if is_root && !self.root_moves.contains(&mv)
                || attacks && plies == 1 && !self.worker.position.gives_check(mv)
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
        let drawn = position.halfmove_clock() >= 100 || position.has_insufficient_material();
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
        position.legal_moves().iter().any(|&mv| {
            position.gives_check(mv) && {
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
        Key(position.key().0 ^ role ^ clock.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
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
