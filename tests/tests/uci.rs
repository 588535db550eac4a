//! The UCI head: its transcripts and bad input.

use std::path::Path;

use orthrus_tests::transcript;
use orthrus_uci::Uci;

#[test]
fn transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/uci");
    let count = transcript::check_folder(&folder, || Box::<Uci>::default());
    assert!(count > 0, "no transcript in {}", folder.display());
}
