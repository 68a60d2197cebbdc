//! Nothing is silent, and nothing is left behind: the bugs that the simulation has found, one by one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::ask::{Answered, Ask, Unanswered};
use message_net::proxy;
use message_net::{NET, Reach, ReachChanged, Watch};

use crate::common::{Ear, GetHeard, Net, Note, accept_all, dead_letters, lines, name, two};

group!(QUIET = "net.quiet");

type Answer = Result<Vec<u32>, Unanswered>;

/// Records the changes and answers it receives.
#[derive(Default)]
struct Clerk {
    reach: Arc<Mutex<Vec<Reach>>>,
    answers: Arc<Mutex<Vec<Answer>>>,
}

#[handlers]
impl Clerk {
    #[on_receive]
    fn reach(&mut self, changed: &ReachChanged) {
        self.reach.lock().expect("no panic").push(changed.reach);
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<GetHeard>) {
        let mut answers = self.answers.lock().expect("no panic");
        answers.push(answered.answer.clone());
    }
}

fn detach(net: &mut Net, at: usize) {
    let place = &mut net.places[at];
    let node = place.node.take().expect("it is attached");
    node.detach(&mut place.manager);
}

// holds: net.waiting-dead-letter, net.one-answer
#[test]
fn who_leaves_is_told_what_was_not_handed_over_and_gets_an_answer_to_each_question() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let gate = net.places[a].import("b/gate");
    let dead = dead_letters(net.manager(a));
    let clerk = Clerk::default();
    let answers = Arc::clone(&clerk.answers);
    let clerk = net.manager(a).spawn((clerk,));
    net.manager(a).send(gate, Note(1)).expect("it waits");
    let mut from = net.manager(a).speak_for(clerk).expect("it is alive");
    let first = from.ask(gate, GetHeard).within(Duration::from_secs(9));
    detach(&mut net, a);
    assert_eq!(lines(&dead), ["this node has left the network"]);
    let told = answers.lock().expect("no panic").clone();
    assert_eq!(told, [Err(Unanswered::Unreachable)]);

    // The numbers of questions are used once.
    net.attach(a, "a", 2, accept_all);
    let gate = net.places[a].import("b/gate");
    let mut from = net.manager(a).speak_for(clerk).expect("it is alive");
    let second = from.ask(gate, GetHeard).within(Duration::from_secs(9));
    assert_ne!(first.expect("asked"), second.expect("asked"));
}

/// Sends to a messagee whenever there is a dead letter. Returns whether each of these sends was refused.
fn send_at_dead_letters(manager: &mut MessageManager, to: MessageeId) -> Arc<Mutex<Vec<bool>>> {
    let refused = Arc::<Mutex<Vec<bool>>>::default();
    let seen = Arc::clone(&refused);
    manager.subscribe(Filter::of::<DeadLetter>(), move |_, cx| {
        let sent = cx.send(to, Note(2));
        seen.lock().expect("no panic").push(sent.is_err());
    });
    refused
}

// holds: net.waiting-dead-letter
#[test]
fn who_hears_that_a_message_was_not_handed_over_cannot_send_there_any_more() {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(1)).expect("it waits");
    let refused = send_at_dead_letters(net.manager(a), gate);
    detach(&mut net, a);
    assert_eq!(*refused.lock().expect("no panic"), [true], "detached");

    net.attach(a, "a", 2, accept_all);
    let gate = net.places[a].import("b/gate");
    net.manager(a).send(gate, Note(1)).expect("it waits");
    let refused = send_at_dead_letters(net.manager(a), gate);
    net.places[a].node = None;
    net.attach(a, "a", 3, accept_all);
    assert_eq!(*refused.lock().expect("no panic"), [true], "another node");
}

// holds: net.waiting-dead-letter
#[test]
fn a_shout_to_a_group_without_members_there_is_a_dead_letter() {
    let (mut net, a, b) = two();
    for at in [a, b] {
        let place = &mut net.places[at];
        let node = place.node.as_mut().expect("it is attached");
        node.export_group(&mut place.manager, QUIET);
    }
    net.run(10);
    let dead = dead_letters(net.manager(a));
    net.manager(a).send(QUIET, Note(1)).expect("b is in it");
    net.run(10);
    assert_eq!(lines(&dead), ["nobody there is in the group `net.quiet`"]);
}

// holds: net.watched-told
#[test]
fn who_watches_a_proxy_that_the_program_despawns_is_told_that_it_has_ended() {
    let (mut net, a, b) = two();
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let clerk = Clerk::default();
    let reach = Arc::clone(&clerk.reach);
    let clerk = net.manager(a).spawn((clerk,));
    let mut from = net.manager(a).speak_for(clerk).expect("it is alive");
    from.send(NET, Watch { proxy: gate }).expect("sent");
    net.run(10);
    net.manager(a).despawn(gate).expect("it is alive");
    net.run(1);
    assert_eq!(*reach.lock().expect("no panic"), [Reach::Ended]);
}

// holds: net.proxy-ends
#[test]
fn what_has_ended_during_a_cut_longer_than_the_window_is_forgotten_on_both_sides() {
    let short = |config: message_net::NodeConfig| {
        accept_all(config)
            .unreachable_after(Duration::from_millis(400))
            .resend_window(Duration::from_secs(1))
    };
    let mut net = Net::new();
    let (a, b) = (net.add("a", short), net.add("b", short));
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    let asker = net.manager(a).spawn((Ear::default(),));
    let mut from = net.manager(a).speak_for(asker).expect("it is alive");
    from.send(gate, Note(1)).expect("sent");
    net.run(10);
    net.network.cut(&[name("a")], &[name("b")]);
    net.run(2);
    net.manager(a).despawn(asker).expect("it is alive");
    net.manager(b).despawn(ear).expect("it is alive");
    net.run(60);
    net.network.heal();
    net.run(80);
    for at in [a, b] {
        assert_eq!(proxy::proxies(net.manager(at)).count(), 0);
        let peer = net.places[at].node().peers().next().expect("one");
        assert_eq!((peer.proxies, peer.known_there), (0, 0));
    }
}
