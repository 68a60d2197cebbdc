//! The notices that the world receives about other nodes.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::proxy::{self, OutboxId};
use message_core::prelude::Everyone;
use message_core::{Message, MessageManager, MessageeId};
use message_data::ask::{Asks, Unanswered};

use crate::name::NodeName;
use crate::net::{Net, ReachFound};
use crate::node::Node;
use crate::node::entry::Entry;
use crate::node::ledger::Sum;
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
                if let Some(place) = self.peers.place(&peer) {
                    let lost = self.peers.at_mut(place).ledger.lose(messages);
                    self.tell_lost(manager, place, lost);
                }
            }
            SessionEvent::Forgotten { peer } => {
                let was_up = |&place: &Place| self.peers.at(place).was_up;
                if let Some(place) = self.peers.place(&peer).filter(was_up) {
                    self.forget_at(manager, place, "it was forgotten");
                }
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
        if restarted && let Some(place) = self.peers.place(name) {
            self.end_run(manager, place, "it was restarted");
        }
        if !self.make_room_for(manager, name) {
            let most = self.config.session.max_peers;
            let what = format!("expected at most {most} nodes: nothing is accepted from this one");
            return self.tell_trouble(manager, Some(name), what, 1);
        }
        let compared = self.compare_types(manager, name, hello);
        let (now, groups) = (self.now, self.spanning().collect::<Vec<_>>());
        let peer = self.peer(name, manager);
        let again = std::mem::replace(&mut peer.was_up, true);
        (peer.gone, peer.has_ended) = (None, false);
        if let Err(what) = compared {
            self.sessions.refuse_run(name, &what);
            let why = session::DownReason::Refused(what);
            return self.node_went(manager, name, &why);
        }
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
        peer.begin_again(now);
        if again {
            self.tell_reach(manager, name, Reach::Back);
        }
        let node = name.to_string();
        self.tell_all(manager, NodeUp { node, restarted });
    }

    /// Makes room for a node: forgets the ones that have gone for the longest time, if there are too many. Returns
    /// `false` if too many are there.
    pub(crate) fn make_room_for(&mut self, manager: &mut MessageManager, name: &NodeName) -> bool {
        let most = self.config.session.max_peers;
        if self.peers.contains_key(name) {
            return true;
        }
        if self.peers.present() >= most {
            return false;
        }
        while self.peers.len() >= most {
            let gone = self.peers.values().filter(|peer| peer.gone.is_some());
            let gone = gone.filter(|peer| !self.has_arrived(&peer.name));
            let Some(gone) = gone.min_by_key(|peer| peer.gone) else {
                // The others have not been met: the program has imported from them.
                break;
            };
            let gone = self.peers.place(&gone.name).expect("it was listed");
            self.forget_at(manager, gone, "it was forgotten");
        }
        true
    }

    /// Forgets the nodes of which nothing is to be kept.
    pub(crate) fn forget_gone(&mut self, manager: &mut MessageManager) {
        let (now, after) = (self.now, self.config.session.forget_after);
        let over = |&place: &Place| self.peers.at(place).is_over(now, after);
        let over: Vec<Place> = self.peers.places().filter(over).collect();
        for place in over {
            // The frames that it has sent are to be handed in first.
            if !self.has_arrived(&self.peers.at(place).name) {
                self.forget_at(manager, place, "it was forgotten");
            }
        }
    }

    /// Returns `true` if something of a node has arrived and is to be handed in.
    fn has_arrived(&self, name: &NodeName) -> bool {
        self.arrived.iter().any(|arrived| arrived.is_of(name))
    }

    /// Forgets a node that is not there: ends its proxies and its session.
    pub(crate) fn forget_at(&mut self, manager: &mut MessageManager, place: Place, why: &str) {
        let peer = self.peers.at_mut(place);
        let (name, was_up) = (peer.name.clone(), peer.was_up || peer.has_ended);
        peer.state = State::Away;
        proxy::set_outbox_blocked(manager, peer.outbox, true);
        self.end_run(manager, place, why);
        if was_up {
            // The ledger has counted what the session may have lost.
            self.sessions.forget(&name);
        }
        if let Some(peer) = self.peers.remove(&name) {
            proxy::close_outbox(manager, peer.outbox);
        }
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
        // Its next run has answered already, so it is not forgotten before its session begins.
        let is_back = *why == Why::Restarted;
        let (why, has_ended) = match why {
            Why::Goodbye => (DownReason::Left, true),
            Why::Restarted => (DownReason::Restarted, true),
            Why::Silent | Why::GivenUp => (DownReason::Silent, false),
            Why::Broken(what) | Why::Refused(what) => (DownReason::Refused(what.clone()), false),
            Why::Stopped => return,
        };
        let Some(place) = self.peers.place(name) else {
            return;
        };
        let text = why.to_string();
        let was_reachable = {
            let peer = self.peers.at_mut(place);
            let before = std::mem::replace(&mut peer.state, State::Away);
            peer.has_ended = has_ended && !is_back;
            if peer.has_ended {
                // The program's imports from now on are of a node that has not been met.
                peer.was_up = false;
            } else {
                peer.gone = Some(self.now);
            }
            peer.session_ended();
            proxy::set_outbox_blocked(manager, peer.outbox, true);
            before == State::Up
        };
        self.give_up_outbox(manager, place, &has_gone(name, &text));
        if has_ended {
            self.end_run(manager, place, &text);
            // Messages to proxies that are imported from now on wait for the next run.
            proxy::set_outbox_blocked(manager, self.peers.at(place).outbox, false);
        } else if was_reachable {
            self.tell_reach(manager, name, Reach::Unreachable);
        }
        let node = name.to_string();
        self.tell_all(manager, NodeDown { node, why });
    }

    /// Ends the messagees of a run of another node, and the proxies for exports of third nodes that it alone has
    /// named.
    fn end_run(&mut self, manager: &mut MessageManager, place: Place, why: &str) {
        let why = has_gone(&self.peers.at(place).name, why);
        self.give_up_outbox(manager, place, &why);
        self.end_ledger(manager, place);
        let peer = self.peers.at_mut(place);
        let posted = std::mem::take(&mut peer.posted).take(manager, self.config.posts.outlive);
        let named = std::mem::take(&mut peer.named);
        let mut proxies = peer.forget_run();
        let why: Arc<str> = why.into();
        for post in posted {
            let (to, sender, why) = (post.header.recipient(), post.sender, Arc::clone(&why));
            self.guarded(|_| {
                message_data::tell_undelivered(manager, to, sender, post.message, why);
            });
        }
        for &proxy in &proxies {
            self.peers.ended(proxy);
        }
        for proxy in named {
            if let Some(stand) = self.peers.stand_mut(proxy) {
                stand.named_by -= 1;
                if stand.named_by == 0 && !stand.is_imported {
                    proxies.push(proxy);
                }
            }
        }
        self.end_proxies(manager, proxies);
    }

    /// Reports the messages that the ended run of another node may not have taken.
    pub(crate) fn end_ledger(&mut self, manager: &mut MessageManager, place: Place) {
        let lost = self.peers.at_mut(place).ledger.end();
        self.tell_lost(manager, place, lost);
    }

    /// Reports messages that did not arrive, or may not have arrived.
    pub(crate) fn tell_lost(&mut self, manager: &mut MessageManager, place: Place, lost: Sum) {
        if lost == Sum::default() {
            return;
        }
        let peer = self.peers.at_mut(place);
        peer.counts.lost += lost.all();
        let node = peer.name.to_string();
        let Sum {
            messages,
            questions,
        } = lost;
        let lost = MessagesLost {
            node,
            messages,
            questions,
        };
        self.tell_all(manager, lost);
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
                self.tell_undelivered(manager, letter, why, Unanswered::Unreachable);
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
        let (Ok(net), Ok(asks)) = (manager.get::<Net>(self.net), manager.get::<Asks>(self.net))
        else {
            return Vec::new();
        };
        if proxies.size_hint().1 == Some(1) {
            let asked = |proxy| asks.proxies().any(|asked| asked == proxy);
            let concerns = |&proxy: &MessageeId| net.watches(proxy) || asked(proxy);
            return proxies.filter(concerns).collect();
        }
        let concerned: BTreeSet<MessageeId> = net.watched().chain(asks.proxies()).collect();
        proxies.filter(|proxy| concerned.contains(proxy)).collect()
    }
}

/// Returns the reason why messages that wait for a node are not sent.
fn has_gone(name: &NodeName, why: &str) -> String {
    format!("node `{name}` has gone: {why}")
}
