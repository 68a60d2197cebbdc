//! The same send, to another world.

use std::time::Duration;

use message_core::prelude::*;
use message_net::proxy;
use message_net::{NetTrouble, NodeError, PeerState};

use crate::common::{
    Ear, Named, Net, Note, Pass, accept_all, dead_letters, heard, lines, name, note_all, two,
};

group!(SHOUT);
mnemonic!(BOSS);

// holds: net.in-order-once
#[test]
fn what_is_sent_to_an_imported_name_arrives_in_the_order_sent() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "b/gate");
    let gate = net.places[a].import("b/gate");
    for n in 0..5 {
        assert_eq!(
            net.manager(a).send(gate, Note(n)).map(|it| it.received),
            Ok(1)
        );
        net.run(1);
    }
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [0, 1, 2, 3, 4]);
}

/// Records what it hears, in which frame, and from whom.
#[derive(Default)]
struct Witness {
    seen: Vec<(u64, Option<MessageeId>)>,
}

#[handlers]
impl Witness {
    #[on_receive]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
        self.seen.push((cx.clock().frame(), cx.sender().id()));
    }
}

/// Sends a note to a proxy when a frame ends.
struct Late(MessageeId);

#[handlers]
impl Late {
    #[on_receive]
    fn pass(&mut self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(self.0, Note(pass.0))?;
        Ok(())
    }
}

// holds: net.between-frames
#[test]
fn a_node_hands_in_before_a_frame_and_hands_out_behind_it() {
    let (mut net, a, b) = two();
    let witness = net.manager(b).spawn((Witness::default(),));
    net.places[b].export(witness, "gate");
    let gate = net.places[a].import("b/gate");
    let late = net.manager(a).spawn((Late(gate),));
    net.run(10);
    let at_the_end = Header::to(late).stage(Stage::EndOfFrame);
    net.manager(a).post(at_the_end, Pass(1)).expect("posted");
    net.places[a].tick();
    // A message sent at the end of the frame has left with it.
    let peer = net.places[a].node().peers().next().expect("one");
    assert_eq!(peer.counts.sent, 1);
    net.network.advance(1);
    let frame = net.manager(b).clock().frame();
    net.places[b].tick();
    let there = &net.places[b].manager;
    let witness = there.get::<Witness>(witness).expect("alive");
    let [(seen_in, Some(sender))] = witness.seen[..] else {
        panic!("once, from somebody: {:?}", witness.seen);
    };
    // The frame has not begun then.
    assert_eq!((seen_in, there.clock().frame()), (frame, frame + 1));
    assert!(there.is_proxy(sender));
}

// holds: net.ids-mean-the-same, net.reachable-by
#[test]
fn the_sender_of_what_came_is_a_proxy_and_an_answer_to_it_is_an_ordinary_send() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let asker = net.manager(a).spawn((Ear::default(),));
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    from.send(gate, Pass(7)).expect("sent");
    net.run(20);
    assert_eq!(heard(net.manager(a), asker), [8]);
    let from = net
        .manager(a)
        .get::<Ear>(asker)
        .expect("an ear")
        .from
        .clone();
    assert_eq!(from, [gate], "who answers is whom it has imported");
}

// holds: net.ids-mean-the-same, net.reachable-by
#[test]
fn an_id_in_a_message_stands_for_the_same_messagee_on_the_other_side() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let friend = net.manager(a).spawn((Ear::default(),));
    net.manager(a)
        .send(gate, Named { who: friend })
        .expect("sent");
    // Its own id comes back as that.
    net.manager(a)
        .send(gate, Named { who: gate })
        .expect("sent");
    net.run(20);
    assert_eq!(heard(net.manager(a), friend), [100]);
    assert_eq!(heard(net.manager(b), ear), [100]);
    let named = net
        .manager(b)
        .get::<Ear>(ear)
        .expect("an ear")
        .named
        .clone();
    assert!(
        net.manager(b).is_proxy(named[0]) && named[1] == ear,
        "{named:?}"
    );
}

// holds: proxies.post-to-id
#[test]
fn stage_and_delay_of_a_post_count_on_the_receiving_side() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(5);
    net.manager(a).set_paused(true);
    let later = Header::to(gate).after(Duration::from_millis(500));
    net.manager(a).post(later, Note(1)).expect("posted");
    net.manager(a)
        .post(
            Header::to(gate).after_frames(1).every_frames(2).times(3),
            Note(2),
        )
        .expect("posted");
    net.run(5);
    assert_eq!(heard(net.manager(b), ear).first(), Some(&2));
    net.run(20);
    let mut all = heard(net.manager(b), ear);
    all.sort_unstable();
    assert_eq!(all, [1, 2, 2, 2]);
}

