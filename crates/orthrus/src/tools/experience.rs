//! What games have taught, as shown to a person or to a program.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use orthrus_core::engine::experience::{
    Contents, DEFAULT_FILE, ExperienceFile, Knowledge, MAX_RECORDS, Record, read,
};
use orthrus_core::notation::write_san;
use orthrus_core::position::Position;
use serde_json::{Value, json};

use crate::args::ExperienceTool;
use crate::failure::Failure;
use crate::text::{JSON_SCHEMA, coordinates, counted, fen, score_json, score_text};

pub(crate) fn run(tool: ExperienceTool) -> Result<Vec<String>, Failure> {
    match tool {
        ExperienceTool::Show {
            file,
            named,
            position,
            json,
        } => {
            let file = file.or(named).unwrap_or_else(|| DEFAULT_FILE.into());
            let game = position.game()?;
            Ok(show(&read(&file)?, game.position(), json))
        }
        ExperienceTool::Merge { into, from } => {
            let records = read_others(&into, &from)?;
            // Before a new file is made.
            check_room(&Knowledge::new(&records))?;
            let (mut file, contents) = ExperienceFile::open(&into)?;
            let mut knowledge = Knowledge::new(&contents.records);
            let all = records.len();
            let mut news = records;
            news.retain(|&record| knowledge.improve(record));
            let (added, held) = (news.len(), contents.records.len() + contents.damaged);
            check_room(&knowledge)?;
            if held + added > MAX_RECORDS as usize {
                return Err(Failure::NoRoom {
                    file: into,
                    records: held,
                    news: added,
                });
            }
            for record in news {
                file.append(record)?;
            }
            file.sync()?;
            let known = all - added;
            let into = into.display();
            Ok(vec![format!(
                "{into}: {added} added, {known} known as well before"
            )])
        }
    }
}

/// Whether a file has room for this, if nothing else is in it.
fn check_room(knowledge: &Knowledge) -> Result<(), Failure> {
    let (moves, most) = (knowledge.len(), MAX_RECORDS as usize);
    if moves > most {
        return Err(Failure::TooMuch { moves, most });
    }
    Ok(())
}

