//! Interceptors, and messages from other nodes.

use std::ops::ControlFlow;

use message_core::prelude::*;

use crate::common::{Ear, Note, Pass, dead_letters, heard, lines, two};

// holds: net.intercepted
#[test]
fn an_interceptor_changes_and_consumes_what_comes_from_another_node() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    let dead = dead_letters(net.manager(a));
    let dead_there = dead_letters(net.manager(b));
    net.manager(b).subscribe(
        Filter::of::<Note>().before(),
        |note: &mut Note, _: &mut SubscriberContext<'_>| {
            if note.0.is_multiple_of(2) {
                return ControlFlow::Break(());
            }
            note.0 += 100;
            ControlFlow::Continue(())
        },
    );
    for n in 0..4 {
        net.manager(a).send(gate, Note(n)).expect("sent");
    }
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [101, 103]);
    let counts = net.places[b].node().peers().next().expect("a").counts;
    assert_eq!((counts.received, counts.refused_here), (4, 0));
    assert_eq!((lines(&dead).len(), lines(&dead_there).len()), (0, 0));
}

// holds: proxies.consumed-before
#[test]
fn what_an_interceptor_consumes_before_it_comes_to_a_proxy_is_not_carried() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    net.manager(a).subscribe(
        Filter::of::<Note>().before(),
        |note: &mut Note, _: &mut SubscriberContext<'_>| {
            if note.0 == 1 {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    );
    for n in 0..3 {
        net.manager(a).send(gate, Note(n)).expect("sent");
    }
    net.manager(a).send(gate, Pass(5)).expect("sent");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [0, 2]);
    let counts = net.places[a].node().peers().next().expect("b").counts;
    assert_eq!(counts.sent, 3);
}
