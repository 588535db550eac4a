//! What packagers and test frameworks use: `make install`, and the build that `OpenBench` asks for.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use orthrus_tests::data;
use orthrus_tests::process::command;
use orthrus_tests::scratch::Scratch;

/// What `make` says in the repository.
fn make(arguments: &[String]) -> String {
    let output = Command::new("make")
        .current_dir(data::repository())
        // The flags of the test run itself do not apply here.
        .env_remove("MAKEFLAGS")
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("RUSTFLAGS")
        .env_remove("MAKELEVEL")
        // Packagers' environments have one, which must not count.
        .env("ARCH", "amd64")
        .args(arguments)
        .output()
        .expect("make can be started");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("make writes UTF-8")
}

/// The files below `folder`, relative to it.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder can be read") {
            let path = entry.expect("an entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it lies in the folder");
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// The targets of a page's links and pictures, except other sites and anchors in the page itself.
fn links(page: &str) -> Vec<&str> {
    let ends = [("](", ')'), ("src=\"", '"')];
    let targets = ends.iter().flat_map(|&(begin, end)| {
        let rests = page.split(begin).skip(1);
        rests.filter_map(move |rest| rest.split(end).next())
    });
    let files = targets.filter_map(|target| target.split('#').next());
    let own = files.filter(|file| !file.is_empty() && !file.contains("://"));
    own.collect()
}

/// Asserts that every page below `folder` links only to files that exist.
#[track_caller]
fn assert_links_resolve(folder: &Path) {
    let mut followed = 0;
    for name in files(folder) {
        if name.extension().is_some_and(|extension| extension == "md") {
            let path = folder.join(&name);
            let page = fs::read_to_string(&path).expect("a page can be read");
            for link in links(&page) {
                let target = path.with_file_name(link);
                assert!(target.exists(), "{}: {link}", name.display());
                followed += 1;
            }
        }
    }
    assert!(followed > 30, "{followed} links");
}

#[test]
fn links_are_found() {
    let page = "[a](b.md#c) [d](#e) [f](https://g/h) <img src=\"i.png\"> ![j](k/l.png)";
    assert_eq!(links(page), ["b.md", "k/l.png", "i.png"]);
}

#[test]
#[cfg_attr(not(has_make), ignore = "make is not installed")]
fn what_is_installed_is_uninstalled() {
    let scratch = Scratch::new();
    let root = scratch.folder();
    // Make takes no path with a blank, as that of the repository may have.
    let tools = Scratch::new();
    let binary = tools.name("orthrus");
    symlink(command().get_program(), &binary).unwrap();
    let arguments = |goal: &str| {
        vec![
            goal.to_owned(),
            format!("BINARY={binary}"),
            format!("DESTDIR={}", root.display()),
            "PREFIX=/usr".to_owned(),
            "BINDIR=/usr/games".to_owned(),
        ]
    };
    make(&arguments("install"));
    let installed = files(root);
    for file in [
        "usr/games/orthrus",
        "usr/share/man/man6/orthrus.6",
        "usr/share/bash-completion/completions/orthrus",
        "usr/share/zsh/site-functions/_orthrus",
        "usr/share/fish/vendor_completions.d/orthrus.fish",
        "usr/share/games/plugins/logos/orthrus.png",
        "usr/share/icons/hicolor/scalable/apps/orthrus.svg",
        "usr/share/doc/orthrus/README.md",
        "usr/share/doc/orthrus/docs/options.md",
    ] {
        assert!(installed.contains(Path::new(file)), "{file}");
        assert!(fs::metadata(root.join(file)).unwrap().len() > 100, "{file}");
    }
    assert_links_resolve(&root.join("usr/share/doc/orthrus"));
    let registration = root.join("usr/share/games/plugins/xboard/orthrus.eng");
    let registration = fs::read_to_string(registration).unwrap();
    assert!(
        registration.starts_with("plugin spec 0.0\northrus\nchess,"),
        "{registration}"
    );
    make(&arguments("uninstall"));
    assert_eq!(files(root), BTreeSet::new());
}

/// Packagers and users may have their own target folder for cargo, and a target.
#[test]
#[cfg_attr(not(has_make), ignore = "make is not installed")]
fn the_binary_is_taken_from_where_cargo_builds() {
    let folder = "CARGO_TARGET_DIR=/elsewhere";
    let other = "CARGO_BUILD_TARGET=riscv64gc-unknown-linux-gnu";
    // The installing user may be root, whose environment names neither.
    for (variable, goal, step) in [
        (folder, "all", "cp -f /elsewhere/release/orthrus orthrus"),
        (folder, "all", "--target-dir /elsewhere"),
        (
            other,
            "all",
            "riscv64gc-unknown-linux-gnu/release/orthrus orthrus",
        ),
        (folder, "install", "install -m 755 ./orthrus "),
        (folder, "deb", "crates/orthrus/packaging/deb.sh ./orthrus"),
    ] {
        let arguments = ["-n", goal, variable].map(str::to_owned);
        let steps = make(&arguments);
        assert!(steps.contains(step), "{goal}: {steps}");
    }
}

/// Without building: what would be done, and where the binary would go.
#[test]
#[cfg_attr(not(has_make), ignore = "make is not installed")]
fn openbench_gets_its_binary_with_its_network() {
    let arguments = [
        "-n",
        "-j",
        "EXE=Orthrus-0123ABCD",
        "EVALFILE=/networks/1.nnue",
    ];
    let arguments = arguments.map(str::to_owned);
    let steps = make(&arguments);
    let steps: Vec<&str> = steps.lines().collect();
    assert_eq!(
        steps,
        [
            "cargo build --release --package orthrus --target-dir target",
            "cp -f target/release/orthrus Orthrus-0123ABCD"
        ]
    );
    // The build script reads the network from this variable.
    let recipe = fs::read_to_string(data::repository().join("Makefile")).unwrap();
    let build = fs::read_to_string(data::repository().join("crates/core/build.rs")).unwrap();
    assert!(recipe.contains("export ORTHRUS_EVALFILE := $(abspath $(EVALFILE))"));
    assert!(build.contains("\"ORTHRUS_EVALFILE\""));
}

/// The compiler reads from the environment what it may use.
#[test]
#[cfg_attr(not(has_make), ignore = "make is not installed")]
fn a_build_may_be_for_one_processor() {
    let arguments = ["--dry-run", "--print-data-base", "ARCH=native"].map(str::to_owned);
    let flag = "RUSTFLAGS := -Ctarget-cpu=native\n";
    assert!(make(&arguments).contains(flag));
    assert!(!make(&arguments[..2]).contains("-Ctarget-cpu"));
    // A profile-guided build learns of it by an argument, since it makes flags of its own.
    let arguments = ["--dry-run", "pgo", "EXE=fast", "ARCH=native"].map(str::to_owned);
    let recipe = "crates/orthrus/packaging/pgo.sh fast";
    assert_eq!(make(&arguments).trim(), format!("{recipe} native"));
    assert_eq!(make(&arguments[..3]).trim(), recipe);
}
