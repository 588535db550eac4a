//! Openings for self-play on many machines, as the workers of OpenBench ask for them: started with
//! the argument `genfens N seed S book B`, the engine prints `N` positions, a line each:
//! `info string genfens FEN`.

use std::io::Write;
use std::path::Path;

use fastrand::Rng;
use orthrus_core::evaluation::{CpuLevel, Evaluation};
use orthrus_core::fen;
use orthrus_core::position::Position;
use orthrus_core::search::{Limits, Searcher, on_search_stack};

use crate::failure::Failure;
use crate::text::fen;
use crate::tools::files;

// Other programs' data begin with these openings. They are drawn like those of our own self-play
// (`orthrus-trainer`, `selfplay::opening`), but checked more closely, since the players may be
// stronger than a few hundred nodes.

/// Random plies from the start position: this many or one more.
const PLIES: usize = 8;
/// The same from a position of a book, which is past the first moves.
const PLIES_FROM_BOOK: usize = 4;
/// Nodes of the search that checks whether a position is balanced.
const VERIFICATION_NODES: u64 = 10_000;
/// A position is balanced if neither side is ahead by more than this, in centipawns.
const MAX_SCORE: i32 = 300;
/// After this many failed attempts in a row the next ones are taken to fail too.
const MAX_ATTEMPTS: usize = 1_000;
/// Hash table of that search in MiB.
const HASH: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Genfens {
    count: usize,
    seed: u64,
    /// A file of FEN or EPD lines to begin from.
    book: Option<String>,
}

impl Genfens {
    /// Reads `N seed S book B`; what follows is meant for other engines.
    pub(crate) fn parse(words: &[String]) -> Result<Self, Failure> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let refusal = || Failure::Genfens(words.join(" "));
        let [count, "seed", seed, "book", book, ..] = words[..] else {
            return Err(refusal());
        };
        let number = |word: &str| word.parse::<u64>().map_err(|_| refusal());
        Ok(Self {
            count: number(count)? as usize,
            seed: number(seed)?,
            book: (book != "None").then(|| book.to_owned()),
        })
    }

    /// Writes the positions to `output`, each as soon as it is found.
    pub(crate) fn run(
        &self,
        level: CpuLevel,
        output: &mut (impl Write + Send),
    ) -> Result<(), Failure> {
        let starts = self.starts()?;
        let searcher = Searcher::new(HASH, Evaluation::standard(level))?;
        on_search_stack(|| self.write(&starts, searcher, output)).map_err(Failure::Thread)?
    }

    /// The positions of the book that are not the end of a game, or the initial one.
    fn starts(&self) -> Result<Vec<Position>, Failure> {
        let Some(book) = &self.book else {
            return Ok(vec![Position::startpos()]);
        };
        let mut starts = Vec::new();
        for line in files::lines(Path::new(book))? {
            starts.extend(position_of(&line?).filter(|it| it.outcome().is_none()));
        }
        if starts.is_empty() {
            return Err(Failure::EmptyBook(book.clone()));
        }
        Ok(starts)
    }

    fn write(
        &self,
        starts: &[Position],
        mut searcher: Searcher,
        output: &mut impl Write,
    ) -> Result<(), Failure> {
        let mut random = Rng::with_seed(self.seed);
        for _ in 0..self.count {
            let position = self.random_opening(starts, &mut random, &mut searcher)?;
            writeln!(output, "info string genfens {}", fen(&position))?;
            output.flush()?;
        }
        Ok(())
    }

    /// Draws random openings until one is balanced.
    fn random_opening(
        &self,
        starts: &[Position],
        random: &mut Rng,
        searcher: &mut Searcher,
    ) -> Result<Position, Failure> {
        let plies = if self.book.is_some() {
            PLIES_FROM_BOOK
        } else {
            PLIES
        };
        for _ in 0..MAX_ATTEMPTS {
            let start = random.choice(starts);
            if let Some(position) = start.and_then(|start| random_moves(start, plies, random))
                && is_balanced(&position, searcher)
            {
                return Ok(position);
            }
        }
        let origin = match &self.book {
            Some(book) => format!("the book {book}"),
            None => "the initial position".to_owned(),
        };
        Err(Failure::NoOpening {
            attempts: MAX_ATTEMPTS,
            origin,
        })
    }
}

/// The position of a line of a book: the first four fields of an EPD or a complete FEN.
fn position_of(line: &str) -> Option<Position> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    fen::parse(line)
        .or_else(|_| fen::parse(&fields.join(" ")))
        .ok()
}

/// The position after this many random moves, or one more; `None` if the game is over then.
fn random_moves(start: &Position, plies: usize, random: &mut Rng) -> Option<Position> {
    let mut position = start.clone();
    for _ in 0..random.usize(plies..=plies + 1) {
        let mv = random.choice(position.legal_moves().iter().copied())?;
        position.make_move(mv);
    }
    position.outcome().is_none().then_some(position)
}

fn is_balanced(position: &Position, searcher: &mut Searcher) -> bool {
    searcher.new_game();
    let limits = Limits::nodes(VERIFICATION_NODES);
    let score = searcher.search(position, &limits).score;
    score.value().abs() <= MAX_SCORE
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn request(text: &str) -> Result<Genfens, Failure> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        Genfens::parse(&words)
    }

    fn lines(text: &str) -> Vec<String> {
        let mut output = Vec::new();
        request(text)
            .unwrap()
            .run(CpuLevel::detect(), &mut output)
            .unwrap();
        let text = String::from_utf8(output).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_seed_gives_the_same_valid_positions_again() {
        let first = lines("5 seed 7 book None");
        assert_eq!(first.len(), 5);
        for line in &first {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(fen::parse(fen).is_ok(), "{line}");
        }
        assert_eq!(first, lines("5 seed 7 book None extra words"));
        assert_ne!(first, lines("5 seed 8 book None"));
    }

    #[test]
    fn what_no_worker_sends_is_refused() {
        for text in ["1", "x seed 1 book None", "1 seed -1 book None", "1 seed 1"] {
            let error = request(text).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
        let missing = request("1 seed 1 book no/such.epd").unwrap();
        let error = missing.run(CpuLevel::detect(), &mut Vec::new());
        assert!(matches!(error, Err(Failure::Read { .. })));
    }

    #[test]
    fn a_book_of_no_use_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let book = file.path().to_str().unwrap();
        let refusal = |positions: &str| {
            fs::write(&file, positions).unwrap();
            let request = request(&format!("1 seed 1 book {book}")).unwrap();
            let refused = request.run(CpuLevel::detect(), &mut Vec::new());
            refused.unwrap_err().to_string()
        };
        let finished = refusal("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(
            finished,
            format!("no position to begin from in the book {book}")
        );
        // The queen is taken, and neither side can mate.
        let hopeless = refusal("k7/1Q6/8/8/8/8/8/7K b - - 0 1");
        assert!(hopeless.starts_with("1000 openings"), "{hopeless}");
        assert!(hopeless.contains(book), "{hopeless}");
    }

    #[test]
    fn a_line_of_a_book_is_an_epd_or_a_fen() {
        let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\"; hmvc 0;";
        assert!(position_of(epd).is_some());
        assert!(position_of("4k3/8/8/8/8/8/8/4K2R w K - 12 40").is_some());
        assert!(position_of("# no position").is_none());
    }
}
