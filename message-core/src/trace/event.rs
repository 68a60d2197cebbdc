//! Trace events: one event for each step that a message takes.

use std::time::Duration;

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
use crate::error::{Receiver, SendError, Undelivered};
use crate::message::MessageId;
use crate::receipt::Receipt;
use crate::tag::TagSet;
use crate::time::{Moment, Stage};
use crate::trace::{BackFrom, SentElsewhere, SourcePlace, TraceId};

/// One step of a message, with the facts about that message.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::TraceEvent;
/// use message_trace::Recorder;
///
/// #[derive(Message, Debug)]
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
/// let id = manager.spawn(());
/// let ears = manager.hook(id, Ears)?;
/// Recorder::new(100).start(&mut manager);
/// manager.send(id, Ping)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let events: Vec<&TraceEvent> = recorder.events().collect();
/// assert!(events.iter().all(|event| event.message == Ping::NAME));
/// assert!(events.iter().all(|event| event.send == events[0].send)); // All of one send.
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TraceEvent {
    /// The number of the send. `None` for a message that was kept, retained or published before
    /// the tracing began.
    pub send: Option<TraceId>,
    /// The name of the message's type.
    pub message: &'static str,
    /// The id of the message's type.
    pub message_id: MessageId,
    /// The tags of the message: those of its type and those of its header.
    pub tags: TagSet,
    /// The sender.
    pub sender: Sender,
    /// The recipient, as the sender wrote it.
    pub recipient: Recipient,
    /// The time of the manager's clock.
    pub moment: Moment,
    /// The time of the [wall clock](crate::ManagerConfig::wall_clock) since the manager was traced for
    /// the first time; each event is later than the one before. Unlike everything else here it differs
    /// from run to run.
    pub wall: Duration,
    /// The step itself.
    pub what: Traced,
}

