//! Finding out, in a macro's expansion, whether a type is `Debug` or `Clone`, or a message.
//!
//! A constant of the type itself is found before one of a trait, but only where its bounds hold:
//! `Probe::<M>::DEBUG` is the one that asks for `M: Debug` where that is true, else the one of
//! [`Otherwise`], which asks for nothing. It works where `M` is a concrete type.

use std::fmt;
use std::marker::PhantomData;

use crate::message::{Facts, Message};

/// The type that is asked about.
#[derive(Debug)]
pub struct Probe<M>(PhantomData<fn() -> M>);

type DebugFn<M> = fn(&M, &mut fmt::Formatter<'_>) -> fmt::Result;

impl<M: fmt::Debug> Probe<M> {
    pub const DEBUG: Option<DebugFn<M>> = Some(M::fmt);
}

impl<M: Clone> Probe<M> {
    pub const CLONE: Option<fn(&M) -> M> = Some(M::clone);
}

// Not asked of the trait itself, which would report once more what it requires.
impl<M: Message> Probe<M> {
    pub const FACTS: &'static Facts = M::FACTS;
}

/// The constants that are found where the bounds do not hold.
pub trait Otherwise<M> {
    const DEBUG: Option<DebugFn<M>> = None;
    const CLONE: Option<fn(&M) -> M> = None;
}

impl<M> Otherwise<M> for Probe<M> {}

/// A message type itself, as a type that depends on its being a message.
pub trait Itself {
    type Type: Message;
}

impl<M: Message> Itself for M {
    type Type = M;
}
