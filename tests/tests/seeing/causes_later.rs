//! The numbers of sends and deliveries, and their causes, when something is delivered later, from a
//! queue, a stage or a delay.

use std::ops::ControlFlow;

use crate::common::{Actor, Do, Note, Tested};
use crate::pending::ms;
use crate::traces::{recorded, told};
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::trace::SentBy;
use message_trace::Recorder;

/// Whatever a delayed message leads to.
#[derive(Message, Debug, Clone)]
struct Spark;

#[derive(Message, Debug, Clone)]
struct Fire;

struct Wood;

#[handlers]
impl Wood {
    #[on_receive]
    fn spark(&mut self, _: &Spark, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(Me, Fire).map(drop)
    }
}

fn wood() -> (MessageManager, MessageeId) {
    let mut manager = MessageManager::new();
    let wood = manager.spawn((Wood,));
    Recorder::new(1_000).start(&mut manager);
    (manager, wood)
}

// Busy queues.

// holds: seeing.causes-go-along
#[test]
fn a_kept_message_keeps_its_number_and_its_cause() -> Tested {
    let (mut manager, _, actor) = recorded();
    let script = Do::new(move |cx| {
        let later = Do::new(|cx| {
            cx.send(Everyone, Spark).expect("nobody is there");
        });
        cx.send(actor, later).expect("it is kept");
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    let [first, second] = told.calls::<Do>()[..] else {
        panic!("two were delivered");
    };
    let sends = told.sends::<Do>();
    assert_eq!(sends[1].cause, Some(first.0));
    assert_eq!(second.1, Some(sends[1].number));
    assert_eq!(told.cause::<Spark>(), Some(second.0));
    Ok(())
}

// holds: seeing.causes-go-along
#[test]
fn a_message_kept_for_several_has_one_number_and_a_delivery_for_each() -> Tested {
    let (mut manager, log, actor) = recorded();
    let other = manager.spawn((Actor::new("other", &log),));
    let script = Do::new(move |cx| {
        let nested = Do::new(|cx| {
            cx.send(Everyone, Note("all")).expect("it is kept");
        });
        cx.send(other, nested).expect("it is free");
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    let send = told.send::<Note>();
    assert_eq!(send.cause, Some(told.deliveries::<Do>()[1]));
    let sends = told.calls::<Note>().into_iter().map(|(_, send)| send);
    assert!(sends.eq([Some(send.number); 2]));
    Ok(())
}

// holds: seeing.causes-go-along
#[test]
fn what_waits_for_a_newborn_is_caused_by_its_sender() -> Tested {
    let (mut manager, _, actor) = recorded();
    let script = Do::new(|cx| {
        let newborn = cx.spawn((Wood,));
        cx.send(newborn, Spark).expect("it is kept");
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    let delivery = Some(told.delivery::<Do>());
    let spark = told.send::<Spark>();
    assert_eq!(spark.cause, delivery);
    assert_eq!(told.calls::<Spark>()[0].1, Some(spark.number));
    assert_eq!(told.cause::<Fire>(), Some(told.delivery::<Spark>()));
    Ok(())
}

// holds: seeing.causes-go-along
#[test]
fn what_waits_for_an_interceptor_keeps_its_number_and_its_cause() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == "first" {
            cx.send(actor, Note("second")).expect("it is kept");
        }
        ControlFlow::Continue(())
    });
    manager.send(actor, Note("first"))?;
    let told = told(&manager);
    let sends = told.sends::<Note>();
    assert_eq!(sends.len(), 2);
    let calls = told.calls::<Note>();
    let first_intercepted = calls[0];
    assert_eq!(first_intercepted.1, Some(sends[0].number));
    assert_eq!(sends[1].cause, Some(first_intercepted.0));
    let second = calls.iter().filter(|call| call.1 == Some(sends[1].number));
    assert_eq!(second.count(), 2);
    let words = told.words::<Note>().join("\n");
    assert!(words.contains("waits until interceptor"), "{words}");
    Ok(())
}

// Stages and delays.

// holds: seeing.causes-go-along
#[test]
fn a_posted_message_is_caused_by_who_posted_it_through_every_stage_and_delay() -> Tested {
    let headers = |to: MessageeId| {
        [
            Header::to(to).stage(Stage::FixedUpdate),
            Header::to(to).stage(Stage::Update),
            Header::to(to).stage(Stage::LateUpdate),
            Header::to(to).stage(Stage::EndOfFrame),
            Header::to(to).after(ms(30)),
            Header::to(to).after(ms(30)).unscaled(),
            Header::to(to).after_frames(2),
            Header::to(to).after(ms(10)).key("key"),
            Header::to(to)
                .after(ms(10))
                .tags(crate::pending::ALARM)
                .require(1),
        ]
    };
    for at in 0..9 {
        let (mut manager, _, actor) = recorded();
        let wood = manager.spawn((Wood,));
        let header = headers(wood)[at].build()?;
        let script = Do::new(move |cx| {
            cx.post(&header, Spark).expect("it is accepted");
        });
        manager.send(actor, script)?;
        for _ in 0..4 {
            manager.tick(ms(16));
        }
        let told = told(&manager);
        let send = told.send::<Spark>();
        assert_eq!(send.cause, Some(told.delivery::<Do>()));
        assert_eq!((send.by, send.stage), (SentBy::Post, header.stage()));
        assert_eq!(told.calls::<Spark>()[0].1, Some(send.number));
        assert_eq!(told.cause::<Fire>(), Some(told.delivery::<Spark>()));
    }
    Ok(())
}

// holds: seeing.repeats-one-send
#[test]
fn each_delivery_of_a_message_that_repeats_is_of_the_one_send() -> Tested {
    let (mut manager, wood) = wood();
    let header = Header::to(wood).every(ms(10)).times(3).build()?;
    manager.post(&header, Spark)?;
    for _ in 0..5 {
        manager.tick(ms(10));
    }
    let told = told(&manager);
    let number = told.send::<Spark>().number;
    let calls = told.calls::<Spark>();
    assert_eq!(calls.len(), 3);
    assert!(calls.iter().all(|call| call.1 == Some(number)));
    let deliveries: Vec<_> = calls.iter().map(|call| Some(call.0)).collect();
    assert_eq!(told.causes::<Fire>(), deliveries);
    Ok(())
}

// holds: seeing.numbers
#[test]
fn what_replaces_another_under_its_key_has_a_number_of_its_own() -> Tested {
    let (mut manager, wood) = wood();
    let header = Header::to(wood).after(ms(10)).key("key").build()?;
    manager.post(&header, Spark)?;
    manager.post(&header, Spark)?;
    manager.tick(ms(10));
    let told = told(&manager);
    let [first, second] = &told.sends::<Spark>()[..] else {
        panic!("two were posted");
    };
    assert_ne!(first.number, second.number);
    assert_eq!(told.calls::<Spark>()[0].1, Some(second.number));
    let replaced = told.words::<Spark>();
    assert_eq!(replaced[0], "#1 replaced by another under its key");
    Ok(())
}

// holds: seeing.causes-go-along
#[test]
fn a_subscriber_with_a_stage_of_its_own_receives_the_send_that_it_waited_with() -> Tested {
    let (mut manager, _, actor) = recorded();
    manager.subscribe(Filter::of::<Note>().stage(Stage::LateUpdate), |_, cx| {
        cx.send(Everyone, Spark).expect("nobody is there");
    });
    manager.send(actor, Note("now"))?;
    manager.tick(ms(10));
    let told = told(&manager);
    let send = told.send::<Note>().number;
    let calls = told.calls::<Note>();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[1].1, Some(send));
    assert_eq!(told.cause::<Spark>(), Some(calls[1].0));
    Ok(())
}

// holds: seeing.causes-go-along
#[test]
fn a_retained_message_reaches_later_subscribers_under_its_number() -> Tested {
    let (mut manager, wood) = wood();
    let header = Header::to(wood).retain().build()?;
    manager.post(&header, Spark)?;
    manager.subscribe(Filter::of::<Spark>().with_retained(), |_, cx| {
        cx.send(Everyone, Note("late")).expect("nobody is there");
    });
    let told = told(&manager);
    let calls = told.calls::<Spark>();
    assert_eq!(calls[1].1, Some(told.send::<Spark>().number));
    assert_eq!(told.cause::<Note>(), Some(calls[1].0));
    Ok(())
}
