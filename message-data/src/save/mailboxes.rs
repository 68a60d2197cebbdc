//! The mailboxes themselves, as they are found and made again. Every letter comes back with its postmark, in a box of
//! its own.

use std::cell::{Cell, Ref};
use std::panic::Location;

use message_core::internals::{AnyBox, Letters, Mailbox, Mailboxes, Postmark, column_of};
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, MessageeId, Recipient, Sender, registry};
use serde::{Deserialize, Serialize};

/// The counts of all mailboxes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedCounts {
    /// The number of letters so far, and the number when the frame began.
    pub(super) next: u64,
    pub(super) begun: u64,
    /// The frame of the last pass of `FixedUpdate`, and the same if the mail of all types was read in it.
    #[serde(default, skip_serializing_if = "is_zero")]
    passed: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    read_in: u64,
}

/// The state of a mailbox, apart from its letters.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedBox {
    is_listed: bool,
    pub(super) end: u64,
    retention: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    waiting: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    read_in: u64,
}

/// The postmark of a letter.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct SavedEnvelope {
    to: Recipient,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<MessageeId>,
    sender: Sender,
    time: u64,
    pub(super) number: u64,
}

/// The letters of one frame, and its number.
type SavedFrame<'m> = (u64, Vec<(SavedEnvelope, &'m dyn AnyMessage)>);

impl SavedCounts {
    pub(super) fn of(mail: &Mailboxes) -> Self {
        Self {
            next: mail.next.get(),
            begun: mail.begun,
            passed: mail.passed,
            read_in: last_read(mail, &mail.read_in),
        }
    }

    pub(super) fn restore(self, mail: &mut Mailboxes) {
        let Self { next, begun, .. } = self;
        mail.next.set(next);
        mail.begun = begun;
        mail.passed = self.passed;
        mail.read_in.set(self.read_in);
        mail.full = begun.saturating_add(mail.limit.into()).max(next);
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Returns the frame of the last pass of `FixedUpdate`, or zero if mail was not read in it.
fn last_read(mail: &Mailboxes, read_in: &Cell<u64>) -> u64 {
    Some(read_in.get())
        .filter(|it| *it >= mail.passed)
        .unwrap_or(0)
}

impl SavedBox {
    /// Returns `true` if a mailbox that nobody has used is like that.
    pub(super) fn is_new(&self) -> bool {
        !self.is_listed && self.end == 0 && self.retention == 1 && self.read_in == 0
    }

    /// Makes a mailbox as it was. The last of the frames is the one under way.
    pub(super) fn restore(
        self,
        mail: &mut Mailboxes,
        of: MessageIndex,
        frames: Vec<(u64, Vec<(SavedEnvelope, AnyBox)>)>,
        place: &'static Location<'static>,
    ) {
        let mut mailbox = Mailbox::new(column_of::<AnyBox>);
        let mut first = self.end;
        let mut newest_first = frames.into_iter().rev();
        if let Some((frame, letters)) = newest_first.next() {
            mailbox.writing = restored(first, frame, letters, place).into();
        }
        for (frame, letters) in newest_first {
            first -= letters.len() as u64;
            let mut letters = restored(first, frame, letters, place);
            letters.postmarks.is_closed = true;
            mailbox.readable.push_front(letters);
        }
        if self.is_listed {
            mail.listed.get_mut().push(of);
        }
        mailbox.is_listed = Cell::new(self.is_listed);
        mailbox.end = self.end;
        mailbox.retention = self.retention;
        mailbox.waiting = usize::try_from(self.waiting).unwrap_or(usize::MAX);
        mailbox.read_in.set(self.read_in);
        // The first one: nobody has used the mailbox yet.
        let _ = mail.cells[of.get()].set(Box::new(mailbox));
    }
}

fn saved(letters: &Letters) -> SavedFrame<'_> {
    let postmarks = &letters.postmarks;
    let saved = (0..postmarks.count).map(|at| {
        let postmark = postmarks.get(at);
        let saved = SavedEnvelope {
            to: postmark.to,
            address: postmark.address,
            sender: postmark.sender,
            time: postmark.time,
            number: postmark.number,
        };
        (saved, letters.message(at))
    });
    // An empty frame may have the number of an earlier one.
    let is_empty = postmarks.count == 0;
    let frame = if is_empty { 0 } else { postmarks.frame };
    (frame, saved.collect())
}

fn restored(
    first: u64,
    frame: u64,
    letters: Vec<(SavedEnvelope, AnyBox)>,
    place: &'static Location<'static>,
) -> Letters {
    let mut restored = Letters::new(first, column_of::<AnyBox>());
    for (saved, message) in letters {
        let postmark = Postmark {
            to: saved.to,
            address: saved.address,
            sender: saved.sender,
            place,
            time: saved.time,
            number: saved.number,
            trace: None,
        };
        restored.push(postmark, &mut Some(message));
    }
    restored.postmarks.frame = frame;
    restored
}

/// A mailbox that is looked at.
pub(super) struct OpenMailbox<'m> {
    pub(super) of: MessageIndex,
    mailbox: &'m Mailbox,
    /// The frame of the last pass of `FixedUpdate`, if the mail was read in it.
    read_in: u64,
    /// The letters of the frame that is under way.
    writing: Ref<'m, Letters>,
}

impl<'m> OpenMailbox<'m> {
    /// Returns the mailboxes that were ever used.
    pub(super) fn all(mail: &'m Mailboxes) -> Vec<Self> {
        let boxes = registry().messages().map(|it| it.index).zip(&mail.cells);
        let used = boxes.filter_map(|(of, cell)| {
            let mailbox = cell.get()?;
            Some(Self {
                of,
                mailbox,
                read_in: last_read(mail, &mailbox.read_in),
                writing: mailbox.pending(mail.frame),
            })
        });
        used.collect()
    }

    pub(super) fn state(&self) -> SavedBox {
        SavedBox {
            is_listed: self.mailbox.is_listed.get(),
            end: self.mailbox.end,
            retention: self.mailbox.retention,
            waiting: self.mailbox.waiting as u64,
            read_in: self.read_in,
        }
    }

    /// Returns the frames that can be read, and the one that is under way.
    pub(super) fn frames(&self) -> Vec<SavedFrame<'_>> {
        let readable = self.mailbox.readable.iter();
        readable.chain([&*self.writing]).map(saved).collect()
    }
}
