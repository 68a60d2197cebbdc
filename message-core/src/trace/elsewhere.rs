//! Sends in other managers, and what these made of sends of this one.

use std::fmt;
use std::sync::Arc;

use crate::trace::TraceId;

/// A send in another manager that has led to a message here. A [carrier](crate::carrier) transports it with the message.
///
/// ```
/// use message_core::trace::SentElsewhere;
///
/// let sent = SentElsewhere {
///     manager: "zone-3".into(),
///     send: 7,
///     place: "src/zone.rs:12:9".into(),
///     context: None,
/// };
/// assert_eq!(&*sent.manager, "zone-3");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentElsewhere {
    /// The name of the other manager, such as that of its node.
    pub manager: Arc<str>,
    /// The number of the send there.
    pub send: u64,
    /// The line of source that has sent it.
    pub place: Arc<str>,
    /// The ids by which other programs know the send.
    pub context: Option<TraceContext>,
}

/// The answer or the refusal by which another manager has responded to a send of this one. A
/// [carrier](crate::carrier) transports it back.
///
/// ```
/// use message_core::trace::{BackFrom, TraceId};
///
/// let answered = BackFrom {
///     manager: "zone-3".into(),
///     sent: TraceId::new(7).expect("it is not zero"),
///     frame: 80,
///     number: Some(12),
///     place: Some("src/zone.rs:12".into()),
///     why: None,
/// };
/// assert_eq!(answered.to_string(), "#12 of `zone-3` at src/zone.rs:12, in frame 80 there");
/// let why = Some("it is full".into());
/// let refused = BackFrom { number: None, place: None, why, ..answered };
/// assert_eq!(refused.to_string(), "`zone-3`, in frame 80 there: it is full");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackFrom {
    /// The name of the other manager, such as that of its node.
    pub manager: Arc<str>,
    /// The number of the send here.
    pub sent: TraceId,
    /// The frame of the other manager in which it has responded.
    pub frame: u64,
    /// The number there of the delivery that has answered or failed; or of the message's arrival, if no handler did.
    /// `None` if nothing of it was traced there.
    pub number: Option<u64>,
    /// The line of source of the handler that has answered or failed.
    pub place: Option<Arc<str>>,
    /// The reason for which it was refused, or not answered. `None` if it was answered.
    pub why: Option<Arc<str>>,
}

impl fmt::Display for BackFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = self.number.iter();
        number.try_for_each(|it| write!(f, "#{it} of "))?;
        write!(f, "`{}`", self.manager)?;
        self.place.iter().try_for_each(|it| write!(f, " at {it}"))?;
        write!(f, ", in frame {} there", self.frame)?;
        self.why.iter().try_for_each(|why| write!(f, ": {why}"))
    }
}

/// The ids of a send for programs that follow requests through several processes, as the W3C recommendation
/// [Trace Context](https://www.w3.org/TR/trace-context/) defines them. They come from a
/// [sink](crate::trace::TraceSink::context).
///
/// It prints as the value of the header `traceparent`:
///
/// ```
/// use message_core::trace::TraceContext;
///
/// let context = TraceContext { trace: [0xab; 16], span: [0x01; 8] };
/// assert_eq!(context.to_string(), "00-abababababababababababababababab-0101010101010101-01");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TraceContext {
    /// The id of the whole trace, which everything that a cause has led to has in common.
    pub trace: [u8; 16],
    /// The id of the send.
    pub span: [u8; 8],
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trace, span) = (
            u128::from_be_bytes(self.trace),
            u64::from_be_bytes(self.span),
        );
        write!(f, "00-{trace:032x}-{span:016x}-01")
    }
}
