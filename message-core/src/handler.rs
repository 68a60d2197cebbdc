//! What a handler is, for those who implement one by hand or write code that is generic over
//! handlers. The rest is written by [`#[handlers]`](macro@crate::handlers).
//!
//! [`HandlerReturn`] lists what a handler may return.

pub use crate::dispatch::{
    Access, Exclusive, ForHandler, ForSubscriber, HandlerReturn, HandlerSpec, Outcome, Shared,
};
