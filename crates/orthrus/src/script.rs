//! Lines given in advance: `orthrus uci "position startpos" "go depth 10"`.

use std::collections::VecDeque;
use std::time::Instant;

use orthrus_core::engine::{Command, Event};
use orthrus_core::search::{Limits, Report};
use orthrus_core::types::Color;

use crate::input::Input;

/// A user with a plan: every line waits until what was asked before it is answered, unless that
/// answer would wait for the line itself; the end of input comes last.
#[derive(Debug)]
pub(crate) struct Script {
    lines: VecDeque<String>,
    /// The side to move in the position of the next search.
    side: Color,
    /// How many searches are not answered yet. Each ends those before it.
    searches: usize,
    /// How many other questions are not answered yet.
    questions: usize,
    /// Whether the last search has no limit of its own.
    is_unlimited: bool,
    /// Whether the last search is answered only after another line.
    is_endless: bool,
}

impl Script {
    /// From arguments, each of which has a line or several.
    pub(crate) fn new(arguments: &[String]) -> Self {
        let lines = arguments.iter().flat_map(|text| text.split(['\r', '\n']));
        Self {
            lines: lines.map(str::to_owned).collect(),
            side: Color::White,
            searches: 0,
            questions: 0,
            is_unlimited: false,
            is_endless: false,
        }
    }

    /// What comes next, if it is time for it.
    pub(crate) fn next_input(&mut self) -> Option<Input> {
        let is_waiting = self.questions > 0 || self.searches > usize::from(self.is_endless);
        if is_waiting {
            return None;
        }
        Some(match self.lines.pop_front() {
            Some(text) => Input::Line {
                at: Instant::now(),
                text,
            },
            None => Input::Eof,
        })
    }

    /// Notes what is asked of the engine.
    pub(crate) fn note(&mut self, command: &Command) {
        match command {
            Command::SetGame(game) => self.side = game.position().side_to_move(),
            Command::Go(_, limits) => {
                self.searches += 1;
                self.is_unlimited = is_unlimited(limits, self.side);
                self.is_endless = self.is_unlimited || limits.ponder;
            }
            Command::Stop => (self.is_unlimited, self.is_endless) = (false, false),
            Command::PonderHit(_) => self.is_endless = self.is_unlimited,
            Command::Ping(_) | Command::ShowBook(_) | Command::Task(_) => self.questions += 1,
            _ => {}
        }
    }

    /// Notes what the engine answers.
    pub(crate) fn hear(&mut self, event: &Event) {
        match event {
            Event::Search(_, Report::BestMove { .. }) => {
                self.searches = self.searches.saturating_sub(1);
            }
            Event::Pong(_) | Event::BookMoves(_) | Event::Task(_) => {
                self.questions = self.questions.saturating_sub(1);
            }
            _ => {}
        }
    }
}

/// Whether nothing but another line ends a search by `side`.
fn is_unlimited(limits: &Limits, side: Color) -> bool {
    limits.infinite || !(limits.is_timed(side) || limits.has_end())
}

#[cfg(test)]
mod tests {
    use orthrus_core::frontend::Frontend;
    use orthrus_core::search::SearchId;
    use orthrus_uci::Uci;

    use super::*;

    /// The answer to any search.
    const NO_MOVE: Event = Event::Search(
        SearchId(0),
        Report::BestMove {
            best: None,
            ponder: None,
        },
    );

    fn script(lines: &[&str]) -> (Script, Uci) {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        (Script::new(&lines), Uci::default())
    }

    /// The commands that come without another event.
    fn commands((script, head): &mut (Script, Uci)) -> Vec<String> {
        let mut commands = Vec::new();
        while let Some(input) = script.next_input() {
            let at_end = input == Input::Eof;
            match input {
                Input::Line { at, text } => head.handle_line(at, &text),
                Input::TooLong => panic!("the lines of a script are short"),
                Input::Eof => head.handle_eof(),
            }
            while let Some(command) = head.outbox().commands.pop_front() {
                script.note(&command);
                commands.push(match command {
                    Command::SetGame(_) => "SetGame".to_owned(),
                    Command::Go(_, limits) => format!("Go {limits}"),
                    Command::PonderHit(_) => "PonderHit".to_owned(),
                    other => format!("{other:?}"),
                });
            }
            if at_end {
                break;
            }
        }
        commands
    }

    #[test]
    fn a_line_waits_for_the_search_before_it() {
        let mut script = script(&["position startpos", "go depth 3", "go depth 4"]);
        assert_eq!(commands(&mut script), ["SetGame", "Go depth 3"]);
        script.0.hear(&NO_MOVE);
        assert_eq!(commands(&mut script), ["Go depth 4"]);
        script.0.hear(&NO_MOVE);
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn an_argument_may_have_several_lines() {
        let mut script = script(&["position startpos\r\ngo depth 3\n", "go depth 4\rquit"]);
        assert_eq!(commands(&mut script), ["SetGame", "Go depth 3"]);
        script.0.hear(&NO_MOVE);
        assert_eq!(commands(&mut script), ["Go depth 4"]);
        script.0.hear(&NO_MOVE);
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn the_answers_are_told_apart() {
        let mut script = script(&["go infinite", "go depth 3"]);
        assert_eq!(commands(&mut script), ["Go infinite", "Go depth 3"]);
        script.0.hear(&NO_MOVE);
        assert!(commands(&mut script).is_empty());
        script.0.hear(&NO_MOVE);
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn a_search_without_end_waits_for_the_line() {
        let mut script = script(&["go infinite", "stop"]);
        assert_eq!(commands(&mut script), ["Go infinite", "Stop"]);
        script.0.hear(&NO_MOVE);
        assert_eq!(commands(&mut script), ["Quit"]);
    }

    #[test]
    fn a_search_without_a_limit_does_not_keep_the_line_that_ends_it() {
        for (lines, expected) in [
            (&["go", "stop"][..], &["Go ", "Stop"][..]),
            (
                &["go searchmoves e2e4", "stop"],
                &["Go search_moves 1", "Stop"],
            ),
            (
                &["go ponder", "ponderhit", "stop"],
                &["Go ponder", "PonderHit", "Stop"],
            ),
            (
                &["go ponder infinite depth 9", "ponderhit", "stop"],
                &["Go infinite ponder depth 9", "PonderHit", "Stop"],
            ),
            (
                &["go ponder depth 9", "ponderhit", "stop"],
                &["Go ponder depth 9", "PonderHit"],
            ),
            (&["go wtime 1000", "stop"], &["Go white 1s+0ns"]),
            (
                &["go btime 1000", "stop"],
                &["Go white 0ns+0ns black 1s+0ns"],
            ),
            (&["go mate 3", "stop"], &["Go mate 3"]),
        ] {
            assert_eq!(commands(&mut script(lines)), expected, "{lines:?}");
        }
    }

    #[test]
    fn a_line_waits_for_the_answer_to_a_question() {
        let answers = [Event::Pong(1), Event::BookMoves(None)];
        for (question, answer) in ["isready", "book"].into_iter().zip(answers) {
            let mut script = script(&[question, "ucinewgame"]);
            assert_eq!(commands(&mut script).len(), 1, "{question}");
            script.0.hear(&answer);
            assert_eq!(commands(&mut script), ["NewGame", "Quit"], "{question}");
        }
    }
}
