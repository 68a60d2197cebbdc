//! Requests to messagees of other managers: the answer comes later, as a message.
//!
//! A `request` needs its answer at once, so it cannot reach a [proxy](message_core::carrier). [`Ask::ask`] can: the
//! messagee that asks receives an [`Answered`] later, in any case. This works for messagees of another room of
//! `message-rooms`, and for those of another node of `message-net`.

// The ticket, the remaining time and the message with the answer belong to the manager. Its component `Asks` keeps
// them, so a replayed log repeats everything it does. A room or a node only carries the question and brings the answer.

mod answered;
mod answers;
mod asking;
mod asks;

pub use answered::{Answered, AskTicket, Unanswered};
pub use answers::register;
#[doc(hidden)]
pub use answers::{Reply, WriteReply, write_reply};
pub use asking::{Ask, AskError, AskWithin};
#[doc(hidden)]
pub use asking::{Asked, SpeaksForMessagee, check_ids};
#[doc(hidden)]
pub use asks::{ASKS, AnswerCame, AskedEnded, AskerMoved, Asks, Told};

#[doc(hidden)]
pub use message_core::internals::FirstPanic;
