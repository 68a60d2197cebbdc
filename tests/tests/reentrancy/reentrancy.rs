//! Re-entrancy: what a handler may send, and what happens to messages to components that are
//! already running.

use crate::common::{Actor, Consider, Do, Ear, Glance, Note, Peek, Tested, Tour, Who, stage};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;

/// Counts down by writing to itself, or to another.
#[derive(Message)]
struct Countdown {
    from: u32,
    other: Option<MessageeId>,
}

#[derive(Default)]
struct Counter {
    counted: Vec<u32>,
    deepest: usize,
    depth: usize,
}

#[handlers]
impl Counter {
    #[on_receive]
    fn count(&mut self, countdown: &Countdown, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.counted.push(countdown.from);
        if countdown.from > 0 {
            let to = countdown.other.unwrap_or(cx.me());
            let from = countdown.from - 1;
            let other = countdown.other.map(|_| cx.me());
            cx.send(to, Countdown { from, other })?;
        }
        self.depth -= 1;
        Ok(())
    }
}

// Recipients that a handler may send to.

// holds: reentrancy.send-to-anyone, reentrancy.busy-kept
#[test]
fn a_handler_may_send_to_itself_and_receives_it_when_it_is_done() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Counter::default(),));
    let countdown = Countdown {
        from: 200,
        other: None,
    };
    let receipt = manager.send(id, countdown)?;
    assert_eq!(
        (receipt.received, receipt.pending, receipt.failed),
        (1, 0, 0)
    );
    let counter = manager.get::<Counter>(id)?;
    assert!(counter.counted.iter().rev().copied().eq(0..=200));
    assert_eq!(counter.deepest, 1);
    Ok(())
}

// holds: reentrancy.busy-kept
#[test]
fn two_components_may_answer_each_other_without_end_in_sight_and_without_depth() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(4));
    let first = manager.spawn((Counter::default(),));
    let second = manager.spawn((Counter::default(),));
    let countdown = Countdown {
        from: 101,
        other: Some(second),
    };
    manager.send(first, countdown)?;
    let expected = (0..=101_u32).rev();
    let (odd, even): (Vec<u32>, Vec<u32>) = expected.partition(|number| number % 2 == 1);
    assert_eq!(manager.get::<Counter>(first)?.counted, odd);
    assert_eq!(manager.get::<Counter>(second)?.counted, even);
    Ok(())
}

// holds: reentrancy.send-to-anyone, reentrancy.busy-kept
#[test]
fn a_handler_may_send_to_everyone_itself_included() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.spawn((Actor::new("other", &log), Ear::new("ear", &log)));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let receipt = cx.send(Everyone, Note("all")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (2, 1));
        told.add("done");
    });
    manager.send(actor, script)?;
    let expected = ["other: all", "ear: all", "done", "actor: all"];
    assert_eq!(log.take(), expected);
    Ok(())
}

// Busy: a send is kept.

// holds: reentrancy.busy-kept
#[test]
fn a_busy_component_gets_what_was_sent_to_it_in_the_order_sent_once_it_is_free() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log), Ear::new("ear", &log)));
    let told = log.clone();
    let script = Do::new(move |cx| {
        cx.send(actor, Note("1")).expect("kept");
        let nested = Do::new(move |cx| {
            cx.send(actor, Note("2")).expect("kept");
        });
        cx.send(other, nested).expect("sent");
        cx.send(Me, Note("3")).expect("kept");
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["done", "actor: 1", "actor: 2", "actor: 3"]);
    Ok(())
}

// holds: reentrancy.busy-kept
#[test]
fn a_busy_component_gets_it_as_soon_as_it_is_free_and_not_later() -> Tested {
    let (mut manager, log, actor) = stage();
    let inner = manager.spawn((Actor::new("inner", &log),));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let nested = Do::new(move |cx| {
            cx.send(inner, Note("kept")).expect("kept");
        });
        cx.send(inner, nested).expect("sent");
        told.add("the outer one goes on");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["inner: kept", "the outer one goes on"]);
    Ok(())
}

