//! Passes the commit of the build to the program, which names it in data files.

use std::process::Command;

fn main() {
    // Without a repository the file is missing and the script runs at every build, which is cheap.
    println!("cargo::rerun-if-changed=../../.git/logs/HEAD");
    println!("cargo::rustc-env=ORTHRUS_COMMIT={}", commit());
}

/// The commit, or `unknown` outside a repository.
fn commit() -> String {
    let output = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output();
    match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}
