//! Reliable sessions over a [`Link`]: batches arrive in order and once, or their loss is counted and reported.
//!
//! [`Sessions`] are all sessions of one node. Each `Peer` is a state machine without a clock or a link of its
//! own. The time is passed to [`poll`](Sessions::poll), so the same calls and the same frames lead to the same
//! events. Peers are visited in the order of their names.
//!
//! `frame` defines the frames, `outbox` holds the data still to be transferred, and `inbox` the received data;
//! `peer` defines how a session begins and ends.

mod config;
mod counters;
mod event;
pub(crate) mod frame;
mod inbox;
pub(crate) mod limits;
mod outbox;
mod peer;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::link::{Link, LinkEvent};
use crate::name::NodeName;
use crate::spare::Spare;
use frame::{Body, Frame, FrameError};
use limits::{Meter, Reports};
use peer::{Me, Peer, Remains, Tell};

pub(crate) use config::SessionConfig;
pub use counters::SessionCounters;
pub(crate) use event::{Backlog, DownReason, Refusal, SessionEvent};

/// The sessions of one node with all others.
pub(crate) struct Sessions {
    me: Me,
    peers: BTreeMap<NodeName, Peer>,
    events: VecDeque<SessionEvent>,
    counters: SessionCounters,
    /// The remains of peers that were forgotten, for the last ones of them.
    remains: BTreeMap<NodeName, Remains>,
    /// Nodes with which there is no session, with the run that was notified of that.
    turned_away: BTreeMap<NodeName, u64>,
    /// Those that are still to be notified.
    refusals: Vec<(NodeName, u64)>,
    /// The memory of transferred batches.
    spare: Spare,
    /// The meter for frames and events that belong to no peer.
    meter: Meter,
    reports: Reports,
    now: Duration,
    stopped: bool,
}

impl Sessions {
    /// Creates the sessions of a node. The incarnation distinguishes its runs: it must be different for each
    /// one. Each peer receives `hello` with its `Up`.
    pub(crate) fn new(
        me: NodeName,
        incarnation: u64,
        hello: Vec<u8>,
        config: SessionConfig,
    ) -> Self {
        Self {
            me: Me {
                name: me,
                run: incarnation,
                hello,
                config,
                max_frame: 0,
            },
            peers: BTreeMap::new(),
            events: VecDeque::new(),
            counters: SessionCounters::default(),
            remains: BTreeMap::new(),
            turned_away: BTreeMap::new(),
            refusals: Vec::new(),
            spare: Spare::default(),
            meter: Meter::default(),
            reports: Reports::default(),
            now: Duration::ZERO,
            stopped: false,
        }
    }

    /// Queues a batch for a peer; `messages` is the number to count if it is lost. It is sent with the next
    /// poll.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no session with the peer, if too much is waiting for an acknowledgement, or
    /// if the batch is too long. In this case the batch is not counted as lost.
    pub(crate) fn queue(
        &mut self,
        to: &NodeName,
        batch: Vec<u8>,
        messages: u32,
    ) -> Result<(), Backlog> {
        let Some(peer) = self.peers.get_mut(to) else {
            return Err(Backlog::NotUp(to.clone()));
        };
        peer.queue(batch, messages, &self.me)
    }

    /// Returns the maximum length in bytes of the next batch for a peer, or 0 if there is no session.
    pub(crate) fn room(&self, to: &NodeName) -> usize {
        self.peers
            .get(to)
            .map_or(0, |peer| peer.room(&self.me.config))
    }

    /// Returns how many bytes of a batch fit into one frame.
    pub(crate) fn longest_piece(&self) -> usize {
        frame::room_of_one(self.me.max_frame)
    }

    /// Returns the maximum length in bytes of any batch for a peer, or `None` if there is no session.
    pub(crate) fn longest(&self, to: &NodeName) -> Option<usize> {
        self.peers.get(to)?.longest(&self.me.config)
    }

    /// Returns `true` between `Up` and `Down` of a peer.
    pub(crate) fn is_up(&self, peer: &NodeName) -> bool {
        self.peers.get(peer).is_some_and(Peer::is_up)
    }

    /// Returns a buffer for a batch.
    pub(crate) fn memory(&mut self) -> Vec<u8> {
        self.spare.take()
    }

    /// Returns the current counters.
    pub(crate) fn counters(&self) -> SessionCounters {
        self.counters
    }

