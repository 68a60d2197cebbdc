//! The state that a node keeps about another one.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use crate::proxy::{self, Letters, OutboxId};
use message_core::{MessageManager, MessageeId};

use crate::name::NodeName;
use crate::node::entries::{Batch, Entries};
use crate::node::entry::{Entry, Target};
use crate::node::given::Given;
use crate::node::hello::Compared;
use crate::node::ledger::{Ledger, Taken};
use crate::node::past::Past;
use crate::node::posted::Posted;
use crate::node::proxies::{Proxies, Renamed};
use crate::session::limits::Reports;

/// Whether messages can be sent to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// The node has not been met yet, or has not come back.
    Away,
    Up,
    /// Nothing arrives from the node at the moment; messages to it wait.
    Unreachable,
}

/// Counts of the messages between this node and another one.
///
/// ```
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.PeerCounts.Note", exact)]
/// # struct Note(u32);
/// # #[derive(Default)]
/// # struct Ear(Vec<u32>);
/// # #[handlers]
/// # impl Ear {
/// #     #[on_receive]
/// #     fn note(&mut self, note: &Note) { self.0.push(note.0); }
/// # }
/// # let network = MemoryNetwork::new(1, MemorySettings::new());
/// # let names = [NodeName::new("hub")?, NodeName::new("zone")?];
/// # let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
/// # let config = || NodeConfig::new().accept::<Note>();
/// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
/// #     Node::attach(manager, network.link(names[at].clone()), config())
/// # });
/// # macro_rules! run {
/// #     ($frames:expr) => {
/// #         for _ in 0..$frames {
/// #             network.advance(1);
/// #             hub.tick(&mut here, Duration::from_millis(50));
/// #             zone.tick(&mut there, Duration::from_millis(50));
/// #         }
/// #     };
/// # }
/// let ear = there.spawn((Ear::default(),));
/// zone.export(&mut there, ear, "gate")?;
/// let gate = hub.import(&mut here, "zone/gate")?;
/// here.send(gate, Note(1))?;
/// run!(10);
/// let counts = hub.peers().next().expect("the zone").counts;
/// assert_eq!((counts.sent, counts.lost, counts.refused_there), (1, 0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeerCounts {
    /// Messages that were handed over to the network.
    pub sent: u64,
    /// Messages that arrived, not including those that were refused here.
    pub received: u64,
    /// Messages that arrived and were refused, which was reported to the other node.
    pub refused_here: u64,
    /// Messages of this node that the other one has refused: each became a dead letter, or the answer to a
    /// question.
    pub refused_there: u64,
    /// Messages that were sent and did not arrive, or that may not have arrived, or that were refused without a
    /// reason that arrived: [`MessagesLost`](crate::MessagesLost) has reported them.
    pub lost: u64,
    /// Messages that were not handed over because the node had gone: each became a dead letter, or the answer
    /// to a question.
    pub undelivered: u64,
}

impl PeerCounts {
    /// Returns the number of messages that were sent and not reported as refused or lost.
    pub(crate) fn unaccounted(&self) -> u64 {
        self.sent.saturating_sub(self.refused_there + self.lost)
    }
}

#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: NodeName,
    pub(crate) known_since: Duration,
    pub(crate) outbox: OutboxId,
    /// The letters of the previous flush, whose memory is reused.
    pub(crate) letters: Letters,
    pub(crate) state: State,
    /// Whether a session has ever begun with its run.
    pub(crate) was_up: bool,
    /// When it went, if it was there and has gone.
    pub(crate) gone: Option<Duration>,
    /// Whether its last run has ended.
    pub(crate) has_ended: bool,
    /// The message types of the other node, compared with those of this one.
    pub(crate) types: Compared,
    /// The messagees that the other node knows by a handle.
    given: Given,
    /// The proxies for targets at the other node.
    pub(crate) proxies: Proxies,
    /// The exports that the other node is interested in.
    pub(crate) wanted: BTreeSet<String>,
    /// The groups that the other node has exported.
    pub(crate) groups: BTreeSet<String>,
    /// Entries that precede the messages in the outbox: which messagee a handle refers to.
    pub(crate) told_first: Entries,
    /// Entries that follow the messages in the outbox: ended messagees, and answers.
    pub(crate) told: Entries,
    /// Batches that wait for room in the session.
    pub(crate) ready: VecDeque<Batch>,
    /// Batches that the other node does not accept, because they are too long.
    pub(crate) too_long: Vec<Batch>,
    pub(crate) counts: PeerCounts,
    /// The messages to its run whose fate is not known yet.
    pub(crate) ledger: Ledger,
    /// The names in these messages that are in use no more.
    pub(crate) past: Past,
    /// The messages of its run that were taken here.
    pub(crate) taken: Taken,
    /// The number of messages that it was last told to be taken, and when.
    told_taken: (Taken, Duration),
    /// The messages that it has posted here.
    pub(crate) posted: Posted,
    /// The proxies for exports of third nodes that it has named.
    pub(crate) named: BTreeSet<MessageeId>,
    /// The reports about refused content of its batches.
    pub(crate) reports: Reports,
}

