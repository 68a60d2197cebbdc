//! Components of every representation, in texts that begin with the name of their type.

use std::collections::BTreeMap;

use message_core::Component;
use message_core::prelude::*;
use message_data::{self as data, Data, Selection, WorldFile};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
pub(crate) struct Meters(pub(crate) f32);

macro_rules! components {
    ($($(#[$meta:meta])* $name:literal $item:item)*) => {
        $(
            #[derive(Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
            #[data(name = $name, exact)]
            $(#[$meta])*
            $item
        )*
    };
}

components! {
    "texts.Marker"
    pub(crate) struct Marker;

    "texts.Hollow"
    pub(crate) struct Hollow {}

    "texts.Length"
    pub(crate) struct Length(Meters);

    "texts.Point"
    pub(crate) struct Point(i8, Meters);

    #[serde(untagged)]
    "texts.Place"
    pub(crate) enum Place {
        Nowhere,
        At { x: Meters, label: Option<String> },
        Near(Meters),
        Between(Meters, Meters),
        Known(Spot),
    }

    #[serde(tag = "kind")]
    "texts.Order"
    pub(crate) enum Order {
        Halt,
        Go { to: Spot, how: Option<Meters> },
    }

    #[serde(tag = "kind", content = "of")]
    "texts.Reply"
    pub(crate) enum Reply {
        Yes,
        Maybe(Meters),
        No { why: String },
    }

    "texts.Notes"
    pub(crate) struct Notes {
        id: u8,
        #[serde(rename = "two words")]
        two: Meters,
        #[serde(flatten)]
        rest: BTreeMap<String, Meters>,
    }

    "texts.Spaced"
    pub(crate) struct Spaced {
        #[serde(rename = "two words")]
        two: Meters,
    }

    "texts.Flag"
    #[allow(non_camel_case_types, reason = "names that are words of the format")]
    pub(crate) enum Flag {
        r#true,
        None,
        Some(Meters),
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
pub(crate) enum Spot {
    Camp,
    Ford(u8),
    Hill { height: Meters },
}

/// Writes a component alone and in a world, and reads it again.
fn check<C: Component + Data + Clone + PartialEq + std::fmt::Debug>(component: &C, expected: &str) {
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("it", (component.clone(),));
    let hook = manager.hook_of::<C>(id).expect("it is hooked");
    let text = data::component_to_text(&manager, hook).expect("it has data");
    assert_eq!(text, expected);
    let world = data::write_world(&manager, &Selection::all()).expect("it has data");
    assert!(world.contains(expected), "{world}");
    let file = WorldFile::parse(&world).unwrap_or_else(|error| panic!("{world}\n{error}"));
    let mut again = MessageManager::new();
    let made = file.instantiate(&mut again).expect("it fits");
    let id = made.get("it").expect("it is there");
    let read = again.get::<C>(id).expect("it is hooked");
    assert_eq!(&*read, component, "{world}");
}

// holds: data.struct-names, data.every-representation
#[test]
fn components_of_every_representation_are_written_behind_their_name_and_read_back() {
    check(&Marker, "Marker");
    check(&Hollow {}, "Hollow( )");
    check(&Length(Meters(2.0)), "Length((2.0))");
    check(&Point(1, Meters(2.0)), "Point(1, (2.0))");
    let at = |label: Option<&str>| Place::At {
        x: Meters(2.0),
        label: label.map(str::to_owned),
    };
    check(&Place::Nowhere, "Place(())");
    check(&at(None), "Place(x: (2.0), label: None)");
    check(&at(Some("x")), "Place(x: (2.0), label: Some(\"x\"))");
    check(&Place::Near(Meters(2.0)), "Place(2.0)");
    let between = Place::Between(Meters(1.0), Meters(2.0));
    check(&between, "Place(((1.0), (2.0)))");
    check(&Place::Known(Spot::Camp), "Place(Camp)");
    check(&Place::Known(Spot::Ford(3)), "Place(Ford(3))");
    let height = Meters(2.0);
    let hill = Spot::Hill { height };
    check(&Place::Known(hill.clone()), "Place(Hill(height: (2.0)))");
    check(&Order::Halt, "Order(kind: \"Halt\")");
    let go = Order::Go {
        to: hill,
        how: Some(Meters(1.0)),
    };
    check(
        &go,
        "Order(kind: \"Go\", to: Hill(height: (2.0)), how: Some((1.0)))",
    );
    check(&Reply::Yes, "Reply(kind: Yes)");
    check(&Reply::Maybe(Meters(1.0)), "Reply(kind: Maybe, of: (1.0))");
    let why = "x".to_owned();
    check(&Reply::No { why }, "Reply(kind: No, of: (why: \"x\"))");
    let two = Meters(1.0);
    let rest = BTreeMap::from([("a".to_owned(), Meters(2.0))]);
    check(
        &Notes { id: 1, two, rest },
        "Notes({\"a\": (2.0), \"id\": 1, \"two words\": (1.0)})",
    );
    let two = Meters(1.0);
    check(&Spaced { two }, "Spaced({\"two words\": (1.0)})");
    check(&Flag::r#true, "Flag(r#true)");
    check(&Flag::None, "Flag(r#None)");
    check(&Flag::Some(Meters(1.0)), "Flag(r#Some((1.0)))");
}
