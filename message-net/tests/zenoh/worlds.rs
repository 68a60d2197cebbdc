//! Worlds on the real engine whose processes are killed and stopped, and whose network is cut: checks the
//! guarantees by counting.

use std::thread;
use std::time::{Duration, Instant};

use message_core::error::CarryError;
use message_core::prelude::*;
use message_net::Reach;
use message_net::link::zenoh::ZenohConfig;

use crate::child::Node;
use crate::common::{DEADLINE, endpoint, free_port};
use crate::cut::Cable;
use crate::world::{Counter, GateFile, World, is_in_order};

/// Longer than a process takes to start on a busy machine.
const LONG: Duration = Duration::from_secs(50);

// holds: net.long-cut
#[test]
fn of_what_is_sent_to_a_zone_that_is_killed_all_arrives_or_is_told_as_lost() {
    let at = endpoint(free_port());
    let gate = GateFile::new();
    let mut hub = World::open("hub", ZenohConfig::hub(&at), |config| config);
    let zone = Node::world("client", "zone", &at, &gate);
    let mut counter = Counter::new(&mut hub, "zone/gate", 100);
    counter.until(&mut hub, "hundred", |_, _| gate.numbers().len() >= 100);
    zone.kill();
    hub.told.lock().expect("no panic").clear();
    counter.during(&mut hub, Duration::from_secs(1));
    let before = gate.numbers().len();
    let _zone = Node::world("client", "zone", &at, &gate);
    counter.until(&mut hub, "other run", |hub, _| hub.was_told("up zone true"));
    // The messages in flight to the dead zone have been reported as lost by now, or will be once the new one is
    // met.
    counter.until(&mut hub, "other gate", |_, _| {
        gate.numbers().len() >= before + 50
    });
    hub.until("last number", |hub| {
        let (lost, dead) = hub.not_arrived();
        gate.numbers().len() as u64 + lost + dead >= counter.sent
    });
    let (lost, dead) = hub.not_arrived();
    let numbers = gate.numbers();
    println!(
        "{} sent, {} arrived, {lost} lost, {dead} dead letters",
        counter.sent,
        numbers.len()
    );
    assert!(is_in_order(&numbers), "{numbers:?}");
    assert!(lost > 0, "it was killed in the middle");
    assert!(numbers.len() as u64 + dead <= counter.sent);
    assert!(hub.reach().contains(&Reach::Ended));
}

// holds: net.short-cut
#[test]
fn when_the_hub_is_killed_what_zones_send_to_each_other_waits_and_arrives() {
    let at = endpoint(free_port());
    let [of_hub, of_b] = [(); 2].map(|()| GateFile::new());
    let hub = Node::world("hub", "hub", &at, &of_hub);
    let patient = |config: message_net::NodeConfig| config.resend_window(LONG);
    let mut a = World::open("a", ZenohConfig::client(&at), patient);
    let mut b = World::open("b", ZenohConfig::client(&at), patient);
    b.open_gate(of_b.path());
    let mut to_hub = Counter::new(&mut a, "hub/gate", 0);
    let mut to_b = Counter::new(&mut a, "b/gate", 0);
    let start = Instant::now();
    let (mut old, mut new) = (Some(hub), None);
    loop {
        assert!(start.elapsed() < DEADLINE, "{:?}", a.told.lock());
        to_hub.again(&mut a);
        // The receiver cannot be reached, or too much waits.
        let _ = (to_hub.send(&mut a), to_b.send(&mut a));
        a.tick();
        b.tick();
        let came = [of_hub.numbers().len(), of_b.numbers().len()];
        if old.is_some() && came.iter().all(|&came| came >= 50) {
            old.take().expect("it is there").kill();
            a.told.lock().expect("no panic").clear();
        } else if old.is_none() && new.is_none() && a.reach().contains(&Reach::Unreachable) {
            new = Some((Node::world("hub", "hub", &at, &of_hub), came));
        } else if let Some((_, before)) = &new
            && a.was_told("up hub true")
            && (0..2).all(|at| came[at] >= before[at] + 50)
        {
            break;
        }
    }
    let start = Instant::now();
    let is_all = |a: &World, to_hub: &Counter, to_b: &Counter| {
        let (lost, dead) = a.not_arrived();
        of_b.numbers().len() as u64 == to_b.sent
            && of_hub.numbers().len() as u64 + lost + dead >= to_hub.sent
    };
    while !is_all(&a, &to_hub, &to_b) && start.elapsed() < DEADLINE {
        a.tick();
        b.tick();
    }
    let (lost, dead) = a.not_arrived();
    let (at_hub, at_b) = (of_hub.numbers(), of_b.numbers());
    println!(
        "to the hub: {} sent, {} arrived, {lost} lost, {dead} dead letters; to the other zone: {} sent, {} arrived",
        to_hub.sent,
        at_hub.len(),
        to_b.sent,
        at_b.len()
    );
    assert!(at_b.iter().copied().eq(0..to_b.sent), "{at_b:?}");
    assert!(is_in_order(&at_hub), "{at_hub:?}");
    assert!(at_hub.len() as u64 + lost + dead >= to_hub.sent);
    assert!(at_hub.len() as u64 + dead <= to_hub.sent);
}

