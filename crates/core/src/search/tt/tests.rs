//! What the table guarantees.

use super::*;
use crate::types::{Move, Score};
use crate::types::{MoveKind, Square};

/// Attempts of the longer tests; Miri is some hundred times slower.
const ROUNDS: usize = if cfg!(miri) { 8 } else { 20_000 };

fn entry(depth: i32) -> Entry {
    Entry {
        mv: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
        score: Score::centipawns(-35),
        evaluation: Some(Score::centipawns(-1234)),
        depth,
        bound: Some(Bound::Lower),
        was_pv: true,
    }
}

#[test]
fn what_is_stored_is_found() {
    let table = TranspositionTable::new(1).unwrap();
    let key = Key(0x1234_5678_9abc_def0);
    assert_eq!(table.probe(key, 0), None);
    table.store(key, 0, entry(7));
    assert_eq!(table.probe(key, 0), Some(entry(7)));
    assert_eq!(table.probe(Key(key.0 ^ 1), 0), None);
}

#[test]
fn mates_are_counted_from_the_position() {
    let table = TranspositionTable::new(1).unwrap();
    for score in [Score::mate_in(9), Score::mated_in(10)] {
        let key = Key(score.value() as u64);
        table.store(key, 4, Entry { score, ..entry(7) });
        let plies = |score: Score| score.mate_plies().unwrap().abs();
        let found = table.probe(key, 2).unwrap().score;
        assert_eq!(plies(found), plies(score) - 2);
    }
}

#[test]
fn an_old_move_outlives_a_result_without_one() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(Key(5), 0, entry(3));
    table.store(
        Key(5),
        0,
        Entry {
            mv: None,
            ..entry(9)
        },
    );
    assert_eq!(table.probe(Key(5), 0), Some(entry(9)));
}

#[test]
fn a_new_move_enters_a_result_that_is_worth_more() {
    let table = TranspositionTable::new(1).unwrap();
    let deep = Entry {
        was_pv: false,
        ..entry(20)
    };
    table.store(Key(5), 0, deep);
    let mv = Some(Move::new(Square::D2, Square::D4, MoveKind::DoublePush));
    let shallow = Entry {
        mv,
        depth: 3,
        ..deep
    };
    table.store(Key(5), 0, shallow);
    assert_eq!(table.probe(Key(5), 0), Some(Entry { mv, ..deep }));
}

#[test]
fn what_wanes_gives_way_to_new_results_at_last() {
    let table = TranspositionTable::new(1).unwrap();
    let new = Entry {
        was_pv: false,
        ..entry(5)
    };
    table.store(Key(5), 0, entry(10));
    for depth in [9, 8] {
        table.store(Key(5), 0, new);
        table.wane(Key(5));
        assert_eq!(table.probe(Key(5), 0), Some(entry(depth)));
    }
    table.store(Key(5), 0, new);
    assert_eq!(table.probe(Key(5), 0), Some(new));
    for _ in 0..9 {
        table.wane(Key(5));
    }
    assert_eq!(table.probe(Key(5), 0).map(|entry| entry.depth), Some(0));
    table.wane(Key(6));
    assert_eq!(table.probe(Key(6), 0), None);
}

#[test]
fn deep_results_survive_and_old_ones_give_way() {
    let mut table = TranspositionTable::new(1).unwrap();
    // All keys share a cluster: they differ in the low bits only.
    for low in 0..4 {
        table.store(Key(low), 0, entry(10 + low as i32));
    }
    table.store(Key(100), 0, entry(1));
    assert_eq!(table.probe(Key(0), 0), None, "the shallowest gave way");
    assert!(table.probe(Key(3), 0).is_some());
    table.new_search();
    table.new_search();
    for low in 200..204 {
        table.store(Key(low), 0, entry(1));
    }
    assert_eq!(table.probe(Key(3), 0), None, "old entries gave way");
}

#[test]
#[cfg_attr(miri, ignore = "Miri takes minutes for so many words")]
fn a_cleared_table_is_empty() {
    let mut table = TranspositionTable::new(2).unwrap();
    table.new_search();
    for key in 0..ROUNDS as u64 {
        table.store(Key(key << 40), 0, entry(5));
    }
    assert!(table.hashfull() > 0);
    table.clear(2);
    assert_eq!(table.hashfull(), 0);
    assert_eq!(table.mebibytes(), 2);
}

#[test]
fn no_torn_entry_is_accepted() {
    let table = TranspositionTable::new(1).unwrap();
    let keys: Vec<Key> = (0..8).map(Key).collect();
    thread::scope(|scope| {
        for writer in 0..2 {
            let (table, keys) = (&table, &keys);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let key = keys[(round * 3 + writer) % keys.len()];
                    let value = key.0 as i32 * 100;
                    let score = Score::centipawns(value);
                    let evaluation = Some(Score::centipawns(-value));
                    table.store(
                        key,
                        0,
                        Entry {
                            score,
                            evaluation,
                            ..entry(round as i32 % 64)
                        },
                    );
                }
            });
        }
        for _ in 0..2 {
            let (table, keys) = (&table, &keys);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let key = keys[round % keys.len()];
                    if let Some(found) = table.probe(key, 0) {
                        assert_eq!(found.score.value(), key.0 as i32 * 100);
                        assert_eq!(found.evaluation.unwrap().value(), -(key.0 as i32) * 100);
                    }
                }
            });
        }
    });
}

#[test]
fn a_mate_counts_only_before_the_fifty_move_rule() {
    // Nine plies from the root, seven from the position.
    for score in [Score::mate_in(9), Score::mated_in(9)] {
        let entry = Entry { score, ..entry(7) };
        assert!(entry.is_in_time(2, 93));
        assert!(!entry.is_in_time(2, 94));
    }
}
