//! The messages between two nodes: the entries of a batch.
//!
//! A messagee is known to another node by a handle: a number that its own node has assigned for that node
//! alone. So a node can reach only messagees that it has learned about.

use crate::node::ledger::{Sum, Taken};
use crate::node::origin::{Back, Cause};
use crate::pack::{Malformed, Next, Packer, Unpacker};

/// The version of the entries. A node refuses a node with another version.
pub(crate) const VERSION: u64 = 7;

/// The maximum length of another node's name for an export, a mnemonic or a group, in bytes. Longer names are
/// not kept.
pub(crate) const LONGEST_NAME: usize = 1 << 10;

/// The maximum length in bytes of a receiver's name in a message that others can follow. A refusal
/// of one of those repeats the name.
const LONGEST_REPEATED: usize = 64;

/// The maximum number of ids in a message.
const MOST_IDS: usize = 1 << 16;

/// The recipient of a message at the receiving node. The names either borrow from the batch or are owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target<N> {
    /// A messagee, by a handle that the receiving node has assigned.
    Handle(u32),
    /// A messagee, by the name under which it is exported.
    Export(N),
    Mnemonic(N),
    Group(N),
    /// Outside of all messagees: nothing can be sent there.
    Outside,
}

/// A messagee, as the sending node knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Address<N> {
    /// A messagee of the sending node, by its handle.
    Mine(u32),
    /// A messagee of the receiving node.
    Yours(Target<N>),
    /// A messagee of a third node, which exports it.
    Export(N),
}

