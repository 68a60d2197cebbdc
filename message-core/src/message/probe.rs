//! Finding out, in a macro's expansion, whether a type is `Debug` or `Clone`, or a message.
//!
//! Autoref specialisation, after David Tolnay's case study of that name: `(&&Probe::<M>::new())
//! .message_debug()` finds the implementation for `&Probe<M>` first, which asks for `M: Debug`, and
//! falls back to the one for `Probe<M>`, which asks for nothing. It works where `M` is a concrete type.

use std::fmt;
use std::marker::PhantomData;

use crate::message::Message;

/// Stands for the type that is asked about.
#[derive(Debug)]
pub struct Probe<M>(PhantomData<fn() -> M>);

impl<M> Probe<M> {
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<M> Default for Probe<M> {
    fn default() -> Self {
        Self::new()
    }
}

type DebugFn<M> = fn(&M, &mut fmt::Formatter<'_>) -> fmt::Result;

pub trait HasDebug<M> {
    fn message_debug(&self) -> Option<DebugFn<M>>;
}

impl<M: fmt::Debug> HasDebug<M> for &Probe<M> {
    fn message_debug(&self) -> Option<DebugFn<M>> {
        Some(M::fmt)
    }
}

pub trait NoDebug<M> {
    fn message_debug(&self) -> Option<DebugFn<M>>;
}

impl<M> NoDebug<M> for Probe<M> {
    fn message_debug(&self) -> Option<DebugFn<M>> {
        None
    }
}

pub trait HasClone<M> {
    fn message_clone(&self) -> Option<fn(&M) -> M>;
}

impl<M: Clone> HasClone<M> for &Probe<M> {
    fn message_clone(&self) -> Option<fn(&M) -> M> {
        Some(M::clone)
    }
}

pub trait NoClone<M> {
    fn message_clone(&self) -> Option<fn(&M) -> M>;
}

impl<M> NoClone<M> for Probe<M> {
    fn message_clone(&self) -> Option<fn(&M) -> M> {
        None
    }
}

/// A message type itself, as a type that depends on its being a message.
pub trait Itself {
    type Type: Message;
}

impl<M: Message> Itself for M {
    type Type = M;
}
