//! The input that a node accepts and survives: the sentences of *Security* and of careless use. A node
//! that sends arbitrary data is tested in `message-net`, where batches can be made by hand.

use std::time::Duration;

use message_core::prelude::*;
use message_net::{
    Accept, MessagesLost, NET, NetTrouble, NodeDown, PeerState, Reach, ReachChanged, Watch,
};

use crate::common::{
    Ear, GetHeard, Long, Net, Note, Pass, Unaccepted, accept_all, dead_letters, heard, lines, name,
    note_all, two,
};

/// Creates an ear at `b` that is exported as `gate`, and its proxy at `a`.
fn gate(net: &mut Net, a: usize, b: usize) -> (MessageeId, MessageeId) {
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    (ear, gate)
}

// holds: net.accepts
#[test]
fn nothing_is_accepted_that_the_configuration_does_not_name() {
    let (mut net, a, b) = two();
    let (_, gate) = gate(&mut net, a, b);
    let dead = dead_letters(net.manager(a));
    net.manager(a).send(gate, Unaccepted(1)).expect("taken");
    net.run(10);
    assert_eq!(lines(&dead), ["node `b` does not accept `net.Unaccepted`"]);
    let info = net.places[b].node().peers().next().expect("one");
    assert_eq!(info.counts.refused_here, 1);
}

// holds: net.refused-hello
#[test]
fn a_node_whose_hello_is_refused_has_no_session_and_both_sides_are_told_why() {
    let mut net = Net::new();
    let b = net.add("b", accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    let gate = net.places[b].import("a/gate");
    let from_b = note_all(net.manager(b), |down: &NodeDown| down.why.to_string());
    let lost = note_all(net.manager(b), |lost: &MessagesLost| {
        lost.messages.to_string()
    });
    let a = net.add("a", |config| accept_all(config).max_types(1));
    let from_a = note_all(net.manager(a), |down: &NodeDown| down.why.to_string());
    let mut watcher = net.manager(b).speak_for(ear).expect("alive");
    watcher.send(NET, Watch { proxy: gate }).expect("a node");
    watcher.send(gate, Note(1)).expect("it waits");
    net.run(20);
    let told = lines(&from_a);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0]
            .ends_with("message types: expected at most 1; `NodeConfig::max_types` can allow more"),
        "{told:?}"
    );
    let why = format!("node `a` does not accept this node: {}", told[0]);
    assert_eq!(
        (lines(&from_b), lines(&lost)),
        (vec![why], vec!["1".to_owned()])
    );

    let frames = |net: &mut Net| {
        let places = net.places.iter_mut();
        let sent = places.map(|place| place.node().session_counters().frames_sent);
        sent.sum::<u64>()
    };
    let before = frames(&mut net);
    net.run(200);
    assert_eq!(frames(&mut net), before, "there is no session");
    assert_eq!((lines(&from_a).len(), lines(&from_b).len()), (1, 1));
    let states = [a, b].map(|at| net.places[at].node().peers().next().map(|it| it.state));
    assert_eq!(states, [Some(PeerState::Away); 2]);
}

// holds: net.accepts
#[test]
fn a_type_is_accepted_from_the_nodes_that_are_named_and_from_no_other() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let b = net.add("b", |config| {
        config.accept_from::<Note>(Accept::anyone().from([name("c")]))
    });
    let c = net.add("c", accept_all);
    let (ear, from_a) = gate(&mut net, a, b);
    let from_c = net.places[c].import("b/gate");
    let dead = dead_letters(net.manager(a));
    net.manager(a).send(from_a, Note(1)).expect("taken");
    net.manager(c).send(from_c, Note(2)).expect("taken");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [2]);
    assert_eq!(
        lines(&dead),
        ["node `b` refused `net.Note`: it is not accepted from this node"]
    );
}

// holds: net.accepts
#[test]
fn a_type_can_be_accepted_for_exported_messagees_alone() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let only = || Accept::anyone().to_exported();
    let b = net.add("b", |config| config.accept_from::<Note>(only()));
    let (ear, gate) = gate(&mut net, a, b);
    // One that has sent something is known, and not exported.
    let known = net.manager(b).spawn((Ear::default(),));
    let host = net.manager(a).spawn((Ear::default(),));
    net.places[a].export(host, "host");
    let far = net.places[b].import("a/host");
    let mut from = net.manager(b).speak_for(known).expect("alive");
    from.send(far, Pass(1)).expect("taken");
    let dead = dead_letters(net.manager(a));
    net.manager(a).send(gate, Note(3)).expect("taken");
    net.run(20);
    assert_eq!(heard(net.manager(b), ear), [3]);
    assert!(heard(net.manager(b), known).is_empty());
    assert_eq!(
        lines(&dead),
        ["node `b` refused `net.Note`: it is accepted only for what is exported"]
    );
}

