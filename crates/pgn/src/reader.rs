//! Games from a stream.

use std::io::BufRead;

use crate::builder::Builder;
use crate::lexer::{Lexer, Token};
use crate::result::DASHES;
use crate::{Fault, GameResult, PgnGame, ReadError};

/// Most warnings about one game that are kept.
const MAX_WARNINGS: usize = 100;

/// Reads games, one at a time, from a stream of any length.
///
/// Understood beyond the standard: any line ends, a byte-order mark, Windows-1252, missing tags,
/// results, numbers and blank lines, moves in other notations than the standard's, results that
/// contradict the tag (the one after the moves counts, unless it is `*`), and characters without a
/// meaning. If a tag is given twice, the first counts. Memory is bounded: a game beyond the limits
/// that [`Fault`] names is an error, or kept as far as it is within them.
///
/// After an error the next call goes on with the next game; only after [`Fault::Io`] there is
/// none.
#[derive(Debug)]
pub struct Reader<R> {
    lexer: Lexer<R>,
    /// The tag that ended the game before.
    pending: Option<(String, String)>,
    games: u64,
    warnings: Vec<ReadError>,
    /// Whether the end of the current game has been read.
    at_game_end: bool,
    has_failed: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from this stream.
    pub fn new(input: R) -> Self {
        Self {
            lexer: Lexer::new(input),
            pending: None,
            games: 0,
            warnings: Vec::new(),
            at_game_end: false,
            has_failed: false,
        }
    }

    /// What was left out of the game read last: variations, or their ends, that cannot be read,
    /// tags and marks. At most the first hundred.
    pub fn warnings(&self) -> &[ReadError] {
        &self.warnings
    }

    /// The next game; `None` at the end.
    fn read_game(&mut self) -> Result<Option<PgnGame>, Fault> {
        let mut builder = Builder::default();
        if let Some((name, value)) = self.pending.take() {
            let result = builder.tag(&name, &value);
            self.forgive(result, false)?;
        }
        loop {
            let token = match self.lexer.token() {
                Err(fault) if fault.spares_the_game(builder.outlives_its_line()) => {
                    builder.break_off(&fault);
                    self.warn(fault);
                    self.skip_game()?;
                    self.at_game_end = true;
                    return Ok(Some(builder.finish(None)));
                }
                token => token?,
            };
            let token = match token {
                Some(Token::Symbol(word)) if builder.is_double_forfeit(&word) => {
                    Token::Result(GameResult::Unknown)
                }
                Some(token) => token,
                None => break,
            };
            match token {
                Token::Tag { name, value, leads } if builder.is_over_before(&name) => {
                    if leads || name == "Event" {
                        self.pending = Some((name, value));
                        break;
                    }
                    self.warn(Fault::tag_left_out(&name, &value));
                }
                Token::Tag { name, value, .. } => {
                    let result = builder.tag(&name, &value);
                    self.forgive(result, false)?;
                }
                // A result inside a variation means nothing.
                Token::Result(_) if builder.in_variation() => {}
                Token::Result(_) if builder.is_empty() => {}
                Token::Result(result) => {
                    self.at_game_end = true;
                    let remarks = self.remarks_on_line(&mut builder);
                    self.forgive(remarks, true)?;
                    return self.finish(builder, Some(result));
                }
                other => self.movetext(&mut builder, other)?,
            }
        }
        self.at_game_end = true;
        if builder.is_empty() {
            // Text in a file without games is not reported.
            let is_stray = builder.has_comment() || !self.warnings.is_empty();
            let is_stray = is_stray && self.games > 1;
            let stray = || Fault::LeftOut("text behind the last game".to_owned());
            return if is_stray { Err(stray()) } else { Ok(None) };
        }
        self.finish(builder, None)
    }

    /// The game, which ends here.
    fn finish(
        &mut self,
        mut builder: Builder,
        result: Option<GameResult>,
    ) -> Result<Option<PgnGame>, Fault> {
        builder.begin()?;
        if builder.in_variation() {
            self.warn(Fault::OpenVariation);
        }
        Ok(Some(builder.finish(result)))
    }

    /// Takes the comments behind a result.
    fn remarks_on_line(&mut self, builder: &mut Builder) -> Result<(), Fault> {
        while let Some(comment) = self.lexer.comment_on_line()? {
            builder.comment(&comment)?;
        }
        Ok(())
    }

    /// Takes a word of the movetext.
    fn movetext(&mut self, builder: &mut Builder, token: Token) -> Result<(), Fault> {
        let result = match token {
            Token::Symbol(text) => builder.symbol(&text.replace(DASHES, "-")),
            Token::LeftOut(text) => Err(Fault::LeftOut(text)),
            Token::Open => builder.open(),
            Token::Comment(text) => builder.comment(&text),
            Token::Close => {
                builder.close();
                Ok(())
            }
            Token::Nag(nag) => builder.nag(nag),
            Token::Tag { .. } | Token::Result(_) => Ok(()),
        };
        self.forgive(result, builder.outlives_its_line())
    }

    /// Turns a fault that costs only part of the game into a warning.
    fn forgive(&mut self, result: Result<(), Fault>, outlives_its_line: bool) -> Result<(), Fault> {
        match result {
            Err(fault) if fault.spares_the_game(outlives_its_line) => {
                self.warn(fault);
                Ok(())
            }
            result => result,
        }
    }

    fn warn(&mut self, fault: Fault) {
        if self.warnings.len() < MAX_WARNINGS {
            let warning = self.error(fault);
            self.warnings.push(warning);
        }
    }

    /// Skips to the end of a game that cannot be read.
    fn skip_game(&mut self) -> Result<(), Fault> {
        let mut depth = 0usize;
        loop {
            match self.lexer.token() {
                Ok(None) => return Ok(()),
                Ok(Some(Token::Tag { name, value, .. })) => {
                    self.pending = Some((name, value));
                    return Ok(());
                }
                Ok(Some(Token::Result(_))) if depth == 0 => break,
                Ok(Some(Token::Open)) => depth += 1,
                Ok(Some(Token::Close)) => depth = depth.saturating_sub(1),
                Err(error @ Fault::Io(_)) => return Err(error),
                Ok(Some(_)) | Err(_) => {}
            }
        }
        loop {
            match self.lexer.comment_on_line() {
                Ok(Some(_)) => {}
                Err(error @ Fault::Io(_)) => return Err(error),
                Ok(None) | Err(_) => return Ok(()),
            }
        }
    }

    fn error(&self, fault: Fault) -> ReadError {
        ReadError {
            game: self.games,
            line: self.lexer.line(),
            fault,
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<PgnGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        self.games += 1;
        self.warnings.clear();
        self.at_game_end = false;
        let error = match self.read_game() {
            Ok(game) => return game.map(Ok),
            Err(fault) => self.error(fault),
        };
        self.has_failed = matches!(error.fault, Fault::Io(_));
        if !self.has_failed && !self.at_game_end && self.skip_game().is_err() {
            self.has_failed = true;
        }
        Some(Err(error))
    }
}
