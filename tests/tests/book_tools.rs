//! `orthrus book`: a book made of games, shown, and played from.

use std::fs;
use std::process::Output;
#[cfg(unix)]
use std::{thread, time::Duration};

use orthrus_tests::process::run;
#[cfg(unix)]
use orthrus_tests::process::{Exit, Process, until};
use orthrus_tests::scratch::Scratch;

const GAMES: &str = "\
[Event \"a\"]\n\n1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n\n1. e4 Ke5 1-0\n\n1. d4 1/2-1/2\n";

fn orthrus(arguments: &[&str]) -> (Output, String, String) {
    let output = run(arguments);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said, complained)
}

#[test]
fn a_book_is_made_and_shown_and_played() {
    let scratch = Scratch::new();
    let games = scratch.write("games.pgn", GAMES);
    let book = scratch.name("made.bin");
    let make = ["book", "make", &games, &book, "--min-games", "1"];
    let (output, said, complained) = orthrus(&make);
    assert!(output.status.success(), "{complained}");
    assert_eq!(
        said,
        "3 games, 1 could not be used; 5 moves, of which the book has 4\n"
    );
    assert_eq!(
        complained,
        "orthrus: game 3, line 7: ply 2, \"Ke5\": illegal move\n"
    );
    let first = fs::read(&book).expect("the book");

    // The same games give the same bytes, and no other file is left.
    let (_, said, _) = orthrus(&[&make[..], &["--json"]].concat());
    assert_eq!(
        said,
        "{\"schema\":1,\"games\":3,\"unreadable\":1,\"moves\":5,\"entries\":4,\"interrupted\":false}\n"
    );
    assert_eq!(fs::read(&book).expect("the book"), first);
    assert_eq!(
        fs::read_dir(scratch.folder()).expect("the folder").count(),
        2
    );

    let (output, _, report) = orthrus(&["book", "make", &games, "-", "--min-games", "1"]);
    assert_eq!(output.stdout, first);
    assert!(report.ends_with("of which the book has 4\n"), "{report}");

    let (_, said, complained) = orthrus(&["book", "show", &book]);
    assert_eq!(
        said,
        "e4      e2e4        2  66.7 %\nd4      d2d4        1  33.3 %\n"
    );
    assert_eq!(complained, "");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let (_, said, _) = orthrus(&["book", "show", &book, "--json", "--fen", fen]);
    assert!(
        said.starts_with("{\"schema\":1,\"fen\":\"rnbqkbnr/pppppppp/"),
        "{said}"
    );
    assert!(
        said.ends_with(
            "\"key\":\"823c9b50fd114196\",\
             \"moves\":[{\"move\":\"c5\",\"uci\":\"c7c5\",\"weight\":2,\"percentage\":100.0}]}\n"
        ),
        "{said}"
    );

    let file = format!("setoption name Book File value {book}");
    let own = "setoption name OwnBook value true";
    let best = "setoption name Best Book Move value true";
    let (_, said, _) = orthrus(&[
        "uci",
        &file,
        own,
        best,
        "book",
        "go wtime 60000 btime 60000",
    ]);
    assert!(
        said.contains("info string book move e2e4 weight 2 (66.7 %)\n"),
        "{said}"
    );
    assert!(said.ends_with("bestmove e2e4 ponder c7c5\n"), "{said}");
}

#[test]
fn a_book_that_cannot_be_made_leaves_the_old_one() {
    let scratch = Scratch::new();
    let games = scratch.write("games.pgn", GAMES);
    let book = scratch.write("old.bin", "one entry: 16 B.");
    let notes = scratch.write("notes", "not a book");
    let one = ["--min-games", "1"];
    let make = |book| [&["book", "make", &games, book][..], &one].concat();
    let bad = [
        (make(&games), "is no book, and is not replaced by one"),
        (make(&notes), "is no book, and is not replaced by one"),
        (
            vec!["book", "make", &games, &book, "--min-games", "9"],
            "no move occurs in at least 9 of the 3 games read",
        ),
        (
            vec!["book", "make", &notes, &book],
            "notes has no game that can be read",
        ),
        (
            vec!["book", "make", "/no/such/games", &book],
            "cannot read /no/such/games",
        ),
        (make("/no/such/folder/b.bin"), "cannot write"),
        (vec!["book", "show", &notes], "10 bytes hold no entry"),
        (
            vec!["book", "show", "/no/such/book"],
            "cannot read /no/such/book",
        ),
    ];
    for (arguments, reason) in bad {
        let (output, said, complained) = orthrus(&arguments);
        assert!(
            !output.status.success() && said.is_empty(),
            "{arguments:?}: {said}"
        );
        assert!(complained.contains(reason), "{arguments:?}: {complained}");
    }
    for (file, content) in [(&book, "one entry: 16 B."), (&games, GAMES)] {
        let kept = fs::read(file).expect("it is still there");
        assert_eq!(kept, content.as_bytes(), "{file}");
    }
}

