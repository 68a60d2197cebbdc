//! A sender eventually learns that a message was refused, even if the notice of it was lost.

use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_net::link::{MemoryPath, MemorySettings};
use message_net::{MessagesLost, NodeConfig};

use crate::common::{
    Ear, Net, Note, Unaccepted, accept_all, dead_letters, heard, lines, name, note_all,
};

fn hasty(config: NodeConfig) -> NodeConfig {
    accept_all(config)
        .unreachable_after(Duration::from_millis(400))
        .resend_window(Duration::from_secs(1))
}

// holds: net.refusal-lost, net.waiting-dead-letter
#[test]
fn refusals_that_a_cut_has_lost_are_told_when_the_nodes_meet_again() {
    let mut net = Net::new();
    let (a, b) = (net.add("a", hasty), net.add("b", hasty));
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(10);
    let dead = dead_letters(net.manager(a));
    let lost = note_all(net.manager(a), |lost: &MessagesLost| {
        lost.messages.to_string()
    });
    // One is refused before the cut, and reported.
    net.manager(a).send(gate, Unaccepted(0)).expect("sent");
    net.run(4);
    assert_eq!(lines(&dead), ["node `b` does not accept `net.Unaccepted`"]);

    net.network.cut_one_way(&name("b"), &name("a"));
    for n in 1..4 {
        net.manager(a).send(gate, Unaccepted(n)).expect("sent");
    }
    net.manager(a).send(gate, Note(4)).expect("sent");
    net.run(60);
    assert_eq!(heard(net.manager(b), ear), [4]);
    net.network.heal();
    net.run(60);
    assert_eq!(lines(&lost), ["3"], "of these, nobody knows the reasons");
    assert_eq!(lines(&dead).len(), 1);
    let there = net.places[b].node().peers().next().expect("one").counts;
    let here = net.places[a].node().peers().next().expect("one").counts;
    assert_eq!(
        (there.refused_here, here.refused_there, here.lost),
        (4, 1, 3)
    );
    assert_eq!(here.sent, there.received + there.refused_here);

    // Reported once; later refusals are reported with their reasons.
    net.manager(a).send(gate, Unaccepted(5)).expect("sent");
    net.run(40);
    assert_eq!((lines(&dead).len(), lines(&lost).len()), (2, 1));
}

/// Sends notes while the receiver ends. `ends` ends it, after the first frames.
fn ends_while_sending(ends: fn(&mut Net, [usize; 2], [MessageeId; 2])) {
    let mut net = Net::new();
    let (a, b) = (net.add("a", accept_all), net.add("b", accept_all));
    net.network.set(MemorySettings {
        path: MemoryPath::new().delayed(3, 3),
        ..MemorySettings::new()
    });
    let ear = net.manager(b).spawn((Ear::default(),));
    net.places[b].export(ear, "gate");
    let gate = net.places[a].import("b/gate");
    net.run(20);
    let heard = note_all(net.manager(b), |note: &Note| note.0.to_string());
    let from = net.manager(a).spawn((Ear::default(),));
    let dead = note_all(net.manager(a), |letter: &DeadLetter| {
        let note = letter
            .message
            .as_ref()
            .and_then(|it| it.downcast_ref::<Note>());
        format!("{} {:?}", note.expect("a note").0, letter.envelope.sender)
    });
    let mut sent = 0;
    for frame in 0..30 {
        for _ in 0..10 {
            let Ok(mut from) = net.manager(a).speak_for(from) else {
                break;
            };
            if from.send(gate, Note(sent)).is_ok() {
                sent += 1;
            }
        }
        if frame == 9 {
            ends(&mut net, [a, b], [gate, ear]);
        }
        net.run(1);
    }
    net.run(40);
    let (heard, dead) = (lines(&heard), lines(&dead));
    assert!(
        sent >= 100 && !dead.is_empty(),
        "{sent} sent, {} dead",
        dead.len()
    );
    let of_from = format!("{:?}", Sender::Messagee(from));
    let mut fates: Vec<u32> = heard.iter().map(|n| n.parse().expect("a number")).collect();
    for letter in &dead {
        let (n, sender) = letter.split_once(' ').expect("both");
        assert_eq!(sender, of_from, "the dead letter is that of the sender");
        fates.push(n.parse().expect("a number"));
    }
    fates.sort_unstable();
    assert_eq!(fates, (0..sent).collect::<Vec<_>>(), "each has one fate");
}

// holds: net.waiting-dead-letter
#[test]
fn what_is_under_way_to_a_messagee_that_ends_there_is_a_dead_letter() {
    ends_while_sending(|net, [_, b], [_, ear]| net.manager(b).despawn(ear).expect("alive"));
}

// holds: net.waiting-dead-letter
#[test]
fn what_is_refused_after_the_program_has_ended_the_proxy_is_a_dead_letter() {
    ends_while_sending(|net, [a, b], [gate, ear]| {
        net.manager(b).despawn(ear).expect("alive");
        net.manager(a).despawn(gate).expect("alive");
    });
}

// holds: net.waiting-dead-letter
#[test]
fn what_is_refused_after_an_export_was_given_to_another_is_a_dead_letter() {
    ends_while_sending(|net, [_, b], [_, ear]| {
        net.places[b].node().end_export("gate");
        let other = net.manager(b).spawn(());
        net.places[b].export(other, "gate");
        net.manager(b).despawn(ear).expect("alive");
    });
}
