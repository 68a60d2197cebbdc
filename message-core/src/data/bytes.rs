//! A position in bytes that are read.

use crate::data::error::DataError;

/// Bytes, and how many of them were read. There are less than 4 GiB.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'b> {
    left: &'b [u8],
    /// The total number of bytes.
    len: u32,
}

impl<'b> Bytes<'b> {
    /// No bytes.
    pub(super) const NONE: Self = Self { left: &[], len: 0 };

    /// Begins at the first byte.
    ///
    /// # Errors
    ///
    /// Returns an error if there are 4 GiB or more: places have 32 bits.
    pub(super) fn new(bytes: &'b [u8]) -> Result<Self, DataError> {
        let len = u32::try_from(bytes.len()).map_err(|_| DataError::too_large())?;
        Ok(Self { left: bytes, len })
    }

    /// Returns how many bytes were read.
    pub(super) fn at(&self) -> usize {
        self.place() as usize
    }

    /// Returns how many bytes were read, as the place of an error.
    #[allow(clippy::cast_possible_truncation, reason = "there are less than 4 GiB")]
    pub(super) fn place(&self) -> u32 {
        self.len - self.left.len() as u32
    }

    /// Returns how many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.left.len()
    }

    #[inline]
    pub(super) fn take(&mut self, len: usize) -> Result<&'b [u8], DataError> {
        let Some((taken, left)) = self.left.split_at_checked(len) else {
            return Err(self.too_few(len));
        };
        self.left = left;
        Ok(taken)
    }

    #[cold]
    fn too_few(&self, len: usize) -> DataError {
        let left = self.left();
        let what = format!("the bytes end here: expected {len} more, found {left}");
        DataError::new(what).at(self.place())
    }

    #[inline]
    pub(super) fn number<const N: usize>(&mut self) -> Result<[u8; N], DataError> {
        let Some((number, left)) = self.left.split_first_chunk() else {
            return Err(self.too_few(N));
        };
        self.left = left;
        Ok(*number)
    }
}
