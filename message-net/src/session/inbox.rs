//! The data that a session has received from its peer.
//!
//! Pieces are accepted in order. Pieces that arrive early are held, up to [`FLIGHT`] of them and up to a number
//! of bytes; the peer sends the others again. Before the first batch, nothing is held: a hello that fits into one
//! frame takes no memory until it is complete.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::content::Content;

use super::frame::{FLIGHT, Part, Piece};

/// The number of accepted pieces that triggers an acknowledgement. The peer stops when [`FLIGHT`] of them are
/// in flight.
const AT_ONCE: u64 = FLIGHT as u64 / 8;
/// The memory that a held piece takes apart from its bytes.
const HELD: usize = 64;

#[derive(Debug, Default)]
pub(super) struct Inbox {
    /// All pieces up to this one have been accepted.
    accepted: u64,
    /// The last piece that completed a batch.
    complete: u64,
    /// The number of completed batches.
    batches: u64,
    /// Pieces beyond the next one.
    held: BTreeMap<u64, (Part, Vec<u8>)>,
    held_bytes: usize,
    /// The beginning of a batch whose last piece has not arrived.
    begun: Option<Vec<u8>>,
    /// Since when an accepted piece has been waiting for its acknowledgement, and the last piece that was
    /// acknowledged.
    owed: Option<Duration>,
    acked: u64,
    /// Whether an acknowledgement is to be sent at once.
    urgent: bool,
}

/// The limits for data from a peer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) max_hello: usize,
    pub(super) max_batch: usize,
    pub(super) held_bytes: usize,
}

/// The result of taking a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    Accepted,
    Held,
    /// It has arrived before.
    Doubled,
    /// It is too far ahead, or there is no room.
    Dropped,
}

impl Inbox {
    /// Returns the memory of what is not complete, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.held_bytes + self.begun.as_ref().map_or(0, Vec::capacity)
    }

    pub(super) fn accepted(&self) -> u64 {
        self.accepted
    }

    /// Returns the number of the piece that ended the last complete batch.
    pub(super) fn complete(&self) -> u64 {
        self.complete
    }

    /// Returns the held pieces: bit n is set if piece `accepted + 2 + n` is held.
    pub(super) fn held(&self) -> u64 {
        let first = self.accepted + 2;
        let bits = self.held.keys().map(|number| number - first);
        bits.fold(0, |held, bit| held | 1 << bit)
    }

    /// Returns `true` if an acknowledgement is due.
    pub(super) fn owes(&self, now: Duration, delay: Duration) -> bool {
        let waited = |since: Duration| now.saturating_sub(since) >= delay;
        self.urgent || self.owed.is_some_and(waited) || self.accepted - self.acked >= AT_ONCE
    }

    /// Takes note that an acknowledgement was sent.
    pub(super) fn told(&mut self) {
        self.owed = None;
        self.acked = self.accepted;
        self.urgent = false;
    }

    /// Takes a piece of a frame. Passes each batch that is now complete to `batch`, with `true` if it is the
    /// first.
    ///
    /// # Errors
    ///
    /// Returns an error if no correct peer sends such a piece: its part is out of order, or the batch is too
    /// long.
    pub(super) fn take(
        &mut self,
        piece: Piece<'_>,
        now: Duration,
        limits: Limits,
        frame: &Arc<Vec<u8>>,
        mut batch: impl FnMut(bool, Content),
    ) -> Result<Taken, String> {
        let next = self.accepted + 1;
        if piece.number <= self.accepted || self.held.contains_key(&piece.number) {
            // The acknowledgement was lost.
            self.urgent = true;
            return Ok(Taken::Doubled);
        }
        if piece.number > next {
            self.urgent = true;
            let len = HELD + piece.bytes.len();
            let fits = len <= limits.held_bytes.saturating_sub(self.held_bytes);
            if piece.number - next > FLIGHT as u64 || !fits || self.batches == 0 {
                return Ok(Taken::Dropped);
            }
            self.held_bytes += len;
            self.held
                .insert(piece.number, (piece.part, piece.bytes.to_vec()));
            return Ok(Taken::Held);
        }
        self.owed.get_or_insert(now);
        let whole = || Content::part(frame, piece.bytes);
        self.accept(piece.part, piece.bytes, whole, limits, &mut batch)?;
        while let Some(first) = self.held.first_entry()
            && *first.key() == self.accepted + 1
        {
            let (part, bytes) = first.remove();
            self.held_bytes -= HELD + bytes.len();
            let whole = || bytes.clone().into();
            self.accept(part, &bytes, whole, limits, &mut batch)?;
        }
        Ok(Taken::Accepted)
    }

    fn accept(
        &mut self,
        part: Part,
        bytes: &[u8],
        whole: impl FnOnce() -> Content,
        limits: Limits,
        batch: &mut impl FnMut(bool, Content),
    ) -> Result<(), String> {
        let number = self.accepted + 1;
        let is_first = self.batches == 0;
        let most = if is_first {
            limits.max_hello
        } else {
            limits.max_batch
        };
        if part.begins() != self.begun.is_none() {
            let expected = if part.begins() {
                "the next"
            } else {
                "the first"
            };
            return Err(format!(
                "piece {number}: expected {expected} part of a batch, found {part:?}"
            ));
        }
        let len = self.begun.as_ref().map_or(0, Vec::len) + bytes.len();
        if len > most {
            return Err(format!(
                "piece {number}: a batch of {len} bytes, expected at most {most}"
            ));
        }
        self.accepted = number;
        let complete = match part {
            Part::Whole => whole(),
            Part::First | Part::Middle | Part::Last => {
                let begun = self.begun.get_or_insert_default();
                begun.extend_from_slice(bytes);
                if !part.ends() {
                    return Ok(());
                }
                self.begun.take().unwrap_or_default().into()
            }
        };
        self.complete = number;
        self.batches += 1;
        batch(is_first, complete);
        Ok(())
    }
}
