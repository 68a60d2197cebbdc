//! Draining the inlet: what other threads have posted is sent or posted here, each message as an
//! outermost send of its own, so that what one leads to is settled before the next.

use crate::address::Sender;
use crate::dispatch::call::Posted;
use crate::dispatch::post::Posting;
use crate::dispatch::{Context, Sent};
use crate::inlet::{Inlet, Letter, Outlet};
use crate::message::Message;
use crate::time::Stage;
use crate::trace::SentBy;
use crate::world::World;

impl<R> Context<'_, R> {
    /// The inlet for other threads, as [`MessageManager::inlet`](crate::MessageManager::inlet) gives
    /// it: for a thread that is started here. What is posted through it has this delivery for its
    /// cause in the trace.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::thread::{self, JoinHandle};
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct FindPath { goal: u32 }
    ///
    /// #[derive(Message)]
    /// struct PathFound { steps: u32 }
    ///
    /// #[derive(Default)]
    /// struct Legs { search: Option<JoinHandle<bool>>, steps: u32 }
    ///
    /// #[handlers]
    /// impl Legs {
    ///     #[on_receive]
    ///     fn find(&mut self, find: &FindPath, cx: &mut Context<'_>) -> Result<(), HeaderError> {
    ///         let (inlet, home, goal) = (cx.inlet(), Header::to(cx.me()).build()?, find.goal);
    ///         self.search = Some(thread::spawn(move || {
    ///             let steps = (0..=goal).sum(); // It takes its time.
    ///             inlet.try_post(&home, PathFound { steps }).is_ok()
    ///         }));
    ///         Ok(())
    ///     }
    ///
    ///     #[on_receive]
    ///     fn found(&mut self, found: &PathFound) { self.steps = found.steps; }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Legs::default(),));
    /// manager.send(orc, FindPath { goal: 4 })?;
    /// let search = manager.get_mut::<Legs>(orc)?.search.take().expect("it was started");
    /// assert!(search.join().expect("no panic"));
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.get::<Legs>(orc)?.steps, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When [`ManagerConfig::inlet_capacity`](crate::ManagerConfig::inlet_capacity) is more than can
    /// be counted.
    #[must_use]
    pub fn inlet(&self) -> Inlet {
        self.world().inlet().with_cause(self.trace_id())
    }
}

impl World {
    pub(crate) fn inlet(&self) -> Inlet {
        let capacity = self.config.inlet_capacity;
        let outlet = self.inlet.get_or_init(|| Outlet::new(capacity));
        outlet.inlet()
    }

    /// Takes in what lies in the inlet, and how many messages that were. What comes meanwhile waits
    /// for the next frame, so that this ends.
    ///
    /// Taken out one by one: a panic in a handler leaves the rest where it is.
    pub(crate) fn drain_inlet(&mut self) -> usize {
        let waiting = self.inlet.get().map_or(0, Outlet::len);
        let mut drained = 0;
        while drained < waiting
            && let Some(letter) = self.inlet.get().and_then(Outlet::take)
        {
            letter.open(self);
            self.settle_outermost();
            drained += 1;
        }
        drained
    }

    /// Sends a message from another thread, or posts it. What goes wrong is told by a dead letter.
    pub(crate) fn take_in<M: Message>(&self, letter: Letter<M>) {
        let Letter {
            header,
            message,
            place,
            cause,
        } = letter;
        let posting = Posting::outside(&header, Sender::Outside, place);
        let number = if self.trace.is_on() {
            self.trace_posting(posting, SentBy::Inlet, cause, &message)
        } else {
            None
        };
        let (refused, message) = if header.stage == Stage::Immediate {
            (None, message)
        } else {
            match self.enter_traced_post(posting, number, message) {
                Ok(_) => return,
                Err((error, message)) => (Some(error), message),
            }
        };
        let (mark, when) = self.stamp(&header, place);
        let posted = Posted {
            mark,
            due: when.due,
            since: self.time.now(),
        };
        let sent = Sent {
            posted: Some(&posted),
            number,
            ..Sent::outside::<M>(self, Sender::Outside, &header.to, place)
        };
        match refused {
            None => self.deliver_in_full(&sent, message),
            Some(error) => self.bury_refused(&sent, error, message),
        }
    }
}
