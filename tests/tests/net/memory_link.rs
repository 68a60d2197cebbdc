//! A network in memory: how it treats frames, and what it reports about nodes.

use message_net::NodeName;
use message_net::link::{
    Link, LinkError, LinkEvent, MemoryLink, MemoryNetwork, MemoryPath, MemorySettings,
};

fn name(text: &str) -> NodeName {
    NodeName::new(text).expect("it is a name")
}

/// Creates two nodes that know each other.
fn two(settings: MemorySettings) -> (MemoryNetwork, MemoryLink, MemoryLink) {
    let network = MemoryNetwork::new(3, settings);
    let mut a = network.link(name("a"));
    let mut b = network.link(name("b"));
    network.advance(1);
    assert_eq!(events(&mut a), [LinkEvent::Came(name("b"))]);
    assert_eq!(events(&mut b), [LinkEvent::Came(name("a"))]);
    (network, a, b)
}

fn on_path(path: MemoryPath) -> MemorySettings {
    MemorySettings {
        path,
        ..MemorySettings::new()
    }
}

fn events(link: &mut MemoryLink) -> Vec<LinkEvent> {
    std::iter::from_fn(|| link.poll()).collect()
}

/// Returns the first bytes of the frames that have arrived.
fn frames(link: &mut MemoryLink) -> Vec<u8> {
    let frames = events(link).into_iter().map(|event| match event {
        LinkEvent::Frame { frame, .. } => frame[0],
        other => panic!("expected a frame, found {other:?}"),
    });
    frames.collect()
}

fn send(link: &mut MemoryLink, to: &str, first: u8) {
    link.send(&name(to), vec![first; 3].into())
        .expect("it is taken");
}

#[test]
fn a_frame_arrives_after_its_delay_with_the_name_of_its_sender() {
    let (network, mut a, mut b) = two(on_path(MemoryPath::new().delayed(3, 3)));
    send(&mut a, "b", 7);
    for _ in 0..2 {
        network.advance(1);
        assert_eq!(b.poll(), None);
    }
    network.advance(1);
    let from = name("a");
    let frame = vec![7; 3];
    assert_eq!(events(&mut b), [LinkEvent::Frame { from, frame }]);
}

#[test]
fn without_a_delay_a_frame_arrives_in_the_step_in_which_it_is_sent() {
    let (_network, mut a, mut b) = two(on_path(MemoryPath::new().delayed(0, 0)));
    send(&mut a, "b", 7);
    assert_eq!(frames(&mut b), [7]);
}

#[test]
fn frames_keep_their_order_whatever_their_delay_unless_they_are_reordered() {
    let (network, mut a, mut b) = two(on_path(MemoryPath::new().delayed(0, 9)));
    let mut arrived = Vec::new();
    for number in 0..100 {
        send(&mut a, "b", number);
        network.advance(1);
        arrived.extend(frames(&mut b));
    }
    network.advance(9);
    arrived.extend(frames(&mut b));
    assert_eq!(arrived, (0..100).collect::<Vec<u8>>());

    let mut settings = on_path(MemoryPath::new().delayed(0, 9));
    settings.path.reordering = 0.3;
    network.set(settings);
    for number in 0..100 {
        send(&mut a, "b", number);
    }
    network.advance(20);
    let mut arrived = frames(&mut b);
    assert!(!arrived.is_sorted());
    arrived.sort_unstable();
    assert_eq!(arrived, (0..100).collect::<Vec<u8>>());
    assert!((10..60).contains(&network.counters().reordered));
}

#[test]
fn loss_and_duplication_are_counted() {
    let mut path = MemoryPath::new();
    path.loss = 0.25;
    path.duplication = 0.5;
    let (network, mut a, mut b) = two(on_path(path));
    for _ in 0..1_000 {
        send(&mut a, "b", 1);
    }
    network.advance(1);
    let arrived = frames(&mut b).len() as u64;
    let counters = network.counters();
    assert!((200..300).contains(&counters.lost), "{counters:?}");
    assert!((325..425).contains(&counters.doubled), "{counters:?}");
    assert_eq!((counters.sent, counters.bytes), (1_000, 3_000));
    assert_eq!(counters.delivered, arrived);
    assert_eq!(arrived, 1_000 - counters.lost + counters.doubled);
}

