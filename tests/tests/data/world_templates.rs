//! Contents of templates other than components: wires, groups, and which components begin disabled.

use message_core::lifecycle::{Disabled, Hooked};
use message_core::prelude::*;
use message_data::{self as data, Data, WireTarget};
use serde::{Deserialize, Serialize};

use crate::world_files::{GUARDS, Stamina, THIEVES, Weight, mistakes, read, world};

const GOBLIN: &str = r#"
    templates: {
        "thing": Template(components: [Weight(1)], groups: ["Thieves"]),
        "creature": Template(
            components: [Stamina(now: 8), Weight(2)],
            disabled: ["Stamina"],
            groups: ["Guards"],
            wires: [Wire(on: Wake, to: Me, send: Greet(whom: "grib", times: 1))],
        ),
        "goblin": Template(
            from: ["thing", "creature"],
            overrides: [Stamina(max: 9)],
            disabled: [("Weight", 1)],
            groups: ["Guards"],
            wires: [(on: Greet, to: "grib", send: Wake, times: 2)],
        ),
    },
"#;

fn enabled(manager: &MessageManager, id: MessageeId) -> Vec<bool> {
    let hooks = manager.hooks(id);
    hooks
        .map(|hook| manager.is_enabled(hook).expect("it is hooked"))
        .collect()
}

// holds: world-files.templates, world-files.template-disables
#[test]
fn who_is_made_from_templates_has_their_wires_groups_and_disabled_components() {
    let file = read(&world(&format!(
        r#"{GOBLIN}
        messagees: [
            (name: "grib", from: ["goblin"], components: [Weight(3)], disabled: [("Weight", 3)],
                groups: ["Thieves"], wires: [(on: Wake, to: Activator, send: Wake)]),
            (name: "mok", from: ["goblin"]),
        ],
        wires: [(from: "grib", on: Wake, to: "mok", send: Wake)]"#
    )));
    let mut manager = MessageManager::new();
    let made = file.instantiate(&mut manager).expect("it fits");
    let [grib, mok] = ["grib", "mok"].map(|name| made.get(name).expect("it is there"));
    // Weight(1), Stamina, Weight(2), and its own Weight(3).
    assert_eq!(enabled(&manager, grib), [false, false, true, false]);
    assert_eq!(enabled(&manager, mok), [false, false, true]);
    let stamina = manager.get::<Stamina>(grib).expect("it is hooked").clone();
    let weights = manager.hooks_of::<Weight>(grib).count();
    assert_eq!((stamina, weights), (Stamina::of(8, 9), 3));
    assert!(manager.members(GUARDS).eq([grib, mok]));
    assert!(manager.members(THIEVES).eq([grib, mok]));

    let wires: Vec<(MessageeId, WireTarget, String, Option<u64>)> = data::wires(&manager)
        .into_iter()
        .map(|wire| (wire.from, wire.to, wire.message, wire.left))
        .collect();
    let greet = || "Greet(whom: \"grib\", times: 1)".to_owned();
    let wake = || "Wake".to_owned();
    let expected = [
        (grib, WireTarget::Me, greet(), None),
        (grib, WireTarget::from(grib), wake(), Some(2)),
        (grib, WireTarget::Activator, wake(), None),
        (mok, WireTarget::Me, greet(), None),
        (mok, WireTarget::from(grib), wake(), Some(2)),
        (grib, WireTarget::from(mok), wake(), None),
    ];
    assert_eq!(wires, expected);
}

// holds: world-files.disabled-told-nothing
#[test]
fn a_component_that_begins_disabled_is_told_nothing_of_it_and_neither_is_anybody_else() {
    #[derive(Data, Serialize, Deserialize, Default)]
    #[serde(default)]
    #[data(name = "worlds.Sleeper")]
    struct Sleeper {
        told: u32,
    }
    #[handlers]
    impl Sleeper {
        #[on_receive]
        fn hooked(&mut self, _: &Hooked) {
            self.told += 1;
        }

        #[on_receive]
        fn disabled(&mut self, _: &Disabled) {
            self.told += 100;
        }
    }
    let file = read(&world(
        r#"templates: {"bed": (components: [Sleeper], disabled: ["Sleeper"])},
        messagees: [
            (name: "a", components: [Sleeper, Sleeper], disabled: [("Sleeper", 2)]),
            (name: "b", from: ["bed"]),
        ]"#,
    ));
    let mut manager = MessageManager::new();
    let (tell, told) = std::sync::mpsc::channel();
    manager.subscribe(Filter::of::<Disabled>(), move |_, _| {
        tell.send(()).expect("it is listened to");
    });
    let made = file.instantiate(&mut manager).expect("it fits");
    assert_eq!(told.try_iter().count(), 0);
    let [a, b] = ["a", "b"].map(|name| made.get(name).expect("it is there"));
    let hooks: Vec<HookId> = [a, b].iter().flat_map(|&id| manager.hooks(id)).collect();
    let told = hooks.iter().map(|&hook| {
        let sleeper = manager.component_mut::<Sleeper>(hook);
        sleeper.expect("it is hooked").told
    });
    // Only the two that were hooked to its messagee heard it; the others slept.
    assert_eq!(told.collect::<Vec<_>>(), [2, 0, 0]);
}

