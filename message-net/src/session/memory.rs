//! The memory that all peers take together, and who gives way when it is used up.

use std::cmp::Reverse;

use super::config::SessionConfig;
use super::event::Refusal;
use super::peer::Peer;
use super::{NodeName, Sessions};

/// The bytes that are kept for all peers.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Incomplete batches of peers with a session.
    incoming: usize,
    /// Incomplete hellos of peers without a session.
    strangers: usize,
    /// Batches that wait for an acknowledgement.
    outgoing: usize,
}

impl Used {
    /// Adds what is kept for a peer.
    pub(super) fn add(&mut self, peer: &Peer) {
        *self.of(peer.is_up()) += peer.memory();
        self.outgoing += peer.outgoing();
    }

    fn of(&mut self, is_up: bool) -> &mut usize {
        if is_up {
            &mut self.incoming
        } else {
            &mut self.strangers
        }
    }

    /// Takes note that a peer takes more memory, or less.
    pub(super) fn change(&mut self, is_up: bool, before: usize, after: usize) {
        let used = self.of(is_up);
        *used = used.saturating_sub(before) + after;
    }

    /// Takes note that a batch waits for its acknowledgement.
    pub(super) fn queued(&mut self, bytes: usize) {
        self.outgoing += bytes;
    }

    /// Returns how many more bytes can wait for acknowledgements.
    pub(super) fn room(&self, config: &SessionConfig) -> usize {
        config.outgoing_bytes().saturating_sub(self.outgoing)
    }
}

impl Sessions {
    /// Ends the sessions whose batch has been incomplete for longest, until the others fit into the memory. So those
    /// that send and complete their batches stay, and those that only take memory go.
    pub(super) fn bound_memory(&mut self) {
        let config = &self.me.config;
        let most = [
            (true, config.incoming_bytes()),
            (false, config.strangers_bytes()),
        ];
        for (is_up, most) in most {
            while *self.used.of(is_up) > most
                && let Some(name) = self.longest_waiting(is_up)
            {
                let what =
                    || format!("incomplete batches of all nodes take more than {most} bytes");
                let Some(peer) = self.peers.get_mut(&name) else {
                    return;
                };
                self.used.change(is_up, peer.memory(), 0);
                peer.break_off(what(), &self.me, &mut self.tell);
                if !is_up {
                    // Nobody knows of it yet.
                    let what = || format!("{}: node `{name}` has to begin again", what());
                    self.refuse(Some(&name), Refusal::Memory, what);
                }
            }
        }
    }

    fn longest_waiting(&self, is_up: bool) -> Option<NodeName> {
        let peers = self.peers.iter();
        let alike = peers.filter(|(_, peer)| peer.is_up() == is_up);
        let waits = alike.filter_map(|it| Some((it.1.incomplete_since()?, it)));
        // Takes the largest of several.
        let longest = waits.min_by_key(|(since, it)| (*since, Reverse(it.1.memory())))?;
        Some(longest.1.0.clone())
    }
}
