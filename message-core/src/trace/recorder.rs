//! The recorder: the last so many events, in memory.

use std::collections::VecDeque;

use crate::trace::explain::{Explanation, explain};
use crate::trace::{TraceEvent, TraceFilter, TraceId};

/// Keeps the last events of a manager, as many as it has room for; the oldest go first.
///
/// It is handed to [`MessageManager::start_recording`](crate::MessageManager::start_recording),
/// and comes back from [`stop_recording`](crate::MessageManager::stop_recording).
///
#[cfg_attr(feature = "trace", doc = "```")]
#[cfg_attr(not(feature = "trace"), doc = "```ignore")]
/// use message_core::prelude::*;
/// use message_core::trace::Recorder;
///
/// #[derive(Message, Debug)]
/// struct Knock { times: u32 }
///
/// struct Door;
///
/// #[handlers]
/// impl Door {
///     #[on_receive]
///     fn knock(&mut self, _: &Knock) {}
/// }
///
/// let mut manager = MessageManager::new();
/// let door = manager.spawn((Door,));
/// manager.start_recording(Recorder::new(1_000).with_contents());
/// manager.send(door, Knock { times: 3 })?;
///
/// let recorder = manager.recorder().expect("it was started");
/// let lines: Vec<String> = recorder.events().map(ToString::to_string).collect();
/// assert!(lines[0].starts_with("#1 `"));
/// assert!(lines[0].contains("Knock { times: 3 }"));
/// assert_eq!(lines.len(), 4); // Sent, called, returned, settled.
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    events: VecDeque<TraceEvent>,
    capacity: usize,
    only: TraceFilter,
    contents: bool,
    overwritten: u64,
}

impl Recorder {
    /// Creates a recorder with room for so many events; one at least. An event takes some 200
    /// bytes, and what its [contents](Self::with_contents) take; that a send was refused at a limit
    /// takes some kilobytes, since the error has the chain that led there.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            events: VecDeque::new(),
            capacity: capacity.max(1),
            only: TraceFilter::all(),
            contents: false,
            overwritten: 0,
        }
    }

    /// Records only what the filter covers. An [explanation](Self::explain) ends at what was left
    /// out.
    #[must_use]
    pub fn only(mut self, filter: TraceFilter) -> Self {
        self.only = filter;
        self
    }

    /// Also records what each message says when it is sent, by its `Debug`, where its type has it.
    #[must_use]
    pub fn with_contents(mut self) -> Self {
        self.contents = true;
        self
    }

    pub(super) fn wants_contents(&self) -> bool {
        self.contents
    }

    pub(super) fn record(&mut self, event: TraceEvent) {
        if !self.only.covers(&event) {
            return;
        }
        if self.events.len() >= self.capacity {
            self.events.pop_front();
            self.overwritten += 1;
        }
        self.events.push_back(event);
    }

    /// Returns the recorded events, the oldest first.
    #[must_use]
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &TraceEvent> + Clone {
        self.events.iter()
    }

    /// Those of the recorded events that the filter covers, the oldest first.
    #[must_use]
    pub fn select<'r>(
        &'r self,
        filter: &'r TraceFilter,
    ) -> impl DoubleEndedIterator<Item = &'r TraceEvent> + Clone {
        self.events().filter(|event| filter.covers(event))
    }

    /// Returns the number of events that are recorded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns `true` if nothing is recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns how many events there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the number of events that were recorded and have gone, because there was no room for
    /// newer ones.
    #[must_use]
    pub fn overwritten(&self) -> u64 {
        self.overwritten
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.events.clear();
        self.overwritten = 0;
    }

    /// Why there was this delivery or this send: the chain from the outermost cause to it, and what
    /// became of it. `None` when nothing is recorded of it.
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        explain(&self.events, id)
    }
}
