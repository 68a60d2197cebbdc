//! The parts of a batch that say where something comes from: the send behind a message, and the step that has answered or
//! refused one.

use message_core::trace::TraceContext;

use crate::node::entry::tag;
use crate::pack::{Malformed, Packer, Unpacker};

/// The send that a message comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cause<'b> {
    /// The number of the send at the sender.
    pub(crate) send: u64,
    /// The number of the line of source that has sent it, in this session. Lines behind the first ones have none.
    pub(crate) place: Option<u32>,
    /// The line, unless it was named before.
    pub(crate) named: Option<&'b str>,
    /// The ids by which other programs know the send.
    pub(crate) context: Option<TraceContext>,
}

impl<'b> Cause<'b> {
    pub(super) fn write(&self, to: &mut Packer) {
        to.array(match self {
            Self {
                context: Some(_), ..
            } => 5,
            Self { named: Some(_), .. } => 4,
            _ => 3,
        });
        to.uint(tag::CAUSE);
        to.uint(self.send);
        match self.place {
            None => to.nil(),
            Some(place) => to.uint(place.into()),
        }
        match (self.named, self.context) {
            (Some(named), _) => to.str(named),
            (None, Some(_)) => to.nil(),
            (None, None) => {}
        }
        if let Some(TraceContext { trace, span }) = self.context {
            to.bin_head(trace.len() + span.len());
            to.0.extend_from_slice(&trace);
            to.0.extend_from_slice(&span);
        }
    }

    /// Reads the part of the entry after its number.
    pub(super) fn read(from: &mut Unpacker<'b>, parts: usize) -> Result<Self, Malformed> {
        let mut cause = Self {
            send: from.uint()?,
            place: from.option(Unpacker::u32)?,
            named: None,
            context: None,
        };
        if parts > 3 {
            cause.named = from.option(Unpacker::str)?;
        }
        if parts > 4 {
            let before = *from;
            let bytes = from.bin()?;
            let context = bytes.split_first_chunk().and_then(|(&trace, rest)| {
                let span = rest.try_into().ok()?;
                Some(TraceContext { trace, span })
            });
            let wrong = || before.wrong(format!("expected 24 bytes, found {}", bytes.len()));
            cause.context = Some(context.ok_or_else(wrong)?);
        }
        Ok(cause)
    }
}

/// The step that has answered or refused a message, if its sender has named the send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Back<'b> {
    /// The number of the send, as the cause of the message named it.
    pub(crate) sent: u64,
    /// The frame in which it was answered or refused.
    pub(crate) frame: u64,
    /// The number of the delivery that has answered or failed, or of the message's arrival. `None` if nothing was traced.
    pub(crate) number: Option<u64>,
    /// The line of the handler that has answered or failed.
    pub(crate) line: Option<&'b str>,
}

impl<'b> Back<'b> {
    /// Writes the last part of an answer or a refusal.
    pub(super) fn write(&self, to: &mut Packer) {
        to.array(2 + usize::from(self.number.is_some()) + usize::from(self.line.is_some()));
        to.uint(self.sent);
        to.uint(self.frame);
        if let Some(number) = self.number {
            to.uint(number);
        }
        if let Some(line) = self.line {
            to.str(line);
        }
    }

    pub(super) fn read(from: &mut Unpacker<'b>) -> Result<Self, Malformed> {
        let before = *from;
        let parts = from.array()?;
        if !(2..=4).contains(&parts) {
            let what = format!("an answer comes from 2 to 4 parts: found {parts}");
            return Err(before.wrong(what));
        }
        Ok(Self {
            sent: from.uint()?,
            frame: from.uint()?,
            number: (parts > 2).then(|| from.uint()).transpose()?,
            line: (parts > 3).then(|| from.str()).transpose()?,
        })
    }
}
