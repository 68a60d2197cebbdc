//! The positions of the letters that are meant, in order.

use std::iter::Peekable;
use std::ops::Range;
use std::slice;

use super::choice::{Choice, Whose};
use super::covers::{Covers, Place};
use crate::address::{MessageeId, Recipient, Sender};

#[derive(Clone)]
pub(super) struct Positions<'a> {
    covers: &'a Covers,
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

impl<'a> Positions<'a> {
    /// Those that are meant, from that position on.
    pub(super) fn new(choice: Choice<'a>, covers: &'a Covers, start: u32) -> Self {
        let mut from = choice.from;
        let walk = match choice.whose {
            Whose::Nobodys => Walk::All(0..0),
            Whose::Own(id) => Walk::Own(Own::new(covers, id, start)),
            Whose::Written(_) => Walk::Shared(Shared::new(choice, covers, start)),
            Whose::Reaching(id) => Walk::Reaching {
                own: Own::new(covers, id, start).peekable(),
                shared: Shared::new(choice, covers, start).peekable(),
            },
            Whose::Anybodys => match from.take() {
                Some(sender) => Walk::From(From::new(covers, sender, start)),
                None => Walk::All(start..covers.count()),
            },
        };
        Self { covers, walk, from }
    }
}

impl Iterator for Positions<'_> {
    type Item = Place;

    #[inline]
    fn next(&mut self) -> Option<Place> {
        loop {
            let place = match &mut self.walk {
                Walk::Own(own) => own.next()?,
                walk => {
                    let at = walk.next_position()?;
                    self.covers.place(at)
                }
            };
            match self.from {
                Some(from) if self.covers.mark(place.at).sender != from => {}
                _ => return Some(place),
            }
        }
    }
}

impl Walk<'_> {
    #[inline]
    fn next_position(&mut self) -> Option<u32> {
        match self {
            Walk::All(range) => range.next(),
            Walk::Own(own) => own.next().map(|place| place.at),
            Walk::Shared(shared) => shared.next(),
            Walk::Reaching { own, shared } => next_of_both(own, shared),
            Walk::From(from) => from.next(),
        }
    }
}

/// The lower of two that are never equal.
fn next_of_both(own: &mut Peekable<Own<'_>>, shared: &mut Peekable<Shared<'_>>) -> Option<u32> {
    match (own.peek(), shared.peek()) {
        (Some(own_place), Some(&at)) if at < own_place.at => shared.next(),
        (None, _) => shared.next(),
        _ => own.next().map(|place| place.at),
    }
}

/// The letters for one messagee alone.
#[derive(Clone)]
enum Own<'a> {
    /// The ranks, and the positions by rank.
    Indexed(&'a Covers, Range<u32>, &'a [u32]),
    Scanned(&'a Covers, Range<u32>, MessageeId),
}

impl<'a> Own<'a> {
    fn new(covers: &'a Covers, id: MessageeId, start: u32) -> Self {
        match covers.letters_of(id) {
            Some((mut ranks, positions)) => {
                while start > 0 && !ranks.is_empty() && positions[ranks.start as usize] < start {
                    ranks.start += 1;
                }
                Self::Indexed(covers, ranks, positions)
            }
            None => Self::Scanned(covers, start..covers.count(), id),
        }
    }
}

impl Iterator for Own<'_> {
    type Item = Place;

    #[inline]
    fn next(&mut self) -> Option<Place> {
        match self {
            Self::Indexed(covers, ranks, positions) => {
                let rank = ranks.next()?;
                Some(covers.place_of_rank(rank, positions[rank as usize]))
            }
            Self::Scanned(covers, range, id) => {
                let at = range.find(|&at| covers.is_for(at, *id))?;
                Some(covers.place(at))
            }
        }
    }
}

/// The letters that were not written to one id: those that were written to exactly what is asked
/// for, or that reach a messagee.
#[derive(Clone)]
struct Shared<'a> {
    choice: Choice<'a>,
    covers: &'a Covers,
    written: slice::Iter<'a, (u32, Recipient)>,
}

impl<'a> Shared<'a> {
    fn new(choice: Choice<'a>, covers: &'a Covers, start: u32) -> Self {
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
            Whose::Written(to) => written.1 == to,
            Whose::Reaching(id) => choice.reaches(id, covers, written),
            Whose::Anybodys | Whose::Nobodys | Whose::Own(_) => false,
        });
        meant.map(|&(at, _)| at)
    }
}

/// The letters from one sender: run by run.
#[derive(Clone)]
struct From<'a> {
    covers: &'a Covers,
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
    fn new(covers: &'a Covers, sender: Sender, start: u32) -> Self {
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
