//! A position in bytes that are read.

use crate::error::DataError;

/// Bytes, and how many of them were read. There are less than 4 GiB.
///
/// ```
/// use message_format::Bytes;
///
/// let mut bytes = Bytes::new(&[7, 0, 1, 9])?;
/// assert_eq!(bytes.take(1)?, [7]);
/// assert_eq!(u16::from_be_bytes(bytes.number()?), 1);
/// assert_eq!((bytes.at(), bytes.left()), (3, 1));
/// assert!(bytes.take(2).is_err());
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'b> {
    left: &'b [u8],
    /// The total number of bytes.
    len: u32,
}

impl<'b> Bytes<'b> {
    /// Begins at the first byte.
    ///
    /// # Errors
    ///
    /// Returns an error if there are 4 GiB or more: places have 32 bits.
    ///
    /// ```
    /// use message_format::Bytes;
    ///
    /// assert_eq!(Bytes::new(&[1, 2])?.left(), 2);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn new(bytes: &'b [u8]) -> Result<Self, DataError> {
        let len = u32::try_from(bytes.len()).map_err(|_| DataError::too_large())?;
        Ok(Self { left: bytes, len })
    }

    /// Returns how many bytes were read.
    ///
    /// ```
    /// use message_format::Bytes;
    ///
    /// let mut bytes = Bytes::new(&[1, 2])?;
    /// bytes.take(1)?;
    /// assert_eq!(bytes.at(), 1);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn at(&self) -> usize {
        self.place() as usize
    }

    /// Returns how many bytes were read, as the place of an error.
    ///
    /// ```
    /// use message_format::{Bytes, DataError};
    ///
    /// let mut bytes = Bytes::new(&[1, 2])?;
    /// bytes.take(1)?;
    /// let error = DataError::new("expected a 3").at(bytes.place());
    /// assert_eq!(error.to_string(), "byte 1: expected a 3");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[allow(clippy::cast_possible_truncation, reason = "there are less than 4 GiB")]
    #[must_use]
    pub fn place(&self) -> u32 {
        self.len - self.left.len() as u32
    }

    /// Returns how many bytes are left.
    ///
    /// ```
    /// use message_format::Bytes;
    ///
    /// let mut bytes = Bytes::new(&[1, 2, 3])?;
    /// bytes.take(1)?;
    /// assert_eq!(bytes.left(), 2);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Reads this many bytes.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if fewer are left.
    ///
    /// ```
    /// use message_format::Bytes;
    ///
    /// let error = Bytes::new(&[1, 2])?.take(3).expect_err("there are two");
    /// assert_eq!(error.to_string(), "byte 0: the bytes end here: expected 3 more, found 2");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[inline]
    pub fn take(&mut self, len: usize) -> Result<&'b [u8], DataError> {
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

    /// Reads the bytes of a number.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if fewer are left.
    ///
    /// ```
    /// use message_format::Bytes;
    ///
    /// let mut bytes = Bytes::new(&[1, 0, 0, 0])?;
    /// assert_eq!(u32::from_le_bytes(bytes.number()?), 1);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[inline]
    pub fn number<const N: usize>(&mut self) -> Result<[u8; N], DataError> {
        let Some((number, left)) = self.left.split_first_chunk() else {
            return Err(self.too_few(N));
        };
        self.left = left;
        Ok(*number)
    }
}
