//! World files: which are read, which are refused, what they make, and what is written back.

use std::collections::BTreeMap;

use message_core::lifecycle::Hooked;
use message_core::prelude::*;
use message_core::{Mnemonic, TagSet};
use message_data::{self as data, Data, Digest, Selection, Wire, WireTarget, WorldFile};
use serde::{Deserialize, Serialize};

mnemonic!(HERO = "worlds.Hero", QUEEN = "worlds.Queen");
tag!(
    FOOD = "worlds.Food",
    CHEESE = "worlds.Food.Cheese",
    SMOKE = "worlds.Smoke"
);
group!(pub(crate) GUARDS = "worlds.Guards", pub(crate) THIEVES = "worlds.Thieves");

#[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
#[serde(default)]
#[data(name = "worlds.Stamina", alias = "Breath")]
pub(crate) struct Stamina {
    now: u32,
    max: u32,
    scale: f32,
    note: String,
}

impl Stamina {
    pub(crate) fn of(now: u32, max: u32) -> Self {
        Self {
            now,
            max,
            ..Self::default()
        }
    }
}

#[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
#[serde(default)]
#[data(name = "worlds.Temper")]
pub(crate) struct Temper {
    foe: Option<MessageeId>,
    friends: Vec<MessageeId>,
    inner: Inner,
}

#[derive(Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
#[serde(default)]
pub(crate) struct Inner {
    speed: u8,
    depth: u8,
}

#[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "worlds.Mood")]
pub(crate) enum Mood {
    Calm,
    Angry { at: u32 },
    Weary(u8),
}

#[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "worlds.Weight")]
pub(crate) struct Weight(pub(crate) u32);

#[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(transparent)]
#[data(name = "worlds.Bag", exact)]
struct Bag {
    items: Vec<String>,
}

#[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "worlds.Beacon")]
struct Beacon;

#[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "worlds.Contract", exact)]
struct Contract {
    with: MessageeId,
    gold: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "worlds.Greet", exact)]
pub(crate) struct Greet {
    pub(crate) whom: MessageeId,
    times: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "worlds.Wake")]
pub(crate) struct Wake;

pub(crate) fn read(text: &str) -> WorldFile {
    WorldFile::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub(crate) fn mistakes(text: &str) -> String {
    WorldFile::parse(text)
        .expect_err("it has mistakes")
        .to_string()
}

pub(crate) fn world(parts: &str) -> String {
    format!("World(version: 1, {parts})")
}

// holds: data.found-by-name
#[test]
fn all_kinds_of_components_are_read() {
    let file = read(&world(
        r#"messagees: [Messagee(name: "a", components: [
            Stamina(now: 3, scale: 0.1), Breath, Mood(Calm), Mood(Angry(at: 3)), Mood(Weary(2)),
            Weight(7), Bag(["x", "y"]), Beacon, Temper(), ("worlds.Weight", (9)),
        ])]"#,
    ));
    let mut manager = MessageManager::new();
    let id = file
        .instantiate(&mut manager)
        .expect("it fits")
        .get("a")
        .expect("it is there");
    let stamina = Stamina {
        now: 3,
        scale: 0.1,
        ..Stamina::default()
    };
    assert_eq!(*manager.get::<Stamina>(id).expect("it is hooked"), stamina);
    let moods = manager.hooks_of::<Mood>(id);
    let moods: Vec<String> = moods
        .map(|hook| data::component_to_text(&manager, hook).expect("it has data"))
        .collect();
    assert_eq!(
        moods,
        ["Mood(Calm)", "Mood(Angry(at: 3))", "Mood(Weary(2))"]
    );
    assert_eq!(*manager.get::<Mood>(id).expect("it is hooked"), Mood::Calm);
    assert_eq!(*manager.get::<Weight>(id).expect("it is hooked"), Weight(7));
    assert_eq!(manager.hooks_of::<Weight>(id).count(), 2);
    assert_eq!(manager.hooks_of::<Stamina>(id).count(), 2);
    let bag = manager.get::<Bag>(id).expect("it is hooked");
    assert_eq!(bag.items, ["x", "y"]);
    assert!(manager.get::<Beacon>(id).is_ok() && manager.get::<Temper>(id).is_ok());
}

