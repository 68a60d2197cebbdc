//! One other node, and the session with it.
//!
//! Both sides propose an epoch, their *tag*. The session uses the larger of the two, and begins on each side
//! when a hello has arrived that names this side's run and tag. The end of a session makes the tag larger than
//! its epoch. So the numbers of the two runs and the epoch identify a session uniquely for all time. A hello
//! that names this side's tag was written after the peer had ended all earlier sessions, so the accepted
//! batches that it reports are final.
//!
//! `live` is the session, if there is one; `calling` is set while there is none and one is wanted. `old` holds
//! the batches that the last session may not have transferred, until the peer has reported what it accepted;
//! `accepted` is what this side has to report. A session begins only when `old` is settled, so there is never
//! more than one.

mod handshake;
mod live;
mod sending;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use self::live::Live;
use crate::link::Link;
use crate::name::NodeName;
use crate::session::config::SessionConfig;
use crate::session::counters::SessionCounters;
use crate::session::event::{Backlog, DownReason, Refusal, SessionEvent};
use crate::session::frame::{Body, Frame};
use crate::session::limits::{Meter, Reports};
use crate::session::outbox::{self, Batch};
use crate::spare::Spare;

/// The properties of this node that all peers need.
pub(in crate::session) struct Me {
    pub(in crate::session) name: NodeName,
    pub(in crate::session) run: u64,
    /// The hello that is sent to each peer at the beginning.
    pub(in crate::session) hello: Vec<u8>,
    pub(in crate::session) config: SessionConfig,
    /// The longest frame of the link.
    pub(in crate::session) max_frame: usize,
}

/// Where peers report events and counts.
pub(in crate::session) struct Tell<'a> {
    pub(in crate::session) events: &'a mut VecDeque<SessionEvent>,
    pub(in crate::session) counters: &'a mut SessionCounters,
    pub(in crate::session) spare: &'a mut Spare,
    pub(in crate::session) now: Duration,
}

pub(in crate::session) struct Peer {
    name: NodeName,
    live: Option<Live>,
    calling: bool,
    /// Whether the link can reach the peer, as far as is known.
    present: bool,
    /// Whether the link itself says so.
    came: bool,
    /// The lowest epoch that this side agrees to.
    tag: u64,
    /// The run and the tag in the peer's last hello.
    known: Option<(u64, u64)>,
    old: Option<Old>,
    /// The last run and epoch from which a batch was accepted, and its last piece.
    accepted: Option<(u64, u64, u64)>,
    answer: Answer,
    next_hello: Duration,
    hello_wait: Duration,
    /// Another run that sends hellos while there is a session.
    rival: Option<Rival>,
    /// When a frame or the link last gave a sign of the peer.
    heard: Duration,
    /// The peer's run at the last `Up`.
    run_up: Option<u64>,
    /// The total length of the batches that wait among the events, in bytes.
    waiting: usize,
    pub(in crate::session) meter: Meter,
    pub(in crate::session) reports: Reports,
}

/// The state of a forgotten peer that keeps its late frames out of a new session.
#[derive(Clone, Copy, Debug)]
pub(in crate::session) struct Remains {
    tag: u64,
    known: Option<(u64, u64)>,
    accepted: Option<(u64, u64, u64)>,
    /// When it was forgotten.
    pub(in crate::session) since: Duration,
}

/// A session that has ended.
struct Old {
    run: u64,
    epoch: u64,
    batches: VecDeque<Batch>,
}

struct Rival {
    run: u64,
    tag: u64,
    first: Duration,
    last: Duration,
}

/// The reply that is to be sent in the next poll.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    None,
    Hello,
    Welcome,
    /// A hello to the rival.
    Challenge,
    /// A refusal of the rival.
    Refuse,
}

impl Peer {
    /// Creates a peer. `remains` is what is left of it if it was forgotten.
    pub(in crate::session) fn new(
        name: NodeName,
        remains: Option<Remains>,
        now: Duration,
        config: &SessionConfig,
    ) -> Self {
        Self {
            name,
            live: None,
            calling: true,
            present: true,
            came: false,
            tag: remains.map_or(1, |it| it.tag),
            known: remains.and_then(|it| it.known),
            old: None,
            accepted: remains.and_then(|it| it.accepted),
            answer: Answer::None,
            next_hello: now,
            hello_wait: config.min_hello,
            rival: None,
            heard: now,
            run_up: None,
            waiting: 0,
            meter: Meter::default(),
            reports: Reports::default(),
        }
    }

    /// Returns `true` if the peer has no session, has been silent for some time, and has been read: it can make room
    /// for another one.
    pub(in crate::session) fn has_gone(&self, now: Duration, config: &SessionConfig) -> bool {
        let is_silent = now.saturating_sub(self.heard) >= config.unreachable_after;
        self.live.is_none() && self.waiting == 0 && (!self.present || is_silent)
    }

