//! Recipients: who receives a message sent to each of them, and in which order.

use std::time::Duration;

use crate::common::{Actor, Do, Ear, Log, Note, Tested, Tour, Who, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;

mnemonic!(WORLD);

/// Goes through components of three types, whose priorities and names are at odds.
#[derive(Message, Default)]
struct Round(Vec<&'static str>);

struct Alpha(&'static str);
struct Beta(&'static str);
struct Gamma(&'static str);

#[handlers]
impl Alpha {
    #[on_receive(priority = -1)]
    fn round(&self, round: &mut Round) {
        round.0.push(self.0);
    }
}

#[handlers]
impl Beta {
    #[on_receive]
    fn round(&self, round: &mut Round) {
        round.0.push(self.0);
    }
}

#[handlers]
impl Gamma {
    #[on_receive(priority = 5)]
    fn round(&self, round: &mut Round) {
        round.0.push(self.0);
    }
}

/// Another type that hears rounds with no priority; its name sorts after `Beta`.
struct Delta(&'static str);

#[handlers]
impl Delta {
    #[on_receive]
    fn round(&self, round: &mut Round, _: &mut Context<'_>) {
        round.0.push(self.0);
    }
}

fn round(manager: &mut MessageManager, to: impl Into<Recipient>) -> Vec<&'static str> {
    let mut round = Round::default();
    manager.send_mut(to, &mut round).expect("somebody is there");
    round.0
}

// holds: send.to-id-order
#[test]
fn an_id_is_its_components_in_order_of_priority_then_of_hooking() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((
        Delta("d1"),
        Alpha("a1"),
        Beta("b1"),
        Gamma("g1"),
        Beta("b2"),
    ));
    manager.hook(id, Gamma("g2"))?;
    manager.hook(id, Delta("d2"))?;
    let expected = ["g1", "g2", "d1", "b1", "b2", "d2", "a1"];
    assert_eq!(round(&mut manager, id), expected);
    Ok(())
}

// holds: send.to-id-order
#[test]
fn an_id_without_priorities_is_its_components_in_order_of_hooking() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((
        Ear::new("1", &log),
        Actor::new("2", &log),
        Ear::new("3", &log),
    ));
    manager.hook(id, Actor::new("4", &log))?;
    manager.send(id, Note("x"))?;
    assert_eq!(log.take(), ["1: x", "2: x", "3: x", "4: x"]);
    Ok(())
}

// holds: send.everyone-order
#[test]
fn everyone_is_type_by_type_higher_priority_first_then_by_type_name_each_in_storage_order() -> Tested
{
    let mut manager = MessageManager::new();
    manager.spawn((Alpha("a1"), Delta("d1"), Beta("b1")));
    let gone = manager.spawn((Beta("b2"), Gamma("g1"), Alpha("a2")));
    manager.spawn((Gamma("g2"), Beta("b3"), Delta("d2")));
    manager.spawn((Beta("b4"),));
    let expected = ["g1", "g2", "b1", "b2", "b3", "b4", "d1", "d2", "a1", "a2"];
    assert_eq!(round(&mut manager, Everyone), expected);

    manager.despawn(gone)?;
    let stored: Vec<&str> = manager.iter::<Beta>().map(|(_, beta)| beta.0).collect();
    let heard = round(&mut manager, Everyone);
    assert_eq!(heard.len(), 7);
    assert_eq!(heard[0], "g2");
    assert_eq!(heard[1..4], stored);
    assert_eq!(heard[4..], ["d1", "d2", "a1"]);
    Ok(())
}

// holds: send.everyone-order-repeatable
#[test]
fn the_order_of_everyone_is_the_same_each_time() -> Tested {
    let build = || -> Result<MessageManager, MessageeError> {
        let mut manager = MessageManager::new();
        let ids: Vec<MessageeId> = (0..8)
            .map(|_| manager.spawn((Beta("b"), Gamma("g"), Delta("d"))))
            .collect();
        manager.despawn(ids[2])?;
        manager.despawn(ids[5])?;
        for (id, name) in [(ids[1], "x"), (ids[7], "y"), (ids[0], "z")] {
            manager.hook(id, Beta(name))?;
            manager.hook(id, Delta(name))?;
        }
        let hook = manager.hooks(ids[3]).next();
        manager.set_enabled(hook.expect("it has hooks"), false)?;
        Ok(manager)
    };
    let (mut one, mut other) = (build()?, build()?);
    let heard = round(&mut one, Everyone);
    assert_eq!(heard, round(&mut one, Everyone));
    assert_eq!(heard, round(&mut other, Everyone));
    Ok(())
}

// holds: send.everyone-else
#[test]
fn everyone_else_leaves_out_all_components_of_the_senders_messagee() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Ear::new("own", &log))?;
    manager.spawn((Ear::new("other", &log), Actor::new("friend", &log)));
    let script = Do::new(|cx| {
        let receipt = cx.send(EveryoneElse, Note("hello")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (2, 0));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["friend: hello", "other: hello"]);
    manager
        .speak_for(actor)?
        .send(EveryoneElse, Note("again"))?;
    assert_eq!(log.take(), ["friend: again", "other: again"]);
    Ok(())
}

/// Spawns three generations: `root`, its children `left` and `right`, and two below `left`.
fn family(manager: &mut MessageManager, log: &Log) -> Result<[MessageeId; 5], MessageeError> {
    let names = ["root", "left", "left one", "left two", "right"];
    let ids = names.map(|name| manager.spawn((Ear::new(name, log),)));
    let [root, left, one, two, right] = ids;
    manager.set_parent(left, Some(root))?;
    manager.set_parent(right, Some(root))?;
    manager.set_parent(one, Some(left))?;
    manager.set_parent(two, Some(left))?;
    Ok(ids)
}

// holds: send.up-down-order
#[test]
fn up_is_the_messagee_then_its_ancestors() -> Tested {
    let (mut manager, log, _) = stage();
    let [root, _, one, ..] = family(&mut manager, &log)?;
    manager.send(Up(one), Note("!"))?;
    assert_eq!(log.take(), ["left one: !", "left: !", "root: !"]);
    manager.send(Up(root), Note("!"))?;
    assert_eq!(log.take(), ["root: !"]);
    Ok(())
}

// holds: send.up-down-order
#[test]
fn down_is_the_messagee_then_its_descendants_in_pre_order() -> Tested {
    let (mut manager, log, _) = stage();
    let [root, left, _, two, _] = family(&mut manager, &log)?;
    manager.send(Down(root), Note("!"))?;
    let expected = [
        "root: !",
        "left: !",
        "left one: !",
        "left two: !",
        "right: !",
    ];
    assert_eq!(log.take(), expected);
    manager.send(Down(left), Note("!"))?;
    assert_eq!(log.take(), ["left: !", "left one: !", "left two: !"]);
    manager.send(Down(two), Note("!"))?;
    assert_eq!(log.take(), ["left two: !"]);
    Ok(())
}

// holds: send.up-down-order, send.to-id-order
#[test]
fn within_up_and_down_each_messagee_keeps_its_own_order() -> Tested {
    let mut manager = MessageManager::new();
    let parent = manager.spawn((Beta("parent b"), Gamma("parent g")));
    let child = manager.spawn((Alpha("child a"), Gamma("child g")));
    manager.set_parent(child, Some(parent))?;
    let down = ["parent g", "parent b", "child g", "child a"];
    assert_eq!(round(&mut manager, Down(parent)), down);
    let up = ["child g", "child a", "parent g", "parent b"];
    assert_eq!(round(&mut manager, Up(child)), up);
    Ok(())
}

#[test]
fn a_mnemonic_is_the_messagee_that_is_bound_to_it() -> Tested {
    let (mut manager, log, _) = stage();
    let ear = manager.spawn((Ear::new("world", &log),));
    manager.bind(WORLD, ear)?;
    assert_eq!(manager.send(WORLD, Note("hello"))?.received, 1);
    assert_eq!(log.take(), ["world: hello"]);
    Ok(())
}

// holds: messagees.mnemonic-unbound
#[test]
fn an_unbound_mnemonic_is_an_error_that_names_it() {
    let mut manager = MessageManager::new();
    let expected = SendError::new(Note::NAME, WORLD, SendErrorKind::Absent(Absence::Unbound));
    assert_eq!(manager.send(WORLD, Note("")), Err(expected));
}

// Ids match exactly.

// holds: messagees.stale-id
#[test]
fn a_stale_id_never_reaches_a_newcomer_and_is_gone() -> Tested {
    let (mut manager, log, _) = stage();
    let stale = manager.spawn((Ear::new("old", &log),));
    manager.despawn(stale)?;
    let newcomer = manager.spawn((Ear::new("new", &log),));
    for to in [stale.into(), Up(stale), Down(stale)] {
        let (id, message) = (stale, Note::NAME);
        assert_eq!(
            manager.send(to, Note("")),
            Err(SendError::new(
                message,
                id,
                SendErrorKind::Absent(Absence::Gone)
            ))
        );
    }
    assert_ne!(stale, newcomer);
    assert!(log.take().is_empty());
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn an_id_of_another_manager_is_an_error_that_says_so() {
    let (mut manager, log, _) = stage();
    let mut other = MessageManager::new();
    let id = other.spawn((Ear::new("other", &log),));
    let message = Note::NAME;
    let expected = SendError::new(message, id, SendErrorKind::Absent(Absence::OtherManager));
    assert_eq!(manager.send(id, Note("")), Err(expected));
    assert!(log.take().is_empty());
}

// holds: send.everyone-else-dead-sender
#[test]
fn everyone_else_posted_by_somebody_who_then_died_goes_to_everyone() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Ear::new("other", &log),));
    let later = Header::to(EveryoneElse).after_frames(1).build()?;
    manager
        .speak_for(other)?
        .post(&later, Note("to the others"))?;
    manager.tick(Duration::from_millis(1));
    assert_eq!(log.take(), ["actor: to the others"]);
    manager
        .speak_for(other)?
        .post(&later, Note("its last words"))?;
    manager.despawn(other)?;
    // A newcomer in its slot is a different messagee.
    manager.spawn((Ear::new("newcomer", &log),));
    manager.tick(Duration::from_millis(1));
    let expected = ["actor: its last words", "newcomer: its last words"];
    assert_eq!(log.take(), expected);
    assert!(manager.is_alive(actor));
    Ok(())
}

