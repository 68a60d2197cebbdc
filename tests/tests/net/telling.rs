//! Notifications about other nodes, and about messages that did not arrive.

use message_core::error::CarryError;
use message_core::prelude::*;
use message_data::{Digest, Log};
use message_net::{MessagesLost, NET, NodeDown, NodeUp, Reach, ReachChanged, Unwatch, Watch};

use crate::common::{Ear, Net, Note, accept_all, dead_letters, heard, lines, name, note_all, two};

group!(MIXED);

/// How many frames a second has.
const SECOND: usize = 20;

#[derive(Default)]
struct Watcher {
    told: Vec<(MessageeId, Reach)>,
}

#[handlers]
impl Watcher {
    #[on_receive]
    fn changed(&mut self, changed: &ReachChanged) {
        self.told.push((changed.proxy, changed.reach));
    }
}

fn watch(net: &mut Net, at: usize, proxy: MessageeId) -> MessageeId {
    let watcher = net.manager(at).spawn((Watcher::default(),));
    let mut from = net.manager(at).speak_for(watcher).expect("alive");
    assert_eq!(from.send(NET, Watch { proxy }).map(|it| it.received), Ok(1));
    watcher
}

fn told(net: &mut Net, at: usize, watcher: MessageeId) -> Vec<Reach> {
    let watcher = net.manager(at).get::<Watcher>(watcher).expect("alive");
    watcher.told.iter().map(|(_, reach)| *reach).collect()
}

fn gate(net: &mut Net, a: usize, b: usize) -> (MessageeId, MessageeId) {
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    (ear, gate)
}

// holds: net.node-told
#[test]
fn everyone_is_told_that_a_node_has_come_and_that_it_has_left() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let up = note_all(net.manager(a), |up: &NodeUp| {
        format!("{} {}", up.node, up.restarted)
    });
    let down = note_all(net.manager(a), |down: &NodeDown| {
        format!("{}: {}", down.node, down.why)
    });
    let b = net.add("b", accept_all);
    net.run(10);
    assert_eq!(lines(&up), ["b false"]);
    let place = &mut net.places[b];
    place
        .node
        .take()
        .expect("attached")
        .detach(&mut place.manager);
    net.run(10);
    assert_eq!(lines(&down), ["b: it has said goodbye"]);
    net.attach(b, "b", 2, accept_all);
    net.run(30);
    // It was forgotten when it left.
    assert_eq!(lines(&up), ["b false", "b false"]);
}

// holds: net.short-cut, net.watched-told
#[test]
fn over_a_cut_shorter_than_the_resend_window_nothing_is_lost_and_who_watches_is_told() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let watcher = watch(&mut net, a, gate);
    let lost = note_all(net.manager(a), |lost: &MessagesLost| {
        lost.messages.to_string()
    });
    net.network.cut(&[name("a")], &[name("b")]);
    for n in 0..50 {
        net.manager(a).send(gate, Note(n)).expect("it waits");
        net.run(1);
    }
    assert_eq!(told(&mut net, a, watcher), [Reach::Unreachable]);
    net.network.heal();
    net.run(5 * SECOND);
    assert_eq!(heard(net.manager(b), ear), (0..50).collect::<Vec<_>>());
    assert_eq!(
        told(&mut net, a, watcher),
        [Reach::Unreachable, Reach::Back]
    );
    assert!(lines(&lost).is_empty());
    assert!(net.manager(a).is_alive(gate));
}

