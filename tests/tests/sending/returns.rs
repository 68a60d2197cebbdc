//! Return values of handlers, and how they affect the message.

use std::fmt;
use std::ops::ControlFlow;

use message_core::Recipient::EveryoneElse;
use message_core::lifecycle::HandlerFailed;
use message_core::prelude::*;

type Tested = Result<(), Box<dyn std::error::Error>>;

mnemonic!(WORLD);

/// How a handler is to end.
#[derive(Clone, Copy, Default)]
enum End {
    #[default]
    Well,
    Otherwise,
    Badly,
}

#[derive(Debug)]
struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

impl std::error::Error for Broken {}

#[derive(Message)]
struct Nothing;
#[derive(Message)]
struct OrNothing;
#[derive(Message)]
struct Truth;
#[derive(Message)]
struct OrTruth;
#[derive(Message)]
struct Flow;
#[derive(Message)]
struct OrFlow;
#[derive(Message)]
#[message(reply = String)]
struct Answer;
#[derive(Message)]
#[message(reply = String)]
struct OrAnswer;
#[derive(Message)]
#[message(reply = String)]
struct Perhaps;
#[derive(Message)]
#[message(reply = String)]
struct OrPerhaps;

#[derive(Default)]
struct Actor {
    end: End,
    called: u32,
}

impl Actor {
    fn new(end: End) -> Self {
        Self { end, called: 0 }
    }

    fn end(&mut self) -> Result<bool, Broken> {
        self.called += 1;
        match self.end {
            End::Well => Ok(true),
            End::Otherwise => Ok(false),
            End::Badly => Err(Broken),
        }
    }

    fn flow(&mut self) -> Result<ControlFlow<()>, Broken> {
        Ok(if self.end()? {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    }

    fn answer(&mut self) -> Result<Option<String>, Broken> {
        Ok(self.end()?.then(|| String::from("yes")))
    }
}

#[handlers]
impl Actor {
    #[on_receive]
    fn nothing(&mut self, _: &Nothing) {
        self.called += 1;
    }

    #[on_receive]
    fn or_nothing(&mut self, _: &OrNothing) -> Result<(), Broken> {
        self.end().map(|_| ())
    }

    #[on_receive]
    fn truth(&mut self, _: &Truth) -> bool {
        self.end().unwrap_or_default()
    }

    #[on_receive]
    fn or_truth(&mut self, _: &OrTruth) -> Result<bool, Broken> {
        self.end()
    }

    #[on_receive]
    fn or_flow(&mut self, _: &OrFlow) -> Result<ControlFlow<()>, Broken> {
        self.flow()
    }

    #[on_receive]
    fn flow_only(&mut self, _: &Flow) -> ControlFlow<()> {
        self.flow().unwrap_or(ControlFlow::Continue(()))
    }

    #[on_receive]
    fn certainly(&mut self, _: &Answer) -> String {
        self.called += 1;
        String::from("certainly")
    }

    #[on_receive]
    fn or_certainly(&mut self, _: &OrAnswer) -> Result<String, Broken> {
        self.end().map(|_| String::from("certainly"))
    }

    #[on_receive]
    fn perhaps(&mut self, _: &Perhaps) -> Option<String> {
        self.answer().unwrap_or_default()
    }

    #[on_receive]
    fn or_perhaps(&mut self, _: &OrPerhaps) -> Result<Option<String>, Broken> {
        self.answer()
    }
}

/// Its handlers return types that have no name.
struct Nameless;

#[handlers]
impl Nameless {
    #[on_receive]
    fn or_nothing(
        &mut self,
        _: &OrNothing,
    ) -> Result<(), impl std::error::Error + Send + Sync + use<>> {
        Err(Broken)
    }
}

/// Received, failed, consumed, and how many of two actors were called.
type Became = (u32, u16, bool, u32);

/// Returns the outcome of a message to two actors, of which the first ends in this way.
fn became<M: Message>(end: End, message: M) -> Result<Became, Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::new(end), Actor::default()));
    let receipt = manager.send(id, message)?;
    assert_eq!(receipt.pending, 0);
    let called = manager.iter::<Actor>().map(|(_, actor)| actor.called).sum();
    Ok((receipt.received, receipt.failed, receipt.consumed, called))
}

// holds: send.receipt
#[test]
fn nothing_means_received() -> Tested {
    assert_eq!(became(End::Well, Nothing)?, (2, 0, false, 2));
    Ok(())
}

// holds: send.receipt
#[test]
fn a_truth_value_means_received_or_not() -> Tested {
    assert_eq!(became(End::Well, Truth)?, (2, 0, false, 2));
    assert_eq!(became(End::Otherwise, Truth)?, (1, 0, false, 2));
    Ok(())
}

// holds: send.break-consumes
#[test]
fn break_means_consumed_and_no_further_receiver_gets_it() -> Tested {
    assert_eq!(became(End::Well, Flow)?, (2, 0, false, 2));
    assert_eq!(became(End::Otherwise, Flow)?, (1, 0, true, 1));
    Ok(())
}

// holds: send.break-consumes
#[test]
fn break_stops_the_send_whatever_its_recipient_was() -> Tested {
    let mut manager = MessageManager::new();
    let old = manager.spawn((Actor::new(End::Otherwise),));
    let young = manager.spawn((Actor::new(End::Otherwise),));
    manager.set_parent(young, Some(old))?;
    manager.bind(WORLD, young)?;
    let recipients = [
        Recipient::Id(old),
        Everyone,
        WORLD.into(),
        Up(young),
        Down(old),
    ];
    for to in recipients {
        let receipt = manager.send(to, Flow)?;
        assert_eq!((receipt.received, receipt.consumed), (1, true), "{to}");
    }
    let receipt = manager.speak_for(old)?.send(EveryoneElse, Flow)?;
    assert_eq!((receipt.received, receipt.consumed), (1, true));
    let mut called = manager.iter::<Actor>().map(|(_, actor)| actor.called);
    assert_eq!(called.by_ref().sum::<u32>(), 6);
    Ok(())
}

