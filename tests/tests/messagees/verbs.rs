//! The verbs of a manager, of `speak_for` and of a context: the sources are read, to see that no type lacks a verb
//! that another has, and that none is written for each type anew. The exceptions are listed here, with their reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Sets of names: those of the public methods in the `impl` blocks of a type, or in the calls of a macro.
type Methods = BTreeMap<String, BTreeSet<String>>;

/// Lists the methods that only a context has, since they are about the running delivery.
const OF_A_DELIVERY: [&str; 10] = [
    "addressee",
    "envelope",
    "is_from_me",
    "is_overheard",
    "my_hook",
    "place",
    "recipient",
    "reply",
    "sender",
    "trace_id",
];

/// The verbs that are written for a manager and for a context, since their signatures differ.
const WRITTEN_TWICE: [(&str, &str); 5] = [
    (
        "get_mut",
        "from outside, the component is borrowed without a guard",
    ),
    (
        "inbox",
        "a context lends its mail for longer than it is borrowed",
    ),
    ("inbox_any", "like `inbox`"),
    ("inlet", "that of a context has the delivery as its cause"),
    ("unhook", "from outside, it returns the component"),
];

/// The files with methods that only the owner of a manager needs, who makes, drives, saves, connects and inspects it.
const FOR_THE_OWNER: [&str; 6] = [
    "carrier", "creation", "desk", "entrance", "frame", "inspect",
];

/// Lists the other methods that a context lacks.
const NOT_IN_A_HANDLER: [(&str, &str); 11] = [
    ("speak_for", "a handler only sends in its own name"),
    ("forget_retained", "no handler has needed it yet"),
    ("component_mut", "needs exclusive access to the components"),
    ("iter_mut", "needs exclusive access to the components"),
    ("reserve", "moves the components"),
    ("iter_all_mut", "needs exclusive access to the components"),
    ("set_mail_retention", "the mailboxes are being read"),
    ("set_trace_sink", "a trace begins between two sends"),
    ("settle", "is done when the outermost send returns"),
    ("shrink_to_fit", "the memory is in use"),
    ("writer", "needs exclusive access to the mailboxes"),
];

/// Reads the public methods in a folder of message-core, or in a file.
fn methods(of: &str) -> Methods {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../message-core/src")
        .join(of);
    let mut found = Methods::new();
    for file in files(&path) {
        let text = fs::read_to_string(&file).expect("the file can be read");
        let mut block = String::new();
        for line in text.lines() {
            if line.ends_with('{') && !line.starts_with(char::is_whitespace) {
                block = named(line);
            } else if let Some(method) = line.strip_prefix("    pub fn ") {
                let end = method.find(['<', '(']).expect("a method has parameters");
                found
                    .entry(block.clone())
                    .or_default()
                    .insert(method[..end].to_owned());
            }
        }
    }
    found
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("the sources are there");
    entries
        .map(|entry| entry.expect("the folder can be read").path())
        .collect()
}

/// Returns the type of an `impl` block, or the macro that is called.
fn named(line: &str) -> String {
    let types = ["MessageManager", "SpeakingFor", "Context", "Desk"];
    let of_type = || types.into_iter().find(|name| line.contains(name));
    let of_macro = line.strip_suffix(" {").filter(|name| name.ends_with('!'));
    of_macro.or_else(of_type).unwrap_or_default().to_owned()
}

/// Returns the names in all of these blocks.
fn united<'a>(methods: impl IntoIterator<Item = (&'a Methods, &'a str)>) -> BTreeSet<&'a str> {
    let blocks = methods
        .into_iter()
        .filter_map(|(methods, block)| methods.get(block));
    blocks.flatten().map(String::as_str).collect()
}

fn names<'a>(listed: &[(&'a str, &str)]) -> BTreeSet<&'a str> {
    listed.iter().map(|(name, _)| *name).collect()
}

#[test]
fn a_block_is_named_after_its_type_or_its_macro() {
    assert_eq!(named("impl MessageManager {"), "MessageManager");
    assert_eq!(named("impl<'m> SpeakingFor<'m> {"), "SpeakingFor");
    assert_eq!(named("impl<R> Context<'_, R> {"), "Context");
    assert_eq!(named("impl Context<'_, ForHandler> {"), "Context");
    assert_eq!(named("verbs! {"), "verbs!");
}

// holds: messagees.as-messagee-offers
#[test]
fn a_manager_and_a_context_offer_the_same_but_for_what_is_listed_here() {
    let (verbs, context, manager) = (methods("verbs"), methods("context"), methods("manager"));
    let shared = [(&verbs, "verbs!"), (&verbs, "verbs_without_sender!")];
    let shared = united(shared);
    assert!(shared.len() > 35, "only {} verbs found", shared.len());
    let own = united([(&context, "Context")]);
    let of_manager = [
        (&manager, "MessageManager"),
        (&verbs, "verbs_from_outside!"),
    ];
    let of_manager = united(of_manager);

    let twice: BTreeSet<_> = own.intersection(&of_manager).copied().collect();
    assert_eq!(
        twice,
        names(&WRITTEN_TWICE),
        "in a context and in the manager"
    );

    let only: BTreeSet<_> = own.difference(&of_manager).copied().collect();
    let speak_for = united([(&manager, "SpeakingFor")]);
    let only: BTreeSet<_> = only.difference(&speak_for).copied().collect();
    assert_eq!(only, BTreeSet::from(OF_A_DELIVERY), "only in a context");

    let for_the_owner = FOR_THE_OWNER.map(|file| methods(&format!("manager/{file}.rs")));
    let for_the_owner = united(
        for_the_owner
            .iter()
            .map(|methods| (methods, "MessageManager")),
    );
    let only: BTreeSet<_> = of_manager.difference(&for_the_owner).copied().collect();
    let only: BTreeSet<_> = only.difference(&own).copied().collect();
    assert_eq!(only, names(&NOT_IN_A_HANDLER), "only in the manager");
}

// holds: messagees.as-messagee-offers
#[test]
fn whatever_a_manager_sends_from_outside_is_sent_in_the_name_of_who_is_spoken_for() {
    let (verbs, manager) = (methods("verbs"), methods("manager"));
    let only = [
        (&manager, "MessageManager"),
        (&verbs, "verbs_without_sender!"),
    ];
    let speaks = |method: &&&str| {
        let verbs = [
            "send",
            "request",
            "post",
            "publish",
            "inbox",
            "pending",
            "cancel",
            "take_posts",
        ];
        // They look at the posts of the whole manager.
        let looks = ["pending_len", "pending_message"].contains(*method);
        !looks && verbs.iter().any(|verb| method.starts_with(verb)) || **method == "has_pending"
    };
    let only = united(only);
    let missing: Vec<_> = only.iter().filter(speaks).collect();
    assert!(missing.is_empty(), "sent from `Outside`: {missing:?}");
}
