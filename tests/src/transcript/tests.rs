//! The runner notices what it should.

use orthrus_core::engine::Event;
use orthrus_core::engine::options::Setting;
use orthrus_core::frontend::Outbox;
use orthrus_core::search::{Limits, Report};

use super::*;

/// Turns every line into a command and every event into a line.
#[derive(Default)]
struct Echo {
    outbox: Outbox,
}

impl Frontend for Echo {
    fn handle_line(&mut self, now: Instant, line: &str) {
        self.outbox.log_file = line.strip_prefix("log ").map(str::to_owned);
        self.outbox.commands.extend(match line {
            "\tgame" => vec![Command::SetGame(Box::default())],
            "go" => vec![go(now)],
            "go twice" => vec![go(now); 2],
            "hash" => vec![Command::SetOption(Setting::Hash(64))],
            "ping" => vec![Command::Ping(9)],
            _ => vec![],
        });
    }

    fn handle_event(&mut self, _: Instant, event: Event) {
        self.outbox.say(match event {
            Event::Search(_, Report::Info(info)) => {
                format!("{} {} {}", info.depth, info.score, info.pv.len())
            }
            other => format!("{other:?}"),
        });
    }

    fn handle_eof(&mut self) {
        self.outbox.send(Command::Quit);
    }

    fn outbox(&mut self) -> &mut Outbox {
        &mut self.outbox
    }
}

fn go(now: Instant) -> Command {
    Command::Go(SearchId(4), Box::new(Limits::none(now)))
}

fn run(text: &str) -> Result<(), (usize, String)> {
    check("test", text, &mut Echo::default())
        .map_err(|failure| (failure.line, failure.problem.to_string()))
}

#[test]
fn a_conversation_passes() {
    let text = "
        # The trailing star stands for the rest.
        > \\tgame
        ! SetGame startpos
        > go
        ! Go
        * info depth 3 score mate -2 pv e2e4 e7e5
        < 3 #-2 2
        * bestmove e2e4 ponder e7e5
        < Search(SearchId(4), BestMove*
        > hash
        ! SetOption Hash 64
        > log a b.txt
        ! Log \"a b.txt\"
        > ping
        ! Ping
        @ +500ms
        * pong
        < Pong(9)
        @ eof
        ! Quit";
    assert_eq!(run(text), Ok(()));
}

#[test]
fn several_lines_can_be_named_at_once() {
    assert_eq!(run("* notice ab\n~ Notice(\n"), Ok(()));
}

#[test]
fn nothing_may_stay_unnamed() {
    let unnamed = |mark| format!("before this step came, unnamed: {mark}");
    assert_eq!(run("> go\n> go"), Err((2, unnamed("! Go"))));
    assert_eq!(run("> go twice\n! Go\n"), Err((3, unnamed("! Go"))));
    assert_eq!(run("* notice ab"), Err((2, unnamed("< Notice(\"ab\")"))));
}

#[test]
fn what_is_named_must_come() {
    let problem = |line, text: &str| Err((line, text.to_owned()));
    assert_eq!(
        run("> \n! Go"),
        problem(2, "expected ! Go\n     got nothing")
    );
    assert_eq!(
        run("> go\n! Go infinite"),
        problem(2, "expected ! Go infinite\n     got ! Go")
    );
    assert_eq!(
        run("* notice a\n~ Info"),
        problem(2, "expected ~ Info\n     got ~ Notice(\"a\")")
    );
    assert_eq!(run("~ N"), problem(1, "expected ~ N\n     got nothing"));
    assert_eq!(run("* pong"), problem(1, "no ping is unanswered"));
    assert_eq!(run("* bestmove e2e4"), problem(1, "no search is running"));
    assert_eq!(
        run("> go\n! Go\n* info pv e2e5"),
        problem(3, "e2e5: illegal move")
    );
    assert_eq!(run("? go"), problem(1, "no step begins with ?"));
}
