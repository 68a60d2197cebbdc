//! Bytes that may be a part of others: a batch in the frame in which it came, or that is on its way.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Bytes of their own, or a part of the frame in which they came: then they were not copied.
#[derive(Clone)]
pub(crate) struct Content {
    of: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Content {
    /// A part of a frame. It is copied if it is less than half of it, so that little is kept for much.
    pub(crate) fn part(of: &Arc<Vec<u8>>, part: &[u8]) -> Self {
        let begin = part.as_ptr().addr().checked_sub(of.as_ptr().addr());
        let range = begin.map(|begin| begin..begin + part.len());
        match range.filter(|range| range.end <= of.len() && part.len() >= of.len() / 2) {
            Some(range) => Self::shared(of, range),
            None => Self::from(part.to_vec()),
        }
    }
}

impl Content {
    /// A part of bytes that somebody else has as well.
    pub(crate) fn shared(of: &Arc<Vec<u8>>, range: Range<usize>) -> Self {
        debug_assert!(range.end <= of.len(), "it is a part of them");
        let of = Arc::clone(of);
        Self { of, range }
    }

    /// Ends with its memory, if nobody else has it.
    pub(crate) fn into_memory(self) -> Option<Vec<u8>> {
        Arc::into_inner(self.of)
    }

    /// Ends with the bytes, if they are all of the memory and nobody else has it.
    pub(crate) fn into_vec(mut self) -> Result<Vec<u8>, Self> {
        let is_whole = self.range == (0..self.of.len());
        if is_whole && let Some(bytes) = Arc::get_mut(&mut self.of) {
            return Ok(std::mem::take(bytes));
        }
        Err(self)
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        let of = Arc::new(bytes);
        Self { of, range }
    }
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.of[self.range.clone()]
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Content {}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
