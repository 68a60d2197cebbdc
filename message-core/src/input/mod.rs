//! The inputs of a manager: every call from outside that changes it, passed to a sink before it runs.
//!
//! If handlers depend only on messages and components, the same inputs lead to the same state. So a log of the inputs
//! is enough to repeat a run. An [`InputSink`] writes such a log; `Log::start` of the crate `message-data` sets one. The
//! actions of handlers are not inputs, because they follow from the inputs.
//!
//! No method can forget its input: the manager hands out its world only in exchange for one, or to a method that says
//! that it has `no_input`.

use std::any::{Any, TypeId};
use std::fmt;
use std::panic::Location;
use std::time::Duration;

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
pub use crate::component::Components;
use crate::group::Group;
use crate::header::Header;
use crate::manager::MessageManager;
use crate::message::{AnyMessage, MessageId};
use crate::mnemonic::Mnemonic;
use crate::post::Posts;
use crate::send::OnBusy;
use crate::send::erased::Replies;
use crate::time::Stage;
use crate::world::Children;

type Place = &'static Location<'static>;

/// Receives the inputs of a manager; see [`MessageManager::set_input_sink`].
///
/// ```
/// use std::any::Any;
/// use message_core::input::{Input, InputSink, Way};
/// use message_core::prelude::*;
///
/// /// Counts the inputs of a manager, and those that send something.
/// #[derive(Default)]
/// struct Counter { inputs: usize, sends: usize }
///
/// impl InputSink for Counter {
///     fn input(&mut self, input: &Input<'_>, _: &MessageManager) {
///         self.inputs += 1;
///         self.sends += usize::from(matches!(input, Input::Arrived(Way::Sent(_), ..)));
///     }
/// }
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// manager.spawn(()); // Nobody counts yet.
/// manager.set_input_sink(Some(Box::new(Counter::default())));
/// let orc = manager.spawn(());
/// manager.set_name(orc, "Grom")?;
/// manager.send(orc, Ping)?;
///
/// let sink: Box<dyn Any> = manager.set_input_sink(None).expect("it was set");
/// let counter = sink.downcast::<Counter>().expect("it is a counter");
/// assert_eq!((counter.inputs, counter.sends), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait InputSink: Any + Send {
    /// Receives an input before it runs. The manager is in the state that the input will change, except that what an
    /// earlier panic has left may not be settled yet.
    ///
    /// It is called during each call from outside, so whatever it does slows down all of them. If it panics, the call
    /// panics without having done what was asked for.
    fn input(&mut self, input: &Input<'_>, manager: &MessageManager);
}

/// An input that another crate has defined, for what it does with a manager.
///
/// ```
/// use std::any::Any;
/// use message_core::input::{ForeignInput, Input, InputSink};
/// use message_core::prelude::*;
///
/// #[derive(Debug)]
/// struct Rain { litres: u32 }
///
/// #[derive(Default)]
/// struct WeatherLog { litres: u32 }
///
/// impl ForeignInput for Rain {
///     fn pass_to(&self, sink: &mut dyn Any) {
///         if let Some(log) = sink.downcast_mut::<WeatherLog>() {
///             log.litres += self.litres;
///         }
///     }
/// }
///
/// impl InputSink for WeatherLog {
///     fn input(&mut self, input: &Input<'_>, _: &MessageManager) {
///         if let Input::Foreign(input) = input {
///             input.pass_to(self);
///         }
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// manager.set_input_sink(Some(Box::new(WeatherLog::default())));
/// manager.foreign_input(&Rain { litres: 3 });
/// let sink: Box<dyn Any> = manager.set_input_sink(None).expect("it was set");
/// assert!(sink.downcast::<WeatherLog>().is_ok_and(|log| log.litres == 3));
/// ```
pub trait ForeignInput: fmt::Debug {
    /// Passes the input to a sink of a type that the crate knows. Sinks call this with themselves.
    fn pass_to(&self, sink: &mut dyn Any);
}

