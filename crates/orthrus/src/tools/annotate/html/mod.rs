//! Reviews as one self-contained page for a browser.
//!
//! The text is in the page itself; the script adds the board and steps through the moves. It takes
//! the positions from the same JSON that [`super::formats`] writes.

mod escape;
mod graph;
mod moves;

use std::fmt::Write as _;
use std::hash::{BuildHasher as _, RandomState};

use orthrus_core::VERSION;
use orthrus_core::types::Color;
use serde_json::Value;

use self::escape::escape;
use super::formats::{self, VARIATION_LENGTH};
use super::phase::Phase;
use super::players::Players;
use super::review::{Review, Summary};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const PIECES: &str = include_str!("pieces.svg");

/// How many players the index names.
const MOST_PLAYERS: usize = 100;

/// A page that is written game by game. Only the index, which comes last and is shown first, is
/// kept until then.
#[derive(Debug, Default)]
pub(crate) struct Page {
    games: u64,
    /// The rows of the index.
    index: String,
    /// The browser runs the script with this name only; nobody who writes a game knows it.
    nonce: String,
}

impl Page {
    /// The text of a game, and before the first one the beginning of the page.
    pub(crate) fn add(&mut self, review: &Review) -> String {
        self.games += 1;
        let number = self.games;
        let [white, black] = Color::ALL.map(|side| player_name(review, side));
        let players = format!("{white} – {black}");
        let mut text = String::new();
        if number == 1 {
            let [first, second] = [(); 2].map(|()| RandomState::new().hash_one(0));
            self.nonce = format!("{first:016x}{second:016x}");
            let (head, _) = self.frame();
            // The title comes last: it may look like a placeholder.
            text = head.replacen("@TITLE@", &players, 1);
        }
        self.index.push_str(&index_row(review, number, &players));
        let data = page_data(review).to_string();
        let open = if number == 1 { " open" } else { "" };
        let _ = write!(
            text,
            "<article class=\"game\" id=\"game-{number}\"><details{open}>\n<summary><h1>{} \
             <span class=\"result\">{}</span></h1></summary><p class=\"facts\">{}</p>\n\
             <div class=\"table\"><div class=\"stage\"></div>\n\
             <div class=\"side\">{}{}<ol class=\"moves\">{}</ol></div></div>\n\
             <figure class=\"graph\">{}</figure>{}\n\
             <script type=\"application/json\">{}</script>\n</details></article>\n",
            rated_players(review),
            escape(&review.game.result.to_string()),
            facts(review),
            summaries(review),
            phases(review),
            moves::list(review),
            graph::draw(review),
            graph::draw_times(review),
            // In a script only a tag could end it.
            data.replace('<', "\\u003c"),
        );
        text
    }

    /// The end of the page, with the index if there are several games.
    pub(crate) fn end(&self, players: &Players) -> String {
        let (_, tail) = self.frame();
        let index = if self.games > 1 {
            format!(
                "<section class=\"index\"><h1>{} games</h1>\n<table><tr><th></th>\
                 <th scope=\"col\">players</th><th scope=\"col\">result</th>\
                 <th scope=\"col\">date</th><th scope=\"col\">ECO</th>\
                 <th scope=\"col\" colspan=\"2\">accuracy</th>\
                 <th scope=\"col\">?! ? ??</th></tr>\n{}</table>\n{}</section>\n",
                self.games,
                self.index,
                player_table(players)
            )
        } else {
            String::new()
        };
        // The names come last: they may look like a placeholder.
        tail.replacen("@INDEX@", &index, 1)
    }

    /// What is before and behind the games.
    fn frame(&self) -> (String, String) {
        let (head, tail) = TEMPLATE.split_once("@GAMES@").unwrap_or((TEMPLATE, ""));
        let filled = |text: &str| {
            text.replace("@NONCE@", &self.nonce)
                .replace("@VERSION@", VERSION)
                .replace("@STYLE@", STYLE)
                .replace("@SCRIPT@", SCRIPT)
                .replace("@PIECES@", PIECES)
        };
        (filled(head), filled(tail))
    }
}

/// What the script needs: the JSON of the game, with lines no longer than they are shown.
fn page_data(review: &Review) -> Value {
    let mut data = formats::json(review);
    let positions = data["positions"].as_array_mut().into_iter().flatten();
    for position in positions {
        for line in ["best", "pv"] {
            if let Some(moves) = position[line].as_array_mut() {
                moves.truncate(VARIATION_LENGTH);
            }
        }
    }
    data
}

fn player_name(review: &Review, side: Color) -> String {
    escape(review.game.tags.get(side.name()).unwrap_or("?"))
}

/// Both names with their ratings.
fn rated_players(review: &Review) -> String {
    let [white, black] = Color::ALL.map(|side| {
        let name = player_name(review, side);
        match review.game.tags.rating(side) {
            Some(rating) => format!("{name} <span class=\"rating\">({rating})</span>"),
            None => name,
        }
    });
    format!("{white} – {black}")
}

