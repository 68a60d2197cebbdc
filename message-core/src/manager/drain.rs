//! Draining the inlet: what other threads have posted is sent or posted here, each message as an
//! outermost send of its own, so that what one leads to is settled before the next.

use crate::address::Sender;
#[cfg(feature = "data")]
use std::panic::Location;

use crate::inlet::{Letter, Outlet};
use crate::manager::MessageManager;
use crate::post::{Held, Posting};
use crate::send::BoxedMessage;
use crate::send::origin::Program;
use crate::send::{Extras, Posted, Sent};
use crate::time::Stage;
use crate::trace::SentBy;
use crate::world::World;

impl MessageManager {
    /// Takes in what lies in the inlet, and returns how many messages that were. What comes meanwhile waits
    /// for the next frame, so that this ends.
    ///
    /// Taken out one by one: a panic in a handler leaves the rest where it is.
    pub(super) fn drain_inlet(&mut self) -> usize {
        let waiting = self.world.outside.inlet.get().map_or(0, Outlet::begin);
        for _ in 0..waiting {
            let letter = self.world.outside.inlet.get().and_then(Outlet::take);
            // While a log is repeated, other threads are heard as the log has it, and what they post now is
            // dropped.
            #[cfg(feature = "data")]
            let letter = letter.filter(|_| self.replayed.is_none());
            let Some(letter) = letter else { continue };
            #[cfg(feature = "data")]
            self.world.log_letter(&letter);
            take_in(&self.world, letter);
            self.world.settle_outermost();
        }
        #[cfg(feature = "data")]
        if let Some(letters) = &mut self.replayed {
            let letters = std::mem::take(letters);
            let drained = letters.len();
            for (header, message) in letters {
                let letter = Letter {
                    header,
                    message,
                    place: Location::caller(),
                    cause: None,
                };
                take_in(&self.world, letter);
                self.world.settle_outermost();
            }
            return drained;
        }
        waiting
    }
}

/// Sends or posts a message from another thread. A failure is reported as a dead letter.
fn take_in(world: &World, letter: Letter) {
    let Letter {
        header,
        message,
        place,
        cause,
    } = letter;
    let header = &header;
    let held: &mut dyn Held = &mut BoxedMessage(Some(message.into_erased().0));
    let program = Program(world);
    let posting = Posting::of(&program, header, place);
    let is_traced = world.trace.is_on();
    let number = is_traced.then(|| posting.trace(SentBy::Inlet, cause, &*held.get()));
    let refused = if header.stage == Stage::Immediate {
        None
    } else {
        match posting.enter_numbered(number, held) {
            Ok(_) => return,
            Err(error) => Some(error),
        }
    };
    let stamped = posting.stamp();
    let posted = Posted {
        mark: stamped.meta,
        due: stamped.when.due,
        since: world.common.time.now(),
    };
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
