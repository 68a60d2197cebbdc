//! The first use of the registry in a process, by two threads at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{hint, thread};

use message_core::prelude::*;
use message_core::{NoReply, Registry, registry};

/// Declares a message type, and twice as many with each `*`. Collecting many takes long enough for an
/// extension to begin meanwhile.
macro_rules! declare {
    () => {
        #[derive(message_core::Message)]
        struct Letter;
    };
    (* $($rest:tt)*) => {
        mod left {
            declare!($($rest)*);
        }
        mod right {
            declare!($($rest)*);
        }
    };
}

declare!(**********);

/// Cannot be listed where it is declared, so it is registered by hand.
struct Parcel<const KILOS: u32>;

impl<const KILOS: u32> Message for Parcel<KILOS> {
    type Reply = NoReply;
    const NAME: &'static str = "parcel";
}

// holds: plugins.extend-on-any-thread
#[test]
fn an_extension_is_not_lost_while_another_thread_publishes_the_registry() {
    let publishes = AtomicBool::new(false);
    let extension = Registry::builder().message::<Parcel<1>>();
    let extended = thread::scope(|scope| {
        scope.spawn(|| {
            drop(Registry::builder());
            publishes.store(true, Ordering::Release);
            let _ = registry();
        });
        while !publishes.load(Ordering::Acquire) {
            hint::spin_loop();
        }
        extension.extend().expect("the name is new")
    });
    for registry in [extended, registry()] {
        assert!(registry.message(Parcel::<1>::ID).is_some());
    }
}
