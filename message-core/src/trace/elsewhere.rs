//! Sends in other managers.

use std::fmt;
use std::sync::Arc;

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
