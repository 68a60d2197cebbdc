//! The log: everything but the steps, in the order published.

use message_core::AnyMail;
use message_core::prelude::*;

use crate::Done;
use crate::messages::Step;
use crate::name::name_of;

/// What was published.
#[derive(Default)]
pub struct Log {
    /// One line for each message.
    pub lines: Vec<Line>,
}

/// What somebody has published.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// In which frame.
    pub frame: u64,
    /// Who has.
    pub sender: String,
    /// The message.
    pub words: String,
    /// Whom it is for.
    pub recipient: String,
}

/// The system of the logs.
#[expect(
    clippy::unnecessary_wraps,
    reason = "it is a system like the others, some of which can fail"
)]
pub fn write(manager: &mut MessageManager) -> Done {
    let mail = manager.inbox_any();
    let mail = mail.matching(|message| message.downcast_ref::<Step>().is_none());
    let lines: Vec<_> = mail.iter().map(|mail| line(manager, mail)).collect();
    for (_, log) in manager.iter_mut::<Log>() {
        log.lines.extend_from_slice(&lines);
    }
    Ok(())
}

fn line(manager: &MessageManager, mail: AnyMail<'_>) -> Line {
    Line {
        frame: mail.published().frame,
        sender: match mail.sender() {
            Sender::Messagee(id) => name_of(manager, id),
            other => other.to_string(),
        },
        words: format!("{:?}", mail.message()),
        recipient: match mail.recipient() {
            Recipient::Id(id) => name_of(manager, id),
            Recipient::Mnemonic(mnemonic) => mnemonic.name().to_owned(),
            other => other.to_string(),
        },
    }
}
