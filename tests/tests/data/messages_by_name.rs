//! Messages and components by name: from a text, and as one.

use message_core::AnyMessage;
use message_core::prelude::*;
use message_data::{self as data, Data};
use serde::{Deserialize, Serialize};

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq)]
#[data(name = "by_name.Blow", alias = "Damage1", exact)]
struct Blow {
    amount: u32,
    by: MessageeId,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, PartialEq, Clone)]
#[data(name = "by_name.Order")]
enum Order {
    Halt,
    Follow { whom: Option<MessageeId>, at: f32 },
    Say(String),
}

#[derive(Message, Debug)]
struct Mute;

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "by_name.Scars")]
struct Scars {
    from: Vec<MessageeId>,
}

#[handlers]
impl Scars {
    #[on_receive]
    fn blow(&mut self, blow: &Blow) {
        self.from.push(blow.by);
    }
}

fn parse(text: &str, manager: &MessageManager) -> Box<dyn AnyMessage> {
    data::parse_message(text, manager).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str, manager: &MessageManager) -> String {
    data::parse_message(text, manager)
        .expect_err("it is wrong")
        .to_string()
}

// holds: world-files.message-by-name, send.boxed
#[test]
fn a_message_by_name_is_sent_and_posted_in_its_box() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("grib", ());
    let mok = manager.spawn_named("mok", (Scars::default(),));
    let blow = parse("Damage1(amount: 3, by: grib)", &manager);
    assert_eq!(
        blow.downcast_ref(),
        Some(&Blow {
            amount: 3,
            by: grib
        })
    );
    assert_eq!(
        manager.send_any(mok, blow).expect("it is alive").received,
        1
    );
    let blow = parse("Blow(amount: 3, by: \"mok\")", &manager);
    manager
        .post_any(Header::to(mok).after_frames(1), blow)
        .expect("it is alive");
    manager.tick(std::time::Duration::ZERO);
    let hook = manager.hook_of::<Scars>(mok).expect("it is hooked");
    let text = data::component_to_text(&manager, hook).expect("it has data");
    assert_eq!(text, "Scars(from: [\"grib\", \"mok\"])");
}

// holds: world-files.ambiguous-name, world-files.message-by-name
#[test]
fn a_name_that_nobody_has_or_several_have_is_an_error_and_an_id_is_not() {
    let mut manager = MessageManager::new();
    let [one, two] = [(); 2].map(|()| manager.spawn_named("rat", ()));
    manager.spawn_named("grib", ());
    assert_eq!(
        refused("Blow(amount: 1, by: rat)", &manager),
        "1:21: several messagees are called `rat`: expected a name that one has, or an id such as \
         \"#7v2\""
    );
    assert_eq!(
        refused("Blow(amount: 1, by: grab)", &manager),
        "1:21: no messagee is called `grab`; did you mean `grib`?"
    );
    for id in [one, two] {
        let blow = Blow { amount: 1, by: id };
        let text = data::message_to_text(&blow).expect("it has data");
        assert_eq!(text, format!("Blow(amount: 1, by: \"#{id:#}\")"));
        assert_eq!(parse(&text, &manager).downcast_ref(), Some(&blow));
    }
    assert!(refused("Blow(amount: 1, by: \"#99v9\"", &manager).contains("the text ends here"));
    let other = MessageManager::new();
    assert!(data::parse_message("Blow(amount: 1, by: \"#x\")", &other).is_err());
}

// holds: data.unknown-field-in-text
#[test]
fn what_is_wrong_with_a_message_is_said_with_its_place() {
    let manager = MessageManager::new();
    for (text, expected) in [
        (
            "Blov(amount: 3)",
            "1:1: no message with data is called `Blov`; did you mean `Blow`?",
        ),
        ("Scars()", "1:1: `Scars` is a component: expected a message"),
        (
            "Blow(amuont: 3)",
            "1:6: `Blow` has no field `amuont`; it has `amount`, `by`; did you mean `amount`?",
        ),
        (
            "3",
            "1:1: expected the name of a type with its fields, such as `Health(hp: 8)`",
        ),
        (
            "Order(Holt)",
            "1:7: there is no variant `Holt`; there are `Halt`, `Follow`, `Say`; did you mean `Halt`?",
        ),
        (
            "Order(Say(1))",
            "1:11: invalid type: integer `1`, expected a string",
        ),
        ("", "1:1: the text ends here: expected a value"),
    ] {
        assert_eq!(refused(text, &manager), expected, "{text}");
    }
}

// holds: world-files.print-and-read
#[test]
fn every_message_with_data_prints_as_it_is_read() {
    let mut manager = MessageManager::new();
    let grib = manager.spawn_named("gr\"ib", ());
    let nobody = manager.spawn(());
    let marked = manager.spawn_named("#1v1", ());
    let orders = [
        Order::Halt,
        Order::Say("a\n\"b\"".to_owned()),
        Order::Follow {
            whom: None,
            at: 0.1,
        },
        Order::Follow {
            whom: Some(grib),
            at: -1.0,
        },
        Order::Follow {
            whom: Some(nobody),
            at: f32::INFINITY,
        },
        Order::Follow {
            whom: Some(marked),
            at: 3.0,
        },
    ];
    for order in orders {
        let text = data::message_to_text(&order).expect("it has data");
        assert_eq!(
            parse(&text, &manager).downcast_ref(),
            Some(&order),
            "{text}"
        );
    }
    let error = data::message_to_text(&Mute)
        .expect_err("it has no data")
        .to_string();
    assert!(
        error.ends_with("::Mute` has no data: expected `#[derive(Data)]`"),
        "{error}"
    );
}

#[test]
fn a_component_that_is_gone_or_has_no_data_is_no_text() {
    struct Secret;
    let mut manager = MessageManager::new();
    let id = manager.spawn((Secret,));
    let hook = manager.hook_of::<Secret>(id).expect("it is hooked");
    let error = data::component_to_text(&manager, hook).expect_err("it has no data");
    assert!(
        error.to_string().contains("::Secret` has no data"),
        "{error}"
    );
    manager.despawn(id).expect("it is alive");
    assert!(data::component_to_text(&manager, hook).is_err());
}
