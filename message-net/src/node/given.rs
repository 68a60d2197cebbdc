//! The messagees of this node that another node knows, each by a handle.

use std::collections::{BTreeSet, HashMap};

use message_core::MessageeId;

use crate::hash::OwnKeys;

/// The handles that were assigned for one other node.
#[derive(Debug, Default)]
pub(crate) struct Given {
    ids: HashMap<u32, MessageeId, OwnKeys>,
    handles: HashMap<MessageeId, u32, OwnKeys>,
    next: u32,
    /// The handles that the other node still uses: those that it has listed in the new session, and those sent
    /// to it in the meantime. `Some` from the end of a session until the list is complete.
    held: Option<BTreeSet<u32>>,
}

impl Given {
    /// Returns the messagee that the other node knows by this handle.
    #[inline]
    pub(crate) fn id(&self, handle: u32) -> Option<MessageeId> {
        self.ids.get(&handle).copied()
    }

    /// Returns the handle by which the other node knows a messagee, if any.
    #[inline]
    pub(crate) fn handle(&self, id: MessageeId) -> Option<u32> {
        self.handles.get(&id).copied()
    }

    /// Assigns a new handle to a messagee.
    pub(crate) fn add(&mut self, id: MessageeId) -> u32 {
        // The numbers wrap around after 2^32.
        while self.ids.contains_key(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        let handle = self.next;
        self.next = handle.wrapping_add(1);
        self.hold(handle);
        self.ids.insert(handle, id);
        self.handles.insert(id, handle);
        handle
    }

    /// Removes a handle that the other node no longer knows. Returns the messagee.
    pub(crate) fn take_back(&mut self, handle: u32) -> Option<MessageeId> {
        let id = self.ids.remove(&handle)?;
        self.handles.remove(&id);
        Some(id)
    }

    /// Takes note that a session has ended, so the last entries may be lost.
    pub(crate) fn session_ended(&mut self) {
        self.held = Some(BTreeSet::new());
    }

    /// Takes note that the other node has a proxy for a handle, or is about to learn of it.
    pub(crate) fn hold(&mut self, handle: u32) {
        if let Some(held) = &mut self.held {
            held.insert(handle);
        }
    }

    /// Takes note that the other node has listed all handles that it uses. Returns those that it no longer knows.
    pub(crate) fn hold_no_other(&mut self) -> Vec<(u32, MessageeId)> {
        let Some(held) = self.held.take() else {
            return Vec::new();
        };
        let mut gone = Vec::new();
        self.ids.retain(|&handle, &mut id| {
            let is_held = held.contains(&handle);
            if !is_held {
                gone.push((handle, id));
            }
            is_held
        });
        self.handles.retain(|_, handle| held.contains(handle));
        gone.sort_unstable();
        gone
    }

    /// Forgets all handles, because the other node has been restarted. The numbering continues.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
        self.handles.clear();
        self.held = None;
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}
