//! The log: all messages except the steps, in the order published.

use message_core::mailbox::AnyMail;
use message_core::prelude::*;

use crate::Done;
use crate::messages::Step;

/// The published messages.
#[derive(Default)]
pub struct Log {
    /// The lines, one for each message.
    pub lines: Vec<Line>,
}

/// A published message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The frame.
    pub frame: u64,
    /// The sender.
    pub sender: String,
    /// The message.
    pub words: String,
    /// The recipient.
    pub recipient: String,
}

/// Runs the system of the logs.
pub fn write(desk: Desk<'_>) -> Done {
    for (_, mut log) in desk.iter_mut::<Log>() {
        let mail = desk.inbox_any().iter().filter(|mail| !mail.is::<Step>());
        log.lines.extend(mail.map(|mail| line(desk, mail)));
    }
    Ok(())
}

fn line(desk: Desk<'_>, mail: AnyMail<'_>) -> Line {
    Line {
        frame: mail.published().frame,
        sender: match mail.sender() {
            Sender::Messagee(id) => name_of(desk, id),
            other => other.to_string(),
        },
        words: format!("{:?}", mail.message()),
        recipient: match mail.recipient() {
            Recipient::Id(id) => name_of(desk, id),
            Recipient::Mnemonic(mnemonic) => mnemonic.name().to_owned(),
            other => other.to_string(),
        },
    }
}

fn name_of(desk: Desk<'_>, id: MessageeId) -> String {
    let name = desk.name(id);
    name.map_or_else(|| "somebody".to_owned(), |name| name.to_string())
}
