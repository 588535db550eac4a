//! A game that is being read.

use orthrus_core::fen::{self, FenError};
use orthrus_core::notation::{MoveError, parse_coordinate, parse_move};
use orthrus_core::position::{Position, Setup, Variant};
use orthrus_core::types::{CastlingRights, CastlingRule};

use crate::error::quote;
use crate::{Fault, GameResult, Line, MoveNode, Nag, PgnGame, Tags};

/// Deepest nesting of variations that is kept.
const MAX_DEPTH: usize = 64;

/// Most moves and variations of a game.
const MAX_MOVES: usize = 1 << 18;

/// Most bytes of comments and tags of a game.
const MAX_TEXT: usize = 16 << 20;

/// Most tags of a game; further ones are left out, with a warning.
const MAX_TAGS: usize = 256;

/// How broadcasts write a game that both sides have lost.
const DOUBLE_FORFEIT: &str = "0-0";

/// How programs write a null move.
const NULL_MOVES: &[&str] = &["--", "Z0", "@@@@", "0000"];

/// Remarks that consist of letters, as moves do.
const REMARKS: &[&str] = &["ep", "ch", "dbl", "dis", "mate"];

/// Further names that programs have for chess and Chess960, reduced to letters and digits.
#[rustfmt::skip]
const CHESS: &[&str] = &[
    "", "chess", "classical", "standardchess", "fromposition",
    "chess960fischerandom", "fischerandom", "fischerrandom", "fischerrandomchess", "frc",
    "freestyle", "freestylechess", "wildfr",
];

/// A game that is being read.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    tags: Tags,
    main: OpenLine,
    /// Those that are open, outermost first.
    variations: Vec<OpenLine>,
    /// Set when the tags are complete.
    board: Option<Board>,
    /// How many brackets are open in a skipped variation.
    skipped_depth: usize,
    moves: usize,
    text: usize,
    /// Whether both sides have lost, as the tag says by `0-0`.
    is_forfeited: bool,
}

/// A line that is being read.
#[derive(Debug, Default)]
struct OpenLine {
    line: Line,
    /// What has ended it before its bracket, or before the end of the game.
    fault: Option<String>,
}

/// Where the game began, and the position after the last move read.
#[derive(Debug)]
struct Board {
    start: Position,
    current: Position,
}

