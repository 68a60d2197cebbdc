//! The messages that are posted: of several sizes, with and without a `Drop`, which may panic, and
//! with and without a `Clone`. Each carries the number of its posting, and how often it was heard.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use message_core::AnyMessage;
use message_core::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Note,
    Flyer,
    Parcel,
    Pallet,
    /// Handled by ears alone, so that it is delivered in batches.
    Leaf,
    /// As a leaf, with a `Drop`.
    Petal,
}

pub(crate) const KINDS: [Kind; 6] = [
    Kind::Note,
    Kind::Flyer,
    Kind::Parcel,
    Kind::Pallet,
    Kind::Leaf,
    Kind::Petal,
];

impl Kind {
    /// Returns whether a message of the kind can be copied for a dead letter.
    pub(crate) fn is_clone(self) -> bool {
        matches!(self, Self::Note | Self::Flyer)
    }

    /// Returns whether a message of the kind counts itself.
    pub(crate) fn is_counted(self) -> bool {
        !matches!(self, Self::Note | Self::Leaf)
    }

    pub(crate) fn posts(self) -> Posts {
        match self {
            Self::Note => Posts::of::<Note>(),
            Self::Flyer => Posts::of::<Flyer>(),
            Self::Parcel => Posts::of::<Parcel>(),
            Self::Pallet => Posts::of::<Pallet>(),
            Self::Leaf => Posts::of::<Leaf>(),
            Self::Petal => Posts::of::<Petal>(),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Note => Note::NAME,
            Self::Flyer => Flyer::NAME,
            Self::Parcel => Parcel::NAME,
            Self::Pallet => Pallet::NAME,
            Self::Leaf => Leaf::NAME,
            Self::Petal => Petal::NAME,
        }
    }
}

/// How many messages there are that count themselves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    count: Arc<AtomicUsize>,
    /// Whether each that is dropped now panics.
    hurts: Arc<AtomicBool>,
}

/// The payload of a panic that is part of the run.
#[derive(Debug)]
pub(crate) struct OnPurpose;

pub(crate) fn panic_on_purpose() -> ! {
    // Not by `panic!`, which prints.
    resume_unwind(Box::new(OnPurpose))
}

/// Runs a closure that may panic on purpose; returns `None` if it does. Propagates any other panic.
pub(crate) fn unless_on_purpose<T>(run: impl FnOnce() -> T) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(run));
    result.map_or_else(|payload| expect_on_purpose(payload), Some)
}

fn expect_on_purpose<T>(payload: Box<dyn Any + Send>) -> Option<T> {
    if payload.is::<OnPurpose>() {
        return None;
    }
    resume_unwind(payload)
}

impl Census {
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// Sets whether each message that counts itself panics from now on when it is dropped.
    pub(crate) fn let_drops_panic(&self, hurts: bool) {
        self.hurts.store(hurts, Ordering::Relaxed);
    }

    pub(crate) fn token(&self) -> Token {
        self.count.fetch_add(1, Ordering::Relaxed);
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
        let before = self.0.count.fetch_sub(1, Ordering::Relaxed);
        assert!(before > 0, "a message was dropped twice");
        if self.0.hurts.load(Ordering::Relaxed) {
            panic_on_purpose();
        }
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

#[derive(Message)]
pub(crate) struct Leaf {
    pub(crate) number: u64,
    pub(crate) heard: u32,
}

#[derive(Message)]
pub(crate) struct Petal {
    pub(crate) number: u64,
    pub(crate) heard: u32,
    pub(crate) _token: Token,
}

/// Returns the number of a message of any of the types, and how often it was heard.
pub(crate) fn read(message: &dyn AnyMessage) -> (u64, u32) {
    macro_rules! read {
        ($($type:ident)+) => {
            $(if let Some(message) = message.downcast_ref::<$type>() {
                return (message.number, message.heard);
            })+
        };
    }
    read!(Note Flyer Parcel Pallet Leaf Petal);
    panic!("{} was never posted", message.name());
}
