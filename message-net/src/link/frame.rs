//! A frame that is handed to a link.

use std::fmt;

use crate::content::Content;

/// The bytes of a frame, in one part or in several consecutive parts.
///
/// A long batch is a separate part that the node shares with the link: the node keeps the batch until the other
/// node has acknowledged it, and it is never copied. A link that needs all bytes in one place uses
/// [`into_vec`](Self::into_vec).
///
/// ```
/// use message_net::link::Frame;
///
/// let frame = Frame::from(vec![1, 2, 3]);
/// assert_eq!(frame.len(), 3);
/// assert_eq!(frame.parts().collect::<Vec<_>>(), [[1, 2, 3]]);
/// assert_eq!(frame.into_vec(), [1, 2, 3]);
/// ```
#[derive(Clone, Default)]
pub struct Frame {
    parts: Vec<Content>,
}

impl Frame {
    /// Appends a part. Empty parts are left out.
    pub(crate) fn push(&mut self, part: Content) {
        if !part.is_empty() {
            self.parts.push(part);
        }
    }

    /// Returns the number of bytes.
    ///
    /// ```
    /// use message_net::link::Frame;
    ///
    /// assert_eq!(Frame::from(vec![7; 100]).len(), 100);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    /// Returns `true` if the frame has no bytes.
    ///
    /// ```
    /// use message_net::link::Frame;
    ///
    /// assert!(Frame::default().is_empty());
    /// assert!(!Frame::from(vec![7]).is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the parts in order. None of them is empty.
    ///
    /// ```
    /// use message_net::link::Frame;
    ///
    /// let frame = Frame::from(vec![1, 2]);
    /// assert_eq!(frame.parts().flatten().sum::<u8>(), 3);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.parts.iter().map(|part| &**part)
    }

    /// Returns all bytes in one vector. They are copied unless they are a single part that is not shared.
    ///
    /// ```
    /// use message_net::link::Frame;
    ///
    /// assert_eq!(Frame::from(vec![1, 2]).into_vec(), [1, 2]);
    /// ```
    #[must_use]
    pub fn into_vec(self) -> Vec<u8> {
        self.into_vec_in(Vec::new)
    }

    /// Like [`into_vec`](Self::into_vec), but copies into the given memory.
    pub(crate) fn into_vec_in(mut self, memory: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
        if let [_] = &*self.parts
            && let Some(only) = self.parts.pop()
        {
            match only.into_vec() {
                Ok(bytes) => return bytes,
                Err(shared) => self.parts.push(shared),
            }
        }
        let mut bytes = memory();
        bytes.clear();
        bytes.reserve(self.len());
        for part in self.parts() {
            bytes.extend_from_slice(part);
        }
        bytes
    }

    /// Returns the parts, for a link that carries them as they are.
    #[cfg(feature = "zenoh")]
    pub(crate) fn into_parts(self) -> impl Iterator<Item = Content> {
        self.parts.into_iter()
    }
}

impl From<Vec<u8>> for Frame {
    fn from(bytes: Vec<u8>) -> Self {
        let mut frame = Self::default();
        frame.push(bytes.into());
        frame
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lens: Vec<usize> = self.parts().map(<[u8]>::len).collect();
        f.debug_struct("Frame").field("lengths", &lens).finish()
    }
}