// holds: messagees.as-messagee-alive
#[test]
fn who_speaks_for_a_messagee_that_died_since_is_told_that_it_is_gone() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let mut speaker = manager.speak_for(actor)?;
    speaker.send(Me, Do::new(|cx| cx.despawn(cx.me()).expect("it is there")))?;
    let gone = |message| SendError::new(message, actor, SendErrorKind::Absent(Absence::Gone));
    let later = Header::to(ear).after_frames(1).build()?;
    assert_eq!(speaker.send(ear, Note("a")), Err(gone(Note::NAME)));
    assert_eq!(speaker.post(&later, Note("b")), Err(gone(Note::NAME)));
    assert_eq!(
        speaker.post_to(ear, &later, Note("c")),
        Err(gone(Note::NAME))
    );
    assert_eq!(speaker.publish(ear, Note("d")), Err(gone(Note::NAME)));
    let tour = speaker.send_mut(ear, &mut Tour::default());
    assert_eq!(tour, Err(gone(Tour::NAME)));
    assert_eq!(speaker.request(ear, Who), Err(gone(Who::NAME)));
    assert_eq!(speaker.request_all(Everyone, Who), Err(gone(Who::NAME)));
    manager.tick(Duration::from_millis(1));
    assert_eq!(log.take(), Vec::<String>::new());
    assert_eq!(manager.inbox::<Note>().count(), 0);
    Ok(())
}

