//! What falls due for a pass, put in order: by due time, then by the order of posting.
//!
//! The entry of a batch stands for a span of postings. Where nothing else comes into its span the
//! batch stays whole; otherwise it is spread.

use crate::post::queue::{DueEntry, Place};

/// An entry that is due, and the last posting that it stands for; zero before that is known, and for
/// what was cancelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) entry: DueEntry,
    pub(super) last: u64,
}

/// The entries of spans, in order.
pub(super) fn in_order(mut spans: Vec<Span>, places: &mut [Option<Place>]) -> Vec<DueEntry> {
    spans.sort_unstable_by_key(|span| (span.entry.due, span.entry.number));
    let mut entries = Vec::with_capacity(spans.len());
    let mut rest = &spans[..];
    while let [first, behind @ ..] = rest {
        let mut last = first.last;
        let overlapping = behind.iter().take_while(|span| {
            let overlaps = span.entry.due == first.entry.due && span.entry.number < last;
            last = last.max(span.last);
            overlaps
        });
        let overlapping = overlapping.count();
        let (group, others) = rest.split_at(1 + overlapping);
        rest = others;
        if let [alone] = group {
            entries.push(alone.entry);
            continue;
        }
        let begin = entries.len();
        for span in group {
            let place = places[span.entry.slab as usize].as_mut();
            let place = place.expect("the message type of what is pending has a place");
            place.queue.spread(span.entry, &mut entries);
        }
        entries[begin..].sort_unstable();
    }
    entries
}
