use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn turn(side: Color, plies: usize) -> Turn {
    Turn {
        side,
        plies,
        before: 0,
    }
}

fn level(moves: u32, base: u64, increment: u64) -> Level {
    Level {
        moves: (moves > 0).then_some(moves),
        base: SECOND * base as u32,
        increment: SECOND * increment as u32,
    }
}

/// The clocks of a game under this control.
fn under(level: Level) -> Clocks {
    let mut clocks = Clocks::default();
    clocks.set_level(level, 0, Instant::now());
    clocks
}

/// What White's clock and Black's show.
fn remaining(clocks: &Clocks, turn: Turn) -> [Duration; 2] {
    let limits = clocks.limits(turn.side, turn, Instant::now());
    [Color::White, Color::Black].map(|color| limits.clocks[color].unwrap().remaining)
}

#[test]
fn sessions_count_down_and_repeat() {
    let mut clocks = under(level(40, 300, 0));
    let now = Instant::now();
    let to_go =
        |clocks: &Clocks, side, plies| clocks.limits(side, turn(side, plies), now).moves_to_go;
    assert_eq!(to_go(&clocks, Color::White, 0), Some(40));
    assert_eq!(to_go(&clocks, Color::Black, 1), Some(40));
    assert_eq!(to_go(&clocks, Color::White, 78), Some(1));
    assert_eq!(to_go(&clocks, Color::Black, 79), Some(1));
    assert_eq!(to_go(&clocks, Color::White, 80), Some(40));
    // "level 20 22 0" before move 41: the next 20 moves in 22 minutes.
    clocks.set_level(level(20, 1320, 0), 80, Instant::now());
    assert_eq!(to_go(&clocks, Color::White, 80), Some(20));
    assert_eq!(to_go(&clocks, Color::White, 82), Some(19));
}

#[test]
fn a_level_in_the_middle_of_a_game_stops_no_clock() {
    let mut clocks = Clocks::default();
    let begin = Instant::now();
    clocks.start(Color::White, begin);
    clocks.set_level(level(0, 60, 0), 8, begin + SECOND * 10);
    clocks.press(turn(Color::Black, 9), begin + SECOND * 15);
    let shown = remaining(&clocks, turn(Color::Black, 9));
    assert_eq!(shown, [SECOND * 55, SECOND * 60]);
}

#[test]
fn time_in_nodes_is_shared_out_by_the_number_of_the_move() {
    let mut clocks = under(level(0, 60, 0));
    clocks.nps = Some(1000);
    let budget = |before| {
        let turn = Turn {
            before,
            ..turn(Color::White, 0)
        };
        let limits = clocks.limits(Color::White, turn, Instant::now());
        limits.nodes.expect("a share of the nodes")
    };
    assert!(budget(158) > budget(0));
}

#[test]
fn readings_wait_for_the_colour() {
    let mut clocks = under(level(0, 60, 0));
    clocks.told.own = Some(SECOND * 5);
    clocks.told.opponent = Some(SECOND * 7);
    clocks.associate(Color::White, Instant::now());
    let shown = remaining(&clocks, turn(Color::White, 0));
    assert_eq!(shown, [SECOND * 5, SECOND * 7]);
}

#[test]
fn clocks_run_without_readings() {
    let mut clocks = under(level(1, 60, 2));
    let begin = Instant::now();
    clocks.start(Color::White, begin);
    clocks.press(turn(Color::Black, 1), begin + SECOND * 10);
    // 60 - 10 + 2, and 60 for the session of one move that is over.
    let shown = remaining(&clocks, turn(Color::Black, 1));
    assert_eq!(shown, [SECOND * 112, SECOND * 60]);
}

#[test]
fn our_own_clock_knows_what_a_reading_cuts_off() {
    const MILLISECOND: Duration = Duration::from_millis(1);
    let mut clocks = under(level(0, 2, 0));
    let begin = Instant::now();
    clocks.start(Color::White, begin);
    clocks.press(turn(Color::Black, 1), begin + MILLISECOND * 1_013);
    let mut read = |hundredths: u32| {
        clocks.told.own = Some(MILLISECOND * 10 * hundredths);
        clocks.associate(Color::White, begin + MILLISECOND * 1_013);
        let limits = clocks.limits(Color::White, turn(Color::White, 2), begin);
        limits.clocks[Color::White].unwrap().remaining
    };
    // 987 ms are left, and 98 hundredths are what a program sends for them.
    assert_eq!(read(98), MILLISECOND * 987);
    // It has measured more, or less.
    assert_eq!(read(97), MILLISECOND * 970);
    assert_eq!(read(99), MILLISECOND * 990);
    assert_eq!(read(0), Duration::ZERO);
}

#[test]
fn a_time_per_move_replaces_the_control_of_an_earlier_game() {
    let mut clocks = under(level(40, 300, 0));
    clocks.move_time = Some(SECOND);
    let both = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert!(both.move_time.is_some() && both.clocks[Color::White].is_some());
    clocks.new_game();
    clocks.move_time = Some(SECOND);
    let alone = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert!(alone.move_time.is_some() && alone.clocks[Color::White].is_none());
    clocks.set_level(level(40, 300, 0), 0, Instant::now());
    let level = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert!(level.move_time.is_none() && level.clocks[Color::White].is_some());
}

#[test]
fn a_node_clock_leaves_no_time_limit() {
    let clocks = Clocks {
        move_time: Some(SECOND * 8),
        nps: Some(10_000),
        ..Clocks::default()
    };
    let limits = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert_eq!(limits.nodes, Some(80_000));
    assert!(!limits.is_timed(Color::White));
}

#[test]
fn a_depth_alone_is_not_timed() {
    let mut clocks = Clocks {
        depth: Some(8),
        ..Clocks::default()
    };
    let limits = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert!(!limits.is_timed(Color::White));
    assert_eq!(limits.depth, Some(8));
    // "pay attention to the time control as normal": there is one, as both clocks show.
    clocks.told.own = Some(SECOND);
    clocks.associate(Color::White, Instant::now());
    let limits = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert!(!limits.is_timed(Color::White));
    clocks.told.own = Some(SECOND);
    clocks.told.opponent = Some(SECOND);
    clocks.associate(Color::White, Instant::now());
    let limits = clocks.limits(Color::White, turn(Color::White, 0), Instant::now());
    assert_eq!(limits.clocks[Color::White].unwrap().remaining, SECOND);
    assert_eq!(limits.depth, Some(8));
}
