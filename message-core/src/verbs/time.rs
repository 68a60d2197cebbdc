//! The clock.

use crate::input::Input;
use crate::time::{Clock, ClockError};

verbs_without_sender! {
    /// Returns a reading of the clock: the number of the frame, and the times. It stays as it is
    /// while the clock goes on.
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
    /// assert_eq!(manager.clock().frame(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.world().common.time.reading()
    }

    /// Returns `true` while the inputs of a log are repeated, by a replay or the recovery of a journal. What a handler does
    /// to the outside world, such as sending a mail, was done when the log was written.
    ///
    /// Changes inside of the manager must not depend on it: the replay would reach another state.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Order;
    ///
    /// #[derive(Default)]
    /// struct Shop { orders: u32 }
    ///
    /// #[handlers]
    /// impl Shop {
    ///     #[on_receive]
    ///     fn order(&mut self, _: &Order, cx: &mut Context<'_>) {
    ///         self.orders += 1;
    ///         if !cx.is_replaying() {
    ///             println!("order {}", self.orders);
    ///         }
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let shop = manager.spawn((Shop::default(),));
    /// manager.send(shop, Order)?;
    /// assert!(!manager.is_replaying());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn is_replaying(&self) -> bool {
        self.world().common.is_replaying
    }

    /// Sets the speed of the scaled time relative to the time passed to
    /// [`tick`](crate::MessageManager::tick), from the next frame on: 1 is the same speed, 0 stops it.
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
    /// assert_eq!(manager.clock().unscaled_now(), Duration::from_millis(16));
    /// assert!(manager.set_time_scale(-1.0).is_err());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`ClockError::NoScale`] if the scale is negative, infinite or not a number.
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle).
    pub fn set_time_scale(&mut self, scale: f64) -> Result<(), ClockError> {
        self.at_once(|| Input::SetTimeScale(scale), |world| world.common.time.set_scale(scale))
    }

    /// Stops the scaled time or lets it run again, from the next frame on. While it is stopped, frames and
    /// the unscaled time go on, but `FixedUpdate` has no passes.
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
    /// manager.set_paused(false);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.clock().now(), Duration::from_millis(16));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`set_time_scale`](Self::set_time_scale).
    pub fn set_paused(&mut self, paused: bool) {
        self.at_once(|| Input::SetPaused(paused), |world| world.common.time.set_paused(paused));
    }
}
