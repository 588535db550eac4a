//! How players did in all their games.

use orthrus_core::types::Color;

use super::phase::Phase;
use super::review::{Review, Summary};

/// Means over the games of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct Player {
    pub(crate) name: String,
    pub(crate) games: u64,
    accuracy: Mean,
    phases: [Mean; 3],
    pub(crate) inaccuracies: usize,
    pub(crate) mistakes: usize,
    pub(crate) blunders: usize,
}

/// The mean of values that come one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.sum += value;
            self.count += 1;
        }
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Player {
    /// The mean accuracy of the games, from 0 to 100; `None` without a move.
    pub(crate) fn accuracy(&self) -> Option<f64> {
        self.accuracy.value()
    }

    /// The same for the moves in each phase, of the games that have such.
    pub(crate) fn phases(&self) -> [Option<f64>; 3] {
        self.phases.map(Mean::value)
    }
}

/// The players of all games.
#[derive(Debug, Default)]
pub(crate) struct Players(Vec<Player>);

impl Players {
    pub(crate) fn add(&mut self, review: &Review) {
        for color in Color::ALL {
            let tag = review.game.tags.get(color.name());
            let name = tag.unwrap_or("?");
            let known = self.0.iter().position(|player| player.name == name);
            let at = known.unwrap_or_else(|| {
                self.0.push(Player {
                    name: name.to_owned(),
                    ..Player::default()
                });
                self.0.len() - 1
            });
            let player = &mut self.0[at];
            let Summary {
                accuracy,
                phases,
                centipawn_loss: _,
                inaccuracies,
                mistakes,
                blunders,
            } = review.summary(color);
            // Who plays both sides has played one game.
            let is_both = color == Color::Black && review.game.tags.get("White") == tag;
            player.games += u64::from(!is_both);
            player.accuracy.add(accuracy);
            for (mean, value) in player.phases.iter_mut().zip(phases) {
                mean.add(value);
            }
            player.inaccuracies += inaccuracies;
            player.mistakes += mistakes;
            player.blunders += blunders;
        }
    }

    /// Those with the most games first.
    pub(crate) fn ranked(&self) -> Vec<&Player> {
        let mut players: Vec<&Player> = self.0.iter().collect();
        players.sort_by_key(|player| std::cmp::Reverse(player.games));
        players
    }

    /// A table for people, of at most this many players.
    pub(crate) fn table(&self, most: usize) -> Vec<String> {
        let players = self.ranked();
        let shown = &players[..players.len().min(most)];
        let width = shown
            .iter()
            .map(|it| it.name.chars().count())
            .max()
            .unwrap_or(0)
            .clamp(6, 24);
        let [opening, middlegame, endgame] = Phase::ALL.map(Phase::name);
        let mut lines = vec![format!(
            "{:width$}  games  accuracy  {opening}  {middlegame}  {endgame}    ?!     ?    ??",
            "player"
        )];
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
        lines.extend(shown.iter().map(|player| {
            let name: String = player.name.chars().take(width).collect();
            let [opening, middlegame, endgame] = player.phases().map(number);
            format!(
                "{name:width$}  {:>5}  {:>8}  {opening:>7}  {middlegame:>10}  {endgame:>7}  {:>4}  {:>4}  {:>4}",
                player.games,
                number(player.accuracy()),
                player.inaccuracies,
                player.mistakes,
                player.blunders
            )
        }));
        if players.len() > shown.len() {
            lines.push(format!("and {} more", players.len() - shown.len()));
        }
        lines
    }
}