impl Peer {
    pub(crate) fn new(
        name: NodeName,
        now: Duration,
        manager: &mut MessageManager,
        backlog: usize,
    ) -> Self {
        Self {
            known_since: now,
            outbox: proxy::open_outbox_to(manager, &name, backlog),
            name,
            letters: Letters::default(),
            state: State::Away,
            was_up: false,
            gone: None,
            has_ended: false,
            types: Compared::default(),
            given: Given::default(),
            proxies: Proxies::default(),
            wanted: BTreeSet::new(),
            groups: BTreeSet::new(),
            told_first: Entries::default(),
            told: Entries::default(),
            ready: VecDeque::new(),
            too_long: Vec::new(),
            counts: PeerCounts::default(),
            ledger: Ledger::default(),
            past: Past::default(),
            taken: Taken::default(),
            told_taken: Default::default(),
            posted: Posted::default(),
            named: BTreeSet::new(),
            reports: Reports::default(),
        }
    }

    /// Returns `true` if the other node reads a list of the fields of that type.
    pub(crate) fn takes_lists(&self, of: u32) -> bool {
        self.types
            .lists
            .get(of as usize)
            .copied()
            .unwrap_or_default()
    }

    /// Queues an entry after the messages of this flush.
    pub(crate) fn tell(&mut self, entry: &Entry<'_>) {
        self.told.push(entry);
    }

    /// Queues an entry before the messages of this flush.
    pub(crate) fn tell_first(&mut self, entry: &Entry<'_>) {
        self.told_first.push(entry);
    }

    /// Returns the handle by which the other node knows a messagee of this one. If necessary, assigns a new
    /// one, and reports the messagee's end from then on.
    pub(crate) fn give(&mut self, id: MessageeId, manager: &mut MessageManager) -> u32 {
        if let Some(handle) = self.given.handle(id) {
            self.given.hold(handle);
            if !manager.is_alive(id) {
                // Its end may have been reported before the handle is known there.
                self.tell(&Entry::Ended { handle });
            }
            return handle;
        }
        let handle = self.given.add(id);
        if proxy::watch_end(manager, id).is_err() {
            self.tell(&Entry::Ended { handle });
        }
        handle
    }

    /// Returns the messagee that the other node knows by this handle.
    #[inline]
    pub(crate) fn given(&self, handle: u32) -> Option<MessageeId> {
        self.given.id(handle)
    }

    /// Returns the handle by which the other node knows a messagee, if any.
    pub(crate) fn handle_of(&self, id: MessageeId) -> Option<u32> {
        self.given.handle(id)
    }

    /// Returns the number of messagees that the other node knows by a handle.
    pub(crate) fn given_count(&self) -> usize {
        self.given.len()
    }

    /// Removes a handle that the other node no longer knows.
    pub(crate) fn take_back(&mut self, handle: u32, most: usize) {
        let until = self.next_message();
        if let Some(id) = self.given.take_back(handle) {
            self.past.add_given(handle, id, until, most);
        }
    }

    /// Returns the number of the next message to the other node.
    fn next_message(&self) -> u64 {
        let ready = self.ready.iter().map(|batch| batch.messages.all());
        self.ledger.next() + ready.sum::<u64>()
    }

    /// Forgets a proxy that has ended, except for refusals that can still come. Returns the handles by which it was
    /// known, or `None` if it was not known.
    pub(crate) fn forget_proxy(&mut self, proxy: MessageeId, most: usize) -> Option<Vec<u32>> {
        let targets = self.proxies.forget(proxy)?;
        let until = self.next_message();
        let mut handles = Vec::new();
        for target in targets {
            if let Target::Handle(handle) = target {
                handles.push(handle);
            }
            self.past.add_proxy(target, proxy, until, most);
        }
        Some(handles)
    }