/// One piece of information from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'b> {
    Say(Say<'b>),
    /// A message was not accepted: its entry, and the reason.
    Refused {
        say: &'b [u8],
        why: &'b str,
        back: Option<Back<'b>>,
    },
    /// The messagee that the receiver knows by this handle has ended.
    Ended {
        handle: u32,
    },
    /// The sender is interested in an export.
    Wants {
        name: &'b str,
    },
    /// The export exists, and is known by this handle from now on; without a handle, it no longer exists.
    Exported {
        name: &'b str,
        handle: Option<u32>,
    },
    /// The group spans the two nodes, or no longer does.
    Group {
        name: &'b str,
        open: bool,
    },
    /// The answer to a request.
    Answer {
        ticket: u64,
        answer: Answer<'b>,
        back: Option<Back<'b>>,
    },
    /// The proxy of this handle has ended: the receiver can forget the handle.
    Released {
        handle: u32,
    },
    /// The sender has a proxy for this handle. If its messagee has ended, the sender missed the notice.
    Holds {
        handle: u32,
    },
    /// A session has begun again, and the sender has proxies for no handles other than those in `Holds`.
    HoldsNoOther,
    /// The number of messages of the receiver's current run that the sender has taken. Refusals of these messages
    /// precede it.
    Taken(Taken),
    /// The send that the next message comes from, if the sender is traced.
    Cause(Cause<'b>),
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Say<'b> {
    pub(crate) to: Target<&'b str>,
    /// The sender; `None` for a message from outside of all messagees.
    pub(crate) from: Option<Address<&'b str>>,
    /// The index of the type in the sending node's hello.
    pub(crate) of: u32,
    pub(crate) message: &'b [u8],
    pub(crate) ids: Vec<Address<&'b str>>,
    pub(crate) header: Option<&'b [u8]>,
    /// The ticket of a question, which expects an answer.
    pub(crate) ask: Option<u64>,
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer<'b> {
    Reply {
        ids: Vec<Address<&'b str>>,
        bytes: &'b [u8],
    },
    /// The reason why there is no reply: the number of an [`Unanswered`](message_data::ask::Unanswered), and a text.
    None { why: u32, text: &'b str },
}

impl Target<String> {
    /// Returns the same target with borrowed names.
    #[inline]
    pub(crate) fn borrowed(&self) -> Target<&str> {
        match self {
            Self::Handle(handle) => Target::Handle(*handle),
            Self::Export(name) => Target::Export(name),
            Self::Mnemonic(name) => Target::Mnemonic(name),
            Self::Group(name) => Target::Group(name),
            Self::Outside => Target::Outside,
        }
    }
}

impl<'b> Target<&'b str> {
    /// Returns the same target with owned names.
    pub(crate) fn owned(self) -> Target<String> {
        match self {
            Self::Handle(handle) => Target::Handle(handle),
            Self::Export(name) => Target::Export(name.to_owned()),
            Self::Mnemonic(name) => Target::Mnemonic(name.to_owned()),
            Self::Group(name) => Target::Group(name.to_owned()),
            Self::Outside => Target::Outside,
        }
    }

    fn write(self, to: &mut Packer) {
        let (kind, name) = match self {
            Self::Handle(handle) => return to.uint(handle.into()),
            Self::Outside => return to.nil(),
            Self::Export(name) => return to.str(name),
            Self::Mnemonic(name) => (0, name),
            Self::Group(name) => (1, name),
        };
        to.array(2);
        to.uint(kind);
        to.str(name);
    }

    #[inline]
    fn read(from: &mut Unpacker<'b>) -> Result<Self, Malformed> {
        match from.next_is() {
            Next::Number => from.u32().map(Self::Handle),
            Next::Text => from.str().map(Self::Export),
            _ => Self::read_rare(from),
        }
    }

    fn read_rare(from: &mut Unpacker<'b>) -> Result<Self, Malformed> {
        let before = *from;
        let Some(()) = from.option(|from| from.array_of(2))? else {
            return Ok(Self::Outside);
        };
        let kind = from.uint()?;
        let name = from.str()?;
        match kind {
            0 => Ok(Self::Mnemonic(name)),
            1 => Ok(Self::Group(name)),
            _ => Err(before.wrong(format!("there is no recipient of kind {kind}"))),
        }
    }
}

impl Address<String> {
    /// Returns the same address with borrowed names.
    pub(crate) fn borrowed(&self) -> Address<&str> {
        match self {
            Self::Mine(handle) => Address::Mine(*handle),
            Self::Yours(target) => Address::Yours(target.borrowed()),
            Self::Export(name) => Address::Export(name),
        }
    }
}

impl<'b> Address<&'b str> {
    fn write(self, to: &mut Packer) {
        match self {
            Self::Mine(handle) => to.uint(handle.into()),
            Self::Export(name) => to.str(name),
            Self::Yours(target) => {
                to.array(1);
                target.write(to);
            }
        }
    }

    #[inline]
    fn read(from: &mut Unpacker<'b>) -> Result<Self, Malformed> {
        match from.next_is() {
            Next::Number => from.u32().map(Self::Mine),
            Next::Text => from.str().map(Self::Export),
            _ => {
                from.array_of(1)?;
                Target::read(from).map(Self::Yours)
            }
        }
    }

    fn read_all(from: &mut Unpacker<'b>) -> Result<Vec<Self>, Malformed> {
        let len = from.array()?;
        if len > MOST_IDS {
            return Err(from.wrong(format!(
                "{len} ids in one message: expected at most {MOST_IDS}"
            )));
        }
        // The ids are read one by one, because the length is only claimed.
        let mut ids = Vec::new();
        for _ in 0..len {
            ids.push(Self::read(from)?);
        }
        Ok(ids)
    }

    fn write_all(ids: &[Self], to: &mut Packer) {
        to.array(ids.len());
        for id in ids {
            id.write(to);
        }
    }
}

/// The number of parts of a message including the entry's number. Up to three more can follow: ids, header,
/// ticket.
const LEAST_PARTS: usize = 5;
const MOST_PARTS: usize = LEAST_PARTS + 3;

impl<'b> Say<'b> {
    /// Returns `true` if it has neither ids nor a header, and asks nothing.
    pub(crate) fn is_plain(&self) -> bool {
        self.parts() == LEAST_PARTS
    }

    /// Returns `true` if messages that differ from it only in their contents can follow it without an entry.
    pub(crate) fn may_repeat(&self) -> bool {
        let name = match self.to {
            Target::Handle(_) | Target::Outside => "",
            Target::Export(name) | Target::Mnemonic(name) | Target::Group(name) => name,
        };
        let is_known = matches!(self.from, None | Some(Address::Mine(_)));
        self.is_plain() && is_known && name.len() <= LONGEST_REPEATED
    }

    fn parts(&self) -> usize {
        match self {
            Self { ask: Some(_), .. } => MOST_PARTS,
            Self {
                header: Some(_), ..
            } => MOST_PARTS - 1,
            _ => LEAST_PARTS + usize::from(!self.ids.is_empty()),
        }
    }

    pub(crate) fn write(&self, to: &mut Packer) {
        let parts = self.parts();
        to.array(parts);
        to.uint(tag::SAY);
        self.to.write(to);
        match self.from {
            None => to.nil(),
            Some(from) => from.write(to),
        }
        to.uint(self.of.into());
        to.bin(self.message);
        if parts > LEAST_PARTS {
            Address::write_all(&self.ids, to);
        }
        if parts > LEAST_PARTS + 1 {
            match self.header {
                None => to.nil(),
                Some(header) => to.bin(header),
            }
        }
        if let Some(ticket) = self.ask {
            to.uint(ticket);
        }
    }

    /// Reads the part of the entry after its number.
    #[inline]
    fn read(from: &mut Unpacker<'b>, parts: usize) -> Result<Self, Malformed> {
        let mut say = Self {
            to: Target::read(from)?,
            from: from.option(Address::read)?,
            of: from.u32()?,
            message: from.bin()?,
            ids: Vec::new(),
            header: None,
            ask: None,
        };
        if parts > LEAST_PARTS {
            say.ids = Address::read_all(from)?;
        }
        if parts > LEAST_PARTS + 1 {
            say.header = from.option(Unpacker::bin)?;
        }
        if parts > LEAST_PARTS + 2 {
            say.ask = from.option(Unpacker::uint)?;
        }
        Ok(say)
    }
}

/// The numbers of the entries.
pub(super) mod tag {
    pub(in crate::node) const SAY: u64 = 0;
    pub(in crate::node) const REFUSED: u64 = 1;
    pub(in crate::node) const ENDED: u64 = 2;
    pub(in crate::node) const WANTS: u64 = 3;
    pub(in crate::node) const EXPORTED: u64 = 4;
    pub(in crate::node) const GROUP: u64 = 5;
    pub(in crate::node) const ANSWER: u64 = 6;
    pub(in crate::node) const RELEASED: u64 = 7;
    pub(in crate::node) const HOLDS: u64 = 8;
    pub(in crate::node) const HOLDS_NO_OTHER: u64 = 9;
    pub(in crate::node) const TAKEN: u64 = 10;
    pub(in crate::node) const CAUSE: u64 = 11;
}

impl<'b> Entry<'b> {
    pub(crate) fn write(&self, to: &mut Packer) {
        let mut begin = |len: usize, tag| {
            to.array(len);
            to.uint(tag);
        };
        match self {
            Self::Say(say) => say.write(to),
            Self::Cause(cause) => cause.write(to),
            Self::Refused { say, why, back } => {
                begin(3 + usize::from(back.is_some()), tag::REFUSED);
                to.bin(say);
                to.str(why);
                if let Some(back) = back {
                    back.write(to);
                }
            }
            Self::Ended { handle } => {
                begin(2, tag::ENDED);
                to.uint((*handle).into());
            }
            Self::Wants { name } => {
                begin(2, tag::WANTS);
                to.str(name);
            }
            Self::Exported { name, handle } => {
                begin(3, tag::EXPORTED);
                to.str(name);
                match handle {
                    None => to.nil(),
                    Some(handle) => to.uint((*handle).into()),
                }
            }
            Self::Group { name, open } => {
                begin(3, tag::GROUP);
                to.str(name);
                to.bool(*open);
            }
            Self::Answer {
                ticket,
                answer,
                back,
            } => {
                begin(4 + usize::from(back.is_some()), tag::ANSWER);
                to.uint(*ticket);
                match answer {
                    Answer::Reply { ids, bytes } => {
                        Address::write_all(ids, to);
                        to.bin(bytes);
                    }
                    Answer::None { why, text } => {
                        to.uint((*why).into());
                        to.str(text);
                    }
                }
                if let Some(back) = back {
                    back.write(to);
                }
            }
            Self::Released { handle } => {
                begin(2, tag::RELEASED);
                to.uint((*handle).into());
            }
            Self::Holds { handle } => {
                begin(2, tag::HOLDS);
                to.uint((*handle).into());
            }
            Self::HoldsNoOther => begin(1, tag::HOLDS_NO_OTHER),
            Self::Taken(Taken { messages, refused }) => {
                begin(4, tag::TAKEN);
                to.uint(*messages);
                to.uint(refused.messages);
                to.uint(refused.questions);
            }
        }
    }

    /// Reads the next entry of a batch, or a message that follows the last one, `said`, without an entry.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`read`](Self::read), and one if no message can be followed.
    pub(crate) fn next(
        from: &mut Unpacker<'b>,
        said: &mut Option<Say<'b>>,
    ) -> Result<Self, Malformed> {
        if !from.is_at_bin() {
            let entry = Self::read(from)?;
            if let Self::Say(say) = &entry {
                *said = say.may_repeat().then(|| say.clone());
            }
            return Ok(entry);
        }
        let Some(said) = said else {
            return Err(from.wrong("a message without an entry follows none that it can follow"));
        };
        let message = from.bin()?;
        Ok(Self::Say(Say {
            message,
            ..said.clone()
        }))
    }

    /// Reads the next entry.
    ///
    /// # Errors
    ///
    /// Returns an error with the position if the bytes are not an entry. Nothing after it can be read then.
    #[inline]
    pub(crate) fn read(from: &mut Unpacker<'b>) -> Result<Self, Malformed> {
        let before = *from;
        let len = from.array()?;
        let tag = from.uint()?;
        let expected = match tag {
            tag::SAY if (LEAST_PARTS..=MOST_PARTS).contains(&len) => {
                return Ok(Self::Say(Say::read(from, len)?));
            }
            tag::SAY => {
                let what =
                    format!("a message has {LEAST_PARTS} to {MOST_PARTS} parts: found {len}");
                return Err(before.wrong(what));
            }
            tag::CAUSE if (3..=5).contains(&len) => {
                return Ok(Self::Cause(Cause::read(from, len)?));
            }
            tag::CAUSE => {
                let what = format!("a cause has 3 to 5 parts: found {len}");
                return Err(before.wrong(what));
            }
            tag::REFUSED | tag::EXPORTED | tag::GROUP => 3,
            tag::ENDED | tag::WANTS | tag::RELEASED | tag::HOLDS => 2,
            tag::ANSWER | tag::TAKEN => 4,
            tag::HOLDS_NO_OTHER => 1,
            _ => return Err(before.wrong(format!("there is no entry of kind {tag}"))),
        };
        let has_back = len == expected + 1 && matches!(tag, tag::REFUSED | tag::ANSWER);
        if len != expected && !has_back {
            let what = format!("an entry of kind {tag} has {expected} parts: found {len}");
            return Err(before.wrong(what));
        }
        let back = |from: &mut Unpacker<'b>| has_back.then(|| Back::read(from)).transpose();
        Ok(match tag {
            tag::REFUSED => Self::Refused {
                say: from.bin()?,
                why: from.str()?,
                back: back(from)?,
            },
            tag::ENDED => Self::Ended {
                handle: from.u32()?,
            },
            tag::WANTS => Self::Wants { name: from.str()? },
            tag::EXPORTED => Self::Exported {
                name: from.str()?,
                handle: from.option(Unpacker::u32)?,
            },
            tag::GROUP => Self::Group {
                name: from.str()?,
                open: from.bool()?,
            },
            tag::ANSWER => {
                let ticket = from.uint()?;
                let answer = if from.next_is() == Next::Number {
                    Answer::None {
                        why: from.u32()?,
                        text: from.str()?,
                    }
                } else {
                    Answer::Reply {
                        ids: Address::read_all(from)?,
                        bytes: from.bin()?,
                    }
                };
                Self::Answer {
                    ticket,
                    answer,
                    back: back(from)?,
                }
            }
            tag::RELEASED => Self::Released {
                handle: from.u32()?,
            },
            tag::HOLDS => Self::Holds {
                handle: from.u32()?,
            },
            tag::TAKEN => Self::Taken(Taken {
                messages: from.uint()?,
                refused: Sum {
                    messages: from.uint()?,
                    questions: from.uint()?,
                },
            }),
            _ => Self::HoldsNoOther,
        })
    }
}