    /// Reads the events of the link, and sends the frames that are due: for each peer, usually one or none, and
    /// more if one is too short.
    pub(crate) fn poll(&mut self, link: &mut dyn Link, now: Duration) {
        if self.stopped {
            return;
        }
        self.now = self.now.max(now);
        self.me.max_frame = link.max_frame();
        for _ in 0..self.me.config.events_per_poll {
            let Some(event) = link.poll() else { break };
            self.link_event(event);
        }
        self.tell_refusals(link);
        let mut tell = Tell {
            events: &mut self.events,
            counters: &mut self.counters,
            spare: &mut self.spare,
            now: self.now,
        };
        for peer in self.peers.values_mut() {
            peer.tick(&self.me, &mut tell);
            peer.send(&self.me, link, &mut tell);
        }
        let is_over = |peer: &Peer| peer.is_over(self.now, &self.me.config);
        let over = self.peers.iter().filter(|(_, peer)| is_over(peer));
        let over: Vec<_> = over.map(|(name, _)| name.clone()).collect();
        for name in over {
            self.forget_gone(&name);
        }
    }

    /// Forgets a peer, with its session if there is one. If the link can reach it, a new session with it can begin: the
    /// link does not report it again. Returns how many messages it may not have received.
    pub(crate) fn forget(&mut self, name: &NodeName) -> u64 {
        let has_come = self.peers.get(name).is_some_and(Peer::has_come);
        let lost = self.remove(name);
        if has_come {
            self.add(name);
            let peer = self.peers.get_mut(name).expect("it was added");
            peer.came(&self.me, self.now);
        }
        lost
    }

    /// Forgets a peer that has gone, and reports that.
    fn forget_gone(&mut self, name: &NodeName) {
        let messages = self.remove(name);
        let peer = name.clone();
        if messages > 0 {
            self.events.push_back(SessionEvent::Lost {
                peer: peer.clone(),
                messages,
                exact: false,
            });
        }
        self.events.push_back(SessionEvent::Forgotten { peer });
    }

    /// Removes a peer, except for its remains. Returns how many messages it may not have received.
    fn remove(&mut self, name: &NodeName) -> u64 {
        let Some(peer) = self.peers.remove(name) else {
            return 0;
        };
        let mut tell = Tell {
            events: &mut self.events,
            counters: &mut self.counters,
            spare: &mut self.spare,
            now: self.now,
        };
        let (remains, lost) = peer.forget(&self.me, &mut tell);
        if self.remains.len() >= self.me.config.max_peers.max(1) {
            let first = self.remains.iter().min_by_key(|(_, it)| it.since);
            let first = first.map(|(name, _)| name.clone());
            first.map(|first| self.remains.remove(&first));
        }
        self.remains.insert(name.clone(), remains);
        lost
    }

    /// Adds a peer that is not known.
    fn add(&mut self, name: &NodeName) {
        let remains = self.remains.remove(name);
        let peer = Peer::new(name.clone(), remains, self.now, &self.me.config);
        self.peers.insert(name.clone(), peer);
    }

    /// Returns the number of peers, for tests.
    #[cfg(test)]
    pub(crate) fn peer_count(&self) -> usize {
        self.peers.len()
    }

    /// Returns the next event, or `None` if there is none.
    pub(crate) fn next_event(&mut self) -> Option<SessionEvent> {
        let event = self.events.pop_front()?;
        if let SessionEvent::Batch { peer, bytes } = &event
            && let Some(peer) = self.peers.get_mut(peer)
        {
            peer.read(bytes.len());
        }
        Some(event)
    }

    /// Sends everything that waits, says goodbye to all peers, and ends their sessions. Messages that are not
    /// acknowledged are reported as lost, though they may arrive. Later polls do nothing.
    pub(crate) fn stop(&mut self, link: &mut dyn Link) {
        self.stopped = true;
        for peer in std::mem::take(&mut self.peers).into_values() {
            let mut tell = Tell {
                events: &mut self.events,
                counters: &mut self.counters,
                spare: &mut self.spare,
                now: self.now,
            };
            peer.stop(&self.me, link, &mut tell);
        }
    }

    /// Returns `true` if sessions with `peers` peers are up and have nothing in flight.
    #[cfg(test)]
    fn is_settled(&self, peers: usize) -> bool {
        let settled = self.peers.values().filter(|peer| peer.is_settled());
        settled.count() == peers
    }

    fn link_event(&mut self, event: LinkEvent) {
        match event {
            LinkEvent::Frame { from, frame } => self.frame(&from, &Arc::new(frame)),
            LinkEvent::Came(name) => {
                let now = self.now;
                let is_meant = name != self.me.name && self.me.config.has_session_with(&name);
                if is_meant && self.knows(&name) {
                    let peer = self.peers.get_mut(&name);
                    peer.expect("it is known").came(&self.me, now);
                }
            }
            LinkEvent::Went(name) => {
                if let Some(peer) = self.peers.get_mut(&name) {
                    peer.went(self.now);
                }
            }
            LinkEvent::NameTaken { by } => {
                let what = format!("two nodes are called `{}`: this one and {by}", self.me.name);
                self.refuse(None, Refusal::TwoOfOneName, || what);
            }
            LinkEvent::Trouble(what) => self.refuse(None, Refusal::Link, || what),
        }
    }

