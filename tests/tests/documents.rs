//! Pages that are made from the program's own definitions, or that must agree with them.
//!
//! With `ORTHRUS_UPDATE` set, pages are brought up to date instead of compared.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use orthrus_tests::process::command;

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../docs")
        .join(name)
}

/// What the program says to `input`.
fn output_of(arguments: &[&str], input: &str) -> String {
    let mut process = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program can be started");
    let mut stdin = process.stdin.take().expect("its input is a pipe");
    stdin
        .write_all(input.as_bytes())
        .expect("it reads its input");
    drop(stdin);
    let output = process.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

#[test]
fn the_table_of_options_is_the_programs() {
    const BEGIN: &str = "<!-- options -->\n";
    const END: &str = "<!-- end of options -->\n";
    let path = page("options.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the table has a beginning");
    let (_, after) = rest.split_once(END).expect("the table has an end");
    let table = output_of(&["options"], "");
    let expected = format!("{before}{BEGIN}{table}{END}{after}");
    if env::var_os("ORTHRUS_UPDATE").is_some() {
        fs::write(&path, expected).unwrap();
    } else {
        assert!(
            text == expected,
            "docs/options.md is old; the table is\n{table}"
        );
    }
}

/// Also those that one head has for itself.
#[test]
fn every_option_announced_is_on_the_page() {
    let text = fs::read_to_string(page("options.md")).unwrap();
    let announced = output_of(&[], "uci\nquit\n") + &output_of(&[], "xboard\nprotover 2\nquit\n");
    let mut names = Vec::new();
    for line in announced.lines() {
        if let Some(rest) = line.strip_prefix("option name ") {
            names.extend(rest.split(" type ").next());
        } else if let Some(rest) = line.strip_prefix("feature option=\"") {
            names.extend(rest.split(" -").next());
        }
    }
    assert!(
        names.contains(&"Hash") && names.contains(&"ResignScore"),
        "{names:?}"
    );
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
}
