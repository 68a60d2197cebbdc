//! The way of every message: `send` → who is meant → which of their components have a route for
//! it → [`run`](mod@run), the one place where a handler is called → what became of it.
//!
//! While a message is under way nothing structural changes: all of dispatch works on a shared
//! `&World`, nested sends are ordinary calls, and whatever a handler wants changed is queued
//! (`World`'s pending tasks) for the outermost call, which alone holds `&mut World`.

mod call;
mod context;
mod deliver;
mod handler;
mod kept;
mod routes;
mod run;
mod verdict;

pub(crate) use call::{Farewell, Header};
pub use context::Context;
pub use handler::{
    Access, Exclusive, HandlerError, HandlerReturn, HandlerSpec, Outcome, Receives, Shared,
};
pub(crate) use kept::Kept;
pub use routes::{Offers, RouteCell};
pub(crate) use routes::{Route, Routes};
pub(crate) use run::{RunAll, RunOne, run_all, run_one};
