//! Causes and refusals that a hostile node makes up.

use message_core::trace::Traced;
use message_data::{Data, message_to_bytes};

use super::{Note, say, world};
use crate::node::entry::{Entry, Say, Target};
use crate::node::origin::{Back, Cause};
use crate::pack::Packer;

// holds: net.no-false-refusal
#[test]
fn a_refusal_of_what_was_not_sent_is_no_dead_letter() {
    let mut world = world(|it| it);
    let proxy = world
        .node
        .import(&mut world.manager, "b/x")
        .expect("a name");
    let bytes = message_to_bytes(&Note(7), &mut Vec::new()).expect("it has data");
    let of = world.number(Note::TYPE);
    let mut say = Packer::default();
    let entry = Entry::Say(Say {
        to: Target::Export("x"),
        from: None,
        of,
        ids: Vec::new(),
        header: None,
        ask: None,
        message: &bytes,
    });
    entry.write(&mut say);
    let why = "I do not like it";
    world.take(&[Entry::Refused {
        say: &say.0,
        why,
        back: None,
    }]);
    assert!(world.dead.lock().expect("no panic").is_empty());
    assert_eq!(
        world.trouble(),
        ["it refuses a message that was not sent to it"]
    );
    // As many as were sent to it, with one entry each.
    world.node.peer(&world.b, &mut world.manager).counts.sent = 2;
    let two = [&say.0[..], &say.0[..]].concat();
    world.take(&[Entry::Refused {
        say: &two,
        why,
        back: None,
    }]);
    for _ in 0..3 {
        world.take(&[Entry::Refused {
            say: &say.0,
            why,
            back: None,
        }]);
    }
    assert_eq!(*world.dead.lock().expect("no panic"), [why, why]);
    assert!(world.manager.is_alive(proxy));
}

// holds: net.bounded, net.malformed
#[test]
fn what_is_kept_of_causes_is_bounded_and_one_that_is_made_up_harms_nobody() {
    let mut world = world(|it| it);
    message_trace::Recorder::new(100_000).start(&mut world.manager);
    let long = "l".repeat(10_000);
    let cause = |place, named| Cause {
        send: u64::MAX,
        place,
        named,
        context: None,
    };
    for place in (0..10_000).chain([u32::MAX]) {
        world.take(&[Entry::Cause(cause(Some(place), Some(&long)))]);
    }
    let kept = world.node.peers[&world.b].lines.kept();
    assert!(kept <= 256 * 256, "{kept} bytes");
    // The last cause precedes nothing in its batch.
    world.note(|_| {});
    for (place, named) in [(None, None), (Some(u32::MAX), None), (Some(3), None)] {
        let number = world.number(Note::TYPE);
        let say = say(number, &[7]);
        world.take(&[Entry::Cause(cause(place, named)), Entry::Say(say)]);
    }
    assert_eq!(world.heard(), 4);
    let recorder = message_trace::Recorder::stop(&mut world.manager).expect("it was started");
    let arrived = recorder.events().filter_map(|event| match &event.what {
        Traced::Arrived { of } => Some(of.place.len()),
        _ => None,
    });
    let unknown = "an unknown line".len();
    assert!(arrived.eq([unknown, unknown, 256]));
}

// holds: net.bounded, net.malformed
#[test]
fn what_is_kept_of_a_refusal_that_is_made_up_is_bounded() {
    let mut world = world(|it| it);
    world
        .node
        .import(&mut world.manager, "b/x")
        .expect("a name");
    message_trace::Recorder::new(100_000).start(&mut world.manager);
    world.node.peer(&world.b, &mut world.manager).counts.sent = 3;
    let mut say = Packer::default();
    let bytes = message_to_bytes(&Note(7), &mut Vec::new()).expect("it has data");
    let entry = Entry::Say(Say {
        to: Target::Export("x"),
        from: None,
        of: world.number(Note::TYPE),
        ids: Vec::new(),
        header: None,
        ask: None,
        message: &bytes,
    });
    entry.write(&mut say);
    let long = "l".repeat(10_000);
    for sent in [0, u64::MAX - 1, u64::MAX] {
        let back = Some(Back {
            sent,
            frame: u64::MAX,
            number: Some(0),
            line: Some(&long),
        });
        let (say, why) = (&say.0[..], "no");
        world.take(&[Entry::Refused { say, why, back }]);
    }
    assert_eq!(world.dead(), ["no"; 3]);
    let recorder = message_trace::Recorder::stop(&mut world.manager).expect("it was started");
    let mut lengths = Vec::new();
    for event in recorder.events() {
        if let Traced::CameBack { from } = &event.what {
            lengths.push(from.place.as_deref().map(str::len));
            let why = event.send.and_then(|it| recorder.explain(it));
            assert_eq!(why.expect("it was recorded").chain.len(), 1);
        }
    }
    // There is no send with the number 0.
    assert_eq!(lengths, [Some(256); 2]);
}
