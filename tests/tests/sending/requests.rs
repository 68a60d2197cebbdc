//! Requests: whose answer counts, and the outcome when nobody answers.

use crate::common::{Ear, Tested, Who, stage};
use message_core::prelude::*;

/// Answers only when it knows.
struct Oracle {
    name: &'static str,
    knows: bool,
    asked: usize,
}

impl Oracle {
    fn new(name: &'static str, knows: bool) -> Self {
        let asked = 0;
        Self { name, knows, asked }
    }
}

#[derive(Message)]
#[message(reply = &'static str)]
struct Riddle;

#[handlers]
impl Oracle {
    #[on_receive]
    fn answer(&mut self, _: &Riddle) -> Option<&'static str> {
        self.asked += 1;
        self.knows.then_some(self.name)
    }
}

// holds: send.request-first-answer, send.request-none
#[test]
fn a_request_returns_the_first_answer_in_the_order_of_delivery_and_asks_nobody_behind_it() -> Tested
{
    let mut manager = MessageManager::new();
    let id = manager.spawn((
        Oracle::new("blind", false),
        Oracle::new("wise", true),
        Oracle::new("wiser", true),
    ));
    assert_eq!(manager.request(id, Riddle)?, "wise");
    let asked: Vec<usize> = manager.iter::<Oracle>().map(|(_, it)| it.asked).collect();
    assert_eq!(asked, [1, 1, 0]);
    Ok(())
}

// holds: send.request-none
#[test]
fn a_request_that_nobody_answers_is_no_answer() {
    let mut manager = MessageManager::new();
    let blind = manager.spawn((Oracle::new("blind", false),));
    let empty = manager.spawn(());
    for id in [blind, empty] {
        let expected = SendError::new(Riddle::NAME, id, SendErrorKind::NoAnswer { error: None });
        assert_eq!(manager.request(id, Riddle), Err(expected));
    }
    assert!(matches!(
        manager
            .request(Everyone, Riddle)
            .map_err(SendError::into_kind),
        Err(SendErrorKind::NoAnswer { .. })
    ));
}

// holds: send.request-all
#[test]
fn request_all_returns_every_answer_with_who_gave_it_in_the_order_of_delivery() -> Tested {
    let (mut manager, log, actor) = stage();
    let ears = manager.spawn((Ear::new("left", &log), Ear::new("right", &log)));
    let answers = manager.request_all(Everyone, Who)?;
    assert_eq!(answers, [(actor, "actor"), (ears, "left"), (ears, "right")]);
    let oracles = manager.spawn((
        Oracle::new("wise", true),
        Oracle::new("blind", false),
        Oracle::new("wiser", true),
    ));
    let answers = manager.request_all(oracles, Riddle)?;
    assert_eq!(answers, [(oracles, "wise"), (oracles, "wiser")]);
    Ok(())
}

// holds: send.request-all
#[test]
fn request_all_that_nobody_answers_is_an_empty_list() -> Tested {
    let mut manager = MessageManager::new();
    let blind = manager.spawn((Oracle::new("blind", false),));
    assert_eq!(manager.request_all(blind, Riddle)?, []);
    assert_eq!(manager.request_all(Everyone, Who)?, []);
    Ok(())
}

// holds: send.request-none
#[test]
fn a_request_can_be_sent_as_a_message_and_its_answers_are_dropped() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Oracle::new("wise", true), Oracle::new("blind", false)));
    let receipt = manager.send(id, Riddle)?;
    assert_eq!((receipt.received, receipt.consumed), (1, false));
    let asked: Vec<usize> = manager.iter::<Oracle>().map(|(_, it)| it.asked).collect();
    assert_eq!(asked, [1, 1]);
    Ok(())
}

#[derive(Message)]
#[message(reply = u32)]
enum Weigh {
    Fail,
    Decline,
    Answer(u32),
}

struct Scale;

#[handlers]
impl Scale {
    #[on_receive]
    fn weigh(&self, weigh: &Weigh) -> Result<Option<u32>, std::fmt::Error> {
        match weigh {
            Weigh::Fail => Err(std::fmt::Error),
            Weigh::Decline => Ok(None),
            Weigh::Answer(answer) => Ok(Some(*answer)),
        }
    }
}

// holds: send.request-none
#[test]
fn the_error_of_a_request_is_that_of_its_own_handler() -> Tested {
    let mut manager = MessageManager::new();
    let scale = manager.spawn((Scale,));
    let mut error = |weigh| match manager.request(scale, weigh).map_err(SendError::into_kind) {
        Err(SendErrorKind::NoAnswer { error, .. }) => error.is_some(),
        other => panic!("{other:?}"),
    };
    for _ in 0..3 {
        assert!(error(Weigh::Fail));
        assert!(
            !error(Weigh::Decline),
            "it is the failure of another request"
        );
    }
    assert_eq!(manager.request(scale, Weigh::Answer(3))?, 3);
    Ok(())
}
