//! The notices that the world receives about other nodes.

use crate::proxy::{self, OutboxId};
use message_core::prelude::Everyone;
use message_core::{Message, MessageManager, MessageeId};

use crate::ask::Unanswered;
use crate::name::NodeName;
use crate::net::{Net, ReachFound};
use crate::node::Node;
use crate::node::entry::Entry;
use crate::node::peer::State;
use crate::node::peers::Place;
use crate::session::{self, Refusal, SessionEvent};
use crate::told::{DownReason, MessagesLost, NetTrouble, NodeDown, NodeUp, Reach};

impl Node {
    /// Handles an event of the session with another node.
    pub(crate) fn session_changed(&mut self, manager: &mut MessageManager, event: SessionEvent) {
        match event {
            SessionEvent::Up {
                peer,
                hello,
                restarted,
                ..
            } => self.node_came(manager, &peer, &hello, restarted),
            SessionEvent::Unreachable { peer } => {
                self.set_state(manager, &peer, State::Unreachable);
            }
            SessionEvent::Back { peer } => self.set_state(manager, &peer, State::Up),
            SessionEvent::Down { peer, why } => self.node_went(manager, &peer, &why),
            SessionEvent::Lost { peer, messages, .. } => {
                if let Some(peer) = self.peers.get_mut(&peer) {
                    peer.counts.lost += messages;
                }
                let node = peer.to_string();
                self.tell_all(manager, MessagesLost { node, messages });
            }
            SessionEvent::Refused {
                peer, what, count, ..
            } => self.tell_trouble(manager, peer.as_ref(), what, count),
            SessionEvent::Batch { .. } => unreachable!("batches are taken apart elsewhere"),
        }
    }

    fn node_came(
        &mut self,
        manager: &mut MessageManager,
        name: &NodeName,
        hello: &[u8],
        restarted: bool,
    ) {
        if restarted {
            self.end_run(manager, name, "it was started again");
        }
        if !self.make_room_for(manager, name) {
            let most = self.config.session.max_peers;
            let what = format!("expected {most} nodes at most: nothing is taken from this one");
            return self.tell_trouble(manager, Some(name), what, 1);
        }
        if let Err(what) = self.compare_types(manager, name, hello) {
            let why = DownReason::Refused(what);
            let node = name.to_string();
            self.peer(name, manager).state = State::Away;
            self.tell_all(manager, NodeDown { node, why });
            return;
        }
        let groups: Vec<_> = self.spanning().collect();
        let peer = self.peer(name, manager);
        let again = std::mem::replace(&mut peer.was_up, true);
        peer.state = State::Up;
        proxy::set_outbox_blocked(manager, peer.outbox, false);
        // Entries from the end of the previous session may be lost. Repeating them does no harm.
        let wants: Vec<String> = peer.proxies.imported().map(str::to_owned).collect();
        for name in &wants {
            peer.tell_first(&Entry::Wants { name });
        }
        for group in groups {
            let name = group.name();
            peer.tell_first(&Entry::Group { name, open: true });
        }
        // The other node may have been in a session that has not begun here.
        peer.begin_again();
        if again {
            self.tell_reach(manager, name, Reach::Back);
        }
        let node = name.to_string();
        self.tell_all(manager, NodeUp { node, restarted });
    }

    /// Makes room for a node. If the maximum is reached, forgets a node that has gone and has no proxies.
    /// Returns `false` if there is still no room.
    fn make_room_for(&mut self, manager: &mut MessageManager, name: &NodeName) -> bool {
        if self.peers.contains_key(name) || self.peers.len() < self.config.session.max_peers {
            return true;
        }
        let idle = self.peers.values().find(|peer| peer.is_idle());
        let Some(idle) = idle.map(|peer| peer.name.clone()) else {
            return false;
        };
        let place = self.place(&idle, manager);
        proxy::set_outbox_blocked(manager, self.peers.at(place).outbox, true);
        self.give_up_outbox(manager, place, &has_gone(&idle, "it was forgotten"));
        if let Some(peer) = self.peers.remove(&idle) {
            proxy::close_outbox(manager, peer.outbox);
        }
        true
    }

    /// Counts a refusal, and reports it to the world at most once per interval for each kind.
    pub(crate) fn trouble(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        kind: Refusal,
        what: impl FnOnce() -> String,
    ) {
        let (now, interval) = (self.now, self.config.session.report_interval);
        let of = self.peers.at_mut(peer);
        let told = of.reports.add(Some(&of.name), kind, what, now, interval);
        if let Some(SessionEvent::Refused { what, count, .. }) = told {
            let name = of.name.clone();
            self.tell_trouble(manager, Some(&name), what, count);
        }
    }

    fn node_went(
        &mut self,
        manager: &mut MessageManager,
        name: &NodeName,
        why: &session::DownReason,
    ) {
        use session::DownReason as Why;
        let (why, has_ended) = match why {
            Why::Goodbye => (DownReason::Left, true),
            Why::Restarted => (DownReason::Restarted, true),
            Why::Silent | Why::GivenUp => (DownReason::Silent, false),
            Why::Broken(what) => (DownReason::Refused(what.clone()), false),
            Why::Stopped => return,
        };
        let Some(place) = self.peers.place(name) else {
            return;
        };
        let text = why.to_string();
        let was_reachable = {
            let peer = self.peers.at_mut(place);
            let before = std::mem::replace(&mut peer.state, State::Away);
            peer.session_ended();
            proxy::set_outbox_blocked(manager, peer.outbox, true);
            before == State::Up
        };
        self.give_up_outbox(manager, place, &has_gone(name, &text));
        if has_ended {
            self.end_run(manager, name, &text);
            // Messages to proxies that are imported from now on wait for the next run.
            let outbox = self.peer(name, manager).outbox;
            proxy::set_outbox_blocked(manager, outbox, false);
        } else if was_reachable {
            self.tell_reach(manager, name, Reach::Unreachable);
        }
        let node = name.to_string();
        self.tell_all(manager, NodeDown { node, why });
    }

