//! The recorder: the most recent events, in memory.

use std::cell::Ref;
use std::collections::VecDeque;

use message_core::MessageManager;
use message_core::Registry;
use message_core::registry::{MessageIndex, MessageInfo};
use message_core::trace::{TraceEvent, TraceSink};

use crate::TraceFilter;

/// The most recent events of a manager, as many as there is room for; the oldest are dropped first.
///
/// It is handed to a manager by [`start`](Self::start), and comes back from [`stop`](Self::stop).
///
/// ```
/// use message_core::prelude::*;
/// use message_trace::Recorder;
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
/// Recorder::new(1_000).with_contents().start(&mut manager);
/// manager.send(door, Knock { times: 3 })?;
///
/// let recorder = Recorder::of(&manager).expect("it was started");
/// let lines: Vec<String> = recorder.events().map(message_trace::describe).collect();
/// assert!(lines[0].starts_with("#1 `"));
/// assert!(lines[0].contains("Knock { times: 3 }"));
/// assert_eq!(lines.len(), 4); // Sent, called, returned, settled.
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Recorder {
    pub(crate) events: VecDeque<TraceEvent>,
    capacity: usize,
    only: TraceFilter,
    contents: bool,
    overwritten: u64,
    /// Present only in a limited recorder.
    counts: Option<Vec<u64>>,
}

impl Recorder {
    /// Creates a recorder with room for `capacity` events, or for one if that is 0. An event takes some
    /// 200 bytes plus its [contents](Self::with_contents). The event of a send that was refused at a
    /// limit takes some kilobytes, since the error has the chain that led there.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(Recorder::new(10_000).start(&mut manager).is_none());
    /// assert!(Recorder::of(&manager).is_some_and(|recorder| recorder.is_empty()));
    /// ```
    pub fn new(capacity: usize) -> Self {
        Self {
            events: VecDeque::new(),
            capacity: capacity.max(1),
            only: TraceFilter::all(),
            contents: false,
            overwritten: 0,
            counts: None,
        }
    }

    /// Creates a recorder that keeps the first `events` events, and then no more. `events` may be 0. When it is
    /// full, the manager is not traced any more until another recorder is started. It counts
    /// [deliveries](Self::deliveries) by message type, also while it is full.
    ///
    /// It is for tools that look at some frames of a busy world: they start another one for each frame
    /// that they want to see. The tracing goes on while
    /// another sink takes events.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::limited(3).start(&mut manager);
    /// manager.send(Everyone, Ping)?; // Sent, settled.
    /// manager.send(Everyone, Ping)?; // Sent; there is no room for more.
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert_eq!((recorder.len(), recorder.is_full()), (3, true));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn limited(events: usize) -> Self {
        Self {
            capacity: events,
            counts: Some(Vec::new()),
            ..Self::new(0)
        }
    }

