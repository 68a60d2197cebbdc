//! The proxies for targets at another node.

use std::collections::{BTreeMap, HashMap};

use message_core::MessageeId;

use crate::hash::OwnKeys;
use crate::node::entry::Target;

/// The proxies for targets at one other node, by target. That node chooses the keys, so they are kept in sorted
/// maps instead of hash maps.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    handles: BTreeMap<u32, MessageeId>,
    exports: BTreeMap<String, MessageeId>,
    mnemonics: BTreeMap<String, MessageeId>,
    groups: BTreeMap<String, MessageeId>,
    outside: Option<MessageeId>,
    /// The targets of each proxy: several if the same messagee has several names, the shortest first.
    stands: HashMap<MessageeId, Vec<Target<String>>, OwnKeys>,
    /// One more than the largest handle for which there has been a proxy.
    met: u32,
}

/// The change to a proxy when the messagee that it represents gets or loses a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Renamed {
    Not,
    /// The other node must be asked about this handle, as after [`Proxies::add`].
    Met(u32),
    /// The proxy is known by its handle alone.
    LostName(MessageeId),
}

impl Proxies {
    #[inline]
    pub(crate) fn find(&self, target: Target<&str>) -> Option<MessageeId> {
        let found = match target {
            Target::Handle(handle) => self.handles.get(&handle),
            Target::Export(name) => self.exports.get(name),
            Target::Mnemonic(name) => self.mnemonics.get(name),
            Target::Group(name) => self.groups.get(name),
            Target::Outside => self.outside.as_ref(),
        };
        found.copied()
    }

    fn insert(&mut self, target: Target<String>, proxy: MessageeId) {
        match target {
            Target::Handle(handle) => self.handles.insert(handle, proxy),
            Target::Export(name) => self.exports.insert(name, proxy),
            Target::Mnemonic(name) => self.mnemonics.insert(name, proxy),
            Target::Group(name) => self.groups.insert(name, proxy),
            Target::Outside => self.outside.replace(proxy),
        };
    }

    fn remove(&mut self, target: &Target<String>) {
        match target {
            Target::Handle(handle) => self.handles.remove(handle),
            Target::Export(name) => self.exports.remove(name),
            Target::Mnemonic(name) => self.mnemonics.remove(name),
            Target::Group(name) => self.groups.remove(name),
            Target::Outside => self.outside.take(),
        };
    }

    /// Returns the target of a proxy, if it is at this node.
    #[inline]
    pub(crate) fn target_of(&self, proxy: MessageeId) -> Option<Target<&str>> {
        Some(self.stands.get(&proxy)?.first()?.borrowed())
    }

    /// Adds a proxy. Returns the handle if the other node must be asked about it: see [`meet`](Self::meet).
    pub(crate) fn add(&mut self, target: Target<&str>, proxy: MessageeId) -> Option<u32> {
        let asked = match target {
            Target::Handle(handle) => self.meet(handle),
            _ => None,
        };
        self.insert(target.owned(), proxy);
        self.stands.entry(proxy).or_default().push(target.owned());
        asked
    }

    /// Takes note that there is a proxy for a handle. If there was one before, the other node may have heard of
    /// its end and no longer know the handle. In that case, returns the handle, so that the other node is
    /// asked.
    fn meet(&mut self, handle: u32) -> Option<u32> {
        if handle < self.met {
            return Some(handle);
        }
        self.met = handle.saturating_add(1);
        None
    }

    /// Takes note of the end of a messagee whose handle has no proxy.
    pub(crate) fn passed(&mut self, handle: u32) {
        self.met = self.met.max(handle.saturating_add(1));
    }

    /// Takes note that an export is known by a handle from now on, or no longer exists. A proxy represents one
    /// messagee: when the messagee loses the name, so does its proxy.
    pub(crate) fn exported(&mut self, name: &str, handle: Option<u32>) -> Renamed {
        let Some(proxy) = self.find(Target::Export(name)) else {
            return Renamed::Not;
        };
        let Some(targets) = self.stands.get_mut(&proxy) else {
            return Renamed::Not;
        };
        let known = targets.iter().find_map(|target| match target {
            Target::Handle(handle) => Some(*handle),
            _ => None,
        });
        match (known, handle) {
            (Some(known), _) if Some(known) != handle => {
                let is_name = |target: &Target<String>| target.borrowed() == Target::Export(name);
                targets.retain(|target| !is_name(target));
                self.exports.remove(name);
                Renamed::LostName(proxy)
            }
            (None, Some(handle)) => {
                if *self.handles.entry(handle).or_insert(proxy) != proxy {
                    return Renamed::Not;
                }
                targets.insert(0, Target::Handle(handle));
                self.meet(handle).map_or(Renamed::Not, Renamed::Met)
            }
            _ => Renamed::Not,
        }
    }

    /// Forgets a proxy that has ended. Returns its targets, or `None` if it was not known.
    pub(crate) fn forget(&mut self, proxy: MessageeId) -> Option<Vec<Target<String>>> {
        let targets = self.stands.remove(&proxy)?;
        for target in &targets {
            self.remove(target);
        }
        Some(targets)
    }

    /// Forgets all proxies, and returns them in order.
    pub(crate) fn forget_all(&mut self) -> Vec<MessageeId> {
        let mut proxies: Vec<_> = std::mem::take(self).stands.into_keys().collect();
        proxies.sort_unstable();
        proxies
    }

    /// Returns the name by which a proxy was imported.
    pub(crate) fn export_of(&self, proxy: MessageeId) -> Option<&str> {
        let targets = self.stands.get(&proxy)?;
        targets.iter().find_map(|target| match target {
            Target::Export(name) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the exports of the other node for which there are proxies.
    pub(crate) fn imported(&self) -> impl Iterator<Item = &str> {
        self.exports.keys().map(String::as_str)
    }

    /// Returns the handles of the other node for which there are proxies.
    pub(crate) fn held(&self) -> impl Iterator<Item = u32> {
        self.handles.keys().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.stands.len()
    }
}
