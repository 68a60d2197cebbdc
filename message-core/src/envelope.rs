//! The envelope of a message, as its receiver sees it.

use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::tag::TagSet;
use crate::time::{Moment, Stage};
use crate::trace::TraceId;

/// The envelope of a delivery, from [`Context::envelope`](crate::Context::envelope).
///
/// ```
/// use message_core::prelude::*;
/// use std::sync::mpsc;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let (log, envelopes) = mpsc::channel();
/// manager.subscribe(Filter::of::<Ping>(), move |_, cx| {
///     let _ = log.send(cx.envelope());
/// });
/// let header = Header::to(Everyone).after(Duration::from_millis(20)).build()?;
/// manager.post(&header, Ping)?;
/// manager.tick(Duration::from_millis(50));
/// let envelope = envelopes.recv()?;
/// assert_eq!(envelope.stage, Stage::Update);
/// assert_eq!(envelope.due.time - envelope.posted.time, Duration::from_millis(20));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Envelope {
    /// The sender of the message. Stamped by the manager, so it can be trusted.
    pub sender: Sender,
    /// The recipient, as the sender wrote it.
    pub recipient: Recipient,
    /// The moment at which it was posted. For a message that is sent at once, this is now.
    pub posted: Moment,
    /// The moment at which it was due: the time that its delay led to and the frame of the delivery, or
    /// the frame that its delay led to and the time at which that began. For a message without a delay
    /// this is `posted`.
    pub due: Moment,
    /// Its tags, and those of its type.
    pub tags: TagSet,
    /// The stage that its header names; `Immediate` for a send.
    pub stage: Stage,
    /// The place in the source where it was sent or posted.
    pub place: &'static Location<'static>,
    /// Its number, if it was sent while the manager was traced.
    pub trace: Option<TraceId>,
}
