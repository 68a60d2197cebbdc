//! Messages of one type that come from another manager and are delivered one after the other.

use std::fmt;

use message_core::{AnyMessage, Message, MessageeId, Receipt, Recipient, SendError, SpeakingFor};
use message_format::{DataError, Reader};

use crate::abroad::read_within;
use crate::data_type::{Data, DataType};

/// Reads messages of one type and delivers them, one after the other, without an allocation for each.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Data, MessageBuffer};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Toss", exact)]
/// struct Toss { by: u32 }
///
/// #[derive(Default)]
/// struct Ball { tossed: u32 }
///
/// #[handlers]
/// impl Ball {
///     #[on_receive]
///     fn toss(&mut self, toss: &Toss) { self.tossed += toss.by; }
/// }
///
/// let mut manager = MessageManager::new();
/// let [ball, child] = [manager.spawn((Ball::default(),)), manager.spawn(())];
/// let mut buffer = MessageBuffer::new(Toss::TYPE);
/// for bytes in [[0x91, 2], [0x91, 3]] {
///     let read = buffer.read_within(&bytes, &[], &mut 1000)?;
///     read.send(&mut manager.speak_for(child)?, ball)?;
/// }
/// assert_eq!(manager.get::<Ball>(ball)?.tossed, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MessageBuffer {
    of: &'static DataType,
    /// Made for the first message.
    held: Option<Box<dyn Held>>,
}

impl MessageBuffer {
    /// Creates a buffer for messages of this type.
    #[must_use]
    pub const fn new(of: &'static DataType) -> Self {
        Self { of, held: None }
    }

    /// Reads a message, like [`DataType::read_message_within`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`DataType::read_message_within`].
    pub fn read_within(
        &mut self,
        bytes: &[u8],
        ids: &[MessageeId],
        memory: &mut usize,
    ) -> Result<BufferedMessage<'_>, DataError> {
        let data = self.of.message_or_error()?;
        let held = self.held.get_or_insert_with(data.hold);
        read_within(bytes, ids, memory, |reader| held.read(reader))?;
        Ok(BufferedMessage(&mut **held))
    }
}

impl fmt::Debug for MessageBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MessageBuffer").field(self.of).finish()
    }
}

/// A message in a [`MessageBuffer`].
pub struct BufferedMessage<'b>(&'b mut dyn Held);

impl BufferedMessage<'_> {
    /// Returns the message.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Data, MessageBuffer};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Serve", exact)]
    /// struct Serve(u32);
    ///
    /// let mut buffer = MessageBuffer::new(Serve::TYPE);
    /// let read = buffer.read_within(&[7], &[], &mut 1000)?;
    /// assert_eq!(read.message().downcast_ref::<Serve>().map(|serve| serve.0), Some(7));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    #[must_use]
    pub fn message(&self) -> &dyn AnyMessage {
        self.0.get()
    }

    /// Sends the message, like [`send`](message_core::MessageManager::send).
    ///
    /// # Errors
    ///
    /// Returns the errors of `send`.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as `send`.
    #[track_caller]
    pub fn send(
        self,
        from: &mut SpeakingFor<'_>,
        to: impl Into<Recipient>,
    ) -> Result<Receipt, SendError> {
        self.0.send(from, to.into())
    }
}

impl fmt::Debug for BufferedMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BufferedMessage")
            .field(&self.message().name())
            .finish()
    }
}

/// One message of a type that is not known here: `None` before it was read, and when it was sent.
pub(crate) trait Held {
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), DataError>;

    fn get(&self) -> &dyn AnyMessage;

    #[track_caller]
    fn send(&mut self, from: &mut SpeakingFor<'_>, to: Recipient) -> Result<Receipt, SendError>;
}

/// The panic message if a message is not there that was read.
const READ: &str = "a message is there until it is sent";

impl<M: Data + Message> Held for Option<M> {
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), DataError> {
        *self = None;
        *self = Some(reader.read()?);
        Ok(())
    }

    fn get(&self) -> &dyn AnyMessage {
        self.as_ref().expect(READ)
    }

    fn send(&mut self, from: &mut SpeakingFor<'_>, to: Recipient) -> Result<Receipt, SendError> {
        from.send(to, self.take().expect(READ))
    }
}
