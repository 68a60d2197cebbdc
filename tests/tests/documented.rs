//! Everything public has an example in its docs: types, traits and macros without exception. Methods
//! are counted and printed.
//!
//! The sources are read line by line, as `cargo fmt` leaves them: docs and attributes stand right
//! above the item, those of a procedural macro above its re-export.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// An item with the docs above it.
struct Item {
    name: String,
    place: String,
    has_example: bool,
}

/// What the sources declare.
#[derive(Default)]
struct Declared {
    /// Types and traits, public or not: a private module may hold a public type.
    types: Vec<Item>,
    macros: Vec<Item>,
    /// Methods of these types, as `Type::method`.
    methods: Vec<Item>,
}

#[test]
fn every_public_type_trait_and_macro_has_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut declared = Declared::default();
    let src = root.join("message-core/src");
    for file in sources(&src) {
        declared.read(&file);
    }
    let public = public_names(&src);
    assert!(
        public.len() > 60,
        "only {} public names found",
        public.len()
    );
    for name in &public {
        let found = declared.types.iter().chain(&declared.macros);
        let found = found.filter(|item| item.name == *name).count();
        assert!(found > 0, "no declaration found of `{name}`");
    }

    let is_public = |item: &&Item| public.contains(&item.name);
    let (types, macros) = (declared.types.iter().filter(is_public), &declared.macros);
    let without: Vec<String> = types
        .chain(macros)
        .filter(|item| !item.has_example)
        .map(|item| format!("{} ({})", item.name, item.place))
        .collect();
    let methods = declared.methods.iter().filter(|method| {
        let owner = method.name.split("::").next();
        owner.is_some_and(|owner| public.contains(owner))
    });
    let (with, bare): (Vec<_>, Vec<_>) = methods.partition(|method| method.has_example);
    println!(
        "{} public types, traits and macros, {} without an example; {} methods, {} without one",
        public.len(),
        without.len(),
        with.len() + bare.len(),
        bare.len(),
    );
    assert!(!bare.is_empty() || !with.is_empty(), "no methods found");
    assert!(
        without.is_empty(),
        "without an example:\n{}",
        without.join("\n")
    );
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What the crate root and its public modules make public.
fn public_names(src: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in [
        "lib.rs",
        "error/mod.rs",
        "handler.rs",
        "mailbox/mod.rs",
        "post/mod.rs",
        "registry/mod.rs",
        "subscription/mod.rs",
        "time/mod.rs",
        "trace/mod.rs",
    ] {
        let text = fs::read_to_string(src.join(file)).expect("the file is there");
        for statement in text.split("\npub use ").skip(1) {
            let statement = statement.split(';').next().unwrap_or_default();
            let list = statement.rsplit("::").next().unwrap_or_default();
            let list = statement.split_once('{').map_or(list, |(_, list)| list);
            names.extend(
                list.split([',', '{', '}'])
                    .map(str::trim)
                    // Functions.
                    .filter(|name| !["", "registry", "try_registry", "Up", "Down"].contains(name))
                    .map(str::to_owned),
            );
        }
    }
    for file in ["lifecycle.rs", "report.rs"] {
        let text = fs::read_to_string(src.join(file)).expect("the file is there");
        let types = text.lines().filter_map(|line| {
            let item = line.strip_prefix("pub ")?;
            item.strip_prefix("struct ").or(item.strip_prefix("enum "))
        });
        names.extend(types.map(word));
    }
    names
}

/// The identifier that a text begins with.
fn word(text: &str) -> String {
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(ends).next().unwrap_or_default().to_owned()
}

impl Declared {
    fn read(&mut self, file: &Path) {
        let text = fs::read_to_string(file).expect("the file can be read");
        // The type whose `impl` block is being read.
        let mut of = None;
        // What stands above the next item.
        let (mut docs, mut attributes) = (String::new(), String::new());
        let mut in_attribute = false;
        for (at, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if let Some(doc) = code.strip_prefix("///") {
                docs.push_str(doc);
                docs.push('\n');
                continue;
            }
            // The fence of a block that is run with a feature, and of the same block without it.
            if code.starts_with("#[cfg_attr(") && code.contains("doc = \"```") {
                docs.push_str(if code.contains("not(") { "" } else { "```\n" });
                continue;
            }
            in_attribute |= code.starts_with("#[");
            if in_attribute {
                attributes.push_str(code);
                in_attribute = !code.ends_with(']');
                continue;
            }
            if code.starts_with("//") {
                continue;
            }
            if line.starts_with("impl") && !line.contains(" for ") {
                let rest = code.trim_start_matches("impl");
                let rest = match rest.strip_prefix('<') {
                    Some(_) => rest.split_once("> ").map_or(rest, |(_, rest)| rest),
                    None => rest.trim_start(),
                };
                of = Some(word(rest));
            } else if line == "}" {
                of = None;
            }
            let item = |name: String| Item {
                name,
                place: format!("{}:{}", file.display(), at + 1),
                has_example: has_example(&docs),
            };
            let hidden = attributes.contains("doc(hidden)");
            if let Some(name) = code.strip_prefix("macro_rules! ") {
                if attributes.contains("macro_export") && !hidden {
                    self.macros.push(item(word(name)));
                }
            } else if let Some(name) = code.strip_prefix("pub use message_derive::") {
                // What stands there is shown in front of the macro's own docs.
                self.macros.push(item(word(name)));
            } else if let Some(name) = method(line).filter(|_| !hidden) {
                if let Some(of) = &of {
                    self.methods.push(item(format!("{of}::{name}")));
                }
            } else if let Some(name) = declared_type(line) {
                self.types.push(item(name));
            }
            docs.clear();
            attributes.clear();
        }
    }
}

/// The name of the public method that a line declares.
fn method(line: &str) -> Option<String> {
    let line = line.strip_prefix("    pub ")?;
    let line = line.strip_prefix("const ").unwrap_or(line);
    line.strip_prefix("fn ").map(word)
}

/// The name of the public type or trait that a line declares.
fn declared_type(line: &str) -> Option<String> {
    let line = line.strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "trait ", "type "];
    let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    Some(word(name))
}

/// Returns `true` if there is a block of Rust in the docs that is run.
fn has_example(docs: &str) -> bool {
    let fences = docs
        .lines()
        .filter_map(|line| line.trim().strip_prefix("```"));
    // Every second one closes a block.
    let mut opening = fences.step_by(2);
    opening.any(|kind| kind.is_empty() || kind == "no_run")
}

#[test]
fn an_example_is_a_block_of_rust_that_is_run() {
    assert!(has_example(" Text.\n\n ```\n assert!(true);\n ```\n"));
    assert!(!has_example(" Text.\n"));
    assert!(!has_example(" ```text\n a → b\n ```\n"));
    assert!(!has_example(" ```ignore\n other::crate();\n ```\n"));
}
