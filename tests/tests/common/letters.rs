//! Dead letters, and messages that are not received as intended.
#![allow(dead_code, reason = "each program uses its own part of this")]
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

use std::sync::mpsc::{Receiver, channel};

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::{AnyMessage, Envelope, error::Undelivered};

/// A message without a handler.
#[derive(Message, Debug, Clone)]
pub(crate) struct Unheard;

/// An offer that its receiver declines, fails on, or swallows.
#[derive(Message)]
pub(crate) enum Offer {
    Decline,
    Fail,
    Swallow,
}

pub(crate) struct Picky;

#[handlers]
impl Picky {
    #[on_receive]
    fn offer(&self, offer: &Offer) -> Result<bool, std::fmt::Error> {
        match offer {
            Offer::Decline => Ok(false),
            Offer::Fail => Err(std::fmt::Error),
            Offer::Swallow => Ok(true),
        }
    }
}

/// The contents of a dead letter.
pub(crate) struct Said {
    pub(crate) why: Undelivered,
    pub(crate) counts: (usize, usize),
    pub(crate) text: String,
    pub(crate) envelope: Envelope,
    pub(crate) has_message: bool,
    pub(crate) copy: Option<Box<dyn AnyMessage>>,
}

/// Hears of the dead letters.
pub(crate) fn letters(manager: &mut MessageManager) -> Receiver<Said> {
    let (put, said) = channel();
    manager.subscribe(Filter::of::<DeadLetter>(), move |letter, cx| {
        assert_eq!((cx.sender(), cx.recipient()), (Sender::Manager, Everyone));
        let message = letter.message.as_ref();
        let said = Said {
            why: letter.why.clone(),
            counts: (letter.wanted, letter.got),
            text: letter.to_string(),
            envelope: letter.envelope,
            has_message: message.is_some(),
            copy: message.and_then(|message| (**message).try_clone()),
        };
        put.send(said).expect("it is awaited");
    });
    said
}
