//! The node of a sender, as handlers see it, and the limit for each sender.

use message_core::prelude::*;
use message_data::{self as data, Data, Digest, Log, LogOptions, Replay, SaveOptions};
use message_net::{NodeConfig, SenderNode};
use serde::{Deserialize, Serialize};

use crate::common::{Ear, FRAME, Net, Note, Place, accept_all, dead_letters, heard, lines};

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "net.Visit", exact)]
struct Visit;

mnemonic!(PORTER);

/// Remembers the nodes of its visitors. Admits each node twice.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "net.Porter")]
struct Porter {
    visits: Vec<Option<String>>,
}

#[handlers]
impl Porter {
    #[on_receive]
    fn visit(&mut self, _: &Visit, cx: &mut Context<'_>) -> bool {
        let node = cx.sender_node().map(ToString::to_string);
        let before = self.visits.iter().filter(|it| **it == node).count();
        if before < 2 {
            self.visits.push(node);
        }
        before < 2
    }
}

fn visits(manager: &MessageManager, porter: MessageeId) -> Vec<Option<String>> {
    manager.get::<Porter>(porter).expect("alive").visits.clone()
}

// holds: net.sender-node, net.logged
#[test]
fn a_handler_finds_out_which_node_a_sender_is_on_also_in_a_replay() {
    let path = std::env::temp_dir().join(format!("net-senders-{}.log", std::process::id()));
    let mut net = Net::new();
    net.places.push(Place {
        manager: MessageManager::new(),
        node: None,
    });
    let a = 0;
    let file = std::fs::File::create(&path).expect("a folder for this");
    Log::start(net.manager(a), file, LogOptions::new().digest_every(1)).expect("all has data");
    net.attach(a, "a", 1, NodeConfig::accept::<Visit>);
    let porter = net.manager(a).spawn((Porter::default(),));
    net.places[a].export(porter, "gate");
    for node in ["b", "c"] {
        let at = net.add(node, accept_all);
        let gate = net.places[at].import("a/gate");
        net.run(10);
        let visitor = net.manager(at).spawn(());
        for _ in 0..3 {
            let mut visitor = net.manager(at).speak_for(visitor).expect("alive");
            visitor.send(gate, Visit).expect("sent");
        }
        net.manager(at).send(gate, Visit).expect("from outside");
    }
    net.run(10);
    let mut local = net.manager(a).speak_for(porter).expect("alive");
    local.send(porter, Visit).expect("alive");
    let visits = visits(net.manager(a), porter);
    let nodes = visits.iter().map(Option::as_deref);
    assert!(
        nodes.eq([Some("b"), Some("b"), Some("c"), Some("c"), None]),
        "{visits:?}"
    );

    Log::stop(net.manager(a)).expect("the disk has room");
    let replayed = Replay::open(&path).expect("whole").run().expect("the same");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(net.manager(a)));
}

// holds: net.sender-node, net.saved
#[test]
fn what_a_node_has_posted_knows_its_node_in_a_restored_world() {
    let mut net = Net::new();
    let a = net.add("a", NodeConfig::accept::<Visit>);
    let b = net.add("b", accept_all);
    let porter = net.manager(a).spawn((Porter::default(),));
    net.manager(a).bind(PORTER, porter).expect("free");
    net.places[a].export(porter, "gate");
    let gate = net.places[b].import("a/gate");
    net.run(10);
    let late = Header::to(gate).after_frames(9);
    net.manager(b).post(late, Visit).expect("sent");
    net.run(3);
    let save = data::save(net.manager(a), &SaveOptions::new()).expect("all has data");
    let restored = data::restore(&save, ManagerConfig::new()).expect("whole");
    let mut manager = restored.manager;
    for _ in 0..10 {
        manager.tick(FRAME);
    }
    let porter = manager.bound(PORTER).expect("it was saved");
    assert_eq!(visits(&manager, porter), [Some("b".to_owned())]);
}

// holds: net.per-sender
#[test]
fn a_sender_that_sends_too_much_at_once_is_refused_and_the_others_are_not() {
    let mut net = Net::new();
    let a = net.add("a", |config| accept_all(config).max_per_sender(5));
    let b = net.add("b", accept_all);
    let ear = net.manager(a).spawn((Ear::default(),));
    net.places[a].export(ear, "gate");
    let gate = net.places[b].import("a/gate");
    net.run(10);
    let dead = dead_letters(net.manager(b));
    let [eager, modest] = [net.manager(b).spawn(()), net.manager(b).spawn(())];
    for (sender, first, count) in [(eager, 0, 8), (modest, 100, 5), (eager, 8, 2)] {
        let mut sender = net.manager(b).speak_for(sender).expect("alive");
        for number in first..first + count {
            sender.send(gate, Note(number)).expect("sent");
        }
    }
    net.run(3);
    let expected = [0, 1, 2, 3, 4, 100, 101, 102, 103, 104];
    assert_eq!(heard(net.manager(a), ear), expected);
    let why = "its sender has sent more than 5 messages at once; `NodeConfig::max_per_sender` can allow more";
    assert_eq!(lines(&dead), vec![why; 5]);
    // In the next frame it may send again.
    let mut sender = net.manager(b).speak_for(eager).expect("alive");
    sender.send(gate, Note(10)).expect("sent");
    net.run(3);
    assert_eq!(heard(net.manager(a), ear).last(), Some(&10));
}
