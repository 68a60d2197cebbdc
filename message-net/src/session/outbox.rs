//! The data that a session still has to transfer to its peer.
//!
//! Batches are split into pieces when they are queued. `pieces` are those that the peer has not acknowledged,
//! in order and without gaps; only the first [`FLIGHT`] of them are in flight. `batches` are those whose last
//! piece is among `pieces`.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use super::config::SessionConfig;
use super::frame::{self, FLIGHT, PIECE_HEADER, Part};
use crate::content::Content;
use crate::spare::Spare;

/// The number of later pieces that arrive before a piece is considered lost.
const OVERTAKEN_BY: u32 = 3;
/// The maximum length in bytes of several pieces in one frame. A longer piece is sent alone, so that the
/// receiver need not copy it.
const TOGETHER: usize = 32 << 10;

#[derive(Debug, Default)]
pub(super) struct Outbox {
    pieces: VecDeque<Piece>,
    batches: VecDeque<Batch>,
    /// The total length of the batches.
    bytes: usize,
    /// All pieces up to this one have been acknowledged.
    acked: u64,
    round_trip: RoundTrip,
}

/// A batch that the peer may not have received.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch {
    /// The number of its last piece.
    pub(super) last: u64,
    pub(super) messages: u32,
    len: usize,
}

#[derive(Debug)]
struct Piece {
    part: Part,
    batch: Arc<Vec<u8>>,
    range: Range<usize>,
    /// When it was last sent.
    sent: Option<Duration>,
    /// Whether it was sent more than once.
    again: bool,
    /// Whether it arrived early.
    held: bool,
    /// How many later pieces, sent after it, have arrived.
    overtaken: u32,
}

/// The time that an acknowledgement takes.
#[derive(Debug, Default)]
struct RoundTrip {
    smooth: Option<Duration>,
    deviation: Duration,
    /// The number of consecutive timeouts.
    doubled: u32,
    /// The time of the last timeout.
    missed: Option<Duration>,
}

impl RoundTrip {
    /// Records the time until a piece that was sent once was acknowledged. If a piece was sent again, it is
    /// unknown which copy is acknowledged, so it is not measured, and the patience stays doubled until a piece
    /// is.
    fn measured(&mut self, time: Duration) {
        self.doubled = 0;
        let Some(smooth) = self.smooth else {
            (self.smooth, self.deviation) = (Some(time), time / 2);
            return;
        };
        self.deviation = (self.deviation * 3 + smooth.abs_diff(time)) / 4;
        self.smooth = Some((smooth * 7 + time) / 8);
    }

    /// Returns the time after which an unacknowledged piece is sent again.
    fn patience(&self, config: &SessionConfig) -> Duration {
        let unknown = config.min_resend * 2;
        let expected = self
            .smooth
            .map_or(unknown, |smooth| smooth + self.deviation * 4);
        let patience = expected.max(config.min_resend);
        let patience = patience.saturating_mul(1 << self.doubled.min(16));
        patience.min(config.max_resend)
    }
}

/// Pieces that are sent in one frame.
#[derive(Debug)]
pub(super) struct Load {
    /// Their indexes among the pieces.
    places: Vec<usize>,
    timed_out: bool,
}

impl Outbox {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Returns the number of the last piece that was sent.
    pub(super) fn sent_up_to(&self) -> u64 {
        let flight = self.pieces.iter().take(FLIGHT);
        let sent = flight.take_while(|piece| piece.sent.is_some());
        self.acked + sent.count() as u64
    }

    /// Returns the batches that the peer may not have received.
    pub(super) fn into_batches(self) -> VecDeque<Batch> {
        self.batches
    }

    /// Appends a batch, split into pieces that fit into frames of up to `max_frame` bytes.
    pub(super) fn push(&mut self, batch: &Arc<Vec<u8>>, messages: u32, max_frame: usize) {
        let most = frame::room_of_one(max_frame).max(1);
        let len = batch.len();
        let mut at = 0;
        loop {
            let end = len.min(at + most);
            let part = match (at == 0, end == len) {
                (true, true) => Part::Whole,
                (true, false) => Part::First,
                (false, false) => Part::Middle,
                (false, true) => Part::Last,
            };
            self.pieces.push_back(Piece {
                part,
                batch: Arc::clone(batch),
                range: at..end,
                sent: None,
                again: false,
                held: false,
                overtaken: 0,
            });
            at = end;
            if at == len {
                break;
            }
        }
        self.bytes += len;
        self.batches.push_back(Batch {
            last: self.acked + self.pieces.len() as u64,
            messages,
            len,
        });
    }

