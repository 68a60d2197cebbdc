//! Attaching a recorder to a manager.

use std::cell::Ref;

use crate::hash::HashedMap;
use crate::manager::MessageManager;
use crate::trace::{Recorder, Tracer};

impl Recorder {
    /// Starts recording what happens to every message of a manager. Returns the previous recorder, which is replaced.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(Recorder::new(1_000).start(&mut manager).is_none());
    /// manager.send(Everyone, Ping)?;
    ///
    /// let first = Recorder::new(1_000).start(&mut manager).expect("it was started");
    /// assert!(first.events().all(|event| event.message == Ping::NAME));
    /// assert!(!first.is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](MessageManager::settle).
    pub fn start(self, manager: &mut MessageManager) -> Option<Self> {
        change_trace(manager, |trace| trace.set_recorder(Some(self)))
    }

    /// Stops recording what happens in a manager. Returns the recorder with its events, or `None` if nothing was recorded.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(1_000).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// manager.send(Everyone, Ping)?; // This is not recorded.
    /// assert_eq!(recorder.events().filter_map(|event| event.send).max().map(|id| id.get()), Some(1));
    /// assert!(Recorder::stop(&mut manager).is_none());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](MessageManager::settle).
    pub fn stop(manager: &mut MessageManager) -> Option<Self> {
        change_trace(manager, |trace| trace.set_recorder(None))
    }

    /// Borrows the recorder of a manager, with its events so far. Returns `None` while nothing is recorded.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(Recorder::of(&manager).is_none());
    /// Recorder::new(1_000).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let pings = TraceFilter::of::<Ping>();
    /// assert!(Recorder::of(&manager).is_some_and(|recorder| recorder.select(&pings).next().is_some()));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn of(manager: &MessageManager) -> Option<Ref<'_, Self>> {
        manager.world().trace.recorder()
    }
}

/// Switches events of the `tracing` crate on or off. There is one event for each step of a message, with
/// target `message`: level `TRACE` for sends and deliveries, `DEBUG` for messages that wait or are
/// cancelled, and `WARN` for failures.
///
/// The program installs a subscriber of the `tracing` crate to receive the events. As with a recorder,
/// each send and each delivery has a number in the meantime.
///
/// ```
/// use message_core::trace;
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
/// message_core::emit_tracing_events(&mut manager, true);
/// manager.send(id, Ping)?;
/// assert!(manager.get::<Ears>(id)?.traced);
/// message_core::emit_tracing_events(&mut manager, false);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if a handler panics while this call settles what an earlier panic left pending; see
/// [`settle`](MessageManager::settle).
#[cfg(feature = "tracing")]
pub fn emit_tracing_events(manager: &mut MessageManager, emit: bool) {
    change_trace(manager, |trace| trace.set_emits(emit));
}

fn change_trace<T>(manager: &mut MessageManager, change: impl FnOnce(&mut Tracer) -> T) -> T {
    manager.settle();
    let world = manager.no_input();
    let changed = change(&mut world.trace);
    let is_on = world.trace.is_in_use();
    world.listen.subscriptions.set_traced(is_on);
    if !is_on {
        world.schedule.get_mut().traced = HashedMap::default();
    }
    world.mail.end_run();
    changed
}
