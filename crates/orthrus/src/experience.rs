//! What games have taught, as told to a person or to a program.

use orthrus_core::engine::experience::{
    Contents, ExperienceError, ExperienceFile, Knowledge, read,
};
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{write_coordinate, write_san};
use orthrus_core::position::Position;
use serde::Serialize;

use crate::args::ExperienceTool;
use crate::perft::castling_text;

/// What a file knows of a position.
#[derive(Debug, Serialize)]
struct Summary {
    /// Records in the file.
    records: usize,
    /// Those that cannot be read.
    damaged: usize,
    /// Different moves among them.
    moves: usize,
    fen: String,
    /// The known moves of the position, best first.
    known: Vec<KnownMove>,
}

#[derive(Debug, Serialize)]
struct KnownMove {
    san: String,
    uci: String,
    /// Centipawns for the side to move; beyond 31,000 mates, counted down from 32,000 by plies.
    score: i32,
    depth: u8,
}

/// Does what is asked; gives the lines to print.
///
/// # Errors
///
/// A file cannot be used.
pub(crate) fn run(tool: ExperienceTool) -> Result<Vec<String>, ExperienceError> {
    match tool {
        ExperienceTool::Show { file, fen, json } => {
            let position = fen.map_or_else(Position::startpos, |position| *position);
            let summary = summarise(&read(&file)?, &position);
            Ok(if json {
                vec![serde_json::json!(summary).to_string()]
            } else {
                summary.lines()
            })
        }
        ExperienceTool::Merge { into, from } => {
            let (mut file, _) = ExperienceFile::open(&into)?;
            let mut added = 0;
            for other in from {
                for record in read(&other)?.records {
                    file.append(record)?;
                    added += 1;
                }
            }
            file.sync()?;
            Ok(vec![format!("{added} records added to {}", into.display())])
        }
    }
}

fn summarise(contents: &Contents, position: &Position) -> Summary {
    let knowledge = Knowledge::new(&contents.records);
    let moves = knowledge.moves(position).into_iter();
    Summary {
        records: contents.records.len(),
        damaged: contents.damaged,
        moves: knowledge.len(),
        fen: fen::write(position, CastlingLetters::KingAndQueen),
        known: moves
            .map(|(mv, known)| KnownMove {
                san: write_san(position, mv),
                uci: write_coordinate(position, mv, castling_text(position)),
                score: known.score.value(),
                depth: known.depth,
            })
            .collect(),
    }
}

impl Summary {
    fn lines(&self) -> Vec<String> {
        let Self {
            records,
            damaged,
            moves,
            fen,
            known,
        } = self;
        let mut lines = vec![
            format!("{records} records of {moves} moves, {damaged} damaged"),
            fen.clone(),
        ];
        if known.is_empty() {
            lines.push("nothing is known of this position".to_owned());
        }
        lines.extend(known.iter().map(|it| {
            let KnownMove {
                san, score, depth, ..
            } = it;
            format!("{san:<8}{score:>+7}  depth {depth}")
        }));
        lines
    }
}