    /// Returns `true` if the recorder is [limited](Self::limited).
    ///
    /// ```
    /// use message_trace::Recorder;
    ///
    /// assert!(Recorder::limited(10).is_limited());
    /// assert!(!Recorder::new(10).is_limited());
    /// ```
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.counts.is_some()
    }

    /// Returns `true` if the recorder is [limited](Self::limited) and has no room for another event.
    ///
    /// ```
    /// use message_trace::Recorder;
    ///
    /// assert!(Recorder::limited(0).is_full());
    /// assert!(!Recorder::limited(1).is_full());
    /// assert!(!Recorder::new(0).is_full()); // The oldest event goes.
    /// ```
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.counts.is_some() && self.events.len() >= self.capacity
    }

    /// Returns how often receivers were called with messages of each type while a
    /// [limited](Self::limited) recorder was in use, recorded or not. Types without a delivery are left
    /// out. Empty for other recorders.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// struct Ears;
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Ping) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let id = manager.spawn((Ears,));
    /// Recorder::limited(0).start(&mut manager);
    /// for _ in 0..5 {
    ///     manager.send(id, Ping)?;
    /// }
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let counted: Vec<_> = recorder.deliveries().map(|(info, n)| (info.name, n)).collect();
    /// assert_eq!(counted, [(Ping::NAME, 5)]);
    /// assert!(recorder.is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn deliveries(&self) -> impl Iterator<Item = (&'static MessageInfo, u64)> {
        let counts = self.counts.iter().flatten().copied();
        // Counts come from a manager, and no manager is made without a registry.
        let registry = message_core::try_registry().ok();
        let known = registry
            .into_iter()
            .flat_map(Registry::messages)
            .zip(counts);
        known.filter(|&(_, count)| count > 0)
    }

    /// Records only the events that the filter covers. If it is called twice, the last filter holds. An
    /// [explanation](Self::explain) ends at events that were left out.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Move;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).only(TraceFilter::of::<Hit>()).start(&mut manager);
    /// manager.send(Everyone, Move)?;
    /// manager.send(Everyone, Hit)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert!(recorder.events().all(|event| event.message_id == Hit::ID));
    /// # assert!(!recorder.is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn only(mut self, filter: TraceFilter) -> Self {
        self.only = filter;
        self
    }

    /// Also records the contents of each message when it is sent, by its `Debug`, if its type has it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message, Debug)]
    /// struct Hit { damage: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).with_contents().start(&mut manager);
    /// manager.send(Everyone, Hit { damage: 3 })?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let sent = recorder.events().next().expect("it was sent");
    /// assert!(message_trace::describe(sent).contains("Hit { damage: 3 }"));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn with_contents(mut self) -> Self {
        self.contents = true;
        self
    }

    /// Returns the recorded events, the oldest first.
    ///
    /// ```
    /// use message_core::trace::Traced;
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let mut events = recorder.events();
    /// let (first, last) = (events.next(), events.next_back());
    /// assert!(first.is_some_and(|event| matches!(event.what, Traced::Sent { .. })));
    /// assert!(last.is_some_and(|event| matches!(event.what, Traced::Settled { .. })));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> impl DoubleEndedIterator<Item = &TraceEvent> + Clone {
        self.events.iter()
    }

    /// Returns the recorded events that the filter covers, the oldest first.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(orc, Ping)?;
    /// manager.send(elf, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let about_orc = TraceFilter::all().involving(orc);
    /// assert!(recorder.select(&about_orc).all(|event| event.recipient == Recipient::Id(orc)));
    /// # assert!(recorder.select(&about_orc).count() > 0);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn select<'r>(
        &'r self,
        filter: &'r TraceFilter,
    ) -> impl DoubleEndedIterator<Item = &'r TraceEvent> + Clone {
        self.events().filter(|event| filter.covers(event))
    }

    /// Returns the number of recorded events.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?; // Nobody hears it.
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert_eq!(recorder.len(), 2); // Sent, settled.
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns `true` if nothing is recorded.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// assert!(Recorder::of(&manager).is_some_and(|recorder| recorder.is_empty()));
    /// manager.send(Everyone, Ping)?;
    /// assert!(Recorder::of(&manager).is_some_and(|recorder| !recorder.is_empty()));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Returns the number of events that there is room for.
    ///
    /// ```
    /// use message_trace::Recorder;
    ///
    /// assert_eq!(Recorder::new(1_000).capacity(), 1_000);
    /// assert_eq!(Recorder::new(0).capacity(), 1);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns the number of events that were overwritten by newer ones, since the recorder was made or
    /// [cleared](Self::clear).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(2).start(&mut manager);
    /// manager.send(Everyone, Ping)?; // Sent, settled.
    /// manager.send(Everyone, Ping)?; // Sent, settled.
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert_eq!((recorder.len(), recorder.overwritten()), (2, 2));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn overwritten(&self) -> u64 {
        self.overwritten
    }

    /// Clears all events, the number of overwritten ones, and the counts. The room for events and the filter
    /// stay.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let mut recorder = Recorder::stop(&mut manager).expect("it was started");
    /// recorder.clear();
    /// assert!(recorder.is_empty());
    /// recorder.start(&mut manager); // It can be used again.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn clear(&mut self) {
        self.events.clear();
        self.counts.iter_mut().for_each(Vec::clear);
        self.overwritten = 0;
    }

    /// Starts recording what happens to every message of a manager. Returns the previous recorder, which is replaced.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
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
        manager.set_trace_sink(Some(self))
    }

    /// Stops recording what happens in a manager. Returns the recorder with its events, or `None` if nothing was recorded.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
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
        manager.set_trace_sink(None)
    }

    /// Borrows the recorder of a manager, with its events so far. Returns `None` while nothing is recorded. A handler
    /// calls [`cx.trace_sink()`](message_core::Context::trace_sink).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
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
        manager.trace_sink()
    }
}

impl TraceSink for Recorder {
    fn event(&mut self, event: TraceEvent) {
        if !self.only.covers(&event) || self.is_full() {
            return;
        }
        if self.events.len() >= self.capacity {
            self.events.pop_front();
            self.overwritten += 1;
        }
        self.events.push_back(event);
    }

    fn is_full(&self) -> bool {
        Self::is_full(self)
    }

    fn wants_contents(&self) -> bool {
        self.contents
    }

    fn called(&mut self, message: MessageIndex) {
        let Some(counts) = &mut self.counts else {
            return;
        };
        if counts.len() <= message.get() {
            counts.resize(message.get() + 1, 0);
        }
        counts[message.get()] += 1;
    }
}
