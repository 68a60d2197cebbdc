//! The memory of frames: those that come are copied into memory that is used again, those that go are not copied.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::zenoh::bytes::ZBytes;

use crate::content::Content;
use crate::link::Frame;
use crate::spare::Spare;

/// What the caller of a link and zenoh's callbacks have of it.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Spare>);

impl Memory {
    /// Nothing panics while it holds the lock, and what it protects is whole at all times.
    fn lock(&self) -> MutexGuard<'_, Spare> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn give(&self, memory: Vec<u8>) {
        self.lock().give(memory);
    }

    /// Copies what has come, which can be in parts.
    pub(super) fn copy(&self, payload: &ZBytes) -> Vec<u8> {
        let mut frame = self.lock().take();
        frame.reserve(payload.len());
        for part in payload.slices() {
            frame.extend_from_slice(part);
        }
        frame
    }
}

/// A part of a frame that zenoh carries.
struct Carried(Content);

impl AsRef<[u8]> for Carried {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A frame for zenoh, which does not copy it.
pub(super) fn payload(frame: Frame) -> ZBytes {
    let mut writer = ZBytes::writer();
    for part in frame.into_parts() {
        writer.append(bytes::Bytes::from_owner(Carried(part)).into());
    }
    writer.finish()
}
