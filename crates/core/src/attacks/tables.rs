//! The tables that the build script has written.

use crate::types::Bitboard;

include!(concat!(env!("OUT_DIR"), "/attack_tables.rs"));
