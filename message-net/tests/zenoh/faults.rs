//! Tests that kill processes.

use std::time::Duration;

use message_net::link::{Link as _, LinkEvent};

use crate::child::Node;
use crate::common::{client, endpoint, free_port, hub, name};

#[test]
fn a_zone_that_is_killed_goes_and_comes_again() {
    let port = free_port();
    let mut hub = hub(port);
    let zone = Node::client("zone", &endpoint(port));
    hub.until_came("zone");
    hub.echo("zone", "before");
    zone.kill();
    hub.until_went("zone");
    let _zone = Node::client("zone", &endpoint(port));
    hub.until_came("zone");
    hub.echo("zone", "after");
}

#[test]
fn a_hub_that_is_killed_is_told_and_found_again() {
    let port = free_port();
    let hub = Node::hub(&endpoint(port));
    let (mut a, mut b) = (client("a", port), client("b", port));
    a.until_came("hub");
    a.until_came("b");
    a.echo("hub", "before");
    b.until_came("hub");
    b.until_came("a");
    a.rest();
    b.rest();
    hub.kill();
    b.until_went("hub");
    b.until_went("a");
    b.until_trouble("node `b` has lost its connection");
    a.until_went("hub");
    a.until_went("b");

    let _hub = Node::hub(&endpoint(port));
    a.until_came("hub");
    a.until_came("b");
    b.until_came("a");
    a.echo("hub", "after");
    a.send("b", b"over the new router");
    assert_eq!(b.frame(), ("a".to_owned(), b"over the new router".to_vec()));
}

#[test]
fn a_router_that_is_away_for_long_is_told_with_the_reason_and_found_again() {
    let port = free_port();
    let hub = Node::hub(&endpoint(port));
    let mut a = client("a", port);
    a.echo("hub", "before");
    a.until_came("hub");
    a.rest();
    hub.kill();
    a.until_trouble("node `a` has lost its connection");
    a.until_went("hub");
    a.until_trouble("refused");
    let _hub = Node::hub(&endpoint(port));
    a.until_came("hub");
    a.echo("hub", "after");
}

#[cfg(unix)]
#[test]
fn a_receiver_that_stands_still_goes_and_holds_up_no_other() {
    let port = free_port();
    let mut hub = hub(port);
    let still = Node::client("still", &endpoint(port));
    let _other = Node::client("other", &endpoint(port));
    hub.until_came("still");
    hub.until_came("other");
    hub.echo("still", "before");
    still.signal("-STOP");
    let frame = vec![0; 100_000];
    let (mut refused, mut echoes) = (0, 0);
    while hub.within(Duration::ZERO, went("still")).is_none() {
        refused += usize::from(hub.link.send(&name("still"), frame.clone().into()).is_err());
        hub.echo("other", "meanwhile");
        echoes += 1;
    }
    still.signal("-CONT");
    hub.until_came("still");
    hub.echo("still", "after");
    assert!(echoes > refused, "{echoes} echoes, {refused} refused");
}

fn went(node: &str) -> impl Fn(&LinkEvent) -> Option<()> {
    let went = LinkEvent::Went(name(node));
    move |event| (*event == went).then_some(())
}
