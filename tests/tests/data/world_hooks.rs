//! Components that others refer to, and those that cannot be referred to, in world files.

use std::collections::BTreeMap;

use message_core::SubscriptionId;
use message_core::prelude::*;
use message_data::{self as data, Data, Selection};
use serde::{Deserialize, Serialize};

use crate::world_files::{Weight, mistakes, read, world};

#[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
#[serde(default)]
#[data(name = "hooks.Grip")]
struct Grip {
    on: Option<HookId>,
    others: Vec<HookId>,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "hooks.Loosen", exact)]
struct Loosen {
    what: HookId,
}

#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
#[data(name = "hooks.Waiting")]
struct Waiting {
    until: Option<Ticket>,
}

#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
#[data(name = "hooks.Listening")]
struct Listening {
    by: Option<SubscriptionId>,
}

fn grips(manager: &mut MessageManager, id: MessageeId) -> Vec<Grip> {
    let hooks: Vec<HookId> = manager.hooks_of::<Grip>(id).collect();
    let mut grip = |hook| {
        manager
            .component_mut::<Grip>(hook)
            .expect("it is hooked")
            .clone()
    };
    hooks.into_iter().map(&mut grip).collect()
}

// holds: world-files.hook-is-name, world-files.instanced-again
#[test]
fn components_are_referred_to_by_messagee_and_type_forwards_and_in_circles() {
    let file = read(&world(
        r#"messagees: [
            (name: "a", components: [
                Grip(on: Some("b/Weight"), others: ["b/Weight#2", "b/worlds.Weight#3", "a/Grip"]),
                Grip(on: Some("a/Grip#1")),
                Grip(on: Some("b/c/Weight")),
            ]),
            (name: "b", components: [Weight(1), Grip(on: Some("a/Grip#2")), Weight(2), Weight(3)]),
            (name: "b/c", components: [Weight(4)]),
        ]"#,
    ));
    let mut manager = MessageManager::new();
    // Ids that were used before make no difference.
    let gone = manager.spawn((Weight(9), Weight(8)));
    manager.despawn(gone).expect("it is alive");
    for _ in 0..2 {
        let made = file.instantiate(&mut manager).expect("it fits");
        let [a, b, c] = ["a", "b", "b/c"].map(|name| made.get(name).expect("it is there"));
        let weights: Vec<HookId> = manager.hooks_of::<Weight>(b).collect();
        let own: Vec<HookId> = manager.hooks_of::<Grip>(a).collect();
        let grip = |on: HookId, others: Vec<HookId>| Grip {
            on: Some(on),
            others,
        };
        let expected = [
            grip(weights[0], vec![weights[1], weights[2], own[0]]),
            grip(own[0], vec![]),
            grip(manager.hook_of::<Weight>(c).expect("it is hooked"), vec![]),
        ];
        assert_eq!(grips(&mut manager, a), expected);
        assert_eq!(grips(&mut manager, b), [grip(own[1], vec![])]);
    }
}

