//! One other node, and the session with it.
//!
//! Each side proposes a number that it has issued itself, its *tag*: no tag of a run is issued twice, and none
//! depends on the frames that arrive. A session begins on each side when a hello has arrived that names this
//! side's run and tag. When it ends, this side takes a new tag. So the runs and the tags of both sides identify a
//! session uniquely for all time. A hello that names this side's tag was written after the peer had ended all
//! earlier sessions, so the accepted batches that it reports are final.
//!
//! A hello that does not belong to the session only leads to a *challenge*: the session ends when its sender
//! answers with the tag that the challenge contains. So frames that a stranger makes up change nothing.
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
use crate::session::frame::{Body, Frame, Tags};
use crate::session::limits::{Meter, Reports};
use crate::session::outbox::{self, Batch};
use crate::spare::Spare;

/// The properties of this node that all peers need.
pub(in crate::session) struct Me {
    pub(in crate::session) name: NodeName,
    pub(in crate::session) run: u64,
    /// The hello that is sent to each peer at the beginning.
    pub(in crate::session) hello: Arc<Vec<u8>>,
    pub(in crate::session) config: SessionConfig,
    /// The longest frame of the link.
    pub(in crate::session) max_frame: usize,
}

/// Where peers report events and counts, and what they share.
#[derive(Default)]
pub(in crate::session) struct Tell {
    pub(in crate::session) events: VecDeque<SessionEvent>,
    pub(in crate::session) counters: SessionCounters,
    /// The memory of transferred batches.
    pub(in crate::session) spare: Spare,
    pub(in crate::session) tags: LastTag,
    pub(in crate::session) now: Duration,
    /// The time since the last poll, as far as a peer that was not heard in it has been silent.
    pub(in crate::session) silence: Duration,
}

/// The last tag that this run has issued for a session with any peer. It is not kept for each peer, because a
/// peer that is forgotten and comes back must not get the same tags again.
#[derive(Debug, Default)]
pub(in crate::session) struct LastTag(u64);

