//! The CECP head survives every line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use orthrus_cecp::Cecp;

fuzz_target!(|text: &str| orthrus_fuzz::converse(&mut Cecp::default(), text));
