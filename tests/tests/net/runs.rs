//! One node for each manager and run: a second one, a save, a log that has begun before.

use message_core::prelude::*;
use message_data::ask::{Answered, Ask, Unanswered};
use message_data::{self as data, Digest, Log, LogOptions, Replay, SaveOptions};
use message_net::proxy;
use message_net::{NET, Node, NodeConfig, NodeError, Reach, ReachChanged, Watch};
use std::time::Duration;

use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::common::{
    Ear, GetHeard, Net, Note, Pass, Place, accept_all, dead_letters, heard, lines, name, two,
};

/// Records the changes and answers it receives about proxies.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "net.Clerk")]
#[serde(default)]
struct Clerk {
    reach: Vec<Reach>,
    answers: Vec<Result<Vec<u32>, Unanswered>>,
}

#[handlers]
impl Clerk {
    #[on_receive]
    fn reach(&mut self, changed: &ReachChanged) {
        self.reach.push(changed.reach);
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<GetHeard>) {
        self.answers.push(answered.answer.clone());
    }
}

// holds: net.one-node
#[test]
fn a_second_node_on_a_manager_is_an_error_that_names_both() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let gate = net.places[a].import("b/gate");
    let link = net.network.link(name("other"));
    let config = NodeConfig::new();
    let error = Node::try_attach(net.manager(a), link, config).expect_err("one is there");
    let (other, first) = ("other".to_owned(), "a".to_owned());
    assert_eq!(
        error,
        NodeError::ManagerTaken {
            name: other,
            by: first
        }
    );
    assert_eq!(
        error.to_string(),
        "node `other` cannot be attached: node `a` is attached to this manager; expected one node for each \
         manager, so detach that one first"
    );
    assert!(net.manager(a).is_alive(gate), "nothing has changed");

    // One that is dropped is not there any more.
    net.places[a].node = None;
    net.attach(a, "other", 2, accept_all);
    let place = &mut net.places[a];
    let node = place.node.take().expect("attached");
    node.detach(&mut place.manager);
    net.attach(a, "third", 3, accept_all);
}

// holds: net.one-node
#[test]
#[should_panic(expected = "node `a` cannot be attached: node `a` is attached to this manager")]
fn attach_panics_at_a_second_node() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let link = net.network.link(name("a"));
    let _ = Node::attach(net.manager(a), link, NodeConfig::new());
}

// holds: net.saved, net.restored
#[test]
fn a_restored_world_begins_without_a_node_and_a_new_one_ends_what_was_under_way() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let clerk = net.manager(a).spawn((Clerk::default(),));
    let mut from = net.manager(a).speak_for(clerk).expect("alive");
    from.send(NET, Watch { proxy: gate }).expect("sent");
    net.run(10);
    let mut from = net.manager(a).speak_for(clerk).expect("alive");
    from.send(gate, Note(1)).expect("it waits in the outbox");
    let asked = from.ask(gate, GetHeard).within(Duration::from_mins(1));
    asked.expect("asked");
    let save = data::save(net.manager(a), &SaveOptions::new()).expect("all has data");

    // The saved world continues.
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [1]);

    let restored = data::restore(&save, ManagerConfig::new()).expect("whole");
    let mut manager = restored.manager;
    // Ids are of one manager.
    let gate = proxy::proxies(&manager).next().expect("it was saved");
    let clerk = manager.iter::<Clerk>().next().expect("it was saved").0;
    let dead = dead_letters(&mut manager);
    net.places[a].node = None;
    net.places[a] = Place {
        manager,
        node: None,
    };
    net.attach(a, "a", 2, accept_all);
    assert_eq!(
        lines(&dead),
        ["it was not handed over before another node was attached"]
    );
    assert_eq!(proxy::proxies(net.manager(a)).count(), 0);
    assert!(!net.manager(a).is_alive(gate));
    {
        let clerk = net.manager(a).get::<Clerk>(clerk).expect("it was saved");
        assert_eq!(clerk.reach, [Reach::Ended]);
        assert_eq!(clerk.answers, [Err(Unanswered::Unreachable)]);
    }

    // Names are imported again.
    let gate = net.places[a].import("b/gate");
    let mut from = net.manager(a).speak_for(clerk).expect("alive");
    from.send(gate, Note(2)).expect("it waits");
    net.run(100);
    // The message that waited in the save was reported as undelivered; the world that was saved had sent it.
    assert_eq!(heard(net.manager(b), ear), [1, 2]);
}

// holds: net.logged
#[test]
fn a_node_that_is_attached_after_the_log_began_is_repeated_too() {
    let path = std::env::temp_dir().join(format!("net-late-{}.log", std::process::id()));
    let mut net = Net::new();
    net.places.push(Place {
        manager: MessageManager::new(),
        node: None,
    });
    let a = 0;
    let file = std::fs::File::create(&path).expect("a folder for this");
    let options = LogOptions::new().digest_every(1);
    Log::start(net.manager(a), file, options).expect("all has data");
    net.run(3);
    net.attach(a, "a", 1, accept_all);
    let b = net.add("b", accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let mine = net.manager(a).spawn((Ear::default(),));
    let mut from = net.manager(a).speak_for(mine).expect("alive");
    from.send(gate, Pass(4)).expect("sent");
    net.run(20);
    assert_eq!(heard(net.manager(a), mine), [5]);
    // It leaves, and another one comes.
    let place = &mut net.places[a];
    let node = place.node.take().expect("attached");
    node.detach(&mut place.manager);
    net.run(2);
    net.attach(a, "a", 2, accept_all);
    net.run(20);
    let report = Log::stop(net.manager(a)).expect("the disk has room");
    let report = report.expect("it was on");
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    let replayed = Replay::open(&path).expect("whole").run().expect("the same");
    std::fs::remove_file(&path).expect("it is there");
    assert_eq!(Digest::of(&replayed.manager), Digest::of(net.manager(a)));
}
