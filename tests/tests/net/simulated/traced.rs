//! A link that writes down all that passes it, as a hash.

use std::sync::{Arc, Mutex};

use message_net::NodeName;
use message_net::link::{Frame, Link, LinkError, LinkEvent, MemoryLink};

/// A hash of everything that has passed the links, in order.
#[derive(Clone, Default)]
pub(crate) struct Trace(Arc<Mutex<(u64, u64)>>);

impl Trace {
    pub(crate) fn add(&self, bytes: &[u8]) {
        let mut trace = self.0.lock().expect("no panic");
        let (hash, entries) = &mut *trace;
        let mut chunks = bytes.chunks_exact(8);
        let mut add = |word: u64| {
            *hash = (*hash ^ word)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23);
        };
        for chunk in &mut chunks {
            add(u64::from_le_bytes(chunk.try_into().expect("8 bytes")));
        }
        for &byte in chunks.remainder() {
            add(u64::from(byte));
        }
        add(bytes.len() as u64);
        *entries += 1;
    }

    /// Returns the hash, and how many entries it has.
    pub(crate) fn sum(&self) -> (u64, u64) {
        *self.0.lock().expect("no panic")
    }
}

pub(crate) struct Traced {
    pub(crate) link: MemoryLink,
    pub(crate) trace: Trace,
}

impl Link for Traced {
    fn name(&self) -> &NodeName {
        self.link.name()
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        self.trace.add(to.as_str().as_bytes());
        frame.parts().for_each(|part| self.trace.add(part));
        let sent = self.link.send(to, frame);
        self.trace.add(&[u8::from(sent.is_ok())]);
        sent
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        let event = self.link.poll()?;
        match &event {
            LinkEvent::Frame { from, frame } => {
                self.trace.add(from.as_str().as_bytes());
                self.trace.add(frame);
            }
            other => self.trace.add(format!("{other:?}").as_bytes()),
        }
        Some(event)
    }

    fn max_frame(&self) -> usize {
        self.link.max_frame()
    }
}
