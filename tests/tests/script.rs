//! Lines of UCI as arguments of the real process.

use orthrus_tests::process::command;

#[test]
fn lines_may_be_arguments() {
    let lines = ["position startpos moves f2f3 e7e5 g2g4", "go depth 3", "d"];
    let output = command()
        .arg("uci")
        .args(lines)
        .output()
        .expect("the binary can be started");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let place = |line: &str| {
        text.find(line)
            .unwrap_or_else(|| panic!("no {line} in {text}"))
    };
    // The board is drawn when the search has answered.
    assert!(place("bestmove d8h4\n") < place("FEN: rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2"));
}

#[test]
fn lines_are_needed() {
    let output = command()
        .arg("uci")
        .output()
        .expect("the binary can be started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
