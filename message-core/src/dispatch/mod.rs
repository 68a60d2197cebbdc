//! The way of every message: `send` → who is meant → which of their components have a route for
//! it → [`run`](mod@run), the one place where a handler is called → what became of it. Posted
//! messages end in it when they are due ([`pass`]; together, those of a [`batch`]); subscribers stand
//! at its begin and its end ([`listen`]).
//!
//! A send to one messagee takes the short way where it can ([`direct`]), which is compiled for each
//! message type. All else takes the long way ([`deliver`]), which is compiled once and knows a message
//! as [`erased`].
//!
//! While a message is under way nothing structural changes: all of dispatch works on a shared
//! `&World`, nested sends are ordinary calls, and whatever a handler wants changed is queued
//! (`World`'s pending tasks) for the outermost call, which alone holds `&mut World`.

mod audience;
mod batch;
mod call;
mod context;
mod deliver;
mod direct;
mod drain;
mod dynamic;
mod envelope;
mod erased;
mod handler;
mod instrument;
mod kept;
mod limit_report;
mod listen;
mod origin;
mod overhear;
mod pass;
mod post;
mod publish;
mod routes;
mod run;
mod run_due;
mod verdict;
mod watch;

pub(crate) use call::{LeavingTarget, Sent, Subscribed};
pub use context::{Context, ForHandler, ForSubscriber, SubscriberContext};
pub(crate) use direct::{
    request, request_alone, request_in_full, send, send_alone, send_in_full, send_mut,
    unanswered_after,
};
pub(crate) use dynamic::{post_any, request_any, send_any};
pub use envelope::Envelope;
pub(crate) use erased::{Erased, ErasedMessage};
pub use handler::{
    Access, Exclusive, HandlerError, HandlerReturn, HandlerSpec, Outcome, Receives, Shared,
};
pub(crate) use kept::{Deliver, Kept};
pub(crate) use origin::Outside;
pub(crate) use pass::Staged;
pub(crate) use post::{post, post_anew};
pub(crate) use routes::{AnyTyped, Route, RouteTable, Typed};
pub use routes::{Offers, RouteCell};
pub(crate) use run::{RunAll, RunOne, RunSingle, run_all, run_one};
pub(crate) use run_due::{RunDue, run_due};
pub(crate) use verdict::Verdict;
