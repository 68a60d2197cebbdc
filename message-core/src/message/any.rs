//! A message whose type is not known where it is used.

use std::any::Any;
use std::fmt;

use crate::message::{Facts, Message, MessageId};

/// A message of any type, seen from outside: its name, its id, and the capabilities of its type. Every
/// [`Message`] is one.
///
/// `Debug` of a `dyn AnyMessage` prints the message's own `Debug` where the type has it, else its
/// name and `{ .. }`.
///
/// ```
/// use message_core::AnyMessage;
/// use message_core::prelude::*;
///
/// #[derive(Message, Debug, Clone)]
/// struct Damage { amount: u32 }
///
/// #[derive(Message)]
/// #[message(name = "secret")]
/// struct Secret;
///
/// let messages: [&dyn AnyMessage; 2] = [&Damage { amount: 3 }, &Secret];
/// assert_eq!(format!("{:?}", messages[0]), "Damage { amount: 3 }");
/// assert_eq!(format!("{:?}", messages[1]), "secret { .. }");
/// assert!(messages[0].try_clone().is_some());
/// assert!(messages[1].try_clone().is_none());
/// ```
pub trait AnyMessage: Any + Send {
    /// Returns the name of the message's type.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "arena.damage")]
    /// struct Damage;
    ///
    /// let message: Box<dyn AnyMessage> = Box::new(Damage);
    /// assert_eq!(message.name(), "arena.damage");
    /// ```
    fn name(&self) -> &'static str {
        self.facts().name
    }

    /// Returns the id of the message's type.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage;
    ///
    /// let message: Box<dyn AnyMessage> = Box::new(Damage);
    /// assert_eq!(message.id(), Damage::ID);
    /// ```
    fn id(&self) -> MessageId {
        self.facts().id
    }

    /// Returns a copy of the message, or `None` when its type is not `Clone` or is a message
    /// [by hand](trait@crate::Message#by-hand).
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message, Clone)]
    /// struct Damage { amount: u32 }
    ///
    /// let message: Box<dyn AnyMessage> = Box::new(Damage { amount: 3 });
    /// let copy = message.try_clone().expect("it is `Clone`");
    /// assert_eq!(copy.downcast_ref::<Damage>().map(|damage| damage.amount), Some(3));
    /// ```
    fn try_clone(&self) -> Option<Box<dyn AnyMessage>>;

    #[doc(hidden)]
    fn facts(&self) -> &'static Facts;

    #[doc(hidden)]
    fn fmt_debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<M: Message> AnyMessage for M {
    fn try_clone(&self) -> Option<Box<dyn AnyMessage>> {
        let clone = M::OFFERS.clone?;
        Some(Box::new(clone(self)))
    }

    fn facts(&self) -> &'static Facts {
        M::FACTS
    }

    fn fmt_debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match M::OFFERS.debug {
            Some(debug) => debug(self, f),
            None => write!(f, "{} {{ .. }}", M::NAME),
        }
    }
}

impl fmt::Debug for dyn AnyMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_debug(f)
    }
}

impl dyn AnyMessage {
    /// Returns `true` if the message is of that type. Types match exactly.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// #[derive(Message, Debug)]
    /// struct Heal;
    ///
    /// let mut message: Box<dyn AnyMessage> = Box::new(Damage { amount: 3 });
    /// assert!(message.is::<Damage>() && !message.is::<Heal>());
    /// assert!(message.downcast_ref::<Heal>().is_none());
    /// if let Some(damage) = message.downcast_mut::<Damage>() {
    ///     damage.amount += 1;
    /// }
    /// let message = message.downcast::<Heal>().expect_err("it is a `Damage`");
    /// let damage = message.downcast::<Damage>().expect("it is a `Damage`");
    /// assert_eq!(damage.amount, 4);
    /// ```
    #[must_use]
    pub fn is<M: Message>(&self) -> bool {
        (self as &dyn Any).is::<M>()
    }

    /// Returns the message as its own type, or `None` when it is of another. Types match exactly.
    ///
    /// ```
    /// use message_core::lifecycle::DeadLetter;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Letter { text: &'static str }
    ///
    /// let mut manager = MessageManager::new();
    /// let id = manager.spawn(());
    /// manager.subscribe(Filter::of::<DeadLetter>(), |dead, _| {
    ///     let letter = dead.message.as_ref().and_then(|message| message.downcast_ref::<Letter>());
    ///     assert_eq!(letter.map(|letter| letter.text), Some("hello"));
    /// });
    /// manager.post(Header::to(id).after_frames(1), Letter { text: "hello" })?;
    /// manager.despawn(id)?;
    /// assert_eq!(manager.tick(std::time::Duration::ZERO).dead_letters, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn downcast_ref<M: Message>(&self) -> Option<&M> {
        (self as &dyn Any).downcast_ref()
    }

    /// Returns the message as its own type, to change it, or `None` when it is of another. Types match
    /// exactly.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::all().before(), |message, _| {
    ///     if let Some(damage) = message.downcast_mut::<Damage>() {
    ///         damage.amount /= 2;
    ///     }
    /// });
    /// let mut damage = Damage { amount: 10 };
    /// manager.send_mut(Everyone, &mut damage)?;
    /// assert_eq!(damage.amount, 5);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn downcast_mut<M: Message>(&mut self) -> Option<&mut M> {
        (self as &mut dyn Any).downcast_mut()
    }

    /// Takes the message out as its own type. Types match exactly.
    ///
    /// # Errors
    ///
    /// The message itself, when it is of another type.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// #[derive(Message)]
    /// struct Heal;
    ///
    /// let message: Box<dyn AnyMessage> = Box::new(Damage { amount: 3 });
    /// let Err(message) = message.downcast::<Heal>() else { panic!("it is a `Damage`") };
    /// assert_eq!(message.downcast::<Damage>().map(|damage| damage.amount).ok(), Some(3));
    /// ```
    #[allow(clippy::missing_panics_doc, reason = "the type is checked first")]
    pub fn downcast<M: Message>(self: Box<Self>) -> Result<Box<M>, Box<Self>> {
        if !self.is::<M>() {
            return Err(self);
        }
        let any: Box<dyn Any> = self;
        Ok(any
            .downcast()
            .unwrap_or_else(|_| unreachable!("its type was asked for")))
    }
}