// holds: net.group-spans
#[test]
fn a_group_that_is_exported_spans_the_nodes() {
    let mut net = Net::new();
    let places: Vec<usize> = ["a", "b", "c"]
        .iter()
        .map(|it| net.add(it, accept_all))
        .collect();
    let mut ears = Vec::new();
    for &at in &places {
        let ear = net.manager(at).spawn((Ear::default(),));
        net.manager(at).join(SHOUT, ear).expect("alive");
        ears.push(ear);
        let place = &mut net.places[at];
        let node = place.node.as_mut().expect("attached");
        node.export_group(&mut place.manager, SHOUT);
    }
    net.run(10);
    let receipt = net.manager(0).send(SHOUT, Note(4)).expect("sent");
    assert_eq!(receipt.received, 3);
    net.run(10);
    for (&at, &ear) in places.iter().zip(&ears) {
        assert_eq!(heard(net.manager(at), ear), [4], "node {at}");
    }
}

#[test]
fn an_exported_mnemonic_is_whoever_is_bound_to_it_there() {
    let (mut net, a, b) = two();
    let ears = [(); 2].map(|()| net.manager(b).spawn((Ear::default(),)));
    net.manager(b).bind(BOSS, ears[0]).expect("free");
    net.places[b].node().export_mnemonic(BOSS);
    let place = &mut net.places[a];
    let node = place.node.as_mut().expect("attached");
    let boss = node.import_mnemonic(&mut place.manager, &name("b"), BOSS);
    let boss = boss.expect("there is room");
    net.manager(a).send(boss, Note(1)).expect("sent");
    net.run(10);
    net.manager(b).unbind(BOSS, ears[0]).expect("bound");
    net.manager(b).bind(BOSS, ears[1]).expect("free");
    net.manager(a).send(boss, Note(2)).expect("sent");
    net.run(10);
    assert_eq!(
        ears.map(|ear| heard(net.manager(b), ear)),
        [vec![1], vec![2]]
    );
}

// holds: net.proxy-ends
#[test]
fn when_an_imported_messagee_ends_its_proxy_is_despawned() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    net.manager(b).despawn(ear).expect("alive");
    net.run(10);
    assert!(!net.manager(a).is_alive(gate));
    let error = net.manager(a).send(gate, Note(1));
    assert!(matches!(
        error.map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Gone))
    ));
}

// holds: net.waiting-dead-letter
#[test]
fn what_is_sent_to_a_name_that_nobody_exports_is_a_dead_letter_that_says_so() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let dead = dead_letters(net.manager(a));
    let gate = net.places[a].import("b/gaet");
    net.manager(a).send(gate, Note(1)).expect("sent");
    net.run(10);
    let dead = crate::common::lines(&dead);
    assert_eq!(dead, ["node `b` exports no `gaet`: it exports gate"]);
    // It may come later, and is reached then.
    net.places[b].export(ear, "gaet");
    net.manager(a).send(gate, Note(2)).expect("sent");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [2]);
}

#[test]
fn what_is_sent_to_a_node_that_is_not_there_yet_waits() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(1)).expect("it waits");
    net.run(20);
    let b = net.add("b", accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    net.run(20);
    assert_eq!(heard(net.manager(b), ear), [1]);
}

