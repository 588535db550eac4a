//! The UCI head with the engine behind it: bad input, and commands in every order.

use std::time::{Duration, Instant};

use orthrus_core::game::Game;
use orthrus_core::notation::parse_coordinate;
use orthrus_core::types::MAX_PLY;
use orthrus_tests::data;
use orthrus_tests::process::{PATIENCE, shortest};
use orthrus_tests::random::Random;
use orthrus_tests::session::Session;
use orthrus_uci::Uci;

use super::count;

/// What a line may cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// Only `info string`.
    Silence,
    /// `uciok`, after the options.
    Introduction,
    /// One more `readyok`.
    Ready,
    /// One `bestmove`, with or without a stop.
    BestMove,
    /// The end.
    Exit,
}

/// Small cases of our own; the large suite has many more.
const CASES: &[(Expected, &str)] = &[
    (Expected::Silence, ""),
    (Expected::Silence, " \t "),
    (Expected::Silence, "hello world"),
    (Expected::Silence, "\u{0}\u{fffd}\u{1b}[2J"),
    (Expected::Silence, "position fen 8/8/8/8/8/8/8/8 w - - 0 1"),
    (Expected::Silence, "position startpos moves e2e4 e2e4"),
    (Expected::Silence, "position fen é2e4/♔ w - - 0 1"),
    (
        Expected::Silence,
        "setoption name Hash value 18446744073709551616",
    ),
    (Expected::Silence, "setoption name value name value"),
    (Expected::Silence, "stop"),
    (Expected::Silence, "ponderhit"),
    (Expected::Silence, "debug maybe"),
    (Expected::Introduction, "joho uci"),
    (Expected::Ready, "isready at once"),
    (Expected::BestMove, "go depth 0"),
    (Expected::BestMove, "go depth -1"),
    (Expected::BestMove, "go nodes 0"),
    (Expected::BestMove, "go mate 0"),
    (Expected::BestMove, "go movetime 0"),
    (Expected::BestMove, "go movetime -9223372036854775808"),
    (Expected::BestMove, "go wtime 0 btime 0"),
    (
        Expected::BestMove,
        "go wtime -1 btime -1 winc -1 binc -1 movestogo -1",
    ),
    (Expected::BestMove, "go wtime 1 movestogo 4294967295"),
    (
        Expected::BestMove,
        "go wtime 99999999999999999999 winc 99999999999999999999",
    ),
    (Expected::BestMove, "go depth depth depth"),
    (Expected::BestMove, "go searchmoves e2e5 0000 xyz"),
    (Expected::BestMove, "go infinite ponder depth 1"),
    (Expected::Exit, "quit now"),
];

/// Whether `line` answers with a legal move of the start position.
fn is_legal_answer(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("bestmove")
        && words
            .next()
            .is_some_and(|text| parse_coordinate(Game::default().position(), text).is_ok())
}

/// Sends `line` in the start position and returns what is wrong with the answer.
fn fault(expected: Expected, line: &str) -> Option<String> {
    let mut session = Session::new(Uci::default());
    session.send("position startpos");
    session.send(line);
    if expected == Expected::Exit {
        let rest = session.finish();
        return (!rest.is_empty()).then(|| format!("said {rest:?}"));
    }
    if expected == Expected::BestMove {
        std::thread::sleep(Duration::from_millis(5));
        session.send("stop");
    }
    session.send("isready");
    let mut lines = session.wait_for("readyok");
    if expected == Expected::Ready {
        lines.extend(session.wait_for("readyok"));
    }
    if expected == Expected::BestMove && !lines.iter().any(|line| line.starts_with("bestmove")) {
        lines.extend(session.wait_for("bestmove"));
    }
    lines.extend(session.finish());
    let moves = usize::from(expected == Expected::BestMove);
    let ready = 1 + usize::from(expected == Expected::Ready);
    let right = count(&lines, "bestmove") == moves
        && count(&lines, "readyok") == ready
        && count(&lines, "uciok") == usize::from(expected == Expected::Introduction)
        && lines.iter().filter(|line| is_legal_answer(line)).count() == moves
        && (expected != Expected::Silence || count(&lines, "info string") + ready == lines.len());
    (!right).then(|| format!("{lines:?}"))
}

#[test]
fn bad_input_is_survived() {
    for &(expected, line) in CASES {
        if let Some(fault) = fault(expected, line) {
            panic!("{expected:?} {line:?}: {fault}");
        }
    }
}

