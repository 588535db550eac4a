//! The program itself: playing, continuing, counting, checking.
#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn trainer(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_orthrus-trainer"))
        .args(arguments)
        .output()
        .unwrap()
}

/// A file of this test that does not exist yet, and no training folder of that name either.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(path.with_extension("training"));
    path
}

fn selfplay(path: &Path, more: &[&str]) -> Output {
    let path = path.to_str().unwrap();
    let rules = "--material --nodes 40 --seed 9 --chess960 20 --double-chess960 20";
    let mut arguments = vec!["selfplay", "--output", path];
    arguments.extend(rules.split(' '));
    arguments.extend(more);
    trainer(&arguments)
}

fn succeeded(output: &Output) -> &str {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stats(path: &Path) -> Value {
    let output = trainer(&["stats", "--json", path.to_str().unwrap()]);
    serde_json::from_str(succeeded(&output)).unwrap()
}

#[test]
#[expect(clippy::print_stdout, reason = "the figure is worth seeing")]
fn a_continued_run_has_the_games_of_an_uninterrupted_one() {
    let (whole, parts) = (fresh("whole.data"), fresh("parts.data"));
    succeeded(&selfplay(&whole, &["--games", "60", "--threads", "2"]));
    succeeded(&selfplay(&parts, &["--games", "25", "--threads", "1"]));
    succeeded(&selfplay(&parts, &["--games", "60", "--threads", "3"]));
    let dump = |path: &Path| trainer(&["dump", path.to_str().unwrap()]);
    let (expected, found) = (dump(&whole), dump(&parts));
    assert!(succeeded(&expected).lines().count() > 60 * 20);
    assert!(succeeded(&found) == succeeded(&expected));

    let stats = stats(&whole);
    assert_eq!(stats["games"], 60);
    assert_eq!(stats["damage"], Value::Array(Vec::new()));
    assert_eq!(stats["files"][0]["manifest"]["runs"][0]["seed"], 9);
    assert!(stats["chess960"].as_u64().unwrap() > 10);
    // From so few games the coder learns little, and the header weighs heavily.
    let bytes_per_ply = stats["bytes_per_ply"].as_f64().unwrap();
    println!("{bytes_per_ply:.3} bytes per ply");
    assert!(bytes_per_ply < 1.5, "{bytes_per_ply:.3} bytes per ply");
    succeeded(&trainer(&["verify", parts.to_str().unwrap()]));
    let fit = trainer(&["wdl", "--data", whole.to_str().unwrap()]);
    assert!(succeeded(&fit).contains("\nlog loss: "));

    let few = fresh("few.data");
    succeeded(&selfplay(&few, &["--games", "9"]));
    let fit = trainer(&["wdl", "--data", few.to_str().unwrap()]);
    let error = String::from_utf8_lossy(&fit.stderr);
    assert!(
        !fit.status.success() && error.contains("9 games are too few"),
        "{error}"
    );
}

#[test]
fn other_settings_do_not_continue_a_file() {
    let path = fresh("settings.data");
    succeeded(&selfplay(&path, &["--games", "2"]));
    let before = fs::read(&path).unwrap();
    let output = selfplay(&path, &["--games", "4", "--real-end", "50"]);
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("made with other settings"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_training_continues_on_other_games() {
    let [first, second] = ["first", "second"].map(|name| {
        let games = fresh(&format!("{name}-leg.data"));
        succeeded(&selfplay(&games, &["--games", "40"]));
        (games, fresh(&format!("{name}-leg.nnue")))
    });
    let train = |(games, network): &(PathBuf, PathBuf), more: &[&str]| {
        let (games, network) = (games.to_str().unwrap(), network.to_str().unwrap());
        let mut arguments = vec!["train", "--data", games, "--output", network];
        arguments.extend("--positions 20000 --batch 512 --validation-permille 200".split(' '));
        arguments.extend("--wdl 0.1 --final-wdl 0.3 --skip-plies 2".split(' '));
        arguments.extend(more);
        trainer(&arguments)
    };
    succeeded(&train(&first, &["--hidden", "32", "--mirrored"]));
    let folder = first.1.with_extension("training");
    let after = ["--after", folder.to_str().unwrap()];
    succeeded(&train(&second, &after));
    // The shape is that of the first leg, the weights are not.
    let [first_network, second_network] = [&first, &second].map(|leg| fs::read(&leg.1).unwrap());
    assert_eq!(first_network.len(), second_network.len());
    assert_ne!(first_network, second_network);

    let third = (first.0.clone(), fresh("third-leg.nnue"));
    let missing = train(&third, &["--after", "/nonexistent"]);
    let error = String::from_utf8_lossy(&missing.stderr);
    assert_eq!(missing.status.code(), Some(1), "{error}");
    assert!(error.contains("/nonexistent/checkpoint.bin"), "{error}");
    let contradiction = train(&second, &[after[0], after[1], "--hidden", "64"]);
    assert_eq!(contradiction.status.code(), Some(2));
}

/// Today's network for chess, from which every game can begin.
const CHESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/networks/chess.nnue");

#[test]
fn a_variant_is_played_learned_and_played_by_its_network() {
    let play = |path: &Path, variant: &str, more: &[&str]| {
        let path = path.to_str().unwrap();
        let mut arguments = vec!["selfplay", "--output", path, "--variant", variant];
        arguments.extend("--nodes 40 --seed 9 --games 30".split(' '));
        arguments.extend(more);
        trainer(&arguments)
    };
    for variant in ["horde", "3check"] {
        let games = fresh(&format!("{variant}.data"));
        let network = fresh(&format!("{variant}.nnue"));
        succeeded(&play(&games, variant, &["--material"]));
        let found = stats(&games);
        assert_eq!(found["files"][0]["manifest"]["runs"][0]["variant"], variant);
        assert!(found["reasons"]["aim of the variant"].as_u64().is_some());
        let (games, network) = (games.to_str().unwrap(), network.to_str().unwrap());
        succeeded(&trainer(&["verify", games]));
        let rules = "--hidden 32 --positions 20000 --batch 512 --validation-permille 200";
        let mut arguments = vec!["train", "--data", games, "--output", network];
        arguments.extend(rules.split(' '));
        succeeded(&trainer(&arguments));

        let grown = fresh(&format!("{variant}-grown.nnue"));
        let grown = grown.to_str().unwrap();
        let chess = "--positions 1000 --batch 500 --validation-permille 200";
        let mut arguments = vec!["train", "--data", games, "--output", grown, "--from", CHESS];
        arguments.extend(chess.split(' '));
        succeeded(&trainer(&arguments));

        let next = fresh(&format!("{variant}-next.data"));
        succeeded(&play(&next, variant, &["--network", network]));
        let again = fresh(&format!("{variant}-again.data"));
        let again = again.to_str().unwrap();
        let next = next.to_str().unwrap();
        let rescore = [
            "rescore",
            "--nodes",
            "40",
            "--network",
            network,
            "--output",
            again,
            next,
        ];
        succeeded(&trainer(&rescore));
        succeeded(&trainer(&["verify", again]));
    }

    let refused = |arguments: &[&str], reason: &str| {
        let output = trainer(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(reason), "{error}");
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [horde, checks, network] = ["horde.data", "3check.data", "3check.nnue"].map(path);
    let other = fresh("mixed.data");
    let other = other.to_str().unwrap();
    let merge = ["merge", &horde, &checks, "--output", other];
    refused(&merge, "games of horde and of 3check together");
    let train = ["train", "--data", &horde, &checks, "--output", other];
    refused(&train, "games of 3check, not of horde");
    let train = [
        "train", "--data", &horde, "--from", &network, "--output", other,
    ];
    let reason =
        "a network 3check: (772 -> 32)x2 -> 1 does not grow into horde: (768 -> 32)x2 -> 1";
    refused(&train, reason);
    let train = [
        "train",
        "--data",
        &checks,
        "--from",
        &network,
        "--output",
        &network,
        "--checkpoint",
        other,
    ];
    refused(&train, "is what the training begins with");
    let like = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/networks/chess.nnue");
    let scale = [
        "scale",
        "--network",
        &network,
        "--like",
        like,
        "--data",
        &checks,
        "--output",
        other,
    ];
    refused(&scale, "a network for chess, not for 3check");
    let leg = path("3check.training");
    let train = [
        "train", "--data", &horde, "--after", &leg, "--output", other,
    ];
    refused(
        &train,
        "a network for 3check does not learn from games of horde",
    );
    let selfplay = "selfplay --variant horde --games 1 --output";
    let mut arguments: Vec<&str> = selfplay.split(' ').collect();
    arguments.extend([other, "--network", &network]);
    refused(&arguments, "a network for 3check, not for horde");
    arguments.truncate(7);
    arguments.extend(["--chess960", "10"]);
    refused(&arguments, "horde does not begin with a Chess960 position");
}

#[test]
fn damage_is_named_and_makes_the_exit_code_one() {
    let path = fresh("damaged.data");
    succeeded(&selfplay(&path, &["--games", "5"]));
    let mut bytes = fs::read(&path).unwrap();
    let middle_of_block = bytes.len() - 50;
    bytes[middle_of_block] ^= 4;
    fs::write(&path, bytes).unwrap();
    let output = trainer(&["verify", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stderr.ends_with(b"orthrus-trainer: 1 fault\n"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("0 games are right"), "{text}");
    assert!(text.contains("checksum"), "{text}");
    let output = trainer(&["stats", Path::new("/nonexistent/file").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("/nonexistent/file"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_a_whole_file() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let path = fresh("interrupted.data");
    let name = path.to_str().unwrap();
    let arguments = [
        "selfplay",
        "--output",
        name,
        "--minutes",
        "10",
        "--material",
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_orthrus-trainer"))
        .args(arguments)
        .args(["--nodes", "10", "--threads", "2"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first block on the disk: play is well under way, the handler long in place.
    let len_of_header_at_most = 2_000;
    while fs::metadata(&path).map_or(0, |file| file.len()) <= len_of_header_at_most {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let last = lines.last().unwrap().unwrap();
    assert!(child.wait().unwrap().success(), "{last}");
    let games = stats(&path)["games"].as_u64().unwrap();
    assert!(last.contains(&format!("{games} games,")), "{games}: {last}");
    succeeded(&trainer(&["verify", name]));
}

#[test]
fn games_are_scored_again_and_say_so() {
    let (old, new) = (fresh("scored.data"), fresh("rescored.data"));
    succeeded(&selfplay(&old, &["--games", "30"]));
    let rescore = |nodes: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_orthrus-trainer"));
        command.args(["rescore", "--nodes", nodes, "--threads", "2"]);
        command
            .arg("--output")
            .arg(&new)
            .arg(&old)
            .output()
            .unwrap()
    };
    succeeded(&rescore("20"));
    let whole = fs::read(&new).unwrap();
    succeeded(&rescore("20"));
    assert!(fs::read(&new).unwrap() == whole, "nothing was left to do");
    assert!(!rescore("30").status.success(), "other settings");

    let (before, after) = (stats(&old), stats(&new));
    for figure in ["games", "plies", "results"] {
        assert_eq!(before[figure], after[figure], "{figure}");
    }
    let [scored, still, noisy] = [&before["scored"], &after["scored"], &after["not_quiet"]]
        .map(|figure| figure.as_u64().unwrap());
    assert_eq!(scored, still + noisy);
    assert!(noisy > 0);
    assert_ne!(before["scores"], after["scores"]);
    let run = &after["files"][0]["manifest"]["runs"][0];
    assert_eq!(run["search"]["soft_nodes"], 40);
    assert_eq!(run["rescored"]["search"]["soft_nodes"], 20);
    assert!(
        run["rescored"]["evaluation"]
            .to_string()
            .contains("network")
    );
    let text = trainer(&["stats", new.to_str().unwrap()]);
    assert!(succeeded(&text).contains("; scored again by engine"));
    succeeded(&trainer(&["verify", new.to_str().unwrap()]));
}

#[cfg(unix)]
#[test]
fn an_interrupted_training_is_resumed_to_the_same_network() {
    let data = fresh("training.data");
    succeeded(&selfplay(&data, &["--games", "40"]));
    let train = |network: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_orthrus-trainer"));
        command.args(["train", "--data", data.to_str().unwrap()]);
        command.args(["--output", network.to_str().unwrap(), "--hidden", "32"]);
        let rules = "--batch 256 --positions 1e6 --report-every 1e5 --validation-permille 200";
        command.args(rules.split(' '));
        command.args(more);
        command
    };
    let (whole, parts) = (fresh("whole.nnue"), fresh("parts.nnue"));
    let checkpoints = [&whole, &parts].map(|network| network.with_extension("training"));
    succeeded(&train(&whole, &[]).output().unwrap());

    let mut child = train(&parts, &[]).spawn().unwrap();
    while !checkpoints[1].join("checkpoint.bin").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert!(child.wait().unwrap().success());
    let interrupted = fs::read(&parts).ok();
    let expected = fs::read(&whole).unwrap();
    assert!(interrupted.as_ref() != Some(&expected), "it was too late");

    let checkpoint = || fs::read(checkpoints[1].join("checkpoint.bin")).unwrap();
    let kept = checkpoint();
    let forgotten = train(&parts, &[]).output().unwrap();
    let said = String::from_utf8_lossy(&forgotten.stderr);
    assert!(said.contains("--resume goes on with"), "{said}");
    assert!(!forgotten.status.success() && checkpoint() == kept);

    succeeded(&train(&parts, &["--resume"]).output().unwrap());
    assert!(fs::read(&parts).unwrap() == expected);
    // A finished one is as little written over, nor one that cannot be read: it may be of another
    // version.
    let finished = checkpoint();
    for content in [&finished, &finished[..finished.len() - 1]] {
        fs::write(checkpoints[1].join("checkpoint.bin"), content).unwrap();
        let refused = train(&parts, &[]).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(said.contains("to begin anew, remove it"), "{said}");
        assert!(!refused.status.success() && checkpoint() == *content);
    }
}

#[test]
fn a_training_goes_on_from_a_network_of_any_shape() {
    let data = fresh("beginning.data");
    succeeded(&selfplay(&data, &["--games", "10"]));
    let (first, second) = (fresh("first.nnue"), fresh("second.nnue"));
    let train = |network: &Path, more: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_orthrus-trainer"));
        command.args("train --validation-permille 300 --batch 64 --positions 640".split(' '));
        command
            .arg("--data")
            .arg(&data)
            .arg("--output")
            .arg(network);
        command.args(more.split_whitespace()).output().unwrap()
    };
    succeeded(&train(&first, "--hidden 32 --mirrored --buckets 8"));
    let from = format!("--from {}", first.display());
    succeeded(&train(&second, &format!("{from} --lr 0 --final-lr 0")));
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
    let second = fresh("second.nnue");
    succeeded(&train(&second, &from));
    assert_ne!(fs::read(&first).unwrap(), fs::read(&second).unwrap());

    let third = fresh("third.nnue");
    succeeded(&train(&third, &format!("{from} --hidden 64")));
    assert!(fs::metadata(&third).unwrap().len() > fs::metadata(&first).unwrap().len());

    let nothing = fresh("nothing.nnue");
    for narrower in [
        "--buckets 1",
        "--hidden 64 --buckets 1",
        "--hidden 64 --mirrored",
    ] {
        let refused = train(&nothing, &format!("{from} {narrower}"));
        assert!(!refused.status.success(), "{narrower}");
    }
    let refused = train(&nothing, "--hidden 33");
    assert!(!refused.status.success());
    assert!(!nothing.with_extension("training").exists());
    let refused = train(&nothing, &format!("--checkpoint {}", nothing.display()));
    assert!(!refused.status.success(), "one name for two things");
    assert!(!nothing.exists());
    fs::write(&second, "no network").unwrap();
    let refused = train(&nothing, &format!("--from {}", second.display()));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && said.contains("second.nnue"),
        "{said}"
    );

    let games = fs::read(&data).unwrap();
    let refused = train(&data, "--hidden 32");
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("is no network, and is not"), "{said}");
    assert!(!refused.status.success() && fs::read(&data).unwrap() == games);
}

#[test]
fn rules_that_would_spoil_every_game_are_refused() {
    let path = fresh("spoiled.data");
    for rule in ["--win-plies", "--draw-plies"] {
        let output = selfplay(&path, &["--games", "1", rule, "0"]);
        assert!(!output.status.success(), "{rule}");
        assert!(!path.exists());
    }
}

/// If the disk is full at the start, an empty file is left, and the same command starts it again.
#[test]
fn an_empty_file_is_begun() {
    let path = fresh("empty.data");
    fs::write(&path, "").unwrap();
    succeeded(&selfplay(&path, &["--games", "2"]));
    assert_eq!(stats(&path)["games"], 2);
}