/// What else the tags say: where and when, the opening, the time control.
fn facts(review: &Review) -> String {
    const TAGS: [&str; 9] = [
        "Event",
        "Site",
        "Date",
        "Round",
        "ECO",
        "Opening",
        "Variation",
        "TimeControl",
        "Termination",
    ];
    let known = TAGS.iter().filter_map(|name| review.game.tags.get(name));
    let known: Vec<String> = known.filter(|value| is_known(value)).map(escape).collect();
    known.join(" · ")
}

/// A game in the index.
fn index_row(review: &Review, number: u64, players: &str) -> String {
    let tag = |name| review.game.tags.get(name).filter(|value| is_known(value));
    let [white, black] = [Color::White, Color::Black].map(|side| review.summary(side));
    let [inaccuracies, mistakes, blunders] = [
        white.inaccuracies + black.inaccuracies,
        white.mistakes + black.mistakes,
        white.blunders + black.blunders,
    ];
    format!(
        "<tr><td>{number}</td><td><a href=\"#game-{number}\">{players}</a></td><td>{}</td>\
         <td>{}</td><td title=\"{}\">{}</td><td>{}</td><td>{}</td>\
         <td>{inaccuracies} {mistakes} {blunders}</td></tr>\n",
        escape(&review.game.result.to_string()),
        escape(tag("Date").unwrap_or_default()),
        escape(tag("Opening").unwrap_or_default()),
        escape(tag("ECO").unwrap_or_default()),
        percent(white.accuracy),
        percent(black.accuracy),
    )
}

/// How the players of several games did, those with the most games first.
fn player_table(players: &Players) -> String {
    let [opening, middlegame, endgame] = Phase::ALL.map(Phase::name);
    let mut table = format!(
        "<h2>Players</h2>\n<table><tr><th scope=\"col\">player</th><th scope=\"col\">games</th>\
         <th scope=\"col\">accuracy</th><th scope=\"col\">{opening}</th>\
         <th scope=\"col\">{middlegame}</th><th scope=\"col\">{endgame}</th>\
         <th scope=\"col\">?! ? ??</th></tr>\n"
    );
    for player in players.ranked().into_iter().take(MOST_PLAYERS) {
        let [opening, middlegame, endgame] = player.phases().map(percent);
        let _ = writeln!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{opening}</td><td>{middlegame}</td>\
             <td>{endgame}</td><td>{} {} {}</td></tr>",
            escape(&player.name),
            player.games,
            percent(player.accuracy()),
            player.inaccuracies,
            player.mistakes,
            player.blunders
        );
    }
    table.push_str("</table>");
    table
}

fn percent(accuracy: Option<f64>) -> String {
    accuracy.map_or("–".to_owned(), |value| format!("{value:.1} %"))
}

/// Whether a tag says something.
fn is_known(value: &str) -> bool {
    value.chars().any(|c| !matches!(c, '?' | '.' | '-'))
}

/// The table of how both have played.
fn summaries(review: &Review) -> String {
    let row = |side: Color| {
        let name = player_name(review, side);
        let color = side.name().to_lowercase();
        let Summary {
            accuracy,
            phases: _,
            centipawn_loss,
            inaccuracies,
            mistakes,
            blunders,
        } = review.summary(side);
        let accuracy = percent(accuracy);
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
        row(Color::White),
        row(Color::Black)
    )
}

/// Accuracy by phase.
fn phases(review: &Review) -> String {
    let row = |side: Color| {
        let color = side.name().to_lowercase();
        let cells = review
            .summary(side)
            .phases
            .map(|accuracy| format!("<td>{}</td>", percent(accuracy)));
        format!(
            "<tr><th scope=\"row\"><i class=\"{color}\"></i>by phase</th>{}</tr>",
            cells.concat()
        )
    };
    let heads = Phase::ALL.map(|phase| format!("<th scope=\"col\">{}</th>", phase.name()));
    format!(
        "<table class=\"summary\"><tr><th></th>{}</tr>{}{}</table>",
        heads.concat(),
        row(Color::White),
        row(Color::Black)
    )
}

#[cfg(test)]
mod tests {
    use orthrus_pgn::Reader;

    use super::*;

    /// A review in which nothing was searched.
    fn page(pgn: &str) -> String {
        let game = Reader::new(pgn.as_bytes()).next().unwrap().unwrap();
        let mut positions = vec![game.start.clone()];
        for node in &game.main.moves {
            let mut next = positions.last().unwrap().clone();
            node.play(&mut next);
            positions.push(next);
        }
        let mut page = Page::default();
        let review = Review {
            game,
            phases: Phase::of_game(&positions),
            positions,
            evaluations: Vec::new(),
        };
        let mut players = Players::default();
        players.add(&review);
        page.add(&review) + &page.end(&players)
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
            "@INDEX@",
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