#[test]
fn the_large_suite_of_bad_input_is_survived() {
    let suite = data::read("malformed/uci.txt");
    let mut count = 0;
    for row in data::entries(&suite) {
        let [expected, line, _note] = data::row(row);
        let line = line.replace("\\t", "\t");
        let expected = match expected {
            // By the specification every `go` has an answer, whatever follows it.
            "ignore" if line.starts_with("go ") => Expected::BestMove,
            "ignore" => Expected::Silence,
            "uciok" => Expected::Introduction,
            "readyok" => Expected::Ready,
            "exit" => Expected::Exit,
            other if other.starts_with("bestmove") => Expected::BestMove,
            other => panic!("no such expectation: {other}"),
        };
        if let Some(fault) = fault(expected, &line) {
            panic!("{expected:?} {line:?}: {fault}");
        }
        count += 1;
    }
    assert!(count > 50, "only {count} cases");
}

/// What a GUI may send at any moment.
const COMMANDS: &[&str] = &[
    "go infinite",
    "go depth 2",
    "go nodes 200",
    "go movetime 1",
    "go ponder wtime 20 btime 20",
    "go wtime 10 btime 10",
    "go depth 1 searchmoves e2e4 d7d5",
    "stop",
    "stop",
    "ponderhit",
    "position startpos",
    "position startpos moves e2e4",
    "position startpos moves e2e5",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "setoption name Hash value 1",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_LimitStrength value false",
    "go mate 2",
    "isready",
    "ucinewgame",
];

#[test]
fn every_go_is_answered_once_whatever_the_order() {
    let mut random = Random::new(1);
    let mut session = Session::new(Uci::default());
    let (mut gos, mut pings) = (0, 0);
    let mut lines = Vec::new();
    for step in 1..=10_000 {
        let command = random.pick(COMMANDS).unwrap_or_default();
        gos += usize::from(command.starts_with("go"));
        pings += usize::from(command == "isready");
        session.send(command);
        if random.below(4) == 0 {
            lines.extend(session.lines());
        }
        if step % 1000 == 0 {
            session.send("stop");
            while count(&lines, "bestmove") < gos || count(&lines, "readyok") < pings {
                let line = session.next_line(Duration::from_secs(20));
                lines.push(line.expect("every go and every isready is answered"));
            }
        }
    }
    lines.extend(session.finish());
    assert_eq!(count(&lines, "bestmove"), gos);
    assert_eq!(count(&lines, "readyok"), pings);
    assert_final_lines(&lines);
}

/// Directly before every answer comes a line of the same search that begins with the move played;
/// its score is no upper bound.
fn assert_final_lines(lines: &[String]) {
    let mut last = None;
    for line in lines {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") if line.contains(" score ") => last = Some(line),
            Some("bestmove") => {
                let best = words.next().unwrap_or_default();
                let last = last.take();
                let fits = match best {
                    "0000" => true,
                    "(none)" => last.is_some_and(|info| info.starts_with("info depth 0 score ")),
                    best => last.is_some_and(|info| {
                        !info.contains("upperbound ")
                            && format!("{info} ").contains(&format!(" pv {best} "))
                    }),
                };
                assert!(fits, "{last:?} before {line}");
            }
            _ => {}
        }
    }
}

/// The promised time to `readyok`, on an idle machine.
const READY_WITHIN: Duration = Duration::from_millis(10);

#[test]
fn isready_is_answered_at_once_while_searching() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name Threads value 2");
    session.send("go infinite");
    let took = shortest(READY_WITHIN, || {
        let asked = Instant::now();
        session.send("isready");
        let lines = session.wait_for("readyok");
        assert_eq!(count(&lines, "bestmove"), 0);
        asked.elapsed()
    });
    assert!(took <= READY_WITHIN, "{took:?}");
    session.send("stop");
    let lines = session.wait_for("bestmove");
    assert!(is_legal_answer(&lines[lines.len() - 1]));
}

#[test]
fn isready_after_a_stop_waits_for_the_settings_before_it() {
    let mut session = Session::new(Uci::default());
    for mebibytes in [32, 16, 32] {
        session.send("go infinite");
        session.wait_for("info ");
        session.send("stop");
        session.send(&format!("setoption name Hash value {mebibytes}"));
        session.send("isready");
        // The table is resized when the search has ended.
        assert_eq!(count(&session.wait_for("readyok"), "bestmove"), 1);
    }
}

