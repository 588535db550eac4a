//! The command line.

mod position;
mod search;

use std::env;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedI64ValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum, value_parser};
use orthrus_core::bench::{self, DEFAULT_DEPTH};
use orthrus_core::book::Weighting;
use orthrus_core::engine::experience::DEFAULT_FILE;
use orthrus_core::engine::options::OptionChange;
use orthrus_core::perft;
use orthrus_core::search::Clock;
use thiserror::Error;

use self::position::{GameArgs, PositionArgs};
pub(crate) use self::search::SearchArgs;
use self::search::option;
use crate::detect::{Protocol, is_for_uci};
use crate::option_text;

/// Shown below the help, and in the manual.
pub(crate) const EXAMPLES: &str = "\
Chess programs start orthrus without arguments; its first line of input decides the protocol:
  uci for UCI, xboard for CECP (XBoard, WinBoard).

By hand:
  orthrus                        then type: position startpos, go depth 10, d, help, quit
  orthrus uci \"go depth 10\"      one or several lines of UCI, answered one after the other
  orthrus bench                  the signature of this version, and its speed
  orthrus perft 6 --divide       count move paths, split by the first move
  orthrus analyse --fen \"...\"    a position, for people: a board, lines, live; Ctrl-C ends it
  orthrus annotate game.pgn -o game.html   a game as a page with board, graph and better lines
  orthrus play --elo 1500        a game in the terminal
  orthrus epd wac.epd            how many positions of a test suite are solved
  orthrus book make a.pgn b.bin  an opening book from games; book show b.bin shows what is in it
  orthrus --log-file game.log    keep a transcript: the best attachment to a bug report

Environment:
  ORTHRUS_LOG=debug              log to standard error (error, warn, info, debug, trace)
  ORTHRUS_CPU=scalar             compute with a lower instruction set (scalar, avx2, avx512, neon)";

const ANALYSE_EXAMPLES: &str = "\
Scores are from White's side, in pawns; #3 is mate in three, #-3 a mate by Black, +TB a win by
endgame tables.
Without a limit the analysis goes on until Ctrl-C, which gives the result so far.

Examples:
  orthrus analyse --moves e4 c5 Nf3 --multipv 3
  orthrus analyse --fen \"8/8/4k3/8/8/3QK3/8/8 w - - 0 1\" --depth 20
  orthrus analyse --movetime 5000 --threads 4 --hash 256 --json";

const ANNOTATE_EXAMPLES: &str = "\
A move that loses 5, 10 or 15 percent of winning chances is an inaccuracy ?!, a mistake ? or a
blunder ??, and is given the better line as a variation. Chances and accuracy are those of
https://lichess.org/page/accuracy. Scores are from White's side. Without a limit each position is
given 200 milliseconds. Ctrl-C writes what was analysed so far.

Examples:
  orthrus annotate game.pgn > annotated.pgn
  orthrus annotate game.pgn --nodes 200000 -o game.html
  orthrus annotate games.pgn --depth 12 --json | jq .white.accuracy
  orthrus annotate 2024.pgn 2025.pgn --player Smith -o mistakes.epd    to be solved again later";

const PLAY_EXAMPLES: &str = "\
Without a limit and without a clock the engine thinks one second a move.

Examples:
  orthrus play --elo 1500
  orthrus play --side black --clock 10+5 --pgn games.pgn --name \"A. Player\"";

const EPD_EXAMPLES: &str = "\
A position is solved if the move found is one of bm and none of am; with dm N, if a mate in at most
N moves is proven. Points are those of the Strategic Test Suite (c0 \"f5=10, Be5+=2\").
Scores are from the side to move. Without a limit each position is given one second. Ctrl-C ends
with the totals so far.

Examples:
  orthrus epd wac.epd --nodes 20000
  orthrus epd sts.epd --movetime 200 --threads 4 --hash 128 --json > sts.jsonl";

const BOOK_EXAMPLES: &str = "\
Examples:
  orthrus book make games.pgn book.bin --min-games 5 --max-plies 24
  orthrus book show games.pgn --moves e4 c5 --player Smith      what was played there, and how it went
  orthrus book show book.bin --fen \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"
  orthrus uci \"setoption name Book File value book.bin\" \"setoption name OwnBook value true\" \"go movetime 1000\"";

/// Orthrus, a chess engine with two heads: it speaks UCI and CECP (XBoard).
#[derive(Debug, Parser)]
#[command(name = "orthrus", version, about, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Speak this protocol from the start instead of detecting it
    #[arg(long, value_enum, ignore_case = true)]
    pub(crate) protocol: Option<Protocol>,

    /// Append every line in and out, with times, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log_file: Option<PathBuf>,

    /// What to do instead of playing
    #[command(subcommand)]
    pub(crate) tool: Option<Tool>,
}