impl Builder {
    /// Whether nothing that makes a game has been read.
    pub(crate) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves == 0
    }

    /// Whether a line that breaks off costs no more than its rest: a variation, or a main line of
    /// which moves have been read.
    pub(crate) fn outlives_its_line(&self) -> bool {
        self.moves > 0
    }

    /// Ends the game where it cannot be read on.
    pub(crate) fn break_off(&mut self, fault: &Fault) {
        self.main.fault.get_or_insert_with(|| fault.to_string());
    }

    /// Whether a variation is open.
    pub(crate) fn in_variation(&self) -> bool {
        !self.variations.is_empty() || self.skipped_depth > 0
    }

    /// Whether this word ends the game, in which both sides have lost: without the tag it is castling.
    pub(crate) fn is_double_forfeit(&self, word: &str) -> bool {
        self.is_forfeited && word == DOUBLE_FORFEIT && !self.in_variation()
    }

    /// Whether a tag of this name belongs to the next game.
    pub(crate) fn is_over_before(&self, tag: &str) -> bool {
        let has_begun = self.moves > 0 || self.board.is_some();
        !self.is_empty() && (has_begun || (tag == "Event" && self.tags.get(tag).is_some()))
    }

    pub(crate) fn tag(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if self.is_empty() {
            // Brackets before the first tag belong to no game.
            (self.board, self.skipped_depth) = (None, 0);
        }
        self.count_text(name.len() + value.len())?;
        self.is_forfeited |= name == "Result" && value.trim() == DOUBLE_FORFEIT;
        let known = self.tags.get(name);
        let is_no_result =
            name == "Result" && result_of(value).is_none() && !matches!(value.trim(), "" | "?");
        if is_no_result || known.is_some_and(|known| known != value) || self.tags.len() >= MAX_TAGS
        {
            return Err(Fault::tag_left_out(name, value));
        }
        self.tags.set(name, value);
        Ok(())
    }

    /// The tags are complete: sets up the board, unless that is done.
    pub(crate) fn begin(&mut self) -> Result<(), Fault> {
        self.board().map(|_| ())
    }

    fn board(&mut self) -> Result<&mut Board, Fault> {
        let board = match self.board.take() {
            Some(board) => board,
            None => Board::new(&mut self.tags)?,
        };
        Ok(self.board.insert(board))
    }

    /// A move, a number or a remark.
    pub(crate) fn symbol(&mut self, text: &str) -> Result<(), Fault> {
        if let Some(nag) = Nag::from_sign(text) {
            return self.nag(nag);
        }
        let is_number =
            text.bytes().all(|byte| byte.is_ascii_digit()) && !NULL_MOVES.contains(&text);
        // A check sign, or one letter of a remark: no move is that short.
        let is_check = text.bytes().all(|byte| matches!(byte, b'+' | b'#'));
        let is_letter = text.len() == 1;
        if is_number || is_check || is_letter || REMARKS.contains(&text) {
            return Ok(());
        }
        if is_sign(text) {
            return Err(Fault::LeftOut(quote(text)));
        }
        let (text, judgement) = without_judgement(text);
        let is_passed_over = self.skipped_depth > 0 || self.innermost().fault.is_some();
        let board = self.board()?;
        if is_passed_over {
            return Ok(());
        }
        match board.play(text) {
            Ok(mut node) => {
                node.nags.extend(judgement);
                self.innermost().line.moves.push(node);
                self.count_move()
            }
            Err(fault) => {
                self.innermost().fault = Some(fault.to_string());
                Err(fault)
            }
        }
    }

    /// Begins a variation.
    pub(crate) fn open(&mut self) -> Result<(), Fault> {
        self.begin()?;
        let innermost = self.innermost();
        let is_cut = innermost.fault.is_some();
        let varies = !innermost.line.moves.is_empty();
        let fault = if self.skipped_depth > 0 || is_cut {
            None
        } else if !varies {
            Some(Fault::NothingToVary)
        } else if self.variations.len() >= MAX_DEPTH {
            Some(Fault::TooDeep(MAX_DEPTH))
        } else {
            self.board()?.current.unmake_move();
            self.variations.push(OpenLine::default());
            return self.count_move();
        };
        self.skipped_depth += 1;
        fault.map_or(Ok(()), Err)
    }

    /// Ends a variation; a surplus bracket is ignored.
    pub(crate) fn close(&mut self) {
        if self.skipped_depth > 0 {
            self.skipped_depth -= 1;
            return;
        }
        let Some(OpenLine { line, .. }) = self.variations.pop() else {
            return;
        };
        let Some(mut board) = self.board.take() else {
            return;
        };
        for _ in &line.moves {
            board.current.unmake_move();
        }
        if let Some(varied) = self.innermost().line.moves.last_mut() {
            if !line.moves.is_empty() || !line.comment.is_empty() {
                varied.variations.push(line);
            }
            varied.play(&mut board.current);
            self.board = Some(board);
        }
    }

    pub(crate) fn nag(&mut self, nag: Nag) -> Result<(), Fault> {
        if self.skipped_depth > 0 || self.innermost().fault.is_some() {
            return Ok(());
        }
        let Some(node) = self.innermost().line.moves.last_mut() else {
            return Err(Fault::LeftOut(format!("{nag} before the first move")));
        };
        if !node.nags.contains(&nag) {
            node.nags.push(nag);
        }
        Ok(())
    }

    /// Adds a comment to the last move, or to the line before its first.
    pub(crate) fn comment(&mut self, text: &str) -> Result<(), Fault> {
        self.count_text(text.len())?;
        if text.is_empty() || self.skipped_depth > 0 || self.innermost().fault.is_some() {
            return Ok(());
        }
        let comment = match self.innermost().line.moves.last_mut() {
            Some(node) => &mut node.comment,
            None => &mut self.innermost().line.comment,
        };
        if !comment.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
        Ok(())
    }

    /// Whether a comment was read. Without a game it belongs to none.
    pub(crate) fn has_comment(&mut self) -> bool {
        !self.innermost().line.comment.is_empty()
    }

    /// The game, with the result after its moves or else that of its tag.
    pub(crate) fn finish(mut self, result: Option<GameResult>) -> PgnGame {
        self.skipped_depth = 0;
        while !self.variations.is_empty() {
            self.close();
        }
        let tag = self.tags.remove("Result");
        // `*` does not contradict the tag.
        let result = result.filter(|result| *result != GameResult::Unknown);
        let result = result.or_else(|| result_of(&tag?));
        let start = self
            .board
            .map_or_else(Position::startpos, |board| board.start);
        PgnGame {
            tags: self.tags,
            start,
            result: result.unwrap_or_default(),
            main: self.main.line,
            broken_off: self.main.fault,
        }
    }

    /// The line that is being read.
    fn innermost(&mut self) -> &mut OpenLine {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    /// Counts a move or a variation, which takes as much memory.
    fn count_move(&mut self) -> Result<(), Fault> {
        self.moves += 1;
        if self.moves > MAX_MOVES {
            return Err(Fault::TooManyMoves(MAX_MOVES));
        }
        Ok(())
    }

    fn count_text(&mut self, bytes: usize) -> Result<(), Fault> {
        self.text += bytes;
        if self.text > MAX_TEXT {
            return Err(Fault::TooMuchText(MAX_TEXT));
        }
        Ok(())
    }
}

