//! The project's own sources as text, for tests that enforce its house rules.

use std::fs;
use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

/// A file of the project.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path from the root, with `/` between folders.
    pub path: String,
    /// Its content.
    pub text: String,
}

impl Source {
    /// A file with this content, which need not exist.
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Whether it holds only tests or helpers for them.
    pub fn is_test(&self) -> bool {
        let mut folders = self.path.split('/');
        folders.any(|name| matches!(name, "tests" | "tests.rs" | "benches"))
    }

    /// The program text without comments, the contents of literals and the unit tests at its end;
    /// every line keeps its number.
    pub fn code(&self) -> String {
        let mut code = strip(&self.text);
        // Clippy makes sure that nothing follows the tests.
        if let Some(tests) = code.find("#[cfg(test)]\nmod tests {") {
            code.truncate(tests);
        }
        code
    }
}

/// All files below `folder` of `root` with this ending, in the order of their paths.
///
/// # Panics
///
/// If a folder or file cannot be read.
pub fn files(root: &Path, folder: &str, ending: &str) -> Vec<Source> {
    let mut found = Vec::new();
    collect(root, folder, ending, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(root: &Path, folder: &str, ending: &str, found: &mut Vec<Source>) {
    let entries = fs::read_dir(root.join(folder))
        .unwrap_or_else(|error| panic!("cannot list {folder}: {error}"));
    for entry in entries {
        let entry = entry.unwrap_or_else(|error| panic!("cannot list {folder}: {error}"));
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(root, &path, ending, found);
        } else if path.ends_with(ending) {
            let text = fs::read_to_string(entry.path())
                .unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
            found.push(Source { path, text });
        }
    }
}

/// Removes comments and the contents of literals from Rust source.
fn strip(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '/' if letters.peek() == Some(&'/') => {
                while letters.next_if(|&next| next != '\n').is_some() {}
            }
            '/' if letters.peek() == Some(&'*') => skip_block_comment(&mut letters, &mut code),
            '"' => {
                code.push('"');
                skip_string(&mut letters, raw_hashes(&code), &mut code);
                code.push('"');
            }
            '\'' => {
                code.push('\'');
                skip_character(&mut letters);
            }
            _ => code.push(letter),
        }
    }
    code
}

/// Comments nest. Their line ends are kept.
fn skip_block_comment(letters: &mut Peekable<Chars<'_>>, code: &mut String) {
    let mut depth = 1;
    letters.next();
    while let Some(letter) = letters.next() {
        match letter {
            '*' if letters.next_if_eq(&'/').is_some() => depth -= 1,
            '/' if letters.next_if_eq(&'*').is_some() => depth += 1,
            '\n' => code.push('\n'),
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

/// The number of hash signs of the raw string whose opening quote ends `code`; `None` if it is not
/// a raw string.
fn raw_hashes(code: &str) -> Option<usize> {
    let before = code.strip_suffix('"')?;
    let prefix = before.trim_end_matches('#');
    let marker = prefix.trim_end_matches('r');
    let is_raw = marker.len() + 1 == prefix.len()
        && !marker.ends_with(|letter: char| letter.is_alphanumeric() && letter != 'b');
    is_raw.then_some(before.len() - prefix.len())
}

fn skip_string(letters: &mut Peekable<Chars<'_>>, raw: Option<usize>, code: &mut String) {
    while let Some(letter) = letters.next() {
        match (letter, raw) {
            ('\n', _) => code.push('\n'),
            ('\\', None) => code.extend(letters.next().filter(|&escaped| escaped == '\n')),
            ('"', None) => return,
            ('"', Some(hashes)) => {
                let closing = (0..hashes).take_while(|_| letters.next_if_eq(&'#').is_some());
                if closing.count() == hashes {
                    return;
                }
            }
            _ => {}
        }
    }
}

/// Skips a character literal up to its closing quote; the name of a lifetime stays.
fn skip_character(letters: &mut Peekable<Chars<'_>>) {
    let mut ahead = letters.clone();
    match (ahead.next(), ahead.next()) {
        (Some('\\'), Some(_)) => {
            letters.nth(1);
            while letters.next_if(|&next| next != '\'').is_some() {}
        }
        (Some(_), Some('\'')) => {
            letters.next();
        }
        _ => return,
    }
    letters.next();
}

/// The numbers (from 1) of the lines of `text` that contain `word` with no letter, digit or
/// underscore before or after it.
pub fn lines_with_word(text: &str, word: &str) -> Vec<usize> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let stands_alone = |line: &str, at: usize| {
        !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part)
    };
    let has_word = |line: &str| {
        line.match_indices(word)
            .any(|(at, _)| stands_alone(line, at))
    };
    let numbered = (1..).zip(text.lines());
    numbered
        .filter(|(_, line)| has_word(line))
        .map(|(number, _)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_taken_out() {
        let cases = [
            ("a // b\nc", "a \nc"),
            ("a /* b /* c */\n d */ e", "a \n e"),
            (r#"f("a \" // b", c)"#, r#"f("", c)"#),
            (r##"f(r#"a " b"#, c)"##, r#"f(r#"", c)"#),
            (r#"f(r"a\", c)"#, r#"f(r"", c)"#),
            (r#"var"a""#, r#"var"""#),
            ("'\"' 'a' '\\'' '\\u{e9}' x", "' ' ' ' x"),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            ("\"a\nb\" c", "\"\n\" c"),
        ];
        for (text, code) in cases {
            assert_eq!(strip(text), code, "{text}");
        }
    }

    #[test]
    fn unit_tests_are_no_code() {
        let source = Source::new(
            "a.rs",
            "fn f() {}\n#[cfg(test)]\nmod tests {\n fn g() {}\n}\n",
        );
        assert_eq!(source.code(), "fn f() {}\n");
    }

    #[test]
    fn words_stand_alone() {
        let text = "unsafe_code\nan unsafe {\nmakeunsafe\nunsafe";
        assert_eq!(lines_with_word(text, "unsafe"), [2, 4]);
        assert_eq!(lines_with_word("eprint!(x); print!(x)", "print!"), [1]);
        assert!(lines_with_word("eprint!(x)", "print!").is_empty());
    }
}
