//! The chain of handlers in which something went wrong.

use std::fmt;
use std::panic::Location;

use crate::address::{MessageeId, SubscriptionId};
use crate::storage::AnyPool;

/// The handlers that were running when a send failed, the outermost first. Each was called by a
/// send of the one before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(pub(crate) Box<[ChainLink]>);

impl Chain {
    /// The running handlers, the outermost first.
    #[must_use]
    pub fn links(&self) -> &[ChainLink] {
        &self.0
    }
}

/// How many links of a long chain are printed at each of its ends.
const PRINTED_END: usize = 4;

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = &self.0;
        if links.is_empty() {
            return f.write_str("nothing is running");
        }
        f.write_str("running: ")?;
        for (at, link) in links.iter().enumerate() {
            let hidden = links.len().saturating_sub(2 * PRINTED_END);
            if hidden > 1 && at == PRINTED_END {
                write!(f, ", … {hidden} more …")?;
            }
            if hidden > 1 && (PRINTED_END..PRINTED_END + hidden).contains(&at) {
                continue;
            }
            let separator = if at == 0 { "" } else { ", then " };
            write!(f, "{separator}{link}")?;
        }
        Ok(())
    }
}

/// One running handler or subscriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// Who is running.
    pub receiver: Receiver,
    /// The type of the message it is handling.
    pub message: &'static str,
    /// Where that message was sent.
    pub place: &'static Location<'static>,
}

/// Who receives a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// A component.
    Component {
        /// The messagee that it is hooked to.
        messagee: MessageeId,
        /// The type of the component.
        component: &'static str,
    },
    /// A subscriber.
    Subscription(SubscriptionId),
}

impl Receiver {
    /// The component in a slot.
    pub(crate) fn component(pool: &dyn AnyPool, slot: usize) -> Self {
        Self::Component {
            messagee: pool.meta(slot).owner,
            component: pool.component_name(),
        }
    }

    /// The messagee whose component it is, or `None` for a subscriber.
    #[must_use]
    pub fn messagee(self) -> Option<MessageeId> {
        match self {
            Self::Component { messagee, .. } => Some(messagee),
            Self::Subscription(_) => None,
        }
    }
}

impl fmt::Display for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Component {
                messagee,
                component,
            } => write!(f, "`{component}` of messagee {messagee}"),
            Self::Subscription(id) => write!(f, "subscription {id}"),
        }
    }
}

impl fmt::Display for ChainLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            receiver,
            message,
            place,
        } = self;
        write!(f, "{receiver} on `{message}` sent at {place}")
    }
}
