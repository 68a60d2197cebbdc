//! The letters that can be read, of one type or of all.

use std::fmt;
use std::marker::PhantomData;

use crate::mailbox::choice::selecting;
use crate::mailbox::{Choice, Cursor, Mail, Readable};
use crate::message::AnyMessage;

/// A selection among the messages of one type that were published in the frame before this one, or
/// [since](Self::since) the last look; from [`MessageManager::inbox`](crate::MessageManager::inbox)
/// or [`Context::inbox`](crate::Context::inbox). An [`AnyInbox`] selects among the messages of all types.
///
/// It is iterated over in the order published, as often as is wanted. What it finds does not change
/// before the next frame begins, except in passes of [`FixedUpdate`](crate::Stage::FixedUpdate): each finds what was
/// published since the frame of the last one.
///
/// # Pull style
///
/// A frame of a program that reads its mail is `tick`, then one function after the other: all of
/// them find what was published in the frame before, by handlers or by functions, and what they
/// publish is found in the next. So they can come in any order, as long as each changes only
/// components that are its own, asks [`pending`](crate::MessageManager::published) only for what it
/// has published itself, and does not ask which of two messages of one frame came first; and as
/// messagees come and go between frames. To publish and to change components while the mail is read
/// there is the [`Desk`](crate::Desk).
///
/// ```
/// use std::time::Duration;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Hit { damage: u32 }
///
/// let mut manager = MessageManager::new();
/// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
/// manager.publish(orc, Hit { damage: 3 })?;
/// manager.publish(elf, Hit { damage: 5 })?;
/// manager.speak_for(elf)?.publish(orc, Hit { damage: 9 })?;
/// assert!(manager.inbox::<Hit>().is_empty());
///
/// manager.tick(Duration::from_millis(16));
/// let inbox = manager.inbox::<Hit>();
/// let of_orc: Vec<u32> = inbox.to(orc).iter().map(|hit| hit.damage).collect();
/// assert_eq!(of_orc, [3, 9]);
/// assert_eq!(inbox.to(orc).from(elf).count(), 1);
/// assert_eq!(inbox.iter().filter(|hit| hit.damage > 4).count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its mail cannot be kept beyond the frame:
///
/// ```compile_fail,E0502
/// use std::time::Duration;
/// use message_core::prelude::*;
///
/// # #[derive(Message)] struct Hit { damage: u32 }
/// fn look(manager: &mut MessageManager) -> Option<u32> {
///     let hit = manager.inbox::<Hit>().first();
///     manager.tick(Duration::from_millis(16)); // error: `hit` is still in use below
///     hit.map(|hit| hit.damage)
/// }
/// ```
#[must_use]
pub struct Inbox<'a, M: ?Sized> {
    pub(super) choice: Choice<'a>,
    /// The first letter to read, over all frames that are left. Without it, only the last frame is read.
    pub(super) since: Option<u64>,
    message: PhantomData<fn(&M)>,
}

/// A selection among the messages of all types that were published in the frame before this one, or
/// [since](Inbox::since) the last look; from
/// [`MessageManager::inbox_any`](crate::MessageManager::inbox_any) or
/// [`Context::inbox_any`](crate::Context::inbox_any).
///
/// ```
/// use std::time::Duration;
/// use message_core::prelude::*;
///
/// #[derive(Message, Debug)]
/// struct Hit(u32);
///
/// #[derive(Message, Debug)]
/// struct Heal(u32);
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// manager.publish(orc, Hit(3))?;
/// manager.publish(orc, Heal(2))?;
/// manager.publish(orc, Hit(4))?;
/// manager.tick(Duration::from_millis(16));
///
/// let all = manager.inbox_any().to(orc);
/// let all: Vec<String> = all.iter().map(|mail| format!("{:?}", mail.message())).collect();
/// assert_eq!(all, ["Hit(3)", "Heal(2)", "Hit(4)"]);
/// # Ok::<(), SendError>(())
/// ```
pub type AnyInbox<'a> = Inbox<'a, dyn AnyMessage>;

