//! Handlers that panic on a notification from a node: the node does the rest of its work.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::error::CarryError;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::ask::{Answered, Ask, Unanswered};
use message_net::proxy;
use message_net::{NET, NodeConfig, NodeDown, NodeUp, Reach, ReachChanged, Watch};

use crate::common::{
    Ear, Fails, GetHeard, Net, Note, accept_all, heard, lines, name, note_all, two,
};

/// Records the messages it receives, and panics.
#[derive(Default)]
struct Nervous {
    told: Arc<Mutex<Vec<String>>>,
}

#[handlers]
impl Nervous {
    #[on_receive]
    fn reach(&mut self, changed: &ReachChanged) {
        let told = format!("{:?}", changed.reach);
        self.told
            .lock()
            .expect("no panic while it is locked")
            .push(told);
        assert!(changed.reach != Reach::Ended, "as told of the end");
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<GetHeard>) {
        let told = format!("{:?}", answered.answer);
        self.told
            .lock()
            .expect("no panic while it is locked")
            .push(told);
        panic!("as told of the answer");
    }
}

/// Ticks a world until it has not panicked for some frames. Returns how often it has.
fn tick_through(net: &mut Net, at: usize) -> usize {
    let mut panics = 0;
    for _ in 0..5 {
        panics += usize::from(catch_unwind(AssertUnwindSafe(|| net.places[at].tick())).is_err());
    }
    panics
}

fn hasty(config: NodeConfig) -> NodeConfig {
    accept_all(config)
        .unreachable_after(Duration::from_millis(400))
        .resend_window(Duration::from_secs(1))
}

// holds: net.panic
#[test]
fn when_a_node_goes_all_is_told_and_done_though_each_handler_panics() {
    let mut net = Net::new();
    let (a, b) = (net.add("a", accept_all), net.add("b", accept_all));
    let ears = [(); 3].map(|()| net.manager(b).spawn((Ear::default(),)));
    let mut gates = Vec::new();
    for (number, ear) in ears.into_iter().enumerate() {
        net.places[b].export(ear, &format!("gate-{number}"));
        gates.push(net.places[a].import(&format!("b/gate-{number}")));
    }
    net.run(10);
    let nervous = Nervous::default();
    let told = Arc::clone(&nervous.told);
    let nervous = net.manager(a).spawn((nervous,));
    let mut from = net.manager(a).speak_for(nervous).expect("alive");
    for &proxy in &gates {
        from.send(NET, Watch { proxy }).expect("sent");
        let asked = from.ask(proxy, GetHeard);
        asked.within(Duration::from_mins(1)).expect("asked");
    }
    let buried = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&buried);
    net.manager(a)
        .subscribe(Filter::of::<DeadLetter>(), move |_, _| {
            count.fetch_add(1, Relaxed);
            panic!("as told of a dead letter");
        });
    let down = note_all(net.manager(a), |down: &NodeDown| down.why.to_string());
    for n in 0..4 {
        net.manager(a).send(gates[1], Note(n)).expect("sent");
    }
    // It says goodbye; nothing that waits here was handed over.
    let place = &mut net.places[b];
    let node = place.node.take().expect("attached");
    node.detach(&mut place.manager);
    net.network.advance(1);
    let caught = catch_unwind(AssertUnwindSafe(|| net.places[a].tick()));
    let panic = caught.expect_err("it goes on");
    assert!(panic.downcast_ref::<&str>().is_some(), "the first of them");

    assert_eq!(buried.load(Relaxed), 4, "each is notified");
    assert_eq!(lines(&down), ["it has said goodbye"]);
    assert!(gates.iter().all(|&gate| !net.manager(a).is_alive(gate)));
    let told = told.lock().expect("no panic while it is locked").clone();
    let of = |what: &str| told.iter().filter(|told| *told == what).count();
    assert_eq!((of("Ended"), of("Err(Unreachable)")), (3, 3), "{told:?}");
    assert_eq!(net.places[a].node().peers().next().expect("b").proxies, 0);
    assert_eq!(tick_through(&mut net, a), 0, "nothing is left to do");

    // It is met again, and all works.
    let up = note_all(net.manager(a), |up: &NodeUp| up.node.clone());
    net.attach(b, "b", 2, accept_all);
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    net.run(20);
    // Names are imported again when it is back.
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(1)).expect("it is up");
    net.run(20);
    assert_eq!(
        (lines(&up), heard(net.manager(b), ear)),
        (vec!["b".to_owned()], vec![1])
    );
}