/// Cuts the only link between a hub and a zone, while the hub sends. Returns the number of messages sent, those
/// that arrived, how many were reported as lost or became dead letters, and the notices that the watcher
/// received.
fn cut(cable: &Cable, seconds: u64) -> (u64, Vec<u64>, (u64, u64), Vec<Reach>) {
    let at = cable.endpoint();
    let gate = GateFile::new();
    let config = ZenohConfig::hub(&at).open_to_anyone();
    let mut hub = World::open("hub", config, |config| config);
    let _zone = Node::world_by(&mut cable.inside(), "zone", &at, &gate);
    let mut counter = Counter::new(&mut hub, "zone/gate", 100);
    counter.until(&mut hub, "hundred", |_, _| gate.numbers().len() >= 100);
    cable.set("down");
    counter.during(&mut hub, Duration::from_secs(seconds));
    cable.set("up");
    let sent = counter.sent;
    counter.until(&mut hub, "number after the cut", |_, _| {
        gate.numbers().last().is_some_and(|&last| last > sent + 50)
    });
    hub.until("last number", |hub| {
        let (lost, dead) = hub.not_arrived();
        gate.numbers().len() as u64 + lost + dead >= counter.sent
    });
    // Nothing arrives afterwards.
    for _ in 0..50 {
        hub.tick();
    }
    (counter.sent, gate.numbers(), hub.not_arrived(), hub.reach())
}

// holds: net.short-cut, net.long-cut
#[test]
fn over_cuts_of_1_5_and_15_seconds_all_arrives_in_order_or_is_told_as_lost() {
    // They run in parallel, because most of the time is spent waiting.
    thread::scope(|scope| {
        for (test, seconds) in [(3, 1), (4, 5), (5, 15)] {
            scope.spawn(move || {
                let Some(cable) = Cable::or_skip(test) else {
                    return;
                };
                let (sent, numbers, (lost, dead), reach) = cut(&cable, seconds);
                let arrived = numbers.len() as u64;
                println!(
                    "{seconds} s: {sent} sent, {arrived} arrived, {lost} lost, {dead} dead letters; {reach:?}"
                );
                assert!(is_in_order(&numbers), "{seconds} s: {numbers:?}");
                assert_eq!(sent, arrived + lost + dead, "{seconds} s");
                if seconds < 10 {
                    assert_eq!((lost, dead), (0, 0), "{seconds} s: shorter than the resend window");
                } else {
                    assert!(lost + dead > 0, "{seconds} s: longer than the resend window");
                    assert_eq!(reach, [Reach::Unreachable, Reach::Back], "{seconds} s");
                }
            });
        }
    });
}

// holds: proxies.unwritable
#[cfg(unix)]
#[test]
fn a_receiver_that_stands_still_is_told_to_the_sender_as_a_backlog_and_loses_nothing() {
    let at = endpoint(free_port());
    let gate = GateFile::new();
    let mut hub = World::open("hub", ZenohConfig::hub(&at), |config| {
        config.resend_window(LONG).backlog(200_000)
    });
    let zone = Node::world("client", "still", &at, &gate);
    let mut counter = Counter::new(&mut hub, "still/gate", 10_000);
    counter.until(&mut hub, "ten", |_, _| gate.numbers().len() >= 10);
    zone.signal("-STOP");
    let begin = counter.sent;
    let start = Instant::now();
    let error = loop {
        assert!(
            start.elapsed() < Duration::from_secs(8),
            "{} taken",
            counter.sent
        );
        match counter.send(&mut hub) {
            Ok(()) if !counter.sent.is_multiple_of(10) => {}
            Ok(()) => hub.tick(),
            Err(error) => break error,
        }
    };
    assert!(
        matches!(
            error.kind(),
            SendErrorKind::NotCarried {
                why: CarryError::Backlog { .. },
                ..
            }
        ),
        "{error}"
    );
    // The waiting messages are bounded: the backlog in the world, the window of the session, and a batch
    // between them.
    let taken = (counter.sent - begin) * 10_000;
    println!("{taken} bytes were taken before the backlog");
    assert!(taken < 200_000 + 2 * (4 << 20), "{taken}");
    zone.signal("-CONT");
    hub.until("all that was taken", |_| {
        gate.numbers().len() as u64 >= counter.sent
    });
    let taken = counter.sent;
    counter.until(&mut hub, "more", |_, sent| sent >= taken + 5);
    hub.until("the last one", |_| {
        gate.numbers().len() as u64 >= counter.sent
    });
    assert!(gate.numbers().into_iter().eq(0..counter.sent));
    assert_eq!(hub.not_arrived(), (0, 0));
}
