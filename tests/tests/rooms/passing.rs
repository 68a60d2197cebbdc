//! Messages from one room to another.

use std::time::Duration;

use message_core::prelude::*;
use message_core::{Absence, SendErrorKind};
use message_rooms::{RoomError, Rooms};

use crate::common::{Ear, Echo, FRAME, House, Point, Say};

group!(CHOIR);

// holds: rooms.names
#[test]
fn no_two_rooms_have_one_name() {
    let mut rooms = Rooms::new();
    let first = rooms.add("hall", MessageManager::new()).unwrap();
    let error = rooms.add("hall", MessageManager::new()).unwrap_err();
    let name = "hall".to_owned();
    assert_eq!(error, RoomError::Twin { name, room: first });
    assert_eq!((rooms.ids().len(), rooms.find("hall")), (1, Some(first)));
}

// holds: rooms.frame, rooms.next-frame
#[test]
fn messages_arrive_before_the_rooms_step_in_the_order_of_rooms() {
    let mut house = House::new(3);
    let (from_2, from_0) = (house.proxy(2, 1), house.proxy(0, 1));
    house.send(2, from_2, 20);
    house.send(0, from_0, 1);
    house.send(2, from_2, 21);
    house.send(0, from_0, 2);
    assert_eq!(house.heard(1), []);
    let ear = house.ears[1];
    let room = house.ids[1];
    let seen = house.rooms.frame_with(|id, manager| {
        (id == room).then(|| manager.get::<Ear>(ear).unwrap().heard.clone())
    });
    assert_eq!(seen.unwrap(), [None, Some(vec![1, 2, 20, 21]), None]);
    house.frame();
    assert_eq!(house.heard(1).len(), 4);
}

/// Notes what it receives from whom, and can despawn the sender.
#[derive(Default)]
struct Clerk {
    notes: Vec<(&'static str, Option<MessageeId>)>,
    despawns: bool,
}

impl Clerk {
    fn note(&mut self, what: &'static str, cx: &mut Context<'_>) {
        let sender = cx.sender().id();
        self.notes.push((what, sender));
        if self.despawns {
            self.despawns = false;
            cx.despawn(sender.unwrap()).unwrap();
        }
    }
}

#[handlers]
impl Clerk {
    #[on_receive]
    fn say(&mut self, say: &Say, cx: &mut Context<'_>) {
        self.note(if say.0 == 1 { "one" } else { "two" }, cx);
    }

