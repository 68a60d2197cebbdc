//! Messagees that end, and messages that are not delivered.

use message_core::prelude::*;

use crate::common::{FRAME, House, Point, Say};

// holds: rooms.ends
#[test]
fn a_proxy_ends_after_the_last_message() {
    let mut house = House::new(2);
    let (to, proxy) = (house.proxy(0, 1), house.proxy(1, 0));
    let ear = house.ears[0];
    house.send(0, to, 1);
    house.manager(0).despawn(ear).unwrap();
    assert!(house.manager(1).is_alive(proxy));
    house.frame();
    assert_eq!(house.heard(1), [1]);
    assert_eq!(house.ear(1).from, [Some(proxy)]);
    assert!(!house.manager(1).is_alive(proxy));
}

// holds: rooms.ends
#[test]
fn a_messagee_that_ended_long_ago_gets_a_proxy_that_ends() {
    let mut house = House::new(2);
    let to = house.proxy(0, 1);
    let at = house.manager(0).spawn(());
    house.manager(0).despawn(at).unwrap();
    house.frame();
    house.manager(0).send(to, Point { at }).unwrap();
    house.frame();
    let known = house.ear(1).pointed[0];
    assert!(house.manager(1).is_alive(known));
    house.frame();
    assert!(!house.manager(1).is_alive(known));
}

// holds: rooms.dead-letters
#[test]
fn what_was_under_way_becomes_a_dead_letter_of_the_sender() {
    let mut house = House::new(2);
    let undertaker = house.undertaker(0);
    let (to, ear) = (house.proxy(0, 1), house.ears[1]);
    house.send(0, to, 1);
    house.manager(0).send(to, Point { at: to }).unwrap();
    house
        .manager(0)
        .post(Header::to(to).after(FRAME * 9), Say(2))
        .unwrap();
    house.manager(1).despawn(ear).unwrap();
    house.frame();
    assert_eq!(house.buried(0, undertaker), [""; 0]);
    house.frame();
    let buried = house.buried(0, undertaker);
    let names = ["rooms.Say", "rooms.Point", "rooms.Say"];
    assert_eq!(buried.len(), 3, "{buried:?}");
    for (line, name) in buried.iter().zip(names) {
        assert!(
            line.starts_with(name) && line.contains("the messagee has ended"),
            "{line}"
        );
    }
}

// holds: rooms.dead-letters
#[test]
fn a_post_that_is_refused_becomes_a_dead_letter() {
    let mut house = House::new(1);
    let small = MessageManager::with_config(ManagerConfig::new().max_pending(1));
    let small = house.rooms.add("small", small).unwrap();
    let clerk = house.rooms.manager_mut(small).spawn(());
    let undertaker = house.undertaker(0);
    let to = house.rooms.proxy(house.ids[0], small, clerk).unwrap();
    for say in [1, 2] {
        let header = Header::to(to).after(FRAME * 9);
        house.manager(0).post(header, Say(say)).unwrap();
    }
    house.frame();
    house.frame();
    let buried = house.buried(0, undertaker);
    assert_eq!(buried.len(), 1);
    assert!(
        buried[0].contains("rooms.Say: `rooms.Say` was not posted"),
        "{buried:?}"
    );
}
