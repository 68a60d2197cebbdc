//! Tickets in files, which are read within a scope.

use std::num::NonZeroU64;
use std::sync::atomic::Ordering;

use message_core::Receipt;
use message_core::internals::TicketForm;

use crate::scope::{numbered, numbered_or_asked};

/// The number of a posting, or the receipt of a message that was delivered at once.
pub(super) type Posting = (Option<u64>, u64);

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
) -> Result<Posting, String> {
    let numbered = numbered()?;
    let Some(number) = number else {
        return Ok((None, receipt.map_or(0, packed)));
    };
    let since = numbered.identity.posts_before(number);
    let since = since.ok_or_else(|| "this ticket is of another manager".to_owned())?;
    Ok((Some(since), 0))
}

/// Returns the ticket with a form.
pub(super) fn read((posted, bits): Posting) -> Result<TicketForm, String> {
    let numbered = numbered_or_asked()?;
    let (Some(since), Some(numbered)) = (posted, numbered) else {
        return Ok(TicketForm::Delivered(unpacked(bits)));
    };
    let [.., end] = numbered.ends;
    let number = numbered.identity.post_after(since);
    let number = number
        .filter(|_| since < end)
        .ok_or_else(|| "this is not the number of a ticket".to_owned())?;
    numbered.asked.store(true, Ordering::Relaxed);
    // A message that is no longer pending has no place.
    let ticket = numbered.posts.get(&since).copied();
    Ok(ticket.map_or(TicketForm::Lost(number), TicketForm::Pending))
}
