//! Bytes that may be part of a larger buffer: a batch in the frame in which it arrived, or in a frame that is
//! being sent.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// Owned bytes, or a part of the frame in which they arrived, which saves copying them.
#[derive(Clone)]
pub(crate) struct Content {
    of: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Content {
    /// Returns a part of a frame. The part is copied if it is less than half of the frame, so that small parts
    /// do not keep large frames alive.
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
    /// Returns a part of shared bytes.
    pub(crate) fn shared(of: &Arc<Vec<u8>>, range: Range<usize>) -> Self {
        debug_assert!(range.end <= of.len(), "it is a part of them");
        let of = Arc::clone(of);
        Self { of, range }
    }

    /// Returns the underlying memory, if it is not shared.
    pub(crate) fn into_memory(self) -> Option<Vec<u8>> {
        Arc::into_inner(self.of)
    }

    /// Returns the bytes as a vector, if they fill the memory and are not shared.
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
