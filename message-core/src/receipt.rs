//! What became of a send.

/// What became of a message that was sent.
///
/// ```
/// use message_core::prelude::*;
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
/// manager.spawn((Ears,));
/// manager.spawn((Ears, Ears));
/// assert_eq!(manager.send(Everyone, Ping)?.received, 3);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// How many components have received it. One that returned `false` or `None` has not; one
    /// that returned an error has.
    pub received: usize,
    /// How many components will receive it, unless they are removed first: those that are busy
    /// now, and those of a messagee that comes alive when the outermost send returns.
    pub pending: usize,
    /// How many of those that received it returned an error.
    pub failed: usize,
    /// Whether a component consumed it, so that those behind it have not received it.
    pub consumed: bool,
}