// holds: net.import-twice
#[test]
fn mistakes_with_names_are_errors_that_name_both_sides() {
    let (mut net, a, b) = two();
    let [one, two] = [(); 2].map(|()| net.manager(b).spawn(()));
    net.places[b].export(one, "gate");
    let gate = net.places[a].import("b/gate");
    let mut export = |at: usize, id, name: &str| {
        let place = &mut net.places[at];
        let node = place.node.as_mut().expect("attached");
        node.export(&mut place.manager, id, name)
            .map_err(|error| error.to_string())
    };
    let error = export(b, two, "b/gate").expect_err("taken");
    assert!(
        error.contains("`gate` cannot be messagee") && error.contains("is exported"),
        "{error}"
    );
    assert_eq!(export(b, one, "gate"), Ok(()), "it is that already");
    assert_eq!(export(b, one, "second"), Ok(()));
    let error = export(b, two, "a/gate").expect_err("of another node");
    assert_eq!(
        error,
        "node `b` cannot export `a/gate`: expected a name of its own, as `b/…`"
    );
    let error = export(a, gate, "far").expect_err("a proxy");
    assert!(error.contains("represents one of another node"), "{error}");
    let mut import = |name: &str| {
        let place = &mut net.places[a];
        let node = place.node.as_mut().expect("attached");
        node.import(&mut place.manager, name)
    };
    assert!(matches!(import("a/own"), Err(NodeError::OwnExport { .. })));
    assert!(matches!(import("gate"), Err(NodeError::BadName { .. })));
    assert!(matches!(import("b/"), Err(NodeError::BadName { .. })));
    assert!(matches!(import("b b/gate"), Err(NodeError::BadName { .. })));
    assert_eq!(import("b/gate"), Ok(gate));
}

#[test]
fn what_is_known_of_other_nodes_can_be_listed() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(1)).expect("sent");
    net.run(10);
    let info = net.places[a].node().peers().next().expect("one");
    assert_eq!((info.name.as_str(), info.state), ("b", PeerState::Up));
    assert_eq!((info.proxies, info.counts.sent), (1, 1));
    let info = net.places[b].node().peers().next().expect("one");
    assert_eq!((info.counts.received, info.counts.refused_here), (1, 0));
}

// holds: net.proxy-ends
#[test]
fn a_node_that_leaves_ends_its_proxies_and_those_of_the_others() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let asker = net.manager(a).spawn((Ear::default(),));
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    from.send(gate, Note(1)).expect("sent");
    net.run(10);
    assert_eq!(proxy::proxies(net.manager(b)).count(), 1);
    let place = &mut net.places[b];
    let node = place.node.take().expect("attached");
    node.detach(&mut place.manager);
    assert_eq!(proxy::proxies(&place.manager).count(), 0);
    net.run(10);
    assert!(!net.manager(a).is_alive(gate));
}

// holds: net.sessions, net.left-out
#[test]
fn a_node_keeps_sessions_with_the_nodes_that_its_configuration_names() {
    let mut net = Net::new();
    let hub = net.add("hub", accept_all);
    let zones = ["zone-1", "zone-2"].map(|zone| {
        net.add(zone, |config| {
            accept_all(config).sessions_with(["hub", "player-*"])
        })
    });
    // It wants a session with everyone.
    let guest = net.add("guest", accept_all);
    let player = net.add("player-7", accept_all);
    let trouble = [zones[0], guest].map(|at| {
        note_all(net.manager(at), |trouble: &NetTrouble| {
            format!("{:?} {}", trouble.node, trouble.what)
        })
    });
    net.run(100);
    let mut with = |at: usize| {
        let node = net.places[at].node();
        let up = node.peers().filter(|peer| peer.state == PeerState::Up);
        up.map(|peer| peer.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(with(zones[0]), ["hub", "player-7"]);
    assert_eq!(with(zones[1]), ["hub", "player-7"]);
    assert_eq!(with(hub), ["guest", "player-7", "zone-1", "zone-2"]);
    assert_eq!(with(guest), ["hub", "player-7"]);
    // The node left out learns why, once for each of the two.
    assert_eq!(lines(&trouble[0]), Vec::<String>::new());
    let told = lines(&trouble[1]);
    assert_eq!(told.len(), 2, "{told:?}");
    let why = "Some(\"zone-1\") node `zone-1` does not accept this node: it only has sessions with `hub`, \
               `player-*`: `NodeConfig::sessions_with`";
    assert_eq!(told[0], why);

    let place = &mut net.places[zones[0]];
    let node = place.node.as_mut().expect("it is attached");
    let error = node.import(&mut place.manager, "zone-2/gate");
    let no_session = matches!(error, Err(NodeError::NoSession { node, .. }) if node == "zone-2");
    assert!(no_session);

    // The others keep talking to each other.
    let ear = net.manager(player).spawn((Ear::default(),));
    net.places[player].export(ear, "ear");
    let far = net.places[zones[1]].import("player-7/ear");
    net.manager(zones[1]).send(far, Note(3)).expect("sent");
    net.run(4);
    assert_eq!(heard(net.manager(player), ear), [3]);
}
