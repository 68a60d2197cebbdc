//! Messages from one messagee to another are received in the order sent, even if some of them have
//! to wait for the receiver and others would not have to.

use std::sync::{Arc, Mutex, PoisonError};

use crate::common::{Actor, Consider, Do, Glance, Note, Peek, Tested, Tour, Who, stage};
use message_core::Recipient::Me;
use message_core::prelude::*;

// holds: reentrancy.waits-behind-kept
#[test]
fn a_send_waits_behind_what_is_kept_for_its_receiver() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Consider::new(move |cx| {
        // The component runs with `&self`: the first cannot be delivered, the second could be.
        let first = cx.send(Me, Note("first"));
        let second = cx.send(Me, Peek("second"));
        for receipt in [first, second] {
            told.add(format!("{:?}", receipt.map(|receipt| receipt.pending)));
        }
    });
    manager.send(actor, script)?;
    let expected = ["Ok(1)", "Ok(1)", "actor: first", "actor: second"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.waits-behind-kept
#[test]
fn a_send_to_many_waits_only_where_something_is_kept() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let script = Consider::new(move |cx| {
        let kept = cx.send(actor, Note("first"));
        assert_eq!(kept.map(|receipt| receipt.pending), Ok(1));
        let sent = cx.send(Everyone, Peek("second"));
        let counted = sent.map(|receipt| (receipt.received, receipt.pending));
        assert_eq!(counted, Ok((1, 1)));
    });
    manager.send(actor, script)?;
    let expected = ["other: second", "actor: first", "actor: second"];
    assert_eq!(log.take(), expected);
    assert!(manager.is_alive(other));
    Ok(())
}

