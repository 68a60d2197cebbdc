//! The way into a manager from other threads.
//!
//! A bounded [channel] of [letters](Letter): an [`Inlet`] puts them in, the manager takes
//! them out when a frame begins. All inlets of a manager share the channel. When the manager is
//! dropped, it closes the channel and drops the letters in it. Otherwise the channel would keep them
//! until the last inlet is dropped, or forever if a message in it carries that inlet.

mod channel;
mod error;
pub(crate) mod question;
mod sync;
#[cfg(all(test, shuttle))]
mod tests;

use std::borrow::Borrow;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

pub use error::{AskError, InletError};
pub use question::Answer;
pub(crate) use question::Asker;

use crate::address::Recipient;
use crate::error::{SendError, SendErrorKind};
use crate::header::{Header, IntoHeader};
use crate::message::{AnyMessage, Message, Request};
use crate::trace::{SourcePlace, TraceId};
use channel::{Channel, Refusal};
use question::question;
use sync::Arc;

/// A way into a manager from other threads: messages posted through it are delivered when the manager's
/// next frame begins. From [`MessageManager::inlet`](crate::MessageManager::inlet).
///
/// A thread or an async task can also [ask](Self::ask), and gets the answer as a future.
///
/// It is a handle: it can be cloned, and used by several threads at once. The messages of one thread
/// are delivered in the order in which it posted them; the messages of several threads, in the order in
/// which the posts reach the inlet.
///
/// The sender of these messages is [`Sender::Outside`](crate::Sender::Outside). A message whose header
/// has no stage is sent when the frame begins, before `FixedUpdate`; one with a stage or a delay is
/// posted then, so its delay counts from the beginning of that frame. If that fails after the call has
/// returned, the message becomes a [`DeadLetter`](crate::lifecycle::DeadLetter).
///
/// ```
/// use message_core::prelude::*;
/// use std::thread;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Pressed { key: char }
///
/// #[derive(Default)]
/// struct Console { line: String }
///
/// #[handlers]
/// impl Console {
///     #[on_receive]
///     fn pressed(&mut self, pressed: &Pressed) { self.line.push(pressed.key); }
/// }
///
/// let mut manager = MessageManager::new();
/// let console = manager.spawn((Console::default(),));
/// let inlet = manager.inlet();
/// let keyboard = thread::spawn(move || {
///     let header = Header::to(console).build()?;
///     for key in ['g', 'o'] {
///         inlet.try_post(&header, Pressed { key })?;
///     }
///     Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
/// });
/// keyboard.join().expect("no panic").expect("there is room");
///
/// assert_eq!(manager.get::<Console>(console)?.line, "");
/// assert_eq!(manager.tick(Duration::from_millis(16)).drained, 2);
/// assert_eq!(manager.get::<Console>(console)?.line, "go");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Inlet {
    channel: Arc<Channel>,
    cause: Option<TraceId>,
}