// holds: world-files.override, world-files.templates
#[test]
fn an_override_replaces_fields_of_a_component_that_is_there_and_what_is_nested_as_a_whole() {
    let file = read(&world(
        r#"templates: {
            "goblin": Template(from: ["creature"], components: [Weight(3)],
                overrides: [Stamina(max: 12)]),
            "creature": Template(components: [Stamina(now: 8, max: 8), Temper(inner: (speed: 1, depth: 2))]),
        },
        messagees: [Messagee(name: "grib", from: ["goblin"],
            overrides: [Stamina(now: 5), Temper(inner: (speed: 4)), Weight(4)])]"#,
    ));
    let mut manager = MessageManager::new();
    let grib = file
        .instantiate(&mut manager)
        .expect("it fits")
        .get("grib")
        .expect("it is there");
    let stamina = manager.get::<Stamina>(grib).expect("it is hooked").clone();
    assert_eq!((stamina.now, stamina.max), (5, 12));
    let temper = manager.get::<Temper>(grib).expect("it is hooked").clone();
    assert_eq!(temper.inner, Inner { speed: 4, depth: 0 });
    assert_eq!(
        *manager.get::<Weight>(grib).expect("it is hooked"),
        Weight(4)
    );
    assert!(file.templates().eq(["goblin", "creature"]));
}

// holds: world-files.id-is-name, world-files.instanced-again
#[test]
fn names_refer_forwards_and_in_circles() {
    let file = read(&world(
        r#"messagees: [
            (name: "a", components: [Temper(foe: Some("b"), friends: ["a", "c", b])]),
            (name: "b", components: [Temper(foe: Some("a"))], children: [(name: "c")]),
        ]"#,
    ));
    let mut manager = MessageManager::new();
    let made = file.instantiate(&mut manager).expect("it fits");
    let [a, b, c] = ["a", "b", "c"].map(|name| made.get(name).expect("it is there"));
    let temper = manager.get::<Temper>(a).expect("it is hooked").clone();
    assert_eq!((temper.foe, temper.friends), (Some(b), vec![a, c, b]));
    assert_eq!(manager.get::<Temper>(b).expect("it is hooked").foe, Some(a));
    // Again: the names are those of the second time.
    let again = file.instantiate(&mut manager).expect("it fits");
    let other = again.get("a").expect("it is there");
    assert_ne!(other, a);
    assert_eq!(
        manager.get::<Temper>(other).expect("it is hooked").foe,
        again.get("b")
    );
}

// holds: world-files.declared-names
#[test]
fn families_mnemonics_groups_and_disabled_components_are_made() {
    let file = read(&world(
        r#"messagees: [
            (name: "camp", children: [(name: "x", groups: ["Guards"]), (name: "y", children: [])]),
            (name: "z", parent: "camp", mnemonics: ["Hero"], groups: ["worlds.Guards", "Thieves"],
                components: [Stamina, Weight(1), Weight(2)], disabled: ["Stamina", ("Weight", 2)]),
        ]"#,
    ));
    let mut manager = MessageManager::new();
    let made = file.instantiate(&mut manager).expect("it fits");
    let [camp, x, y, z] = ["camp", "x", "y", "z"].map(|name| made.get(name).expect("it is there"));
    assert!(manager.children(camp).eq([x, y, z]));
    assert_eq!(manager.bound(HERO), Some(z));
    assert!(manager.members(GUARDS).eq([x, z]) && manager.members(THIEVES).eq([z]));
    let hooks = manager
        .hooks(z)
        .map(|hook| manager.is_enabled(hook).expect("it is hooked"));
    assert_eq!(hooks.collect::<Vec<_>>(), [false, true, false]);
}

