//! Code as users write it: handlers, their parameters, their return values, and how failures are
//! reported.

use std::fmt;
use std::ops::ControlFlow;

use crate::common::{Actor, Do, Log, Note, Tested, stage};
use message_core::Bundle;
use message_core::Recipient::Me;
use message_core::lifecycle::{HandlerFailed, Hooked};
use message_core::prelude::*;

/// A message without a reply; each receiver returns what its test is about.
#[derive(Message, Debug)]
struct Order;

/// A message with a reply.
#[derive(Message)]
#[message(reply = u32)]
struct Ask;

#[derive(Debug, PartialEq)]
struct Refusal(&'static str);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Refusal {}

/// A component type with a single handler, which returns the contained value.
macro_rules! returning {
    ($name:ident, $returned:ty, $message:ty) => {
        struct $name($returned);

        #[handlers]
        impl $name {
            #[on_receive]
            fn receive(&self, _: &$message) -> $returned {
                self.0.clone()
            }
        }
    };
}

returning!(Silent, (), Order);
returning!(Choosing, bool, Order);
returning!(Consuming, ControlFlow<()>, Order);
returning!(Failing, Result<(), &'static str>, Order);
returning!(FailingToChoose, Result<bool, String>, Order);
returning!(
    FailingToConsume,
    Result<ControlFlow<()>, &'static str>,
    Order
);
returning!(Answering, u32, Ask);
returning!(Knowing, Option<u32>, Ask);
returning!(FailingToAnswer, Result<u32, &'static str>, Ask);
returning!(FailingToKnow, Result<Option<u32>, &'static str>, Ask);

fn receipt_of<B: Bundle>(bundle: B) -> Receipt {
    let mut manager = MessageManager::new();
    let id = manager.spawn(bundle);
    manager.send(id, Order).expect("it is there")
}

/// Returns the counts of a receipt: received, failed, consumed.
fn counts(receipt: Receipt) -> (u32, u16, bool) {
    (receipt.received, receipt.failed, receipt.consumed)
}

fn answer_of<B: Bundle>(bundle: B) -> Option<u32> {
    let mut manager = MessageManager::new();
    let id = manager.spawn(bundle);
    manager.request(id, Ask).ok()
}

/// Logs every failure that is reported.
struct Clerk(Log);

#[handlers]
impl Clerk {
    #[on_receive]
    fn failed(&mut self, failed: &HandlerFailed) {
        self.0.add(failed.error.to_string());
    }
}

// Handlers are ordinary methods.

#[derive(Default)]
struct Health {
    hp: u32,
}

#[derive(Message)]
struct Damage {
    amount: u32,
}

#[handlers]
impl Health {
    const FULL: u32 = 10;

    #[on_receive]
    fn take_damage(&mut self, damage: &Damage) -> bool {
        self.hp = self.hp.saturating_sub(damage.amount);
        self.is_alive()
    }

    fn is_alive(&self) -> bool {
        self.hp > 0
    }

    fn order(&mut self, _: &Order) {
        self.hp = Self::FULL;
    }
}

#[handlers]
impl Health {
    #[on_receive]
    fn hp(&self, _: &Ask) -> u32 {
        self.hp
    }
}

mod elsewhere {
    use super::{Health, Note};
    use message_core::prelude::*;

    #[handlers]
    impl Health {
        #[on_receive]
        fn note(&mut self, note: &mut Note) {
            self.hp += u32::try_from(note.0.len()).expect("a short note");
            note.0 = "read";
        }
    }
}

#[test]
fn a_handler_stays_callable_directly() {
    let mut health = Health { hp: 5 };
    assert!(health.take_damage(&Damage { amount: 3 }));
    assert!(!health.take_damage(&Damage { amount: 3 }));
    assert_eq!(health.hp(&Ask), 0);
}

#[test]
fn an_unmarked_method_is_left_alone_and_receives_nothing() -> Tested {
    let mut health = Health::default();
    health.order(&Order);
    assert_eq!(health.hp, Health::FULL);
    let mut manager = MessageManager::new();
    let id = manager.spawn((Health { hp: 1 },));
    assert_eq!(manager.send(id, Order)?.received, 0);
    assert_eq!(manager.request(id, Ask)?, 1);
    Ok(())
}

#[test]
fn a_type_may_have_several_handler_blocks_in_any_module() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Health { hp: 10 },));
    manager.send(id, Damage { amount: 3 })?;
    assert_eq!(manager.request(id, Ask)?, 7);
    let mut note = Note("four");
    manager.send_mut(id, &mut note)?;
    assert_eq!(manager.request(id, Ask)?, 11);
    assert_eq!(note.0, "read");
    Ok(())
}

// holds: identity.linked-entries
#[test]
fn nothing_is_registered_by_hand() {
    let handled = message_core::registry().handled_by::<Health>();
    let mut methods: Vec<&str> = handled.map(|handler| handler.method).collect();
    methods.sort_unstable();
    assert_eq!(methods, ["hp", "note", "take_damage"]);
}

#[test]
fn a_component_without_handlers_receives_nothing_and_is_reached_directly() -> Tested {
    struct Hat(u32);
    let mut manager = MessageManager::new();
    let id = manager.spawn((Hat(1), Silent(())));
    assert_eq!(manager.send(id, Order)?.received, 1);
    manager.get_mut::<Hat>(id)?.0 += 1;
    assert_eq!(manager.get::<Hat>(id)?.0, 2);
    Ok(())
}

#[test]
fn a_handler_without_a_context_is_called_in_the_middle_of_a_chain_too() -> Tested {
    let (mut manager, _, actor) = stage();
    let id = manager.spawn((Health { hp: 10 },));
    let script = Do::new(move |cx| {
        cx.send(id, Damage { amount: 1 }).expect("sent");
        assert_eq!(cx.request(id, Ask), Ok(9));
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    Ok(())
}

// Return values of handlers.

// holds: send.receipt
#[test]
fn nothing_returned_is_received() {
    assert_eq!(counts(receipt_of((Silent(()),))), (1, 0, false));
}

// holds: send.receipt
#[test]
fn a_bool_tells_whether_it_was_received() {
    assert_eq!(counts(receipt_of((Choosing(true),))), (1, 0, false));
    assert_eq!(counts(receipt_of((Choosing(false),))), (0, 0, false));
    let some = (Choosing(false), Choosing(true), Choosing(true));
    assert_eq!(counts(receipt_of(some)), (2, 0, false));
}

// holds: send.break-consumes
#[test]
fn break_is_consumed_and_continue_is_received() {
    let proceed = (Consuming(ControlFlow::Continue(())), Silent(()));
    assert_eq!(counts(receipt_of(proceed)), (2, 0, false));
    let stop = (Consuming(ControlFlow::Break(())), Silent(()));
    assert_eq!(counts(receipt_of(stop)), (1, 0, true));
}

// holds: send.request-first-answer
#[test]
fn a_reply_is_the_answer() {
    assert_eq!(answer_of((Answering(3), Answering(4))), Some(3));
}

// holds: send.request-none
#[test]
fn none_did_not_answer_and_has_not_received() -> Tested {
    assert_eq!(answer_of((Knowing(None),)), None);
    assert_eq!(answer_of((Knowing(None), Knowing(Some(4)))), Some(4));
    let mut manager = MessageManager::new();
    let id = manager.spawn((Knowing(None), Knowing(Some(1)), Answering(2)));
    assert_eq!(manager.send(id, Ask)?.received, 2);
    Ok(())
}

// holds: send.break-consumes, send.request-none
#[test]
fn a_result_that_is_ok_counts_as_what_is_in_it() {
    assert_eq!(counts(receipt_of((Failing(Ok(())),))), (1, 0, false));
    assert_eq!(
        counts(receipt_of((FailingToChoose(Ok(true)),))),
        (1, 0, false)
    );
    assert_eq!(
        counts(receipt_of((FailingToChoose(Ok(false)),))),
        (0, 0, false)
    );
    let stop = FailingToConsume(Ok(ControlFlow::Break(())));
    assert_eq!(counts(receipt_of((stop, Silent(())))), (1, 0, true));
    assert_eq!(answer_of((FailingToAnswer(Ok(5)),)), Some(5));
    assert_eq!(answer_of((FailingToKnow(Ok(None)), Answering(6))), Some(6));
    assert_eq!(answer_of((FailingToKnow(Ok(Some(7))),)), Some(7));
}

// holds: send.handler-error
#[test]
fn an_error_counts_as_received_and_stops_nobody_else() {
    let all = (
        Failing(Err("one")),
        FailingToChoose(Err("two".to_owned())),
        FailingToConsume(Err("three")),
        Silent(()),
    );
    assert_eq!(counts(receipt_of(all)), (4, 3, false));
}

// holds: send.handler-error
#[test]
fn an_error_is_no_answer_and_the_next_one_is_asked() {
    assert_eq!(
        answer_of((FailingToAnswer(Err("no")), Answering(8))),
        Some(8)
    );
    assert_eq!(answer_of((FailingToKnow(Err("no")),)), None);
}

#[test]
fn a_reply_type_may_itself_be_a_result_an_option_a_bool_or_nothing() -> Tested {
    #[derive(Message)]
    #[message(reply = Result<u32, Refusal>)]
    struct Try;
    #[derive(Message)]
    #[message(reply = Option<u32>)]
    struct Find;
    #[derive(Message)]
    #[message(reply = bool)]
    struct Check;
    #[derive(Message)]
    #[message(reply = ())]
    struct Confirm;
    struct Clerk;
    #[handlers]
    impl Clerk {
        #[on_receive]
        fn attempt(&self, _: &Try) -> Result<u32, Refusal> {
            Err(Refusal("no"))
        }
        #[on_receive]
        fn find(&self, _: &Find) -> Option<u32> {
            None
        }
        #[on_receive]
        fn check(&self, _: &Check) -> bool {
            false
        }
        #[on_receive]
        fn confirm(&self, _: &Confirm) {}
    }
    let mut manager = MessageManager::new();
    let id = manager.spawn((Clerk,));
    assert_eq!(manager.request(id, Try)?, Err(Refusal("no")));
    assert_eq!(manager.request(id, Find)?, None);
    assert!(!manager.request(id, Check)?);
    manager.request(id, Confirm)?;
    assert_eq!(manager.send(id, Try)?.failed, 0);
    Ok(())
}

// How failures are reported.

// holds: send.handler-error
#[test]
fn an_error_is_reported_as_handler_failed_with_all_there_is_to_know() -> Tested {
    type Seen = (MessageeId, HookId, [String; 4], Sender);
    #[derive(Default)]
    struct Reporter(Vec<Seen>);
    #[handlers]
    impl Reporter {
        #[on_receive]
        fn failed(&mut self, failed: &HandlerFailed, cx: &mut Context<'_>) {
            let texts = [
                failed.component.to_owned(),
                failed.handler.to_owned(),
                failed.message.to_owned(),
                failed.error.to_string(),
            ];
            self.0
                .push((failed.messagee, failed.hook, texts, cx.sender()));
        }
    }
    let mut manager = MessageManager::new();
    let reporter = manager.spawn((Reporter::default(),));
    let id = manager.spawn((Silent(()), Failing(Err("broken"))));
    let hook = manager.hooks(id).nth(1).expect("it has two");
    manager.send(id, Order)?;
    let texts = [
        "sending::receiving::Failing",
        "receive",
        Order::NAME,
        "broken",
    ];
    let expected = (id, hook, texts.map(str::to_owned), Sender::Manager);
    assert_eq!(manager.get::<Reporter>(reporter)?.0, [expected]);
    Ok(())
}

// holds: send.handler-error
#[test]
fn failures_are_told_to_everyone_after_the_outermost_send_in_the_order_in_which_they_came() -> Tested
{
    let (mut manager, log, actor) = stage();
    let id = manager.spawn((Failing(Err("first")), FailingToChoose(Err("second".into()))));
    manager.spawn((Clerk(log.clone()),));
    manager.spawn((Clerk(log.clone()),));
    let told = log.clone();
    let script = Do::new(move |cx| {
        assert_eq!(cx.send(id, Order).expect("sent").failed, 2);
        cx.send(Me, Note("kept")).expect("kept");
        told.add("the sender goes on");
    });
    manager.send(actor, script)?;
    let expected = [
        "the sender goes on",
        "actor: kept",
        "first",
        "first",
        "second",
        "second",
    ];
    assert_eq!(log.take(), expected);
    Ok(())
}

// holds: send.failure-while-telling
#[test]
fn a_failure_to_handle_a_failure_is_not_told_again() -> Tested {
    struct Clumsy(usize);
    #[handlers]
    impl Clumsy {
        #[on_receive]
        fn failed(&mut self, _: &HandlerFailed) -> Result<(), &'static str> {
            self.0 += 1;
            Err("again")
        }
    }
    let (mut manager, log, _) = stage();
    let clumsy = manager.spawn((Clumsy(0), Clerk(log.clone())));
    let id = manager.spawn((Failing(Err("once")),));
    manager.send(id, Order)?;
    assert_eq!(log.take(), ["once"]);
    assert_eq!(manager.get::<Clumsy>(clumsy)?.0, 1);
    Ok(())
}

// holds: send.handler-error
#[test]
fn a_failure_of_a_handler_of_a_lifecycle_message_or_of_a_kept_one_is_told_too() -> Tested {
    struct Sulking;
    #[handlers]
    impl Sulking {
        #[on_receive]
        fn hooked(&self, _: &Hooked) -> Result<(), &'static str> {
            Err("hooked")
        }
        #[on_receive]
        fn order(&self, _: &Order, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(Me, Damage { amount: 1 })?;
            Ok(())
        }
        #[on_receive]
        fn damage(&mut self, _: &Damage) -> Result<(), &'static str> {
            Err("kept")
        }
    }
    let (mut manager, log, _) = stage();
    manager.spawn((Clerk(log.clone()),));
    let id = manager.spawn((Sulking,));
    assert_eq!(log.take(), ["hooked"]);
    manager.send(id, Order)?;
    assert_eq!(log.take(), ["kept"]);
    Ok(())
}