/// What a person or a test framework runs instead of a game.
#[derive(Debug, Subcommand)]
pub(crate) enum Tool {
    /// Speak UCI; or send these lines of it, each after the answer to the one before, and quit
    Uci {
        /// One line each: "position startpos" "go depth 10"
        lines: Vec<String>,
    },
    /// Speak CECP, the protocol of `XBoard` and `WinBoard`
    #[command(
        about = "Speak CECP, the protocol of XBoard and WinBoard",
        aliases = ["cecp", "winboard"]
    )]
    Xboard,
    /// Search a fixed set of positions; the node count is the signature of this version
    Bench {
        #[arg(value_parser = depth_in(bench::DEPTHS), help = bench_help())]
        depth: Option<u32>,
        #[command(flatten)]
        game: GameArgs,
    },
    /// Count the sequences of legal moves of a given length
    Perft {
        #[arg(value_parser = depth_in(perft::DEPTHS), help = perft_help())]
        depth: u32,
        #[command(flatten)]
        position: PositionArgs,
        /// Show the count of each first move
        #[arg(long)]
        divide: bool,
    },
    /// Analyse a position until Ctrl-C or a limit: a board, and the best lines as they are found
    #[command(visible_alias = "analyze", after_help = ANALYSE_EXAMPLES)]
    Analyse(AnalyseArgs),
    /// Annotate games: evaluations, better lines, marks, accuracy; as PGN, JSON or a web page
    #[command(after_help = ANNOTATE_EXAMPLES)]
    Annotate(AnnotateArgs),
    /// Play a game in the terminal: moves as in a book, levels, take-back, a clock, PGN at the end
    #[command(after_help = PLAY_EXAMPLES)]
    Play(PlayArgs),
    /// Solve the positions of test suites (EPD: bm, am, dm, and points in c0)
    #[command(after_help = EPD_EXAMPLES)]
    Epd(EpdArgs),
    /// Make opening books (Polyglot format) from games, and show what is in them
    #[command(subcommand, after_help = BOOK_EXAMPLES)]
    Book(BookTool),
    /// What the workers of `OpenBench` ask for.
    #[command(
        about = "Print random balanced openings for OpenBench: genfens N seed S book FILE|None"
    )]
    Genfens {
        /// N seed S book FILE|None, and words for other engines
        #[arg(required = true, trailing_var_arg = true)]
        words: Vec<String>,
    },
    /// Show or merge what games have taught (the options Experience and Experience File)
    #[command(subcommand)]
    Experience(ExperienceTool),
    /// List the options that chess programs can set, as a table in Markdown
    Options,
    /// Print the version
    Version,
    /// Say on which terms the program may be used and passed on
    #[command(alias = "licence")]
    License,
    /// Print a file that is installed with the program: the manual page, completions for a shell, or
    /// the entry in XBoard's list of engines
    Companion {
        /// Which file
        file: Companion,
    },
}

impl Args {
    /// The command line as given, but with a first argument of several words split, which a test
    /// framework means as a command: `orthrus "genfens 5 seed 1 book None" quit`.
    pub(crate) fn from_command_line() -> Self {
        let mut arguments: Vec<OsString> = env::args_os().collect();
        let first = arguments.get(1).and_then(|first| first.to_str());
        if let Some(genfens) = first.filter(|first| first.starts_with("genfens ")) {
            let words: Vec<_> = genfens.split_whitespace().map(OsString::from).collect();
            arguments.splice(1..=1, words);
        }
        Self::read(&arguments).unwrap_or_else(|error| error.exit())
    }

