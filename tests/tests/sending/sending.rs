//! Sending: the path of a message, what its sender learns, and who the sender is.

use std::ops::ControlFlow;

use crate::common::{Actor, Do, Ear, Note, Tested, Tour, Who, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;

mnemonic!(WORLD);

/// Food for the first who is hungry.
#[derive(Message)]
struct Bread;

#[derive(Default)]
struct Eater {
    hungry: bool,
    seen: usize,
}

impl Eater {
    fn hungry() -> Self {
        Self {
            hungry: true,
            seen: 0,
        }
    }
}

#[handlers]
impl Eater {
    #[on_receive]
    fn eat(&mut self, _: &Bread) -> ControlFlow<()> {
        self.seen += 1;
        if self.hungry {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Records who sent it.
#[derive(Message)]
struct Letter;

#[derive(Default)]
struct Postbox {
    senders: Vec<Sender>,
    from_me: Vec<bool>,
    recipients: Vec<Recipient>,
    lines: Vec<u32>,
}

#[handlers]
impl Postbox {
    #[on_receive]
    fn letter(&mut self, _: &Letter, cx: &mut Context<'_>) {
        self.senders.push(cx.sender());
        self.from_me.push(cx.is_from_me());
        self.recipients.push(cx.recipient());
        self.lines.push(cx.place().line());
    }

    #[on_receive]
    fn hooked(&mut self, _: &message_core::lifecycle::Hooked, cx: &mut Context<'_>) {
        self.senders.push(cx.sender());
        self.from_me.push(cx.is_from_me());
    }
}

// Depth first, and the receipt.

// holds: send.depth-first
#[test]
fn a_send_is_immediate_and_depth_first() -> Tested {
    let (mut manager, log, a) = stage();
    let b = manager.spawn((Actor::new("b", &log),));
    let c = manager.spawn((Ear::new("c", &log),));
    let told = log.clone();
    manager.send(
        a,
        Do::new(move |cx| {
            let told_b = told.clone();
            told.add("a begins");
            let script = Do::new(move |cx| {
                told_b.add("b begins");
                cx.send(c, Note("from b")).expect("c is there");
                told_b.add("b ends");
            });
            cx.send(b, script).expect("b is there");
            cx.send(c, Note("from a")).expect("c is there");
            told.add("a ends");
        }),
    )?;
    let expected = [
        "a begins",
        "b begins",
        "c: from b",
        "b ends",
        "c: from a",
        "a ends",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: send.receipt
#[test]
fn a_receipt_tells_how_many_have_received_it() -> Tested {
    let (mut manager, log, _) = stage();
    let two = manager.spawn((Ear::new("left", &log), Ear::new("right", &log)));
    assert_eq!(manager.send(two, Note(""))?.received, 2);
    assert_eq!(manager.send(Everyone, Note(""))?.received, 3);
    let receipt = manager.send(two, Note(""))?;
    assert_eq!(
        (receipt.pending, receipt.failed, receipt.consumed),
        (0, 0, false)
    );
    Ok(())
}

// holds: send.receipt, reentrancy.busy-kept
#[test]
fn a_receipt_tells_how_many_will_receive_it_when_they_are_free() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Ear::new("ear", &log))?;
    let script = Do::new(move |cx| {
        let receipt = cx.send(actor, Note("later")).expect("it is kept");
        assert_eq!((receipt.received, receipt.pending), (1, 1));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: later", "actor: later"]);
    Ok(())
}

// holds: send.receipt, send.break-consumes
#[test]
fn a_receipt_tells_whether_the_message_was_consumed() -> Tested {
    let mut manager = MessageManager::new();
    let fed = manager.spawn((Eater::default(), Eater::default()));
    let hungry = manager.spawn((Eater::default(), Eater::hungry(), Eater::default()));
    let (fed, hungry) = (manager.send(fed, Bread)?, manager.send(hungry, Bread)?);
    assert_eq!((fed.received, fed.consumed), (2, false));
    assert_eq!((hungry.received, hungry.consumed), (2, true));
    Ok(())
}

// holds: send.nobody-is-no-error
#[test]
fn nobody_there_to_hear_it_is_no_error() -> Tested {
    let mut manager = MessageManager::new();
    assert_eq!(manager.send(Everyone, Note(""))?, Receipt::default());
    let empty = manager.spawn(());
    let deaf = manager.spawn((Eater::default(),));
    for id in [empty, deaf] {
        assert_eq!(manager.send(id, Note(""))?, Receipt::default());
        assert_eq!(manager.send(Up(id), Note(""))?, Receipt::default());
        assert_eq!(manager.send(Down(id), Note(""))?, Receipt::default());
        assert_eq!(
            manager.send_mut(id, &mut Tour::default())?,
            Receipt::default()
        );
        let receipt = manager.speak_for(id)?.send(Me, Note(""))?;
        assert_eq!(receipt, Receipt::default());
    }
    Ok(())
}

// In–out messages.

// holds: send.mut-in-out
#[test]
fn what_a_handler_writes_later_handlers_and_the_sender_of_send_mut_see() -> Tested {
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Ear::new("first", &log), Actor::new("second", &log)));
    let mut tour = Tour(vec!["sender"]);
    assert_eq!(manager.send_mut(id, &mut tour)?.received, 2);
    assert_eq!(tour.0, ["sender", "first", "second"]);
    Ok(())
}

#[test]
fn what_a_handler_writes_into_a_message_that_is_sent_later_handlers_see() -> Tested {
    #[derive(Default)]
    struct Witness(Vec<&'static str>);
    #[handlers]
    impl Witness {
        #[on_receive(priority = -9)]
        fn tour(&mut self, tour: &Tour) {
            self.0.clone_from(&tour.0);
        }
    }
    let (mut manager, log, _) = stage();
    let id = manager.spawn((Witness::default(), Ear::new("ear", &log)));
    manager.send(id, Tour::default())?;
    assert_eq!(manager.get::<Witness>(id)?.0, ["ear"]);
    Ok(())
}

// holds: send.mut-in-out
#[test]
fn a_handler_can_send_an_in_out_message_of_its_own() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let script = Do::new(move |cx| {
        let mut tour = Tour::default();
        cx.send_mut(ear, &mut tour).expect("it is free");
        assert_eq!(tour.0, ["ear"]);
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    Ok(())
}

// Consuming.

// holds: send.break-consumes
#[test]
fn a_consumed_message_reaches_no_further_receiver_whatever_its_recipient_was() -> Tested {
    let mut manager = MessageManager::new();
    let parent = manager.spawn((Eater::hungry(), Eater::hungry()));
    let child = manager.spawn((Eater::hungry(), Eater::hungry()));
    let speaker = manager.spawn(());
    manager.set_parent(child, Some(parent))?;
    manager.bind(WORLD, child)?;
    let recipients = [
        child.into(),
        Everyone,
        EveryoneElse,
        WORLD.into(),
        Up(child),
        Down(parent),
    ];
    for (sent, to) in recipients.into_iter().enumerate() {
        let receipt = manager.speak_for(speaker)?.send(to, Bread)?;
        assert_eq!((receipt.received, receipt.consumed), (1, true), "{to}");
        let seen: usize = manager.iter::<Eater>().map(|(_, it)| it.seen).sum();
        assert_eq!(seen, sent + 1, "{to}");
    }
    assert_eq!(manager.speak_for(child)?.send(Me, Bread)?.received, 1);
    Ok(())
}

// holds: send.break-consumes
#[test]
fn a_message_that_is_consumed_is_not_kept_for_the_busy_ones() -> Tested {
    struct Guard;
    #[handlers]
    impl Guard {
        #[on_receive]
        fn note(&self, _: &Note) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Guard)?;
    let script = Do::new(|cx| {
        let receipt = cx.send(Me, Note("eaten")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 0));
        assert!(receipt.consumed);
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    Ok(())
}

// The sender.

// holds: send.sender-stamped
#[test]
fn the_sender_is_stamped_by_the_manager() -> Tested {
    let (mut manager, _, actor) = stage();
    let postbox = manager.spawn((Postbox::default(),));
    manager.send(postbox, Letter)?;
    let script = Do::new(move |cx| {
        cx.send(postbox, Letter).expect("sent");
        cx.send_mut(postbox, &mut Letter).expect("sent");
    });
    manager.send(actor, script)?;
    manager.speak_for(postbox)?.send(postbox, Letter)?;
    let postbox_now = manager.get::<Postbox>(postbox)?;
    let expected = [
        Sender::Manager,
        Sender::Outside,
        Sender::Messagee(actor),
        Sender::Messagee(actor),
        Sender::Messagee(postbox),
    ];
    assert_eq!(postbox_now.senders, expected);
    assert_eq!(postbox_now.from_me, [false, false, false, false, true]);
    Ok(())
}

// holds: send.sender-stamped
#[test]
fn whoever_passes_a_message_on_is_its_sender() -> Tested {
    let (mut manager, log, actor) = stage();
    let middle = manager.spawn((Actor::new("middle", &log),));
    let postbox = manager.spawn((Postbox::default(),));
    let pass_on = Do::new(move |cx| {
        assert_eq!(cx.sender(), Sender::Messagee(actor));
        cx.send(postbox, Letter).expect("sent");
    });
    let script = Do::new(move |cx| {
        assert_eq!(cx.sender(), Sender::Outside);
        cx.send(middle, pass_on).expect("sent");
    });
    manager.send(actor, script)?;
    let expected = Sender::Messagee(middle);
    assert_eq!(manager.get::<Postbox>(postbox)?.senders[1], expected);
    Ok(())
}

// holds: send.sender-stamped
#[test]
fn a_receiver_that_is_its_own_sender_sees_that_it_is_from_me() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.hook(actor, Postbox::default())?;
    let script = Do::new(|cx| {
        cx.send(Me, Letter).expect("sent");
    });
    manager.send(actor, script)?;
    let postbox = manager.get::<Postbox>(actor)?;
    assert_eq!(postbox.senders, [Sender::Manager, Sender::Messagee(actor)]);
    assert_eq!(postbox.from_me, [false, true]);
    Ok(())
}

// holds: headers.envelope
#[test]
fn a_kept_message_keeps_its_sender_its_recipient_and_its_place() -> Tested {
    #[derive(Message)]
    struct Stamped;
    #[derive(Default)]
    struct Loop(Vec<(Sender, Recipient, u32)>);
    #[handlers]
    impl Loop {
        #[on_receive]
        fn begin(&mut self, _: &Letter, cx: &mut Context<'_>) {
            cx.send(EveryoneElse, Letter).expect("sent");
        }
        #[on_receive]
        fn stamped(&mut self, _: &Stamped, cx: &mut Context<'_>) {
            let stamp = (cx.sender(), cx.recipient(), cx.place().line());
            self.0.push(stamp);
        }
    }
    struct Back;
    const LINE: u32 = line!() + 5;
    #[handlers]
    impl Back {
        #[on_receive]
        fn begin(&mut self, _: &Letter, cx: &mut Context<'_>) {
            let receipt = cx.send(Everyone, Stamped).expect("sent");
            assert_eq!((receipt.received, receipt.pending), (0, 1));
        }
    }
    let mut manager = MessageManager::new();
    let it = manager.spawn((Loop::default(),));
    let back = manager.spawn((Back,));
    manager.send(it, Letter)?;
    let expected = (Sender::Messagee(back), Everyone, LINE);
    assert_eq!(manager.get::<Loop>(it)?.0, [expected]);
    Ok(())
}

// holds: headers.envelope
#[test]
fn a_receiver_sees_where_the_message_was_sent_to_and_from_which_place() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Postbox::default(),));
    let line = line!() + 1;
    manager.send(id, Letter)?;
    manager.send(Down(id), Letter)?;
    let postbox = manager.get::<Postbox>(id)?;
    assert_eq!(postbox.recipients, [Recipient::Id(id), Down(id)]);
    assert_eq!(postbox.lines, [line, line + 1]);
    Ok(())
}

// holds: send.nobody-to-reply-to
#[test]
fn a_reply_goes_to_the_sender_and_from_outside_there_is_none() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let script = || {
        Do::new(|cx| {
            let reply = cx.reply(Note("back"));
            let from_outside = cx.sender() == Sender::Outside;
            assert_eq!(
                matches!(
                    reply.map_err(SendError::into_kind),
                    Err(SendErrorKind::NobodyToReplyTo { .. })
                ),
                from_outside
            );
        })
    };
    manager.send(actor, script())?;
    assert!(log.take().is_empty());
    manager.speak_for(ear)?.send(actor, script())?;
    assert_eq!(log.take(), ["ear: back"]);
    Ok(())
}

// holds: send.me-from-outside
#[test]
fn me_and_everyone_else_from_outside_are_no_sender() {
    let (mut manager, log, _) = stage();
    for to in [Me, EveryoneElse] {
        let message = Note::NAME;
        let expected = Err(SendError::new(message, to, SendErrorKind::NoSender));
        assert_eq!(manager.send(to, Note("")), expected);
        let refused = manager.send_mut(to, &mut Tour::default());
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::NoSender)
        ));
        let refused = manager.request(to, Who);
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::NoSender)
        ));
        let refused = manager.request_all(to, Who);
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::NoSender)
        ));
    }
    assert!(log.take().is_empty());
}

