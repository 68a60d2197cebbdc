//! Tags with levels: the tags below another one, found among all that the program declares.

use crate::link::{Entry, entries};
use crate::tag::{Tag, TagSet};

impl Tag {
    /// Returns the set of this tag and of all tags below it: those that the program declares with names that begin
    /// with the name of this one and a dot.
    ///
    /// Use it wherever a set of tags selects messages: in a [`Filter`](crate::Filter), in [`Posts`](crate::Posts), or in a
    /// trace filter. It is an ordinary set, so a send costs the same as with any other. To make it, all declarations
    /// are searched. Tags of a library that is loaded later are only in sets that are made after that.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// tag!(DAMAGE = "damage", FIRE = "damage.fire", LAVA = "damage.fire.lava", DAMAGED = "damaged");
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Hit>().tags(DAMAGE.and_below()), |_, _| {});
    /// let mut is_heard = |tag: message_core::Tag| {
    ///     manager.post(Header::to(Everyone).tags(tag), Hit).ok()?.receipt().map(|receipt| receipt.received == 1)
    /// };
    /// assert_eq!([DAMAGE, FIRE, LAVA].map(&mut is_heard), [Some(true); 3]);
    /// assert_eq!(is_heard(DAMAGED), Some(false)); // Not below: there is no dot.
    ///
    /// assert_eq!(FIRE.and_below(), FIRE | LAVA);
    /// assert_eq!(LAVA.and_below(), LAVA.into());
    /// ```
    #[must_use]
    pub fn and_below(self) -> TagSet {
        let above = format!("{}.", self.name());
        let below = entries().filter_map(|entry| match *entry {
            Entry::Tag(tag) if tag.name().starts_with(&above) => Some(tag),
            _ => None,
        });
        below.chain([self]).collect()
    }
}
