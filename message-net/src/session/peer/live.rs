//! An established session, and its incoming frames.

use std::sync::Arc;
use std::time::Duration;

use super::{Answer, Me, Peer, Rival, Tell, two_of_one_name};
use crate::link;
use crate::pack::Packer;
use crate::session::event::{DownReason, Refusal, SessionEvent};
use crate::session::frame::{self, Body, Data, Frame, Tags};
use crate::session::inbox::{Inbox, Limits, Taken};
use crate::session::outbox::{Load, Outbox};

/// The minimum length of a piece that is shared with the link; a shorter one is copied.
const SHARED: usize = 4 << 10;
/// The memory that a batch takes among the events, apart from its bytes.
pub(super) const EVENT: usize = 128;

pub(super) struct Live {
    pub(super) run: u64,
    /// The tags of the session, in its frames.
    pub(super) tags: Tags,
    pub(super) outbox: Outbox,
    pub(super) inbox: Inbox,
    /// Whether its hello has arrived, and so `Up` was reported.
    pub(super) up: bool,
    pub(super) unreachable: bool,
    /// When the link lost the peer, if nothing has arrived since.
    pub(super) went: Option<Duration>,
    /// Whether it was heard since the last poll.
    pub(super) is_heard: bool,
    /// How long it has been silent before that.
    pub(super) silence: Duration,
    /// When the last batch was completed, or when nothing of the next one had arrived.
    pub(super) complete: Duration,
    /// When something was last sent to it; `None` if something is to be sent now.
    pub(super) said: Option<Duration>,
    /// The longest batch that it accepts.
    pub(super) max_batch: u64,
}

impl Live {
    /// Returns the tags of the session, in frames of this side.
    pub(super) fn own_tags(&self) -> Tags {
        let Tags { from, to } = self.tags;
        Tags { from: to, to: from }
    }

    /// Returns the frame with a load, or a frame that only acknowledges.
    pub(super) fn frame(&self, me: &Me, load: Option<&Load>) -> link::Frame {
        let pieces = load
            .map(|load| self.outbox.pieces(load))
            .unwrap_or_default();
        let copied = pieces.iter().map(|piece| piece.bytes.len());
        let copied: usize = copied.filter(|len| *len < SHARED).sum();
        let most = frame::HEADER + pieces.len() * frame::PIECE_HEADER + copied;
        let data = Data {
            to_run: self.run,
            tags: self.own_tags(),
            ack: self.inbox.accepted(),
            held: self.inbox.held(),
            pieces,
        };
        let (from, run) = (me.name.as_str(), me.run);
        let body = Body::Data(data);
        let mut sent = link::Frame::default();
        let mut writer = Packer(Vec::with_capacity(most));
        Frame { from, run, body }.write_with(&mut writer, |writer, place, bytes| {
            match load.filter(|_| bytes.len() >= SHARED) {
                Some(load) => {
                    let written = std::mem::take(&mut writer.0);
                    sent.push(written.into());
                    sent.push(self.outbox.content(load, place));
                }
                None => writer.0.extend_from_slice(bytes),
            }
        });
        sent.push(writer.0.into());
        sent
    }
}

impl Peer {
    /// Takes note that a frame of the session has arrived.
    pub(super) fn sign_of_life(&mut self, me: &Me, tell: &mut Tell) {
        let Some(live) = &mut self.live else { return };
        let now = tell.now;
        (live.is_heard, live.went) = (true, None);
        if std::mem::take(&mut live.unreachable) {
            live.outbox.hurry();
            live.said = None;
            if live.up {
                let peer = self.name.clone();
                tell.events.push_back(SessionEvent::Back { peer });
            }
        }
        let both = |rival: &&Rival| {
            let wait = me.config.unreachable_after;
            now.saturating_sub(rival.first) >= wait && now.saturating_sub(rival.last) < wait * 2
        };
        let Some(rival) = self.rival.as_ref().filter(both) else {
            return;
        };
        let (name, runs) = (&self.name, (live.run, rival.run));
        let what = || two_of_one_name(name, runs);
        let interval = me.config.report_interval;
        let kind = Refusal::TwoOfOneName;
        if let Some(told) = self.reports.add(Some(name), kind, what, now, interval) {
            tell.events.push_back(told);
            self.answer = Answer::Refuse;
        }
    }

    pub(super) fn data(
        &mut self,
        run: u64,
        data: &Data<'_>,
        bytes: &Arc<Vec<u8>>,
        me: &Me,
        tell: &mut Tell,
    ) {
        let Some(live) = &mut self.live else {
            // The peer has a session with this node or with an earlier run, and must learn that it has ended.
            tell.counters.late += 1;
            self.answer = match data.tags {
                Tags { from, to } if self.refuses(run) => {
                    Answer::RefuseRun(Tags { from: to, to: from })
                }
                _ => Answer::Hello,
            };
            return;
        };
        if run != live.run || data.to_run != me.run || data.tags != live.tags {
            tell.counters.late += 1;
            return;
        }
        self.sign_of_life(me, tell);
        if let Err(what) = self.accept(data, bytes, me, tell) {
            tell.counters.refused += 1;
            self.end(DownReason::Broken(what), me, tell);
        }
    }

    /// Takes the content of a frame of the session.
    fn accept(
        &mut self,
        data: &Data<'_>,
        bytes: &Arc<Vec<u8>>,
        me: &Me,
        tell: &mut Tell,
    ) -> Result<(), String> {
        let Some(live) = &mut self.live else {
            return Ok(());
        };
        live.outbox
            .acknowledged(data.ack, data.held, tell.now, &mut tell.spare)?;
        let limits = Limits {
            max_hello: me.config.max_hello,
            max_batch: me.config.max_batch,
            held_bytes: me.config.held_bytes,
        };
        for piece in &data.pieces {
            if self.waiting >= me.config.inbox_bytes {
                tell.counters.dropped += 1;
                continue;
            }
            let (up, waiting, events) = (&mut live.up, &mut self.waiting, &mut tell.events);
            let (name, run_up) = (&self.name, &mut self.run_up);
            let (run, batches) = (live.run, live.inbox.complete());
            if live.inbox.memory() == 0 {
                live.complete = tell.now;
            }
            let taken = live
                .inbox
                .take(*piece, tell.now, limits, bytes, |is_hello, bytes| {
                    let peer = name.clone();
                    events.push_back(if is_hello {
                        *up = true;
                        let before = run_up.replace(run);
                        SessionEvent::Up {
                            peer,
                            hello: bytes.to_vec(),
                            restarted: before.is_some_and(|before| before != run),
                        }
                    } else {
                        *waiting += EVENT + bytes.len();
                        SessionEvent::Batch { peer, bytes }
                    });
                })?;
            if live.inbox.complete() > batches {
                live.complete = tell.now;
            }
            match taken {
                Taken::Accepted => tell.counters.accepted += 1,
                Taken::Held => tell.counters.held += 1,
                Taken::Doubled => tell.counters.doubled += 1,
                Taken::Dropped => tell.counters.dropped += 1,
            }
        }
        Ok(())
    }
}
