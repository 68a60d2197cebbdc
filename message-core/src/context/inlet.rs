//! The inlet, for threads that a handler or a subscriber starts.

use crate::context::Context;
use crate::inlet::Inlet;

impl<R> Context<'_, R> {
    /// Returns the inlet for other threads, as
    /// [`MessageManager::inlet`](crate::MessageManager::inlet) gives it: for a thread that is
    /// started here. What is posted through it has this delivery for its cause in the trace.
    ///
    /// ```
    /// use message_core::HeaderError;
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
    #[must_use]
    pub fn inlet(&self) -> Inlet {
        let world = self.world();
        let inlet = world.outside.inlet(&world.common.config);
        inlet.with_cause(self.trace_id())
    }
}
