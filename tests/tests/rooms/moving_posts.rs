//! The pending messages of messagees that move.

use message_core::prelude::*;
use message_data::Wire;

use crate::common::{Ear, Echo, FRAME, House, Point, Say};

group!(CROWD);

fn heard(house: &House, room: usize, ear: MessageeId) -> Vec<u32> {
    let manager = house.rooms.manager(house.ids[room]);
    manager.get::<Ear>(ear).unwrap().heard.clone()
}

fn move_ear(house: &mut House, from: usize, to: usize) -> MessageeId {
    let (from, id, to) = (house.ids[from], house.ears[from], house.ids[to]);
    house.rooms.move_to(from, id, to).unwrap()
}

// holds: rooms.moves-posts
#[test]
fn messages_to_it_move_along() {
    let mut house = House::new(3);
    let ear = house.ears[0];
    let hook = house.manager(0).hook_of::<Ear>(ear).unwrap();
    let here = house.manager(0);
    let other = here.spawn(());
    here.post(Header::to(ear).after(FRAME * 3), Say(3)).unwrap();
    here.post(
        Header::to(hook).after(FRAME * 2).until_unhooked(hook),
        Say(2),
    )
    .unwrap();
    here.post(Header::to(ear).every_frames(2).times(2), Say(20))
        .unwrap();
    here.post(Header::to(ear).after_frames(2), Point { at: other })
        .unwrap();
    let mut own = here.speak_for(ear).unwrap();
    own.post(
        Header::to(Recipient::Me)
            .after_frames(4)
            .key("mine")
            .tied_to_sender(),
        Say(9),
    )
    .unwrap();
    house.frame();
    let new = move_ear(&mut house, 0, 1);
    assert!(!house.manager(0).has_pending(Posts::all()));
    house.frame();
    assert_eq!(heard(&house, 1, new), [2, 20]);
    let key = house.manager(1).pending_posts(Posts::all().from(new));
    assert_eq!(key.len(), 1);
    assert_eq!(key[0].key, Some(("mine", new).into()));
    assert_eq!(key[0].recipient, Recipient::Id(new));
    let pointed = house.manager(1).get::<Ear>(new).unwrap().pointed.clone();
    assert_eq!(
        house.rooms.home(house.ids[1], pointed[0]),
        Ok(Some((house.ids[0], other)))
    );
    house.frame();
    assert_eq!(heard(&house, 1, new), [2, 20, 3]);
    house.frame();
    assert_eq!(heard(&house, 1, new), [2, 20, 3, 20, 9]);
    house.frame();
    assert!(!house.manager(1).has_pending(Posts::all()));
}

// holds: rooms.moves-posts
#[test]
fn messages_to_others_stay_with_the_proxy() {
    let mut house = House::new(2);
    let ear = house.ears[0];
    let here = house.manager(0);
    let listener = here.spawn((Ear::default(),));
    here.join(CROWD, listener).unwrap();
    let mut own = here.speak_for(ear).unwrap();
    own.post(
        Header::to(listener).after(FRAME * 2).tied_to_sender(),
        Say(1),
    )
    .unwrap();
    own.post(Header::to(CROWD).after(FRAME * 2).key("crowd"), Say(2))
        .unwrap();
    let new = move_ear(&mut house, 0, 1);
    house.frame();
    house.frame();
    assert_eq!(heard(&house, 0, listener), [1, 2]);
    let from = house.manager(0).get::<Ear>(listener).unwrap().from.clone();
    let proxy = house.rooms.proxy(house.ids[0], house.ids[1], new).unwrap();
    assert_eq!(from, [Some(proxy), Some(proxy)]);
}

// holds: rooms.moves-posts
#[test]
fn messages_of_wires_keep_who_began_the_chain() {
    let mut house = House::new(2);
    let ear = house.ears[0];
    let here = house.manager(0);
    let (lever, boy) = (here.spawn((Ear::default(),)), here.spawn(()));
    let wire = Wire::on::<Say>(lever).send(ear, Echo(3));
    let wire = wire.header(|it| it.after(FRAME * 3));
    message_data::add_wire(here, wire).unwrap();
    let mut boy_sends = here.speak_for(boy).unwrap();
    boy_sends.send(lever, Say(1)).unwrap();
    let new = move_ear(&mut house, 0, 1);
    let far_boy = house.rooms.proxy(house.ids[1], house.ids[0], boy).unwrap();
    let posts = house.manager(1).take_posts(Posts::all().to(new));
    let activators: Vec<_> = posts.iter().map(|post| post.header.activator()).collect();
    assert_eq!(activators, [Some(Sender::Messagee(far_boy))]);
}

// holds: rooms.moves-refused
#[test]
fn a_message_that_ends_with_another_component_stays() {
    let mut house = House::new(2);
    let ear = house.ears[0];
    let other = house.manager(0).spawn((Ear::default(),));
    let hook = house.manager(0).hook_of::<Ear>(other).unwrap();
    house
        .manager(0)
        .post(Header::to(ear).after(FRAME).until_unhooked(hook), Say(1))
        .unwrap();
    let error = house
        .rooms
        .move_to(house.ids[0], ear, house.ids[1])
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with("pending `rooms.Say`: it is tied to a component of another messagee"),
        "{text}"
    );
}

// holds: rooms.moves-posts
#[test]
fn messages_from_other_rooms_move_along() {
    let mut house = House::new(3);
    let proxy = house.proxy(2, 0);
    let far = house.ears[2];
    let mut from = house.manager(2).speak_for(far).unwrap();
    from.post(Header::to(proxy).after(FRAME * 3).tied_to_sender(), Say(1))
        .unwrap();
    house.frame();
    assert!(house.manager(0).has_pending(Posts::all()));
    let new = move_ear(&mut house, 0, 1);
    house.frame();
    house.frame();
    assert_eq!(heard(&house, 1, new), [1]);
    let from = house.manager(1).get::<Ear>(new).unwrap().from.clone();
    assert_eq!(
        house.rooms.home(house.ids[1], from[0].unwrap()),
        Ok(Some((house.ids[2], far)))
    );
}

// holds: rooms.moves-posts
#[test]
fn a_message_that_ends_with_its_component_ends_there() {
    let mut house = House::new(2);
    let ear = house.ears[0];
    let here = house.manager(0);
    let hook = here.hook_of::<Ear>(ear).unwrap();
    here.post(
        Header::to(ear).after(FRAME * 3).until_unhooked(hook),
        Say(1),
    )
    .unwrap();
    let new = move_ear(&mut house, 0, 1);
    house.frame();
    let there = house.manager(1);
    let hook = there.hook_of::<Ear>(new).unwrap();
    assert_eq!(there.pending_posts(Posts::all())[0].until, Some(hook));
    there.unhook::<Ear>(hook).unwrap();
    assert!(!there.has_pending(Posts::all()));
}