#[test]
fn games_of_variants_get_into_no_book_of_chess() {
    let scratch = Scratch::new();
    let games = "[Variant \"Atomic\"]\n\n1. e3 *\n\n1. e4 *\n";
    let games = scratch.write("mixed.pgn", games);
    let book = scratch.name("made.bin");
    let make = ["book", "make", &games, &book, "--min-games", "1"];
    let (output, said, complained) = orthrus(&make);
    assert!(output.status.success(), "{complained}");
    let expected = "1 game, 1 could not be used; 1 move, of which the book has 1\n";
    assert_eq!(said, expected);
    let expected = "orthrus: a game of atomic: books are for chess\n";
    assert_eq!(complained, expected);
    let (_, said, _) = orthrus(&["book", "show", &games, "--json"]);
    assert!(!said.contains("e3"), "{said}");
    let others = ["book", "show", &games, "--variant", "horde"];
    let (output, _, complained) = orthrus(&others);
    assert_eq!(output.status.code(), Some(1));
    assert!(complained.contains("none of horde"), "{complained}");
    let (output, _, complained) = orthrus(&["book", "show", &book, "--player", "Smith"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        complained.contains("a book names no players"),
        "{complained}"
    );
}

/// How `book make` ends that has read these games, and is interrupted while it waits for more.
#[cfg(unix)]
fn interrupted(games: &str, book: &str, ended_by: &str) -> Exit {
    let mut tool = Process::start(&["book", "make", "-", book, "--min-games", "1"]);
    tool.send(games);
    let part = format!("{book}.part");
    until("a part of the book", || {
        fs::exists(&part).expect("the folder can be read")
    });
    // What comes next is the handler, and the games.
    thread::sleep(Duration::from_millis(1_500));
    tool.signal(ended_by);
    tool.wait()
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_wait_for_games() {
    let scratch = Scratch::new();
    let book = scratch.name("made.bin");
    for signal in ["INT", "TERM"] {
        // The last game has no end.
        let exit = interrupted("1. e4 1-0\n\n1. d4 (1. c4", &book, signal);
        assert!(exit.status.success(), "{exit:?}");
        let said = "interrupted: 1 game; 1 move, of which the book has 1";
        assert_eq!(exit.lines, [said]);
        assert_eq!(fs::read(&book).expect("the book").len(), 16);
        fs::remove_file(&book).expect("the book");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_an_older_book() {
    let scratch = Scratch::new();
    let book = scratch.write("old.bin", "one entry: 16 B.");
    let part = format!("{book}.part");
    let exit = interrupted("1. e4 1-0\n\n1. d4", &book, "INT");
    assert_eq!(exit.status.code(), Some(1), "{exit:?}");
    let said =
        format!("orthrus: interrupted: {book} stays as it is; the result so far is in {part}\n");
    assert_eq!((exit.stderr, exit.lines), (said, Vec::new()));
    let content = |file| fs::read(file).expect("it is there");
    assert_eq!(content(&book), b"one entry: 16 B.");
    assert_eq!(content(&part).len(), 16);
    fs::remove_file(&part).expect("the result");

    let exit = interrupted("1. e4", &book, "INT");
    assert_eq!(exit.status.code(), Some(1), "{exit:?}");
    assert_eq!(exit.stderr, "orthrus: interrupted before the first game\n");
    assert_eq!(content(&book), b"one entry: 16 B.");
    assert!(!fs::exists(&part).expect("the folder can be read"));
}

/// Games are counted move by move, whatever way led to a position.
#[test]
fn games_show_what_was_played() {
    let games = "\
[White \"Me\"]\n[WhiteElo \"1500\"]\n[Black \"You\"]\n\n1. e4 c5 2. Nf3 d6 1-0\n
[White \"You\"]\n[Black \"Me\"]\n[BlackElo \"1530\"]\n\n1. Nf3 c5 2. e4 Nc6 1/2-1/2\n
[White \"Others\"]\n[Black \"Him\"]\n[BlackElo \"2000\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 0-1\n
[White \"Me\"]\n[Black \"Him\"]\n\n1. d4 *\n";
    let scratch = Scratch::new();
    let file = scratch.write("games.pgn", games);
    let show = ["book", "show", &file, "--moves", "e4 c5 Nf3"];
    let (_, said, complained) = orthrus(&show);
    assert_eq!(complained, "");
    let rows: Vec<Vec<&str>> = said
        .lines()
        .map(|row| row.split_whitespace().collect())
        .collect();
    assert_eq!(
        said.lines().next(),
        Some("3 of 4 games, B27 Sicilian Defence: 2.Nf3")
    );
    assert_eq!(
        rows[2],
        ["d6", "2", "66.7", "%", "1", "0", "1", "50.0", "%", "2000"]
    );
    assert_eq!(
        rows[3],
        ["Nc6", "1", "33.3", "%", "0", "1", "0", "50.0", "%", "1530"]
    );
    assert_eq!(rows.len(), 4);

    let (_, said, _) = orthrus(&[&show[..], &["--player", "ME", "--json"]].concat());
    assert_eq!(
        said,
        "{\"schema\":1,\"fen\":\"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\",\
         \"eco\":\"B27\",\"opening\":\"Sicilian Defence: 2.Nf3\",\"games\":2,\"moves\":[\
         {\"move\":\"Nc6\",\"uci\":\"b8c6\",\"games\":1,\"white\":0,\"draws\":1,\"black\":0,\"score\":50.0,\
         \"rating\":1530},\
         {\"move\":\"d6\",\"uci\":\"d7d6\",\"games\":1,\"white\":1,\"draws\":0,\"black\":0,\"score\":0.0,\
         \"rating\":null}],\"interrupted\":false}\n"
    );
    let (_, said, _) = orthrus(&["book", "show", &file, "--moves", "a3"]);
    assert_eq!(said, "0 of 4 games, A00 Anderssen's Opening\n");
}
