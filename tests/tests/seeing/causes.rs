//! The numbers of sends and deliveries, and their causes, when everything is delivered at
//! once.

use std::error::Error;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{Do, Ear, Glance, Log, Note, Peek, Tested, Tour, Who, panic_of, slot, stage};
use crate::traces::{recorded, told};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::TraceId;
use message_core::prelude::*;
use message_core::trace::SentBy;
use message_trace::Recorder;

/// Notifies its sender, and everyone else.
#[derive(Message, Debug, Clone)]
struct Rumour;

#[derive(Message, Debug)]
struct Heard;

struct Neighbour;

#[handlers]
impl Neighbour {
    #[on_receive]
    fn rumour(&mut self, _: &Rumour, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(Me, Heard).map(drop)
    }
}

fn numbers(of: &[TraceId]) -> Vec<u64> {
    of.iter().map(|number| number.get()).collect()
}

// holds: seeing.numbers
#[test]
fn sends_and_deliveries_are_numbered_in_the_order_in_which_they_began() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log), Ear::new("other", &log)));
    Recorder::new(100).start(&mut manager);
    manager.send(
        actor,
        Do::new(move |cx| {
            cx.send(ear, Note("1")).expect("sent");
        }),
    )?;
    manager.send(ear, Peek("2"))?;
    let told = told(&manager);
    assert_eq!(told.send::<Do>().number.get(), 1);
    assert_eq!(numbers(&told.deliveries::<Do>()), [2]);
    assert_eq!(told.send::<Note>().number.get(), 3);
    assert_eq!(numbers(&told.deliveries::<Note>()), [4, 5]);
    assert_eq!(told.send::<Peek>().number.get(), 6);
    assert_eq!(numbers(&told.deliveries::<Peek>()), [7, 8]);
    Ok(())
}

// holds: seeing.outside-no-cause
#[test]
fn what_is_sent_from_outside_has_no_cause() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("from outside"))?;
    manager.speak_for(actor)?.send(actor, Peek("as it"))?;
    let told = told(&manager);
    assert_eq!(told.cause::<Note>(), None);
    assert_eq!(told.cause::<Peek>(), None);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn whatever_a_handler_sends_by_whatever_call_is_caused_by_its_delivery() -> Tested {
    let (mut manager, log, actor) = recorded();
    let ear = manager.spawn((Ear::new("ear", &log),));
    manager.send(
        actor,
        Do::new(move |cx| {
            cx.send(ear, Note("sent")).expect("it is there");
            cx.send_mut(ear, &mut Tour::default()).expect("it is free");
            cx.request(ear, Who).expect("it answers");
            let all = cx.request_all(Everyone, Glance);
            assert!(all.is_err(), "the actor itself is busy");
            let at_once = Header::to(ear).build().expect("it is plain");
            cx.post(&at_once, Peek("posted")).expect("it is there");
            cx.post(
                &at_once.with_recipient(EveryoneElse),
                Heard, // Nobody handles it in this file but as a message.
            )
            .expect("nobody has to hear it");
        }),
    )?;
    let told = told(&manager);
    let led = Some(told.delivery::<Do>());
    assert_eq!(told.cause::<Note>(), led);
    assert_eq!(told.cause::<Tour>(), led);
    assert_eq!(told.cause::<Who>(), led);
    assert_eq!(told.cause::<Glance>(), led);
    assert_eq!(told.cause::<Peek>(), led);
    assert_eq!(told.cause::<Heard>(), led);
    assert_eq!(told.send::<Note>().by, SentBy::Plain);
    assert_eq!(told.send::<Tour>().by, SentBy::SendMut);
    assert_eq!(told.send::<Who>().by, SentBy::Request);
    assert_eq!(told.send::<Glance>().by, SentBy::RequestAll);
    assert_eq!(told.send::<Peek>().by, SentBy::Post);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn the_place_of_a_send_is_the_line_of_the_call_that_sent_it() -> Tested {
    let (mut manager, log, actor) = recorded();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        cx.send(ear, Note("here")).expect("it is there");
        put(line!() - 1);
        cx.request(ear, Who).expect("it answers");
    });
    manager.send(actor, script)?;
    let outer = line!() - 1;
    let inner = get();
    let told = told(&manager);
    assert_eq!(told.send::<Do>().line, outer);
    assert_eq!(told.send::<Note>().line, inner);
    assert_eq!(told.send::<Who>().line, inner + 2);
    assert!(told.send::<Who>().file.ends_with("causes.rs"));
    Ok(())
}

// holds: seeing.numbers
#[test]
fn each_delivery_of_a_broadcast_has_a_number_of_its_own_and_leads_to_its_own_sends() -> Tested {
    let mut manager = MessageManager::new();
    let all = [(); 3].map(|()| manager.spawn((Neighbour,)));
    Recorder::new(100).start(&mut manager);
    assert_eq!(manager.send(Everyone, Rumour)?.received as usize, all.len());
    let told = told(&manager);
    let deliveries = told.deliveries::<Rumour>();
    assert_eq!(deliveries.len(), 3);
    let causes: Vec<_> = deliveries.iter().copied().map(Some).collect();
    assert_eq!(told.causes::<Heard>(), causes);
    let send = told.send::<Rumour>().number;
    let sends = told.calls::<Rumour>().into_iter().map(|(_, send)| send);
    assert!(sends.eq([Some(send); 3]));
    Ok(())
}

