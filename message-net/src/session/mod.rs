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
mod memory;
mod outbox;
mod peer;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::link::{Link, LinkEvent};
use crate::name::NodeName;
use frame::{Body, Frame, FrameError};
use limits::{Meter, Reports};
use memory::Used;
use peer::{Me, Peer, Remains, Tell};

pub(crate) use config::SessionConfig;
pub use counters::SessionCounters;
pub(crate) use event::{Backlog, DownReason, Refusal, SessionEvent};

/// The sessions of one node with all others.
pub(crate) struct Sessions {
    me: Me,
    peers: BTreeMap<NodeName, Peer>,
    tell: Tell,
    /// The remains of peers that were forgotten, for the last ones of them.
    remains: BTreeMap<NodeName, Remains>,
    /// Nodes with which there is no session, with the run that was notified of that.
    turned_away: BTreeMap<NodeName, u64>,
    /// Those that are still to be notified.
    refusals: BTreeMap<NodeName, u64>,
    /// The meter for the frames of all nodes that have no session.
    meter: Meter,
    /// The reports about all nodes that have no session, and about none.
    reports: Reports,
    used: Used,
    /// Whether the time before the last poll was longer than the silence of a peer may be.
    was_paused: bool,
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
                hello: Arc::new(hello),
                config,
                max_frame: 0,
            },
            peers: BTreeMap::new(),
            tell: Tell::default(),
            remains: BTreeMap::new(),
            turned_away: BTreeMap::new(),
            refusals: BTreeMap::new(),
            meter: Meter::default(),
            reports: Reports::default(),
            used: Used::default(),
            was_paused: false,
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
        let len = batch.len();
        peer.queue(batch, messages, self.used.room(&self.me.config), &self.me)?;
        self.used.queued(len);
        Ok(())
    }

    /// Returns the maximum length in bytes of the next batch for a peer, or 0 if there is no session.
    pub(crate) fn room(&self, to: &NodeName) -> usize {
        let config = &self.me.config;
        let peer = self.peers.get(to);
        peer.map_or(0, |peer| peer.room(self.used.room(config), config))
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
        self.tell.spare.take()
    }

    /// Returns the current counters.
    pub(crate) fn counters(&self) -> SessionCounters {
        self.tell.counters
    }

    /// Reads the events of the link up to a limit, and sends the frames that are due: for each peer, usually one or
    /// none, and more if one is too short.
    ///
    /// A peer counts as silent only while the link has nothing unread. Time does not count either if it is longer than
    /// a peer may be silent, unless the time before the previous poll was, too: the program has stood still, and not
    /// the peers.
    pub(crate) fn poll(&mut self, link: &mut dyn Link, now: Duration) {
        if self.stopped {
            return;
        }
        let passed = now.saturating_sub(self.tell.now);
        self.tell.now = self.tell.now.max(now);
        self.me.max_frame = link.max_frame();
        let has_read_all = self.read(link);
        let is_paused = passed >= self.me.config.unreachable_after;
        let counts = has_read_all && (!is_paused || self.was_paused);
        self.tell.silence = if counts { passed } else { Duration::ZERO };
        if !passed.is_zero() {
            self.was_paused = is_paused;
        }
        self.tell_refusals(link);
        self.used = Used::default();
        for peer in self.peers.values_mut() {
            peer.tick(&self.me, &mut self.tell);
            peer.send(&self.me, link, &mut self.tell);
            self.used.add(peer);
        }
        let is_over = |peer: &Peer| peer.is_over(self.tell.now, &self.me.config);
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
            peer.came(&self.me, self.tell.now);
        }
        lost
    }

    /// Ends the session with a peer whose hello is not accepted, and tells the peer why. There is no other session with
    /// this run of it.
    pub(crate) fn refuse_run(&mut self, name: &NodeName, why: &str) {
        if let Some(peer) = self.peers.get_mut(name) {
            self.used.change(peer.is_up(), peer.memory(), 0);
            peer.refuse_run(why, &self.me, &mut self.tell);
        }
    }

    /// Forgets a peer that has gone, and reports that.
    fn forget_gone(&mut self, name: &NodeName) {
        let messages = self.remove(name);
        let peer = name.clone();
        if messages > 0 {
            self.tell.events.push_back(SessionEvent::Lost {
                peer: peer.clone(),
                messages,
                exact: false,
            });
        }
        self.tell.events.push_back(SessionEvent::Forgotten { peer });
    }

    /// Removes a peer, except for its remains. Returns how many messages it may not have received.
    fn remove(&mut self, name: &NodeName) -> u64 {
        let Some(peer) = self.peers.remove(name) else {
            return 0;
        };
        self.used.change(peer.is_up(), peer.memory(), 0);
        let (remains, lost) = peer.forget(&self.me, &mut self.tell);
        let Some(remains) = remains else {
            return lost;
        };
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
        let tag = self.tell.tags.issue();
        let peer = Peer::new(name.clone(), tag, remains, self.tell.now, &self.me.config);
        self.peers.insert(name.clone(), peer);
    }

    /// Returns the number of peers, for tests.
    #[cfg(test)]
    pub(crate) fn peer_count(&self) -> usize {
        self.peers.len()
    }

    /// Returns the next event, or `None` if there is none.
    pub(crate) fn next_event(&mut self) -> Option<SessionEvent> {
        let event = self.tell.events.pop_front()?;
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
            peer.stop(&self.me, link, &mut self.tell);
        }
    }

    /// Returns `true` if sessions with `peers` peers are up and have nothing in flight.
    #[cfg(test)]
    fn is_settled(&self, peers: usize) -> bool {
        let settled = self.peers.values().filter(|peer| peer.is_settled());
        settled.count() == peers
    }

    /// Reads events of the link. Returns `true` if none is left.
    fn read(&mut self, link: &mut dyn Link) -> bool {
        let (mut events, mut bytes) = (0, 0);
        while events < self.me.config.events_per_poll && bytes < self.me.config.bytes_per_poll {
            let Some(event) = link.poll() else {
                return true;
            };
            events += 1;
            if let LinkEvent::Frame { frame, .. } = &event {
                bytes += frame.len();
            }
            self.link_event(event);
        }
        false
    }

    fn link_event(&mut self, event: LinkEvent) {
        match event {
            LinkEvent::Frame { from, frame } => self.frame(&from, &Arc::new(frame)),
            LinkEvent::Came(name) => {
                let now = self.tell.now;
                let is_meant = name != self.me.name && self.me.config.has_session_with(&name);
                if is_meant && self.knows(&name) {
                    let peer = self.peers.get_mut(&name);
                    peer.expect("it is known").came(&self.me, now);
                }
            }
            LinkEvent::Went(name) => {
                if let Some(peer) = self.peers.get_mut(&name) {
                    peer.went(self.tell.now);
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
            let (now, config) = (self.tell.now, &self.me.config);
            let others = self.peers.iter();
            let give_way = others.filter_map(|it| Some((it.1.gives_way(now, config)?, it.0)));
            let Some(other) = give_way.min().map(|(_, name)| name.clone()) else {
                let what = || format!("node `{name}`: expected at most {most} peers");
                self.refuse(Some(name), Refusal::TooManyPeers, what);
                return false;
            };
            self.forget_gone(&other);
        }
        self.add(name);
        true
    }

    fn frame(&mut self, from: &NodeName, bytes: &Arc<Vec<u8>>) {
        self.tell.counters.frames_received += 1;
        self.tell.counters.bytes_received += bytes.len() as u64;
        if *from == self.me.name {
            let what =
                || format!("two nodes are called `{from}`: this one and one that sends to it");
            return self.refuse(None, Refusal::TwoOfOneName, what);
        }
        let (now, config) = (self.tell.now, &self.me.config);
        let peer = self.peers.get_mut(from);
        let is_up = peer.as_deref().is_some_and(Peer::is_up);
        let passes = peer.is_none_or(|peer| peer.meter.passes(bytes.len(), now, config));
        if !passes || !is_up && !self.meter.passes(bytes.len(), now, config) {
            let (frames, most) = (config.frames_per_second, config.bytes_per_second);
            let whose = if is_up {
                ""
            } else {
                " from all nodes without a session"
            };
            let what =
                || format!("expected up to {frames} frames and {most} bytes per second{whose}");
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
            let what = || format!("a frame that claims to be from `{}`", frame.from);
            return self.refuse(Some(from), Refusal::Pretender, what);
        }
        if !self.me.config.has_session_with(from) {
            self.tell.counters.refused += 1;
            if let Body::Hello(_) = frame.body {
                self.turn_away(from, frame.run);
            }
            return;
        }
        if self.knows(from) {
            let peer = self.peers.get_mut(from).expect("it is known");
            let before = (peer.is_up(), peer.memory());
            peer.take(frame, bytes, &self.me, &mut self.tell);
            self.used.change(before.0, before.1, 0);
            self.used.change(peer.is_up(), 0, peer.memory());
            self.bound_memory();
        }
    }

    /// Turns away a node with which no session is allowed, by one refusal per run of the node.
    fn turn_away(&mut self, node: &NodeName, run: u64) {
        if self.turned_away.get(node) == Some(&run) {
            return;
        }
        if self.turned_away.len() >= self.me.config.max_peers {
            // Some get a second notice; without this, others would get none.
            self.turned_away.clear();
        }
        self.turned_away.insert(node.clone(), run);
        self.refusals.insert(node.clone(), run);
    }

    /// Sends refusals to the nodes that were turned away.
    fn tell_refusals(&mut self, link: &mut dyn Link) {
        for (node, to_run) in std::mem::take(&mut self.refusals) {
            let why = format!(
                "it only has sessions with {}: `NodeConfig::sessions_with`",
                self.me.config.listed()
            );
            let body = Body::Refuse {
                to_run,
                tags: None,
                why: &why,
            };
            let (from, run) = (self.me.name.as_str(), self.me.run);
            let mut bytes = Vec::new();
            Frame { from, run, body }.write(&mut bytes);
            // If the frame is lost, only the reason is.
            let _ = link.send(&node, bytes.into());
        }
    }

    /// Counts a refusal, and reports it if that is due. All nodes without a session share their reports, because
    /// anybody can use any number of names.
    fn refuse(&mut self, peer: Option<&NodeName>, kind: Refusal, what: impl FnOnce() -> String) {
        self.tell.counters.refused += 1;
        let known = peer.and_then(|name| self.peers.get_mut(name));
        let reports = match known.filter(|peer| peer.is_up()) {
            Some(peer) => &mut peer.reports,
            None => &mut self.reports,
        };
        let interval = self.me.config.report_interval;
        self.tell
            .events
            .extend(reports.add(peer, kind, what, self.tell.now, interval));
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Sessions");
        f.field("peers", &self.peers.keys()).finish_non_exhaustive()
    }
}
