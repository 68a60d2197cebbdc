//! Draining the inlet: what other threads have posted is sent or posted here, each message as an
//! outermost send of its own, so that what one leads to is settled before the next.

use crate::address::Sender;
use std::panic::Location;

use crate::header::Header;
use crate::inlet::Outlet;
use crate::manager::MessageManager;
use crate::post::{Held, Posting};
use crate::send::origin::Program;
use crate::send::{Extras, Sent};
use crate::time::Stage;
use crate::trace::{SentBy, TraceId};
use crate::world::World;

impl MessageManager {
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
            #[cfg(feature = "data")]
            self.world.log_letter(&*letter);
            let world = &self.world;
            letter
                .open(&mut |header, held, place, cause| take_in(world, header, held, place, cause));
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
        let letters = self.replayed.replace(Vec::new());
        let mut drained = 0;
        for (header, message) in letters.into_iter().flatten() {
            let mut held = Some(message.into_erased().0);
            take_in(&self.world, &header, &mut held, Location::caller(), None);
            self.world.settle_outermost();
            drained += 1;
        }
        drained
    }
}

/// Sends or posts a message from another thread. A failure is reported as a dead letter.
fn take_in(
    world: &World,
    header: &Header,
    held: &mut dyn Held,
    place: &'static Location<'static>,
    cause: Option<TraceId>,
) {
    let program = Program(world);
    let posting = Posting::of(&program, header, place);
    let number = if world.trace.is_on() {
        posting.trace(SentBy::Inlet, cause, &*held.get())
    } else {
        None
    };
    let refused = if header.stage == Stage::Immediate {
        None
    } else {
        match posting.enter_numbered(number, held) {
            Ok(_) => return,
            Err(error) => Some(error),
        }
    };
    let record = posting.record(world.schedule.borrow().next_number());
    let posted = record.posted(world.common.time.now());
    let extras = Extras {
        posted: Some(&posted),
        number,
        ..Extras::NONE
    };
    let sent = Sent {
        extras: &extras,
        ..Sent::of_type(held.facts(), world, Sender::Outside, &header.to, place)
    };
    match refused {
        None => sent.deliver_in_full(held),
        Some(error) => sent.bury_unless_received(Err(error), held),
    }
}
