//! A sender eventually learns that a message was refused, even if the notice of it was lost.

use std::time::Duration;

use message_net::{MessagesLost, NetTrouble, NodeConfig};

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
    let trouble = note_all(net.manager(a), |trouble: &NetTrouble| {
        format!("{:?} {} {}", trouble.node, trouble.count, trouble.what)
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
    assert_eq!(lines(&lost), Vec::<String>::new(), "all has arrived");
    assert_eq!(lines(&dead).len(), 1);
    let expected = "Some(\"b\") 3 it has refused messages of this node, and what told which ones and why \
                    was lost";
    assert_eq!(lines(&trouble), [expected]);
    let there = net.places[b].node().peers().next().expect("one").counts;
    let here = net.places[a].node().peers().next().expect("one").counts;
    assert_eq!(
        (there.refused_here, here.refused_there, here.lost),
        (4, 4, 0)
    );
    assert_eq!(here.sent, there.received + there.refused_here);

    // Reported once; later refusals are reported with their reasons.
    net.manager(a).send(gate, Unaccepted(5)).expect("sent");
    net.run(40);
    assert_eq!((lines(&dead).len(), lines(&trouble).len()), (2, 1));
}
