//! The numbers of sends and deliveries, and their causes, for work at the end of the outermost
//! send, after a panic, and when the tracing begins or ends in between.

use crate::common::{Do, Ear, Note, Peek, Tested, panic_of};
use crate::pending::{ms, soon};
use crate::traces::{recorded, told};
use message_core::PanicPolicy;
use message_core::Recipient::Me;
use message_core::lifecycle::{
    DeadLetter, Despawning, HandlerFailed, HandlerPanicked, Hooked, Unhooking,
};
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

/// Handles every lifecycle message from the manager.
struct Witness;

#[handlers]
impl Witness {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {}
    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking) {}
    #[on_receive]
    fn despawning(&mut self, _: &Despawning) {}
    #[on_receive]
    fn failed(&mut self, _: &HandlerFailed) {}
    #[on_receive]
    fn panicked(&mut self, _: &HandlerPanicked) {}
    #[on_receive]
    fn letter(&mut self, _: &DeadLetter) {}
}

/// Fails.
#[derive(Message)]
struct Try;

struct Clumsy;

#[handlers]
impl Clumsy {
    #[on_receive]
    fn fail(&mut self, _: &Try) -> Result<(), &'static str> {
        Err("it slips")
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        panic!("{}", note.0);
    }
}

fn wood() -> (MessageManager, MessageeId) {
    let mut manager = MessageManager::new();
    let wood = manager.spawn((Wood,));
    Recorder::new(1_000).start(&mut manager);
    (manager, wood)
}

// The end of the outermost send.

// holds: seeing.cause-of-change
#[test]
fn what_the_manager_tells_of_a_change_is_caused_by_the_delivery_that_asked_for_it() -> Tested {
    let (mut manager, _, actor) = recorded();
    let witness = manager.spawn((Witness,));
    let script = Do::new(move |cx| {
        cx.hook(witness, Clumsy).expect("it is there");
        let send = Do::new(move |cx| cx.despawn(witness).expect("it is there"));
        cx.send(Me, send).expect("it is kept");
    });
    manager.send(actor, script)?;
    let told = told(&manager);
    let [first, second] = told.deliveries::<Do>()[..] else {
        panic!("two were delivered");
    };
    // The witness was spawned from outside.
    assert_eq!(told.causes::<Hooked>(), [None, Some(first)]);
    assert_eq!(told.cause::<Despawning>(), Some(second));
    assert_eq!(told.causes::<Unhooking>(), [Some(second); 2]);
    assert!(
        told.sends::<Hooked>()
            .iter()
            .all(|it| it.by == SentBy::Manager)
    );
    Ok(())
}

// holds: seeing.outside-no-cause
#[test]
fn a_change_from_outside_has_no_cause() -> Tested {
    let (mut manager, wood) = wood();
    let hook = manager.hook(wood, Witness)?;
    manager.unhook::<Witness>(hook)?;
    manager.hook(wood, Witness)?;
    manager.despawn(wood)?;
    let told = told(&manager);
    assert_eq!(told.causes::<Hooked>(), [None; 2]);
    assert_eq!(told.causes::<Unhooking>(), [None; 3]);
    assert_eq!(told.cause::<Despawning>(), None);
    Ok(())
}

// holds: seeing.cause-of-change
#[test]
fn that_a_handler_has_failed_is_caused_by_the_delivery_that_failed() -> Tested {
    let (mut manager, _) = wood();
    let clumsy = manager.spawn((Clumsy, Witness));
    manager.send(clumsy, Try)?;
    let told = told(&manager);
    assert_eq!(told.cause::<HandlerFailed>(), Some(told.delivery::<Try>()));
    Ok(())
}

// holds: seeing.cause-of-change
#[test]
fn that_a_handler_has_panicked_is_caused_by_the_delivery_that_panicked() -> Tested {
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config);
    let clumsy = manager.spawn((Clumsy, Witness));
    Recorder::new(100).start(&mut manager);
    manager.send(clumsy, Note("oops"))?;
    let told = told(&manager);
    let delivery = Some(told.delivery::<Note>());
    assert_eq!(told.cause::<Unhooking>(), delivery);
    assert_eq!(told.cause::<HandlerPanicked>(), delivery);
    Ok(())
}

// holds: seeing.cause-of-change
#[test]
fn a_dead_letter_is_caused_by_the_send_that_died() -> Tested {
    let (mut manager, wood) = wood();
    manager.spawn((Witness,));
    manager.post(&soon(wood), Spark)?;
    manager.despawn(wood)?;
    manager.tick(ms(10));
    let told = told(&manager);
    assert_eq!(
        told.cause::<DeadLetter>(),
        Some(told.send::<Spark>().number)
    );
    Ok(())
}

// holds: seeing.cause-of-change
#[test]
fn a_dead_letter_of_a_bound_message_is_caused_by_the_send_that_died() -> Tested {
    let (mut manager, wood) = wood();
    manager.spawn((Witness,));
    let header = Header::to(Everyone)
        .after(ms(10))
        .tied_to_sender()
        .build()?;
    manager.speak_for(wood)?.post(&header, Spark)?;
    manager.despawn(wood)?;
    let told = told(&manager);
    assert_eq!(
        told.cause::<DeadLetter>(),
        Some(told.send::<Spark>().number)
    );
    Ok(())
}