// holds: reentrancy.busy-kept
#[test]
fn what_is_kept_is_delivered_before_the_next_receiver_of_the_send_under_way() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Actor::new("second", &log))?;
    let told = log.clone();
    let mut rounds = 0;
    manager.send(
        actor,
        Do::new(move |cx| {
            rounds += 1;
            told.add(format!("round {rounds}"));
            cx.send(Everyone, Note("kept")).expect("sent");
        }),
    )?;
    assert_eq!(log.take(), ["round 1", "second: kept", "actor: kept"]);
    Ok(())
}

// holds: reentrancy.waits-behind-kept
#[test]
fn an_earlier_broadcast_that_reaches_the_busy_one_later_still_comes_first() -> Tested {
    /// Hears the broadcast before the actor does, and writes to the actor at once.
    struct Herald(MessageeId);
    #[handlers]
    impl Herald {
        #[on_receive(priority = 1)]
        fn note(&self, note: &Note, cx: &mut Context<'_>) {
            if note.0 == "earlier" {
                cx.send(self.0, Note("later")).expect("kept");
            }
        }
    }
    let (mut manager, log, actor) = stage();
    manager.spawn((Herald(actor),));
    let script = Do::new(|cx| {
        let receipt = cx.send(Everyone, Note("earlier")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 1));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: earlier", "actor: later"]);
    Ok(())
}

// holds: reentrancy.busy-kept
#[test]
fn one_message_can_wait_for_several_components_each_gets_it_when_it_is_free() -> Tested {
    let (mut manager, log, outer) = stage();
    let middle = manager.spawn((Actor::new("middle", &log),));
    let inner = manager.spawn((Actor::new("inner", &log),));
    let told = log.clone();
    let innermost = Do::new(|cx| {
        let receipt = cx.send(Everyone, Note("all")).expect("kept");
        assert_eq!((receipt.received, receipt.pending), (0, 3));
    });
    let nested = Do::new(move |cx| {
        cx.send(inner, innermost).expect("sent");
        told.add("middle ends");
    });
    let script = Do::new(move |cx| {
        cx.send(middle, nested).expect("sent");
    });
    manager.send(outer, script)?;
    let expected = ["inner: all", "middle ends", "middle: all", "actor: all"];
    assert_eq!(log.take(), expected);
    Ok(())
}

#[test]
fn what_one_writes_into_a_kept_message_the_next_one_sees() -> Tested {
    #[derive(Default)]
    struct Guest(Vec<Vec<&'static str>>);
    #[handlers]
    impl Guest {
        #[on_receive]
        fn act(&mut self, _: &Note, cx: &mut Context<'_>) {
            if cx.sender() == Sender::Outside {
                cx.send(EveryoneElse, Note("")).expect("sent");
            } else {
                cx.send(Everyone, Tour::default()).expect("kept");
            }
        }
        #[on_receive]
        fn tour(&mut self, tour: &mut Tour) {
            self.0.push(tour.0.clone());
            tour.0.push("guest");
        }
    }
    let mut manager = MessageManager::new();
    let first = manager.spawn((Guest::default(),));
    let second = manager.spawn((Guest::default(),));
    manager.send(first, Note(""))?;
    assert_eq!(manager.get::<Guest>(second)?.0, [Vec::<&str>::new()]);
    assert_eq!(manager.get::<Guest>(first)?.0, [vec!["guest"]]);
    Ok(())
}

// holds: send.break-consumes
#[test]
fn a_kept_message_that_is_consumed_reaches_nobody_else_it_was_kept_for() -> Tested {
    #[derive(Default)]
    struct Glutton(usize);
    #[handlers]
    impl Glutton {
        #[on_receive]
        fn act(&mut self, _: &Note, cx: &mut Context<'_>) {
            if cx.sender() == Sender::Outside {
                cx.send(EveryoneElse, Note("")).expect("sent");
            } else {
                cx.send(Everyone, Peek("bread")).expect("kept");
            }
        }
        #[on_receive]
        fn eat(&mut self, _: &Peek) -> std::ops::ControlFlow<()> {
            self.0 += 1;
            std::ops::ControlFlow::Break(())
        }
    }
    let mut manager = MessageManager::new();
    let outer = manager.spawn((Glutton::default(),));
    let inner = manager.spawn((Glutton::default(),));
    manager.send(outer, Note(""))?;
    assert_eq!(manager.get::<Glutton>(inner)?.0, 1);
    assert_eq!(manager.get::<Glutton>(outer)?.0, 0);
    Ok(())
}

// holds: reentrancy.busy-kept
#[test]
fn only_the_running_component_is_busy_and_not_its_whole_messagee() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Actor::new("second", &log))?;
    manager.hook(actor, Ear::new("ear", &log))?;
    let told = log.clone();
    let script = Do::new(move |cx| {
        let receipt = cx.send(Me, Note("!")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (2, 1));
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["second: !", "ear: !", "done", "actor: !"]);
    Ok(())
}

// Busy: a request and an in–out message are refused.

// holds: reentrancy.busy-request
#[test]
fn a_request_or_in_out_message_to_a_busy_component_fails_with_busy() -> Tested {
    let (mut manager, _, actor) = stage();
    let script = Do::new(move |cx| {
        let refused = cx.request(actor, Who);
        assert!(
            matches!(
                refused.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{refused:?}"
        );
        let refused = cx.request_all(Me, Who);
        assert!(
            matches!(
                refused.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{refused:?}"
        );
        let refused = cx.send_mut(actor, &mut Tour::default());
        assert!(
            matches!(
                refused.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Busy { .. })
            ),
            "{refused:?}"
        );
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    assert_eq!(manager.request(actor, Who)?, "actor");
    Ok(())
}

// holds: reentrancy.busy-request
#[test]
fn busy_names_the_component_and_the_chain() -> Tested {
    let (mut manager, log, actor) = stage();
    let middle = manager.spawn((Actor::new("middle", &log),));
    let told = log.clone();
    let nested = Do::new(move |cx| {
        let refused = cx.request(actor, Who).expect_err("the actor is busy");
        let text = refused.to_string();
        let SendErrorKind::Busy { receiver, chain } = refused.kind() else {
            panic!("{refused}");
        };
        assert_eq!(refused.to(), Some(actor.into()));
        assert_eq!(receiver.messagee(), Some(actor));
        assert_eq!(refused.message(), Some(Who::NAME));
        let component = receiver.to_string();
        assert!(component.contains("Actor` of"), "{component}");
        let links: Vec<_> = chain
            .links()
            .iter()
            .filter_map(|link| link.receiver.messagee())
            .collect();
        assert_eq!(links, [actor, middle]);
        assert!(chain.links().iter().all(|link| link.message == Do::NAME));
        let place = chain.links()[0].place.to_string();
        assert!(place.contains("reentrancy.rs"), "{place}");
        assert!(text.contains("Actor") && text.contains(&place), "{text}");
        told.add("refused");
    });
    let script = Do::new(move |cx| {
        cx.send(middle, nested).expect("sent");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["refused"]);
    Ok(())
}

// holds: reentrancy.busy-request
#[test]
fn when_one_of_several_receivers_is_busy_nobody_has_received_it() -> Tested {
    refuse_for_one_of_several(false)?;
    refuse_for_one_of_several(true)
}

/// Holds that nobody receives a message that one of several components cannot receive, and somebody may hear.
fn refuse_for_one_of_several(is_heard: bool) -> Tested {
    let (mut manager, log, _) = stage();
    if is_heard {
        manager.subscribe(Filter::of::<Tour>(), |_, _| {});
        manager.subscribe(Filter::of::<Who>(), |_, _| {});
    }
    // The free ones come before and after the busy one in the order of delivery.
    let id = manager.spawn((Ear::new("before", &log),));
    manager.hook(id, Actor::new("busy", &log))?;
    manager.hook(id, Ear::new("behind", &log))?;
    let child = manager.spawn((Ear::new("child", &log),));
    let parent = manager.spawn((Ear::new("parent", &log),));
    manager.set_parent(child, Some(id))?;
    manager.set_parent(id, Some(parent))?;
    let script = Do::new(move |cx| {
        // The second time, it is known which components receive it.
        let id = Recipient::Id(id);
        for to in [id, id, Me, Everyone, Up(child), Down(parent)] {
            let mut tour = Tour::default();
            let refused = cx.send_mut(to, &mut tour);
            assert!(
                matches!(
                    refused.map_err(SendError::into_kind),
                    Err(SendErrorKind::Busy { .. })
                ),
                "{to}"
            );
            assert!(tour.0.is_empty(), "{to}: {:?}", tour.0);
            let refused = cx.request(to, Who);
            assert!(
                matches!(
                    refused.map_err(SendError::into_kind),
                    Err(SendErrorKind::Busy { .. })
                ),
                "{to}"
            );
            let refused = cx.request_all(to, Who);
            assert!(
                matches!(
                    refused.map_err(SendError::into_kind),
                    Err(SendErrorKind::Busy { .. })
                ),
                "{to}"
            );
        }
        let mut tour = Tour::default();
        cx.send_mut(EveryoneElse, &mut tour)
            .expect("the others are free");
        assert_eq!(tour.0, ["actor", "child", "parent"]);
    });
    assert_eq!(manager.send(id, script)?.received, 1);
    Ok(())
}

// holds: reentrancy.leaving-skipped, messagees.disabled
#[test]
fn a_busy_component_that_does_not_receive_does_not_stand_in_the_way() -> Tested {
    let (mut manager, log, actor) = stage();
    let disabled = manager.hook(actor, Ear::new("disabled", &log))?;
    manager.set_enabled(disabled, false)?;
    let ear = manager.hook(actor, Ear::new("ear", &log))?;
    assert!(manager.is_enabled(ear)?);
    let script = Do::new(move |cx| {
        let hook = cx.my_hook();
        cx.unhook(hook).expect("it is hooked");
        let mut tour = Tour::default();
        cx.send_mut(actor, &mut tour)
            .expect("the busy one is leaving");
        assert_eq!(tour.0, ["ear"]);
        cx.send_mut(Everyone, &mut tour)
            .expect("the busy one is leaving");
        assert_eq!(tour.0, ["ear", "ear"]);
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    Ok(())
}

// `&self` handlers.

// holds: reentrancy.shared-nests
#[test]
fn shared_handlers_of_one_component_may_nest() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Consider::new(move |cx| {
        assert_eq!(cx.request(actor, Glance), Ok("actor"));
        let receipt = cx.send(actor, Peek("nested")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 0));
        let again = Consider::new(move |cx| {
            cx.send(Me, Peek("deeper")).expect("sent");
        });
        cx.send(Me, again).expect("sent");
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["actor: nested", "actor: deeper", "done"]);
    Ok(())
}

// holds: reentrancy.busy-kept, reentrancy.busy-request
#[test]
fn an_exclusive_handler_waits_until_all_shared_ones_are_done() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Consider::new(move |cx| {
        let inner = told.clone();
        let nested = Consider::new(move |cx| {
            assert_eq!(cx.send(Me, Note("waits")).expect("kept").pending, 1);
            let refused = cx.request(Me, Who);
            assert!(matches!(
                refused.map_err(SendError::into_kind),
                Err(SendErrorKind::Busy { .. })
            ));
            inner.add("inner ends");
        });
        cx.send(Me, nested).expect("sent");
        told.add("outer ends");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["inner ends", "outer ends", "actor: waits"]);
    Ok(())
}

// holds: reentrancy.busy-kept, reentrancy.busy-request
#[test]
fn a_shared_handler_waits_for_an_exclusive_one() -> Tested {
    let (mut manager, log, actor) = stage();
    let told = log.clone();
    let script = Do::new(move |cx| {
        assert_eq!(cx.send(Me, Peek("waits")).expect("kept").pending, 1);
        let refused = cx.request(Me, Glance);
        assert!(matches!(
            refused.map_err(SendError::into_kind),
            Err(SendErrorKind::Busy { .. })
        ));
        told.add("done");
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["done", "actor: waits"]);
    Ok(())
}

// Reaching components directly.

#[test]
fn a_handler_reaches_other_components_but_not_one_that_is_running() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log), Ear::new("ear", &log)));
    let script = Do::new(move |cx| {
        assert_eq!(cx.get::<Actor>(other).expect("free").name, "other");
        cx.get_mut::<Ear>(other).expect("free").name = "renamed";
        let refused = cx.get::<Actor>(actor).err();
        assert!(matches!(refused, Some(MessageeError::Busy { .. })));
        let refused = cx.get_mut::<Actor>(actor).err();
        assert!(matches!(refused, Some(MessageeError::Busy { .. })));
        let names: Vec<_> = cx.iter::<Actor>().map(|(_, it)| it.name).collect();
        assert_eq!(names, ["other"]);
    });
    manager.send(actor, script)?;
    let script = Consider::new(move |cx| {
        assert_eq!(cx.get::<Actor>(actor).expect("shared").name, "actor");
        assert!(cx.get_mut::<Actor>(actor).is_err());
    });
    manager.send(actor, script)?;
    assert_eq!(manager.get::<Ear>(other)?.name, "renamed");
    Ok(())
}

#[test]
fn a_forgotten_guard_neither_hangs_nor_loses_later_messages_to_that_component() -> Tested {
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let ear = manager.spawn((Ear::new("ear", &log),));
    let script = Do::new(move |cx| {
        std::mem::forget(cx.get_mut::<Actor>(other));
        std::mem::forget(cx.get::<Ear>(ear));
        assert_eq!(cx.send(other, Note("1")).expect("kept").pending, 1);
        assert_eq!(cx.send(ear, Note("2")).expect("kept").pending, 1);
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["other: 1", "ear: 2"]);
    assert_eq!(manager.send(other, Note("3"))?.received, 1);
    assert_eq!(manager.send(ear, Note("4"))?.received, 1);
    assert_eq!(log.take(), ["other: 3", "ear: 4"]);
    assert_eq!(manager.request(other, Who)?, "other");
    Ok(())
}

#[test]
fn a_guard_forgotten_outside_neither_hangs_nor_loses_messages() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    std::mem::forget(manager.get::<Actor>(actor)?);
    std::mem::forget(manager.get::<Ear>(ear)?);
    manager.send(Everyone, Note("all"))?;
    assert_eq!(log.take(), ["actor: all", "ear: all"]);
    manager.get_mut::<Ear>(ear)?.name = "renamed";
    assert_eq!(manager.request_all(Everyone, Who)?.len(), 2);
    Ok(())
}

#[test]
fn a_guard_forgotten_while_it_leaves_does_not_misdirect_what_is_kept() -> Tested {
    /// Writes to a sibling whose guard it has forgotten, while another one is taken away.
    struct Careless(MessageeId);
    #[handlers]
    impl Careless {
        #[on_receive]
        fn unhooking(
            &mut self,
            _: &message_core::lifecycle::Unhooking,
            cx: &mut Context<'_>,
        ) -> Result<(), SendError> {
            std::mem::forget(cx.get_mut::<Actor>(self.0));
            cx.send(self.0, Note("to the last"))?;
            Ok(())
        }
    }
    let (mut manager, log, first) = stage();
    let last = manager.spawn((Actor::new("last", &log),));
    manager.hook(first, Careless(last))?;
    let hook = manager.hooks(first).next().expect("it has an actor");
    let actor = manager.unhook::<Actor>(hook)?;
    assert_eq!(actor.name, "actor");
    assert_eq!(log.take(), ["last: to the last"]);
    Ok(())
}
