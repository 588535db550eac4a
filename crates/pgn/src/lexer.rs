//! Turns bytes into the words of PGN.
//!
//! Text is read as UTF-8 if it is valid, otherwise as Windows-1252, a superset of Latin-1. Escaped
//! lines (`%`), move numbers' dots and characters without a meaning are left out here.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};

use crate::error::quote;
use crate::tags::is_name;
use crate::{Fault, GameResult, Nag};

/// Longest move, mark or name: the standard's longest line.
const MAX_WORD: usize = 255;

/// Longest comment or value of a tag, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// A word of PGN.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `[Name "value"]`
    Tag {
        name: String,
        value: String,
        /// Whether it is the first of its line.
        leads: bool,
    },
    /// `{...}` or `;...`, words separated by single blanks.
    Comment(String),
    /// `$1` or `!`.
    Nag(Nag),
    /// A move, or anything else that consists of letters and digits.
    Symbol(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// The end of a game.
    Result(GameResult),
    /// What should be a tag or a mark and cannot be kept as one.
    LeftOut(String),
}

/// Cuts a stream of bytes into words.
#[derive(Debug)]
pub(crate) struct Lexer<R> {
    input: R,
    /// The current line, from 1.
    line: u64,
    /// The byte taken last; a line end before the first.
    last: u8,
    /// Bytes of the line to be taken once more, last first.
    put_back: Vec<u8>,
    /// What was read together with the word before, which only blanks beyond ASCII divide from it.
    waiting: VecDeque<Token>,
}

