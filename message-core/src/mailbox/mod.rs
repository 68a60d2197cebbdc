//! The pull side: what is published in one frame is found in the next.
//!
//! [`MessageManager::publish`](crate::MessageManager::publish) writes, an [`Inbox`] reads what was
//! published in the last frame, a [`Cursor`] reads on where it stopped, and [`Published`] is what has
//! been published in this frame so far. The guide has a page about it: [pull](crate::guide::pull).

// Each message type has one `Mailbox`: the letters of the current frame, behind a `RefCell` because handlers write too,
// and those of the frames that can be read. These do not change until the next frame begins, so a reader holds plain
// references and may send meanwhile. When a frame begins, what was written becomes readable as a whole, for every type
// before anything is dropped. Only mailboxes that hold letters are visited.
//
// The letters of a frame (`Letters`) are two columns: the messages, and `Postmarks`, which store equal postmarks in a
// row once. Only the column of messages depends on the message's type. Everything that selects letters is compiled
// once, and a mailbox can be made for a type that is not known.

mod batch;
mod choice;
pub(crate) mod column;
mod cursor;
pub(crate) mod frames;
mod inbox;
mod index;
pub(crate) mod letters;
mod mail;
mod mails;
pub(crate) mod postmarks;
mod published;
mod readable;
mod selected;
pub(crate) mod table;

pub(crate) use batch::Batch;
pub(crate) use choice::Choice;
pub(crate) use column::Unpublished;
use column::{NewColumn, column_of};
pub use cursor::{AnyCursor, Cursor};
use frames::Mailbox;
pub use inbox::{AnyInbox, Inbox};
use letters::Letters;
pub use mail::{AnyMail, Mail};
pub use mails::Mails;
pub(crate) use postmarks::Postmark;
use postmarks::Postmarks;
pub use published::Published;
pub use readable::Readable;
use selected::{Numbers, Selected};
pub(crate) use table::{Current, Mailboxes};
