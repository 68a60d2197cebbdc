//! The way of a message: `send` → who is [meant](recipients) → which of their components have a route
//! for it → the handler's [`run`](crate::handler::run) → what became of it.
//!
//! A send to one messagee takes the [fast way](fast) where it can, which is compiled for each message
//! type. All else is compiled once and knows a message as [`erased`]: the short ways to one messagee
//! ([to two](pair) of its components, or to one with which a panic [ends](guarded)), the [plain case](plain) of a
//! send to one messagee, and the [long way](slow). Posted messages end in it when they are due
//! ([`delivery`](crate::post)); subscribers stand at its beginning and its end
//! ([`delivery`](crate::subscription)).
//!
//! All of this works on a shared `&World`, and nested sends are ordinary calls. Spawns, hooks, unhooks, despawns and
//! subscriptions are queued (`World`'s pending tasks) for the outermost call, which alone holds `&mut World`; addresses
//! and what is enabled stand in cells and change at once.

mod audience;
pub(crate) mod call;
#[cfg(feature = "data")]
mod carry;
pub(crate) mod deferred;
mod deliver;
pub(crate) mod dynamic;
pub(crate) mod entry;
pub(crate) mod erased;
pub(crate) mod instrument;
pub(crate) mod origin;
pub(crate) mod plan;
#[cfg(feature = "data")]
mod proxies;
#[cfg(not(feature = "data"))]
#[path = "proxies_off.rs"]
mod proxies;
pub(crate) mod publish;
pub(crate) mod step;
mod traced;
mod unhandled;
pub(crate) mod verdict;
mod ways;

pub(crate) use call::{LeavingTarget, Sent, Subscribed};
pub(crate) use deferred::{Deliver, Kept};
pub(crate) use dynamic::{post_any, request_any, send_any};
pub(crate) use entry::{Answer, call_single, request, send, send_mut, send_on, unanswered_after};
#[cfg(feature = "data")]
pub(crate) use erased::BoxedMessage;
pub(crate) use erased::ErasedMessage;
pub(crate) use origin::{Outside, Program};
pub(crate) use plan::Plans;
pub(crate) use proxies::Proxies;
#[cfg(feature = "data")]
pub(crate) use proxies::{Carrier, Carrying};
pub(crate) use unhandled::UnhandledSends;
pub(crate) use verdict::Verdict;
pub(crate) use ways::Ways;
