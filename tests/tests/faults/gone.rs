//! The program on the other side is gone: its pipes are closed, or it hung up. In whatever state
//! that happens, the process ends soon, and computes nothing until then.

use std::io::BufRead as _;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use orthrus_tests::process::{GONE_AT_LATEST, assert_gone, command};
use orthrus_tests::scratch::Scratch;

use crate::piped::Piped;

/// A state: what is sent to get there, and the beginning of the line that shows that it is reached.
struct State {
    name: &'static str,
    said: &'static str,
    reached: &'static str,
    /// Whether it keeps writing output, and so notices that nobody reads it.
    talks: bool,
    /// Whether it computes; if not, it must use no processor time.
    computes: bool,
}

const fn state(name: &'static str, said: &'static str, reached: &'static str) -> State {
    State {
        name,
        said,
        reached,
        talks: true,
        computes: true,
    }
}

const fn silent(name: &'static str, said: &'static str, reached: &'static str) -> State {
    State {
        talks: false,
        computes: false,
        ..state(name, said, reached)
    }
}

const fn absorbed(name: &'static str, said: &'static str, reached: &'static str) -> State {
    State {
        talks: false,
        ..state(name, said, reached)
    }
}

const STATES: &[State] = &[
    silent("UCI, idle", "uci\n", "uciok"),
    absorbed("a person's count", "perft 12\nisready\n", "readyok"),
    absorbed("a person's benchmark", "bench 40\nisready\n", "readyok"),
    state(
        "UCI, on the clock",
        "uci\nposition startpos\ngo wtime 3600000 btime 3600000\n",
        "info depth",
    ),
    state("UCI, infinite", "uci\ngo infinite\n", "info depth"),
    state(
        "UCI, pondering",
        "uci\nposition startpos moves e2e4\ngo ponder wtime 60000 btime 60000\n",
        "info depth",
    ),
    silent(
        "UCI, answer kept back",
        "uci\nposition fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\nisready\n",
        "readyok",
    ),
    silent("CECP, idle", "xboard\nprotover 2\nnew\nping 1\n", "pong"),
    state(
        "CECP, thinking",
        "xboard\nnew\npost\nlevel 0 600 0\ngo\n",
        "1 ",
    ),
    // To depth three: its output soon ends.
    silent(
        "CECP, pondering",
        "xboard\nnew\npost\nhard\nlevel 0 600 0\nsd 3\nusermove e2e4\n",
        "move",
    ),
    state("CECP, analysing", "xboard\nnew\npost\nanalyze\n", "1 "),
    silent(
        "CECP, pausing",
        "xboard\nnew\npost\nlevel 0 600 0\ngo\npause\nping 1\n",
        "pong",
    ),
];

fn start(command: Command) -> Piped {
    Piped::start(command, Stdio::piped())
}

fn bring_to(state: &State) -> Piped {
    let mut engine = start(command());
    engine.say(state.said);
    let mut line = String::new();
    while !line.trim_start().starts_with(state.reached) {
        line.clear();
        let bytes = engine.stdout.as_mut().unwrap().read_line(&mut line);
        assert_ne!(bytes.unwrap(), 0, "{}: ended by itself", state.name);
    }
    engine
}

fn send_signal(engine: &Piped, name: &str) {
    let (signal, id) = (format!("-{name}"), engine.child.id().to_string());
    let status = Command::new("kill").args([signal, id]).status();
    assert!(status.unwrap().success());
}

/// Does this to a process in each state; it must be gone in time.
fn check(what: &str, states: impl Iterator<Item = &'static State>, leave: impl Fn(&mut Piped)) {
    for state in states {
        let what = format!("{what}: {}", state.name);
        assert_gone(&what, || {
            let mut engine = bring_to(state);
            leave(&mut engine);
            engine.end(&what)
        });
    }
}

#[test]
fn a_closed_input_ends_every_state() {
    check("input closed", STATES.iter(), |engine| engine.stdin = None);
}

#[test]
fn closed_pipes_end_every_state() {
    check("both closed", STATES.iter(), |engine| {
        engine.stdout = None;
        engine.stdin = None;
    });
}

