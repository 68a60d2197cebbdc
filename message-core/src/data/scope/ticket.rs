//! Tickets in files, which are read within a scope.

use std::sync::atomic::Ordering;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::data::scope::{Scope, numbered, numbered_or_asked, show};
use crate::post::{Fate, Ticket};
use crate::receipt::Receipt;

/// The number of a posting, or the receipt of a message that was delivered at once.
type Posting = (Option<u64>, u64);

/// The bits of each count of a receipt in a file: those who received the message, who will, who failed, and who were not
/// reached. The counts saturate. Above them is one bit, of a message that was consumed.
const COUNT_BITS: [u32; 4] = [21, 18, 14, 10];

fn packed(receipt: Receipt) -> u64 {
    let Receipt {
        received,
        pending,
        failed,
        unreached,
        consumed,
    } = receipt;
    let counts = [received, pending.into(), failed.into(), unreached.into()];
    let counts = counts.into_iter().zip(COUNT_BITS).rev();
    counts.fold(consumed.into(), |above, (count, bits)| {
        above << bits | u64::from(count).min((1 << bits) - 1)
    })
}

fn unpacked(mut rest: u64) -> Receipt {
    let [received, pending, failed, unreached] = COUNT_BITS.map(|bits| {
        let count = rest & ((1 << bits) - 1);
        rest >>= bits;
        u32::try_from(count).unwrap_or(u32::MAX)
    });
    let short = |count| u16::try_from(count).unwrap_or(u16::MAX);
    Receipt {
        received,
        pending: short(pending),
        failed: short(failed),
        unreached: short(unreached),
        consumed: rest != 0,
    }
}

impl Serialize for Ticket {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if Scope::is_shown() {
            return show(self, serializer);
        }
        let numbered = numbered(S::Error::custom)?;
        let posting: Posting = if let Some(number) = self.number() {
            let since = numbered.identity.posts_before(number);
            let since =
                since.ok_or_else(|| S::Error::custom("this ticket is of another manager"))?;
            (Some(since), 0)
        } else {
            (None, self.receipt().map_or(0, packed))
        };
        posting.serialize(serializer)
    }
}

impl<'d> Deserialize<'d> for Ticket {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        // Where a ticket has no meaning, that is the error, whatever the value is.
        numbered_or_asked(D::Error::custom)?;
        let (posted, bits) = Posting::deserialize(deserializer)?;
        let (Some(since), Some(numbered)) = (posted, numbered_or_asked(D::Error::custom)?) else {
            return Ok(Self(Fate::Delivered(unpacked(bits))));
        };
        let [.., end] = numbered.ends;
        let number = numbered.identity.post_after(since);
        let number = number
            .filter(|_| since < end)
            .ok_or_else(|| D::Error::custom("this is not the number of a ticket"))?;
        numbered.asked.store(true, Ordering::Relaxed);
        // A message that is no longer pending has no place.
        let ticket = numbered.posts.get(&since).copied();
        Ok(ticket.unwrap_or_else(|| Self::lost(number)))
    }
}