// holds: send.handler-error
#[test]
fn the_question_mark_is_usable_in_a_handler() -> Tested {
    struct Messenger(MessageeId);
    #[handlers]
    impl Messenger {
        #[on_receive]
        fn order(&self, _: &Order, cx: &mut Context<'_>) -> Result<(), SendError> {
            cx.send(self.0, Order)?;
            Ok(())
        }
        #[on_receive]
        fn damage(
            &self,
            _: &Damage,
            cx: &mut Context<'_>,
        ) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
            let health = cx.get::<Health>(self.0)?.hp;
            let asked = cx.request(self.0, Ask)?;
            Ok(health == asked)
        }
    }
    let (mut manager, log, _) = stage();
    manager.spawn((Clerk(log.clone()),));
    let gone = manager.spawn((Health::default(),));
    let id = manager.spawn((Messenger(gone),));
    assert_eq!(
        counts(manager.send(id, Damage { amount: 0 })?),
        (1, 0, false)
    );
    manager.despawn(gone)?;
    assert_eq!(counts(manager.send(id, Order)?), (1, 1, false));
    assert_eq!(
        counts(manager.send(id, Damage { amount: 0 })?),
        (1, 1, false)
    );
    let told = log.take();
    let message = Order::NAME;
    let expected = SendError::new(message, gone, SendErrorKind::Absent(Absence::Gone));
    assert_eq!(told[0], expected.to_string());
    assert_eq!(
        told[1],
        MessageeError::Absent {
            id: gone,
            why: Absence::Gone
        }
        .to_string()
    );
    Ok(())
}

// holds: failures.receipt-outside
#[test]
fn a_failure_that_nobody_hears_is_counted_in_the_receipt() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Failing(Err("unheard")),));
    assert_eq!(manager.send(id, Order)?.failed, 1);
    Ok(())
}

// holds: messagees.disabled
#[test]
fn a_disabled_component_receives_nothing_until_it_is_enabled_again() -> Tested {
    let (mut manager, log, actor) = stage();
    let hook = manager.hook(actor, Actor::new("second", &log))?;
    manager.set_enabled(hook, false)?;
    for to in [actor.into(), Everyone, Up(actor), Down(actor)] {
        assert_eq!(manager.send(to, Note("!"))?.received, 1);
    }
    assert_eq!(log.take(), ["actor: !"; 4]);
    manager.set_enabled(hook, true)?;
    assert_eq!(manager.send(actor, Note("!"))?.received, 2);
    assert_eq!(log.take(), ["actor: !", "second: !"]);
    Ok(())
}
