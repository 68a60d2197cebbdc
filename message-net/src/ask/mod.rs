//! Requests to proxies: the answer comes later, as a message.

// A ticket, the time that is left, and the message that tells are of the world: its component `Net` keeps
// them, and whatever it does it does again when a log is repeated. A node only carries the question and
// brings the answer.

mod answered;
mod answers;
mod asking;

pub use answered::{Answered, AskTicket, Unanswered};
pub(crate) use answers::{Answers, askable};
pub(crate) use asking::Asked;
pub use asking::{Ask, AskError, Asking};
