//! What a data file says about itself: who played its games, and by which rules.

use orthrus_core::position::Variant;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::variant_name;

/// The description in the header of a data file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The runs of self-play whose games the file holds: one, or several in a merged file.
    pub runs: Vec<Run>,
    /// Whether its games were copied from other files, and so have other numbers than in their run, which cannot
    /// go on in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub merged: bool,
}

/// One run of self-play: with the same program, it can be repeated from this alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Version of Orthrus, and the commit it was built from.
    pub engine: String,
    /// The game that is played.
    #[serde(
        default,
        with = "variant_name",
        skip_serializing_if = "variant_name::is_chess"
    )]
    pub variant: Variant,
    /// What scored the positions: the hash of a network, or the material values.
    pub evaluation: String,
    /// How long each move was searched.
    pub search: SearchRules,
    /// How games began.
    pub opening: OpeningRules,
    /// When games were ended.
    pub adjudication: AdjudicationRules,
    /// The seed of all random choices; game `n` of the run depends only on this and on `n`.
    pub seed: u64,
    /// What rescored the positions afterwards, if anything did: the scores come from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rescored: Option<Rescoring>,
}

/// What gave games new scores after they had been played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescoring {
    /// Version of Orthrus, and the commit it was built from.
    pub engine: String,
    /// What scored the positions.
    pub evaluation: String,
    /// How long each position was searched.
    pub search: SearchRules,
}

/// Runs of several games, which no file holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("games of {} and of {} together", .0.name(), .1.name())]
pub struct MixedVariants(Variant, Variant);

impl Manifest {
    /// The game of all runs; chess if there is none.
    ///
    /// # Errors
    ///
    /// If there are several.
    pub fn variant(&self) -> Result<Variant, MixedVariants> {
        let mut variants = self.runs.iter().map(|run| run.variant);
        let first = variants.next().unwrap_or_default();
        match variants.find(|&variant| variant != first) {
            Some(other) => Err(MixedVariants(first, other)),
            None => Ok(first),
        }
    }

    /// The manifest of a file with the games of several others: every run once.
    ///
    /// # Errors
    ///
    /// If they are of different games.
    pub fn union<'a>(manifests: impl IntoIterator<Item = &'a Self>) -> Result<Self, MixedVariants> {
        let mut all = Self {
            runs: Vec::new(),
            merged: true,
        };
        for run in manifests.into_iter().flat_map(|manifest| &manifest.runs) {
            if !all.runs.contains(run) {
                all.runs.push(run.clone());
            }
        }
        all.variant()?;
        Ok(all)
    }

    /// Whether some of the scores are not those by which the games were played.
    pub fn is_rescored(&self) -> bool {
        self.runs.iter().any(|run| run.rescored.is_some())
    }
}

/// How long each move is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchRules {
    /// No new iteration is started after this many nodes.
    pub soft_nodes: u64,
    /// The search is aborted after this many nodes.
    pub hard_nodes: u64,
    /// Size of the hash table in MiB. It is cleared before every game.
    pub hash_mebibytes: usize,
}

/// How games begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRules {
    /// At least this many plies are random.
    pub min_plies: usize,
    /// At most this many plies are random.
    pub max_plies: usize,
    /// Some random moves are compared by short searches, whose scores err by up to this many
    /// centipawns on purpose, and the best is played; `None` if every legal move is as likely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<u16>,
    /// Openings that a search scores beyond this many centipawns, for either side, are drawn again.
    pub max_score: i32,
    /// Nodes of that search.
    pub verification_nodes: u64,
    /// Percentage of games that begin with a Chess960 position, the same for both sides.
    pub chess960_percent: u8,
    /// Percentage of games that begin with a double Chess960 position.
    pub double_chess960_percent: u8,
}

/// When a game is ended before its rules end it. Scores are in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRules {
    /// A side has won when the scores of both sides agree that it is ahead by more than this ...
    pub win_score: i32,
    /// ... for this many plies in a row.
    pub win_plies: usize,
    /// A game is drawn when scores stay within this ...
    pub draw_score: i32,
    /// ... for this many plies in a row ...
    pub draw_plies: usize,
    /// ... and the game has reached this ply.
    pub draw_from_ply: usize,
    /// Percentage of games that are played to their real end all the same.
    pub real_end_percent: u8,
    /// A game of this many plies is drawn.
    pub max_plies: usize,
}

impl Default for OpeningRules {
    fn default() -> Self {
        Self {
            min_plies: 8,
            max_plies: 9,
            noise: None,
            max_score: 400,
            verification_nodes: 2_000,
            chess960_percent: 0,
            double_chess960_percent: 0,
        }
    }
}

impl Default for AdjudicationRules {
    fn default() -> Self {
        Self {
            win_score: 800,
            win_plies: 4,
            draw_score: 10,
            draw_plies: 8,
            draw_from_ply: 70,
            real_end_percent: 10,
            max_plies: 1_000,
        }
    }
}