    /// The command line with these words, the first of which names the program.
    fn read(words: &[OsString]) -> Result<Self, clap::Error> {
        let mut plain = words.to_vec();
        if let Some(first) = plain.get_mut(1) {
            take_dashes(first);
        }
        let args = Self::try_parse_from(plain).map_err(|error| with_hint(error, words))?;
        let is_conversation = matches!(args.tool, None | Some(Tool::Uci { .. } | Tool::Xboard));
        let conflict = if args.log_file.is_some() && !is_conversation {
            "--log-file keeps conversations, and a tool has none"
        } else if args.protocol.is_some() && args.tool.is_some() {
            "--protocol is for a conversation that no command begins"
        } else {
            return Ok(args);
        };
        Err(Self::command().error(ErrorKind::ArgumentConflict, conflict))
    }
}

/// Takes the dashes from `-uci`, `--xboard` and the like, as other engines are told their protocol.
fn take_dashes(word: &mut OsString) {
    const PLAIN: [&str; 7] = [
        "uci", "xboard", "winboard", "cecp", "version", "license", "licence",
    ];
    let plain = word.to_str().map(|text| text.trim_start_matches('-'));
    if let Some(found) = PLAIN.into_iter().find(|&known| plain == Some(known)) {
        *word = found.into();
    }
}

/// Tells whoever gives a word for people, or of UCI, in place of a tool, where it belongs.
fn with_hint(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let words: Vec<_> = words
        .iter()
        .skip(1)
        .map(|it| it.to_string_lossy())
        .collect();
    let line = words.join(" ");
    if error.kind() == ErrorKind::InvalidSubcommand && is_for_uci(&line) {
        let hint = format!("lines of UCI are arguments of uci: orthrus uci \"{line}\"");
        let hints = ContextValue::StyledStrs(vec![hint.into()]);
        error.insert(ContextKind::Suggested, hints);
    }
    error
}

/// The arguments of `orthrus play`.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White)]
    pub(crate) side: Side,

    #[arg(long, value_name = "ELO", value_parser = option("UCI_Elo"), help = "The strength of the engine; full if not given")]
    pub(crate) elo: Option<OptionChange>,

    /// A clock for both sides: minutes for the game, and seconds added after each move, such as 10+5
    #[arg(long, value_name = "MIN+SEC", value_parser = parse_clock)]
    pub(crate) clock: Option<Clock>,

    /// Add the game to this file when it is over
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Your name in the PGN
    #[arg(long, default_value = "?")]
    pub(crate) name: String,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// Whom a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// White
    White,
    /// Black
    Black,
    /// One of them by chance
    Random,
}

/// The arguments of `orthrus epd`.
#[derive(Debug, clap::Args)]
pub(crate) struct EpdArgs {
    /// The suites, one position per line; - for standard input
    #[arg(required = true, value_name = "SUITE")]
    pub(crate) suites: Vec<PathBuf>,

    /// Write JSON: one line with an object for each position, then one with the totals
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) game: GameArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// The arguments of `orthrus analyse`.
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    #[arg(long, value_name = "LINES", value_parser = option("MultiPV"), help = option_text::help("MultiPV"))]
    pub(crate) multipv: Option<OptionChange>,

    /// Write JSON: one line with an object each time something is found
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// The arguments of `orthrus annotate`.
#[derive(Debug, clap::Args)]
pub(crate) struct AnnotateArgs {
    /// The games (PGN), of one file or several; - for standard input
    #[arg(required = true, value_name = "GAMES")]
    pub(crate) files: Vec<PathBuf>,

    /// Write to this file; its extension may give the format; - for standard output, as without it
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What to write; without this, what the extension of FILE says, or PGN
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// EPD with the mistakes of this player only (with --format epd or FILE.epd); part of the name is
    /// enough
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,

    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// The format of annotated games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Games with evaluations, marks and better lines
    Pgn,
    /// One line with an object for each game
    Json,
    /// One self-contained page for a browser, with board and graph
    Html,
    /// The positions of marked moves with the better move, for orthrus epd
    Epd,
}