impl Inlet {
    /// Posts a message, if there is room for it at once.
    ///
    /// The place of this call is the [place](crate::Envelope::place) that receivers see.
    ///
    /// # Errors
    ///
    /// Each error gives the message [back](InletError::into_message): [`InletError::Full`] until the
    /// manager's next frame, [`InletError::Closed`] when the manager was dropped, and [`InletError::Refused`]
    /// for messages that no manager accepts from outside: with headers to `Me` or `EveryoneElse`
    /// and with headers that are bound to their sender
    /// ([`NoSender`](crate::SendErrorKind::NoSender)), with headers that contradict themselves
    /// ([`Header`](crate::SendErrorKind::Header)), and of message types that are not in the registry
    /// ([`Unregistered`](crate::SendErrorKind::Unregistered)).
    ///
    /// ```
    /// use message_core::{HeaderError, InletError};
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message, Debug, PartialEq)]
    /// struct Pressed { key: char }
    ///
    /// let manager = MessageManager::with_config(ManagerConfig::new().inlet_capacity(1));
    /// let (inlet, header) = (manager.inlet(), Header::to(Everyone).build()?);
    /// assert!(inlet.try_post(&header, Pressed { key: 'g' }).is_ok());
    /// let full = inlet.try_post(&header, Pressed { key: 'o' });
    /// let message = full.err().map(InletError::into_message);
    /// assert_eq!(message, Some(Pressed { key: 'o' }));
    /// # Ok::<(), HeaderError>(())
    /// ```
    #[track_caller]
    pub fn try_post<M: Message>(
        &self,
        header: impl IntoHeader,
        message: M,
    ) -> Result<(), InletError<M>> {
        self.post_at(header, message, None, Location::caller())
    }

    /// Posts a message, and waits for room until the timeout ends. A timeout that no clock can measure,
    /// such as [`Duration::MAX`], has no end.
    ///
    /// The thread that owns the manager should use [`try_post`](Self::try_post): no frame begins
    /// while it waits here, so that it finds an inlet full for the whole time, and without end if
    /// the timeout has none.
    ///
    /// On WebAssembly without threads, and on `wasm32-unknown-unknown`, where the standard library has no
    /// clock, it does not wait: a full inlet is [`InletError::TimedOut`] at once.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`try_post`](Self::try_post), but [`InletError::TimedOut`] instead of
    /// [`InletError::Full`]. If the manager is dropped during the wait, the call returns at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Loaded;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().inlet_capacity(1));
    /// let inlet = manager.inlet();
    /// let loader = thread::spawn(move || {
    ///     let timeout = Duration::from_secs(60);
    ///     (0..3).all(|_| inlet.post(Header::to(Everyone), Loaded, timeout).is_ok())
    /// });
    /// let mut drained = 0;
    /// while drained < 3 {
    ///     drained += manager.tick(Duration::from_millis(16)).drained; // Makes room.
    /// }
    /// assert!(loader.join().expect("no panic"));
    /// ```
    #[track_caller]
    pub fn post<M: Message>(
        &self,
        header: impl IntoHeader,
        message: M,
        timeout: Duration,
    ) -> Result<(), InletError<M>> {
        self.post_at(header, message, Some(timeout), Location::caller())
    }

    fn post_at<M: Message>(
        &self,
        header: impl IntoHeader,
        message: M,
        timeout: Option<Duration>,
        place: &'static Location<'static>,
    ) -> Result<(), InletError<M>> {
        let header = match checked::<M>(header) {
            Ok(header) => header,
            Err(error) => return Err(InletError::Refused { error, message }),
        };
        let message = Box::new(message);
        match (self.with_room(timeout), timeout) {
            (Ok(mut state), _) => {
                state.queue.push_back(Letter {
                    header,
                    message,
                    place,
                    logged: None,
                    cause: self.cause,
                    asker: None,
                });
                Ok(())
            }
            (Err(Refusal::Closed), _) => Err(InletError::Closed { message: *message }),
            (Err(Refusal::Full), None) => Err(InletError::Full {
                message: *message,
                capacity: self.capacity(),
            }),
            (Err(Refusal::Full), Some(timeout)) => Err(InletError::TimedOut {
                message: *message,
                timeout,
            }),
        }
    }

    /// Asks everybody at the recipient in turn until somebody answers, and returns that answer as a future. A thread
    /// without an executor can [wait](Answer::wait) for it.
    ///
    /// The question takes its turn among the messages posted through the inlet. When the manager's next frame begins,
    /// it is a [`request`](crate::MessageManager::request) from outside. The answer comes when all that follows from
    /// the question is settled. A question that nobody answers is no [`DeadLetter`](crate::lifecycle::DeadLetter): the
    /// asker gets the error.
    ///
    /// The manager's own thread can ask, too, but must not block until the answer comes.
    ///
    /// # Errors
    ///
    /// The future returns an [`AskError`], which says why there is no answer. If the question cannot be put in, because
    /// the inlet is full, for example, the future is ready at once.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// let inlet = manager.inlet();
    /// let observer = thread::spawn(move || inlet.ask(orc, GetHp).wait(Duration::from_secs(60)));
    /// while !observer.is_finished() {
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// assert_eq!(observer.join().expect("no panic")?, 10);
    /// # Ok::<(), message_core::AskError>(())
    /// ```
    #[track_caller]
    pub fn ask<M: Request>(&self, to: impl Into<Recipient>, message: M) -> Answer<M::Reply>
    where
        M::Reply: Send,
    {
        let (asker, answer) = question(self, M::NAME);
        let (place, cause) = (Location::caller(), self.cause);
        let error = match (checked::<M>(Header::to(to)), self.with_room(None)) {
            (Ok(header), Ok(mut state)) => {
                state.queue.push_back(Letter {
                    header,
                    message: Box::new(message),
                    place,
                    logged: None,
                    cause,
                    asker: Some(asker),
                });
                return answer;
            }
            (Err(error), _) => error.into(),
            (_, Err(Refusal::Full)) => AskError::Full {
                message: M::NAME,
                capacity: self.capacity(),
            },
            (_, Err(Refusal::Closed)) => AskError::Closed { message: M::NAME },
        };
        asker(Err(error));
        answer
    }

    /// Returns an inlet like this one, but messages posted through it have that cause in the trace. Use
    /// it with [`Context::trace_id`](crate::Context::trace_id) to answer a question to another thread.
    ///
    /// The number has to be one of the inlet's own manager: those of another mean something else
    /// there.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    /// use std::sync::mpsc;
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Load;
    ///
    /// #[derive(Message)]
    /// struct Loaded;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// let (jobs, work) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Load>(), move |_, cx| { let _ = jobs.send(cx.trace_id()); });
    /// manager.send(Everyone, Load)?;
    ///
    /// let inlet = manager.inlet();
    /// let loader = thread::spawn(move || {
    ///     let asked_in = work.recv().ok().flatten();
    ///     inlet.with_cause(asked_in).try_post(Header::to(Everyone), Loaded).is_ok()
    /// });
    /// assert!(loader.join().expect("no panic"));
    /// manager.tick(Duration::from_millis(16));
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let answers = TraceFilter::of::<Loaded>();
    /// let answer = recorder.select(&answers).find_map(|event| event.send).expect("it was sent");
    /// let why = recorder.explain(answer).expect("it was recorded");
    /// assert_eq!(why.chain[0].message, Load::NAME);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn with_cause(&self, cause: impl Into<Option<TraceId>>) -> Self {
        let (channel, cause) = (Arc::clone(&self.channel), cause.into());
        Self { channel, cause }
    }

    /// Returns the number of messages that can wait in the inlets of this manager:
    /// [`ManagerConfig::inlet_capacity`](crate::ManagerConfig::inlet_capacity).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let manager = MessageManager::with_config(ManagerConfig::new().inlet_capacity(100));
    /// assert_eq!(manager.inlet().capacity(), 100);
    /// ```
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.channel.capacity
    }

    /// Returns the number of messages that wait for the manager's next frame at this moment, from
    /// all of its inlets. Other threads can change it at any time.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Pressed;
    ///
    /// let mut manager = MessageManager::new();
    /// let (keyboard, mouse) = (manager.inlet(), manager.inlet());
    /// assert!(keyboard.try_post(Header::to(Everyone), Pressed).is_ok());
    /// assert_eq!(mouse.len(), 1);
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(mouse.len(), 0);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().queue.len()
    }

    /// Returns `true` if no message waits at this moment.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Pressed;
    ///
    /// let manager = MessageManager::new();
    /// let inlet = manager.inlet();
    /// assert!(inlet.is_empty());
    /// assert!(inlet.try_post(Header::to(Everyone), Pressed).is_ok());
    /// assert!(!inlet.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `true` if the manager was dropped, so that nothing can be posted any more: for a
    /// thread that would work for nobody.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let manager = MessageManager::new();
    /// let inlet = manager.inlet();
    /// assert!(!inlet.is_closed());
    /// drop(manager);
    /// assert!(inlet.is_closed());
    /// ```
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }
}

/// Builds a header, and checks that a manager would accept a message with it from outside.
fn checked<M: Message>(mut header: impl IntoHeader) -> Result<Header, SendError> {
    let header: Header = *header.held(M::NAME)?.borrow();
    if M::FACTS.index().is_none() {
        let why = SendErrorKind::Unregistered;
        return Err(SendError::new(M::NAME, header.to, why));
    }
    header.check_outside(M::NAME).map(|()| header)
}

impl fmt::Debug for Inlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inlet")
            .field("capacity", &self.capacity())
            .field("len", &self.len())
            .field("is_closed", &self.is_closed())
            .finish()
    }
}

/// A message on its way in, with everything that was given when it was posted.
pub struct Letter {
    pub header: Header,
    pub message: Box<dyn AnyMessage>,
    pub place: &'static Location<'static>,
    /// The place that a log has, if it is repeated.
    pub logged: Option<SourcePlace>,
    /// Its cause, if the posting thread named one.
    pub cause: Option<TraceId>,
    /// The asker, if it is a question.
    pub asker: Option<Asker>,
}
