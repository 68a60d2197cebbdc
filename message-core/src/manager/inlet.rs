//! The manager's inlet for other threads.

use crate::inlet::Inlet;
use crate::manager::MessageManager;

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
}