/// A file that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Companion {
    /// The manual page, for section 6
    Man,
    /// Completions for bash
    Bash,
    /// Completions for zsh
    Zsh,
    /// Completions for fish
    Fish,
    /// Completions for `PowerShell`
    #[value(help = "Completions for PowerShell")]
    Powershell,
    /// The file by which `XBoard` finds the program.
    #[value(help = "The file by which XBoard finds the program, games/plugins/xboard/orthrus.eng")]
    Eng,
}

/// What to do with an opening book.
#[derive(Debug, Subcommand)]
pub(crate) enum BookTool {
    /// Make a book from games
    Make(MakeArgs),
    /// Show what a book has for a position, or what was played there in games
    Show(ShowArgs),
}

/// `orthrus book make`
#[derive(Debug, clap::Args)]
pub(crate) struct MakeArgs {
    /// The games (PGN); - for standard input
    #[arg(value_name = "GAMES")]
    pub(crate) games: PathBuf,
    /// The book to write; an existing one is replaced when the new one is complete
    #[arg(value_name = "BOOK")]
    pub(crate) book: PathBuf,
    /// Leave out moves that occur in fewer games
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u64).range(1..=u64::MAX))]
    pub(crate) min_games: u64,
    /// Take only the first N plies of each game
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_plies: u32,
    /// What the weight of a move counts
    #[arg(long, value_enum, default_value_t = WeightBy::Results)]
    pub(crate) weight: WeightBy,
    /// Report what was done in JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `orthrus book show`
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The book (Polyglot format), or games (*.pgn; - for standard input) to count their moves
    #[arg(value_name = "BOOK")]
    pub(crate) book: PathBuf,
    #[command(flatten)]
    pub(crate) position: PositionArgs,
    /// Of games, only those of this player; part of the name is enough
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the weight of a move counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightBy {
    /// Two for each game its side won, one for each draw
    Results,
    /// The number of games
    Games,
}

impl From<WeightBy> for Weighting {
    fn from(by: WeightBy) -> Self {
        match by {
            WeightBy::Results => Self::Results,
            WeightBy::Games => Self::Games,
        }
    }
}
/// What can be done with a file of experience.
#[derive(Debug, Subcommand)]
pub(crate) enum ExperienceTool {
    /// Show how much a file holds, and what it knows of a position
    Show {
        #[arg(help = format!("The file; {DEFAULT_FILE} in the current folder if not given"))]
        file: Option<PathBuf>,
        /// The same as FILE
        #[arg(long = "file", value_name = "FILE", conflicts_with = "file")]
        named: Option<PathBuf>,
        #[command(flatten)]
        position: PositionArgs,
        /// Write one line of JSON
        #[arg(long)]
        json: bool,
    },
    /// Add what other files hold to a file, which is created if missing
    Merge {
        /// The file to add to
        into: PathBuf,
        /// The files to read
        #[arg(required = true)]
        from: Vec<PathBuf>,
    },
}

fn bench_help() -> String {
    let (min, max) = bench::DEPTHS.into_inner();
    format!("Depth of each search in plies, {min} to {max}; {DEFAULT_DEPTH} if not given")
}

fn perft_help() -> String {
    let (min, max) = perft::DEPTHS.into_inner();
    format!("Length in plies, {min} to {max}")
}

/// Reads a depth in this range.
fn depth_in(range: RangeInclusive<u32>) -> RangedI64ValueParser<u32> {
    let (min, max) = range.into_inner();
    value_parser!(u32).range(i64::from(min)..=i64::from(max))
}

/// Why a text is no clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a clock is minutes and seconds, such as 10+5 or 0.5+0, and at most a day")]
struct ClockError;

