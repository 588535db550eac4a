#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| orthrus_tests::fuzz::run("fen", bytes));