impl LastTag {
    pub(in crate::session) fn issue(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

pub(in crate::session) struct Peer {
    name: NodeName,
    live: Option<Live>,
    calling: bool,
    /// Whether the link can reach the peer, as far as is known.
    present: bool,
    /// Whether the link itself says so.
    came: bool,
    /// The tag of the session, or of the next one if there is none.
    tag: u64,
    /// The tag of the session that follows the current one, if a challenge has named it.
    next_tag: Option<u64>,
    /// The run and the tag in the peer's last hello. They are only sent back.
    known: Option<(u64, u64)>,
    old: Option<Old>,
    /// The peer's run and tag in the last session in which a batch was accepted, and its last piece.
    accepted: Option<(u64, u64, u64)>,
    answer: Answer,
    next_hello: Duration,
    hello_wait: Duration,
    /// Another run that sends hellos while there is a session.
    rival: Option<Rival>,
    /// The run with which there is no session, because its hello is not accepted.
    refused: Option<Refused>,
    /// When a frame or the link last gave a sign of the peer.
    heard: Duration,
    /// Since when it has had no session.
    since: Duration,
    /// The peer's run at the last `Up`.
    run_up: Option<u64>,
    /// The memory of the batches that wait among the events, in bytes.
    waiting: usize,
    pub(in crate::session) meter: Meter,
    pub(in crate::session) reports: Reports,
}

/// The state of a forgotten peer from which it can find out what it has lost.
#[derive(Clone, Copy, Debug)]
pub(in crate::session) struct Remains {
    accepted: (u64, u64, u64),
    /// When it was forgotten.
    pub(in crate::session) since: Duration,
}

/// A session that has ended.
struct Old {
    run: u64,
    tags: Tags,
    batches: VecDeque<Batch>,
    /// The number of the last piece that was sent.
    sent: u64,
}

struct Refused {
    run: u64,
    why: Box<str>,
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
    /// A question to the sender of a hello that does not belong to the session, by its run and tag.
    Challenge(u64, u64),
    /// A refusal of the rival.
    Refuse,
    /// A refusal of the run whose hello is not accepted, by the tags of this side for its session.
    RefuseRun(Tags),
}

impl Peer {
    /// Creates a peer. `remains` is what is left of it if it was forgotten.
    pub(in crate::session) fn new(
        name: NodeName,
        tag: u64,
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
            tag,
            next_tag: None,
            known: None,
            old: None,
            accepted: remains.map(|it| it.accepted),
            answer: Answer::None,
            next_hello: now,
            hello_wait: config.min_hello,
            rival: None,
            refused: None,
            heard: now,
            since: now,
            run_up: None,
            waiting: 0,
            meter: Meter::default(),
            reports: Reports::default(),
        }
    }

    /// Returns the order in which peers are forgotten to make room for others, or `None` if the peer is needed, or
    /// may be about to begin a session. Those that never had a session come first, whatever they send.
    pub(in crate::session) fn gives_way(
        &self,
        now: Duration,
        config: &SessionConfig,
    ) -> Option<(bool, Duration)> {
        let is_needed = self.is_up() || self.waiting > 0;
        let was_up = self.run_up.is_some();
        let last = if was_up { self.heard } else { self.since };
        let is_late = now.saturating_sub(last) >= config.unreachable_after;
        (!is_needed && (!self.present || is_late)).then_some((was_up, last))
    }

    /// Returns `true` if the peer has gone for so long that it is forgotten. A peer that the link can reach stays: it
    /// may be waiting for a call, as after a long cut.
    pub(in crate::session) fn is_over(&self, now: Duration, config: &SessionConfig) -> bool {
        let silence = now.saturating_sub(self.heard);
        let has_gone = self.live.is_none() && self.waiting == 0 && !self.came;
        has_gone && silence >= config.forget_after
    }

    /// Returns `true` if the link says that it can reach the peer.
    pub(in crate::session) fn has_come(&self) -> bool {
        self.came
    }

    /// Forgets the peer, with its session if there is one. Returns what remains of one that was heard in a session,
    /// and how many messages it may not have received.
    pub(in crate::session) fn forget(mut self, me: &Me, tell: &mut Tell) -> (Option<Remains>, u64) {
        self.end(DownReason::Stopped, me, tell);
        let old = self.old.take();
        let lost = old.map_or(0, |old| outbox::messages_after(&old.batches, 0));
        let since = tell.now;
        let remains = self.accepted.map(|accepted| Remains { accepted, since });
        (remains, lost)
    }

    pub(in crate::session) fn is_up(&self) -> bool {
        self.live.as_ref().is_some_and(|live| live.up)
    }

    /// Returns the memory of incomplete batches from the peer, in bytes.
    pub(in crate::session) fn memory(&self) -> usize {
        self.live.as_ref().map_or(0, |live| live.inbox.memory())
    }

    /// Returns since when a batch of the peer is incomplete.
    pub(in crate::session) fn incomplete_since(&self) -> Option<Duration> {
        let live = self.live.as_ref().filter(|live| live.inbox.memory() > 0);
        live.map(|live| live.complete)
    }

    /// Returns how many bytes wait for an acknowledgement by the peer.
    pub(in crate::session) fn outgoing(&self) -> usize {
        let live = self.live.as_ref().filter(|live| live.up);
        live.map_or(0, |live| live.outbox.bytes())
    }

    /// Ends the session because of what the peer sends, and calls for a new one.
    pub(in crate::session) fn break_off(&mut self, what: String, me: &Me, tell: &mut Tell) {
        self.end(DownReason::Broken(what), me, tell);
    }

    /// Ends the session because the hello of the peer is not accepted. Calls for a new one only if the peer is
    /// restarted.
    pub(in crate::session) fn refuse_run(&mut self, why: &str, me: &Me, tell: &mut Tell) {
        let Some(live) = &self.live else { return };
        let (run, tags) = (live.run, live.own_tags());
        self.end(DownReason::Stopped, me, tell);
        self.calling = false;
        let why = why.into();
        self.refused = Some(Refused { run, why });
        self.answer = Answer::RefuseRun(tags);
    }

    /// Returns `true` if there is no session with a run because its hello is not accepted.
    fn refuses(&self, run: u64) -> bool {
        self.refused.as_ref().is_some_and(|it| it.run == run)
    }

    /// Takes note that the peer does not accept this node. Anybody can say so, but only the peer knows the tags of the
    /// session that ends with it.
    fn refused_by(&mut self, run: u64, tags: Option<Tags>, why: &str, me: &Me, tell: &mut Tell) {
        let what = || format!("node `{}` does not accept this node: {why}", self.name);
        let of_session = |live: &&Live| live.run == run && Some(live.tags) == tags;
        let session = self.live.as_ref().filter(of_session);
        if session.is_none_or(|live| !live.up) {
            let (now, interval) = (tell.now, me.config.report_interval);
            let peer = Some(&self.name);
            let told = self.reports.add(peer, Refusal::ByPeer, what, now, interval);
            tell.events.extend(told);
        }
        if session.is_none() {
            return;
        }
        let what = what();
        self.end(DownReason::Refused(what), me, tell);
        // Another run of the peer says hello.
        self.calling = false;
        let is_this = |old: &mut Old| old.run == run && Some(old.tags) == tags;
        if let Some(old) = self.old.take_if(is_this) {
            self.lost(&old, 0, true, tell);
        }
    }

    /// Returns `true` if a session is up and nothing waits for an acknowledgement.
    #[cfg(test)]
    pub(in crate::session) fn is_settled(&self) -> bool {
        let settled = |live: &Live| live.up && live.outbox.batches() == 0;
        self.old.is_none() && self.live.as_ref().is_some_and(settled)
    }

    /// Takes note that an event with `bytes` bytes of a batch was read.
    pub(in crate::session) fn read(&mut self, bytes: usize) {
        self.waiting = self.waiting.saturating_sub(live::EVENT + bytes);
    }

    pub(in crate::session) fn queue(
        &mut self,
        batch: Vec<u8>,
        messages: u32,
        shared: usize,
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
        if batches >= me.config.window_batches || len > left(bytes, shared, &me.config) {
            return Err(Backlog::Full {
                peer,
                batches,
                bytes,
            });
        }
        live.outbox.push(&Arc::new(batch), messages, me.max_frame);
        Ok(())
    }

    /// Returns the maximum length of any batch, in bytes.
    pub(in crate::session) fn longest(&self, config: &SessionConfig) -> Option<usize> {
        let live = self.live.as_ref().filter(|live| live.up)?;
        let most = usize::try_from(live.max_batch).unwrap_or(usize::MAX);
        Some(most.min(config.window_bytes))
    }

    /// Returns the maximum length of a batch that can be queued now, in bytes. `shared` is what all peers have left.
    pub(in crate::session) fn room(&self, shared: usize, config: &SessionConfig) -> usize {
        let Some(live) = self.live.as_ref().filter(|live| live.up) else {
            return 0;
        };
        if live.outbox.batches() >= config.window_batches {
            return 0;
        }
        let room = left(live.outbox.bytes(), shared, config);
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
            None if self.refused.is_some() => {}
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

    fn unreachable(&mut self, tell: &mut Tell) {
        let Some(live) = self.live.as_mut().filter(|live| !live.unreachable) else {
            return;
        };
        live.unreachable = true;
        if let Some(rival) = &self.rival {
            // Its next hello may come a second later.
            self.answer = Answer::Challenge(rival.run, rival.tag);
        }
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
        tell: &mut Tell,
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
                tags,
                accepted,
            } if to_run == me.run => self.bye(run, tags, accepted, me, tell),
            Body::Challenge { to_run, tags } if to_run == me.run => {
                self.challenged(run, tags, tell);
            }
            Body::Refuse { to_run, tags, why } if to_run == me.run => {
                self.refused_by(run, tags, why, me, tell);
            }
            Body::Bye { .. } | Body::Refuse { .. } | Body::Challenge { .. } => {
                tell.counters.late += 1;
            }
        }
    }