mnemonic!(ROOT);

/// Spawns a family of three with a name for its middle member.
fn three(manager: &mut MessageManager) -> Result<[MessageeId; 3], MessageeError> {
    let top = manager.spawn((Beta("top"),));
    let middle = manager.spawn((Beta("middle"),));
    manager.set_parent(middle, Some(top))?;
    let low = manager.spawn((Beta("low"),));
    manager.set_parent(low, Some(middle))?;
    manager.bind(ROOT, middle)?;
    Ok([top, middle, low])
}

// holds: send.up-down-mnemonic, messagees.mnemonic-unbound
#[test]
fn up_and_down_take_a_mnemonic_too() -> Tested {
    let mut manager = MessageManager::new();
    let [_, middle, low] = three(&mut manager)?;
    assert_eq!(round(&mut manager, Up(ROOT)), ["middle", "top"]);
    assert_eq!(round(&mut manager, Down(ROOT)), ["middle", "low"]);
    manager.unbind(ROOT, middle)?;
    let sent = manager.send(Up(ROOT), Round::default());
    let unbound = SendError::new(Round::NAME, ROOT, SendErrorKind::Absent(Absence::Unbound));
    assert_eq!(sent, Err(unbound));
    manager.bind(ROOT, low)?;
    assert_eq!(round(&mut manager, Up(ROOT)), ["low", "middle", "top"]);
    assert_eq!(
        Up(ROOT).to_string(),
        "`sending::recipients::ROOT` and its ancestors"
    );
    assert_eq!(
        Down(ROOT).to_string(),
        "`sending::recipients::ROOT` and its descendants"
    );
    Ok(())
}

