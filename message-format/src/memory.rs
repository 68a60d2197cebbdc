//! The memory that a value may take while it is read.

use crate::error::DataError;
use crate::tape::Token;

/// How much memory a value may take, and how much of that is left.
///
/// Tokens of a tape are counted when the tape is made. A value of at most the size of a token is paid for with its
/// token, so only larger ones are counted when a type is read: plain values cost nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    most: usize,
    pub(crate) left: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self::of(usize::MAX)
    }
}

impl Memory {
    pub(crate) fn of(bytes: usize) -> Self {
        Self {
            most: bytes,
            left: bytes,
        }
    }

    /// Takes what a value of this type needs in addition to its token.
    #[inline]
    pub(crate) fn take_for<T>(&mut self) -> Result<(), DataError> {
        if size_of::<T>() > size_of::<Token>() {
            return self.take(size_of::<T>());
        }
        Ok(())
    }

    /// Takes this number of bytes.
    ///
    /// # Errors
    ///
    /// Returns an error without a place if fewer are left.
    #[inline]
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), DataError> {
        let Some(left) = self.left.checked_sub(bytes) else {
            return Err(self.too_little());
        };
        self.left = left;
        Ok(())
    }

    #[cold]
    fn too_little(self) -> DataError {
        let most = self.most;
        let what = format!("the value takes too much memory: expected at most {most} bytes");
        DataError::new(what)
    }
}