    /// Ends the messagees of a run of another node.
    fn end_run(&mut self, manager: &mut MessageManager, name: &NodeName, why: &str) {
        let place = self.place(name, manager);
        self.give_up_outbox(manager, place, &has_gone(name, why));
        let peer = self.peers.at_mut(place);
        std::mem::take(&mut peer.posted).cancel_endless(manager);
        let proxies = self.peers.at_mut(place).forget_run();
        self.end_proxies(manager, proxies);
    }

    /// Ends everything that another node of this manager has left behind, in a save or without a goodbye.
    pub(crate) fn end_run_before(&mut self, manager: &mut MessageManager) {
        let outboxes: Vec<OutboxId> = proxy::outboxes(manager).collect();
        for outbox in outboxes {
            // The handlers that are notified can no longer send there.
            proxy::set_outbox_blocked(manager, outbox, true);
            let letters = proxy::take_outbox(manager, outbox);
            for letter in letters.letters() {
                let why = "it was not handed over before another node was attached";
                self.tell_undelivered(manager, letter, why.to_owned(), Unanswered::Unreachable);
            }
            proxy::close_outbox(manager, outbox);
        }
        let proxies = proxy::proxies(manager).collect();
        self.end_proxies(manager, proxies);
    }

    /// Ends proxies, after notifying their watchers.
    pub(crate) fn end_proxies(&mut self, manager: &mut MessageManager, proxies: Vec<MessageeId>) {
        self.tell_ended(manager, &proxies);
        for proxy in proxies {
            // A handler may have despawned it.
            self.guarded(|_| drop(manager.despawn(proxy)));
        }
    }

    /// Notifies those who watch proxies, or have asked them, that the proxies have ended.
    pub(crate) fn tell_ended(&mut self, manager: &mut MessageManager, proxies: &[MessageeId]) {
        if proxies.is_empty() {
            return;
        }
        let found = ReachFound {
            proxies: self.concerned(manager, proxies.iter().copied()),
            reach: Reach::Ended,
        };
        self.tell_found(manager, found);
    }

    /// Notifies the world of findings about proxies, if there are any.
    fn tell_found(&mut self, manager: &mut MessageManager, found: ReachFound) {
        if !found.proxies.is_empty() {
            self.guarded(|node| drop(manager.send(node.net, found)));
        }
    }

    /// Sends a message to everyone.
    fn tell_all<M: Message>(&mut self, manager: &mut MessageManager, message: M) {
        self.guarded(|_| drop(manager.send(Everyone, message)));
    }

    /// Notifies the world that something was refused, or that the network has trouble.
    pub(crate) fn tell_trouble(
        &mut self,
        manager: &mut MessageManager,
        node: Option<&NodeName>,
        what: String,
        count: u64,
    ) {
        let node = node.map(NodeName::to_string);
        self.tell_all(manager, NetTrouble { node, what, count });
    }

    fn set_state(&mut self, manager: &mut MessageManager, name: &NodeName, state: State) {
        let Some(peer) = self.peers.get_mut(name) else {
            return;
        };
        if std::mem::replace(&mut peer.state, state) == state {
            return;
        }
        let reach = match state {
            State::Up => Reach::Back,
            State::Unreachable | State::Away => Reach::Unreachable,
        };
        self.tell_reach(manager, name, reach);
    }

    /// Notifies those who watch proxies of a node.
    fn tell_reach(&mut self, manager: &mut MessageManager, name: &NodeName, reach: Reach) {
        let Some(peer) = self.peers.get(name) else {
            return;
        };
        let watched = manager.get::<Net>(self.net).ok();
        let watched = watched.map_or_else(Vec::new, |net| net.watched().collect::<Vec<_>>());
        let of_peer = |proxy: &MessageeId| peer.proxies.target_of(*proxy).is_some();
        let proxies: Vec<MessageeId> = watched.into_iter().filter(of_peer).collect();
        self.tell_found(manager, ReachFound { proxies, reach });
    }

    /// Returns the proxies that somebody watches or has asked.
    fn concerned(
        &self,
        manager: &MessageManager,
        proxies: impl Iterator<Item = MessageeId>,
    ) -> Vec<MessageeId> {
        let Ok(net) = manager.get::<Net>(self.net) else {
            return Vec::new();
        };
        if proxies.size_hint().1 == Some(1) {
            return proxies.filter(|&proxy| net.concerns(proxy)).collect();
        }
        let concerned = net.concerned();
        proxies.filter(|proxy| concerned.contains(proxy)).collect()
    }
}

/// Returns the reason why messages that wait for a node are not sent.
fn has_gone(name: &NodeName, why: &str) -> String {
    format!("node `{name}` has gone: {why}")
}
