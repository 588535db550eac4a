//! Inputs in files: a corpus is one text, a line for each input.
//!
//! Printable ASCII is written as it is, the backslash as `\\`, other bytes as `\n` or `\x` with two
//! hexadecimal digits.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use super::Target;
use crate::data::repository;
use crate::random::Random;

/// Where the corpus of a target is kept.
pub fn path(target: &Target) -> PathBuf {
    let folder = repository().join("tests/fuzz/corpus");
    folder.join(format!("{}.txt", target.name))
}

/// The inputs that fuzzing has found for a target; none if it has not been fuzzed.
///
/// # Panics
///
/// If its corpus cannot be read.
pub fn load(target: &Target) -> Vec<Vec<u8>> {
    let path = path(target);
    if !path.exists() {
        return Vec::new();
    }
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let inputs = text.lines().map(unpack);
    let inputs: Option<Vec<_>> = inputs.collect();
    inputs.unwrap_or_else(|| panic!("{}: no corpus", path.display()))
}

/// An input as a line.
pub fn pack(input: &[u8]) -> String {
    let mut line = String::with_capacity(input.len());
    for &byte in input {
        match byte {
            b'\\' => line.push_str("\\\\"),
            b'\n' => line.push_str("\\n"),
            b' '..=b'~' => line.push(byte.into()),
            _ => {
                let _ = write!(line, "\\x{byte:02x}");
            }
        }
    }
    // Many editors would remove a trailing space.
    if line.ends_with(' ') {
        line.truncate(line.len() - 1);
        line.push_str("\\x20");
    }
    line
}

/// The input that a line encodes; `None` if it is malformed.
pub fn unpack(line: &str) -> Option<Vec<u8>> {
    let mut input = Vec::with_capacity(line.len());
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        input.push(match byte {
            b'\\' => match rest.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'x' => {
                    let mut digit = || char::from(rest.next()?).to_digit(16);
                    (digit()? * 16 + digit()?) as u8
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(input)
}

/// Changes an input in one to four places, as fuzzers do: other bytes, fewer, more, or a piece of
/// another input.
pub fn mutate(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut changed = input.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(changed.len() + 1);
        let len = random.below(16).min(changed.len() - at);
        match random.below(6) {
            0 => drop(changed.drain(at..at + len)),
            1 => changed.insert(at, random.below(256) as u8),
            2 if !other.is_empty() => {
                let from = random.below(other.len());
                let to = other.len().min(from + 1 + random.below(40));
                changed.splice(at..at + len, other[from..to].iter().copied());
            }
            3 => {
                let piece = changed[at..at + len].to_vec();
                changed.splice(at..at, piece);
            }
            choice => {
                if let Some(byte) = changed.get_mut(at) {
                    *byte = if choice == 4 {
                        random.below(256) as u8
                    } else {
                        *byte ^ 1 << random.below(8)
                    };
                }
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_survive_as_a_line() {
        let all: Vec<u8> = (0..=255).collect();
        let line = pack(&all);
        assert!(line.is_ascii() && line.lines().count() == 1);
        assert_eq!(unpack(&line), Some(all));
        assert_eq!(pack(b"a\\\n\xff "), "a\\\\\\n\\xff\\x20");
        for line in ["\\", "\\q", "\\x", "\\x4", "\\xgg"] {
            assert_eq!(unpack(line), None, "{line}");
        }
    }
}