// holds: send.up-down-mnemonic, headers.mnemonic-when-delivered
#[test]
fn the_mnemonic_of_a_family_is_looked_up_when_a_post_is_delivered() -> Tested {
    let mut manager = MessageManager::new();
    let [top, middle, _] = three(&mut manager)?;
    manager.post(
        Header::to(Down(ROOT)).stage(Stage::Update),
        Round::default(),
    )?;
    manager.unbind(ROOT, middle)?;
    manager.bind(ROOT, top)?;
    let (sender, receivers) = std::sync::mpsc::channel();
    manager.subscribe(Filter::of::<Round>(), move |round: &Round, _| {
        let _ = sender.send(round.0.clone());
    });
    manager.tick(Duration::ZERO);
    assert_eq!(receivers.recv()?, ["top", "middle", "low"]);
    Ok(())
}

#[test]
fn a_filter_by_the_family_of_a_mnemonic_means_that_of_who_is_bound_to_it() -> Tested {
    let mut manager = MessageManager::new();
    let [top, middle, _] = three(&mut manager)?;
    manager.subscribe(Filter::of::<Ping>().to(Up(ROOT)), |_, _| {});
    assert_eq!(manager.send(Up(middle), Ping)?.received, 1);
    assert_eq!(manager.send(Up(ROOT), Ping)?.received, 1);
    assert_eq!(manager.send(Up(top), Ping)?.received, 0);
    manager.unbind(ROOT, middle)?;
    manager.bind(ROOT, top)?;
    assert_eq!(manager.send(Up(middle), Ping)?.received, 0);
    assert_eq!(manager.send(Up(top), Ping)?.received, 1);
    Ok(())
}

// holds: mail.family-of-mnemonic
#[test]
fn mail_to_the_family_of_a_mnemonic_is_for_that_of_who_is_bound_to_it_then() -> Tested {
    let mut manager = MessageManager::new();
    let [top, middle, low] = three(&mut manager)?;
    manager.publish(Down(ROOT), Ping)?;
    manager.unbind(ROOT, middle)?;
    manager.tick(Duration::ZERO);
    let mail = manager.inbox::<Ping>();
    let reached = [top, middle, low].map(|id| mail.reaching(id).count());
    assert_eq!(reached, [0, 1, 1]);
    assert_eq!(mail.to(Down(middle)).count(), 1);
    assert_eq!(mail.to(Down(ROOT)).count(), 0);
    assert!(manager.publish(Down(ROOT), Ping).is_err());
    Ok(())
}

#[derive(Message)]
struct Ping;
