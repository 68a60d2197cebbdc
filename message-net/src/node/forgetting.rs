//! Tests of the end of other nodes: nothing stays of those that have gone.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::link::{MemoryNetwork, MemoryPath, MemorySettings};
use crate::name::NodeName;
use crate::net::{NET, Watch};
use crate::node::{Node, NodeConfig, PeerState};
use crate::proxy;
use crate::told::{DownReason, MessagesLost, NodeDown, NodeUp, Reach, ReachChanged};

const FRAME: Duration = Duration::from_millis(50);

/// A greeting that names another messagee.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "net.forgetting.Greet", exact)]
struct Greet {
    also: MessageeId,
}

#[derive(Default)]
struct Host {
    guests: u32,
}

#[handlers]
impl Host {
    #[on_receive]
    fn greet(&mut self, _: &Greet) {
        self.guests += 1;
    }
}

#[derive(Default)]
struct Guard {
    told: Vec<Reach>,
}

#[handlers]
impl Guard {
    #[on_receive]
    fn changed(&mut self, changed: &ReachChanged) {
        self.told.push(changed.reach);
    }
}

fn name(name: &str) -> NodeName {
    NodeName::new(name).expect("a name")
}

fn noted<M: Message>(manager: &mut MessageManager, print: fn(&M) -> String) -> Lines {
    let lines = Lines::default();
    let log = Arc::clone(&lines);
    manager.subscribe(Filter::of::<M>(), move |message, _| {
        log.lock().expect("no panic").push(print(message));
    });
    lines
}

type Lines = Arc<Mutex<Vec<String>>>;

struct World {
    manager: MessageManager,
    node: Node,
}

impl World {
    fn new(network: &MemoryNetwork, of: &str, set: fn(NodeConfig) -> NodeConfig) -> Self {
        let mut manager = MessageManager::new();
        let config = NodeConfig::new().accept::<Greet>();
        let node = Node::attach(&mut manager, network.link(name(of)), set(config));
        Self { manager, node }
    }

    fn tick(&mut self) {
        self.node.tick(&mut self.manager, FRAME);
    }

    /// Returns how much is held of other nodes: peers, sessions, proxies, outboxes.
    fn held(&self) -> [usize; 4] {
        [
            self.node.peers.len(),
            self.node.sessions.peer_count(),
            proxy::proxies(&self.manager).count(),
            proxy::outboxes(&self.manager).count(),
        ]
    }
}

fn run(network: &MemoryNetwork, worlds: &mut [&mut World], frames: usize) {
    for _ in 0..frames {
        network.advance(1);
        for world in &mut *worlds {
            world.tick();
        }
    }
}

/// Lets many nodes come and go. `goes` ends each of them.
fn come_and_go(goes: fn(&MemoryNetwork, u32, World)) {
    let clients = std::env::var("SHORT_LIVED").map_or(400, |it| it.parse().expect("a number"));
    let network = MemoryNetwork::new(1, MemorySettings::new());
    let mut hub = World::new(&network, "hub", |config| {
        let window = Duration::from_millis(500);
        config.max_nodes(16).resend_window(window)
    });
    let host = hub.manager.spawn((Host::default(),));
    hub.node
        .export(&mut hub.manager, host, "host")
        .expect("free");
    let mut most = [0; 4];
    for n in 0..clients {
        let mut client = World::new(&network, &format!("client-{n}"), |config| config);
        let [me, also] = [0; 2].map(|_| client.manager.spawn(()));
        let host = client.node.import(&mut client.manager, "hub/host");
        let host = host.expect("a name");
        let third = client
            .node
            .import(&mut client.manager, &format!("third-{n}/x"));
        for also in [also, third.expect("a name")] {
            let mut from = client.manager.speak_for(me).expect("alive");
            from.send(host, Greet { also }).expect("it waits");
        }
        run(&network, &mut [&mut client, &mut hub], 8);
        goes(&network, n, client);
        run(&network, &mut [&mut hub], 4);
        for (most, held) in most.iter_mut().zip(hub.held()) {
            *most = held.max(*most);
        }
    }
    let guests = hub.manager.get::<Host>(host).expect("alive").guests;
    assert_eq!(guests, clients * 2, "each of them was let in");
    let [peers, sessions, proxies, outboxes] = most;
    assert!(peers <= 16 && sessions <= 16 && outboxes <= 16, "{most:?}");
    // Each client has a messagee that greets, one that it names, and one of a third node.
    assert!(proxies <= 16 * 3, "{most:?}");
    assert!(hub.node.peers.proxy_count() <= proxies);
}

// holds: net.forgotten, net.bounded
#[test]
fn of_nodes_that_have_left_nothing_stays() {
    come_and_go(|_, _, mut client| client.node.detach(&mut client.manager));
}

// holds: net.forgotten, net.bounded
#[test]
fn nodes_that_were_killed_make_room_for_others() {
    come_and_go(|network, n, client| {
        network.crash(&name(&format!("client-{n}")));
        drop(client);
    });
}

