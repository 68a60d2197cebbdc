//! The values that closures of subscribers and interceptors may return.

use std::ops::ControlFlow;

use crate::send::Verdict;

/// The type of an expression that never returns, such as `panic!()`.
type Never = <fn() -> ! as Function>::Output;

/// A value that the closure of a subscriber may return, like a handler.
///
/// | returned | means |
/// |---|---|
/// | nothing | received |
/// | `bool` | received, or not: then it does not count, and a subscription that is [`once`](crate::Filter::once) goes on |
/// | `ControlFlow<()>` | received; `Break`: and consumed, no subscriber behind receives it |
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Number(u32);
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::of::<Number>(), |number, _| number.0 % 2 == 0);
/// assert_eq!(manager.send(Everyone, Number(4))?.received, 1);
/// assert_eq!(manager.send(Everyone, Number(5))?.received, 0);
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a subscriber cannot return `{Self}`",
    label = "not a valid return type for a subscriber",
    note = "a subscriber returns nothing, `bool` or `ControlFlow<()>`"
)]
pub trait SubscriberReturn {
    #[doc(hidden)]
    fn verdict(self) -> Verdicted;
}

/// A value that the closure of an interceptor may return.
///
/// | returned | means |
/// |---|---|
/// | nothing | the message goes on |
/// | `ControlFlow<()>` | the message goes on; `Break`: it is consumed, nobody receives it |
///
/// No `bool`: it would not say whether `false` stops the message or lets it pass.
///
/// ```
/// use message_core::prelude::*;
/// use std::ops::ControlFlow;
///
/// #[derive(Message)]
/// struct Number(u32);
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::of::<Number>().before(), |number, _| match number.0 {
///     0 => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// });
/// assert!(manager.send(Everyone, Number(0))?.consumed);
/// assert!(!manager.send(Everyone, Number(1))?.consumed);
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "an interceptor cannot return `{Self}`",
    label = "not a valid return type for an interceptor",
    note = "an interceptor returns nothing or `ControlFlow<()>`: `Break` consumes the message"
)]
pub trait InterceptorReturn: SubscriberReturn {}

/// The result of a subscriber. Other crates cannot name it, so they cannot implement [`SubscriberReturn`].
#[derive(Debug)]
pub struct Verdicted(pub(super) Verdict);

/// A function, whose type names its return type.
pub trait Function {
    type Output;
}

impl<T> Function for fn() -> T {
    type Output = T;
}

#[diagnostic::do_not_recommend]
impl SubscriberReturn for () {
    fn verdict(self) -> Verdicted {
        Verdicted(Verdict::Received)
    }
}

#[diagnostic::do_not_recommend]
impl SubscriberReturn for bool {
    fn verdict(self) -> Verdicted {
        Verdicted(if self {
            Verdict::Received
        } else {
            Verdict::NotReceived
        })
    }
}

#[diagnostic::do_not_recommend]
impl SubscriberReturn for ControlFlow<()> {
    fn verdict(self) -> Verdicted {
        Verdicted(match self {
            Self::Continue(()) => Verdict::Received,
            Self::Break(()) => Verdict::Consumed,
        })
    }
}

#[diagnostic::do_not_recommend]
impl SubscriberReturn for Never {
    fn verdict(self) -> Verdicted {
        self
    }
}

#[diagnostic::do_not_recommend]
impl InterceptorReturn for () {}

#[diagnostic::do_not_recommend]
impl InterceptorReturn for ControlFlow<()> {}

#[diagnostic::do_not_recommend]
impl InterceptorReturn for Never {}