    #[on_receive]
    fn point(&mut self, _: &Point, cx: &mut Context<'_>) {
        self.note("point", cx);
    }
}

/// Sends messages of two types, with headers and without, in the name of two messagees, to a clerk in another room.
/// Returns what the clerk has noted, and the proxies of the senders there.
fn visit_clerk(despawns: bool) -> (Vec<(&'static str, Option<MessageeId>)>, [MessageeId; 2]) {
    let mut house = House::new(2);
    let notes = Vec::new();
    let clerk = house.manager(1).spawn((Clerk { notes, despawns },));
    let [here, there] = [house.ids[0], house.ids[1]];
    let to = house.rooms.proxy(here, there, clerk).unwrap();
    let senders = [house.ears[0], house.manager(0).spawn(())];
    let proxies = senders.map(|id| house.rooms.proxy(there, here, id).unwrap());
    for (place, say) in [(0, 1), (0, 2), (1, 1), (0, 2)] {
        let sender = senders[place];
        let mut sender = house.manager(0).speak_for(sender).unwrap();
        sender.send(to, Say(say)).unwrap();
        sender.send(to, Point { at: to }).unwrap();
        let header = Header::to(to).stage(Stage::Immediate).require(1);
        sender.post(header, Say(say)).unwrap();
    }
    house.frame();
    let clerk = house.manager(1).get::<Clerk>(clerk).unwrap();
    (clerk.notes.clone(), proxies)
}

// holds: rooms.next-frame
#[test]
fn messages_of_several_types_arrive_in_the_order_sent() {
    let (notes, [first, second]) = visit_clerk(false);
    let by = |sender, say| [(say, sender), ("point", sender), (say, sender)];
    let [first, second] = [Some(first), Some(second)];
    let expected = [
        by(first, "one"),
        by(first, "two"),
        by(second, "one"),
        by(first, "two"),
    ];
    assert_eq!(notes, expected.concat());
}

// holds: rooms.next-frame, rooms.one-proxy
#[test]
fn the_messages_of_a_sender_whose_proxy_is_despawned_arrive() {
    let (all, _) = visit_clerk(false);
    let (notes, _) = visit_clerk(true);
    assert_eq!(notes.len(), all.len());
    assert!(notes.iter().zip(&all).all(|(one, other)| one.0 == other.0));
    // The first message is from the proxy, and the others of its messagee from one that takes its place.
    let senders: Vec<_> = notes.iter().map(|note| note.1.unwrap()).collect();
    let others = [2, 3, 4, 5, 9, 10, 11].map(|at| senders[at]);
    assert_ne!(senders[0], senders[1]);
    assert_eq!(others, [senders[1]; 7]);
    assert!(
        senders[6..9]
            .iter()
            .all(|other| *other == senders[6] && *other != senders[1])
    );
}

// holds: rooms.next-frame
#[test]
fn messages_sent_in_a_frame_arrive_in_the_next_one() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let later = Header::to(house.ears[0]).after(FRAME);
    house.manager(0).post(later, Echo(0)).unwrap();
    let ear = house.ears[1];
    let far = house.proxy(1, 0);
    house
        .manager(1)
        .speak_for(ear)
        .unwrap()
        .send(far, Echo(7))
        .unwrap();
    house.frame();
    // Room 0 has answered in this frame.
    assert_eq!(house.heard(1), []);
    house.frame();
    assert_eq!(house.heard(1), [7]);
    assert!(house.manager(0).is_proxy(proxy));
}

// holds: rooms.one-proxy
#[test]
fn a_room_knows_a_messagee_by_one_proxy() {
    let mut house = House::new(3);
    let proxy = house.proxy(0, 1);
    assert_eq!(house.proxy(0, 1), proxy);
    let (rooms, ids, ears) = (&mut house.rooms, &house.ids, &house.ears);
    // It is reached by the proxy of another room as well, and at home by its own id.
    let in_2 = rooms.proxy(ids[2], ids[0], proxy).unwrap();
    assert_eq!(rooms.proxy(ids[2], ids[1], ears[1]), Ok(in_2));
    assert_eq!(rooms.proxy(ids[1], ids[0], proxy), Ok(ears[1]));
    assert_eq!(rooms.home(ids[2], in_2), Ok(Some((ids[1], ears[1]))));
    rooms.manager_mut(ids[0]).despawn(proxy).unwrap();
    let again = rooms.proxy(ids[0], ids[1], ears[1]).unwrap();
    assert_ne!(again, proxy);
    let error = rooms.proxy(ids[0], ids[1], proxy).unwrap_err();
    assert!(
        error.to_string().starts_with("in room `1`: messagee"),
        "{error}"
    );
}

// holds: rooms.reply
#[test]
fn a_reply_reaches_the_sender() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let ear = house.ears[0];
    house
        .manager(0)
        .speak_for(ear)
        .unwrap()
        .send(proxy, Echo(5))
        .unwrap();
    house.frame();
    assert_eq!(house.heard(0), []);
    house.frame();
    assert_eq!(house.heard(0), [5]);
    // The sender is the proxy that it has answered.
    assert_eq!(house.ear(0).from, [Some(proxy)]);
}

// holds: rooms.outside
#[test]
fn nobody_replies_to_the_outside_of_another_room() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    house.manager(0).send(proxy, Say(1)).unwrap();
    house.frame();
    let from = house.ear(1).from[0].unwrap();
    let error = house.manager(1).send(from, Say(2)).unwrap_err();
    let text = error.to_string();
    assert!(
        text.ends_with(
            "cannot receive it: it represents the outside of its room, which receives no messages"
        ),
        "{text}"
    );
}

