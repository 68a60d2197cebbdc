//! Conditions on the messages themselves.

/// A condition on a message, which [`matching`](crate::Inbox::matching) puts together. Not to be
/// implemented elsewhere.
pub trait Matches<M: ?Sized>: sealed::Sealed {
    #[doc(hidden)]
    fn matches(&self, message: &M) -> bool;
}

/// No condition: every message matches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anything;

/// A condition, and another one.
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