fn parse_clock(text: &str) -> Result<Clock, ClockError> {
    let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
    let time = |text: &str, unit: f64| {
        let seconds = unit * text.parse::<f64>().map_err(|_| ClockError)?;
        let is_sound = (0.0..=86_400.0).contains(&seconds);
        is_sound
            .then(|| Duration::from_secs_f64(seconds))
            .ok_or(ClockError)
    };
    let (remaining, increment) = (time(minutes, 60.0)?, time(seconds, 1.0)?);
    let clock = Clock {
        remaining,
        increment,
    };
    (!remaining.is_zero()).then_some(clock).ok_or(ClockError)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &[&str]) -> ErrorKind {
        Args::try_parse_from(line)
            .map(|args| format!("{args:?}"))
            .unwrap_err()
            .kind()
    }

    #[test]
    fn the_definition_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn no_arguments_means_play() {
        let args = Args::try_parse_from(["orthrus"]).unwrap();
        assert!(args.tool.is_none() && args.protocol.is_none() && args.log_file.is_none());
    }

    #[test]
    fn a_protocol_can_be_forced() {
        for name in ["cecp", "xboard", "winboard"] {
            let args = Args::try_parse_from(["orthrus", "--protocol", name]).unwrap();
            assert_eq!(args.protocol, Some(Protocol::Cecp));
        }
    }

    #[test]
    fn the_name_of_a_protocol_selects_it() {
        for line in [
            &["orthrus", "xboard"][..],
            &["orthrus", "-xboard"],
            &["orthrus", "--xboard"],
            &["orthrus", "winboard"],
            &["orthrus", "--log-file", "x", "xboard"],
        ] {
            assert!(
                matches!(read(line).unwrap().tool, Some(Tool::Xboard)),
                "{line:?}"
            );
        }
        for word in ["uci", "-uci", "--uci"] {
            let args = read(&["orthrus", word]).unwrap();
            assert!(
                matches!(&args.tool, Some(Tool::Uci { lines }) if lines.is_empty()),
                "{word}"
            );
        }
        for (name, protocol) in [("UCI", Protocol::Uci), ("XBoard", Protocol::Cecp)] {
            let args = read(&["orthrus", "--protocol", name]).unwrap();
            assert_eq!(args.protocol, Some(protocol), "{name}");
        }
    }

    #[test]
    fn perft_takes_a_position() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let args = Args::try_parse_from(["orthrus", "perft", "3", "--fen", fen]).unwrap();
        let Some(Tool::Perft {
            depth: 3,
            position,
            divide: false,
        }) = args.tool
        else {
            panic!("not understood: {args:?}");
        };
        assert_eq!(position.game().unwrap().position().occupied().count(), 3);
    }

    fn read(line: &[&str]) -> Result<Args, clap::Error> {
        let words: Vec<OsString> = line.iter().map(OsString::from).collect();
        Args::read(&words)
    }

    #[test]
    fn words_of_uci_are_told_where_they_belong() {
        for (line, hint) in [
            (&["orthrus", "go", "perft", "5"][..], "uci \"go perft 5\""),
            (&["orthrus", "go depth 1"], "uci \"go depth 1\""),
            (&["orthrus", "d"], "uci \"d\""),
        ] {
            let refusal = read(line).unwrap_err().to_string();
            assert!(refusal.contains(hint), "{refusal}");
        }
        let refusal = read(&["orthrus", "castle"]).unwrap_err().to_string();
        assert!(!refusal.contains("UCI"), "{refusal}");
    }

    #[test]
    fn only_a_conversation_is_logged() {
        assert!(read(&["orthrus", "--log-file", "x"]).is_ok());
        assert!(read(&["orthrus", "--log-file", "x", "uci", "isready"]).is_ok());
        let refusal = read(&["orthrus", "--log-file", "x", "bench", "1"]).unwrap_err();
        let expected = "--log-file keeps conversations, and a tool has none";
        assert!(refusal.to_string().contains(expected), "{refusal}");
    }

    #[test]
    fn only_a_conversation_that_no_command_begins_is_told_its_protocol() {
        assert!(read(&["orthrus", "--protocol", "cecp"]).is_ok());
        for tool in [&["bench", "1"][..], &["uci"], &["xboard"]] {
            let line = [&["orthrus", "--protocol", "uci"], tool].concat();
            let refusal = read(&line).unwrap_err().to_string();
            assert!(refusal.contains("--protocol is for"), "{refusal}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            &["orthrus", "perft"][..],
            &["orthrus", "perft", "-1"],
            &["orthrus", "perft", "99"],
            &["orthrus", "bench", "0"],
            &["orthrus", "--protocol", "morse"],
            &["orthrus", "castle"],
        ] {
            let kind = refusal(line);
            assert!(
                !matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion),
                "{line:?}: {kind:?}"
            );
        }
    }
}