#[test]
fn a_path_can_have_settings_of_its_own_in_one_direction() {
    let (network, mut a, mut b) = two(MemorySettings::new());
    let mut path = MemoryPath::new();
    path.loss = 1.0;
    network.set_path(&name("a"), &name("b"), Some(path));
    send(&mut a, "b", 1);
    send(&mut b, "a", 2);
    network.advance(1);
    assert_eq!((frames(&mut a), frames(&mut b)), (vec![2], vec![]));
    network.set_path(&name("a"), &name("b"), None);
    send(&mut a, "b", 3);
    network.advance(1);
    assert_eq!(frames(&mut b), [3]);
}

#[test]
fn a_cut_loses_what_is_sent_and_what_is_under_way() {
    let (network, mut a, mut b) = two(on_path(MemoryPath::new().delayed(2, 2)));
    send(&mut a, "b", 1);
    network.advance(1);
    network.cut(&[name("a")], &[name("b")]);
    send(&mut a, "b", 2);
    send(&mut b, "a", 3);
    network.advance(2);
    network.heal();
    network.advance(5);
    assert_eq!((frames(&mut a), frames(&mut b)), (vec![], vec![]));
    assert_eq!(network.counters().cut, 3);
    send(&mut a, "b", 4);
    network.advance(2);
    assert_eq!(frames(&mut b), [4]);
}

#[test]
fn a_cut_is_told_after_the_lease_and_not_if_it_is_shorter() {
    let settings = MemorySettings {
        lease: 5,
        ..MemorySettings::new()
    };
    let (network, mut a, mut b) = two(settings);
    let c = network.link(name("c"));
    network.advance(1);
    assert_eq!(events(&mut a), [LinkEvent::Came(name("c"))]);
    network.cut(&[name("a")], &[name("b"), name("c")]);
    network.advance(5);
    network.heal_between(&[name("a")], &[name("c")]);
    network.advance(1);
    assert_eq!(events(&mut a), [LinkEvent::Went(name("b"))]);
    let gone = LinkError::Unknown(name("b"));
    assert_eq!(a.send(&name("b"), vec![1].into()), Err(gone));
    let seen_by_b = [LinkEvent::Came(name("c")), LinkEvent::Went(name("a"))];
    assert_eq!(events(&mut b), seen_by_b);
    network.heal();
    network.advance(1);
    assert_eq!(events(&mut a), [LinkEvent::Came(name("b"))]);
    drop(c);
}

#[test]
fn a_cut_of_one_direction_leaves_the_other_one() {
    let (network, mut a, mut b) = two(MemorySettings::new());
    network.cut_one_way(&name("a"), &name("b"));
    send(&mut a, "b", 1);
    send(&mut b, "a", 2);
    network.advance(1);
    assert_eq!((frames(&mut a), frames(&mut b)), (vec![2], vec![]));
}

#[test]
fn a_slow_reader_gets_so_many_frames_in_a_step() {
    let (network, mut a, mut b) = two(MemorySettings::new());
    network.slow(&name("b"), Some(2));
    for number in 0..5 {
        send(&mut a, "b", number);
    }
    for expected in [vec![0, 1], vec![2, 3], vec![4], vec![]] {
        network.advance(1);
        assert_eq!(frames(&mut b), expected);
    }
    network.slow(&name("b"), Some(0));
    send(&mut a, "b", 6);
    network.advance(3);
    assert!(frames(&mut b).is_empty());
    network.slow(&name("b"), None);
    assert_eq!(frames(&mut b), [6]);
}

#[test]
fn a_full_queue_refuses_until_the_other_one_has_read() {
    let settings = MemorySettings {
        queue: 2,
        ..MemorySettings::new()
    };
    let (network, mut a, mut b) = two(settings);
    send(&mut a, "b", 1);
    send(&mut a, "b", 2);
    assert_eq!(a.send(&name("b"), vec![3].into()), Err(LinkError::Full));
    network.advance(1);
    assert_eq!(a.send(&name("b"), vec![3].into()), Err(LinkError::Full));
    assert!(b.poll().is_some());
    send(&mut a, "b", 4);
    // The other direction has a queue of its own.
    send(&mut b, "a", 5);
    network.advance(1);
    assert_eq!((frames(&mut a), frames(&mut b)), (vec![5], vec![2, 4]));
    assert_eq!(network.counters().refused, 2);
}

