//! Every fuzz target with the known inputs, as they are and changed a little. `tests/fuzz/run`
//! finds new ones.

use std::{fs, thread};

use orthrus_tests::data;
use orthrus_tests::fuzz::{TARGETS, Target, corpus};
use orthrus_tests::random::Random;

/// Names the input at which a target fails.
struct Naming<'a> {
    target: &'a Target,
    input: &'a [u8],
}

impl Drop for Naming<'_> {
    #[expect(
        clippy::print_stderr,
        reason = "it is for whoever has made the test fail"
    )]
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}: {}", self.target.name, corpus::pack(self.input));
        }
    }
}

fn run(target: &Target, input: &[u8]) {
    let _naming = Naming { target, input };
    target.run(input);
}

/// Runs all known inputs, and then `changed` inputs made from them.
fn replay(name: &str, changed: usize) {
    let target = Target::named(name).expect("a target");
    let mut inputs = target.seeds();
    inputs.extend(corpus::load(target));
    assert!(!inputs.is_empty());
    run(target, &[]);
    for input in &inputs {
        run(target, input);
    }
    let mut random = Random::new(1);
    for _ in 0..changed {
        let input = &inputs[random.below(inputs.len())];
        let other = &inputs[random.below(inputs.len())];
        run(target, &corpus::mutate(input, other, &mut random));
    }
}

/// The fuzzer has one program for each target, and no others.
#[test]
fn every_target_has_a_program() {
    let folder = data::repository().join("tests/fuzz");
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("its manifest");
    let names = TARGETS.map(|target| target.name);
    let listed = names.map(|name| format!("[[bin]]\nname = \"{name}\"\n"));
    assert!(listed.iter().all(|entry| manifest.contains(entry)));
    assert_eq!(manifest.matches("[[bin]]").count(), names.len());
    for name in names {
        let program = folder.join("fuzz_targets").join(format!("{name}.rs"));
        let program = fs::read_to_string(program).expect("its program");
        assert!(
            program.contains(&format!("run(\"{name}\", bytes)")),
            "{name}"
        );
    }
}

macro_rules! replays {
    ($($name:ident $changed:literal)*) => {
        $(
            #[test]
            fn $name() {
                replay(stringify!($name), $changed);
            }
        )*

        #[test]
        fn every_target_is_replayed() {
            let replayed = [$(stringify!($name)),*];
            assert_eq!(TARGETS.map(|target| target.name), replayed);
        }
    };
}

// How many changed inputs take about half a second.
replays! {
    fen 100_000
    epd 50_000
    san 20_000
    pgn 20_000
    uci 1500
    cecp 1000
    options 10_000
    book 25_000
    network 500
    games 25_000
    tables 2500
}
