//! The state that a node keeps about another one.

use std::collections::{BTreeSet, VecDeque};

use crate::proxy::{self, Letters, OutboxId};
use message_core::{MessageManager, MessageeId};

use crate::name::NodeName;
use crate::node::entries::Entries;
use crate::node::entry::{Entry, Target};
use crate::node::given::Given;
use crate::node::hello::Compared;
use crate::node::posted::Posted;
use crate::node::proxies::Proxies;
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
/// # let config = |name: &NodeName| NodeConfig::new(name.clone()).accept::<Note>();
/// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
/// #     Node::attach(manager, network.link(names[at].clone()), config(&names[at]))
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
    /// question. The report of a refusal can be lost in a long cut; a [`NetTrouble`](crate::NetTrouble) then
    /// says how many reports were lost.
    pub refused_there: u64,
    /// Messages that were sent and did not arrive.
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

/// The number of messages that were refused between the runs of two nodes.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// Messages of the other node that were refused here.
    pub(crate) of_theirs: u64,
    /// Messages of this node that the other node has reported as refused.
    pub(crate) of_ours: u64,
    /// Whether one of them has not been reported, because the other node does not read.
    pub(crate) is_untold: bool,
}

#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: NodeName,
    pub(crate) outbox: OutboxId,
    /// The letters of the previous flush, whose memory is reused.
    pub(crate) letters: Letters,
    pub(crate) state: State,
    /// Whether a session has ever begun.
    pub(crate) was_up: bool,
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
    /// Batches that wait for room in the session, with the number of messages in each.
    pub(crate) ready: VecDeque<(Vec<u8>, u32)>,
    /// Batches that the other node does not accept, because they are too long.
    pub(crate) too_long: Vec<(Vec<u8>, u32)>,
    pub(crate) counts: PeerCounts,
    pub(crate) refusals: Refusals,
    /// The messages that it has posted here.
    pub(crate) posted: Posted,
    /// The proxies for exports of third nodes that it has named.
    pub(crate) named: BTreeSet<MessageeId>,
    /// The reports about refused content of its batches.
    pub(crate) reports: Reports,
}

impl Peer {
    pub(crate) fn new(name: NodeName, manager: &mut MessageManager, backlog: usize) -> Self {
        Self {
            name,
            outbox: proxy::open_outbox_by_position(manager, backlog),
            letters: Letters::default(),
            state: State::Away,
            was_up: false,
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
            refusals: Refusals::default(),
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
    pub(crate) fn take_back(&mut self, handle: u32) {
        self.given.take_back(handle);
    }

    /// Takes note that the other node has a proxy for a handle.
    pub(crate) fn hold(&mut self, handle: u32) {
        self.given.hold(handle);
    }

    /// Takes note that the other node has listed all handles that it uses.
    pub(crate) fn hold_no_other(&mut self) {
        self.given.hold_no_other();
    }

    /// Takes note that a session has ended, so the last entries may be lost.
    pub(crate) fn session_ended(&mut self) {
        self.given.session_ended();
    }

    /// Begins a session again: lists the handles that are still in use.
    pub(crate) fn begin_again(&mut self) {
        for handle in self.proxies.held() {
            self.told.push(&Entry::Holds { handle });
        }
        self.tell(&Entry::HoldsNoOther);
        self.tell_refusals();
    }

    /// Reports how many messages were refused here, after the entries that name them.
    fn tell_refusals(&mut self) {
        self.refusals.is_untold = false;
        let messages = self.refusals.of_theirs;
        self.tell(&Entry::RefusedSoFar { messages });
    }

    /// Like [`tell_refusals`](Self::tell_refusals), but only if a refusal has not been reported.
    pub(crate) fn tell_untold_refusals(&mut self) {
        if self.refusals.is_untold {
            self.tell_refusals();
        }
    }

    pub(crate) fn add_proxy(&mut self, target: Target<&str>, proxy: MessageeId) {
        if let Some(handle) = self.proxies.add(target, proxy) {
            self.tell(&Entry::Holds { handle });
        }
    }

    /// Takes note that an export is known by a handle from now on, or no longer exists.
    pub(crate) fn exported(&mut self, name: &str, handle: Option<u32>) {
        if let Some(handle) = self.proxies.exported(name, handle) {
            self.tell(&Entry::Holds { handle });
        }
    }

    /// Returns the number of waiting bytes that are not messages.
    pub(crate) fn told_len(&self) -> usize {
        let ready: usize = self.ready.iter().map(|(batch, _)| batch.len()).sum();
        self.told_first.len() + self.told.len() + ready
    }

    /// Returns `true` if the other node has gone and no proxy represents anything there.
    pub(crate) fn is_idle(&self) -> bool {
        self.state == State::Away && self.proxies.len() == 0
    }

    /// Forgets the state of one run of the other node, whose messagees have ended. Returns the proxies, in
    /// order.
    pub(crate) fn forget_run(&mut self) -> Vec<MessageeId> {
        self.given.forget();
        self.refusals = Refusals::default();
        self.wanted.clear();
        self.groups.clear();
        self.named.clear();
        self.told_first = Entries::default();
        self.told = Entries::default();
        self.proxies.forget_all()
    }
}
