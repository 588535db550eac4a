//! Text in the code page of the system, in which older programs for Windows write.
#![expect(unsafe_code, reason = "the standard library knows no code page")]

use windows_sys::Win32::Globalization::{CP_ACP, MultiByteToWideChar};

/// What these bytes, at most 2 GiB, mean in the code page. It has a letter for every byte or pair of
/// bytes that it knows; others become question marks.
pub(crate) fn decode(bytes: &[u8]) -> String {
    let Ok(length) = i32::try_from(bytes.len()) else {
        return String::new();
    };
    // No code page needs more units than bytes.
    let mut units = vec![0_u16; bytes.len()];
    // SAFETY: both buffers are valid for the lengths given, which are the same, and do not overlap;
    // the function writes at most `length` units. A length of 0 is an error, and nothing is written.
    let written = unsafe {
        MultiByteToWideChar(
            CP_ACP,
            0,
            bytes.as_ptr(),
            length,
            units.as_mut_ptr(),
            length,
        )
    };
    units.truncate(usize::try_from(written).unwrap_or(0));
    String::from_utf16_lossy(&units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_a_meaning() {
        assert_eq!(decode(b"C:\\Chess\\book.bin"), "C:\\Chess\\book.bin");
        assert_eq!(decode(b""), "");
        let all: Vec<u8> = (1..=255).collect();
        assert!(decode(&all).chars().count() > 120);
    }
}