// holds: world-files.declared-names, world-files.undeclared-name
#[test]
fn addresses_in_components_are_names_that_are_declared() {
    #[derive(Data, Serialize, Deserialize, Debug, PartialEq)]
    #[data(name = "worlds.Aim", exact)]
    struct Aim {
        at: Recipient,
        leader: Mnemonic,
    }
    let text = world(
        r#"messagees: [
            (name: "a", components: [Aim(at: Id("b"), leader: "Hero")]),
            (name: "b", components: [Aim(at: Group("Guards"), leader: "worlds.Queen")]),
        ]"#,
    );
    let mut manager = MessageManager::new();
    let made = read(&text).instantiate(&mut manager).expect("it fits");
    let [a, b] = ["a", "b"].map(|name| made.get(name).expect("it is there"));
    let (at, leader) = (b.into(), HERO);
    assert_eq!(
        *manager.get::<Aim>(a).expect("it is hooked"),
        Aim { at, leader }
    );
    let (at, leader) = (GUARDS.into(), QUEEN);
    assert_eq!(
        *manager.get::<Aim>(b).expect("it is hooked"),
        Aim { at, leader }
    );
    let written = data::write_world(&manager, &Selection::all()).expect("it has data");
    assert!(
        written.contains(r#"Aim(at: Id("b"), leader: "Hero")"#),
        "{written}"
    );
    assert!(
        written.contains(r#"Aim(at: Group("Guards"), leader: "Queen")"#),
        "{written}"
    );
    let error = mistakes(&text.replace("\"Hero\"", "\"Heor\""));
    assert_eq!(
        error,
        "2:63: no mnemonic is declared as `Heor`; did you mean `Hero`?"
    );
}

// holds: world-files.tags-below, world-files.undeclared-name
#[test]
fn a_set_of_tags_names_a_tag_with_all_below_it() {
    #[derive(Data, Serialize, Deserialize, Debug, PartialEq)]
    #[data(name = "worlds.Nose", exact)]
    struct Nose {
        smells: TagSet,
    }
    let smells = |tags: &str| {
        let nose = format!("messagees: [(name: \"a\", components: [Nose(smells: [{tags}])])]");
        let file = read(&world(&nose));
        let mut manager = MessageManager::new();
        let made = file.instantiate(&mut manager).expect("it fits");
        let a = made.get("a").expect("it is there");
        let smells = manager.get::<Nose>(a).expect("it is hooked").smells;
        let written = data::write_world(&manager, &Selection::all());
        (smells, written.expect("it has data"))
    };
    assert_eq!(smells("\"Food\"").0, FOOD.into());
    assert_eq!(smells("\"worlds.Food.*\"").0, FOOD | CHEESE);
    let (all, written) = smells("\"Smoke\", \"Food.*\"");
    assert_eq!(all, FOOD | CHEESE | SMOKE);
    for tag in ["\"Food\"", "\"Cheese\"", "\"Smoke\""] {
        assert!(written.contains(tag), "{written}");
    }
    let text = world("messagees: [(components: [Nose(smells: [\"Fodo.*\"])])]");
    let error = mistakes(&text);
    assert!(
        error.ends_with("no tag is declared as `Fodo`; did you mean `Food`?"),
        "{error}"
    );
}

// holds: world-files.complete-before-hooked
#[test]
fn messagees_are_told_of_their_components_when_all_are_there() {
    #[derive(Data, Serialize, Deserialize, Default)]
    #[serde(default)]
    #[data(name = "worlds.Roll", exact)]
    struct Roll {
        seen: Vec<usize>,
    }
    #[handlers]
    impl Roll {
        #[on_receive]
        fn hooked(&mut self, _: &Hooked, cx: &mut Context<'_>) {
            self.seen.push(cx.find("*").count());
        }
    }
    let file = read(&world(
        r#"messagees: [(name: "a", components: [Roll(seen: [])]), (name: "b"), (name: "c")]"#,
    ));
    let mut manager = MessageManager::new();
    let a = file
        .instantiate(&mut manager)
        .expect("it fits")
        .get("a")
        .expect("it is there");
    assert_eq!(manager.get::<Roll>(a).expect("it is hooked").seen, [3]);
}

// holds: world-files.all-mistakes, world-files.undeclared-name
#[test]
fn all_mistakes_are_reported_at_once_with_their_places() {
    let text = r#"World(
    version: 1,
    templates: {
        "self": Template(from: ["self"]),
        "a": Template(from: ["b"]),
        "b": Template(from: ["a"]),
        "c": Template(from: ["nobody"]),
    },
    messagees: [
        Messagee(name: "one", components: [Stamin(now: 1), Stamina(nwo: 1, now: 300000000000, max: "x")]),
        Messagee(name: "one", parent: "oen", overrides: [Weight(1)]),
        Messagee(name: "up", parent: "down", mnemonics: ["Hero", "Heroo"]),
        Messagee(name: "down", parent: "up", mnemonics: ["Hero"], groups: ["Guard"]),
        Messagee(name: "foe", components: [Temper(foe: Some("bon"), inner: (sped: 3))], lable: ""),
        Messagee(components: [Weight(-1)], disabled: ["Mood"]),
    ],
    wires: [
        Wire(from: "one", on: Wake, to: "nobodyy", send: Wake, times: 0),
        Wire(from: "one", on: Greets, to: Him, send: Greet(whom: "one", times: -1), after: -2.5),
        Wire(on: Wake, to: Me, send: Wake, stage: Immediate),
    ],
)"#;
    let found = mistakes(text);
    let expected = [
        "4:33: `self` is made from itself: `self` from `self`",
        "6:30: `a` is made from itself: `a` from `b` from `a`",
        "7:30: no template is called `nobody`",
        "10:44: no component with data is called `Stamin`; did you mean `Stamina`?",
        "10:68: `Stamina` has no field `nwo`; it has `now`, `max`, `scale`, `note`; did you mean `now`?",
        "10:81: invalid value: integer `300000000000`, expected u32",
        "10:100: invalid type: string \"x\", expected u32",
        "11:24: two messagees are called `one`: expected names that differ; `label: \"one\"` gives \
         another one the same name in the manager",
        "11:39: no messagee in this file is called `oen`; did you mean `one`?",
        "11:58: there is no component to override: `Weight`; there are none",
        "12:38: `up` is its own ancestor: `up` under `down` under `up`",
        "12:66: no mnemonic is declared as `Heroo`; did you mean `Hero`?",
        "13:58: the mnemonic `worlds.Hero` is bound twice: to `up` and to `down`",
        "13:76: no group is declared as `Guard`; did you mean `Guards`?",
        "14:61: no messagee is called `bon`",
        "14:77: `Inner` has no field `sped`; it has `speed`, `depth`; did you mean `speed`?",
        "14:89: `Messagee` has no field `lable`; it has",
        "15:9: this messagee has no name: expected `name: \"…\"`",
        "15:37: invalid value: integer `-1`, expected u32",
        "15:55: there is no component to disable: `Mood`; there are `Weight`",
        "18:41: this wire leads to nobody: no messagee in this file is called `nobodyy`",
        "18:71: a wire that fires zero times does nothing: expected `times: 1` or more",
        "19:31: no message with data is called `Greets`; did you mean `Greet`?",
        "19:43: expected a name between `\"` or a list of names, `Me`, `Sender`, `Activator`, `Parent`, \
         `Children`, `Siblings`, `Mnemonic(\"…\")`, `Group(\"…\")` or `Named(\"…\")`, found `Him`",
        "19:92: expected a number of seconds from 0",
        "20:9: this wire has no origin: expected `from: \"…\"`",
        "20:51: a wire cannot post at once: expected one of `FixedUpdate`, `Update`, `LateUpdate`, `EndOfFrame`",
    ];
    let lines: Vec<&str> = found.lines().collect();
    for expected in expected {
        assert!(
            lines.iter().any(|line| line.starts_with(expected)),
            "{expected}\n---\n{found}"
        );
    }
    assert_eq!(lines.len(), expected.len(), "{found}");
}