/// A call from outside that changes a manager, with its arguments.
///
/// Inputs that lead to messages, or have values that a sink may be unable to keep, also carry the place of the call.
///
/// ```
/// use message_core::input::{Input, Way};
/// use message_core::prelude::*;
///
/// /// Returns `true` for the inputs that come from the host's main loop.
/// fn is_of_the_loop(input: &Input<'_>) -> bool {
///     matches!(input, Input::Tick(_) | Input::BeginFrame(_) | Input::BeginFrameWith(..) | Input::RunStage(_))
/// }
///
/// assert!(is_of_the_loop(&Input::RunStage(Stage::Update)));
/// assert!(!is_of_the_loop(&Input::SetPaused(true)));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Input<'a> {
    /// [`tick`](MessageManager::tick)
    Tick(Duration),
    /// [`begin_frame`](MessageManager::begin_frame)
    BeginFrame(Duration),
    /// [`begin_frame_with`](MessageManager::begin_frame_with), with the scaled and the unscaled time.
    BeginFrameWith(Duration, Duration),
    /// [`run_stage`](MessageManager::run_stage)
    RunStage(Stage),
    /// [`settle`](MessageManager::settle), by itself or before a frame, if an earlier panic has left something.
    Settle,
    /// A message, how it comes in, and its sender.
    Arrived(Way, Sender, &'a dyn AnyMessage, Place),
    /// [`cancel`](MessageManager::cancel) or [`take_posts`](MessageManager::take_posts).
    Cancel(Posts),
    /// [`spawn`](MessageManager::spawn) or, with a name, [`spawn_named`](MessageManager::spawn_named).
    Spawn(Option<&'a str>, &'a dyn Components, Place),
    /// [`despawn_with`](MessageManager::despawn_with)
    Despawn(MessageeId, Children, Place),
    /// [`set_name`](MessageManager::set_name)
    SetName(MessageeId, &'a str),
    /// [`set_parent`](MessageManager::set_parent), with the child first.
    SetParent(MessageeId, Option<MessageeId>),
    /// [`bind`](MessageManager::bind)
    Bind(Mnemonic, MessageeId),
    /// [`unbind`](MessageManager::unbind)
    Unbind(Mnemonic, MessageeId),
    /// [`join`](MessageManager::join), or with `false` [`leave`](MessageManager::leave).
    SetMember(Group, MessageeId, bool),
    /// [`hook`](MessageManager::hook)
    Hook(MessageeId, &'a dyn Any, Place),
    /// [`unhook`](MessageManager::unhook)
    Unhook(HookId, Place),
    /// [`set_enabled`](MessageManager::set_enabled)
    SetEnabled(HookId, bool, Place),
    /// [`get_mut`](MessageManager::get_mut) of a component type: the caller may change the component until the next
    /// input.
    GetMut(MessageeId, TypeId, Place),
    /// Like `GetMut`, by [`component_mut`](MessageManager::component_mut).
    ComponentMut(HookId, Place),
    /// Like `GetMut`, by [`iter_mut`](MessageManager::iter_mut): all components of a type.
    IterMut(TypeId, Place),
    /// [`subscribe`](MessageManager::subscribe) or [`subscribe_for`](MessageManager::subscribe_for). The closure
    /// is not part of the input.
    Subscribe(Place),
    /// [`overhear`](MessageManager::overhear). Its filter may have closures.
    Overhear(Place),
    /// [`unsubscribe`](MessageManager::unsubscribe)
    Unsubscribe(SubscriptionId),
    /// [`set_listening`](MessageManager::set_listening)
    SetListening(SubscriptionId, bool),
    /// [`forget_retained`](MessageManager::forget_retained) of a message type.
    ForgetRetained(MessageId, Recipient),
    /// [`set_mail_retention`](MessageManager::set_mail_retention) of a message type.
    SetMailRetention(MessageId, u64),
    /// [`set_time_scale`](MessageManager::set_time_scale)
    SetTimeScale(f64),
    /// [`set_paused`](MessageManager::set_paused)
    SetPaused(bool),
    /// [`set_fixed_step`](MessageManager::set_fixed_step)
    SetFixedStep(Duration),
    /// [`shrink_to_fit`](MessageManager::shrink_to_fit), which forgets the names of messagees that are gone.
    ShrinkToFit,
    /// [`rewind`](MessageManager::rewind)
    Rewind(Place),
    /// An input that another crate has defined, such as a world file.
    Foreign(&'a dyn ForeignInput),
}

/// How a message comes into a manager.
///
/// ```
/// use message_core::input::Way;
/// use message_core::prelude::*;
///
/// fn recipient(way: &Way) -> Recipient {
///     match way {
///         Way::Sent(to) | Way::Asked(to) | Way::AskedAll(to) | Way::Published(to) => *to,
///         Way::Posted(header) | Way::Drained(header) => header.recipient(),
///         _ => unreachable!("a later version has more"),
///     }
/// }
///
/// assert_eq!(recipient(&Way::Sent(Everyone)), Everyone);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Way {
    /// [`send`](MessageManager::send) and the like.
    Sent(Recipient),
    /// [`send_mut`](MessageManager::send_mut)
    SentMut(Recipient),
    /// [`request`](MessageManager::request) and the like.
    Asked(Recipient),
    /// [`request_all`](MessageManager::request_all)
    AskedAll(Recipient),
    /// [`post`](MessageManager::post) and the like.
    Posted(Header),
    /// [`publish`](MessageManager::publish) and the like, once for each message.
    Published(Recipient),
    /// An [`Inlet`](crate::Inlet): posted by another thread, and taken in by the frame that has just begun.
    Drained(Header),
    /// [`Inlet::ask`](crate::Inlet::ask): asked by another thread, and taken in like `Drained`.
    DrainedQuestion(Recipient),
}

impl Way {
    pub(crate) fn of_send(to: Recipient, replies: &Replies<'_>, on_busy: OnBusy) -> Self {
        match replies {
            Replies::Ignore if on_busy == OnBusy::Refuse => Self::SentMut(to),
            Replies::Ignore => Self::Sent(to),
            Replies::First(..) => Self::Asked(to),
            Replies::All(_) => Self::AskedAll(to),
        }
    }
}