/// The answer of `session` to a `go`, and the lines before it.
fn answer(session: &mut Session<Uci>, go: &str) -> (String, Vec<String>) {
    session.send(go);
    let lines = session.wait_for("bestmove");
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1));
    (best.unwrap_or_default().to_owned(), lines)
}

#[test]
fn no_line_is_told_twice() {
    let mut session = Session::new(Uci::default());
    session.send("position startpos moves d2d4");
    let told = |session: &mut Session<Uci>, depth: usize| {
        let (_, mut lines) = answer(session, "go depth 5");
        lines.retain(|line| line.contains(" score "));
        let beginning = format!("info depth {depth} ");
        count(&lines, &beginning)
    };
    for depth in 1..=5 {
        assert_eq!(told(&mut session, depth), 1, "depth {depth}");
    }
    // With several lines, that of the move comes last.
    session.send("setoption name MultiPV value 3");
    assert_eq!(told(&mut session, 4), 3);
    assert_eq!(told(&mut session, 5), 4);
}

/// How many lines with a score there are.
fn scored(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.contains(" score ")).count()
}

#[test]
fn a_solved_position_is_told_in_few_lines() {
    let mut session = Session::new(Uci::default());
    // White mates at once; Black is mated at once; White mates in two.
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "mate 1"),
        ("7k/R7/6K1/8/8/8/8/8 b - - 0 1", "mate -1"),
        ("k7/8/2K5/8/8/8/8/7R w - - 0 1", "mate 2"),
    ] {
        session.send(&format!("position fen {fen}"));
        session.send("go infinite");
        let is_mate = |line: &String| line.contains(mate);
        let mut found = Vec::new();
        while !found.iter().any(is_mate) {
            found.push(session.next_line(PATIENCE).expect("the mate"));
        }
        // All is told, and the answer waits.
        let more = || session.next_line(Duration::from_millis(200));
        found.extend(std::iter::from_fn(more).take(20));
        assert!(scored(&found) <= 12, "{found:#?}");
        // It holds however deep one would search.
        let deepest = format!("info depth {} ", MAX_PLY - 1);
        let last = found.iter().rfind(|line| line.contains(" score "));
        assert!(
            last.is_some_and(|line| line.starts_with(&deepest)),
            "{last:?}"
        );
        assert_eq!(count(&found, "bestmove"), 0);
        session.send("stop");
        session.wait_for("bestmove");
        // What is asked for is searched to its end, and the last line says so.
        let (_, lines) = answer(&mut session, "go depth 100");
        let last = lines.iter().rfind(|line| line.contains(" score "));
        assert!(
            last.is_some_and(|line| line.starts_with("info depth 100 ") && line.contains(mate)),
            "{last:?}"
        );
        assert!(scored(&lines) < 40, "{lines:#?}");
    }
}

/// `mate 0` would be read as a mate suffered.
#[test]
fn who_has_won_already_is_told_a_mate_for_it() {
    for (variant, fen, score) in [
        ("antichess", "8/8/8/8/8/p7/P7/8 w - - 0 1", "mate 1"),
        ("3check", "4k3/8/8/8/8/8/8/4K3 w - - 3+0 0 1", "mate 0"),
    ] {
        let mut session = Session::new(Uci::default());
        session.send(&format!("setoption name UCI_Variant value {variant}"));
        session.send(&format!("position fen {fen}"));
        session.send("go depth 3");
        let lines = session.wait_for("bestmove");
        let told = format!("info depth 0 score {score}");
        assert!(
            lines.iter().any(|line| line.starts_with(&told)),
            "{lines:?}"
        );
        session.finish();
    }
}

#[test]
fn many_lines_of_a_solved_position_are_told_at_a_sensible_rate() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name MultiPV value 50");
    session.send("position fen 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1");
    let moves = 25;
    let begun = Instant::now();
    let (best, lines) = answer(&mut session, "go movetime 500");
    let millis = begun.elapsed().as_millis() as usize;
    // Sixteen iterations, then a line in two milliseconds; at the end all lines once more, and the
    // first.
    let most = 16 * moves + millis / 2 + 2 * moves + 1;
    assert!(scored(&lines) <= most, "{} of {most}", scored(&lines));
    let lines: Vec<&String> = lines
        .iter()
        .filter(|line| line.contains(" score "))
        .collect();
    let [.., before, last] = &lines[..] else {
        panic!("{lines:#?}");
    };
    assert!(before.contains(&format!(" multipv {moves} ")), "{before}");
    assert!(
        last.contains(" multipv 1 ") && last.contains(&format!(" pv {best}")),
        "{last}"
    );
}

