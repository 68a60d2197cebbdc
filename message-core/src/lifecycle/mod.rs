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
mod failures;

pub(crate) use changes::AboutComponent;
pub use changes::{Despawning, Disabled, Enabled, Hooked, Restored, Unhooking};
pub use failures::{DeadLetter, HandlerFailed, HandlerPanicked};

use crate::message::probe::Probe;
use crate::message::{Message, NoReply, Offers, RouteCell};
use crate::registry::{MessageRow, Place};

macro_rules! lifecycle_messages {
    ($($message:ident,)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Message for $message {
                type Reply = NoReply;
                const NAME: &'static str =
                    concat!("message_core::lifecycle::", stringify!($message));
                const OFFERS: Offers<Self> = Offers {
                    debug: Probe::<$message>::DEBUG,
                    clone: Probe::<$message>::CLONE,
                };

                fn cell() -> &'static RouteCell<Self> {
                    static CELL: RouteCell<$message> = RouteCell::unfilled();
                    &CELL
                }
            }
        )*

        /// The manager's own messages, which need no linking.
        pub(crate) const OWN: &[MessageRow] = &[
            $(
                MessageRow {
                    facts: $message::FACTS,
                    place: Place {
                        file: file!(),
                        line: line!(),
                    },
                    tags: &[],
                },
            )*
        ];
    };
}

lifecycle_messages! {
    Hooked,
    Unhooking,
    Enabled,
    Disabled,
    Despawning,
    HandlerFailed,
    HandlerPanicked,
    DeadLetter,
    Restored,
}