// holds: seeing.numbers
#[test]
fn when_a_nested_send_has_returned_the_cause_is_what_it_was() -> Tested {
    let (mut manager, log, actor) = recorded();
    let other = manager.spawn((crate::common::Actor::new("other", &log),));
    manager.send(
        actor,
        Do::new(move |cx| {
            let nested = Do::new(|cx| {
                cx.send(Everyone, Rumour).expect("nobody is there");
            });
            cx.send(other, nested).expect("it is there");
            cx.send(Everyone, Heard).expect("nobody is there");
        }),
    )?;
    let told = told(&manager);
    let [outer, inner] = told.deliveries::<Do>()[..] else {
        panic!("two were delivered");
    };
    assert_eq!(told.causes::<Do>(), [None, Some(outer)]);
    assert_eq!(told.cause::<Rumour>(), Some(inner));
    assert_eq!(told.cause::<Heard>(), Some(outer));
    Ok(())
}

// holds: seeing.numbers
#[test]
fn a_reply_is_caused_by_the_delivery_that_it_replies_to() -> Tested {
    let (mut manager, log, actor) = recorded();
    let asker = manager.spawn((Ear::new("asker", &log),));
    let script = Do::new(|cx| {
        cx.reply(Note("here")).expect("the sender is there");
    });
    manager.speak_for(asker)?.send(actor, script)?;
    assert_eq!(log.take(), ["asker: here"]);
    let told = told(&manager);
    assert_eq!(told.cause::<Note>(), Some(told.delivery::<Do>()));
    Ok(())
}

// holds: seeing.numbers
#[test]
fn what_subscribers_and_interceptors_send_is_caused_by_what_they_heard() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.subscribe(Filter::of::<Note>().before(), |_, cx| {
        cx.send(Everyone, Rumour).expect("nobody is there");
        ControlFlow::Continue(())
    });
    manager.subscribe(Filter::of::<Note>(), |_, cx| {
        cx.send(Everyone, Heard).expect("nobody is there");
    });
    manager.send(actor, Note("loud"))?;
    let told = told(&manager);
    let [intercepted, _, heard] = told.deliveries::<Note>()[..] else {
        panic!("three received it");
    };
    assert_eq!(told.cause::<Rumour>(), Some(intercepted));
    assert_eq!(told.cause::<Heard>(), Some(heard));
    Ok(())
}

// holds: seeing.numbers
#[test]
fn the_context_tells_the_number_of_the_delivery_and_the_envelope_that_of_the_send() -> Tested {
    let (mut manager, _, actor) = recorded();
    let (put, get) = slot();
    manager.send(
        actor,
        Do::new(move |cx| put((cx.envelope().trace, cx.trace_id()))),
    )?;
    let told = told(&manager);
    let expected = (Some(told.send::<Do>().number), Some(told.delivery::<Do>()));
    assert_eq!(get(), expected);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn without_tracing_nothing_has_a_number() -> Tested {
    let (mut manager, _, actor) = stage();
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let causeless = cx.with_cause(None, |cx| cx.trace_id());
        put((cx.envelope().trace, cx.trace_id(), causeless));
    });
    manager.send(actor, script)?;
    assert_eq!(get(), (None, None, None));
    assert!(Recorder::of(&manager).is_none());
    Ok(())
}

// `with_cause`.

// holds: seeing.cause-of-letter
#[test]
fn what_is_sent_by_with_cause_has_that_cause_and_what_comes_after_has_not() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("cause"))?;
    let cause = told(&manager).delivery::<Note>();
    manager.with_cause(cause, |manager| -> Result<(), SendError> {
        manager.send(actor, Peek("caused"))?;
        manager.with_cause(None, |manager| manager.send(actor, Rumour))?;
        manager.send(actor, Heard).map(drop)
    })?;
    manager.send(actor, Who)?;
    let told = told(&manager);
    assert_eq!(told.cause::<Peek>(), Some(cause));
    // No other cause is no change of the cause.
    assert_eq!(told.cause::<Rumour>(), Some(cause));
    assert_eq!(told.cause::<Heard>(), Some(cause));
    assert_eq!(told.cause::<Who>(), None);
    Ok(())
}

// holds: seeing.cause-of-letter
#[test]
fn in_a_handler_with_cause_stands_for_its_delivery_whose_number_stays() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("cause"))?;
    let cause = told(&manager).delivery::<Note>();
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let during = cx.with_cause(cause, |cx| {
            cx.send(Everyone, Rumour).expect("nobody is there");
            cx.trace_id()
        });
        cx.send(Everyone, Heard).expect("nobody is there");
        put(during);
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    let delivery = Some(told.delivery::<Do>());
    assert_eq!(told.cause::<Rumour>(), Some(cause));
    assert_eq!(told.cause::<Heard>(), delivery);
    assert_eq!(get(), delivery);
    Ok(())
}

