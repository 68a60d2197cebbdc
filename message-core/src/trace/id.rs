//! The numbers of sends and deliveries.

use std::fmt;
use std::num::NonZeroU64;

/// The number of a send or of a delivery, given out while a manager is traced: 1, 2, 3, … over
/// both, in the order in which they began.
///
/// [`Context::trace_id`](crate::Context::trace_id) is the id of the running delivery, and the
/// [`Envelope`](crate::Envelope) holds the id of a send.
/// `explain` of the recorder in the crate `message-trace` tells why a delivery was made.
///
/// ```
/// use message_core::prelude::*;
/// use message_trace::Recorder;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// Recorder::new(100).start(&mut manager);
/// manager.subscribe(Filter::of::<Ping>(), |_, cx| {
///     let delivery = cx.trace_id().expect("the manager is traced");
///     assert!(delivery.get() > 1); // The send came before.
/// });
/// assert_eq!(manager.send(Everyone, Ping)?.received, 1);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceId(NonZeroU64);

impl TraceId {
    /// Returns the id with this number, or `None` for 0, which is no number.
    ///
    /// ```
    /// use message_core::TraceId;
    ///
    /// assert_eq!(TraceId::new(7).map(TraceId::get), Some(7));
    /// assert_eq!(TraceId::new(0), None);
    /// ```
    #[must_use]
    pub fn new(number: u64) -> Option<Self> {
        NonZeroU64::new(number).map(Self)
    }

    /// Returns the number.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let last = recorder.events().filter_map(|event| event.send).last();
    /// assert_eq!(last.map(|number| number.get()), Some(2));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn get(self) -> u64 {
        self.0.get()
    }

    /// Returns the number that is `further` higher.
    pub(crate) fn plus(self, further: u32) -> Self {
        Self(self.0.saturating_add(further.into()))
    }

    /// Returns the id after `numbers` others.
    pub(super) fn after(numbers: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(numbers))
    }
}

/// Prints the number, as `#7`.
impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.get())
    }
}
