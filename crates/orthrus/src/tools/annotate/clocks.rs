//! The players' clocks, where a game has them in its comments: `[%clk 0:04:58]`, what is left after
//! a move, and `[%emt 0:00:05]`, what it took.

use orthrus_pgn::PgnGame;

use super::remarks::command;

/// What a game says of the time of one move, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MoveTime {
    /// What was left after it.
    pub(crate) left: Option<f64>,
    /// What it took.
    pub(crate) taken: Option<f64>,
}

/// The time of each move. Without `[%emt]` it is the difference of two clocks, with the increment
/// that the tag `TimeControl` gives.
pub(crate) fn move_times(game: &PgnGame) -> Vec<MoveTime> {
    let control = game.tags.get("TimeControl").and_then(time_control);
    let mut clocks = [control.map(|(start, _)| start); 2];
    let moves = game.main.moves.iter().enumerate().map(|(index, node)| {
        let read = |name| command(&node.comment, name).and_then(seconds);
        let clock = &mut clocks[index % 2];
        let left = read("clk");
        // More than a second of the increment back is a clock that somebody has set.
        let difference = || {
            let (start, increment) = control?;
            // Where clocks stand still until both have moved, the increment is not added either.
            let stood_still = index < 2 && left == Some(start);
            let taken = (*clock)? + increment - left?;
            (taken >= -1.0 && !stood_still).then_some(taken)
        };
        let taken = read("emt").or_else(difference);
        *clock = left;
        MoveTime {
            left,
            taken: taken.map(|taken| taken.max(0.0)),
        }
    });
    moves.collect()
}

/// The time at the start and the increment, in seconds, of `300+3` or `600`; of controls in stages,
/// such as `40/7200:3600`, not even the first is used.
fn time_control(text: &str) -> Option<(f64, f64)> {
    let (start, increment) = text.split_once('+').unwrap_or((text, "0"));
    let number = |text: &str| {
        text.parse()
            .ok()
            .filter(|value: &f64| value.is_finite() && *value >= 0.0)
    };
    Some((number(start)?, number(increment)?))
}

/// The seconds of `1:02:03.4`.
fn seconds(text: &str) -> Option<f64> {
    let add = |sum: f64, part: &str| {
        let part: f64 = part.parse().ok()?;
        (part.is_finite() && part >= 0.0).then_some(60.0 * sum + part)
    };
    text.split(':').try_fold(0.0, add)
}

#[cfg(test)]
mod tests {
    use orthrus_pgn::Reader;

    use super::*;

    fn times(text: &str) -> Vec<(Option<f64>, Option<f64>)> {
        let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
        let times = move_times(&game).into_iter();
        times.map(|time| (time.left, time.taken)).collect()
    }

    #[test]
    fn clocks_tell_what_moves_took() {
        let moves =
            "1. e4 {[%clk 0:05:00]} e5 {[%clk 0:04:50]} 2. Nf3 {[%clk 0:04:01.5]} Nc6 3. d4 *";
        let text = format!("[TimeControl \"300+3\"]\n\n{moves}");
        let expected = [
            (Some(300.0), None),
            (Some(290.0), Some(13.0)),
            (Some(241.5), Some(61.5)),
            (None, None),
            (None, None),
        ];
        assert_eq!(times(&text), expected);
        // Without the control, the increment is not known.
        assert_eq!(times(moves)[2], (Some(241.5), None));
    }

    #[test]
    fn elapsed_time_is_taken_as_it_is() {
        let text = "1. e4 {[%emt 0:00:07]} e5 {[%emt x]} *";
        assert_eq!(times(text), [(None, Some(7.0)), (None, None)]);
    }
}
