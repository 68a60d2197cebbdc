//! Everything public has an example in its docs: types, traits, functions, macros, and the methods
//! that a program calls. Items marked `#[doc(hidden)]` need none, nor does anything in a hidden `impl`.
//!
//! The sources are read line by line, as `cargo fmt` leaves them: docs and attributes are directly
//! above the item, those of a procedural macro above its re-export. A method that a private macro
//! writes into several types has its docs in the macro or in its call, and counts once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Items that macro expansions call or implement, and programs do not call.
const FOR_MACROS: [&str; 1] = ["Receives::receive"];

/// Traits and types whose own example shows their methods, which differ only in what is written.
const SHOWN_TOGETHER: [&str; 11] = [
    "Carrier",
    "Components",
    "ForeignInput",
    "InputSink",
    "Letter",
    "Letters",
    "Logged",
    "LoggedInput",
    "RegistryRow",
    "SavedCarrier",
    "TraceSink",
];

/// An item with the docs above it.
struct Item {
    name: String,
    /// File and line, from `src` on.
    place: String,
    has_example: bool,
}

/// The items that the sources declare.
#[derive(Default)]
struct Declared {
    /// Types and traits, public or not: a private module may hold a public type.
    types: Vec<Item>,
    macros: Vec<Item>,
    /// Functions outside of types, public or not for the same reason.
    functions: Vec<Item>,
    /// Methods of these types, as `Type::method`; those that a private macro writes or is given, as
    /// `macro!::method`.
    methods: Vec<Item>,
}

/// A library in which everything public must have an example.
struct Library {
    sources: &'static str,
    /// The modules that re-export public items.
    re_export: &'static [&'static str],
    /// The modules whose own types are public.
    declare: &'static [&'static str],
    /// The minimum numbers of public names and of methods.
    at_least: (usize, usize),
}

const CORE: Library = Library {
    sources: "../message-core/src",
    re_export: &[
        "lib.rs",
        "error/mod.rs",
        "handler/mod.rs",
        "input/mod.rs",
        "lifecycle/mod.rs",
        "mailbox/mod.rs",
        "post/mod.rs",
        "registry/mod.rs",
        "subscription/mod.rs",
        "time/mod.rs",
        "trace/mod.rs",
    ],
    declare: &["carrier.rs", "input/mod.rs", "report.rs"],
    at_least: (60, 280),
};

const DATA: Library = Library {
    sources: "../message-data/src",
    re_export: &["lib.rs"],
    declare: &[],
    at_least: (40, 60),
};

const FORMAT: Library = Library {
    sources: "../message-format/src",
    re_export: &["lib.rs", "names.rs", "pack/mod.rs", "text/mod.rs"],
    declare: &["tape.rs"],
    at_least: (20, 60),
};

const TRACE: Library = Library {
    sources: "../message-trace/src",
    re_export: &["lib.rs"],
    declare: &[],
    at_least: (6, 20),
};

const NET: Library = Library {
    sources: "../message-net/src",
    re_export: &["lib.rs", "link/mod.rs", "link/zenoh/mod.rs", "proxy/mod.rs"],
    declare: &["link/mod.rs"],
    at_least: (30, 70),
};

const ROOMS: Library = Library {
    sources: "../message-rooms/src",
    re_export: &["lib.rs"],
    declare: &[],
    at_least: (8, 12),
};

/// Reads the sources, and collects the items they make public.
fn read(library: &Library) -> (Declared, BTreeSet<String>) {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join(library.sources);
    let mut declared = Declared::default();
    for file in sources(&src) {
        let place = file.strip_prefix(&src).expect("it is below `src`");
        let place = place.to_string_lossy().replace('\\', "/");
        // The remains of disabled features are hidden from the docs.
        if place == "absent.rs" {
            continue;
        }
        let text = fs::read_to_string(&file).expect("the file can be read");
        declared.read(&text, &place);
    }
    (declared, public_names(&src, library))
}

/// Returns the items, one per line.
fn listed<'a>(items: impl IntoIterator<Item = &'a Item>) -> String {
    let lines = items.into_iter();
    let lines = lines.map(|item| format!("\n  {} ({})", item.name, item.place));
    lines.collect()
}