/// A step of a message.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::Traced;
/// use message_trace::Recorder;
///
/// #[derive(Message, Debug)]
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
/// let id = manager.spawn(());
/// let ears = manager.hook(id, Ears)?;
/// Recorder::new(100).start(&mut manager);
/// manager.send(id, Ping)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let mut events = recorder.events();
/// assert!(events.any(|event| matches!(event.what, Traced::Called { handler: Some("hear"), .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Traced {
    /// It was sent.
    Sent {
        /// The delivery, or the send, that led to it. `None` when it came from outside, or when its
        /// cause was not traced.
        cause: Option<TraceId>,
        /// The call that sent it.
        by: SentBy,
        /// The place of that call in the source.
        place: SourcePlace,
        /// The stage that its header names; `Immediate` for a send.
        stage: Stage,
        /// The contents of the message, by the `Debug` of its [`AnyMessage`](crate::AnyMessage), if
        /// they are [recorded](crate::trace::TraceSink::wants_contents).
        contents: Option<String>,
    },
    /// It has arrived from another manager. The number of this event is the cause of the send or post that follows.
    Arrived {
        /// The send there.
        of: SentElsewhere,
    },
    /// Another manager has answered or refused a send of this one. The number of this event is the cause of the answer,
    /// or of the dead letter.
    CameBack {
        /// The send, and what the other manager made of it.
        from: BackFrom,
    },
    /// A receiver was called with it.
    Called {
        /// The number of this delivery.
        delivery: TraceId,
        /// The receiver that was called.
        receiver: Receiver,
        /// The component, if it is one.
        hook: Option<HookId>,
        /// The method, if it is a component's.
        handler: Option<&'static str>,
    },
    /// The handler of a delivery has returned an error.
    Erred {
        /// The number of the delivery.
        delivery: TraceId,
        /// The receiver that was called.
        receiver: Receiver,
        /// The text of the error.
        error: String,
    },
    /// A receiver has returned. Messages that were kept for a component while it ran are delivered before
    /// that.
    Returned {
        /// The number of the delivery.
        delivery: TraceId,
        /// The receiver that was called.
        receiver: Receiver,
        /// The way it returned.
        outcome: TraceOutcome,
    },
    /// A component that could have received it was not called.
    PassedOver {
        /// The receiver that was not called.
        receiver: Receiver,
        /// The reason.
        why: PassedOver,
    },
    /// The messagee that it was sent to has no component that handles it, and no listener has received it.
    Unhandled {
        /// The messagee.
        messagee: MessageeId,
        /// The types of its components, in hook order.
        components: Box<[&'static str]>,
        /// Up to three component types of the program that handle the message, sorted by name.
        handled_by: Box<[&'static str]>,
    },
    /// It was written for a messagee of another manager.
    Carried {
        /// The proxy that represents that messagee.
        proxy: MessageeId,
    },
    /// Somebody receives it later.
    Waits {
        /// The condition that it waits for.
        until: WaitsUntil,
    },
    /// The call that sent it has returned, and so have its receivers, except for those it waits for.
    Settled {
        /// The receipt that it returned.
        receipt: Receipt,
    },
    /// The call that sent it has failed.
    Refused {
        /// The error.
        error: SendError,
    },
    /// It has become a dead letter.
    Died {
        /// The reason.
        why: Undelivered,
    },
    /// It was cancelled while it was pending.
    Cancelled,
    /// It was pending, and another was posted under its key.
    Replaced,
}

impl TraceEvent {
    /// Returns the number of the send, the arrival, the response or the delivery that begins with this event.
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
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let begun: Vec<_> = recorder.events().map(|event| event.begun().is_some()).collect();
    /// assert_eq!(begun, [true, false]); // It is sent, and it is settled.
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn begun(&self) -> Option<TraceId> {
        match self.what {
            Traced::Sent { .. } | Traced::Arrived { .. } | Traced::CameBack { .. } => self.send,
            Traced::Called { delivery, .. } => Some(delivery),
            _ => None,
        }
    }

    /// Returns the number of the send or the delivery that has led to this event: for a send, its cause; for a response of
    /// another manager, the send here; for any other step, the send of the message. `None` if there is none in this
    /// manager.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Ping>(), |_, _| {});
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let [sent, called] = [0, 1].map(|at| recorder.events().nth(at).expect("it is recorded"));
    /// assert_eq!((sent.cause(), called.cause()), (None, sent.send));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn cause(&self) -> Option<TraceId> {
        match &self.what {
            Traced::Sent { cause, .. } => *cause,
            Traced::Arrived { .. } => None,
            Traced::CameBack { from } => Some(from.sent),
            _ => self.send,
        }
    }
}

impl Traced {
    /// Returns the number of the delivery that this is about, or `None` if it is about a send.
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
    /// manager.subscribe(Filter::of::<Ping>(), |_, _| {});
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let numbers: Vec<_> = recorder.events().filter_map(|event| event.what.delivery()).collect();
    /// assert_eq!(numbers.len(), 2); // Called, and returned.
    /// assert_eq!(numbers[0], numbers[1]);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn delivery(&self) -> Option<TraceId> {
        match self {
            Self::Called { delivery, .. }
            | Self::Erred { delivery, .. }
            | Self::Returned { delivery, .. } => Some(*delivery),
            _ => None,
        }
    }

    /// Returns the receiver that this is about: the one that was called or skipped, or is busy and waited for.
    /// `None` if this is about nobody in particular.
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
    /// let orc = manager.spawn((Ears,));
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let receivers = recorder.events().filter_map(|event| event.what.receiver());
    /// assert!(receivers.map(|receiver| receiver.messagee()).eq([Some(orc); 2]));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn receiver(&self) -> Option<Receiver> {
        match self {
            Self::Called { receiver, .. }
            | Self::Erred { receiver, .. }
            | Self::Returned { receiver, .. }
            | Self::PassedOver { receiver, .. }
            | Self::Waits {
                until: WaitsUntil::Free(receiver),
            } => Some(*receiver),
            _ => None,
        }
    }
}

