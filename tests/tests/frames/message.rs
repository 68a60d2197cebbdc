//! The messages that are posted: of several sizes, with and without a `Drop`, with and without a
//! `Clone`. Each carries the number of its posting, and how often it was heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use message_core::AnyMessage;
use message_core::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Note,
    Flyer,
    Parcel,
    Pallet,
}

pub(crate) const KINDS: [Kind; 4] = [Kind::Note, Kind::Flyer, Kind::Parcel, Kind::Pallet];

impl Kind {
    /// Whether a message of the kind can be copied for a dead letter.
    pub(crate) fn is_clone(self) -> bool {
        matches!(self, Self::Note | Self::Flyer)
    }

    pub(crate) fn posts(self) -> Posts {
        match self {
            Self::Note => Posts::of::<Note>(),
            Self::Flyer => Posts::of::<Flyer>(),
            Self::Parcel => Posts::of::<Parcel>(),
            Self::Pallet => Posts::of::<Pallet>(),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Note => Note::NAME,
            Self::Flyer => Flyer::NAME,
            Self::Parcel => Parcel::NAME,
            Self::Pallet => Pallet::NAME,
        }
    }
}

/// How many messages there are that count themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census(Arc<AtomicUsize>);

impl Census {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn token(&self) -> Token {
        self.0.fetch_add(1, Ordering::Relaxed);
        Token(self.clone())
    }
}

/// Counts itself from its making to its drop.
#[derive(Debug)]
pub(crate) struct Token(Census);

impl Clone for Token {
    fn clone(&self) -> Self {
        self.0.token()
    }
}

impl Drop for Token {
    fn drop(&mut self) {
        let before = self.0.0.fetch_sub(1, Ordering::Relaxed);
        assert!(before > 0, "a message was dropped twice");
    }
}

#[derive(Message, Clone, Debug)]
pub(crate) struct Note {
    pub(crate) number: u64,
    pub(crate) heard: u32,
}

#[derive(Message, Clone)]
pub(crate) struct Flyer {
    pub(crate) number: u64,
    pub(crate) heard: u32,
    pub(crate) _token: Token,
}

#[derive(Message)]
pub(crate) struct Parcel {
    pub(crate) number: u64,
    pub(crate) heard: u32,
    pub(crate) _token: Token,
}

#[derive(Message)]
pub(crate) struct Pallet {
    pub(crate) number: u64,
    pub(crate) heard: u32,
    pub(crate) _load: [u64; 40],
    pub(crate) _token: Token,
}

/// The number of its posting and how often it was heard, of a message of any of the types.
pub(crate) fn read(message: &dyn AnyMessage) -> (u64, u32) {
    macro_rules! read {
        ($($type:ident)+) => {
            $(if let Some(message) = message.downcast_ref::<$type>() {
                return (message.number, message.heard);
            })+
        };
    }
    read!(Note Flyer Parcel Pallet);
    panic!("{} was never posted", message.name());
}