// holds: world-files.reading-changes-nothing
#[test]
fn a_file_is_read_without_a_manager_and_nothing_is_made() {
    let mut manager = MessageManager::new();
    let before = Digest::of(&manager);
    let text = world(
        r#"messagees: [(name: "a", mnemonics: ["Queen"], groups: ["Thieves"],
            components: [Stamina], wires: [(on: Wake, to: Me, send: Wake)])]"#,
    );
    // Any number of times, and no manager is at hand.
    let parse: fn(&str) -> Result<WorldFile, _> = WorldFile::parse;
    let [first, second] = [(); 2].map(|()| parse(&text).expect("it is right"));
    assert_eq!(Digest::of(&manager), before);
    assert!(manager.is_empty() && manager.bound(QUEEN).is_none());
    assert_eq!(second.instantiate(&mut manager).expect("it fits").len(), 1);
    let error = first.instantiate(&mut manager).expect_err("it is bound");
    assert!(error.to_string().contains("is already bound to"), "{error}");
}

// holds: world-files.all-or-nothing, world-files.mnemonic-bound
#[test]
fn an_instance_is_all_or_nothing() {
    let text = world(
        r#"messagees: [(name: "a", mnemonics: ["Queen"], groups: ["Thieves"],
            components: [Stamina], wires: [(on: Wake, to: Me, send: Wake)]),
            (name: "b", mnemonics: ["Hero"])]"#,
    );
    let file = read(&text);
    let mut manager = MessageManager::new();
    let first = manager.spawn_named("the first", ());
    manager.bind(HERO, first).expect("it is free");
    let error = file
        .instantiate(&mut manager)
        .expect_err("the mnemonic is bound");
    let expected = format!(
        "2:36: the mnemonic `worlds.Hero` is already bound to {first}, so `b` cannot have it"
    );
    assert!(error.to_string().contains(&expected[5..]), "{error}");
    assert_eq!(error.errors()[0].line(), Some(3));
    assert_eq!((manager.len(), manager.bound(QUEEN)), (1, None));
    assert_eq!(manager.members(THIEVES).count(), 0);
    assert!(data::wires(&manager).is_empty() && manager.find("a").next().is_none());
    // The ids that were foreseen are still to come.
    let mut other = MessageManager::new();
    other.spawn(());
    let print = |id: MessageeId| format!("{id:#}");
    assert_eq!(print(manager.spawn(())), print(other.spawn(())));
    manager.unbind(HERO, first).expect("it is bound");
    assert_eq!(
        file.instantiate(&mut manager)
            .expect("now it is free")
            .len(),
        2
    );
}