/// What a match runner sends if it times one side only, or knows but the increments.
#[test]
fn a_missing_clock_does_not_make_a_search_endless() {
    let mut session = Session::new(Uci::default());
    for (position, go) in [
        ("startpos moves e2e4", "go wtime 60000 winc 1000"),
        ("startpos moves e2e4", "go wtime 60000 binc 1000"),
        ("startpos", "go btime 60000"),
        ("startpos", "go movestogo 10 winc 100 binc 100"),
        ("startpos", "go movestogo 10"),
    ] {
        session.send(&format!("position {position}"));
        let (best, _) = answer(&mut session, go);
        assert_eq!(best.len(), 4, "{go}: {best}");
    }
    // Another limit counts as before.
    session.send("position startpos");
    let (_, lines) = answer(&mut session, "go btime 60000 depth 4");
    assert!(lines.iter().any(|line| line.starts_with("info depth 4 ")));
}

#[test]
fn limited_strength_ends_early_and_shows_no_more_lines_than_asked_for() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name Threads value 2");
    session.send("setoption name UCI_LimitStrength value true");
    for _ in 0..20 {
        let (_, lines) = answer(&mut session, "go depth 60 wtime 600000 btime 600000");
        assert!(lines.len() < 20, "{lines:?}");
        assert!(!lines.iter().any(|line| line.contains(" multipv 2 ")));
        assert!(is_legal_answer(&lines[lines.len() - 1]));
        assert_final_lines(&lines);
    }
}

#[test]
fn limited_strength_varies_but_sees_a_mate_in_one() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name Skill Level value 0");
    let mut moves: Vec<String> = (0..30)
        .map(|_| answer(&mut session, "go nodes 100000").0)
        .collect();
    moves.sort();
    moves.dedup();
    assert!(moves.len() > 1, "always {moves:?}");
    session.send("position fen 6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1");
    for _ in 0..20 {
        assert_eq!(answer(&mut session, "go nodes 1000").0, "d1d8");
    }
}

#[test]
fn limited_strength_takes_time_on_a_clock_until_it_is_told_to_move() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name UCI_LimitStrength value true");
    session.send("go wtime 36000000 btime 36000000");
    // The search has ended, but the answer comes only when a player would have made up their mind.
    session.wait_for("info depth 3 ");
    while let Some(line) = session.next_line(Duration::from_millis(200)) {
        assert!(!line.starts_with("bestmove"), "{line}");
    }
    session.send("stop");
    let lines = session.wait_for("bestmove");
    assert!(is_legal_answer(&lines[lines.len() - 1]));
    // With little time left, it does not lose it.
    for _ in 0..5 {
        let begun = Instant::now();
        answer(&mut session, "go wtime 10000 btime 10000");
        let taken = begun.elapsed();
        assert!(
            taken > Duration::from_millis(10) && taken < Duration::from_secs(10),
            "{taken:?}"
        );
    }
}

#[test]
fn limited_strength_promotes_to_a_queen() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name UCI_LimitStrength value true");
    for elo in ["1320", "1500", "1800", "2400"] {
        session.send(&format!("setoption name UCI_Elo value {elo}"));
        session.send("position fen 5rk1/6p1/7p/p7/P6P/4K1P1/2qp4/8 b - - 0 42");
        for _ in 0..10 {
            let (best, _) = answer(&mut session, "go nodes 100000");
            assert!(
                !matches!(best.as_str(), "d2d1r" | "d2d1b" | "d2d1n"),
                "{elo}: {best}"
            );
        }
    }
    // A queen would stalemate. Weaker levels often play another move, which wins too.
    session.send("setoption name UCI_Elo value 2400");
    session.send("position fen 8/5P1k/8/6K1/8/8/8/8 w - - 0 1");
    let mut promoted = (0..60).map(|_| answer(&mut session, "go nodes 100000").0);
    assert!(promoted.any(|best| best == "f7f8r"));
}