#[test]
fn hanging_up_ends_every_state() {
    check("hung up", STATES.iter(), |engine| {
        send_signal(engine, "HUP");
    });
}

#[test]
fn a_closed_output_ends_every_state_that_talks() {
    let talking = STATES.iter().filter(|state| state.talks);
    check("output closed", talking, |engine| engine.stdout = None);
    let silent = STATES.iter().filter(|state| !state.talks);
    check("output closed, then asked", silent, |engine| {
        engine.stdout = None;
        engine.told = "resume\nisready\nping 2\n";
    });
}

#[test]
fn who_waits_computes_nothing() {
    let waiting = STATES.iter().filter(|state| !state.computes);
    let mut engines: Vec<Piped> = waiting.map(bring_to).collect();
    for engine in &mut engines {
        engine.stdout = None;
    }
    thread::sleep(Duration::from_millis(100));
    let before: Vec<u64> = engines.iter().map(Piped::ticks).collect();
    thread::sleep(Duration::from_millis(500));
    for (engine, before) in engines.iter().zip(before) {
        let ticks = engine.ticks() - before;
        assert!(ticks <= 5, "{ticks} ticks of 10 ms in half a second");
    }
}

#[test]
fn tools_end_when_nobody_is_left() {
    let scratch = Scratch::new();
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n\n";
    let games = scratch.write("games.pgn", game.repeat(5_000));
    let book = scratch.name("book.bin");
    let tools: [&[&str]; 3] = [
        &["analyse", "--json"],
        &["annotate", &games, "--movetime", "100"],
        &["book", "make", "-", &book],
    ];
    for tool in tools {
        for signal in ["HUP", "TERM", "INT"] {
            let mut command = command();
            command.args(tool);
            let mut engine = start(command);
            thread::sleep(Duration::from_millis(200));
            let ended = engine.child.try_wait().unwrap();
            assert_eq!(ended, None, "{tool:?}: it works until the signal");
            send_signal(&engine, signal);
            let took = engine.end(tool[0]);
            assert!(took < GONE_AT_LATEST, "{tool:?} {signal}: {took:?}");
        }
    }
    let mut command = command();
    command.args(["analyse", "--json"]);
    let mut engine = start(command);
    thread::sleep(Duration::from_millis(200));
    engine.stdout = None;
    engine.end("analysis that nobody reads");
}

/// A reader that stays and reads nothing: the first Ctrl-C cannot be taken notice of.
#[test]
fn the_second_interrupt_ends_a_tool_whose_reader_has_stopped() {
    let scratch = Scratch::new();
    let games = scratch.write("games.pgn", "1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(5_000));
    let mut command = command();
    command.args(["annotate", &games, "--json", "--nodes", "1"]);
    let mut tool = start(command);
    // It waits when it computes nothing any more.
    let mut before = None;
    while before != Some(tool.ticks()) {
        before = Some(tool.ticks()).filter(|&ticks| ticks > 0);
        thread::sleep(Duration::from_millis(500));
    }
    send_signal(&tool, "INT");
    thread::sleep(Duration::from_millis(1_200));
    assert_eq!(tool.child.try_wait().unwrap(), None, "it waits to write");
    send_signal(&tool, "INT");
    tool.end("the second interrupt");
}

/// `nohup` and shells that start something in the background make it ignore the signals that would
/// end it.
#[test]
fn what_a_tool_was_told_to_ignore_it_ignores() {
    let binary = command().get_program().to_owned();
    let mut shell = Command::new("sh");
    let script = "trap '' HUP INT; exec \"$0\" analyse --json";
    shell.args(["-c", script]).arg(binary);
    let mut tool = start(shell);
    // It has begun to search, so its handlers are in place.
    let mut line = String::new();
    tool.stdout.as_mut().unwrap().read_line(&mut line).unwrap();
    assert!(line.starts_with('{'), "{line}");
    for signal in ["HUP", "INT"] {
        send_signal(&tool, signal);
        thread::sleep(Duration::from_millis(300));
        assert!(tool.child.try_wait().unwrap().is_none(), "{signal}");
    }
    send_signal(&tool, "TERM");
    tool.end("a tool that ignores some signals");
}
