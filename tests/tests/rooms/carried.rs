//! How messages are carried from one room to another.

use message_core::SendErrorKind;
use message_core::error::CarryError;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::common::{House, Point};

/// Nobody can read it, and it is not declared.
#[derive(Message, Clone, Debug)]
#[message(name = "rooms.Mute")]
struct Mute;

/// It has no data, and is cloned.
#[derive(Message, Clone, Debug)]
#[message(name = "rooms.Plain")]
struct Plain(&'static str);

/// It is declared, but has an id.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Aim")]
#[data(name = "rooms.Aim", exact)]
struct Aim(Option<MessageeId>);

message_rooms::carried!(Plain, Aim);

#[derive(Default)]
struct Eye {
    plain: Vec<&'static str>,
    aimed: Vec<Option<MessageeId>>,
}

#[handlers]
impl Eye {
    #[on_receive]
    fn plain(&mut self, plain: &Plain) {
        self.plain.push(plain.0);
    }

    #[on_receive]
    fn aim(&mut self, aim: &Aim) {
        self.aimed.push(aim.0);
    }
}

// holds: rooms.carried
#[test]
fn a_message_that_cannot_leave_is_refused_where_it_is_sent() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let error = house.manager(0).send(proxy, Mute).unwrap_err();
    let SendErrorKind::NotCarried {
        why: CarryError::NotWritten { error },
    } = error.kind()
    else {
        panic!("{error}")
    };
    assert!(error.contains("`rooms.Mute` has no data"), "{error}");
}

// holds: rooms.carried
#[test]
fn a_declared_message_needs_no_data() {
    let mut house = House::new(2);
    let eye = house.manager(1).spawn((Eye::default(),));
    let proxy = house.rooms.proxy(house.ids[0], house.ids[1], eye).unwrap();
    house.manager(0).send(proxy, Plain("first")).unwrap();
    house.manager(0).send(proxy, Plain("second")).unwrap();
    house.frame();
    let eye = house.manager(1).get::<Eye>(eye).unwrap().plain.clone();
    assert_eq!(eye, ["first", "second"]);
}

// holds: rooms.carried, rooms.ids
#[test]
fn a_declared_message_with_ids_is_translated() {
    let mut house = House::new(2);
    let eye = house.manager(1).spawn((Eye::default(),));
    let proxy = house.rooms.proxy(house.ids[0], house.ids[1], eye).unwrap();
    house.manager(0).send(proxy, Aim(Some(proxy))).unwrap();
    house.frame();
    assert_eq!(house.manager(1).get::<Eye>(eye).unwrap().aimed, [Some(eye)]);
}

// holds: rooms.ids
#[test]
fn ids_in_messages_are_translated() {
    let mut house = House::new(3);
    let (to, third) = (house.proxy(0, 1), house.proxy(0, 2));
    let own = house.ears[0];
    for at in [own, to, third] {
        house.manager(0).send(to, Point { at }).unwrap();
    }
    house.frame();
    let expected = [house.proxy(1, 0), house.ears[1], house.proxy(1, 2)];
    assert_eq!(house.ear(1).pointed, expected);
}