    /// Returns `true` if the peer has gone for so long that it is forgotten. A peer that the link can reach stays: it
    /// may be waiting for a call, as after a long cut.
    pub(in crate::session) fn is_over(&self, now: Duration, config: &SessionConfig) -> bool {
        let silence = now.saturating_sub(self.heard);
        silence >= config.forget_after && !self.came && self.has_gone(now, config)
    }

    /// Returns `true` if the link says that it can reach the peer.
    pub(in crate::session) fn has_come(&self) -> bool {
        self.came
    }

    /// Returns when a frame or the link last gave a sign of the peer.
    pub(in crate::session) fn heard(&self) -> Duration {
        self.heard
    }

    /// Forgets the peer, with its session if there is one. Returns what remains, and how many messages it may not
    /// have received.
    pub(in crate::session) fn forget(mut self, me: &Me, tell: &mut Tell<'_>) -> (Remains, u64) {
        self.end(DownReason::Stopped, me, tell);
        let old = self.old.take();
        let lost = old.map_or(0, |old| outbox::messages_after(&old.batches, 0));
        let remains = Remains {
            tag: self.tag,
            known: self.known,
            accepted: self.accepted,
            since: tell.now,
        };
        (remains, lost)
    }

    pub(in crate::session) fn is_up(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.up)
    }

    /// Returns `true` if a session is up and nothing waits for an acknowledgement.
    #[cfg(test)]
    pub(in crate::session) fn is_settled(&self) -> bool {
        let settled = |live: &Live| live.up && live.outbox.batches() == 0;
        self.old.is_none() && self.live.as_ref().is_some_and(settled)
    }

    /// Takes note that an event with `bytes` bytes of a batch was read.
    pub(in crate::session) fn read(&mut self, bytes: usize) {
        self.waiting = self.waiting.saturating_sub(bytes);
    }

    pub(in crate::session) fn queue(
        &mut self,
        batch: Vec<u8>,
        messages: u32,
        me: &Me,
    ) -> Result<(), Backlog> {
        let peer = self.name.clone();
        let Some(live) = self.live.as_mut().filter(|live| live.up) else {
            return Err(Backlog::NotUp(peer));
        };
        let most = usize::try_from(live.max_batch).unwrap_or(usize::MAX);
        let most = most.min(me.config.window_bytes);
        let len = batch.len();
        if len > most {
            return Err(Backlog::TooLong { peer, len, most });
        }
        let (batches, bytes) = (live.outbox.batches(), live.outbox.bytes());
        if batches >= me.config.window_batches || len > me.config.window_bytes.saturating_sub(bytes)
        {
            return Err(Backlog::Full {
                peer,
                batches,
                bytes,
            });
        }
        live.outbox.push(batch, messages, me.max_frame);
        Ok(())
    }

    /// Returns the maximum length of any batch, in bytes.
    pub(in crate::session) fn longest(&self, config: &SessionConfig) -> Option<usize> {
        let live = self.live.as_ref().filter(|live| live.up)?;
        let most = usize::try_from(live.max_batch).unwrap_or(usize::MAX);
        Some(most.min(config.window_bytes))
    }

    /// Returns the maximum length of a batch that can be queued now, in bytes.
    pub(in crate::session) fn room(&self, config: &SessionConfig) -> usize {
        let Some(live) = self.live.as_ref().filter(|live| live.up) else {
            return 0;
        };
        if live.outbox.batches() >= config.window_batches {
            return 0;
        }
        let room = config.window_bytes.saturating_sub(live.outbox.bytes());
        room.min(usize::try_from(live.max_batch).unwrap_or(usize::MAX))
    }

    pub(in crate::session) fn came(&mut self, me: &Me, now: Duration) {
        (self.present, self.came) = (true, true);
        self.heard = now;
        match &mut self.live {
            Some(live) => {
                live.went = None;
                if live.unreachable {
                    live.said = None;
                }
            }
            None => self.call(me, now),
        }
    }

    /// Takes note that the link can no longer reach the peer. The goodbye of a peer that leaves may still be under
    /// way, so the peer is unreachable only after a moment.
    pub(in crate::session) fn went(&mut self, now: Duration) {
        (self.present, self.came) = (false, false);
        if let Some(live) = &mut self.live {
            live.went.get_or_insert(now);
        }
    }

    fn unreachable(&mut self, tell: &mut Tell<'_>) {
        let Some(live) = self.live.as_mut().filter(|live| !live.unreachable) else {
            return;
        };
        live.unreachable = true;
        if live.up {
            let peer = self.name.clone();
            tell.events.push_back(SessionEvent::Unreachable { peer });
        }
    }

    /// Starts sending hellos.
    fn call(&mut self, me: &Me, now: Duration) {
        self.calling = true;
        self.next_hello = now;
        self.hello_wait = me.config.min_hello;
    }

    /// Takes a frame from the peer, as far as the link knows.
    pub(in crate::session) fn take(
        &mut self,
        frame: Frame<'_>,
        bytes: &Arc<Vec<u8>>,
        me: &Me,
        tell: &mut Tell<'_>,
    ) {
        self.present = true;
        self.heard = tell.now;
        let run = frame.run;
        match frame.body {
            Body::Hello(hello) => self.hello(run, hello, true, me, tell),
            Body::Welcome(hello) => self.hello(run, hello, false, me, tell),
            Body::Data(data) => self.data(run, &data, bytes, me, tell),
            Body::Bye {
                to_run,
                epoch,
                accepted,
            } if to_run == me.run => self.bye(run, epoch, accepted, me, tell),
            Body::Refuse { to_run, why } if to_run == me.run => {
                let what = || format!("node `{}` does not accept this node: {why}", self.name);
                let (now, interval) = (tell.now, me.config.report_interval);
                let peer = Some(&self.name);
                let told = self.reports.add(peer, Refusal::ByPeer, what, now, interval);
                tell.events.extend(told);
            }
            Body::Bye { .. } | Body::Refuse { .. } => tell.counters.late += 1,
        }
    }

    fn lost(&self, batches: &VecDeque<Batch>, accepted: u64, exact: bool, tell: &mut Tell<'_>) {
        let messages = outbox::messages_after(batches, accepted);
        if messages > 0 {
            tell.events.push_back(SessionEvent::Lost {
                peer: self.name.clone(),
                messages,
                exact,
            });
        }
    }

    /// Ends the session, and calls for a new one.
    fn end(&mut self, why: DownReason, me: &Me, tell: &mut Tell<'_>) {
        let Some(live) = self.live.take() else { return };
        let complete = live.inbox.complete();
        if complete > 0 {
            self.accepted = Some((live.run, live.epoch, complete));
        }
        let batches = live.outbox.into_batches();
        if outbox::messages_after(&batches, 0) > 0 {
            self.old = Some(Old {
                run: live.run,
                epoch: live.epoch,
                batches,
            });
        }
        self.tag = live.epoch + 1;
        self.known = Some((live.run, live.tag));
        self.rival = None;
        self.answer = Answer::None;
        self.call(me, tell.now);
        if live.up {
            let peer = self.name.clone();
            tell.events.push_back(SessionEvent::Down { peer, why });
        }
    }

    fn bye(&mut self, run: u64, epoch: u64, accepted: u64, me: &Me, tell: &mut Tell<'_>) {
        if let Some(live) = &self.live {
            if (live.run, live.epoch) != (run, epoch) {
                tell.counters.late += 1;
                return;
            }
            self.end(DownReason::Goodbye, me, tell);
            // The peer comes back as another run, and says hello then.
            self.calling = false;
            (self.present, self.came) = (false, false);
        }
        if let Some(old) = self.old.take_if(|old| (old.run, old.epoch) == (run, epoch)) {
            self.lost(&old.batches, accepted, true, tell);
        }
    }

    /// Handles timeouts.
    pub(in crate::session) fn tick(&mut self, me: &Me, tell: &mut Tell<'_>) {
        let config = &me.config;
        if let Some(live) = &self.live {
            let silence = tell.now.saturating_sub(live.heard);
            // If a peer is heard again just before the end of a cut, it has been silent for longer than the
            // cut.
            if silence >= config.resend_window + config.unreachable_after {
                self.unreachable(tell);
                self.end(DownReason::Silent, me, tell);
            } else if silence >= config.unreachable_after
                || live
                    .went
                    .is_some_and(|went| tell.now.saturating_sub(went) >= config.heartbeat)
            {
                self.unreachable(tell);
            }
        }
        let gone = config.unreachable_after * 4;
        self.rival
            .take_if(|rival| tell.now.saturating_sub(rival.last) >= gone);
    }

    /// Says goodbye, and ends everything.
    pub(in crate::session) fn stop(mut self, me: &Me, link: &mut dyn Link, tell: &mut Tell<'_>) {
        self.send_data(me, link, tell);
        if let Some(live) = &self.live {
            let body = Body::Bye {
                to_run: live.run,
                epoch: live.epoch,
                accepted: live.inbox.complete(),
            };
            let mut bytes = Vec::new();
            let (from, run) = (me.name.as_str(), me.run);
            Frame { from, run, body }.write(&mut bytes);
            self.hand_over(bytes.into(), me, link, tell);
        }
        self.end(DownReason::Stopped, me, tell);
        if let Some(old) = self.old.take() {
            self.lost(&old.batches, 0, false, tell);
        }
    }
}

/// Describes both runs, the one with the session first.
fn two_of_one_name(name: &NodeName, (first, second): (u64, u64)) -> String {
    format!(
        "two nodes are called `{name}`: run {first:#x}, which has a session, and run {second:#x}, which is refused"
    )
}
