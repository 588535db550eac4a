//! What games have taught, as shown to a person or to a program.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use orthrus_core::engine::experience::{
    Contents, DEFAULT_FILE, ExperienceError, ExperienceFile, Knowledge, Record, read,
};
use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::notation::{CastlingText, write_coordinate, write_san};
use orthrus_core::position::Position;
use orthrus_core::types::Score;
use serde::Serialize;
use thiserror::Error;

use crate::args::ExperienceTool;
use crate::text::{ScoreJson, counted, score_text};

/// Why experience is not shown or merged.
#[derive(Debug, Error)]
pub(crate) enum ExperienceToolError {
    /// The system says why a file cannot be used.
    #[error("cannot use experience {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A file holds something else, or another process has it.
    #[error("{0}")]
    Other(ExperienceError),
    /// The file to add to is among those to read.
    #[error("{} would be added to itself", .0.display())]
    Itself(PathBuf),
}

impl From<ExperienceError> for ExperienceToolError {
    fn from(error: ExperienceError) -> Self {
        match error {
            ExperienceError::Io { path, source } => Self::File { path, source },
            other => Self::Other(other),
        }
    }
}

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
    #[serde(rename = "move")]
    san: String,
    uci: String,
    /// From the side to move.
    #[serde(skip)]
    score: Score,
    /// The same for programs.
    #[serde(rename = "score")]
    json: ScoreJson,
    /// In plies.
    depth: u8,
}

/// Does what is asked; returns the lines to print.
///
/// # Errors
///
/// A file cannot be used.
pub(crate) fn run(tool: ExperienceTool) -> Result<Vec<String>, ExperienceToolError> {
    match tool {
        ExperienceTool::Show {
            file,
            named,
            fen,
            json,
        } => {
            let file = file.or(named).unwrap_or_else(|| DEFAULT_FILE.into());
            let position = fen.map_or_else(Position::startpos, |position| *position);
            let summary = summarise(&read(&file)?, &position);
            Ok(if json {
                vec![serde_json::json!(summary).to_string()]
            } else {
                summary.lines()
            })
        }
        ExperienceTool::Merge { into, from } => {
            let records = read_others(&into, &from)?;
            let (mut file, contents) = ExperienceFile::open(&into)?;
            let mut knowledge = Knowledge::new(&contents.records);
            let mut added = 0;
            for &record in &records {
                if knowledge.improve(record) {
                    file.append(record)?;
                    added += 1;
                }
            }
            file.sync()?;
            let (into, known) = (into.display(), records.len() - added);
            Ok(vec![format!(
                "{into}: {added} added, {known} known as well before"
            )])
        }
    }
}

/// What the files `from`, none of which is `into`, know in the end.
fn read_others(into: &Path, from: &[PathBuf]) -> Result<Vec<Record>, ExperienceToolError> {
    let target = fs::canonicalize(into).ok();
    let mut records = Vec::new();
    for other in from {
        if target.is_some() && target == fs::canonicalize(other).ok() {
            return Err(ExperienceToolError::Itself(into.to_owned()));
        }
        records.extend(newest(&read(other)?.records));
    }
    Ok(records)
}