/// What the files `from`, none of which is `into`, know in the end.
fn read_others(into: &Path, from: &[PathBuf]) -> Result<Vec<Record>, Failure> {
    let target = fs::canonicalize(into).ok();
    let mut records = Vec::new();
    for other in from {
        if target.is_some() && target == fs::canonicalize(other).ok() {
            return Err(Failure::Itself(into.to_owned()));
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

/// What a file knows of a position, its moves with the best first, for people or in JSON.
fn show(contents: &Contents, position: &Position, json: bool) -> Vec<String> {
    let knowledge = Knowledge::new(&contents.records);
    let known = knowledge.moves(position).into_iter();
    let (records, moves) = (contents.records.len(), knowledge.len());
    let (damaged, fen) = (contents.damaged, fen(position));
    if json {
        let known: Vec<Value> = known
            .map(|(mv, known)| {
                json!({
                    "move": write_san(position, mv),
                    "uci": coordinates(position, mv),
                    "score": score_json(known.score),
                    "depth": known.depth,
                })
            })
            .collect();
        let summary = json!({
            "schema": JSON_SCHEMA,
            "records": records,
            "damaged": damaged,
            "moves": moves,
            "fen": fen,
            "known": known,
        });
        return vec![summary.to_string()];
    }
    let records = counted(records as u64, "record");
    let moves = counted(moves as u64, "move");
    let mut lines = vec![format!("{records} of {moves}, {damaged} damaged"), fen];
    lines.extend(known.map(|(mv, known)| {
        let (san, score) = (write_san(position, mv), score_text(known.score));
        format!("{san:<8}{score:>7}  depth {}", known.depth)
    }));
    if lines.len() == 2 {
        lines.push("nothing is known of this position".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use orthrus_core::types::{Key, Score};
    use tempfile::{TempDir, tempdir};

    use super::*;

    #[test]
    fn scores_are_as_the_other_tools_have_them() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("known");
        let (mut file, _) = ExperienceFile::open(&path).unwrap();
        let position = Position::startpos();
        for (index, score) in [Score::centipawns(-35), Score::mated_in(4)]
            .into_iter()
            .enumerate()
        {
            file.append(Record {
                key: position.key(),
                mv: position.legal_moves()[index],
                score,
                depth: 9,
            })
            .unwrap();
        }
        let contents = read(&path).unwrap();
        let san = [0, 1].map(|index| write_san(&position, position.legal_moves()[index]));
        let lines = show(&contents, &position, false);
        assert_eq!(lines[0], "2 records of 2 moves, 0 damaged");
        assert_eq!(lines[2], format!("{:<8}  -0.35  depth 9", san[0]));
        assert_eq!(lines[3], format!("{:<8}    #-2  depth 9", san[1]));
        let line = show(&contents, &position, true).remove(0);
        let json: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(json["known"][0]["score"], json!({ "cp": -35 }));
        assert_eq!(json["known"][1]["score"], json!({ "mate": -2 }));
    }

    /// A file in `folder` with these records of one move: scores in centipawns, and depths.
    fn taught(folder: &TempDir, name: &str, records: &[(i32, u8)]) -> PathBuf {
        let path = folder.path().join(name);
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

    fn merge(into: &Path, from: &[&Path]) -> Result<Vec<String>, Failure> {
        let from = from.iter().map(|&path| path.to_owned()).collect();
        run(ExperienceTool::Merge {
            into: into.to_owned(),
            from,
        })
    }

    #[test]
    fn what_cannot_be_merged_whole_changes_nothing() {
        let folder = tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| taught(&folder, name, &[(20, 8)]));
        let (missing, target) = (folder.path().join("missing"), folder.path().join("target"));
        let count = |path: &Path| read(path).unwrap().records.len();

        assert!(merge(&target, &[&missing]).is_err());
        assert!(!target.exists());
        let refused = merge(&first, &[&second, &missing]).unwrap_err();
        let system = fs::read(&missing).unwrap_err().to_string();
        assert!(refused.to_string().ends_with(&system), "{refused}");
        assert_eq!(count(&first), 1);
        let itself = folder.path().join(".").join("first");
        let refused = merge(&itself, &[&second, &first]);
        assert!(matches!(refused, Err(Failure::Itself(_))));
        assert_eq!(count(&first), 1);

        merge(&target, &[&first, &second]).unwrap();
        assert_eq!(count(&target), 1);
    }

    #[test]
    fn merging_brings_what_is_deeper_once_and_in_any_order() {
        let folder = tempdir().unwrap();
        let target = taught(&folder, "lost", &[(-200, 20)]);
        for (name, records, expected) in [
            ("praise", &[(30, 8)][..], (-200, 20)),
            ("same", &[(-200, 20)], (-200, 20)),
            ("shallow", &[(-250, 9), (40, 12)], (-200, 20)),
            ("as deep", &[(-210, 20)], (-210, 20)),
            ("changed", &[(-300, 22), (40, 21)], (40, 21)),
        ] {
            let source = taught(&folder, name, records);
            for _ in 0..2 {
                merge(&target, &[&source]).unwrap();
                let knowledge = Knowledge::new(&read(&target).unwrap().records);
                let known = knowledge.moves(&Position::startpos())[0].1;
                assert_eq!((known.score.value(), known.depth), expected, "{name}");
            }
        }
        assert_eq!(read(&target).unwrap().records.len(), 3);
    }

    #[test]
    fn a_full_file_takes_no_more_and_loses_nothing() {
        let folder = tempdir().unwrap();
        let full = folder.path().join("full");
        let (mut file, _) = ExperienceFile::open(&full).unwrap();
        let position = Position::startpos();
        let of = |key, depth| Record {
            key: Key(key),
            mv: position.legal_moves()[0],
            score: Score::DRAW,
            depth,
        };
        let distinct = folder.path().join("distinct");
        let (mut other, _) = ExperienceFile::open(&distinct).unwrap();
        for number in 0..u64::from(MAX_RECORDS) {
            file.append(of(number / 2, 8)).unwrap();
            other.append(of(number, 8)).unwrap();
        }
        drop((file, other));
        let other = taught(&folder, "other", &[(20, 8)]);
        let refused = merge(&full, &[&other]);
        assert!(
            matches!(refused, Err(Failure::NoRoom { .. })),
            "{refused:?}"
        );
        assert_eq!(read(&full).unwrap().records[0], of(0, 8));
        // In a new file there is room, as half of them are earlier ones of the same moves.
        let new = folder.path().join("new");
        merge(&new, &[&full, &other]).unwrap();
        assert_eq!(
            read(&new).unwrap().records.len(),
            MAX_RECORDS as usize / 2 + 1
        );
        // More moves than a file holds.
        let none = folder.path().join("none");
        let refused = merge(&none, &[&distinct, &other]);
        assert!(
            matches!(refused, Err(Failure::TooMuch { .. })),
            "{refused:?}"
        );
        assert!(!none.exists());
        let refused = merge(&distinct, &[&other]);
        assert!(
            matches!(refused, Err(Failure::TooMuch { .. })),
            "{refused:?}"
        );
    }
}
