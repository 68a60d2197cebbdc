//! Differences between a row's manager and a plain one: its listeners, and its reaction to panics.

use message_core::PanicPolicy;
use message_core::prelude::*;

use crate::work::{Beat, Total};

tag!(URGENT);

/// The setting of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Setting {
    /// Nothing.
    Plain,
    /// A hidden subscriber hears messages of all types.
    Watched,
    /// A subscriber listens for a type that is not sent.
    PastType,
    /// A subscriber listens for a messagee to which nothing is sent.
    PastTo,
    /// A subscriber listens for a messagee that sends nothing.
    PastFrom,
    /// 10 000 subscribers listen for messagees that send nothing, each for a different one.
    PastMany,
    /// A subscriber listens for a tag that no message has.
    PastTag,
    /// A component that panics is unhooked.
    Unhook,
    /// A recorder keeps the last events.
    Traced,
}

impl Setting {
    /// Creates the manager.
    pub(super) fn manager(self) -> MessageManager {
        let config = match self {
            Self::Unhook => ManagerConfig::new().panic_policy(PanicPolicy::Unhook),
            _ => ManagerConfig::new(),
        };
        MessageManager::with_config(config)
    }

    /// Adds the subscribers, once everyone is spawned: the manager's own messages are not part of the
    /// row. Returns the total, which is complete when the manager is dropped.
    pub(super) fn listen(self, manager: &mut MessageManager) -> Total {
        let total = Total::default();
        let mut tally = total.tally(0);
        let filter = match self {
            Self::Plain | Self::Unhook => return total,
            Self::Traced => {
                message_trace::Recorder::new(4_096).start(manager);
                return total;
            }
            Self::PastType => {
                let filter = Filter::of::<Beat>().hidden();
                manager.subscribe(filter, move |beat, _| tally.hear(beat));
                return total;
            }
            Self::PastMany => {
                for _ in 0..10_000 {
                    let filter = Filter::all().from(manager.spawn(())).hidden();
                    manager.subscribe(filter, |_, _| ());
                }
                return total;
            }
            Self::Watched => Filter::all(),
            Self::PastTo => Filter::all().to(manager.spawn(())),
            Self::PastFrom => Filter::all().from(manager.spawn(())),
            Self::PastTag => Filter::all().tagged(URGENT),
        };
        manager.subscribe(filter.hidden(), move |_, _| tally.count());
        total
    }
}
