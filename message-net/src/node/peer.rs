//! What a node knows of another one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use message_core::proxy::{Letters, OutboxId};
use message_core::{MessageManager, MessageeId};

use crate::name::NodeName;
use crate::node::accept::Readable;
use crate::node::entries::Entries;
use crate::node::entry::{Entry, Target};
use crate::node::given::Given;
use crate::node::posted::Posted;
use crate::node::proxies::Proxies;
use crate::session::limits::Reports;

/// If a node can be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It was not met yet, or not again.
    Away,
    Up,
    /// Nothing comes from it at the moment; what is sent to it waits.
    Unreachable,
}

/// A type of the other node, by its number: what it is here, or why it is refused.
pub(crate) type Known = Result<Readable, String>;

/// Counts of what passed between this node and another one.
///
/// ```
/// # use message_core::data::Data;
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
    /// Messages that came, without those that were refused here.
    pub received: u64,
    /// Messages that came and were refused: the other node was told.
    pub refused_here: u64,
    /// Messages of this node that the other one has refused: each became a dead letter, or the answer to a
    /// question. What told of it can be lost in a long cut: then a [`NetTrouble`](crate::NetTrouble) has
    /// told how many there are.
    pub refused_there: u64,
    /// Messages of those sent that did not arrive.
    pub lost: u64,
    /// Messages that were not handed over, since the node had gone: each became a dead letter, or the answer
    /// to a question.
    pub undelivered: u64,
}

impl PeerCounts {
    /// Messages that were sent, and of which it was not told that they did not arrive.
    pub(crate) fn unaccounted(&self) -> u64 {
        self.sent.saturating_sub(self.refused_there + self.lost)
    }
}

/// How many messages were refused between the runs of two nodes.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// Messages of the other node that were refused here.
    pub(crate) of_theirs: u64,
    /// Messages of this node of which the other one has told that it has refused them.
    pub(crate) of_ours: u64,
    /// One of them was not told, as the other node does not read.
    pub(crate) is_untold: bool,
}

#[derive(Debug)]
pub(crate) struct Peer {
    pub(crate) name: NodeName,
    pub(crate) outbox: OutboxId,
    /// Those of the flush before, whose memory is used again.
    pub(crate) letters: Letters,
    pub(crate) state: State,
    /// The session has begun once.
    pub(crate) was_up: bool,
    pub(crate) types: Vec<Known>,
    /// The types of this node that the other one cannot read, by their numbers here: why.
    pub(crate) unreadable: BTreeMap<u32, String>,
    /// By the numbers of the types here: if the other one reads a list of the fields as this node writes it.
    pub(crate) lists: Vec<bool>,
    /// The messagees that the other node knows by a handle.
    given: Given,
    /// The proxies for what is at the other node.
    pub(crate) proxies: Proxies,
    /// The exports that the other node wants to know of.
    pub(crate) wanted: BTreeSet<String>,
    /// The groups that the other node has exported.
    pub(crate) groups: BTreeSet<String>,
    /// What is told before the messages that wait in the outbox: who a messagee is.
    pub(crate) told_first: Entries,
    /// What is told behind these: who has ended, and answers.
    pub(crate) told: Entries,
    /// Batches that wait for room in the session, with the number of messages in each.
    pub(crate) ready: VecDeque<(Vec<u8>, u32)>,
    /// Those that the other node does not take.
    pub(crate) too_long: Vec<(Vec<u8>, u32)>,
    pub(crate) counts: PeerCounts,
    pub(crate) refusals: Refusals,
    /// What it has posted here.
    pub(crate) posted: Posted,
    /// The proxies for exports of third nodes that it has named.
    pub(crate) named: BTreeSet<MessageeId>,
    /// What was refused of it, as far as batches say it.
    pub(crate) reports: Reports,
}

impl Peer {
    pub(crate) fn new(name: NodeName, manager: &mut MessageManager, backlog: usize) -> Self {
        Self {
            name,
            outbox: manager.open_outbox_by_position(backlog),
            letters: Letters::default(),
            state: State::Away,
            was_up: false,
            types: Vec::new(),
            unreadable: BTreeMap::new(),
            lists: Vec::new(),
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
        self.lists.get(of as usize).copied().unwrap_or_default()
    }

    /// Puts an entry behind the messages of this flush.
    pub(crate) fn tell(&mut self, entry: &Entry<'_>) {
        self.told.push(entry);
    }

    /// Puts an entry before the messages of this flush.
    pub(crate) fn tell_first(&mut self, entry: &Entry<'_>) {
        self.told_first.push(entry);
    }

    /// The handle by which the other node knows a messagee of this one; a new one if need be, from which on
    /// its end is told.
    pub(crate) fn give(&mut self, id: MessageeId, manager: &mut MessageManager) -> u32 {
        if let Some(handle) = self.given.handle(id) {
            self.given.hold(handle);
            if !manager.is_alive(id) {
                // Its end may have been told before it is known there.
                self.tell(&Entry::Ended { handle });
            }
            return handle;
        }
        let handle = self.given.add(id);
        if manager.watch_end(id).is_err() {
            self.tell(&Entry::Ended { handle });
        }
        handle
    }

    /// The messagee that the other node knows by this handle.
    #[inline]
    pub(crate) fn given(&self, handle: u32) -> Option<MessageeId> {
        self.given.id(handle)
    }

    /// The handle by which the other node knows a messagee, if it does.
    pub(crate) fn handle_of(&self, id: MessageeId) -> Option<u32> {
        self.given.handle(id)
    }

    /// How many messagees the other node knows by a handle.
    pub(crate) fn given_count(&self) -> usize {
        self.given.len()
    }

    /// The other node knows a messagee no more.
    pub(crate) fn take_back(&mut self, handle: u32) {
        self.given.take_back(handle);
    }

    /// The other node has a proxy for a handle.
    pub(crate) fn hold(&mut self, handle: u32) {
        self.given.hold(handle);
    }

    /// The other node has told of all handles that it has.
    pub(crate) fn hold_no_other(&mut self) {
        self.given.hold_no_other();
    }

    /// A session has ended: what was told last may be lost.
    pub(crate) fn session_ended(&mut self) {
        self.given.session_ended();
    }

    /// A session begins again: tells what of the one before is there.
    pub(crate) fn begin_again(&mut self) {
        for handle in self.proxies.held() {
            self.told.push(&Entry::Holds { handle });
        }
        self.tell(&Entry::HoldsNoOther);
        self.tell_refusals();
    }

    /// Tells how many messages were refused here: behind what tells which ones.
    fn tell_refusals(&mut self) {
        self.refusals.is_untold = false;
        let messages = self.refusals.of_theirs;
        self.tell(&Entry::RefusedSoFar { messages });
    }

    /// The same, if one was not told.
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

    /// An export is known by a handle from now on, or is not there any more.
    pub(crate) fn exported(&mut self, name: &str, handle: Option<u32>) {
        if let Some(handle) = self.proxies.exported(name, handle) {
            self.tell(&Entry::Holds { handle });
        }
    }

    /// How many bytes wait that are no messages.
    pub(crate) fn told_len(&self) -> usize {
        let ready: usize = self.ready.iter().map(|(batch, _)| batch.len()).sum();
        self.told_first.len() + self.told.len() + ready
    }

    /// Returns `true` if it has gone and nothing stands for anything of it.
    pub(crate) fn is_idle(&self) -> bool {
        self.state == State::Away && self.proxies.len() == 0
    }

    /// Forgets all that was of one run of the other node, whose messagees have ended. Returns the proxies,
    /// in order.
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