/// Returns two worlds that know each other, a messagee of the second one, its proxy in the first, and a guard who
/// watches the proxy.
fn guarded(path: MemoryPath) -> (MemoryNetwork, World, World, MessageeId, MessageeId) {
    let settings = MemorySettings {
        path,
        ..MemorySettings::new()
    };
    let network = MemoryNetwork::new(1, settings);
    let set = |config: NodeConfig| config.forget_after(Duration::from_secs(30));
    let mut a = World::new(&network, "a", set);
    let mut b = World::new(&network, "b", set);
    let host = b.manager.spawn((Host::default(),));
    b.node.export(&mut b.manager, host, "host").expect("free");
    let proxy = a.node.import(&mut a.manager, "b/host").expect("a name");
    let guard = a.manager.spawn((Guard::default(),));
    let mut from = a.manager.speak_for(guard).expect("alive");
    from.send(NET, Watch { proxy }).expect("it is bound");
    run(&network, &mut [&mut a, &mut b], 20);
    assert_eq!(a.node.peers().next().expect("b").state, PeerState::Up);
    (network, a, b, proxy, guard)
}

fn told(world: &World, guard: MessageeId) -> Vec<Reach> {
    world
        .manager
        .get::<Guard>(guard)
        .expect("alive")
        .told
        .clone()
}

// holds: net.watched-told, net.forgotten
#[test]
fn who_watches_a_node_that_leaves_is_told_of_the_end_alone() {
    for delay in 0..4 {
        let path = MemoryPath::new().delayed(delay, delay);
        let (network, mut a, mut b, proxy, guard) = guarded(path);
        let down = noted(&mut a.manager, |down: &NodeDown| format!("{:?}", down.why));
        b.node.detach(&mut b.manager);
        run(&network, &mut [&mut a], 10);
        assert_eq!(told(&a, guard), [Reach::Ended], "delay {delay}");
        assert_eq!(
            *down.lock().expect("no panic"),
            [format!("{:?}", DownReason::Left)]
        );
        assert!(!a.manager.is_alive(proxy));
        assert_eq!(a.held(), [0; 4]);
    }
}

// holds: net.forgotten, net.long-cut
#[test]
fn a_node_that_was_killed_is_forgotten_after_a_time_and_what_waited_is_told() {
    let (network, mut a, b, proxy, guard) = guarded(MemoryPath::new());
    let lost = noted(&mut a.manager, |lost: &MessagesLost| {
        format!("{} {} {}", lost.node, lost.messages, lost.questions)
    });
    network.crash(&name("b"));
    drop(b);
    let also = guard;
    a.manager
        .send(proxy, Greet { also })
        .expect("nobody knows yet");
    run(&network, &mut [&mut a], 300);
    assert_eq!(told(&a, guard), [Reach::Unreachable]);
    assert_eq!(a.held(), [1, 1, 1, 1], "it may come back");
    run(&network, &mut [&mut a], 600);
    assert_eq!(told(&a, guard), [Reach::Unreachable, Reach::Ended]);
    assert_eq!(*lost.lock().expect("no panic"), ["b 1 0"]);
    assert_eq!(a.held(), [0; 4]);
}

// holds: net.forgotten
#[test]
fn a_node_is_forgotten_on_request_unless_it_is_there() {
    let (network, mut a, mut b, proxy, guard) = guarded(MemoryPath::new());
    let up = noted(&mut a.manager, |up: &NodeUp| {
        format!("{} {}", up.node, up.restarted)
    });
    assert!(!a.node.forget(&mut a.manager, &name("b")), "it is there");
    assert!(
        !a.node.forget(&mut a.manager, &name("c")),
        "it is not known"
    );
    network.cut(&[name("a")], &[name("b")]);
    run(&network, &mut [&mut a, &mut b], 40);
    assert!(a.node.forget(&mut a.manager, &name("b")));
    assert_eq!(told(&a, guard), [Reach::Unreachable, Reach::Ended]);
    assert!(!a.manager.is_alive(proxy));
    assert_eq!(a.held(), [0; 4]);
    // Both are there again, and begin anew.
    network.heal();
    run(&network, &mut [&mut a, &mut b], 100);
    assert_eq!(*up.lock().expect("no panic"), ["b false"]);
    let again = a.node.import(&mut a.manager, "b/host").expect("a name");
    a.manager
        .send(again, Greet { also: guard })
        .expect("it waits");
    run(&network, &mut [&mut a, &mut b], 10);
    let guests = b.manager.iter::<Host>().map(|(_, host)| host.guests);
    assert_eq!(guests.sum::<u32>(), 1);
}

// holds: net.forgotten
#[test]
fn nodes_that_forget_each_other_meet_again_also_if_the_link_has_noticed_nothing() {
    let (network, mut a, mut b, ..) = guarded(MemoryPath::new());
    network.set(MemorySettings {
        lease: 1000,
        ..MemorySettings::new()
    });
    network.cut(&[name("a")], &[name("b")]);
    run(&network, &mut [&mut a, &mut b], 40);
    assert!(a.node.forget(&mut a.manager, &name("b")));
    assert!(b.node.forget(&mut b.manager, &name("a")));
    network.heal();
    run(&network, &mut [&mut a, &mut b], 40);
    for world in [&a, &b] {
        let peer = world.node.peers().next().expect("the other one");
        assert_eq!(peer.state, PeerState::Up);
    }
}
