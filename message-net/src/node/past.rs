//! The names of proxies and messagees that have ended, for as long as a refusal can refer to them.

use std::collections::BTreeMap;

use message_core::MessageeId;

use crate::node::entry::Target;

/// The targets and the handles of messages to another node that are in use no more.
///
/// The other node can refuse a message after its receiver or its sender has ended here. It returns the message with
/// the names by which the receiver and the sender were known when it was written.
#[derive(Debug, Default)]
pub(crate) struct Past {
    proxies: BTreeMap<Target<String>, Ended>,
    /// Messagees of this node, by the handles that the other one has released.
    given: BTreeMap<u32, Ended>,
}

#[derive(Clone, Copy, Debug)]
struct Ended {
    id: MessageeId,
    /// The number of messages that could refer to it.
    until: u64,
}

impl Past {
    /// Remembers the target of a proxy while the first `until` messages are not settled, if fewer than `most` are
    /// remembered.
    pub(crate) fn add_proxy(
        &mut self,
        target: Target<String>,
        id: MessageeId,
        until: u64,
        most: usize,
    ) {
        if self.proxies.len() < most {
            self.proxies.insert(target, Ended { id, until });
        }
    }

    /// Like [`add_proxy`](Self::add_proxy), but for a messagee of this node, by its handle.
    pub(crate) fn add_given(&mut self, handle: u32, id: MessageeId, until: u64, most: usize) {
        if self.given.len() < most {
            self.given.insert(handle, Ended { id, until });
        }
    }

    pub(crate) fn proxy(&self, target: Target<&str>) -> Option<MessageeId> {
        if self.proxies.is_empty() {
            return None;
        }
        self.proxies.get(&target.owned()).map(|ended| ended.id)
    }

    pub(crate) fn given(&self, handle: u32) -> Option<MessageeId> {
        self.given.get(&handle).map(|ended| ended.id)
    }

    /// Forgets what only the first `settled` messages can refer to.
    pub(crate) fn settle(&mut self, settled: u64) {
        self.proxies.retain(|_, ended| ended.until > settled);
        self.given.retain(|_, ended| ended.until > settled);
    }

    /// Takes note that no more than `next` messages were handed over.
    pub(crate) fn limit(&mut self, next: u64) {
        let all = self.proxies.values_mut().chain(self.given.values_mut());
        for ended in all {
            ended.until = ended.until.min(next);
        }
    }

    /// Returns the number of names that are remembered.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.proxies.len() + self.given.len()
    }
}
