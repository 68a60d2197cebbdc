//! Writes values as `MessagePack`, one after the other.

use crate::writer::Writer;

/// Appends values to a vector of bytes. A value that cannot be written adds nothing.
///
/// ```
/// use message_format::Packer;
/// use serde::Serialize;
///
/// let mut packer = Packer::default();
/// for number in [1, 2] {
///     packer.write(|writer| number.serialize(writer))?;
/// }
/// assert_eq!(packer.bytes, [1, 2]);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug, Default)]
pub struct Packer {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    writer: Writer,
}

impl Packer {
    /// Appends the value that a function writes.
    ///
    /// # Errors
    ///
    /// Returns the error of the function.
    ///
    /// ```
    /// use message_format::Packer;
    /// use serde::Serialize;
    ///
    /// let mut packer = Packer::default();
    /// packer.write(|writer| "a".serialize(writer))?;
    /// assert_eq!(packer.bytes, [0xa1, b'a']);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn write<E>(&mut self, write: impl FnOnce(&mut Writer) -> Result<(), E>) -> Result<(), E> {
        self.write_by_position(&[], write).map(drop)
    }

    /// Appends the value that a function writes, as a list of its fields if it is a struct with exactly these.
    /// Returns `true` if it is a list.
    ///
    /// # Errors
    ///
    /// Returns the error of the function.
    ///
    /// ```
    /// use message_format::Packer;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Point { x: u8, y: u8 }
    ///
    /// let mut packer = Packer::default();
    /// let point = Point { x: 1, y: 2 };
    /// assert!(packer.write_by_position(&["x", "y"], |writer| point.serialize(writer))?);
    /// assert_eq!(packer.bytes, [0x92, 1, 2]);
    /// assert!(!packer.write_by_position(&["x", "z"], |writer| point.serialize(writer))?);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn write_by_position<E>(
        &mut self,
        fields: &[&str],
        write: impl FnOnce(&mut Writer) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.writer.begin_packed(fields);
        write(&mut self.writer)?;
        let pack = self.writer.pack.as_mut();
        Ok(pack.is_some_and(|pack| pack.move_to(&mut self.bytes)))
    }
}
