//! Messagees that move to another room.

use message_core::SendErrorKind;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;
use message_data::Data;
use message_rooms::{MoveError, MoveTo, Moved, ROOMS, RoomId};
use serde::{Deserialize, Serialize};

use crate::common::{Ear, Echo, FRAME, House, Point, Say};

group!(PACK);
mnemonic!(LEADER);

/// A component with an id.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(name = "rooms.Bond", exact)]
struct Bond {
    to: Vec<MessageeId>,
}

#[derive(Message)]
#[message(name = "rooms.Go")]
struct Go(RoomId);

/// Asks to be moved on request.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(name = "rooms.Nomad", exact)]
struct Nomad;

#[handlers]
impl Nomad {
    #[on_receive]
    fn go(&mut self, go: &Go, cx: &mut Context<'_>) -> Result<(), SendError> {
        let (who, room) = (cx.me(), go.0);
        cx.send(ROOMS, MoveTo { who, room }).map(drop)
    }
}

/// It has no data.
struct Secret;

/// It has no data and cannot be cloned.
#[derive(Message)]
#[message(name = "rooms.Whisper")]
struct Whisper;

/// The messagees that have moved.
#[derive(Default)]
struct Porter(Vec<Moved>);

#[handlers]
impl Porter {
    #[on_receive]
    fn moved(&mut self, moved: &Moved) {
        self.0.push(*moved);
    }
}

impl House {
    fn move_ear(&mut self, from: usize, to: usize) -> MessageeId {
        let (from, id, to) = (self.ids[from], self.ears[from], self.ids[to]);
        self.rooms.move_to(from, id, to).unwrap()
    }
}

// holds: rooms.moves
#[test]
fn a_messagee_takes_everything_along() {
    let mut house = House::new(3);
    let (ear, third) = (house.ears[0], house.proxy(0, 2));
    let (to, other) = (house.proxy(0, 1), house.manager(0).spawn(()));
    let here = house.manager(0);
    here.set_name(ear, "wolf").unwrap();
    let bond = Bond {
        to: vec![ear, to, third, other],
    };
    let bond = here.hook(ear, bond).unwrap();
    here.set_enabled(bond, false).unwrap();
    here.join(PACK, ear).unwrap();
    here.bind(LEADER, ear).unwrap();
    here.send(ear, Say(4)).unwrap();

    let new = house.move_ear(0, 1);
    let there = house.rooms.manager(house.ids[1]);
    assert_eq!(there.get::<Ear>(new).unwrap().heard, [4]);
    assert_eq!(there.name(new).as_deref(), Some("wolf"));
    assert_eq!(there.members(PACK).collect::<Vec<_>>(), [new]);
    assert_eq!(there.bound(LEADER), Some(new));
    let hooks: Vec<HookId> = there.hooks(new).collect();
    assert_eq!(hooks[0], there.hook_of::<Ear>(new).unwrap());
    let bond = there.hook_of::<Bond>(new).unwrap();
    assert!(!there.is_enabled(bond).unwrap());
    let ids = there.get::<Bond>(new).unwrap().to.clone();
    assert_eq!(ids[..2], [new, house.ears[1]]);
    let home = |id| house.rooms.home(house.ids[1], id).unwrap();
    assert_eq!(home(ids[2]), Some((house.ids[2], house.ears[2])));
    assert_eq!(home(ids[3]), Some((house.ids[0], other)));
}

