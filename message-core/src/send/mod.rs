//! A message under way. Every delivery follows one path; read the files in this order:
//!
//! 1. [`verbs`] and [`entry`]: a call that sends begins here. A send to one component is over here.
//! 2. [`plan`]: the components of a messagee that receive a message, by message type and layout.
//! 3. [`deliver`]: the send as a whole, from its recipient to its receipt.
//! 4. [`audience`]: the messagees, the component or everyone that a recipient means.
//! 5. [`erased`]: the message and the place for its answers, whose types are not known.
//! 6. [`step`] and [`callee`]: the delivery to one component, and what follows from it. The handler itself is called
//!    by [`run`](crate::handler::run).
//! 7. [`deferred`]: messages that are kept for receivers that are busy or not there yet.
//!
//! All of them share a send ([`Sent`]), its deliveries ([`Delivery`]) and a running handler ([`Frame`]). Posts
//! that are due, messages from other threads and kept messages enter at `entry`, `deliver` or `step`;
//! [subscribers](crate::subscription) are called from `deliver`.
//!
//! A name such as W1-two is a row of `benches/README.md`: the figure that justifies a specialisation or an attribute.
//!
//! Words that recur:
//!
//! | word | meaning |
//! |---|---|
//! | stop | a component type of a layout that receives a message type, at its place in hook order ([`Stop`]) |
//! | callee | the component at a stop of one messagee, with its pool and slot ([`Callee`]) |
//! | spot | a receiver that may be busy: a component or a subscription ([`ReceiverSlot`]) |
//! | at hand | enabled, in a pool without exceptions: it is called without a further check |
//! | exception | a component that is leaving or was switched in this dispatch, or a message kept for one of the pool |
//! | clear | calls are neither traced, nor are panics caught around them |
//! | aside | of a plan: sends of this message type first ask whether anybody hears it |
//! | in full | by [`deliver`], since the short way of [`entry`] ends before the call |
//! | settle | make what has to follow: the failure of a call is reported, kept messages are delivered |
//! | kept, promised | a message waits for a busy receiver; it will when its send ends |
//! | unborn, newborn | a receiver that comes when the outermost send ends, alone or among others |
//!
//! All of this works on a shared `&World`, and nested sends are ordinary calls. Components and
//! subscriptions that come or go are queued ([`Pending`](crate::world::Pending)) for the outermost call,
//! which alone holds `&mut World`. Addresses and what is enabled are kept in cells and change at once.

mod audience;
pub(crate) mod callee;
mod carry;
pub(crate) mod deferred;
mod deliver;
mod delivery;
pub(crate) mod entry;
pub(crate) mod erased;
pub(crate) mod frame;
mod instrument;
pub(crate) mod origin;
pub(crate) mod plan;
mod publish;
mod refusal;
pub(crate) mod sent;
mod speaker;
mod step;
mod traced;
mod unhandled;
pub(crate) mod verdict;

pub(crate) use audience::{Audience, Met};
pub(crate) use callee::Callee;
pub(crate) use carry::carry_or_deliver;
pub(crate) use deferred::{Copies, Kept, Redelivery, Shared, not_cloned, tell_missed};
pub(crate) use delivery::{Delivered, Delivery, OnBusy, Overhearing, Staging, Tally, Waiting};
pub(crate) use entry::call_single;
pub(crate) use erased::{AnyReply, Lent, Replies};
pub(crate) use frame::{Frame, ReceiverSlot, Subscribed, receiver_at};
pub(crate) use origin::{Origin, Outside, Program};
pub(crate) use plan::{Plans, SingleStop, Stop};
pub(crate) use publish::full;
pub(crate) use sent::{Extras, LeavingTarget, Posted, ReportGuard, Resumed, Sent};
pub(crate) use speaker::{Speaker, first_answer, unanswered};
pub(crate) use unhandled::UnhandledSends;
pub(crate) use verdict::{Ended, Verdict};