// holds: messagees.names-may-repeat
#[test]
fn names_in_the_manager_need_not_differ() {
    let file = read(&world(
        r#"messagees: [(name: "rat 1", label: "rat"), (name: "rat 2", label: "rat"), (name: "x", label: "")]"#,
    ));
    let mut manager = MessageManager::new();
    let made = file.instantiate(&mut manager).expect("it fits");
    assert_eq!(manager.find("rat").count(), 2);
    assert_eq!(manager.name(made.get("x").expect("it is there")), None);
}

#[test]
fn a_file_in_another_encoding_is_refused() {
    let utf16: Vec<u8> = "\u{feff}World(version: 1)"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let error = WorldFile::from_bytes(&utf16)
        .expect_err("it is UTF-16")
        .to_string();
    assert!(error.contains("UTF-16: expected UTF-8"), "{error}");
    let error =
        WorldFile::from_bytes(b"World(\n  version: 1, // Gr\xfc\xdfe\n)").expect_err("Latin 1");
    let error = &error.errors()[0];
    assert_eq!((error.line(), error.column()), (Some(2), Some(20)));
    assert!(WorldFile::from_bytes("\u{feff}World(version: 1)".as_bytes()).is_ok());
}

#[test]
fn a_file_of_another_version_is_refused() {
    assert_eq!(
        mistakes("World(version: 2)"),
        "1:16: expected the version 1 of world files, found the integer `2`; it was written for a \
         newer version of message-core"
    );
    assert_eq!(
        mistakes("World()"),
        "1:1: the world has no version: expected `version: 1`"
    );
    assert!(mistakes("World(version: 1").contains("the text ends here"));
    assert!(
        mistakes("[1]").contains("expected `World` with its fields in parentheses, found a list")
    );
}

// holds: world-files.all-mistakes
#[test]
fn a_file_is_named_in_every_mistake() {
    let path = std::env::temp_dir().join(format!("worlds-{}.ron", std::process::id()));
    std::fs::write(&path, "World(version: 1,\n messages: [],\n wirse: [])")
        .expect("it can be written");
    let error = WorldFile::read(&path).expect_err("it has mistakes");
    std::fs::remove_file(&path).expect("it is there");
    let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with(&format!("{}:2:2: ", path.display())),
        "{error}"
    );
    assert!(
        lines[1].starts_with(&format!("{}:3:2: ", path.display())),
        "{error}"
    );
}