// holds: seeing.cause-of-letter
#[test]
fn after_a_panic_by_with_cause_the_cause_is_what_it_was() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("cause"))?;
    let cause = told(&manager).delivery::<Note>();
    let oops = || Do::new(|_| panic!("oops"));
    panic_of(|| manager.with_cause(cause, |manager| manager.send(actor, oops())));
    manager.send(actor, Peek("after"))?;
    let script = Do::new(move |cx| {
        let caught = catch_unwind(AssertUnwindSafe(|| {
            cx.with_cause(cause, |_| panic!("oops"));
        }));
        assert!(caught.is_err());
        cx.send(Everyone, Rumour).expect("nobody is there");
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    assert_eq!(told.cause::<Peek>(), None);
    assert_eq!(told.cause::<Rumour>(), told.deliveries::<Do>().pop());
    Ok(())
}

// Panics, several managers, and when there is no recorder.

// holds: seeing.outside-no-cause
#[test]
fn after_a_panic_that_propagates_what_is_sent_from_outside_has_no_cause() -> Tested {
    let (mut manager, log, actor) = recorded();
    let other = manager.spawn((crate::common::Actor::new("other", &log),));
    let script = Do::new(move |cx| {
        cx.send(other, Do::new(|_| panic!("oops")))
            .expect("it panics");
    });
    panic_of(|| manager.send(actor, script));
    manager.send(actor, Note("after"))?;
    assert_eq!(told(&manager).cause::<Note>(), None);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn after_a_panic_that_was_caught_the_cause_is_the_delivery_that_caught_it() -> Tested {
    let (mut manager, log, actor) = recorded();
    let other = manager.spawn((crate::common::Actor::new("other", &log),));
    let script = Do::new(move |cx| {
        let oops = Do::new(|_| panic!("oops"));
        assert!(catch_unwind(AssertUnwindSafe(|| cx.send(other, oops))).is_err());
        cx.send(other, Note("after")).expect("it is free");
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    assert_eq!(told.cause::<Note>(), Some(told.deliveries::<Do>()[0]));
    Ok(())
}

// holds: seeing.numbers-go-on
#[test]
fn managers_number_apart_and_do_not_cause_what_happens_in_each_other() -> Tested {
    let (mut inner, inner_log, inner_actor) = recorded();
    let (mut outer, _, actor) = recorded();
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let delivery = cx.trace_id();
        inner
            .send(inner_actor, Note("within"))
            .expect("it is there");
        let second = Do::new(move |cx| {
            let numbers = (delivery, cx.trace_id());
            put(numbers);
        });
        inner.send(inner_actor, second).expect("it is there");
        assert_eq!(told(&inner).cause::<Note>(), None);
        cx.send(Everyone, Rumour).expect("nobody is there");
    });
    outer.send(actor, script)?;
    assert_eq!(inner_log.take(), ["actor: within"]);
    let (outer_delivery, inner_delivery) = get();
    assert_eq!(outer_delivery.map(TraceId::get), Some(2));
    assert_eq!(inner_delivery.map(TraceId::get), Some(4));
    let told = told(&outer);
    assert_eq!(told.cause::<Rumour>(), outer_delivery);
    Ok(())
}

// holds: seeing.numbers-go-on
#[test]
fn numbers_go_on_where_they_ended_when_the_tracing_is_switched_on_again() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("1, 2"))?;
    let first = Recorder::stop(&mut manager).ok_or("it was recorded")?;
    manager.send(actor, Note("without"))?;
    Recorder::new(100).start(&mut manager);
    manager.send(actor, Note("3, 4"))?;
    assert_eq!(first.len(), 4);
    assert_eq!(told(&manager).send::<Note>().number.get(), 3);
    assert_eq!(told(&manager).delivery::<Note>().get(), 4);
    Ok(())
}

#[test]
fn a_manager_takes_its_tracing_along_to_another_thread() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.send(actor, Note("here"))?;
    let moved = std::thread::spawn(move || {
        manager.send(actor, Note("there")).expect("it is there");
        manager
    });
    let manager = moved.join().map_err(|_| "it panicked")?;
    assert_eq!(told(&manager).sends::<Note>().len(), 2);
    Ok::<(), Box<dyn Error>>(())
}

// holds: seeing.changes-nothing
#[test]
fn a_log_of_its_own_shows_that_what_is_traced_is_delivered() -> Tested {
    let log = Log::default();
    let mut manager = MessageManager::new();
    let ear = manager.spawn((Ear::new("ear", &log),));
    Recorder::new(1).start(&mut manager);
    assert_eq!(manager.send(ear, Note("heard"))?.received, 1);
    assert_eq!(log.take(), ["ear: heard"]);
    Ok(())
}