    /// Ensures that a peer of that name is known. If there are too many, forgets the one that has gone for the longest
    /// time. Returns `false` if none has gone.
    fn knows(&mut self, name: &NodeName) -> bool {
        if self.peers.contains_key(name) {
            return true;
        }
        let most = self.me.config.max_peers;
        if self.peers.len() >= most {
            let (now, config) = (self.now, &self.me.config);
            let gone = self.peers.iter().filter(|it| it.1.has_gone(now, config));
            let gone = gone.min_by_key(|(_, peer)| peer.heard());
            let Some(gone) = gone.map(|(name, _)| name.clone()) else {
                let what = || format!("node `{name}`: expected {most} peers at most");
                self.refuse(Some(name), Refusal::TooManyPeers, what);
                return false;
            };
            self.forget_gone(&gone);
        }
        self.add(name);
        true
    }

    fn frame(&mut self, from: &NodeName, bytes: &Arc<Vec<u8>>) {
        self.counters.frames_received += 1;
        self.counters.bytes_received += bytes.len() as u64;
        if *from == self.me.name {
            let what =
                || format!("two nodes are called `{from}`: this one and one that sends to it");
            return self.refuse(None, Refusal::TwoOfOneName, what);
        }
        let (now, config) = (self.now, &self.me.config);
        let meter = match self.peers.get_mut(from) {
            Some(peer) => &mut peer.meter,
            None => &mut self.meter,
        };
        if !meter.passes(bytes.len(), now, config) {
            let (frames, most) = (config.frames_per_second, config.bytes_per_second);
            let what = || format!("expected up to {frames} frames and {most} bytes in a second");
            return self.refuse(Some(from), Refusal::Flood, what);
        }
        let frame = match frame::read(bytes) {
            Ok(frame) => frame,
            Err(error) => {
                let kind = match error {
                    FrameError::Version(_) => Refusal::Version,
                    FrameError::Malformed { .. } => Refusal::Malformed,
                };
                let what = || format!("a frame of {} bytes: {error}", bytes.len());
                return self.refuse(Some(from), kind, what);
            }
        };
        if frame.from != from.as_str() {
            let what = || format!("a frame that says it is from `{}`", frame.from);
            return self.refuse(Some(from), Refusal::Pretender, what);
        }
        if !self.me.config.has_session_with(from) {
            self.counters.refused += 1;
            if let Body::Hello(_) = frame.body {
                self.turn_away(from, frame.run);
            }
            return;
        }
        if self.knows(from) {
            let mut tell = Tell {
                events: &mut self.events,
                counters: &mut self.counters,
                spare: &mut self.spare,
                now,
            };
            let peer = self.peers.get_mut(from).expect("it is known");
            peer.take(frame, bytes, &self.me, &mut tell);
        }
    }

    /// Turns away a node with which no session is allowed, by one refusal per run of the node.
    fn turn_away(&mut self, node: &NodeName, run: u64) {
        let known = self.turned_away.get(node);
        if known == Some(&run) {
            return;
        }
        if known.is_some() || self.turned_away.len() < self.me.config.max_peers {
            self.turned_away.insert(node.clone(), run);
            self.refusals.push((node.clone(), run));
        }
    }

    /// Sends refusals to the nodes that were turned away.
    fn tell_refusals(&mut self, link: &mut dyn Link) {
        for (node, to_run) in self.refusals.drain(..) {
            let why = format!(
                "it has sessions with {} only: `NodeConfig::sessions_with`",
                self.me.config.listed()
            );
            let body = Body::Refuse { to_run, why: &why };
            let (from, run) = (self.me.name.as_str(), self.me.run);
            let mut bytes = Vec::new();
            Frame { from, run, body }.write(&mut bytes);
            // If the frame is lost, only the reason is.
            let _ = link.send(&node, bytes.into());
        }
    }

    /// Counts a refusal, and reports it if that is due.
    fn refuse(&mut self, peer: Option<&NodeName>, kind: Refusal, what: impl FnOnce() -> String) {
        self.counters.refused += 1;
        let reports = match peer.and_then(|name| self.peers.get_mut(name)) {
            Some(peer) => &mut peer.reports,
            None => &mut self.reports,
        };
        let interval = self.me.config.report_interval;
        self.events
            .extend(reports.add(peer, kind, what, self.now, interval));
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Sessions");
        f.field("peers", &self.peers.keys()).finish_non_exhaustive()
    }
}