    /// Reports the messages of an ended session that the peer has not accepted. It cannot have accepted more than
    /// was sent.
    fn lost(&self, old: &Old, accepted: u64, exact: bool, tell: &mut Tell) {
        let messages = outbox::messages_after(&old.batches, accepted.min(old.sent));
        if messages > 0 {
            tell.events.push_back(SessionEvent::Lost {
                peer: self.name.clone(),
                messages,
                exact,
            });
        }
    }

    /// Ends the session, and calls for a new one.
    fn end(&mut self, why: DownReason, me: &Me, tell: &mut Tell) {
        let Some(live) = self.live.take() else { return };
        let complete = live.inbox.complete();
        if complete > 0 {
            self.accepted = Some((live.run, live.tags.from, complete));
        }
        let sent = live.outbox.sent_up_to();
        let batches = live.outbox.into_batches();
        if outbox::messages_after(&batches, 0) > 0 {
            self.old = Some(Old {
                run: live.run,
                tags: live.tags,
                batches,
                sent,
            });
        }
        let next = self.next_tag.take();
        self.tag = next.unwrap_or_else(|| tell.tags.issue());
        self.known = Some((live.run, live.tags.from));
        self.rival = None;
        self.since = tell.now;
        self.answer = Answer::None;
        self.call(me, tell.now);
        if live.up {
            let peer = self.name.clone();
            tell.events.push_back(SessionEvent::Down { peer, why });
        }
    }

