//! Endgame tables against another program's values, and damaged tables.

use std::fs;
use std::path::{Path, PathBuf};

use orthrus_core::fen;
use orthrus_core::tablebase::{Tablebase, Wdl};
use orthrus_tests::data;
use orthrus_tests::random::Random;
use orthrus_tests::scratch::Scratch;

/// The tables of a folder.
fn table_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = data::files(folder);
    files.retain(|file| {
        file.extension()
            .is_some_and(|it| it == "rtbw" || it == "rtbz")
    });
    assert!(!files.is_empty(), "no tables in {}", folder.display());
    files
}

fn number(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Loss => "-2",
        Wdl::BlessedLoss => "-1",
        Wdl::Draw => "0",
        Wdl::CursedWin => "1",
        Wdl::Win => "2",
    }
}

#[test]
fn results_and_distances_are_those_of_another_program() {
    assert_agreement(&data::own("syzygy"));
}

#[test]
#[cfg_attr(not(has_others), ignore = "other people's suites are not here")]
fn results_and_distances_of_others_are_those_of_another_program() {
    assert_agreement(&data::others("syzygy"));
}

/// Asserts that the tables of a folder say what its table of another program's findings does.
fn assert_agreement(folder: &Path) {
    let files = table_files(folder);
    let expected = fs::read_to_string(folder.join("probe_expected.tsv")).expect("a table");
    let (tablebase, errors) = Tablebase::open(folder.to_str().expect("a folder with a name"));
    assert_eq!(errors, []);
    assert_eq!(tablebase.wdl_files() + tablebase.dtz_files(), files.len());
    assert_eq!(tablebase.max_pieces(), 4);
    let position = fen::parse("8/8/4k3/8/8/8/1QK5/8 w - - 0 1").expect("a legal position");
    assert!(tablebase.rank_until(&position, true, &|| false).is_some());
    assert_eq!(tablebase.rank_until(&position, true, &|| true), None);
    let mut checked = 0;
    for [text, wdl, dtz] in data::table::<3>(&expected) {
        let mut position = fen::parse(text).expect("a legal position");
        assert_eq!(
            tablebase.wdl(&mut position).map(number),
            Some(wdl),
            "{text}"
        );
        assert_eq!(tablebase.dtz(&mut position), dtz.parse().ok(), "{text}");
        checked += 1;
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn a_position_without_a_table_is_not_found() {
    let (tablebase, errors) = Tablebase::open("/no/such/folder");
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().contains("/no/such/folder"));
    assert_eq!(tablebase.max_pieces(), 0);
    let mut position = fen::parse("8/8/4k3/8/8/8/1QK5/8 w - - 0 1").expect("a legal position");
    assert_eq!(tablebase.wdl(&mut position), None);
    assert_eq!(tablebase.dtz(&mut position), None);
    assert_eq!(tablebase.rank(&position, true), None);
}

#[test]
fn files_that_are_no_tables_are_named_and_skipped() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    for (name, content) in [
        ("KQvK.rtbw", vec![]),
        ("KRvK.rtbw", vec![0; 80]),
        ("KBvK.rtbz", b"\xd7\x66\x0c\xa5".to_vec()),
        (
            "KNvK.rtbw",
            [&b"\x71\xe8\x23\x5d"[..], &[0xff; 76]].concat(),
        ),
        ("notes.txt", vec![1, 2, 3]),
        ("KQvKK.rtbw", vec![]),
    ] {
        fs::write(folder.join(name), content).expect("a file for the test");
    }
    fs::create_dir(folder.join("KPvK.rtbw")).expect("a folder for the test");
    let (tablebase, errors) = Tablebase::open(folder.to_str().expect("a name"));
    assert_eq!(tablebase.wdl_files() + tablebase.dtz_files(), 0);
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 5, "{errors:?}");
    for name in [
        "KBvK.rtbz",
        "KNvK.rtbw",
        "KPvK.rtbw",
        "KQvK.rtbw",
        "KRvK.rtbw",
    ] {
        assert!(
            errors.iter().any(|error| error.contains(name)),
            "{name}: {errors:?}"
        );
    }
}

/// Positions for the tables that are damaged below.
const POSITIONS: &[&str] = &[
    "8/8/4k3/5r2/8/8/1QK5/8 w - - 0 1",
    "8/8/4k3/5r2/8/8/1QK5/8 b - - 0 1",
    "7Q/8/3k4/8/8/5r2/8/K7 w - - 0 1",
    "7Q/8/3k4/8/8/5r2/8/K7 b - - 0 1",
    "8/8/1p2k3/8/8/3K1P2/8/8 w - - 0 1",
    "8/8/1p2k3/8/8/3K1P2/8/8 b - - 0 1",
    "8/8/8/1pP5/8/4k3/6K1/8 w - b6 0 1",
    "k7/8/8/8/8/2N5/3B4/4K3 w - - 0 1",
    "k7/8/8/8/8/2N5/3B4/4K3 b - - 0 1",
];

#[test]
fn damaged_tables_do_no_harm() {
    let files = table_files(&data::own("syzygy"));
    let scratch = Scratch::new();
    let folder = scratch.folder();
    // The tables that captures lead to are intact.
    let three_men = |file: &&PathBuf| file.file_stem().is_some_and(|name| name.len() == 4);
    for file in files.iter().filter(three_men) {
        let name = file.file_name().expect("a table has a name");
        fs::copy(file, folder.join(name)).expect("a table for the test");
    }
    let mut random = Random::new(5);
    let (mut refused, mut used) = (0, 0);
    for name in [
        "KQvKR.rtbw",
        "KQvKR.rtbz",
        "KPvKP.rtbw",
        "KPvKP.rtbz",
        "KBNvK.rtbz",
    ] {
        let whole = files
            .iter()
            .find(|file| file.ends_with(name))
            .expect("the table");
        let content = fs::read(whole).expect("the table can be read");
        for round in 0..60 {
            let mut damaged = content.clone();
            let blocks = content.len() / 64;
            match round % 3 {
                0 => damaged.truncate(64 * random.below(blocks) + 16),
                // Mostly in the header, where it does the most damage.
                1 => (0..4).for_each(|_| {
                    damaged[5 + random.below(200.min(blocks * 32))] = random.below(256) as u8;
                }),
                _ => (0..50).for_each(|_| {
                    damaged[random.below(content.len())] = random.below(256) as u8;
                }),
            }
            fs::write(folder.join(name), damaged).expect("a file for the test");
            let (tablebase, errors) = Tablebase::open(folder.to_str().expect("a name"));
            refused += errors.len();
            used += usize::from(errors.is_empty());
            for text in POSITIONS {
                let position = fen::parse(text).expect("a legal position");
                let _ = tablebase.rank(&position, true);
            }
        }
        fs::remove_file(folder.join(name)).expect("it was written above");
    }
    assert!(refused > 100 && used > 30, "{refused} refused, {used} used");
}