// holds: rooms.moves-left
#[test]
fn a_proxy_takes_its_place() {
    let mut house = House::new(2);
    let porter = house.manager(0).spawn((Porter::default(),));
    let ear = house.ears[0];
    let here = house.manager(0);
    let [parent, child] = [here.spawn(()), here.spawn(())];
    here.set_parent(ear, Some(parent)).unwrap();
    here.set_parent(child, Some(ear)).unwrap();
    here.bind(LEADER, ear).unwrap();
    here.join(PACK, ear).unwrap();

    let new = house.move_ear(0, 1);
    house.frame();
    let here = house.rooms.manager(house.ids[0]);
    let moved = here.get::<Porter>(porter).unwrap().0[0];
    assert_eq!(moved.from, ear);
    let proxy = moved.to;
    assert_eq!(
        house.rooms.home(house.ids[0], proxy),
        Ok(Some((house.ids[1], new)))
    );
    assert_eq!(here.bound(LEADER), Some(proxy));
    assert_eq!(
        (here.parent(proxy), here.parent(child)),
        (Some(parent), Some(proxy))
    );
    assert_eq!(here.members(PACK).count(), 0);
    let gone = house.manager(0).send(ear, Say(1)).unwrap_err();
    assert_eq!(*gone.kind(), SendErrorKind::Absent(Absence::Gone));
    house.manager(0).send(LEADER, Say(2)).unwrap();
    house.frame();
    let there = house.rooms.manager(house.ids[1]);
    assert_eq!(there.get::<Ear>(new).unwrap().heard, [2]);
}

// holds: rooms.moves-left
#[test]
fn a_proxy_from_an_earlier_stay_takes_its_place_in_a_family_that_it_belongs_to() {
    // Its kin in the family of the messagee, and the parents of the proxy and of another child afterwards.
    let kin: [fn(&mut MessageManager, [MessageeId; 4]); 4] = [
        |here, [id, proxy, ..]| here.set_parent(id, Some(proxy)).unwrap(),
        |here, [id, proxy, ..]| here.set_parent(proxy, Some(id)).unwrap(),
        |here, [id, proxy, other, _]| {
            here.set_parent(id, Some(other)).unwrap();
            here.set_parent(other, Some(proxy)).unwrap();
        },
        |here, [id, proxy, other, _]| {
            here.set_parent(other, Some(id)).unwrap();
            here.set_parent(proxy, Some(other)).unwrap();
        },
    ];
    for (kind, relate) in kin.into_iter().enumerate() {
        let mut house = House::new(2);
        let [here, there] = [house.ids[0], house.ids[1]];
        let away = house.rooms.move_to(here, house.ears[0], there).unwrap();
        let proxy = house.rooms.proxy(here, there, away).unwrap();
        let back = house.rooms.move_to(there, away, here).unwrap();
        let manager = house.manager(0);
        let [other, child] = [manager.spawn(()), manager.spawn(())];
        manager.set_parent(child, Some(back)).unwrap();
        relate(manager, [back, proxy, other, child]);
        house.rooms.move_to(here, back, there).unwrap();
        let manager = house.manager(0);
        assert!(!manager.is_alive(back));
        let parents = [proxy, other, child].map(|id| manager.parent(id));
        let expected = match kind {
            0 | 1 => [None, None, Some(proxy)],
            _ => [None, Some(proxy), Some(proxy)],
        };
        assert_eq!(parents, expected, "{kind}");
    }
}

// holds: rooms.moves-followed
#[test]
fn proxies_follow_and_what_is_under_way_arrives() {
    let mut house = House::new(4);
    let from = [1, 2, 3].map(|room| house.proxy(room, 0));
    for (room, proxy) in [(1, from[0]), (2, from[1]), (3, from[2]), (1, from[0])] {
        house.send(room, proxy, u32::try_from(room).unwrap());
    }
    // Once before the barrier, and once more to a third room.
    let first = house.move_ear(0, 1);
    house.send(1, from[0], 10);
    house.send(2, from[1], 20);
    let (ids, rooms) = (house.ids.clone(), &mut house.rooms);
    let second = rooms.move_to(ids[1], first, ids[2]).unwrap();
    house.send(1, from[0], 11);
    house.frame();
    let ear = house.rooms.manager(ids[2]).get::<Ear>(second).unwrap();
    assert_eq!(ear.heard, [1, 1, 10, 11, 2, 20, 3]);
    drop(ear);
    // It is at home now where one of the proxies is: that one still leads to it.
    for (room, proxy) in [(1, from[0]), (2, from[1]), (3, from[2])] {
        house.send(room, proxy, 100 + u32::try_from(room).unwrap());
        assert_eq!(
            house.rooms.home(ids[room], proxy),
            Ok(Some((ids[2], second)))
        );
    }
    house.frame();
    let ear = house.rooms.manager(ids[2]).get::<Ear>(second).unwrap();
    assert_eq!(ear.heard[7..], [101, 102, 103]);
    assert_eq!(ear.from[8], Some(house.ears[2]));
    drop(ear);
    // All end with it.
    house.manager(2).despawn(second).unwrap();
    house.frame();
    for (room, proxy) in [(1, from[0]), (2, from[1]), (3, from[2])] {
        assert!(!house.manager(room).is_alive(proxy));
    }
}

