//! What the binary does on the command line: logging, tools, the bench.

use std::fs;
use std::io::{self, BufRead as _, BufReader};
use std::process::Stdio;

use orthrus_core::evaluation::network::{INPUTS, RawNetwork};
use orthrus_core::position::Variant;
use orthrus_tests::process::{Process, command, run};
use orthrus_tests::scratch::Scratch;

#[test]
fn a_log_file_is_a_transcript() {
    let scratch = Scratch::new();
    let path = scratch.path("orthrus.log");
    for level in ["debug", "error"] {
        let mut command = command();
        // Which is about everything else.
        command
            .env("ORTHRUS_LOG", level)
            .arg("--log-file")
            .arg(&path);
        let mut engine = Process::spawn(command);
        engine.send("uci\nquit");
        assert!(engine.wait().status.success());
    }
    let mut script = command();
    script.arg("--log-file").arg(&path).args(["uci", "isready"]);
    assert!(script.output().unwrap().status.success());
    let log = fs::read_to_string(&path).unwrap();
    let said: Vec<&str> = log.lines().rev().take(2).collect();
    assert!(
        said[1].ends_with(">> isready") && said[0].ends_with("<< readyok"),
        "{log}"
    );
    assert_eq!(log.matches(">> uci\n").count(), 2, "{log}");
    assert_eq!(log.matches("<< uciok\n").count(), 2, "{log}");
}

