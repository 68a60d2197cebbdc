//! The letters that are meant, in the order published: the slots in which their messages are
//! stored.

use std::iter::Peekable;
use std::ops::Range;
use std::slice;

use super::choice::{Choice, To};
use super::metadata::{Metadata, Slots};
use crate::address::{MessageeId, Recipient, Sender};

#[derive(Clone)]
pub(super) struct Chosen<'a> {
    covers: &'a Metadata,
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
    pub(super) fn new(choice: Choice<'a>, covers: &'a Metadata, start: u32) -> Self {
        let mut from = choice.from;
        let walk = match choice.whose {
            To::None => Walk::All(0..0),
            To::Own(id) => Walk::Own(Own::new(covers, id, start)),
            To::Written(_) => Walk::Shared(Shared::new(choice, covers, start)),
            To::Reaching(id) => Walk::Reaching {
                own: Own::new(covers, id, start).peekable(),
                shared: Shared::new(choice, covers, start).peekable(),
            },
            To::Any => match from.take() {
                Some(sender) => Walk::From(From::new(covers, sender, start)),
                None => Walk::All(start..covers.count()),
            },
        };
        Self { covers, walk, from }
    }
}

impl Iterator for Chosen<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        // What many readers do a million times comes first.
        if let Walk::Own(Own::InARow(slots)) = &mut self.walk
            && self.from.is_none()
        {
            return slots.next();
        }
        let covers = self.covers;
        loop {
            let slot = match &mut self.walk {
                Walk::Own(own) => own.next()?,
                Walk::All(range) => covers.slot(range.next()?),
                Walk::Shared(shared) => covers.slot(shared.next()?),
                Walk::Reaching { own, shared } => next_of_both(covers, own, shared)?,
                Walk::From(from) => covers.slot(from.next()?),
            };
            match self.from {
                Some(from) if covers.mark_of_slot(slot).sender != from => {}
                _ => return Some(slot),
            }
        }
    }
}

/// The slot of the one that comes first.
fn next_of_both(
    covers: &Metadata,
    own: &mut Peekable<Own<'_>>,
    shared: &mut Peekable<Shared<'_>>,
) -> Option<u32> {
    let shared_is_first = match (own.peek(), shared.peek()) {
        (Some(&slot), Some(&at)) => at < covers.position(slot),
        (own, _) => own.is_none(),
    };
    if shared_is_first {
        shared.next().map(|at| covers.slot(at))
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
    fn new(covers: &'a Metadata, id: MessageeId, start: u32) -> Self {
        match covers.slots_of(id) {
            Slots::InARow(mut slots) => {
                while start > 0 && !slots.is_empty() && covers.position(slots.start) < start {
                    slots.start += 1;
                }
                Self::InARow(slots)
            }
            Slots::Listed(slots) => {
                let skipped = match start {
                    0 => 0,
                    _ => slots.partition_point(|&at| at < start),
                };
                Self::Listed(slots[skipped..].iter())
            }
            Slots::AmongAll => Self::Scanned(covers, start..covers.count(), id),
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
            Self::Scanned(covers, range, id) => range.find(|&at| covers.is_for(at, *id)),
        }
    }
}

/// The letters that were not written to one id: those that were written to exactly what is asked
/// for, or that reach a messagee.
#[derive(Clone)]
struct Shared<'a> {
    choice: Choice<'a>,
    covers: &'a Metadata,
    written: slice::Iter<'a, (u32, Recipient)>,
}

impl<'a> Shared<'a> {
    fn new(choice: Choice<'a>, covers: &'a Metadata, start: u32) -> Self {
        let written = covers.written();
        let skipped = written.partition_point(|&(at, _)| at < start);
        Self {
            choice,
            covers,
            written: written[skipped..].iter(),
        }
    }
}

impl Iterator for Shared<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (choice, covers) = (&self.choice, self.covers);
        let meant = self.written.find(|written| match choice.whose {
            To::Written(to) => written.1 == to,
            To::Reaching(id) => choice.reaches(id, covers, written),
            To::Any | To::None | To::Own(_) => false,
        });
        meant.map(|&(at, _)| at)
    }
}

/// The letters from one sender: run by run.
#[derive(Clone)]
struct From<'a> {
    covers: &'a Metadata,
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
    fn new(covers: &'a Metadata, sender: Sender, start: u32) -> Self {
        let own = sender.id().and_then(|id| covers.runs_of(id));
        let runs = match own {
            Some(runs) => Runs::Indexed(runs.iter()),
            None => Runs::Scanned(0..covers.run_count()),
        };
        Self {
            covers,
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
            let (sender, range) = self.covers.run(run);
            if sender == self.sender {
                self.current = range.start.max(self.start)..range.end;
            }
        }
    }
}
