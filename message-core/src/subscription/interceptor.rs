//! A filter whose subscription comes before the delivery.
//!
//! Its closure takes the message as `&mut`, so it is a type of its own.

use std::fmt;

use super::filter::Filter;
use crate::address::{Recipient, Sender};
use crate::tag::TagSet;

/// A [`Filter`] for a subscription that receives its messages first; from [`Filter::before`].
///
/// Its conditions can be set before and after `before`:
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// let mut manager = MessageManager::new();
/// let knight = manager.spawn(());
/// let shield = Filter::of::<Damage>().before().to(knight).hidden();
/// manager.subscribe(shield, |damage, _| damage.amount /= 2);
///
/// let mut damage = Damage { amount: 10 };
/// manager.send_mut(knight, &mut damage)?;
/// assert_eq!(damage.amount, 5);
/// # Ok::<(), SendError>(())
/// ```
pub struct Interceptor<S: ?Sized, P = ()>(pub(super) Filter<S, P>);

impl<S: ?Sized, P> Interceptor<S, P> {
    /// Keeps only messages from this sender, like [`Filter::from`].
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let [orc, elf] = [(); 2].map(|()| manager.spawn(()));
    /// let clumsy = Filter::of::<Damage>().before().from(orc);
    /// manager.subscribe(clumsy, |damage, _| damage.amount = 0);
    ///
    /// let mut damage = Damage { amount: 4 };
    /// manager.speak_for(elf)?.send_mut(Everyone, &mut damage)?;
    /// assert_eq!(damage.amount, 4);
    /// manager.speak_for(orc)?.send_mut(Everyone, &mut damage)?;
    /// assert_eq!(damage.amount, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from(self, sender: impl Into<Sender>) -> Self {
        Self(self.0.from(sender))
    }

    /// Keeps only messages that are sent to this recipient, like [`Filter::to`].
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::ops::ControlFlow;
    ///
    /// #[derive(Message)]
    /// struct Damage;
    ///
    /// let mut manager = MessageManager::new();
    /// let (ghost, orc) = (manager.spawn(()), manager.spawn(()));
    /// let immune = Filter::of::<Damage>().before().to(ghost);
    /// manager.subscribe(immune, |_, _| ControlFlow::Break(()));
    /// assert!(manager.send(ghost, Damage)?.consumed);
    /// assert!(!manager.send(orc, Damage)?.consumed);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn to(self, recipient: impl Into<Recipient>) -> Self {
        Self(self.0.to(recipient))
    }

    /// Keeps only messages with at least one of these tags, like [`Filter::tags`].
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::ops::ControlFlow;
    ///
    /// tag!(RADIO);
    ///
    /// #[derive(Message)]
    /// #[message(tags(RADIO))]
    /// struct Call;
    ///
    /// #[derive(Message)]
    /// struct Shout;
    ///
    /// let mut manager = MessageManager::new();
    /// let silence = Filter::any().before().tags(RADIO);
    /// manager.subscribe(silence, |_, _| ControlFlow::Break(()));
    /// assert!(manager.send(Everyone, Call)?.consumed);
    /// assert!(!manager.send(Everyone, Shout)?.consumed);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn tags(self, tags: impl Into<TagSet>) -> Self {
        Self(self.0.tags(tags))
    }

    /// Keeps only messages for which the predicate returns `true`, as [`Filter::when`]. It sees the
    /// message as it was sent.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let heavy = Filter::of::<Damage>().before().when(|damage| damage.amount > 10);
    /// manager.subscribe(heavy, |damage, _| damage.amount = 10);
    ///
    /// let [mut light, mut heavy] = [3, 30].map(|amount| Damage { amount });
    /// manager.send_mut(Everyone, &mut light)?;
    /// manager.send_mut(Everyone, &mut heavy)?;
    /// assert_eq!((light.amount, heavy.amount), (3, 10));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn when<F: Fn(&S) -> bool + Send + 'static>(self, predicate: F) -> Interceptor<S, (P, F)> {
        Interceptor(self.0.when(predicate))
    }

    /// Leaves the interceptor out where receivers are counted, like [`Filter::hidden`]: it does not
    /// count as a receiver of the messages that it consumes.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::ops::ControlFlow;
    ///
    /// #[derive(Message)]
    /// struct Damage;
    ///
    /// let mut manager = MessageManager::new();
    /// let shield = Filter::of::<Damage>().before();
    /// let visible = manager.subscribe(shield, |_, _| ControlFlow::Break(()));
    /// assert_eq!(manager.send(Everyone, Damage)?.received, 1);
    /// manager.unsubscribe(visible);
    /// manager.subscribe(shield.hidden(), |_, _| ControlFlow::Break(()));
    /// assert_eq!(manager.send(Everyone, Damage)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn hidden(self) -> Self {
        Self(self.0.hidden())
    }

    /// Ends the subscription with the first message that it receives, as [`Filter::once`].
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let shield = Filter::of::<Damage>().before().once();
    /// manager.subscribe(shield, |damage, _| damage.amount = 0);
    ///
    /// let [mut first, mut second] = [3, 4].map(|amount| Damage { amount });
    /// manager.send_mut(Everyone, &mut first)?;
    /// manager.send_mut(Everyone, &mut second)?;
    /// assert_eq!((first.amount, second.amount), (0, 4)); // The shield is used up.
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn once(self) -> Self {
        Self(self.0.once())
    }

    /// Returns the filter, with the messages it listens to and its terms.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let interceptor = Filter::any().before().to(Everyone).hidden();
    /// assert_eq!(interceptor.filter().recipient(), Some(Recipient::Everyone));
    /// assert!(interceptor.filter().is_hidden());
    /// ```
    #[must_use]
    pub fn filter(&self) -> &Filter<S, P> {
        &self.0
    }
}

impl<S: ?Sized, P: Clone> Clone for Interceptor<S, P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: ?Sized, P: Copy> Copy for Interceptor<S, P> {}

impl<S: ?Sized, P> fmt::Debug for Interceptor<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interceptor").field(&self.0).finish()
    }
}

/// Prints the [`Filter`] with `before delivery` at the end.
impl<S: ?Sized, P> fmt::Display for Interceptor<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, before delivery", self.0)
    }
}
