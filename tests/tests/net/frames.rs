//! The contents of the frames that a link carries.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use message_core::prelude::*;
use message_net::link::{Frame, Link, LinkError, LinkEvent, MemoryLink};
use message_net::{Node, NodeConfig, NodeName};

use crate::common::{Ear, FRAME, Net, Note, Pass, accept_all, heard, name};

/// A link that notes how long the parts of each frame are.
struct Noting {
    link: MemoryLink,
    sent: Arc<Mutex<Vec<Vec<usize>>>>,
}

impl Link for Noting {
    fn name(&self) -> &NodeName {
        self.link.name()
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        let parts = frame.parts().map(<[u8]>::len).collect();
        self.sent.lock().expect("no panic").push(parts);
        self.link.send(to, frame)
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.link.poll()
    }

    fn max_frame(&self) -> usize {
        self.link.max_frame()
    }
}

/// Sends `notes` notes in one frame, and returns the parts of each frame that carried them.
fn parts_of(notes: u32) -> Vec<Vec<usize>> {
    let mut net = Net::new();
    let there = net.add("there", accept_all);
    let sent = Arc::new(Mutex::new(Vec::new()));
    let link = Noting {
        link: net.network.link(name("here")),
        sent: Arc::clone(&sent),
    };
    let mut here = MessageManager::new();
    let mut node = Node::attach(&mut here, link, NodeConfig::new());
    let ear = net.manager(there).spawn((Ear::default(),));
    net.places[there].export(ear, "ear");
    let proxy = node.import(&mut here, "there/ear").expect("a name");
    for _ in 0..10 {
        net.run(1);
        node.tick(&mut here, FRAME);
    }
    sent.lock().expect("no panic").clear();
    for note in 0..notes {
        here.send(proxy, Note(note)).expect("there is room");
    }
    node.flush(&mut here);
    let frames = sent.lock().expect("no panic").clone();
    // A frame that has come is not kept until the others have.
    net.network.slow(&name("there"), Some(1));
    net.run(1);
    assert!(!heard(net.manager(there), ear).is_empty());
    net.network.slow(&name("there"), None);
    net.run(2);
    let expected: Vec<u32> = (0..notes).collect();
    assert_eq!(heard(net.manager(there), ear), expected);
    frames
}

/// A link that counts how often it is called.
struct Counting {
    link: MemoryLink,
    calls: Arc<AtomicU32>,
}

impl Link for Counting {
    fn name(&self) -> &NodeName {
        self.link.name()
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        self.calls.fetch_add(1, Relaxed);
        self.link.send(to, frame)
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.calls.fetch_add(1, Relaxed);
        self.link.poll()
    }

    fn max_frame(&self) -> usize {
        self.link.max_frame()
    }
}

// holds: net.no-callback
#[test]
fn nothing_of_a_node_runs_inside_of_a_send() {
    let mut net = Net::new();
    let there = net.add("there", accept_all);
    let calls = Arc::new(AtomicU32::new(0));
    let link = Counting {
        link: net.network.link(name("here")),
        calls: Arc::clone(&calls),
    };
    let mut here = MessageManager::new();
    let config = accept_all(NodeConfig::new());
    let mut node = Node::attach(&mut here, link, config);
    let far = net.manager(there).spawn((Ear::default(),));
    net.places[there].export(far, "ear");
    let proxy = node.import(&mut here, "there/ear").expect("a name");
    let ear = here.spawn((Ear::default(),));
    for _ in 0..10 {
        net.run(1);
        node.tick(&mut here, FRAME);
    }
    // An answer is in transit.
    let mut from = here.speak_for(ear).expect("it is alive");
    from.send(proxy, Pass(4)).expect("there is room");
    node.flush(&mut here);
    net.run(2);
    let before = calls.load(Relaxed);
    for number in 0..10 {
        here.send(proxy, Note(number)).expect("there is room");
        here.send(ear, Note(number)).expect("it is alive");
        here.tick(FRAME);
    }
    assert_eq!(calls.load(Relaxed), before);
    assert_eq!(heard(&here, ear), (0..10).collect::<Vec<_>>());
    assert!(heard(net.manager(there), far).is_empty());
    node.tick(&mut here, FRAME);
    net.run(1);
    assert!(calls.load(Relaxed) > before);
    assert_eq!(heard(&here, ear).last(), Some(&5));
    assert_eq!(heard(net.manager(there), far).len(), 10);
}

#[test]
fn what_is_sent_in_one_tick_is_one_frame_of_one_part_if_it_is_short() {
    let frames = parts_of(10);
    assert!(
        matches!(&*frames, [parts] if parts.len() == 1),
        "{frames:?}"
    );
}

#[test]
fn a_long_batch_is_a_part_of_its_own_that_is_not_copied() {
    let frames = parts_of(1_000);
    let [parts] = &*frames else {
        panic!("one frame: {frames:?}")
    };
    let [head, batch] = parts[..] else {
        panic!("a head and a batch: {parts:?}")
    };
    assert!(head < 200 && batch > 4_096, "{parts:?}");
}

#[test]
fn what_is_longer_than_a_frame_goes_in_frames_with_a_whole_batch_in_each() {
    let most = 64 << 10;
    let frames = parts_of(40_000);
    assert!(frames.len() > 2, "{frames:?}");
    let (last, long) = frames.split_last().expect("some");
    for parts in long {
        let [head, batch] = parts[..] else {
            panic!("a head and one batch: {parts:?}")
        };
        assert!(
            head < 200 && batch > 4_096 && head + batch <= most,
            "{parts:?}"
        );
    }
    assert!(last.iter().sum::<usize>() <= most, "{last:?}");
}
