//! The letters of one frame that are meant, in the order published: the slots in which their messages
//! are stored.

use std::iter::Peekable;
use std::ops::Range;
use std::slice;

use super::choice::{Choice, To};
use super::metadata::{Metadata, SlotsOf};
use super::recipients::Written;
use crate::address::{MessageeId, Recipient, Sender};

#[derive(Clone)]
pub(super) struct Chosen<'a> {
    metadata: &'a Metadata,
    walk: Walk<'a>,
    /// The sender that the walk does not ask for.
    from: Option<Sender>,
}

/// How the letters are found.
#[derive(Clone)]
enum Walk<'a> {
    All(Range<u32>),
    Own(Own<'a>),
    Shared(Shared<'a>),
    Reaching {
        own: Peekable<Own<'a>>,
        shared: Peekable<Shared<'a>>,
    },
    From(From<'a>),
}

impl<'a> Chosen<'a> {
    /// Those that are meant, from that position on.
    pub(super) fn new(choice: Choice<'a>, metadata: &'a Metadata, start: u32) -> Self {
        let mut from = choice.from;
        let walk = match choice.whose {
            To::None => Walk::All(0..0),
            To::Own(id) => Walk::Own(Own::new(metadata, id, start)),
            To::Written(_) => Walk::Shared(Shared::new(choice, metadata, start)),
            To::Reaching(id) => Walk::Reaching {
                own: Own::new(metadata, id, start).peekable(),
                shared: Shared::new(choice, metadata, start).peekable(),
            },
            To::Any => match from.take() {
                Some(sender) => Walk::From(From::new(metadata, sender, start)),
                None => Walk::All(start..metadata.count()),
            },
        };
        Self {
            metadata,
            walk,
            from,
        }
    }
}

/// Where the messages of letters are stored that are meant, one after the other.
pub(super) enum Slots<'a> {
    /// Side by side.
    Row(Range<u32>),
    Listed(slice::Iter<'a, u32>),
}

impl<'a> Chosen<'a> {
    /// The slots of the next of them, if any are left: as many as are known without looking at each.
    pub(super) fn next_slots(&mut self) -> Option<Slots<'a>> {
        if self.from.is_none() {
            let slots = match &mut self.walk {
                Walk::All(all) if !self.metadata.are_sorted() => Some(all),
                Walk::Own(Own::InARow(own)) => Some(own),
                Walk::Own(Own::Listed(own)) => {
                    let own = std::mem::take(own);
                    return (!own.as_slice().is_empty()).then_some(Slots::Listed(own));
                }
                _ => None,
            };
            if let Some(slots) = slots {
                let slots = std::mem::take(slots);
                return (!slots.is_empty()).then_some(Slots::Row(slots));
            }
        }
        self.next().map(|slot| Slots::Row(slot..slot + 1))
    }
}

impl Iterator for Chosen<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let metadata = self.metadata;
        loop {
            let slot = match &mut self.walk {
                Walk::Own(own) => own.next()?,
                Walk::All(range) => metadata.slot(range.next()?),
                Walk::Shared(shared) => metadata.slot(shared.next()?),
                Walk::Reaching { own, shared } => next_of_both(metadata, own, shared)?,
                Walk::From(from) => metadata.slot(from.next()?),
            };
            match self.from {
                Some(from) if metadata.mark_of_slot(slot).sender != from => {}
                _ => return Some(slot),
            }
        }
    }
}

/// The slot of the one that comes first.
fn next_of_both(
    metadata: &Metadata,
    own: &mut Peekable<Own<'_>>,
    shared: &mut Peekable<Shared<'_>>,
) -> Option<u32> {
    let shared_is_first = match (own.peek(), shared.peek()) {
        (Some(&slot), Some(&at)) => at < metadata.position(slot),
        (own, _) => own.is_none(),
    };
    if shared_is_first {
        shared.next().map(|at| metadata.slot(at))
    } else {
        own.next()
    }
}

/// The slots of the letters for one messagee alone.
#[derive(Clone)]
enum Own<'a> {
    InARow(Range<u32>),
    Listed(slice::Iter<'a, u32>),
    Scanned(&'a Metadata, Range<u32>, MessageeId),
}

impl<'a> Own<'a> {
    fn new(metadata: &'a Metadata, id: MessageeId, start: u32) -> Self {
        match metadata.slots_of(id) {
            SlotsOf::InARow(mut slots) => {
                while start > 0 && !slots.is_empty() && metadata.position(slots.start) < start {
                    slots.start += 1;
                }
                Self::InARow(slots)
            }
            SlotsOf::Listed(slots) => {
                let skipped = match start {
                    0 => 0,
                    _ => slots.partition_point(|&at| at < start),
                };
                Self::Listed(slots[skipped..].iter())
            }
            SlotsOf::AmongAll => Self::Scanned(metadata, start..metadata.count(), id),
        }
    }
}

impl Iterator for Own<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Self::InARow(slots) => slots.next(),
            Self::Listed(slots) => slots.next().copied(),
            Self::Scanned(metadata, range, id) => metadata.next_for(*id, range),
        }
    }
}

/// The letters that were not written to one id: those that were written to exactly what is asked
/// for, or that reach a messagee.
#[derive(Clone)]
struct Shared<'a> {
    choice: Choice<'a>,
    metadata: &'a Metadata,
    written: slice::Iter<'a, Written>,
    /// The letters with the recipient `to` that are left.
    current: Range<u32>,
    to: Recipient,
    start: u32,
}

impl<'a> Shared<'a> {
    fn new(choice: Choice<'a>, metadata: &'a Metadata, start: u32) -> Self {
        Self {
            choice,
            metadata,
            written: metadata.written(start).iter(),
            current: 0..0,
            to: Recipient::Everyone,
            start,
        }
    }
}

impl Iterator for Shared<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (choice, metadata) = (&self.choice, self.metadata);
        loop {
            let to = self.to;
            let meant = self.current.find(|&at| match choice.whose {
                To::Written(wanted) => to == wanted,
                To::Reaching(id) => choice.reaches(id, metadata, at, to),
                To::Any | To::None | To::Own(_) => false,
            });
            if meant.is_some() {
                return meant;
            }
            let written = self.written.next()?;
            self.current = written.first.max(self.start)..written.end;
            self.to = written.to;
        }
    }
}

/// The letters from one sender: run by run.
#[derive(Clone)]
struct From<'a> {
    metadata: &'a Metadata,
    sender: Sender,
    start: u32,
    runs: Runs<'a>,
    current: Range<u32>,
}

/// The runs of one sender, or those among which they are.
#[derive(Clone)]
enum Runs<'a> {
    Indexed(slice::Iter<'a, u32>),
    Scanned(Range<usize>),
}

impl<'a> From<'a> {
    fn new(metadata: &'a Metadata, sender: Sender, start: u32) -> Self {
        let own = sender.id().and_then(|id| metadata.runs_of(id));
        let runs = match own {
            Some(runs) => Runs::Indexed(runs.iter()),
            None => Runs::Scanned(0..metadata.run_count()),
        };
        Self {
            metadata,
            sender,
            start,
            runs,
            current: 0..0,
        }
    }
}

impl Iterator for From<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            if let Some(at) = self.current.next() {
                return Some(at);
            }
            let run = match &mut self.runs {
                Runs::Indexed(runs) => *runs.next()? as usize,
                Runs::Scanned(runs) => runs.next()?,
            };
            let (sender, range) = self.metadata.run(run);
            if sender == self.sender {
                self.current = range.start.max(self.start)..range.end;
            }
        }
    }
}