// holds: messagees.as-messagee-alive
#[test]
fn a_messagee_can_only_be_spoken_for_while_it_is_alive() -> Tested {
    let mut manager = MessageManager::new();
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    let refused = manager.speak_for(gone).err();
    assert_eq!(
        refused,
        Some(MessageeError::Absent {
            id: gone,
            why: Absence::Gone
        })
    );
    Ok(())
}

// Types match exactly.

mod look_alike {
    use message_core::prelude::*;

    /// Looks like the other `Letter`.
    #[derive(Message)]
    pub(crate) struct Letter;
}

#[derive(Message)]
#[message(types(Wrapped<u8>, Wrapped<i8>))]
struct Wrapped<T>(T);

// holds: identity.exact-type
#[test]
fn a_type_is_matched_exactly() -> Tested {
    #[derive(Default)]
    struct Bytes(u8);
    #[handlers]
    impl Bytes {
        #[on_receive]
        fn byte(&mut self, byte: &Wrapped<u8>) {
            self.0 = byte.0;
        }
    }
    let mut manager = MessageManager::new();
    let id = manager.spawn((Postbox::default(), Bytes::default()));
    assert_eq!(manager.send(id, look_alike::Letter)?.received, 0);
    assert_eq!(manager.send(Everyone, look_alike::Letter)?.received, 0);
    assert_eq!(manager.send(id, Wrapped(1_i8))?.received, 0);
    assert_eq!(manager.send(id, Wrapped(2_u8))?.received, 1);
    assert_eq!(manager.get::<Bytes>(id)?.0, 2);
    assert_eq!(manager.get::<Postbox>(id)?.recipients, []);
    Ok(())
}
