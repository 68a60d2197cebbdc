//! A position in bytes that are read.

use crate::data::error::DataError;

/// Bytes, and how many of them were read. There are less than 4 GiB.
pub(super) struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bytes<'b> {
    /// At the beginning of the bytes.
    ///
    /// # Errors
    ///
    /// 4 GiB and more: places have 32 bits.
    pub(super) fn new(bytes: &'b [u8]) -> Result<Self, DataError> {
        if u32::try_from(bytes.len()).is_err() {
            return Err(DataError::too_large());
        }
        Ok(Self { bytes, at: 0 })
    }

    /// How many were read.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The same as the place of an error.
    pub(super) fn place(&self) -> u32 {
        u32::try_from(self.at).expect("there are less than 4 GiB")
    }

    /// How many are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'b [u8], DataError> {
        let Some(taken) = self.bytes[self.at..].get(..len) else {
            let left = self.left();
            let what = format!("the bytes end here: expected {len} more, found {left}");
            return Err(DataError::new(what).at(self.place()));
        };
        self.at += len;
        Ok(taken)
    }

    pub(super) fn number<const N: usize>(&mut self) -> Result<[u8; N], DataError> {
        let mut number = [0; N];
        number.copy_from_slice(self.take(N)?);
        Ok(number)
    }
}