// holds: rooms.header
#[test]
fn a_header_applies_in_the_other_room() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let (ear, far) = (house.ears[0], house.ears[1]);
    let mut speaker = house.manager(0).speak_for(ear).unwrap();
    speaker
        .post(
            Header::to(proxy).every(FRAME * 2).times(2).key("tick"),
            Say(1),
        )
        .unwrap();
    speaker
        .post(
            Header::to(proxy).stage(Stage::EndOfFrame).tied_to_sender(),
            Say(2),
        )
        .unwrap();
    speaker
        .post(Header::to(proxy).after(FRAME).key(("for", proxy)), Say(3))
        .unwrap();
    assert!(!house.manager(0).has_pending(Posts::all()));
    house.frame();
    assert_eq!(house.heard(1), [3, 2]);
    let pending = house.manager(1).pending_posts(Posts::all());
    let from = house.proxy(1, 0);
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].sender, Sender::Messagee(from));
    assert_eq!(pending[0].recipient, Recipient::Id(far));
    for _ in 0..6 {
        house.frame();
    }
    assert_eq!(house.heard(1), [3, 2, 1, 1]);
}

// holds: rooms.header
#[test]
fn a_key_of_a_messagee_is_translated() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let far = house.ears[1];
    let post = |manager: &mut MessageManager, say| {
        let header = Header::to(proxy)
            .after(Duration::from_secs(1))
            .key(("of", proxy));
        manager.post(header, Say(say)).unwrap();
    };
    post(house.manager(0), 1);
    house.frame();
    let pending = house.manager(1).pending_posts(Posts::all());
    assert_eq!(pending[0].key, Some(("of", far).into()));
    // The key names one message.
    post(house.manager(0), 2);
    house.frame();
    assert_eq!(house.manager(1).pending_posts(Posts::all()).len(), 1);
}

// holds: rooms.header
#[test]
fn a_header_cannot_end_with_a_component_of_another_room() {
    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let ear = house.ears[0];
    let hook = house.manager(0).hook_of::<Ear>(ear).unwrap();
    let header = Header::to(proxy).after(FRAME).until_unhooked(hook);
    let error = house.manager(0).post(header, Say(1)).unwrap_err();
    assert!(
        matches!(error.kind(), SendErrorKind::NotCarried { .. }),
        "{error}"
    );
}

// holds: rooms.groups
#[test]
fn groups_reach_into_other_rooms() {
    let mut house = House::new(3);
    let proxy = house.proxy(0, 1);
    let ear = house.ears[0];
    house.manager(0).join(CHOIR, ear).unwrap();
    house.manager(0).join(CHOIR, proxy).unwrap();
    house.manager(0).send(CHOIR, Say(1)).unwrap();
    house.frame();
    assert_eq!(
        [0, 1, 2].map(|room| house.heard(room)),
        [vec![1], vec![1], vec![]]
    );
}

// holds: rooms.groups
#[test]
fn a_group_spans_the_rooms() {
    let mut house = House::new(3);
    house.rooms.span(CHOIR);
    house.rooms.span(CHOIR);
    for room in 0..3 {
        let ear = house.ears[room];
        house.manager(room).join(CHOIR, ear).unwrap();
    }
    let late = house.rooms.add("late", MessageManager::new()).unwrap();
    house.rooms.manager_mut(late).send(CHOIR, Say(1)).unwrap();
    house.manager(0).send(CHOIR, Say(2)).unwrap();
    for _ in 0..4 {
        house.frame();
    }
    // Each once: a message that has come from another room does not go on.
    assert_eq!(
        [0, 1, 2].map(|room| house.heard(room)),
        [vec![2, 1], vec![2, 1], vec![2, 1]]
    );
}

// holds: proxies.elsewhere
#[test]
fn a_request_to_another_room_is_refused() {
    #[derive(Message)]
    #[message(reply = u32)]
    struct Ask;

    let mut house = House::new(2);
    let proxy = house.proxy(0, 1);
    let error = house.manager(0).request(proxy, Ask).unwrap_err();
    assert_eq!(*error.kind(), SendErrorKind::Absent(Absence::Elsewhere));
}
