//! The search that plays and scores games: options that several subcommands share.

use std::error::Error;
use std::fs;
use std::io::{self, Write as _, stderr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use clap::value_parser;
use orthrus_core::VERSION;
use orthrus_core::evaluation::{CpuLevel, Evaluation, Material, Network};
use orthrus_core::position::Variant;

use crate::data::SearchRules;
use crate::selfplay::SearchPlayer;

/// How long a position is searched, and on how many threads.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Games at once [default: one per processor].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Nodes per move; the last iteration is finished.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes after which a search is aborted [default: 10 times --nodes].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    hard_nodes: Option<u64>,
    /// Hash table of each thread in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = value_parser!(u16).range(1..=4096))]
    hash: u16,
}

impl SearchArgs {
    /// The rules given by the options.
    pub(super) fn rules(&self) -> SearchRules {
        SearchRules {
            soft_nodes: self.nodes,
            hard_nodes: self.hard_nodes.unwrap_or(self.nodes.saturating_mul(10)),
            hash_mebibytes: self.hash.into(),
        }
    }

    /// A player for each thread.
    ///
    /// # Errors
    ///
    /// If there is no memory for the hash tables, or the processors cannot be counted.
    pub(super) fn players(
        &self,
        evaluation: &Evaluation,
    ) -> Result<Vec<SearchPlayer>, Box<dyn Error>> {
        let threads = match self.threads {
            Some(threads) => threads,
            None => available_parallelism()?,
        };
        let hash = self.rules().hash_mebibytes;
        let players: Result<Vec<_>, _> = (0..threads.get())
            .map(|_| SearchPlayer::new(hash, evaluation.clone()))
            .collect();
        Ok(players?)
    }
}

/// What scores positions.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
pub(super) struct EvaluationArgs {
    /// Scores positions with this network [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Scores positions by material alone, with a little noise: the start of the first generation.
    #[arg(long)]
    material: bool,
}

impl EvaluationArgs {
    /// The evaluation, and its name for the manifest.
    ///
    /// # Errors
    ///
    /// If the network file cannot be read or is not a network for this game.
    pub(super) fn load(
        &self,
        variant: Variant,
        seed: u64,
    ) -> Result<(Evaluation, String), Box<dyn Error>> {
        /// Enough to make games differ, too little to pass for knowledge.
        const NOISE_CENTIPAWNS: u16 = 3;
        let level = CpuLevel::detect();
        let evaluation = if let Some(path) = &self.network {
            let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let bytes = fs::read(path).map_err(|error| named(&error))?;
            let network = Network::from_bytes(&bytes, level)
                .and_then(|network| network.expect_for(variant))
                .map_err(|error| named(&error))?;
            Evaluation::Network(Arc::new(network))
        } else if self.material {
            Evaluation::Material(Material::noisy(seed, NOISE_CENTIPAWNS))
        } else {
            Evaluation::standard(level)
        };
        let name = match evaluation.for_game(variant) {
            Evaluation::Material(_) => format!("material, noise {NOISE_CENTIPAWNS} cp"),
            Evaluation::Network(network) => {
                let name = format!("network {:016x}", network.hash());
                match network.variant() {
                    game if game == variant => name,
                    game => format!("{name} of {}", game.name()),
                }
            }
        };
        Ok((evaluation, name))
    }
}

/// Version and commit, for the manifest.
pub(super) fn engine_name() -> String {
    format!("{VERSION} {}", env!("ORTHRUS_COMMIT"))
}

/// A flag that is set by Ctrl-C, or when the system asks the program to end.
///
/// # Errors
///
/// If the system does not let signals be handled.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        // If standard error is closed, nobody needs the hint.
        let _: io::Result<()> = writeln!(stderr(), "finishing the games that have begun");
    })?;
    Ok(stop)
}