    fn bye(&mut self, run: u64, tags: Tags, accepted: u64, me: &Me, tell: &mut Tell) {
        if let Some(live) = &self.live {
            if (live.run, live.tags) != (run, tags) {
                tell.counters.late += 1;
                return;
            }
            self.end(DownReason::Goodbye, me, tell);
            // The peer comes back as another run, and says hello then.
            self.calling = false;
            (self.present, self.came) = (false, false);
        }
        if let Some(old) = self.old.take_if(|old| (old.run, old.tags) == (run, tags)) {
            self.lost(&old, accepted, true, tell);
        }
    }

    /// Handles timeouts.
    pub(in crate::session) fn tick(&mut self, me: &Me, tell: &mut Tell) {
        let config = &me.config;
        if let Some(live) = &mut self.live {
            live.silence += tell.silence;
            if std::mem::take(&mut live.is_heard) {
                live.silence = Duration::ZERO;
            }
            let silence = live.silence;
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
    pub(in crate::session) fn stop(mut self, me: &Me, link: &mut dyn Link, tell: &mut Tell) {
        self.send_data(me, link, tell);
        if let Some(live) = &self.live {
            let body = Body::Bye {
                to_run: live.run,
                tags: live.own_tags(),
                accepted: live.inbox.complete(),
            };
            let mut bytes = Vec::new();
            let (from, run) = (me.name.as_str(), me.run);
            Frame { from, run, body }.write(&mut bytes);
            self.hand_over(bytes.into(), me, link, tell);
        }
        self.end(DownReason::Stopped, me, tell);
        if let Some(old) = self.old.take() {
            self.lost(&old, 0, false, tell);
        }
    }
}

/// Returns how many bytes can be queued behind others: `shared`, and always what is reserved for each peer.
fn left(bytes: usize, shared: usize, config: &SessionConfig) -> usize {
    let reserved = config.reserved_bytes().saturating_sub(bytes);
    let window = config.window_bytes.saturating_sub(bytes);
    window.min(shared.max(reserved))
}

/// Describes both runs, the one with the session first.
fn two_of_one_name(name: &NodeName, (first, second): (u64, u64)) -> String {
    format!(
        "two nodes are called `{name}`: run {first:#x}, which has a session, and run {second:#x}, which is refused"
    )
}