#[test]
fn every_public_type_trait_function_and_macro_has_an_example() {
    items_have_examples(&CORE);
}

#[test]
fn every_public_type_and_method_of_data_has_an_example() {
    items_have_examples(&DATA);
    methods_have_examples(&DATA);
}

#[test]
fn every_public_type_trait_and_function_of_the_format_has_an_example() {
    items_have_examples(&FORMAT);
}

#[test]
fn every_public_type_and_method_of_tracing_has_an_example() {
    items_have_examples(&TRACE);
    methods_have_examples(&TRACE);
}

#[test]
fn every_public_type_and_trait_of_the_network_has_an_example() {
    items_have_examples(&NET);
}

#[test]
fn every_public_type_and_method_of_rooms_has_an_example() {
    items_have_examples(&ROOMS);
    methods_have_examples(&ROOMS);
}

fn items_have_examples(library: &Library) {
    let (declared, public) = read(library);
    assert!(
        public.len() > library.at_least.0,
        "only {} public names found",
        public.len()
    );
    let found = |items: &[Item], name: &str| items.iter().any(|item| item.name == name);
    for name in &public {
        let items = [&declared.types, &declared.macros, &declared.functions];
        let is_found = items.iter().any(|items| found(items, name));
        assert!(is_found, "no declaration found of `{name}`");
    }

    let items = declared.types.iter().chain(&declared.functions);
    let items = items.filter(|item| public.contains(&item.name));
    let without: Vec<&Item> = items
        .chain(&declared.macros)
        .filter(|item| !item.has_example)
        .collect();
    assert!(without.is_empty(), "without an example:{}", listed(without));
}

#[test]
fn every_method_that_a_program_calls_has_an_example() {
    methods_have_examples(&CORE);
}

#[test]
fn every_method_of_the_format_that_a_program_calls_has_an_example() {
    methods_have_examples(&FORMAT);
}

#[test]
fn every_method_of_the_network_that_a_program_calls_has_an_example() {
    methods_have_examples(&NET);
}

fn methods_have_examples(library: &Library) {
    let (declared, public) = read(library);
    let methods = declared.methods.iter().filter(|method| {
        let owner = method.name.split("::").next();
        owner.is_some_and(|owner| owner.ends_with('!') || public.contains(owner))
            && !FOR_MACROS.contains(&method.name.as_str())
            && !owner.is_some_and(|owner| SHOWN_TOGETHER.contains(&owner))
    });
    let (with, without): (Vec<_>, Vec<_>) = methods.partition(|method| method.has_example);
    assert!(
        with.len() > library.at_least.1,
        "only {} examples found",
        with.len()
    );
    println!("{} methods with an example", with.len());
    assert!(
        without.is_empty(),
        "{} methods without an example:{}",
        without.len(),
        listed(without)
    );
}

/// Returns all Rust files below a folder.
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

/// Returns the names that the crate root and its public modules export.
fn public_names(src: &Path, library: &Library) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in library.re_export {
        let text = fs::read_to_string(src.join(file)).expect("the file is there");
        let text = text.replace("#[doc(hidden)]\npub use ", "#[doc(hidden)]\n");
        for statement in text.split("\npub use ").skip(1) {
            let statement = statement.split(';').next().unwrap_or_default();
            // Those of another crate have their docs there.
            if statement.starts_with("message_format::") {
                continue;
            }
            // A module, whose docs are those of its own file.
            if src.join(statement.replace("::", "/")).is_dir() {
                continue;
            }
            let list = statement.rsplit("::").next().unwrap_or_default();
            let list = statement.split_once('{').map_or(list, |(_, list)| list);
            names.extend(
                list.split([',', '{', '}'])
                    .map(str::trim)
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned),
            );
        }
    }
    // Constants are documented where they are declared, by a macro.
    names.retain(|name| name.contains(char::is_lowercase));
    for file in library.declare {
        let text = fs::read_to_string(src.join(file)).expect("the file is there");
        let text = text.replace("#[doc(hidden)]\npub ", "");
        names.extend(text.lines().filter_map(declared_type));
    }
    names
}