// holds: proxies.unreached
#[test]
fn a_node_that_cannot_be_reached_keeps_no_member_of_a_group_from_a_message() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let near = net.manager(a).spawn((Ear::default(),));
    for member in [gate, near] {
        net.manager(a).join(MIXED, member).expect("alive");
    }
    let dead = dead_letters(net.manager(a));
    net.manager(a).send(MIXED, Note(1)).expect("both are there");
    net.run(SECOND);
    net.network.cut(&[name("a")], &[name("b")]);
    net.run(15 * SECOND);
    assert!(lines(&dead).is_empty());
    for n in [2, 3] {
        let receipt = net.manager(a).send(MIXED, Note(n)).expect("one is there");
        assert_eq!((receipt.received, receipt.unreached), (1, 1));
    }
    let dead = lines(&dead);
    assert_eq!(dead.len(), 2);
    assert!(
        dead[0].ends_with("in another manager cannot be reached now"),
        "{dead:?}"
    );
    net.network.heal();
    net.run(5 * SECOND);
    net.manager(a).send(MIXED, Note(4)).expect("both are there");
    net.run(SECOND);
    assert_eq!(heard(net.manager(a), near), [1, 2, 3, 4]);
    assert_eq!(heard(net.manager(b), ear), [1, 4]);
}

// holds: net.long-cut, net.watched-told, proxies.unwritable
#[test]
fn after_a_longer_cut_what_was_lost_is_told_and_the_proxy_leads_there_again() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let watcher = watch(&mut net, a, gate);
    let lost = note_all(net.manager(a), |lost: &MessagesLost| {
        lost.messages.to_string()
    });
    let dead = dead_letters(net.manager(a));
    let down = note_all(net.manager(a), |down: &NodeDown| down.why.to_string());
    net.network.cut(&[name("a")], &[name("b")]);
    let mut sent = 0;
    for n in 0..15 * SECOND {
        if net
            .manager(a)
            .send(gate, Note(u32::try_from(n).expect("few")))
            .is_ok()
        {
            sent += 1;
        }
        net.run(1);
    }
    assert_eq!(lines(&down), ["nothing was heard from it for too long"]);
    let error = net.manager(a).send(gate, Note(0));
    assert!(
        matches!(
            error.as_ref().map_err(SendError::kind),
            Err(SendErrorKind::NotCarried {
                why: CarryError::Unreachable
            })
        ),
        "{error:?}"
    );
    net.network.heal();
    net.run(5 * SECOND);
    let lost: u64 = lines(&lost)
        .iter()
        .map(|lost| lost.parse::<u64>().expect("a number"))
        .sum();
    let arrived = heard(net.manager(b), ear).len() as u64;
    assert_eq!(arrived + lost + lines(&dead).len() as u64, sent);
    assert!(sent > 100 && lost > 100, "{sent} {lost}");
    assert_eq!(
        told(&mut net, a, watcher),
        [Reach::Unreachable, Reach::Back]
    );
    net.manager(a).send(gate, Note(7)).expect("up again");
    net.run(SECOND);
    assert_eq!(heard(net.manager(b), ear).last(), Some(&7));
}

// holds: net.node-told, net.proxy-ends, net.watched-told
#[test]
fn when_a_node_was_started_again_its_proxies_have_ended_and_everyone_is_told() {
    let (mut net, a, b) = two();
    let (_, gate) = gate(&mut net, a, b);
    let watcher = watch(&mut net, a, gate);
    let up = note_all(net.manager(a), |up: &NodeUp| up.restarted.to_string());
    // Its process has died without saying goodbye.
    let node = net.places[b].node.take().expect("attached");
    drop(node);
    net.places[b].manager = MessageManager::new();
    net.attach(b, "b", 2, accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    net.run(5 * SECOND);
    assert_eq!(lines(&up), ["true"]);
    assert!(!net.manager(a).is_alive(gate));
    assert_eq!(told(&mut net, a, watcher).last(), Some(&Reach::Ended));
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(1)).expect("up");
    net.run(SECOND);
    assert_eq!(heard(net.manager(b), ear), [1]);
}