impl Board {
    /// The start position that the tags give; removes those tags.
    fn new(tags: &mut Tags) -> Result<Self, Fault> {
        let name = tags.get("Variant").unwrap_or_default();
        let (variant, castling) = variant(name).ok_or_else(|| Fault::Variant(quote(name)))?;
        tags.remove("SetUp");
        // Some programs give an empty one for the usual beginning.
        let text = tags.remove("FEN").filter(|text| !text.trim().is_empty());
        let text = text.unwrap_or_else(|| variant.start_fen().to_owned());
        let start = set_up(variant, castling, &text).map_err(|error| Fault::Fen {
            text: quote(&text),
            error,
        })?;
        Ok(Self {
            current: start.clone(),
            start,
        })
    }

    fn play(&mut self, text: &str) -> Result<MoveNode, Fault> {
        let bare = text.trim_end_matches(JUDGEMENT);
        // A remark right behind the move. The lexer leaves the `e` of `exd6e.p.` there.
        let mut remarks = REMARKS.iter().chain(&["e"]);
        let bare = remarks
            .find_map(|remark| bare.strip_suffix(remark))
            .unwrap_or(bare);
        let mv = if NULL_MOVES.contains(&text) {
            Ok(None)
        } else {
            // Coordinates with a hyphen, `g1-f3`.
            let bare_squares = || parse_coordinate(&self.current, &bare.replacen('-', "", 1));
            parse_move(&self.current, bare)
                .or_else(|error| bare_squares().map_err(|_| error))
                .map(Some)
        };
        let node = mv.map(MoveNode::new);
        let node = node.and_then(|node| {
            let is_legal = node.is_legal(&self.current);
            is_legal.then_some(node).ok_or(MoveError::Illegal)
        });
        let node = node.map_err(|error| Fault::Move {
            ply: self.current.plies() + 1,
            text: text.to_owned(),
            error,
        })?;
        node.play(&mut self.current);
        Ok(node)
    }
}

/// The result in a tag, where a remark may follow it: `1-0 ff`.
fn result_of(value: &str) -> Option<GameResult> {
    GameResult::from_text(value.split_whitespace().next()?)
}

/// How one castles in a game of chess by another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Castling {
    /// As the FEN says.
    Usual,
    /// Nobody does.
    Never,
    /// In `XBoard`'s wildcastle, also a king on the d-file.
    Wild,
}

/// The variant of this name, as programs and servers write it.
fn variant(name: &str) -> Option<(Variant, Castling)> {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let plain = letters.collect::<String>().to_ascii_lowercase();
    // Chess960, Crazyhouse960: where the men stand, says the FEN.
    match plain.strip_suffix("960").unwrap_or(&plain) {
        "nocastle" => Some((Variant::Standard, Castling::Never)),
        "wildcastle" => Some((Variant::Standard, Castling::Wild)),
        chess if CHESS.contains(&chess) => Some((Variant::Standard, Castling::Usual)),
        other => Some((Variant::from_name(other)?, Castling::Usual)),
    }
}

fn set_up(variant: Variant, castling: Castling, text: &str) -> Result<Position, FenError> {
    let parse = |text| fen::parse_setup_as(variant, text);
    let setup = match castling {
        Castling::Usual => parse(text)?,
        Castling::Never => Setup {
            castling: CastlingRights::NONE,
            ..parse(&fen::with_castling_field(text))?
        },
        Castling::Wild => Setup {
            castling_rule: CastlingRule::TwoSteps,
            ..parse(text)?
        },
    };
    Ok(Position::from_setup(&setup)?)
}

/// The characters of signs that say who is better, such as `+-`, `=/+` and `∞`.
const JUDGEMENT: [char; 9] = ['+', '-', '=', '/', '±', '∓', '⩲', '⩱', '∞'];

/// Whether it is a sign like those that say who is better; `--` is a move, though not of chess.
fn is_sign(text: &str) -> bool {
    let is_one = text.chars().nth(1).is_none();
    is_one || text.trim_end_matches(JUDGEMENT).is_empty() && text != "--"
}

/// Splits off a sign right after a move that says who is better: `Nf3+/-`, or with check `Nf3++-`.
fn without_judgement(text: &str) -> (&str, Option<Nag>) {
    let marks = &text[text.trim_end_matches(JUDGEMENT).len()..];
    let behind_check = marks.strip_prefix('+').unwrap_or(marks);
    for judgement in [marks, behind_check] {
        if let Some(nag) = Nag::from_sign(judgement) {
            return (&text[..text.len() - judgement.len()], Some(nag));
        }
    }
    (text, None)
}
