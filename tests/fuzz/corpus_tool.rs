//! Converts between the packed corpora of the fuzz targets and folders of files, which libFuzzer
//! wants: `corpus unpack TARGET FOLDER` adds files for the seeds and the corpus, `corpus pack
//! TARGET FOLDER` makes a new corpus from the folder, without the seeds.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use orthrus_tests::fuzz::{Target, corpus};

/// Bytes of packed inputs kept per target, the shortest first.
const MOST_KEPT: usize = 48 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [action, name, folder] = arguments.as_slice() else {
        return Err("corpus (unpack | pack) TARGET FOLDER".into());
    };
    let target = Target::named(name).ok_or("no such target")?;
    match action.as_str() {
        "unpack" => unpack(target, Path::new(folder)),
        "pack" => pack(target, Path::new(folder)),
        _ => Err("unpack or pack".into()),
    }
}

fn unpack(target: &Target, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let inputs = target.seeds().into_iter().chain(corpus::load(target));
    for (number, input) in inputs.enumerate() {
        fs::write(folder.join(format!("known-{number:04}")), input)?;
    }
    Ok(())
}

fn pack(target: &Target, folder: &Path) -> Result<(), Box<dyn Error>> {
    let seeds = target.seeds();
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let input = fs::read(entry?.path())?;
        if !seeds.contains(&input) {
            lines.push(corpus::pack(&input));
        }
    }
    lines.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    lines.dedup();
    let mut text = String::new();
    for line in lines {
        if text.len() + line.len() < MOST_KEPT {
            text.push_str(&line);
            text.push('\n');
        }
    }
    fs::write(corpus::path(target), text)?;
    Ok(())
}