// holds: world-files.templates, world-files.all-or-nothing
#[test]
fn a_template_alone_brings_its_wires_groups_and_disabled_components() {
    let file = read(&world(&format!("{GOBLIN} messagees: [(name: \"grib\")]")));
    let mut manager = MessageManager::new();
    let error = file
        .instantiate_template(&mut manager, "goblin", "mok")
        .expect_err("nobody is called grib");
    assert_eq!(
        error.to_string(),
        "8:62: no messagee is called `grib`\n15:37: no messagee is called `grib`"
    );
    assert_eq!(
        (manager.messagees().count(), data::wires(&manager).len()),
        (0, 0)
    );

    let grib = manager.spawn_named("grib", ());
    let mok = file
        .instantiate_template(&mut manager, "goblin", "mok")
        .expect("it fits");
    assert_eq!(enabled(&manager, mok), [false, false, true]);
    assert!(manager.members(GUARDS).eq([mok]) && manager.members(THIEVES).eq([mok]));
    let wires = data::wires(&manager);
    assert!(wires.iter().all(|wire| wire.from == mok) && wires.len() == 2);

    // The messages they post refer to the messagees of this manager.
    #[derive(Default)]
    struct Heard(Vec<MessageeId>);
    #[handlers]
    impl Heard {
        #[on_receive]
        fn greet(&mut self, greet: &crate::world_files::Greet) {
            self.0.push(greet.whom);
        }
    }
    manager.hook(mok, Heard::default()).expect("it is alive");
    manager
        .send(mok, crate::world_files::Wake)
        .expect("it is alive");
    manager.tick(std::time::Duration::from_millis(1));
    assert_eq!(manager.get::<Heard>(mok).expect("it is hooked").0, [grib]);
}

// holds: world-files.all-mistakes
#[test]
fn mistakes_in_the_wires_groups_and_disabled_components_of_templates_have_their_places() {
    let text = r#"World(
    version: 1,
    templates: {
        "a": (components: [Weight(1)], disabled: ["Stamina", ("Weight", 2)], groups: ["Guard", "Thieves", "Thieves"]),
        "b": (wires: [
            (on: Wakes, to: Me, send: Wake),
            (from: "x", on: Wake, to: Me, send: Greet(whom: "y", times: 1)),
            (on: Wake, to: "nobody", send: Wake, stage: Immediate),
            (on: Wake, to: "nobody", send: Wake),
        ]),
        "c": (mnemonics: ["Hero"]),
    },
    messagees: [(name: "x", from: ["b"]), (name: "z", from: ["b"])],
)"#;
    let found = mistakes(text);
    let expected = [
        "4:51: there is no component to disable: `Stamina`; there are `Weight`",
        "4:63: there are fewer components `Weight`; there are `Weight`",
        "4:87: no group is declared as `Guard`; did you mean `Guards`?",
        "4:107: the group `Thieves` is joined twice",
        "6:18: no message with data is called `Wakes`; did you mean `Wake`?",
        "7:14: `Wire` has no field `from`; it has",
        "7:61: no messagee is called `y`",
        "8:57: a wire cannot post at once: expected one of",
        "8:28: this wire leads to nobody: no messagee in this file is called `nobody`",
        "9:28: this wire leads to nobody: no messagee in this file is called `nobody`",
        "11:15: `Template` has no field `mnemonics`; it has",
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

// holds: wires.template-alone
#[test]
fn a_wire_of_a_template_alone_leads_to_who_has_the_name_in_the_manager() {
    let file = read(&world(
        r#"templates: {"bell": (wires: [(on: Wake, to: ["ringer", "r*"], send: Wake)])}"#,
    ));
    let mut manager = MessageManager::new();
    let made = |manager: &mut MessageManager| file.instantiate_template(manager, "bell", "bell");
    let error = made(&mut manager).expect_err("nobody is called so");
    assert!(error.to_string().contains("no messagee is called `ringer`"));
    let ringer = manager.spawn_named("ringer", ());
    made(&mut manager).expect("it fits");
    let to = WireTarget::Messagees(vec![ringer]);
    assert_eq!(data::wires(&manager)[0].to, to);
    manager.spawn_named("ringer", ());
    let error = made(&mut manager).expect_err("two are called so");
    assert!(
        error
            .to_string()
            .contains("2 messagees are called `ringer`: expected one"),
        "{error}"
    );
}
