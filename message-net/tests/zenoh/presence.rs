//! Tests of node presence.

use message_net::link::LinkEvent;
use message_net::link::zenoh::ZenohConfig;

use crate::common::{Tapped, client, endpoint, free_port, hub};

#[test]
fn who_comes_and_goes_is_told_to_all_once() {
    let port = free_port();
    let mut hub = hub(port);
    let (mut a, mut b) = (client("a", port), client("b", port));
    hub.until_came("a");
    hub.until_came("b");
    a.until_came("b");
    b.until_came("a");
    drop(b);
    a.until_went("b");
    hub.until_went("b");
    let mut b = client("b", port);
    a.until_came("b");
    hub.until_came("b");
    b.until_came("a");
    a.until_came("hub");
    b.until_came("hub");
    let more = [hub.rest(), a.rest(), b.rest()].concat();
    let is_presence = |event: &LinkEvent| matches!(event, LinkEvent::Came(_) | LinkEvent::Went(_));
    assert!(!more.iter().any(is_presence), "{more:?}");
}

#[test]
fn two_nodes_of_one_name_are_both_told() {
    let port = free_port();
    let _hub = hub(port);
    let (mut first, mut second) = (client("twin", port), client("twin", port));
    let process = format!("process {}", std::process::id());
    let by = |link: &mut Tapped| {
        link.until("another of its name", |event| match event {
            LinkEvent::NameTaken { by } => Some(by.clone()),
            _ => None,
        })
    };
    let (of_first, of_second) = (by(&mut first), by(&mut second));
    assert!(of_first.contains(&process), "{of_first}");
    assert!(of_second.contains(&process), "{of_second}");
    assert_ne!(of_first, of_second, "each learns where the other is");
}

#[test]
fn a_router_that_starts_after_its_clients_is_found() {
    let port = free_port();
    let (mut a, mut b) = (client("a", port), client("b", port));
    let text = a.until_trouble("refused");
    for part in ["node `a`", &endpoint(port), "keeps trying"] {
        assert!(text.contains(part), "{text}");
    }
    b.until_trouble("refused");
    let _hub = hub(port);
    a.until_came("b");
    b.until_came("a");
    let more = [a.rest(), b.rest()].concat();
    let told_again = more
        .iter()
        .any(|event| matches!(event, LinkEvent::Trouble(_)));
    assert!(!told_again, "{more:?}");
    a.send("b", b"at last");
    assert_eq!(b.frame().1, b"at last");
}

#[test]
fn a_link_that_cannot_connect_can_be_dropped() {
    let refused = client("a", free_port());
    // Nobody answers there, so an attempt takes long.
    let silent = Tapped::open("b", ZenohConfig::client("tcp/192.0.2.1:7447"));
    drop(refused);
    drop(silent);
}

#[test]
fn a_port_that_is_taken_is_told_by_the_hub() {
    let port = free_port();
    let taken = std::net::TcpListener::bind(("127.0.0.1", port)).expect("a free port");
    let mut hub = hub(port);
    let text = hub.until_trouble("in use");
    for part in ["node `hub` cannot be a hub at", &endpoint(port)] {
        assert!(text.contains(part), "{text}");
    }
    drop(taken);
    client("a", port).until_came("hub");
}

#[test]
fn peers_that_are_connected_need_no_router() {
    let (one, two) = (endpoint(free_port()), endpoint(free_port()));
    let mut a = Tapped::open("a", ZenohConfig::peer(&one).and_connect(&two));
    let mut b = Tapped::open("b", ZenohConfig::peer(&two));
    a.until_came("b");
    b.until_came("a");
    a.send("b", b"hello");
    assert_eq!(b.frame(), ("a".to_owned(), b"hello".to_vec()));
}