#[test]
fn templates_are_used_once_and_not_made_from_each_other_without_end() {
    let diamond = world(
        r#"templates: {"base": (), "a": (from: ["base"]), "b": (from: ["base"]), "c": (from: ["a", "b"])}"#,
    );
    assert!(
        mistakes(&diamond).ends_with("the template `base` is used twice: the second time by `b`")
    );
    assert!(
        mistakes(&world(r#"templates: {"a": (), "b": (from: ["a", "a"])}"#))
            .ends_with("the template `a` is used twice")
    );
    let chain: Vec<String> = (0..200)
        .map(|at| format!(r#""{at}": (from: ["{}"])"#, at + 1))
        .collect();
    let chain = chain.join(",");
    let deep = mistakes(&world(&format!(r#"templates: {{{chain}, "200": ()}}"#)));
    assert!(
        deep.contains("templates are nested too deeply: expected at most 100"),
        "{deep}"
    );
}

/// Returns everything in a world that can be compared, by name, since ids differ.
pub(crate) fn picture(manager: &MessageManager) -> BTreeMap<String, Vec<String>> {
    let mut picture = BTreeMap::new();
    let name = |id: MessageeId| {
        manager
            .name(id)
            .map_or_else(String::new, |name| name.to_string())
    };
    for id in manager.messagees() {
        let mut lines = Vec::new();
        for hook in manager.hooks(id) {
            let text = data::component_to_text(manager, hook).expect("it has data");
            lines.push(format!(
                "{text} {}",
                manager.is_enabled(hook).expect("it is hooked")
            ));
        }
        lines.push(format!("parent {:?}", manager.parent(id).map(name)));
        lines.push(format!(
            "children {:?}",
            manager.children(id).map(name).collect::<Vec<_>>()
        ));
        for group in [GUARDS, THIEVES] {
            let members: Vec<_> = manager.members(group).map(name).collect();
            lines.push(format!("{} {members:?}", group.name()));
        }
        for mnemonic in [HERO, QUEEN] {
            lines.push(format!("{}", manager.bound(mnemonic) == Some(id)));
        }
        for wire in data::wires(manager) {
            if wire.from == id {
                let to = match &wire.to {
                    WireTarget::Messagees(ids) => {
                        let names: Vec<_> = ids.iter().map(|&id| name(id)).collect();
                        format!("{names:?}")
                    }
                    other => other.to_string(),
                };
                let rest = (wire.on, to, wire.message, wire.header, wire.when, wire.left);
                lines.push(format!("wire {rest:?} {}", wire.enabled));
            }
        }
        picture.insert(name(id), lines);
    }
    picture
}

// holds: world-files.write-world
#[test]
fn what_is_written_is_read_back_to_the_same_world() {
    let mut manager = MessageManager::new();
    let camp = manager.spawn_named("camp", (Beacon, Weight(3), Weight(4)));
    let hero = manager.spawn_named(
        "he\"ro",
        (
            Mood::Weary(3),
            Bag {
                items: vec!["a".into()],
            },
        ),
    );
    let third = manager.spawn_named(
        "third",
        (Contract {
            with: hero,
            gold: 7,
        },),
    );
    manager
        .set_parent(hero, Some(camp))
        .expect("both are alive");
    manager.bind(HERO, hero).expect("it is free");
    for (group, id) in [
        (GUARDS, third),
        (GUARDS, camp),
        (THIEVES, camp),
        (THIEVES, hero),
    ] {
        manager.join(group, id).expect("it is alive");
    }
    let last = manager.hooks(camp).last().expect("it has hooks");
    manager.set_enabled(last, false).expect("it is hooked");
    let greet = Greet {
        whom: third,
        times: 2,
    };
    let wire = Wire::on::<Wake>(third).send(WireTarget::Activator, greet);
    let second = std::time::Duration::from_millis(1_250);
    data::add_wire(
        &mut manager,
        wire.times(3)
            .header(|it| it.after(second).stage(Stage::LateUpdate)),
    )
    .expect("it is right");
    let wire = Wire::on::<Wake>(camp).send("c*", Wake);
    data::add_wire(&mut manager, wire.enabled(false)).expect("it is right");
    data::add_wire(&mut manager, Wire::on::<Wake>(camp).send(GUARDS, Wake)).expect("it is right");

    let text = data::write_world(&manager, &Selection::all()).expect("all of it has data");
    let mut again = MessageManager::new();
    read(&text).instantiate(&mut again).expect("it fits");
    assert_eq!(picture(&again), picture(&manager), "{text}");
    assert!(
        data::wires(&again)
            .iter()
            .zip(data::wires(&manager))
            .all(|(a, b)| a.message == b.message),
        "{text}"
    );
    assert_eq!(
        data::write_world(&again, &Selection::all()).expect("it has data"),
        text
    );
}

// holds: world-files.write-world
#[test]
fn who_has_no_name_or_that_of_another_gets_one_in_the_file() {
    let mut manager = MessageManager::new();
    manager.spawn(());
    manager.spawn_named("rat", ());
    manager.spawn_named("rat", ());
    let text =
        data::write_world(&manager, &Selection::all()).expect("there is nothing that could not be");
    let file = read(&text);
    assert!(
        file.messagees().eq(["messagee 1", "rat", "rat 1"]),
        "{text}"
    );
    let mut again = MessageManager::new();
    let made = file.instantiate(&mut again).expect("it fits");
    assert_eq!(again.find("rat").count(), 2);
    assert_eq!(
        again.name(made.get("messagee 1").expect("it is there")),
        None
    );
}

// holds: world-files.write-world
#[test]
fn a_family_of_any_depth_is_written() {
    let mut manager = MessageManager::new();
    let mut above = None;
    for depth in 0..300 {
        let id = manager.spawn_named(format!("{depth}"), (Weight(depth),));
        manager.set_parent(id, above).expect("both are alive");
        above = Some(id);
    }
    let text = data::write_world(&manager, &Selection::all()).expect("it has data");
    let mut again = MessageManager::new();
    read(&text).instantiate(&mut again).expect("it fits");
    assert_eq!(picture(&again), picture(&manager));
}

#[test]
fn what_cannot_be_written_is_listed_or_left_out() {
    struct Secret;
    struct Whisper;
    let mut manager = MessageManager::new();
    let spy = manager.spawn_named("spy", (Secret, Weight(1), Whisper));
    let other = manager.spawn_named("other", (Contract { with: spy, gold: 1 },));
    let error = data::write_world(&manager, &Selection::all()).expect_err("two have no data");
    assert_eq!(error.errors().len(), 2);
    assert!(
        error.to_string().contains("::Secret` of 0v") || error.to_string().contains("::Secret` of")
    );
    let text = data::write_world(&manager, &Selection::all().without_unwritable())
        .expect("what is left has data");
    assert!(
        text.contains("Weight(1)") && !text.contains("Secret"),
        "{text}"
    );
    let error =
        data::write_world(&manager, &Selection::of([other])).expect_err("the spy is not written");
    assert!(
        error
            .to_string()
            .contains("is not among the messagees that are written"),
        "{error}"
    );
    let wire = Wire::on::<Wake>(other).send(spy, Wake);
    data::add_wire(&mut manager, wire).expect("it is right");
    manager
        .unhook::<Contract>(manager.hook_of::<Contract>(other).expect("it is hooked"))
        .expect("it is");
    let error =
        data::write_world(&manager, &Selection::of([other])).expect_err("the spy is not written");
    assert!(
        error
            .to_string()
            .contains("which is not among the messagees that are written"),
        "{error}"
    );
}

/// A generator of numbers that is always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }

    fn number(&mut self) -> u32 {
        u32::try_from(self.below(1 << 30)).expect("30 bits fit")
    }
}

fn random_wire(dice: &mut Dice, some: &impl Fn(&mut Dice) -> MessageeId) -> Wire {
    let to = match dice.below(8) {
        0 => WireTarget::Me,
        1 => WireTarget::Activator,
        2 => HERO.into(),
        3 => GUARDS.into(),
        4 => WireTarget::Siblings,
        5 | 6 => {
            let mut ids: Vec<_> = (0..=dice.below(3)).map(|_| some(dice)).collect();
            ids.dedup();
            ids.truncate(2);
            WireTarget::Messagees(ids)
        }
        _ => "*".into(),
    };
    let greet = Greet {
        whom: some(dice),
        times: dice.number(),
    };
    let after = std::time::Duration::from_nanos(u64::from(dice.number()));
    let wire = match dice.below(4) {
        0 => Wire::on::<Greet>(some(dice))
            .send(to, greet)
            .fill("times", "times"),
        1 => Wire::on::<Greet>(some(dice)).pass_on(to),
        2 => Wire::on::<Wake>(some(dice)).cancel("bell"),
        _ => Wire::on::<Wake>(some(dice)).send(to, greet),
    };
    let wire = match dice.below(3) {
        0 => wire.header(|it| it.after(after).key("bell").keep_phase()),
        1 => wire.header(|it| {
            it.every_frames(1 + dice.below(9) as u64)
                .stage(Stage::LateUpdate)
        }),
        _ => wire.header(|it| it.after(after)),
    };
    let wire = if dice.below(2) == 0 {
        wire
    } else {
        wire.times(1 + dice.below(9) as u64)
    };
    wire.enabled(dice.below(4) > 0)
}

fn random_world(dice: &mut Dice) -> MessageManager {
    let mut manager = MessageManager::new();
    let mut ids: Vec<MessageeId> = Vec::new();
    for number in 0..=dice.below(12) {
        let name = ["a*b", "plain", "two words", "\u{1f980}", "q\"uo\\te"][dice.below(5)];
        ids.push(manager.spawn_named(format!("{name} {number}"), ()));
    }
    let some = |dice: &mut Dice| ids[dice.below(ids.len())];
    for _ in 0..dice.below(30) {
        let id = some(dice);
        let hook = match dice.below(7) {
            0 => manager.hook(id, Weight(dice.number())),
            1 => manager.hook(id, Mood::Angry { at: dice.number() }),
            2 => manager.hook(id, Beacon),
            3 => {
                let items = (0..dice.below(3)).map(|_| format!("i\n{}", dice.number()));
                manager.hook(
                    id,
                    Bag {
                        items: items.collect(),
                    },
                )
            }
            4 => manager.hook(
                id,
                Contract {
                    with: some(dice),
                    gold: dice.number(),
                },
            ),
            5 => manager.hook(
                id,
                Temper {
                    foe: (dice.below(2) == 0).then(|| some(dice)),
                    friends: (0..dice.below(4)).map(|_| some(dice)).collect(),
                    inner: Inner::default(),
                },
            ),
            _ => {
                #[allow(clippy::cast_precision_loss, reason = "any number will do")]
                let scale = dice.number() as f32 / 7.0;
                manager.hook(
                    id,
                    Stamina {
                        scale,
                        ..Stamina::default()
                    },
                )
            }
        };
        if dice.below(4) == 0 {
            manager
                .set_enabled(hook.expect("it is alive"), false)
                .expect("it is hooked");
        }
    }
    for _ in 0..dice.below(10) {
        // A circle is refused.
        let _ = manager.set_parent(some(dice), Some(some(dice)));
        let group = [GUARDS, THIEVES][dice.below(2)];
        manager.join(group, some(dice)).expect("it is alive");
        let _ = manager.bind([HERO, QUEEN][dice.below(2)], some(dice));
    }
    for _ in 0..dice.below(6) {
        let wire = random_wire(dice, &some);
        data::add_wire(&mut manager, wire).expect("it is right");
    }
    manager
}

// holds: world-files.write-world
#[test]
fn random_worlds_are_written_and_read_back_equal() {
    let mut dice = Dice(7);
    for _ in 0..200 {
        let manager = random_world(&mut dice);
        let text = data::write_world(&manager, &Selection::all()).expect("all of it has data");
        let mut again = MessageManager::new();
        read(&text)
            .instantiate(&mut again)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(picture(&again), picture(&manager), "{text}");
    }
}

// holds: data.readers-are-safe
#[test]
fn no_text_makes_the_reader_panic() {
    let mut dice = Dice(3);
    let right = include_str!("worlds.ron");
    read(right);
    let words = [
        "(", ")", "[", "]", "{", "}", ",", ":", "\"", "Some", "Messagee", "name", "\"a\"", "1",
        "-1", "1e999", "NaN", "parent", "\"grib\"", "from", "times", "0", "r#", "/*", "\u{0}",
        "Me", "Wire(", "\\",
    ];
    let mut refused = 0;
    for _ in 0..3_000 {
        let mut characters: Vec<char> = right.chars().collect();
        for _ in 0..=dice.below(4) {
            let at = dice.below(characters.len());
            match dice.below(3) {
                0 => {
                    let end = (at + 1 + dice.below(20)).min(characters.len());
                    characters.drain(at..end);
                }
                1 => {
                    let word = words[dice.below(words.len())];
                    characters.splice(at..at, word.chars());
                }
                _ => {
                    let from = dice.below(characters.len());
                    let end = (from + dice.below(40)).min(characters.len());
                    let piece: Vec<char> = characters[from..end].to_vec();
                    characters.splice(at..at, piece);
                }
            }
        }
        let text: String = characters.into_iter().collect();
        match WorldFile::parse(&text) {
            Ok(file) => {
                let mut manager = MessageManager::new();
                let _ = file.instantiate(&mut manager);
            }
            Err(error) => {
                refused += 1;
                for error in error.errors() {
                    assert!(error.line().is_some(), "{error}");
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

/// The first mistake is deep in a value, far after the name of its field, which is not the first field.
// holds: world-files.all-mistakes
#[test]
fn a_mistake_behind_one_that_is_nested_is_reported_too() {
    for first in ["", "friends: [], "] {
        let text = format!(
            r#"World(version: 1, messagees: [
            (name: "foe", components: [Temper({first}inner: (depth: 3, speed: "fast"), foe: 3)]),
        ])"#
        );
        let found = mistakes(&text);
        assert_eq!(found.lines().count(), 2, "{found}");
    }
}

macro_rules! wide {
    ($($field:ident)*) => {
        /// More fields than a value is read again for.
        #[derive(Data, Serialize, Deserialize, Debug, Default)]
        #[serde(default)]
        #[data(name = "worlds.Wide")]
        struct Wide {
            $($field: u32,)*
        }

        const FIELDS: &[&str] = &[$(stringify!($field)),*];
    };
}

wide!(
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9
    c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 d0 d1 d2 d3 d4 d5
);

// holds: world-files.all-mistakes
#[test]
fn all_mistakes_are_reported_however_many_fields_stand_in_front_of_them() {
    let (right, wrong) = FIELDS.split_at(FIELDS.len() - 2);
    let right = right.iter().map(|field| format!("{field}: 1, "));
    let wrong = wrong.iter().map(|field| format!("{field}: \"x\", "));
    let fields: String = right.chain(wrong).collect();
    let found = mistakes(&world(&format!(
        r#"messagees: [(name: "wide", components: [Wide({fields})])]"#
    )));
    assert_eq!(found.lines().count(), 2, "{found}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_without_a_place() {
    let error = WorldFile::read("no/such/world.ron").expect_err("it is not there");
    let text = error.to_string();
    let begin = "no/such/world.ron: the file cannot be read: ";
    assert!(text.starts_with(begin), "{text}");
    assert_eq!(error.errors()[0].line(), None);
}