// holds: rooms.moves-followed
#[test]
fn messages_of_one_that_moves_come_from_it() {
    let mut house = House::new(3);
    let (to_1, to_2) = (house.proxy(0, 1), house.proxy(0, 2));
    let ear = house.ears[0];
    for to in [to_1, to_2] {
        house
            .manager(0)
            .speak_for(ear)
            .unwrap()
            .send(to, Echo(3))
            .unwrap();
    }
    let new = house.move_ear(0, 1);
    house.frame();
    // The one at home has answered at once.
    let heard = |house: &House| {
        let there = house.rooms.manager(house.ids[1]);
        there.get::<Ear>(new).unwrap().heard.clone()
    };
    assert_eq!(heard(&house), [3]);
    house.frame();
    assert_eq!(heard(&house), [3, 3]);
}

// holds: rooms.moves, rooms.moves-followed
#[test]
fn friends_that_move_together_know_each_other() {
    let mut house = House::new(3);
    let nobody = || Bond { to: vec![] };
    let [one, other] = [(); 2].map(|()| house.manager(0).spawn((nobody(), Ear::default())));
    let bind = |manager: &mut MessageManager, of, to| {
        manager.get_mut::<Bond>(of).unwrap().to = vec![to];
    };
    bind(house.manager(0), one, other);
    bind(house.manager(0), other, one);
    house
        .manager(0)
        .post(Header::to(other).after(FRAME), Point { at: one })
        .unwrap();
    let ids = house.ids.clone();
    let one = house.rooms.move_to(ids[0], one, ids[1]).unwrap();
    let other = house.rooms.move_to(ids[0], other, ids[2]).unwrap();
    let friend = |house: &House, room: usize, id| {
        let friend = house.rooms.manager(ids[room]).get::<Bond>(id).unwrap().to[0];
        house.rooms.home(ids[room], friend)
    };
    assert_eq!(friend(&house, 1, one), Ok(Some((ids[2], other))));
    assert_eq!(friend(&house, 2, other), Ok(Some((ids[1], one))));
    house.frame();
    let pointed = house
        .rooms
        .manager(ids[2])
        .get::<Ear>(other)
        .unwrap()
        .pointed[0];
    assert_eq!(house.rooms.home(ids[2], pointed), Ok(Some((ids[1], one))));
}

// holds: rooms.moves-refused
#[test]
fn what_cannot_be_exported_is_listed() {
    let mut house = House::new(2);
    let ear = house.ears[0];
    house.manager(0).hook(ear, Secret).unwrap();
    house
        .manager(0)
        .post(Header::to(ear).after(FRAME), Whisper)
        .unwrap();
    let before = house.rooms.digest();
    let error = house
        .rooms
        .move_to(house.ids[0], ear, house.ids[1])
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("Secret") && text.contains("rooms.Whisper"),
        "{text}"
    );
    let MoveError::NotExported { types, .. } = error else {
        panic!("{text}")
    };
    assert_eq!(types.len(), 2);
    assert_eq!(before.difference(&house.rooms.digest()), None);
}

