//! Writes the attack tables as Rust source, 110,000 numbers that the compiler would need a minute
//! to compute itself, and lays the network ready that the binary carries.

#[path = "src/attacks/magic.rs"]
#[allow(dead_code, reason = "the crate uses the rest")]
mod magic;

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use magic::Magic;

/// Names another network to carry.
const NETWORK_VARIABLE: &str = "ORTHRUS_EVALFILE";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/attacks/magic.rs");
    let mut source = String::new();
    let rooks = attacks(magic::ROOK, &magic::ROOK_FACTORS);
    let bishops = attacks(magic::BISHOP, &magic::BISHOP_FACTORS);
    write_table(&mut source, "ROOK_ATTACKS", &rooks);
    write_table(&mut source, "BISHOP_ATTACKS", &bishops);
    write_table(&mut source, "BETWEEN", &pairs(between));
    write_table(&mut source, "LINE", &pairs(line));
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let out = Path::new(&out);
    fs::write(out.join("attack_tables.rs"), source).expect("OUT_DIR is writable");
    embed_network(out);
}

fn embed_network(out: &Path) {
    println!("cargo::rerun-if-env-changed={NETWORK_VARIABLE}");
    let named = env::var_os(NETWORK_VARIABLE).filter(|name| !name.is_empty());
    let file = named.map_or_else(|| PathBuf::from("networks/chess.nnue"), PathBuf::from);
    println!("cargo::rerun-if-changed={}", file.display());
    // Not copied, which keeps its permissions: the next one could not take the place of one that is not to
    // be written.
    let copied = fs::read(&file).and_then(|bytes| fs::write(out.join("network.nnue"), bytes));
    if let Err(error) = copied {
        panic!("cannot copy the network {}: {error}", file.display());
    }
}

/// The attacks of every square for every set of blockers, each where its magic finds it.
fn attacks(lines: [usize; 2], factors: &[u64; 64]) -> Vec<u64> {
    let mut table = Vec::new();
    for (square, magic) in magic::magics(lines, factors).iter().enumerate() {
        let size = 1 << magic.mask.count_ones();
        table.resize(table.len() + size, 0);
        for blockers in subsets(magic) {
            table[magic.index(blockers)] = magic::rays(lines, square as u8, blockers);
        }
    }
    table
}

/// Every subset of the mask, by counting within its bits (the carry-rippler trick).
fn subsets(magic: &Magic) -> impl Iterator<Item = u64> {
    let mask = magic.mask;
    let next = move |&blockers: &u64| Some(blockers.wrapping_sub(mask) & mask).filter(|&b| b != 0);
    std::iter::successors(Some(0), next)
}

/// One value for every pair of squares, row by row.
fn pairs(value: fn(u8, u8, usize) -> u64) -> Vec<u64> {
    let mut table = Vec::new();
    for a in 0..64 {
        for b in 0..64 {
            let shared = (0..4).find(|&line| magic::along(line, a, 0) >> b & 1 != 0);
            table.push(shared.map_or(0, |shared| value(a, b, shared)));
        }
    }
    table
}

fn between(a: u8, b: u8, shared: usize) -> u64 {
    let ends = 1 << a | 1 << b;
    magic::along(shared, a, ends) & magic::along(shared, b, ends)
}

fn line(a: u8, _b: u8, shared: usize) -> u64 {
    magic::along(shared, a, 0) | 1 << a
}

fn write_table(source: &mut String, name: &str, values: &[u64]) {
    let length = values.len();
    let _ = writeln!(source, "pub(super) static {name}: [Bitboard; {length}] = [");
    for value in values {
        let _ = writeln!(source, "Bitboard({value:#x}),");
    }
    source.push_str("];\n");
}
