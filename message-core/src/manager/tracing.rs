//! The manager's tracing.

use std::cell::Ref;

use crate::hash::HashedMap;
use crate::manager::MessageManager;
use crate::trace::{Recorder, Tracer};

impl MessageManager {
    /// Starts recording what happens to every message. Returns the previous recorder, which is replaced.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.start_recording(Recorder::new(1_000)).is_none());
    /// manager.send(Everyone, Ping)?;
    ///
    /// let first = manager.start_recording(Recorder::new(1_000)).expect("it was started");
    /// assert!(first.events().all(|event| event.message == Ping::NAME));
    /// assert!(!first.is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn start_recording(&mut self, recorder: Recorder) -> Option<Recorder> {
        self.change_trace(|trace| trace.set_recorder(Some(recorder)))
    }

    /// Stops recording. Returns the recorder with its events, or `None` if nothing was recorded.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.start_recording(Recorder::new(1_000));
    /// manager.send(Everyone, Ping)?;
    /// let recorder = manager.stop_recording().expect("it was started");
    /// manager.send(Everyone, Ping)?; // This is not recorded.
    /// assert_eq!(recorder.events().filter_map(|event| event.send).max().map(|id| id.get()), Some(1));
    /// assert!(manager.stop_recording().is_none());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn stop_recording(&mut self) -> Option<Recorder> {
        self.change_trace(|trace| trace.set_recorder(None))
    }

    /// Borrows the recorder with its events so far. Returns `None` while nothing is recorded.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.recorder().is_none());
    /// manager.start_recording(Recorder::new(1_000));
    /// manager.send(Everyone, Ping)?;
    /// let pings = TraceFilter::of::<Ping>();
    /// assert!(manager.recorder().is_some_and(|recorder| recorder.select(&pings).next().is_some()));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn recorder(&self) -> Option<Ref<'_, Recorder>> {
        self.world.trace.recorder()
    }

    /// Switches events of the `tracing` crate on or off. There is one event for each step of a message, with
    /// target `message`: level `TRACE` for sends and deliveries, `DEBUG` for messages that wait or are
    /// cancelled, and `WARN` for failures.
    ///
    /// The program installs a subscriber of the `tracing` crate to receive the events. As with a recorder,
    /// each send and each delivery has a number in the meantime.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Ears { traced: bool }
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Ping, cx: &mut Context<'_>) {
    ///         self.traced = cx.trace_id().is_some();
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let id = manager.spawn((Ears { traced: false },));
    /// manager.emit_tracing_events(true);
    /// manager.send(id, Ping)?;
    /// assert!(manager.get::<Ears>(id)?.traced);
    /// manager.emit_tracing_events(false);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[cfg(feature = "tracing")]
    pub fn emit_tracing_events(&mut self, emit: bool) {
        self.change_trace(|trace| trace.set_emits(emit));
    }

    fn change_trace<T>(&mut self, change: impl FnOnce(&mut Tracer) -> T) -> T {
        self.settle();
        let world = self.no_input();
        let changed = change(&mut world.trace);
        let is_on = world.trace.is_in_use();
        world.listen.subscriptions.set_traced(is_on);
        if !is_on {
            world.schedule.get_mut().traced = HashedMap::default();
        }
        world.mail.end_run();
        changed
    }
}
