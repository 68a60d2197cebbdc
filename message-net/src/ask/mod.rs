//! Requests to proxies: the answer comes later, as a message.

// The ticket, the remaining time and the message with the answer belong to the world. Its component `Net` keeps
// them, so a replayed log repeats everything it does. A node only carries the question and brings the answer.

mod answered;
mod answers;
mod asking;

pub use answered::{Answered, AskTicket, Unanswered};
pub(crate) use answers::{Answers, Reply, askable};
pub(crate) use asking::Asked;
pub use asking::{Ask, AskError, AskWithin, SpeaksForMessagee};
