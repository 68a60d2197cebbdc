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
/// assert_eq!(packer.bytes(), [1, 2]);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug)]
pub struct Packer {
    writer: Writer,
}

impl Default for Packer {
    fn default() -> Self {
        let writer = Writer::packed();
        Self { writer }
    }
}

impl Packer {
    /// Returns the bytes so far.
    ///
    /// ```
    /// assert!(message_format::Packer::default().bytes().is_empty());
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.writer.pack.bytes
    }

    /// Returns the bytes so far, to which others can be added.
    ///
    /// ```
    /// use message_format::Packer;
    /// use serde::Serialize;
    ///
    /// let mut packer = Packer::default();
    /// packer.bytes_mut().push(0x91);
    /// packer.write(|writer| 1.serialize(writer))?;
    /// assert_eq!(packer.into_bytes(), [0x91, 1]);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.writer.pack.bytes
    }

    /// Returns the bytes.
    ///
    /// ```
    /// assert!(message_format::Packer::default().into_bytes().is_empty());
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.writer.pack.bytes
    }

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
    /// assert_eq!(packer.bytes(), [0xa1, b'a']);
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
    /// assert_eq!(packer.bytes(), [0x92, 1, 2]);
    /// assert!(!packer.write_by_position(&["x", "z"], |writer| point.serialize(writer))?);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn write_by_position<E>(
        &mut self,
        fields: &'static [&'static str],
        write: impl FnOnce(&mut Writer) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.writer.begin_packed(fields);
        let written = write(&mut self.writer);
        let pack = &mut self.writer.pack;
        if written.is_err() {
            pack.drop_value();
        }
        written.map(|()| pack.is_list)
    }
}