// holds: net.accepts, proxies.elsewhere
#[test]
fn a_type_that_is_answered_is_not_accepted_as_a_message_and_the_other_way_round() {
    let (mut net, a, b) = two();
    let (_, gate) = gate(&mut net, a, b);
    let error = net.manager(a).request(gate, GetHeard);
    assert!(
        matches!(
            error.as_ref().map_err(SendError::kind),
            Err(SendErrorKind::Absent(Absence::Elsewhere))
        ),
        "{error:?}"
    );
    let dead = dead_letters(net.manager(a));
    net.manager(a).send(gate, GetHeard).expect("taken");
    net.run(10);
    assert_eq!(lines(&dead), ["node `b` does not accept `net.GetHeard`"]);
}

// holds: net.malformed
#[test]
fn a_message_longer_than_the_receiver_takes_is_refused_and_what_is_behind_it_arrives() {
    let mut net = Net::new();
    let a = net.add("a", |config| {
        accept_all(config).max_message(8 << 20).backlog(16 << 20)
    });
    let b = net.add("b", |config| {
        accept_all(config).accept::<Long>().max_message(1000)
    });
    let (ear, gate) = gate(&mut net, a, b);
    let dead = dead_letters(net.manager(a));
    // Longer than a message may be there; longer than any batch.
    for len in [2_000, 4_300_000] {
        net.manager(a)
            .send(gate, Long(vec![7; len]))
            .expect("taken");
        net.run(100);
    }
    net.manager(a).send(gate, Note(1)).expect("taken");
    net.run(50);
    let dead = lines(&dead);
    assert!(dead[0].contains("at most 1000 are accepted"), "{dead:?}");
    assert!(dead[1].contains("accepts batches of"), "{dead:?}");
    assert_eq!(heard(net.manager(b), ear), [1]);
}

#[test]
fn a_proxy_that_the_program_despawns_is_a_new_one_when_it_is_imported_again() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    net.manager(a).despawn(gate).expect("alive");
    // In the same frame.
    let again = net.places[a].import("b/gate");
    assert!(again != gate && net.manager(a).is_alive(again));
    net.manager(a).send(again, Note(1)).expect("taken");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [1]);
}

// holds: net.watched-told
#[test]
fn a_proxy_that_is_replaced_in_the_same_frame_has_ended_for_who_watches_and_for_the_other_node() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let watcher = net.manager(a).spawn(());
    let told = note_all(net.manager(a), |told: &ReachChanged| {
        format!("{:?}", told.reach)
    });
    let mut from = net.manager(a).speak_for(watcher).expect("alive");
    from.send(NET, Watch { proxy: gate }).expect("there");
    net.manager(a).despawn(gate).expect("alive");
    let again = net.places[a].import("b/gate");
    net.run(10);
    assert_eq!(lines(&told), ["Ended"]);
    assert!(net.manager(a).is_alive(again));
    let known = |net: &mut Net| {
        let peer = net.places[b].node().peers().next().expect("one");
        peer.known_there
    };
    assert_eq!(known(&mut net), 1);
    net.manager(b).despawn(ear).expect("alive");
    net.run(10);
    assert!(!net.manager(a).is_alive(again));
    assert_eq!(known(&mut net), 0);
}

// holds: net.watched-told
#[test]
fn who_watches_a_proxy_that_the_program_despawns_is_told_that_it_has_ended() {
    let (mut net, a, b) = two();
    let (_, gate) = gate(&mut net, a, b);
    let watcher = net.manager(a).spawn(());
    let told = note_all(net.manager(a), |told: &ReachChanged| {
        assert_eq!(told.reach, Reach::Ended);
        "ended".to_owned()
    });
    let mut from = net.manager(a).speak_for(watcher).expect("alive");
    from.send(NET, Watch { proxy: gate }).expect("there");
    net.manager(a).despawn(gate).expect("alive");
    net.run(2);
    assert_eq!(lines(&told), ["ended"]);
}

// holds: net.import-renamed
#[test]
fn a_name_that_another_takes_over_leads_to_that_one_from_then_on() {
    let (mut net, a, b) = two();
    let (old, before) = gate(&mut net, a, b);
    let new = net.manager(b).spawn((Ear::default(),));
    assert!(net.places[b].node().end_export("gate"));
    net.places[b].export(new, "gate");
    net.run(5);
    let after = net.places[a].import("b/gate");
    net.run(5);
    net.manager(a).send(before, Note(1)).expect("known still");
    net.manager(a).send(after, Note(2)).expect("exported");
    net.run(5);
    assert_eq!(heard(net.manager(b), old), [1]);
    assert_eq!(heard(net.manager(b), new), [2]);
    net.manager(b).despawn(old).expect("alive");
    net.run(5);
    assert!(!net.manager(a).is_alive(before) && net.manager(a).is_alive(after));
}

