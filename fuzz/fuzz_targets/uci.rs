//! The UCI head survives every line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orthrus_uci::Uci;

fuzz_target!(|text: &str| orthrus_fuzz::converse(&mut Uci::default(), text));
