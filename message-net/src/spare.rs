//! Memory of frames and batches that have gone, for the next ones.
//!
//! A frame of some hundred messages is longer than what an allocator keeps: taken from the system each time,
//! its memory costs more than what is written into it.

/// Smaller ones are not worth it.
const LEAST: usize = 4 << 10;
/// So many bytes are kept: as many as are under way to a busy node.
const MOST: usize = 8 << 20;

/// Buffers without content.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    buffers: Vec<Vec<u8>>,
    /// Their capacities together.
    bytes: usize,
}

impl Spare {
    /// Returns an empty buffer: the one that was given last, or a new one without memory.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        let buffer = self.buffers.pop().unwrap_or_default();
        self.bytes -= buffer.capacity();
        buffer
    }

    /// Keeps the memory of a buffer, if it is of use.
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
