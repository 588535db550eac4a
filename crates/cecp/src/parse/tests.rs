use super::*;

fn level_of(line: &str) -> (Option<u32>, f64, f64) {
    match parse(line) {
        Ok(Input::Level(level)) => (
            level.moves,
            level.base.as_secs_f64(),
            level.increment.as_secs_f64(),
        ),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn level_comes_in_many_forms() {
    assert_eq!(level_of("level 40 5 0"), (Some(40), 300.0, 0.0));
    assert_eq!(level_of("level 0 2 12"), (None, 120.0, 12.0));
    assert_eq!(level_of("level 40 0:30 0"), (Some(40), 30.0, 0.0));
    assert_eq!(level_of("level 0 0:20 0.5"), (None, 20.0, 0.5));
    assert_eq!(level_of("level 0 5 0,5"), (None, 300.0, 0.5));
    assert_eq!(level_of("level 40 5:7 0"), (Some(40), 307.0, 0.0));
    assert_eq!(level_of("level 0 3:00 2.0"), (None, 180.0, 2.0));
    assert_eq!(level_of("level 40 25+5 0"), (Some(40), 1500.0, 0.0));
    assert_eq!(level_of("level 0 0 1e-05"), (None, 0.0, 0.00001));
    assert_eq!(level_of("level  40\t5  0 "), (Some(40), 300.0, 0.0));
    assert_eq!(level_of("level 40 5"), (Some(40), 300.0, 0.0));
    assert_eq!(level_of("level 40 -5 -1"), (Some(40), 0.0, 0.0));
}

#[test]
fn the_old_kludge_of_level_is_time_per_move() {
    let thirty = Input::OnlyMoveTime(Duration::from_secs(30));
    assert_eq!(parse("level 1 0:30"), Ok(thirty));
}

#[test]
fn wrong_numbers_are_named() {
    assert_eq!(parse("level"), Err(CommandError::MissingParameter));
    assert_eq!(parse("level 40"), Err(CommandError::MissingParameter));
    assert_eq!(parse("level x 5 0"), Err(CommandError::Malformed));
    assert_eq!(parse("level -40 5 0"), Err(CommandError::Malformed));
    assert_eq!(
        parse("level 1 2 3 4 5 6 7"),
        Err(CommandError::ExtraParameter)
    );
    assert_eq!(parse("st x"), Err(CommandError::Malformed));
    assert_eq!(parse("st nan"), Err(CommandError::Malformed));
    assert_eq!(parse("sd 0"), Err(CommandError::Malformed));
    assert_eq!(parse("sd -1"), Err(CommandError::Malformed));
    assert_eq!(parse("time"), Err(CommandError::MissingParameter));
    assert_eq!(parse("otim x"), Err(CommandError::Malformed));
}

#[test]
fn absurd_times_are_brought_into_range() {
    assert_eq!(parse("st -5"), Ok(Input::MoveTime(Duration::ZERO)));
    assert_eq!(parse("st inf"), Ok(Input::MoveTime(LONGEST)));
    assert_eq!(parse("st 1e300"), Ok(Input::MoveTime(LONGEST)));
    assert_eq!(parse("time -500"), Ok(Input::OwnClock(Duration::ZERO)));
    assert_eq!(parse("sd 99999999999999999999"), Ok(Input::Depth(u32::MAX)));
    assert_eq!(
        parse("time 1084"),
        Ok(Input::OwnClock(Duration::from_millis(10_840)))
    );
}

#[test]
fn options_keep_their_blanks() {
    assert_eq!(
        parse("option Move Overhead=100"),
        Ok(Input::Option {
            name: "Move Overhead",
            value: Some("100")
        })
    );
    assert_eq!(
        parse("option Clear Hash"),
        Ok(Input::Option {
            name: "Clear Hash",
            value: None
        })
    );
    assert_eq!(
        parse("option Path=a=b c"),
        Ok(Input::Option {
            name: "Path",
            value: Some("a=b c")
        })
    );
}

#[test]
fn ponder_is_a_command_alone_and_a_switch_with_an_argument() {
    assert_eq!(parse("ponder"), Ok(Input::PonderNow));
    assert_eq!(parse("ponder on"), Ok(Input::Pondering(true)));
    assert_eq!(parse("ponder  off "), Ok(Input::Pondering(false)));
    assert_eq!(parse("ponder e4"), Err(CommandError::Malformed));
}

#[test]
fn a_single_unknown_word_may_be_a_move() {
    assert_eq!(parse("e2e4\r"), Ok(Input::BareMove("e2e4")));
    assert_eq!(parse("e2e4 e7e5"), Err(CommandError::Unknown));
    assert_eq!(parse("   "), Ok(Input::Nothing));
}
