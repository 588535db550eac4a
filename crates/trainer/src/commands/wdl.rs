//! `orthrus-trainer wdl`: what scores are worth in games.

use std::io::{self, BufWriter, Write, stdout};
use std::path::PathBuf;

use orthrus_core::evaluation::wdl::Model;

use super::CommandResult;
use crate::data::{DataReader, intact};
use crate::train::dataset::variant_of;
use crate::wdl::{Counts, Row, SCORE_LIMIT, fit};

/// One game in this many is kept out of the fit, for testing.
const TESTED: usize = 10;

/// Fits the chances of win, draw and loss to games. Prints the coefficients, then a table of
/// expected and actual outcomes of the games kept out of the fit.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The data files.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    data: Vec<PathBuf>,
}

/// Fits and prints.
///
/// # Errors
///
/// If a file is not a data file or cannot be read, if its games do not determine a model, or if the
/// output cannot be written. Damaged blocks are reported and skipped.
pub fn run(args: &Args) -> CommandResult {
    variant_of(&args.data)?;
    let (mut fitted, mut tested) = (Counts::default(), Counts::default());
    let mut games = 0;
    for path in &args.data {
        let read = DataReader::open(path)?.games();
        for game in intact(read, |damaged| log::warn!("left out: {damaged}")) {
            let game = game?;
            games += 1;
            if games % TESTED == 0 {
                tested.add_game(&game)?;
            } else {
                fitted.add_game(&game)?;
            }
        }
    }
    if tested.total() == 0 {
        return Err(format!("{games} games are too few: one in {TESTED} is for testing").into());
    }
    let model = fit(&fitted)?;
    let mut output = BufWriter::new(stdout().lock());
    writeln!(
        output,
        "{games} games, {} plies within {SCORE_LIMIT} centipawns fitted, {} tested",
        fitted.total(),
        tested.total()
    )?;
    print(&mut output, &model, &tested)?;
    output.flush()?;
    Ok(())
}

fn print(output: &mut impl Write, model: &Model, tested: &Counts) -> io::Result<()> {
    writeln!(output, "steepness: {:.4?}", model.steepness)?;
    writeln!(output, "margin: {:.4?}", model.margin)?;
    writeln!(output, "margin of a score of 0: {:.4?}", model.draw_margin)?;
    let loss = |model: &Model| tested.log_loss(model);
    writeln!(output, "log loss: {:.4}", loss(model))?;
    writeln!(
        output,
        "log loss of the engine's: {:.4}",
        loss(&Model::CURRENT)
    )?;
    let rows = tested.calibration(model);
    writeln!(output, "mean error in points: {:.4}", mean_error(&rows))?;
    writeln!(output, "score    plies  win draw loss  expected")?;
    for row in &rows {
        let permille = |count: f64| count * 1_000.0 / row.came.total() as f64;
        writeln!(
            output,
            "{:>5} {:8} {:4.0} {:4.0} {:4.0}  {:4.0} {:4.0} {:4.0}",
            label(row),
            row.came.total(),
            permille(row.came.wins as f64),
            permille(row.came.draws as f64),
            permille(row.came.losses as f64),
            permille(row.wins),
            permille(row.draws()),
            permille(row.losses),
        )?;
    }
    Ok(())
}

/// The scores of a row.
fn label(row: &Row) -> String {
    if row.is_draw {
        "=0".to_owned()
    } else {
        row.score.to_string()
    }
}

/// How far expected points are from the actual ones, by step of the score, weighted by plies.
fn mean_error(rows: &[Row]) -> f64 {
    let plies: u64 = rows.iter().map(|row| row.came.total()).sum();
    let error = |row: &Row| {
        let came = row.came.wins as f64 - row.came.losses as f64;
        (came - (row.wins - row.losses)).abs() / 2.0
    };
    rows.iter().map(error).sum::<f64>() / plies as f64
}
