//! Tickets in files, which are read within a scope.

use std::num::NonZeroU64;
use std::sync::atomic::Ordering;

use message_core::internals::{Identity, POST_BITS, TicketForm, delivered_ticket, lost_ticket};
use message_core::{Receipt, Ticket};

use crate::scope::{numbered, posts_or_asked};

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
        ..
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
    let mut receipt = Receipt::default();
    receipt.received = received;
    receipt.pending = short(pending);
    receipt.failed = short(failed);
    receipt.unreached = short(unreached);
    receipt.consumed = rest != 0;
    receipt
}

/// Returns the form of a ticket in a save or a log.
pub(super) fn write(
    number: Option<NonZeroU64>,
    receipt: Option<Receipt>,
) -> Result<TicketForm, String> {
    let numbered = numbered()?;
    let Some(number) = number else {
        return Ok((None, receipt.map_or(0, packed)));
    };
    let since = posts_before(&numbered.identity, number);
    let since = since.ok_or_else(|| "this ticket belongs to another manager".to_owned())?;
    Ok((Some(since), 0))
}

/// Returns the ticket with a form.
pub(super) fn read((posted, bits): TicketForm) -> Result<Ticket, String> {
    let numbered = posts_or_asked()?;
    let (Some(since), Some(numbered)) = (posted, numbered) else {
        return Ok(delivered_ticket(unpacked(bits)));
    };
    let [.., end] = numbered.ends;
    let number = post_after(&numbered.identity, since);
    let number = number
        .filter(|_| since < end)
        .ok_or_else(|| "this is not the number of a ticket".to_owned())?;
    numbered.asked.store(true, Ordering::Relaxed);
    // A message that is no longer pending has no place.
    let ticket = numbered.posts.get(&since).copied();
    Ok(ticket.unwrap_or_else(|| lost_ticket(number)))
}

/// Returns how many messages a manager had posted before one of its own. Returns `None` for one of another manager.
pub(crate) fn posts_before(identity: &Identity, post: NonZeroU64) -> Option<u64> {
    let since = post.get().checked_sub(identity.number.0.get())?;
    (since >> POST_BITS == 0).then_some(since)
}

/// Returns the number of the message that a manager posts after `posts` others. Returns `None` if it cannot post that many.
pub(crate) fn post_after(identity: &Identity, posts: u64) -> Option<NonZeroU64> {
    (posts >> POST_BITS == 0).then(|| identity.number.0 | posts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_knows_its_manager_and_how_many_were_before_it() {
        let [own, other] = [(); 2].map(|()| Identity::new().expect("few managers are alive"));
        let most = (1 << POST_BITS) - 1;
        for posts in [0, 1, most] {
            let post = post_after(&own, posts).expect("it has 48 bits");
            assert_eq!(posts_before(&own, post), Some(posts));
            assert_eq!(posts_before(&other, post), None);
        }
        assert_eq!(post_after(&own, 0), Some(own.number.0));
        assert_eq!(post_after(&own, most + 1), None);
    }
}
