//! Any bytes are read to their end, and a game that was read is the same when written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orthrus_pgn::Reader;

fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes).flatten() {
        let written = game.to_string();
        let again = Reader::new(written.as_bytes()).next();
        let again = again.expect("a game").expect("what was written can be read");
        assert_eq!(again.main, game.main, "{written}");
        assert_eq!(again.to_string(), written);
    }
});
