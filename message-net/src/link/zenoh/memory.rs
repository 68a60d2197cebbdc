//! The memory of frames, which is used again: the link writes into it, zenoh carries it and gives it back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::zenoh::bytes::ZBytes;

use crate::spare::Spare;

/// What the caller of a link, its thread and zenoh's callbacks have of it.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Spare>);

impl Memory {
    /// Nothing panics while it holds the lock, and what it protects is whole at all times.
    fn lock(&self) -> MutexGuard<'_, Spare> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Vec<u8> {
        self.lock().take()
    }

    pub(super) fn give(&self, memory: Vec<u8>) {
        self.lock().give(memory);
    }

    /// Copies what has come, which can be in parts.
    pub(super) fn copy(&self, payload: &ZBytes) -> Vec<u8> {
        let mut frame = self.take();
        frame.reserve(payload.len());
        for part in payload.slices() {
            frame.extend_from_slice(part);
        }
        frame
    }
}

/// A frame that zenoh carries. When it has, its memory is given back.
pub(super) struct Carried {
    frame: Vec<u8>,
    memory: Arc<Memory>,
}

impl Carried {
    /// A frame for zenoh, which does not copy it.
    pub(super) fn payload(frame: Vec<u8>, memory: &Arc<Memory>) -> ZBytes {
        let memory = Arc::clone(memory);
        bytes::Bytes::from_owner(Self { frame, memory }).into()
    }
}

impl AsRef<[u8]> for Carried {
    fn as_ref(&self) -> &[u8] {
        &self.frame
    }
}

impl Drop for Carried {
    fn drop(&mut self) {
        self.memory.give(std::mem::take(&mut self.frame));
    }
}