// holds: rooms.moves-refused
#[test]
fn a_mnemonic_is_not_taken_from_others() {
    let mut house = House::new(2);
    let (ear, far) = (house.ears[0], house.ears[1]);
    house.manager(0).bind(LEADER, ear).unwrap();
    house.manager(1).bind(LEADER, far).unwrap();
    let before = house.rooms.digest();
    let error = house
        .rooms
        .move_to(house.ids[0], ear, house.ids[1])
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("others there are bound to moving::LEADER")
            || error.to_string().contains("LEADER"),
        "{error}"
    );
    assert_eq!(before.difference(&house.rooms.digest()), None);
    // Its own proxy is no other.
    house.manager(1).unbind(LEADER, far).unwrap();
    let proxy = house.proxy(1, 0);
    house.manager(1).bind(LEADER, proxy).unwrap();
    let new = house.move_ear(0, 1);
    assert_eq!(house.manager(1).bound(LEADER), Some(new));
    // And back again.
    let back = house
        .rooms
        .move_to(house.ids[1], new, house.ids[0])
        .unwrap();
    assert_eq!(house.manager(0).bound(LEADER), Some(back));
}

// holds: rooms.moves-refused
#[test]
fn a_proxy_does_not_move() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let error = house
        .rooms
        .move_to(house.ids[0], proxy, house.ids[1])
        .unwrap_err();
    assert_eq!(
        error,
        MoveError::Proxy {
            id: proxy,
            room: house.ids[1]
        }
    );
    let error = house
        .rooms
        .move_to(house.ids[0], house.ears[0], RoomId::new(7))
        .unwrap_err();
    assert_eq!(error.to_string(), "there is no room 7: there are 2");
}

// holds: rooms.moves-asked
#[test]
fn a_handler_asks_for_a_move() {
    let mut house = House::new(3);
    let nomad = house.manager(0).spawn((Nomad,));
    let [to_1, to_2] = [house.ids[1], house.ids[2]];
    house.manager(0).send(nomad, Go(to_1)).unwrap();
    // The second request finds it where the first one has brought it.
    house.manager(0).send(nomad, Go(to_2)).unwrap();
    assert!(house.manager(0).is_alive(nomad));
    house.frame();
    assert!(!house.manager(0).is_alive(nomad));
    let nomads = [0, 1, 2].map(|room| house.manager(room).iter::<Nomad>().count());
    assert_eq!(nomads, [0, 0, 1]);
}

// holds: rooms.moves-asked
#[test]
fn a_move_that_fails_becomes_a_dead_letter() {
    let mut house = House::new(2);
    let undertaker = house.undertaker(0);
    let room = house.ids[1];
    let who = house.manager(0).spawn((Secret,));
    house.manager(0).send(ROOMS, MoveTo { who, room }).unwrap();
    house.frame();
    let buried = house.buried(0, undertaker);
    assert_eq!(buried.len(), 1);
    assert!(
        buried[0].contains("message_rooms.MoveTo") && buried[0].contains("Secret"),
        "{buried:?}"
    );
}

/// Panics when it is hooked again.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(name = "rooms.Fuse", exact)]
struct Fuse {
    has_been_hooked: bool,
}

#[handlers]
impl Fuse {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {
        assert!(!self.has_been_hooked, "hooked again");
        self.has_been_hooked = true;
    }
}

// holds: rooms.moves-asked, rooms.panics
#[test]
fn a_panic_does_not_stop_a_move() {
    let mut house = House::new(2);
    let nomad = house.manager(0).spawn((Nomad, Ear::default()));
    house.manager(0).hook(nomad, Fuse::default()).unwrap();
    let room = house.ids[1];
    house
        .manager(0)
        .post(Header::to(nomad).after(FRAME * 2), Say(1))
        .unwrap();
    house.manager(0).send(nomad, Go(room)).unwrap();
    let error = house.rooms.frame(FRAME).unwrap_err();
    assert_eq!(
        error.to_string(),
        "room `0` panicked in its frame: hooked again"
    );
    house.frame();
    assert!(!house.manager(0).is_alive(nomad));
    let there = house.rooms.manager(room);
    let (new, _) = there.iter::<Nomad>().next().unwrap();
    assert_eq!(there.get::<Ear>(new).unwrap().heard, [1]);
    assert!(there.get::<Fuse>(new).is_ok());
}
