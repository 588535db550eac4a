//! How Orthrus teaches itself: games played against itself, the files that hold them, and the
//! training of a network from them. It only makes the network; no part of it ships with the engine.

pub mod commands;
pub mod data;
mod selfplay;
mod statistics;
mod train;
mod variant_name;
mod wdl;

#[cfg(test)]
mod testing;
