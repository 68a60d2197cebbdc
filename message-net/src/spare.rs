//! A pool for the memory of frames and batches that are no longer needed.
//!
//! A frame with some hundred messages is longer than the blocks that an allocator keeps. Taking its memory from
//! the system each time costs more than writing its content.

/// The minimum capacity of a buffer that is worth keeping.
const LEAST: usize = 4 << 10;
/// The maximum number of bytes that are kept: as many as are in flight to a busy node.
const MOST: usize = 8 << 20;

/// Empty buffers.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    buffers: Vec<Vec<u8>>,
    /// The sum of their capacities.
    bytes: usize,
}

impl Spare {
    /// Returns an empty buffer: the one that was returned last, or a new one without memory.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let buffer = self.buffers.pop().unwrap_or_default();
        self.bytes -= buffer.capacity();
        buffer
    }

    /// Keeps the memory of a buffer, if it is useful.
    pub(crate) fn give(&mut self, mut buffer: Vec<u8>) {
        let len = buffer.capacity();
        if len < LEAST || self.bytes + len > MOST {
            return;
        }
        buffer.clear();
        self.bytes += len;
        self.buffers.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_kept_up_to_a_bound() {
        let mut spare = Spare::default();
        spare.give(Vec::with_capacity(LEAST - 1));
        assert_eq!(spare.take().capacity(), 0, "it is too small");
        for _ in 0..10 {
            spare.give(vec![7; MOST / 4]);
        }
        let kept: Vec<_> = (0..10).map(|_| spare.take()).collect();
        assert_eq!(kept.iter().filter(|it| it.capacity() > 0).count(), 4);
        assert!(kept.iter().all(Vec::is_empty));
        assert_eq!(spare.bytes, 0);
    }
}
