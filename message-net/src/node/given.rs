//! The messagees of this node that another one knows, each by a handle.

use std::collections::{BTreeSet, HashMap};

use message_core::MessageeId;

use crate::hash::OwnKeys;

/// The handles that were given to one other node.
#[derive(Debug, Default)]
pub(crate) struct Given {
    ids: HashMap<u32, MessageeId, OwnKeys>,
    handles: HashMap<MessageeId, u32, OwnKeys>,
    next: u32,
    /// From the end of a session until the other node has told, in the next one, which handles it has: these,
    /// and those that it is told meanwhile.
    held: Option<BTreeSet<u32>>,
}

impl Given {
    /// The messagee that the other node knows by this handle.
    #[inline]
    pub(crate) fn id(&self, handle: u32) -> Option<MessageeId> {
        self.ids.get(&handle).copied()
    }

    /// The handle by which the other node knows a messagee, if it does.
    #[inline]
    pub(crate) fn handle(&self, id: MessageeId) -> Option<u32> {
        self.handles.get(&id).copied()
    }

    /// Gives a messagee a new handle.
    pub(crate) fn add(&mut self, id: MessageeId) -> u32 {
        // After four thousand million it begins anew.
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

    /// The other node knows a messagee no more.
    pub(crate) fn take_back(&mut self, handle: u32) {
        if let Some(id) = self.ids.remove(&handle) {
            self.handles.remove(&id);
        }
    }

    /// A session has ended: what was told last may be lost.
    pub(crate) fn session_ended(&mut self) {
        self.held = Some(BTreeSet::new());
    }

    /// The other node has a proxy for a handle, or is told of it now.
    pub(crate) fn hold(&mut self, handle: u32) {
        if let Some(held) = &mut self.held {
            held.insert(handle);
        }
    }

    /// The other node has told of all handles that it has.
    pub(crate) fn hold_no_other(&mut self) {
        if let Some(held) = self.held.take() {
            self.ids.retain(|handle, _| held.contains(handle));
            self.handles.retain(|_, handle| held.contains(handle));
        }
    }

    /// Forgets all, since the other node has been started again. The numbers go on.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
        self.handles.clear();
        self.held = None;
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }
}