// holds: world-files.hook-is-name
#[test]
fn a_message_of_a_wire_can_be_about_a_component() {
    let file = read(&world(
        r#"messagees: [(name: "a", components: [Weight(1)], wires: [
            (on: Wake, to: Me, send: Loosen(what: "a/Weight")),
        ])]"#,
    ));
    let mut manager = MessageManager::new();
    file.instantiate(&mut manager).expect("it fits");
    let text = data::write_world(&manager, &Selection::all()).expect("it has data");
    assert!(text.contains(r#"Loosen(what: "a/Weight")"#), "{text}");
}

// holds: world-files.hook-is-name, world-files.write-world
#[test]
fn references_to_components_are_written_back() {
    let mut manager = MessageManager::new();
    let a = manager.spawn_named("a", (Weight(1), Weight(2), Grip::default()));
    let b = manager.spawn_named("b", (Grip::default(), Grip::default()));
    let weights: Vec<HookId> = manager.hooks_of::<Weight>(a).collect();
    let of_b: Vec<HookId> = manager.hooks_of::<Grip>(b).collect();
    let of_a = manager.hook_of::<Grip>(a).expect("it is hooked");
    *manager.get_mut::<Grip>(a).expect("it is hooked") = Grip {
        on: Some(of_b[1]),
        others: weights,
    };
    manager
        .component_mut::<Grip>(of_b[0])
        .expect("it is hooked")
        .on = Some(of_a);
    let text = data::write_world(&manager, &Selection::all()).expect("it has data");
    let expected = r#"Grip(on: Some("b/Grip#2"), others: ["a/Weight", "a/Weight#2"])"#;
    assert!(text.contains(expected), "{text}");
    assert!(
        text.contains(r#"Grip(on: Some("a/Grip"), others: [])"#),
        "{text}"
    );

    let mut again = MessageManager::new();
    read(&text).instantiate(&mut again).expect("it fits");
    let written = data::write_world(&again, &Selection::all()).expect("it has data");
    assert_eq!(written, text);

    let error =
        data::write_world(&manager, &Selection::of([b])).expect_err("the other one is not written");
    let what = error.to_string();
    assert!(
        what.contains("is not among the components that are written"),
        "{what}"
    );
}

// holds: world-files.all-mistakes
#[test]
fn a_component_that_is_not_there_is_an_error_with_the_place_and_the_nearest() {
    let cases = [
        (
            "b",
            "expected the name of a messagee and of a component of it, such as \"b/Health\" or \
             \"b/Health#2\" for the second one",
        ),
        ("nobody/Weight", "no messagee is called `nobody`"),
        ("c/Weight", "no messagee is called `c`"),
        ("b/Wait", "no component with data is called `Wait`"),
        ("b/Grip", "`b` has no component `Grip`; it has `Weight`"),
        (
            "b/Weight#3",
            "`b` has 2 components `Weight`: expected a number up to 2",
        ),
        ("b/Weight#0", "expected a number of at least 1 after `#`"),
        ("b/Weight#x", "expected a number of at least 1 after `#`"),
    ];
    for (text, expected) in cases {
        let found = mistakes(&world(&format!(
            "messagees: [(name: \"a\", components: [Grip(on: Some(\"{text}\"))]), \
             (name: \"b\", components: [Weight(1), Weight(2)])]"
        )));
        let place = "1:70: ";
        assert!(found.starts_with(place), "{text}: {found}");
        assert!(
            found[place.len()..].starts_with(expected),
            "{text}: {found}"
        );
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    let found = mistakes(&world(
        "messagees: [(name: \"a\", components: [Grip(on: Some(3))])]",
    ));
    let expected = "expected the name of a messagee and of a component of it, found the number 3";
    assert!(found.ends_with(expected), "{found}");
}

// holds: world-files.no-tickets
#[test]
fn a_ticket_and_the_id_of_a_subscription_have_no_meaning_in_a_world_file() {
    let file = read(&world(
        r#"messagees: [(name: "a", components: [Waiting, Waiting(until: None), Listening])]"#,
    ));
    assert_eq!(file.messagees().count(), 1);
    let cases = [
        ("Waiting(until: Some((None, 3)))", "1:76: "),
        ("Waiting(until: Some(\"soon\"))", "1:76: "),
        ("Listening(by: Some(3))", "1:75: "),
    ];
    for (component, place) in cases {
        let text = world(&format!(
            "messagees: [(name: \"a\", components: [{component}])]"
        ));
        let found = mistakes(&text);
        assert!(found.starts_with(place), "{found}");
        assert!(found.contains("has no meaning there"), "{found}");
    }

    #[derive(Message, Clone)]
    struct Ring;
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("a", (Waiting::default(),));
    let header = Header::to(id).after(std::time::Duration::from_secs(1));
    let header = header.build().expect("it is right");
    let ticket = manager.post(&header, Ring).expect("it is alive");
    manager.get_mut::<Waiting>(id).expect("it is hooked").until = Some(ticket);
    let error =
        data::write_world(&manager, &Selection::all()).expect_err("a ticket has no meaning");
    let expected = "a ticket or a cursor has no meaning there";
    let found = error.to_string();
    assert!(
        found.contains("the component `hooks.Waiting` of") && found.ends_with(expected),
        "{found}"
    );
}

#[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
#[serde(default)]
#[data(name = "hooks.Memory")]
struct Memory {
    foe: Option<MessageeId>,
    twice: Option<Option<MessageeId>>,
    friends: Vec<Option<MessageeId>>,
    held: Option<HookId>,
    deeds: BTreeMap<String, Option<Deed>>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
enum Deed {
    Rested,
    Struck { whom: Option<MessageeId> },
}

#[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "hooks.Oath", exact)]
struct Oath {
    to: MessageeId,
    with: Option<Vec<MessageeId>>,
}

/// Returns a manager with a messagee `a`, and the ids of a messagee and a component that are gone.
fn with_the_dead() -> (MessageManager, MessageeId, MessageeId, HookId) {
    let mut manager = MessageManager::new();
    let living = manager.spawn_named("a", ());
    let dead = manager.spawn_named("b", (Grip::default(),));
    let hook = manager.hook_of::<Grip>(dead).expect("it is hooked");
    manager.despawn(dead).expect("it is alive");
    (manager, living, dead, hook)
}

// holds: world-files.gone
#[test]
fn an_optional_id_of_what_is_gone_is_written_as_none() {
    let (mut manager, living, dead, hook) = with_the_dead();
    let memory = Memory {
        foe: Some(dead),
        twice: Some(Some(dead)),
        friends: vec![Some(living), Some(dead), None],
        held: Some(hook),
        deeds: [
            ("first".to_owned(), Some(Deed::Struck { whom: Some(dead) })),
            ("second".to_owned(), Some(Deed::Rested)),
        ]
        .into(),
    };
    manager.hook(living, memory).expect("it is alive");
    let text = data::write_world(&manager, &Selection::all()).expect("it is written");
    let mut other = MessageManager::new();
    let ids = read(&text).instantiate(&mut other).expect("it is read");
    let living = ids.get("a").expect("it is there");
    let read = other.get::<Memory>(living).expect("it is hooked");
    let expected = Memory {
        foe: None,
        twice: Some(None),
        friends: vec![Some(living), None, None],
        held: None,
        deeds: [
            ("first".to_owned(), Some(Deed::Struck { whom: None })),
            ("second".to_owned(), Some(Deed::Rested)),
        ]
        .into(),
    };
    assert_eq!(*read, expected, "{text}");
}

// holds: world-files.gone
#[test]
fn an_id_of_what_is_gone_that_is_not_optional_is_an_error_that_says_so() {
    let (mut manager, living, dead, hook) = with_the_dead();
    let oath = |to, with| Oath { to, with };
    manager.hook(living, oath(dead, None)).expect("it is alive");
    let second = oath(living, Some(vec![living, dead]));
    manager.hook(living, second).expect("it is alive");
    let grip = Grip {
        on: None,
        others: vec![hook],
    };
    manager.hook(living, grip).expect("it is alive");
    // Whatever the components before have met does not affect this one.
    let waiting = Waiting {
        until: Some(ticket(&mut manager, living)),
    };
    manager.hook(living, waiting).expect("it is alive");
    let foreign = MessageManager::new().spawn(());
    manager
        .hook(living, oath(foreign, None))
        .expect("it is alive");
    let error = data::write_world(&manager, &Selection::all()).expect_err("they are gone");
    let told: Vec<String> = error.errors().iter().map(ToString::to_string).collect();
    let gone = "is gone: clear the field, or make it an `Option`, which is written as `None`";
    let expected = [
        format!("the component `hooks.Oath` of {living}: messagee {dead} {gone}"),
        format!("the component `hooks.Oath` of {living}: messagee {dead} {gone}"),
        format!("the component `hooks.Grip` of {living}: component {hook} {gone}"),
        "a ticket or a cursor has no meaning there".to_owned(),
        format!(
            "the component `hooks.Oath` of {living}: messagee {foreign} belongs to another manager"
        ),
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for (told, expected) in told.iter().zip(&expected) {
        assert!(told.ends_with(expected), "{told}: expected {expected}");
    }
}

fn ticket(manager: &mut MessageManager, to: MessageeId) -> Ticket {
    #[derive(Message, Clone)]
    struct Chime;
    let header = Header::to(to).after(std::time::Duration::from_secs(1));
    manager.post(header, Chime).expect("it is alive")
}

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "hooks.Report", exact)]
struct Report {
    held: Option<HookId>,
    by: SubscriptionId,
}

// holds: world-files.printed
#[test]
fn a_component_that_holds_ids_of_any_kind_is_printed() {
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("a", (Grip::default(),));
    let grip = manager.hook_of::<Grip>(id).expect("it is hooked");
    let by = manager.subscribe(Filter::all(), |_, _| {});
    manager.get_mut::<Grip>(id).expect("it is hooked").on = Some(grip);
    let text = data::component_to_text(&manager, grip).expect("it is printed");
    assert_eq!(text, format!("Grip(on: Some(\"#{grip}\"), others: [])"));

    let listening = manager
        .hook(id, Listening { by: Some(by) })
        .expect("it is alive");
    let text = data::component_to_text(&manager, listening).expect("it is printed");
    assert_eq!(text, format!("Listening(by: Some(\"#{by}\"))"));
    let until = Some(ticket(&mut manager, id));
    let waiting = manager.hook(id, Waiting { until }).expect("it is alive");
    let text = data::component_to_text(&manager, waiting).expect("it is printed");
    assert!(text.starts_with("Waiting(until: Some(\"Ticket"), "{text}");

    // A message is read again to the same.
    let report = Report {
        held: Some(grip),
        by,
    };
    let text = message_data::message_to_text(&report).expect("it is printed");
    let message = message_data::parse_message(&text, &manager).expect("it is read");
    assert_eq!(message.downcast_ref::<Report>(), Some(&report));
    let wrong = text.replace(&format!("#{grip}"), "a/Grip");
    let error = message_data::parse_message(&wrong, &manager).expect_err("it is no id");
    let expected =
        "expected an id of this manager as it prints, such as \"#7v2\", found \"a/Grip\"";
    assert!(error.to_string().ends_with(expected), "{error}");
}
