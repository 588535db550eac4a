//! Which protocol is spoken: the first line that belongs to one decides.

use clap::ValueEnum;

use crate::prompt::Request;

/// A chess protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// Universal Chess Interface
    Uci,
    /// Chess Engine Communication Protocol, of XBoard and WinBoard
    #[value(alias = "xboard", alias = "winboard")]
    Cecp,
}

/// The protocol to which a line belongs, if it belongs to just one.
pub(crate) fn recognise(line: &str) -> Option<Protocol> {
    if line.trim_start().starts_with('#') || Request::parse(line).is_some() {
        None
    } else if orthrus_cecp::recognises(line) {
        Some(Protocol::Cecp)
    } else {
        orthrus_uci::recognises(line).then_some(Protocol::Uci)
    }
}

/// Whether a line has a meaning in UCI, or for people.
pub(crate) fn is_for_uci(line: &str) -> bool {
    recognise(line) == Some(Protocol::Uci) || Request::parse(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_uci_decides() {
        for line in [
            "uci",
            "  uci\t",
            "joho uci",
            "debug on",
            "isready",
            "setoption name Hash value 1",
            "register later",
            "ucinewgame",
            "position startpos",
            "go depth 3",
            "stop",
            "ponderhit",
            "flip",
            "book",
        ] {
            assert_eq!(recognise(line), Some(Protocol::Uci), "{line}");
        }
    }

    #[test]
    fn cecp_is_recognised_in_both_versions() {
        for line in [
            "xboard",
            "protover 2",
            "ping 1",
            "new",
            "force",
            "level 40 5 0",
            "setboard 8/8/8/8/8/8/8/K1k5 w - - 0 1",
            "usermove e2e4",
            "post",
            "analyze",
            "new uci",
            // What a user of cutechess has it send at first.
            "memory 64",
            "cores 2",
            "egtpath syzygy /tables",
            "option MultiPV=3",
            "easy",
        ] {
            assert_eq!(recognise(line), Some(Protocol::Cecp), "{line}");
        }
    }

    #[test]
    fn nothing_else_decides() {
        for line in [
            "",
            "   ",
            "init string",
            "UCI",
            "uciuci",
            "\u{fffd}\u{fffd}",
            "# talk uci",
            "quit",
            "quit?",
            "book a flight",
            "option MultiPV",
            "flip it",
            // Words for people, in either protocol's words.
            "d",
            "perft 3",
            "go perft 3",
            "bench uci",
            "help new",
        ] {
            assert_eq!(recognise(line), None, "{line:?}");
        }
    }

    #[test]
    fn what_people_type_is_for_uci_too() {
        assert!(is_for_uci("go depth 3") && is_for_uci("go perft 3") && is_for_uci("d"));
        assert!(!is_for_uci("xboard") && !is_for_uci("castle"));
    }
}
