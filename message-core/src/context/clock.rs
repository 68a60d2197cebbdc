//! The clock, from a handler or a subscriber.

use crate::context::Context;
use crate::time::{Clock, ClockError};

impl<R> Context<'_, R> {
    /// Returns a reading of the clock, as [`MessageManager::clock`](crate::MessageManager::clock) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Default)]
    /// struct Gun { ready_at: Duration, shots: u32 }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         let now = cx.clock().now();
    ///         if now >= self.ready_at {
    ///             self.ready_at = now + Duration::from_secs(1);
    ///             self.shots += 1;
    ///         }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun::default(),));
    /// for _ in 0..3 {
    ///     manager.send(gun, Fire)?; // At 0, 600 and 1200 ms.
    ///     manager.tick(Duration::from_millis(600));
    /// }
    /// assert_eq!(manager.get::<Gun>(gun)?.shots, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.world().common.time.reading()
    }

    /// Sets how fast the scaled time runs, from the next frame on, as
    /// [`MessageManager::set_time_scale`](crate::MessageManager::set_time_scale) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::time::ClockError;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Aim;
    ///
    /// struct Bow;
    ///
    /// #[handlers]
    /// impl Bow {
    ///     #[on_receive]
    ///     fn aim(&mut self, _: &Aim, cx: &mut Context<'_>) -> Result<(), ClockError> {
    ///         cx.set_time_scale(0.25) // Slow motion.
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bow = manager.spawn((Bow,));
    /// manager.send(bow, Aim)?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::from_millis(4));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ClockError::NoScale`] when it is negative, infinite or not a number.
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), ClockError> {
        self.world().common.time.set_scale(scale)
    }

    /// Stops the scaled time, or lets it run again, from the next frame on, as
    /// [`MessageManager::set_paused`](crate::MessageManager::set_paused) does.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Show { is_open: bool }
    ///
    /// struct Menu;
    ///
    /// #[handlers]
    /// impl Menu {
    ///     #[on_receive]
    ///     fn show(&mut self, show: &Show, cx: &mut Context<'_>) { cx.set_paused(show.is_open); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let menu = manager.spawn((Menu,));
    /// manager.send(menu, Show { is_open: true })?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::ZERO);
    /// manager.send(menu, Show { is_open: false })?;
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::from_millis(16));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn set_paused(&mut self, paused: bool) {
        self.world().common.time.paused.set(paused);
    }
}
