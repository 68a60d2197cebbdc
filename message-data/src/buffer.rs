//! Messages of one type that come from another manager and are delivered one after the other.

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
///     buffer.read_within(&bytes, &[], &mut 1000)?;
///     buffer.send(&mut manager.speak_for(child)?, ball)?;
/// }
/// assert_eq!(manager.get::<Ball>(ball)?.tossed, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(missing_debug_implementations, reason = "a message need not have one")]
pub struct MessageBuffer {
    of: &'static DataType,
    /// Made for the first message.
    held: Option<Box<dyn Held>>,
}

impl MessageBuffer {
    /// Creates a buffer for messages of this type.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Data, MessageBuffer};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Deuce", exact)]
    /// struct Deuce;
    ///
    /// let mut buffer = MessageBuffer::new(Deuce::TYPE);
    /// assert!(buffer.read_within(&[0xc1], &[], &mut 1000).is_err(), "0xc1 begins no value");
    /// ```
    #[must_use]
    pub const fn new(of: &'static DataType) -> Self {
        Self { of, held: None }
    }

    /// Reads a message, like [`DataType::read_message_within`], and returns it.
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
    /// assert_eq!(read.downcast_ref::<Serve>().map(|serve| serve.0), Some(7));
    /// # Ok::<(), message_data::DataError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`DataType::read_message_within`].
    pub fn read_within(
        &mut self,
        bytes: &[u8],
        ids: &[MessageeId],
        memory: &mut usize,
    ) -> Result<&dyn AnyMessage, DataError> {
        let data = self.of.message_or_error()?;
        let held = self.held.get_or_insert_with(data.hold);
        read_within(bytes, ids, memory, |reader| held.read(reader))
    }

    /// Sends the message that was read last, like [`send`](message_core::MessageManager::send).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::{Data, MessageBuffer};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Lob", exact)]
    /// struct Lob(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let [ann, bob] = [manager.spawn(()), manager.spawn(())];
    /// let mut buffer = MessageBuffer::new(Lob::TYPE);
    /// buffer.read_within(&[7], &[], &mut 1000)?;
    /// let receipt = buffer.send(&mut manager.speak_for(ann)?, bob)?;
    /// assert!(receipt.at_least(1).is_err(), "bob has no component");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of `send`.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as `send`, and if no message was read since the last one was sent.
    #[track_caller]
    pub fn send(
        &mut self,
        from: &mut SpeakingFor<'_>,
        to: impl Into<Recipient>,
    ) -> Result<Receipt, SendError> {
        let held = self.held.as_mut().expect(READ);
        held.send(from, to.into())
    }
}

/// The panic message if there is no message to send.
const READ: &str = "a message is read before it is sent";

/// One message of a type that is not known here.
pub(crate) trait Held {
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<&dyn AnyMessage, DataError>;

    #[track_caller]
    fn send(&mut self, from: &mut SpeakingFor<'_>, to: Recipient) -> Result<Receipt, SendError>;
}

impl<M: Data + Message> Held for Option<M> {
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<&dyn AnyMessage, DataError> {
        Ok(self.insert(reader.read()?))
    }

    fn send(&mut self, from: &mut SpeakingFor<'_>, to: Recipient) -> Result<Receipt, SendError> {
        from.send(to, self.take().expect(READ))
    }
}
