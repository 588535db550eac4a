//! What is fuzzed: everything that comes from outside, each kind by one function that takes any
//! bytes and panics if a promise is broken.
//!
//! Two drivers share these functions: libFuzzer looks for new inputs (`tests/fuzz/run`, on the
//! nightly toolchain), and a test replays the known ones, with some changes (`tests/fuzz/replay.rs`,
//! on the stable one).

mod book;
pub mod corpus;
mod epd;
mod games;
mod network;
mod options;
mod san;
mod session;
mod tables;
mod texts;

/// One kind of input.
pub struct Target {
    /// Its name, and that of its corpus.
    pub name: &'static str,
    run: fn(&[u8]),
    seeds: fn() -> Vec<Vec<u8>>,
}

/// Every kind of input.
pub const TARGETS: [Target; 11] = [
    Target {
        name: "fen",
        run: texts::fen,
        seeds: texts::fen_seeds,
    },
    Target {
        name: "epd",
        run: epd::run,
        seeds: epd::seeds,
    },
    Target {
        name: "san",
        run: san::run,
        seeds: san::seeds,
    },
    Target {
        name: "pgn",
        run: texts::pgn,
        seeds: texts::pgn_seeds,
    },
    Target {
        name: "uci",
        run: session::uci,
        seeds: session::uci_seeds,
    },
    Target {
        name: "cecp",
        run: session::cecp,
        seeds: session::cecp_seeds,
    },
    Target {
        name: "options",
        run: options::run,
        seeds: options::seeds,
    },
    Target {
        name: "book",
        run: book::run,
        seeds: book::seeds,
    },
    Target {
        name: "network",
        run: network::run,
        seeds: network::seeds,
    },
    Target {
        name: "games",
        run: games::run,
        seeds: games::seeds,
    },
    Target {
        name: "tables",
        run: tables::run,
        seeds: tables::seeds,
    },
];

impl Target {
    /// The target of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Gives it an input.
    ///
    /// # Panics
    ///
    /// If a promise is broken.
    pub fn run(&self, bytes: &[u8]) {
        (self.run)(bytes);
    }

    /// The inputs that fuzzing begins with, made from the contents of this repository.
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        (self.seeds)()
    }
}

/// Gives the target of this name an input.
///
/// # Panics
///
/// If there is no such target, or a promise is broken.
pub fn run(name: &str, bytes: &[u8]) {
    let target = Target::named(name).unwrap_or_else(|| panic!("no target {name}"));
    target.run(bytes);
}

/// Positions with a bit of everything: castling of both kinds, en passant, promotions, checks, ends
/// of games.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 99 5899",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "3k4/8/8/q7/8/8/8/R3K2R w KQ - 5 40",
];

/// Bytes as text; what is not UTF-8 is replaced.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Texts as inputs.
fn inputs<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Vec<Vec<u8>> {
    let texts = texts.into_iter();
    texts
        .map(|text| text.as_ref().as_bytes().to_vec())
        .collect()
}
