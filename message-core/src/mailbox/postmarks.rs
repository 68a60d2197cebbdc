//! The postmarks of the letters of one type and frame.
//!
//! Equal postmarks in a row are stored once, as a run: letters that one call has published, whose numbers follow
//! each other. Only the messagees of letters that were written to ids are stored for each letter. A stream to
//! everyone therefore stores nothing per letter.
//!
//! Nothing is sorted while letters are published. A reader that asks for one recipient or one sender among many
//! letters builds an index, once.

use std::ops::Range;
use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::by_field::clone_by_field;
use crate::mailbox::Numbers;
use crate::mailbox::index::{Found, Lazy};
use crate::trace::TraceId;

/// This many letters or runs are searched without an index.
const FEW: usize = 32;

/// The postmark of a letter: everything but its message.
#[derive(Clone, Copy, Debug)]
pub struct Postmark {
    /// The recipient as the sender wrote it. For a family, the messagee replaces its mnemonic.
    pub to: Recipient,
    /// The messagee that the letter is for, if it is for just one and `to` is not its id.
    pub address: Option<MessageeId>,
    pub sender: Sender,
    /// Not in a save: restored letters have the place of the call that restores them.
    pub place: &'static Location<'static>,
    /// The scaled time in nanoseconds.
    pub time: u64,
    /// The number of the letter among those of all types.
    pub number: u64,
    /// The number in the trace, if the letter is traced.
    pub trace: Option<TraceId>,
}

/// Letters in a row with equal postmarks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The position of the first letter.
    first: u32,
    /// The place of the first letter in the list of ids, if the letters are written to ids.
    first_id: u32,
    /// The postmark of the first letter.
    pub(super) postmark: Postmark,
}

impl Run {
    pub(super) fn is_to_ids(&self) -> bool {
        matches!(self.postmark.to, Recipient::Id(_))
    }

    /// Returns `true` if a letter at a position belongs to the run.
    fn includes(&self, at: u32, other: &Postmark) -> bool {
        let (own, further) = (&self.postmark, at - self.first);
        let is_alike = match (own.to, other.to) {
            (Recipient::Id(_), Recipient::Id(_)) => true,
            (own_to, to) => own_to == to && own.address == other.address,
        };
        is_alike
            && own.number + u64::from(further) == other.number
            && own.sender == other.sender
            && std::ptr::eq(own.place, other.place)
            && own.time == other.time
            && own.trace.map(|first| first.plus(further)) == other.trace
    }
}

#[derive(Default)]
pub struct Postmarks {
    pub count: u32,
    /// The frame in which the letters were published, once somebody can read them.
    pub frame: u64,
    /// `true` if no more letters are added, so that indices stay valid.
    pub is_closed: bool,
    runs: Vec<Run>,
    /// The messagees of the letters that were written to ids.
    ids: Vec<MessageeId>,
    /// The runs of letters that were not written to ids.
    pub(super) shared: Vec<u32>,
    by_recipient: Lazy,
    by_sender: Lazy,
}

clone_by_field!(Postmarks { count, frame, is_closed, runs, ids, shared } new { by_recipient, by_sender });

impl Postmarks {
    /// Adds a letter. It begins a run, unless it belongs to the last one.
    pub(super) fn push(&mut self, postmark: Postmark) {
        let at = self.count;
        let belongs = |run: &Run| run.includes(at, &postmark);
        if !self.runs.last().is_some_and(belongs) {
            let run = Run {
                first: at,
                first_id: small(self.ids.len()),
                postmark,
            };
            if !run.is_to_ids() {
                self.shared.push(small(self.runs.len()));
            }
            self.runs.push(run);
        }
        self.push_to_run(postmark.to);
    }

    /// Adds letters to the last run, all of them to one recipient.
    pub(super) fn extend_run(&mut self, to: Recipient, count: u32) {
        if let Recipient::Id(id) = to {
            self.ids.resize(self.ids.len() + count as usize, id);
        }
        self.count += count;
    }

    /// Adds a letter to the last run.
    #[inline]
    pub(super) fn push_to_run(&mut self, to: Recipient) {
        if let Recipient::Id(id) = to {
            self.ids.push(id);
        }
        self.count += 1;
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.is_closed = false;
        self.runs.clear();
        self.ids.clear();
        self.shared.clear();
        self.by_recipient.clear();
        self.by_sender.clear();
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.runs.shrink_to_fit();
        self.ids.shrink_to_fit();
        self.shared.shrink_to_fit();
        // Built again when they are asked for.
        self.by_recipient = Lazy::default();
        self.by_sender = Lazy::default();
    }

    /// Returns the numbers of all runs.
    pub(super) fn all_runs(&self) -> Numbers<'_> {
        Numbers::All(0..small(self.runs.len()))
    }

    /// Returns a run and the positions of its letters.
    pub(super) fn run(&self, number: u32) -> (&Run, Range<u32>) {
        let run = &self.runs[number as usize];
        let next = self.runs.get(number as usize + 1);
        (run, run.first..next.map_or(self.count, |next| next.first))
    }

    /// Returns the messagees of the letters of a run that is written to ids. It has that many.
    pub(super) fn ids_of(&self, run: &Run, count: usize) -> &[MessageeId] {
        let start = run.first_id as usize;
        &self.ids[start..start + count]
    }

    /// Returns the postmark of the letter at a position.
    pub fn get(&self, at: u32) -> Postmark {
        let behind = self.runs.partition_point(|run| run.first <= at);
        let run = &self.runs[behind - 1];
        let (mut postmark, further) = (run.postmark, at - run.first);
        if run.is_to_ids() {
            postmark.to = Recipient::Id(self.ids[(run.first_id + further) as usize]);
        }
        postmark.number += u64::from(further);
        postmark.trace = postmark.trace.map(|first| first.plus(further));
        postmark
    }

    /// Returns the positions of the letters for one messagee, or `None` if there is no index.
    pub(super) fn for_one(&self, id: MessageeId) -> Option<Found<'_>> {
        let most = self.count as usize;
        let is_indexed = self.is_closed && most > FEW;
        is_indexed.then(|| self.by_recipient.get(most, || self.addresses()).find(id))
    }

    /// Returns the runs of one sender, perhaps with others.
    pub(super) fn runs_from(&self, sender: Sender) -> Numbers<'_> {
        let is_indexed = self.is_closed && self.runs.len() > FEW;
        let Some(id) = sender.id().filter(|_| is_indexed) else {
            return self.all_runs();
        };
        let sent = |(number, run): (u32, &Run)| Some((run.postmark.sender.id()?, number));
        let senders = || (0..).zip(&self.runs).filter_map(sent);
        let index = self.by_sender.get(self.runs.len(), senders);
        Numbers::Listed(index.find(id).candidates.iter())
    }

    /// Returns the messagee and the position of each letter that is for just one.
    fn addresses(&self) -> impl Iterator<Item = (MessageeId, u32)> + Clone {
        self.all_runs().flat_map(|number| {
            let (run, positions) = self.run(number);
            let (ids, all_for) = if run.is_to_ids() {
                (self.ids_of(run, positions.len()), None)
            } else {
                (&[][..], run.postmark.address)
            };
            let own = ids.iter().copied().zip(positions.clone());
            let for_one = all_for.map(|id| std::iter::repeat(id).zip(positions));
            own.chain(for_one.into_iter().flatten())
        })
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 messages are published in a frame")
}
