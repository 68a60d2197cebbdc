//! Mailboxes in a save: every letter comes back with what is written on it, in a box of its own.

use std::cell::Ref;
use std::panic::Location;

use serde::{Deserialize, Serialize};

use crate::mailbox::column::{AnyBox, in_boxes};
use crate::mailbox::envelopes::Envelope;
use crate::mailbox::letters::Letters;
use crate::mailbox::{BoxState, Mailbox, Mailboxes};
use crate::message::{AnyMessage, MessageIndex};

/// The counts of all mailboxes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedCounts {
    /// The number of letters so far, and the number when the frame began.
    pub(crate) next: u64,
    pub(crate) begun: u64,
}

/// The letters of one frame, and its number.
type SavedFrame<'m> = (u64, Vec<(Envelope, &'m dyn AnyMessage)>);

impl Letters {
    fn saved(&self) -> SavedFrame<'_> {
        let envelopes = &self.envelopes;
        let letters = (0..envelopes.count).map(|at| (envelopes.get(at), self.message(at)));
        // An empty frame may have the number of an earlier one.
        let frame = if self.is_empty() { 0 } else { envelopes.frame };
        (frame, letters.collect())
    }

    fn restored(
        first: u64,
        frame: u64,
        letters: Vec<(Envelope, AnyBox)>,
        place: &'static Location<'static>,
    ) -> Self {
        let mut restored = Self::new(first, in_boxes());
        for (saved, message) in letters {
            restored.push(Envelope { place, ..saved }, &mut Some(message));
        }
        restored.envelopes.frame = frame;
        restored
    }
}

/// A mailbox that is looked at.
pub(crate) struct OpenMailbox<'m> {
    pub(crate) of: MessageIndex,
    mailbox: &'m Mailbox,
    /// The letters of the frame that is under way.
    writing: Ref<'m, Letters>,
}

impl OpenMailbox<'_> {
    pub(crate) fn state(&self) -> &BoxState {
        &self.mailbox.state
    }

    /// The frames that can be read, and the one that is under way.
    pub(crate) fn frames(&self) -> Vec<SavedFrame<'_>> {
        let readable = self.mailbox.readable.iter();
        let frames = readable.chain([&*self.writing]);
        frames.map(Letters::saved).collect()
    }
}

impl Mailboxes {
    pub(crate) fn saved_counts(&self) -> SavedCounts {
        SavedCounts {
            next: self.next.get(),
            begun: self.begun,
        }
    }

    /// The mailboxes that were ever used.
    pub(crate) fn opened(&self) -> Vec<OpenMailbox<'_>> {
        let boxes = (0..).zip(&self.cells);
        let used = boxes.filter_map(|(of, cell)| {
            let mailbox = cell.get()?;
            Some(OpenMailbox {
                of: MessageIndex(of),
                mailbox,
                writing: mailbox.pending(self.frame),
            })
        });
        used.collect()
    }

    pub(crate) fn restore_counts(&mut self, counts: SavedCounts) {
        let SavedCounts { next, begun } = counts;
        self.next.set(next);
        self.begun = begun;
        self.full = begun.saturating_add(self.limit.into()).max(next);
    }

    /// Makes a mailbox as it was. The last of the frames is the one under way.
    pub(crate) fn restore(
        &mut self,
        of: MessageIndex,
        state: BoxState,
        frames: Vec<(u64, Vec<(Envelope, AnyBox)>)>,
        place: &'static Location<'static>,
    ) {
        let mut mailbox = Mailbox::new(in_boxes);
        let mut first = state.end;
        let mut newest_first = frames.into_iter().rev();
        if let Some((frame, letters)) = newest_first.next() {
            mailbox.writing = Letters::restored(first, frame, letters, place).into();
        }
        for (frame, letters) in newest_first {
            first -= letters.len() as u64;
            let mut letters = Letters::restored(first, frame, letters, place);
            letters.envelopes.is_closed = true;
            mailbox.readable.push_front(letters);
        }
        if state.is_listed.get() {
            self.listed.get_mut().push(of);
        }
        mailbox.state = state;
        // The first one: nobody has used the mailbox yet.
        let _ = self.cells[of.get()].set(Box::new(mailbox));
    }
}
