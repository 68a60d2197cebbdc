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

use crate::address::{HookId, MessageeId};
use crate::message::{Message, NoReply, Offers, RouteCell};
use crate::registry::{MessageRow, Place};

macro_rules! lifecycle_message {
    ($message:ident, clone = $clone:expr) => {
        #[diagnostic::do_not_recommend]
        impl Message for $message {
            type Reply = NoReply;
            const NAME: &'static str = concat!("message_core::lifecycle::", stringify!($message));

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
            const ROW: MessageRow = MessageRow {
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

lifecycle_message!(Hooked, clone = Some(Clone::clone));
lifecycle_message!(Unhooking, clone = Some(Clone::clone));
lifecycle_message!(Enabled, clone = Some(Clone::clone));
lifecycle_message!(Disabled, clone = Some(Clone::clone));
lifecycle_message!(Despawning, clone = Some(Clone::clone));
#[cfg(feature = "data")]
lifecycle_message!(Restored, clone = Some(Clone::clone));
lifecycle_message!(HandlerFailed, clone = None);

lifecycle_message!(HandlerPanicked, clone = Some(Clone::clone));

lifecycle_message!(DeadLetter, clone = None);

/// A message about one component.
pub(crate) trait AboutComponent: Message {
    fn new(messagee: MessageeId, hook: HookId, component: &'static str) -> Self;
}

macro_rules! about_component {
    ($message:ident) => {
        impl AboutComponent for $message {
            fn new(messagee: MessageeId, hook: HookId, component: &'static str) -> Self {
                Self {
                    messagee,
                    hook,
                    component,
                }
            }
        }
    };
}

about_component!(Hooked);
about_component!(Unhooking);
about_component!(Enabled);
about_component!(Disabled);
#[cfg(feature = "data")]
about_component!(Restored);

/// The manager's own messages, which need no linking.
pub(crate) const OWN: &[MessageRow] = &[
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