// After a panic that propagates.

// holds: seeing.causes-go-along, seeing.cause-of-change
#[test]
fn what_a_panic_has_left_keeps_its_cause() -> Tested {
    let (mut manager, log, actor) = recorded();
    let script = Do::new(move |cx| {
        cx.send(actor, Note("kept")).expect("it is kept");
        cx.spawn((Witness,));
        panic!("oops");
    });
    panic_of(|| manager.send(actor, script));
    manager.send(actor, Peek("next"))?;
    assert_eq!(log.take(), ["actor: kept", "actor: next"]);
    let told = told(&manager);
    let delivery = Some(told.delivery::<Do>());
    assert_eq!(told.cause::<Note>(), delivery);
    assert_eq!(told.cause::<Hooked>(), delivery);
    assert_eq!(told.cause::<Peek>(), None);
    Ok(())
}

// holds: seeing.outside-no-cause
#[test]
fn after_a_panic_while_changes_are_made_what_comes_from_outside_has_no_cause() -> Tested {
    struct Panics;
    #[handlers]
    impl Panics {
        #[on_receive]
        fn hooked(&mut self, _: &Hooked) {
            panic!("oops");
        }
    }
    let (mut manager, _, actor) = recorded();
    let script = Do::new(|cx| {
        cx.spawn((Panics,));
    });
    panic_of(|| manager.send(actor, script));
    manager.send(actor, Note("next"))?;
    assert_eq!(told(&manager).cause::<Note>(), None);
    Ok(())
}

// Tracing that is switched on or off in between.

// holds: seeing.posted-before
#[test]
fn what_was_posted_before_the_tracing_began_gets_its_number_when_it_is_delivered() -> Tested {
    let mut manager = MessageManager::new();
    let wood = manager.spawn((Wood,));
    manager.post(&soon(wood), Spark)?;
    Recorder::new(100).start(&mut manager);
    manager.tick(ms(10));
    let told = told(&manager);
    let send = told.send::<Spark>();
    assert_eq!((send.cause, send.by), (None, SentBy::Post));
    assert_eq!(told.calls::<Spark>()[0].1, Some(send.number));
    Ok(())
}

// holds: seeing.posted-before, seeing.repeats-one-send
#[test]
fn what_repeats_and_was_posted_before_the_tracing_began_is_one_send_in_it() -> Tested {
    let mut manager = MessageManager::new();
    let wood = manager.spawn((Wood,));
    let header = Header::to(wood).every(ms(10)).times(4).build()?;
    manager.post(&header, Spark)?;
    manager.tick(ms(10));
    Recorder::new(100).start(&mut manager);
    for _ in 0..4 {
        manager.tick(ms(10));
    }
    let told = told(&manager);
    let send = told.send::<Spark>().number;
    let sends = told.calls::<Spark>().into_iter().map(|(_, send)| send);
    assert!(sends.eq([Some(send); 3]));
    Ok(())
}

// holds: seeing.posted-before, seeing.numbers-go-on
#[test]
fn what_was_posted_before_the_tracing_ended_has_forgotten_its_number_when_it_begins_again() -> Tested
{
    let (mut manager, wood) = wood();
    manager.with_cause(None, |manager| manager.post(&soon(wood), Spark))?;
    let recorder = Recorder::stop(&mut manager).ok_or("it was recorded")?;
    assert_eq!(recorder.len(), 1);
    Recorder::new(100).start(&mut manager);
    manager.tick(ms(10));
    let told = told(&manager);
    assert_eq!(told.send::<Spark>().number.get(), 2);
    assert_eq!(told.causes::<Fire>(), [Some(told.delivery::<Spark>())]);
    Ok(())
}

// holds: seeing.posted-before
#[test]
fn the_death_of_what_was_posted_before_the_tracing_began_has_the_number_of_its_send() -> Tested {
    let mut manager = MessageManager::new();
    let (wood, _) = (manager.spawn((Wood,)), manager.spawn((Witness,)));
    manager.post(&soon(wood), Spark)?;
    manager.despawn(wood)?;
    Recorder::new(100).start(&mut manager);
    manager.tick(ms(10));
    let told = told(&manager);
    let send = told.send::<Spark>().number;
    let died = told
        .0
        .iter()
        .find(|event| message_trace::describe(event).contains("dead letter"));
    assert_eq!(died.and_then(|event| event.send), Some(send));
    assert_eq!(told.cause::<DeadLetter>(), Some(send));
    Ok(())
}

// holds: seeing.changes-nothing
#[test]
fn an_ear_hears_its_messages_in_order_whether_they_are_traced_or_not() -> Tested {
    let (mut manager, log, _) = recorded();
    let ear = manager.spawn((Ear::new("ear", &log),));
    manager.post(&soon(ear), Note("traced"))?;
    Recorder::stop(&mut manager);
    manager.post(&soon(ear), Note("untraced"))?;
    manager.tick(ms(10));
    assert_eq!(log.take(), ["ear: traced", "ear: untraced"]);
    Ok(())
}
