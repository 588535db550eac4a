//! Looks positions up in endgame tables, for comparisons with other programs.
//!
//! `cargo run -p orthrus-core --example probe_tables FOLDERS` reads a FEN a line from standard
//! input and answers each with the result (-2 to 2) and the distance to zeroing, or `-` twice.

use std::error::Error;
use std::io::{self, BufRead as _, Write as _};

use orthrus_core::fen;
use orthrus_core::tablebase::{Tablebase, Wdl};

fn main() -> Result<(), Box<dyn Error>> {
    let folders = std::env::args().nth(1).ok_or("which folders?")?;
    let (tablebase, errors) = Tablebase::open(&folders);
    if let Some(error) = errors.first() {
        return Err(error.to_string().into());
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let mut position = fen::parse(&line?)?;
        let wdl = tablebase.wdl(&mut position).map(|wdl| match wdl {
            Wdl::Loss => -2,
            Wdl::BlessedLoss => -1,
            Wdl::Draw => 0,
            Wdl::CursedWin => 1,
            Wdl::Win => 2,
        });
        match wdl.zip(tablebase.dtz(&mut position)) {
            Some((wdl, dtz)) => writeln!(out, "{wdl} {dtz}")?,
            None => writeln!(out, "- -")?,
        }
    }
    Ok(())
}
