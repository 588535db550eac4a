//! Which module of the workspace names which: the paths in its code, followed through re-exports to
//! the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};

use orthrus_tests::sources::Source;

/// The crate, then its modules from the outside in; a file is one module.
pub(super) type Path = Vec<String>;

/// So many imports may lead from one name to the next.
const MAX_STEPS: usize = 16;

/// A name that an import brings into a module.
struct Import {
    path: Path,
    /// `*` for all names of a module.
    name: String,
    is_public: bool,
}

/// The code of a file, taken apart.
#[derive(Default)]
struct Module {
    imports: Vec<Import>,
    /// The paths of two and more names outside the imports.
    paths: Vec<Path>,
    /// All other names in the code.
    names: BTreeSet<String>,
    /// The names that it defines.
    defined: BTreeSet<String>,
}

/// Whether a module names what it only gives another place, by `pub use`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PassedOn {
    Counts,
    DoesNotCount,
}

/// The modules of all crates.
pub(super) struct Modules(BTreeMap<Path, Module>);

impl Modules {
    pub(super) fn new(sources: &[Source]) -> Self {
        let code = sources.iter().filter(|source| !source.is_test());
        let code: Vec<(Path, String)> = code
            .filter_map(|source| Some((module_path(&source.path)?, source.code())))
            .collect();
        let for_tests: Vec<Path> = code
            .iter()
            .flat_map(|(path, code)| {
                let declared = code.split("#[cfg(test)]\nmod ").skip(1);
                let names = declared.filter_map(|rest| Some(rest.split_once(';')?.0));
                names.map(|name| [path.as_slice(), &[name.to_owned()]].concat())
            })
            .collect();
        let is_tested = |path: &Path| for_tests.iter().any(|parent| path.starts_with(parent));
        let modules = code.into_iter().filter(|(path, _)| !is_tested(path));
        Self(modules.map(|(path, code)| (path, parse(&code))).collect())
    }

    /// The path of every module.
    pub(super) fn all(&self) -> impl Iterator<Item = &Path> {
        self.0.keys()
    }

    /// Every path into the workspace that code names, from its crate on, with the module that names
    /// it.
    pub(super) fn named(&self, passed_on: PassedOn) -> Vec<(&Path, Path)> {
        let mut found = Vec::new();
        for (own, module) in &self.0 {
            let counts = |import: &&Import| {
                passed_on == PassedOn::Counts
                    || !import.is_public
                    || module.names.contains(&import.name)
            };
            let imported = module.imports.iter().filter(counts);
            let named = imported.map(|import| &import.path).chain(&module.paths);
            found.extend(named.filter_map(|path| Some((own, self.absolute(own, path, 0)?))));
        }
        found
    }

    /// The modules whose definitions each module uses, without itself.
    pub(super) fn uses(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut uses = BTreeMap::<_, BTreeSet<_>>::new();
        for (own, path) in self.named(PassedOn::DoesNotCount) {
            if let Some(used) = self.definer(&path, 0).filter(|used| used != own) {
                uses.entry(own.join("::"))
                    .or_default()
                    .insert(used.join("::"));
            }
        }
        uses
    }

    /// A path as named in a module, from its crate on; `None` if it leads out of the workspace or
    /// begins with something local.
    fn absolute(&self, module: &Path, path: &[String], steps: usize) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        let child = [module.as_slice(), std::slice::from_ref(first)].concat();
        let start = match first.as_str() {
            "crate" => module[..1].to_vec(),
            "self" => module.clone(),
            "super" => {
                let up = path.iter().take_while(|name| *name == "super").count();
                let outer = &module[..module.len().checked_sub(up)?];
                return Some([outer, &path[up..]].concat());
            }
            _ if self.0.contains_key(&child) => child,
            _ if self.0.contains_key(&path[..1]) => vec![first.clone()],
            _ => self.imported(module, first, steps)?,
        };
        Some([start.as_slice(), rest].concat())
    }

    /// Where the name comes from that a module imports.
    fn imported(&self, module: &Path, name: &str, steps: usize) -> Option<Path> {
        let mut imports = self.0.get(module)?.imports.iter();
        let import = imports.find(|import| import.name == name && import.path[0] != name)?;
        let steps = Some(steps + 1).filter(|&steps| steps < MAX_STEPS)?;
        self.absolute(module, &import.path, steps)
    }

    /// The module that defines what an absolute path names; `None` if that is a module itself, since
    /// the paths that begin with it count.
    fn definer(&self, path: &Path, steps: usize) -> Option<Path> {
        let inside = (1..=path.len())
            .rev()
            .find(|&length| self.0.contains_key(&path[..length]))?;
        let (module, rest) = path.split_at(inside);
        let (name, rest) = rest.split_first()?;
        let module = module.to_vec();
        let steps = Some(steps + 1).filter(|&steps| steps < MAX_STEPS)?;
        if self.0[&module].defined.contains(name) || name == "*" {
            return Some(module);
        }
        if self.0[&module]
            .imports
            .iter()
            .any(|import| import.name == *name)
        {
            let origin = self.imported(&module, name, steps)?;
            return self.definer(&[origin.as_slice(), rest].concat(), steps);
        }
        let globs = self.0[&module]
            .imports
            .iter()
            .filter(|import| import.name == "*");
        let mut origins = globs.filter_map(|glob| {
            let mut path = self.absolute(&module, &glob.path, steps)?;
            path.pop();
            let holds = self.0.get(&path)?.defined.contains(name);
            holds.then_some(path)
        });
        Some(origins.next().unwrap_or(module))
    }
}