#[test]
fn a_mistyped_level_does_no_harm_if_nobody_is_told() {
    let (nobody, stderr) = io::pipe().unwrap();
    drop(nobody);
    let mut command = command();
    command.env("ORTHRUS_LOG", "inof,orthrus=inof,debug/a/b");
    let status = command.arg("--version").stderr(stderr).status().unwrap();
    assert!(status.success());
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_log_file() {
    let scratch = Scratch::new();
    let pipe = scratch.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let mut command = command();
    command.arg("--log-file").arg(&pipe);
    let exit = Process::spawn(command).wait();
    assert_eq!(exit.status.code(), Some(1), "{exit:?}");
    assert!(exit.stderr.contains("orthrus: cannot log to"), "{exit:?}");
}

#[test]
fn a_log_file_that_cannot_be_opened_is_an_error() {
    let output = command()
        .args(["--log-file", "/no/such/folder/x.log"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("/no/such/folder/x.log"), "{stderr}");
}

fn output_of(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// The reason is that of the variant, and the status that of a wrong command line.
#[test]
fn a_wrong_position_is_a_wrong_command_line() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (variant, fen, reason) in [
        ("chess", "x".to_owned(), ""),
        (
            "chess",
            format!("{start}[] w KQkq - 0 1"),
            "; it can be read with --variant crazyhouse",
        ),
        (
            "crazyhouse",
            format!("{start}[Qn] w KQkq - 0 1"),
            "at most 32 are possible",
        ),
        (
            "horde",
            "4q3/8/8/8/8/8/PPPP4/8 w - - 0 1".to_owned(),
            "Black has no king",
        ),
    ] {
        let arguments = [
            "analyse",
            "--depth",
            "1",
            "--variant",
            variant,
            "--fen",
            &fen,
        ];
        let output = command().args(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with(&format!("orthrus: {fen}: ")), "{stderr}");
        assert!(stderr.ends_with(&format!("{reason}\n")), "{stderr}");
    }
    let moves = command()
        .args(["analyse", "--moves", "e5"])
        .output()
        .unwrap();
    assert_eq!(moves.status.code(), Some(2), "{moves:?}");
}

#[test]
fn a_folder_is_refused_by_every_tool_alike() {
    let scratch = Scratch::new();
    let folder = scratch.folder().display().to_string();
    let book = scratch.name("no.bin");
    for arguments in [
        &["annotate", &folder][..],
        &["epd", &folder],
        &["book", "show", &folder],
        &["book", "make", &folder, &book],
        &["genfens", "1", "seed", "1", "book", &folder],
    ] {
        let output = command().args(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {stderr}");
        let expected = format!("orthrus: cannot read {folder}: is a directory\n");
        assert_eq!(stderr, expected, "{arguments:?}");
    }
}

#[test]
fn the_tools_answer_and_end() {
    assert!(output_of(&["--version"]).starts_with("orthrus "));
    assert!(output_of(&["--help"]).contains("perft"));
    assert!(output_of(&["perft", "4"]).starts_with("197281 nodes "));
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert!(output_of(&["perft", "3", "--fen", fen]).starts_with("97862 nodes "));
    let divided = output_of(&["perft", "2", "--fen", fen, "--divide"]);
    assert!(divided.contains("\ne1g1: 43\n"), "{divided}");
    assert!(divided.contains("\n2039 nodes "), "{divided}");
    let horde = ["perft", "3", "--variant", "horde"];
    assert!(output_of(&horde).starts_with("1274 nodes "));
    let last = "4k3/8/8/8/8/8/8/3RK3 b - - 0+3 0 1";
    let over = ["perft", "1", "--variant", "Three-check", "--fen", last];
    assert!(output_of(&over).starts_with("0 nodes "));
}

#[test]
fn the_program_says_what_it_is() {
    for version in ["version", "-version", "--version", "-V"] {
        assert!(output_of(&[version]).starts_with("orthrus "), "{version}");
    }
    for license in ["license", "licence", "--license"] {
        let text = output_of(&[license]);
        assert!(text.contains("MIT") && text.contains("Apache"), "{text}");
    }
}

#[test]
fn a_protocol_can_be_named() {
    for name in ["uci", "-uci", "--uci"] {
        let mut engine = Process::start(&[name]);
        engine.send("isready");
        assert_eq!(engine.wait_for("readyok"), ["readyok"], "{name}");
    }
    for name in ["xboard", "-xboard", "--xboard"] {
        let mut engine = Process::start(&[name]);
        engine.send("help");
        engine.wait_for("# This is CECP");
    }
}

#[test]
fn the_bench_is_a_signature() {
    let signature = |arguments: &[&str]| {
        let output = output_of(&[&["bench", "4"], arguments].concat());
        let last = output.lines().last().unwrap().to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else {
            panic!("not the form of the last line: {last}");
        };
        nps.parse::<u64>().unwrap();
        nodes.parse::<u64>().unwrap()
    };
    let nodes = signature(&[]);
    assert!(nodes > 1000, "{nodes}");
    assert_eq!(nodes, signature(&[]));
    for variant in Variant::ALL {
        let played = signature(&["--variant", variant.name()]);
        assert!(played > 200, "{}: {played}", variant.name());
        assert_eq!(played == nodes, variant == Variant::Standard);
    }
}

#[test]
fn the_signature_is_the_same_with_every_instruction_set() {
    let signature = |level: &str| {
        let output = command()
            .args(["bench", "4"])
            .env("ORTHRUS_CPU", level)
            .output()
            .unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        output
            .lines()
            .last()
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .to_owned()
    };
    let scalar = signature("scalar");
    // Levels that this processor lacks fall back to one that it has.
    for level in ["avx2", "avx512", "neon"] {
        assert_eq!(signature(level), scalar, "{level}");
    }
}

#[test]
fn instructions_that_do_not_exist_are_told_of_and_have_no_effect() {
    let output = command()
        .args(["bench", "1"])
        .env("ORTHRUS_CPU", "AVX-2")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{stderr}");
    assert!(
        stderr
            .starts_with("orthrus: ORTHRUS_CPU: no instructions are called AVX-2, computing with "),
        "{stderr}"
    );
}

#[test]
fn lines_may_be_arguments() {
    let lines = ["position startpos moves f2f3 e7e5 g2g4", "go depth 3", "d"];
    let text = output_of(&[&["uci"], &lines[..]].concat());
    let place = |line: &str| {
        text.find(line)
            .unwrap_or_else(|| panic!("no {line} in {text}"))
    };
    // The board is drawn when the search has answered.
    assert!(place("bestmove d8h4\n") < place("FEN: rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2"));
}

#[test]
fn nothing_behind_a_quit_is_answered() {
    assert_eq!(output_of(&["uci", "quit", "help"]), "");
    let mut engine = Process::start(&["uci"]);
    engine.send("quit\nhelp\nisready");
    assert_eq!(engine.close().lines, [""; 0]);
}

#[test]
fn contempt_makes_nothing_of_a_game_that_is_over() {
    let lines = [
        "setoption name UCI_Variant value racingkings",
        "setoption name Contempt value 50",
        "setoption name UCI_ShowWDL value true",
        "position fen 7K/k7/8/8/8/8/8/8 b - - 0 1 moves a7a8",
        "go depth 1",
    ];
    let text = output_of(&[&["uci"], &lines[..]].concat());
    assert!(text.contains("score cp 0 wdl 0 1000 0"), "{text}");
}

#[test]
fn what_a_person_asks_for_can_be_stopped() {
    let mut engine = Process::start(&[]);
    for request in ["perft 12", "bench 40"] {
        engine.send(request);
        engine.send("isready");
        engine.wait_for("readyok");
        engine.send("stop");
        engine.wait_for("stopped before the end");
    }
    engine.send("perft 3");
    engine.wait_for("8902 nodes ");
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let mut engine = command()
        .args(["genfens", "1000000", "seed", "1", "book", "None"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(engine.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("info string genfens "), "{line}");
    drop(stdout);
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_person_is_answered_with_the_network_in_use() {
    // A network that sees no difference between positions.
    let network = RawNetwork {
        variant: Variant::Standard,
        hidden: 32,
        buckets: 1,
        mirrored: false,
        direct: false,
        feature_weights: vec![0; INPUTS * 32],
        feature_bias: vec![0; 32],
        output_weights: vec![0; 64],
        output_bias: vec![0],
        direct_weights: Vec::new(),
        residual: None,
        scaling: Vec::new(),
    };
    let scratch = Scratch::new();
    let file = scratch.write("blind.nnue", network.to_bytes());
    let mut engine = Process::start(&[]);
    engine.send("position fen 3qk3/8/8/8/8/8/8/4K3 w - - 0 1\nbench 2\neval");
    let bench = engine.wait_for("Evaluation: -");
    engine.send(&format!("setoption name EvalFile value {file}"));
    engine.send("bench 2\ncompiler\neval");
    let lines = engine.wait_for("Evaluation: +0.00");
    let network = |line: &String| line.starts_with("network (768 -> 32)x2");
    assert!(lines.iter().any(network), "{lines:?}");
    let nodes = |lines: &[String]| {
        let last = lines.iter().find(|line| line.ends_with(" nps")).unwrap();
        last.split(' ').next().unwrap().to_owned()
    };
    assert_ne!(nodes(&bench), nodes(&lines));
}

/// Whoever types `new game` has chosen a protocol, perhaps without knowing it.
#[cfg(unix)]
#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn a_person_in_a_terminal_is_told_of_cecp() {
    const PROGRAM: &str = "
import os, pty, signal, sys
signal.alarm(10)
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.write(terminal, b'new game\\ngo depth 3\\n')
seen = b''
while b'Error (too many parameters): go depth 3' not in seen:
    seen += os.read(terminal, 4096)
print(seen.count(b'# This is CECP, the protocol of XBoard, from here on'))
";
    let binary = command().get_program().to_owned();
    let mut python = std::process::Command::new("python3");
    let output = python.args(["-c", PROGRAM]).arg(binary).output().unwrap();
    assert_eq!(output.stdout, b"1\n", "{output:?}");
}

/// Under XBoard signals mean nothing; a person who has typed its first word means Ctrl-C.
#[cfg(unix)]
#[test]
#[cfg_attr(not(has_python3), ignore = "python3 is not installed")]
fn ctrl_c_in_a_terminal_ends_cecp_too() {
    const PROGRAM: &str = "
import os, pty, signal, sys
process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.write(terminal, b'xboard\\nprotover 2\\n')
seen = b''
while b'done=1' not in seen:
    seen += os.read(terminal, 4096)
os.write(terminal, b'\\x03')
signal.alarm(10)
print(os.waitpid(process, 0)[1] == signal.SIGINT)
";
    let binary = command().get_program().to_owned();
    let mut python = std::process::Command::new("python3");
    let output = python.args(["-c", PROGRAM]).arg(binary).output().unwrap();
    assert_eq!(output.stdout, b"True\n", "{output:?}");
}
