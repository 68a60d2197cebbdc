//! Tests of frames between nodes.

use std::thread::sleep;
use std::time::{Duration, Instant};

use message_net::link::zenoh::ZenohConfig;
use message_net::link::{Link as _, LinkError, LinkEvent};

use crate::common::{self, DEADLINE, Stranger, Tapped, client, endpoint, free_port, hub, name};

#[test]
fn frames_go_both_ways_between_two_clients_of_a_hub() {
    let port = free_port();
    let _hub = hub(port);
    let (mut a, mut b) = (client("a", port), client("b", port));
    a.until_came("b");
    b.until_came("a");
    a.send("b", b"there");
    assert_eq!(b.frame(), ("a".to_owned(), b"there".to_vec()));
    b.send("a", b"and back");
    assert_eq!(a.frame(), ("b".to_owned(), b"and back".to_vec()));
}

#[test]
fn the_hub_is_a_node_as_others_are() {
    let port = free_port();
    let (mut hub, mut a) = (hub(port), client("a", port));
    hub.until_came("a");
    a.until_came("hub");
    hub.send("a", b"1");
    assert_eq!(a.frame(), ("hub".to_owned(), b"1".to_vec()));
    a.send("hub", b"2");
    assert_eq!(hub.frame(), ("a".to_owned(), b"2".to_vec()));
}

#[test]
fn frames_on_an_unbroken_connection_arrive_once_and_in_order() {
    let port = free_port();
    let mut hub = hub(port);
    let mut a = client("a", port);
    a.until_came("hub");
    for i in 0..2_000_u32 {
        a.send("hub", &i.to_le_bytes());
    }
    for i in 0..2_000_u32 {
        assert_eq!(hub.frame().1, i.to_le_bytes());
    }
    let counts = a.link.meter().counts();
    assert_eq!((counts.sent, counts.unsent), (2_000, 0));
    assert_eq!(hub.link.meter().counts().received, 2_000);
}

#[test]
fn a_frame_of_the_maximal_length_arrives_and_a_longer_one_is_refused() {
    let port = free_port();
    let _hub = hub(port);
    let (mut a, mut b) = (client("a", port), client("b", port));
    a.until_came("b");
    let most = a.link.max_frame();
    let frame: Vec<u8> = (0..=250).cycle().take(most).collect();
    // A connection that cannot keep up loses the frame: a busy machine needs several attempts.
    let start = Instant::now();
    let arrived = loop {
        a.send("b", &frame);
        if let Some((_, arrived)) = b.within(Duration::from_secs(5), common::frame) {
            break arrived;
        }
        assert!(start.elapsed() < DEADLINE, "it does not arrive");
    };
    assert!(arrived == frame);
    assert_eq!(
        a.link.send(&name("b"), vec![0; most + 1].into()),
        Err(LinkError::TooLong {
            len: most + 1,
            most
        })
    );
    a.send("b", b"");
    let is_empty = |event: &LinkEvent| common::frame(event)?.1.is_empty().then_some(());
    b.until("empty frame", is_empty);
}

#[test]
fn who_is_not_there_is_unknown() {
    let port = free_port();
    let mut hub = hub(port);
    let nobody = name("nobody");
    let unknown = Err(LinkError::Unknown(nobody.clone()));
    assert_eq!(hub.link.send(&nobody, vec![1].into()), unknown);
    assert_eq!(
        hub.link.send(&name("hub"), vec![1].into()),
        Err(LinkError::Unknown(name("hub")))
    );
}

#[test]
fn what_comes_faster_than_it_is_polled_is_dropped_counted_and_told() {
    let port = free_port();
    let config = ZenohConfig::hub(&endpoint(port)).incoming(3, 1 << 20);
    let mut hub = Tapped::open("hub", config);
    let mut a = client("a", port);
    a.until_came("hub");
    for i in 0..10 {
        a.send("hub", &[i]);
    }
    let meter = hub.link.meter();
    let start = Instant::now();
    while meter.counts().received + meter.counts().overflowed < 10 {
        assert!(start.elapsed() < DEADLINE, "{:?}", meter.counts());
        sleep(Duration::from_millis(2));
    }
    let counts = meter.counts();
    assert_eq!((counts.received, counts.overflowed), (3, 7));
    hub.until_trouble("node `hub` drops incoming frames");
    for i in 0..3 {
        assert_eq!(hub.frame().1, [i], "what was kept");
    }
    a.send("hub", b"later");
    assert_eq!(hub.frame().1, b"later");
}

#[test]
fn worlds_that_share_a_router_do_not_meet() {
    let port = free_port();
    let of = |world: &str| ZenohConfig::client(&endpoint(port)).world(world);
    let _hub = hub(port);
    let mut a = Tapped::open("a", of("games/one"));
    let mut b = Tapped::open("b", of("games/one"));
    let mut other = Tapped::open("b", of("games/two"));
    a.until_came("b");
    a.send("b", b"one");
    assert_eq!(b.frame().1, b"one");
    let mut last = Tapped::open("last", of("games/two"));
    other.until_came("last");
    last.until_came("b");
    assert!(other.rest().is_empty());
    assert!(
        b.rest()
            .iter()
            .all(|event| !format!("{event:?}").contains("last"))
    );
}

#[test]
fn what_a_stranger_publishes_comes_under_the_name_in_its_key_or_is_counted() {
    let port = free_port();
    let mut hub = hub(port);
    let stranger = Stranger::open(&endpoint(port), &[]);
    stranger.put("world/to/hub/zo ne", &[1]);
    stranger.put("world/to/hub/zone", &vec![0; hub.link.max_frame() + 1]);
    stranger.put("world/to/hub/zone", &vec![0; 4 * hub.link.max_frame()]);
    stranger.delete("world/to/hub/zone");
    stranger.put("world/to/hub/zone", &[0xff, 0xfe]);
    assert_eq!(hub.frame(), ("zone".to_owned(), vec![0xff, 0xfe]));
    let counts = hub.link.meter().counts();
    assert_eq!((counts.strange, counts.too_long), (2, 1));
    let _token = stranger.token("world/alive/zone/x");
    hub.until_came("zone");
    assert!(hub.rest().is_empty());
}