// holds: reentrancy.waits-behind-kept
#[test]
fn a_send_from_within_a_broadcast_keeps_those_behind_it_waiting() -> Tested {
    let (mut manager, log, first) = stage();
    let second = manager.spawn((Actor::new("second", &log),));
    // `second` runs with `&self` around everything else.
    let script = Consider::new(move |cx| {
        let inner = Consider::new(move |cx| {
            let kept = cx.send(second, Note("kept"));
            assert_eq!(kept.map(|receipt| receipt.pending), Ok(1));
        });
        assert_eq!(cx.send(first, inner).map(|it| it.received), Ok(1));
        let sent = cx.send(Everyone, Peek("behind"));
        let counted = sent.map(|receipt| (receipt.received, receipt.pending));
        assert_eq!(counted, Ok((1, 1)));
    });
    manager.send(second, script)?;
    let expected = ["actor: behind", "second: kept", "second: behind"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: reentrancy.request-ignores-kept
#[test]
fn a_request_looks_at_the_component_as_it_is() -> Tested {
    let (mut manager, log, actor) = stage();
    let script = Consider::new(move |cx| {
        let kept = cx.send(Me, Note("kept"));
        assert_eq!(kept.map(|receipt| receipt.pending), Ok(1));
        // With `&self`, as the handler that is running.
        assert_eq!(cx.request(Me, Glance), Ok("actor"));
        let busy = cx.request(Me, Who);
        assert!(
            matches!(
                busy.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{busy:?}"
        );
        let busy = cx.send_mut(Me, &mut Tour::default());
        assert!(
            matches!(
                busy.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{busy:?}"
        );
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: kept"]);
    Ok(())
}

// holds: reentrancy.leaving-skipped, reentrancy.leaving
#[test]
fn one_that_is_leaving_or_disabled_does_not_receive_what_would_wait() -> Tested {
    let (mut manager, log, actor) = stage();
    let hook = manager.hooks(actor).next().ok_or("it has one")?;
    let script = Consider::new(move |cx| {
        assert!(cx.send(Me, Note("kept")).is_ok());
        assert!(cx.unhook(hook).is_ok());
        let sent = cx.send(Me, Peek("late"));
        assert_eq!(sent.map(|it| (it.received, it.pending)), Ok((0, 0)));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), Vec::<String>::new());
    Ok(())
}

// holds: reentrancy.shared-nests
#[test]
fn when_nothing_is_kept_any_more_nothing_waits() -> Tested {
    let (mut manager, log, actor) = stage();
    let script = Do::new(|cx| {
        assert!(cx.send(Me, Note("kept")).is_ok());
    });
    manager.send(actor, script)?;
    let script = Consider::new(|cx| {
        let sent = cx.send(Me, Peek("at once"));
        assert_eq!(sent.map(|receipt| receipt.received), Ok(1));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: kept", "actor: at once"]);
    Ok(())
}

/// Numbered in the order sent, handled with `&mut self`.
#[derive(Message)]
struct Change(u64);

/// Like [`Change`], but handled with `&self`.
#[derive(Message)]
struct Look(u64);

/// The state shared by all components of a random world.
#[derive(Default)]
struct State {
    dice: u64,
    budget: u32,
    sent: u64,
    ids: Vec<MessageeId>,
    /// How many messages had to wait.
    waited: usize,
    /// The receiver, the sender and the number of each message, in the order received.
    received: Vec<(HookId, Sender, u64)>,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<State>>);

impl Shared {
    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl State {
    fn roll(&mut self, sides: u64) -> u64 {
        let next = self.dice.wrapping_mul(0x5851_f42d_4c95_7f2d);
        self.dice = next.wrapping_add(0x1405_7b7e_f767_814f);
        (self.dice >> 33) % sides
    }
}

struct Talker(Shared);

impl Talker {
    fn talk(&self, number: u64, cx: &mut Context<'_>) {
        let (hook, sender) = (cx.my_hook(), cx.sender());
        self.0
            .with(|state| state.received.push((hook, sender, number)));
        loop {
            let next = self.0.with(|state| {
                if state.budget == 0 || state.roll(3) == 0 {
                    return None;
                }
                state.budget -= 1;
                state.sent += 1;
                let at = usize::try_from(state.roll(state.ids.len() as u64)).ok()?;
                let to = match state.roll(4) {
                    0 => Me,
                    _ => state.ids[at].into(),
                };
                Some((to, state.sent, state.roll(2) == 0))
            });
            let Some((to, number, changes)) = next else {
                return;
            };
            let sent = if changes {
                cx.send(to, Change(number))
            } else {
                cx.send(to, Look(number))
            };
            let waits = sent.map_or(0, |receipt| usize::from(receipt.pending));
            self.0.with(|state| state.waited += waits);
        }
    }
}

#[handlers]
impl Talker {
    #[on_receive]
    fn change(&mut self, change: &Change, cx: &mut Context<'_>) {
        self.talk(change.0, cx);
    }

    #[on_receive]
    fn look(&self, look: &Look, cx: &mut Context<'_>) {
        self.talk(look.0, cx);
    }
}

// holds: reentrancy.waits-behind-kept, reentrancy.busy-kept
#[test]
fn between_a_sender_and_a_receiver_the_order_is_that_of_sending_whatever_happens() -> Tested {
    let mut waited = 0;
    for dice in 0..300 {
        let shared = Shared::default();
        shared.with(|state| state.dice = dice);
        let mut manager = MessageManager::new();
        for _ in 0..4 {
            let id = manager.spawn((Talker(shared.clone()),));
            shared.with(|state| state.ids.push(id));
        }
        for _ in 0..6 {
            let (to, number) = shared.with(|state| {
                state.budget = 30;
                state.sent += 1;
                (state.ids[0], state.sent)
            });
            manager.send(to, Look(number))?;
        }
        waited += shared.with(|state| state.waited);
        let received = shared.with(|state| std::mem::take(&mut state.received));
        let mut last = std::collections::HashMap::new();
        for (at, (hook, sender, number)) in received.iter().enumerate() {
            let before = last.insert((hook, sender), number);
            assert!(
                before.is_none_or(|before| before < number),
                "program {dice}: delivery {at} of {number} to {hook} from {sender} comes after \
                 {before:?}"
            );
        }
    }
    assert!(waited > 1_000, "{waited} messages waited");
    Ok(())
}
