//! How Orthrus teaches itself: games played against itself, the files that hold them, and the
//! training of a network from them. Makes the network and ships none of it.

pub mod commands;
pub mod data;
pub mod selfplay;
pub mod statistics;
pub mod train;
pub mod wdl;

#[cfg(test)]
mod testing;
