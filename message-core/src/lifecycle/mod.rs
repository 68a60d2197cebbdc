//! The messages that the manager itself sends.
//!
//! Any component may handle them. Their sender is [`Sender::Manager`](crate::Sender::Manager).
//!
//! ```
//! use message_core::lifecycle::Hooked;
//! use message_core::prelude::*;
//!
//! #[derive(Default)]
//! struct Greeter { seen: usize }
//!
//! #[handlers]
//! impl Greeter {
//!     #[on_receive]
//!     fn welcome(&mut self, _: &Hooked) { self.seen += 1; }
//! }
//!
//! struct Hat;
//!
//! let mut manager = MessageManager::new();
//! let id = manager.spawn((Greeter::default(),));
//! manager.hook(id, Hat)?;
//! assert_eq!(manager.get::<Greeter>(id)?.seen, 2);
//! # Ok::<(), MessageeError>(())
//! ```

mod changes;
mod dead_letter;
mod failures;
#[cfg(feature = "data")]
mod restored;

pub use changes::{Despawning, Disabled, Enabled, Hooked, Unhooking};
pub use dead_letter::DeadLetter;
pub use failures::{HandlerFailed, HandlerPanicked};
#[cfg(feature = "data")]
pub use restored::Restored;

use crate::message::{Message, NoReply, Offers, RouteCell};
use crate::registry::{MessageRow, Place};

macro_rules! lifecycle_message {
    ($message:ident, $name:literal, clone = $clone:expr) => {
        #[diagnostic::do_not_recommend]
        impl Message for $message {
            type Reply = NoReply;
            const NAME: &'static str = $name;

            const OFFERS: Offers<Self> = Offers {
                debug: Some(<Self as std::fmt::Debug>::fmt),
                clone: $clone,
            };

            fn cell() -> &'static RouteCell<Self> {
                static CELL: RouteCell<$message> = RouteCell::new();
                &CELL
            }
        }

        impl $message {
            const ROW: &'static MessageRow = &MessageRow {
                facts: Self::FACTS,
                place: Place {
                    file: file!(),
                    line: line!(),
                },
                tags: &[],
            };
        }
    };
}

lifecycle_message!(
    Hooked,
    "message_core::lifecycle::Hooked",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Unhooking,
    "message_core::lifecycle::Unhooking",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Enabled,
    "message_core::lifecycle::Enabled",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Disabled,
    "message_core::lifecycle::Disabled",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    Despawning,
    "message_core::lifecycle::Despawning",
    clone = Some(Clone::clone)
);
#[cfg(feature = "data")]
lifecycle_message!(
    Restored,
    "message_core::lifecycle::Restored",
    clone = Some(Clone::clone)
);
lifecycle_message!(
    HandlerFailed,
    "message_core::lifecycle::HandlerFailed",
    clone = None
);

lifecycle_message!(
    HandlerPanicked,
    "message_core::lifecycle::HandlerPanicked",
    clone = Some(Clone::clone)
);

lifecycle_message!(
    DeadLetter,
    "message_core::lifecycle::DeadLetter",
    clone = None
);

/// The manager's own messages, which need no linking.
pub(crate) const OWN: &[&MessageRow] = &[
    Hooked::ROW,
    Unhooking::ROW,
    Enabled::ROW,
    Disabled::ROW,
    Despawning::ROW,
    HandlerFailed::ROW,
    HandlerPanicked::ROW,
    DeadLetter::ROW,
    #[cfg(feature = "data")]
    Restored::ROW,
];
