//! What happens to a file that is truncated, full, foreign or in use, and what games teach.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::notation::parse_coordinate;
use crate::types::MAX_PLY;

/// A path in a folder that is removed when the test ends.
struct Scratch {
    _folder: TempDir,
    path: PathBuf,
}

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("experience");
        Self {
            _folder: folder,
            path,
        }
    }
}

fn mv(position: &Position, text: &str) -> Move {
    parse_coordinate(position, text).unwrap()
}

fn record(key: u64, score: i32, depth: u8) -> Record {
    Record {
        key: Key(key),
        mv: mv(&Position::startpos(), "e2e4"),
        score: Score::centipawns(score),
        depth,
    }
}

fn written(scratch: &Scratch, records: &[Record]) {
    let (mut file, _) = ExperienceFile::open(&scratch.path).unwrap();
    for &record in records {
        file.append(record).unwrap();
    }
}

#[test]
fn a_file_cut_off_anywhere_keeps_every_whole_record_and_takes_more() {
    let scratch = Scratch::new();
    let records: Vec<Record> = (0..4).map(|i| record(i, 10, 8)).collect();
    written(&scratch, &records);
    let whole = fs::read(&scratch.path).unwrap();
    for length in 0..whole.len() {
        fs::write(&scratch.path, &whole[..length]).unwrap();
        let kept = length.saturating_sub(16) / 24;
        assert_eq!(
            read(&scratch.path).unwrap().records,
            records[..kept],
            "{length} bytes"
        );
        written(&scratch, &records[3..]);
        let contents = read(&scratch.path).unwrap();
        assert_eq!(contents.records.len(), kept + 1, "{length} bytes");
        assert_eq!((contents.records[kept], contents.damaged), (records[3], 0));
    }
}

#[test]
fn a_damaged_record_is_the_only_one_lost() {
    let scratch = Scratch::new();
    let records: Vec<Record> = (0..3).map(|i| record(i, 10, 8)).collect();
    written(&scratch, &records);
    let mut bytes = fs::read(&scratch.path).unwrap();
    bytes[16 + 24 + 3] ^= 1;
    fs::write(&scratch.path, bytes).unwrap();
    let contents = read(&scratch.path).unwrap();
    assert_eq!(contents.records, [records[0], records[2]]);
    assert_eq!(contents.damaged, 1);
}

#[test]
fn a_full_file_loses_the_oldest_record() {
    let scratch = Scratch::new();
    let (mut file, _) = ExperienceFile::open(&scratch.path).unwrap();
    for i in 0..=u64::from(MAX_RECORDS) {
        file.append(record(i, 0, 8)).unwrap();
    }
    drop(file);
    let contents = read(&scratch.path).unwrap();
    assert_eq!(contents.records.len(), MAX_RECORDS as usize);
    assert_eq!(contents.records[0].key, Key(1));
    assert_eq!(
        contents.records.last().unwrap().key,
        Key(MAX_RECORDS.into())
    );
}

#[test]
fn a_foreign_file_stays_as_it_is() {
    let scratch = Scratch::new();
    for text in ["[Event \"a game that somebody keeps\"]", "x", "ORTHEXP2"] {
        fs::write(&scratch.path, text).unwrap();
        let refused = ExperienceFile::open(&scratch.path);
        assert!(
            matches!(refused, Err(ExperienceError::Foreign(_))),
            "{refused:?}"
        );
        assert_eq!(fs::read_to_string(&scratch.path).unwrap(), text);
    }
}

#[test]
fn one_writer_at_a_time() {
    let scratch = Scratch::new();
    let first = ExperienceFile::open(&scratch.path).unwrap();
    let second = ExperienceFile::open(&scratch.path);
    assert!(
        matches!(second, Err(ExperienceError::InUse(_))),
        "{second:?}"
    );
    drop(first);
    ExperienceFile::open(&scratch.path).unwrap();
}

#[test]
fn a_bad_end_marks_down_the_move_before_it() {
    let promise = record(1, 30, 15);
    for (later, changed) in [
        (record(2, 20, 14), Some(record(1, 20, 16))),
        (record(2, -300, 12), Some(record(1, -300, 14))),
        (record(2, 30, 14), None),
        (record(2, 40, 14), None),
    ] {
        assert_eq!(marked_down(promise, later), changed, "{later:?}");
    }
}