/// The newest record of each move, oldest first: earlier records of it no longer hold.
fn newest(records: &[Record]) -> Vec<Record> {
    let mut seen = HashSet::new();
    let newest = records.iter().rev();
    let newest = newest.filter(|record| seen.insert((record.key, record.mv)));
    let mut newest: Vec<Record> = newest.copied().collect();
    newest.reverse();
    newest
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
                uci: write_coordinate(position, mv, CastlingText::fitting(position)),
                score: known.score,
                json: known.score.into(),
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
        let (records, moves) = (
            counted(*records as u64, "record"),
            counted(*moves as u64, "move"),
        );
        let mut lines = vec![
            format!("{records} of {moves}, {damaged} damaged"),
            fen.clone(),
        ];
        if known.is_empty() {
            lines.push("nothing is known of this position".to_owned());
        }
        lines.extend(known.iter().map(|it| {
            let KnownMove {
                san, score, depth, ..
            } = it;
            let score = score_text(*score);
            format!("{san:<8}{score:>7}  depth {depth}")
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn scores_are_as_the_other_tools_have_them() {
        let known = |score| KnownMove {
            san: "Nf3".to_owned(),
            uci: "g1f3".to_owned(),
            score,
            json: score.into(),
            depth: 9,
        };
        let summary = Summary {
            records: 2,
            damaged: 0,
            moves: 1,
            fen: "fen".to_owned(),
            known: vec![known(Score::centipawns(-35)), known(Score::mated_in(4))],
        };
        let lines = summary.lines();
        assert_eq!(lines[0], "2 records of 1 move, 0 damaged");
        assert_eq!(lines[2], "Nf3       -0.35  depth 9");
        assert_eq!(lines[3], "Nf3         #-2  depth 9");
        let json = serde_json::json!(summary)["known"].clone();
        assert_eq!(json[0]["score"], serde_json::json!({ "cp": -35 }));
        assert_eq!(json[1]["score"], serde_json::json!({ "mate": -2 }));
    }

    /// A folder that is removed after the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("orthrus-experience-{}-{count}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        /// A file with these records of one move: scores in centipawns, and depths.
        fn taught(&self, name: &str, records: &[(i32, u8)]) -> PathBuf {
            let path = self.0.join(name);
            let (mut file, _) = ExperienceFile::open(&path).unwrap();
            let position = Position::startpos();
            for &(centipawns, depth) in records {
                file.append(Record {
                    key: position.key(),
                    mv: position.legal_moves()[0],
                    score: Score::centipawns(centipawns),
                    depth,
                })
                .unwrap();
            }
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn merge(into: &Path, from: &[&Path]) -> Result<Vec<String>, ExperienceToolError> {
        let from = from.iter().map(|&path| path.to_owned()).collect();
        run(ExperienceTool::Merge {
            into: into.to_owned(),
            from,
        })
    }

    #[test]
    fn what_cannot_be_merged_whole_changes_nothing() {
        let folder = Folder::new();
        let [first, second] = ["first", "second"].map(|name| folder.taught(name, &[(20, 8)]));
        let (missing, target) = (folder.0.join("missing"), folder.0.join("target"));
        let count = |path: &Path| read(path).unwrap().records.len();

        assert!(merge(&target, &[&missing]).is_err());
        assert!(!target.exists());
        let refused = merge(&first, &[&second, &missing]).unwrap_err();
        let system = fs::read(&missing).unwrap_err().to_string();
        assert!(refused.to_string().ends_with(&system), "{refused}");
        assert_eq!(count(&first), 1);
        let itself = folder.0.join(".").join("first");
        let refused = merge(&itself, &[&second, &first]);
        assert!(matches!(refused, Err(ExperienceToolError::Itself(_))));
        assert_eq!(count(&first), 1);

        merge(&target, &[&first, &second]).unwrap();
        assert_eq!(count(&target), 1);
    }

    #[test]
    fn merging_brings_what_is_deeper_once_and_in_any_order() {
        let folder = Folder::new();
        let target = folder.taught("lost", &[(-200, 20)]);
        for (name, records, expected) in [
            ("praise", &[(30, 8)][..], (-200, 20)),
            ("same", &[(-200, 20)], (-200, 20)),
            ("shallow", &[(-250, 9), (40, 12)], (-200, 20)),
            ("as deep", &[(-210, 20)], (-210, 20)),
            ("changed", &[(-300, 22), (40, 21)], (40, 21)),
        ] {
            let source = folder.taught(name, records);
            for _ in 0..2 {
                merge(&target, &[&source]).unwrap();
                let knowledge = Knowledge::new(&read(&target).unwrap().records);
                let known = knowledge.moves(&Position::startpos())[0].1;
                assert_eq!((known.score.value(), known.depth), expected, "{name}");
            }
        }
        assert_eq!(read(&target).unwrap().records.len(), 3);
    }
}
