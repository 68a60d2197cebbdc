//! A node on the real engine that sends arbitrary data: the receiving world keeps running, and still hears the
//! others.

use std::collections::VecDeque;
use std::time::Instant;

use message_net::link::zenoh::{ZenohConfig, ZenohLink};
use message_net::link::{Frame, Link, LinkError, LinkEvent};
use message_net::{NodeConfig, NodeName};

use crate::common::{DEADLINE, Stranger, endpoint, free_port, name};
use crate::world::{Counter, GateFile, Smuggle, World, is_in_order};

/// The number of frames of which no damaged copy is sent, so that a session begins: a run whose list of types is damaged
/// is refused for good, see `net.refused-hello`.
const WHOLE: usize = 40;

/// A link that sends more than it is given: frames of an earlier run, damaged copies, and garbage.
struct Tampering {
    link: ZenohLink,
    sent: usize,
    /// Frames that another run has sent.
    earlier: VecDeque<Vec<u8>>,
    random: u64,
}

impl Tampering {
    fn below(&mut self, most: usize) -> usize {
        // xorshift
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random % most as u64).expect("small")
    }
}

impl Link for Tampering {
    fn name(&self) -> &NodeName {
        self.link.name()
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        let mut damaged = frame.clone().into_vec();
        self.sent += 1;
        for _ in 0..=self.below(3) {
            let at = self.below(damaged.len());
            damaged[at] = u8::try_from(self.below(256)).expect("a byte");
        }
        let length = self.below(200);
        let garbage = (0..length).map(|_| u8::try_from(self.below(256)).expect("a byte"));
        let garbage: Vec<u8> = garbage.collect();
        let early = self.earlier.pop_front();
        let damaged = (self.sent > WHOLE).then_some(damaged);
        for frame in [damaged, Some(garbage), early].into_iter().flatten() {
            // A full queue is not our problem.
            let _ = self.link.send(to, frame.into());
        }
        self.link.send(to, frame)
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.link.poll()
    }

    fn max_frame(&self) -> usize {
        self.link.max_frame()
    }
}

/// A link that keeps a copy of everything it sends.
struct Copying {
    link: ZenohLink,
    sent: std::sync::Arc<std::sync::Mutex<VecDeque<Vec<u8>>>>,
}

impl Link for Copying {
    fn name(&self) -> &NodeName {
        self.link.name()
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        self.sent
            .lock()
            .expect("no panic")
            .push_back(frame.clone().into_vec());
        self.link.send(to, frame)
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.link.poll()
    }

    fn max_frame(&self) -> usize {
        self.link.max_frame()
    }
}

// holds: net.malformed, net.accepts
#[test]
fn garbage_long_frames_other_epochs_and_types_that_are_not_allowed_are_refused_and_named() {
    let at = endpoint(free_port());
    let gate = GateFile::new();
    let mut hub = World::open("hub", ZenohConfig::hub(&at), |config| config);
    hub.open_gate(gate.path());
    let client = |node| {
        let link = ZenohLink::open(name(node), ZenohConfig::client(&at));
        link.expect("a valid configuration")
    };
    // This is a run of the hostile node whose frames are sent again later, when their epoch is over.
    let sent = std::sync::Arc::default();
    let copying = Copying {
        link: client("mallory"),
        sent: std::sync::Arc::clone(&sent),
    };
    let mut first = World::on(copying, |config| config.incarnation(1));
    let smuggled = first.node.import(&mut first.manager, "hub/gate");
    let smuggled = first
        .manager
        .send(smuggled.expect("a name"), Smuggle { number: 1 });
    smuggled.expect("it is refused there");
    let start = Instant::now();
    while first.not_arrived().1 == 0 {
        assert!(start.elapsed() < DEADLINE, "{:?}", first.told.lock());
        first.tick();
        hub.tick();
    }
    let of_mallory = |hub: &World| {
        let mallory = hub.node.peers().find(|peer| peer.name == name("mallory"));
        mallory.expect("it was met").counts
    };
    assert_eq!(
        of_mallory(&hub).refused_here,
        1,
        "a type that is not allowed"
    );
    drop(first);

    let tampering = Tampering {
        link: client("mallory"),
        sent: 0,
        earlier: std::mem::take(&mut *sent.lock().expect("no panic")),
        random: 88_172_645_463_325_252,
    };
    let mut mallory = World::on(tampering, |config: NodeConfig| config.incarnation(2));
    let far = mallory.node.import(&mut mallory.manager, "hub/gate");
    let far = far.expect("a name");
    let stranger = Stranger::open(&at, &[]);
    let mut zone = World::open("zone", ZenohConfig::client(&at), |config| config);
    let mut counter = Counter::new(&mut zone, "hub/gate", 50);
    let start = Instant::now();
    let (mut round, mut until) = (0, None);
    loop {
        round += 1;
        assert!(start.elapsed() < DEADLINE, "{:?}", hub.told.lock());
        if round % 50 == 1 {
            // It is longer than a frame can be, and its sender is not present.
            stranger.put("world/to/hub/mallory", &vec![0; 4 << 20]);
        }
        if round % 5 == 1 {
            stranger.put("world/to/hub/nobody", b"\x93\x01\x02");
        }
        // It may be refused, or its own session may end.
        let _ = mallory.manager.send(far, Smuggle { number: round });
        let _ = counter.send(&mut zone);
        for world in [&mut mallory, &mut zone, &mut hub] {
            world.tick();
        }
        let counters = hub.node.session_counters();
        let enough = round >= 300 && counters.refused >= 50 && counters.late >= 1;
        if enough && until.is_none() {
            until = Some(counter.sent);
        }
        if until.is_some_and(|sent| gate.numbers().len() as u64 >= sent) {
            break;
        }
    }
    println!("{:?}", hub.node.session_counters());
    let numbers = gate.numbers();
    assert!(is_in_order(&numbers), "{numbers:?}");
    assert!(
        numbers.iter().copied().eq(0..numbers.len() as u64),
        "nothing of the honest one is lost"
    );
    assert_eq!(zone.not_arrived(), (0, 0));
    assert!(
        hub.was_told("trouble mallory: a frame of"),
        "{:?}",
        hub.told.lock()
    );
    assert!(
        hub.was_told("trouble nobody: a frame of"),
        "{:?}",
        hub.told.lock()
    );
}