// holds: send.request-first-answer
#[test]
fn a_reply_is_what_the_request_returns() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::default(),));
    assert_eq!(manager.request(id, Answer)?, "certainly");
    Ok(())
}

// holds: send.receipt
#[test]
fn a_reply_to_a_plain_send_counts_as_received() -> Tested {
    assert_eq!(became(End::Well, Answer)?, (2, 0, false, 2));
    assert_eq!(became(End::Well, Perhaps)?, (2, 0, false, 2));
    Ok(())
}

// holds: send.request-none
#[test]
fn none_means_that_it_did_not_answer() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::new(End::Otherwise),));
    let no_answer = SendError::new(Perhaps::NAME, id, SendErrorKind::NoAnswer { error: None });
    assert_eq!(manager.request(id, Perhaps), Err(no_answer));
    manager.hook(id, Actor::default())?;
    assert_eq!(manager.request(id, Perhaps)?, "yes");
    assert_eq!(became(End::Otherwise, Perhaps)?, (1, 0, false, 2));
    Ok(())
}

// holds: send.break-consumes
#[test]
fn a_result_of_any_of_these_means_what_its_ok_means() -> Tested {
    assert_eq!(became(End::Well, OrNothing)?, (2, 0, false, 2));
    assert_eq!(became(End::Well, OrTruth)?, (2, 0, false, 2));
    assert_eq!(became(End::Otherwise, OrTruth)?, (1, 0, false, 2));
    assert_eq!(became(End::Well, OrFlow)?, (2, 0, false, 2));
    assert_eq!(became(End::Otherwise, OrFlow)?, (1, 0, true, 1));
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::new(End::Otherwise), Actor::default()));
    assert_eq!(manager.request(id, OrAnswer)?, "certainly");
    assert_eq!(manager.request(id, OrPerhaps)?, "yes");
    assert_eq!(
        manager.request_all(id, OrPerhaps)?,
        [(id, String::from("yes"))]
    );
    Ok(())
}

// holds: send.handler-error
#[test]
fn an_error_counts_as_received_and_stops_nobody_else() -> Tested {
    assert_eq!(became(End::Badly, OrNothing)?, (2, 1, false, 2));
    assert_eq!(became(End::Badly, OrTruth)?, (2, 1, false, 2));
    assert_eq!(became(End::Badly, OrFlow)?, (2, 1, false, 2));
    assert_eq!(became(End::Badly, OrAnswer)?, (2, 1, false, 2));
    assert_eq!(became(End::Badly, OrPerhaps)?, (2, 1, false, 2));
    let mut manager = MessageManager::new();
    let id = manager.spawn((Actor::new(End::Badly), Actor::default()));
    assert_eq!(manager.request(id, OrAnswer)?, "certainly");
    Ok(())
}

#[derive(Default)]
struct Doctor {
    told: Vec<String>,
    hooks: Vec<HookId>,
}

#[handlers]
impl Doctor {
    #[on_receive]
    fn note(&mut self, failed: &HandlerFailed) {
        self.told.push(format!(
            "{} of {} on {}: {}",
            failed.handler, failed.component, failed.message, failed.error
        ));
        self.hooks.push(failed.hook);
    }
}

#[test]
fn a_type_without_a_name_is_returned_as_any_other() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Nameless,));
    let receipt = manager.send(id, OrNothing)?;
    assert_eq!((receipt.received, receipt.failed), (1, 1));
    Ok(())
}

// holds: send.handler-error
#[test]
fn an_error_is_reported_as_handler_failed_to_whoever_handles_that() -> Tested {
    let mut manager = MessageManager::new();
    let doctor = manager.spawn((Doctor::default(),));
    let patient = manager.spawn(());
    let hook = manager.hook(patient, Actor::new(End::Badly))?;
    manager.send(patient, OrTruth)?;
    let doctor = manager.get::<Doctor>(doctor)?;
    let actor = std::any::type_name::<Actor>();
    let message = OrTruth::NAME;
    assert_eq!(
        doctor.told,
        [format!("or_truth of {actor} on {message}: broken")]
    );
    assert_eq!(doctor.hooks, [hook]);
    Ok(())
}

#[derive(Message)]
struct PassOn {
    to: MessageeId,
}

struct Relay {
    passed: u32,
}

#[handlers]
impl Relay {
    #[on_receive]
    fn pass_on(&mut self, message: &PassOn, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.send(message.to, Nothing)?;
        self.passed += 1;
        Ok(())
    }
}

// holds: send.handler-error
#[test]
fn the_question_mark_is_usable_in_handlers() -> Tested {
    let mut manager = MessageManager::new();
    let relay = manager.spawn((Relay { passed: 0 },));
    let target = manager.spawn((Actor::default(),));
    assert_eq!(manager.send(relay, PassOn { to: target })?.failed, 0);
    assert_eq!(manager.get::<Relay>(relay)?.passed, 1);
    assert_eq!(manager.get::<Actor>(target)?.called, 1);
    manager.despawn(target)?;
    assert_eq!(manager.send(relay, PassOn { to: target })?.failed, 1);
    assert_eq!(manager.get::<Relay>(relay)?.passed, 1);
    Ok(())
}