// holds: net.panic
#[test]
fn a_node_that_leaves_has_left_though_handlers_panic() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let gates = ["b/one", "c/two"].map(|name| net.places[a].import(name));
    let buried = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&buried);
    net.manager(a)
        .subscribe(Filter::of::<DeadLetter>(), move |_, _| {
            count.fetch_add(1, Relaxed);
            panic!("as told of a dead letter");
        });
    for gate in gates {
        net.manager(a).send(gate, Note(1)).expect("it waits");
    }
    let place = &mut net.places[a];
    let node = place.node.take().expect("attached");
    assert!(catch_unwind(AssertUnwindSafe(|| node.detach(&mut place.manager))).is_err());
    assert_eq!(buried.load(Relaxed), 2);
    assert_eq!(proxy::proxies(&place.manager).count(), 0);
    assert_eq!(proxy::outboxes(&place.manager).count(), 0);
    assert_eq!(place.manager.bound(NET), None);
    net.attach(a, "a", 2, accept_all);
}

// holds: net.one-answer
#[test]
fn a_question_whose_handler_panics_is_answered_and_the_message_counts_as_received() {
    /// Panics when it is asked.
    struct Fuse;

    #[handlers]
    impl Fuse {
        #[on_receive]
        fn asked(&mut self, _: &Fails) -> u32 {
            panic!("as asked")
        }
    }

    #[derive(Default)]
    struct Asker(Vec<Result<u32, Unanswered>>);

    #[handlers]
    impl Asker {
        #[on_receive]
        fn answered(&mut self, answered: &Answered<Fails>) {
            self.0.push(answered.answer.clone());
        }
    }

    let (mut net, a, b) = two();
    let fuse = net.manager(b).spawn((Fuse,));
    net.places[b].export(fuse, "fuse");
    let proxy = net.places[a].import("b/fuse");
    net.run(10);
    let asker = net.manager(a).spawn((Asker::default(),));
    let mut from = net.manager(a).speak_for(asker).expect("alive");
    let question = from.ask(proxy, Fails).within(Duration::from_secs(30));
    question.expect("question");
    net.places[a].tick();
    net.network.advance(1);
    assert_eq!(tick_through(&mut net, b), 1);
    net.run(5);
    let why = "a handler panicked".to_owned();
    let answers = net.manager(a).get::<Asker>(asker).expect("alive").0.clone();
    assert_eq!(answers, [Err(Unanswered::HandlerFailed { why })]);
    let counts = net.places[b].node().peers().next().expect("a").counts;
    assert_eq!((counts.received, counts.refused_here), (1, 0));
}

// holds: net.panic
#[test]
fn what_is_told_behind_a_long_cut_is_told_though_a_handler_panics() {
    let mut net = Net::new();
    let (a, b) = (net.add("a", hasty), net.add("b", hasty));
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    let first = net
        .manager(a)
        .subscribe(Filter::of::<NodeDown>(), |_, _| panic!("as told of a node"));
    let down = note_all(net.manager(a), |down: &NodeDown| down.node.clone());
    net.network.cut(&[name("a")], &[name("b")]);
    let mut panics = 0;
    for _ in 0..60 {
        net.network.advance(1);
        for at in [a, b] {
            panics +=
                usize::from(catch_unwind(AssertUnwindSafe(|| net.places[at].tick())).is_err());
        }
    }
    assert_eq!(panics, 1);
    assert!(net.manager(a).unsubscribe(first));
    assert!(matches!(
        net.manager(a)
            .send(gate, Note(1))
            .map_err(SendError::into_kind),
        Err(SendErrorKind::NotCarried {
            why: CarryError::Unreachable,
            ..
        })
    ));
    net.network.heal();
    net.run(60);
    net.manager(a).send(gate, Note(2)).expect("up again");
    net.run(10);
    assert_eq!(heard(net.manager(b), ear), [2]);
    assert!(lines(&down).len() <= 1);
}
