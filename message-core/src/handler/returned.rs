//! The return types of handlers.

// Each conversion is inlined always: a return that is known when compiling leaves no trace of `Outcome`. Measured.

use std::ops::ControlFlow;

use crate::error::HandlerError;
use crate::message::{Message, NoReply};

/// The result of delivering one message to one component.
///
/// ```
/// use message_core::handler::Outcome;
///
/// // What the macro makes of a return. Rarely needed by hand.
/// let answered = Outcome::Answered(7_u32);
/// assert!(matches!(answered, Outcome::Answered(7)));
/// assert!(!matches!(answered, Outcome::NotReceived));
/// ```
#[derive(Debug)]
pub enum Outcome<R> {
    /// The component has not taken it: `false`, or `None`.
    NotReceived,
    /// The component has received it.
    Received,
    /// The component has received it and consumed it: the message goes no further than this.
    Consumed(StopAt),
    /// The component has received it and answers.
    Answered(R),
    /// The component has received it and failed.
    Failed(HandlerError),
}

/// How far a message still goes that a handler consumes with `ControlFlow::Break`.
///
/// The two levels are those of `stopImmediatePropagation` and `stopPropagation` in the DOM.
///
/// ```
/// use message_core::prelude::*;
/// use std::ops::ControlFlow;
///
/// #[derive(Message)]
/// struct Click;
///
/// struct Button;
/// #[derive(Default)]
/// struct Sound { played: u32 }
///
/// #[handlers]
/// impl Button {
///     #[on_receive]
///     fn click(&mut self, _: &Click) -> ControlFlow<StopAt> { ControlFlow::Break(StopAt::Messagee) }
/// }
///
/// #[handlers]
/// impl Sound {
///     #[on_receive]
///     fn click(&mut self, _: &Click) { self.played += 1; }
/// }
///
/// let mut manager = MessageManager::new();
/// let window = manager.spawn((Sound::default(),));
/// let button = manager.spawn((Button, Sound::default()));
/// manager.set_parent(button, Some(window))?;
/// manager.send(Up(button), Click)?;
/// assert_eq!(manager.get::<Sound>(button)?.played, 1);
/// assert_eq!(manager.get::<Sound>(window)?.played, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopAt {
    /// Nobody else receives the message, as after `ControlFlow::Break(())`.
    Component,
    /// The other components of the same messagee receive it, and nobody else.
    Messagee,
}

/// The return types of a handler of `M`.
///
/// | returned | means |
/// |---|---|
/// | nothing | received |
/// | `bool` | received, or not |
/// | `ControlFlow<()>` | received; `Break`: and consumed, nobody behind receives it |
/// | `ControlFlow<StopAt>` | received; `Break`: and consumed, as far as [`StopAt`] says |
/// | the reply `R`, for a message with `#[message(reply = R)]` | received, and the answer |
/// | `Option<R>`, for such a message | the answer, or not received |
/// | `Result` of one of the above; `?` converts every error into [`HandlerError`] | as its `Ok`; an `Err` counts as received and is reported as [`HandlerFailed`](crate::lifecycle::HandlerFailed) |
///
/// ```
/// use message_core::prelude::*;
/// use std::ops::ControlFlow;
///
/// #[derive(Message)]
/// struct Hit { power: u32 }
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetCharge;
///
/// struct Shield { charge: u32 }
///
/// #[handlers]
/// impl Shield {
///     #[on_receive(priority = 1)]
///     fn absorb(&mut self, hit: &Hit) -> ControlFlow<()> {
///         if hit.power > self.charge {
///             return ControlFlow::Continue(());
///         }
///         self.charge -= hit.power;
///         ControlFlow::Break(())
///     }
///
///     #[on_receive]
///     fn charge(&self, _: &GetCharge) -> Option<u32> { (self.charge > 0).then_some(self.charge) }
/// }
///
/// let mut manager = MessageManager::new();
/// let tank = manager.spawn((Shield { charge: 5 },));
/// assert!(manager.send(tank, Hit { power: 5 })?.consumed);
/// assert!(!manager.send(tank, Hit { power: 5 })?.consumed);
/// assert!(manager.request(tank, GetCharge).is_err()); // `None` is no answer.
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a handler of `{M}` cannot return `{Self}`",
    label = "not a valid return type for a handler of `{M}`",
    note = "without a reply type, expected nothing, `bool`, `ControlFlow<()>` or `ControlFlow<StopAt>`",
    note = "with `#[message(reply = R)]`, expected `R` or `Option<R>`",
    note = "or a `Result` of these whose error converts into `Box<dyn Error + Send + Sync>`"
)]
pub trait HandlerReturn<M: Message> {
    #[doc(hidden)]
    fn into_outcome(self) -> Outcome<M::Reply>;
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for () {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        Outcome::Received
    }
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for bool {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        if self {
            Outcome::Received
        } else {
            Outcome::NotReceived
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for ControlFlow<()> {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        match self {
            Self::Continue(()) => Outcome::Received,
            Self::Break(()) => Outcome::Consumed(StopAt::Component),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> HandlerReturn<M> for ControlFlow<StopAt> {
    #[inline(always)]
    fn into_outcome(self) -> Outcome<NoReply> {
        match self {
            Self::Continue(()) => Outcome::Received,
            Self::Break(stop) => Outcome::Consumed(stop),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M, T, E> HandlerReturn<M> for Result<T, E>
where
    M: Message,
    T: HandlerReturn<M>,
    E: Into<HandlerError>,
{
    #[inline(always)]
    fn into_outcome(self) -> Outcome<M::Reply> {
        match self {
            Ok(returned) => returned.into_outcome(),
            Err(error) => Outcome::Failed(error.into()),
        }
    }
}