#[test]
fn analysis_is_never_limited() {
    let mut session = Session::new(Uci::default());
    session.send("setoption name UCI_LimitStrength value true");
    session.send("go infinite");
    session.wait_for("info depth 9 ");
    session.send("stop");
    session.wait_for("bestmove");
    session.send("setoption name UCI_AnalyseMode value true");
    let (_, lines) = answer(&mut session, "go depth 9");
    assert!(lines.iter().any(|line| line.starts_with("info depth 9 ")));
}

#[test]
fn analysis_looks_for_sacrifices_and_takes_more_nodes_to_a_depth() {
    const SACRIFICE: &str = "fen 2rq1bk1/p4p1p/1p4p1/3b4/3B1Q2/8/P4PpP/3RR1K1 w - - 0 1";
    let mut session = Session::new(Uci::default());
    session.send("setoption name UCI_AnalyseMode value true");
    session.send(&format!("position {SACRIFICE}"));
    assert_eq!(answer(&mut session, "go nodes 1000000").0, "e1e8");
    // Each position may go either way; those of a game together show it.
    let mut moves = String::new();
    let [mut game, mut analysis] = [0_u64; 2];
    for _ in 0..48 {
        for (mode, total) in [(true, &mut analysis), (false, &mut game)] {
            session.send(&format!("setoption name UCI_AnalyseMode value {mode}"));
            session.send("ucinewgame");
            session.send(&format!("position startpos moves{moves}"));
            let (best, lines) = answer(&mut session, "go depth 10");
            let last = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
            let (_, nodes) = last.split_once(" nodes ").unwrap();
            *total += nodes.split(' ').next().unwrap().parse::<u64>().unwrap();
            if !mode {
                moves.extend([" ", &best]);
            }
        }
    }
    assert!(analysis > game, "{analysis} nodes, {game} in a game");
}

#[test]
fn a_mate_is_proved_or_said_not_to_be_there() {
    let mut session = Session::new(Uci::default());
    session.send("position fen 2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1");
    let (best, lines) = answer(&mut session, "go mate 5");
    assert_eq!(best, "f3f7");
    let last = &lines[lines.len() - 2];
    assert!(last.contains(" score mate 2 "), "{last}");
    assert!(last.contains(" pv f3f7 e8f7 g4h5"), "{last}");
    let (best, lines) = answer(&mut session, "go mate 1");
    assert!(!best.is_empty());
    assert_eq!(count(&lines, "info string no mate in 1 found"), 1);
}

#[test]
fn a_value_given_to_a_position_decides() {
    let mut session = Session::new(Uci::default());
    let after = "rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR b KQkq - 0 1";
    session.send("position startpos");
    assert_ne!(answer(&mut session, "go depth 6").0, "h2h3");
    let set = |value: &str| format!("setoption name UCI_SetPositionValue value {value}");
    session.send(&set(&format!("900 + {after}")));
    let (best, lines) = answer(&mut session, "go depth 6");
    assert_eq!(best, "h2h3");
    assert!(
        lines[lines.len() - 2].contains(" score cp 900 "),
        "{lines:?}"
    );
    session.send(&set(&format!("clear + {after}")));
    assert_ne!(answer(&mut session, "go depth 6").0, "h2h3");
}

#[test]
fn debug_mode_tells_what_was_decided() {
    let mut session = Session::new(Uci::default());
    let plan = |lines: &[String]| {
        let plans = lines.iter().filter(|line| line.contains(" plan: "));
        plans.cloned().collect::<Vec<_>>().join("|")
    };
    assert_eq!(plan(&answer(&mut session, "go depth 1").1), "");
    session.send("debug on");
    let (_, lines) = answer(&mut session, "go depth 1");
    assert_eq!(
        plan(&lines),
        "info string plan: no limit of time, threads: 1"
    );
    session.send("setoption name Threads value 2");
    let (_, lines) = answer(&mut session, "go depth 1 movetime 500");
    assert_eq!(plan(&lines), "info string plan: 490ms, threads: 2");
    session.send("setoption name UCI_LimitStrength value true");
    let (_, lines) = answer(&mut session, "go depth 1 wtime 60000");
    let plan = plan(&lines);
    assert!(plan.contains(" plan: about "), "{plan}");
    assert!(plan.contains("s, at most "), "{plan}");
    assert!(plan.ends_with("threads: 1, below full strength"), "{plan}");
}