#[test]
fn who_crashes_is_missed_after_the_lease_and_who_comes_back_gets_nothing_old() {
    let settings = MemorySettings {
        lease: 5,
        ..MemorySettings::new()
    };
    let (network, mut a, mut b) = two(settings);
    send(&mut a, "b", 1);
    network.crash(&name("b"));
    assert_eq!(b.poll(), None);
    let ended = "its node was removed".to_owned();
    assert_eq!(
        b.send(&name("a"), vec![1].into()),
        Err(LinkError::Ended(ended))
    );
    // Nobody knows yet.
    send(&mut a, "b", 2);
    network.advance(6);
    assert_eq!(events(&mut a), [LinkEvent::Went(name("b"))]);
    assert_eq!(network.counters().unread, 2);
    let mut b = network.link(name("b"));
    network.advance(1);
    assert_eq!(events(&mut a), [LinkEvent::Came(name("b"))]);
    assert_eq!(events(&mut b), [LinkEvent::Came(name("a"))]);
}

#[test]
fn who_comes_back_within_the_lease_was_never_missed() {
    let (network, mut a, _b) = two(MemorySettings::new());
    network.crash(&name("b"));
    network.advance(3);
    let mut b = network.link(name("b"));
    network.advance(30);
    assert_eq!(events(&mut a), []);
    send(&mut a, "b", 1);
    network.advance(1);
    assert_eq!(events(&mut b).len(), 2);
}

#[test]
fn who_leaves_is_missed_at_once() {
    let (network, mut a, b) = two(MemorySettings::new());
    drop(b);
    network.advance(1);
    assert_eq!(events(&mut a), [LinkEvent::Went(name("b"))]);
}

#[test]
fn two_nodes_of_one_name_are_told_and_both_get_its_frames() {
    let (network, mut a, mut b) = two(MemorySettings::new());
    let mut other = network.link(name("b"));
    let taken = |by: &str| LinkEvent::NameTaken { by: by.to_owned() };
    let of_link = |number| format!("link {number} of the network in memory");
    assert_eq!(events(&mut b), [taken(&of_link(2))]);
    network.advance(1);
    let came = LinkEvent::Came(name("a"));
    assert_eq!(events(&mut other), [taken(&of_link(1)), came]);
    send(&mut a, "b", 4);
    network.advance(1);
    assert_eq!((frames(&mut b), frames(&mut other)), (vec![4], vec![4]));
    // While one of them is there, nobody misses the name.
    drop(other);
    network.advance(30);
    assert_eq!(events(&mut a), []);
}

#[test]
fn frames_that_are_too_long_and_names_that_nobody_has_are_refused() {
    let settings = MemorySettings {
        max_frame: 10,
        ..MemorySettings::new()
    };
    let (_network, mut a, _b) = two(settings);
    assert_eq!(a.max_frame(), 10);
    let (len, most) = (11, 10);
    let long = a.send(&name("b"), vec![0; 11].into());
    assert_eq!(long, Err(LinkError::TooLong { len, most }));
    let unknown = LinkError::Unknown(name("z"));
    assert_eq!(a.send(&name("z"), vec![0].into()), Err(unknown));
}

/// Returns the events that three nodes receive from each other under faults, step by step.
fn run(seed: u64) -> Vec<(u64, usize, LinkEvent)> {
    let mut path = MemoryPath::new().delayed(0, 6);
    (path.loss, path.duplication, path.reordering) = (0.2, 0.2, 0.2);
    let network = MemoryNetwork::new(seed, on_path(path));
    let names = ["a", "b", "c"];
    let mut links = names.map(|text| network.link(name(text)));
    let mut trace = Vec::new();
    for step in 0..100_u8 {
        network.advance(1);
        match step {
            20 => network.cut(&[name("a")], &[name("b"), name("c")]),
            50 => network.heal(),
            60 => network.crash(&name("c")),
            70 => links[2] = network.link(name("c")),
            _ => {}
        }
        for (index, link) in links.iter_mut().enumerate() {
            for to in names {
                // Some are not known, or have ended.
                let _ = link.send(&name(to), vec![step].into());
            }
            let told = std::iter::from_fn(|| link.poll());
            trace.extend(told.map(|event| (network.now(), index, event)));
        }
    }
    trace
}

#[test]
fn the_same_seed_and_the_same_calls_give_the_same_frames_at_the_same_polls() {
    let trace = run(11);
    assert!(trace.len() > 300, "{}", trace.len());
    assert_eq!(trace, run(11));
    assert_ne!(trace, run(12));
}
