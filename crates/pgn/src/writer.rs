//! A game as text, in the standard's export format.

use std::fmt::{self, Write as _};
use std::mem;

use orthrus_core::fen::{self, CastlingLetters};
use orthrus_core::position::{Position, Variant};
use orthrus_core::types::Color;

use crate::tags::ROSTER;
use crate::{Line, MoveNode, PgnGame};

/// Longest line of movetext, unless one word is longer.
const LINE_WIDTH: usize = 79;

impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, unknown) in ROSTER {
            write_tag(f, name, self.tags.get(name).unwrap_or(unknown))?;
        }
        write_tag(f, "Result", &self.result.to_string())?;
        // Those above, and those whose values the game itself knows.
        let is_known = |name: &str| {
            ROSTER.iter().any(|&(tag, _)| tag == name) || matches!(name, "Result" | "SetUp" | "FEN")
        };
        let tags = self.tags.iter().filter(|&(name, _)| !is_known(name));
        let mut tags: Vec<(&str, &str)> = tags.collect();
        let position = |position: &Position| fen::write(position, CastlingLetters::KingAndQueen);
        let start = position(&self.start);
        let variant = self.start.variant();
        if variant != Variant::Standard && self.tags.get("Variant").is_none() {
            tags.push(("Variant", variant.name()));
        }
        // Programs differ in whether one castles in suicide chess.
        if start != position(&fen::start(variant)) || variant == Variant::Suicide {
            tags.extend([("FEN", start.as_str()), ("SetUp", "1")]);
        }
        tags.sort_unstable();
        for (name, value) in tags {
            write_tag(f, name, value)?;
        }
        writeln!(f)?;
        let mut words = Words::default();
        words.line(&mut self.start.clone(), &self.main);
        words.push(&self.result.to_string());
        f.write_str(&words.wrapped())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(f, "[{name} \"{value}\"]")
}

/// The movetext, word by word. A word with a line end must be the last of its line.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// The bracket that the next word begins with, if it begins a variation.
    bracket: &'static str,
}

impl Words {
    fn push(&mut self, word: &str) {
        let bracket = mem::take(&mut self.bracket);
        self.words.push(format!("{bracket}{word}"));
    }

    /// Writes a line and leaves the position as it was.
    fn line(&mut self, position: &mut Position, line: &Line) {
        self.comment(&line.comment);
        let mut played = 0;
        let mut needs_number = true;
        for node in &line.moves {
            if !node.is_legal(position) {
                break;
            }
            self.one_move(position, node, needs_number);
            needs_number = !node.comment.is_empty() || !node.variations.is_empty();
            node.play(position);
            played += 1;
        }
        for _ in 0..played {
            position.unmake_move();
        }
    }

    /// Writes a move of `position` and all that belongs to it.
    fn one_move(&mut self, position: &mut Position, node: &MoveNode, needs_number: bool) {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Color::White => self.push(&format!("{number}.")),
            Color::Black if needs_number => self.push(&format!("{number}...")),
            Color::Black => {}
        }
        self.push(&node.san(position));
        for nag in &node.nags {
            self.push(&nag.to_string());
        }
        self.comment(&node.comment);
        for variation in &node.variations {
            self.bracket = "(";
            self.line(position, variation);
            self.close();
        }
    }

    /// Ends a variation after its last word.
    fn close(&mut self) {
        match self.words.last_mut() {
            // There was nothing between the brackets.
            _ if !mem::take(&mut self.bracket).is_empty() => {}
            Some(last) if !last.ends_with('\n') => last.push(')'),
            _ => self.push(")"),
        }
    }

    fn comment(&mut self, text: &str) {
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return;
        }
        // A closing brace cannot be written inside braces: such a comment goes to the line end.
        if text.contains('}') {
            let words: Vec<&str> = words.collect();
            self.push(&format!(";{}\n", words.join(" ")));
            return;
        }
        let mut start = "{";
        while let Some(word) = words.next() {
            let mut word = word.to_owned();
            // Programs look for a command such as `[%eval 0.35]` on one line.
            while word.starts_with("[%") && !word.contains(']') && word.len() < LINE_WIDTH / 2 {
                let Some(next) = words.next() else { break };
                word.push(' ');
                word.push_str(next);
            }
            let end = if words.peek().is_none() { "}" } else { "" };
            self.push(&format!("{start}{word}{end}"));
            start = "";
        }
    }

    /// The words in lines of limited width.
    fn wrapped(&self) -> String {
        let mut text = String::new();
        let mut width = 0;
        for word in &self.words {
            let length = word.trim_end().chars().count();
            // A percent sign at the start of a line would hide it.
            let fits = width + 1 + length <= LINE_WIDTH || word.starts_with('%');
            if width > 0 {
                text.push(if fits { ' ' } else { '\n' });
            }
            width = if width > 0 && fits {
                width + 1 + length
            } else {
                length
            };
            text.push_str(word);
            if word.ends_with('\n') {
                width = 0;
            }
        }
        let _ = writeln!(text);
        text
    }
}