/// The longest mate stays a mate, and the longest win by a table one.
#[test]
fn what_is_decided_is_marked_down_as_far_as_there_is_a_score_for_it() {
    for longest in [Score::mated_in(MAX_PLY), -Score::tb_win(MAX_PLY)] {
        for (score, is_marked) in [(longest, false), (longest.nearer(2), true)] {
            let last = Record {
                score,
                ..record(2, 0, 12)
            };
            let changed = marked_down(record(1, 30, 15), last);
            assert_eq!(changed.is_some(), is_marked, "{score:?}");
        }
    }
}

/// A search that was interrupted with a lower bound says nothing, until the next one of the game does.
#[test]
fn a_lower_bound_is_no_lesson_but_may_become_one() {
    let mut unbounded = record(2, 0, 14);
    unbounded.score = UNBOUNDED;
    assert_eq!(marked_down(record(1, 30, 15), unbounded), None);
    assert_eq!(marked_down(unbounded, unbounded), None);
    let changed = marked_down(unbounded, record(3, 40, 12));
    assert_eq!(changed, Some(record(2, 40, 14)));

    let scratch = Scratch::new();
    let (file, contents) = ExperienceFile::open(&scratch.path).unwrap();
    let mut experience = Experience::default();
    experience.opened(file, Knowledge::new(&contents.records));
    let start = Position::startpos();
    let found = |score| Record {
        key: start.key(),
        score,
        ..record(0, 0, 9)
    };
    for (score, kept) in [(UNBOUNDED, 0), (Score::centipawns(20), 1), (UNBOUNDED, 1)] {
        experience.learn(start.clone(), found(score)).unwrap();
        assert_eq!(read(&scratch.path).unwrap().records.len(), kept);
    }
}

#[test]
fn a_mate_is_further_away_two_plies_earlier() {
    let mut mated = record(2, 0, 10);
    mated.score = Score::mated_in(4);
    let changed = marked_down(record(1, 0, 10), mated).unwrap();
    assert_eq!(changed.score, Score::mated_in(6));
}

#[test]
fn the_newest_opinion_of_a_move_counts_and_the_best_move_is_first() {
    let start = Position::startpos();
    let of = |text, score, depth| Record {
        key: start.key(),
        mv: mv(&start, text),
        score: Score::centipawns(score),
        depth,
    };
    let records = [of("e2e4", 30, 12), of("d2d4", 20, 12), of("e2e4", 10, 14)];
    let knowledge = Knowledge::new(&records);
    let moves = knowledge.moves(&start);
    let best: Vec<_> = moves
        .iter()
        .map(|(mv, known)| (*mv, known.score.value()))
        .collect();
    assert_eq!(best, [(mv(&start, "d2d4"), 20), (mv(&start, "e2e4"), 10)]);
    assert!(!knowledge.is_news(of("d2d4", 20, 11)));
    assert!(knowledge.is_news(of("d2d4", 19, 11)));
    assert!(knowledge.is_news(of("d2d4", 90, 12)));
}

#[test]
fn the_table_learns_of_refutations_down_the_line() {
    let start = Position::startpos();
    let mut after = start.clone();
    after.make_move(mv(&start, "e2e4"));
    let mut second = after.clone();
    second.make_move(mv(&after, "e7e5"));
    let mut end = second.clone();
    end.make_move(mv(&second, "g1f3"));
    let known = |position: &Position, text, score, depth| Record {
        key: position.key(),
        mv: mv(position, text),
        score: Score::centipawns(score),
        depth,
    };
    let records = [
        known(&start, "e2e4", 30, 12),
        known(&second, "g1f3", -90, 20),
    ];
    let tt = TranspositionTable::new(1).unwrap();
    Knowledge::new(&records).seed(&tt, &start);
    let told = |position: &Position| {
        let entry = tt.probe(position.tt_key(), 0)?;
        Some((entry.bound, entry.score.value(), entry.depth))
    };
    assert_eq!(told(&after), Some((Some(Bound::Lower), -30, 11)));
    assert_eq!(told(&end), Some((Some(Bound::Lower), 90, 19)));
    assert_eq!(told(&second), None);
}
