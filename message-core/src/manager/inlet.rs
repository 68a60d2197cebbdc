//! Draining the inlet: what other threads have posted is sent or posted here, each message as an
//! outermost send of its own, so that what one leads to is settled before the next.

use std::panic::Location;

use crate::address::Sender;
use crate::header::Header;
use crate::inlet::{Inlet, Outlet};
use crate::manager::MessageManager;
use crate::post::{Held, Posting};
#[cfg(feature = "data")]
use crate::send::BoxedMessage;
use crate::send::origin::Program;
use crate::send::{Extras, Posted, Sent};
use crate::time::Stage;
use crate::trace::{SentBy, TraceId};

impl MessageManager {
    /// Returns a handle by which other threads post messages to this manager: they are delivered
    /// when the next frame begins, by [`tick`](Self::tick) or [`begin_frame`](Self::begin_frame).
    ///
    /// Every call gives a handle of the same inlet, with room for
    /// [`ManagerConfig::inlet_capacity`](crate::ManagerConfig::inlet_capacity) messages in all.
    /// Memory is taken for the messages that wait, not for the capacity.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Loaded { percent: u32 }
    ///
    /// #[derive(Default)]
    /// struct Bar { percent: u32 }
    ///
    /// #[handlers]
    /// impl Bar {
    ///     #[on_receive]
    ///     fn loaded(&mut self, loaded: &Loaded) { self.percent = loaded.percent; }
    /// }
    ///
    /// let mut ui = MessageManager::new();
    /// let bar = ui.spawn((Bar::default(),));
    /// let (inlet, header) = (ui.inlet(), Header::to(bar).build()?);
    /// let loader = thread::spawn(move || {
    ///     let patience = Duration::from_secs(1);
    ///     inlet.post(&header, Loaded { percent: 100 }, patience)
    /// });
    /// loader.join().expect("no panic")?;
    /// ui.tick(Duration::from_millis(16));
    /// assert_eq!(ui.get::<Bar>(bar)?.percent, 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inlet(&self) -> Inlet {
        self.world.outside.inlet(&self.world.common.config)
    }

    /// Takes in what lies in the inlet, and how many messages that were. What comes meanwhile waits
    /// for the next frame, so that this ends.
    ///
    /// Taken out one by one: a panic in a handler leaves the rest where it is.
    pub(super) fn drain_inlet(&mut self) -> usize {
        let waiting = self.world.outside.inlet.get_mut().map_or(0, Outlet::begin);
        #[cfg(feature = "data")]
        if self.replayed.is_some() {
            return self.drain_replayed();
        }
        while let Some(letter) = self.world.outside.inlet.get_mut().and_then(Outlet::take) {
            log_input!(self.world => letter(&*letter));
            letter.open(&mut |header, held, place, cause| self.take_in(header, held, place, cause));
            self.world.settle_outermost();
        }
        waiting
    }

    /// While a log is repeated, other threads are heard as the log has it, and what they post now is
    /// dropped.
    #[cfg(feature = "data")]
    fn drain_replayed(&mut self) -> usize {
        while let Some(letter) = self.world.outside.inlet.get_mut().and_then(Outlet::take) {
            drop(letter);
        }
        let letters = self.replayed.replace(Vec::new()).unwrap_or_default();
        let drained = letters.len();
        for (header, message) in letters {
            let mut held = BoxedMessage(Some(message.into_erased().0));
            self.take_in(&header, &mut held, Location::caller(), None);
            self.world.settle_outermost();
        }
        drained
    }

    /// Sends or posts a message from another thread. A failure is reported as a dead letter.
    fn take_in(
        &self,
        header: &Header,
        held: &mut dyn Held,
        place: &'static Location<'static>,
        cause: Option<TraceId>,
    ) {
        let world = &self.world;
        let program = Program(world);
        let posting = Posting::of(&program, header, place);
        let number = world.trace.is_on();
        let number = number.then(|| posting.trace(SentBy::Inlet, cause, &*held.get()));
        let number = number.flatten();
        let waits = header.stage != Stage::Immediate;
        let posted = waits.then(|| posting.enter_numbered(number, held));
        if let Some(Ok(_)) = posted {
            return;
        }
        let stamped = posting.stamp();
        let extras = Extras {
            posted: Some(&Posted {
                mark: stamped.meta,
                due: stamped.when.due,
                since: world.common.time.now(),
            }),
            number,
            ..Extras::NONE
        };
        let sent = Sent {
            extras: &extras,
            ..Sent::of_type(held.facts(), world, Sender::Outside, &header.to, place)
        };
        match posted {
            Some(Err(error)) => sent.bury_unless_received(Err(error), held),
            _ => sent.deliver_in_full(held),
        }
    }
}
