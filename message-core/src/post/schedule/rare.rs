//! The data that few messages have: a recipient that is no messagee, a key, deliveries that repeat.

use crate::address::{MessageeId, Recipient};
use crate::header::{Header, PostKey};
use crate::post::schedule::repeat::Series;

#[derive(Clone, Copy, Debug)]
pub(super) struct Rare {
    pub(super) to: Recipient,
    pub(super) key: Option<PostKey>,
    /// How a message goes on that repeats. It has a stamp of its own.
    pub(super) series: Option<Series>,
    pub(super) stamp: u32,
}

impl Rare {
    /// Returns the messagee that a message is for, or what is rare about it.
    pub(super) fn of(header: &Header, sender: Option<MessageeId>) -> Result<MessageeId, Self> {
        match header.to {
            Recipient::Id(to) if header.key.is_none() && header.repeat.is_none() => Ok(to),
            to => Err(Self {
                to,
                key: header.key_for(sender),
                series: header.repeat.map(Series::new),
                stamp: 0,
            }),
        }
    }
}