// holds: net.watched-told
#[test]
fn who_watches_is_told_of_the_end_and_who_has_stopped_is_not() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let [stays, stops] = [(); 2].map(|()| watch(&mut net, a, gate));
    let mut from = net.manager(a).speak_for(stops).expect("alive");
    from.send(NET, Unwatch { proxy: gate }).expect("sent");
    net.manager(b).despawn(ear).expect("alive");
    net.run(10);
    assert_eq!(told(&mut net, a, stays), [Reach::Ended]);
    assert_eq!(told(&mut net, a, stops), []);
}

// holds: proxies.unwritable
#[test]
fn one_who_sends_more_than_waits_is_told_at_once() {
    let mut net = Net::new();
    let a = net.add("a", |config| accept_all(config).backlog(10_000));
    let gate = net.places[a].import("b/gate");
    let mut sent = 0_u32;
    let error = loop {
        match net.manager(a).send(gate, Note(sent)) {
            Ok(_) => sent += 1,
            Err(error) => break error,
        }
    };
    assert!(
        matches!(
            error.kind(),
            SendErrorKind::NotCarried {
                why: CarryError::Backlog { .. },
                ..
            }
        ),
        "{error}"
    );
    // Accepted messages arrive.
    let b = net.add("b", accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    net.run(SECOND);
    assert_eq!(heard(net.manager(b), ear).len(), sent as usize);
}

// holds: net.malformed
#[test]
fn a_message_that_is_too_long_is_a_dead_letter_that_says_so() {
    let mut net = Net::new();
    let a = net.add("a", |config| accept_all(config).max_message(100));
    let b = net.add("b", accept_all);
    let (ear, gate) = gate(&mut net, a, b);
    let dead = dead_letters(net.manager(a));
    net.manager(a)
        .send(gate, crate::common::Long(vec![7; 200]))
        .expect("it is looked at later");
    net.manager(a).send(gate, Note(1)).expect("sent");
    net.run(10);
    let dead = lines(&dead);
    assert!(
        dead[0].contains("but a message to another node can have at most 100"),
        "{dead:?}"
    );
    assert_eq!(heard(net.manager(b), ear), [1]);
}

// holds: net.in-order-once, net.short-cut
#[test]
fn a_handler_that_panics_stops_nothing_of_what_came_behind() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let panics = net.manager(b).subscribe(
        Filter::of::<Note>(),
        |note: &Note, _: &mut SubscriberContext<'_>| {
            assert!(note.0 != 1, "as told");
        },
    );
    for n in 0..4 {
        net.manager(a).send(gate, Note(n)).expect("sent");
    }
    net.places[a].tick();
    net.network.advance(1);
    let place = &mut net.places[b];
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| place.tick()));
    assert!(caught.is_err());
    assert!(net.manager(b).unsubscribe(panics));
    net.run(2);
    assert_eq!(heard(net.manager(b), ear), [0, 1, 2, 3]);
}

// holds: net.logged
#[test]
fn what_a_node_does_is_repeated_from_a_log_without_a_network() {
    use message_data::{LogOptions, Replay};
    let path = std::env::temp_dir().join(format!("net-{}.log", std::process::id()));
    let (mut net, a, b) = two();
    let file = std::fs::File::create(&path).expect("a folder for this");
    let options = LogOptions::new().digest_every(1);
    Log::start(net.manager(a), file, options).expect("all has data");
    let (_, gate) = gate(&mut net, a, b);
    let mine = net.manager(a).spawn((Ear::default(),));
    let mut from = net.manager(a).speak_for(mine).expect("alive");
    from.send(gate, crate::common::Pass(4)).expect("sent");
    from.send(NET, Watch { proxy: gate }).expect("sent");
    net.network.cut(&[name("a")], &[name("b")]);
    net.run(2 * SECOND);
    net.network.heal();
    net.run(2 * SECOND);
    assert_eq!(heard(net.manager(a), mine), [5]);
    let report = Log::stop(net.manager(a))
        .expect("the disk has room")
        .expect("it was on");
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    let replayed = Replay::open(&path).expect("whole").run().expect("the same");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(net.manager(a)));
}
