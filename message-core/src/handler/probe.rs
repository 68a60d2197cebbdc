//! Finding out, in a macro's expansion, whether a component handles a message, and whether it is `Clone`: as
//! [`message::probe`](crate::message::probe) finds out what a message is.

use std::marker::PhantomData;

use crate::handler::{HandlerRow, Receives};
use crate::message::Message;
use crate::storage::Cloning;

/// The handler of a message type on a component type. If there is none, the macro has already reported
/// that where the handler should be, and its registration does not report it again.
#[derive(Debug)]
pub struct Handler<C, M>(PhantomData<fn() -> (C, M)>);

impl<C: Receives<M>, M: Message> Handler<C, M> {
    pub const ROW: Option<&'static HandlerRow> = Some(HandlerRow::of::<C, M>());
}

/// Provides the constant where there is no handler.
pub trait NoHandler {
    const ROW: Option<&'static HandlerRow> = None;
}

impl<C, M> NoHandler for Handler<C, M> {}

/// How a component type is cloned.
#[derive(Debug)]
pub struct ComponentProbe<C>(PhantomData<fn() -> C>);

impl<C: Clone + Send + 'static> ComponentProbe<C> {
    pub const CLONING: Option<&'static Cloning> = Some(Cloning::of::<C>());
}

/// Provides the constant where the component is not `Clone`.
pub trait NotCloned {
    const CLONING: Option<&'static Cloning> = None;
}

impl<C> NotCloned for ComponentProbe<C> {}
