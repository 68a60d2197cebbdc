//! The list of everything that was ever published.

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::time::Moment;

use super::read::{Look, Seen, Selection};
use super::{CAPTAIN, CREW};
use message_core::error::Limit;

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[self.below(choice.len())]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Red,
    Blue,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    pub(crate) kind: Kind,
    pub(crate) to: Recipient,
    pub(crate) address: Option<MessageeId>,
    pub(crate) sender: Sender,
    pub(crate) published: Moment,
    /// Whether it is dropped.
    pub(crate) gone: bool,
}

/// From which entry on a cursor reads, if it has read.
pub(crate) type Next = Option<u64>;

pub(crate) struct Naive {
    pub(crate) entries: Vec<Entry>,
    /// Retention of red and of blue messages.
    pub(crate) retention: [u64; 2],
    /// Cursors over red, over blue and over all messages.
    cursors: [[Next; 2]; 3],
}

impl Default for Naive {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            retention: [1, 1],
            cursors: Default::default(),
        }
    }
}

impl Naive {
    pub(crate) fn published_in(&self, frame: u64) -> usize {
        let entries = self.entries.iter().rev();
        entries
            .take_while(|entry| entry.published.frame == frame)
            .count()
    }

    pub(crate) fn begin_frame(&mut self, frame: u64) {
        for entry in &mut self.entries {
            let retention = self.retention[entry.kind as usize];
            entry.gone |= entry.published.frame + retention < frame;
        }
    }

    pub(crate) fn cursor_of(&self, kind: Option<Kind>, at: usize) -> Next {
        self.cursors[kind.map_or(2, |kind| kind as usize)][at]
    }

    pub(crate) fn move_cursor(&mut self, kind: Option<Kind>, at: usize, frame: u64) {
        let ended = self.entries.iter();
        let ended = ended.filter(|entry| entry.published.frame < frame).count();
        self.cursors[kind.map_or(2, |kind| kind as usize)][at] = Some(ended as u64);
    }

    /// Returns the messages that a reader finds, and how many a cursor has missed.
    pub(crate) fn find(
        &self,
        manager: &MessageManager,
        look: Look,
        selection: Selection,
        reader: Option<MessageeId>,
        cursor: Next,
    ) -> (Vec<Seen>, u64) {
        let frame = manager.clock().frame();
        let kind = look.kind();
        let entries = self.entries.iter();
        let entries = entries.filter(|entry| kind.is_none_or(|kind| kind == entry.kind));
        let of_time = |entry: &Entry| match look {
            Look::RedPending | Look::BluePending => entry.published.frame == frame,
            Look::RedSince(_) | Look::BlueSince(_) | Look::AnySince(_) => {
                entry.published.frame < frame && cursor.is_none_or(|next| entry.number >= next)
            }
            Look::Red | Look::Blue | Look::Any => entry.published.frame + 1 == frame,
        };
        let (mut seen, mut missed) = (Vec::new(), 0);
        for entry in entries.filter(|entry| of_time(entry)) {
            if entry.gone {
                missed += u64::from(cursor.is_some());
            } else if is_meant(manager, entry, selection, reader) {
                seen.push(Seen::of(entry));
            }
        }
        (seen, missed)
    }
}

fn is_meant(
    manager: &MessageManager,
    entry: &Entry,
    selection: Selection,
    reader: Option<MessageeId>,
) -> bool {
    let for_one = |id: Option<MessageeId>| id.is_some() && entry.address == id;
    selection.to.is_none_or(|to| match to {
        Recipient::Id(id) => for_one(Some(id)),
        Me => for_one(reader),
        Recipient::Mnemonic(_) => for_one(manager.bound(CAPTAIN)),
        _ => entry.to == to,
    }) && selection
        .reaching
        .is_none_or(|id| entry.address == Some(id) || reaches(manager, entry, id))
        && selection.from.is_none_or(|from| entry.sender == from)
        && !(selection.odd && entry.number.is_multiple_of(2))
}

fn reaches(manager: &MessageManager, entry: &Entry, id: MessageeId) -> bool {
    let component = manager.get::<()>(id).map(drop);
    if component
        == Err(MessageeError::Absent {
            id,
            why: Absence::OtherManager,
        })
    {
        return false;
    }
    let is_above = |high: MessageeId, low: MessageeId| {
        let mut up = std::iter::successors(Some(low), |&id| manager.parent(id));
        up.any(|id| id == high)
    };
    match entry.to {
        Everyone => true,
        EveryoneElse => entry.sender != Sender::Messagee(id),
        Recipient::Group(_) => manager.members(CREW).any(|member| member == id),
        Recipient::Up(low) => is_above(id, low),
        Recipient::Down(high) => is_above(high, id),
        _ => false,
    }
}

pub(crate) fn name(error: &SendError) -> &'static str {
    match error.kind() {
        SendErrorKind::Absent(Absence::Gone) => "Gone",
        SendErrorKind::Absent(Absence::OtherManager) => "OtherManager",
        SendErrorKind::NoSender => "NoSender",
        SendErrorKind::Absent(Absence::Unbound) => "Unbound",
        SendErrorKind::AtLimit {
            limit: Limit::Published(_),
            ..
        } => "Published",
        _ => "another",
    }
}
