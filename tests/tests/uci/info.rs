//! The grammar of `info` lines: programs that read them are stricter than people.

use orthrus_core::fen;
use orthrus_core::notation::parse_coordinate;
use orthrus_core::position::Position;
use orthrus_tests::session::Session;
use orthrus_uci::Uci;

/// Positions with unusual scores and castling, mates and endings.
const POSITIONS: &[&str] = &[
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1",
    "7k/8/8/8/8/8/4q3/7K w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 90 1",
    "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w FCfc - 0 1",
];

/// What a line says, as far as it must agree with other lines.
#[derive(Debug, Default)]
struct Info {
    depth: u32,
    line: u32,
    exact: bool,
    /// The first move of the line.
    first: String,
}

/// A word of a line as a number, which must be an integer.
fn integer(words: &mut dyn Iterator<Item = &str>) -> Result<i64, String> {
    let word = words.next().ok_or("a number is missing")?;
    word.parse().map_err(|_| format!("{word} is no integer"))
}

/// Reads `cp 3 lowerbound wdl 1 2 3` and the like; returns whether the score is exact.
fn score(words: &mut std::iter::Peekable<std::str::SplitWhitespace<'_>>) -> Result<bool, String> {
    match words.next() {
        Some("cp" | "mate") => integer(words)?,
        other => return Err(format!("{other:?} is no kind of score")),
    };
    let mut exact = true;
    while let Some(word) =
        words.next_if(|word| matches!(*word, "lowerbound" | "upperbound" | "wdl"))
    {
        if word == "wdl" {
            let chances = [integer(words)?, integer(words)?, integer(words)?];
            let fits = chances.iter().all(|chance| (0..=1000).contains(chance));
            if !fits || chances.iter().sum::<i64>() != 1000 {
                return Err(format!("chances {chances:?}"));
            }
        } else {
            exact = false;
        }
    }
    Ok(exact)
}

/// Reads a line after `info`; `None` if it has no move, as the one sent every second, or only the
/// current move.
fn read(line: &str, position: &Position) -> Result<Option<Info>, String> {
    let mut info = Info::default();
    let (mut scored, mut lined, mut current) = (false, false, false);
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = integer(&mut words)? as u32,
            "multipv" => info.line = integer(&mut words)? as u32,
            "score" => {
                info.exact = score(&mut words)?;
                scored = true;
            }
            "seldepth" | "nodes" | "nps" | "time" | "tbhits" | "currmovenumber" => {
                if integer(&mut words)? < 0 {
                    return Err(format!("{word} below zero"));
                }
            }
            "hashfull" | "cpuload" => {
                if !(0..=1000).contains(&integer(&mut words)?) {
                    return Err(format!("{word} out of range"));
                }
            }
            "currmove" => {
                let text = words.next().unwrap_or_default();
                parse_coordinate(position, text).map_err(|error| error.to_string())?;
                current = true;
            }
            "pv" => {
                let mut end = position.clone();
                for text in words.by_ref() {
                    let mv = parse_coordinate(&end, text).map_err(|error| error.to_string())?;
                    end.make_move(mv);
                    if !lined {
                        text.clone_into(&mut info.first);
                    }
                    lined = true;
                }
            }
            other => return Err(format!("{other} is unknown")),
        }
    }
    match (scored, lined, current) {
        (true, true, false) => Ok(Some(info)),
        (false, false, _) if current || info.depth == 0 => Ok(None),
        _ => Err("a depth without a score or a line without moves".to_owned()),
    }
}

/// Depths rise, and the lines of a depth come in order, each after the one before.
fn assert_order(infos: &[Info], wanted: u32) {
    let mut last = &Info::default();
    for info in infos {
        assert!(info.depth >= last.depth, "{last:?}, then {info:?}");
        assert!((1..=wanted).contains(&info.line), "{info:?}");
        if info.depth == last.depth && info.exact && last.exact {
            let next = [last.line, last.line + 1, 1].contains(&info.line);
            assert!(next, "{last:?}, then {info:?}");
        }
        last = info;
    }
}

/// Programs keep the last line of each number: together they are the best moves of one depth, also
/// if the search was stopped during the next one.
#[test]
fn several_lines_are_told_together() {
    let position = Position::startpos();
    for (option, value) in [("Threads", "1"), ("Threads", "2"), ("Skill Level", "0")] {
        for nodes in (2_000..20_000).step_by(1_500) {
            let mut session = Session::new(Uci::default());
            session.send(&format!("setoption name {option} value {value}"));
            session.send("setoption name MultiPV value 3");
            session.send(&format!("go nodes {nodes}"));
            let said = session.wait_for("bestmove");
            let lines = said.iter().filter_map(|line| line.strip_prefix("info "));
            let infos = lines.filter_map(|line| read(line, &position).ok().flatten());
            let mut last: [Info; 3] = Default::default();
            for info in infos {
                let place = info.line as usize - 1;
                last[place] = info;
            }
            let [first, second, third] = &last;
            assert!(said.last().unwrap().contains(&first.first), "{said:#?}");
            assert_eq!([second.depth, third.depth], [first.depth; 2], "{said:#?}");
            assert!(
                first.first != second.first
                    && first.first != third.first
                    && second.first != third.first,
                "{said:#?}"
            );
            session.finish();
        }
    }
}

/// "In k-best mode always send all k variants in k strings together": also after some seconds, when
/// a single line would be sent with a bound.
#[test]
fn a_bound_does_not_come_between_several_lines() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name MultiPV value 3");
    session
        .send("position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 5 8");
    session.send("go movetime 5000");
    let said = session.wait_for("bestmove");
    let places = said.iter().filter_map(|line| line.split_once(" multipv "));
    let places: Vec<&str> = places.map(|(_, rest)| &rest[..1]).collect();
    assert!(places.len() > 30, "{said:#?}");
    // The last line is the answer's.
    let (sets, answer) = places.as_chunks::<3>();
    assert!(sets.iter().all(|set| *set == ["1", "2", "3"]), "{said:#?}");
    assert_eq!(answer, ["1"]);
    assert!(!said.iter().any(|line| line.contains("bound")), "{said:#?}");
    session.finish();
}

#[test]
fn every_line_can_be_read_by_a_strict_program() {
    for lines in [1, 3] {
        for text in POSITIONS {
            let position = fen::parse(text).expect("a good position");
            let mut session = Session::new(Uci::default());
            session.send("setoption name UCI_ShowWDL value true");
            session.send(&format!("setoption name MultiPV value {lines}"));
            if text.contains("FCfc") {
                session.send("setoption name UCI_Chess960 value true");
            }
            session.send(&format!("position fen {text}"));
            session.send("go nodes 40000");
            let said = session.wait_for("bestmove");
            let mut infos = Vec::new();
            for line in said.iter().filter_map(|line| line.strip_prefix("info ")) {
                if line.starts_with("string ") {
                    continue;
                }
                match read(line, &position) {
                    Ok(info) => infos.extend(info),
                    Err(fault) => panic!("{fault}: {line} in {text}"),
                }
            }
            assert!(infos.len() > 3, "{said:#?}");
            assert_order(&infos, lines);
            session.finish();
        }
    }
}