    /// Processes an acknowledgement by the peer.
    ///
    /// # Errors
    ///
    /// Returns an error if it acknowledges more than was sent.
    pub(super) fn acknowledged(
        &mut self,
        ack: u64,
        held: u64,
        now: Duration,
        spare: &mut Spare,
    ) -> Result<(), String> {
        let sent = self.sent_up_to();
        if ack > sent {
            return Err(format!(
                "an acknowledgement of piece {ack}: expected at most {sent}, the number of pieces sent"
            ));
        }
        if ack < self.acked {
            // The frame is late: later ones have acknowledged more.
            return Ok(());
        }
        let mut measured = None;
        while self.acked < ack
            && let Some(piece) = self.pieces.pop_front()
        {
            self.acked += 1;
            if !piece.again && !piece.held {
                measured = piece.sent;
            }
            if let Some(batch) = Arc::into_inner(piece.batch) {
                spare.give(batch);
            }
        }
        while let Some(batch) = self.batches.front()
            && batch.last <= ack
        {
            self.bytes -= batch.len;
            self.batches.pop_front();
        }
        self.held(held, &mut measured);
        if let Some(sent) = measured {
            self.round_trip.measured(now.saturating_sub(sent));
        }
        Ok(())
    }

    /// Takes note of pieces that arrived early.
    fn held(&mut self, held: u64, measured: &mut Option<Duration>) {
        if held == 0 {
            return;
        }
        for bit in 0..64 {
            // The first piece is the missing one.
            let place = 1 + bit;
            if held >> bit & 1 == 0 || place >= self.pieces.len() {
                continue;
            }
            let piece = &mut self.pieces[place];
            let Some(sent) = piece.sent else { continue };
            if std::mem::replace(&mut piece.held, true) {
                continue;
            }
            if !piece.again {
                *measured = Some(sent);
            }
            for earlier in self.pieces.range_mut(..place) {
                if !earlier.held && earlier.sent.is_some_and(|earlier| earlier <= sent) {
                    earlier.overtaken += 1;
                }
            }
        }
    }

    /// Returns the pieces that are due and fit into one frame, beginning at an index, or `None` if there are
    /// none.
    pub(super) fn due(
        &self,
        from: usize,
        room: usize,
        now: Duration,
        config: &SessionConfig,
    ) -> Option<Load> {
        let patience = self.round_trip.patience(config);
        let mut load = Load {
            places: Vec::new(),
            timed_out: false,
        };
        let mut left = room;
        for (place, piece) in self.pieces.iter().enumerate().take(FLIGHT).skip(from) {
            let timed_out = match piece.sent {
                _ if piece.held => continue,
                None => false,
                Some(_) if piece.overtaken >= OVERTAKEN_BY => false,
                Some(sent) if now.saturating_sub(sent) >= patience => true,
                Some(_) => continue,
            };
            let len = PIECE_HEADER + piece.range.len();
            // One piece is always sent, so that a link whose frames have become shorter reports it.
            if (len > left || room - left + len > TOGETHER) && !load.places.is_empty() {
                break;
            }
            left = left.saturating_sub(len);
            load.places.push(place);
            load.timed_out |= timed_out;
        }
        (!load.places.is_empty()).then_some(load)
    }

    /// Returns the pieces of a load, for writing.
    pub(super) fn pieces(&self, load: &Load) -> Vec<frame::Piece<'_>> {
        let pieces = load.places.iter().map(|place| {
            let piece = &self.pieces[*place];
            frame::Piece {
                number: self.acked + 1 + *place as u64,
                part: piece.part,
                bytes: &piece.batch[piece.range.clone()],
            }
        });
        pieces.collect()
    }

    /// Returns the shared bytes of a piece of a load, by its index in the load.
    pub(super) fn content(&self, load: &Load, place: usize) -> Content {
        let piece = &self.pieces[load.places[place]];
        Content::shared(&piece.batch, piece.range.clone())
    }

    /// Takes note that a load was sent. Returns the index after it, and how many pieces were sent again.
    pub(super) fn sent(
        &mut self,
        load: &Load,
        now: Duration,
        config: &SessionConfig,
    ) -> (usize, u64) {
        if load.timed_out {
            let patience = self.round_trip.patience(config);
            let trip = &mut self.round_trip;
            // Pieces that are due at the same time count as one timeout.
            if trip
                .missed
                .is_none_or(|missed| now.saturating_sub(missed) >= patience)
            {
                trip.missed = Some(now);
                trip.doubled = (trip.doubled + 1).min(16);
            }
        }
        let mut resent = 0;
        for place in &load.places {
            let piece = &mut self.pieces[*place];
            piece.again = piece.sent.is_some();
            resent += u64::from(piece.again);
            piece.sent = Some(now);
            piece.overtaken = 0;
        }
        (load.places.last().map_or(0, |place| place + 1), resent)
    }

    /// Makes everything in flight due, because the peer is back after a cut.
    pub(super) fn hurry(&mut self) {
        self.round_trip.doubled = 0;
        self.round_trip.missed = None;
        for piece in self.pieces.iter_mut().take(FLIGHT) {
            if piece.sent.is_some() && !piece.held {
                piece.overtaken = OVERTAKEN_BY;
            }
        }
    }
}

/// Returns the number of messages in batches after the last piece that the peer accepted.
pub(super) fn messages_after(batches: &VecDeque<Batch>, accepted: u64) -> u64 {
    let lost = batches.iter().filter(|batch| batch.last > accepted);
    lost.map(|batch| u64::from(batch.messages)).sum()
}
