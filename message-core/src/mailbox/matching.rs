//! Conditions on the messages themselves.

/// A condition on a message, which [`matching`](crate::Inbox::matching) puts together. Not to be
/// implemented elsewhere.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// fn loud(noise: &Noise) -> bool { noise.volume > 5 }
/// assert_eq!(manager.inbox::<Noise>().matching(loud).count(), 1);
/// # Ok::<(), SendError>(())
/// ```
pub trait Matches<M: ?Sized>: sealed::Sealed {
    #[doc(hidden)]
    fn matches(&self, message: &M) -> bool;
}

/// No condition: every message matches.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::{Anything, Inbox};
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// // An inbox without a condition: its last parameter is `Anything`.
/// let all: Inbox<'_, Noise, Anything> = manager.inbox();
/// assert_eq!(all.count(), 2);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Anything;

/// A condition, and another one.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// // Each condition makes the type of the inbox longer by one `Also`.
/// let some = manager.inbox::<Noise>().matching(|noise| noise.volume > 5);
/// assert_eq!(some.matching(|noise| noise.volume < 7).count(), 0);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Also<P, F> {
    pub(super) first: P,
    pub(super) second: F,
}

impl<P: std::fmt::Debug, F> std::fmt::Debug for Also<P, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Also")
            .field("first", &self.first)
            .finish_non_exhaustive()
    }
}

impl<M: ?Sized> Matches<M> for Anything {
    #[inline]
    fn matches(&self, _: &M) -> bool {
        true
    }
}

impl<M: ?Sized, P: Matches<M>, F: Fn(&M) -> bool> Matches<M> for Also<P, F> {
    #[inline]
    fn matches(&self, message: &M) -> bool {
        self.first.matches(message) && (self.second)(message)
    }
}

impl<M: ?Sized, P: Matches<M>> Matches<M> for &P {
    #[inline]
    fn matches(&self, message: &M) -> bool {
        (**self).matches(message)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Anything {}
    impl<P, F> Sealed for super::Also<P, F> {}
    impl<P: Sealed> Sealed for &P {}
}
