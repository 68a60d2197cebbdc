//! Rooms that panic.

use message_core::lifecycle::Unhooking;
use message_core::prelude::*;

use crate::common::{FRAME, House};

#[derive(Message, Clone)]
#[message(name = "rooms.Burst")]
struct Burst(u32);

message_rooms::carried!(Burst);

/// Panics on odd numbers.
#[derive(Default)]
struct Pipe(Vec<u32>);

#[handlers]
impl Pipe {
    #[on_receive]
    fn burst(&mut self, burst: &Burst) {
        self.0.push(burst.0);
        assert!(burst.0.is_multiple_of(2), "burst {}", burst.0);
    }
}

// holds: rooms.panics
#[test]
fn a_panic_names_the_room_and_stops_nobody() {
    let mut house = House::new(3);
    let pipe = house.manager(1).spawn((Pipe::default(),));
    let proxy = house.rooms.proxy(house.ids[0], house.ids[1], pipe).unwrap();
    for number in 0..5 {
        house.manager(0).send(proxy, Burst(number)).unwrap();
    }
    let (from_1, to) = (house.proxy(1, 2), house.ears[2]);
    house.send(1, from_1, 9);
    let error = house.rooms.frame(FRAME).unwrap_err();
    assert_eq!(error.to_string(), "room `1` panicked in its frame: burst 1");
    assert_eq!(error.panics[0].room, house.ids[1]);
    // Everything was delivered, and all rooms have stepped.
    assert_eq!(
        house.manager(1).get::<Pipe>(pipe).unwrap().0,
        [0, 1, 2, 3, 4]
    );
    assert_eq!(house.heard(2), [9]);
    for room in 0..3 {
        assert_eq!(house.manager(room).clock().frame(), 1);
    }
    house.frame();
    assert!(house.manager(2).is_alive(to));
}

/// Its clones panic when they are dropped.
#[derive(Message)]
#[message(name = "rooms.Bomb")]
struct Bomb {
    is_clone: bool,
}

message_rooms::carried!(Bomb);

impl Clone for Bomb {
    fn clone(&self) -> Self {
        Self { is_clone: true }
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!self.is_clone, "it explodes");
    }
}

// holds: rooms.panics
#[test]
fn messages_that_panic_when_they_are_dropped_stop_nobody() {
    let mut house = House::new(2);
    let to = house.proxy(0, 1);
    for _ in 0..3 {
        house.manager(0).send(to, Bomb { is_clone: false }).unwrap();
    }
    house.send(0, to, 9);
    let error = house.rooms.frame(FRAME).unwrap_err();
    assert_eq!(
        error.to_string(),
        "room `1` panicked in its frame: it explodes"
    );
    assert_eq!(house.heard(1), [9]);
    house.frame();
}

// holds: rooms.panics
#[test]
fn several_panics_are_reported_in_the_order_of_the_rooms() {
    let mut house = House::new(3);
    let ids = house.ids.clone();
    let frame = house
        .rooms
        .frame_with(|room, _| assert!(room == ids[1], "in {room}"));
    let error = frame.unwrap_err();
    assert_eq!(
        error.to_string(),
        "room `0` panicked in its frame: in 0; room `2` panicked in its frame: in 2"
    );
}

#[derive(Message)]
#[message(name = "rooms.Collapse")]
struct Collapse;

/// Ends on request, and panics when it ends.
struct Tower;

#[handlers]
impl Tower {
    #[on_receive]
    fn collapse(&mut self, _: &Collapse, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let me = cx.me();
        cx.despawn(me)
    }

    #[on_receive]
    fn leave(&mut self, _: &Unhooking) {
        panic!("it collapses");
    }
}

// holds: rooms.panics
#[test]
fn many_panics_in_what_panics_have_left_stop_nobody() {
    let mut house = House::new(2);
    for _ in 0..8 {
        house.manager(0).spawn((Tower,));
    }
    let proxy = house.proxy(0, 1);
    let later = Header::to(Recipient::Everyone).stage(Stage::Update);
    house.manager(0).post(later, Collapse).unwrap();
    let error = house.rooms.frame(FRAME).unwrap_err();
    assert_eq!(
        error.to_string(),
        "room `0` panicked in its frame: it collapses"
    );
    assert_eq!(house.manager(0).iter::<Tower>().count(), 0);
    house.send(0, proxy, 4);
    house.frame();
    assert_eq!(house.heard(1), [4]);
}
