//! Reviews as one self-contained page for a browser.
//!
//! The text is in the page itself; the script adds the board and steps through the moves. It takes
//! the positions from the same JSON that [`super::formats`] writes.

mod graph;

use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};

use orthrus_core::VERSION;
use orthrus_core::notation::write_san;
use orthrus_core::types::Color;

use super::formats;
use super::review::{Review, Summary};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const PIECES: &str = include_str!("pieces.svg");

/// A page that grows game by game.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// The title of the window: the first game.
    title: String,
    games: String,
}

impl Page {
    pub(crate) fn add(&mut self, review: &Review) {
        let tag = |name| escape(review.game.tags.get(name).unwrap_or("?"));
        let players = format!("{} – {}", tag("White"), tag("Black"));
        if self.title.is_empty() {
            self.title.clone_from(&players);
        }
        let facts = ["Event", "Site", "Date", "Round"].map(tag);
        let facts: Vec<&str> = facts
            .iter()
            .map(String::as_str)
            .filter(|fact| is_known(fact))
            .collect();
        let data = formats::json(review).to_string();
        let _ = write!(
            self.games,
            "<article class=\"game\">\n<header><h1>{players} <span class=\"result\">{}</span></h1>\
             <p class=\"facts\">{}</p></header>\n<div class=\"table\"><div class=\"stage\"></div>\n\
             <div class=\"side\">{}<ol class=\"moves\">{}</ol></div></div>\n\
             <figure class=\"graph\">{}</figure>\n\
             <script type=\"application/json\">{}</script>\n</article>\n",
            escape(&review.game.result.to_string()),
            facts.join(" · "),
            summaries(review),
            moves(review),
            graph::draw(review),
            // In a script only a tag could end it.
            data.replace('<', "\\u003c"),
        );
    }

    pub(crate) fn text(&self) -> String {
        // The browser runs the script with this name only; nobody who writes a game knows it.
        let [first, second] = [(); 2].map(|()| RandomState::new().hash_one(0));
        // The games come last: their text may look like a placeholder.
        TEMPLATE
            .replace("@NONCE@", &format!("{first:016x}{second:016x}"))
            .replace("@VERSION@", VERSION)
            .replace("@STYLE@", STYLE)
            .replace("@SCRIPT@", SCRIPT)
            .replace("@PIECES@", PIECES)
            .replacen("@TITLE@", &self.title, 1)
            .replacen("@GAMES@", &self.games, 1)
    }
}

/// Whether a tag says something.
fn is_known(value: &str) -> bool {
    value.chars().any(|c| !matches!(c, '?' | '.' | '-'))
}

/// Text as a page has it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // It must not be taken for a placeholder.
            '@' => escaped.push_str("&#64;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The table of how both have played.
fn summaries(review: &Review) -> String {
    let row = |side: Color, color: &str, tag: &str| {
        let name = escape(review.game.tags.get(tag).unwrap_or("?"));
        let Summary {
            accuracy,
            centipawn_loss,
            inaccuracies,
            mistakes,
            blunders,
        } = review.summary(side);
        let accuracy = accuracy.map_or("–".to_owned(), |value| format!("{value:.1} %"));
        let loss = centipawn_loss.map_or("–".to_owned(), |value| value.to_string());
        format!(
            "<tr><th scope=\"row\"><i class=\"{color}\"></i>{name}</th><td>{accuracy}</td>\
             <td>{loss}</td><td>{inaccuracies}</td><td>{mistakes}</td><td>{blunders}</td></tr>"
        )
    };
    format!(
        "<table class=\"summary\"><tr><th></th><th scope=\"col\">accuracy</th>\
         <th scope=\"col\" title=\"centipawns an average move lost\">loss</th>\
         <th scope=\"col\" title=\"inaccuracies\" class=\"inaccuracy\">?!</th>\
         <th scope=\"col\" title=\"mistakes\" class=\"mistake\">?</th>\
         <th scope=\"col\" title=\"blunders\" class=\"blunder\">??</th></tr>{}{}</table>",
        row(Color::White, "white", "White"),
        row(Color::Black, "black", "Black")
    )
}

/// The list of moves, one pair per row.
fn moves(review: &Review) -> String {
    let mut list = String::new();
    for (index, (position, mv)) in review.moves().enumerate() {
        let is_white = position.side_to_move() == Color::White;
        if is_white || index == 0 {
            let _ = write!(list, "<li><b>{}</b>", position.fullmove_number());
        }
        if !is_white && index == 0 {
            list.push_str("<span>…</span>");
        }
        let mark = review.verdict(index).and_then(|verdict| verdict.mark);
        let (class, sign) = mark.map_or(("", ""), |mark| {
            (mark.name(), mark.nag().suffix().unwrap_or_default())
        });
        let san = escape(&write_san(position, mv));
        let ply = index + 1;
        let _ = write!(
            list,
            "<button class=\"{class}\" data-ply=\"{ply}\">{san}{sign}</button>"
        );
        if !is_white {
            list.push_str("</li>");
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use orthrus_pgn::Reader;

    use super::*;

    /// A review in which nothing was searched.
    fn page(pgn: &str) -> String {
        let game = Reader::new(pgn.as_bytes()).next().unwrap().unwrap();
        let mut positions = vec![game.start.clone()];
        for mv in game.moves() {
            let mut next = positions.last().unwrap().clone();
            next.make_move(mv);
            positions.push(next);
        }
        let mut page = Page::default();
        page.add(&Review {
            game,
            positions,
            evaluations: Vec::new(),
        });
        page.text()
    }

    #[test]
    fn text_of_a_game_cannot_become_a_part_of_the_page() {
        let evil = "</script><script>alert(1)</script> @SCRIPT@ \\\"x' &";
        let page = page(&format!("[White \"{evil}\"]\n[Event \"<b>\"]\n\n1. e4 *\n"));
        assert!(
            !page.contains("<script>alert") && !page.contains("<b>\""),
            "{page}"
        );
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert_eq!(page.matches("@SCRIPT@").count(), 1, "in the data only");
    }

    #[test]
    fn the_page_needs_nothing_else() {
        let page = page("1. e4 e5 *");
        for word in ["src=", "<link", "url(", "@import", "fetch("] {
            assert!(!page.contains(word), "{word}");
        }
        for place in [
            "@NONCE@",
            "@VERSION@",
            "@STYLE@",
            "@PIECES@",
            "@TITLE@",
            "@GAMES@",
        ] {
            assert!(!page.contains(place), "{place}");
        }
    }

    #[test]
    fn no_script_runs_but_the_own_one() {
        let nonce = |page: &str| {
            let (_, rest) = page.split_once("script-src 'nonce-").expect("a policy");
            rest.split_once('\'').expect("its end").0.to_owned()
        };
        let (first, second) = (page("1. e4 *"), page("1. e4 *"));
        assert_ne!(nonce(&first), nonce(&second));
        assert!(first.contains("default-src 'none'"));
        let scripts = first.matches("<script").count();
        let own = format!("<script nonce=\"{}\">", nonce(&first));
        let data = first.matches("<script type=\"application/json\">").count();
        assert_eq!((first.matches(&own).count(), data), (1, scripts - 1));
    }

    #[test]
    fn a_game_may_begin_with_black() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7";
        let page = page(&format!(
            "[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n7... Kd7 8. e4 *\n"
        ));
        assert!(page.contains("<li><b>7</b><span>…</span><button class=\"\" data-ply=\"1\">Kd7"));
        assert!(page.contains("<li><b>8</b><button class=\"\" data-ply=\"2\">e4"));
    }
}