    /// Returns the proxy for a target, also if it has ended and messages to it may yet be refused.
    pub(crate) fn proxy_of(&self, target: Target<&str>) -> Option<MessageeId> {
        let known = self.proxies.find(target);
        known.or_else(|| self.past.proxy(target))
    }

    /// Returns the messagee that the other node knows, or has known, by this handle.
    pub(crate) fn sender_of(&self, handle: u32) -> Option<MessageeId> {
        self.given(handle).or_else(|| self.past.given(handle))
    }

    /// Takes note that the other node has a proxy for a handle.
    pub(crate) fn hold(&mut self, handle: u32) {
        self.given.hold(handle);
    }

    /// Takes note that the other node has listed all handles that it uses.
    pub(crate) fn hold_no_other(&mut self, most: usize) {
        let until = self.next_message();
        for (handle, id) in self.given.hold_no_other() {
            self.past.add_given(handle, id, until, most);
        }
    }

    /// Takes note that a session has ended, so the last entries may be lost.
    pub(crate) fn session_ended(&mut self) {
        self.given.session_ended();
    }

    /// Begins a session, or begins one again: lists the handles that are still in use.
    pub(crate) fn begin_again(&mut self, now: Duration) {
        self.ledger.begin_session();
        self.past.limit(self.ledger.next());
        for handle in self.proxies.held() {
            self.told.push(&Entry::Holds { handle });
        }
        self.tell(&Entry::HoldsNoOther);
        self.tell_taken(now);
    }

    /// Reports how many messages were taken here, after the entries that refuse some of them.
    pub(crate) fn tell_taken(&mut self, now: Duration) {
        self.told_taken = (self.taken, now);
        self.tell(&Entry::Taken(self.taken));
    }

    /// Returns `true` if the other node does not know yet how many messages were taken, and was not told so within
    /// this time.
    pub(crate) fn owes_taken(&self, now: Duration, interval: Duration) -> bool {
        let (told, at) = self.told_taken;
        told != self.taken && now.saturating_sub(at) >= interval
    }

    pub(crate) fn add_proxy(&mut self, target: Target<&str>, proxy: MessageeId) {
        if let Some(handle) = self.proxies.add(target, proxy) {
            self.tell(&Entry::Holds { handle });
        }
    }

    /// Takes note that an export is known by a handle from now on, or no longer exists.
    pub(crate) fn exported(&mut self, name: &str, handle: Option<u32>, most: usize) {
        match self.proxies.exported(name, handle) {
            Renamed::Not => {}
            Renamed::Met(handle) => self.tell(&Entry::Holds { handle }),
            Renamed::LostName(proxy) => {
                let (target, until) = (Target::Export(name.to_owned()), self.next_message());
                self.past.add_proxy(target, proxy, until, most);
            }
        }
    }

    /// Takes note that a message of the other node was received.
    #[inline]
    pub(crate) fn received(&mut self) {
        self.counts.received += 1;
        self.taken.messages += 1;
    }

    /// Returns the number of waiting bytes that are not messages.
    pub(crate) fn told_len(&self) -> usize {
        let ready: usize = self.ready.iter().map(|batch| batch.bytes.len()).sum();
        self.told_first.len() + self.told.len() + ready
    }

    /// Returns `true` if nothing is to be kept of the other node: its last run has ended, it was never there, or it
    /// has been away for a time.
    pub(crate) fn is_over(&self, now: Duration, forget_after: Duration) -> bool {
        let is_unused = self.proxies.len() == 0 && !self.was_up;
        let is_old = |gone: Duration| now.saturating_sub(gone) >= forget_after;
        self.state == State::Away && (is_unused || self.gone.is_some_and(is_old))
    }

    /// Forgets the state of one run of the other node, whose messagees have ended. Returns the proxies, in
    /// order.
    pub(crate) fn forget_run(&mut self) -> Vec<MessageeId> {
        self.given.forget();
        self.past = Past::default();
        self.taken = Taken::default();
        self.told_taken.0 = Taken::default();
        self.wanted.clear();
        self.groups.clear();
        self.told_first = Entries::default();
        self.told = Entries::default();
        self.proxies.forget_all()
    }
}