impl<R: BufRead> Lexer<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            line: 1,
            last: b'\n',
            put_back: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// The line of the next byte, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The next word; `None` at the end.
    pub(crate) fn token(&mut self) -> Result<Option<Token>, Fault> {
        if let Some(token) = self.waiting.pop_front() {
            return Ok(Some(token));
        }
        while let Some(byte) = self.peek()? {
            let line_start = matches!(self.last, b'\n' | b'\r');
            let token = match byte {
                b'%' if line_start => {
                    self.skip_while(|byte| !is_line_end(byte))?;
                    None
                }
                b'[' => self.tag(line_start)?,
                b'{' => Some(Token::Comment(self.brace_comment()?)),
                b';' => Some(Token::Comment(self.line_comment()?)),
                b'<' => self.reserved()?,
                b'(' => Some(Token::Open),
                b')' => Some(Token::Close),
                b'*' => Some(Token::Result(GameResult::Unknown)),
                b'$' => self.nag()?,
                b'!' | b'?' => Some(self.suffix()?),
                byte if is_symbol(byte) => self.symbol()?,
                _ => {
                    self.take(byte);
                    None
                }
            };
            if matches!(byte, b'(' | b')' | b'*') {
                self.take(byte);
            }
            if token.is_some() {
                return Ok(token);
            }
        }
        Ok(None)
    }

    /// A comment, if only blanks precede it on this line. Whoever sends one game after the other may not
    /// have sent the next line yet.
    pub(crate) fn comment_on_line(&mut self) -> Result<Option<String>, Fault> {
        if !self.waiting.is_empty() {
            return Ok(None);
        }
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'))?;
        match self.peek()? {
            Some(b'{') => self.brace_comment().map(Some),
            Some(b';') => self.line_comment().map(Some),
            _ => Ok(None),
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if let Some(&byte) = self.put_back.last() {
            return Ok(Some(byte));
        }
        loop {
            match self.input.fill_buf() {
                Ok(buffer) => return Ok(buffer.first().copied()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes the byte just looked at.
    fn take(&mut self, byte: u8) {
        // A carriage return alone ends a line; a line feed after it is part of the same end.
        if byte == b'\r' || (byte == b'\n' && self.last != b'\r') {
            self.line += 1;
        }
        self.last = byte;
        if self.put_back.pop().is_none() {
            self.input.consume(1);
        }
    }

    /// Takes bytes while they fit. Those beyond the limit are skipped before the error is returned.
    fn take_while(&mut self, fits: impl Fn(u8) -> bool, limit: usize) -> Result<Vec<u8>, Fault> {
        let mut taken = Vec::new();
        let mut is_long = false;
        while let Some(byte) = self.peek()?.filter(|&byte| fits(byte)) {
            if taken.len() < limit {
                taken.push(byte);
            } else {
                is_long = true;
            }
            self.take(byte);
        }
        match (is_long, limit) {
            (false, _) => Ok(taken),
            (true, MAX_WORD) => Err(Fault::LongWord(limit)),
            (true, _) => Err(Fault::TooMuchText(limit)),
        }
    }

    /// Whether there was anything to skip.
    fn skip_while(&mut self, fits: impl Fn(u8) -> bool) -> io::Result<bool> {
        let mut found = false;
        while let Some(byte) = self.peek()?.filter(|&byte| fits(byte)) {
            self.take(byte);
            found = true;
        }
        Ok(found)
    }

    fn brace_comment(&mut self) -> Result<String, Fault> {
        self.take(b'{');
        let text = self.take_while(|byte| byte != b'}', MAX_TEXT);
        if self.peek()?.is_none() {
            return Err(text.err().unwrap_or(Fault::OpenComment));
        }
        self.take(b'}');
        Ok(comment(text?))
    }

    fn line_comment(&mut self) -> Result<String, Fault> {
        self.take(b';');
        let text = self.take_while(|byte| !is_line_end(byte), MAX_TEXT)?;
        Ok(comment(text))
    }

    /// `<...>`, which the standard reserves (section 7) and programs use for diagrams. Without the second
    /// bracket the first one means nothing.
    fn reserved(&mut self) -> Result<Option<Token>, Fault> {
        self.take(b'<');
        // What was put back reaches to the end of the line, and has no second bracket.
        if !self.put_back.is_empty() {
            return Ok(None);
        }
        let mut text = self.take_while(|byte| byte != b'>' && !is_line_end(byte), MAX_TEXT)?;
        if self.peek()? == Some(b'>') {
            self.take(b'>');
            let text = format!("<{}>", decode(text));
            return Ok((text != "<>").then(|| Token::LeftOut(quote(&text))));
        }
        text.reverse();
        self.put_back = text;
        self.last = b'<';
        Ok(None)
    }

    fn nag(&mut self) -> Result<Option<Token>, Fault> {
        self.take(b'$');
        let digits = self.take_while(|byte| byte.is_ascii_digit(), MAX_WORD)?;
        let digits = decode(digits);
        Ok(if digits.is_empty() {
            None
        } else if let Ok(number) = digits.parse() {
            Some(Token::Nag(Nag(number)))
        } else {
            Some(Token::LeftOut(format!("${digits}")))
        })
    }

    fn suffix(&mut self) -> Result<Token, Fault> {
        let marks = self.take_while(|byte| matches!(byte, b'!' | b'?'), MAX_WORD)?;
        let first = marks.first().copied().unwrap_or(b'?');
        Ok(Token::Nag(Nag::from_suffix(first, marks.get(1).copied())))
    }

    fn symbol(&mut self) -> Result<Option<Token>, Fault> {
        let text = decode(self.take_while(is_symbol, MAX_WORD)?);
        let words = text.split(is_gap).filter(|word| !word.is_empty());
        self.waiting
            .extend(words.map(|word| match GameResult::from_text(word) {
                Some(result) => Token::Result(result),
                None => Token::Symbol(word.to_owned()),
            }));
        Ok(self.waiting.pop_front())
    }

    /// A tag; if the bracket does not begin one, its line is skipped.
    fn tag(&mut self, leads: bool) -> Result<Option<Token>, Fault> {
        self.take(b'[');
        self.skip_while(is_blank)?;
        let name = decode(self.take_while(|byte| is_name(char::from(byte)), MAX_WORD)?);
        let blank = if self.skip_while(is_blank)? { " " } else { "" };
        if name.is_empty() || self.peek()? != Some(b'"') {
            let rest = self.take_while(|byte| byte != b']' && !is_line_end(byte), MAX_TEXT)?;
            let text = format!("[{name}{blank}{}]", decode(rest));
            return Ok((text != "[]").then(|| Token::LeftOut(quote(&text))));
        }
        self.take(b'"');
        let value = decode(self.tag_value()?);
        Ok(Some(Token::Tag { name, value, leads }))
    }

    /// The value of a tag up to the quote before the bracket, or the end of the line: quotes inside
    /// are tolerated.
    fn tag_value(&mut self) -> Result<Vec<u8>, Fault> {
        let mut value = Vec::new();
        let mut is_closed = false;
        while let Some(byte) = self.peek()?.filter(|&byte| !is_line_end(byte)) {
            if value.len() >= MAX_TEXT {
                // The rest of it is no movetext.
                self.skip_while(|byte| !is_line_end(byte))?;
                return Err(Fault::TooMuchText(MAX_TEXT));
            }
            self.take(byte);
            match byte {
                b'\\' => match self.peek()? {
                    Some(escaped @ (b'"' | b'\\')) => {
                        self.take(escaped);
                        value.push(escaped);
                    }
                    _ => value.push(byte),
                },
                b'"' => {
                    let blanks = self.take_while(is_blank, MAX_TEXT)?;
                    match self.peek()? {
                        Some(b']') => {
                            self.take(b']');
                            is_closed = true;
                            break;
                        }
                        Some(other) if !is_line_end(other) => {
                            value.push(byte);
                            value.extend(blanks);
                        }
                        _ => break,
                    }
                }
                _ => value.push(byte),
            }
        }
        // A path that ends in a backslash: it was no escape.
        if !is_closed && value.ends_with(b"\"]") {
            value.truncate(value.len() - 2);
            value.push(b'\\');
        }
        Ok(value)
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// What moves, numbers and results consist of; letters beyond ASCII belong to some word too.
fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_+#=:-/@".contains(&byte) || !byte.is_ascii()
}

/// What divides words beyond ASCII: blanks such as the non-breaking one, ellipses, and what has no width, such as a
/// byte-order mark, also one that came with a file appended to another.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            '…' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
        )
}

/// The text of a comment: words separated by single blanks.
fn comment(text: Vec<u8>) -> String {
    let text = decode(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// What Windows-1252 has where Latin-1 has control characters, from 0x80 on.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// UTF-8, or Windows-1252 if it is not.
fn decode(bytes: Vec<u8>) -> String {
    let letter = |byte: u8| match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    };
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(letter).collect())
}