/// The call that sent a message.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::{SentBy, Traced};
/// use message_trace::Recorder;
///
/// #[derive(Message, Debug)]
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
/// let id = manager.spawn(());
/// let ears = manager.hook(id, Ears)?;
/// Recorder::new(100).start(&mut manager);
/// manager.send(id, Ping)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let mut events = recorder.events();
/// assert!(events.any(|event| matches!(event.what, Traced::Sent { by: SentBy::Plain, .. })));
/// assert_eq!(SentBy::Plain.name(), "send");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SentBy {
    /// `send` or `reply`. With the name `Send`, the compiler would write out the marker trait of that
    /// name in its messages about it.
    Plain,
    /// `send_mut`.
    SendMut,
    /// `request`.
    Request,
    /// `request_all`.
    RequestAll,
    /// `post`.
    Post,
    /// `publish`.
    Publish,
    /// A post through the [inlet](crate::Inlet). It is traced when it is drained.
    Inlet,
    /// The manager itself: a message of [`lifecycle`](crate::lifecycle).
    Manager,
}

impl SentBy {
    /// Returns the name of the call, as written in a program; `manager` for the manager itself.
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
    /// manager.publish(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let calls = recorder.events().filter_map(|event| match event.what {
    ///     Traced::Sent { by, .. } => Some(by.name()),
    ///     _ => None,
    /// });
    /// assert!(calls.eq(["publish"]));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "send",
            Self::SendMut => "send_mut",
            Self::Request => "request",
            Self::RequestAll => "request_all",
            Self::Post => "post",
            Self::Publish => "publish",
            Self::Inlet => "inlet",
            Self::Manager => "manager",
        }
    }
}

/// The way in which a receiver has returned.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::{TraceOutcome, Traced};
/// use message_trace::Recorder;
///
/// #[derive(Message, Debug)]
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
/// let id = manager.spawn(());
/// let ears = manager.hook(id, Ears)?;
/// Recorder::new(100).start(&mut manager);
/// manager.send(id, Ping)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let mut events = recorder.events();
/// let received = TraceOutcome::Received;
/// assert!(events.any(|event| {
///     matches!(&event.what, Traced::Returned { outcome, .. } if *outcome == received)
/// }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceOutcome {
    /// It has received the message.
    Received,
    /// It has not taken it: `false`, or `None`.
    Declined,
    /// It has received it and answered.
    Answered,
    /// It has received and consumed it: no later receiver gets it, except as far as
    /// [`StopAt`](crate::handler::StopAt) says.
    Consumed,
    /// It has received the message and returned an error, which is in [`Traced::Erred`].
    Failed,
    /// It has panicked.
    Panicked,
}

/// The reason why a component was not called.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::{PassedOver, Traced};
/// use message_trace::Recorder;
///
/// #[derive(Message, Debug)]
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
/// let id = manager.spawn(());
/// let ears = manager.hook(id, Ears)?;
/// Recorder::new(100).start(&mut manager);
/// manager.set_enabled(ears, false)?;
/// manager.send(id, Ping)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let mut events = recorder.events();
/// let disabled = PassedOver::Disabled;
/// assert!(events.any(|event| {
///     matches!(event.what, Traced::PassedOver { why, .. } if why == disabled)
/// }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PassedOver {
    /// It is disabled.
    Disabled,
    /// It is going to be unhooked or despawned.
    Leaving,
    /// It belongs to the sender of a message to `EveryoneElse`.
    Sender,
}

/// The condition that a message waits for.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::{Traced, WaitsUntil};
/// use message_trace::Recorder;
/// use std::time::Duration;
///
/// #[derive(Message, Debug, Clone)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::of::<Ping>().stage(Stage::EndOfFrame), |_, _| {});
/// Recorder::new(100).start(&mut manager);
/// manager.send(Everyone, Ping)?;
/// let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
/// let end = WaitsUntil::Stage(Stage::EndOfFrame);
/// assert!(recorder.events().any(|event| matches!(event.what, Traced::Waits { until } if until == end)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaitsUntil {
    /// Waits until a running receiver is free.
    Free(Receiver),
    /// Waits until a running interceptor is free; nobody has received it before.
    Intercepted(SubscriptionId),
    /// Waits until the messagee comes alive.
    Alive(MessageeId),
    /// Waits until the component, hooked in this dispatch, is attached.
    Hooked(HookId),
    /// Waits until the stage in which a subscriber receives it.
    Stage(Stage),
}
