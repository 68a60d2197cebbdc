//! Labels of messages, and small sets of them.
//!
//! A tag is its name, as a mnemonic is. The first tags that a process makes sets of have a bit each, and a
//! [set] is made of these: eight bytes that travel in every header and every delayed message.

mod set;

pub use set::TagSet;

use crate::name::{Name, declared};

/// A label of messages that [subscriptions](crate::MessageManager::subscribe) filter by; declared
/// with [`tag!`](crate::tag!).
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(RADIO);
///
/// #[derive(Message)]
/// #[message(tags(RADIO))]
/// struct Shout;
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::all().tagged(RADIO), |_, _| {});
/// assert_eq!(manager.send(Everyone, Shout)?.received, 1);
/// assert!(RADIO.name().ends_with("RADIO"));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(&'static Name);

declared!(Tag);

/// Declares tags: constants of type [`Tag`](crate::Tag), named by the path of the declaration, or
/// by `= "…"`. Any crate and module may declare its own; there is no list of them.
///
/// Dots in a given name are levels: [`and_below`](crate::Tag::and_below) is the set of a tag and all tags below it.
///
/// A message type has tags by `#[message(tags(AI))]`, and a message by its
/// [header](crate::post::HeaderBuilder::tags). Tags combine with `|`.
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(pub AI, COMBAT);
///
/// #[derive(Message)]
/// #[message(tags(AI))]
/// struct Thought;
///
/// let both = AI | COMBAT;
/// assert!(both.contains(AI));
/// assert_eq!(both | AI, both);
/// ```
#[macro_export]
macro_rules! tag {
    ($($declarations:tt)+) => {
        $crate::__declare_names! { Tag: $($declarations)+ }
    };
}
