//! The memory of frames: incoming frames are copied into reused memory, outgoing frames are not copied.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::zenoh::bytes::ZBytes;

use crate::content::Content;
use crate::link::Frame;
use crate::spare::Spare;

/// The frame memory shared by the caller of a link and zenoh's callbacks.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<Spare>);

impl Memory {
    /// Nothing panics while holding the lock, and the protected data is consistent at all times.
    fn lock(&self) -> MutexGuard<'_, Spare> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn give(&self, memory: Vec<u8>) {
        self.lock().give(memory);
    }

    /// Copies received data, which may consist of several parts.
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

/// Converts a frame for zenoh without copying it.
pub(super) fn payload(frame: Frame) -> ZBytes {
    let mut writer = ZBytes::writer();
    for part in frame.into_parts() {
        writer.append(bytes::Bytes::from_owner(Carried(part)).into());
    }
    writer.finish()
}