// holds: net.panic
#[test]
fn a_subscriber_that_panics_at_a_dead_letter_loses_neither_the_node_nor_what_is_sent_after() {
    let mut net = Net::new();
    let a = net.add("a", |config| accept_all(config).max_message(100));
    let b = net.add("b", accept_all);
    let (ear, gate) = gate(&mut net, a, b);
    let panics = net.manager(a).subscribe(
        Filter::of::<message_core::lifecycle::DeadLetter>(),
        |_, _: &mut SubscriberContext<'_>| panic!("as told"),
    );
    net.manager(a)
        .send(gate, Long(vec![7; 200]))
        .expect("looked at later");
    net.manager(a).send(gate, Note(1)).expect("taken");
    let place = &mut net.places[a];
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| place.tick()));
    assert!(caught.is_err());
    assert!(net.manager(a).unsubscribe(panics));
    net.manager(a).send(gate, Note(2)).expect("taken");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [1, 2]);
}

#[test]
fn careless_programs_go_on() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let trouble = note_all(net.manager(a), |told: &NetTrouble| told.what.clone());
    // No time, all time, and a pause.
    for dt in [Duration::ZERO, Duration::ZERO] {
        let place = &mut net.places[a];
        let node = place.node.as_mut().expect("attached");
        node.tick(&mut place.manager, dt);
    }
    net.manager(a).set_paused(true);
    net.run(3);
    net.manager(a).set_paused(false);
    // A proxy has no components and no parent that it loses.
    assert!(net.manager(a).hook(gate, Ear::default()).is_err());
    let parent = net.manager(a).spawn(());
    net.manager(a)
        .set_parent(gate, Some(parent))
        .expect("both live");
    // Once, consumed before it comes there, and retained.
    net.manager(a)
        .subscribe(Filter::of::<Note>().once(), |_, _| {});
    net.manager(a).send(gate, Note(1)).expect("taken");
    let retained = Header::to(gate).retain().stage(Stage::Update);
    net.manager(a).post(retained, Note(2)).expect("taken");
    let asker = net.manager(a).spawn(());
    let bound = Header::to(gate).after_frames(2).tied_to_sender();
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    from.post(bound, Note(3)).expect("taken");
    net.run(1);
    // Its sender dies here: it is bound to that there, too.
    net.manager(a).despawn(asker).expect("alive");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [1, 2]);
    net.manager(a).despawn(parent).expect("alive");
    net.run(10);
    assert!(lines(&trouble).is_empty(), "{:?}", lines(&trouble));
}

#[test]
fn a_node_that_is_dropped_without_goodbye_leaves_a_world_that_goes_on() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    drop(net.places[a].node.take());
    net.manager(a)
        .send(gate, Note(1))
        .expect("it waits for ever");
    net.run(5);
    net.attach(a, "a", 2, accept_all);
    assert!(!net.manager(a).is_alive(gate), "it was of another run");
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(2)).expect("taken");
    net.run(100);
    assert_eq!(heard(net.manager(b), ear), [2]);
}

// holds: net.waiting-dead-letter, net.node-told
#[test]
fn of_what_is_sent_when_the_other_node_goes_all_is_accounted_for() {
    let (mut net, a, b) = two();
    let (ear, gate) = gate(&mut net, a, b);
    let dead = dead_letters(net.manager(a));
    let lost = note_all(net.manager(a), |lost: &MessagesLost| {
        lost.messages.to_string()
    });
    let down = note_all(net.manager(a), |down: &NodeDown| down.node.clone());
    for n in 0..5 {
        net.manager(a).send(gate, Note(n)).expect("taken");
        net.run(1);
    }
    let place = &mut net.places[b];
    place
        .node
        .take()
        .expect("attached")
        .detach(&mut place.manager);
    for n in 5..8 {
        let _ = net.manager(a).send(gate, Note(n)).expect("it waits");
    }
    net.run(10);
    let lost: usize = lines(&lost)
        .iter()
        .map(|it| it.parse::<usize>().expect("a number"))
        .sum();
    let all = heard(net.manager(b), ear).len() + lines(&dead).len() + lost;
    assert_eq!((all, lines(&down).len()), (8, 1));
}