/// The path of the module in a file of a crate; `None` for other files.
fn module_path(file: &str) -> Option<Path> {
    let (folder, inside) = file.strip_prefix("crates/")?.split_once("/src/")?;
    let name = match folder {
        "orthrus" => folder.to_owned(),
        part => format!("orthrus_{part}"),
    };
    let inside = inside.strip_suffix(".rs")?;
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    let modules = inside
        .split('/')
        .filter(|part| !matches!(*part, "lib" | "main"));
    Some(
        [name]
            .into_iter()
            .chain(modules.map(str::to_owned))
            .collect(),
    )
}

/// Names, `::`, and single other characters.
fn tokens(code: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_part(first) {
            rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Takes the code of a file apart.
fn parse(code: &str) -> Module {
    const DEFINING: [&str; 9] = [
        "fn", "struct", "enum", "trait", "const", "static", "type", "union", "mod",
    ];
    let tokens = tokens(code);
    let mut module = Module::default();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            let is_public = at > 0 && matches!(tokens[at - 1], "pub" | ")");
            at += 1;
            let test_only = tokens[..at - 1].ends_with(&["#", "[", "cfg", "(", "test", ")", "]"]);
            let mut imports = Vec::new();
            at = parse_tree(&tokens, at, &[], &mut imports);
            for (path, name) in imports {
                if !test_only {
                    module.imports.push(Import {
                        path,
                        name,
                        is_public,
                    });
                }
            }
            continue;
        }
        let start = at;
        at += 1;
        if !is_name(tokens[start]) {
            continue;
        }
        while tokens.get(at) == Some(&"::") && tokens.get(at + 1).is_some_and(|name| is_name(name))
        {
            at += 2;
        }
        let path: Path = tokens[start..at]
            .iter()
            .step_by(2)
            .map(|&name| name.to_owned())
            .collect();
        if start > 0 && DEFINING.contains(&tokens[start - 1])
            || start > 1 && tokens[start - 2..start] == ["macro_rules", "!"]
        {
            module.defined.insert(path[0].clone());
        } else {
            module.names.insert(path[0].clone());
        }
        if path.len() > 1 {
            module.paths.push(path);
        }
    }
    module
}

/// Reads the tree of an import from `at` on: every path in it, with the name that it gets. Returns
/// where the tree ends.
fn parse_tree(
    tokens: &[&str],
    mut at: usize,
    outer: &[String],
    found: &mut Vec<(Path, String)>,
) -> usize {
    let mut path = outer.to_vec();
    loop {
        match tokens[at] {
            "{" => {
                while tokens[at] != "}" {
                    at += 1;
                    if tokens[at] != "}" {
                        at = parse_tree(tokens, at, &path, found);
                    }
                }
                return at + 1;
            }
            "::" => at += 1,
            "self" if !path.is_empty() => at += 1,
            name if name == "*" || is_name(name) && name != "as" => {
                path.push(name.to_owned());
                at += 1;
            }
            "as" => {
                found.push((path, tokens[at + 1].to_owned()));
                return at + 2;
            }
            _ => {
                let name = path.last().cloned().unwrap_or_default();
                found.push((path, name));
                return at;
            }
        }
    }
}