/// Returns the identifier that a text begins with.
fn word(text: &str) -> String {
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    text.split(ends).next().unwrap_or_default().to_owned()
}

impl Declared {
    fn read(&mut self, text: &str, file: &str) {
        // The type whose `impl` block, or the trait or the macro whose declaration is being read.
        let mut of = None;
        let mut in_trait = false;
        // All that it declares is hidden, as in `absent.rs`.
        let mut in_hidden = false;
        // The docs and attributes above the next item.
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
            let hidden = attributes.contains("doc(hidden)");
            if line.starts_with("impl") && !line.contains(" for ") {
                in_hidden = hidden;
                of = Some(implementing(line));
                in_trait = false;
            } else if let Some(name) = line.strip_prefix("pub trait ") {
                of = Some(word(name));
                in_trait = true;
                in_hidden = hidden;
            } else if let Some(name) = line.strip_prefix("macro_rules! ") {
                of = Some(word(name) + "!");
                in_trait = false;
                in_hidden = false;
            } else if let Some(name) = line.strip_suffix("! {") {
                of = Some(name.to_owned() + "!");
                in_trait = false;
                in_hidden = false;
            } else if line == "}" {
                of = None;
            }
            let item = |name: String| Item {
                name,
                place: format!("{file}:{}", at + 1),
                has_example: has_example(&docs),
            };
            if let Some(name) = code.strip_prefix("macro_rules! ") {
                if attributes.contains("macro_export") && !hidden {
                    self.macros.push(item(word(name)));
                }
            } else if let Some(name) = code.strip_prefix("pub use message_derive::") {
                // Docs here are shown in front of the macro's own docs. A name with underscores is for other
                // macros.
                if !name.starts_with("__") {
                    self.macros.push(item(word(name)));
                }
            } else if let Some(of) = &of
                && let Some(name) = method(line, in_trait)
            {
                if !hidden && !in_hidden {
                    self.methods.push(item(format!("{of}::{name}")));
                }
            } else if let Some(name) = line.strip_prefix("pub fn ") {
                self.functions.push(item(word(name)));
            } else if let Some(name) = declared_type(code).filter(|_| !hidden) {
                // Also in the call of a macro.
                self.types.push(item(name));
            }
            docs.clear();
            attributes.clear();
        }
    }
}

/// Returns the name of the type that an `impl` block is about.
fn implementing(line: &str) -> String {
    let rest = line.trim_start_matches("impl");
    let rest = match rest.strip_prefix('<') {
        Some(_) => rest.split_once("> ").map_or(rest, |(_, rest)| rest),
        None => rest.trim_start(),
    };
    word(rest.strip_prefix("dyn ").unwrap_or(rest))
}

/// Returns the name of the public method that a line declares. Methods of a public trait are public, and those
/// that a macro writes are indented further.
fn method(line: &str, in_trait: bool) -> Option<String> {
    let line = line.strip_prefix("    ")?;
    let line = if in_trait {
        line
    } else {
        line.trim_start().strip_prefix("pub ")?
    };
    let line = line.strip_prefix("const ").unwrap_or(line);
    line.strip_prefix("fn ").map(word)
}

/// Returns the name of the public type or trait that a line declares.
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

#[test]
fn what_is_hidden_needs_no_example() {
    let methods = |text: &str| {
        let mut declared = Declared::default();
        declared.read(text, "absent.rs");
        let names = declared.methods.into_iter().map(|method| method.name);
        names.collect::<Vec<_>>()
    };
    let block = "impl Recorder {\n    pub fn write(&self) {}\n}\n";
    assert_eq!(methods(block), ["Recorder::write"]);
    let hidden = format!("#[doc(hidden)]\n{block}");
    assert!(methods(&hidden).is_empty());
    assert_eq!(methods(&(hidden + block)), ["Recorder::write"]);
    assert!(
        methods("impl Recorder {\n    #[doc(hidden)]\n    pub fn write(&self) {}\n}\n").is_empty()
    );
}