impl<'a, M: Readable + ?Sized> Inbox<'a, M> {
    pub(crate) fn new(choice: Choice<'a>) -> Self {
        Self {
            choice,
            since: None,
            message: PhantomData,
        }
    }

    selecting!(Mail<'a, M>);

    /// Reads everything that the cursor has not read and that can still be found, instead of the
    /// last frame alone: as far back as
    /// [`set_mail_retention`](crate::MessageManager::set_mail_retention) says. The cursor moves to
    /// the end at once, past what the selection leaves out, and counts what was dropped meanwhile.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::mailbox::Cursor;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut cursor = Cursor::<Noise>::new();
    /// for _ in 0..3 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::ZERO);
    /// }
    /// assert_eq!(manager.inbox().since(&mut cursor).count(), 1);
    /// assert_eq!(cursor.missed(), 0);
    /// for _ in 0..3 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::ZERO);
    /// }
    /// assert_eq!(manager.inbox().since(&mut cursor).count(), 1);
    /// assert_eq!(cursor.missed(), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// Those of all types are found in the order sent:
    ///
    /// ```
    /// use message_core::mailbox::AnyCursor;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// #[derive(Message)]
    /// struct Heal;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_mail_retention::<Hit>(2);
    /// let mut cursor = AnyCursor::new();
    /// manager.publish(Everyone, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.publish(Everyone, Heal)?;
    /// manager.tick(Duration::from_millis(16));
    /// let names = manager.inbox_any().since(&mut cursor).into_iter().map(|mail| mail.name());
    /// assert!(names.eq([Hit::NAME, Heal::NAME])); // The last frame has only the second.
    /// assert_eq!(cursor.missed(), 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn since(mut self, cursor: &mut Cursor<M>) -> Self {
        let (manager, end) = (self.choice.mail.serial, M::end(&self));
        let missed = |next: u64| M::missed(&self, next);
        self.since = Some(cursor.advance(manager, end, missed));
        self
    }

    /// Returns a cursor that has read all that can be found now, so that it counts what is missed
    /// from here on. The selection does not matter.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// let mut cursor = manager.inbox::<Noise>().cursor();
    /// for _ in 0..3 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::ZERO);
    /// }
    /// assert_eq!(manager.inbox().since(&mut cursor).count(), 1);
    /// assert_eq!(cursor.missed(), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn cursor(&self) -> Cursor<M> {
        Cursor::reading_on(Some((self.choice.mail.serial, M::end(self))), 0)
    }

    /// Returns the mail, in the order published. Each [`Mail`] derefs to its message. An [`AnyInbox`] sorts its mail
    /// now.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Bid { price: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// for price in [30, 50, 40] {
    ///     manager.publish(Everyone, Bid { price })?;
    /// }
    /// manager.tick(Duration::from_millis(16));
    /// let inbox = manager.inbox::<Bid>();
    /// let best = inbox.iter().max_by_key(|bid| bid.price);
    /// assert_eq!(best.map(|bid| bid.price), Some(50));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> M::Mails<'a> {
        M::mails(self)
    }
}

impl<'a, M: Readable + ?Sized> IntoIterator for Inbox<'a, M> {
    type Item = Mail<'a, M>;
    type IntoIter = M::Mails<'a>;

    fn into_iter(self) -> M::Mails<'a> {
        self.iter()
    }
}

impl<'a, M: Readable + ?Sized> IntoIterator for &Inbox<'a, M> {
    type Item = Mail<'a, M>;
    type IntoIter = M::Mails<'a>;

    fn into_iter(self) -> M::Mails<'a> {
        self.iter()
    }
}

impl<M: ?Sized> Clone for Inbox<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: ?Sized> Copy for Inbox<'_, M> {}

impl<M: ?Sized> fmt::Debug for Inbox<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox")
            .field("message", &std::any::type_name::<M>())
            .finish_non_exhaustive()
    }
}
